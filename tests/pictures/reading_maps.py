"""A map's SVG in; what stands on it, and where, out: read from the picture alone."""

from __future__ import annotations

import math
import re
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

from assistant.pictures.layout import Box, box_around, text_width

SVG = "{http://www.w3.org/2000/svg}"


class Written(NamedTuple):
    """A line of a name, and what it covers from the baseline to the height of a capital letter."""

    text: str
    size: float
    box: Box


def tree(svg: str) -> ElementTree.Element:
    """The picture as a tree. Raises ParseError for what is no XML."""
    return ElementTree.fromstring(svg)


def group(root: ElementTree.Element, name: str) -> ElementTree.Element:
    """The group of the map that holds names, places, forces or marks."""
    return next(element for element in root.iter(f"{SVG}g") if element.get("class") == name)


def names(root: ElementTree.Element) -> list[Written]:
    """The names and codes that stand at places; a bold name, which is drawn twice, once."""
    found = []
    for one in group(root, "names").iter(f"{SVG}text"):
        if "h" not in (one.get("class") or "").split():
            continue
        size, x, y = (float(one.get(key) or 0) for key in ("font-size", "x", "y"))
        bold = "f" in (one.get("class") or "").split()
        wide = text_width(one.text or "", size, "bold" if bold else "italic" if one.get("font-style") else "serif")
        found.append(Written(one.text or "", size, Box(x, y - 0.65 * size, x + wide, y)))
    return found


def stand(root: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    """Where the members of a group stand."""
    return [_point(one) for one in group(root, name) if one.tag == f"{SVG}g"]


def _point(one: ElementTree.Element) -> tuple[float, float]:
    found = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", one.get("transform") or "")
    assert found is not None
    return float(found[1]), float(found[2])


def upon(root: ElementTree.Element) -> list[Box]:
    """What shields, badges, heads of arrows and the signs on arrows cover, next to their rims."""
    found = []
    for name, wide, high in (("forces", 12, 14), ("marks", 9, 9)):
        for one in group(root, name):
            scale = re.search(r"scale\(([\d.]+)\)", one.get("transform") or "")
            if scale:
                found.append(box_around(*_point(one), wide * float(scale[1]), high * float(scale[1])))
    for one in root.iter(f"{SVG}g"):
        children = list(one)
        if len(children) == 3 and (children[2].get("d") or "").endswith("z") and one.get("stroke-linejoin"):
            corners = [tuple(map(float, pair.split())) for pair in (children[2].get("d") or "")[1:-1].split("L")]
            xs, ys = zip(*corners, strict=True)
            found.append(Box(min(xs), min(ys), max(xs), max(ys)))
        elif len(children) == 2 and children[0].tag == f"{SVG}circle" and children[0].get("r") == "8":
            found.append(box_around(*_point(one), 7, 7))
    return found


def texts(root: ElementTree.Element) -> set[str]:
    """Every text of the picture, also where it is written in pieces."""
    return {"".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")}


def overlapping(lines: list[Written]) -> list[tuple[str, str]]:
    """Pairs of lines that cover one another."""
    return [(a.text, b.text) for a, b in combinations(lines, 2) if a.box.meets(b.box)]


def over_places(lines: list[Written], places: list[tuple[float, float]], half: float = 3.0) -> list[str]:
    """Lines that lie over the middle of a place's sign."""
    return [line.text for line in lines for x, y in places
            if line.box.meets(Box(x - half, y - half, x + half, y + half))]


def size(root: ElementTree.Element) -> tuple[float, float]:
    """Width and height of the picture."""
    left, top, wide, high = map(float, (root.get("viewBox") or "").split())
    assert (left, top) == (0, 0)
    assert math.isfinite(wide * high)
    return wide, high
