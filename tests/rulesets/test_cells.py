"""Cells of reports: what nobody has to type is told in words."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die
from assistant.reporting import facts
from assistant.reporting.reader import Period, Reader
from assistant.turn.rulebooks import load
from assistant.wording import Wording


def reader(book: str, lang: str) -> Reader:
    """A reader of an empty campaign."""
    ruleset = load(book)
    campaign = Campaign(ruleset.records)
    campaign.by_sheet("Desk").add(ruleset.record("Desk")())
    return Reader(ruleset, campaign, "referee", Wording(ruleset, lang), Period(ruleset, campaign, 0))


@pytest.mark.parametrize(("book", "sheet", "column", "value", "en", "it"), [
    ("anarchy", "Places", "kind", "castle_stone", "stone castle", "castello in pietra"),
    ("anarchy", "Places", "holder", "royal", "the King", "il re"),
    ("anarchy", "Wounded", "rank", "light", "light foot", "fanti leggeri"),
    ("anarchy", "Armies", "if_attacked", "shut_in", "shut in", "si chiude"),
    ("bloodlust", "Wars", "reason", "check", "war check", "prova di guerra"),
    ("bloodlust", "Wars", "began", "987Sp", "987, Spring", "987, primavera"),
    ("bloodlust", "Peaces", "until_year", "989", "989", "989")])
def test_a_cell_is_told_in_words(book: str, sheet: str, column: str, value: Any, en: str, it: str) -> None:
    """Neither the code of a choice nor that of a season; the sheet and its files keep both."""
    record = load(book).record(sheet)
    assert [reader(book, lang).cell(record.column(column), value).text for lang in ("en", "it")] == [en, it]
    assert record.column(column).word(value, "en") == value


def test_a_throw_stands_under_the_name_of_its_turn() -> None:
    """The table of dice, whose keys hold the code."""
    die = Die(key="recruit/987Su/SEK/1", turn="987Su", phase="recruit", dice="1d6", value="3")
    assert facts._throw_text(reader("bloodlust", "en"), die, Die.column("turn")) == "987, Summer"


def test_the_sheets_of_a_form_are_written_as_people_write() -> None:
    """*Battle units*, whatever the sheet is called."""
    form = load("bloodlust").form
    assert form is not None
    assert [facts._in_words(sheet.sheet) for sheet in form.sheets] == ["Battle units", "Battle leaders"]
