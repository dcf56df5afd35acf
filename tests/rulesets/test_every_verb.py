"""The books that ship stand what anybody may order: each verb as it is declared, and not as the robots give it.

A longer run: ``ARBITRO_TRIED=40,20 pytest -m "" tests/rulesets/test_every_verb.py`` tries so many phases of each book,
and so many orders by themselves in each.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.testing import kit
from assistant.turn.ruleset import Ruleset
from tests.giglio import test_robots as giglio_robots
from tests.incursio import test_promises as incursio
from tests.rulesets.openings import OPENINGS
from tests.rulesets.test_checking import BY_OTHERS, LATER

BOOKS: dict[str, Callable[[Path], tuple[Ruleset, Campaign]]] = {
    **{name: OPENINGS[name] for name in ("giglio", "anarchy")}, **LATER}
ALLOWED: dict[str, dict[str, Any]] = {
    "giglio": {"by_others": BY_OTHERS, "aside": giglio_robots.aside}, "anarchy": {"not_done": "act_not_done"},
    "incursio": {"by_others": incursio.TestIncursio.by_others, "aside": incursio.TestIncursio().aside}}
"""What is no fault in a book, as its own tests say it."""
LONG = os.environ.get("ARBITRO_TRIED", "")
PHASES, VERBS = map(int, (LONG or "2,2").split(","))
BY_PROMISE = ("incursio", "bloodlust")
"""The books that are asked by `Promises` in their own tests."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOOKS if LONG or name not in BY_PROMISE])
def test_every_verb_stands_whoever_orders_it(name: str, tmp_path: Path) -> None:
    """Nothing crashes, leaks, stays untold, or comes out otherwise when it is played again."""
    ruleset, campaign = BOOKS[name](tmp_path)
    for order in campaign.table(Order).of_turn(campaign.desk.turn):
        campaign.table(Order).remove(order.order)

    kit.every_verb(ruleset, campaign, phases=PHASES, most=VERBS, **ALLOWED.get(name, {}))
