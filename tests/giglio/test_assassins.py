"""Table 33: assassins, their targets, and who learns of it (rulebook: Table 33: specialists)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.giglio.cases import After, case

DIE = "assassin:V-S1:1500:3"


def shot(target: str, die: int, **given: Any) -> After:
    """V-S1 strikes: `target` as ``commander M-1``."""
    men = f"V-S1 assassin, {given.pop('specialists', '')}"
    return case(
        "r3.move",
        orders=f"V assassinate V-S1 {target}\n{given.pop('orders', '')}",
        specialists=men,
        dice={DIE: die, **given.pop("dice", {})},
        **{"armies": "M-1 90 M5", **given},
    )


@pytest.mark.parametrize("die", range(1, 7))
def test_he_succeeds_on_five_or_six(die: int) -> None:
    """t33: 1d6, success on 5 or 6; one mission only; on a 1 the sender is named to all."""
    after = shot("commander M-1", die)
    assert after.army("M-1").leaderless == (3 if die >= 5 else 0)
    assert after.specialist("V-S1").status == "spent"
    assert bool(after.events("assassin.exposed")) is (die == 1)
    assert [e.event for e in after.events() if e.event in ("assassin.success", "assassin.failed")] == [
        "assassin.success" if die >= 5 else "assassin.failed"
    ]
    assert {r.audience for r in after.last.rolls if r.key == DIE} == {"V"}
    assert after.unchanged_except("V-S1", *(["M-1"] if die >= 5 else []))


def test_who_learns_of_it() -> None:
    """9: sender: target and die; the victim sees the effect; all see the sender only on a 1."""
    hit = shot("commander M-1", 6)
    assert hit.audience("assassin.success", target="M-1", kind="commander") == {"V"}
    assert hit.audience("victim.struck", target="M-1", kind="commander") == {"M"}
    assert "V" not in str(hit.event("victim.struck").data.values())
    missed = shot("commander M-1", 3)
    assert missed.audience("assassin.failed", target="M-1", die=3) == {"V"}
    assert [e.event for e in missed.events() if e.audience != "V"] == ["storm.none"]
    caught = shot("commander M-1", 1)
    assert caught.event("assassin.exposed", by="V", target="M-1").audience == "all"


def test_the_number_is_data() -> None:
    """Numbers: assassin_hits."""
    assert shot("commander M-1", 4, rules={"assassin_hits": 4}).army("M-1").leaderless == 3


def test_a_diplomat_is_killed() -> None:
    """t33: he may be ordered to kill an enemy specialist."""
    after = shot("diplomat M-1", 5, armies="M-1 0 M5 kind=diplomat")
    assert after.gone("M-1")
    assert after.event("army.lost", army="M-1", why="assassin").audience == "all"
    assert after.unchanged_except("V-S1", "M-1")


def test_a_commander_who_is_an_envoy_dies_himself() -> None:
    """Table 33: shot at as a commander, a diplomat marker dies instead."""
    assert shot("commander M-1", 5, armies="M-1 0 M5 kind=diplomat").gone("M-1")


def test_a_diplomat_that_is_an_army_is_nobody() -> None:
    """Table 33: a hit on nothing."""
    after = shot("diplomat M-1", 5)
    assert after.army("M-1").value == 90
    assert after.audience("assassin.nobody", target="M-1") == {"V"}
    assert after.unchanged_except("V-S1")


@pytest.mark.parametrize(("target", "dies"), [("M-1", "M-S2"), ("M5", "M-S4"), ("M4", "")])
def test_a_sapper_at_the_named_post(target: str, dies: str) -> None:
    """Table 33: the first by code at the named post, with an army or in a place."""
    men = "M-S10 sapper M-1, M-S2 sapper M-1, M-S4 sapper M5, M-S1 sapper M-1 status=dead, M-S3 spy"
    after = shot(f"sapper {target}", 5, specialists=men)
    assert after.unchanged_except("V-S1", *([dies] if dies else []))
    assert after.no_event("assassin.nobody") is bool(dies)


@pytest.mark.parametrize("kind", ["spy", "assassin"])
def test_spies_and_assassins_of_a_faction(kind: str) -> None:
    """Table 33: the first active one of that faction dies."""
    men = f"M-S1 {kind} status=spent, M-S3 {kind}, M-S2 {kind} status=expired, M-S10 {kind}, F-S1 {kind}"
    after = shot(f"{kind} M", 5, specialists=men)
    assert after.specialist("M-S3").status == "dead"
    assert after.audience("victim.struck", kind=kind) == {"M"}
    assert after.unchanged_except("V-S1", "M-S3")


def test_there_may_be_none() -> None:
    """Table 33: assassin.nobody."""
    assert shot("spy M", 6).event("assassin.nobody")


def test_all_shots_are_thrown_before_any_takes_effect() -> None:
    """Table 33: two assassins who aim at each other's faction are both spent, so neither finds the other."""
    after = shot(
        "assassin M",
        6,
        specialists="M-S1 assassin",
        orders="M assassinate M-S1 assassin V",
        dice={"assassin:M-S1:1500:3": 6},
    )
    assert (after.specialist("V-S1").status, after.specialist("M-S1").status) == ("spent", "spent")
    assert len(after.events("assassin.nobody")) == 2


@pytest.mark.parametrize(("order", "dead"), [("V M F P S", "V"), ("M V F P S", "M")])
def test_effects_come_in_the_order_of_movement(order: str, dead: str) -> None:
    """Table 33: in order of move_rank: who comes first names the dead sapper, the other finds nobody."""
    after = shot(
        "sapper F-1",
        6,
        order=order,
        armies="F-1 90 F7",
        specialists="M-S1 assassin, F-S1 sapper F-1",
        orders="M assassinate M-S1 sapper F-1",
        dice={"assassin:M-S1:1500:3": 6},
    )
    assert after.event("assassin.success").audience == dead


def test_the_last_shot_of_one_assassin_stands() -> None:
    """Orders: the shot of one assassin is one thing."""
    after = case(
        "r3.move",
        armies="M-1 90 M5, M-2 40 M5",
        specialists="V-S1 assassin",
        dice={DIE: 6},
        findings="o1 GIG-006",
        orders="V assassinate V-S1 commander M-1\nV assassinate V-S1 commander M-2",
    )
    assert (after.army("M-1").leaderless, after.army("M-2").leaderless) == (0, 3)


@pytest.mark.parametrize(("timing", "node"), [("any", "M5"), ("own_phase", "V8")])
def test_when_he_strikes(timing: str, node: str) -> None:
    """assassin_timing: at the start of the marches, or just before his own side marches."""
    after = shot(
        "diplomat M-1",
        6,
        order="M V F P S",
        armies="M-1 0 M5 kind=diplomat",
        orders="M move M-1 M5 V8",
        rules={"assassin_timing": timing},
    )
    assert after.event("army.lost", army="M-1", why="assassin").data["node"] == node


def test_one_who_dies_before_his_turn_strikes_nobody_and_his_sender_is_told_so() -> None:
    """assassin_timing own_phase: whose assassin is killed by the assassin of a side that marches first is told."""
    after = case(
        "r3.move",
        order="M V F P S",
        armies="M-1 90 M5",
        specialists="V-S1 assassin, M-S1 assassin",
        orders="V assassinate V-S1 commander M-1\nM assassinate M-S1 assassin V",
        dice={"assassin:M-S1:1500:3": 6},
        rules={"assassin_timing": "own_phase"},
    )
    assert after.specialist("V-S1").status == "dead"
    assert after.army("M-1").leaderless == 0
    assert after.audience("assassin.gone", man="V-S1", target="M-1") == {"V"}
