"""`undo`, `redo`, `history`: restore an earlier workbook, with what was typed since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die
from assistant.desk.inputs import (
    carry_events,
    carry_own,
    carry_typed,
    copy_fields,
    corrections_since,
    count_too_late,
    inputs_since,
    keep_beside,
    rows_taken_out,
    same_fields,
    typed_names,
    without_rows,
)
from assistant.desk.past.correct import Agree, agree_to_nothing, report_readers, reports_sent_findings
from assistant.desk.past.phase_chain import book_before, campaign_before, campaign_from_content
from assistant.desk.play_phase import without_earlier_defaults
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import find_second_copies
from assistant.desk.workspace.detect_edits import (
    campaign_as_written,
    fingerprints_after_undo,
    first_fingerprints,
    rulings_of,
)
from assistant.desk.workspace.fingerprints import LedgerCampaigns, saved_file, user_and_computer
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    abort,
    catches_abort,
    claim_workbook,
    file_faults,
    ledger_abort,
    open_workspace,
    retry_while_changing,
)
from assistant.desk.workspace.writer import (
    ProtectedWrite,
    WriteAccess,
    map_later_findings,
    open_for_writing,
    readable_file,
)
from assistant.environment import machine_language
from assistant.ledger import (
    COLLECT,
    CORRECT,
    DECISION_VERBS,
    LAYOUT,
    MAP,
    SHARE,
    UNREADABLE_BOOK,
    Fingerprints,
    Ledger,
    LedgerStep,
    LedgerTrouble,
    PlannedStep,
    path_of_ledger,
)
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import blocks_phase, supersedable_records
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.file_book import FileBook, display_of_file
from assistant.workbook.save import replace_file, sha256

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
    for step in reversed([step for step in ledger.steps() if step.id in undone and step.verb == COLLECT]):
        manifest = ledger.manifest_after(step.id)
        if manifest:
            left = _revert_collected(before(step.id), campaign_as_written(ledger, manifest, now), left.copy())
    return left


def _revert_collected(was: Campaign, brought: Campaign, now: Campaign) -> Campaign:
    """Restore the rows that were collected and that nobody has touched since."""
    for record in supersedable_records(brought):
        names, before, table = typed_names(record), was.by_sheet(record.sheet), now.by_sheet(record.sheet)
        for key, row in brought.by_sheet(record.sheet).in_file_order():
            old, standing = before.get(key), table.get(key)
            if standing is None or not same_fields(standing, row, names) or (old and same_fields(old, row, names)):
                continue
            if old is None:
                table.remove(key)
            else:
                copy_fields(old, standing, names)
    return now


# The map after an undo or redo.
#
# If nothing was typed since, the old file is restored as a whole; otherwise only its records, and the map with them.


def restore_map_view(workspace: Workspace, ledger: Ledger, step: int, between: Iterable[int]) -> list[Finding]:
    """Make the next writing show the map as it was before a step; returns findings on what cannot be restored.

    `between`: the steps that are taken back or done again. Raises `LedgerTrouble`, OSError.
    """
    steps = [ledger.step(number) for number in between]
    if not any(step is not None and step.verb == MAP for step in steps):
        return map_later_findings(workspace)
    then = display_of_file(saved_file(readable_file(ledger.book(step))))
    if isinstance(workspace.book, FileBook):
        return workspace.book.to_show(then)
    same = then == display_of_file(workspace.on_disk())
    return map_later_findings(workspace) if same else [codes.finding(codes.MAP_STAYS_OPEN, book=workspace.path.name)]


# `undo`, `redo`, `history`.


UNDONE = N_("Undone. You are back before {when}.")
REDONE = N_("Done again: {when}.")
COLLECTED_AGAIN = N_("Done again: what was collected from the clubs.")
MAP_PARTLY_UNDONE = N_("Undone, but for the map: not all of it could be taken back.")
UNDO_TEXTS = {
    **dict.fromkeys(DECISION_VERBS, N_("Undone: the changes by hand are to be decided on again.")),
    CORRECT: N_("Undone: the correction. The workbook says again what it said before."),
    COLLECT: N_("Undone: what was collected from the clubs. The files lie where they lay: the next collect takes them"
                " again."),
    SHARE: N_("Undone: the columns for deputies and holidays are taken off again."),
    LAYOUT: N_("Undone: the places lie on the map where they lay before."),
    MAP: N_("Undone: the map is taken out of the workbook again, or the shapes have the colours that they had."),
}
SNAPSHOT_RESTORED = N_("Brought back: the workbook as it was before change {number}.")


@catches_abort("undo")
def undo(at: BookPlace, *, steps: int = 1, to: str = "", snapshot: int = 0, hard: bool = False,
         agree: Agree = agree_to_nothing, lang: str = "") -> Result:
    """Go back to before the last phase, the last `steps` phases, the phase `to`, or a numbered change.

    `to`: a phase (the last one of that name) or ``turn.phase``. What was typed since (orders, answers,
    dice, battle forms, rules) is put back unless `hard`; a `snapshot` is always brought back exactly.
    The workbook as it was is kept, for `redo`. `agree`: asks the referee twice where reports were sent that tell
    of what is taken back; where it does not agree nothing is done. Result data: ``turn``, ``phase``, ``kept``.
    """
    return _run_jump(at, UndoRequest("undo", steps, to, snapshot, hard), agree, lang)


@catches_abort("redo")
def redo(at: BookPlace, *, hard: bool = False, lang: str = "") -> Result:
    """Take the last undo back; what was typed since is kept as in `undo`. Result data as there."""
    return _run_jump(at, UndoRequest("redo", hard=hard), agree_to_nothing, lang)


@retry_while_changing
@catches_abort("history")
def history(path: Path, *, lang: str = "") -> Result:
    """All changes, newest first, and which of them can be undone. Result data: ``changes``."""
    workspace = open_workspace(path, lang)
    with workspace.ledger() as ledger:
        result = Result("history", wording=workspace.wording)
        line, steps = set(ledger.line), ledger.steps()
    result.data["changes"] = [
        {"number": s.id, "verb": s.verb, "turn": s.turn, "phase": s.phase, "in_force": s.id in line}
        for s in reversed(steps)]
    for s in reversed(steps):
        mark = "*" if s.id in line else " "
        result.say(f"{s.id:>5} {mark} {s.verb:<8} {workspace.when(s)}")
    result.say(workspace.wording.text(
        N_("* can be undone: arbitro undo {book} --to TURN.PHASE;"
           " any change can be brought back as it was: arbitro undo {book} --snapshot NUMBER"),
        book=path.name))
    return result


@dataclass(frozen=True)
class UndoRequest:
    """What was asked for: `redo`, or `undo` and how far; `hard`: without what was typed since."""

    verb: str
    steps: int = 1
    to: str = ""
    snapshot: int = 0
    hard: bool = False


@dataclass(frozen=True)
class _Jump:
    """A jump to the workbook before a step; `line`, `redo`: the ledger's pointers there."""

    verb: str
    target: LedgerStep
    line: tuple[int, ...]
    redo: tuple[int, ...] | None
    hard: bool


def _run_jump(at: BookPlace, wanted: UndoRequest, agree: Agree, lang: str) -> Result:
    """Do what was asked for. Raises `Abort`."""
    try:
        workspace = open_workspace(at, lang)
    except Abort as unreadable:
        if not isinstance(at, Path):
            raise
        return _jump_without_book(at, unreadable, wanted, lang, agree)
    with open_for_writing(workspace, wanted.verb, of_any_time=bool(wanted.to or wanted.snapshot)) as session:
        leap = _plan_jump(session.ledger, wanted, workspace.lang)
        _require_agreement(session.ledger, leap, agree, workspace.wording, workspace.when, workspace.path.name,
                           live=workspace.book.live)
        return _make_jump(session, leap, _jump_text(workspace, session.ledger, leap, fetched=bool(wanted.snapshot)))


def _plan_jump(ledger: Ledger, wanted: UndoRequest, lang: str) -> _Jump:
    """Plan the jump. Raises `Abort` if there is nothing to undo or redo, or not that far back."""
    if wanted.verb == "redo":
        stack = ledger.redo
        target = ledger.step(stack[-1]) if stack else None
        if target is None:
            raise abort(Exit.REFUSED, codes.NOTHING_TO_REDO, lang)
        return _Jump("redo", target, target.line, stack[:-1], wanted.hard)
    target, rest = _undo_target(ledger, wanted.steps, wanted.to, wanted.snapshot)
    if target is None:
        if not ledger.line:
            raise abort(Exit.REFUSED, codes.NOTHING_TO_UNDO, lang)
        raise abort(Exit.REFUSED, codes.NO_SUCH_STEP, lang, asked=wanted.to or str(wanted.snapshot or wanted.steps),
                   n=len(ledger.line))
    return _Jump("undo", target, rest, None, wanted.hard or bool(wanted.snapshot))


def _require_agreement(ledger: Ledger, leap: _Jump, agree: Agree, words: Wording, when: Callable[[LedgerStep], str],
                       book: str, *, live: bool = False) -> None:
    """Raise `Abort` if reports were sent that tell of what is undone, and the referee does not agree."""
    gone = sorted({*ledger.line} - {*leap.line}) if leap.verb == "undo" else []
    first = ledger.step(gone[0]) if gone else None
    if first is None:
        return
    readers = report_readers(ledger, gone)
    refused = reports_sent_findings(words, readers, when(first), book, leap.verb, agree, live=live)
    if refused:
        raise Abort(Exit.REFUSED, refused, words.lang, words)


def _jump_text(workspace: Workspace, ledger: Ledger, leap: _Jump, *, fetched: bool = False) -> str:
    """The sentence about a jump."""
    if leap.verb == "redo":
        last = ledger.step(leap.line[-1]) if leap.line else None
        told = COLLECTED_AGAIN if last is not None and last.verb == COLLECT else REDONE
        return workspace.wording.text(told, when=workspace.when(last or leap.target))
    words = SNAPSHOT_RESTORED if fetched else UNDO_TEXTS.get(leap.target.verb, UNDONE)
    return workspace.wording.text(words, when=workspace.when(leap.target), number=leap.target.id)


def _undo_target(ledger: Ledger, steps: int, to: str, snapshot: int) -> tuple[LedgerStep | None, tuple[int, ...]]:
    """The step to go back to, and the line of steps that is left then."""
    if snapshot:
        target = ledger.step(snapshot)
        return target, target.line if target else ()
    way = ledger.line
    if to:
        target = next((step for step in reversed(ledger.steps_in_force("resolve"))
                       if to in (step.phase, f"{step.turn}.{step.phase}")), None)
        return target, way[:way.index(target.id)] if target else ()
    target = None
    for _ in range(steps):
        target = ledger.step(way[-1]) if way else None
        if target is None:
            return None, ()
        # a correction replaced a part of the line: what it was before stands with its step
        way = target.line if target.verb == CORRECT else way[:-1]
    return target, way


def _jump_without_book(path: Path, unreadable: Abort, wanted: UndoRequest, lang: str, agree: Agree) -> Result:
    """Undo or redo without a readable workbook: only if `hard`, from the ledger alone.

    Raises `Abort`.
    """
    if any(f.code in (codes.FILE_LOCKED, codes.TWO_HISTORIES) for f in unreadable.findings):
        raise unreadable
    if not wanted.hard:
        refused = codes.finding(codes.CANNOT_CARRY, book=path.name, verb=wanted.verb)
        raise Abort(Exit.FILE, [*unreadable.findings, refused], lang)
    return jump_from_ledger(path, wanted, lang, agree)


def jump_from_ledger(
    path: Path, wanted: UndoRequest, lang: str, agree: Agree, chain: Sequence[str] = (UNREADABLE_BOOK,)
) -> Result:
    """Undo or redo from the ledger alone. `chain`: the marks of the workbook that lies there. What lies there is broken
    or of another history: no `redo` brings it back. Raises `Abort`.
    """
    try:
        with file_faults(path, lang), claim_workbook(path, wanted.verb, lang), Ledger.open(
                path_of_ledger(path), "") as ledger:
            ledger.settle_as_made()
            leap = _plan_jump(ledger, wanted, lang)
            target = leap.target
            _require_agreement(ledger, leap, agree, Wording(None, lang or machine_language()),
                             lambda step: f"{step.turn} {step.phase}", path.name)
            old = book_before(ledger, target.id, path.name)
            lying = path.read_bytes() if path.is_file() else None
            manifest = ledger.manifest_before(target.id)
            marks = Fingerprints(manifest) if manifest else first_fingerprints(campaign_from_content(old, path.name))

            def around(content: bytes, take_place: Callable[[], None]) -> None:
                ledger.change([PlannedStep(leap.verb, target.turn, target.phase)], lying or b"", sha256(content),
                              line=leap.line, redo=leap.redo or (), marks=marks, mark=ledger.mark_before(target.id),
                              who=user_and_computer(), chain=chain, meanwhile=take_place)

            replace_file(path, old, None if lying is None else sha256(lying), check=False, around=around)
            workspace = open_workspace(path, lang)
            text = _jump_text(workspace, ledger, leap)
    except LedgerTrouble as trouble:
        raise ledger_abort(trouble, path, lang) from trouble
    result = Result(leap.verb, lines=[text], findings=find_second_copies(workspace), wording=workspace.wording)
    result.data.update(turn=target.turn, phase=target.phase, kept=0)
    return result


def _make_jump(session: WriteAccess, leap: _Jump, text: str) -> Result:
    """Make the jump: restore the workbook's bytes or, if anything was typed since, its records."""
    workspace, ledger = session.workspace, session.ledger
    back, kept, late, anew, desk = workspace.campaign, 0, 0, False, workspace.campaign.desk
    stages, mark = [PlannedStep(leap.verb, desk.turn, desk.phase)], ledger.mark_before(leap.target.id)
    manifest = ledger.manifest_before(leap.target.id)
    marks = Fingerprints(manifest) if manifest else None
    with workspace.file_faults():
        if not leap.hard:
            then = _campaign_before(workspace, ledger, leap.target.id)
            back = then.copy()
            if any(blocks_phase(f) or (f.alone and f.stops) for f in workspace.reading.findings):  # it would be lost
                raise workspace.abort(Exit.REFUSED, codes.CANNOT_CARRY, book=workspace.path.name, verb=leap.verb)
            kept, late = _carry_typed_rows(workspace, then, back, ledger, leap)
            anew = keep_beside(workspace.campaign, back) or kept > 0
            if anew:  # it is a state that never was
                mark = session.mark(back, stages, leap.line)
            marks = fingerprints_after_undo(ledger, manifest, then, back)
        old = b""
        if leap.hard and workspace.book.live:
            back = campaign_before(ledger, leap.target.id, workspace.path.name, workspace.loader)
            marks = marks or first_fingerprints(back)
        elif leap.hard or (not anew and ledger.fingerprint_after(leap.target.id) == workspace.reading.sha256 != ""):
            old = book_before(ledger, leap.target.id, workspace.path.name, workspace.loader, workspace.on_sheets)
            marks = marks or first_fingerprints(campaign_from_content(old, workspace.path.name, workspace.loader))
        aside = [] if old else restore_map_view(workspace, ledger, leap.target.id, {*ledger.line} ^ {*leap.line})
    over = _turns_over(workspace, ledger)
    text = workspace.wording.text(MAP_PARTLY_UNDONE) if aside and leap.target.verb == MAP else text
    with ProtectedWrite(session, stages, line=leap.line, redo=leap.redo, marks=marks, after=back, mark=mark):
        if old:
            workspace.put_bytes(old)
        else:
            workspace.book.write(workspace.on_sheets, back, workspace.sheet_wording, session.desk_lines(back, [text]))
    result = Result(leap.verb, lines=[text], findings=[*workspace.second_copies, *aside, *workspace.book.asides],
                    wording=workspace.wording)
    try:
        after = (open_workspace(workspace.path, workspace.lang).campaign if old else back).desk
        result.data.update(turn=after.turn, phase=after.phase, kept=kept)
        # their secrets were revealed when they were over: everybody can compute the dice to come
        if leap.verb == "undo" and after.turn in over and workspace.campaign.has(Die.sheet):
            again = over[over.index(after.turn):]
            result.find([codes.finding(codes.SECRETS_TOLD, turns=", ".join(again), book=workspace.path.name)])
    except Abort:  # a club's workbook as it was before Arbitro took it on is no campaign
        result.data.update(turn=leap.target.turn, phase=leap.target.phase, kept=kept)
    _say_kept(result, workspace, kept, late)
    return result


def _say_kept(result: Result, workspace: Workspace, kept: int, late: int) -> None:
    """Say what happened to the rows typed since."""
    if kept:
        result.say(workspace.wording.plural(N_("Kept {n} row typed since."),
                                            N_("Kept {n} rows typed since."), kept))
    if late:
        result.say(workspace.wording.plural(
            N_("Left out {n} row typed since: a phase that is over again has counted another."),
            N_("Left out {n} rows typed since: phases that are over again have counted others."),
            late))


def _turns_over(workspace: Workspace, ledger: Ledger) -> list[str]:
    """The turns that were over at some time, whose secrets reports may have revealed, in the order of play."""
    reached = list(dict.fromkeys([*(step.turn for step in ledger.steps()), workspace.campaign.desk.turn]))
    return reached if workspace.ruleset.is_over(workspace.campaign) else reached[:-1]


def _carry_typed_rows(
    workspace: Workspace, then: Campaign, back: Campaign, ledger: Ledger, leap: _Jump
) -> tuple[int, int]:
    """Carry what was typed since into the campaign of before; how many rows, and how many come too late there.

    A correction that is taken back is not typed in again; one that stays is told again. An earlier default was typed
    by nobody: it holds in the campaign of before, too. `then`: the campaign of before as it was.
    """
    now = without_earlier_defaults(workspace.ruleset, workspace.campaign, workspace.began, back)
    if leap.verb == "redo":
        return _carry_rows_since_undo(now, back, ledger, leap)
    undone = {*ledger.line} - {*leap.line}
    now = without_collected(ledger, undone, now, lambda step: _campaign_before(workspace, ledger, step))
    skip = corrections_since(back, now)
    taken_back = leap.target.verb == CORRECT or leap.line != ledger.line[:len(leap.line)]
    if taken_back:
        skip |= corrections_since(now, back)
    gone = [row for row in rows_taken_out(then, now) if row not in skip]
    kept = carry_typed(without_rows(now, skip), back, ledger.own_answers(), _undone_states(workspace, ledger, leap),
                       gone)
    kept += carry_own(now, back)
    undecided = _rulings_to_remake(workspace, ledger, leap, back)
    told = carry_events(now, back, corrections=not taken_back, undecided=undecided)
    return kept + told, 0


def _campaign_before(workspace: Workspace, ledger: Ledger, step: int) -> Campaign:
    """The campaign as it was before a step."""
    kept = LedgerCampaigns(ledger, {record.sheet: record for record in workspace.ruleset.records})
    return campaign_before(ledger, step, workspace.path.name, workspace.loader, kept)


def _undone_states(workspace: Workspace, ledger: Ledger, leap: _Jump) -> Iterator[Campaign]:
    """The campaign before each of the changes that are taken back, the latest first."""
    for step in reversed(ledger.steps_in_force()):
        if step.id not in (leap.target.id, *leap.line) and step.verb != CORRECT:
            yield _campaign_before(workspace, ledger, step.id)


def _rulings_to_remake(workspace: Workspace, ledger: Ledger, leap: _Jump, back: Campaign) -> set[int]:
    """The numbers of the rulings that the undone change has made."""
    if leap.target.verb not in DECISION_VERBS:
        return set()
    later = next((step.id for step in ledger.steps() if step.id > leap.target.id), None)
    made = workspace.campaign if later is None else _campaign_before(workspace, ledger, later)
    known = len(rulings_of(back))
    return {edit.event.no for edit in rulings_of(made)[known:]}


def _carry_rows_since_undo(now: Campaign, back: Campaign, ledger: Ledger, leap: _Jump) -> tuple[int, int]:
    """Carry what was typed since the undo that is taken back; how many rows, and how many come too late there.

    What the undo itself left is no news to the workbook that it left behind.
    """
    manifest = ledger.manifest_after(leap.target.id)
    if not manifest:  # nobody knows what stood there
        return carry_typed(now, back, ledger.own_answers()) + carry_own(now, back), 0
    undone = campaign_as_written(ledger, manifest, now)
    since = inputs_since(undone, now, back)
    late = count_too_late(since, back)
    kept = carry_typed(since, back, ledger.own_answers(), gone=rows_taken_out(undone, now))
    return kept + carry_own(since, back), late
