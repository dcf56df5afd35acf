"""The hint for a line that was not understood is of the verb, or else of the unit, that the line names."""

from __future__ import annotations

import re

import pytest

from assistant.turn.orders.verbs import as_order_book
from assistant.turn.rulebooks import load
from tests.sweeps import fast_among
from tests.turn.orders.test_reader import BOOKS, opening

CLUBS = {"anarchy": "royal", "bloodlust": "BAT", "giglio": "V", "incursio": "esdef", "warriors": "men"}


def hint(book: str, line: str) -> str:
    """The English hint for a line of the book's club here, "" for none."""
    return load(book).hint(opening(book, ""), CLUBS[book], line)["en"]


def verb_of(book: str, line: str) -> str:
    """The verb of an order's line."""
    return str(load(book).understand(line, opening(book, ""), CLUBS[book]).fields["verb"])


@pytest.mark.parametrize("book", fast_among(BOOKS, "giglio", "warriors"))
def test_the_hint_for_a_verb_with_a_slip_is_of_that_verb(book: str) -> None:
    """Of each verb that may be ordered as things stand."""
    ruleset, campaign = load(book), opening(book, "")
    view = ruleset.view(campaign, CLUBS[book])
    legal = dict.fromkeys(order.verb for order in ruleset.legal_orders(view, CLUBS[book], ahead=True))
    words = {verb: as_order_book(ruleset.verbs)[verb].en for verb in legal if len(verb) > 6 and verb.isalpha()}
    hints = {verb: hint(book, f"{word[:4]}{word[3:]} xyzzy") for verb, word in words.items()}
    assert hints
    assert {verb: verb_of(book, line) for verb, line in hints.items()} == {verb: verb for verb in hints}


@pytest.mark.parametrize("book", fast_among(BOOKS, "giglio", "warriors"))
def test_the_hint_for_a_unit_is_what_it_may_do(book: str) -> None:
    """Where no word is like a verb."""
    ruleset = load(book)
    view = ruleset.view(opening(book, ""), CLUBS[book])
    units = dict.fromkeys(order.unit for order in ruleset.legal_orders(view, CLUBS[book])
                          if any(order.unit in table for table in view.tables().values()))
    hints = {unit: hint(book, f"{unit} xyzzyq") for unit in units}
    assert {unit: line for unit, line in hints.items() if unit.upper() not in re.split(r"[^\w-]+", line.upper())} == {}


@pytest.mark.parametrize("book", BOOKS)
def test_there_is_no_hint_for_what_names_nothing(book: str) -> None:
    """Chat gets no example of some verb or other."""
    assert hint(book, "hullo xyzzyq") == ""


@pytest.mark.parametrize(("book", "line", "verb"), [
    ("giglio", "moving V-1 to the moon", "move"), ("giglio", "fortifie Verona", "fortify"),
    ("giglio", "send money", "pay")])
def test_of_several_verbs_the_one_counts_that_may_be_ordered(book: str, line: str, verb: str) -> None:
    """To move is to transfer and to attach as well, but V-1 can only do the first of the three."""
    assert verb_of(book, hint(book, line)) == verb


def test_the_word_at_fault_is_quoted_as_it_was_typed() -> None:
    """Not as the word of the book that is like it: "changes" is no charge."""
    line = "pay 12 points to William of Ypres so that he changes sides"
    assert load("anarchy").read(line, opening("anarchy", ""), "angevin").unknown in line.split()
