"""Switches and numbers (rulebook: Numbers, Switches): their defaults, and every option of every switch at work."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from assistant.turn.numbers import Switch
from tests.anarchy.cases import anarchy, case

NUMBERS: dict[str, Any] = {
    "move_foot": 5, "move_cavalry": 8, "move_convoy": 5, "engine_move": 3, "move_lone_noble": 8, "cost_open": 1,
    "cost_forest": 2, "cost_hill": 2, "cost_river": 3, "cost_marsh": 3, "cost_coast": 1, "cost_road": 1, "group_min": 3,
    "supply_from": 10, "supply_second": 20, "hunger_days": 2, "hunger_die": 1, "garrison_start": 10, "garrison_min": 5,
    "resources_max": 10, "prestige_win": 1, "prestige_lost": -1, "prestige_refusal": -1, "prestige_loot_village": -1,
    "prestige_loot_monastic": -2, "prestige_loot_castle": 0, "new_noble_wins": 2, "new_noble_prestige": 2,
    "new_noble_core": 50, "engineer_price": 4, "oxen_per_engine": 2, "oxen_per_tower": 4, "train_peasants": 3,
    "merc_price": 2, "lure_price": 3, "lure_distance": 2, "promise_desert_at": 3, "promise_step": -1,
    "recruit_light": 1, "loot_value": 1, "convoy_price": 1, "convoy_animals": 5, "convoy_transfer": 5,
    "maps_2_from": 31, "maps_4_from": 61, "battle_turns": 12, "wounded_move": -3, "escort_min": 3,
    "ransom_per_prestige": 2, "ransom_knights": 2, "siege_days_per_point": 2, "hex_km": 5,
}
SWITCHES: dict[str, Any] = {
    "terrain_set": "A B custom", "move_unit": "points hexes", "neutral_band": "5-6 5_only",
    "loyalty_test_mode": "level die level+swing", "loyalty_subject": "met player",
    "loyalty_effect": "uncommitted encounter lasting", "neutral_meets": "backs nothing",
    "village_access": "mirror above4 faction", "loot_neutral": "yes no", "priory_is": "monastic village",
    "stacking": "next_reorg end_turn", "order_tie": "larger dice", "orders_mode": "written at_activation",
    "head_count": "fighters all", "merc_count": "stack separate", "supply_30": "flat2 per_ten",
    "starve_growth": "fixed growing", "siege_supply": "siege_only both", "wounded_floor": "min1 none",
    "wounded_march": "must free", "refusal_prestige": "once twice", "refusal_extra": "no yes",
    "shut_in_prestige": "yes no", "prestige_clamp": "1-10 0-10", "noble_alone": "stays leaves",
    "attacker_def": "entered aggressor", "convoy_owner": "stays guard", "convoy_unescorted": "ask takes",
    "convoy_buy": "need order", "merc_test": "die level",
    "merc_knights": "row knights_if_all_paid", "loot_share_to": "promised all", "purse_captured": "yes no",
    "ransom_reach": "anywhere same_hex", "garrison_refill": "auto warn", "siege_min": "any equal",
    "weather_clamp": "0-10 1-10", "season": "summer winter spring autumn roll", "season_scope": "all foot",
}


def test_the_numbers_of_the_book() -> None:
    """Numbers: every number with its default, unit and source."""
    declared = {n.key: n for n in anarchy().numbers}
    assert {k: declared[k].default for k in NUMBERS} == NUMBERS
    assert all(declared[k].source for k in NUMBERS)


def test_the_switches_of_the_book() -> None:
    """Switches: every switch with its options, the default first."""
    declared = {n.key: n for n in anarchy().numbers if isinstance(n, Switch)}
    assert {k: set(declared[k].options) for k in SWITCHES} == {k: set(v.split()) for k, v in SWITCHES.items()}
    assert {k: declared[k].default for k in SWITCHES} == {k: v.split()[0] for k, v in SWITCHES.items()}
    assert declared["weather"].default == "off"


def test_every_option_is_in_a_test() -> None:
    """An option that no test names has never been played."""
    here = "\n".join(p.read_text(encoding="utf-8") for p in sorted(Path(__file__).parent.glob("test_*.py")))
    rules = set(re.findall(r'"(\w+)": "([\w+-]+)"', here))
    missing = [(k, o) for k, v in SWITCHES.items() for o in v.split()[1:] if (k, o) not in rules]
    assert missing == []


ONE = "A1 r 0605 S14 noble=N1"
LOUD = "A1 r 0605 K4 S6 L4 noble=N1:7"  # +1 for prestige


def test_in_hexes_every_hex_costs_one() -> None:
    """move_unit hexes: five hexes whatever the ground."""
    case("movement", armies=ONE, nodes="0606 river, 0607 marsh, 0608 hill", rules={"move_unit": "hexes"},
         orders="r MOVE A1 0606 0607 0608 0609 0610", then="A1 node=0610")


def test_loyalty_six_is_royal_in_the_text() -> None:
    """neutral_band 5_only: a level of 6 is the king's."""
    case("movement", armies=f"{ONE}, A2 n 0606 S15 loyalty=6 on_meeting=pass", orders="r MOVE A1 0606 0607",
         rules={"neutral_band": "5_only"}, then="A1 node=0607, A2 faction=r")


@pytest.mark.parametrize(("die", "verdict"), [(1, "neutral"), (2, "neutral"), (3, "royal"), (8, "royal"), (9, "royal")])
def test_the_swing(die: int, verdict: str) -> None:
    """loyalty_test_mode level+swing: 1 or 2 on 1d10 is -1, 9 or 10 is +1."""
    after = case("movement", armies=f"{ONE}, A2 n 0606 S15 loyalty=7 on_meeting=pass",
                 rules={"loyalty_test_mode": "level+swing"}, dice=f"loyalty/A2/A1={die}", orders="r MOVE A1 0606")
    assert after.get("A2", "faction") == verdict


@pytest.mark.parametrize(("die", "verdict"), [(4, "angevin"), (5, "neutral"), (7, "royal")])
def test_the_die_instead_of_the_level(die: int, verdict: str) -> None:
    """loyalty_test_mode die: 1d10 replaces the level."""
    after = case("movement", armies=f"{ONE}, A2 n 0606 S15 loyalty=1 on_meeting=pass",
                 rules={"loyalty_test_mode": "die"}, dice=f"loyalty/A2/A1={die}",
                 orders="r MOVE A1 0606 0607 choice=pass")
    assert after.get("A2", "faction") == verdict


def test_the_level_of_the_one_who_comes() -> None:
    """loyalty_subject player: the mover's own level is tested."""
    after = case("movement", armies=f"{ONE} loyalty=9, A2 n 0606 S15 loyalty=2 on_meeting=pass",
                 rules={"loyalty_subject": "player"}, orders="r MOVE A1 0606 0607 choice=pass")
    assert after.event("loyalty_tested").roll["total"] == 9


def test_a_lasting_result_brings_any_group_over() -> None:
    """loyalty_effect lasting: a committed group goes over; otherwise it backs away for this meeting."""
    armies = f"{LOUD}, A2 a 0606 S9 noble=N2:4:6 loyalty=6 on_meeting=pass"
    case("movement", armies=armies, rules={"loyalty_effect": "lasting"}, orders="r MOVE A1 0606",
         then="A1 node=0606, A2 faction=r, N2 faction=r")
    case("movement", armies=armies, orders="r MOVE A1 0606", then="A1 node=0606, A2 node=0607")


FOOD: dict[str, Any] = {"armies": "A1 {side} 0605 S14 noble=N1", "orders": "{side} PROVISION A1 ham"}


@pytest.mark.parametrize(("access", "side", "loyalty", "lord", "may"), [
    ("mirror", "r", 5, "", True), ("mirror", "r", 4, "", False), ("mirror", "a", 6, "", True),
    ("mirror", "a", 7, "", False), ("above4", "r", 5, "", True), ("above4", "r", 4, "", False),
    ("above4", "a", 2, "", False), ("faction", "r", 2, "r", True), ("faction", "r", 9, "a", False),
    ("faction", "a", 9, "a", True)])
def test_who_is_served_in_a_village(access: str, side: str, loyalty: int, lord: str, may: bool) -> None:
    """village_access: mirror (royal 5+, angevin 6-), above4 (royal only), faction (its lord's)."""
    given = {k: v.format(side=side) for k, v in FOOD.items()}
    nobles = f"N9 {lord} 3 5 place=far" if lord else ""
    rules = {"mirror": {"village_access": "mirror"}, "above4": {"village_access": "above4"},
             "faction": {"village_access": "faction"}}[access]
    far = f", far 2010 castle_motte 3 5 holder={lord} S9" if lord else ""
    case("movement", **given, rules=rules, nobles=nobles,
         places=f"ham 0605 village 5 {loyalty}{' lord=N9' if lord else ''}{far}",
         findings="" if may else "o1 ANA-401", then="A1 provisions=1, ham resources=4" if may else "")


@pytest.mark.parametrize(("loot", "left"), [("yes", "0"), ("no", "2")])
def test_neutral_villages_may_be_spared(loot: str, left: str) -> None:
    """loot_neutral no: a village of loyalty 5 is not looted, and it is not said to be on one's side."""
    rules = {"yes": {"loot_neutral": "yes"}, "no": {"loot_neutral": "no"}}[loot]
    after = case("movement", armies="A1 r 0605 K9 noble=N1", places="ham 0606 village 2 5", rules=rules,
                 orders="r MOVE A1 0606; r SACK A1 ham", defaults=True, findings="" if loot == "yes" else "o2 ANA-011")
    assert after.get("ham", "resources") == left


def test_a_priory_counted_as_a_village_costs_less() -> None:
    """priory_is village: the loss of a village, and its levy."""
    after = case("movement", armies="A1 a 0605 K9 noble=N1:6", places="house 0606 priory 1 7",
                 rules={"priory_is": "village"}, orders="a MOVE A1 0606; a SACK A1 house 1")
    assert after.get("N1", "prestige") == "6"


def test_friends_are_merged_the_same_evening() -> None:
    """stacking end_turn: one close in a shared hex is enough."""
    armies = "A1 r 0605 S9 noble=N1, A2 r 0605 S5"
    after = case("close", armies=armies, rules={"stacking": "end_turn"})
    assert after.get("A2", "state") == "merged"
    later = case("close", armies=armies)
    assert later.get("A2", "state") == "active"
    assert later.get("A2", "shares_since") == "3"


def test_equal_names_dice_at_once() -> None:
    """order_tie dice: equal prestige inside a side is diced for, whatever the heads."""
    armies = "A1 r 0605 S9 noble=N1, A2 r 0705 S5 noble=N2"
    after = case("movement", armies=armies, rules={"order_tie": "dice"}, dice="activation/A1=10, activation/A2=90")
    listed = str(after.event("order_of_march").data["list"])
    assert listed.index("A2") < listed.index("A1")
    assert case("movement", armies=armies).throws == {}


def test_orders_may_be_given_when_the_turn_comes() -> None:
    """orders_mode at_activation: a unit without MOVE or HOLD is asked when it is reached."""
    rules = {"orders_mode": "at_activation"}
    stop = case("movement", armies=ONE, rules=rules, waits="move/A1")
    assert stop.questions["move/A1"].to == "royal"
    case("movement", armies=ONE, rules=rules, answers="move/A1 = 0606 0607", then="A1 node=0607")
    case("movement", armies=ONE, rules=rules, orders="r HOLD A1", then="")


def test_drivers_and_engineers_may_count() -> None:
    """head_count all: a driver makes ten heads of nine."""
    given: dict[str, Any] = {"armies": "A1 r 0605 S8 noble=N1", "convoys": "C1 r 0605 0 escort=A1"}
    case("provisions", **given, then="")
    case("provisions", **given, rules={"head_count": "all"}, then="A1 hungry_days=1")


def test_mercenaries_may_count_for_themselves() -> None:
    """merc_count separate: nine and eight are both always fed; together they eat a point."""
    given: dict[str, Any] = {"armies": "A1 r 0605 S8 noble=N1, M1 r 0605 L8 kind=welsh employer=A1"}
    case("provisions", **given, then="A1 hungry_days=1")
    case("provisions", **given, rules={"merc_count": "separate"}, then="")


@pytest.mark.parametrize(("heads", "flat", "per_ten"), [(19, 1, 1), (20, 2, 2), (29, 2, 2), (30, 2, 3), (41, 2, 4)])
def test_what_a_great_host_eats(heads: int, flat: int, per_ten: int) -> None:
    """supply_30: two points from 20 heads on, or one for each ten."""
    given: dict[str, Any] = {"armies": f"A1 r 0605 S{heads}", "places": "ham 0605 village 9 8"}
    case("provisions", **given, then=f"ham resources={9 - flat}")
    case("provisions", **given, rules={"supply_30": "per_ten"}, then=f"ham resources={9 - per_ten}")


@pytest.mark.parametrize(("days", "fixed", "growing"), [(2, 1, 1), (3, 1, 2), (5, 1, 4)])
def test_hunger_may_grow(days: int, fixed: int, growing: int) -> None:
    """starve_growth growing: +1 on the die per further day."""
    armies = f"A1 r 0605 S12 hungry_days={days}"
    assert case("provisions", armies=armies).events("starving", "A1", fixed)
    assert case("provisions", armies=armies, rules={"starve_growth": "growing"}).events("starving", "A1", growing)


SHUT: dict[str, Any] = {"armies": "A1 r 0605 S12 inside=keep, E1 a 0605 S8 noble=N2 besieging=keep",
                        "places": "keep 0605 castle_motte 5 8 holder=r S10", "sieges": "keep a 1 resources_at_start=5"}


def test_besieged_men_live_on_the_siege_count() -> None:
    """siege_supply siege_only: groups inside neither draw nor go hungry; both: they draw daily, too."""
    case("provisions", **SHUT, then="")
    after = case("provisions", **SHUT, rules={"siege_supply": "both"})
    assert int(after.of("keep")["resources"]) < 5


def test_hurt_men_may_stop_a_group() -> None:
    """wounded_floor none: 3 -3 is 0 in winter."""
    after = case("movement", armies="A1 r 0605 S9", wounded="W1 r foot A1", orders="r MOVE A1 0606",
                 rules={"wounded_floor": "none", "season": "winter", "wounded_march": "free"}, findings="o1 ANA-103")
    assert after.get("A1", "node") == "0605"


def test_the_wounded_may_march_anywhere() -> None:
    """wounded_march free: away from care, too."""
    case("movement", armies="A1 r 0605 S9", wounded="W1 r foot A1", places="h 0603 village 3 8",
         rules={"wounded_march": "free"}, orders="r MOVE A1 0606", then="A1 node=0606")


REFUSES: dict[str, Any] = {
    "armies": "A1 r 0605 K6 noble=N1, A2 a 0606 L5 noble=N2:4 if_attacked=refuse",
    "orders": "r MOVE A1 0606 choice=attack", "defaults": True}
ALL_FREE = ", ".join(["refusal/A2/N2=1", *(f"refusal/A2/light-{n}=1" for n in range(1, 6))])


def test_two_chapters_name_the_loss() -> None:
    """refusal_prestige twice: 9 and 15.5 both count."""
    assert case("movement", **REFUSES, dice=ALL_FREE).get("N2", "prestige") == "3"
    assert case("movement", **REFUSES, dice=ALL_FREE, rules={"refusal_prestige": "twice"}).get("N2", "prestige") == "2"


def test_forest_and_riders_matter_to_those_who_flee() -> None:
    """refusal_extra yes: forest -1, pursuers all cavalry +1."""
    dice = ALL_FREE.replace("light-1=1", "light-1=4")
    extra = {"refusal_extra": "yes"}
    plain = case("movement", **REFUSES, dice=dice)
    assert plain.men("A2") == "L5"
    assert case("movement", **REFUSES, dice=dice, rules=extra).men("A2") == "L4"
    assert case("movement", **REFUSES, dice=dice, rules=extra, nodes="0606 forest").men("A2") == "L5"
    slow = {**REFUSES, "armies": REFUSES["armies"].replace("K6", "K5 S1")}
    assert case("movement", **slow, dice=dice, rules=extra).men("A2") == "L5"


@pytest.mark.parametrize(("costs", "prestige"), [("yes", "3"), ("no", "4")])
def test_who_shuts_himself_in(costs: str, prestige: str) -> None:
    """shut_in_prestige: it costs like a withdrawal, or nothing."""
    rules = {"yes": {"shut_in_prestige": "yes"}, "no": {"shut_in_prestige": "no"}}[costs]
    after = case("movement", armies="A1 r 0605 K6 noble=N1, A2 a 0606 L5 noble=N2:4 if_attacked=shut_in", rules=rules,
                 places="keep 0606 castle_motte 3 2 holder=a S9", orders="r MOVE A1 0606 choice=attack",
                 then="A1 node=0606, A2 inside=keep" + (", N2 prestige=3" if costs == "yes" else ""))
    assert after.get("N2", "prestige") == prestige


def test_prestige_may_fall_to_nothing() -> None:
    """prestige_clamp 0-10: a name can be lost altogether."""
    given = {**REFUSES, "armies": REFUSES["armies"].replace("N2:4", "N2:1")}
    assert case("movement", **given, dice=ALL_FREE).get("N2", "prestige") == "1"
    assert case("movement", **given, dice=ALL_FREE, rules={"prestige_clamp": "0-10"}).get("N2", "prestige") == "0"


def test_the_noble_of_a_dissolved_group() -> None:
    """noble_alone: he stays as a lone group, or leaves with his men."""
    armies = "A1 r 0605 S1 noble=N1 money=4"
    stays = case("reorganise", armies=armies, then="A1 S0")
    assert stays.get("N1", "army", "state") == ("A1", "free")
    leaves = case("reorganise", armies=armies, rules={"noble_alone": "leaves"})
    assert leaves.get("A1", "state", "money") == ("dissolved", "0")


MET_CART: dict[str, Any] = {
    "armies": "A1 r 0605 S8 noble=N1", "places": "oxford 0609 town 5 7, ham 0601 village 4 6",
    "convoys": "C1 n 0606 3 home=oxford goal=ham heading=goal", "orders": "r MOVE A1 0606 0607", "defaults": True}


def test_a_cart_is_taken_by_who_stays() -> None:
    """convoy_owner: by default whoever meets it may take it, and does when it stays; guard: not in passing."""
    passes = case("movement", **MET_CART)
    assert passes.get("C1", "faction") == "neutral"
    stays = {**MET_CART, "orders": "r MOVE A1 0606"}
    assert case("movement", **stays).get("C1", "faction") == "royal"
    given = {k: v for k, v in MET_CART.items() if k != "defaults"}
    offered = case("movement", **given, waits="convoy/A1/0606/C1").questions["convoy/A1/0606/C1"]
    assert (offered.options, offered.default) == ("take, pass", "pass")
    guarded = case("movement", **MET_CART, rules={"convoy_owner": "guard"})
    assert guarded.get("C1", "faction") == "neutral"
    assert "take" not in str([q.options for q in guarded.campaign.by_sheet("Questions")])


def test_a_cart_without_escort_is_the_first_groups() -> None:
    """convoy_unescorted takes: it belongs to the first group that it meets, in passing and coming, and nobody is asked
    (14.4); by an order to BUY it is bought of all the same.
    """
    met = {**MET_CART, "rules": {"convoy_unescorted": "takes"}, "defaults": False}
    passes = case("movement", **met)
    assert passes.get("C1", "faction", "escort", "node") == ("royal", "A1", "0607")
    assert "convoy" not in [q.kind for q in passes.campaign.by_sheet("Questions")]
    comes = case("movement", **{**met, "armies": "A1 r 0607 S8 noble=N1, A2 a 0701 S8 noble=N2", "orders": "",
                                "convoys": "C1 n 0606 3 home=ham goal=oxford heading=goal"})
    assert comes.get("C1", "faction", "escort", "node") == ("royal", "A1", "0607")
    enemys = case("movement", **{**met, "convoys": "C1 a 0606 3"})
    assert enemys.get("C1", "faction") == "royal"
    bought = case("movement", **{**met, "armies": "A1 r 0605 S12 noble=N1 money=9",
                                 "orders": "r MOVE A1 0606 0607; r BUY A1 C1 1"})
    assert bought.get("C1", "faction", "cargo") == ("neutral", "2")
    assert bought.get("A1", "provisions", "money") == ("1", "8")
    guarded = case("movement", **{**met, "rules": {"convoy_unescorted": "takes", "convoy_owner": "guard"}})
    assert guarded.get("C1", "faction") == "neutral"


@pytest.mark.parametrize(("rule", "wanted", "bought"), [("need", 3, 1), ("order", 3, 3), ("order", 2, 2),
                                                        ("order", 9, 3)])
def test_how_much_is_bought_of_a_cart(rule: str, wanted: int, bought: int) -> None:
    """convoy_buy: what tomorrow's food lacks, or by an order all or a part of what it carries (14.4)."""
    rules = {} if rule == "need" else {"convoy_buy": "order"}
    after = case("movement", armies="A1 r 0605 S12 noble=N1 money=9", convoys="C1 n 0606 3",
                 orders=f"r MOVE A1 0606; r BUY A1 C1 {wanted}", rules=rules)
    assert after.get("C1", "cargo", "faction") == (str(3 - bought), "neutral")
    assert after.get("A1", "provisions", "money") == (str(bought), str(9 - bought))


@pytest.mark.parametrize(("cart", "rule", "bought"), [
    ("C1 r 0605 3", "need", 0), ("C1 r 0605 3", "order", 2), ("C1 r 0606 3", "order", 2),
    ("C1 r 0606 3 escort=A2", "order", 2)])
def test_an_own_or_guarded_cart_sells_by_order(cart: str, rule: str, bought: int) -> None:
    """convoy_buy order: of own and of neutral convoys, where the march begins or on its way, led or not."""
    after = case("movement", armies="A1 r 0605 S12 noble=N1 money=9, A2 r 0606 S5", convoys=cart,
                 orders="r MOVE A1 0606; r BUY A1 C1 2", rules={"convoy_buy": rule},
                 findings="" if bought else "o2 ANA-203")
    assert after.get("C1", "cargo", "faction") == (str(3 - bought), "royal")
    assert after.get("A1", "money", "provisions") == (str(9 - bought), str(bought))


@pytest.mark.parametrize(("tests", "stays"), [(0, True), (3, True), (4, False)])
def test_promises_by_level(tests: int, stays: bool) -> None:
    """merc_test level: a level of 7 instead of the die: 7 -3 is 4, stays; 7 -4 is 3, deserts."""
    after = case("provisions", armies=f"""A1 a 0605 S4 noble=N1
        M1 a 0605 L4 kind=welsh employer=A1 contract=promised promised=4 tests={tests} hired_on=1""",
                 rules={"merc_test": "level"})
    assert (after.get("M1", "faction") == "angevin") == stays
    assert not after.throws


def test_mercenaries_with_knights() -> None:
    """merc_knights knights_if_all_paid: a free company has no knights until it is paid."""
    row = case("opening", day=0, armies="M1 n 0605 kind=flemish size=10")
    assert row.men("M1") == "K2 S4 B2 L2"
    without = case("opening", day=0, armies="M1 n 0605 kind=flemish size=10",
                   rules={"merc_knights": "knights_if_all_paid"})
    assert without.of("M1")["knights"] == "0"
    assert sum(int(without.of("M1")[r]) for r in ("knights", "dismounted", "foot", "bows", "light", "peasants")) == 10


def test_all_companies_may_want_a_share() -> None:
    """loot_share_to all: paid companies are given a share, too."""
    given: dict[str, Any] = {
        "armies": "A1 a 0605 K9 noble=N1, M1 a 0605 L4 kind=welsh employer=A1",
        "places": "ham 0606 village 5 7", "orders": "a MOVE A1 0606; a SACK A1 ham 5"}
    case("movement", **given, then="A1 node=0606 money=5, M1 node=0606, ham resources=0, angevin looted=5")
    stop = case("movement", **given, rules={"loot_share_to": "all"}, waits="share/A1/M1")
    assert stop.questions["share/A1/M1"].to == "angevin"


@pytest.mark.parametrize(("taken", "money"), [("yes", "14"), ("no", "10")])
def test_the_purse_of_the_beaten(taken: str, money: str) -> None:
    """purse_captured: of eliminated or surrendered groups it goes to the victor, or is lost."""
    rules = {"yes": {"purse_captured": "yes"}, "no": {"purse_captured": "no"}}[taken]
    after = case("movement", armies="""A1 r 0605 K9 noble=N1 money=10
        A2 a 0606 S4 noble=N2 money=4 if_attacked=fight on_meeting=pass""", rules=rules,
                 orders="r MOVE A1 0606 choice=attack", battles="B3-1 attacker surrendered 6",
                 answers="battle/B3-1 = entered")
    assert after.get("A1", "money") == money
    assert after.get("A2", "money", "state") == ("0", "captured")


def test_the_payer_may_have_to_be_there() -> None:
    """ransom_reach same_hex: the payer must stand where the noble is held."""
    given: dict[str, Any] = {
        "nobles": "VER r 4 8 state=prisoner captor=a held_in=P1", "places": "den 1105 castle_motte 3 2 holder=a S9",
        "prisoners": "P1 r a 1105 S1 place=den state=delivered", "orders": "r RANSOM A1 VER",
        "rules": {"ransom_reach": "same_hex"}}
    away = case("ransoms", armies="A1 r 0605 S9 noble=N1 money=10, E1 a 0105 S9", **given, findings="o1 ANA-203")
    assert away.get("VER", "state") == "prisoner"
    here = case("ransoms", armies="A1 r 1105 S9 noble=N1 money=10, E1 a 0105 S9", **given)
    assert here.get("VER", "state") == "free"


def test_the_referee_may_only_warn_of_thin_garrisons() -> None:
    """garrison_refill warn: nobody is taken, the castle is named."""
    case("reorganise", armies="A1 r 0605 S9", places="keep 0605 castle_motte 3 8 holder=r S2",
         rules={"garrison_refill": "warn"}, findings="* ANA-208", then="")


@pytest.mark.parametrize(("least", "men", "besieges"), [
    ("any", 3, True), ("equal", 9, False), ("equal", 10, True)])
def test_how_many_it_takes_to_besiege(least: str, men: int, besieges: bool) -> None:
    """siege_min equal: besieging heads at least the garrison's."""
    rules = {"any": {"siege_min": "any"}, "equal": {"siege_min": "equal"}}[least]
    after = case("movement..close", armies=f"A1 a 0605 S{men}", places="keep 0605 castle_motte 3 8 holder=r S10",
                 rules=rules, orders="a BESIEGE A1 keep", findings="" if besieges else "o1 ANA-011")
    assert bool([s for s in after.campaign.by_sheet("Sieges") if s.state == "on"]) == besieges
    assert (after.get("A1", "besieging") == "keep") == besieges


@pytest.mark.parametrize(("weather", "left"), [("-3", "2"), ("2", "7"), ("+3", "8"), ("0", "5"), ("off", "5")])
def test_the_weather_may_be_given(weather: str, left: str) -> None:
    """weather: off, roll, or a value from -3 to +3."""
    after = case("opening", day=0, rules={"weather": weather}, places="ham 0605 village 5 8")
    assert after.get("ham", "resources") == left
    assert not after.throws


def test_a_drought_may_leave_one_point() -> None:
    """weather_clamp 1-10: no place falls below 1."""
    after = case("opening", day=0, rules={"weather": "-3", "weather_clamp": "1-10"},
                 places="ham 0605 village 2 8, ton 0606 village 5 8")
    assert (after.get("ham", "resources"), after.get("ton", "resources")) == ("1", "2")


@pytest.mark.parametrize(("scope", "end"), [("all", "0607"), ("foot", "0609")])
def test_riders_may_not_feel_the_season(scope: str, end: str) -> None:
    """season_scope foot: only those who march on foot lose points."""
    rules = {"all": {"season": "winter", "season_scope": "all"}, "foot": {"season": "winter", "season_scope": "foot"}}
    after = case("movement", armies="A1 r 0601 K9 noble=N1", rules=rules[scope], findings="o1 ANA-103",
                 orders="r MOVE A1 " + " ".join(f"06{n:02}" for n in range(2, 12)))
    assert after.get("A1", "node") == end


@pytest.mark.parametrize(("season", "end"), [("summer", "0606"), ("spring", "0605"), ("autumn", "0605"),
                                             ("winter", "0604")])
def test_the_season_of_the_campaign(season: str, end: str) -> None:
    """season: summer 0, spring and autumn -1, winter -2 PM."""
    rules = {"spring": {"season": "spring"}, "summer": {"season": "summer"}, "autumn": {"season": "autumn"},
             "winter": {"season": "winter"}}[season]
    after = case("movement", armies="A1 r 0601 S9 noble=N1", rules=rules, findings="o1 ANA-103",
                 orders="r MOVE A1 " + " ".join(f"06{n:02}" for n in range(2, 12)))
    assert after.get("A1", "node") == end
