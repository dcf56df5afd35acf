"""A campaign of robots in; phase after phase out, and what is wrong with one that no rulebook may do.

Each thing that is wrong is a sentence: what was seen, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from assistant.campaign.campaign import Campaign, Change, Set, changes
from assistant.campaign.records import Desk, Die, Event, Faction, FindingRow, Order, Question
from assistant.desk.playing.play import Options, with_robot_orders
from assistant.turn.addressees import roles_of
from assistant.turn.citations import keys_in
from assistant.turn.findings import Finding
from assistant.turn.orders.cards import example
from assistant.turn.orders.verbs import book_of
from assistant.turn.phases import Outcome, bad_data, resolve
from assistant.turn.ruleset import Ruleset

Judge = Callable[[Question], str]
Reply = Callable[[Outcome], Mapping[str, str]]
Aside = Callable[[Change], bool]
BOOKKEEPING = tuple(record.sheet for record in (Event, Die, Question, FindingRow, Order))
"""Sheets that tell of a phase themselves: what changes there needs no event."""


def told(finding: Finding) -> str:
    """A finding in a sentence of a test: its code, where it stands, what it says."""
    where = finding.where
    place = "/".join(word for word in (where.table, where.row, where.field) if word)
    return f"{finding.code} at {place or 'the campaign'} {dict(finding.data)}"


# --- playing --------------------------------------------------------------------------------------------
def by_default(ruleset: Ruleset) -> Judge:
    """What a referee answers who only wants the game to go on: battles to the dice, defaults, else the first option."""
    form = ruleset.form.question if ruleset.form is not None and ruleset.form.dice[0] else ""

    def judge(question: Question) -> str:
        options = [word.strip() for word in question.options.split(",") if word.strip()]
        return "auto" if question.kind == form else question.default or next(iter(options), "auto")

    return judge


def answers_to(ruleset: Ruleset, outcome: Outcome, judge: Judge) -> dict[str, str]:
    """What robots answer from their views, and the referee for all others; each sees what was answered before."""
    robots = {code for code, role in roles_of(outcome.campaign).items() if role == "robot"}
    found: dict[str, str] = {}
    views: dict[str, Campaign] = {}
    for question in outcome.questions:
        to = question.to
        if to not in robots:
            found[question.question] = judge(question)
            continue
        if to not in views:
            views[to] = ruleset.view(outcome.campaign, to)
        found[question.question] = ruleset.robot_answer(views[to], to, question)
        outcome.campaign.table(Question)[question.ident].answer = found[question.question]
    return found


def finished(ruleset: Ruleset, campaign: Campaign, secret: bytes, reply: Reply) -> Outcome:
    """The present phase to its end. Raises AssertionError where it waits for what it does not ask, or asks again."""
    answers: dict[str, str] = {}
    outcome = resolve(ruleset, campaign, secret, answers)
    while not outcome.done:
        here = f"{outcome.turn} {outcome.phase}"
        assert outcome.questions, (
            f"{here} neither ends nor asks. Put right what it found: {'; '.join(map(told, outcome.findings))}")
        fresh = reply(outcome)
        again = {name: text for name, text in fresh.items() if name in answers}
        assert not again, (f"{here} does not take these answers: {again}; it found "
                           f"{'; '.join(map(told, outcome.findings)) or 'nothing'}. Let robot_answer and the default "
                           "of the question give one that its kind of answer takes.")
        answers |= fresh
        outcome = resolve(ruleset, campaign, secret, answers)
    return outcome


def play(ruleset: Ruleset, campaign: Campaign, secret: bytes,
         judge: Judge | None = None) -> Iterator[tuple[Campaign, Outcome]]:
    """Phase after phase to the end: the campaign before, with the robots' orders, and what came of it."""
    judge = judge or by_default(ruleset)
    while not ruleset.is_over(campaign):
        campaign, _ = with_robot_orders(ruleset, campaign, Options())
        outcome = finished(ruleset, campaign, secret, lambda waiting: answers_to(ruleset, waiting, judge))
        yield campaign, outcome
        campaign = outcome.campaign


def seasons(ruleset: Ruleset, campaign: Campaign, secret: bytes, phases: int) -> Iterator[Campaign]:
    """The campaign after its first phase, and after those of the next that begin a turn of other phases than the turn
    before; for each word of the column For there is an order, of a robot or from the orders card.
    """
    judge = by_default(ruleset)
    for number in range(phases):
        if ruleset.is_over(campaign):
            return
        campaign, _ = with_robot_orders(ruleset, campaign, Options())
        _with_an_order(ruleset, campaign)
        was = ruleset.phase_ids(campaign)
        campaign = finished(ruleset, campaign, secret, lambda waiting: answers_to(ruleset, waiting, judge)).campaign
        if number == 0 or ruleset.phase_ids(campaign) != was:
            yield campaign


def _with_an_order(ruleset: Ruleset, campaign: Campaign) -> None:
    """Give the first faction an order of the present phase, by the card's example, where there is none."""
    table, word = campaign.table(Order), ruleset.phase(campaign.desk.phase).orders
    rows = table.of_turn(campaign.desk.turn, parts=(word,))
    takes = ruleset.phase(campaign.desk.phase).takes or word
    verb = next((one for one in book_of(ruleset.verbs).values() if takes in one.when and one.deed is not None), None)
    faction = next((row.faction for row in campaign.table(Faction) if row.role == "robot"), "")
    if word and not rows and verb is not None and faction:
        said = {name: value for name, value in example(verb, campaign, faction).items() if name != "verb"}
        table.add(table.record.from_values({
            **said, "verb": verb.en, "order": f"{campaign.desk.turn}-{word}-{faction}-card", "turn": campaign.desk.turn,
            "phase": word, "faction": faction, "seq": "1"}))


# --- what must hold after every phase ---------------------------------------------------------------------
def untraced(before: Campaign, outcome: Outcome, aside: Aside = lambda change: False) -> list[Change]:
    """Changes of state that no event of the phase touches, but for those that are set aside."""
    touched = {one for event in outcome.events for one in event.touched.split()}
    return [change for change in changes(before, outcome.campaign)
            if change.sheet not in BOOKKEEPING and not _clock(change)
            and f"{change.sheet}/{change.key.split('#')[0]}".replace(" ", "") not in touched and not aside(change)]


def _clock(change: Change) -> bool:
    return change.sheet == Desk.sheet and isinstance(change, Set) and change.field in ("turn", "phase")


def faults(ruleset: Ruleset, before: Campaign, outcome: Outcome, aside: Aside = lambda change: False) -> list[str]:
    """What is wrong with a phase that robots played; [] for a good one."""
    here = f"{outcome.turn} {outcome.phase}: "
    found = [f"{here}check refuses a robot's order: {told(one)}. Let robot_orders give legal orders only."
             for one in ruleset.check_orders(before) if one.stops]
    found += [f"{here}a robot's order is refused: {told(one)}. Let robot_orders give legal orders only."
              for one in outcome.findings if one.stops]
    for event in outcome.events:
        if event.event not in ruleset.events:
            found.append(f"{here}the event {event.event} is told and not declared. Add its EventType to events.")
        if not event.rule:
            found.append(f"{here}the event {event.event} cites no rule. Say with its type or phase on what it rests.")
        found += [f"{here}the event {event.event} cites {key}, which citations does not know. Declare it there."
                  for key in keys_in(event.rule) if ruleset.citations and key not in ruleset.citations]
    found += [f"{here}{change} is told by no event. Name the record in touch of the event that it comes from."
              for change in untraced(before, outcome, aside)]
    found += [f"{here}the next phase could not start: {told(one)}. The phase must leave sound records."
              for one in bad_data(ruleset, outcome.campaign) if one.stops]
    return found


def campaign_faults(ruleset: Ruleset, campaign: Campaign, secret: bytes, *, phases: int = 1000,
                    judge: Judge | None = None, aside: Aside = lambda change: False) -> list[str]:
    """What is wrong with a whole campaign of robots, phase by phase; the first phase that is wrong ends it."""
    last = "still before its first phase"
    for before, outcome in islice(play(ruleset, campaign, secret, judge), phases):
        found = faults(ruleset, before, outcome, aside)
        if found:
            return found
        after, here = outcome.campaign, (outcome.turn, outcome.phase)
        if (after.desk.turn, after.desk.phase) == here:
            return [f"{outcome.turn} {outcome.phase} is followed by itself. Let the calendar or advance go on."]
        last = "" if ruleset.is_over(after) else f"{after.desk.turn} {after.desk.phase}"
    return [f"After {phases} phases at most the campaign is {last}. Let last_turn or is_over say when it ends, "
            "give one that is not over, or allow more phases."] if last else []
