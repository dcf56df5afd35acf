"""Resolves a phase in memory, with robots and defaults for silent factions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref
from assistant.campaign.records import (
    BASE,
    CLUBLESS,
    Army,
    Battle,
    Desk,
    Event,
    Faction,
    InboxRow,
    Node,
    Order,
    Question,
    Rule,
)
from assistant.campaign.tables import Record, Table
from assistant.turn import phases
from assistant.turn.absence import (
    READY,
    STANDING_MARK,
    WAIT,
    WAIT_AFTER_LAST_INPUT,
    AbsenceAction,
    SilentClub,
    add_absence_events,
    current_standing_orders,
    earliest_ready_time,
    on_holiday,
    readiness_by_faction,
    readiness_word,
    standing_order_rows,
    timetable_of,
    waiting_mail,
    zone_of,
)
from assistant.turn.dice import REFEREE
from assistant.turn.findings import Finding
from assistant.turn.game import Phase
from assistant.turn.messages import COMMON_EVENTS
from assistant.turn.numbers import earlier_defaults, write_values
from assistant.turn.phases import (
    FARTHEST,
    PLAIN_ALL,
    ROBOT_MARK,
    Judge,
    Outcome,
    Tempers,
    give_robot_orders,
    phases_ahead,
    refuse_invalid_rows,
    robots_of,
    without_superseded,
)
from assistant.turn.questions import has_standing_answer, roles_of
from assistant.turn.ruleset import Ruleset

# Earlier defaults of the rules.
#
# A changed default applies to campaigns that begin from then on. An older campaign keeps the value it began with: that
# is added to its rules, as if it had been typed, as soon as the campaign is read, and written with the next change.


def with_earlier_defaults(ruleset: Ruleset, campaign: Campaign, began: str | None) -> Campaign:
    """The campaign with the defaults of its time added to its rules, unless other values are typed there.

    `began`: the version of the rules with which it began, None for not known. Returns the campaign itself if nothing
    is to be added; else the copy shares all other tables.
    """
    missing = _earlier_defaults_of(ruleset, campaign, began)
    for row in campaign.table(Rule) if missing else ():
        if row.value != "":
            missing.pop(row.key.rpartition(".")[2], None)  # keys may carry the name of the rulebook
    if not missing:
        return campaign
    rules = campaign.table(Rule).copy()
    write_values(rules, missing)
    return _with_rules(campaign, rules)


def without_earlier_defaults(ruleset: Ruleset, campaign: Campaign, began: str | None, then: Campaign) -> Campaign:
    """The campaign with the rules that only repeat an earlier default put back to what `then` has for them.

    It shares all other tables.
    """
    held = _earlier_defaults_of(ruleset, campaign, began)
    if not held:
        return campaign
    kept = []
    for key, row in campaign.table(Rule).in_file_order():
        ours = key in held and str(row.value) == str(held[key])
        was = then.table(Rule).get(key) if ours else row
        if was is not None:
            kept.append((key, was))
    return _with_rules(campaign, Table.of(campaign.table(Rule).record, kept))


def _earlier_defaults_of(ruleset: Ruleset, campaign: Campaign, began: str | None) -> dict[str, int | str]:
    edition = campaign.desk.edition or ruleset.editions[0]
    return {} if began is None else earlier_defaults(ruleset.numbers, edition, began)


def _with_rules(campaign: Campaign, rules: Table[Rule]) -> Campaign:
    new = campaign.copy()
    new.put(rules)
    return new


# Resolving a phase.


GIVEN_MARKS = (ROBOT_MARK, STANDING_MARK)
"""Parts of the numbers of orders that the assistant wrote for somebody."""


class ResolveOptions(NamedTuple):
    """Who is absent, and how strict the referee is.

    `robots`: factions that the assistant plays, besides those with that role; `defaults`: open questions get their
    default answers; `strict`: an order that would be refused stops the phase; `fates`: what is done for silent clubs
    in this phase; `judge`: answers what is still open, where nobody is there to be asked; `tempers`: of factions that
    the assistant plays in another than the usual one.
    """

    robots: frozenset[str] = frozenset()
    defaults: bool = False
    strict: bool = False
    fates: tuple[AbsenceAction, ...] = ()
    judge: Judge | None = None
    tempers: Tempers = PLAIN_ALL

    def of_phase(self, fates: tuple[AbsenceAction, ...]) -> ResolveOptions:
        """The same options for one phase, with what is done for silent clubs in it."""
        played = {action.faction for action in fates if action.step == "robot"}
        return self._replace(robots=self.robots | played, fates=fates)


@dataclass(eq=False, repr=False)
class Decision:
    """A phase as it would end. `given`: keys of questions that the assistant answered -> ``robot`` or ``default``."""

    outcome: Outcome
    robot_rows: int = 0
    given: dict[str, str] = field(default_factory=dict)
    strict: list[Finding] = field(default_factory=list)

    @property
    def begun(self) -> bool:
        """Whether the phase was played at all: it ended, or stopped for answers."""
        return self.outcome.done or bool(self.outcome.questions)


class TurnPhase(NamedTuple):
    """A phase of a turn."""

    turn: str
    phase: str


def phase_label(ruleset: Ruleset, turn: str, phase: str, lang: str) -> str:
    """A turn and phase in words; the bare codes if the rulebook does not know such a phase (any more)."""
    try:
        return ruleset.when(turn, phase, lang)
    except KeyError:
        return f"{turn} {phase}"


def current_phase(campaign: Campaign) -> TurnPhase:
    """The turn and phase that the campaign is at."""
    return TurnPhase(campaign.desk.turn, campaign.desk.phase)


def phases_to_come(ruleset: Ruleset, campaign: Campaign, farthest: int = FARTHEST) -> Iterable[TurnPhase]:
    """The present phase and those after it, as the calendar has them today."""
    return (TurnPhase(*when) for when in phases_ahead(ruleset, campaign, farthest))


def phases_until(ruleset: Ruleset, campaign: Campaign, goal: str) -> list[TurnPhase]:
    """The phases to resolve up to and including the goal; [] if the goal is not ahead.

    `goal`: a phase, ``turn.phase``, or "" for the present phase only. If this turn has had the phase already, the next
    turn's is not taken instead: that would play a whole turn by mistake.
    """
    here = campaign.desk.turn
    if campaign.table(Event).of_turn(here, lambda e: e.event not in COMMON_EVENTS, parts=(goal,)):
        return []
    way = []
    for moment in phases_to_come(ruleset, campaign):
        way.append(moment)
        if goal in ("", moment.phase, f"{moment.turn}.{moment.phase}"):
            return way
    return []


def next_order_phase(ruleset: Ruleset, campaign: Campaign) -> tuple[TurnPhase, Phase] | None:
    """The next phase that takes orders, the present one included; None when none is left."""
    for moment in phases_to_come(ruleset, campaign):
        phase = ruleset.phase(moment.phase)
        if phase.orders:
            return moment, phase
    return None


def question_key(name: str, record: type[Question], turn: str, phase: str) -> str:
    """The key of a question's row, from the question's name and phase."""
    return record(question=name, turn=turn, phase=phase).ident


def with_robot_orders(ruleset: Ruleset, campaign: Campaign, options: ResolveOptions) -> tuple[Campaign, int]:
    """The campaign with orders for robots that have none in this phase, and how many rows were added.

    It also gets the standing orders of silent clubs, and an event for each of these for which something is done.
    """
    if options.fates:
        campaign = campaign.copy()
        add_absence_events(campaign, options.fates)
        for action in options.fates:
            for row in standing_order_rows(ruleset, campaign, action.faction, action.standing):
                campaign.table(Order).add(row)
    return give_robot_orders(ruleset, campaign, robots_of(campaign, options.robots), options.tempers)


def refusal_findings(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """The findings by which the present phase would refuse orders, as far as they are known without dice."""
    work = without_superseded(campaign).copy()
    return [*refuse_invalid_rows(ruleset, work), *(f for f in ruleset.check_orders(work) if f.stops)]


def decide_phase(ruleset: Ruleset, campaign: Campaign, secret: bytes, options: ResolveOptions,
           known: Mapping[str, str] | None = None) -> Decision:
    """Resolve the present phase as far as it goes without a person; the campaign is not changed.

    `known`: answers that the assistant gave when this phase was resolved before, question -> text.
    """
    start, rows = with_robot_orders(ruleset, campaign, options)
    work = start
    if options.strict:
        refused = refusal_findings(ruleset, work)
        if refused:
            desk = campaign.desk
            return Decision(Outcome(campaign, desk.turn, desk.phase, done=False), strict=refused)
    given: dict[str, str] = {}
    table = campaign.table(Question)
    answers: dict[str, str] = dict(known or {})
    while True:
        outcome = phases.resolve(ruleset, work, secret, answers)
        fresh = {} if outcome.done else _assistant_answers(ruleset, outcome, options, set(answers))
        if not fresh:
            # Rows of forms that were laid out on the way touch nothing; played again it lays them out once more.
            if outcome.done and any(len(work.by_sheet(form.sheet)) > len(start.by_sheet(form.sheet))
                                    for form in ruleset.forms):
                outcome = phases.resolve(ruleset, start, secret, answers)
            return Decision(outcome, rows, given)
        answers.update((name, text) for name, (text, _) in fresh.items())
        given.update((question_key(name, table.record, outcome.turn, outcome.phase), giver)
                     for name, (_, giver) in fresh.items())
        work = outcome.campaign


def _assistant_answers(ruleset: Ruleset, outcome: Outcome, options: ResolveOptions,
             tried: set[str]) -> dict[str, tuple[str, str]]:
    """Answers that the assistant may give: question -> (text, ``robot`` or ``default``).

    Each answer is in the campaign before the next question is answered: a robot must not promise its money twice.
    """
    answered = outcome.campaign.copy()
    robots = robots_of(outcome.campaign, options.robots)
    helpless = {code for code, role in roles_of(outcome.campaign).items() if role == "neutral"}
    helpless |= {action.faction for action in options.fates if action.step == "nothing"}
    answers: dict[str, tuple[str, str]] = {}
    for question in outcome.questions:
        if question.question in tried or question.answer:
            continue
        if question.to in robots:
            view = ruleset.view(answered, question.to)
            text = ruleset.answer_by_temper(view, question.to, question, options.tempers.get(question.to, ""))
            if text:
                answers[question.question] = (text, "robot")
                answered.table(Question)[question.ident].answer = text
                continue
        if (options.defaults or question.to in helpless) and question.default:
            answers[question.question] = (question.default, "default")
        elif options.judge is not None:
            answers[question.question] = (options.judge(question), "default")
    return answers


def has_asked(campaign: Campaign) -> bool:
    """Whether the present phase has asked questions: it has begun, and waits for answers or to be resolved again."""
    desk = campaign.desk
    return bool(campaign.table(Question).of_turn(
        desk.turn, lambda q: q.status in ("open", "answered"), parts=(desk.phase,)))


def open_questions(ruleset: Ruleset, campaign: Campaign, refused: Container[str] = ()) -> list[Question]:
    """Questions of the present phase that still need an answer, in natural order.

    `refused`: keys of those whose answers cannot be accepted, even if they came before their question.
    """
    battles = campaign.table(Battle)
    waiting = []
    for question in campaign.table(Question).of_turn(campaign.desk.turn):
        here = question.phase == campaign.desk.phase
        battle = battles.get(question.about) if question.to == REFEREE else None
        reported = battle is not None and ruleset.battle_is_reported(battle)
        wanting = (question.status == "open" and not question.answer.strip() and not reported
                   and not has_standing_answer(ruleset.questions, campaign, question))
        if here and (wanting or question.ident in refused):
            waiting.append(question)
    return waiting


# The roll call: who has sent what is due.


SHEETS_WITHOUT_OWNERS = (*(record for record in BASE if record not in (Node, Army)), InboxRow)
"""Shared records that are no possession of a faction, such as events, orders and questions."""


class RollCall(NamedTuple):
    """Who has sent what is due in the present phase.

    `owing`: the clubs that something is or was due from; `silent`: those that have sent nothing; `newly`: those of
    them that did send orders the last time, and have neither announced an absence nor left standing orders; `waits`:
    who has written ``wait``; `due`: the deadline, None if unknown; `referees`: the phase waits for an answer of the
    referee.
    """

    owing: tuple[str, ...] = ()
    silent: tuple[SilentClub, ...] = ()
    newly: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    due: datetime | None = None
    referees: bool = False

    def in_time(self, now: datetime | None) -> tuple[SilentClub, ...]:
        """The silent clubs that still have time to send something."""
        return tuple(club for club in self.silent if club.in_time(now))

    def without(self, played: Container[str]) -> RollCall:
        """The same without the factions that somebody plays for them."""
        return self._replace(owing=tuple(code for code in self.owing if code not in played),
                             silent=tuple(club for club in self.silent if club.faction not in played),
                             newly=tuple(code for code in self.newly if code not in played))

    def too_many(self, share: int | None) -> bool:
        """Whether more than a share (in per cent; None: no limit) of the owing clubs is newly silent."""
        return share is not None and len(self.newly) * 100 > share * len(self.owing)


class Readiness(NamedTuple):
    """Whether a phase may be resolved without asking anybody.

    `since`: from when on, None if not known yet; `awaited`, `waits`: who prevents it (perhaps the referee); `nobody`:
    nothing is due from anybody.
    """

    since: datetime | None
    awaited: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    nobody: bool = False

    def now(self, moment: datetime) -> bool:
        """Whether it is ready at a given time."""
        return self.nobody or (self.since is not None and self.since <= moment)


def call_roll(ruleset: Ruleset, campaign: Campaign, now: datetime | None = None, due: datetime | None = None
              ) -> RollCall:
    """Call the roll for the present phase. `now`: the time (None: irrelevant); `due`: the deadline."""
    if ruleset.is_over(campaign):
        return RollCall(due=due)
    orders, answers = owing_orders(ruleset, campaign), _clubs_awaited(ruleset, campaign)
    owing = tuple(orders or answers)
    heard = _factions_with_orders(ruleset, campaign, campaign.desk.turn, campaign.desk.phase) if orders else set()
    # whose mail waits for the referee's decision is not silent
    heard |= {row.club for row in waiting_mail(campaign)}
    silent = tuple(
        _silent_faction(ruleset, campaign, code, bool(orders), now, due) for code in owing if code not in heard
    )
    before = _silent_last_time(ruleset, campaign) if silent else set()
    newly = tuple(club.faction for club in silent if orders and club.faction not in before and not club.provided)
    waits = tuple(code for code, word in readiness_by_faction(campaign).items() if word == WAIT)
    referees = any(question.to == REFEREE for question in open_questions(ruleset, campaign))
    return RollCall(owing, silent, newly, waits, due, referees)


def owing_orders(ruleset: Ruleset, campaign: Campaign) -> list[str]:
    """Clubs that owe orders now, in natural order.

    The phase must be the first of its turn to read these orders and must not have begun, and the club must own
    something on the map or another sheet.
    """
    here = campaign.desk.phase
    word = ruleset.phase(here).orders
    if not word or has_asked(campaign) or _phases_that_read(ruleset, campaign, word)[:1] != [here]:
        return []
    return clubs_at_play(campaign)


def clubs_at_play(campaign: Campaign) -> list[str]:
    """The clubs that own anything on a sheet of the game, in natural order."""
    clubs = [row.faction for row in campaign.table(Faction) if row.role not in (*CLUBLESS, "robot")]
    there = _factions_with_rows(campaign, set(clubs))
    return [code for code in clubs if code in there]


def _factions_with_rows(campaign: Campaign, codes: set[str]) -> set[str]:
    """Those of the given factions that own anything on a sheet of the game: a place, an army, a noble."""
    present: set[str] = set()
    for table in campaign.tables().values():
        names = [] if issubclass(table.record, SHEETS_WITHOUT_OWNERS) else _faction_columns(table.record)
        for _, row in table.raw_rows() if names else ():
            present.update(getattr(row, name) for name in names)
            if codes <= present:
                return codes
    return present & codes


def _faction_columns(record: type[Record]) -> list[str]:
    return [c.name for c in record.columns() if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet]


def _clubs_awaited(ruleset: Ruleset, campaign: Campaign) -> list[str]:
    """Clubs that a question of the present phase waits for, in natural order."""
    asked = {question.to for question in open_questions(ruleset, campaign)} - {REFEREE}
    return [row.faction for row in campaign.table(Faction)
            if row.faction in asked and row.role not in (*CLUBLESS, "robot")]


def factions_with_own_orders(campaign: Campaign, turn: str, word: str) -> set[str]:
    """Factions that have sent orders of their own for a phase. `word`: the phase's word in Orders."""
    rows = campaign.table(Order).of_turn(turn, parts=(word,)) if word else []
    return {row.faction for row in rows if not any(mark in row.order for mark in GIVEN_MARKS)}


def _phases_that_read(ruleset: Ruleset, campaign: Campaign, word: str) -> list[str]:
    return [phase for phase in ruleset.phase_ids(campaign) if ruleset.phase(phase).orders == word]


def _factions_with_orders(ruleset: Ruleset, campaign: Campaign, turn: str, phase: str) -> set[str]:
    """Factions that sent orders of their own for a phase, or declared themselves ready."""
    word = ruleset.phase(phase).orders
    rows = campaign.table(Question).of_turn(turn, lambda row: row.kind == READY and readiness_word(row.answer) == READY)
    return factions_with_own_orders(campaign, turn, word) | {
        row.to for row in rows if ruleset.phase(row.phase).orders == word
    }


def _silent_last_time(ruleset: Ruleset, campaign: Campaign) -> set[str]:
    """Factions that sent nothing the last time orders were due; empty if they never were."""
    table = campaign.table(Event)
    for event in (table[key] for key in table.from_the_last()):
        here = (event.turn, event.phase) == (campaign.desk.turn, campaign.desk.phase)
        if here or event.event in COMMON_EVENTS:
            continue
        try:
            takes = bool(ruleset.phase(event.phase).orders)
        except KeyError:
            continue
        if takes:
            heard = _factions_with_orders(ruleset, campaign, event.turn, event.phase)
            return {row.faction for row in campaign.table(Faction)} - heard
    return set()


def _silent_faction(ruleset: Ruleset, campaign: Campaign, code: str, orders: bool, now: datetime | None,
            due: datetime | None) -> SilentClub:
    row, desk = campaign.table(Faction)[code], campaign.desk
    table, zone, moment = timetable_of(desk), zone_of(desk), due or now
    away = moment is not None and zone is not None and on_holiday(row.holidays, moment.astimezone(zone).date())
    gone = away and not row.deputy
    until = None if due is None or table is None or gone else table.ends(due)
    return SilentClub(
        code,
        "orders" if orders else "answers",
        current_standing_orders(ruleset, campaign, code) if orders else (),
        away,
        row.deputy,
        until,
    )


def assess_readiness(desk: Desk, call: RollCall, last_word: datetime | None, now: datetime) -> Readiness:
    """Whether the present phase is ready to be resolved.

    It is half an hour after the last message, once all clubs that owe something have answered and none has written
    ``wait``; or, if there is a deadline and the referee has set what happens to silent clubs, once their time is up.
    `last_word`: the time of the last message, None if not known. Clubs that are away without a deputy cannot answer and
    are not waited for.
    """
    table = timetable_of(desk)
    if call.referees:
        return Readiness(None, (REFEREE,), call.waits)
    if not call.owing and not call.waits:
        return Readiness(None, nobody=True)
    awaited = tuple(club.faction for club in call.silent if not (club.holiday and not club.deputy))
    if call.due is not None and table is not None and table.ends(call.due) <= now and (desk.absent or not awaited):
        return Readiness(_earliest_resolving(desk, table.ends(call.due), now))
    if awaited or call.waits:
        return Readiness(None, awaited, call.waits)
    quiet = now if last_word is None else last_word + WAIT_AFTER_LAST_INPUT
    return Readiness(_earliest_resolving(desk, quiet, now))


def _earliest_resolving(desk: Desk, quiet: datetime, now: datetime) -> datetime:
    return earliest_ready_time(desk, max(quiet, now))
