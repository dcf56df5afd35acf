"""The worked examples of the rulebook page, EX-01 to EX-22; EX-01 to EX-06 are the book's own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import EVERYBODY, case

TEN_A = "A2 a 0606 K3 S3 L2 B1 noble=N2:5 on_meeting=pass if_attacked=fight"
MEULAN = "A-MEU r 1404 K3 S4 B2 L3 noble=MEU:7:8 money=20"
TALBOT = "A-TAL a 1307 K6 noble=TAL:4:2 loyalty=2 came_from=1206 money=10"
BLOCKADE = "A-BLK r 2105 K3 S4 B2 L3 loyalty=9 if_attacked=fight"
MILES = "A-MIL a 2104 K5 S5 B3 L4 P1 noble=MIL:8:2"
BRIAN = "A-BRI a 2205 K2 S3 B2 L2 noble=BRI:6:2"
AROUND_WALLINGFORD = """brightwell-castle 2105 counter_castle 2 9 holder=r K3 S3 B2 L2 lord=VER
    wallingford 2205 town 1 3, wallingford-castle 2205 castle_stone 6 2 holder=a K3 S3 B2 L2"""


# --- the book's own --------------------------------------------------------------------------------
def test_ex01_only_the_worst_terrain_of_a_hex_is_paid() -> None:
    """EX-01 (2.1): a hex of hill, forest and river off the road costs 3, not the 5 of the sum."""
    case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 hill+forest+river",
         orders="r MOVE A1 0606 0607 0608", then="A1 node=0608")
    case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 hill+forest+river",
         orders="r MOVE A1 0606 0607 0608 0609", findings="o1 ANA-103", then="A1 node=0608")


@pytest.mark.parametrize("kind", ["road", "bridge", "ford"])
def test_ex01_along_a_road_edge_any_hex_costs_1(kind: str) -> None:
    """EX-01: along a road, bridge or ford edge the same hex costs 1."""
    case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 hill+forest+river", roads=f"0605 0606 {kind}",
         orders="r MOVE A1 0606 0607 0608 0609 0610", then="A1 node=0610")


def test_ex02_a_great_name_and_numbers_bring_a_neutral_over() -> None:
    """EX-02 (7): royal prestige 7 and 15 heads against 9: 5 +1 +1 = 7, royal; the group joins for good."""
    after = case("movement", armies="A1 r 0605 K4 S6 L4 noble=N1:7, A2 n 0606 S5 L4 loyalty=5 on_meeting=pass",
                 orders="r MOVE A1 0606", then="A1 node=0606, A2 faction=r")
    roll = after.event("loyalty_tested", "A2").roll
    assert roll["total"] == 7
    assert sorted(n for _, n in roll["modifiers"]) == [1, 1]
    assert after.event("sided", "A2").audience == "all"


def test_ex02_a_level_of_2_comes_to_4_and_is_the_empresss() -> None:
    """EX-02: level 2 gives 4: the uncommitted group declares for the Empress and is hostile."""
    after = case("movement", armies="A1 r 0605 K4 S6 L4 noble=N1:7, A2 n 0606 S5 L4 loyalty=2 on_meeting=pass",
                 orders="r MOVE A1 0606 0607 choice=pass", then="A1 node=0607, A2 faction=a")
    assert after.event("passed", "A1", "A2")
    assert after.event("sided", "A2")


def test_ex02_in_mode_die_a_d10_takes_the_place_of_the_level() -> None:
    """EX-02, loyalty_test_mode die: 4 +1 +1 = 6, neutral: nothing happens, the group backs away straight on."""
    case("movement", armies="A1 r 0605 K4 S6 L4 noble=N1:7, A2 n 0606 S5 L4 loyalty=2 on_meeting=pass",
         rules={"loyalty_test_mode": "die"}, dice="loyalty/A2/A1=4", orders="r MOVE A1 0606",
         then="A1 node=0606, A2 node=0607")


@pytest.mark.parametrize(("kind", "size", "men"), [
    ("norman", 15, "K4 S5 B3 L3"), ("norman", 21, "K6 S7 B4 L4"), ("norman", 22, "K6 S7 B4 L5"),
    ("norman", 23, "K7 S7 B4 L5"), ("flemish", 13, "K2 S6 B3 L2"), ("norman", 10, "K3 S3 B2 L2"),
])
def test_ex03_fighters_become_men_by_the_composition_table(kind: str, size: int, men: str) -> None:
    """EX-03 (8.2): above 12 row 10 is taken again and again, then the row of what is left."""
    after = case("opening", day=0, armies=f"A1 {'r' if kind == 'norman' else 'n'} 0605 kind={kind} size={size}")
    assert after.men("A1") == men


def test_ex03_two_fighters_have_no_row() -> None:
    """EX-03: 2 fighters are ANA-915, and the opening does not start."""
    after = case("opening", day=0, armies="A1 r 0605 size=2", findings="A1 ANA-915", then="")
    assert after.desk == ("0", "opening")


@pytest.mark.parametrize(("made", "die", "stays"), [
    (0, 4, True), (0, 3, False), (1, 4, False), (1, 5, True), (2, 5, False), (2, 6, True), (3, 6, False), (3, 7, True)])
def test_ex04_a_promised_company_is_tested_every_morning(made: int, die: int, stays: bool) -> None:
    """EX-04 (11.4): deserts at 3 or less, -1 for every test before: 30, 40, 50, 60 percent."""
    after = case("provisions", armies=f"""A1 a 0605 S4 noble=N1
        M1 a 0605 L4 kind=welsh employer=A1 contract=promised promised=4 tests={made} hired_on=1""",
                 dice=f"promise/M1={die}")
    if stays:
        assert after.get("M1", "faction", "contract", "employer", "tests") == (
            "angevin", "promised", "A1", str(made + 1))
        assert after.audience("promise_kept", "M1") == "angevin"
    else:
        assert after.get("M1", "faction", "contract", "employer", "no_promise_to", "node") == (
            "neutral", "none", "", "angevin", "0604")
        assert after.audience("deserted", "M1") in EVERYBODY


def test_ex06_a_noble_of_prestige_4_costs_8_pounds_and_leaves_with_two_knights() -> None:
    """EX-06 (15.8): £2 a point of prestige; he appears as a group of three."""
    case("ransoms", armies="A1 r 0605 S9 noble=N1 money=20, A2 a 1005 S9 noble=N2 money=1",
         nobles="VER r 4 8 state=prisoner captor=a held_in=P1",
         prisoners="P1 r a 1005 captor_army=A2 D1 place=keep state=delivered",
         places="keep 1005 castle_motte 5 2 holder=a S10", orders="r RANSOM A1 VER",
         then="A1 money=12, A2 money=9, VER state=free army=VER-R captor= held_in=, P1 D0\n"
              "VER-R faction=r node=1005 commander=VER loyalty=8 K2 state=active contract=none")


@pytest.mark.parametrize(("train", "goes"), [
    ("rams=1 engineers=1 oxen=2 peasants=3", True),
    ("rams=1 towers=1 engineers=1 oxen=6 peasants=3", True),
    ("rams=1 towers=1 engineers=1 oxen=5 peasants=3", False),
    ("rams=1 engineers=0 oxen=2 peasants=3", False),
    ("rams=1 engineers=1 oxen=1 peasants=3", False),
    ("rams=1 engineers=1 oxen=2 peasants=2", False),
    ("galleries=1 mangonels=1 engineers=1 oxen=4 peasants=3", True),
])
def test_ex06_a_train_needs_engineer_oxen_and_peasants(train: str, goes: bool) -> None:
    """EX-06, EX-36 (10): two oxen an engine, four a tower, an engineer and three peasants, or it stays (ANA-108)."""
    case("movement", trains=f"T1 r 0605 {train}", orders="r MOVE T1 0606 0607 0608",
         findings="" if goes else "o1 ANA-108", then="T1 node=0608" if goes else "")


# --- the march -------------------------------------------------------------------------------------
def test_ex07_the_order_of_march_goes_by_prestige_then_heads_then_the_die() -> None:
    """EX-07 (6): nobles by prestige, equal ones by the heads of the stack, then the leaderless, trains, convoys."""
    after = case(
        "movement",
        armies="""A-STE r 0605 K6 S7 B4 L4 noble=STE:9, A-ROB a 0407 K5 S6 B3 L4 noble=ROB:9+EMP:8
            A-YPR r 0608 K2 S3 B2 L2 noble=YPR:7, M-FL1 r 0608 K2 S5 B3 L2 kind=flemish employer=A-YPR
            A-MEU r 1902 K3 S4 B2 L3 noble=MEU:7, A-BLK r 2105 K3 S4 B2 L3
            M-WE1 n 0309 K1 S2 B4 L5 kind=welsh moves_next=a, M-FL2 n 2401 K2 S4 B2 L2 kind=flemish""",
        convoys="C-BAT n 0210 4 home=bath goal=calne heading=goal, C-KNG r 0612 5", trains="T-DEV r 0810",
        places="bath 0210 town 7 8, calne 0210 village 3 7",
        dice="activation/A-BLK=13, activation/M-WE1=31", orders="a MERCS M-WE1 0308")
    listed = after.event("order_of_march").data["list"]
    names = listed.replace(",", " ").split() if isinstance(listed, str) else list(listed)
    assert names == ["A-STE", "A-ROB", "A-YPR", "A-MEU", "M-WE1", "A-BLK", "M-FL2", "T-DEV", "C-BAT", "C-KNG"]
    assert after.event("order_of_march").audience == "all"


RIDERS, WALKERS = "A1 r 0601 K9 noble=N1", "A1 r 0601 K4 S5 noble=N1"
HURT = "W1 r knights A1"


@pytest.mark.parametrize(("army", "given", "points"), [
    (WALKERS, {"rules": {}}, 5),
    (WALKERS, {"rules": {"season": "autumn"}}, 4),
    (WALKERS, {"rules": {"season": "autumn"}, "wounded": HURT}, 1),
    (f"{WALKERS} starving=yes", {"rules": {"season": "autumn"}}, 2),
    (f"{WALKERS} starving=yes", {"rules": {"season": "winter"}, "wounded": HURT}, 1),
    (WALKERS, {"rules": {"season": "winter"}}, 3),
    (WALKERS, {"rules": {"season": "spring"}}, 4),
    (RIDERS, {"rules": {}}, 8),
    (RIDERS, {"rules": {"season": "autumn"}}, 7),
    (RIDERS, {"rules": {"season": "autumn"}, "wounded": HURT}, 4),
    (RIDERS, {"rules": {"season": "autumn"}, "convoys": "C1 r 0601 3 escort=A1"}, 4),
    (RIDERS, {"rules": {}, "convoys": "C1 r 0601 3 escort=A1"}, 5),
    (RIDERS, {"rules": {"season": "autumn"}, "trains": "T1 r 0601 rams=1 engineers=1 oxen=2 peasants=3 escort=A1"}, 2),
    (RIDERS, {"rules": {"season": "autumn"}, "wounded": "W1 r knights A1 state=in_care back_on=9"}, 7),
    ("A1 r 0601 noble=N1", {"rules": {}}, 8),
    (f"{RIDERS}, M1 r 0601 L4 kind=welsh employer=A1", {"rules": {}}, 5),
])
def test_ex08_movement_points_of_the_day(army: str, given: dict[str, Any], points: int) -> None:
    """EX-08 (8.3, 8.4, 12, 15.7, 18.2): the slowest member, season, -3 for a hurt man, half when starving, least 1."""
    rules = {**given["rules"], "wounded_march": "free"}
    tables: dict[str, Any] = {k: v for k, v in given.items() if k != "rules"}
    path = " ".join(f"06{row:02}" for row in range(2, 11))
    after = case("movement", armies=army, rules=rules, orders=f"r MOVE A1 {path}", findings="o1 ANA-103", **tables)
    assert after.get("A1", "node") == f"06{1 + points:02}"
    assert after.event("stopped_short", "A1")


NEAR_OXFORD: dict[str, Any] = {"nodes": "1306 hill, 1307 hill name=Wanborough, 1902 river name=Oxford",
                               "roads": "1306 1307 road"}


def test_ex09_the_path_is_paid_hex_by_hex() -> None:
    """EX-09: 1305 open 1, 1306 hill 2, 1307 by road 1: PM 4 are just enough."""
    case("movement", armies=MEULAN, rules={"season": "autumn"}, orders="r MOVE A-MEU 1305 1306 1307", **NEAR_OXFORD,
         then="A-MEU node=1307")


def test_ex09_with_3_pm_it_stops_short() -> None:
    """EX-09: with 3 PM it stops at 1306: ANA-103 before, `stopped_short` after."""
    after = case("movement", armies=MEULAN, rules={"season": "winter"}, orders="r MOVE A-MEU 1305 1306 1307",
                 **NEAR_OXFORD, findings="o1 ANA-103", then="A-MEU node=1306")
    assert after.audience("stopped_short", "A-MEU") == "all"
    assert {str(v) for v in after.finding("ANA-103").values()} >= {"4", "3", "1306"}


def test_ex09_steps_must_touch() -> None:
    """EX-09: MOVE 1305 1307 is ANA-102, and the group stays."""
    case("movement", armies=MEULAN, orders="r MOVE A-MEU 1305 1307", **NEAR_OXFORD, findings="o1 ANA-102", then="")


def test_ex09_a_far_place_alone_means_the_cheapest_way() -> None:
    """EX-09: MOVE to Oxford alone: the way chosen is told (ANA-113); it goes as far as it can (ANA-103)."""
    after = case("movement", armies=MEULAN, orders="r MOVE A-MEU Oxford", **NEAR_OXFORD,
                 findings="o1 ANA-113, o1 ANA-103")
    assert after.get("A-MEU", "node") != "1404"


# --- encounters ------------------------------------------------------------------------------------
CHESNEY = "A-CHE n 1601 K2 S3 B2 L2 loyalty=6 noble=CHE:5:6 on_meeting=pass if_attacked=fight joins=no"


def test_ex10_chesney_declares_for_the_king() -> None:
    """EX-10 (7): 6 +1 +0 = 7: group and noble become royal at once and stay; no fight, no question."""
    after = case("movement", armies=f"A-MEU r 1701 K3 S4 B2 L3 noble=MEU:7:8, {CHESNEY}",
                 orders="r MOVE A-MEU 1601", then="A-MEU node=1601, A-CHE faction=r, CHE faction=r")
    assert after.audience("sided", "A-CHE") == "all"
    assert after.silent("attack", "battle_opened", "passed")


def test_ex10_with_encounter_it_is_attitude_only() -> None:
    """EX-10, loyalty_effect encounter: it remains neutral and does not fight."""
    after = case("movement", armies=f"A-MEU r 1701 K3 S4 B2 L3 noble=MEU:7:8, {CHESNEY}",
                 rules={"loyalty_effect": "encounter"}, orders="r MOVE A-MEU 1601")
    assert after.get("A-CHE", "faction") == "neutral"
    assert after.silent("attack", "battle_opened", "sided")


EARL = "A-ROB a 1509 K5 S6 B3 L3 loyalty=1 noble=ROB:9:1+EMP:8:1"
BARRING = "A-MEU r 1609 K3 S4 B2 L3 noble=MEU:7:8 came_from=1608"


def test_ex11_meulans_men_will_not_bar_earl_roberts_way() -> None:
    """EX-11 (7): 8 -2 -1 = 5, neutral: Meulan backs away straight on, to 1710, and keeps his prestige."""
    after = case("movement", armies=f"{EARL}, {BARRING}", orders="a MOVE A-ROB 1609 choice=pass",
                 then="A-ROB node=1609, A-MEU node=1710")
    assert after.audience("backed_away", "A-MEU") == "all"
    assert after.silent("prestige", "standoff")


def test_ex11_with_neutral_meets_nothing_both_stay() -> None:
    """EX-11, neutral_meets nothing: A-MEU stays, and the last to arrive answers the stand-off."""
    case("movement", armies=f"{EARL}, {BARRING}", orders="a MOVE A-ROB 1609 choice=pass",
         rules={"neutral_meets": "nothing"}, waits="standoff/A-ROB/1609")


def test_ex12_a_standoff_is_left_without_loss() -> None:
    """EX-12 (14.2, 8.3): 2 +0 -1 = 1: hostile; both let be; Chesney, who came last, withdraws to 1903."""
    armies = """A-CHE r 1903 K2 S3 B2 L2 loyalty=6 noble=CHE:5:6 on_meeting=pass if_attacked=fight
        A-MIL a 1904 K5 S5 B3 L4 P1 noble=MIL:8:2"""
    open_ = case("movement", armies=armies, orders="r MOVE A-CHE 1904", waits="contest/A-MIL/1904/A-CHE")
    question = open_.questions["contest/A-MIL/1904/A-CHE"]
    assert (question.to, question.options, question.default) == ("angevin", "attack, pass", "pass")
    told = case("movement", armies=armies, orders="r MOVE A-CHE 1904", waits="retreat/A-CHE/1904",
                answers="contest/A-MIL/1904/A-CHE = pass\nstandoff/A-CHE/1904 = withdraw")
    assert told.questions["retreat/A-CHE/1904"].options == "1903, 2003, 1803"
    after = case("movement", armies=armies, orders="r MOVE A-CHE 1904",
                 answers="contest/A-MIL/1904/A-CHE = pass\nstandoff/A-CHE/1904 = withdraw\n"
                         "retreat/A-CHE/1904 = 1903", then="")
    assert after.silent("prestige")
    assert after.event("retreated", "A-CHE")


TWO = "A1 r 0605 K3 S3 L2 B1 noble=N1, A2 a 0606 K3 S3 L2 B1 noble=N2"
BOTH = "attack/A1/0606/A2 contest/A2/0606/A1"


def test_ex13_two_who_choose_are_asked_at_once() -> None:
    """EX-13: mover asked, met `ask`: one stop with two questions."""
    after = case("movement", armies=TWO, orders="r MOVE A1 0606", waits=BOTH)
    assert after.questions["attack/A1/0606/A2"].to == "royal"
    assert after.questions["contest/A2/0606/A1"].to == "angevin"
    assert {q.default for q in after.questions.values()} == {"pass"}


def test_ex13_attack_and_attack_is_a_battle() -> None:
    """EX-13: attack and attack: battle, nobody is asked whether he accepts."""
    case("movement", armies=TWO, orders="r MOVE A1 0606", referee="", waits="battle/B3-1",
         answers="attack/A1/0606/A2 = attack\ncontest/A2/0606/A1 = attack")


def test_ex13_attack_and_pass_asks_the_met() -> None:
    """EX-13: attack and pass: `accept` is put to the met group."""
    after = case("movement", armies=TWO, orders="r MOVE A1 0606", waits="accept/A2/0606/A1",
                 answers="attack/A1/0606/A2 = attack\ncontest/A2/0606/A1 = pass")
    question = after.questions["accept/A2/0606/A1"]
    assert (question.to, question.options, question.default) == ("angevin", "fight, refuse", "fight")


def test_ex13_pass_and_attack_asks_the_mover() -> None:
    """EX-13: pass and attack: the mover refuses; his men roll and he falls back where he came from."""
    answers = "attack/A1/0606/A2 = pass\ncontest/A2/0606/A1 = attack"
    after = case("movement", armies=TWO, orders="r MOVE A1 0606", waits="accept/A1/0606/A2", answers=answers)
    assert after.questions["accept/A1/0606/A2"].to == "royal"
    dice = ", ".join(f"refusal/A1/{who}=2" for who in (
        "bows-1", "light-1", "light-2", "foot-1", "foot-2", "foot-3", "knights-1", "knights-2", "knights-3", "N1"))
    case("movement", armies=TWO, orders="r MOVE A1 0606", dice=dice,
         answers=f"{answers}\naccept/A1/0606/A2 = refuse\nretreat/A1/0606 = 0605", then="N1 prestige=4")


REFUSED = "attack/A-MEU/1307/A-TAL = attack\ncontest/A-TAL/1307/A-MEU = pass\naccept/A-TAL/1307/A-MEU = refuse"
WANBOROUGH = "wanborough 1307 village 0 8"
TALBOTS_DICE = """refusal/A-TAL/knights-1=3, refusal/A-TAL/knights-2=7, refusal/A-TAL/knights-3=10
    refusal/A-TAL/knights-4=2, refusal/A-TAL/knights-5=9, refusal/A-TAL/knights-6=6, refusal/A-TAL/TAL=5"""
COMES_ON = f"A-MEU r 1306 K3 S4 B2 L3 noble=MEU:7:8, {TALBOT}"


def test_ex14_talbot_refuses_battle() -> None:
    """EX-14 (15.5): of six knights three ride off, one hurt goes with them, two are taken; prestige 4 to 3."""
    given: dict[str, Any] = {"armies": COMES_ON, "places": WANBOROUGH, "orders": "r MOVE A-MEU 1307",
                             "dice": TALBOTS_DICE}
    waits = case("movement", **given, answers=REFUSED, waits="retreat/A-TAL/1307")
    assert waits.questions["retreat/A-TAL/1307"].options == "1206, 1306, 1207"
    after = case("movement", **given, answers=f"{REFUSED}\nretreat/A-TAL/1307 = 1206",
                 then="""A-MEU node=1307, A-TAL node=1206 K4, TAL prestige=3
                 P1 faction=a captor=r node=1307 D2 destination=wanborough state=waiting
                 W1 faction=a rank=knights army=A-TAL state=hurt""")
    assert after.heads("A-TAL") == 5
    assert after.silent("battle_opened")
    assert after.event("refused", "A-TAL", "royal").data["by"] == "angevin"
    assert {"angevin", "royal"} <= set(after.audience("refused", "A-TAL").split()) or (
        after.audience("refused", "A-TAL") == "all")


def test_ex14_the_captives_are_delivered_that_evening() -> None:
    """EX-14: their destination is the same hex: delivered at the close."""
    after = case("movement close", armies=COMES_ON, places=WANBOROUGH, orders="r MOVE A-MEU 1307", dice=TALBOTS_DICE,
                 answers=f"{REFUSED}\nretreat/A-TAL/1307 = 1206")
    assert after.get("P1", "state") == "delivered"
    assert after.event("delivered", "P1")


@pytest.mark.parametrize(("knights", "left", "state"), [(2, 3, "active"), (1, 1, "active")])
def test_ex14_three_heads_are_still_a_group(knights: int, left: int, state: str) -> None:
    """EX-14: with K2 and Talbot left it would still be a group of 3; with K1 the man disperses, Talbot is alone."""
    dice = ", ".join(f"refusal/A-TAL/knights-{n}={3 if n <= knights else 7}" for n in range(1, 7))
    after = case("movement", armies=COMES_ON, places=WANBOROUGH, orders="r MOVE A-MEU 1307",
                 dice=f"{dice}, refusal/A-TAL/TAL=5",
                 answers=f"{REFUSED}\nretreat/A-TAL/1307 = 1206")
    assert (after.heads("A-TAL"), after.get("A-TAL", "state")) == (left, state)
    assert after.get("TAL", "state", "army") == ("free", "A-TAL")


# --- battles ---------------------------------------------------------------------------------------
B4_2 = """B4-1 A-MIL light 1 0 0, B4-1 A-BRI foot 0 1 0, B4-1 A-BLK knights 1 0 0, B4-1 A-BLK foot 1 1 1
    B4-1 A-BLK light 1 0 1, B4-1 A-BLK bows 1 0 1"""
JOINS = "join/A-BRI/B4-1 = yes\njoin/brightwell-castle/B4-1 = no"


def test_ex15_the_blockade_of_wallingford_is_broken() -> None:
    """EX-15 (15): Miles attacks, FitzCount joins, the blockade flees; every man and cart is accounted for."""
    given: dict[str, Any] = {"day": 4, "armies": f"{MILES}, {BRIAN}, {BLOCKADE}", "places": AROUND_WALLINGFORD,
             "nobles": "VER r 4 8 place=brightwell-castle", "convoys": "C-DOR r 2105 1 animals=3 escort=A-BLK",
             "orders": "a MOVE A-MIL 2105 choice=attack", "battles": "B4-1 attacker fled 9", "losses": B4_2}
    stop = case("movement", **given, answers=f"{JOINS}\nbattle/B4-1 = entered\nprize/A-MIL/C-DOR = take",
                waits="retreat/A-BLK/2105")
    assert stop.questions["retreat/A-BLK/2105"].options == "2106, 2005"
    after = case("movement", **given,
                 answers=f"{JOINS}\nbattle/B4-1 = entered\nprize/A-MIL/C-DOR = take\nretreat/A-BLK/2105 = 2106",
                 then="""A-MIL node=2105 L3, A-BRI node=2105, A-BLK node=2106 K2 S2 B0 L1
                 MIL prestige=9, BRI prestige=7, C-DOR faction=a escort=A-MIL
                 P1 faction=r captor=a node=2105 S1 B1 L1 destination=wallingford state=waiting
                 W1 faction=a rank=foot army=A-BRI state=hurt, W2 faction=r rank=foot army=A-BLK state=hurt""")
    data = after.event("battle_opened").data
    assert {"41", "2"} <= {str(v) for v in data.values()}
    assert after.audience("battle_result", "B4-1") in EVERYBODY
    assert after.event("joined", "A-BRI")


def test_ex15_the_loyalty_of_the_blockade_holds() -> None:
    """EX-15: 9 -1 -1 = 7: royal, so it is hostile to Miles."""
    after = case("movement", day=4, armies=f"{MILES}, {BLOCKADE}", orders="a MOVE A-MIL 2105 choice=attack", referee="",
                 waits="battle/B4-1")
    assert after.questions["battle/B4-1"].to == "referee"


def test_ex16_after_a_draw_both_leave_by_opposite_ways() -> None:
    """EX-16 (15.6): who entered chooses SE, who was there goes NW; the siege is lifted; no prestige moves."""
    after = case(
        "movement close", day=4,
        armies="""A-ROB a 0511 K5 S6 B3 L4 noble=ROB:9:1+EMP:8:1
            A-YPR r 0411 K2 S3 B2 L2 noble=YPR:7:9 loyalty=9 besieging=trowbridge-castle
            M-FL1 r 0411 K2 S5 B3 L2 kind=flemish employer=A-YPR
            A-BOH a 0411 K2 S3 B1 L2 noble=BOH:5:3 inside=trowbridge-castle""",
        places="trowbridge-castle 0411 castle_tower 3 3 holder=a K3 S3 B2 L2", sieges="trowbridge-castle r 2",
        orders="a MOVE A-ROB 0411 choice=attack", battles="B4-1 draw time 12",
        losses="B4-1 A-ROB light 1 0 0, B4-1 A-BOH knights 0 1 0, B4-1 A-YPR foot 1 0 0, B4-1 M-FL1 foot 1 0 0",
        answers="accept/A-YPR/0411/A-ROB = fight\njoin/A-BOH/B4-1 = yes\njoin/trowbridge-castle/B4-1 = no\n"
                "battle/B4-1 = entered\nretreat/A-ROB/0411 = 0512",
        then="""A-ROB node=0512 L3, A-YPR node=0311 S2 besieging=, M-FL1 node=0311 S4
            W1 faction=a rank=knights army=A-BOH state=hurt, Sieges/trowbridge-castle state=lifted""")
    assert "51" in {str(v) for v in after.event("battle_opened").data.values()}
    assert after.silent("prestige")
    assert after.event("siege_lifted", "trowbridge-castle")


STORM: dict[str, Any] = {
    "day": 7,
    "armies": """A-STE r 0411 K6 S5 B3 L2 noble=STE:9:10 besieging=trowbridge-castle money=48
        M-WE1 r 0411 K1 S2 B4 L4 kind=welsh employer=A-STE
        A-YPR r 0411 K2 S2 B2 L2 noble=YPR:7:9, M-FL1 r 0411 K2 S4 B3 L2 kind=flemish employer=A-YPR
        A-BOH a 0411 K2 S3 B1 L2 noble=BOH:5:3 inside=trowbridge-castle money=8""",
    "nobles": "ENG a 3 3 place=trowbridge-castle",
    "places": "trowbridge-castle 0411 castle_tower 3 3 holder=a K3 S3 B2 L2 lord=ENG",
    "sieges": "trowbridge-castle r 1 resources_at_start=3",
    "orders": "r ASSAULT A-STE trowbridge-castle",
    "battles": "B7-1 attacker surrendered 11",
    "losses": """B7-1 A-STE foot 1 1 0, B7-1 A-STE light 1 0 0, B7-1 M-WE1 light 2 0 0, B7-1 A-YPR knights 0 1 0
        B7-1 M-FL1 foot 2 1 0, B7-1 trowbridge-castle knights 1 0 0, B7-1 trowbridge-castle foot 1 0 0
        B7-1 trowbridge-castle light 1 0 0, B7-1 trowbridge-castle bows 1 0 0
        B7-1 A-BOH foot 2 0 0, B7-1 A-BOH light 1 0 0""",
}


def test_ex17_trowbridge_is_stormed() -> None:
    """EX-17: 68 characters, four maps; the castle surrenders in the assault, its men are captives, loot is £3."""
    after = case("movement", **STORM, answers="join/A-YPR/B7-1 = yes\nbattle/B7-1 = entered\n"
                                              "loot/A-STE/trowbridge-castle = 3")
    assert {"68", "4"} <= {str(v) for v in after.event("battle_opened").data.values()}
    assert after.men("P1") == "K0 D4 S3 B2 L2".replace("K0 ", "")
    assert after.get("P1", "faction", "captor", "destination", "node") == (
        "angevin", "royal", "trowbridge-castle", "0411")
    assert [after.get(n, "prestige") for n in ("STE", "YPR", "BOH")] == ["10", "8", "4"]
    for noble in ("BOH", "ENG"):
        assert after.get(noble, "state", "captor") == ("prisoner", "royal")
    assert after.get("A-BOH", "state", "money") == ("captured", "0")
    assert after.men("A-BOH") == ""
    assert after.get("A-STE", "money") == "59"
    assert after.get("trowbridge-castle", "holder", "resources") == ("royal", "0")
    assert after.men("trowbridge-castle") == ""
    assert after.get("Sieges/trowbridge-castle", "state") == "stormed"
    assert after.row("Factions", "royal")["looted"] == "3"
    assert after.event("castle_taken", "trowbridge-castle")


def test_ex17_its_captives_are_delivered_at_the_close() -> None:
    """EX-17: the destination is the stormed castle itself; that evening they have arrived."""
    after = case("movement close", **STORM, answers="join/A-YPR/B7-1 = yes\nbattle/B7-1 = entered\n"
                                                    "loot/A-STE/trowbridge-castle = 3")
    assert after.get("P1", "state") == "delivered"


def test_ex18_two_nights_in_one_hex_make_one_group() -> None:
    """EX-18 (8.1): at the second close A-YPR merges into A-STE, loyalty 10; Ypres stays, the Flemings attach."""
    armies = """A-STE r 0411 K6 S6 B3 L2 noble=STE:9:10 loyalty=10 money=40 shares_since=6
        A-YPR r 0411 K2 S2 B2 L2 noble=YPR:7:9 loyalty=9 money=8 shares_since=6
        M-FL1 r 0411 K2 S2 kind=flemish employer=A-YPR"""
    after = case("close", day=7, armies=armies,
                 then="A-STE K8 S8 B5 L4 money=48, A-YPR K0 S0 B0 L0 money=0 state=merged commander=\n"
                      "YPR army=A-STE, M-FL1 employer=A-STE")
    assert after.get("A-STE", "loyalty") == "10"
    assert after.event("forced_merge", "A-YPR")


def test_ex18_who_leaves_on_the_second_day_is_not_merged() -> None:
    """EX-18: one of them leaving on day 7 prevents it, and `shares_since` is cleared."""
    after = case("movement close", day=7, armies="""A-STE r 0411 K6 S6 B3 L2 noble=STE:9:10 shares_since=6
        A-YPR r 0411 K2 S2 B2 L2 noble=YPR:7:9 shares_since=6""", orders="r MOVE A-YPR 0412",
                 then="A-YPR node=0412")
    assert after.get("A-YPR", "shares_since") == after.get("A-STE", "shares_since") == ""


def test_ex18_a_second_night_is_warned_of() -> None:
    """EX-18: two own groups that stay a second day in one hex are warned of it (ANA-112)."""
    case("movement", day=7, armies="""A-STE r 0411 K6 S6 B3 L2 noble=STE:9:10 shares_since=6
        A-YPR r 0411 K2 S2 B2 L2 noble=YPR:7:9 shares_since=6""", orders="r HOLD A-STE; r HOLD A-YPR",
         findings="* ANA-112", then="")


# --- prisoners, ransoms, sieges ---------------------------------------------------------------------
CAPTIVES: dict[str, Any] = {"prisoners": "P7 a r 0605 captor_army=A-X S2 destination=keep taken_on=2",
            "places": "keep 0609 castle_motte 5 9 holder=r S10"}


def test_ex19_by_default_three_men_are_detached_as_escort() -> None:
    """EX-19 (15.8): A-X of 9 heads detaches its 3 lowest fit men as A-X-esc7."""
    case("reorganise", armies="A-X r 0605 K2 S3 B2 L1 noble=N1", **CAPTIVES, answers="escort/P7 = default",
         then="""A-X B0 L0, P7 escort=A-X-esc7 state=escorted
         A-X-esc7 faction=r node=0605 B2 L1 loyalty=8 state=active contract=none""")


def test_ex19_the_escort_walks_to_the_destination_and_is_free_again() -> None:
    """EX-19: it needs no order to walk there; the captives are delivered at the close, the escort is free."""
    case("reorganise..close", armies="A-X r 0605 K2 S3 B2 L1 noble=N1", **CAPTIVES, answers="escort/P7 = default",
         then="""A-X B0 L0, P7 node=0609 state=delivered
         A-X-esc7 faction=r node=0609 B2 L1 loyalty=8 state=active contract=none""")


def test_ex19_a_group_of_five_is_itself_the_escort() -> None:
    """EX-19: A-X of 5 heads would itself be the escort."""
    case("reorganise", armies="A-X r 0605 K2 S2 noble=N1", **CAPTIVES, answers="escort/P7 = default",
         then="P7 escort=A-X state=escorted")


def test_ex19_without_anybody_to_lead_them_they_are_massacred() -> None:
    """EX-19: no own group in the hex: massacred; the noble among them escapes as a lone group."""
    after = case("reorganise", armies="A-Y r 1205 K2 S2 noble=N1, A-X r 0605 state=dissolved", **CAPTIVES,
                 nobles="TAL a 4 2 state=prisoner captor=r held_in=P7",
                 then="""P7 S0 state=massacred, TAL state=free captor= held_in= army=TAL-R
                 TAL-R faction=a node=0605 commander=TAL loyalty=2 state=active contract=none""",
                 findings="* ANA-703")
    assert after.audience("massacred", "P7") == "all"


def test_ex20_two_pounds_short_buys_nobody() -> None:
    """EX-20: a payer with £7 of £8: ANA-301, nothing happens."""
    case("ransoms", day=8, armies="A-MEU r 1005 S9 noble=MEU:7 money=7, A-MIL a 2105 S9 noble=MIL:8 money=8",
         nobles="VER r 4 8 state=prisoner captor=a held_in=P4",
         prisoners="P4 r a 2105 captor_army=A-MIL D1 place=keep state=delivered",
         places="keep 2105 castle_motte 5 2 holder=a S10", orders="r RANSOM A-MEU VER", findings="o1 ANA-301", then="")


def test_ex20_of_two_ransoms_the_first_stands() -> None:
    """EX-20: two RANSOM orders of £8 from £12: the first stands, the second is refused."""
    after = case("ransoms", armies="A1 r 1005 S9 noble=N1:7 money=12, A2 a 2105 S9 noble=N2:8 money=8",
                 nobles="VER r 4 8 state=prisoner captor=a held_in=P4, HER r 4 8 state=prisoner captor=a held_in=P4",
                 prisoners="P4 r a 2105 captor_army=A2 D4 place=keep state=delivered",
                 places="keep 2105 castle_motte 5 2 holder=a S10", orders="r RANSOM A1 VER; r RANSOM A1 HER",
                 findings="o2 ANA-301")
    assert after.get("VER", "state") == "free"
    assert after.get("HER", "state") == "prisoner"
    assert after.get("A1", "money") == "4"


def test_ex20_the_freed_noble_marches_that_day() -> None:
    """EX-20: VER-R leaves with K2, one the former D1, one new, and marches the 7 PM of riders in autumn."""
    after = case("ransoms..movement", day=8, rules={"season": "autumn"},
                 armies="A-MEU r 1005 S7 noble=MEU:7 money=19, A-MIL a 2105 S7 noble=MIL:8 money=8.5",
                 nobles="VER r 4 8 state=prisoner captor=a held_in=P4",
                 prisoners="P4 r a 2105 captor_army=A-MIL D1 place=keep state=delivered",
                 places="keep 2105 castle_motte 5 2 holder=a S10",
                 orders="r RANSOM A-MEU VER; r MOVE VER-R 2104 2103 2102 2101",
                 then="""A-MEU money=11, A-MIL money=16.5, P4 D0, VER state=free army=VER-R captor= held_in=
                 VER-R faction=r node=2101 commander=VER loyalty=8 K2 state=active contract=none""")
    assert after.audience("ransomed", "VER") == "all"
    assert after.silent("met", "loyalty_tested", "attack")


MALMESBURY: dict[str, Any] = {
    "armies": "A-STE r 0605 K6 S7 B4 L4 noble=STE:9:10 besieging=malmesbury-castle",
    "nobles": "FHB a 4 4 place=malmesbury-castle",
}


@pytest.mark.parametrize(("days", "before", "left"), [(6, 2, 2), (7, 2, 1), (8, 1, 1)])
def test_ex21_every_second_day_of_a_siege_eats_a_point(days: int, before: int, left: int) -> None:
    """EX-21 (16): day 7 still 2, day 8 one point, day 9 the same."""
    then = f"Sieges/malmesbury-castle days={days + 1}"
    case("close", day=1, **MALMESBURY, sieges=f"malmesbury-castle r {days} resources_at_start=6",
         places=f"malmesbury-castle 0605 castle_tower {before} 4 holder=a K2 S4 B2 L2 garrison_kind=flemish lord=FHB",
         then=then + (f", malmesbury-castle resources={left}" if left != before else ""))


def test_ex21_malmesbury_surrenders() -> None:
    """EX-21: at 0 it surrenders: 5 +1 for the king's prestige = 6: prisoners; K2 become D2."""
    after = case(
        "close", day=4, **MALMESBURY, sieges="malmesbury-castle r 9 resources_at_start=6",
        places="malmesbury-castle 0605 castle_tower 1 4 holder=a K2 S4 B2 L2 garrison_kind=flemish lord=FHB",
        dice="surrender/malmesbury-castle=5")
    assert after.men("P1") == "D2 S4 B2 L2"
    assert after.get("P1", "faction", "captor", "destination", "state") == (
        "angevin", "royal", "malmesbury-castle", "delivered")
    assert after.get("FHB", "state", "captor", "place") == ("prisoner", "royal", "")
    assert after.get("malmesbury-castle", "holder", "resources", "lord") == ("royal", "0", "")
    assert after.men("malmesbury-castle") == ""
    assert after.get("Sieges/malmesbury-castle", "days", "state") == ("10", "surrendered")
    assert after.get("A-STE", "besieging") == ""
    event = after.event("surrendered", "malmesbury-castle")
    assert event.audience == "all"
    assert (event.roll["value"], event.roll["total"]) == (5, 6)


def test_ex22_half_of_brightwell_is_massacred() -> None:
    """EX-22 (16): 2 +1 = 3: by rising rank each rolls; after six dead of eleven it stops; de Vere is not tested."""
    rolls = {"bows-1": 3, "bows-2": 8, "light-1": 5, "light-2": 9, "foot-1": 1, "foot-2": 6, "foot-3": 4,
             "knights-1": 10, "knights-2": 2, "knights-3": 5}
    after = case(
        "close", day=5, armies="A-MIL a 2105 K5 S5 B3 L3 noble=MIL:9:2 besieging=brightwell-castle",
        nobles="VER r 4 8 place=brightwell-castle",
        places="brightwell-castle 2105 counter_castle 0 9 holder=r K3 S3 B2 L2 lord=VER",
        sieges="brightwell-castle a 0 resources_at_start=0",
        dice="surrender/brightwell-castle=2, " + ", ".join(
            f"massacre/brightwell-castle/{who}={die}" for who, die in rolls.items()))
    assert after.men("P1") == "D1 S1 B1 L1"
    assert after.get("VER", "state", "captor") == ("prisoner", "angevin")
    assert not any(who.endswith("/VER") for who in after.throws)
    assert after.get("brightwell-castle", "holder") == "angevin"
    assert after.get("Sieges/brightwell-castle", "days", "state") == ("1", "surrendered")
    assert {"6", "11"} <= {str(v) for v in after.event("massacre", "brightwell-castle").data.values()}
