"""A workbook in; where our picture of the map stands in it out, and its bytes.

Our picture is known by its name in the drawing, which Excel and LibreOffice keep, wherever its parts have gone.
"""

from __future__ import annotations

from typing import NamedTuple

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.xmltree import Node

NAME = "Arbitro map"
"""The picture's own name in its drawing."""
SHAPES = "arbitro_shapes"
"""The name in a workbook that says that a club's own shapes are to be coloured."""


class Shown(NamedTuple):
    """Our picture in a workbook. `title`: of its sheet; `drawing`: the part that places it; `part`: its bytes."""

    title: str
    drawing: str
    part: str


def shown_in(book: OoxmlBook) -> Shown | None:
    """Where our picture stands; None where there is none. Raises `Damaged`, `Hostile`."""
    for title, sheet in book.sheets.items():
        drawing = book.package.linked(sheet.part, "drawing")
        if not drawing or NAME.encode() not in book.package.text(drawing):
            continue
        links = {link.id: link.target for link in book.package.links(drawing) if not link.external}
        for pic in _pictures(book, drawing):
            blip = next((node for node in pic.walk() if node.tag == "blip"), None)
            part = links.get(next((v for k, v in blip.attrs.items() if k.endswith(":embed")), "")) if blip else None
            if part is not None and part in book.package:
                return Shown(title, drawing, part)
    return None


def wanted_shapes(book: OoxmlBook) -> bool:
    """Whether a club's own shapes are to be coloured in a workbook."""
    return SHAPES in book.names


def _pictures(book: OoxmlBook, drawing: str) -> list[Node]:
    """The pictures of a drawing that bear our name."""
    return [pic for pic in book.package.tree(drawing).walk() if pic.tag == "pic" and any(
        node.tag == "cNvPr" and node.get("name") == NAME for node in pic.walk())]


def picture_in(book: OoxmlBook) -> bytes:
    """The bytes of our picture; b"" where there is none. Raises `Damaged`, `Hostile`."""
    found = shown_in(book)
    return book.package.raw(found.part) if found is not None else b""
