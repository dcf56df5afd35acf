"""A workbook, and whether it is to show its map and to colour a club's shapes, in; the same workbook, doing so, out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.turn.findings import Finding
from assistant.turn.messages.house import COMMON
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.maps.map_sheet import put_map
from assistant.workbook.maps.own_shapes import colour_shapes
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.xmltree import Splices
from assistant.workbook.ooxml.whole_sheets.own_picture import SHAPES, Shown, shown_in, wanted_shapes
from assistant.workbook.ooxml.whole_sheets.removal import take_out_sheet
from assistant.workbook.ooxml.whole_sheets.transplant import hide_sheet, sheet_nodes


class Shows(NamedTuple):
    """What a workbook shows. `sheet`: our map on a sheet; `shapes`: a club's own shapes, coloured by us."""

    sheet: bool
    shapes: bool


def shows_of(book: OoxmlBook) -> Shows:
    """What a workbook shows now. Raises `Damaged`, `Hostile`."""
    return Shows(shown_in(book) is not None, wanted_shapes(book))


def cannot_show(book: OoxmlBook, wanted: Shows) -> list[Finding]:
    """What would stay otherwise, were a workbook to show what is wanted: a sheet with something of the referee's own
    beside the map, and colours of shapes, which nobody has kept. Raises `Damaged`, `Hostile`.
    """
    found, shown = [], shown_in(book)
    if shown is not None and not wanted.sheet and _stays(book, shown):
        found.append(_said(codes.MAP_STAYS, sheet=shown.title))
    if wanted_shapes(book) and not wanted.shapes:
        found.append(_said(codes.SHAPES_STAY))
    return found


def show(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign, wanted: Shows) -> Sequence[Finding]:
    """Let a workbook show what is wanted from now on; what is to be said of the map. The sheet goes where nothing but
    the map stands on it; shapes that are no longer coloured keep the colours that they have.

    Raises `Unsafe` (as `add_picture_sheet`), `Damaged`, `Hostile`.
    """
    shown = shown_in(book)
    if shown is not None and not wanted.sheet and not _stays(book, shown):
        _take_out(book, shown.title)
    if wanted_shapes(book) and not wanted.shapes:
        _forget_shapes(book)
    elif wanted.shapes:
        colour_shapes(book, ruleset, campaign)
    return put_map(book, ruleset, campaign).findings if wanted.sheet else []


def _stays(book: OoxmlBook, shown: Shown) -> bool:
    """Whether anything but our picture stands on the sheet that shows it, or no other sheet is to be seen."""
    return (any(book.rows(shown.title).values()) or len(book.package.tree(shown.drawing).children) > 1
            or not _others(book, shown.title))


def _others(book: OoxmlBook, title: str) -> list[str]:
    """The other sheets that are to be seen."""
    return [name for node in sheet_nodes(book) if (name := node.get("name")) in book.sheets and name != title
            and node.get("state") in ("", "visible")]


def _take_out(book: OoxmlBook, title: str) -> None:
    """Take the sheet out; where it is the one in front, the first of the others comes there."""
    order = [node.get("name") for node in sheet_nodes(book)]
    views = book.root.child("bookViews")
    if views is not None and order.index(title) in {view.whole("activeTab") for view in views.all("workbookView")}:
        hide_sheet(book, title, _others(book, title)[0])
    take_out_sheet(book, title)


def _forget_shapes(book: OoxmlBook) -> None:
    """Take out the name that says that shapes are to be coloured."""
    group = book.root.child("definedNames")
    names = group.all("definedName") if group is not None else []
    splices = Splices(book.package.text(book.part))
    ours = [node for node in names if node.get("name") == SHAPES]
    if group is not None and len(ours) == len(names):  # a list without members is not allowed
        splices.replace(group.start, group.end, b"")
    else:
        for node in ours:
            splices.replace(node.start, node.end, b"")
    book.rewritten(splices.done())


def _said(code: str, **data: str) -> Finding:
    return Finding(code, COMMON[code].severity, data=data)
