"""What every rulebook promises: declarations, fog, check and resolve, nonsense, robots, the way out and in."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Rule
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import kit, robots
from assistant.turn.phases import Outcome
from tests.warriors.scenario import borderlands, turns

TYPED = ("Orders", "Questions", "Dice", "Battles", "Battle armies", "Battle units")


CASES = Path(__file__).parent / "cases.jsonl"


def opening(**rules: str) -> Campaign:
    """The Borderlands before anybody has written anything, with some rules changed."""
    campaign = borderlands()
    for sheet in TYPED:
        table = campaign.by_sheet(sheet)
        for row in list(table):
            table.remove(row.ident)
    table = campaign.table(Rule)
    typed = {row.key: row.value for row in list(table)} | {
        key: int(value) if value.isdecimal() else value for key, value in rules.items()}
    for row in list(table):
        table.remove(row.ident)
    for key in (number.key for number in WARRIORS.numbers if number.key in typed):
        table.add(Rule(key=key, value=typed[key]))
    return campaign


def after(campaign: Campaign, phases: int) -> Campaign:
    """The campaign after some phases of robots."""
    *_, (_, outcome) = islice(robots.play(WARRIORS, kit.with_robots(campaign), kit.SECRET), phases)
    return outcome.campaign


def test_all_is_declared() -> None:
    """Columns say who may see them, and each example of the orders card can be typed in both languages."""
    kit.check_declarations(WARRIORS, opening())


@pytest.mark.slow
@pytest.mark.parametrize("fog", ["open", pytest.param("near", marks=pytest.mark.slow)])
@pytest.mark.parametrize("allies", ["positions", pytest.param("full", marks=pytest.mark.slow)])
def test_what_a_faction_may_not_see_changes_no_byte(fog: str, allies: str) -> None:
    """With each option of the switches, at the opening and after some turns of robots."""
    start = kit.with_robots(opening(fog=fog, allies_share=allies))
    kit.fog(WARRIORS, after(start, 13), start)


@pytest.mark.slow
@pytest.mark.parametrize(("fog", "allies"), [("open", "positions"), ("near", "full")])
def test_the_demo_keeps_its_secrets(fog: str, allies: str) -> None:
    """At the close of each scripted turn."""
    before = borderlands()
    for key, value in (("fog", fog), ("allies_share", allies)):
        before.table(Rule).add(Rule(key=key, value=value))
    for _, state, _ in turns(before):
        kit.fog(WARRIORS, state, before)
        before = state


def test_check_refuses_what_resolve_refuses() -> None:
    """Of orders that are spoiled at random."""
    assert len(kit.check_equals_resolve(WARRIORS, kit.with_robots(opening()), phases=4)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_check_refuses_what_resolve_refuses_later(seed: int) -> None:
    """For two turns and more."""
    kit.check_equals_resolve(WARRIORS, kit.with_robots(opening()), seed=seed, phases=24)


@pytest.mark.slow
def test_typed_nonsense_is_refused() -> None:
    """In orders and answers."""
    kit.nonsense_is_refused(WARRIORS, opening(), phases=20)


@pytest.mark.slow
def test_export_and_import_change_nothing() -> None:
    """By the real commands, after two turns of robots."""
    kit.round_trip(WARRIORS, after(opening(), 20))


@pytest.mark.slow
def test_cases_go_through_the_commands() -> None:
    """CSVs in, typed dice and answers, CSVs out."""
    kit.cases(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [{}, {"move_method": "B", "zoc": "stop", "fog": "near", "phase0": "off",
                                        "crossing_per": "turn", "rout_result": "until_contact", "max_turns": "12"}])
def test_robots_play_to_the_end(rules: dict[str, str]) -> None:
    """Legal orders, every change told, every event cites its rule; also with other choices of the book."""
    kit.robots_play(WARRIORS, opening(**rules))


def figures(campaign: Campaign) -> Counter[str]:
    """Figures of all Units and wounded, by Force."""
    count: Counter[str] = Counter()
    units = {unit.unit: unit for unit in campaign.by_sheet("Units")}
    for unit in units.values():
        count[unit.army] += unit.figures
    for row in campaign.by_sheet("Wounded"):
        count[units[row.unit].army] += row.count
    return count


GONE = {"crossing_losses": "dead", "deserted": "count", "mercenaries_left": "count"}
CAME = ("raised", "refilled", "levies", "mercenaries")
WHOLE = ("force_lost", "collapsed", "force_destroyed", "no_retreat", "will_failed", "hero_leaves", "mercenaries_left",
         "nothing_left")


def unaccounted(before: Campaign, outcome: Outcome) -> list[str]:
    """Forces of which figures came or went without a word."""
    was, now, told = figures(before), figures(outcome.campaign), Counter[str]()
    whole = False
    for event in outcome.events:
        army = str(event.data.get("army", ""))
        told[army] -= int(event.data.get(GONE.get(event.event, ""), 0))
        if event.event == "losses":
            told[army] -= int(event.data["dead"]) + int(event.data["deserted"])
        told[army] += int(event.data.get("figures", 0)) if event.event in CAME else 0
        told[army] -= event.event == "fever"
        told[army] += event.event == "hero"
        whole = whole or event.event in WHOLE
    return [] if whole else [army for army in {*was, *now} if now[army] - was[army] != told[army]]


@pytest.mark.slow
def test_ten_campaigns_of_robots_lose_no_figure() -> None:
    """Every figure is in one Unit, among the wounded, or told as lost; and each campaign comes to its end."""
    ends = Counter[str]()
    for seed in range(10):
        last, before = None, None
        start = kit.with_robots(opening(max_turns="14"))
        for before, outcome in robots.play(WARRIORS, start, bytes([seed] * 32)):
            assert unaccounted(before, outcome) == [], (seed, outcome.turn, outcome.phase)
            last = outcome
        assert last is not None
        assert last.campaign.desk.phase == "over", seed
        ends[str([e.data["how"] for e in last.events if e.event == "campaign_ends"])] += 1
    assert sum(ends.values()) == 10


@pytest.mark.parametrize(("week", "code"), [(4, []), (5, ["WAR-403"])])
def test_what_is_said_of_the_muster_to_come_counts_the_points_of_its_week(week: int, code: list[str]) -> None:
    """An empty store pays in the turn in which the month begins, and in no other; that is told before the week moves
    on.
    """
    campaign = opening()
    campaign.desk.turn = "4"
    next(iter(campaign.by_sheet("Desk"))).week = week
    campaign.by_sheet("Nodes")["F07"].store = 0
    orders = campaign.table(Order)
    orders.add(orders.record.from_values({"order": "x", "turn": "4", "phase": "turn", "faction": "men", "seq": 1,
                                          "verb": "found", "place": "F07", "vc": 1, "name": "Levy"}))
    assert [finding.code for finding in WARRIORS.foresee_orders(campaign)] == code
