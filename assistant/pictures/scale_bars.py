"""What a ruleset says of lengths, ways as they are drawn in; how long a unit is on the picture, and its name, out.

Where a book knows no lengths the scale is what it does know: from a place to the next, as most ways are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from statistics import median
from typing import NamedTuple

from assistant.campaign.records import Road
from assistant.pictures.positions import HEX, SQUARE, Point
from assistant.pictures.scene import Measure
from assistant.turn.looks import Form, Looks
from assistant.turn.texts import N_

CELLS: Mapping[Form, tuple[float, str]] = {
    "hexes": (HEX * 3 ** 0.5, N_("hex")), "squares": (SQUARE, N_("square"))}
"""How wide a cell is, in drawing units, and what it is called."""
DAY = N_("day's march")
OVERSEA = frozenset(("lane", "coast", "river"))
"""Ways of which nobody marches the length."""


class Scale(NamedTuple):
    """`units`: drawing units that a unit has, 0 for none; `name`: of it; `measure` as in the scene."""

    units: float = 0
    name: str = ""
    measure: Measure = "length"


def scale_of(looks: Looks, form: Form, ways: Iterable[tuple[Road, str]], spots: Mapping[str, Point],
             days: Callable[[Road], float], text: Callable[[str], str]) -> Scale:
    """The scale of a map. `ways`: rows of Roads with their styles; `days`: how long one of them is; `text`: a text of
    the catalogue in the reader's language.
    """
    if form in CELLS:
        (wide, unit), (units, name) = looks.cell, CELLS[form]
        return Scale(round(units / wide, 3), unit) if wide else Scale(round(units, 3), text(name), "one")
    lengths = [math.dist(spots[road.a], spots[road.b]) / days(road) for road, style in ways if style not in OVERSEA]
    usual = round(median(lengths), 3) if lengths else 0
    return Scale(usual, text(DAY if looks.days else looks.pace), "usual") if usual else Scale()
