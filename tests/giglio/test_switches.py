"""Editions, numbers and switches (4): the presets, and that every option of every switch has its test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from assistant.turn.numbers import Switch
from assistant.turn.phases import check_campaign
from tests.giglio.cases import BESIEGED, EPIDEMIC, build, case, giglio

NUMBERS = {
    "tax_village": 10,
    "tax_fortress": 20,
    "tax_city": 40,
    "loan_pct": 50,
    "loan_interest_pct": 25,
    "max_armies": 3,
    "company_min": 28,
    "army_upkeep_pct": 0,
    "garrison_cost": 10,
    "cost_fortify": 50,
    "cost_repair": 30,
    "cost_sapper": 50,
    "cost_diplomat": 35,
    "cost_spy": 50,
    "cost_assassin": 50,
    "assassin_hits": 5,
    "commander_node_penalty": 1,
    "cost_fleet": 75,
    "move_own": 2,
    "move_foreign": 1,
    "siege_target": 7,
    "siege_round": 1,
    "siege_sapper": 1,
    "siege_def_sapper": -1,
    "siege_garrison": -2,
    "siege_city": -2,
    "siege_fortress": -3,
    "siege_village": -1,
    "siege_loss": 10,
    "udm_cm": 4,
    "rearguard_pct": 25,
    "rearguard_pursuer_x": 2,
    "rearguard_lost_pct": 10,
    "rearguard_extra_node": 1,
    "auto_step_pct": 25,
    "auto_max": 4,
    "auto_win_pct": 10,
    "auto_lose_pct": 30,
    "auto_rout_pct": 50,
    "auto_rout_margin": 5,
    "storm_on": 6,
    "storm_fleet_on": 6,
    "event_on": 6,
    "harvest_poor": 5,
    "harvest_good": 15,
    "indulgence_factor": 2,
    "epidemic_from": 4,
    "epidemic_block": 40,
    "campaign_years": 5,
    "opening_army": 300,
}
BASE = {
    "fort_timing": "base",
    "garrison_treasury": "no",
    "garrison_where": "fortified",
    "siege_bribe_step": "25",
    "famine_mode": "half",
    "epidemic_kill": "roll46",
    "objectives_edition": "IT",
    "objective_metric": "own",
    "fort_paid": "paid",
    "amend_free": "no",
}
ENGLISH = {
    "siege_bribe_step": "30",
    "famine_mode": "flat20_each",
    "epidemic_kill": "all",
    "objectives_edition": "EN",
    "objective_metric": "gain",
}
AMENDED = {"fort_timing": "amended", "garrison_treasury": "yes", "garrison_where": "any"}
PRESETS = {
    "IT": BASE,
    "EN": BASE | ENGLISH,
    "IT_amended": BASE | AMENDED,
    "EN_amended": BASE | ENGLISH | AMENDED | {"amend_free": "yes", "fort_paid": "free"},
}
DEFAULTS = {
    "epidemic_draw": "winter",
    "objective_tie": "ducats",
    "objective_none": "nobody",
    "fortress_income": "fortress",
    "loan_base": "cities_before",
    "loan_amount": "up_to",
    "confiscate_no_loan": "yes",
    "first_spring_taxes": "yes",
    "own_territory": "controlled",
    "border_move": "whole",
    "met_before_moving": "pinned",
    "hand_side": "mover",
    "retreat_impossible": "stop",
    "loser_no_retreat": "destroyed",
    "order_redraw": "summer",
    "strategos_tie": "reroll",
    "strategos_pay": "keep",
    "spy_uses": "each",
    "diplomat_contact": "yes",
    "assassin_timing": "any",
    "siege_first_bonus": "yes",
    "siege_loss_when": "always",
    "shut_army_counts": "yes",
    "winter_sieges": "lifted",
    "port_fleet": "lost",
    "fleet_limit_mode": "cap",
    "fleet_majority": "majority",
    "landing_stay": "landing_ok",
    "embark_rounds": "0",
    "ally_stack": "no",
    "ally_matrix": "all",
    "event_trigger": "one",
    "garrison_public": "yes",
    "money_public": "no",
    "armati_core_rule": "off",
}


@pytest.mark.parametrize("key", sorted(NUMBERS))
def test_the_numbers_of_the_book(key: str) -> None:
    """Numbers: the printed numbers, and those that the rulebook page assumes."""
    assert giglio().rules(build())[key] == NUMBERS[key]


@pytest.mark.parametrize("edition", sorted(PRESETS))
def test_the_presets(edition: str) -> None:
    """Switches: an edition is a preset of the switches that the editions decide; the others keep their default."""
    rules = giglio().rules(build(edition=edition))
    assert {k: str(rules[k]) for k in PRESETS[edition]} == PRESETS[edition]
    assert {k: str(rules[k]) for k in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize(("on_desk", "in_rules", "counts", "codes"), [
    ("", "EN", "EN", set()),
    ("EN", "EN", "EN", set()),
    ("EN", "IT", "EN", {"ARB-277"}),
    ("EN", "FR", "EN", {"ARB-061"}),
    ("EN", "", "EN", set()),
])
def test_one_edition_counts_and_another_is_named(on_desk: str, in_rules: str, counts: str, codes: set[str]) -> None:
    """3.1: the edition stands on the Desk; a folder may have it among the Rules, but not two that differ (ARB-277)."""
    campaign = build(edition=on_desk, rules={"edition": in_rules})
    giglio().fold(campaign)
    assert campaign.desk.edition == counts
    assert {f.code for f in check_campaign(giglio(), campaign)} == codes


def test_without_a_word_the_italian_amended_edition_is_played() -> None:
    """Switches: IT_amended is the default."""
    assert giglio().rules(build()).values() == giglio().rules(build(edition="IT_amended")).values()


@pytest.mark.parametrize("edition", sorted(PRESETS))
def test_a_row_set_by_hand_beats_the_preset(edition: str) -> None:
    """Switches: what stands in Rules wins, also as a number or in a number's place."""
    rules = giglio().rules(
        build(edition=edition, rules={"siege_bribe_step": "30", "tax_city": 41, "famine_mode": "flat20_total"})
    )
    assert (str(rules.siege_bribe_step), rules.tax_city, rules.famine_mode) == ("30", 41, "flat20_total")


def test_every_option_of_every_switch_is_tested() -> None:
    """Switches: each option other than the default stands in a test, by its name and beside its switch."""
    written = "".join(
        p.read_text(encoding="utf-8")
        for p in sorted(Path(__file__).parent.glob("test_*.py"))
        if p.name != Path(__file__).name
    )
    untested = [
        (s.key, o)
        for s in giglio().numbers
        if isinstance(s, Switch) and s.key != "edition" and not s.free
        for o in s.options[1:]
        if not re.search(rf"{s.key}\W", written) or not re.search(rf"\W{re.escape(o)}\W", written)
    ]
    assert untested == []


def test_every_switch_of_the_digest_is_declared() -> None:
    """Switches: nothing of the list is left out."""
    declared = {s.key for s in giglio().numbers}
    assert set(DEFAULTS) | set(BASE) | set(NUMBERS) | {"edition", "ally_forbidden", "opening_treasury"} <= declared


# --- numbers that are used ----------------------------------------------------------------------------
USED: list[tuple[str, Any, str, dict[str, Any], dict[str, Any]]] = [
    (
        "max_armies",
        1,
        "budget",
        {"factions": "V 500", "armies": "V-1 9 V8", "orders": "V recruit 50 V0"},
        {"findings": "o1 GIG-026"},
    ),
    ("company_min", 60, "budget", {"factions": "V 500", "orders": "V recruit 50 V0"}, {"findings": "o1 GIG-028"}),
    ("move_own", 1, "r3.move", {"armies": "V-1 9 V8", "orders": "V move V-1 V8 V9 V0"}, {"findings": "o1 GIG-052"}),
    ("loan_pct", 25, "budget", {"orders": "V loan 20"}, {"findings": "o1 GIG-021"}),
    ("cost_spy", 600, "budget", {"factions": "V 500", "orders": "V enlist spy"}, {"findings": "o1 GIG-020"}),
    ("cost_fortify", 600, "budget", {"factions": "V 500", "orders": "V fortify V8"}, {"findings": "o1 GIG-020"}),
    ("garrison_cost", 95, "budget", {"armies": "V-1 90 V8", "orders": "V garrison V8 V-1"}, {"findings": "o1 GIG-043"}),
    (
        "commander_node_penalty",
        2,
        "r3.move",
        {"armies": "V-1 9 V8 leaderless=2", "orders": "V move V-1 V8 V9"},
        {"findings": "o1 GIG-059"},
    ),
]


@pytest.mark.parametrize(("key", "value", "play", "given", "then"), USED, ids=[u[0] for u in USED])
def test_a_number_of_the_club_is_used(
    key: str, value: Any, play: str, given: dict[str, Any], then: dict[str, Any]
) -> None:
    """4: a club changes a number on the sheet, and the same order is judged by it."""
    case(play, **given)
    case(play, **given, **then, rules={key: value})


@pytest.mark.parametrize(
    ("key", "value", "die", "falls"), [("siege_target", 4, 5, True), ("siege_target", 9, 6, False)]
)
def test_the_target_of_a_siege(key: str, value: int, die: int, falls: bool) -> None:
    """3d: seven, unless the club says otherwise."""
    after = case(
        "r4.siege",
        **BESIEGED,
        rules={key: value},
        answers="bribe M V8 = 0",
        dice={"siege:V8:1500:4": die},
    )
    assert (after.node("V8").owner == "M") is falls


@pytest.mark.parametrize(("key", "value", "storm", "fleet"), [("storm_on", 5, 5, 6), ("storm_fleet_on", 4, 6, 4)])
def test_storm_numbers(key: str, value: int, storm: int, fleet: int) -> None:
    """fleets: six and six, unless the club says otherwise."""
    after = case(
        "r3.move",
        nodes="Z6 site=sea, Z7 site=sea",
        roads="Z7 V0 lane, Z6 Z7 lane",
        fleets="V-F1 V0",
        orders="V sail V-F1 V0 Z7",
        rules={key: value},
        dice={"storm:1500:3": storm, "stormfleet:V-F1:1500:3": fleet},
    )
    assert after.gone("V-F1")


@pytest.mark.parametrize(
    ("key", "event", "chest"), [("harvest_poor", 3, 7), ("harvest_good", 4, 7), ("indulgence_factor", 5, 70)]
)
def test_harvest_and_indulgence(key: str, event: int, chest: int) -> None:
    """t36: the numbers of the table are data."""
    nodes = "V0 site=city" if event == 5 else "V1"
    rules = {key: 7, "tax_city": 10}
    after = case("income", bare=True, factions=f"V pending_event={event}", nodes=nodes, rules=rules)
    assert after.chest("V") == chest


def test_the_winter_die() -> None:
    """4: event_on."""
    dice = {f"event:{f}:1500": 1 for f in "MFPS"} | {"event:V:1500": 5, "eventtable:V:1500": 3}
    assert case("winter", dice=dice, rules={"event_on": 5}).faction("V").pending_event == 3


def test_epidemic_numbers() -> None:
    """3a: epidemic_from and epidemic_block."""
    after = case(
        "open",
        **EPIDEMIC,
        rules={"epidemic_from": 6, "epidemic_block": 60},
        dice={"epidemic:F-1.1:1500": 5, "epidemic:F-1.2:1500": 6, "order:F:1500": 1},
    )
    assert after.army("F-1").value == 60


def test_the_extra_node_of_a_lost_rearguard() -> None:
    """8.4.3: rearguard_extra_node 0: it goes back one node only; rearguard_lost_pct 0: nothing more is lost."""
    rules = {"rearguard_extra_node": 0, "rearguard_lost_pct": 0}
    form = "played - 0 20 rearguard_value=40 pursuer_value=80 units_exited=0 units_lost=1"
    after = case(
        "r3",
        armies="M-1 200 M5, V-1 150 V8 trail=V0+V9",
        orders="M move M-1 M5 V8",
        rules=rules,
        answers="choice M V8/V = attack\nchoice V V8/M = retreat",
        battles=f"B1500.3.V8 {form}",
    )
    assert (after.army("V-1").node, after.army("V-1").value) == ("V9", 130)


# --- the start ------------------------------------------------------------------------------------------
def test_a_new_campaign_starts_with_a_years_income_and_300_ducats_of_army() -> None:
    """Numbers, Fleets: what `arbitro new` gives where the Rules name it; a typed chest of 0 stays empty otherwise."""
    campaign = build(
        "income",
        bare=True,
        factions="V capital=V0 fleet_cap=, P capital=P0 fleet_cap=",
        nodes="V0 site=city capital=yes, V1, P0 site=city, P2 site=fortress",
        rules={"opening_treasury": "income", "opening_army": 300},
    )
    giglio().prepare(campaign)
    factions = campaign.table(g.Faction)
    assert (factions["V"].treasury, factions["P"].treasury) == (50, 60)
    assert (factions["V"].fleet_cap, factions["P"].fleet_cap) == (2, 1)
    assert [(a.army, a.value, a.node) for a in campaign.table(g.Army)] == [("P-1", 300, "P0"), ("V-1", 300, "V0")]
    assert (campaign.by_sheet("Opening")["V"].cities, campaign.by_sheet("Opening")["V"].ducats) == (1, 50)
    assert len(campaign.by_sheet("Table34")) == 12


@pytest.mark.parametrize(("mode", "fleets"), [("cap", 0), ("initial", 2), ("both", 2)])
def test_fleets_at_the_start(mode: str, fleets: int) -> None:
    """fleet_limit_mode: the number of the table may be the starting number."""
    campaign = build("income", factions="V 10 fleet_cap=2", rules={"fleet_limit_mode": mode})
    giglio().prepare(campaign)
    assert len(campaign.table(g.Fleet)) == fleets
