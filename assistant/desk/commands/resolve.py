"""`check`: whatever is to be put right, each with its cell. `resolve`: phase after phase, until a person is needed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order, Outline, parse_points
from assistant.campaign.tables import natural
from assistant.desk.inputs import check_typed_inputs, refused_answers, refused_forms, without_rows
from assistant.desk.next_steps import outcome_lines, waiting_finding
from assistant.desk.past.phase_chain import encode_differences
from assistant.desk.play_phase import (
    Decision,
    Readiness,
    ResolveOptions,
    RollCall,
    TurnPhase,
    assess_readiness,
    call_roll,
    decide_phase,
    has_asked,
    phases_to_come,
    phases_until,
    refusal_findings,
    with_robot_orders,
)
from assistant.desk.results import Confirm, Exit, Result, Tell, agrees, quiet
from assistant.desk.workspace.check_against_ledger import (
    abort_on_data,
    find_second_copies,
    list_changes,
    other_text_findings,
    report_edits,
)
from assistant.desk.workspace.detect_edits import DetectedEdits
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    GaveUp,
    Workspace,
    catches_abort,
    current_deadline,
    deadline_findings,
    deadline_text,
    ensure_deadline,
    open_workspace,
    plain_deadline,
    retry_while_changing,
    settle_inbox,
    store_deadline,
    stored_deadline,
)
from assistant.desk.workspace.writer import (
    ProtectedWrite,
    WriteAccess,
    map_later_findings,
    open_for_writing,
    planned_step,
)
from assistant.ledger import PlannedStep, ledger_condition, path_of_ledger
from assistant.pictures.colours import FEW, GREY, LAND, colour_conflicts
from assistant.turn import codes
from assistant.turn.absence import (
    AbsenceAction,
    SilentClub,
    absence_actions,
    absence_event,
    next_deadline,
    timetable_of,
    waiting_mail,
)
from assistant.turn.codes import MARKED_OFF, SHEET_UNMARKED
from assistant.turn.findings import SEVERITIES, Finding, Where, nearest
from assistant.turn.orders.taking import one_a_cause, without_repeats
from assistant.turn.phases import blocks_phase, without_superseded
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.save import refuse_if_locked
from assistant.workbook.screening import BookError, BookLocked

# Silent factions.


class Timing(NamedTuple):
    """The time, and how to deal with it. `now`: the current time, None to ignore deadlines; `yes`: the referee goes
    on without the silent; `auto`: only where the phase is ready.
    """

    now: datetime | None = None
    yes: bool = False
    auto: bool = False


NO_TIME = Timing()


class Absence:
    """The silent in the phases of one command. `robots`: factions that the assistant plays at the referee's word."""

    def __init__(
        self, session: WriteAccess, timing: Timing, confirm: Confirm | None, robots: Container[str] = ()
    ) -> None:
        self._session, self._timing, self._confirm, self._robots = session, timing, confirm, robots
        self._was: datetime | None = stored_deadline(session.ledger, session.workspace.campaign)
        self._due, self._counted, self._moved = self._was, False, False

    def of_phase(self, campaign: Campaign) -> tuple[tuple[AbsenceAction, ...], list[Finding]]:
        """What is done for the silent in the present phase, and what holds it: then nothing is to be done."""
        workspace = self._session.workspace
        call = call_roll(workspace.ruleset, campaign, self._timing.now, self._due).without(self._robots)
        holding = [] if has_asked(campaign) else reasons_to_wait(call, campaign, self._timing.now, workspace.wording)
        agreed = self._timing.yes or (bool(holding) and self._confirm is not None and agrees(
            self._confirm, holding, N_("Resolve without them? [y/N]"), workspace.wording))
        if holding and not agreed:
            return (), holding
        over = [club for club in call.silent if agreed or not club.in_time(self._timing.now)]
        return absence_actions(over, campaign.desk.absent, plain_deadline(self._due, campaign.desk)), []

    def take(self, campaign: Campaign, decision: Decision) -> None:
        """A phase ended or stopped: what was due by its deadline has been counted. `campaign`: as it was before."""
        if not decision.begun or self._timing.now is None:
            return
        workspace, table = self._session.workspace, timetable_of(campaign.desk)
        self._moved = True
        owing = bool(call_roll(workspace.ruleset, campaign).owing)
        self._counted |= owing and (decision.outcome.done or not has_asked(campaign))
        self._due = None if table is None else next_deadline(table, self._timing.now, self._was, counted=self._counted)

    def note(self) -> None:
        """Keep the deadline of the phase that is next. Raises `LedgerTrouble`."""
        campaign = self._session.workspace.campaign
        if self._moved and self._due is not None and not self._session.workspace.ruleset.is_over(campaign):
            store_deadline(self._session.ledger, campaign, self._due)


def reasons_to_wait(call: RollCall, campaign: Campaign, now: datetime | None, words: Wording) -> list[Finding]:
    """Why a phase is not resolved without asking the referee: clubs that still have time, too many newly silent."""
    findings, desk = [], campaign.desk
    early = call.in_time(now)
    if early:
        last = max(club.until for club in early if club.until is not None)
        findings.append(codes.finding(codes.STILL_IN_TIME, list=[club.faction for club in early],
                                      until=Verbatim(deadline_text(last, desk, words))))
    if call.too_many(desk.silent_share):
        findings.append(codes.finding(codes.TOO_MANY_SILENT, n=len(call.newly), of=len(call.owing),
                                      share=desk.silent_share, list=list(call.newly)))
    return findings


def say_fates(taken: Sequence[AbsenceAction], campaign: Campaign, result: Result, words: Wording) -> None:
    """Say what was done for the silent."""
    for fate in taken:
        result.say(words.event(absence_event(fate, campaign.desk, 1)))


# --- is it ready? -------------------------------------------------------------------------------------------
def readiness_of(workspace: Workspace, now: datetime) -> tuple[RollCall, Readiness]:
    """The roll call of the present phase, and whether it is ready; the last word is the workbook's last saving."""
    campaign = workspace.campaign
    call = call_roll(workspace.ruleset, campaign, now, current_deadline(workspace, now))
    return call, assess_readiness(campaign.desk, call, _last_saved(workspace), now)


def _last_saved(workspace: Workspace) -> datetime | None:
    try:
        return datetime.fromtimestamp(workspace.path.stat().st_mtime, UTC)
    except OSError:  # an open workbook that lies in no folder: what is on the screen may be of this moment
        return None


def waiting_result(workspace: Workspace, timing: Timing) -> Result | None:
    """The waiting result of ``--auto`` where the phase is not ready; None where it is."""
    if timing.now is None or workspace.ruleset.is_over(workspace.campaign):
        return None
    call, ready = readiness_of(workspace, timing.now)
    if ready.now(timing.now):
        return None
    result = Result("resolve", Exit.WAITING, wording=workspace.wording)
    desk = workspace.campaign.desk
    result.data.update(resolved=[], turn=desk.turn, phase=desk.phase, over=False, **ready_data(call, ready, timing.now))
    say_ready(result, workspace, call, ready, timing.now)
    return result


def ready_data(call: RollCall, ready: Readiness, now: datetime) -> dict[str, Any]:
    """Plain values: ``deadline``, ``ready``, ``ready_since``, ``silent``, ``wait``."""
    def time_text(moment: datetime | None) -> str:
        return moment.astimezone(UTC).isoformat() if moment else ""
    return {"deadline": time_text(call.due), "ready": ready.now(now), "ready_since": time_text(ready.since),
            "silent": [club.faction for club in call.silent], "wait": list(call.waits)}


def say_ready(result: Result, workspace: Workspace, call: RollCall, ready: Readiness, now: datetime) -> None:
    """Say until when something is due, who is silent and who is asked for it, and whether the phase is ready."""
    words, desk = workspace.wording, workspace.campaign.desk
    table = timetable_of(desk)
    if call.due is not None and table is not None and call.owing:
        result.say(words.text(N_("Due by {due}."), due=Verbatim(deadline_text(call.due, desk, words))))
        if table.grace:
            result.say(words.text(N_("What comes until {until} still counts."),
                                  until=Verbatim(deadline_text(table.ends(call.due), desk, words))))
    for club in call.silent:
        if note := _silent_note(club, words):
            result.say(f"  {note}")
    if call.waits:
        result.say(words.text(N_("Wait for more, they have asked: {list}."), list=list(call.waits)))
    if ready.now(now):
        result.say(words.text(N_("The phase is ready.")))
    elif ready.since is not None:
        result.say(words.text(N_("All have answered; the phase is ready on {since}."),
                              since=Verbatim(deadline_text(ready.since, desk, words))))
    elif ready.awaited:
        result.say(words.text(N_("The phase is not ready; nothing has come from: {list}."), list=list(ready.awaited)))
    else:
        result.say(words.text(N_("The phase is not ready.")))


def _silent_note(club: SilentClub, words: Wording) -> str:
    """What else the referee should know about a silent club."""
    if club.holiday and club.deputy:
        return words.text(N_("{faction:the} {faction?is|are} on holiday; ask the deputy: {deputy}."),
                          faction=club.faction, deputy=Verbatim(club.deputy))
    if club.holiday:
        return words.text(N_("{faction:the} {faction?is|are} on holiday, without a deputy."), faction=club.faction)
    if club.standing:
        return words.text(N_("{faction:the} {faction?has|have} standing orders: {list}."), faction=club.faction,
                          list=Verbatim("; ".join(club.standing)))
    return words.text(N_("{faction:the}: the deputy is {deputy}."), faction=club.faction,
                      deputy=Verbatim(club.deputy)) if club.deputy else ""


# `resolve`.


@catches_abort("resolve")
def resolve(at: BookPlace, *, until: str = "", robots: Iterable[str] = (), defaults: bool = False,
            strict: bool = False, end: bool = False, lang: str = "", tell: Tell = quiet,
            confirm: Confirm | None = None, timing: Timing = NO_TIME,
            draws: bool = True) -> Result:
    """Resolve the present phase, or all up to `until` (a phase, or ``turn.phase``).

    `robots`: factions that the assistant plays where they have no orders or answers; `defaults`: open
    questions take their default; `strict`: a refused order stops the phase; `end`: the campaign is
    ended now, by the phase that closes it; `tell`: is given a line a phase; `confirm`: is asked before a
    phase that would refuse orders, and where it says no nothing is changed. The workbook is written
    once, at the end or where a person is needed, and the ledger has a change for each phase; whatever
    fails leaves both as they were. While a change by hand is undecided nothing is resolved. `draws`: whether the
    map that the workbook shows is drawn anew; `timing`: what time it is, which decides whose time is up; where clubs
    still have time, too many are newly silent, or rows of the Inbox are open, the referee is asked, too. What he has
    decided there is done first. Result data: ``turn`` and ``phase`` as they stand now, ``resolved``: the phases that
    ended.
    """
    options = ResolveOptions(frozenset(robots), defaults, strict)
    workspace = open_workspace(at, lang)
    workspace.book.draws = draws
    if end:
        return end_campaign(workspace, options, tell, confirm, timing)
    told = settle_inbox(workspace)
    ensure_deadline(workspace, timing.now)
    waiting = waiting_result(workspace, timing) if timing.auto else None
    result = waiting or resolve_loaded(workspace, until, options, tell, confirm, timing)
    result.find(told.findings if told is not None else [])
    return result


def resolve_loaded(workspace: Workspace, until: str, options: ResolveOptions, tell: Tell = quiet,
               confirm: Confirm | None = None, timing: Timing = NO_TIME) -> Result:
    """`resolve` for a workbook that is loaded already. Raises `Abort`."""
    way = _phases_to_resolve(workspace, until, options)
    _refuse_if_open(workspace)
    # all that can stop it is looked at before the ledger is opened for writing
    abort_on_data(workspace)
    _confirm(workspace, find_second_copies(workspace), COPY_THERE, confirm, timing)
    rows = workspace.with_cells(waiting_finding(row) for row in waiting_mail(workspace.campaign))
    _confirm(workspace, rows, N_("Resolve although these rows of the Inbox are open? [y/N]"), confirm, timing)
    left_open = rows if confirm is None else []  # nobody was asked
    if options.strict and (aside := [f for f in workspace.data_findings if f.stops]):
        raise workspace.abort_with(Exit.REFUSED, aside)
    with open_for_writing(workspace, "resolve") as session:
        unknown = session.abort_on_edits()
        result = _play(session, way, options, tell, confirm=confirm, timing=timing)
    result.find([*left_open, *unknown])
    return result


def _confirm_refusals(workspace: Workspace, campaign: Campaign, decision: Decision, options: ResolveOptions,
                confirm: Confirm | None) -> None:
    """Raise `Abort` when the present phase refuses orders and the referee, asked, does not want that.

    What a later phase will refuse is its affair. Once a phase has put its questions the referee has been asked;
    then it is asked again only before it ends, as an order may have been changed meanwhile.
    """
    if confirm is None or options.strict or (has_asked(campaign) and not decision.outcome.done):
        return
    rows = {f.where.row for f in decision.outcome.findings if f.stops and f.where.table == Order.sheet}
    work, _ = with_robot_orders(workspace.ruleset, campaign, options)
    seen = refusal_findings(workspace.ruleset, work) if rows else []
    refused = workspace.with_cells(f for f in seen if f.where.row in rows)
    if refused and not agrees(confirm, refused, N_("Resolve without these orders? [y/N]"), workspace.wording):
        raise GaveUp(workspace.wording, N_("Nothing was changed: put the orders right and resolve again."), refused)


COPY_THERE = N_("Resolve although a second copy lies there? [y/N]")


def _confirm(workspace: Workspace, findings: list[Finding], question: str, confirm: Confirm | None, timing: Timing
             ) -> None:
    """Raise `Abort` where the referee, asked, does not want to go on over findings, and as waiting where nobody may be
    asked.
    """
    if findings and timing.auto:
        raise workspace.abort_with(Exit.WAITING, findings)
    if findings and confirm is not None and not agrees(confirm, findings, question, workspace.wording):
        raise workspace.abort_with(Exit.REFUSED, findings)


def _refuse_if_open(workspace: Workspace) -> None:
    """Raise `Abort` before any work is done when another program has the workbook open."""
    if workspace.book.live:  # then that program is ours
        return
    try:
        refuse_if_locked(workspace.path)
    except BookLocked as fault:
        raise workspace.file_abort(fault) from fault


def end_campaign(workspace: Workspace, options: ResolveOptions, tell: Tell = quiet, confirm: Confirm | None = None,
            timing: Timing = NO_TIME) -> Result:
    """End the campaign before its time, by the phase that closes it. Raises `Abort`."""
    _phases_to_resolve(workspace, "", options)
    closing = workspace.ruleset.closing
    if not closing:
        raise workspace.abort(Exit.USAGE, codes.NO_EARLY_END, title=workspace.ruleset.title)
    abort_on_data(workspace)
    _confirm(workspace, find_second_copies(workspace), COPY_THERE, confirm, timing)
    early = workspace.campaign.copy()
    early.desk.phase = closing
    with open_for_writing(workspace, "resolve") as session:
        session.abort_on_edits()
        return _play(session, [TurnPhase(early.desk.turn, closing)], options, tell, early)


def _phases_to_resolve(workspace: Workspace, until: str, options: ResolveOptions) -> list[TurnPhase]:
    """The phases to resolve. Raises `Abort` for a goal or a robot that is not there."""
    campaign, ruleset = workspace.campaign, workspace.ruleset
    known = [f.faction for f in campaign.table(Faction)]
    for robot in sorted(options.robots):
        if robot not in known:
            raise workspace.abort(Exit.USAGE, codes.NO_SUCH_FACTION, faction=robot, list=", ".join(known))
    if ruleset.is_over(campaign):
        raise workspace.abort(Exit.REFUSED, codes.CAMPAIGN_OVER)
    way = phases_until(ruleset, campaign, until)
    if not way:
        ids = list(ruleset.phase_ids(campaign))
        later = next((m for m in phases_to_come(ruleset, campaign) if f".{until}".endswith(f".{m.phase}")), None)
        turn = until[:-len(later.phase)].rstrip(".") if later is not None else ""
        if later is not None and (not turn or natural(turn) < natural(later.turn)):
            raise workspace.abort(Exit.USAGE, codes.PHASE_IS_OVER, phase=later.phase, turn=turn or campaign.desk.turn,
                                  next=f"{later.turn}.{later.phase}")
        raise workspace.abort(Exit.USAGE, codes.NO_SUCH_PHASE, phase=until, near=nearest(until, ids) or ids[0])
    return way


def _play(session: WriteAccess, way: list[TurnPhase], options: ResolveOptions, tell: Tell,
          start: Campaign | None = None, confirm: Confirm | None = None, timing: Timing = NO_TIME) -> Result:
    """Phase by phase in memory, then one writing. `start`: instead of the file's state."""
    workspace = session.workspace
    result = Result("resolve", wording=workspace.wording)
    resolved: list[dict[str, str]] = []
    evening, absence = _PhaseRun(workspace), Absence(session, timing, confirm, options.robots)
    for moment in way:
        told, holding = ((), []) if start else absence.of_phase(evening.campaign)
        if holding:
            result.exit = Exit.REFUSED
            result.find(holding)
            break
        here = options.of_phase(told)
        decision = decide_phase(
            workspace.ruleset, start or evening.campaign, session.ledger.turn_secret(moment.turn), here
        )
        _confirm_refusals(workspace, evening.campaign, decision, here, confirm)
        shown = len(result.lines)
        _say_outcome(workspace, decision, result)
        say_fates(told if decision.begun else (), evening.campaign, result, workspace.wording)
        absence.take(evening.campaign, decision)
        evening.take(decision)
        tell(result.lines[shown] if len(result.lines) > shown else "")
        if not decision.outcome.done:
            break
        resolved.append({"turn": moment.turn, "phase": moment.phase})
        if workspace.ruleset.is_over(evening.campaign):
            break  # before its time, as the rulebook may have it
    try:
        evening.write(session)
        absence.note()
        result.find([*workspace.second_copies, *_row_findings(workspace), *workspace.with_cells(evening.findings),
                     *workspace.book.asides, *(map_later_findings(workspace) if resolved else ())])
    except Abort as stopped:
        result, resolved = stopped.result("resolve"), []
    desk = workspace.campaign.desk
    result.data.update(resolved=resolved, turn=desk.turn, phase=desk.phase,
                       over=workspace.ruleset.is_over(workspace.campaign))
    return result


def _row_findings(workspace: Workspace) -> list[Finding]:
    return [f for f in workspace.reading.findings if f.code == MARKED_OFF or f.alone]


class _PhaseRun:
    """What the phases of one command came to, until it is written. `campaign`: as it stands by now."""

    def __init__(self, workspace: Workspace) -> None:
        self.campaign = workspace.campaign
        self.findings: list[Finding] = []
        self._workspace = workspace
        self._words = workspace.sheet_wording
        self._stages: list[PlannedStep] = []
        self._said: list[str] = []
        self._last: list[Finding] = []

    def take(self, decision: Decision) -> None:
        """The next phase, as it ended or stopped for answers; of one that was refused only the findings."""
        outcome, at_first = decision.outcome, self._workspace.campaign
        self.findings += decision.strict or outcome.findings
        self._last = outcome.findings
        if not outcome.done and not outcome.questions:
            return
        records = encode_differences(at_first, self.campaign, self._said) if self._stages else b""
        self._stages.append(planned_step("resolve" if outcome.done else "wait", self.campaign, outcome.campaign,
                                     given=decision.given, records=records))
        self.campaign = outcome.campaign
        self._said = outcome_lines(self._workspace.ruleset, outcome, self._words)

    def write(self, session: WriteAccess) -> None:
        """Snapshots of all phases into the ledger, then one writing of the workbook. Raises `Abort`."""
        workspace = self._workspace
        if self._stages:
            findings = [*_row_findings(workspace), *workspace.with_cells(self._last)]
            session.commit_all(self._stages, self.campaign, self._said,
                               {**refused_answers(findings), **refused_forms(workspace.ruleset, findings)})


def _say_outcome(workspace: Workspace, decision: Decision, result: Result) -> None:
    """Say how a phase ended; its findings are added once their cells are known."""
    outcome, words = decision.outcome, workspace.wording
    if decision.strict:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("Nothing was changed: put the orders right, or leave --strict off.")))
        return
    if not outcome.done and not outcome.questions:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("Nothing was changed: put the findings right first.")))
        return
    result.lines += outcome_lines(workspace.ruleset, outcome, words)
    result.events += len(outcome.events)
    if decision.robot_rows:
        result.say(words.plural(N_("{n} order was written for a robot."),
                                N_("{n} orders were written for robots."), decision.robot_rows))
    if not outcome.done:
        result.exit = Exit.WAITING
        result.questions = [q for q in outcome.questions if not q.answer.strip()] or outcome.questions


# `check`.


def all_findings(workspace: Workspace) -> list[Finding]:
    """Findings about the workbook and, when it can be used, about orders, answers and results that stand in it.

    Rows that nobody can read do not keep the others from being judged.
    """
    seen = [*find_second_copies(workspace), *workspace.data_findings,
            *workspace.with_cells(deadline_findings(workspace.campaign))]
    campaign = workspace.campaign
    if any(blocks_phase(f) for f in seen) or workspace.ruleset.is_over(campaign):
        return seen
    seen += workspace.with_cells([*similar_colours(campaign), *unreadable_outlines(campaign)])
    refused = {(f.where.table, f.where.row) for f in seen if f.stops and f.where.table == Order.sheet}
    campaign = without_rows(campaign, refused) if refused else campaign
    judged = workspace.with_cells(one_a_cause(without_repeats(
        [*workspace.ruleset.check_orders(without_superseded(campaign)), *check_typed_inputs(workspace, campaign)]
    )))
    told = {(f.code, f.where) for f in judged}
    return [*(f for f in seen if not (f.alone and (f.code, f.where) in told)), *judged]


@retry_while_changing
@catches_abort("check")
def check(at: BookPlace, *, mark: bool = False, lang: str = "") -> Result:
    """All findings, with their cells; `mark` writes them onto the cells. Nothing else changes.

    Ends as refused when a finding would refuse an order or stop the phase. Result data: ``turn``,
    ``phase``, ``counts`` by severity, ``marked``, ``by_hand`` as in `status`.
    """
    workspace = open_workspace(at, lang)
    result = Result("check", wording=workspace.wording)
    by_hand = report_edits(workspace)
    result.find([] if by_hand.trouble is None else [by_hand.trouble])
    result.find(
        [*by_hand.findings, *other_text_findings(workspace), *all_findings(workspace), *workspace.book.hindrances()]
    )
    in_the_way = _write_marks(workspace, result.findings, by_hand.watch) if mark else []
    result.find(workspace.second_copies)
    counts = {s: sum(f.severity == s for f in result.findings) for s in SEVERITIES}
    desk, words = workspace.campaign.desk, workspace.wording
    result.data.update(turn=desk.turn, phase=desk.phase, counts=counts, marked=mark and not in_the_way,
                       by_hand=by_hand.edits)
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
    if any(f.stops for f in in_the_way):
        result.exit = Exit.FILE
    if result.findings:
        result.say(words.plural(N_("{n} finding."), N_("{n} findings."), len(result.findings)))
        result.say_remarks()
    else:
        result.say(words.text(N_("Nothing to put right.")))
    if mark and not in_the_way and any(f.cell for f in result.findings):
        result.say(words.text(N_("The cells are marked in {file}."), file=workspace.path.name))
    elif mark and not in_the_way:
        result.say(words.text(N_("No cell is marked in {file}."), file=workspace.path.name))
    result.findings[:0] = in_the_way
    return result


def _write_marks(workspace: Workspace, findings: list[Finding], watched: DetectedEdits | None) -> list[Finding]:
    """Write the marks; a snapshot is kept if there is a ledger to keep it. `watched`: what was changed by hand.

    Returns what kept the program that shows the workbook from showing them: the findings are told all the same.
    """
    desk, words = workspace.campaign.desk, workspace.sheet_wording
    listed = None if watched is None else list_changes(workspace, watched.edits)
    if workspace.book.live:  # colours and notes are no records: there is nothing to keep
        try:
            return [codes.finding(SHEET_UNMARKED, sheet=title) for title in workspace.book.mark(findings, words,
                                                                                                listed)]
        except BookError as fault:
            return workspace.file_abort(fault).findings
    if ledger_condition(path_of_ledger(workspace.path), desk.campaign_id) == "ok":
        stage = PlannedStep("mark", desk.turn, desk.phase)
        with open_for_writing(workspace, "check", watch=watched) as session, ProtectedWrite(session, [stage]):
            workspace.book.mark(findings, words, listed)
        return []
    with workspace.file_faults(), workspace.claim("check"):
        workspace.book.mark(findings, words, listed)
    return []


# Colours of factions that many people could not tell apart.


UNOWNED = ""
"""Stands for the owner of land that nobody holds, and comes before all factions."""


def unreadable_outlines(campaign: Campaign) -> list[Finding]:
    """A warning at each row of an outline whose points cannot be read."""
    rows = campaign.table(Outline) if campaign.has(Outline.sheet) else ()
    return [codes.finding(codes.BAD_OUTLINE, Where(Outline.sheet, row.ident, "points"), outline=row.outline)
            for row in rows if parse_points(row.points) is None]


def similar_colours(campaign: Campaign) -> list[Finding]:
    """A warning at each colour that is too near to that of a faction above it, or of land that nobody holds, with the
    nearest that is not.

    Colours are typed once and borders move each turn: as long as there are few owners any two of them count as
    neighbours. A faction without a colour of its own (the column's default) is left alone: pictures give it one that
    can be told from all others (`worn`).
    """
    rows = [row for row in campaign.table(Faction) if row.colour.casefold() != GREY]
    pairs = {frozenset(pair) for pair in combinations([row.faction for row in rows], 2)} if len(rows) <= FEW else set()
    colours = {UNOWNED: LAND} | {row.faction: row.colour.casefold() for row in rows}
    pairs |= {frozenset((UNOWNED, row.faction)) for row in rows}
    return [codes.finding(codes.COLOURS_ALIKE if other else codes.COLOUR_OF_LAND,
                          Where(Faction.sheet, faction, "colour"), faction=faction, other=other, seen=colours[faction],
                          theirs=colours[other], good=good)
            for faction, other, good in colour_conflicts(colours, pairs)]
