"""A slip in an answer, a typed die, a battle's form or the status of an order: that row alone does not count."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Die, Question
from assistant.desk.results import Exit
from assistant.testing.cases import campaign_of, must_succeed
from assistant.workbook.file_book import open_book
from tests import hand
from tests.anarchy.scenario import PLACE
from tests.desk.conftest import copied
from tests.sweeps import all_slow

pytestmark = pytest.mark.slow

MINE, THEIRS, SPOILS = "1.clash.stance.A.M1", "1.clash.stance.B.M1", "spoils:B1.M1"
LONG = "x" * 5000
Row = dict[str, Any]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, marched: Path) -> Path:
    """Both villages are asked whether they stand, to copy from."""
    book = copied(marched, tmp_path_factory.mktemp("asked"))
    assert desk.resolve(book).exit == Exit.WAITING
    return book.parent


@pytest.fixture(scope="module")
def fighting(tmp_path_factory: pytest.TempPathFactory, marched: Path) -> Path:
    """A battle waits for its form, to copy from."""
    book = copied(marched, tmp_path_factory.mktemp("fighting"))
    desk.resolve(book, defaults=True)
    assert desk.resolve(book).exit == Exit.WAITING
    return book.parent


def put(book: Path, sheet: str, *rows: tuple[str, Row]) -> None:
    """Type into the rows of these keys; "" is a new row beneath the last."""
    cells = open_book(book).read().cells
    dated = any(isinstance(value, dt.datetime) for _, values in rows for value in values.values())
    opened: Any = openpyxl.load_workbook(book) if dated else hand.opened(book)
    below = max(cells.rows[sheet].values(), default=cells.headings[sheet])
    for key, values in rows:
        below += not key
        for name, value in values.items():
            row = cells.rows[sheet][key] if key else below
            opened[cells.titles[sheet]][f"{cells.letters[sheet][name]}{row}"] = value
    opened.save(book)


def told(result: desk.Result) -> list[tuple[str, str]]:
    """The findings that refuse something: code and column."""
    return [(finding.code, finding.where.field) for finding in result.findings if finding.stops]


def played(book: Path, code: str, field: str) -> desk.Result:
    """`check` names the slip and so does `resolve`, which goes on, and `verify` finds the same again."""
    assert told(desk.check(book)) == [(code, field)]
    result = desk.resolve(book)
    assert told(result) == [(code, field)]
    assert desk.verify(book).exit == Exit.DONE
    return result


# --- answers ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("typed", "code"), [
    ("=1+1", "ARB-020"), (LONG, "ARB-034"), ("hide", "ARB-135"),
    *all_slow([("#REF!", "ARB-021"), (dt.datetime(2020, 1, 2), "ARB-135")])])
def test_an_answer_that_cannot_be_read_leaves_its_question_open(asked: Path, tmp_path: Path, typed: Any,
                                                                code: str) -> None:
    """The phase waits for it alone; the other club's answer stands, and no default is taken for who answered."""
    book = copied(asked, tmp_path)
    put(book, "Questions", (MINE, {"answer": typed}), (THEIRS, {"answer": "flee"}))

    assert [question.question for question in played(book, code, "answer").questions] == [MINE]
    assert desk.resolve(book, defaults=True).exit == Exit.WAITING
    put(book, "Questions", (MINE, {"answer": "stand"}))
    assert desk.resolve(book).exit == Exit.DONE
    assert [row.answer for row in campaign_of(book).table(Question)] == ["stand", "flee"]


EARLY = {"turn": "1", "phase": "clash", "kind": "stance", "to": "A", "about": "M1", "answer": "flee"}


@pytest.mark.parametrize(("row", "code", "field"), [
    (EARLY, "ARB-032", "question"), ({**EARLY, "question": "1.clash.stance.A.M2", "to": "=A1"}, "ARB-020", "to"),
    *all_slow([
        ({**EARLY, "question": MINE}, "ARB-031", "question"),
        ({**EARLY, "question": "1.clash.stance.A.M2", "about": LONG}, "ARB-034", "about")])])
def test_a_row_of_questions_that_cannot_be_read_is_left_out(asked: Path, tmp_path: Path, row: Row, code: str,
                                                            field: str) -> None:
    """It stays where it is; of two rows for one question Arbitro's own counts."""
    book = copied(asked, tmp_path)
    put(book, "Questions", (MINE, {"answer": "stand"}), (THEIRS, {"answer": "flee"}), ("", row))

    assert played(book, code, field).exit == Exit.DONE
    rows = campaign_of(book).table(Question)
    assert [(row.question, row.answer) for row in rows] == [(MINE, "stand"), (THEIRS, "flee")]
    assert told(desk.check(book)) == [(code, field)]  # whoever wrote the workbook, it is said again


def test_what_arbitro_has_asked_and_somebody_wrote_over_still_stops(asked: Path, tmp_path: Path) -> None:
    """Its columns are no club's: nobody could say what was asked."""
    book = copied(asked, tmp_path)
    put(book, "Questions", (MINE, {"answer": "stand", "asked": "rubbish"}))

    assert desk.resolve(book).exit == Exit.REFUSED
    assert ("ARB-029", "asked") in told(desk.check(book))


# --- dice ---------------------------------------------------------------------------------------
STRAY = "spoils:B9.M1"


@pytest.mark.parametrize(("row", "code", "field"), [
    ({"key": STRAY, "dice": "1d6", "value": 9}, "ARB-060", "value"),
    ({"key": STRAY, "dice": "1d6"}, "ARB-032", "value"), ({"dice": "1d6", "value": 3}, "ARB-032", "key"),
    *all_slow([
        ({"key": STRAY, "dice": "1d6", "value": "=1+1"}, "ARB-020", "value"),
        ({"key": STRAY, "dice": "1d6", "value": 3, "source": "Fred"}, "ARB-026", "source"),
        ({"key": LONG, "dice": "1d6", "value": 3}, "ARB-034", "key")])])
def test_a_die_that_nobody_throws_holds_up_nobody(fighting: Path, tmp_path: Path, row: Row, code: str,
                                                  field: str) -> None:
    """It is named at its cell, and the phase throws its own."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 3}))
    put(book, "Dice", ("", row))

    assert played(book, code, field).exit == Exit.DONE
    assert campaign_of(book).table(Die)[SPOILS].source == "assistant"


@pytest.mark.parametrize(("rows", "codes"), [
    ([{"value": "=1+1"}], {"ARB-020", "ARB-049"}), ([{"value": None}], {"ARB-032", "ARB-049"}),
    ([{"value": 3}, {"value": 4}], {"ARB-031", "ARB-049"}),
    *all_slow([([{"value": 9}], {"ARB-060"}), ([{"value": 3, "source": "Fred"}], {"ARB-026", "ARB-049"})])])
def test_a_die_that_the_phase_throws_stops_it(fighting: Path, tmp_path: Path, rows: list[Row],
                                              codes: set[str]) -> None:
    """What fell on the table is not thrown again behind the referee's back; put right, it counts."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 3}))
    put(book, "Dice", *(("", {"key": SPOILS, "dice": "1d6", **row}) for row in rows))

    for result in (desk.check(book), desk.resolve(book)):
        assert (result.exit, {code for code, _ in told(result)}) == (Exit.REFUSED, codes)
    if len(rows) == 1:
        put(book, "Dice", (SPOILS, {"value": 5, "source": "table"}))
        assert desk.resolve(book).exit == Exit.DONE
        assert campaign_of(book).table(Die)[SPOILS].value == "5"


@pytest.mark.slow
def test_the_same_die_typed_twice_counts_once(fighting: Path, tmp_path: Path) -> None:
    """The second row is named and left out."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 3}))
    put(book, "Dice", *(("", {"key": SPOILS, "dice": "1d6", "value": 3}) for _ in range(2)))

    assert played(book, "ARB-031", "key").exit == Exit.DONE
    assert campaign_of(book).table(Die)[SPOILS].value == "3"


# --- forms --------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("form", "code", "field"), [
    ({"winner": "A", "losses": "=1"}, "ARB-020", "losses"), ({"winner": LONG, "losses": 1}, "ARB-034", "winner")])
def test_a_form_that_cannot_be_read_is_waited_for(fighting: Path, tmp_path: Path, form: Row, code: str,
                                                  field: str) -> None:
    """Nothing of it counts, not even what could be read: half a result is none."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", form))

    assert played(book, code, field).exit == Exit.WAITING
    assert desk.resolve(book, defaults=True).exit == Exit.WAITING
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 1}))
    assert desk.resolve(book).exit == Exit.DONE


@pytest.mark.parametrize(("row", "code", "field"), [
    ({"battle": "B9.X", "winner": "=1"}, "ARB-020", "winner"),
    *all_slow([({"battle": "B9.X", "node": "ZZ"}, "ARB-030", "node"),
               ({"battle": "B1.M1", "winner": "B"}, "ARB-031", "battle")])])
def test_a_form_of_no_battle_holds_up_nobody(fighting: Path, tmp_path: Path, row: Row, code: str, field: str) -> None:
    """A row that somebody added is left out; the battle's own form counts."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 3}), ("", row))

    assert played(book, code, field).exit == Exit.DONE


@pytest.mark.slow
def test_a_slip_in_the_losses_of_a_battle_takes_its_form_alone(tmp_path: Path) -> None:
    """The Anarchy: the battle waits as if nothing stood in its form; losses of another battle stand."""
    book = tmp_path / "a.xlsx"
    must_succeed("new", "anarchy", book, "--from", PLACE)
    opened = hand.opened(book)
    reading = open_book(book).read()
    (first, battle), (other, _) = list(reading.campaign.by_sheet("Battles").in_file_order())[:2]
    losses = reading.campaign.by_sheet("Losses")
    key, row = next((key, row) for key, row in losses.in_file_order() if row.battle == first)
    cells = reading.cells
    for sheet, at, name, value in (("Battles", first, "status", "open"), ("Battles", other, "status", "open"),
                                   ("Losses", key, row.form()[-1], "=1")):
        opened[cells.titles[sheet]][f"{cells.letters[sheet][name]}{cells.rows[sheet][at]}"] = value
    opened.save(book)

    again = open_book(book).read()

    told = [finding for finding in again.findings if finding.stops]
    assert [(one.where.table, one.alone) for one in told] == [("Losses", True)]
    form = again.campaign.by_sheet("Battles")[first]
    assert battle.outcome != form.outcome == ""
    assert again.campaign.by_sheet("Battles")[other].outcome
    assert len(again.campaign.by_sheet("Losses")) == len(losses) - 1


# --- the status of an order -----------------------------------------------------------------------
@pytest.mark.parametrize("status", ["done", "withdrawn", *all_slow(["accepted", "=1"])])
def test_a_word_in_the_status_of_a_fresh_order_counts_for_nothing(book: Path, status: str) -> None:
    """It is named, the order is judged like any other, and its phase writes what came of it."""
    put(book, "Orders", ("", {"faction": "A", "target": "M1", "status": status}),
        ("", {"faction": "B", "target": "M1"}))

    checked = desk.check(book)
    assert [(finding.code, finding.severity) for finding in checked.findings] == [("ARB-048", "warning")]
    assert desk.resolve(book).exit == Exit.DONE
    assert [row.status for row in campaign_of(book).by_sheet("Orders")] == [
        "accepted", "accepted"]
    assert desk.verify(book).exit == Exit.DONE


# --- and the rest ----------------------------------------------------------------------------------
def test_strict_stops_for_a_row_that_was_set_aside(fighting: Path, tmp_path: Path) -> None:
    """With `--strict` nothing is changed, and the row is named."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 3}))
    put(book, "Dice", ("", {"key": STRAY, "dice": "1d6", "value": "=1"}))
    before = book.read_bytes()

    result = desk.resolve(book, strict=True)

    assert (result.exit, told(result), book.read_bytes()) == (Exit.REFUSED, [("ARB-020", "value")], before)


def test_undo_does_not_lose_a_row_that_was_set_aside(asked: Path, tmp_path: Path) -> None:
    """It would not be carried back: `undo` says so and leaves all as it is, until it is put right."""
    book = copied(asked, tmp_path)
    put(book, "Dice", ("", {"key": STRAY, "dice": "1d6", "value": "=1"}))
    before = book.read_bytes()

    assert (desk.undo(book).exit, book.read_bytes()) == (Exit.REFUSED, before)
    put(book, "Dice", (STRAY, {"value": 1}))
    assert desk.undo(book).exit == Exit.DONE
    assert campaign_of(book).table(Die)[STRAY].value == "1"


def test_a_copy_brings_nothing_that_cannot_be_read(fighting: Path, tmp_path: Path) -> None:
    """Of a filled workbook that is handed in the form that cannot be read is left out; what stood there stays."""
    book = copied(fighting, tmp_path)
    put(book, "Battles", ("B1.M1", {"winner": "A", "losses": 3}))
    filled = tmp_path / "filled.xlsx"
    filled.write_bytes(book.read_bytes())
    put(filled, "Battles", ("B1.M1", {"winner": "B", "losses": "=1"}))

    result = desk.take_orders(book, [desk.Input("filled.xlsx", path=filled)])

    assert (result.exit, told(result)) == (Exit.REFUSED, [("ARB-020", "losses")])
    assert campaign_of(book).by_sheet("Battles")["B1.M1"].winner == "A"
