"""A moving picture: maps one after the other as a GIF, for a club's chat."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from assistant.pictures.render import MissingLibrary

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST_GIF = 3_000_000
"""Bytes: chat programs refuse or shrink what is larger."""
SIZES = ((720, 128), (640, 96), (540, 64), (440, 48), (360, 32), (280, 16), (200, 8))
"""Width in pixels and colours, the first being the best."""
PAUSE, LAST_PAUSE = 1100, 5000
"""Milliseconds that a map is shown, and the last one."""
GROUND = "#fffdf7"


def moving_picture(frames: Sequence[bytes], largest: int = LARGEST_GIF) -> bytes | MissingLibrary:
    """PNGs one after the other as a GIF that begins anew, at most `largest` bytes; equal input gives equal bytes.

    Smaller and with fewer colours where there are many; then each second map is left out, but not the last.
    """
    try:
        from PIL import Image
    except ImportError:
        return MissingLibrary("Pillow")
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
