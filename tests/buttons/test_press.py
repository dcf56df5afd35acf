"""Buttons pressed on an open workbook: the desk's own verbs, from the click to what is shown."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.buttons.excel import ExcelHost, press_on, run
from assistant.buttons.press import BUTTONS, press, serve
from assistant.campaign.campaign import Campaign
from assistant.desk.workspace.fingerprints import open_book_fingerprint, open_book_snapshot
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import Ledger, PlannedStep, path_of_ledger
from tests.buttons.benches import ExcelBench, Macro
from tests.buttons.engine import ExcelError, Names, Tables
from tests.desk.ledgers import crashed
from tests.workbook.contract import rows


@pytest.fixture
def bench(book: Path) -> Iterator[ExcelBench]:
    """The tiny campaign's workbook, open."""
    made = ExcelBench(book, None)
    app = made.open.app.impl
    app.alerts, app.answers, app.shown = [], [], []
    yield made
    made.close()


ASKING = ("correct", "until", "mail", "map", "since", "post", "new", "adopt")
"""Buttons that begin with a form; over the pipe `test_forms` and `test_beginning` fill these in."""


def columns(bench: ExcelBench, sheet: str) -> dict[str, str]:
    """Field -> column letter."""
    return bench.book().read().cells.letters[sheet]


def march(bench: ExcelBench, faction: str, target: str, row: int) -> None:
    """Type an order, and do not save."""
    at = columns(bench, "Orders")
    for field, value in (("faction", faction), ("target", target)):
        bench.type("Orders", f"{at[field]}{row}", value)


def outcome(bench: ExcelBench) -> list[str]:
    """What the Desk says of the last press."""
    return on_desk(bench, "desk_outcome")


def wrong(bench: ExcelBench) -> list[str]:
    """What the Desk says is wrong."""
    return on_desk(bench, "desk_wrong")


def on_desk(bench: ExcelBench, name: str) -> list[str]:
    """The lines in a place of the Desk."""
    area = bench.open.names[name].refers_to_range
    return [str(line) for line in area.options(ndim=1).value if line]


def cells_of(bench: ExcelBench) -> dict[str, Any]:
    """All cells but those of the Desk, where each press says what it came to."""
    host = ExcelHost(bench.open)
    return {title: {row: cells for row, cells in host.rows(title).items() if cells} for title in host.titles()
            if title != "Desk"}


def looks_of(bench: ExcelBench) -> dict[Any, Any]:
    """How all cells and rows look, and their notes; of the Desk as above."""
    found: dict[Any, Any] = {}
    for sheet in (sheet for sheet in bench.open.impl.api.worksheets if sheet.title != "Desk"):
        for cell in (one for row in sheet.iter_rows() for one in row):
            fill = cell.fill.fgColor.rgb if cell.fill.fill_type == "solid" else ""
            ink = cell.font.color.rgb if cell.font.color is not None else "FF000000"
            line = cell.border.left.style if cell.border.left is not None else None
            look = (str(fill)[2:], str(ink)[2:], bool(cell.font.b), line, cell.number_format,
                    cell.comment.text if cell.comment else "")
            if look != ("", "000000", False, None, "General", ""):
                found[sheet.title, cell.coordinate] = look
        found.update({(sheet.title, row): one.height for row, one in sheet.row_dimensions.items()
                      if (one.height or 15) != 15})
    return found


def steps(book: Path) -> list[str]:
    """The verbs in the ledger."""
    with Ledger.open(path_of_ledger(book), "") as ledger:
        return [step.verb for step in ledger.steps() if step.state == "done"]


# --- one function, three doors -----------------------------------------------------------------
@pytest.mark.slow
def test_a_phase_resolved_by_a_click_is_the_one_that_the_command_resolves(book: Path, bench: ExcelBench,
                                                                          tmp_path: Path) -> None:
    """Same orders, same dice, same records in workbook and ledger; only the door differs."""
    twin = tmp_path / "twin" / book.name
    twin.parent.mkdir()
    march(bench, "A", "M1", 6)
    march(bench, "B", "M1", 7)
    bench.open.save()
    for file in (book, path_of_ledger(book)):
        shutil.copy(file, twin.parent)

    by_command = desk.resolve(twin)
    by_click = press_on(bench.open, "resolve")

    assert by_click.exit == by_command.exit == 0
    assert rows(open_workspace(book).campaign) == rows(open_workspace(twin).campaign)
    assert steps(book) == steps(twin) == ["resolve"]
    assert outcome(bench)[0] == by_command.lines[0]


def test_unsaved_edits_count_and_the_workbook_is_saved_with_the_ledger(book: Path, bench: ExcelBench) -> None:
    """An order that was typed a moment ago marches, and what the ledger knows lies on the disk."""
    march(bench, "A", "M1", 6)

    pressed = press_on(bench.open, "resolve")

    assert pressed.exit == 0
    assert bench.open.impl.saves == 1
    assert [e.event for e in open_workspace(book).campaign.by_sheet("Events")] == ["marched"]
    assert desk.check(book).data["by_hand"] == []


def test_check_marks_the_finding_and_goes_to_the_first(bench: ExcelBench) -> None:
    """Colour, note, the cell selected, the outcome on the Desk; the records stay, and nothing is saved."""
    march(bench, "A", "N9", 6)
    before = rows(bench.book().read().campaign)

    pressed = press_on(bench.open, "check")

    at = f"{columns(bench, 'Orders')['target']}6"
    assert (pressed.exit, pressed.select, pressed.box) == (1, f"Orders!{at}", False)
    assert bench.open.impl.visited == [("Orders", "A6"), ("Orders", at)]  # the row's beginning comes into sight first
    assert bench.fill("Orders", at) == "FFC7B7"
    assert "N9" in bench.note("Orders", at)
    assert "1 finding." in outcome(bench)
    assert rows(bench.book().read().campaign) == before
    assert bench.open.impl.saves == 0


def test_marks_go_when_the_phase_is_resolved(bench: ExcelBench) -> None:
    """What was wrong has been put right: nothing is coloured any more."""
    march(bench, "A", "N9", 6)
    press_on(bench.open, "check")
    at = f"{columns(bench, 'Orders')['target']}6"
    bench.type("Orders", at, "M1")

    press_on(bench.open, "resolve")

    assert bench.note("Orders", at) == ""
    assert bench.fill("Orders", at) != "FFC7B7"


def test_who_says_no_keeps_the_phase_from_refusing_orders(bench: ExcelBench, book: Path) -> None:
    """A click asks before orders are refused, shows which, and changes nothing where the answer is no."""
    march(bench, "A", "N9", 6)
    app = bench.open.app.impl
    app.answers = ["no"]

    assert press_on(bench.open, "resolve").exit == 1
    assert "N9" in app.alerts[0]
    assert steps(book) == []

    app.answers = ["yes"]
    assert press_on(bench.open, "resolve").exit == 0
    assert steps(book) == ["resolve"]


@pytest.mark.slow
def test_a_phase_that_waits_goes_to_the_question_and_answers_are_looked_at(bench: ExcelBench, book: Path) -> None:
    """Where an answer is missing the click leads there; typed, the phase goes on."""
    march(bench, "A", "M1", 6)
    march(bench, "B", "M1", 7)
    press_on(bench.open, "resolve")

    waiting = press_on(bench.open, "resolve")
    assert waiting.exit == 3
    assert waiting.select.startswith("Questions!")

    again = press_on(bench.open, "answers")
    assert (again.exit, again.select) == (3, waiting.select)
    cells = bench.book().read().cells
    letter = cells.letters["Questions"]["answer"]
    for row in cells.rows["Questions"].values():
        bench.type("Questions", f"{letter}{row}", "flee")

    assert press_on(bench.open, "answers").exit == 0
    assert press_on(bench.open, "resolve").exit == 0


@pytest.mark.slow
def test_an_answer_that_is_none_is_marked(bench: ExcelBench) -> None:
    """A word that the question does not take is a finding at its cell."""
    march(bench, "A", "M1", 6)
    march(bench, "B", "M1", 7)
    press_on(bench.open, "resolve")
    at = press_on(bench.open, "resolve").select.rpartition("!")[2]
    bench.type("Questions", at, "dance")

    pressed = press_on(bench.open, "answers")

    assert (pressed.exit, pressed.select) == (1, f"Questions!{at}")
    assert "ARB-135" in bench.note("Questions", at)


# --- back ---------------------------------------------------------------------------------------
@pytest.mark.slow
def test_undo_brings_the_open_workbook_back_with_what_was_typed_since(bench: ExcelBench, book: Path) -> None:
    """Excel's own undo forgets what programs wrote: Arbitro's does not."""
    march(bench, "A", "M1", 6)
    before = rows(bench.book().read().campaign)
    press_on(bench.open, "resolve")
    resolved = rows(bench.book().read().campaign)

    pressed = press_on(bench.open, "undo")

    assert pressed.exit == 0
    after = rows(bench.book().read().campaign)
    assert after["Armies"] == before["Armies"]
    assert after["Events"] == before["Events"] != resolved["Events"]
    assert after["Desk"] == before["Desk"]
    assert steps(book) == ["resolve", "undo"]
    assert press_on(bench.open, "undo").exit == 1


@pytest.mark.slow
def test_what_a_click_did_the_command_can_undo_and_the_other_way_round(bench: ExcelBench, book: Path) -> None:
    """One ledger for both doors."""
    march(bench, "A", "M1", 6)
    press_on(bench.open, "resolve")
    clicked = rows(open_workspace(book).campaign)
    assert desk.undo(book).exit == 0
    assert open_workspace(book).campaign.desk.phase == "march"
    assert desk.redo(book).exit == 0
    assert rows(open_workspace(book).campaign) == clicked

    bench.open.close()
    bench.open = ExcelBench(book, None).open
    assert press_on(bench.open, "undo").exit == 0
    assert bench.book().read().campaign.desk.phase == "march"


def test_a_workbook_without_a_snapshot_on_disk_is_brought_back_hard(bench: ExcelBench, book: Path) -> None:
    """What the ledger keeps of an open workbook becomes a file again: with what stood on the screen, unsaved."""
    march(bench, "A", "M1", 6)
    seen = rows(bench.book().read().campaign)
    press_on(bench.open, "resolve")

    assert desk.undo(book, hard=True).exit == 0

    assert rows(open_workspace(book).campaign) == seen


@pytest.mark.slow
def test_the_ledger_follows_where_the_program_takes_a_press_back(bench: ExcelBench, book: Path) -> None:
    """Ctrl+Z in LibreOffice, or closing without saving: the next press finds nothing changed by hand, and the same
    phase is there to be resolved; Ctrl+Y goes forward again.
    """
    march(bench, "A", "M1", 6)
    bench.open.save()
    before = book.read_bytes()
    press_on(bench.open, "resolve")
    after = book.read_bytes()

    def reopened(content: bytes) -> None:
        bench.open.close()
        book.write_bytes(content)
        bench.open = ExcelBench(book, None).open

    reopened(before)
    assert press_on(bench.open, "check").exit == 0
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.line == ()
    reopened(after)
    assert press_on(bench.open, "check").exit == 0
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert len(ledger.line) == 1
    reopened(before)
    assert press_on(bench.open, "resolve").exit == 0
    assert rows(open_workspace(book).campaign)["Events"] != []


# --- when something goes wrong ---------------------------------------------------------------------
def protected_orders(bench: ExcelBench) -> str:
    """Two orders with a wrong place on a sheet that is protected; the first one's cell."""
    march(bench, "A", "N9", 6)
    march(bench, "B", "N9", 7)
    bench.open.impl.api["Orders"].protection.sheet = True
    return f"{columns(bench, 'Orders')['target']}6"


def test_a_protected_sheet_is_named_and_its_findings_are_told_all_the_same(bench: ExcelBench) -> None:
    """No cell can be coloured there: the Desk says it, with the cure, and the cursor goes to the first finding."""
    at = protected_orders(bench)
    looked = looks_of(bench)

    pressed = press_on(bench.open, "check")

    assert (pressed.exit, pressed.select, pressed.box) == (1, f"Orders!{at}", False)
    assert outcome(bench)[0] == "2 findings."
    said = wrong(bench)
    assert "ARB-244" in said[0]
    assert "Unprotect Sheet" in said[0]
    assert any("N9" in line for line in said[1:])
    assert looks_of(bench) == looked


def test_what_can_be_marked_is_marked_beside_a_protected_sheet(bench: ExcelBench) -> None:
    """Only the protected sheet goes without colours and notes; unprotected, it gets its own."""
    protected_orders(bench)
    at = f"{columns(bench, 'Orders')['faction']}6"
    bench.open.impl.api["Orders"][at] = "Q"
    cells = bench.book().read().cells
    army = f"{cells.letters['Armies']['node']}{cells.rows['Armies']['A-1']}"
    bench.type("Armies", army, "N8")

    press_on(bench.open, "check")
    assert "N8" in bench.note("Armies", army)
    assert bench.note("Orders", at) == ""

    bench.open.impl.api["Orders"].protection.sheet = False
    press_on(bench.open, "check")
    assert "Q" in bench.note("Orders", at)


def test_a_phase_does_not_begin_where_marks_stand_on_a_protected_sheet(bench: ExcelBench, book: Path) -> None:
    """What has to be written there is refused as what it is, before anything is changed."""
    march(bench, "A", "N9", 6)
    press_on(bench.open, "check")
    bench.open.impl.api["Orders"].protection.sheet = True
    bench.open.app.impl.answers = ["yes"]
    before = cells_of(bench)

    pressed = press_on(bench.open, "resolve")

    assert (pressed.exit, pressed.box) == (5, True)
    assert any("ARB-223" in line and "Orders!" in line for line in pressed.lines)
    assert (cells_of(bench), steps(book)) == (before, [])


@pytest.mark.slow  # every stroke of a click is refused once
@pytest.mark.parametrize("marked", [False, True], ids=["plain", "marked"])
def test_excel_that_refuses_midway_is_as_before_and_so_is_the_ledger(marked: bool, bench: ExcelBench,
                                                                     book: Path) -> None:
    """Whatever Excel refuses, at whichever stroke: records, looks and notes are the old ones, also the marks of an
    earlier check, and the phase can be resolved.
    """
    march(bench, "A", "M1", 6)
    if marked:
        march(bench, "B", "N9", 7)
        press("check", ExcelHost(bench.open))
    before, looked = cells_of(bench), looks_of(bench)
    for strokes in range(1, 200):
        bench.open.app.impl.answers = ["yes"]
        bench.open.impl.fails_after = strokes
        pressed = press("resolve", ExcelHost(bench.open))
        failed, bench.open.impl.fails_after = bench.open.impl.fails_after is None, None
        if pressed.exit == 0:
            break
        assert (pressed.exit, failed) == (5, True), pressed
        assert cells_of(bench) == before, strokes
        assert looks_of(bench) == looked, strokes
        assert steps(book) == []
    assert strokes > 10
    assert steps(book) == ["resolve"]


@pytest.mark.slow
def test_a_check_that_excel_cuts_short_leaves_no_colour_behind(bench: ExcelBench) -> None:
    """At whichever stroke: no cell is coloured without its note, and once all is put right none is at all."""
    looked = looks_of(bench)
    march(bench, "A", "N9", 6)
    march(bench, "B", "N9", 7)
    at = [f"{columns(bench, 'Orders')['target']}{row}" for row in (6, 7)]
    for strokes in range(1, 20):
        bench.open.impl.fails_after = strokes
        pressed = press("check", ExcelHost(bench.open))
        bench.open.impl.fails_after = None
        if pressed.exit == 1:
            break
        assert pressed.exit == 5
        assert looks_of(bench) == looked, strokes
    assert strokes > 3
    for ref in at:
        bench.type("Orders", ref, "M1")
    assert press("check", ExcelHost(bench.open)).exit == 0
    assert looks_of(bench) == looked


def test_a_colour_of_ours_without_its_note_is_no_cells_own(bench: ExcelBench) -> None:
    """Left behind by a program that died in the middle, it goes with the next mark instead of staying for good."""
    march(bench, "A", "N9", 6)
    at = f"{columns(bench, 'Orders')['target']}6"
    bench.open.sheets["Orders"].range(at).color = "#FFC7B7"

    press("check", ExcelHost(bench.open))
    bench.type("Orders", at, "M1")
    press("check", ExcelHost(bench.open))

    assert (bench.fill("Orders", at), bench.note("Orders", at)) == ("", "")


@pytest.mark.parametrize(("said", "code"), [("Call was rejected by callee.", "ARB-209"),
                                            ("Not authorized to send Apple events (-1743)", "ARB-203")])
def test_excel_that_does_not_answer_is_told_in_a_window(said: str, code: str, bench: ExcelBench,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell is being edited, or macOS allows nothing: words and what to do, before anything is changed."""
    def busy(*_: object) -> None:
        raise ExcelError(said)

    monkeypatch.setattr(Tables, "__iter__", busy)
    reading = press("check", ExcelHost(bench.open))
    monkeypatch.setattr(Names, "__len__", busy)
    speaking = press("check", ExcelHost(bench.open))

    for pressed in (reading, speaking):
        assert (pressed.exit, pressed.box) == (5, True)
        assert code in pressed.lines[0]


def test_a_macro_whose_workbook_cannot_be_found_ends_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """xlwings' macro shows what the process says on its standard error."""
    import xlwings

    def forbidden(cls: object) -> None:
        raise ExcelError("Not authorized to send Apple events to Microsoft Excel. (-1743)")

    monkeypatch.setattr(xlwings.Book, "caller", classmethod(forbidden))

    with pytest.raises(SystemExit) as ended:
        run("check")

    assert "ARB-203" in str(ended.value)


def test_a_workbook_that_cannot_be_saved_says_so(bench: ExcelBench) -> None:
    """The outcome stands in the open workbook; the referee is told to save it."""
    march(bench, "A", "M1", 6)
    bench.open.impl.saves = None

    pressed = press_on(bench.open, "resolve")

    assert pressed.exit == 0
    assert any("could not be saved (the disk is full)" in line for line in pressed.lines)
    assert any("could not be saved" in line for line in wrong(bench))


def test_a_ledger_that_is_missing_is_told_in_a_window(bench: ExcelBench, book: Path) -> None:
    """What no cell can show is said aloud, and nothing is written."""
    path_of_ledger(book).unlink()

    pressed = press_on(bench.open, "resolve")

    assert (pressed.exit, pressed.box) == (4, True)
    assert bench.open.app.impl.alerts


def test_a_workbook_that_is_no_campaign_is_told_in_a_window(tmp_path: Path) -> None:
    """A click in any workbook ends in words."""
    import openpyxl

    path = tmp_path / "other.xlsx"
    openpyxl.Workbook().save(path)
    bench = ExcelBench(path, None)
    try:
        pressed = press_on(bench.open, "check")
    finally:
        bench.close()

    assert (pressed.exit, pressed.box) == (5, True)
    assert "ARB-004" in pressed.lines[0]


def test_a_fault_of_our_own_never_leaves_the_door(bench: ExcelBench, book: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told in one sentence, its details lie beside the workbook, and nothing was changed."""
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("assistant.desk.status", broken)
    pressed = press_on(bench.open, "status")

    assert (pressed.exit, pressed.box) == (70, True)
    assert "RuntimeError: broken" in (book.parent / "arbitro-crash.txt").read_text()


# --- the others --------------------------------------------------------------------------------------
def test_status_preview_and_send_say_what_they_say_elsewhere(bench: ExcelBench, book: Path,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    """Status in a window; the reports beside the workbook, opened; sending is not built, and says so."""
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)

    status = press_on(bench.open, "status")
    on_desk = outcome(bench)
    preview = press_on(bench.open, "preview")
    send = press_on(bench.open, "send")

    assert (status.exit, status.box) == (0, True)
    assert "What to do next:" in status.lines
    assert on_desk[0] == status.lines[0]
    assert "What to do next:" not in on_desk  # the same sheet says it further up
    assert preview.exit == 0
    assert shown == [(desk.reports_folder(book) / "referee.html").as_uri()]
    assert (desk.reports_folder(book) / "A.html").is_file()
    assert send.box
    assert any("ARB-193" in line for line in send.lines)


@pytest.mark.slow
def test_the_preview_draws_what_the_command_draws(benches: list[ExcelBench], tmp_path: Path,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps and charts lie beside the pages, as the command line leaves them."""
    monkeypatch.delenv("ARBITRO_NO_PICTURES")
    monkeypatch.setattr("webbrowser.open", lambda page: True)
    war = tmp_path / "war.xlsx"
    assert desk.new_campaign(desk.NewPlan("incursio"), war).exit == 0
    drawn = set(desk.report(war, tmp_path / "drawn", pictures=True).data["files"])
    benches.append(opened := ExcelBench(war, None))

    assert press_on(opened.open, "preview").exit == 0
    assert any(one.endswith(".png") for one in drawn)
    assert drawn <= {path.name for path in desk.reports_folder(war).iterdir()}


def test_progress_stands_on_the_desk_and_in_the_status_bar(bench: ExcelBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it works the workbook says what goes on; afterwards what came of it."""
    seen: list[list[str]] = []
    said = ExcelHost.say

    def say(self: ExcelHost, line: str) -> None:
        said(self, line)
        seen.append(outcome(bench))

    monkeypatch.setattr(ExcelHost, "say", say)
    press_on(bench.open, "resolve", "en")

    assert seen[0][0] == "Resolving the phase ..."
    assert outcome(bench)[0] != "Resolving the phase ..."
    assert bench.open.app.impl.shown == ["Resolving the phase ...", False]


def test_the_desk_speaks_the_language_of_the_campaign(bench: ExcelBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine speaks: progress and outcome stand on the Desk of an English campaign."""
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    press_on(bench.open, "resolve")

    assert bench.open.app.impl.shown == ["Resolving the phase ...", False]
    assert "resolved" in outcome(bench)[0]


@pytest.mark.slow
@pytest.mark.parametrize("button", [one for one in BUTTONS if one.verb not in ASKING],
                         ids=lambda one: one.verb)
def test_the_pipe_answers_every_button_as_excel_does(button: Any, book: Path, tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """The same press through lines of JSON: same exit, lines and cell, same records."""
    monkeypatch.setattr("webbrowser.open", lambda page: None)
    twin = tmp_path / "twin" / book.name
    twin.parent.mkdir()
    for file in (book, path_of_ledger(book)):
        shutil.copy(file, twin.parent)
    direct, other = ExcelBench(book, None), None
    try:
        march(direct, "A", "M1", 6)
        expected = press_on(direct.open, button.verb, "en")
        shown = rows(direct.book().read().campaign)
        direct.open.close()
        other = ExcelBench(twin, None)
        march(other, "A", "M1", 6)
        done = through_pipe(other, button.verb)
        assert rows(other.book().read().campaign) == shown
    finally:
        (other or direct).close()

    assert (done["exit"], done["select"], done["box"]) == (expected.exit, expected.select, expected.box)
    assert [line.replace(str(twin.parent), "") for line in done["lines"]] == [
        line.replace(str(book.parent), "") for line in expected.lines]


def through_pipe(bench: ExcelBench, verb: str, *forms: Mapping[str, str] | None) -> dict[str, Any]:
    """Press a button over two streams, whose other end is a macro. `forms`: what is typed into each form."""
    macro = Macro(ExcelHost(bench.open))
    macro.forms = list(forms)
    request = json.dumps({"verb": verb, "lang": "en", "book": macro.snapshot()})
    ends: list[dict[str, Any]] = []

    class Answers(io.StringIO):
        """What the macro writes: the request, then an answer to each line that asks."""

        def __init__(self) -> None:
            super().__init__()
            self.waiting = [request]

        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            return self.waiting.pop(0) + "\n" if self.waiting else ""

    answers = Answers()

    class Asked(io.StringIO):
        """What Arbitro writes, a line at a time."""

        def write(self, line: str, /) -> int:
            message = json.loads(line)
            if "done" in message:
                ends.append(message["done"])
            elif "say" not in message:
                answers.waiting.append(json.dumps(macro.answered(message)))
            return len(line)

    serve(answers, Asked())
    return ends[0]


def test_a_program_that_hangs_up_leaves_nothing_half_done(bench: ExcelBench, book: Path) -> None:
    """No answer is a refusal: the ledger has no step that was not made."""
    march(bench, "A", "M1", 6)
    macro = Macro(ExcelHost(bench.open))
    request = io.StringIO(json.dumps({"verb": "resolve", "lang": "en", "book": macro.snapshot()}) + "\n")
    answer = io.StringIO()

    assert serve(request, answer) == 5

    assert "ARB-209" in answer.getvalue()
    assert steps(book) == []


def test_the_ledger_keeps_the_file_and_what_stood_on_the_screen(bench: ExcelBench, book: Path) -> None:
    """A snapshot of an open workbook holds both, and is known by its records."""
    saved = book.read_bytes()
    march(bench, "A", "M1", 6)
    press_on(bench.open, "resolve")

    with Ledger.open(path_of_ledger(book), "") as ledger:
        [sha] = [step.sha_before for step in ledger.steps()]
        from assistant.desk.workspace.fingerprints import campaign_from_snapshot, saved_file

        kept = ledger.book(1)
    assert sha.startswith("records:")
    assert saved_file(kept) == saved
    campaign = campaign_from_snapshot(kept)
    assert campaign is not None
    assert len(campaign.by_sheet("Orders")) == 1


# --- the ledger ------------------------------------------------------------------------------------
def pending(book: Path) -> list[str]:
    """The states of the ledger's steps."""
    with Ledger.open(path_of_ledger(book), "") as ledger:
        return [step.state for step in ledger.steps()]


def crashed_press(book: Path, before: Campaign, after: Campaign) -> None:
    """A press that a crash ended while the changed ledger lay ready beside the old one."""
    kept = open_book_snapshot(before, book.read_bytes())
    crashed(path_of_ledger(book), [PlannedStep("resolve", before.desk.turn, before.desk.phase)], kept.content,
            open_book_fingerprint(after), sha=kept.sha)


def test_a_crash_before_the_workbook_was_changed_is_forgotten(bench: ExcelBench, book: Path) -> None:
    """The records are those of before: the step was not made."""
    before = bench.book().read().campaign
    march(bench, "A", "M1", 6)
    campaign = bench.book().read().campaign
    crashed_press(book, campaign, before)

    assert press_on(bench.open, "check").exit == 0

    assert pending(book) == []


@pytest.mark.slow
def test_a_crash_after_the_workbook_was_changed_is_a_step_that_undo_takes_back(bench: ExcelBench, book: Path) -> None:
    """The records differ: the step was made, and what stood before is in the ledger."""
    march(bench, "A", "M1", 6)
    campaign = bench.book().read().campaign
    before = rows(campaign)
    cells = bench.book().read().cells
    bench.type("Armies", f"{cells.letters['Armies']['node']}{cells.rows['Armies']['A-1']}", "M1")
    crashed_press(book, campaign, bench.book().read().campaign)

    press_on(bench.open, "check")
    assert pending(book) == ["done"]
    assert press_on(bench.open, "undo").exit == 0
    assert rows(bench.book().read().campaign) == before


@pytest.mark.slow
def test_what_was_clicked_can_be_verified_and_listed_by_the_command_line(bench: ExcelBench, book: Path) -> None:
    """The chain of changes is whole, whichever door each came through."""
    march(bench, "A", "M1", 6)
    march(bench, "B", "M1", 7)
    press_on(bench.open, "resolve")
    bench.open.close()
    assert desk.resolve(book).exit == 3
    bench.open = ExcelBench(book, None).open

    assert [one["verb"] for one in desk.history(book).data["changes"]] == ["wait", "resolve"]
    verified = desk.verify(book)
    assert (verified.exit, verified.findings) == (0, [])
