"""Chapters: what they declare is their ruleset's, cites their page, and stands where readers look for it."""

from __future__ import annotations

import pytest

from assistant.campaign.records import ALL
from assistant.turn.chapters import Chapter, Modifier, in_sheet_order, modifiers, number, switch
from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message
from assistant.turn.numbers import Rules
from assistant.turn.numbers import number as shared_number
from assistant.turn.questions import QuestionType
from assistant.turn.ruleset import Ruleset


class Shared(Rules):
    """Numbers of no chapter."""

    first: int = shared_number(1, "", "0", "{n}")
    second: int = shared_number(2, "", "0", "{n}")


class Walls(Rules):
    """Numbers of a chapter."""

    wall: int = number(-2, "", "{n}", minimum=-9)
    gate: int = number(3, "", "{n}", source="t1")
    tower: str = switch("{option}", "high", "low", options=("high", "low"))


class Ditches(Rules):
    """Numbers of another one."""

    ditch: int = number(4, "", "{n}")


WALLS = Chapter("3 Walls", (Citation("3", "3"), Citation("t1", "Table 1", heading="Table 1: walls")), Walls,
                (EventType("fell", "{node} falls.", to=ALL), EventType("held", "{node} holds.", rule="3 t1", to=ALL)),
                (Message("X-010", "error", "No."), Message("X-002", "error", "No wall.")),
                (QuestionType("ask", "How many?"),))
DITCHES = Chapter("4 Ditches", (Citation("4", "4"),), Ditches)


class Book(Ruleset):
    """A rulebook of two chapters."""

    id = "book"
    rules_of = Shared
    chapters: tuple[Chapter, ...] = (WALLS, DITCHES)


class House(Book):
    """A club's own version of it, with a chapter more."""

    id = "house"
    chapters = (*Book.chapters,
                Chapter("5 Gates", (Citation("5", "5"),), events=(EventType("opened", "Open.", to=ALL),)))


def test_events_numbers_and_switches_cite_their_chapter_unless_they_say_otherwise() -> None:
    """So that a citation is written once, where the chapter is declared."""
    assert {event.type: event.rule for event in Book.events.values()} == {"fell": "3", "held": "3 t1"}
    assert {rule.key: rule.source for rule in Book.numbers} == {
        "first": "0", "second": "0", "wall": "3", "gate": "t1", "tower": "3", "ditch": "4"}
    assert [citation.heading for citation in Book.citations.values()] == ["3 Walls", "Table 1: walls", "4 Ditches"]


def test_the_sheet_rules_lists_chapter_by_chapter() -> None:
    """As the book is printed, behind what belongs to no chapter."""
    assert [rule.key for rule in Book.numbers] == ["first", "second", "wall", "gate", "tower", "ditch"]


def test_findings_stand_in_the_order_of_their_codes_and_questions_are_known() -> None:
    """Whatever the order of the chapters."""
    assert list(Book.findings) == ["X-002", "X-010"]
    assert list(Book.questions) == ["ask"]


def test_a_ruleset_that_builds_on_another_may_add_a_chapter() -> None:
    """What it inherits is there once."""
    assert list(House.events) == ["fell", "held", "opened"]
    assert House.numbers == Book.numbers
    assert House.events["opened"].rule == "5"


def test_what_two_chapters_declare_alike_is_refused() -> None:
    """One event, one chapter."""
    with pytest.raises(ValueError, match="fell is declared twice"):
        type("Twice", (Ruleset,), {"id": "twice", "chapters": (WALLS._replace(numbers=Rules),
                                                               Chapter("3b", events=WALLS.events))})
    with pytest.raises(ValueError, match="Number wall is declared twice"):
        in_sheet_order(Shared.declared, (WALLS, DITCHES, Chapter("5", numbers=Walls)))


def test_a_table_of_modifiers_adds_what_applies() -> None:
    """As often as a row counts, with the number in force; a row without a number adds 1 each time."""
    table: tuple[Modifier[int], ...] = (
        Modifier("walls", lambda height: height > 1, "wall"), Modifier("ditches", lambda height: height, "ditch"),
        Modifier("gates", lambda height: height // 2), Modifier("by name", lambda height: True,
                                                               lambda height: "wall" if height > 1 else "ditch"))
    rules = Book().rules_of(Book.numbers, "", {"ditch": 5})

    assert modifiers(table, rules, 1) == {"walls": 0, "ditches": 5, "gates": 0, "by name": 5}
    assert modifiers(table, rules, 3) == {"walls": -2, "ditches": 15, "gates": 1, "by name": -2}


def test_a_case_may_be_several_things() -> None:
    """Its functions are given them one by one."""
    table: tuple[Modifier[int, str], ...] = (
        Modifier("walls", lambda height, site: site == "hill", "wall"),
        Modifier("ditches", lambda height, site: height, lambda height, site: "ditch" if site == "plain" else "wall"))
    rules = Book().rules_of(Book.numbers, "", {"ditch": 5})

    assert modifiers(table, rules, 2, "hill") == {"walls": -2, "ditches": -4}
    assert modifiers(table, rules, 2, "plain") == {"walls": 0, "ditches": 10}
