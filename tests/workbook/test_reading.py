"""Reading: tables and columns wherever they are, findings at the cell where something is wrong."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.records import Order
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.messages import COMMON
from assistant.workbook.file_book import open_book
from assistant.workbook.layout import sheet_columns
from assistant.workbook.port import WorkbookReading
from assistant.workbook.screening import BookMissing
from tests.playing import create_workbook
from tests.workbook.feast import FEAST, LINES, Army, _bytes, feast, loader, plain, wording, workbook

Change = Callable[[Any], None]
LANGUAGES = ("en", "it")


def read_changed(folder: Path, change: Change, lang: str = "en") -> WorkbookReading:
    """What reading says of a Feast workbook that was changed."""
    path = workbook(folder / "feast.xlsx", lang)
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)
    return open_book(path, loader).read()


@cache
def opened(lang: str) -> Any:
    """The Feast's workbook, loaded once a language: who changes a cell of it puts that back."""
    return openpyxl.load_workbook(io.BytesIO(_bytes(lang)))


def letter(sheet: str, name: str, lang: str = "en") -> str:
    """The column letter of a field in a fresh workbook."""
    return chr(65 + [s.name for s in sheet_columns(FEAST.record(sheet), lang)].index(name))


def title(sheet: str, lang: str) -> str:
    """The sheet's name in a language, quoted where it has blanks."""
    name = FEAST.record(sheet).sheet_it if lang == "it" else sheet
    return f"'{name}'" if " " in name else name


def said(found: list[Finding]) -> list[tuple[str, str]]:
    """Code and cell of findings."""
    return [(f.code, f.cell) for f in found]


# --- one wrong cell each --------------------------------------------------------------------------
WRONG = [
    ("Armies", "guests", "=SUM(1,2)", codes.FORMULA, "=SUM(1,2)"),
    ("Armies", "guests", "#DIV/0!", codes.ERROR_VALUE, "#DIV/0!"),
    ("Armies", "guests", dt.date(2026, 5, 1), codes.DATE, "2026-05-01"),
    ("Armies", "guests", "many", codes.NOT_NUMBER, "many"),
    ("Armies", "guests", 1.5, codes.NOT_WHOLE, "1.5"),
    ("Armies", "guests", -3, codes.OUT_OF_RANGE, "-3"),
    ("Armies", "guests", 501, codes.OUT_OF_RANGE, "501"),
    ("Armies", "mood", "soberr", codes.NOT_CHOICE, "soberr"),
    ("Armies", "hungry", "perhaps", codes.NOT_FLAG, "perhaps"),
    ("Armies", "army", "guests of Red", codes.BAD_PATTERN, "guests of Red"),
    ("Armies", "army", None, codes.BLANK, None),
    ("Armies", "army", "y-1", codes.BAD_PATTERN, "y-1"),
    ("Armies", "army", "Y-1", codes.TWO_KEYS, "Y-1"),
    ("Armies", "faction", "Rx", codes.UNKNOWN_REF, "Rx"),
    ("Armies", "faction", None, codes.BLANK, None),
    ("Armies", "node", "T11", codes.UNKNOWN_REF, "T11"),
    ("Armies", "node", dt.datetime(2026, 5, 1, 12, 30), codes.DATE, "2026-05-01 12:30:00"),
    ("Armies", "seen", "T1, T7", codes.UNKNOWN_REF, "T7"),
    ("Nodes", "name", "x" * 4001, codes.TOO_LONG, None),
    ("Events", "data", "{broken", codes.BAD_DATA, "{broken"),
    ("Dishes", "price", "=A1", codes.FORMULA, "=A1"),
    ("Questions", "to", "=A1", codes.FORMULA, "=A1"),
    ("Dishes", "cook", "Z", codes.UNKNOWN_REF, "Z"),
    ("Orders", "faction", "Q", codes.ORDER_FACTION, "Q"),
    ("Orders", "faction", None, codes.ORDER_FACTION, ""),
    ("Orders", "turn", "May", codes.ORDER_TURN, "May"),
    ("Orders", "phase", "serv", codes.ORDER_PHASE, "serv"),
    ("Orders", "seq", "first", codes.NOT_NUMBER, "first"),
]


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("sheet", "name", "value", "code", "seen"), WRONG,
                         ids=[f"{w[0]}-{w[1]}-{w[3]}-{n}" for n, w in enumerate(WRONG)])
def test_a_wrong_cell_gets_its_finding_there(tmp_path: Path, lang: str, sheet: str, name: str, value: Any,
                                             code: str, seen: str | None) -> None:
    """One finding for one wrong cell, at that cell, saying what was seen, in either language's workbook."""
    row = 6 if code == codes.TWO_KEYS else 5
    if code == codes.TWO_KEYS:
        value = "R-1"
        seen = "R-1"
    address = f"{letter(sheet, name, lang)}{row}"
    book = opened(lang)
    cell = book[title(sheet, lang).strip("'")][address]
    was = cell.value, cell.number_format
    cell.value = value
    book.save(tmp_path / "feast.xlsx")
    cell.value, cell.number_format = was
    reading = open_book(tmp_path / "feast.xlsx", loader).read()
    own = [f for f in reading.findings if f.code == code]

    assert said(own) == [(code, f"{title(sheet, lang)}!{address}")]
    if seen is not None:
        assert own[0].data["seen"] == seen
    for language in LANGUAGES:
        text = wording(language).finding(own[0])
        assert "{" not in text.replace("{broken", "")
        assert text != code


@pytest.mark.slow
def test_the_nearest_word_is_offered(tmp_path: Path) -> None:
    """Choices, references and phases name what was probably meant."""
    def change(book: Any) -> None:
        armies = book["Armate"]
        armies[f"{letter('Armies', 'mood', 'it')}5"] = "alegra"
        armies[f"{letter('Armies', 'node', 'it')}5"] = "T100"
        book["Ordini"][f"{letter('Orders', 'phase', 'it')}5"] = "srve"

    near = {f.code: f.data["near"] for f in read_changed(tmp_path, change, "it").findings}

    assert near == {codes.NOT_CHOICE: "allegra", codes.UNKNOWN_REF: "T10", codes.ORDER_PHASE: "serve"}


# --- sheets and headings ----------------------------------------------------------------------------
def test_an_event_may_touch_more_rows_than_a_text_may_be_long(tmp_path: Path) -> None:
    """What Arbitro writes of a phase that touches hundreds of rows it can read again."""
    long = " ".join(f"Armies/A-{number}" for number in range(1, 500))

    def change(book: Any) -> None:
        book[title("Events", "en").strip("'")][f"{letter('Events', 'touched')}5"].value = long

    reading = read_changed(tmp_path, change)

    assert said(reading.findings) == []
    assert next(iter(reading.campaign.by_sheet("Events"))).touched == long


def _rename(sheet: str, address: str, value: Any) -> Change:
    def change(book: Any) -> None:
        book[sheet][address] = value
    return change


def _drop(book: Any) -> None:
    del book["Armies"]


def _twins(book: Any) -> None:
    for ws in (book["Armies"], book["Nodes"]):
        ws.tables.clear()
    book.remove(book["Armies"])
    book.create_sheet("Armate")
    book.create_sheet("ARMIES")


def _no_headings(book: Any) -> None:
    ws = book["Armies"]
    ws.tables.clear()
    ws.delete_rows(1, 20)


def _second(book: Any) -> None:
    ws = book["Armies"]
    ws.tables["tbl_Armies"].ref = "A4:H6"
    ws["H4"] = "Guests"


def _phase(book: Any) -> None:
    ws = book["Desk"]
    row = next(r for r in range(20, 60) if ws.cell(r, 2).value == "Phase")
    ws.cell(row, 3).value = "serfe"


@pytest.mark.parametrize(("change", "code", "cell"), [
    (_drop, codes.NO_SHEET, ""),
    (_twins, codes.TWO_SHEETS, ""),
    (_no_headings, codes.NO_HEADINGS, "Armies!A1"),
    (_rename("Armies", "D4", "Gests"), codes.RENAMED_HEADING, "Armies!D4"),
    (_rename("Armies", "D4", None), codes.NO_HEADING, "Armies!D4"),
    (_second, codes.TWO_HEADINGS, "Armies!H4"),
    (_phase, codes.DESK_PHASE, "Desk!C35")])
def test_a_sheet_or_heading_that_is_gone_is_reported(tmp_path: Path, change: Change, code: str, cell: str) -> None:
    """Missing sheets, two of one name, missing, renamed and doubled headings, an unknown phase."""
    assert said(read_changed(tmp_path, change).findings) == [(code, cell)]


def test_a_renamed_heading_names_the_one_that_was_meant(tmp_path: Path) -> None:
    """The finding stands on the heading that looks like the missing one."""
    findings = read_changed(tmp_path, _rename("Armate", "D4", "Ospti"), "it").findings

    assert [(f.data["seen"], f.data["heading"]) for f in findings] == [("Ospti", "Ospiti")]


# --- files --------------------------------------------------------------------------------------------
def _no_book(path: Path) -> None:
    path.write_text("Dear referee, here are my orders.")


def _nothing(path: Path) -> None:
    path.write_bytes(b"")


def _cut_off(path: Path) -> None:
    openpyxl.Workbook().save(path)
    path.write_bytes(path.read_bytes()[:2000])


def _old(path: Path) -> None:
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


def _locked(path: Path) -> None:
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"))


def _empty(path: Path) -> None:
    openpyxl.Workbook().save(path)


def _other_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")


def _broken(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<not closed")


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/workbook.xml", "w", force_zip64=True) as out:
            out.write(bytes(3 * 1024 * 1024))


def _other_rules(path: Path) -> None:
    made = feast()
    made.desk.ruleset = "fest"
    create_workbook(FEAST, made, path, wording(), LINES)


@pytest.mark.parametrize(("make", "code"), [
    (_no_book, codes.NO_WORKBOOK), (_nothing, codes.NO_WORKBOOK), (_cut_off, codes.CUT_OFF),
    (_old, codes.OLD_FORMAT),
    (_locked, codes.ENCRYPTED), (_empty, codes.EMPTY), (_other_zip, codes.NO_WORKBOOK),
    (_broken, codes.NO_WORKBOOK), (_bomb, codes.UNSAFE), (_other_rules, codes.NO_RULESET)])
def test_a_file_that_is_no_campaign_gets_one_finding(tmp_path: Path, make: Callable[[Path], None],
                                                     code: str) -> None:
    """What cannot be read at all is said in one finding, never in a fault."""
    path = tmp_path / "what.xlsx"
    make(path)
    reading = open_book(path, loader).read()

    assert [f.code for f in reading.findings] == [code]
    assert reading.ruleset is None
    for lang in LANGUAGES:
        assert "{" not in wording(lang).finding(reading.findings[0])


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    """There is nothing to have findings about."""
    with pytest.raises(BookMissing):
        open_book(tmp_path / "none.xlsx", loader).read()


# --- what clubs may do ----------------------------------------------------------------------------------
def test_rows_columns_and_notes_of_clubs_are_left_alone(tmp_path: Path) -> None:
    """Leading rows, other orders of columns, own columns with formulas, blank rows, notes, own sheets."""
    def change(book: Any) -> None:
        ws = book["Armies"]
        rows = [[c.value for c in row] for row in ws.iter_rows(min_row=4, max_row=6)]
        ws.tables.clear()
        ws.delete_rows(1, 10)
        for number, row in zip((7, 9, 8), rows, strict=True):
            for i, value in enumerate([*reversed(row), "mine" if number == 7 else "=1+1"], 2):
                ws.cell(number, i).value = value
        ws["A1"] = "Our armies, as of Sunday"
        book.create_sheet("Supper")["A1"] = "=2+2"

    reading = read_changed(tmp_path, change)

    assert reading.findings == []
    assert reading.campaign.table(Army)["R-1"].guests == 120
    assert [k for k, _ in reading.campaign.table(Army).in_file_order()] == ["Y-1", "R-1"]
    assert reading.cells.of(Where("Armies", "R-1", "army")) == f"Armies!{reading.cells.letters['Armies']['army']}9"


def test_a_scratch_area_beside_a_table_may_use_its_headings(tmp_path: Path) -> None:
    """What stands outside the Excel table is the club's own."""
    def change(book: Any) -> None:
        book["Armies"]["L4"], book["Armies"]["L5"] = "Guests", "=D5*2"

    reading = read_changed(tmp_path, change)

    assert reading.findings == []
    assert reading.campaign.table(Army)["R-1"].guests == 120


@pytest.mark.parametrize("headings", [
    ["Armata", "Fazione", "Al nodo", "Ospiti", "Umore", "Affamata", "Ha visto"],
    ["army", "faction", "node", "guests", "mood", "hungry", "seen"],
    ["ARMY:", " Faction*", "at", "GUESTS", "Mood", "hungry", "has  seen"]])
def test_headings_are_understood_in_either_language_as_names_and_in_any_case(
        tmp_path: Path, headings: list[str]) -> None:
    """An English workbook may bear Italian headings, field names, or headings typed carelessly."""
    def change(book: Any) -> None:
        for i, text in enumerate(headings, 1):
            book["Armies"].cell(4, i).value = text

    reading = read_changed(tmp_path, change)

    assert reading.findings == []
    assert plain(reading.campaign) == plain(feast())


def test_a_heading_that_two_languages_share_is_read_with_its_neighbours(tmp_path: Path) -> None:
    """`A` is the field of one end and the Italian heading of the other: the row's other words decide."""
    def change(book: Any) -> None:
        for i, text in enumerate(["Da", "a", "Tipo", "Nome"], 1):
            book["Strade"].cell(4, i).value = text.upper()

    roads = read_changed(tmp_path, change, "it").campaign.by_sheet("Roads").in_file_order()

    assert [(r.a, r.b) for _, r in roads] == [("T1", "T2"), ("T1", "T2")]


def test_codes_are_understood_in_any_case_and_returned_as_their_table_spells_them(tmp_path: Path) -> None:
    """A club that types r for R, or t10 with blanks around, is understood."""
    def change(book: Any) -> None:
        book["Armies"][f"{letter('Armies', 'faction')}5"] = " r "
        book["Armies"][f"{letter('Armies', 'seen')}5"] = "t10;T2"
        book["Orders"][f"{letter('Orders', 'faction')}5"] = "r"
        book["Orders"][f"{letter('Orders', 'phase')}5"] = "Servizio"

    reading = read_changed(tmp_path, change)

    assert reading.findings == []
    assert reading.campaign.table(Army)["R-1"].faction == "R"
    assert reading.campaign.table(Army)["R-1"].seen == ("T10", "T2")
    assert reading.campaign.table(Order)["1-serve-R-1"].phase == "serve"


def test_a_number_typed_as_text_counts_and_words_are_read_in_both_languages(tmp_path: Path) -> None:
    """Forgiving about form: '120 ' is 120, sì is yes, merry is allegra."""
    def change(book: Any) -> None:
        ws = book["Armies"]
        ws[f"{letter('Armies', 'guests')}5"] = "120 "
        ws[f"{letter('Armies', 'hungry')}5"] = "sì"
        ws[f"{letter('Armies', 'mood')}5"] = "ALLEGRA"

    assert plain(read_changed(tmp_path, change).campaign) == plain(feast())


def test_a_note_beneath_a_table_is_no_row(tmp_path: Path) -> None:
    """A lone cell below the table is a club's note; a row typed there is a row."""
    def change(book: Any) -> None:
        ws = book["Armies"]
        ws["A9"] = "Do not forget the bread"
        for i, value in enumerate(["R-7", "R", "T1", 5], 1):
            ws.cell(8, i).value = value

    reading = read_changed(tmp_path, change)

    assert reading.findings == []
    assert reading.campaign.table(Army).keys() == ["R-1", "R-7", "Y-1"]


@pytest.mark.slow
def test_a_stray_cell_in_the_last_corner_costs_nothing(tmp_path: Path) -> None:
    """One formatted or filled cell at the end of the sheet must not make reading crawl."""
    def change(book: Any) -> None:
        book["Armies"]["XFD1048576"] = None
        book["Armies"]["XFD1048576"].number_format = "0.00"
        book["Nodes"]["XFC1048570"] = "x"

    assert read_changed(tmp_path, change).findings == []


# --- orders ---------------------------------------------------------------------------------------------
def test_blank_numbers_turns_and_phases_of_orders_are_filled_in(tmp_path: Path) -> None:
    """Ids go on after the highest; No. follows the row above; turn and phase are the Desk's."""
    def change(book: Any) -> None:
        ws = book["Orders"]
        for number, (faction, seq, verb) in enumerate([("R", None, "eat"), ("Y", 5, "eat"), ("y", None, "eat")], 6):
            ws[f"{letter('Orders', 'faction')}{number}"] = faction
            ws[f"{letter('Orders', 'seq')}{number}"] = seq
            ws[f"{letter('Orders', 'verb')}{number}"] = verb

    reading = read_changed(tmp_path, change)
    orders = [(o.order, o.turn, o.phase, o.faction, o.seq) for _, o in reading.campaign.table(Order).in_file_order()]

    assert reading.findings == []
    assert orders == [("1-serve-R-1", "1", "serve", "R", 1), ("1-serve-R-2", "1", "serve", "R", 2),
                      ("1-serve-Y-1", "1", "serve", "Y", 5), ("1-serve-Y-2", "1", "serve", "Y", 6)]


@pytest.mark.parametrize(("value", "read"), [
    ("=1+1", "=1+1"), ("#N/A", "#N/A"), (dt.date(2026, 9, 8), "2026-09-08"), (2.5, "2.5"), ("ten", "ten"), (-4, -4)])
def test_what_a_club_types_into_an_order_is_left_for_the_ruleset_to_refuse(
        tmp_path: Path, value: Any, read: Any) -> None:
    """Unreadable amounts of orders are no findings of the workbook; the row keeps what was typed."""
    reading = read_changed(tmp_path, _rename("Orders", f"{letter('Orders', 'amount')}5", value))

    assert reading.findings == []
    assert vars(reading.campaign.table(Order)["1-serve-R-1"])["amount"] == read


def test_an_order_of_nobody_is_kept_and_reported(tmp_path: Path) -> None:
    """Nothing that a club typed is lost, also where the row cannot count."""
    reading = read_changed(tmp_path, _rename("Orders", f"{letter('Orders', 'faction')}5", "Q"))

    assert [f.code for f in reading.findings] == [codes.ORDER_FACTION]
    assert [f.where.row for f in reading.findings] == ["1-serve-R-1"]
    assert reading.campaign.table(Order)["1-serve-R-1"].faction == "Q"


# --- the catalogue ----------------------------------------------------------------------------------------
def test_every_code_of_this_room_stands_in_the_catalogue() -> None:
    """No finding without a sentence, in either language."""
    mine = {value for name, value in vars(codes).items() if name.isupper() and isinstance(value, str)}

    assert mine <= set(COMMON)
    for code in mine:
        found = Finding(code, "error", Where("Armies", "R-1", "guests"))
        assert wording("it").finding(found) != wording("en").finding(found)


def test_addresses_of_places_are_as_exact_as_they_can_be(tmp_path: Path) -> None:
    """A cell, else the heading, else the sheet; sheets with blanks stand in quotes."""
    cells = read_changed(tmp_path, lambda book: None, "it").cells

    assert cells.of(Where("Dishes", "Soup/R#2", "cook")) == "'Portate di casa'!B6"
    assert cells.of(Where("Armies", "", "guests")) == "Armate!D4"
    assert cells.of(Where("Desk", "", "turn")).startswith("Banco!C")
    assert cells.of(Where("Nowhere")) == ""
