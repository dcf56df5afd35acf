"""Boxes, colours and text widths of a drawing, in pixels."""

from __future__ import annotations

import re
import struct
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from assistant.environment import shipped_folder

# Boxes, and grids that find overlaps. All in pixels, y downwards.


Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> Box:
        """The same, larger on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, other: Box) -> bool:
        """Whether the other lies wholly inside."""
        return (self.left <= other.left and self.top <= other.top and other.right <= self.right
                and other.bottom <= self.bottom)

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def meets(self, other: Box) -> bool:
        """Whether they overlap; touching is not overlapping."""
        return (self.left < other.right and other.left < self.right and self.top < other.bottom
                and other.top < self.bottom)

    def shared(self, other: Box) -> float:
        """The area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


def box_around(x: float, y: float, half_width: float, half_height: float) -> Box:
    """A box about its centre."""
    return Box(x - half_width, y - half_height, x + half_width, y + half_height)


class BoxGrid:
    """Occupied boxes, each with a weight, indexed by the squares of a grid."""

    def __init__(self, step: float = 48) -> None:
        self._step = step
        self._cells: dict[tuple[int, int], list[tuple[Box, float]]] = defaultdict(list)

    def put(self, box: Box, weight: float = 1) -> None:
        """Occupy a box."""
        entry, step = (box, weight), self._step
        for across in range(int(box.left // step), int(box.right // step) + 1):
            for row in range(int(box.top // step), int(box.bottom // step) + 1):
                self._cells[across, row].append(entry)

    def free(self, box: Box) -> bool:
        """Whether no occupied box overlaps this one."""
        step, cells = self._step, self._cells
        left, top, right, bottom = box
        down = range(int(top // step), int(bottom // step) + 1)
        for across in range(int(left // step), int(right // step) + 1):
            for row in down:
                for (one_left, one_top, one_right, one_bottom), _ in cells.get((across, row), ()):
                    if left < one_right and one_left < right and top < one_bottom and one_top < bottom:
                        return False
        return True

    def cost(self, box: Box) -> float:
        """The weights of all that overlaps a box, each once."""
        step, cells = self._step, self._cells
        left, top, right, bottom = box
        met: dict[int, float] = {}
        down = range(int(top // step), int(bottom // step) + 1)
        for across in range(int(left // step), int(right // step) + 1):
            for row in down:
                for entry in cells.get((across, row), ()):
                    one_left, one_top, one_right, one_bottom = entry[0]
                    if left < one_right and one_left < right and top < one_bottom and one_top < bottom:
                        met[id(entry)] = entry[1]
        return sum(met.values())


class LineGrid:
    """Points of lines, counted in the squares of a fine grid: tells how much of the lines a box would cover."""

    def __init__(self, step: float = 8) -> None:
        self._step = step
        self._many: dict[int, dict[int, float]] = defaultdict(dict)

    def put(self, points: Iterable[Point], weight: float) -> None:
        """Add the points of a line; they must be closer together than a square is wide."""
        step = self._step
        for across, row in {(int(x // step), int(y // step)) for x, y in points}:
            column = self._many[across]
            column[row] = column.get(row, 0.0) + weight

    def cost(self, box: Box) -> float:
        """The weights of the squares that a box covers."""
        step, many = self._step, self._many
        left, top, right, bottom = box
        down = range(int(top // step), int(bottom // step) + 1)
        return sum([column[row] for across in range(int(left // step), int(right // step) + 1)
                    if (column := many.get(across)) for row in down if row in column])


# Sizes and colours of everything on a map.


INK, PAPER, LAND, SEA, BLANK = "#22180a", "#fbf3dc", "#eee0bb", "#bcd0cf", "#d9cfb4"
"""Letters, the ground of texts, land without an owner, the sea, and what the reader does not know."""
TINT, CELL_TINT = 0.42, 0.55
"""Share of the owner's colour in the colour of a territory and of a cell. With these values the owners of all
scenarios, and land without an owner, can be told apart on every terrain, also out of sight."""
VEILS: Mapping[str, tuple[str, float]] = MappingProxyType({
    "earlier": ("#6b6250", 0.14), "never": ("#d9cfb4", 0.12), "cells": ("#efe6cf", 0.4)})
"""What lies over land that is out of sight, or unknown, between the lines of its hatch, and over such cells: the
colour, and how much of it there is."""
NOBODY = "#efe6d2"
"""The colour of the sign of a place without an owner."""
NO_COLOUR = "#777777"
"""Used in place of an invalid colour."""

GLYPH_HALVES: Mapping[str, tuple[float, float]] = MappingProxyType({
    "": (0, 0), "dot": (6, 6), "village": (11, 8), "town": (11, 9), "city": (14, 13), "fortress": (13, 11),
    "castle": (13, 14), "camp": (11, 9), "ruin": (11, 9), "portal": (10, 12), "port": (10, 11), "temple": (12, 10),
    "mine": (10, 10)})
"""Glyph -> half its width and half its height, drawn at size 2."""
GLYPH_SCALES = (0.8, 1.0, 1.2)
"""How large a glyph is drawn, by the place's size."""
NAME_SIZES = (15.0, 17.0, 21.0)
"""The size of its name, by the place's size."""

TERRAIN: Mapping[str, tuple[str, str]] = MappingProxyType({
    **dict.fromkeys(("open", "plain", "plains", "clear", "grass", "grassland", "cultivated"), ("#efe3b8", "")),
    **dict.fromkeys(("cultivated", "farmland", "fields"), ("#e6dd9c", "fields")),
    **dict.fromkeys(("forest", "wood", "woods"), ("#bccf98", "forest")),
    **dict.fromkeys(("jungle",), ("#a3c48b", "forest")),
    **dict.fromkeys(("hill", "hills"), ("#dcc993", "hill")),
    **dict.fromkeys(("mountain", "mountains", "peak", "peaks"), ("#cbbd9f", "mountain")),
    **dict.fromkeys(("marsh", "swamp", "bog"), ("#c3d2b2", "marsh")),
    **dict.fromkeys(("sea", "ocean", "deep"), ("#a9cbd6", "waves")),
    **dict.fromkeys(("lake", "water"), ("#b4d3dc", "waves")),
    **dict.fromkeys(("coast", "beach"), ("#d5dcc4", "coast")),
    **dict.fromkeys(("river", "ford"), ("#e3e3c2", "")),
    **dict.fromkeys(("desert", "sand"), ("#f0d9a0", "dunes")),
    **dict.fromkeys(("waste", "wasteland", "barren", "tundra"), ("#d8cbb2", "stones")),
    **dict.fromkeys(("snow", "ice"), ("#eef0ee", "")),
    **dict.fromkeys(("city", "town"), ("#e2d2b4", ""))})
"""Terrain -> the colour of its cells, and the drawing that is repeated over them."""
OTHER_TERRAINS = ("#e9dcb0", "#d9d4a8", "#e0cfae", "#cfd6b4", "#d6c8b8", "#c9d4c9")
"""Colours of terrains that have another word, in the order in which the scene lists them."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def valid_colour(given: str) -> str:
    """A colour typed in a scenario or by a club; `NO_COLOUR` if it is not valid."""
    return given.lower() if _COLOUR.fullmatch(given) else NO_COLOUR


def mix_colours(one: str, other: str, share: float) -> str:
    """A colour between two: `share` of the one, the rest of the other."""
    parts = ((int(one[i:i + 2], 16), int(other[i:i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


def tint(colour: str, ground: str = LAND, share: float = TINT) -> str:
    """The colour of owned land: the owner's colour laid thinly over the ground."""
    return mix_colours(colour, ground, share)


def terrain_look(code: str, known: tuple[str, ...]) -> tuple[str, str]:
    """The colour and the drawing of a terrain. `known`: all terrains of the scene."""
    if code in TERRAIN:
        return TERRAIN[code]
    return OTHER_TERRAINS[known.index(code) % len(OTHER_TERRAINS)] if code in known else OTHER_TERRAINS[0], ""


# Text: what may be written, and how wide it is in our own fonts.
#
# The widths are read from the fonts' tables, so that a picture is the same on every machine.


FontStyle = Literal["serif", "italic", "sans", "bold"]
FILES: Mapping[FontStyle, str] = {"serif": "ArbitroSerif-Regular.otf", "italic": "ArbitroSerif-Italic.otf",
                            "sans": "ArbitroSans-Regular.ttf", "bold": "ArbitroSans-Bold.ttf"}
ELLIPSIS = "…"
UNKNOWN = 0.6
"""The assumed width of a letter that a font lacks, in sizes of the font."""


def font_files() -> list[str]:
    """The paths of the fonts used in pictures."""
    return [str(_path(cut)) for cut in FILES]


def _path(cut: FontStyle) -> Path:
    return shipped_folder("reports") / "fonts" / FILES[cut]


@lru_cache(maxsize=16384)
def text_width(text: str, size: float, cut: FontStyle = "serif") -> float:
    """The width of a line in pixels. Kerning is ignored: it could only make the line narrower."""
    known = _advances(cut)
    return size * sum(known.get(ord(letter), UNKNOWN) for letter in text)


def has_all_letters(text: str) -> bool:
    """Whether the font of names has every letter."""
    known = _advances("serif")
    return all(ord(letter) in known for letter in text)


@lru_cache(maxsize=16384)
def clean_text(text: str) -> str:
    """A typed text made safe for a picture: one line, composed accents, no characters that XML forbids or that change
    the writing direction.
    """
    plain = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", text)
                    if letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Cn", "Co"))
    return " ".join(plain.split())


def shorten(text: str, room: float, size: float, cut: FontStyle = "serif") -> str:
    """The text, cut to the room with an ellipsis."""
    if text_width(text, size, cut) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + ELLIPSIS, size, cut) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


def split_in_two(text: str) -> tuple[str, ...]:
    """A name of several words in two lines of similar length; a single word stays one line."""
    words = text.split(" ")
    cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return min(cuts, key=lambda pair: max(map(len, pair))) if cuts else (text,)


@lru_cache(maxsize=len(FILES))
def _advances(cut: FontStyle) -> dict[int, float]:
    """Letter -> its width in sizes of the font, from the tables cmap (format 4), hmtx, hhea and head."""
    data = _path(cut).read_bytes()
    tables = {data[at:at + 4]: struct.unpack_from(">II", data, at + 8)
              for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)}
    unit = struct.unpack_from(">H", data, tables[b"head"][0] + 18)[0]
    longs = struct.unpack_from(">H", data, tables[b"hhea"][0] + 34)[0]
    widths = [struct.unpack_from(">H", data, tables[b"hmtx"][0] + 4 * n)[0] for n in range(longs)]
    return {letter: widths[min(glyph, longs - 1)] / unit
            for letter, glyph in _glyphs(data, tables[b"cmap"][0]).items()}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Letter -> the number of its glyph."""
    for n in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        at = cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * n)[0]
        if struct.unpack_from(">H", data, at)[0] == 4:
            break
    else:
        raise ValueError("the font has no table of letters of format 4")
    count = struct.unpack_from(">H", data, at + 6)[0] // 2
    ends, starts, deltas, offsets = (struct.unpack_from(f">{count}H", data, at + 14 + 2 * count * n + 2 * (n > 0))
                                     for n in range(4))
    glyphs: dict[int, int] = {}
    for n, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for letter in range(first, min(last, 0xFFFE) + 1):
            glyph = letter
            if offset:
                place = at + 16 + 6 * count + 2 * n + offset + 2 * (letter - first)
                glyph = struct.unpack_from(">H", data, place)[0]
            if glyph or not offset:
                glyphs[letter] = (glyph + delta) & 0xFFFF
    return {letter: glyph for letter, glyph in glyphs.items() if glyph}
