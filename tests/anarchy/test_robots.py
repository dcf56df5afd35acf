"""Whole campaigns of robots, with what must hold after every phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign, Change, FieldSet, RowAdded, RowRemoved, changes
from assistant.testing import cases, robots
from assistant.turn.phases import Outcome
from tests.anarchy.cases import CHECKED, RANKS, anarchy
from tests.anarchy.scenario import PLACE

SCRIPT = {"orders", "answers", "dice", "battle_results", "losses", "expected"}
SEEDS = range(6)
HALF = 2  # half-pounds to the pound


def opening(place: Path, **rules: str) -> Campaign:
    """Wallingford 1139 with two robots and nobody's orders."""
    for source in sorted(PLACE.glob("*.csv")):
        if source.stem not in SCRIPT:
            (place / source.name).write_bytes(source.read_bytes())
    campaign = cases.opening(anarchy(), place)
    for side in ("royal", "angevin"):
        campaign.by_sheet("Factions")[side].role = "robot"
    table = campaign.by_sheet("Rules")
    for key, value in rules.items():
        row = table.get(key) or table.add(table.record(key=key))
        row.value = value
    return campaign


def play(campaign: Campaign, secret: bytes) -> Iterator[tuple[Campaign, Outcome]]:
    """Phase after phase to the end: the campaign before, and what came of it."""
    return robots.play(anarchy(), campaign, secret)


# --- what must hold ---------------------------------------------------------------------------------------
def men(campaign: Campaign) -> int:
    """All men: groups, garrisons, prisoners on their way."""
    found = sum(int(getattr(a, r)) for a in campaign.by_sheet("Armies") for r in RANKS.values())
    found += sum(int(getattr(p, f"g_{r}")) for p in campaign.by_sheet("Places") for r in RANKS.values())
    return found + sum(int(getattr(p, r)) for p in campaign.by_sheet("Prisoners") if p.state in ("waiting", "escorted")
                       for r in RANKS.values())


def purse(campaign: Campaign) -> int:
    """All money, in half-pounds."""
    return sum(int(a.money) for a in campaign.by_sheet("Armies"))


def food(campaign: Campaign) -> int:
    """All points in places, on carts and with groups."""
    return (sum(int(p.resources) for p in campaign.by_sheet("Places"))
            + sum(int(c.cargo) for c in campaign.by_sheet("Convoys"))
            + sum(int(a.provisions) for a in campaign.by_sheet("Armies")))


def check_orders(outcome: Outcome) -> None:
    """Orders passed the check before the phase: what is refused then came of the march, and was told as not done."""
    undone = {str(e.data["order"]) for e in outcome.events if e.event == "act_not_done"}
    refused = [f for f in outcome.findings if f.stops and f.where.row not in undone]
    assert refused == [], f"a robot's order was refused: {refused}"


def check_traced(before: Campaign, outcome: Outcome) -> None:
    """Every change of state is touched by an event of the phase; every event cites a rule."""
    assert robots.untraced_changes(before, outcome, unwatched) == [], (outcome.turn, outcome.phase)
    assert not any(isinstance(change, RowRemoved) for change in changes(before, outcome.campaign)
                   if change.sheet not in robots.BOOKKEEPING)
    assert all(event.rule for event in outcome.events)


def unwatched(change: Change) -> bool:
    """Whether it is a column that goes along with others."""
    return isinstance(change, FieldSet) and (
        change.sheet == "Desk" or change.field not in CHECKED.get(change.sheet, (change.field,)))


def check_conserved(before: Campaign, outcome: Outcome) -> None:
    """Men, money and food come only from where the book has them come from."""
    after, told = outcome.campaign, Counter(e.event for e in outcome.events)
    grown = men(after) - men(before)
    if outcome.phase in ("provisions", "reorganise", "convoys"):
        assert grown <= 0, (outcome.turn, outcome.phase, grown)
    if outcome.phase == "ransoms":
        assert grown <= 2 * told["ransomed"]
    looted = sum(f.looted for f in after.by_sheet("Factions")) - sum(f.looted for f in before.by_sheet("Factions"))
    looted += sum(int(e.data["n"]) for e in outcome.events if e.event == "prize" and e.data["choice"] == "loot")
    assert purse(after) - purse(before) <= HALF * looted, (outcome.turn, outcome.phase)
    if outcome.phase != "opening":
        assert food(after) <= food(before), (outcome.turn, outcome.phase)
    if outcome.phase == "convoys":
        assert food(after) == food(before)
    if outcome.phase in ("provisions", "convoys"):
        assert purse(after) == purse(before)


def check_groups(after: Campaign, phase: str) -> None:
    """Groups: three heads or a lone noble; nobody left behind in one that is gone; followers with their leader."""
    armies, nobles = after.by_sheet("Armies"), list(after.by_sheet("Nobles"))
    hurt = Counter((w.army, w.rank) for w in after.by_sheet("Wounded")
                   if w.army and w.rank and w.state in ("hurt", "in_care"))
    for a in armies:
        count, led = sum(getattr(a, r) for r in RANKS.values()), [n for n in nobles if n.army == a.army]
        assert a.money >= 0
        assert a.provisions >= 0
        if a.state not in ("active", "awaited"):
            assert (count, a.money, led) == (0, 0, []), a
            continue
        if phase in ("reorganise", "movement", "close") and a.kind == "norman":
            assert count + len(led) >= 3 or (count == 0 and led), a
        assert a.node in after.by_sheet("Nodes"), a
        for rank in RANKS.values():
            assert hurt[a.army, rank] <= getattr(a, rank), a
        if a.employer:
            leader = armies[a.employer]
            assert (leader.state, leader.node, leader.faction) == ("active", a.node, a.faction), a
            assert not leader.employer, a
        if a.commander:
            assert a.commander in {n.noble for n in led}, a
        if a.inside:
            castle = after.by_sheet("Places")[a.inside]
            assert (castle.node, castle.holder) == (a.node, a.faction), a
        if a.besieging:
            castle = after.by_sheet("Places")[a.besieging]
            assert castle.node == a.node, a
            assert castle.holder != a.faction, a


def check_nobles(after: Campaign) -> None:
    """Nobody in two places; captives have a captor; prestige is kept."""
    least = int(str(anarchy().rules(after).prestige_clamp).split("-", maxsplit=1)[0])
    for n in after.by_sheet("Nobles"):
        assert least <= n.prestige <= 10, n
        if n.state == "prisoner":
            assert n.captor, n
            assert not n.army, n
        elif n.state == "dead":
            assert not n.army, n
        else:
            assert not n.captor, n
            assert not (n.army and n.place and not _cared(after, n)), n
            if n.army:
                assert after.by_sheet("Armies")[n.army].faction == n.faction, n


def _cared(after: Campaign, noble: object) -> bool:
    """Whether a hurt noble lies in care at a place of his group's hex."""
    return any(w.noble == getattr(noble, "noble", "") and w.state == "in_care" for w in after.by_sheet("Wounded"))


def check_places(after: Campaign, phase: str) -> None:
    """Points from 0 to 10; garrisons in castles only; sieges with besiegers, after the close."""
    for p in after.by_sheet("Places"):
        assert 0 <= p.resources <= 10, p
        if not p.castle:
            assert sum(getattr(p, f"g_{r}") for r in RANKS.values()) == 0, p
    for c in after.by_sheet("Convoys"):
        assert 0 <= c.cargo <= max(c.animals, 0), c
        if c.escort and c.state == "active":
            assert after.by_sheet("Armies")[c.escort].node == c.node, c
    for p in after.by_sheet("Prisoners"):
        if p.state == "escorted":
            assert after.by_sheet("Armies")[p.escort].node == p.node, p
    if phase == "close":
        for s in after.by_sheet("Sieges"):
            if s.state == "on":
                assert any(a.besieging == s.place and a.state == "active" for a in after.by_sheet("Armies")), s


def check_sound(outcome: Outcome) -> None:
    """The data are such that the next phase may start; dice are legal."""
    after = outcome.campaign
    assert [f for f in anarchy().check_data(after) if f.stops] == []
    check_groups(after, outcome.phase)
    check_nobles(after)
    check_places(after, outcome.phase)
    for roll in outcome.rolls:
        count, sides = map(int, roll.dice.split("d"))
        assert len(roll.faces) == count
        assert all(1 <= face <= sides for face in roll.faces)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_campaign_of_robots_runs_to_its_end(seed: int, tmp_path: Path) -> None:
    """Fourteen days of two robots end with scores; men, money, food and reasons add up at every phase. Four campaigns
    more ask the same with other switches, below.
    """
    days, told, outcome = set(), Counter[str](), None
    for before, outcome in play(opening(tmp_path), seed.to_bytes(32, "big")):
        check_orders(outcome)
        check_traced(before, outcome)
        check_conserved(before, outcome)
        check_sound(outcome)
        assert not any(isinstance(c, RowAdded) and c.sheet in ("Nodes", "Roads", "Places", "Factions", "Objectives")
                       for c in changes(before, outcome.campaign))
        days.add(outcome.turn)
        told.update(e.event for e in outcome.events)
    assert outcome is not None
    assert anarchy().is_over(outcome.campaign)
    assert len(days) > 5
    assert told["moved"] > 50
    assert told["supplied"] > 10


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "rules"), [
    (100, {"loyalty_effect": "lasting", "neutral_meets": "nothing", "stacking": "end_turn"}),
    (101, {"loyalty_test_mode": "die", "refusal_extra": "yes", "season": "winter", "merc_count": "separate"}),
    (102, {"move_unit": "hexes", "loot_share_to": "all", "village_access": "above4", "noble_alone": "leaves"}),
    (103, {"loyalty_effect": "encounter", "season": "summer", "wounded_march": "free", "siege_supply": "both",
           "garrison_refill": "warn", "siege_min": "equal", "prestige_clamp": "1-10"}),
])
def test_house_rules_are_played_to_the_end(seed: int, rules: dict[str, str], tmp_path: Path) -> None:
    """Other options of the switches: the same things hold."""
    outcome = None
    for before, outcome in play(opening(tmp_path, **rules), seed.to_bytes(32, "big")):
        check_orders(outcome)
        check_traced(before, outcome)
        check_conserved(before, outcome)
        check_sound(outcome)
    assert outcome is not None
    assert anarchy().is_over(outcome.campaign)
