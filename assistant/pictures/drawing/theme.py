"""What kinds of things look like on every picture: sizes and colours by the words of a scene; nothing goes in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

INK, PAPER, LAND, SEA, BLANK = "#22180a", "#fbf3dc", "#eee0bb", "#bcd0cf", "#d9cfb4"
"""Letters, the ground of what is written on, land of nobody, the sea, and what the reader knows nothing of."""
TINT, CELL_TINT = 0.42, 0.55
"""How much of its owner's colour the land of a realm, and a cell, has on its ground: so much that the owners of all
scenarios, and the ground of nobody, can be told apart by it on every terrain, also out of sight."""
VEILS: Mapping[str, tuple[str, float]] = MappingProxyType({
    "earlier": ("#6b6250", 0.14), "never": ("#d9cfb4", 0.12), "cells": ("#efe6cf", 0.4)})
"""What lies over land that is out of sight, or unknown, between the lines of its hatch, and over such cells: the
colour, and how much of it there is."""
NOBODY = "#efe6d2"
"""The colour of a place's sign that nobody holds."""
NO_COLOUR = "#777777"
"""In place of what is no colour."""

HALVES: Mapping[str, tuple[float, float]] = MappingProxyType({
    "": (0, 0), "dot": (6, 6), "village": (11, 8), "town": (11, 9), "city": (14, 13), "fortress": (13, 11),
    "castle": (13, 14), "camp": (11, 9), "ruin": (11, 9), "portal": (10, 12), "port": (10, 11), "temple": (12, 10),
    "mine": (10, 10)})
"""Glyph -> half its width and half its height, drawn at size 2."""
SCALES = (0.8, 1.0, 1.2)
"""How large a glyph is drawn, by the place's size."""
LETTERS = (15.0, 17.0, 21.0)
"""How large its name is written."""

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
"""Word of a terrain -> the colour of its cells, and the drawing that is strewn over them."""
STRANGE = ("#e9dcb0", "#d9d4a8", "#e0cfae", "#cfd6b4", "#d6c8b8", "#c9d4c9")
"""Colours of terrains that have another word, in the order in which the scene lists them."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def colour_of(given: str) -> str:
    """A colour that came from a scenario or a club, if it is one."""
    return given.lower() if _COLOUR.fullmatch(given) else NO_COLOUR


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two: `share` of the one, the rest of the other."""
    parts = ((int(one[i:i + 2], 16), int(other[i:i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


def tint(colour: str, ground: str = LAND, share: float = TINT) -> str:
    """The opaque colour of land that somebody holds: the owner's colour, laid thinly over the ground."""
    return mixed(colour, ground, share)


def terrain(code: str, known: tuple[str, ...]) -> tuple[str, str]:
    """The colour and the drawing of a terrain. `known`: all terrains of the scene."""
    if code in TERRAIN:
        return TERRAIN[code]
    return STRANGE[known.index(code) % len(STRANGE)] if code in known else STRANGE[0], ""
