"""Measures a click: the share of it that is Arbitro's, beside the command that does the same.

    python benchmarks/clicks.py [--rounds N] [--write]

A click starts a process that is told what the open workbook shows, decides, and hands back what is to be written,
over a pipe as in LibreOffice. The program at the other end answers at once, so that its own time is not counted;
the time runs from the start of the process to its last line. `--write` puts the table into benchmarks/README.md.
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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.run import ARBITRO, FEWEST_ROUNDS, README, italy  # noqa: E402

START, END = "<!-- clicks: made by clicks.py --write -->", "<!-- end of clicks -->"
CLICKS = {"check": "arbitro check --mark", "resolve": "arbitro resolve"}
AIMS = {"check": 0.8, "resolve": 1.5}


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


def click(verb: str, request: str) -> float:
    """Seconds of one click. Raises RuntimeError when it does not end well."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "assistant.buttons.pipe"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT)
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


def measured(rounds: int) -> dict[str, tuple[list[float], list[float]]]:
    """Verb -> seconds of the clicks and of the commands, taking turns on fresh copies."""
    found: dict[str, tuple[list[float], list[float]]] = {verb: ([], []) for verb in CLICKS}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "clean").mkdir()
        book = italy(work / "clean")
        for number in range(rounds):
            for verb, (clicks, commands) in found.items():
                copy = work / f"{verb}-{number}"
                shutil.copytree(book.parent, copy)
                request = json.dumps({"verb": verb, "lang": "en", "book": snapshot(copy / book.name)})
                clicks.append(click(verb, request))
                shutil.rmtree(copy)
                shutil.copytree(book.parent, copy)
                commands.append(command(verb, copy / book.name))
                shutil.rmtree(copy)
    return found


def table(found: dict[str, tuple[list[float], list[float]]]) -> str:
    """The table in Markdown."""
    lines = ["| button | click, s | its command, s | ratio | aim, s |", "|---|---|---|---|---|"]
    for verb, (clicks, commands) in found.items():
        one, other = statistics.median(clicks), statistics.median(commands)
        lines.append(f"| {verb} | {one:.2f} ({min(clicks):.2f} to {max(clicks):.2f}) | {other:.2f} ({CLICKS[verb]}) "
                     f"| {one / other:.2f} | {AIMS[verb]} |")
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
