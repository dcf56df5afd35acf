"""The worked examples of the rulebook page, EX-23 to EX-42."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import EVERYBODY, case

EARL = "A-ROB a 0407 K5 S6 B3 L4 noble=ROB:9:1+EMP:8:1 loyalty=1"


# --- food -------------------------------------------------------------------------------------------
def test_ex23_day_1_earl_robert_eats() -> None:
    """EX-23 (8.4): twenty heads eat two points of a castle in the hex."""
    after = case("provisions", armies=EARL, places="castle-combe 0407 castle_motte 2 3 holder=a K3 S3 B2 L2",
                 then="castle-combe resources=0")
    assert after.audience("supplied", "A-ROB") == "angevin"


@pytest.mark.parametrize("already", [0, 1])
def test_ex23_days_2_and_3_he_finds_nothing(already: int) -> None:
    """EX-23: nothing there: hungry days 1, then 2."""
    after = case("provisions", armies=f"{EARL} hungry_days={already}", then=f"A-ROB hungry_days={already + 1}")
    assert after.audience("hungry", "A-ROB") == "angevin"
    assert after.silent("starving")


def test_ex23_day_4_he_starves_although_he_eats() -> None:
    """EX-23: after two days unfed he starves today although he eats now: PM 4 / 2 = 2, the counter is back at 0."""
    after = case("provisions..movement", armies=f"{EARL} hungry_days=2 provisions=2", rules={"season": "autumn"},
                 orders="a MOVE A-ROB 0408 0409 0410", findings="o1 ANA-103",
                 then="A-ROB hungry_days=0 provisions=0 starving=yes node=0409")
    assert after.audience("starving", "A-ROB") == "angevin"
    assert after.event("starving", "A-ROB").data["k"] == 2


def test_ex23_day_5_is_normal_again() -> None:
    """EX-23: the mark of the starving is cleared at the close."""
    case("close", armies=f"{EARL} starving=yes", then="A-ROB starving=no")


def test_ex23_nine_heads_are_always_fed() -> None:
    """EX-23: a group of 9 heads never is hungry."""
    case("provisions", armies="A1 a 0605 S8 noble=N1 hungry_days=2", then="A1 hungry_days=0")


ONE_POINT: dict[str, Any] = {"places": "hamlet 0605 village 1 6",
             "armies": "A1 r 0605 S12 noble=N1:6, A2 a 0605 S11 noble=N2:5, A3 a 0605 S8 noble=N3:4 hungry_days=2"}


@pytest.mark.parametrize("access", ["mirror", "above4"])
def test_ex24_one_point_for_two(access: str) -> None:
    """EX-24: A1 eats first, the village is empty, A2 goes hungry; A3 of 9 heads is fed and not starving."""
    case("provisions", **ONE_POINT, rules={"village_access": access},
         then="hamlet resources=0, A2 hungry_days=1, A3 hungry_days=0")


def test_ex24_a_part_of_the_need_is_eaten_in_vain() -> None:
    """EX-24: 22 heads and 1 point: the point is eaten and the group still counts as hungry."""
    case("provisions", armies="A1 r 0605 S21 noble=N1", places="hamlet 0605 village 1 7",
         then="hamlet resources=0, A1 hungry_days=1")


# --- looting and mercenaries -------------------------------------------------------------------------
CORSHAM: dict[str, Any] = {
    "armies": f"{EARL} money=36, M-WE1 a 0407 K1 S2 B4 L5 kind=welsh employer=A-ROB contract=promised promised=12 "
              "hired_on=1 tests=1",
    "places": "corsham 0408 village 3 7",
    "orders": "a MOVE A-ROB 0408; a SACK A-ROB corsham 3",
    "battles": "B3-1 attacker fled 5",
    "losses": "B3-1 M-WE1 light 1 0 0, B3-1 levy peasants 2 0 0",
    "dice": "share/M-WE1=6",
}


def test_ex25_corsham_is_sacked_and_the_welsh_grumble() -> None:
    """EX-25 (13.2, 11.6): 3 points to 11 Welsh: short 73 %: 0, prestige +1, promise -1: 6: grumble. 9 to 10 to 9."""
    after = case("movement", **CORSHAM, answers="battle/B3-1 = entered\nshare/A-ROB/M-WE1 = 3",
                 then="A-ROB node=0408, M-WE1 node=0408 L4 money=3 grumbles=yes, corsham resources=0, angevin looted=3")
    assert [tuple(map(str, (e.data["old"], e.data["new"]))) for e in after.events("prestige", "Robert")
            or after.events("prestige")] == [("9", "10"), ("10", "9")]
    roll = after.event("share", "M-WE1").roll
    assert (roll["value"], roll["total"]) == (6, 6)
    assert sorted(n for _, n in roll["modifiers"]) == [-1, 1]
    assert after.event("looted", "corsham").audience == "all"
    assert after.audience("share", "M-WE1") == "angevin"


def test_ex25_next_morning_they_desert() -> None:
    """EX-25: `grumble` 5 -1 = 4: they desert, back away and take no more promises from the angevins."""
    after = case("provisions", armies=f"{EARL}, M-WE1 a 0407 K1 S2 B4 L4 kind=welsh employer=A-ROB contract=promised "
                 "promised=12 hired_on=1 tests=1 grumbles=yes moves_next=r", dice="grumble/M-WE1=5",
                 then="M-WE1 faction=n contract=none employer= no_promise_to=a node=0406, A-ROB hungry_days=1")
    assert after.audience("deserted", "M-WE1") in EVERYBODY


def test_ex25_stephen_pays_them() -> None:
    """EX-25: on day 3 Stephen pays £22 for them."""
    case("movement", armies="""A-STE r 0605 K6 S7 B4 L4 noble=STE:9:10 money=30
         M-WE1 n 0508 K1 S2 B4 L4 kind=welsh moves_next=r no_promise_to=a""",
         orders="r MERCS M-WE1 0507 0506 0605", answers="hire/A-STE/0605/M-WE1 = pay",
         then="A-STE money=8, M-WE1 faction=r node=0605 employer=A-STE contract=paid")


def test_ex26_a_company_that_was_cheated_revolts() -> None:
    """EX-26 (11.6): M2 gets 4 of 4 and is paid; M1 is short 75 %: die 2: revolt, battle at once, it falls back."""
    after = case(
        "movement", armies="""A1 a 0605 S8 noble=N1:6
            M1 a 0605 L4 B4 kind=welsh employer=A1 contract=promised promised=8 hired_on=1
            M2 a 0605 S4 kind=flemish employer=A1 contract=promised promised=4 hired_on=1""",
        places="ham 0606 village 6 7", orders="a MOVE A1 0606; a SACK A1 ham 6",
        answers="share/A1/M1 = 2\nshare/A1/M2 = 4",
        dice="share/M1=2, auto/B3-2/attacker=4, auto/B3-2/defender=9, auto/B3-2/N1=5", defaults=True)
    assert after.get("M1", "faction", "contract", "employer") == ("neutral", "none", "")
    assert after.men("M1") == "B2 L2"
    assert after.get("M1", "node") != "0606"
    assert after.men("P1") == "B1 L1"
    assert after.get("M2", "contract", "employer", "faction") == ("paid", "A1", "angevin")
    assert (after.men("M2"), after.men("A1")) == ("S4", "S8")
    assert after.get("W1", "rank", "army", "state") == ("foot", "A1", "hurt")
    assert [(str(e.data["old"]), str(e.data["new"])) for e in after.events("prestige")] == [
        ("6", "7"), ("7", "6"), ("6", "7")]
    assert after.get("A1", "money") == "0"
    assert after.event("revolt", "M1", "A1").audience == "all"


AVEBURY: dict[str, Any] = {
    "armies": "A-MAR a 1110 K2 S3 B1 L2 noble=MAR:6:4, M-FL2 a 1110 K2 S4 B2 L2 kind=flemish employer=A-MAR",
    "places": "avebury-priory 1009 priory 1 6",
    "orders": "a MOVE A-MAR 1009; a SACK A-MAR avebury-priory 1",
}


@pytest.mark.parametrize(("priory", "left", "levy"), [("monastic", 5, 1), ("village", 6, 2)])
def test_ex27_avebury_priory_is_looted(priory: str, left: int, levy: int) -> None:
    """EX-27 (5.2, 9): levy half of 2 P; no dice and no loss; 6 to 7 to 5; as a village levy 2, 6 to 7 to 6."""
    after = case("movement", **AVEBURY, rules={"priory_is": priory},
                 then="A-MAR node=1009 money=1, M-FL2 node=1009, avebury-priory resources=0, angevin looted=1"
                      + (f", MAR prestige={left}" if left != 6 else ""))
    assert str(19 + levy) in {str(v) for v in after.event("battle_opened").data.values()}
    assert not [who for who in after.throws if who.startswith("auto")]


def test_ex27_stanley_abbey_is_not_built() -> None:
    """EX-27: SACK of Stanley Abbey in 1139: ANA-407."""
    case("movement", armies="A1 a 0605 S9 noble=N1", places="stanley-abbey 0606 abbey 3 3 exists=no",
         orders="a MOVE A1 0606; a SACK A1 stanley-abbey 1", findings="o2 ANA-407", then="A1 node=0606")


def test_ex27_at_prestige_1_a_loss_changes_nothing() -> None:
    """EX-27: prestige is kept within 1 and 10."""
    case("movement", armies="A1 a 0605 S9 noble=N1:1 money=0", places="priory 0606 priory 1 6",
         orders="a MOVE A1 0606; a SACK A1 priory 1",
         then="A1 node=0606 money=1, priory resources=0, angevin looted=1")


FLEMINGS = "M-FL2 n 1309 K2 S4 B2 L2 kind=flemish moves_next=r"
MARSHAL = "A-MAR a 1209 K2 S3 B1 L2 noble=MAR:6:4 money=20"


def test_ex28_the_marshal_hires_the_flemings() -> None:
    """EX-28 (11.1): moved by the royal side they reach A-MAR: its side is asked; £20 are paid, they attach."""
    stop = case("movement", armies=f"{MARSHAL}, {FLEMINGS}", orders="r MERCS M-FL2 1209",
                waits="hire/A-MAR/1209/M-FL2")
    question = stop.questions["hire/A-MAR/1209/M-FL2"]
    assert (question.to, question.default) == ("angevin", "no")
    assert {"pay", "no"} < set(question.options.split(", "))
    after = case("movement", armies=f"{MARSHAL}, {FLEMINGS}", orders="r MERCS M-FL2 1209",
                 answers="hire/A-MAR/1209/M-FL2 = pay",
                 then="A-MAR money=0, M-FL2 faction=a node=1209 employer=A-MAR contract=paid moves_next=a")
    assert after.event("hired", "M-FL2", "A-MAR")


def test_ex28_a_promise_costs_nothing_yet() -> None:
    """EX-28, 11.2: promise:n attaches the whole company for a promise of loot."""
    case("movement", armies=f"{MARSHAL}, {FLEMINGS}", orders="r MERCS M-FL2 1209",
         answers="hire/A-MAR/1209/M-FL2 = promise:12",
         then="M-FL2 faction=a node=1209 employer=A-MAR contract=promised promised=12")


def test_ex28_a_group_without_noble_is_not_asked() -> None:
    """EX-28: A-BLK has no noble: the company goes back where it came from."""
    after = case("movement", armies=f"A-BLK r 1209 K3 S4 B2 L3 money=40, {FLEMINGS}", orders="r MERCS M-FL2 1209",
                 then="M-FL2 moves_next=a")
    assert after.get("M-FL2", "node", "faction", "contract") == ("1309", "neutral", "none")
    assert after.event("not_hired", "M-FL2")


def test_ex28_a_path_that_does_not_near_is_replaced() -> None:
    """EX-28: ANA-111, the default way is used: on to the nearest group."""
    case("movement", armies=f"{MARSHAL}, {FLEMINGS}", orders="r MERCS M-FL2 1409",
         findings="o1 ANA-111", answers="hire/A-MAR/1209/M-FL2 = pay",
         then="A-MAR money=0, M-FL2 faction=a node=1209 employer=A-MAR contract=paid")


def test_ex28_the_wrong_side_may_not_move_them() -> None:
    """EX-28: the angevin player ordering them that day: ANA-110."""
    after = case("movement", armies=f"{MARSHAL}, {FLEMINGS}", orders="a MERCS M-FL2 1309",
                 findings="o1 ANA-110", answers="hire/A-MAR/1209/M-FL2 = no")
    assert after.get("M-FL2", "faction") == "neutral"


LURE = "M1 r 1208 S8 kind=flemish, A1 a 1207 S9 noble=N1 money=30"


def test_ex29_a_company_left_alone_is_lured() -> None:
    """EX-29 (11.5): the other side's nearest group is 2 hexes away: allowed, £24."""
    case("movement", armies=f"{LURE}, A2 r 1210 S9 noble=N2", orders="a MOVE A1 1208",
         answers="lure/A1/1208/M1 = pay",
         then="A1 node=1208 money=6, M1 faction=a employer=A1")


def test_ex29_luring_needs_two_hexes() -> None:
    """EX-29: at 1209 (1 hex): the option is not offered, and the order LURE is ANA-503."""
    stop = case("movement", armies=f"{LURE}, A2 r 1209 S9 noble=N2", orders="a MOVE A1 1208",
                waits="lure/A1/1208/M1")
    assert stop.questions["lure/A1/1208/M1"].options == "attack, pass"
    after = case("movement", armies=f"{LURE}, A2 r 1209 S9 noble=N2", orders="a MOVE A1 1208; a LURE A1 M1",
                 findings="o2 ANA-503", defaults=True)
    assert after.get("M1", "faction") == "royal"


def test_ex29_castle_garrisons_do_not_count() -> None:
    """EX-29: a castle of the other side next door does not keep the company loyal."""
    case("movement", armies=LURE, places="keep 1209 castle_motte 5 9 holder=r S10",
         orders="a MOVE A1 1208; a LURE A1 M1",
         then="A1 node=1208 money=6, M1 faction=a employer=A1")


# --- convoys, recruits, trains -------------------------------------------------------------------------
OXFORD: dict[str, Any] = {"armies": "A-MEU r 1404 K3 S4 B2 L3 noble=MEU:7:8 money=20",
                          "convoys": "C-OXF r 1404 3 animals=4 escort=A-MEU"}


def test_ex30_a_convoy_unloads() -> None:
    """EX-30 (12): three points to the two of Faringdon: five."""
    after = case("convoys", **OXFORD, places="faringdon 1404 village 2 6", orders="r UNLOAD C-OXF faringdon 3",
                 then="C-OXF cargo=0, faringdon resources=5")
    assert "royal" in after.audience("convoy_work", "C-OXF")


def test_ex30_six_points_are_too_many_for_a_day() -> None:
    """EX-30: UNLOAD 6: ANA-602."""
    case("convoys", **OXFORD, places="faringdon 1404 village 2 6", orders="r UNLOAD C-OXF faringdon 6",
         findings="o1 ANA-602", then="")


def test_a_new_convoy_takes_no_more_than_passes_in_a_day() -> None:
    """12: a club that lets 3 points pass a day gets convoys of 3, though there were animals for more."""
    case("convoys", places="ham 0605 village 9 8", rules={"convoy_transfer": 3},
         orders="r CONVOY C-NEW ham 4; r CONVOY C-DOR ham 3", findings="o1 ANA-602",
         then="C-DOR faction=r node=0605 animals=3 driver=1 cargo=3, ham resources=6")


def test_ex30_a_full_place_takes_what_fits() -> None:
    """EX-30: at a place with 9, 3 offered: 1 unloaded, ANA-605."""
    case("convoys", **OXFORD, places="faringdon 1404 village 9 6", orders="r UNLOAD C-OXF faringdon 3",
         findings="o1 ANA-605", then="C-OXF cargo=2, faringdon resources=10")


SHUTTLE = "reading-abbey 0605 abbey {home} 8, newbury 0608 town {goal} 5"


def test_ex30_a_neutral_convoy_unloads_at_its_goal_and_turns() -> None:
    """EX-30: C-REA at its goal unloads all and turns home."""
    case("convoys", places=SHUTTLE.format(home=6, goal=4),
         convoys="C-REA n 0608 5 home=reading-abbey goal=newbury heading=goal",
         then="C-REA cargo=0 heading=home, newbury resources=9")


@pytest.mark.parametrize(("there", "loaded"), [(6, 5), (5, 4), (1, 0), (0, 0)])
def test_ex30_at_home_it_loads_but_leaves_one(there: int, loaded: int) -> None:
    """EX-30: at home it loads up to 5 but leaves 1, and turns to the goal."""
    then = "C-REA heading=goal" + (f" cargo={loaded}, reading-abbey resources={there - loaded}" if loaded else "")
    case("convoys", places=SHUTTLE.format(home=there, goal=4),
         convoys="C-REA n 0605 0 home=reading-abbey goal=newbury heading=home", then=then)


SOLD: dict[str, Any] = {"armies": "A-MEU r 0605 K3 S4 B2 L3 noble=MEU:7:8 money=20",
        "convoys": "C-OXF n 0608 4 animals=4 home=oxford goal=faringdon heading=goal",
        "places": "oxford 0609 town 5 7, faringdon 0601 village 4 6"}


def test_ex30_food_is_bought_from_a_neutral_convoy() -> None:
    """EX-30: A-MEU `buy:1`: £1, `provisions` 1, the convoy stays neutral and goes on."""
    after = case("movement", **SOLD, orders="r MOVE A-MEU 0606 0607 0608",
                 answers="convoy/A-MEU/0608/C-OXF = buy:1")
    assert after.get("A-MEU", "money", "provisions", "node") == ("19", "1", "0608")
    assert after.get("C-OXF", "cargo", "faction", "escort") == ("3", "neutral", "")
    assert after.event("bought", "A-MEU" if after.events("bought", "A-MEU") else "1")


def test_ex30_no_more_is_sold_than_tomorrow_needs() -> None:
    """EX-30, Movement and encounters: only what tomorrow's food still lacks is offered: 13 heads need 1."""
    stop = case("movement", **SOLD, orders="r MOVE A-MEU 0606 0607 0608", waits="convoy/A-MEU/0608/C-OXF")
    question = stop.questions["convoy/A-MEU/0608/C-OXF"]
    assert set(question.options.split(", ")) == {"buy:1", "take", "pass"}
    assert question.default == "take"


def test_ex30_a_convoy_that_comes_to_a_group_is_taken_by_default() -> None:
    """EX-30: C-BAT ends beside A-STE: default take: it is its and follows it."""
    after = case("movement", armies="A-STE r 0606 S9 noble=STE:9",
                 convoys="C-BAT n 0605 3 home=bath goal=calne heading=goal",
                 places="bath 0604 town 5 8, calne 0608 village 3 7",
                 answers="convoy/A-STE/0606/C-BAT = default", then="C-BAT faction=r node=0606 escort=A-STE")
    assert after.event("convoy_taken", "C-BAT", "A-STE")


ABINGDON: dict[str, Any] = {"armies": "A-MIL a 1903 K5 S5 B3 L3 noble=MIL:8:2 money=18",
                            "places": "abingdon-abbey 1904 abbey 5 6, corsham 1904 village 5 7"}


def test_ex31_recruits_at_abingdon() -> None:
    """EX-31 (13.1): L1 P1 for £1.5, then food for the 19 heads."""
    after = case("movement", **ABINGDON, orders="a MOVE A-MIL 1904; a RECRUIT A-MIL abingdon-abbey L1 P1; "
                 "a PROVISION A-MIL abingdon-abbey",
                 then="A-MIL node=1904 L4 P1 money=16.5 provisions=1, abingdon-abbey resources=4")
    assert after.audience("recruited", "A-MIL") == "angevin"


@pytest.mark.parametrize(("order", "code"), [
    ("a RECRUIT A-MIL abingdon-abbey L2", "ANA-402"), ("a RECRUIT A-MIL corsham L1", "ANA-401")])
def test_ex31_more_than_the_table_and_the_kings_village_are_refused(order: str, code: str) -> None:
    """EX-31: L2: ANA-402. The same at Corsham (royal 7): ANA-401."""
    case("movement", **ABINGDON, orders=f"a MOVE A-MIL 1904; {order} node=1904", findings=f"o2 {code}",
         then="A-MIL node=1904")


def test_ex31_nobody_recruits_in_a_castle() -> None:
    """EX-31: A-BLK in a castle: ANA-403."""
    case("movement", armies="A-BLK r 2105 K3 S4 B2 L3 money=4",
         places="brightwell-castle 2105 counter_castle 5 9 holder=r K3 S3 B2 L2",
         orders="r RECRUIT A-BLK brightwell-castle L2", findings="o1 ANA-403", then="")


def test_ex31_a_peasant_slows_riders_at_once() -> None:
    """EX-31: riders who recruit a peasant after 3 of 8 PM have 5 - 3 = 2 left."""
    case("movement", armies="A1 r 0601 K6 noble=N1 money=5", places="ham 0604 village 5 7",
         orders="r MOVE A1 0602 0603 0604 0605 0606 0607; r RECRUIT A1 ham P1 node=0604",
         then="A1 node=0606 P1 money=4.5")


def weak(heads: str) -> dict[str, Any]:
    """A1 without a noble, with a first victory behind it, against three peasants who fight."""
    return {"armies": f"A1 r 0605 {heads}, A2 a 0606 P3 if_attacked=fight on_meeting=pass",
            "orders": "r MOVE A1 0606 choice=attack"}


def test_ex32_a_knight_makes_his_name() -> None:
    """EX-32 (9): second victory with 8 of the 16 of the first: a knight becomes N-A1, prestige 2; counters 0."""
    after = case("movement", **weak("K2 S6 wins=1 core_start=16 core_now=8"), answers="name/A1 = Sir Hugh",
                 defaults=True)
    assert after.men("A1") == "K1 S6"
    assert after.get("A1", "commander", "wins") == ("N-A1", "0")
    assert after.get("N-A1", "name", "prestige", "faction", "army", "state") == (
        "Sir Hugh", "2", "royal", "A1", "free")
    assert after.event("new_noble", "Sir Hugh").audience == "all"


def test_ex32_with_less_than_half_of_the_core_this_win_is_the_first() -> None:
    """EX-32: with 7: `wins` 1, core 7, this battle is the first."""
    after = case("movement", **weak("K2 S5 wins=1 core_start=16 core_now=7"), defaults=True)
    assert after.get("A1", "wins", "core_start", "core_now", "commander") == ("1", "7", "7", "")
    assert after.silent("new_noble")


def test_ex33_the_largest_part_gives_its_loyalty() -> None:
    """EX-33 (8.1): 10 heads under a noble of loyalty 9 joined by 6 of loyalty 7: 9."""
    case("reorganise", armies="A1 r 0605 S9 noble=N1:5:9 loyalty=6 money=4, A2 r 0605 K5 noble=N2:6:7 money=2.5",
         orders="r MERGE A1 A2",
         then="A2 S9 loyalty=9 money=6.5, A1 S0 state=merged money=0, N1 army=A2")


@pytest.mark.parametrize(("first", "second", "loyalty"), [
    ("5:9", "6:7", "7"), ("6:9", "5:7", "9"), ("5:9", "5:7", "7")])
def test_ex33_equal_parts_the_higher_prestige_then_the_target(first: str, second: str, loyalty: str) -> None:
    """EX-33: equal 8 and 8: the higher prestige; equal again: the target's (A2)."""
    after = case("reorganise", armies=f"A1 r 0605 S7 noble=N1:{first}, A2 r 0605 S7 noble=N2:{second} loyalty=8",
                 orders="r MERGE A1 A2")
    assert after.get("A2", "loyalty") == loyalty
    assert after.get("A1", "state") == "merged"


def test_ex33_the_core_of_the_smaller_part_is_kept() -> None:
    """EX-33: core 5 of 10 in the smaller part is kept; joined by a noble: counters 0."""
    part = "A1 r 0605 S8 wins=1 core_start=10 core_now=5"
    kept = case("reorganise", armies=f"{part}, A2 r 0605 S12", orders="r MERGE A1 A2")
    assert kept.get("A2", "wins", "core_start", "core_now") == ("1", "10", "5")
    lost = case("reorganise", armies=f"{part}, A2 r 0605 S11 noble=N2", orders="r MERGE A1 A2")
    assert lost.get("A2", "wins", "core_now") == ("0", "0")


FEW = "A1 r 0605 K3 S3 L2 B1 noble=N1, A2 a 0606 S2 L1 noble=N2:4 money=7 if_attacked=refuse on_meeting=pass"


def test_ex34_three_heads_live_on() -> None:
    """EX-34: L1 is taken, S1 hurt, S1 and N2 free: 3 heads, the group lives, one hurt."""
    after = case("movement", armies=FEW, orders="r MOVE A1 0606 choice=attack",
                 dice="refusal/A2/light-1=5, refusal/A2/foot-1=9, refusal/A2/foot-2=2, refusal/A2/N2=2", defaults=True)
    assert (after.men("A2"), after.heads("A2"), after.get("A2", "state")) == ("S2", 3, "active")
    assert after.men("P1") == "L1"
    assert after.get("W1", "army", "rank") == ("A2", "foot")
    assert after.get("N2", "prestige") == "3"


def test_ex34_two_heads_are_a_lone_noble() -> None:
    """EX-34: had S1 been killed: the last man disperses, N2 is a lone noble with his purse."""
    after = case("movement", armies=FEW, wounded="W1 a foot A2", orders="r MOVE A1 0606 choice=attack",
                 dice="refusal/A2/light-1=5, refusal/A2/foot-1=10, refusal/A2/foot-2=2, refusal/A2/N2=2", defaults=True)
    assert (after.men("A2"), after.heads("A2")) == ("", 1)
    assert after.get("A2", "state", "commander", "money") == ("active", "N2", "7")
    assert after.get("N2", "army", "state") == ("A2", "free")
    assert after.event("dissolved", "A2")
    assert after.get("W1", "state") == "dead"


def test_ex34_a_lone_noble_refuses_any_attack() -> None:
    """EX-34: he may only walk, and refuses any attack unasked."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1, A2 a 0606 noble=N2:4 if_attacked=fight",
                 orders="r MOVE A1 0606 choice=attack", dice="refusal/A2/N2=9", defaults=True)
    assert after.get("N2", "state", "captor") == ("prisoner", "royal")


DEVIZES = "devizes-castle 0810 castle_stone 6 7 holder=r "


def test_ex35_five_stay_in_a_castle() -> None:
    """EX-35 (5.3): GARRISON out K3 S3 of 10: ANA-205 (5 may leave)."""
    after = case("reorganise", armies="A1 r 0810 S5 noble=N1", places=DEVIZES + "K3 S3 B2 L2",
                 orders="r GARRISON A1 devizes-castle K3 S3 choice=out", findings="o1 ANA-205", then="")
    assert {"5"} <= {str(v) for v in after.finding("ANA-205").values()}
    case("reorganise", armies="A1 r 0810 S5 noble=N1", places=DEVIZES + "K3 S3 B2 L2",
         orders="r GARRISON A1 devizes-castle K3 S2 choice=out", then="A1 K3 S7, devizes-castle K0 S1")


@pytest.mark.parametrize(("group", "left", "garrison"), [
    ("S4 L2 B2", "S4 L1", "S2 B2 L1"), ("S4", "S3", "S3")])
def test_ex35_a_castle_under_five_is_filled(group: str, left: str, garrison: str) -> None:
    """EX-35: 8 men at a castle with 2: refill takes B2, L1: garrison 5, group 5. A group of 4 gives 1."""
    after = case("reorganise", armies=f"A1 r 0810 {group}", places=DEVIZES + "S2",
                 findings="" if garrison != "S3" else "* ANA-208")
    assert after.men("A1") == left
    assert after.men("devizes-castle") == garrison


TRAIN = "T1 {side} {hex} rams=1 mangonels=1 engineers=1 oxen=4 peasants=3"


def test_ex36_a_ram_and_a_mangonel_move_three() -> None:
    """EX-36 (10): with 4 oxen it moves 3; with 3 oxen ANA-108."""
    case("movement", trains=TRAIN.format(side="r", hex="0605"), orders="r MOVE T1 0606 0607 0608 0609",
         findings="o1 ANA-103", then="T1 node=0608")
    case("movement", trains=TRAIN.format(side="r", hex="0605").replace("oxen=4", "oxen=3"),
         orders="r MOVE T1 0606", findings="o1 ANA-108", then="")


@pytest.mark.parametrize(("answer", "then"), [
    ("take", "T1 faction=r escort=A1"), ("burn", "T1 state=destroyed"), ("pass", "")])
def test_ex36_a_free_train_is_taken_burnt_or_let_be(answer: str, then: str) -> None:
    """EX-36: a free train met by an enemy group: take, burn or pass; take is the default."""
    train = TRAIN.format(side="a", hex="0606")
    stop = case("movement", armies="A1 r 0605 S9 noble=N1", trains=train, orders="r MOVE A1 0606",
                waits="train/A1/0606/T1")
    assert (stop.questions["train/A1/0606/T1"].options, stop.questions["train/A1/0606/T1"].default) == (
        "take, burn, pass", "take")
    after = case("movement", armies="A1 r 0605 S9 noble=N1", trains=train, orders="r MOVE A1 0606",
                 answers=f"train/A1/0606/T1 = {answer}")
    row = after.of("T1")
    for word in then.split()[1:]:
        field, value = word.split("=")
        assert row[field] == {"r": "royal"}.get(value, value)


def test_ex36_an_engineer_is_hired_at_oxford() -> None:
    """EX-36: £4 at Oxford, a new train T-oxford attached, no engine yet."""
    case("movement", armies="A-CHE r 1902 K2 S3 B2 L2 noble=CHE:5:6 money=5", places="oxford 1902 town 3 7",
         orders="r ENGINEER A-CHE oxford",
         then="A-CHE money=1, T-oxford faction=r node=1902 escort=A-CHE engineers=1 state=active")


CHOLSEY: dict[str, Any] = {"armies": "A-BLK r 2106 K2 S2 L1 loyalty=9", "places": "cholsey 2106 village 3 8"}


def test_ex37_a_hurt_man_is_taken_into_care() -> None:
    """EX-37 (15.7): next morning die 7: two days, back on day 7."""
    after = case("provisions", day=5, **CHOLSEY, wounded="W1 r foot A-BLK", dice="healing/W1=7",
                 then="W1 state=in_care place=cholsey back_on=7")
    assert after.audience("in_care") == "royal"


def test_ex37_who_marches_leaves_him_behind() -> None:
    """EX-37: if A-BLK marches on day 6 he stays behind; 4 heads march without penalty."""
    after = case("movement", day=6, **CHOLSEY, wounded="W1 r foot A-BLK state=in_care place=cholsey back_on=7",
                 orders="r MOVE A-BLK 2107 2108 2109 2110 2111")
    assert after.get("A-BLK", "node") == "2111"
    assert after.men("A-BLK") == "K2 S1 L1"
    assert after.get("W1", "place", "state") == ("cholsey", "in_care")
    assert after.event("left_in_care")


def test_ex37_he_is_collected_when_healed() -> None:
    """EX-37: COLLECT at Cholsey from day 7."""
    after = case("reorganise", day=7, armies="A-BLK r 2106 K2 S1 L1", places="cholsey 2106 village 3 8",
                 wounded="W1 r foot - state=healed place=cholsey back_on=7", orders="r COLLECT A-BLK")
    assert after.men("A-BLK") == "K2 S2 L1"


@pytest.mark.parametrize(("die", "days"), [(10, 1), (9, 1), (8, 1), (7, 2), (1, 4), (2, 4), (3, 3)])
def test_ex37_in_a_castle_men_heal_better(die: int, days: int) -> None:
    """EX-37: in a castle +1: die 10 counts 10, die 1 counts 2."""
    case("provisions", day=5, armies="A1 r 0810 S4", wounded="W1 r foot A1", dice=f"healing/W1={die}",
         places=DEVIZES + "S10", then=f"W1 state=in_care place=devizes-castle back_on={5 + days}")


def test_ex37_the_wounded_are_not_marched_away_from_care() -> None:
    """EX-37: MOVE that ends farther from care: ANA-105, the group holds."""
    case("movement", armies="A1 r 0605 S4 noble=N1", wounded="W1 r foot A1", places="ham 0603 village 3 8",
         orders="r MOVE A1 0606", findings="o1 ANA-105", then="")
    case("movement", armies="A1 r 0605 S4 noble=N1", wounded="W1 r foot A1", places="ham 0603 village 3 8",
         orders="r MOVE A1 0604", then="A1 node=0604")


def test_ex38_a_battle_not_played() -> None:
    """EX-38: 38 to 17 is 223 %: +4; 4 +4 +1 = 9 to 7 -1 = 6: attacker by 3; losses as in the book's table."""
    after = case(
        "movement", armies="""A1 r 0605 K3 S3 L2 B2 noble=N1:8
            E1 a 0606 K1 S2 L2 B1 starving=yes if_attacked=fight on_meeting=pass""",
        orders="r MOVE A1 0606 choice=attack",
        dice="auto/B3-1/attacker=4, auto/B3-1/defender=7, auto/B3-1/N1=1", defaults=True)
    assert after.men("A1") == "K3 S3 B2 L2"
    assert after.get("W1", "rank", "army") == ("bows", "A1")
    assert after.get("N1", "state", "prestige") == ("wounded", "9")
    assert after.men("E1") == "K1 S2 L1"
    assert after.men("P1") == "L1"
    assert after.get("E1", "node") != "0606"
    assert after.row("Battles", "B3-1")["outcome"] == "attacker"


@pytest.mark.parametrize(("die", "had", "left", "exists"), [
    (1, 2, 0, "yes"), (10, 9, 10, "yes"), (3, 5, 4, "no"), (5, 5, 5, "yes")])
def test_ex39_the_weather_of_the_year(die: int, had: int, left: int, exists: str) -> None:
    """EX-39 (18.1): die 1 at a place with 2: 0; die 10 at 9: 10; places not yet built change too."""
    case("opening", day=0, rules={"weather": "roll"}, places=f"ham 0605 village {had} 7 exists={exists}",
         dice=f"weather={die}", then=f"ham resources={left}" if left != had else "")


def test_ex39_the_season_is_rolled_once() -> None:
    """EX-39 (18.2): die 7: summer."""
    after = case("opening", day=0, rules={"season": "roll"}, dice="season=7", then="")
    assert "summer" in {str(v) for v in after.event("season").data.values()}
    assert after.audience("season") == "all"


# --- bad input ---------------------------------------------------------------------------------------
def test_ex40_of_two_moves_the_last_counts() -> None:
    """EX-40: two MOVE for A-MIL: ANA-005 at the one that falls."""
    after = case("movement", armies="A-MIL a 0605 S9 noble=N1", orders="a MOVE A-MIL 0606; a MOVE A-MIL 0604",
                 findings="o1 ANA-005", then="A-MIL node=0604")
    assert (after.statuses["o1"], after.statuses["o2"]) == ("replaced", "accepted")


def test_ex40_a_split_that_leaves_two_moves_nobody() -> None:
    """EX-40: SPLIT leaving 2: ANA-201, nothing moves."""
    case("reorganise", armies="A1 a 0605 S4 L1", orders="a SPLIT A1 A2 L1 S2", findings="o1 ANA-201", then="")


def test_ex40_pounds_in_quarters_are_no_amount() -> None:
    """EX-40: `1,25` pounds: ANA-008."""
    case("reorganise", armies="A1 a 0605 S4 money=4, A2 a 0605 S4", orders="a TRANSFER A1 A2 amount=1,25",
         findings="o1 ANA-008", then="")


def test_ex40_an_order_of_yesterday() -> None:
    """EX-40: an order for day 2 on day 3: ANA-004."""
    case("reorganise", armies="A1 a 0605 S4 money=4, A2 a 0605 S4", orders="a TRANSFER A1 A2 amount=1 turn=2",
         findings="o1 ANA-004", then="")


def test_ex40_a_draw_after_nine_turns_cannot_be() -> None:
    """EX-40: ANA-803, the phase waits."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1, A2 a 0606 S9 if_attacked=fight on_meeting=pass",
                 orders="r MOVE A1 0606 choice=attack", battles="B3-1 draw time 9",
                 answers="battle/B3-1 = entered", waits="battle/B3-1", findings="* ANA-803", then="")
    assert after.desk == ("3", "movement")


def test_ex40_maybe_is_no_answer() -> None:
    """EX-40: ANA-901, the phase waits."""
    case("movement", armies="A1 r 0605 S9 noble=N1, A2 a 0606 S9 noble=N2 if_attacked=fight on_meeting=pass",
         orders="r MOVE A1 0606", answers="attack/A1/0606/A2 = maybe", waits="attack/A1/0606/A2",
         findings="* ANA-901", then="")


# --- the end ------------------------------------------------------------------------------------------
def test_ex42_objectives_of_the_last_day() -> None:
    """EX-42: royal 3 + 4 + 1 = 8; angevin 3 + 16 / 5 = 3: 6; A3 failed: royal by 2."""
    after = case(
        "close", day=8, rules={"days": "8"}, factions="angevin looted=16, royal looted=3",
        armies="A-STE r 0411 S9 noble=STE:9:10, A-ROB a 0605 S9 noble=ROB:9:1+EMP:8:1",
        places="""malmesbury-castle 0605 castle_tower 0 4 holder=r S5
            trowbridge-castle 0411 castle_tower 0 3 holder=r S5
            brightwell-castle 2105 counter_castle 0 9 holder=a S5
            wallingford-castle 2205 castle_stone 3 2 holder=a S9""",
        nobles="ENG a 3 3 state=prisoner captor=r",
        objectives="""R1 r hold - malmesbury-castle 3, R2 r hold - trowbridge-castle 4
            R3 r hold - brightwell-castle 2
            R4 r capture EMP - 6, R5 r capture any - 1 cap=4
            A1 a reach EMP wallingford-castle 5 by_day=14, A2 a hold - brightwell-castle 3
            A3 a hold - trowbridge-castle 2, A4 a loot - - 1 per=5 cap=4, A5 a capture any - 1 cap=4""")
    assert after.row("Factions", "royal")["score"] == "8"
    assert after.row("Factions", "angevin")["score"] == "6"
    states = {k: after.get(k, "state") for k in ("R1", "R2", "R3", "A2", "A3")}
    assert states == {"R1": "done", "R2": "done", "R3": "failed", "A2": "done", "A3": "failed"}
