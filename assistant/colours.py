"""Readable colours: luminance and contrast as in WCAG 2."""

from __future__ import annotations

from functools import lru_cache

DARKEST_PAPER = "#efe7d3"
"""The darkest background of a faction's sign on a page."""
READABLE = 4.5
PURE_INKS = ("#ffffff", "#000000")
"""On every colour one of the two has at least the contrast `READABLE`."""


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` or ``rrggbb``, 0 to 1."""
    plain = colour.lstrip("#")
    shares = (int(plain[i:i + 2], 16) / 255 for i in (0, 2, 4))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(colour: str, inks: tuple[str, str] = ("#ffffff", "#1d1a14")) -> str:
    """The more readable of two inks on a colour; pure black or white if neither has enough contrast."""
    best = max(inks, key=lambda ink: contrast(ink, colour))
    return best if contrast(best, colour) >= READABLE else max(PURE_INKS, key=lambda ink: contrast(ink, colour))


@lru_cache(maxsize=256)
def legible_colour(colour: str) -> str:
    """The colour for letters and signs: darkened as much as necessary to be readable on every page."""
    parts = [int(colour[i:i + 2], 16) for i in (1, 3, 5)]
    for percent in range(100, -1, -1):
        found = colour if percent == 100 else "#" + "".join(f"{part * percent // 100:02x}" for part in parts)
        if contrast(found, DARKEST_PAPER) >= READABLE:
            return found
    raise ValueError(f"{DARKEST_PAPER} is no paper: not even black can be read on it")
