"""Corners where two sentences of the rulebook page meet, found by trying each sentence of it for itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import case

KEEP = "keep 0605 castle_motte 3 2 holder=a S9"
RING = ("0604", "0705", "0706", "0606", "0506", "0505")
"""The hexes around 0605."""
BESIEGED: dict[str, Any] = {"places": KEEP, "sieges": "keep r 1"}


# --- whose purse (6.5, 5.7, switch purse_captured) ----------------------------------------------------
@pytest.mark.parametrize(("taken", "money"), [("yes", "7"), ("no", "0")])
def test_who_refuses_and_has_no_way_out_loses_the_purse(taken: str, money: str) -> None:
    """6.5: a group that can retreat nowhere surrenders, and the purse of a surrendered group goes to the victor."""
    ring = "".join(f", F{n} a {n} S9 on_meeting=pass joins=no" for n in RING)
    dice = ", ".join(f"refusal/E1/{who}=1" for who in ("foot-1", "foot-2", "foot-3", "E"))
    after = case("movement", armies="A1 a 0603 S9 noble=N1:5:2 on_meeting=attack, "
                 f"E1 r 0605 S3 noble=E:5:9 loyalty=10 money=7 if_attacked=refuse{ring}", dice=dice, defaults=True,
                 orders="a MOVE A1 0604 0605", rules={"purse_captured": taken})
    assert after.get("E1", "state", "money") == ("captured", "0")
    assert after.get("A1", "money") == money


@pytest.mark.parametrize(("taken", "money"), [("yes", "6"), ("no", "0")])
def test_the_purse_of_who_surrenders_with_a_castle(taken: str, money: str) -> None:
    """5.7, purse_captured: purses inside go to the largest besieger, or are lost as those of all who surrender."""
    after = case("close", armies="A1 r 0605 S9 noble=N1:5:9 besieging=keep, E1 a 0605 S5 inside=keep money=6",
                 dice="surrender/keep=6", rules={"purse_captured": taken},
                 **{**BESIEGED, "places": KEEP.replace(" 3 2", " 0 2")})
    assert after.get("A1", "money") == money
    assert after.get("E1", "state", "money") == ("captured", "0")


# --- out of the gate (5.6, ANA-011) -------------------------------------------------------------------
@pytest.mark.parametrize(("inside", "more"), [
    ("E1 a 0605 inside=keep noble=E:5:2", {}), ("E1 a 0605 S5 inside=keep unarmed=yes", {}),
    ("E1 a 0605 S5 inside=keep", {"prisoners": "P1 r a 0605 S2 state=escorted escort=E1"})])
def test_a_sally_is_a_fight(inside: str, more: dict[str, Any]) -> None:
    """ANA-011: a lone noble, an unarmed group and an escort do not fall upon besiegers, as they attack nobody else."""
    after = case("movement", armies=f"A1 r 0605 S9 noble=N1:5:9 besieging=keep, {inside}", orders="a SALLY E1",
                 findings="o1 ANA-011", **BESIEGED, **more)
    assert after.silent("attack", "battle_opened")


def test_a_company_sallies_with_its_lord() -> None:
    """ANA-106: an attached unit is not ordered alone, nor out of a gate."""
    case("movement", armies="A1 r 0605 S9 noble=N1:5:9 besieging=keep, E1 a 0605 S5 inside=keep, "
         "M1 a 0605 L5 kind=welsh employer=E1 inside=keep", orders="a SALLY M1", findings="o1 ANA-106", **BESIEGED)


def test_a_garrison_fights_out_of_its_gate_once_a_day() -> None:
    """5.6: an activation ends at once if the unit has fought or joined today, a castle's as a group's."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:9 besieging=keep if_attacked=fight, "
                 "E1 a 0605 S8 inside=keep noble=E:8:2", orders="a SALLY E1; a SALLY keep", findings="o2 ANA-114",
                 answers="join/keep/B3-1 = yes", battles="B3-1 draw time 12", **BESIEGED)
    assert [e.data["b"] for e in after.events("battle_result")] == ["B3-1"]


# --- safe conduct (5.4) -------------------------------------------------------------------------------
def test_under_safe_conduct_nothing_is_met() -> None:
    """5.4: safe conduct: no meeting either way, with a convoy and a siege train as little as with a group."""
    after = case("movement", armies="A1 r 0605 K3 noble=N1:5:9 safe_on=3", convoys="C1 a 0606 4",
                 trains="T1 a 0606 rams=1 engineers=1 oxen=2 peasants=3", orders="r MOVE A1 0606")
    assert (after.get("A1", "node"), after.get("C1", "faction"), after.get("T1", "faction")) == (
        "0606", "angevin", "angevin")


# --- answers (5) --------------------------------------------------------------------------------------
@pytest.mark.parametrize("answer", ["all", "Tutto", "tutti", "3", "default"])
def test_all_is_an_answer_to_how_much_is_looted(answer: str) -> None:
    """5: `loot/<group>/<place>` is answered with 0 up to the resources; its default is called all."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:5:9", places="ham 0605 village 3 2", orders="r SACK A1 ham",
                 battles="B3-1 attacker fled 5", answers=f"loot/A1/ham = {answer}")
    assert (after.get("A1", "money"), after.get("ham", "resources")) == ("3", "0")


# --- who has orders (ANA-010) -------------------------------------------------------------------------
@pytest.mark.parametrize("order", ["r SUPPLY A1 choice=none", "r: PROVVISTE A1 nessuno"])
def test_who_is_told_where_to_eat_has_an_order(order: str) -> None:
    """ANA-010: an active group without orders: one in words that is carried out this morning is one, too."""
    after = case("provisions", armies="A1 r 0605 S12, A2 r 0606 S4", orders=order)
    assert {f for f in after.findings if f[1] == "ANA-010"} == {("A2", "ANA-010")}


# --- order of march (6) -------------------------------------------------------------------------------
@pytest.mark.parametrize(("armies", "dice", "march"), [
    ("A1 r 0605 S9 noble=N1:7:9, E1 a 0809 S12 noble=E:7:2", "", "E1 A1"),
    ("A1 r 0605 S9 noble=N1:7:9, E1 a 0809 S9 noble=E:7:2", "activation/A1=7, activation/E1=8", "E1 A1"),
    ("A1 r 0605 S9 noble=N1:7:9, A2 r 0705 S5 noble=N2:7:9, E1 a 0809 S7 noble=E:7:2",
     "activation/A1=7, activation/A2=8", "E1 A2 A1"),
    ("A1 r 0605 S9, A2 r 0705 S5", "", "A1 A2")])
def test_dice_decide_inside_a_side_only(armies: str, dice: str, march: str) -> None:
    """6, order_tie dice: nobles of equal prestige of two sides march by heads, of one side by die."""
    after = case("movement", armies=armies, dice=dice, rules={"order_tie": "dice"})
    assert after.event("order_of_march").data["list"] == march


# --- mercenaries whom nobody hires (5.6) --------------------------------------------------------------
@pytest.mark.parametrize(("came_from", "there"), [("0606", "0606"), ("", "0604"), ("0808", "0604")])
def test_a_company_that_nobody_hires_goes_back(came_from: str, there: str) -> None:
    """5.6: not hired: back to `came_from`, else backing away, also where it began in a group's hex."""
    after = case("movement", answers="hire/A1/0605/M1 = no", armies="A1 r 0605 S9 noble=N1:5:9 money=99, "
                 f"M1 n 0605 L5 kind=welsh came_from={came_from}")
    assert after.get("M1", "node") == there


# --- the form (7) -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("unit", "noble"), [("E1", "E"), ("e1", "e"), ("Sir_Edoàrdo's_men", "sir+e")])
def test_losses_name_units_and_nobles_by_code_or_name(unit: str, noble: str) -> None:
    """2: references accept id or name, those of the form's rows as all others."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:9 on_meeting=attack, "
                 "E1 a 0604 S6 noble=E:5:2 on_meeting=pass if_attacked=fight name=Sir+Edoardo's+men",
                 orders="r MOVE A1 0604", battles="B3-1 attacker fled 9",
                 losses=f"B3-1 {unit} foot 2 0 1, B3-1 {unit} - 0 0 1 noble={noble}", defaults=True)
    assert (after.men("E1"), after.men("P1"), after.get("E", "state")) == ("S3", "S1", "prisoner")


def test_a_convoy_without_a_heading_goes_to_its_goal() -> None:
    """2: Convoys: the heading may be blank; who shuttles between home and goal sets out for the goal."""
    after = case("movement", armies="A1 r 0101 S9", convoys="C1 n 0808 3 home=kam goal=ham",
                 places="ham 0804 village 3 5, kam 0812 village 3 5")
    assert after.get("C1", "node") == "0804"
