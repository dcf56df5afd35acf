"""`arbitro chronicle`: the book of the war as files, and what is refused with nothing half-written."""

from __future__ import annotations

import sys
import time
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from assistant import desk
from assistant.desk.results import Exit
from assistant.ledger import path_of_ledger
from assistant.pictures.render import moving_picture
from tests.desk.conftest import SECRET, copied
from tests.desk.tiny import FOLDER
from tests.playing import arbitro, codes_of
from tests.reporting import browser

pytestmark = pytest.mark.slow
"""Books with maps and moving pictures are made."""
ALL_OF_IT = desk.BookOptions(paper=True, moving=True)


@pytest.fixture(scope="session")
def ended(tmp_path_factory: pytest.TempPathFactory, first_turn: Path) -> Path:
    """The campaign played to its end, to copy from."""
    book = copied(first_turn, tmp_path_factory.mktemp("ended"))
    for _ in range(9):
        desk.resolve(book, robots=("A", "B"), defaults=True)
    assert desk.status(book).data["phase"] == "over"
    return book.parent


def written(folder: Path) -> list[str]:
    """The names of the files in a folder; [] where there is none."""
    return sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []


def test_the_book_is_one_page_beside_the_reports(first_turn: Path, tmp_path: Path) -> None:
    """It tells the march and the battle, holds a map for the beginning and each turn, and changes nothing."""
    book = copied(first_turn, tmp_path)
    before = book.read_bytes(), path_of_ledger(book).read_bytes()
    result = desk.chronicle(book, desk.reports_folder(book), desk.BookOptions())
    page = (tmp_path / "war-reports" / "chronicle.html").read_text()

    assert (result.exit, written(tmp_path / "war-reports")) == (Exit.DONE, ["chronicle.html"])
    assert result.data["maps"] == page.count("<figcaption>") == 3
    assert "The battle of Middle" in page
    assert "Ashford wins" in page
    assert "<figcaption>At the beginning</figcaption>" in page
    assert (book.read_bytes(), path_of_ledger(book).read_bytes()) == before


def test_the_same_campaign_gives_the_same_bytes(first_turn: Path, tmp_path: Path) -> None:
    """Page and moving picture, twice."""
    book = copied(first_turn, tmp_path)
    for folder in ("one", "two"):
        desk.chronicle(book, tmp_path / folder, desk.BookOptions(moving=True))

    assert written(tmp_path / "one") == ["chronicle.gif", "chronicle.html"]
    assert [(tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
            for name in written(tmp_path / "one")] == [True, True]


@pytest.mark.slow
def test_the_pdf_is_the_same_bytes_whenever_it_is_made(first_turn: Path, tmp_path: Path) -> None:
    """WeasyPrint writes no time into it."""
    book = copied(first_turn, tmp_path)
    desk.chronicle(book, tmp_path / "one", ALL_OF_IT)
    time.sleep(1.1)
    desk.chronicle(book, tmp_path / "two", ALL_OF_IT)
    one, two = ((tmp_path / folder / "chronicle.pdf").read_bytes() for folder in ("one", "two"))

    assert one.startswith(b"%PDF")
    assert one == two


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_campaign_without_a_phase_has_no_book(book: Path, lang: str) -> None:
    """A sentence, exit code 1, and no file."""
    result = desk.chronicle(book, book.parent / "out", ALL_OF_IT, lang=lang)

    assert (result.exit, codes_of(result), written(book.parent / "out")) == (Exit.REFUSED, ["ARB-475"], [])


def test_secrets_are_told_only_when_the_campaign_is_over(meeting: Path) -> None:
    """--open before the end: exit code 1, a sentence that says what can be had, and no file."""
    result = arbitro("chronicle", meeting, "--open", "--out", meeting.parent / "out")

    assert result.exit_code == 1
    assert "its secrets are told when it is" in result.output
    assert "arbitro chronicle " in result.output
    assert written(meeting.parent / "out") == []


def test_the_open_book_tells_who_wanted_to_stand_and_the_public_one_does_not(ended: Path, tmp_path: Path) -> None:
    """After the end --open tells what only the two sides heard; the book for everybody stays as it was."""
    book = copied(ended, tmp_path)
    results = [desk.chronicle(book, tmp_path / "out", desk.BookOptions(revealed=revealed))
               for revealed in (False, True)]
    public, told = ((tmp_path / "out" / name).read_text() for name in ("chronicle.html", "chronicle-open.html"))

    assert [result.exit for result in results] == [Exit.DONE, Exit.DONE]
    assert "Gold" in told
    assert "stand against stand" not in public
    assert "Here the book ends." in public


def test_a_ledger_that_is_lost_or_damaged_is_named_and_nothing_is_written(first_turn: Path, tmp_path: Path) -> None:
    """Exit code 4, as everywhere; a report stops at a damaged one, too, which would lack what it tells of the past."""
    book = copied(first_turn, tmp_path)
    path_of_ledger(book).write_bytes(b"no ledger at all")
    damaged = desk.chronicle(book, tmp_path / "out", ALL_OF_IT)
    report = desk.report(book, tmp_path / "out")
    path_of_ledger(book).unlink()
    missing = desk.chronicle(book, tmp_path / "out", ALL_OF_IT)

    assert (damaged.exit, missing.exit, report.exit) == (Exit.LEDGER, Exit.LEDGER, Exit.LEDGER)
    assert codes_of(damaged) == codes_of(report) == ["ARB-071"]
    assert written(tmp_path / "out") == []


def test_without_weasyprint_the_page_is_written_and_a_sentence_says_so(
        first_turn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1; the page has styles for print."""
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    book = copied(first_turn, tmp_path)
    result = desk.chronicle(book, tmp_path / "out", desk.BookOptions(paper=True))

    assert (result.exit, codes_of(result), written(tmp_path / "out")) == (
        Exit.REFUSED, ["ARB-477"], ["chronicle.html"])
    assert "arbitro[print]" in " ".join(result.finding_lines())
    assert "@media print" in (tmp_path / "out" / "chronicle.html").read_text()


def test_a_folder_that_cannot_be_made_is_named(first_turn: Path, tmp_path: Path) -> None:
    """Exit code 5, and nothing is written."""
    book = copied(first_turn, tmp_path)
    (tmp_path / "out").write_text("a file")
    result = desk.chronicle(book, tmp_path / "out", desk.BookOptions())

    assert (result.exit, codes_of(result)) == (Exit.FILE, ["ARB-251"])


@pytest.mark.slow
def test_hostile_names_are_letters_in_page_pdf_and_moving_picture(first_turn: Path, tmp_path: Path) -> None:
    """Script, markup, direction marks and 500 letters as names of a club, a place and the campaign: all three files
    are made, and at 390 pixels nothing is wider than the screen.
    """
    hostile = "<script>alert(1)</script> \u202e&amp; " + "W" * 500
    folder = tmp_path / "csv"
    folder.mkdir()
    for name, text in FOLDER.items():
        (folder / name).write_text(text.replace("Ashford", hostile).replace("Due villaggi", hostile))
    book = tmp_path / "war.xlsx"
    assert desk.new_campaign(desk.NewPlan("tiny", folder=folder, secret=SECRET), book).exit == Exit.DONE
    desk.resolve(book, robots=("A", "B"), defaults=True)
    result = desk.chronicle(book, tmp_path / "out", ALL_OF_IT)
    page = tmp_path / "out" / "chronicle.html"

    assert (result.exit, written(tmp_path / "out")) == (
        Exit.DONE, ["chronicle.gif", "chronicle.html", "chronicle.pdf"]), result.finding_lines()
    assert page.read_text().count("<script>") == 1
    assert "\u202e" not in page.read_text()
    ((content, window),) = browser.widths(tmp_path, (page.read_text(), 390))
    assert content <= window


# --- the moving picture ------------------------------------------------------------------------------------------
def frames(count: int) -> list[bytes]:
    """PNGs of two sizes, full of points that no palette spares."""
    made = []
    for number in range(count):
        into = BytesIO()
        small = Image.effect_noise((90, 60 + number % 2 * 9), 90 + number)
        small.save(into, "PNG")
        made.append(into.getvalue())
    return made


def test_a_moving_picture_shows_each_map_and_begins_anew(first_turn: Path, tmp_path: Path) -> None:
    """As many frames as there are maps, of one size, the last one longest."""
    desk.chronicle(copied(first_turn, tmp_path), tmp_path / "out", desk.BookOptions(moving=True))
    with Image.open(tmp_path / "out" / "chronicle.gif") as shown:
        assert (shown.format, getattr(shown, "n_frames", 0), shown.info["loop"]) == ("GIF", 3, 0)


def test_a_moving_picture_that_would_be_too_large_is_made_smaller() -> None:
    """First smaller and with fewer colours, then with fewer maps."""
    shown = frames(6)
    for largest in (40_000, 15_000, 9_000):
        made = moving_picture(shown, largest)
        assert isinstance(made, bytes)
        assert len(made) <= largest
