"""Draws scenes as SVG and PNG, and several maps as a moving GIF."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import struct
import sys
import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assistant import __version__
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE
from assistant.environment import shipped_folder
from assistant.pictures import legend as map_legend
from assistant.pictures import territories
from assistant.pictures.colours import NO_COLOUR, VEILS, ink_on, mix_colours, terrain_look, tint
from assistant.pictures.labels import FreeSpace, OwnerSign, PlacedNames, label_places, place_forces
from assistant.pictures.layout import (
    BoxGrid,
    LineGrid,
    clean_text,
    clear_of_names,
    densify,
    font_files,
    sign_and_name_scales,
)
from assistant.pictures.legend import MapLayout, lay_out, occupied_grid, visible_parts
from assistant.pictures.map_scene import scene_of
from assistant.pictures.scene import Scene, alt_text
from assistant.pictures.territories import draw_ground, ground_names, land_owners
from assistant.turn.ruleset import Ruleset

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment
    from PIL.Image import Image


# --- render ---------------------------------------------------------------------------------------
# Draws scenes as SVG and PNG.

# Templates.


@lru_cache(maxsize=1)
def template_environment() -> Environment:
    """The Jinja environment of pictures; all values are escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(shipped_folder("reports") / "templates"),
        bytecode_cache=template_cache(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    made.filters["px"] = px
    made.filters["split_codes"] = split_codes
    return made


_CODE_BEHIND = re.compile(r" (\([A-Z]{1,4}-[A-Za-z]?\d+[a-z]?\))")
"""The code of an army or the like behind its name."""


def split_codes(text: str) -> list[tuple[str, str]]:
    """A text cut behind each code in brackets: what stands before the code, and the code, "" at the end."""
    parts = [*_CODE_BEHIND.split(text), ""]
    return [(said, code) for said, code in zip(parts[::2], parts[1::2], strict=True) if said or code]


def px(value: float) -> str:
    """Pixels to a tenth, without a trailing zero."""
    return f"{value:.1f}".removesuffix(".0")


def template_cache() -> BytecodeCache | None:
    """The cache of compiled templates; compiling takes a tenth of the time of a report.

    A template is compiled again when its text changes, and for each version of Arbitro, which may configure Jinja
    differently. None if Python may not write its own caches there.
    """
    from jinja2 import FileSystemBytecodeCache

    home = shipped_folder("reports") / "__pycache__"
    if sys.dont_write_bytecode or not os.access(home if home.is_dir() else home.parent, os.W_OK):
        return None
    home.mkdir(exist_ok=True)
    return FileSystemBytecodeCache(str(home), f"jinja-{__version__}-%s.cache")


# PNG with a palette, drawn with our own fonts only.


COLOURS = 256


def svg_to_png(svg: str, width: int) -> bytes:
    """The picture as PNG, `width` pixels wide; equal input gives equal bytes. Raises ValueError for an invalid SVG."""
    import resvg_py
    from PIL import Image

    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=font_files(),
                                  font_family="Arbitro Serif", serif_family="Arbitro Serif",
                                  sans_serif_family="Arbitro Sans")
    with Image.open(BytesIO(bytes(drawn))) as picture:
        few = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    into = BytesIO()
    few.save(into, "PNG", optimize=False, compress_level=4)
    return into.getvalue()


# Maps as SVG. Equal scenes give equal bytes.


EDGE = 24.0
"""From the picture's left end to the legend below it."""
HEAD, CLOSE_HEAD = 62.0, 54.0
"""The band above a map that has its title there."""
SMALLEST_SHIELD = 0.9
"""The smallest scale of shields, where places are close together."""
GAP = 20
"""Between two maps side by side."""
A3 = 420, 297
"""A sheet of paper, in millimetres."""


@dataclass(frozen=True)
class Drawing:
    """A map. `placed`: code -> compass point and distance of its name, for the next turn's `Scene.before`;
    `unplaced`: places whose name found no room and that show their code, or nothing; `width`, `height`: in pixels.
    """

    svg: str
    placed: Mapping[str, tuple[str, int]]
    unplaced: tuple[str, ...]
    width: int
    height: int


def map_svg(scene: Scene) -> Drawing:
    """The map of a scene; a close-up if the scene has a focus."""
    return _draw_map(scene, "")


def maps_side_by_side(before: Scene, after: Scene) -> Drawing:
    """Two scenes of the same map side by side, with names at the same positions. `placed` and `unplaced` are those of
    the second.
    """
    drawing = _draw_map(before, "a")
    two = _draw_map(after if after.before else replace(after, before=drawing.placed), "b")
    width, height = drawing.width + GAP + two.width, max(drawing.height, two.height)
    made = template_environment().get_template("map.beside.svg.j2").render(
        one=drawing, two=two, left=drawing.width + GAP, width=width, height=height)
    return Drawing(made, two.placed, two.unplaced, width, height)


def svg_for_print(drawing: Drawing) -> str:
    """The map as SVG for a sheet of A3, with text as text and our fonts embedded, so that it prints anywhere."""
    long, short = A3
    wide, high = (long, short) if drawing.width >= drawing.height else (short, long)
    faces = [(Path(name).stem, b64encode(Path(name).read_bytes()).decode()) for name in font_files()]
    style = template_environment().get_template("map.fonts.css.j2").render(faces=faces)
    inside = drawing.svg.replace("<style>", f"<style>{style}", 1)
    return template_environment().get_template("map.print.svg.j2").render(
        inside=inside, width=drawing.width, height=drawing.height, wide=wide, high=high)


def _draw_map(scene: Scene, pre: str) -> Drawing:
    """The map of a scene. `pre`: prefix of the ids in the SVG, for two maps in one file."""
    lay = lay_out(scene)
    lines = LineGrid()
    for way in lay.ways:
        lines.put(densify(way.points, 5), 0.16)
    soil = territories.ground_of(lay)
    listed = visible_parts(lay, land_owners(soil, lay.frame.window))
    rows = map_legend.legend_rows(listed)
    seas = ground_names(lay, soil)
    legend = map_legend.legend_on_map(listed, rows, lines, [word.box for word in seas])
    inner = lay.frame.window.grow(-8)
    names = label_places(lay.spots, inner, [legend.kept] if legend else [], lines,
                     {} if lay.frame.close else scene.before or {})
    written = BoxGrid()
    # arrows make room for names and not the other way, so that names stay where they were on the last map
    for label in names.labels:
        written.put(label.box)
    lay = replace(lay, arrows=[clear_of_names(move, written) for move in lay.arrows])
    full = occupied_grid(lay, names, legend.box if legend else None)
    for move in lay.arrows:
        lines.put(move.points, 0.5)
    scale = max(SMALLEST_SHIELD, sign_and_name_scales(scene, lay.frame)[1])
    stands = place_forces(scene.forces, scene.marks, lay.spots, lay.paint,
                      FreeSpace(inner.grow(-8), full, lines, lay.frame.step, scale))
    below = draw_ground(lay, soil, full, lines)
    whole = _bands(lay, legend or _legend_below(lay, listed, rows), names)
    made = template_environment().get_template("map.svg.j2").render(
        pre=pre, words=[word for word in seas if not (legend and legend.box.meets(word.box))], window=lay.frame.window,
        title=clean_text(scene.title), turn=clean_text(scene.turn), spots=lay.spots, ways=lay.ways, arrows=lay.arrows,
        names=names, stands=stands, shield_scale=f"{scale:.2f}", ground=below, paint=lay.paint,
        colours={code: colour for code, (colour, _) in lay.paint.items()}, ink_on=ink_on, mixed=mix_colours, tint=tint,
        text_of=map_legend.row_text, tinted=territories.cell_colour, sign_ink=sign_ink, veils=VEILS,
        **whole, **_used_drawings(lay, rows, below))
    placed = {label.code: (label.side, label.gap) for label in names.labels if label.code not in names.coded}
    return Drawing(made, placed, (*names.coded, *names.silent), whole["width"], whole["height"])


CLOSE_LEGEND = 0.2
"""The part of a close-up that its legend may take: a phone's reader came for the map."""


def _legend_below(lay: MapLayout, listed: map_legend.VisibleParts, rows: Sequence[map_legend.LegendRow]
                  ) -> map_legend.Legend:
    """The legend as a band below the map; below a close-up a short one."""
    window, room = lay.frame.window, lay.frame.window.width - 2 * EDGE
    if not lay.frame.close:
        return map_legend.legend_below(listed, rows, EDGE, room)
    most = (window.height + CLOSE_HEAD) * CLOSE_LEGEND / (1 - CLOSE_LEGEND)
    return map_legend.short_legend_below(listed, rows, EDGE, room, most)


def _bands(lay: MapLayout, legend: map_legend.Legend, names: PlacedNames) -> dict[str, Any]:
    """The bands above and below the map, and the size of it all."""
    window = lay.frame.window
    head = 0.0 if legend.on_map else CLOSE_HEAD if lay.frame.close else HEAD
    foot = 0.0 if legend.on_map else legend.box.height
    called = {spot.place.code: spot.name for spot in lay.spots}
    items, high = map_legend.list_of_codes([(clean_text(code), called[code]) for code in (*names.coded, *names.silent)],
                                   EDGE, window.height + head + foot + 20, window.width - 2 * EDGE)
    height = window.height + head + foot + (high + 12 if items else 0)
    return {"legend": legend, "head": head, "foot": foot, "items": items, "width": round(window.width),
            "height": round(height)}


def _used_drawings(lay: MapLayout, rows: Sequence[map_legend.LegendRow], ground: Mapping[str, Any]) -> dict[str, Any]:
    """The drawings used in the picture (only these are declared in it), and how terrains look."""
    known = tuple(lay.scene.terrains or {})
    board = ground["board"]
    wet = any(ground.kind in ("land", "sea") for ground in lay.scene.grounds)
    wet = wet or any(spot.place.sea for spot in lay.spots) or any(way.style in ("lane", "coast") for way in lay.ways)
    return {"used": {f"{row.kind}-{row.key}" for row in rows}, "wet": wet,
            "glyphs": sorted({spot.place.glyph for spot in lay.spots if spot.half_width}),
            "strewings": sorted({cell.drawing for cell in board.cells if cell.drawing}) if board else [],
            "terrain_of": lambda code: terrain_look(code, known)}


def sign_ink(sign: OwnerSign, colours: Mapping[str, str]) -> str:
    """The colour of a large sign on land: its owner's, darkened."""
    return mix_colours(colours.get(sign.owner, NO_COLOUR), "#000000", 0.62)


# Pictures of workbooks and reports, drawn by several processes.
#
# A picture in a workbook carries a note of how it was drawn (`PictureNote`), so that the same bytes can be drawn
# again and
# names stay where they were.


SHEET_WIDTH = 1600
"""Width of a map in a workbook, in pixels: enough to print it."""
NOTE = b"arbitro"
"""The keyword of our text in a PNG."""
_TEXT = b"zTXt"
NamePositions = Mapping[str, tuple[str, int]]


class PictureNote(NamedTuple):
    """How a workbook's picture was drawn. `whose`: "" for the public map, or ``referee``; `before`, `placed`: positions
    of names on the map before and on this one; `svg`: SHA-256 of the SVG.
    """

    whose: str
    lang: str
    before: NamePositions
    placed: NamePositions
    svg: str


class DrawnPicture(NamedTuple):
    """A drawn picture. `words`: what it shows; `unplaced`: places whose names found no room."""

    png: bytes
    words: str
    note: PictureNote
    unplaced: tuple[str, ...] = ()


class Sketch(NamedTuple):
    """A map as SVG, not yet a PNG; `note`, `words`, `unplaced` as for `DrawnPicture`."""

    svg: str
    words: str
    note: PictureNote
    unplaced: tuple[str, ...]


class PictureRequest(NamedTuple):
    """A picture to draw: a scene, or a chart's SVG with its words; its width in pixels."""

    scene: Scene | None
    width: int
    svg: str = ""
    words: str = ""


# --- the map of a workbook ----------------------------------------------------------------------------------------
def sketch_map(ruleset: Ruleset, campaign: Campaign, whose: str, lang: str, before: NamePositions) -> Sketch:
    """The map of a workbook. `campaign`: unfiltered; `whose`: "" for the public map, ``referee`` for all of it."""
    view = campaign if whose == REFEREE else ruleset.view(campaign, whose)
    scene = scene_of(ruleset, view, whose, lang, before=before or None, orders=False)
    made = map_svg(scene)
    print_of = hashlib.sha256(made.svg.encode()).hexdigest()
    note = PictureNote(whose, lang, before, dict(made.placed), print_of)
    return Sketch(made.svg, alt_text(scene), note, made.unplaced)


def render_sketch(made: Sketch) -> DrawnPicture:
    """The picture with its note, ready for a workbook."""
    return DrawnPicture(with_note(svg_to_png(made.svg, SHEET_WIDTH), made.note), *made[1:])


# --- notes --------------------------------------------------------------------------------------------------------
def with_note(picture: bytes, note: PictureNote) -> bytes:
    """A PNG with a note in a chunk before its end; equal notes give equal bytes."""
    text = json.dumps(note._asdict(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    body = NOTE + b"\0\0" + zlib.compress(text, 9)
    chunk = struct.pack(">L", len(body)) + _TEXT + body + struct.pack(">L", zlib.crc32(_TEXT + body))
    # the last twelve bytes of a PNG are the chunk that ends it
    return picture[:-12] + chunk + picture[-12:]


def read_note(picture: bytes) -> PictureNote | None:
    """The note of a PNG; None if it has none of ours, or an unreadable one."""
    at = 8
    while at + 12 <= len(picture):
        (size,) = struct.unpack(">L", picture[at:at + 4])
        body = picture[at + 8:at + 8 + size]
        if picture[at + 4:at + 8] == _TEXT and body.startswith(NOTE + b"\0\0"):
            return _unpack_note(body[len(NOTE) + 2:])
        # beside its content each chunk has its length, its type and a checksum, four bytes each
        at += 12 + size
    return None


def _unpack_note(packed: bytes) -> PictureNote | None:
    engine = zlib.decompressobj()
    try:
        # anybody may have written it: it must not inflate to any size
        note = json.loads(engine.decompress(packed, 2**20))
        names = [{str(code): (str(side), int(gap)) for code, (side, gap) in note[key].items()}
                 for key in ("before", "placed")]
        return PictureNote(str(note["whose"]), str(note["lang"]), names[0], names[1], str(note["svg"]))
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError):  # anybody may have written it
        return None


# --- several at once ------------------------------------------------------------------------------------------------
def draw_all(wanted: Iterable[PictureRequest], processes: int = 1) -> list[DrawnPicture]:
    """Draw these pictures, in order; the first are drawn while `wanted` still yields others. `processes`: at most so
    many; threads would not help, because resvg draws in one of them at a time.
    """
    coming = iter(wanted)
    first = list(islice(coming, 2))
    count = min(processes, os.cpu_count() or 1)
    if min(count, len(first)) < 2 or sys.platform != "linux":  # elsewhere starting a process takes longer than it saves
        return [_draw_one(request) for request in chain(first, coming)]
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("fork")) as pool:
        return list(pool.map(_draw_one, chain(first, coming)))


def _draw_one(wanted: PictureRequest) -> DrawnPicture:
    sketch = Sketch(wanted.svg, wanted.words, PictureNote("", "", {}, {}, ""), ())
    if wanted.scene is not None:
        made = map_svg(wanted.scene)
        note = sketch.note._replace(placed=dict(made.placed))
        sketch = Sketch(made.svg, alt_text(wanted.scene), note, tuple(made.unplaced))
    return DrawnPicture(svg_to_png(sketch.svg, wanted.width), *sketch[1:])


# --- moving ---------------------------------------------------------------------------------------
# A moving picture: maps one after the other as a GIF, for a club's chat.

LARGEST_GIF = 3_000_000
"""Bytes: chat programs refuse or shrink what is larger."""
SIZES = ((720, 128), (640, 96), (540, 64), (440, 48), (360, 32), (280, 16), (200, 8))
"""Width in pixels and colours, the first being the best."""
PAUSE, LAST_PAUSE = 1100, 5000
"""Milliseconds that a map is shown, and the last one."""
GROUND = "#fffdf7"


def moving_picture(frames: Sequence[bytes], largest: int = LARGEST_GIF) -> bytes:
    """PNGs one after the other as a GIF that begins anew, at most `largest` bytes; equal input gives equal bytes.

    Smaller and with fewer colours where there are many; then each second map is left out, but not the last.
    """
    from PIL import Image

    shown = [Image.open(BytesIO(data)).convert("RGB") for data in frames]
    while True:
        for width, colours in SIZES:
            made = _as_gif(shown, width, colours)
            if len(made) <= largest:
                return made
        if len(shown) == 1:
            return made
        shown = [*shown[:-1:2], shown[-1]] if len(shown) > 2 else shown[-1:]


def _as_gif(shown: Sequence[Image], width: int, colours: int) -> bytes:
    """All frames of one size and one palette, so that what stays the same is not stored again."""
    from PIL import Image

    width = min(width, shown[0].width)
    small = [frame.resize((width, max(1, round(frame.height * width / frame.width))), Image.Resampling.LANCZOS)
             for frame in shown]
    height = max(frame.height for frame in small)
    even = []
    for frame in small:
        ground = Image.new("RGB", (width, height), GROUND)
        ground.paste(frame, (0, 0))
        even.append(ground)
    sample = Image.new("RGB", (width, height * 3), GROUND)
    for place, frame in enumerate((even[0], even[len(even) // 2], even[-1])):
        sample.paste(frame, (0, place * height))
    palette = sample.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in even]
    into = BytesIO()
    pauses = [PAUSE] * (len(few) - 1) + [LAST_PAUSE]
    few[0].save(into, "GIF", save_all=True, append_images=few[1:], duration=pauses, loop=0, optimize=False, disposal=1)
    return into.getvalue()
