"""The orders card and the drop-downs come from the verbs: every example can be typed, every option is offered."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.environment import scenario_names, shipped_scenario
from assistant.testing import kit
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.rulebooks import installed_rulesets, load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.layout import HEADING_ROW, label, list_name
from assistant.workbook.port import DeskLines
from assistant.workbook.read.csv_folder import read_folder
from assistant.workbook.write.new_workbook import CARD_COLUMNS
from tests.playing import create_workbook
from tests.sweeps import fast_among

BRANCH = re.compile(r"IF\(COUNTIF\((\w+),\$[A-Z]+5\),(\w+),")
DECLARED = [name for name in installed_rulesets() if as_order_book(load(name).verbs).carried_out]
LANGUAGES = ("en", "it")


def started(ruleset: Ruleset, lang: str) -> Campaign:
    """The first scenario that comes with a rulebook, in a language."""
    _, campaign, _ = read_folder(shipped_scenario(ruleset.id, scenario_names(ruleset.id)[0]), ruleset)
    campaign.desk.language = lang
    return campaign


@pytest.mark.parametrize("name", fast_among(DECLARED, "incursio", "warriors"))
def test_all_is_declared_and_every_example_of_the_card_is_understood(name: str) -> None:
    """Whoever copies an example has said that verb, with every column that it needs."""
    ruleset = load(name)
    kit.check_declarations(ruleset, started(ruleset, "en"))


def offered_codes(sheet: Any, lists: dict[str, list[Any]], heading: str, word: str) -> str:
    """The name of the codes that the drop-down under a heading of Orders shows in a row with a verb."""
    letter = next(cell.column_letter for cell in sheet[HEADING_ROW] if str(cell.value).strip() == heading)
    formula = next(str(rule.formula1) for rule in sheet.data_validations.dataValidation
                   if str(rule.sqref).startswith(f"{letter}{HEADING_ROW + 1}:"))
    usual = formula.lstrip("=").rpartition(",")[2].rstrip(")")
    return next((codes for words, codes in BRANCH.findall(formula) if word in lists[words]), usual)


@pytest.mark.parametrize(("name", "lang"), fast_among(reversed([*product(DECLARED, LANGUAGES)]), ("warriors", "it")))
def test_a_new_workbook_has_the_card_and_offers_the_options_of_a_verb(name: str, lang: str, tmp_path: Path) -> None:
    """One line a verb; the words of an option are those of the verb in the same row, in the workbook's language."""
    ruleset = load(name)
    path = tmp_path / "new.xlsx"
    create_workbook(ruleset, started(ruleset, lang), path, Wording(ruleset, lang), DeskLines())
    book = openpyxl.load_workbook(path)
    sheet = book[label("card", lang)]
    orders = "Ordini" if lang == "it" else "Orders"
    leads = {cell.hyperlink.location for row in book.worksheets[0].iter_rows() for cell in row if cell.hyperlink}

    assert book.sheetnames.index(sheet.title) == book.sheetnames.index(orders) + 1
    assert f"'{sheet.title}'!A1" in leads, "the Desk leads to it"
    words = [sheet.cell(row, 1).value for row in range(HEADING_ROW + 1, sheet.max_row + 1)]
    assert words == [verb.it if lang == "it" else verb.en for verb in ruleset.verbs.values()]
    assert [sheet.cell(HEADING_ROW, i).value for i in range(1, len(CARD_COLUMNS) + 1)] == [
        label(f"card_{column}", lang) for column in CARD_COLUMNS]
    lists = {defined: [cell.value for cell, in book[label("lists", lang)][str(one.attr_text).rpartition("!")[2]]]
             for defined, one in book.defined_names.items() if label("lists", lang) in str(one.attr_text)}
    offered = [str(v.formula1) for v in book[orders].data_validations.dataValidation]
    for verb in ruleset.verbs.values():
        for column, options in verb.options().items():
            name_of = f"list_{column}_{verb.it if lang == 'it' else verb.en}"
            assert lists[name_of] == (list(options.values()) if lang == "it" else list(options))
            assert name_of in book.defined_names
            assert any(one.startswith(f'=INDIRECT("list_{column}_"&SUBSTITUTE($') for one in offered)
        for column, kind in verb.kinds.items():
            if kind.tables() and not any(column in verb.options() for verb in ruleset.verbs.values()):
                heading = ruleset.record("Orders").column(column).heading(lang)
                codes = offered_codes(book[orders], lists, heading, verb.it if lang == "it" else verb.en)
                assert codes == list_name(kind.tables()[0].sheet), (verb.en, column)
                assert codes in book.defined_names
