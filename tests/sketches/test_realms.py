"""The Realms: counted tests, the highest die, and nations that the rules play, by worked examples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.campaign.records import Die, Question
from assistant.turn.chances import chances
from tests.playing import codes_of
from tests.sketches.playing import Play, Promises, lines
from tests.sketches.realms import REALMS, Node, Order, Realm, Realms, declaring, fighting
from tests.sweeps import slow_among

# The frontier: V1 - V2 - V3* - S1* - S2     a star is a fort; G and B are played by the rules, B without a leader
#                    |               |
#                   G1* - G2 ------ B1


@slow_among("test_what_a_faction_may_not_see_changes_no_byte")
class TestRealms(Promises):
    """All promises."""

    ruleset = REALMS


def play(phase: str = "war", turn: str = "1Sp", **rows: dict[str, Any]) -> Play:
    """The frontier in a phase, with other values of some rows."""
    return Play(REALMS).set(realms={"turn": turn, "phase": phase}, **rows)


def at_war(phase: str, **rows: dict[str, Any]) -> Play:
    """V and S are at war, G and B as well."""
    both = {"V": "S", "S": "V", "G": "B", "B": "G"}
    said: dict[str, Any] = {one: {"enemy": other, **rows.get(one, {})} for one, other in both.items()}
    return play(phase, **{**rows, **said})


def enemies(game: Play) -> dict[str, str]:
    """Who is at war with whom."""
    return {row.faction: row.enemy for row in game.campaign.table(Realm) if row.enemy}


PEACE: dict[str, int | str] = dict.fromkeys(("war_S_1Sp", "war_G_1Sp", "war_B_1Sp", "war_V_1Sp"), "6+6")


# --- chapter 1: hiring ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "code", "units"), [
    ("hire 4", "", 10), ("arruola 1", "", 7), ("hire 5", "RLM-003", 6), ("hire 0", "RLM-002", 6)])
def test_units_cost_a_resource_each(line: str, code: str, units: int) -> None:
    """V has four resources and six units."""
    game = play("hire").order("V", line)
    outcome = game.resolve()

    assert (codes_of(outcome), game.campaign.table(Realm)["V"].units) == ([code] if code else [], units)


def test_in_fall_and_winter_nobody_hires() -> None:
    """A season has the phases that are its own; an order in vain is told."""
    assert REALMS.phase_ids(play(turn="1Sp").campaign) == ("hire", "war", "invade", "close")
    assert REALMS.phase_ids(play(turn="1Fa").campaign) == ("war", "invade", "close")
    assert REALMS.phase_ids(play(turn="1Wi").campaign) == ("close",)
    assert REALMS.calendar.follows("1Wi", "close", lambda: False) == ("2Sp", "hire")


# --- chapter 2: who goes to war ------------------------------------------------------------------------------
@pytest.mark.parametrize(("dice", "wants", "enemy"), [
    ("3+4", "S", "S"),     # two successes of 4 or less: war
    ("2+6", "S", "S"),     # one: it may be, and the ruler wants it
    ("2+6", "", ""),       # one, and he does not
    ("5+6", "S", ""),      # none: peace, whatever he wants
])
def test_the_people_decide_or_leave_it_to_the_ruler(dice: str, wants: str, enemy: str) -> None:
    """V has a war rating of 4; a rating test without bounds."""
    game = play().dice(**{**PEACE, "war_V_1Sp": dice})
    if wants:
        game.order("V", f"war {wants}")
    outcome = game.resolve()

    assert enemies(game).get("V", "") == enemy
    assert lines(REALMS, outcome)[-1 - bool(enemy)].startswith("V: 2d6=")
    assert "against 4 (war rating 4)" in lines(REALMS, outcome)[-1 - bool(enemy)]


def test_the_rules_dare_where_somebody_is_weaker() -> None:
    """G has four units: one success is peace beside stronger neighbours, and war where V has three."""
    for units, enemy in ((6, ""), (3, "V")):
        game = play(V={"units": units}).dice(**{**PEACE, "war_G_1Sp": "2+6"})
        game.dice(target_G_V_1Sp=5, target_G_B_1Sp=1) if enemy else None
        game.resolve()
        assert enemies(game).get("G", "") == enemy


def test_the_highest_die_draws_the_enemy_and_ties_throw_again_without_modifiers() -> None:
    """V looks from G (4 units) to S (5), both weaker: 3 and 3, each 1 more, tie; then 2 against 5."""
    game = play().dice(**{**PEACE, "war_V_1Sp": "1+1", "target_V_G_1Sp": 3, "target_V_S_1Sp": 3,
                          "target_V_G_1Sp_t2": 2, "target_V_S_1Sp_t2": 5})
    outcome = game.resolve()

    assert enemies(game) == {"V": "S", "S": "V"}
    assert [line for line in lines(REALMS, outcome) if "looks" in line] == [
        "V looks for an enemy: G 1d6=3, +1 weaker: 4, then 1d6=2; S 1d6=3, +1 weaker: 4, then 1d6=5: S."]


def test_the_chances_of_a_war_are_exact() -> None:
    """V makes war on two successes of two dice of 4 or less: 4 in 9; whom, the dice say, G and S with equal chances
    where both are weaker, and S with 15 in 36 + half of the 6 in 36 where G alone is weaker by 1.
    """
    def board(game: Play) -> dict[str, Fraction]:
        return chances(declaring, lambda land: land.realms["V"].enemy,
                       lambda dice: Realms(REALMS.game(game.campaign.copy(), dice=dice)),
                       typed={key.replace("_", ":"): "6+6" for key in PEACE if not key.startswith("war_V")}, turn="1Sp")

    both = board(play())
    assert (both[""], both["G"], both["S"]) == (Fraction(5, 9), Fraction(2, 9), Fraction(2, 9))
    one = board(play(S={"units": 9}))
    assert one["S"] == Fraction(4, 9) * (Fraction(10, 36) + Fraction(5, 36) / 2)


# --- chapter 3: invasions and answers ------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "code"), [
    ("invade S1", ""), ("invadi s1", ""), ("invade S2", "RLM-006"), ("invade G1", "RLM-006"), ("invade X9", "RLM-005")])
def test_an_army_invades_the_enemy_next_door(line: str, code: str) -> None:
    """S1 is, S2 is not next to V3, G1 is no enemy's."""
    game = at_war("invade").order("V", line)

    assert [finding.code for finding in REALMS.check_orders(game.campaign)] == ([code] if code else [])


def test_a_club_with_a_fort_is_asked_and_the_rules_are_not() -> None:
    """S is asked in S1; B invades G2, where there is no fort, because it is stronger."""
    game = at_war("invade").order("V", "invade S1")
    waiting = game.resolve()

    assert [(question.to, question.about, question.options, question.default) for question in waiting.questions] == [
        ("S", "S1", "fight, fort", "fight")]
    assert not {question.to for question in game.campaign.table(Question)} & {"G", "B"}
    outcome = game.resolve(_1Sp_invade_response_S_S1="fort")
    assert [line for line in lines(REALMS, outcome) if "answers" in line] == [
        "S answers V at S1: fort.", "G answers B at G2: fight."]
    assert game.campaign.table(Node)["S1"].owner == "S"


@pytest.mark.parametrize(("units", "answer"), [(6, "fight"), (5, "fort")])
def test_the_rules_fight_from_three_quarters_on(units: int, answer: str) -> None:
    """V invades G1, a fort, with eight units."""
    game = play("invade", V={"enemy": "G", "units": 8}, G={"enemy": "V", "units": units}).order("V", "invade G1")

    assert f"G answers V at G1: {answer}." in lines(REALMS, game.resolve())


def test_no_club_orders_for_the_rules() -> None:
    """In the book's own words, at the row."""
    game = at_war("invade").order("G", "invade B1")
    outcome = game.resolve()

    assert codes_of(outcome) == ["RLM-007"]
    assert [order.status for order in game.campaign.table(Order)] == ["refused"]


# --- chapter 4: battles --------------------------------------------------------------------------------------
def test_each_leader_is_worth_so_many_dice() -> None:
    """V throws four, 1 to 3 a success; B, who has no leader, throws none and has no success."""
    game = at_war("invade").order("V", "invade S1").dice(clash_B1_V="1+2+3+6", clash_B1_S="1+5+5")
    outcome = game.resolve(_1Sp_invade_response_S_S1="fight")
    told = [line for line in lines(REALMS, outcome) if line.startswith("B1") or "takes" in line]

    assert told == ["B1 at S1: V 4d6=1,2,3,6 against 3: 3 successes; S 3d6=1,5,5 against 3: 1 success.",
                    "V takes S1 from S."]
    assert game.campaign.table(Node)["S1"].owner == "V"
    assert "clash:B2:B" not in game.campaign.table(Die)


def test_the_chances_of_a_battle_are_exact() -> None:
    """Four dice against three: the attacker has more in 64 of 128."""
    game = at_war("invade", B={"enemy": ""}, G={"enemy": ""}).order("V", "invade S1")
    answers = {"1Sp.invade.response.S.S1": "fight"}
    phase = REALMS.phase("invade")

    assert chances(phase.play, lambda run: run.campaign.table(Node)["S1"].owner,
                   lambda dice: REALMS.game(game.campaign.copy(), dice=dice, answers=answers)) == {
        "V": Fraction(1, 2), "S": Fraction(1, 2)}
    assert fighting in [step.run for step in phase.steps]


# --- chapters 5 and 6: will, income, the end -----------------------------------------------------------------
@pytest.mark.parametrize(("morale", "dice", "told", "peace"), [
    (3, "3+5", "2d6=3,5 against 3 (morale 3): 1 success: shaken", False),
    (3, "2+3", "2d6=2,3 against 3 (morale 3): 2 successes: carries on", False),
    (0, "1+6", "2d6=1,6 against 0 (1 always, 6 never): 1 success: shaken", False),
    (5, "6+6", "2d6=6,6 against 5 (morale 5): 0 successes: disaster", True),
])
def test_whoever_fails_the_test_of_will_makes_peace(morale: int, dice: str, told: str, peace: bool) -> None:
    """1 always, 6 never."""
    game = at_war("close", V={"morale": morale}).dice(will_V_1Sp=dice, will_S_1Sp="1+1", will_G_1Sp="1+1",
                                                     will_B_1Sp="1+1")
    outcome = game.resolve()

    assert f"The will of V: {told}." in lines(REALMS, outcome)
    assert ("V must make peace with S." in lines(REALMS, outcome)) is peace
    assert enemies(game).get("S", "") == ("" if peace else "V")


def test_a_province_earns_its_successes_and_never_less_than_nothing() -> None:
    """V1 two, V2 one, V3 none; at war each has 1 less."""
    for enemy, income in (("", 3), ("S", 1)):
        game = play("close", V={"enemy": enemy}).dice(trade_V1_1Sp="1+1", trade_V2_1Sp="1+6", trade_V3_1Sp="6+6",
                                                    will_V_1Sp="1+1")
        game.resolve()
        assert game.campaign.table(Realm)["V"].resources == 4 + income


def test_after_the_last_winter_most_provinces_win() -> None:
    """The second year's."""
    game = play("close", turn="2Wi")

    assert lines(REALMS, game.resolve())[-1] == "The campaign is over. Most provinces: V."
    assert REALMS.is_over(game.campaign)


# --- secrets, and who plays ----------------------------------------------------------------------------------
def test_a_chest_is_its_own_realms_secret_and_that_of_the_rules_the_referees() -> None:
    """Nobody is told what G earned."""
    game = play("close")
    game.resolve()
    seen = REALMS.view(game.campaign, "V")

    assert [row.resources for row in seen.table(Realm) if row.faction != "V"] == [None, None, None]
    audiences = {event.data["faction"]: event.audience for event in game.campaign.by_sheet("Events")}
    assert audiences == {"V": "V", "S": "S", "G": "referee", "B": "referee"}


def test_a_realm_that_gets_a_club_is_asked_from_then_on() -> None:
    """The role decides, phase by phase."""
    game = play("invade", V={"enemy": "G", "units": 8}, G={"enemy": "V", "role": "player"}).order("V", "invade G1")

    assert [(question.to, question.about) for question in game.resolve().questions] == [("G", "G1")]
