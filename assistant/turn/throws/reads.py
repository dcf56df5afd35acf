"""How the dice of a throw are read: faces in; their sum, the highest, how many succeed, and in how many ways, out."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb
from typing import Any, NamedTuple


class Read(NamedTuple):
    """What of a throw counts: its ``sum``, its ``highest`` die, its ``successes``, or its ``faces`` themselves.

    `low`, `high`: of successes, the lowest and the highest face that is one.
    """

    how: str
    low: int = 0
    high: int = 0

    def of(self, faces: tuple[int, ...]) -> Any:
        """What these faces come to: a number; of ``faces`` they themselves."""
        if self.how == "successes":
            return sum(self.low <= face <= self.high for face in faces)
        if self.how == "faces":
            return faces
        return sum(faces) if self.how == "sum" else max(faces)


SUM, HIGHEST, FACES = Read("sum"), Read("highest"), Read("faces")


def successes(sides: int, limit: int, *, at_least: bool = False, bounds: bool = False) -> Read:
    """Each die is a success that shows `limit` or less (`at_least`: or more); `bounds`: the best face always is one,
    and the worst never.
    """
    if bounds:
        limit = min(max(limit, 2), sides) if at_least else min(max(limit, 1), sides - 1)
    return Read("successes", limit, sides) if at_least else Read("successes", 1, limit)


@lru_cache(maxsize=256)
def ways(count: int, sides: int) -> tuple[int, ...]:
    """In how many ways `count` dice come to `count`, `count` + 1, ... `count` * `sides`."""
    found: tuple[int, ...] = (1,)
    for _ in range(count):
        found = tuple(sum(found[max(at - sides + 1, 0):at + 1]) for at in range(len(found) + sides - 1))
    return found


@lru_cache(maxsize=256)
def spread(count: int, sides: int, read: Read) -> tuple[tuple[Any, int], ...]:
    """What `count` dice may come to, each with the number of throws that do."""
    if read.how == "sum":
        return tuple(enumerate(ways(count, sides), count))
    if read.how == "highest":
        return tuple((top, top**count - (top - 1)**count) for top in range(1, sides + 1))
    if read.how == "faces":
        return tuple((faces, 1) for faces in product(range(1, sides + 1), repeat=count))
    good = len(range(max(read.low, 1), min(read.high, sides) + 1))
    found = ((n, comb(count, n) * good**n * (sides - good)**(count - n)) for n in range(count + 1))
    return tuple((n, number) for n, number in found if number)
