"""Verbs of a rulebook, declared on the function that carries them out; their prices and the orders card."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.turn.numbers import Number, Rules
from assistant.turn.orders.columns import Kind, Option
from assistant.turn.orders.phrases import PhraseIndex, infinitives
from assistant.turn.orders.requests import CELLS, Refused, Request, Roles, all_or_nothing, check_roles
from assistant.turn.orders.words import LISTS, WordIndex, Words, fold
from assistant.turn.texts import N_

# Costs of orders and the purse that pays them.


class Cost(NamedTuple):
    """What a verb costs: a number of the rules (`number`, in which ``{option}`` is the row's option) times an amount
    (`times`, a column); `reckoned`: where the book reckons it from the state, what it comes to, whatever stands in the
    others, which then are for the orders card; `told`: what is said besides there (msgid); `held`: it is only set aside
    until something decides whether it is paid.
    """

    number: str = ""
    times: str = ""
    reckoned: Callable[[Any, Request], int] | None = None
    told: str = ""
    held: bool = False

    def price(self, board: Any, request: Request) -> int:
        """What a row costs as things stand, in the purse's own units. Raises `Refused`."""
        if self.reckoned is not None:
            return self.reckoned(board, request)
        each = int(board.game.rules[self.number.format(option=request.option)]) if self.number else 1
        return each * int(getattr(request, self.times)) if self.times else each


class Purse(NamedTuple):
    """What pays for orders: whose it is, how much is in it to spend, how an amount is written, and of what it is
    (msgid).
    """

    whose: Callable[[Any, Request], str]
    left: Callable[[Any, str], int]
    shown: Callable[[int], Any] = int
    unit: str = ""

    def check(self, board: Any, request: Request, cost: int, left: int | None = None) -> None:
        """Raise `Refused` where it does not hold what a row costs. `left`: what earlier rows have left in it."""
        whose = self.whose(board, request)
        have = self.left(board, whose) if left is None else left
        if cost > have:
            raise Refused("overdrawn", "amount" if request.amount != "" else "verb", cost=self.shown(cost),
                          left=self.shown(have), unit=whose)

    def overdrawn(self, board: Any, requests: Iterable[Request], price: Callable[[Any, Request], int | None]
                  ) -> Iterator[tuple[Request, Refused]]:
        """The rows that it cannot pay, counted down in the order given; the others stand.

        `price`: what a row takes out of it; None: nothing, because the row costs nothing or is refused anyway. Each
        row is handed out before the next one is priced.
        """
        left: dict[str, int] = {}
        for request in requests:
            cost = price(board, request)
            if cost is None:
                continue
            whose = self.whose(board, request)
            have = left.setdefault(whose, self.left(board, whose))
            try:
                self.check(board, request, cost, have)
            except Refused as why:
                yield request, why
            else:
                left[whose] = have - cost


# Verbs, and the order book with all verbs of a rulebook.


Deed = Callable[..., None]
"""Carries an order out: board, request, then what its columns mean, in the order in which they are declared."""


class Same(NamedTuple):
    """What makes two rows be about the same thing, so that the later takes the earlier one's place: the word under
    which verbs count together, and the columns that must name the same. A row in which `unless` is filled adds up.
    """

    group: str
    columns: tuple[str, ...]
    unless: str = ""


def same(group: str, *columns: str, unless: str = "") -> Same:
    """See `Same`."""
    return Same(group, columns, unless)


class Once(NamedTuple):
    """One deed a person and turn, whichever of the verbs that name the same `group`: `column` says who acts; a row of
    somebody who has acted is refused ("busy"), and one that is refused uses nothing.

    `most`: how many deeds a row's person has this turn, of the board and the request, where that is not one; `late`:
    the deed asks for it itself (`taking.once_more`), after checks of its own.
    """

    group: str
    column: str
    most: Callable[[Any, Request], int] = lambda board, request: 1
    late: bool = False


class Verb(NamedTuple):
    """An order word and all that follows from it.

    `en`, `it`: the words (`en` is its code); `also`: others that are understood; `columns`: those that it uses, in the
    order in which their checks speak; `when`: words for the time at which it may be given (`Phase.takes`); `help`: a
    sentence (msgid); `kinds`: what each column holds; `shown`: how it is written in a line, (en, it), where that is
    not its word and its columns; `twins`: two rows alike in all are both carried out, with a warning; `once`: who may
    do it once a turn; `offered`: whether an order that may be given is worth offering as things stand, of the board and
    the request; None: always; whoever gives it all the same is not refused for that; `brings`: the column whose
    amount comes into the purse, "" for none.
    """

    en: str
    it: str
    columns: tuple[str, ...]
    when: tuple[str, ...]
    help: str = ""
    also: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = MappingProxyType({})
    deed: Deed | None = None
    replaces: Same | None = None
    cost: Cost | None = None
    shown: tuple[str, str] = ("", "")
    twins: bool = False
    once: Once | None = None
    offered: Callable[[Any, Request], bool] | None = None
    brings: str = ""

    def options(self) -> Mapping[str, Mapping[str, str]]:
        """The words that may stand in a column, where it is one of a few: column -> code -> Italian."""
        return {name: kind.words for name, kind in self.kinds.items() if kind.words}

    @property
    def actor(self) -> str:
        """The column that says which unit does it, "" where it is the faction itself."""
        if self.once is not None:
            return self.once.column
        return next((name for name, kind in self.kinds.items() if kind.acts), "")

    def needed_columns(self) -> tuple[str, ...]:
        """The columns that must be filled."""
        return tuple(name for name, kind in self.kinds.items() if not kind.optional(self.columns))

    def word(self, lang: str) -> str:
        """What it is called in a language."""
        return self.it if lang == "it" else self.en

    def form(self, lang: str) -> str:
        """How it is written in a line: its columns in braces; what stands in brackets falls away with its column."""
        plain = [self.word(lang).replace("_", " "), *(f"{{{name}}}" for name in self.columns if name != "note")]
        return self.shown[lang == "it"] or " ".join(plain) + ("[: {note}]" if "note" in self.columns else "")


def order(en: str, it: str, *, when: Iterable[str], help: str = "", also: Iterable[str] = (),
          replaces: Same | None = None, cost: Cost | None = None, shown: tuple[str, str] = ("", ""),
          twins: bool = False, once: Once | None = None,
          offered: Callable[[Any, Request], bool] | None = None, brings: str = "", **columns: Kind
          ) -> Callable[[Deed], Verb]:
    """Declare the function below as the deed of a verb; the name of the function is then the verb.

    The columns are named as in the record of Orders, in the order in which the book lists their checks. Each is judged
    in that sequence before the deed is called, unless it is `late`, and the deed is handed what they mean. A deed that
    raises `Refused` leaves nothing behind, whoever calls it (`whole`).
    """
    def declare(deed: Deed) -> Verb:
        return Verb(
            en,
            it,
            tuple(columns),
            tuple(when),
            help,
            tuple(also),
            columns,
            all_or_nothing(deed),
            replaces,
            cost,
            shown,
            twins,
            once,
            offered,
            brings,
        )

    return declare


class Shapes(NamedTuple):
    """What codes look like in a line, so that a mistyped one is still seen as one: regular expressions."""

    unit: str = r"[A-Za-z]{1,3}-[A-Za-z]?\d+"
    place: str = r"[A-Za-z]{1,3}\d+"


NamesOf = Callable[[Campaign], Iterable[tuple[str, type[Record], str]]]
"""Further names of rows of a campaign: the name, the table and the code."""


class OrderBook(Mapping[str, Verb]):
    """All verbs of a rulebook by their code, in the book's order, and what it says of orders as a whole.

    `says`: the book's own codes for what can be wrong with any order; `bare`: the verb of a line that has none;
    `silent`: that of a sentence that has none;
    `fillers`: words of a line that say nothing; `purse`: what pays; `anywhere`: what any line may say besides;
    `refused`: told of each row that is refused; `admits`: a row's further checks as it is taken; `neutrals`: whether
    factions without a club may have orders, too, which the referee gives; `cells`: columns of its Orders that verbs
    use beside those of `request.CELLS`; `like`: verb -> further words by which people say it in a sentence, in the
    infinitive or any form, such as a table of a file of words (`WordFile`), which is read when a sentence is;
    `names`: what else people call rows there (an army by its leader); `incomplete`: a line that leaves something out is
    an order all the same, of which the book says what it lacks; `gives_back`: of several rows about one thing the last
    that is not refused stands, instead of the last.

    Raises ValueError for a word that means two verbs, a word of `like` that only denies or narrows (``not``, ``if``), a
    column that no order has, or a role without a code.
    """

    def __init__(self, verbs: Iterable[Verb], says: Roles | None = None, *, bare: Verb | None = None,
                 silent: Verb | None = None, fillers: Iterable[str] = (), shapes: Shapes | None = None,
                 purse: Purse | None = None,
                 anywhere: Mapping[str, Kind] | None = None,
                 refused: Callable[[Any, Request, Any], None] | None = None,
                 admits: Callable[[Any, Request], None] | None = None, neutrals: bool = False,
                 cells: Iterable[str] = (), like: Mapping[str, Iterable[str]] | None = None,
                 names: NamesOf | None = None, incomplete: bool = False, gives_back: bool = False) -> None:
        self._verbs = {verb.en: verb for verb in verbs}
        self.says: Roles = says or {}
        self.cells = (*CELLS, *cells)
        _check_declarations(self._verbs.values(), self.says, self.cells)
        self.bare = bare.en if bare is not None else ""
        self.silent = silent.en if silent is not None else ""
        self.fillers = frozenset(map(fold, fillers))
        self.shapes = shapes or Shapes()
        self.purse, self.refused, self.admits = purse, refused, admits
        self.anywhere: Mapping[str, Kind] = anywhere or {}
        self.neutrals, self.names, self.incomplete = neutrals, names, incomplete
        self.gives_back = gives_back
        self.like: Mapping[str, Iterable[str]] = like if like is not None else {}
        if not isinstance(self.like, Words):
            check_words(self.like)
        self._words = WordIndex({verb.en: (verb.it, *verb.also) for verb in self._verbs.values()})
        self.last_read: tuple[Any, list[Any], dict[Any, Any]] | None = None
        """The lines that were read last, by what reads them and of which tables (`reader.rows_of`)."""

    def with_verbs(self, *verbs: Verb) -> OrderBook:
        """The same book with more verbs behind its own. Raises ValueError as the class does."""
        return self._with((*self._verbs.values(), *verbs))

    def replace_verb(self, verb: Verb) -> OrderBook:
        """The same book with another declaration in place of the verb of that word."""
        return self._with(verb if one.en == verb.en else one for one in self._verbs.values())

    def _with(self, verbs: Iterable[Verb]) -> OrderBook:
        there = {verb.en: verb for verb in verbs}
        return OrderBook(
            there.values(), self.says, bare=there[self.bare] if self.bare else None,
            silent=there[self.silent] if self.silent else None, fillers=self.fillers, shapes=self.shapes,
            purse=self.purse, anywhere=self.anywhere, refused=self.refused, admits=self.admits,
            neutrals=self.neutrals, cells=self.cells[len(CELLS):], like=self.like, names=self.names,
            incomplete=self.incomplete, gives_back=self.gives_back)

    @cached_property
    def phrases(self) -> PhraseIndex:
        """The words of its verbs, as a sentence may have them. Raises ValueError for one of a file that denies."""
        check_words(self.like)
        return PhraseIndex(((word, verb.en) for verb in self._verbs.values() for word in (
            verb.en, verb.it, *infinitives(fold(verb.it)), *verb.also, *self.like.get(verb.en, ()))), passive=True)

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

    def records(self) -> list[type[Record]]:
        """The tables whose rows its orders name."""
        return list(dict.fromkeys(record for verb in self.values() for kind in verb.kinds.values()
                                  for record in (*kind.tables(), *kind.spelling_records())))

    def code(self, word: str) -> str:
        """The verb that a word means in either language, in the imperative or the infinitive, "" for none."""
        return self._words.code(word) or self._words.code_of_infinitive(word)

    @cached_property
    def _opening(self) -> list[tuple[str, str, Option]]:
        """Verb and column of the options whose words alone are orders."""
        return [(verb.en, name, kind) for verb in self._verbs.values() for name, kind in verb.kinds.items()
                if isinstance(kind, Option) and kind.opens]

    def verb_of_option(self, word: str) -> tuple[str, str, str]:
        """Verb, column and option where an option's word alone is an order; else three times nothing."""
        return next(((verb, name, kind.code(word)) for verb, name, kind in self._opening if kind.code(word)),
                    ("", "", ""))


def check_words(like: Mapping[str, Iterable[str]]) -> None:
    """Raises ValueError for a word that denies or narrows and would order something by itself."""
    for verb, words in like.items():
        if wrong := sorted({fold(word) for word in words} & (LISTS.negations | LISTS.conditionals)):
            raise ValueError(f"{verb}: {', '.join(wrong)} may only stand in a phrase")


def _check_declarations(verbs: Iterable[Verb], says: Roles, cells: tuple[str, ...]) -> None:
    """Check declarations on import, so that a typing error does not surface in turn seven. Raises ValueError."""
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
            for role, place in roles_used(verb):
                used.setdefault(role, []).append(place)
    check_roles(says, used)


def roles_used(verb: Verb) -> Iterator[tuple[str, str]]:
    """The roles of which a book with this verb must have a finding, each with its verb and column."""
    yield "unknown_verb", verb.en
    for name, kind in verb.kinds.items():
        yield from ((role, f"{verb.en}: {name}") for role in kind.roles())
    if verb.once is not None:
        yield "busy", f"{verb.en}: {verb.once.column}"


def order_book(*verbs: Verb, **book: Any) -> OrderBook:
    """The verbs of a rulebook, listed once in the book's order. Further arguments and errors: see `OrderBook`."""
    return OrderBook(verbs, **book)


def as_order_book(verbs: Mapping[str, Verb]) -> OrderBook:
    """Verbs as an order book; those that a ruleset reads in its own way have no deeds."""
    return verbs if isinstance(verbs, OrderBook) else OrderBook(verbs.values())


# The orders card: for each verb what to write where, with an example, its price and its time.


Translate = Callable[..., str]
"""Words a text (msgid) with what fills its braces in the reader's language."""
_OPTIONAL = re.compile(r"\[([^\]]*\{(\w+)\}[^\]]*)\]")


class OrderCard(NamedTuple):
    """One line of the card, worded. `also`: other words that are understood; `when`: what stands in the column Phase;
    `example`: a line that may be ordered as things stand, "" for none; `form`: what such a line looks like.
    """

    verb: str
    also: str
    when: str
    columns: str
    example: str
    cost: str
    help: str
    form: str

    @property
    def shown(self) -> str:
        """The example, or where there is none the form."""
        return self.example or self.form


class CardContext(NamedTuple):
    """What a card is made of beside the verbs: the record of Orders, the numbers in force and declared, the words of
    the column Phase by the word for the time (`Phase.takes`), and an example of a verb in a language ("": none).
    `brief`: nothing is said of the columns; `languages`: those of the book, whose words alone are named.
    """

    order: type[Record]
    rules: Rules
    numbers: Mapping[str, Number]
    times: Mapping[str, Sequence[str]]
    example: Callable[[Verb, str], str]
    brief: bool = False
    languages: Sequence[str] = ("en", "it")


def make_cards(book: OrderBook, verbs: Iterable[Verb], edition: CardContext, lang: str,
               say: Translate) -> list[OrderCard]:
    """The card of some verbs in a language; verbs that a ruleset does not declare with their columns are left
    out, and those for which it names no time.
    """
    return [_make_card(book, verb, edition, lang, say) for verb in verbs
            if verb.deed is not None and any(time in edition.times for time in verb.when)]


def _make_card(book: OrderBook, verb: Verb, edition: CardContext, lang: str, say: Translate) -> OrderCard:
    word, other = (verb.it, verb.en) if lang == "it" else (verb.en, verb.it)
    others = (other, *verb.also) if other == verb.en or "it" in edition.languages else verb.also
    heading = {name: edition.order.column(name).heading(lang) for name in verb.columns}
    told = [] if edition.brief else [f"{heading[name]}: {_column_text(kind, verb, lang, say)}"
                                     for name, kind in verb.kinds.items()]
    return OrderCard(word, ", ".join(dict.fromkeys(others)), _times_text(verb, edition.times), "; ".join(told),
                edition.example(verb, lang), _price_text(verb, edition, heading, lang, say),
                say(verb.help) if verb.help else "", order_form(book, verb, edition.order, lang))


def order_form(book: OrderBook, verb: Verb, order: type[Record], lang: str) -> str:
    """What a line with a verb looks like, with the headings of the columns that must be filled. `order`: the record of
    Orders.
    """
    headings = {name: f"<{order.column(name).heading(lang)}>" for name in verb.needed_columns()}
    return format_order(book, {"verb": verb.en, **headings}, lang).replace(">><", "> > <")


def _times_text(verb: Verb, times: Mapping[str, Sequence[str]]) -> str:
    """What stands in the column Phase: of many words for one time the first and the last."""
    times_text = []
    for time in verb.when:
        words = list(dict.fromkeys(times.get(time, ())))
        times_text += [f"{words[0]} … {words[-1]}"] if len(words) > 2 else words
    return ", ".join(times_text)


def _column_text(kind: Kind, verb: Verb, lang: str, say: Translate) -> str:
    """What stands in a column, in a few words."""
    sheets = [record.sheet_it if lang == "it" else record.sheet for record in kind.tables()]
    words = [italian if lang == "it" else code for code, italian in kind.words.items()]
    told = say(kind.told, sheets=" / ".join(sheets), words=", ".join(words))
    return f"{told} ({say(N_('may be left out'))})" if kind.optional(verb.columns) else told


def _price_text(verb: Verb, edition: CardContext, heading: Mapping[str, str], lang: str, say: Translate) -> str:
    cost = verb.cost
    if cost is None:
        return ""
    if not cost.number:
        return say(N_("the number in {column}"), column=heading.get(cost.times, "")) if cost.times else say(cost.told)
    options = verb.kinds["option"].words if "{option}" in cost.number else {"": ""}
    keys = {(italian if lang == "it" else code): cost.number.format(option=code) for code, italian in options.items()}
    first = next(iter(keys.values()))
    unit = say(edition.numbers[first].unit, n=edition.rules[first])
    sign = "£" if unit.startswith("£") else ""
    price = ", ".join(f"{word} {sign}{edition.rules[key]}".strip() for word, key in keys.items())
    more = f" × {heading[cost.times]}" if cost.times else f" {say(cost.told)}" if cost.told else ""
    return " ".join(f"{price} {unit.removeprefix(sign)}{more}".split())


def is_known(book: OrderBook, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
    """Whether an order holds all that its verb needs, and names nothing that its columns do not know."""
    verb = book[fields["verb"]]
    return all(name in fields for name in verb.needed_columns()) and all(
        kind.recognises(fields[name], campaign, faction) for name, kind in verb.kinds.items() if name in fields)


def order_line(book: OrderBook, campaign: Campaign, fields: Mapping[str, Any], lang: str) -> str:
    """An order as somebody would write it in a language: `format_order` with words for codes where the book says them.
    """
    kinds = book[fields["verb"]].kinds
    words = {name: kinds[name].in_words(value, campaign, lang) if name in kinds else value
             for name, value in fields.items()}
    return format_order(book, words, lang)


def format_order(book: OrderBook, fields: Mapping[str, Any], lang: str) -> str:
    """An order in one line of canonical shorthand, which `reader.read_notation` reads back to the same order.

    `fields`: verb and columns; blank or missing ones are left out.
    """
    verb = book.get(book.code(str(fields.get("verb", ""))))
    if verb is None:
        return str(fields.get("verb", ""))
    values = {name: "" if fields.get(name) is None else str(fields[name]) for name in verb.columns if name in fields}
    for name, options in verb.options().items():
        if values.get(name, "") in options:
            values[name] = (options[values[name]] if lang == "it" else values[name]).replace("_", " ")
    form = _OPTIONAL.sub(lambda part: part[1] if values.get(part[2]) else "", verb.form(lang))
    line = form.format_map({name: values.get(name, "") for name in verb.columns})
    return re.sub(r"\s+", " ", line).strip().replace(" :", ":")
