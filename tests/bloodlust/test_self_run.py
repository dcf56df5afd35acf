"""How the rules play a nation: each of its numbers and switches decides something, and no other number does."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from tests.bloodlust.scenario import BLOODLUST, ground, play, row, told
from tests.house.source import PACKAGE, nodes

Case = Callable[[dict[str, Any]], Any]
NPC = {"role": "npc"}
NATIONS = ("VOR", "DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")
CALM = {f"war/{code}": "6+6" for code in NATIONS}
OPEN = {"W1": {"aggressor": "SEK", "target": "VOR", "began": "987Sp"}}
BACK = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}
AUTO = {"987Su-1": {"turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR",
                    "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3",
                    "starts": "SEK-a1=S3", "status": "open", "played": "auto"}}
STRONG = {f"VOR-u{n}": {"army": "VOR-a1"} for n in range(1, 5)}
"""Vorozion's army has a unit more than Sekeker's."""


def but(clubs: str = "", **nations: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """All nations played by the rules but those of clubs, some of them otherwise than at the beginning."""
    return {code: {"role": "player" if code in clubs else "npc", **nations.get(code, {})} for code in NATIONS}


def hired(rules: dict[str, Any]) -> tuple[Any, ...]:
    """Captains and heroes that Gadhar hires, rolls that it buys, and what its new captain is good at."""
    outcome = play(ground("987Sp", "recruit", rules=rules, Factions=but(GAD={"hero_offer": 1, "rolls": 5})),
                   dice={"attribute/GAD-c1/1": "6+6", "strength/GAD-c1/1": "1+1+1"})
    captain = outcome.campaign.by_sheet("Leaders").get("GAD-c1")
    return (*(len([event for event in told(outcome, word) if event["faction"] == "GAD"])
              for word in ("captain_hired", "hero_hired", "bought")), captain.attributes if captain else "")


def saves(rules: dict[str, Any]) -> Any:
    """How many rolls Vorozion buys in war, out of 6 resources."""
    outcome = play(ground("987Sp", "recruit", rules=rules, Wars=OPEN, Factions=but(VOR={"resources": 6})))
    return row(outcome, "Factions", "VOR").bought


def organised(rules: dict[str, Any]) -> tuple[int, str]:
    """How many units stay in the second army, and where the first stands."""
    outcome = play(ground("987Sp", "muster", rules=rules, Wars=OPEN, Factions=but()))
    return len([one for one in outcome.campaign.by_sheet("Units") if one.army == "VOR-a2"]), row(
        outcome, "Armies", "VOR-a1").node


def ransomed(rules: dict[str, Any]) -> Any:
    """What Vorozion pays for a captain of WR 3 in Gadhar's hands."""
    captive = {"VOR-c1": {"state": "captured", "holder": "GAD", "army": "", "weapon": ""}}
    outcome = play(ground("987Su", "muster", rules=rules, Factions=but("VOR"), Leaders=captive), ["VOR: ransom c1"])
    return 20 - row(outcome, "Factions", "VOR").resources


def peace(rules: dict[str, Any], clubs: str, *orders: str) -> str:
    """How a war of three seasons with a nation of morale 3 ends."""
    outcome = play(ground("987Su", "war", rules=rules, Factions=but(clubs, SEK={"morale": 3}),
                          Wars={"W1": {"aggressor": "SEK", "target": "VOR", "began": "986Fa"}}), orders)
    return str(row(outcome, "Wars", "W1").how)


def maybe(rules: dict[str, Any], **gadhar: Any) -> bool:
    """Whether Gadhar goes to war with one success, weaker and poorer than Vorozion."""
    outcome = play(ground("987Sp", "war", rules=rules, Factions=but(GAD=gadhar)), dice=CALM | {"war/GAD": "1+6"})
    return "GAD" in [event["by"] for event in told(outcome, "war")]


def rating(rules: dict[str, Any]) -> bool:
    """Whether Gadhar's morale of 2 is low in its war check."""
    outcome = play(ground("987Sp", "war", rules=rules, Factions=but(GAD={"morale": 2})), dice=CALM)
    return "low morale" in str([event.roll for event in outcome.events if event.event == "war_check"
                                and event.data["faction"] == "GAD"])


def called(rules: dict[str, Any]) -> int:
    """How many wars there are once an ally of Thunk has been attacked."""
    outcome = play(ground("987Sp", "war", rules=rules, Factions=but("SEK"),
                          Alliances={"DER/THU": {"since": "986Wi"}}), ["SEK: war DER"], CALM | {"war/SEK": "1+1"})
    return len(outcome.campaign.by_sheet("Wars"))


def allied(rules: dict[str, Any]) -> int:
    """Whether Gadhar takes Vorozion's alliance on a 3."""
    outcome = play(ground("987Wi", "envoys", rules=rules, Factions=but("VOR")), ["VOR: envoy GAD"],
                   {"stance/VOR": "1", "diplomacy/VOR": "1+1", "alliance/VOR/GAD": "3"})
    return len([event for event in told(outcome, "alliance") if {event["by"], event["partner"]} == {"VOR", "GAD"}])


def invasions(rules: dict[str, Any], wars: Any, who: str, **rows: Any) -> int:
    """How many armies of a nation invade."""
    outcome = play(ground("987Su", "invade", rules=rules, Wars=wars, Factions=but(), **rows))
    return len([event for event in told(outcome, "invasion") if event["army"].startswith(who)])


def province(rules: dict[str, Any]) -> bool:
    """Whether a province that touches two of Sekeker's own has a better die."""
    outcome = play(ground("987Su", "invade", rules=rules, Wars=OPEN, Factions=but(), Nodes={
        "V2": {"owner": "SEK"}, "V1": {"owner": "SEK"}}))
    return "own land beside" in str([event.as_text() for event in outcome.events if event.event == "province_chosen"])


def sieges(rules: dict[str, Any]) -> int:
    """Sieges that Sekeker lays before a fort."""
    outcome = play(ground("987Su", "invade", rules=rules, Wars=OPEN, Factions=but("VOR"), Nodes={
        node: {"fort": True} for node in ("V1", "V2", "V3", "V4", "V5", "V6")}),
        dice={"province/SEK/V3": "6"}, answers={"response/V3": ("VOR", "fort")})
    return len(outcome.campaign.by_sheet("Sieges"))


def answered(rules: dict[str, Any]) -> list[str]:
    """What Vorozion does when Sekeker invades a fort of its own."""
    outcome = play(ground("987Su", "invade", rules=rules, Wars=OPEN, Factions=but("SEK"),
                          Armies={"SEK-a1": {"node": "S3"}, "VOR-a1": {"node": "V1"}}), ["SEK: invade a1 V3"])
    return [event["option"] for event in told(outcome, "response") if event["node"] == "V3"]


def relieved(rules: dict[str, Any]) -> list[str]:
    """What besiegers do when a relief comes."""
    siege = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2",
                    "start_node": "S3", "began": "987Sp"}}
    outcome = play(ground("987Su", "invade", rules=rules, Wars=OPEN, Factions=but("VOR"), Sieges=siege,
                          Armies={"SEK-a1": {"node": "V3"}, "VOR-a2": {"node": "V3"}}), ["VOR: invade a1 V3"])
    return [event["option"] for event in told(outcome, "response")]


def auto(rules: dict[str, Any]) -> tuple[str, int, bool]:
    """A battle of the dice that Vorozion loses with a Defensive unit: who retreats; dice; a unit with 5 hits."""
    campaign = ground("987Su", "battle", rules=rules, Wars=OPEN, Battles=AUTO, Factions=but(),
                      Armies={"VOR-a2": {"node": "V3"}}, Units={
                          "VOR-u3": {"skills": ""}, "VOR-u4": {"skills": "defensive"}})
    dice = {roll.key: roll.dice for roll in play(campaign).rolls if roll.key.startswith("clash/")}
    clash = {key: "+".join("1" * int(n.partition("d")[0]) if key.endswith("attacker") else "6" * int(
        n.partition("d")[0])) for key, n in dice.items()}
    outcome = play(campaign, dice=clash | {f"hits/VOR-u{n}": "2" for n in (3, 4)} | {"leader_hit/VOR-c1": "1"})
    return (str(row(outcome, "Battles", "987Su-1").retreat), int(dice["clash/987Su-1/attacker"].partition("d")[0]),
            row(outcome, "BattleUnits", "987Su-1/VOR-u4").routed)


def kept(rules: dict[str, Any]) -> Any:
    """Whether Gadhar pays for a poor unit that would leave."""
    outcome = play(ground("987Wi", "winter", rules=rules, Factions=but(), Units={"GAD-u1": {"morale": "poor"}}),
                   dice={"disband/GAD-u1": "1+1"})
    return row(outcome, "Units", "GAD-u1").state == "active"


CASES: list[tuple[str, Any, Case, Any, Any]] = [
    ("npc_captains", 0, lambda rules: hired(rules)[0], 1, 0),
    ("npc_captain_from", 10, lambda rules: hired(rules)[0], 1, 0),
    ("npc_hero", "leaves", lambda rules: hired(rules)[1], 1, 0),
    ("npc_buy", "always", lambda rules: hired(rules)[2], 0, 1),
    ("npc_buy", "never", saves, 1, 0),
    ("npc_reserve", 2, saves, 1, 4),
    ("npc_strength", "logistic", lambda rules: hired(rules)[3], "courage", "logistic"),
    ("npc_army", "standing", lambda rules: organised(rules)[0], 0, 2),
    ("npc_stand", "seat", lambda rules: organised(rules)[1], "V2", "V1"),
    ("npc_ransom", "refuses", ransomed, 3, 0),
    ("ransom_each", 2, ransomed, 3, 6),
    ("ransom_least", 5, ransomed, 3, 5),
    ("npc_offer", "weary", lambda rules: peace(rules | {"npc_peace_seasons": 3}, ""), "", "white"),
    ("npc_peace_morale", 3, lambda rules: peace(rules, "VOR", "VOR: peace SEK"), "", "white"),
    ("npc_peace_seasons", 3, lambda rules: peace(rules, "VOR", "VOR: peace SEK"), "", "white"),
    ("npc_maybe", "never", maybe, True, False),
    ("npc_maybe", "weaker", maybe, True, False),
    ("npc_maybe", "richer", lambda rules: maybe(rules, resources=99), False, False),
    ("npc_maybe", "always", lambda rules: maybe(rules, interests=""), False, True),
    ("war_low_morale_to", 2, rating, False, True),
    ("npc_ally", "refuses", called, 2, 1),
    ("npc_alliance_to", 2, allied, 1, 0),
    ("npc_bold", "no", lambda rules: invasions(rules, OPEN, "SEK", Units=STRONG), 1, 0),
    ("npc_attack_pct", 75, lambda rules: invasions(rules, BACK, "SEK", Units=STRONG), 0, 1),
    ("npc_min_units", 4, lambda rules: invasions(rules, OPEN, "SEK"), 1, 0),
    ("npc_armies", 2, lambda rules: invasions(rules | {"npc_min_units": 2}, BACK, "VOR"), 1, 2),
    ("province_touches", 9, province, True, False),
    ("npc_siege", "back", sieges, 1, 0),
    ("npc_fight_pct", 999, answered, ["fight"], ["fort"]),
    ("npc_weak", "levy", lambda rules: answered(rules | {"npc_fight_pct": 999}), ["fort"], ["levy"]),
    ("npc_relief", "lift", relieved, ["fight"], ["lift"]),
    ("npc_retreat_hope", 3, lambda rules: auto(rules)[0], "defender", "none"),
    ("npc_retreat_pct", 101, lambda rules: auto(rules)[0], "defender", "none"),
    ("auto_die_rep", 1, lambda rules: auto(rules)[1], 7, 17),
    ("auto_rout_rep", 2, lambda rules: auto(rules)[2], True, False),
    ("npc_keep", "poor", kept, False, True),
    ("npc_keep_floor", 9, lambda rules: kept(rules | {"npc_keep": "poor"}), True, False),
]


@pytest.mark.parametrize(("key", "other", "case", "played", "changed"), CASES, ids=lambda one: str(one)
                         if isinstance(one, str | int) else "")
def test_each_number_decides(key: str, other: Any, case: Case, played: Any, changed: Any) -> None:
    """What is played by default, and what with another value on the sheet Rules."""

    assert case({}) == played
    assert case({key: other}) == changed


PLAYED = {key for key in (number.key for number in BLOODLUST.numbers) if key.startswith(("npc_", "ransom_"))}
PERCENT = 100
OTHERS = {
    ("recruiting.py", 10): "no limit at all",
    ("recruiting.py", 6): "the printed opposition die, and no limit at all",
    ("recruiting.py", 7): "the faces of a die", ("organising.py", 4): "quarters of a resource",
    **{("recruiting.py", n): "faces of two and three dice, and what the printed tables say of them"
       for n in (2, 3, 12, 18)},
    ("war.py", 3): "the third battle refused",
    ("envoys.py", 2): "the rows of an envoy's successes",
    ("invasions.py", 2): "the printed row of a mutual attack",
    ("battle.py", 2): "every second die succeeds",
    ("battle.py", 3): "times its REP that a unit can be hit"}
"""Numbers of the modules that play nations by which the rules decide nothing, and why."""
DECLARED = ("rising", "number", "assumed", "derived", "switch", "choice", "EventType", "off_table", "wr_from",
            "levy_change", "morale_change")
"""What stands on the sheet Rules, is a row of a printed table, or says where a report puts an event."""
MODULES = ("war.py", "envoys.py", "invasions.py", "recruiting.py", "organising.py", "battle.py")
"""Where the rules decide for a nation and the book prints nothing but tables."""


def test_each_key_has_its_case() -> None:
    """A number or switch by which the rules play, and of which no case shows what it does, cannot be added."""
    assert sorted(PLAYED - {key for key, *_ in CASES}) == []


def test_no_number_by_which_the_rules_play_stands_in_the_code() -> None:
    """What is no row of a printed table stands on the sheet Rules, or decides nothing for a nation."""
    found = set()
    for name in MODULES:
        path = PACKAGE / "rulesets" / "bloodlust" / name
        printed = {inner for node in nodes(path) if isinstance(node, ast.Call)
                   and getattr(node.func, "attr", getattr(node.func, "id", "")) in DECLARED for inner in ast.walk(node)}
        found |= {(name, node.value) for node in nodes(path) if isinstance(node, ast.Constant) and node not in printed
                  and type(node.value) is int and node.value not in (0, 1, PERCENT)}
    assert found == set(OTHERS)
