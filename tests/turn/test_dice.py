"""Keyed dice, checks, counted successes and printed tables: what every rulebook throws with."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from assistant.turn.dice import (
    BadThrow,
    Dice,
    RangeTable,
    audience_secret,
    commitment,
    keyed_faces,
    parse_roll,
    secret_circle,
    sides_of,
)
from assistant.turn.dice_purposes import parts_of_purpose
from assistant.turn.rulebooks import load

SECRET = bytes(range(32))


def test_a_throw_depends_on_its_purpose_alone() -> None:
    """The same key throws the same in any order, beside any other throws."""
    first, second = Dice("1500", SECRET), Dice("1500", SECRET)
    alone = first.roll("siege:V8:1500:3", "1d6", "public").faces
    second.roll("storm:1500:3", "1d6", "public")
    second.roll("siege:F3:1500:3", "2d6", ["V", "F"])
    assert second.roll("siege:V8:1500:3", "1d6", "public").faces == alone


def test_turn_audience_and_key_each_make_another_throw() -> None:
    """Long throws differ when anything about them differs."""
    seen = {
        Dice(turn, SECRET).roll(key, "40d6", audience).faces
        for turn in ("1500", "1501") for key in ("a", "b") for audience in ("public", "V", "referee")
    }
    assert len(seen) == 12


def test_faces_are_fair_enough() -> None:
    """6,000 keyed faces: every face comes up between 900 and 1,100 times."""
    count = Counter(face for n in range(1500) for face in keyed_faces(SECRET, f"key{n}", "4d6"))
    assert set(count) == {1, 2, 3, 4, 5, 6}
    assert all(900 <= n <= 1100 for n in count.values())


def test_a_throw_can_be_recomputed_by_hand() -> None:
    """What a club needs: HMAC-SHA256 of the key under the audience's secret, first eight bytes, modulo sides."""
    secret = audience_secret(SECRET, "1500", "V")
    number = int.from_bytes(hmac.digest(secret, b"event:V:1500#1.0", "sha256")[:8], "big")
    assert keyed_faces(secret, "event:V:1500", "1d6") == (number % 6 + 1,)
    assert commitment(secret) == hashlib.sha256(secret).hexdigest()


def test_three_or_more_share_the_referees_secret() -> None:
    """Single factions and pairs have secrets of their own, larger circles would be too many to promise."""
    assert [secret_circle(a) for a in ("public", "V", "F+V", "F+M+V")] == ["public", "V", "F+V", "referee"]


@pytest.mark.parametrize(("dice", "value", "total", "faces"), [
    ("1d6", "5", 5, (5,)), ("2d6", "9", 9, ()), ("2d6", "4+5", 9, (4, 5)), ("1d20", "17", 17, (17,))])
def test_typed_dice_win(dice: str, value: str, total: int, faces: tuple[int, ...]) -> None:
    """A throw may be typed as a total, or die by die."""
    roll = Dice("1500", SECRET, {"k": value}).roll("k", dice, "public")
    assert (roll.total, roll.as_data()["faces"], roll.typed) == (total, list(faces), True)


@pytest.mark.parametrize(("dice", "value"), [("1d6", "7"), ("1d6", "0"), ("2d6", "13"), ("2d6", "1"), ("2d6", "3+4+5"),
                                             ("1d6", "x"), ("2d6", "7+1")])
def test_a_typed_value_that_cannot_be_is_refused(dice: str, value: str) -> None:
    """Nobody throws a seven."""
    with pytest.raises(ValueError, match=r"cannot|invalid|no dice|."):
        parse_roll("k", dice, value, "public")
    with pytest.raises(BadThrow):
        Dice("1500", SECRET, {"k": value}).roll("k", dice, "public")


def test_a_printed_table_is_read_by_range() -> None:
    """d10 tables with open ends; a gap is our mistake, not the referee's."""
    table = RangeTable("weather", ((None, 3, "storm"), (4, 5, "rain"), (7, None, "fair")))
    assert [table.at(n) for n in (-2, 3, 4, 5, 7, 40)] == ["storm", "storm", "rain", "rain", "fair", "fair"]
    with pytest.raises(LookupError, match="weather has no row for 6"):
        table.at(6)


def test_dice_words_are_checked() -> None:
    """``2d6`` is two dice of six; nothing else passes."""
    assert sides_of("2d6") == (2, 6)
    for wrong in ("d6", "0d6", "2d0", "2d6+1", "six"):
        with pytest.raises(ValueError, match="no dice"):
            sides_of(wrong)


@pytest.mark.parametrize(("book", "key", "parts"), [
    ("giglio", "siege:V8:1500:3", [("Nodes", "V8"), ("turn", "1500"), ("n", "3")]),
    ("incursio", "initiative/4/esdef/1", [("turn", "4"), ("Factions", "esdef"), ("n", "1")]),
    ("incursio", "foresight/4/17/09/11", [("turn", "4"), ("Nodes", "17"), ("", "09"), ("Nodes", "11")]),
    ("incursio", "nothing/4", [])])
def test_a_purpose_says_what_its_parts_are(book: str, key: str, parts: list[tuple[str, str]]) -> None:
    """A turn or a number is never taken for a place that has this number."""
    assert parts_of_purpose(load(book), key) == parts
