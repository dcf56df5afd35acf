"""What lies beside a workbook is told by every command that changes something: copies that a cloud folder made, and
what another program saved at the moment when the workbook was replaced.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant import desk, environment
from assistant.cli import main
from assistant.cli.app import make_app
from assistant.ledger import path_of_ledger
from tests.desk.conftest import copied
from tests.desk.test_damage import chest_by_hand

pytestmark = pytest.mark.slow

COPIES = ("ARB-147", "ARB-385")
"""The codes of a second copy of the workbook and of its ledger."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "orders": ("A: M2",), "resolve": (), "accept": ("--all", "--why", "a prize"), "revert": ("--all",),
    "decide": (),
    "check": ("--mark",), "undo": (), "redo": (), "correct": ("battle B1.M1 A 2", "--why", "misread", "--commit"),
    "ledger": ("--renew",), "map": ("--sheet",), "share": ("{out}", "--renew", "A"), "collect": ("{out}",),
    "send": ("--out", "{out}"), "remind": ("--out", "{out}"), "report": ("--out", "{out}"), "status": (),
    "answers": (), "publish": ("--out", "{out}"), "verify": (), "history": (), "export": ("--out", "{out}"),
    "standings": (), "luck": (), "odds": (), "rehearse": ("--plays", "2"), "house": (),
    "simulate": ("--campaigns", "1", "--turns", "1", "--out", "{out}/lab"),
    "verbs": (), "chronicle": ("--out", "{out}")}
"""Each command that is given a campaign's workbook, with what it needs besides."""
NO_CAMPAIGN = {"demo", "new", "adopt", "buttons", "setup", "doctor", "post", "rules", "rulesets", "help"}
"""They make a campaign, or have nothing to do with one."""
CHANGING = {"orders", "resolve", "accept", "revert", "decide", "check", "undo", "redo", "correct", "ledger", "map",
            "share", "collect", "send"}
"""Those that change workbook or ledger with these words: a list by hand would miss one, so each is looked at."""


def with_copies(book: Path) -> None:
    """Let a second copy lie beside the workbook and one beside its ledger."""
    shutil.copyfile(book, book.with_name("war (1).xlsx"))
    shutil.copyfile(path_of_ledger(book), path_of_ledger(book).with_name("war (1).arbitro"))


def ready_for(command: str, book: Path) -> None:
    """What there must be for a command to have something to do."""
    if command in ("accept", "revert", "decide"):
        chest_by_hand(book)
    elif command == "redo":
        assert desk.undo(book).exit == desk.Exit.DONE
    elif command == "collect":
        (book.parent / "out").mkdir()
        (book.parent / "out" / "A.txt").write_text("A: M2\n")


def carried_out(command: str, book: Path) -> tuple[bool, list[str]]:
    """Whether a command has changed workbook or ledger, and the codes of its findings."""
    before = [one.read_bytes() for one in (book, path_of_ledger(book))]
    words = [word.format(out=book.parent / "out") for word in COMMANDS[command]]
    done = CliRunner().invoke(main, [command, str(book), *words, "--json"])
    said = json.loads(done.stdout)
    return [one.read_bytes() for one in (book, path_of_ledger(book))] != before, [f["code"] for f in said["findings"]]


def late(monkeypatch: pytest.MonkeyPatch, book: Path, content: bytes, *, swapped: bool) -> None:
    """Let another program replace the workbook right after the last look; `swapped`: whether the system can let two
    files change places.
    """
    real = environment.swap_function

    def found() -> Callable[..., int] | None:
        other = book.with_name("of another program")
        other.write_bytes(content)
        os.replace(other, book)
        return real() if swapped else None

    monkeypatch.setattr(environment, "swap_function", found)


def test_the_commands_are_all_looked_at() -> None:
    """Whoever adds one says here what it needs, or that it has nothing to do with a campaign."""
    assert {*COMMANDS} | NO_CAMPAIGN == {*make_app("en").makers}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_changes_something_names_the_copies_once(command: str, first_turn: Path, tmp_path: Path) -> None:
    """Of the workbook and of the ledger, however the command goes on."""
    book = copied(first_turn, tmp_path)
    ready_for(command, book)
    with_copies(book)
    changed, codes = carried_out(command, book)

    assert changed == (command in CHANGING), codes
    if changed:
        assert [codes.count(code) for code in COPIES] == [1, 1], codes


def test_who_only_looks_names_them_too(book: Path) -> None:
    """As ever: check and status."""
    with_copies(book)
    for looked in (desk.check(book), desk.status(book)):
        assert [f.code for f in looked.findings] == [*COPIES]


def typed_into(book: Path, place: Path) -> bytes:
    """What another program saves: the workbook with an order more."""
    other = copied(book.parent, place)
    assert desk.take_orders(other, [desk.Input("B: M1", text="B: M1")]).exit == desk.Exit.DONE
    return other.read_bytes()


def test_what_is_saved_while_a_command_writes_is_kept_and_told(book: Path, monkeypatch: pytest.MonkeyPatch,
                                                                tmp_path_factory: pytest.TempPathFactory) -> None:
    """The workbook is what the ledger knows; what came late lies beside it, with what it has more, until it is gone."""
    saved = typed_into(book, tmp_path_factory.mktemp("other"))
    with monkeypatch.context() as there:
        late(there, book, saved, swapped=True)
        done = desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])
    beside = book.with_name("war (saved meanwhile).xlsx")

    assert (done.exit, [f.code for f in done.findings]) == (desk.Exit.DONE, ["ARB-394"])
    assert {key: done.findings[0].data[key] for key in ("copy", "book", "n")} == {
        "copy": beside.name, "book": book.name, "n": 1}
    assert beside.read_bytes() == saved
    assert desk.verify(book).data["verified"]
    assert [f.code for f in desk.status(book).findings] == ["ARB-394"]
    assert desk.resolve(book, timing=desk.Timing(auto=True)).exit == desk.Exit.WAITING
    assert desk.take_orders(book, [desk.Input(beside.name, beside)]).exit == desk.Exit.DONE
    assert desk.check(book).findings[0].data["n"] == 0
    beside.unlink()
    assert desk.resolve(book, timing=desk.Timing(auto=True)).findings == []


def test_where_files_cannot_change_places_what_is_saved_keeps_its_place(book: Path, monkeypatch: pytest.MonkeyPatch,
                                                                        tmp_path_factory: pytest.TempPathFactory
                                                                        ) -> None:
    """A second look sees it; nothing was changed, and the command can be given again."""
    saved = typed_into(book, tmp_path_factory.mktemp("other"))
    with monkeypatch.context() as there:
        late(there, book, saved, swapped=False)
        refused = desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])

    assert (refused.exit, [f.code for f in refused.findings]) == (desk.Exit.FILE, ["ARB-077"])
    assert book.read_bytes() == saved
    assert not book.with_name("war (saved meanwhile).xlsx").exists()
