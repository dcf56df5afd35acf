"""What the chances are in Il Giglio: its phases asked by their own questions to the dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.giglio.records import Army, Faction, Fleet, Node
from assistant.turn.dice import ways
from assistant.turn.phases import resolve
from tests.every_throw import asked, counted
from tests.giglio.cases import SEA_NODES, build, giglio
from tests.giglio.test_battles import NAME
from tests.giglio.test_sea import COAST

GIGLIO = giglio()


@pytest.mark.parametrize(("rounds", "bribe", "falls"), [(1, 0, 1), (3, 0, 3), (3, 50, 5), (6, 50, 6)])
def test_a_siege_falls_as_often_as_the_die_lets_it(rounds: int, bribe: int, falls: int) -> None:
    """3d: 1d6 with its modifiers against 7, so many faces of six; and what it costs the besieger."""
    campaign = build("r4.siege", factions="M 200", armies="M-1 90 V8", nodes="V8 walls=intact",
                     sieges=f"V8 M {rounds}", answers=f"bribe M V8 = {bribe}")

    def after(state: Campaign) -> tuple[str, int]:
        return state.table(Node)["V8"].owner, state.table(Army)["M-1"].value

    found = asked(GIGLIO, campaign, after)

    assert found == counted(GIGLIO, campaign, {"siege:V8:1500:4": 6}, after)
    assert sum(p for (owner, _), p in found.items() if owner == "M") == Fraction(falls, 6)


def test_a_storm_takes_each_fleet_by_itself() -> None:
    """Fleets: a 6 raises it, a 6 sinks each fleet at sea; a storm that was typed leaves the fleets to chance."""
    def sea(**dice: int) -> Campaign:
        return build("r3.move", factions="T", nodes=SEA_NODES, roads=COAST, fleets="V-F1 V0, V-F2 Z5",
                     orders="V sail V-F1 V0 Z7\nV sail V-F2 Z5 Z6",
                     dice={f"{word}:1500:3": n for word, n in dice.items()})

    def afloat(state: Campaign) -> tuple[str, ...]:
        return tuple(fleet.fleet for fleet in state.table(Fleet) if fleet.faction == "V")

    found = asked(GIGLIO, sea(), afloat)

    assert found == {("V-F1", "V-F2"): 1 - Fraction(11, 216), ("V-F1",): Fraction(5, 216), ("V-F2",): Fraction(5, 216),
                     (): Fraction(1, 216)}
    assert found == counted(GIGLIO, sea(), dict.fromkeys(("storm:1500:3", "stormfleet:V-F1:1500:3",
                                                          "stormfleet:V-F2:1500:3"), 6), afloat)
    assert asked(GIGLIO, sea(storm=6), afloat, typed=True)[()] == Fraction(1, 36)


def test_the_umpires_dice_are_compared_in_one_question() -> None:
    """Battles that are not played: 125 against 100 is one more for Milan; 5 ahead is a rout."""
    start = build("r3.move r3.contact r3.battle", armies="M-1 125 M5, V-1 100 V8 trail=V0+V9",
                  orders="M move M-1 M5 V8", answers="choice M V8/V = attack\nchoice V V8/M = stop",
                  battles=f"{NAME} auto")
    for _ in range(2):
        outcome = resolve(GIGLIO, start, bytes(32))
        assert outcome.done
        start = outcome.campaign

    found = asked(GIGLIO, start, lambda state: (state.table(Army)["M-1"].value, state.table(Army)["V-1"].value))

    expected: Counter[tuple[int, int]] = Counter()
    for m, a in enumerate(ways(2, 6), 3):
        for v, b in enumerate(ways(2, 6), 2):
            share = {s: 10 if won >= 0 else 30 if won > -5 else 50 for s, won in (("M", m - v), ("V", v - m))}
            expected[125 - -(-125 * share["M"] // 100), 100 - share["V"]] += a * b
    assert found == {left: Fraction(n, 6**4) for left, n in expected.items()}


def test_winter_brings_something_to_one_in_six() -> None:
    """4, table 36: a 6 opens it, and then each of its rows is as likely."""
    campaign = build("winter")
    table = campaign.table(Faction)
    for code in [faction.faction for faction in table if faction.faction not in ("M",)]:
        table[code].role = "neutral"

    found = asked(GIGLIO, campaign, lambda state: state.table(Faction)["M"].pending_event)

    assert sum(found.values()) == 1
    assert all(found[number] == Fraction(1, 36) for number in found if number in (3, 4, 5, 6))
    assert found[0] >= Fraction(5, 6)
