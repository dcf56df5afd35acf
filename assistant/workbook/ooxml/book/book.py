"""The workbook of a package: a file's bytes in; its sheets, tables, names and settings out, by what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from assistant.workbook.ooxml.book.excel_tables import (
    TablePart,
    calculated,
    read_table,
    set_bottom,
    show_only,
    shown_only,
)
from assistant.workbook.ooxml.book.styles import Styles
from assistant.workbook.ooxml.cells.areas import Area, area_of
from assistant.workbook.ooxml.cells.cells import Rows, read_rows, read_sheet
from assistant.workbook.ooxml.cells.rows import Split, says_its_number, split, split_parted
from assistant.workbook.ooxml.parts.faults import Damaged
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.strings import has_asides, read_strings
from assistant.workbook.ooxml.parts.xmltree import Node, Splices

NEAR_TOP = 2**16
"""Bytes of a sheet in which a row near its top is looked for."""
_AFTER_CALC = ("oleSize", "customWorkbookViews", "pivotCaches", "smartTagPr", "smartTagTypes", "webPublishing",
               "fileRecoveryPr", "webPublishObjects", "extLst")


class SheetPart(NamedTuple):
    """A worksheet of the workbook."""

    title: str
    part: str
    hidden: bool


class OoxmlBook:
    """A workbook's package with its sheets. Raises `Damaged` and `Hostile` when it is opened or read."""

    def __init__(self, data: bytes) -> None:
        self.package = Package(data)
        self.part = self.package.linked("", "officeDocument")
        if not self.part:
            raise Damaged("workbook")
        self._root = self.package.tree(self.part)
        if self._root.tag != "workbook":
            raise Damaged("workbook")
        self._rows: dict[str, Rows] = {}
        self._index: dict[str, Split] = {}

    @property
    def strict(self) -> bool:
        """Whether the workbook has the strict form, whose namespaces and relationships have other names."""
        return any("purl.oclc.org" in value for name, value in self._root.attrs.items() if name.startswith("xmlns"))

    # --- sheets -----------------------------------------------------------------------------
    @cached_property
    def sheets(self) -> dict[str, SheetPart]:
        """The worksheets by title, in the order of their tabs; charts and dialogs are no worksheets."""
        links = {k.id: k for k in self.package.links(self.part)}
        found = {}
        for node in self._nodes("sheets", "sheet"):
            link = links.get(node.linked())
            if link is None or link.external or link.kind != "worksheet":
                continue
            title = node.get("name")
            if link.target not in self.package or title in found:
                raise Damaged(link.target)
            found[title] = SheetPart(title, link.target, node.get("state") in ("hidden", "veryHidden"))
        return found

    def _nodes(self, group: str, tag: str) -> list[Node]:
        parent = self._root.child(group)
        return parent.all(tag) if parent else []

    def rows(self, title: str) -> Rows:
        """The cells of a sheet, by row and column number; read once."""
        if title not in self._rows:
            self._rows[title] = read_sheet(self.package.text(self.sheets[title].part), self.strings, self.styles.dates,
                                           self.since_1904)
        return self._rows[title]

    def divided(self, title: str) -> Split:
        """A sheet in four: what stands before its rows, their prefix with colon, the rows (for looking), the rest."""
        if title not in self._index:
            part = self.sheets[title].part
            ends = self.package.parted(part)
            self._index[title] = split(self.package.text(part)) if ends is None else split_parted(
                ends, lambda: self.package.text(part))
        return self._index[title]

    def trust(self, title: str) -> None:
        """Take a sheet for sound: its `print_of` is that of one that was proved when it was written."""
        self.package.trust(self.sheets[title].part)

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet; the others are not looked at."""
        if title in self._rows:
            known = self._rows[title]
            return {n: known[n] for n in range(first, last + 1) if n in known}
        index = self.divided(title)[2]
        if not index.numbered:
            self.rows(title)
            return self.some_rows(title, first, last)
        raw = [index.raw(n) for n in index.between(first, last)]
        if not all(says_its_number(row) for row in raw):  # where it stands shows only among the others
            known = self.rows(title)
            return {n: known[n] for n in range(first, last + 1) if n in known}
        return read_rows(b"".join(raw), self.strings, self.styles.dates, self.since_1904)

    def single_rows(self, title: str, numbers: Sequence[int]) -> Rows:
        """The cells of some rows (ascending) of a sheet that was just written: found one after the other."""
        part = self.sheets[title].part
        ends = self.package.parted(part)
        data = ends.tail if ends is not None else self.package.text(part)
        raw, at = [], data.find(b"<row " if ends is not None else b"<sheetData>")
        for number in numbers:
            start = data.find(b'<row r="%d"' % number, at) if at >= 0 else -1
            close = data.find(b">", start)
            if start < 0:
                return {n: cells for n in numbers for cells in self.some_rows(title, n, n).values()}
            at = close + 1 if data[close - 1:close] == b"/" else data.find(b"</row>", close) + 6
            raw.append(data[start:at])
        return read_rows(b"".join(raw), self.strings, self.styles.dates, self.since_1904)

    def row_near_top(self, title: str, number: int) -> Rows:
        """The cells of a row that stands near the top of a sheet, the rest of which is not even unpacked."""
        if title in self._rows or (title in self._index and not self._index[title][2].partial):
            return self.some_rows(title, number, number)
        head = self.package.head(self.sheets[title].part, NEAR_TOP)
        found = re.search(rb'<row [^<>]*?\br="%d"[^<>]*>.*?</row>' % number, head, re.S)
        plain = head.find(b"<sheetData>") >= 0 and not has_asides(head)
        if found is None or not plain or head.startswith((b"\xff\xfe", b"\xfe\xff")):
            return self.some_rows(title, number, number)
        return read_rows(found[0], self.strings, self.styles.dates, self.since_1904)

    def print_of(self, title: str) -> str:
        """What tells the cells of a sheet from any others: checksums of its part and of those that it leans on."""
        parts = [self.sheets[title].part, *(self.package.linked(self.part, kind) for kind in (
            "sharedStrings", "styles"))]
        parts += [k.target for k in self.package.links(self.sheets[title].part) if k.kind == "table"]
        return " ".join(self.package.print_of(part) for part in parts if part)

    def forget(self, title: str) -> None:
        """The sheet was changed: read it again when it is asked for."""
        self._rows.pop(title, None)
        self._index.pop(title, None)

    # --- what cells share -------------------------------------------------------------------
    @cached_property
    def strings(self) -> list[str]:
        """The shared strings, rich text as plain text."""
        part = self.package.linked(self.part, "sharedStrings")
        return read_strings(self.package.text(part)) if part else []

    @cached_property
    def styles(self) -> Styles:
        """The cells' styles."""
        return Styles(self.package, self.package.linked(self.part, "styles"))

    @cached_property
    def since_1904(self) -> bool:
        """Whether dates are counted from 1904."""
        found = self._root.child("workbookPr")
        return found is not None and found.flag("date1904")

    @property
    def locked_structure(self) -> bool:
        """Whether sheets may not be added or renamed."""
        found = self._root.child("workbookProtection")
        return found is not None and found.flag("lockStructure")

    @property
    def signed(self) -> bool:
        """Whether the whole workbook is signed; a signature of its macros only stays valid."""
        return bool(self.package.linked("", "origin"))

    @property
    def macros(self) -> bool:
        """Whether there is a VBA project."""
        return bool(self.package.linked(self.part, "vbaProject"))

    # --- names and tables -------------------------------------------------------------------
    @cached_property
    def names(self) -> dict[str, str]:
        """The names that hold in the whole workbook -> what they stand for (``'Desk'!$B$6``)."""
        return {n.get("name"): n.text.strip() for n in self._nodes("definedNames", "definedName")
                if not n.get("localSheetId")}

    @property
    def all_names(self) -> dict[tuple[str, str], str]:
        """The sheet in which a name holds ("" for all) and the name, both in small letters -> what it stands for."""
        order = [node.get("name").casefold() for node in self._nodes("sheets", "sheet")]
        found = {}
        for node in self._nodes("definedNames", "definedName"):
            number = node.whole("localSheetId", -1)
            if number < len(order):
                found[order[number] if number >= 0 else "", node.get("name").casefold()] = node.text.strip()
        return found

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""
        found = re.fullmatch(r"(?:'((?:[^']|'')+)'|([^'!()\[\]]+))!(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)",
                             self.names.get(name, ""))
        if not found:
            return None
        title = found[1].replace("''", "'") if found[1] else found[2]
        return (title, area_of(found[3])) if title in self.sheets else None

    def tables(self) -> Iterator[TablePart]:
        """All Excel tables, sheet by sheet, as they are now."""
        for title, sheet in self.sheets.items():
            for link in self.package.links(sheet.part):
                if link.kind == "table" and not link.external:
                    yield read_table(self.package, title, link.target)

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Let a table end at a row, its filter above a row of totals."""
        set_bottom(self.package, table, bottom)

    def shown_only(self, table: TablePart) -> tuple[int, list[str]] | None:
        """Of a table whose only filter shows some values of one column, and blank cells: the column's number and the
        values. None for any other filter, or none.
        """
        return shown_only(self.package, table)

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Let the filter of `shown_only` show other values."""
        show_only(self.package, table, values)

    def calculated(self, table: TablePart) -> dict[int, str]:
        """The formulas (without ``=``) of a table's calculated columns, by column number."""
        return calculated(self.package, table)

    # --- changes ----------------------------------------------------------------------------
    def recalculate(self) -> None:
        """Tell Excel to work all formulas out when the workbook is opened."""
        data = self.package.text(self.part)
        splices, node = Splices(data), self._root.child("calcPr")
        if node is not None:
            if node.flag("fullCalcOnLoad"):
                return
            splices.attribute(node, "fullCalcOnLoad", "1")
        else:
            after = next((c for c in self._root.children if c.tag in _AFTER_CALC), None)
            new = f'<{self._root.prefix}calcPr fullCalcOnLoad="1"/>'.encode()
            if after is not None:
                splices.replace(after.start, after.start, new)
            else:
                splices.append(self._root, new)
        self._put_root(splices.done())

    def drop_calc_chain(self) -> None:
        """Take the order of calculation away, which names a formula that is gone; Excel makes it anew."""
        part = self.package.linked(self.part, "calcChain")
        if part:
            self.package.unlink(self.part, part)
            self.package.drop(part)

    def rewritten(self, data: bytes) -> None:
        """Take the workbook's own part (sheets, names, settings) in, changed."""
        self._put_root(data)
        for name in ("sheets", "names"):
            self.__dict__.pop(name, None)

    def styles_changed(self) -> None:
        """The styles' part was changed, or is new: read it again when it is asked for."""
        self.__dict__.pop("styles", None)

    @property
    def root(self) -> Node:
        """The workbook's own part as a tree."""
        return self._root

    def _put_root(self, data: bytes) -> None:
        self.package.put(self.part, data)
        self._root = self.package.tree(self.part)
