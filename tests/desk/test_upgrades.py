"""Campaigns of earlier code are opened, looked at, verified, corrected, undone and played on with today's."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.desk import CorrectionOptions, CorrectionRequest, Input
from assistant.desk.results import Exit, Result
from assistant.environment import backup_folder, shipped_folder
from assistant.ledger import LEDGER_SUFFIX, Ledger, LedgerStep, path_of_ledger, trouble_with
from assistant.ledger.file import FORMAT_BEFORE_LABEL, has_valid_checksum
from assistant.workbook.file_book import FileBook
from tests.playing import codes_of

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


@dataclass(frozen=True)
class Sample:
    """What earlier code left: where the campaign stood, what it waited for, what it had promised of its dice.

    `phases`: how many were resolved; `before`: the phase before; `remarks`: codes of what `check` finds;
    `correction`: a line that corrects the past (`at` a phase), with the rows and fields of a `sheet` that differ by it.
    """

    name: str
    ruleset: str
    turn: str
    phase: str
    questions: int
    orders: int
    phases: int
    public: str
    before: str
    remarks: tuple[str, ...]
    correction: str
    sheet: str
    differs: tuple[tuple[str, str], ...]
    at: str = ""


CITED = "ARB-132"
"""What `verify` says of the older ones: events say otherwise by now on what they rest, or what they touch."""
SIX_ALIKE, TWO_ALIKE = ("ARB-460",) * 6, ("ARB-460",) * 2
"""Colours that many people cannot tell on a map: both scenarios had them, and it is said since there are maps."""
ANARCHY = Sample(
    "anarchy-sealed", "anarchy", "3", "movement", 1, 95, 17,
    "eba2b23eaf968e609928694260d98fdaeae7c2112c66a743b11a33dc17097cff", "convoys",
    (*TWO_ALIKE, "ANA-003", "ANA-403", "ANA-113", "ANA-410", "ANA-410", "ARB-290"), "die promise/M-WE1 9", "Dice",
    (("promise/M-WE1/2/provisions", "value"),))
WARRIORS = Sample(
    "warriors", "warriors", "2", "after", 1, 96, 15,
    "dc01e665e874a842d6cbab2307c3787630594d6f673705ac468d9a1553bc5878", "battle", ("ARB-290",), "die force-test/D1 4",
    "Dice", (("force-test/D1/1/orders", "value"),), "1.orders")
KNOWN = (
    Sample("giglio-year", "giglio", "1501", "open", 1, 204, 46,
           "7ef8901b562c77e63eb9aed99d6c01149cc58264281390f7eb300c173b9c12ab", "budget",
           (*SIX_ALIKE, *("ARB-290",) * 6),
           "battle B1500.1.M7 a 45 60", "Armies", (("M-2", "value"),)),
    replace(ANARCHY, name="anarchy-days"),
    ANARCHY,
    Sample("incursio", "incursio", "2", "upkeep", 1, 88, 14,
           "6c843973c465fd87ec7d87887f4577a3b48f626ea57a6a5edc52fc17423c69b7", "second_assault", ("INC-051",),
           "die initiative/1/varannah/1 5", "Dice", (("initiative/1/varannah/1", "value"),)),
    WARRIORS,
    replace(WARRIORS, name="warriors-map"),
    Sample("bloodlust", "bloodlust", "987Su", "invade", 1, 83, 13,
           "ad97c2064d7f651389ed43cc6cbce80503f029643eaf02ba0cfc43292f732e96", "war", (),
           "die hero/VOR 6", "Dice",
           (("hero/VOR/987Sp/call", "value"), ("hero_level/VOR/987Sp/call", ""))),
)


def name_of(sample: Sample) -> str:
    """What a test of it is called."""
    return sample.name


@pytest.fixture(params=KNOWN, ids=name_of)
def sample(request: pytest.FixtureRequest) -> Sample:
    """One of them."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def book(sample: Sample, tmp_path: Path) -> Path:
    """A copy of its workbook and ledger."""
    for path in (SAMPLES / sample.name).iterdir():
        shutil.copyfile(path, tmp_path / path.name)
    return next(tmp_path.glob("*.xlsx"))


def steps_of(book: Path) -> list[LedgerStep]:
    """All changes that the ledger knows."""
    with Ledger.open(path_of_ledger(book), "") as ledger:
        return ledger.steps()


def verbs(book: Path) -> list[str]:
    """Their verbs."""
    return [step.verb for step in steps_of(book)]


def yes(result: Result) -> bool:
    """Write it."""
    return True


def test_every_sample_is_opened() -> None:
    """No folder is forgotten, and no rulebook is without one."""
    assert sorted(one.name for one in KNOWN) == sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
    assert {one.ruleset for one in KNOWN} == {path.name for path in shipped_folder("workbook_templates").iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("sample", KNOWN, ids=name_of, indirect=True)
def test_an_old_campaign_stands_where_it_stood(book: Path, sample: Sample) -> None:
    """Looked at without changing a byte: the same findings, the same questions, the same promises."""
    before = book.read_bytes()
    result = desk.status(book)

    assert (result.exit, result.data["turn"], result.data["phase"]) == (Exit.DONE, sample.turn, sample.phase)
    assert result.data["ledger"] == "ok"
    assert result.data["by_hand"] == []
    assert len(result.questions) == sample.questions
    assert desk.ledger_state(book).data["commitments"][sample.turn]["public"] == sample.public
    assert tuple(f.code for f in desk.check(book).findings if f.later is None) == sample.remarks
    assert desk.export(book, book.parent / "out").data["files"]["orders.csv"] == sample.orders
    assert desk.report(book, book.parent / "r").exit == Exit.DONE
    assert book.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("sample", KNOWN, ids=name_of, indirect=True)
def test_an_old_campaign_is_verified(book: Path, sample: Sample) -> None:
    """Nobody is accused of what an earlier version made."""
    result = desk.verify(book, lang="en")

    assert {f.code for f in result.findings} <= {CITED}, result.finding_lines()
    assert (result.exit, result.data["verified"], result.data["phases"]) == (Exit.DONE, True, sample.phases)


@pytest.mark.slow
def test_an_old_campaign_is_corrected_and_back(book: Path, sample: Sample) -> None:
    """Only what the correction brings about differs; one undo brings the very bytes back."""
    before = book.read_bytes()
    wish = CorrectionRequest((Input(sample.correction, text=sample.correction),), at=sample.at)
    result = desk.correct(book, wish, CorrectionOptions("misread"), confirm=yes, lang="en")

    assert (result.exit, result.data["committed"]) == (Exit.DONE, True), result.finding_lines()
    found: list[dict[str, Any]] = result.data["differences"]
    assert {(one["row"], one["field"]) for one in found if one["sheet"] == sample.sheet} == set(sample.differs)
    assert {one["sheet"] for one in found} <= {sample.sheet, "Events"}
    left = desk.verify(book, lang="en")
    assert (left.data["verified"], {f.code for f in left.findings} - {CITED}) == (True, set())
    assert desk.undo(book).exit == Exit.DONE
    assert book.read_bytes() == before


@pytest.mark.slow
def test_an_old_campaign_is_played_on_and_back(book: Path, sample: Sample) -> None:
    """Resolved with default answers, undone to the very bytes, undone further than today's code has seen."""
    before, was = book.read_bytes(), verbs(book)
    assert desk.resolve(book, defaults=True).exit == Exit.DONE
    assert desk.status(book).data["phase"] != sample.phase
    assert verbs(book) == [*was, "resolve"]
    later = desk.verify(book, lang="en")
    assert (later.data["verified"], {*codes_of(later)} - {CITED}) == (True, set()), later.finding_lines()
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.commitments()[sample.turn]["public"] == sample.public
    assert desk.undo(book, hard=True).exit == Exit.DONE
    assert book.read_bytes() == before

    assert desk.undo(book, hard=True).exit == Exit.DONE
    assert desk.status(book).data["phase"] == sample.before
    assert desk.redo(book).exit == Exit.DONE
    assert desk.status(book).data["phase"] == sample.phase


@pytest.mark.slow
@pytest.mark.parametrize("sample", KNOWN, ids=name_of, indirect=True)
def test_the_ledger_is_converted_once_with_the_first_change(book: Path, sample: Sample) -> None:
    """Who looks converts nothing; the first change does, in place, and the file as it was stays among the backups."""
    ledger, was = path_of_ledger(book), path_of_ledger(book).read_bytes()
    beside = sorted(path.name for path in book.parent.iterdir())
    for look in (desk.status, desk.check, desk.history, desk.ledger_state):
        assert look(book).data
    assert (ledger.read_bytes(), sorted(path.name for path in book.parent.iterdir())) == (was, beside)

    before = steps_of(book)
    assert desk.undo(book, hard=True).exit == Exit.DONE
    kept = backup_folder(book) / f"{book.stem} {FORMAT_BEFORE_LABEL}{LEDGER_SUFFIX}"
    assert (kept.read_bytes(), has_valid_checksum(ledger.read_bytes())) == (was, True)
    assert (steps_of(book)[:-1], trouble_with(ledger, "")) == (before, None)

    at = kept.stat().st_mtime_ns
    assert desk.redo(book, hard=True).exit == Exit.DONE
    assert (kept.read_bytes(), kept.stat().st_mtime_ns) == (was, at)
    assert len(list(backup_folder(book).glob(f"*{FORMAT_BEFORE_LABEL}*"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_a_ledger_of_the_first_two_formats_is_refused(number: int, tmp_path: Path) -> None:
    """With a finding and exit 4, whatever is asked; nothing is changed, and a new ledger may be started."""
    book = tmp_path / "giglio.xlsx"
    shutil.copyfile(SAMPLES / "giglio-year" / "giglio.xlsx", book)
    with closing(sqlite3.connect(path_of_ledger(book))) as db, db:
        db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
        db.execute("INSERT INTO meta VALUES ('format', ?)", (str(number),))
    before = book.read_bytes(), path_of_ledger(book).read_bytes()

    assert desk.status(book).data["ledger"] == "old"
    checked = desk.check(book)
    assert (checked.exit, "ARB-383" in codes_of(checked)) == (Exit.REFUSED, True)
    for command in (desk.resolve, desk.undo, desk.verify, desk.ledger_state, desk.rescue_ledger):
        result = command(book, lang="en")
        assert (result.exit, codes_of(result)) == (Exit.LEDGER, ["ARB-389"]), command
        assert f"has format {number}, which no Arbitro reads any more" in "\n".join(result.finding_lines())
    assert (book.read_bytes(), path_of_ledger(book).read_bytes()) == before
    assert desk.renew_ledger(book, secret="07" * 32).exit == Exit.DONE
    assert desk.status(book).data["ledger"] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("sample", KNOWN, ids=name_of, indirect=True)
def test_an_old_campaigns_export_makes_a_new_one(book: Path, sample: Sample) -> None:
    """What its CSVs hold is taken into a workbook of today, unchanged; the rows of Rules stand in today's order."""
    first, second = book.parent / "out", book.parent / "again"
    desk.export(book, first)
    made = desk.new_campaign(desk.NewPlan(sample.ruleset, folder=first), book.parent / "new.xlsx")
    assert made.exit == Exit.DONE, made.finding_lines()
    desk.export(book.parent / "new.xlsx", second)

    assert desk.status(book.parent / "new.xlsx").data["phase"] == sample.phase
    assert tables_in(first) == tables_in(second)


def tables_in(folder: Path) -> dict[str, list[bytes]]:
    """The lines of each CSV, those of Rules sorted."""
    return {path.name: sorted(lines) if path.name == "rules.csv" else lines
            for path in folder.iterdir() for lines in [path.read_bytes().splitlines()]}


@pytest.mark.slow
@pytest.mark.parametrize("sample", KNOWN[:1], ids=name_of, indirect=True)
def test_the_first_share_gives_an_old_workbook_columns_for_deputies_and_holidays(book: Path, sample: Sample) -> None:
    """Once, beside those that are there; they may be filled in, and undo brings the very bytes back."""
    before, was, copies = book.read_bytes(), verbs(book), book.parent / "copies"
    result = desk.share(book, copies, only=["V"], lang="en")
    assert (result.exit, verbs(book)) == (Exit.DONE, [*was, "share"]), result.finding_lines()
    shared = book.read_bytes()
    assert desk.share(book, copies, only=["V"], lang="en").exit == Exit.DONE
    assert book.read_bytes() == shared
    read = FileBook(book).read()
    assert {"deputy", "holidays"} <= read.cells.letters["Factions"].keys()
    assert desk.status(book).data["by_hand"] == []

    assert desk.undo(book).exit == Exit.DONE
    assert book.read_bytes() == before
