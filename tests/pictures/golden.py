"""Pictures as they were looked at: their kinds in; the pixels that are kept of each, and how much others differ, out.

    python -m tests.pictures.golden

draws them all again. Look at each before it is committed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

from assistant.pictures.charts import Chart, ChartLine, Panel, chart_svg
from assistant.pictures.render import map_svg, maps_side_by_side, svg_to_png
from assistant.pictures.scene import MapMark, March
from tests.pictures.scenes import hexes, squares, valley

HOME = Path(__file__).with_name("golden_pngs")
WIDE = 560
"""How wide a whole map is kept, in pixels; a close-up is kept half as wide as it is drawn for a phone."""
FAR = 48
"""A pixel that differs by more, of 255, in one of its colours, differs."""


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, tuple[str, int]]:
    """Each kind of picture as SVG, and its width."""
    plain = replace(valley(), grounds=(), ways=tuple(way for way in valley().ways if way.style != "lane"),
                    places=tuple(place for place in valley().places if not place.sea))
    scenes = {
        "graph": (valley(), WIDE),
        "roads-only": (plain, WIDE),
        "hexes": (hexes(), 420),
        "squares": (squares(), 420),
        "close-up": (replace(valley(), focus=("M0", "M1", "M2")), 390),
        "changes": (
            replace(valley(), marches=(), marks=(MapMark("V1", "changed", "M"), MapMark("G1", "changed"))),
            WIDE,
        ),
        "orders": (
            replace(
                valley(),
                marches=(March("M", ("M1", "M0", "V1"), ordered=True),),
                marks=(MapMark("M0", "ordered"), MapMark("M2", "ordered")),
                focus=("M0", "M1", "M2", "V1"),
            ),
            390,
        ),
    }
    fallen = replace(valley(), turn="Turno 5", places=tuple(
        replace(place, owner="M", besieged=False) if place.code == "V1" else place for place in valley().places))
    return {**{kind: (map_svg(scene).svg, width) for kind, (scene, width) in scenes.items()},
            "before-after": (maps_side_by_side(valley(), fallen).svg, 2 * WIDE), "chart": (chart_svg(course()), WIDE)}


def course() -> Chart:
    """Three factions through four turns, one of them the reader's own, one that is not known throughout."""
    lines = (ChartLine("Milano", "#7a3fa0", (3, 4, 4, 6), own=True), ChartLine("Venezia", "#b8860b", (5, 5, 4, 3)),
             ChartLine("Genova", "#c0392b", (2, None, 3, 3)))
    return Chart(
        "it",
        "Andamento",
        ("1", "2", "3", "4"),
        (
            Panel("Luoghi", lines, str),
            Panel("Tesoro", (ChartLine("Milano", "#7a3fa0", (120, 90, 260, 410), own=True),), str),
        ),
    )


def drawn(kind: str) -> bytes:
    """One of them as it is drawn now."""
    return svg_to_png(*kinds()[kind])


def share_that_differs(one: bytes, other: bytes) -> float:
    """The share of pixels that differ, 0 to 1; 1 where even the size does."""
    with Image.open(BytesIO(one)) as a, Image.open(BytesIO(other)) as b:
        if a.size != b.size:
            return 1.0
        bands = ImageChops.difference(a.convert("RGB"), b.convert("RGB")).split()
        most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
        return sum(most.histogram()[FAR:]) / (a.width * a.height)


if __name__ == "__main__":
    HOME.mkdir(exist_ok=True)
    for name in kinds():
        (HOME / f"{name}.png").write_bytes(drawn(name))
