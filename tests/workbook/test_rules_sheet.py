"""The sheet Rules in the campaign's language: read, written, taken out and taken in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Rule
from assistant.testing.cases import campaign_of
from assistant.turn.numbers import on_first_page, typed_values
from assistant.turn.rulebooks import load
from assistant.workbook.layout import HEADING_ROW
from tests import hand
from tests.fresh import new_campaign
from tests.rulesets.test_leftovers import FIVE
from tests.sweeps import fast_among

pytestmark = pytest.mark.slow

TITLES = {"it": "Regole", "en": "Rules"}


@pytest.fixture(params=["it", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    """The campaign's language."""
    return str(request.param)


@pytest.fixture
def book(tmp_path: Path, lang: str) -> Path:
    """A new campaign of Il Giglio."""
    return new_campaign(tmp_path / "casa.xlsx", language=lang)


def row_of(book: Path, lang: str, key: str) -> dict[str, Any]:
    """A row of the sheet by its headings."""
    sheet = hand.opened(book)[TITLES[lang]]
    heads = [cell.value for cell in sheet[HEADING_ROW]]
    row = next(cells for cells in sheet.iter_rows(min_row=HEADING_ROW + 1) if cells[0].value == key)
    return {str(head).strip(): cell.value for head, cell in zip(heads, row, strict=True)}


def type_in(book: Path, lang: str, key: str, value: str | int) -> None:
    """Type a value over the row of a key."""
    file = hand.opened(book)
    row = next(cells for cells in file[TITLES[lang]].iter_rows() if cells[0].value == key)
    row[1].value = value
    file.save(book)


def test_a_rule_stands_there_in_words_beside_its_key(book: Path, lang: str) -> None:
    """What it says, what the book says, what may be chosen, where it stands; the campaign's own value in words, too."""
    said = {"it": {"Chiave": "famine_mode", "Valore": None,
                   "Che cosa significa": "In una carestia le tasse delle città si dimezzano.",
                   "Da regolamento": "le tasse delle città si dimezzano",
                   "Unità o parole": "le tasse delle città si dimezzano; ogni città paga 20 ducati;"
                                     " tutte le città insieme pagano 20 ducati", "Fonte": "4, Tabella 36"},
            "en": {"Key": "famine_mode", "Value": None, "What it means": "In a famine the city taxes are halved.",
                   "By the book": "the city taxes are halved",
                   "Unit or words": "the city taxes are halved; each city pays 20 ducats;"
                                    " all cities together pay 20 ducats", "Source": "4, Table 36"}}

    assert row_of(book, lang, "famine_mode") == said[lang]


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "typed"), [
    ("it", "ogni città paga 20 ducati"), ("it", "Each city pays 20 ducats"), ("en", "ogni città paga 20 ducati"),
    ("en", "flat20_each")])
def test_an_option_is_typed_in_either_language_or_by_its_key(book: Path, lang: str, typed: str, tmp_path: Path) -> None:
    """The campaign and its CSV have the key, whatever stands in the cell; what was typed stays as it was typed."""
    type_in(book, lang, "famine_mode", typed)
    assert [f.code for f in desk.check(book, lang="en").findings] == ["ARB-110", "ARB-237"]

    assert desk.accept(book, [], everything=True, why="as in London").exit == desk.Exit.DONE

    assert campaign_of(book).by_sheet("Rules")["famine_mode"].value == "flat20_each"
    assert desk.export(book, tmp_path / "out").exit == desk.Exit.DONE
    assert "famine_mode,flat20_each\n" in (tmp_path / "out" / "rules.csv").read_text(encoding="utf-8")
    row = list(row_of(book, lang, "famine_mode").values())
    assert row[1:3] == [typed, "In una carestia ogni città paga 20 ducati." if lang == "it" else
                        "In a famine each city pays 20 ducats."]
    assert desk.check(book).findings == []
    assert desk.verify(book).data["verified"]


@pytest.mark.slow
def test_a_csv_may_say_it_in_words_and_gives_a_sheet_in_words(book: Path, lang: str, tmp_path: Path) -> None:
    """The new workbook shows the campaign's language, and the way back leaves the key."""
    folder = tmp_path / "out"
    desk.export(book, folder)
    rules = folder / "rules.csv"
    rules.write_text(rules.read_text(encoding="utf-8") + "famine_mode,each city pays 20 ducats\nspy_uses,once\n",
                     encoding="utf-8")
    again = tmp_path / "again.xlsx"

    assert desk.new_campaign(desk.NewPlan("giglio", folder=folder, language=lang), again).exit == desk.Exit.DONE

    shown = [list(row_of(again, lang, key).values())[1] for key in ("famine_mode", "spy_uses", "campaign_years")]
    assert shown == {"it": ["ogni città paga 20 ducati", "una volta", 5],
                     "en": ["each city pays 20 ducats", "once", 5]}[lang]
    desk.export(again, tmp_path / "back")
    kept = (tmp_path / "back" / "rules.csv").read_text(encoding="utf-8").splitlines()
    assert {"famine_mode,flat20_each", "spy_uses,once"} < set(kept)


def test_the_drop_down_of_a_switch_offers_its_words(book: Path, lang: str) -> None:
    """In the campaign's language, from the hidden sheet of lists."""
    file = openpyxl.load_workbook(book)
    title, cells = next(file.defined_names["list_value_famine_mode"].destinations)

    assert [row[0].value for row in file[title][cells.replace("$", "")]] == (
        ["le tasse delle città si dimezzano", "ogni città paga 20 ducati", "tutte le città insieme pagano 20 ducati"]
        if lang == "it" else
        ["the city taxes are halved", "each city pays 20 ducats", "all cities together pay 20 ducats"])


def folded(sheet: Any) -> dict[str, bool]:
    """Key -> whether its row is folded, in the order of the sheet."""
    rows = ((cells[0], sheet.row_dimensions[cells[0].row]) for cells in sheet.iter_rows(min_row=HEADING_ROW + 1))
    return {cell.value: bool(row.hidden and row.outlineLevel) for cell, row in rows if cell.value}


@pytest.mark.parametrize("name", fast_among(FIVE, "bloodlust"))
def test_a_page_stands_first_and_the_rest_is_folded(name: str, tmp_path: Path) -> None:
    """What a club usually sets, in the book's order, at most thirty rows; below it all others, none lost."""
    ruleset = load(name)
    usual = on_first_page(ruleset.numbers)
    book = new_campaign(tmp_path / "war.xlsx", name)

    state = folded(openpyxl.load_workbook(book)["Rules"])

    typed = [key for key in state if key not in usual and not state[key]]
    assert [key for key in state if key in usual] == usual
    assert set(typed) <= set(typed_values(campaign_of(book).table(Rule)))
    assert 10 <= len(usual) + len(typed) <= 32
    assert list(state.values()) == sorted(state.values())
    assert set(state) == {number.key for number in ruleset.numbers}


def test_a_folded_row_that_is_typed_counts_and_stands_on_the_page_of_a_new_workbook(book: Path, lang: str,
                                                                                    tmp_path: Path) -> None:
    """Folding hides rows from the eye alone; what a campaign has set is never hidden from it."""
    assert folded(openpyxl.load_workbook(book)[TITLES[lang]])["tax_city"]
    type_in(book, lang, "tax_city", 50)
    assert desk.accept(book, [], everything=True, why="rich cities").exit == desk.Exit.DONE
    assert campaign_of(book).table(Rule)["tax_city"].value == 50
    desk.export(book, tmp_path / "out")
    again = tmp_path / "again.xlsx"

    assert desk.new_campaign(desk.NewPlan("giglio", folder=tmp_path / "out", language=lang), again).exit == \
        desk.Exit.DONE

    assert not folded(openpyxl.load_workbook(again)[TITLES[lang]])["tax_city"]
