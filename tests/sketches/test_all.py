"""What holds for all three sketches: they are small and leave nothing undeclared; how a form is handed out."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Battle as AnyBattle
from assistant.turn.calendar import Calendar
from assistant.turn.game import Game, Phase
from assistant.turn.phases import resolve
from assistant.turn.questions import Ask
from assistant.turn.ruleset import Ruleset
from tests.sketches.playing import SECRET, Play
from tests.sketches.realms import REALMS
from tests.sketches.walls import WALLS
from tests.sketches.waters import WATERS, Battle, Waters

ALL = (WATERS, REALMS, WALLS)
MOST_LINES = 300


@pytest.mark.parametrize("ruleset", ALL, ids=lambda one: one.id)
def test_a_sketch_is_whole_in_less_than_three_hundred_lines(ruleset: Ruleset) -> None:
    """Records, rules, texts and robots; its scenario and its Italian lie beside it."""
    home = Path(ruleset.homes()[0].folder)

    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in home.rglob("*.py")) < MOST_LINES


@pytest.mark.parametrize("ruleset", ALL, ids=lambda one: one.id)
def test_a_sketch_leaves_nothing_undeclared_or_missing(ruleset: Ruleset) -> None:
    """As `arbitro rulesets --check` says it."""
    result = desk.lint_ruleset(ruleset.id, lang="en")

    assert (result.finding_lines(), result.exit) == ([], desk.Exit.DONE)


def handed_out(game: Game) -> None:
    """A form, of which the phase goes on to think that it is closed, and then waits for something else."""
    row = Battle(battle="B9", status="open")
    game.hand_out(row)
    row.status = "closed"
    game.choose(Ask("retreat", "N", "N1", ("A02",)))


class Hasty(Waters):
    """The Waters with a phase of its own."""

    calendar = Calendar((Phase("hand", "Hand", "Mano", "3", handed_out),))


def test_a_form_is_handed_out_as_it_stood_then() -> None:
    """What the phase has done with the row before it stopped is gone with the rest of its run."""
    campaign = Play(WATERS).set(waters={"phase": "hand"}).campaign
    waiting = resolve(Hasty(), campaign, SECRET)

    assert not waiting.done
    assert [(row.battle, row.hold) for row in waiting.campaign.table(AnyBattle)] == [("B9", "asked")]
