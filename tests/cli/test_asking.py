"""A referee at a terminal is asked before orders are refused; a script is not. Through a real terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.campaign.records import Order
from assistant.cli.app import make_app, run
from assistant.desk.crash_report import CRASH_FILE
from assistant.ledger import path_of_ledger
from assistant.testing.cases import campaign_of
from assistant.turn.rulebooks import load
from tests.playing import arbitro, copy_campaign

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "import sys; from assistant.cli import main; main(sys.argv[1:])"
LONGEST = 60
ASKED = {"en": "Resolve without these orders? [y/N]", "it": "Risolvere senza questi ordini? [s/N]"}


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign whose next phase would refuse an order: Florence moves money that it has not got."""
    book = tmp_path_factory.mktemp("asking") / "war.xlsx"
    for result in (arbitro("new", "giglio", book, "--secret", "ab" * 32, "--language", "en"),
                   arbitro("resolve", book), arbitro("orders", book, "F: recruit F1 99999")):
        assert result.exit_code in (0, 1), result.output
    return book


@pytest.fixture
def book(waiting: Path, tmp_path: Path) -> Path:
    """A copy of one's own."""
    return copy_campaign(waiting, tmp_path)


def at_terminal(typed: str, *words: str) -> tuple[int, str]:
    """Run the program at a terminal and type something when it asks; its exit code and what it showed.

    `typed`: "" to type nothing, should it ask it would wait for ever.
    """
    ours, its = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", COMMAND, *words], stdin=its, stdout=its, stderr=its, cwd=ROOT,
                               env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}, close_fds=True)
    os.close(its)
    shown, end = b"", time.monotonic() + LONGEST
    try:
        while time.monotonic() < end:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the terminal is gone with the process
                break
            if not piece:
                break
            shown += piece
            if typed and b"/N] " in shown:
                os.write(ours, typed.encode())
                typed = ""
        return process.wait(5), shown.decode("utf-8", "replace")
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "typed"), [("en", "\n"), ("en", "n\n"), ("it", "no\n"), ("it", "\x04")])
def test_no_changes_nothing(book: Path, lang: str, typed: str) -> None:
    """Also when just Enter is pressed, or the terminal is closed: exit code 1, the finding shown once."""
    before = book.read_bytes(), path_of_ledger(book).read_bytes()
    code, shown = at_terminal(typed, "--lang", lang, "resolve", str(book))

    assert code == 1, shown
    assert shown.count(ASKED[lang]) == 1
    assert shown.count("GIG-") == shown.split(ASKED[lang])[0].count("GIG-") == 1
    assert ("Nothing was changed" if lang == "en" else "Non è cambiato nulla") in shown
    assert (book.read_bytes(), path_of_ledger(book).read_bytes()) == before


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "typed"), [("en", "y\n"), ("it", "s\n"), ("it", "Sì\n"), ("it", "y\n")])
def test_yes_goes_on_without_the_order(book: Path, lang: str, typed: str) -> None:
    """The phase is resolved or waits for answers, as without a terminal."""
    before = book.read_bytes()
    code, shown = at_terminal(typed, "--lang", lang, "resolve", str(book), "--defaults")

    assert code == 0, shown
    assert ASKED[lang] in shown
    assert book.read_bytes() != before


@pytest.mark.slow
def test_the_option_yes_is_not_asked(book: Path) -> None:
    """--yes agrees beforehand."""
    code, shown = at_terminal("", "--lang", "en", "resolve", str(book), "--defaults", "--yes")

    assert code == 0, shown
    assert ASKED["en"] not in shown


@pytest.mark.slow
def test_strict_stops_without_a_question(book: Path) -> None:
    """--strict has said no beforehand."""
    before = book.read_bytes()
    code, shown = at_terminal("", "--lang", "en", "resolve", str(book), "--strict")

    assert code == 1, shown
    assert ASKED["en"] not in shown
    assert book.read_bytes() == before


def test_a_script_is_not_asked(book: Path) -> None:
    """Without a terminal the phase goes on without the order, as the rulebook says."""
    result = arbitro("resolve", book, "--defaults")

    assert result.exit_code == 0
    assert ASKED["en"] not in result.output
    assert "GIG-" in result.output


# --- what is kept after a crash -----------------------------------------------------------------------
SECRET = "c0ffee" * 8


@pytest.mark.parametrize("words", [["--secret", SECRET], [f"--secret={SECRET}"]])
def test_what_is_kept_of_a_crash_does_not_hold_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                          words: list[str]) -> None:
    """It is sent to strangers; all dice follow from the secret."""
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"while drawing {SECRET}")

    monkeypatch.setattr("assistant.desk.renew_ledger", fault)
    book = tmp_path / "war.xlsx"
    book.write_bytes(b"book")

    assert run(["ledger", str(book), "--renew", *words], make_app) == 70
    kept = (tmp_path / CRASH_FILE).read_text(encoding="utf-8")
    assert "ZeroDivisionError" in kept
    assert "--renew --secret" in kept
    assert "c0ffee" not in kept


# --- a line that was not understood ------------------------------------------------------------------------
TAKE_IT = {"en": "Take it as proposed? [y/N]", "it": "La prendo così? [s/N]"}
LINES = ("V: r1: stay V-2", "V: r1: V-1 moves V6 V5 rubbish", "V: r1: pay M 5")
"""Of these the second is none, and may mean one thing."""


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "typed", "verbs"), [
    ("en", "y\n", ["stay", "move", "pay"]), ("it", "sì\n", ["stay", "move", "pay"]), ("en", "\n", ["stay", "pay"]),
    ("it", "\x04", ["stay", "pay"])])
def test_a_yes_takes_what_is_proposed_for_a_line(book: Path, lang: str, typed: str, verbs: list[str]) -> None:
    """In its place between the others; without a yes it is no order, and the answer says so once more."""
    code, shown = at_terminal(typed, "--lang", lang, "orders", str(book), *LINES)
    rows = sorted((row for row in campaign_of(book).table(Order) if row.faction == "V"),
                  key=lambda row: int(row.seq or 0))

    assert [load("giglio").read(row.text, campaign_of(book), "V").fields["verb"] for row in rows] == verbs
    assert code == (0 if "move" in verbs else 1), shown
    assert (shown.count(TAKE_IT[lang]), shown.count("ARB-333")) == (1, 1 if "move" in verbs else 2)


@pytest.mark.slow
def test_a_script_is_not_asked_whether_to_take_a_proposal(book: Path) -> None:
    """The line is named, the others are taken."""
    done = arbitro("orders", book, *LINES)

    assert done.exit_code == 1
    assert TAKE_IT["en"] not in done.output
    assert "(ARB-333)" in done.stdout
