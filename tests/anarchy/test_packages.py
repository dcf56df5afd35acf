"""What leaves for a club is made of its view alone: whole packages compared byte by byte."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import FindingRow
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.render import render_html, render_json, render_text
from assistant.wording import Wording
from tests.anarchy.cases import anarchy
from tests.anarchy.scenario import played_out, wallingford
from tests.repeating import as_texts


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Wallingford 1139 after its scripted days; who has not answered took the default."""
    return played_out(wallingford())[0]


@pytest.fixture(scope="module")
def sent(played: Campaign) -> Callable[[str, str], str]:
    """A side's package of the campaign as it was played, in a language; made once."""
    return cache(lambda faction, lang: package(played, faction, lang))


def package(whole: Campaign, faction: str, lang: str) -> str:
    """Everything that leaves for one club, in one string."""
    words = Wording(anarchy(), lang)
    page = build_page(anarchy(), anarchy().view(whole, faction), faction, words, 0, {})
    gazette = build_gazette(anarchy(), anarchy().view(whole, ""), words, 0, {})
    return "".join(render(one) for one in (page, gazette) for render in (render_html, render_text, render_json))


def _purse(whole: Campaign) -> None:
    whole.by_sheet("Armies")["A-STE"].money = 31337


def _loyalty(whole: Campaign) -> None:
    whole.by_sheet("Nobles")["STE"].loyalty = 3
    whole.by_sheet("Armies")["A-STE"].loyalty = 3


def _choices(whole: Campaign) -> None:
    for army in whole.by_sheet("Armies"):
        if army.faction == "royal":
            army.on_meeting, army.if_attacked, army.joins = "attack", "refuse", "no"


def _hunger(whole: Campaign) -> None:
    whole.by_sheet("Armies")["A-MEU"].hungry_days = 2
    whole.by_sheet("Armies")["A-MEU"].starving = True


def _men(whole: Campaign) -> None:
    whole.by_sheet("Armies")["A-CHE"].foot = 29


def _garrison(whole: Campaign) -> None:
    whole.by_sheet("Places")["oxford-castle"].g_foot = 29


def _store(whole: Campaign) -> None:
    whole.by_sheet("Places")["oxford-castle"].resources = 0


def _orders(whole: Campaign) -> None:
    for order in whole.by_sheet("Orders"):
        if order.faction == "royal":
            order.note, order.path, order.target = "CANARY", "0101", "CANARY"


def _mail(whole: Campaign) -> None:
    whole.by_sheet("Factions")["royal"].mail = "canary@example.org"


def _neutral(whole: Campaign) -> None:
    for convoy in whole.by_sheet("Convoys"):
        if convoy.faction == "neutral":
            convoy.cargo = 1


HIDDEN: tuple[Callable[[Campaign], None], ...] = (
    _purse, _loyalty, _choices, _hunger, _men, _garrison, _store, _orders, _mail, _neutral)


@pytest.mark.parametrize("change", HIDDEN, ids=lambda change: change.__name__.strip("_"))
@pytest.mark.parametrize("reader", ["angevin", ""])
def test_what_the_angevins_cannot_know_is_not_in_their_view(
    played: Campaign, change: Callable[[Campaign], None], reader: str
) -> None:
    """EX-41: each fact that a side cannot know leaves the two views alone of which its package is made."""
    other = played.copy()
    change(other)
    assert as_texts(anarchy().view(other, reader)) == as_texts(anarchy().view(played, reader))


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_what_the_angevins_cannot_know_changes_no_byte(
    played: Campaign, sent: Callable[[str, str], str], lang: str
) -> None:
    """EX-41: facts that had no visible effect, all together, leave the package byte-identical."""
    other = played.copy()
    for change in HIDDEN:
        change(other)
    assert package(other, "angevin", lang) == sent("angevin", lang)


@pytest.mark.slow
@pytest.mark.parametrize("change", [_purse, _hunger, _men], ids=lambda change: change.__name__.strip("_"))
def test_the_owner_reads_of_it(
    played: Campaign, sent: Callable[[str, str], str], change: Callable[[Campaign], None]
) -> None:
    """The same facts are in the owner's own package: the comparison above compares something."""
    other = played.copy()
    change(other)
    assert package(other, "royal", "en") != sent("royal", "en")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_reports_are_worded(played: Campaign, lang: str) -> None:
    """Every event, question and field of eight days is worded: no brace and no code name is left over."""
    for faction in ("royal", "angevin"):
        view, words = anarchy().view(played, faction), Wording(anarchy(), lang)
        text = render_text(build_page(anarchy(), view, faction, words, 0, {}))
        assert "{" not in text
        assert "loyalty_tested" not in text
        assert "order_of_march" not in text


def test_a_note_is_no_alarm_and_speaks_the_reader_s_language(played: Campaign) -> None:
    """What is only to be known looks quieter than a warning, and a refusal louder; sheets and castles by name."""
    other, words = played.copy(), Wording(anarchy(), "it", {"trowbridge-castle": "Trowbridge Castle"})
    for severity, row in (("info", "A-STE"), ("warning", "A-MEU"), ("error", "A-CHE")):
        other.table(FindingRow).add(FindingRow(turn="8", code="ANA-010", severity=severity, table="Armies", row=row,
                                               faction="royal", data={"unit": row}))
    told = render_html(build_referee(anarchy(), other, words, 0, {}))

    for look, row in (("remark aside", "A-STE"), ("remark", "A-MEU"), ("remark refused", "A-CHE")):
        assert re.search(rf'<p class="{look}"[^>]*>(?:(?!</p>).)*Gruppi {row}(?: \(×\d+\))?<', told, re.S), row
    assert "Trowbridge Castle: 1 ucciso (cavalieri)" in told
    assert "trowbridge-castle K" not in told
    assert "realisti angioini" in told


@pytest.mark.parametrize(("lang", "heading"), [("en", "Faction"), ("it", "Fazione")])
def test_the_standings_are_headed_in_the_reader_s_language(played: Campaign, lang: str, heading: str) -> None:
    """The referee's table of who leads: each heading in one language."""
    told = render_html(build_referee(anarchy(), played, Wording(anarchy(), lang), 0, {}))

    assert {"Faction", "Fazione"} & set(re.findall(r"<th[^>]*>\s*(\w+)", told)) == {heading}
