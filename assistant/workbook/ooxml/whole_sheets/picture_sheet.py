"""A workbook and a PNG in; a sheet that shows it, or the same sheet with another picture, out; all else is kept."""

from __future__ import annotations

import struct

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.child_order import WORKBOOK, extend
from assistant.workbook.ooxml.parts.dialects import RELATIONS, as_strict
from assistant.workbook.ooxml.parts.faults import Unsafe
from assistant.workbook.ooxml.parts.xmltree import Splices, escaped
from assistant.workbook.ooxml.whole_sheets.own_picture import NAME, shown_in
from assistant.workbook.ooxml.whole_sheets.transplant import SHEETML, check_room, sheet_nodes

EMU = 9525
"""English metric units a pixel of the screen."""
SHOWN = 1200
"""So many pixels wide the picture is shown, whatever it has."""
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


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, in pixels. Raises ValueError for what is none."""
    if not png.startswith(_PNG) or len(png) < 24:
        raise ValueError("no PNG")
    width, height = struct.unpack(">LL", png[16:24])
    return int(width), int(height)


def renew_picture(book: OoxmlBook, png: bytes, alt: str) -> bool:
    """Put another picture and its words where ours stands; whether there is such a place.

    Where it stands and how wide it is stays as the referee has made it. Raises `Damaged`, `Hostile`, ValueError.
    """
    found = shown_in(book)
    if found is None:
        return False
    package = book.package
    if package.raw(found.part) != png:
        package.put(found.part, png)
    splices, (width, height) = Splices(package.text(found.drawing)), size_of(png)
    for anchor in package.tree(found.drawing).children:
        ours = [n for n in anchor.walk() if n.tag == "cNvPr" and n.get("name") == NAME]
        for node in ours:
            if node.get("descr") != alt:
                splices.attribute(node, "descr", alt)
        for ext in [n for n in anchor.children if n.tag == "ext" and ours and anchor.tag == "oneCellAnchor"]:
            wanted = str(ext.whole("cx") * height // width)
            if ext.get("cy") != wanted:
                splices.attribute(ext, "cy", wanted)
    if splices:
        package.put(found.drawing, splices.done())
    return True


def add_picture_sheet(book: OoxmlBook, title: str, png: bytes, alt: str) -> None:
    """Put a sheet with the picture behind all others, whose bytes stay. Raises `Unsafe` (``protected``, ``form``, or
    ``title`` where a sheet is called so already), `Damaged`, `Hostile`, ValueError.
    """
    check_room(book)
    nodes = sheet_nodes(book)
    if title.casefold() in {node.get("name").casefold() for node in nodes}:
        raise Unsafe("title", detail=title)
    package, (width, height) = book.package, size_of(png)
    spelled = as_strict if book.strict else bytes
    sheet = package.free_name("xl/worksheets/arbitroSheet{}.xml")
    drawing = package.free_name("xl/drawings/arbitroDrawing{}.xml")
    part = package.free_name("xl/media/arbitroMap{}.png")
    shown = _DRAWING.format(width=SHOWN * EMU, height=SHOWN * EMU * height // width, name=NAME,
                            alt=escaped(alt, quoted=True).decode())
    for name, text in ((sheet, _SHEET), (_links_of(sheet), _LINKS.format(kind="drawing", target=drawing)),
                       (drawing, shown), (_links_of(drawing), _LINKS.format(kind="image", target=part))):
        package.put(name, spelled(text.encode()))
    package.put(part, png)
    package.declare(sheet, f"{SHEETML}.worksheet+xml")
    package.declare(drawing, "application/vnd.openxmlformats-officedocument.drawing+xml")
    package.declare(part, "image/png", extension=True)
    link = package.link(book.part, f"{RELATIONS[book.strict]}/worksheet", sheet)
    number = max([0, *(node.whole("sheetId") for node in nodes)]) + 1
    splices = Splices(package.text(book.part))
    extend(splices, book.root, WORKBOOK, "sheets", [b'<%ssheet xmlns:r="%s" name="%s" sheetId="%d" r:id="%s"/>' % (
        book.root.prefix.encode(), RELATIONS[book.strict].encode(), escaped(title, quoted=True), number,
        link.encode())], counted=False)
    book.rewritten(splices.done())


def _links_of(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels"
