"""House rules with code: an installed rulebook in, the parts of it that a package on top of it changes out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from assistant.campaign.columns import Choice
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message, nearest
from assistant.turn.game import Phase, Step
from assistant.turn.installed import load
from assistant.turn.orders.columns import Kind, Option
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.questions import QuestionType
from assistant.turn.ruleset import Ruleset

Declared = TypeVar("Declared", EventType, Message, QuestionType)
Run = Callable[[Any], None]
R = TypeVar("R", bound=Record)


def rulebook(ruleset_id: str) -> type[Ruleset]:
    """The class of an installed rulebook, for a package that builds on it: ``class Mine(rulebook("giglio")):``.

    Raises KeyError if it is not installed, and `UnfitRuleset`.
    """
    return type(load(ruleset_id))


def public_of(ruleset_id: str) -> Mapping[str, Any]:
    """What a rulebook lets packages use of it, by name: its board, records, functions. Raises as `rulebook`."""
    return rulebook(ruleset_id).public


# Steps and phases.


def step_name(phase: Phase, step: Step) -> str:
    """``winter.draw_events``: the phase, and the function that the step runs."""
    run: Any = step.run
    return f"{phase.id}.{getattr(getattr(run, 'func', run), '__name__', '')}"


def named_steps(calendar: Calendar) -> dict[str, Step]:
    """All steps of a calendar by their names, in the order of play."""
    return {step_name(phase, step): step for phase in calendar.phases().values() for step in phase.steps}


def with_steps(calendar: Calendar, *, replace: Mapping[str, Run] | None = None,
               before: Mapping[str, Run] | None = None, after: Mapping[str, Run] | None = None) -> Calendar:
    """The calendar with other steps: name of a step -> the function that is run instead of it, before it or behind it.

    In a name ``*`` stands for anything: ``r*.siege.resolve_sieges``. A step that replaces another is judged beforehand
    as that was. Raises ValueError for a name that fits no step.
    """
    changes = {"replace": replace or {}, "before": before or {}, "after": after or {}}
    names = named_steps(calendar)
    for pattern in [pattern for change in changes.values() for pattern in change]:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ValueError(f"there is no step {pattern!r}; did you mean {nearest(pattern, names)}?")

    def runs_for(how: str, name: str) -> list[Run]:
        return [run for pattern, run in changes[how].items() if fnmatchcase(name, pattern)]

    def change_phase(phase: Phase) -> Phase:
        steps = list[Step]()
        for step in phase.steps:
            name = step_name(phase, step)
            steps += [Step(run) for run in runs_for("before", name)]
            steps += [step._replace(run=run) for run in runs_for("replace", name)[:1]] or [step]
            steps += [Step(run) for run in runs_for("after", name)]
        return phase._replace(steps=tuple(steps))

    return _each_phase(calendar, change_phase)


def with_board(calendar: Calendar, board: type[Any]) -> Calendar:
    """The calendar with another board, in all phases that are played on the board on which that one builds.

    A phase whose own board builds on the same has both: what the new one says counts first.
    """
    of_book = board.__mro__[1]

    def change_phase(phase: Phase) -> Phase:
        if not phase.steps or not isinstance(phase.board, type):
            return phase
        if issubclass(board, phase.board):
            return phase._replace(board=board)
        if issubclass(phase.board, of_book):
            return phase._replace(board=type(f"{board.__name__}{phase.board.__name__}", (board, phase.board), {}))
        return phase

    return _each_phase(calendar, change_phase)


def _each_phase(calendar: Calendar, change: Callable[[Phase], Phase]) -> Calendar:
    return calendar._replace(
        before=tuple(map(change, calendar.before)), turn=tuple(map(change, calendar.turn)),
        after=tuple(map(change, calendar.after)), early=tuple(map(change, calendar.early)))


def with_phase(calendar: Calendar, phase: Phase, *, before: str = "", after: str = "") -> Calendar:
    """The calendar with one more phase in each turn, before or behind the phase of an id.

    Raises ValueError if no phase of the turn has that id, or both or none are named.
    """
    ids = [one.id for one in calendar.turn]
    beside = before or after
    if bool(before) == bool(after) or beside not in ids:
        raise ValueError(f"there is no phase {beside!r} in the turn; name one of {', '.join(ids)}, once")
    place = ids.index(beside) + bool(after)
    return calendar._replace(turn=(*calendar.turn[:place], phase, *calendar.turn[place:]))


# Sheets, and the words that a column takes.


def with_words(record: type[R], **words: Mapping[str, str]) -> type[R]:
    """A record whose columns take more words: field -> code -> Italian; the English word is the code.

    ``with_words(PUBLIC["Node"], site={"pass": "passo"})``. Raises KeyError for a field that is no column, and
    ValueError for a column that does not take one of a few words.
    """
    body: dict[str, Any] = {"__module__": record.__module__, "__doc__": record.__doc__, "__annotations__": {}}
    declared = {field.name: field for field in dataclasses.fields(record)}
    for name, more in words.items():
        column = record.column(name)
        if not isinstance(column.kind, Choice):
            raise ValueError(f"{record.sheet}: {name} does not hold one of a few words")
        kind = dataclasses.replace(column.kind, options={**column.kind.options, **more})
        body["__annotations__"][name] = declared[name].type
        body[name] = dataclasses.field(default=declared[name].default, metadata={"column": column._replace(kind=kind)})
    return dataclasses.dataclass(eq=False, repr=False)(type(record.__name__, (record,), body))


def with_records(records: Iterable[type[Record]], *changed: type[Record]) -> tuple[type[Record], ...]:
    """The sheets of a rulebook, with other records in place of those of the same sheet; further sheets come last."""
    by_sheet = {record.sheet: record for record in changed}
    there = tuple(records)
    sheets = {record.sheet for record in there}
    return (*(by_sheet.get(record.sheet, record) for record in there),
            *(record for record in changed if record.sheet not in sheets))


# Verbs and texts.


def with_verbs(book: Mapping[str, Verb], *verbs: Verb) -> OrderBook:
    """The verbs of a rulebook and more of them, with what it says of orders as a whole."""
    if not isinstance(book, OrderBook):
        raise ValueError("the rulebook reads its orders in its own way, so no verb can be added")
    return book.with_verbs(*verbs)


def with_options(book: Mapping[str, Verb], verb: str, **options: Mapping[str, str]) -> OrderBook:
    """The verbs of a rulebook, one of which takes more words: column -> code -> Italian.

    ``with_options(BOOK.verbs, "enlist", option={"bridger": "pontiere"})``. Raises ValueError for a verb that is not
    there, and for a column of it that does not hold one of a few words.
    """
    if not isinstance(book, OrderBook) or verb not in book:
        raise ValueError(f"there is no verb {verb!r}; did you mean {nearest(verb, book)}?")
    kinds: dict[str, Kind] = dict(book[verb].kinds)
    for name, more in options.items():
        kind = kinds.get(name)
        if not isinstance(kind, Option):
            raise ValueError(f"{verb}: {name} does not hold one of a few words")
        kinds[name] = dataclasses.replace(kind, options={**kind.options, **more})
    return book.replace_verb(book[verb]._replace(kinds=kinds))


def with_texts(declared: Mapping[str, Declared], texts: Mapping[str, str]) -> dict[str, Declared]:
    """Events, findings or questions of a rulebook with other texts: type, code or kind -> text.

    A text may leave out braces, but have none that the rulebook does not fill. Variants of a sentence are left out
    where it is reworded. Raises ValueError for a word that is not declared, or a brace that nobody fills.
    """
    changed = dict(declared)
    for word, text in texts.items():
        if word not in declared:
            raise ValueError(f"{word!r} is not declared; did you mean {nearest(word, declared)}?")
        one: Any = declared[word]
        known = _braces(" ".join((one.text, *(one.variants or ("", {}))[1].values())))
        if strange := _braces(text) - known:
            raise ValueError(f"{word}: nobody fills {', '.join(sorted(strange))}")
        changed[word] = one._replace(text=text, variants=None)
    return changed


def _braces(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))
