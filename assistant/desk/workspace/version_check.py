"""Checks that workbook and ledger are of the same version, and finds other copies of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Event, Order, Question
from assistant.catalogues import LANGUAGES
from assistant.desk.next_steps import where_of
from assistant.desk.play_phase import Moment, ahead, now
from assistant.desk.results import Exit
from assistant.desk.workspace.detect_edits import Edit, Watch, watch
from assistant.desk.workspace.fingerprints import marks_of, state_of
from assistant.desk.workspace.workspace import Moved, Sitting, Stop
from assistant.ledger import COLLECT, ENDING, LAYOUT, MAP, Ledger, LedgerTrouble, Step, path_of
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.messages import CORRECTED, RENEWED, RULING, UNPROVED, VOID
from assistant.turn.phases import keeps_phase
from assistant.wording import Verbatim, Wording
from assistant.workbook.file_book import open_book, reading_of
from assistant.workbook.port import Reading
from assistant.workbook.save import backups, conflicted_copies, copies_beside, saved_meanwhile
from assistant.workbook.screening import BookError

# Second copies beside a workbook.
#
# Cloud folders make them, and so does another program that saves at the moment when we write. A finding says which
# phase the copy is at, and how many orders or changes it has that are missing here.


def look_beside(sitting: Sitting) -> list[Finding]:
    """A warning for each copy of the workbook, then for each of its ledger, as they were when first seen.

    They are also added to `sitting.second_copies`: a command that changes something calls this before and afterwards,
    and reports them all.
    """
    if sitting.book.live and not sitting.path.is_file():  # it was never saved
        return [*sitting.second_copies]
    known = {str(one.data["copy"]) for one in sitting.second_copies}
    try:
        late = [one.name for one in saved_meanwhile(sitting.path)]
        names = conflicted_copies(sitting.path, sitting.campaign.desk.campaign_id, known)
        ledgers = [one for one in copies_beside(path_of(sitting.path)) if one.name not in known]
    except OSError:  # the folder may not be listed
        return [*sitting.second_copies]
    sitting.second_copies += [_of_workbook(sitting, codes.SAVED_MEANWHILE, name) for name in late if name not in known]
    sitting.second_copies += [_of_workbook(sitting, codes.SECOND_COPY, name) for name in names]
    sitting.second_copies += [found for one in ledgers if (found := _of_ledger(sitting, one)) is not None]
    return [*sitting.second_copies]


def _of_workbook(sitting: Sitting, code: str, name: str) -> Finding:
    """A finding about a copy of the workbook, even if that cannot be read."""
    data = {"copy": name, "book": sitting.path.name}
    try:
        reading = reading_of(name, sitting.path.resolve().with_name(name).read_bytes(), sitting.loader)
    except (BookError, OSError):
        return codes.finding(code, **data, when="?", n=0)
    if reading.ruleset is None:
        return codes.finding(code, **data, when="?", n=0)
    theirs, ours = reading.campaign, set(_orders(sitting.campaign))
    lacking = [order for order in _orders(theirs) if order not in ours]
    when = sitting.when(Moment(theirs.desk.turn, theirs.desk.phase))
    return codes.finding(code, **data, when=Verbatim(when), n=len(lacking))


def _orders(campaign: Campaign) -> list[tuple[tuple[str, str], ...]]:
    """What the clubs have written in their orders, without Arbitro's numbers and verdicts."""
    if not campaign.has(Order.sheet):
        return []
    return [tuple(sorted((c.name, text[c.name]) for c in row.columns() if c.edit != "assistant" and c.name != "order"
                         and text.get(c.name)))
            for row in campaign.table(Order) for text in [row.as_text()]]


def _of_ledger(sitting: Sitting, copy: Path) -> Finding | None:
    """A finding about a copy of the ledger; None for a file that is not a ledger of this campaign."""
    try:
        with Ledger.open(copy, sitting.campaign.desk.campaign_id) as ledger:
            theirs = ledger.steps()
    except LedgerTrouble:
        return None
    try:
        with Ledger.open(path_of(sitting.path), "") as ledger:
            ours = ledger.steps()
    except LedgerTrouble:  # whoever needs it will say so
        ours = []
    lacking = [step for step in theirs if step not in ours]
    return codes.finding(codes.SECOND_LEDGER, copy=copy.name, ledger=path_of(sitting.path).name, book=sitting.path.name,
                         when=Verbatim(sitting.when(theirs[-1])) if theirs else "–", n=len(lacking))


# Are workbook and ledger of the same version?
#
# Either may come from a backup or a cloud folder's copy. Then what Arbitro did in between looks like edits by hand.
# Three things tell the difference: the Desk says in words where the campaign is, and nobody who types over its phase
# types that sentence too; there are events with their wording that only commands write (rulings, corrections, a renewed
# ledger); and the ledger knows the bytes of every workbook that it has seen, or its records if it was open.


Which = Literal["behind", "ahead"]
"""Whether the ledger is behind the workbook or ahead of it."""
BETWEEN_PHASES = (RULING, CORRECTED, VOID, RENEWED, UNPROVED)
"""Events that are added between two phases."""
CLOCK = ("turn", "phase")


class Apart(NamedTuple):
    """Workbook and ledger are not of the same version.

    `then`, `now`: the phases that ledger and workbook are at; `step`: the change before which the ledger has seen
    exactly this workbook, 0 for none; `back`: whether the ledger can restore the workbook's version.
    """

    which: Which
    then: Moment
    now: Moment
    step: int = 0
    back: bool = True


def apart(sitting: Sitting, ledger: Ledger, watched: Watch) -> Apart | None:
    """How the versions of workbook and ledger differ, None if they do not. `watched`: the edits made by hand.

    Raises `LedgerTrouble`.
    """
    known = _by_marks(sitting, ledger, _clock_of_ledger(sitting.campaign, list(watched.edits)))
    if known is not None:
        return known.apart
    found = list(watched.edits)
    if not found:
        return None
    reworded = {one.row for one in sitting.book.other_texts(sitting.campaign, sitting.sheet_wording)
                if one.sheet == Event.sheet}
    return _judged(sitting, sitting.reading, found, reworded, ledger)


class _Known(NamedTuple):
    """What the marks tell for certain; `apart` is None for the same version."""

    apart: Apart | None


def _by_marks(sitting: Sitting, ledger: Ledger, there: Moment) -> _Known | None:
    """Compare the chains of marks; None if they tell nothing, as in a workbook that was saved without marks.

    `there`: the phase that the campaign is at by the ledger.
    """
    desk, steps = sitting.campaign.desk, ledger.steps()
    here, now_there = marks_of(desk.marks), ledger.mark_of(sitting.reading.sha256)
    clock, last = now(sitting.campaign), str(here[-1]) if here else ""
    if not here and (desk.marks.strip() or not steps or len(sitting.campaign.table(Event))):
        return None
    if not now_there and steps and ledger.left("") is None:  # no mark was given yet
        return None
    if last == now_there:
        return _Known(None)
    left = ledger.left(last)
    if left is not None or last in ledger.chain(now_there):
        return _Known(Apart("ahead", there, clock, 0 if left is None else left.id, left is not None))
    return _Known(Apart("behind", there, clock)) if here else None


def _judged(sitting: Sitting, reading: Reading, found: list[Edit], reworded: set[str], ledger: Ledger) -> Apart | None:
    """`apart` for any reading of this campaign, without marks. `reworded`: keys of events with a different text."""
    campaign, steps = reading.campaign, [s for s in ledger.steps() if s.state == "done"]
    # a file, or a workbook that is or was open, saved or not; "" would match steps without a fingerprint
    here = {reading.sha256, state_of(campaign)} - {""}
    if steps and steps[-1].sha_after in here:
        return None
    clock = _clock_of_ledger(campaign, found)
    told = [e for e in found if e.sheet == Event.sheet and e.change == "added" and e.row not in reworded]
    step = next((s.id for s in reversed(steps) if s.sha_before in here
                 and ledger.manifest_before(s.id) != ledger.manifest()), 0)
    which: Which | None = None
    if now(campaign) != clock and _said(sitting, reading) and not _seen(steps, now(campaign)):
        later = bool(told) or now(campaign) in ahead(sitting.ruleset, _at(campaign, clock))
        gone = any(e.sheet == Event.sheet and e.change == "gone" for e in found)
        which = "behind" if later and not gone else "ahead"
    elif any(e.values.get("event") in BETWEEN_PHASES for e in told) or _asked(found):
        which = "behind"
    elif step:
        which = "ahead"
    return Apart(which, clock, now(campaign), step) if which else None


def _clock_of_ledger(campaign: Campaign, found: list[Edit]) -> Moment:
    """The phase that the campaign is at by the ledger's fingerprints."""
    old = {e.field: e.old for e in found if e.sheet == Desk.sheet}
    return Moment(*(old.get(name, str(getattr(campaign.desk, name))) for name in CLOCK))


def _at(campaign: Campaign, clock: Moment) -> Campaign:
    """A copy of the campaign with its clock set."""
    there = campaign.copy()
    there.desk.turn, there.desk.phase = clock.turn, clock.phase
    return there


def _said(sitting: Sitting, reading: Reading) -> bool:
    """Whether the Desk's text agrees with its turn and phase: then Arbitro wrote both."""
    try:
        return bool(reading.where) and reading.where in {
            where_of(sitting.ruleset, reading.campaign, Wording(sitting.ruleset, lang)) for lang in LANGUAGES}
    except KeyError:  # a turn or phase that the rulebook does not have
        return False


def _seen(steps: list[Step], clock: Moment) -> bool:
    """Whether the ledger's last change already found this clock, typed by somebody, and left it undecided."""
    last = steps[-1] if steps else None
    return last is not None and last.verb in ("orders", "mark", "accept", "revert", "share", LAYOUT, MAP, COLLECT) and (
        (last.turn, last.phase) == (clock.turn, clock.phase))


def _asked(found: list[Edit]) -> bool:
    return any(e.sheet == Question.sheet and e.change == "added" and e.values.get("status") == "open"
               and e.values.get("asked") not in ("", "{}", None) for e in found)


# --- Findings -----------------------------------------------------------------------------------
def stop_on_data(sitting: Sitting) -> None:
    """Raise `Stop` if findings about the workbook forbid going on.

    If workbook and ledger are of two versions, that is reported instead: corrections in the wrong workbook are lost.
    """
    seen = sitting.data_findings
    if any(keeps_phase(f) for f in seen):
        other = list[Finding]()
        with suppress(LedgerTrouble, Moved), sitting.beside() as ledger:  # whoever needs it will say so
            other = findings_apart(sitting, ledger, sitting.look(ledger))
        raise Stop(Exit.LEDGER if other else Exit.REFUSED, other or seen, sitting.lang, sitting.wording)


def findings_apart(sitting: Sitting, ledger: Ledger, watched: Watch) -> list[Finding]:
    """Findings, with the ways out, if workbook and ledger are of two versions; else [].

    Raises `LedgerTrouble`.
    """
    found = apart(sitting, ledger, watched)
    if found is None:
        return []
    book, place = sitting.path, path_of(sitting.path)
    data = {"ledger": place.name, "book": book.name, "then": sitting.when(found.then),
            "now": sitting.when(found.now)}
    if found.which == "ahead":
        way = f"--snapshot {found.step}" if found.step else f"--to {found.now.turn}.{found.now.phase}"
        return [codes.finding(codes.BOOK_BEHIND, **data, way=way, keep="" if found.back else "yes")]
    said = [codes.finding(codes.LEDGER_BEHIND if found.then != found.now else codes.LEDGER_LACKS, **data)]
    said += [codes.finding(codes.LEDGER_FITS, **data, copy=name) for name in _other_ledgers(sitting, place)]
    fitting = next((one for one in reversed(backups(book)) if _fits(sitting, ledger, one)), None)
    if fitting is not None:
        said.append(codes.finding(codes.BACKUP_FITS, **data, copy=f"{fitting.parent.name}/{fitting.name}"))
    return said


def _other_ledgers(sitting: Sitting, place: Path) -> Iterator[str]:
    """Names of other ledgers beside the workbook that fit it as it is."""
    for one in sorted(place.parent.iterdir()):
        if one == place or ENDING not in one.name or one.name.startswith(".") or not one.is_file():
            continue
        try:
            with Ledger.open(one, sitting.campaign.desk.campaign_id) as other:
                if other.manifest() and _abreast(sitting, sitting.reading, other):
                    yield one.name
        except LedgerTrouble:
            continue  # not a ledger of this campaign


def _abreast(sitting: Sitting, reading: Reading, ledger: Ledger) -> bool:
    found = list(watch(reading.campaign, reading, ledger).edits)
    return _judged(sitting, reading, found, set(), ledger) is None


def _fits(sitting: Sitting, ledger: Ledger, backup: Path) -> bool:
    """Whether a backup fits the ledger, with or without what was typed since."""
    try:
        reading = open_book(backup, sitting.loader).read()
    except (BookError, OSError):
        return False
    if reading.ruleset is None or reading.campaign.desk.campaign_id != sitting.campaign.desk.campaign_id:
        return False
    return not any(e.sheet in (Desk.sheet, Event.sheet) for e in watch(reading.campaign, reading, ledger).edits)
