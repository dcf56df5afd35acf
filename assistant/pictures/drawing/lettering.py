"""Spots with their names in; where each name stands, what becomes its code, and what finds no room at all, out.

Great places choose first, among twelve positions at two distances. Names keep clear of signs, of each other and of
the frame; what moves from turn to turn (armies, marks) comes after them and finds its own room, so that names stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.pictures.drawing.box import Box, Dots, Grid, around
from assistant.pictures.drawing.frame import Spot
from assistant.pictures.drawing.typeface import Cut, clean, halves, width, writable

SIDES = ("E", "S", "W", "NE", "SE", "N", "NW", "SW", "SSE", "SSW", "NNE", "NNW")
"""The positions in the order in which they are liked."""
GAPS = (2.5, 9.0, 19.0)
"""From a sign to its name, in pixels, at the first and the second distance, and at one for great places alone."""
SMALLEST = 10.0
"""Of the letters of a name that finds room in no other way."""
SMALL = 11.5
"""Of the letters of a code in place of a name."""
WIDE = 120.0
"""A name that is wider may stand in two lines."""
RISE, FALL = 0.70, 0.24
"""How far letters reach above and below their line, in sizes of the font."""
LEADING = 0.98
NOTE = 0.66
"""How large the note below a name is, in sizes of the font."""


@dataclass(frozen=True)
class Label:
    """A name as it is placed: the code of its place, its lines with the left end and the base of each, and its box.
    `note`: when the place was last seen, below the name.
    """

    code: str
    lines: tuple[tuple[str, float, float], ...]
    size: float
    cut: Cut
    box: Box
    bold: bool = False
    side: str = ""
    gap: int = 1
    note: str = ""


@dataclass(frozen=True)
class Lettered:
    """All names. `coded`: places whose code stands in place of the name; `silent`: those that have not even that."""

    labels: tuple[Label, ...]
    coded: tuple[str, ...]
    silent: tuple[str, ...]


def lettered(spots: Sequence[Spot], window: Box, taken: Iterable[Box], lines: Dots,
             before: Mapping[str, tuple[str, int]]) -> Lettered:
    """Names for the spots that have one. `taken`: where none may stand (the legend); `lines`: where they would cross
    ways; `before`: where they stood the last time.

    Where nobody knows that, they begin with where they would stand if nothing was besieged and there was no legend:
    so a turn's sieges move only the names that they touch, and these come back.
    """
    if not before:
        calm = [replace(spot, place=replace(spot.place, besieged=False)) for spot in spots]
        first = _written(calm, window, [], lines, {})
        before = {label.code: (label.side, label.gap) for label in first.labels if label.code not in first.coded}
    return _written(spots, window, taken, lines, before)


def _written(spots: Sequence[Spot], window: Box, taken: Iterable[Box], lines: Dots,
             before: Mapping[str, tuple[str, int]]) -> Lettered:
    """`lettered` from a given beginning: whose name can stay has its place first."""
    hard = Grid()
    for spot in spots:
        if spot.half_width:
            hard.put(spot.box.grown(0.5))
    for box in taken:
        hard.put(box.grown(4))
    grids = window.grown(-7), hard, _reserved(spots), lines
    order = sorted(named(spots), key=lambda spot: (-spot.letters, not spot.place.capital))
    found: dict[str, Label] = {}
    coded: list[str] = []
    silent: list[str] = []
    for spot in order if before else ():
        if writable(spot.name):
            _keep(found, hard, _kept(spot, before, grids))
    for spot in (one for one in order if one.place.code not in found):
        label = _anywhere(spot, before, grids) if writable(spot.name) else None
        if label is None:
            label = _best([((clean(spot.place.code),), SMALL, "bold", "")], spot, {}, grids)
            (coded if label else silent).append(spot.place.code)
        _keep(found, hard, label)
    rank = {spot.place.code: n for n, spot in enumerate(spots)}
    return Lettered(tuple(found[spot.place.code] for spot in order if spot.place.code in found),
                    tuple(sorted(coded, key=rank.__getitem__)), tuple(sorted(silent, key=rank.__getitem__)))


def _keep(found: dict[str, Label], hard: Grid, label: Label | None) -> None:
    """Take a name up, where there is one: no other may stand there."""
    if label is not None:
        found[label.code] = label
        hard.put(label.box.grown(1.5))


def _anywhere(spot: Spot, before: Mapping[str, tuple[str, int]], grids: Grids) -> Label | None:
    """A name wherever there is room for it; those of great places may stand farther off."""
    label = _best(_names(spot), spot, before, grids)
    if label is None and (spot.size == 2 or spot.place.capital):
        label = _best(_names(spot), spot, before, grids, (3,))
    return label


def named(spots: Iterable[Spot]) -> list[Spot]:
    """The spots whose name is written: all that have a sign, and cells that have a name of their own."""
    return [spot for spot in spots if spot.half_width or (spot.place.name and spot.place.name != spot.place.code)]


Form = tuple[tuple[str, ...], float, Cut, str]
"""The lines of a name, the size and the cut of its letters, and a note below."""


def _names(spot: Spot) -> list[Form]:
    """How a name may be written: in one line or in two, with its note or without, and a little smaller."""
    cut: Cut = "italic" if spot.place.sea or not spot.half_width else "serif"
    note = spot.note
    forms: list[Form] = [((spot.name,), spot.letters, cut, note)]
    if width(spot.name, spot.letters, cut) > WIDE and len(halves(spot.name)) > 1:
        forms.append((halves(spot.name), spot.letters, cut, note))
    if note:
        forms += [(lines, size, cut, "") for lines, size, cut, _ in forms]
    return forms + [(lines, max(size * 0.85, SMALLEST), cut, "") for lines, size, cut, note in forms if not note]


def _reserved(spots: Sequence[Spot]) -> Grid:
    """Where shields would like to stand: names of other places rather keep clear of it."""
    soft = Grid()
    for spot in spots:
        if spot.half_width:
            soft.put(around(spot.x, spot.y - spot.half_height - 16, 11, 14), 1.2)
            soft.put(spot.box.grown(9), 0.6)
    return soft


Grids = tuple[Box, Grid, Grid, Dots]
"""The frame, where no name may stand, where it should not, and the ways."""


def _kept(spot: Spot, before: Mapping[str, tuple[str, int]], grids: Grids, forms: Sequence[Form] = ()) -> Label | None:
    """A name where the referee wants it, else where it stood; None where that is not free."""
    frame, hard = grids[:2]
    wishes = [(spot.place.side, gap) for gap in (1, 2) if spot.place.side]
    wishes += [before[spot.place.code]] if spot.place.code in before else []
    for form in (forms or _names(spot)) if wishes else ():
        size = _size(form, spot)
        for side, gap in wishes:
            if side in SIDES and gap in (1, 2, 3):
                box = _box(size, spot, side, gap)
                if frame.holds(box) and hard.free(box):
                    return _label(form, spot, side, gap, box)
    return None


def _best(forms: Sequence[Form], spot: Spot, before: Mapping[str, tuple[str, int]], grids: Grids,
          gaps: tuple[int, ...] = (1, 2)) -> Label | None:
    """The best of the positions that are free. The referee's wish goes before the last time, that before all else."""
    frame, hard, soft, lines = grids
    for form in forms:
        wished = _kept(spot, before, grids, [form])
        if wished is not None:
            return wished
        size = _size(form, spot)
        best: tuple[float, str, int, Box] | None = None
        for gap in gaps:
            for liked, side in enumerate(SIDES):
                cost = liked * 0.22 + (gap - 1) * 1.6
                if not spot.half_width and (side, gap) == ("S", 1):
                    cost = -1.0
                if best is not None and cost >= best[0]:
                    continue
                box = _box(size, spot, side, gap)
                if frame.holds(box) and hard.free(box):
                    cost += soft.cost(box)
                    if best is None or cost < best[0]:
                        cost += lines.cost(box)
                    if best is None or cost < best[0]:
                        best = cost, side, gap, box
        if best:
            return _label(form, spot, *best[1:])
    return None


def _size(form: Form, spot: Spot) -> tuple[float, float]:
    """How wide and how high a name is."""
    texts, size, cut, note = form
    wide = max(width(text, size, cut) for text in texts) + (0.6 if spot.size == 2 else 0)
    high = size * (RISE + FALL + LEADING * (len(texts) - 1))
    return (max(wide, width(note, size * NOTE, "italic")), high + size * NOTE) if note else (wide, high)


def _box(name: tuple[float, float], spot: Spot, side: str, gap: int) -> Box:
    """Where a name lies at one side of its sign."""
    wide, high = name
    x, y, away, sign = spot.x, spot.y, GAPS[gap - 1], spot.kept
    left, top = x - wide / 2, y - high / 2
    if not spot.half_width and gap == 1 and side == "S":
        return Box(left, top, left + wide, top + high)
    if side[0] == "N":
        top = sign.top - away - high
    elif side[0] == "S":
        top = sign.bottom + away
    if len(side) == 2:
        inwards = max(spot.half_width, 1) * 0.25 - away
        left = sign.right - inwards if side[1] == "E" else sign.left + inwards - wide
        top += (max(spot.half_height, 1) * 0.7 + away * 0.4) * (1 if side[0] == "N" else -1)
    elif len(side) == 3:
        left = x - wide * (0.2 if side[2] == "E" else 0.8)
    elif side in "EW":
        left = sign.right + away if side == "E" else sign.left - away - wide
    return Box(left, top, left + wide, top + high)


def _label(form: Form, spot: Spot, side: str, gap: int, box: Box) -> Label:
    """A name at one side of its sign: lines of different width end at the side of the sign."""
    texts, size, cut, note = form
    end = side[-1] if len(side) < 3 else ""
    lines = []
    for n, text in enumerate(texts):
        room = box.width - width(text, size, cut)
        start = box.left + (0 if end == "E" else room if end == "W" else room / 2)
        lines.append((text, start, box.top + size * (RISE + LEADING * n)))
    return Label(spot.place.code, tuple(lines), size, cut, box, spot.size == 2 and cut == "serif", side, gap, note)
