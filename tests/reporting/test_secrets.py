"""What a faction cannot know has no way into its package."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Event, FindingRow, Question
from assistant.reporting.build import build_gazette, build_page
from assistant.reporting.render import render_html, render_json, render_text
from tests.reporting.feud import FEUD, Account, Army, Faction, Order, campaign, wording


def package(whole: Campaign, faction: str, before: Campaign | None = None) -> str:
    """Everything that leaves for one club, in one string."""
    view = FEUD.view(whole, faction)
    previous = FEUD.view(before, faction) if before is not None else None
    page = build_page(FEUD, view, faction, wording(), 0, {"public": "ab", "B": "canary-hash"}, previous=previous)
    gazette = build_gazette(FEUD, FEUD.view(whole, ""), wording(), 0, {"B": "canary-hash"})
    return "".join(render(one) for one in (page, gazette) for render in (render_html, render_text, render_json))


def _chest(whole: Campaign) -> None:
    whole.table(Faction)["B"].chest = 31337


def _men(whole: Campaign) -> None:
    whole.table(Army)["B-1"].men = 31337


def _order(whole: Campaign) -> None:
    whole.table(Order).add(Order(order="x", turn="3", phase="march", faction="B", verb="go", target="CANARY",
                                 status="refused"))


def _finding(whole: Campaign) -> None:
    whole.table(FindingRow).add(FindingRow(turn="3", phase="war", table="Orders", row="x", code="FEU-001",
                                           faction="B", data={"node": "CANARY"}))


def _event(whole: Campaign) -> None:
    last = len(whole.table(Event))
    whole.table(Event).add(Event(no=last + 1, turn="3", phase="war", audience="B", event="plot", rule="3",
                                 data={"by": "CANARY", "on": "R"}))
    whole.table(Event).add(Event(no=last + 2, turn="3", phase="war", audience="referee", event="plot", rule="3",
                                 data={"by": "R", "on": "CANARY"}))


def _question(whole: Campaign) -> None:
    whole.table(Question).add(Question(question="q", turn="4", phase="war", kind="yield", to="B", about="CANARY",
                                       asked={"node": "CANARY"}, status="open"))


def _die(whole: Campaign) -> None:
    whole.table(Die).add(Die(key="canary:1", value="6", turn="3", phase="war", source="assistant", audience="B+G"))


def _money(whole: Campaign) -> None:
    whole.table(Account).add(Account(turn="3", phase="war", faction="B", item="CANARY", amount=1, balance=2))


def _mail(whole: Campaign) -> None:
    whole.table(Faction)["B"].mail = "canary@example.org"


HIDDEN: tuple[Callable[[Campaign], None], ...] = (
    _chest, _men, _order, _finding, _event, _question, _die, _money, _mail)


@pytest.mark.parametrize("change", HIDDEN, ids=lambda change: change.__name__.strip("_"))
def test_a_fact_that_red_cannot_know_changes_no_byte_for_red(change: Callable[[Campaign], None]) -> None:
    """Blue's chest, men, orders, findings, secret events, questions, dice, money and mail leave no trace."""
    with_fact = campaign()
    change(with_fact)

    assert package(with_fact, "R") == package(campaign(), "R")
    assert package(with_fact, "R", campaign()) == package(campaign(), "R", campaign())


def test_the_facts_that_are_hidden_from_red_do_show_for_blue() -> None:
    """The test above would notice: each fact but the mail and the referee's dice is in its owner's package."""
    silent = [change.__name__ for change in HIDDEN if change is not _mail and _shows_nothing(change)]

    assert silent == []


def _shows_nothing(change: Callable[[Campaign], None]) -> bool:
    with_fact = campaign()
    change(with_fact)
    return package(with_fact, "B") == package(campaign(), "B")


def test_no_canary_leaves_with_somebody_elses_package() -> None:
    """Every hidden fact gets a word of its own; none is in Red's mail, and none in Green's but the shared die."""
    whole = campaign()
    for change in HIDDEN:
        change(whole)

    for word in ("CANARY", "31337", "31,337", "canary", "424", "777"):
        assert word not in package(whole, "R"), word
    assert "canary:1" in package(whole, "G")
    assert "CANARY" not in package(whole, "G")


def test_the_number_of_secret_events_does_not_show() -> None:
    """Event numbers leave gaps where secrets are; no page prints them."""
    whole, fewer = campaign(), campaign()
    secret = whole.table(Event).where(lambda event: event.event == "plot")[0]
    fewer.table(Event).remove(secret.ident)

    assert package(whole, "R") == package(fewer, "R")
