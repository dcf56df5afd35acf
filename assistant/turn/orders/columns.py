"""What a column of a verb is: how it is read and judged, what it offers, nearest first; words and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref
from assistant.campaign.map import Map, SquareMap, distance, is_hex
from assistant.campaign.records import Army, Node, Road
from assistant.campaign.tables import Record
from assistant.turn.orders.phrases import PhraseIndex
from assistant.turn.orders.requests import HasGame, Refused, Request, Roles
from assistant.turn.orders.words import LISTS, WordIndex, canonical_code, fold
from assistant.turn.texts import N_

Sort = Literal["unit", "place", "faction", "number"]
"""The sorts of piece of which a line of shorthand is made, beside words."""
ColumnCheck = Callable[[Any, Request, Any, str], None]
"""A rule's own check of what a column means: board, request, record or number, field. Raises `Refused`."""


class Piece(NamedTuple):
    """A piece of a sentence that goes into a column: its value, what the words before it make of it, its place."""

    value: Any
    roles: frozenset[str]
    at: int


class Sentence(Protocol):
    """What a column needs of a sentence that is read (`lexicon.SplitSentence`)."""

    campaign: Campaign
    faction: str
    exact: bool
    """Whether it is in the book's notation."""
    quotes: bool
    """Whether something in it stands in quotes."""

    def word(self, start: int) -> str:
        """The word at a place, as it stands; "" behind the last."""

    def is_quoted(self, start: int) -> bool:
        """Whether it stands in quotes."""

    def leads_on(self, start: int) -> bool:
        """Whether it is a preposition."""

    def rows(self, start: int, records: Iterable[type[Record]], kind: Kind | None = None) -> Iterator[tuple[int, str]]:
        """The rows of some tables that are named at a place: how many words, and the code. `kind`: of rows of one name
        those count that fit its column.
        """

    def options(self, start: int, kind: Kind) -> Iterator[tuple[int, str]]:
        """The options of a column that are named there."""

    def phrases(self, start: int, index: PhraseIndex) -> Iterator[tuple[int, Any]]:
        """The phrases of an index that stand there."""

    def number(self, start: int) -> Iterable[tuple[int, int]]:
        """The number there, in digits or words."""

    def looks_like(self, word: str, sort: Sort) -> bool:
        """Whether a word looks like a code of a sort in the book."""

    def unknown_unit(self, start: int) -> str:
        """The word there if it looks like a unit's code, of a unit that is not there, too; else ""."""


@dataclass(eq=False, repr=False, kw_only=True)
class Kind:
    """What a column holds.

    `blank`: it may be left out; `needed`: a line must contain it although a cell may be blank; `then`: further checks
    of a rule; `late`: the deed judges it itself (`taking.late_meaning`), after checks of its own; `only_names`: it
    names a row, and the deed itself says what is wrong with it; `title`: what it is for the verb, where the heading of
    the column says something else (msgid); `like`: what may stand there besides ({faction} is the giver's); `lead_in`:
    the word before it in a line.
    """

    blank: bool = False
    needed: bool = False
    title: str = ""
    like: str = ""
    lead_in: str = ""
    asked_of: tuple[str, ...] = ()
    """Factions that are asked for it where a sentence leaves it out, though it may be blank."""
    late: bool = False
    only_names: bool = False
    then: tuple[ColumnCheck, ...] = ()
    called: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    """What people say for the only row that may be meant there, without its name (``the castle``), folded, and which
    rows it may be."""
    after: tuple[str, ...] = ()
    """What the preposition before it may say (`LISTS.prepositions`), where that tells it from another column."""
    quotes: bool = False
    """Whether words of the book's notation that nobody knows stand there, for the finding that quotes them."""
    sorts: ClassVar[tuple[Sort, ...]] = ()
    is_new: ClassVar[bool] = False
    """Whether it is a code that nothing has yet, of which any will do."""
    counts: ClassVar[bool] = False
    """Whether it says how many, or which of them."""
    all_if_blank: bool = False
    """Whether a blank means as many as there are."""
    handed: ClassVar[bool] = True
    """Whether the deed is handed what the column means."""
    faults: ClassVar[tuple[str, ...]] = ()
    """What can be wrong with it (`requests.ROLES`)."""
    told: ClassVar[str] = N_("a word")
    """What stands in it, for the orders card (msgid); {sheets} are those of its tables, {words} those it offers."""

    def tables(self) -> tuple[type[Record], ...]:
        """The records whose codes it offers: those that it declares as `record` or `records`."""
        return (self.record,) if hasattr(self, "record") else getattr(self, "records", ())

    def spelling_records(self) -> tuple[type[Record], ...]:
        """The records as whose tables spell them its codes are read."""
        return self.tables()

    @property
    def words(self) -> Mapping[str, str]:
        """The words that it offers: code -> Italian."""
        return {}

    def roles(self) -> tuple[str, ...]:
        """What can be wrong with it, of which the book must have a finding."""
        return self.faults

    @property
    def acts(self) -> bool:
        """Whether it says which of its own units a faction orders to do something."""
        return False

    @property
    def at_once(self) -> bool:
        """Whether it is judged before the deed, and the deed is handed what it means."""
        return self.handed and not self.late and not self.only_names

    def is_judged_ahead(self, says: Roles) -> bool:
        """Whether it is judged before the deed, in a book with these findings."""
        return self.at_once

    def takes(self, sort: Sort) -> bool:
        """Whether a piece of a line may stand here."""
        return sort in self.sorts

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Whether a line of a verb with these columns may leave it out."""
        return self.blank

    def read(self, raw: Any) -> Any:
        """A cell in canonical spelling."""
        return str("" if raw is None else raw).strip()

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """A cell with codes as their tables spell them, and of what is called by its name the code."""
        value = self.read(raw)
        return canonical_code(campaign, self.spelling_records(), value) if isinstance(value, str) else value

    # --- in a sentence ----------------------------------------------------------------------
    def word_lists(self) -> Mapping[str, tuple[str, ...]]:
        """The words of its options in any language and form: code -> words."""
        return {code: (italian,) for code, italian in self.words.items()}

    @cached_property
    def phrases(self) -> PhraseIndex:
        """The words of its options, as a sentence may have them."""
        return PhraseIndex((word, code) for code, words in self.word_lists().items() for word in (code, *words))

    def spoken(self, campaign: Campaign, faction: str) -> Iterable[PhraseIndex]:
        """What else it finds in a sentence, by words of its own."""
        return ()

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Whether the column knows a value that somebody gave it."""
        if value in ("", None, []):
            return True
        if self.words:
            return str(value) in self.words
        known = self.canonical(campaign, value)
        return not self.tables() or any(known in campaign.by_sheet(record.sheet) for record in self.tables())

    def prepositions(self) -> tuple[str, ...]:
        """What the preposition before a piece may say (`LISTS.prepositions`); () where that tells nothing."""
        return self.after or ((self.lead_in,) if self.lead_in else ())

    def opens_line(self) -> bool:
        """Whether one of its options alone is an order."""
        return False

    def may_mean(self, word: str) -> bool:
        """Whether a word that mostly says nothing may say something here."""
        return False

    @property
    def takes_several(self) -> bool:
        """Whether it takes several pieces of a sentence."""
        return False

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """What the words at a place of a sentence may mean in the column: how many words, and the value."""
        yield from sentence.options(start, self)
        yield from sentence.rows(start, self.tables(), self)
        if self.takes("unit") and not sentence.exact and (code := sentence.unknown_unit(start)):
            yield 1, code

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """In the book's notation: what stands there in the place of a code, though nothing has it."""
        for sort in ("unit", "place"):
            if self.takes(sort) and sentence.looks_like(sentence.word(start), sort):
                yield 1, self.read(sentence.word(start))

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The value of the column, of its pieces in a sentence; None where they do not go together."""
        return pieces[0].value if len(pieces) == 1 else " ".join(str(piece.value) for piece in pieces)

    def is_unclear(self, pieces: Sequence[Piece], sentence: Sentence) -> bool:
        """Whether nobody knows what its pieces come to, so that their order is a proposal."""
        return False

    def value_if_unsaid(self, sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """What the column holds in the book's notation where nothing is said of it."""
        return ""

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """What a faction might write there, the most sensible first. `campaign`: its view; `fields`: what stands in the
        columns before.
        """
        rows = [row for record in self.tables() for row in nearest_first(campaign, faction, fields, campaign.by_sheet(
            record.sheet).where(lambda row: self.fits(row, faction)))]
        choices = [*(row.ident for row in rows if row.ident not in fields.values()), *self.words]
        return choices or ([self.like.format(faction=faction)] if self.like else [])

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Those of the `choices` that a faction is offered: all that make sense by themselves."""
        return self.choices(campaign, faction, fields)

    def goal(self, value: Any) -> str:
        """The code or number that says what a value comes to, to name an order by it."""
        return str(value)

    def comes_to(self, value: Any, campaign: Campaign) -> Any:
        """What a value means, whatever it was named by: two orders that come to the same are one."""
        return value

    def each(self, value: Any, campaign: Campaign, faction: str) -> list[str]:
        """What a value of a faction's order names, one by one."""
        return str(value).split() if self.takes_several else [str(value)]

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """What an example has there as a line in a language says it; a code is itself."""
        return value

    def fits(self, row: Any, faction: str) -> bool:
        """Whether a row is one that a faction might name there; here: its own."""
        return faction in row.owners

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """What it names, to tell whether two rows are about the same thing; "" where that is open."""
        return str(getattr(request, name))

    def judge(self, board: HasGame, request: Request, name: str) -> Any:
        """What the column means at its time. Raises `Refused`."""
        meaning = self._meaning(board, request, name)
        for check in self.then if meaning is not None else ():
            check(board, request, meaning, name)
        return meaning

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        return getattr(request, name)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Raise `Refused` for what nothing will put right until the order's time comes."""


# Kinds of words and numbers; those that name rows are in `row_columns`. A fault raises `Refused` with a role
# (`requests.ROLES`), which `taking` replaces by the book's own finding.


@dataclass(eq=False, repr=False, kw_only=True)
class Note(Kind):
    """Free words. `unquoted`: they are a name, which need not stand in quotes; `terms`: a condition of the order may
    stand there; `like_it`: `like` in Italian.
    """

    blank: bool = True
    unquoted: bool = False
    terms: bool = False
    like_it: str = ""
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("free words")

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Any words."""
        return True

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """The example in the reader's language; what somebody wrote stays."""
        return self.like_it if lang == "it" and self.like_it and value == self.like else value

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Words in quotes, or in capitals behind a word such as *called*."""
        if sentence.is_quoted(start):
            # "in the 'Bone Breakers'" names something, and is no note
            yield from [(1, sentence.word(start))] if self.unquoted or not start or not sentence.leads_on(
                start - 1) else []
        elif start and sentence.word(start - 1).casefold() in LISTS.called:
            count = 0
            while sentence.word(start + count)[:1].isupper() and not _is_label(sentence, start + count):
                count += 1
                yield count, " ".join(sentence.word(start + number) for number in range(count))

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Where they are a name and nothing stands in quotes, the words up to the next preposition."""
        end = start
        if fold(sentence.word(start)) in LISTS.name_fillers | LISTS.men:
            return
        while self.unquoted and not sentence.quotes and sentence.word(end) and not sentence.leads_on(end) and fold(
                sentence.word(end)) not in LISTS.called:
            end += 1
            yield end - start, " ".join(map(sentence.word, range(start, end)))


def _is_label(sentence: Sentence, at: int) -> bool:
    """Whether capital letters say what the number behind them is, and belong to no name: ``V.C. uno``."""
    return sentence.word(at).replace(".", "").isupper() and any(sentence.number(at + 1))


@dataclass(eq=False, repr=False)
class Option(Kind):
    """One of a few words. `options`: code -> Italian; `also`: further words -> code; `further`: the same by code (a
    table of a file of words); `opens`: its words alone are the order.
    """

    options: Mapping[str, str]
    also: Mapping[str, str] = field(default_factory=dict)
    opens: bool = False
    further: Mapping[str, Iterable[str]] = field(default_factory=dict, kw_only=True)
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("one of {words}")

    @property
    def words(self) -> Mapping[str, str]:
        """Its options."""
        return self.options

    @cached_property
    def _word_index(self) -> WordIndex:
        return WordIndex(self.word_lists())

    def word_lists(self) -> Mapping[str, tuple[str, ...]]:
        """Its options with their further words."""
        return {code: (it, *(word for word, meant in self.also.items() if meant == code), *self.further.get(code, ()))
                for code, it in self.options.items()}

    def opens_line(self) -> bool:
        """As declared."""
        return self.opens

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for; without a check of its own only where the book has a finding for it."""
        return ("no_such_option",) if self.then else ()

    def is_judged_ahead(self, says: Roles) -> bool:
        """Whether it is judged before the deed, which is not handed it; else the deed says itself what is wrong."""
        return not self.late and not self.only_names and (bool(self.then) or "no_such_option" in says)

    def _meaning(self, board: HasGame, request: Request, name: str) -> str | None:
        word = str(getattr(request, name))
        if self.blank and not word:
            return None
        if word not in self.options:
            raise Refused("no_such_option", name, word=word, options=", ".join(self.options))
        return word

    def code(self, word: str) -> str:
        """The option that a word means in either language, "" for none."""
        return self._word_index.code(word)

    def read(self, raw: Any) -> str:
        """The code; a word that is none as it was typed, for the finding that quotes it."""
        word = str(raw or "").strip()
        return self.code(word) or word


_NUMBER = r"£?([+-]?\d+(?:[.,]\d+)?)£?"
_MOST = 999_999_999_999_999
"""The greatest number of which a purse can still say that it holds less."""


@dataclass(eq=False, repr=False, kw_only=True)
class Amount(Kind):
    """A whole number of `least` or more; None for a blank that is allowed. `usual`: those that somebody might write
    there; `amount_of`: reads another unit (pounds in halves); `counted`: what is counted, where an article before
    anything else is no number (``un nuovo gruppo``).
    """

    least: int = 1
    usual: tuple[int, ...] = (30, 10, 1, 100)
    amount_of: Callable[[Any], int | None] | None = None
    counted: Sequence[str] | None = None
    counts: ClassVar[bool] = True
    sorts: ClassVar[tuple[Sort, ...]] = ("number",)
    told: ClassVar[str] = N_("a whole number")
    faults: ClassVar[tuple[str, ...]] = ("not_an_amount",)

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """A number."""
        return isinstance(value, int) or (self.amount_of is not None and re.fullmatch(_NUMBER, str(value)) is not None)

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A number."""
        if not self._is_article(sentence, start):
            yield from sentence.number(start)

    @cached_property
    def _nouns(self) -> PhraseIndex:
        return PhraseIndex((noun, 1) for noun in self.counted or ())

    def _is_article(self, sentence: Sentence, start: int) -> bool:
        """Whether a word for one belongs to something that is not counted here."""
        if self.counted is None or sentence.exact or fold(
                sentence.word(start)) not in LISTS.ones & LISTS.name_fillers:
            return False
        behind = sentence.word(start + 1)
        if not behind or sentence.leads_on(start + 1):
            return False
        last = start + 1 + (fold(behind) in LISTS.fillers)
        return not any(any(sentence.phrases(noun, self._nouns)) for noun in (start + 1, last))

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """What is written as a number or as pounds, though it cannot be an amount."""
        if number := re.fullmatch(_NUMBER, sentence.word(start)):
            yield 1, int(number[1]) if number[1].lstrip("+-").isdecimal() else number[1]

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """A few round numbers."""
        return self.usual

    def read(self, raw: Any) -> int | str:
        """As the record's `Typed` column has it."""
        return "" if raw is None else raw

    def _meaning(self, board: HasGame, request: Request, name: str) -> int | None:
        value = getattr(request, name)
        if self.amount_of is not None:
            return self.amount_of(value)
        if value == "" and self.blank:
            return None
        if isinstance(value, int) and value > _MOST:
            raise Refused("too_much", name, word=value, most=_MOST)
        if not isinstance(value, int) or value < self.least:
            raise Refused("not_an_amount", name, word=value)
        return value

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """A number is one whatever happens."""
        Amount._meaning(self, board, request, name)


@dataclass(eq=False, repr=False)
class OneOf(Option):
    """An option that the deed is handed. `otherwise`: what a blank means."""

    otherwise: str = ""
    handed: ClassVar[bool] = True
    faults: ClassVar[tuple[str, ...]] = ("no_such_option",)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A word that is one of them, though it may be a preposition."""
        if code := self.code(sentence.word(start)):
            yield 1, code

    def _meaning(self, board: HasGame, request: Request, name: str) -> str:
        return super()._meaning(board, request, name) or self.otherwise

    def comes_to(self, value: Any, campaign: Campaign) -> Any:
        """The option; of none what a blank means."""
        return value or self.otherwise


class FreeWords(Kind):
    """Free text that only the deed can read."""

    handed: ClassVar[bool] = False

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Any words."""
        return True


# Where the unit or place of an order is, and what is near to it, on maps of roads, of squares and of hexes.


R = TypeVar("R", bound=Record)
OUT_OF_REACH = 10_000


def place_of_order(campaign: Campaign, fields: Mapping[str, Any]) -> str:
    """Where the first thing stands that an order names: a place itself, that of a row, or that of the army or place
    which a row names; "" for none.
    """
    codes = [code for name, code in fields.items() if name != "verb" and isinstance(code, str) and code]
    return next((place for code in codes if (place := _place_of(campaign, code))), "")


def _place_of(campaign: Campaign, code: str) -> str:
    if code in campaign.table(Node):
        return code
    for record in campaign.records().values():
        row: Any = None if record.grows or record.single else campaign.by_sheet(record.sheet).get(code)
        if row is None:
            continue
        if getattr(row, "node", ""):
            return str(row.node)
        named = [str(getattr(row, column.name)) for column in record.columns()
                 if isinstance(column.kind, Ref) and not column.key]
        place = next((word for word in named if word in campaign.table(Node)), "")
        return place or next((army.node for army in campaign.table(Army) if army.army in named), "")
    return ""


def nearest_first(campaign: Campaign, faction: str, fields: Mapping[str, Any], rows: Iterable[R]) -> list[R]:
    """Rows by how far their places are from what an order names; where nobody knows, those of a faction first."""
    here = place_of_order(campaign, fields)
    far = distance_from(campaign, here)
    return sorted(rows, key=lambda row: far(str(getattr(row, "node", ""))) if here else faction not in row.owners)


def distance_from(campaign: Campaign, here: str) -> Callable[[str], float]:
    """How far it is from a place to another."""
    squares = campaign.derive(SquareMap.of, Node)
    if here in squares:
        return lambda there: squares.distance(here, there) if there in squares else OUT_OF_REACH
    if is_hex(here):
        return lambda there: distance(here, there) if is_hex(there) else OUT_OF_REACH
    far = roads_of(campaign).distances(here) if here else {}
    return lambda there: far.get(there, OUT_OF_REACH)


def neighbours(campaign: Campaign, here: str, kind: str) -> list[str]:
    """The places next to one: by links of a kind ("" for any), or on a map of squares those that touch it."""
    by_road = roads_of(campaign).neighbours(here, *([kind] if kind else []))
    squares = campaign.derive(SquareMap.of, Node)
    return by_road or (squares.neighbours(here) if here in squares else [])


def roads_of(campaign: Campaign) -> Map:
    """The map, built once for all campaigns with the same places and roads."""
    return campaign.derive(Map, Road, by=(tuple(campaign.table(Node).keys_in_file_order()),))


def place_of_unit(campaign: Campaign, fields: Mapping[str, Any], faction: str = "") -> str:
    """Where the unit stands that an order names, "" where it names none or nobody knows. `faction`: whose it must be.
    """
    unit, *_ = [*str(fields.get("unit") or fields.get("army") or fields.get("subject") or "").split(), ""]
    rows: list[Any] = [row for table in campaign.tables().values() if unit and (row := table.get(unit)) is not None]
    rows += [leader for row in rows if (leader := campaign.by_sheet(Army.sheet).get(getattr(row, "army", "")))]
    return next((str(row.node) for row in rows if getattr(row, "node", None) and (
        not faction or faction in row.owners)), "")
