"""Faults of a rulebook that its author's robots never meet: each verb, dice, answers, hidden rows, untold changes."""

from __future__ import annotations

import hashlib
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign, changes
from assistant.campaign.records import REFEREE, Die, Event, FindingRow, Order, Question
from assistant.campaign.tables import Record, touched_name
from assistant.testing.cases import (
    DONE,
    campaign_of,
    must_be_installed,
    must_succeed,
    opening,
    run_command,
    write_all_rules,
)
from assistant.testing.cases import SECRET as BOOK_SECRET
from assistant.testing.fog import faults_of_phase, report_package, row_is_visible
from assistant.testing.robots import (
    BOOKKEEPING,
    SECRET,
    Aside,
    PlayedPhase,
    crash_text,
    default_judge,
    disagreements,
    early_battles,
    leftovers,
    telling_faults,
    tells_the_rest,
    throws_with_one_key,
)
from assistant.turn.calendar import Calendar
from assistant.turn.dice import sides_of
from assistant.turn.findings import Finding
from assistant.turn.orders.legal import unjudged_fields
from assistant.turn.orders.verbs import Verb, as_order_book, order_line
from assistant.turn.phases import Outcome, play, resolve
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.turn.throw_chances import clubs_of
from assistant.wording import Wording
from assistant.workbook.read.csv_folder import write_folder

# --- attempts -------------------------------------------------------------------------------------
# Phases as anybody might order them: each verb by itself, all at once and none, from what a rulebook declares.

LEGAL_A_UNIT, FEW_A_UNIT = 4, 2
"""How many legal orders with one verb are sought for each unit; where few orders are tried alone."""
GUESSES, GUESSED_AMONG = 2, 12
"""How many orders with one verb, which nobody has judged, a club gives, and among how many they are chosen."""
FEWEST_PHASES, VARIED = 8, 4
"""How many phases are tried where a year has fewer; how many times more each unit does something else, where
enough orders are tried alone."""
MOST_STOPS = 60
"""After how many stops for answers a phase is taken to ask for ever."""


class ClubOrder(NamedTuple):
    """An order as a club might write it. `fields`: verb and columns."""

    faction: str
    fields: Mapping[str, Any]

    @property
    def verb(self) -> str:
        """The code of its verb."""
        return str(self.fields["verb"])

    def __str__(self) -> str:
        return f"{self.faction}: {' '.join(str(value) for value in self.fields.values() if value not in ('', None))}"


@dataclass(frozen=True)
class Attempt:
    """A phase that was tried: the campaign with its orders, how each stop for answers was answered, and the outcome.

    `outcome`: None where it crashed, of which `crash` tells, or where it takes no answer that the kit can make up.
    """

    ruleset: Ruleset
    before: Campaign
    orders: Sequence[ClubOrder]
    stops: Sequence[Sequence[Question]]
    answers: Mapping[str, str]
    outcome: Outcome | None = None
    crash: str = ""

    @property
    def label(self) -> str:
        """When it was, and what was ordered."""
        some = "; ".join(map(str, self.orders[:2])) + ("; ..." if len(self.orders) > 2 else "")
        return f"{self.before.desk.turn} {self.before.desk.phase}" + (f", ordered '{some}'" if some else "")

    @property
    def played_phase(self) -> PlayedPhase:
        """The phase and its outcome, if it came to one."""
        return PlayedPhase(self.ruleset, self.before, _outcome_of(self))


def attempt(ruleset: Ruleset, before: Campaign, orders: Sequence[ClubOrder] = (),
            given: Mapping[str, str] | None = None) -> Attempt:
    """Try a phase to its end, and answer as a referee who only wants it to go on. `given`: answers by name of their
    question.
    """
    answers, stops, judge = dict(given or {}), list[list[Question]](), default_judge(ruleset)
    outcome: Outcome | None = None
    crash = ""
    try:
        outcome = resolve(ruleset, before, SECRET, answers)
        while outcome is not None and not outcome.done:
            fresh = {question.question: judge(question) for question in outcome.questions
                     if question.question not in answers}
            if not fresh or len(stops) == MOST_STOPS:
                outcome = None
                break
            stops.append(list(outcome.questions))
            answers |= fresh
            outcome = resolve(ruleset, before, SECRET, answers)
    except Exception as fault:  # a stranger's rules may fail in any way
        outcome, crash = None, crash_text(ruleset, fault)
    return Attempt(ruleset, before, tuple(orders), stops, answers, outcome, crash)


# --- what clubs may order ---------------------------------------------------------------------------------
def verbs_taken(ruleset: Ruleset, campaign: Campaign) -> dict[str, Verb]:
    """The verbs that the present phase takes."""
    phase = ruleset.phase(campaign.desk.phase)
    return {code: verb for code, verb in as_order_book(ruleset.verbs).items()
            if phase.orders and verb.deed is not None and (phase.takes or phase.orders) in verb.when}


def legal_by_clubs(ruleset: Ruleset, campaign: Campaign, crashes: dict[str, str] | None = None,
                   limit: int = FEW_A_UNIT) -> list[ClubOrder]:
    """Orders of all clubs that the present phase takes and *check* would accept, by verb and unit.

    `crashes`: gets the verbs that crash when *check* judges them, each with what was raised; `limit`: how many at most
    with one verb and unit.
    """
    taken, desk, found = verbs_taken(ruleset, campaign), campaign.desk, list[ClubOrder]()
    bad = {} if crashes is None else crashes
    now = desk.turn, ruleset.phase(desk.phase).orders
    for faction in clubs_of(campaign) if taken else ():
        view = ruleset.view(campaign, faction)
        for code in [code for code in taken if ruleset.may_order(faction, code) and code not in bad]:
            try:
                found += [ClubOrder(faction, order.fields) for order in ruleset.legal_orders(
                    view, faction, verbs=[code], limit=limit) if (order.turn, order.phase) == now]
            except Exception as fault:  # a stranger's rules may fail in any way
                bad[code] = crash_text(ruleset, fault)
    return found


def guess_orders(ruleset: Ruleset, campaign: Campaign, chance: random.Random) -> list[ClubOrder]:
    """Orders of all clubs that nobody has judged: some can be carried out, others cannot."""
    found = list[ClubOrder]()
    for faction in clubs_of(campaign):
        view = ruleset.view(campaign, faction)
        for code, verb in verbs_taken(ruleset, campaign).items():
            some = list(islice(unjudged_fields(verb, view, faction), GUESSED_AMONG))
            found += [ClubOrder(faction, fields) for fields in chance.sample(some, min(GUESSES, len(some)))
                      if ruleset.may_order(faction, code)]
    return found


def with_orders(ruleset: Ruleset, campaign: Campaign, orders: Iterable[ClubOrder]) -> Campaign:
    """The campaign with these orders for the present phase."""
    given = campaign.copy()
    table, desk, word = given.table(Order), given.desk, ruleset.phase(given.desk.phase).orders
    for number, order in enumerate(orders, 1 + len(table.of_turn(desk.turn))):
        table.add(table.record.from_values({
            **order.fields, "order": f"{desk.turn}-{word}-{order.faction}-t{number}", "turn": desk.turn, "phase": word,
            "faction": order.faction, "seq": number}))
    return given


def one_a_unit(ruleset: Ruleset, orders: Iterable[ClubOrder], chance: random.Random | None = None) -> list[ClubOrder]:
    """Of each unit one of its orders, of a faction itself one with each verb; the first where no chance chooses."""
    book, groups = as_order_book(ruleset.verbs), dict[tuple[str, ...], list[ClubOrder]]()
    for order in orders:
        unit = str(order.fields.get(book[order.verb].actor, ""))
        groups.setdefault((order.faction, unit) if unit else (order.faction, "", order.verb), []).append(order)
    return [chance.choice(group) if chance is not None else group[0] for group in groups.values()]


def phases_of_a_year(calendar: Calendar) -> int:
    """After how many phases each has come in each season, so that all verbs could be ordered."""
    return len(calendar.before) + sum(len(calendar.of(season)) for season in calendar.turns.seasons or ("1",))


# --- phase after phase ------------------------------------------------------------------------------------
class PhaseTried(NamedTuple):
    """All attempts at one phase. `quiet`: nobody orders anything; `alone`: one order each; `alike`: all clubs give one
    verb; `together`: each unit does something; `varied`: each something else; `guessed`: with orders that nobody has
    judged; `legal`: what may be ordered; `crashes`: verbs that crash when they are judged, with what was raised.
    """

    quiet: Attempt
    alone: Sequence[Attempt]
    alike: Sequence[Attempt]
    varied: Sequence[Attempt]
    together: Attempt
    guessed: Attempt
    legal: Sequence[ClubOrder]
    crashes: Mapping[str, str]

    @property
    def all(self) -> list[Attempt]:
        """Each of them once."""
        tried = (self.quiet, *self.alone, *self.alike, self.together, *self.varied, self.guessed)
        return list({id(one): one for one in tried}.values())

    @property
    def full(self) -> list[Attempt]:
        """Those with orders of several clubs; the quiet one where there are none."""
        return [one for one in self.all if one is self.together or one is self.guessed]


def try_phases(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, most: int = 100) -> Iterator[PhaseTried]:
    """Try some phases in all these ways; each goes on from where most has happened. `most`: how many orders are tried
    alone in a phase, chosen by the seed, and how many verbs are given by all.
    """
    chance = random.Random(seed)
    for _ in range(phases):
        if ruleset.is_over(campaign):
            return
        tried = _try_phase(ruleset, campaign, chance, most)
        yield tried
        ended = [one.outcome for one in (tried.together, *tried.varied, *tried.alike, tried.quiet)
                 if one.outcome is not None]
        if not ended:
            return
        campaign = max(ended, key=lambda outcome: len(outcome.events)).campaign


def _try_phase(ruleset: Ruleset, campaign: Campaign, chance: random.Random, most: int) -> PhaseTried:
    def try_orders(orders: Sequence[ClubOrder]) -> Attempt:
        return attempt(ruleset, with_orders(ruleset, campaign, orders), orders)

    crashes = dict[str, str]()
    legal = legal_by_clubs(ruleset, campaign, crashes, LEGAL_A_UNIT if most >= VARIED else FEW_A_UNIT)
    first: dict[tuple[str, str], ClubOrder] = {}
    for order in legal:
        first.setdefault((order.verb, order.faction), order)
    firsts = list({order.verb: order for order in reversed(first.values())}.values())  # of each verb one
    rest = [order for order in first.values() if order not in firsts]
    some = [*chance.sample(firsts, min(most, len(firsts))), *chance.sample(rest, min(max(most - len(firsts), 0),
                                                                                 len(rest)))]
    alone = [try_orders([order]) for order in some]
    bad = {*crashes, *(one.orders[0].verb for one in alone if one.crash)}  # so that the others are tried together
    sound = [[one for one in orders if one.verb not in bad]
             for orders in (one_a_unit(ruleset, legal, chance), guess_orders(ruleset, campaign, chance))]
    quiet = try_orders([])
    together, guessed = (try_orders(orders) if orders else quiet for orders in sound)
    by_verb = [one_a_unit(ruleset, [one for one in legal if one.verb == verb])
               for verb in dict.fromkeys(one.verb for one in legal) if verb not in bad]
    alike = [try_orders(orders) for orders in by_verb[:most] if len(orders) > 1]
    fit = [one for one in legal if one.verb not in bad]
    varied = [try_orders(one_a_unit(ruleset, fit, chance)) for _ in range(VARIED if fit and most >= VARIED else 0)]
    return PhaseTried(quiet, alone, alike, varied, together, guessed, legal, crashes)


# --- hostile --------------------------------------------------------------------------------------
# Faults of a rulebook that its author's robots never meet: of each verb, dice, answers, hidden rows, told changes.

Sentences = Iterator[str]
_UNFILLED = re.compile(r"\{\w[^{}]*\}")
_LAST_NUMBER = re.compile(r"\d+(?=\D*$)")
FAR = 900
"""How much higher a number is in a code that nothing has."""
QUOTING = ("near", "list", "example", "options")
"""What a finding quotes of other rows, which goes by what was typed."""


class Allowed(NamedTuple):
    """What is no fault in a rulebook; see `assistant.testing.robots.disagreements` and `robots_play`."""

    by_others: Collection[str] = ()
    not_done: str = ""
    aside: Aside = lambda change: False


NOTHING = Allowed()


def hostile_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, most: int = 100,
                   allowed: Allowed = NOTHING) -> list[str]:
    """What is wrong in some phases of a campaign, tried in all the ways of `attempts`; each fault once. `phases`: 0 for
    those of a year.
    """
    found, compared = dict[str, None](), most < VARIED
    phases = phases or max(FEWEST_PHASES, phases_of_a_year(ruleset.calendar))
    for tried in try_phases(ruleset, campaign, seed, phases, most):
        found |= dict.fromkeys(faults_of_attempts(tried, allowed))
        if not compared and len({order.faction for order in tried.together.orders}) > 1:
            compared = True  # once is enough, as reports take their time
            found |= dict.fromkeys(_check(tried.together, orders_seen))
    return list(found)


def faults_of_attempts(tried: PhaseTried, allowed: Allowed) -> Sentences:
    """What is wrong in the attempts at one phase."""
    yield from (f"'{verb}' crashes when it is judged: {crash}. Refuse what cannot be done, and look at what columns "
                "may hold." for verb, crash in tried.crashes.items())
    told = set[str]()
    for one in tried.all:
        if one.crash:
            yield f"{one.label} crashes: {one.crash}. Refuse what cannot be done, and look at what columns may hold."
        yield from _check(
            one, lambda one: telling_of(one, allowed.aside, told), unfilled_texts,
            lambda one: throws_with_one_key(_outcome_of(one), f" ({one.label})" if one.orders else ""), refused_deeds,
            lambda one: disagreements(one.played_phase, by_others=allowed.by_others, not_done=allowed.not_done))
    for one in tried.full:
        yield from _check(one, other_runs, early_answers, typed_dice,
                          lambda one: early_battles(one.ruleset, one.before, _outcome_of(one), SECRET), extreme_dice,
                          lambda one: leftovers(one.played_phase, allowed.aside))
    if tried.quiet.outcome is not None:
        for one in tried.alone:
            yield from _check(one, lambda one: untold_changes(one, tried.quiet, allowed.aside))
    yield from _check(tried.together, lambda one: faults_of_phase(one.ruleset, one.before, _outcome_of(one), SECRET))
    for one in (tried.quiet, tried.together, *tried.varied):
        yield from _check(one, answers_seen)
    yield from _check(tried.quiet, lambda one: hidden_unit_faults(one, tried.legal))


def _check(one: Attempt, *checks: Callable[[Attempt], Iterable[str]]) -> Sentences:
    """The faults that some checks find in an attempt that came to its end; a crash is one."""
    for check in checks if one.outcome is not None else ():
        try:
            yield from list(check(one))
        except AssertionError as told:
            yield str(told)
        except Exception as fault:  # a stranger's rules may fail in any way
            yield f"{one.label} crashes when it is played otherwise: {crash_text(one.ruleset, fault)}."


def _outcome_of(one: Attempt) -> Outcome:
    assert one.outcome is not None, one.crash
    return one.outcome


# --- events, texts, keys -----------------------------------------------------------------------------------
def telling_of(one: Attempt, aside: Aside, told: set[str]) -> Sentences:
    """Events that are not declared or cite nothing, and changes that none tells. `told`: those of other attempts, which
    are not said again.
    """
    who = f" ({one.label})" if one.orders else ""
    found = telling_faults(one.ruleset, one.before, _outcome_of(one), aside)
    yield from (fault + who for fault in found if fault not in told)
    told |= {*found}


def unfilled_texts(one: Attempt) -> Sentences:
    """Braces in the texts of a phase that nothing has filled."""
    outcome = _outcome_of(one)
    asked = [row for row in outcome.campaign.table(Question) if row.asked and row.turn == outcome.turn]
    for lang in one.ruleset.languages:
        words = Wording(one.ruleset, lang)
        texts = [*((f"event {event.event}", event.data, words.event(event)) for event in outcome.events),
                 *((f"finding {finding.code}", finding.data, words.finding(finding)) for finding in outcome.findings),
                 *((f"question {row.kind}", row.asked, words.question(row)) for row in asked)]
        yield from (f"The {what} is told without what fills {brace}: '{text}'. Hand it over, or leave it out."
                    for what, data, text in texts if "{" not in str([*data.values()]) for brace in
                    _UNFILLED.findall(text))


def refused_deeds(one: Attempt) -> Sentences:
    """Orders that are told an error and are carried out."""
    outcome = _outcome_of(one)
    for finding in outcome.findings:
        row = outcome.campaign.table(Order).get(finding.where.row) if finding.where.table == Order.sheet else None
        if finding.stops and row is not None and row.status == "accepted":
            yield (f"{one.label}: order {row.order} is told {finding.code}, an error, and is carried out. Raise "
                   "Refused in its deed before anything else, so that nothing is left of it.")


# --- the same phase again ----------------------------------------------------------------------------------
def _differences(one: Outcome, other: Outcome, but: Collection[type[Record]] = ()) -> list[str]:
    """Where two outcomes differ, but for some sheets, and for the rolls of events with the sheet of dice."""
    left_out = {record.sheet for record in (*but, *((Event,) if Die in but else ()))}
    found = [str(change) for change in changes(one.campaign, other.campaign) if change.sheet not in left_out]
    orders = [[list(table.keys_in_file_order()) for sheet, table in outcome.campaign.tables().items()
               if sheet not in left_out] for outcome in (one, other)]
    told = [[(event.event, event.audience, event.data, event.touched) for event in outcome.events]
            for outcome in (one, other)]
    found += ["what is told"] if told[0] != told[1] else []
    return found or (["the order of rows"] if orders[0] != orders[1] else [])


def other_runs(one: Attempt) -> Sentences:
    """A phase that is played again comes to the same, byte by byte."""
    again = attempt(one.ruleset, one.before, one.orders)
    yield from _compare_runs(one, again, "when it is played again", "played again", "Use the dice of the game only, and"
                             " nothing from outside, such as the time, or the order of a set.")


def _compare_runs(one: Attempt, other: Attempt, when: str, how: str, remedy: str, but: Collection[type[Record]] = ()
                  ) -> Sentences:
    """Where another run of a phase crashes, or comes to something else. `but`: sheets that may differ."""
    if other.crash:
        yield f"{one.label} crashes {when}: {other.crash}."
    elif other.outcome is not None:
        yield from (f"{one.label}: {how} {difference} is another. {remedy}"
                    for difference in _differences(_outcome_of(one), other.outcome, but)[:3])


def early_answers(one: Attempt) -> Sentences:
    """Answers that were typed before their questions were put count as those given later."""
    if not one.stops:
        return
    given, asked = one.before.copy(), {question.question: question for stop in one.stops for question in stop}
    table = given.table(Question)
    for name, answer in one.answers.items():
        kind, to, about = asked[name].kind, asked[name].to, asked[name].about
        row = table.record(question=name, turn=given.desk.turn, phase=given.desk.phase, kind=kind, to=to, about=about,
                           answer=answer)
        if row.ident not in table:
            table.add(row)
    early = attempt(one.ruleset, given, one.orders)
    if not early.crash and (early.outcome is None or early.stops):
        yield f"{one.label}: answers that were typed early do not count. Let the name of a question be that of any run."
    else:
        yield from _compare_runs(one, early, "when the answers are typed early", "with answers that were typed early",
                                 "Let the phase ask for the same whenever they come.", (Question,))


def typed_dice(one: Attempt) -> Sentences:
    """Dice that were typed with what would have been thrown change nothing."""
    rolls = _outcome_of(one).rolls
    if rolls and all(roll.value and not roll.typed for roll in rolls):
        typed = attempt(one.ruleset, with_dice(one.before, {roll.key: roll.value for roll in rolls}), one.orders)
        yield from _compare_runs(one, typed, "when the dice are typed", "with the same dice, but typed,",
                                 "Throw each under one key, and ask nothing but its faces.",
                                 (Die, FindingRow, Question))


def extreme_dice(one: Attempt) -> Sentences:
    """Dice that all show their lowest faces, and their highest ones, crash nothing and are told."""
    for lowest in (True, False):
        faces = {roll.key: "+".join([str(1 if lowest else sides)] * count) for roll in _outcome_of(one).rolls
                 for count, sides in [sides_of(roll.dice)]}
        if faces:
            typed = attempt(one.ruleset, with_dice(one.before, faces), one.orders)
            shown = "lowest" if lowest else "highest"
            if typed.crash:
                yield f"{one.label} crashes when the dice show their {shown} faces: {typed.crash}."
            elif typed.outcome is not None:
                yield from unfilled_texts(typed)


def with_dice(campaign: Campaign, values: Mapping[str, str]) -> Campaign:
    """The campaign with dice typed for the present phase."""
    given = campaign.copy()
    table, desk = given.table(Die), given.desk
    for key, value in values.items():
        row = table.record(key=key, turn=desk.turn, phase=desk.phase, value=value, source="table")
        if row.ident not in table:
            table.add(row)
    return given


# --- one order and what it changes --------------------------------------------------------------------------
def untold_changes(one: Attempt, quiet: Attempt, aside: Aside) -> Sentences:
    """What an order changes, and only events tell that are told without the order as well."""
    outcome, still = _outcome_of(one), _outcome_of(quiet)
    if any(map(tells_the_rest, outcome.events)):
        return
    alike = dict[str, list[set[str]]]()
    for event in still.events:
        alike.setdefault(_event_text(event), []).append(set(event.touched.split()))
    before = {name for events in alike.values() for rows in events for name in rows}
    told = set[str]()
    for event in outcome.events:
        text, touched = _event_text(event), set(event.touched.split())
        same = alike[text].pop(0) if alike.get(text) else None
        # of the same event as many rows of each sheet may have other codes, as those of a counter have
        told |= touched if same is None or _sheets_of(same) == _sheets_of(touched) else touched & before
    for change in changes(still.campaign, outcome.campaign):
        name = touched_name(change.sheet, change.key.split("#")[0])
        if change.sheet not in BOOKKEEPING and name not in told and not aside(change) and name in {
                touched_name(own.sheet, own.key.split("#")[0]) for own in changes(one.before, outcome.campaign)}:
            yield (f"{one.label}: {change} is told by no event of its own. Tell of it when it has changed, before "
                   "anything else is told.")


def _sheets_of(rows: Iterable[str]) -> Counter[str]:
    return Counter(row.partition("/")[0] for row in rows)


def _event_text(event: Event) -> str:
    return f"{event.event} {event.audience} {event.data} {event.roll}"


# --- who hears what ----------------------------------------------------------------------------------------
def answers_seen(one: Attempt) -> Sentences:
    """Secret choices of one kind for which one club is asked before the other."""
    for number, stop in enumerate(one.stops):
        for asked in stop:
            others = [early for before in one.stops[:number] for early in before
                      if early.kind == asked.kind and early.to != asked.to and REFEREE not in (early.to, asked.to)]
            for early in others[:1]:
                yield from _question_faults(one, early, asked)


def _question_faults(one: Attempt, early: Question, asked: Question) -> Sentences:
    """Whether a question is the same whatever was answered to an earlier one."""
    given = one.answers[early.question]
    other = next((word for part in early.options.split(",") if (word := part.strip()) and ":" not in word
                  and word != given), "")
    if not other:
        return
    changed = attempt(one.ruleset, one.before, one.orders, {**_answers_before(one, early), early.question: other})
    again = [row for stop in changed.stops for row in stop if row.question == asked.question]
    if again and (again[0].asked, again[0].options, again[0].default) != (asked.asked, asked.options, asked.default):
        yield (f"{one.label}: {asked.to} is asked {asked.question} after {early.to} has answered {early.question}, and "
               "sees by it what was answered. Ask both at once with choose_all.")
    elif again:
        yield (f"{one.label}: {early.to} is asked {early.question} and only then {asked.to} {asked.question}, though "
               "neither hangs on the other. Ask both at once with choose_all.")


def _answers_before(one: Attempt, early: Question) -> dict[str, str]:
    names = [row.question for stop in one.stops for row in stop]
    return {name: one.answers[name] for name in names[:names.index(early.question)]}


def orders_seen(one: Attempt) -> Sentences:
    """Orders of others that change what is sent to a club before the phase."""
    club = one.orders[0].faction
    fewer = one.before.copy()
    for row in list(fewer.table(Order)):
        if row.faction != club and not row.status:
            fewer.table(Order).remove(row.order)
    if report_package(one.ruleset, one.before, club) != report_package(one.ruleset, fewer, club):
        yield (f"{one.label}: what leaves for {club} before the phase is not the same when others have ordered nothing."
               " Let the viewer show nothing that hangs on the orders of others.")


def hidden_unit_faults(quiet: Attempt, legal: Iterable[ClubOrder]) -> Sentences:
    """Orders for a unit of others, of which the club may not know, that are refused otherwise than those for none."""
    ruleset, before, seen = quiet.ruleset, quiet.before, set[tuple[str, str]]()
    book = as_order_book(ruleset.verbs)
    for order in legal:
        viewer = ruleset.viewer(before.copy(), order.faction)
        for name, kind in book[order.verb].kinds.items():
            rows = [row for record in kind.tables() for row in before.by_sheet(record.sheet)
                    if "not_yours" in kind.roles() and order.faction not in row.owners
                    and not row_is_visible(row, viewer)]
            if rows and (order.verb, name) not in seen:
                seen.add((order.verb, name))
                yield from _refusal_faults(ruleset, before, order, name, rows[0])


def _refusal_faults(ruleset: Ruleset, before: Campaign, order: ClubOrder, name: str, row: Record) -> Sentences:
    hidden, table = row.ident, before.by_sheet(row.sheet)
    number = _LAST_NUMBER.search(hidden)
    if number is None:
        return
    far = int(number[0]) + FAR
    while (nobody := f"{hidden[:number.start()]}{far}{hidden[number.end():]}") in table:
        far += 1
    said = [_refusal(ruleset, before, ClubOrder(order.faction, {**order.fields, name: code}), code)
            for code in (hidden, nobody)]
    if said[0] != said[1]:
        yield (f"'{order.verb}' with {name} {hidden}, of which {order.faction} may not know, is told "
               f"{said[0] or 'nothing'}; with {nobody}, which there is not, {said[1] or 'nothing'}. Say with known= of "
               "the column of which units others know.")


def _refusal(ruleset: Ruleset, before: Campaign, order: ClubOrder, code: str) -> list[str]:
    """What an order is told, without what it quotes of other rows, and with a mark for the code that it names."""
    tried = attempt(ruleset, with_orders(ruleset, before, [order]), [order])
    findings: Iterable[Finding] = tried.outcome.findings if tried.outcome is not None else ()
    mine = [row.order for row in tried.before.table(Order) if row.order not in before.table(Order)]
    told = [(finding.code, {key: str(value).replace(code, "?") for key, value in finding.data.items()
                            if key not in QUOTING})
            for finding in findings if finding.where.table == Order.sheet and finding.where.row in mine]
    return [f"{name} {data}" for name, data in told]


# The same phases in another process, and by the commands with undo and redo in between.


HASH_SEEDS = ("1", "2", "3", "4")
"""Under which Python puts sets of texts into an order of their own (``PYTHONHASHSEED``)."""
FEW_ALONE, MOST_PLAYED = 8, 100
"""How many orders are tried by themselves in a phase there, and how many phases robots play."""


# --- another process ----------------------------------------------------------------------------------------
def digests(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int) -> Iterator[str]:
    """Turn, phase, and the SHA-256 of what it comes to: of phases that are tried in all ways, and of those that robots
    play.
    """
    for tried in try_phases(ruleset, campaign, seed, phases, FEW_ALONE):
        yield _digest(tried.quiet.before, [one.outcome for one in tried.all if one.outcome is not None])
    for before, outcome in islice(play(ruleset, campaign, SECRET), MOST_PLAYED):
        yield _digest(before, [outcome])


def _digest(before: Campaign, outcomes: Iterable[Outcome]) -> str:
    told = hashlib.sha256()
    for outcome in outcomes:
        for sheet, table in outcome.campaign.tables().items():
            told.update(sheet.encode())
            for key, row in table.in_file_order():
                told.update(f"{key}{row.as_text()}".encode())
    return f"{before.desk.turn} {before.desk.phase} {told.hexdigest()}"


def other_process_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, place: Path) -> list[str]:
    """Phases that come to something else where Python orders sets otherwise. `place`: an empty folder."""
    must_be_installed(ruleset.id)
    write_folder(campaign, place)
    told = []
    running = [subprocess.Popen(
        [sys.executable, "-m", __name__, ruleset.id, str(place), str(seed), str(phases)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(sys.path)}) for hashes in HASH_SEEDS]
    for process in running:
        out, fault = process.communicate()
        if process.returncode:
            return [f"Another process could not play {ruleset.id}: {fault.strip().splitlines()[-1]}"]
        told.append(out.splitlines())
    return [f"{one.rpartition(' ')[0]}: in another process it comes to something else. Sort what is in a set before "
            "you walk through it." for one, *others in zip(*told, strict=False) if {one} != {*others}][:1]


def _print_digests(ruleset_id: str, folder: str, seed: str, phases: str) -> None:
    ruleset = load(ruleset_id)
    print(*digests(ruleset, opening(ruleset, Path(folder)), int(seed), int(phases)), sep="\n")


# --- undo, redo, verify -------------------------------------------------------------------------------------
def past_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, place: Path) -> Iterator[str]:
    """What undo does not take back, redo does not bring again, or `verify` does not find, of phases that are played by
    the commands. `place`: an empty folder.
    """
    must_be_installed(ruleset.id)
    given, chance, book = campaign.copy(), random.Random(seed), place / "campaign.xlsx"
    write_all_rules(ruleset, given)
    write_folder(given, place / "given")
    must_succeed("new", ruleset.id, book, "--from", place / "given", "--secret", BOOK_SECRET)
    for _ in range(phases):
        now = campaign_of(book)
        if ruleset.is_over(now):
            break
        lines = [f"{order.faction}: {order_line(as_order_book(ruleset.verbs), now, order.fields, 'en')}"
                 for order in one_a_unit(ruleset, legal_by_clubs(ruleset, now), chance)]
        if lines:
            run_command("orders", book, *lines)
        before, here = campaign_of(book), f"{now.desk.turn} {now.desk.phase}"
        code, told = run_command("resolve", book, "--defaults")
        after = campaign_of(book)
        if (after.desk.turn, after.desk.phase) == (before.desk.turn, before.desk.phase):
            break  # it waits for somebody
        must_succeed("undo", book)
        yield from (f"{here}: undo has left {change}." for change in changes(before, campaign_of(book)))
        must_succeed("redo", book)
        yield from (f"{here}: redo has made {change}." for change in changes(after, campaign_of(book)))
    code, told = run_command("verify", book)
    if code != DONE:
        yield f"'verify' finds a phase that comes to something else when it is played again: {told.strip()}"


if __name__ == "__main__":
    _print_digests(*sys.argv[1:])
