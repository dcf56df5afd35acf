"""A ledger that a disk, a stick or a cloud folder has changed: it is told, never believed, and rescued."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant import desk
from assistant.cli import main
from assistant.desk.results import Exit
from assistant.ledger import Ledger, LedgerTrouble, Mail, Mark, path_of, vault
from tests import hand
from tests.desk.conftest import copied
from tests.desk.ledgers import as_of_old, forget
from tests.desk.test_safety import codes_of
from tests.sweeps import thinned

DAMAGED = "ARB-071"
FLIPS, SEED = 100, 13
LOOKS = (desk.status, desk.check, desk.history, desk.verify, desk.ledger_state)


@pytest.fixture
def played(first_turn: Path, tmp_path: Path) -> Path:
    """A campaign of a turn and a half, to be damaged."""
    return copied(first_turn, tmp_path)


def flipped(ledger: Path, bit: int) -> None:
    """One bit of a file turned."""
    content = bytearray(ledger.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    ledger.write_bytes(content)


def place_of(ledger: Path, kind: str, name: str) -> int:
    """Where in the file the bytes of a record lie."""
    with closing(vault.Vault(vault.connect(ledger, "ro"))) as records:
        body = records.need(kind, name)
    return ledger.read_bytes().index(body[-40:]) + 20


# --- told ---------------------------------------------------------------------------------------
def test_one_bit_in_a_snapshot_is_damage_for_who_needs_it(played: Path) -> None:
    """`status` works and says so, `undo` refuses and names the cure; nothing is changed."""
    flipped(path_of(played), 8 * place_of(path_of(played), "book", "00000001"))
    before = played.read_bytes(), path_of(played).read_bytes()

    seen, undone = desk.status(played, lang="en"), desk.undo(played, snapshot=1, lang="en")

    assert (seen.exit, seen.data["ledger"]) == (Exit.DONE, "unreadable")
    assert f"arbitro ledger {played} --rescue" in "\n".join(seen.lines)
    assert (undone.exit, codes_of(undone)) == (Exit.LEDGER, [DAMAGED])
    assert (played.read_bytes(), path_of(played).read_bytes()) == before


def test_what_somebody_wrote_over_a_secret_is_never_a_secret(played: Path) -> None:
    """Not even where SQLite finds nothing wrong with it: no dice are thrown from it."""
    with sqlite3.connect(path_of(played)) as db:
        db.execute("UPDATE records SET body = ? WHERE kind = 'turn'", (b"00" * 32,))
    db.close()

    assert codes_of(desk.resolve(played)) == [DAMAGED]


@pytest.mark.parametrize("number", thinned(range(FLIPS), 12))
def test_no_bit_makes_a_fault_of_ours(number: int, played: Path) -> None:
    """Of a hundred random bits, half of them where the records' structure lies, none ends a command with 70."""
    rng, ledger = random.Random(f"{SEED} {number}"), path_of(played)
    size = ledger.stat().st_size
    flipped(ledger, rng.randrange(8 * (size if number % 2 else min(size, 32768))))

    for look in LOOKS:
        assert look(played).exit in (Exit.DONE, Exit.REFUSED, Exit.LEDGER)
    assert desk.status(played).exit == Exit.DONE
    assert desk.undo(played).exit in (Exit.DONE, Exit.LEDGER)
    assert desk.rescue_ledger(played).exit in (Exit.DONE, Exit.REFUSED)
    assert desk.status(played).data["ledger"] == "ok"
    assert desk.resolve(played, defaults=True).exit in (Exit.DONE, Exit.REFUSED, Exit.LEDGER, Exit.WAITING)


# --- rescued ------------------------------------------------------------------------------------
def promises_of(book: Path) -> tuple[bytes, dict[str, dict[str, str]]]:
    """The secret and what was promised by it."""
    with Ledger.open(path_of(book), "") as ledger:
        return ledger.secret, ledger.commitments()


def test_secrets_and_promises_are_rescued_from_a_file_whose_structure_is_gone(played: Path) -> None:
    """SQLite opens it no more: its first page is nothing but noise."""
    before = promises_of(played)
    content = path_of(played).read_bytes()
    path_of(played).write_bytes(content[:16] + random.Random(1).randbytes(84 + 400) + content[500:])
    assert desk.status(played).data["ledger"] == "unreadable"

    result = CliRunner().invoke(main, ["--lang", "en", "ledger", str(played), "--rescue"])

    assert result.exit_code in (Exit.DONE, Exit.REFUSED)
    assert "the secret of the dice" in result.output
    assert promises_of(played) == before
    assert (played.parent / "war.arbitro.damaged-1").is_file()


def test_what_was_lost_is_listed_and_the_rest_goes_on(played: Path) -> None:
    """A snapshot is gone, and those that are kept as what differs from it; what stood in the cells is known."""
    flipped(path_of(played), 8 * place_of(path_of(played), "book", "00000001"))

    result = desk.rescue_ledger(played, lang="en")

    assert result.exit == Exit.REFUSED
    assert result.data["unkept"][0] == 1
    assert desk.undo(played, hard=True, snapshot=1).exit == Exit.LEDGER
    assert codes_of(desk.undo(played, hard=True, snapshot=1)) == ["ARB-382"]
    assert desk.verify(played).data["verified"]
    undone = desk.undo(played, lang="en")
    assert (undone.exit, undone.data["phase"]) == (Exit.DONE, "march")


def test_a_sound_ledger_is_rescued_as_it_was(played: Path) -> None:
    """Nothing is lost, and the very bytes come back."""
    with Ledger.open(path_of(played), "") as ledger:
        before = [ledger.book(step.id) for step in ledger.steps()]

    result = desk.rescue_ledger(played, lang="en")

    assert (result.exit, result.lines[-1]) == (Exit.DONE, "Nothing was lost.")
    with Ledger.open(path_of(played), "") as ledger:
        assert [ledger.book(step.id) for step in ledger.steps()] == before


@pytest.mark.parametrize("number", [1, 2])
def test_an_earlier_ledger_is_rescued_too(number: int, played: Path) -> None:
    """Of formats 1 and 2 SQLite gives what it can, from either end."""
    before = promises_of(played)
    as_of_old(path_of(played), number)
    content = bytearray(path_of(played).read_bytes())
    middle = len(content) // 2
    content[middle:middle + 8192] = random.Random(2).randbytes(8192)
    path_of(played).write_bytes(content)

    assert desk.rescue_ledger(played).exit in (Exit.DONE, Exit.REFUSED)
    assert promises_of(played) == before
    assert desk.status(played).data["ledger"] == "ok"


@pytest.mark.parametrize(("kind", "name", "said"), [
    ("turn", "1", "promised of the dice of these turns"), ("mail", "two@x", "noted of 1 mail"),
    ("said", "A", "noted of 1 mail"), ("meta", "copies", "which clubs' codes were renewed")])
def test_promises_mails_and_notes_that_are_lost_are_listed(kind: str, name: str, said: str, played: Path) -> None:
    """A mail that is forgotten would leave once more, a renewal that is forgotten would let an old code in."""
    with Ledger.open(path_of(played), "", write=True) as ledger:
        ledger.note("copies", '{"A": 1}')
        mails = [Mail(one, "report", "A", "1", "march", 1, "", "", {"a@x": Mark("taken")}) for one in ("1@x", "two@x")]
        ledger.outbox.record([(mail, b"") for mail in mails], [("A", "", "what it said")])
    with closing(sqlite3.connect(path_of(played))) as db, db:
        db.execute("UPDATE records SET seal = x'00' WHERE kind = ? AND name = ?", (kind, name))

    result = desk.rescue_ledger(played, lang="en")

    assert result.exit == Exit.REFUSED
    assert said in "\n".join(result.lines)


def test_rows_that_are_lost_keep_nobody_from_verifying(played: Path) -> None:
    """What stood in the cells is read from the workbooks then, and a rescued ledger is never damaged still."""
    with closing(sqlite3.connect(path_of(played))) as db, db:
        db.execute("UPDATE records SET seal = x'00' WHERE kind = 'chunk'")

    desk.rescue_ledger(played)

    assert desk.verify(played).data["verified"]
    assert desk.undo(played).exit == Exit.DONE


# --- busy, full, read-only ------------------------------------------------------------------------
@contextmanager
def held(ledger: Path) -> Iterator[sqlite3.Connection]:
    """Another program has the file for itself."""
    with closing(sqlite3.connect(ledger, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        yield holder


def test_a_busy_ledger_is_waited_for_and_then_called_busy(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never damaged, and nobody is advised to start a new one."""
    monkeypatch.setattr(vault, "PATIENCE", 0.2)
    with held(path_of(played)):
        result = desk.resolve(played, lang="en")
        seen = desk.status(played, lang="en")

    assert (result.exit, codes_of(result)) == (Exit.LEDGER, ["ARB-380"])
    assert seen.data["ledger"] == "busy"
    assert "--renew" not in "\n".join(seen.lines) + result.finding_lines()[0]


def test_a_ledger_that_is_let_go_in_time_is_used(played: Path) -> None:
    """A network, or a cloud folder, holds it for a second."""
    with held(path_of(played)) as holder:
        timer = threading.Timer(1, lambda: holder.execute("ROLLBACK"))
        timer.start()
        assert desk.status(played).data["ledger"] == "ok"
        timer.join()


@pytest.mark.parametrize(("code", "kind"), [
    (sqlite3.SQLITE_BUSY, "busy"), (sqlite3.SQLITE_BUSY_RECOVERY, "busy"), (sqlite3.SQLITE_FULL, "full"),
    (sqlite3.SQLITE_READONLY_ROLLBACK, "denied"), (sqlite3.SQLITE_CANTOPEN, "denied"),
    (sqlite3.SQLITE_IOERR_WRITE, "unwritable"), (sqlite3.SQLITE_IOERR_LOCK, "busy"),
    (sqlite3.SQLITE_CORRUPT, "unreadable"), (sqlite3.SQLITE_NOTADB, "unreadable"),
    (sqlite3.SQLITE_ERROR, "unreadable")])
def test_what_sqlite_says_is_told_apart(code: int, kind: str) -> None:
    """Only what it calls corrupt, or what is no such file, is damage."""
    fault = sqlite3.OperationalError("said so")
    fault.sqlite_errorcode = code

    with pytest.raises(LedgerTrouble) as caught, vault.told():
        raise fault
    assert caught.value.kind == kind


# --- what check cannot tell -------------------------------------------------------------------------
def chest_by_hand(book: Path) -> None:
    """Somebody types 9,999 into a chest."""
    file = hand.opened(book)
    rows = list(file["Factions"].iter_rows())
    column = next(c.column for row in rows for c in row if c.value == "Gold")
    row = next(row for row in rows if row[0].value == "A")
    row[column - 1].value = 9999
    file.save(book)


@pytest.mark.parametrize(("harm", "cure"), [("missing", "--renew"), ("damaged", "--rescue")])
def test_check_says_where_it_cannot_tell(played: Path, harm: str, cure: str) -> None:
    """In one line, with the cure: a chest of 9,999 is not passed over in silence."""
    chest_by_hand(played)
    if harm == "missing":
        path_of(played).unlink()
    else:
        path_of(played).write_bytes(b"noise" * 1000)

    result = desk.check(played, lang="en")

    [line] = [line for line in result.finding_lines() if "ARB-383" in line]
    assert "Nobody can tell what was changed by hand" in line
    assert cure in line


def test_a_campaign_id_that_was_typed_over_is_named_with_its_cell(played: Path) -> None:
    """By status, check and resolve: the ledger knows what stood there."""
    file = hand.opened(played)
    with Ledger.open(path_of(played), "") as ledger:
        known = ledger.campaign
    cell = next(c for row in file["Desk"].iter_rows() for c in row if c.value == known)
    cell.value = "abcdef012345"
    file.save(played)

    said = f"type {known} into Desk.{cell.coordinate}"
    for result in (desk.check(played, lang="en"), desk.resolve(played, lang="en")):
        assert said in "\n".join(result.finding_lines()).replace("Desk!", "Desk.")
    assert said in "\n".join(desk.status(played, lang="en").lines).replace("Desk!", "Desk.")


def test_a_ledger_without_its_rows_is_damaged_and_not_of_another_time(played: Path) -> None:
    """Chunks that the fingerprints name are gone."""
    forget(path_of(played), "chunk")
    chest_by_hand(played)

    assert "ARB-383" in codes_of(desk.check(played))


def test_the_old_one_stays_under_a_name_of_its_own(played: Path) -> None:
    """Whoever rescues twice loses neither."""
    for _ in range(2):
        desk.rescue_ledger(played)

    assert sorted(one.name for one in played.parent.glob("*.damaged-*")) == [
        "war.arbitro.damaged-1", "war.arbitro.damaged-2"]
    shutil.rmtree(played.parent)
