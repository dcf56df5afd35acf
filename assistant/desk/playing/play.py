"""Deciding a phase: a campaign and who is absent in; the outcome out, with what robots and defaults gave to it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import RULES, Battle, Event, Order, Question
from assistant.turn import phases
from assistant.turn.absence.club_words import STANDING_MARK, as_orders
from assistant.turn.absence.fates import Fate, tell_fates
from assistant.turn.addressees import roles_of
from assistant.turn.answers.until_changed import stands_for
from assistant.turn.findings import Finding
from assistant.turn.game import REFEREE
from assistant.turn.messages.house import COMMON_EVENTS
from assistant.turn.phases import Outcome
from assistant.turn.rows.misfits import refuse_misfits
from assistant.turn.rows.when_meant import FARTHEST, phases_ahead
from assistant.turn.ruleset import Phase, Ruleset
from assistant.turn.superseded import in_force

ROBOT_MARK = "-robot-"
GIVEN_MARKS = (ROBOT_MARK, STANDING_MARK)
"""What stands in the numbers of orders that nobody has sent: the assistant wrote them for somebody."""


class Options(NamedTuple):
    """Who is absent, and how strict the referee is.

    `robots`: factions that the assistant plays, besides those of that role; `defaults`: open questions
    get the answer that stands on them; `strict`: an order that would be refused stops the phase; `fates`: what is
    done for clubs that are silent in this phase.
    """

    robots: frozenset[str] = frozenset()
    defaults: bool = False
    strict: bool = False
    fates: tuple[Fate, ...] = ()

    def of_phase(self, fates: tuple[Fate, ...]) -> Options:
        """The same for one phase, in which this is done for the silent."""
        played = {one.faction for one in fates if one.step == "robot"}
        return self._replace(robots=self.robots | played, fates=fates)


@dataclass
class Decision:
    """A phase as it would end. `given`: keys of questions that the assistant answered -> who for."""

    outcome: Outcome
    robot_rows: int = 0
    given: dict[str, str] = field(default_factory=dict)
    strict: list[Finding] = field(default_factory=list)

    @property
    def begun(self) -> bool:
        """Whether the phase came to anything: it ended, or stopped for answers."""
        return self.outcome.done or bool(self.outcome.questions)


class Moment(NamedTuple):
    """A phase of a turn."""

    turn: str
    phase: str


def when_of(ruleset: Ruleset, turn: str, phase: str, lang: str) -> str:
    """A moment in words; its codes where the rulebook knows no such phase, or none any more."""
    try:
        return ruleset.when(turn, phase, lang)
    except KeyError:
        return f"{turn} {phase}"


def now(campaign: Campaign) -> Moment:
    """Where the campaign stands."""
    return Moment(campaign.desk.turn, campaign.desk.phase)


def ahead(ruleset: Ruleset, campaign: Campaign, farthest: int = FARTHEST) -> Iterable[Moment]:
    """The present phase and those after it, as the calendar has them today."""
    return (Moment(*when) for when in phases_ahead(ruleset, campaign, farthest))


def way_to(ruleset: Ruleset, campaign: Campaign, goal: str) -> list[Moment]:
    """The phases to resolve until the goal is resolved; [] when it lies not ahead.

    `goal`: a phase, ``turn.phase``, or "" for the present phase only. A phase that this turn has had
    already is not meant for the next turn: that would play a whole turn by mistake.
    """
    here = campaign.desk.turn
    if campaign.table(Event).of_turn(here, lambda e: e.event not in COMMON_EVENTS, parts=(goal,)):
        return []
    way = []
    for moment in ahead(ruleset, campaign):
        way.append(moment)
        if goal in ("", moment.phase, f"{moment.turn}.{moment.phase}"):
            return way
    return []


def next_orders(ruleset: Ruleset, campaign: Campaign) -> tuple[Moment, Phase] | None:
    """The next phase that takes orders, the present one included; None when none is left."""
    for moment in ahead(ruleset, campaign):
        phase = ruleset.phase(moment.phase)
        if phase.orders:
            return moment, phase
    return None


def key_of(name: str, record: type[Question], turn: str, phase: str) -> str:
    """The key of the row of a question that a phase asks by its name."""
    return record(question=name, turn=turn, phase=phase).ident


def robots_of(campaign: Campaign, options: Options) -> list[str]:
    """Codes of the factions that the assistant plays, in natural order; none that the rules play."""
    return [code for code, role in roles_of(campaign).items()
            if role == "robot" or (code in options.robots and role != RULES)]


def with_robot_orders(ruleset: Ruleset, campaign: Campaign, options: Options) -> tuple[Campaign, int]:
    """The campaign with orders for robots that have none in this phase, and how many rows were added; with the standing
    orders of clubs that are silent, too, and an event for each for which something is done.
    """
    if options.fates:
        campaign = campaign.copy()
        tell_fates(campaign, options.fates)
        for one in options.fates:
            for row in as_orders(ruleset, campaign, one.faction, one.standing):
                campaign.table(Order).add(row)
    desk = campaign.desk
    phase = ruleset.phase(desk.phase)
    if not phase.orders:
        return campaign, 0
    given: dict[str, list[Order]] = {robot: [] for robot in robots_of(campaign, options)}
    for order in campaign.table(Order).of_turn(desk.turn, parts=(phase.orders,)):
        given.setdefault(order.faction, []).append(order)
    idle = [robot for robot in robots_of(campaign, options) if not given[robot] or (
        phase.robots_anew and all(ROBOT_MARK in row.order and row.status for row in given[robot]))]
    if not idle:
        return campaign, 0
    work = campaign.copy()
    count = 0
    for robot in idle:
        for number, row in enumerate(ruleset.robot_orders(ruleset.view(campaign, robot), robot), len(given[robot]) + 1):
            row.order = f"{desk.turn}-{phase.orders}-{robot}{ROBOT_MARK}{number}"
            row.turn, row.phase, row.faction = desk.turn, phase.orders, robot
            row.seq = number if row.seq is None else row.seq
            work.table(Order).add(row)
            count += 1
    return work, count


def would_refuse(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """The findings for which the present phase would refuse orders, as far as that can be told without dice."""
    work = in_force(campaign).copy()
    return [*refuse_misfits(ruleset, work), *(f for f in ruleset.check_orders(work) if f.stops)]


def decide(ruleset: Ruleset, campaign: Campaign, secret: bytes, options: Options,
           known: Mapping[str, str] | None = None) -> Decision:
    """Resolve the present phase as far as it goes without a person; the campaign is not changed.

    `known`: answers that the assistant gave when this phase was resolved before, question -> text.
    """
    work, rows = with_robot_orders(ruleset, campaign, options)
    if options.strict:
        refused = would_refuse(ruleset, work)
        if refused:
            desk = campaign.desk
            return Decision(Outcome(campaign, desk.turn, desk.phase, done=False), strict=refused)
    given: dict[str, str] = {}
    table = campaign.table(Question)
    answers: dict[str, str] = dict(known or {})
    while True:
        outcome = phases.resolve(ruleset, work, secret, answers)
        fresh = {} if outcome.done else _replies(ruleset, outcome, options, set(answers))
        if not fresh:
            return Decision(outcome, rows, given)
        answers.update((name, text) for name, (text, _) in fresh.items())
        given.update((key_of(name, table.record, outcome.turn, outcome.phase), giver)
                     for name, (_, giver) in fresh.items())
        work = outcome.campaign


def _replies(ruleset: Ruleset, outcome: Outcome, options: Options,
             tried: set[str]) -> dict[str, tuple[str, str]]:
    """Answers that the assistant may give: question -> (text, ``robot`` or ``default``).

    Each answer stands in the campaign when the next question is put: a robot must not promise its chest twice.
    """
    answered = outcome.campaign.copy()
    robots = robots_of(outcome.campaign, options)
    helpless = {code for code, role in roles_of(outcome.campaign).items() if role == "neutral"}
    helpless |= {one.faction for one in options.fates if one.step == "nothing"}
    found: dict[str, tuple[str, str]] = {}
    for question in outcome.questions:
        if question.question in tried or question.answer:
            continue
        if question.to in robots:
            view = ruleset.view(answered, question.to)
            text = ruleset.robot_answer(view, question.to, question)
            if text:
                found[question.question] = (text, "robot")
                answered.table(Question)[question.ident].answer = text
                continue
        if (options.defaults or question.to in helpless) and question.default:
            found[question.question] = (question.default, "default")
    return found


def has_asked(campaign: Campaign) -> bool:
    """Whether the present phase has put questions: it has begun, and waits for answers or to be resolved again."""
    desk = campaign.desk
    return bool(campaign.table(Question).of_turn(
        desk.turn, lambda q: q.status in ("open", "answered"), parts=(desk.phase,)))


def open_questions(ruleset: Ruleset, campaign: Campaign, refused: Container[str] = ()) -> list[Question]:
    """Questions of the present phase that still wait, in natural order.

    `refused`: keys of those whose answers cannot be taken, also of answers that came before their question.
    """
    battles = campaign.table(Battle)
    waiting = []
    for question in campaign.table(Question).of_turn(campaign.desk.turn):
        here = question.phase == campaign.desk.phase
        battle = battles.get(question.about) if question.to == REFEREE else None
        reported = battle is not None and ruleset.battle_is_reported(battle)
        wanting = (question.status == "open" and not question.answer.strip() and not reported
                   and not stands_for(ruleset.questions, campaign, question))
        if here and (wanting or question.ident in refused):
            waiting.append(question)
    return waiting
