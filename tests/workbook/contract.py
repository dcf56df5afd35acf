"""What every adapter of the port keeps to, wherever the workbook is: one suite, run over each of them.

A `Bench` is one way to have a workbook in hands: as a file, open in xlwings, open in LibreOffice, open in Excel. A
test module makes a class of `Contract` whose fixture `bench` opens a prepared file on its own bench.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, InboxRow, Question, Road, Rule
from assistant.turn.findings import Finding, Where
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.cells import area_of
from assistant.workbook.port import Book, DeskLines, ListedChange, WorkbookReading
from assistant.workbook.read.find_tables import TableMapping, mapping_names
from assistant.workbook.read.grid import match_headings
from assistant.workbook.screening import BookUnsafe
from tests.workbook.feast import LINES, Army, Battle, Dish, Node, Order, loader, plain, wording, workbook

Prepare = Callable[[Any], None]
TEXTS = ("=1+1", "-3", "+cmd|x", "@home", "007", "1-3", "3/4", "TRUE", "vero", "12 mar", "Mar 5", "'quoted", "#N/A no",
         "V8", "1500.spring", "two\nlines", "5", "1e5", "é ü ß 漢", "x" * 300 + " 12")
SAID = DeskLines("Evening 2", (("Y", "orders"),), ("Go on.",), ("It went well.", "Very well."))


class Bench(Protocol):
    """A workbook in hands. `path`: its file."""

    path: Path

    def book(self) -> Book:
        """The adapter, as at a new command or press."""

    def type(self, title: str, ref: str, value: Any) -> None:
        """Type something into a cell, as a person does; where there is a screen it is not saved."""

    def fill(self, title: str, ref: str) -> str:
        """A cell's colour as ``RRGGBB``, "" for none."""

    def note(self, title: str, ref: str) -> str:
        """The note on a cell, "" for none."""

    def saved(self) -> Path:
        """The workbook as a file, with all that it shows."""


Opening = Callable[[Prepare | None], Bench]


def made(folder: Path, prepare: Prepare | None) -> Path:
    """The Feast's workbook with a club's own changes."""
    path = workbook(folder / "feast.xlsx")
    if prepare is not None:
        book = openpyxl.load_workbook(path)
        prepare(book)
        book.save(path)
    return path


def more(after: Campaign) -> None:
    """One army more."""
    after.table(Army).add(Army(army="R-2", faction="R", node="T2", guests=30))


def of_before(book: Any) -> None:
    """Leave out the sheets that workbooks got later; the club calls a sheet of its own like one of them."""
    for title in ("Inbox", "Changes"):
        del book[title]
    del book.defined_names["changes_list"]
    book.create_sheet("Inbox")["B2"] = "Ours: who brings the wine"


def came(after: Campaign) -> None:
    """A mail that waits."""
    after.table(InboxRow).add(InboxRow(1, "R", "=1+1 for all", "no order", "open", turn="1",
                                       when="Sat 19:00", sender="a@b.example"))


def more_came(after: Campaign) -> None:
    """Another mail, of two lines."""
    after.table(InboxRow).add(InboxRow(2, "Y", "two\nlines", "no order", "open", turn="1",
                                       when="Sat 20:00", sender="c@d.example"))


def club_keeps_armies(book: Any) -> None:
    """Let the armies stand in a club's own table, on a sheet and under headings of its own words."""
    from openpyxl.workbook.defined_name import DefinedName

    sheet = book["Armies"]
    sheet.title = "I nostri"
    area = area_of(sheet.tables.pop("tbl_Armies").ref)
    heads = match_headings(Army, {cell.column: cell.value for cell in sheet[area.top]}).fields
    for number, column in enumerate(sorted(heads.values()), 1):
        sheet.cell(area.top, column).value = f"Nostra {number}"
    columns = {name: (column, sheet.cell(area.top, column).value) for name, column in heads.items()}
    for name, text in mapping_names(Army, TableMapping("I nostri", area, columns)).items():
        book.defined_names[name] = DefinedName(name, attr_text=text)


def rows(campaign: Campaign) -> dict[str, list[dict[str, Any]]]:
    """A campaign as plain values without the keys, which count afresh for rows that are alike."""
    return {sheet: [values for _, values in table] for sheet, table in plain(campaign).items()}


def everything(after: Campaign, last: int = 29, army: str = "R-1") -> None:
    """Changes of every kind; `last`: the number of the last new event, `army`: of which all of them tell."""
    after.desk.phase = "toast"
    after.table(Army)["R-1"].guests = 90
    after.table(Army)["R-1"].seen = ("T10",)
    after.table(Army).add(Army(army="R-2", faction="R", node="T2", guests=30))
    after.table(Army).remove("Y-1")
    after.table(Question)["1.serve.salt.R.T1"].answer = "yes"
    after.table(Rule).add(Rule(key="toast", value="quiet"))
    after.table(Rule).remove("plates")
    after.table(Dish).remove("Soup/R")
    for no in range(2, last + 1):
        after.table(Event).add(Event(no=no, turn="1", phase="serve", audience="all", event="served", rule="1",
                                     data={"army": army, "n": no}))


def changed(
    bench: Bench, change: Callable[[Campaign], None], lines: DeskLines = LINES
) -> tuple[WorkbookReading, Campaign]:
    """Read, change, write: what was read, and what was meant."""
    book = bench.book()
    reading = book.read()
    after = reading.campaign.copy()
    change(after)
    book.write(reading.campaign, after, wording(), lines)
    return reading, after


def from_file(bench: Bench) -> WorkbookReading:
    """What the file adapter reads in the saved workbook."""
    return open_book(bench.saved(), loader).read()


class Contract:
    """The suite. A subclass has a fixture `opening` that gives an `Opening`."""

    @pytest.fixture
    def bench(self, opening: Opening) -> Bench:
        """The Feast's workbook on this bench."""
        return opening(None)

    def test_the_same_campaign_is_read_everywhere(self, bench: Bench) -> None:
        """What an adapter reads is what the file holds, with each record at its cell."""
        live, file = bench.book().read(), open_book(bench.path, loader).read()

        assert plain(live.campaign) == plain(file.campaign)
        assert live.findings == file.findings
        assert (live.cells.rows, live.cells.letters, live.cells.desk) == (
            file.cells.rows, file.cells.letters, file.cells.desk)

    def test_a_workbook_of_before_gets_the_later_sheets_with_its_next_change(self, opening: Opening) -> None:
        """The Inbox and the list of changes stand there, beside the club's own sheet of that name, and take more rows
        with the change after it; what the referee decides there is read.
        """
        bench = opening(of_before)
        lines = LINES._replace(changes=(ListedChange("Armies", "R-1", "Guests", "1", "2"),))
        assert InboxRow.sheet not in bench.book().read().cells.titles

        after = changed(bench, came, lines)[1]

        assert plain(from_file(bench).campaign) == plain(after)
        again = bench.book().read()
        assert again.cells.titles["Inbox"] == "Inbox 2"
        assert [(change.row, change.new) for change in again.decided] == [("R-1", "2")]
        bench.type("Inbox 2", again.cells.of(Where("Inbox", "1", "decide")).rpartition("!")[2], "does not")

        second = changed(bench, more_came)[1]

        read = from_file(bench)
        assert plain(read.campaign) == plain(second)
        assert [row.decide for row in read.campaign.table(InboxRow)] == ["does not", ""]
        assert [f.code for f in read.findings] == []

    def test_what_was_typed_a_moment_ago_counts(self, bench: Bench) -> None:
        """A value that somebody typed is read, saved or not, and a wrong one is a finding at its cell."""
        bench.type("Armies", "D5", 77)
        bench.type("Armies", "D6", "many")

        reading = bench.book().read()

        assert reading.campaign.table(Army)["R-1"].guests == 77
        assert [(f.code, f.cell) for f in reading.findings] == [("ARB-023", "Armies!D6")]

    def test_an_emptied_cell_is_told_from_one_that_says_the_default(self, bench: Bench) -> None:
        """Both read alike; the reading knows which of them holds nothing."""
        at = bench.book().read().cells.letters["Armies"]["guests"]
        bench.type("Armies", f"{at}5", None)
        bench.type("Armies", f"{at}6", 0)

        reading = bench.book().read()

        assert [reading.campaign.table(Army)[key].guests for key in ("R-1", "Y-1")] == [0, 0]
        assert [reading.blank(Where("Armies", key, "guests")) for key in ("R-1", "Y-1")] == [True, False]

    def test_changes_of_every_kind_are_read_again(self, bench: Bench) -> None:
        """Cells, new rows beyond the table's end and rows that go: the next reading says what was written."""
        _, after = changed(bench, everything)

        assert rows(bench.book().read().campaign) == rows(after)
        reading = from_file(bench)
        assert rows(reading.campaign) == rows(after)
        assert [f for f in reading.findings if f.stops] == []

    def test_a_second_change_knows_where_the_first_one_has_put_things(self, bench: Bench) -> None:
        """One book may be written several times."""
        book = bench.book()
        reading = book.read()
        first = reading.campaign.copy()
        first.table(Army).add(Army(army="R-2", faction="R", node="T2", guests=30))
        book.write(reading.campaign, first, wording(), LINES)
        second = first.copy()
        second.table(Army)["R-2"].guests = 31
        second.table(Army).remove("R-1")

        book.write(first, second, wording(), LINES)

        assert plain(from_file(bench).campaign) == plain(second)

    def test_a_table_reaches_its_new_rows(self, bench: Bench) -> None:
        """The Excel table grows with its rows, and its heading stays."""
        before = {t.name: t.ref for ws in openpyxl.load_workbook(bench.path).worksheets for t in ws.tables.values()}

        def grow(after: Campaign) -> None:
            for n in range(60):
                after.table(Road).add(Road(a="T1", b="T10", kind=f"k{n}"))

        _, after = changed(bench, grow)

        tables = {t.name: t.ref for ws in openpyxl.load_workbook(bench.saved()).worksheets for t in ws.tables.values()}
        assert {name for name, ref in tables.items() if ref != before[name]} == {"tbl_Roads"}
        assert tables["tbl_Roads"] == f"A4:D{4 + len(after.table(Road))}"

    def test_new_rows_look_like_those_above(self, bench: Bench) -> None:
        """Also where the table was blank until now, and as many as are needed."""
        def grow(after: Campaign) -> None:
            for n in range(2, 6):
                after.table(Army).add(Army(army=f"R-{n}", faction="R", node="T2", guests=30))
                after.table(Battle).add(Battle(battle=f"B{n}", turn="1", node="T2"))

        changed(bench, grow)

        for sheet, first, rows_now in (("Armies", 5, 6), ("Battles", 5, 5)):
            looks = {bench.fill(sheet, f"A{row}") for row in range(first, first + rows_now)}
            assert len(looks) == 1, (sheet, looks)
            assert looks != {""}

    def test_a_text_stays_a_text(self, bench: Bench) -> None:
        """Whatever a text looks like, it is read as the same text and calculates nothing."""
        def speak(after: Campaign) -> None:
            for n, text in enumerate(TEXTS):
                after.table(Node).add(Node(node=f"N{n}", name=text))

        changed(bench, speak)

        live, file = bench.book().read().campaign, from_file(bench).campaign
        assert [live.table(Node)[f"N{n}"].name for n in range(len(TEXTS))] == list(TEXTS)
        assert [file.table(Node)[f"N{n}"].name for n in range(len(TEXTS))] == list(TEXTS)

    def test_a_clubs_own_column_stays(self, opening: Opening) -> None:
        """A column between ours, values and formulas beside a table: rows are added, and none of it is touched."""
        def prepare(book: Any) -> None:
            sheet = book["Armies"]
            sheet["N4"], sheet["N5"], sheet["N6"] = "Ours", "mine", "=D6*2"

        bench = opening(prepare)

        changed(bench, more)

        sheet = openpyxl.load_workbook(bench.saved())["Armies"]
        assert [sheet["N4"].value, sheet["N5"].value, sheet["N6"].value] == ["Ours", "mine", "=D6*2"]

    def test_a_clubs_own_table_is_known_by_the_names_that_remember_it(self, opening: Opening) -> None:
        """Its sheet and headings are the club's words; rows are changed, added and taken away as in ours."""
        bench = opening(club_keeps_armies)
        book = bench.book()
        reading = book.read()
        assert reading.findings == open_book(bench.path, loader).read().findings == []
        assert reading.cells.titles["Armies"] == "I nostri"
        after = reading.campaign.copy()
        more(after)
        after.table(Army)["R-1"].guests = 91
        after.table(Army).remove("Y-1")

        book.write(reading.campaign, after, wording(), LINES)

        assert plain(bench.book().read().campaign) == plain(after)
        assert plain(from_file(bench).campaign) == plain(after)
        heads = [cell.value for cell in openpyxl.load_workbook(bench.path)["I nostri"][4] if cell.value]
        assert heads[0] == "Nostra 1"

    def test_a_text_that_was_typed_over_is_named_and_the_next_change_puts_it_right(self, bench: Bench) -> None:
        """What the assistant words is never read; whoever looks is told, and a change says again what is so."""
        file = open_book(bench.path, loader)
        cell = file.read().cells.of(Where("Events", "1", "no"))
        words = next(c for c in openpyxl.load_workbook(bench.path)["Events"][4] if c.value == "What happened")
        ref = f"{words.column_letter}{cell.rpartition('!')[2].lstrip('A')}"
        right = openpyxl.load_workbook(bench.path)["Events"][ref].value
        bench.type("Events", ref, "Nobody came.")

        book = bench.book()
        reading = book.read()
        told = book.other_texts(reading.campaign, wording())
        book.write(reading.campaign, reading.campaign.copy(), wording(), LINES)

        assert [(one.sheet, one.row, one.cell, one.seen, one.wanted) for one in told] == [
            ("Events", "1", f"Events!{ref}", "Nobody came.", right)]
        assert openpyxl.load_workbook(bench.saved())["Events"][ref].value == right
        again = bench.book()
        assert again.other_texts(again.read().campaign, wording()) == []

    def test_nothing_is_taken_from_memory_that_does_not_stand_there(self, bench: Bench) -> None:
        """How a change has left the sheets tells where each record stands, or is not told at all."""
        book = bench.book()
        reading = book.read()
        after = reading.campaign.copy()
        everything(after)
        book.write(reading.campaign, after, wording(), LINES)

        stands = open_book(bench.saved(), loader).read().cells.rows
        told = {sheet: list(page.numbers) for sheet, page in book.pages.items() if sheet != Rule.sheet}
        assert told == {sheet: list(stands[sheet].values()) for sheet in told}
        assert reading.untouched == frozenset()

    def test_the_desk_says_where_the_campaign_stands(self, bench: Bench) -> None:
        """Where it stands, who is awaited, what to do and what was done, in their places."""
        changed(bench, lambda after: None, SAID)

        book = openpyxl.load_workbook(bench.saved())
        said = {str(cell.value) for row in book["Desk"].iter_rows() for cell in row if cell.value}
        assert {"Evening 2", "1.  Go on.", "It went well.", "Very well.", "Y"} <= said

    def test_a_finding_is_marked_on_its_cell_and_the_mark_goes_without_a_trace(self, opening: Opening) -> None:
        """Colour and note come; with the next marks they go, and what stood there before is back."""
        def prepare(book: Any) -> None:
            from openpyxl.comments import Comment
            from openpyxl.styles import PatternFill

            book["Armies"]["D5"].fill = PatternFill("solid", start_color="ABCDEF", end_color="ABCDEF")
            book["Armies"]["D5"].comment = Comment("our note", "Club")

        bench = opening(prepare)
        found = Finding("ARB-023", "error", Where("Armies", "R-1", "guests"), {"seen": "many"}, "R", "Armies!D5")

        book = bench.book()
        book.read()
        book.mark([found], wording())
        assert bench.fill("Armies", "D5") == "FFC7B7"
        assert wording().finding(found) in bench.note("Armies", "D5")
        assert "our note" in bench.note("Armies", "D5")

        again = bench.book()
        again.read()
        again.mark([], wording())
        assert bench.fill("Armies", "D5") == "ABCDEF"
        assert bench.note("Armies", "D5").strip() == "our note"

    def test_marks_that_are_renewed_do_not_pile_up(self, bench: Bench) -> None:
        """Checking three times leaves one note, and the colour of before is still known."""
        before = bench.fill("Armies", "D5")
        found = Finding("ARB-023", "error", Where("Armies", "R-1", "guests"), {"seen": "many"}, "R", "Armies!D5")
        for _ in range(3):
            book = bench.book()
            book.read()
            book.mark([found], wording())

        assert bench.note("Armies", "D5").count("ARB-023") == 1
        file = open_book(bench.saved(), loader)
        file.read()
        file.mark([], wording())
        cell = openpyxl.load_workbook(bench.path)["Armies"]["D5"]
        assert cell.comment is None
        assert (cell.fill.fgColor.rgb[2:] if cell.fill.fill_type == "solid" else "") == before

    def test_a_cell_inside_a_merged_area_is_refused_and_nothing_is_changed(self, opening: Opening) -> None:
        """The finding says so, and not one cell is different."""
        refused(opening(lambda book: book["Armies"].merge_cells("C5:D5")), "ARB-160")

    def test_merged_cells_among_the_rows_are_remarked_before_anything_is_written(self, opening: Opening) -> None:
        """At the first cell that is covered; those beside a table and of its heading are nobody's business."""
        def prepare(book: Any) -> None:
            for area in ("C5:D5", "A1:B1", "X5:Y6"):
                book["Armies"].merge_cells(area)

        book = opening(prepare).book()
        book.read()
        assert [(one.code, one.severity, one.cell) for one in book.hindrances()] == [
            ("ARB-054", "warning", "Armies!D5")]

    def test_an_order_is_numbered_where_reading_has_numbered_it(self, bench: Bench) -> None:
        """An order without a number gets one in its cell with the next change."""
        bench.type("Orders", "C6", "Y")
        bench.type("Orders", "E6", "eat")

        reading, _ = changed(bench, lambda after: None)

        fresh = next(o for o in reading.campaign.table(Order) if o.faction == "Y")
        assert from_file(bench).campaign.table(Order)[fresh.order].verb == "eat"


class LiveContract(Contract):
    """What adapters of an open workbook keep to besides."""

    def test_a_protected_sheet_is_refused_and_nothing_is_changed(self, opening: Opening) -> None:
        """Protection binds whoever types, and so it binds Arbitro there."""
        refused(opening(lambda book: setattr(book["Armies"].protection, "sheet", True)), "ARB-223")

    def test_no_sheet_of_an_open_workbook_is_ever_taken_from_memory(self, bench: Bench) -> None:
        """It has no bytes that could tell whether somebody has typed into it since."""
        book = bench.book()
        reading = book.read()
        after = reading.campaign.copy()
        everything(after)
        book.write(reading.campaign, after, wording(), LINES)

        assert dict(book.pages) == {}

    def test_the_file_on_the_disk_stays_until_the_workbook_is_saved(self, bench: Bench) -> None:
        """A change is one of the open workbook."""
        before = bench.path.read_bytes()

        changed(bench, everything)

        assert bench.path.read_bytes() == before


def refused(bench: Bench, code: str) -> None:
    """Try to change a node and an army; the army's cell cannot take it."""
    before = plain(from_file(bench).campaign)

    def change(after: Campaign) -> None:
        after.table(Node)["T1"].name = "Elsewhere"
        after.table(Army)["R-1"].guests = 3

    with pytest.raises(BookUnsafe) as told:
        changed(bench, change)

    assert told.value.code == code
    assert plain(from_file(bench).campaign) == before
