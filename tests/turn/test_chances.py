"""The chances of a phase: exact, by the questions that its rules ask, and the same as throwing many times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import comb, sqrt

import pytest

from assistant.campaign.campaign import Campaign
from assistant.turn.chances import OpenDice, TooMany, chance, chances
from assistant.turn.dice import FACES, HIGHEST, SUM, BadThrow, Dice, ReadMode, Roll, spread, successes
from assistant.turn.rulings import Contest, Count, Limit, Score, highest_thrower, rank_by_throw, sort_by_throw
from tests.turn import raid
from tests.turn.raid import Field

SIXTH = Fraction(1, 6)
Runs = list[OpenDice]


def fresh(campaign: Campaign, runs: Runs | None = None) -> Callable[[Dice], Field]:
    """Boards of one campaign, each on a copy of its own; `runs` notes the dice of each."""
    def board(dice: Dice) -> Field:
        if runs is not None and isinstance(dice, OpenDice):
            runs.append(dice)
        return Field(raid.RAID.game(campaign.copy(), dice=dice))

    return board


def again(field: Field, dice: Dice) -> Field:
    """The same board with other dice: what the siege reads and sets is as it was before."""
    field.game.dice, field.places["K"].holder = dice, ""
    return field


def keep_and_fate(field: Field) -> tuple[str, str]:
    """What is asked of a siege: who holds the keep, and what became of the besieger."""
    return field.places["K"].holder, field.bands["A"].fate


def test_a_siege_of_six_dice_is_reckoned_exactly() -> None:
    """The keep falls in one of four assaults on 6, 5, 4, 3 or more; losses by their rows; a storm on a 6."""
    found = chances(raid.assault, keep_and_fate, fresh(raid.raid("assault")))

    falls = 1 - Fraction(5 * 4 * 3 * 2, 6**4)
    losses = {"none": Fraction(1, 3), "some": Fraction(1, 2), "many": SIXTH}
    assert sum(found.values()) == 1
    assert found == {(holder, loss + storm): p * q * r
                     for holder, p in (("A", falls), ("", 1 - falls)) for loss, q in losses.items()
                     for storm, r in (("", 1 - SIXTH), (" scattered", SIXTH))}


def test_a_siege_of_six_dice_is_reckoned_in_thirty_runs() -> None:
    """One for each way in which its questions are answered, and not 46,656."""
    runs: Runs = []
    chances(raid.assault, keep_and_fate, fresh(raid.raid("assault"), runs))

    assert len(runs) == 5 * 3 * 2


@pytest.mark.slow
def test_ten_thousand_sieges_agree() -> None:
    """The same function with dice that are thrown: each answer as often as its chance says, within four deviations."""
    campaign, many = raid.raid("assault"), 10_000
    exact = chances(raid.assault, keep_and_fate, fresh(campaign))
    field = Field(raid.RAID.game(campaign))
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(many):
        raid.assault(again(field, Dice("1", number.to_bytes(32, "big"))))
        seen[keep_and_fate(field)] += 1

    assert set(seen) <= set(exact)
    for answer, p in exact.items():
        assert abs(seen[answer] - many * p) <= 4 * sqrt(many * p * (1 - p)), answer


@pytest.mark.parametrize("taken", ["number", "question"])
def test_a_rule_that_takes_the_number_has_the_same_chances(taken: str) -> None:
    """It is only tried more often."""
    def rule(field: Field) -> None:
        total = field.roll(raid.BAND_WILL("A"))
        good = total.total >= 9 if taken == "number" else total.at_least(9)
        field.bands["A"].fate = "good" if good else "bad"

    runs: Runs = []
    found = chances(rule, lambda field: field.bands["A"].fate, fresh(raid.raid("will"), runs))

    assert found == {"bad": Fraction(26, 36), "good": Fraction(10, 36)}
    assert len(runs) == (11 if taken == "number" else 2)


def test_questions_to_one_throw_agree() -> None:
    """Whatever was asked before, in whatever way, the next answer fits to it; together all is as the faces have it."""
    def rule(dice: Dice) -> tuple[object, ...]:
        roll = dice.roll("k", "3d6", "public")
        count = Count(roll, Limit(2))
        return (roll.at_least(11), Score(roll, (), HIGHEST).at_most(5), count.successes, roll.total, roll.faces,
                roll.at_least(11))

    answers = chances(lambda _: None, rule, lambda dice: dice)

    expected = Counter((sum(f) >= 11, max(f) <= 5, sum(n <= 2 for n in f), sum(f), f, sum(f) >= 11)
                       for f in product(range(1, 7), repeat=3))
    assert answers == {answer: Fraction(n, 216) for answer, n in expected.items()}


@pytest.mark.parametrize("read", [SUM, HIGHEST, FACES, successes(6, 3), successes(6, 4, at_least=True),
                                  successes(6, 0, bounds=True), successes(6, 8, bounds=True), successes(6, 0)])
def test_what_dice_come_to_is_counted_without_throwing(read: ReadMode) -> None:
    """In as many ways as counting every throw."""
    for count, sides in ((1, 6), (2, 6), (3, 6), (2, 4)):
        expected = Counter(read.of(f) for f in product(range(1, sides + 1), repeat=count))
        assert dict(spread(count, sides, read)) == expected


# --- the ways of throwing ----------------------------------------------------------------------
def test_the_chances_of_a_will_are_those_of_the_printed_table() -> None:
    """Two dice, rating 3: 25, 50 and 25 in a hundred; rating 9 with the bounds is as 5."""
    def will(morale: int) -> dict[str, Fraction]:
        campaign = raid.raid("will", bands="A", morale=morale)
        return chances(raid.will, lambda field: field.bands["A"].fate, fresh(campaign))

    assert will(3) == {"carries on": Fraction(1, 4), "morale shaken": Fraction(1, 2), "disaster": Fraction(1, 4)}
    assert will(9) == {"carries on": Fraction(25, 36), "morale shaken": Fraction(10, 36), "disaster": Fraction(1, 36)}
    assert will(0) == {"carries on": Fraction(1, 36), "morale shaken": Fraction(10, 36), "disaster": Fraction(25, 36)}


def test_no_dice_have_one_outcome() -> None:
    """A captain without a name throws none; eleven dice are no matter either."""
    def fate(worth: int) -> dict[str, Fraction]:
        campaign = raid.raid("fate", bands="A", name_worth=worth)
        return chances(raid.fate, lambda field: field.bands["A"].fate, fresh(campaign))

    assert fate(0) == {"captive": 1}
    assert fate(11)["captive"] == Fraction(1, 2**11)
    assert fate(11)["wounded"] == Fraction(11, 2**11)


@pytest.mark.parametrize(("a", "d"), [(2, 2), (3, 2), (4, 2), (5, 3)])
def test_hits_beyond_the_defence_are_those_of_the_printed_formula(a: int, d: int) -> None:
    """P(h) = C(a+d, d+h) / 2^(a+d) for one hit or more; 2 against 2 none in 11 of 16, 5 against 3 none in 93 of 256."""
    def hits(dice: Dice) -> int:
        sides = {name: Count(dice.roll(name, f"{n}d6", "public"), Limit(3)) for name, n in (("a", a), ("d", d))}
        return Contest(sides).ask(lambda scores: max(0, scores[0] - scores[1]))

    found = chances(lambda _: None, hits, lambda dice: dice)

    none = {(2, 2): Fraction(11, 16), (3, 2): Fraction(1, 2), (4, 2): Fraction(11, 32), (5, 3): Fraction(93, 256)}
    assert found[0] == none[a, d]
    assert {h: p for h, p in found.items() if h} == {
        h: Fraction(comb(a + d, d + h), 2**(a + d)) for h in range(1, a + 1)}


def test_who_is_higher_and_by_how_much_agree() -> None:
    """Of the clash of three dice with three: the winner and a rout together, as counting all throws has them."""
    found = chances(raid.clash, lambda field: tuple(band.fate for band in field.bands), fresh(raid.raid("clash")))

    expected: Counter[tuple[str, ...]] = Counter()
    for mine, theirs in product(range(4), repeat=2):
        words = {0: "stands", 1: "beaten"}
        lost = [max(0, theirs - mine), max(0, mine - theirs)]
        expected[tuple(words.get(n, "routed") for n in lost)] += comb(3, mine) * comb(3, theirs)
    assert found == {fates: Fraction(n, 64) for fates, n in expected.items()}


def test_lots_firsts_orders_and_omens() -> None:
    """Places burn alike, each band goes first alike, doubles are one in six, and in an order equals stand as listed."""
    def asked(field: Field) -> tuple[object, ...]:
        burnt = next(place.node for place in field.places if place.holder == "fire")
        return (burnt, *(band.fate for band in field.bands))

    found = chances(raid.chance_and_order, asked, fresh(raid.raid("order", places="K L M")))

    def share(fits: Callable[[tuple[object, ...]], bool]) -> Fraction:
        return sum((p for answer, p in found.items() if fits(answer)), Fraction(0))

    assert [share(lambda one, place=place: one[0] == place) for place in "KLM"] == [Fraction(1, 3)] * 3  # type: ignore[misc]
    assert share(lambda one: str(one[1]).startswith("first")) == Fraction(1, 2)
    assert share(lambda one: "omen" in str(one[1])) == SIXTH
    assert share(lambda one: " 0" in str(one[1])) == Fraction(21, 36)


def test_ranks_have_the_chances_of_all_throws() -> None:
    """Of three: who stands first where equals keep their places, and every order alike where they throw again."""
    def throw(dice: Dice) -> Callable[[str], Roll]:
        return lambda name: dice.roll(name, "1d6", "public")

    kept = chances(lambda _: None, lambda dice: tuple(sort_by_throw("ABC", throw(dice))), lambda dice: dice)
    again = chances(lambda _: None, lambda dice: tuple(rank_by_throw("ABC", lambda name, _: throw(dice)(name))[0]),
                    lambda dice: dice)

    expected = Counter(tuple(sorted("ABC", key=lambda name, f=f: -f["ABC".index(name)]))  # type: ignore[misc]
                       for f in product(range(1, 7), repeat=3))
    assert kept == {order: Fraction(n, 216) for order, n in expected.items()}
    assert again == dict.fromkeys(permutations("ABC"), SIXTH)


def test_what_was_typed_is_certain() -> None:
    """With a 4 on the table the other is first by 5 or 6, or after a tie; what cannot be is refused here, too."""
    def first(typed: dict[str, str]) -> dict[str, Fraction]:
        return chances(lambda _: None, lambda dice: highest_thrower("AB", lambda name, again: dice.roll(
            f"{name}{again}", "1d6", "public"))[0], lambda dice: dice, typed=typed)

    assert first({}) == {"A": Fraction(1, 2), "B": Fraction(1, 2)}
    assert first({"A1": "4"})["B"] == Fraction(2, 6) + SIXTH / 2
    with pytest.raises(BadThrow):
        first({"A1": "7"})


# --- where it ends -------------------------------------------------------------------------------
def test_more_ways_than_can_be_tried_are_said() -> None:
    """A rule that throws until a six comes, dice beyond number, a look at a die of which only the rank is known."""
    def until_six(dice: Dice) -> int:
        n = 1
        while not dice.roll(f"k{n}", "1d6", "public").at_least(6):
            n += 1
        return n

    with pytest.raises(TooMany, match="1000 questions"):
        chances(until_six, lambda _: 0, lambda dice: dice)
    with pytest.raises(TooMany, match="50 runs"):
        chances(lambda _: None, lambda dice: sum(dice.roll(str(n), "1d6", "public").total for n in range(3)),
                lambda dice: dice, most=50)
    with pytest.raises(TooMany, match="every face of 12d6"):
        chances(lambda _: None, lambda dice: dice.roll("k", "12d6", "public").faces, lambda dice: dice)

    def looks(dice: Dice) -> int:
        _, rolls = highest_thrower("AB", lambda name, again: dice.roll(f"{name}{again}", "1d6", "public"))
        return rolls[0].total

    with pytest.raises(ValueError, match="only its rank is known"):
        chances(looks, lambda _: 0, lambda dice: dice)


def test_a_sum_of_forty_dice_is_one_question() -> None:
    """As the page of luck reckons it."""
    found = chances(lambda _: None, lambda dice: dice.roll("k", "40d6", "public").at_least(150), lambda dice: dice)

    assert found[True] == chance("40d6", 0, 150)
