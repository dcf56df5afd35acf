"""What fair dice come to, reckoned exactly, and how throws are counted against it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from assistant.turn.chances import Tally, chance, mean
from assistant.turn.dice import Roll, ways
from assistant.turn.rulings import Trial


def test_the_ways_of_two_dice_are_those_of_the_schoolbook() -> None:
    """One way to a 2, six to a 7, one to a 12."""
    assert ways(2, 6) == (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    assert ways(1, 20) == (1,) * 20


@pytest.mark.parametrize(("dice", "count", "sides"), [("1d6", 1, 6), ("2d6", 2, 6), ("3d4", 3, 4), ("2d10", 2, 10)])
def test_a_chance_is_that_of_counting_all_throws(dice: str, count: int, sides: int) -> None:
    """For every target, up and down and with any modifier, as many throws pass as counting them one by one."""
    throws = [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]
    for bonus in (-2, 0, 3):
        for target in range(-3, count * sides + 6):
            up = sum(total + bonus >= target for total in throws)
            down = sum(total + bonus <= target for total in throws)
            assert chance(dice, bonus, target) == Fraction(up, len(throws))
            assert chance(dice, bonus, target, at_most=True) == Fraction(down, len(throws))


def test_the_mean_is_exact() -> None:
    """Half a pip is half a pip."""
    assert (mean("1d6"), mean("2d6"), mean("3d5")) == (Fraction(7, 2), Fraction(7), Fraction(9))


def test_a_siege_of_the_book_is_counted_with_its_modifiers() -> None:
    """1d6+4 against 7: two thirds; a bare throw of two dice is no trial; typed dice are counted as such."""
    trial = Trial(Roll("siege:V8:1500:6", "1d6", 2, (2,), "P+V"), (("bribes", 2), ("full rounds besieging", 2)), 7)
    tally = Tally()
    tally.add(trial.as_data())
    tally.add({"key": "auto:B:V", "dice": "2d6", "value": 10, "faces": [], "typed": True})

    assert (tally.dice, tally.typed, tally.rolled, tally.expected) == (3, 2, 12, Fraction(21, 2))
    assert (tally.trials, tally.passed, tally.chance) == (1, 0, Fraction(2, 3))


def test_tallies_add_up() -> None:
    """The sum of two is what counting all at once gives."""
    one, other, both = Tally(), Tally(), Tally()
    for tally in (one, both):
        tally.add({"key": "a", "dice": "1d6", "value": 6})
    for tally in (other, both):
        tally.add({"key": "b", "dice": "1d20", "value": 3, "target": 11, "reach": "at most", "passed": True,
                   "modifiers": []})
    one += other

    assert one == both
    assert both.chance == Fraction(11, 20)
