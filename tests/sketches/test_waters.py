"""The Waters: squares, corners, rivers that flow one way, a battle and the step back, by worked examples."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.turn.chances import chances
from tests.playing import codes_of
from tests.sketches.playing import Play, Promises, lines
from tests.sketches.waters import WATERS, Battle, Country, Force, Node, Order, fighting
from tests.sweeps import slow_among

# The delta:  A    B    C    D    E
#   1      capital .   marsh  .    .     a road A01-B01; a road and a river D01-D02
#   2        .   water   .    .    .     falls from D02 down to D03
#   3        .     .   water  .    .     the river goes on to D04
#   4        .     .     .    .  capital


@slow_among("test_what_a_faction_may_not_see_changes_no_byte")
class TestWaters(Promises):
    """All promises."""

    ruleset = WATERS


def play(**rows: dict[str, object]) -> Play:
    """The delta, with other values of some rows."""
    return Play(WATERS).set(**rows)


def stands(game: Play, army: str) -> str:
    """Where a Force is."""
    return game.campaign.table(Force)[army].node


def outcomes(game: Play) -> dict[str, tuple[str, str]]:
    """What became of each order, and what it came to."""
    return {row.text or row.verb: (row.status, row.outcome) for row in game.campaign.table(Order)}


# --- chapter 1: marches --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("start", "die", "ends", "came_to"), [
    ("A01", 1, "A01", "stays"),   # 1 and 1 for the road: no square
    ("A01", 2, "A02", "cut"),     # 3: one square
    ("A01", 5, "A03", "cut"),     # 6: two squares
    ("B01", 6, "A03", "cut"),     # 7: two as well, whatever is left of the path
])
def test_a_die_says_how_far_a_force_marches(start: str, die: int, ends: str, came_to: str) -> None:
    """3, 6 and 9 are one, two and three squares; a road where it starts helps."""
    game = play(N1={"node": start}).order("N", "N1 move A2-A3-B4").dice(move_N1_1=die)
    game.resolve()

    assert stands(game, "N1") == ends
    assert outcomes(game)["N1 move A2-A3-B4"] == ("accepted", came_to)


def test_a_marsh_takes_one_from_the_die() -> None:
    """3 less 1 is 2: no square; on open ground 3 is one."""
    for ground, ends in (("C01", "C01"), ("C02", "D02")):
        game = play(N1={"node": ground}, N2={"node": "A04"}, S2={"node": "E01"}).order("N", "N1 move D2")
        outcome = game.dice(move_N1_1=3).resolve()

        assert stands(game, "N1") == ends
    assert lines(WATERS, outcome)[0] == "N1 goes from C02 to D02: 1d6=3."


@pytest.mark.parametrize(("start", "line", "code"), [
    ("A01", "N1 move B2", "WTR-004"),        # water
    ("B03", "N1 move C2", "WTR-004"),        # a corner between the waters B02 and C03
    ("A02", "N1 move B3", ""),               # a corner beside one water only
    ("A01", "N1 move C1", "WTR-004"),        # a leap
    ("A01", "N1 move A2-F9", "WTR-003"),
    ("A01", "S1 move E3", "WTR-002"),
    ("A01", "N1 fly A2", "WTR-001"),
])
def test_a_path_is_walked_before_any_die(start: str, line: str, code: str) -> None:
    """Check refuses what the phase refuses, at the path; nothing is thrown for it."""
    game = play(N1={"node": start}).order("N", line)
    checked = [finding.code for finding in WATERS.check_orders(game.campaign)]
    outcome = game.resolve()

    assert checked == codes_of(outcome) == ([code] if code else [])
    assert [roll.key for roll in outcome.rolls] == ([] if code else ["move:N1:1"])


def test_a_force_stops_before_a_friend_and_before_a_fight_of_others() -> None:
    """One of a side on a square, and no third party in a fight."""
    game = play(N2={"node": "A02"}).order("N", "N1 move A2").dice(move_N1_1=6)
    game.resolve()
    assert (stands(game, "N1"), outcomes(game)["N1 move A2"]) == ("A01", ("accepted", "stays"))

    game = play(N1={"node": "E01"}, N2={"node": "D02"}, S1={"node": "E03"}).order("N", "N1 move E2", "N2 move E2")
    game.dice(move_N1_1=6, move_N2_1=6).resolve()
    assert (stands(game, "N1"), stands(game, "N2")) == ("E02", "D02")


def test_the_last_order_of_a_force_counts_and_who_digs_in_stays() -> None:
    """Move, sail and dig are one purpose."""
    game = play().order("N", "N2 sail D2", "N2 dig")
    outcome = game.resolve()

    assert {text: status for text, (status, _) in outcomes(game).items()} == {
        "N2 sail D2": "replaced", "N2 dig": "accepted"}
    assert game.campaign.table(Force)["N2"].dug
    assert lines(WATERS, outcome) == ["N2 digs in."]


# --- chapter 2: rivers ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("start", "line", "die", "ends"), [
    ("D01", "N2 sail D2-D3-D4", 5, "D04"),    # 5 and 1 for the current: three squares, the falls down
    ("D01", "N2 sail D2-D3-D4", 2, "D03"),    # 3: two
    ("D01", "N2 sail D2", 1, "D02"),          # a raft always drifts one
    ("D02", "N2 sail D1", 6, "D01"),          # against the current 6 less 2
    ("D01", "N2 move D2", 3, "D02"),          # the road beside the river: 3 and 1
])
def test_a_river_carries_downstream_and_is_dearer_upstream(start: str, line: str, die: int, ends: str) -> None:
    """Two links join D01 and D02; the verb says which is meant."""
    game = play(N2={"node": start}, S1={"node": "A04"}).order("N", line)
    outcome = game.dice(move_N2_1=die).resolve()

    assert (codes_of(outcome), stands(game, "N2")) == ([], ends)


@pytest.mark.parametrize(("start", "line"), [("D03", "N2 sail D2"), ("D01", "N2 sail E1"), ("D04", "N2 sail D3-D2")])
def test_nobody_sails_up_falls_or_where_no_river_is(start: str, line: str) -> None:
    """Refused at the path."""
    outcome = play(N2={"node": start}).order("N", line).resolve()

    assert [(finding.code, finding.where.field) for finding in outcome.findings] == [("WTR-005", "path")]


# --- chapter 3: battles --------------------------------------------------------------------------------------
def met(**rows: dict[str, object]) -> Play:
    """N1 has marched from E01 into S2 at E02."""
    game = play(N1={"node": "E01"}, **rows).order("N", "N1 move E2").dice(move_N1_1=3)
    outcome = game.resolve()
    assert lines(WATERS, outcome)[-1] == "N1 meets S2 at E02."
    return game


def test_a_battle_waits_for_the_table() -> None:
    """Its form is handed out; a word that is no side is told at the cell."""
    game = met()
    waiting = game.resolve()
    assert [(one.kind, one.to, one.about) for one in waiting.questions] == [("result", "referee", "B1")]
    game.campaign.table(Battle)["B1"].winner = "nobody"

    assert codes_of(game.resolve()) == ["WTR-006"]


def test_the_beaten_are_asked_where_they_step_back() -> None:
    """The free squares, not D01 where N2 stands; the nearest to their capital is the default."""
    game = met()
    game.campaign.table(Battle)["B1"].winner = "attacker"
    waiting = game.resolve()
    (question,) = waiting.questions
    assert (question.to, question.options, question.default) == ("S", "D03, E03, D02, E01", "D03")
    assert stands(game, "S2") == "E02"
    outcome = game.resolve(_1_battle_retreat_S_S2="e3")

    assert stands(game, "S2") == "E03"
    assert lines(WATERS, outcome) == ["B1 at E02: N1 wins.", "S2 steps back to E03."]


def test_who_has_nowhere_to_go_is_no_more() -> None:
    """In a corner of the map, between waters and others."""
    game = play(N1={"node": "A02"}, S2={"node": "A01"}, N2={"node": "B01"}).order("N", "N1 move A1")
    game.dice(move_N1_1=3).resolve()
    game.campaign.table(Node)["A02"].terrain = "water"
    game.campaign.table(Battle)["B1"].winner = "attacker"
    outcome = game.resolve()

    assert (outcome.done, stands(game, "S2")) == (True, "")
    assert lines(WATERS, outcome)[-1] == "S2 has nowhere to go and is no more."


def test_dice_decide_where_nobody_plays_and_a_draw_is_the_defenders() -> None:
    """1d6 and V.C., 1 more for who has dug in."""
    game = met(S2={"node": "E02", "vc": 2, "dug": True}).dice(clash_B1_N1=3, clash_B1_S2=3)
    outcome = game.resolve(_1_battle_result_referee_B1="auto", _1_battle_retreat_N_N1="default")

    assert lines(WATERS, outcome) == [
        "B1: N1 1d6=3, +3 V.C.: 6; S2 1d6=3, +2 V.C., +1 dug in: 6.", "B1 at E02: S2 wins.", "N1 steps back to D02."]


def test_the_chances_of_a_battle_are_exact() -> None:
    """V.C. 3 against 1 and dug in: the attacker is 1 up, and a draw is the defender's, so he wins 21 in 36."""
    game = met(S2={"node": "E02", "vc": 1, "dug": True})
    game.campaign.table(Battle)["B1"].method = "auto"
    answers = {"1.battle.retreat.N.N1": "default", "1.battle.retreat.S.S2": "default"}

    assert chances(fighting, lambda land: land.battles["B1"].winner,
                   lambda dice: Country(WATERS.game(game.campaign.copy(), dice=dice, answers=answers))) == {
        "attacker": Fraction(21, 36), "defender": Fraction(15, 36)}


def test_a_force_that_is_no_more_does_not_march() -> None:
    """It stands nowhere, from where no way leads."""
    outcome = play(N1={"node": ""}).order("N", "N1 move A2").resolve()

    assert [(finding.code, finding.where.field) for finding in outcome.findings] == [("WTR-004", "path")]


# --- chapter 4: the end --------------------------------------------------------------------------------------
def test_who_holds_all_capitals_wins() -> None:
    """N1 enters Southmere behind the back of S1; the campaign is over with that week."""
    game = play(N1={"node": "E03"}, S1={"node": "A03"}).order("N", "N1 move E4").dice(move_N1_1=3)
    game.resolve()
    outcome = game.resolve()

    assert lines(WATERS, outcome) == ["E04 falls to N.", "The campaign is over. The victory goes to N."]
    assert WATERS.is_over(game.campaign)


def test_after_the_last_week_it_is_shared() -> None:
    """Each holds its own."""
    game = play(waters={"turn": "6", "phase": "battle"})

    assert lines(WATERS, game.resolve()) == ["The campaign is over. The victory goes to N S."]


# --- secrets -------------------------------------------------------------------------------------------------
def test_others_know_where_a_force_is_and_not_what_it_is_worth() -> None:
    """Nor whether it has dug in, nor its die."""
    game = play().order("N", "N2 dig", "N1 move A2").dice(move_N1_1=3)
    game.resolve()
    seen = WATERS.view(game.campaign, "S")

    first = [row.as_text() for row in seen.table(Force)][:2]
    assert [(one["army"], one["node"], one["vc"], one["dug"]) for one in first] == [
        ("N1", "A02", "", ""), ("N2", "D01", "", "")]
    assert [event.event for event in seen.by_sheet("Events")] == ["seen"]
    assert list(seen.by_sheet("Dice")) == []
