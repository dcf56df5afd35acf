"""Answers that come in a file: which question each is for, whatever it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Question
from assistant.desk import Exit, Input
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing.cases import campaign_of
from assistant.workbook.read.csv_folder import read_folder
from assistant.workbook.read.load_campaign import kinds_in_words
from tests.desk.tiny import TINY
from tests.fresh import new_campaign

pytestmark = pytest.mark.slow

BARE = "kind,to,about,answer\nstance,A,M1,flee\n"


def take_file(book: Path, text: str) -> desk.Result:
    """A file of answers as somebody hands it in."""
    file = book.with_name("answers.csv")
    file.write_text(text)
    return desk.take_orders(book, [Input(file.name, file)])


@pytest.mark.parametrize("text", [
    BARE, "turn,kind,to,about,answer\n1,stance,A,M1,flee\n",
    "Tipo,A chi,Riguardo a,Risposta\nStance,ashford,m1,flee\n"])
def test_an_answer_typed_beforehand_may_leave_out_when(meeting: Path, text: str) -> None:
    """It is for the next phase that puts such a question, which asks no more."""
    assert take_file(meeting, text).exit == Exit.DONE
    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]


@pytest.mark.parametrize("text", [BARE, "kind,to,answer\nstance,A,flee\n", "turn,kind,to,answer\n1,stance,A,flee\n"])
def test_an_answer_is_for_the_open_question_that_it_can_be_meant_for(meeting: Path, text: str) -> None:
    """Of its kind and faction, also where it does not say about what."""
    desk.resolve(meeting)

    assert take_file(meeting, text).exit == Exit.DONE
    assert {q.to: q.answer for q in campaign_of(meeting).by_sheet("Questions")} == {"A": "flee", "B": ""}
    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]


def test_an_answer_for_a_turn_that_is_over_comes_too_late(meeting: Path) -> None:
    """Another turn than that of the open question is not overlooked."""
    desk.resolve(meeting)

    result = take_file(meeting, "turn,kind,to,about,answer\n0,stance,A,M1,flee\n")

    assert [f.code for f in result.findings] == ["ARB-093"]


def test_an_answer_of_another_village_is_none(meeting: Path) -> None:
    """ARB-308: the question that it names is not put to it."""
    desk.resolve(meeting)

    result = take_file(meeting, "question,to,answer\n1.clash.stance.A.M1,B,flee\n")

    assert [(f.code, f.data["faction"]) for f in result.findings] == [("ARB-308", "B")]
    assert [q.answer for q in campaign_of(meeting).by_sheet("Questions")] == ["", ""]


def test_a_folder_may_bring_answers_that_do_not_say_when(folder: Path) -> None:
    """A campaign that is begun has them for the first phase that asks."""
    (folder / "answers.csv").write_text(BARE)

    _, campaign, findings = read_folder(folder, TINY)

    assert [f.code for f in findings] == []
    assert [q.question for q in campaign.by_sheet("Questions")] == ["1.clash.stance.A.M1"]


def test_a_kind_may_be_said_in_words() -> None:
    """Of either language, and by its code."""
    known = kinds_in_words(INCURSIO)

    assert {known["consent"], known["consenso"]} == {"consent"}


# --- answers in advance -----------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "code"), [
    ("V: bribe CH0 much", "GIG-100"), ("V: bribe V0 20", "ARB-092"), ("V: bribe M0 20", ""),
    ("V: bribe M0 default", ""), ("V: choice M/V0 attack", ""),
    ("V: ally_confirm V accept", "ARB-092"), ("V: ally_confirm M accept", "")])
def test_an_answer_in_advance_that_cannot_be_is_told_at_once(tmp_path: Path, line: str, code: str) -> None:
    """What it is about, and what it says, are judged as far as both are known before anybody is asked."""
    book = new_campaign(tmp_path / "war.xlsx", "giglio")
    taken = desk.take_orders(book, [Input("typed", None, line)], lang="en")
    assert [finding.code for finding in taken.findings if finding.stops] == [code][:bool(code)]
    assert ["new" for row in taken.data["taken"] if row["how"] != "refused"] == ["new"][:not code]
    assert "is not one of ." not in "".join(taken.finding_lines())


def test_an_answer_that_cannot_be_is_kept_nowhere_and_keeps_nothing_else(tmp_path: Path) -> None:
    """Neither as an answer, nor as an order; the line behind it counts."""
    book = new_campaign(tmp_path / "war.xlsx", "giglio")
    taken = desk.take_orders(book, [Input("typed", None, "V: bribe CH0 much\nV: r1: stay V-2")], lang="en")
    assert [(row["kind"], row["how"]) for row in taken.data["taken"]] == [("order", "new")]
    assert not any(row.answer for row in campaign_of(book).table(Question))


def test_an_order_with_the_word_of_a_question_becomes_no_answer(tmp_path: Path) -> None:
    """Who tells to loot a place is told how an order to sack one is written."""
    book = new_campaign(tmp_path / "war.xlsx", "anarchy")
    taken = desk.take_orders(book, [Input("typed", None, "royal: loot Trowbridge Castle as garrison")], lang="en")
    assert [finding.code for finding in taken.findings] == ["ARB-089"]
    assert "'SACK A-" in "".join(taken.lines)
