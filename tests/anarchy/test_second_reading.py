"""A second stern reading of the rulebook page: what a change of side, a siege or a standoff does to those beside it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import case


# --- the wounded of those who change side (5.2.1, 5.6 E3, E4) -----------------------------------------------
def test_hurt_men_of_a_group_that_takes_a_side_are_tended_by_it() -> None:
    """5.2.1: a hurt man whose group is at a place of his own side rolls: his side is the one his group has taken."""
    after = case("movement close provisions", armies="A1 r 0605 S4 noble=N1, X1 n 0606 S6 noble=NX:4:7 loyalty=7",
                 places="ham 0606 village 5 8", wounded="W1 n foot X1", orders="r MOVE A1 0606",
                 dice="healing/W1=7", defaults=True)
    assert after.get("W1", "faction", "state", "place") == ("royal", "in_care", "ham")


@pytest.mark.parametrize(("company", "order", "side"), [
    ("M1 r 0606 L4 kind=welsh", "a LURE E1 M1", "angevin"),
    ("M1 n 0606 L4 kind=welsh", "a HIRE E1 M1", "angevin")])
def test_hurt_mercenaries_serve_whom_their_company_serves(company: str, order: str, side: str) -> None:
    """E2, E3: a company that is hired or won over takes its hurt men with it."""
    after = case("movement close provisions", armies=f"E1 a 0605 S4 noble=NE money=12, {company}",
                 places="ham 0606 village 5 2", wounded=f"W1 {company.split()[1]} light M1",
                 orders=f"a MOVE E1 0606; {order}", dice="healing/W1=7", defaults=True)
    assert after.get("M1", "faction", "employer") == (side, "E1")
    assert after.get("W1", "faction", "state", "place") == (side, "in_care", "ham")


def test_hurt_deserters_are_nobodys_men() -> None:
    """11.4 Promises: a deserting company becomes neutral, the hurt among them as the others."""
    after = case("provisions", armies="A1 r 0605 S4 noble=N1, M1 r 0605 L4 kind=welsh employer=A1 contract=promised "
                 "promised=4 tests=1 hired_on=1", wounded="W1 r light M1", dice="promise/M1=1")
    assert (after.get("M1", "faction"), after.get("W1", "faction")) == ("neutral", "neutral")


# --- orders of a group to itself (4, 5.3) -------------------------------------------------------------------
def test_a_group_does_not_join_itself() -> None:
    """5.3: MERGE and TRANSFER are between two groups; nothing changes, no money is made."""
    case("reorganise", armies="A1 r 0605 S9 noble=N1 money=5, T r 0606 S6 money=4",
         orders="r MERGE A1 A1; r TRANSFER T T S3 £2", findings="o1 ANA-209, o2 ANA-209", then="")


# --- besiegers and besieged (5.3, 6.4) ----------------------------------------------------------------------
def test_a_besieger_that_cannot_back_away_goes_on_besieging() -> None:
    """Backing away: none free: it stays; only a besieger that backs away leaves the siege."""
    armies = "A1 r 0604 S4, X1 a 0605 S4 loyalty=5 besieging=keep"
    ring = "".join(f", F{n} r {there} S3" for n, there in enumerate(("0606", "0506", "0706", "0505", "0705")))
    given: dict[str, Any] = {"places": "keep 0605 castle_motte 5 8 holder=r S5", "sieges": "keep a 1",
                             "orders": "r MOVE A1 0605"}
    held = case("movement close", armies=armies + ring + ", G r 0604 S3", defaults=True, **given)
    assert held.get("X1", "node", "besieging") == ("0605", "keep")
    assert held.get("Sieges/keep", "state", "days") == ("on", "2")
    gone = case("movement close", armies=armies, defaults=True, **given)
    assert gone.get("X1", "node", "besieging") == ("0606", "")
    assert gone.get("Sieges/keep", "state") == "lifted"


def test_captives_inside_a_besieged_castle_are_guarded_there() -> None:
    """5.3: captives are massacred where no own group of 3 is in their hex; one that is shut in is."""
    after = case("reorganise", armies="A1 r 0605 S7 noble=N1 inside=keep, E1 a 0605 S5 besieging=keep",
                 places="keep 0605 castle_motte 5 8 holder=r S9, den 1216 village 5 8", sieges="keep a 2",
                 prisoners="P1 a r 0605 S3 captor_army=A1 destination=den", defaults=True)
    assert after.get("P1", "state", "escort") == ("escorted", "A1-esc1")
    assert (after.men("A1-esc1"), after.get("A1-esc1", "inside")) == ("S3", "keep")  # nobody goes in or out
    assert after.silent("massacred")


@pytest.mark.parametrize("die", [1, 5, 9])
def test_captives_in_a_castle_that_surrenders_are_free(die: int) -> None:
    """7: captives held by the beaten are freed into the winner's largest group, whatever becomes of the beaten."""
    after = case("close", armies="A1 r 0605 S4 inside=keep, E1 a 0605 S5 besieging=keep",
                 places="keep 0605 castle_motte 0 8 holder=r S9", sieges="keep a 6 resources_at_start=5",
                 prisoners="P1 a r 0605 D2 S1 escort=A1 state=escorted", dice=f"surrender/keep={die}")
    assert after.get("P1", "state", "escort") == ("freed", "")
    assert after.men("E1") == "D2 S6"


# --- captives who are gone (rulebook: Ransom, 15.8 Captives) ------------------------------------------------
def test_who_escorted_a_ransomed_noble_is_free_again() -> None:
    """Ransom: he leaves; a record that holds nobody binds no escort, on the march or the next morning."""
    after = case("ransoms convoys movement close provisions reorganise",
                 armies="A1 r 0605 S6, E1 a 2001 S5 money=8",
                 places="den 0610 village 5 8", prisoners="P1 a r 0605 captor_army=A1 destination=den "
                 "state=escorted escort=A1", nobles="EN a 4 2 state=prisoner captor=royal held_in=P1",
                 orders="a RANSOM E1 EN; r MOVE A1 0604", defaults=True)
    assert after.get("A1", "node") == "0604"
    assert after.get("P1", "state", "escort") == ("freed", "")


def test_an_empty_record_of_captives_asks_for_no_escort() -> None:
    """5.3: captives need an escort; where there are none nobody is detached."""
    case("reorganise", armies="A1 r 0605 S7", places="den 0610 village 5 8",
         prisoners="P1 a r 0605 captor_army=A1 destination=den", then="")


# --- standoffs (rulebook: Standoffs) ------------------------------------------------------------------------
def test_who_attacked_in_a_standoff_withdraws_before_those_who_stood_there() -> None:
    """Standoffs: the last to arrive attacks or withdraws; spent by its attack it can only withdraw."""
    rolls = ", ".join(f"refusal/R1/foot-{n}=1" for n in (1, 2, 3, 4))
    after = case("movement", armies="""R2 r 0408 S4 came_from=0409 on_meeting=pass
        R1 r 0407 S4 noble=NR:8 if_attacked=refuse on_meeting=pass, E1 a 0508 S4 on_meeting=pass""",
                 orders="r MOVE R1 0408; a MOVE E1 0408", answers="standoff/E1/0408 = attack", defaults=True,
                 dice=f"{rolls}, refusal/R1/NR=1")
    assert (after.get("R1", "node"), after.get("R2", "node"), after.get("E1", "node")) == ("0407", "0408", "0508")


# --- what is counted down over the rows of a day (4) --------------------------------------------------------
@pytest.mark.parametrize(("orders", "refused"), [
    ("r GARRISON A1 keep S2 choice=in; r SPLIT A1 A9 S3", "o2 ANA-201"),
    ("r SPLIT A1 A9 S3; r GARRISON A1 keep S2 choice=in", "o2 ANA-201"),
    ("r TRANSFER A1 B1 S3; r SPLIT A1 A9 S3", "o2 ANA-201"),
    ("r ESCORT A1 P1 S3; r SPLIT A1 A9 S3", "o2 ANA-201"),
    ("r ESCORT A1 P1 S3; r TRANSFER A1 B1 S3; r SPLIT A1 A9 S3", "o3 ANA-202"),
    ("r GARRISON A1 keep S3 w:W1; r TRANSFER A1 B1 S3 w:W1", "o2 ANA-202"),
    ("r GARRISON A1 keep S1 choice=out; r SPLIT A1 A9 S3", ""),  # who comes in takes nobody's men
    ("r GARRISON A1 den S4 choice=in; r SPLIT A1 A9 S3", "o1 ANA-206"),  # nor does a row that is refused
    ("r GARRISON A1 keep S3 choice=in; r SPLIT A1 A9 S3; r TRANSFER B1 A1 S3", "")])
def test_men_are_counted_down_in_order_number(orders: str, refused: str) -> None:
    """4: over SPLIT, TRANSFER, GARRISON, ESCORT; the order that overdraws is refused, the earlier ones stand."""
    given: dict[str, Any] = {"wounded": "W1 r foot A1"} if "W1" in orders else {}
    if "ESCORT" in orders:
        given["prisoners"] = "P1 a r 0605 B2 captor_army=A1 destination=den"
    case("reorganise", armies="A1 r 0605 S6, B1 r 0605 S6", orders=orders, findings=refused,
         places="keep 0605 castle_motte 5 8 holder=r S9, den 1216 castle_motte 5 8 holder=r S9", **given)


@pytest.mark.parametrize(("orders", "refused", "left"), [
    ("r CONVOY C2 ham 3; r LOAD C1 ham 3", "o2 ANA-604", "2"),
    ("r LOAD C1 ham 3; r CONVOY C2 ham 3", "o2 ANA-604", "2"),
    ("r CONVOY C2 ham 6; r LOAD C1 ham 3", "o1 ANA-601", "2"),
    ("r CONVOY C2 ham 4; r LOAD C1 ham 3; r UNLOAD C3 ham 2", "", "0")])
def test_what_leaves_a_place_is_counted_down_in_order_number(orders: str, refused: str, left: str) -> None:
    """4, 12 Convoys: a place's resources over LOAD and CONVOY, after what is unloaded there."""
    after = case("convoys", places="ham 0605 village 5 8", convoys="C1 r 0605 0, C3 r 0605 2", orders=orders,
                 findings=refused)
    assert after.get("ham", "resources") == left


# --- acts where a group starts (4, 5.6) ---------------------------------------------------------------------
@pytest.mark.parametrize("march", ["", "; r MOVE A1 0604"])
def test_goods_are_taken_where_a_group_starts(march: str) -> None:
    """4: acts are done at `node` when the path starts there, without `node` and MOVE where the group stands."""
    node = " node=0605" if march else ""
    after = case("movement", armies="A1 r 0605 S4", convoys="C1 a 0605 3",
                 trains="T1 a 0605 rams=1 engineers=1 oxen=2 peasants=3",
                 orders=f"r TAKE A1 C1{node}; r TAKE A1 T1{node}{march}")
    assert (after.get("C1", "faction", "escort"), after.get("T1", "faction", "escort")) == (("royal", "A1"),) * 2
    assert after.get("C1", "node") == after.get("A1", "node") == ("0604" if march else "0605")


def test_food_is_bought_where_a_group_starts() -> None:
    """4: BUY without a MOVE, from a neutral convoy that stands there; only what tomorrow's food lacks."""
    case("movement", armies="A1 r 0605 S10 money=5", convoys="C1 n 0605 3", orders="r BUY A1 C1 £2",
         then="A1 money=4 provisions=1, C1 cargo=2")


def test_a_group_without_an_order_is_not_asked_of_what_stands_beside_it() -> None:
    """Movement and encounters: what was on the hex in the morning is not met; nobody is asked."""
    case("movement", armies="A1 r 0605 S4", convoys="C1 a 0605 3", then="")


def test_mercenaries_are_hired_where_a_moving_group_starts() -> None:
    """4, E2: HIRE with the hex of the start; the company marches along at once."""
    after = case("movement", armies="A1 r 0605 K1 S3 noble=N1 money=30, M1 n 0605 L3 kind=welsh",
                 orders="r MOVE A1 0606 0607; r HIRE A1 M1 node=0605")
    assert after.get("M1", "faction", "employer", "contract", "node") == ("royal", "A1", "paid", "0607")
    assert after.get("A1", "money") == "24"


def test_mercenaries_are_promised_loot_where_a_group_stands() -> None:
    """4, E2: PROMISE without a MOVE; the group that says so, not the greater name that says nothing."""
    after = case("movement", armies="A1 r 0605 S3 noble=N1:3, E1 a 0605 S3 noble=NE:9, M1 n 0605 L3 kind=welsh",
                 orders="r PROMISE A1 M1 4", defaults=True)
    assert after.get("M1", "faction", "employer", "contract", "promised") == ("royal", "A1", "promised", "4")


def test_mercenaries_are_lured_where_a_group_stands() -> None:
    """4, E3: LURE of the other side's company that stands there alone."""
    after = case("movement", armies="A1 r 0605 S4 noble=N1 money=12, M1 a 0605 L4 kind=welsh", orders="r LURE A1 M1")
    assert after.get("M1", "faction", "employer", "contract") == ("royal", "A1", "paid")
    assert after.get("A1", "money") == "0"


def test_a_company_that_comes_later_is_still_hired_by_the_order() -> None:
    """4: HIRE answers `hire` in advance; it waits for who is not there yet."""
    after = case("movement", armies="A1 r 0605 S4 noble=N1 money=12, M1 n 0606 L4 kind=welsh", orders="r HIRE A1 M1")
    assert after.get("M1", "employer", "contract") == ("A1", "paid")


def test_a_deal_whose_hex_is_not_reached_is_told() -> None:
    """4, ANA-114: without `node` an act is done at the last hex of the path; what was done on the way is done."""
    given: dict[str, Any] = {"armies": "A1 r 0605 S4", "orders": "r MOVE A1 0606 0607 0608 0609; r TAKE A1 C1"}
    short = case("movement", nodes="0608 river", convoys="C1 a 0609 3", findings="o1 ANA-103, o2 ANA-114", **given)
    assert (short.get("A1", "node"), short.get("C1", "escort")) == ("0608", "")
    on_the_way = case("movement", nodes="0608 river", convoys="C1 a 0606 3", findings="o1 ANA-103", **given)
    assert on_the_way.get("C1", "node", "escort") == ("0608", "A1")
    assert case("movement", convoys="C1 a 0609 3", **given).get("C1", "escort") == "A1"


def test_a_company_does_not_pay_itself() -> None:
    """5.3: PAY is a group's to its promised company; out of its own shares nobody frees himself of a promise."""
    case("reorganise", armies="A1 r 0605 S4 noble=N1, M1 r 0605 L4 kind=welsh employer=A1 contract=promised "
         "promised=4 money=20", orders="r PAY M1 M1", findings="o1 ANA-011", then="")
