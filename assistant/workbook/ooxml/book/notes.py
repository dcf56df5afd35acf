"""Notes on cells: a sheet in; its notes out, and notes put or taken away with the boxes that Excel draws for them.

A club's own note keeps its runs, its size and its author: ours is put in front of it and taken away again.
Boxes are VML, which Excel does not always write as well-formed XML; they are told apart by their cell.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells.areas import place_of
from assistant.workbook.ooxml.parts.dialects import MAIN, RELATIONS
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, cell_text, escaped, joined, parse

_COMMENTS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
_VML_TYPE = "application/vnd.openxmlformats-officedocument.vmlDrawing"
_HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_EMPTY = _HEAD + b'<comments xmlns="%s"><authors></authors><commentList></commentList></comments>'
_TYPE = (b'<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">'
         b'<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>')
_NO_BOXES = (b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
             b'xmlns:x="urn:schemas-microsoft-com:office:excel">' + _TYPE + b"</xml>")
_BOX = re.compile(rb"\s*<v:shape\b(?:(?!</v:shape>).)*?</v:shape>", re.S)
_BOX_ID = re.compile(rb"_x0000_s(\d+)")
_AFTER_DRAWING = ("legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems", "tableParts",
                  "extLst")
_THREADED = "tc="


class Note(NamedTuple):
    """A note. `ref`: its cell (``D7``)."""

    ref: str
    author: str
    text: str


class Notes:
    """The notes of a sheet, to be changed. Raises `Damaged` and `Hostile`."""

    def __init__(self, book: OoxmlBook, title: str) -> None:
        self._book, self._package = book, book.package
        self._sheet = book.sheets[title].part
        self._part = self._package.linked(self._sheet, "comments")
        self._relations = RELATIONS[book.strict]
        self._before = self._data = self._package.text(self._part) if self._part else (
            _EMPTY % MAIN[book.strict].encode())
        self._root = parse(self._data)
        self._added: list[Note] = []
        self._gone: list[Note] = []

    # --- looking ----------------------------------------------------------------------------
    def all(self) -> list[Note]:
        """The notes as they stand now."""
        authors = self._authors()
        return [Note(node.get("ref"), authors[number] if 0 <= (number := node.whole("authorId")) < len(authors) else "",
                     self._text(node)) for node in self._list().all("comment")]

    def _authors(self) -> list[str]:
        found = self._root.child("authors")
        return [a.text for a in found.all("author")] if found else []

    def _list(self) -> Node:
        found = self._root.child("commentList")
        return found if found is not None else self._root

    def _text(self, node: Node) -> str:
        text = node.child("text")
        return joined(text.children) if text else ""

    def _node(self, ref: str) -> Node | None:
        return next((n for n in self._list().all("comment") if n.get("ref") == ref), None)

    # --- changing ---------------------------------------------------------------------------
    def add(self, note: Note, between: str) -> bool:
        """Put a note on a cell, in front of the one it has (`between` and its author stand between them).

        Whether it could be done: a conversation of several people is left alone.
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
        self._put(splices.done())
        self._author(note.author)
        return True

    def take_back(self, note: Note) -> None:
        """Take a note of ours away; the one that it stands in front of (`add`) comes back."""
        node = self._node(note.ref)
        text = node.child("text") if node else None
        if node is None or text is None:
            return
        splices = Splices(self._data)
        said, kept, rest = note.text.rpartition("\n––––––––––\n")
        if not kept:
            splices.replace(node.start, node.end, b"")
            self._put(splices.done())
            self._gone.append(note)
        else:
            author, _, plain = rest.partition(": ")
            head = len(f"{said}{kept}{author}: ")
            splices.replace(text.inner, text.close, self._without(text, head, plain))
            splices.attribute(node, "authorId", str(self._number_to_be(author)))
            self._put(splices.done())
            self._author(author)
        self._forget_author(note.author)

    def _without(self, text: Node, head: int, plain: str) -> bytes:
        """What a note's text holds behind its first `head` signs: the runs as they are, where they begin there."""
        runs = text.all("r")
        seen = 0
        for number, run in enumerate(runs):
            if seen == head:
                rest = runs[number:]
                only = rest[0].child("t") if len(rest) == 1 and rest[0].child("rPr") is None else None
                start, end = (only.start, only.end) if only else (rest[0].start, text.close)
                return self._data[start:end]
            seen += len(joined([run]))
        prefix = self._root.prefix.encode()
        return b'<%st xml:space="preserve">%s</%st>' % (prefix, cell_text(plain), prefix)

    def _run(self, text: str) -> bytes:
        prefix = self._root.prefix.encode()
        return b'<%sr><%st xml:space="preserve">%s</%st></%sr>' % (prefix, prefix, cell_text(text), prefix, prefix)

    def _put(self, data: bytes) -> None:
        self._data, self._root = data, parse(data)

    def _change_list(self, comment: bytes) -> None:
        """Put a comment in, in the order of the cells that readers expect."""
        splices = Splices(self._data)
        place = place_of(re.search(rb'ref="([^"]+)"', comment)[1].decode())  # type: ignore[index]
        after = next((n for n in self._list().all("comment") if place_of(n.get("ref")) > place), None)
        if after is not None:
            splices.replace(after.start, after.start, comment)
        else:
            splices.append(self._list(), comment)
        self._put(splices.done())

    # --- authors ----------------------------------------------------------------------------
    def _number_to_be(self, author: str) -> int:
        known = self._authors()
        return known.index(author) if author in known else len(known)

    def _author(self, author: str) -> int:
        number = self._number_to_be(author)
        parent = self._root.child("authors")
        if number == len(self._authors()) and parent is not None:
            splices, prefix = Splices(self._data), self._root.prefix.encode()
            splices.append(parent, b"<%sauthor>%s</%sauthor>" % (prefix, escaped(author), prefix))
            self._put(splices.done())
        return number

    def _forget_author(self, author: str) -> None:
        """Take the last author away if it is this one and no note is his any more (numbers must not move)."""
        known = self._authors()
        parent = self._root.child("authors")
        if parent is None or not known or known[-1] != author:
            return
        if all(n.whole("authorId") != len(known) - 1 for n in self._list().all("comment")):
            splices = Splices(self._data)
            node = parent.all("author")[-1]
            splices.replace(node.start, node.end, b"")
            self._put(splices.done())

    # --- out --------------------------------------------------------------------------------
    def save(self) -> None:
        """Give what was changed to the package: notes, their boxes, and the sheet's pointer to them."""
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
def drawing_of(package: Package, sheet: str) -> str:
    """The part with a sheet's boxes and form buttons; "" for none."""
    node = package.tree(sheet).child("legacyDrawing")
    if node is None:
        return ""
    return next((k.target for k in package.links(sheet) if k.id == node.linked() and k.target in package), "")


def add_drawing(package: Package, sheet: str, part: str, *, strict: bool = False) -> None:
    """Let a sheet that has none point to a part with boxes or form buttons. `strict`: of the workbook's form."""
    package.declare(part, _VML_TYPE, extension=True)
    relations = RELATIONS[strict]
    _point(package, sheet, package.link(sheet, f"{relations}/vmlDrawing", part), relations)


def remove_drawing(package: Package, sheet: str, part: str) -> None:
    """Let a sheet point to no boxes and form buttons any more, and take the part with them out."""
    _point(package, sheet, "")
    package.unlink(sheet, part)
    package.drop(part)


def _point(package: Package, sheet: str, link: str, relations: str = "") -> None:
    """Let a sheet point to its drawing; "" to none."""
    root, splices = package.tree(sheet), Splices(package.text(sheet))
    old = root.child("legacyDrawing")
    if old is not None:
        splices.replace(old.start, old.end, b"")
    if link:
        new = f'<{root.prefix}legacyDrawing xmlns:r="{relations}" r:id="{link}"/>'.encode()
        after = next((c for c in root.children if c.tag in _AFTER_DRAWING), None)
        if after is not None:
            splices.replace(after.start, after.start, new)
        else:
            splices.append(root, new)
    package.put(sheet, splices.done())


def _without_box(data: bytes, place: tuple[int, int]) -> bytes:
    return _BOX.sub(lambda found: b"" if _is_at(found[0], place) else found[0], data)


def _is_at(box: bytes, place: tuple[int, int]) -> bool:
    row, column = re.search(rb"<x:Row>\s*(\d+)", box), re.search(rb"<x:Column>\s*(\d+)", box)
    note = b'ObjectType="Note"' in box
    return note and row is not None and column is not None and (int(row[1]) + 1, int(column[1]) + 1) == place


def _with_box(data: bytes, note: Note) -> bytes:
    """The boxes with one more, hidden until the mouse is over the cell."""
    row, column = place_of(note.ref)
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
