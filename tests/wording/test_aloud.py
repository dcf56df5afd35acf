"""Messages read aloud: with a masculine, a feminine, a plural and a vowel at the beginning of a name."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from babel.messages.catalog import Catalog

from assistant.edit_catalogue import (
    italian_catalogues,
    main,
    meanings_by_text,
    preview_catalogues,
    problems,
)
from assistant.rulebook_source import odd_forms
from assistant.speech import split_sentences
from assistant.turn.rulebooks import load
from assistant.turn.texts import Meaning, meaning_of

DONE = ("arbitro", "giglio", "anarchy", "incursio", "warriors", "bloodlust")
"""The catalogues whose Italian names all stand with their articles."""
_CLASH = re.compile(r"(?i)\b(di|a|da|in|su) (il|lo|la|i|gli|le|l')\b(?! (?:giocano|gioca)\b)")
_AFTER = {
    "it": re.compile(r"(?i)(?:^|[\s(])(?:di|a|ad|da|in|con|su|per|fra|tra|contro|presso|verso|e|ed) $"),
    "en": re.compile(r"(?i)(?:^|[\s(])(?:of|to|from|by|in|at|with|against|near|between|for|and) $"),
}
_LABEL = re.compile(r"[:,;)']|$")
"""What follows a name that needs no article: in a label, a list, a quotation."""


def bare_names(text: str, lang: str, means: Mapping[str, Meaning] | None = None) -> list[str]:
    """The braces of a text with the name of a faction or place after a preposition, or at the head of a sentence, that
    do not ask for its article.
    """
    names = []
    for sentence in split_sentences(text):
        for number, part in enumerate(sentence):
            if isinstance(part, str) or part.form or part.variants or (
                    meaning_of(part.name, means) not in ("faction", "place")):
                continue
            before = sentence[number - 1] if number else ""
            after = sentence[number + 1] if number + 1 < len(sentence) else ""
            headed = not number and not _LABEL.match(after if isinstance(after, str) else "-")
            if headed or (isinstance(before, str) and _AFTER[lang].search(before)):
                names.append(part.whole)
    return names


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """All that Il Giglio and the house say in Italian, read aloud."""
    return list(preview_catalogues(italian_catalogues([load("giglio")]), "it"))


@pytest.mark.parametrize("domain", DONE)
def test_no_italian_message_puts_a_bare_name_after_a_preposition_or_at_its_head(domain: str) -> None:
    """*Della Turchia*, never *di Turchia*; *la Turchia pone l'assedio*, never *Turchia*."""
    book = None if domain == "arbitro" else load(domain)
    means, stiff = meanings_by_text(book), {}
    catalogue = next(messages for messages, _ in italian_catalogues([book] if book else [], house=book is None))
    for message in catalogue:
        ids = (message.id,) if isinstance(message.id, str) else message.id
        texts = (message.string,) if isinstance(message.string, str) else message.string or ()
        for msgid, text in zip(ids, texts, strict=False):
            if msgid and not message.context and (bare := bare_names(text, "it", means.get(msgid))):
                stiff[text] = bare

    assert stiff == {}


def test_articles_and_prepositions_are_one_word(lines: list[str]) -> None:
    """Nowhere *di il Papato*, *a le Fiandre*; and no brace is left."""
    assert [line for line in lines if _CLASH.search(line)] == []
    assert [line for line in lines if re.search(r"\{\w+[:?]", line)] == []


@pytest.mark.parametrize("line", [
    "Guarnigione del Papato a Zara.",
    "La Turchia pone l'assedio al Castello di Trowbridge.",
    "La Spagna e i collegati pongono l'assedio ad Alessandria.",
    "Il Golfo di Napoli resiste all'assedio della Turchia.",
    "Il Golfo di Napoli cade: lo prende la Turchia.",
    "Alessandria cade: la prende il Papato.",
    "Zara cade: la prendono la Spagna e i collegati.",
    "Stretto un patto fra il Papato e la Turchia.",
    "V-1 è respinta da Zara al Castello di Trowbridge.",
    "Zara è fortificata.",
    "Vincono la Spagna e i collegati. Obiettivi centrati: <reached>. <detail>.",
    "Quest'anno lo Stratega è l'Inghilterra: decide l'ordine di mossa delle fazioni.",
    "Il Papato ha tradito il patto fra la Turchia e la Spagna e i collegati.",
    "Nessuna strada dal Golfo di Napoli a Zara. Dal Golfo di Napoli si va a <list>.",
    "Il Papato prende Zara dopo un assedio (luogo finora neutrale).",
    "V-1 esce dalle mura e scende in campo a Zara.",
    "Sono state fatte <n> correzioni.",
])
def test_it_reads_as_italian(lines: list[str], line: str) -> None:
    """Gender, number, elision and *ad*, in sentences of every kind."""
    assert line in lines


@pytest.mark.slow
def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Each message once, and once for each kind of name where it has one; English likewise."""
    assert main(["aloud", "it", "giglio"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "La Turchia ha tradito il patto fra la Spagna e i collegati e l'Inghilterra." in told
    assert main(["aloud", "en", "giglio"]) == 0
    assert "The sea is calm." in capsys.readouterr().out.splitlines()
    assert main(["aloud", "fr"]) == 2


def test_a_form_that_there_is_not_is_found() -> None:
    """In a translation and in an original; forms may differ where the parameters are the same."""
    catalogue = Catalog(locale="it")
    catalogue.add("{by:the} takes {node}.", "{by:il} {by?prende|prendono} {node:il}.")
    assert problems(catalogue) == []
    catalogue.add("{by} goes.", "{by:del} va.")
    assert problems(catalogue) == ["no such form: {by:del} of '{by} goes.'"]
    assert odd_forms("{by?a|b|c} {by:il}", "en") == ["{by?a|b|c}", "{by:il}"]


def test_bare_names_are_seen() -> None:
    """After a preposition, at the head, in a list; not as a label, nor what is no name."""
    assert bare_names("{faction} prende {node} a {by}.", "it") == ["{faction}", "{by}"]
    assert bare_names("{node}: {unit} va da {army}. {faction:il} e {by?a|b}", "it") == []
    assert bare_names("Fra {a} e {b}", "it", {"a": "place", "b": "faction"}) == ["{a}", "{b}"]


KEPT = {"Levy of {place}: {men}",
        "{side} counts as the attacker, deploys first or second as it chooses, and starts or lets start.",
        "{side} is not moving and chooses the first map, then in turn; north is agreed or drawn."}
"""Sentences of dossiers, which stand in workbooks as they are."""


@pytest.mark.parametrize("domain", DONE)
def test_no_english_message_does_either(domain: str) -> None:
    """*The Papal State betrayed the treaty*, *in the Gulf of Naples*, *to the King's party*."""
    book = None if domain == "arbitro" else load(domain)
    means = meanings_by_text(book)
    catalogue = next(messages for messages, _ in italian_catalogues([book] if book else [], house=book is None))
    texts = [text for message in catalogue if message.id and not message.context
             for text in ((message.id,) if isinstance(message.id, str) else message.id)]
    assert [text for text in texts if text not in KEPT and bare_names(text, "en", means.get(text))] == []
