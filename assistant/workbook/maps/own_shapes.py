"""A workbook in which a club drew its own map, and a campaign, in; the same with its places' shapes coloured out.

A shape is a place's if its name or its alternative text is the place's code, or begins with it. It takes its owner's
colour and, as its border, the walls; nothing else of the drawing changes. A name in the workbook
says that it is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction
from assistant.pictures.happened import looks_of
from assistant.pictures.hues import worn
from assistant.turn.ruleset import Ruleset
from assistant.workbook.maps.map_sheet import whose_map
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, parse
from assistant.workbook.ooxml.whole_sheets.own_picture import SHAPES, wanted_shapes
from assistant.workbook.ooxml.whole_sheets.transplant import add_names

NOBODY = "EFE6D2"
INK = "1D1A14"
WALLS: Mapping[str, tuple[int, str]] = {"": (9525, ""), "intact": (38100, ""), "damaged": (38100, "dash")}
"""Walls -> how thick a border is, in English metric units, and how it is dashed."""
_FILLS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_BEFORE_FILL = ("xfrm", "custGeom", "prstGeom")


class Dress(NamedTuple):
    """How a place's shape looks: its fill (``RRGGBB``), its walls."""

    fill: str
    walls: str


def colour_shapes(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> int:
    """Colour the shapes from now on, and now; how many there are. Where there is none nothing is changed.

    Raises `Unsafe`, `Damaged`, `Hostile`.
    """
    count = sum(1 for _ in _shapes(book, _dresses(ruleset, campaign)))
    if count and not wanted_shapes(book):
        first = next(title for title, sheet in book.sheets.items() if book.package.linked(sheet.part, "drawing"))
        add_names(book, {SHAPES: f"'{first.replace(chr(39), chr(39) * 2)}'!$A$1"})
    renew_shapes(book, ruleset, campaign)
    return count


def renew_shapes(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> None:
    """Colour the shapes where that is wanted. Raises `Damaged`, `Hostile`."""
    if not wanted_shapes(book):
        return
    changes: dict[str, Splices] = {}
    for drawing, look, dress in _shapes(book, _dresses(ruleset, campaign)):
        splices = changes.setdefault(drawing, Splices(book.package.text(drawing)))
        _dressed(splices, look, dress)
    for drawing, splices in changes.items():
        new = splices.done()
        if new != book.package.text(drawing):
            parse(new)
            book.package.put(drawing, new)


def _dresses(ruleset: Ruleset, campaign: Campaign) -> dict[str, Dress]:
    """How each place's shape looks, by its code in small letters, as far as those who see the workbook may know."""
    whose = whose_map(campaign)
    view = campaign if whose == REFEREE else ruleset.view(campaign, whose)
    colours = {code: colour.lstrip("#").upper() for code, colour in worn(view.table(Faction)).items()}
    return {code.casefold(): Dress(colours.get(look.owner, NOBODY), look.walls if look.walls in WALLS else "")
            for code, look in looks_of(ruleset, view).items()}


def _shapes(book: OoxmlBook, dresses: Mapping[str, Dress]) -> Iterator[tuple[str, Node, Dress]]:
    """The drawings' parts, what says how a shape of theirs looks (``spPr``), and how it is to look."""
    for sheet in book.sheets.values():
        drawing = book.package.linked(sheet.part, "drawing")
        for shape in book.package.tree(drawing).walk() if drawing else ():
            if shape.tag != "sp":
                continue
            said = next((node for node in shape.walk() if node.tag == "cNvPr"), None)
            look = shape.child("spPr")
            code = None if said is None else _code(said, dresses)
            if code is not None and look is not None:
                yield drawing, look, dresses[code]


def _code(said: Node, dresses: Mapping[str, Dress]) -> str | None:
    for text in (said.get("name"), said.get("descr")):
        whole = text.strip().casefold()
        first = re.split(r"[\s:,;(]", whole, maxsplit=1)[0]
        if whole in dresses or first in dresses:
            return whole if whole in dresses else first
    return None


def _dressed(splices: Splices, look: Node, dress: Dress) -> None:
    """Give a shape its fill and its border."""
    prefix = _prefix(look)
    fill = f'<{prefix}solidFill><{prefix}srgbClr val="{dress.fill}"/></{prefix}solidFill>'.encode()
    old = next((child for child in look.children if child.tag in _FILLS), None)
    width, dash = WALLS[dress.walls]
    dashed = f'<{prefix}prstDash val="{dash}"/>' if dash else ""
    line = (f'<{prefix}ln w="{width}"><{prefix}solidFill><{prefix}srgbClr val="{INK}"/></{prefix}solidFill>{dashed}'
            f"</{prefix}ln>").encode()
    border = look.child("ln")
    if old is not None:
        splices.replace(old.start, old.end, fill)
    if border is not None:
        splices.replace(border.start, border.end, line)
    missing = (fill if old is None else b"") + (line if border is None and old is None else b"")
    if missing or border is None:
        last = [child for child in look.children if child.tag in (*_BEFORE_FILL, *_FILLS)]
        new = missing or line
        if last:
            splices.replace(last[-1].end, last[-1].end, new)
        elif look.children:
            splices.replace(look.children[0].start, look.children[0].start, new)
        else:
            splices.append(look, new)


def _prefix(look: Node) -> str:
    """How the drawing spells what shapes are made of."""
    return next((child.prefix for child in look.children), "a:")
