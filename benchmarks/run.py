"""Measures Arbitro as its user meets it: whole processes, on an ordinary and on a huge campaign.

    python benchmarks/run.py [--rounds N] [--write]

Every command runs N times (5 at least), taking turns with a reference process that only loads and saves
the same workbook with openpyxl. Medians are shown, as seconds and as ratios to the reference, with the
peak memory of each process. `--write` puts the table into benchmarks/README.md. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "benchmarks" / "README.md"
START, END = "<!-- figures: made by run.py --write -->", "<!-- end of figures -->"
ARBITRO = str(Path(sys.executable).with_name("arbitro"))
LOAD_AND_SAVE = "import sys, openpyxl; openpyxl.load_workbook(sys.argv[1]).save(sys.argv[1])"
FEWEST_ROUNDS = 5


@dataclass
class Measured:
    """All runs of one command: seconds each, and the greatest peak memory in MiB."""

    name: str
    seconds: list[float] = field(default_factory=list)
    peak: float = 0.0

    @property
    def median(self) -> float:
        """The median of the runs, in seconds."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Task:
    """A command to be measured. `command` makes its words from the workbook; `accept`: good exit codes."""

    name: str
    command: Callable[[Path], Sequence[str]]
    accept: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Case:
    """A campaign to measure on: its name, how its workbook is made in a folder, and several phases of it.

    `several`: what these phases are called; `until`: the last of them.
    """

    name: str
    prepare: Callable[[Path], Path]
    several: str
    until: str


def arbitro(*words: str | Path, accept: tuple[int, ...] = (0,)) -> None:
    """Run one command outside the measurement. Raises RuntimeError when it fails."""
    done = subprocess.run([ARBITRO, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode not in accept:
        raise RuntimeError(f"arbitro {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")


def italy(folder: Path) -> Path:
    """The demo campaign before round 3 of its first summer."""
    book = folder / "italy.xlsx"
    arbitro("new", "giglio", book, "--from", ROOT / "workbook_templates" / "giglio" / "italy-1500")
    arbitro("resolve", book, "--until", "r2.siege")
    return book


def synthetic(folder: Path) -> Path:
    """The huge campaign before round 3 of its first summer."""
    book = folder / "synthetic.xlsx"
    subprocess.run([sys.executable, str(ROOT / "benchmarks" / "synthetic.py"), str(folder / "csv")], check=True)
    arbitro("new", "giglio", book, "--from", folder / "csv")
    return book


def wallingford(folder: Path) -> Path:
    """The second rulebook's scenario with its script, before its fourth day, the one with most battles."""
    book = folder / "wallingford.xlsx"
    arbitro("new", "anarchy", book, "--from", ROOT / "workbook_templates" / "anarchy" / "wallingford-1139")
    arbitro("resolve", book, "--until", "3.close")
    return book


CASES = (Case("italy-1500", italy, "one summer round", "r3.siege"),
         Case("wallingford-1139", wallingford, "one day", "4.close"),
         Case("synthetic", synthetic, "one summer round", "r3.siege"))
REFERENCE = Task("load and save with openpyxl", lambda book: [sys.executable, "-c", LOAD_AND_SAVE, str(book)])


def tasks(case: Case) -> tuple[Task, ...]:
    """What is measured on a campaign, the reference first."""
    return (
        REFERENCE,
        Task("arbitro check", lambda book: [ARBITRO, "check", str(book)], (0, 1)),
        Task("arbitro resolve, one phase", lambda book: [ARBITRO, "resolve", str(book)]),
        Task(f"arbitro resolve, {case.several}", lambda book: [ARBITRO, "resolve", str(book), "--until", case.until]),
        Task("arbitro report, all factions",
             lambda book: [ARBITRO, "report", str(book), "--out", f"{book.parent}/out"]),
    )


def measure(command: Sequence[str], accept: tuple[int, ...], log: Path) -> tuple[float, float]:
    """Run a process to its end: wall time in seconds, peak memory in MiB. Raises RuntimeError if it fails."""
    with log.open("wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accept:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}\n{log.read_text(errors='replace')}")
    return seconds, usage.ru_maxrss / (1 if sys.platform != "darwin" else 1024) / 1024


def measure_case(case: Case, rounds: int, work: Path) -> list[Measured]:
    """Every task on a fresh copy of the campaign each time, the tasks taking turns."""
    clean = work / case.name
    clean.mkdir()
    book = case.prepare(clean)
    found = {task.name: Measured(task.name) for task in tasks(case)}
    for number in range(rounds):
        for task in tasks(case):
            copy = work / f"{case.name}-{number}"
            shutil.copytree(clean, copy, ignore=shutil.ignore_patterns("csv"))
            seconds, peak = measure(task.command(copy / book.name), task.accept, work / "log")
            found[task.name].seconds.append(seconds)
            found[task.name].peak = max(found[task.name].peak, peak)
            shutil.rmtree(copy)
    return list(found.values())


def measure_start(rounds: int, work: Path) -> list[Measured]:
    """`arbitro --help` beside a Python that does nothing."""
    commands = {"python, nothing else": [sys.executable, "-c", "pass"], "arbitro --help": [ARBITRO, "--help"]}
    found = {name: Measured(name) for name in commands}
    for _ in range(max(rounds, 2 * FEWEST_ROUNDS)):
        for name, command in commands.items():
            seconds, peak = measure(command, (0,), work / "log")
            found[name].seconds.append(seconds)
            found[name].peak = max(found[name].peak, peak)
    return list(found.values())


def lines_of(title: str, measured: Sequence[Measured]) -> list[str]:
    """One campaign's part of the table; the first measurement is the reference."""
    floor = measured[0].median
    rows = [f"| {title} | {one.name} | {one.median:.2f} | {one.median / floor:.2f} | {one.median - floor:+.2f} "
            f"| {min(one.seconds):.2f} to {max(one.seconds):.2f} | {one.peak:.0f} |" for one in measured]
    return rows


def report(results: dict[str, list[Measured]], rounds: int) -> str:
    """The table in Markdown."""
    head = ["| campaign | process | median, s | ratio to the reference | beyond it, s | from, to, s | peak, MiB |",
            "|---|---|---|---|---|---|---|"]
    rows = [line for title, measured in results.items() for line in lines_of(title, measured)]
    about = (f"Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} processors; "
             f"medians of {rounds} runs, taking turns.")
    return "\n".join([about, "", *head, *rows])


def write_table(text: str) -> None:
    """Put the table between its marks in the README. Raises ValueError when the marks are gone."""
    old = README.read_text(encoding="utf-8")
    before, after = old.split(START)[0], old.split(END)[1]
    README.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Measure everything and show the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=FEWEST_ROUNDS)
    options.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    chosen = options.parse_args()
    rounds = max(chosen.rounds, FEWEST_ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        results = {"start": measure_start(rounds, Path(folder))}
        for case in CASES:
            print(f"{case.name} ...", file=sys.stderr)
            results[case.name] = measure_case(case, rounds, Path(folder))
    table = report(results, rounds)
    print(table)
    if chosen.write:
        write_table(table)


if __name__ == "__main__":
    main()
