"""The order of play as a list: what follows a phase, and which turn is earlier."""

from __future__ import annotations

import pytest

from assistant.turn.calendar import OVER, Calendar, Turns
from assistant.turn.game import Game, Phase


def nothing(game: Game) -> None:
    """A phase in which nothing happens."""


def phase(name: str, *seasons: str) -> Phase:
    """A phase of that id."""
    return Phase(name, name, name, "1", nothing, only=seasons)


SEASONS = Turns(seasons=("Sp", "Su", "Fa", "Wi"))
YEARS = Calendar((phase("spring"), phase("winter")), after=(phase("final"),))
DAYS = Calendar((phase("morning"), phase("evening")), before=(phase("opening"),), start="0")
QUARTERS = Calendar((phase("call", "Sp"), phase("march"), phase("envoys", "Wi")), SEASONS)


def walk(calendar: Calendar, turn: str, at: str, last: str) -> list[str]:
    """Turn and phase from one on to the end."""
    seen = []
    while at != OVER:
        seen.append(f"{turn} {at}")
        turn, at = calendar.follows(turn, at, lambda turn=turn: turn == last)  # type: ignore[misc]
    return seen


def test_a_year_follows_the_other_and_the_last_leads_to_what_comes_after() -> None:
    """The phases after the last turn have a turn of their own."""
    assert walk(YEARS, "1500", "spring", "1501") == [
        "1500 spring", "1500 winter", "1501 spring", "1501 winter", "1502 final"]


def test_what_comes_before_the_first_turn_comes_once() -> None:
    """The opening is day 0; nothing follows the last day."""
    assert walk(DAYS, "0", "opening", "2") == ["0 opening", "1 morning", "1 evening", "2 morning", "2 evening"]
    assert [one.id for one in DAYS.of("")] == ["opening"]


def test_seasons_of_a_year_follow_each_other() -> None:
    """Winter is followed by the next year's spring; a phase comes in its seasons only."""
    assert walk(QUARTERS, "987Fa", "march", "988Sp") == [
        "987Fa march", "987Wi march", "987Wi envoys", "988Sp call", "988Sp march"]


def test_seasons_are_in_the_order_of_the_year_not_of_their_spelling() -> None:
    """Autumn, which is spelled first, comes third."""
    turns = ["988Sp", "987Wi", "987Fa", "987Su", "987Sp"]

    assert sorted(turns, key=SEASONS.key) == ["987Sp", "987Su", "987Fa", "987Wi", "988Sp"]
    assert SEASONS.year("987Fa") == "987"
    assert SEASONS.season("987Fa") == "Fa"


def test_numbers_are_in_their_own_order() -> None:
    """Day 10 comes after day 9."""
    assert sorted(["10", "9", "1"], key=Turns().key) == ["1", "9", "10"]


def test_what_is_no_turn_has_none_after_it() -> None:
    """Nobody guesses."""
    with pytest.raises(ValueError, match="no turn"):
        SEASONS.after("987")
    with pytest.raises(ValueError, match="no turn"):
        Turns().after("May")


def test_a_phase_is_declared_once() -> None:
    """Two of one id could not be told apart, and `over` is none."""
    with pytest.raises(ValueError, match="twice"):
        Calendar((phase("march"), phase("march"))).phases()
    with pytest.raises(ValueError, match="over"):
        Calendar((phase(OVER),)).phases()
