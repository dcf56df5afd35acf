"""What one faction may know (digest, section 9): a pure function of the campaign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.table import Table
from assistant.rulesets.giglio.records import (
    Account,
    Alliance,
    Army,
    Battle,
    Contact,
    Desk,
    Faction,
    Fleet,
    Loan,
    Node,
    Opening,
    Order,
    Specialist,
)
from assistant.turn.numbers import Rules

Keep = Callable[[Any, str], Record | None]


def view(campaign: Campaign, faction: str, rules: Rules) -> Campaign:
    """Public facts, the faction's own, and the events addressed to it; "" is everybody's view."""
    seen = Campaign([])
    keepers: dict[str, Keep] = {
        **KEEPERS,
        Faction.sheet: lambda row, f: _faction(row, f, rules.money_public == "yes"),
        Node.sheet: lambda row, f: _node(row, f, rules.garrison_public == "yes"),
    }
    for sheet, table in campaign.tables().items():
        keep = keepers.get(sheet)
        if keep is None:
            seen.put(table)
            continue
        kept = [(key, row) for key, one in table.in_file_order() if (row := keep(one, faction)) is not None]
        seen.put(Table.of(table.record, kept))
    _number_anew(seen)
    return seen


def _number_anew(seen: Campaign) -> None:
    """Numbers of events would tell how many were not addressed to the reader, and so would what they touch."""
    events = seen.table(base.Event)
    rows = [(str(no), row) for no, (_, row) in enumerate(events.in_file_order(), 1)]
    for no, (_, row) in enumerate(rows, 1):
        row.no, row.touched = no, ""
    seen.put(Table.of(events.record, rows))


def _desk(row: Desk, faction: str) -> Record:
    row = row.copy()
    row.campaign_id = ""
    return row


def _faction(row: Faction, faction: str, money_public: bool) -> Record:
    row = row.copy()
    row.mail = ""
    if row.faction == faction:
        return row
    row.objective = row.objective_target = ""
    if not money_public:
        row.treasury = 0
    return row


def _node(row: Node, faction: str, garrison_public: bool) -> Record:
    if row.owner == faction or garrison_public or not row.garrison:
        return row
    row = row.copy()
    row.garrison = False
    return row


def _army(row: Army, faction: str) -> Record | None:
    if row.faction == faction:
        return row
    if row.posture == "aboard":
        return None
    row = row.copy()
    if not row.revealed:
        row.kind = "army"
    row.value, row.trail, row.leaderless, row.fleet, row.bp_over_core = 0, "", 0, "", None
    return row


def _fleet(row: Fleet, faction: str) -> Record:
    if row.faction != faction and row.cargo:
        row = row.copy()
        row.cargo = ""
    return row


def _own(row: Any, faction: str) -> Record | None:
    return row if faction and row.faction == faction else None


def _alliance(row: Alliance, faction: str) -> Record | None:
    if not faction or faction not in (row.a, row.b):
        return None
    row = row.copy()
    row.suspect = row.suspect_act = ""
    return row


def _contact(row: Contact, faction: str) -> Record:
    if faction not in (row.hand, row.other):
        row = row.copy()
        row.choice_hand = row.choice_other = ""
    return row


def _battle(row: Battle, faction: str) -> Record | None:
    if not row.status:
        return None
    row = row.copy()
    if faction != row.side_a:
        row.armies_a, row.value_a = "", None
    if faction != row.side_b:
        row.armies_b, row.value_b = "", None
    if faction not in (row.side_a, row.side_b):
        for name in ("losses_a", "losses_b", "rearguard_value", "pursuer_value", "units_exited", "units_lost"):
            setattr(row, name, "")
    return row


def _question(row: base.Question, faction: str) -> Record | None:
    return row if faction and row.to == faction else None


def _event(row: base.Event, faction: str) -> Record | None:
    return row.copy() if row.for_faction(faction) else None


def _die(row: base.Die, faction: str) -> Record | None:
    circle = row.audience.split("+")
    return row if row.audience == "public" or (faction and faction in circle) else None


def _nothing(row: Opening, faction: str) -> Record | None:
    return None


KEEPERS: dict[str, Keep] = {
    Desk.sheet: _desk, Army.sheet: _army, Fleet.sheet: _fleet, Order.sheet: _own, Specialist.sheet: _own,
    Loan.sheet: _own, Account.sheet: _own, base.FindingRow.sheet: _own, Alliance.sheet: _alliance,
    Contact.sheet: _contact, Battle.sheet: _battle, base.Question.sheet: _question, base.Event.sheet: _event,
    base.Die.sheet: _die, Opening.sheet: _nothing,
}
