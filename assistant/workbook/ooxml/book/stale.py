"""Results that a change made old: the changed cells in; the formulas that read them out, without their results.

Excel is told to work everything out again when it opens the file. LibreOffice does not listen to that: it
believes the results in the file and works out only a formula that has none. So the results of those
formulas, and of no others, are taken away that read a changed cell, at first or at second hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells import rows as markup
from assistant.workbook.ooxml.cells.areas import LAST_COLUMN, LAST_ROW, Area, area_of, column_of
from assistant.workbook.ooxml.parts.faults import Damaged
from assistant.workbook.ooxml.parts.seams import calculates

_TOKEN = re.compile(
    r'"[^"]*"'
    r"|(?:(?:'((?:[^']|'')+)'|([^\W\d][\w.]*))(?::(?:'[^']+'|[\w.]+))?!)?"
    r"(\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}(?::\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})?"
    r"|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6})(?![\w(.])"
    r"|([^\W\d][\w.]*)(\[|\(|!)?")
_ANYWHERE = {"INDIRECT", "OFFSET"}
_VALUE = re.compile(rb"<(?:\w+:)?v\b[^<>]*?(?:/>|>[^<]*</(?:\w+:)?v>)")
_TYPE = re.compile(rb"""\st\s*=\s*["'](?:str|b|e|n|s)["']""")
_PREFIXED = re.compile(rb":f[\s>/]")
"""A formula in a sheet whose elements have a prefix; two searches are ten times faster than one for either spelling."""
Places = dict[str, list[Area]]


def refresh(book: OoxmlBook, changed: Mapping[str, set[tuple[int, int]]]) -> None:
    """See to it that no program shows a result that the changes (title -> row, column) made old."""
    formulas = {title: found for title, sheet in book.sheets.items()
                if book.package.parted(sheet.part) is None  # a sheet with seams has no formula
                and _may_calculate(book.package.text(sheet.part))
                and (found := dict(_formulas(book, title)))}
    if not formulas or not changed:
        return
    book.recalculate()
    dirty = {title: set(cells) for title, cells in changed.items()}
    old: dict[str, set[tuple[int, int]]] = {}
    reads = _Reads(book)
    waiting = {(title, place): reads.of(text, title) for title, found in formulas.items()
               for place, text in found.items()}
    while True:
        fresh = [key for key, areas in waiting.items() if areas is None or _meets(areas, dirty)]
        if not fresh:
            break
        for title, place in fresh:
            del waiting[title, place]
            old.setdefault(title, set()).add(place)
            dirty.setdefault(title, set()).add(place)
    for title, places in old.items():
        _without_results(book, title, places)


def _may_calculate(data: bytes) -> bool:
    start = max(data.find(b"sheetData"), 0)
    end = data.rfind(b"sheetData")  # what stands around the rows has elements that begin alike
    return calculates(data, start, end) or _PREFIXED.search(data, start, end) is not None


def _formulas(book: OoxmlBook, title: str) -> Iterator[tuple[tuple[int, int], str]]:
    for row, cells in book.rows(title).items():
        for column, cell in cells.items():
            if cell.data_type == "f":
                yield (row, column), cell.value[1:]


def _meets(areas: Places, dirty: Mapping[str, set[tuple[int, int]]]) -> bool:
    for title, found in areas.items():
        places = dirty.get(title)
        if places and any(area.has(row, column) for area in found for row, column in places):
            return True
    return False


class _Reads:
    """Which cells a formula reads."""

    def __init__(self, book: OoxmlBook) -> None:
        self._names = {name.casefold(): text for name, text in book.names.items()}
        self._tables = {table.name.casefold(): (table.sheet, table.area) for table in book.tables()}
        self._titles = {title.casefold(): title for title in book.sheets}

    def of(self, formula: str, title: str, depth: int = 0) -> Places | None:
        """Title -> areas; None where that cannot be told (then it counts as reading everything)."""
        found: Places = {}
        if formula == "…" or depth > 8:
            return None
        for quoted, plain, ref, word, after in _TOKEN.findall(formula):
            if ref:
                sheet = (quoted.replace("''", "'") or plain).casefold()
                known = self._titles.get(sheet) if sheet else title
                if known:
                    found.setdefault(known, []).append(_area(ref))
            elif word and after != "(":
                more = self._named(word, title, depth)
                if more is None:
                    return None
                for name, areas in more.items():
                    found.setdefault(name, []).extend(areas)
            elif word.upper() in _ANYWHERE:
                return None
        return found

    def _named(self, word: str, title: str, depth: int) -> Places | None:
        if word.casefold() in self._tables:
            sheet, area = self._tables[word.casefold()]
            return {sheet: [area]}
        text = self._names.get(word.casefold())
        return self.of(text, title, depth + 1) if text is not None else {}


def _area(ref: str) -> Area:
    plain = ref.replace("$", "")
    one, _, other = plain.partition(":")
    if one.isalpha():
        return Area(min(column_of(one), LAST_COLUMN), 1, min(column_of(other), LAST_COLUMN), LAST_ROW)
    if one.isdigit():
        return Area(1, int(one), LAST_COLUMN, int(other))
    try:
        return area_of(plain)
    except Damaged:  # a word such as TAX2024 that is no cell of any sheet
        return Area(0, 0, 0, 0)


def _without_results(book: OoxmlBook, title: str, places: set[tuple[int, int]]) -> None:
    """Take the stored results of formulas away, and nothing else."""
    part = book.sheets[title].part
    data = book.package.text(part)
    before, prefix, rows, after = markup.split(data)
    for number, column in places:
        row = rows.new(number)
        cell = row.cells[column]
        bare = _VALUE.sub(b"", cell)
        if bare != cell:
            tag = cell[:cell.index(b">") + 1]
            row.cells[column] = bare.replace(tag, _TYPE.sub(b"", tag), 1)
            row.changed = True
    name = prefix + b"sheetData>"
    new = before + b"<" + name + rows.bytes() + b"</" + name + after
    if new != data:
        book.package.put(part, new)
        book.forget(title)
