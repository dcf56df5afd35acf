"""A verb of the rulebook, declared on the function that carries it out; and all verbs of a book together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.turn.orders.columns import Kind, Option
from assistant.turn.orders.purses import Cost, Purse
from assistant.turn.orders.refusal import Roles, check_roles, whole
from assistant.turn.orders.request import CELLS, Request
from assistant.turn.orders.words import Words, fold

Deed = Callable[..., None]
"""Carries an order out: board, request, then what its columns mean, in the order in which they are declared."""


@dataclass(frozen=True)
class Same:
    """What makes two rows be about the same thing, so that the later takes the earlier one's place: the word under
    which verbs count together, and the columns that must name the same. A row in which `unless` is filled adds up.
    """

    group: str
    columns: tuple[str, ...]
    unless: str = ""


def same(group: str, *columns: str, unless: str = "") -> Same:
    """See `Same`."""
    return Same(group, columns, unless)


@dataclass(frozen=True)
class Once:
    """One deed a person and turn, whichever of the verbs that name the same `group`: `column` says who acts; a row of
    somebody who has acted is refused ("busy"), and one that is refused uses nothing.

    `most`: how many deeds a row's person has this turn, of the board and the request, where that is not one; `late`:
    the deed asks for it itself (`taking.once_more`), after checks of its own.
    """

    group: str
    column: str
    most: Callable[[Any, Request], int] = lambda board, request: 1
    late: bool = False


@dataclass(frozen=True)
class Verb:
    """An order word and all that follows from it.

    `en`, `it`: the words (`en` is its code); `also`: others that are understood; `columns`: those that it uses, in the
    order in which their checks speak; `when`: words for the time at which it may be given (`Phase.takes`); `help`: a
    sentence (msgid); `kinds`: what each column holds; `shown`: how it is written in a line, (en, it), where that is
    not its word and its columns; `twins`: two rows alike in all are both carried out, with a warning; `once`: who may
    do it once a turn.
    """

    en: str
    it: str
    columns: tuple[str, ...]
    when: tuple[str, ...]
    help: str = ""
    also: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    deed: Deed | None = None
    replaces: Same | None = None
    cost: Cost | None = None
    shown: tuple[str, str] = ("", "")
    twins: bool = False
    once: Once | None = None

    def options(self) -> Mapping[str, Mapping[str, str]]:
        """The words that may stand in a column, where it is one of a few: column -> code -> Italian."""
        return {name: kind.words for name, kind in self.kinds.items() if kind.words}

    def needed(self) -> tuple[str, ...]:
        """The columns that must be filled."""
        return tuple(name for name, kind in self.kinds.items() if not kind.optional(self.columns))

    def word(self, lang: str) -> str:
        """What it is called in a language."""
        return self.it if lang == "it" else self.en

    def form(self, lang: str) -> str:
        """How it is written in a line: its columns in braces; what stands in brackets falls away with its column."""
        plain = [self.word(lang), *(f"{{{name}}}" for name in self.columns if name != "note")]
        return self.shown[lang == "it"] or " ".join(plain) + ("[: {note}]" if "note" in self.columns else "")


def order(en: str, it: str, *, when: Iterable[str], help: str = "", also: Iterable[str] = (),
          replaces: Same | None = None, cost: Cost | None = None, shown: tuple[str, str] = ("", ""),
          twins: bool = False, once: Once | None = None, **columns: Kind) -> Callable[[Deed], Verb]:
    """Declare the function below as the deed of a verb; the name of the function is then the verb.

    The columns are named as in the record of Orders, in the order in which the book lists their checks. Each is judged
    in that sequence before the deed is called, unless it is `late`, and the deed is handed what they mean. A deed that
    raises `Refused` leaves nothing behind, whoever calls it (`whole`).
    """
    def declare(deed: Deed) -> Verb:
        return Verb(en, it, tuple(columns), tuple(when), help, tuple(also), columns, whole(deed), replaces, cost, shown,
                    twins, once)

    return declare


@dataclass(frozen=True)
class Shapes:
    """What codes look like in a line, so that a mistyped one is still seen as one: regular expressions."""

    unit: str = r"[A-Za-z]{1,3}-[A-Za-z]?\d+"
    place: str = r"[A-Za-z]{1,3}\d+"


class OrderBook(Mapping[str, Verb]):
    """All verbs of a rulebook by their code, in the book's order, and what it says of orders as a whole.

    `says`: the book's own codes for what can be wrong with any order; `bare`: the verb of a line that has none;
    `fillers`: words of a line that say nothing; `purse`: what pays; `anywhere`: what any line may say besides, in a
    book whose lines call rows by their names (`spoken`); `refused`: told of each row that is refused; `admits`: a
    row's further checks as it is taken; `neutrals`: whether factions without a club may have orders, too, which the
    referee gives; `cells`: columns of its Orders that verbs use beside those of `request.CELLS`.

    Raises ValueError for a word that means two verbs, a column that no order has, or a role without a code.
    """

    def __init__(self, verbs: Iterable[Verb], says: Roles | None = None, *, bare: Verb | None = None,
                 fillers: Iterable[str] = (), shapes: Shapes | None = None, purse: Purse | None = None,
                 anywhere: Mapping[str, Kind] | None = None,
                 refused: Callable[[Any, Request, Any], None] | None = None,
                 admits: Callable[[Any, Request], None] | None = None, neutrals: bool = False,
                 cells: Iterable[str] = ()) -> None:
        self._verbs = {verb.en: verb for verb in verbs}
        self.says: Roles = says or {}
        self.cells = (*CELLS, *cells)
        _check(self._verbs.values(), self.says, self.cells)
        self.bare = bare.en if bare is not None else ""
        self.fillers = frozenset(map(fold, fillers))
        self.shapes = shapes or Shapes()
        self.purse, self.refused, self.admits = purse, refused, admits
        self.anywhere: Mapping[str, Kind] = anywhere or {}
        self.neutrals = neutrals
        self._words = Words({verb.en: (verb.it, *verb.also) for verb in self._verbs.values()})

    def __getitem__(self, code: str) -> Verb:
        return self._verbs[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._verbs)

    def __len__(self) -> int:
        return len(self._verbs)

    @property
    def carried_out(self) -> bool:
        """Whether the floor takes these orders; else the ruleset reads and judges them in its own way."""
        return any(verb.deed is not None for verb in self._verbs.values())

    def code(self, word: str) -> str:
        """The verb that a word means in either language, in the imperative or the infinitive, "" for none."""
        return self._words.code(word) or self._words.code_of_infinitive(word)

    def opened_by(self, word: str) -> tuple[str, str, str]:
        """Verb, column and option where an option's word alone is an order; else three times nothing."""
        for verb in self._verbs.values():
            for name, kind in verb.kinds.items():
                if isinstance(kind, Option) and kind.opens and kind.code(word):
                    return verb.en, name, kind.code(word)
        return "", "", ""


def _check(verbs: Iterable[Verb], says: Roles, cells: tuple[str, ...]) -> None:
    """What a typing error in a declaration would break in turn seven breaks when it is imported."""
    meant: dict[str, str] = {}
    used: dict[str, list[str]] = {}
    for verb in verbs:
        for word in {fold(word) for word in (verb.en, verb.it, *verb.also)}:
            if meant.setdefault(word, verb.en) != verb.en:
                raise ValueError(f"{word} means {meant[word]} and {verb.en}")
        unknown = sorted(set(verb.kinds) - set(cells))
        if unknown:
            raise ValueError(f"{verb.en}: orders have no column {', '.join(unknown)}")
        if verb.once is not None and verb.once.column not in verb.kinds:
            raise ValueError(f"{verb.en}: it has no column {verb.once.column} that says who acts")
        if verb.deed is not None:
            for role, place in uses(verb):
                used.setdefault(role, []).append(place)
    check_roles(says, used)


def uses(verb: Verb) -> Iterator[tuple[str, str]]:
    """The roles of which a book with this verb must have a finding, each with its verb and column."""
    yield "unknown_verb", verb.en
    for name, kind in verb.kinds.items():
        yield from ((role, f"{verb.en}: {name}") for role in kind.roles())
    if verb.once is not None:
        yield "busy", f"{verb.en}: {verb.once.column}"


def declared(*verbs: Verb, **book: Any) -> OrderBook:
    """The verbs of a rulebook, listed once in the book's order. Further arguments and errors: see `OrderBook`."""
    return OrderBook(verbs, **book)


def book_of(verbs: Mapping[str, Verb]) -> OrderBook:
    """Verbs as an order book; those that a ruleset reads in its own way have no deeds."""
    return verbs if isinstance(verbs, OrderBook) else OrderBook(verbs.values())
