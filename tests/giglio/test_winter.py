"""Chapter 4: winter quarters, table 36, the turn of the year (rulebook: 4 Winter)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.wording import Wording
from tests.giglio.cases import After, case, giglio, quiet_winter

MAP: dict[str, Any] = {
    "bare": True,
    "factions": "F",
    "nodes": "F0 site=city walls=intact, F1, F3 site=city, F8 site=fortress, F10 site=fortress walls=damaged",
}


def winter(event: int, **given: Any) -> After:
    """Florence throws 6, then `event`."""
    dice = {"event:F:1500": 6, "eventtable:F:1500": event, **given.pop("dice", {})}
    return case("winter", **{**MAP, "dice": dice, **given})


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5])
def test_below_six_nothing_happens(die: int) -> None:
    """4: each player throws 1d6, only a 6 opens the table."""
    after = case("winter", **MAP, dice={"event:F:1500": die})
    assert after.event("winter.quiet", faction="F", die=die).audience == "all"
    assert after.faction("F").pending_event == 0
    assert set(after.throws) == {"event:F:1500"}
    assert {r.audience for r in after.last.rolls} == {"public"}


@pytest.mark.parametrize("event", [2, 3, 4, 5])
def test_events_without_a_place(event: int) -> None:
    """t36: famine, poor and good harvest, indulgence: the effect comes next spring."""
    after = winter(event)
    assert (after.faction("F").pending_event, after.faction("F").pending_node) == (event, "")
    assert after.event("winter.event", faction="F", event_no=event).audience == "all"
    assert after.chest("F") == 0
    assert after.unchanged_except("F")


@pytest.mark.parametrize(("lot", "node"), [(1, "F0"), (2, "F3")])
def test_an_epidemic_falls_upon_a_city_drawn_by_lot(lot: int, node: str) -> None:
    """t36 row 1: one of the faction's cities, drawn in natural order."""
    after = winter(1, dice={"lot2=lot:F:1500": lot}, armies="F-1 90 F0")
    assert (after.faction("F").pending_event, after.faction("F").pending_node) == (1, node)
    assert after.army("F-1").value == 90


@pytest.mark.parametrize(("lot", "node"), [(1, "F0"), (2, "F8")])
def test_a_disaster_falls_upon_a_fortified_place_drawn_by_lot(lot: int, node: str) -> None:
    """t36 row 6: one of the nodes with intact walls; the walls fall in spring."""
    after = winter(6, dice={"lot2=lot:F:1500": lot})
    assert (after.faction("F").pending_event, after.faction("F").pending_node) == (6, node)
    assert after.node(node).walls == "intact"


@pytest.mark.parametrize("event", [1, 6])
def test_with_one_place_no_lot_is_thrown(event: int) -> None:
    """Table 36: N = 1 no die."""
    after = winter(event, nodes="F0 site=city walls=intact, F1")
    assert after.faction("F").pending_node == "F0"
    assert after.all_dice_given


@pytest.mark.parametrize("event", [1, 6])
def test_with_no_place_there_is_no_event(event: int) -> None:
    """Table 36: N = 0 no event."""
    after = winter(event, nodes="F1")
    assert (after.faction("F").pending_event, after.faction("F").pending_node) == (0, "")


def test_last_years_event_is_over() -> None:
    """2a Income: winter replaces pending_event."""
    after = case("winter", **{**MAP, "factions": "F pending_event=6 pending_node=F8"}, dice={"event:F:1500": 1})
    assert (after.faction("F").pending_event, after.faction("F").pending_node) == (0, "")


@pytest.mark.parametrize(("second", "happens"), [(6, True), (5, False)])
def test_the_english_text_may_ask_for_a_second_six(second: int, happens: bool) -> None:
    """event_trigger two: event2 must be 6 as well."""
    dice = {"event:F:1500": 6, "event2:F:1500": second} | ({"eventtable:F:1500": 5} if happens else {})
    after = case("winter", **MAP, dice=dice, rules={"event_trigger": "two"})
    assert after.faction("F").pending_event == (5 if happens else 0)


def test_the_city_may_be_drawn_in_summer() -> None:
    """epidemic_draw summer: in winter no lot is thrown for an epidemic; for a disaster it is."""
    after = winter(1, rules={"epidemic_draw": "summer"})
    assert (after.faction("F").pending_event, after.faction("F").pending_node) == (1, "")
    assert after.all_dice_given
    assert winter(6, rules={"epidemic_draw": "summer"}, dice={"lot2=lot:F:1500": 2}).faction("F").pending_node == "F8"


def test_every_player_and_robot_throws_in_turn() -> None:
    """Table 36: each faction in natural order, robots too, the neutral one not."""
    after = case(
        "winter",
        bare=True,
        factions="V, F role=robot, N role=neutral",
        nodes="V1, F1, N1",
        dice={"event:V:1500": 2, "event:F:1500": 2},
    )
    assert [e.data["faction"] for e in after.events("winter.quiet")] == ["F", "V"]
    assert after.all_dice_given


def test_hirelings_leave_and_armies_stay() -> None:
    """4 Winter: specialists expire, diplomats leave, armies stay where they are, shut in or face to face."""
    after = case(
        "winter",
        dice=quiet_winter(),
        nodes="V8 walls=intact",
        armies="V-1 50 V8 posture=shut_in, M-1 90 V8, M-2 0 V9 kind=diplomat, F-1 30 F7 leaderless=10, M-3 40 F7",
        specialists="V-S1 sapper V-1, V-S2 spy, V-S3 assassin status=spent, M-S1 sapper M-1 status=dead",
    )
    assert [after.specialist(s).status for s in ("V-S1", "V-S2", "V-S3", "M-S1")] == [
        "expired",
        "expired",
        "spent",
        "dead",
    ]
    assert after.gone("M-2")
    assert after.event("marker.withdrawn", army="M-2").audience == "all"
    assert after.audience("specialist.expired", code="V-S2") == {"V"}
    assert after.army("V-1").posture == "shut_in"
    assert after.army("F-1").leaderless == 0
    assert after.unchanged_except("V-S1", "V-S2", "M-2", "F-1")


def test_fleets_and_what_they_carry_winter_where_they_are() -> None:
    """4 Winter: armies stay where they are, aboard too."""
    after = case(
        "winter",
        dice=quiet_winter(),
        nodes="Z7 site=sea",
        roads="Z7 V0 lane",
        fleets="V-F1 V0 cargo=V-1",
        armies="V-1 50 V0 posture=aboard fleet=V-F1",
    )
    assert after.unchanged_except()


@pytest.mark.parametrize(("year", "turn", "phase"), [(1500, "1501", "income"), (1503, "1504", "income")])
def test_the_year_turns(year: int, turn: str, phase: str) -> None:
    """2: one year is one turn; after winter comes the next spring."""
    after = case("winter", year=year, dice=quiet_winter(year=year))
    assert (after.clock.turn, after.next) == (turn, phase)


def test_after_five_years_the_objectives_are_verified() -> None:
    """2: final comes after the winter of the year start_year + campaign_years - 1."""
    assert case("winter", year=1504, dice=quiet_winter(year=1504)).next == "final"
    short = case("winter", year=1500, rules={"campaign_years": 1}, dice=quiet_winter())
    assert short.next == "final"
    late = case("winter", year=1504, start=1501, dice=quiet_winter(year=1504))
    assert late.next == "income"


def test_the_year_is_a_list_that_can_be_printed() -> None:
    """2: income, budget, open, ten rounds of four phases, winter."""
    from tests.giglio.cases import build, giglio

    steps = [f"r{n}.{p}" for n in range(1, 11) for p in ("move", "contact", "battle", "siege")]
    ids = [p for p in giglio().phase_ids(build()) if p != "final"]
    assert ids == ["income", "budget", "open", *steps, "winter"]
    assert giglio().phase("r1.move").name("en").startswith("April I")
    assert giglio().phase("r10.siege").name("it").startswith("ottobre II")


def test_an_empty_year_passes_without_a_question() -> None:
    """2: a phase with nothing to do resolves at once."""
    rounds = " ".join(f"r{n}" for n in range(1, 11))
    after = case(
        f"income budget open {rounds} winter",
        bare=True,
        factions="V, M",
        nodes="V0 site=city, M0 site=city",
        dice={"event:V:1500": 1, "event:M:1500": 1, "order:V:1500": 2, "order:M:1500": 1},
    )
    assert (after.clock.turn, after.next) == ("1501", "income")
    assert after.unchanged_except("V", "M")


@pytest.mark.parametrize(("treaty", "foes"), [("", ["V"]), ("M V 1505 passage=yes", [])])
def test_who_took_a_place_is_an_enemy_until_the_spring_is_over(treaty: str, foes: list[str]) -> None:
    """Where the enemy is: winter begins another year, and ends no war; a treaty with passage does."""
    after = case("r10.siege winter", armies="M-1 1 V8", dice=quiet_winter(), alliances=treaty, defaults=True)
    assert after.next == "income"
    assert after.node("V8").owner == ("V" if treaty else "M")
    view = giglio().view(after.campaign, "M")
    if treaty:
        view.table(Event).add(Event(no=900, turn="1500", phase="r4.siege", audience="all", event="place.taken",
                                    data={"node": "V9", "by": "M", "frm": "V", "how": "walked in"}))
    assert giglio().foes(view, "M") == foes
    view.desk.phase = "r1.move"
    assert giglio().foes(view, "M") == []


@pytest.mark.parametrize(("event", "told"), [
    (1, "Scoppia un'epidemia a F0, in mano a F: colpisce chi vi si trova quando si apre l'estate."),
    (2, "Carestia nelle città di F: alla prossima riscossione rendono meno."),
    (6, "Terremoto o alluvione a F0, in mano a F: le mura cadono alla prossima riscossione.")])
def test_what_winter_brings_says_when_it_acts(event: int, told: str) -> None:
    """t36: the effect is in the sentence, for the event of it comes a phase later."""
    after = winter(event, nodes="F0 site=city walls=intact, F1")
    assert Wording(giglio(), "it").event(after.event("winter.event", faction="F")) == told
