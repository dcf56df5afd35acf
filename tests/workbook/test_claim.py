"""One Arbitro at a time: the claim on a workbook, and copies that a cloud folder makes."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.workbook.save import claim_file, conflicted_copies, file_mark, has_leftovers, hold_claim
from assistant.workbook.screening import BookClaimed
from tests.workbook.feast import workbook

ROOT = Path(__file__).resolve().parents[2]
HOLDS = """
import sys
from pathlib import Path
from assistant.workbook.save import hold_claim
with hold_claim(Path(sys.argv[1]), "resolve"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that holds the claim on a workbook."""
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a workbook would lie."""
    return tmp_path / "war.xlsx"


def test_a_claim_leaves_nothing_behind(path: Path) -> None:
    """Neither the file that says it, nor what a crash had left."""
    stale = path.with_name(f".arbitro-{file_mark(path)}-abcd_123.tmp")
    stale.write_bytes(b"half")
    with hold_claim(path, "orders"):
        said = json.loads(claim_file(path).read_text(encoding="utf-8"))
        assert (said["machine"], said["process"], said["doing"]) == (platform.node(), os.getpid(), "orders")
        assert has_leftovers(path)

    assert list(path.parent.iterdir()) == []


def test_the_second_process_is_told_who_is_at_it(path: Path) -> None:
    """Who, on which computer, with which command; when the first ends, the second may begin."""
    with another(path) as first:
        with pytest.raises(BookClaimed) as caught, hold_claim(path):
            pytest.fail("two processes hold one claim")
        assert (caught.value.machine, caught.value.doing) == (platform.node(), "resolve")
        assert caught.value.user
        assert caught.value.claim == claim_file(path).name
        first.communicate("")
    with hold_claim(path):
        assert claim_file(path).exists()


def test_the_claim_of_a_process_that_died_is_taken_over(path: Path) -> None:
    """kill -9 leaves the file; nobody has to delete it."""
    with another(path) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert claim_file(path).exists()
        with hold_claim(path):
            assert json.loads(claim_file(path).read_text())["process"] == os.getpid()

    assert list(path.parent.iterdir()) == []


def test_the_claim_of_another_computer_is_believed(path: Path) -> None:
    """In a folder that a cloud service copies nobody here can know whether that computer still runs."""
    told = {"user": "anna", "machine": "PC-ANNA", "process": 1, "doing": "undo"}
    claim_file(path).write_text(json.dumps(told))
    with pytest.raises(BookClaimed) as caught, hold_claim(path):
        pytest.fail("the claim of another computer was taken")

    assert (caught.value.user, caught.value.machine, caught.value.doing) == ("anna", "PC-ANNA", "undo")
    assert json.loads(claim_file(path).read_text()) == told


@pytest.mark.parametrize("half", ["", '{"user": "an', "[1]"])
def test_a_claim_that_a_crash_left_half_written_is_no_claim(path: Path, half: str) -> None:
    """Who wrote it had not begun."""
    claim_file(path).write_text(half)
    with hold_claim(path):
        assert json.loads(claim_file(path).read_text())["process"] == os.getpid()


def test_two_names_of_one_workbook_are_one_claim(path: Path) -> None:
    """A link, and a name in other letters where that is the same file."""
    path.write_bytes(b"book")
    link = path.with_name("link.xlsx")
    link.symlink_to(path)

    assert claim_file(link) == claim_file(path)
    assert claim_file(path.with_name("WAR.xlsx")) == claim_file(path)
    assert claim_file(path.with_name("peace.xlsx")) != claim_file(path)


# --- copies of a cloud folder -----------------------------------------------------------------------
MARK = "Carnival"
"""A text that the Feast's workbook holds, as a campaign's holds its id."""


@pytest.mark.parametrize("name", [
    "war (Anna's conflicted copy 2026-11-20).xlsx", "war (copia in conflitto di Anna 2026-11-20).xlsx",
    "war (conflicted copy 2026-11-20 201530).xlsx", "war (1).xlsx", "war 2.xlsx", "war-DESKTOP-8K2.xlsx",
    "war-PC-ANNA-2.xlsx",
    "war-MacBook Pro di Anna.xlsx", "war.sync-conflict-20261120-201530-ABCDEF1.xlsx",
    "war_conflict-20261120-201530.xlsx", "war (conflicted copy Anna 2026-11-20 201530).xlsx",
    "war (Copia in conflitto di PC-ANNA 2026-11-20).xlsx", "war (PC-ANNA's conflicted copy 2026-11-20) (1).xlsx",
    "war (Case Conflict).xlsx", "war (conflicted).xlsx", "war (Anna Bianchi's conflicted copy).xlsx",
    "war_conf(1).xlsx", "Copy of war.xlsx", "Copia di war.xlsx", "Copia di Copia di war.xlsx", "Copy (2) of war.xlsx",
    "Copy of war (1).xlsx", "war-Anna's MacBook Pro.xlsx", "war-anna-laptop.xlsx", "war-Annas-iMac.local.xlsx",
    "war-anna-pc-2.xlsx", "war (In Konflikt stehende Kopie von Anna 2026-11-20).xlsx", "war(1).xlsx",
    "war (Copie en conflit de Anna 2026-11-20).xlsx", "war (case clash from Anna).xlsx", "war [Conflict].xlsx",
    "war (conflict copy 2026-11-20 20.15.30).xlsx", "war_PC-ANNA_Nov-20-201530-2026_Conflict.xlsx",
    "war.Conflict.xlsx"])
def test_a_copy_that_a_cloud_folder_made_is_noticed(path: Path, name: str) -> None:
    """As Dropbox, Google Drive, OneDrive, iCloud, Syncthing, ownCloud, Nextcloud, Synology Drive and Resilio name them,
    and by hand.
    """
    workbook(path)
    workbook(path.with_name(name))

    assert conflicted_copies(path, MARK) == [name]


@pytest.mark.parametrize("name", [
    "war.xlsx", "warlord (1).xlsx", "war-V.xlsx", "war-1501.xlsx", "war-old.xlsx", "war (turn 1500).xlsx",
    "war (1).arbitro", "war 12.xlsx", "~$war (1).xlsx", "the war (1).xlsx", "Copy of warlord.xlsx", "Copy war.xlsx",
    "war conflict.xlsx", "war-april.xlsx", "war (before the conflict of 1501).xlsx", "war_spring.xlsx",
    "war-tarmac.xlsx", "war-pcs.xlsx"])
def test_other_files_of_the_campaign_are_no_such_copies(path: Path, name: str) -> None:
    """Copies of clubs, of turns, kept by hand."""
    workbook(path)
    workbook(path.with_name(name))

    assert conflicted_copies(path, MARK) == []


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", None])
def test_a_file_of_such_a_name_that_holds_something_else_is_left_out(path: Path, content: bytes | None) -> None:
    """Another campaign, or no workbook at all."""
    workbook(path)
    other = workbook(path.with_name("war (1).xlsx"))
    if content is not None:
        other.write_bytes(content)

    assert conflicted_copies(path, "another campaign's id") == []
    assert conflicted_copies(path, "") == []
    assert conflicted_copies(path, MARK) == ([] if content is not None else [other.name])
