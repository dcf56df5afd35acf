"""What is handed in under a wrong name, in a wrong file or with too much in a row: said as it is."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import openpyxl
import pytest

from assistant.cli.terminal import source_of
from assistant.turn.findings import join_names, nearest
from tests.cli.test_examined import folder
from tests.fresh import new_campaign
from tests.playing import answer, arbitro

HEAD = "turn,phase,faction,verb,amount\n"


def said(book: Path, source: str | Path) -> dict[str, str]:
    """Code -> text of the findings on a source of orders."""
    return {f["code"]: f["text"] for f in answer("orders", book, source)["findings"]}


def csv(tmp_path: Path, text: str | bytes, name: str = "orders.csv") -> Path:
    """A file of a club."""
    place = tmp_path / name
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return place


@pytest.mark.slow
def test_a_missing_desk_is_said_to_be_missing(book: Path) -> None:
    """ARB-010 and what to do; no rulebook is asked for that stood on it."""
    workbook = openpyxl.load_workbook(book)
    del workbook["Desk"]
    workbook.save(book)
    got = answer("check", book)
    assert [(f["code"], f["sheet"]) for f in got["findings"]] == [("ARB-010", "Desk")]
    assert got["exit"] == 1
    assert "backups" in got["findings"][0]["text"]


def test_all_factions_are_listed_where_one_is_to_be_chosen(book: Path, tmp_path: Path) -> None:
    """ARB-040 leaves none out; a list too long to read says that it goes on."""
    text = said(book, csv(tmp_path, HEAD + "1500,budget,QQ,loan,10\n"))["ARB-040"]
    assert all(f" {code}," in text or f" {code}." in text
               for code in ["CH", "F", "FR", "HRI", "M", "N", "P", "S", "SV", "T", "V"])
    assert join_names("abc", 2) == "a, b, …"


def test_who_is_not_there_is_named(book: Path) -> None:
    """A line that begins with nobody of the campaign is not told to begin with somebody."""
    told = said(book, "Z: Z1 Z2")
    assert list(told) == ["ARB-256"]
    assert "'Z' is not a faction of this campaign" in told["ARB-256"]
    assert list(said(book, "Z1 Z2")) == list(said(book, "V8: F7")) == ["ARB-088"]


@pytest.mark.parametrize("word", ["x.docx", "my orders.ods", "orders.csv", "./march", "evening/"])
def test_a_mistyped_file_is_no_order(book: Path, word: str) -> None:
    """There is no such file, and nobody is asked whose order its name is."""
    assert list(said(book, word)) == ["ARB-075"]


def test_a_folder_is_no_source(book: Path, tmp_path: Path) -> None:
    """It holds no orders itself; a line stays a line."""
    assert list(said(book, tmp_path)) == ["ARB-095"]
    assert source_of("V8-V9 A/B").path is None


def test_an_empty_file_is_said_to_be_empty(book: Path, tmp_path: Path) -> None:
    """Not to be unknown."""
    assert list(said(book, csv(tmp_path, "\n", "e.csv"))) == ["ARB-257"]
    assert list(said(book, csv(tmp_path, "", "e.txt"))) == ["ARB-265"]
    assert "remark" in said(book, csv(tmp_path, "\n# V: loan 30\n", "e.txt"))["ARB-265"]


@pytest.mark.parametrize("name", ["orders.csv", "ours.csv"])
def test_a_csv_without_known_headings_says_which_would_do(book: Path, tmp_path: Path, name: str) -> None:
    """Whatever it is called; a file as it is described is taken."""
    told = said(book, csv(tmp_path, "our orders;of Venice\n1;2\n", name))
    assert list(told) == ["ARB-263"]
    assert "faction,text" in told["ARB-263"]
    taken = answer("orders", book, csv(tmp_path, "faction,text\nV,loan 30\n"))["taken"]
    assert [one["faction"] for one in taken] == ["V"]


def test_a_battle_that_cannot_come_is_not_told_beforehand(book: Path) -> None:
    """Nothing is offered that would be refused."""
    assert "none is open" in said(book, "answer battle/Q-1 auto")["ARB-092"]


def test_a_number_that_nobody_has_is_named_as_one(book: Path) -> None:
    """A thousand milliards of ducats are a whole number, and too many."""
    told = said(book, "V: loan 10000000000000000")
    assert list(told) == ["ARB-335"]
    assert "999,999,999" in told["ARB-335"]


def test_a_workbook_under_the_name_of_a_csv_is_named(book: Path, tmp_path: Path) -> None:
    """It is not asked for headings."""
    assert list(said(book, csv(tmp_path, book.read_bytes()))) == ["ARB-259"]


def test_a_mark_between_the_thousands_is_named(tmp_path: Path) -> None:
    """1.000 is not said to be no number without a word about its point."""
    place = folder(tmp_path / "case", factions="faction,treasury\nV,1.000\nM,0\n")
    found = answer("new", "giglio", tmp_path / "o.xlsx", "--from", place)["findings"]
    assert [(f["code"], f["data"]["plain"]) for f in found] == [("ARB-262", "1000")]


def test_a_row_of_orders_with_more_cells_than_headings_is_not_taken(book: Path, tmp_path: Path) -> None:
    """What stands under no heading is named at its cell; the other rows are taken."""
    place = csv(tmp_path, HEAD + "1500,budget,V,loan,10,surplus\n1500,budget,M,loan,20,,\n")
    got = answer("orders", book, place)
    assert [(f["code"], f["cell"]) for f in got["findings"]] == [("ARB-261", "orders.csv!F2")]
    assert ([t["faction"] for t in got["taken"]], got["exit"]) == (["M"], 1)


def made(tmp_path: Path, **files: str) -> tuple[list[tuple[str, str]], bool]:
    """Codes and cells of what `new --from` finds, and whether a workbook was made."""
    target = tmp_path / "o.xlsx"
    got = answer("new", "giglio", target, "--from", folder(tmp_path / "case", **files))
    return [(f["code"], f["cell"]) for f in got["findings"]], target.exists()


def test_a_surplus_cell_of_a_folder_stops_it(tmp_path: Path) -> None:
    """Nothing that was written is dropped in silence; a short row has blanks."""
    assert made(tmp_path, nodes="node,site,owner\nV0,city,V,a,b\nM0\n") == ([("ARB-261", "nodes.csv!D2")], False)
    assert made(tmp_path, desk="key,value\nyear,1500\nphase,income\nstart_year,1500\ntitle,Italy, again\n") == (
        [("ARB-261", "desk.csv!C5")], False)


def test_an_empty_file_of_places_is_named(tmp_path: Path) -> None:
    """The places of the other files are not blamed, and no workbook is made."""
    assert made(tmp_path, nodes="") == ([("ARB-257", "")], False)


def test_a_missing_file_of_places_is_named(tmp_path: Path) -> None:
    """The same without the file."""
    place = folder(tmp_path / "case")
    (place / "nodes.csv").unlink()
    got = answer("new", "giglio", tmp_path / "o.xlsx", "--from", place)
    assert [(f["code"], f["data"]["file"]) for f in got["findings"]] == [("ARB-260", "nodes.csv")]
    assert not (tmp_path / "o.xlsx").exists()


@pytest.mark.slow
def test_a_setting_is_called_a_setting(tmp_path: Path) -> None:
    """A row of desk.csv is no column, and the nearest setting is named."""
    place = folder(tmp_path / "case", desk="key,value\nyear,1500\nphase,income\nstart_year,1500\nrulset,giglio\n")
    found = answer("new", "giglio", tmp_path / "o.xlsx", "--from", place)["findings"]
    assert [(f["code"], f["data"]["near"]) for f in found] == [("ARB-258", "ruleset")]


def test_an_empty_folder_keeps_its_name(tmp_path: Path) -> None:
    """A name at the beginning of a sentence gets no capital."""
    (tmp_path / "foo").mkdir()
    assert arbitro("new", "giglio", tmp_path / "o.xlsx", "--from", tmp_path / "foo").stderr.startswith(
        "ARB-101  foo holds no campaign")


def test_the_nearest_name_begins_alike() -> None:
    """M9 was rather meant for a place of M than for Z9."""
    assert nearest("M9", ["V9", "M8", "Z9"]) == "M8"
    assert nearest("seige", ["siege", "storm"]) == "siege"


def test_a_round_is_called_by_its_name(book: Path, tmp_path: Path) -> None:
    """Not by the word that stands in the orders."""
    text = said(book, csv(tmp_path, HEAD + "1500,r1,V,loan,10\n"))["GIG-002"]
    assert text == ("Loan cannot be ordered in April I. It can be ordered next in 1500, Budget and recruiting: give it"
                    " for that. (1500, April I: marches)")


@pytest.mark.slow
def test_a_date_or_a_formula_in_words_is_named_and_refuses_its_row_alone(tmp_path: Path) -> None:
    """Excel made a date of it, or the club began with an equals sign: said at the cell, and the phase goes on."""
    place = new_campaign(tmp_path / "italy.xlsx")
    assert arbitro("resolve", place, "--yes").exit_code == 0
    made = openpyxl.load_workbook(place)
    ws = made["Orders"]
    places = {str(cell.value).strip(): (cell.row, cell.column) for row in ws["A1:Z6"] for cell in row if cell.value}
    (row, words), (_, faction) = places["In words"], places["Faction"]
    ws.cell(row + 1, faction).value, ws.cell(row + 1, words).value = "V", dt.datetime(2026, 3, 4)
    ws.cell(row + 2, faction).value, ws.cell(row + 2, words).value = "V", '=A1&"x"'
    made.save(place)
    checked = arbitro("check", place).output

    assert "ARB-022" in checked
    assert "ARB-020" in checked
    assert arbitro("resolve", place, "--yes").exit_code in (0, 3)


def test_a_folder_with_a_row_of_a_faction_that_there_is_not_begins_all_the_same(tmp_path: Path) -> None:
    """The row is named, and refused alone when its phase comes (decision 27)."""
    place = folder(tmp_path / "case")
    (place / "orders.csv").write_text(HEAD + "1500,budget,QQ,loan,10\n", encoding="utf-8")
    got = answer("new", "giglio", tmp_path / "o.xlsx", "--from", place)
    assert (got["findings"][0]["code"], (tmp_path / "o.xlsx").exists()) == ("ARB-040", True)


def test_an_empty_word_is_no_file() -> None:
    """What a script hands in for a variable that is empty is wrong usage, not a fault of ours."""
    got = arbitro("status", "")
    assert (got.exit_code, "FILE" in got.output) == (2, True)


@pytest.mark.slow
def test_what_clubs_have_been_asked_is_not_said_to_be_early(tmp_path: Path) -> None:
    """A question for which no phase waits stands in the reports all the same; one that nobody put is early."""
    book = tmp_path / "war.xlsx"
    assert arbitro("new", "giglio", book).exit_code == 0
    early = "Nobody has been asked this yet"

    asked = arbitro("orders", book, "V: secret_objective ports")
    assert "secret_objective" in asked.stdout
    assert early not in asked.stdout
    assert early in arbitro("orders", book, "V: choice HRI1/HRI attack").stdout
