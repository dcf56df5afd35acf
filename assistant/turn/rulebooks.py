"""Installed rulebooks: found, loaded, known by the files of their packages; and house rules with code on top."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from assistant.campaign.columns import Choice
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EventType
from assistant.turn.findings import Finding, Message, nearest
from assistant.turn.game import Phase, Step
from assistant.turn.orders.columns import Kind, Option
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.questions import QuestionType
from assistant.turn.ruleset import INTERFACE, OURS, Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# A plug-in is a package whose entry point names an instance of `Ruleset`; nothing else in Arbitro has to change for it.


GROUP = "arbitro.rulesets"
RULESETS_FOLDER = Path(__file__).resolve().parents[1] / "rulesets"
OTHER_INTERFACE, NOT_LOADED = "ARB-285", "ARB-286"


class UnfitRuleset(Exception):
    """An installed ruleset that cannot be used with this Arbitro; `finding` says which, why, and what to do."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.code} {dict(finding.data)}")
        self.finding = finding


@lru_cache(maxsize=1)
def _entries(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of our group; cached by `path`, because finding them means reading every installed package."""
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def installed_rulesets() -> dict[str, str]:
    """Ids of the installed rulesets and their entry points (``package:object``), sorted."""
    return {e.name: e.value for e in sorted(_entries(tuple(sys.path)), key=lambda e: e.name)}


def load(ruleset_id: str) -> Ruleset:
    """The ruleset of an id. Raises KeyError if it is not installed, and `UnfitRuleset` if it is written for another
    interface or cannot be imported.

    For bundled rulesets the entry points are not read: that would take a tenth of a command's time.
    """
    if ruleset_id.isidentifier() and (RULESETS_FOLDER / ruleset_id / "ruleset.py").is_file():
        own = import_module(f"{OURS}rulesets.{ruleset_id}.ruleset")
        return cast(Ruleset, getattr(own, ruleset_id.upper()))
    for entry in _entries(tuple(sys.path)):
        if entry.name == ruleset_id:
            return _load_entry(entry)
    raise KeyError(ruleset_id)


def _load_entry(entry: EntryPoint) -> Ruleset:
    """The ruleset that an entry point names. Raises `UnfitRuleset`."""
    try:
        ruleset = entry.load()
        if not isinstance(ruleset, Ruleset):
            raise TypeError(f"{entry.value} is no ruleset")
    except Exception as fault:  # a stranger's module may fail in any way when it is imported
        from traceback import extract_tb
        own = [f for f in extract_tb(fault.__traceback__) if entry.module.partition(".")[0] in Path(f.filename).parts]
        place = f" ({Path(own[-1].filename).name}, {own[-1].lineno})" if own else ""
        reason = f"{type(fault).__name__}: {fault}{place}"
        raise UnfitRuleset(Finding(NOT_LOADED, "error", data={**_entry_data(entry), "reason": reason})) from fault
    if ruleset.interface != INTERFACE:
        side = "later" if ruleset.interface > INTERFACE else "earlier"
        data = {**_entry_data(entry), "theirs": ruleset.interface, "ours": INTERFACE, "side": side}
        raise UnfitRuleset(Finding(OTHER_INTERFACE, "error", data=data))
    return ruleset


def _entry_data(entry: EntryPoint) -> dict[str, str]:
    return {"ruleset": entry.name, "package": entry.dist.name if entry.dist else entry.module, "entry": entry.value}


def builds_on(ruleset: Ruleset) -> str:
    """The id of the rulebook on which a package builds; "" for a rulebook that stands by itself."""
    homes = type(ruleset).homes()
    return homes[1].ruleset if len(homes) > 1 and not type(ruleset).__module__.startswith(OURS) else ""


# Which code plays: a package is known by what its files say.


HASHED_ENDINGS = (".py", ".csv", ".json", ".toml")
"""Endings of the files that can change how a phase is resolved."""
CODE_DIGITS = 12


def ruleset_package(module: str) -> str:
    """The package that holds a ruleset's code: its own package in Arbitro, or all that a plug-in brings."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[0] == "assistant" else parts[:1])


def package_files(package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, or of a single module, sorted by name, with line ends normalized."""
    spec = importlib.util.find_spec(package)
    for place in [] if spec is None else map(Path, spec.submodule_search_locations or [spec.origin or ""]):
        files = {path.relative_to(place).as_posix(): path for path in place.rglob("*")} or {place.name: place}
        for name, path in sorted(files.items()):
            # a package that git has checked out on Windows is the same package
            if name.endswith(HASHED_ENDINGS) and path.is_file():
                yield name, path.read_bytes().replace(b"\r\n", b"\n")


class PackageMark(NamedTuple):
    """A package that builds on a rulebook. `digest`: of its own files, and of those on which it builds if they are
    plug-ins, too.
    """

    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.digest})"


def package_mark(ruleset: Ruleset) -> PackageMark | None:
    """The mark of a package of house rules as it is installed now; None for a rulebook that stands by itself."""
    if not builds_on(ruleset):
        return None
    digest = hashlib.sha256()
    modules = [kind.__module__ for kind in type(ruleset).__mro__ if "id" in vars(kind)]
    for package in dict.fromkeys(ruleset_package(name) for name in modules if not name.startswith(OURS)):
        for name, content in package_files(package):
            # with their lengths, so that no two lists of files can be mistaken for each other
            digest.update(f"{package}/{name}\0{len(content)}\0".encode() + content)
    return PackageMark(ruleset.id, ruleset.version, digest.hexdigest()[:CODE_DIGITS])


def package_text(ruleset: Ruleset) -> str:
    """The mark as the ledger has it, "" for a rulebook that stands by itself."""
    mark = package_mark(ruleset)
    return "" if mark is None else str(mark)


# House rules with code: parts of an installed rulebook that a package on top of it changes.


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
