"""The ledger: secrets that stay the same, promises that hold, snapshots that survive a crash."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from pathlib import Path
from typing import BinaryIO

import pytest

from assistant import desk
from assistant.ledger import (
    FORMAT,
    Fingerprints,
    Ledger,
    LedgerStep,
    LedgerTrouble,
    PlannedStep,
    campaign_id,
    file,
    ledger_condition,
    path_of_ledger,
    secret_audiences,
    sha256,
)
from assistant.ledger.file import History, RecordStore, compress_content, record_name
from assistant.turn.dice import audience_secret
from tests.desk.ledgers import bytes_with_checksum, crashed

SAMPLES = Path(__file__).parents[1] / "samples"
SECRET = bytes(range(32))
CAMPAIGN = campaign_id(SECRET)
AFTER = sha256(b"after")
INCOME = PlannedStep("resolve", "1500", "income", stands=("1500", ("V", "M")))
BUDGET = PlannedStep("resolve", "1500", "budget", given={"q": "robot"}, stands=("1501", ("V", "M")), records=b"rows")
ASKED = PlannedStep("wait", "1501", "income", records=b"more rows")


@pytest.fixture(autouse=True, params=[False, True], ids=["open files may go", "open files stay"])
def open_files_stay(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the system refuses to replace a file that is open, as Windows does."""
    monkeypatch.setattr(file, "OPEN_FILES_STAY", request.param)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fresh ledger's file."""
    place = tmp_path / "war.arbitro"
    Ledger.create(place, CAMPAIGN, SECRET).close()
    return place


def test_it_lies_beside_the_workbook() -> None:
    """The same name with the ending .arbitro."""
    assert path_of_ledger(Path("club/war.xlsx")) == Path("club/war.arbitro")


def test_the_secret_of_a_turn_is_always_the_same(path: Path) -> None:
    """Drawn from the campaign's secret and the turn, stored or not."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        before = ledger.turn_secret("1500")
        ledger.commit_turn("1500", ["V", "M"])

        assert ledger.turn_secret("1500") == before
        assert ledger.turn_secret("1501") != before


def test_what_is_promised_is_what_is_revealed(path: Path) -> None:
    """The SHA-256 of each revealed secret is its commitment, and the secret is the one dice are made from."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.commit_turn("1500", ["V", "M"])
        promised, revealed = ledger.commitments()["1500"], ledger.secrets("1500")

        assert set(promised) == {"public", "referee", "M", "V", "M+V"}
        assert all(hashlib.sha256(bytes.fromhex(revealed[who])).hexdigest() == promised[who] for who in promised)
        assert bytes.fromhex(revealed["M+V"]) == audience_secret(ledger.turn_secret("1500"), "1500", "M+V")


def test_a_promise_is_never_changed(path: Path) -> None:
    """A second commitment of the same turn leaves the first."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.commit_turn("1500", ["V", "M"])
        before = ledger.commitments()
        ledger.commit_turn("1500", ["V", "M", "F"])

        assert ledger.commitments() == before


def test_audiences_are_all_one_and_two_factions() -> None:
    """Public, the referee, each faction, each pair."""
    assert secret_audiences(["V", "M"]) == ["public", "referee", "M", "V", "M+V"]


def test_a_missing_ledger_is_said(tmp_path: Path) -> None:
    """No file: missing."""
    assert ledger_condition(tmp_path / "none.arbitro", CAMPAIGN) == "missing"


def test_another_campaigns_ledger_is_said(path: Path) -> None:
    """Another id: foreign."""
    assert ledger_condition(path, "other") == "foreign"


def test_a_damaged_ledger_is_said(path: Path) -> None:
    """No database: unreadable."""
    path.write_bytes(b"SQLite format 3\x00 and then nothing of the kind" * 40)

    assert ledger_condition(path, CAMPAIGN) == "unreadable"


def test_an_empty_file_is_a_damaged_ledger(path: Path) -> None:
    """An empty file is a valid empty database, but no ledger."""
    path.write_bytes(b"")

    assert ledger_condition(path, CAMPAIGN) == "unreadable"


def test_a_newer_ledger_is_said(path: Path) -> None:
    """A format from the future: newer."""
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT + 1),))
    db.close()
    path.write_bytes(bytes_with_checksum(path.read_bytes()))

    assert ledger_condition(path, CAMPAIGN) == "newer"


def test_a_format_that_nobody_reads_any_more_is_said(path: Path) -> None:
    """A format from before ledgers had checksums: old."""
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET value = '2' WHERE key = 'format'")
        db.execute("PRAGMA user_version = 0")
    db.close()

    assert ledger_condition(path, CAMPAIGN) == "old"


def test_a_snapshot_gives_the_bytes_back(path: Path) -> None:
    """What was stored before a change comes out as it went in."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        step = ledger.change([INCOME], b"before", AFTER)

        assert ledger.book(step) == b"before"
        assert ledger.line == (step,)


def test_a_change_that_was_not_made_leaves_nothing(path: Path) -> None:
    """The ledger is as it was, and nothing lies beside it."""
    def refused() -> None:
        raise PermissionError

    before = path.read_bytes()
    with Ledger.open(path, CAMPAIGN) as ledger:
        with pytest.raises(PermissionError):
            ledger.change([INCOME], b"before", AFTER, meanwhile=refused)

        assert (ledger.steps(), path.read_bytes()) == ([], before)
    assert not file.new_file_path(path).exists()


@pytest.mark.parametrize(("book", "made"), [(b"before", False), (b"after", True)])
def test_a_crash_is_settled_by_looking_at_the_workbook(path: Path, book: bytes, made: bool) -> None:
    """A change whose ledger lies ready was made if the workbook is the one that it leads to."""
    crashed(path, [INCOME], b"before", AFTER)
    with Ledger.open(path, CAMPAIGN) as ledger:
        assert ledger.steps() == []
        ledger.settle(book)

        assert ledger.line == ((1,) if made else ())
        assert [s.state for s in ledger.steps()] == (["done"] if made else [])
    assert not file.new_file_path(path).exists()


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["warriors", "warriors-map"])
@pytest.mark.parametrize(("book", "made"), [(b"before", False), (b"after", True)])
def test_a_crash_in_the_first_change_of_an_older_ledger_is_settled(tmp_path: Path, sample: str, book: bytes,
                                                                   made: bool) -> None:
    """The ready file has the format of today, and follows the one that lies there with the older one."""
    path = tmp_path / "war.arbitro"
    shutil.copyfile(SAMPLES / sample / "warriors.arbitro", path)
    crashed(path, [INCOME], b"before", AFTER)
    with Ledger.open(path, "") as ledger:
        before = len(ledger.steps())
        ledger.settle(book)

        assert len(ledger.steps()) == before + made


@pytest.mark.parametrize(("chain", "made"), [
    (["", "1-a"], False), (["", "1-a", "2-b"], True), (["3-c"], False), ([], False)])
def test_a_workbook_that_another_program_saved_after_a_crash_is_known_by_its_mark(path: Path, chain: list[str],
                                                                                   made: bool) -> None:
    """Its bytes are others: the change was made if the workbook bears its mark."""
    crashed(path, [INCOME], b"before", AFTER, mark="2-b", chain=["", "1-a"])
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.settle(b"saved by another program", chain=chain)

        assert [s.state for s in ledger.steps()] == (["done"] if made else [])


def test_nothing_else_is_written_over_a_ready_ledger(path: Path) -> None:
    """Its change may have been made: a note waits until that is settled, and so does an undo that cannot tell."""
    crashed(path, [INCOME], b"before", AFTER)
    with Ledger.open(path, CAMPAIGN) as ledger:
        with pytest.raises(LedgerTrouble, match="busy"):
            ledger.note("mail", "gone")
        ledger.settle_as_made()
        ledger.note("mail", "gone")

        assert (ledger.line, ledger.read_note("mail"), ledger.book(1)) == ((1,), "gone", b"before")


def test_a_ready_ledger_that_comes_back_later_changes_nothing(path: Path) -> None:
    """A cloud may bring it back: it was made from another file than the one that lies there now."""
    crashed(path, [INCOME], b"before", AFTER)
    stale = file.new_file_path(path).read_bytes()
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.settle(b"before")
        ledger.note("mail", "gone")
        file.new_file_path(path).write_bytes(stale)
        ledger.settle(b"after")

        assert (ledger.steps(), ledger.read_note("mail")) == ([], "gone")
    assert not file.new_file_path(path).exists()


@pytest.mark.parametrize("kept", [0, 100, -1])
def test_a_ledger_that_was_not_ready_changes_nothing(path: Path, kept: int) -> None:
    """A crash while it was written: the workbook was not touched before it was whole."""
    crashed(path, [INCOME], b"before", AFTER)
    place = file.new_file_path(path)
    place.write_bytes(place.read_bytes()[:kept])
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.settle(b"after")

        assert ledger.steps() == []
    assert not place.exists()


@pytest.mark.parametrize(("book", "chain", "made"), [
    (b"before", [], False), (b"after", [], True), (b"saved since", ["", "1-a"], False),
    (b"saved since", ["", "1-a", "2-b"], True)])
def test_a_change_that_a_ledger_of_before_noted_as_begun_is_settled(path: Path, book: bytes, chain: list[str],
                                                                    made: bool) -> None:
    """Until lately a change was noted before the workbook was replaced, and again when it was made."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.keep_marks(Fingerprints("one a", {"a": b"rows", "b": b"others"}))
        with ledger._vault.writing():
            history, name = History(ledger._vault), record_name(1)
            history.put(LedgerStep(1, "resolve", "1500", "income", "pending", sha256(b"before"), "", ()), {
                "line": None, "redo": None, "given": {}, "stands": ("", ()), "mark": "2-b", "was": "1-a", "who": ""})
            history.keep_book(1, b"before")
            ledger._vault.put("after", name, compress_content(b"two a b"))
            ledger._vault.put("fresh", name, json.dumps(["b"]).encode())
        assert ledger.unsettled
        ledger.settle(book, chain=chain)

        assert (ledger.unsettled, ledger.line) == (False, (1,) if made else ())
        assert ledger.manifest() == ("two a b" if made else "one a")
        assert [step.state for step in ledger.steps()] == (["done"] if made else [])


def test_changes_of_one_stroke_end_together(path: Path) -> None:
    """Each has its place in the line; the first keeps the workbook, the others what differed from it."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        first = ledger.change([INCOME, BUDGET, ASKED], b"before", AFTER)

        assert ledger.line == (first, first + 1)
        assert [(s.verb, s.phase, s.state, s.line) for s in ledger.steps()] == [
            ("resolve", "income", "done", ()), ("resolve", "budget", "done", (first,)),
            ("wait", "income", "done", (first, first + 1))]
        assert [ledger.book(first + n) for n in range(3)] == [b"before"] * 3
        assert [ledger.records(first + n) for n in range(3)] == [b"", b"rows", b"more rows"]
        assert ledger.own_answers() == {"q": "robot"}
        assert list(ledger.commitments()) == ["1500", "1501"]


@pytest.mark.parametrize(("book", "made"), [(b"before", False), (b"after", True)])
def test_a_crash_in_a_stroke_is_settled_as_a_whole(path: Path, book: bytes, made: bool) -> None:
    """All of its changes were made, or none; one that was made before it stays."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.change([INCOME], b"first", sha256(b"before"))
    crashed(path, [BUDGET, INCOME], b"before", AFTER)
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.settle(book)

        assert [s.state for s in ledger.steps()] == ["done"] * (3 if made else 1)
        assert len(ledger.line) == (3 if made else 1)
        assert list(ledger.commitments()) == (["1500", "1501"] if made else ["1500"])


def test_a_ledger_that_cannot_take_its_place_stays_ready(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows where a cloud's client holds the old one: the change was made, and who comes next finishes it."""
    def held(*_: object) -> None:
        raise PermissionError(13, "held")

    with Ledger.open(path, CAMPAIGN) as ledger:
        monkeypatch.setattr(file, "rename_over", held)
        with pytest.raises(LedgerTrouble):
            ledger.change([INCOME], b"before", AFTER)
        assert ledger.steps() == []
        monkeypatch.undo()
        ledger.settle(b"after")

        assert ledger.line == (1,)


def test_a_change_that_cannot_be_stored_raises(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process that holds the ledger makes it busy, and says so; it is as it was."""
    monkeypatch.setattr(file, "LOCK_TIMEOUT", 0.1)
    with Ledger.open(path, CAMPAIGN) as ledger, file.ledger_lock(path):
        with pytest.raises(LedgerTrouble) as caught:
            ledger.change([INCOME], b"before", AFTER)
        assert ledger.steps() == []

    assert caught.value.kind == "busy"


def test_what_another_process_writes_is_kept(path: Path) -> None:
    """Who writes second reads first what the other has written."""
    with Ledger.open(path, CAMPAIGN) as ledger, Ledger.open(path, CAMPAIGN) as other:
        ledger.note("one", "1")
        other.note("two", "2")
    with Ledger.open(path, CAMPAIGN) as ledger:
        assert (ledger.read_note("one"), ledger.read_note("two")) == ("1", "2")


def test_a_file_that_is_still_the_same_is_judged_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checksum of a file is reckoned once as long as the file is the same; where that was changed, also where it
    lies, it is reckoned anew.
    """
    reckoned = list[bytes]()
    checksum_of = file.checksum

    def counted(stream: BinaryIO) -> bytes:
        reckoned.append(checksum_of(stream))
        return reckoned[-1]

    monkeypatch.setattr(file, "OPEN_FILES_STAY", False)
    monkeypatch.setattr(file, "_sound_files", {})
    monkeypatch.setattr(file, "checksum", counted)
    for _ in range(3):
        Ledger.open(path, CAMPAIGN).close()
    assert len(reckoned) == 1
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(LedgerTrouble):
        Ledger.open(path, CAMPAIGN)


def test_who_reads_keeps_what_was_there(path: Path) -> None:
    """The file may be replaced meanwhile; who opens it again reads the new one."""
    with Ledger.open(path, CAMPAIGN) as one, Ledger.open(path, CAMPAIGN) as other:
        one.note("one", "1")
        assert (one.read_note("one"), other.read_note("one")) == ("1", "")
    with Ledger.open(path, CAMPAIGN) as ledger:
        assert ledger.read_note("one") == "1"


def test_a_name_may_hold_any_characters(tmp_path: Path) -> None:
    """Also those that mean something in a URI."""
    place = tmp_path / "war? a#b%41 è.arbitro"
    with Ledger.create(place, CAMPAIGN, SECRET) as ledger:
        ledger.note("one", "1")
    with Ledger.open(place, CAMPAIGN) as ledger:
        assert ledger.read_note("one") == "1"
    assert [one.name for one in tmp_path.iterdir()] == [place.name]


def test_a_change_that_fails_leaves_no_trace(path: Path) -> None:
    """Neither in the file nor in what is read afterwards, and nothing beside it."""
    unknown = PlannedStep("resolve", "1500", "income", given={"q": object()})  # type: ignore[dict-item]
    with Ledger.open(path, CAMPAIGN) as ledger:
        before = path.read_bytes()
        with pytest.raises(TypeError):
            ledger.change([INCOME, unknown], b"before", AFTER)
        assert (ledger.steps(), path.read_bytes()) == ([], before)
        ledger.note("two", "2")
        assert (ledger.steps(), ledger.read_note("two")) == ([], "2")
    assert [one.name for one in path.parent.iterdir() if one.is_file()] == [path.name]


def test_a_disk_that_fills_up_is_told_as_that(path: Path) -> None:
    """SQLite gives up the change by itself; the ledger is as it was, and nothing lies beside it."""
    before = path.read_bytes()

    def fill(records: RecordStore) -> None:
        records._db.execute("PRAGMA max_page_count = 1")  # of what is there
        records.put("large", "", bytes(2**20))

    with Ledger.open(path, CAMPAIGN) as ledger:
        with pytest.raises(LedgerTrouble) as caught, ledger._vault.writing():
            fill(ledger._vault)
        assert (caught.value.kind, ledger.steps(), path.read_bytes()) == ("full", [], before)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_nothing_lies_beside_it_that_could_come_back(path: Path) -> None:
    """The file is replaced whole: a journal of long ago changes nothing, and none is left."""
    old = path.with_name(f"{path.name}-journal")
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.change([INCOME], b"before", AFTER)
    old.write_bytes(bytes.fromhex("d9d505f920a163d7") + b"\0\0\0\1" * 200)
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.note("one", "1")
        assert len(ledger.steps()) == 1
    old.unlink()
    assert sorted(one.name for one in path.parent.iterdir()) == ["war-backups", "war.arbitro"]


def test_whole_ledgers_stay_among_the_backups(path: Path) -> None:
    """Those before the last three changes, and one of each turn that is over."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        for stage in (INCOME, BUDGET, ASKED, ASKED, ASKED):
            ledger.change([stage], b"before", AFTER)
    kept = {one.name: one for one in (path.parent / "war-backups").iterdir()}

    assert len(kept) == 4
    with Ledger.open(kept.pop("war 1500.arbitro"), CAMPAIGN) as ledger:
        assert [step.state for step in ledger.steps()] == ["done"] * 2
    sizes = set()
    for one in kept.values():
        with Ledger.open(one, CAMPAIGN) as ledger:
            sizes.add(len(ledger.steps()))
    assert sizes == {2, 3, 4}


def test_what_was_last_written_is_known_once_the_change_is_made(path: Path) -> None:
    """Each change has the manifest before it, and its rows."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.keep_marks(Fingerprints("one a", {"a": b"rows"}))
        step = ledger.change([INCOME], b"before", AFTER,
                             marks=Fingerprints("two a b", {"a": b"rows", "b": b"others"}))

        assert (ledger.manifest(), ledger.manifest_before(step)) == ("two a b", "one a")
        assert (ledger.chunk("a"), ledger.chunk("b")) == (b"rows", b"others")


def test_a_change_that_was_not_made_keeps_no_rows(path: Path) -> None:
    """A chunk that is gone is damage, and said as such."""
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.keep_marks(Fingerprints("one a", {"a": b"rows"}))
    crashed(path, [INCOME], b"before", AFTER, marks=Fingerprints("two a b", {"a": b"rows", "b": b"others"}))
    with Ledger.open(path, CAMPAIGN) as ledger:
        ledger.settle(b"before")

        assert (ledger.manifest(), ledger.chunk("a")) == ("one a", b"rows")
        with pytest.raises(LedgerTrouble) as caught:
            ledger.chunk("b")
    assert caught.value.kind == "unreadable"


def test_a_ledger_that_lies_there_under_another_name_is_named(book: Path) -> None:
    """Whoever renames the workbook and forgets the ledger, or the other way round, is told which file it is."""
    ledger = path_of_ledger(book).rename(book.parent / "old war.arbitro")
    Ledger.create(book.parent / "another.arbitro", "another", bytes(32)).close()

    told = "old war.arbitro beside it is of this campaign: call it war.arbitro again."
    assert told in "\n".join(desk.status(book, lang="en").lines)
    assert told in desk.resolve(book, lang="en").finding_lines()[0]
    ledger.unlink()
    assert "of this campaign" not in "\n".join(desk.status(book, lang="en").lines)
