"""Orders where people type most: blank rows that never run out, turns that are over out of sight, words in sight."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.filters import FilterColumn, Filters

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Question
from assistant.turn.rulebooks import load
from assistant.workbook.file_book import open_book
from assistant.workbook.layout import HEADING_ROW, sheet_about, sheet_columns
from tests.workbook.feast import LINES, Order, loader, plain, wording, workbook


def ordered(campaign: Campaign, turn: str, count: int) -> Campaign:
    """A campaign with so many more orders of a turn."""
    after = campaign.copy()
    for n in range(count):
        after.table(Order).add(Order(order=f"{turn}-serve-Y-{n + 1}", turn=turn, phase="serve", faction="Y", seq=n + 1))
    return after


def written(path: Path, count: int = 0, turn: str = "1", now: str = "") -> Campaign:
    """The Feast's workbook after orders were added and the turn went on; what it holds."""
    book = open_book(path, loader)
    before = book.read().campaign
    after = ordered(before, turn, count)
    after.desk.turn = now or after.desk.turn
    book.write(before, after, wording(), LINES)
    return after


def hidden(path: Path) -> list[int]:
    """The rows of Orders that are out of sight."""
    sheet = openpyxl.load_workbook(path)["Orders"]
    return [n for n, row in sheet.row_dimensions.items() if row.hidden]


def test_twenty_blank_rows_are_left_after_two_hundred_and_fifty_orders(tmp_path: Path) -> None:
    """The table goes on below the last order, its blank rows look like the others, and their drop-downs reach them."""
    path = workbook(tmp_path / "feast.xlsx")
    written(path, 250)
    sheet = openpyxl.load_workbook(path)["Orders"]
    last = HEADING_ROW + 251

    assert sheet.tables["tbl_Orders"].ref.endswith(str(last + 20))
    assert sheet.tables["tbl_Orders"].autoFilter.ref.endswith(str(last + 20))
    assert all(sheet[f"C{n}"].value is None and not sheet[f"C{n}"].protection.locked
               for n in range(last + 1, last + 21))
    assert any(f"C{last + 20}" in rule.sqref for rule in sheet.data_validations.dataValidation)


@pytest.mark.slow
def test_a_note_below_the_orders_is_no_reason_to_refuse(tmp_path: Path) -> None:
    """Where a club keeps something below the table it grows no further than its orders need."""
    path = workbook(tmp_path / "feast.xlsx")
    book = openpyxl.load_workbook(path)
    book["Orders"]["B210"] = "our own remark"
    book.save(path)
    written(path, 195)
    sheet = openpyxl.load_workbook(path)["Orders"]

    assert sheet.tables["tbl_Orders"].ref.endswith("205")
    assert sheet["B210"].value == "our own remark"


@pytest.mark.slow
def test_orders_of_turns_that_are_over_are_out_of_sight_and_read_like_others(tmp_path: Path) -> None:
    """A filter shows the present turn and blank rows, and goes on with the turns; what it hides still counts."""
    path = workbook(tmp_path / "feast.xlsx")
    assert hidden(path) == []
    written(path, 3, turn="1")
    written(path, 2, turn="2", now="2")
    assert hidden(path) == [5, 6, 7, 8]
    after = written(path, 0, now="3")

    assert hidden(path) == [5, 6, 7, 8, 9, 10]
    shown = openpyxl.load_workbook(path)["Orders"].tables["tbl_Orders"].autoFilter.filterColumn[0]
    assert (shown.colId, shown.filters.filter, shown.filters.blank) == (0, ["3"], True)
    assert plain(open_book(path, loader).read().campaign) == plain(after)


@pytest.mark.slow
@pytest.mark.parametrize("column", [None, FilterColumn(colId=2, filters=Filters(filter=["R"]))])
def test_a_filter_that_somebody_set_or_cleared_stays(tmp_path: Path, column: FilterColumn | None) -> None:
    """Whoever has cleared the filter sees all rows; whoever has chosen a club goes on seeing that club."""
    path = workbook(tmp_path / "feast.xlsx")
    book = openpyxl.load_workbook(path)
    chosen = book["Orders"].tables["tbl_Orders"].autoFilter
    chosen.filterColumn = [] if column is None else [column]
    book.save(path)
    written(path, 2, turn="1")
    written(path, 0, now="2")

    assert hidden(path) == []
    left = openpyxl.load_workbook(path)["Orders"].tables["tbl_Orders"].autoFilter.filterColumn
    assert [one.colId for one in left] == ([] if column is None else [2])


def test_a_turn_that_comes_back_brings_its_orders_into_sight(tmp_path: Path) -> None:
    """After the turn of the Desk has gone back its orders are shown again."""
    path = workbook(tmp_path / "feast.xlsx")
    written(path, 2, turn="1", now="2")
    assert hidden(path) == [5, 6, 7]
    written(path, 0, now="1")

    assert hidden(path) == []


@pytest.mark.parametrize("ruleset", ["giglio", "anarchy"])
@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_column_for_words_is_in_sight_on_a_small_screen(ruleset: str, lang: str) -> None:
    """At 1,600 pixels, with row numbers and a scroll bar, nobody has to scroll to type an order in words."""
    shown = [column for column in sheet_columns(load(ruleset).record("Orders"), lang) if not column.technical]
    until = [one.name for one in shown].index("text") + 1

    assert sum(7 * one.width + 5 for one in shown[:until]) + 60 <= 1600


@pytest.mark.parametrize("ruleset", ["giglio", "anarchy", "incursio", "warriors", "bloodlust"])
@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_sentence_below_a_title_stays_on_its_band(ruleset: str, lang: str) -> None:
    """It is light on dark: what runs over the last column cannot be read. A sign is three quarters of a digit wide."""
    records = [record for record in load(ruleset).records if not record.single and not record.quiet]
    room = {record.sheet: sum(c.width for c in sheet_columns(record, lang) if not c.technical) for record in records}

    assert [record.sheet for record in records if 0.75 * len(sheet_about(record, lang)) + 2 > room[record.sheet]] == []


def test_only_a_question_that_is_open_offers_something(tmp_path: Path) -> None:
    """Options stand in folded columns of the row itself, in the workbook's language, and go when it is answered."""
    path = workbook(tmp_path / "feast.xlsx", "it")
    book = open_book(path, loader)
    before = book.read().campaign
    row = openpyxl.load_workbook(path)["Domande"]
    first = next(cell for cell in row[HEADING_ROW] if cell.value == "Scelta 1")
    assert row.column_dimensions[first.column_letter].hidden
    assert [row.cell(5, first.column + n).value for n in range(3)] == ["sì", "no", None]
    after = before.copy()
    after.table(Question)["1.serve.salt.R.T1"].status = "answered"
    book.write(before, after, wording("it"), LINES)

    assert openpyxl.load_workbook(path)["Domande"].cell(5, first.column).value is None
