"""Shares and differences with their intervals: whole campaigns are the unit, variants are paired by their seeds.

Counts are exact integers; only what is said of them at the end is a float.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist
from typing import NamedTuple

CERTAINTY = 0.05
"""The chance of error over everything that one experiment says of its differences."""
FEWEST = 30
"""From so many campaigns on a mean gets an interval."""
LOOKS = (500, 1000, 2000, 4000, 8000, 16000)
"""At how many campaigns an experiment with a margin is looked at; the last is where it ends in any case."""


class Interval(NamedTuple):
    """An estimate and its interval; `error`: the standard error that it rests on."""

    value: float
    low: float
    high: float
    error: float

    @property
    def half(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


def quantile(error: float) -> float:
    """How many standard errors an interval reaches to either side where `error` is the chance that it is wrong."""
    return NormalDist().inv_cdf(1 - error / 2)


def error_at(look: int, comparisons: int) -> float:
    """The chance of error of one of several comparisons at a look, the first of which is 1: alpha/2^k, divided over
    all comparisons (Bonferroni). 0 as `look`: there is but one look, which has all of it.
    """
    return CERTAINTY / (1 << look) / max(comparisons, 1)


def share(count: int, of: int, error: float) -> Interval:
    """A share and its interval after Wilson. `of` 0: nothing is known, 0 to 1."""
    if not of:
        return Interval(0.0, 0.0, 1.0, 0.0)
    z, seen = quantile(error), count / of
    middle = (seen + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(seen * (1 - seen) / of + z * z / (4 * of * of))
    return Interval(seen, max(0.0, middle - half), min(1.0, middle + half), sqrt(seen * (1 - seen) / of))


class Pairs(NamedTuple):
    """Seeds by what happened in two variants: in both, only in the first, only in the second, in neither."""

    both: int = 0
    first: int = 0
    second: int = 0
    neither: int = 0

    @property
    def n(self) -> int:
        """The number of seeds."""
        return sum(self)


def share_difference(pairs: Pairs, error: float) -> Interval:
    """How much more often it happens in the second variant, seed by seed: the interval after Agresti and Min (2005),
    who count half a seed more in each of the four cells, so that a difference that was never seen is no certainty.
    """
    n, first, second = pairs.n + 2, pairs.first + 0.5, pairs.second + 0.5
    middle = (second - first) / n
    spread = sqrt(max(first + second - (second - first) ** 2 / n, 0.0)) / n
    half = quantile(error) * spread
    seen = (pairs.second - pairs.first) / pairs.n if pairs.n else 0.0
    return Interval(seen, max(-1.0, middle - half), min(1.0, middle + half), spread)


def share_gain(pairs: Pairs) -> float | None:
    """How many times as many campaigns would be needed without pairing for the same interval; None if unknown."""
    n = pairs.n
    a, b = pairs.both + pairs.first, pairs.both + pairs.second
    apart = (a * (n - a) + b * (n - b)) / n if n else 0.0
    paired = pairs.first + pairs.second - (pairs.second - pairs.first) ** 2 / n if n else 0.0
    return apart / paired if paired > 0 else None


class Sums(NamedTuple):
    """Sums over seeds of a number in two variants and of its difference: exact, as they are whole numbers."""

    n: int = 0
    first: int = 0
    first_squares: int = 0
    second: int = 0
    second_squares: int = 0
    difference_squares: int = 0

    def plus(self, first: int, second: int) -> Sums:
        """The sums with one more seed."""
        return Sums(self.n + 1, self.first + first, self.first_squares + first * first, self.second + second,
                    self.second_squares + second * second, self.difference_squares + (second - first) ** 2)


def _variance(n: int, total: int, squares: int) -> float:
    return (squares * n - total * total) / (n * (n - 1)) if n > 1 else 0.0


def mean_difference(sums: Sums, error: float) -> Interval | None:
    """How much larger the number is in the second variant, seed by seed; None for fewer than `FEWEST` seeds."""
    if sums.n < FEWEST:
        return None
    total = sums.second - sums.first
    spread = sqrt(_variance(sums.n, total, sums.difference_squares) / sums.n)
    middle, half = total / sums.n, quantile(error) * spread
    return Interval(middle, middle - half, middle + half, spread)


def mean_gain(sums: Sums) -> float | None:
    """As `share_gain`, for numbers."""
    apart = _variance(sums.n, sums.first, sums.first_squares) + _variance(sums.n, sums.second, sums.second_squares)
    paired = _variance(sums.n, sums.second - sums.first, sums.difference_squares)
    return apart / paired if paired > 0 else None


def chance_of_none(interval: Interval) -> float:
    """The chance to see a difference as great as this where there is none."""
    if not interval.error:
        return 1.0
    middle = (interval.low + interval.high) / 2
    return 2 * (1 - NormalDist().cdf(abs(middle) / interval.error))


def holm(chances: Sequence[float], error: float) -> list[bool]:
    """Which differences are there, by Holm's procedure: all of them together are wrong with a chance of `error`."""
    found = [False] * len(chances)
    for rank, place in enumerate(sorted(range(len(chances)), key=lambda place: (chances[place], place))):
        if chances[place] > error / (len(chances) - rank):
            break
        found[place] = True
    return found


def campaigns_needed(errors: Sequence[float], pilot: int, margin: float, looks: Sequence[int] = LOOKS) -> int:
    """At which look the widest interval will be within the margin, from the standard errors of a pilot of so many
    campaigns; 0 if at none.
    """
    widest = max(errors, default=0.0) * sqrt(pilot)
    for look, campaigns in enumerate(looks, 1):
        if ceil((quantile(error_at(look, len(errors))) * widest / margin) ** 2) <= campaigns:
            return campaigns
    return 0
