"""Acts and marches in detail: acts named in advance, friends of villages, sallies, parting men, care, escorts."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.wording import Wording
from tests.anarchy.cases import anarchy, case


# --- villages and their friends --------------------------------------------------------------------------
@pytest.mark.parametrize(("loyalty", "helps"), [(8, True), (7, True), (6, False), (5, False)])
def test_who_helps_a_village(loyalty: int, helps: bool) -> None:
    """7: neutral villages have no allies; groups of the village's band may join its levy."""
    given: dict[str, Any] = {"places": f"ham 0606 village 3 {loyalty}", "orders": "a MOVE A1 0606; a SACK A1 ham 1",
                             "referee": ""}
    case("movement", armies="A1 a 0605 K9 noble=N1 joins=no, R1 r 0607 S9 noble=N2", **given,
         waits="join/R1/B3-1" if helps else "battle/B3-1")
    stop = case("movement", armies="A1 a 0605 K9 noble=N1 joins=no, R1 r 0607 S9 noble=N2 joins=yes", **given,
                waits="battle/B3-1")
    assert ("R1" in stop.row("Battles", "B3-1")["defenders"].split()) == helps


@pytest.mark.parametrize(("loyalty", "captives"), [(8, True), (5, False)])
def test_whom_a_levy_takes(loyalty: int, captives: bool) -> None:
    """7: a levy's captives are freed if the village is neutral; else they are its side's."""
    after = case("movement", armies="A1 a 0605 S9 noble=N1:6 joins=no", places=f"ham 0606 village 8 {loyalty}",
                 orders="a MOVE A1 0606; a SACK A1 ham", battles="B3-1 defender fled 9", losses="B3-1 A1 foot 0 0 2",
                 defaults=True)
    held = [p.as_text() for p in after.campaign.by_sheet("Prisoners") if p.state == "waiting"]
    assert [(p["captor"], p["foot"]) for p in held] == ([("royal", "2")] if captives else [])
    assert int(after.of("A1")["foot"]) == (7 if captives else 9)


# --- the order of march ----------------------------------------------------------------------------------
def test_a_castle_that_sallies_marches_by_its_nobles_prestige() -> None:
    """M2: castles ordered to SALLY stand among the nobles, by their noble's prestige."""
    after = case("movement", armies="""A1 r 0301 S9 noble=N1:9, A2 r 0501 S9 noble=N2:3
        E1 a 0605 S5 noble=N3:4 besieging=keep if_attacked=fight joins=no, A4 r 0901 S20""",
                 nobles="LORD r 6 8 place=keep", places="keep 0605 castle_motte 5 8 holder=r S10", sieges="keep a 2",
                 orders="r SALLY keep", defaults=True)
    assert str(after.event("order_of_march").data["list"]).replace(",", " ").split() == [
        "A1", "keep", "E1", "A2", "A4"]


def test_prestige_won_today_does_not_change_the_order_of_march() -> None:
    """M2: changes of prestige today do not change the list; each unit is activated once."""
    after = case("movement", armies="""A1 r 0301 S9 noble=N1:5, A2 r 0605 K20 noble=N2:9
        E1 a 0606 P3 noble=N3:2 if_attacked=fight""", defaults=True,
                 orders="r MOVE A2 0606 choice=attack; r MOVE A1 0302")
    assert [e.data["unit"] for e in after.events("moved")][:2] == ["A2", "A1"]
    assert len(after.events("order_of_march")) == 1


# --- the moment of an act ---------------------------------------------------------------------------------
HAM = "ham 0606 village 5 8"
MARCH: dict[str, Any] = {"armies": "A1 r 0605 S4 noble=N1 money=9, E1 a 1205 S9 noble=N2", "places": HAM}


@pytest.mark.parametrize(("start", "march", "met"), [
    ("0606", "0607 0608", "at the start"), ("0605", "0606 0607", "on the way"), ("0604", "0605 0606", "at the end"),
    ("0606", "", "where it stands"), ("0606", "0608", "a far goal")])
def test_an_act_is_done_when_the_group_is_at_its_place(start: str, march: str, met: str) -> None:
    """4: the place that an act names says where it is done: at the start of the march, on its way or at its end."""
    given = MARCH | {"armies": f"A1 r {start} S4 noble=N1 money=9, E1 a 1205 S9 noble=N2"}
    after = case("movement", orders=f"r RECRUIT A1 ham L1 P1{f'; r MOVE A1 {march}' if march else ''}", **given)
    assert after.get("A1", "light", "peasants", "money") == ("1", "1", "7.5"), met
    assert after.get("A1", "node") == (march[-4:] or start)
    assert set(after.statuses.values()) == {"accepted"}


def test_acts_at_three_places_of_one_march_are_each_done_there() -> None:
    """4: several acts of one march, none with a hex, are done each at its own place, in the order of the march."""
    after = case("movement", armies="A1 r 0605 S12 noble=N1 money=9", places=f"""{HAM}, cott 0605 village 3 8
        keep 0607 castle_motte 3 2 holder=a S9""", orders="""r BESIEGE A1 keep; r PROVISION A1 ham; r RECRUIT A1 cott P2
        r MOVE A1 0606 0607""".replace("\n        ", "; "))
    assert [e.event for e in after.outcomes[-1].events if e.event in ("recruited", "provisioned", "siege_begun")] == [
        "recruited", "provisioned", "siege_begun"]
    assert after.get("A1", "peasants", "provisions", "besieging") == ("2", "1", "keep")


def test_a_round_trip_acts_at_its_end_unless_a_hex_says_otherwise() -> None:
    """4: without a hex an act is done at the last one of the path, where that is the hex of its place."""
    march = "r MOVE A1 0606 0607 0608 0607 0606 0605; r RECRUIT A1 home P1"
    given: dict[str, Any] = {"armies": "A1 r 0605 K3 noble=N1 money=9", "places": "home 0605 village 3 8"}
    late = case("movement", orders=march, **given)
    assert late.get("A1", "node", "peasants") == ("0605", "1")
    early = case("movement", orders=f"{march} node=0605", **given)  # who has a peasant with him does not ride
    assert early.get("A1", "node", "peasants") == ("0606", "1")


@pytest.mark.parametrize(("orders", "code"), [
    ("r RECRUIT A1 ham L1", "o1 ANA-203"),
    ("r RECRUIT A1 ham L1; r MOVE A1 0604 0603", "o1 ANA-203"),
    ("r RECRUIT A1 ham L1 node=0604; r MOVE A1 0604 0605 0606", "o1 ANA-203"),
    ("r RECRUIT A1 ham L1 node=0606; r MOVE A1 0604", "o1 ANA-114"),
    ("r ATTACK A1 E1 node=0606; r MOVE A1 0604", "o1 ANA-114")])
def test_what_can_never_be_done_is_said_before_the_march(orders: str, code: str) -> None:
    """ANA-114, 203: an act of whose place or hex the march knows nothing is told by *check* as by the phase, once."""
    after = case("movement", orders=orders, findings=code, **MARCH)
    assert [(f.where.row, f.code) for f in anarchy().check_orders(after.before)] == [tuple(code.split())]
    assert len(after.events("act_not_done")) == 1
    assert after.get("A1", "light", "money") == ("0", "9")


def test_whoever_stands_beside_the_group_is_dealt_with_before_it_marches_off() -> None:
    """4, E2: HIRE, TAKE and ATTACK of who is there at the start are done at the start of the march."""
    hired = case("movement", armies="A1 r 0605 S4 noble=N1 money=8, M1 n 0605 L4 kind=welsh",
                 orders="r HIRE A1 M1; r MOVE A1 0606")
    assert hired.get("M1", "employer", "node") == ("A1", "0606")
    taken = case("movement", armies="A1 r 0605 S4 noble=N1", convoys="C1 a 0605 3",
                 orders="r TAKE A1 C1; r MOVE A1 0606")
    assert taken.get("C1", "escort", "node") == ("A1", "0606")
    fought = case("movement", armies="A1 r 0605 S9 noble=N1 joins=no, E1 a 0605 S9 noble=N2 if_attacked=fight joins=no",
                  orders="r ATTACK A1 E1; r MOVE A1 0606", battles="B3-1 attacker fled 5", defaults=True)
    assert fought.row("Battles", "B3-1")["node"] == "0605"


def test_an_act_lost_to_a_battle_says_that_the_day_was_over() -> None:
    """ANA-114: who stood at the place, but had fought before its own activation, is told that and not that it was
    elsewhere.
    """
    after = case("movement", armies="""A1 r 0606 S9 noble=N1 loyalty=10 money=9 if_attacked=fight joins=no,
                 E1 a 0607 S9 noble=N2:9""",
                 places=HAM, orders="r RECRUIT A1 ham L1; a MOVE E1 0606 choice=attack",
                 battles="B3-1 defender fled 5", findings="o1 ANA-114", defaults=True)
    assert (after.finding("ANA-114")["hex"], after.finding("ANA-114")["why"]) == ("0606", "over")


# --- acts to which nothing came are told --------------------------------------------------------------------
@pytest.mark.parametrize(("given", "orders", "said", "told"), [
    # never met
    ("M1 n 2416 L4 kind=welsh contract=none moves_next=a", "r HIRE A1 M1", "ANA-203", "A1 is at 0605, M1 at 1914"),
    ("M1 n 2416 L4 kind=welsh contract=none moves_next=a", "r PROMISE A1 M1 4; r MOVE A1 0604", "ANA-203", "M1 at"),
    ("M1 a 0808 L2 kind=welsh contract=paid", "r LURE A1 M1", "ANA-203", "M1 at 0808"),
    ("E1 a 0808 S9 noble=E", "r ATTACK A1 E1", "ANA-203", "E1 at 0808"),
    ("E1 a 0808 S9 noble=E", "r ATTACK A1 E1; r MOVE A1 0604", "ANA-203", "A1 is at 0604"),
    # shut in, where nobody meets it
    ("E1 a 0605 S9 noble=E inside=keep", "r ATTACK A1 E1; r MOVE A1 0604 0605", "ANA-114", "A1 did not meet E1"),
    # met, and loved
    ("E1 a 0604 S3 noble=E loyalty=5", "r ATTACK A1 E1; r MOVE A1 0604", "ANA-114", "and they went their ways"),
])
def test_a_deal_or_an_attack_that_came_to_nothing_is_told(given: str, orders: str, said: str, told: str) -> None:
    """ANA-114, 203, 301: whose partner or enemy was never met, or who met it in vain, reads why in its own report."""
    after = case("movement", armies=f"A1 r 0605 S9 noble=N1:9:9 money=9 joins=no, {given}", orders=orders,
                 places="keep 0605 castle_motte 3 2 holder=a S9", findings=None, defaults=True)
    undone = [e for e in after.events("act_not_done") if e.data["order"] == "o1"]
    assert [e.audience for e in undone] == ["royal"]
    words = Wording(anarchy(), "en")
    assert undone[0].data["finding"]["code"] == said
    assert told in words.event(undone[0])


@pytest.mark.parametrize(("orders", "said"), [
    ("r SALLY keep; a MOVE E1 0604", "ANA-412"), ("r SALLY R1; a MOVE E1 0604", "ANA-412"),
    ("a LIFT E1; r SALLY R1", "ANA-114")])
def test_a_sally_that_finds_nobody_and_a_siege_that_is_fought_over_are_told(orders: str, said: str) -> None:
    """ANA-412, 114: besiegers who marched off first leave nobody to fall upon; who fought before lifts nothing."""
    first = "E1 a 0605 S9 noble=E:{} besieging=keep if_attacked=fight joins=no"
    names = first.format(9 if said == "ANA-412" else 1)
    after = case("movement", armies=f"R1 r 0605 S9 noble=R:5:9 inside=keep joins=no, {names}",
                 places="keep 0605 castle_motte 3 9 holder=r S9", sieges="keep a 1", orders=orders, defaults=True,
                 battles="" if said == "ANA-412" else "B3-1 attacker fled 5", findings=f"o1 {said}")
    assert [e.data["finding"]["code"] for e in after.events("act_not_done")] == [said]


def test_a_wish_for_food_that_nobody_has_is_told() -> None:
    """ANA-411, 106: who needs none today, or sits in a besieged castle, or eats with its lord."""
    for armies, said in (("A1 r 0605 S3 noble=N1", "ANA-411"), ("A1 r 0605 S12 noble=N1 inside=keep", "ANA-411"),
                         ("A1 r 0605 S12 employer=B1 kind=welsh contract=paid, B1 r 0605 S5 noble=N1", "ANA-106")):
        case("provisions", armies=armies, places="keep 0605 castle_motte 3 9 holder=r S9",
             sieges="keep a 1", orders="r SUPPLY A1 choice=place", findings=f"o1 {said}")


# --- choices and acts in advance ----------------------------------------------------------------------------
TWO = "A1 r 0605 S9 noble=N1 on_meeting=pass joins=no, E1 a 0606 S9 noble=N2 on_meeting=pass joins=no"


@pytest.mark.parametrize(("choice", "waits"), [
    ("choice=ask", "attack/A1/0606/E1"), ("choice=attack", "accept/E1/0606/A1"), ("choice=pass", "")])
def test_the_choice_of_a_march_beats_the_standing_one(choice: str, waits: str) -> None:
    """E5: MOVE's choice, else `on_meeting`."""
    after = case("movement", armies=TWO, orders=f"r MOVE A1 0606 0607 {choice}", waits=waits)
    if not waits:
        assert after.get("A1", "node") == "0607"


def test_attack_in_advance_names_one_group() -> None:
    """4: ATTACK naming a group counts as the choice for that group when it is met on the march."""
    armies = f"{TWO}, E2 a 0607 S9 noble=N3:4 on_meeting=pass joins=no if_attacked=fight"
    after = case("movement", armies=armies, orders="r MOVE A1 0606 0607; r ATTACK A1 E2", referee="",
                 waits="battle/B3-1")
    assert after.row("Battles", "B3-1")["defenders"] == "E2"


def test_attack_on_a_group_that_is_there() -> None:
    """4: it is an act of its own only against groups already there at the start."""
    armies = "A1 r 0606 S9 noble=N1 joins=no, E1 a 0606 S9 noble=N2 on_meeting=pass joins=no if_attacked=fight"
    after = case("movement", armies=armies, orders="r ATTACK A1 E1", referee="", waits="battle/B3-1")
    assert (after.row("Battles", "B3-1")["attackers"], after.row("Battles", "B3-1")["defenders"]) == ("A1", "E1")


def test_food_is_bought_by_order() -> None:
    """4: BUY and TAKE answer the question in advance."""
    given: dict[str, Any] = {
        "armies": "A1 r 0605 S12 noble=N1 money=5", "places": "oxford 0609 town 5 7, ham 0601 village 4 6",
        "convoys": "C1 n 0606 3 home=oxford goal=ham heading=goal"}
    bought = case("movement", **given, orders="r MOVE A1 0606 0607; r BUY A1 C1 1")
    assert (bought.get("A1", "money", "provisions"), bought.get("C1", "cargo", "faction")) == (
        ("4", "1"), ("2", "neutral"))
    taken = case("movement", **given, orders="r MOVE A1 0606 0607; r TAKE A1 C1")
    assert taken.get("C1", "faction", "escort", "node") == ("royal", "A1", "0607")


def test_acts_where_a_group_stands() -> None:
    """4: without MOVE the acts are done where it stands; HOLD does not keep from them."""
    for orders in ("r PROVISION A1 ham", "r HOLD A1; r PROVISION A1 ham"):
        case("movement", armies="A1 r 0605 S12 noble=N1", places="ham 0605 village 5 8", orders=orders,
             then="A1 provisions=1, ham resources=4")


def test_an_act_at_a_hex_on_the_way() -> None:
    """4: done at `node` when the path passes it; without `node` at the last hex of the path."""
    case("movement", armies="A1 r 0605 S12 noble=N1", places="ham 0606 village 5 8, ton 0607 village 5 8",
         orders="r MOVE A1 0606 0607; r PROVISION A1 ham node=0606", then="A1 node=0607 provisions=1, ham resources=4")
    case("movement", armies="A1 r 0605 S12 noble=N1", places="ham 0606 village 5 8, ton 0607 village 5 8",
         orders="r MOVE A1 0606 0607; r PROVISION A1 ton", then="A1 node=0607 provisions=1, ton resources=4")


def test_a_siege_is_lifted_and_another_act_follows() -> None:
    """Movement and encounters: LIFT first, then the acts at the start hex."""
    case("movement", armies="A1 a 0605 S12 noble=N1 besieging=keep",
         places="keep 0605 castle_motte 5 8 holder=r S9, ham 0605 village 4 3", sieges="keep a 2",
         orders="a LIFT A1; a PROVISION A1 ham", then="A1 besieging= provisions=1, ham resources=3")


# --- parting (5.3) -------------------------------------------------------------------------------------------
PAIR = "A1 r 0605 K2 S3 noble=N1:6+N2:4 money=8, A2 r 0605 S3 money=1"


def test_money_men_and_nobles_change_hands() -> None:
    """TRANSFER: men, pounds, nobles between two groups of one hex."""
    case("reorganise", armies=PAIR, orders="r TRANSFER A1 A2 K2 £2.5 choice=N2",
         then="A1 K0 money=5.5, A2 K2 money=3.5 commander=N2, N2 army=A2")


def test_a_transfer_leaves_three() -> None:
    """ANA-201: a part under three heads."""
    case("reorganise", armies="A1 r 0605 S4 money=8, A2 r 0605 S3", orders="r TRANSFER A1 A2 S2", findings="o1 ANA-201",
         then="")


def test_a_group_that_is_split_off_acts_in_the_same_reorganisation() -> None:
    """5.3: SPLIT comes before TRANSFER, MERGE, GARRISON, ATTACH and ESCORT: a new group may do what comes after it."""
    armies = "A1 r 0605 S8 money=3, A2 r 0605 L4"
    merged = case("reorganise", armies=armies, orders="r MERGE A9 A2; r SPLIT A1 A9 S4 £1")
    assert (merged.men("A2"), merged.get("A2", "money"), merged.get("A9", "state")) == ("S4 L4", "1", "merged")
    led = case("reorganise", armies=armies, places="keep 0605 castle_motte 3 8 holder=r S9", convoys="C1 r 0605 2",
               prisoners="P1 a r 0605 L2 captor_army=A2 destination=keep",
               orders="r ESCORT A9 P1; r ATTACH A9 C1; r GARRISON A9 keep S1 choice=in; r SPLIT A1 A9 S4",
               then="A1 S4, A9 faction=r node=0605 S3 loyalty=8 state=active, keep S10, "
                    "C1 escort=A9, P1 escort=A9 state=escorted")
    assert led.audience("escort_set", "P1") == "angevin royal"


def test_a_group_that_does_not_come_to_be_does_nothing() -> None:
    """5.3, ANA-002: a SPLIT that is refused makes nobody; a POSTURE comes before it."""
    case("reorganise", armies="A1 r 0605 S5, A2 r 0605 S3", orders="r MERGE A9 A2; r SPLIT A1 A9 S3",
         findings="o1 ANA-002, o2 ANA-201", then="")
    case("reorganise", armies="A1 r 0605 S6", orders="r SPLIT A1 A9 S3; r POSTURE A9 choice=joins=no",
         findings="o2 ANA-002")
    case("reorganise", armies="A1 r 0605 S6, B1 a 0605 S3", orders="r SPLIT A1 A9 S3; a MERGE A9 B1",
         findings="o2 ANA-002")


def test_nobody_elses_noble_goes_along() -> None:
    """SPLIT: nobles as ordered must be with the group."""
    after = case("reorganise", armies="A1 r 0605 S9 noble=N1, A2 r 0705 S9 noble=N2", findings=None,
                 orders="r SPLIT A1 A3 S4 choice=N2")
    assert after.statuses["o1"] == "refused"
    assert after.get("N2", "army") == "A2"


def test_a_posture_is_kept() -> None:
    """POSTURE sets the standing choices, in Italian words, too."""
    case("reorganise", armies="A1 r 0605 S9 noble=N1",
         orders="r POSTURE A1 choice=on_meeting=attack+if_attacked=refuse+joins=no",
         then="A1 on_meeting=attack if_attacked=refuse joins=no")
    after = case("reorganise", armies="A1 r 0605 S9 noble=N1", orders="r: ATTEGGIAMENTO A1 se_attaccato=rifiuta")
    assert after.get("A1", "if_attacked") == "refuse"


def test_men_enter_a_garrison() -> None:
    """GARRISON in: the men are the castle's."""
    after = case("reorganise", armies="A1 r 0605 K2 S6 noble=N1", places="keep 0605 castle_motte 3 8 holder=r S9",
                 orders="r GARRISON A1 keep S3 K1 choice=in", then="A1 K1 S3, keep K1 S12")
    assert after.audience("garrison", "keep") == "royal"


def test_the_hurt_go_where_they_are_sent() -> None:
    """4: `w:W5` says that the wounded man W5 is among those counted; he stays counted in his rank."""
    after = case("reorganise", armies="A1 r 0605 S5 L2 noble=N1", wounded="W1 r foot A1, W2 r light A1",
                 orders="r SPLIT A1 A2 S3 w:W1")
    assert (after.get("W1", "army"), after.get("W2", "army")) == ("A2", "A1")
    other = case("reorganise", armies="A1 r 0605 S5 L2 noble=N1", wounded="W1 r foot A1", orders="r SPLIT A1 A2 S3")
    assert other.get("W1", "army") == "A1"


# --- care (15.7) ----------------------------------------------------------------------------------------------
def test_the_healed_march_again() -> None:
    """5.2: in care and `back_on` today or before: healed, still counted in the group he is with."""
    case("provisions", day=7, armies="A1 r 0605 S4", places="ham 0605 village 3 8",
         wounded="W1 r foot A1 state=in_care place=ham back_on=7", then="W1 state=healed")


def test_no_care_where_nobody_is_a_friend() -> None:
    """5.2: only at a place of his own side: a castle held, a village of that side's loyalty band."""
    for place in ("ham 0605 village 3 5", "ham 0605 village 3 2", "keep 0605 castle_motte 3 8 holder=a S9"):
        assert case("provisions", armies="A1 r 0605 S4", wounded="W1 r foot A1", places=place).throws == {}


def test_the_nearest_bed_has_the_lowest_id() -> None:
    """5.2: `place` = that place (lowest id)."""
    after = case("provisions", armies="A1 r 0605 S4", wounded="W1 r foot A1", dice="healing/W1=5",
                 places="b-ham 0605 village 3 8, a-ham 0605 village 3 9")
    assert after.get("W1", "place") == "a-ham"


# --- awaited, lone, unarmed --------------------------------------------------------------------------------------
def test_the_unarmed_neither_fight_nor_hire() -> None:
    """E1: unarmed groups only pass, and pass when attacked by choice; their value is one a man."""
    after = case("movement", armies="A1 r 0605 D3 S3 unarmed=yes, E1 a 0606 S9 noble=N2 on_meeting=pass",
                 orders="r MOVE A1 0606 0607 choice=attack", findings=None)
    assert after.silent("attack")


def test_an_escort_met_by_the_enemy() -> None:
    """E5: escorts pass; who attacks them and wins frees the captives."""
    after = case("movement", armies="E1 r 0606 S3 loyalty=10 on_meeting=attack joins=no, A1 a 0605 K20 noble=N1",
                 prisoners="P1 a r 0606 S2 escort=E1 destination=home state=escorted taken_on=1",
                 places="home 0610 village 3 8", orders="a MOVE A1 0606 choice=attack", defaults=True)
    assert after.get("P1", "state") == "freed"
    assert after.of("A1")["foot"] == "2"


# --- odds and ends ------------------------------------------------------------------------------------------------
def test_the_season_that_was_rolled_holds() -> None:
    """5.1, 18.2: rolled once at the opening, it slows every march of the campaign."""
    path = "0602 0603 0604 0605 0606"
    after = case("opening..movement", day=0, rules={"season": "roll"}, dice="season=1", armies="A1 r 0601 S9 noble=N1",
                 orders=f"r MOVE A1 {path} turn=1", findings=None)
    assert after.get("A1", "node") == "0604"


@pytest.mark.parametrize(("group", "hurt", "left", "garrison"), [
    ("S4 noble=N1", "", "S2", "S4"), ("P2 B2 S4", "", "S4 B1", "S2 B1 P2"),
    ("B3 S3", "W1 r bows A1", "S2 B1", "S3 B2")])
def test_who_fills_a_thin_garrison(group: str, hurt: str, left: str, garrison: str) -> None:
    """5.3, refill: one by one in rising rank, hurt men never, from groups that keep 3 heads."""
    after = case("reorganise", armies=f"A1 r 0605 {group}", places="keep 0605 castle_motte 3 8 holder=r S2",
                 wounded=hurt, findings=None)
    assert (after.men("A1"), after.men("keep")) == (left, garrison)


def test_the_highest_rank_makes_the_new_noble() -> None:
    """9: the highest rank present becomes the noble, the column drops by one."""
    after = case("movement", armies="A1 r 0605 S8 L8 wins=1 core_start=16 core_now=16, A2 a 0606 P3 if_attacked=fight",
                 orders="r MOVE A1 0606 choice=attack", answers="name/A1 = default", defaults=True)
    assert after.men("A1") == "S7 L8"
    assert after.get("N-A1", "prestige", "army") == ("2", "A1")


@pytest.mark.parametrize(("objective", "given", "score"), [
    ("deliver - - 1 per=5 cap=4", {"factions": "royal delivered=11"}, "2"),
    ("destroy - - 2 per=1", {"factions": "royal destroyed=3"}, "6"),
    ("destroy - - 2 per=1 cap=4", {"factions": "royal destroyed=3"}, "4")])
def test_objectives_that_count(objective: str, given: dict[str, Any], score: str) -> None:
    """9: deliver and destroy: counted, divided by `per`, up to the cap."""
    after = case("close", day=14, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2", **given,
                 objectives=f"O1 r {objective}")
    assert after.row("Factions", "royal")["score"] == score


def test_destroyed_groups_are_counted() -> None:
    """9, destroy: enemy groups destroyed, dissolved, captured."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 S9 noble=N2:6 if_attacked=fight", defaults=True,
                 orders="r MOVE A1 0606 choice=attack", battles="B3-1 attacker surrendered 9")
    assert after.row("Factions", "royal")["destroyed"] == "1"
    assert after.row("Factions", "angevin")["destroyed"] == "0"


def test_a_noble_reaches_his_goal_for_good() -> None:
    """9, reach: free or wounded in the place's hex at any close up to `by_day`: done for good."""
    given: dict[str, Any] = {"places": "keep 0605 castle_motte 3 8 holder=r S9",
                             "objectives": "O1 r reach N1 keep 5 by_day=6"}
    there = case("close", day=6, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2", **given)
    assert there.get("O1", "state", "done_on") == ("done", "6")
    late = case("close", day=7, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2", **given)
    assert late.get("O1", "state") != "done"


@pytest.mark.parametrize(("royal", "angevin", "word"), [(3, 3, "draw"), (4, 3, "narrow"), (7, 3, "clear"),
                                                        (12, 3, "decisive")])
def test_the_measure_of_victory(royal: int, angevin: int, word: str) -> None:
    """9: difference 0 draw, 1-3 narrow, 4-7 clear, 8 and more decisive."""
    after = case("close", day=14, armies="A1 r 0605 S9 noble=N1, A2 a 0905 S9 noble=N2",
                 places="keep 0605 castle_motte 3 8 holder=r S9, den 0905 castle_motte 3 2 holder=a S9",
                 objectives=f"O1 r hold - keep {royal}, O2 a hold - den {angevin}")
    assert word in " ".join(str(v) for e in after.last.events for v in e.data.values())
