"""Putting sheets in: a target and a donor in; the target with the donor's sheets out, everything else byte for byte.

The donor is a workbook of ours, freshly built, whose markup has no prefixes. Its sheets come behind the
target's own, so that no number of a sheet moves; with them come what hangs on them (tables, notes and their
boxes, pictures), the names that point into them, and their styles. Texts become texts of the cell: the
target's table of shared strings is left alone, as are its properties, its window and its theme.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Sequence

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.child_order import WORKBOOK, extend, insert
from assistant.workbook.ooxml.parts.dialects import MAIN, RELATIONS, as_strict
from assistant.workbook.ooxml.parts.faults import Damaged, Unsafe
from assistant.workbook.ooxml.parts.package import CONTENT_TYPES, links_part, resolved
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, escaped
from assistant.workbook.ooxml.whole_sheets.style_merge import StyleMerge

SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_CELL = re.compile(rb'<c\b([^<>]*?)(?:/>|>(.*?)</c>)', re.S)
_STYLE = re.compile(rb'(\ss=")(\d+)(?=")')
_COLUMN_STYLE = re.compile(rb'(<col\b[^<>]*?\sstyle=")(\d+)(?=")')
_ROW_STYLE = re.compile(rb'(<row\b[^<>]*?\ss=")(\d+)(?=")')
_RULE_STYLE = re.compile(rb'(\s(?:dxfId|dataDxfId|headerRowDxfId|totalsRowDxfId|headerRowBorderDxfId'
                         rb'|tableBorderDxfId)=")(\d+)(?=")')
_SHARED = re.compile(rb'\st="s"')
_SELECTED = re.compile(rb'\stabSelected="[^"]*"')
_SI = re.compile(rb"<si>(.*?)</si>|<si/>", re.S)
_TITLES = re.compile(r"'((?:[^']|'')+)'!|([^\W\d][\w.]*)!")


def add_sheets(target: OoxmlBook, donor: OoxmlBook, titles: Sequence[str] | None = None) -> StyleMerge:
    """Put sheets of the donor (all, or those of these titles in this order) behind the target's own.

    In a strict workbook they are strict, too.

    Returns the merged styles, for who has further cells of the donor's look to write. Names of the donor that
    point to sheets which do not come along are left out. Raises `Unsafe` (``protected``, ``form``, ``title``,
    ``name``) before anything is changed, `Damaged`, `Hostile`.
    """
    move = _Move(target, donor, list(donor.sheets) if titles is None else list(titles))
    move.check()
    return move.make()


def check_room(target: OoxmlBook) -> None:
    """Raise `Unsafe` where no sheet can be added to a workbook, whichever: its structure is protected
    (``protected``), or it is written in a form of the format that programs no longer write (``form``).
    """
    if target.locked_structure:
        raise Unsafe("protected")
    if MAIN[target.strict].encode() not in target.package.text(target.part):
        raise Unsafe("form")


class _Move:
    def __init__(self, target: OoxmlBook, donor: OoxmlBook, titles: list[str]) -> None:
        self._target, self._donor, self._titles = target, donor, titles
        self._first = len(sheet_nodes(target))
        self._names = list(self._wanted_names())
        self._parts: dict[str, str] = {}
        self._spelled: Callable[[bytes], bytes] = as_strict if target.strict else bytes
        self._relations = RELATIONS[target.strict]
        self._tables = max([0, *(target.package.tree(t.part).whole("id") for t in target.tables())])

    # --- what may not be --------------------------------------------------------------------
    def check(self) -> None:
        """Raise `Unsafe` where sheets or names are in the way, or may not be added."""
        target = self._target
        check_room(target)
        taken = {node.get("name").casefold() for node in sheet_nodes(target)}
        for title in self._titles:
            if title.casefold() in taken:
                raise Unsafe("title", detail=title)
        names = {name.casefold() for name in target.names} | {t.name.casefold() for t in target.tables()}
        ours = [node.get("name") for node in self._names if not node.get("localSheetId")]
        ours += [t.name for t in self._donor.tables() if t.sheet in self._titles]
        for name in ours:
            if name.casefold() in names:
                raise Unsafe("name", detail=name)

    def _wanted_names(self) -> list[Node]:
        """The donor's names that mean nothing which stays behind."""
        group = self._donor.root.child("definedNames")
        order = [node.get("name") for node in sheet_nodes(self._donor)]
        found = []
        for node in group.all("definedName") if group else ():
            local = node.get("localSheetId")
            titles = {(quoted or plain).replace("''", "'") for quoted, plain in _TITLES.findall(node.text)}
            titles |= {order[int(local)]} if local else set()
            if titles and titles <= set(self._titles):
                found.append(node)
        return found

    # --- what is made -----------------------------------------------------------------------
    def make(self) -> StyleMerge:
        """Add everything; the package holds it then."""
        package, root = self._target.package, self._target.root
        styles = StyleMerge(self._target, self._donor)
        numbers = max([0, *(node.whole("sheetId") for node in sheet_nodes(self._target))])
        states = {node.get("name"): node.get("state") for node in sheet_nodes(self._donor)}
        prefix, added = root.prefix.encode(), []
        for number, title in enumerate(self._titles, numbers + 1):
            part = package.free_name("xl/worksheets/arbitroSheet{}.xml")
            package.put(part, self._spelled(self._sheet(title, styles)))
            package.declare(part, f"{SHEETML}.worksheet+xml")
            self._links(self._donor.sheets[title].part, part, styles)
            link = package.link(self._target.part, f"{self._relations}/worksheet", part)
            state = b' state="%s"' % states[title].encode() if states[title] else b""
            added.append(b'<%ssheet xmlns:r="%s" name="%s" sheetId="%d"%s r:id="%s"/>' % (
                prefix, self._relations.encode(), escaped(title, quoted=True), number, state, link.encode()))
        splices = Splices(package.text(self._target.part))
        if root.child("bookViews") is None:
            view = b"<%sbookViews><%sworkbookView/></%sbookViews>" % (prefix, prefix, prefix)
            insert(splices, root, WORKBOOK, "bookViews", view)
        extend(splices, root, WORKBOOK, "sheets", added, counted=False)
        extend(splices, root, WORKBOOK, "definedNames", self._renumbered(prefix), counted=False)
        self._target.rewritten(splices.done())
        styles.save()
        return styles

    def _renumbered(self, prefix: bytes) -> list[bytes]:
        """The names as the target has them: those of one sheet know its new number."""
        order = [node.get("name") for node in sheet_nodes(self._donor)]
        written = []
        for node in self._names:
            attrs = dict(node.attrs)
            if "localSheetId" in attrs:
                attrs["localSheetId"] = str(self._first + self._titles.index(order[int(attrs["localSheetId"])]))
            shown = b"".join(b' %s="%s"' % (k.encode(), escaped(v, quoted=True)) for k, v in attrs.items())
            name = prefix + b"definedName"
            written.append(b"<" + name + shown + b">" + escaped(node.text) + b"</" + name + b">")
        return written

    def _sheet(self, title: str, styles: StyleMerge) -> bytes:
        """A sheet's part with the target's numbers of styles, and texts in its cells."""
        data = self._donor.package.text(self._donor.sheets[title].part)
        if self._donor.since_1904 != self._target.since_1904 and any(
                cell.data_type == "d" for row in self._donor.rows(title).values() for cell in row.values()):
            raise Unsafe("date", detail=title)
        strings = self._strings()

        def cell(found: re.Match[bytes]) -> bytes:
            attrs = _STYLE.sub(lambda m: m[1] + b"%d" % styles.cell(int(m[2])), found[1])
            inside = found[2] or b""
            if _SHARED.search(attrs) and inside:
                attrs = _SHARED.sub(b' t="inlineStr"', attrs)
                number = re.search(rb"<v>\s*(\d+)\s*</v>", inside)
                if number is None or int(number[1]) >= len(strings):
                    raise Damaged("string")
                inside = b"<is>" + strings[int(number[1])] + b"</is>"
            return b"<c" + attrs.rstrip() + (b">" + inside + b"</c>" if inside else b"/>")

        start, end = data.find(b"<sheetData"), data.find(b"</sheetData>")
        if end > start:
            body = _ROW_STYLE.sub(lambda m: m[1] + b"%d" % styles.cell(int(m[2])), data[start:end])
            data = data[:start] + _CELL.sub(cell, body) + data[end:]
        data = _COLUMN_STYLE.sub(lambda m: m[1] + b"%d" % styles.cell(int(m[2])), data)
        return _SELECTED.sub(b"", _ruled(data, styles))

    def _strings(self) -> list[bytes]:
        """What the donor's shared strings hold, as it is written."""
        part = self._donor.package.linked(self._donor.part, "sharedStrings")
        return [found[1] or b"<t></t>" for found in _SI.finditer(self._donor.package.text(part))] if part else []

    # --- what hangs on a sheet ----------------------------------------------------------------
    def _links(self, old: str, new: str, styles: StyleMerge) -> None:
        """Give a part the relationships that it had in the donor, with copies of what they point to."""
        name = links_part(old)
        if name not in self._donor.package:
            return
        tree, splices = self._donor.package.tree(name), Splices(self._donor.package.text(name))
        for node in tree.all("Relationship"):
            if node.get("TargetMode") != "External":
                copy = self._copied(resolved(old, node.get("Target")), styles)
                splices.attribute(node, "Target", f"/{copy}")
        self._target.package.put(links_part(new), self._spelled(splices.done()))

    def _copied(self, part: str, styles: StyleMerge) -> str:
        """The name in the target of a copy of a part, with all that it points to."""
        if part in self._parts:
            return self._parts[part]
        package = self._target.package
        folder, name = posixpath.split(part)
        stem, dot, ending = name.rpartition(".")
        plain = re.sub(r"\d+$", "", stem) or "part"
        copy = package.free_name(f"{folder}/arbitro{plain[:1].upper()}{plain[1:]}{{}}{dot}{ending}")
        self._parts[part] = copy
        data = self._donor.package.raw(part)
        if self._donor.package.content_type(part).endswith(".table+xml"):
            self._tables += 1
            data = _ruled(re.sub(rb'(<table\b[^>]*?\sid=")\d+', rb"\g<1>%d" % self._tables, data, count=1), styles)
        package.put(copy, self._spelled(data) if ending in ("xml", "vml") else data)
        kind = self._donor.package.content_type(part)
        overridden = any(n.get("PartName").lstrip("/").lower() == part.lower()
                         for n in self._donor.package.tree(CONTENT_TYPES).all("Override"))
        if package.content_type(copy) != kind:
            package.declare(copy, kind, extension=not overridden and not package.content_type(copy))
        self._links(part, copy, styles)
        return copy


def _ruled(data: bytes, styles: StyleMerge) -> bytes:
    return _RULE_STYLE.sub(lambda m: m[1] + b"%d" % styles.rule(int(m[2])), data)


def sheet_nodes(book: OoxmlBook) -> list[Node]:
    """The elements of all sheets, charts and dialogs among them, in the order of the tabs."""
    group = book.root.child("sheets")
    return group.all("sheet") if group is not None else []


def free_title(book: OoxmlBook, title: str, besides: Iterable[str] = ()) -> str:
    """A title that no sheet of a workbook bears, nor one of some others: as it is, or with a number."""
    taken = {one.casefold() for one in (*(node.get("name") for node in sheet_nodes(book)), *besides)}
    return numbered(title, taken, "{} {}")


def numbered(name: str, taken: Collection[str], form: str) -> str:
    """A name that is not taken: as it is, or with a number, in a form such as ``{} {}``. `taken`: in small letters."""
    free, number = name, 1
    while free.casefold() in taken:
        number += 1
        free = form.format(name, number)
    return free


def add_names(book: OoxmlBook, names: dict[str, str]) -> None:
    """Define names that hold in the whole workbook (``arbitro_Armies`` -> ``'Esercito'!$A$4:$H$16``).

    Raises `Unsafe` (``name``) where one is there already.
    """
    known = {name.casefold() for name in book.names}
    for name in names:
        if name.casefold() in known:
            raise Unsafe("name", detail=name)
    tag = f"{book.root.prefix}definedName".encode()
    splices = Splices(book.package.text(book.part))
    written = [b'<%s name="%s">%s</%s>' % (tag, escaped(name, quoted=True), escaped(text), tag)
               for name, text in names.items()]
    extend(splices, book.root, WORKBOOK, "definedNames", written, counted=False)
    if splices:
        book.rewritten(splices.done())


def hide_sheet(book: OoxmlBook, title: str, instead: str) -> None:
    """Hide a sheet of ours; where it was the one in front, another of ours comes to the front.

    Nothing of the other sheets is touched. Raises KeyError.
    """
    nodes = sheet_nodes(book)
    order = [node.get("name") for node in nodes]
    splices = Splices(book.package.text(book.part))
    splices.attribute(nodes[order.index(title)], "state", "hidden")
    views = book.root.child("bookViews")
    for view in views.all("workbookView") if views else ():
        if view.whole("activeTab") == order.index(title):
            splices.attribute(view, "activeTab", str(order.index(instead)))
    book.rewritten(splices.done())
    part = book.sheets[title].part
    data = book.package.text(part)
    if _SELECTED.search(data):
        book.package.put(part, _SELECTED.sub(b"", data))
        front = book.sheets[instead].part
        shown = book.package.text(front)
        book.package.put(front, re.sub(rb"(<(?:\w+:)?sheetView)\b", rb'\1 tabSelected="1"', shown, count=1))
    book.forget(title)
