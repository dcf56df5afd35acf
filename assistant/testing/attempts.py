"""Phases as anybody might order them: each verb by itself, all at once and none, from what a rulebook declares."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Faction, Order, Question
from assistant.testing.robots import SECRET, PlayedPhase, crash_text, default_judge
from assistant.turn.orders.legal import unjudged_fields
from assistant.turn.orders.verbs import Verb, as_order_book
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset

LEGAL_A_UNIT, FEW_A_UNIT = 4, 2
"""How many legal orders with one verb are sought for each unit; where few orders are tried alone."""
GUESSES, GUESSED_AMONG = 2, 12
"""How many orders with one verb, which nobody has judged, a club gives, and among how many they are chosen."""
VARIED = 4
"""How many times more each unit does something else, where enough orders are tried alone."""
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
    def said(self) -> str:
        """When it was, and what was ordered."""
        some = "; ".join(map(str, self.orders[:2])) + ("; ..." if len(self.orders) > 2 else "")
        return f"{self.before.desk.turn} {self.before.desk.phase}" + (f", ordered '{some}'" if some else "")

    @property
    def played(self) -> PlayedPhase | None:
        """The phase and its outcome, where it came to one."""
        return PlayedPhase(self.ruleset, self.before, self.outcome) if self.outcome is not None else None


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
def clubs_of(campaign: Campaign) -> list[str]:
    """The factions that may order something."""
    return [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]


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


def guessed_by_clubs(ruleset: Ruleset, campaign: Campaign, chance: random.Random) -> list[ClubOrder]:
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
    """Try some phases in all these ways; each goes on from what all together have done. `most`: how many orders are
    tried alone in a phase, chosen by the seed, and how many verbs are given by all.
    """
    chance = random.Random(seed)
    for _ in range(phases):
        if ruleset.is_over(campaign):
            return
        tried = _try_phase(ruleset, campaign, chance, most)
        yield tried
        ended = next((one.outcome for one in (tried.together, tried.quiet) if one.outcome is not None), None)
        if ended is None:
            return
        campaign = ended.campaign


def _try_phase(ruleset: Ruleset, campaign: Campaign, chance: random.Random, most: int) -> PhaseTried:
    def tried(orders: Sequence[ClubOrder]) -> Attempt:
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
    alone = [tried([order]) for order in some]
    bad = {*crashes, *(one.orders[0].verb for one in alone if one.crash)}  # so that the others are tried together
    sound = [[one for one in orders if one.verb not in bad]
             for orders in (one_a_unit(ruleset, legal, chance), guessed_by_clubs(ruleset, campaign, chance))]
    quiet = tried([])
    together, guessed = (tried(orders) if orders else quiet for orders in sound)
    by_verb = [one_a_unit(ruleset, [one for one in legal if one.verb == verb])
               for verb in dict.fromkeys(one.verb for one in legal) if verb not in bad]
    alike = [tried(orders) for orders in by_verb[:most] if len(orders) > 1]
    fit = [one for one in legal if one.verb not in bad]
    varied = [tried(one_a_unit(ruleset, fit, chance)) for _ in range(VARIED if fit and most >= VARIED else 0)]
    return PhaseTried(quiet, alone, alike, varied, together, guessed, legal, crashes)
