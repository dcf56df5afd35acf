"""A workbook that shows our map and a campaign in; the same workbook with the map of today out.

It is the map of everybody, or the referee's own where the Desk says that the workbook is the referee's alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Node
from assistant.pictures.png import MissingLibrary
from assistant.pictures.prints import Picture, note_in, printed, sketch
from assistant.turn.findings import Finding
from assistant.turn.messages.house import COMMON
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook import codes
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.whole_sheets.own_picture import picture_in, shown_in
from assistant.workbook.ooxml.whole_sheets.picture_sheet import add_picture_sheet, renew_picture
from assistant.workbook.ooxml.whole_sheets.transplant import free_title
from assistant.workbook.port import DeskLines

TITLE = ("Map", "Mappa")
TOLD = 12
"""So many names without room the Desk lists."""


@dataclass(frozen=True)
class Renewed:
    """What became of the map. `drawn`: whether it is another than before; `findings`: what is to be said of it;
    `unplaced`: codes of the places whose names found no room on it.
    """

    drawn: bool
    findings: Sequence[Finding] = ()
    unplaced: Sequence[str] = ()


def whose_map(campaign: Campaign) -> str:
    """Whose map a workbook shows: "" for everybody's, ``referee`` where the Desk says so."""
    return REFEREE if campaign.desk.map_for == REFEREE else ""


def renew_map(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> Renewed:
    """Draw our map anew where a workbook has one and it shows something else now. Nothing else of it changes.

    Raises `Damaged`, `Hostile`.
    """
    if shown_in(book) is None:
        return Renewed(False)
    note = note_in(picture_in(book))
    made = sketch(ruleset, campaign, whose_map(campaign), campaign.desk.language or "en", note.placed if note else {})
    if note is not None and note.svg == made.note.svg:
        return Renewed(False, unplaced=made.unplaced)
    picture = printed(made)
    if isinstance(picture, MissingLibrary):
        return Renewed(False, [_said(codes.NOT_DRAWN, library=picture.name)])
    renew_picture(book, picture.png, picture.words)
    return Renewed(True, lacking(picture, names=False), made.unplaced)


def put_map(book: OoxmlBook, ruleset: Ruleset, campaign: Campaign) -> Renewed:
    """Give a workbook a sheet with our map, or renew the one that it has.

    A sheet of the club's that is called like it is left alone, and ours gets a number. Raises `Unsafe` (as
    `add_picture_sheet`), `Damaged`, `Hostile`.
    """
    if shown_in(book) is not None:
        return renew_map(book, ruleset, campaign)
    lang = campaign.desk.language or "en"
    picture = printed(sketch(ruleset, campaign, whose_map(campaign), lang, {}))
    if isinstance(picture, MissingLibrary):
        return Renewed(False, [_said(codes.NOT_DRAWN, library=picture.name)])
    add_picture_sheet(book, free_title(book, TITLE[lang == "it"]), picture.png, picture.words)
    return Renewed(True, lacking(picture), picture.unplaced)


def with_map(copy: bytes, png: bytes, words: str, lang: str) -> bytes:
    """A club's copy with a map on a sheet of its own; the picture was drawn from that club's view."""
    book = OoxmlBook(copy)
    add_picture_sheet(book, TITLE[lang == "it"], png, words)
    return book.package.pack()


def with_no_room(lines: DeskLines, unplaced: Sequence[str], campaign: Campaign, wording: Wording) -> DeskLines:
    """The words of the Desk, behind its next steps which names found no room on the map. `unplaced`: codes."""
    called = [row.called(wording.lang) or code for code in unplaced if (row := campaign.table(Node).get(code))]
    if not called:
        return lines
    told, more = Verbatim(", ".join(called[:TOLD])), len(called) - TOLD
    said = wording.text(N_("No room on the map for: {list}."), list=told) if more <= 0 else wording.plural(
        N_("No room on the map for: {list}, and {n} more."), N_("No room on the map for: {list}, and {n} more."), more,
        list=told)
    return lines._replace(next_steps=(*lines.next_steps, said))


def lacking(picture: Picture, *, names: bool = True) -> list[Finding]:
    """What is to be said of a picture that lacks something. `names`: also of names without room."""
    found = [_said(codes.DRAWN_WITHOUT, library=picture.missing)] if picture.missing else []
    return found + ([_said(codes.NO_ROOM, list=", ".join(picture.unplaced))] if names and picture.unplaced else [])


def _said(code: str, **data: str) -> Finding:
    return Finding(code, COMMON[code].severity, data=data)
