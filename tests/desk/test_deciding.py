"""Deciding at the cell: a reason or a word beside each change made by hand, and one command for all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.campaign import changes
from assistant.desk import Exit
from assistant.desk.workspace.detect_edits import rulings_of
from assistant.ledger import Ledger, path_of_ledger
from assistant.testing.cases import campaign_of
from assistant.workbook.layout import CHANGES_NAME
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import remove_sheet
from tests import hand
from tests.desk.conftest import without_marks
from tests.desk.test_handedits import gold
from tests.hand import by_hand

CHANGED = (("Factions", "A", "Gold", 1000), ("Nodes", "M1", "Name", "Centre"), ("Armies", "B-1", "At", "B1"))


def listed(book: Path) -> list[list[str]]:
    """What the sheet of changes says, row by row."""
    sheet = hand.opened(book)["Changes"]
    return [[str(cell.value or "") for cell in row[:6]] for row in sheet.iter_rows(min_row=5) if row[0].value]


def write_beside(book: Path, **decisions: str) -> None:
    """Write decisions into the list, by the row that was changed."""
    opened = hand.opened(book)
    for row in opened["Changes"].iter_rows(min_row=5):
        if row[1].value in decisions:
            row[5].value = decisions[row[1].value]
    opened.save(book)


def undecided(result: desk.Result) -> list[str]:
    """The rows of which a result says that they are still open."""
    return [str(edit["row"]) for edit in result.data["undecided"]]


@pytest.fixture
def changed(played: Path) -> Path:
    """Three cells were changed by hand, and the workbook lists them."""
    by_hand(played, *CHANGED)
    assert desk.check(played, mark=True).exit == Exit.REFUSED
    return played


# --- the list -----------------------------------------------------------------------------------
def test_each_change_has_a_row_with_what_stood_there_and_what_stands_there_now(played: Path) -> None:
    """Sheet, row, column, old and new value, and a blank cell for the reason."""
    old = gold(played)
    by_hand(played, *CHANGED)
    assert listed(played) == []

    desk.check(played, mark=True)

    assert listed(played) == [
        ["Factions", "A", "Gold", str(old), "1000", ""],
        ["Nodes", "M1", "Name", "Middle", "Centre", ""],
        ["Armies", "B-1", "At", "M1", "B1", ""]]


def test_deciding_without_a_word_lists_what_is_open(played: Path) -> None:
    """The first click shows where to write; it changes nothing and ends with 3."""
    by_hand(played, *CHANGED)
    before = without_marks(played)

    result = desk.decide(played)

    assert (result.exit, undecided(result)) == (Exit.WAITING, ["A", "M1", "B-1"])
    assert [row[1] for row in listed(played)] == ["A", "M1", "B-1"]
    assert [*changes(before, without_marks(played))] == []


def test_a_new_row_and_one_that_is_gone_are_listed_too(played: Path) -> None:
    """With what stands or stood in them."""
    opened = hand.opened(played)
    sheet = opened["Roads"]
    row = next(row for row in sheet.iter_rows(min_row=5) if row[0].value == "M1")
    row[0].value, row[1].value = "B1", "A1"
    opened.save(played)

    desk.decide(played)

    assert [(row[0], row[2], row[3], row[4]) for row in listed(played)] == [
        ("Roads", "the row is new", "", "B1, A1"), ("Roads", "the row is gone", "M1, B1", "")]


def test_an_older_workbook_gets_the_sheet_with_its_first_list(played: Path) -> None:
    """It had none when it was made."""
    book = OoxmlBook(played.read_bytes())
    remove_sheet(book, "Changes")
    played.write_bytes(book.package.pack())
    by_hand(played, *CHANGED)
    assert CHANGES_NAME not in OoxmlBook(played.read_bytes()).names

    assert desk.decide(played).exit == Exit.WAITING

    assert [row[1] for row in listed(played)] == ["A", "M1", "B-1"]
    write_beside(played, A="the bank's mistake")
    assert undecided(desk.decide(played)) == ["M1", "B-1"]


# --- deciding -----------------------------------------------------------------------------------
def test_a_reason_keeps_a_change_and_the_word_puts_it_back_and_the_rest_stays_open(changed: Path) -> None:
    """All in one change with one ruling a reason; what has neither is named and listed still."""
    write_beside(changed, A="the bank's mistake of May", M1="back")
    with Ledger.open(path_of_ledger(changed), "") as ledger:
        before = len(ledger.steps())

    result = desk.decide(changed)

    assert (result.exit, undecided(result)) == (Exit.WAITING, ["B-1"])
    campaign = campaign_of(changed)
    assert (gold(changed), campaign.by_sheet("Nodes")["M1"].name) == (1000, "Middle")
    assert [(ruling.edit.row, ruling.why) for ruling in rulings_of(campaign)] == [("A", "the bank's mistake of May")]
    assert [row[1] for row in listed(changed)] == ["B-1"]
    with Ledger.open(path_of_ledger(changed), "") as ledger:
        assert [step.verb for step in ledger.steps()[before:]] == ["decide"]
    assert desk.resolve(changed).exit == Exit.REFUSED


@pytest.mark.parametrize("word", ["back", "Back", "indietro", " INDIETRO ", "“indietro”"])
def test_the_word_is_known_in_both_languages(changed: Path, word: str) -> None:
    """Whichever language the workbook has."""
    write_beside(changed, M1=word)

    result = desk.decide(changed)

    assert [edit["row"] for edit in result.data["reverted"]] == ["M1"]
    assert result.data["accepted"] == []


def test_one_undo_takes_all_decisions_back(changed: Path) -> None:
    """The changes stand there again with what was written beside them."""
    write_beside(changed, A="the bank's mistake", M1="back", **{"B-1": "it fled"})
    before, rows = without_marks(changed), listed(changed)
    assert desk.decide(changed).exit == Exit.DONE
    assert listed(changed) == []

    assert desk.undo(changed).exit == Exit.DONE

    assert [*changes(before, without_marks(changed))] == []
    assert listed(changed) == rows
    assert desk.decide(changed).exit == Exit.DONE


def test_when_all_is_decided_the_phase_is_resolved_and_the_campaign_verified(changed: Path) -> None:
    """The rulings are like those of `accept`."""
    write_beside(changed, A="the bank's mistake", M1="the map says so", **{"B-1": "back"})

    assert desk.decide(changed).exit == Exit.DONE

    assert desk.resolve(changed).exit in (Exit.DONE, Exit.WAITING)
    assert desk.verify(changed).exit == Exit.DONE
    assert [ruling.why for ruling in rulings_of(campaign_of(changed))] == ["the bank's mistake", "the map says so"]


def test_a_reason_holds_for_the_change_that_the_row_shows(changed: Path) -> None:
    """Whoever changes the cell again after the reason was written is asked again."""
    write_beside(changed, A="the bank's mistake")
    by_hand(changed, ("Factions", "A", "Gold", 5000))

    result = desk.decide(changed)

    assert undecided(result) == ["A", "M1", "B-1"]
    assert listed(changed)[0] == ["Factions", "A", "Gold", listed(changed)[0][3], "5000", ""]


def test_what_cannot_be_kept_is_not_kept_in_part(changed: Path) -> None:
    """A change with which no phase could be resolved: nothing is decided, the reasons stay."""
    by_hand(changed, ("Armies", "B-1", "Faction", "A"))
    desk.decide(changed)
    write_beside(changed, **{"B-1": "it deserted"})

    result = desk.decide(changed)

    assert (result.exit, "ARB-234" in [f.code for f in result.findings]) == (Exit.REFUSED, True)
    assert "it deserted" in [row[5] for row in listed(changed)]


def test_what_is_written_beside_a_change_survives_other_commands(changed: Path) -> None:
    """An order that comes in rewrites the list and keeps the reasons."""
    write_beside(changed, A="the bank's mistake")

    desk.take_orders(changed, [desk.Input("A: A1", text="A: A1")])

    assert listed(changed)[0][5] == "the bank's mistake"
    assert undecided(desk.decide(changed)) == ["M1", "B-1"]


def test_nothing_to_decide_is_said(played: Path) -> None:
    """Nothing was changed by hand."""
    result = desk.decide(played)

    assert (result.exit, [f.code for f in result.findings]) == (Exit.DONE, ["ARB-119"])


def test_two_hundred_changes_are_listed_and_the_last_row_decides_on_those_that_find_no_room(
        played: Path, monkeypatch: Any) -> None:
    """A whole set-up by hand; here with a list of two rows."""
    monkeypatch.setattr("assistant.desk.workspace.check_against_ledger.CHANGES_ROOM", 2)
    opened = hand.opened(played)
    opened.save(played)
    names = OoxmlBook(played.read_bytes())
    part = names.package.text(names.part).replace(b"$F$204", b"$F$6")
    names.package.put(names.part, part)
    played.write_bytes(names.package.pack())
    by_hand(played, *CHANGED)
    desk.decide(played)
    assert [row[0] for row in listed(played)] == ["Factions", "and 2 more: this row decides on all of them"]

    opened = hand.opened(played)
    opened["Changes"]["F6"].value = "as the clubs agreed"
    opened.save(played)

    assert undecided(desk.decide(played)) == ["A"]
