"""Who changed that? Every change by hand is named, whatever else happened to the file, and nothing else is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Event
from assistant.desk import Exit
from assistant.desk.workspace.check_against_ledger import clock_as_written
from assistant.desk.workspace.detect_edits import apply_edit, rulings_of
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import Ledger, file, path_of_ledger
from assistant.testing.cases import campaign_of
from tests import hand
from tests.desk.conftest import without_marks
from tests.desk.ledgers import Crash
from tests.desk.test_resolving import everything
from tests.fresh import new_campaign
from tests.hand import by_hand, cell_of
from tests.libreoffice import convert
from tests.playing import codes_of, take_lines
from tests.workbook.feast import OWN_LINK

pytestmark = pytest.mark.slow


def edited(book: Path, change: Callable[[Any], None]) -> None:
    """Do something to an opened workbook and save it."""
    opened = openpyxl.load_workbook(book)
    change(opened)
    opened.save(book)


def phase_by_hand(book: Path, phase: str) -> None:
    """Type another phase onto the Desk."""
    desk_by_hand(book, ("Phase", phase))


def desk_by_hand(book: Path, *settings: tuple[str, object]) -> None:
    """Type settings onto the Desk."""
    opened = hand.opened(book)
    labels = {str(cell.value): cell for row in opened["Desk"].iter_rows() for cell in row if cell.value}
    for label, value in settings:
        labels[label].offset(column=1).value = value
    opened.save(book)


def named(book: Path) -> list[tuple[str, str, str, str, str]]:
    """What the assistant says was changed by hand: change, sheet, row.field, old, new."""
    shown = desk.check(book).data["by_hand"]
    return [(e["change"], e["sheet"], f"{e['row']}.{e['field']}".rstrip("."), e["old"], e["new"]) for e in shown]


def gold(book: Path, village: str = "A") -> int:
    """What stands in a chest."""
    return int(campaign_of(book).by_sheet("Factions")[village].gold)


# --- what is the referee's at any time ---------------------------------------------------------
def test_deadline_addresses_languages_deputies_and_holidays_stop_no_phase(played: Path) -> None:
    """They are the referee's to type at any time: nobody is asked, nothing is named, the phase is resolved."""
    desk_by_hand(played, ("Due on", "friday"), ("Due at", 21), ("Time zone", "Europe/Rome"), ("Grace (hours)", 12),
                 ("Language", "it"))
    by_hand(played, ("Factions", "A", "Mail", "a@club.example"), ("Factions", "A", "Language", "it"),
            ("Factions", "A", "Deputy", "Dan <dan@club.example>"),
            ("Factions", "A", "Holidays", "2026-12-24..2027-01-06"))

    assert named(played) == []
    assert desk.resolve(played).exit in (Exit.DONE, Exit.WAITING)


# --- what is named -----------------------------------------------------------------------------
def test_a_chest_that_was_filled_by_hand_is_named(played: Path) -> None:
    """Address, old and new value, with what to type; check is refused."""
    old = gold(played)
    by_hand(played, ("Factions", "A", "Gold", 1000))

    result = desk.check(played)

    assert result.exit == Exit.REFUSED
    finding = next(f for f in result.findings if f.code == "ARB-110")
    assert (finding.cell, finding.data["old"], finding.data["new"]) == ("Factions!I5", str(old), "1000")
    assert f"arbitro accept {played} Factions.I5 --why" in result.finding_text(finding)
    assert result.as_json()["by_hand"] == [
        {"cell": "Factions!I5", "change": "set", "sheet": "Factions", "row": "A", "field": "gold", "old": str(old),
         "new": "1000", "was": "", "readable": True}]


def test_status_names_it_too(played: Path) -> None:
    """In words, with its cell, and as data."""
    by_hand(played, ("Factions", "A", "Gold", 1000))

    result = desk.status(played)

    assert any(line.startswith("  Factions!I5  ARB-110") for line in result.lines)
    assert [one["cell"] for one in result.data["by_hand"]] == ["Factions!I5"]


def test_resolving_waits_until_it_is_decided(played: Path) -> None:
    """Exit code 1, nothing is changed, and the finding says the two ways out."""
    by_hand(played, ("Factions", "A", "Gold", 1000))
    before = everything(played)

    result = desk.resolve(played)

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-110"]
    assert f"arbitro revert {played} Factions.I5" in result.finding_text(result.findings[0])
    assert everything(played) == before


def test_the_clock_turned_by_hand_is_named(played: Path) -> None:
    """Another phase that the rulebook knows is a change by hand like any other."""
    phase_by_hand(played, "fight")

    assert named(played) == [("set", "Desk", "tiny.phase", "clash", "fight")]


def test_rules_that_were_typed_are_named(played: Path) -> None:
    """A number of the rulebook that a hand has set: nothing stood there, now 5."""
    by_hand(played, ("Rules", "spoils", "Value", 5))

    assert named(played) == [("set", "Rules", "spoils.value", "", "5")]


@pytest.mark.parametrize(("sheet", "key", "heading", "value", "named_as"), [
    ("Nodes", "M1", "Name", "Centre", ("set", "Nodes", "M1.name", "Middle", "Centre")),
    ("Armies", "A-1", "At", "B1", ("set", "Armies", "A-1.node", "M1", "B1")),
    ("Events", "2", "Rule", "99", ("set", "Events", "2.rule", "1", "99")),
    ("Orders", "1-march-A-1", "In words", "A1", ("set", "Orders", "1-march-A-1.text", "M1", "A1")),
    ("Battles", "B1.M1", "Winner", "B", ("set", "Battles", "B1.M1.winner", "A", "B")),
    ("Questions", "1.clash.stance.A.M1", "Answer", "flee",
     ("set", "Questions", "1.clash.stance.A.M1.answer", "stand", "flee")),
])
def test_state_and_history_are_watched(played: Path, sheet: str, key: str, heading: str, value: str,
                                       named_as: tuple[str, ...]) -> None:
    """Places, armies, events; and of phases that are over also orders, forms and answers."""
    by_hand(played, (sheet, key, heading, value))

    assert named(played) == [named_as]


def test_a_die_of_the_assistant_is_watched(played: Path) -> None:
    """What was thrown cannot be thrown better."""
    by_hand(played, ("Dice", "spoils:B1.M1", "Value", 6 if dice(played) != "6" else 5))

    assert [edit[:3] for edit in named(played)] == [("set", "Dice", "spoils:B1.M1.value")]


def dice(book: Path) -> str:
    """What the one die of the played turn shows."""
    return str(campaign_of(book).by_sheet("Dice")["spoils:B1.M1"].value)


def test_a_row_that_was_deleted_is_named(played: Path) -> None:
    """An event that somebody would like to be forgotten; its key is what to type."""
    edited(played, lambda opened: opened["Events"].delete_rows(cell_of(opened["Events"], "2", "Rule").row))

    assert named(played) == [("gone", "Events", "2", "", "")]
    assert [f.code for f in desk.check(played).findings] == ["ARB-112"]
    assert desk.check(played).data["by_hand"][0]["cell"] == "Events!2"


def test_a_row_that_was_added_is_named(played: Path) -> None:
    """A place that nobody has drawn."""
    def add(opened: Any) -> None:
        ws = opened["Nodes"]
        row = cell_of(ws, "B1", "Name").row + 1
        for column, value in enumerate(("X9", "Nowhere", 9, 9), 1):
            ws.cell(row, column).value = value

    edited(played, add)

    assert named(played) == [("added", "Nodes", "X9", "", "")]
    assert [f.code for f in desk.check(played).findings] == ["ARB-111"]


@pytest.mark.slow
def test_a_key_that_was_changed_is_one_thing(played: Path) -> None:
    """A place that is called otherwise: not one row less and one more."""
    by_hand(played, ("Nodes", "M1", "Name", "Centre"))
    assert desk.accept(played, [], everything=True, why="its old name").exit == Exit.DONE

    def rename(opened: Any) -> None:
        for name in ("Nodes", "Roads", "Armies", "Battles"):
            for cell in [c for row in opened[name].iter_rows() for c in row if c.value == "M1"]:
                cell.value = "M9"

    edited(played, rename)

    assert ("renamed", "Nodes", "M9.node", "M1", "M9") in named(played)
    assert "ARB-113" in [f.code for f in desk.check(played).findings]
    assert not [edit for edit in named(played) if edit[0] in ("added", "gone") and edit[1] == "Nodes"]


def test_a_cell_that_cannot_be_read_is_named_with_what_stood_there(played: Path) -> None:
    """The reader cannot take it; the assistant knows what it was, and can put it back."""
    old = gold(played)
    by_hand(played, ("Factions", "A", "Gold", "lots"))

    assert named(played) == [("set", "Factions", "A.gold", str(old), "lots")]
    refused = desk.accept(played, ["Factions!I5"], why="yes")
    assert (refused.exit, [f.code for f in refused.findings]) == (Exit.REFUSED, ["ARB-117"])
    assert desk.revert(played, ["Factions!I5"]).exit == Exit.DONE
    assert (gold(played), named(played)) == (old, [])


def test_a_cell_that_cannot_be_read_where_the_default_stood_is_put_back_too(played: Path) -> None:
    """B has nothing; what is typed there reads as nothing, and still goes."""
    by_hand(played, ("Factions", "B", "Gold", "lots"))

    assert named(played) == [("set", "Factions", "B.gold", "0", "lots")]
    assert desk.revert(played, [], everything=True).exit == Exit.DONE
    assert [f for f in desk.check(played).findings if f.stops] == []


def test_a_code_changed_in_one_cell_accuses_no_other(played: Path) -> None:
    """Rows that name the code as before were not changed: they stand nowhere now, which is another finding."""
    by_hand(played, ("Nodes", "M1", "Node", "M9"))

    told = named(played)
    assert told
    assert [one for one in told if one[1] != "Nodes" or one[3] == one[4]] == []


# --- what is not -------------------------------------------------------------------------------
@pytest.mark.slow
def test_what_people_are_meant_to_type_is_theirs(book: Path) -> None:
    """Orders, dice of the table, results, answers: typed by hand, and the phases take them."""
    def order(opened: Any) -> None:
        ws = opened["Orders"]
        heads = {str(cell.value).strip(): cell.column for cell in ws[4]}
        for row, faction in ((5, "A"), (6, "B")):
            ws.cell(row, heads["Faction"]).value = faction
            ws.cell(row, heads["In words"]).value = "M1"
        die, top = opened["Dice"], {str(cell.value).strip(): cell.column
                                       for cell in opened["Dice"][4]}
        for heading, value in (("Purpose", "spoils:B1.M1"), ("Dice", "1d6"), ("Value", 6)):
            die.cell(5, top[heading]).value = value

    edited(book, order)
    assert named(book) == []
    assert desk.resolve(book, until="clash").exit == Exit.WAITING
    by_hand(book, ("Questions", "1.clash.stance.A.M1", "Answer", "stand"),
            ("Questions", "1.clash.stance.B.M1", "Answer", "stand"))
    assert named(book) == []
    assert desk.resolve(book).exit == Exit.DONE
    by_hand(book, ("Battles", "B1.M1", "Winner", "A"))
    assert named(book) == []
    assert desk.resolve(book).exit == Exit.DONE

    assert (gold(book), named(book)) == (6, [])


@pytest.mark.slow
def test_orders_that_are_not_judged_may_be_changed_and_taken_back(book: Path) -> None:
    """A club changes its mind; only what a phase has used up is history."""
    take_lines(book, "A: M1", "B: M1")
    by_hand(book, ("Orders", "1-march-A-1", "In words", "A1"))
    edited(book, lambda opened: opened["Orders"].delete_rows(6))

    assert named(book) == []


def test_a_verdict_that_a_club_gives_itself_is_named(book: Path) -> None:
    """The order is the club's, its status is not: it is named and counts for nothing, and the order is judged."""
    take_lines(book, "A: M1")
    by_hand(book, ("Orders", "1-march-A-1", "Status", "refused"))

    assert named(book) == []
    assert [(f.code, f.cell) for f in desk.check(book).findings] == [("ARB-048", "Orders!I5")]
    assert desk.resolve(book).exit == Exit.DONE
    assert campaign_of(book).by_sheet("Orders")["1-march-A-1"].status == "accepted"
    assert desk.verify(book).exit == Exit.DONE


@pytest.mark.slow
def test_sorted_rows_and_moved_columns_change_nothing(played: Path) -> None:
    """Values are compared by key and heading, never by place; nor does the name of a sheet matter."""
    def shuffle(opened: Any) -> None:
        ws = opened["Events"]
        rows = [[ws.cell(r, c).value for c in range(1, ws.max_column + 1)] for r in range(5, ws.max_row + 1)]
        for r, row in enumerate(reversed(rows), 5):
            for c, value in enumerate(row, 1):
                ws.cell(r, c).value = value
        ws = opened["Nodes"]
        for r in range(4, ws.max_row + 1):
            one, two = ws.cell(r, 2), ws.cell(r, 4)
            one.value, two.value = two.value, one.value
        table = ws.tables["tbl_Nodes"]
        names = [cell.value for cell in ws[4]]
        for column, name in zip(table.tableColumns, names, strict=False):
            column.name = name
        opened["Factions"].title = "Our clubs"

    edited(played, shuffle)

    assert named(played) == []
    by_hand(played, ("Our clubs", "A", "Gold", 1000))
    assert [edit[1:3] for edit in named(played)] == [("Factions", "A.gold")]
    assert desk.check(played).data["by_hand"][0]["cell"] == "Factions!I5"
    assert desk.revert(played, ["'Our clubs'!I5"]).exit == Exit.DONE


def test_a_heading_that_is_gone_does_not_accuse_a_whole_column(played: Path) -> None:
    """The file's own finding says it, once."""
    edited(played, lambda opened: setattr(cell_of(opened["Nodes"], "M1", "x").parent["C4"], "value", None))

    assert named(played) == []
    assert "ARB-012" in [f.code for f in desk.check(played).findings]


@pytest.mark.slow
def test_an_untouched_file_saved_by_libreoffice_raises_nothing(played: Path) -> None:
    """Opened and saved again by another program: not a cell is named; then one is changed, and only that is."""
    shutil.copy(convert("xlsx", played.parent / "out", played) / "war.xlsx", played)

    assert named(played) == []
    by_hand(played, ("Factions", "B", "Gold", 7))
    assert named(played) == [("set", "Factions", "B.gold", "0", "7")]
    assert desk.revert(played, [], everything=True).exit == Exit.DONE
    assert desk.resolve(played, defaults=True).exit == Exit.DONE


# --- accepting ---------------------------------------------------------------------------------
def test_an_accepted_change_is_a_ruling_with_its_reason(played: Path) -> None:
    """An event that cites cell, old and new value and the reason, for whom it concerns; then the phases go on."""
    old = gold(played)
    by_hand(played, ("Factions", "A", "Gold", 1000))

    result = desk.accept(played, ["Factions!I5"], why="found under  the\nfloor")

    assert result.exit == Exit.DONE, result.finding_lines()
    event = campaign_of(played).table(Event)[str(len(campaign_of(played).table(Event)))]
    assert (event.event, event.audience, event.touched) == ("ruling.accepted", "A", "Factions/A")
    assert {name: event.data[name] for name in ("cell", "old", "new", "why")} == {
        "cell": "Factions!I5", "old": str(old), "new": "1000", "why": "found under the floor"}
    assert result.lines[0] == (
        f"The referee has ruled: Factions, Ashford, Gold: 1000 instead of {old}. Reason: found under the floor")
    assert named(played) == []
    assert desk.resolve(played, defaults=True).exit == Exit.DONE
    assert gold(played) == 1000


@pytest.mark.parametrize("name", [
    "Factions!I5", "factions.i5", "'Factions!$I$5'", "Factions!A.gold", "Fazioni!A.Gold", "Factions!A"])
def test_a_cell_goes_by_several_names(played: Path, name: str) -> None:
    """Its address, with or without quotes or as LibreOffice writes it, or its key and column."""
    by_hand(played, ("Factions", "A", "Gold", 1000))

    assert desk.accept(played, [name], why="x").exit == Exit.DONE


def test_a_cell_that_was_not_changed_is_not_decided_on(played: Path) -> None:
    """The ones that were are named; nothing is written."""
    by_hand(played, ("Factions", "A", "Gold", 1000))
    before = everything(played)

    result = desk.revert(played, ["Factions!B5"])

    assert (result.exit, [f.code for f in result.findings]) == (Exit.USAGE, ["ARB-115"])
    assert "Factions!I5" in result.finding_text(result.findings[0])
    assert everything(played) == before


@pytest.mark.parametrize(("call", "code", "exit_code"), [
    (lambda book: desk.accept(book, ["Factions!I5"], why=" \n "), "ARB-116", Exit.USAGE),
    (lambda book: desk.accept(book, [], why="x"), "ARB-118", Exit.USAGE),
    (lambda book: desk.accept(book, [], everything=True, why="x"), "ARB-119", Exit.DONE),
    (lambda book: desk.revert(book, ["Factions!I5"]), "ARB-119", Exit.REFUSED)])
def test_what_cannot_be_decided_is_said(played: Path, call: Callable[[Path], desk.Result], code: str,
                                        exit_code: Exit) -> None:
    """A reason of blanks, no cell, nothing that was changed."""
    result = call(played)

    assert (result.exit, [f.code for f in result.findings]) == (exit_code, [code])


def test_each_ruling_is_told_to_those_whom_it_concerns(played: Path) -> None:
    """A public fact to all, a chest to its owner, what only the referee sees to the referee."""
    by_hand(played, ("Nodes", "M1", "Name", "Centre"), ("Factions", "A", "Gold", 1000),
            ("Events", "1", "Touches", "Armies/B-1"))

    result = desk.accept(played, [], everything=True, why="agreed")

    assert {(e["sheet"], e["field"]): e["audience"] for e in result.data["accepted"]} == {
        ("Nodes", "name"): "all", ("Factions", "gold"): "A", ("Events", "touched"): "referee"}


@pytest.mark.slow
def test_a_report_after_a_ruling_tells_of_the_round_before_it_too(played: Path, tmp_path: Path) -> None:
    """The ruling bears a phase that takes orders and has not been; the report begins with the last that was."""
    desk.resolve(played, until="clash", defaults=True)
    take_lines(played, "battle B2.M1 A 1")
    desk.resolve(played, until="fight")
    by_hand(played, ("Nodes", "M1", "Name", "Centre"))
    desk.accept(played, ["Nodes!M1.name"], why="its old name")

    desk.report(played, tmp_path / "out", lang="en")

    assert campaign_of(played).desk.phase == "march"
    shown = json.loads((tmp_path / "out" / "A.json").read_text())
    assert "its old name" in (tmp_path / "out" / "A.txt").read_text()
    assert shown["covers"] == "This report tells of 1, March to 2, Fight."


@pytest.mark.parametrize(("decide", "now"), [
    (lambda book: desk.accept(book, [], everything=True, why="x"), 1000),
    (lambda book: desk.revert(book, [], everything=True), 0)])
def test_a_report_compares_with_what_was_lawful(played: Path, tmp_path: Path, decide: Callable[[Path], desk.Result],
                                                now: int) -> None:
    """The chest at the last report is the one before the hand was in it, kept or put back."""
    by_hand(played, ("Factions", "B", "Gold", 1000))
    assert decide(played).exit == Exit.DONE
    desk.resolve(played, until="clash", defaults=True)

    assert desk.report(played, tmp_path / "out", since="2.clash", lang="en").exit == Exit.DONE

    glance = json.loads((tmp_path / "out" / "B.json").read_text())["glance"]
    assert [(one["value"], one["change"]) for one in glance] == [(now, now)]


def test_a_ruling_does_not_count_as_the_phase_before_which_it_was_made(played: Path) -> None:
    """It bears the coming phase, and that can still be asked for by name."""
    by_hand(played, ("Factions", "A", "Gold", 1000))
    desk.accept(played, ["Factions!I5"], why="x")

    assert desk.resolve(played, until="clash").exit in (Exit.DONE, Exit.WAITING)


@pytest.mark.slow
def test_one_of_two_changes_may_be_kept(played: Path) -> None:
    """The other is still to be decided on, also after other commands have written."""
    by_hand(played, ("Factions", "A", "Gold", 1000), ("Factions", "B", "Gold", 8))

    result = desk.accept(played, ["Factions!A.gold"], why="x")
    assert [one["row"] for one in result.data["undecided"]] == ["B"]
    take_lines(played, "A: A1")
    desk.check(played, mark=True)

    assert named(played) == [("set", "Factions", "B.gold", "0", "8")]
    assert desk.resolve(played).exit == Exit.REFUSED
    assert desk.revert(played, [], everything=True).exit == Exit.DONE
    assert (gold(played, "A"), gold(played, "B")) == (1000, 0)


def test_the_clock_may_be_turned_by_a_ruling(played: Path) -> None:
    """The ruling bears the phase that the Desk showed before."""
    phase_by_hand(played, "fight")

    assert desk.accept(played, ["Desk!phase"], why="we skip it").exit == Exit.USAGE
    assert desk.accept(played, ["Desk!tiny.phase"], why="we skip it").exit == Exit.DONE

    ruling = rulings_of(campaign_of(played))[0]
    assert (ruling.turn, ruling.phase, ruling.edit.new) == ("2", "clash", "fight")


@pytest.mark.parametrize("words", ["=HYPERLINK(\"http://x\")", "<script>alert(1)</script>", "{{ 7*7 }} {old}"])
def test_a_hostile_reason_stays_words(played: Path, tmp_path: Path, words: str) -> None:
    """No formula in the workbook, no tag in the report, no brace filled in."""
    by_hand(played, ("Factions", "A", "Gold", 1000))
    assert desk.accept(played, ["Factions!I5"], why=words).exit == Exit.DONE

    desk.report(played, tmp_path / "out", lang="en")
    page = (tmp_path / "out" / "A.html").read_text()
    assert "<script>" not in page
    assert rulings_of(campaign_of(played))[0].why == words
    cells = [c for ws in openpyxl.load_workbook(played).worksheets for row in ws.iter_rows() for c in row]
    assert not [c for c in cells if c.data_type == "f" and "HYPERLINK" in str(c.value)
                and not str(c.value).startswith(OWN_LINK)]
    assert words in (tmp_path / "out" / "A.txt").read_text()


# --- putting back ------------------------------------------------------------------------------
@pytest.mark.slow
def test_reverting_brings_values_rows_and_keys_back(played: Path) -> None:
    """A value, a row that was added, one that was deleted, a key: the campaign is what it was."""
    before = {sheet: sorted(str(row.as_text()) for row in table)
              for sheet, table in without_marks(played).tables().items()}

    def change(opened: Any) -> None:
        cell_of(opened["Factions"], "A", "Gold").value = 1000
        cell_of(opened["Armies"], "B-1", "Army").value = "B-9"
        cell_of(opened["Rules"], "spoils", "Value").value = 4
        nodes = opened["Nodes"]
        nodes.append(["X9", "Nowhere", 9, 9])
        opened["Events"].delete_rows(cell_of(opened["Events"], "2", "Rule").row)

    edited(played, change)
    assert {edit[0] for edit in named(played)} == {"set", "renamed", "added", "gone"}

    result = desk.revert(played, [], everything=True)

    assert (result.exit, named(played)) == (Exit.DONE, [])
    assert {sheet: sorted(str(row.as_text()) for row in table)
            for sheet, table in without_marks(played).tables().items()} == before


@pytest.mark.slow
def test_a_key_is_put_back_in_its_row(played: Path) -> None:
    """What a club wrote beside it stays beside it."""
    def change(opened: Any) -> None:
        ws = opened["Armies"]
        cell_of(ws, "A-1", "Army").value = "A-9"
        ws.cell(cell_of(ws, "A-9", "Army").row, 15).value = "our best"

    edited(played, change)

    assert desk.revert(played, ["Armies!A-9"]).exit == Exit.DONE
    ws = openpyxl.load_workbook(played)["Armies"]
    assert ws.cell(cell_of(ws, "A-1", "Army").row, 15).value == "our best"


# --- back and forth ----------------------------------------------------------------------------
@pytest.mark.slow
def test_undo_takes_an_acceptance_back(played: Path) -> None:
    """One step: the change is there, to be decided on again, and the ruling is gone; redo brings it back."""
    by_hand(played, ("Factions", "A", "Gold", 1000))
    undecided = named(played)
    desk.accept(played, ["Factions!I5"], why="x")

    assert desk.undo(played).exit == Exit.DONE
    assert (named(played), rulings_of(campaign_of(played))) == (undecided, [])

    assert desk.redo(played).exit == Exit.DONE
    assert (named(played), len(rulings_of(campaign_of(played)))) == ([], 1)


def test_undo_takes_a_reversion_back(played: Path) -> None:
    """The value typed by hand is there again, and is named."""
    by_hand(played, ("Factions", "A", "Gold", 1000))
    undecided = named(played)
    desk.revert(played, ["Factions!I5"])

    assert desk.undo(played).exit == Exit.DONE
    assert (gold(played), named(played)) == (1000, undecided)


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
def test_undone_phases_are_no_changes_by_hand(played: Path, hard: bool) -> None:
    """Back to the start or between two phases of one command, and forth again: nothing is named."""
    desk.undo(played, to="1.clash", hard=hard)
    assert named(played) == []
    desk.undo(played, to="1.march", hard=hard)
    assert named(played) == []
    desk.redo(played)
    assert named(played) == []
    assert desk.resolve(played, defaults=True).exit == Exit.DONE


def test_a_rule_typed_before_an_undo_is_still_named_after_it(played: Path) -> None:
    """Rules are carried over an undo; that does not make them a ruling."""
    by_hand(played, ("Rules", "spoils", "Value", 5))

    desk.undo(played)

    assert named(played) == [("set", "Rules", "spoils.value", "", "5")]


def test_a_workbook_that_was_restored_in_ruins_is_watched(played: Path) -> None:
    """Undo --hard of a file that is no workbook any more brings the fingerprints of that moment along."""
    played.write_bytes(b"no workbook")

    assert desk.undo(played, hard=True).exit == Exit.DONE
    assert named(played) == []


def test_a_crash_before_the_end_of_a_change_accuses_nobody(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workbook is written, its ledger lies ready beside the old one: what it is about to know is what counts."""
    def crash(*_: object) -> None:
        raise Crash

    before = path_of_ledger(played).read_bytes()
    monkeypatch.setattr(file, "rename_over", crash)
    with pytest.raises(Crash):
        desk.resolve(played, defaults=True)
    monkeypatch.undo()
    assert path_of_ledger(played).read_bytes() == before

    assert named(played) == []
    assert path_of_ledger(played).read_bytes() != before


# --- the ledger's age --------------------------------------------------------------------------
def test_no_dice_are_promised_for_a_turn_that_was_typed(played: Path) -> None:
    """Who writes a later turn onto the Desk gets neither its promises nor, later, its secrets."""
    def change(opened: Any) -> None:
        label = next(cell for row in opened["Desk"].iter_rows() for cell in row if cell.value == "Turn")
        label.offset(column=1).value = 3

    edited(played, change)
    assert take_lines(played, "A: A1").exit in (Exit.DONE, Exit.REFUSED)

    workspace = open_workspace(played)
    with workspace.ledger() as ledger:
        assert "3" not in ledger.commitments()
        assert (workspace.campaign.desk.turn, clock_as_written(workspace, workspace.look(ledger)).desk.turn) == ("3",
                                                                                                                 "2")


@pytest.mark.parametrize(("setting", "value"), [("Turn", 3), ("Phase", "over")])
def test_no_secrets_are_told_for_a_clock_that_was_turned_by_hand(played: Path, tmp_path: Path, setting: str,
                                                                value: object) -> None:
    """Neither a later turn nor the end of the campaign, typed onto the Desk, opens the dice of the present turn."""
    def change(opened: Any) -> None:
        label = next(cell for row in opened["Desk"].iter_rows() for cell in row if cell.value == setting)
        label.offset(column=1).value = value

    with Ledger.open(path_of_ledger(played), "") as ledger:
        secrets = ledger.secrets("2").values()
    edited(played, change)

    assert desk.report(played, tmp_path / "out", lang="en").exit == Exit.DONE

    pages = "".join(page.read_text(encoding="utf-8") for page in (tmp_path / "out").iterdir())
    assert secrets
    assert not [secret for secret in secrets if secret in pages]


# --- replaying ---------------------------------------------------------------------------------
def test_rulings_can_be_made_again(played: Path) -> None:
    """From the events alone, which say before which phase: values, rows and keys."""
    start = without_marks(played)

    def change(opened: Any) -> None:
        cell_of(opened["Factions"], "A", "Gold").value = 1000
        cell_of(opened["Rules"], "spoils", "Value").value = 4
        nodes = opened["Nodes"]
        nodes.append(["X9", "Nowhere", 9, 9])
        opened["Events"].delete_rows(cell_of(opened["Events"], "2", "Rule").row)

    edited(played, change)
    assert desk.accept(played, [], everything=True, why="so be it").exit == Exit.DONE
    then = without_marks(played)

    for ruling in rulings_of(then):
        assert (ruling.turn, ruling.phase) == (start.desk.turn, start.desk.phase)
        apply_edit(start, ruling.edit)

    told = {ruling.event.ident for ruling in rulings_of(then)}
    assert {sheet: sorted(str(row.as_text()) for row in table) for sheet, table in start.tables().items()} == {
        sheet: sorted(str(row.as_text()) for row in table if sheet != "Events" or row.ident not in told)
        for sheet, table in then.tables().items()}


@pytest.mark.slow
def test_what_is_put_right_in_a_new_campaign_is_no_change_by_hand(folder: Path, tmp_path: Path) -> None:
    """Nothing is known of its cells before the first phase; from then on all is, also where that is undone."""
    (folder / "armies.csv").write_text("army,faction,node\nA-1,A,A1\nB-1,A,B1\n")
    book = tmp_path / "new.xlsx"
    assert codes_of(desk.new_campaign(desk.NewPlan("tiny", folder=folder, secret="5e" * 32), book)) == ["TIN-003"] * 2
    assert codes_of(desk.accept(book, [], everything=True, why="set-up")) == ["ARB-114"]
    opened = hand.opened(book)
    cell_of(opened["Armies"], "B-1", "Faction").value = "B"
    opened.save(book)
    put_right = book.read_bytes()

    assert (desk.check(book).findings, desk.resolve(book, defaults=True).exit) == ([], Exit.DONE)
    assert desk.undo(book, hard=True).exit == Exit.DONE
    assert (book.read_bytes(), desk.status(book).data["by_hand"]) == (put_right, [])


# --- keys that a hand has made double -------------------------------------------------------------
@pytest.mark.parametrize("everything_back", [True, False])
@pytest.mark.parametrize(("cell", "typed", "gone"), [("B5", "Sevek", "Krinar"), ("B7", "Krinar", "Sevek")])
def test_a_key_that_was_made_double_is_put_back(tmp_path: Path, cell: str, typed: str, gone: str, everything_back: bool
                                                ) -> None:
    """Above or below the row that has the key by right: it was one change, and one is said to be put back."""
    book = new_campaign(tmp_path / "war.xlsx", "incursio")
    opened = hand.opened(book)
    sheet = opened["SpyChances"]
    before = {(r, c): sheet.cell(r, c).value for r in range(4, 30) for c in range(1, 6)}
    assert sheet[cell].value == gone
    sheet[cell].value = typed
    opened.save(book)

    result = desk.revert(book, [] if everything_back else [f"SpyChances!varannah/{gone}"], everything=everything_back)

    assert result.lines[0].startswith("1 change by hand was put back.")
    assert [one["row"] for one in result.data["reverted"]] == [f"varannah/{gone}"]
    sheet = hand.opened(book)["SpyChances"]
    assert {(r, c): sheet.cell(r, c).value for r in range(4, 30) for c in range(1, 6)} == before
    assert desk.check(book).findings == []


def test_a_double_row_that_was_added_by_hand_is_named(tmp_path: Path) -> None:
    """Nobody can say which of the two is to go: what else was changed is put back, and the row is named."""
    book = new_campaign(tmp_path / "war.xlsx", "incursio")
    opened = hand.opened(book)
    sheet = opened["SpyChances"]
    free = next(row for row in range(5, 99) if sheet.cell(row, 1).value is None)
    for column in range(1, 4):
        sheet.cell(free, column).value = sheet.cell(5, column).value
    sheet["C6"].value = 7
    opened.save(book)

    result = desk.revert(book, [], everything=True)

    assert result.lines[0].startswith("1 change by hand was put back.")
    assert [(f.code, f.cell) for f in result.findings] == [("ARB-031", f"SpyChances!A{free}")]


# --- what is of the map alone ---------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("heading", "typed"), [("x", "twelve"), ("y", "1.5"), ("Name on the map", "up")])
def test_a_slip_on_the_map_stops_nothing_and_can_be_put_back(tmp_path: Path, heading: str, typed: str) -> None:
    """Where a place is drawn is no part of the game: the phase is resolved, and the value of before is known still."""
    book = new_campaign(tmp_path / "war.xlsx", "giglio")
    opened = hand.opened(book)
    cell = cell_of(opened["Nodes"], "V0", heading)
    before, cell.value = cell.value, typed
    opened.save(book)
    told = f"Nodes!{cell.coordinate}"

    assert [(f.cell, f.severity) for f in desk.check(book).findings if f.cell] == [(told, "warning")]
    assert desk.check(book).exit == Exit.DONE
    assert desk.resolve(book).exit == Exit.DONE
    assert cell_of(hand.opened(book)["Nodes"], "V0", heading).value == typed
    assert desk.revert(book, [told]).exit == Exit.DONE
    assert cell_of(hand.opened(book)["Nodes"], "V0", heading).value == before
    assert desk.check(book).findings == []
