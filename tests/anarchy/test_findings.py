"""Every finding of section 4, provoked once at least; a refused order changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import anarchy, build, case

ONE = "A1 r 0605 K2 S4 B2 L2 noble=N1 money=10"
TWO = f"{ONE}, A2 r 0605 S5 money=3"
KEEP = "keep 0605 castle_motte 5 8 holder=r K3 S3 B2 L2"
HAM = "ham 0605 village 5 8"
ENEMY = "E1 a 0606 S9 noble=N2 on_meeting=pass if_attacked=fight joins=no"
BESIEGED: dict[str, Any] = {"places": "keep 0605 castle_motte 5 8 holder=r K3 S3 B2 L2", "sieges": "keep a 2",
            "armies": f"{ONE} inside=keep, E1 a 0605 S9 noble=N2 besieging=keep on_meeting=pass joins=no"}
MERCS = "M1 n 0605 L8 kind=welsh moves_next=r"

# code, phase, orders (the last one is refused), what is given
REFUSED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("ANA-001", "movement", "r JUMP A1", {"armies": ONE}),
    ("ANA-002", "movement", "r MOVE A9 0606", {"armies": ONE}),
    ("ANA-002", "movement", "r MOVE A1 Camelot", {"armies": ONE}),
    ("ANA-002", "reorganise", "r MERGE A1 A9", {"armies": ONE}),
    ("ANA-002", "reorganise", "r GARRISON A1 nowhere S2 choice=in", {"armies": ONE}),
    ("ANA-002", "ransoms", "r RANSOM A1 XYZ", {"armies": ONE}),
    ("ANA-002", "movement", "r SACK A1 nowhere", {"armies": ONE}),
    ("ANA-003", "movement", "r MOVE E1 0607", {"armies": f"{ONE}, {ENEMY}"}),
    ("ANA-003", "reorganise", "r TRANSFER E1 A1 amount=1", {"armies": f"{ONE}, {ENEMY}"}),
    ("ANA-003", "convoys", "r UNLOAD C1 ham 2", {"armies": ONE, "convoys": "C1 a 0605 3", "places": HAM}),
    ("ANA-004", "movement", "r MOVE A1 0606 turn=2", {"armies": ONE}),
    ("ANA-006", "movement", "r MOVE A2 0606", {"armies": f"{ONE}, A2 r 0605 state=dissolved"}),
    ("ANA-006", "reorganise", "r MERGE A2 A1", {"armies": f"{ONE}, A2 r 0605 S5 state=awaited enters_on=9"}),
    ("ANA-007", "movement", "r MOVE A1", {"armies": ONE}),
    ("ANA-007", "reorganise", "r SPLIT A1 A9", {"armies": ONE}),
    ("ANA-007", "reorganise", "r MERGE A1", {"armies": ONE}),
    ("ANA-007", "ransoms", "r RANSOM A1", {"armies": ONE}),
    ("ANA-007", "convoys", "r CONVOY C9", {"armies": ONE, "places": HAM}),
    ("ANA-008", "reorganise", "r TRANSFER A1 A2 amount=1,25", {"armies": TWO}),
    ("ANA-008", "reorganise", "r TRANSFER A1 A2 amount=much", {"armies": TWO}),
    ("ANA-008", "reorganise", "r TRANSFER A1 A2 amount=-1", {"armies": TWO}),
    ("ANA-008", "convoys", "r LOAD C1 ham amount=1.5", {"armies": ONE, "convoys": "C1 r 0605 0", "places": HAM}),
    ("ANA-009", "movement", "r MOVE A1 Stoke", {"armies": ONE, "nodes": "0607 open name=Stoke, 0609 open name=Stoke"}),
    ("ANA-011", "movement", "r SACK A1 ham", {"armies": "A1 r 0605 noble=N1", "places": "ham 0605 village 3 2"}),
    ("ANA-011", "movement", "r SACK A1 ham", {"armies": f"{ONE} unarmed=yes", "places": "ham 0605 village 3 2"}),
    ("ANA-011", "movement", "r BESIEGE A1 keep",
     {"armies": ONE, "places": "keep 0605 castle_motte 5 2 holder=a S10, home 0609 village 3 8",
      "prisoners": "P1 a r 0605 S2 escort=A1 destination=home state=escorted"}),
    ("ANA-101", "movement", "r MOVE A1 0600", {"armies": "A1 r 0601 S9 noble=N1"}),
    ("ANA-101", "movement", "r MOVE A1 2517", {"armies": ONE}),
    ("ANA-102", "movement", "r MOVE A1 0607 0608", {"armies": ONE}),
    ("ANA-104", "movement", "r MOVE A1 0606", BESIEGED),
    ("ANA-105", "movement", "r MOVE A1 0606",
     {"armies": ONE, "wounded": "W1 r foot A1", "places": "h 0603 village 3 8"}),
    ("ANA-106", "movement", "r MOVE M1 0606", {"armies": f"{ONE}, M1 r 0605 L8 kind=welsh employer=A1"}),
    ("ANA-106", "movement", "r MOVE C1 0606", {"armies": ONE, "convoys": "C1 r 0605 3 escort=A1"}),
    ("ANA-107", "movement", "r MOVE C1 0606", {"armies": ONE, "convoys": "C1 r 0605 3 driver=0"}),
    ("ANA-108", "movement", "r MOVE T1 0606", {"armies": ONE, "trains": "T1 r 0605 rams=1 engineers=1 oxen=2"}),
    ("ANA-109", "movement", "r MOVE A1 0604",
     {"armies": ONE, "places": "home 0609 village 3 8",
      "prisoners": "P1 a r 0605 S2 escort=A1 destination=home state=escorted"}),
    ("ANA-110", "movement", "a MERCS M1 0606", {"armies": f"M1 n 0605 L8 kind=welsh moves_next=r, {ONE}".replace(
        "A1 r 0605", "A1 r 0609")}),
    ("ANA-201", "reorganise", "r SPLIT A1 A9 S2", {"armies": ONE}),
    ("ANA-201", "reorganise", "r SPLIT A1 A9 S4 B2 L2", {"armies": "A1 r 0605 S4 B2 L2 K2"}),
    ("ANA-202", "reorganise", "r SPLIT A1 A9 S5", {"armies": ONE}),
    ("ANA-202", "reorganise", "r TRANSFER A1 A2 K3", {"armies": TWO}),
    ("ANA-202", "reorganise", "r GARRISON A1 keep L3 choice=in", {"armies": ONE, "places": KEEP}),
    ("ANA-202", "reorganise", "r GARRISON A1 keep B3 choice=out", {"armies": ONE, "places": KEEP}),
    ("ANA-203", "reorganise", "r MERGE A1 A2", {"armies": f"{ONE}, A2 r 0606 S5"}),
    ("ANA-203", "reorganise", "r TRANSFER A1 A2 S1", {"armies": f"{ONE}, A2 r 0606 S5"}),
    ("ANA-204", "reorganise", "r MERGE M1 A1", {"armies": f"{ONE}, M1 r 0605 L8 kind=welsh"}),
    ("ANA-204", "reorganise", "r MERGE A1 M1", {"armies": f"{ONE}, M1 r 0605 L8 kind=welsh"}),
    ("ANA-205", "reorganise", "r GARRISON A1 keep K3 S3 choice=out", {"armies": ONE, "places": KEEP}),
    ("ANA-206", "reorganise", "r GARRISON A1 keep S2 choice=in",
     {"armies": ONE, "places": KEEP.replace("holder=r", "holder=a")}),
    ("ANA-206", "reorganise", "r GARRISON A1 keep S2 choice=in",
     {"armies": ONE, "places": KEEP.replace("0605", "0606")}),
    ("ANA-206", "reorganise", "r GARRISON A1 ham S2 choice=in", {"armies": ONE, "places": HAM}),
    ("ANA-207", "reorganise", "r SPLIT A1 A2 S4", {"armies": f"{ONE}, A2 r 0905 S5"}),
    ("ANA-207", "convoys", "r CONVOY C1 ham 2", {"armies": ONE, "places": HAM, "convoys": "C1 r 0905 1"}),
    ("ANA-209", "reorganise", "r ATTACH A1 M1", {"armies": f"{ONE}, M1 r 0606 L8 kind=welsh"}),
    ("ANA-209", "reorganise", "r ATTACH A1 C1", {"armies": ONE, "convoys": "C1 n 0605 3"}),
    ("ANA-210", "reorganise", "r GARRISON A1 keep S2 choice=in", BESIEGED),
    ("ANA-301", "reorganise", "r TRANSFER A1 A2 amount=10.5", {"armies": TWO}),
    ("ANA-301", "reorganise", "r PAY A1 M1",
     {"armies": f"{ONE}, M1 r 0605 L8 kind=welsh employer=A1 contract=promised promised=8 hired_on=2"}),
    ("ANA-301", "ransoms", "r RANSOM A1 VER",
     {"armies": f"{ONE}, E1 a 1105 S9", "nobles": "VER r 6 8 state=prisoner captor=a held_in=P1", "places":
      "den 1105 castle_motte 3 2 holder=a S9", "prisoners": "P1 r a 1105 S1 place=den state=delivered"}),
    ("ANA-301", "movement", "r HIRE A1 M1", {"armies": f"{ONE}, {MERCS}"}),
    ("ANA-301", "movement", "r ENGINEER A1 town", {"armies": ONE.replace("money=10", "money=3.5"),
                                                   "places": "town 0605 town 5 8"}),
    ("ANA-301", "movement", "r RECRUIT A1 ham L1", {"armies": ONE.replace("money=10", "money=0.5"), "places": HAM}),
    ("ANA-401", "movement", "r RECRUIT A1 ham P1", {"armies": ONE, "places": "ham 0605 village 5 4"}),
    ("ANA-401", "movement", "r PROVISION A1 ham", {"armies": ONE, "places": "ham 0605 village 5 4"}),
    ("ANA-402", "movement", "r RECRUIT A1 ham L2", {"armies": ONE, "places": HAM}),
    ("ANA-403", "movement", "r RECRUIT A1 keep P1", {"armies": ONE, "places": KEEP}),
    ("ANA-403", "movement", "r RECRUIT A1 ham P1", {"armies": "A1 r 0605 S9 money=4", "places": HAM}),
    ("ANA-404", "movement", "r SACK A1 ham", {"armies": ONE, "places": HAM}),
    ("ANA-405", "movement", "r SACK A1 keep", {"armies": ONE, "places": KEEP.replace("holder=r", "holder=a")}),
    ("ANA-407", "movement", "r SACK A1 ham", {"armies": ONE, "places": "ham 0605 village 5 3 exists=no"}),
    ("ANA-408", "movement", "r BESIEGE A1 keep", {"armies": ONE, "places": KEEP}),
    ("ANA-408", "movement", "r ASSAULT A1 ham", {"armies": ONE, "places": HAM}),
    ("ANA-409", "movement", "r ENGINEER A1 ham", {"armies": ONE, "places": HAM}),
    ("ANA-409", "movement", "r ENGINEER A1 town", {"armies": ONE, "places": "town 0605 town 5 3"}),
    ("ANA-412", "movement", "r SALLY keep", {"armies": ONE, "places": KEEP}),
    ("ANA-413", "movement", "r ENTER A1 keep", {"armies": ONE, "places": KEEP.replace("holder=r", "holder=a")}),
    ("ANA-413", "movement", "r ENTER A1 keep", {"armies": ONE, "places": KEEP.replace("0605", "0609")}),
    ("ANA-501", "movement", "r HIRE A1 M1", {"armies": f"A1 r 0605 S9 money=40, {MERCS}"}),
    ("ANA-502", "movement", "r PROMISE A1 M1 8", {"armies": f"{ONE}, {MERCS} no_promise_to=r"}),
    ("ANA-503", "movement", "r LURE A1 M1",
     {"armies": f"{ONE.replace('money=10', 'money=40')}, M1 a 0605 L8 kind=welsh on_meeting=pass, "
                "E1 a 0606 S9 on_meeting=pass joins=no"}),
    ("ANA-504", "reorganise", "r PAY A1 M1", {"armies": f"{ONE}, M1 r 0605 L4 kind=welsh employer=A1"}),
    ("ANA-504", "movement", "r HIRE A1 M1", {"armies": f"{ONE}, M1 r 0605 L4 kind=welsh employer=A1"}),
    ("ANA-505", "movement", "r ATTACK A1 M1", {"armies": f"{ONE}, {MERCS}"}),
    ("ANA-601", "convoys", "r LOAD C1 ham 4", {"armies": ONE, "places": HAM, "convoys": "C1 r 0605 1 animals=4"}),
    ("ANA-601", "convoys", "r CONVOY C1 ham 6", {"armies": ONE, "places": HAM.replace(" 5 ", " 9 ")}),
    ("ANA-602", "convoys", "r UNLOAD C1 ham 6",
     {"armies": ONE, "places": "ham 0605 village 2 8", "convoys": "C1 r 0605 5"}),
    ("ANA-603", "convoys", "r UNLOAD C1 ham 2",
     {"armies": ONE, "places": "ham 0605 village 2 3", "convoys": "C1 r 0605 5"}),
    ("ANA-603", "convoys", "r LOAD C1 ham 2", {"armies": "A1 r 0905 S9", "places": "ham 0605 village 5 6",
                                              "convoys": "C1 r 0605 0"}),
    ("ANA-603", "convoys", "r UNLOAD C1 keep 2", {**BESIEGED, "convoys": "C1 r 0605 3"}),
    ("ANA-604", "convoys", "r LOAD C1 ham 4",
     {"armies": ONE, "places": "ham 0605 village 3 8", "convoys": "C1 r 0605 0"}),
    ("ANA-606", "movement", "r BUY A1 C1 1", {"armies": ONE, "convoys": "C1 a 0605 3"}),
    ("ANA-701", "ransoms", "r RANSOM A1 N1", {"armies": ONE}),
    ("ANA-701", "ransoms", "r RANSOM A1 TAL",
     {"armies": ONE, "nobles": "TAL a 2 2 state=prisoner captor=r held_in=P1"}),
    ("ANA-702", "reorganise", "r ESCORT A2 P1",
     {"armies": f"{ONE}, A2 r 0605 S2", "places": "home 0609 village 3 8",
      "prisoners": "P1 a r 0605 S2 captor_army=A1 destination=home"}),
]


@pytest.mark.parametrize(("code", "phase", "order", "given"), REFUSED,
                         ids=[f"{c}-{o.replace(' ', '_')}" for c, _, o, _ in REFUSED])
def test_an_order_is_refused(code: str, phase: str, order: str, given: dict[str, Any]) -> None:
    """4: the order is refused with that code and does nothing."""
    after = case(phase, orders=order, findings=f"o1 {code}", defaults=True, **given)
    assert after.statuses["o1"] == "refused"
    plain = case(phase, defaults=True, **given)
    assert after.changed() == plain.changed()


# code, phase, orders, what is given: the order stands
WARNED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("ANA-103", "movement", "r MOVE A1 0606 0607 0608 0609 0610 0611", {"armies": ONE}),
    ("ANA-113", "movement", "r MOVE A1 0609", {"armies": ONE}),
    ("ANA-114", "movement", "r MOVE A1 0606 0607 0608 0609 0610 0611;r PROVISION A1 far",
     {"armies": ONE, "places": "far 0611 village 5 8"}),
    ("ANA-406", "movement", "r SACK A1 ham", {"armies": ONE, "places": "ham 0605 village 0 3"}),
    ("ANA-410", "movement", "r SACK A1 ham 1", {"armies": ONE, "places": "ham 0605 village 2 3"}),
    ("ANA-410", "movement", "r SACK A1 HAM 1", {"armies": ONE, "places": "ham 0605 village 2 3"}),
    ("ANA-411", "movement", "r PROVISION A1 ham", {"armies": "A1 r 0605 S5 noble=N1", "places": HAM}),
    ("ANA-605", "convoys", "r UNLOAD C1 ham 3", {"armies": ONE, "places": "ham 0605 village 9 8",
                                                "convoys": "C1 r 0605 5"}),
]


@pytest.mark.parametrize(("code", "phase", "orders", "given"), WARNED, ids=[f"{w[0]}-{w[2]}" for w in WARNED])
def test_an_order_stands_with_a_word(code: str, phase: str, orders: str, given: dict[str, Any]) -> None:
    """4: a warning or information leaves the order standing."""
    lines = orders.split(";")
    own = f"o{len(lines)} {code}"
    also = ", o1 ANA-103" if code == "ANA-114" else ""
    after = case(phase, orders="\n".join(lines), findings=own + also, defaults=True, **given)
    assert set(after.statuses.values()) == {"accepted"}


@pytest.mark.parametrize("blank", [{}, {"driver": ""}])
def test_a_convoy_whose_driver_is_blank_has_none(blank: dict[str, str]) -> None:
    """2: blank whole numbers are 0; ANA-107: a convoy without driver stays."""
    campaign = build("movement", armies=ONE, convoys="C1 r 0605 3", orders="r MOVE C1 0606")
    table = campaign.by_sheet("Convoys")
    table.remove("C1")
    table.add(table.record.from_values({"convoy": "C1", "faction": "royal", "node": "0605", "animals": "5",
                                        "cargo": "3", **blank}))
    assert ("o1", "ANA-107") in {(f.where.row, f.code) for f in anarchy().check_orders(campaign)}


def test_a_group_without_orders_is_named() -> None:
    """ANA-010, for information: it has no orders and will hold."""
    case("provisions", armies="A1 r 0605 S9", findings="* ANA-010", then="")


@pytest.mark.parametrize(("first", "second"), [
    ("r MOVE A1 0606", "r MOVE A1 0604"), ("r MOVE A1 0604", "r HOLD A1"), ("r HOLD A1", "r MOVE A1 0604")])
def test_the_last_of_two_stands(first: str, second: str) -> None:
    """ANA-005: same verb, unit and target twice, or MOVE against HOLD: the last one counts."""
    after = case("movement", armies=ONE, orders=f"{first}\n{second}", findings="o1 ANA-005")
    assert after.get("A1", "node") == ("0604" if "MOVE" in second else "0605")
    assert after.statuses == {"o1": "replaced", "o2": "accepted"}


def test_a_column_that_a_verb_does_not_use_makes_no_difference() -> None:
    """ANA-005: two LIFT of one unit are one, whatever stands in the column Target."""
    after = case("movement", armies="A1 a 0605 S12 besieging=keep", places=KEEP, sieges="keep a 2",
                 orders="a LIFT A1 target=keep; a LIFT A1", findings="o1 ANA-005", then="A1 besieging=")
    assert after.statuses == {"o1": "replaced", "o2": "accepted"}


def test_a_castle_that_nobody_fills_is_named() -> None:
    """ANA-208: under five defenders, and nobody there to fill it."""
    after = case("reorganise", armies="A1 r 0905 S9", places="keep 0605 castle_motte 5 8 holder=r S3",
                 findings="* ANA-208", then="")
    assert {"3", "5"} <= {str(v) for v in after.finding("ANA-208").values()}


def test_captives_whom_nobody_can_lead_are_named() -> None:
    """ANA-703: nobody can escort them: they will be massacred."""
    case("reorganise", armies="A1 r 0605 S2", prisoners="P1 a r 0605 S2 captor_army=A1 destination=home",
         places="home 0609 village 3 8", findings="* ANA-703")


# --- cumulative checks ---------------------------------------------------------------------------------
def test_money_is_counted_down_in_the_order_of_the_orders() -> None:
    """4: the order that overdraws is refused, the earlier ones stand."""
    case("reorganise", armies=f"{TWO}, A3 r 0605 S5", orders="r TRANSFER A1 A2 amount=6; r TRANSFER A1 A3 amount=6",
         findings="o2 ANA-301", then="A1 money=4, A2 money=9")


def test_income_of_the_same_day_is_not_counted() -> None:
    """4: money that comes in today cannot be spent today."""
    case("reorganise", armies=f"{TWO}, A3 r 0605 S5", orders="r TRANSFER A1 A2 amount=6; r TRANSFER A2 A3 amount=6",
         findings="o2 ANA-301", then="A1 money=4, A2 money=9")


REFUSED_FOR_ANOTHER_REASON = {
    "a part of two heads": ("r SPLIT A1 A9 S2 amount=6", "ANA-201"),
    "two heads would be left": ("r SPLIT A1 A9 K2 S4 B2 amount=6", "ANA-201"),
    "men who are not there": ("r SPLIT A1 A9 L9 amount=6", "ANA-202"),
    "a code in use": ("r SPLIT A1 A2 S2 B2 amount=6", "ANA-207"),
    "another group's noble": ("r SPLIT A1 A9 S2 B2 amount=6 choice=N2", "ANA-913"),
    "men to hand over who are not there": ("r TRANSFER A1 A2 K9 amount=6", "ANA-202"),
    "two heads left by a transfer": ("r TRANSFER A1 A2 K2 S4 B1 L1 amount=6", "ANA-201"),
    "men for mercenaries": ("r TRANSFER A1 M1 L1 amount=6", "ANA-204"),
    "a noble to hand over who is not there": ("r TRANSFER A1 A2 amount=6 choice=N2", "ANA-913"),
}


@pytest.mark.parametrize("why", REFUSED_FOR_ANOTHER_REASON)
def test_a_row_that_is_refused_takes_no_money(why: str) -> None:
    """4: E: the order is not used; so what it would have handed over pays the ransom of the same day."""
    order, code = REFUSED_FOR_ANOTHER_REASON[why]
    after = case("provisions..ransoms", armies="A1 r 0605 K2 S4 B2 L1 noble=N1 money=10, M1 r 0605 L8 kind=welsh, "
                 "A2 r 0605 S5 noble=N2 money=3, E1 a 1105 S9",
                 nobles="VER r 4 8 state=prisoner captor=a held_in=P1",
                 prisoners="P1 r a 1105 captor_army=E1 D2 place=keep state=delivered",
                 places="keep 1105 castle_motte 5 2 holder=a S10, ham 0605 village 9 8",
                 orders=f"{order}; r RANSOM A1 VER", findings=f"o1 {code}")
    assert (after.get("VER", "state"), after.get("A1", "money"), after.men("A2")) == ("free", "2", "S5")


RANSOM: dict[str, Any] = {
    "armies": "A1 r 0605 S4 L5 noble=N1 money=10, A2 r 0605 S6 money=3, E1 a 1105 S9",
    "nobles": "VER r 4 8 state=prisoner captor=a held_in=P1",
    "prisoners": "P1 r a 1105 captor_army=E1 D2 place=keep state=delivered",
    "places": "keep 1105 castle_motte 5 2 holder=a S10, ham 0605 village 9 8"}
"""A noble of £8, and a group with £10."""


@pytest.mark.parametrize(("orders", "findings", "money"), [
    ("r SPLIT A1 A8 L3 amount=1; r SPLIT A1 A9 L3 amount=6; r RANSOM A1 VER", "o2 ANA-202", "1"),
    ("r SPLIT A1 A8 L3 amount=1; r SPLIT A2 A8 S3 amount=1; r RANSOM A1 VER", "o2 ANA-207", "1"),
    ("r SPLIT A1 A8 L2 amount=1; r TRANSFER A1 A8 amount=6; r RANSOM A1 VER", "o1 ANA-201, o2 ANA-002", "2"),
    ("r SPLIT A1 A8 L3 amount=11; r SPLIT A1 A9 L3 amount=1; r RANSOM A1 VER", "o1 ANA-301", "1"),
    ("r SPLIT A1 A8 L3 amount=1; r TRANSFER A1 A8 amount=6; r RANSOM A1 VER", "o3 ANA-301", "3"),
    ("r TRANSFER A1 A2 amount=6; r TRANSFER A1 A2 amount=1; r RANSOM A1 VER", "o1 ANA-005", "1"),
])
def test_money_and_men_are_counted_down_together(orders: str, findings: str, money: str) -> None:
    """4: a row that overdraws the men takes no money, one that overdraws the purse no men, one that falls neither."""
    after = case("provisions..ransoms", **RANSOM, orders=orders, findings=findings)
    assert after.get("A1", "money") == money


def test_who_is_collected_first_may_be_split_off_with_money() -> None:
    """4, 15.7: COLLECT comes before SPLIT: that the men are not there yet is no reason to let a later row overdraw."""
    after = case("provisions..ransoms", **{**RANSOM, "armies": RANSOM["armies"].replace("L5", "L2")},
                 wounded="W1 r light - place=ham state=healed",
                 orders="r COLLECT A1; r SPLIT A1 A8 L3 amount=6; r RANSOM A1 VER", findings="o3 ANA-301")
    assert (after.get("A1", "money"), after.men("A8")) == ("4", "L3")


def test_men_are_counted_down_in_the_order_of_the_orders() -> None:
    """4: men per group over SPLIT, TRANSFER, GARRISON."""
    case("reorganise", armies=TWO, orders="r SPLIT A1 A9 S3; r TRANSFER A1 A2 S2", findings="o2 ANA-202",
         then="A1 S1, A9 S3 faction=r node=0605 loyalty=8 state=active contract=none")


def test_a_places_points_are_counted_down() -> None:
    """4: resources of a place over LOAD and CONVOY."""
    case("convoys", armies=ONE, places=HAM, convoys="C1 r 0605 0, C2 r 0605 0",
         orders="r LOAD C1 ham 4; r LOAD C2 ham 2", findings="o2 ANA-604", then="C1 cargo=4, ham resources=1")


def test_recruits_are_counted_down_by_place_and_day() -> None:
    """4: recruits per place and day, whoever takes them."""
    case("movement", armies=f"{ONE}, A2 r 0605 K5 money=3", places=HAM,
         orders="r RECRUIT A1 ham L1 P1; r RECRUIT A2 ham P2", findings="o2 ANA-402",
         then="A1 L3 P1 money=8.5")


# --- results of battles -----------------------------------------------------------------------------------
FIGHT: dict[str, Any] = {"armies": f"{ONE}, E1 a 0606 K1 S6 noble=N2 on_meeting=pass if_attacked=fight joins=no",
                         "orders": "r MOVE A1 0606 choice=attack"}
FORMS: list[tuple[str, str, str]] = [
    ("ANA-801", "B3-1 - fled 9", ""),
    ("ANA-801", "B3-1 attacker - 9", ""),
    ("ANA-801", "B3-1 attacker fled -", ""),
    ("ANA-802", "B3-1 attacker fled 9", "B3-1 E1 foot 7 0 0"),
    ("ANA-802", "B3-1 attacker fled 9", "B3-1 E1 foot 3 2 2"),
    ("ANA-803", "B3-1 draw time 9", ""),
    ("ANA-803", "B3-1 attacker fled 13", ""),
    ("ANA-803", "B3-1 attacker fled 0", ""),
    ("ANA-804", "B3-1 attacker eliminated 9", "B3-1 E1 foot 6 0 0"),
    ("ANA-805", "B3-1 attacker fled 9", "B3-1 A1 foot 0 0 1"),
    ("ANA-805", "B3-1 draw time 12", "B3-1 E1 foot 0 0 1"),
    ("ANA-806", "B3-1 attacker fled 9", "B3-1 A7 foot 1 0 0"),
    ("ANA-806", "B3-1 attacker fled 9", "B3-1 E1 - 1 0 0 noble=N9"),
]


@pytest.mark.parametrize(("code", "form", "losses"), FORMS, ids=[f"{f[0]}-{i}" for i, f in enumerate(FORMS)])
def test_a_form_that_cannot_be_leaves_the_phase_waiting(code: str, form: str, losses: str) -> None:
    """7, ANA-801 to 806: the form is wrong, the phase waits for it and says so, asked or not; nothing is changed."""
    for entered in ("battle/B3-1 = entered", ""):
        after = case("movement", **FIGHT, battles=form, losses=losses, answers=entered, referee="", waits="battle/B3-1",
                     nobles="N9 a 3 2", findings=f"* {code}", then="")
        assert after.desk == ("3", "movement")


def test_faults_of_a_form_are_listed_together() -> None:
    """7: checks ANA-801 to 808, all listed at once."""
    case("movement", **FIGHT, battles="B3-1 attacker fled 15", losses="B3-1 E1 foot 9 0 0, B3-1 A7 foot 1 0 0",
         answers="battle/B3-1 = entered", waits="battle/B3-1", findings="* ANA-802, * ANA-803, * ANA-806", then="")


def test_a_result_that_nobody_needs_is_kept_aside() -> None:
    """ANA-807: a result for a battle that does not happen."""
    after = case("movement", armies=ONE, orders="r MOVE A1 0606", battles="B3-1 attacker fled 9",
                 findings="* ANA-807", then="A1 node=0606")
    assert "B3-1" in after.campaign.by_sheet("Battles")


def test_unlisted_survivors_of_a_surrender_are_prisoners() -> None:
    """ANA-808, for information: everybody who is left of the beaten is taken."""
    after = case("movement", **FIGHT, battles="B3-1 attacker surrendered 9", losses="B3-1 E1 foot 2 0 0",
                 answers="battle/B3-1 = entered", findings="* ANA-808")
    assert after.men("P1") == "D1 S4"
    assert after.get("N2", "state") == "prisoner"


# --- answers -----------------------------------------------------------------------------------------------
ASKED: dict[str, Any] = {"armies": f"{ONE}, E1 a 0606 S9 noble=N2 on_meeting=pass if_attacked=fight joins=no",
                         "orders": "r MOVE A1 0606 0607"}


def test_an_answer_that_is_not_offered() -> None:
    """ANA-901: the question stays open."""
    case("movement", **ASKED, answers="attack/A1/0606/E1 = perhaps", waits="attack/A1/0606/E1", findings="* ANA-901",
         then="")


def test_the_default_is_said_to_be_used() -> None:
    """ANA-903: `default` as an answer takes the default shown, and says so."""
    after = case("movement", **ASKED, answers="attack/A1/0606/E1 = default", findings="* ANA-903",
                 then="A1 node=0607")
    assert "pass" in {str(v) for v in after.finding("ANA-903").values()}


def test_shares_are_no_more_than_the_loot() -> None:
    """ANA-904: three points to share, four given."""
    case("movement", armies=f"""{ONE.replace('A1 r', 'A1 a')}
         M1 a 0605 L4 kind=welsh employer=A1 contract=promised promised=4 hired_on=1""",
         places="ham 0606 village 3 8", orders="a MOVE A1 0606; a SACK A1 ham 3", answers="share/A1/M1 = 4",
         waits="share/A1/M1", findings="* ANA-904", then="")


# --- the sheets ----------------------------------------------------------------------------------------------
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("ANA-911", {"armies": "A1 r 0605 S9 loyalty=11"}),
    ("ANA-911", {"armies": "A1 r 0605 S9 noble=N1:12:5"}),
    ("ANA-911", {"places": "ham 0605 village 11 5"}),
    ("ANA-911", {"places": "ham 0605 village 5 0"}),
    ("ANA-913", {"armies": "A1 r 0605 S9 commander=N2, A2 r 0705 S9 noble=N2"}),
    ("ANA-913", {"armies": "A1 r 0605 S9, M1 r 0605 L4 kind=welsh employer=A1, M2 r 0605 L4 kind=welsh employer=M1"}),
    ("ANA-914", {"roads": "0605 0608 road"}),
    ("ANA-914", {"nodes": "06x5 open"}),
]


@pytest.mark.parametrize(("code", "given"), WRONG, ids=[f"{w[0]}-{i}" for i, w in enumerate(WRONG)])
def test_wrong_figures_stop_the_phase(code: str, given: dict[str, Any]) -> None:
    """4, ANA-911 to 914: no phase starts until they are put right."""
    after = case("provisions", findings=f"* {code}", then="", **given)
    assert after.desk == ("3", "provisions")
    assert not after.last.done


def test_fighters_without_a_row_stop_the_opening() -> None:
    """ANA-915: the composition table starts at 3."""
    after = case("opening", day=0, armies="A1 r 0605 size=1", findings="* ANA-915", then="")
    assert not after.last.done


def test_a_group_under_three_on_the_sheet_is_named() -> None:
    """ANA-912, a warning: it will dissolve."""
    found = [f for f in anarchy().check_data(build("provisions", armies="A1 r 0605 S2")) if f.code == "ANA-912"]
    assert [(f.where.row, f.severity) for f in found] == [("A1", "warning")]
    assert case("provisions..reorganise", armies="A1 r 0605 S2").get("A1", "state") == "dissolved"


def test_an_answer_to_a_question_that_is_not_asked() -> None:
    """ANA-902: after a correction its question is gone; the answer is named, and the phase goes on."""
    from assistant.campaign.records import Question
    from assistant.turn.phases import resolve
    from tests.anarchy.cases import SECRET

    start = build("movement", armies=ONE, orders="r MOVE A1 0606")
    table = start.table(Question)
    table.add(table.record(question="attack/A1/0606/E1", turn="3", phase="movement", kind="attack", to="royal",
                           answer="attack"))
    outcome = resolve(anarchy(), start, SECRET)
    assert outcome.done
    assert [f.code for f in outcome.findings if f.code not in ("ANA-010",)] == ["ANA-902"]
