"""Nothing is lost and nobody writes over somebody else: held files, two referees, second copies, newer books."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant import desk, environment
from assistant.desk.results import Exit
from assistant.desk.workspace.workspace import BOOK_FORMAT
from assistant.ledger import Ledger, PlannedStep, path_of_ledger
from assistant.ledger import file as ledger_file
from assistant.turn.codes import BY_HAND
from assistant.workbook import save
from assistant.workbook.save import claim_file, hold_claim
from tests import hand
from tests.books.parts import Parts
from tests.desk.ledgers import bytes_with_checksum, crashed
from tests.desk.tiny import FOLDER
from tests.fresh import new_campaign
from tests.playing import codes_of
from tests.sweeps import all_slow

pytestmark = pytest.mark.slow


def everything(book: Path) -> tuple[bytes, list[object], tuple[int, ...]]:
    """The workbook, and what the ledger says of changes."""
    with Ledger.open(path_of_ledger(book), "") as ledger:
        return book.read_bytes(), [(s.id, s.verb, s.state) for s in ledger.steps()], ledger.line


def set_cell(book: Path, sheet: str, heading: str, row: int, value: str) -> None:
    """Type into a cell as a referee would; `row`: counted from the first below the headings."""
    made = hand.opened(book)
    ws = made[sheet]
    column = next(c.column for c in ws[4] if str(c.value).strip() == heading)
    ws.cell(4 + row, column).value = value
    made.save(book)


# --- a file that another program holds ---------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("lang", "name"), [("en", "war (turn 1).xlsx"), ("it", "war (turno 1).xlsx")])
def test_the_result_lies_beside_a_workbook_that_is_held(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch,
                                                        lang: str, name: str) -> None:
    """As on Windows with the file open: nothing was changed, the step does not count, the copy is whole."""
    book = tmp_path / "war.xlsx"
    desk.new_campaign(desk.NewPlan("tiny", folder=folder, language=lang, secret="5e" * 32), book)
    before = everything(book)
    real = os.replace

    def held(source: Path, target: Path) -> None:
        if Path(target) == book:
            raise PermissionError(13, "held")
        real(source, target)

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(environment, "swap_function", lambda: None)
    monkeypatch.setattr(environment, "RETRY_DELAYS", (0.01,))
    result = desk.resolve(book)
    monkeypatch.undo()

    assert (result.exit, codes_of(result)) == (Exit.FILE, ["ARB-145"])
    assert name in result.finding_lines()[0]
    assert everything(book) == before
    copy = book.with_name(name)
    assert desk.resolve(book).exit == Exit.DONE
    assert copy.read_bytes() == book.read_bytes()


LEDGER_HELD = {"at its replacement": ("replace", 1, Exit.FILE), "always": ("read", 9999, Exit.FILE),
               "for a moment": ("read", 2, Exit.DONE), "when it is replaced, for a moment": ("replace", 0, Exit.DONE)}


@pytest.mark.parametrize("when", LEDGER_HELD)
def test_a_ledger_that_a_cloud_holds_is_tried_again(book: Path, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    """As on Windows, where it can then be neither read nor replaced: in vain the exit is 5, a plain line says what to
    do, nothing is changed and nothing lies beside; a moment later the same command is carried out.
    """
    what, times, ends = LEDGER_HELD[when]
    before, beside, refused = everything(book), sorted(path.name for path in book.parent.iterdir()), list[str]()
    replace, read = os.replace, Path.read_bytes

    def held(source: Path, target: Path) -> None:
        if what == "replace" and Path(target) == path_of_ledger(book) and (times or not refused):
            refused.append("replace")
            raise PermissionError(13, "held")
        replace(source, target)

    def unread(path: Path) -> bytes:
        if what == "read" and path == path_of_ledger(book) and len(refused) < times:
            refused.append("read")
            raise PermissionError(13, "held")
        return read(path)

    short = (0.01, 0.01)
    for room, name, value in ((ledger_file, "OPEN_FILES_STAY", True), (ledger_file, "RETRY_DELAYS", short),
                              (environment, "RETRY_DELAYS", short), (os, "replace", held),
                              (Path, "read_bytes", unread)):
        monkeypatch.setattr(room, name, value)
    result = desk.resolve(book)
    monkeypatch.undo()

    assert (result.exit, len(refused) >= 3 or ends == Exit.DONE) == (ends, True), result.finding_lines()
    if ends == Exit.FILE:
        assert codes_of(result) == ["ARB-380"]
        assert "run the command again" in result.finding_lines()[0]
        assert everything(book) == before
        assert sorted(path.name for path in book.parent.iterdir()) == beside
        assert desk.resolve(book).exit == Exit.DONE
    assert refused


# --- two referees ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("command", ["resolve", "orders", "undo", "redo", "mark", "new", "renew"])
def test_the_second_referee_is_told_who_is_at_it(book: Path, command: str) -> None:
    """Whatever the second one wants to do: nothing is changed, and the message says who does what."""
    desk.resolve(book)
    before = everything(book)
    told = {"user": "anna", "machine": "PC-ANNA", "process": 1, "doing": "resolve"}
    claim_file(book).write_text(json.dumps(told))
    result = {
        "resolve": lambda: desk.resolve(book), "undo": lambda: desk.undo(book), "redo": lambda: desk.redo(book),
        "orders": lambda: desk.take_orders(book, [desk.Input("-", text="A: M1")]),
        "mark": lambda: desk.check(book, mark=True), "renew": lambda: desk.renew_ledger(book),
        "new": lambda: desk.new_campaign(desk.NewPlan("tiny", folder=book.parent / "csv", force=True), book)}[command]()

    assert (result.exit, codes_of(result)) == (Exit.FILE, ["ARB-146"])
    for word in ("anna", "PC-ANNA", "arbitro resolve", claim_file(book).name):
        assert word in result.finding_lines()[0]
    assert everything(book) == before


def test_who_only_looks_is_not_hindered(book: Path) -> None:
    """Status, check, report and export work while somebody resolves."""
    with hold_claim(book, "resolve"):
        assert desk.status(book).exit == Exit.DONE
        assert desk.check(book).exit == Exit.DONE
        assert desk.report(book, book.parent / "r").exit == Exit.DONE
        assert claim_file(book).exists()


def test_a_command_that_only_looks_mends_what_a_crash_left(book: Path) -> None:
    """The change that lies ready is settled, the claim and the temporary file go."""
    crashed(path_of_ledger(book), [PlannedStep("resolve", "1", "march")], book.read_bytes(), "another")
    told = {"user": "me", "machine": platform.node(), "process": 1, "doing": "resolve"}
    claim_file(book).write_text(json.dumps(told))
    stale = book.with_name(f".arbitro-{save.file_mark(book)}-abcd1234.tmp")
    stale.write_bytes(b"half")
    desk.status(book)

    assert everything(book)[1:] == ([], ())
    assert sorted(path.name for path in book.parent.iterdir()) == ["csv", "war.arbitro", "war.xlsx"]


# --- copies of a cloud folder -----------------------------------------------------------------------
def test_a_second_copy_of_the_workbook_is_named(book: Path) -> None:
    """By status, check and resolve, as a warning: nothing stops for it."""
    name = "war (Anna's conflicted copy 2026-11-20).xlsx"
    book.with_name(name).write_bytes(book.read_bytes())
    for result in (desk.status(book), desk.check(book), desk.resolve(book)):
        assert result.exit == Exit.DONE
        assert codes_of(result) == ["ARB-147"]
        assert name in result.finding_lines()[0]
        assert "war.xlsx" in result.finding_lines()[0]


CLOUDS = {
    "Dropbox": "{} (Anna's conflicted copy 2026-11-20){}", "Nextcloud": "{} (conflicted copy 2026-11-20 201530){}",
    "ownCloud": "{}_conflict-20261120-201530{}", "OneDrive": "{}-DESKTOP-8K2{}", "iCloud": "{} 2{}",
    "Syncthing": "{}.sync-conflict-20261120-201530-ABCDEF1{}", "Google Drive": "{} (1){}",
    "by hand": "Copy of {}{}", "a mano": "Copia di {}{}"}


@pytest.mark.parametrize("cloud", CLOUDS)
def test_what_a_second_copy_has_that_the_workbook_lacks_is_told(book: Path, cloud: str) -> None:
    """Where it stands, and how many of its orders are not here; of the ledger how many changes."""
    copy, ledger = (book.with_name(CLOUDS[cloud].format("war", ending)) for ending in (".xlsx", ".arbitro"))
    before = [(one, one.read_bytes()) for one in (book, path_of_ledger(book))]
    desk.take_orders(book, [desk.Input("-", text="A: M1")])
    desk.resolve(book)
    shutil.copyfile(book, copy)
    shutil.copyfile(path_of_ledger(book), ledger)
    for one, content in before:
        one.write_bytes(content)
    found = {f.code: f for f in desk.check(book).findings}

    assert {code: found[code].data["copy"] for code in ("ARB-147", "ARB-385")} == {
        "ARB-147": copy.name, "ARB-385": ledger.name}
    for line in (line for line in desk.check(book).finding_lines() if "ARB-147" in line):
        assert shlex.split(line.split("with: ")[1].split(" - then")[0]) == ["arbitro", "orders", str(book), str(copy)]
    assert (found["ARB-147"].data["n"], found["ARB-385"].data["n"]) == (1, 2)
    assert (found["ARB-147"].data["when"], found["ARB-385"].data["when"]) == ("1, Clash", "1, March")
    assert desk.status(book).exit == Exit.DONE


@pytest.mark.slow
def test_a_ledger_of_another_campaign_is_no_second_copy(book: Path, tmp_path: Path) -> None:
    """Nor is a file of such a name that is no ledger."""
    (tmp_path / "other").mkdir()
    other = new_campaign(tmp_path / "other" / "war.xlsx", secret="6f" * 32)
    shutil.copyfile(path_of_ledger(other), book.with_name("war (1).arbitro"))
    book.with_name("war (2).arbitro").write_bytes(b"no ledger")

    assert "ARB-385" not in codes_of(desk.check(book))


def test_resolve_asks_before_it_goes_on_beside_a_second_copy(book: Path) -> None:
    """Who sits there is asked, and a script that resolves by itself waits: nothing is changed."""
    shutil.copyfile(book, book.with_name("war (1).xlsx"))
    before, asked = everything(book), []

    def no(lines: Sequence[str], question: str) -> bool:
        asked.append((list(lines), question))
        return False

    refused = desk.resolve(book, confirm=no)
    waiting = desk.resolve(book, timing=desk.Timing(auto=True))

    assert (refused.exit, codes_of(refused)) == (Exit.REFUSED, ["ARB-147"])
    assert (waiting.exit, codes_of(waiting)) == (Exit.WAITING, ["ARB-147"])
    assert [(len(lines), question) for lines, question in asked] == [
        (1, "Resolve although a second copy lies there? [y/N]")]
    assert everything(book) == before
    assert desk.resolve(book, confirm=lambda *_: True).exit == Exit.DONE


def test_an_open_workbook_says_who_has_it_and_what_to_do(book: Path) -> None:
    """The user's name from the lock file, and the file to delete if that is not true any more."""
    book.with_name(".~lock.war.xlsx#").write_bytes(b"Bruno Neri,bneri,PC,01.01.2026 20:00,file:///x;")
    result = desk.resolve(book)

    assert codes_of(result) == ["ARB-076"]
    assert "Bruno Neri" in result.finding_lines()[0]
    assert ".~lock.war.xlsx#" in result.finding_lines()[0]


# --- formats ----------------------------------------------------------------------------------------
def test_a_new_workbook_carries_its_format(book: Path) -> None:
    """On the Desk, and so in every export."""
    desk.export(book, book.parent / "out")

    assert f"format,{BOOK_FORMAT}\n" in (book.parent / "out" / "desk.csv").read_text()


@pytest.mark.parametrize("command", ["status", "resolve", "report", *all_slow(["check", "undo", "export"])])
def test_a_workbook_of_a_newer_arbitro_is_refused_by_name(book: Path, command: str) -> None:
    """Nothing is read into it; the message says which format and what to do."""
    made = hand.opened(book)
    cell = next(c for row in made["Desk"].iter_rows() for c in row if c.value == "Format")
    cell.offset(column=1).value = BOOK_FORMAT + 1
    made.save(book)
    before = everything(book)
    result = {"status": lambda: desk.status(book), "check": lambda: desk.check(book),
              "resolve": lambda: desk.resolve(book), "undo": lambda: desk.undo(book),
              "report": lambda: desk.report(book, book.parent / "r"),
              "export": lambda: desk.export(book, book.parent / "out")}[command]()

    assert (result.exit, codes_of(result)[:1]) == (Exit.FILE, ["ARB-148"])
    assert f"format {BOOK_FORMAT + 1}" in result.finding_lines()[0]
    assert "get the newer one" in result.finding_lines()[0]
    assert everything(book) == before


def test_a_folder_of_a_newer_arbitro_is_refused(tmp_path: Path, folder: Path) -> None:
    """The export of a newer one cannot be taken back by an older one."""
    (folder / "desk.csv").write_text(FOLDER["desk.csv"] + f"format,{BOOK_FORMAT + 1}\n")
    result = desk.new_campaign(desk.NewPlan("tiny", folder=folder), tmp_path / "war.xlsx")

    assert (result.exit, codes_of(result)) == (Exit.REFUSED, ["ARB-148"])
    assert not (tmp_path / "war.xlsx").exists()


def test_a_ledger_of_a_newer_arbitro_is_refused(book: Path) -> None:
    """By name; nothing is changed."""
    with sqlite3.connect(path_of_ledger(book)) as db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'format'")
    db.close()
    path_of_ledger(book).write_bytes(bytes_with_checksum(path_of_ledger(book).read_bytes()))
    before = book.read_bytes()
    result = desk.resolve(book)

    assert (result.exit, codes_of(result)) == (Exit.LEDGER, ["ARB-073"])
    assert book.read_bytes() == before


# --- one cause, one line --------------------------------------------------------------------------------
def test_one_mistyped_code_is_told_in_one_line(tmp_path: Path, folder: Path) -> None:
    """However many cells name it: where it should stand, how many miss it, the first of them."""
    (folder / "nodes.csv").write_text("node,name\n" + "".join(f"N{n},N{n}\n" for n in range(9)) + "M1,M\nB1,B\nA1,A\n")
    (folder / "roads.csv").write_text("a,b\nA1,M1\nM1,B1\n" + "".join(f"N{n},M1\n" for n in range(8)))
    book = tmp_path / "war.xlsx"
    assert desk.new_campaign(desk.NewPlan("tiny", folder=folder), book).exit == Exit.DONE
    made = hand.opened(book)
    next(c for row in made["Nodes"].iter_rows() for c in row if c.value == "M1").value = "M2"
    made.save(book)
    path_of_ledger(book).unlink()  # what was changed by hand is named by other findings
    result = desk.check(book)

    missed = [f for f in result.findings if f.code == "ARB-030"]
    lines = [line for line in result.finding_lines() if "ARB-030" in line]
    assert len(missed) == 10
    assert len(lines) == 1
    assert "'M1' is not on the sheet Nodes, but 10 cells name it: Roads!B5, Roads!A6, Roads!B7" in lines[0]
    assert len(result.as_json()["findings"]) == len(result.findings)


@pytest.mark.parametrize(("ruleset", "played"), [("giglio", False), ("incursio", False), ("warriors", False),
                                                ("warriors", True)])
def test_a_format_that_became_one_of_dates_is_told_in_one_line(tmp_path: Path, ruleset: str, played: bool) -> None:
    """A program gave number format 1 the code of a date: every whole number is one, in one line says so. Nobody is
    said to have deleted the rows that cannot be found by their numbers.
    """
    book = new_campaign(tmp_path / "war.xlsx", ruleset)
    if played:
        assert desk.resolve(book, defaults=True).exit == Exit.DONE
    parts = Parts(book.read_bytes())
    styles, changed = re.subn(rb"<numFmts.*?(?:/>|</numFmts>)", b'<numFmts count="1"><numFmt numFmtId="1" '
                              b'formatCode="dd/mm/yyyy"/></numFmts>', parts.members["xl/styles.xml"], count=1)
    parts.members["xl/styles.xml"] = styles
    book.write_bytes(parts.bytes())

    assert changed
    for result in (desk.resolve(book), *([desk.check(book)] if played or ruleset == "giglio" else [])):
        assert len({f.cell for f in result.findings if f.code == "ARB-022"}) > 100
        lines = result.finding_lines()
        assert [line for line in lines if any(code in line for code in ("ARB-022", *BY_HAND))] == lines[:1]
        assert "cells are shown as dates" in lines[0]
        assert len(lines) < 3


def test_few_findings_of_one_cause_keep_their_lines(book: Path) -> None:
    """Up to three are told one by one, with what was probably meant."""
    set_cell(book, "Roads", "From", 1, "A7")
    set_cell(book, "Roads", "To", 2, "A7")
    path_of_ledger(book).unlink()
    result = desk.check(book)

    lines = [line for line in result.finding_lines() if "ARB-030" in line]
    assert len(lines) == 2
    assert all("Did you mean A1?" in line for line in lines)
