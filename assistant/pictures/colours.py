"""Colours: those of a map; which can be read on which, how different two look, also to colour-blind readers.

Luminance and contrast are those of WCAG 2. Distances are CIEDE2000 (CIE 142-2001; Sharma, Wu, Dalal 2005) under D65:
1 is just seen by a trained eye, side by side. The three deficiencies are those of Machado, Oliveira and Fernandes
(2009), table of severity 1.0, on linear light.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import repeat
from types import MappingProxyType

from assistant.campaign.records import OWNERLESS, Faction

# Colours of everything on a map.


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
    parts = zip(_rgb(one), _rgb(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


def tint(colour: str, ground: str = LAND, share: float = TINT) -> str:
    """The colour of owned land: the owner's colour laid thinly over the ground."""
    return mix_colours(colour, ground, share)


def terrain_look(code: str, known: tuple[str, ...]) -> tuple[str, str]:
    """The colour and the drawing of a terrain. `known`: all terrains of the scene."""
    if code in TERRAIN:
        return TERRAIN[code]
    return OTHER_TERRAINS[known.index(code) % len(OTHER_TERRAINS)] if code in known else OTHER_TERRAINS[0], ""


# Readable colours.


DARKEST_PAPER = "#efe7d3"
"""The darkest background of a faction's sign on a page."""
READABLE = 4.5
PURE_INKS = ("#ffffff", "#000000")
"""On every colour one of the two has at least the contrast `READABLE`."""


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` or ``rrggbb``, 0 to 1."""
    red, green, blue = map(_linear, _rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(colour: str, inks: tuple[str, str] = ("#ffffff", "#1d1a14")) -> str:
    """The more readable of two inks on a colour; pure black or white if neither has enough contrast."""
    best = max(inks, key=lambda ink: contrast(ink, colour))
    return best if contrast(best, colour) >= READABLE else max(PURE_INKS, key=lambda ink: contrast(ink, colour))


@lru_cache(maxsize=256)
def legible_colour(colour: str) -> str:
    """The colour for letters and signs: darkened as much as necessary to be readable on every page."""
    parts = _rgb(colour)
    for percent in range(100, -1, -1):
        legible = colour if percent == 100 else "#" + "".join(f"{part * percent // 100:02x}" for part in parts)
        if contrast(legible, DARKEST_PAPER) >= READABLE:
            return legible
    raise ValueError(f"{DARKEST_PAPER} is no paper: not even black can be read on it")


# How different two colours look, and colours for factions that have none.


TOUCHING, ANY, TINTS = 12.0, 8.0, 4.0
"""The least distance between the colours of neighbours, of any two owners, and between the tints of neighbours."""
Matrix = tuple[tuple[float, float, float], ...]
PLAIN: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
EYES: Mapping[str, Matrix] = {
    "": PLAIN,
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What an eye makes of linear red, green and blue: the usual one, and without red, green or blue cones."""
_XYZ: Matrix = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
                (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)
FEW = 12
"""Up to so many owners, any two colours must do for neighbours, as borders move. With more owners there are not enough
such colours; borders and signs then tell neighbours of similar colour apart."""
GREY = "#808080"
"""The colour of a faction that has none typed."""
SPARE = ("#cc3322", "#00aaff", "#443366", "#eebb00", "#7711ff", "#771122", "#338877", "#88aa77", "#9977aa", "#dd7700")
"""Colours for factions without one, far from each other and from land without an owner."""
STEP = 17
"""Step of the search for better colours, of 255."""
Lab = tuple[float, float, float]


def _rgb(colour: str) -> tuple[int, int, int]:
    plain = colour.lstrip("#")
    return int(plain[:2], 16), int(plain[2:4], 16), int(plain[4:6], 16)


def _multiply(matrix: Matrix, vector: Iterable[float]) -> tuple[float, ...]:
    x, y, z = vector
    return tuple(a * x + b * y + c * z for a, b, c in matrix)


@lru_cache(maxsize=256)
def _linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


@lru_cache(maxsize=65_536)
def lab(colour: str, eye: str = "") -> Lab:
    """CIE L*a*b* of ``#rrggbb`` as an eye of `EYES` sees it."""
    seen = (min(1.0, max(0.0, part)) for part in _multiply(EYES[eye], map(_linear, _rgb(colour))))
    x, y, z = (_cube_root(part / white) for part, white in zip(_multiply(_XYZ, seen), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(share: float) -> float:
    return math.cbrt(share) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116


def ciede2000(one: Lab, other: Lab) -> float:
    """The CIEDE2000 difference of two colours in L*a*b*; the letters are those of Sharma's paper."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * math.sqrt(mean / (mean + 25.0 ** 7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    weight = (1 - 0.17 * math.cos(math.radians(hue - 30)) + 0.24 * math.cos(math.radians(2 * hue))
              + 0.32 * math.cos(math.radians(3 * hue + 6)) - 0.20 * math.cos(math.radians(4 * hue - 63)))
    square = (lightness - 50) ** 2
    far_l = (l2 - l1) / (1 + 0.015 * square / math.sqrt(20 + square))
    far_c = (c2 - c1) / (1 + 0.045 * chroma)
    far_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = 2 * math.sqrt(chroma ** 7 / (chroma ** 7 + 25.0 ** 7)) * math.sin(
        math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    return math.sqrt(max(0.0, far_l ** 2 + far_c ** 2 + far_h ** 2 - blue * far_c * far_h))


@lru_cache(maxsize=8192)
def colour_distance(one: str, other: str) -> float:
    """The distance of two colours for the eye of `EYES` that finds them most alike."""
    return min(ciede2000(lab(one, eye), lab(other, eye)) for eye in EYES)


MOST_OF_LIGHTNESS = 1.75
"""CIEDE2000 counts a difference in lightness at no less than its part by so much, whatever the hue and the chroma."""


@lru_cache(maxsize=131_072)
def is_apart(one: str, other: str, least: float) -> bool:
    """Whether `colour_distance` of two colours is at least so much: known for most by their lightness alone."""
    for eye in EYES:
        here, there = lab(one, eye), lab(other, eye)
        if abs(here[0] - there[0]) < MOST_OF_LIGHTNESS * least and ciede2000(here, there) < least:
            return False
    return True


def distinguishable(one: str, other: str, *, touching: bool) -> bool:
    """Whether everybody can tell two owners apart by these colours on a map; `touching`: they are neighbours."""
    return is_apart(one, other, TOUCHING if touching else ANY) and (
        not touching or is_apart(tint(one), tint(other), TINTS))


def nearest_distinct_colour(colour: str, others: Mapping[str, bool],
                            failed: dict[str, tuple[str, bool]] | None = None) -> str:
    """The nearest colour that everybody can tell from all `others`; "" if there is none left.

    `others`: their colours, and whether they touch; `failed`: by which of them, and whether it touched, colours have
    failed in an earlier search.
    """
    wanted, likely, failed = lab(colour), list(others), {} if failed is None else failed
    known = {*others.items(), *((other, False) for other in others)}  # too alike for two apart is so for neighbours
    places = [lab(other) for other in others]
    candidates = [candidate for candidate in _all_colours() if failed.get(candidate) not in known]
    for candidate in sorted(candidates, key=lambda candidate: (math.dist(lab(candidate), wanted), candidate)):
        distances = map(math.dist, places, repeat(lab(candidate)))
        _, nearest = min(zip(distances, others, strict=True), default=(0.0, ""))
        alike = next((other for other in (nearest, *likely) if other and not distinguishable(
            candidate, other, touching=others[other])), "")
        if not alike:
            return candidate
        failed[candidate] = alike, others[alike]
        likely.remove(alike)
        likely.insert(0, alike)  # colours nearby mostly fail by the same one
    return ""


@lru_cache(maxsize=1)
def _all_colours() -> tuple[str, ...]:
    parts = [f"{part:02x}" for part in range(0, 256, STEP)]
    return tuple(f"#{red}{green}{blue}" for red in parts for green in parts for blue in parts)


def colour_conflicts(colours: Mapping[str, str], pairs: Collection[frozenset[str]]) -> list[tuple[str, str, str]]:
    """Owners whose colour is too similar to that of an earlier one: (owner, the earlier one, the nearest good colour).

    `colours`: owner -> ``#rrggbb``, first those that keep theirs; `pairs`: owners that touch. Taking all the suggested
    colours resolves every conflict; the suggestion is "" if no colour is left.
    """
    kept: dict[str, str] = {}
    failed: dict[str, tuple[str, bool]] = {}
    conflicts: list[tuple[str, str, str]] = []
    for owner, colour in colours.items():
        alike = [(colour_distance(colour, other), before) for before, other in kept.items()
                 if not distinguishable(colour, other, touching=frozenset((owner, before)) in pairs)]
        kept[owner] = colour
        if alike:
            others: dict[str, bool] = {}
            for other, theirs in {**colours, **kept}.items():
                if other != owner:
                    others[theirs] = others.get(theirs, False) or frozenset((owner, other)) in pairs
            good = nearest_distinct_colour(colour, others, failed)
            conflicts.append((owner, min(alike)[1], good))
            kept[owner] = good or colour
    return conflicts


def faction_colours(factions: Iterable[Faction]) -> dict[str, str]:
    """The colour of each faction in pictures: its own, else a spare one that everybody can tell from all others, while
    there are any left. Nothing is written into the sheet.
    """
    rows = [(row.faction, row.colour.lower() if re.fullmatch("#[0-9A-Fa-f]{6}", row.colour) else GREY,
             row.role in OWNERLESS) for row in factions]
    return dict(
        zip(
            [code for code, _, _ in rows],
            _assigned_colours(tuple((colour, nobody) for _, colour, nobody in rows)),
            strict=True,
        )
    )


@lru_cache(maxsize=32)
def _assigned_colours(rows: tuple[tuple[str, bool], ...]) -> tuple[str, ...]:
    """`faction_colours`, in the order of the rows: the colour of each, and whether it is nobody's faction."""
    touching = len(rows) <= FEW
    plain = [nobody for colour, nobody in rows if colour == GREY]
    # land without an owner may border on anybody's
    taken = {colour: touching for colour, _ in rows if colour != GREY} | {LAND: True}
    colours = []
    for colour, nobody in rows:
        if colour == GREY:
            wanted = (GREY, *SPARE) if nobody or len(plain) == 1 else SPARE
            fit = (
                candidate
                for candidate in wanted
                if all(distinguishable(candidate, other, touching=near) for other, near in taken.items())
            )
            colour = next(fit, "") or nearest_distinct_colour(wanted[len(taken) % len(wanted)], taken) or GREY
            taken[colour] = touching
        colours.append(colour)
    return tuple(colours)
