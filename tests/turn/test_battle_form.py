"""A declared form: entries with bounds, checks in the book's order, a result in a line, what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Text, Typed, UnreadableValue, column
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.turn.battle_form import BattleForm, Entry, Fault, Filled, read_line
from assistant.turn.ruleset import Ruleset


@dataclass
class Battle(base.Battle):
    """A battle of two, with a form of every kind of entry."""

    mode: str = column(Choice({"played": "giocata", "auto": "dadi"}, blank=True), "How", "Come", edit="referee")
    winner: str = column(Text(), "Winner", "Vincitore", edit="referee")
    losses_a: int | str = column(Typed(), "Their losses", "Perdite loro", edit="referee")
    losses_b: int | str = column(Typed(), "Our losses", "Perdite nostre", edit="referee")
    turns: int | str = column(Typed(), "Turns", "Turni", edit="referee")
    note: str = column(Text(), "Note", "Nota", edit="referee")


def facts(filled: Filled[int]) -> Mapping[str, Any]:
    """What fills the finding's braces."""
    return {"max": filled.battle}


def no_loss_in_a_draw(filled: Filled[int]) -> Iterator[Fault]:
    """A check that looks at two entries."""
    if filled["winner"] == "draw" and filled["losses_a"]:
        yield Fault("T-3", "losses_a")


ENTRIES: tuple[Entry[int], ...] = (
    Entry("winner", told="T-1", words={"a": "a", "b": "b", "draw": "draw"}, reads=lambda filled, typed: typed and "b"
         if typed == "V" else ""),
    Entry("losses_a", "a", "T-2", facts, most=lambda filled: filled.battle),
    Entry("losses_b", "b", "T-2", facts, most=lambda filled: filled.battle),
    Entry("turns", least=1, most=12, blank=12, when=lambda row: row.turn == "1"), Entry("note"))
FORM: BattleForm[int] = BattleForm("result", ENTRIES, ("winner", "losses_a", "losses_b"), ("mode", "auto"),
                                   ("winner", "losses_a"), checks=("winner", "losses_a", "losses_b", no_loss_in_a_draw))
CAMPAIGN = Campaign([Battle, base.Faction])


def filled(text: str, form: BattleForm[int] = FORM) -> Filled[int]:
    """A form of a battle in which nobody can lose more than 50, filled in by a line."""
    row = Battle(battle="B1")
    read_line(form, CAMPAIGN, "B1", text).put_into(row)
    return Filled(form, 50, row)


def told(text: str, form: BattleForm[int] = FORM) -> list[tuple[str, str]]:
    """Code and column of what is wrong."""
    return [(fault.code, fault.column) for fault in form.faults(filled(text, form))]


@pytest.mark.parametrize(("text", "values"), [
    ("a 26 50", ("a", 26, 50, 12)), ("V 0 0 turns=3", ("b", 0, 0, 3)),
    ("winner=draw our_losses=7", ("draw", None, 7, 12)), ("A, 1, 2", ("a", 1, 2, 12)),
    ("2 a 1", ("a", 2, 1, 12)), ("x -1 1 turni=13", (None, None, 1, None)),
    ("our losses _3_, winner _ their losses none", (None, 0, 3, 12)),
    ("5 our losses, 6 their losses", (None, 6, 5, 12)),
    ("turns: 4; note held the bridge", (None, None, None, 4)), ("a _ 7", ("a", None, 7, 12))])
def test_a_result_in_a_line_is_read_into_what_it_means(text: str, values: tuple[object, ...]) -> None:
    """From left to right, or by the name or heading of a column; None for what cannot be."""
    one = filled(text)
    assert tuple(one[name] for name in ("winner", "losses_a", "losses_b", "turns")) == values


def test_all_faults_are_told_at_once_or_the_first_only() -> None:
    """As the book says."""
    everything = [("T-1", "winner"), ("T-2", "losses_a"), ("T-2", "losses_b")]
    assert told("x 51 60") == everything
    assert told("a 51 0") == [("T-2", "losses_a")]
    assert told("draw 1 0") == [("T-3", "losses_a")]
    assert told("x 51 60", BattleForm(FORM.question, ENTRIES, FORM.line, FORM.dice, FORM.decisive, checks=FORM.checks,
                                     first_only=True)) == everything[:1]
    assert [dict(fault.data) for fault in FORM.faults(filled("a 51 0"))] == [{"max": 50}]


def test_without_checks_of_its_own_every_entry_is_looked_at() -> None:
    """In the order of their declaration."""
    plain: BattleForm[int] = BattleForm("result", ENTRIES, FORM.line, FORM.dice, FORM.decisive)
    assert told("x 51 51", plain) == [("T-1", "winner"), ("T-2", "losses_a"), ("T-2", "losses_b")]


@pytest.mark.parametrize(("text", "reported", "dice"), [
    ("", False, False), ("note=late", False, False), ("a", True, False), ("losses_a=0", True, False),
    ("auto", True, True), ("Dadi", True, True), ("mode=auto", True, True), ("mode=played", False, False)])
def test_when_a_form_counts_as_filled_in(text: str, reported: bool, dice: bool) -> None:
    """One of the decisive entries, or a word that leaves it to the dice."""
    row = filled(text).row
    assert (FORM.is_reported(row), FORM.is_dice(row)) == (reported, dice)


@pytest.mark.parametrize(("text", "why", "word"), [
    ("a 1 2 3", "word", "3"), ("loot=3", "word", "loot"), ("mode=perhaps", "value", "perhaps"),
    ("turn=1", "word", "turn"),
    ("our losses many", "value", "many"), ("winner a our losses", "missing", ""), ("C: winner a", "fighter", "C"),
    ("turns 3 turns 4", "twice", "4"), ("turns 3 hours", "word", "hours")])
def test_what_the_form_does_not_ask_for_is_named(text: str, why: str, word: str) -> None:
    """The word that no column can hold, and what would do in its place."""
    with pytest.raises(UnreadableValue) as unfit:
        read_line(FORM, CAMPAIGN, "B1", text)
    assert (unfit.value.reason, unfit.value.data["word"]) == (why, word)


def test_what_is_expected_may_hang_on_the_battle() -> None:
    """Such as the figures of a rearguard action."""
    assert [FORM.entry("turns").is_expected(Battle(turn=turn)) for turn in ("1", "2")] == [True, False]


@pytest.mark.parametrize("book", [GIGLIO, ANARCHY])
def test_a_ruleset_declares_columns_that_people_fill_in(book: Ruleset) -> None:
    """Every entry is a column of Battles that is not the assistant's, and its question is one of the book's."""
    form, record = book.form, book.record("Battles")
    assert form is not None
    assert form.question in book.questions
    assert {entry.name for entry in form.entries} | {form.dice[0]} == set(record.form())
    assert set(form.line) | set(form.decisive) <= set(record.form())
    assert {entry.told for entry in form.entries} - {""} <= set(book.findings)
    assert form.rows is None or form.rows in book.forms
