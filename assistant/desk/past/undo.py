"""`undo`, `redo`, `history`: restore an earlier workbook, with what was typed since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die
from assistant.campaign.tables import Record
from assistant.desk.next_steps import desk_lines
from assistant.desk.past.consequences import Agree, nobody, readers, refusals
from assistant.desk.past.phase_chain import book_before, campaign_before, campaign_of
from assistant.desk.play_phase import without_earlier_defaults
from assistant.desk.results import Exit, Result
from assistant.desk.typed_inputs import (
    carry_own,
    carry_told,
    corrected_since,
    put_back,
    taken_out,
    too_late,
    typed_since,
    without,
)
from assistant.desk.workspace.detect_edits import first_marks, marks_after_undo, rulings_of, written
from assistant.desk.workspace.fingerprints import KeptCampaigns, file_of, this_computer
from assistant.desk.workspace.version_check import look_beside
from assistant.desk.workspace.workspace import (
    At,
    Sitting,
    Stop,
    claim_on,
    file_stop,
    ledger_stop,
    of_one_moment,
    sit,
    stop,
    with_mails,
)
from assistant.desk.workspace.writer import Change, Session, at_work, later, readable
from assistant.environment import machine_language
from assistant.ledger import (
    COLLECT,
    CORRECT,
    DECIDED,
    LAYOUT,
    MAP,
    SHARE,
    UNREAD,
    Ledger,
    LedgerTrouble,
    Marks,
    Stage,
    Step,
    path_of,
)
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import handed_in, keeps_phase
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.file_book import FileBook, what_shows
from assistant.workbook.save import replace_file, sha256
from assistant.workbook.screening import BookError

# Undoing `collect`.
#
# What a `collect` brought was not typed by the referee, so it goes when that step is undone; what was typed over it
# stays.


def without_collected(ledger: Ledger, undone: Collection[int], now: Campaign, before: Callable[[int], Campaign]
                      ) -> Campaign:
    """The campaign without what was collected in these steps; the campaign itself if nothing was.

    `before`: the campaign as it was before a step. Raises `LedgerTrouble`.
    """
    left = now
    for step in reversed([one for one in ledger.steps() if one.id in undone and one.verb == COLLECT]):
        manifest = ledger.manifest_after(step.id)
        if manifest:
            left = _given_back(before(step.id), written(ledger, manifest, now), left.copy())
    return left


def _given_back(was: Campaign, brought: Campaign, now: Campaign) -> Campaign:
    """Restore the rows that were collected and that nobody has touched since."""
    for record in handed_in(brought):
        names = [c.name for c in record.columns() if c.edit != "assistant" and not c.key]
        before, table = was.by_sheet(record.sheet), now.by_sheet(record.sheet)
        for key, row in brought.by_sheet(record.sheet).in_file_order():
            old, standing = before.get(key), table.get(key)
            if standing is None or not _alike(standing, row, names) or (old and _alike(old, row, names)):
                continue
            if old is None:
                table.remove(key)
            else:
                for name in names:
                    setattr(standing, name, getattr(old, name))
    return now


def _alike(a: Record, b: Record, names: list[str]) -> bool:
    return all(getattr(a, name) == getattr(b, name) for name in names)


# The map after an undo or redo.
#
# If nothing was typed since, the old file is restored as a whole; otherwise only its records, and the map with them.


def map_as_before(sitting: Sitting, ledger: Ledger, step: int, between: Iterable[int]) -> list[Finding]:
    """Make the next writing show the map as it was before a step; returns findings on what cannot be restored.

    `between`: the steps that are taken back or done again. Raises `LedgerTrouble`, OSError.
    """
    steps = [ledger.step(number) for number in between]
    if not any(one is not None and one.verb == MAP for one in steps):
        return later(sitting)
    then = what_shows(file_of(readable(ledger.book(step))))
    if isinstance(sitting.book, FileBook):
        return sitting.book.to_show(then)
    same = then == what_shows(sitting.on_disk())
    return later(sitting) if same else [codes.finding(codes.MAP_STAYS_OPEN, book=sitting.path.name)]


# `undo`, `redo`, `history`.


UNDONE = N_("Undone: back before {when}.")
REDONE = N_("Done again: {when}.")
UNDECIDED = N_("Undone: the changes by hand are to be decided on again.")
TAKEN_AGAIN = N_("Done again: what was collected from the clubs.")
GIVEN_BACK = N_("Undone: what was collected from the clubs. The files lie where they lay: the next collect takes them"
                " again.")
UNCORRECTED = N_("Undone: the correction. The workbook says again what it said before.")
UNLAID = N_("Undone: the places lie on the map where they lay before.")
UNSHARED = N_("Undone: the columns for deputies and holidays are taken off again.")
NOT_ALL = N_("Undone, but for the map: not all of it could be taken back.")
UNDRAWN = N_("Undone: the map is taken out of the workbook again, or the shapes have the colours that they had.")
SAID = {**dict.fromkeys(DECIDED, UNDECIDED), CORRECT: UNCORRECTED, COLLECT: GIVEN_BACK, SHARE: UNSHARED,
        LAYOUT: UNLAID, MAP: UNDRAWN}
FETCHED = N_("Brought back: the workbook as it was before change {number}.")


def undo(at: At, *, steps: int = 1, to: str = "", snapshot: int = 0, hard: bool = False,
         agree: Agree = nobody, lang: str = "") -> Result:
    """Go back to before the last phase, the last `steps` phases, the phase `to`, or a numbered change.

    `to`: a phase (the last one of that name) or ``turn.phase``. What was typed since (orders, answers,
    dice, battle forms, rules) is put back unless `hard`; a `snapshot` is always brought back exactly.
    The workbook as it was is kept, for `redo`. `agree`: asks the referee twice where reports were sent that tell
    of what is taken back; where it does not agree nothing is done. Result data: ``turn``, ``phase``, ``kept``.
    """
    return _leaped(at, Wanted("undo", steps, to, snapshot), hard, agree, lang)


def redo(at: At, *, hard: bool = False, lang: str = "") -> Result:
    """Take the last undo back; what was typed since is kept as in `undo`. Result data as there."""
    return _leaped(at, Wanted("redo"), hard, nobody, lang)


@of_one_moment
def history(path: Path, *, lang: str = "") -> Result:
    """All changes, newest first, and which of them can be undone. Result data: ``changes``."""
    try:
        sitting = sit(path, lang)
        with sitting.ledger() as ledger:
            result = Result("history", wording=sitting.wording)
            line, steps = set(ledger.line), ledger.steps()
    except Stop as stopped:
        return stopped.result("history")
    result.data["changes"] = [
        {"number": s.id, "verb": s.verb, "turn": s.turn, "phase": s.phase, "in_force": s.id in line}
        for s in reversed(steps)]
    for s in reversed(steps):
        mark = "*" if s.id in line else " "
        result.say(f"{s.id:>5} {mark} {s.verb:<8} {sitting.when(s)}")
    result.say(sitting.wording.text(
        N_("* can be undone: arbitro undo {book} --to TURN.PHASE;"
           " any change can be brought back as it was: arbitro undo {book} --snapshot NUMBER"),
        book=path.name))
    return result


@dataclass(frozen=True)
class Wanted:
    """What was asked for: `redo`, or `undo` and how far."""

    verb: str
    steps: int = 1
    to: str = ""
    snapshot: int = 0


@dataclass(frozen=True)
class _Leap:
    """A jump to the workbook before a step; `line`, `redo`: the ledger's pointers there."""

    verb: str
    target: Step
    line: tuple[int, ...]
    redo: tuple[int, ...] | None
    hard: bool


def _leaped(at: At, wanted: Wanted, hard: bool, agree: Agree, lang: str) -> Result:
    """Do what was asked for; the result says why not, if it was not done."""
    try:
        try:
            sitting = sit(at, lang)
        except Stop as unreadable:
            if not isinstance(at, Path):
                raise
            return _rescue(at, unreadable, wanted, hard, lang, agree)
        with at_work(sitting, wanted.verb, of_any_time=bool(wanted.to or wanted.snapshot)) as session:
            leap = _leap(session.ledger, wanted, hard, sitting.lang)
            _ask_for_readers(session.ledger, leap, agree, sitting.wording, sitting.when, sitting.path.name,
                             live=sitting.book.live)
            return _go(session, leap, _said(sitting, session.ledger, leap, fetched=bool(wanted.snapshot)))
    except Stop as stopped:
        return stopped.result(wanted.verb)


def _leap(ledger: Ledger, wanted: Wanted, hard: bool, lang: str) -> _Leap:
    """Plan the jump. Raises `Stop` if there is nothing to undo or redo, or not that far back."""
    if wanted.verb == "redo":
        stack = ledger.redo
        target = ledger.step(stack[-1]) if stack else None
        if target is None:
            raise stop(Exit.REFUSED, codes.NOTHING_TO_REDO, lang)
        return _Leap("redo", target, target.line, stack[:-1], hard)
    target, rest = _goal(ledger, wanted.steps, wanted.to, wanted.snapshot)
    if target is None:
        if not ledger.line:
            raise stop(Exit.REFUSED, codes.NOTHING_TO_UNDO, lang)
        raise stop(Exit.REFUSED, codes.NO_SUCH_STEP, lang, asked=wanted.to or str(wanted.snapshot or wanted.steps),
                   n=len(ledger.line))
    return _Leap("undo", target, rest, None, hard or bool(wanted.snapshot))


def _ask_for_readers(ledger: Ledger, leap: _Leap, agree: Agree, words: Wording, when: Callable[[Step], str], book: str,
                     *, live: bool = False) -> None:
    """Raise `Stop` if reports were sent that tell of what is undone, and the referee does not agree."""
    gone = sorted({*ledger.line} - {*leap.line}) if leap.verb == "undo" else []
    first = ledger.step(gone[0]) if gone else None
    refused = refusals(words, readers(ledger, gone), when(first), book, leap.verb, agree, live=live) if first else []
    if refused:
        raise Stop(Exit.REFUSED, refused, words.lang, words)


def _said(sitting: Sitting, ledger: Ledger, leap: _Leap, *, fetched: bool = False) -> str:
    """The sentence about a jump."""
    if leap.verb == "redo":
        last = ledger.step(leap.line[-1]) if leap.line else None
        told = TAKEN_AGAIN if last is not None and last.verb == COLLECT else REDONE
        return sitting.wording.text(told, when=sitting.when(last or leap.target))
    words = FETCHED if fetched else SAID.get(leap.target.verb, UNDONE)
    return sitting.wording.text(words, when=sitting.when(leap.target), number=leap.target.id)


def _goal(ledger: Ledger, steps: int, to: str, snapshot: int) -> tuple[Step | None, tuple[int, ...]]:
    """The step to go back to, and the line of steps that is left then."""
    if snapshot:
        target = ledger.step(snapshot)
        return target, target.line if target else ()
    target, way = _target(ledger, to), ledger.line
    if to:
        return target, way[:way.index(target.id)] if target else ()
    known = {s.id: s for s in ledger.steps()}
    for _ in range(steps):
        target = known.get(way[-1]) if way else None
        if target is None:
            return None, ()
        way = target.line if target.verb == CORRECT else way[:-1]
    return target, way


def _rescue(path: Path, unreadable: Stop, wanted: Wanted, hard: bool, lang: str, agree: Agree) -> Result:
    """Undo or redo without a readable workbook: only if `hard`, from the ledger alone.

    Raises `Stop`.
    """
    if any(f.code in (codes.FILE_LOCKED, codes.TWO_HISTORIES) for f in unreadable.findings):
        raise unreadable
    if not hard:
        refused = codes.finding(codes.CANNOT_CARRY, book=path.name, verb=wanted.verb)
        raise Stop(Exit.FILE, [*unreadable.findings, refused], lang)
    return from_ledger(path, wanted, lang, agree)


def from_ledger(path: Path, wanted: Wanted, lang: str, agree: Agree, chain: Sequence[str] = (UNREAD,)) -> Result:
    """Undo or redo from the ledger alone. `chain`: the marks of the workbook that lies there. What lies there is broken
    or of another history: no `redo` brings it back. Raises `Stop`.
    """
    try:
        with claim_on(path, wanted.verb, lang), Ledger.open(path_of(path), "") as ledger:
            leap = _leap(ledger, wanted, True, lang)
            target = leap.target
            _ask_for_readers(ledger, leap, agree, Wording(None, lang or machine_language()),
                             lambda step: f"{step.turn} {step.phase}", path.name)
            old = book_before(ledger, target.id, path.name)
            lying = path.read_bytes() if path.is_file() else None
            manifest = ledger.manifest_before(target.id)
            marks = Marks(manifest) if manifest else first_marks(campaign_of(old, path.name))
            step = ledger.begin([Stage(leap.verb, target.turn, target.phase)],
                                lying or b"", line=leap.line, redo=leap.redo or (),
                                marks=marks, mark=ledger.mark_before(target.id), who=this_computer(), chain=chain)
            replace_file(path, old, None if lying is None else sha256(lying), check=False)
            ledger.finish(step, path.read_bytes())
            sitting = sit(path, lang)
            said = _said(sitting, ledger, leap)
    except LedgerTrouble as trouble:
        raise ledger_stop(trouble, path, lang) from trouble
    except (BookError, OSError) as fault:
        raise file_stop(fault, path, lang) from fault
    result = Result(leap.verb, lines=[said], findings=look_beside(sitting), wording=sitting.wording)
    result.data.update(turn=target.turn, phase=target.phase, kept=0)
    return result


def _target(ledger: Ledger, to: str) -> Step | None:
    """The last resolved phase of that name, or None."""
    known = {s.id: s for s in ledger.steps()}
    phases = [known[n] for n in ledger.line if n in known and known[n].verb == "resolve"]
    return next((s for s in reversed(phases) if to in (s.phase, f"{s.turn}.{s.phase}")), None)


def _go(session: Session, leap: _Leap, said: str) -> Result:
    """Make the jump: restore the workbook's bytes or, if anything was typed since, its records."""
    sitting, ledger = session.sitting, session.ledger
    back, kept, late, desk = sitting.campaign, 0, 0, sitting.campaign.desk
    stages, mark = [Stage(leap.verb, desk.turn, desk.phase)], ledger.mark_before(leap.target.id)
    manifest = ledger.manifest_before(leap.target.id)
    marks = Marks(manifest) if manifest else None
    with sitting.file_faults():
        if not leap.hard:
            then = _before(sitting, ledger, leap.target.id)
            back = then.copy()
            if any(keeps_phase(f) or (f.alone and f.stops) for f in sitting.reading.findings):  # it would be lost
                raise stop(Exit.REFUSED, codes.CANNOT_CARRY, sitting.lang, sitting.wording, book=sitting.path.name,
                           verb=leap.verb)
            kept, late = _kept(sitting, then, back, ledger, leap)
            if kept:  # it is a state that never was
                mark = session.mark(back, stages, leap.line)
            marks = marks_after_undo(ledger, manifest, then, back)
        old = b""
        if leap.hard and sitting.book.live:
            back = campaign_before(ledger, leap.target.id, sitting.path.name, sitting.loader)
            marks = marks or first_marks(back)
        elif leap.hard or (not kept and ledger.left_since(leap.target.id) == sitting.reading.sha256 != ""):
            old = book_before(ledger, leap.target.id, sitting.path.name, sitting.loader, sitting.on_sheets)
            if marks is None:
                marks = first_marks(campaign_of(old, sitting.path.name, sitting.loader))
        aside = [] if old else map_as_before(sitting, ledger, leap.target.id, {*ledger.line} ^ {*leap.line})
    over = _turns_over(sitting, ledger)
    said = sitting.wording.text(NOT_ALL) if aside and leap.target.verb == MAP else said
    with Change(session, stages, line=leap.line, redo=leap.redo, marks=marks, after=back, mark=mark):
        if old:
            sitting.put_bytes(old)
        else:
            words = sitting.sheet_wording
            lines = desk_lines(sitting.ruleset, back, words, sitting.typed_name, [said])
            sitting.book.write(sitting.on_sheets, back, words, with_mails(lines, ledger, words, sitting.path.name))
    result = Result(leap.verb, lines=[said], findings=[*sitting.second_copies, *aside, *sitting.book.asides],
                    wording=sitting.wording)
    try:
        after = (sit(sitting.path, sitting.lang).campaign if old else back).desk
        result.data.update(turn=after.turn, phase=after.phase, kept=kept)
        if leap.verb == "undo" and after.turn in over and sitting.campaign.has(Die.sheet):
            again = over[over.index(after.turn):]
            result.find([codes.finding(codes.SECRETS_TOLD, turns=", ".join(again), book=sitting.path.name)])
    except Stop:  # a club's workbook as it was before Arbitro took it on is no campaign
        result.data.update(turn=leap.target.turn, phase=leap.target.phase, kept=kept)
    _say_kept(result, sitting, kept, late)
    return result


def _say_kept(result: Result, sitting: Sitting, kept: int, late: int) -> None:
    """Say what happened to the rows typed since."""
    if kept:
        result.say(sitting.wording.plural(N_("{n} row that was typed since was kept."),
                                          N_("{n} rows that were typed since were kept."), kept))
    if late:
        result.say(sitting.wording.plural(
            N_("{n} row that was typed since was left out: a phase that is over again has counted another."),
            N_("{n} rows that were typed since were left out: phases that are over again have counted others."),
            late))


def _turns_over(sitting: Sitting, ledger: Ledger) -> list[str]:
    """The turns that were over at some time, whose secrets reports may have revealed, in the order of play."""
    reached = list(dict.fromkeys([*(step.turn for step in ledger.steps()), sitting.campaign.desk.turn]))
    return reached if sitting.ruleset.is_over(sitting.campaign) else reached[:-1]


def _kept(sitting: Sitting, then: Campaign, back: Campaign, ledger: Ledger, leap: _Leap) -> tuple[int, int]:
    """Carry what was typed since into the campaign of before; how many rows, and how many come too late there.

    A correction that is taken back is not typed in again; one that stays is told again. An earlier default was typed
    by nobody: it holds in the campaign of before, too. `then`: the campaign of before as it was.
    """
    now = without_earlier_defaults(sitting.ruleset, sitting.campaign, sitting.began, back)
    if leap.verb == "redo":
        return _kept_since_undo(now, back, ledger, leap)
    undone = {*ledger.line} - {*leap.line}
    now = without_collected(ledger, undone, now, lambda step: _before(sitting, ledger, step))
    skip = corrected_since(back, now)
    taken_back = leap.target.verb == CORRECT or leap.line != ledger.line[:len(leap.line)]
    if taken_back:
        skip |= corrected_since(now, back)
    gone = [row for row in taken_out(then, now) if row not in skip]
    kept = put_back(without(now, skip), back, ledger.given(), _states(sitting, ledger, leap), gone)
    kept += carry_own(now, back)
    told = carry_told(now, back, corrections=not taken_back, undecided=_to_decide(sitting, ledger, leap, back))
    return kept + told, 0


def _before(sitting: Sitting, ledger: Ledger, step: int) -> Campaign:
    """The campaign as it was before a step."""
    kept = KeptCampaigns(ledger, {record.sheet: record for record in sitting.ruleset.records})
    return campaign_before(ledger, step, sitting.path.name, sitting.loader, kept)


def _states(sitting: Sitting, ledger: Ledger, leap: _Leap) -> Iterator[Campaign]:
    """The campaign before each of the changes that are taken back, the latest first."""
    for number in reversed(ledger.line):
        step = ledger.step(number)
        if step is not None and number not in (leap.target.id, *leap.line) and step.verb != CORRECT:
            yield _before(sitting, ledger, number)


def _to_decide(sitting: Sitting, ledger: Ledger, leap: _Leap, back: Campaign) -> set[int]:
    """The numbers of the rulings that the undone change has made."""
    if leap.target.verb not in DECIDED:
        return set()
    later = next((step.id for step in ledger.steps() if step.id > leap.target.id), None)
    made = sitting.campaign if later is None else _before(sitting, ledger, later)
    known = len(rulings_of(back))
    return {one.event.no for one in rulings_of(made)[known:]}


def _kept_since_undo(now: Campaign, back: Campaign, ledger: Ledger, leap: _Leap) -> tuple[int, int]:
    """Carry what was typed since the undo that is taken back; how many rows, and how many come too late there.

    What the undo itself left is no news to the workbook that it left behind.
    """
    manifest = ledger.manifest_after(leap.target.id)
    if not manifest:  # nobody knows what stood there
        return put_back(now, back, ledger.given()) + carry_own(now, back), 0
    undone = written(ledger, manifest, now)
    since = typed_since(undone, now, back)
    late = too_late(since, back)
    return put_back(since, back, ledger.given(), gone=taken_out(undone, now)) + carry_own(since, back), late
