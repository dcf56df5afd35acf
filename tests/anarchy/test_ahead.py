"""What is said at once is what the phase would say: orders of past days, answers, forms of battles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant import desk, environment
from assistant.campaign.records import Die, Event, Order
from assistant.desk import Exit, Input, NewPlan
from assistant.desk.results import Result
from assistant.ledger import path_of_ledger
from assistant.testing.cases import campaign_of, run_command
from assistant.turn.findings import Finding
from assistant.workbook.read.csv_folder import write_folder
from tests.anarchy.cases import build
from tests.anarchy.test_findings import ASKED, FIGHT, FORMS, ONE
from tests.hand import type_answer
from tests.playing import copy_with_folder, take_lines

Named = tuple[str, str, str, str, str]


def named(findings: list[Finding]) -> set[Named]:
    """Code, sheet, row, field and data of findings about forms and answers."""
    return {(f.code, f.where.table, f.where.row, f.where.field, json.dumps(dict(f.data), sort_keys=True))
            for f in findings if f.where.table in ("Battles", "Losses", "Questions")}


def made(folder: Path, **given: Any) -> Path:
    """A workbook of a case of the third day."""
    folder.mkdir()
    write_folder(build("movement", **given), folder / "in")
    book = folder / "day.xlsx"
    result = desk.new_campaign(
        NewPlan("anarchy", folder=folder / "in", language="en", secret="cd" * 32), book, lang="en"
    )
    assert result.exit == Exit.DONE, result.finding_lines()
    return book


def waiting(folder: Path, **given: Any) -> Path:
    """A workbook of which the movement has stopped for a person."""
    book = made(folder, **given)
    result = desk.resolve(book, lang="en")
    assert result.exit == Exit.WAITING, result.finding_lines()
    return book


def forms(book: Path, battle: str, losses: str) -> Result:
    """Hand in the form of a battle as a club's referee writes it, in files of the sheets' own columns."""
    def file(name: str, columns: tuple[str, ...], rows: str) -> list[Input]:
        path = book.parent / name
        lines = [dict(zip(columns, ("" if w == "-" else w for w in row.split() if "=" not in w), strict=False))
                 | dict(w.split("=") for w in row.split() if "=" in w) for row in rows.split(",") if row.strip()]
        text = "\n".join(";".join(line.get(c, "") for c in columns) for line in lines)
        path.write_text(f"{';'.join(columns)}\n{text}\n", encoding="utf-8")
        return [Input(name, path=path)] if lines else []

    sources = [*file("battles.csv", ("battle", "outcome", "how", "turns"), battle),
               *file("losses.csv", ("battle", "unit", "rank", "killed", "wounded", "captured", "noble"), losses)]
    return desk.take_orders(book, sources, lang="en")


# --- orders of past days --------------------------------------------------------------------------
@pytest.fixture(scope="module")
def unmoved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook that stands at the movement of day 3, to copy from."""
    return made(tmp_path_factory.mktemp("ahead") / "day", armies=ONE)


@pytest.fixture
def third_day(unmoved: Path, tmp_path: Path) -> Path:
    """That workbook, to play on."""
    return copy_with_folder(unmoved, tmp_path / "day")


@pytest.mark.parametrize(("day", "found"), [("2", [("ANA-004", {"t": "2", "d": "3"})]), ("3", []), ("4", [])])
def test_an_order_of_a_past_day_that_is_handed_in_is_named_by_the_book(
    third_day: Path, day: str, found: list[tuple[str, dict[str, str]]]
) -> None:
    """ANA-004, as for a row of the workbook: the order is for day 2, today is day 3. It is not taken."""
    mail = third_day.parent / "orders.csv"
    mail.write_text(f"order,turn,faction,verb,unit,path\nlate,{day},royal,MOVE,A1,0606\n", encoding="utf-8")

    code, text = run_command("orders", str(third_day), str(mail), "--json")
    said = json.loads(text)

    seen = [f for f in said["findings"] if f["row"] == "late"]
    assert [(f["code"], f["data"]) for f in seen if f["severity"] == "error"] == found
    assert code == (1 if found else 0)
    assert ("late" in campaign_of(third_day).table(Order)) == (not found)
    if found:
        assert (seen[0]["sheet"], seen[0]["field"], seen[0]["faction"]) == ("Orders", "turn", "royal")


def test_an_order_that_would_take_the_number_of_a_past_one_is_named_by_the_book(third_day: Path) -> None:
    """ANA-004 with the day of the order that stands there."""
    mail = third_day.parent / "orders.csv"
    text = "order,turn,faction,verb,unit,path\nmine,{day},royal,MOVE,A1,{path}\n"
    mail.write_text(text.format(day=3, path="0606"), encoding="utf-8")
    assert desk.take_orders(third_day, [Input("m", path=mail)], lang="en").exit == Exit.DONE
    assert desk.resolve(third_day, until="close", defaults=True, lang="en").exit == Exit.DONE
    mail.write_text(text.format(day=4, path="0607"), encoding="utf-8")

    late = desk.take_orders(third_day, [Input("m", path=mail)], lang="en")

    assert [(f.code, dict(f.data)) for f in late.findings] == [("ANA-004", {"t": "3", "d": "4"})]
    assert "  This order is for day 3; today is day 4. (ANA-004)" in late.lines


# --- orders that depend on the day's marches ------------------------------------------------------
def test_a_castle_that_is_besieged_that_day_may_be_told_to_surrender(tmp_path: Path) -> None:
    """1, 16: SURRENDER is read at the close: before, a siege that has not begun is a remark, also for `--strict`."""
    book = made(tmp_path / "day", armies="A1 r 0605 S9 noble=N1:5:8", places="keep 0605 castle_motte 3 2 holder=a S9",
                orders="r BESIEGE A1 keep; a SURRENDER keep")

    checked = desk.check(book, lang="en")
    (said,) = [f for f in checked.findings if f.where.row == "o2"]
    assert (said.code, said.severity, checked.exit) == ("ANA-412", "info", Exit.DONE)
    assert checked.finding_lines() == [
        f"{said.cell}  ANA-412  Keep is not besieged. (day 3, Siege day and close, as things stand now)"]

    assert desk.resolve(book, until="close", defaults=True, strict=True, lang="en").exit == Exit.DONE
    assert "surrendered" in [event.event for event in campaign_of(book).table(Event)]


@pytest.mark.parametrize(("order", "code"), [("r SURRENDER keep", "ANA-003"), ("a SURRENDER", "ANA-007")])
def test_what_no_march_puts_right_is_an_error_at_once(tmp_path: Path, order: str, code: str) -> None:
    """4: whose castle it is not, or who names none, is told before the marches."""
    book = made(tmp_path / "day", armies="A1 r 0605 S9", places="keep 0605 castle_motte 3 2 holder=a S9", orders=order)

    checked = desk.check(book, lang="en")
    assert [(f.code, f.severity) for f in checked.findings if f.where.table == "Orders"] == [(code, "error")]
    assert checked.exit == Exit.REFUSED


def test_at_the_close_a_castle_that_nobody_besieges_is_an_error(tmp_path: Path) -> None:
    """ANA-412: then it is so."""
    book = made(tmp_path / "day", armies="A1 r 0605 S9", places="keep 0605 castle_motte 3 2 holder=a S9",
                orders="a SURRENDER keep")
    assert desk.resolve(book, until="movement", defaults=True, lang="en").exit == Exit.DONE
    assert [(f.code, f.severity) for f in desk.check(book, lang="en").findings] == [("ANA-412", "error")]


# --- answers --------------------------------------------------------------------------------------
@pytest.mark.parametrize("ledger", [True, False])
@pytest.mark.slow
def test_check_and_resolve_name_a_wrong_answer_alike(tmp_path: Path, ledger: bool) -> None:
    """ANA-901 at the answer's cell, with what was typed and what is offered; also where the ledger is away."""
    book = waiting(tmp_path / "day", **ASKED)
    taken = take_lines(book, "attack A1/0606/E1 perhaps")  # which writes nothing
    type_answer(book, "attack/A1/0606/E1", "perhaps")
    aside = copy_with_folder(book, tmp_path / "aside")
    if not ledger:
        path_of_ledger(book).unlink()

    checked = desk.check(book, lang="en")
    resolved = desk.resolve(aside, lang="en")

    assert named(checked.findings) == named(resolved.findings) == named(taken.findings)
    (one,) = [f for f in checked.findings if f.where.table == "Questions"]
    assert (one.code, dict(one.data)) == ("ANA-901", {"x": "perhaps", "options": "attack, pass"})
    assert one.cell.startswith("Questions!")
    assert checked.exit == Exit.REFUSED


# --- forms of battles -----------------------------------------------------------------------------
@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook whose movement waits for the result of a battle."""
    return waiting(tmp_path_factory.mktemp("battle") / "day", nobles="N9 a 3 2", **FIGHT)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "form", "losses"), [
    *FORMS,
    ("ANA-802", "B3-1 attacker fled 15", "B3-1 E1 foot 9 0 0, B3-1 A7 foot 1 0 0"),
    ("ANA-808", "B3-1 attacker surrendered 9", "B3-1 E1 foot 2 0 0"),
    ("", "B3-1 attacker fled 9", "B3-1 E1 foot 2 1 3"),
])
def test_check_lists_all_that_resolve_would_say_of_a_form(
    battle: Path, tmp_path: Path, code: str, form: str, losses: str
) -> None:
    """7, ANA-801 to 808: all at once, at their cells, and nothing is changed by looking."""
    book = copy_with_folder(battle, tmp_path / "day")
    assert forms(book, form, losses).data["taken"]
    before = book.read_bytes()

    checked = desk.check(book, lang="en")
    answers = desk.answers(book, lang="en")

    assert book.read_bytes() == before
    resolved = desk.resolve(book, lang="en")
    before_its_time = {one for one in named(checked.findings) if form.startswith("B3-1 -")}  # no outcome: asked again
    assert named(checked.findings) == named(resolved.findings) | before_its_time
    assert named(answers.findings) == named(checked.findings)
    assert (code in {f.code for f in checked.findings}) == bool(code)
    assert (checked.exit == Exit.REFUSED) == any(f.stops for f in checked.findings)
    assert all(f.cell for f in checked.findings if f.where.table in ("Battles", "Losses"))


@pytest.mark.slow
def test_a_form_is_judged_by_who_is_there_when_the_battle_begins(tmp_path: Path) -> None:
    """Who was recruited on the way may be lost; one more may not: the sheet still shows the morning's men."""
    book = waiting(tmp_path / "day", armies=FIGHT["armies"], places="ham 0605 village 5 8",
                   orders="r RECRUIT A1 ham P1 node=0605; r MOVE A1 0606 choice=attack")
    more = copy_with_folder(book, tmp_path / "more")
    assert forms(book, "B3-1 defender fled 9", "B3-1 A1 peasants 1 0 0").exit == Exit.DONE
    too_many = forms(more, "B3-1 defender fled 9", "B3-1 A1 peasants 2 0 0")

    assert [f.code for f in desk.check(book, lang="en").findings if f.stops] == []
    assert [f.code for f in too_many.findings if f.stops] == ["ANA-802"]
    assert [f.code for f in desk.check(more, lang="en").findings if f.stops] == ["ANA-802"]


def test_without_the_ledger_a_form_is_judged_as_far_as_it_can_be(battle: Path, tmp_path: Path) -> None:
    """Its dice decide who marches first, and so how strong each side is: what needs no dice is still named."""
    book = copy_with_folder(battle, tmp_path / "day")
    forms(book, "B3-1 attacker fled 15", "B3-1 E1 foot 9 0 0")
    path_of_ledger(book).unlink()

    assert {f.code for f in desk.check(book, lang="en").findings if f.where.table == "Battles"} == {"ANA-803"}


@pytest.mark.slow
def test_a_die_in_a_line_waits_for_the_phase_that_throws_it(tmp_path: Path) -> None:
    """Typed while the provisions are due, put right once, thrown by the march: its row gets its day and phase then."""
    book = tmp_path / "days.xlsx"
    plan = NewPlan("anarchy", scenario="wallingford-1139", language="en", secret="cd" * 32)
    assert desk.new_campaign(plan, book, lang="en").exit == Exit.DONE
    script = environment.shipped_folder("workbook_templates") / "anarchy" / "wallingford-1139" / "orders.csv"
    assert desk.take_orders(book, [Input("orders.csv", path=script)]).exit == Exit.DONE
    assert desk.resolve(book, until="opening", defaults=True).exit == Exit.DONE

    said = [desk.take_orders(book, [Input("line", text=f"die activation/A-BLK {n}")], lang="en") for n in (77, 78)]
    assert [one.lines[1] for one in said] == ["activation/A-BLK: 1d100 = 77", "activation/A-BLK: now 1d100 = 78"]
    assert desk.resolve(book, until="movement", defaults=True).exit == Exit.DONE

    thrown = [(die.key, die.value, die.turn, die.phase, die.source) for die in campaign_of(book).table(Die)
              if die.key == "activation/A-BLK"]
    assert thrown == [("activation/A-BLK", "78", "1", "movement", "table")]
