"""Ten whole campaigns of robots, with what must hold after every phase."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign, Change, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.records import Question
from assistant.desk.play_phase import ResolveOptions, decide_phase
from assistant.environment import shipped_folder
from assistant.rulesets.giglio import records as g
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing import cases, robots
from assistant.turn.phases import Outcome
from tests.giglio.cases import build

STATE = ("desk", "factions", "nodes", "roads", "armies", "fleets", "bans", "rules", "table34")


def opening(tmp_path: Path) -> Campaign:
    """Italy 1500 with ten robots and nobody's orders."""
    for name in STATE:
        source = shipped_folder("workbook_templates") / "giglio" / "italy-1500" / f"{name}.csv"
        (tmp_path / f"{name}.csv").write_bytes(source.read_bytes())
    campaign = cases.opening(GIGLIO, tmp_path)
    for faction in campaign.table(g.Faction):
        if faction.role == "player":
            faction.role = "robot"
    return campaign


play = partial(robots.play, GIGLIO)


def army_values(campaign: Campaign) -> dict[str, int]:
    """Ducats by marker."""
    return {a.army: a.value for a in campaign.table(g.Army)}


def as_told(before: Campaign, outcome: Outcome) -> dict[str, int]:
    """What every marker must be worth if the events are all that happened."""
    worth = army_values(before)
    for event in outcome.events:
        data = event.data
        if event.event == "army.recruited":
            worth[data["army"]] = worth.get(data["army"], 0) + data["amount"]
        elif event.event == "army.reorganised":
            worth[data["from"]] -= data["amount"]
            worth[data["to"]] = worth.get(data["to"], 0) + data["amount"]
        elif event.event in ("army.reduced", "siege.wear", "epidemic.loss"):
            worth[data["army"]] -= data["lost"]
        elif event.event == "garrison.placed":
            for touched in event.touched.split():
                if touched.startswith("Armies/"):
                    worth[touched.removeprefix("Armies/")] -= 10
        elif event.event in ("army.lost", "marker.withdrawn"):
            worth.pop(data["army"])
    return {army: value for army, value in worth.items() if value > 0}


def aside(change: Change) -> bool:
    """That an army stays needs no event, nor that a spring was its first."""
    return isinstance(change, FieldSet) and (change.field == "first_spring" or change.sheet == g.Contact.sheet)


def check_traced(before: Campaign, outcome: Outcome) -> None:
    """Every change of state is touched by an event of its step; every event cites a rule."""
    assert robots.untraced_changes(before, outcome, aside) == [], outcome.phase
    assert all(event.rule for event in outcome.events)


def check_sound(outcome: Outcome) -> None:
    """Nobody in two places, nobody afloat without a ship, no debts, at most three armies, dice legal."""
    after = outcome.campaign
    assert GIGLIO.check_data(after) == []
    nodes = after.table(g.Node)
    for army in after.table(g.Army):
        assert army.node in nodes
    for siege in after.table(g.Siege):
        assert nodes[siege.node].owner != siege.besieger
    for roll in outcome.rolls:
        count, sides = map(int, roll.dice.split("d"))
        assert len(roll.faces) == count
        assert all(1 <= face <= sides for face in roll.faces)


def check_money(before: Campaign, outcome: Outcome) -> None:
    """Each chest is what it was plus its new accounts."""
    rows = [c.row for c in changes(before, outcome.campaign) if isinstance(c, RowAdded) and c.sheet == "Accounts"]
    for faction in before.table(g.Faction):
        moved = sum(r.amount for r in rows if isinstance(r, g.Account) and r.faction == faction.faction)
        assert outcome.campaign.table(g.Faction)[faction.faction].treasury == faction.treasury + moved


def spring(edition: str, **tables: Any) -> list[tuple[Any, ...]]:
    """What the robot F orders in spring, its objective chosen."""
    campaign = build("budget", edition=edition, year=1501, **tables)
    orders = GIGLIO.robot_orders(GIGLIO.view(campaign, "F"), "F")
    return [(o.verb, o.target, o.amount, o.unit) for o in orders if isinstance(o, g.Order)]


@pytest.mark.parametrize(("edition", "men"), [("IT_amended", []), ("EN_amended", [("recruit", "F0", 50, "new")])])
def test_a_robot_spends_what_works_and_garrisons_leave(edition: str, men: list[tuple[Any, ...]]) -> None:
    """Section 11: half of what remains; where the Amendments make works and garrisons free all of it remains."""
    works = [("repair", "F0", "", ""), ("garrison", "F7", "", ""), ("garrison", "F8", "", "")]
    assert spring(edition, factions="F 100 capital=F0", nodes="F0 walls=damaged", armies="V-1 100 V8") == works + men


@pytest.mark.parametrize(("armies", "city", "unit"), [
    ("F-1 50 F7, F-2 50 F10", "F0", "new"),
    ("F-1 50 F7, F-2 50 F10, F-3 50 F0", "F0", "F-3"),
    ("F-1 50 F7, F-2 50 F10, F-3 50 F9", "F10", "F-2"),
])
def test_where_a_robot_recruits(armies: str, city: str, unit: str) -> None:
    """Section 11: into the army at the capital, or a new one, else the first army standing at an own city."""
    nodes = "F9 site=city garrison=yes, F10 site=city garrison=yes"
    assert spring("IT_amended", factions="F 79 capital=F0", nodes=nodes, armies=armies) == [
        ("recruit", city, 30, unit)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_campaign_of_robots_runs_to_its_end(seed: int, tmp_path: Path) -> None:
    """Five years of ten robots end with a verification; money, armies and reasons add up at every phase."""
    years, moved, outcome = set(), 0, None
    for before, outcome in play(opening(tmp_path), seed.to_bytes(32, "big")):
        refused = [f for f in outcome.findings if f.stops]
        assert refused == [], f"a robot's order was refused: {refused}"
        check_traced(before, outcome)
        check_money(before, outcome)
        check_sound(outcome)
        alive = {army: value for army, value in army_values(outcome.campaign).items() if value > 0}
        assert alive == as_told(before, outcome), outcome.phase
        assert not any(isinstance(c, RowRemoved) and c.sheet in ("Nodes", "Factions", "Orders", "Events")
                       for c in changes(before, outcome.campaign))
        years.add(outcome.turn)
        moved += sum(1 for e in outcome.events if e.event == "army.moved")
    assert outcome is not None
    assert outcome.campaign.desk.phase == "over"
    assert len(years) == 6
    assert moved > 50
    assert [e.event for e in outcome.events] == ["campaign.end"]


@pytest.mark.parametrize("role", ["robot", "player"])
def test_a_robot_promises_its_chest_once(role: str) -> None:
    """3d Sieges, 11: bribes of 75, 75 and 50 are more than the 155 of the chest; the third siege gets none."""
    before = build("r3.siege", factions=f"S 155 role={role}", sieges="F7 S 0, V8 S 0, V9 S 1",
                   nodes="F7 walls=intact, V8 walls=intact, V9 walls=intact",
                   armies="S-1 90 F7, S-2 90 V8, S-3 90 V9")
    decision = decide_phase(GIGLIO, before, bytes(32), ResolveOptions(robots=frozenset({"S"})))
    assert decision.outcome.findings == []
    assert decision.outcome.done
    asked = decision.outcome.campaign.table(Question)
    assert {q.about: q.answer for q in asked} == {"F7": "75", "V8": "75", "V9": "0"}
    assert decision.outcome.campaign.table(g.Faction)["S"].treasury == 5
