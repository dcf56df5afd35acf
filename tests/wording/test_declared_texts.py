"""Texts that stand in English and Italian side by side: what is shown of them, and what the linter says of them."""

from __future__ import annotations

import ast
from types import MappingProxyType

import pytest

from assistant.rulebook_source import DeclaredText, declared_texts, noted_texts, text_faults
from assistant.turn.chapters import Rules, Sentences
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.numbers import Number, Switch
from assistant.turn.questions import QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import Translations, keyed
from assistant.wording import Wording


class Book(Ruleset):
    """A rulebook with one event, one finding, one question, a number and a switch."""

    id, title = "book", "Book"
    events = keyed(EventType("fell", "{node} falls to {by}.", variants=("how", {"sea": "{node} falls from {sea}."})))
    findings = keyed(Message("BOK-001", "error", "{unit} is not {node:at}."))
    questions = keyed(QuestionType("bribe", "Siege of {node}: how many {coin}?"))
    numbers = (Number("target", 7, "1d6", "1", "It falls on {n} or more."),
               Switch("step", ("25", "30"), "1", "Each {option} count."))


def faults(*lines: str, book: type[Ruleset] = Book) -> list[tuple[str, ...]]:
    """What is wrong in a module of these lines."""
    return [tuple(fault) for fault in text_faults(book(), {"a.py": ast.parse("\n".join(lines))})]


def test_a_text_is_english_and_its_italian_is_shown() -> None:
    """Also forms for one and many, words, and what a book is built on; an unknown text goes on to the catalogues."""
    both, older = Translations(), Translations()

    class Old(Ruleset):
        id, title, translations = "old", "Old", older

    class New(Old):
        id, title, translations = "new", "New", both

    assert both("{node} falls.", "{node} cade.") == "{node} falls."
    assert both.words({"no_way": "senza via"}) == ("no_way",)
    both("{n} ship", "{n} nave"), both("{n} ships", "{n} navi"), older("Peace.", "Pace.")

    english, italian = Wording(New(), "en"), Wording(New(), "it")

    assert [words.text("{node} falls.", node="V8") for words in (english, italian)] == ["V8 falls.", "V8 cade."]
    assert [words.word("no_way") for words in (english, italian)] == ["no way", "senza via"]
    assert [italian.plural("{n} ship", "{n} ships", n) for n in (1, 2)] == ["1 nave", "2 navi"]
    assert (italian.text("Peace."), Wording(Old(), "it").text("{node} falls.")) == ("Pace.", "{node} falls.")
    assert italian.text("as the book has it") == "come nel libro"


def test_texts_are_read_from_the_source_with_file_and_line() -> None:
    """Joined literals are one text; words have a line each."""
    module = ast.parse('x = both("a "\n         "b", "c")\nboth.words({\n    "d": "e"})\nother("f", "g")\n')

    assert list(declared_texts({"m.py": module})) == [
        DeclaredText("a b", "c", "m.py, 1"), DeclaredText("d", "e", "m.py, 4", True)]


@pytest.mark.parametrize(("line", "kind", "detail"), [
    ('both("a", f"b{x}")', "literal", ""),
    ('both("a", "")', "literal", ""),
    ('both("a")', "literal", ""),
    ('both.words(TABLE)', "literal", ""),
    ('both("{node} falls.", "{nodo} cade.")', "fields", "node, nodo"),
    ('both("{node} falls.", "Cade.")', "fields", "node"),
    ('both("To {node:the}.", "A {node:del}.")', "form", "{node:del}"),
    ('both("a", "b"); both("a", "c")', "translations", "a.py, 1"),
    ('both.words({"a": "b"}); both.words({"a": "c"})', "translations", "a.py, 1"),
    ('def f(): return Said(both("a", "b"))', "late", ""),
    ('f = lambda: both.words({"a": "b"})', "late", ""),
])
def test_what_is_wrong_with_two_texts_is_named(line: str, kind: str, detail: str) -> None:
    """With file and line, whatever else stands there."""
    assert [(fault[0], fault[1], fault[3]) for fault in faults("x = 1", line, book=Ruleset)] == [
        (kind, "a.py, 2", detail.replace("1", "2"))]


def test_what_is_declared_with_both_languages_side_by_side_is_found_and_judged_too() -> None:
    """Events with their variants, findings, numbers and switches."""
    both = Translations()
    words = Sentences(both)

    class Numbers(Rules):
        days: int = words.number(3, "1d6", "It lasts {n} days.", "Dura {n} giorni.")
        stays: str = words.switch("A camp {option}.", "Un campo {option}.", ("stays", "resta"), ("goes", "va via"))

    class Side(Ruleset):
        id, title, translations, rules_of = "side", "Side", both, Numbers
        events = keyed(words.event("fell", "sieges", 1, "{node} falls.", "{node} cade.", variants=("how", {
            "sea": ("{node} falls from {sea}.", "{node} cade dal {mare}.")})))
        findings = keyed(words.warning("BOK-002", "{unit} is late.", "{unit} tarda."))

    texts = [text.english for text in noted_texts(Side(), {})]

    assert texts == ["It lasts {n} days.", "A camp {option}.", "stays", "goes", "{node} falls.",
                     "{node} falls from {sea}.", "{unit} is late."]
    assert Side.findings["BOK-002"].severity == "warning"
    assert [tuple(fault) for fault in text_faults(Side(), {})] == [
        ("fields", "side", "{node} falls from {sea}.", "mare, sea")]


def test_what_is_right_is_not_named() -> None:
    """The same text twice, a word that is also a text, forms of either language, a decorator's, a default."""
    assert faults('both("{n} {n?ship|ships} at {node:at}", "{n} {n?nave|navi} {node:dove}")', 'both("a", "b")',
                  'both("a", "b")', 'both.words({"a": "c"})', '@order(help=both("d", "e"))',
                  'def f(x=both("d", "e")): pass', book=Ruleset) == []


TOLD = ('game.tell("fell", ALL, node=1, by=2, sea=3)', 'raise Refused("BOK-001", unit=1, node=2)',
        'Ask("bribe", "V", asked={"node": 1, "coin": 2})')


def test_a_field_that_nothing_fills_is_named() -> None:
    """Of an event and its variants, a finding, a question; what the wording fills in by itself needs nobody."""
    assert faults("def f():", *(f"    {line}" for line in TOLD)) == []

    wrong = faults('both("{node} falls from {sea}.", "{node} cade {sea:da}.")', 'Message("BOK-001", 1)', "def f():",
                   '    game.tell("fell", ALL, node=1, by=2)', '    Refused("BOK-001", node=2)',
                   '    Ask("bribe", "V", asked={"node": 1})')

    assert wrong == [("unfilled", "a.py, 1", "{node} falls from {sea}.", "sea"),
                     ("unfilled", "a.py, 2", "{unit} is not {node:at}.", "unit"),
                     ("unfilled", "", "Siege of {node}: how many {coin}?", "coin")]


@pytest.mark.parametrize("line", [
    'game.tell("fell", ALL, **data)', 'name = "fell"', 'game.tell(f"fe{x}", ALL); game.tell("fell", ALL)',
    'NAMES = {"sea": "fell"}', 'Ask("bribe", "V", asked=data)', 'helper("fell")',
])
def test_where_the_source_does_not_say_what_is_handed_over_nothing_is_claimed(line: str) -> None:
    """Data of another name, a name that is put together or goes elsewhere."""
    assert faults("def f():", f"    {line}", '    game.tell("fell", ALL)' if "fell" in line else "    pass") == []


def test_numbers_and_switches_have_fields_of_their_own() -> None:
    """``{n}`` and ``{signed}``, ``{option}``; anything else stays empty."""
    class Wrong(Ruleset):
        id, title, numbers = "wrong", "Wrong", (Number("target", 7, "1d6", "1", "On {option}."),
                                                Switch("step", ("25",), "1", "Each {n} count."))

    assert [(fault[0], fault[2], fault[3]) for fault in faults("", book=Wrong)] == [
        ("unfilled", "On {option}.", "option"), ("unfilled", "Each {n} count.", "n")]


def test_the_table_of_a_book_without_texts_stays_empty() -> None:
    """It is shared by all books that declare none."""
    assert Ruleset.translations.texts == MappingProxyType({})


def test_a_text_made_of_parts_has_the_same_fields_in_both_languages() -> None:
    """What no page of the source shows as a whole is checked when it is declared."""
    both = Translations()
    assert both.made("Spring counts {signed}.", "La primavera vale {signed}.") in both.texts
    with pytest.raises(ValueError, match="other fields"):
        both.made("Spring counts {signed}.", "La primavera vale {n}.")
