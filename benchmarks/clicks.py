"""Measures a click: the share of it that is Arbitro's, beside the command that does the same.

    python benchmarks/clicks.py [--rounds N] [--write]

In LibreOffice the click is real: the extension is installed, the workbook stands in a window on a virtual screen,
and the button's address is dispatched there; the time runs until the sheet is finished. What LibreOffice itself
takes to save the workbook in the midst of it is shown apart and taken off.

There is no Excel here. Its macros start Python by xlwings' `RunPython`, which loads xlwings first: that is measured
with the command line that it makes and a pipe whose other end answers at once, so that what Excel itself would take
is not in it. `--write` puts the table into benchmarks/README.md.
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

from benchmarks.run import ARBITRO, FEWEST_ROUNDS, italy, write_table  # noqa: E402

START, END = "<!-- clicks: made by clicks.py --write -->", "<!-- end of clicks -->"
CLICKS = {"check": "arbitro check --mark", "resolve": "arbitro resolve"}
AIMS = {"check": 0.8, "resolve": 1.5}
RATIO = 1.3
EXCEL = ["-B", "-c", "import xlwings.utils;xlwings.utils.prepare_sys_path(\"\"); "
                     "from assistant.buttons import press; press.main()"]
"""How Excel's buttons start Python, as in ``ExecuteWindows`` of xlwings' module."""


def snapshot(path: Path) -> dict[str, Any]:
    """What Excel would report of an open workbook with the content of this file."""
    from assistant.workbook.ooxml.book import OoxmlBook
    from assistant.workbook.port import to_json_value

    book = OoxmlBook(path.read_bytes())
    sheets = []
    for title in book.sheets:
        rows = book.rows(title)
        width = max((max(cells) for cells in rows.values() if cells), default=1)
        values = [[to_json_value(rows[row][column].value) if column in rows.get(row, {}) else None
                   for column in range(1, width + 1)] for row in range(1, max(rows, default=0) + 1)]
        sheets.append({"title": title, "top": 1, "left": 1, "values": values, "formulas": {}, "notes": [],
                       "widths": {str(column): 12 for column in range(1, width + 1)}})
    tables = [{"name": t.name, "sheet": t.sheet, "area": str(t.area), "totals": t.totals, "heads": t.heads}
              for t in book.tables()]
    return {"name": path.name, "path": str(path), "names": book.names, "tables": tables, "sheets": sheets}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """An immediate reply in the place of Excel."""
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
    """Seconds of the command that does the same to the file."""
    words = [ARBITRO, verb, str(book), *(["--mark"] if verb == "check" else [])]
    start = time.perf_counter()
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr.decode()}")
    return time.perf_counter() - start


def office_click(verb: str, clean: Path, place: Path) -> tuple[float, float]:
    """Seconds from a click in a window of LibreOffice to the finished sheet, and those of LibreOffice's own saving."""
    from tests.office.window import shown

    shutil.copytree(clean, place)
    with shown(place, next(place.glob("*.xlsx")), "en") as window:
        whole, saving = window.office.ask("dispatch", f"arbitro.buttons:{verb}")
    shutil.rmtree(place)
    return whole, saving


@dataclass
class Seconds:
    """Times of one button. `office`: a click in LibreOffice; `saving`: the part of it that LibreOffice takes to save;
    `excel`: a click without Excel's own share; `commands`: the command that does the same.
    """

    office: list[float] = field(default_factory=list)
    saving: list[float] = field(default_factory=list)
    excel: list[float] = field(default_factory=list)
    commands: list[float] = field(default_factory=list)


def measure_clicks(rounds: int) -> dict[str, Seconds]:
    """Verb -> times of its clicks and its command, measured in turns on fresh copies."""
    found = {verb: Seconds() for verb in CLICKS}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        work.chmod(0o755)  # LibreOffice runs as somebody else where we are root
        (work / "clean").mkdir()
        book = italy(work / "clean")
        copy = work / "copy"
        for _ in range(rounds):
            for verb, seconds in found.items():
                whole, saving = office_click(verb, book.parent, copy)
                seconds.office.append(whole)
                seconds.saving.append(saving)
                shutil.copytree(book.parent, copy)
                request = json.dumps({"verb": verb, "lang": "en", "book": snapshot(copy / book.name)})
                seconds.excel.append(click(verb, request, EXCEL))
                shutil.rmtree(copy)
                shutil.copytree(book.parent, copy)
                seconds.commands.append(command(verb, copy / book.name))
                shutil.rmtree(copy)
    return found


def table(found: dict[str, Seconds]) -> str:
    """The table in Markdown."""
    lines = ["| button | in | click, s | of it the program's own saving, s | Arbitro's share, s | its command, s "
             "| ratio | aims |", "|---|---|---|---|---|---|---|---|"]
    for verb, seconds in found.items():
        other = statistics.median(seconds.commands)
        for program, clicks, saving in (("LibreOffice", seconds.office, statistics.median(seconds.saving)),
                                        ("Excel", seconds.excel, 0.0)):
            whole = statistics.median(clicks)
            ours = whole - saving
            lines.append(f"| {verb} | {program} | {whole:.2f} ({min(clicks):.2f} to {max(clicks):.2f}) | {saving:.2f} "
                         f"| {ours:.2f} | {other:.2f} ({CLICKS[verb]}) | {ours / other:.2f} "
                         f"| {AIMS[verb]} s, {RATIO} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and show."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=FEWEST_ROUNDS)
    options.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    chosen = options.parse_args()
    text = table(measure_clicks(max(chosen.rounds, FEWEST_ROUNDS)))
    print(text)
    if chosen.write:
        write_table(text, START, END)


if __name__ == "__main__":
    main()
