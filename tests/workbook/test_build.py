"""New workbooks: every sheet, heading, drop-down and colour, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Faction, Order, Question
from assistant.campaign.tables import Table
from assistant.pictures.colours import contrast
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.ruleset import Wing
from assistant.workbook.file_book import open_book
from assistant.workbook.layout import HEADING_ROW, frozen_columns, in_sheet_order, sheet_columns
from assistant.workbook.port import DeskLines
from assistant.workbook.write.sheet_style import DropDownLists, legible_on
from tests.playing import create_workbook
from tests.sweeps import fast_among
from tests.workbook.feast import FEAST, LINES, OWN_LINK, Army, Node, feast, loader, plain, wording, workbook

LANGUAGES = ("en", "it")
HOSTILE = ["=1+1", "+39 055", "-5", "@cmd", "=cmd|' /C calc'!A0", "'quoted", "<b>x</b>", "a\nb", "#N/A"]


def built(folder: Path, lang: str = "en") -> Path:
    """A workbook of the Feast."""
    return workbook(folder / f"feast-{lang}.xlsx", lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_built_is_read_back_equal_and_without_findings(tmp_path: Path, lang: str) -> None:
    """Every value of every table comes back, in either language."""
    reading = open_book(built(tmp_path, lang), loader).read()

    assert reading.findings == []
    assert plain(reading.campaign) == plain(feast(lang))
    assert reading.ruleset is not None
    assert reading.ruleset.id == "feast"


def test_the_same_campaign_gives_the_same_bytes(tmp_path: Path) -> None:
    """No clock and no chance in a workbook."""
    paths = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    for path in paths:
        create_workbook(FEAST, feast(), path, wording(), LINES)

    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(("lang", "names"), [
    ("en", ["Desk", "Changes", "Orders", "Questions", "Inbox", "Battles", "Factions", "Nodes", "Roads", "Armies",
            "Events", "Findings", "Dice", "Rules", "Dishes", "Lists"]),
    ("it", ["Banco", "Modifiche", "Ordini", "Domande", "Posta", "Battaglie", "Fazioni", "Nodi", "Strade", "Armate",
            "Cronaca",
            "Rilievi", "Dadi", "Regole", "Portate di casa", "Elenchi"])])
def test_sheets_stand_in_the_order_of_the_evening(tmp_path: Path, lang: str, names: list[str]) -> None:
    """Desk first, what clubs write next, the ruleset's own last, the lists hidden."""
    book = openpyxl.load_workbook(built(tmp_path, lang))

    assert book.sheetnames == names
    assert book[names[-1]].sheet_state == "hidden"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_table_is_an_excel_table_with_frozen_headings(tmp_path: Path, lang: str) -> None:
    """Tables are found by name; the headings stay in sight and name every column."""
    book = openpyxl.load_workbook(built(tmp_path, lang))
    for record in in_sheet_order(r for r in FEAST.records if not r.quiet):
        ws = next(w for w in book.worksheets if f"tbl_{record.sheet}" in w.tables)
        if record.single:
            continue
        shown = sheet_columns(record, lang)
        assert ws.tables[f"tbl_{record.sheet}"].ref.startswith(f"A{HEADING_ROW}:")
        assert [ws.cell(HEADING_ROW, i).value for i in range(1, len(shown) + 1)] == [s.head for s in shown]
        assert ws.freeze_panes is not None
        assert int(ws.freeze_panes.lstrip("ABCDEFG")) == HEADING_ROW + 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whose_row_it_is_stays_in_sight(tmp_path: Path, lang: str) -> None:
    """Of an order its faction, of a question its text, of everything else its key, wherever the window stands; half
    of a small screen is left for the rest.
    """
    book = openpyxl.load_workbook(built(tmp_path, lang))
    for record in in_sheet_order(r for r in FEAST.records if not r.quiet):
        if record.single:
            continue
        ws = next(w for w in book.worksheets if f"tbl_{record.sheet}" in w.tables)
        held = openpyxl.utils.cell.coordinate_from_string(str(ws.freeze_panes))[0]
        if record.sheet in ("Orders", "Questions"):
            assert held == {"Orders": "D", "Questions": "C"}[record.sheet]
        assert sum(column.width for column in sheet_columns(record, lang)[:ord(held) - ord("A")]) <= 80


def test_drop_downs_know_codes_verbs_phases_and_choices_in_the_language(tmp_path: Path) -> None:
    """The lists of an Italian workbook speak Italian, and codes come from names that grow."""
    book = openpyxl.load_workbook(built(tmp_path, "it"))
    orders = {str(v.sqref): v for v in book["Ordini"].data_validations.dataValidation}
    letters = {s.name: i for i, s in enumerate(sheet_columns(FEAST.record("Orders"), "it"))}

    def of(name: str) -> str:
        letter = chr(65 + letters[name])
        return next(str(v.formula1) for area, v in orders.items() if area.startswith(f"{letter}{HEADING_ROW + 1}"))

    assert of("faction") == "=list_Factions"
    assert of("unit") == "=list_Armies"
    lists = book["Elenchi"]
    words = {str(column[0].value): [c.value for c in column[1:] if c.value] for column in lists.iter_cols()}
    assert words["list_verbs"] == ["mangia"]
    assert words["list_phases"] == ["serve"]
    assert of("verb") == "=list_verbs"
    assert book.defined_names["list_Nodes"].attr_text.startswith("OFFSET('Nodi'!$A$5")
    desk = [v.formula1 for v in book["Banco"].data_validations.dataValidation]
    assert '"inglese,italiano"' in desk


@pytest.mark.parametrize(("ruleset", "word"), [(INCURSIO, "giorno"), (WARRIORS, "turno")])
def test_the_one_word_of_all_orders_is_offered_in_the_workbook_s_language(ruleset: Wing[Any], word: str) -> None:
    """As the card has it, which takes either."""
    campaign = Campaign(ruleset.records)
    campaign.put(Table(ruleset.record(Desk.sheet), [ruleset.record(Desk.sheet).from_values({"turn": "1"})]))
    for lang, offered in (("it", word), ("en", ruleset.counted[0])):
        made = openpyxl.Workbook()
        lists = DropDownLists(made, ruleset, campaign, lang, "Lists")
        lists.of_orders("phase")
        lists.write()
        assert [cell.value for cell in made["Lists"]["A"]] == ["list_phases", offered]



def test_clubs_may_write_in_unlocked_cells_only_and_see_it(tmp_path: Path) -> None:
    """Locked and tinted is what only the assistant writes; no sheet asks for a password."""
    book = openpyxl.load_workbook(built(tmp_path))
    armies, orders = book["Armies"], book["Orders"]

    assert armies["A5"].protection.locked
    assert not orders["A5"].protection.locked
    assert armies["A5"].fill.fgColor.rgb != orders["A5"].fill.fgColor.rgb
    assert not any(ws.protection.sheet for ws in book.worksheets)


def test_orders_have_free_rows_ready(tmp_path: Path) -> None:
    """Two hundred blank rows belong to the table of orders and look like the others."""
    ws = openpyxl.load_workbook(built(tmp_path))["Orders"]

    assert ws.tables["tbl_Orders"].ref.endswith(str(HEADING_ROW + 1 + 200))
    assert not ws["C150"].protection.locked
    assert ws["C150"].value is None


@pytest.mark.parametrize("colour", ["#000000", "#ffffff", "#f2d544", "#808080", "#b5202e", "#1f6f8b", "#7a7a7a"])
def test_text_on_a_factions_colour_is_legible(colour: str) -> None:
    """The better of ink and paper always has a contrast of 3.8 or more; bold text needs 3."""
    assert contrast(legible_on(colour), colour) >= 3.8


def test_each_faction_has_its_colour_wherever_its_code_stands(tmp_path: Path) -> None:
    """Conditional formats colour codes, so that a code typed later is coloured as well."""
    ws = openpyxl.load_workbook(built(tmp_path))["Orders"]
    rules = {rule.formula[0]: rule for area in ws.conditional_formatting for rule in area.rules}

    assert rules['"R"'].dxf.fill.bgColor.rgb == "00B5202E"
    assert rules['"R"'].dxf.font.color.rgb == "00FFFFFF"
    assert rules['"Y"'].dxf.font.color.rgb == "001F2A37"


def test_derived_columns_say_it_in_words(tmp_path: Path) -> None:
    """Events, questions and rules are worded; the technical columns are folded away at the right."""
    book = openpyxl.load_workbook(built(tmp_path, "it"))

    def column(sheet: str, heading: str) -> int:
        return next(c.column for c in book[sheet][HEADING_ROW] if c.value == heading)

    assert book["Cronaca"].cell(5, column("Cronaca", "Che cosa è successo")).value == "R-1 is served 3 plates."
    assert book["Domande"].cell(5, column("Domande", "Che cosa si chiede")).value == "More salt at T1?"
    assert "'x'" in str(book["Rilievi"].cell(5, column("Rilievi", "Che cosa è stato rilevato")).value)
    assert book["Dadi"].cell(5, column("Dadi", "Chi può saperlo")).value == "tutti"
    rules = [[c.value for c in row[:6]] for row in book["Regole"].iter_rows(min_row=5, max_row=6)]
    assert rules == [["plates", 10, "Plates on a table: 10 plates.", 12, "plates", "ch. 1"],
                     ["toast", None, "How the toast is made: loud.", "loud", "loud; quiet", "ch. 2"]]
    assert book["Cronaca"].column_dimensions["G"].hidden


def test_the_desk_says_where_we_are_and_who_is_awaited(tmp_path: Path) -> None:
    """Turn and phase, next steps, the awaited with their colours, the last outcome, what is wrong."""
    ws = openpyxl.load_workbook(built(tmp_path, "it"))["Banco"]

    assert ws["B2"].value == "Carnival"
    assert ws["B6"].value == "Evening 1, serving"
    assert [ws["B9"].value, ws["B10"].value] == ["1.  Gather the orders.", "2.  Resolve."]
    assert (ws["E9"].value, ws["F9"].value) == ("R", "orders for the evening")
    assert ws["E9"].fill.fgColor.rgb == "FFB5202E"
    assert (ws["E10"].value, ws["F10"].value) == ("arbitro", "the salt")
    assert ws["B16"].value == "Nothing yet."
    assert ws["E16"].value == "Nulla."


def test_many_awaited_are_counted(tmp_path: Path) -> None:
    """What does not fit into the Desk's lines is summed up in the last."""
    many = DeskLines("x", tuple(("R", f"line {n}") for n in range(30)), tuple("abcdefgh"), ())
    path = tmp_path / "many.xlsx"
    create_workbook(FEAST, feast(), path, wording(), many)
    ws = openpyxl.load_workbook(path)["Desk"]

    assert ws["F14"].value == "and 25 more"
    assert ws["B14"].value == "and 3 more"
    assert ws["B16"].value == "Nothing has been resolved yet."


@pytest.mark.parametrize("text", fast_among(HOSTILE, "=1+1", "@cmd", "<b>x</b>"))
def test_no_text_ever_becomes_a_formula(tmp_path: Path, text: str) -> None:
    """Names, titles and orders of clubs stay text, whatever they begin with."""
    made = feast()
    made.desk.title = text
    made.table(Node)["T1"].name = text
    made.table(Faction)["R"].club = text
    made.table(Order)["1-serve-R-1"].text = text
    path = tmp_path / "hostile.xlsx"
    create_workbook(FEAST, made, path, wording(), DeskLines(text, ((text, text),), (text,), (text,)))

    cells = [c for ws in openpyxl.load_workbook(path).worksheets for row in ws.iter_rows() for c in row
             if not str(c.value).startswith(OWN_LINK)]
    assert {c.data_type for c in cells} <= {"s", "n"}
    assert plain(open_book(path, loader).read().campaign) == plain(made)


def test_an_empty_campaign_builds_too(tmp_path: Path) -> None:
    """Tables without rows keep one blank row, as Excel wants it."""
    made = feast()
    for table in list(made.tables().values()):
        if not table.record.single:
            for key in list(table.keys()):
                table.remove(key)
    path = tmp_path / "empty.xlsx"
    create_workbook(FEAST, made, path, wording(), DeskLines())
    reading = open_book(path, loader).read()

    assert reading.findings == []
    assert len(reading.campaign.table(Army)) == 0


def test_what_may_be_answered_stands_beside_the_answer() -> None:
    """Whoever is led to a cell for an answer sees the question and what it takes."""
    names = [column.name for column in sheet_columns(Question, "en")]
    assert names[:4] == ["*to", "*worded", "*options", "answer"]
    assert frozen_columns("Questions", sheet_columns(Question, "en")) == 2
