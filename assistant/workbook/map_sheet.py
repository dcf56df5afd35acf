"""The map on a sheet of the workbook, or a club's own shapes, coloured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten
from typing import NamedTuple

from assistant import pictures
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction, Node
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import (
    SHAPES_NAME,
    MapPicture,
    add_names,
    add_picture_sheet,
    drop_names,
    find_map_picture,
    free_title,
    hide_sheet,
    map_picture_bytes,
    remove_sheet,
    renew_picture,
    sheet_nodes,
    wants_shapes,
)
from assistant.workbook.ooxml.xml_tree import Splices, XmlNode, parse
from assistant.workbook.port import DeskLines

# Our map on a sheet.
# #
# It shows what everybody sees, or everything if the Desk says that the workbook is the referee's alone.


TITLE = ("Map", "Mappa")
NAMES_LISTED = 12
"""How many names without room the Desk lists."""
LONGEST_NAME = 60
"""Letters of such a name at most: it may be very long."""


class MapUpdate(NamedTuple):
    """The result of an update. `findings`: what to say about it;
    `unplaced`: codes of places whose names had no room.
    """

    findings: Sequence[Finding] = ()
    unplaced: Sequence[str] = ()


def map_viewer(campaign: Campaign) -> str:
    """Whose map a workbook shows: "" for everybody's, ``referee`` if the Desk says so."""
    return REFEREE if campaign.desk.map_for == REFEREE else ""


def update_map(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> MapUpdate:
    """Redraw our map if the workbook has one that is out of date. Nothing else in it changes.

    Raises `Damaged`, `Hostile`.
    """
    if find_map_picture(book) is None:
        return MapUpdate()
    note = pictures.read_note(map_picture_bytes(book))
    made = pictures.sketch_map(
        ruleset, campaign, map_viewer(campaign), campaign.desk.language or "en", note.placed if note else {}
    )
    if note is not None and note.svg == made.note.svg:
        return MapUpdate(unplaced=made.unplaced)
    picture = pictures.render_sketch(made)
    renew_picture(book, picture.png, picture.words)
    return MapUpdate(unplaced=made.unplaced)


def add_or_update_map(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> MapUpdate:
    """Add a sheet with our map, or update the one that is there.

    If the club has a sheet of the same title, ours gets a number. Raises `Unsafe` (as `add_picture_sheet`), `Damaged`,
    `Hostile`.
    """
    if find_map_picture(book) is not None:
        return update_map(book, ruleset, campaign)
    lang = campaign.desk.language or "en"
    picture = pictures.render_sketch(pictures.sketch_map(ruleset, campaign, map_viewer(campaign), lang, {}))
    add_picture_sheet(book, free_title(book, TITLE[lang == "it"]), picture.png, picture.words)
    return MapUpdate(picture_findings(picture), picture.unplaced)


def add_map_to_copy(copy: bytes, png: bytes, words: str, lang: str) -> bytes:
    """A club's copy with a map, drawn from that club's view, on a sheet of its own."""
    book = OoxmlBook(copy)
    add_picture_sheet(book, TITLE[lang == "it"], png, words)
    return book.package.pack()


def add_unplaced_names(lines: DeskLines, unplaced: Sequence[str], campaign: Campaign, wording: Wording) -> DeskLines:
    """The Desk's lines; after its next steps they name the places that had no room on the map. `unplaced`: codes."""
    called = [shorten(row.name_in(wording.lang) or code, LONGEST_NAME, placeholder="…") for code in unplaced
              if (row := campaign.table(Node).get(code))]
    if not called:
        return lines
    told, more = Verbatim(", ".join(called[:NAMES_LISTED])), len(called) - NAMES_LISTED
    text = wording.text(N_("No room on the map for: {list}."), list=told) if more <= 0 else wording.plural(
        N_("No room on the map for: {list}, and {n} more."), N_("No room on the map for: {list}, and {n} more."), more,
        list=told)
    return lines._replace(next_steps=(*lines.next_steps, text))


def picture_findings(picture: pictures.DrawnPicture) -> list[Finding]:
    """Findings for names without room on a picture."""
    return [codes.finding(codes.NO_ROOM, list=", ".join(picture.unplaced))] if picture.unplaced else []


# A club's own shapes, coloured.
# #
# A shape belongs to a place if its name or alternative text is the place's code, or begins with it. It gets the
# owner's colour, and the walls as its border; nothing else of the drawing changes. A defined name in the workbook
# says that the shapes are to be coloured.


NOBODY = "EFE6D2"
INK = "1D1A14"
WALLS: Mapping[str, tuple[int, str]] = {"": (9525, ""), "intact": (38100, ""), "damaged": (38100, "dash")}
"""Walls -> width of the border, in English metric units (EMU), and its dash style."""
_FILLS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_BEFORE_FILL = ("xfrm", "custGeom", "prstGeom")


class ShapeStyle(NamedTuple):
    """The style of a place's shape: its fill (``RRGGBB``) and its walls."""

    fill: str
    walls: str


def colour_shapes(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> int:
    """Colour the shapes, now and from now on; returns how many there are. If there are none nothing is changed.

    Raises `Unsafe`, `Damaged`, `Hostile`.
    """
    count = sum(1 for _ in _iter_shapes(book, _shape_styles(ruleset, campaign)))
    if count and not wants_shapes(book):
        first = next(title for title, sheet in book.sheets.items() if book.package.linked_part(sheet.part, "drawing"))
        add_names(book, {SHAPES_NAME: f"'{first.replace(chr(39), chr(39) * 2)}'!$A$1"})
    update_shapes(book, ruleset, campaign)
    return count


def update_shapes(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> None:
    """Colour the shapes if the workbook wants it. Raises `Damaged`, `Hostile`."""
    if not wants_shapes(book):
        return
    changes: dict[str, Splices] = {}
    for drawing, look, dress in _iter_shapes(book, _shape_styles(ruleset, campaign)):
        splices = changes.setdefault(drawing, Splices(book.package.text(drawing)))
        _style_shape(splices, look, dress)
    for drawing, splices in changes.items():
        new = splices.result()
        if new != book.package.text(drawing):
            parse(new)
            book.package.put(drawing, new)


def _shape_styles(ruleset: Ruleset, campaign: Campaign) -> dict[str, ShapeStyle]:
    """The style of each place's shape by the place's code in lower case, as far as the readers of the workbook may
    know.
    """
    whose = map_viewer(campaign)
    view = campaign if whose == REFEREE else ruleset.view(campaign, whose)
    owners = pictures.faction_colours(view.table(Faction))
    colours = {code: colour.lstrip("#").upper() for code, colour in owners.items()}
    return {code.casefold(): ShapeStyle(colours.get(look.owner, NOBODY), look.walls if look.walls in WALLS else "")
            for code, look in pictures.place_looks(ruleset, view).items()}


def _iter_shapes(book: OoxmlBook, dresses: Mapping[str, ShapeStyle]) -> Iterator[tuple[str, XmlNode, ShapeStyle]]:
    """Each shape: the drawing's part, the element with its properties (``spPr``), and its new style."""
    for sheet in book.sheets.values():
        drawing = book.package.linked_part(sheet.part, "drawing")
        for shape in book.package.tree(drawing).walk() if drawing else ():
            if shape.tag != "sp":
                continue
            properties = next((node for node in shape.walk() if node.tag == "cNvPr"), None)
            look = shape.child("spPr")
            code = None if properties is None else _place_code(properties, dresses)
            if code is not None and look is not None:
                yield drawing, look, dresses[code]


def _place_code(node: XmlNode, dresses: Mapping[str, ShapeStyle]) -> str | None:
    for text in (node.get("name"), node.get("descr")):
        whole = text.strip().casefold()
        first = re.split(r"[\s:,;(]", whole, maxsplit=1)[0]
        if whole in dresses or first in dresses:
            return whole if whole in dresses else first
    return None


def _style_shape(splices: Splices, look: XmlNode, dress: ShapeStyle) -> None:
    """Set a shape's fill and border."""
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


def _prefix(look: XmlNode) -> str:
    return next((child.prefix for child in look.children), "a:")


# What a workbook shows of its map.


class MapDisplay(NamedTuple):
    """What a workbook shows. `sheet`: our map on a sheet; `shapes`: a club's own shapes, coloured by us."""

    sheet: bool
    shapes: bool


def current_display(book: OoxmlBook) -> MapDisplay:
    """What a workbook shows now. Raises `Damaged`, `Hostile`."""
    return MapDisplay(find_map_picture(book) is not None, wants_shapes(book))


def display_obstacles(book: OoxmlBook, wanted: MapDisplay) -> list[Finding]:
    """Findings for what would stay as it is: a map sheet with something of the referee's own on it, and colours of
    shapes, whose earlier colours nobody has kept. Raises `Damaged`, `Hostile`.
    """
    findings, shown = [], find_map_picture(book)
    if shown is not None and not wanted.sheet and _sheet_stays(book, shown):
        findings.append(codes.finding(codes.MAP_STAYS, sheet=shown.title))
    if wants_shapes(book) and not wanted.shapes:
        findings.append(codes.finding(codes.SHAPES_STAY))
    return findings


def set_display(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign, wanted: MapDisplay) -> Sequence[Finding]:
    """Let a workbook show what is wanted from now on; returns findings about the map. The sheet is removed only if it
    holds nothing but the map; shapes that are no longer coloured keep the colours that they have.

    Raises `Unsafe` (as `add_picture_sheet`), `Damaged`, `Hostile`.
    """
    shown = find_map_picture(book)
    if shown is not None and not wanted.sheet and not _sheet_stays(book, shown):
        _remove_map_sheet(book, shown.title)
    if wants_shapes(book) and not wanted.shapes:
        _forget_shapes(book)
    elif wanted.shapes:
        colour_shapes(book, ruleset, campaign)
    return add_or_update_map(book, ruleset, campaign).findings if wanted.sheet else []


def _sheet_stays(book: OoxmlBook, shown: MapPicture) -> bool:
    return (any(book.rows(shown.title).values()) or len(book.package.tree(shown.drawing).children) > 1
            or not _other_visible_sheets(book, shown.title))


def _other_visible_sheets(book: OoxmlBook, title: str) -> list[str]:
    return [name for node in sheet_nodes(book) if (name := node.get("name")) in book.sheets and name != title
            and node.get("state") in ("", "visible")]


def _remove_map_sheet(book: OoxmlBook, title: str) -> None:
    """Remove the sheet; if it is the active one, the first of the others becomes active."""
    order = [node.get("name") for node in sheet_nodes(book)]
    if order.index(title) in {view.whole("activeTab") for view in book.root.members("bookViews", "workbookView")}:
        hide_sheet(book, title, _other_visible_sheets(book, title)[0])
    remove_sheet(book, title)


def _forget_shapes(book: OoxmlBook) -> None:
    """Remove the name that says that shapes are to be coloured."""
    with book.edit() as splices:
        drop_names(splices, book.root, lambda node: node.get("name") == SHAPES_NAME)
