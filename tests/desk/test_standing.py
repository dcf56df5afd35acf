"""Answers that stand until they are changed: typed once, taken wherever their question is put again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.records import Question
from assistant.desk import CorrectionOptions, CorrectionRequest, Exit, Input
from assistant.testing.cases import campaign_of
from assistant.turn.questions import applicable_row, standing_row
from assistant.workbook.read.csv_folder import read_folder
from tests.desk.conftest import copied
from tests.desk.test_correct import yes
from tests.hand import type_answer
from tests.playing import take_lines

pytestmark = pytest.mark.slow

ALWAYS = "standing.stance.A"


def row(book: Path, key: str) -> Question:
    """A row of Questions."""
    found = campaign_of(book).by_sheet("Questions")[key]
    assert isinstance(found, Question)
    return found


def play(book: Path, *lines: str, until: str = "") -> Path:
    """Take lines in, and resolve the present phase or up to one."""
    assert take_lines(book, *lines).exit == Exit.DONE
    assert desk.resolve(book, until=until).exit == Exit.DONE
    return book


# --- typed as a line ------------------------------------------------------------------------------
def test_an_answer_that_stands_is_a_row_without_a_turn(meeting: Path) -> None:
    """Named after its kind and faction, with the option by its code, whatever the case it was typed in."""
    result = take_lines(meeting, "A: stance FLEE until changed")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert result.lines[1].endswith("stance: flee, until it is changed")
    one = row(meeting, ALWAYS)
    assert (one.turn, one.phase, one.kind, one.to, one.about, one.answer) == ("", "", "stance", "A", "", "flee")


@pytest.mark.slow
def test_it_is_taken_wherever_its_question_is_put(meeting: Path) -> None:
    """Only the other side is asked; the question says afterwards which answer stood, and so it does a turn later."""
    take_lines(meeting, "A: stance flee until changed")

    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]
    play(meeting, "B: stance M1 stand")
    first = row(meeting, "1.clash.stance.A.M1")
    assert (first.answer, first.status, first.asked["standing"]) == ("flee", "answered", ALWAYS)
    assert "standing" not in row(meeting, "1.clash.stance.B.M1").asked

    desk.resolve(meeting, until="2.march")
    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]


def test_one_s_own_answer_is_taken_instead(meeting: Path) -> None:
    """Typed for this question, before it is put."""
    play(meeting, "A: stance flee until changed", "A: stance M1 stand", "B: stance flee until changed")

    assert row(meeting, "1.clash.stance.A.M1").answer == "stand"
    assert row(meeting, "1.clash.stance.B.M1").answer == "flee"


@pytest.mark.parametrize("line", ["A: stance M1 stand until changed", "A: stance Middle stand fino a nuovo avviso",
                                  "Ashford: stance middle STAND until further notice"])
def test_an_answer_about_something_goes_before_one_for_all(meeting: Path, line: str) -> None:
    """By its code or by its name."""
    take_lines(meeting, "A: stance flee until changed", line, "B: stance flee until changed")

    assert desk.resolve(meeting).exit == Exit.DONE
    assert row(meeting, "1.clash.stance.A.M1").answer == "stand"
    assert row(meeting, "1.clash.stance.A.M1").asked["standing"] == f"{ALWAYS}.M1"


def test_what_is_about_something_else_is_of_no_effect(meeting: Path) -> None:
    """The question is put as ever."""
    take_lines(meeting, "A: stance A1 stand until changed")

    assert [q.to for q in desk.resolve(meeting).questions] == ["A", "B"]


@pytest.mark.parametrize("about", ["", " M1"])
def test_it_is_taken_back_by_another_or_by_none(meeting: Path, about: str) -> None:
    """``-`` means: ask me; for all, or about one thing only."""
    take_lines(meeting, "A: stance flee until changed", f"A: stance{about} - until changed")

    assert [q.to for q in desk.resolve(meeting).questions] == ["A", "B"]
    take_lines(meeting, f"A: stance{about} stand until changed")
    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]


def test_two_that_say_as_much_and_not_the_same_decide_nothing() -> None:
    """The question is put: nobody guesses which one was meant."""
    rows = [standing_row(Question, "choice", "V", "V8", "stop"), standing_row(Question, "choice", "V", "M", "attack")]
    assert applicable_row(rows, "choice", "V", "V8/M") is None
    assert (
        applicable_row([*rows, standing_row(Question, "choice", "V", "M/V8", "retreat")], "choice", "V", "V8/M")
        is not None
    )


@pytest.mark.parametrize(("line", "code"), [
    ("A: stance hide until changed", "ARB-135"), ("A: stance Z9 flee until changed", "ARB-135"),
    ("referee: battle_result A until changed", "ARB-300")])
def test_what_cannot_stand_is_refused_when_it_is_typed(meeting: Path, line: str, code: str) -> None:
    """An answer that no question of the kind takes, a subject that nobody knows, a kind that is put each time."""
    result = take_lines(meeting, line)

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, [code])
    assert list(campaign_of(meeting).by_sheet("Questions")) == []


def test_nobody_s_answer_does_not_stand(meeting: Path) -> None:
    """Whose it is must be said."""
    result = take_lines(meeting, "stance flee until changed")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-088"])


# --- on the sheet and in a CSV --------------------------------------------------------------------
def test_it_may_be_typed_where_the_question_stands(meeting: Path) -> None:
    """The answer counts for this question, and from now on for the others."""
    desk.resolve(meeting)
    type_answer(meeting, "1.clash.stance.A.M1", "Flee until changed")
    take_lines(meeting, "B: stance M1 stand")

    assert desk.check(meeting, lang="en").findings == []
    assert desk.resolve(meeting).exit == Exit.DONE
    assert row(meeting, ALWAYS).answer == "flee"
    desk.resolve(meeting, until="2.march")
    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]


def test_what_cannot_stand_is_found_where_it_is_typed(meeting: Path) -> None:
    """At the cell, before and while the phase is resolved; the question stays open."""
    desk.resolve(meeting)
    type_answer(meeting, "1.clash.stance.A.M1", "hide until changed")

    for result in (desk.check(meeting), desk.resolve(meeting)):
        assert [(f.code, f.where.row) for f in result.findings] == [("ARB-135", "1.clash.stance.A.M1")]
    assert ALWAYS not in campaign_of(meeting).by_sheet("Questions")


@pytest.mark.parametrize(("typed", "asked"), [("stand", ["B"]), ("-", ["A", "B"]), ("", ["A", "B"])])
def test_its_own_row_may_be_changed_by_hand(meeting: Path, typed: str, asked: list[str]) -> None:
    """It is the club's row; nobody has to accept that."""
    take_lines(meeting, "A: stance flee until changed")
    type_answer(meeting, ALWAYS, typed)

    result = desk.resolve(meeting)

    assert [f.code for f in result.findings] == []
    assert [q.to for q in result.questions] == asked


def test_a_row_that_was_spoilt_by_hand_is_found_and_of_no_effect(meeting: Path) -> None:
    """Its question is put."""
    take_lines(meeting, "A: stance flee until changed")
    type_answer(meeting, ALWAYS, "hide")

    assert [(f.code, f.where.row) for f in desk.check(meeting).findings] == [("ARB-135", ALWAYS)]
    assert [q.to for q in desk.resolve(meeting).questions] == ["A", "B"]


@pytest.mark.parametrize("rows", [
    "kind,to,about,answer\nstance,A,,flee until changed\n", "turn,phase,kind,to,about,answer\n,,stance,Ashford,M1,"
    "flee until changed\n", "question,turn,phase,kind,to,about,answer\nstanding.stance.A,,,stance,A,,flee\n"])
def test_it_may_come_in_a_csv(meeting: Path, tmp_path: Path, rows: str) -> None:
    """A row without turn and phase."""
    file = tmp_path / "answers.csv"
    file.write_text(rows)

    assert desk.take_orders(meeting, [Input(file.name, file)]).exit == Exit.DONE
    assert [q.to for q in desk.resolve(meeting).questions] == ["B"]


def test_it_goes_out_and_comes_in_as_csv(meeting: Path, tmp_path: Path) -> None:
    """As every row does."""
    take_lines(meeting, "A: stance M1 flee until changed")
    desk.export(meeting, tmp_path / "out")

    _, campaign, findings = read_folder(tmp_path / "out")

    assert [f.code for f in findings] == []
    (one,) = campaign.by_sheet("Questions")
    assert (one.question, one.answer, one.stands) == (f"{ALWAYS}.M1", "flee", True)


# --- shown ------------------------------------------------------------------------------------------
def page(book: Path, folder: Path, who: str) -> Any:
    """A report as JSON."""
    assert desk.report(book, folder, lang="en").exit == Exit.DONE
    return json.loads((folder / f"{who}.json").read_text())


def test_the_report_shows_what_stands(meeting: Path, tmp_path: Path) -> None:
    """To the faction its own, to the referee all."""
    without = page(meeting, tmp_path / "a", "A")["tables"]
    take_lines(meeting, "A: stance flee until changed", "A: stance M1 - until changed", "B: stance stand until changed")

    assert without == [one for one in page(meeting, tmp_path / "b", "A")["tables"]
                       if one["title"] != "Your standing answers"]
    text = (tmp_path / "b" / "A.txt").read_text()
    assert "YOUR STANDING ANSWERS" in text.upper()
    rows = [" ".join(cell["text"] for cell in one) for table in page(meeting, tmp_path / "c", "A")["tables"]
            if table["title"] == "Your standing answers" for one in table["rows"]["items"]]
    assert rows == ["stance all of them flee", "stance Middle (M1) put each time"]
    referee = (tmp_path / "c" / "referee.txt").read_text()
    assert all(name in referee for name in ("Ashford", "Brook", "put each time"))


def test_a_question_that_an_answer_stands_for_is_not_waited_for(meeting: Path, tmp_path: Path) -> None:
    """Where it stood open already when the answer was typed."""
    desk.resolve(meeting)
    take_lines(meeting, "A: stance flee until changed")

    assert [one["from"] for one in desk.status(meeting).data["awaited"]] == ["B"]
    assert page(meeting, tmp_path / "r", "A")["asked"] == []


@pytest.mark.slow
def test_a_report_shows_a_question_whose_answer_cannot_be_taken_as_open(meeting: Path, tmp_path: Path) -> None:
    """With why; to its faction and to the referee, and to nobody else."""
    desk.resolve(meeting)
    take_lines(meeting, "B: stance M1 stand")
    type_answer(meeting, "1.clash.stance.A.M1", "Gascony")

    for who in ("A", "referee"):
        (asked,) = page(meeting, tmp_path / who, who)["asked"]
        assert asked["ident"] == "1.clash.stance.A.M1"
        assert asked["refused"] == ("The answer that was given cannot be taken: 'Gascony' is not among the answers"
                                    " that this question takes. Type one of: stand, flee.")
    assert "! The answer that was given" in (tmp_path / "A" / "A.txt").read_text()
    assert "cannot be taken" in (tmp_path / "A" / "A.html").read_text()
    assert page(meeting, tmp_path / "B", "B")["asked"] == []
    assert "Gascony" not in (tmp_path / "A" / "B.txt").read_text()


# --- the past ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, marched: Path) -> Path:
    """A flees until it is changed; B stood in turn 1 and in turn 2."""
    book = copied(marched, tmp_path_factory.mktemp("two_turns"))
    play(book, "A: stance flee until changed", "B: stance M1 stand")
    desk.resolve(book, until="2.march")
    desk.resolve(book)
    play(book, "B: stance M1 stand")
    return book.parent


@pytest.fixture
def two_turns(campaign: Path, tmp_path: Path) -> Path:
    """The two turns, to go on with."""
    return copied(campaign, tmp_path)


def test_verify_knows_what_stood(two_turns: Path) -> None:
    """Also where it has been changed since, or typed at a question."""
    assert desk.verify(two_turns).exit == Exit.DONE
    take_lines(two_turns, "A: stance - until changed")
    assert desk.verify(two_turns).exit == Exit.DONE


def test_verify_knows_what_was_typed_to_stand_at_a_question(meeting: Path) -> None:
    """The row that the phase made of it is no change by hand."""
    desk.resolve(meeting)
    play(meeting, "A: stance M1 flee until changed", "B: stance M1 stand")

    assert desk.verify(meeting).exit == Exit.DONE


def test_after_an_undo_it_still_stands_and_may_be_changed(two_turns: Path) -> None:
    """What it answered is no answer of one's own: with another one the phase goes another way."""
    assert desk.undo(two_turns, to="2.clash").exit == Exit.DONE
    assert row(two_turns, ALWAYS).answer == "flee"
    assert "2.clash.stance.A.M1" not in campaign_of(two_turns).by_sheet("Questions")

    play(two_turns, "A: stance stand until changed", "B: stance M1 stand")

    assert row(two_turns, "2.clash.stance.A.M1").answer == "stand"
    assert row(two_turns, "1.clash.stance.A.M1").answer == "flee"


def test_a_correction_of_something_else_keeps_it(two_turns: Path) -> None:
    """It is taken again in every phase that is replayed."""
    wish = CorrectionRequest((Input("line", text="answer 1.clash.stance.B.M1 flee"),))

    assert desk.correct(two_turns, wish, CorrectionOptions("the mail was misread"), confirm=yes).exit == Exit.DONE

    assert [row(two_turns, f"{turn}.clash.stance.A.M1").asked["standing"] for turn in (1, 2)] == [ALWAYS, ALWAYS]
    assert desk.verify(two_turns).exit == Exit.DONE


def test_one_question_that_it_answered_can_be_corrected(two_turns: Path) -> None:
    """With an answer of its own; the others keep what stood."""
    wish = CorrectionRequest(
        (Input("line", text="answer 1.clash.stance.A.M1 stand"), Input("line", text="battle B1.M1 A 3"))
    )

    result = desk.correct(two_turns, wish, CorrectionOptions("the mail was misread"), confirm=yes)

    assert result.exit == Exit.DONE, result.finding_lines()
    first, second = (row(two_turns, f"{turn}.clash.stance.A.M1") for turn in (1, 2))
    assert (first.answer, first.asked.get("standing")) == ("stand", None)
    assert (second.answer, second.asked["standing"]) == ("flee", ALWAYS)
    assert desk.verify(two_turns).exit == Exit.DONE


def test_the_row_itself_is_changed_from_now_on_not_in_the_past(two_turns: Path) -> None:
    """ARB-122 says how."""
    wish = CorrectionRequest((Input("line", text="A: stance stand until changed"),))

    assert [f.code for f in desk.correct(two_turns, wish, CorrectionOptions("why"), confirm=yes).findings] == [
        "ARB-122"
    ]


def test_an_answer_outside_the_options_is_named_by_a_correction_too(two_turns: Path) -> None:
    """It gets no further than a phase that is resolved for the first time."""
    wish = CorrectionRequest((Input("line", text="answer 1.clash.stance.A.M1 Gascony"),))

    result = desk.correct(two_turns, wish, CorrectionOptions("why"), confirm=yes)

    assert "ARB-135" in {f.code for f in result.findings}
    assert row(two_turns, "1.clash.stance.A.M1").answer == "flee"
