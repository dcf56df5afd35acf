"""Forces and marks of a scene in; where their shields and badges stand beside their places, out.

They come after the names and keep clear of them; one that finds room only farther off has a line to its place.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.colours import ink_on
from assistant.pictures.drawing.box import Box, Dots, Grid, around
from assistant.pictures.drawing.frame import Spot
from assistant.pictures.drawing.theme import NO_COLOUR
from assistant.pictures.drawing.typeface import clean, shortened, width
from assistant.pictures.scene import FORCES, MARKS, Force, Mark

WIDE, HIGH = 28.0, 33.0
"""What one shield takes, in pixels."""
STANCE = 10.5
"""The size of the letters of a stance, below its shield."""
ROW, MOST = 4, 8
"""Shields in a row, and at one place; of more the rest is counted on the last."""
BADGE, INITIAL = 20.0, 8.0
"""A badge, and its owner's sign below it."""
TAKEN = 9.0
"""What it costs to cover a shield or a badge; a name, a sign or the legend cost more."""
AWAY = (1.0, 6.0, 12.0, 19.0, 27.0, 36.0, 46.0, 58.0, 72.0, 88.0, 106.0, 128.0,
        150.0, 175.0, 205.0, 240.0)
"""Distances that are tried, in pixels."""
TURNS = tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in (
    270, 315, 225, 0, 180, 45, 135, 90, 292, 248, 338, 202, 22, 158, 68, 112))
"""Directions that are tried, the best liked first: of degrees clockwise from the east."""
FAR = 0.1
"""What a pixel of distance costs."""
NEAR = 50.0
"""A stance is left out where its shield then stands so many pixels nearer."""
LINE = 18.0
"""A shield that stands farther from its place's sign has a line to it."""


@dataclass(frozen=True)
class Shield:
    """One force: its middle, colours and texts. `more`: how many others stand there that are not drawn."""

    kind: str
    x: float
    y: float
    colour: str
    ink: str
    text: str
    letters: float
    sign: str
    stance: str
    own: bool
    more: int = 0


@dataclass(frozen=True)
class Badge:
    """A mark: its kind, its middle, of whom it tells, and what is said of it."""

    kind: str
    x: float
    y: float
    colour: str
    ink: str
    sign: str
    note: str


@dataclass(frozen=True)
class Standing:
    """All shields and badges, and the lines from those that stand far off to their places."""

    shields: tuple[Shield, ...]
    badges: tuple[Badge, ...]
    lines: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True)
class Room:
    """Where shields may stand: inside `frame`, clear of what is `taken` and of `lines`; `reach`: of a cell, in pixels,
    0 for a graph; `scale`: how large shields and badges are drawn.
    """

    frame: Box
    taken: Grid
    lines: Dots
    reach: float
    scale: float


Paint = Mapping[str, tuple[str, str]]
"""Owner -> its colour and its sign."""


def standing(forces: Iterable[Force], marks: Iterable[Mark], spots: Sequence[Spot], paint: Paint,
             room: Room) -> Standing:
    """Room for all forces and marks whose place is on the picture; what they take is taken."""
    groups: dict[str, list[Force]] = defaultdict(list)
    for force in forces:
        groups[force.place].append(force)
    told: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        if mark.kind in MARKS:
            told[mark.place].append(mark)
    shields: list[Shield] = []
    badges: list[Badge] = []
    lines: list[tuple[float, float, float, float]] = []
    for spot in spots:
        group = groups.get(spot.place.code, [])
        if group:
            stood, box = _stood(spot, group, room)
            shields += _row(stood, box, _size(stood, room.scale)[2], paint, room.scale)
            lines += _line(spot, box)
        for mark in told.get(spot.place.code, []):
            colour, sign = paint.get(mark.owner, (NO_COLOUR, ""))
            half = BADGE / 2 * room.scale
            box = _room(spot, 2 * half, 2 * half + (INITIAL * room.scale if sign else 0), room)
            room.taken.put(box, TAKEN)
            badges.append(Badge(mark.kind, box.middle[0], box.top + half, colour, ink_on(colour), sign,
                                clean(mark.note)))
            lines += _line(spot, box)
    return Standing(tuple(shields), tuple(badges), tuple(lines))


def _stood(spot: Spot, group: Sequence[Force], room: Room) -> tuple[Sequence[Force], Box]:
    """A group and its room, which is taken; without its stances where these would cover what stands there, or keep
    besiegers far from their place, whose ring tells the same.
    """
    box = _room(spot, *_size(group, room.scale)[:2], room)
    if any(force.stance for force in group):
        plain = [replace(force, stance="") for force in group]
        far = _off(spot, box)
        near = _room(spot, *_size(plain, room.scale)[:2], room) if far > NEAR or room.taken.cost(box) >= TAKEN else box
        if room.taken.cost(box) >= TAKEN or (spot.place.besieged and _off(spot, near) + NEAR < far):
            group, box = plain, near
    room.taken.put(box, TAKEN)
    return group, box


def _off(spot: Spot, box: Box) -> float:
    """How far the middle of a box is from its place."""
    return math.dist((spot.x, spot.y), box.middle)


def _wide(force: Force, scale: float) -> float:
    """How wide a shield is with its stance."""
    return max(WIDE * scale, width(_stance(force), STANCE, "italic") + 6 if force.stance else 0.0)


def _rows_height(group: Sequence[Force], scale: float) -> float:
    """How high each row is, with its stances."""
    return HIGH * scale + (STANCE + 1 if any(force.stance for force in group) else 0)


def _stance(force: Force) -> str:
    return shortened(clean(force.stance), 90, STANCE, "italic")


def _size(group: Sequence[Force], scale: float) -> tuple[float, float, int]:
    """What a group takes: its width and height, and its shields in a row."""
    shown = min(len(group), MOST)
    rows = math.ceil(shown / ROW)
    row = math.ceil(shown / rows)
    high = _rows_height(group, scale)
    wides = [_wide(force, scale) for force in group[:shown]]
    return max(sum(wides[n:n + row]) for n in range(0, shown, row)), rows * high, row


def _row(group: Sequence[Force], box: Box, row: int, paint: Paint, scale: float) -> Iterator[Shield]:
    shown = group[:MOST]
    high = _rows_height(group, scale)
    wides = [_wide(force, scale) for force in shown]
    for n, force in enumerate(shown):
        down, across = divmod(n, row)
        here = wides[down * row:(down + 1) * row]
        x = (box.left + box.right - sum(here)) / 2 + sum(here[:across]) + here[across] / 2
        colour, sign = paint.get(force.owner, (NO_COLOUR, ""))
        text = clean(force.strength) or "?"
        letters = next((size for size in (13.0, 11.0, 9.0) if width(text, size, "bold") <= 21), 8.0)
        more = len(group) - MOST if n == MOST - 1 and len(group) > MOST else 0
        yield Shield(force.kind if force.kind in FORCES else "army", x, box.top + down * high + HIGH * scale / 2,
                     colour, ink_on(colour), shortened(text, 23, letters, "bold"), letters, sign, _stance(force),
                     force.own, more)


def _room(spot: Spot, wide: float, high: float, room: Room) -> Box:
    """The best room near a place."""
    best: tuple[float, Box] | None = None
    for liked, (x, y, away) in enumerate(_tries(spot, wide, high)):
        cost = away * FAR + liked % len(TURNS) * 0.05
        if room.reach and max(abs(x - spot.x), abs(y - spot.y)) > room.reach * 0.36:
            cost += 2.5
        if best is not None and away * FAR >= best[0]:
            break
        if best is not None and cost >= best[0]:
            continue
        box = around(x, y, wide / 2, high / 2)
        if not room.frame.holds(box):
            continue
        cost += room.taken.cost(box)
        if best is None or (cost < best[0] and cost + room.lines.cost(box) < best[0]):
            best = cost + room.lines.cost(box), box
    return best[1] if best else _within(around(spot.x, spot.y, wide / 2, high / 2), room.frame)


def _tries(spot: Spot, wide: float, high: float) -> Iterator[tuple[float, float, float]]:
    """Middles of boxes about a place, and how far each is from the sign."""
    if not spot.half_width:
        yield spot.x, spot.y, 0.0
    for away in AWAY:
        across, down = spot.half_width + wide / 2 + away, spot.half_height + high / 2 + away
        for dx, dy in TURNS:
            yield spot.x + dx * across, spot.y + dy * down, away


def _within(box: Box, frame: Box) -> Box:
    """A box pushed into the frame."""
    dx = max(frame.left - box.left, 0) or min(frame.right - box.right, 0)
    dy = max(frame.top - box.top, 0) or min(frame.bottom - box.bottom, 0)
    return Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)


def _line(spot: Spot, box: Box) -> Iterator[tuple[float, float, float, float]]:
    """A line from a box that is far off to its place."""
    x, y = min(max(spot.x, box.left), box.right), min(max(spot.y, box.top), box.bottom)
    if math.hypot(x - spot.x, y - spot.y) > max(spot.half_width, spot.half_height) + LINE:
        middle = box.middle
        yield middle[0], middle[1], spot.x, spot.y
