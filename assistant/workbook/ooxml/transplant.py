"""Adds whole sheets to a workbook with their styles, or removes them; and the sheet with the map picture."""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.package import MAIN, RELATIONS, rels_part, resolve_target, to_strict
from assistant.workbook.ooxml.xml_tree import (
    WORKBOOK_ORDER,
    Damaged,
    Splices,
    Unsafe,
    XmlNode,
    append_to_group,
    element_xml,
    escape_xml,
    insert_child,
)

# Transferring styles.
# #
# Fonts, fills, borders, number formats, cell styles and those of conditional formats are appended, and only if there
# is no equal one; the numbers of existing styles stay.


_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"
_OWN_FORMATS = 164
"""Lower numbers are built-in number formats, the same in every workbook."""


class StyleMerge:
    """Transfers the styles of a donor into a target. Raises `Damaged` and `Hostile`."""

    def __init__(self, target: OoxmlBook, donor: OoxmlBook) -> None:
        package = target.package
        theirs, ours = (book.package.linked_part(book.part, "styles") for book in (donor, target))
        if not theirs:
            raise Damaged("styles")
        self._donor = donor.styles
        self._whole = not ours or not package.tree(ours).children
        if not ours:
            usual = "xl/styles.xml"  # where some programs look for it, whatever the relationships say
            ours = usual if usual not in package else package.free_name("xl/styles{}.xml")
            package.declare(ours, _CONTENT_TYPE)
            package.link(target.part, f"{RELATIONS[target.strict]}/styles", ours)
        if self._whole:  # a workbook without any style takes them as they are
            data = donor.package.text(theirs)
            package.put(ours, to_strict(data) if target.strict else data)
            target.styles_changed()
        self._target = target.styles
        self._formats = {node.get("formatCode"): node.whole("numFmtId") for node, _ in self._target.members("numFmts")}
        self._done: dict[tuple[str, int], int] = {}

    # --- numbers ----------------------------------------------------------------------------
    def cell(self, number: int) -> int:
        """The number in the target of a cell style of the donor."""
        if self._whole:
            return number
        if ("xf", number) not in self._done:
            self._done["xf", number] = self._cell(number)
        return self._done["xf", number]

    def _cell(self, number: int) -> int:
        styles = self._donor.members("cellXfs")
        if not 0 <= number < len(styles):
            raise Damaged(f"style {number}")
        model, data = styles[number]
        attrs = dict(model.attrs)
        for tag, group in (("font", "fonts"), ("fill", "fills"), ("border", "borders")):
            attrs[f"{tag}Id"] = str(self._member(group, model.whole(f"{tag}Id")))
            attrs[f"apply{tag.capitalize()}"] = "1"
        attrs["numFmtId"] = str(self._format(model.whole("numFmtId")))
        attrs["applyNumberFormat"] = "1"
        # its named style stays behind: here it hangs on the usual one
        attrs.pop("xfId", None)
        if self._target.root is not None and self._target.root.child("cellStyleXfs") is not None:
            attrs["xfId"] = "0"
        return self._target.add("cellXfs", element_xml(b"xf", attrs, data[model.inner:model.close]))

    def rule(self, number: int) -> int:
        """The number in the target of a style of the donor's conditional formats and tables (``dxfId``)."""
        return number if self._whole else self._member("dxfs", number)

    def _member(self, group: str, number: int) -> int:
        if (group, number) not in self._done:
            members = self._donor.members(group)
            if not 0 <= number < len(members):
                raise Damaged(f"{group} {number}")
            node, data = members[number]
            self._done[group, number] = self._target.add(group, data[node.start:node.end])
        return self._done[group, number]

    def _format(self, number: int) -> int:
        if number < _OWN_FORMATS:
            return number
        code = next((node.get("formatCode") for node, _ in self._donor.members("numFmts")
                     if node.whole("numFmtId") == number), "")
        if not code:
            return 0
        if code not in self._formats:
            fresh = max([_OWN_FORMATS - 1, *self._formats.values()]) + 1
            self._formats[code] = fresh
            self._target.add("numFmts", b'<numFmt numFmtId="%d" formatCode="%s"/>' % (
                fresh, escape_xml(code, quoted=True)))
        return self._formats[code]


# Adding sheets.
# #
# The donor is a workbook of ours, just built, whose markup has no prefixes. Its sheets go behind the target's own, so
# that no sheet's number changes, together with everything they link to (tables, notes and their boxes, pictures), the
# names that point into them, and their styles. Shared strings become inline strings: the target's table of shared
# strings is left alone, as are its properties, its window and its theme.


SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_CELL = rb'(?s)<c\b([^<>]*?)(?:/>|>(.*?)</c>)'
_STYLE = rb'(\ss=")(\d+)(?=")'
_COLUMN_STYLE = rb'(<col\b[^<>]*?\sstyle=")(\d+)(?=")'
_ROW_STYLE = rb'(<row\b[^<>]*?\ss=")(\d+)(?=")'
_RULE_STYLE = (rb'(\s(?:dxfId|dataDxfId|headerRowDxfId|totalsRowDxfId|headerRowBorderDxfId'
               rb'|tableBorderDxfId)=")(\d+)(?=")')
_SHARED = re.compile(rb'\st="s"')
_SELECTED = re.compile(rb'\stabSelected="[^"]*"')
_SI = rb"(?s)<si>(.*?)</si>|<si/>"
_TITLES = r"'((?:[^']|'')+)'!|([^\W\d][\w.]*)!"


def add_sheets(target: OoxmlBook, donor: OoxmlBook, titles: Sequence[str] | None = None) -> StyleMerge:
    """Add sheets of the donor (all, or those with these titles in this order) behind the target's own.

    In a strict workbook they become strict too. Returns the merged styles, for writing further cells with the donor's
    formatting. Names of the donor that point to sheets left behind are dropped. Raises `Unsafe` (``protected``,
    ``form``, ``title``, ``name``) before anything is changed, `Damaged`, `Hostile`.
    """
    move = _SheetCopy(target, donor, list(donor.sheets) if titles is None else list(titles))
    move.check()
    return move.make()


def check_room(target: OoxmlBook) -> None:
    """Raise `Unsafe` if no sheet at all can be added to a workbook: its structure is protected (``protected``), or it
    is in a form that programs no longer write (``form``).
    """
    if target.locked_structure:
        raise Unsafe("protected")
    if MAIN[target.strict].encode() not in target.package.text(target.part):
        raise Unsafe("form")


class _SheetCopy:
    def __init__(self, target: OoxmlBook, donor: OoxmlBook, titles: list[str]) -> None:
        self._target, self._donor, self._titles = target, donor, titles
        self._first = len(sheet_nodes(target))
        self._names = list(self._wanted_names())
        self._parts: dict[str, str] = {}
        self._spelled: Callable[[bytes], bytes] = to_strict if target.strict else bytes
        self._relations = RELATIONS[target.strict]
        self._tables = max([0, *(target.package.tree(t.part).whole("id") for t in target.tables())])

    # --- what may not be --------------------------------------------------------------------
    def check(self) -> None:
        """Raise `Unsafe` if sheets or names clash, or may not be added."""
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

    def _wanted_names(self) -> list[XmlNode]:
        """The donor's names that do not refer to anything left behind."""
        order = [node.get("name") for node in sheet_nodes(self._donor)]
        nodes = []
        for node in self._donor.root.members("definedNames", "definedName"):
            local = node.get("localSheetId")
            titles = {(quoted or plain).replace("''", "'") for quoted, plain in re.findall(_TITLES, node.text)}
            titles |= {order[int(local)]} if local else set()
            if titles and titles <= set(self._titles):
                nodes.append(node)
        return nodes

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
            state = {"state": states[title]} if states[title] else {}
            added.append(element_xml(prefix + b"sheet", {
                "xmlns:r": self._relations, "name": title, "sheetId": str(number), **state, "r:id": link}))
        with self._target.edit() as splices:
            if root.child("bookViews") is None:
                view = b"<%sbookViews><%sworkbookView/></%sbookViews>" % (prefix, prefix, prefix)
                insert_child(splices, root, WORKBOOK_ORDER, "bookViews", view)
            append_to_group(splices, root, WORKBOOK_ORDER, "sheets", added, counted=False)
            append_to_group(splices, root, WORKBOOK_ORDER, "definedNames", self._renumber(prefix), counted=False)
        return styles

    def _renumber(self, prefix: bytes) -> list[bytes]:
        """The names as the target has them: those of one sheet know its new number."""
        order = [node.get("name") for node in sheet_nodes(self._donor)]
        written = []
        for node in self._names:
            attrs = dict(node.attrs)
            if "localSheetId" in attrs:
                attrs["localSheetId"] = str(self._first + self._titles.index(order[int(attrs["localSheetId"])]))
            written.append(element_xml(prefix + b"definedName", attrs, escape_xml(node.text)))
        return written

    def _sheet(self, title: str, styles: StyleMerge) -> bytes:
        """A sheet's part with the target's style numbers and inline strings."""
        data = self._donor.package.text(self._donor.sheets[title].part)
        # where days are counted from another one its dates would be others
        if self._donor.since_1904 != self._target.since_1904 and any(
                cell.data_type == "d" for row in self._donor.rows(title).values() for cell in row.values()):
            raise Unsafe("date", detail=title)
        strings = self._strings()

        def cell(match: re.Match[bytes]) -> bytes:
            attrs = re.sub(_STYLE, lambda m: m[1] + b"%d" % styles.cell(int(m[2])), match[1])
            inside = match[2] or b""
            if _SHARED.search(attrs) and inside:
                attrs = _SHARED.sub(b' t="inlineStr"', attrs)
                number = re.search(rb"<v>\s*(\d+)\s*</v>", inside)
                if number is None or int(number[1]) >= len(strings):
                    raise Damaged("string")
                inside = b"<is>" + strings[int(number[1])] + b"</is>"
            return b"<c" + attrs.rstrip() + (b">" + inside + b"</c>" if inside else b"/>")

        start, end = data.find(b"<sheetData"), data.find(b"</sheetData>")
        if end > start:
            body = re.sub(_ROW_STYLE, lambda m: m[1] + b"%d" % styles.cell(int(m[2])), data[start:end])
            data = data[:start] + re.sub(_CELL, cell, body) + data[end:]
        data = re.sub(_COLUMN_STYLE, lambda m: m[1] + b"%d" % styles.cell(int(m[2])), data)
        # two selected sheets are a group: what is typed into one goes into both
        return _SELECTED.sub(b"", _renumber(data, styles))

    def _strings(self) -> list[bytes]:
        """The donor's shared strings as XML."""
        part = self._donor.package.linked_part(self._donor.part, "sharedStrings")
        return [match[1] or b"<t></t>" for match in re.finditer(_SI, self._donor.package.text(part))] if part else []

    # --- what hangs on a sheet ----------------------------------------------------------------
    def _links(self, old: str, new: str, styles: StyleMerge) -> None:
        """Give a part the relationships that it had in the donor, with copies of their targets."""
        name = rels_part(old)
        if name not in self._donor.package:
            return
        tree, splices = self._donor.package.tree(name), Splices(self._donor.package.text(name))
        for node in tree.all("Relationship"):
            if node.get("TargetMode") != "External":
                copy = self._copy(resolve_target(old, node.get("Target")), styles)
                splices.attribute(node, "Target", f"/{copy}")
        self._target.package.put(rels_part(new), self._spelled(splices.result()))

    def _copy(self, part: str, styles: StyleMerge) -> str:
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
        # no two tables of a workbook may have the same id
        if self._donor.package.content_type(part).endswith(".table+xml"):
            self._tables += 1
            data = _renumber(re.sub(rb'(<table\b[^>]*?\sid=")\d+', rb"\g<1>%d" % self._tables, data, count=1), styles)
        package.put(copy, self._spelled(data) if ending in ("xml", "vml") else data)
        kind = self._donor.package.content_type(part)
        if package.content_type(copy) != kind:
            package.declare(copy, kind, extension=not self._donor.package.own_types(part)
                            and not package.content_type(copy))
        self._links(part, copy, styles)
        return copy


def _renumber(data: bytes, styles: StyleMerge) -> bytes:
    return re.sub(_RULE_STYLE, lambda m: m[1] + b"%d" % styles.rule(int(m[2])), data)


def sheet_nodes(book: OoxmlBook) -> list[XmlNode]:
    """The elements of all sheets, including chart and dialog sheets, in the order of the tabs."""
    return book.root.members("sheets", "sheet")


def free_title(book: OoxmlBook, title: str, besides: Iterable[str] = ()) -> str:
    """A title that no sheet of the workbook has, and that is not in `besides`: as it is, or with a number."""
    taken = {taken_title.casefold() for taken_title in (*(node.get("name") for node in sheet_nodes(book)), *besides)}
    return unused_name(title, taken, "{} {}")


def unused_name(name: str, taken: Collection[str], form: str) -> str:
    """A name that is not taken: as it is, or with a number in a form such as ``{} {}``. `taken`: in lower case."""
    free, number = name, 1
    while free.casefold() in taken:
        number += 1
        free = form.format(name, number)
    return free


def add_names(book: OoxmlBook, names: dict[str, str]) -> None:
    """Define workbook-wide names (``arbitro_Armies`` -> ``'Esercito'!$A$4:$H$16``).

    Raises `Unsafe` (``name``) if one already exists.
    """
    known = {name.casefold() for name in book.names}
    for name in names:
        if name.casefold() in known:
            raise Unsafe("name", detail=name)
    tag = f"{book.root.prefix}definedName".encode()
    written = [element_xml(tag, {"name": name}, escape_xml(text)) for name, text in names.items()]
    with book.edit() as splices:
        append_to_group(splices, book.root, WORKBOOK_ORDER, "definedNames", written, counted=False)


def hide_sheet(book: OoxmlBook, title: str, instead: str) -> None:
    """Hide a sheet of ours; if it was the active one, another of ours becomes active.

    The other sheets are not touched. Raises KeyError.
    """
    nodes = sheet_nodes(book)
    order = [node.get("name") for node in nodes]
    with book.edit() as splices:
        splices.attribute(nodes[order.index(title)], "state", "hidden")
        for view in book.root.members("bookViews", "workbookView"):
            if view.whole("activeTab") == order.index(title):
                splices.attribute(view, "activeTab", str(order.index(instead)))
    part = book.sheets[title].part
    data = book.package.text(part)
    if _SELECTED.search(data):
        book.package.put(part, _SELECTED.sub(b"", data))
        front = book.sheets[instead].part
        shown = book.package.text(front)
        book.package.put(front, re.sub(rb"(<(?:\w+:)?sheetView)\b", rb'\1 tabSelected="1"', shown, count=1))
    book.forget(title)


# Removing a sheet.


def remove_sheet(book: OoxmlBook, title: str) -> None:
    """Remove a sheet that is not the active one, with the names that belong to it or refer to it.

    The others keep their numbers in the lists that count sheets. Raises KeyError, `Damaged`, `Hostile`.
    """
    part = book.sheets[title].part
    nodes = sheet_nodes(book)
    number = next(i for i, node in enumerate(nodes) if node.get("name") == title)
    means_it = re.compile(rf"(?<![\w.'])(?:'{re.escape(title.replace(chr(39), chr(39) * 2))}'|{re.escape(title)})!")
    with book.edit() as splices:
        splices.replace(nodes[number].start, nodes[number].end, b"")
        for node in drop_names(splices, book.root, lambda node: node.get("localSheetId") == str(number) or bool(
                means_it.search(node.text))):
            if node.whole("localSheetId") > number:
                splices.attribute(node, "localSheetId", str(node.whole("localSheetId") - 1))
        for view in book.root.members("bookViews", "workbookView"):
            for which in ("activeTab", "firstSheet"):
                if view.whole(which) > number:
                    splices.attribute(view, which, str(view.whole(which) - 1))
    drop_with_links(book, book.part, part)
    book.forget(title)


def drop_names(splices: Splices, root: XmlNode, is_gone: Callable[[XmlNode], bool]) -> list[XmlNode]:
    """Drop defined names of a workbook, and with the last one their list, which may not be empty; returns the others.
    """
    names = root.members("definedNames", "definedName")
    left = [node for node in names if not is_gone(node)]
    group = root.child("definedNames")
    for node in names if left or group is None else [group]:
        if node not in left:
            splices.replace(node.start, node.end, b"")
    return left


def drop_with_links(book: OoxmlBook, owner: str, part: str) -> None:
    """Remove a part that only `owner` links to, with the parts that only it links to. Raises `Damaged`."""
    package = book.package
    below = [k.target for k in package.links(part) if not k.external and k.target in package]
    package.unlink(owner, part)
    package.drop(part)
    for target in below:
        if target in package and not any(k.target.lower() == target.lower() for name in package.names()
                                         if not name.endswith(".rels") for k in package.links(name)):
            drop_with_links(book, part, target)


# Finding our map picture.
# #
# It is found by its name in the drawing, which Excel and LibreOffice keep, even if its parts have moved.


PICTURE_NAME = "Arbitro map"
"""The picture's own name in its drawing."""
SHAPES_NAME = "arbitro_shapes"
"""The defined name that says that a club's own shapes are to be coloured."""


class MapPicture(NamedTuple):
    """Our picture in a workbook. `title`: of its sheet; `drawing`: the part that places it; `part`: the image itself.
    """

    title: str
    drawing: str
    part: str


def find_map_picture(book: OoxmlBook) -> MapPicture | None:
    """Find our picture; None if there is none. Raises `Damaged`, `Hostile`."""
    for title, sheet in book.sheets.items():
        drawing = book.package.linked_part(sheet.part, "drawing")
        if not drawing or PICTURE_NAME.encode() not in book.package.text(drawing):
            continue
        links = {link.id: link.target for link in book.package.links(drawing) if not link.external}
        for pic in _map_pictures(book, drawing):
            blip = next((node for node in pic.walk() if node.tag == "blip"), None)
            part = links.get(next((v for k, v in blip.attrs.items() if k.endswith(":embed")), "")) if blip else None
            if part is not None and part in book.package:
                return MapPicture(title, drawing, part)
    return None


def wants_shapes(book: OoxmlBook) -> bool:
    """Whether a club's own shapes are to be coloured in a workbook."""
    return SHAPES_NAME in book.names


def _map_pictures(book: OoxmlBook, drawing: str) -> list[XmlNode]:
    return [pic for pic in book.package.tree(drawing).walk() if pic.tag == "pic" and any(
        node.tag == "cNvPr" and node.get("name") == PICTURE_NAME for node in pic.walk())]


def map_picture_bytes(book: OoxmlBook) -> bytes:
    """The bytes of our picture; b"" if there is none. Raises `Damaged`, `Hostile`."""
    picture = find_map_picture(book)
    return book.package.raw(picture.part) if picture is not None else b""


# A sheet with a picture.


EMU = 9525
"""English metric units (EMU) per pixel of the screen."""
SHOWN_WIDTH = 1200
"""The displayed width in pixels, whatever the picture's own."""
_PNG = b"\x89PNG\r\n\x1a\n"
_SHEET = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
    '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>'
    '<sheetData/><pageMargins left="0.3" right="0.3" top="0.3" bottom="0.3" header="0.2" footer="0.2"/>'
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="1"/><drawing r:id="rId1"/></worksheet>')
_DRAWING = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><xdr:oneCellAnchor>'
    '<xdr:from><xdr:col>0</xdr:col><xdr:colOff>95250</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>95250</xdr:rowOff>'
    '</xdr:from><xdr:ext cx="{width}" cy="{height}"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="{name}" '
    'descr="{alt}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill>'
    '<a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/>'
    '<a:ext cx="{width}" cy="{height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>'
    '<xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>')
_LINKS = ('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships '
          'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
          'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="/{target}"/>'
          "</Relationships>")


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG in pixels. Raises ValueError if it is not a PNG."""
    if not png.startswith(_PNG) or len(png) < 24:
        raise ValueError("no PNG")
    width, height = struct.unpack(">LL", png[16:24])
    return int(width), int(height)


def renew_picture(book: OoxmlBook, png: bytes, alt: str) -> bool:
    """Replace our picture and its alternative text; returns whether there is one.

    Position and width stay as the referee has set them. Raises `Damaged`, `Hostile`, ValueError.
    """
    picture = find_map_picture(book)
    if picture is None:
        return False
    package = book.package
    if package.raw(picture.part) != png:
        package.put(picture.part, png)
    width, height = png_size(png)
    with package.edit(picture.drawing) as splices:
        for anchor in package.tree(picture.drawing).children:
            ours = [n for n in anchor.walk() if n.tag == "cNvPr" and n.get("name") == PICTURE_NAME]
            for node in ours:
                if node.get("descr") != alt:
                    splices.attribute(node, "descr", alt)
            for ext in [n for n in anchor.children if n.tag == "ext" and ours and anchor.tag == "oneCellAnchor"]:
                wanted = str(ext.whole("cx") * height // width)
                if ext.get("cy") != wanted:
                    splices.attribute(ext, "cy", wanted)
    return True


def add_picture_sheet(book: OoxmlBook, title: str, png: bytes, alt: str) -> None:
    """Add a sheet with the picture behind all others, whose bytes stay. Raises `Unsafe` (``protected``, ``form``, or
    ``title`` if a sheet has that title already), `Damaged`, `Hostile`, ValueError.
    """
    check_room(book)
    nodes = sheet_nodes(book)
    if title.casefold() in {node.get("name").casefold() for node in nodes}:
        raise Unsafe("title", detail=title)
    package, (width, height) = book.package, png_size(png)
    spelled = to_strict if book.strict else bytes
    sheet = package.free_name("xl/worksheets/arbitroSheet{}.xml")
    drawing = package.free_name("xl/drawings/arbitroDrawing{}.xml")
    part = package.free_name("xl/media/arbitroMap{}.png")
    shown = _DRAWING.format(width=SHOWN_WIDTH * EMU, height=SHOWN_WIDTH * EMU * height // width, name=PICTURE_NAME,
                            alt=escape_xml(alt, quoted=True).decode())
    for name, text in ((sheet, _SHEET), (rels_part(sheet), _LINKS.format(kind="drawing", target=drawing)),
                       (drawing, shown), (rels_part(drawing), _LINKS.format(kind="image", target=part))):
        package.put(name, spelled(text.encode()))
    package.put(part, png)
    package.declare(sheet, f"{SHEETML}.worksheet+xml")
    package.declare(drawing, "application/vnd.openxmlformats-officedocument.drawing+xml")
    package.declare(part, "image/png", extension=True)
    link = package.link(book.part, f"{RELATIONS[book.strict]}/worksheet", sheet)
    number = max([0, *(node.whole("sheetId") for node in nodes)]) + 1
    element = element_xml(f"{book.root.prefix}sheet".encode(), {
        "xmlns:r": RELATIONS[book.strict], "name": title, "sheetId": str(number), "r:id": link})
    with book.edit() as splices:
        append_to_group(splices, book.root, WORKBOOK_ORDER, "sheets", [element], counted=False)
