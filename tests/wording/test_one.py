"""Every message with a number is right for one as well: never *1 ducats*, *1 dadi*, *1 are left*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from assistant.desk import rules
from assistant.edit_catalogue import italian_catalogues, meanings_by_text, shipped_rulesets
from assistant.speech import braces, value_words
from assistant.turn.numbers import Number
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import meaning_of
from assistant.wording import Wording

NO_NUMBERS = frozenset({
    "list", "who", "what", "name", "names", "row", "column", "detail", "units", "found", "when", "file", "sheet", "men",
    "target", "p", "verb", "leader", "reason", "spied", "a", "b", "weapon", "limit", "length"})
"""Parameters that hold words, also several of them."""
NAMED = frozenset({"army", "attacker", "group", "unit", "a", "b", "x"})
"""Parameters with whose name a verb agrees: *the raiders attack*."""
PLURALS = {
    "en": frozenset({
        "dice", "men", "are", "were", "have", "points", "ducats", "coins", "resources", "figures", "units", "rounds",
        "turns", "days", "weeks", "seasons", "times", "provinces", "successes", "squares", "miles", "hits", "rolls",
        "steps", "rows", "files", "clubs", "factions", "attacks", "mercenaries", "levies",
        "captives", "quarters", "inches", "spies"}),
    "it": frozenset({
        "dadi", "punti", "ducati", "monete", "risorse", "miniature", "ordini", "turni", "giorni", "settimane",
        "stagioni", "volte", "province", "successi", "quadrati", "miglia", "colpi", "tiri", "passi", "righe", "circoli",
        "fazioni", "sono", "erano", "hanno", "mercenari", "prigionieri", "quarti", "pollici", "spie"})}
"""What cannot stand behind a 1; beside them all that agrees with a number somewhere."""
MANY = {"No. {n} orders {id} otherwise; the later no. {m} counts.",
        "{m} are {contract}.",
        "{difference} points",
        "Argument {name!r} takes {nargs} values.",
        "L'argomento {name!r} vuole {nargs} valori.",
        "A pilot of {pilot} campaigns, which does not count, says that {most} are not enough for {margin} points.",
        "A pilot of {pilot} campaigns, which does not count, says that {needed} are enough for {margin} points.",
        "After {played} campaigns all that is said of the victories is right to within {points} points.",
        "These are {cells} combinations of values, and at most {most} are played at once. Vary fewer numbers."
        " Nothing was begun.",
        "{difference} punti",
        "Una prova di {pilot} campagne, che non conta, dice che {most} non basteranno per {margin} punti.",
        "Una prova di {pilot} campagne, che non conta, dice che {needed} basteranno per {margin} punti.",
        "Dopo {played} campagne tutto ciò che si dice delle vittorie è giusto entro {points} punti."}
"""Texts whose number is never one, or numbers an order, or is none."""
_ONE = re.compile(r"(?<![\w.,/])1 (\w+)")
_BEFORE = re.compile(r"\b(?:sono|restano|servono|erano|disertano) 1\b")


def said(lang: str) -> Iterator[tuple[str, str, Ruleset | None]]:
    """Every text of a language, with the catalogue and the rulebook to which it belongs."""
    for msgid, text, ruleset in _texts():
        yield msgid, msgid if lang == "en" else text, ruleset


@cache
def _texts() -> list[tuple[str, str, Ruleset | None]]:
    return [(message.id, message.string, ruleset) for catalogue, ruleset in italian_catalogues(shipped_rulesets())
            for message in catalogue
            if isinstance(message.id, str) and isinstance(message.string, str) and message.id and not message.context]


def agreeing(lang: str) -> frozenset[str]:
    """The plurals that texts have for a number, by the singular beside them."""
    pairs = (brace.variants for _, text, _ in said(lang) for brace in braces(text)
             if len(brace.variants) == 2 and brace.name not in NAMED and f"{{{brace.name}}} {brace.whole}" in text)
    heads = ((one.partition(" ")[0], many.partition(" ")[0]) for one, many in pairs)
    return frozenset(many for one, many in heads if one != many) | PLURALS[lang]


@pytest.mark.parametrize("lang", ["en", "it"])
def test_behind_a_one_stands_no_plural(lang: str) -> None:
    """All messages with each number 1, in both languages."""
    plurals = agreeing(lang)
    wrong = {f"{ruleset.id if ruleset else 'arbitro'}: {text}" for ruleset, text, told in with_ones(lang)
             if not plurals.isdisjoint(word.casefold() for word in _ONE.findall(told))
             or (lang == "it" and _BEFORE.search(told))}
    assert wrong == set()


def with_ones(lang: str) -> Iterator[tuple[Ruleset | None, str, str]]:
    """The texts of a language with braces, each with the rulebook to which it belongs and as it reads where all of its
    numbers are 1.
    """
    known = {ruleset: meanings_by_text(ruleset) for ruleset in (None, *shipped_rulesets())}
    for msgid, text, ruleset in said(lang):
        means = known[ruleset].get(msgid) if ruleset in known else meanings_by_text(ruleset).get(msgid)
        data = {one.name: "…" if one.name in NO_NUMBERS or meaning_of(one.name, means) != "any" else 1
                for one in braces(text)}
        if data and text not in MANY:
            yield ruleset, text, Wording(ruleset, lang).sentence(text, data)


@pytest.mark.parametrize(("n", "told"), [(1, "1 ducat"), (0, "0 ducats"), (2, "2 ducats"), ("+1", "+1 ducat"),
                                         ("-2", "-2 ducats"), ("12.5", "12.5 ducats"), ("1–3", "1–3 ducats"),
                                         (20_000, "20,000 ducats")])
def test_a_word_agrees_with_any_number(n: int | str, told: str) -> None:
    """Signed, in parts, with its thousands set apart."""
    assert Wording(None, "en").text("{n} {n?ducat|ducats}", n=n) == told
    if isinstance(n, int):
        words = Wording(None, "en")
        assert words.text("{n} {n?ducat|ducats}", n=words.number(n)) == told


def test_one_less_is_one_as_well() -> None:
    """*-1 success* and *-1 successo*, as *-1 ducat*."""
    for lang, told in (("en", ["-1 success", "-2 successes"]), ("it", ["-1 successo", "-2 successi"])):
        assert [Wording(None, lang).plural("{n} success", "{n} successes", n) for n in (-1, -2)] == told


def test_the_unit_of_a_number_of_the_book_is_no_plural_behind_a_one() -> None:
    """*25 ducats*, but *1 (ducats)*; and never *3 1d6*."""
    words = Wording(None, "en")
    told = {value_words(Number("cost", 1, unit, "1", ""), value, words)
            for unit, value in (("ducats", 25), ("ducats", 1), ("% of the loan", 1), ("1d6, this or more", 3), ("", 1))}
    assert told == {"25 ducats", "1 (ducats)", "1 % of the loan", "3 (1d6, this or more)", "1"}


def test_the_list_of_a_rulebooks_numbers_has_no_plural_behind_a_one() -> None:
    """*cost_road = 1 (movement points)*, in either language, and *3 (1d6)*."""
    for lang, unit in (("en", "movement points"), ("it", "punti movimento")):
        lines = rules("anarchy", lang=lang).lines
        assert any(line.startswith(f"cost_road = 1 ({unit})") for line in lines), lang
    assert not [line for line in rules("bloodlust", lang="en").lines if " = 3 1d6" in line]
