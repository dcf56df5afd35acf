"""Random choices of the book: among things, and how many units of each type (rulebook: Dice)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from assistant.rulesets.incursio.realm.units import TYPES, by_type

T = TypeVar("T")
Die = Callable[[int, str], int]
"""Throws the k-th die of a purpose with so many faces, written as dice."""


def one_of(things: Sequence[T], throw: Callable[[str], int]) -> T:
    """One of several, in rising order; no die is thrown for a single one."""
    return things[throw(f"1d{len(things)}") - 1] if len(things) > 1 else things[0]


def balanced(n: int, side: str, throw: Die, *, distinct: bool = True, among: Sequence[str] = ()) -> list[str]:
    """So many units of all types alike; of what is left over each is drawn. `among`: other types than all."""
    types = tuple(among) or TYPES[side]
    found = [code for code in types for _ in range(n // len(types))]
    left = list(types)
    for k in range(1, n % len(types) + 1):
        code = one_of(left, lambda dice, k=k: throw(k, dice))  # type: ignore[misc]
        found.append(code)
        if distinct:
            left.remove(code)
    return by_type(found, side)
