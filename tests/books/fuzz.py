"""The fuzz target: ``python -m tests.books.fuzz FIRST LAST`` harms a workbook for each seed, reads it and writes it.

Only two things are right: it is refused by a finding or a `BookError` and stays to the byte as it was, or
it is read as an XML parser reads it, written, and read back. One line is printed for each seed that did
neither. The process may use so much memory and time and no more; what exceeds them ends it.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
import traceback
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.xml_tree import WorkbookFault
from assistant.workbook.port import WorkbookReading
from assistant.workbook.screening import BookError
from tests.books.corpus import Book, corpus
from tests.books.mutations import harmed
from tests.books.oracles import changed_members
from tests.books.parts import Parts, child, local
from tests.workbook.feast import LINES, Army, loader, plain, wording

MEMORY = 1 << 30
SECONDS_EACH = 10.0
CHANGEABLE = ("worksheets", "table", "workbook", "cartella", "styles", "sharedstrings", "calcchain", "[content_types]",
              "comments", "drawing", ".rels")


@lru_cache(maxsize=12)
def _made(book: Book) -> bytes:
    return book.make()


@lru_cache(maxsize=1)
def _books() -> tuple[Book, ...]:
    return tuple(corpus())


def mutant(seed: int) -> tuple[str, bytes]:
    """The harmed workbook of a seed, and what was done to which."""
    rng = random.Random(seed)
    book = rng.choice(_books()) if rng.random() < 0.5 else _books()[0]
    what, data = harmed(_made(book), rng)
    return f"{book.name} {what}", data


def judged(data: bytes, folder: Path) -> str:
    """What is wrong with how Arbitro takes a workbook; "" for nothing. `folder`: one to work in."""
    path = folder / "book.xlsx"
    path.write_bytes(data)
    book = open_book(path, loader)
    reading = book.read()
    if reading.ruleset is None:
        return "" if reading.findings else "not read, and nothing is said"
    damaged = False
    try:
        wrong = misread(data)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        wrong, damaged = "", True  # no parser gets that far: it may be read where it is whole, but not written
    if wrong:
        return wrong
    after = reading.campaign.copy()
    try:
        if any(finding.stops for finding in reading.findings):
            book.mark(reading.findings, wording())  # as `arbitro check` does; no phase begins
        else:
            gently(after)
            book.write(reading.campaign, after, wording(), LINES)
    except BookError as no:
        if not str(no):
            return "refused without a word"
        left = sorted(p.name for p in folder.iterdir())
        return "" if path.read_bytes() == data and left == ["book.xlsx"] else f"refused, and yet changed: {left}"
    return "written, and yet a part is damaged" if damaged else _taken_over(data, path, reading, after)


def gently(after: Campaign) -> None:
    """Changes that any campaign can take: the Desk, an army more and one less, an event."""
    after.desk.phase = "toast" if after.desk.phase != "toast" else "serve"
    armies = after.table(Army)
    for key in list(dict(armies.items()))[:1]:
        armies[key].guests = 77
    for key in list(dict(armies.items()))[1:2]:
        armies.remove(key)
    if "Z-9" not in armies:
        armies.add(Army(army="Z-9", faction="R", node="T1", guests=9))
    after.table(Event).add(Event(no=1 + max((e.no for e in after.table(Event)), default=0), turn="1", phase="serve",
                                 audience="all", event="served", rule="=1", data={"army": "R-1", "n": 1}))


def _taken_over(data: bytes, path: Path, reading: WorkbookReading, after: Campaign) -> str:
    changed = [name for name in changed_members(data, path.read_bytes())
               if not any(word in name.casefold() for word in CHANGEABLE)]
    if changed:
        return f"foreign parts differ: {changed}"
    again = open_book(path, loader).read()
    if again.ruleset is None:
        return f"cannot be read after writing: {[f.data for f in again.findings]}"
    for sheet in ("Desk", "Armies", "Events"):
        if plain(again.campaign)[sheet] != plain(after)[sheet] and sheet in reading.cells.titles:
            return f"{sheet} is not read back"
    return ""


# --- a correct read ------------------------------------------------------------------------------
def misread(data: bytes) -> str:
    """Where Arbitro's reader and an XML parser differ about the cells of a sheet; "" for nowhere."""
    parts, book = Parts(data), OoxmlBook(data)
    for title, sheet in book.sheets.items():
        try:
            root = etree.fromstring(parts.members[parts.find(sheet.part)], etree.XMLParser(
                resolve_entities=False, no_network=True, huge_tree=True))
        except etree.XMLSyntaxError:
            continue  # nobody can say what is right
        try:
            seen = {(r, c): cell for r, cells in book.rows(title).items() for c, cell in cells.items()}
        except WorkbookFault:
            continue  # a sheet that is not the campaign's, or the reading would have ended with a finding
        try:
            there = _plainly(root)
        except ValueError:
            continue  # a row without a number: nobody can say what is right
        for place, (kind, words) in there.items():
            cell = seen.get(place)
            if kind in ("n", "inlineStr") and words and cell is None:
                return f"{title} {place}: {words!r} is not seen"
            if kind == "inlineStr" and cell is not None and "_x" not in words and cell.value != words:
                return f"{title} {place}: {cell.value!r} for {words!r}"
            if kind == "n" and cell is not None and cell.data_type == "n" and float(cell.value) != float(words):
                return f"{title} {place}: {cell.value!r} for {words!r}"
        stray = [place for place in seen if place not in there]
        if stray:
            return f"{title} {stray[0]}: seen, and not there"
    return ""


def _plainly(root: Any) -> dict[tuple[int, int], tuple[str, str]]:
    """Place -> kind and words of each cell, as plainly as can be. Formulas and looked-up texts have no words."""
    found: dict[tuple[int, int], tuple[str, str]] = {}
    data = child(root, "sheetData")
    number = 0
    for row in data if data is not None else ():
        if local(row) != "row":
            continue
        number = int(row.get("r", number + 1))
        column = 0
        for cell in row:
            if local(cell) != "c":
                continue
            letters = (cell.get("r") or "").rstrip("0123456789")
            column = column + 1 if not letters else sum(
                (ord(one) - 64) * 26 ** n for n, one in enumerate(reversed(letters)))
            kinds = {local(one): one for one in cell}
            if "f" in kinds:
                found[number, column] = ("f", "")
            elif "is" in kinds:
                words = "".join(t.text or "" for t in kinds["is"].iter() if local(t) == "t"
                                and local(t.getparent()) in ("is", "r"))
                found[number, column] = ("inlineStr", words)
            else:
                value = kinds.get("v")
                words = (value.text or "") if value is not None else ""
                found[number, column] = (cell.get("t", "n"), words.strip())
    return found


def main(first: int, last: int) -> None:
    """Try all seeds of a range."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS_EACH * (last - first) + 60),) * 2)
    for seed in range(first, last):
        print(f"# {seed}", flush=True)
        what, data = mutant(seed)
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong = judged(data, Path(folder))
            except Exception as no:
                place = traceback.extract_tb(no.__traceback__)[-1]
                wrong = f"{type(no).__name__}: {no} at {Path(place.filename).name}:{place.lineno}"
        if time.perf_counter() - start > SECONDS_EACH:
            wrong = wrong or f"took {time.perf_counter() - start:.0f} s"
        if wrong:
            print(f"{seed} ({what}): {wrong}"[:400].replace("\n", " "), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
