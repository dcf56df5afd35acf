"""Shares, differences and their intervals against what is printed elsewhere, and by counting."""

from __future__ import annotations

from math import isclose, sqrt
from random import Random

import pytest

from assistant.laboratory import totals
from assistant.laboratory.totals import LOOKS, Pairs, Sums


def test_a_share_has_the_interval_of_wilson() -> None:
    """Newcombe (1998) prints 81 of 263 as 0.2553 to 0.3662, and 0 of 20 as 0 to 0.1611."""
    seen = totals.share(81, 263, 0.05)

    assert (round(seen.low, 4), round(seen.high, 4)) == (0.2553, 0.3662)
    assert [round(end, 4) for end in totals.share(0, 20, 0.05)[1:3]] == [0, 0.1611]
    assert totals.share(0, 0, 0.05)[1:3] == (0, 1)


def test_a_paired_difference_has_the_interval_of_agresti_and_min() -> None:
    """Half a seed more in each cell, then the usual interval: here by hand."""
    seen = totals.share_difference(Pairs(both=20, first=3, second=12, neither=15), 0.05)

    middle, n = (12.5 - 3.5) / 52, 52
    half = 1.959964 * sqrt(3.5 + 12.5 - (12.5 - 3.5) ** 2 / n) / n
    assert seen.value == (12 - 3) / 50
    assert isclose(seen.low, middle - half, abs_tol=1e-6)
    assert isclose(seen.high, middle + half, abs_tol=1e-6)


def test_what_was_never_seen_is_no_certainty() -> None:
    """Where a number made no difference on any seed the interval still has a width."""
    seen = totals.share_difference(Pairs(both=40, neither=60), 0.05)

    assert seen.low < 0 < seen.high


def test_a_mean_of_differences_counts_seed_by_seed() -> None:
    """Where both variants rise and fall together the pairs say far more than two separate means: the gain says so."""
    chance, sums = Random(1), Sums()
    pairs = [(noise := chance.randrange(100), noise + 3 + chance.randrange(3)) for _ in range(200)]
    for first, second in pairs:
        sums = sums.plus(first, second)
    seen, gain = totals.mean_difference(sums, 0.05), totals.mean_gain(sums)

    assert seen is not None
    assert gain is not None
    assert seen.value == sum(second - first for first, second in pairs) / 200
    assert seen.low < 4 < seen.high
    assert seen.half < 0.2
    assert gain > 1000
    assert totals.mean_difference(Sums().plus(1, 2), 0.05) is None


def test_the_gain_of_a_share_is_one_without_any_bond() -> None:
    """Independent pairs gain nothing, equal ones everything."""
    independent = totals.share_gain(Pairs(25, 25, 25, 25))

    assert independent == 1
    assert totals.share_gain(Pairs(50, 0, 0, 50)) is None
    assert (totals.share_gain(Pairs(45, 5, 5, 45)) or 0) == 5


def test_holm_goes_on_only_as_long_as_the_next_holds() -> None:
    """The smallest against a third of the error, the next against a half, then all of it."""
    assert totals.holm([0.04, 0.01, 0.02], 0.05) == [True, True, True]
    assert totals.holm([0.01, 0.03, 0.04], 0.05) == [True, False, False]
    assert totals.holm([0.02, 0.001], 0.05) == [True, True]
    assert totals.holm([], 0.05) == []


def test_the_error_is_divided_over_looks_and_comparisons() -> None:
    """alpha/2^k at the k-th look: all looks together never use more than alpha."""
    assert totals.error_at(0, 1) == 0.05
    assert totals.error_at(1, 1) == 0.025
    assert totals.error_at(2, 10) == pytest.approx(0.00125)
    assert sum(totals.error_at(look, 1) for look in range(1, len(LOOKS) + 1)) < 0.05


@pytest.mark.slow
def test_intervals_are_right_as_often_as_they_say() -> None:
    """Of 2,000 experiments with a known share and a known difference at most 6 in 100 miss either."""
    chance, missed, missed_pairs = Random(7), 0, 0
    for _ in range(2000):
        draws = [chance.random() for _ in range(150)]
        low, _high = totals.share(sum(draw < 0.2 for draw in draws), 150, 0.05)[1:3]
        missed += not low <= 0.2 <= _high
        cells = [sum(a <= draw < b for draw in draws) for a, b in ((0, .3), (.3, .4), (.4, .55), (.55, 1))]
        seen = totals.share_difference(Pairs(*cells), 0.05)
        missed_pairs += not seen.low <= 0.05 <= seen.high

    assert 0 < missed < 120
    assert 0 < missed_pairs < 120


def test_a_pilot_tells_how_many_are_needed() -> None:
    """The first look whose widest interval will be within the margin; 0 where none is."""
    errors = [sqrt(0.25 / 50), sqrt(0.1 / 50)]

    wanted = totals.campaigns_needed(errors, 50, 0.05)
    assert wanted == 1000
    assert (totals.quantile(totals.error_at(2, 2)) * sqrt(0.25 / wanted)) <= 0.05
    assert (totals.quantile(totals.error_at(1, 2)) * sqrt(0.25 / 500)) > 0.05
    assert totals.campaigns_needed(errors, 50, 0.0001) == 0
