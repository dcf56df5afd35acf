"""A new campaign in a workbook that a club already uses: `new --into`, what it refuses, and the way back."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.protection import WorkbookProtection
from openpyxl.worksheet.table import Table

from assistant import desk
from assistant.testing.cases import campaign_of
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from tests.books import refused, spelled
from tests.books.bookwise import BOOKWISE, macros
from tests.books.drawn import DRAWN, ON_FREE_SHEETS
from tests.books.joined import showpiece
from tests.books.oracles import altered, new_messages, only_grown
from tests.books.parts import Parts, rels_of
from tests.books.sheetwise import SHEETWISE
from tests.cli.test_examined import folder
from tests.fresh import equal_sheets_once
from tests.playing import answer, arbitro, members, workbook_bytes
from tests.workbook import clubs
from tests.workbook.test_office import converted
from tests.workbook.test_transplant import INSERTED, only_inserted

SECRET = "ab" * 32
sheets_once = pytest.fixture(scope="module", autouse=True)(equal_sheets_once)
SPELLINGS = (spelled.prefixed, spelled.marked, spelled.absolute, spelled.elsewhere, spelled.unnumbered, spelled.bare,
             spelled.strict, spelled.backslashed)


def into(path: Path, *words: str, lang: str = "en") -> Any:
    """One call of the command; the JSON it answers."""
    return json.loads(arbitro("new", "giglio", "--into", path, "--secret", SECRET, "--json", *words, lang=lang).stdout)


def codes(said: Any) -> list[str]:
    """The codes of the findings of an answer."""
    return [f["code"] for f in said["findings"]]


def colliding() -> bytes:
    """A club's workbook that has names of ours for its own things: sheets in other case and in the other language,
    a table, lists.
    """
    book = openpyxl.Workbook()
    ws = book.worksheets[0]
    ws.title = "NODES"
    for title in ("NODES", "Ordini", "desk", "Armies", "Lists"):
        sheet = ws if title == "NODES" else book.create_sheet(title)
        for row in (["Unit", "Node", "Faction"], ["Gino", "bar", "rossi"], ["Ugo", "cinema", "neri"]):
            sheet.append(row)
    book["Ordini"].add_table(Table(displayName="tbl_Orders", ref="A1:C3"))
    book["Armies"].add_table(Table(displayName="tbl_armies_2", ref="A1:C3"))
    book["NODES"].add_table(Table(displayName="TBL_ARMIES", ref="A1:C3"))
    for name in ("List_nodes", "list2_x"):
        book.defined_names[name] = DefinedName(name, attr_text="'NODES'!$B$2:$B$3")
    return workbook_bytes(book)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A workbook whose names collide with ours."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(colliding())
    return path


# --- what is added --------------------------------------------------------------------------------
@pytest.mark.slow
def test_our_sheets_come_behind_the_clubs_and_nothing_of_the_clubs_changes(league: Path, tmp_path: Path) -> None:
    """Byte for byte; the lists of sheets, types and styles only grow. The campaign is the one that `new` makes, and
    the way back leads to the very bytes.
    """
    given = league.read_bytes()
    said = into(league, "--language", "it")
    before, after = members(given), members(league.read_bytes())

    assert (said["exit"], said["turn"], said["phase"], said["findings"]) == (0, "1500", "income", [])
    assert {name for name in before if before[name] != after.get(name)} == {*INSERTED, "xl/styles.xml"}
    assert all(only_inserted(before[name], after[name]) for name in INSERTED)
    titles = openpyxl.load_workbook(league).sheetnames
    assert titles[:6] == ["Tesoreria", "Mappa", "Vie", "Eserciti", "Diario", "Banco"]
    assert said["titles"]["Orders"] == "Ordini"
    assert answer("check", league)["findings"] == []

    plain = tmp_path / "plain.xlsx"
    arbitro("new", "giglio", plain, "--language", "it", "--secret", SECRET)
    folders = [tmp_path / "one", tmp_path / "other"]
    for book, place in zip((league, plain), folders, strict=True):
        assert arbitro("export", book, "--to", place).exit_code == 0
    assert {f.name: f.read_bytes() for f in folders[0].iterdir()} == {
        f.name: f.read_bytes() for f in folders[1].iterdir()}

    assert arbitro("undo", league, "--snapshot", "1").exit_code == 0
    assert league.read_bytes() == given


@pytest.mark.slow
def test_a_workbook_whose_part_of_styles_is_empty_takes_ours(tmp_path: Path) -> None:
    """Programs that write no styles leave the part out, or leave it without anything in it."""
    bare, path = openpyxl.Workbook(), tmp_path / "bare.xlsx"
    bare.worksheets[0].append(["Hall", 7])
    parts = Parts(workbook_bytes(bare))
    root = parts.members["xl/styles.xml"].partition(b">")[0].rstrip(b"/") + b"/>"
    parts.members["xl/styles.xml"] = root
    path.write_bytes(parts.bytes())

    assert codes(into(path)) == []
    assert arbitro("resolve", path, "--yes").exit_code == 0
    assert openpyxl.load_workbook(path).worksheets[0]["B1"].value == 7


@pytest.mark.slow
def test_what_was_done_and_how_to_go_back_is_said_in_both_languages(league: Path) -> None:
    """Also on the Desk; the second time the ledger that lies there is not touched."""
    done = arbitro("new", "giglio", "--into", league, "--language", "it", lang="it")

    assert "Tieni lega.arbitro accanto" in done.stdout
    assert f"arbitro undo {league} --snapshot 1" in done.stdout
    desk_cells = [cell.value for row in openpyxl.load_workbook(league)["Banco"].iter_rows() for cell in row]
    assert "I fogli della campagna sono stati aggiunti al file del circolo." in desk_cells
    assert arbitro("undo", league, "--snapshot", "1").exit_code == 0
    assert codes(into(league)) == ["ARB-080"]
    assert into(league, "--force")["exit"] == 0
    assert league.with_name("lega.arbitro.old-1").exists()


@pytest.mark.slow
def test_what_bears_our_names_is_left_alone_and_ours_are_found_ever_after(strange: Path, tmp_path: Path) -> None:
    """Sheets, Excel tables and lists get other names, also where only the case or the language differs; a phase is
    played, rows are added beyond what the tables have room for, and the sheets are known when they are renamed and
    when another program has dropped the tables' names.
    """
    given = strange.read_bytes()
    said = into(strange, "--language", "en")

    assert said["exit"] == 0
    assert codes(said) == ["ARB-183"] * 3
    assert [said["titles"][name] for name in ("Desk", "Nodes", "Armies", "Orders")] == [
        "Desk 2", "Nodes 2", "Armies 2", "Orders"]
    book = OoxmlBook(strange.read_bytes())
    tables = {t.name: t.sheet for t in book.tables()}
    assert (tables["tbl_Armies_3"], tables["tbl_Orders_2"], tables["tbl_Orders"]) == ("Armies 2", "Orders", "Ordini")
    assert len({name.casefold() for name in tables}) == len(tables)
    assert book.names["arbitro_at_Orders"] == "'Orders'!$A$4"
    assert book.names["List_nodes"] == "'NODES'!$B$2:$B$3"
    assert "'Nodes 2'!" in book.names["list3_Nodes"]
    shown = [v.formula1 for ws in openpyxl.load_workbook(strange).worksheets[5:]
             for v in ws.data_validations.dataValidation if v.type == "list"]
    assert "=list3_Nodes" in shown
    assert not [one for one in shown if "list_" in one]
    assert answer("check", strange)["findings"] == []

    orders = tmp_path / "orders.csv"
    rows = "".join(f"budget,V,{n},loan,{n}\n" for n in range(10, 260))
    orders.write_text(f"phase,faction,seq,verb,amount\n{rows}", encoding="utf-8")
    assert arbitro("orders", strange, orders).exit_code in (0, 1)
    assert arbitro("resolve", strange, "--until", "r1.move", "--defaults", "--yes").exit_code in (0, 3)
    assert arbitro("report", strange, "--out", tmp_path / "out").exit_code == 0
    assert answer("check", strange)["by_hand"] == []
    again = openpyxl.load_workbook(strange)
    original = openpyxl.load_workbook(io.BytesIO(given))
    for ws in original.worksheets:
        assert [[c.value for c in row] for row in again[ws.title].iter_rows()] == [
            [c.value for c in row] for row in ws.iter_rows()]

    seen = campaign_of(strange)
    for ws in again.worksheets[5:]:
        for name in list(ws.tables):
            del ws.tables[name]
    again.save(strange)
    bare = open_book(strange).read()
    assert [f.code for f in bare.findings if f.stops] == []
    for table in seen.tables().values():
        assert bare.campaign.table(table.record).keys() == table.keys(), table.record.sheet
    assert arbitro("undo", strange, "--snapshot", "1").exit_code == 0
    assert strange.read_bytes() == given


def test_a_folder_of_csvs_is_put_in_and_what_is_wrong_in_it_is_named_at_its_cell(league: Path, tmp_path: Path) -> None:
    """As for a new workbook: it is made, and no phase starts before it is put right."""
    files = {"nodes": "node,site,owner\nV0,city,V\nM0,city,X\n"}
    said = into(league, "--from", str(folder(tmp_path / "map", **files)), "--language", "en")

    assert (said["exit"], codes(said)) == (0, ["GIG-121"])
    assert said["findings"][0]["cell"].startswith("Nodes!")
    assert arbitro("resolve", league).exit_code == 1


# --- what is refused ------------------------------------------------------------------------------
def locked() -> bytes:
    """A workbook whose structure is protected."""
    book = openpyxl.Workbook()
    book.security = WorkbookProtection(lockStructure=True)
    return workbook_bytes(book)


def signed() -> bytes:
    """A workbook with a digital signature."""
    parts = Parts(clubs.small())
    origin = parts.add("_xmlsignatures/origin.sigs", b"",
                       "application/vnd.openxmlformats-package.digital-signature-origin")
    parts.relate("", "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin", origin)
    return parts.bytes()


def named(name: str) -> Callable[[], bytes]:
    """A workbook with a name that cannot be another."""
    def make() -> bytes:
        book = openpyxl.Workbook()
        book.defined_names[name] = DefinedName(name, attr_text="'Sheet'!$A$1")
        return workbook_bytes(book)
    return make


@pytest.mark.parametrize(("make", "code", "word"), [
    (locked, "ARB-166", "Review, Protect Workbook"), (signed, "ARB-264", "View Signatures"),
    (refused.encrypted, "ARB-002", "password"), (refused.old_binary, "ARB-003", ".xls"),
    pytest.param(named("desk_WHERE"), "ARB-169", "desk_where", marks=pytest.mark.slow),
    pytest.param(named("arbitro_nodes"), "ARB-169", "arbitro_Nodes", marks=pytest.mark.slow)],
    ids=["protected", "signed", "encrypted", "old", "name", "adopted"])
def test_what_cannot_take_a_campaign_is_refused_with_its_reason(tmp_path: Path, make: Callable[[], bytes], code: str,
                                                               word: str) -> None:
    """Nothing is changed, and nothing is left beside it."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(make())
    before = path.read_bytes()
    said = into(path)

    assert (said["exit"], codes(said)) == (5, [code])
    assert word in said["findings"][0]["text"]
    assert path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["club.xlsx"]


def test_a_read_only_file_and_a_missing_one_are_refused(league: Path) -> None:
    """Also by who could replace it all the same."""
    before = league.read_bytes()
    league.chmod(0o444)

    assert codes(into(league)) == ["ARB-239"]
    assert league.read_bytes() == before
    assert [path.name for path in league.parent.iterdir()] == ["lega.xlsx"]
    assert codes(into(league.with_name("nobody.xlsx"))) == ["ARB-075"]


@pytest.mark.slow
def test_a_campaign_gets_no_second_one(tmp_path: Path) -> None:
    """Neither by what its ledger says nor without one."""
    book = tmp_path / "war.xlsx"
    assert arbitro("new", "anarchy", book).exit_code == 0
    before = book.read_bytes()

    assert codes(into(book)) == ["ARB-170"]
    book.with_suffix(".arbitro").unlink()
    assert codes(into(book, "--force")) == ["ARB-170"]
    assert book.read_bytes() == before


def test_the_file_is_named_once(league: Path) -> None:
    """FILE or --into: usage, exit code 2."""
    both = arbitro("new", "giglio", league, "--into", league, lang="it")
    neither = arbitro("new", "giglio", lang="it")

    assert (both.exit_code, neither.exit_code) == (2, 2)
    assert "Indica FILE oppure --into" in both.output
    assert "'FILE'" in neither.output


# --- whatever a club keeps --------------------------------------------------------------------------
def with_macros() -> bytes:
    """A club's workbook with a VBA project."""
    parts = Parts(clubs.treasurer())
    macros(parts, parts.sheets()["Mappa"])
    return parts.bytes()


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".xlsx", ".xlsm"])
def test_the_maker_of_buttons_takes_the_result(tmp_path: Path, suffix: str) -> None:
    """Of a workbook without macros, and of one that has some of its own, which stay."""
    path = tmp_path / f"lega{suffix}"
    path.write_bytes(clubs.treasurer() if suffix == ".xlsx" else with_macros())
    assert into(path)["exit"] == 0
    with_ours = members(path.read_bytes())
    done = arbitro("buttons", path)

    if suffix == ".xlsx":
        assert done.exit_code == 0, done.output
        made = path.with_suffix(".xlsm")
        assert answer("check", made)["findings"] == []
        assert answer("resolve", made)["exit"] == 0
    else:  # a project that is not ours is never written into
        assert (done.exit_code, "ARB-195" in done.output) == (5, True), done.output
        assert members(path.read_bytes()) == with_ours
        assert with_ours["xl/vbaProject.bin"] == members(with_macros())["xl/vbaProject.bin"]
        assert answer("resolve", path)["exit"] == 0


PLAYED = [*DRAWN, *ON_FREE_SHEETS, *SHEETWISE, *BOOKWISE, *SPELLINGS, showpiece][::6]
"""What is also played on with; `tests/books` plays a phase with each of them."""


@pytest.mark.slow
@pytest.mark.parametrize("what", [*DRAWN, *ON_FREE_SHEETS, *SHEETWISE, *BOOKWISE, *SPELLINGS, showpiece],
                         ids=lambda one: one.__name__)
def test_whatever_hangs_on_a_clubs_sheets_stays(tmp_path: Path, what: Callable[..., Any]) -> None:
    """Only the lists of the workbook grow, no message of the schema is new, and the very bytes come back."""
    if what is showpiece:
        given = showpiece()
    else:
        parts = Parts(clubs.small(Club=[["Chi", "Quanto"], ["Gino", 3], ["Ugo", 5]], Altro=[["A", 1]]))
        what(parts) if what in SPELLINGS else what(parts, parts.sheets()["Club"])
        given = parts.bytes()
    path = tmp_path / "club.xlsx"
    path.write_bytes(given)
    done = desk.new_into(desk.NewPlan("giglio", secret=SECRET, language="en"), path)

    assert done.exit == 0, done.findings
    before, after = Parts(given), Parts(path.read_bytes())
    styles = before.of_kind(before.book, "styles")
    grown = {before.book, "[Content_Types].xml", styles, rels_of(before.book)}
    assert {name for name, how in altered(before, after).items() if how != "new"} <= grown
    assert not styles or only_grown(before, after, styles) == []
    assert new_messages(given, path.read_bytes()) == []
    if what in PLAYED:
        assert desk.check(path).findings == []
        assert desk.resolve(path).exit == 0
    assert desk.undo(path, snapshot=1).exit == 0
    assert path.read_bytes() == given


@pytest.mark.slow
@pytest.mark.parametrize("make", [colliding, showpiece])
def test_libreoffice_opens_shows_and_saves_it(tmp_path: Path, make: Callable[[], bytes]) -> None:
    """Every row is known again, nothing counts as changed by hand, and the next phase is played on what it saved."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(make())
    assert into(path, "--language", "en")["exit"] == 0
    assert zipfile.ZipFile(path).testzip() is None
    path.write_bytes(converted(path, "xlsx").read_bytes())

    assert answer("check", path)["findings"] == []
    assert answer("resolve", path)["resolved"] == [{"turn": "1500", "phase": "income"}]
