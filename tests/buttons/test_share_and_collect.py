"""Two buttons of an evening with mails: copies for the clubs, and what they send back."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.desk.workspace.workspace import open_workspace
from assistant.environment import HOME
from assistant.ledger import path_of_ledger
from assistant.post import mail_server
from assistant.post.mail_server import MailAccount, Server
from tests.buttons.benches import ExcelBench
from tests.buttons.test_press import bench, cells_of, outcome, steps, through_pipe
from tests.post.filling import filled

__all__ = ["bench"]

GO = {"Verb": "go", "To": "M1"}


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder in which no post is set up."""
    home = tmp_path / "own"
    monkeypatch.setenv(HOME, str(home))
    monkeypatch.delenv(mail_server.PASSWORD, raising=False)
    return home


def returned(book: Path, faction: str, **order: str) -> Path:
    """A club's copy, filled in and put where the button looks."""
    folder = desk.returned_folder(book)
    folder.mkdir(exist_ok=True)
    return filled(desk.copies_folder(book) / f"{book.stem}-{faction}.xlsx", folder / f"{faction}.xlsx", [order])


@pytest.mark.slow
def test_copies_go_into_a_folder_beside_the_workbook(bench: ExcelBench, book: Path) -> None:
    """One a club and one for everybody; of the workbook nothing changes."""
    before = cells_of(bench)

    pressed = press_on(bench.open, "share")

    assert (pressed.exit, pressed.box) == (0, False), pressed.lines
    assert {file.name for file in desk.copies_folder(book).iterdir()} == {
        f"{book.stem}-{who}.xlsx" for who in ("A", "B", "public")}
    assert str(desk.copies_folder(book)) in outcome(bench)[0]
    assert cells_of(bench) == before
    assert "share" not in steps(book)


@pytest.mark.slow
def test_what_clubs_sent_back_is_taken_and_shown(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """It stands in the open workbook, which is saved; a window says line by line what was taken; Undo takes it back."""
    press_on(bench.open, "share")
    returned(book, "A", **GO)

    pressed = press_on(bench.open, "collect", "en")

    assert (pressed.exit, pressed.box) == (0, True), pressed.lines
    assert any("go, To M1" in line for line in pressed.lines), pressed.lines
    assert [(row.faction, row.target) for row in open_workspace(book).campaign.by_sheet("Orders")] == [("A", "M1")]
    assert steps(book)[-1] == "collect"
    again = press_on(bench.open, "collect", "en")
    assert (again.exit, steps(book)[-1]) == (0, "collect")
    assert any("was taken before" in line for line in again.lines)
    assert press_on(bench.open, "undo").exit == 0
    assert list(open_workspace(book).campaign.by_sheet("Orders")) == []


@pytest.mark.slow
def test_new_copies_take_the_place_of_nothing_that_came_back(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """What a club has filled in waits in a folder of its own, whatever is written meanwhile."""
    press_on(bench.open, "share")
    waiting = returned(book, "A", **GO).read_bytes()

    press_on(bench.open, "share")

    assert (desk.returned_folder(book) / "A.xlsx").read_bytes() == waiting
    assert press_on(bench.open, "collect").exit == 0
    assert [row.faction for row in open_workspace(book).campaign.by_sheet("Orders")] == ["A"]


def test_the_first_time_the_folder_is_made_and_named(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """Nothing has come in: that is said with the place where it belongs, and nothing changes."""
    before = path_of_ledger(book).read_bytes()

    pressed = press_on(bench.open, "collect", "en")

    assert (pressed.exit, desk.returned_folder(book).is_dir()) == (0, True)
    assert any(line.endswith(f"into the folder {desk.returned_folder(book).name}.") for line in pressed.lines)
    assert any("ARB-371" in line for line in pressed.lines)
    assert path_of_ledger(book).read_bytes() == before


def test_a_file_in_the_place_of_the_folder_is_told(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """In words and in a window, like all that a disk does."""
    desk.returned_folder(book).write_text("not a folder")

    pressed = press_on(bench.open, "collect", "en")

    assert (pressed.exit, pressed.box) == (5, True)
    assert desk.returned_folder(book).name in pressed.lines[0]


@pytest.mark.slow
def test_an_order_that_is_refused_stands_marked_on_its_cell(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """As after a check: coloured, with its note, and selected."""
    press_on(bench.open, "share")
    returned(book, "A", **{"Verb": "go", "To": "N9"})

    pressed = press_on(bench.open, "collect", "en")

    assert pressed.exit in (0, 1), pressed.lines
    sheet, _, at = pressed.select.partition("!")
    assert (sheet, bench.note("Orders", at) != "") == ("Orders", True), pressed.lines


@pytest.mark.slow
def test_where_a_post_is_set_up_its_mailbox_is_asked(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """Without its password nothing is taken, and which variable it may stand in is said."""
    press_on(bench.open, "share")
    returned(book, "A", **GO)
    mail_server.save_account(
        MailAccount("referee@club.test", "referee", Server("127.0.0.1", 1, "tls"), Server("127.0.0.1", 1, "tls"))
    )

    pressed = press_on(bench.open, "collect", "en")

    assert (pressed.exit, pressed.box) == (1, True)
    assert mail_server.PASSWORD in pressed.lines[0]
    assert list(open_workspace(book).campaign.by_sheet("Orders")) == []


@pytest.mark.slow
def test_libreoffice_does_the_same(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """Over the pipe, with plain values alone: copies are written, and an order that came back stands in the sheet."""
    assert through_pipe(bench, "share")["exit"] == 0
    returned(book, "A", **GO)

    done = through_pipe(bench, "collect")

    assert (done["exit"], done["box"]) == (0, True), done["lines"]
    assert [(row.faction, row.target) for row in bench.book().read().campaign.by_sheet("Orders")] == [("A", "M1")]
    assert steps(book)[-1] == "collect"
