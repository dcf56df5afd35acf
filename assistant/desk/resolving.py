"""Resolve: phase after phase until the goal, or until a person is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.lines import desk_lines, outcome_lines
from assistant.desk.play import Decision, Moment, Options, decide, way_to
from assistant.desk.results import Exit, Result
from assistant.desk.session import Sitting, Stop, sit, stop
from assistant.ledger import Ledger
from assistant.turn.findings import nearest
from assistant.wording import N_

Tell = Callable[[str], None]


def quiet(line: str) -> None:
    """Tell nobody of progress."""


def resolve(path: Path, *, until: str = "", robots: Iterable[str] = (), defaults: bool = False,
            strict: bool = False, end: bool = False, lang: str = "", tell: Tell = quiet) -> Result:
    """Resolve the present phase, or all up to `until` (a phase, or ``turn.phase``).

    `robots`: factions that the assistant plays where they have no orders or answers; `defaults`: open
    questions take their default; `strict`: a refused order stops the phase; `end`: the campaign is
    ended now, by the phase that closes it; `tell`: is given a line a phase. Each phase is one change of
    file and ledger: snapshot, then one write. Result data: ``turn`` and ``phase`` as they stand now,
    ``resolved``: the phases that ended.
    """
    options = Options(frozenset(robots), defaults, strict)
    try:
        sitting = sit(path, lang)
        return end_now(sitting, options, tell) if end else resolve_on(sitting, until, options, tell)
    except Stop as stopped:
        return stopped.result("resolve")


def resolve_on(sitting: Sitting, until: str, options: Options, tell: Tell = quiet) -> Result:
    """`resolve` for a workbook that lies on the desk already. Raises `Stop`."""
    way = _way(sitting, until, options)
    sitting.stop_on_data()
    with sitting.ledger(write=True) as ledger:
        return _play(sitting, ledger, way, options, tell)


def end_now(sitting: Sitting, options: Options, tell: Tell = quiet) -> Result:
    """End the campaign before its time, by the phase that closes it. Raises `Stop`."""
    _way(sitting, "", options)
    closing = sitting.ruleset.closing
    if not closing:
        raise stop(Exit.USAGE, codes.NO_EARLY_END, sitting.lang, sitting.wording, title=sitting.ruleset.title)
    sitting.stop_on_data()
    early = sitting.campaign.copy()
    early.desk.phase = closing
    with sitting.ledger(write=True) as ledger:
        return _play(sitting, ledger, [Moment(early.desk.turn, closing)], options, tell, early)


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
        raise stop(Exit.USAGE, codes.NO_SUCH_PHASE, sitting.lang, sitting.wording,
                   phase=until, near=nearest(until, ids) or ids[0])
    return way


def _play(sitting: Sitting, ledger: Ledger, way: list[Moment], options: Options, tell: Tell,
          start: Campaign | None = None) -> Result:
    """Phase by phase; a crash loses at most the one that is running. `start`: instead of the file's state."""
    result = Result("resolve", wording=sitting.wording)
    resolved: list[dict[str, str]] = []
    result.data["resolved"] = resolved
    for moment in way:
        said = len(result.lines)
        try:
            decision = decide(sitting.ruleset, start or sitting.campaign, ledger.turn_secret(moment.turn), options)
            done = _record(sitting, ledger, decision, result)
        except Stop as stopped:
            result.exit = stopped.exit_code
            result.find(stopped.findings)
            break
        tell(result.lines[said] if len(result.lines) > said else "")
        if not done:
            break
        resolved.append({"turn": moment.turn, "phase": moment.phase})
    desk = sitting.campaign.desk
    result.data.update(turn=desk.turn, phase=desk.phase, over=sitting.ruleset.is_over(sitting.campaign))
    return result


def _record(sitting: Sitting, ledger: Ledger, decision: Decision, result: Result) -> bool:
    """Write what a phase came to and report it; whether the phase ended."""
    outcome, ruleset = decision.outcome, sitting.ruleset
    if decision.strict:
        result.exit = Exit.REFUSED
        result.find(sitting.placed(decision.strict))
        result.say(sitting.wording.text(N_("Nothing was changed: put the orders right, or leave --strict off.")))
        return False
    result.find(sitting.placed(outcome.findings))
    if not outcome.done and not outcome.questions:
        result.exit = Exit.REFUSED
        result.say(sitting.wording.text(N_("Nothing was changed: put the findings right first.")))
        return False
    words = sitting.sheet_wording
    said = outcome_lines(ruleset, outcome, words)
    sitting.commit(ledger, "resolve" if outcome.done else "wait", outcome.campaign,
                   desk_lines(ruleset, outcome.campaign, words, sitting.path.name, said), given=decision.given)
    result.lines += said if words is sitting.wording else outcome_lines(ruleset, outcome, sitting.wording)
    result.events += len(outcome.events)
    if decision.robot_rows:
        result.say(sitting.wording.plural(N_("{n} order was written for a robot."),
                                          N_("{n} orders were written for robots."), decision.robot_rows))
    if not outcome.done:
        result.exit = Exit.WAITING
        result.questions = [q for q in outcome.questions if not q.answer.strip()] or outcome.questions
    return outcome.done
