"""The linter's look at what verbs, forms and reports of a rulebook declare: what would play, but not as it is meant."""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Army, Faction, Road
from assistant.declared_texts import Modules, called_name, source_folder
from assistant.turn.orders.columns import Amount, Path
from assistant.turn.orders.verbs import Verb, as_order_book, check_words
from assistant.turn.orders.word_files import Words
from assistant.turn.ruleset import Ruleset

ACCOUNTS = "Accounts"
BOOKED = ("phase", "faction", "item", "amount", "balance")
"""What reports need of each booking, beside its turn or year."""
FORM_ENTRY = "Entry"


class Slip(NamedTuple):
    """Something declared that would not play as meant. `wrong`: it would play wrongly; else a reader misses something;
    `kind`: of the finding's variants; `data`: what fills its braces.
    """

    wrong: bool
    kind: str
    data: Mapping[str, str]


def declared_faults(ruleset: Ruleset, modules: Modules) -> Iterator[Slip]:
    """What is wrong whatever the scenario: prices, examples of amounts, words of times and forms, bookings."""
    for verb in ruleset.verbs.values():
        yield from _price_faults(ruleset, verb)
        yield from (Slip(True, "like", {"what": place_of(ruleset, verb.deed), "name": kind.like, "brace": name})
                    for name, kind in verb.kinds.items()
                    if isinstance(kind, Amount) and kind.amount_of is None and kind.like and not kind.like.isdecimal())
    yield from _shared_times(ruleset)
    yield from _word_faults(ruleset)
    yield from _booking_faults(ruleset)
    if "it" in ruleset.languages:
        yield from _form_words(ruleset, modules)


def place_of(ruleset: Ruleset, declared: Any) -> str:
    """The file, relative to the rulebook's folder, and line of a function or class: ``money.py, 41``; its name where it
    has no source.
    """
    thing = inspect.unwrap(declared) if inspect.isfunction(declared) else declared
    try:
        file, line = FilePath(inspect.getsourcefile(thing) or ""), inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):  # made by a program, or installed without its source
        return str(getattr(thing, "__qualname__", thing))
    folder = source_folder(ruleset)
    name = file.relative_to(folder).as_posix() if folder is not None and folder in file.parents else file.name
    return f"{name}, {line}"


def _price_faults(ruleset: Ruleset, verb: Verb) -> Iterator[Slip]:
    """A price that is no number of the book, times a column that the verb has not, or for which no purse pays."""
    cost = verb.cost
    if cost is None or cost.reckoned is not None:
        return
    what = {"what": place_of(ruleset, verb.deed), "verb": verb.en}
    if cost.number and "{" not in cost.number and cost.number not in {number.key for number in ruleset.numbers}:
        yield Slip(True, "cost", {**what, "name": cost.number})
    if cost.times and cost.times not in verb.columns:
        yield Slip(True, "times", {**what, "name": cost.times})
    if as_order_book(ruleset.verbs).purse is None:
        yield Slip(True, "purse", what)


def _shared_times(ruleset: Ruleset) -> Iterator[Slip]:
    """Phases that share a word of the column Phase and take different verbs, where another time is refused."""
    if "wrong_time" not in as_order_book(ruleset.verbs).says:
        return
    phases: dict[str, dict[str, str]] = defaultdict(dict)
    for phase in ruleset.calendar.phases().values():
        if phase.orders:
            phases[phase.orders].setdefault(phase.takes or phase.orders, phase.id)
    yield from (Slip(True, "time", {"what": ", ".join(takers.values()), "name": word})
                for word, takers in phases.items() if len(takers) > 1)


def _word_faults(ruleset: Ruleset) -> Iterator[Slip]:
    """Words for what is no verb, and those that cannot be read."""
    book = as_order_book(ruleset.verbs)
    like = book.like
    try:
        for name in [name for name in like if name not in book]:
            where = f"{like.file.path.name}, {like.line(name)}" if isinstance(like, Words) else "like"
            yield Slip(False, "verb", {"what": where, "name": name, "list": ", ".join(book)})
        check_words(like)
    except ValueError as fault:
        yield Slip(True, "words", {"what": str(fault)})


def _booking_faults(ruleset: Ruleset) -> Iterator[Slip]:
    """A sheet Accounts that lacks what reports need of each booking."""
    for record in ruleset.records:
        names = {column.name for column in record.columns()} if record.sheet == ACCOUNTS else set(BOOKED)
        lacking = [name for name in BOOKED if name not in names]
        if record.sheet == ACCOUNTS and not names & {"turn", "year"}:
            lacking.insert(0, "turn")
        if lacking:
            yield Slip(True, "accounts", {"what": place_of(ruleset, record), "name": ", ".join(lacking)})


def _form_words(ruleset: Ruleset, modules: Modules) -> Iterator[Slip]:
    """Choices of the form of battles that have no second word: an Italian reader would have to type the English one."""
    for entry in ruleset.form.entries if ruleset.form is not None else ():
        words: dict[str, int] = defaultdict(int)
        for meant in entry.words.values():
            words[meant] += 1
        alone = [meant for meant, count in words.items() if count == 1 and len(meant) > 1]
        if alone:
            yield Slip(False, "words", {"what": _place_of_entry(modules, entry.name), "name": ", ".join(alone)})


def _place_of_entry(modules: Modules, name: str) -> str:
    for file, module in modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and called_name(node) == FORM_ENTRY and node.args and (
                    isinstance(node.args[0], ast.Constant) and node.args[0].value == name):
                return f"{file}, {node.lineno}"
    return name


# With a scenario that can be begun.


def faults_in_scenario(ruleset: Ruleset, campaign: Campaign) -> Iterator[Slip]:
    """What shows only on a map and in a view: ways over roads of which there are none, sightings that leave out the
    armies of others.
    """
    yield from _way_faults(ruleset, campaign)
    if type(ruleset).sightings is Ruleset.sightings or not campaign.has(Army.sheet):
        return
    for faction in [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]:
        view = ruleset.view(campaign, faction)
        by_itself = any(table.rows for table in Ruleset.sightings(ruleset, view, faction))
        if by_itself and not any(table.record.sheet == Army.sheet for table in ruleset.sightings(view, faction)):
            yield Slip(False, "sightings", {"what": place_of(ruleset, type(ruleset).sightings)})
            return


def _way_faults(ruleset: Ruleset, campaign: Campaign) -> Iterator[Slip]:
    kinds = {road.kind for road in campaign.table(Road)} if campaign.has(Road.sheet) else set()
    for verb in ruleset.verbs.values():
        yield from (Slip(True, "way", {"what": place_of(ruleset, verb.deed), "verb": verb.en, "name": kind.over})
                    for kind in verb.kinds.values()
                    if isinstance(kind, Path) and kind.over and kinds and kind.over not in kinds)
