"""A row or a line that begins with ; stays where it is and does not count, and one line says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl.utils import get_column_letter

from assistant import desk
from assistant.desk import Exit, Input
from assistant.testing.cases import campaign_of
from assistant.wording import Wording
from tests import hand
from tests.playing import take_lines


def typed(book: Path, **cells: str | None) -> None:
    """Type into cells of Orders."""
    workbook = hand.opened(book)
    for place, value in cells.items():
        workbook["Orders"][place] = value
    workbook.save(book)


def told(result: desk.Result) -> list[str]:
    """What is said of rows that are marked off."""
    return [Wording(None, "en").finding(f) for f in result.findings if f.code == "ARB-053"]


def letters(book: Path) -> dict[str, str]:
    """Heading -> the letter of its column on Orders."""
    return {str(cell.value).strip(): get_column_letter(cell.column or 0) for cell in hand.opened(book)["Orders"][4]}


@pytest.mark.parametrize("where", ["first", "Faction", "No."])
def test_a_marked_row_does_not_count_and_stays(book: Path, where: str) -> None:
    """In front of the first cell, the faction or the number: check and resolve say it each time and leave it alone."""
    at = letters(book)
    row = {f"{at['Faction']}5": "A", f"{at['Verb']}5": "go", f"{at['To']}5": "M1"}
    place = f"{at['Turn']}5" if where == "first" else f"{at[where]}5"
    row[place] = f";{row.get(place, '')}"
    typed(book, **row)
    one = [f"1 row is marked off with ; and does not count: Orders!{place}"]

    assert told(desk.check(book)) == one
    assert not campaign_of(book).by_sheet("Orders")
    take_lines(book, "B: M1")
    assert told(desk.check(book)) == one
    assert told(desk.resolve(book, until="march")) == one
    assert told(desk.check(book)) == one
    sheet = hand.opened(book)["Orders"]
    assert {place: sheet[place].value for place in row} == row
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["B"]


def test_an_order_that_was_taken_may_be_marked_off_and_on_again(book: Path) -> None:
    """Until its phase is resolved nobody takes it for a change by hand."""
    take_lines(book, "A: M1", "B: M1")
    at = letters(book)
    kept = str(hand.opened(book)["Orders"][f"{at['Turn']}5"].value)
    typed(book, **{f"{at['Turn']}5": f"; {kept}"})

    assert [f.code for f in desk.check(book).findings if f.code != "TIN-001"] == ["ARB-053"]
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["B"]
    typed(book, **{f"{at['Turn']}5": kept})
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["A", "B"]
    assert told(desk.check(book)) == []


def test_an_order_that_was_carried_out_cannot_be_marked_off_in_silence(book: Path) -> None:
    """It is a row that somebody took out by hand, and named as that."""
    take_lines(book, "A: M1", "B: M1")
    assert desk.resolve(book, until="march").exit == Exit.DONE
    typed(book, **{f"{letters(book)['Turn']}5": ";1"})

    assert {"ARB-053", "ARB-112"} <= {f.code for f in desk.check(book).findings}


@pytest.mark.parametrize("text", ["faction;verb;target\n;A;go;M1\nB;go;M1\n",
                                  "faction,verb,target\n;A,go,M1\nB,go,M1\n",
                                  'faction;verb;target\n";A";go;M1\nB;go;M1\n'])
def test_a_marked_line_of_a_csv_does_not_count(book: Path, tmp_path: Path, text: str) -> None:
    """Whatever parts the cells."""
    mail = tmp_path / "mail.csv"
    mail.write_text(text, encoding="utf-8")
    result = desk.take_orders(book, [Input("mail", path=mail)])

    assert result.exit == Exit.DONE
    assert told(result) == ["1 row is marked off with ; and does not count: mail.csv!A2"]
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["B"]


def test_a_marked_line_of_words_does_not_count(book: Path) -> None:
    """Several are told at once."""
    result = take_lines(book, "; A: M1\n;A: B1\nB: M1")

    assert result.exit == Exit.DONE
    assert told(result) == ["2 rows are marked off with ; and do not count: ; A: M1, ;A: B1"]
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["B"]
