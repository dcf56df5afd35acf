"""Several throws of an event as it holds them in; those that are told in one breath, and what tells them apart, out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

Thrown = Mapping[str, Any]
"""A throw as an event holds it (`assistant.turn.throws.rulings`)."""


def thrown(roll: Thrown) -> str:
    """``2d6=4+5``; faces that are read one by one stand beside each other."""
    faces, together = roll.get("faces") or (), "," if "successes" in roll or "read" in roll else "+"
    return f"{roll['dice']}={together.join(map(str, faces)) if len(faces) > 1 else roll.get('value', '')}"


def decided_alone(roll: Thrown) -> list[tuple[int, int]]:
    """Up to which number dice alone never pass and from which on they always do, where they decided against the
    total; [] where they did not.
    """
    if "natural" not in roll or roll["passed"] is (roll["total"] >= roll["target"]):
        return []
    return [(roll["natural"][0], roll["natural"][1])]


def told_apart(rolls: Iterable[Thrown]) -> list[tuple[tuple[str, ...], list[Thrown]]]:
    """Throws with the parts of their keys in which they differ.

    Neighbours against one target that differ in their number alone (one for each figure) are one entry, without it.
    """
    listed = list(rolls)
    keys = [re.split("[:/]", str(one.get("key", ""))) for one in listed]
    width = max(map(len, keys), default=0)
    common = [len({tuple(key[place:place + 1]) for key in keys}) == 1 for place in range(width)]
    alike = set() if len({*map(len, keys)}) == 1 else set[str]().union(*keys[:1]).intersection(*keys)
    found: list[tuple[tuple[str, ...], list[Thrown]]] = []
    last: tuple[Any, ...] = ()
    for key, one in zip(keys, listed, strict=True):
        parts = tuple(part for part, same in zip(key, common, strict=False) if not same and part not in alike)
        kind: tuple[Any, ...] = ()
        if "target" in one and key[-1].isdecimal():
            parts = parts[:-1] if parts[-1:] == (key[-1],) else parts
            kind = (key[:-1], one["dice"], one["modifiers"], one["target"], one["reach"])
        if kind and kind == last:
            found[-1][1].append(one)
        else:
            found.append((parts, [one]))
        last = kind
    return found
