"""The past from the command line: a year of Italy and a plug-in's campaign, corrected, verified, undone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.environment import shipped_scenario
from assistant.testing.cases import campaign_of
from tests import hand
from tests.playing import answer, arbitro, copy_campaign

SECRET = "ab" * 32
CORRECT = ("P: P-1 P9 P8", "--order", "1500-r2-P-1")
"""The Pope's army goes home in April instead of to Venice's V11: no siege, no rearguard action in May."""


def orders(book: Path, *rows: str) -> Path:
    """A CSV of orders beside a workbook."""
    file = book.with_name("late.csv")
    file.write_text("\n".join(("order,turn,phase,faction,seq,verb,target", *rows)))
    return file


# --- a plug-in's campaign -------------------------------------------------------------------------
W2 = "1-day-N-1,1,day,N,1,dig,W2"


@pytest.fixture(scope="module")
def wells(new_wells: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three days of The Wells, a rulebook that is a plug-in: all of it played."""
    book = new_wells(tmp_path_factory.mktemp("played"))
    for _ in range(3):
        result = arbitro("resolve", book)
        assert result.exit_code == 0, result.output
    return book


@pytest.fixture
def dry(wells: Path, tmp_path: Path) -> Path:
    """The Wells to play with."""
    return copy_campaign(wells, tmp_path)


def test_without_commit_it_is_only_shown(dry: Path) -> None:
    """Exit code 0, what differs on the standard output, progress on the standard error, the file untouched."""
    before = dry.read_bytes()

    result = arbitro("correct", dry, orders(dry, W2))

    assert result.exit_code == 0, result.output
    assert "Corrected: North, order: W1 -> W2" in result.stdout
    assert "Nothing was written. To write it add: --commit" in result.stdout
    assert "1, Digging: replayed." in result.stderr
    assert dry.read_bytes() == before


def test_a_plug_ins_campaign_is_corrected_after_its_end(dry: Path) -> None:
    """Only the wells of day 1 are thrown for anew; the campaign stays over, undo brings the bytes back."""
    before = dry.read_bytes()
    state = campaign_of(dry)

    data = answer("correct", dry, orders(dry, W2), "--commit", "--why", "misread")

    assert (data["exit"], data["committed"]) == (0, True)
    assert {d["row"] for d in data["differences"] if d["sheet"] == "Dice"} == {"dig:W1:N:1", "dig:W2:N:1"}
    after = campaign_of(dry)
    assert after.desk.phase == "over"
    for sheet in ("Nodes", "Armies", "Roads"):
        assert [r.as_text() for r in after.by_sheet(sheet)] == [r.as_text() for r in state.by_sheet(sheet)]
    assert arbitro("verify", dry).exit_code == 0
    assert arbitro("undo", dry).exit_code == 0
    assert dry.read_bytes() == before


def test_verify_answers_in_json_and_with_its_exit_code(dry: Path) -> None:
    """0 when it is so, 1 with the first difference."""
    assert answer("verify", dry)["verified"] is True

    file = hand.opened(dry)
    cell = next(c for row in file["Nodes"].iter_rows() for c in row if c.value == "W2")
    cell.value = "W9"
    file.save(dry)
    data = answer("verify", dry)

    assert (data["exit"], data["verified"], data["first"]["sheet"], data["phases"]) == (1, False, "Nodes", 2)


def test_words_that_name_nothing_are_wrong_usage(dry: Path) -> None:
    """Exit code 2, and what was probably meant."""
    result = arbitro("correct", dry, "N: dig W2", "--at", "1.dg")

    assert result.exit_code == 2
    assert "Did you mean 1.dig?" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "committed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_at_a_terminal_the_referee_is_asked(dry: Path, typed: str, committed: bool) -> None:
    """Who sits there sees what differs and says yes or no; no is meant where nothing is typed."""
    import pty

    before = dry.read_bytes()
    master, slave = pty.openpty()
    program = f"import sys; sys.path[:0] = {sys.path[:2]!r}; from assistant.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "--lang", "en", "correct", str(dry), str(orders(dry, W2))],
        stdin=slave, stdout=subprocess.PIPE, stderr=slave, cwd=Path(__file__).parents[2])
    os.write(master, typed.encode())
    shown, _ = process.communicate(timeout=120)
    os.close(slave)
    os.close(master)

    assert process.returncode == 0
    assert shown.decode().count("Corrected: North, order") == 1
    assert (dry.read_bytes() != before) == committed


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "undone"), [("y\ny\n", True), ("y\nn\n", False), ("\n", False)])
def test_at_a_terminal_an_undo_of_what_was_sent_is_asked_twice(dry: Path, typed: str, undone: bool) -> None:
    """Who has a report is named first; only two times yes undoes."""
    import pty

    assert "ARB-193" in arbitro("send", dry, "--out", dry.parent / "reports").stderr
    before = dry.read_bytes()
    master, slave = pty.openpty()
    program = f"import sys; sys.path[:0] = {sys.path[:2]!r}; from assistant.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", program, "--lang", "en", "undo", str(dry)], stdin=slave,
                               stdout=subprocess.PIPE, stderr=slave, cwd=Path(__file__).parents[2])
    os.write(master, typed.encode())
    process.communicate(timeout=120)
    asked = os.read(master, 10_000).decode()
    os.close(slave)
    os.close(master)

    assert "were written, to be sent by hand, for: " in asked
    assert "were sent to" not in asked
    assert asked.count("[y/N]") == typed.count("\n")
    assert (process.returncode, dry.read_bytes() != before) == ((0, True) if undone else (1, False))


# --- a year of Italy ------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def italy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Italy 1500 after its sixth round, with the scenario's own orders, answers, dice and battles."""
    book = tmp_path_factory.mktemp("italy") / "italy.xlsx"
    folder = shipped_scenario("giglio", "italy-1500")
    assert arbitro("new", "giglio", book, "--from", folder, "--secret", SECRET).exit_code == 0
    result = arbitro("resolve", book, "--until", "r6.siege")
    assert result.exit_code == 0, result.output
    return book


@pytest.fixture
def war(italy: Path, tmp_path: Path) -> Path:
    """Italy to play with."""
    return copy_campaign(italy, tmp_path)


@pytest.mark.slow
def test_an_order_of_round_2_is_corrected_after_round_6(war: Path) -> None:
    """Only what hangs on it differs: the Pope's and Venice's armies, their battle, what was seen of them."""
    before, was = war.read_bytes(), campaign_of(war)
    assert arbitro("verify", war).exit_code == 0

    shown = answer("correct", war, *CORRECT)
    assert (shown["exit"], shown["committed"], war.read_bytes() == before) == (0, False, True)
    assert {(d["row"], d["field"]) for d in shown["differences"] if d["sheet"] == "Armies"} == {
        ("V-2", "value"), ("P-1", "value"), ("P-1", "trail")}
    assert {d["row"] for d in shown["differences"] if d["sheet"] == "Battles"} == {"B1500.3.V11"}
    assert {d["row"] for d in shown["differences"] if d["sheet"] == "Orders"} == {"1500-r3-P-1"}
    assert {d["sheet"] for d in shown["differences"]} == {
        "Armies", "Orders", "Questions", "Battles", "Contacts", "Findings", "Events"}
    assert all(d["why"] and d["rule"] for d in shown["differences"])

    done = answer("correct", war, *CORRECT, "--commit", "--why", "the mail came in time")
    assert (done["exit"], done["committed"], done["differences"]) == (0, True, shown["differences"])
    now = campaign_of(war)
    same = ("Factions", "Nodes", "Fleets", "Specialists", "Works", "Loans", "Sieges", "Accounts", "Dice", "Rules")
    for sheet in same:
        assert [r.as_text() for r in now.by_sheet(sheet)] == [r.as_text() for r in was.by_sheet(sheet)], sheet
    old = now.by_sheet("Orders")["1500-r2-P-1~1"]
    assert (old.path, old.status) == ("P9 V11", "superseded")
    assert arbitro("verify", war).exit_code == 0

    assert arbitro("undo", war).exit_code == 0
    assert war.read_bytes() == before
    assert arbitro("verify", war).exit_code == 0


@pytest.mark.slow
def test_each_club_is_told_whose_reports_are_void(war: Path) -> None:
    """The two who fought: all rounds since; those who only read of it: the rounds in which it was told."""
    void = {one["faction"]: {m["phase"].partition(".")[0] for m in one["reports"]}
            for one in answer("correct", war, *CORRECT)["void"]}

    assert void["P"] == void["V"] == {"r2", "r3", "r4", "r5", "r6"}
    assert void["T"] == void[""] == {"r2", "r3"}


@pytest.mark.slow
def test_what_nobody_was_asked_then_is_asked_now(war: Path) -> None:
    """Had Venice not marched to V11 the Pope's siege there would have been tested: his bribe is wanted, exit 3."""
    line = ("V: V-2 V9 P9", "--order", "1500-r3-V-2")
    bribe = "1500.r3.siege.bribe.P.V11"
    before = war.read_bytes()

    waiting = arbitro("correct", war, *line, "--commit")
    assert (waiting.exit_code, war.read_bytes() == before) == (3, True)
    assert bribe in waiting.stdout
    assert "--commit --partly" in waiting.stdout

    partly = answer("correct", war, *line, "--commit", "--partly")
    assert (partly["exit"], partly["committed"], partly["waits"]) == (3, True, {"turn": "1500", "phase": "r3.siege"})
    now = campaign_of(war)
    assert (now.desk.turn, now.desk.phase) == ("1500", "r3.siege")
    assert now.by_sheet("Questions")[bribe].status == "open"
    assert {o.status for o in now.by_sheet("Orders") if o.turn == "1500" and o.phase in ("r4", "r5", "r6")} == {""}
    assert arbitro("resolve", war, "--until", "r6.siege", "--defaults").exit_code == 0
    assert arbitro("verify", war).exit_code == 0


@pytest.mark.slow
def test_a_typed_die_is_corrected_and_all_others_stay(war: Path) -> None:
    """The siege of V4 in round 2, thrown at the table: a 6 instead of a 3."""
    before = {d.key: d.value for d in campaign_of(war).by_sheet("Dice")}

    data = answer("correct", war, "die siege:V4:1500:2 6", "--commit", "--defaults", "--partly")

    assert data["committed"], data
    after = {d.key: d.value for d in campaign_of(war).by_sheet("Dice")}
    assert (before["siege:V4:1500:2"], after["siege:V4:1500:2"], after["siege:V4:1500:2~1"]) == ("3", "6", "3")
    assert {key for key in before if key in after and before[key] != after[key]} == {"siege:V4:1500:2"}
    assert arbitro("verify", war).exit_code == 0
