"""A campaign in; what typed nonsense does to it that it may not do out: stand without a finding, crash, change a thing.

Rows of Orders go through the reader of CSVs, one column of each spoiled; answers through the phase that waits for them.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from assistant.campaign.campaign import Campaign, changes
from assistant.campaign.records import CLUBLESS, Event, Faction, FindingRow, Order, Question
from assistant.desk.playing.play import Options, with_robot_orders
from assistant.testing.robots import answers_to, by_default, finished, told
from assistant.turn.answers.answer_kinds import Text
from assistant.turn.orders.cards import example
from assistant.turn.orders.columns import Note, OwnUnit
from assistant.turn.orders.named import NewCode
from assistant.turn.orders.verbs import OrderBook, Verb, book_of
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from assistant.workbook.read.csvfolder import read_folder, write_folder

SECRET = bytes(32)
NONSENSE = ("rubbish", "ZZ-999", "Q77", "-7", "9" * 30, "2,37", "=1+1", "+A1", "\U0001f409", "x" * 2000, "0x1F", "{0}")
"""What is no code, no name, no word and no number of any book."""
TOLD = (Order.sheet, FindingRow.sheet, Event.sheet, Question.sheet)
"""Sheets that may say that something was refused, or what was told so far."""


def nonsense_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, place: Path) -> Iterator[str]:
    """What nonsense does in so many phases of a campaign of robots, in each that takes orders once; nothing for a
    good rulebook. `place`: an empty folder.
    """
    chance, begun = random.Random(seed), set[str]()
    for number in range(phases):
        if ruleset.is_over(campaign):
            return
        phase = ruleset.phase(campaign.desk.phase)
        if phase.orders and phase.id not in begun:
            begun.add(phase.id)
            yield from _orders(ruleset, campaign, chance, place / str(number))
        campaign, _ = with_robot_orders(ruleset, campaign, Options())
        asking = _Asking(ruleset, campaign, chance)
        campaign = finished(ruleset, campaign, SECRET, asking.reply).campaign
        yield from asking.faults


# --- orders ---------------------------------------------------------------------------------------------
def _orders(ruleset: Ruleset, campaign: Campaign, chance: random.Random, place: Path) -> Iterator[str]:
    """Each column of each verb that may be ordered now, with nonsense in it."""
    book, phase = book_of(ruleset.verbs), ruleset.phase(campaign.desk.phase)
    rows = list(_spoiled(book, phase.takes or phase.orders, campaign, chance))
    for number in range(len(rows) + 1):
        typed, seen = _read(ruleset, campaign, phase.orders, [fields for _, fields in rows], place / str(number))
        outcome = finished(ruleset, typed, SECRET, lambda waiting: answers_to(ruleset, waiting, by_default(ruleset)))
        after, findings = outcome.campaign, [*ruleset.check_orders(typed), *outcome.findings]
        seen |= {one.where.row for one in findings if one.where.table == Order.sheet
                 and (one.stops or one.where.field == _spoiled_column(one.where.row))}
        yield from _changed(ruleset, campaign, after, f"{campaign.desk.turn} {campaign.desk.phase}")
        replaced = {row.order for row in after.table(Order) if row.status == "replaced"}
        yield from (f"{what} is neither refused nor found. Judge that column of the verb: {_short(fields)}."
                    for what, fields in rows if fields["order"] not in seen | replaced)
        rows = [row for row in rows if row[1]["order"] in replaced - seen]  # a later row took their place
        if not rows:
            return


def _spoiled(book: OrderBook, time: str, campaign: Campaign,
             chance: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
    """What is spoiled, and the row."""
    clubs = [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]
    for verb in book.values():
        for faction in clubs if time in verb.when and verb.deed is not None else ():
            said = example(verb, campaign, faction)
            if said:
                yield from _columns(verb, faction, {name: str(value) for name, value in said.items()}, campaign, chance)
                break


def _columns(verb: Verb, faction: str, said: dict[str, str], campaign: Campaign,
             chance: random.Random) -> Iterator[tuple[str, dict[str, str]]]:
    for name, kind in verb.kinds.items():
        if isinstance(kind, (Note, NewCode)):  # in them any words may stand
            continue
        words = chance.sample(NONSENSE, 4)
        if isinstance(kind, OwnUnit):
            words += [row.ident for row in islice((row for row in campaign.by_sheet(kind.record.sheet)
                                                   if faction not in row.owners and kind.known(row)), 1)]
        for number, word in enumerate(words):
            order = f"{verb.en}-{name}-{number}".replace(" ", "-")
            yield (f"{verb.en} with {name} '{word[:20]}'", {**said, name: word, "order": order, "faction": faction})


def _spoiled_column(order: str) -> str:
    """The column that is spoiled in a row of this number."""
    return order.rsplit("-", 2)[1] if order.count("-") > 1 else ""


def _read(ruleset: Ruleset, campaign: Campaign, word: str, rows: Sequence[Mapping[str, str]],
          place: Path) -> tuple[Campaign, set[str]]:
    """The campaign with these orders and no others of this turn, as the reader of CSVs gives it, and the rows in which
    it found something.
    """
    given = _unordered(campaign)
    write_folder(given, place)
    heads = [column.name for column in given.table(Order).record.columns()]
    with (place / "orders.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, heads, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({**fields, "turn": campaign.desk.turn, "phase": word} for fields in rows)
    _, read, findings = read_folder(place, ruleset)
    return read, {finding.where.row for finding in findings if finding.where.table == Order.sheet}


def _changed(ruleset: Ruleset, campaign: Campaign, after: Campaign, here: str) -> Iterator[str]:
    """What nonsense alone has changed."""
    quiet = finished(ruleset, _unordered(campaign), SECRET,
                     lambda waiting: answers_to(ruleset, waiting, by_default(ruleset))).campaign
    yield from (f"{here}: nonsense among the orders changed {change}. Refuse it before anything changes."
                for change in changes(quiet, after) if change.sheet not in TOLD)


def _unordered(campaign: Campaign) -> Campaign:
    """Without the orders of this turn."""
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
        """Of one stop of the phase."""
        form = self.ruleset.form.question if self.ruleset.form is not None else ""
        for question in waiting.questions:  # a form has cells of its own, and some kinds take any words
            if question.kind != form and not isinstance(self.ruleset.questions[question.kind].answer, Text):
                self._nonsense(waiting, question)
        fresh = answers_to(self.ruleset, waiting, by_default(self.ruleset))
        self.answers |= fresh
        return fresh

    def _nonsense(self, waiting: Outcome, question: Question) -> None:
        word, name = self.chance.choice(NONSENSE), question.question
        outcome = resolve(self.ruleset, self.before, SECRET, {**self.answers, name: word})
        here = f"{waiting.turn} {waiting.phase}: {name} answered with '{word[:20]}'"
        if outcome.done or name not in {one.question for one in outcome.questions}:
            self.faults.append(f"{here} is taken. Declare what its answer is.")
        elif not any((one.where.table, one.where.field) == (Question.sheet, "answer") for one in outcome.findings):
            seen = "; ".join(map(told, outcome.findings)) or "nothing"
            self.faults.append(f"{here} has no finding at its cell; found was {seen}. Let its kind refuse it.")
