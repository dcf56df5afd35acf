"""What is judged beforehand: answers that a question does not take, as `check` and `orders` say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.desk import Exit
from tests.desk.test_resolving import campaign_of, everything, meeting, take

__all__ = ["meeting"]


@pytest.fixture
def waiting(meeting: Path) -> Path:
    """Both villages are asked whether they stand or flee."""
    desk.resolve(meeting, until="march")
    assert desk.resolve(meeting).exit == Exit.WAITING
    return meeting


def test_check_names_an_answer_that_is_no_option(waiting: Path) -> None:
    """At the answer's cell, with the options, and before any phase is run; the right one is not named."""
    take(waiting, "A: stance M1 hide", "B: stance M1 flee")
    before = everything(waiting)

    result = desk.check(waiting, lang="en")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-135"])
    (finding,) = result.findings
    assert (finding.where.row, finding.where.field) == ("1.clash.stance.A.M1", "answer")
    assert finding.faction == "A"
    assert finding.cell.startswith("Questions!")
    assert "'hide' is not among the answers" in result.finding_lines()[0]
    assert "stand, flee" in result.finding_lines()[0]
    assert everything(waiting) == before


def test_taking_a_wrong_answer_says_so_at_once(waiting: Path) -> None:
    """It is taken as it was typed, and its finding stands beside it."""
    result = take(waiting, "A: stance M1 hide")

    assert [f.code for f in result.findings] == ["ARB-135"]
    assert campaign_of(waiting).by_sheet("Questions")["1.clash.stance.A.M1"].answer == "hide"


@pytest.mark.parametrize("answer", ["stand", "FLEE", " flee "])
def test_a_right_answer_is_not_named(waiting: Path, answer: str) -> None:
    """In any case of letters, with blanks around it."""
    take(waiting, f"A: stance M1 {answer}")

    assert desk.check(waiting).exit == Exit.DONE


def test_nothing_is_judged_when_all_is_over(waiting: Path) -> None:
    """A campaign that has ended has no finding about old answers."""
    take(waiting, "A: stance M1 flee", "B: stance M1 flee")
    desk.resolve(waiting, until="3.fight", defaults=True)

    assert [f.code for f in desk.check(waiting).findings] == []
