"""Reports of many rounds: five lines, then month by month, theme by theme, the dice apart."""

from __future__ import annotations

import re
import sys
from functools import lru_cache

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.reporting.build import build_gazette, build_page, build_referee, chapters_of
from assistant.reporting.facts import CATEGORY_TITLES
from assistant.reporting.pages import ReportPage, SpanPage
from assistant.reporting.reader import Reader
from assistant.reporting.render import render_html, render_json, render_text
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.game import Phase
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording, named_wording
from tests.played import CAMPAIGNS
from tests.reporting.test_italy import CLUBS, page, year
from tests.sweeps import fast_among

pytestmark = pytest.mark.slow
"""Years are played and shown."""
SPAN = ("1501", "income")
SIDES = ("royal", "angevin")


@lru_cache(maxsize=1)
def days() -> tuple[Campaign, Campaign]:
    """Wallingford 1139 before its opening and after eight days."""
    played = [(before, outcome.campaign) for before, outcome in CAMPAIGNS["anarchy-wallingford-1139"]()]
    return played[0][0], played[-1][1]


def of_days(reader: str, lang: str) -> ReportPage:
    """A side's page of eight days, the gazette for "", the referee's for ``referee``."""
    book, (before, now) = load("anarchy"), days()
    return between(book, before, now, reader, lang)


def of_year(reader: str, lang: str) -> ReportPage:
    """A club's page of 1500, the gazette for "", the referee's for ``referee``."""
    return between(GIGLIO, year()["1500", "income"], year()[SPAN], reader, lang)


def between(book: Ruleset, before: Campaign, now: Campaign, reader: str, lang: str) -> ReportPage:
    """A reader's page of the time between two states, worded with names."""
    words = named_wording(book, now, lang)
    if reader == "referee":
        return build_referee(book, now, words, previous=before)
    view, past = book.view(now, reader), book.view(before, reader)
    if reader == "":
        return build_gazette(book, view, words, previous=past)
    return build_page(book, view, reader, words, previous=past)


def long(made: ReportPage) -> SpanPage:
    """The page as one of many rounds."""
    assert isinstance(made, SpanPage)
    return made


# --- five lines -------------------------------------------------------------------------------------------
def test_a_year_begins_with_what_it_came_to() -> None:
    """Venice's year in five lines: two battles won, two cities lost, each with its month, and who is near."""
    made = long(of_year("V", "en"))

    assert [(line.place, line.text, line.when) for line in made.brief.lines.items] == [
        ("", "The battle of Ravenna: Venice beats the Papal State and holds the field.", "May"),
        ("", "The battle of Verona: Venice beats the Holy Roman Empire and holds the field.", "May"),
        ("", "The Ottoman Empire takes Zara (V4) from Venice by siege.", "August"),
        ("", "The Papal State takes Rovigo (V8) from Venice by siege.", "August"),
        ("", "The enemy is near, in 5 places: the army of the Papal State (P-1) at Rovigo (V8), where you are too; the "
             "army of the Holy Roman Empire (HRI-1) at Trent (HRI1), next to Verona (V6); the army of the Holy Roman "
             "Empire (HRI-2) at Gorizia (HRI4), next to Udine (V2); and 2 more places.", "")]
    for text in (render_html(made), render_text(made)):
        assert text.lower().index("what to do now") < text.lower().index("in five lines")
        assert text.lower().index("in five lines") < text.lower().index("at a glance")


@pytest.mark.parametrize("reader", fast_among([*CLUBS, "", "referee"], "V", "", "referee"))
def test_every_reader_of_a_year_has_five_lines_of_different_places(reader: str) -> None:
    """Nobody reads twice of one place, and no mere throw of dice is among the lines."""
    lines = long(of_year(reader, "it")).brief.lines.items
    assert len(lines) == 5
    assert not any(line.roll or "tiri" in line.text for line in lines)
    assert len({line.text for line in lines}) == 5


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_a_side_of_the_anarchy_reads_first_how_its_battles_went(side: str) -> None:
    """What the book says in sentences of its own stands before events, and no line is a table of losses."""
    lines = long(of_days(side, "en")).brief.lines.items
    assert len(lines) == 5
    assert all(line.text.startswith("Your side ") for line in lines[:2])
    assert not any("killed, wounded and captured" in line.text and len(line.text) > 120 for line in lines)


# --- months and themes ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "months"), [
    ("en", ["Spring", "April", "May", "June", "July", "August", "September", "October", "Winter"]),
    ("it", ["Primavera", "Aprile", "Maggio", "Giugno", "Luglio", "Agosto", "Settembre", "Ottobre", "Inverno"])])
def test_a_year_goes_by_month(lang: str, months: list[str]) -> None:
    """Two rounds of a month are told together, all before the first round is spring."""
    assert [chapter.title for chapter in long(of_year("V", lang)).chapters] == months


def test_the_anarchy_goes_by_day() -> None:
    """Where a whole turn is ordered at once the turn is the chapter."""
    assert [chapter.title for chapter in long(of_days("royal", "en")).chapters] == [f"Day {n}" for n in range(9)]


def test_a_rulebook_that_declares_no_months_goes_by_the_names_of_its_rounds() -> None:
    """What stands before the colon of a phase's name; the turn where there is one set of orders only."""
    def phase(name: str, word: str) -> Phase:
        return Phase(name, f"Round {name[0]}: {name}", f"Passo {name[0]}: {name}", "1", orders=word)

    several = Calendar((phase("1a", "one"), phase("1b", ""), phase("2a", "two")), Turns())
    single = Calendar((phase("1a", "one"), phase("1b", "one")), Turns())

    assert [several.chapter("3", one, "en") for one in ("1a", "1b", "2a")] == ["Round 1", "Round 1", "Round 2"]
    assert several.chapter("3", "1b", "it") == "Passo 1"
    assert single.chapter("3", "1b", "en") == several.chapter("3", "nothing", "en") == ""


@pytest.mark.parametrize("reader", ["V", "", "referee"])
def test_themes_stand_in_one_order_and_hold_no_mere_throws(reader: str) -> None:
    """In every month battles before sieges before marches, as events declare them; dice stand apart, with a rule."""
    made = long(of_year(reader, "en"))
    order = [*CATEGORY_TITLES.values(), made.headings.news]

    for chapter in made.chapters:
        places = [order.index(group.title) for group in chapter.groups]
        assert places == sorted(set(places)), chapter.title
        lines = [line for group in chapter.groups for line in group.lines.items]
        assert not any(line.roll for line in lines)
        assert all(line.roll and line.rule for line in chapter.throws.items)
        assert len(set(lines)) == len(lines)
    sieges = [line.text for chapter in made.chapters for line in chapter.throws.items if " besiege" in line.text]
    assert bool(sieges) == (reader != "")
    assert not made.happened
    assert not made.battles.items


def test_what_happens_again_in_a_month_is_said_once() -> None:
    """Zara held twice in May."""
    may = next(chapter for chapter in long(of_year("V", "en")).chapters if chapter.title == "May")
    assert "Zara (V4) holds against the Ottoman Empire. (×2)" in [
        line.text for group in may.groups for line in group.lines.items]


def test_what_a_month_leaves_out_is_counted() -> None:
    """Told and left out together are all events of the month but the mere throws of dice."""
    made = long(of_year("", "en"))
    told = 0
    for line in (one for chapter in made.chapters for group in chapter.groups for one in group.lines.items):
        likewise = line.text.partition("Likewise: ")[2]
        told += int(line.text.partition("(×")[2][:1] or 1) + (likewise.count(",") + 1 if likewise else 0)
    left = sum(int(chapter.more.split()[1]) for chapter in made.chapters if chapter.more)
    events = list(GIGLIO.view(year()[SPAN], "").table(Event))
    events = [e for e in events if e.event not in GIGLIO.events or not GIGLIO.events[e.event].outdone(e, events)]
    throws = sum(bool(e.roll) and GIGLIO.events[e.event].category == "rulings" for e in events)
    assert told + left == len(events) - throws


def test_the_dice_of_a_year_stand_at_the_end_of_its_text_and_folded_on_its_page() -> None:
    """Every roll of Venice's year is there, none of them among the months."""
    made = long(of_year("V", "en"))
    text, html = render_text(made), render_html(made, largest=sys.maxsize)
    after = text.index(made.throws.upper())
    rolls = [line.roll for chapter in made.chapters for line in chapter.throws.items]
    assert len(rolls) > 10
    assert text.index("WINTER") < after < text.index("DICE AND RULINGS")
    assert "besieger's sapper" not in text[text.index(made.chapters[0].title.upper()):after]
    assert len(re.findall(f"<summary[^>]*>{made.throws}", html)) == 1
    assert '"chapters"' in render_json(made)


def test_a_report_of_one_or_two_rounds_goes_by_category_as_ever() -> None:
    """Months begin with the third round of orders."""
    two = page("V", year()["1500", "r3.move"], year()["1500", "r1.move"])
    three = page("V", year()["1500", "r4.move"], year()["1500", "r1.move"])
    assert not isinstance(two, SpanPage)
    assert two.happened
    assert isinstance(three, SpanPage)


def test_several_years_are_told_year_by_year() -> None:
    """Of more months than a page holds each turn is one chapter; of a few months more each is named with its year."""
    now = year()[SPAN].copy()
    events = [event.copy() for event in now.table(Event)]
    for turn in ("1501", "1502"):
        for event in events:
            again = event.copy()
            again.no, again.turn = len(now.table(Event)) + 1, turn
            now.table(Event).add(again)
    reader = Reader.of(GIGLIO, now, "referee", Wording(GIGLIO, "en"))
    told = reader.period.events

    assert [one.title for one in chapters_of(reader, told, None)] == ["1500", "1501", "1502"]
    some = chapters_of(reader, [e for e in told if e.phase in ("income", "winter")], None)
    assert [one.title for one in some] == [f"{turn}, {part}" for turn in (1500, 1501, 1502)
                                           for part in ("Spring", "Winter")]


@pytest.mark.slow
def test_an_order_s_remark_is_said_once_in_a_year() -> None:
    """Groups without orders are named once each, with how often."""
    orders = of_days("royal", "en").orders
    assert orders is not None
    rows = [remark.row for remark in orders.remarks.items]
    assert "Gruppi A-BLK (×5)" in rows
    assert len(set(rows)) == len(rows)
