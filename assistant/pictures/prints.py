"""Views in; maps and charts as PNG with what they show in words out, several at once by processes.

A picture that stands in a workbook carries a note of how it was drawn (`Note`), so that the very bytes can be drawn
again and names stay where they were.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import struct
import sys
import zlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE
from assistant.pictures.drawn import svg as map_svg
from assistant.pictures.maps import scene_of
from assistant.pictures.png import MissingLibrary, png
from assistant.pictures.scene import Scene
from assistant.pictures.words import alt
from assistant.turn.ruleset import Ruleset

SHEET = 1600
"""So many pixels wide a map is in a workbook, where it is printed, too."""
NOTE = b"arbitro"
"""The keyword of our text in a PNG."""
_TEXT = b"zTXt"
Names = Mapping[str, tuple[str, int]]


class Note(NamedTuple):
    """How a workbook's picture was drawn. `whose`: "" for everybody's map, ``referee``; `before`: where names stood
    before; `placed`: where they stand; `svg`: the fingerprint of what was drawn.
    """

    whose: str
    lang: str
    before: Names
    placed: Names
    svg: str


class Picture(NamedTuple):
    """A picture that was drawn. `words`: what it shows; `unplaced`: places whose names found no room; `missing`: the
    library without which there is less on it, "" for none.
    """

    png: bytes
    words: str
    note: Note
    unplaced: tuple[str, ...] = ()
    missing: str = ""


class Sketch(NamedTuple):
    """A map as SVG, not drawn yet; `note`, `words`, `unplaced`, `missing` as of the `Picture`."""

    svg: str
    words: str
    note: Note
    unplaced: tuple[str, ...]
    missing: str


class Wanted(NamedTuple):
    """A picture that is wanted: a scene, or a chart's SVG with its words; how many pixels wide."""

    scene: Scene | None
    width: int
    svg: str = ""
    words: str = ""


# --- the map of a workbook ----------------------------------------------------------------------------------------
def sketch(ruleset: Ruleset, campaign: Campaign, whose: str, lang: str, before: Names) -> Sketch:
    """The map that a workbook shows. `campaign`: whole; `whose`: "" for everybody's map, ``referee`` for all of it."""
    view = campaign if whose == REFEREE else ruleset.view(campaign, whose)
    scene = scene_of(ruleset, view, whose, lang, before=before or None, orders=False)
    made = map_svg(scene)
    print_of = hashlib.sha256(made.svg.encode()).hexdigest()
    return Sketch(made.svg, alt(scene), Note(whose, lang, before, dict(made.placed), print_of), made.unplaced,
                  made.missing)


def printed(made: Sketch) -> Picture | MissingLibrary:
    """The picture with its note, ready for a workbook."""
    drawn = png(made.svg, SHEET)
    if isinstance(drawn, MissingLibrary):
        return drawn
    return Picture(noted(drawn, made.note), made.words, made.note, made.unplaced, made.missing)


# --- notes --------------------------------------------------------------------------------------------------------
def noted(picture: bytes, note: Note) -> bytes:
    """A PNG with a note in front of its end; equal notes give equal bytes."""
    text = json.dumps(note._asdict(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    body = NOTE + b"\0\0" + zlib.compress(text, 9)
    chunk = struct.pack(">L", len(body)) + _TEXT + body + struct.pack(">L", zlib.crc32(_TEXT + body))
    return picture[:-12] + chunk + picture[-12:]


def note_in(picture: bytes) -> Note | None:
    """The note of a PNG; None where it has none of ours, or one that cannot be read."""
    at = 8
    while at + 12 <= len(picture):
        (size,) = struct.unpack(">L", picture[at:at + 4])
        body = picture[at + 8:at + 8 + size]
        if picture[at + 4:at + 8] == _TEXT and body.startswith(NOTE + b"\0\0"):
            return _note(body[len(NOTE) + 2:])
        at += 12 + size
    return None


def _note(packed: bytes) -> Note | None:
    engine = zlib.decompressobj()
    try:
        said = json.loads(engine.decompress(packed, 2**20))
        names = [{str(code): (str(side), int(gap)) for code, (side, gap) in said[key].items()}
                 for key in ("before", "placed")]
        return Note(str(said["whose"]), str(said["lang"]), names[0], names[1], str(said["svg"]))
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError):  # anybody may have written it
        return None


# --- several at once ------------------------------------------------------------------------------------------------
def draw_all(wanted: Iterable[Wanted], processes: int = 1) -> list[Picture | MissingLibrary]:
    """These pictures, in their order; the first are drawn while others are still thought of. `processes`: how many may
    draw at once; resvg lets no two threads draw.
    """
    coming = iter(wanted)
    first = list(islice(coming, 2))
    count = min(processes, os.cpu_count() or 1)
    if min(count, len(first)) < 2 or sys.platform != "linux":  # elsewhere starting a process takes longer than it saves
        return [_drawn(one) for one in chain(first, coming)]
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("fork")) as pool:
        return list(pool.map(_drawn, chain(first, coming)))


def _drawn(wanted: Wanted) -> Picture | MissingLibrary:
    text, said, missing = wanted.svg, wanted.words, ""
    unplaced: tuple[str, ...] = ()
    placed: Names = {}
    if wanted.scene is not None:
        made = map_svg(wanted.scene)
        text, said, unplaced, missing, placed = (
            made.svg, alt(wanted.scene), tuple(made.unplaced), made.missing, dict(made.placed))
    picture = png(text, wanted.width)
    if isinstance(picture, MissingLibrary):
        return picture
    return Picture(picture, said, Note("", "", {}, placed, ""), unplaced, missing)
