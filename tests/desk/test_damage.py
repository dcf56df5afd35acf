"""A ledger that a disk, a stick or a cloud folder has changed: it is told, never believed, and rescued."""

from __future__ import annotations

import errno
import random
import re
import shlex
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import changes
from assistant.desk.results import Exit
from assistant.environment import backup_folder
from assistant.ledger import FORMAT, Ledger, path_of_ledger
from assistant.ledger import file as lock
from assistant.ledger.file import trouble_kind
from tests import hand
from tests.desk.conftest import without_marks
from tests.desk.ledgers import bytes_with_checksum, forget
from tests.playing import arbitro, codes_of
from tests.sweeps import fast_among

DAMAGED = "ARB-071"
FLIPS, SEED = 50, 13


def flipped(ledger: Path, bit: int) -> None:
    """One bit of a file turned."""
    content = bytearray(ledger.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    ledger.write_bytes(content)


# --- told ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", fast_among(range(FLIPS), 0, 12, 24, 36, 48))
def test_one_bit_is_told_by_every_command(number: int, played: Path) -> None:
    """Of fifty random bits none is passed over, none is believed, and none ends a command with a fault of ours."""
    rng, ledger = random.Random(f"{SEED} {number}"), path_of_ledger(played)
    flipped(ledger, rng.randrange(8 * ledger.stat().st_size))
    before = played.read_bytes(), ledger.read_bytes()

    assert desk.status(played).data["ledger"] == "unreadable"
    assert "ARB-383" in codes_of(desk.check(played))
    for command in (desk.resolve, desk.undo, desk.verify, desk.ledger_state):
        assert DAMAGED in codes_of(command(played))
    assert (played.read_bytes(), ledger.read_bytes()) == before


def test_what_somebody_wrote_over_a_secret_is_never_a_secret(played: Path) -> None:
    """Not even where SQLite finds nothing wrong with it: no dice are thrown from it."""
    with sqlite3.connect(path_of_ledger(played)) as db:
        db.execute("UPDATE records SET body = ? WHERE kind = 'turn'", (b"00" * 32,))
    db.close()

    assert codes_of(desk.resolve(played)) == [DAMAGED]


# --- rescued ------------------------------------------------------------------------------------
@pytest.mark.parametrize("harm", ["a bit", "cut short", "noise", "empty"])
def test_the_newest_whole_ledger_takes_the_place_of_a_damaged_one(harm: str, played: Path) -> None:
    """It lies among the backups; the damaged one stays beside, and of the workbook only the events and marks grow."""
    content = path_of_ledger(played).read_bytes()
    noise = random.Random(1).randbytes(len(content))
    path_of_ledger(played).write_bytes({"a bit": content[:-1] + bytes([content[-1] ^ 1]), "cut short": content[:5000],
                                 "noise": noise, "empty": b""}[harm])
    damaged, before = path_of_ledger(played).read_bytes(), without_marks(played)

    result = arbitro("ledger", played, "--rescue")

    assert result.exit_code == Exit.DONE, result.output
    assert "has taken the place of the damaged one" in result.output
    assert (played.parent / "war.arbitro.damaged-1").read_bytes() == damaged
    assert {change.sheet for change in changes(before, without_marks(played))} <= {"Events"}
    assert desk.status(played).data["ledger"] == "ok"


def test_a_sound_ledger_is_left_as_it_is(played: Path) -> None:
    """Nothing is put in its place."""
    before = path_of_ledger(played).read_bytes()

    result = desk.rescue_ledger(played, lang="en")

    assert (result.exit, result.lines[-1]) == (Exit.DONE, "The ledger war.arbitro is whole: nothing was changed.")
    assert path_of_ledger(played).read_bytes() == before


def test_an_older_ledger_that_is_sound_is_called_so(played: Path) -> None:
    """A rescue takes the one that knows more of the workbook; what lay there was not damaged."""
    old = path_of_ledger(played).read_bytes()
    desk.resolve(played, defaults=True)
    newest = path_of_ledger(played).read_bytes()
    (played.parent / "last night.arbitro").write_bytes(newest)
    path_of_ledger(played).write_bytes(old)

    result = desk.rescue_ledger(played, lang="en")

    assert (result.exit, result.data["kept"]) == (Exit.DONE, "war.arbitro.older-1")
    assert result.lines[-1] == ("The whole ledger last night.arbitro knows more of the workbook and has taken the place"
                                " of the older one, which lies beside it as war.arbitro.older-1.")
    assert (path_of_ledger(played).read_bytes(), (played.parent / "war.arbitro.older-1").read_bytes()) == (newest, old)


def test_no_rescue_goes_back_behind_a_renewed_secret(played: Path) -> None:
    """The dice that were promised since stay; the ledgers of before lie aside as they were."""
    backups = {path.name: path.read_bytes() for path in backup_folder(played).glob("*.arbitro")}
    assert desk.renew_ledger(played, secret="77" * 32).exit == Exit.DONE
    path_of_ledger(played).write_bytes(b"noise")

    assert desk.rescue_ledger(played).exit == Exit.DONE

    with Ledger.open(path_of_ledger(played), "") as ledger:
        assert ledger.secret.hex() == "77" * 32
    aside = {path.name.removesuffix(".old-1"): path.read_bytes() for path in backup_folder(played).glob("*.old-1")}
    assert aside
    assert aside.items() <= backups.items()
    assert not {*backups} & {path.name for path in backup_folder(played).glob("*.arbitro")}


def test_what_is_no_damage_is_left_as_it_is(played: Path) -> None:
    """The ledger of a newer Arbitro is whole: nothing takes its place."""
    with closing(sqlite3.connect(path_of_ledger(played))) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT + 1),))
    path_of_ledger(played).write_bytes(bytes_with_checksum(path_of_ledger(played).read_bytes()))
    before = path_of_ledger(played).read_bytes()

    result = desk.rescue_ledger(played)

    assert (result.exit, codes_of(result)) == (Exit.LEDGER, ["ARB-073"])
    assert path_of_ledger(played).read_bytes() == before


# --- busy, full, read-only ------------------------------------------------------------------------
def test_a_busy_ledger_is_waited_for_and_then_called_busy(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never damaged, and nobody is advised to start a new one; who only looks need not wait."""
    monkeypatch.setattr(lock, "LOCK_TIMEOUT", 0.2)
    with lock.ledger_lock(path_of_ledger(played)):
        result = desk.resolve(played, lang="en")
        seen = desk.status(played, lang="en")

    assert (result.exit, codes_of(result)) == (Exit.FILE, ["ARB-380"])
    assert seen.data["ledger"] == "ok"
    assert "--renew" not in result.finding_lines()[0]


def test_a_ledger_that_is_let_go_in_time_is_used(played: Path) -> None:
    """Another command needs it for a second."""
    gone, there = threading.Event(), threading.Event()

    def hold() -> None:
        with lock.ledger_lock(path_of_ledger(played)):
            there.set()
            gone.wait(0.5)

    holder = threading.Thread(target=hold)
    holder.start()
    there.wait(5)
    assert desk.resolve(played, defaults=True).exit in (Exit.DONE, Exit.WAITING)
    holder.join()


@pytest.mark.parametrize(("number", "kind"), [
    (errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EROFS, "denied"), (errno.EACCES, "denied"),
    (errno.EIO, "unwritable")])
def test_what_the_machine_says_is_told_apart(number: int, kind: str) -> None:
    """A full disk and a folder that may not be written are no damage."""
    assert trouble_kind(OSError(number, "said so")) == kind


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
        path_of_ledger(played).unlink()
    else:
        path_of_ledger(played).write_bytes(b"noise" * 1000)

    result = desk.check(played, lang="en")

    [line] = [line for line in result.finding_lines() if "ARB-383" in line]
    assert "Nobody can tell what was changed by hand" in line
    assert cure in line


def test_a_cell_that_was_typed_is_named_after_a_rescue(played: Path) -> None:
    """With both values, as one of those that nobody can prove; what the line says to type works as it stands there."""
    chest_by_hand(played)
    path_of_ledger(played).write_bytes(b"noise" * 1000)
    assert arbitro("ledger", played, "--rescue").exit_code == Exit.DONE
    [line] = [line for line in desk.check(played, lang="en").finding_lines() if "ARB-396" in line]
    [cell, was] = re.findall(r"Factions!(\w+) \((\d+) → 9999\)", line)[0]

    file = hand.opened(played)
    file["Factions"][cell].value = int(was)
    file.save(played)

    assert arbitro(*shlex.split(line.split("keep it: arbitro ")[1])).exit_code == Exit.DONE
    left = desk.check(played, lang="en")
    assert {*codes_of(left)} <= {"ARB-396"}
    assert not [line for line in left.finding_lines() if f"Factions!{cell}" in line]


def test_a_campaign_id_that_was_typed_over_is_named_with_its_cell(played: Path) -> None:
    """By status, check and resolve: the ledger knows what stood there."""
    file = hand.opened(played)
    with Ledger.open(path_of_ledger(played), "") as ledger:
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
    forget(path_of_ledger(played), "piece")
    chest_by_hand(played)

    assert "ARB-383" in codes_of(desk.check(played))
