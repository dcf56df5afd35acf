"""Reads what people tell of a battle in their own words, laid over the columns of its form as orders are over verbs.

A form is a book of a few verbs for the reader of sentences (`turn.orders.reader`): one for the battle's own row, one
for each further sheet. What is said of a column is a word for it, a value, and of a side's own whose it is, in any
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Column, Flag, Typed, Whole
from assistant.campaign.records import Army, Battle, Faction, FormRow, names_held
from assistant.campaign.tables import Record
from assistant.turn.battle_form import NOTHING, BattleForm, Clubs, Entry, FormLine, cell_text, side_of
from assistant.turn.orders.columns import Kind, Piece, Sentence
from assistant.turn.orders.divide_line import read_orders
from assistant.turn.orders.lexicon import Lexicon
from assistant.turn.orders.phrases import (
    ATTACKERS,
    BEAT,
    DEFENDERS,
    DRAW,
    LEFT,
    LOSE,
    LOSSES,
    NOUNS,
    THEM,
    US,
    WIN,
    PhraseIndex,
)
from assistant.turn.orders.sentences import LineReading
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.orders.words import APART, LISTS, fold

RESULT = "battle"
"""The verb of what is said of the whole battle, or of a side."""
MOST_BETWEEN = 3
"""Words that say nothing between two parts of what is said of a column, at most."""
WHOLE, ALL_LEFT = "all", "?"
"""A number that is all there were, and one that nobody said."""
MOST_PROPOSED = 3

_WE_DO = "iamo"
"""How Italian verbs end that say what we do."""
_TIMES = "*"
BY = frozenset({"by", "da", "dai", "dal", "dalla", "dagli", "dalle"})
"""Words before the one who has beaten somebody."""
AND = frozenset({"and", "e", "ed", "but", "ma"})
"""Words behind which something else is said."""
ONE = frozenset({"a", "an", "un", "uno", "una"})
"""Articles that are a number before those who fell."""

IsGood = Callable[[FormLine], bool]
"""Whether the form can take a line."""


class ResultReading(NamedTuple):
    """What a text says of a battle. `lines`: what is clear; `proposals`: lines that it may mean, where it is not."""

    lines: tuple[FormLine, ...] = ()
    proposals: tuple[FormLine, ...] = ()


# --- columns ----------------------------------------------------------------------------------------
Values = Callable[[Sentence, int], Iterator[tuple[int, Any]]]
"""What may be said of a column at a place: how many words, and the value."""


@dataclass(eq=False, repr=False, kw_only=True)
class ToldColumn(Kind):
    """A column as people tell it. `heads`: words for it, with what they say of it; `who`: who is meant, and the side;
    `whom`: a second side may be named, as in *A beats B*, or *B was beaten by A*; `values`: its values; `needs`: the
    parts without which nothing is said, by what its word says; `meaning`: what they come to, None for what cannot be;
    `own`: the sender's side, which *ci ritiriamo* means.
    """

    blank: bool = True
    heads: PhraseIndex
    who: PhraseIndex
    values: Values
    needs: Callable[[Any], frozenset[str]]
    meaning: Callable[[Mapping[str, Any]], Any]
    own: str = ""
    whom: bool = False

    @cached_property
    def phrases(self) -> PhraseIndex:
        """All words for it."""
        return self.heads

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Whatever was read."""
        return True

    def opens_line(self) -> bool:
        """What is said of it says what the sentence is about."""
        return True

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Its word, a value and who is meant, in any order."""
        yield from self._more(sentence, start, start, {})

    def _more(self, sentence: Sentence, start: int, at: int, found: Mapping[str, Any]) -> Iterator[tuple[int, Any]]:
        if "head" in found and self.needs(found["head"]) <= found.keys():
            value = self.meaning(found)
            if value is not None:
                yield at - start, value
        for place in self._places(sentence, at, first=at == start):
            for part, those in self._parts(sentence, place):
                if part == "who" and self.whom and "who" in found:
                    part = "whom"
                if part not in found:
                    for count, value in those:
                        ours = part == "head" and self.own and sentence.word(place + count - 1).endswith(_WE_DO)
                        more = {"who": self.own, **found} if ours else found
                        yield from self._more(sentence, start, place + count, {**more, part: value})

    def _places(self, sentence: Sentence, at: int, *, first: bool) -> Iterator[int]:
        """Where the next part may begin: here, or behind words that say nothing."""
        for place in range(at, at + 1 + (0 if first else MOST_BETWEEN)):
            if not sentence.word(place):
                return
            yield place
            word = sentence.word(place)
            named = self.whom and fold(word) not in LISTS.name_fillers and (
                fold(word) in BY or any(True for _ in sentence.phrases(place, self.who)))
            if named or word.casefold() in AND or not says_nothing(word):  # *e*, not *è*
                return

    def _parts(self, sentence: Sentence, at: int) -> Iterator[tuple[str, Iterable[tuple[int, Any]]]]:
        yield "head", sentence.phrases(at, self.heads)
        yield "who", sentence.phrases(at, self.who)
        yield "value", self.values(sentence, at)
        if fold(sentence.word(at)) in LISTS.negations:
            yield "not", [(1, True)]
        if self.whom and fold(sentence.word(at)) in BY:
            yield "by", [(1, True)]

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The value."""
        return pieces[0].value


@dataclass(eq=False, repr=False, kw_only=True)
class InParts(Kind):
    """A column of yes or no of which words are said apart: *the commander of O1 fell*. `parts`: which words those are.
    """

    blank: bool = True
    parts: PhraseIndex
    takes_several: ClassVar[bool] = True

    @cached_property
    def phrases(self) -> PhraseIndex:
        """All words for it."""
        return self.parts

    def opens_line(self) -> bool:
        """What is said of it says what the sentence is about."""
        return True

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """One of its parts."""
        yield from sentence.phrases(start, self.parts)

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """Yes, with all of them."""
        return True if {piece.value for piece in pieces} == {0, 1} else None


@dataclass(eq=False, repr=False, kw_only=True)
class Fighter(Kind):
    """Who is meant in a further row: one of those who fight. `codes`: theirs; `records`: the tables in which they are;
    `groups`: army -> those who march with it.
    """

    codes: frozenset[str]
    records: tuple[type[Record], ...]
    groups: Mapping[str, tuple[str, ...]]
    acts: ClassVar[bool] = False

    def fits(self, row: Any, faction: str) -> bool:
        """One of them."""
        return row.ident in self.codes

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """By code or by name; by code also whom the sender does not see, but met on the table."""
        word = fold(sentence.word(start))
        if code := next((code for code in sorted(self.codes) if fold(code) == word), ""):
            yield 1, code
        yield from ((count, code) for count, code in sentence.rows(start, self.records, self) if code in self.codes)
        for count, army in sentence.rows(start, (Army,)) if self.groups else ():
            yield from ((count, code) for code in self.groups.get(army, ()))


@dataclass(eq=False, repr=False, kw_only=True)
class Rank(Kind):
    """A word with which a further row begins. `options`: code -> words; `heads`: words of columns, to which a number
    behind them belongs.
    """

    blank: bool = True
    options: Mapping[str, Sequence[str]] = field(default_factory=dict)
    heads: PhraseIndex

    @property
    def words(self) -> Mapping[str, str]:
        """Its options."""
        return {code: words[0] for code, words in self.options.items()}

    def word_lists(self) -> Mapping[str, tuple[str, ...]]:
        """The same in all languages."""
        return {code: tuple(words) for code, words in self.options.items()}

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A word, or so many of them: ``foot*2``."""
        yield from sentence.options(start, self)
        behind = start and any(True for _ in sentence.phrases(start - 1, self.heads))
        numbers = [] if behind else [*sentence.number(start)]
        numbers += [(1, 1)] if fold(sentence.word(start)) in ONE else []
        for count, number in numbers if sentence.word(start + 1) else ():
            yield from ((count + length, f"{code}{_TIMES}{number}")
                        for length, code in (sentence.options(start + count, self) if sentence.word(start + count)
                                             else ()))


def says_nothing(word: str) -> bool:
    """Whether a word says nothing of a battle."""
    return fold(word) in _idle_words()


@cache
def _idle_words() -> frozenset[str]:
    """Words that may stand between the parts of what is said."""
    return frozenset((*LISTS.fillers, *LISTS.result_fillers, *LISTS.prepositions, *map(fold, (*NOUNS, *LEFT))))


def _numbers(sentence: Sentence, at: int) -> Iterator[tuple[int, Any]]:
    """A number, all or none."""
    yield from sentence.number(at)
    word = fold(sentence.word(at))
    if word in LISTS.ordinals:
        yield 1, LISTS.ordinals[word]
    if word in LISTS.all:
        yield 1, WHOLE
    if word in NOTHING or word in LISTS.nobody:
        yield 1, 0


def _yes_or_no(sentence: Sentence, at: int) -> Iterator[tuple[int, Any]]:
    word = fold(sentence.word(at))
    if word in ("yes", "si", "no"):
        yield 1, word != "no"


# --- the book of a form -------------------------------------------------------------------------------
class _ResultBook:
    """The verbs of a battle's form. `row`: the battle's; `clubs`: who fights on which side; `club`: whose words are
    read, "" for the referee's.
    """

    def __init__(self, form: BattleForm[Any], battle: Any, row: Battle, clubs: Clubs, campaign: Campaign,
                 club: str) -> None:
        self.form, self.battle, self.row, self.clubs = form, battle, row, clubs
        self.campaign, self.club = campaign, club
        self.fighters = list(form.fighters(battle)) if form.fighters is not None else []

    @property
    def own(self) -> str:
        """The side of whoever tells it, "" of the referee."""
        return side_of(self.clubs, self.club) if self.club else ""

    def verbs(self) -> list[Verb]:
        """One for the battle's own row, one for each further sheet of which somebody has rows."""
        verbs = [_verb(RESULT, self._result_kinds())]
        for sheet in self.form.sheets:
            rows = [row for row, _ in self.fighters if row.sheet == sheet.sheet]
            if rows:
                told = {name: self._told_column(sheet.column(name)) for name in sheet.form()}
                heads = PhraseIndex((word, name) for name in told for word in self._words(sheet.column(name)))
                verbs.append(_verb(sheet.file, {**self._key_kinds(rows, heads), **told}))
        return verbs

    def _result_kinds(self) -> dict[str, Kind]:
        kinds: dict[str, Kind] = {}
        for entry in self.form.entries:
            column = self.row.column(entry.name)
            if entry.name == self.form.won:
                kinds[entry.name] = self._winner(column)
            elif entry.name in self.form.line or entry.is_expected(self.row):
                kinds[entry.name] = self._told_column(column, entry)
        if self.form.dice[0]:
            kinds[self.form.dice[0]] = _simple(_index({self.form.dice[1]: ("dice", "dadi", "auto")}))
        return {name: kind for name, kind in kinds.items() if kind is not None}

    def _key_kinds(self, rows: Sequence[FormRow], heads: PhraseIndex) -> dict[str, Kind]:
        kinds: dict[str, Kind] = {}
        keys = [c for c in rows[0].columns() if c.key and c.edit != "assistant" and c.name != "battle"]
        for c in keys:
            values = frozenset(str(getattr(row, c.name)) for row in rows) - {""}
            if isinstance(c.kind, Choice):
                kinds[c.name] = Rank(heads=heads, options={
                    value: (c.word(value, "it"), c.word(value, "en"), *self._like(c, value))
                    for value in sorted(values)})
            elif values:
                records = tuple(record for record in self.campaign.records().values() if record.unique
                                and not issubclass(record, FormRow) and not record.grows
                                and any(code in self.campaign.by_sheet(record.sheet) for code in values))
                kinds[c.name] = Fighter(codes=values, records=records, blank=len(keys) > 1, groups=self._groups(
                    values, records))
        return kinds

    def _groups(self, codes: Iterable[str], records: Iterable[type[Record]]) -> Mapping[str, tuple[str, ...]]:
        """Army -> those of some codes who march with it."""
        groups: dict[str, tuple[str, ...]] = {}
        for record in records:
            for row in self.campaign.by_sheet(record.sheet):
                if row.ident in codes and (army := getattr(row, "army", "")):
                    groups[army] = (*groups.get(army, ()), row.ident)
        return groups

    def _like(self, column: Column, value: str = "") -> Sequence[str]:
        return tuple(self.form.like.get(f"{column.name}={value}" if value else column.name, ()))

    def _words(self, column: Column) -> Sequence[str]:
        return (column.en.replace("'", " "), column.it.replace("'", " "), *self._like(column))

    @cached_property
    def who(self) -> PhraseIndex:
        """Words for the sides."""
        sides, words = list(self.clubs), dict[str, list[str]]()
        for side, plain in zip(sides, (ATTACKERS, DEFENDERS), strict=False):
            words[side] = [*plain]
        for side, clubs in self.clubs.items():
            rows = [row for club in clubs if (row := self.campaign.table(Faction).get(club)) is not None]
            words.setdefault(side, []).extend(word for row in rows for word in (row.faction, *names_held(row)))
        for side in sides if self.own else ():
            if side == self.own or len(sides) == 2:
                words[side] += US if side == self.own else THEM
        return _index(words)

    def side_value(self, column: Column, side: str) -> str:
        """What stands in a column for a side; "" where it knows none."""
        options = self._options(column)
        plain = dict(zip(self.clubs, ("attacker", "defender"), strict=False))
        return next((word for word in (side, plain.get(side, "")) if word in options), "")

    def _options(self, column: Column) -> Mapping[str, str]:
        """What may stand in a column of words -> its meaning."""
        entry = next((entry for entry in self.form.entries if entry.name == column.name), None)
        if entry is not None and entry.words:
            return entry.words
        return {code: code for code in column.kind.words} if isinstance(column.kind, Choice) else {}

    def _winner(self, column: Column) -> Kind:
        """Who has won: *we won*, *the Empress's party was beaten*, *a draw*."""
        sides = {side: self.side_value(column, side) for side in self.clubs}
        drawn = next((word for word in self._options(column) if word not in sides.values()
                      and fold(word) in ("draw", "stalemate")), "")
        heads = {"won": (*WIN, *BEAT, column.en, column.it), "lost": LOSE, **({"drawn": DRAW} if drawn else {})}

        def meaning(found: Mapping[str, Any]) -> str | None:
            if found["head"] == "drawn":
                return drawn if "who" not in found else None
            side = found.get("who", "")
            if found.get("whom", "") == side or ("by" in found and "whom" not in found):
                return None
            if "whom" in found:  # who beats, or is beaten by, whom
                side = found["whom"] if "by" in found else side
                return sides.get(side) or None if "not" not in found else None
            other = [one for one in sides if one != side]
            if (found["head"] == "lost") is not ("not" in found):
                side = other[0] if len(other) == 1 and "not" not in found else ""
            return sides.get(side) or None

        return ToldColumn(heads=_index(heads), who=self.who, whom=True, values=_nothing, meaning=meaning, own=self.own,
                    needs=lambda head: frozenset() if head == "drawn" else frozenset({"who"}))

    def _told_column(self, column: Column, entry: Entry[Any] | None = None) -> Any:
        """A column of numbers, yes or no, options or what its entry reads; None for free words."""
        if (entry is not None and entry.said is not None) or isinstance(column.kind, (Typed, Whole)):
            return self._amount(column, entry)
        apart = [like.split(APART) for like in self._like(column) if APART in like]
        if isinstance(column.kind, Flag) and apart:
            return InParts(parts=PhraseIndex((word, place) for words in apart for place, word in enumerate(words)))
        if isinstance(column.kind, Flag):
            return ToldColumn(heads=_index({"yes": self._words(column)}), who=_index({}), values=_yes_or_no,
                        needs=lambda head: frozenset(),
                        meaning=lambda found: found.get("value", True) is not ("not" in found))
        options = self._options(column)
        sides = {value: side for side in self.clubs if (value := self.side_value(column, side))}
        if sides and self._like(column):
            return self._by_side(column, {side: value for value, side in sides.items()})
        if isinstance(column.kind, Choice):
            return _simple(_index({value: (value, column.word(value, "en"), column.word(value, "it"),
                                           *self._like(column, value)) for value in options}), self.who)
        return None

    def _by_side(self, column: Column, values: Mapping[str, str]) -> Kind:
        """A column that says which side did something, such as retreat."""
        none = next((word for word in self._options(column) if fold(word) == "none"), "")

        def meaning(found: Mapping[str, Any]) -> str | None:
            if "value" in found or "not" in found:
                return none or None
            return values.get(found.get("who", "")) or None

        def nobody(sentence: Sentence, at: int) -> Iterator[tuple[int, Any]]:
            if fold(sentence.word(at)) in LISTS.nobody:
                yield 1, 0

        return ToldColumn(heads=_index({"did": (column.en, column.it, *self._like(column))}), who=self.who,
                          values=nobody, needs=lambda head: frozenset(), meaning=meaning, own=self.own)

    def _amount(self, column: Column, entry: Entry[Any] | None) -> Kind:
        """A number, or what its entry reads; its own words say whose it is, looser ones need the side beside them."""
        side, said = ("", None) if entry is None else (entry.side, entry.said)
        loose = () if entry is None else entry.loose or (LOSSES if side and said is None else ())
        heads = {"own": self._words(column), "loose": loose}

        def meaning(found: Mapping[str, Any]) -> Any:
            return None if side and found.get("who", side) != side else found.get("value", ALL_LEFT)

        def needs(head: str) -> frozenset[str]:
            return frozenset({*({"who"} if head == "loose" else ()), *({"value"} if entry is not None else ())})

        return ToldColumn(heads=_index(heads), who=self.who if side else _index({}), values=said or _numbers,
                          needs=needs, meaning=meaning, own=self.own)


def _nothing(sentence: Sentence, at: int) -> Iterator[tuple[int, Any]]:
    yield from ()


def _simple(heads: PhraseIndex, who: PhraseIndex | None = None) -> ToldColumn:
    return ToldColumn(heads=heads, who=who or _index({}), values=_nothing, needs=lambda head: frozenset(),
                meaning=lambda found: None if "not" in found else found["head"])


def _index(words: Mapping[str, Iterable[str]]) -> PhraseIndex:
    return PhraseIndex((word, meant) for meant, those in words.items() for word in dict.fromkeys(those))


def _verb(name: str, kinds: dict[str, Kind]) -> Verb:
    return Verb(name, name, tuple(kinds), (), kinds=kinds)


# --- reading ------------------------------------------------------------------------------------------
def read_result(form: BattleForm[Any], fight: tuple[Any, Clubs], row: Battle, campaign: Campaign, club: str, text: str,
                is_good: IsGood, words: OrderBook) -> ResultReading:
    """Read what somebody tells of a battle. `fight`: what the ruleset knows about it, and who fights; `row`: its row;
    `campaign`: what the sender may know; `club`: who that is, "" for the referee; `words`: the orders of the book, of
    which it has names and fillers.
    """
    told = _ResultBook(form, fight[0], row, fight[1], campaign, club)
    book = OrderBook(told.verbs(), cells={name for verb in told.verbs() for name in verb.kinds}, names=words.names,
                     fillers=(*words.fillers, *LISTS.result_fillers, *NOUNS), shapes=words.shapes)
    reader = _LinesOf(told, is_good)
    reading = read_orders(book, campaign, club, text, reader.is_legal, Lexicon(book, campaign, club), tells=True)
    return reader.read(reading)


class _LinesOf:
    """Makes lines of a form of what was read."""

    def __init__(self, told: _ResultBook, is_good: IsGood) -> None:
        self.told, self.is_good = told, is_good

    def read(self, reading: LineReading) -> ResultReading:
        """The lines, if each is clear and the form can take it; else what they may mean."""
        lines, proposals, clear = list[FormLine](), list[FormLine](), bool(reading.orders)
        before: Mapping[str, Any] = {}
        for fields in reading.orders or reading.proposals:
            ways = list(self._ways(fields, before if reading.orders else {}))
            good = [line for line in ways if self.is_good(line)] or ways[:1]
            sure = len(good) == 1 and not good[0].ordered
            clear = clear and sure
            lines += good if sure else ()
            proposals += good[:MOST_PROPOSED]
            before = {**before, **fields}
        offered = list({format_line(line): line for line in proposals if self.is_good(line)}.values())
        # what the form has against the only way to read it is to be told
        return ResultReading(tuple(lines)) if clear else ResultReading(proposals=tuple(offered)) if (
            offered) else ResultReading(tuple(proposals[:1]))

    def is_legal(self, fields: Mapping[str, Any]) -> bool:
        """Whether the form can take what was read, in some way."""
        return any(self.is_good(line) for line in self._ways(fields, {}))

    def _ways(self, fields: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[FormLine]:
        """The lines that were meant: of whom it does not say in full, one for each that it may be."""
        told = self.told
        if fields["verb"] == RESULT:
            row = type(told.row)(battle=told.row.battle)
            yield _fill(row, {name: value for name, value in fields.items() if name != "verb"})
            return
        sheet = next(sheet for sheet in told.form.sheets if sheet.file == fields["verb"])
        keys = _keys(sheet())
        if not any(name in fields for name in keys):
            fields = {**{name: str(before[name]).partition(_TIMES)[0] for name in keys if name in before}, **fields}
        counted = {name: str(value).partition(_TIMES) for name, value in fields.items() if name in keys}
        alike = [(row, there) for row, there in told.fighters if row.sheet == sheet.sheet and all(
            str(getattr(row, name)) == value for name, (value, _, _) in counted.items())]
        number = next((int(many) for _, _, many in counted.values() if many), None)
        if len(alike) > 1 and (same := [one for one in alike if all(
                getattr(one[0], name) == before.get(name) for name in _keys(one[0])[:1])]):
            alike = same
        yield from (_amounts(fighter, fields, there, number) for fighter, there in alike if counted)


def _keys(row: FormRow) -> list[str]:
    return [c.name for c in row.columns() if c.key and c.name != "battle"]


def _amounts(row: FormRow, fields: Mapping[str, Any], there: object, number: int | None) -> FormLine:
    """A row with its values: all that there were, or that are left, as a number. `number`: how many it says before the
    word for them (*two knights killed*); without one the line is no more than a proposal, unless it is about one.
    """
    values = {name: value for name, value in fields.items() if name in row.form()}
    before = int(str(there)) if str(there).isdecimal() else 1
    counted = sum(value for value in values.values() if isinstance(value, int) and not isinstance(value, bool))
    left = max(before - counted, 0) if number is None else number
    guessed = number is None and ALL_LEFT in values.values() and str(there) != ""
    if number is not None and ALL_LEFT not in values.values():
        guessed = True  # what the number is of nobody says
    line = _fill(row.copy(), {name: before if value == WHOLE else left if value == ALL_LEFT else value
                              for name, value in values.items()})
    return line._replace(ordered=guessed)


def _fill(row: Any, values: Mapping[str, Any]) -> FormLine:
    for name, value in values.items():
        setattr(row, name, value)
    return FormLine(row, tuple(values), fighter="" if isinstance(row, Battle) else " ".join(_key_words(row, "en")))


def _key_words(row: FormRow, lang: str) -> list[str]:
    return [word for name in _keys(row) if (word := row.column(name).word(getattr(row, name), lang))]


def format_line(line: FormLine, lang: str = "") -> str:
    """A line as it could be typed, behind the battle's code: in a language, or with the names of its columns."""
    row = line.row
    if not lang:
        keys = [] if isinstance(row, Battle) else [str(getattr(row, name)) for name in _keys(row)]
        head = f"{' '.join(filter(None, keys))}: " if keys else ""
        return head + " ".join(f"{name}={cell_text(row, name)}" for name in line.names)
    values = ", ".join(f"{_lower(c.heading(lang))} {c.word(getattr(row, c.name), lang)}"
                       for c in map(row.column, line.names))
    return f"{values}" if isinstance(row, Battle) else f"{' '.join(_key_words(row, lang))}: {values}"


def _lower(heading: str) -> str:
    return heading[:1].lower() + heading[1:]
