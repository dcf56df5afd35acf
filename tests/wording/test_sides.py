"""Who marches and who fights is said by name, and verbs agree with names that are plural."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.reporting.reader import Reader
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.pictures.boards import start

NAMES = {"A-ROB": "Earl Robert's host (A-ROB)", "A-YPR": "Flemings (A-YPR)", "A-STE": "The King's host (A-STE)",
         "O1": "Clan del Corvo", "O2": "Predoni di Boscozanna", "O3": "Fangwood Raiders"}


def told(ruleset: Ruleset, lang: str, event: str, **data: Any) -> str:
    """An event as a sentence."""
    return Wording(ruleset, lang, NAMES).event(Event(event=event, data=data))


@pytest.mark.parametrize("lang", ["en", "it"])
def test_groups_go_by_their_names(lang: str) -> None:
    """The order of march, and the two parts of a battle, each of several groups."""
    march = told(ANARCHY, lang, "order_of_march", list="A-STE A-ROB")
    fight = told(ANARCHY, lang, "battle_opened", b="B2-1", sides="A-ROB A-STE / A-YPR", n=51, m=2)
    assert march.endswith(": The King's host (A-STE), Earl Robert's host (A-ROB).")
    against = {"en": "against", "it": "contro"}[lang]
    assert fight.startswith(
        f"B2-1: Earl Robert's host (A-ROB), The King's host (A-STE) {against} Flemings (A-YPR); 51 ")


@pytest.mark.parametrize(("lang", "army", "words"), [
    ("it", "O1", "Il Clan del Corvo arretra"), ("it", "O2", "I Predoni di Boscozanna arretrano"),
    ("en", "O1", "Clan del Corvo steps back"), ("en", "O3", "Fangwood Raiders step back")])
def test_a_verb_agrees_with_the_name_of_a_force(lang: str, army: str, words: str) -> None:
    """As far as a name tells whether it is plural."""
    assert told(WARRIORS, lang, "stepped_back", army=army, node="E04", to="F05").startswith(words)


@pytest.mark.parametrize(("lang", "second"), [("en", ("your",)), ("it", ("tua", "tuo"))])
def test_what_the_referee_reads_too_says_nothing_of_you(lang: str, second: tuple[str, ...]) -> None:
    """An exploration and a throw for the order of movement, which a club reads and the referee as well."""
    lines = [told(WARRIORS, lang, "exploration", battle="B2-1", total=3, band=1, better=better)
             for better in ("you", "enemy", "nobody")] + [told(WARRIORS, lang, "initiative_roll")]
    assert not [line for line in lines for word in second if word in line.casefold().split()]


@pytest.mark.parametrize(("lang", "skills", "stance"), [("en", "desert, fast", "counter march"),
                                                        ("it", "deserto, veloce", "contromarcia")])
def test_codes_of_a_cell_are_words_in_a_report(lang: str, skills: str, stance: str) -> None:
    """Several of one cell, and a choice of two words; on the sheets they stay what is typed."""
    found = []
    for book, faction, sheet, field, value in (("bloodlust", "VOR", "Units", "skills", "desert fast"),
                                               ("warriors", "men", "Armies", "on_contact", "counter_march")):
        ruleset, campaign = start(book)
        reader = Reader.of(ruleset, ruleset.view(campaign, faction), faction, Wording(ruleset, lang))
        found.append(reader.cell(ruleset.record(sheet).column(field), value, sheet).text)
    assert found == [skills, stance]
