"""Workbooks of before: headings that have another word today are read as what they were."""

from __future__ import annotations

import pytest

from assistant.campaign.records import Desk, Event, FindingRow, Question
from assistant.campaign.tables import Record
from assistant.rulesets.giglio.records import Account, Army, Battle, Contact, Faction, Node
from assistant.workbook.read.grid import match_headings


@pytest.mark.parametrize(("record", "old", "field"), [
    (Desk, "Passo", "phase"), (Event, "Passo", "phase"), (FindingRow, "Passo", "phase"), (Account, "Passo", "phase"),
    (Battle, "Fase", "round"), (Contact, "Fase", "round"), (Army, "Nodo", "node"), (Node, "Tipo", "site"),
    (Node, "Kind", "site"), (Faction, "Luogo", "pending_node"), (Faction, "Place", "pending_node"),
    (Question, "A", "to"), (Question, "Opzioni", "options"), (Question, "Predefinita", "default")])
def test_the_words_of_before_mean_what_they_meant(record: type[Record], old: str, field: str) -> None:
    """*Passo* was a phase, *Fase* on the sheets of Il Giglio a round; today's words are read likewise."""
    column = record.column(field)
    for word in (old, column.it, column.en):
        heads = match_headings(record, {1: record.columns()[0].it, 2: word})
        assert (heads.fields.get(field), heads.unknown) == (2, {}), word
