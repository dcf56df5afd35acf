"""The example plug-in, as its tests see it: not installed, and with a campaign of two camps."""

from __future__ import annotations

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.turn.phases import resolve
from assistant.turn.ruleset import Ruleset
from tests.plugin.wells.arbitro_wells import WELLS, Faction, Node, Order

SECRET = bytes(range(32))


def camps(rules: Ruleset = WELLS) -> Campaign:
    """Day 1 with the camps N and S, each with its orders of three days."""
    made = Campaign(rules.records)
    rows: list[Record] = [
        base.Desk(ruleset="wells", title="Dry land", language="en"),
        Faction(faction="N", name_en="North", mail="n@example.org"), Faction(faction="S", name_en="South"),
        Node(node="W1"), Node(node="W2", damp=True),
    ]
    rows += [Order(order=f"{day}-day-{who}-1", turn=str(day), phase="day", faction=who, seq=1, verb="dig",
                      target=where) for day in (1, 2, 3) for who, where in (("N", "W1"), ("S", "W2"))]
    for row in rows:
        made.by_sheet(row.sheet).add(row)
    rules.prepare(made)
    return made


def played(rules: Ruleset, whole: Campaign, days: int) -> Campaign:
    """The campaign some days later."""
    for _ in range(days):
        outcome = resolve(rules, whole, SECRET)
        assert outcome.done, outcome.findings
        whole = outcome.campaign
    return whole
