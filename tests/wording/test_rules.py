"""The numbers and switches of the rulebooks in words, in both languages."""

from __future__ import annotations

import re

import pytest

from assistant.campaign.records import Event, Rule
from assistant.catalogues import LANGUAGES
from assistant.speech import canonical_value, house_rule_data, option_words, parse_option, rule_sentence, rule_subject
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Number, Switch, house_rules
from assistant.turn.rulebooks import load
from assistant.wording import Wording

BOOKS = ("giglio", "anarchy")
EVERY = [(book, number) for book in BOOKS for number in load(book).numbers]
SWITCHES = [(book, one) for book, one in EVERY if isinstance(one, Switch)]
IT, EN = ({book: Wording(load(book), lang) for book in BOOKS} for lang in ("it", "en"))
PLAIN = re.compile(r"[\d.:; ()A-Z-]*")
"""What reads alike in both languages."""


def named(case: tuple[str, Number | Switch]) -> str:
    """The test's name of a number."""
    return f"{case[0]}.{case[1].key}"


@pytest.mark.parametrize("case", EVERY, ids=named)
def test_every_rule_is_a_sentence_with_its_value_in_it(case: tuple[str, Number | Switch]) -> None:
    """In each language, with no brace left over, and not in English on an Italian sheet."""
    book, one = case
    said = {lang: rule_sentence(one, one.default, words[book]) for lang, words in (("it", IT), ("en", EN))}

    assert said["it"] != said["en"]
    for sentence in said.values():
        assert sentence.endswith((".", "..."))
        assert not re.search(r"[{}_|]", sentence.replace("`arbitro new`", ""))
        assert isinstance(one, Switch) or str(abs(one.default)) in sentence
    assert "…" in rule_subject(one, EN[book])


@pytest.mark.parametrize("case", SWITCHES, ids=named)
def test_every_option_has_words_in_both_languages_which_may_be_typed(case: tuple[str, Switch]) -> None:
    """No option lacks them, no two are called alike, and its key, its Italian and its English words mean it."""
    book, one = case
    if not one.pattern:
        assert len(one.words) == len(one.options)
    for words, other in ((IT[book], EN[book]), (EN[book], IT[book])):
        called = [option_words(one, option, words) for option in one.options]
        assert all(called)
        assert len(set(called)) == len(called)
        for option, said in zip(one.options, called, strict=True):
            assert said != option_words(one, option, other) or PLAIN.fullmatch(said)
            if option:
                assert parse_option(one, f"  {said.upper()} ", [IT[book], EN[book]]) == option
                assert parse_option(one, option, []) == option


def test_what_is_typed_in_words_is_kept_as_the_book_has_it() -> None:
    """In any of the languages; numbers, what any text may be, and what nobody knows stay as they were typed."""
    book = load("giglio")
    declared = {number.key: number for number in book.numbers}

    def kept(key: str, value: object) -> object:
        return canonical_value(
            declared, Rule(key=key, value=value), lambda: [Wording(book, lang) for lang in LANGUAGES]
        )

    assert kept("famine_mode", "Ogni città paga 20 ducati") == "flat20_each"
    assert kept("famine_mode", "each city pays 20 ducats.") == "flat20_each"
    assert kept("famine_mode", "flat20 each") == "flat20_each"
    assert kept("first_spring_taxes", "sì") == "yes"
    assert kept("first_spring_taxes", "no") == "no"
    assert kept("siege_bribe_step", 30) == 30
    assert kept("tax_city", 50) == 50
    assert kept("ally_forbidden", "V-T") == "V-T"
    assert kept("opening_treasury", "le tasse di un anno") == "income"
    assert kept("spy_uses", "mai") == "mai"


def test_a_rulebook_without_words_gets_a_guess_from_its_keys() -> None:
    """Strokes become blanks, yes and no are words of every language, and the sentence ends with the value."""
    taxes = Switch("taxes", ("yes", "twice_a_year"), "3", "When taxes are taken.")
    camp = Number("camp", 2, "tents", "3", "What a camp has.")
    said = Wording(None, "en")

    assert [option_words(taxes, option, Wording(None, "it")) for option in taxes.options] == ["sì", "twice a year"]
    assert rule_sentence(taxes, "twice_a_year", said) == "When taxes are taken: twice a year."
    assert rule_sentence(camp, 3, said) == "What a camp has: 3 tents."
    assert parse_option(taxes, "Twice a year", [said]) == "twice_a_year"


def ruled(key: str, old: str, new: str) -> Event:
    """The event of a house rule that was accepted."""
    return Event(no=1, event="ruling.accepted", data={"sheet": "Rules", "row": key, "field": "value", "old": old,
                                                      "new": new, "how": "set" if old and new else "filled",
                                                      "why": "as in London"})


def test_a_changed_house_rule_is_told_in_words() -> None:
    """What counts from now on, what counted, and why; also where it is given up."""
    it, en = IT["giglio"], EN["giglio"]

    assert en.event(ruled("siege_bribe_step", "25", "30")) == (
        "House rule from now on: each 30 ducats of bribes count +1 in a siege. Until now: 25. Reason: as in London")
    assert it.event(ruled("siege_bribe_step", "", "30")) == (
        "Regola della casa da adesso: ogni 30 ducati di corruzione valgono +1 in un assedio. Finora: come nel libro."
        " Motivo: as in London")
    assert it.event(ruled("famine_mode", "half", "flat20_each")) == (
        "Regola della casa da adesso: in una carestia ogni città paga 20 ducati."
        " Finora: le tasse delle città si dimezzano. Motivo: as in London")
    assert en.event(ruled("tax_city", "50", "")) == (
        "The house rule is given up, and the book holds again. The house rule was: each city pays 50 ducats every"
        " spring. Reason: as in London")
    assert "Rules, cuckoo, " in en.event(ruled("cuckoo", "1", "2"))


def test_findings_about_the_sheet_rules_speak_in_words() -> None:
    """What was typed, what may be, and what the house rule would be; a cell of another sheet tells of no rule."""
    it = IT["giglio"]
    where = Where("Rules", "spy_uses", "value")
    changed = Finding("ARB-110", "error", where, {"old": "each", "new": "once", "book": "g.xlsx", "name": "Regole.B90"})
    other = Finding("ARB-110", "error", Where("Nodes", "V1", "name"), {**changed.data})

    assert it.finding(Finding("ARB-061", "error", where, {"key": "spy_uses", "seen": "mai",
                                                          "allowed": "each, once"})) == (
        "'mai' non è un valore per spy_uses. Ammessi: in ogni fase, una volta.")
    assert it.finding(changed).startswith("Valore: cella cambiata a mano, da 'in ogni fase' a 'una volta'."
                                          " La regola della casa sarebbe: una spia serve una volta. Tieni")
    assert "regola della casa" not in it.finding(other)


def test_a_value_that_cannot_be_makes_no_rule() -> None:
    """Then only the cell is named."""
    assert house_rule_data(load("giglio").numbers, "spy_uses", "", "never", EN["giglio"])["now"] == ""


def test_house_rules_are_what_differs_from_the_book() -> None:
    """Not what was typed as the book has it, nor a default of before, nor what each campaign sets as it likes."""
    tithe = Number("tithe", 12, "ducats", "2", "A tithe is {n} ducats.", was={"1": 10})
    declared = (*load("giglio").numbers, tithe)
    typed = {"tax_city": 40, "tithe": 10, "edition": "EN", "campaign_years": 3, "spy_uses": "sometimes"}

    assert house_rules(declared, "IT", typed) == []
    assert house_rules(declared, "IT", {**typed, "tax_city": 50, "siege_bribe_step": 30}) == [
        "tax_city", "siege_bribe_step"]
    assert house_rules(declared, "EN", {"siege_bribe_step": 30}) == []


def test_what_a_row_leaves_out_is_no_quoted_nothing() -> None:
    """A specialist without a post, and a march that names only the Force's own square."""
    post = Finding("GIG-032", "error", Where("Orders", "o1", "target"), {"kind": "sapper", "target": ""})
    path = Finding("WAR-006", "error", Where("Orders", "o1", "path"), {"verb": "move", "columns": "path"})

    assert EN["giglio"].finding(post) == "The sapper has no post. Sapper: your army or place; diplomat: your city."
    assert IT["giglio"].finding(post).startswith("Manca il posto per il geniere.")
    assert Wording(load("warriors"), "en").finding(path) == (
        "'move' needs Path: the squares after the Force's own. Fill it in.")
