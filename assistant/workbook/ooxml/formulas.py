"""Formulas: their precedents, their dependents, and which results are stale."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from assistant.workbook.ooxml import cells as markup
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import LAST_COLUMN, LAST_ROW, Area, XmlRows, area_of, column_of, letters_of
from assistant.workbook.ooxml.package import has_formulas
from assistant.workbook.ooxml.xml_tree import decode_text

# Parsing formulas.
# #
# A formula that only points to the shared formula it was filled down from gets that one's text, together with its
# distance in rows and columns.


_LETTERS, _DIGITS = r"(\$?)([A-Za-z]{1,3})", r"(\$?)([1-9]\d{0,6})"
_CELL = _LETTERS + _DIGITS
_REF = rf"(?:{_CELL}(?::{_CELL})?|{_LETTERS}:{_LETTERS}|{_DIGITS}:{_DIGITS})(?![\w(.!\[])"
_TOKEN = re.compile(
    r'"((?:[^"]|"")*)"'  # a text
    r"|#[A-Z/0]+[!?]?"  # a fault
    rf"|(?:('(?:[^']|'')++'|\[[^\]]*\][^\W]*|[^\W\d][\w.]*(?::[^\W\d][\w.]*)?)!)?(?:{_REF}|([^\W\d][\w.\\?]*)(\()?)"
    r"|\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\]"  # columns of a table, or another workbook
    r"|\d[\d.]*(?:[eE][+-]?\d+)?"
    r"|(:)")
_FORMULA = re.compile(rb"<(?:\w+:)?f\b([^<>]*?)(?:/>|>([^<]*)</)")
_ATTRIBUTE = rb"""\s(t|si|ref|r1|r2)\s*=\s*["']([^"']*)["']"""
NOTHING: frozenset[str] = frozenset()


class AreaRef(NamedTuple):
    """An area in a formula. `sheet`: as written, without quotes, "" for the formula's own; then the corners' rows and
    columns; `fixed`: which of left, top, right and bottom stay when the formula is copied.
    """

    sheet: str
    area: Area
    fixed: tuple[bool, bool, bool, bool]

    def area_at(self, rows: int, columns: int, *, around: bool = False) -> Area | None:
        """Its area in a copy that is some rows and columns away; None if that is beyond the sheet's end.

        `around`: it wraps around at the end, as in names.
        """
        if not (rows or columns) or all(self.fixed):
            return self.area
        shifts = (columns, rows, columns, rows)
        left, top, right, bottom = (
            n if stays else n + by for n, stays, by in zip(self.area, self.fixed, shifts, strict=True))
        if around:
            left, right = ((n - 1) % LAST_COLUMN + 1 for n in (left, right))
            top, bottom = ((n - 1) % LAST_ROW + 1 for n in (top, bottom))
        if min(left, top, right, bottom) < 1 or max(left, right) > LAST_COLUMN or max(top, bottom) > LAST_ROW:
            return None
        return Area(min(left, right), min(top, bottom), max(left, right), max(top, bottom))


class FormulaParts(NamedTuple):
    """The parts of a formula. `words`: names and tables, each with the sheet before it ("" for none); `texts`: string
    literals; `calls`: functions, in capitals; `spanned`: areas are joined by a colon of its own (``A1:INDEX(...)``), so
    that everything between them is meant too.
    """

    refs: tuple[AreaRef, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = ()
    calls: frozenset[str] = NOTHING
    spanned: bool = False


@lru_cache(maxsize=1024)
def parse_formula(formula: str) -> FormulaParts:
    """Parse a formula (without ``=``), the definition of a name, or a piece of either."""
    refs: list[AreaRef] = []
    words: list[tuple[str, str]] = []
    texts: list[str] = []
    calls: list[str] = []
    spanned = False
    for match in _TOKEN.finditer(formula):
        text, sheet, *place, word, call, colon = match.groups()
        title = "" if sheet is None else _unquoted_title(sheet)
        if call:
            calls.append(word.upper())
        elif word:
            words.append((title, word))
        elif place[1] or place[9] or place[13]:
            ref = _parse_ref(title, place)
            if ref is not None:
                refs.append(ref)
            else:  # XYZ2024 looks like a place and is a name: no sheet has such a column
                words.append((title, match[0].rpartition("!")[2]))
        elif text is not None:
            texts.append(text.replace('""', '"'))
        elif colon:
            spanned = True
    return FormulaParts(tuple(refs), tuple(words), tuple(texts), frozenset(calls) if calls else NOTHING, spanned)


def _unquoted_title(written: str) -> str:
    return written[1:-1].replace("''", "'") if written.startswith("'") else written


def _parse_ref(sheet: str, place: list[str | None]) -> AreaRef | None:
    """The area of a token; None for start that no sheet has."""
    if place[1]:  # D7 or D7:H9
        start, end = place[:4], place[4:8] if place[5] else place[:4]
    elif place[9]:  # D:H
        start, end = [place[8], place[9], "$", "1"], [place[10], place[11], "$", str(LAST_ROW)]
    else:  # 7:9
        start, end = ["$", "A", place[12], place[13]], ["$", letters_of(LAST_COLUMN), place[14], place[15]]
    left, right = column_of(start[1] or ""), column_of(end[1] or "")
    top, bottom = int(start[3] or 0), int(end[3] or 0)
    if left > LAST_COLUMN or right > LAST_COLUMN or top > LAST_ROW or bottom > LAST_ROW:
        return None
    return AreaRef(sheet, Area(left, top, right, bottom), (bool(start[0]), bool(start[2]), bool(end[0]), bool(end[2])))


# --- the formulas of a sheet ----------------------------------------------------------------------
class Formula(NamedTuple):
    """A formula in its cell. `text`: its own, or that of the formula it was filled from, without ``=``; `rows`,
    `columns`: its distance from that one; `results`: the area of its results; `inputs`: what a what-if table reads and
    fills in besides what its text names.
    """

    row: int
    column: int
    text: str
    rows: int = 0
    columns: int = 0
    results: Area | None = None
    inputs: tuple[Area, ...] = ()


def iter_formulas(rows: XmlRows, marks: Iterable[bytes]) -> Iterator[Formula]:
    """The formulas of a sheet, row by row. `marks`: the bytes of each row that has one. Raises `Damaged`."""
    masters: dict[bytes, Formula] = {}
    early: list[tuple[bytes, int, int]] = []
    for number in sorted({number for mark in marks for number in rows.holding(mark)}):
        row = rows.get(number)
        for column, cell in row.cells.items() if row is not None else ():
            match = _FORMULA.search(cell)
            if match is None:
                continue
            attrs = dict(re.findall(_ATTRIBUTE, match[1])) if match[1] else {}
            text = decode_text(match[2]).strip() if match[2] else ""
            if attrs.get(b"t") != b"shared":
                yield Formula(number, column, text, 0, 0, *_array_result(attrs))
                continue
            mark = attrs.get(b"si", b"")
            if text:
                masters[mark] = Formula(number, column, text)
                yield masters[mark]
            elif mark in masters:
                yield _fill_down(masters[mark], number, column)
            else:
                early.append((mark, number, column))
    for mark, number, column in early:  # one that leads to nothing has no text
        yield _fill_down(masters.get(mark, Formula(number, column, "")), number, column)


def _fill_down(master: Formula, row: int, column: int) -> Formula:
    return Formula(row, column, master.text, row - master.row, column - master.column)


def _array_result(attrs: dict[bytes, bytes]) -> tuple[Area | None, tuple[Area, ...]]:
    """The result area of an array formula or what-if table, and the cells that the latter reads."""
    if attrs.get(b"t") not in (b"array", b"dataTable") or not attrs.get(b"ref"):
        return None, ()
    results = area_of(attrs[b"ref"].decode())
    if attrs[b"t"] == b"array":
        return results, ()
    around = Area(max(1, results.left - 1), max(1, results.top - 1), results.right, results.bottom)
    return results, (around, *(area_of(attrs[key].decode()) for key in (b"r1", b"r2") if attrs.get(key)))


def bounding_area(areas: Iterable[Area]) -> Area:
    """The smallest area that covers some areas."""
    lefts, tops, rights, bottoms = zip(*areas, strict=True)
    return Area(min(lefts), min(tops), max(rights), max(bottoms))


# Dependents of a cell.
# #
# Small areas are indexed by their cells, larger ones by a tree in which each branch covers everything below it. A
# dependent that was found is removed with its areas, so finding the dependents of many cells, one after the other,
# takes time about proportional to the number of areas and cells.


_SMALL = 8
"""Up to this many cells an area is indexed by its cells."""
_BRANCHES = 12


class Dependents:
    """The dependents of the areas of one sheet, by number."""

    def __init__(self, entries: Iterable[tuple[Area, int]]) -> None:
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._told: set[int] = set()
        large: list[tuple[Area, int]] = []
        for area, reader in entries:
            if _size(area) > _SMALL:
                large.append((area, reader))
                continue
            for row in range(area.top, area.bottom + 1):
                for column in range(area.left, area.right + 1):
                    self._cells.setdefault((row, column), []).append(reader)
        self._top = _build_tree(large)

    def take(self, area: Area) -> list[int]:
        """The dependents of any cell of an area that were not returned before."""
        readers: list[int] = []
        for place in self._places(area):
            readers += self._cells.pop(place)
        if self._top is not None:
            self._top.take(area, readers)
            if not self._top.below:
                self._top = None
        fresh = [reader for reader in dict.fromkeys(readers) if reader not in self._told]
        self._told.update(fresh)
        return fresh

    def _places(self, area: Area) -> list[tuple[int, int]]:
        if area.left == area.right and area.top == area.bottom:
            return [(area.top, area.left)] if (area.top, area.left) in self._cells else []
        if _size(area) > len(self._cells):
            return [place for place in self._cells if area.has(*place)]
        return [(row, column) for row in range(area.top, area.bottom + 1)
                for column in range(area.left, area.right + 1) if (row, column) in self._cells]


class _Knot:
    """Neighbouring areas, or branches of such. `most`: how many there were when the area was last measured."""

    __slots__ = ("below", "bottom", "left", "most", "right", "top")

    left: int
    top: int
    right: int
    bottom: int

    def __init__(self, below: list[_Knot] | list[_Leaf]) -> None:
        self.below = below
        self._measure()

    def _measure(self) -> None:
        self.most = len(self.below)
        self.left, self.right = min(part.left for part in self.below), max(part.right for part in self.below)
        self.top, self.bottom = min(part.top for part in self.below), max(part.bottom for part in self.below)

    def take(self, area: Area, readers: list[int]) -> None:
        """Move the dependents on anything that meets an area into a list."""
        left, top, right, bottom = area
        if not (self.left <= right and left <= self.right and self.top <= bottom and top <= self.bottom):
            return
        gone = False
        for part in self.below:
            if part.left <= right and left <= part.right and part.top <= bottom and top <= part.bottom:
                part.take(area, readers)
                gone = gone or not part.below
        if gone:
            self.below = [part for part in self.below if part.below]  # type: ignore[assignment]
            if self.below and 2 * len(self.below) <= self.most:
                self._measure()


class _Leaf:
    """An area and its dependents: the lowest level of the tree."""

    __slots__ = ("below", "bottom", "left", "right", "top")

    def __init__(self, area: Area, readers: list[int]) -> None:
        self.left, self.top, self.right, self.bottom = area
        self.below = readers

    def take(self, _: Area, readers: list[int]) -> None:
        """Move the dependents into a list."""
        readers += self.below
        self.below = []


def _size(area: Area) -> int:
    return (area.right - area.left + 1) * (area.bottom - area.top + 1)


def _build_tree(entries: list[tuple[Area, int]]) -> _Knot | None:
    """Build a tree over areas, neighbouring ones in one branch."""
    same: dict[Area, list[int]] = {}
    for area, reader in entries:
        same.setdefault(area, []).append(reader)
    level: list[_Knot] | list[_Leaf] = [_Leaf(area, same[area]) for area in sorted(same)]
    while level and (len(level) > 1 or isinstance(level[0], _Leaf)):
        level = [_Knot(level[at:at + _BRANCHES]) for at in range(0, len(level), _BRANCHES)]
    return level[0] if level and isinstance(level[0], _Knot) else None


# Precedents of a formula.
# #
# Some functions read cells that the formula's text does not show: INDIRECT turns a text into a reference, OFFSET moves
# away from one, a macro's function does as it likes. Besides the areas that such a formula certainly reads, we keep
# the arguments of these functions: areas (`asks`) and texts (`texts`).


SheetArea = tuple[str, Area]
"""A sheet's title and an area on it."""
_PLACED = frozenset({"INDIRECT", "OFFSET"})
_COMMON_FUNCTIONS = (
    "ABS ADDRESS AND AVERAGE AVERAGEIF AVERAGEIFS CELL CHOOSE COLUMN CONCATENATE COUNT COUNTA COUNTBLANK COUNTIF "
    "COUNTIFS DATE DAY FALSE FIND HLOOKUP HYPERLINK IF IFERROR INDEX INT ISBLANK ISERROR ISNA ISNUMBER LEFT LEN LOOKUP "
    "MATCH MAX MID MIN MOD MONTH NOT NOW OR RANDBETWEEN RANK RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SUBSTITUTE "
    "SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT TEXT TODAY TRIM TRUE UPPER VALUE VLOOKUP YEAR")
"""Functions known without asking openpyxl, which takes longer to load than all the rest of this."""
_LATER = ("_XLFN.", "_XLPM.")
"""Prefixes of functions that Excel has added since the format was made."""
_CALLED = re.compile(r"[^\W\d][\w.]*(?=\($)")


class Precedents(NamedTuple):
    """What a formula reads. `areas`: for certain; `blind`: its functions whose precedents cannot be told; `asks`,
    `texts`: the areas and texts given to these.
    """

    areas: list[SheetArea]
    blind: frozenset[str] = frozenset()
    asks: list[SheetArea] = []  # noqa: RUF012 - never changed
    texts: tuple[str, ...] = ()


class PrecedentFinder:
    """Finds the precedents of a workbook's formulas."""

    def __init__(self, book: OoxmlBook) -> None:
        self._titles = {title.casefold(): title for title in book.sheets}
        self._names = book.all_names
        self._tables = {table.name.casefold(): (table.sheet, table.area) for table in book.tables()}
        self._usual = frozenset(_COMMON_FUNCTIONS.split())
        self._judged: dict[str, bool] = {}
        self._given: dict[str, str] = {}

    def of(self, title: str, formula: Formula) -> Precedents:
        """The precedents of a formula on a sheet."""
        parsed = parse_formula(formula.text)
        areas = [(title, area) for area in formula.inputs]
        if not (parsed.words or parsed.calls):
            return Precedents([*areas, *self._areas(parsed, title, formula, False)])
        reached = list(self._expand_names(formula.text, title))
        for text, by_name in reached:
            areas += self._areas(parse_formula(text), title, formula, by_name)
        blind = frozenset(call for text, _ in reached
                          for call in parse_formula(text).calls if not self._has_known_precedents(call))
        if not blind:
            return Precedents(areas)
        asks: list[SheetArea] = []
        texts: list[str] = []
        for text, by_name in reached:
            if not parse_formula(text).calls & blind:
                continue
            for given, in_name in self._expand_names(self._arguments(text), title):
                asks += self._areas(parse_formula(given), title, formula, by_name or in_name)
                texts += parse_formula(given).texts
        for text in texts:  # which may be a place
            areas += self._areas(parse_formula(text), title, formula, True)
        return Precedents(areas, blind, asks, tuple(texts))

    def _expand_names(self, text: str, title: str) -> Iterator[tuple[str, bool]]:
        """A text, the definitions of the names in it, of the names in those, and so on; and whether it came from a
        name.
        """
        yield text, False
        todo, seen = list(parse_formula(text).words), set()
        while todo:
            sheet, word = todo.pop()
            key = next((k for k in (((sheet or title).casefold(), word.casefold()), ("", word.casefold()))
                        if k in self._names), None)
            if key is not None and key not in seen:
                seen.add(key)
                yield self._names[key], True
                todo += parse_formula(self._names[key]).words

    def _areas(self, what: FormulaParts, title: str, formula: Formula, by_name: bool) -> list[SheetArea]:
        """The areas of a text's references and tables. `by_name`: references are relative to the first cell of a sheet.
        """
        rows, columns = (formula.row - 1, formula.column - 1) if by_name else (formula.rows, formula.columns)
        areas: list[SheetArea] = []
        for ref in what.refs:
            area = ref.area_at(rows, columns, around=by_name)
            if area is not None:
                areas += [(sheet, area) for sheet in self._sheets(ref, title)]
        areas += [self._tables[word.casefold()] for _, word in what.words if word.casefold() in self._tables]
        if what.spanned:
            return [(sheet, bounding_area(area for name, area in areas if name == sheet))
                    for sheet in dict.fromkeys(name for name, _ in areas)]
        return areas

    def _sheets(self, ref: AreaRef, title: str) -> list[str]:
        """The sheets of an area: mostly one, several for ``Jan:Dec!A1``, none for another workbook."""
        if not ref.sheet:
            return [title]
        first, colon, last = (part.casefold() for part in ref.sheet.partition(":"))
        if not colon or first not in self._titles or last not in self._titles:
            return [self._titles[first]] if first in self._titles and not colon else []
        order = list(self._titles)
        start, end = sorted((order.index(first), order.index(last)))
        return [self._titles[name] for name in order[start:end + 1]]

    # --- functions ----------------------------------------------------------------------------
    def _has_known_precedents(self, call: str) -> bool:
        """Whether a function's precedents can be told from the formula."""
        if call not in self._judged:
            self._judged[call] = call not in _PLACED and (
                call in self._usual or call.startswith(_LATER) or call in _excel_functions())
        return self._judged[call]

    def _arguments(self, text: str) -> str:
        """All arguments that a text gives to functions whose precedents cannot be told, one after the other."""
        if text not in self._given:
            self._given[text] = " ".join(self._arguments_of(text))
        return self._given[text]

    def _arguments_of(self, text: str) -> Iterator[str]:
        from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError

        try:
            tokens = Tokenizer(f"={text}").items
        except TokenizerError:  # what it does not know: then everything counts
            yield text
            return
        blind: list[bool] = []
        for token in tokens:
            if token.type == Token.FUNC and token.subtype == Token.OPEN:
                called = _CALLED.search(token.value)
                if called is not None and any(blind):
                    yield token.value[:called.start()]
                blind.append(called is not None and not self._has_known_precedents(called[0].upper()))
            elif token.type == Token.FUNC:
                blind.pop()
            elif token.type == Token.OPERAND and any(blind):
                yield token.value


def _excel_functions() -> frozenset[str]:
    from openpyxl.utils import FORMULAE

    return FORMULAE


# Stale results.
# #
# Excel is told to recalculate everything when it opens the file. LibreOffice ignores that: it trusts the results in
# the file and calculates only formulas without one. So the stored results of exactly those formulas are removed that
# depend, directly or indirectly, on a changed cell.
# #
# A formula with a function whose precedents cannot be told keeps its result, unless what it certainly reads has
# changed, or that function is given something of a changed sheet: a reference or table on it, a name or text that
# means it, or a cell that holds such a text.


_VALUE = re.compile(rb"<(?:\w+:)?v\b[^<>]*?(?:/>|>[^<]*</(?:\w+:)?v>)")
_TYPE = re.compile(rb"""\st\s*=\s*["'](?:str|b|e|n|s)["']""")
_PREFIXED = re.compile(rb":f[\s>/]")
"""A formula in a sheet with prefixed elements; two searches are ten times faster than one for either spelling."""
ChangedCells = Mapping[str, Iterable[tuple[int, int]]]


def drop_stale_results(book: OoxmlBook, changed: ChangedCells) -> None:
    """Make sure that no program shows a result that the changes (title -> row, column) made stale."""
    sheets = {title: _FormulaSheet(book, title) for title, sheet in book.sheets.items()
              if book.package.chunks_of(sheet.part) is None  # a sheet with seams has no formula
              and _may_calculate(book.package.text(sheet.part))} if changed else {}
    waiting = [(title, formula) for title, sheet in sheets.items() for formula in sheet.formulas()]
    if not waiting:
        return
    book.recalculate()
    readings = PrecedentFinder(book)
    reads = [readings.of(title, formula) for title, formula in waiting]
    old = dependents_of(waiting, reads, changed, _possible_dependents(book, waiting, reads, changed))
    stale: dict[str, list[Formula]] = {}
    for number in old:
        stale.setdefault(waiting[number][0], []).append(waiting[number][1])
    for title, emptied in stale.items():
        sheets[title].without_results(emptied)


def _may_calculate(data: bytes) -> bool:
    start = max(data.find(b"sheetData"), 0)
    end = data.rfind(b"sheetData")  # what stands around the rows has elements that begin alike
    return has_formulas(data, start, end) or _PREFIXED.search(data, start, end) is not None


# --- which ---------------------------------------------------------------------------------------
def _index_dependents(places: Iterable[tuple[int, tuple[str, Area]]]) -> dict[str, Dependents]:
    """By sheet, an index of its dependents. `places`: each with the number of its dependent."""
    by_sheet: dict[str, list[tuple[Area, int]]] = {}
    for number, (title, area) in places:
        by_sheet.setdefault(title, []).append((area, number))
    return {title: Dependents(entries) for title, entries in by_sheet.items()}


def dependents_of(waiting: list[tuple[str, Formula]], reads: list[Precedents], changed: ChangedCells,
         known: Iterable[int]) -> list[int]:
    """The numbers of the formulas that depend on what was changed, directly or indirectly, and of those in `known`."""
    takers = _index_dependents((number, place) for number, precedents in enumerate(reads) for place in precedents.areas)
    fresh = dict.fromkeys(known)
    for title, places in changed.items():
        for row, column in places if title in takers else ():
            fresh.update(dict.fromkeys(takers[title].take(Area(column, row, column, row))))
    reached, todo = dict(fresh), deque(fresh)
    while todo:
        title, formula = waiting[todo.popleft()]
        area = formula.results or Area(formula.column, formula.row, formula.column, formula.row)
        for number in takers[title].take(area) if title in takers else ():
            if number not in reached:
                reached[number] = None
                todo.append(number)
    return list(reached)


def _possible_dependents(book: OoxmlBook, waiting: list[tuple[str, Formula]], reads: list[Precedents],
              changed: ChangedCells) -> list[int]:
    """The formulas with a function whose precedents cannot be told and that is given something of a changed sheet."""
    blind = [number for number, precedents in enumerate(reads) if precedents.blind]
    if not blind:
        return []
    says = _mention_pattern(book, changed)
    dependents = [n for n in blind if any(title in changed for title, _ in reads[n].asks)
                  or any(map(says.search, reads[n].texts)) or (waiting[n][0] in changed and _means_own_sheet(reads[n]))]
    asking = _index_dependents((n, place) for n in blind for place in reads[n].asks)
    for title, takers in asking.items():
        for row, column in _mentions(book, title, says, [f for name, f in waiting if name == title]):
            dependents += takers.take(Area(column, row, column, row))
    return dependents


def _means_own_sheet(precedents: Precedents) -> bool:
    return "INDIRECT" in precedents.blind and not any("!" in text for text in precedents.texts)


def _mention_pattern(book: OoxmlBook, changed: ChangedCells) -> re.Pattern[str]:
    """A pattern for texts that mean a changed sheet: its title, a table on it, a name of either."""
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


def _mentions(book: OoxmlBook, title: str, says: re.Pattern[str], formulas: list[Formula]) -> Iterator[tuple[int, int]]:
    """The cells of a sheet whose text or formula means a changed sheet."""
    for row, cells in book.rows(title).items():
        for column, cell in cells.items():
            if cell.data_type == "s" and says.search(cell.value):
                yield row, column
    for formula in formulas:
        if says.search(formula.text):
            yield formula.row, formula.column


# --- taking away ---------------------------------------------------------------------------------
class _FormulaSheet:
    """A sheet's part with its rows, to be read and then changed."""

    def __init__(self, book: OoxmlBook, title: str) -> None:
        self._book, self._title = book, title
        self._part = book.sheets[title].part
        data = book.package.text(self._part)
        self._before, self._prefix, self._rows, self._after = markup.split_sheet(data)
        self._marks = (b"<f", b":f") if _PREFIXED.search(data) else (b"<f",)

    def formulas(self) -> Iterator[Formula]:
        """Its formulas. Raises `Damaged`."""
        return iter_formulas(self._rows, self._marks)

    def without_results(self, formulas: Iterable[Formula]) -> None:
        """Remove the stored results of formulas, and nothing else."""
        changed = False
        for formula in formulas:
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
