"""Who looks while another Arbitro saves sees workbook and ledger of one moment, or waits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.results import Exit
from assistant.desk.workspace.check_against_ledger import EditReport, report_edits
from assistant.desk.workspace.workspace import ChangedMeanwhile, Workspace, open_workspace
from assistant.ledger import Ledger, path_of_ledger
from tests.playing import codes_of

APART = {"ARB-230", "ARB-233", "ARB-243", "ARB-110", "ARB-111", "ARB-112"}
"""What says that one of them came back from a backup, or that somebody typed."""
EVENING = """
import sys
from pathlib import Path
from assistant import desk
book = Path(sys.argv[1])
for _ in range(int(sys.argv[2])):
    for command in (desk.resolve, desk.undo):
        while (result := command(book)).exit == desk.Exit.FILE:
            assert [one.code for one in result.findings] == ["ARB-146"], result.finding_lines()
        assert result.exit == desk.Exit.DONE, result.finding_lines()
"""
"""A reader may settle what it takes for a crash: who finds it at that tries again."""


def test_what_was_changed_since_it_was_read_is_no_change_by_hand(book: Path) -> None:
    """The workbook was read, then a phase was resolved: the ledger is not laid beside the old one."""
    workspace = open_workspace(book)
    assert desk.resolve(book).exit == Exit.DONE

    with pytest.raises(ChangedMeanwhile), workspace.beside():
        pass


def test_who_looks_keeps_nobody_waiting_and_sees_one_moment(book: Path) -> None:
    """A phase is resolved meanwhile: what is looked at stays as it was when the look began."""
    with open_workspace(book).beside() as ledger:
        assert desk.resolve(book).exit == Exit.DONE
        assert (ledger.line, ledger.steps()) == ((), [])


def test_a_command_that_looks_looks_again(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody resolves a phase just after `check` has read the workbook."""
    real, times = report_edits, list[str]()

    def late(workspace: Workspace) -> EditReport:
        times.append(workspace.campaign.desk.phase)
        if len(times) == 1:
            assert desk.resolve(book).exit == Exit.DONE
        return real(workspace)

    monkeypatch.setattr("assistant.desk.commands.resolve.report_edits", late)
    result = desk.check(book)

    assert len(times) == 2
    assert times[0] != times[1] == result.data["phase"]
    assert not APART & set(codes_of(result))


@pytest.mark.slow
def test_readers_beside_an_evening_see_nothing_amiss(book: Path, tmp_path: Path) -> None:
    """Phases are resolved and undone without a pause, and all the time somebody reports and checks."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # with the rulebook of the tests
    with subprocess.Popen([sys.executable, "-c", EVENING, str(book), "12"], env=env) as evening:
        looks = 0
        while evening.poll() is None:
            for result in (desk.check(book), desk.status(book), desk.report(book, tmp_path / "out"),
                           desk.verify(book)):
                assert not (APART | {"ARB-077"}) & set(codes_of(result)), result.finding_lines()
                assert result.exit in (Exit.DONE, Exit.REFUSED, Exit.FILE), result.finding_lines()
                looks += 1
    assert (evening.returncode, looks > 4) == (0, True)
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert [step.verb for step in ledger.steps()] == ["resolve", "undo"] * 12
