"""Measures a click: the share of it that is Arbitro's, beside the command that does the same.

    python benchmarks/clicks.py [--rounds N] [--write]

A click starts a process that is told what the open workbook shows, decides, and hands back what is to be written,
over a pipe as in LibreOffice. The program at the other end answers at once, so that its own time is not counted;
the time runs from the start of the process to its last line. The macros of Excel start the same by xlwings'
`RunPython`, which loads xlwings first; that is measured with the command line that it makes, and the same pipe, for
there is no Excel here. `--write` puts the table into benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.run import ARBITRO, FEWEST_ROUNDS, README, italy  # noqa: E402

START, END = "<!-- clicks: made by clicks.py --write -->", "<!-- end of clicks -->"
CLICKS = {"check": "arbitro check --mark", "resolve": "arbitro resolve"}
AIMS = {"check": 0.8, "resolve": 1.5}
STARTS = {
    "LibreOffice": ["-m", "assistant.buttons.pipe"],
    "Excel": ["-B", "-c", "import xlwings.utils;xlwings.utils.prepare_sys_path(\"\"); "
                          "from assistant.buttons import pipe; pipe.main()"],
}
"""How each program's buttons start Python; Excel's as in ``ExecuteWindows`` of xlwings' module."""


def snapshot(path: Path) -> dict[str, Any]:
    """What a program would say of an open workbook that looks as its file does."""
    from assistant.workbook.live.host import plain
    from assistant.workbook.ooxml.book import OoxmlBook

    book = OoxmlBook(path.read_bytes())
    sheets = []
    for title in book.sheets:
        rows = book.rows(title)
        width = max((max(cells) for cells in rows.values() if cells), default=1)
        values = [[plain(rows[row][column].value) if column in rows.get(row, {}) else None
                   for column in range(1, width + 1)] for row in range(1, max(rows, default=0) + 1)]
        sheets.append({"title": title, "top": 1, "left": 1, "values": values, "formulas": {}, "notes": [],
                       "widths": {str(column): 12 for column in range(1, width + 1)}})
    tables = [{"name": t.name, "sheet": t.sheet, "area": str(t.area), "totals": t.totals, "heads": t.heads}
              for t in book.tables()]
    return {"name": path.name, "path": str(path), "names": book.names, "tables": tables, "sheets": sheets}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """What the program at the other end says, at once."""
    if "fills" in message:
        return {"fills": {one["sheet"]: dict.fromkeys(one["cells"], "") for one in message["fills"]}}
    return {"yes": True} if "ask" in message else {"ok": True}


def click(verb: str, request: str, arguments: list[str]) -> float:
    """Seconds of one click. `arguments`: of Python. Raises RuntimeError when it does not end well."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               encoding="utf-8", cwd=ROOT)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(request + "\n")
    process.stdin.flush()
    for line in process.stdout:
        message = json.loads(line)
        if "done" in message:
            seconds = time.perf_counter() - start
            process.stdin.close()
            process.wait()
            if message["done"]["exit"] not in (0, 1, 3):
                raise RuntimeError(f"{verb}: {message['done']['lines']}")
            return seconds
        if "say" not in message:
            process.stdin.write(json.dumps(answer(message)) + "\n")
            process.stdin.flush()
    raise RuntimeError(f"{verb}: no answer")


def command(verb: str, book: Path) -> float:
    """Seconds of the command that does the same on the file."""
    words = [ARBITRO, verb, str(book), *(["--mark"] if verb == "check" else [])]
    start = time.perf_counter()
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr.decode()}")
    return time.perf_counter() - start


@dataclass
class Seconds:
    """Of one button. `clicks`: by program; `commands`: of the command that does the same."""

    clicks: dict[str, list[float]] = field(default_factory=lambda: {program: [] for program in STARTS})
    commands: list[float] = field(default_factory=list)


def measured(rounds: int) -> dict[str, Seconds]:
    """Verb -> what its clicks and its command take, taking turns on fresh copies."""
    found = {verb: Seconds() for verb in CLICKS}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "clean").mkdir()
        book = italy(work / "clean")
        copy = work / "copy"
        for _ in range(rounds):
            for verb, seconds in found.items():
                for program, arguments in STARTS.items():
                    shutil.copytree(book.parent, copy)
                    request = json.dumps({"verb": verb, "lang": "en", "book": snapshot(copy / book.name)})
                    seconds.clicks[program].append(click(verb, request, arguments))
                    shutil.rmtree(copy)
                shutil.copytree(book.parent, copy)
                seconds.commands.append(command(verb, copy / book.name))
                shutil.rmtree(copy)
    return found


def table(found: dict[str, Seconds]) -> str:
    """The table in Markdown."""
    lines = ["| button | in | click, s | its command, s | ratio | aim, s |", "|---|---|---|---|---|---|"]
    for verb, seconds in found.items():
        other = statistics.median(seconds.commands)
        for program, clicks in seconds.clicks.items():
            one = statistics.median(clicks)
            lines.append(f"| {verb} | {program} | {one:.2f} ({min(clicks):.2f} to {max(clicks):.2f}) "
                         f"| {other:.2f} ({CLICKS[verb]}) | {one / other:.2f} | {AIMS[verb]} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and show."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=FEWEST_ROUNDS)
    options.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    chosen = options.parse_args()
    text = table(measured(max(chosen.rounds, FEWEST_ROUNDS)))
    print(text)
    if chosen.write:
        old = README.read_text(encoding="utf-8")
        before, after = old.split(START)[0], old.split(END)[1]
        README.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
