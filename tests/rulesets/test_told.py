"""No order is lost in silence: whoever gave one that stands reads what came of it, or why nothing did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Order
from assistant.testing.robots import play_spoiled
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import Outcome
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from tests.played import CAMPAIGNS
from tests.rulesets.openings import OPENINGS
from tests.sweeps import fast_among

PLAYED = fast_among(list(CAMPAIGNS), "giglio-italy-1500", "anarchy-wallingford-1139")
QUIET: Mapping[str, str] = {
    "stay": "who stands where it stood has nothing to tell; whom it meets there is told by the meeting",
    "HOLD": "as above",
    "siege": "where it lies before the place already: each round's siege tells of it, its die and its losses",
    "bid": "what was bid stays secret: who is Strategos is told to all, and equal bids to those who made them",
}
"""Verbs that may come to something of which no line names their unit or target, each with the reason."""

BY_LESS: Mapping[str, tuple[str, ...]] = {
    "objective": (), "lift": (),  # each faction has one, and a place one siege of each
    "ENGINEER": ("unit",),  # the town stands on the hex of the group
}
"""Verbs of which a line tells by fewer columns than they have; by none: by the faction."""


def words(values: Any) -> Iterator[str]:
    """All codes among the data of an event."""
    if isinstance(values, Mapping):
        for value in values.values():
            yield from words(value)
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from words(value)
    else:
        yield from re.split(r"[\s/;,]+", str(values))


def names(event: Event) -> set[str]:
    """What an event names and touches."""
    return {*words(event.data), *event.touched.split(), *(one.partition("/")[2] for one in event.touched.split())}


def about(request: Request, columns: Iterable[str]) -> set[str]:
    """Whom and what a row is about; its faction where it names neither."""
    told_by = BY_LESS.get(request.verb, ("unit", "target", "partner"))
    named = {str(getattr(request, name)) for name in told_by if name in columns}
    return named - {"", "new"} or {request.faction}


def in_silence(ruleset: Ruleset, before: Campaign, outcome: Outcome) -> list[str]:
    """Orders that the phase accepted, and of which their factions read nothing."""
    book, found = as_order_book(ruleset.verbs), []
    then = {row.order: row.status for row in before.table(Order)}
    remarked = {finding.where.row for finding in outcome.findings if finding.where.table == Order.sheet}
    for row in outcome.campaign.table(Order):
        if row.status != "accepted" or then.get(row.order) or row.order in remarked:
            continue
        request = read_row(book, before, row)
        if request.verb in QUIET:
            continue
        said = [names(event) for event in outcome.events if event.for_faction(row.faction)]
        wanted = about(request, book[request.verb].columns)
        if not any(f"{Order.sheet}/{row.order}" in one or wanted <= one for one in said):
            found.append(f"{outcome.turn} {outcome.phase} {row.faction}: {request.verb} {sorted(wanted)}")
    return found


@pytest.mark.parametrize("name", PLAYED)
def test_each_order_of_a_campaign_is_heard_of_again(name: str) -> None:
    """Both demos and robots: of each accepted order an event that its faction may know, or a finding, tells."""
    ruleset = load(name.partition("-")[0])
    orders = 0
    for before, outcome in CAMPAIGNS[name]():
        assert in_silence(ruleset, before, outcome) == []
        orders += len(before.table(Order))
    assert orders > 0


@pytest.mark.parametrize(("name", "seed"), fast_among(
    product(("giglio", "anarchy"), range(6)), ("giglio", 0)))
def test_orders_of_all_sorts_are_heard_of_again(name: str, seed: int, tmp_path: Path) -> None:
    """Orders that nobody in his senses would give, too: those that are accepted come to something, or it is said."""
    verbs = set()
    for played in play_spoiled(*OPENINGS[name](tmp_path), seed, 16, rows=40):
        book = as_order_book(played.ruleset.verbs)
        assert in_silence(played.ruleset, played.before, played.outcome) == []
        verbs |= {read_row(book, played.before, row).verb for row in played.outcome.campaign.table(Order)
                  if row.status == "accepted"}
    assert len(verbs) > 5


@pytest.mark.parametrize("name", ["giglio", "anarchy"])
def test_verbs_that_may_be_quiet_are_verbs(name: str) -> None:
    """Each exception is a verb of a rulebook, with its reason."""
    assert {verb for verb in QUIET if verb.isupper() == (name == "anarchy")} <= set(load(name).verbs)
