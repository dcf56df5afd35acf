"""Campaigns of robots in; what refused orders left behind, throws that share a key, battles that were typed too early.

Each fault is a sentence: what was seen, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from assistant.campaign.campaign import Added, Campaign, changes
from assistant.campaign.records import CLUBLESS, Battle, Event, Faction, FindingRow, Order, Question
from assistant.testing.robots import Aside, by_default, finished, play
from assistant.testing.spoiling import SECRET, spoiled
from assistant.turn.orders.cards import example
from assistant.turn.orders.columns import OwnUnit
from assistant.turn.orders.verbs import Verb, book_of
from assistant.turn.phases import ONE_KEY, Outcome
from assistant.turn.ruleset import Ruleset

BESIDE = tuple(record.sheet for record in (Order, FindingRow, Question, Event))
"""Sheets that say of a refused order that there was one, or tell what is compared by itself."""
UNITS = 3
"""So many of a club's own units are given the same order."""


def left_behind(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int,
                aside: Aside = lambda change: False) -> Iterator[str]:
    """Where a phase with refused orders ends otherwise than without them. `aside`: changes that may be."""
    for played in spoiled(ruleset, campaign, seed, phases):
        gone = {row.order for row in played.outcome.campaign.table(Order).of_turn(played.outcome.turn)
                if row.status in ("refused", "replaced") and not played.before.table(Order)[row.order].status}
        if not any(f.stops and f.where.row in gone for f in played.outcome.findings):
            continue
        given = played.before.copy()
        for order in gone:
            given.table(Order).remove(order)
        quiet, here = _again(ruleset, given), f"{played.outcome.turn} {played.outcome.phase}"
        yield from (f"{here}: refused orders have left {change} behind. Refuse them in their deeds, or undo what was "
                    f"done for them (`assistant.turn.orders.refusal.whole`). They were {' '.join(sorted(gone))}."
                    for change in changes(quiet.campaign, played.outcome.campaign)
                    if change.sheet not in BESIDE and not aside(change))
        told, alone = _told(played.outcome, gone), _told(quiet, gone)
        yield from (f"{here}: a refused order has told {event}. Tell only what is done."
                    for event in dict.fromkeys(told)
                    if told.count(event) > alone.count(event))


def _again(ruleset: Ruleset, campaign: Campaign) -> Outcome:
    judge = by_default(ruleset)
    return finished(ruleset, campaign, SECRET, lambda waiting: {one.question: judge(one) for one in waiting.questions})


def _told(outcome: Outcome, orders: set[str]) -> list[str]:
    """The events of a phase as texts, without those that tell of some orders themselves."""
    touched = {f"{Order.sheet}/{order}" for order in orders}
    return [f"{event.event} {event.audience} {event.data} {event.roll}" for event in outcome.events
            if event.data.get("order") not in orders and not touched & set(event.touched.split())]


# --- throws ---------------------------------------------------------------------------------------------
def shared_keys(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int) -> Iterator[str]:
    """Throws of a phase that have one key: of orders spoiled at random, and of each verb given by all at once."""
    words = set[str]()
    for played in spoiled(ruleset, campaign, seed, phases):
        yield from _shared(played.outcome, "")
        word = ruleset.phase(played.before.desk.phase).orders
        for verb in book_of(ruleset.verbs).values() if word and word not in words else ():
            given = _by_all(played.before, verb, word)
            if given is not None:
                yield from _shared(_again(ruleset, given), f" when all {verb.en}")
        words.add(word)


def _shared(outcome: Outcome, when: str) -> Iterator[str]:
    yield from (f"{outcome.turn} {outcome.phase}: two throws have the key {found.data['key']}{when}. Name in the key "
                "what tells them apart: who throws, about whom, for the how many-th time."
                for found in outcome.findings if found.code == ONE_KEY)


def _by_all(campaign: Campaign, verb: Verb, word: str) -> Campaign | None:
    """The campaign with one order more of each club, and of some of its units, all like the one on its orders card."""
    given = campaign.copy()
    table, new = given.table(Order), list[Order]()
    for faction in [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS] if verb.deed else ():
        said = {name: value for name, value in example(verb, campaign, faction).items() if name != "verb"}
        kind = verb.kinds.get("unit")
        own = [row.ident for row in campaign.by_sheet(kind.record.sheet) if faction in row.owners] \
            if isinstance(kind, OwnUnit) else []
        for unit in own[:UNITS] or [said.get("unit", "")]:
            new.append(table.record.from_values({
                **said, "verb": verb.en, "unit": unit, "order": f"all-{len(new)}", "turn": campaign.desk.turn,
                "phase": word, "faction": faction, "seq": len(new) + 1}) if said else table.record())
    for row in new if all(row.order for row in new) else ():
        table.add(row)
    return given if new else None


# --- battles --------------------------------------------------------------------------------------------
def too_early(ruleset: Ruleset, campaign: Campaign, secret: bytes, phases: int) -> Iterator[str]:
    """Where a battle becomes another because somebody has typed its row before it was laid out."""
    for before, outcome in islice(play(ruleset, campaign, secret), phases):
        laid = [one.key for one in changes(before, outcome.campaign)
                if isinstance(one, Added) and one.sheet == Battle.sheet]
        if not laid:
            continue
        given = before.copy()
        for code in laid:
            given.table(Battle).add(given.table(Battle).record(battle=code))
        typed = finished(ruleset, given, secret, partial(_answers, outcome))
        yield from (f"{outcome.turn} {outcome.phase}: a battle that was typed before it is laid out ({' '.join(laid)}) "
                    f"makes {change}. Lay it out with Battles.add, whether its row is there or not."
                    for change in changes(outcome.campaign, typed.campaign))


def _answers(played: Outcome, waiting: Outcome) -> dict[str, str]:
    given = {row.ident: row.answer for row in played.campaign.table(Question)}
    return {one.question: given.get(one.ident, "") for one in waiting.questions}
