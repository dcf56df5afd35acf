"""Changing a workbook that exists: only what changed, all or nothing, nothing of the clubs' harmed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Road
from assistant.turn.findings import Finding, Where
from assistant.workbook.file_book import open_book
from assistant.workbook.port import Book, DeskLines, WorkbookReading
from assistant.workbook.screening import BookChanged, BookLocked, BookUnsafe
from assistant.workbook.write.sheet_style import LOWER_ROW
from assistant.workbook.write.write_changes import NOTE_SEPARATOR, add_signature, read_signature
from tests.workbook.contract import everything
from tests.workbook.feast import LINES, Army, Dish, Order, loader, plain, wording, workbook


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An English workbook of the Feast."""
    return workbook(tmp_path / "feast.xlsx")


def opened(path: Path) -> tuple[Book, WorkbookReading, Campaign]:
    """A book, what was read, and a copy to change."""
    book = open_book(path, loader)
    reading = book.read()
    return book, reading, reading.campaign.copy()


def written(path: Path, after: Campaign, book: Book, reading: WorkbookReading, lines: DeskLines = LINES) -> Campaign:
    """The campaign that is read after writing."""
    book.write(reading.campaign, after, wording(), lines)
    again = open_book(path, loader).read()
    assert [f for f in again.findings if f.stops] == []
    return again.campaign


def edit(path: Path, **cells: Any) -> None:
    """Set cells of the sheet Armies by hand, as a club would."""
    book = openpyxl.load_workbook(path)
    for address, value in cells.items():
        book["Armies"][address] = value
    book.save(path)


def test_changes_of_every_kind_are_read_back(path: Path) -> None:
    """Values, new rows, rows that are gone, rules set and unset, the Desk."""
    book, reading, after = opened(path)
    everything(after, 39, "=R-1")
    back = plain(written(path, after, book, reading))
    wanted = plain(after)
    wanted["Dishes"] = [("Soup/R", row) for _, row in wanted["Dishes"]]

    assert back == wanted


def test_the_same_change_gives_the_same_bytes(path: Path) -> None:
    """Deterministic: the same bytes in, the same bytes out."""
    start = path.read_bytes()
    results = []
    for _ in range(2):
        path.write_bytes(start)
        book, reading, after = opened(path)
        everything(after, 39, "=R-1")
        written(path, after, book, reading)
        results.append(path.read_bytes())

    assert results[0] == results[1]
    assert results[0] != start


def test_only_changed_cells_differ(path: Path) -> None:
    """One changed value changes one cell of the sheet."""
    def cells() -> dict[tuple[str, str], Any]:
        return {(ws.title, c.coordinate): c.value for ws in openpyxl.load_workbook(path).worksheets
                for row in ws.iter_rows() for c in row}

    before = cells()
    book, reading, after = opened(path)
    after.table(Army)["Y-1"].guests = 8
    written(path, after, book, reading)
    now = cells()

    assert {place for place in now if now[place] != before.get(place)} == {("Armies", "D6")}


@pytest.mark.slow
def test_clubs_columns_formulas_sheets_and_order_of_rows_stay(path: Path) -> None:
    """Own columns move with their row, formulas follow, own sheets are not touched."""
    made = openpyxl.load_workbook(path)
    ws = made["Armies"]
    ws.tables["tbl_Armies"].ref = "A4:I6"
    ws.tables["tbl_Armies"].autoFilter.ref = "A4:I6"
    for number, note in ((5, "brave"), (6, "late")):
        ws.cell(number, 8).value = note
        ws.cell(number, 9).value = f"=D{number}*2"
    ws["H4"], ws["I4"] = "Nickname", "Double"
    made.create_sheet("Supper")["B2"] = "=SUM(Armies!D5:D6)"
    made.save(path)
    book, reading, after = opened(path)
    after.table(Army).remove("R-1")
    after.table(Army).add(Army(army="Y-2", faction="Y", node="T1", guests=3))
    written(path, after, book, reading)
    now = openpyxl.load_workbook(path)
    ws = now["Armies"]

    assert [ws[a].value for a in ("A5", "H5", "I5")] == ["Y-1", "late", "=D5*2"]
    assert [ws[a].value for a in ("A6", "H6", "I6")] == ["Y-2", None, "=D6*2"]
    assert ws.tables["tbl_Armies"].ref == "A4:I6"
    assert now["Supper"]["B2"].value == "=SUM(Armies!D5:D6)"


@pytest.mark.slow
def test_tables_grow_with_their_filters_and_drop_downs(path: Path) -> None:
    """More rows than any drop-down reached: all of it grows, in the look of the row above."""
    book, reading, after = opened(path)
    for n in range(3, 2500):
        after.table(Army).add(Army(army=f"R-{n}", faction="R", node="T1"))
    written(path, after, book, reading)
    ws = openpyxl.load_workbook(path)["Armies"]
    bottom = 6 + 2497

    assert ws.tables["tbl_Armies"].ref == f"A4:G{bottom}"
    assert ws.tables["tbl_Armies"].autoFilter.ref == f"A4:G{bottom}"
    assert any(area.sqref.ranges and max(r.max_row for r in area.sqref.ranges) >= bottom
               for area in ws.conditional_formatting)
    assert ws[f"A{bottom}"].fill.fgColor.rgb == ws["A5"].fill.fgColor.rgb


def test_notes_beneath_a_table_are_never_written_over(path: Path) -> None:
    """A club's note where the table has to grow: refused before anything is touched, and the cell is named."""
    edit(path, A8="Mind the stairs")
    start = path.read_bytes()
    book, reading, after = opened(path)
    for n in range(3, 8):
        after.table(Army).add(Army(army=f"R-{n}", faction="R", node="T1"))
    with pytest.raises(BookUnsafe) as no:
        book.write(reading.campaign, after, wording(), LINES)

    assert (no.value.code, no.value.cell) == ("ARB-164", "Armies!A8")
    assert path.read_bytes() == start


def test_new_orders_use_the_free_rows(path: Path) -> None:
    """Orders taken from elsewhere stand directly below the last one; the table keeps its size."""
    book, reading, after = opened(path)
    after.table(Order).add(Order(order="1-serve-Y-1", turn="1", phase="serve", faction="Y", seq=1, text="=salt"))
    written(path, after, book, reading)
    ws = openpyxl.load_workbook(path)["Orders"]

    assert ws["C6"].value == "Y"
    assert ws.tables["tbl_Orders"].ref.endswith("205")
    cell = next(c for c in ws[6] if c.value == "=salt")
    assert (cell.data_type, cell.quotePrefix) == ("s", True)


@pytest.mark.slow
def test_numbers_that_were_given_to_blank_orders_are_written(path: Path) -> None:
    """A blank turn means the present turn for ever, not whatever turn it is when read again."""
    made = openpyxl.load_workbook(path)
    made["Orders"]["C6"], made["Orders"]["E6"] = "y", "eat"
    made.save(path)
    book, reading, after = opened(path)
    after.desk.turn = "2"
    back = written(path, after, book, reading)

    assert vars(back.table(Order)["1-serve-Y-1"])["turn"] == "1"
    assert openpyxl.load_workbook(path)["Orders"]["D6"].value == 1


@pytest.mark.slow
def test_the_desk_is_written_where_its_names_point(path: Path) -> None:
    """The Desk's lines follow their places when a club inserts rows above them."""
    made = openpyxl.load_workbook(path)
    made.defined_names["desk_where"].attr_text = "'Desk'!$B$60"
    made.save(path)
    book, reading, after = opened(path)
    written(path, after, book, reading, DeskLines("Evening 2", (("Y", "pay"),), ("Go on.",), ("Done.",)))
    ws = openpyxl.load_workbook(path)["Desk"]

    assert (ws["B60"].value, ws["B9"].value, ws["B10"].value) == ("Evening 2", "1.  Go on.", None)
    assert (ws["E9"].value, ws["F9"].value, ws["E10"].value, ws[f"B{LOWER_ROW + 1}"].value) == (
        "Y", "pay", None, "Done.")


def test_a_change_to_a_sheet_that_is_gone_is_refused(path: Path) -> None:
    """Nothing is written when part of it could not be."""
    made = openpyxl.load_workbook(path)
    del made["Roads"]
    made.save(path)
    start = path.read_bytes()
    book, reading, after = opened(path)
    after.table(Road).add(Road(a="T1", b="T10"))
    with pytest.raises(BookUnsafe):
        book.write(reading.campaign, after, wording(), LINES)

    assert path.read_bytes() == start


def test_several_writes_may_follow_one_reading(path: Path) -> None:
    """A run of phases writes after each; rows of equal keys are told apart by their order throughout."""
    book, reading, first = opened(path)
    first.table(Dish).remove("Soup/R")
    book.write(reading.campaign, first, wording(), LINES)
    second = first.copy()
    second.table(Dish)["Soup/R#2"].price = 44
    second.table(Dish).add(Dish(dish="Soup", cook="R", price=55))
    book.write(first, second, wording(), LINES)
    back = open_book(path, loader).read().campaign

    assert [d.price for _, d in back.table(Dish).in_file_order()] == [44, 55]


def test_what_somebody_saved_between_two_writes_is_not_written_over(path: Path) -> None:
    """The second write knows the bytes that the first one left."""
    book, reading, after = opened(path)
    book.write(reading.campaign, after, wording(), LINES)
    edit(path, A9="by hand")
    with pytest.raises(BookChanged):
        book.write(after, after, wording(), LINES)


# --- the file -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "content", "user"), [
    ("~$feast.xlsx", bytes([4]) + b"Anna" + bytes(50), "Anna"),
    (".~lock.feast.xlsx#", b",Bruno,host,01.01.2026 20:00,file:///x;", "Bruno"),
    ("~$feast.xlsx", b"", "")])
def test_an_open_workbook_is_refused_and_its_user_named(path: Path, name: str, content: bytes, user: str) -> None:
    """Lock files of Excel and LibreOffice are respected, for writing and for marking."""
    book, reading, after = opened(path)
    (path.parent / name).write_bytes(content)
    start = path.read_bytes()
    with pytest.raises(BookLocked) as no:
        book.write(reading.campaign, after, wording(), LINES)
    with pytest.raises(BookLocked):
        book.mark([], wording())

    assert no.value.user == user
    assert path.read_bytes() == start


def test_a_workbook_that_somebody_saved_meanwhile_is_not_written_over(path: Path) -> None:
    """The fingerprint of the bytes that were read is checked just before the replacement."""
    book, reading, after = opened(path)
    edit(path, A9="by hand")
    start = path.read_bytes()
    with pytest.raises(BookChanged):
        book.write(reading.campaign, after, wording(), LINES)

    assert path.read_bytes() == start
    assert os.listdir(path.parent) == [path.name]


def test_mode_and_link_of_the_file_stay(path: Path) -> None:
    """Others on the share keep their access; a link goes on pointing at the real file."""
    real = path.rename(path.with_name("real.xlsx"))
    path.symlink_to(real)
    real.chmod(0o664)
    book, reading, after = opened(path)
    after.table(Army)["R-1"].guests = 1
    written(path, after, book, reading)

    assert path.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o664


def test_a_failure_while_saving_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens before the rename, the workbook is as it was and no rest lies about."""
    def fail(*_: object) -> None:
        raise OSError("disk full")

    book, reading, after = opened(path)
    start = path.read_bytes()
    everything(after, 39, "=R-1")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        book.write(reading.campaign, after, wording(), LINES)

    assert path.read_bytes() == start
    assert os.listdir(path.parent) == [path.name]


# --- marks ----------------------------------------------------------------------------------------------
def finding(cell: str, code: str = "ARB-041") -> Finding:
    """A finding at a cell."""
    return Finding(code, "error", Where("Orders", "1-serve-R-1", "turn"), {"seen": "=x", "near": "1"}, cell=cell)


def looks(path: Path) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Fill and note of every cell."""
    return {(ws.title, c.coordinate): (c.fill.fill_type, c.fill.fgColor.rgb, c.comment.text if c.comment else None,
                                       c.comment.author if c.comment else None)
            for ws in openpyxl.load_workbook(path).worksheets for row in ws.iter_rows() for c in row}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_marks_colour_the_cell_say_what_to_do_and_go_without_a_trace(path: Path, lang: str) -> None:
    """A mark is a colour and a note of ours; the next check takes both away, a club's own note comes back."""
    made = openpyxl.load_workbook(path)
    made["Nodes"]["B5"].comment = openpyxl.comments.Comment("Ours: since 1490", "Anna")
    themed = openpyxl.styles.colors.Color(theme=4, tint=0.5)
    made["Nodes"]["L9"].fill = openpyxl.styles.PatternFill("solid", fgColor=themed)
    made.save(path)
    before = looks(path)
    places = ["Orders!A5", "Orders!A5", "Nodes!B5", "Nodes!L9", "Orders!A4", "Supper!A1", ""]
    open_book(path, loader).mark([finding(place) for place in places], wording(lang))
    marked = looks(path)
    open_book(path, loader).mark([], wording(lang))

    changed = {place for place in marked if marked[place] != before[place]}
    assert changed == {("Orders", "A5"), ("Nodes", "B5"), ("Nodes", "L9"), ("Orders", "A4")}
    assert wording(lang).finding(finding("")) in marked["Orders", "A5"][2]
    assert "since 1490" in marked["Nodes", "B5"][2]
    assert marked["Orders", "A5"][3].startswith("Arbitro [")
    assert looks(path) == before
    assert open_book(path, loader).read().findings == []


@pytest.mark.parametrize("fill", ["", "FFF8E1", "000000"])
def test_a_mark_keeps_the_colour_that_the_cell_had_where_nobody_reads_it(fill: str) -> None:
    """Its last line names Arbitro; the colour is there for Arbitro alone, also as older versions wrote it."""
    said = add_signature("There is no place N9.", fill)

    assert "".join(filter(str.isprintable, said.replace("\n", "|"))) == "There is no place N9.|— Arbitro"
    assert read_signature(said) == read_signature(f"{said}{NOTE_SEPARATOR}Anna: mine") == fill
    assert read_signature(f"There is no place N9.\n(Arbitro · {fill or '-'})") == fill
    assert read_signature("Signed\n— Arbitro") is None


@pytest.mark.slow
def test_marking_changes_no_value(path: Path) -> None:
    """A check changes nothing else, whatever blanks reading would fill in."""
    made = openpyxl.load_workbook(path)
    made["Orders"]["C6"] = "Y"
    made.save(path)
    book, reading, _ = opened(path)
    book.mark([finding("Orders!C6")], wording())

    assert openpyxl.load_workbook(path)["Orders"]["A6"].value is None
    assert plain(open_book(path, loader).read().campaign) == plain(reading.campaign)


def test_a_row_is_as_high_as_the_longest_text_that_wraps_in_it(path: Path) -> None:
    """No text runs into the row below: not the purpose of a die, which is no worded column, either."""
    book, reading, after = opened(path)
    after.table(Die).add(Die(key="auto/B1-1/defender and many more words than one line holds", dice="1d6", value="3"))
    after.table(Die).add(Die(key="short", dice="1d6", value="3"))

    written(path, after, book, reading)

    sheet = openpyxl.load_workbook(path)["Dice"]
    rows = {str(row[0].value).split("/")[0]: row[0].row for row in sheet.iter_rows(min_row=5) if row[0].value}
    assert (sheet.row_dimensions[rows["auto"]].height or 0) > 30
    assert (sheet.row_dimensions[rows["short"]].height or 0) < 30
