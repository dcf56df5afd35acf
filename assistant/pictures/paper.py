"""Finished pictures made ready for a use: an SVG for a sheet of A3, two PNGs side by side as one."""

from __future__ import annotations

import re
from io import BytesIO

from assistant.pictures.png import COLOURS, MissingLibrary

LONG, SHORT = 420, 297
"""Of a sheet of A3, in millimetres."""
GAP = 16
PAPER = (239, 231, 211)
_SIZE = re.compile(r'(<svg\b[^>]*?) width="[\d.]+" height="[\d.]+"')


def on_a3(svg: str, width: int, height: int) -> str:
    """The same drawing, as large as a sheet of A3 holds it; its text stays text. `width`, `height`: in pixels."""
    wide, high = (LONG, SHORT) if width > height else (SHORT, LONG)
    return _SIZE.sub(rf'\1 width="{wide}mm" height="{high}mm"', svg, count=1)


def beside(left: bytes, right: bytes) -> bytes | MissingLibrary:
    """Two pictures as one, the first to the left."""
    try:
        from PIL import Image
    except ImportError:
        return MissingLibrary("Pillow")
    with Image.open(BytesIO(left)) as one, Image.open(BytesIO(right)) as other:
        both = Image.new("RGB", (one.width + GAP + other.width, max(one.height, other.height)), PAPER)
        both.paste(one.convert("RGB"), (0, 0))
        both.paste(other.convert("RGB"), (one.width + GAP, 0))
        few = both.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    into = BytesIO()
    few.save(into, "PNG", optimize=False, compress_level=6)
    return into.getvalue()
