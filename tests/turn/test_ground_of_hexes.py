"""What joined the ground floor with the second rulebook: hexes, exact parts of a unit, readings of tables."""

from __future__ import annotations

import pytest

from assistant.campaign.columns import Data, Parts, Typed, UnreadableValue, Whole
from assistant.campaign.map import (
    DIRECTIONS,
    HexMap,
    adjacent_codes,
    direction,
    distance,
    nearest,
    opposite,
    step,
    turn_direction,
)
from assistant.turn.dice import RangeTable, parse_roll
from assistant.turn.rulings import Steps, read_scale
from assistant.wording import Wording


# --- hexes ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("start", "around"), [
    ("0605", ["0604", "0705", "0706", "0606", "0506", "0505"]),
    ("0705", ["0704", "0804", "0805", "0706", "0605", "0604"]),
])
def test_even_columns_lie_half_a_hex_south(start: str, around: list[str]) -> None:
    """The six neighbours, N first and clockwise, of a hex in an even and in an odd column."""
    assert adjacent_codes(start) == around
    assert [direction(start, there) for there in around] == list(DIRECTIONS)


@pytest.mark.parametrize(("a", "b", "hexes"), [("0605", "0411", 7), ("1404", "1307", 3), ("0605", "0605", 0)])
def test_distance_counts_hexes(a: str, b: str, hexes: int) -> None:
    """The distances that the rulebook page of The Anarchy works out, the same both ways."""
    assert distance(a, b) == distance(b, a) == hexes


def test_every_step_can_be_taken_back() -> None:
    """One step and the opposite one lead home, from every hex inside the map."""
    for column in range(2, 12):
        for row in range(2, 12):
            home = f"{column:02}{row:02}"
            assert all(step(step(home, d), opposite(d)) == home for d in DIRECTIONS)
    assert turn_direction("N", -1) == "NW"


def test_the_cheapest_way_is_one_and_the_same() -> None:
    """Least cost, then fewest hexes, then the smallest codes; around what is dear, along a road if there is one."""
    board = HexMap({"0102": ("open",), "0202": ("hill", "river")}, [("0101", "0102", "road")], "0101", "0404")
    price = {"open": 1, "hill": 2, "river": 3}

    def cost(a: str, b: str) -> int:
        return 1 if board.road(a, b) else board.worst(b, price)

    assert board.worst("0202", price) == 3
    assert board.way("0101", ["0103"], cost) == ("0102", "0103")
    assert board.way("0201", ["0203"], cost) == ("0102", "0103", "0203")
    assert board.way("0101", ["0101"], cost) == ()
    assert "0405" not in board


def test_a_listed_rectangle_is_the_whole_board() -> None:
    """Without corners only what is listed is on the map; with corners the rest is plain."""
    assert "0102" not in HexMap({"0101": ("open",)}, [])
    assert HexMap({"0101": ("hill",)}, [], "0101", "0202").terrains("0202") == ("open",)


def test_the_nearest_of_some_places() -> None:
    """By hexes, then by code."""
    assert nearest("0605", [("b", "0606"), ("a", "0604"), ("c", "0605")]) == "c"
    assert nearest("0605", [("b", "0606"), ("a", "0604")]) == "a"
    assert nearest("0605", []) == ""


# --- exact parts --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("typed", "parts", "shown"), [
    ("12.5", 25, "12.5"), ("12,5", 25, "12.5"), (30, 60, "30"), (0.5, 1, "0.5"), ("0", 0, "0"), ("-1.5", -3, "-1.5")])
def test_half_pounds_are_exact(typed: object, parts: int, shown: str) -> None:
    """Held as whole halves, shown in pounds, point or comma."""
    assert Parts(2).read(typed) == parts
    assert Parts(2).show(parts) == shown


@pytest.mark.parametrize(("typed", "reason"), [("1.25", "whole"), ("x", "number"), ("1/2", "number"), ("-1", "range")])
def test_what_is_no_half_is_refused(typed: str, reason: str) -> None:
    """Quarters, words, and less than the least."""
    with pytest.raises(UnreadableValue) as no:
        Parts(2, 0).read(typed)
    assert no.value.reason == reason


# --- readings -----------------------------------------------------------------------------------------
BAND = RangeTable("loyalty", ((None, 4, "angevin"), (5, 6, "neutral"), (7, None, "royal")))


def test_a_level_with_modifiers_is_kept_within_its_ends() -> None:
    """10 and 4 more is 10; modifiers of 0 are not listed; a report shows level, modifiers, sum and word."""
    reading = read_scale(BAND, {"prestige": 2, "numbers": 2, "swing": 0}, level=10, low=1, high=10)
    assert (reading.total, reading.verdict, reading.modifiers) == (10, "royal", (("prestige", 2), ("numbers", 2)))
    assert Wording(None, "en").roll(reading.as_data()) == "level 10, +2 prestige, +2 numbers: 10: royal"
    assert Wording(None, "it").roll(reading.as_data()).startswith("livello 10, ")


def test_a_throw_is_read_in_a_table() -> None:
    """A throw with a modifier, and one beside a level that counts by its modifier alone."""
    roll = parse_roll("x", "1d10", "3", "public")
    assert read_scale(BAND, {"hurt": 2}, roll=roll).verdict == "neutral"
    swung = read_scale(BAND, {"swing": -1}, level=5, roll=roll)
    assert (swung.total, swung.verdict) == (4, "angevin")
    assert Wording(None, "en").roll(swung.as_data()) == "level 5, 1d10=3, -1 swing: 4: angevin"


def test_a_ten_may_be_typed_as_nought() -> None:
    """Dice with ten and with a hundred faces show 0 for their highest; others have no 0."""
    assert parse_roll("x", "1d10", "0", "public").total == 10
    assert parse_roll("x", "1d100", "00", "public").total == 100
    with pytest.raises(ValueError, match="1d6 cannot show 0"):
        parse_roll("x", "1d6", "0", "public")


def test_steps_of_modifiers() -> None:
    """The last row whose lowest number is reached; below the first the first's."""
    steps = Steps(((0, -2), (3, -1), (5, 0)))
    assert [steps.at(n) for n in (-1, 0, 2, 3, 4, 5, 99)] == [-2, -2, -2, -1, -1, 0, 0]


@pytest.mark.parametrize("kind", [Whole(0), Whole(blank=True), Parts(2), Parts(100)])
@pytest.mark.parametrize("digits", [16, 40, 5000])
def test_numbers_have_at_most_fifteen_digits(kind: Whole | Parts, digits: int) -> None:
    """No number is read that no sheet could show again; it is told at its cell."""
    with pytest.raises(UnreadableValue):
        kind.read("9" * digits)


@pytest.mark.parametrize("digits", [16, 5000])
def test_what_is_typed_beyond_fifteen_digits_stays_text(digits: int) -> None:
    """What a club typed where a number is meant is quoted as it stands, however long."""
    assert Typed().read("9" * 15) == int("9" * 15)
    assert Typed().read("9" * digits) == "9" * digits


@pytest.mark.parametrize("typed", ["10", "[1]", '"x"', "true", "[" * 100000, "{"])
def test_details_are_an_object_or_nothing(typed: str) -> None:
    """A cell of details that holds no object is told at its cell."""
    with pytest.raises(UnreadableValue):
        Data().read(typed)
    assert Data().read('{"a": 1}') == {"a": 1}
