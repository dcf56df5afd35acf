"""Commands that are killed right before a write call, or whose disk is full from there on, or ill at that moment: what
they were to change is as it was or as it was to be, and the next command goes on from there.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from assistant import desk
from assistant.cli import main
from assistant.desk.results import Exit
from assistant.environment import backup_folder
from assistant.ledger import LEDGER_SUFFIX, Ledger, new_file_path, path_of_ledger, trouble_with
from assistant.workbook.save import files_saved_meanwhile, has_leftovers
from tests.desk.conftest import copied
from tests.desk.test_damage import chest_by_hand
from tests.desk.test_killed import ROOT, whole
from tests.desk.write_calls import LATE
from tests.sweeps import fast_among, of_proof

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "resolve": ("resolve",), "orders": ("orders", "A: M2"), "undo": ("undo",),
    "accept": ("accept", "--all", "--why", "a prize"),
    "correct": ("correct", "battle B1.M1 A 2", "--why", "misread", "--commit")}
SHARES, SEED = 12, 29
KILLS = of_proof(60, 300)
"""So many kills in all shares together, spread over the calls of all commands."""
Run = Callable[..., tuple[int, int]]


@dataclass(frozen=True)
class Start:
    """A campaign before a command, its words, and how one whole run goes: what it leaves, how many calls it makes."""

    folder: Path
    words: tuple[str, ...]
    old: bytes
    new: bytes
    calls: int


@pytest.fixture(scope="module")
def run(plugin: Path) -> Iterator[Run]:
    """Runs a command that is stopped in a way, at one of its calls: how it ended, and how many calls it came to."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), str(ROOT)])}
    forking = subprocess.Popen([sys.executable, "-m", "tests.desk.write_calls"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env)

    def one(book: Path, words: tuple[str, ...], how: str, at: int = 0) -> tuple[int, int]:
        assert forking.stdin is not None
        assert forking.stdout is not None
        forking.stdin.write("\t".join([how, str(at), words[0], str(book), *words[1:]]) + "\n")
        forking.stdin.flush()
        ended, count = forking.stdout.readline().split()
        return int(ended), int(count)

    yield one
    assert forking.stdin is not None
    forking.stdin.close()
    forking.wait(timeout=20)


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory, marched: Path, first_turn: Path, run: Run) -> dict[str, Start]:
    """The campaign before each command: the first turn's last phase, or what came after it."""
    fight = copied(marched, tmp_path_factory.mktemp("fight"))
    desk.resolve(fight, until="clash", defaults=True)
    desk.take_orders(fight, [desk.Input("battle B1.M1 A 3", text="battle B1.M1 A 3")])
    prize = copied(first_turn, tmp_path_factory.mktemp("prize"))
    chest_by_hand(prize)
    made = {}
    for name, words in COMMANDS.items():
        folder = {"resolve": fight.parent, "accept": prize.parent}.get(name, first_turn)
        run(copied(folder, tmp_path_factory.mktemp("warm")), words, "warm")
        book = copied(folder, tmp_path_factory.mktemp("whole"))
        old = book.read_bytes()
        ended, calls = run(book, words, "kill")
        assert ended == Exit.DONE, name
        made[name] = Start(folder, words, old, book.read_bytes(), calls)
    return made


def sound(book: Path, start: Start, at: str) -> None:
    """The workbook is the old one or the new one; the next command finds ledger and workbook of one moment, takes away
    what lies about and accuses nobody; the command can be given again.
    """
    left = book.read_bytes()
    assert left in (start.old, start.new), at
    whole(book)
    looked = desk.history(book)
    assert (looked.exit, book.read_bytes(), has_leftovers(book)) == (Exit.DONE, left, False), at
    assert not new_file_path(path_of_ledger(book)).exists(), at
    assert trouble_with(path_of_ledger(book), "") is None, at
    for backup in backup_folder(book).glob(f"*{LEDGER_SUFFIX}"):
        assert trouble_with(backup, "") is None, f"{at}: {backup.name}"
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert [s.state for s in ledger.steps() if s.state != "done"] == [], at
    stands = desk.status(book)
    by_hand = left == start.old and start.words[0] == "accept"
    assert (stands.exit, bool(stands.data["by_hand"])) == (Exit.DONE, by_hand), at
    if left == start.old:
        again = CliRunner().invoke(main, [start.words[0], str(book), *start.words[1:]])
        assert again.exit_code == Exit.DONE, f"{at}: {again.output}"
    assert book.read_bytes() == start.new, at
    verified = desk.verify(book, lang="en")
    assert verified.data["verified"], f"{at}: {verified.finding_lines()}"


def stopped_at(starts: Mapping[str, Start], how: str, share: int, count: int) -> list[tuple[str, int]]:
    """The commands and calls of a share: of all shares together so many, spread over all calls."""
    every = [(name, at) for name, start in starts.items() for at in range(1, start.calls + 1)]
    chance = random.Random(f"{SEED} {how}")
    chosen = every * (count // len(every)) + chance.sample(every, count % len(every))
    return sorted(chosen)[share::SHARES]


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_a_kill_at_a_write_call_loses_nothing(share: int, starts: dict[str, Start], run: Run, tmp_path: Path) -> None:
    """So many in all shares."""
    for number, (name, at) in enumerate(stopped_at(starts, "kill", share, KILLS)):
        book = copied(starts[name].folder, tmp_path / str(number))
        assert run(book, starts[name].words, "kill", at)[0] == -9
        sound(book, starts[name], f"{name} {at}")
        shutil.rmtree(book.parent)


@pytest.mark.slow
@pytest.mark.parametrize(("how", "share"), [*product(("full", "once"), range(SHARES))])
def test_a_disk_that_fails_at_a_write_call_loses_nothing(how: str, share: int, starts: dict[str, Start], run: Run,
                                                         tmp_path: Path) -> None:
    """Full from there on, or ill once: whoever is told that nothing was changed finds it so, and can go on later."""
    for number, (name, at) in enumerate(stopped_at(starts, how, share, KILLS // 2)):
        book = copied(starts[name].folder, tmp_path / str(number))
        ended, _ = run(book, starts[name].words, how, at)
        assert ended in (Exit.DONE, Exit.LEDGER, Exit.FILE), f"{name} {at}"
        if ended:
            assert book.read_bytes() == starts[name].old, f"{how} {name} {at}"
        sound(book, starts[name], f"{how} {name} {at}")
        shutil.rmtree(book.parent)


@pytest.mark.parametrize("name", fast_among(COMMANDS, "resolve", "accept"))
def test_a_folder_where_nothing_may_be_written_stays_as_it_is(name: str, starts: dict[str, Start], run: Run,
                                                              tmp_path: Path) -> None:
    """Refused, and carried out as soon as it may."""
    book = copied(starts[name].folder, tmp_path)
    assert run(book, starts[name].words, "denied", 1)[0] in (Exit.LEDGER, Exit.FILE)
    assert book.read_bytes() == starts[name].old
    sound(book, starts[name], name)


@pytest.mark.slow
@pytest.mark.parametrize(("how", "share"), [(how, share) for share in range(SHARES) for how in LATE])
def test_what_another_program_saves_meanwhile_outlives_a_kill(how: str, share: int, starts: dict[str, Start], run: Run,
                                                              tmp_path: Path) -> None:
    """It keeps its place or lies beside; workbook and ledger are of one moment, nobody is accused, all goes on."""
    for number, (name, at) in enumerate(stopped_at(starts, how, share, KILLS // 4)):
        start, at_call = starts[name], f"{how} {name} {at}"
        book = copied(start.folder, tmp_path / str(number))
        late = book.with_suffix(".late")
        by_another = openpyxl.load_workbook(book)
        by_another.create_sheet("Ours")
        by_another.save(late)
        saved = late.read_bytes()
        run(book, start.words, how, at)
        assert desk.history(book).exit == Exit.DONE, at_call
        beside = [path.read_bytes() for path in files_saved_meanwhile(book)]
        assert late.exists() or saved in (book.read_bytes(), *beside), at_call
        assert beside in ([], [saved]), at_call
        assert book.read_bytes() in (start.old, start.new, saved), at_call
        assert not has_leftovers(book), at_call
        shown = desk.status(book)
        by_hand = book.read_bytes() != start.new and name == "accept"
        assert (shown.exit, bool(shown.data["by_hand"])) == (Exit.DONE, by_hand), at_call
        assert [one.code for one in shown.findings if one.code == "ARB-394"] == ["ARB-394"] * len(beside), at_call
        if book.read_bytes() != start.new:
            again = CliRunner().invoke(main, [name, str(book), *start.words[1:]])
            assert again.exit_code == Exit.DONE, f"{at_call}: {again.output}"
        assert desk.verify(book, lang="en").data["verified"], at_call
        shutil.rmtree(book.parent)
