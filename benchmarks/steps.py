"""Single steps of Arbitro as processes of their own, for `run.py`:

    python benchmarks/steps.py cells FILE          every cell of every sheet, by the sparse reader
    python benchmarks/steps.py campaign FILE       the campaign, as every command reads it
    python benchmarks/steps.py both FILE LATER     the campaigns of two workbooks
    python benchmarks/steps.py write FILE LATER    the same, and the first is changed into the second

What `write` takes longer than `both` is what writing a round's changes costs.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path


def cells(path: Path) -> None:
    """Read every cell of every sheet."""
    from assistant.workbook.ooxml.book import OoxmlBook

    gc.disable()  # as the commands do while they read
    book = OoxmlBook(path.read_bytes())
    for title in book.sheets:
        book.rows(title)


def campaign(path: Path) -> None:
    """Read the campaign."""
    from assistant.workbook.file_book import open_book

    open_book(path).read()


def both(path: Path, later: Path, *, write: bool) -> None:
    """Read two campaigns, and write what differs if wanted."""
    from assistant.wording import Wording
    from assistant.workbook.file_book import open_book
    from assistant.workbook.port import DeskLines

    book = open_book(path)
    reading, after = book.read(), open_book(later).read()
    assert reading.ruleset is not None
    wording = Wording(reading.ruleset, reading.campaign.desk.language)
    if write:
        book.write(reading.campaign, after.campaign, wording, DeskLines(where="later"))


if __name__ == "__main__":
    step, *files = sys.argv[1], *map(Path, sys.argv[2:])
    if step in ("both", "write"):
        both(files[0], files[1], write=step == "write")
    else:
        {"cells": cells, "campaign": campaign}[str(step)](files[0])
