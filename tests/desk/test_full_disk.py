"""A disk that is full at any point of a command: nothing is lost, the message says so, and the next try works.

Where the tests may mount one the disk is a real one of the right size in memory; else, and always once, the
command runs in a process whose files may not grow beyond a size.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from assistant import desk
from assistant.ledger import path_of_ledger
from tests import hand
from tests.desk.test_killed import COMMAND, ROOT
from tests.desk.test_safety import everything
from tests.hand import cell_of
from tests.playing import answer, arbitro

DISK = 4 * 1024 * 1024
KB = 1024
ROOMS = (0, 8, 48, 120, 200, 250, 262, 270, 280, 300, 320, 350, 400)
"""Kilobytes that are free: around what the snapshot, the workbook and its ledger take."""
BALLAST = "ballast"


class Disk:
    """A folder that has just so much room, as far as the machine lets us make one."""

    def __init__(self, folder: Path, plugin: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.real = shutil.which("mount") is not None and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)], capture_output=True,
            check=False).returncode == 0
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), str(ROOT)])}

    def close(self) -> None:
        """Give it back."""
        if self.real:
            # lazily: a machine's own watchers may look into it at this very moment
            subprocess.run(["umount", "-l", str(self.folder)], check=True)

    def run(self, words: list[str], room: int) -> tuple[int, str]:
        """A command with so many bytes free; its exit code and all that it says."""
        if not self.real:
            return limited(words, room, self._env)
        free = os.statvfs(self.folder)
        ballast = self.folder / BALLAST
        with ballast.open("wb") as out, suppress(OSError):
            out.write(b"x" * max(0, free.f_bavail * free.f_frsize - room))
        result = arbitro(*words)
        ballast.unlink()
        return result.exit_code, result.output


def limited(words: list[str], room: int, env: dict[str, str]) -> tuple[int, str]:
    """A command in a process whose files cannot grow beyond so many bytes."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "--lang", "en", *words], env=env, cwd=ROOT, capture_output=True, check=False,
        text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY)))
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def disk(tmp_path: Path, plugin: Path) -> Iterator[Disk]:
    """A small disk."""
    made = Disk(tmp_path / "disk", plugin)
    yield made
    made.close()


def begun(book: Path) -> None:
    """Orders, a resolved phase, and a chest that was changed by hand and is to be kept."""
    desk.take_orders(book, [desk.Input("-", text="A: M1\nB: M1")])
    assert desk.resolve(book).exit == desk.Exit.DONE


def commands(book: Path) -> dict[str, list[str]]:
    """What is tried: every command that writes."""
    return {"resolve": ["resolve", str(book)], "orders": ["orders", str(book), "choice B/M1 stand", "die x 5"],
            "mark": ["check", str(book), "--mark"], "report": ["report", str(book), "--out", str(book.parent / "out")],
            "export": ["export", str(book), "--to", str(book.parent / "out")], "undo": ["undo", str(book)],
            "renew": ["ledger", str(book), "--renew"], "accept": ["accept", str(book), "--all", "--why", "prize"],
            "correct": ["correct", str(book), "A: M2", "--at", "1.march", "--why", "late", "--commit"]}


def refused_for_room(book: Path, code: int, said: str, before: object, beside: list[str]) -> None:
    """Nothing is changed, nothing is left lying about, and the message says what to do."""
    assert everything(book) == before, said
    assert sorted(path.name for path in book.parent.iterdir() if path.name != BALLAST) == beside
    assert code in (4, 5), said
    assert "ARB-238" in said or "ARB-074" in said
    assert "run the command again" in said or "try again" in said


@pytest.mark.slow
@pytest.mark.parametrize("command", ["resolve", "orders", "mark", "report", "export", "undo", "renew", "accept",
                                     "correct"])
def test_whatever_room_there_is_all_or_nothing(book: Path, disk: Disk, command: str) -> None:
    """At every size of the room: done, or refused with workbook and ledger as they were; with room it is done."""
    begun(book)
    if command == "accept":
        opened = hand.opened(book)
        cell_of(opened["Factions"], "A", "Gold").value = 9
        opened.save(book)
    refused = 0
    for room in ROOMS:
        place = disk.folder / f"{room}"
        shutil.copytree(book.parent, place, ignore=shutil.ignore_patterns("csv", disk.folder.name))
        there = place / book.name
        words = commands(there)[command]
        before, beside = everything(there), sorted(path.name for path in place.iterdir())
        code, said = disk.run(words, room * KB)
        assert code != 70, said
        if code in (4, 5):
            refused += 1
            refused_for_room(there, code, said, before, beside)
            assert not disk.real or ("ARB-238" in said and code == 5)
            code, said = disk.run(words, DISK)
        assert code in (0, 1, 3), said
        assert {one["code"] for one in answer("check", there)["findings"]} <= {"ARB-397"}  # of a ledger made anew
        shutil.rmtree(place)
    assert refused


@pytest.mark.parametrize("size", [24, 60])
@pytest.mark.slow
def test_a_process_whose_files_cannot_grow(book: Path, plugin: Path, size: int) -> None:
    """The same by another way, which needs no leave of the machine: the ledger cannot grow."""
    begun(book)
    before, beside = everything(book), sorted(path.name for path in book.parent.iterdir())
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), str(ROOT)])}
    code, said = limited(["resolve", str(book)], size * KB, env)

    refused_for_room(book, code, said, before, beside)
    assert path_of_ledger(book).stat().st_size > size * KB
    assert desk.resolve(book).exit == desk.Exit.WAITING
