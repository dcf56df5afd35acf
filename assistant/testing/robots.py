"""Campaigns that robots play, with legal orders, spoiled orders and nonsense, and the faults found in them."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from traceback import extract_tb

from assistant.campaign.campaign import Campaign, Change, FieldSet, RowAdded, changes
from assistant.campaign.columns import Choice
from assistant.campaign.records import (
    CLUBLESS,
    OWNERLESS,
    REFEREE,
    Battle,
    Desk,
    Die,
    Event,
    Faction,
    FindingRow,
    Order,
    Question,
)
from assistant.campaign.tables import touched_name
from assistant.rulebook_source import source_folder
from assistant.turn.findings import Finding, cited_keys
from assistant.turn.orders import requests
from assistant.turn.orders.columns import Note
from assistant.turn.orders.legal import plausible_fields
from assistant.turn.orders.row_columns import NewCode, OwnUnit
from assistant.turn.orders.verbs import OrderBook, Verb, as_order_book, format_order
from assistant.turn.phases import (
    ONE_KEY,
    Judge,
    Outcome,
    answers_to,
    check_campaign,
    default_judge,
    finding_text,
    finish_phase,
    give_robot_orders,
    play,
    resolve,
    robots_of,
)
from assistant.turn.questions import Text
from assistant.turn.ruleset import Ruleset
from assistant.workbook.read.csv_folder import read_folder, write_folder

# Robots playing, and what must hold after every phase.
#
# Each fault is a sentence: what was seen, where, and what to do.


__all__ = ["Judge", "answers_to", "default_judge", "finding_text", "finish_phase", "play"]
"""Of `assistant.turn.phases`: tests of plug-ins find it here, beside what this module adds."""
Aside = Callable[[Change], bool]
BOOKKEEPING = tuple(record.sheet for record in (Event, Die, Question, FindingRow, Order))
"""Sheets that record a phase themselves: their changes need no event."""


def crash_text(ruleset: Ruleset, fault: Exception) -> str:
    """What was raised, with file and line in the rulebook, or in Arbitro where none is the rulebook's."""
    folder, frames = source_folder(ruleset), extract_tb(fault.__traceback__)
    own = [frame for frame in frames if folder is not None and folder in Path(frame.filename).parents] or frames
    place = f" ({Path(own[-1].filename).name}, {own[-1].lineno})" if own else ""
    return f"{type(fault).__name__}: {fault}{place}"


def seasons(ruleset: Ruleset, campaign: Campaign, secret: bytes, phases: int) -> Iterator[Campaign]:
    """The campaign after its first phase, and whenever a turn begins that has other phases than the last one. Each
    phase that takes orders gets at least one, by a robot or from the orders card.
    """
    for number in range(phases):
        if ruleset.is_over(campaign):
            return
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        _with_an_order(ruleset, campaign)
        was = ruleset.phase_ids(campaign)
        campaign = finish_with_robots(ruleset, campaign, secret).campaign
        if number == 0 or ruleset.phase_ids(campaign) != was:
            yield campaign


def finish_with_robots(ruleset: Ruleset, campaign: Campaign, secret: bytes) -> Outcome:
    """Play a phase to its end; robots answer what concerns them, and a referee who only wants it to go on the rest."""
    judge = default_judge(ruleset)
    return finish_phase(ruleset, campaign, secret, lambda waiting: answers_to(ruleset, waiting, judge))


def _with_an_order(ruleset: Ruleset, campaign: Campaign) -> None:
    """If there are no orders for the present phase, add the orders card's example for the first robot."""
    table, word = campaign.table(Order), ruleset.phase(campaign.desk.phase).orders
    rows = table.of_turn(campaign.desk.turn, parts=(word,))
    takes = ruleset.phase(campaign.desk.phase).takes or word
    verb = next((verb for verb in as_order_book(ruleset.verbs).values()
                 if takes in verb.when and verb.deed is not None), None)
    faction = next((row.faction for row in campaign.table(Faction) if row.role == "robot"), "")
    if word and not rows and verb is not None and faction:
        fields = {name: value for name, value in plausible_fields(verb, campaign, faction).items() if name != "verb"}
        table.add(table.record.from_values({
            **fields, "verb": verb.en, "order": f"{campaign.desk.turn}-{word}-{faction}-card",
            "turn": campaign.desk.turn,
            "phase": word, "faction": faction, "seq": "1"}))


# --- what must hold after every phase ---------------------------------------------------------------------
def tells_the_rest(event: Event) -> bool:
    """Whether it stands for all that its phase has changed: it is for the referee alone and has no parameters."""
    return event.audience == REFEREE and not event.data


def untraced_changes(before: Campaign, outcome: Outcome, aside: Aside = lambda change: False) -> list[Change]:
    """Changes of state that no event of the phase names, and values that none of their step does, except what `aside`
    allows. The form of a battle may go from step to step.
    """
    touched = {name for event in outcome.events for name in event.touched.split()}
    untold = () if any(map(tells_the_rest, outcome.events)) else outcome.untold

    def told(change: Change) -> bool:
        name, field = touched_name(change.sheet, change.key.split("#")[0]), getattr(change, "field", None)
        return name in touched and (change.sheet == Battle.sheet or (name, field) not in untold)

    return [change for change in changes(before, outcome.campaign) if change.sheet not in BOOKKEEPING
            and not _clock(change) and not told(change) and not aside(change)]


def _clock(change: Change) -> bool:
    return change.sheet == Desk.sheet and isinstance(change, FieldSet) and change.field in ("turn", "phase")


def faults(ruleset: Ruleset, before: Campaign, outcome: Outcome, aside: Aside = lambda change: False) -> list[str]:
    """What is wrong with a phase that robots played."""
    here = f"{outcome.turn} {outcome.phase}: "
    problems = [f"{here}check refuses a robot's order: {finding_text(finding)}. Let robot_orders give legal orders "
                "only."
                for finding in ruleset.check_orders(before) if finding.stops]
    problems += [f"{here}a robot's order is refused: {finding_text(finding)}. Let robot_orders give legal orders only."
                 for finding in outcome.findings if finding.stops]
    return problems + telling_faults(ruleset, before, outcome, aside)


def telling_faults(ruleset: Ruleset, before: Campaign, outcome: Outcome, aside: Aside = lambda change: False
                   ) -> list[str]:
    """What is wrong with the events of a phase and with what it leaves, whoever gave the orders."""
    here, problems = f"{outcome.turn} {outcome.phase}: ", list[str]()
    for event in outcome.events:
        if event.event not in ruleset.events:
            problems.append(f"{here}the event {event.event} is told and not declared. Add its EventType to events.")
        if not event.rule:
            problems.append(f"{here}the event {event.event} cites no rule. Say with its type or phase on what it "
                            "rests.")
        problems += [f"{here}the event {event.event} cites {key}, which citations does not know. Declare it there."
                     for key in cited_keys(event.rule) if ruleset.citations and key not in ruleset.citations]
    problems += [f"{here}{change} is told by no event. Change it in the same step, before the event that tells of it."
                 for change in untraced_changes(before, outcome, aside)]
    problems += [f"{here}the next phase could not start: {finding_text(finding)}. The phase must leave sound records."
                 for finding in check_campaign(ruleset, outcome.campaign) if finding.stops]
    return problems


def campaign_faults(ruleset: Ruleset, campaign: Campaign, secret: bytes, *, phases: int = 1000,
                    aside: Aside = lambda change: False) -> list[str]:
    """What is wrong with a campaign of robots; it ends with the first faulty phase."""
    last = "still before its first phase"
    for before, outcome in islice(play(ruleset, campaign, secret), phases):
        problems = faults(ruleset, before, outcome, aside)
        if problems:
            return problems
        after, here = outcome.campaign, (outcome.turn, outcome.phase)
        if (after.desk.turn, after.desk.phase) == here:
            return [f"{outcome.turn} {outcome.phase} is followed by itself. Let the calendar or advance go on."]
        last = "" if ruleset.is_over(after) else f"{after.desk.turn} {after.desk.phase}"
    return [f"After {phases} phases at most the campaign is {last}. Let last_turn or is_over say when it ends, "
            "give one that is not over, or allow more phases."] if last else []


# Spoiled orders, and where check and resolve disagree about them.


SECRET = bytes(32)
CELLS = ("unit", "target", "node", "path", "amount", "men", "partner", "option", "choice")
STRANGE = ("", "", "0", "-3", "9999", "2,5", "rubbish", "V8 V88", "S1 B1", "M-1", "in", "spy")


@dataclass(frozen=True)
class PlayedPhase:
    """One phase: the campaign before it, and its outcome."""

    ruleset: Ruleset
    before: Campaign
    outcome: Outcome


def spoil(ruleset: Ruleset, campaign: Campaign, word: str, chance: random.Random, rows: int) -> None:
    """Change one column in half of the orders of a phase, and add orders of all sorts."""
    table, book = campaign.table(Order), as_order_book(ruleset.verbs)
    people = [record.sheet for record in ruleset.records if record.persons]
    codes = [row.ident for sheet in ("Armies", "Nodes", "Factions", *people) for row in campaign.by_sheet(sheet)]
    factions = [row.faction for row in campaign.table(Faction) if row.role not in OWNERLESS]
    own = [name for name in book.cells if name not in requests.CELLS]
    columns = [c.name for c in table.record.columns() if c.name in (*CELLS, *own)]
    for row in table.of_turn(campaign.desk.turn):
        if row.phase == word and not row.status and chance.random() < 0.5:
            _spoil_one(row, columns, codes, chance)
    times = {ruleset.phase(name).takes or word for name in ruleset.phase_ids(campaign)
             if ruleset.phase(name).orders == word}
    fit = [verb for verb in book.values() if times & set(verb.when)]
    for _ in range(rows):
        verb = chance.choice(fit if fit and chance.random() < 0.9 else list(book.values()))
        fields = {"verb": chance.choice([*[verb.en, verb.it, verb.it.upper()] * 4, "fly"])}
        example = plausible_fields(verb, campaign) if verb.deed is not None else {}
        fields |= {name: str(value) for name, value in example.items() if name != "verb"}
        if not example:
            fields |= {name: chance.choice([*codes, *STRANGE]) for name in columns if name in verb.columns}
        elif chance.random() < 0.2:
            fields = {"text": format_order(book, example, chance.choice(["en", "it"]))}
        row = table.record.from_values({
            **fields, "order": f"x{len(table)}", "turn": campaign.desk.turn, "phase": word,
            "faction": chance.choice(factions), "seq": chance.choice(["", "1", "5"])})
        if chance.random() < 0.6:
            _spoil_one(row, columns, codes, chance)
        table.add(row)
        if chance.random() < 0.1:
            twin = row.copy()
            twin.order = f"x{len(table)}"
            table.add(twin)


def _spoil_one(row: Order, columns: list[str], codes: list[str], chance: random.Random) -> None:
    name = chance.choice(columns)
    kind, word = row.column(name).kind, chance.choice([*codes, *STRANGE])
    blank = [""] if isinstance(kind, Choice) and kind.blank else []
    if not isinstance(kind, Choice) or word in (*kind.options, *blank):  # the reader reports any other word
        setattr(row, name, kind.read(word))


def play_spoiled(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, rows: int = 12) -> Iterator[PlayedPhase]:
    """Play some phases of a campaign; orders are spoiled before each phase that begins to take new ones."""
    chance, begun = random.Random(seed), ("", "")
    for _ in range(phases):
        if ruleset.is_over(campaign):
            return
        desk, word = campaign.desk, ruleset.phase(campaign.desk.phase).orders
        if word and begun != (desk.turn, word):
            begun = desk.turn, word
            campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
            spoil(ruleset, campaign, word, chance, rows)
        outcome = _finish_as_referee(ruleset, campaign)
        yield PlayedPhase(ruleset, campaign, outcome)
        campaign = outcome.campaign


# --- check equals resolve -------------------------------------------------------------------------------
def refusals(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Refused orders: row and code of the finding."""
    return {(f.where.row, f.code) for f in findings if f.stops and f.where.table == Order.sheet}


def disagreements(played: PlayedPhase, *, by_others: Collection[str] = (), not_done: str = "") -> list[str]:
    """Where *check* and the phase say different things about an order; [] for a good ruleset.

    `by_others`: codes that depend on the orders of others, which *check* does not consider; `not_done`: the event that
    names in `order` a valid order that could not be completed.
    """
    outcome, here = played.outcome, f"{played.outcome.turn} {played.outcome.phase}"
    checked = refusals(played.ruleset.check_orders(played.before))
    refused = refusals(outcome.findings)
    waiting = {row.ident for row in outcome.campaign.table(Order) if not row.status}
    undone = {str(event.data["order"]) for event in outcome.events if event.event == not_done}
    only_check = sorted(place for place in checked - refused if place[0] not in waiting and place[1] not in by_others)
    only_phase = sorted(place for place in refused - checked if place[0] not in undone and place[1] not in by_others)
    return [
        *(
            f"{here}: check refuses order {row} with {code}, and the phase does not: {_order_text(played, row)}. Let "
            "one function judge it, on the verb or in a step that is marked together or alone."
            for row, code in only_check
        ),
        *(
            f"{here}: the phase refuses order {row} with {code}, and check does not: {_order_text(played, row)}. Mark "
            "the step that refuses it together or alone, and judge before any die is thrown."
            for row, code in only_phase
        ),
    ]


def _order_text(played: PlayedPhase, row: str) -> str:
    order = played.before.table(Order).get(row)
    return " ".join(f"{name}={text}" for name, text in (order.as_text() if order else {}).items() if text)


# Traces of refused orders, throws with the same key, battles typed too early.


UNCOMPARED_SHEETS = tuple(record.sheet for record in (Order, FindingRow, Question, Event))
"""Sheets that are not compared: a refused order is visible in them, or they are compared separately."""
UNITS = 3
"""How many units of each club get the same order."""


def leftovers(played: PlayedPhase, aside: Aside = lambda change: False) -> Iterator[str]:
    """What the refused orders of one phase have left behind. `aside`: changes that are allowed."""
    gone = {row.order for row in played.outcome.campaign.table(Order).of_turn(played.outcome.turn)
            if row.status in ("refused", "replaced") and not played.before.table(Order)[row.order].status}
    if not any(f.stops and f.where.row in gone for f in played.outcome.findings):
        return
    given = played.before.copy()
    for order in gone:
        given.table(Order).remove(order)
    quiet, here = _finish_as_referee(played.ruleset, given), f"{played.outcome.turn} {played.outcome.phase}"
    yield from (
        f"{here}: refused orders have left {change} behind. Refuse them in their deeds, or undo what was "
        f"done for them (`assistant.turn.orders.requests.all_or_nothing`). They were {' '.join(sorted(gone))}."
        for change in changes(quiet.campaign, played.outcome.campaign)
        if change.sheet not in UNCOMPARED_SHEETS and not aside(change)
    )
    told, alone = _event_texts(played.outcome, gone), _event_texts(quiet, gone)
    yield from (f"{here}: a refused order has told {event}. Tell only what is done."
                for event in dict.fromkeys(told)
                if told.count(event) > alone.count(event))


def _finish_as_referee(ruleset: Ruleset, campaign: Campaign) -> Outcome:
    """Play a phase to its end; a referee who only wants it to go on answers everything."""
    judge = default_judge(ruleset)
    return finish_phase(
        ruleset, campaign, SECRET,
        lambda waiting: {question.question: judge(question) for question in waiting.questions}
    )


def _event_texts(outcome: Outcome, orders: set[str]) -> list[str]:
    """The events of a phase as texts, without those about these orders themselves."""
    touched = {f"{Order.sheet}/{order}" for order in orders}
    return [f"{event.event} {event.audience} {event.data} {event.roll}" for event in outcome.events
            if event.data.get("order") not in orders and not touched & set(event.touched.split())]


# --- throws ---------------------------------------------------------------------------------------------
def shared_keys(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int) -> Iterator[str]:
    """Throws of a phase with the same key: with spoiled orders, and when all clubs order the same verb."""
    words = set[str]()
    for played in play_spoiled(ruleset, campaign, seed, phases):
        yield from throws_with_one_key(played.outcome)
        word = ruleset.phase(played.before.desk.phase).orders
        for verb in as_order_book(ruleset.verbs).values() if word and word not in words else ():
            given = _with_order_by_all(played.before, verb, word)
            if given is not None:
                yield from throws_with_one_key(_finish_as_referee(ruleset, given), f" when all {verb.en}")
        words.add(word)


def throws_with_one_key(outcome: Outcome, when: str = "") -> Iterator[str]:
    """The throws of one phase that share a key."""
    yield from (f"{outcome.turn} {outcome.phase}: two throws have the key {finding.data['key']}{when}. Name in the key "
                "what tells them apart: who throws, about whom, for the how many-th time."
                for finding in outcome.findings if finding.code == ONE_KEY)


def _with_order_by_all(campaign: Campaign, verb: Verb, word: str) -> Campaign | None:
    """The campaign with an order of a verb for some units of each club, like the example on the orders card."""
    given = campaign.copy()
    table, new = given.table(Order), list[Order]()
    for faction in [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS] if verb.deed else ():
        fields = {name: value for name, value in plausible_fields(verb, campaign, faction).items() if name != "verb"}
        kind = verb.kinds.get("unit")
        own = [row.ident for row in campaign.by_sheet(kind.record.sheet) if faction in row.owners] \
            if isinstance(kind, OwnUnit) else []
        for unit in own[:UNITS] or [fields.get("unit", "")]:
            new.append(table.record.from_values({
                **fields, "verb": verb.en, "unit": unit, "order": f"all-{len(new)}", "turn": campaign.desk.turn,
                "phase": word, "faction": faction, "seq": len(new) + 1}) if fields else table.record())
    for row in new if all(row.order for row in new) else ():
        table.add(row)
    return given if new else None


# --- battles --------------------------------------------------------------------------------------------
def early_battles(ruleset: Ruleset, before: Campaign, outcome: Outcome, secret: bytes) -> Iterator[str]:
    """Where the battles of one phase differ because their rows were typed before it."""
    laid = [change.key for change in changes(before, outcome.campaign)
            if isinstance(change, RowAdded) and change.sheet == Battle.sheet]
    if not laid:
        return
    given = before.copy()
    for code in laid:
        given.table(Battle).add(given.table(Battle).record(battle=code))
    try:
        typed = finish_phase(ruleset, given, secret, partial(_answers, outcome))
    except Exception as fault:  # a stranger's rules may fail in any way
        yield (f"{outcome.turn} {outcome.phase}: a battle that was typed before it is laid out ({' '.join(laid)}) is "
               f"not played: {crash_text(ruleset, fault)}. Lay it out with Battles.add, whether its row is there or "
               "not.")
        return
    yield from (f"{outcome.turn} {outcome.phase}: a battle that was typed before it is laid out ({' '.join(laid)}) "
                f"makes {change}. Lay it out with Battles.add, whether its row is there or not."
                for change in changes(outcome.campaign, typed.campaign))


def _answers(played: Outcome, waiting: Outcome) -> dict[str, str]:
    given = {row.ident: row.answer for row in played.campaign.table(Question)}
    return {question.question: given.get(question.ident, "") for question in waiting.questions}


# Typed nonsense: it must be found, crash nothing and change nothing.
#
# Orders with nonsense in one column go through the reader of CSVs, answers through the phase that waits for them.


NONSENSE = ("rubbish", "ZZ-999", "Q77", "-7", "9" * 30, "2,37", "=1+1", "+A1", "\U0001f409", "x" * 2000, "0x1F", "{0}")
"""No code, name, word or number of any ruleset."""
TELLING_SHEETS = (Order.sheet, FindingRow.sheet, Event.sheet, Question.sheet)
"""Sheets that may change, because they report what was refused or has happened."""


def nonsense_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, place: Path) -> Iterator[str]:
    """What nonsense does in some phases of a campaign of robots; orders are tried once in each phase that takes them.
    `place`: an empty folder.
    """
    chance, begun = random.Random(seed), set[str]()
    for number in range(phases):
        if ruleset.is_over(campaign):
            return
        phase = ruleset.phase(campaign.desk.phase)
        if phase.orders and phase.id not in begun:
            begun.add(phase.id)
            yield from _orders(ruleset, campaign, chance, place / str(number))
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        asking = _Asking(ruleset, campaign, chance)
        campaign = finish_phase(ruleset, campaign, SECRET, asking.reply).campaign
        yield from asking.faults


# --- orders ---------------------------------------------------------------------------------------------
def _orders(ruleset: Ruleset, campaign: Campaign, chance: random.Random, place: Path) -> Iterator[str]:
    """Try nonsense in each column of each verb that may be ordered now."""
    book, phase = as_order_book(ruleset.verbs), ruleset.phase(campaign.desk.phase)
    rows = list(_nonsense_orders(book, phase.takes or phase.orders, campaign, chance))
    for number in range(len(rows) + 1):
        typed, seen = _read(ruleset, campaign, phase.orders, [fields for _, fields in rows], place / str(number))
        outcome = finish_with_robots(ruleset, typed, SECRET)
        after = outcome.campaign
        findings = [*ruleset.check_orders(typed), *ruleset.foresee_orders(typed), *outcome.findings]
        seen |= {finding.where.row for finding in findings if finding.where.table == Order.sheet
                 and (finding.stops or finding.where.field == _spoiled_column(finding.where.row))}
        yield from _nonsense_changes(ruleset, campaign, after, f"{campaign.desk.turn} {campaign.desk.phase}")
        replaced = {row.order for row in after.table(Order) if row.status == "replaced"}
        yield from (f"{what} is neither refused nor found. Judge that column of the verb: {_short(fields)}."
                    for what, fields in rows if fields["order"] not in seen | replaced)
        rows = [row for row in rows if row[1]["order"] in replaced - seen]  # try again those that a later row replaced
        if not rows:
            return


def _nonsense_orders(book: OrderBook, time: str, campaign: Campaign,
             chance: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
    """A description and the fields of each order with nonsense."""
    clubs = [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]
    for verb in book.values():
        for faction in clubs if time in verb.when and verb.deed is not None else ():
            fields = plausible_fields(verb, campaign, faction)
            if fields:
                yield from _columns(verb, faction, {name: str(value) for name, value in fields.items()}, campaign,
                                    chance)
                break


def _columns(verb: Verb, faction: str, fields: dict[str, str], campaign: Campaign,
             chance: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
    for name, kind in verb.kinds.items():
        if isinstance(kind, (Note, NewCode)):  # these take any words
            continue
        words = chance.sample(NONSENSE, 4)
        if isinstance(kind, OwnUnit):
            words += [row.ident for row in islice((row for row in campaign.by_sheet(kind.record.sheet)
                                                   if faction not in row.owners and kind.is_known(row)), 1)]
        for number, word in enumerate(words):
            order = f"{verb.en}-{name}-{number}".replace(" ", "-")
            yield (f"{verb.en} with {name} '{word[:20]}'", {**fields, name: word, "order": order, "faction": faction})


def _spoiled_column(order: str) -> str:
    return order.rsplit("-", 2)[1] if order.count("-") > 1 else ""


def _read(ruleset: Ruleset, campaign: Campaign, word: str, rows: Sequence[Mapping[str, str]],
          place: Path) -> tuple[Campaign, set[str]]:
    """The campaign with only these orders in this turn, read from CSVs, and the rows with findings of the reader."""
    given = _without_orders(campaign)
    write_folder(given, place)
    heads = [column.name for column in given.table(Order).record.columns()]
    with (place / "orders.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, heads, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({**fields, "turn": campaign.desk.turn, "phase": word} for fields in rows)
    _, read, findings = read_folder(place, ruleset)
    return read, {finding.where.row for finding in findings if finding.where.table == Order.sheet}


def _nonsense_changes(ruleset: Ruleset, campaign: Campaign, after: Campaign, here: str) -> Iterator[str]:
    """Changes made by orders with nonsense."""
    quiet = finish_with_robots(ruleset, _without_orders(campaign), SECRET).campaign
    yield from (f"{here}: nonsense among the orders changed {change}. Refuse it before anything changes."
                for change in changes(quiet, after) if change.sheet not in TELLING_SHEETS)


def _without_orders(campaign: Campaign) -> Campaign:
    """The campaign without the orders of this turn."""
    given = campaign.copy()
    for row in given.table(Order).of_turn(campaign.desk.turn):
        given.table(Order).remove(row.order)
    return given


def _short(fields: Mapping[str, str]) -> str:
    return " ".join(f"{name}={text[:30]}" for name, text in fields.items() if text)


# --- answers --------------------------------------------------------------------------------------------
class _Asking:
    """Answers a phase as robots and a referee would, each question first with nonsense; `faults`: what came of that."""

    def __init__(self, ruleset: Ruleset, before: Campaign, chance: random.Random) -> None:
        self.ruleset, self.before, self.chance = ruleset, before, chance
        self.answers: dict[str, str] = {}
        self.faults: list[str] = []

    def reply(self, waiting: Outcome) -> Mapping[str, str]:
        """The answers for one stop of the phase."""
        form = self.ruleset.form.question if self.ruleset.form is not None else ""
        for question in waiting.questions:  # forms have their own cells, and some kinds take any words
            if question.kind != form and not isinstance(self.ruleset.questions[question.kind].answer, Text):
                self._nonsense(waiting, question)
        fresh = answers_to(self.ruleset, waiting, default_judge(self.ruleset))
        self.answers |= fresh
        return fresh

    def _nonsense(self, waiting: Outcome, question: Question) -> None:
        word, name = self.chance.choice(NONSENSE), question.question
        outcome = resolve(self.ruleset, self.before, SECRET, {**self.answers, name: word})
        here = f"{waiting.turn} {waiting.phase}: {name} answered with '{word[:20]}'"
        if outcome.done or name not in {question.question for question in outcome.questions}:
            self.faults.append(f"{here} is taken. Declare what its answer is.")
        elif not any((finding.where.table, finding.where.field) == (Question.sheet, "answer")
                     for finding in outcome.findings):
            seen = "; ".join(map(finding_text, outcome.findings)) or "nothing"
            self.faults.append(f"{here} has no finding at its cell; found was {seen}. Let its kind refuse it.")
