"""Rows of the printed tables and options of the switches, each in a small case: dice in, what comes of it out."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.bloodlust.records import Unit
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.turn.phases import Outcome
from assistant.wording import Wording
from tests.bloodlust.scenario import ground, play, row, told

WAR = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}
SIEGE = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2", "start_node": "S3",
                "began": "987Sp"}}
AT_V3 = {"VOR-a2": {"node": "V3"}, "SEK-a1": {"node": "V3"}}
OUT = {"VOR-u3": "disbanded", "VOR-u4": "disbanded"}


def seen(outcome: Outcome, *fields: str) -> list[Any]:
    """Values of an outcome: ``Leaders VOR-c1 state``."""
    found = []
    for field in fields:
        sheet, key, name = field.split()
        here = outcome.campaign.by_sheet(sheet).get(key)
        found.append(None if here is None else here.as_text()[name])
    return found


def thrown(outcome: Outcome, word: str) -> int:
    """How many throws for a purpose."""
    return sum(roll.key.startswith(word) for roll in outcome.rolls)


# --- battles ----------------------------------------------------------------------------------------
def fought(dice: Any = None, rules: Any = None, rows: Any = None, **fields: Any) -> Outcome:
    """SEK-a1 against VOR-a2 in V3, which SEK has won, or otherwise."""
    battle = {"turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR", "status": "open",
              "winner": "attacker", "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3",
              "starts": "SEK-a1=S3"} | fields
    more = {"Wars": WAR, "Armies": {"VOR-a2": {"node": "V3"}}} | (rows or {})
    return play(ground("987Su", "battle", rules=rules, Battles={"987Su-1": battle}, **more), dice=dice)


def down(leader: str, how: str = "fought", attributes: str = "", **more: Any) -> dict[str, Any]:
    """The form of a commander who is down."""
    return {"BattleLeaders": {f"987Su-1/{leader}": {"down": True, "unit_fate": how}},
            "Leaders": {leader: {"attributes": attributes}}} | more


@pytest.mark.parametrize(("faces", "how", "attributes", "state", "until", "holder"), [
    ("1+1+1", "fought", "lucky", "active", "", ""), ("1+1+1", "fought", "", "captured", "", "SEK"),
    ("1+1+6", "withdrew", "", "captured", "988Sp", "SEK"), ("1+6+6", "fought", "", "dead", "", ""),
    ("1+1+6", "destroyed", "", "dead", "", "")])
def test_the_fate_of_the_beaten(faces: str, how: str, attributes: str, state: str, until: str, holder: str) -> None:
    """MF, battle lost: back in camp, captured, captured and wounded with a weakness more, dead."""
    dice = {"fate/VOR-c1": faces, "wound/VOR-c1": "3", "fate_weakness/VOR-c1": "1+1"}
    outcome = fought(dice, rows=down("VOR-c1", how, attributes))
    captain = row(outcome, "Leaders", "VOR-c1")
    assert (captain.state, captain.until_turn, captain.holder) == (state, until, holder)
    assert ("temerity" in captain.attributes) is (until != "")
    assert (captain.army == "") is (state != "active")


@pytest.mark.parametrize(("winner", "faces", "how", "state", "until", "change"), [
    ("attacker", "1+6+6+6", "fought", "active", "", 0), ("attacker", "6+6+6+6", "fought", "active", "", -1),
    ("attacker", "6+6+6+6", "destroyed", "wounded", "987Wi", 0), ("draw", "1+6+6+6", "fought", "active", "", -1),
    ("draw", "6+6+6+6", "fought", "wounded", "987Wi", 0)])
def test_the_fate_of_others(winner: str, faces: str, how: str, state: str, until: str, change: int) -> None:
    """MF, battle won, and without its +1 after a draw: recovered, one WR less for a season, wounded."""
    outcome = fought({"fate/SEK-m1": faces, "wound/SEK-m1": "2"}, rows=down("SEK-m1", how), winner=winner)
    marshal = row(outcome, "Leaders", "SEK-m1")
    assert (marshal.state, marshal.until_turn, marshal.wr_change) == (state, until, change)


@pytest.mark.parametrize(("rules", "dice", "fields", "expected"), [
    ({"captain_fate": "die46"}, {"fate/VOR-c1": "3"}, ("Leaders VOR-c1 state", "Leaders VOR-c1 until_turn"),
     ["wounded", "987Fa"]),
    ({"captain_fate": "die46"}, {"fate/VOR-c1": "4"}, ("Leaders VOR-c1 state",), ["active"]),
    ({}, {"fate/VOR-c1": "1+1+1"}, ("Leaders VOR-c1 weapon",), ["K2"]),
    ({"captured_weapon": "taken"}, {"fate/VOR-c1": "1+1+1"}, (
        "Leaders VOR-c1 weapon", "Leaders SEK-m1 weapon", "Leaders SEK-m1 reputation"), ["", "K2", "5"])])
def test_switches_of_fate(rules: Any, dice: Any, fields: tuple[str, ...], expected: list[str]) -> None:
    """`captain_fate`, `captured_weapon`."""
    assert seen(fought(dice, rules, down("VOR-c1")), *fields) == expected


@pytest.mark.parametrize(("faces", "morale", "state", "army", "owner"), [
    ("1+1+6", "normal", "active", "VOR-a2", "VOR"), ("1+6+6", "elite", "active", "VOR-a1", "SEK"),
    ("1+6+6", "veteran", "disbanded", "VOR-a2", "SEK"), ("6+6+6", "elite", "disbanded", "VOR-a2", "SEK")])
def test_retreats(faces: str, morale: str, state: str, army: str, owner: str) -> None:
    """RT: in order into the fort; only the Elite, to the army next door; nobody."""
    outcome = fought({"retreat/VOR-a2": faces}, rows={"Units": {"VOR-u3": {"morale": morale, "skills": ""}}},
                     retreat="defender")
    assert seen(outcome, "Units VOR-u3 state", "Units VOR-u3 army", "Nodes V3 owner") == [state, army, owner]


def test_a_weakness_of_this_battle_is_none_in_its_retreat() -> None:
    """RT: Temerity and Coward count as at the start; what a captive comes by does not hold up his army's retreat."""
    dice = {"fate/VOR-c1": "1+1+6", "wound/VOR-c1": "3", "fate_weakness/VOR-c1": "1+1", "retreat/VOR-a2": "1+1+6"}
    rows = down("VOR-c1", "withdrew", Units={"VOR-u3": {"skills": ""}, "VOR-u4": {"skills": ""}})
    outcome = fought(dice | {"fate/VOR-c1": "1+1+6"}, rows=rows, retreat="defender")
    assert "temerity" in row(outcome, "Leaders", "VOR-c1").attributes
    assert told(outcome, "retreat")[0]["row"] == "orderly"


@pytest.mark.parametrize(("hits", "routed", "faces", "state"), [
    (3, False, "6+6", "active"), (3, True, "6+6", "lost"), (6, False, "6+1", "active"), (6, True, "1+1", "active"),
    (9, False, "1+1", "active"), (9, True, "1+1", "lost"), (10, False, "1+1", "lost")])
def test_recovery(hits: int, routed: bool, faces: str, state: str) -> None:
    """RC, REP 3: up to the REP +1, up to twice nothing, up to three times -1, above destroyed; not routed +1."""
    form = {"BattleUnits": {"987Su-1/VOR-u4": {"hits": hits, "routed": routed}}}
    assert seen(fought({"recovery/VOR-u4": faces}, rows=form), "Units VOR-u4 state") == [state]


@pytest.mark.parametrize(("rules", "merged"), [({}, ["lost", "lost"]), ({"merge_with": "side"}, ["active", "merged"])])
def test_who_merges(rules: Any, merged: list[str]) -> None:
    """`merge_with`: two units of a type with one success each, in two armies of a side."""
    rows = {"Units": {"VOR-u1": {"type": "x"}, "VOR-u4": {"type": "x"}},
            "BattleUnits": {"987Su-1/VOR-u1": {"hits": 5}, "987Su-1/VOR-u4": {"hits": 3, "routed": True}},
            "Armies": {"VOR-a1": {"node": "V3"}, "VOR-a2": {"node": "V3"}}}
    dice = {"recovery/VOR-u1": "6+6", "recovery/VOR-u4": "1+6"}
    outcome = fought(dice | {"recovery/VOR-u4": "6+6"}, rules, rows, defender_armies="VOR-a1 VOR-a2")
    assert seen(outcome, "Units VOR-u1 state", "Units VOR-u4 state") == merged


@pytest.mark.parametrize(("rules", "xp"), [({}, "1"), ({"xp_seasons": "spring_only"}, "0")])
def test_when_units_learn(rules: Any, xp: str) -> None:
    """`xp_seasons`: a Summer's battle counts, or not."""
    assert seen(fought(rules=rules), "Units SEK-u3 xp") == [xp]


def test_a_greedy_commander_loots_nothing() -> None:
    """WK4: all units of his side are discontent for a season."""
    outcome = fought({"loot/SEK-a1": "6+6+6+6"}, rows={"Leaders": {"SEK-m1": {"attributes": "greedy"}}})
    assert seen(outcome, "Units SEK-u1 greedy_until") == ["987Fa"]


@pytest.mark.parametrize(("rules", "tests"), [({}, 2), ({"staying_scope": "army"}, 1)])
def test_staying_at_war(rules: Any, tests: int) -> None:
    """SW: veterans with two successes go to the Reserve; the lord's captain leaves, his weapon is away at once."""
    rows = {"Armies": {"VOR-l1": {"faction": "VOR", "node": "V3", "kind": "levy"}, "VOR-a2": {"node": "V1"}},
            "Units": {code: {"army": "VOR-l1", "morale": "veteran"} for code in ("VOR-u3", "VOR-u4")},
            "Leaders": {"VOR-c2": {"faction": "VOR", "army": "VOR-l1", "levy": True, "wr": 2, "weapon": "K5"}},
            "Weapons": {"K5": {"state": "borne", "bearer": "VOR-c2"}}}
    outcome = fought({"staying/VOR-u3": "1+1", "staying/VOR-u4": "1+1"}, rules, rows, kind="levy", winner="defender",
                     defender_armies="VOR-l1")
    assert seen(outcome, "Units VOR-u3 army", "Units VOR-u4 army", "Leaders VOR-c2 state", "Weapons K5 state",
                "Armies VOR-l1 state") == ["VOR-a0", "VOR-a0", "gone", "unplaced", "gone"]
    assert thrown(outcome, "staying/") == tests


# --- sieges -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("rules", "began", "tests"), [
    ({}, "987Sp", 5), ({}, "987Fa", 0), ({"siege_first_test": "same"}, "987Fa", 5),
    ({"siege_scope": "army"}, "987Sp", 2)])
def test_when_and_who_is_tested_in_a_siege(rules: Any, began: str, tests: int) -> None:
    """`siege_first_test`, `siege_scope`."""
    campaign = ground("987Fa", "siege", rules=rules, Wars=WAR, Sieges={"G1": SIEGE["G1"] | {"began": began}},
                      Armies=AT_V3)
    assert thrown(play(campaign), "siege/") == tests


@pytest.mark.parametrize(("rules", "state"), [({}, "captured"), ({"siege_cinc": "escapes"}, "active")])
def test_who_commanded_inside(rules: Any, state: str) -> None:
    """`siege_cinc`: captured when the fort falls, or not."""
    dice = {f"siege/SEK-u{n}": "1+1" for n in (1, 2, 3)} | {f"siege/{unit}": "6+6" for unit in OUT}
    outcome = play(ground("987Fa", "siege", rules=rules, Wars=WAR, Sieges=SIEGE, Armies=AT_V3), dice=dice)
    assert seen(outcome, "Leaders VOR-c1 state", "Leaders VOR-c1 army") == [state, ""]


# --- morale -----------------------------------------------------------------------------------------
BEATEN = {"987Su-1": {"turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR",
                      "winner": "attacker", "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2",
                      "start_node": "S3", "starts": "SEK-a1=S3", "status": "played"}}


def will(faces: str, rules: Any = None, others: str = "1+1", **rows: Any) -> Outcome:
    """VOR's check; SEK's people carry on."""
    return play(ground("987Su", "will", rules=rules, **{"Wars": WAR} | rows), dice={
        "will/VOR": faces, "will/SEK": "1+1", "will/DER": others})


@pytest.mark.parametrize(("rules", "rows", "morale"), [
    ({}, {"Battles": BEATEN}, "3"), ({"nm_adjust_mode": "off"}, {"Battles": BEATEN}, "4"),
    ({}, {"Battles": {"987Su-1": BEATEN["987Su-1"] | {"winner": "draw"}}}, "4"),
    ({}, {"Battles": {"987Su-1": BEATEN["987Su-1"] | {"collapsed": "VOR"}}}, "1"),
    ({}, {"Nodes": {"V1": {"owner": "SEK", "conquered_turn": "987Su", "lost_by": "VOR"}}}, "2"),
    ({}, {"Nodes": {"V2": {"owner": "SEK", "conquered_turn": "987Su", "lost_by": "VOR"}}}, "3")])
def test_adjustment(rules: Any, rows: Any, morale: str) -> None:
    """A battle lost, an army destroyed, a province, the capital; `nm_adjust_mode`."""
    assert seen(will("1+1", rules, **rows), "Factions VOR morale") == [morale]


@pytest.mark.parametrize(("rules", "season", "year", "unrest"), [
    ({}, 1, 3, "4"), ({}, 0, 3, "0"), ({}, 1, 2, "0"), ({"refuse_window": "season"}, 2, 3, "0"),
    ({"refuse_window": "season"}, 3, 3, "4")])
def test_the_third_refusal(rules: Any, season: int, year: int, unrest: str) -> None:
    """From the third battle refused on it counts, of the year or of the season (`refuse_window`)."""
    refused = {"VOR": {"refused_season": season, "refused_year": year}}
    assert seen(will("4+4", rules, Factions=refused), "Factions VOR unrest") == [unrest]


@pytest.mark.parametrize(("rules", "faces", "rows", "fields", "expected"), [
    ({}, "6+6", {"Factions": {"VOR": {"morale": 5}}}, ("Factions VOR unrest",), ["4"]),
    ({"nm_test_rating": "nm_plus_wr"}, "5+5", {"Factions": {"VOR": {"morale": 1}}}, ("Factions VOR unrest",), ["0"]),
    ({"nm_shaken_cap": 2}, "1+6", {"Factions": {"VOR": {"shaken": 2, "shaken_turn": "987Sp"}}},
     ("Factions VOR shaken", "Factions VOR shaken_turn", "Factions VOR opposition"), ["2", "987Sp", "yes"]),
    ({"wtf_mod_kind": "successes", "nm_adjust_mode": "off"}, "4+4", {"Battles": BEATEN}, ("Factions VOR shaken",),
     ["1"]),
    ({"peace_unit": "seasons"}, "6+6", {"Factions": {"VOR": {"morale": 1}}},
     ("Peaces E1 from_year", "Peaces E1 until_year"), ["987Fa", "988Sp"]),
    ({}, "6+6", {"Wars": WAR | {"W2": {"aggressor": "VOR", "target": "DER", "began": "987Sp"}}},
     ("Wars W1 how", "Wars W2 how"), ["enforced", "enforced"]),
    ({"nm_max": 7}, "1+1", {"Battles": BEATEN, "Factions": {"SEK": {"morale": 5}}}, ("Factions SEK morale",), ["6"]),
    ({"disaster_scope": "one_war"}, "6+6", {"Wars": WAR | {"W2": {
        "aggressor": "VOR", "target": "DER", "began": "987Sp"}}}, ("Wars W1 how", "Wars W2 how"), ["enforced", ""])])
def test_switches_of_morale(rules: Any, faces: str, rows: Any, fields: tuple[str, ...], expected: list[str]) -> None:
    """The bounds, and what is tested, counted and lost otherwise."""
    assert seen(will(faces, rules, **rows), *fields) == expected


def test_each_disaster_loses_its_own_war() -> None:
    """`disaster_scope` one_war: who has lost to the strongest enemy does not lose to the next as well."""
    wars = WAR | {"W2": {"aggressor": "DER", "target": "VOR", "began": "987Sp"}}
    outcome = will("6+6", {"disaster_scope": "one_war"}, "6+6", Wars=wars, Factions={
        "VOR": {"morale": 0}, "DER": {"morale": 1}})
    assert seen(outcome, "Peaces E1 loser", "Peaces E2 loser") == ["VOR", "DER"]


# --- winter -----------------------------------------------------------------------------------------
ALL_STAY = {f"disband/{unit.ident}": "1+1" for unit in ground().by_sheet("Units")}


@pytest.mark.parametrize(("rules", "dice", "rows", "states"), [
    ({"disband_scope": "army"}, {"disband/VOR-u1": "6+6"}, {}, "gone gone in in"),
    ({"disband_pay": "survivors_pay"}, {}, {"Factions": {"VOR": {"resources": 3}}}, "in in in gone"),
    ({"disband_pay": "none"}, {"disband/VOR-u4": "1+6"}, {}, "in in in gone"),
    ({"rep_threshold": "5_2"}, {"disband/VOR-u4": "1+6"}, {"Leaders": {"VOR-c1": {"reputation": 5}}}, "in in in in"),
    ({}, {"disband/VOR-u3": "6+6"}, {"Wars": WAR, "Sieges": SIEGE, "Armies": AT_V3}, "in in in in")])
def test_disband_or_not(rules: Any, dice: Any, rows: Any, states: str) -> None:
    """`disband_scope`, `disband_pay`, `rep_threshold`; who is in a siege is not tested."""
    outcome = play(ground("987Wi", "winter", rules={"winter_nm_checks": "one"} | rules, **rows), dice=ALL_STAY | dice)
    assert outcome.done
    assert ["in" if row(outcome, "Units", f"VOR-u{n}").state == "active" else "gone" for n in (1, 2, 3, 4)] == (
        states.split())


@pytest.mark.parametrize(("checks", "tests"), [("two", 2), ("leader_died", 1), ("one", 0)])
def test_the_second_check(checks: str, tests: int) -> None:
    """`winter_nm_checks`: all at war, those whose leader died this Winter, nobody."""
    dice = ALL_STAY | {"death/VOR": "6+6", "death/SEK": "1+1", "will/VOR/2": "1+1", "will/SEK/2": "1+1"}
    outcome = play(ground("987Wi", "winter", rules={"winter_nm_checks": checks}, Wars=WAR), dice=dice)
    assert thrown(outcome, "will/") == tests


# --- trade and envoys -------------------------------------------------------------------------------
@pytest.mark.parametrize(("turn", "rules", "node", "tested"), [
    ("987Fa", {}, {"conquered_turn": "987Fa"}, False), ("987Wi", {}, {"conquered_turn": "987Wi"}, True),
    ("987Wi", {"trade_exclude": "all"}, {"conquered_turn": "987Wi"}, False),
    ("987Wi", {}, {"looted_turn": "987Wi"}, False), ("987Fa", {}, {"looted_turn": "987Su"}, True)])
def test_what_earns(turn: str, rules: Any, node: Any, tested: bool) -> None:
    """Just conquered provinces earn nothing but in Winter (`trade_exclude`), looted ones nothing that season."""
    assert thrown(play(ground(turn, "trade", rules=rules, Nodes={"V2": node})), "trade/V2") == tested


@pytest.mark.parametrize(("rules", "earned"), [({}, 1), ({"trade_war": "each"}, 0)])
def test_war_next_door(rules: Any, earned: int) -> None:
    """`trade_war`: once, or for each province of the enemy's."""
    dice = {f"trade/V{n}": "1+1" if n == 3 else "6+6" for n in range(1, 8)}
    outcome = play(ground("987Fa", "trade", rules=rules, Wars=WAR, Nodes={"V1": {"owner": "SEK"}, "V5": {
        "owner": "SEK"}}), dice=dice)
    assert row(outcome, "Factions", "VOR").resources == 20 + earned


def test_a_throw_for_trade_says_what_each_number_is() -> None:
    """Successes before and after the modifiers, then what the table makes of them, in both languages."""
    dice = {f"trade/V{n}": "1+2" for n in range(1, 8)}
    outcome = play(ground("987Su", "trade"), dice=dice)
    trade = next(event for event in outcome.events if event.event == "trade" and event.data["faction"] == "VOR")
    roll = trade.roll["rolls"][0]
    said = {lang: Wording(BLOODLUST, lang).roll(roll) for lang in ("en", "it")}
    assert said == {
        "en": "2d6=1,2 against 3: 2 successes, +1 season, +1 peace, +1 capital: 5 successes: 7 by the table",
        "it": "2d6=1,2 contro 3: 2 successi, +1 stagione, +1 pace, +1 capitale: 5 successi: 7 secondo la tabella"}


STANCES = {"friendly": "1", "deceiving": "3", "intimidating": "4", "dominating": "5"}


@pytest.mark.parametrize(("stance", "faces", "rules", "rows", "fields", "expected"), [
    ("deceiving", "1+1", {}, {}, ("deceit_until", "deceit_kind", "no_attack_until", "target_change"),
     ["988", "anyone", "988", "0"]),
    ("deceiving", "1+6", {}, {}, ("deceit_until", "no_attack_until", "target_change", "target_until"),
     ["988", "", "-1", "988"]),
    ("deceiving", "6+6", {}, {}, ("deceit_until", "target_change"), ["988", "1"]),
    ("deceiving", "1+6", {"deceive_war": "by_row"}, {}, ("deceit_kind",), ["third"]),
    ("deceiving", "6+6", {"deceive_war": "by_row"}, {}, ("deceit_kind",), ["anyone"]),
    ("intimidating", "1+1", {}, {}, ("target_change", "target_until"), ["-1", "988"]),
    ("intimidating", "6+6", {"intimidate_backfire": "target"}, {}, ("backfire_until",), ["988"]),
    ("dominating", "1+1", {}, {}, ("tribute_until",), ["988"]),
    ("dominating", "6+6", {}, {}, ("insult_year",), ["988"]),
    ("friendly", "6+6", {}, {"Relations": {"DER/VOR": {"progress": True}}}, ("progress",), ["no"])])
def test_what_an_envoy_brings(stance: str, faces: str, rules: Any, rows: Any, fields: Any, expected: Any) -> None:
    """DP: what stands in the relation of DER toward VOR after VOR's visit, no row of the table applying."""
    table = {one.ident: dict.fromkeys(STANCES, 0) for one in ground().by_sheet("EnvoyTable")}
    lines = ["VOR: envoy DER", "DER: envoy BAT", "BAT: envoy DER", "PIO: envoy THU", "SEK: envoy ALW"]
    dice = {f"stance/{code}": "3" for code in ("DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}
    outcome = play(ground("987Wi", "envoys", rules=rules, EnvoyTable=table, **rows), lines,
                   dice | {"stance/VOR": STANCES[stance], "diplomacy/VOR": faces})
    assert seen(outcome, *(f"Relations DER/VOR {field}" for field in fields)) == expected


def test_a_threat_that_fails_costs_the_sender() -> None:
    """DP, Intimidating 0: what he owns next to the offended earns less next year."""
    relation = {"VOR/SEK": {"backfire_until": "987"}}
    dice = {f"trade/V{n}": "1+6" for n in range(1, 8)}
    offended = play(ground("987Fa", "trade", Relations=relation), dice=dice)
    assert row(play(ground("987Fa", "trade"), dice=dice), "Factions", "VOR").resources - row(
        offended, "Factions", "VOR").resources == 4  # V2 and V3 border SEK: one success instead of two
    assert told(offended, "trade")[0]["k"] == 7


# --- what is told of upkeep -------------------------------------------------------------------------
@pytest.mark.parametrize(("turn", "phase", "begins"), [
    ("987Sp", "muster", "This Spring "), ("987Sp", "war", "Next Spring "), ("987Su", "muster", "Next Spring ")])
def test_upkeep_is_told_for_the_spring_in_which_it_is_paid(turn: str, phase: str, begins: str) -> None:
    """Until the muster of Spring it falls due in this very season; who has no unit reads nothing of it."""
    campaign = ground(turn, phase)
    assert _upkeep(campaign)[0].startswith(begins)
    for unit in campaign.table(Unit):
        unit.state = "lost"
    assert _upkeep(campaign) == []


def _upkeep(campaign: Campaign) -> list[str]:
    """What Sekhar owes, as sentences about upkeep."""
    owed = BLOODLUST.dues(BLOODLUST.view(campaign, "SEK"), "SEK")
    return [text for said in owed if "will cost" in (text := Wording(None, "en").text(said.text, **said.data))]
