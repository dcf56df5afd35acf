"""Taking on a workbook that a club already uses, as a referee does it; then a phase is played on it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.records import Army
from assistant.testing.cases import campaign_of
from assistant.turn.rulebooks import load
from assistant.wording import Wording
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import place_of
from assistant.workbook.ooxml.sheet import OoxmlSheet
from assistant.workbook.port import DeskLines
from tests.fresh import equal_sheets_once
from tests.playing import answer, arbitro, members, workbook_bytes
from tests.workbook import clubs
from tests.workbook.test_office import converted

pytestmark = pytest.mark.slow  # each adopts whole workbooks; the fast part has tests/workbook/test_adoption.py
SECRET = "ab" * 32
sheets_once = pytest.fixture(scope="module", autouse=True)(equal_sheets_once)
ITALY = ("--scenario", "italy-1500")


def adopt(book: Path, *words: str | Path, lang: str = "it") -> Any:
    """One call of adopt; the JSON it answers."""
    return json.loads(arbitro("--lang", lang, "adopt", "giglio", book, "--secret", SECRET, "--json", *words).stdout)


def codes(answer: Any) -> dict[str, list[str]]:
    """Code -> cells of the findings of an answer."""
    found: dict[str, list[str]] = {}
    for f in answer["findings"]:
        found.setdefault(f["code"], []).append(f["cell"])
    return found


def put(path: Path, title: str, ref: str, value: int | str | None) -> None:
    """Let somebody type into a cell, the rest of the file as it is."""
    book = OoxmlBook(path.read_bytes())
    sheet = OoxmlSheet(book, title)
    sheet.put(*place_of(ref), value)
    sheet.save()
    path.write_bytes(book.package.pack())


def formula(path: Path, title: str, ref: str, text: str) -> None:
    """Let somebody type a formula into a cell."""
    book = OoxmlBook(path.read_bytes())
    sheet = OoxmlSheet(book, title)
    sheet.set_formula(*place_of(ref), text, 0)
    sheet.save()
    path.write_bytes(book.package.pack())


@pytest.fixture(scope="module")
def taken_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The treasurer's workbook as a campaign, to copy from."""
    path = tmp_path_factory.mktemp("league") / "lega.xlsx"
    path.write_bytes(clubs.treasurer())
    assert adopt(path, *ITALY)["exit"] == 0
    return path


@pytest.fixture
def adopted(taken_on: Path, tmp_path: Path) -> Path:
    """A campaign in the treasurer's workbook."""
    for name in ("lega.xlsx", "lega.arbitro"):
        (tmp_path / name).write_bytes(taken_on.with_name(name).read_bytes())
    return tmp_path / "lega.xlsx"


@pytest.fixture
def powers(tmp_path: Path) -> Path:
    """An English club's workbook."""
    path = tmp_path / "powers.xlsx"
    path.write_bytes(clubs.english())
    return path


# --- asking -------------------------------------------------------------------------------------
def test_without_a_terminal_the_questions_are_listed_and_nothing_is_changed(league: Path) -> None:
    """Exit code 3: the referee is awaited. The club's file is as it was, to the byte."""
    before = league.read_bytes()
    answer = adopt(league)

    assert answer["exit"] == 3
    assert [question["place"] for question in answer["asked"]] == ["scenario"]
    assert league.read_bytes() == before
    assert not league.with_suffix(".arbitro").exists()


def test_what_was_read_is_said_in_words(league: Path) -> None:
    """Each table, each column, and the next step."""
    said = arbitro("--lang", "en", "adopt", "giglio", league, *ITALY).stdout

    assert "Tesoreria: Factions, 10 rows." in said
    assert "Soldi: Chest" in said
    assert "is a campaign now" in said


# --- doing --------------------------------------------------------------------------------------
def cells_of(data: bytes) -> dict[str, Any]:
    """Every cell of the club's: value, number format, fill, font, note."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {f"{ws.title}!{cell.coordinate}": (cell.value, cell.number_format, repr(cell.fill), repr(cell.font),
                                               cell.comment.text if cell.comment else None)
            for ws in book.worksheets for row in ws.iter_rows() for cell in row
            if cell.value is not None or cell.has_style}


def test_it_becomes_a_campaign_and_no_cell_of_the_clubs_changes(league: Path) -> None:
    """Cells, looks, notes, drawn map, totals, order: all as they were; what was missing stands beside."""
    before = league.read_bytes()
    answer = adopt(league, *ITALY)
    after = league.read_bytes()

    assert (answer["exit"], answer["turn"], answer["phase"]) == (0, "1500", "income")
    assert answer["tables"] == {"Factions": "Tesoreria", "Nodes": "Mappa", "Roads": "Vie", "Armies": "Eserciti",
                                "Events": "Diario"}
    now = cells_of(after)
    assert {ref: now.get(ref) for ref in cells_of(before)} == cells_of(before)
    old, new = members(before), members(after)
    for name in old:
        if "drawing" in name.lower() or "comment" in name or name.startswith("docProps") or "theme" in name:
            assert old[name] == new[name], name
    titles = openpyxl.load_workbook(league).sheetnames
    assert titles[:5] == ["Tesoreria", "Mappa", "Vie", "Eserciti", "Diario"]
    assert {"Banco", "Ordini", "Domande", "Battaglie", "Cronaca", "Dadi", "Regole", "Flotte"} <= set(titles)
    assert not {"Fazioni", "Nodi", "Strade", "Armate"} & set(titles)
    assert "Adozione" not in titles


def test_the_campaign_is_sound_and_a_phase_is_played_on_it(adopted: Path, tmp_path: Path) -> None:
    """No finding, no change by hand; the money of spring stands in the club's own column of money."""
    chest = openpyxl.load_workbook(adopted)["Tesoreria"]["D5"].value

    assert answer("check", adopted)["findings"] == []
    assert arbitro("resolve", adopted).exit_code == 0
    book = openpyxl.load_workbook(adopted)
    assert book["Tesoreria"]["D5"].value != chest
    assert book["Tesoreria"]["D26"].value == "=SUM(D5:D14)"
    assert book["Tesoreria"]["G6"].value == "paga la cena"
    assert arbitro("orders", adopted, "V: V6 V7", "M: loan 50").exit_code == 0
    assert arbitro("resolve", adopted, "--until", "r1.move", "--defaults").exit_code in (0, 3)
    assert arbitro("report", adopted, "--out", tmp_path / "out").exit_code == 0
    assert answer("check", adopted)["exit"] == 0


def test_the_clubs_chronicle_is_told_in_ours(adopted: Path) -> None:
    """Its lines are events that everybody knows; its own sheet stays."""
    ws = openpyxl.load_workbook(adopted)["Cronaca"]
    told = [cell.value for row in ws.iter_rows(min_row=5) for cell in row if cell.value]

    assert "Il Re Luigi scende a Milano" in told
    assert "La lega si riunisce" in told


def test_clubs_of_an_italian_workbook_read_italian(adopted: Path, tmp_path: Path) -> None:
    """Where the club keeps no column of languages, its factions speak as its workbook does."""
    assert arbitro("export", adopted, "--to", tmp_path / "out").exit_code == 0
    with (tmp_path / "out" / "factions.csv").open(encoding="utf-8") as file:
        assert {row["language"] for row in csv.DictReader(file) if row["role"] != "neutral"} == {"it"}


def test_colours_of_cells_become_colours_of_factions(adopted: Path) -> None:
    """They stand as text in a column of ours, for the club's cells hold none."""
    ws = openpyxl.load_workbook(adopted)["Tesoreria"]
    headings = {cell.value: cell.column for cell in ws[4]}

    assert ws.cell(5, headings["Colore (Arbitro)"] or 0).value == "#0c6993"
    assert ws.cell(5, headings["Colore"] or 0).value is None


def test_it_can_be_undone_and_done_again(league: Path) -> None:
    """The club's workbook comes back to the byte; the ledger's secret is drawn as for a new campaign."""
    asked = league.read_bytes()
    adopt(league, *ITALY)
    made = league.read_bytes()
    undone = arbitro("undo", league, "--snapshot", "1")

    assert undone.exit_code == 0, undone.output
    assert league.read_bytes() == asked
    assert codes(adopt(league, *ITALY)) == {"ARB-080": [""]}
    assert adopt(league, *ITALY, "--force")["exit"] == 0
    assert league.read_bytes() == made


def test_a_workbook_that_is_a_campaign_is_left_alone(adopted: Path) -> None:
    """The second time there is nothing to do."""
    before = adopted.read_bytes()

    assert codes(adopt(adopted)) == {"ARB-170": [""]}
    assert adopted.read_bytes() == before


# --- what the referee corrects -------------------------------------------------------------------
def said(tmp_path: Path, *lines: str) -> tuple[str, Path]:
    """The option with a file of answers."""
    file = tmp_path / "answers.txt"
    file.write_text("# what the referee says\n\n" + "\n".join(lines), encoding="utf-8")
    return "--answers", file


def test_the_referee_corrects_what_was_never_asked(league: Path, tmp_path: Path) -> None:
    """A column that is left alone stays the club's, and one of ours stands beside it."""
    assert adopt(league, *ITALY, *said(tmp_path, "Tesoreria!C4: -"))["exit"] == 0
    ws = openpyxl.load_workbook(league)["Tesoreria"]
    headings = [cell.value for cell in ws[4]]
    assert headings.count("Circolo") == 1
    assert "Circolo (Arbitro)" in headings


WRONG = [("Tesoreria: Fazoni", "ARB-171", "Fazioni"), ("Tesoreria!D4: Casa", "ARB-172", "Cassa"),
         ("Tesoreria!D40: Cassa", "ARB-175", "tesoreria!d40"), ("Diario: Armate", "ARB-174", "Fazione"),
         ("Tesoreria e Cassa", "ARB-182", "Tesoreria e Cassa")]


@pytest.mark.parametrize(("line", "code", "word"), WRONG, ids=[code for _, code, _ in WRONG])
def test_a_wrong_answer_is_named(league: Path, tmp_path: Path, line: str, code: str, word: str) -> None:
    """With what was seen and what would do; nothing is changed before it is put right."""
    before = league.read_bytes()
    answer = adopt(league, *ITALY, *said(tmp_path, line))

    assert (answer["exit"], list(codes(answer))) == (1, [code])
    assert word in answer["findings"][0]["text"]
    assert "{" not in answer["findings"][0]["text"]
    assert league.read_bytes() == before


def test_answers_may_name_another_table(tmp_path: Path) -> None:
    """Of two tables that could be the nations the referee takes the other one, and leaves the armies alone."""
    path = tmp_path / "powers.xlsx"
    path.write_bytes(clubs.english())
    answer = adopt(path, *ITALY, *said(tmp_path, "Old players: Factions", "Powers: -", "Armies: -"), lang="en")

    assert (answer["exit"], answer["tables"]) == (0, {"Factions": "Old players"})
    assert sorted(campaign_of(path).by_sheet("Factions").keys()) == ["N", "X"]


# --- what does not fit ---------------------------------------------------------------------------
def test_what_does_not_fit_is_named_at_its_cell_and_nothing_is_written(league: Path) -> None:
    """An unknown place, a code that is there twice, words for a number, a formula among the values."""
    put(league, "Eserciti", "C3", "V99")
    put(league, "Eserciti", "A4", "V-1")
    put(league, "Eserciti", "D5", "tanti")
    formula(league, "Tesoreria", "D6", "100+110")
    put(league, "Mappa", "D4", "XX")
    before = league.read_bytes()

    answer = adopt(league, *ITALY, "--yes")

    assert answer["exit"] == 1
    found = codes(answer)
    assert found["ARB-030"] == ["Eserciti!C3"]
    assert found["ARB-031"] == ["Eserciti!A4"]
    assert found["ARB-023"] == ["Eserciti!D5"]
    assert found["ARB-176"] == ["Tesoreria!D6"]
    assert league.read_bytes() == before
    assert not league.with_suffix(".arbitro").exists()


def test_an_owner_that_is_no_faction_is_named_too(league: Path) -> None:
    """What only the rulebook sees stops as well, at the club's cell."""
    put(league, "Mappa", "D4", "XX")

    answer = adopt(league, *ITALY, "--yes")

    assert answer["exit"] == 1
    assert "Mappa!D4" in {f["cell"] for f in answer["findings"]}


def test_a_table_that_must_grow_is_copied_where_a_total_stands_right_below(tmp_path: Path) -> None:
    """The rulebook wants a row for the neutrals; the treasurer's sheet stays as it was, total and all."""
    path = tmp_path / "stretta.xlsx"
    path.write_bytes(clubs.treasurer(room=1))
    before = cells_of(path.read_bytes())
    answer = adopt(path, *ITALY)

    assert (answer["exit"], "ARB-180" in codes(answer)) == (0, False)
    book = openpyxl.load_workbook(path)
    assert "Fazioni" in book.sheetnames
    assert {ref: cell for ref, cell in cells_of(path.read_bytes()).items() if ref.startswith("Tesoreria!")} == {
        ref: cell for ref, cell in before.items() if ref.startswith("Tesoreria!")}
    assert "N" in campaign_of(path).by_sheet("Factions")
    assert arbitro("resolve", path).exit_code == 0


def test_little_room_below_is_a_warning(tmp_path: Path) -> None:
    """What stands there is named, and the campaign begins."""
    path = tmp_path / "stretta.xlsx"
    path.write_bytes(clubs.treasurer(room=4))

    assert codes(adopt(path, *ITALY))["ARB-180"] == ["Tesoreria!C18"]


def test_columns_of_ours_keep_clear_of_a_drawn_map(league: Path) -> None:
    """They stand behind it, and the referee is told to sort both together."""
    answer = adopt(league, *ITALY)
    book = openpyxl.load_workbook(league)

    assert [cell for cell in codes(answer)["ARB-181"] if cell.startswith("Mappa!")] == ["Mappa!O2"]
    assert [cell.value for cell in book["Mappa"][2]][10:14] == [None] * 4


def test_a_sheet_of_the_same_name_gets_a_number(league: Path) -> None:
    """The club's Ordini are no orders of ours; both stand."""
    opened = OoxmlBook(league.read_bytes())
    other = openpyxl.Workbook()
    other.worksheets[0].title = "Ordini"
    other.worksheets[0]["A1"] = "ordini di pizza"
    from assistant.workbook.ooxml.transplant import add_sheets

    add_sheets(opened, OoxmlBook(workbook_bytes(other)))
    league.write_bytes(opened.package.pack())

    assert "ARB-183" in codes(adopt(league, *ITALY))
    book = openpyxl.load_workbook(league)
    assert book["Ordini"]["A1"].value == "ordini di pizza"
    assert "tbl_Orders" in book["Ordini 2"].tables
    assert arbitro("resolve", league).exit_code == 0


def test_a_club_without_a_map_names_a_scenario(powers: Path) -> None:
    """Or says that it begins without places."""
    answer = adopt(powers, lang="en")
    assert [question["code"] for question in answer["asked"]] == ["ARB-179"]
    assert "italy-1500" in answer["asked"][0]["text"]
    assert adopt(powers, "--scenario", "nowhere", lang="en")["exit"] == 2
    assert adopt(powers, *ITALY, lang="en")["exit"] == 0


def test_a_workbook_without_tables_cannot_be_taken_on(tmp_path: Path) -> None:
    """The referee is sent to arbitro new."""
    path = tmp_path / "vuota.xlsx"
    path.write_bytes(clubs.empty())

    assert codes(adopt(path)) == {"ARB-177": [""]}
    assert path.read_bytes() == clubs.empty()


def small(tmp_path: Path, **sheets: Any) -> tuple[Path, Any]:
    """The small league's workbook taken on with the scenario of Italy, and what was answered."""
    path = tmp_path / "piccola.xlsx"
    path.write_bytes(clubs.small(**sheets))
    return path, adopt(path, *ITALY, "--yes", lang="en")


def test_a_scenarios_rows_that_do_not_fit_the_clubs_map_are_left_out(tmp_path: Path) -> None:
    """A ban on a road of Italy is no ban of the club's; the referee is told, and how to begin without a scenario."""
    path, adopted = small(tmp_path)

    assert (adopted["exit"], codes(adopted)) == (0, {"ARB-187": [""]})
    assert "Bans" in adopted["findings"][0]["text"]
    assert "S12" in adopted["findings"][0]["text"]
    assert "adopt it again and answer no" in adopted["findings"][0]["text"]
    assert adopted["tables"]["Nodes"] == "Luoghi"
    assert len(campaign_of(path).by_sheet("Bans")) == 0
    assert answer("check", path)["findings"] == []
    assert arbitro("resolve", path).exit_code == 0


PARTS: list[tuple[tuple[str, ...], dict[str, set[str]]]] = [
    (("Squadre",), {"ARB-187": {"Bans"}, "ARB-188": {"Factions"}}),
    (("Luoghi", "Strade"), {"ARB-190": {"Nodes"}}),
    (("Strade",), {"ARB-187": {"Roads", "Bans"}, "ARB-684": {"way leads to 2 places: V0"}}),
    (("Armate",), {"ARB-187": {"Armies", "Bans"}}),
    (("Armate", "Luoghi", "Strade"), {"ARB-187": {"Armies"}, "ARB-190": {"Nodes"}}),
]


@pytest.mark.parametrize(("without", "told"), PARTS, ids=["-".join(without) for without, _ in PARTS])
def test_whatever_part_the_scenario_lends_the_campaign_begins(tmp_path: Path, without: tuple[str, ...],
                                                              told: dict[str, set[str]]) -> None:
    """Rows that name what is not there go, capitals are blank, places of other nations are the neutrals'."""
    path, answer = small(tmp_path, **dict.fromkeys(without))
    found: dict[str, set[str]] = {}
    for f in answer["findings"]:
        found.setdefault(f["code"], set()).add(f["text"].split("scenario's rows of ")[-1].split(" that ")[0]
                                               if f["code"] == "ARB-187" else f["text"].split(",")[0][3:])

    assert (answer["exit"], found) == (0, told)
    assert arbitro("resolve", path).exit_code == 0


def test_rows_that_name_what_the_rulebook_adds_to_a_clubs_table_stay(tmp_path: Path) -> None:
    """The neutrals of The Anarchy are no row of the club's nations; their armies are the scenario's all the same."""
    path = tmp_path / "piccola.xlsx"
    sides = [["Sigla", "Nome", "Parte"], ["V", "Venezia", "royal"], ["M", "Milano", "angevin"]]
    path.write_bytes(clubs.small(Luoghi=None, Strade=None, Armate=None, Squadre=sides))
    ended = arbitro("--lang", "en", "adopt", "anarchy", path, "--scenario", "wallingford-1139", "--secret", SECRET)
    assert ended.exit_code == 0, ended.output
    campaign = campaign_of(path)

    assert "neutral" in campaign.by_sheet("Factions")
    assert [f.side for f in campaign.by_sheet("Factions") if f.faction in "VM"] == ["angevin", "royal"]
    assert {army.faction for army in campaign.table(Army)} == {"neutral"}


def test_what_is_the_clubs_own_still_stops(tmp_path: Path) -> None:
    """An army of the club's that stands nowhere is named at its cell; nothing of the club's is left out."""
    armies = [*clubs.SMALL["Armate"], ["F-2", "F", "S12", 10]]
    path, answer = small(tmp_path, Armate=armies)

    assert (answer["exit"], codes(answer)) == (1, {"ARB-030": ["Armate!C5"]})
    assert not path.with_suffix(".arbitro").exists()


def test_a_word_of_no_list_is_asked_with_the_words_that_are(tmp_path: Path) -> None:
    """One that was mistyped is taken for what it is like; of one that is like none the most usual is proposed."""
    places = [list(row) for row in clubs.SMALL["Luoghi"]]
    places[0][3], places[2][3], places[4][3] = "Tipo di luogo", "palude", "vilaggio"
    path = tmp_path / "piccola.xlsx"
    path.write_bytes(clubs.small(Luoghi=places))
    asked, = adopt(path, *ITALY, lang="en")["asked"]

    assert asked["place"] == "Luoghi!D1"
    assert all(word in asked["text"] for word in ("palude", "village", "fortress", "city", "sea"))
    assert "vilaggio" not in asked["text"]
    assert asked["rows"][1:] == ["3: V8 | Padova | V | palude | no"]
    assert adopt(path, *ITALY, *said(tmp_path, "Luoghi!D1: palude = fortress"), lang="en")["exit"] == 0
    sites = {place.node: place.site for place in campaign_of(path).by_sheet("Nodes")}
    assert (sites["V8"], sites["M1"], sites["F1"]) == ("fortress", "village", "village")


# --- scripts, tables, languages --------------------------------------------------------------------
def test_an_excel_table_with_its_filter_and_totals_reaches_over_our_columns(powers: Path) -> None:
    """Sorting and filtering take our columns along; the totals row moves down for the neutrals."""
    assert adopt(powers, *ITALY, "--yes", lang="en")["exit"] == 0
    ws = openpyxl.load_workbook(powers)["Powers"]
    table = ws.tables["Table1"]
    _, _, right, bottom = (number or 0 for number in openpyxl.utils.range_boundaries(table.ref))
    last = 1 + len(clubs.powers())

    assert [ws.cell(1, i).value for i in range(1, right + 1)] == [c.name for c in table.tableColumns]
    assert table.totalsRowCount == 1
    assert ws.cell(bottom, 1).value == "Total"
    assert bottom == last + 2
    assert arbitro("resolve", powers).exit_code == 0
    assert arbitro("check", powers).exit_code == 0


def test_a_heading_that_the_club_changes_later_is_a_finding(adopted: Path) -> None:
    """At its cell, with the word that stood there."""
    put(adopted, "Tesoreria", "D4", "Fiorini")
    told = answer("--lang", "en", "check", adopted)

    assert codes(told)["ARB-013"] == ["Tesoreria!D4"]
    assert "Soldi" in told["findings"][0]["text"]


def test_a_filter_on_a_plain_table_reaches_over_our_columns(league: Path) -> None:
    """Its arrows sort whole rows, ours included; the hidden name that Excel keeps for it says the same."""
    book = OoxmlBook(league.read_bytes())
    part = book.sheets["Eserciti"].part
    book.package.put(part, book.package.text(part).replace(b"</sheetData>", b'</sheetData><autoFilter ref="A1:E19"/>'))
    data = book.package.text(book.part)
    name = b'<definedName name="_xlnm._FilterDatabase" localSheetId="3" hidden="1">Eserciti!$A$1:$E$19</definedName>'
    book.package.put(book.part, data.replace(b"<calcPr", b"<definedNames>" + name + b"</definedNames><calcPr").replace(
        b"<definedNames/>", b"").replace(b"<definedNames />", b""))
    book.rewritten()
    league.write_bytes(book.package.pack())
    assert adopt(league, *ITALY)["exit"] == 0

    after = OoxmlBook(league.read_bytes())
    assert b'<autoFilter ref="A1:N19"/>' in after.package.text(after.sheets["Eserciti"].part)
    assert b">'Eserciti'!$A$1:$N$19<" in after.package.text(after.part)


def test_a_change_by_hand_is_named_and_put_back_at_the_clubs_own_cell(adopted: Path) -> None:
    """Money that somebody typed into the treasurer's column."""
    put(adopted, "Tesoreria", "D5", 9999)

    named = codes(answer("check", adopted))
    assert named == {"ARB-110": ["Tesoreria!D5"], "ARB-237": [""]}
    assert arbitro("revert", adopted, "Tesoreria!D5").exit_code == 0
    assert openpyxl.load_workbook(adopted)["Tesoreria"]["D5"].value == 280


def test_a_campaign_that_is_under_way_begins_where_it_stands(league: Path) -> None:
    """Turn and phase are given; what is no phase of the rulebook is refused."""

    assert codes(adopt(league, *ITALY, "--turn", "1502", "--phase", "bugdet")) == {"ARB-043": [""]}
    answer = adopt(league, *ITALY, "--turn", "1502", "--phase", "budget")
    assert (answer["exit"], answer["turn"], answer["phase"]) == (0, "1502", "budget")


def test_names_that_arbitro_needs_and_protection_are_refused(league: Path) -> None:
    """With what is in the way and how to take it away; nothing is changed."""
    from assistant.workbook.ooxml.transplant import add_names

    book = OoxmlBook(league.read_bytes())
    add_names(book, {"desk_WHERE": "'Mappa'!$B$3"})
    league.write_bytes(book.package.pack())
    before = league.read_bytes()
    answer = adopt(league, *ITALY)

    assert (answer["exit"], list(codes(answer))) == (5, ["ARB-169"])
    assert "desk_where" in answer["findings"][0]["text"]
    assert league.read_bytes() == before

    locked = league.with_name("chiusa.xlsx")
    other = openpyxl.load_workbook(io.BytesIO(clubs.treasurer()))
    other.security.lockStructure = True
    locked.write_bytes(workbook_bytes(other))
    before = locked.read_bytes()
    assert list(codes(adopt(locked))) == ["ARB-166"]
    assert locked.read_bytes() == before


def test_what_is_no_workbook_is_refused_by_its_kind(tmp_path: Path) -> None:
    """As for every other command."""
    path = tmp_path / "x.xlsx"
    assert codes(adopt(path)) == {"ARB-075": [""]}
    path.write_bytes(b"\xd0\xcf\x11\xe0" + b"\x00" * 600)
    assert codes(adopt(path)) == {"ARB-003": [""]}
    assert arbitro("adopt", "nobook", path).exit_code == 2


def test_rows_come_and_go_with_the_clubs_own_columns(league: Path) -> None:
    """An army that is gone takes the club's note on it along; a new one looks like the one above it."""
    for ref, said in (("F1", "Nota"), ("F2", "prima"), ("F3", "seconda"), ("F4", "terza"), ("Z3", "altro")):
        put(league, "Eserciti", ref, said)
    assert adopt(league, *ITALY)["exit"] == 0
    book = open_book(league)
    before = book.read().campaign
    after = before.copy()
    after.table(Army).remove("V-1")
    new = after.table(Army)["M-1"].copy()
    new.army = "M-9"
    after.table(Army).add(new)
    book.write(before, after, Wording(load("giglio"), "it"), DeskLines())

    ws = openpyxl.load_workbook(league)["Eserciti"]
    last = 1 + len(clubs.rows("armies"))
    assert [(ws.cell(n, 1).value, ws.cell(n, 6).value) for n in (2, 3, 4)] == [
        ("V-2", "seconda"), ("M-1", "terza"), ("M-2", None)]
    assert ws["Z3"].value == "altro"
    assert (ws.cell(last, 1).value, ws.cell(last + 1, 1).value) == ("M-9", None)
    again = open_book(league).read()
    assert again.findings == []
    assert set(again.campaign.table(Army).keys()) == set(after.table(Army).keys())


@pytest.mark.slow
def test_libreoffice_keeps_what_arbitro_remembers(adopted: Path, tmp_path: Path) -> None:
    """Saved by LibreOffice, the club's columns are known as before and nothing was changed by hand."""
    saved = converted(adopted, "xlsx")
    adopted.write_bytes(saved.read_bytes())

    assert answer("check", adopted)["findings"] == []
    assert arbitro("resolve", adopted).exit_code == 0


@pytest.mark.parametrize("heading", ["*", "_x0007_", "Nota_x0001_"])
def test_a_heading_that_says_nothing_is_the_clubs_own(tmp_path: Path, heading: str) -> None:
    """A star or a control character heads a column of the club's: the workbook is taken on, the column stays."""
    first, *rest = clubs.SMALL["Armate"]
    book, answer = small(tmp_path, Armate=[[*first, heading], *([*row, "x_x0003_y"] for row in rest)])

    assert answer["exit"] == 0, answer
    assert openpyxl.load_workbook(book)["Armate"]["E1"].value == heading


def test_a_phase_that_only_the_scenarios_rules_have(tmp_path: Path) -> None:
    """The Borderlands begin with the weather, which a switch of theirs adds; a phase that nobody has is named."""
    book = tmp_path / "club.xlsx"
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = "Places"
    for row in (("Square", "Name", "Owner"), ("C03", "Home", "")):
        sheet.append(row)
    made.save(book)
    words = ("adopt", "warriors", str(book), "--scenario", "borderlands", "--yes")

    refused = arbitro(*words, "--phase", "dawn")
    taken = arbitro(*words)

    assert (refused.exit_code, "'dawn', which is not a phase" in refused.output) == (1, True)
    assert (taken.exit_code, "turn 1, Weather" in taken.output) == (0, True)
