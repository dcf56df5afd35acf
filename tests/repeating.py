"""Campaigns in; the same with what may make no difference, to be played again, and what stands in them out."""

from __future__ import annotations

import random
from collections.abc import Callable

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.campaign.tables import Table
from assistant.testing.robots import finish_phase
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import Ruleset


def by_default(ruleset: Ruleset, campaign: Campaign, secret: bytes) -> Outcome:
    """The present phase to its end: who has not answered takes the default, no battle is on the table."""
    return finish_phase(ruleset, campaign, secret, lambda waiting: {
        question.question: question.default or "auto" for question in waiting.questions})


def as_texts(campaign: Campaign) -> dict[str, list[dict[str, str]]]:
    """Every table in natural order of key, as text."""
    return {sheet: [row.as_text() for row in table] for sheet, table in campaign.tables().items()}


def shuffled(campaign: Campaign, seed: int) -> Campaign:
    """The campaign with the rows of every sheet in another order."""
    chance = random.Random(seed)
    for table in list(campaign.tables().values()):
        rows = [row for _, row in table.in_file_order()]
        chance.shuffle(rows)
        campaign.put(Table(table.record, rows))
    return campaign


def without_orders(campaign: Campaign, dropped: Callable[[Order], bool]) -> Campaign:
    """The campaign without some of its orders, of which there must be one."""
    orders = campaign.by_sheet("Orders")
    gone = [order.order for order in orders if dropped(order)]
    assert gone
    for ident in gone:
        orders.remove(ident)
    return campaign


def assert_common_alike(one: dict[str, int], other: dict[str, int], least: int) -> None:
    """What is thrown in both plays for the same shows the same, and more than `least` dice are."""
    common = set(one) & set(other)
    assert len(common) > least
    assert {key: one[key] for key in common} == {key: other[key] for key in common}
