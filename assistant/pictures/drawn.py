"""A scene in; its map as SVG, with where the names stand, out. Same scene, same bytes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.colours import ink_on
from assistant.pictures.drawing import cartouche, tiles
from assistant.pictures.drawing.box import Dots, Grid
from assistant.pictures.drawing.courses import beside_names, dense
from assistant.pictures.drawing.frame import detail
from assistant.pictures.drawing.grounds import ground, holders, words
from assistant.pictures.drawing.grounds import soil as made_of
from assistant.pictures.drawing.laid import Layout, laid, shown, taken
from assistant.pictures.drawing.lettering import Lettered, lettered
from assistant.pictures.drawing.owners_signs import Sign
from assistant.pictures.drawing.shields import Room, standing
from assistant.pictures.drawing.theme import NO_COLOUR, VEILS, mixed, terrain, tint
from assistant.pictures.drawing.typeface import clean, font_files
from assistant.pictures.scene import Scene
from assistant.pictures.templates import environment

EDGE = 24.0
"""From the picture's left end to the legend below it."""
HEAD, CLOSE_HEAD = 62.0, 54.0
"""The band above a map that has its title there."""
SMALLEST_SHIELD = 0.9
"""How small shields become where places stand close together."""
GAP = 20
"""Between two maps side by side."""
A3 = 420, 297
"""A sheet of paper, in millimetres."""


@dataclass(frozen=True)
class Drawing:
    """A map. `placed`: code -> compass point and distance of its name, for the next turn's `Scene.before`;
    `unplaced`: places whose name found no room and that show their code, or nothing; `missing`: the library without
    which realms could not be drawn, "" where none is; `width`, `height`: in pixels.
    """

    svg: str
    placed: Mapping[str, tuple[str, int]]
    unplaced: tuple[str, ...]
    missing: str
    width: int
    height: int


def svg(scene: Scene) -> Drawing:
    """The map of a scene: all of it, or a close-up where it has a focus."""
    return _drawn(scene, "")


def beside(before: Scene, after: Scene) -> Drawing:
    """Two scenes of the same map side by side, with the same names at the same sides. What is said of names is said
    of the second.
    """
    one = _drawn(before, "a")
    two = _drawn(after if after.before else replace(after, before=one.placed), "b")
    width, height = one.width + GAP + two.width, max(one.height, two.height)
    made = environment().get_template("map.beside.svg.j2").render(
        one=one, two=two, left=one.width + GAP, width=width, height=height)
    return Drawing(made, two.placed, two.unplaced, one.missing or two.missing, width, height)


def for_print(drawing: Drawing) -> str:
    """The map as SVG for a sheet of A3, with its letters as text and our fonts inside, to be printed anywhere."""
    long, short = A3
    wide, high = (long, short) if drawing.width >= drawing.height else (short, long)
    faces = [(Path(name).stem, b64encode(Path(name).read_bytes()).decode()) for name in font_files()]
    style = environment().get_template("map.fonts.css.j2").render(faces=faces)
    inside = drawing.svg.replace("<style>", f"<style>{style}", 1)
    return environment().get_template("map.print.svg.j2").render(
        inside=inside, width=drawing.width, height=drawing.height, wide=wide, high=high)


def _drawn(scene: Scene, pre: str) -> Drawing:
    """The map of a scene. `pre`: what its own names in the SVG begin with."""
    lay = laid(scene)
    lines = Dots()
    for way in lay.ways:
        lines.put(dense(way.points, 5), 0.16)
    soil = made_of(lay)
    listed = shown(lay, holders(soil, lay.frame.window))
    rows = cartouche.rows(listed)
    seas = words(lay, soil)
    legend = cartouche.on_map(listed, rows, lines, [word.box for word in seas])
    inner = lay.frame.window.grown(-8)
    names = lettered(lay.spots, inner, [legend.kept] if legend else [], lines,
                     {} if lay.frame.close else scene.before or {})
    written = Grid()
    for label in names.labels:
        written.put(label.box)
    lay = replace(lay, arrows=[beside_names(move, written) for move in lay.arrows])
    full = taken(lay, names, legend.box if legend else None)
    for move in lay.arrows:
        lines.put(move.points, 0.5)
    scale = max(SMALLEST_SHIELD, detail(scene, lay.frame)[1])
    stands = standing(scene.forces, scene.marks, lay.spots, lay.paint,
                      Room(inner.grown(-8), full, lines, lay.frame.step, scale))
    below = ground(lay, soil, full, lines)
    whole = _bands(lay, legend or cartouche.below(listed, rows, EDGE, lay.frame.window.width - 2 * EDGE), names)
    made = environment().get_template("map.svg.j2").render(
        pre=pre, words=[word for word in seas if not (legend and legend.box.meets(word.box))],
        window=lay.frame.window, title=clean(scene.title), turn=clean(scene.turn), spots=lay.spots,
        ways=lay.ways, arrows=lay.arrows, names=names, stands=stands, shield_scale=f"{scale:.2f}", ground=below,
        paint=lay.paint, colours={code: colour for code, (colour, _) in lay.paint.items()}, ink_on=ink_on, mixed=mixed,
        tint=tint, text_of=cartouche.text_of, tinted=tiles.tinted, sign_ink=sign_ink, veils=VEILS, **whole,
        **_used(lay, rows, below))
    placed = {label.code: (label.side, label.gap) for label in names.labels if label.code not in names.coded}
    return Drawing(made, placed, (*names.coded, *names.silent), soil.missing, whole["width"], whole["height"])


def _bands(lay: Layout, legend: cartouche.Cartouche, names: Lettered) -> dict[str, Any]:
    """The bands above and below the map, and the size of it all."""
    window = lay.frame.window
    head = 0.0 if legend.on_map else CLOSE_HEAD if lay.frame.close else HEAD
    foot = 0.0 if legend.on_map else legend.box.height
    called = {spot.place.code: spot.name for spot in lay.spots}
    items, high = cartouche.listed([(clean(code), called[code]) for code in (*names.coded, *names.silent)],
                                   EDGE, window.height + head + foot + 20, window.width - 2 * EDGE)
    height = window.height + head + foot + (high + 12 if items else 0)
    return {"legend": legend, "head": head, "foot": foot, "items": items, "width": round(window.width),
            "height": round(height)}


def _used(lay: Layout, found: Sequence[cartouche.Row], ground: Mapping[str, Any]) -> dict[str, Any]:
    """The drawings of which the picture makes use, for only they are declared in it; and how terrains look."""
    known = tuple(lay.scene.terrains or {})
    board = ground["board"]
    wet = any(one.kind in ("land", "sea") for one in lay.scene.grounds)
    wet = wet or any(spot.place.sea for spot in lay.spots) or any(way.style in ("lane", "coast") for way in lay.ways)
    return {"used": {f"{row.kind}-{row.key}" for row in found}, "wet": wet,
            "glyphs": sorted({spot.place.glyph for spot in lay.spots if spot.half_width}),
            "strewings": sorted({cell.drawing for cell in board.cells if cell.drawing}) if board else [],
            "terrain_of": lambda code: terrain(code, known)}


def sign_ink(sign: Sign, colours: Mapping[str, str]) -> str:
    """The colour of a large sign on its ground: its owner's, darker."""
    return mixed(colours.get(sign.owner, NO_COLOUR), "#000000", 0.62)
