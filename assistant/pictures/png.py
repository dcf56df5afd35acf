"""An SVG of ours in; the same as a PNG with a palette, drawn with our own fonts alone, out."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from assistant.pictures.drawing.typeface import font_files

COLOURS = 256


@dataclass(frozen=True)
class MissingLibrary:
    """A library without which there is no such picture: its name as it is installed."""

    name: str


def png(svg: str, width: int) -> bytes | MissingLibrary:
    """The picture, so many pixels wide; the same bytes each time. What is missing is told, not raised.

    Raises ValueError for what is no SVG.
    """
    try:
        import resvg_py
    except ImportError:
        return MissingLibrary("resvg-py")
    try:
        from PIL import Image
    except ImportError:
        return MissingLibrary("Pillow")
    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=font_files(),
                                  font_family="Arbitro Serif", serif_family="Arbitro Serif",
                                  sans_serif_family="Arbitro Sans")
    with Image.open(BytesIO(bytes(drawn))) as picture:
        few = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    into = BytesIO()
    few.save(into, "PNG", optimize=False, compress_level=4)
    return into.getvalue()
