"""How a campaign of robots begins, by rulebook: those that ship, a small plug-in, and the sketches of those to come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing import kit
from assistant.turn.ruleset import Ruleset
from tests.anarchy import test_robots as anarchy_robots
from tests.giglio import test_robots as giglio_robots
from tests.plugin.wells.arbitro_wells import WELLS
from tests.sketches.playing import Play
from tests.sketches.realms import REALMS
from tests.sketches.walls import WALLS
from tests.sketches.waters import WATERS

START = Path(__file__).parents[1] / "plugin" / "wells" / "tests" / "start"

OPENINGS: dict[str, Callable[[Path], tuple[Ruleset, Campaign]]] = {
    "giglio": lambda folder: (GIGLIO, giglio_robots.opening(folder)),
    "anarchy": lambda folder: (ANARCHY, anarchy_robots.opening(folder)),
    "wells": lambda folder: (WELLS, kit.with_robots(kit.opening(WELLS, START))),
    "waters": lambda folder: (WATERS, kit.with_robots(Play(WATERS).campaign)),
    "realms": lambda folder: (REALMS, Play(REALMS).campaign),
    "walls": lambda folder: (WALLS, kit.with_robots(Play(WALLS).campaign)),
}
"""The nations of the Realms stay with the rules."""
SMALL = ("wells", "waters", "realms", "walls")
"""Those that take little time."""
