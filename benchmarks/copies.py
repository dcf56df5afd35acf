"""Clubs' copies in one process, for `run.py`: seconds by the clock and of the processor, as JSON.

    python benchmarks/copies.py FILE

prints what it takes to write the cells of all copies, with their looks, by openpyxl alone (no tables, lists, notes,
colours by condition), to share them, to make the ten clubs' packages (report as page, text and JSON, copy, the search
for secrets, mail), and to collect their copies with three orders each. FILE is changed.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import openpyxl

ORDERS: tuple[dict[str, str | int], ...] = (
    {"Verb": "recruit", "Target": "{club}0", "Ducats": 30}, {"In words": "fleet {club}0"},
    {"Verb": "truce", "Target": "M"})
ITALIAN = {"Verb": "Verbo", "Target": "Bersaglio", "Ducats": "Ducati", "In words": "A parole"}


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    clock, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - busy


def write_cells(known: list[Any]) -> None:
    """New workbooks with the cells of known ones."""
    for book in known:
        new = openpyxl.Workbook()
        new.remove(new.worksheets[0])
        for name in ("_fonts", "_fills", "_borders", "_alignments", "_number_formats", "_protections", "_cell_styles"):
            setattr(new, name, getattr(book, name))
        for sheet in book.worksheets:
            made = new.create_sheet(sheet.title)
            for (row, column), cell in sheet._cells.items():
                one = made.cell(row, column, cell.value)
                one._style = copy(cell._style)
        new.save(io.BytesIO())


def fill_copy(path: Path, to: Path) -> None:
    """Write a copy with orders, as its club sends it back."""
    book, club = openpyxl.load_workbook(path), path.stem.rpartition("-")[2]
    heads = next(row for row in book.worksheets[1].iter_rows() if {"Verb", "Verbo"} & {c.value for c in row})
    columns = {str(cell.value).strip(): place for place, cell in enumerate(heads, 1)}
    for number, order in enumerate(ORDERS, int(heads[0].row or 0) + 1):
        for name, value in order.items():
            column = columns.get(name) or columns[ITALIAN[name]]
            book.worksheets[1].cell(number, column).value = value.format(club=club) if isinstance(value, str) else value
    book.save(to)


def pack_mails(path: Path) -> int:
    """The mails of ten clubs as bytes, as `send` makes them, and their reports as JSON; how many bytes there are."""
    from assistant.desk.clubs.outgoing import MailData, package_of, with_hits
    from assistant.desk.commands.report import faction_page, proofs_and_previous, unusable_answers
    from assistant.desk.workspace.workspace import current_tokens, factions_with_reports, open_workspace
    from assistant.post.letters import Stamp, compose
    from assistant.reporting.render import render_json

    sitting = open_workspace(path)
    dice, past = proofs_and_previous(sitting, "")
    known = MailData(sitting.ruleset, sitting.campaign, path.stem, dice, past, current_tokens(sitting), "",
                  unusable_answers(sitting))
    clubs = factions_with_reports(sitting.campaign)
    assert len(clubs) == 10, clubs
    stamp = Stamp("0@club.test", "Sun, 22 Nov 2026 21:00:00 +0100", "referee@club.test", "", ("club@club.test",))
    mails = [compose(one.letter, stamp) for one in with_hits(known, [package_of(known, club) for club in clubs])]
    pages = [render_json(faction_page(sitting.ruleset, sitting.campaign, club, dice, past).page) for club in clubs]
    return sum(map(len, mails)) + sum(map(len, pages))


def main(path: Path) -> None:
    """Measure, and print."""
    from assistant import desk

    out, back = path.parent / "copies", path.parent / "back"
    shared = timed(lambda: desk.share(path, out))
    known = [openpyxl.load_workbook(one) for one in sorted(out.iterdir())]
    packages = timed(lambda: pack_mails(path))
    alone = timed(lambda: write_cells(known))
    back.mkdir()
    for one in sorted(out.iterdir()):
        if not one.stem.endswith("-public"):
            fill_copy(one, back / one.name)
    collected = timed(lambda: desk.collect(path, [back]))
    print(json.dumps([alone, shared, packages, collected]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
