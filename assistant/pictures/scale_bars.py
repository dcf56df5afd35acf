"""What a ruleset says of lengths, ways as they are drawn in; how long a unit is on the picture, and its name, out.

Where a book declares no lengths a map has no scale: how long a line is drawn means nothing.
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

CELLS: Mapping[Form, float] = {"hexes": HEX * 3 ** 0.5, "squares": SQUARE}
"""How wide a cell is, in drawing units."""
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
        wide, unit = looks.cell
        return Scale(round(CELLS[form] / wide, 3), unit) if wide else Scale()
    lengths = [math.dist(spots[road.a], spots[road.b]) / days(road)
               for road, style in (ways if looks.days else ()) if style not in OVERSEA]
    return Scale(round(median(lengths), 3), text(DAY), "usual") if lengths else Scale()
