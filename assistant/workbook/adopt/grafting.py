"""Columns of ours beside a club's own table: a table in; what a record needs and the club does not keep out.

They stand right beside the table where nothing is in the way, so that sorting takes them along; an Excel table
and a filter are made to reach over them. Else they stand behind everything on the sheet. No cell of the club's
is touched, whatever it holds or looks like.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from assistant.campaign.record import Record
from assistant.workbook.adopt.blocks import beneath, totals_of
from assistant.workbook.adopt.picks import Pick
from assistant.workbook.layout import HEADING_ROW, SPARE_ROWS, shown_columns, table_name
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.book.sheet import Sheet
from assistant.workbook.ooxml.cells.areas import Area, area_of, letters_of, quoted_area
from assistant.workbook.ooxml.parts.child_order import WORKSHEET, extend, insert
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, escaped
from assistant.workbook.ooxml.whole_sheets.style_merge import StyleMerge
from assistant.workbook.read.headings import folded
from assistant.workbook.read.keeping import Kept, club_table
from assistant.workbook.read.values import cell_value

OURS = "{heading} (Arbitro)"
"""How a heading of ours reads where the club has the same word for something else."""


class Graft:
    """The columns of one record on their way beside a club's table. Raises `Damaged`, `Hostile`, `Unsafe`.

    `used`: fields that are only offered and hold something; the others of these stay away.
    """

    def __init__(self, book: OoxmlBook, donor: OoxmlBook, styles: StyleMerge, pick: Pick, lang: str,
                 used: Collection[str] = ()) -> None:
        self._book, self._donor, self._styles, self._pick, self._lang = book, donor, styles, pick, lang
        self._block, record = pick.block, pick.record
        self._donors = shown_columns(record, lang, used)
        self._shown = [s for s in self._donors if s.column is not None and not s.empty and s.name not in pick.columns]
        self.first, self.apart = self._place()

    # --- where ------------------------------------------------------------------------------
    def _place(self) -> tuple[int, bool]:
        """The first column, and whether it is apart from the table."""
        area, title = self._block.area, self._block.title
        wanted = Area(area.right + 1, area.top, area.right + max(1, len(self._shown)), area.bottom + 1)
        root = self._book.package.tree(self._book.sheets[title].part)
        taken = [area_of(n.get("ref")) for n in _all(root, "mergeCells", "mergeCell")]
        taken += [t.area for t in self._book.tables() if t.sheet == title and not t.area.meets(area)]
        taken += list(_drawn(self._book, root, title))
        free = Sheet(self._book, title).occupied(wanted) is None and not any(wanted.meets(a) for a in taken)
        if free:
            return area.right + 1, False
        used = [i for cells in self._book.rows(title).values() for i in cells]
        return max([area.right, *used, *(a.right for a in taken if a.right < 16_000)]) + 2, True

    # --- what -------------------------------------------------------------------------------
    def make(self, rows: Mapping[int, Record]) -> Kept:
        """Write the columns with the values of the rows (by number), and return the table with them."""
        kept = self._pick.kept
        if not self._shown:
            return kept
        sheet, top = Sheet(self._book, self._block.title), self._block.area.top
        model = next(t for t in self._donor.tables() if t.name == table_name(self._pick.record)).sheet
        looks = Sheet(self._donor, model)
        order = [s.name for s in self._donors]
        columns: dict[str, tuple[int, str]] = {}
        taken = {folded(text) for text in self._block.headings.values()}
        for i, one in enumerate(self._shown, self.first):
            heading = one.heading if folded(one.heading) not in taken else OURS.format(heading=one.heading)
            taken.add(folded(heading))
            at = order.index(one.name) + 1
            sheet.put(top, i, heading, style=self._styles.cell(looks.style(HEADING_ROW, at)))
            look = self._styles.cell(looks.style(HEADING_ROW + 1, at))
            for number in range(top + 1, self._block.area.bottom + 1):
                assert one.column is not None
                row = rows.get(number)
                value = cell_value(one.column, getattr(row, one.name), self._lang) if row is not None else None
                sheet.put(number, i, value, style=look)
            columns[one.name] = (i, heading)
        sheet.save()
        self._around(looks, model, order, columns.values())
        if not self.apart:
            self._reach([heading for _, heading in columns.values()])
        area = self._block.area if self.apart else self._block.area._replace(right=self.first + len(columns) - 1)
        return kept._replace(area=area, columns={**kept.columns, **columns})

    # --- around the cells ---------------------------------------------------------------------
    def _around(self, looks: Sheet, model: str, order: list[str], headings: Iterable[tuple[int, str]]) -> None:
        """Widths and drop-downs of the new columns."""
        part = self._book.sheets[self._block.title].part
        root, splices = self._book.package.tree(part), Splices(self._book.package.text(part))
        prefix = root.prefix.encode()
        headed = {i: 4 + 1.2 * len(text) for i, text in headings}  # the club's row of headings keeps its height
        widths = {i: max(headed[i], looks.width(order.index(one.name) + 1))
                  for i, one in enumerate(self._shown, self.first)}
        _widen(splices, root, widths)
        last = self._block.area.bottom
        if beneath(self._book, self._block) is None and not totals_of(self._book, self._block):
            last += SPARE_ROWS
        theirs = self._donor.package.tree(self._donor.sheets[model].part)
        data = self._donor.package.text(self._donor.sheets[model].part)
        choices = []
        for i, one in enumerate(self._shown, self.first):
            at = order.index(one.name) + 1
            for node in _all(theirs, "dataValidations", "dataValidation"):
                if area_of(node.get("sqref").split()[0]).left == at:
                    xml = data[node.start:node.end]
                    place = f"{letters_of(i)}{self._block.area.top + 1}:{letters_of(i)}{last}".encode()
                    xml = re.sub(rb'\ssqref="[^"]*"', b' sqref="' + place + b'"', xml, count=1)
                    choices.append(re.sub(rb"<(/?)(?=[A-Za-z])", rb"<\1" + prefix, xml) if prefix else xml)
        extend(splices, root, WORKSHEET, "dataValidations", choices)
        self._book.package.put(part, splices.done())
        self._book.forget(self._block.title)

    def _reach(self, headings: list[str]) -> None:
        """Let the club's Excel table and filter reach over the new columns."""
        right = self.first + len(headings) - 1
        table = club_table(self._book, self._block.title, self._block.area)
        if table is not None and table.area.right == self._block.area.right:
            _reach_table(self._book, table, headings, right)
        part = self._book.sheets[self._block.title].part
        root = self._book.package.tree(part)
        chosen = root.child("autoFilter")
        if chosen is None or not chosen.get("ref"):
            return
        area = area_of(chosen.get("ref"))
        if (area.top, area.right) == (self._block.area.top, self._block.area.right):
            splices = Splices(self._book.package.text(part))
            splices.attribute(chosen, "ref", str(area._replace(right=right)))
            self._book.package.put(part, splices.done())
            self._book.forget(self._block.title)
            _reach_filter(self._book, quoted_area(self._block.title, area),
                          quoted_area(self._block.title, area._replace(right=right)))


def _reach_filter(book: OoxmlBook, old: str, new: str) -> None:
    """Let the hidden name that Excel gives to a sheet's filter say the same area as the sheet."""
    splices = Splices(book.package.text(book.part))
    for node in _all(book.root, "definedNames", "definedName"):
        if node.get("name") == "_xlnm._FilterDatabase" and node.text.replace("'", "") == old.replace("'", ""):
            splices.replace(node.inner, node.close, escaped(new))
    if splices:
        book.rewritten(splices.done())


def _reach_table(book: OoxmlBook, table: TablePart, headings: list[str], right: int) -> None:
    root, splices = book.package.tree(table.part), Splices(book.package.text(table.part))
    splices.attribute(root, "ref", str(table.area._replace(right=right)))
    chosen = root.child("autoFilter")
    if chosen is not None and chosen.get("ref"):
        splices.attribute(chosen, "ref", str(area_of(chosen.get("ref"))._replace(right=right)))
    columns = root.child("tableColumns")
    assert columns is not None
    first = max([0, *(n.whole("id") for n in columns.all("tableColumn"))]) + 1
    new = [f'<{root.prefix}tableColumn id="{number}" name="'.encode() + escaped(text, quoted=True) + b'"/>'
           for number, text in enumerate(headings, first)]
    splices.attribute(columns, "count", str(len(columns.all("tableColumn")) + len(new)))
    splices.append(columns, b"".join(new))
    book.package.put(table.part, splices.done())


def _all(root: Node, group: str, tag: str) -> list[Node]:
    parent = root.child(group)
    return parent.all(tag) if parent is not None else []


def _drawn(book: OoxmlBook, root: Node, title: str) -> Iterable[Area]:
    """The areas over which drawings lie: shapes, pictures, charts."""
    node = root.child("drawing")
    link = next((k for k in book.package.links(book.sheets[title].part) if node is not None and k.id == node.linked()),
                None)
    if link is None or link.target not in book.package:
        return
    for anchor in book.package.tree(link.target).children:
        start, end = anchor.child("from"), anchor.child("to")
        if start is not None:
            left, top = _cell(start)
            right, bottom = _cell(end) if end is not None else (left + 6, top + 20)
            yield Area(left, top, max(left, right), max(top, bottom))


def _cell(node: Node) -> tuple[int, int]:
    numbers = {c.tag: int(c.text) if c.text.strip().isdigit() else 0 for c in node.children}
    return numbers.get("col", 0) + 1, numbers.get("row", 0) + 1


def _widen(splices: Splices, root: Node, widths: Mapping[int, float]) -> None:
    """Give columns their width; an element that covers them with others is divided."""
    prefix = root.prefix

    def one(first: int, last: int, attrs: Mapping[str, str]) -> bytes:
        shown = {**attrs, "min": str(first), "max": str(last)}
        return f"<{prefix}col ".encode() + b" ".join(
            b'%s="%s"' % (k.encode(), escaped(v, quoted=True)) for k, v in shown.items()) + b"/>"

    pieces: list[tuple[int, bytes]] = []
    for node in _all(root, "cols", "col"):
        first, last = node.whole("min"), node.whole("max")
        if not any(first <= i <= last for i in widths):
            pieces.append((first, splices.data[node.start:node.end]))
            continue
        while first <= last:
            end = next((i - 1 for i in sorted(widths) if first < i <= last), last) if first not in widths else first
            if first not in widths:
                pieces.append((first, one(first, end, node.attrs)))
            first = end + 1
    pieces += [(i, one(i, i, {"width": repr(width), "customWidth": "1"})) for i, width in widths.items()]
    inside = b"".join(xml for _, xml in sorted(pieces, key=lambda p: p[0]))
    columns = root.child("cols")
    if columns is None:
        insert(splices, root, WORKSHEET, "cols", f"<{prefix}cols>".encode() + inside + f"</{prefix}cols>".encode())
    else:
        splices.replace(columns.inner, columns.close, inside)
