"""What an order came to: set by its phase, kept on the sheet and in exports, shown in the reports."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.cell_range import CellRange

from assistant import desk
from assistant.campaign import records as base
from assistant.desk import Exit
from assistant.testing.cases import campaign_of
from assistant.turn.orders.requests import Request
from tests import hand
from tests.floor.conftest import Made, written
from tests.floor.fens import FOLDER, Order
from tests.turn.ferry import Order as FerryOrder

HEAD = "turn,phase,faction,seq,verb,unit,path\n"
ROWS = HEAD + "1,day,N,1,march,N1,A2 A3 A4 B4\n1,day,N,2,march,N2,A2\n1,day,S,1,march,S1,C4\n1,day,S,2,march,S2,Z9\n"
ARMIES = "army,faction,node\nN1,N,A1\nN2,N,A1\nS1,S,D4\nS2,S,C4\nS3,S,C4\n"


@pytest.fixture
def book(make: Made) -> Path:
    """A day with a march that is done, one that is cut, one that bounces and one that is refused."""
    made = make(orders=ROWS, armies=ARMIES)
    assert desk.resolve(made).exit == Exit.DONE
    return made


def outcomes(book: Path) -> dict[str, tuple[str, str]]:
    """Number of a row -> its status and what it came to."""
    return {f"{o.faction}{o.seq}": (o.status, o.outcome) for o in campaign_of(book).table(Order)}


DAY = {"N1": ("accepted", "cut"), "N2": ("accepted", "done"), "S1": ("accepted", "bounced"), "S2": ("refused", "")}


def test_the_phase_says_what_became_of_an_order(book: Path) -> None:
    """Of those that it accepted; a refused one has its finding."""
    assert outcomes(book) == DAY
    assert {army.army: army.node for army in campaign_of(book).table(base.Army)}["N1"] == "A04"


def test_an_export_keeps_it(book: Path) -> None:
    """And a campaign that is made of it has it again."""
    out = book.parent / "out"
    desk.export(book, out)
    assert (out / "orders.csv").read_text().splitlines()[1].endswith(",accepted,cut")
    again = book.parent / "again.xlsx"
    assert desk.new_campaign(desk.NewPlan("fens", folder=out, secret="5e" * 32), again).exit == Exit.DONE

    assert outcomes(again) == DAY


def test_reports_show_it(book: Path) -> None:
    """To the club whose order it was, in its own language, and to the referee; to nobody else."""
    out = book.parent / "out"
    desk.report(book, out)
    north, south, referee = ((out / f"{name}.txt").read_text() for name in ("N", "S", "referee"))

    assert '· "march N1 A2 A3 A4 B4": cut [1-day-N-1]' in north
    assert "2 of 2 orders were accepted. What came of them is below." in north
    assert '· "marcia S1 C4": rimbalzato [1-day-S-1]' in south
    assert "rimbalzato" not in north + (out / "gazette.txt").read_text()
    assert "bounced, 1-day-S-1" in referee.replace("South, ", "")


def test_what_was_checked_leaves_no_trace(make: Made) -> None:
    """Only the phase itself says it."""
    made = make(orders=ROWS, armies=ARMIES)
    desk.check(made)

    assert {came_to for _, came_to in outcomes(made).values()} == {""}


def test_a_correction_of_the_past_says_it_anew(book: Path) -> None:
    """Undone and resolved again the same comes out, and nothing of it looks typed by hand."""
    assert desk.undo(book).exit == Exit.DONE
    assert {came_to for _, came_to in outcomes(book).values()} == {""}
    assert desk.resolve(book).exit == Exit.DONE

    assert outcomes(book) == DAY
    assert desk.verify(book).exit == Exit.DONE


def test_a_change_of_it_by_hand_is_noticed(book: Path) -> None:
    """As of anything that only the assistant writes."""
    workbook = hand.opened(book)
    sheet = workbook["Orders"]
    place = next(cell for row in sheet.iter_rows() for cell in row if cell.value == "bounced")
    place.value = "done"
    workbook.save(book)

    assert desk.resolve(book).exit == Exit.REFUSED


# --- older files --------------------------------------------------------------------------------------
def without_column(book: Path) -> None:
    """Make it a workbook of before the ruleset knew outcomes."""
    workbook = openpyxl.load_workbook(book)
    sheet = workbook["Orders"]
    heading = next(row for row in sheet.iter_rows() if any(cell.value == "Outcome" for cell in row))
    last = next(cell for cell in heading if cell.value == "Outcome")
    table = next(iter(sheet.tables.values()))
    sheet.delete_cols(last.column)
    whole = CellRange(table.ref)
    whole.shrink(right=1)
    table.ref = whole.coord
    table.tableColumns = [c for c in table.tableColumns if c.name != "Outcome"]
    if table.autoFilter is not None:
        table.autoFilter.ref = table.ref
    workbook.save(book)


@pytest.mark.slow
def test_an_older_workbook_is_read_and_gets_the_column_when_it_is_needed(make: Made) -> None:
    """Without a finding; after the phase the outcome stands beside the other headings, and nothing looks like a
    change by hand.
    """
    made = make(orders=ROWS, armies=ARMIES)
    without_column(made)
    result = desk.check(made)
    assert "ARB-012" not in [f.code for f in result.findings]
    assert desk.resolve(made).exit == Exit.DONE

    assert outcomes(made) == DAY
    assert desk.resolve(made).exit == Exit.DONE
    assert desk.verify(made).exit == Exit.DONE


def test_older_files_have_no_such_column(tmp_path: Path) -> None:
    """They are read as ever."""
    folder = written(tmp_path / "csv", {**FOLDER, "orders.csv": ROWS})
    made = tmp_path / "fens.xlsx"

    assert desk.new_campaign(desk.NewPlan("fens", folder=folder, secret="5e" * 32), made).exit == Exit.DONE
    assert {came_to for _, came_to in outcomes(made).values()} == {""}


# --- rulebooks without it -------------------------------------------------------------------------------
def test_a_rulebook_that_says_no_more_than_the_status_has_no_column() -> None:
    """The base sheet has none, and a word that no column declares is a fault of the rulebook."""
    assert "outcome" not in [c.name for c in base.Order.columns()]
    request = Request(FerryOrder(order="o1"), "cross")
    request.came_to("")
    with pytest.raises(ValueError, match="orders have no outcome cut"):
        request.came_to("cut")
    with pytest.raises(ValueError, match="orders have no outcome lost"):
        Request(Order(order="o1"), "march").came_to("lost")
