"""Orders of all sorts, sound and unsound, thrown together: no round may break, whatever the clubs write."""

from __future__ import annotations

import random
import re

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Question
from assistant.rulesets.giglio import records as g
from assistant.testing.robots import finish_phase
from assistant.turn.phases import Outcome
from tests.giglio.cases import SEA_NODES, SEA_ROADS, SECRET, build, giglio, played
from tests.sweeps import fast_among

FACTIONS = "VMFPST"
LAND = ["V0", "V8", "V9", "V11", "M4", "M5", "F0", "F7", "F8", "P8", "P9", "S11", "S12", "S4", "S5", "T2"]
PLAY = "income budget open r1 r2 r3 winter"
WILD = (
    "fortify",
    "repair",
    "garrison",
    "transfer",
    "split",
    "attach",
    "pay",
    "dissolve",
    "lift",
    "come_out",
    "recruit",
    "enlist",
    "fleet",
    "loan",
    "bid",
    "objective",
    "nonsense",
)


def opening(chance: random.Random) -> Campaign:
    """Map A with sea, random walls, armies, fleets, specialists, treaties and a few switches."""
    walls = [
        f"{n} walls={chance.choice(['none', 'intact', 'damaged'])} owner={chance.choice(FACTIONS + 'N')} "
        f"garrison={chance.choice(['no', 'yes'])}"
        for n in chance.sample(LAND, 6)
    ]
    armies = [
        f"{f}-{n} {chance.choice([5, 11, 40, 90, 150])} {chance.choice(LAND)} "
        f"trail={'+'.join(chance.sample(LAND, chance.randint(0, 2)))}"
        if chance.random() < 0.85
        else f"{f}-{n} 0 {chance.choice(LAND)} kind=diplomat"
        for f in FACTIONS
        for n in (1, 2, 3)
        if chance.random() < 0.75
    ]
    fleets = [f"{f}-F{n} {chance.choice(['Z5', 'Z6', 'Z7', 'V0', 'T2', 'S4'])}" for f in "VTS" for n in (1, 2)]
    men = [f"{f}-S{n} {kind} {f}-1" for f in FACTIONS for n, kind in enumerate(("sapper", "spy", "assassin"), 1)]
    rules = {
        s.key: chance.choice(s.options)
        for s in giglio().numbers
        if getattr(s, "options", ())
        and s.key not in ("edition", "opening_treasury", "ally_forbidden")
        and chance.random() < 0.15
    }
    return build(
        PLAY,
        factions=", ".join(f"{f} {chance.choice([0, 100, 300])} fleet_cap=2" for f in FACTIONS),
        nodes=f"{SEA_NODES}, {', '.join(walls)}",
        roads=f"{SEA_ROADS}, Z6 S5 coast, Z7 V9 coast",
        armies=", ".join(armies),
        fleets=", ".join(fleets),
        specialists=", ".join(men),
        rules=rules,
        alliances="M V 1502 passage=yes, F S 1500, P T 1501 passage=yes",
    )


def an_order(chance: random.Random, campaign: Campaign, faction: str) -> dict[str, str]:
    """One order: most of them could be meant, some could not."""
    near: dict[str, list[tuple[str, str]]] = {}
    for road in campaign.by_sheet("Roads"):
        near.setdefault(road.a, []).append((road.b, road.kind))
        near.setdefault(road.b, []).append((road.a, road.kind))
    armies = [a for a in campaign.by_sheet("Armies") if a.faction == faction]
    fleets = [f for f in campaign.by_sheet("Fleets") if f.faction == faction]
    what = chance.random()
    if what < 0.15 and fleets:
        ship = chance.choice(fleets)
        there = chance.choice(near[ship.node])[0]
        if ship.cargo:
            return {"verb": "land", "unit": ship.cargo, "target": there}
        return {"verb": "sail", "unit": ship.fleet, "path": f"{ship.node} {there}"}
    if what < 0.3 and armies and fleets:
        return {"verb": "embark", "unit": chance.choice(armies).army, "target": chance.choice(fleets).fleet}
    if what < 0.75 and armies:
        army = chance.choice(armies)
        if chance.random() < 0.3:
            return {"verb": chance.choice(["siege", "garrison", "stay"]), "unit": army.army, "target": army.node}
        steps = [army.node, chance.choice(near.get(army.node, [(army.node, "")]))[0]]
        return {
            "verb": "move",
            "unit": army.army,
            "path": " ".join(steps),
            "amount": chance.choice(["", "", "15", "x"]),
        }
    if what < 0.85:
        foe = chance.choice([a.army for a in campaign.by_sheet("Armies")])
        return {
            "verb": "assassinate",
            "unit": f"{faction}-S3",
            "target": foe,
            "option": chance.choice(["commander", "diplomat", "sapper"]),
        }
    return {
        "verb": chance.choice(WILD),
        "unit": f"{faction}-{chance.randint(1, 4)}",
        "target": chance.choice(LAND),
        "amount": chance.choice(["", "10", "-3", "60"]),
        "partner": chance.choice(FACTIONS),
        "option": chance.choice(["spy", "keep", "sapper", ""]),
    }


def finish(campaign: Campaign, chance: random.Random) -> Outcome:
    """The phase to its end: choices at random, everything else by default, battles by the umpire's dice."""
    return finish_phase(giglio(), campaign, SECRET, lambda waiting: {
        question.question: _answer(question, chance) for question in waiting.questions})


def _answer(question: Question, chance: random.Random) -> str:
    options = [w for w in re.split(r",\s*", question.options) if w]
    if question.kind in ("choice", "retreat_to", "hand"):
        return chance.choice(options)
    return question.default or "auto"


@pytest.mark.parametrize("seed", fast_among(range(12), 0, 3, 6, 9))
def test_no_set_of_orders_breaks_a_year(seed: int) -> None:
    """Orders: unsound rows are refused, the rest is played; the records stay sound and Check orders was right."""
    chance = random.Random(seed)
    campaign = opening(chance)
    for phase in played(PLAY):
        word = phase.removesuffix(".move")
        if word == "budget" or word != phase:
            for n in range(20):
                faction = chance.choice(FACTIONS)
                fields = {"order": f"{word}.{n}", "turn": "1500", "phase": word, "faction": faction, "seq": str(n)}
                campaign.by_sheet("Orders").add(g.Order.from_values(fields | an_order(chance, campaign, faction)))
        checked = {(f.where.row, f.code) for f in giglio().check_orders(campaign)}
        outcome = finish(campaign, chance)
        said = {(f.where.row, f.code) for f in outcome.findings if f.where.table in ("Orders", "Fleets")}
        assert checked <= said, phase
        assert {code for _, code in said - checked} <= {"GIG-041"}, phase
        campaign = outcome.campaign
        assert giglio().check_data(campaign) == [], phase
        assert all(o.status for o in campaign.by_sheet("Orders") if o.phase == word), phase
