"""Results that a change made old: the changed cells in; the formulas that read them out, without their results.

Excel is told to work everything out again when it opens the file. LibreOffice does not listen to that: it
believes the results in the file and works out only a formula that has none. So the results of those
formulas, and of no others, are taken away that read a changed cell, at first or at second hand.

A formula with a function that nobody can judge (`readings`) keeps its result, unless what it reads beyond doubt was
changed, or that function is given something of a changed sheet: a place or table on it, a name or text that says
it, or a cell in which such a text stands.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.readings import Reading, Readings
from assistant.workbook.ooxml.cells import rows as markup
from assistant.workbook.ooxml.cells.areas import Area
from assistant.workbook.ooxml.cells.formulas import Formula, formulas
from assistant.workbook.ooxml.cells.takers import Takers
from assistant.workbook.ooxml.parts.seams import calculates

_VALUE = re.compile(rb"<(?:\w+:)?v\b[^<>]*?(?:/>|>[^<]*</(?:\w+:)?v>)")
_TYPE = re.compile(rb"""\st\s*=\s*["'](?:str|b|e|n|s)["']""")
_PREFIXED = re.compile(rb":f[\s>/]")
"""A formula in a sheet whose elements have a prefix; two searches are ten times faster than one for either spelling."""
Changes = Mapping[str, Iterable[tuple[int, int]]]


def refresh(book: OoxmlBook, changed: Changes) -> None:
    """See to it that no program shows a result that the changes (title -> row, column) made old."""
    sheets = {title: _Divided(book, title) for title, sheet in book.sheets.items()
              if book.package.parted(sheet.part) is None  # a sheet with seams has no formula
              and _may_calculate(book.package.text(sheet.part))} if changed else {}
    waiting = [(title, formula) for title, sheet in sheets.items() for formula in sheet.formulas()]
    if not waiting:
        return
    book.recalculate()
    readings = Readings(book)
    reads = [readings.of(title, formula) for title, formula in waiting]
    old = _old(waiting, reads, changed, _pointing(book, waiting, reads, changed))
    found: dict[str, list[Formula]] = {}
    for number in old:
        found.setdefault(waiting[number][0], []).append(waiting[number][1])
    for title, emptied in found.items():
        sheets[title].without_results(emptied)


def _may_calculate(data: bytes) -> bool:
    start = max(data.find(b"sheetData"), 0)
    end = data.rfind(b"sheetData")  # what stands around the rows has elements that begin alike
    return calculates(data, start, end) or _PREFIXED.search(data, start, end) is not None


# --- which ---------------------------------------------------------------------------------------
def _takers(places: Iterable[tuple[int, tuple[str, Area]]]) -> dict[str, Takers]:
    """By sheet, who reads of it. `places`: each with its reader."""
    by_sheet: dict[str, list[tuple[Area, int]]] = {}
    for number, (title, area) in places:
        by_sheet.setdefault(title, []).append((area, number))
    return {title: Takers(entries) for title, entries in by_sheet.items()}


def _old(waiting: list[tuple[str, Formula]], reads: list[Reading], changed: Changes, known: Iterable[int]) -> list[int]:
    """The numbers of the formulas that read what was changed, at first or at second hand, and of those `known`."""
    takers = _takers((number, place) for number, one in enumerate(reads) for place in one.areas)
    fresh = dict.fromkeys(known)
    for title, places in changed.items():
        for row, column in places if title in takers else ():
            fresh.update(dict.fromkeys(takers[title].take(Area(column, row, column, row))))
    found, todo = dict(fresh), deque(fresh)
    while todo:
        title, formula = waiting[todo.popleft()]
        area = formula.results or Area(formula.column, formula.row, formula.column, formula.row)
        for number in takers[title].take(area) if title in takers else ():
            if number not in found:
                found[number] = None
                todo.append(number)
    return list(found)


def _pointing(book: OoxmlBook, waiting: list[tuple[str, Formula]], reads: list[Reading], changed: Changes
              ) -> list[int]:
    """The formulas with a function that nobody can judge and that is given something of a changed sheet."""
    blind = [number for number, one in enumerate(reads) if one.blind]
    if not blind:
        return []
    says = _says(book, changed)
    found = [n for n in blind if any(title in changed for title, _ in reads[n].asks)
             or any(map(says.search, reads[n].texts)) or (waiting[n][0] in changed and _means_its_own(reads[n]))]
    asking = _takers((n, place) for n in blind for place in reads[n].asks)
    for title, takers in asking.items():
        for row, column in _saying(book, title, says, [f for name, f in waiting if name == title]):
            found += takers.take(Area(column, row, column, row))
    return found


def _means_its_own(one: Reading) -> bool:
    """Whether a place is made of texts of which none says a sheet: then it lies on the formula's own."""
    return "INDIRECT" in one.blind and not any("!" in text for text in one.texts)


def _says(book: OoxmlBook, changed: Changes) -> re.Pattern[str]:
    """What a text says that means a changed sheet: its title, a table on it, a name of either."""
    words = list(changed) + [title.replace("'", "''") for title in changed]
    words += [table.name for table in book.tables() if table.sheet in changed]
    names = book.all_names
    while True:
        any_of = "|".join(map(re.escape, sorted(set(words))))
        says = re.compile(rf"(?<!\w)(?:{any_of})(?!\w)", re.IGNORECASE)
        more = [name for (_, name), text in names.items() if name not in words and says.search(text)]
        if not more:
            return says
        words += more


def _saying(book: OoxmlBook, title: str, says: re.Pattern[str], found: list[Formula]) -> Iterator[tuple[int, int]]:
    """The cells of a sheet in whose text or formula stands what means a changed sheet."""
    for row, cells in book.rows(title).items():
        for column, cell in cells.items():
            if cell.data_type == "s" and says.search(cell.value):
                yield row, column
    for formula in found:
        if says.search(formula.text):
            yield formula.row, formula.column


# --- taking away ---------------------------------------------------------------------------------
class _Divided:
    """A sheet's part with its rows, for looking and then for changing."""

    def __init__(self, book: OoxmlBook, title: str) -> None:
        self._book, self._title = book, title
        self._part = book.sheets[title].part
        data = book.package.text(self._part)
        self._before, self._prefix, self._rows, self._after = markup.split(data)
        self._marks = (b"<f", b":f") if _PREFIXED.search(data) else (b"<f",)

    def formulas(self) -> Iterator[Formula]:
        """Its formulas. Raises `Damaged`."""
        return formulas(self._rows, self._marks)

    def without_results(self, found: Iterable[Formula]) -> None:
        """Take the stored results of formulas away, and nothing else."""
        changed = False
        for formula in found:
            row = self._rows.new(formula.row)
            cell = row.cells[formula.column]
            bare = _VALUE.sub(b"", cell)
            if bare != cell:
                tag = cell[:cell.index(b">") + 1]
                row.cells[formula.column] = bare.replace(tag, _TYPE.sub(b"", tag), 1)
                row.changed = changed = True
        if changed:
            name = self._prefix + b"sheetData>"
            rows = self._rows.bytes()
            self._book.package.put(self._part, self._before + b"<" + name + rows + b"</" + name + self._after)
            self._book.forget(self._title)
