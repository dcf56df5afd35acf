"""The luck page: expected against rolled, of the dice that a faction may know and that concern it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.reporting.build import build_page
from assistant.reporting.facts import format_fraction, luck_section
from assistant.reporting.pages import Luck, LuckRow, ReportPage
from assistant.reporting.reader import Period, Reader
from assistant.reporting.render import render_html, render_json, render_text
from assistant.turn.chances import chance
from tests.reporting.feud import FEUD, campaign, wording
from tests.reporting.test_italy import CLUBS, page, year
from tests.sweeps import fast_among

SPRING, NEXT = ("1500", "income"), ("1501", "income")


def of_year(club: str, lang: str = "en") -> Luck:
    """A club's luck in the report of the whole year 1500."""
    (found,) = page(club, year()[NEXT], year()[SPRING], lang).luck
    return found


def by_kind(found: Luck) -> dict[tuple[str, str], LuckRow]:
    """The rows by kind and side."""
    return {(row.kind, row.side): row for row in found.rows}


def test_the_year_of_venice_is_reckoned_from_its_sieges() -> None:
    """Ten sieges withstood and two laid, each with the exact chance of its modifiers, as the events tell them."""
    rows = by_kind(of_year("V"))
    told = [e for _, e in year()[NEXT].table(base.Event).in_file_order()
            if e.event == "siege.roll" and "V" in e.audience.split()]

    for side, laid in (("own", True), ("other", False)):
        mine = [e.roll for e in told if (e.data["besieger"] == "V") is laid]
        row = rows["siege", side]
        expected = sum((chance("1d6", sum(n for _, n in r["modifiers"]), 7) for r in mine), Fraction(0))
        assert (row.dice, row.checks, row.rolled) == (len(mine), len(mine), sum(r["value"] for r in mine))
        assert row.passed == sum(r["passed"] for r in mine)
        assert Fraction(row.chance) == expected
        assert Fraction(row.expected) == Fraction(7, 2) * len(mine)
    assert (rows["siege", "other"].dice, rows["siege", "own"].dice) == (10, 2)
    assert rows["stormfleet", "own"].dice == 1


@pytest.mark.slow
def test_dice_of_others_and_of_nobody_do_not_count() -> None:
    """Neither the weather nor another faction's winter is Venice's luck, though everybody may know of it."""
    kinds = {row.kind for row in of_year("V").rows}

    assert "storm" not in kinds
    assert by_kind(of_year("V"))["event", "own"].dice == 1
    assert ("event", "other") not in by_kind(of_year("V"))


def test_a_fleet_that_sank_counts_for_its_owner() -> None:
    """Spain's lost fleet is no longer on any sheet, its storm is in Spain's luck all the same."""
    assert by_kind(of_year("S"))["stormfleet", "own"].rolled == 6


def test_typed_dice_are_named() -> None:
    """All dice of the scripted year were thrown at the table, and the page says so."""
    found = of_year("V")

    assert sum(row.typed for row in found.rows) == sum(row.dice for row in found.rows) == 20
    assert found.said[-1] == "20 of the dice were thrown at the table."


@pytest.mark.parametrize("club", fast_among(CLUBS, "V", "SV"))
def test_all_twins_say_the_same(club: str) -> None:
    """Title, sentences and figures stand in HTML and text, the fractions in JSON."""
    seen = page(club, year()[NEXT], year()[SPRING])
    (found,) = seen.luck
    html, text = render_html(seen), " ".join(render_text(seen).split())

    for said in found.said:
        assert said in html
        assert said in text
    for row in found.table.rows.items:
        assert " ".join(cell.text for cell in row) in text
    shown = json.loads(render_json(seen))["luck"][0]["rows"]
    assert [Fraction(row["expected"]) for row in shown] == [Fraction(row.expected) for row in found.rows]
    assert len(html.encode()) < 100_000


def test_luck_is_told_at_the_end_of_a_year_only() -> None:
    """A report inside the year has no luck page, one of the winter alone has that of the whole year."""
    assert page("V", year()["1500", "r4.move"], year()["1500", "r3.move"]).luck == ()
    assert page("V", year()["1501", "budget"], year()[NEXT]).luck == ()
    (winter,) = page("V", year()[NEXT], year()["1500", "winter"]).luck

    assert winter == of_year("V")


def test_luck_is_italian_on_an_italian_page() -> None:
    """Kinds, sentences and the comma of an Italian report."""
    found = of_year("V", "it")

    assert found.title == "La tua fortuna nel 1500"
    assert "70,0" in found.said[0]
    assert [row[0].text for row in found.table.rows.items][:2] == ["Assedi: l'altra parte", "Assedi: tu"]


# --- hand-made: what may be known, and the end ------------------------------------------------
def played(over: bool = False) -> Campaign:
    """The hills, with secret throws of Blue, after turn 3."""
    whole = campaign()
    for no, (audience, key) in enumerate((("B", "plot:B:3"), ("B G", "raid:K3:3"), ("referee", "omen:3")), 20):
        roll = {"key": key, "dice": "1d6", "value": 6, "faces": [6], "typed": False}
        whole.table(base.Event).add(base.Event(no=no, turn="3", phase="war", audience=audience, event="plot", rule="3",
                                               data={"by": "B", "on": "K1"}, roll=roll))
    whole.desk.phase = "over" if over else "march"
    return whole


def luck_of(whole: Campaign, faction: str) -> tuple[Luck, ...]:
    """The luck in a first report."""
    made: ReportPage = build_page(FEUD, FEUD.view(whole, faction), faction, wording())
    return made.luck


def test_only_dice_that_the_reader_may_know_count() -> None:
    """Red's luck is the same with and without Blue's secret throws; Blue's is not."""
    assert luck_of(played(), "R") == luck_of(campaign(), "R")
    assert {row.kind for luck in luck_of(played(), "R") for row in luck.rows} == {"siege"}
    assert {row.kind for luck in luck_of(played(), "B") for row in luck.rows} == {"siege", "plot", "raid"}


def test_a_throw_told_of_twice_counts_once() -> None:
    """One die, two events about it."""
    whole = campaign()
    first = next(e for e in whole.table(base.Event) if e.roll)
    again = first.copy()
    again.no = 30
    whole.table(base.Event).add(again)

    assert luck_of(whole, "R") == luck_of(campaign(), "R")


def test_the_referee_counts_every_die() -> None:
    """All events' throws, and those of the Dice sheet of which no event tells."""
    whole = played()
    reader = Reader(FEUD, whole, "referee", wording(), Period(FEUD, whole, 0))

    found = luck_section(reader, {("3", "war")}, "All")

    assert found is not None
    assert {row.kind: (row.dice, row.typed, row.side) for row in found.rows} == {
        "siege": (1, 0, ""), "plot": (2, 1, ""), "raid": (1, 0, ""), "omen": (1, 0, "")}
    assert found.said[0] == "5 dice were thrown: they came to 28, 17.5 was to be expected."


def test_the_last_report_tells_of_all_years() -> None:
    """Over two turns the page of the end has the last one's luck and the whole campaign's."""
    whole = played(over=True)
    roll = {"key": "plot:R:4", "dice": "1d6", "value": 1, "faces": [1], "typed": False}
    whole.table(base.Event).add(base.Event(no=40, turn="4", phase="war", audience="R", event="plot", rule="3",
                                           data={"by": "R", "on": "B"}, roll=roll))

    titles = {luck.title: sum(row.dice for row in luck.rows) for luck in luck_of(whole, "R")}

    assert titles == {"Your luck in 3": 1, "Your luck in 4": 1, "Your luck in the whole campaign": 2}


def test_a_throw_that_cannot_be_read_is_left_out() -> None:
    """An event whose throw was changed by hand does not keep the report from being made."""
    whole = campaign()
    whole.table(base.Event).add(base.Event(no=50, turn="3", phase="war", audience="R", event="plot", rule="3",
                                           data={"by": "R", "on": "B"}, roll={"key": "x", "dice": "six"}))

    assert luck_of(whole, "R") == luck_of(campaign(), "R")


@pytest.mark.parametrize(("value", "places", "shown"), [
    (Fraction(7, 2), 2, "3.50"), (Fraction(1, 3), 1, "0.3"), (Fraction(2, 3), 1, "0.7"), (Fraction(1, 20), 1, "0.1"),
    (Fraction(299, 100), 1, "3.0"), (Fraction(123456, 10), 1, "12,345.6")])
def test_fractions_are_rounded_half_up(value: Fraction, places: int, shown: str) -> None:
    """In the language's own signs, never through a floating number."""
    assert format_fraction(wording(), value, places) == shown
