"""The map of a workbook that is open: a click leaves it and says so; the next command that is typed draws it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import add_picture_sheet, map_picture_bytes, remove_sheet
from tests.buttons.benches import ExcelBench
from tests.buttons.test_press import march, wrong
from tests.pictures.test_sheet import with_shapes

LATER = ("ARB-464  The workbook is open, so its map is the one of before; it follows once the workbook is closed, with"
         " the next command that changes it, for example: arbitro map war.xlsx {option}")


def saved_by_excel(book: Path, picture: bytes) -> None:
    """Give the file its picture again, which the engine of these tests loses when it saves and Excel keeps."""
    made = OoxmlBook(book.read_bytes())
    remove_sheet(made, "Map")
    add_picture_sheet(made, "Map", picture, "")
    book.write_bytes(made.package.pack())


@pytest.mark.slow
def test_a_click_says_that_the_map_follows_and_the_next_command_draws_it(book: Path,
                                                                         benches: list[ExcelBench]) -> None:
    """The phase is resolved, its result and the Desk say that the map is the one of before; closed, a command that
    changes the workbook draws the march.
    """
    assert desk.put_map_sheet(book).exit == 0
    before = map_picture_bytes(OoxmlBook(book.read_bytes()))
    benches.append(opened := ExcelBench(book, None))
    march(opened, "A", "M1", 6)

    pressed = press_on(opened.open, "resolve")

    assert pressed.exit == 0
    assert LATER.format(option="--sheet") in pressed.lines
    assert LATER.format(option="--sheet") in wrong(opened)
    saved_by_excel(book, before)
    assert desk.put_map_sheet(book).exit == 0
    assert map_picture_bytes(OoxmlBook(book.read_bytes())) not in (before, b"")


@pytest.mark.slow
def test_a_click_that_undoes_says_so_too(book: Path, benches: list[ExcelBench]) -> None:
    """The records go back at once, and the map with the next command."""
    assert desk.put_map_sheet(book).exit == 0
    before = book.read_bytes()
    benches.append(opened := ExcelBench(book, None))
    march(opened, "A", "M1", 6)
    press_on(opened.open, "resolve")
    book.write_bytes(before)  # as Excel saves it: with the map
    assert LATER.format(option="--sheet") in press_on(opened.open, "undo").lines


def test_a_clubs_own_shapes_follow_too(book: Path, benches: list[ExcelBench]) -> None:
    """Where a club's shapes are coloured the command that is named is the one that colours them."""
    with_shapes(book)
    assert desk.put_map_sheet(book, shapes=True).exit == 0
    benches.append(opened := ExcelBench(book, None))
    march(opened, "A", "M1", 6)

    assert LATER.format(option="--shapes") in press_on(opened.open, "resolve").lines


@pytest.mark.slow
def test_a_click_cannot_take_the_sheet_away_and_says_what_can(book: Path, benches: list[ExcelBench]) -> None:
    """In an open workbook nobody takes sheets out: the way out is said (ARB-467)."""
    assert desk.put_map_sheet(book).exit == 0
    benches.append(opened := ExcelBench(book, None))

    pressed = press_on(opened.open, "undo")

    assert pressed.lines[0] == "Undone, but for the map: not all of it could be taken back."
    assert pressed.lines[1].startswith("ARB-467  The workbook is open, so its map stays as it is.")


@pytest.mark.slow
def test_a_workbook_without_a_map_says_nothing_of_one(book: Path, benches: list[ExcelBench]) -> None:
    """Who has none is told of none."""
    benches.append(opened := ExcelBench(book, None))
    march(opened, "A", "M1", 6)

    assert press_on(opened.open, "resolve").lines == ["1, March: resolved, 1 event."]
