"""Clubs' workbooks in rarer forms of the format: taken on, played and undone, and they stay what they were."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter

from tests.books.oracles import joined, new_messages, read_by
from tests.books.parts import Parts
from tests.books.spelled import backslashed, outside, strict, stroked
from tests.playing import arbitro
from tests.workbook.clubs import SMALL

USUAL = (b"schemas.openxmlformats.org/spreadsheetml/", b"schemas.openxmlformats.org/officeDocument/2006/relationships",
         b"schemas.openxmlformats.org/drawingml/")


def league(spelled: Callable[[Parts], None], *, protected: bool = False) -> bytes:
    """The small league's workbook as XlsxWriter makes it, in another spelling."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for title, lines in SMALL.items():
            sheet = book.add_worksheet(title)
            for number, line in enumerate(lines):
                sheet.write_row(number, 0, line)
        book.get_worksheet_by_name("Squadre").write_formula("F2", "=SUM(C2:C4)", None, 530)
    parts = Parts(out.getvalue())
    if protected:
        parts.into_book('<workbookProtection lockStructure="1"/>')
    spelled(parts)
    return parts.bytes()


def plain(_: Parts) -> None:
    """As it is."""


@pytest.mark.slow
@pytest.mark.parametrize("spelled", [strict, stroked, backslashed, outside])
def test_a_workbook_in_a_rarer_form_is_adopted_played_and_undone(tmp_path: Path,
                                                                        spelled: Callable[[Parts], None]) -> None:
    """The questions, the campaign, a phase, an undo: each works, and the last gives the club's very bytes back."""
    book, data = tmp_path / "club.xlsx", league(spelled)
    book.write_bytes(data)

    assert arbitro("adopt", "giglio", book).exit_code == 3
    asked = book.read_bytes()
    assert arbitro("adopt", "giglio", book, "--scenario", "italy-1500").exit_code == 0
    assert arbitro("check", book).exit_code == 0
    assert arbitro("resolve", book, "--yes").exit_code == 0
    assert arbitro("undo", book).exit_code == 0
    assert arbitro("undo", book, "--snapshot", "1", "--hard").exit_code == 0
    assert book.read_bytes() == asked


@pytest.mark.slow
def test_a_strict_workbook_stays_strict(tmp_path: Path) -> None:
    """Every sheet, table, note and style that is added has the strict form's names; the schema and another reader
    have nothing to say.
    """
    book, data = tmp_path / "club.xlsx", league(strict)
    book.write_bytes(data)
    assert arbitro("adopt", "giglio", book, "--scenario", "italy-1500", "--yes").exit_code == 0
    assert arbitro("resolve", book, "--yes").exit_code == 0
    parts = Parts(book.read_bytes())
    mixed = [name for name, content in parts.members.items() if any(usual in content for usual in USUAL)
             and content != Parts(data).members.get(name)]

    assert len(parts.members) > len(Parts(data).members) + 20
    assert mixed == []
    assert joined(new_messages(data, book.read_bytes())) == ""
    seen = read_by("calamine", [book])["club.xlsx"]
    assert isinstance(seen, dict)
    assert {"Squadre", "Desk"} <= set(seen)


@pytest.mark.parametrize("way", [[], ["--yes", "--scenario", "italy-1500"]])
def test_a_protected_structure_is_said_before_anything_is_looked_through(tmp_path: Path, way: list[str]) -> None:
    """Even where no table is found, and where a strict one is protected: ARB-166, at the first command."""
    for data in (league(plain, protected=True), league(strict, protected=True), nothing_but_words()):
        book = tmp_path / "club.xlsx"
        book.write_bytes(data)
        said = arbitro("adopt", "giglio", book, *way)
        assert said.exit_code == 5
        assert "ARB-166" in said.output
        assert book.read_bytes() == data


def nothing_but_words() -> bytes:
    """A workbook of protected structure without any table."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        book.add_worksheet().write("A1", "ciao")
    parts = Parts(out.getvalue())
    parts.into_book('<workbookProtection lockStructure="1"/>')
    return parts.bytes()


@pytest.mark.parametrize("command", [("adopt", "giglio"), ("check",), ("status",), ("resolve",)])
def test_what_is_no_workbook_is_said_so_by_every_command(tmp_path: Path, command: tuple[str, ...]) -> None:
    """A package without a workbook, whose parts lie anywhere: ARB-001 and no other reason."""
    parts = Parts(league(outside))
    parts.members["_rels/.rels"] = parts.members["_rels/.rels"].replace(b"officeDocument\"", b"thumbnail\"")
    book = tmp_path / "club.xlsx"
    book.write_bytes(parts.bytes())
    said = arbitro(*command, book)

    assert said.exit_code == 5
    assert "ARB-001" in said.output
