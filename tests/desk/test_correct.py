"""Correcting the past: what would differ is shown first, the later phases keep their dice and orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk import Exit, How, Source, Wish
from assistant.desk.results import Result
from assistant.ledger import Ledger, path_of
from tests.desk.test_resolving import campaign_of, everything, take

COMMIT = How(why="the mail was misread")


def yes(result: Result) -> bool:
    """Write it."""
    return True


def wish(*lines: str, **rest: object) -> Wish:
    """A wish of plain lines."""
    return Wish(tuple(Source(line, text=line) for line in lines), **rest)  # type: ignore[arg-type]


def show(book: Path, *lines: str, **rest: object) -> Result:
    """What would differ; nothing is written."""
    return desk.correct(book, wish(*lines, **rest), How(), lang="en")


def commit(book: Path, *lines: str, how: How = COMMIT, **rest: object) -> Result:
    """Correct, and write it."""
    return desk.correct(book, wish(*lines, **rest), how, confirm=yes, lang="en")


def gold(campaign: Campaign) -> dict[str, int]:
    """Who has how much."""
    return {side.faction: side.gold for side in campaign.by_sheet("Factions")}


def told(book: Path, kind: str) -> list[dict[str, object]]:
    """The data of all events of a type."""
    return [e.data for e in campaign_of(book).by_sheet("Events") if e.event == kind]


@pytest.fixture
def played(book: Path) -> Path:
    """Turn 1 with a battle that A won, both armies home, and a battle of turn 2 that B won; turn 3 marches."""
    take(book, "A: M1", "B: M1")
    assert desk.resolve(book, until="clash", defaults=True).exit == Exit.DONE
    take(book, "battle B1.M1 A 3")
    assert desk.resolve(book).exit == Exit.DONE
    desk.resolve(book, until="2.clash", defaults=True)
    take(book, "battle B2.M1 B 1")
    assert desk.resolve(book).exit == Exit.DONE
    take(book, "A: A1")
    return book


# --- showing --------------------------------------------------------------------------------------
def test_a_battle_result_is_corrected_and_only_what_differs_is_listed(played: Path) -> None:
    """The winner's gold changes sides; the file and the ledger stay as they were."""
    before = everything(played)

    result = show(played, "battle B1.M1 B 3")

    assert result.exit == Exit.DONE, result.finding_lines()
    spoils = int(campaign_of(played).by_sheet("Dice")["spoils:B1.M1"].value)
    assert [(d["sheet"], d["row"], d["field"], d["new"] - d["old"]) for d in result.data["differences"]
            if d["sheet"] == "Factions"] == [("Factions", "A", "gold", -spoils), ("Factions", "B", "gold", spoils)]
    assert {d["sheet"] for d in result.data["differences"]} == {"Factions", "Events"}
    assert all(d["rule"] == "3" for d in result.data["differences"])
    assert result.data["committed"] is False
    assert everything(played) == before


def test_each_difference_says_which_event_causes_it(played: Path) -> None:
    """B's gold is there because B wins; A's is gone because A does not win any more."""
    result = show(played, "battle B1.M1 B 3")

    causes = {d["row"]: (d["event"], d["happens"]) for d in result.data["differences"] if d["sheet"] == "Factions"}
    assert causes == {"A": ("won", False), "B": ("won", True)}
    assert any("Brook wins and takes" in line for line in result.lines)


def test_what_is_the_same_is_no_correction(played: Path) -> None:
    """The same result once more changes nothing, and that is said."""
    result = show(played, "battle B1.M1 A 3")

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-125"]


def test_an_order_of_an_earlier_phase_takes_anothers_place(played: Path) -> None:
    """Had A stayed at home there would be no battle in either turn: the typed results are of battles not fought."""
    result = show(played, "A: A1", order="1-march-A-1")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert result.data["from"] == {"turn": "1", "phase": "march"}
    seen = {(d["sheet"], d["row"], d["field"]) for d in result.data["differences"]}
    assert {("Factions", "A", "gold"), ("Factions", "B", "gold"), ("Orders", "1-march-A-1", "status"),
            ("Armies", "A-1", "node")} <= seen


def test_a_replay_that_needs_an_answer_says_so(played: Path) -> None:
    """Had both come together in turn 1 only, ... a battle that was not fought waits: exit code 3."""
    take(played, "B: B1")
    desk.resolve(played)
    before = everything(played)

    result = show(played, "A: stance M1 flee", at="1.clash")
    assert result.exit == Exit.DONE, result.finding_lines()
    result = show(played, withdraw=("3-march-A-1",))

    assert result.exit == Exit.DONE
    assert everything(played) == before
