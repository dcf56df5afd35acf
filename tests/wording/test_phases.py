"""A message that tells of a phase names it: in both languages, of all rulebooks, also where it is one word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from assistant.campaign.campaign import Campaign
from assistant.desk.next_steps import outcome_lines
from assistant.turn.findings import Finding
from assistant.turn.messages import COMMON
from assistant.turn.phases import Outcome, order_words
from assistant.turn.rulebooks import load
from assistant.wording import Wording

PHASES = [(book, phase) for book in ("giglio", "anarchy", "incursio") for phase in load(book)._phases]
TURN = {"giglio": "1500", "anarchy": "3", "incursio": "3"}
MOMENTS = [code for code, message in COMMON.items() if "{when}" in message.text]


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize(("book", "phase"), PHASES)
def test_each_message_names_its_phase(book: str, phase: str, lang: str) -> None:
    """The outcome, stopped and resolved; each finding about a moment; the list of what can be undone."""
    ruleset, turn = load(book), TURN[book]
    words, name = Wording(ruleset, lang), ruleset.phase(phase).name(lang)
    assert name
    assert name not in ("", turn)
    when = ruleset.when(turn, phase, lang)
    assert when == f"{ruleset.turn_name(turn, lang)}, {name}"
    for done in (True, False):
        outcome = SimpleNamespace(turn=turn, phase=phase, done=done, events=[], questions=[1], findings=[])
        [line] = outcome_lines(ruleset, cast(Outcome, outcome), words)
        assert line.startswith(f"{when}: "), line
    for code in MOMENTS:
        data: dict[str, Any] = dict.fromkeys(("phase_id", "book", "expected", "found", "n"), "x")
        told = words.finding(Finding(code, "error", data={**data, "when": when}))
        assert when.casefold() in told.casefold(), told
    assert words.text("{when} {phase}", when=f"{turn} {phase}", phase=phase) == f"{when} {name}"


@pytest.mark.parametrize(("book", "word", "lang", "told"), [
    ("warriors", "turn", "en", "turn 3"), ("warriors", "turn", "it", "turno 3"), ("anarchy", "day", "en", "day 3"),
    ("incursio", "day", "it", "giorno 3")])
def test_the_word_of_all_orders_is_no_phase(book: str, word: str, lang: str, told: str) -> None:
    """A finding names the turn as the calendar does, not as the columns have it (``3 turn``)."""
    words = Wording(load(book), lang)
    late = words.finding(Finding("ARB-045", "warning", data={"when": f"3 {word}"}))
    assert told in late
    assert f"3 {word}" not in late


def test_some_findings_tell_of_a_moment() -> None:
    """Otherwise the test above would look at none."""
    assert len(MOMENTS) > 2


@pytest.mark.parametrize(("book", "en", "it"), [
    ("anarchy", "day", "giorno"), ("incursio", "day", "giorno"), ("warriors", "turn", "turno")])
def test_the_word_of_all_orders_stands_on_the_card_in_the_readers_language(book: str, en: str, it: str) -> None:
    """And the sheet takes it in either: what the card shows can be typed into the column For."""
    ruleset, taken = load(book), Campaign(load(book).records)
    taken.by_sheet("Desk").add(ruleset.record("Desk").from_values({
        "ruleset": book, "turn": "1", "phase": next(iter(ruleset._phases))}))

    shown = {lang: {card.when for card in ruleset.order_cards(taken, lang, Wording(ruleset, lang).text)}
             for lang in ("en", "it")}

    assert shown == {"en": {en}, "it": {it}}
    assert {order_words(ruleset, taken)[word] for word in (en, it)} == {en}
