"""Hostile texts and files on their way through the commands: named, shown as text, never carried out."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.desk.commands.report import faction_file_name
from assistant.desk.results import Exit
from assistant.ledger import path_of_ledger
from tests import hand
from tests.desk.tiny import FOLDER
from tests.playing import codes_of
from tests.sweeps import all_slow
from tests.workbook.feast import OWN_LINK

RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DDE = ('<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
       '<ddeLink ddeService="cmd" ddeTopic="/C calc"/></externalLink>')


def returned(book: Path, kind: str = "", part: tuple[str, bytes] = ("", b"")) -> Path:
    """A club's copy of the workbook with an order typed in, and with a relationship or a part put in."""
    copy = book.with_name("from Ashford.xlsx")
    made = hand.opened(book)
    ws = made["Orders"]
    for column, heading in enumerate(ws[4], 1):
        typed = {"Faction": "A", "In words": "M1"}.get(str(heading.value).strip())
        if typed:
            ws.cell(5, column, typed)
    made.save(copy)
    out = io.BytesIO()
    with zipfile.ZipFile(copy) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for info in old.infolist():
            content = old.read(info)
            if kind and info.filename == "xl/_rels/workbook.xml.rels":
                one = f'<Relationship Id="rIdX" Type="{kind}" Target="other.bin"/></Relationships>'
                content = content.replace(b"</Relationships>", one.encode())
            archive.writestr(info, content)
        if part[0]:
            archive.writestr(*part)
    copy.write_bytes(out.getvalue())
    return copy


# --- returned copies ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "code"), [
    ("http://schemas.microsoft.com/office/2006/relationships/vbaProject", "ARB-155"),
    (f"{RELATED}/externalLink", "ARB-156"), (f"{RELATED}/oleObject", "ARB-157")])
def test_a_returned_copy_with_macros_links_or_objects_is_refused_by_name(book: Path, kind: str, code: str) -> None:
    """A club's copy is a plain workbook: whatever else comes is not opened, and the referee is told why."""
    copy = returned(book, kind)
    before = book.read_bytes()
    result = desk.take_orders(book, [desk.Input(copy.name, path=copy)])

    assert [(f.code, f.severity) for f in result.findings] == [(code, "error")]
    assert copy.name in result.finding_lines()[0]
    assert result.exit == Exit.REFUSED
    assert book.read_bytes() == before


def test_a_plain_returned_copy_is_taken(book: Path) -> None:
    """The same copy without any of it."""
    copy = returned(book)
    result = desk.take_orders(book, [desk.Input(copy.name, path=copy)])

    assert result.exit == Exit.DONE
    assert [row["words"] for row in result.data["taken"]] == ["A: go, To M1"]


def test_a_returned_copy_that_would_start_a_program_is_not_taken(book: Path) -> None:
    """A DDE link is no accident: nothing is taken, nothing is changed."""
    copy = returned(book, part=("xl/externalLinks/externalLink1.xml", DDE.encode()))
    before = book.read_bytes()
    result = desk.take_orders(book, [desk.Input(copy.name, path=copy)])

    assert (result.exit, codes_of(result)) == (Exit.REFUSED, ["ARB-158"])
    assert book.read_bytes() == before


def test_all_that_refuses_a_copy_is_told_at_once(book: Path) -> None:
    """A DDE link and a link to another file: both are named, so that neither comes up at the next try."""
    copy = returned(book, f"{RELATED}/externalLink", ("xl/externalLinks/externalLink1.xml", DDE.encode()))
    result = desk.take_orders(book, [desk.Input(copy.name, path=copy)])

    assert (result.exit, codes_of(result)) == (Exit.REFUSED, ["ARB-156", "ARB-158"])


def test_a_returned_copy_with_a_hostile_part_is_not_opened(book: Path) -> None:
    """As the reader says: the finding, nothing changed."""
    copy = returned(book, part=("xl/evil.xml", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'))
    result = desk.take_orders(book, [desk.Input(copy.name, path=copy)])

    assert (result.exit, codes_of(result)) == (Exit.FILE, ["ARB-151"])


def test_the_referees_own_workbook_may_hold_macros(book: Path) -> None:
    """Its buttons are macros: no finding."""
    book.write_bytes(returned(book, "http://schemas.microsoft.com/office/2006/relationships/vbaProject").read_bytes())

    assert codes_of(desk.check(book)) == []


def test_signs_that_cannot_be_seen_in_a_line_are_left_out_and_named(book: Path) -> None:
    """A chat program's marks around a line do no harm, and are told."""
    text = "A: M1\n\u2068B: M1\u2069\n\u200b\n"
    result = desk.take_orders(book, [desk.Input("-", text=text)])

    assert [row["words"] for row in result.data["taken"]] == ["A: go, To M1", "B: go, To M1"]
    assert codes_of(result) == ["ARB-159", "ARB-159"]
    assert result.finding_lines()[0].startswith("ARB-159  Line 2 holds")


def test_control_characters_in_a_line_or_a_title_do_not_get_into_the_workbook(tmp_path: Path, folder: Path) -> None:
    """No spreadsheet can hold them."""
    book = tmp_path / "war.xlsx"
    result = desk.new_campaign(desk.NewPlan("tiny", folder=folder, title="The\x07 war\u202e"), book)
    assert result.exit == Exit.DONE
    taken = desk.take_orders(book, [desk.Input("-", text="A: M1\x00\x1b[2J")])

    assert codes_of(taken) == ["ARB-159", "TIN-001"]
    assert "M1[2J" in " ".join(taken.lines)
    assert desk.status(book).data["title"] == "The war"


@pytest.mark.parametrize("name", ["orders.csv", "orders.txt"])
def test_a_text_that_is_larger_than_any_campaign_is_not_read(book: Path, name: str) -> None:
    """A file of two gigabytes costs neither time nor memory; its size is told."""
    path = book.with_name(name)
    with path.open("wb") as out:
        out.truncate(2 * 2**30)
    result = desk.take_orders(book, [desk.Input(name, path=path)])

    assert codes_of(result) == ["ARB-005"]
    assert result.exit != Exit.DONE
    assert "2,048 MB" in result.finding_lines()[0]


# --- reports ------------------------------------------------------------------------------------------
NASTY = ["<script>alert(1)</script>", "{{ 7 * 7 }}", "{% for x in y %}", "{seen}", "{0.__class__}", "%(name)s", "%s",
         "<img src=x onerror=alert(1)>", "\"' onmouseover=alert(1) x='", "]]>", "&lt;b&gt;", "</style><b>", "=1+1",
         "javascript:alert(1)", "${7*7}", "#{7*7}"]


class Shape(HTMLParser):
    """The elements of a page with the names of their attributes, its links, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Shape]:
    """The pages of the same evening with a harmless name."""
    return pages(tmp_path_factory.mktemp("harmless"), "Somebody")


def pages(place: Path, text: str) -> dict[str, Shape]:
    """The pages of an evening in which a club, a place and the campaign have this name."""
    folder, book, out = place / "csv", place / "war.xlsx", place / "r"
    folder.mkdir(exist_ok=True)
    quoted = '"' + text.replace('"', '""') + '"'
    files = {**FOLDER, "desk.csv": FOLDER["desk.csv"].replace("Due villaggi", quoted),
             "nodes.csv": f"node,name\nA1,{quoted}\nM1,{quoted}\nB1,Brook\n",
             "factions.csv": "faction,name_en,name_it,club,language,colour,role\n"
                             f"A,{quoted},{quoted},{quoted},en,#aa3311,player\n"
                             "B,Brook,Ruscello,Club B,it,#1133aa,player\n"}
    for name, table in files.items():
        (folder / name).write_text(table, encoding="utf-8")
    assert desk.new_campaign(desk.NewPlan("tiny", folder=folder, secret="5e" * 32), book).exit == Exit.DONE
    desk.take_orders(book, [desk.Input("-", text="A: M1")])
    assert desk.resolve(book).exit == Exit.DONE
    assert desk.report(book, out).exit == Exit.DONE
    assert desk.status(book).data["title"] == text
    assert all(json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*.json"))
    return {name: Shape((out / f"{name}.html").read_text(encoding="utf-8")) for name in PAGES}


PAGES = ("A", "B", "gazette", "referee")


@pytest.mark.slow
@pytest.mark.parametrize("text", NASTY)
def test_names_are_shown_in_reports_as_they_were_typed(tmp_path: Path, harmless: dict[str, Shape], text: str) -> None:
    """HTML is escaped, nothing is calculated, no brace is filled: the page has the elements that it would
    have with any name, no link more, and the name stands there letter by letter.
    """
    for name, shape in pages(tmp_path, text).items():
        assert shape.tags == harmless[name].tags
        assert shape.links == harmless[name].links
        assert unbroken(shape.words).count(unbroken(text)) >= unbroken(harmless[name].words).count("Somebody") > 0


def unbroken(words: str) -> str:
    """A text without the breaks of its lines, also within the form, whose remarks begin with a sign."""
    return " ".join(re.sub(r"\n# ", " ", words).split())


@pytest.mark.parametrize("code", [
    "../A", "gazette", "A\\B",
    *all_slow(["a/b", "..", "con", "referee", "A:B", "x" * 300, ".A"])])
def test_a_factions_code_never_leads_its_report_elsewhere(tmp_path: Path, folder: Path, code: str) -> None:
    """Whatever was typed as a code: the files lie in the folder, and no other report is written over."""
    assert re.fullmatch(r"[\w+-]{1,60}", faction_file_name(code))
    for name in ("factions.csv", "armies.csv"):
        table = FOLDER[name].replace("A,Ashford", f"{code},Ashford").replace("A-1,A,", f"{code}-1,{code},")
        (folder / name).write_text(table)
    book, out = tmp_path / "war.xlsx", tmp_path / "deep" / "er" / "r"
    made = desk.new_campaign(desk.NewPlan("tiny", folder=folder), book)
    result = desk.report(book, out) if made.exit == Exit.DONE else made

    outside = [path for path in tmp_path.rglob("*.html") if path.parent != out]
    assert outside == []
    if result.exit == Exit.DONE:
        assert len(list(out.glob("*.html"))) == 4


def test_ordinary_codes_name_their_reports() -> None:
    """V stays V, also HRI and letters with accents."""
    assert [faction_file_name(code) for code in ("V", "HRI", "È1", "A-1")] == ["V", "HRI", "È1", "A-1"]


# --- the name of the file -------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [
    "=cmd.xlsx", "wa\x07r.xlsx",
    *all_slow(["a{book}b.xlsx", "<b>.xlsx", "-r.xlsx", "a%sb.xlsx"])])
def test_a_workbook_of_any_name_works(tmp_path: Path, folder: Path, name: str) -> None:
    """The Desk shows commands with it, as text."""
    book = tmp_path / name
    assert desk.new_campaign(desk.NewPlan("tiny", folder=folder), book).exit == Exit.DONE
    assert path_of_ledger(book).is_file()
    assert desk.resolve(book).exit == Exit.DONE
    shown = [c for row in openpyxl.load_workbook(book)["Desk"].iter_rows() for c in row
             if c.data_type == "f" and not str(c.value).startswith(OWN_LINK)]

    assert shown == []
