"""Where a report begins when nobody says where: with the orders that it answers, and what led up to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.desk.commands.report import start_of_last_orders
from assistant.testing.cases import must_succeed
from assistant.turn.rulebooks import load


@pytest.mark.parametrize(("ruleset", "told", "begins"), [
    ("incursio", "1.initiative 1.first_move", ("1", "")),
    ("incursio", "1.initiative 1.first_move 1.arrivals 2.initiative 2.first_move 2.first_assault", ("2", "")),
    ("incursio", "1.initiative 1.first_move 1.arrivals 2.initiative", ("1", "")),
    ("anarchy", "0.opening 1.provisions", ("0", "")),
    ("anarchy", "0.opening 1.provisions 1.close 2.movement", ("2", "")),
    ("giglio", "1500.income 1500.budget", ("1500", "")),
    ("giglio", "1500.income 1500.budget 1500.open 1500.r1.move 1500.r1.contact", ("1500", "r1.move")),
    ("giglio", "1500.budget 1500.r10.move 1500.winter 1501.income 1501.budget", ("1501", "")),
    ("warriors", "1.weather 1.orders 1.move 1.muster", ("1", "")),
    ("bloodlust", "987Sp.call 987Sp.recruit", ("987Sp", "")),
    ("bloodlust", "987Sp.call 987Sp.recruit 987Sp.muster 987Sp.war", ("987Sp", "war")),
])
def test_the_first_orders_of_a_turn_are_told_with_what_came_before_them(
        ruleset: str, told: str, begins: tuple[str, str]) -> None:
    """Initiative, weather, income: no report need be made between them and the orders; the opening of a campaign is
    told with the very first orders. Later orders of a turn begin with themselves.
    """
    rules = load(ruleset)
    campaign = Campaign(rules.records)
    for no, moment in enumerate(told.split(), 1):
        turn, _, phase = moment.partition(".")
        campaign.table(Event).add(Event(no=no, turn=turn, phase=phase, audience="all", event="x"))

    assert start_of_last_orders(rules, campaign) == begins


@pytest.mark.slow
def test_the_report_of_a_day_tells_its_initiative(tmp_path: Path) -> None:
    """A day played in one go: each club reads who was first, in page and mail text, with the dice; so does the
    gazette.
    """
    book = tmp_path / "x.xlsx"
    must_succeed("new", "incursio", book)
    must_succeed("resolve", book, "--until", "arrivals")
    must_succeed("resolve", book, "--until", "arrivals")
    must_succeed("report", book, "--out", tmp_path / "r")

    for stem in ("esdef", "varannah", "gazette"):
        text = (tmp_path / "r" / f"{stem}.txt").read_text(encoding="utf-8")
        assert "the initiative and" in " ".join(text.split()) or "l'iniziativa e" in " ".join(text.split()), stem
