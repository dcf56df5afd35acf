"""Plays campaigns with robots: their orders and answers from their views alone, phase by phase to the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import RULES, Order, Question
from assistant.turn.answers import roles_of
from assistant.turn.findings import Finding
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset

Judge = Callable[[Question], str]
Reply = Callable[[Outcome], Mapping[str, str]]
Tempers = Mapping[str, str]
"""Faction -> the temper of its robot; who is missing has the usual one."""
PLAIN_ALL: Tempers = MappingProxyType({})
ROBOT_MARK = "-robot-"
"""Part of the numbers of orders that the assistant wrote for a robot."""


class StuckPhase(AssertionError):
    """A phase that neither ends nor goes on with the answers it gets: a fault of the rulebook or its robots."""


def finding_text(finding: Finding) -> str:
    """A finding as text for a message to authors: code, place, data."""
    where = finding.where
    place = "/".join(word for word in (where.table, where.row, where.field) if word)
    return f"{finding.code} at {place or 'the campaign'} {dict(finding.data)}"


# Orders.


def robots_of(campaign: Campaign, others: Collection[str] = ()) -> list[str]:
    """Codes of the factions that the assistant plays, in natural order: those with that role, and of the `others` all
    that the rules do not play.
    """
    return [code for code, role in roles_of(campaign).items() if role == "robot" or (code in others and role != RULES)]


def give_robot_orders(ruleset: Ruleset, campaign: Campaign, robots: Sequence[str], tempers: Tempers = PLAIN_ALL
                      ) -> tuple[Campaign, int]:
    """The campaign with orders for those of the robots that have none in this phase, and how many rows were added."""
    desk = campaign.desk
    phase = ruleset.phase(desk.phase)
    if not phase.orders:
        return campaign, 0
    given: dict[str, list[Order]] = {robot: [] for robot in robots}
    for order in campaign.table(Order).of_turn(desk.turn, parts=(phase.orders,)):
        given.setdefault(order.faction, []).append(order)
    idle = [robot for robot in robots if not given[robot] or (
        phase.robots_anew and all(ROBOT_MARK in row.order and row.status for row in given[robot]))]
    if not idle:
        return campaign, 0
    work = campaign.copy()
    count = 0
    for robot in idle:
        rows = ruleset.tempered_orders(ruleset.view(campaign, robot), robot, tempers.get(robot, ""))
        for number, row in enumerate(rows, len(given[robot]) + 1):
            row.order = f"{desk.turn}-{phase.orders}-{robot}{ROBOT_MARK}{number}"
            row.turn, row.phase, row.faction = desk.turn, phase.orders, robot
            row.seq = number if row.seq is None else row.seq
            work.table(Order).add(row)
            count += 1
    return work, count


# Answers.


def default_judge(ruleset: Ruleset) -> Judge:
    """Answers of a referee who only wants the game to go on: battles by dice, defaults, else the first option."""
    form = ruleset.form.question if ruleset.form is not None and ruleset.form.dice[0] else ""

    def judge(question: Question) -> str:
        options = [word.strip() for word in question.options.split(",") if word.strip()]
        return "auto" if question.kind == form else question.default or next(iter(options), "auto")

    return judge


def answers_to(ruleset: Ruleset, outcome: Outcome, judge: Judge, tempers: Tempers = PLAIN_ALL) -> dict[str, str]:
    """The answers of robots, made from their views, and of the referee for all others; later ones see earlier ones."""
    robots = set(robots_of(outcome.campaign))
    answers: dict[str, str] = {}
    views: dict[str, Campaign] = {}
    for question in outcome.questions:
        to = question.to
        if to not in robots:
            answers[question.question] = judge(question)
            continue
        if to not in views:
            views[to] = ruleset.view(outcome.campaign, to)
        answers[question.question] = ruleset.tempered_answer(views[to], to, question, tempers.get(to, ""))
        outcome.campaign.table(Question)[question.ident].answer = answers[question.question]
    return answers


# Phases.


def finish_phase(ruleset: Ruleset, campaign: Campaign, secret: bytes, reply: Reply) -> Outcome:
    """Play the present phase to its end. Raises `StuckPhase` if it waits without a question, or asks again."""
    answers: dict[str, str] = {}
    outcome = resolve(ruleset, campaign, secret, answers)
    while not outcome.done:
        here = f"{outcome.turn} {outcome.phase}"
        if not outcome.questions:
            raise StuckPhase(f"{here} neither ends nor asks. Put right what it found: "
                             f"{'; '.join(map(finding_text, outcome.findings))}")
        fresh = reply(outcome)
        again = {name: text for name, text in fresh.items() if name in answers}
        if again:
            raise StuckPhase(f"{here} does not take these answers: {again}; it found "
                             f"{'; '.join(map(finding_text, outcome.findings)) or 'nothing'}. Let robot_answer and the "
                             "default of the question give one that its kind of answer takes.")
        answers |= fresh
        outcome = resolve(ruleset, campaign, secret, answers)
    return outcome


def play(ruleset: Ruleset, campaign: Campaign, secret: bytes,
         judge: Judge | None = None) -> Iterator[tuple[Campaign, Outcome]]:
    """Play to the end; of each phase the campaign before it, with the robots' orders, and the outcome."""
    judge = judge or default_judge(ruleset)
    while not ruleset.is_over(campaign):
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        outcome = finish_phase(ruleset, campaign, secret, lambda waiting: answers_to(ruleset, waiting, judge))
        yield campaign, outcome
        campaign = outcome.campaign
