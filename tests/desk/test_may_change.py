"""What may still be changed: each act of the table at each moment, with the commands themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.desk.workspace.detect_edits import ACT_TIMES, ACTS, Act, ActTime
from tests import hand
from tests.desk.conftest import copied
from tests.playing import answer, arbitro

LATE_ORDER = "order,turn,phase,faction,seq,verb,target\n,1,march,A,9,go,M1\n"
TYPED = {"answer": "answer 1.clash.stance.A.M1 stand", "die": "die spoils:B1.M1 6", "result": "battle B1.M1 B 3"}
CELLS = {"hand": ("Nodes", "M1", 2, "Ford"), "rule": ("Rules", "weather", 2, "wet")}
"""Act -> sheet, key, column and what is typed there."""


def at(moment: ActTime, place: Path, fresh: Path, first_turn: Path) -> Path:
    """A campaign before its first turn, after it, or after its reports were sent as well."""
    book = copied(fresh if moment == "before" else first_turn, place)
    if moment == "sent":
        assert "ARB-193" in arbitro("send", book, "--out", place / "reports").stderr
    return book


def typed(book: Path, act: Act) -> str:
    """What happens to what is handed in for the first turn."""
    before, late = book.read_bytes(), book.with_name("late.csv")
    late.write_text(LATE_ORDER)
    result = arbitro("orders", book, late if act.key == "order" else TYPED[act.key])
    assert (result.exit_code, book.read_bytes() == before) in ((0, False), (1, True)), result.output
    return "allowed" if result.exit_code == 0 else "refused"


def by_hand(book: Path, act: Act) -> str:
    """What happens to a cell that is typed over: no phase is resolved before a reason was given, then it counts."""
    sheet, key, column, value = CELLS[act.key]
    file = hand.opened(book)
    row = next(cells[0].row for cells in file[sheet].iter_rows() if cells[0].value == key)
    file[sheet].cell(row, column).value = value
    file.save(book)
    refused = arbitro("resolve", book, "--defaults")
    if refused.exit_code == 0:
        return "allowed"
    assert (refused.exit_code, "ARB-110" in refused.stderr) == (1, True), refused.output
    assert arbitro("accept", book, "--all", "--why", "").exit_code == 2
    accepted = arbitro("accept", book, "--all", "--why", "agreed")
    assert accepted.exit_code == 0, accepted.output
    assert arbitro("check", book).exit_code == 0
    return "once"


def back(book: Path, *words: str, more: str = "") -> str:
    """What happens to an act on the past, which says who has a report and is done when that is agreed to."""
    before = book.read_bytes()
    plain = arbitro(*words[:1], book, *words[1:], *([more] if more else []))
    if plain.exit_code == 0:
        assert book.read_bytes() != before
        return "allowed"
    assert (plain.exit_code, book.read_bytes()) == (1, before), plain.output
    if "ARB-345" not in plain.stderr:
        return "refused"
    assert "were written, to be sent by hand, for: Ashford, Brook." in plain.stderr
    assert arbitro(*words[:1], book, *words[1:], *([more] if more else []), "--yes").exit_code == 0
    assert book.read_bytes() != before
    assert "were sent to" not in plain.stderr  # no post is set up: nothing left
    return "twice"


def corrected(book: Path) -> str:
    """What happens to a correction: it is shown with what becomes void, and written only when that is agreed to."""
    words = ("correct", TYPED["die"])
    shown = arbitro("correct", book, TYPED["die"])
    if shown.exit_code:
        assert (shown.exit_code, back(book, *words, more="--commit")) == (1, "refused")
        return "refused"
    assert "1 phase has to be told again" in shown.stdout
    assert "Nothing was written" in shown.stdout
    reply = back(book, *words, more="--commit")
    assert ("were written, to be sent by hand, for: Ashford, Brook." in shown.stdout) == (reply == "twice")
    return "void" if reply == "allowed" else reply


@pytest.mark.slow
@pytest.mark.parametrize("moment", list(ACT_TIMES))
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.key)
def test_each_act_gets_the_reply_of_the_table(act: Act, moment: ActTime, tmp_path: Path, fresh: Path,
                                              first_turn: Path, marched: Path) -> None:
    """Allowed, asked, or refused: what the manual says is what the command line does."""
    asked = (act.key, moment) == ("answer", "before")
    book = at(moment, tmp_path, marched if asked else fresh, first_turn)
    if asked:
        assert arbitro("resolve", book).exit_code == 3

    if act.key == "undo":
        found = back(book, "undo")
    elif act.key == "correct":
        found = corrected(book)
    else:
        found = by_hand(book, act) if act.key in CELLS else typed(book, act)

    assert found == act.at(moment)


def test_status_says_the_same_of_the_moment_at_which_the_campaign_stands(tmp_path: Path, fresh: Path,
                                                                        first_turn: Path) -> None:
    """What is to come is free; what is over is asked for, twice once a report has left; who has it is named."""
    for moment in ACT_TIMES:
        book = at(moment, tmp_path / moment, fresh, first_turn)
        result = answer("status", book)
        said = arbitro("status", book).stdout

        assert result["may"] == {act.key: act.at(moment if act.past else "before") for act in ACTS}
        assert result["sent"] == (["A", "B"] if moment == "sent" else [])
        assert "  allowed: orders, answers, dice of the table, results of battles" in said
        assert "  needs a reason: changes by hand, house rules (from now on)" in said
        assert ("  asked twice, as the reports have gone out: undo, correct (reports were written, to be sent by hand,"
                " for: Ashford, Brook)"
                in said) == (moment == "sent")


@pytest.mark.slow
def test_a_phase_that_no_report_tells_of_is_undone_without_a_question(tmp_path: Path, fresh: Path,
                                                                     first_turn: Path) -> None:
    """Reports tell of what happened before they were sent, and of nothing that happened since."""
    book = at("sent", tmp_path, fresh, first_turn)

    assert arbitro("resolve", book, "--defaults").exit_code == 0
    assert arbitro("undo", book).exit_code == 0
    assert arbitro("undo", book).exit_code == 1
    assert arbitro("undo", book, "--snapshot", "1").exit_code == 1
    assert arbitro("undo", book, "--yes").exit_code == 0


def test_what_cannot_be_read_is_not_taken_back_unasked_either(tmp_path: Path, fresh: Path, first_turn: Path) -> None:
    """Where the workbook is damaged the ledger knows who has reports."""
    book = at("sent", tmp_path, fresh, first_turn)
    book.write_bytes(b"no workbook")

    refused = arbitro("undo", book, "--hard")

    assert (refused.exit_code, book.read_bytes()) == (1, b"no workbook")
    assert "ARB-345" in refused.stderr
    assert "A, B" in refused.stderr
    assert arbitro("undo", book, "--hard", "--yes").exit_code == 0
    assert arbitro("verify", book).exit_code == 0
