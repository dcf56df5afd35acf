"""The end of a campaign: who has won, how it was counted, the table and the story, the same wherever it is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.reporting.build import LINES_OF_STORY, build_end, build_gazette, build_page, build_referee
from assistant.reporting.pages import EndPage
from assistant.reporting.render import render_json
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.anarchy.cases import case as day
from tests.giglio.cases import case as phase

HEADLESS: dict[str, Any] = {
    "armies": "A1 r 0605 S9 noble=N1, A2 a 0905 S9", "nobles": "N2 a 5 2 state=dead, N3 a 4 2 state=prisoner captor=r",
    "places": "keep 0605 castle_motte 3 8 holder=r S9, den 0905 castle_motte 3 2 holder=a S9",
    "objectives": "O1 r hold - keep 1, O2 a hold - den 9"}
"""The Empress's party has all the points, and no noble any more."""
EVEN: dict[str, Any] = {**HEADLESS, "nobles": "N2 a 5 2 army=A2", "objectives": "O1 r hold - keep 4, O2 a hold - den 4"}


def end_of(ruleset: Ruleset, campaign: Campaign, lang: str = "en") -> EndPage:
    """The page of the end."""
    return build_end(ruleset, ruleset.view(campaign, ""), Wording(ruleset, lang))


def bands(ruleset: Ruleset, campaign: Campaign, faction: str) -> list[str]:
    """What gazette, referee's report and a faction's report say first."""
    words = Wording(ruleset, "en")
    pages = (build_gazette(ruleset, ruleset.view(campaign, ""), words), build_referee(ruleset, campaign, words),
             build_page(ruleset, ruleset.view(campaign, faction), faction, words))
    return [" ".join(page.band.lines) for page in pages]


# --- The Anarchy -----------------------------------------------------------------------------------
def test_a_side_without_nobles_has_lost_whatever_its_points() -> None:
    """Objectives and the end: nine points do not help the Empress, and every page says so."""
    campaign, book = day("close", day=4, **HEADLESS).campaign, load("anarchy")
    page = end_of(book, campaign)
    assert (page.band.title, page.winners) == ("A decisive victory: royal.", ("royal",))
    assert page.dues[0] == ("All nobles are dead or captive: angevin. Such a side has lost at once and decisively, "
                            "whatever the points.")
    assert "angevin 9, royal 1" in page.dues[1]
    assert page.tables[0].rows.items[0][0].text == "royal"
    assert all(said.startswith("A decisive victory: royal.") for said in bands(book, campaign, "angevin"))


def test_an_event_of_the_score_says_what_came_of_it() -> None:
    """Objectives and the end: the score is told with its result, in both languages."""
    told = [e for e in day("close", day=4, **HEADLESS).last.events if e.event == "score"]
    said = [Wording(load("anarchy"), lang).event(e) for lang in ("en", "it") for e in told if e.data["points"] == 9]
    assert said == ["Angevin: 9. A decisive victory of the King's side.",
                    "Angioini: 9. Vittoria decisiva della parte del re."]


@pytest.mark.parametrize(("lang", "said"), [("en", "It is a draw."), ("it", "La campagna finisce in parità.")])
def test_a_draw_is_said(lang: str, said: str) -> None:
    """Objectives and the end: equal points are a draw, and nobody is named as the winner."""
    page = end_of(load("anarchy"), day("close", day=14, **EVEN).campaign, lang)
    assert (page.band.title, page.winners) == (said, ())
    assert json.loads(render_json(page))["kind"] == "end"


def test_without_any_noble_on_either_side_the_points_decide() -> None:
    """Objectives and the end: that a side is left without nobles says nothing where both are."""
    given = {**HEADLESS, "armies": "A1 r 0605 S9, A2 a 0905 S9",
             "nobles": "N1 r 9 9 state=dead, N2 a 5 2 state=dead"}
    page = end_of(load("anarchy"), day("close", day=4, **given).campaign)
    assert page.band.title == "A decisive victory: angevin."
    assert not any("All nobles" in line for line in page.dues)


# --- Il Giglio -------------------------------------------------------------------------------------
def final(**given: Any) -> Campaign:
    """The verification of a campaign of three factions."""
    places = "V0 site=city capital=yes port=yes, V1, M0 site=city capital=yes port=yes, M1"
    return phase("final", **{"bare": True, "year": 1504, "nodes": places, **given}).campaign


@pytest.mark.parametrize(("factions", "rules", "verdict", "winners"), [
    ("V 5 objective=keep, M 9 objective=keep, F 99 objective=ports", {}, "The winner: M.", ("M",)),
    ("V 9 objective=keep, M 9 objective=keep", {}, "The victory is shared: M V.", ("M", "V")),
    ("V 5 objective=fleets, M 9 objective=fleets", {}, "Nobody has won.", ()),
    ("V 5 objective=fleets, M 9 objective=fleets", {"objective_none": "ducats"}, "The winner: M.", ("M",)),
])
def test_the_verification_names_the_winner(factions: str, rules: dict[str, str], verdict: str,
                                           winners: tuple[str, ...]) -> None:
    """Objectives: who reached theirs is compared by ducats; ties share; nobody may win."""
    book, campaign = load("giglio"), final(factions=factions, rules=rules)
    page = end_of(book, campaign)
    assert (page.band.title, page.winners) == (verdict, winners)
    assert all(said.startswith(verdict) for said in bands(book, campaign, "V"))


def test_the_end_tells_what_everybody_wanted() -> None:
    """Objectives: at the end they are shown to all, with what was counted; for places of one's own there is none."""
    page = end_of(load("giglio"), final(factions="V 5 objective=keep, M 9 objective=ports"), "it")
    assert page.tables[0].headings == ("Fazione", "Obiettivo", "Conta", "Centrato", "Ducati")
    assert [[cell.text for cell in row] for row in page.tables[0].rows.items] == [
        ["M", "porti", "1", "sì", "9"], ["V", "possedimenti", "–", "sì", "5"]]
    assert page.dues[1] == "Fra loro decidono i ducati in cassa; a pari ducati la vittoria si divide."


# --- any rulebook ------------------------------------------------------------------------------------
def test_the_story_is_short_and_public() -> None:
    """The story has at most ten lines, one or two a turn, of what all may know, and is told in the order of turns."""
    book = load("giglio")
    campaign = final(factions="V 5 objective=keep, M 9 objective=keep")
    events = campaign.table(Event)
    for key, _ in events.in_file_order():
        events.remove(key)
    for no in range(1, 61):
        turn = str(1500 + no // 13)
        events.add(Event(no=no, turn=turn, phase="r1.siege", audience="all", event="place.taken",
                         data={"by": "V", "node": f"M{no % 2}", "frm": "M", "how": "siege"}))
        events.add(Event(no=1000 + no, turn=turn, phase="budget", audience="V", event="alliance.betrayed",
                         data={"by": "V"}))
    page = end_of(book, campaign)
    told = [[line.text for line in group.lines.items] for group in page.news]
    assert [group.title for group in page.news] == [str(year) for year in range(1500, 1505)]
    assert all(1 <= len(lines) <= 2 for lines in told)
    assert sum(map(len, told)) <= LINES_OF_STORY
    assert not any("betrayed" in line for lines in told for line in lines)
    assert end_of(book, campaign) == page
