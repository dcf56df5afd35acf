"""Words that are to stand on a picture in; what may be written of them, and how wide that is in our own fonts, out.

The widths are read from the fonts' own tables, so that a picture is the same wherever it is made.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

from assistant.resources import folder

Cut = Literal["serif", "italic", "sans", "bold"]
FILES: Mapping[Cut, str] = {"serif": "ArbitroSerif-Regular.otf", "italic": "ArbitroSerif-Italic.otf",
                            "sans": "ArbitroSans-Regular.ttf", "bold": "ArbitroSans-Bold.ttf"}
ELLIPSIS = "…"
UNKNOWN = 0.6
"""How wide a letter is taken to be that a font lacks, in sizes of the font."""


def font_files() -> list[str]:
    """The paths of the fonts with which pictures are drawn."""
    return [str(_path(cut)) for cut in FILES]


def _path(cut: Cut) -> Path:
    return folder("reports") / "fonts" / FILES[cut]


@lru_cache(maxsize=16384)
def width(text: str, size: float, cut: Cut = "serif") -> float:
    """How wide a line is, in pixels, letter by letter: kerning could only make it narrower."""
    known = _advances(cut)
    return size * sum(known.get(ord(letter), UNKNOWN) for letter in text)


def writable(text: str) -> bool:
    """Whether the font of names has every letter."""
    known = _advances("serif")
    return all(ord(letter) in known for letter in text)


@lru_cache(maxsize=16384)
def clean(text: str) -> str:
    """A text of somebody's as a picture may have it: in one line, without what no XML can hold and what turns the
    direction of all that follows; letters with their accents in one sign.
    """
    plain = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", text)
                    if letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Cn", "Co"))
    return " ".join(plain.split())


def shortened(text: str, room: float, size: float, cut: Cut = "serif") -> str:
    """The text, or as much of it as there is room for, with dots."""
    if width(text, size, cut) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, size, cut) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


def halves(text: str) -> tuple[str, ...]:
    """A name of several words in two lines, as even as they can be; one word stays one line."""
    words = text.split(" ")
    cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return min(cuts, key=lambda pair: max(map(len, pair))) if cuts else (text,)


@lru_cache(maxsize=len(FILES))
def _advances(cut: Cut) -> dict[int, float]:
    """Letter -> its width in sizes of the font, from the tables cmap (format 4), hmtx, hhea and head."""
    data = _path(cut).read_bytes()
    tables = {data[at:at + 4]: struct.unpack_from(">II", data, at + 8)
              for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)}
    unit = struct.unpack_from(">H", data, tables[b"head"][0] + 18)[0]
    longs = struct.unpack_from(">H", data, tables[b"hhea"][0] + 34)[0]
    widths = [struct.unpack_from(">H", data, tables[b"hmtx"][0] + 4 * n)[0] for n in range(longs)]
    return {letter: widths[min(glyph, longs - 1)] / unit
            for letter, glyph in _glyphs(data, tables[b"cmap"][0]).items()}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Letter -> the number of its glyph."""
    for n in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        at = cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * n)[0]
        if struct.unpack_from(">H", data, at)[0] == 4:
            break
    else:
        raise ValueError("the font has no table of letters of format 4")
    count = struct.unpack_from(">H", data, at + 6)[0] // 2
    ends, starts, deltas, offsets = (struct.unpack_from(f">{count}H", data, at + 14 + 2 * count * n + 2 * (n > 0))
                                     for n in range(4))
    found: dict[int, int] = {}
    for n, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for letter in range(first, min(last, 0xFFFE) + 1):
            glyph = letter
            if offset:
                place = at + 16 + 6 * count + 2 * n + offset + 2 * (letter - first)
                glyph = struct.unpack_from(">H", data, place)[0]
            if glyph or not offset:
                found[letter] = (glyph + delta) & 0xFFFF
    return {letter: glyph for letter, glyph in found.items() if glyph}
