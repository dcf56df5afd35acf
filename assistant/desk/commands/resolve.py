"""`resolve`: phase after phase, until a person is needed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order
from assistant.campaign.tables import natural
from assistant.desk.intake.check_inputs import refused_answers, wrong_forms
from assistant.desk.next_steps import desk_lines, outcome_lines
from assistant.desk.past.accept_revert import stop_on_edits
from assistant.desk.past.phase_chain import differences
from assistant.desk.play_phase import (
    Decision,
    Moment,
    Options,
    Ready,
    RollCall,
    ahead,
    call_roll,
    decide,
    has_asked,
    readiness,
    way_to,
    with_robot_orders,
    would_refuse,
)
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.version_check import look_beside, stop_on_data
from assistant.desk.workspace.workspace import (
    At,
    Sitting,
    Stop,
    due_now,
    due_of,
    file_stop,
    keep_due,
    note_due,
    plain_due,
    sit,
    stop,
    told_due,
)
from assistant.desk.workspace.writer import Session, at_work, later, stage_of
from assistant.ledger import Stage
from assistant.turn import codes
from assistant.turn.absence import Fate, Silent, due_after, event_of, fates, timetable_of
from assistant.turn.codes import MARKED_OFF
from assistant.turn.findings import Finding, nearest
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.save import refuse_if_locked
from assistant.workbook.screening import BookLocked

# Silent factions.


Confirm = Callable[[Sequence[str], str], bool]


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

    def __init__(self, session: Session, timing: Timing, confirm: Confirm | None, robots: Container[str] = ()) -> None:
        self._session, self._timing, self._confirm, self._robots = session, timing, confirm, robots
        self._was: datetime | None = due_of(session.ledger, session.sitting.campaign)
        self._due, self._counted, self._moved = self._was, False, False

    def of_phase(self, campaign: Campaign) -> tuple[tuple[Fate, ...], list[Finding]]:
        """What is done for the silent in the present phase, and what holds it: then nothing is to be done."""
        sitting = self._session.sitting
        call = call_roll(sitting.ruleset, campaign, self._timing.now, self._due).without(self._robots)
        holding = [] if has_asked(campaign) else held(call, campaign, self._timing.now, sitting.wording)
        agreed = self._timing.yes or (bool(holding) and self._agreed(holding))
        if holding and not agreed:
            return (), holding
        over = [one for one in call.silent if agreed or not one.in_time(self._timing.now)]
        return fates(over, campaign.desk.absent, plain_due(self._due, campaign.desk)), []

    def _agreed(self, holding: list[Finding]) -> bool:
        if self._confirm is None:
            return False
        words = self._session.sitting.wording
        shown = Result("resolve", findings=holding, wording=words)
        return self._confirm(shown.finding_lines(), words.text(N_("Resolve without them? [y/N]")))

    def take(self, campaign: Campaign, decision: Decision) -> None:
        """A phase ended or stopped: what was due by its deadline has been counted. `campaign`: as it was before."""
        if not decision.begun or self._timing.now is None:
            return
        sitting, table = self._session.sitting, timetable_of(campaign.desk)
        self._moved = True
        owing = bool(call_roll(sitting.ruleset, campaign).owing)
        self._counted |= owing and (decision.outcome.done or not has_asked(campaign))
        self._due = None if table is None else due_after(table, self._timing.now, self._was, counted=self._counted)

    def note(self) -> None:
        """Keep the deadline of the phase that is next. Raises `LedgerTrouble`."""
        campaign = self._session.sitting.campaign
        if self._moved and self._due is not None and not self._session.sitting.ruleset.is_over(campaign):
            note_due(self._session.ledger, campaign, self._due)


def held(call: RollCall, campaign: Campaign, now: datetime | None, words: Wording) -> list[Finding]:
    """Why a phase is not resolved without asking the referee: clubs that still have time, too many newly silent."""
    found, desk = [], campaign.desk
    early = call.in_time(now)
    if early:
        last = max(one.until for one in early if one.until is not None)
        found.append(codes.finding(codes.STILL_IN_TIME, list=[one.faction for one in early],
                                   until=Verbatim(told_due(last, desk, words))))
    if call.too_many(desk.silent_share):
        found.append(codes.finding(codes.TOO_MANY_SILENT, n=len(call.newly), of=len(call.owing),
                                   share=desk.silent_share, list=list(call.newly)))
    return found


def say_fates(taken: Sequence[Fate], campaign: Campaign, result: Result, words: Wording) -> None:
    """Say what was done for the silent."""
    for fate in taken:
        result.say(words.event(event_of(fate, campaign.desk, 1)))


# --- is it ready? -------------------------------------------------------------------------------------------
def ready_of(sitting: Sitting, now: datetime) -> tuple[RollCall, Ready]:
    """The roll call of the present phase, and whether it is ready; the last word is the workbook's last saving."""
    campaign = sitting.campaign
    call = call_roll(sitting.ruleset, campaign, now, due_now(sitting, now))
    return call, readiness(campaign.desk, call, _last_saved(sitting), now)


def _last_saved(sitting: Sitting) -> datetime | None:
    try:
        return datetime.fromtimestamp(sitting.path.stat().st_mtime, UTC)
    except OSError:  # an open workbook that lies in no folder: what is on the screen may be of this moment
        return None


def not_ready(sitting: Sitting, timing: Timing) -> Result | None:
    """The waiting result of ``--auto`` where the phase is not ready; None where it is."""
    if timing.now is None or sitting.ruleset.is_over(sitting.campaign):
        return None
    call, ready = ready_of(sitting, timing.now)
    if ready.now(timing.now):
        return None
    result = Result("resolve", Exit.WAITING, wording=sitting.wording)
    desk = sitting.campaign.desk
    result.data.update(resolved=[], turn=desk.turn, phase=desk.phase, over=False, **as_json(call, ready, timing.now))
    say_ready(result, sitting, call, ready, timing.now)
    return result


def as_json(call: RollCall, ready: Ready, now: datetime) -> dict[str, Any]:
    """Plain values: ``deadline``, ``ready``, ``ready_since``, ``silent``, ``wait``."""
    def told(moment: datetime | None) -> str:
        return moment.astimezone(UTC).isoformat() if moment else ""
    return {"deadline": told(call.due), "ready": ready.now(now), "ready_since": told(ready.since),
            "silent": [one.faction for one in call.silent], "wait": list(call.waits)}


def say_ready(result: Result, sitting: Sitting, call: RollCall, ready: Ready, now: datetime) -> None:
    """Say until when something is due, who is silent and who is asked for it, and whether the phase is ready."""
    words, desk = sitting.wording, sitting.campaign.desk
    table = timetable_of(desk)
    if call.due is not None and table is not None and call.owing:
        result.say(words.text(N_("Due by {due}."), due=Verbatim(told_due(call.due, desk, words))))
        if table.grace:
            result.say(words.text(N_("What comes until {until} still counts."),
                                  until=Verbatim(told_due(table.ends(call.due), desk, words))))
    for club in call.silent:
        if note := _of_silent(club, words):
            result.say(f"  {note}")
    if call.waits:
        result.say(words.text(N_("Wait for more, they have asked: {list}."), list=list(call.waits)))
    if ready.now(now):
        result.say(words.text(N_("The phase is ready.")))
    elif ready.since is not None:
        result.say(words.text(N_("All have answered; the phase is ready on {since}."),
                              since=Verbatim(told_due(ready.since, desk, words))))
    elif ready.awaited:
        result.say(words.text(N_("The phase is not ready; nothing has come from: {list}."), list=list(ready.awaited)))
    else:
        result.say(words.text(N_("The phase is not ready.")))


def _of_silent(club: Silent, words: Wording) -> str:
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


def resolve(at: At, *, until: str = "", robots: Iterable[str] = (), defaults: bool = False,
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
    still have time or too many are newly silent the referee is asked, too. Result data: ``turn`` and ``phase`` as they
    stand now, ``resolved``: the phases that ended.
    """
    options = Options(frozenset(robots), defaults, strict)
    try:
        sitting = sit(at, lang)
        sitting.book.draws = draws
        if end:
            return end_now(sitting, options, tell, confirm, timing)
        keep_due(sitting, timing.now)
        waiting = not_ready(sitting, timing) if timing.auto else None
        return waiting or resolve_on(sitting, until, options, tell, confirm, timing)
    except Stop as stopped:
        return stopped.result("resolve")


def resolve_on(sitting: Sitting, until: str, options: Options, tell: Tell = quiet,
               confirm: Confirm | None = None, timing: Timing = NO_TIME) -> Result:
    """`resolve` for a workbook that is loaded already. Raises `Stop`."""
    way = _way(sitting, until, options)
    _refuse_if_open(sitting)
    stop_on_data(sitting)
    _copies_agreed(sitting, confirm, timing)
    if options.strict and (aside := [f for f in sitting.data_findings if f.stops]):
        raise Stop(Exit.REFUSED, aside, sitting.lang, sitting.wording)
    with at_work(sitting, "resolve") as session:
        unknown = stop_on_edits(session)
        result = _play(session, way, options, tell, confirm=confirm, timing=timing)
    result.find(unknown)
    return result


def _may_refuse(sitting: Sitting, campaign: Campaign, decision: Decision, options: Options,
                confirm: Confirm | None) -> None:
    """Raise `Stop` when the present phase refuses orders and the referee, asked, does not want that.

    What a later phase will refuse is its affair. Once a phase has put its questions the referee has been asked;
    then it is asked again only before it ends, as an order may have been changed meanwhile.
    """
    if confirm is None or options.strict or (has_asked(campaign) and not decision.outcome.done):
        return
    rows = {f.where.row for f in decision.outcome.findings if f.stops and f.where.table == Order.sheet}
    work, _ = with_robot_orders(sitting.ruleset, campaign, options)
    seen = would_refuse(sitting.ruleset, work) if rows else []
    refused = sitting.placed(f for f in seen if f.where.row in rows)
    shown = Result("resolve", findings=refused, wording=sitting.wording)
    question = sitting.wording.text(N_("Resolve without these orders? [y/N]"))
    if refused and not confirm(shown.finding_lines(), question):
        raise _Declined(Exit.REFUSED, refused, sitting.lang, sitting.wording)


def _copies_agreed(sitting: Sitting, confirm: Confirm | None, timing: Timing) -> None:
    """Raise `Stop` where second copies lie beside the workbook: where the referee, asked, does not want to go on, and
    as waiting where nobody may be asked.
    """
    copies = look_beside(sitting)
    if copies and timing.auto:
        raise Stop(Exit.WAITING, copies, sitting.lang, sitting.wording)
    shown = Result("resolve", findings=copies, wording=sitting.wording)
    question = sitting.wording.text(N_("Resolve although a second copy lies there? [y/N]"))
    if copies and confirm is not None and not confirm(shown.finding_lines(), question):
        raise Stop(Exit.REFUSED, copies, sitting.lang, sitting.wording)


class _Declined(Stop):
    """The referee does not want to go on without the orders that would be refused."""

    def result(self, command: str) -> Result:
        """The result that says what to do instead."""
        found = super().result(command)
        if self.wording is not None:
            found.say(self.wording.text(N_("Nothing was changed: put the orders right and resolve again.")))
        return found


def _refuse_if_open(sitting: Sitting) -> None:
    """Raise `Stop` before any work is done when another program has the workbook open."""
    if sitting.book.live:  # then that program is ours
        return
    try:
        refuse_if_locked(sitting.path)
    except BookLocked as fault:
        raise file_stop(fault, sitting.path, sitting.lang, sitting.wording) from fault


def end_now(sitting: Sitting, options: Options, tell: Tell = quiet, confirm: Confirm | None = None,
            timing: Timing = NO_TIME) -> Result:
    """End the campaign before its time, by the phase that closes it. Raises `Stop`."""
    _way(sitting, "", options)
    closing = sitting.ruleset.closing
    if not closing:
        raise stop(Exit.USAGE, codes.NO_EARLY_END, sitting.lang, sitting.wording, title=sitting.ruleset.title)
    stop_on_data(sitting)
    _copies_agreed(sitting, confirm, timing)
    early = sitting.campaign.copy()
    early.desk.phase = closing
    with at_work(sitting, "resolve") as session:
        stop_on_edits(session)
        return _play(session, [Moment(early.desk.turn, closing)], options, tell, early)


def _way(sitting: Sitting, until: str, options: Options) -> list[Moment]:
    """The phases to resolve. Raises `Stop` for a goal or a robot that is not there."""
    campaign, ruleset = sitting.campaign, sitting.ruleset
    known = [f.faction for f in campaign.table(Faction)]
    for robot in sorted(options.robots):
        if robot not in known:
            raise stop(Exit.USAGE, codes.NO_SUCH_FACTION, sitting.lang, sitting.wording,
                       faction=robot, list=", ".join(known))
    if ruleset.is_over(campaign):
        raise stop(Exit.REFUSED, codes.CAMPAIGN_OVER, sitting.lang, sitting.wording)
    way = way_to(ruleset, campaign, until)
    if not way:
        ids = list(ruleset.phase_ids(campaign))
        later = next((m for m in ahead(ruleset, campaign) if f".{until}".endswith(f".{m.phase}")), None)
        turn = until[:-len(later.phase)].rstrip(".") if later is not None else ""
        if later is not None and (not turn or natural(turn) < natural(later.turn)):
            raise stop(Exit.USAGE, codes.PHASE_IS_OVER, sitting.lang, sitting.wording, phase=later.phase,
                       turn=turn or campaign.desk.turn, next=f"{later.turn}.{later.phase}")
        raise stop(Exit.USAGE, codes.NO_SUCH_PHASE, sitting.lang, sitting.wording,
                   phase=until, near=nearest(until, ids) or ids[0])
    return way


def _play(session: Session, way: list[Moment], options: Options, tell: Tell,
          start: Campaign | None = None, confirm: Confirm | None = None, timing: Timing = NO_TIME) -> Result:
    """Phase by phase in memory, then one writing. `start`: instead of the file's state."""
    sitting = session.sitting
    result = Result("resolve", wording=sitting.wording)
    resolved: list[dict[str, str]] = []
    evening, absence = _Evening(sitting), Absence(session, timing, confirm, options.robots)
    for moment in way:
        told, holding = ((), []) if start else absence.of_phase(evening.campaign)
        if holding:
            result.exit = Exit.REFUSED
            result.find(holding)
            break
        here = options.of_phase(told)
        decision = decide(sitting.ruleset, start or evening.campaign, session.ledger.turn_secret(moment.turn), here)
        _may_refuse(sitting, evening.campaign, decision, here, confirm)
        said = len(result.lines)
        _report(sitting, decision, result)
        say_fates(told if decision.begun else (), evening.campaign, result, sitting.wording)
        absence.take(evening.campaign, decision)
        evening.take(decision)
        tell(result.lines[said] if len(result.lines) > said else "")
        if not decision.outcome.done:
            break
        resolved.append({"turn": moment.turn, "phase": moment.phase})
        if sitting.ruleset.is_over(evening.campaign):
            break  # before its time, as the rulebook may have it
    try:
        evening.write(session)
        absence.note()
        result.find([*sitting.second_copies, *_of_rows(sitting), *sitting.placed(evening.findings),
                     *sitting.book.asides, *(later(sitting) if resolved else ())])
    except Stop as stopped:
        result, resolved = stopped.result("resolve"), []
    desk = sitting.campaign.desk
    result.data.update(resolved=resolved, turn=desk.turn, phase=desk.phase,
                       over=sitting.ruleset.is_over(sitting.campaign))
    return result


def _of_rows(sitting: Sitting) -> list[Finding]:
    return [f for f in sitting.reading.findings if f.code == MARKED_OFF or f.alone]


class _Evening:
    """What the phases of one command came to, until it is written. `campaign`: as it stands by now."""

    def __init__(self, sitting: Sitting) -> None:
        self.campaign = sitting.campaign
        self.findings: list[Finding] = []
        self._sitting = sitting
        self._words = sitting.sheet_wording
        self._stages: list[Stage] = []
        self._said: list[str] = []
        self._last: list[Finding] = []

    def take(self, decision: Decision) -> None:
        """The next phase, as it ended or stopped for answers; of one that was refused only the findings."""
        outcome, at_first = decision.outcome, self._sitting.campaign
        self.findings += decision.strict or outcome.findings
        self._last = outcome.findings
        if not outcome.done and not outcome.questions:
            return
        records = differences(at_first, self.campaign, self._said) if self._stages else b""
        self._stages.append(stage_of("resolve" if outcome.done else "wait", self.campaign, outcome.campaign,
                                     given=decision.given, records=records))
        self.campaign = outcome.campaign
        self._said = outcome_lines(self._sitting.ruleset, outcome, self._words)

    def write(self, session: Session) -> None:
        """Snapshots of all phases into the ledger, then one writing of the workbook. Raises `Stop`."""
        sitting = self._sitting
        if self._stages:
            found = [*_of_rows(sitting), *sitting.placed(self._last)]
            lines = desk_lines(sitting.ruleset, self.campaign, self._words, sitting.typed_name, self._said,
                               {**refused_answers(found), **wrong_forms(sitting.ruleset, found)})
            session.commit_all(self._stages, self.campaign, lines)


def _report(sitting: Sitting, decision: Decision, result: Result) -> None:
    """Say how a phase ended; its findings are added once their cells are known."""
    outcome, words = decision.outcome, sitting.wording
    if decision.strict:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("Nothing was changed: put the orders right, or leave --strict off.")))
        return
    if not outcome.done and not outcome.questions:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("Nothing was changed: put the findings right first.")))
        return
    result.lines += outcome_lines(sitting.ruleset, outcome, words)
    result.events += len(outcome.events)
    if decision.robot_rows:
        result.say(words.plural(N_("{n} order was written for a robot."),
                                N_("{n} orders were written for robots."), decision.robot_rows))
    if not outcome.done:
        result.exit = Exit.WAITING
        result.questions = [q for q in outcome.questions if not q.answer.strip()] or outcome.questions
