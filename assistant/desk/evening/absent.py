"""Who is absent when a phase is to be resolved: the time in; what holds it, and what is done for the silent, out."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.desk import codes
from assistant.desk.playing.play import Decision, has_asked
from assistant.desk.playing.roll_call import Ready, RollCall, call_roll, readiness
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.deadline import due_now, due_of, note_due, plain_due, told_due
from assistant.desk.sitting.session import Session
from assistant.desk.sitting.sitting import Sitting
from assistant.turn.absence.deadlines import due_after, timetable_of
from assistant.turn.absence.fates import Fate, Silent, event_of, fates
from assistant.turn.findings import Finding
from assistant.wording import N_, Verbatim, Wording

Confirm = Callable[[Sequence[str], str], bool]


class Timing(NamedTuple):
    """What a door knows of the time. `now`: what time it is, None where that shall not matter; `yes`: the referee goes
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


def say_fates(told: Sequence[Fate], campaign: Campaign, result: Result, words: Wording) -> None:
    """Say what was done for the silent."""
    for one in told:
        result.say(words.event(event_of(one, campaign.desk, 1)))


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
    """The answer to ``--auto`` where the phase is not ready, as waiting; None where it is."""
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
    for one in call.silent:
        if said := _of_silent(one, words):
            result.say(f"  {said}")
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


def _of_silent(one: Silent, words: Wording) -> str:
    """What is to be known of a silent club besides."""
    if one.holiday and one.deputy:
        return words.text(N_("{faction:the} {faction?is|are} on holiday; ask the deputy: {deputy}."),
                          faction=one.faction, deputy=Verbatim(one.deputy))
    if one.holiday:
        return words.text(N_("{faction:the} {faction?is|are} on holiday, without a deputy."), faction=one.faction)
    if one.standing:
        return words.text(N_("{faction:the} {faction?has|have} standing orders: {list}."), faction=one.faction,
                          list=Verbatim("; ".join(one.standing)))
    return words.text(N_("{faction:the}: the deputy is {deputy}."), faction=one.faction,
                      deputy=Verbatim(one.deputy)) if one.deputy else ""
