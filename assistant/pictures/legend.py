"""The legend of a map, and the layout of a scene on its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from assistant.catalogues import translator
from assistant.pictures.colours import valid_colour
from assistant.pictures.labels import PlacedNames
from assistant.pictures.layout import (
    Arrow,
    Box,
    BoxGrid,
    Frame,
    LineGrid,
    Point,
    RouteLine,
    Spot,
    arrows,
    box_around,
    clean_text,
    densify,
    drawable,
    edge_cells,
    frame_of,
    routes_of,
    shorten,
    spots_in_frame,
    text_width,
    turns_last_seen,
)
from assistant.pictures.scene import Scene
from assistant.turn.texts import N_

# The legend, which lists what is on the picture and nothing else.


TITLE, LEAST, TURN, TEXT, ROW = 23.0, 16.0, 15.5, 14.5, 21.0
"""Letter sizes of title, smallest title, turn and text, and the height of a row, in pixels."""
INDENT, SIDE = 36.0, 16.0
"""From a row's left end to its text, and from the border to the rows."""
SPARE = 6
WIDER = 60.0
"""The number of rows and the width in pixels are rounded up in such steps for the space that names avoid."""
WIDEST = 250.0
"""The widest text of a row; longer ones end in an ellipsis."""
BARS = 16.0, 125.0
"""The shortest and the longest bar for a day's march, in pixels."""
PARTS: Mapping[float, str] = {1.0: "1", 0.5: "½", 0.25: "¼"}
FORCE_NAMES: Mapping[str, str] = {
    "army": N_("Army"), "fleet": N_("Fleet"), "convoy": N_("Convoy"), "train": N_("Siege train"),
    "band": N_("Band"), "leader": N_("Leader")}
MARK_NAMES: Mapping[str, str] = {
    "battle": N_("Battle"), "captured": N_("Captured"), "lost": N_("Lost"), "siege": N_("Siege"),
    "revolt": N_("Revolt"), "built": N_("Built"), "razed": N_("Razed"), "plague": N_("Plague"),
    "changed": N_("Changed"), "ordered": N_("Ordered here")}
WAY_NAMES: Mapping[str, str] = {
    "road": N_("Road"), "track": N_("Track"), "pass": N_("Pass"), "river": N_("River"), "lane": N_("Sea lane"),
    "line": N_("Line"), "coast": N_("Coastal way"), "barred": N_("No way"), "border": N_("Border")}

Say = Callable[[str], str]
"""An English text in the reader's language."""


@dataclass(frozen=True)
class LegendRow:
    """One row: what its sign shows (`kind` and `key`), in which colours, and its text."""

    kind: str
    key: str
    text: str
    colour: str = ""
    sign: str = ""
    length: float = 0.0


@dataclass(frozen=True)
class VisibleParts:
    """The parts of a scene that are on its picture. The legend is made from these."""

    scene: Scene
    frame: Frame
    spots: Sequence[Spot]
    ways: Sequence[RouteLine]
    holders: frozenset[str]
    marched: frozenset[bool]
    terrains: Sequence[str]


def legend_rows(shown: VisibleParts) -> list[LegendRow]:
    """The rows of the legend, from owners to the scale."""
    say = translator(shown.scene.lang)
    known = {spot.place.code for spot in shown.spots}
    forces = [force.kind for force in shown.scene.forces if force.place in known]
    marks = [mark.kind for mark in shown.scene.marks if mark.place in known]
    rows = [
        *(
            LegendRow(
                "owner",
                "",
                clean_text(owner.name) or clean_text(owner.code),
                valid_colour(owner.colour),
                clean_text(owner.sign)[:3],
            )
            for owner in shown.scene.owners
            if owner.code in shown.holders
        ),
        *_places(shown, say),
        *_ways(shown, say),
        *(
            LegendRow("terrain", code, clean_text((shown.scene.terrains or {}).get(code, code)))
            for code in shown.terrains
        ),
        *(LegendRow("force", kind, say(text)) for kind, text in FORCE_NAMES.items() if kind in forces),
        *([LegendRow("march", "", say(N_("Marched")))] if False in shown.marched else []),
        *([LegendRow("march", "ordered", say(N_("Ordered march")))] if True in shown.marched else []),
        *(LegendRow("mark", kind, say(text)) for kind, text in MARK_NAMES.items() if kind in marks),
        *_fog(shown, say),
    ]
    return [*(replace(row, text=row.text[:1].upper() + row.text[1:]) for row in rows), *_scale(shown)]


def _places(shown: VisibleParts, words: Say) -> Iterator[LegendRow]:
    seen: set[tuple[str, str]] = set()
    crowned = words(N_("Capital")).casefold()
    for spot in sorted(shown.spots, key=lambda spot: (spot.place.sea, -spot.place.size)):
        label, glyph = clean_text(spot.place.label), "waters" if spot.place.sea else spot.place.glyph
        told = spot.place.capital and label.casefold() == crowned  # by the row of the crown
        if spot.half_width and label and not told and (label, glyph) not in seen:
            seen.add((label, glyph))
            yield LegendRow("glyph", glyph, label)
    places = [spot.place for spot in shown.spots]
    for kind, state, text, there in (
            ("capital", "", N_("Capital"), any(place.capital for place in places)),
            ("walls", "intact", N_("Walls"), any(place.walls == "intact" for place in places)),
            ("walls", "damaged", N_("Damaged walls"), any(place.walls == "damaged" for place in places)),
            ("besieged", "", N_("Besieged"), any(place.besieged for place in places)),
            ("revolt", "", clean_text(shown.scene.revolt) or N_("In revolt"), any(place.revolt for place in places))):
        if there:
            yield LegendRow(kind, state, words(text))


def _ways(shown: VisibleParts, words: Say) -> Iterator[LegendRow]:
    for style, text in dict.fromkeys(
        (way.style, clean_text(way.label) or words(WAY_NAMES.get(way.style, WAY_NAMES["road"]))) for way in shown.ways
    ):
        yield LegendRow("way", style, text)
    if any(way.shut for way in shown.ways):
        yield LegendRow("shut", "", words(N_("Shut")))


def _fog(shown: VisibleParts, words: Say) -> Iterator[LegendRow]:
    seen = {spot.place.seen for spot in shown.spots}
    if "earlier" in seen:
        last = turns_last_seen(shown.scene)
        text = words(N_("Out of sight, as last seen") if any(last) else N_("Out of sight"))
        yield LegendRow("fog", "earlier", f"{text}: {last[0]}" if len(last) == 1 and last[0] else text)
    if "never" in seen:
        yield LegendRow("fog", "never", words(N_("Unknown")))


def _scale(shown: VisibleParts) -> Iterator[LegendRow]:
    """A bar of a round number of units, about a hundred pixels long; of days' march one or a fraction, if possible."""
    scene = shown.scene
    unit, name = scene.scale * shown.frame.k, clean_text(scene.scale_name)
    if unit <= 0 or not name:
        return
    rounds = [n * 10.0 ** power for power in range(-3, 7) for n in (2, 5, 10)]
    many = min(rounds, key=lambda many: abs(many * unit - 90))
    part = next((part for part in PARTS if part * unit <= BARS[1]), 0.0)
    if scene.measure == "length" or not part or unit < BARS[0]:
        text = f"{many:g}" if scene.lang != "it" else f"{many:g}".replace(".", ",")
        text += " " if scene.measure == "length" else " × "
    else:
        many, text = part, f"{PARTS[part]} "
    yield LegendRow("scale", "", f"{'~' if scene.measure == 'usual' else ''}{text}{name}", length=many * unit)


@dataclass(frozen=True)
class PlacedRow:
    """A row and its position, in pixels from the legend's corner."""

    row: LegendRow
    x: float
    y: float


@dataclass(frozen=True)
class Legend:
    """The legend: its box, and whether it is on the map or, as a band of the whole width, below it. `kept`: its box
    with spare rows, which names avoid, so that they do not move when a turn needs a few rows more; `letters`: the size
    of the title's letters.
    """

    box: Box
    kept: Box
    entries: tuple[PlacedRow, ...]
    title: str
    turn: str
    on_map: bool
    letters: float = TITLE


def legend_on_map(
    shown: VisibleParts, rows: Sequence[LegendRow], lines: LineGrid, words: Sequence[Box]
) -> Legend | None:
    """The legend with its title where the map is emptiest, in as few columns as fit; None if there is no room.
    `lines` and `words`: better not covered.
    """
    if shown.frame.close or shown.frame.step:
        return None
    for many in (1, 2, 3):
        legend = _columns(shown, rows, many)
        size = legend.box
        more = -(-len(rows) // many // SPARE) * SPARE + 1 - -(-len(rows) // many)
        wide = -(-size.width // WIDER) * WIDER
        kept = _emptiest_box(shown, Box(0, 0, wide, size.height + more * ROW), lines, words)
        if kept:
            left = kept.left if kept.middle[0] < shown.frame.window.middle[0] else kept.right - size.width
            box = Box(left, kept.top, left + size.width, kept.top + size.height)
            return Legend(box, kept, legend.entries, legend.title, legend.turn, True,
                             legend.letters)
    return None


def _columns(shown: VisibleParts, rows: Sequence[LegendRow], many: int) -> Legend:
    """The legend in so many columns, from its own upper left corner."""
    title, letters = _title(shown, 330)
    turn = shorten(clean_text(shown.scene.turn), 330, TURN, "italic")
    head = 30.0 + (30 if title else 0) + (18 if turn else 0)
    down = max(1, -(-len(rows) // many))
    columns = [rows[n:n + down] for n in range(0, len(rows), down)]
    widths = [max(_row_width(row) for row in column) + 20 for column in columns]
    wide = max(sum(widths) - 20, text_width(title, letters) + 12, text_width(turn, TURN, "italic")) + 2 * SIDE
    entries, left = [], SIDE
    for column, across in zip(columns, widths, strict=True):
        entries += [PlacedRow(row, left, head - 8 + ROW * n) for n, row in enumerate(column)]
        left += across
    box = Box(0, 0, wide, head + ROW * min(down, len(rows)) + 8)
    return Legend(box, box, tuple(entries), title, turn, True, letters)


def _title(shown: VisibleParts, room: float) -> tuple[str, float]:
    """The title and the size of its letters; a long title is smaller."""
    text = clean_text(shown.scene.title)
    letters = max(LEAST, min(TITLE, TITLE * room // max(text_width(text, TITLE) / 10, 1) / 10))
    return shorten(text, room, letters), letters


def _emptiest_box(shown: VisibleParts, size: Box, lines: LineGrid, words: Sequence[Box]) -> Box | None:
    """The box of that size that covers no place and as little else as possible; None if every one covers a place."""
    window = shown.frame.window.grow(-26)
    across, down = window.width - size.width, window.height - size.height
    if across < 0 or down < 0 or size.height > window.height * 0.8 or size.width > window.width * 0.6:
        return None
    corners = [(1, 0), (0, 0), (0, 1), (1, 1), (0, 0.5), (1, 0.5), (0.5, 0), (0.5, 1)]
    boxes = [Box(x, y, x + size.width, y + size.height)
             for x, y in ((window.left + across * part, window.top + down * share) for part, share in corners)]
    free = [box for box in boxes if not any(box.grow(10).meets(spot.box) for spot in shown.spots)]
    return min(free, key=lambda box: lines.cost(box) + 4 * sum(box.meets(word) for word in words), default=None)


def legend_below(shown: VisibleParts, rows: Sequence[LegendRow], left: float, room: float) -> Legend:
    """The legend as a band, from its own upper left corner, in as many columns as fit into the width `room`."""
    for many in range(max(1, min(len(rows), int(room // INDENT))), 0, -1):
        down = max(1, -(-len(rows) // many))
        columns = [rows[n:n + down] for n in range(0, len(rows), down)]
        widths = [max(map(_row_width, column)) + 18 for column in columns]
        if sum(widths) - 18 <= room:
            break
    spare = max(0.0, room - sum(widths)) / max(1, len(columns))
    lefts = [left + sum(widths[:n]) + spare * n for n in range(len(columns))]
    entries = tuple(PlacedRow(row, lefts[n // down], 10 + n % down * ROW) for n, row in enumerate(rows))
    box = Box(0, 0, room + 2 * left, 18 + ROW * down if rows else 0)
    title, letters = _title(shown, room)
    return Legend(box, box, entries, title, shorten(clean_text(shown.scene.turn), room, TURN, "italic"), False,
                     letters)


EXPLAINED_LATER = ("scale", "way", "terrain", "glyph", "capital", "walls", "march", "force", "owner")
"""Kinds of rows that a legend without room leaves to that of the whole map, those that explain themselves first."""


def short_legend_below(shown: VisibleParts, rows: Sequence[LegendRow], left: float, room: float, most: float) -> Legend:
    """The legend as a band of at most so many pixels in height: rows that the whole map explains, too, are left out."""
    kept, whose = list(rows), clean_text(shown.scene.title)
    legend = legend_below(shown, kept, left, room)
    for kind in EXPLAINED_LATER:
        while legend.box.height > most and (row := next(
                (row for row in reversed(kept) if row.kind == kind and row.text != whose), None)):
            kept.remove(row)
            legend = legend_below(shown, kept, left, room)
    return legend


def _row_width(row: LegendRow) -> float:
    return max(INDENT, row.length + 8 if row.kind == "scale" else 0) + text_width(row_text(row), TEXT)


def row_text(row: LegendRow) -> str:
    """The text of a row, shortened to the widest that is allowed."""
    return shorten(row.text, WIDEST, TEXT)


@dataclass(frozen=True)
class Item:
    """An entry of the list of codes: the code, its name, and the position."""

    code: str
    text: str
    x: float
    y: float


def list_of_codes(codes: Iterable[tuple[str, str]], left: float, top: float, room: float) -> tuple[list[Item], float]:
    """The names that found no room on the map, listed by their codes in columns; and the height of the list."""
    texts = [(code, shorten(name, 330, 13)) for code, name in codes]
    if not texts:
        return [], 0.0
    wide = max(text_width(code, 12, "bold") + 7 + text_width(text, 13) for code, text in texts) + 16
    many = max(1, int(room // wide))
    down = -(-len(texts) // many)
    items = [Item(code, text, left + n // down * (room / many), top + n % down * 17)
             for n, (code, text) in enumerate(texts)]
    return items, 17.0 * down + 8


# The layout of a scene on its picture.


SEEN = 10
"""The fewest points of a march on the picture: with less nobody would recognise it."""


@dataclass(frozen=True)
class MapLayout:
    """A scene laid out on its picture. `edge`: cells that are partly visible."""

    scene: Scene
    frame: Frame
    spots: Sequence[Spot]
    ends: Mapping[str, Point]
    ways: Sequence[RouteLine]
    all_ways: Sequence[RouteLine]
    arrows: Sequence[Arrow]
    paint: Mapping[str, tuple[str, str]]
    edge: Sequence[Spot] = ()


def lay_out(scene: Scene) -> MapLayout:
    """Lay out places, ways and marches of a scene."""
    frame = frame_of(scene)
    spots = spots_in_frame(scene, frame)
    ends = {place.code: frame.at(place.x, place.y) for place in drawable(scene)}
    ends |= {spot.place.code: (spot.x, spot.y) for spot in spots}
    straight = scene.form != "graph"
    near = frame.window.grow(-5 if frame.close else 5)
    all_ways = routes_of(scene.ways, ends, straight)
    ways = [way for way in all_ways if _crosses(way.points, near)]
    styles = {frozenset((way.a, way.b)): way.style for way in scene.ways}
    moves = arrows(scene.marches, {spot.place.code: spot for spot in spots}, ends, styles, frame.window.grow(-12),
                   straight)
    paint = {owner.code: (valid_colour(owner.colour), clean_text(owner.sign)[:3] or clean_text(owner.code)[:3])
             for owner in scene.owners}
    moves = [move for move in moves if sum(near.has(x, y) for x, y in move.points) >= min(SEEN, len(move.points))]
    return MapLayout(scene, frame, spots, ends, ways, all_ways, moves, paint, edge_cells(scene, frame))


def _crosses(points: Sequence[Point], window: Box) -> bool:
    """Whether any part of a line is inside the window."""
    if any(window.has(x, y) for x, y in points):
        return True
    xs, ys = zip(*points, strict=True)
    far = Box(min(xs) - 0.1, min(ys) - 0.1, max(xs) + 0.1, max(ys) + 0.1)
    return window.meets(far) and any(window.has(x, y) for x, y in densify(points))


def visible_parts(lay: MapLayout, landed: Set[str]) -> VisibleParts:
    """The parts of the scene that are on the picture. `landed`: owners whose land is on it."""
    known = {spot.place.code for spot in lay.spots}
    scene = lay.scene
    holders = {spot.place.owner for spot in (*lay.spots, *lay.edge)}
    holders |= {force.owner for force in scene.forces if force.place in known}
    holders |= {mark.owner for mark in scene.marks if mark.place in known}
    holders |= {move.owner for move in lay.arrows}
    holders |= landed
    words = dict.fromkeys(spot.place.terrain[0] for spot in (*lay.spots, *lay.edge)
                          if spot.place.terrain and spot.place.seen != "never" and scene.form != "graph")
    order = {code: n for n, code in enumerate(scene.terrains or {})}
    return VisibleParts(scene, lay.frame, lay.spots, lay.ways, frozenset(holders),
                           frozenset(move.ordered for move in lay.arrows),
                           sorted(words, key=lambda word: (order.get(word, len(order)), word)))


def occupied_grid(lay: MapLayout, names: PlacedNames, legend: Box | None) -> BoxGrid:
    """What shields and badges have to avoid, with weights."""
    grid = BoxGrid()
    for spot in lay.spots:
        if spot.half_width:
            grid.put(spot.box.grow(1), 18)
    for label in names.labels:
        grid.put(label.box, 30)
    for move in lay.arrows:
        for x, y in ((move.sign_x, move.sign_y), move.points[-min(3, len(move.points))]):
            grid.put(box_around(x, y, 8, 8), 8)
    if legend:
        grid.put(legend.grow(3), 60)
    return grid
