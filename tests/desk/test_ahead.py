"""What is judged beforehand: answers that a question does not take, as `check` and `orders` say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.testing.cases import campaign_of
from tests import hand
from tests.desk.test_resolving import everything
from tests.hand import type_answer
from tests.playing import take_lines


@pytest.fixture
def waiting(meeting: Path) -> Path:
    """Both villages are asked whether they stand or flee."""
    desk.resolve(meeting, until="march")
    assert desk.resolve(meeting).exit == Exit.WAITING
    return meeting


def test_check_names_an_answer_that_is_no_option(waiting: Path) -> None:
    """At the answer's cell, with the options, and before any phase is run; the right one is not named."""
    take_lines(waiting, "B: stance M1 flee")
    type_answer(waiting, "1.clash.stance.A.M1", "hide")
    before = everything(waiting)

    result = desk.check(waiting, lang="en")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-135"])
    (finding,) = result.findings
    assert (finding.where.row, finding.where.field) == ("1.clash.stance.A.M1", "answer")
    assert finding.faction == "A"
    assert finding.cell.startswith("Questions!")
    assert "'hide' is not among the answers" in result.finding_lines()[0]
    assert "stand, flee" in result.finding_lines()[0]
    assert everything(waiting) == before


def test_taking_a_wrong_answer_says_so_at_once(waiting: Path) -> None:
    """Nothing of the command is written, so that it can be given again as it was, put right."""
    before = everything(waiting)
    result = take_lines(waiting, "B: stance M1 flee", "A: stance M1 hide")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-135"])
    assert [one["how"] for one in result.data["taken"]] == ["refused", "refused"]
    assert everything(waiting) == before


@pytest.mark.parametrize("line", ["answer 1.clash.stance.A.M1 flee", "A: risposta 1.clash.stance.A.M1 flee",
                                  "A: answer stance M1 flee", "choice 1.clash.stance.A.M1 flee",
                                  "A: scelta 1.clash.stance.A.M1 flee"])
def test_an_answer_finds_its_question_by_its_name(waiting: Path, line: str) -> None:
    """As in a correction; nobody can answer another's."""
    take_lines(waiting, line)

    assert campaign_of(waiting).by_sheet("Questions")["1.clash.stance.A.M1"].answer == "flee"
    assert [f.code for f in take_lines(waiting, "B: answer 1.clash.stance.A.M1 stand").findings] == ["ARB-092"]


@pytest.mark.parametrize("answer", ["stand", "FLEE", " flee "])
def test_a_right_answer_is_not_named(waiting: Path, answer: str) -> None:
    """In any case of letters, with blanks around it."""
    take_lines(waiting, f"A: stance M1 {answer}")

    assert desk.check(waiting).exit == Exit.DONE


def test_nothing_is_judged_when_all_is_over(waiting: Path) -> None:
    """A campaign that has ended has no finding about old answers."""
    take_lines(waiting, "A: stance M1 flee", "B: stance M1 flee")
    desk.resolve(waiting, until="3.fight", defaults=True)

    assert [f.code for f in desk.check(waiting).findings] == []


# --- rows that nobody can read, names for codes -----------------------------------------------------
def typed_orders(book: Path, *rows: tuple[str, str]) -> None:
    """Type faction and target into rows of Orders."""
    opened = hand.opened(book)
    sheet = opened["Orders"]
    heads = {str(cell.value).strip(): cell.column or 0 for row in sheet.iter_rows(max_row=5) for cell in row}
    for number, (faction, target) in enumerate(rows, 6):
        sheet.cell(number, heads["Faction"]).value = faction
        sheet.cell(number, heads["To"]).value = target
    opened.save(book)


def test_a_row_that_is_nobodys_does_not_hide_what_is_wrong_with_the_others(book: Path) -> None:
    """It is refused alone; check judges the other rows all the same."""
    typed_orders(book, ("Z", "M1"), ("A", "N9"), ("B", "M1"))

    result = desk.check(book, lang="en")

    assert [(f.code, f.cell.rpartition("!")[2][1:]) for f in result.findings] == [("ARB-040", "6"), ("TIN-001", "7")]
    assert [f.code for f in desk.resolve(book).findings] == ["ARB-040", "TIN-001"]
    assert [o.status for o in campaign_of(book).by_sheet("Orders")] == ["refused", "accepted", "refused"]


@pytest.mark.parametrize("name", ["Ashford", "frassino", "A", "a"])
def test_a_faction_may_stand_in_an_order_by_its_name(book: Path, name: str) -> None:
    """In either language, in any case of letters, on the sheet as in front of a line."""
    typed_orders(book, (name, "M1"))
    assert desk.check(book).findings == []
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["A"]

    take_lines(book, f"{name}: M1")
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["A", "A"]


def test_references_accept_a_name_for_a_code(folder: Path, tmp_path: Path) -> None:
    """Also in tables that the referee keeps; a name that two rows have stands for neither."""
    (folder / "armies.csv").write_text("army,faction,node\nA-1,Ashford,Middle\nB-1,Ruscello,B1\n")
    made = desk.new_campaign(desk.NewPlan("tiny", folder=folder), tmp_path / "named.xlsx")
    assert made.exit == Exit.DONE, made.finding_lines()
    armies = campaign_of(tmp_path / "named.xlsx").by_sheet("Armies")
    assert [(a.faction, a.node) for a in armies] == [("A", "M1"), ("B", "B1")]

    (folder / "nodes.csv").write_text("node,name,x,y\nA1,Middle,1,1\nM1,Middle,2,1\nB1,Brook,3,1\n")
    twice = desk.new_campaign(desk.NewPlan("tiny", folder=folder), tmp_path / "twice.xlsx")
    assert [f.code for f in twice.findings] == ["ARB-030"]


def test_where_only_bad_answers_are_left_nobody_is_told_to_gather_orders(waiting: Path) -> None:
    """The phase has begun: the answer that cannot be taken is what is awaited, and none is said to be missing."""
    take_lines(waiting, "B: stance M1 flee")
    type_answer(waiting, "1.clash.stance.A.M1", "hide")

    looked = desk.answers(waiting, lang="en")
    assert (looked.exit, [f.code for f in looked.findings]) == (Exit.REFUSED, ["ARB-135"])
    assert looked.lines == ["1 answer cannot be taken: put it right."]

    status = desk.status(waiting, lang="en")
    assert [(one["from"], one["question"]) for one in status.data["awaited"]] == [("A", "1.clash.stance.A.M1")]
    assert status.data["next"][0].startswith("Put right the answer at Questions!D5: 'hide'")


def test_a_rulebook_without_a_scenario_names_the_way_without_one(tmp_path: Path) -> None:
    """ARB-082: the campaign may come from a folder."""
    made = desk.new_campaign(desk.NewPlan("tiny"), tmp_path / "new.xlsx", lang="en")

    assert [f.code for f in made.findings] == ["ARB-082"]
    assert "--from FOLDER" in made.finding_lines()[0]
