"""A sheet that is being changed: cells, styles, notes; and a set of such changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from assistant.workbook.ooxml import cells as markup
from assistant.workbook.ooxml import package
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import (
    Area,
    Cell,
    Value,
    XmlRow,
    area_of,
    cell_address,
    letters_of,
    place_of,
    shift_formula,
)
from assistant.workbook.ooxml.formulas import drop_stale_results
from assistant.workbook.ooxml.package import MAIN, RELATIONS, ZipPackage
from assistant.workbook.ooxml.xml_tree import (
    WORKSHEET_ORDER,
    Damaged,
    Splices,
    Unsafe,
    WorkbookFault,
    XmlNode,
    cell_text,
    escape_xml,
    insert_child,
    parse,
    text_of,
)

# Changing a sheet.
# #
# `values` records what was put where, for the check after saving and for the formulas that depend on it. Nothing is
# written before `save`; a change that would do harm raises `Unsafe` before that.


# Excel takes such a text for a formula when somebody edits its cell
_RISKY = ("=", "+", "-", "@")
_ARRAYS = rb"<(?:\w+:)?f\b([^>]*)>"
_AREA = rb"""\sref\s*=\s*["']([^"']+)["']"""
_SHARED = rb"""<(?:\w+:)?f\b(?=[^>]*\st="shared")[^>]*\ssi="(\d+)"[^>]*?(/?)>"""
_HEIGHT = re.compile(rb"""\s(?:ht|customHeight)\s*=\s*(?:"[^"]*"|'[^']*')""")
_HEIGHT_NOW = re.compile(rb"""\sht\s*=\s*["'](\d+(?:\.\d+)?)["']""")
_HIDDEN = re.compile(rb"""\shidden\s*=\s*(?:"[^"]*"|'[^']*')""")
_SHOWN = rb"""\shidden\s*=\s*["'](?:0|false)["']"""
_SPANS = re.compile(rb"""\sspans\s*=\s*(?:"[^"]*"|'[^']*')""")
_ROW_STYLE = rb"""(?s)(?=.*\scustomFormat=["'](?:1|true)["']).*\ss=["'](\d+)["']"""
STANDARD_WIDTH = 13


def _array_areas(data: bytes) -> list[Area]:
    """The areas of a sheet's array formulas and data tables."""
    if b"array" not in data and b"dataTable" not in data:
        return []
    return [area_of(match[1].decode()) for attrs in re.findall(_ARRAYS, data)
            if (b"array" in attrs or b"dataTable" in attrs) and (match := re.search(_AREA, attrs))]


class OoxmlSheet:
    """A worksheet that is being changed. Raises `Damaged` and `Hostile` when opened."""

    def __init__(self, book: OoxmlBook, title: str) -> None:
        self._book, self.title, self._part = book, title, book.sheets[title].part
        before, self._prefix, rows, after = book.split_part(title)
        self._rows = rows.fresh()
        self._outer, self._root = markup.outer_tree(before, self._prefix, after)
        self._areas: list[tuple[Area, int]] = []
        self.values: dict[tuple[int, int], Value] = {}
        self._seen: dict[int, Mapping[int, Cell]] = {}
        self.lost_formula = False
        self._merges = [area_of(n.get("ref")) for n in self._root.members("mergeCells", "mergeCell")]
        self._arrays = _array_areas(book.package.text(self._part)) if book.package.chunks_of(self._part) is None else []

    # --- looking ----------------------------------------------------------------------------
    def cell(self, row: int, column: int) -> bytes | None:
        """A cell's element as it is now; None if there is none."""
        line = self._rows.get(row)
        return line.cells.get(column) if line is not None else None

    def style(self, row: int, column: int) -> int:
        """The number of a cell's style; if there is no cell, that of its row or column."""
        cell = self.cell(row, column)
        if cell is not None:
            return markup.style_of(cell)
        line = self._rows.get(row)
        if line is not None and (match := re.match(_ROW_STYLE, line.tag)):
            return int(match[1])
        return next((n.whole("style") for n in self._root.members("cols", "col")
                     if n.whole("min") <= column <= n.whole("max")), 0)

    def width(self, column: int) -> float:
        """A column's width in characters."""
        for node in self._root.members("cols", "col"):
            if node.whole("min") <= column <= node.whole("max") and node.get("width"):
                return float(node.get("width"))
        return STANDARD_WIDTH

    def first_occupied(self, area: Area) -> tuple[int, int] | None:
        """The first cell of an area that holds something (row, column); None for none."""
        for number in self._rows.between(area.top, area.bottom):
            for column, cell in sorted(self._rows.new(number).cells.items()):
                if area.left <= column <= area.right and not markup.is_blank(cell):
                    return number, column
        return None

    def formula(self, row: int, column: int) -> str:
        """The formula of a cell without ``=``, a shared one as it reads there; "" for none."""
        cell = self.cell(row, column)
        if cell is None or not markup.has_formula(cell):
            return ""
        shared = re.search(_SHARED, cell)
        text = markup.formula_of(cell)
        if text:
            return text
        if shared is None:
            return ""
        mark = b'si="%s"' % shared[1]
        for number in self._rows.holding(mark):
            cell = self.cell(number, column)
            if cell is not None and mark in cell and markup.is_shared_master(cell):
                return shift_formula(markup.formula_of(cell), row - number)
        return ""

    def own_formula(self, row: int, column: int) -> str:
        """The text of a cell's own formula, as it is written; "" for none."""
        cell = self.cell(row, column)
        return markup.formula_of(cell) if cell is not None else ""

    # --- cells ------------------------------------------------------------------------------
    def put(self, row: int, column: int, value: Value, *, style: int | None = None) -> None:
        """Put a value into a cell: text always as text, whatever it begins with. `style`: instead of the cell's own.

        Raises `Unsafe` for a cell inside a merged area, an array formula or a data table, for the master of a shared
        formula, and for a number where a date is shown.
        """
        if style is None and self._holds(row, column, value):
            return
        old = self.cell(row, column)
        self._allow(row, column, old)
        look = self.style(row, column) if style is None else style
        if isinstance(value, (int, float)) and not isinstance(value, bool) and look in self._book.styles.dates:
            raise Unsafe("date", self._full(row, column))
        if isinstance(value, str) and value.startswith(_RISKY):
            look = self._book.styles.like(look, quoted=True)
        if old is None and value is None and not look:
            return
        self._place(row, column, markup.cell_xml(self._prefix, row, column, value, look, old or b""))
        self.values[row, column] = None if value == "" else value

    def _holds(self, row: int, column: int, value: Value) -> bool:
        """Whether an unchanged cell already holds a value: then its bytes stay as they are."""
        if (row, column) in self.values:
            return False
        known = self._read(row).get(column)
        if known is None:
            return value is None and (cell := self.cell(row, column)) is not None and markup.is_blank(cell)
        return known.data_type in "snb" and type(known.value) is type(value) and known.value == value

    def _value_read(self, row: int, column: int) -> Value:
        """What a cell held when it was read, in the form in which it will be read again."""
        known = self._read(row).get(column)
        return known.value if known is not None else None

    def _read(self, row: int) -> Mapping[int, Cell]:
        """The cells of a row as they were read."""
        if row not in self._seen:
            self._seen[row] = self._book.some_rows(self.title, row, row).get(row, {})
        return self._seen[row]

    def set_formula(self, row: int, column: int, formula: str, style: int, result: float | None = None
                    ) -> None:
        """Put a formula (without ``=``) into a cell. `result`: its present value, for programs that do not calculate.

        Raises as `put`.
        """
        self._allow(row, column, self.cell(row, column))
        self._place(row, column, markup.formula_xml(self._prefix, row, column, formula, style, result))
        self.values[row, column] = f"={formula}"

    def restyle(self, row: int, column: int, style: int) -> None:
        """Give a cell another style; its value stays."""
        old = self.cell(row, column)
        new = markup.with_style(old, style) if old is not None else markup.cell_xml(
            self._prefix, row, column, None, style)
        if new != old:
            self._place(row, column, new)

    def _allow(self, row: int, column: int, old: bytes | None) -> None:
        for area in self._merges:
            if area.has(row, column) and (row, column) != (area.top, area.left):
                raise Unsafe("merged", self._full(row, column))
        if any(area.has(row, column) for area in self._arrays):
            raise Unsafe("array", self._full(row, column))
        if old is not None and markup.has_formula(old):
            if markup.is_shared_master(old):
                raise Unsafe("shared", self._full(row, column))
            self.lost_formula = True

    def _full(self, row: int, column: int) -> str:
        return cell_address(self.title, letters_of(column), row)

    def _row(self, number: int) -> XmlRow:
        row = self._rows.new(number)
        row.changed = True
        return row

    def _place(self, row: int, column: int, cell: bytes | None) -> None:
        line = self._row(row)
        if cell is None:
            line.cells.pop(column, None)
        else:
            if column not in line.cells:
                line.tag = _SPANS.sub(b"", line.tag)
            line.cells[column] = cell

    # --- rows -------------------------------------------------------------------------------
    def move(self, row: int, column: int, to: int, *, formulas: bool = False) -> bool:
        """Move a cell with its formatting to another row of its column; a formula stays unless `formulas`. Whether it
        moved.

        Raises as `put`, for either place.
        """
        cell = self.cell(row, column)
        if cell is not None and markup.has_formula(cell) and not formulas:
            return False
        target = self.cell(to, column)
        if target is not None and markup.has_formula(target) and not formulas:
            return False
        self._allow(row, column, None)
        self._allow(to, column, target)
        held = self.values.get((row, column)) if (row, column) in self.values else self._value_read(row, column)
        self._place(to, column, markup.move_cell(cell, to, column) if cell is not None else None)
        self._place(row, column, None)
        self.values[to, column], self.values[row, column] = held, None
        return True

    def erase(self, row: int, column: int) -> None:
        """Remove a cell with its formatting. Raises as `put`."""
        cell = self.cell(row, column)
        if cell is not None:
            self._allow(row, column, cell)
            self._place(row, column, None)
            self.values[row, column] = None

    def height(self, row: int, points: float) -> None:
        """Set the height of a row."""
        known = self._rows.get(row)
        height = _HEIGHT_NOW.search(known.tag) if known is not None else None
        if height is not None and float(height[1]) == points:
            return
        line = self._row(row)
        tag = _HEIGHT.sub(b"", line.tag)
        end = -2 if tag.endswith(b"/>") else -1
        line.tag = tag[:end] + b' ht="%s" customHeight="1"' % repr(points).encode() + tag[end:]

    def hide(self, row: int, hidden: bool) -> None:
        """Hide a row, or show it again; a row that does not exist is visible."""
        known = self._rows.get(row)
        if known is None or hidden == (_HIDDEN.search(known.tag) is not None and not re.search(_SHOWN, known.tag)):
            return
        line = self._row(row)
        tag = _HIDDEN.sub(b"", line.tag)
        end = -2 if tag.endswith(b"/>") else -1
        line.tag = tag[:end] + b' hidden="1"' + tag[end:] if hidden else tag

    # --- what reaches over rows --------------------------------------------------------------
    def stretch(self, body: Area, last: int) -> None:
        """Extend drop-downs and conditional formats that cover the last row of a table's body to a new last row."""
        self._areas.append((body, last))

    def _stretch(self, text: str) -> str:
        grown = []
        for ref in text.split():
            try:
                area = area_of(ref)
            except Damaged:  # whole columns: they reach everywhere
                grown.append(ref)
                continue
            for body, last in self._areas:
                beside = area.right < body.left or area.left > body.right
                if not beside and area.top <= body.bottom <= area.bottom < last:
                    area = area._replace(bottom=last)
            grown.append(str(area) if area != area_of(ref) else ref)
        return " ".join(grown)

    def _outside(self) -> bytes:
        """The sheet around its rows, with all extended areas."""
        splices = Splices(self._outer)
        for node in self._root.walk() if self._areas else ():
            if node.tag in ("dataValidation", "conditionalFormatting") and node.get("sqref"):
                grown = self._stretch(node.get("sqref"))
                if grown != node.get("sqref"):
                    splices.attribute(node, "sqref", grown)
            elif node.tag == "sqref" and self._stretch(node.text) != " ".join(node.text.split()):
                splices.replace(node.inner, node.close, escape_xml(self._stretch(node.text)))
        dimension = self._root.child("dimension")
        if dimension is not None and self.values and dimension.get("ref"):
            area = area_of(dimension.get("ref"))
            rows, columns = [r for r, _ in self.values], [c for _, c in self.values]
            wide = Area(min(area.left, *columns), min(area.top, *rows),
                        max(area.right, *columns), max(area.bottom, *rows))
            if wide != area:
                splices.attribute(dimension, "ref", str(wide))
        return splices.result()

    # --- out --------------------------------------------------------------------------------
    def save(self) -> None:
        """Give the changed part to the package."""
        outside = self._outside()
        rows = self._rows.bytes()
        hole = b"<" + self._prefix + b"sheetData/>"
        at = outside.index(hole)
        name = self._prefix + b"sheetData>"
        head, tail = outside[:at] + b"<" + name, rows + b"</" + name + outside[at + len(hole):]
        ends = self._book.package.chunks_of(self._part) if self._rows.partial else None
        if ends is not None and package.has_formulas(rows):  # no longer what may have seams
            self._rows.widen()
            return self.save()
        data = head + tail if ends is None else ends._replace(head=head, tail=tail)
        if data != (self._book.package.text(self._part) if ends is None else ends):
            self._book.package.put(self._part, data)
            self._book.forget(self.title)
        if self.lost_formula:
            self._book.drop_calc_chain()


# Notes on cells.
# #
# A club's own note keeps its formatting, its size and its author: ours is put in front of it and removed again. Note
# boxes are VML, which Excel does not always write as well-formed XML; a box is recognised by its cell.


_COMMENTS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
_VML_TYPE = "application/vnd.openxmlformats-officedocument.vmlDrawing"
_HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_EMPTY = _HEAD + b'<comments xmlns="%s"><authors></authors><commentList></commentList></comments>'
_TYPE = (b'<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">'
         b'<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>')
_NO_BOXES = (b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
             b'xmlns:x="urn:schemas-microsoft-com:office:excel">' + _TYPE + b"</xml>")
_BOX = rb"(?s)\s*<v:shape\b(?:(?!</v:shape>).)*?</v:shape>"
_BOX_ID = re.compile(rb"_x0000_s(\d+)")
# how Excel names the author of the copy that it keeps of a threaded comment
_THREADED = "tc="


class CellNote(NamedTuple):
    """A note. `ref`: its cell (``D7``)."""

    ref: str
    author: str
    text: str


class SheetNotes:
    """The notes of a sheet, to be changed. Raises `Damaged` and `Hostile`."""

    def __init__(self, book: OoxmlBook, title: str) -> None:
        self._book, self._package = book, book.package
        self._sheet = book.sheets[title].part
        self._part = self._package.linked_part(self._sheet, "comments")
        self._relations = RELATIONS[book.strict]
        self._before = self._data = self._package.text(self._part) if self._part else (
            _EMPTY % MAIN[book.strict].encode())
        self._root = parse(self._data)
        self._added: list[CellNote] = []
        self._gone: list[CellNote] = []

    # --- looking ----------------------------------------------------------------------------
    def all(self) -> list[CellNote]:
        """The notes as they are now."""
        authors = self._authors()
        return [CellNote(node.get("ref"),
                     authors[number] if 0 <= (number := node.whole("authorId")) < len(authors) else "",
                     self._text(node)) for node in self._list().all("comment")]

    def _authors(self) -> list[str]:
        return [author.text for author in self._root.members("authors", "author")]

    def _list(self) -> XmlNode:
        node = self._root.child("commentList")
        return node if node is not None else self._root

    def _text(self, node: XmlNode) -> str:
        text = node.child("text")
        return text_of(text.children) if text else ""

    def _node(self, ref: str) -> XmlNode | None:
        return next((n for n in self._list().all("comment") if n.get("ref") == ref), None)

    # --- changing ---------------------------------------------------------------------------
    def add(self, note: CellNote, between: str) -> bool:
        """Put a note on a cell, in front of an existing one (`between` and that one's author separate them).

        Returns whether it was possible: a threaded conversation is left alone.
        """
        old = self._node(note.ref)
        prefix = self._root.prefix
        if old is None:
            new = self._run(note.text)
            self._change_list(b'<%scomment ref="%s" authorId="%d"><%stext>%s</%stext></%scomment>' % (
                prefix.encode(), note.ref.encode(), self._author(note.author), prefix.encode(), new, prefix.encode(),
                prefix.encode()))
            self._added.append(note)
            return True
        author = self.all()[self._list().all("comment").index(old)].author
        text = old.child("text")
        if author.startswith(_THREADED) or text is None:
            return False
        kept = self._data[text.inner:text.close]
        if text.child("t") is not None:
            kept = b"<%sr>%s</%sr>" % (prefix.encode(), kept, prefix.encode())
        splices = Splices(self._data)
        splices.attribute(old, "authorId", str(self._number_to_be(note.author)))
        inside = self._run(f"{note.text}{between}{author}: ") + kept
        splices.replace(text.inner, text.close, inside)
        self._put(splices.result())
        self._author(note.author)
        return True

    def take_back(self, note: CellNote) -> None:
        """Remove a note of ours; the note that it was put in front of comes back."""
        node = self._node(note.ref)
        text = node.child("text") if node else None
        if node is None or text is None:
            return
        splices = Splices(self._data)
        heading, kept, rest = note.text.rpartition("\n––––––––––\n")
        if not kept:
            splices.replace(node.start, node.end, b"")
            self._put(splices.result())
            self._gone.append(note)
        else:
            author, _, plain = rest.partition(": ")
            head = len(f"{heading}{kept}{author}: ")
            splices.replace(text.inner, text.close, self._without(text, head, plain))
            splices.attribute(node, "authorId", str(self._number_to_be(author)))
            self._put(splices.result())
            self._author(author)
        self._forget_author(note.author)

    def _without(self, text: XmlNode, head: int, plain: str) -> bytes:
        """The content of a note after its first `head` characters: its runs unchanged, if one begins there."""
        runs = text.all("r")
        seen = 0
        for number, run in enumerate(runs):
            if seen == head:
                rest = runs[number:]
                only = rest[0].child("t") if len(rest) == 1 and rest[0].child("rPr") is None else None
                start, end = (only.start, only.end) if only else (rest[0].start, text.close)
                return self._data[start:end]
            seen += len(text_of([run]))
        prefix = self._root.prefix.encode()
        return b'<%st xml:space="preserve">%s</%st>' % (prefix, cell_text(plain), prefix)

    def _run(self, text: str) -> bytes:
        prefix = self._root.prefix.encode()
        return b'<%sr><%st xml:space="preserve">%s</%st></%sr>' % (prefix, prefix, cell_text(text), prefix, prefix)

    def _put(self, data: bytes) -> None:
        self._data, self._root = data, parse(data)

    def _change_list(self, comment: bytes) -> None:
        """Insert a comment; readers expect the order of the cells."""
        splices = Splices(self._data)
        place = place_of(re.search(rb'ref="([^"]+)"', comment)[1].decode())  # type: ignore[index]
        after = next((n for n in self._list().all("comment") if place_of(n.get("ref")) > place), None)
        if after is not None:
            splices.replace(after.start, after.start, comment)
        else:
            splices.append(self._list(), comment)
        self._put(splices.result())

    # --- authors ----------------------------------------------------------------------------
    def _number_to_be(self, author: str) -> int:
        known = self._authors()
        return known.index(author) if author in known else len(known)

    def _author(self, author: str) -> int:
        number = self._number_to_be(author)
        parent = self._root.child("authors")
        if number == len(self._authors()) and parent is not None:
            splices, prefix = Splices(self._data), self._root.prefix.encode()
            splices.append(parent, b"<%sauthor>%s</%sauthor>" % (prefix, escape_xml(author), prefix))
            self._put(splices.result())
        return number

    def _forget_author(self, author: str) -> None:
        """Remove the last author if it is this one and has no note left (the numbers of authors must not change)."""
        known = self._authors()
        parent = self._root.child("authors")
        if parent is None or not known or known[-1] != author:
            return
        if all(n.whole("authorId") != len(known) - 1 for n in self._list().all("comment")):
            splices = Splices(self._data)
            node = parent.all("author")[-1]
            splices.replace(node.start, node.end, b"")
            self._put(splices.result())

    # --- out --------------------------------------------------------------------------------
    def save(self) -> None:
        """Give the changes to the package: notes, their boxes, and the sheet's link to them."""
        if self._data == self._before:
            return
        if not self._list().all("comment"):
            if self._part:
                self._package.unlink(self._sheet, self._part)
                self._package.drop(self._part)
        else:
            if not self._part:
                self._part = self._package.free_name("xl/arbitroComments{}.xml")
                self._package.declare(self._part, _COMMENTS_TYPE)
                self._package.link(self._sheet, f"{self._relations}/comments", self._part)
            self._package.put(self._part, self._data)
        self._boxes()

    def _boxes(self) -> None:
        part = drawing_of(self._package, self._sheet)
        old = self._package.raw(part) if part else _NO_BOXES
        data = old
        for note in self._gone:
            data = _without_box(data, place_of(note.ref))
        for note in self._added:
            data = _with_box(data, note)
        if data == old:
            return
        if not part:
            part = self._package.free_name("xl/drawings/arbitroNotes{}.vml")
            add_drawing(self._package, self._sheet, part, strict=self._book.strict)
        self._package.put(part, data)
        if b"<v:shape " not in data and not self._list().all("comment"):
            remove_drawing(self._package, self._sheet, part)


# --- the drawing that notes share with form buttons ----------------------------------------------
def drawing_of(package: ZipPackage, sheet: str) -> str:
    """The part with a sheet's note boxes and form buttons; "" for none."""
    node = package.tree(sheet).child("legacyDrawing")
    if node is None:
        return ""
    return next((k.target for k in package.links(sheet) if k.id == node.link_id() and k.target in package), "")


def add_drawing(package: ZipPackage, sheet: str, part: str, *, strict: bool = False) -> None:
    """Link a sheet that has none to a part with note boxes or form buttons. `strict`: in the strict form."""
    package.declare(part, _VML_TYPE, extension=True)
    relations = RELATIONS[strict]
    _point_to_drawing(package, sheet, package.link(sheet, f"{relations}/vmlDrawing", part), relations)


def remove_drawing(package: ZipPackage, sheet: str, part: str) -> None:
    """Remove a sheet's link to its note boxes and form buttons, and the part itself."""
    _point_to_drawing(package, sheet, "")
    package.unlink(sheet, part)
    package.drop(part)


def _point_to_drawing(package: ZipPackage, sheet: str, link: str, relations: str = "") -> None:
    """Link a sheet to its drawing; "" removes the link."""
    root = package.tree(sheet)
    old = root.child("legacyDrawing")
    with package.edit(sheet) as splices:
        if old is not None:
            splices.replace(old.start, old.end, b"")
        if link:
            new = f'<{root.prefix}legacyDrawing xmlns:r="{relations}" r:id="{link}"/>'.encode()
            insert_child(splices, root, WORKSHEET_ORDER, "legacyDrawing", new)


def _without_box(data: bytes, place: tuple[int, int]) -> bytes:
    return re.sub(_BOX, lambda match: b"" if _is_at(match[0], place) else match[0], data)


def _is_at(box: bytes, place: tuple[int, int]) -> bool:
    row, column = re.search(rb"<x:Row>\s*(\d+)", box), re.search(rb"<x:Column>\s*(\d+)", box)
    note = b'ObjectType="Note"' in box
    return note and row is not None and column is not None and (int(row[1]) + 1, int(column[1]) + 1) == place


def _with_box(data: bytes, note: CellNote) -> bytes:
    """The boxes with one more, hidden until the mouse is over the cell."""
    row, column = place_of(note.ref)
    # Excel counts its boxes from 1025
    number = max([1024, *(int(n) for n in _BOX_ID.findall(data))]) + 1
    height = 30 + 17 * (note.text.count("\n") + 1 + len(note.text) // 42)
    box = (f'<v:shape id="_x0000_s{number}" type="#_x0000_t202" style="position:absolute;margin-left:59.25pt;'
           f'margin-top:1.5pt;width:300px;height:{height}px;z-index:1;visibility:hidden" fillcolor="#ffffe1" '
           'o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/>'
           '<v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left">'
           '</div></v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>'
           f"<x:AutoFill>False</x:AutoFill><x:Row>{row - 1}</x:Row><x:Column>{column - 1}</x:Column>"
           "</x:ClientData></v:shape>").encode()
    if b"_x0000_t202" not in data:
        box = _TYPE + box
    end = data.rindex(b"</")
    return data[:end] + box + data[end:]


# A set of changes.


class Editing:
    """Changes to the sheets of a workbook. Nothing reaches the package before `save`.

    `after`: the changed workbook, read again, once it was verified.
    """

    def __init__(self, book: OoxmlBook) -> None:
        self.book = book
        self.after: OoxmlBook | None = None
        self._sheets: dict[str, OoxmlSheet] = {}

    def sheet(self, title: str) -> OoxmlSheet:
        """A sheet to be changed, opened only once. Raises KeyError, `Damaged`, `Hostile`."""
        if title not in self._sheets:
            self._sheets[title] = OoxmlSheet(self.book, title)
        return self._sheets[title]

    def save(self) -> None:
        """Give the changed sheets to the package, and remove the results of formulas that they made stale."""
        for sheet in self._sheets.values():
            sheet.save()
        changed = {title: set(sheet.values) for title, sheet in self._sheets.items() if sheet.values}
        drop_stale_results(self.book, changed)

    def prove(self, data: bytes) -> None:
        """Verify the bytes of the changed workbook: every part must be whole, and every value that was put must be
        there.

        Raises ValueError, which says where it is not.
        """
        try:
            self.after = again = OoxmlBook(data)
            again.package.check_against(self.book.package)
            for title, sheet in self._sheets.items():
                _check_values(again, title, sheet.values)
        except WorkbookFault as no:
            raise ValueError(no.detail) from no


def _check_values(book: OoxmlBook, title: str, values: dict[tuple[int, int], Value]) -> None:
    rows = book.single_rows(title, sorted({row for row, _ in values}))
    for (row, column), wanted in values.items():
        cell = rows.get(row, {}).get(column)
        value = cell.value if cell is not None else None
        if value != wanted or (isinstance(wanted, str) and cell is not None and cell.data_type not in ("s", "f")):
            raise ValueError(f"{title}!{letters_of(column)}{row}")
