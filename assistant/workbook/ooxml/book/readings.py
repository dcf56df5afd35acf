"""What the formulas of a workbook read: a formula in its cell in; areas by sheet out, and what nobody can judge.

Some functions read what no look at the formula tells: INDIRECT makes a place of a text, OFFSET goes on from a
place, a macro's function does as it likes. Beside the areas that such a formula reads beyond doubt stands what these
functions are given: areas (`Reading.asks`) and texts (`Reading.texts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells.areas import Area
from assistant.workbook.ooxml.cells.formulas import Formula, Ref, Said, joined_area, said

Place = tuple[str, Area]
"""The title of a sheet and an area on it."""
_PLACED = frozenset({"INDIRECT", "OFFSET"})
_USUAL = (
    "ABS ADDRESS AND AVERAGE AVERAGEIF AVERAGEIFS CELL CHOOSE COLUMN CONCATENATE COUNT COUNTA COUNTBLANK COUNTIF "
    "COUNTIFS DATE DAY FALSE FIND HLOOKUP HYPERLINK IF IFERROR INDEX INT ISBLANK ISERROR ISNA ISNUMBER LEFT LEN LOOKUP "
    "MATCH MAX MID MIN MOD MONTH NOT NOW OR RANDBETWEEN RANK RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SUBSTITUTE "
    "SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT TEXT TODAY TRIM TRUE UPPER VALUE VLOOKUP YEAR")
"""Functions that are known without asking openpyxl, which takes longer to load than all the rest of this."""
_LATER = ("_XLFN.", "_XLPM.")
"""How the names of functions begin that Excel has learnt since the format was made."""
_CALLED = re.compile(r"[^\W\d][\w.]*(?=\($)")


class Reading(NamedTuple):
    """What a formula reads. `areas`: beyond doubt; `blind`: the functions in it that nobody can judge; `asks`,
    `texts`: the areas and texts that these are given.
    """

    areas: list[Place]
    blind: frozenset[str] = frozenset()
    asks: list[Place] = []  # noqa: RUF012 - never changed
    texts: tuple[str, ...] = ()


class Readings:
    """The formulas of a workbook, as they are read."""

    def __init__(self, book: OoxmlBook) -> None:
        self._titles = {title.casefold(): title for title in book.sheets}
        self._names = book.all_names
        self._tables = {table.name.casefold(): (table.sheet, table.area) for table in book.tables()}
        self._usual = frozenset(_USUAL.split())
        self._judged: dict[str, bool] = {}
        self._given: dict[str, str] = {}

    def of(self, title: str, formula: Formula) -> Reading:
        """What a formula on a sheet reads."""
        one = said(formula.text)
        areas = [(title, area) for area in formula.inputs]
        if not (one.words or one.calls):
            return Reading([*areas, *self._areas(one, title, formula, False)])
        reached = list(self._reached(formula.text, title))
        for text, by_name in reached:
            areas += self._areas(said(text), title, formula, by_name)
        blind = frozenset(call for text, _ in reached for call in said(text).calls if not self._known(call))
        if not blind:
            return Reading(areas)
        asks: list[Place] = []
        texts: list[str] = []
        for text, by_name in reached:
            for given, in_name in self._reached(self._arguments(text), title) if said(text).calls & blind else ():
                asks += self._areas(said(given), title, formula, by_name or in_name)
                texts += said(given).texts
        for text in texts:  # which may be a place
            areas += self._areas(said(text), title, formula, True)
        return Reading(areas, blind, asks, tuple(texts))

    def _reached(self, text: str, title: str) -> Iterator[tuple[str, bool]]:
        """A text and those of the names in it, of the names in these, and so on; and whether a name said it."""
        yield text, False
        todo, seen = list(said(text).words), set()
        while todo:
            sheet, word = todo.pop()
            key = next((k for k in (((sheet or title).casefold(), word.casefold()), ("", word.casefold()))
                        if k in self._names), None)
            if key is not None and key not in seen:
                seen.add(key)
                yield self._names[key], True
                todo += said(self._names[key]).words

    def _areas(self, what: Said, title: str, formula: Formula, by_name: bool) -> list[Place]:
        """The areas of a text's places and tables. `by_name`: places in it are told from the first cell of a sheet."""
        rows, columns = (formula.row - 1, formula.column - 1) if by_name else (formula.rows, formula.columns)
        found: list[Place] = []
        for ref in what.refs:
            area = ref.moved(rows, columns, around=by_name)
            if area is not None:
                found += [(sheet, area) for sheet in self._sheets(ref, title)]
        found += [self._tables[word.casefold()] for _, word in what.words if word.casefold() in self._tables]
        if what.spanned:
            return [(sheet, joined_area(area for name, area in found if name == sheet))
                    for sheet in dict.fromkeys(name for name, _ in found)]
        return found

    def _sheets(self, ref: Ref, title: str) -> list[str]:
        """The sheets of an area: mostly one, all from one to another for ``Jan:Dec!A1``, none of another workbook."""
        if not ref.sheet:
            return [title]
        first, colon, last = (part.casefold() for part in ref.sheet.partition(":"))
        if not colon or first not in self._titles or last not in self._titles:
            return [self._titles[first]] if first in self._titles and not colon else []
        order = list(self._titles)
        one, other = sorted((order.index(first), order.index(last)))
        return [self._titles[name] for name in order[one:other + 1]]

    # --- functions ----------------------------------------------------------------------------
    def _known(self, call: str) -> bool:
        """Whether one can tell by looking at a formula what a function reads."""
        if call not in self._judged:
            self._judged[call] = call not in _PLACED and (
                call in self._usual or call.startswith(_LATER) or call in _of_excel())
        return self._judged[call]

    def _arguments(self, text: str) -> str:
        """All that a text gives to functions that nobody can judge, one behind the other."""
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
                blind.append(called is not None and not self._known(called[0].upper()))
            elif token.type == Token.FUNC:
                blind.pop()
            elif token.type == Token.OPERAND and any(blind):
                yield token.value


def _of_excel() -> frozenset[str]:
    from openpyxl.utils import FORMULAE

    return FORMULAE
