"""Measures whole processes of Arbitro, on ordinary and on huge campaigns.

    python benchmarks/run.py [--rounds N] [--write]

Every command runs N times (5 at least), taking turns with a reference process that only loads and saves
the same workbook with openpyxl; reading alone is compared with a process that only loads it. A campaign of
three hundred turns is compared with itself at its tenth and its hundredth. Medians are shown, as seconds and as
ratios to the reference, with the peak memory of each process. `--write` puts the table into benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from dev import compile_modules  # noqa: E402

README = ROOT / "benchmarks" / "README.md"
START, END = "<!-- figures: made by run.py --write -->", "<!-- end of figures -->"
ARBITRO = str(Path(sys.executable).with_name("arbitro"))
LOAD_AND_SAVE = "import sys, openpyxl; openpyxl.load_workbook(sys.argv[1]).save(sys.argv[1])"
LOAD = "import sys, openpyxl; openpyxl.load_workbook(sys.argv[1])"
STEPS = str(ROOT / "benchmarks" / "steps.py")
FEWEST_ROUNDS = 5
CREW_CAMPAIGNS, CREW_BUNDLE, HANDED = 40, 5, 200
"""What `laboratory.py` plays by each crew, in bundles of how many, and how many empty bundles it hands over."""
AGES = 10, 100, 300
ENVIRONMENT = {**os.environ, "OPENPYXL_LXML": "False", "PYTHONPATH": str(ROOT), "ARBITRO_NO_PICTURES": "1"}
"""openpyxl without lxml, which Arbitro uses only for mails. Pictures are measured separately."""
PICTURED = ("env", "-u", "ARBITRO_NO_PICTURES", ARBITRO)


@dataclass(frozen=True)
class Run:
    """One run of a process: seconds by the clock and of the processor, peak memory in MiB."""

    seconds: float
    busy: float
    peak: float


@dataclass
class Measured:
    """All runs of one command: seconds each, as the clock and as the processor has them, and the greatest
    peak memory in MiB.
    """

    name: str
    seconds: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    peak: float = 0.0

    def add(self, run: Run) -> None:
        """Take in one run."""
        self.seconds.append(run.seconds)
        self.busy.append(run.busy)
        self.peak = max(self.peak, run.peak)

    @property
    def median(self) -> float:
        """The median of the runs, in seconds of the clock."""
        return statistics.median(self.seconds)

    @property
    def effort(self) -> float:
        """The median of the runs, in seconds of the processor."""
        return statistics.median(self.busy)


@dataclass(frozen=True)
class Task:
    """A command to measure. `command` makes its words from the workbook; `accept`: good exit codes."""

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
    done = subprocess.run([ARBITRO, *map(str, words)], capture_output=True, text=True, check=False, env=ENVIRONMENT)
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


def step(name: str, book: Path) -> list[str]:
    """A process that takes a workbook and the one that it becomes by a summer round."""
    return [sys.executable, STEPS, name, str(book), f"{book.parent}/later/{book.name}"]


def wallingford(folder: Path) -> Path:
    """The second rulebook's scenario with its script, before its fourth day, the one with most battles."""
    book = folder / "wallingford.xlsx"
    arbitro("new", "anarchy", book, "--from", ROOT / "workbook_templates" / "anarchy" / "wallingford-1139")
    arbitro("resolve", book, "--until", "3.close")
    return book


OTHERS = {"esdef-beginning": "incursio", "borderlands": "warriors", "tanaephis": "bloodlust"}
"""The scenarios of the other rulebooks, each with its script."""
PHASES = 12
CASES = (Case("italy-1500", italy, "one summer round", "r3.siege"),
         Case("wallingford-1139", wallingford, "one day", "4.close"),
         Case("synthetic", synthetic, "one summer round", "r3.siege"))
REFERENCE = Task("load and save with openpyxl", lambda book: [sys.executable, "-c", LOAD_AND_SAVE, str(book)])

RESOLVE = ("resolve", "--defaults", "--yes")
ONE_PHASE = Task("arbitro resolve, one phase", lambda book: [ARBITRO, *RESOLVE, str(book)])


def tasks(case: Case) -> tuple[Task, ...]:
    """What is measured on a campaign, the reference first; no reports of synthetic, which take minutes."""
    commands = (
        REFERENCE,
        Task("arbitro check", lambda book: [ARBITRO, "check", str(book)], (0, 1)),
        Task("arbitro resolve, one phase", lambda book: [ARBITRO, "resolve", str(book)]),
        Task(f"arbitro resolve, {case.several}", lambda book: [ARBITRO, "resolve", str(book), "--until", case.until]),
        Task("arbitro report, all factions",
             lambda book: [ARBITRO, "report", str(book), "--out", f"{book.parent}/out"]),
    )
    return commands[:-1] if case.name == "synthetic" else commands


READINGS = (
    Task("load with openpyxl", lambda book: [sys.executable, "-c", LOAD, str(book)]),
    Task("every cell read", lambda book: [sys.executable, STEPS, "cells", str(book)]),
    Task("the campaign read", lambda book: [sys.executable, STEPS, "campaign", str(book)]),
)


WRITINGS = (
    REFERENCE,
    Task("two campaigns read", lambda book: step("both", book)),
    Task("two read, one written", lambda book: step("write", book)),
)


def measure(command: Sequence[str], accept: tuple[int, ...], log: Path) -> Run:
    """Run a process to its end. Raises RuntimeError if it fails."""
    with log.open("wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accept:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}\n{log.read_text(errors='replace')}")
    peak = usage.ru_maxrss / (1 if sys.platform != "darwin" else 1024) / 1024
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak)


def run_script(log: Path, name: str, *words: str) -> tuple[Any, float]:
    """Run a script of this folder: what it prints last, as JSON, and its peak memory."""
    peak = measure([sys.executable, str(ROOT / "benchmarks" / name), *words], (0,), log).peak
    return json.loads(log.read_text().splitlines()[-1]), peak


def add_rows(measured: Sequence[Measured], rows: Iterable[tuple[float, float]], peak: float) -> None:
    """Take in a run of each: seconds by the clock and of the processor."""
    for one, (wall, busy) in zip(measured, rows, strict=True):
        one.add(Run(wall, busy, peak))


def measure_tasks(tasks: Sequence[Task], clean: Path, book: str, rounds: int, work: Path) -> list[Measured]:
    """Tasks on a fresh copy of a folder each time, taking turns. `book`: the workbook's name in it."""
    found = {task.name: Measured(task.name) for task in tasks}
    for number in range(rounds):
        for task in tasks:
            copy = work / f"{clean.name}-{number}"
            shutil.copytree(clean, copy, ignore=shutil.ignore_patterns("csv"))
            found[task.name].add(measure(task.command(copy / book), task.accept, work / "log"))
            shutil.rmtree(copy)
    return list(found.values())


def measure_case(case: Case, rounds: int, work: Path) -> dict[str, list[Measured]]:
    """Everything on one campaign: what commands take, and what reading alone takes."""
    clean = work / case.name
    clean.mkdir()
    book = case.prepare(clean)
    shutil.copytree(clean, clean / "later", ignore=shutil.ignore_patterns("csv", "later"))
    arbitro("resolve", clean / "later" / book.name, "--until", case.until, accept=(0, 3))
    commands = measure_tasks(tasks(case), clean, book.name, rounds, work)
    reference, read, wrote = measure_tasks(WRITINGS, clean, book.name, rounds, work)
    only = Measured(f"the changes of {case.several} written",
                    [b - a for a, b in zip(read.seconds, wrote.seconds, strict=True)],
                    [b - a for a, b in zip(read.busy, wrote.busy, strict=True)], wrote.peak)
    return {case.name: commands,
            f"{case.name}, reading": measure_tasks(READINGS, clean, book.name, rounds, work),
            f"{case.name}, writing": [reference, read, wrote, only]}


def measure_phases(scenario: str, rounds: int, work: Path) -> list[Measured]:
    """The first phases of a scenario, each on the workbook that the one before it left: of them the one that takes most
    beside openpyxl's load and save of the same workbook.
    """
    clean = work / scenario
    clean.mkdir()
    home = ROOT / "workbook_templates" / OTHERS[scenario] / scenario
    arbitro("new", OTHERS[scenario], clean / "book.xlsx", "--from", home)
    phase = Task(f"arbitro resolve, the slowest of {PHASES} phases", ONE_PHASE.command)
    pairs = []
    for _ in range(PHASES):
        pairs.append(measure_tasks((REFERENCE, phase), clean, "book.xlsx", rounds, work))
        arbitro(*RESOLVE, clean / "book.xlsx")
    return max(pairs, key=lambda pair: pair[1].effort / pair[0].effort)


def measure_large_ledgers(rounds: int, work: Path) -> dict[str, list[Measured]]:
    """Of the first phases of each scenario the one that takes most, with its own ledger and a large one; and mails
    beside the large one.
    """
    found = {f"{scenario}, ledger": measure_large_ledger(scenario, ruleset, rounds, work)
             for scenario, ruleset in {"italy-1500": "giglio", "wallingford-1139": "anarchy", **OTHERS}.items()}
    return {**found, "ten mails, ledger": measure_mails(work / "italy-1500-large" / "book.arbitro", rounds, work)}


def measure_large_ledger(scenario: str, ruleset: str, rounds: int, work: Path) -> list[Measured]:
    """The slowest of the first phases of a scenario."""
    clean, own, large = (work / f"{scenario}-{name}" for name in ("clean", "own", "large"))
    clean.mkdir()
    arbitro("new", ruleset, clean / "book.xlsx", "--from", ROOT / "workbook_templates" / ruleset / scenario)
    most = 0.0
    for _ in range(PHASES):
        [one] = measure_tasks([ONE_PHASE], clean, "book.xlsx", 1, work)
        if one.effort > most:
            most = one.effort
            shutil.rmtree(own, ignore_errors=True)
            shutil.copytree(clean, own)
        arbitro(*RESOLVE, clean / "book.xlsx")
    shutil.copytree(own, large)
    run_script(work / "log", "ledgers.py", "fill", str(large / "book.arbitro"))
    found = [Measured(name) for name in (REFERENCE.name, f"arbitro resolve, the slowest of {PHASES} phases",
                                         "the same beside a ledger of 20 MB")]
    for _ in range(rounds):
        for one, task, folder in zip(found, (REFERENCE, ONE_PHASE, ONE_PHASE), (own, own, large), strict=True):
            [run] = measure_tasks([task], folder, "book.xlsx", 1, work)
            one.add(Run(run.seconds[0], run.busy[0], run.peak))
    return found


def measure_mails(ledger: Path, rounds: int, work: Path) -> list[Measured]:
    """Ten mails of which a ledger of 20 MB notes that they leave and that they were taken, beside the same 21 files
    written and flushed alone.
    """
    found = [Measured(f"21 files of {ledger.stat().st_size // 1_000_000} MB written and flushed"),
             Measured("ten mails noted, each before the next goes")]
    for _ in range(rounds):
        for one, what in zip(found, ("files", "mails"), strict=True):
            copy = Path(shutil.copyfile(ledger, work / "mails.arbitro"))
            seconds, peak = run_script(work / "log", "ledgers.py", what, str(copy))
            add_rows([one], [seconds], peak)
    return found


def measure_age(rounds: int, work: Path) -> list[Measured]:
    """A phase of a campaign's hundredth turn and of its three hundredth beside one of its tenth, every turn played by
    its own command.
    """
    from benchmarks import endless

    endless.write(work / "road-csv")
    endless.install(work / "plugin")
    ENVIRONMENT["PYTHONPATH"] = f"{work / 'plugin'}{os.pathsep}{ROOT}"
    road = work / "road"
    road.mkdir()
    arbitro("new", "longroad", road / "road.xlsx", "--from", work / "road-csv")
    ages = {}
    for turn in range(1, max(AGES) + 1):
        if turn in AGES:
            ages[turn] = work / f"turn-{turn}"
            shutil.copytree(road, ages[turn])
        arbitro("resolve", road / "road.xlsx")
    found = {turn: Measured(f"arbitro resolve, turn {turn}") for turn in ages}
    for _ in range(rounds):
        for turn, clean in ages.items():
            [one] = measure_tasks(tasks(CASES[0])[2:3], clean, "road.xlsx", 1, work)
            found[turn].add(Run(one.seconds[0], one.busy[0], one.peak))
    return list(found.values())


def measure_start(rounds: int, work: Path) -> list[Measured]:
    """`arbitro --help` beside a Python that does nothing."""
    commands = {"python, nothing else": [sys.executable, "-c", "pass"], "arbitro --help": [ARBITRO, "--help"]}
    found = {name: Measured(name) for name in commands}
    for _ in range(max(rounds, 2 * FEWEST_ROUNDS)):
        for name, command in commands.items():
            found[name].add(measure(command, (0,), work / "log"))
    return list(found.values())


def measure_years(rounds: int, work: Path) -> list[Measured]:
    """The years of a campaign of robots, all played by one process: the second, the fifth, and one of five."""
    years = [Measured(name) for name in ("year 2", "year 5", "a year of five")]
    for _ in range(rounds):
        played, peak = run_script(work / "log", "years.py")
        wall, busy = map(statistics.mean, zip(*played, strict=True))
        add_rows(years, (played[1], played[4], (wall, busy)), peak)
    years[-1].name += f", {60 / years[-1].effort:.0f} a minute and core"
    return years


def measure_laboratory(rounds: int, work: Path) -> dict[str, list[Measured]]:
    """Turns of robots of each rulebook; the same campaigns by one and two plain processes, and workers of Dask; what
    Dask takes for a bundle beside its play.
    """
    script, log = "laboratory.py", work / "log"
    found: dict[str, list[Measured]] = {}
    for ruleset in ("giglio", *sorted({"anarchy", *OTHERS.values()})):
        name = f"laboratory, {ruleset}"
        found[name] = [Measured("")]
        for _ in range(rounds):
            (wall, busy, turns), peak = run_script(log, script, "turns", ruleset)
            found[name][0].add(Run(wall, busy, peak))
        found[name][0].name = f"{turns} turns of robots, {60 * turns / found[name][0].effort:.0f} a minute and core"
    crews = dict[str, Measured]()
    handed = Measured(f"Dask's own time for a bundle, {HANDED} of them")
    for _ in range(rounds):
        played, peak = run_script(log, script, "workers")
        for crew, wall in played.items():
            crews.setdefault(crew, Measured(f"{CREW_CAMPAIGNS} campaigns by {crew}")).add(Run(wall, wall, peak))
        wall = HANDED * run_script(log, script, "handover")[0]
        handed.add(Run(wall, wall, 0))
    return {**found, "laboratory, crews (clock only)": [*crews.values(), handed]}


def measure_copies(rounds: int, work: Path) -> list[Measured]:
    """Clubs' copies of the ordinary campaign before its first orders: written by openpyxl alone, shared, collected; and
    the mails that carry them.
    """
    clean = work / "copies"
    clean.mkdir()
    arbitro("new", "giglio", clean / "italy.xlsx", "--from", ROOT / "workbook_templates" / "giglio" / "italy-1500")
    arbitro("resolve", clean / "italy.xlsx", "--until", "income")
    found = [Measured(name) for name in ("the cells of all copies written with openpyxl alone", "all copies shared",
                                         "packages for ten clubs", "ten filled copies collected")]
    for number in range(rounds):
        folder = work / f"copies-{number}"
        shutil.copytree(clean, folder)
        add_rows(found, *run_script(work / "log", "copies.py", str(folder / "italy.xlsx")))
        shutil.rmtree(folder)
    return found


def measure_sentences(rounds: int, work: Path) -> dict[str, list[Measured]]:
    """Two hundred lines in words in each rulebook, with the groups of its scenario and with two thousand."""
    found: dict[str, list[Measured]] = {}
    for _ in range(rounds):
        books, peak = run_script(work / "log", "sentences.py")
        for book, runs in books.items():
            measured = found.setdefault(f"{book}, in words", [
                Measured("200 lines, the groups of the scenario"), Measured("200 lines, 2,000 groups")])
            add_rows(measured, runs, peak)
    return found


def measure_with_maps(rounds: int, work: Path) -> list[Measured]:
    """A phase without the map's sheet in the workbook and with it; all reports without pictures and with them, and two
    maps for each club alone.
    """
    plain, shown = work / "plain", work / "shown"
    plain.mkdir()
    book = italy(plain).name
    shutil.copytree(plain, shown)
    arbitro("map", shown / book, "--sheet")
    reporting = [Task(f"arbitro report, {how}", lambda at, door=door: [  # type: ignore[misc]
        *door, "report", str(at), "--out", f"{at.parent}/out"]) for how, door in (
        ("without pictures", (ARBITRO,)), ("ten clubs' maps and charts", PICTURED))]
    reporting.append(Task("ten clubs' two maps each alone", lambda at: [
        sys.executable, str(ROOT / "benchmarks" / "pictures.py"), str(at)]))
    phase = tasks(CASES[0])[2:3]
    found = [*measure_tasks(phase, plain, book, rounds, work), *measure_tasks(phase, shown, book, rounds, work)]
    found[1].name += ", with the map's sheet"
    return [*found, *measure_tasks(reporting, plain, book, rounds, work)]


def measure_pictures(rounds: int, work: Path) -> list[Measured]:
    """The map of the ordinary campaign: what resvg takes alone on its SVG, the whole map, and the first one."""
    found = [Measured(name) for name in ("resvg alone on the same SVG", "a map from its scene to the palette",
                                         "the first map, libraries loaded")]
    scenario = str(ROOT / "workbook_templates" / "giglio" / "italy-1500")
    for _ in range(rounds):
        add_rows(found, *run_script(work / "log", "pictures.py", scenario))
    return found


def lines_of(title: str, measured: Sequence[Measured]) -> list[str]:
    """One campaign's part of the table; the first measurement is the reference."""
    first = measured[0]
    return [f"| {title} | {one.name} | {one.median:.2f} | {one.median / first.median:.2f} | {one.effort:.2f} "
            f"| {one.effort / first.effort:.2f} | {min(one.seconds):.2f} to {max(one.seconds):.2f} | {one.peak:.0f} |"
            for one in measured]


def report(results: dict[str, list[Measured]], rounds: int) -> str:
    """The table in Markdown."""
    head = ["| campaign | process | median, s | ratio | processor, s | ratio | from, to, s | peak, MiB |",
            "|---|---|---|---|---|---|---|---|"]
    rows = [line for title, measured in results.items() for line in lines_of(title, measured)]
    about = (f"Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} processors; "
             f"medians of {rounds} runs, taking turns.")
    return "\n".join([about, "", *head, *rows])


def write_table(text: str, start: str = START, end: str = END) -> None:
    """Put a table between its marks in the README. Raises IndexError when they are gone."""
    old = README.read_text(encoding="utf-8")
    before, after = old.split(start)[0], old.split(end)[1]
    README.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Measure everything and show the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=FEWEST_ROUNDS)
    options.add_argument("--only", default="", help="start, age, robots, sentences, copies, ledgers, pictures, "
                                                     "laboratory, or a campaign")
    options.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    chosen = options.parse_args()
    rounds = max(chosen.rounds, FEWEST_ROUNDS)
    parts: dict[str, Callable[[Path], dict[str, list[Measured]]]] = {
        "start": lambda work: {"start": measure_start(rounds, work)},
        **{case.name: lambda work, case=case: measure_case(case, rounds, work) for case in CASES},  # type: ignore[misc]
        **{name: lambda work, name=name: {name: measure_phases(name, rounds, work)}  # type: ignore[misc]
           for name in OTHERS},
        "ledgers": lambda work: measure_large_ledgers(rounds, work),
        "sentences": lambda work: measure_sentences(rounds, work),
        "copies": lambda work: {"italy-1500, copies": measure_copies(rounds, work)},
        "pictures": lambda work: {"italy-1500, map": measure_pictures(rounds, work),
                                  "italy-1500, with pictures": measure_with_maps(rounds, work)},
        "robots": lambda work: {"robots, italy-1500": measure_years(rounds, work)},
        "laboratory": lambda work: measure_laboratory(rounds, work),
        "age": lambda work: {f"{max(AGES)} turns": measure_age(rounds, work)}}
    results: dict[str, list[Measured]] = {}
    compile_modules()  # as in an installed package, also where Python may not write
    with tempfile.TemporaryDirectory() as folder:
        for name, part in parts.items():
            if chosen.only in ("", name):
                print(f"{name} ...", file=sys.stderr)
                results.update(part(Path(folder)))
    table = report(results, rounds)
    print(table)
    if chosen.write:
        write_table(table)


if __name__ == "__main__":
    main()
