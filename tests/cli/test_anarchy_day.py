"""A day of The Anarchy at the command line: late, mistyped and replaced orders, and what is reported."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.anarchy.scenario import PLACE
from tests.playing import arbitro


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wallingford 1139 without answers and battles, on the morning of day 1."""
    folder = tmp_path_factory.mktemp("opened")
    source = folder / "src"
    source.mkdir()
    for file in PLACE.glob("*.csv"):
        if file.stem not in ("answers", "battles", "battle_results", "losses", "expected"):
            shutil.copyfile(file, source / file.name)
    book = folder / "w.xlsx"
    assert arbitro("new", "anarchy", book, "--from", source).exit_code == 0
    assert arbitro("resolve", book).exit_code == 0
    return book


@pytest.fixture
def morning(opened: Path, tmp_path: Path) -> Path:
    """A copy of one's own of that morning."""
    return copied(opened, tmp_path / "w.xlsx")


@pytest.fixture(scope="module")
def evening(opened: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after all of day 1 but its close."""
    book = copied(opened, tmp_path_factory.mktemp("evening") / "w.xlsx")
    assert arbitro("resolve", book, "--until", "1.movement", "--defaults").exit_code == 0
    return book


def copied(book: Path, to: Path) -> Path:
    """A workbook with its ledger in another place."""
    for ending in (".xlsx", ".arbitro"):
        shutil.copyfile(book.with_suffix(ending), to.with_suffix(ending))
    return to


@pytest.mark.slow
def test_the_report_of_a_day_tells_of_the_whole_day(evening: Path, tmp_path: Path) -> None:
    """All six phases read the orders of the day: the report goes back to the first of them, and shows the orders."""
    book = copied(evening, tmp_path / "w.xlsx")
    assert arbitro("resolve", book, "--defaults").exit_code == 0
    assert arbitro("report", book, "--out", tmp_path / "r").exit_code == 0

    said = " ".join((tmp_path / "r" / "royal.txt").read_text(encoding="utf-8").split())
    assert "9 of 9 orders were accepted." in said
    assert "(A-YPR): Chippenham (0608) → 0609 → Melksham (0610)." in said
    assert "eats 2 points of food from Malmesbury Abbey." in said
    gazette = (tmp_path / "r" / "gazette.txt").read_text(encoding="utf-8")
    assert "Order of march" in gazette


@pytest.mark.slow
@pytest.mark.parametrize(("line", "said"), [
    ("angevin: MOVE A-BRI 22O5", "There is no '22O5'. Did you mean 2205?"),
    ("angevin: MOVE A-BRI 2204 22O5 2305", "There is no '22O5'. Did you mean 2205?"),
    ("angevin: MOVE A-BRI Oxfrdo", "There is no 'Oxfrdo'. Did you mean Oxford?"),
])
def test_a_mistyped_march_stays_an_order(morning: Path, line: str, said: str) -> None:
    """`move` is a question, too, asked at activation alone; the order is kept and its hex is named (ANA-002)."""
    taken = arbitro("orders", morning, line)
    assert ": MOVE, Unit " in taken.stdout
    assert "(A-BRI)" in taken.stdout
    assert (f"  {said} (ANA-002)" in taken.stdout, arbitro("check", morning).exit_code) == (True, 1)


@pytest.mark.slow
def test_a_later_line_replaces_the_order_of_a_row_with_a_code_of_its_own(morning: Path) -> None:
    """D1-03 marches A-YPR; what is typed afterwards stands lower, is numbered after it, and counts (ANA-005)."""
    taken = arbitro("orders", morning, "royal: MOVE A-YPR 0609 0709")
    assert "A-YPR has two orders MOVE" not in taken.stderr
    assert "A-YPR has two orders MOVE; the last one (1-day-royal-" in arbitro("check", morning).stdout


@pytest.mark.slow
def test_an_order_for_a_phase_that_is_over_is_named_at_once(evening: Path, tmp_path: Path) -> None:
    """At the close a march and a split come too late: one finding each, today (ARB-045) and tomorrow (ANA-004)."""
    book = copied(evening, tmp_path / "w.xlsx")
    taken = arbitro("orders", book, "royal: MOVE A-MEU 1305")
    assert "The order is for day 1, Movement and encounters, which is over" in taken.stdout
    assert arbitro("orders", book, "royal: SPLIT A-STE -> A-ST2: K3 S3").exit_code == 0
    assert arbitro("check", book).stdout.count("ARB-045") == 2
    assert arbitro("resolve", book, "--defaults").exit_code == 0

    seen = arbitro("check", book).stdout
    assert (seen.count("ARB-045"), seen.count("ANA-004")) == (0, 2)
    assert "This order is for day 1; today is day 2." in seen


@pytest.mark.slow
def test_losses_of_another_battle_are_named(morning: Path) -> None:
    """A row of Losses for a battle that has not come is taken, and the referee is told that it waits (ARB-255)."""
    taken = arbitro("orders", morning, "losses B2-7 A-ROB light killed=1")
    assert "1 row was written into the workbook." in taken.stdout
    assert "ARB-255  There is no battle 'B2-7' yet: its result waits for it." in taken.stderr


@pytest.mark.slow
def test_losses_of_another_battle_are_named_while_one_waits(evening: Path, tmp_path: Path) -> None:
    """While B2-1 is to be fought a row that names another battle of day 2 is pointed to it; one of day 9 waits."""
    book = copied(evening, tmp_path / "w.xlsx")
    assert arbitro("resolve", book, "--until", "2.convoys", "--defaults").exit_code == 0
    assert arbitro("orders", book, "royal: HOLD A-MEU", "losses B9-1 A-ROB light killed=1").exit_code == 0
    assert arbitro("resolve", book, "--defaults").exit_code == 3
    assert arbitro("orders", book, "losses B2-7 A-ROB light killed=1").exit_code == 0

    lines = [line for line in arbitro("check", book).stdout.splitlines() if "ARB-255" in line]
    assert len(lines) == 1
    assert "There is no battle 'B2-7' yet" in lines[0]
    assert lines[0].endswith("type its code: B2-1.")
