"""Names, shields and owners' signs on a map."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.pictures.colours import NO_COLOUR, ink_on
from assistant.pictures.layout import (
    Box,
    BoxGrid,
    FontStyle,
    LineGrid,
    Point,
    Spot,
    box_around,
    clean_text,
    has_all_letters,
    shorten,
    split_in_two,
    text_width,
)
from assistant.pictures.scene import FORCES, MARKS, Force, MapMark

# Names of places.
#
# Important places choose first, among twelve positions at two distances. Names keep clear of signs, of each other and
# of the frame. Armies and marks are placed after the names, so that names do not move from turn to turn.


SIDES = ("E", "S", "W", "NE", "SE", "N", "NW", "SW", "SSE", "SSW", "NNE", "NNW")
"""The positions, the preferred ones first."""
GAPS = (2.5, 9.0, 19.0)
"""From a sign to its name in pixels: the first distance, the second, and one for important places only."""
LEAST_LETTERS = 10.0
"""The smallest letters of a name, used when it finds no room otherwise."""
SMALL = 11.5
"""The size of a code in place of a name."""
WIDE_NAME = 120.0
"""A wider name may be split into two lines."""
RISE, FALL = 0.70, 0.24
"""How far letters reach above and below their line, in sizes of the font."""
LEADING = 0.98
NOTE = 0.66
"""How large the note below a name is, in sizes of the font."""


@dataclass(frozen=True)
class NameLabel:
    """A placed name: the code of its place, its lines with left end and baseline, and its box.
    `note`: when the place was last seen, written below the name.
    """

    code: str
    lines: tuple[tuple[str, float, float], ...]
    size: float
    cut: FontStyle
    box: Box
    bold: bool = False
    side: str = ""
    gap: int = 1
    note: str = ""


@dataclass(frozen=True)
class PlacedNames:
    """All placed names. `coded`: places that show their code instead; `silent`: places without room even for that."""

    labels: tuple[NameLabel, ...]
    coded: tuple[str, ...]
    silent: tuple[str, ...]


def label_places(spots: Sequence[Spot], window: Box, taken: Iterable[Box], lines: LineGrid,
             before: Mapping[str, tuple[str, int]]) -> PlacedNames:
    """Place the names of spots. `taken`: boxes to avoid (the legend); `lines`: ways, better not crossed; `before`:
    the positions of the last map.

    Without `before` the names are first placed as if there were no sieges and no legend: so a turn's sieges move only
    the names that they touch, and those return later.
    """
    if not before:
        # as if nothing were besieged: the ring of a siege must not move names from one turn to the next
        calm = [replace(spot, place=replace(spot.place, besieged=False)) for spot in spots]
        first = _label_from(calm, window, [], lines, {})
        before = {label.code: (label.side, label.gap) for label in first.labels if label.code not in first.coded}
    return _label_from(spots, window, taken, lines, before)


def _label_from(spots: Sequence[Spot], window: Box, taken: Iterable[Box], lines: LineGrid,
             before: Mapping[str, tuple[str, int]]) -> PlacedNames:
    """One pass of `label_places`: names that can stay where they were come first."""
    hard = BoxGrid()
    for spot in spots:
        if spot.half_width:
            hard.put(spot.box.grow(0.5))
    for box in taken:
        hard.put(box.grow(4))
    grids = window.grow(-7), hard, _shield_space(spots), lines
    order = sorted(spots_with_names(spots), key=lambda spot: (-spot.letters, not spot.place.capital))
    labels: dict[str, NameLabel] = {}
    coded: list[str] = []
    silent: list[str] = []
    for spot in order if before else ():
        if has_all_letters(spot.name):
            _add_label(labels, hard, _unmoved_label(spot, before, grids))
    for spot in (spot for spot in order if spot.place.code not in labels):
        label = _free_label(spot, before, grids) if has_all_letters(spot.name) else None
        if label is None:
            label = _best_label([((clean_text(spot.place.code),), SMALL, "bold", "")], spot, {}, grids)
            (coded if label else silent).append(spot.place.code)
        _add_label(labels, hard, label)
    rank = {spot.place.code: n for n, spot in enumerate(spots)}
    return PlacedNames(tuple(labels[spot.place.code] for spot in order if spot.place.code in labels),
                    tuple(sorted(coded, key=rank.__getitem__)), tuple(sorted(silent, key=rank.__getitem__)))


def _add_label(labels: dict[str, NameLabel], hard: BoxGrid, label: NameLabel | None) -> None:
    """Add a label, if there is one, and reserve its box."""
    if label is not None:
        labels[label.code] = label
        hard.put(label.box.grow(1.5))


def _free_label(spot: Spot, before: Mapping[str, tuple[str, int]], grids: Grids) -> NameLabel | None:
    """A name wherever there is room; names of important places may be farther off."""
    label = _best_label(_name_forms(spot), spot, before, grids)
    if label is None and (spot.size == 2 or spot.place.capital):
        label = _best_label(_name_forms(spot), spot, before, grids, (3,))
    return label


def spots_with_names(spots: Iterable[Spot]) -> list[Spot]:
    """The spots whose name is written: those with a sign, and cells with a name of their own."""
    return [spot for spot in spots if spot.half_width or (spot.place.name and spot.place.name != spot.place.code)]


NameForm = tuple[tuple[str, ...], float, FontStyle, str]
"""The lines of a name, the size and the cut of its letters, and a note below."""


def _name_forms(spot: Spot) -> list[NameForm]:
    """The ways to write a name: in one line or two, with or without its note, and a little smaller."""
    cut: FontStyle = "italic" if spot.place.sea or not spot.half_width else "serif"
    note = spot.note
    forms: list[NameForm] = [((spot.name,), spot.letters, cut, note)]
    if text_width(spot.name, spot.letters, cut) > WIDE_NAME and len(split_in_two(spot.name)) > 1:
        forms.append((split_in_two(spot.name), spot.letters, cut, note))
    if note:
        forms += [(lines, size, cut, "") for lines, size, cut, _ in forms]
    return forms + [(lines, max(size * 0.85, LEAST_LETTERS), cut, "") for lines, size, cut, note in forms if not note]


def _shield_space(spots: Sequence[Spot]) -> BoxGrid:
    """Preferred room of shields, which names of other places avoid if they can."""
    soft = BoxGrid()
    for spot in spots:
        if spot.half_width:
            soft.put(box_around(spot.x, spot.y - spot.half_height - 16, 11, 14), 1.2)
            soft.put(spot.box.grow(9), 0.6)
    return soft


Grids = tuple[Box, BoxGrid, BoxGrid, LineGrid]
"""The frame, forbidden boxes, boxes better avoided, and the ways."""


def _unmoved_label(
    spot: Spot, before: Mapping[str, tuple[str, int]], grids: Grids, forms: Sequence[NameForm] = ()
) -> NameLabel | None:
    """A name where the referee wants it, else where it was on the last map; None if that is not free."""
    frame, hard = grids[:2]
    wishes = [(spot.place.side, gap) for gap in (1, 2) if spot.place.side]
    wishes += [before[spot.place.code]] if spot.place.code in before else []
    for form in (forms or _name_forms(spot)) if wishes else ():
        size = _size(form, spot)
        for side, gap in wishes:
            if side in SIDES and gap in (1, 2, 3):
                box = _box(size, spot, side, gap)
                if frame.holds(box) and hard.free(box):
                    return _label(form, spot, side, gap, box)
    return None


def _best_label(forms: Sequence[NameForm], spot: Spot, before: Mapping[str, tuple[str, int]], grids: Grids,
          gaps: tuple[int, ...] = (1, 2)) -> NameLabel | None:
    """The best free position: the one the referee wants, else that of the last map, else any."""
    frame, hard, soft, lines = grids
    for form in forms:
        wished = _unmoved_label(spot, before, grids, [form])
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


def _size(form: NameForm, spot: Spot) -> tuple[float, float]:
    """Width and height of a name."""
    texts, size, cut, note = form
    wide = max(text_width(text, size, cut) for text in texts) + (0.6 if spot.size == 2 else 0)
    high = size * (RISE + FALL + LEADING * (len(texts) - 1))
    return (max(wide, text_width(note, size * NOTE, "italic")), high + size * NOTE) if note else (wide, high)


def _box(name: tuple[float, float], spot: Spot, side: str, gap: int) -> Box:
    """The box of a name at one side of its sign."""
    wide, high = name
    x, y, away, sign = spot.x, spot.y, GAPS[gap - 1], spot.kept_box
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


def _label(form: NameForm, spot: Spot, side: str, gap: int, box: Box) -> NameLabel:
    """A name at one side of its sign, its lines aligned towards the sign."""
    texts, size, cut, note = form
    end = side[-1] if len(side) < 3 else ""
    lines = []
    for n, text in enumerate(texts):
        room = box.width - text_width(text, size, cut)
        start = box.left + (0 if end == "E" else room if end == "W" else room / 2)
        lines.append((text, start, box.top + size * (RISE + LEADING * n)))
    return NameLabel(spot.place.code, tuple(lines), size, cut, box, spot.size == 2 and cut == "serif", side, gap, note)


# Owners' signs on their land, so that no owner is known by colour alone.
#
# On a piece of land without room for a large sign, a place bears a small one.


SIZES = (34.0, 26.0, 19.0, 14.0, 11.0)
"""Of a sign's letters, in pixels; the largest for which there is room."""
TRIES = 8
"""Points tried in each direction."""
SMALLEST_LAND = 250.0
"""A smaller piece of land, in square pixels, has no sign on it."""
RIM = 4.0
"""Distance of a sign from the border of its land, in pixels."""
TAG = 6.5
"""Half of a small sign beside a place's own."""


@dataclass(frozen=True)
class OwnerSign:
    """An owner's sign, its middle and the size of its letters."""

    owner: str
    text: str
    x: float
    y: float
    size: float


Piece = tuple[str, Sequence[Point]]
"""An owner and the outline of a piece of its land."""


def ground_signs(pieces: Iterable[Piece], texts: Mapping[str, str], taken: BoxGrid, lines: LineGrid,
                 window: Box) -> list[OwnerSign]:
    """One sign on each piece of land with room for it; it is added to `taken`. `lines`: better not covered."""
    frame, signs = window.grow(-10), []
    for owner, outline in pieces:
        text = texts.get(owner, "")
        sign = _sign(owner, text, outline, (taken, lines, frame)) if text else None
        if sign:
            signs.append(sign)
            taken.put(box_around(sign.x, sign.y, *_half(sign.text, sign.size)))
    return signs


def small_signs(spots: Iterable[Spot], pieces: Sequence[Piece], signs: Sequence[OwnerSign], texts: Mapping[str, str],
         taken: BoxGrid) -> list[OwnerSign]:
    """Small signs at the most important place of each piece of land without a sign, and at places without land."""
    bare = [(owner, outline) for owner, outline in pieces
            if not any(sign.owner == owner and point_inside(sign.x, sign.y, outline) for sign in signs)]
    lands: dict[str, list[Sequence[Point]]] = defaultdict(list)
    for owner, outline in pieces:
        lands[owner].append(outline)
    marked: set[int] = set()
    placed = []
    for spot in sorted(spots, key=lambda spot: -spot.place.size):
        text = texts.get(spot.place.owner, "")
        land = next((n for n, (owner, outline) in enumerate(bare) if owner == spot.place.owner
                     and point_inside(spot.x, spot.y, outline)), None)
        landless = land is None and not any(
            point_inside(spot.x, spot.y, outline) for outline in lands[spot.place.owner]
        )
        if not text or not spot.half_width or land in marked or (land is None and not landless):
            continue
        if land is not None:
            marked.add(land)
        away = spot.half_width + TAG - 2, spot.half_height
        corners = [(spot.x + dx * away[0], spot.y + dy * away[1]) for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1))]
        x, y = min(corners, key=lambda corner: taken.cost(box_around(corner[0], corner[1], TAG - 1, TAG - 1)))
        placed.append(OwnerSign(spot.place.owner, text, x, y, TAG))
        taken.put(box_around(x, y, TAG, TAG))
    return placed


def _half(text: str, size: float) -> tuple[float, float]:
    return text_width(text, size, "bold") / 2 + 2, size * 0.4


def _sign(owner: str, text: str, outline: Sequence[Point], room: tuple[BoxGrid, LineGrid, Box]) -> OwnerSign | None:
    """A sign near the middle of a piece of land, as large as there is room for."""
    taken, lines, frame = room
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    left, right = max(min(xs), frame.left), min(max(xs), frame.right)
    top, bottom = max(min(ys), frame.top), min(max(ys), frame.bottom)
    if left >= right or top >= bottom or (right - left) * (bottom - top) < SMALLEST_LAND:
        return None
    middle, bounds = ((left + right) / 2, (top + bottom) / 2), Box(left, top, right, bottom)
    columns = [left + (right - left) * (n + 0.5) / TRIES for n in range(TRIES)]
    points = []
    for m in range(TRIES):
        y = top + (bottom - top) * (m + 0.5) / TRIES
        ends = _crossings(y, outline)
        # a point is inside if an odd number of borders lies to the right of it
        points += [(x, y) for x in columns if sum([x < end for end in ends]) % 2]
    points.sort(key=lambda point: (point[0] - middle[0]) ** 2 + (point[1] - middle[1]) ** 2)
    for size in SIZES:
        best: tuple[float, Point] | None = None
        half = _half(text, size)
        for n, (x, y) in enumerate(points):
            if best is not None and n * 0.1 >= best[0]:
                break
            box = Box(x - half[0], y - half[1], x + half[0], y + half[1])
            if bounds.holds(box) and taken.free(box):
                cost = lines.cost(box) * 3 + n * 0.1
                if (best is None or cost < best[0]) and _box_inside(box.grow(RIM), outline):
                    best = cost, (x, y)
        if best:
            return OwnerSign(owner, text, *best[1], size)
    return None


def _box_inside(box: Box, outline: Sequence[Point]) -> bool:
    """Whether the corners of a box, and the middles of its sides, lie inside an outline."""
    x, y = box.middle
    return all(sum([across < end for end in ends]) % 2 for down in (box.top, y, box.bottom)
               for ends in (_crossings(down, outline),) for across in (box.left, x, box.right))


def point_inside(x: float, y: float, outline: Sequence[Point]) -> bool:
    """Whether a point lies inside an outline."""
    return sum([x < end for end in _crossings(y, outline)]) % 2 == 1


def _crossings(y: float, outline: Sequence[Point]) -> list[float]:
    """Where a level line crosses an outline."""
    crossings = []
    x1, y1 = outline[-1]
    for x2, y2 in outline:
        if (y1 > y) != (y2 > y):
            crossings.append((x2 - x1) * (y - y1) / (y2 - y1) + x1)
        x1, y1 = x2, y2
    return crossings


# Shields of forces and badges of marks.
#
# They come after the names and avoid them; one that is far from its place gets a line to it.


SHIELD_WIDTH, SHIELD_HEIGHT = 28.0, 33.0
"""Size of a shield, in pixels."""
STANCE = 10.5
"""The size of the letters of a stance, below its shield."""
ROW, MOST = 4, 8
"""Shields in a row, and at one place; the last one shows how many more there are."""
BADGE, INITIAL = 20.0, 8.0
"""A badge, and its owner's sign below it."""
COVER_COST = 9.0
"""The cost of covering a shield or a badge; names, signs and the legend cost more."""
DISTANCES = (1.0, 6.0, 12.0, 19.0, 27.0, 36.0, 46.0, 58.0, 72.0, 88.0, 106.0, 128.0,
        150.0, 175.0, 205.0, 240.0)
"""Distances that are tried, in pixels."""
DIRECTIONS = tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in (
    270, 315, 225, 0, 180, 45, 135, 90, 292, 248, 338, 202, 22, 158, 68, 112))
"""Unit vectors that are tried, the preferred ones first."""
DISTANCE_COST = 0.1
"""The cost of a pixel of distance."""
NEAR = 50.0
"""A stance is left out if its shield can then be so many pixels nearer."""
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
    """A mark: its kind, its middle, the sign and colours of its owner, and its note."""

    kind: str
    x: float
    y: float
    colour: str
    ink: str
    sign: str
    note: str


@dataclass(frozen=True)
class PlacedForces:
    """All shields and badges, and the lines from distant ones to their places."""

    shields: tuple[Shield, ...]
    badges: tuple[Badge, ...]
    lines: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True)
class FreeSpace:
    """Where shields may stand: inside `frame`, clear of what is `taken` and of `lines`; `reach`: of a cell, in pixels,
    0 for a graph; `scale`: how large shields and badges are drawn.
    """

    frame: Box
    taken: BoxGrid
    lines: LineGrid
    reach: float
    scale: float


Paint = Mapping[str, tuple[str, str]]
"""Owner -> its colour and its sign."""


def place_forces(forces: Iterable[Force], marks: Iterable[MapMark], spots: Sequence[Spot], paint: Paint,
             room: FreeSpace) -> PlacedForces:
    """Place all forces and marks whose place is on the picture; their boxes are added to `room.taken`."""
    groups: dict[str, list[Force]] = defaultdict(list)
    for force in forces:
        groups[force.place].append(force)
    told: dict[str, list[MapMark]] = defaultdict(list)
    for mark in marks:
        if mark.kind in MARKS:
            told[mark.place].append(mark)
    shields: list[Shield] = []
    badges: list[Badge] = []
    lines: list[tuple[float, float, float, float]] = []
    for spot in spots:
        group = groups.get(spot.place.code, [])
        if group:
            stood, box = _place_group(spot, group, room)
            shields += _row(stood, box, _size_of(stood, room.scale)[2], paint, room.scale)
            lines += _leader_line(spot, box)
        for mark in told.get(spot.place.code, []):
            colour, sign = paint.get(mark.owner, (NO_COLOUR, ""))
            half = BADGE / 2 * room.scale
            box = _free_box(spot, 2 * half, 2 * half + (INITIAL * room.scale if sign else 0), room)
            room.taken.put(box, COVER_COST)
            badges.append(Badge(mark.kind, box.middle[0], box.top + half, colour, ink_on(colour), sign,
                                clean_text(mark.note)))
            lines += _leader_line(spot, box)
    return PlacedForces(tuple(shields), tuple(badges), tuple(lines))


def _place_group(spot: Spot, group: Sequence[Force], room: FreeSpace) -> tuple[Sequence[Force], Box]:
    """A group of forces and its box, which is reserved. Stances are left out if they would cover something, or if they
    would keep besiegers far from their place, whose ring says the same.
    """
    box = _free_box(spot, *_size_of(group, room.scale)[:2], room)
    if any(force.stance for force in group):
        plain = [replace(force, stance="") for force in group]
        far = _distance_to_sign(spot, box)
        near = (_free_box(spot, *_size_of(plain, room.scale)[:2], room)
                if far > NEAR or room.taken.cost(box) >= COVER_COST else box)
        if room.taken.cost(box) >= COVER_COST or (spot.place.besieged and _distance_to_sign(spot, near) + NEAR < far):
            group, box = plain, near
    room.taken.put(box, COVER_COST)
    return group, box


def _distance_to_sign(spot: Spot, box: Box) -> float:
    return math.dist((spot.x, spot.y), box.middle)


def _shield_width(force: Force, scale: float) -> float:
    return max(SHIELD_WIDTH * scale, text_width(_stance(force), STANCE, "italic") + 6 if force.stance else 0.0)


def _rows_height(group: Sequence[Force], scale: float) -> float:
    return SHIELD_HEIGHT * scale + (STANCE + 1 if any(force.stance for force in group) else 0)


def _stance(force: Force) -> str:
    return shorten(clean_text(force.stance), 90, STANCE, "italic")


def _size_of(group: Sequence[Force], scale: float) -> tuple[float, float, int]:
    """Width and height of a group, and its number of shields in a row."""
    shown = min(len(group), MOST)
    rows = math.ceil(shown / ROW)
    row = math.ceil(shown / rows)
    high = _rows_height(group, scale)
    wides = [_shield_width(force, scale) for force in group[:shown]]
    return max(sum(wides[n:n + row]) for n in range(0, shown, row)), rows * high, row


def _row(group: Sequence[Force], box: Box, row: int, paint: Paint, scale: float) -> Iterator[Shield]:
    shown = group[:MOST]
    high = _rows_height(group, scale)
    wides = [_shield_width(force, scale) for force in shown]
    for n, force in enumerate(shown):
        down, across = divmod(n, row)
        here = wides[down * row:(down + 1) * row]
        x = (box.left + box.right - sum(here)) / 2 + sum(here[:across]) + here[across] / 2
        colour, sign = paint.get(force.owner, (NO_COLOUR, ""))
        text = clean_text(force.strength) or "?"
        letters = next((size for size in (13.0, 11.0, 9.0) if text_width(text, size, "bold") <= 21), 8.0)
        more = len(group) - MOST if n == MOST - 1 and len(group) > MOST else 0
        yield Shield(
            force.kind if force.kind in FORCES else "army",
            x,
            box.top + down * high + SHIELD_HEIGHT * scale / 2,
            colour,
            ink_on(colour),
            shorten(text, 23, letters, "bold"),
            letters,
            sign,
            _stance(force),
            force.own,
            more,
        )


def _free_box(spot: Spot, wide: float, high: float, room: FreeSpace) -> Box:
    """The cheapest box near a place."""
    best: tuple[float, Box] | None = None
    for liked, (x, y, away) in enumerate(_candidate_positions(spot, wide, high)):
        cost = away * DISTANCE_COST + liked % len(DIRECTIONS) * 0.05
        if room.reach and max(abs(x - spot.x), abs(y - spot.y)) > room.reach * 0.36:
            cost += 2.5
        if best is not None and away * DISTANCE_COST >= best[0]:
            break
        if best is not None and cost >= best[0]:
            continue
        box = box_around(x, y, wide / 2, high / 2)
        if not room.frame.holds(box):
            continue
        cost += room.taken.cost(box)
        if best is None or (cost < best[0] and cost + room.lines.cost(box) < best[0]):
            best = cost + room.lines.cost(box), box
    return best[1] if best else _push_into(box_around(spot.x, spot.y, wide / 2, high / 2), room.frame)


def _candidate_positions(spot: Spot, wide: float, high: float) -> Iterator[tuple[float, float, float]]:
    """Candidate middles of a box near a place, and the distance of each from the sign."""
    if not spot.half_width:
        yield spot.x, spot.y, 0.0
    for away in DISTANCES:
        across, down = spot.half_width + wide / 2 + away, spot.half_height + high / 2 + away
        for dx, dy in DIRECTIONS:
            yield spot.x + dx * across, spot.y + dy * down, away


def _push_into(box: Box, frame: Box) -> Box:
    """A box pushed into the frame."""
    dx = max(frame.left - box.left, 0) or min(frame.right - box.right, 0)
    dy = max(frame.top - box.top, 0) or min(frame.bottom - box.bottom, 0)
    return Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)


def _leader_line(spot: Spot, box: Box) -> Iterator[tuple[float, float, float, float]]:
    """A line from a distant box to its place."""
    x, y = min(max(spot.x, box.left), box.right), min(max(spot.y, box.top), box.bottom)
    if math.hypot(x - spot.x, y - spot.y) > max(spot.half_width, spot.half_height) + LINE:
        middle = box.middle
        yield middle[0], middle[1], spot.x, spot.y
