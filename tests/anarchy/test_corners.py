"""Corners of the rules: stacking, dissolution, hunger, carts, escorts, ransoms, sieges, joins, reruns, stand-offs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import case

PASSES = "on_meeting=pass joins=no"


# --- groups (8.1) --------------------------------------------------------------------------------------
def test_three_merge_into_the_largest() -> None:
    """8.1 Groups: three friends in one hex: one by one into the largest, then by id; followers come along."""
    case("close", armies="""A1 r 0605 S5 money=1 shares_since=2, A2 r 0605 S9 noble=N2:4:7 money=2 shares_since=2
         A3 r 0605 K4 noble=N3:6:9 money=3 shares_since=2, M3 r 0605 L5 kind=welsh employer=A3""",
         then="""A1 state=merged S0 money=0, A3 state=merged K0 money=0
         A2 K4 S14 money=6 loyalty=7, N3 army=A2, M3 employer=A2""")


@pytest.mark.parametrize("who", ["inside=keep", "noble=N2", "safe_on=3"])
def test_who_is_not_merged_by_force(who: str) -> None:
    """8.1 Groups: not groups inside, lone nobles, or under safe conduct."""
    men = "" if who.startswith("noble") else "S5"
    after = case("close", armies=f"A1 r 0605 S9 noble=N1 shares_since=2, A2 r 0605 {men} {who} shares_since=2",
                 places="keep 0605 castle_motte 3 8 holder=r S9")
    assert after.get("A2", "state") == "active"


def test_a_company_in_the_hex_is_attached() -> None:
    """8.1 Groups: a mercenary company there is attached to the group that comes of it."""
    after = case("close", armies="""A1 r 0605 S9 noble=N1 shares_since=2, A2 r 0605 S4 shares_since=2
        M1 r 0605 L5 kind=welsh shares_since=2""")
    assert (after.get("A2", "state"), after.get("M1", "employer")) == ("merged", "A1")


def test_enemies_of_one_hex_are_never_merged() -> None:
    """8.1 Groups: only groups of one side are."""
    case("close", armies=f"A1 r 0605 S9 noble=N1 shares_since=2 {PASSES}, A2 a 0605 S9 shares_since=2 {PASSES}")


def test_a_split_keeps_loyalty_hunger_and_choices() -> None:
    """5.3: the new group has the old one's loyalty, hunger, hex, `came_from` and standing choices; wins 0."""
    after = case("reorganise", armies="A1 r 0605 K2 S6 noble=N1:6:9+N2:4:7 loyalty=9 money=10 hungry_days=1 wins=1 "
                 "core_start=9 core_now=8 came_from=0604 on_meeting=attack if_attacked=refuse joins=no",
                 orders="r SPLIT A1 A2 S3 £4 choice=N2 note=The+rearguard")
    assert after.get("A2", "name", "loyalty", "hungry_days", "came_from", "money", "wins", "commander", "node") == (
        "The rearguard", "9", "1", "0604", "4", "0", "N2", "0605")
    assert after.get("A2", "on_meeting", "if_attacked", "joins", "faction", "state") == (
        "attack", "refuse", "no", "royal", "active")
    assert after.get("N2", "army") == "A2"
    assert (after.men("A1"), after.men("A2"), after.get("A1", "money")) == ("K2 S3", "S3", "6")
    assert after.event("split", "A1", "A2")


def test_leaving_men_are_taken_from_the_newcomers_first() -> None:
    """5.3, core: `core_now` = min(`core_now`, heads)."""
    after = case("reorganise", armies="A1 r 0605 S12 wins=1 core_start=10 core_now=6, A2 r 0605 S4",
                 orders="r TRANSFER A1 A2 S4")
    assert after.get("A1", "core_now") == "6"
    less = case("reorganise", armies="A1 r 0605 S12 wins=1 core_start=10 core_now=10, A2 r 0605 S4",
                orders="r TRANSFER A1 A2 S4")
    assert less.get("A1", "core_now") == "8"


def test_the_commander_of_a_union() -> None:
    """5.3, MERGE: the highest prestige commands, unless ordered."""
    armies = "A1 r 0605 S5 noble=N1:7, A2 r 0605 S9 noble=N2:4"
    assert case("reorganise", armies=armies, orders="r MERGE A1 A2").get("A2", "commander") == "N1"
    assert case("reorganise", armies=armies, orders="r MERGE A1 A2 choice=N2").get("A2", "commander") == "N2"


def test_everything_a_group_leads_comes_along() -> None:
    """5.3, MERGE: mercenaries, convoys, trains, prisoners; hunger is the worst."""
    after = case("reorganise", armies="""A1 r 0605 S5 noble=N1:3 hungry_days=2, A2 r 0605 S9 noble=N2:4
        M1 r 0605 L5 kind=welsh employer=A1""", convoys="C1 r 0605 2 escort=A1",
                 trains="T1 r 0605 rams=1 engineers=1 oxen=2 peasants=3 escort=A1",
                 prisoners="P1 a r 0605 S2 captor_army=A1 escort=A1 destination=home state=escorted",
                 places="home 0609 village 3 8", orders="r MERGE A1 A2")
    assert [after.get("M1", "employer"), after.get("C1", "escort"), after.get("T1", "escort"),
            after.get("P1", "escort")] == ["A2"] * 4
    assert after.get("A2", "hungry_days") == "2"


def test_a_group_under_three_is_gone() -> None:
    """5.3: its men and its purse are lost; mercenaries, convoys and trains stand alone."""
    after = case("reorganise", armies="A1 r 0605 S2 money=9, M1 r 0605 L5 kind=welsh employer=A1",
                 convoys="C1 r 0605 2 escort=A1", trains="T1 r 0605 rams=1 engineers=1 oxen=2 peasants=3 escort=A1")
    assert after.get("A1", "state", "money") == ("dissolved", "0")
    assert after.men("A1") == ""
    assert (after.get("M1", "employer"), after.get("C1", "escort"), after.get("T1", "escort")) == ("", "", "")
    assert after.event("dissolved", "A1").audience == "all"


def test_a_noble_and_two_men_are_a_group() -> None:
    """8.1: heads are men and nobles."""
    assert case("reorganise", armies="A1 r 0605 K2 noble=N1", then="").silent("dissolved")


# --- food (8.4) -----------------------------------------------------------------------------------------
EATS: dict[str, Any] = {"armies": "A1 r 0605 S12 noble=N1 provisions=0", "convoys": "C1 r 0605 3 escort=A1",
                        "places": "poor 0605 village 2 8, rich 0605 village 4 8, "
                                  "keep 0605 castle_motte 5 8 holder=r S9"}


@pytest.mark.parametrize(("order", "then"), [
    ("", "rich resources=3"), ("r SUPPLY A1 choice=place", "rich resources=3"),
    ("r SUPPLY A1 choice=convoy", "C1 cargo=2"), ("r SUPPLY A1 choice=none", "A1 hungry_days=1")])
def test_where_a_group_eats_first(order: str, then: str) -> None:
    """5.2: villages before castles, richer first; SUPPLY convoy swaps, none eats only what is carried."""
    case("provisions", **EATS, orders=order, then=then)


def test_carried_food_is_eaten_first_and_never_kept() -> None:
    """5.2: food carried never outlasts this step."""
    given = {**EATS, "armies": "A1 r 0605 S12 noble=N1 provisions=1"}
    case("provisions", **given, then="A1 provisions=0")
    case("provisions", armies="A1 r 0605 S8 noble=N1 provisions=1", then="A1 provisions=0")


def test_two_sources_may_fill_one_need() -> None:
    """5.2: what one place lacks the next gives."""
    case("provisions", armies="A1 r 0605 S21 noble=N1", places="poor 0605 village 1 8", convoys="C1 r 0605 3",
         then="poor resources=0, C1 cargo=2")


def test_a_closed_village_feeds_nobody() -> None:
    """5.2: places open to its side only."""
    case("provisions", armies="A1 r 0605 S12 noble=N1", places="ham 0605 village 5 4", then="A1 hungry_days=1")


def test_a_besieged_castle_feeds_nobody_outside() -> None:
    """5.2: besieged castles feed nobody outside."""
    case("provisions", armies="A1 r 0605 S12 noble=N1, E1 a 0605 S9 besieging=keep",
         places="keep 0605 castle_motte 5 8 holder=r S9", sieges="keep a 2", then="A1 hungry_days=1")


def test_neutrals_and_free_companies_are_not_checked() -> None:
    """5.2: unhired mercenaries, convoys, trains and neutral groups are not checked."""
    case("provisions", armies="A1 n 0605 S12 noble=N1, M1 n 0705 L12 kind=welsh", then="")


def test_a_host_that_fell_below_ten_does_not_starve() -> None:
    """5.2: starving needs heads of 10 or more still."""
    case("provisions", armies="A1 r 0605 S8 hungry_days=3", then="A1 hungry_days=0")


# --- convoys (12) -----------------------------------------------------------------------------------------
def test_a_new_convoy_is_made() -> None:
    """12 Convoys: as many animals as points, at least 1, and a driver; one a place a day."""
    case("convoys", places="ham 0605 village 5 8", armies="A1 r 0605 S5", orders="r CONVOY C9 ham 3 note=Ham+victuals",
         then="C9 faction=r node=0605 animals=3 driver=1 cargo=3 state=active, ham resources=2")
    empty = case("convoys", places="ham 0605 village 5 8", armies="A1 r 0605 S5", orders="r CONVOY C9 ham amount=0")
    assert empty.get("C9", "animals", "driver", "cargo") == ("1", "1", "0")


def test_one_new_convoy_a_place_a_day() -> None:
    """12 Convoys: the second one of the day is refused."""
    after = case("convoys", places="ham 0605 village 9 8", armies="A1 r 0605 S5",
                 orders="r CONVOY C8 ham 2; r CONVOY C9 ham 2", findings=None)
    assert after.statuses == {"o1": "accepted", "o2": "refused"}
    assert "C9" not in after.campaign.by_sheet("Convoys")


def test_neutral_villages_want_a_guard_in_the_hex() -> None:
    """12 Convoys: open to the side, and if its band is neutral an own group must stand there."""
    given: dict[str, Any] = {"places": "ham 0605 village 5 5", "convoys": "C1 r 0605 0", "orders": "r LOAD C1 ham 2"}
    case("convoys", **given, armies="A1 r 0605 S5", then="C1 cargo=2, ham resources=3")
    case("convoys", **given, armies="A1 r 0606 S5", findings="o1 ANA-603", then="")


def test_points_delivered_are_counted() -> None:
    """9, deliver: points unloaded by own convoys into places of the side."""
    case("convoys", places="ham 0605 village 2 8", armies="A1 r 0905 S5", convoys="C1 r 0605 4",
         orders="r UNLOAD C1 ham 4", then="C1 cargo=0, ham resources=6, royal delivered=4")


def test_a_neutral_convoy_walks_towards_its_goal() -> None:
    """Movement and encounters: neutral ones go the cheapest way to `heading`, five points a day."""
    case("movement", places="bath 0601 town 5 8, calne 0610 village 3 7",
         convoys="C1 n 0602 3 home=bath goal=calne heading=goal", then="C1 node=0607")


def test_a_led_convoy_goes_where_the_group_goes() -> None:
    """12: the group marches at the pace of the carts."""
    case("movement", armies="A1 r 0605 K9 noble=N1", convoys="C1 r 0605 3 escort=A1", orders="r MOVE A1 0606 0607",
         then="A1 node=0607, C1 node=0607")


# --- sightings and passing (8) ------------------------------------------------------------------------------
def test_who_meets_sees() -> None:
    """8: a dated snapshot for both sides whenever two groups are in one hex, also in passing."""
    after = case("movement", armies=f"A1 r 0605 K4 S3 noble=N1 {PASSES}, A2 a 0606 S9 B2 noble=N2:6 {PASSES}",
                 orders="r MOVE A1 0606 0607", then="A1 node=0607")
    seen = {(s.viewer, s.army): s.as_text() for s in after.campaign.by_sheet("Sightings")}
    assert set(seen) == {("royal", "A2"), ("angevin", "A1")}
    assert (seen["royal", "A2"]["node"], seen["royal", "A2"]["heads"], seen["royal", "A2"]["turn"]) == (
        "0606", "12", "3")
    assert "N2" in seen["royal", "A2"]["nobles"] or "Sir N2" in seen["royal", "A2"]["nobles"]
    assert after.audience("met", "A1", "A2") == "angevin royal"


def test_friends_pass_without_a_word() -> None:
    """E1: same side: no encounter."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1, A2 r 0606 S9 noble=N2", orders="r MOVE A1 0606 0607",
                 then="A1 node=0607")
    assert after.silent("met", "loyalty_tested", "passed")


def test_the_safe_conduct_holds_for_its_day() -> None:
    """Ransom: no meeting either way under safe conduct."""
    after = case("movement", armies="A1 r 0605 K2 noble=N1 safe_on=3, A2 a 0606 S9 noble=N2 on_meeting=attack",
                 orders="r MOVE A1 0606 0607", then="A1 node=0607")
    assert after.silent("met", "attack")


def test_a_lone_noble_only_passes() -> None:
    """E1: lone nobles only pass; the group met may attack them."""
    after = case("movement", armies=f"A1 r 0605 noble=N1, A2 a 0606 S9 noble=N2 {PASSES}",
                 orders="r MOVE A1 0606 0607", then="A1 node=0607")
    assert after.silent("attack")


def test_mercenaries_back_away_from_a_lone_noble() -> None:
    """E1: unhired mercenaries back away from lone nobles."""
    case("movement", armies="A1 r 0605 noble=N1, M1 n 0606 L9 kind=welsh moves_next=a", orders="r MOVE A1 0606",
         findings=None, then="A1 node=0606, M1 node=0607 moves_next=r")


# --- hiring ---------------------------------------------------------------------------------------------------
FREE = "M1 n 0606 L8 kind=welsh moves_next=a"


def test_a_group_that_meets_a_free_company_hires_it() -> None:
    """E2: pay £2 a head; the company attaches at once and slows the riders."""
    case("movement", armies=f"A1 r 0605 K9 noble=N1 money=20, {FREE}", answers="hire/A1/0606/M1 = pay",
         orders="r MOVE A1 0606 0607 0608 0609 0610 0611",
         then="A1 node=0610 money=4, M1 faction=r node=0610 employer=A1 contract=paid")


def test_a_company_that_is_not_hired_backs_away() -> None:
    """E2: not hired: they back away."""
    after = case("movement", armies=f"A1 r 0605 K9 noble=N1 money=20, {FREE}", answers="hire/A1/0606/M1 = no",
                 orders="r MOVE A1 0606", defaults=True)
    assert after.get("M1", "faction", "employer") == ("neutral", "")
    assert after.events("backed_away", "M1")


def test_hire_by_order_answers_in_advance() -> None:
    """4: HIRE and PROMISE answer the question before it is put."""
    case("movement", armies=f"A1 r 0605 K9 noble=N1 money=20, {FREE}", orders="r MOVE A1 0606; r HIRE A1 M1",
         then="A1 node=0606 money=4, M1 faction=r employer=A1 contract=paid")
    case("movement", armies=f"A1 r 0605 K9 noble=N1 money=0, {FREE}", orders="r MOVE A1 0606; r PROMISE A1 M1 10",
         then="A1 node=0606, M1 faction=r employer=A1 contract=promised promised=10")


def test_pay_is_offered_only_to_who_can() -> None:
    """5: pay (if it can), promise (if allowed), no."""
    poor = case("movement", armies=f"A1 r 0605 K9 noble=N1 money=15.5, {FREE}", orders="r MOVE A1 0606",
                waits="hire/A1/0606/M1")
    assert "pay" not in poor.questions["hire/A1/0606/M1"].options.split(", ")
    burnt = case("movement", armies=f"A1 r 0605 K9 noble=N1 money=16, {FREE} no_promise_to=r", orders="r MOVE A1 0606",
                 waits="hire/A1/0606/M1")
    assert set(burnt.questions["hire/A1/0606/M1"].options.split(", ")) == {"pay", "no"}


def test_promised_men_are_paid_later() -> None:
    """PAY turns promised into paid for £2 a head."""
    case("reorganise", armies="""A1 r 0605 K9 noble=N1 money=20
         M1 r 0605 L8 kind=welsh employer=A1 contract=promised promised=9 hired_on=1 tests=2""", orders="r PAY A1 M1",
         then="A1 money=4, M1 contract=paid")


def test_no_test_on_the_morning_of_hiring() -> None:
    """11.4 Promises: companies hired before today are tested."""
    after = case("provisions", armies="""A1 a 0605 S4 noble=N1
        M1 a 0605 L4 kind=welsh employer=A1 contract=promised promised=4 hired_on=3""", then="")
    assert after.throws == {}


# --- prisoners --------------------------------------------------------------------------------------------------
HOME = "home 0609 village 3 8"
LED = "P1 a r 0605 S2 captor_army=A1 destination=home taken_on=2"
ESCORTED = LED.replace("captor_army=A1", "escort=E state=escorted")


def test_fresh_captives_need_no_escort_yet() -> None:
    """15.8: captives taken before today need one."""
    case("reorganise", armies="A1 r 0605 S9", prisoners=LED.replace("taken_on=2", "taken_on=3"), places=HOME, then="")


def test_an_escort_by_order() -> None:
    """ESCORT: a whole group, or men detached."""
    case("reorganise", armies="A1 r 0605 S9", prisoners=LED, places=HOME, orders="r ESCORT A1 P1",
         then="P1 escort=A1 state=escorted")
    after = case("reorganise", armies="A1 r 0605 S9", prisoners=LED, places=HOME, orders="r ESCORT A1 P1 S3")
    assert after.get("P1", "escort", "state") == ("A1-esc1", "escorted")
    assert (after.men("A1"), after.men("A1-esc1")) == ("S6", "S3")


def test_an_escort_walks_alone_and_is_free_again() -> None:
    """15.8: escorts walk to their destination; delivered men leave, the escort is free."""
    after = case("movement close", armies="E r 0605 S3", places=HOME, prisoners=ESCORTED,
                 then="E node=0609, P1 node=0609 state=delivered escort=")
    assert after.audience("delivered", "P1") == "angevin royal"


def test_an_escort_that_goes_elsewhere_is_refused() -> None:
    """ANA-109: the path must end nearer to the destination; it walks there by itself then."""
    after = case("movement", armies="E r 0605 S3", prisoners=ESCORTED, places=HOME,
                 orders="r MOVE E 0604", findings="o1 ANA-109")
    assert after.get("E", "node") in ("0605", "0609")


def test_captives_of_two_battles_have_two_records() -> None:
    """Prisoners are numbered P1, P2…; the next one is the next number."""
    after = case("movement", armies="A1 r 0605 K20, A2 a 0606 P20 loyalty=1 if_attacked=fight",
                 prisoners=LED.replace("state=waiting", "").replace("P1", "P4"), places=HOME,
                 orders="r MOVE A1 0606 choice=attack", defaults=True)
    assert [p.prisoners for p in after.campaign.by_sheet("Prisoners")] == ["P4", "P5"]


def test_money_for_a_captor_who_is_gone_goes_to_his_side() -> None:
    """Ransom: to the captor side's largest norman group, then by id."""
    case("ransoms", armies="A1 r 0605 S9 noble=N1 money=20, A2 a 1005 S5 money=1, A3 a 1105 S7 money=1, A4 a 1205 S7",
         nobles="VER r 4 8 state=prisoner captor=a held_in=P1", places="den 1405 castle_motte 3 2 holder=a S9",
         prisoners="P1 r a 1405 K1 D1 captor_army=A9 place=den state=delivered", orders="r RANSOM A1 VER",
         then="""A1 money=12, A3 money=9, P1 K0 D0, VER state=free army=VER-R captor= held_in=
         VER-R faction=r node=1405 commander=VER loyalty=8 K2 state=active contract=none""")


def test_two_new_knights_where_none_are_held() -> None:
    """Ransom: the rest are new."""
    after = case("ransoms", armies="A1 r 0605 S9 noble=N1 money=20, A2 a 1005 S5",
                 nobles="VER r 4 8 state=prisoner captor=a held_in=P1", places="den 1405 castle_motte 3 2 holder=a S9",
                 prisoners="P1 r a 1405 place=den state=delivered", orders="r RANSOM A1 VER")
    assert (after.men("VER-R"), after.get("VER-R", "safe_on")) == ("K2", "3")


# --- sieges ---------------------------------------------------------------------------------------------------
KEEP = "keep 0605 castle_motte 4 8 holder=r K3 S3 B2 L2"


def test_a_siege_begins() -> None:
    """16: BESIEGE; its first day is counted at the close."""
    case("movement close", armies="A1 a 0604 S20 noble=N1", places=KEEP, orders="a MOVE A1 0605; a BESIEGE A1 keep",
         then="A1 node=0605 besieging=keep, Sieges/keep besieger=a days=1 resources_at_start=4 state=on")


def test_a_siege_is_given_up() -> None:
    """LIFT: the group stays, the siege is over at the close."""
    case("movement close", armies="A1 a 0605 S20 noble=N1 besieging=keep", places=KEEP, sieges="keep a 1",
         orders="a LIFT A1", then="A1 besieging=, Sieges/keep state=lifted")


def test_who_marches_away_leaves_the_siege() -> None:
    """Movement and encounters: leaving a siege by marching."""
    case("movement close", armies="A1 a 0605 S20 noble=N1 besieging=keep", places=KEEP, sieges="keep a 1",
         orders="a MOVE A1 0604", then="A1 node=0604 besieging=, Sieges/keep state=lifted")


def test_another_besieger_keeps_the_siege_up() -> None:
    """The close: lifted only when no besieging group is left in the hex."""
    case("movement close", armies="A1 a 0605 S20 noble=N1 besieging=keep, A2 a 0605 S9 noble=N2 besieging=keep",
         places=KEEP, sieges="keep a 1 resources_at_start=4", orders="a MOVE A1 0604",
         then="A1 node=0604 besieging=, Sieges/keep days=2, keep resources=3")


def test_a_castle_at_nothing_surrenders_on_its_first_day() -> None:
    """The close: a place at 0 surrenders on its first day."""
    after = case("movement close", armies="A1 a 0605 S20 noble=N1", places=KEEP.replace(" 4 8", " 0 8"),
                 orders="a BESIEGE A1 keep", dice="surrender/keep=6")
    assert after.get("Sieges/keep", "state", "days") == ("surrendered", "1")
    assert after.men("P1") == "D3 S3 B2 L2"
    assert after.get("keep", "holder") == "angevin"


def test_a_castle_is_entered_and_left() -> None:
    """5.3 Castles: ENTER costs nothing; marching leaves the castle."""
    case("movement", armies="A1 r 0604 S9 noble=N1", places=KEEP, orders="r MOVE A1 0605; r ENTER A1 keep",
         then="A1 node=0605 inside=keep")
    case("movement", armies="A1 r 0605 S9 noble=N1 inside=keep", places=KEEP, orders="r MOVE A1 0606",
         then="A1 node=0606 inside=")


def test_who_is_inside_is_not_met() -> None:
    """5.3 Castles: groups inside and garrison are met only by ASSAULT, SALLY or a battle they join."""
    after = case("movement", armies=f"A1 r 0605 S9 noble=N1 inside=keep joins=no, A2 a 0604 K9 noble=N2 {PASSES}",
                 places=KEEP, orders="a MOVE A2 0605 0606", then="A2 node=0606")
    assert after.silent("met", "loyalty_tested")


def test_a_sally_of_the_group_inside() -> None:
    """Movement and encounters: SALLY: attack on the largest besieging group, no loyalty test; the garrison may join."""
    armies = f"A1 r 0605 S9 noble=N1 inside=keep, E1 a 0605 S5 noble=N2:4 besieging=keep {PASSES} if_attacked=fight"
    stop = case("movement", armies=armies, places=KEEP, sieges="keep a 2", orders="r SALLY A1",
                waits="join/keep/B3-1")
    assert stop.questions["join/keep/B3-1"].to == "royal"
    after = case("movement", armies=armies, places=KEEP, sieges="keep a 2", orders="r SALLY A1", defaults=True,
                 answers="join/keep/B3-1 = yes\nbattle/B3-1 = entered", battles="B3-1 attacker fled 6")
    assert after.row("Battles", "B3-1")["kind"] == "sally"
    assert after.get("E1", "node") != "0605"
    assert after.silent("loyalty_tested")


def test_a_sally_of_the_castle_itself() -> None:
    """4: SALLY: unit group inside, or the castle itself."""
    after = case("movement", armies="E1 a 0605 S5 noble=N2:4 besieging=keep if_attacked=fight joins=no", places=KEEP,
                 nobles="LORD r 6 8 place=keep", sieges="keep a 2", orders="r SALLY keep", defaults=True,
                 answers="battle/B3-1 = entered", battles="B3-1 attacker fled 6")
    assert after.row("Battles", "B3-1")["kind"] == "sally"
    assert after.get("N2", "prestige") == "3"
    assert after.get("E1", "node") != "0605"


def test_a_storm_that_fails_leaves_the_castle_as_it_was() -> None:
    """7: the garrison holds: the besiegers fall back."""
    after = case("movement", armies="A1 a 0605 K4 S9 noble=N1:5 besieging=keep came_from=0604", places=KEEP,
                 nobles="LORD r 6 8 place=keep", sieges="keep a 2", orders="a ASSAULT A1 keep", defaults=True,
                 answers="battle/B3-1 = entered", battles="B3-1 defender fled 8",
                 losses="B3-1 A1 foot 2 1 0, B3-1 keep foot 1 0 0")
    assert after.get("keep", "holder", "resources", "g_foot") == ("royal", "4", "2")
    assert after.get("A1", "node") == "0604"
    assert after.get("N1", "prestige") == "4"


def test_who_stands_outside_may_fall_back_into_his_castle() -> None:
    """E6: shut in, with its mercenaries; commander -1, no test; both are spent."""
    after = case("movement", armies="""A1 a 0604 K9 noble=N1, A2 r 0605 S5 noble=N2:4
        M2 r 0605 L4 kind=welsh employer=A2""",
                 places=KEEP, orders="a MOVE A1 0605 choice=attack", answers="accept/A2/0605/A1 = shut_in",
                 then="A1 node=0605, A2 inside=keep, M2 inside=keep, N2 prestige=3")
    assert after.silent("refused", "battle_opened")
    assert after.event("shut_in", "A2", "keep").audience == "all"


# --- joins -----------------------------------------------------------------------------------------------------
FIELD = "A1 r 0605 K9 noble=N1:6 joins=no, A2 a 0606 S9 noble=N2:6 if_attacked=fight on_meeting=pass"


def test_neighbours_are_asked_all_at_once() -> None:
    """15.3: groups of both sides in the six neighbours and in the hex, also inside a castle there."""
    case("movement", armies=f"""{FIELD}, A3 r 0607 S5 noble=N3, A4 a 0706 S5 noble=N4, A5 a 0608 S5 noble=N5
         A6 a 0606 S5 inside=keep, M7 r 0607 L4 kind=welsh employer=A3""",
         places="keep 0606 castle_motte 3 2 holder=a S9", orders="r MOVE A1 0606 choice=attack",
         waits="join/A3/B3-1 join/A4/B3-1 join/A6/B3-1 join/keep/B3-1")


@pytest.mark.parametrize("who", ["unarmed=yes", "safe_on=3", "joins=no"])
def test_who_is_not_asked(who: str) -> None:
    """15.3: not unarmed, under safe conduct, or with a standing no."""
    case("movement", armies=f"{FIELD}, A3 r 0607 S5 noble=N3 {who}", orders="r MOVE A1 0606 choice=attack",
         referee="", waits="battle/B3-1")


def test_standing_yes_joins_and_moves_in() -> None:
    """15.3: standing yes is not asked; joiners are spent; winners among them end in the battle hex."""
    after = case("movement", armies=f"{FIELD}, A3 r 0607 S5 noble=N3:4 joins=yes", defaults=True,
                 orders="r MOVE A1 0606 choice=attack; r MOVE A3 0608", battles="B3-1 attacker fled 6",
                 answers="battle/B3-1 = entered\nretreat/A2/0606 = 0707", findings=None)
    assert (after.get("A3", "node"), after.get("N3", "prestige")) == ("0606", "5")
    assert (after.get("A1", "node"), after.get("A2", "node")) == ("0606", "0707")


def test_joiners_who_lose_stay_where_they_were() -> None:
    """15.3: losers among the joiners stay in the hex they set out from."""
    after = case("movement", armies=f"{FIELD}, A3 r 0607 S5 noble=N3:4 joins=yes", defaults=True,
                 orders="r MOVE A1 0606 choice=attack", battles="B3-1 defender fled 6",
                 answers="battle/B3-1 = entered")
    assert (after.get("A3", "node"), after.get("N3", "prestige")) == ("0607", "3")
    assert after.get("A1", "node") != "0606"
    assert after.get("N2", "prestige") == "7"


def test_a_spent_group_does_not_march() -> None:
    """Movement and encounters: who has fought, refused or joined today is spent."""
    after = case("movement", armies=f"{FIELD.replace('N2:6', 'N2:4')}, A9 r 0903 S3", defaults=True,
                 orders="r MOVE A1 0606 choice=attack; a MOVE A2 0607 0608", battles="B3-1 draw time 12",
                 answers="battle/B3-1 = entered", findings=None)
    assert after.get("A2", "node") in ("0607", "0706", "0506")


# --- the beaten ---------------------------------------------------------------------------------------------------
def test_nobody_is_left_of_the_eliminated() -> None:
    """7: eliminated: nobody may be left; the purse goes to the winner's largest group; the group is destroyed."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 S4 noble=N2:6 if_attacked=fight money=7",
                 orders="r MOVE A1 0606 choice=attack", answers="battle/B3-1 = entered", defaults=True,
                 battles="B3-1 attacker eliminated 9", losses="B3-1 A2 foot 3 0 1, B3-1 A2 - 1 0 0 noble=N2")
    assert after.get("A2", "state", "money") == ("destroyed", "0")
    assert after.get("A1", "money") == "7"
    assert after.get("N2", "state", "prestige") == ("dead", "6")
    assert after.men("P1") == "S1"
    assert after.row("Factions", "royal")["destroyed"] == "1"


def test_captives_of_the_beaten_are_freed() -> None:
    """7: captives held by the beaten are freed into the winner's group."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 S9 noble=N2:6 if_attacked=fight",
                 prisoners="P1 r a 0606 S2 B1 captor_army=A2 destination=den taken_on=2",
                 places="den 0609 castle_motte 3 2 holder=a S9", orders="r MOVE A1 0606 choice=attack",
                 answers="battle/B3-1 = entered", battles="B3-1 attacker fled 9", defaults=True)
    assert after.get("P1", "state") == "freed"
    assert after.men("A1") == "K9 S2 B1"


def test_a_noble_is_taken_with_the_rest() -> None:
    """7: surrendered: all survivors are captives, nobles, too; knights are dismounted in every capture."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 K2 S4 noble=N2:6 if_attacked=fight",
                 orders="r MOVE A1 0606 choice=attack", answers="battle/B3-1 = entered",
                 battles="B3-1 attacker surrendered 9", places="keep 0608 castle_motte 3 8 holder=r S9")
    assert after.men("P1") == "D2 S4"
    assert after.get("N2", "state", "captor", "held_in", "army", "prestige") == (
        "prisoner", "royal", "P1", "", "5")
    assert after.get("P1", "destination") == "keep"


def test_no_way_out_is_surrender() -> None:
    """Retreats: none legal: it surrenders."""
    ring = ", ".join(f"E{n} r {code} S3 joins=no on_meeting=pass" for n, code in enumerate(
        ("0505", "0604", "0705", "0706", "0506", "0606"), 1))
    after = case("movement", armies=f"""A1 r 0606 K9 noble=N1:6, A2 a 0605 S9 noble=N2:6 if_attacked=fight joins=no
        {ring}""", orders="r MOVE A1 0605 choice=attack", answers="battle/B3-1 = entered",
                 battles="B3-1 attacker fled 9", places="keep 0608 castle_motte 3 8 holder=r S9")
    assert after.get("A2", "state") == "captured"
    assert after.men("P1") == "S9"
    assert after.get("N2", "state") == "prisoner"
    assert after.event("no_retreat", "A2").audience == "all"


def test_a_retreat_never_goes_to_an_enemy() -> None:
    """Retreats: the side it came from and the two beside it, without enemy group or castle."""
    stop = case("movement", armies="""A1 r 0607 K9 noble=N1:6, A2 a 0606 S9 noble=N2:6 if_attacked=fight came_from=0605
        E1 r 0506 S3 joins=no on_meeting=pass""", orders="r MOVE A1 0606 choice=attack",
                answers="battle/B3-1 = entered", battles="B3-1 attacker fled 9", waits="retreat/A2/0606")
    assert stop.questions["retreat/A2/0606"].options == "0605, 0706"
    assert stop.questions["retreat/A2/0606"].default == "0605"


def test_where_only_one_way_is_open_nobody_is_asked() -> None:
    """5: `retreat` is asked for more than one legal hex."""
    after = case("movement", armies="""A1 r 0607 K9 noble=N1:6, A2 a 0606 S9 noble=N2:6 if_attacked=fight came_from=0605
        E1 r 0506 S3 joins=no on_meeting=pass""",
                 orders="r MOVE A1 0606 choice=attack", answers="battle/B3-1 = entered", battles="B3-1 attacker fled 9",
                 places="keep 0706 castle_motte 3 8 holder=r S9", findings=None, defaults=True)
    assert after.get("A2", "node") == "0605"


# --- villages ----------------------------------------------------------------------------------------------------
def test_the_levy_fights_once_and_is_gone() -> None:
    """14.6: withdrawn afterwards whatever happens; a new levy next time."""
    after = case("movement", armies="A1 a 0605 K3 noble=N1:6", places="ham 0606 village 10 7",
                 orders="a MOVE A1 0606; a SACK A1 ham", answers="battle/B3-1 = entered",
                 battles="B3-1 defender fled 9", defaults=True,
                 losses="B3-1 A1 knights 1 0 1, B3-1 levy peasants 3 0 0")
    assert after.get("ham", "resources") == "10"
    assert after.get("N1", "prestige") == "5"
    assert after.row("Factions", "angevin")["looted"] == "0"


def test_looting_nothing_costs_nothing() -> None:
    """Movement and encounters: prestige is lost when one point or more is looted."""
    after = case("movement", armies="A1 a 0605 K20 noble=N1:6", places="ham 0606 village 3 7",
                 orders="a MOVE A1 0606; a SACK A1 ham", answers="loot/A1/ham = 0")
    assert after.get("N1", "prestige") == "7"
    assert after.get("ham", "resources") == "3"


def test_all_is_the_default_of_looting() -> None:
    """5: `loot`: 0 to the resources, all by default."""
    stop = case("movement", armies="A1 a 0605 K20 noble=N1:6", places="ham 0606 village 3 7",
                orders="a MOVE A1 0606; a SACK A1 ham", waits="loot/A1/ham")
    question = stop.questions["loot/A1/ham"]
    assert (question.options.split(", "), question.default) == (["0", "1", "2", "3"], "3")


def test_food_is_bought_for_one_morning_only() -> None:
    """8.4, PROVISION: at most one day's need is carried."""
    case("movement", armies="A1 r 0605 S12 noble=N1", places="ham 0605 village 5 8, ton 0606 village 5 8",
         orders="r PROVISION A1 ham node=0605; r MOVE A1 0606; r PROVISION A1 ton node=0606",
         findings="o3 ANA-411", then="A1 node=0606 provisions=1, ham resources=4")


# --- entries, running again ---------------------------------------------------------------------------------------
def test_an_awaited_group_enters_on_its_day() -> None:
    """M1: awaited groups with `enters_on` today become active and march."""
    case("movement", armies="A1 a 0605 K6 noble=N1 state=awaited enters_on=3", orders="a MOVE A1 0606",
         then="A1 state=active node=0606")
    case("movement", armies="A1 a 0605 K6 noble=N1 state=awaited enters_on=4", then="")


def test_a_phase_that_waits_changes_nothing() -> None:
    """5, running again: it writes the question, and changes nothing."""
    after = case("movement", armies="A0 r 0301 S9 noble=N0:9, A1 r 0605 S9 noble=N1, A2 a 0606 S9 noble=N2",
                 orders="r MOVE A0 0302; r MOVE A1 0606", waits="attack/A1/0606/A2 contest/A2/0606/A1", then="")
    assert after.desk == ("3", "movement")
    so_far = after.questions["attack/A1/0606/A2"].so_far
    assert "moved" in str(so_far)


def test_the_same_two_may_meet_again() -> None:
    """8.3 Movement, 5: asked again in the same phase, the same key gets `#2`."""
    armies = "A1 r 0605 K9 noble=N1:9 joins=no, A2 a 0606 S9 noble=N2:6 on_meeting=pass joins=no"
    after = case("movement", armies=armies, orders="r MOVE A1 0606 0607 0606 0605", waits="attack/A1/0606/A2#2",
                 answers="attack/A1/0606/A2 = pass")
    assert after.questions["attack/A1/0606/A2#2"].options == "attack, pass"


def test_a_standoff_may_be_fought_out() -> None:
    """Standoffs: the last to arrive attacks: E6, no new loyalty test."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1 on_meeting=pass, A2 a 0606 S9 noble=N2 on_meeting=pass",
                 orders="r MOVE A1 0606", answers="standoff/A1/0606 = attack\naccept/A2/0606/A1 = fight\n"
                 "battle/B3-1 = entered", battles="B3-1 attacker fled 5", defaults=True)
    assert len(after.events("loyalty_tested")) == 1
    assert after.get("N1", "prestige") == "6"
    assert after.get("A2", "node") != "0606"


def test_the_last_day_ends_the_campaign() -> None:
    """9: scores on the last day; nothing is left to resolve."""
    from tests.anarchy.cases import anarchy

    after = case("close", day=14, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2")
    assert anarchy().is_over(after.campaign)
    assert after.events("score")


def test_a_side_without_free_nobles_loses_at_once() -> None:
    """9: a side whose nobles are all dead or captive loses decisively."""
    from tests.anarchy.cases import anarchy

    after = case("close", day=4, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9",
                 nobles="N2 a 5 2 state=dead, N3 a 4 2 state=prisoner captor=r")
    assert anarchy().is_over(after.campaign)


def test_the_next_day_begins() -> None:
    """The close: next day, morning."""
    assert case("close", day=4, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2").desk == ("5", "provisions")


@pytest.mark.parametrize(("kind", "fields", "done"), [
    ("hold - keep", "", True), ("hold - lost", "", False), ("capture EMP -", "", True), ("capture STE -", "", False),
    ("reach N1 keep", "by_day=14", True), ("reach N1 far", "by_day=14", False)])
def test_kinds_of_objectives(kind: str, fields: str, done: bool) -> None:
    """9: hold, capture, reach."""
    after = case("close", day=14, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2",
                 nobles="EMP a 8 1 state=prisoner captor=r, STE r 9 10 state=prisoner captor=a",
                 places="keep 0605 castle_motte 3 8 holder=r S9, lost 0705 castle_motte 3 8 holder=a S9"
                        ", far 0101 village 3 8",
                 objectives=f"O1 r {kind} 3 {fields}")
    assert after.row("Factions", "royal")["score"] == ("3" if done else "0")


@pytest.mark.parametrize(("counted", "score"), [("looted=16", "3"), ("looted=4", "0"), ("looted=40", "4")])
def test_every_five_points_looted(counted: str, score: str) -> None:
    """9, loot: looted / per, rounded down, times points, up to the cap."""
    after = case("close", day=14, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2", factions=f"angevin {counted}",
                 objectives="O1 a loot - - 1 per=5 cap=4")
    assert after.row("Factions", "angevin")["score"] == score
