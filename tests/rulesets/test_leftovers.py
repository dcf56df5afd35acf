"""In each rulebook refused orders leave nothing behind, throws share no key, and battles may be typed early."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from assistant.campaign.campaign import RowAdded, changes
from assistant.testing import kit, robots
from tests.rulesets.openings import OPENINGS
from tests.rulesets.test_checking import LATER
from tests.sweeps import fast_among

BOOKS = OPENINGS | LATER
FIVE = ("giglio", "anarchy", "incursio", "warriors", "bloodlust")
PHASES = {"giglio": 28, "bloodlust": 16}
BY_THE_KIT = {"incursio": 3}
"""Rulebook -> how many seeds of refused orders its own `test_promises` plays, from the same opening and longer."""
SEEDS = [pytest.param(name, seed, marks=[] if seed == 0 and name != "anarchy" else pytest.mark.slow)
         for name in FIVE for seed in range(BY_THE_KIT.get(name, 0), 4)]


@pytest.mark.parametrize(("name", "seed"), SEEDS)
def test_refused_orders_leave_nothing_behind(name: str, seed: int, tmp_path: Path) -> None:
    """A phase comes to what it comes to without them."""
    kit.refused_orders_leave_nothing(*BOOKS[name](tmp_path), seed=seed, phases=PHASES.get(name, 8))


@pytest.mark.parametrize(("name", "seed"), [
    pytest.param(name, seed, marks=[] if (name, seed) == ("warriors", 0) else pytest.mark.slow)
    for name in FIVE for seed in range(name in BY_THE_KIT, 4)])
def test_no_two_throws_of_a_phase_have_one_key(name: str, seed: int, tmp_path: Path) -> None:
    """Also where all give one order."""
    kit.no_throws_share_a_key(*BOOKS[name](tmp_path), seed=seed, phases=PHASES.get(name, 8))


@pytest.mark.parametrize("name", fast_among(FIVE, "giglio", "incursio", "warriors"))
def test_a_battle_that_was_typed_early_is_the_battle(name: str, tmp_path: Path) -> None:
    """In a campaign of robots in which battles are laid out."""
    ruleset, campaign = BOOKS[name](tmp_path)
    kit.battles_may_be_typed_early(ruleset, campaign)
    played = islice(robots.play(ruleset, kit.with_robots(campaign), kit.SECRET), 40)
    assert any(isinstance(change, RowAdded) and change.sheet == "Battles"
               for before, outcome in played for change in changes(before, outcome.campaign))
