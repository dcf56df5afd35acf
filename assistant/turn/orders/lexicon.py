"""What the words of a sentence mean in a campaign, as one faction sees it: names of rows, options, numbers, slips."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Army, Node, names_held
from assistant.campaign.tables import Record, Table
from assistant.turn.orders.columns import Kind, Sort
from assistant.turn.orders.phrases import PhraseIndex, Token, number_in_words, split_words
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import LISTS, fold, uses_squares

LONGEST_NAME = 8
"""Words of the longest name, with those that make no difference."""
LONGEST_NUMBER = 4
"""Words of the longest number that is written in words."""
_SHORTEST_SLIP, _LONG_WORD = 5, 8
"""Letters of a word in which one letter may be wrong, and of one in which two may be."""
_SHORTEST_PART, _MOST_ALIKE = 4, 2
"""Letters of a word that stands for a name in which it is, and in how many it may be."""

Names = Mapping[str, tuple[str, ...]]
"""What rows of a table are called -> their codes."""


@lru_cache(maxsize=32768)
def keys_of_name(name: str) -> tuple[str, ...]:
    """How a name is looked up: without words that make no difference, in either language, and without the word for a
    unit at its end (``Bohun's men``: ``bohun``).
    """
    tokens = [token.folded for token in split_words(name)]
    words = [word for word in tokens if word not in LISTS.name_fillers] or tokens
    keys = []
    for spelled in (words, [LISTS.other_tongue.get(word, word) for word in words]):
        keys.append("_".join(spelled))
        if len(spelled) > 1 and tokens[-2] == "s" and tokens[-1] in LISTS.men:
            keys.append("_".join(spelled[:-1]))
    if "s" in tokens[1:]:
        joined = [token.folded for token in split_words(re.sub("['’]s\\b", "s", name))]
        keys.append("_".join(word for word in joined if word not in LISTS.name_fillers))
    return tuple(dict.fromkeys(key for key in keys if key))


class TableNames:
    """What the rows of one table are called. It stands as long as they do (`Campaign.derive`), for whoever sees the
    same of them.
    """

    def __init__(self, table: Table[Any]) -> None:
        self._named = [(row.ident, tuple(dict.fromkeys(key for name in names_held(row) for key in keys_of_name(name))))
                       for row in table]

    @cached_property
    def codes(self) -> Names:
        """Folded code, or key of a name -> codes of the rows."""
        codes: dict[str, list[str]] = {}
        for code, keys in self._named:
            for key in dict.fromkeys((fold(code), *keys)):
                codes.setdefault(key, []).append(code)
        return {key: tuple(rows) for key, rows in codes.items()}

    @cached_property
    def plain_codes(self) -> Names:
        """The same for squares, also by their codes without zeros: ``F5`` is ``F05``."""
        return {**{re.sub(r"(?<=\D)0+(?=\d)", "", key): rows for key, rows in self.codes.items()}, **self.codes}

    @cached_property
    def short_codes(self) -> Names:
        """Codes of several parts without what divides them (``mfl1``: M-FL1), and their last parts in capital letters
        (``YPR``: A-YPR) -> codes of the rows.
        """
        codes: dict[str, list[str]] = {}
        for code, _ in self._named:
            parts = fold(code).split("_")
            last = parts[-1].upper() if code.isupper() and parts[-1].isalpha() and len(parts[-1]) > 2 else ""
            for key in {"".join(parts), last} - {""} if len(parts) > 1 else ():
                codes.setdefault(key, []).append(code)
        return {key: tuple(rows) for key, rows in codes.items()}

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """First word of a code or name -> words of the longest that begins with it."""
        return longest_keys(self.plain_codes)

    @cached_property
    def by_word(self) -> Mapping[str, frozenset[str]]:
        """Word of a name -> codes of the rows in whose names it stands."""
        codes: dict[str, set[str]] = {}
        for code, keys in self._named:
            for word in {word for key in keys for word in key.split("_")}:
                codes.setdefault(word, set()).add(code)
        return {word: frozenset(rows) for word, rows in codes.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        """Every code and name, and every word of one."""
        return frozenset(self.codes).union(word for key in self.codes for word in key.split("_"))

    @cached_property
    def of_several_words(self) -> list[str]:
        """The keys that have more than one word."""
        return [key for key in self.codes if "_" in key]


def longest_keys(keys: Iterable[str]) -> Mapping[str, int]:
    """First word of a key -> words of the longest key that begins with it."""
    longest: dict[str, int] = {}
    for key in keys:
        words = key.split("_")
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


class Lexicon:
    """What words of a book mean in a campaign, as one faction sees it. It serves for any number of sentences."""

    def __init__(self, book: OrderBook, campaign: Campaign, faction: str) -> None:
        self.book, self.campaign, self.faction = book, campaign, faction
        self._tables: dict[str, TableNames] = {}
        self._meant: dict[tuple[str, bool], str] = {}
        self._like: dict[tuple[str, str], str] = {}
        self._phrases: dict[str, bool] = {}

    def table_names(self, record: type[Record]) -> TableNames:
        """What the rows of a table are called; looked up once as long as the lexicon serves."""
        if record.sheet not in self._tables:
            self._tables[record.sheet] = self.campaign.derive(TableNames, record)
        return self._tables[record.sheet]

    @cached_property
    def kinds(self) -> list[Kind]:
        """The columns of all verbs."""
        return [kind for verb in self.book.values() for kind in verb.kinds.values()]

    @cached_property
    def records(self) -> list[type[Record]]:
        """The tables whose rows can be named."""
        return self.book.records()

    @cached_property
    def further_names(self) -> PhraseIndex:
        """What else rows are called, by the book's own words: table and code of each."""
        names = self.book.names(self.campaign) if self.book.names is not None else ()
        return PhraseIndex((name, (record.sheet, code)) for name, record, code in names)

    @cached_property
    def further_codes(self) -> Mapping[str, Names]:
        """The same by table and the key of a name. One that the book writes with an article needs it (``the keep of``).
        """
        codes: dict[str, dict[str, dict[str, None]]] = {}
        for name, record, code in self.book.names(self.campaign) if self.book.names is not None else ():
            if split_words(name)[0].folded in LISTS.name_fillers:
                continue
            known = codes.setdefault(record.sheet, {})
            for key in keys_of_name(name):
                known.setdefault(key, {})[code] = None
        return {sheet: {key: tuple(rows) for key, rows in known.items()} for sheet, known in codes.items()}

    @cached_property
    def _further_words(self) -> Mapping[tuple[str, str], frozenset[str]]:
        """Table, and a word of those names -> the codes."""
        codes: dict[tuple[str, str], set[str]] = {}
        for sheet, names in self.further_codes.items():
            for key, rows in names.items():
                for word in key.split("_"):
                    codes.setdefault((sheet, word), set()).update(rows)
        return {part: frozenset(rows) for part, rows in codes.items()}

    def codes_by_part(self, record: type[Record], word: str) -> list[str]:
        """The codes of the rows of a table in whose names a word stands, if these are few and it says nothing else."""
        titled = word in LISTS.titles and word not in self.words_of_book
        if record.sheet not in self._sheets or len(word) < _SHORTEST_PART or (
                word in self._plain_words and not titled):
            return []
        one, by_word = word.removesuffix("s"), self.table_names(record).by_word
        further = self._further_words.get((record.sheet, word)) or self._further_words.get(
            (record.sheet, one), frozenset())
        rows = by_word.get(word) or by_word.get(one, frozenset())
        codes = further if len(further) == 1 else rows | further
        return sorted(codes) if len(codes) <= (1 if titled else _MOST_ALIKE) else []

    @cached_property
    def _sheets(self) -> frozenset[str]:
        return frozenset(record.sheet for record in self.records)

    @cached_property
    def _plain_words(self) -> frozenset[str]:
        return self.words_of_book.union(LISTS.fillers, LISTS.men, LISTS.titles, LISTS.compass, LISTS.prepositions)

    @cached_property
    def words_of_book(self) -> frozenset[str]:
        """Every form of every word of its verbs and options."""
        words = set(self.book.phrases.vocabulary) | {word for word in LISTS.prepositions if len(word) > _SHORTEST_SLIP}
        return frozenset(words.union(*(kind.phrases.vocabulary for kind in self.kinds)))

    def sort_of(self, text: str) -> str:
        """What a word of a sentence is that has no place there: ``number``, ``direction``, or ``known``, if it is in
        the name of something; "" for others.
        """
        words = SplitSentence(split_words(text), self)
        if not words.tokens or any(words.number(0)):
            return "number" if words.tokens else ""
        if words.tokens[0].folded in LISTS.compass - self.vocabulary:
            return "direction"
        return "known" if any(words.rows(0, self._named_records)) else ""

    def is_phrase(self, text: str) -> bool:
        """Whether words of a sentence are a verb or an option of the book as a whole."""
        if text not in self._phrases:
            self._phrases[text] = any(index.has(text) for index in (self.book.phrases, *(
                kind.phrases for kind in self.kinds)))
        return self._phrases[text]

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that means something."""
        spoken = {id(index): index for kind in self.kinds for index in kind.spoken(self.campaign, self.faction)}
        return self.words_of_book.union(self.further_names.vocabulary, self.words_of_names, *(
            index.vocabulary for index in spoken.values()))

    @cached_property
    def words_of_names(self) -> frozenset[str]:
        """Every name of a row, and every word of it."""
        further = [key for names in self.further_codes.values() for key in names]
        return frozenset(further).union((word for key in further for word in key.split("_")), *(
            self.table_names(record).words for record in self._named_records))

    def is_done_by(self, token: Token) -> bool:
        """Whether a word is the form of a verb of the book in which somebody tells what another one does."""
        word, verbs = token.folded, self.book.phrases.vocabulary
        stems = ((word[:-2], ("are", "ere", "ire")) if word.endswith(("no",)) else
                 (word[:-1], ("are", "ere", "ire")) if word.endswith(("a", "e")) else (word, ()))
        english = {word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)} - {word}
        italian = {stems[0][:-1] + ending if word.endswith("no") else stems[0] + ending for ending in stems[1]}
        return bool((english | italian) & verbs)

    @cached_property
    def spellings(self) -> tuple[list[str], list[str]]:
        """Those long enough to be written with a slip: of names, and all."""
        names, words = ([word for word in sorted(words) if len(word) >= _SHORTEST_SLIP - 1]
                        for words in (self.words_of_names, self.vocabulary))
        return names, words

    @cached_property
    def _named_records(self) -> list[type[Record]]:
        """The tables whose rows can be named, and places."""
        return list(dict.fromkeys([*self.records, Node]))

    @cached_property
    def _sheets_of_squares(self) -> frozenset[str]:
        return frozenset(record.sheet for record in self._named_records if uses_squares(record))

    def codes(self, record: type[Record], key: str) -> tuple[str, ...]:
        """The codes of the rows of a table that are called so; of squares also without their zeros (F5 for F05), where
        nothing else is called so.
        """
        codes = self._rows_called(record, key)
        if codes or record.sheet not in self._sheets_of_squares:
            return codes
        short = self.table_names(record).plain_codes.get(key, ())
        return () if short and any(self._rows_called(other, key) for other in self._named_records) else short

    def longest_name(self, records: Iterable[type[Record]], word: str) -> int:
        """Words of the longest name in some tables that begins with a word."""
        first = word.split("_", maxsplit=1)[0]
        return max((max(self.table_names(record).longest.get(first, 0), self._longest_further.get(first, 0))
                    for record in records), default=0)

    @cached_property
    def _longest_further(self) -> Mapping[str, int]:
        return longest_keys(key for names in self.further_codes.values() for key in names)

    def _rows_called(self, record: type[Record], key: str) -> tuple[str, ...]:
        rows = self.table_names(record).codes.get(key, ())
        further = self.further_codes.get(record.sheet, {}).get(key, ())
        return tuple(dict.fromkeys((*rows, *further))) if further else rows

    def known_word(self, token: Token) -> Token:
        """The word that was meant: the word itself, or the only known one that is like it."""
        key = token.text, token.quoted
        if key not in self._meant:
            self._meant[key] = self._correct(token)
        meant = self._meant[key]
        return token if meant == token.folded else Token(meant)

    def known_name(self, record: type[Record], key: str) -> str:
        """The only name of several words in a table that is like a key; "" for none."""
        if (record.sheet, key) not in self._like:
            from rapidfuzz.distance import DamerauLevenshtein
            from rapidfuzz.process import extract

            names = [*self.table_names(record).of_several_words,
                     *(name for name in self.further_codes.get(record.sheet, ()) if "_" in name)]
            alike = extract(key, names, scorer=DamerauLevenshtein.distance, score_cutoff=1 + (
                len(key) > 2 * _LONG_WORD), limit=2) if len(key) >= _LONG_WORD else ()
            self._like[record.sheet, key] = alike[0][0] if len(alike) == 1 else ""
        return self._like[record.sheet, key]

    def _is_word(self, word: str) -> bool:
        """Whether a folded word means something, or is known to mean nothing."""
        known = (LISTS.prepositions, LISTS.fillers, LISTS.negations, self.book.fillers, LISTS.men, LISTS.doubts)
        return word in self.vocabulary or any(word in words for words in known)

    def _correct(self, token: Token) -> str:
        from rapidfuzz.distance import DamerauLevenshtein
        from rapidfuzz.process import extract

        word = token.folded
        if not token.quoted and word in LISTS.abbreviations and word not in self.vocabulary:
            return LISTS.abbreviations[word]
        if not token.quoted and re.search(r"(.)\1\1", word) and word.isalpha():  # "veloceee"
            drawn = [re.sub(r"(.)\1{2,}", by, word) for by in (r"\1", r"\1\1")]
            word = next((plain for plain in drawn if self._is_word(plain)), word)
            if word in drawn:
                return word
        name = token.text[:1].isupper()
        code = token.text.isupper() and "-" in token.text  # another code is another thing, perhaps a new one
        if len(word) < _SHORTEST_SLIP or token.quoted or code or any(sign.isdigit() for sign in word):
            return word
        if self._is_word(word) or self.vocabulary & token.forms:
            return word
        if number_in_words(token.text.casefold()) is not None:
            return word
        most = 2 if name and len(word) >= _LONG_WORD else 1
        for spellings in self.spellings[not name:]:
            alike = extract(word, spellings, scorer=DamerauLevenshtein.distance, score_cutoff=most, limit=9)
            near = sorted((distance, like) for like, distance, _ in alike if name or (like[0] == word[0] and (
                len(word) > _SHORTEST_SLIP or (len(like) > len(word) and like[-1] == word[-1]))))  # a letter left out
            if near:
                best = [like for distance, like in near if distance == near[0][0]]
                best = [like for like in best if _singled(like) == _singled(word)] or best
                return best[0] if len(best) == 1 else word
        return word


def _singled(word: str) -> str:
    """A word without its doubled letters, of which people write one too few, or too many."""
    return re.sub(r"(.)\1", r"\1", word)


NamedRow = tuple[type[Record], str]
"""A row that a sentence names: its table and its code."""


class NameKey(NamedTuple):
    """What name may stand at a place: of how many words of the sentence, and of the name; how it is looked up; whether
    each word has a capital letter.
    """

    words: int
    counting: int
    key: str
    capitals: bool


class SplitSentence:
    """The words of a sentence, and what may stand at each place of it (`columns.Sentence`)."""

    def __init__(self, tokens: Sequence[Token], lexicon: Lexicon) -> None:
        self.typed, self.tokens, self.lexicon = tokens, [lexicon.known_word(token) for token in tokens], lexicon
        self.campaign, self.faction = lexicon.campaign, lexicon.faction
        self._pieces: dict[tuple[int, int], list[tuple[int, Any]]] = {}
        self._rows: dict[tuple[Any, ...], list[tuple[int, str]]] = {}
        self._naming: dict[tuple[int, tuple[type[Record], ...]], bool] = {}
        self._further: dict[int, list[tuple[int, tuple[str, str]]]] = {}
        self._numbers: dict[int, list[tuple[int, int]]] = {}
        self._keys: dict[int, list[NameKey]] = {}
        self._names: dict[tuple[int, tuple[type[Record], ...]], list[tuple[int, str, list[NamedRow]]]] = {}
        self.layouts: dict[tuple[str, int], list[Any]] = {}
        """The ways in which it was laid over verbs: verb, and how many words may have no place."""
        self.quotes = any(token.quoted for token in self.tokens)

    exact = False
    """Whether it is in the book's notation."""

    @cached_property
    def verb_words(self) -> list[list[tuple[int, str]]]:
        """For each place the words of verbs there: how many, and the verb."""
        phrases = self.lexicon.book.phrases
        words = [list(dict.fromkeys(phrases.at(self.tokens, at))) for at in range(len(self.tokens))]
        for at, verb in dict.fromkeys(phrases.two_part_places(self.tokens)):
            words[at].append((1, verb))
        return words

    def is_another(self, at: int) -> bool:
        """Whether a word stands for a second thing of the sort named before: ``the one at Trent``."""
        words = [token.folded for token in self.tokens[max(at - 1, 0):at + 2]]
        return 0 < at < len(self.tokens) - 1 and words[2] in LISTS.prepositions and (
            words[1] in LISTS.another or (words[1] == "one" and words[0] in ("the", "that", "other")))

    def means_there(self, at: int) -> bool:
        """Whether a word stands for a place that was named before: ``from there to Padova``."""
        word = self.typed[at]
        return word.folded in LISTS.there - LISTS.articles or word.text.casefold() in ("là", "lì")

    def pieces(self, start: int, kind: Kind) -> list[tuple[int, Any]]:
        """What the words at a place may mean in a column."""
        key = start, id(kind)
        if key not in self._pieces:
            self._pieces[key] = list(dict.fromkeys(kind.pieces(self, start)))
        return self._pieces[key]

    def rows(self, start: int, records: Iterable[type[Record]], kind: Kind | None = None) -> Iterator[tuple[int, str]]:
        """The rows of some tables that are named at a place, the longest name first; of several of one name those that
        fit a column.
        """
        tables = tuple(records)
        key = start, tables, id(kind)
        if key not in self._rows:
            self._rows[key] = list(self._rows_at(start, tables, kind)) if self._may_name(start, tables) else []
        return iter(self._rows[key])

    def _may_name(self, start: int, tables: tuple[type[Record], ...]) -> bool:
        """Whether a word may begin what a row of some tables is called, whatever the column: most words do not."""
        key = start, tables
        if key not in self._naming:
            word = self.tokens[start].folded
            self._naming[key] = any(word in words for words in (
                LISTS.name_fillers, LISTS.men, LISTS.titles, LISTS.ordinals, LISTS.garrisons)) or bool(
                self._names_at(start, tables) or self._names_at(start, (Node,)) or self._further_at(start)
                or self._men_behind(start + 1) or self._men_behind(start + 2))
        return self._naming[key]

    def _further_at(self, start: int) -> list[tuple[int, tuple[str, str]]]:
        """What is named at a place by the book's own words: how many words, table and code."""
        if start not in self._further:
            self._further[start] = list(self.phrases(start, self.lexicon.further_names))
        return self._further[start]

    def _rows_at(self, start: int, tables: Sequence[type[Record]], kind: Kind | None) -> Iterator[tuple[int, str]]:
        yield from self._named_rows(start, tables, kind)
        for count, (sheet, code) in self._further_at(start):
            if any(record.sheet == sheet for record in tables):
                yield count, code
        yield from self._described_units(start, tables, kind)
        yield from self._things_at_place(start, tables, kind)

    def _things_at_place(self, start: int, tables: Sequence[type[Record]],
                         kind: Kind | None) -> Iterator[tuple[int, str]]:
        """What stands alone at a place of the map, in a column for such things: ``besieges Malmesbury``."""
        things = [record for record in tables if not issubclass(record, (Army, Node)) and hasattr(record, "node")]
        leaving = start > 0 and "from" in LISTS.prepositions.get(self.tokens[start - 1].folded, ())
        if kind is None or not things or leaving:
            return
        for count, node in self._named_rows(start, [Node], None):
            codes = [str(row.ident) for record in things for row in self.campaign.by_sheet(record.sheet)
                     if row.node == node and kind.fits(row, self.faction)]
            if len(codes) == 1:
                yield count, codes[0]

    def _keys_at(self, start: int) -> list[NameKey]:
        """The names that may stand at a place, the longest first."""
        if start not in self._keys:
            keys: list[NameKey] = []
            counting: list[str] = []
            capitals = True
            for count, token in enumerate(self.tokens[start:start + LONGEST_NAME], 1):
                capitals = capitals and token.text[:1].isupper()
                if token.folded not in LISTS.name_fillers:
                    counting.append(token.folded)
                    keys.append(NameKey(count, len(counting), "_".join(counting), capitals))
            self._keys[start] = keys[::-1]
        return self._keys[start]

    def _names_at(self, start: int, tables: Sequence[type[Record]]) -> list[tuple[int, str, list[NamedRow]]]:
        """The names of rows of some tables at a place, the longest first: how many words, the key, and who is called
        so. Whatever the column, they are the same.
        """
        known = start, tuple(tables)
        if known not in self._names:
            names = self._names[known] = []
            longest = self.lexicon.longest_name(tables, self.tokens[start].folded)
            for count, counting, key, capitals in self._keys_at(start):
                rows = [(record, code) for record in tables for code in self.lexicon.codes(record, key)
                        if not self._is_everyday(start, count, code)] if counting <= longest else []
                if not rows and count == 1:
                    rows = self._rows_in_short(start, key, tables)
                elif not rows and (capitals or 1 < counting <= longest) and not self.exact:
                    rows = [(record, code) for record in tables for code in self.lexicon.codes(
                        record, self.lexicon.known_name(record, key))]
                if rows:
                    names.append((count, key, rows))
        return self._names[known]

    def _named_rows(self, start: int, tables: Sequence[type[Record]], kind: Kind | None) -> Iterator[tuple[int, str]]:
        """Rows by their codes and names, with the word for a unit behind them."""
        words = [token.folded for token in self.tokens[start:start + 1]]
        if not words or words[0] in LISTS.name_fillers:
            yield from ((1, code) for record in tables for word in words
                        for code in self.lexicon.codes(record, word) if code == self.tokens[start].text)
            return
        for count, key, rows in self._names_at(start, tables):
            if len(rows) > 1 and (behind := self._code_behind(start + count, rows)):
                yield count + 1, behind
                continue
            for record, code in self._fitting(rows, kind):
                men = self._men_behind(start + count) if issubclass(record, Army) else 0
                coded = key != fold(code) and self._code_behind(start + count, [(record, code)]) == code
                yield count + (men or coded), code
                holds = start + count < len(self.tokens) and self.tokens[start + count].folded in LISTS.garrisons
                if holds and kind is not None and kind.acts:
                    yield count + 1, code

    def _of_own(self, rows: list[NamedRow]) -> list[NamedRow]:
        """Of some rows those of the faction, if there are any."""
        return [(record, code) for record, code in rows
                if self.faction in self.campaign.by_sheet(record.sheet)[code].owners] or rows

    def _looks_coded(self, typed: str) -> bool:
        """Whether a word may be a code in short: in capital letters, or with a number at its end."""
        return typed.isupper() or typed[-1:].isdigit()

    def _is_everyday(self, start: int, count: int, code: str) -> bool:
        """Whether a word that is a code in capital letters says nothing in small ones: ``che`` is no earl of Chester.
        """
        word = self.tokens[start]
        return not self.exact and count == 1 and word.text.islower() and word.folded in LISTS.fillers and (
            code.isupper() and fold(code) == word.folded)

    def _code_behind(self, at: int, rows: Sequence[NamedRow]) -> str:
        """The one of some rows of one name whose code stands behind it."""
        word = self.tokens[at].folded if at < len(self.tokens) else ""
        return next((code for _, code in rows if fold(code) in (word, fold(f"{self.faction}-{word}"))), "")

    @cached_property
    def _in_names(self) -> frozenset[int]:
        """The places of words that belong to a whole name, which then do not stand for another one."""
        places: set[int] = set()
        for start in range(len(self.tokens)):
            records, keys = self.lexicon.records, self._keys_at(start)
            longest = self.lexicon.longest_name(records, keys[-1].key) if keys else 0
            for count, counting, key, _ in keys:
                if counting <= longest and any(self.lexicon.codes(record, key) for record in records):
                    places.update(range(start, start + count))
        return frozenset(places)

    def _rows_in_short(self, start: int, word: str, tables: Sequence[type[Record]]) -> list[NamedRow]:
        """A row by its code without the faction's, or by a word that no other name has."""
        own = (fold(f"{self.faction}-{word}"), re.sub(r"(?<=[a-z])(?=\d)", "_", word)) if any(
            sign.isdigit() for sign in word) else ()  # 2 or V2 for V-2
        rows = [(record, code) for key in own for record in tables for code in self.lexicon.codes(record, key)]
        if rows or self.exact:
            return rows
        typed = self.tokens[start].text
        spelled = dict.fromkeys((word, typed)) if self._looks_coded(typed) else ()
        short = [(record, code) for record in tables for key in spelled
                 for code in self.lexicon.table_names(record).short_codes.get(key, ())]
        if 0 < len(short := self._of_own(short)) <= _MOST_ALIKE:
            return short
        if start in self._in_names:
            return []
        rows = [(record, code) for record in tables for code in self.lexicon.codes_by_part(record, word)]
        if rows or not typed[:1].isupper() or not start or self.tokens[start - 1].folded not in LISTS.name_fillers:
            return rows
        called: list[NamedRow] = [(record, code) for record in tables if issubclass(record, Army)
                  for code in self.lexicon.table_names(record).by_word.get(word, ())
                  if self.faction in self.campaign.by_sheet(record.sheet)[code].owners]
        return called if len(called) == 1 else []  # "the Blockade", where that is a deed, too

    def _fitting(self, named: Sequence[NamedRow], kind: Kind | None) -> list[NamedRow]:
        rows = list(dict.fromkeys(named))
        if kind is None or len(rows) < 2:
            return rows
        return [(record, code) for record, code in rows
                if kind.fits(self.campaign.by_sheet(record.sheet)[code], self.faction)] or rows

    def _men_behind(self, at: int) -> int:
        """How many words there say that a unit was named: ``'s men``."""
        words = [token.folded for token in self.tokens[at:at + 2]]
        if words[:1] == ["s"] and words[1:] and words[1] in LISTS.men:
            return 2
        return 1 if words and words[0] in LISTS.men else 0

    def _described_units(self, start: int, tables: Sequence[type[Record]],
                         kind: Kind | None) -> Iterator[tuple[int, str]]:
        """Own units by whose men they are, by where they stand, or by their number: ``the men of Bohun``, ``the army at
        Trento``, ``the Trento army``, ``the second army``.
        """
        word = self.tokens[start].folded
        units = [record for record in tables if issubclass(record, Army)]
        if kind is not None and kind.acts and word in LISTS.garrisons and len(units) < len(tables):
            others = [record for record in tables if record not in units and not any(
                column.name == "faction" for column in record.columns())]  # carts have no garrison
            at = next((at for at in range(start + 1, len(self.tokens))
                       if self.tokens[at].folded not in LISTS.name_fillers), start)
            held = [*self._named_rows(at, others, kind), *self._things_at_place(at, others, kind)] if at > start else []
            yield from ((at + count - start, code) for count, code in held if any(
                kind.fits(row, self.faction) for record in others for row in [self.campaign.by_sheet(record.sheet).get(
                    code)] if row is not None))
        if kind is None or not units:
            return
        if word in LISTS.ordinals and self._men_behind(start + 1) == 1:
            yield from ((2, code) for code in self._units_by_number(LISTS.ordinals[word], units, kind))
        if word in LISTS.men or word in LISTS.titles:
            at = start + 1
            while at < len(self.tokens) and self.tokens[at].folded in LISTS.name_fillers:
                at += 1
            for count, code in self._named_rows(at, units, kind):
                yield at + count - start, code
            for count, number in self.number(at) if word in LISTS.men else ():
                yield from ((at + count - start, code) for code in self._units_by_number(number, units, kind))
            while at < len(self.tokens) and word in LISTS.men and self.tokens[at].folded in LISTS.standing:
                at += 1
            leading = self.tokens[at].folded if at < len(self.tokens) else ""
            at += bool(LISTS.prepositions.get(leading, frozenset()) & {"at", "from"})
            for count, node in self._named_rows(at, [Node], None) if word in LISTS.men else ():
                yield from ((at + count - start, code) for code in self._standing(node, units, kind))
        for count, node in self._named_rows(start, [Node], None):
            if men := self._men_behind(start + count):
                yield from ((count + men, code) for code in self._standing(node, units, kind))
        for record in self.lexicon.records:  # "Aurelien's army", which others may lead
            leads = record not in units and any(column.name == "army" for column in record.columns())
            for count, code in self._named_rows(start, [record], None) if leads else ():
                army = getattr(self.campaign.by_sheet(record.sheet)[code], "army", "")
                if army and (men := self._men_behind(start + count)):
                    yield count + men, str(army)

    def _units_by_number(self, number: int, units: Sequence[type[Record]], kind: Kind) -> list[str]:
        """The only own unit whose code ends in a number."""
        codes = [str(row.ident) for row in self._own(units, kind) if re.search(rf"(?<!\d)0*{number}$", str(row.ident))]
        return codes if len(codes) == 1 else []

    def _standing(self, node: str, units: Sequence[type[Record]], kind: Kind) -> list[str]:
        """The only own unit at a place."""
        codes = [str(row.ident) for row in self._own(units, kind) if row.node == node]
        return codes if len(codes) == 1 else []

    def _own(self, units: Sequence[type[Record]], kind: Kind) -> Iterator[Any]:
        for record in units:
            for row in self.campaign.by_sheet(record.sheet):
                if self.faction in row.owners and kind.fits(row, self.faction):
                    yield row

    def options(self, start: int, kind: Kind) -> Iterator[tuple[int, str]]:
        """The options of a column that are named at a place."""
        yield from kind.phrases.at(self.tokens, start)

    def phrases(self, start: int, index: PhraseIndex) -> Iterator[tuple[int, Any]]:
        """The phrases of an index that stand at a place."""
        if start < len(self.tokens):
            yield from index.at(self.tokens, start)

    def number(self, start: int) -> list[tuple[int, int]]:
        """The number at a place, in digits or words."""
        if start not in self._numbers:
            self._numbers[start] = list(self._number_at(start))
        return self._numbers[start]

    def _number_at(self, start: int) -> Iterator[tuple[int, int]]:
        text = self.word(start)
        if re.fullmatch(r"[£$€]?\d{1,9}[£$€d]?", text):
            yield 1, int(text.strip("£$€d"))
            return
        if text.casefold() in LISTS.ones:
            behind = fold(self.word(start + 1))
            if behind in LISTS.how_many:
                yield 2, LISTS.how_many[behind]
            if behind in LISTS.some or behind in LISTS.how_many:
                return
            yield 1, 1
        if text.casefold() in LISTS.how_many:
            yield 1, LISTS.how_many[text.casefold()]
        for count in range(min(LONGEST_NUMBER, len(self.tokens) - start), 0, -1):
            value = number_in_words(" ".join(token.text.casefold() for token in self.tokens[start:start + count]))
            if value is not None:
                yield count, value
                return

    def word(self, start: int) -> str:
        """The word at a place, as it stands; "" behind the last."""
        return self.tokens[start].text if start < len(self.tokens) else ""

    def is_quoted(self, start: int) -> bool:
        """Whether it stands in quotes."""
        return self.tokens[start].quoted

    def leads_on(self, start: int) -> bool:
        """Whether it is a preposition."""
        return self.tokens[start].folded in LISTS.prepositions

    def looks_like(self, word: str, sort: Sort) -> bool:
        """Whether a word looks like a code of a sort in the book."""
        shapes = self.lexicon.book.shapes
        return re.fullmatch(shapes.unit if sort == "unit" else shapes.place, word) is not None

    def unknown_unit(self, start: int) -> str:
        """The word there if it looks like a unit's code and is none of any row; else ""."""
        word = self.tokens[start].text
        if not re.fullmatch(self.lexicon.book.shapes.unit, word):
            return ""
        spelled = (fold(word), fold(f"{self.faction}-{word}"))
        known = any(self.lexicon.codes(record, key) for record in self.lexicon.records for key in spelled)
        return "" if known else word.upper()


# --- as the book writes it ------------------------------------------------------------------------
class ExactLexicon(Lexicon):
    """What the words of the book's own notation mean: codes and whole names, with no slip mended. The campaign is all
    of it, as a line may name what its faction does not see; who reads it then judges by the fields alone.
    """

    @cached_property
    def further_codes(self) -> Mapping[str, Names]:
        """None: the notation has codes and names of rows alone."""
        return {}

    def known_word(self, token: Token) -> Token:
        """The word as it stands."""
        return token

    def codes(self, record: type[Record], key: str) -> tuple[str, ...]:
        """The codes of the rows of a table that are called so; squares also without their zeros."""
        names = self.table_names(record)
        return (names.plain_codes if uses_squares(record) else names.codes).get(key, ())


class ExactSentence(SplitSentence):
    """The words of a line in the book's notation. `verb`: where its verb stands, how many words that is, its code."""

    exact = True

    def __init__(self, tokens: Sequence[Token], lexicon: Lexicon, verb: tuple[int, int, str]) -> None:
        super().__init__(tokens, lexicon)
        self.verb = verb

    @cached_property
    def verb_words(self) -> list[list[tuple[int, str]]]:
        """The verb."""
        at, count, code = self.verb
        return [[(count, code)] if count and place == at else [] for place in range(len(self.tokens))]

    def _may_name(self, start: int, tables: tuple[type[Record], ...]) -> bool:
        """Any word may."""
        return True

    def _rows_at(self, start: int, tables: Sequence[type[Record]], kind: Kind | None) -> Iterator[tuple[int, str]]:
        """The rows of some tables that have a code or a name."""
        yield from self._named_rows(start, tables, kind)

    def pieces(self, start: int, kind: Kind) -> list[tuple[int, Any]]:
        """What the words at a place mean in a column, or what stands there in the place of a code."""
        if start not in range(self.verb[0], self.verb[0] + self.verb[1]):
            return super().pieces(start, kind) or list(kind.as_typed(self, start))
        return []

    def _named_rows(self, start: int, tables: Sequence[type[Record]], kind: Kind | None) -> Iterator[tuple[int, str]]:
        """Rows by their codes and names; a name that several have stays, as nobody chooses for the club."""
        by_length: dict[int, list[str]] = {}
        for count, code in super()._named_rows(start, tables, kind):
            by_length.setdefault(count, []).append(code)
        quoted = keys_of_name(self.tokens[start].text) if self.tokens[start].quoted else []
        if codes := [code for record in tables for key in quoted for code in self.lexicon.codes(record, key)]:
            by_length[1] = codes[:1]
        for count, codes in by_length.items():
            words = fold(" ".join(token.text for token in self.tokens[start:start + count]))
            names = (name for record in tables for row in [self.campaign.by_sheet(record.sheet).get(codes[0])]
                     if row is not None and kind is not None for name in names_held(row) if fold(name) == words)
            yield count, codes[0] if len(codes) == 1 else next(names, words)

    def _fitting(self, named: Sequence[NamedRow], kind: Kind | None) -> list[NamedRow]:
        """Of some rows of one name those of its own, where it is its own that is meant."""
        rows = list(dict.fromkeys(named))
        return super()._fitting(rows, kind) if kind is not None and kind.acts else rows
