"""A workbook's sheets, tables, styles, names and settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from assistant.workbook.ooxml.cells import (
    Area,
    Rows,
    Split,
    area_of,
    find_place,
    is_numbered,
    read_rows,
    read_sheet,
    split_chunked,
    split_sheet,
)
from assistant.workbook.ooxml.package import ZipPackage
from assistant.workbook.ooxml.xml_tree import (
    STYLES_ORDER,
    WORKBOOK_ORDER,
    Damaged,
    Splices,
    XmlNode,
    append_to_group,
    element_xml,
    escape_xml,
    has_comments,
    insert_child,
    parse,
    read_strings,
)

# Excel tables.


class TablePart(NamedTuple):
    """An Excel table. `totals`: how many rows at its end are totals; `heads`: rows at its top that are headings."""

    name: str
    part: str
    sheet: str
    area: Area
    totals: int
    heads: int
    columns: tuple[str, ...]


def read_table(package: ZipPackage, sheet: str, part: str) -> TablePart:
    """Read the table of a part. `sheet`: the title of its sheet. Raises `Damaged`, `Hostile`."""
    root = package.tree(part)
    heads = root.get("headerRowCount")
    return TablePart(root.get("displayName") or root.get("name"), part, sheet, area_of(root.get("ref")),
                     root.whole("totalsRowCount"), int(heads) if heads.isdigit() else 1,
                     tuple(column.get("name") for column in root.members("tableColumns", "tableColumn")))


def _only_filter(root: XmlNode) -> tuple[XmlNode | None, XmlNode | None]:
    columns = root.members("autoFilter", "filterColumn")
    filters = columns[0].child("filters") if len(columns) == 1 else None
    plain = filters is not None and filters.flag("blank") and bool(filters.all("filter")) and (
        len(filters.children) == len(filters.all("filter")))
    return (columns[0], filters) if plain else (None, None)


# Cell styles.
# #
# A new style is appended, and only if there is no equal one; the numbers of existing styles stay.


# the numbers that the format gives to dates and times; 27 to 36 and 50 to 58 are those of East Asian versions
_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)})
# what is no sign of a date: texts, escaped signs, room, colours and conditions; but [h] counts hours
_QUOTED = r'(?i)"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]'
_DATE_SIGNS = r"(?i)[ymdhs]"
_GROUPS = {"font": "fonts", "fill": "fills", "border": "borders"}
STYLE_TAGS = {"numFmts": "numFmt", **{group: tag for tag, group in _GROUPS.items()}, "cellXfs": "xf", "dxfs": "dxf"}
"""Group of the styles part -> what its members are called."""


def shows_date(code: str) -> bool:
    """Whether a number format shows a date or time (its first section counts)."""
    plain = re.sub(_QUOTED, "", code.partition(";")[0])
    return bool(re.search(_DATE_SIGNS, plain)) and plain.strip().lower() != "general"


class OoxmlStyles:
    """The styles part of a workbook; `part` may be "" if there is none."""

    def __init__(self, package: ZipPackage, part: str) -> None:
        self._package, self._part = package, part
        self._data = package.text(part) if part else b""
        self.root = parse(self._data) if part else None
        """The part as it was before any new style."""
        self._members: dict[str, list[tuple[XmlNode, bytes]]] = {}
        self._shapes: dict[str, dict[tuple[object, ...], int]] = {}
        """Group -> the canonical form of each member -> the number of the first such member."""
        self._new: dict[str, list[bytes]] = {}
        self._known: dict[tuple[object, ...], int] = {}

    def members(self, group: str) -> list[tuple[XmlNode, bytes]]:
        """The members of a group of the part, new ones too, each with the bytes in which its positions are."""
        if group not in self._members:
            nodes = self.root.members(group, STYLE_TAGS[group]) if self.root is not None else []
            self._members[group] = [(node, self._data) for node in nodes]
        return self._members[group]

    @cached_property
    def dates(self) -> frozenset[int]:
        """The numbers of the styles that show a number as a date."""
        codes = {node.whole("numFmtId"): node.get("formatCode") for node, _ in self.members("numFmts")}
        numbers = set()
        for number, (xf, _) in enumerate(self.members("cellXfs")):
            kind = xf.whole("numFmtId")
            if not kind:
                continue  # General, whatever a program has written beside that number
            if shows_date(codes[kind]) if kind in codes else kind in _BUILT_IN_DATES:
                numbers.add(number)
        return frozenset(numbers)

    def xml(self, style: int, group: str) -> bytes:
        """The XML of a style's ``font``, ``fill`` or ``border``; b"" if there is none."""
        members, formats = self.members(_GROUPS[group]), self.members("cellXfs")
        number = formats[style][0].whole(f"{group}Id") if 0 <= style < len(formats) else 0
        if not 0 <= number < len(members):
            return b""
        node, data = members[number]
        return data[node.start:node.end]

    # --- new styles -------------------------------------------------------------------------
    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a style like another, but with this font, fill or border (an element without prefix), or with
        text that never becomes a formula (`quoted`). Raises `Damaged` if there are no styles.
        """
        wanted = (style, font, fill, border, quoted)
        if wanted not in self._known:
            self._known[wanted] = self._like(style, {"font": font, "fill": fill, "border": border}, quoted)
        return self._known[wanted]

    def _like(self, style: int, parts: dict[str, bytes], quoted: bool | None) -> int:
        if not 0 <= style < len(self.members("cellXfs")):
            raise Damaged("styles")
        model, data = self.members("cellXfs")[style]
        attrs = dict(model.attrs)
        for group, xml in parts.items():
            if xml:
                attrs |= {f"{group}Id": str(self.add(_GROUPS[group], xml)), f"apply{group.capitalize()}": "1"}
        if quoted is not None:
            # the apostrophe that nobody sees: a text stays one when somebody edits its cell
            attrs.pop("quotePrefix", None)
            if quoted:
                attrs["quotePrefix"] = "1"
        return self.add("cellXfs", element_xml(f"{model.prefix}xf".encode(), attrs, data[model.inner:model.close]))

    def add(self, group: str, xml: bytes) -> int:
        """The number of a member (an element, perhaps still without the part's prefix) in its group; it is appended if
        there is no equal one. Raises `Damaged` if there are no styles.
        """
        if self.root is None:
            raise Damaged("styles")
        members = self.members(group)
        if group not in self._shapes:
            self._shapes[group] = {}
            for number, (node, _) in enumerate(members):
                self._shapes[group].setdefault(canonical_form(node), number)
        known, wanted = self._shapes[group], canonical_form(parse(xml))
        if wanted not in known:
            if prefix := self.root.prefix.encode():
                xml = re.sub(rb"<(/?)(?=[A-Za-z])(?!%s)" % re.escape(prefix), rb"<\1" + prefix, xml)
            known[wanted] = len(members)
            members.append((parse(xml), xml))
            self._new.setdefault(group, []).append(xml)
            self._write(self.root)
        return known[wanted]

    def _write(self, root: XmlNode) -> None:
        """Put the part with all new members into the package."""
        splices = Splices(self._data)
        for group in STYLES_ORDER:
            append_to_group(splices, root, STYLES_ORDER, group, self._new.get(group, []))
        self._package.put(self._part, splices.result())
        self.__dict__.pop("dates", None)


def canonical_form(node: XmlNode) -> tuple[object, ...]:
    """An element in a form that can be compared, regardless of its prefix and the order of its attributes."""
    return node.tag, tuple(sorted(node.attrs.items())), tuple(canonical_form(c) for c in node.children)


# The workbook.


NEAR_TOP = 2**16
"""How many bytes of a sheet are searched for a row near its top."""


class SheetPart(NamedTuple):
    """A worksheet of the workbook."""

    title: str
    part: str
    hidden: bool


class OoxmlBook:
    """A workbook's package with its sheets. Raises `Damaged` and `Hostile` when opened or read."""

    def __init__(self, data: bytes) -> None:
        self.package = ZipPackage(data)
        self.part = self.package.linked_part("", "officeDocument")
        if not self.part:
            raise Damaged("workbook")
        self._root = self.package.tree(self.part)
        if self._root.tag != "workbook":
            raise Damaged("workbook")
        self._rows: dict[str, Rows] = {}
        self._index: dict[str, Split] = {}

    @property
    def strict(self) -> bool:
        """Whether the workbook is in the strict form, with its own namespaces and relationships."""
        return any("purl.oclc.org" in value for name, value in self._root.attrs.items() if name.startswith("xmlns"))

    # --- sheets -----------------------------------------------------------------------------
    @cached_property
    def sheets(self) -> dict[str, SheetPart]:
        """The worksheets by title, in the order of their tabs, without chart and dialog sheets."""
        links = {k.id: k for k in self.package.links(self.part)}
        parts = {}
        for node in self._root.members("sheets", "sheet"):
            link = links.get(node.link_id())
            if link is None or link.external or link.kind != "worksheet":
                continue
            title = node.get("name")
            if link.target not in self.package or title in parts:
                raise Damaged(link.target)
            parts[title] = SheetPart(title, link.target, node.get("state") in ("hidden", "veryHidden"))
        return parts

    def rows(self, title: str) -> Rows:
        """The cells of a sheet, by row and column number; read once."""
        if title not in self._rows:
            self._rows[title] = read_sheet(self.package.text(self.sheets[title].part), self.strings, self.styles.dates,
                                           self.since_1904)
        return self._rows[title]

    def split_part(self, title: str) -> Split:
        """A sheet in four: the part before its rows, their prefix with colon, the rows (read-only), the part after."""
        if title not in self._index:
            part = self.sheets[title].part
            ends = self.package.chunks_of(part)
            self._index[title] = split_sheet(self.package.text(part)) if ends is None else split_chunked(
                ends, lambda: self.package.text(part))
        return self._index[title]

    def trust(self, title: str) -> None:
        """Trust a sheet: its `print_of` is that of a sheet that was verified when written."""
        self.package.trust(self.sheets[title].part)

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet; the other rows are not parsed."""
        if title in self._rows:
            known = self._rows[title]
            return {n: known[n] for n in range(first, last + 1) if n in known}
        index = self.split_part(title)[2]
        if not index.numbered:
            self.rows(title)
            return self.some_rows(title, first, last)
        raw = [index.raw(n) for n in index.between(first, last)]
        if not all(is_numbered(row) for row in raw):  # where it stands shows only among the others
            known = self.rows(title)
            return {n: known[n] for n in range(first, last + 1) if n in known}
        return read_rows(b"".join(raw), self.strings, self.styles.dates, self.since_1904)

    def single_rows(self, title: str, numbers: Sequence[int]) -> Rows:
        """The cells of some rows (ascending) of a sheet that was just written, found one after the other."""
        part = self.sheets[title].part
        ends = self.package.chunks_of(part)
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
        """The cells of a row near the top of a sheet; the rest is not even unpacked."""
        if title in self._rows or (title in self._index and not self._index[title][2].partial):
            return self.some_rows(title, number, number)
        head = self.package.head(self.sheets[title].part, NEAR_TOP)
        match = re.search(rb'<row [^<>]*?\br="%d"[^<>]*>.*?</row>' % number, head, re.S)
        plain = head.find(b"<sheetData>") >= 0 and not has_comments(head)
        if match is None or not plain or head.startswith((b"\xff\xfe", b"\xfe\xff")):
            return self.some_rows(title, number, number)
        return read_rows(match[0], self.strings, self.styles.dates, self.since_1904)

    def print_of(self, title: str) -> str:
        """A fingerprint of a sheet's cells: checksums of its part and of the parts that it depends on."""
        parts = [self.sheets[title].part, *(self.package.linked_part(self.part, kind) for kind in (
            "sharedStrings", "styles"))]
        parts += [k.target for k in self.package.links(self.sheets[title].part) if k.kind == "table"]
        return " ".join(self.package.print_of(part) for part in parts if part)

    def forget(self, title: str) -> None:
        """Forget a changed sheet, so that it is read again when needed."""
        self._rows.pop(title, None)
        self._index.pop(title, None)

    # --- what cells share -------------------------------------------------------------------
    @cached_property
    def strings(self) -> list[str]:
        """The shared strings, rich text as plain text."""
        part = self.package.linked_part(self.part, "sharedStrings")
        return read_strings(self.package.text(part)) if part else []

    @cached_property
    def styles(self) -> OoxmlStyles:
        """The cells' styles."""
        return OoxmlStyles(self.package, self.package.linked_part(self.part, "styles"))

    @cached_property
    def since_1904(self) -> bool:
        """Whether dates count from 1904."""
        node = self._root.child("workbookPr")
        return node is not None and node.flag("date1904")

    @property
    def locked_structure(self) -> bool:
        """Whether the structure is protected: no sheet may be added or renamed."""
        node = self._root.child("workbookProtection")
        return node is not None and node.flag("lockStructure")

    @property
    def signed(self) -> bool:
        """Whether the whole workbook is signed; a signature of its macros alone stays valid."""
        return bool(self.package.linked_part("", "origin"))

    @property
    def macros(self) -> bool:
        """Whether there is a VBA project."""
        return bool(self.package.linked_part(self.part, "vbaProject"))

    # --- names and tables -------------------------------------------------------------------
    @cached_property
    def names(self) -> dict[str, str]:
        """The workbook-wide names and their definitions (``'Desk'!$B$6``)."""
        return {n.get("name"): n.text.strip() for n in self._root.members("definedNames", "definedName")
                if not n.get("localSheetId")}

    @property
    def all_names(self) -> dict[tuple[str, str], str]:
        """(Sheet of a name, "" for workbook-wide ones; name), both in lower case -> its definition."""
        order = [node.get("name").casefold() for node in self._root.members("sheets", "sheet")]
        names = {}
        for node in self._root.members("definedNames", "definedName"):
            number = node.whole("localSheetId", -1)
            if number < len(order):
                names[order[number] if number >= 0 else "", node.get("name").casefold()] = node.text.strip()
        return names

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""
        return find_place(self.names.get(name, ""), self.sheets)

    def tables(self, title: str = "") -> Iterator[TablePart]:
        """All Excel tables, or those of a sheet, sheet by sheet, as they are now."""
        for name, sheet in self.sheets.items() if not title else [(title, self.sheets[title])]:
            for link in self.package.links(sheet.part):
                if link.kind == "table" and not link.external:
                    yield read_table(self.package, name, link.target)

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Set a table's last row; its filter ends above a row of totals."""
        root = self.package.tree(table.part)
        chosen = root.child("autoFilter")
        with self.package.edit(table.part) as splices:
            splices.attribute(root, "ref", str(table.area._replace(bottom=bottom)))
            if chosen is not None and chosen.get("ref"):
                area = area_of(chosen.get("ref"))
                splices.attribute(chosen, "ref", str(area._replace(bottom=bottom - table.totals)))

    def only_filter(self, table: TablePart) -> tuple[int, list[str]] | None:
        """The column number and values of a table's only filter, if that shows some values of one column, and blank
        cells. None for any other filter, or no filter.
        """
        column, filters = _only_filter(self.package.tree(table.part))
        if column is None or filters is None:
            return None
        return table.area.left + column.whole("colId"), [node.get("val") for node in filters.all("filter")]

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Set the values of such a filter. Raises ValueError if there is none."""
        _, filters = _only_filter(self.package.tree(table.part))
        if filters is None:
            raise ValueError(f"{table.name} has no filter of values")
        markup = b"".join(b'<%sfilter val="%s"/>' % (filters.prefix.encode(), escape_xml(value, quoted=True))
                          for value in values)
        with self.package.edit(table.part) as splices:
            splices.replace(filters.inner, filters.close, markup)

    def calculated_columns(self, table: TablePart) -> dict[int, str]:
        """The formulas (without ``=``) of a table's calculated columns, by column number."""
        columns = self.package.tree(table.part).members("tableColumns", "tableColumn")
        formulas = {}
        for column, node in enumerate(columns, table.area.left):
            formula = node.child("calculatedColumnFormula")
            if formula is not None and formula.text.strip():
                formulas[column] = formula.text.strip()
        return formulas

    # --- changes ----------------------------------------------------------------------------
    def recalculate(self) -> None:
        """Tell Excel to recalculate all formulas when the workbook is opened."""
        node = self._root.child("calcPr")
        with self.edit() as splices:
            if node is None:
                new = f'<{self._root.prefix}calcPr fullCalcOnLoad="1"/>'.encode()
                insert_child(splices, self._root, WORKBOOK_ORDER, "calcPr", new)
            elif not node.flag("fullCalcOnLoad"):
                splices.attribute(node, "fullCalcOnLoad", "1")

    def drop_calc_chain(self) -> None:
        """Remove the calculation chain, which names a formula that is gone; Excel rebuilds it."""
        part = self.package.linked_part(self.part, "calcChain")
        if part:
            self.package.unlink(self.part, part)
            self.package.drop(part)

    @contextmanager
    def edit(self) -> Iterator[Splices]:
        """Gather changes to the workbook's own part (sheets, names, settings); it has them afterwards."""
        with self.package.edit(self.part) as splices:
            yield splices
        self.rewritten()

    def rewritten(self) -> None:
        """Look again at the workbook's own part, which was changed."""
        self._root = self.package.tree(self.part)
        for name in ("sheets", "names"):
            self.__dict__.pop(name, None)

    def styles_changed(self) -> None:
        """Forget the styles, which were changed or added, so that they are read again when needed."""
        self.__dict__.pop("styles", None)

    @property
    def root(self) -> XmlNode:
        """The workbook's own part as a tree."""
        return self._root
