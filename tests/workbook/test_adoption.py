"""What a club's sheets could be, what the referee makes of it, and how its columns are known ever after."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import openpyxl
import pytest

from assistant.rulesets.giglio.ruleset import Giglio
from assistant.turn import codes
from assistant.turn.rulebooks import load
from assistant.workbook.adoption_match import WORDED, TablePick, find_table_blocks
from assistant.workbook.adoption_reading import read_club_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import add_names
from assistant.workbook.read.find_tables import mapped_grid, mapping_names
from assistant.workbook.read.grid import Notes
from tests.playing import workbook_bytes
from tests.workbook import clubs

pytestmark = pytest.mark.slow

GIGLIO = load("giglio")


@cache
def read(data: bytes, lang: str = "it") -> dict[str, TablePick]:
    """What was found, by the titles of the sheets."""
    return {p.block.title: p for p in read_club_book(OoxmlBook(data), GIGLIO, lang, {}).picks}


def fields(p: TablePick) -> dict[str, str]:
    """Heading -> field."""
    return {p.block.headings[i]: name for name, i in [*p.columns.items(), *p.fills.items()]}


# --- tables in sheets ---------------------------------------------------------------------------
def test_a_table_begins_at_its_headings_and_ends_before_its_totals() -> None:
    """Merged titles above, totals and notes below are no part of it."""
    found = {b.title: str(b.area) for b in find_table_blocks(OoxmlBook(clubs.treasurer()))}

    assert found["Tesoreria"] == "A4:G14"
    assert found["Mappa"].startswith("B2:D")
    assert found["Eserciti"].startswith("A1:E")


def test_an_excel_table_is_taken_without_its_row_of_totals() -> None:
    """The totals row belongs to Excel."""
    found = {b.title: str(b.area) for b in find_table_blocks(OoxmlBook(clubs.english()))}

    assert found["Powers"] == f"A1:F{1 + len(clubs.powers())}"


def test_totals_right_below_end_a_table() -> None:
    """A row that says that it is a total is no row of the table."""
    found = {b.title: str(b.area) for b in find_table_blocks(OoxmlBook(clubs.treasurer(room=1)))}

    assert found["Tesoreria"] == "A4:G14"


def test_a_blank_row_in_the_middle_does_not_end_a_table() -> None:
    """Where the row below goes on like the one above; a note, or a second table, does not."""
    book = openpyxl.Workbook()
    ws = book.worksheets[0]
    for row in (["Chi", "Quanto"], ["Gino", 3], [], ["Ugo", 5], [], ["Dove", "Quando"], ["qui", "oggi"]):
        ws.append(row)

    assert [str(b.area) for b in find_table_blocks(OoxmlBook(workbook_bytes(book)))] == ["A1:B4", "A6:B7"]


def test_nothing_is_found_in_an_empty_workbook() -> None:
    """No headings, no table."""
    assert find_table_blocks(OoxmlBook(clubs.empty())) == []


# --- what they are -----------------------------------------------------------------------------------
def test_an_italian_treasurers_sheets_are_recognised() -> None:
    """By headings, by what clubs call things, and by what stands in the cells."""
    found = read(clubs.treasurer())

    assert {title: p.record.sheet for title, p in found.items()} == {
        "Tesoreria": "Factions", "Mappa": "Nodes", "Vie": "Roads", "Eserciti": "Armies", "Diario": "Events"}
    assert fields(found["Tesoreria"]) == {"Sigla": "faction", "Signoria": "name_it", "Circolo": "club",
                                          "Soldi": "treasury", "E-mail": "mail", "Colore": "colour"}
    assert fields(found["Mappa"]) == {"Codice": "node", "Città": "name", "Di chi": "owner"}
    assert fields(found["Eserciti"]) == {"Armata": "army", "Signoria": "faction", "Dove": "node",
                                         "Ducati di uomini": "value", "Tipo": "kind"}
    assert fields(found["Diario"]) == {"Anno": "turn", "Che cosa": WORDED}


def test_content_speaks_where_the_heading_does_not() -> None:
    """Mail addresses, colours, codes written as the rulebook writes them, and codes of another table."""
    found = read(clubs.english(), "en")

    assert fields(found["Powers"]) == {"Realm": "name_en", "Tag": "faction", "Gold": "treasury", "Contact": "mail",
                                       "Paint": "colour"}
    assert fields(found["Armies"])["Name"] == "army"
    assert fields(found["Armies"])["Side"] == "faction"
    assert fields(found["Armies"])["Strength"] == "value"


def test_of_two_tables_that_could_be_the_same_the_better_one_is_read() -> None:
    """The other is left alone, and the sheet says what it could be as well."""
    found = read(clubs.english(), "en")

    assert found["Powers"].record.sheet == "Factions"
    assert "Old players" not in found


def test_the_codes_that_other_sheets_name_are_the_places() -> None:
    """Whatever their column is headed; words of one list, in either language, are that list's column."""
    found = read(clubs.small())

    assert fields(found["Luoghi"]) == {"Luogo": "node", "Nome": "name", "Padrone": "owner", "Specie": "site",
                                       "Porto": "port"}


def test_a_sheet_of_unheard_of_words_holds_the_places_when_its_codes_are_theirs() -> None:
    """Neither title nor headings say so; the names go to the column that is left."""
    rows = [["Cosa", "Come si chiama", "Città"], *([code, "x", name] for code, name, *_ in clubs.SMALL["Luoghi"][1:])]
    found = read(clubs.small(Luoghi=None, Roba=rows))

    assert found["Roba"].record.sheet == "Nodes"
    assert fields(found["Roba"]) == {"Cosa": "node", "Città": "name"}


def test_codes_that_stand_there_twice_or_are_others_are_no_places() -> None:
    """A list of garrisons names places too, and is not their table."""
    twice: list[list[Any]] = [["Presidio", "Forza"],
                              ["V0", 3], ["V0", 4], ["V8", 1], ["M0", 2], ["M1", 1], ["F0", 2], ["F1", 1]]
    others: list[list[Any]] = [["Presidio", "Forza"], ["A", 3], ["B", 4], ["C", 4], ["V0", 1]]

    assert read(clubs.small(Luoghi=None, Presidi=twice)).get("Presidi") is None
    assert read(clubs.small(Luoghi=None, Presidi=others)).get("Presidi") is None


def test_a_commander_is_no_owner_where_another_column_holds_the_codes() -> None:
    """Clubs call the owner so, but the values are men's names, and the codes of the nations stand beside them."""
    book = openpyxl.Workbook()
    nations: Any = book.active
    nations.title = "Nazioni"
    for row in (["Sigla", "Nazione", "Tesoro"], ["V", "Venezia", 300], ["M", "Milano", 220], ["F", "Firenze", 210]):
        nations.append(row)
    armies = book.create_sheet("Truppe")
    for row in (["Armata", "Di chi", "Dove", "Valore", "Comandante"], ["V-1", "V", "V8", 90, "Orsini"],
                ["V-2", "V", "V0", 120, "Alviano"], ["M-1", "M", "M0", 200, "Trivulzio"]):
        armies.append(row)
    out = io.BytesIO()
    book.save(out)

    seen = fields(read(out.getvalue())["Truppe"])

    assert seen["Di chi"] == "faction"
    assert "Comandante" not in seen


def test_a_diary_is_known_by_its_sentences() -> None:
    """A year and sentences under a title such as Diario; without such a title the year is not enough."""
    found = read(clubs.small())
    other = read(clubs.small(Diario=None, Pranzi=clubs.SMALL["Diario"]))

    assert found["Diario"].record.sheet == "Events"
    assert found["Diario"].copied
    assert fields(found["Diario"]) == {"Anno": "turn", "Che cos'è capitato": WORDED}
    assert "Pranzi" not in other


@pytest.mark.parametrize("heading", ["*", "_", ":", "_x0007_", "Forza_x0001_"])
def test_a_heading_of_signs_alone_is_one_that_says_nothing(heading: str) -> None:
    """A star, a line, a control character as Excel stores it: the table is recognised by its other headings."""
    first, *rest = clubs.SMALL["Armate"]
    data = clubs.small(Armate=[[*first, heading], *([*row, "x_x0003_y"] for row in rest)])

    assert list(fields(read(data)["Armate"]).values()) == ["army", "faction", "node", "value"]


# --- known ever after ---------------------------------------------------------------------------
def armies(change: Any = None) -> tuple[Any, Notes]:
    """The grid of the club's armies in a workbook that remembers them, after somebody has worked in it."""
    book = OoxmlBook(clubs.treasurer())
    pick = read(clubs.treasurer())["Eserciti"]
    add_names(book, mapping_names(pick.record, pick.mapping))
    data = book.package.pack()
    if change is not None:
        opened = openpyxl.load_workbook(io.BytesIO(data))
        change(opened)
        data = workbook_bytes(opened)
    again, notes = OoxmlBook(data), Notes("it")
    from assistant.workbook.read.find_tables import table_mapping

    kept = table_mapping(again, GIGLIO.record("Armies"))
    assert kept is not None
    return mapped_grid(again, GIGLIO.record("Armies"), kept, notes), notes


def own_findings(notes: Notes) -> list[tuple[str, str]]:
    """Findings about headings that the club has had: code and what they say of it."""
    return [(f.code, str(f.data.get("seen", ""))) for f in notes.findings
            if f.where.field in ("army", "faction", "node", "value", "kind")]


@pytest.mark.slow
def test_the_clubs_headings_are_remembered() -> None:
    """Which column is which field, without any word of ours."""
    grid, notes = armies()

    assert {name: grid.heads.fields[name] for name in ("army", "faction", "node", "value", "kind")} == {
        "army": 1, "faction": 2, "node": 3, "value": 4, "kind": 5}
    assert own_findings(notes) == []
    assert len(grid.rows) == len(clubs.rows("armies"))


@pytest.mark.slow
def test_a_heading_that_was_renamed_is_a_finding() -> None:
    """With the heading that it was."""
    def rename(book: Any) -> None:
        book["Eserciti"]["D1"] = "Fanti"

    _, notes = armies(rename)

    assert own_findings(notes) == [(codes.RENAMED_HEADING, "Fanti")]
    assert notes.findings[0].data["heading"] == "Ducati di uomini"


@pytest.mark.slow
def test_a_column_that_was_put_elsewhere_is_found_by_its_heading() -> None:
    """Copied to another place, its text says what it is."""
    def swap(book: Any) -> None:
        ws = book["Eserciti"]
        for row in ws.iter_rows(min_col=3, max_col=4):
            row[0].value, row[1].value = row[1].value, row[0].value

    grid, notes = armies(swap)

    assert (grid.heads.fields["node"], grid.heads.fields["value"]) == (4, 3)
    assert own_findings(notes) == []


def test_a_row_typed_right_below_belongs_to_the_table_and_a_total_does_not() -> None:
    """A code and values are one army more; a sum is none."""
    def add(book: Any) -> None:
        book["Eserciti"].append(["V-9", "V", "V0", 50, "armata"])
        book["Eserciti"].append(["Totale", None, None, "=SUM(D2:D20)"])

    grid, _ = armies(add)

    assert len(grid.rows) == len(clubs.rows("armies")) + 1
    assert isinstance(GIGLIO, Giglio)


def test_a_workbook_without_names_is_found_as_ever() -> None:
    """No names of ours, nothing kept."""
    from assistant.workbook.read.find_tables import table_mapping

    assert table_mapping(OoxmlBook(clubs.treasurer()), GIGLIO.record("Armies")) is None
