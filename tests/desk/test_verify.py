"""Verify: the workbook is what its beginning, orders, answers, dice and rulings make of it, or the first difference."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.desk.results import Result
from assistant.ledger import path_of_ledger
from assistant.testing.cases import campaign_of
from tests import hand
from tests.desk import test_correct
from tests.desk.ledgers import forget, rewrite
from tests.desk.test_correct import commit
from tests.desk.test_resolving import everything
from tests.playing import take_lines

campaign, played = test_correct.campaign, test_correct.played


def verify(book: Path) -> Result:
    """The verdict, in English."""
    return desk.verify(book, lang="en")


def put(book: Path, sheet: str, old: Any, new: Any) -> str:
    """Change the first cell of a sheet that holds a value, as somebody in Excel would; its address."""
    file = hand.opened(book)
    cell = next(c for row in file[sheet].iter_rows() for c in row if c.value == old)
    cell.value = new
    file.save(book)
    return f"{sheet}!{cell.coordinate}"


def forget_fingerprints(book: Path) -> None:
    """Whoever tampers with the workbook tampers with the ledger, too: nothing is known of the cells any more."""
    forget(path_of_ledger(book), "marks", facts=("manifest",))


def test_a_played_campaign_is_verified(played: Path) -> None:
    """Six phases are the same again; nothing is changed by looking."""
    before = everything(played)
    told: list[str] = []

    result = desk.verify(played, lang="en", tell=told.append)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert (result.data["verified"], result.data["phases"], result.data["first"]) == (True, 6, None)
    assert told[0] == "[1/6] 1, March: the same."
    assert everything(played) == before


def test_a_new_campaign_is_its_own_beginning(book: Path) -> None:
    """Nothing was resolved: there is nothing that could differ."""
    assert (verify(book).exit, verify(book).data["phases"]) == (Exit.DONE, 0)


@pytest.mark.slow
def test_it_holds_after_a_correction_its_undo_and_its_redo(played: Path) -> None:
    """The workbook agrees with its ledger each time, and after the next phase."""
    before = played.read_bytes()
    assert commit(played, "battle B1.M1 B 3").data["committed"]
    assert verify(played).finding_lines() == []

    assert desk.undo(played).exit == Exit.DONE
    assert played.read_bytes() == before
    assert verify(played).finding_lines() == []

    assert desk.redo(played).exit == Exit.DONE
    assert verify(played).finding_lines() == []
    take_lines(played, "B: B1")
    desk.resolve(played)
    assert (verify(played).finding_lines(), verify(played).data["phases"]) == ([], 7)


@pytest.mark.slow
def test_it_holds_after_two_corrections_of_which_the_second_goes_further_back(played: Path) -> None:
    """What the first one superseded is carried through the second."""
    assert commit(played, "battle B2.M1 A 1").data["committed"]
    assert commit(played, "A: stance M1 flee", at="1.clash").data["committed"]

    assert verify(played).finding_lines() == []
    assert "B2.M1~1" in campaign_of(played).by_sheet("Battles")


def test_it_holds_after_undo_to_an_earlier_phase_and_playing_on(played: Path) -> None:
    """Orders and results that were typed since are kept by undo, and used again."""
    desk.undo(played, to="1.clash")
    assert verify(played).finding_lines() == []

    desk.resolve(played, until="2.fight", defaults=True)

    assert verify(played).finding_lines() == []


def test_it_holds_with_robots_and_defaults(book: Path) -> None:
    """What the assistant gave to a phase is taken as it stands."""
    take_lines(book, "A: M1")
    desk.resolve(book, until="fight", robots=["B"], defaults=True)
    take_lines(book, "die spoils:B2.M1 4")

    assert verify(book).finding_lines() == []


def test_it_holds_while_a_phase_waits(book: Path) -> None:
    """Open questions, and answers to some of them, are no difference."""
    take_lines(book, "A: M1", "B: M1")
    desk.resolve(book)
    desk.resolve(book)
    take_lines(book, "A: stance M1 flee")

    assert verify(book).finding_lines() == []


def test_a_tampered_cell_is_the_first_difference(played: Path) -> None:
    """Also when the ledger's fingerprints are gone: sheet, row, field, what it should be, what it is, since when."""
    was = campaign_of(played).by_sheet("Factions")["A"].gold
    cell = put(played, "Factions", was, 100)
    forget_fingerprints(played)

    result = verify(played)

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-126"]
    assert result.data["first"] == {"sheet": "Factions", "row": "A", "field": "gold", "expected": str(was),
                                    "found": "100", "turn": "2", "phase": "fight", "change": "set", "cell": cell}
    assert result.data["verified"] is False


def test_a_cell_tampered_with_long_ago_is_found_where_it_was_changed(played: Path) -> None:
    """The phases after it went on from there; the first difference is the one that is named."""
    cell = put(played, "Nodes", "Middle", "Muddle")
    forget_fingerprints(played)
    take_lines(played, "B: B1")
    assert desk.resolve(played, until="3.fight").exit == Exit.DONE

    result = verify(played)

    first = result.data["first"]
    assert (first["turn"], first["phase"], first["expected"], first["found"], first["cell"]) == (
        "2", "fight", "Middle", "Muddle", cell)
    assert result.data["phases"] == 5


def test_an_order_that_was_changed_after_its_phase_is_found(played: Path) -> None:
    """What is over is over: a club cannot have meant something else."""
    put(played, "Orders", "M1", "B1")
    forget_fingerprints(played)

    first = verify(played).data["first"]

    assert (first["sheet"], first["row"], first["field"]) == ("Orders", "1-march-A-1", "text")


@pytest.mark.slow
def test_a_row_that_nothing_explains_and_one_that_is_missing_are_found(played: Path) -> None:
    """A die of the assistant's that was deleted; an army that came from nowhere."""
    twin = played.with_name("twin.xlsx")
    shutil.copy(played, twin)
    shutil.copy(path_of_ledger(played), path_of_ledger(twin))
    for book, sheet, key, new in ((played, "Dice", "spoils:B1.M1", "spoils:B9.M9"), (twin, "Armies", "A-1", "A-7")):
        put(book, sheet, key, new)
        forget_fingerprints(book)

    assert {f.code for f in verify(played).findings} <= {"ARB-126", "ARB-127", "ARB-128"}
    assert verify(played).data["first"]["sheet"] == "Dice"
    assert verify(twin).data["first"]["sheet"] == "Armies"


@pytest.mark.slow
def test_a_ruling_explains_a_change(played: Path) -> None:
    """The same change by hand, accepted with its reason, verifies; taken back, too."""
    put(played, "Nodes", "Middle", "Muddle")
    assert verify(played).exit == Exit.REFUSED

    assert desk.accept(played, [], why="so the map says", everything=True).exit == Exit.DONE
    assert verify(played).finding_lines() == []
    take_lines(played, "B: B1")
    desk.resolve(played)
    assert verify(played).finding_lines() == []


@pytest.mark.slow
def test_a_ruling_about_the_rules_goes_with_them_when_a_phase_is_undone(played: Path) -> None:
    """A number that was changed by hand and accepted stays in force after an undo, and so does its reason."""
    file = hand.opened(played)
    cells = {str(c.value).strip(): c for row in file["Rules"].iter_rows() for c in row if c.value is not None}
    file["Rules"].cell(cells["weather"].row, cells["Value"].column).value = "wet"
    file.save(played)
    assert desk.accept(played, [], why="it rained", everything=True).exit == Exit.DONE
    take_lines(played, "B: B1")
    desk.resolve(played)

    assert desk.undo(played, to="2.fight").exit == Exit.DONE

    assert campaign_of(played).by_sheet("Rules")["weather"].value == "wet"
    assert verify(played).finding_lines() == []
    desk.resolve(played)
    assert verify(played).finding_lines() == []


def test_a_superseded_row_that_no_correction_tells_of_is_found(played: Path) -> None:
    """Nobody can hide an order by renumbering it."""
    put(played, "Orders", "1-march-A-1", "1-march-A-1~1")
    forget_fingerprints(played)

    assert verify(played).exit == Exit.REFUSED


def test_a_secret_that_was_not_promised_is_named(played: Path) -> None:
    """The ledger's secret of a turn is not the one whose hash the clubs have read."""
    rewrite(path_of_ledger(played), "turn", lambda one: one.update(secret="78" * 32))

    assert "ARB-130" in [f.code for f in verify(played).findings]


def test_a_renewed_ledger_says_how_far_it_reaches(played: Path) -> None:
    """Only what was resolved since can be verified, which is no fault of the workbook's."""
    desk.renew_ledger(played)
    take_lines(played, "B: B1")
    desk.resolve(played)

    result = verify(played)

    assert (result.exit, [f.code for f in result.findings], result.data["phases"]) == (Exit.DONE, ["ARB-131"], 1)


def test_a_past_that_cannot_be_resolved_again_is_said(played: Path) -> None:
    """An answer that the ledger had is gone from it: the phase would wait."""
    rewrite(path_of_ledger(played), "step", lambda one: one["plan"].update(given={}))

    result = verify(played)

    assert [f.code for f in result.findings] == ["ARB-129"]
    assert (result.data["first"]["turn"], result.data["first"]["phase"]) == ("1", "clash")


@pytest.mark.parametrize("trouble", ["missing", "unreadable"])
def test_without_its_ledger_nothing_can_be_verified(played: Path, trouble: str) -> None:
    """Exit code 4, as for every command that needs it."""
    if trouble == "missing":
        path_of_ledger(played).unlink()
    else:
        path_of_ledger(played).write_bytes(b"spilt coffee")

    assert verify(played).exit == Exit.LEDGER
