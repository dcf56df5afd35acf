"""kill -9 at twenty random instants (a hundred in the full proof) of a real `arbitro resolve`: nothing is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.results import Exit
from assistant.environment import backup_folder
from assistant.ledger import Ledger, new_file_path, path_of_ledger
from assistant.workbook.save import claim_file, has_leftovers, sha256
from tests.sweeps import of_proof

ROOT = Path(__file__).resolve().parents[2]
INSTANTS = of_proof(20, 100)
TRIALS = 5
SEED = 1500
COMMAND = "import sys; from assistant.cli import main; main(sys.argv[1:])"
LONGEST = 60


@dataclass(frozen=True)
class Evening:
    """A campaign before a phase, and how one whole run goes: what it leaves, how long it takes.

    `whole`: seconds of the run; `save`: seconds of it from the claim on the workbook to the end.
    """

    folder: Path
    env: dict[str, str]
    old: bytes
    new: bytes
    whole: float
    save: float

    def copy(self, to: Path) -> Path:
        """The campaign in a folder of its own; returns the workbook."""
        shutil.copytree(self.folder, to)
        return to / "war.xlsx"


def started(book: Path, env: dict[str, str]) -> subprocess.Popen[bytes]:
    """The command, in a process of its own."""
    return subprocess.Popen([sys.executable, "-c", COMMAND, "resolve", str(book)], env=env, cwd=ROOT,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_claim(process: subprocess.Popen[bytes], book: Path) -> None:
    """Until the command has claimed the workbook, or has ended."""
    end = time.monotonic() + LONGEST
    while process.poll() is None and not claim_file(book).exists():
        assert time.monotonic() < end, "the command did not come to the workbook"
        time.sleep(0.0005)


@pytest.fixture
def evening(book: Path, plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """The tiny campaign with its orders, and one run to its end."""
    desk.take_orders(book, [desk.Input("-", text="A: M1\nB: M1")])
    folder = tmp_path_factory.mktemp("evening") / "start"
    folder.mkdir()
    for one in (book, path_of_ledger(book)):
        shutil.copyfile(one, folder / one.name)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), str(ROOT)])}
    taken = []
    for number in range(TRIALS):  # the quickest counts: the first may still compile modules
        trial = Path(shutil.copytree(folder, folder.parent / f"trial-{number}")) / "war.xlsx"
        begun = time.monotonic()
        process = started(trial, env)
        wait_for_claim(process, trial)
        claimed = time.monotonic()
        assert process.wait(LONGEST) == 0
        taken.append((time.monotonic() - begun, time.monotonic() - claimed))
    run, save = (min(times) for times in zip(*taken, strict=True))
    return Evening(folder, env, book.read_bytes(), trial.read_bytes(), run, save)


def killed(evening: Evening, book: Path, chance: random.Random, number: int) -> bool:
    """Run the command and kill it at a random instant: of the whole run, every second time of its writing.

    Returns whether it was killed before it ended.
    """
    process = started(book, evening.env)
    if number % 2:
        wait_for_claim(process, book)
        time.sleep(chance.uniform(0, evening.save))
    else:
        time.sleep(chance.uniform(0, evening.whole))
    process.send_signal(signal.SIGKILL)
    return process.wait(LONGEST) == -signal.SIGKILL


def whole(book: Path) -> None:
    """A workbook of which every part fits its checksum."""
    with zipfile.ZipFile(book) as archive:
        assert archive.testzip() is None


@pytest.mark.slow
def test_twenty_kills_lose_nothing(evening: Evening, tmp_path: Path) -> None:
    """The workbook is the old one or the new one; the next command, whichever it is, brings the ledger into
    agreement and takes away what lies about; the phase can be resolved and undone as if nothing had been.
    """
    chance = random.Random(SEED)
    kills = half_way = 0
    assert evening.old != evening.new
    for number in range(INSTANTS):
        book = evening.copy(tmp_path / str(number))
        kills += killed(evening, book, chance, number)
        half_way += has_leftovers(book)
        left = book.read_bytes()
        assert left in (evening.old, evening.new)
        whole(book)

        looked = desk.history(book) if number % 3 else desk.status(book)
        assert (looked.exit, book.read_bytes()) == (Exit.DONE, left)
        assert not has_leftovers(book)
        assert not new_file_path(path_of_ledger(book)).exists()
        with Ledger.open(path_of_ledger(book), "") as ledger:
            assert [s.state for s in ledger.steps() if s.state != "done"] == []
            assert len(ledger.line) == (left == evening.new)
        for backup in backup_folder(book).glob("*.xlsx"):
            assert backup.read_bytes() == evening.old

        if left == evening.old:
            assert desk.resolve(book).exit == Exit.DONE
        assert book.read_bytes() == evening.new
        assert desk.undo(book).exit == Exit.DONE
        assert book.read_bytes() == evening.old
        shutil.rmtree(book.parent)

    assert kills > INSTANTS // 2
    assert half_way > INSTANTS // 10


@pytest.mark.slow
def test_two_referees_at_the_same_moment(evening: Evening, tmp_path: Path) -> None:
    """Of two commands that start together each is carried out as a whole or told to wait (exit code 5):
    the workbook is what the ledger says, and nothing lies about.
    """
    told = 0
    for number in range(5):
        book = evening.copy(tmp_path / str(number))
        both = [started(book, evening.env) for _ in range(2)]
        ended = [process.wait(LONGEST) for process in both]

        assert set(ended) <= {Exit.DONE, Exit.WAITING, Exit.FILE}
        assert ended != [Exit.FILE, Exit.FILE]
        told += Exit.FILE in ended
        whole(book)
        assert not has_leftovers(book)
        assert not new_file_path(path_of_ledger(book)).exists()
        with Ledger.open(path_of_ledger(book), "") as ledger:
            made = [s for s in ledger.steps() if s.verb in ("resolve", "wait")]
            assert {s.state for s in made} == {"done"}
            assert len(made) == sum(code != Exit.FILE for code in ended)
            assert made[-1].sha_after == sha256(book.read_bytes())
    assert told > 0
