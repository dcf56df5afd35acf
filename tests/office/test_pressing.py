"""Whole presses on a workbook that is open in a running LibreOffice: with Arbitro, and with an Arbitro that fails."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.buttons.libreoffice import MODULE
from assistant.workbook.write.sheet_style import FINDING, MARK_FILL
from tests.fresh import new_campaign
from tests.office.running import Office, Shown

pytestmark = pytest.mark.slow
REAL = [sys.executable, "-I", "-m", MODULE]
CHANGE = {"blocks": [{"sheet": "Orders", "row": 5, "column": 3, "values": [["V", 1], [None, "=1+1"]]}],
          "notes": [{"sheet": "Orders", "cell": "C5", "text": "look"}],
          "looks": [{"sheet": "Orders", "row": 5, "column": 3, "fill": "FFC7B7", "ink": None, "bold": None}]}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """One LibreOffice for all tests here."""
    running = Office(tmp_path_factory.mktemp("office"))
    yield running
    running.stop()


@pytest.fixture
def workbook(office: Office, tmp_path: Path) -> Shown:
    """Italy 1500, open."""
    return office.open(new_campaign(tmp_path / "campaign.xlsx"))


def press(office: Office, verb: str, command: list[str] | None = None, patience: float = 60,
          forms: Sequence[dict[str, str] | None] = ()) -> dict[str, Any]:
    """Press a button; the outcome. `forms`: what is typed into each form; None gives up."""
    found: dict[str, Any] = office.ask("run", [verb, command or REAL, patience, list(forms)])
    return found


def acting(folder: Path, body: str) -> list[str]:
    """An Arbitro that does as it is told: a script with `ask(message)`."""
    script = folder / "acting.py"
    script.write_text("import json, sys, time\nsys.stdin.readline()\n"
                      "def tell(message):\n    print(json.dumps(message), flush=True)\n"
                      "def ask(message):\n    tell(message)\n    return json.loads(sys.stdin.readline())\n"
                      + textwrap.dedent(body), encoding="utf-8")
    return [sys.executable, str(script)]


def test_resolve_is_one_step_and_saved(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """Progress is told, the phase is resolved, the file holds it, one undo takes it back, and the next press knows.

    LibreOffice does not ask to save what lies on the disk.
    """
    before = workbook.snapshot()

    outcome = press(office, "resolve")

    assert outcome["exit"] == 0, outcome
    assert "Resolving the phase ..." in outcome["told"]
    assert office.ask("undoable") == ["Arbitro: Resolve phase"]
    assert office.ask("change", "found = doc.isModified()") is False
    said = office.ask("shown", ["Desk!B16"])["Desk!B16"][0]
    assert openpyxl.load_workbook(tmp_path / "campaign.xlsx")["Desk"]["B16"].value == said
    office.ask("undo")
    assert cells(workbook.snapshot()) == cells(before)
    again = press(office, "status")
    assert "Income" in " ".join(again["lines"])


def cells(shown: dict[str, Any]) -> dict[str, Any]:
    """What is compared of a snapshot."""
    return {sheet["title"]: (sheet["values"], sheet["formulas"], sheet["notes"]) for sheet in shown["sheets"]} | {
        "tables": shown["tables"]}


def test_a_check_on_a_protected_sheet_tells_what_it_found(office: Office, workbook: Shown) -> None:
    """No locked cell is coloured there, the sheet is named with its cure, and the remark stands on the Desk."""
    office.ask("type", {"Orders!C5": "V", "Orders!L5": "buy a horse"})
    office.ask("change", "cell = doc.Sheets['Orders']['L5']\n"
                         "lock = cell.CellProtection\nlock.IsLocked = True\ncell.CellProtection = lock\n"
                         "doc.Sheets['Orders'].protect('')")

    outcome = press(office, "check")

    assert (outcome["exit"], outcome["select"]) == (0, "Orders!L5"), outcome
    assert any("ARB-244" in line and "Protect Sheet" in line for line in outcome["lines"])
    assert any("buy a horse" in line for line in outcome["lines"])
    assert office.ask("shown", ["Orders!L5"])["Orders!L5"][1] != 0xFFC7B7


def test_colours_that_only_look_like_a_mark_stay(office: Office, workbook: Shown) -> None:
    """The swatch of the legend, and a cell to which a club gave that colour; a mark without its note goes."""
    legend = next(f"Desk!B{row}" for row in range(1, 200) if office.ask("shown", [f"Desk!B{row}"])[f"Desk!B{row}"][1]
                  == int(FINDING, 16))
    office.ask("change", f"doc.Sheets['Orders']['L5'].CellBackColor = {int(FINDING, 16)}\n"
                         f"doc.Sheets['Orders']['L6'].CellBackColor = {int(MARK_FILL, 16)}")

    press(office, "check")
    press(office, "resolve")

    shown = office.ask("shown", [legend, "Orders!L5", "Orders!L6"])
    assert [shown[legend][1], shown["Orders!L5"][1]] == [int(FINDING, 16)] * 2
    assert shown["Orders!L6"][1] != int(MARK_FILL, 16)


def test_rows_are_high_enough_for_what_wraps_in_them(office: Office, workbook: Shown) -> None:
    """A long text makes its row grow, a short one leaves it, and a height that the referee chose is never lowered."""
    tall = "doc.Sheets['Questions'].Rows[6].Height = 3000"
    heights = "found = [doc.Sheets['Questions'].Rows[row].Height for row in (4, 5, 6)]"
    asked = "Milan asks Venice for a treaty with passage until 1502. " * 4
    office.ask("change", tall)
    before = office.ask("change", heights)

    workbook.begin()
    for row, text in ((5, asked), (6, "Yes"), (7, asked)):
        told = {"blocks": [{"sheet": "Questions", "row": row, "column": 2, "values": [[text]]}]}
        assert workbook.ask({"apply": told}) == {"ok": True}

    after = office.ask("change", heights)
    assert after[0] > 2 * before[0]
    assert after[1:] == before[1:]


def test_every_button_answers(office: Office, workbook: Shown) -> None:
    """Each of the toolbar says something, and none fails; that nothing was sent is told as refused, and that reports
    went out by hand is asked twice before *Undo* takes back what they tell.
    """
    for verb in ("check", "resolve", "answers", "preview", "send", "status", "share", "collect", "undo"):
        outcome = press(office, verb)
        assert outcome["exit"] in ((1,) if verb == "send" else (0, 3)), (verb, outcome)
        assert outcome["lines"], verb
    assert len(outcome["asked"]) == 2


def test_progress_stands_on_the_desk_only_meanwhile(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """A press that says nothing in the end leaves the Desk as it was."""
    office.ask("type", {"Desk!B16": "as it was"})

    outcome = press(office, "check", acting(tmp_path, """
        tell({"say": "Working ..."})
        tell({"done": {"lines": ["done"], "exit": 0, "select": "", "box": False, "open": ""}})
    """))

    assert outcome["told"][-1] == "Working ..."
    assert office.ask("shown", ["Desk!B16"])["Desk!B16"][0] == "as it was"


def test_a_press_that_dies_half_way_is_taken_back(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """Arbitro fails after it has written: the workbook is as it was, and its last words are shown."""
    before = workbook.snapshot()

    outcome = press(office, "resolve", acting(tmp_path, f"""
        assert ask({{"apply": {CHANGE!r}}}) == {{"ok": True}}
        sys.exit("out of ink")
    """))

    assert outcome["exit"] == 70
    assert "out of ink" in outcome["lines"]
    assert cells(workbook.snapshot()) == cells(before)


def test_what_is_no_answer_is_told_as_a_fault(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """Garbage, silence at the end and unknown requests end the press in words."""
    for body in ("print('no JSON', flush=True)\ntime.sleep(5)", "print('[1]', flush=True)", "pass",
                 "tell({'dance': 1})\nsys.stdin.readline()"):
        outcome = press(office, "check", acting(tmp_path, body))

        assert outcome["exit"] == 70, body
        assert outcome["lines"][0].startswith("Arbitro could not do it."), body


def test_silence_is_told_and_ended(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """The seconds are counted on the screen; after the patience is over Arbitro is stopped."""
    outcome = press(office, "check", acting(tmp_path, "time.sleep(600)"), patience=2)

    assert outcome["lines"][0].startswith("Arbitro gave no answer in 2 s")
    assert any("(1 s)" in line for line in outcome["told"])


def test_an_arbitro_that_is_gone(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """The interpreter is not where it was: the box says what to run."""
    outcome = press(office, "check", [str(tmp_path / "python")])

    assert str(tmp_path / "python") in outcome["lines"][0]
    assert "arbitro setup libreoffice" in outcome["lines"][0]


def test_a_question_is_answered(office: Office, workbook: Shown, tmp_path: Path) -> None:
    """What Arbitro asks is shown with its lines, and the answer reaches it."""
    outcome = press(office, "resolve", acting(tmp_path, """
        yes = ask({"ask": "Go on?", "lines": ["Two orders are refused."]})["yes"]
        tell({"done": {"lines": [str(yes)], "exit": 0, "select": "", "box": False, "open": ""}})
    """))

    assert outcome["asked"] == [["Two orders are refused.", "Go on?"]]
    assert outcome["lines"] == ["True"]


def test_a_change_that_fails_goes_back_and_what_went_well_before_stays(office: Office, workbook: Shown) -> None:
    """Of two sets of changes the second fails half way: the first one is still there, and is still one step."""
    workbook.begin("resolve")
    assert workbook.ask({"apply": CHANGE}) == {"ok": True}
    good = workbook.snapshot()

    answer = workbook.ask({"apply": {"blocks": [{"sheet": "Desk", "row": 40, "column": 2, "values": [["x"]]}],
                                     "tables": [{"name": "nobody", "sheet": "Desk", "area": "A1:B2"}]}})

    assert "NoSuchElementException" in answer["failed"]
    assert cells(workbook.snapshot()) == cells(good)
    workbook.begin("resolve")
    assert office.ask("undoable") == ["Arbitro: Resolve phase"]


def test_what_it_shows_is_what_stands_there(office: Office, workbook: Shown) -> None:
    """Dates, truth, errors, formulas, texts and numbers; notes of others survive a change beside them."""
    office.ask("change", "s = doc.Sheets['Orders']; f = doc.NumberFormats; l = doc.CharLocale\n"
                         "s['T5'].setValue(46053.5); s['T5'].NumberFormat = f.getStandardFormat(2, l)\n"
                         "s['T6'].setFormula('=TRUE()'); s['T7'].setFormula('=1/0'); s['T8'].setString('=1+1')\n"
                         "s['T9'].setValue(7); s['U5'].setValue(1.5)\n"
                         "s.Annotations.insertNew(s['U6'].CellAddress, 'ours')")
    workbook.begin()
    assert workbook.ask({"apply": {"blocks": [{"sheet": "Orders", "row": 5, "column": 21,
                                               "values": [[2], ["new"], [{"d": "2026-01-31T12:00:00"}]]}]}})["ok"]

    sheet = next(s for s in workbook.snapshot()["sheets"] if s["title"] == "Orders")
    noon = {"d": "2026-01-31T12:00:00"}
    assert [line[19] for line in sheet["values"][4:9]] == [noon, True, {"e": "#DIV/0!"}, "=1+1", 7]
    assert [line[20] for line in sheet["values"][4:7]] == [2, "new", 46053.5]
    assert sheet["formulas"] == {"T6": "=TRUE()", "T7": "=1/0"}
    assert {"cell": "U6", "author": "", "text": "ours"} in sheet["notes"]


def test_a_workbook_for_reading_only_is_not_changed(office: Office, workbook: Shown) -> None:
    """The box says why, and what to do."""
    path = Path(workbook.snapshot()["path"])
    workbook.close()
    office.ask("open_to_read", str(path))

    answer = workbook.ask({"apply": CHANGE})

    assert answer["failed"].startswith("The workbook is open for reading only")
