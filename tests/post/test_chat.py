"""The short message for a chat group: short whatever happened, no sign that a chat would take for its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.post.letters import MOST_CHARACTERS, render_chat
from assistant.reporting.build import build_gazette, build_page
from assistant.reporting.pages import Group, Listing, Reason, ReportLine
from assistant.wording import Wording
from tests.reporting.feud import FEUD, campaign, wording
from tests.rulesets.openings import OPENINGS, SMALL


@pytest.mark.parametrize("name", [*SMALL[:2], *(pytest.param(one, marks=pytest.mark.slow) for one in (
    *SMALL[2:], "giglio", "anarchy"))])
def test_every_ruleset_has_a_message_for_each_club_and_for_all(name: str, tmp_path: Any) -> None:
    """Whose it is stands first, what is due second, the report's code last; at most 700 characters."""
    ruleset, campaign = OPENINGS[name](tmp_path)
    words = Wording(ruleset, "it")
    faction = next(iter(campaign.by_sheet("Factions").keys()))
    pages = (build_page(ruleset, ruleset.view(campaign, faction), faction, words),
             build_gazette(ruleset, ruleset.view(campaign, ""), words))

    for page in pages:
        said = render_chat(page).splitlines()
        assert said[0].startswith(f"{page.name} · ")
        assert page.code in said[-1]
        assert len(render_chat(page)) <= MOST_CHARACTERS


def test_however_much_happened_the_message_is_short(tmp_path: Any) -> None:
    """What matters most stands first, what is left out is marked; stars and outer underscores are left out."""
    ruleset, campaign = OPENINGS["wells"](tmp_path)
    page = build_gazette(ruleset, ruleset.view(campaign, ""), Wording(ruleset, "en"))
    lines = [
        *(ReportLine(f"Thing {n} came *to pass* at _long_ last " * 3) for n in range(40)),
        ReportLine("The worst", grave=True),
    ]
    said = render_chat(replace(page, preheader="", news=(Group("All", Listing(tuple(lines))),)))

    assert len(said) <= MOST_CHARACTERS
    assert said.splitlines()[2] == "- The worst"
    assert "\n…\n" in said
    assert not set("*~`_") & set(said)


def test_nothing_is_said_twice(tmp_path: Any) -> None:
    """What stands in the inbox's line without its full stop is the report's sentence."""
    ruleset, campaign = OPENINGS["wells"](tmp_path)
    page = build_gazette(ruleset, ruleset.view(campaign, ""), Wording(ruleset, "en"))
    said = render_chat(replace(page, preheader="It rains", news=(Group("All", Listing((ReportLine("It rains."),))),)))
    assert said.count("It rains") == 1


def test_a_ruleset_may_say_it_in_its_own_words(tmp_path: Any) -> None:
    """Its sentences stand in the place of the report's."""
    ruleset, campaign = OPENINGS["wells"](tmp_path)
    page = build_gazette(ruleset, ruleset.view(campaign, ""), Wording(ruleset, "en"))

    assert render_chat(page, ["The wells are low."]).splitlines()[2:-1] == ["- The wells are low."]
    due = render_chat(replace(page, subject=f"{page.subject}, by Sunday, 20:00")).splitlines()[1]
    assert due == f"{page.band.title}, by Sunday, 20:00"


def test_that_nothing_is_due_but_orders_is_not_said_without_its_heading() -> None:
    """What else is owed stays."""
    page = replace(build_page(FEUD, FEUD.view(campaign(), "R"), "R", wording()), dues=(
        "Nothing but your orders.", "A visit to the king."))
    said = render_chat(page)

    assert "Nothing but your orders" not in said
    assert "- A visit to the king." in said


def test_names_that_want_to_be_something_else_are_letters_in_the_chat_text() -> None:
    """Markup, a change of direction, a line break and five hundred letters: one line each, and short."""
    whole = campaign(red="<b>*Red*</b> \u202egnp.exe\n\nHEADING " + "x" * 500)
    text = render_chat(build_page(FEUD, FEUD.view(whole, "R"), "R", wording()))

    assert len(text) <= MOST_CHARACTERS
    assert "\u202e" not in text
    assert "*" not in text
    assert not any(line.startswith("HEADING") for line in text.splitlines())


def test_letters_that_stay_have_their_legend_in_the_chat_text(tmp_path: Any) -> None:
    """``CFAC`` in a reason brings the legend, a code such as ``A-BLK`` does not."""
    ruleset, campaign = OPENINGS["wells"](tmp_path)
    page = build_gazette(ruleset, ruleset.view(campaign, ""), Wording(ruleset, "en"))
    legend = "F foot, A archers, C cavalry; Tr troopers."
    for text, told in (("You attack TrTr with CFAC.", True), ("F3 fell.", True), ("A-BLK and the Fens fell.", False)):
        said = render_chat(replace(page, reasons=Listing((Reason(text),)), legend=legend))
        assert (legend in said) is told
