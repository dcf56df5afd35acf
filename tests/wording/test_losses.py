"""Losses that an event holds as figures are told in words; empty loot says so; chapters have Italian headings."""

from __future__ import annotations

import pytest

from assistant.campaign.records import Event
from assistant.turn.rulebooks import load
from assistant.wording import Wording

NAMES = {"A-BOH": "Bohun"}


@pytest.mark.parametrize(("lang", "told"), [
    ("en", "Bohun: 1 killed (knights), 2 wounded, 1 captured (armoured foot); P1: 3 killed"),
    ("it", "Bohun: 1 ucciso (cavalieri), 2 feriti, 1 prigioniero (fanti armati); P1: 3 uccisi")])
def test_losses_are_told_rank_by_rank(lang: str, told: str) -> None:
    """What is nought is left out; a group of whom no ranks are told has its sum."""
    event = Event(no=1, event="battle_result", data={
        "b": "B4-1", "part": "losses", "list": "A-BOH K 1/0/0; A-BOH S 0/2/1; P1 3/0/0"})
    assert told in Wording(load("anarchy"), lang, NAMES).event(event)


@pytest.mark.parametrize(("n", "told"), [
    (0, "Il saccheggio di PIO non frutta nulla."), (1, "Il saccheggio di PIO frutta 1 risorsa."),
    (3, "Il saccheggio di PIO frutta 3 risorse.")])
def test_loot_says_what_it_brought(n: int, told: str) -> None:
    """Nothing, one, several."""
    event = Event(no=1, event="looted", data={"faction": "PIO", "n": n})
    assert Wording(load("bloodlust"), "it").event(event).startswith(told)


@pytest.mark.parametrize("book", ["giglio", "anarchy", "incursio", "warriors", "bloodlust"])
def test_each_chapter_has_an_italian_heading(book: str) -> None:
    """Of all that the book cites, but its tables, which are numbered, and the name of another game."""
    ruleset = load(book)
    words = Wording(ruleset, "it")
    assert [cited.heading for cited in ruleset.citations.values()
            if words.text(cited.heading) == cited.heading and not cited.heading.startswith(("Table", "Armati"))] == []
