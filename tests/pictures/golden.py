"""Pictures as they were looked at: kinds of maps in; the pixels that are kept of each, and how much others differ, out.

    python -m tests.pictures.golden

draws them all again. Look at each before it is committed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

from assistant.pictures.drawn import svg
from assistant.pictures.png import png
from assistant.pictures.scene import Scene
from tests.pictures.scenes import hexes, squares, valley

HOME = Path(__file__).with_name("golden_pngs")
WIDE = 560
"""How wide a whole map is kept, in pixels; a close-up is kept half as wide as it is drawn for a phone."""
FAR = 48
"""A pixel that differs by more, of 255, in one of its colours, differs."""


def kinds() -> Mapping[str, tuple[Scene, int]]:
    """Each kind of map and its width."""
    plain = replace(valley(), grounds=(), ways=tuple(way for way in valley().ways if way.style != "lane"),
                    places=tuple(place for place in valley().places if not place.sea))
    return {"graph": (valley(), WIDE), "roads-only": (plain, WIDE), "hexes": (hexes(), 420),
            "squares": (squares(), 420), "close-up": (replace(valley(), focus=("M0", "M1", "M2")), 390)}


def drawn(kind: str) -> bytes:
    """One of them as it is drawn now."""
    scene, width = kinds()[kind]
    made = png(svg(scene).svg, width)
    assert isinstance(made, bytes), f"install {made.name}"
    return made


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
