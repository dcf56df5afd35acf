"""The commands as a referee types them: words, JSON, exit codes, languages."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main
from assistant.desk.commands import status
from assistant.environment import shipped_scenario
from tests.cli.conftest import Played
from tests.playing import answer, arbitro

GIGLIO = shipped_scenario("giglio", "italy-1500")
COMMANDS = ["demo", "new", "adopt", "buttons", "setup", "doctor", "status", "orders", "check", "accept", "revert",
            "answers", "resolve", "report", "undo", "redo", "correct", "verify", "history", "export", "standings",
            "luck", "odds", "rehearse", "simulate", "rules", "verbs", "rulesets", "ledger"]


# --- help -------------------------------------------------------------------------------------
def test_help_lists_all_commands_and_the_exit_codes() -> None:
    """Each once, in groups from the beginning to setting up, each group with two examples that name its commands."""
    result = arbitro("--help")

    assert result.exit_code == 0
    places = [result.output.index(f"\n  {command} ") for command in COMMANDS]
    assert len(set(places)) == len(places)
    groups = ("Beginning", "An evening", "Back and forth", "Looking", "Setting up")
    starts = [result.output.index(f"\n{title}:\n") for title in groups]
    assert starts == sorted(starts)
    assert all(starts[0] < place for place in places)
    for start, end in zip(starts, [*starts[1:], result.output.index("Exit codes")], strict=True):
        listed = {command for command, place in zip(COMMANDS, places, strict=True) if start < place < end}
        examples = re.findall(r"\n  arbitro (\w+) ", result.output[start:end])
        assert len(examples) == 2
        assert set(examples) <= listed
    assert "Exit codes: 0 done" in result.output
    assert "_ARBITRO_COMPLETE" in result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself_in_both_languages(command: str) -> None:
    """English and Italian differ, and neither shows a brace."""
    english, italian = arbitro("--lang", "en", command, "--help"), arbitro("--lang", "it", command, "--help")

    assert english.exit_code == italian.exit_code == 0
    assert "Usage:" in english.output
    assert "Uso:" in italian.output
    assert english.output.split("\n\n")[1] != italian.output.split("\n\n")[1]


def test_the_machine_decides_the_language_of_help() -> None:
    """LANG=it_IT is enough."""
    result = CliRunner(env={"LANG": "it_IT.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}).invoke(main, ["--help"])

    assert "Uso:" in result.output


@pytest.mark.slow
def test_who_calls_a_command_keeps_the_garbage_collector(book: Path) -> None:
    """What a program cannot reach any more after hundreds of commands in its own process is given back."""
    frozen, thresholds = gc.get_freeze_count(), gc.get_threshold()
    assert CliRunner().invoke(main, ["check", str(book)]).exit_code in (0, 1)
    assert gc.get_freeze_count() <= frozen
    assert gc.get_threshold() == thresholds


def test_a_wrong_word_is_wrong_usage() -> None:
    """Exit code 2, on the standard error."""
    result = arbitro("resolv")

    assert result.exit_code == 2
    assert "resolv" in result.stderr
    assert result.stdout == ""


# --- new and its refusals ---------------------------------------------------------------------
@pytest.mark.slow
def test_a_new_workbook_is_not_written_over_another(book: Path) -> None:
    """Exit code 5, the file untouched; --force means it, and sets the ledger aside."""
    before = book.read_bytes()

    result = arbitro("new", "giglio", book)
    assert (result.exit_code, book.read_bytes()) == (5, before)

    assert arbitro("new", "giglio", book, "--force").exit_code == 0
    assert (book.parent / "war.arbitro.old-1").is_file()


def test_an_unknown_rulebook_is_wrong_usage(tmp_path: Path) -> None:
    """The installed ones are named."""
    result = arbitro("--lang", "en", "new", "gigli", tmp_path / "x.xlsx")

    assert result.exit_code == 2
    assert "giglio" in result.stderr


def test_a_folder_with_mistakes_makes_no_workbook(tmp_path: Path) -> None:
    """Exit code 1, the finding at its cell, nothing written."""
    folder = tmp_path / "csv"
    folder.mkdir()
    for file in GIGLIO.glob("*.csv"):
        (folder / file.name).write_bytes(file.read_bytes())
    armies = (folder / "armies.csv").read_text().replace("V-1,V,army,200,V6", "V-1,V,army,lots,V66")
    (folder / "armies.csv").write_text(armies)

    result = arbitro("--lang", "en", "new", "giglio", tmp_path / "x.xlsx", "--from", folder, "--json")

    assert result.exit_code == 1
    assert {(f["code"], f["field"]) for f in json.loads(result.stdout)["findings"] if f["severity"] == "error"} == {
        ("ARB-023", "value"), ("ARB-030", "node")}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["csv"]


@pytest.mark.parametrize("secret", ["xyz", "abcd"])
def test_a_short_secret_is_wrong_usage(tmp_path: Path, secret: str) -> None:
    """A secret that could be guessed is none."""
    assert arbitro("new", "giglio", tmp_path / "x.xlsx", "--secret", secret).exit_code == 2


# --- an evening -------------------------------------------------------------------------------
def test_status_says_where_we_are(book: Path) -> None:
    """Turn, phase, next steps, the ledger; JSON with stable keys."""
    result = arbitro("--lang", "en", "status", book, "--json")

    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert (data["turn"], data["phase"], data["ledger"], data["over"]) == ("1500", "income", "ok", False)
    assert data["next"] == [f"Nothing is needed. Resolve the phase: arbitro resolve {book}"]


def test_status_names_who_is_awaited(book: Path) -> None:
    """In spring all clubs owe their orders, until they have sent some."""
    arbitro("resolve", book)
    arbitro("orders", book, "V: recluta 30 V0")

    data = answer("status", book)

    assert data["orders"]["given"] == ["V"]
    assert "M" in data["orders"]["missing"]
    assert "V" not in {one["from"] for one in data["awaited"] if one["kind"] == "orders"}


def test_status_works_without_the_ledger(book: Path) -> None:
    """Looking needs no ledger, but its absence is said with the way out."""
    book.with_suffix(".arbitro").unlink()

    result = arbitro("--lang", "en", "status", book)

    assert result.exit_code == 0
    assert f"arbitro ledger {book} --renew" in result.stdout


def test_orders_from_the_standard_input(book: Path) -> None:
    """A mail pasted into the terminal; remarks and blank lines are left out."""
    arbitro("resolve", book)

    result = arbitro("orders", book, "-", "--faction", "F", "--json", typed="# our orders\n\nspia\nprestito 60\n")

    assert result.exit_code == 0, result.output
    assert [one["id"] for one in json.loads(result.stdout)["taken"]] == ["1500-budget-F-1", "1500-budget-F-2"]


def test_orders_are_understood_in_words(book: Path) -> None:
    """The answer shows the order's columns, in the language of the call."""
    arbitro("resolve", book, "--until", "open", "--robot", "V")

    english = arbitro("--lang", "en", "orders", book, "V: V6 V5")
    italian = arbitro("--lang", "it", "orders", book, "V: V6 V5")

    assert ": move, Path Verona (V6) → Padua (V5)" in english.stdout
    assert ": muovi, Percorso Verona (V6) → Padova (V5)" in italian.stdout


def test_check_points_at_cells_and_changes_nothing(book: Path) -> None:
    """Exit code 1; the finding with its cell on the standard output; the file untouched."""
    arbitro("resolve", book)
    arbitro("orders", book, "V: recluta 30 M0")
    before = book.read_bytes()

    result = arbitro("--lang", "en", "check", book)

    assert result.exit_code == 1
    assert "GIG-024" in result.stdout
    assert "Orders!" in result.stdout
    assert book.read_bytes() == before


def test_check_marks_cells_when_asked(book: Path) -> None:
    """The workbook is written, and undo's list has a snapshot of before."""
    arbitro("resolve", book)
    arbitro("orders", book, "V: recluta 30 M0")
    before = book.read_bytes()

    assert arbitro("check", book, "--mark").exit_code == 1

    assert book.read_bytes() != before
    assert answer("history", book)["changes"][0]["verb"] == "mark"


@pytest.mark.slow
def test_the_whole_script_at_once(tmp_path: Path) -> None:
    """`new --from` takes orders, answers, dice and results with it, and `resolve --until` plays them."""
    book = tmp_path / "x.xlsx"
    assert arbitro("new", "giglio", book, "--from", GIGLIO).exit_code == 0

    result = arbitro("--lang", "en", "resolve", book, "--until", "r2.siege", "--json")

    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["turn"], data["phase"]) == ("1500", "r3.move")
    assert [f["code"] for f in data["findings"]] == ["GIG-090", "GIG-090", "GIG-054"]
    assert "April I: marches: resolved" in result.stderr


@pytest.mark.slow
def test_waiting_is_an_exit_code_of_its_own(tmp_path: Path) -> None:
    """Without the scripted answers the meetings wait: 3, and the questions are in the answer."""
    folder = tmp_path / "csv"
    folder.mkdir()
    for file in GIGLIO.glob("*.csv"):
        if file.name != "answers.csv":
            (folder / file.name).write_bytes(file.read_bytes())
    book = tmp_path / "x.xlsx"
    arbitro("new", "giglio", book, "--from", folder)

    result = arbitro("--lang", "en", "resolve", book, "--until", "r1.contact", "--json")

    assert result.exit_code == 3
    assert {q["kind"] for q in json.loads(result.stdout)["questions"]} == {"ally_confirm"}
    assert arbitro("resolve", book, "--until", "r1.contact", "--defaults").exit_code == 0


@pytest.mark.slow
def test_export_is_taken_back_unchanged(demo: Played, tmp_path: Path) -> None:
    """A played campaign, as CSV and back, twice: the same files."""
    out = demo.out
    for name, book in (("a", out / "italy-1500.xlsx"), ("b", tmp_path / "b.xlsx")):
        assert arbitro("export", book, "--to", tmp_path / name).exit_code == 0
        arbitro("new", "giglio", tmp_path / "b.xlsx", "--from", tmp_path / "a")

    first = {p.name: p.read_bytes() for p in (tmp_path / "a").iterdir()}
    assert first == {p.name: p.read_bytes() for p in (tmp_path / "b").iterdir()}
    assert len(first["events.csv"].splitlines()) > 500


def test_undo_and_redo(book: Path) -> None:
    """Back and forth from the command line."""
    before = book.read_bytes()
    arbitro("resolve", book)

    assert arbitro("undo", book).exit_code == 0
    assert book.read_bytes() == before
    assert arbitro("redo", book).exit_code == 0
    assert answer("status", book)["phase"] == "budget"


def test_undo_saves_a_workbook_that_is_no_workbook_any_more(book: Path) -> None:
    """--hard needs only the ledger; without it the way out is told."""
    before = book.read_bytes()
    arbitro("resolve", book)
    book.write_bytes(b"spilt coffee")

    plain = arbitro("--lang", "en", "undo", book)
    assert plain.exit_code == 5
    assert "--hard" in plain.stderr
    assert arbitro("undo", book, "--hard").exit_code == 0
    assert book.read_bytes() == before


@pytest.mark.slow
def test_a_new_ledger_is_told_to_everybody(book: Path) -> None:
    """The old one is set aside, an event says so, resolving goes on."""
    result = arbitro("ledger", book, "--renew", "--json")

    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["set_aside"] == "war.arbitro.old-1"
    assert arbitro("resolve", book).exit_code == 0
    arbitro("export", book, "--to", book.parent / "csv")
    assert "all,ledger.renewed" in (book.parent / "csv" / "events.csv").read_text()
    arbitro("--lang", "it", "report", book, "--out", book.parent / "r", "--since", "1500")
    for reader in ("referee", "gazette", "V"):
        told = (book.parent / "r" / f"{reader}.txt").read_text(encoding="utf-8")
        assert "iniziato un nuovo registro" in " ".join(told.split()), reader


def test_the_ledger_shows_its_promises(book: Path) -> None:
    """Commitments of the first turn stand there before any order is due."""
    data = answer("ledger", book)

    assert set(data["commitments"]) == {"1500"}
    assert len(data["commitments"]["1500"]["public"]) == 64


def test_reports_for_one_club(book: Path, tmp_path: Path) -> None:
    """Only that club's files, the uncut page among them, and an index of them."""
    arbitro("resolve", book)

    assert arbitro("report", book, "--out", tmp_path / "r", "--faction", "V").exit_code == 0
    assert sorted(p.name for p in (tmp_path / "r").iterdir()) == ["V-whole.html", "V.chat.txt", "V.html", "V.json",
                                                                   "V.txt", "index.html"]


@pytest.mark.slow
def test_reports_say_until_when(book: Path, tmp_path: Path) -> None:
    """What a club owes, and by when, in the referee's own words; a text in them is text."""
    arbitro("resolve", book)

    when = "Sunday 6 December, 20:00 <CET>"
    assert arbitro("report", book, "--out", tmp_path / "r", "--by", f"  {when}\n", lang="").exit_code == 0

    for name in ("V", "gazette"):
        assert f"by {when}" in (tmp_path / "r" / f"{name}.txt").read_text(encoding="utf-8")
        page = (tmp_path / "r" / f"{name}.html").read_text(encoding="utf-8")
        assert "by Sunday 6 December, 20:00 &lt;CET&gt;" in page
    assert json.loads((tmp_path / "r" / "V.json").read_text(encoding="utf-8"))["subject"].endswith(f", by {when}")


@pytest.mark.slow
def test_standings_and_accounts(demo: Played) -> None:
    """Every faction, and its chest over the years."""
    out = demo.out

    data = answer("standings", out / "italy-1500.xlsx")

    assert len(data["standings"]) == 10
    assert {row["turn"] for row in data["accounts"]} == {"1500", "1501"}
    end = {row["faction"]: row["balance"] for row in data["accounts"] if row["turn"] == "1501"}
    assert end["V"] == 90


def test_rules_and_rulesets() -> None:
    """Every number with its source; every rulebook with its scenarios."""
    numbers = {one["key"]: one for one in answer("rules", "giglio")["rules"]}
    books = {one["id"]: one for one in answer("rulesets")["rulesets"]}

    assert (numbers["siege_target"]["default"], numbers["siege_target"]["source"]) == (7, "3d")
    assert books["giglio"]["scenarios"] == ["italy-1500"]


# --- files that cannot be used ----------------------------------------------------------------
@pytest.mark.parametrize("command", ["status", "check", "resolve", "undo", "standings", "ledger"])
def test_no_such_file(tmp_path: Path, command: str) -> None:
    """Exit code 5 and one plain sentence."""
    result = arbitro("--lang", "en", command, tmp_path / "no.xlsx")

    assert result.exit_code == 5
    assert result.stderr.startswith("ARB-075  There is no file no.xlsx.")


def test_a_file_that_is_no_workbook(tmp_path: Path) -> None:
    """Exit code 5."""
    (tmp_path / "x.xlsx").write_text("hello")

    assert arbitro("check", tmp_path / "x.xlsx").exit_code == 5


def test_a_fault_of_the_program_shows_no_traceback(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, the details in a file beside the workbook, exit code 70."""
    monkeypatch.setattr(status, "trouble_with", lambda *_: 1 // 0)

    result = arbitro("--lang", "en", "status", book)

    assert result.exit_code == 70
    assert "Traceback" not in result.output
    assert "ZeroDivisionError" in (book.parent / "arbitro-crash.txt").read_text()
    assert "changed nothing" in result.stderr


# --- the real process -------------------------------------------------------------------------
def test_the_program_as_a_process(book: Path) -> None:
    """Exit code, JSON alone on the standard output in UTF-8, nothing else; also where no script is on the path."""
    done = subprocess.run([sys.executable, "-m", "assistant", "status", str(book), "--json"], capture_output=True,
                          check=False, env={**os.environ, "PYTHONUTF8": "1"})

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode())["command"] == "status"
    assert done.stderr == b""


def test_help_starts_quickly() -> None:
    """No command's own imports are made for --help."""
    program = ("import sys; from assistant.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
               "print([m for m in sys.modules if m.startswith('assistant.') and m.split('.')[1] in"
               " ('campaign', 'desk', 'workbook', 'reporting', 'rulesets', 'wording')], file=sys.stderr)")

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stderr.strip() == "['assistant.desk']"  # the door plate, which loads what is asked for
