"""Orders of all sorts, sound and unsound, thrown together: no day may break, whatever the clubs write."""

from __future__ import annotations

import random
import re

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Question
from assistant.testing.robots import finish_phase
from assistant.turn.numbers import Switch
from assistant.turn.phases import Outcome
from tests.anarchy.cases import PHASES, SECRET, anarchy, build
from tests.anarchy.test_robots import check_conserved, check_sound, check_traced

HEXES = [f"{column:02}{row:02}" for column in range(5, 10) for row in range(5, 10)]
KINDS = ("village", "village", "town", "priory", "abbey", "castle_stone", "castle_motte", "castle_tower",
         "counter_castle")
TERRAINS = ("open", "open", "forest", "hill", "river", "marsh", "forest+river")
VERBS = ("SUPPLY", "POSTURE", "COLLECT", "SPLIT", "TRANSFER", "MERGE", "GARRISON", "ATTACH", "DETACH", "PAY", "ESCORT",
         "RANSOM", "CONVOY", "LOAD", "UNLOAD", "MOVE", "MOVE", "MOVE", "MOVE", "HOLD", "MERCS", "RECRUIT", "ENGINEER",
         "PROVISION", "BUY", "TAKE", "HIRE", "PROMISE", "LURE", "ATTACK", "SACK", "BESIEGE", "ASSAULT", "ENTER",
         "SALLY", "LIFT", "SURRENDER", "NONSENSE")
CHOICES = ("", "", "attack", "pass", "ask", "in", "out", "convoy", "place", "none", "joins=yes", "if_attacked=refuse")


def men(chance: random.Random, most: int = 5) -> str:
    """Some men of some ranks."""
    return " ".join(f"{rank}{chance.randint(1, most)}" for rank in chance.sample("KDSBLP", chance.randint(1, 4)))


def opening(chance: random.Random) -> Campaign:
    """A crowded corner of the map: two sides, neutrals, companies, places, carts, engines, captives and a siege."""
    armies, places, nobles = [], [], []
    for number in range(10):
        side = chance.choice("raarn")
        noble = f"noble=N{number}:{chance.randint(1, 10)}" if chance.random() < 0.7 else ""
        armies.append(f"A{number} {side} {chance.choice(HEXES)} {men(chance)} S3 {noble} money={chance.randint(0, 30)} "
                      f"loyalty={chance.randint(1, 10)} on_meeting={chance.choice(['attack', 'pass', 'ask'])} "
                      f"if_attacked={chance.choice(['fight', 'refuse', 'shut_in', 'ask'])} "
                      f"joins={chance.choice(['yes', 'no', 'ask'])} hungry_days={chance.randint(0, 2)}")
    for number in range(4):
        armies.append(f"M{number} n {chance.choice(HEXES)} L4 B{chance.randint(1, 6)} "
                      f"kind={chance.choice(['welsh', 'flemish'])} moves_next={chance.choice('ra')}")
    for number, node in enumerate(chance.sample(HEXES, 9)):
        kind = chance.choice(KINDS)
        held = f"holder={chance.choice('ra')} {men(chance, 3)} S4" if "castle" in kind else ""
        places.append(f"p{number} {node} {kind} {chance.randint(0, 10)} {chance.randint(1, 10)} {held}")
        if held and chance.random() < 0.6:
            nobles.append(f"L{number} {held.split(maxsplit=1)[0][-1]} {chance.randint(1, 9)} place=p{number}")
    rules = {s.key: chance.choice(s.options) for s in anarchy().numbers
             if isinstance(s, Switch) and len(s.options) > 1 and chance.random() < 0.15}
    return build(
        "provisions", day=1, armies=", ".join(armies), places=", ".join(places), nobles=", ".join(nobles),
        nodes=", ".join(f"{node} {chance.choice(TERRAINS)}" for node in HEXES),
        roads=", ".join(f"{c:02}{r:02} {c:02}{r + 1:02} road" for c in (6, 8) for r in range(5, 9)),
        convoys=", ".join(f"C{n} {chance.choice('ran')} {chance.choice(HEXES)} {chance.randint(0, 5)} home=p0 goal=p1 "
                          "heading=goal" for n in range(4)),
        trains=", ".join(f"T{n} {chance.choice('ra')} {chance.choice(HEXES)} rams=1 towers={n} engineers=1 oxen=6 "
                         "peasants=3" for n in range(2)),
        objectives="O1 r hold - p3 3, O2 a capture any - 1 cap=3, O3 r loot - - 1 per=5 cap=4, O4 a reach N1 p0 2",
        rules={**rules, "days": "3"})


def an_order(chance: random.Random, campaign: Campaign, side: str) -> dict[str, str]:
    """One order: most of them could be meant, some could not."""
    def some(*sheets: str) -> str:
        return str(chance.choice([row.ident for sheet in sheets for row in campaign.by_sheet(sheet)] or ["X"]))

    own = [a.army for a in campaign.by_sheet("Armies") if a.faction == side]
    verb = chance.choice(VERBS)
    unit = chance.choice(own) if own and chance.random() < 0.85 else some("Armies", "Convoys", "Trains", "Places")
    if verb in ("LOAD", "UNLOAD"):
        unit = some("Convoys")
    path = chance.choice([" ".join(chance.choices(["N", "NE", "SE", "S", "SW", "NW"], k=chance.randint(1, 4))),
                          chance.choice(HEXES), "0505 Nowhere", ""])
    return {
        "verb": verb, "unit": unit if chance.random() < 0.97 else "Q1",
        "path": path if verb in ("MOVE", "MERCS") else "",
        "target": chance.choice([some("Armies"), some("Places"), some("Convoys", "Trains", "Nobles", "Prisoners"),
                                 f"Z{chance.randint(1, 99)}", ""]),
        "men": chance.choice(["", men(chance, 3), "S1", "L1 P1", "K99", "w:W1", "rubbish"]),
        "amount": chance.choice(["", "1", "3", "0.5", "2,5", "1.25", "-2", "many"]),
        "choice": chance.choice(CHOICES), "node": chance.choice(["", "", "", chance.choice(HEXES)])}


def finish(campaign: Campaign, chance: random.Random) -> Outcome:
    """The phase to its end: answers at random among what is offered, battles by the dice."""
    return finish_phase(anarchy(), campaign, SECRET, lambda waiting: {
        question.question: _answer(question, chance) for question in waiting.questions})


def _answer(question: Question, chance: random.Random) -> str:
    options = [word for word in re.split(r",\s*", question.options) if word]
    if question.kind == "battle":
        return "auto"
    return chance.choice(options) if options and chance.random() < 0.7 else (question.default and "default") or "auto"


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 24))])
def test_no_set_of_orders_breaks_a_day(seed: int) -> None:
    """4, 5: unsound rows are refused, the rest is played; the records stay sound and Check orders was right."""
    chance = random.Random(seed)
    campaign = opening(chance)
    assert [f for f in anarchy().check_data(campaign) if f.stops] == []
    while not anarchy().is_over(campaign):
        day, phase = campaign.desk.turn, campaign.desk.phase
        if phase == PHASES[1]:
            for number in range(60):
                side = chance.choice(["royal", "angevin"])
                record = anarchy().record("Orders")
                fields = {"order": f"{day}-{number}", "turn": day, "faction": side, "seq": str(number)}
                campaign.by_sheet("Orders").add(record.from_values(fields | an_order(chance, campaign, side)))
        before, outcome = campaign, finish(campaign, chance)
        check_traced(before, outcome)
        check_conserved(before, outcome)
        check_sound(outcome)
        campaign = outcome.campaign
        if phase == PHASES[-1]:
            silent = [(o.order, o.verb, o.unit, o.target) for o in campaign.by_sheet("Orders")
                      if o.turn == day and not o.status]
            assert silent == [], day
