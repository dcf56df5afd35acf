"""The workbook with which a referee of Excel begins: written by setup, it makes a campaign without a terminal."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.buttons.excel_setup import Machine, is_start_book, setup_excel, start_book_bytes, start_book_place
from assistant.buttons.press import BY_VERB
from assistant.buttons.workbook_buttons import bound_macros, read_conf
from assistant.desk.workspace.workspace import open_workspace
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.sheet import drawing_of
from tests.buttons.benches import ExcelBench
from tests.buttons.test_machine import mac, windows
from tests.buttons.test_press import through_pipe

__all__ = ["mac", "windows"]


@pytest.fixture(params=["en", "it"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The start workbook in a language."""
    place = tmp_path / "Arbitro.xlsm"
    place.write_bytes(start_book_bytes(str(request.param)))
    return place


def test_it_has_the_two_buttons_that_begin_a_campaign(start: Path) -> None:
    """And beside each what it does; the cells are as wide as the texts."""
    book = OoxmlBook(start.read_bytes())
    [title] = [title for title, sheet in book.sheets.items() if not sheet.hidden]
    drawing = book.package.raw(drawing_of(book.package, book.sheets[title].part))

    assert book.macros
    assert set(bound_macros(drawing)) == {BY_VERB[verb].sub for verb in ("new", "adopt")}
    sheet = openpyxl.load_workbook(start, keep_vba=True)[title]
    assert all(30 < len(str(sheet.cell(row, 2).value)) < 100 for row in (4, 5))


@pytest.mark.slow
def test_its_buttons_make_a_campaign_with_all_the_others(start: Path, benches: list[ExcelBench]) -> None:
    """The start workbook stays as it is; the campaign opens beside it, with its buttons."""
    before = start.read_bytes()
    benches.append(bench := ExcelBench(start, None))

    done = through_pipe(bench, "new", {"with": "Il Giglio: Italy 1500", "file": str(start.parent / "war")})

    assert done["exit"] == 0, done["lines"]
    assert start.read_bytes() == before
    assert open_workspace(Path(done["open"])).campaign.desk.ruleset == "giglio"


def test_setup_leaves_it_among_the_documents_and_takes_it_away(windows: Machine) -> None:
    """It is renewed, and calls the Python that runs setup."""
    place = start_book_place(windows.home)
    assert place == windows.home / "Arbitro.xlsm"
    (windows.home / "Documents").mkdir()
    place = start_book_place(windows.home)

    for _ in range(2):
        done = setup_excel(windows, lang="en")
        assert (done.exit, done.data["files"]) == (desk.Exit.DONE, [str(place)])
        assert str(place) in done.lines[0]
    assert place.parent == windows.home / "Documents"
    assert read_conf(OoxmlBook(place.read_bytes()))["INTERPRETER_WIN"] == windows.python
    assert setup_excel(windows, undo=True, lang="en").data["files"] == [str(place)]
    assert list(place.parent.iterdir()) == []


def test_another_workbook_of_that_name_is_left_alone(windows: Machine, book: Path) -> None:
    """A campaign that somebody calls so, or any file."""
    place = start_book_place(windows.home)
    for content in (book.read_bytes(), b"theirs"):
        place.write_bytes(content)
        assert not is_start_book(content)
        done = setup_excel(windows, lang="it")
        assert (done.exit, done.data["files"]) == (desk.Exit.DONE, [])
        assert "resta com'è" in done.lines[0]
        assert setup_excel(windows, undo=True, lang="it").data["files"] == []
        assert place.read_bytes() == content
