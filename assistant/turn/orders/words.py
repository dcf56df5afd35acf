"""Words as people type them, whatever case, accents and marks; files of words (`words.toml`); rows by code or name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, overload

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Square
from assistant.campaign.records import names_held
from assistant.campaign.tables import Record, Table
from assistant.turn.findings import nearest
from assistant.turn.orders.requests import Refused

# Files of words (TOML): by what else people say a verb or a thing, in lists that anybody can proofread and extend.
#
# A file has tables of entries, each of which lists words and phrases, by language or together::
#
#     [groups.money]                        # a list that others take over with `as`
#     en = ["gold", "coin"]
#     it = ["oro", "moneta"]
#
#     [verbs.bury]
#     as = ["money", "put"]                 # groups of this file, or of `words.toml` beside this module
#     but = ["drop"]                        # words of those groups that are left out
#     en = ["hide", "hide the salt"]
#     it = ["nascondere"]
#     apart = [["money", "holes"]]          # each word of a group ... each of another one, with others between them
#
#     [places]
#     Genova = ["Genoa"]                    # an entry of one list, in whatever language
#
# Verbs may be in the infinitive or any form. The order of words makes no difference, nor does a word that stands twice.


_LANGUAGES = ("en", "it")
GROUPS = "groups"
"""The table whose entries others take over."""
APART = " ... "
"""What stands in a phrase for other words between its two parts: ``send ... home``."""
_KEYS = frozenset((*_LANGUAGES, "as", "but", "apart"))


class BrokenWords(ValueError):
    """A file of words that cannot be used; says which file, which line and why."""


class Words(Mapping[str, Sequence[str]]):
    """A table of a file: entry -> its words. The file is read as soon as somebody looks.

    Raises `BrokenWords`, where it is read, for a file that cannot be used.
    """

    def __init__(self, file: WordFile, table: str) -> None:
        self.file, self.table = file, table

    @property
    def _entries(self) -> Mapping[str, tuple[str, ...]]:
        if self.table not in self.file.tables:
            raise BrokenWords(f"{self.file.path}: there is no table {self.table}")
        return self.file.tables[self.table]

    def __getitem__(self, entry: str) -> tuple[str, ...]:
        return self._entries[entry]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def line(self, entry: str) -> int:
        """The line of the file in which an entry stands."""
        return self.file.line(self.table, entry)


class WordGroup(Sequence[str]):
    """The words of one entry of a table; the file is read as soon as somebody looks."""

    def __init__(self, words: Words, entry: str) -> None:
        self.words, self.entry = words, entry

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self.words[self.entry][at]

    def __len__(self) -> int:
        return len(self.words[self.entry])


class WordFile:
    """A file of words, which may take over groups of the floor's (`SHARED`). It is read when somebody looks."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, table: str) -> Words:
        """A table, which is looked for when it is used."""
        return Words(self, table)

    def group(self, name: str) -> WordGroup:
        """A list that other entries take over, which is looked for when it is used."""
        return WordGroup(self[GROUPS], name)

    @cached_property
    def tables(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """All tables, read once. Raises `BrokenWords`."""
        return {table: {entry: self._words(table, entry) for entry in entries}
                for table, entries in self._written.items()}

    @cached_property
    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8-sig")  # as an editor on Windows may write it
        except UnicodeDecodeError as fault:
            line = self.path.read_bytes()[:fault.start].count(b"\n") + 1
            raise BrokenWords(f"{self.path}, line {line}: not UTF-8") from fault
        except FileNotFoundError as fault:
            raise BrokenWords(f"{self.path}: there is no such file") from fault
        except OSError as fault:
            raise BrokenWords(f"{self.path}: {fault.strerror}") from fault

    @cached_property
    def _written(self) -> Mapping[str, Mapping[str, Any]]:
        """The tables as they are written, checked for their form."""
        import tomllib

        try:
            written = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as fault:  # whose message ends with line and column, or the end of the file
            at = re.search(r" \(at line (\d+), column \d+\)$", str(fault))
            line = int(at[1]) if at else self._text.count("\n") + 1
            raise BrokenWords(f"{self.path}, line {line}: {str(fault)[:at.start()] if at else fault}") from fault
        for table, entries in written.items():
            if not isinstance(entries, dict):
                raise self.broken(f"{table} is no table of entries", table)
            for entry, listed in entries.items():
                self._check(table, entry, listed)
        return written

    def _check(self, table: str, entry: str, listed: Any) -> None:
        lists = listed if isinstance(listed, dict) else {"en": listed}
        for key, words in lists.items():
            if key not in _KEYS:
                raise self.broken(f"'{key}' is none of {', '.join(sorted(_KEYS))}", table, entry, key)
            if not isinstance(words, list):
                raise self.broken(f"'{key}' is no list", table, entry, key)
            for word in words:
                pair = key == "apart" and isinstance(word, list) and len(word) == 2
                for part in word if pair else [word]:
                    if (key == "apart") is not pair or not isinstance(part, str) or not part.strip():
                        raise self.broken(f"{word!r} is no {'pair of groups' if key == 'apart' else 'word'}",
                                          table, entry, key)

    def _words(self, table: str, entry: str, within: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The words of an entry, each once. `within`: the groups that are taking it over."""
        listed = self._written[table][entry]
        if not isinstance(listed, dict):
            return tuple(dict.fromkeys(listed))

        def taken(group: str) -> tuple[str, ...]:
            if group in within:
                raise self.broken(f"the group {group} takes itself over", table, entry, group)
            if group in self._written.get(GROUPS, ()):
                return self._words(GROUPS, group, (*within, group))
            if self is not SHARED and group in SHARED.tables[GROUPS]:
                return SHARED.tables[GROUPS][group]
            raise self.broken(f"there is no group {group}", table, entry, group)

        words = [word for group in listed.get("as", ()) for word in taken(group)]
        if unknown := [word for word in listed.get("but", ()) if word not in words]:
            raise self.broken(f"no group of 'as' has the word '{unknown[0]}'", table, entry, unknown[0])
        words = [word for word in words if word not in listed.get("but", ())]
        words += [word for lang in _LANGUAGES for word in listed.get(lang, ())]
        words += [first + APART + last for one, other in listed.get("apart", ()) for first in taken(one)
                  for last in taken(other)]
        return tuple(dict.fromkeys(words))

    def broken(self, why: str, table: str, entry: str = "", word: str = "") -> BrokenWords:
        """What is to be raised for a fault in an entry, with the line in which the entry, or a word of it, stands."""
        return BrokenWords(f"{self.path}, line {self.line(table, entry, word)}: {why}")

    def line(self, table: str, entry: str, word: str = "") -> int:
        """The line in which an entry stands, or a word of it; 1 for what stands nowhere."""
        name = rf"[\"']?{re.escape(entry)}[\"']?"
        head = rf"^\s*\[\s*{re.escape(table)}\s*\.\s*{name}\s*\]"
        inside = rf"^\s*\[\s*{re.escape(table)}\s*\](?:\n(?!\s*\[).*)*?\n\s*{name}\s*="
        found = re.search(head, self._text, re.M) or re.search(inside, self._text, re.M) or re.search(
            rf"^\s*\[?\s*{re.escape(table)}\b", self._text, re.M)
        if found is None:
            return 1
        end = found.end()
        rest = re.compile(r"^\s*\[[^\[\]\"',]+\]\s*(?:#.*)?$", re.M).search(self._text, end)
        at = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(
            self._text, end, rest.start() if rest else len(self._text)) if word else None
        return self._text.count("\n", 0, at.start() if at else end) + 1


SHARED = WordFile(Path(__file__).with_name("words.toml"))
"""The words that every book knows, and the groups that any other file may take over."""


# Words -> codes. Verbs may be in the imperative or the infinitive.


_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "are": ("a", "o", "i", "ate", "ano"),
    "ere": ("i", "e", "o", "ete", "ono"),
    "ire": ("i", "e", "o", "ite", "ono", "isci", "isce", "isco"),
    "arsi": ("a", "o", "ati", "atevi"),
    "ersi": ("i", "e", "o", "iti", "etevi"),
    "irsi": ("i", "e", "o", "iti", "itevi"),
}
"""Ending of an Italian infinitive -> those of the forms in which somebody orders or says what he does."""
_SHORTEST_STEM = 2


@lru_cache(maxsize=16384)
def fold(word: str) -> str:
    """A word without case, accents and outer blanks; inner blanks, hyphens and apostrophes become ``_``."""
    bare = unicodedata.normalize("NFKD", word.strip().casefold())
    return re.sub(r"[\s_'’-]+", "_", "".join(c for c in bare if not unicodedata.combining(c)))


class WordLists:
    """The words that tell how a sentence of any book is to be read, folded: groups and tables of `words.toml` beside
    this module, which says what each is for.
    """

    def __getattr__(self, name: str) -> frozenset[str]:
        """A group of the floor's words as a set of folded words, made when somebody asks for it."""
        if name.startswith("_") or name not in SHARED.tables[GROUPS]:
            raise AttributeError(name)
        words = self.__dict__[name] = frozenset(map(fold, SHARED.group(name)))
        return words

    @cached_property
    def prepositions(self) -> Mapping[str, frozenset[str]]:
        """Preposition -> what the words behind it may be."""
        return {word: frozenset(roles.split()) for word, roles in _by_word("prepositions").items()}

    @cached_property
    def in_short(self) -> Mapping[str, str]:
        """Phrase of several words -> the preposition that says the same, or "" where it says nothing."""
        idle = (phrase.casefold() for phrase in SHARED.group("idle_phrases"))
        return {**dict.fromkeys(idle, ""), **_by_word("in_short")}

    def is_manner(self, word: str) -> bool:
        """Whether a folded word is an adverb that only says how something is done."""
        return word in self.manner

    @cached_property
    def abbreviations(self) -> Mapping[str, str]:
        """Abbreviation -> the word."""
        return _by_word("abbreviations")

    @cached_property
    def other_tongue(self) -> Mapping[str, str]:
        """Word of names, English -> Italian."""
        return _by_word("names")

    @cached_property
    def ordinals(self) -> Mapping[str, int]:
        """Word -> number in a row."""
        return {word: int(number) for word, number in _by_word("ordinals").items()}

    @cached_property
    def how_many(self) -> Mapping[str, int]:
        """Noun -> number."""
        return {word: int(number) for word, number in _by_word("how_many").items()}

    @cached_property
    def irregular(self) -> Mapping[str, frozenset[str]]:
        """Word -> its forms that follow no rule, folded."""
        return {word: frozenset(map(fold, forms)) for word, forms in SHARED["irregular"].items()}


def _by_word(table: str) -> dict[str, str]:
    return {word: entry for entry, words in SHARED[table].items() for word in words}


class Patterns:
    """How people say what takes many words: the regular expressions of `words.toml`."""

    def __getattr__(self, name: str) -> str:
        """An expression, put together when somebody asks for it."""
        if name.startswith("_") or name not in SHARED["patterns"]:
            raise AttributeError(name)
        pattern = self.__dict__[name] = re.sub("%([a-z_]+)%", lambda part: str(getattr(self, part[1])), "".join(
            SHARED["patterns"][name]))
        return str(pattern)


LISTS, PATTERNS = WordLists(), Patterns()


class WordIndex:
    """What words mean: folded word -> code."""

    def __init__(self, known: Mapping[str, Iterable[str]]) -> None:
        """`known`: code -> its words in both languages, the code itself not named. A code beats another's word."""
        self._codes = {fold(word): code for code, words in known.items() for word in words}
        self._codes |= {fold(code): code for code in known}

    def code(self, word: str) -> str:
        """The code that a word means, "" for a word that is none."""
        return self._codes.get(fold(word), "")

    def code_of_infinitive(self, word: str) -> str:
        """The code that the imperative of a word means (``muovere``: that of ``muovi``), "" where there is none."""
        typed = fold(word).removeprefix("to_")
        return next((self._codes[form] for form in (typed, *imperative_forms(typed)) if form in self._codes), "")


# --- verbs ------------------------------------------------------------------------------------------
def imperative_forms(infinitive: str) -> Iterator[str]:
    """The forms used instead of an Italian infinitive, all folded (``attaccare``: ``attacca``, ``attacco``, ...).

    Nothing for a word that has no such ending.
    """
    yield from SHARED["imperatives"].get(infinitive, ())
    for ending, others in _ENDINGS.items():
        stem = infinitive.removesuffix(ending)
        if stem == infinitive or len(stem) < _SHORTEST_STEM:
            continue
        yield from (stem + other for other in others)
        if stem.endswith("i"):  # sciogliere: sciogli
            yield stem
        if ending.endswith("si"):
            yield from (f"si_{stem}{other}" for other in others)


def meaning_of_word(word: str, known: Mapping[str, str]) -> str:
    """The meaning of a word, given known ones (word -> meaning); "" for any other word.

    ``accettare`` is understood where ``accetta`` is known and the other way round, ``to attack`` where ``attack`` is.
    """
    table = {fold(word): meant for word, meant in known.items()}
    typed = fold(word)
    for form in (typed, typed.removeprefix("to_"), *imperative_forms(typed)):
        if form in table:
            return table[form]
    return next((meant for known_word, meant in table.items() if typed in imperative_forms(known_word)), "")


# Text as people send it: the filled-in template between its marks, and lines without list marks and quotes.
#
# Each report contains the template between two marked lines, in either language.


MARKS = {
    "en": ("#===== ARBITRO: BEGIN =====", "#===== ARBITRO: END ====="),
    "it": ("#===== ARBITRO: INIZIO =====", "#===== ARBITRO: FINE ====="),
}
"""The lines before and behind what counts, by language."""
REMARKS = ("#", ";")
"""How a line begins that does not count."""
_BEGIN, _END = frozenset(first for first, _ in MARKS.values()), frozenset(last for _, last in MARKS.values())
_QUOTED = re.compile(r"(\s*>)+ ?")
_PICTURES = "\u231a-\u23ff\u2460-\u27bf\u2b00-\u2bff\ufe0e\ufe0f\u200d\U0001f000-\U0001faff\U000e0020-\U000e007f"
"""Emoji with what joins and colours them, numbers in circles, and the shapes that stand before a list's items."""
_ITEM = rf"""(?x)
    \(?\d+[.)][*_]*\s+                              # never an amount: none has a stop or a bracket and then a blank
    | \d+\)(?=[^\W\d_]) | \d\d?\.(?=[^\W\d_][^\s.]*(?:\s|$))  # 1.V6 V7; a question's name has further stops
    | (?:\d\ufe0f?\u20e3)+\s*
    | [-+*\u00b7\u2010-\u2015\u2212]+\s+
    | [\u2022\u2023\u2043\u2219{_PICTURES}]+\s*
    | [*_]+(?=\S)"""
_BEHIND = rf"(?:\s*[*{_PICTURES}]|(?<!\s)_)+$"
"""Without a ``_`` that stands alone: it is a blank that nobody has filled in."""
_QUOTES = "\"\u201c-\u201f\u2033\u00ab\u00bb\u275d\u275e\u300c-\u300f\uff02"
_SINGLE = "'`\u00b4\u2018-\u201b\u2032\u2039\u203a"
_IN_QUOTES = rf"(?:<<|,,|''|[{_QUOTES}{_SINGLE}])(.*?)(?:>>|''|[{_QUOTES}{_SINGLE}])"
_HALF_QUOTED = rf"[{_QUOTES}]([^{_QUOTES}]+)|([^{_QUOTES}]+)[{_QUOTES}]"
_ENDS_A_QUOTE = rf"[^{_QUOTES}]*[^\s{_QUOTES}][{_QUOTES}]"
_POLITE_END = (r"(?i)[\s,;]+(?:(?:if\s+you\s+)?please|pls|plz|thanks|thank\s+you|per\s+favore|per\s+piacere|grazie)"
               r"[\s.!]*$")
"""Politeness behind an order."""


def is_remark(line: str) -> bool:
    """Whether a line is blank or a remark, and so does not count."""
    return not line.strip() or line.lstrip().startswith(REMARKS)


def strip_marks(line: str) -> str:
    """A line without the mark of a list before it (``1.``, ``2)``, ``-``, ``•``) and without what surrounds it: quotes,
    ``*bold*``, emoji, *please* behind it. What is nothing but such signs stays; a line that begins with a name in
    quotes keeps it.
    """
    was, left = "", line.strip()
    # marks stand inside one another, as in a quoted line of a numbered list, so until nothing changes
    while left != was:
        was = left
        left = re.sub(_ITEM, "", left, count=1) if re.match(_ITEM, left) else left
        quoted = re.fullmatch(_IN_QUOTES, left)
        if quoted and not re.match(_ENDS_A_QUOTE, quoted[1]):
            left = quoted[1]
        elif half := re.fullmatch(_HALF_QUOTED, left):
            left = half[1] or half[2]
        left = re.sub(_BEHIND, "", left).strip() or was
        left = left if ":" in left else re.sub(_POLITE_END, "", left) or was  # a note keeps its words
    return left


def lines_between_marks(text: str) -> list[str] | None:
    """The lines of a text with those outside the marks blank, so that each keeps its number; None without a mark.

    Mail programs quote with ``>`` and leave blanks at the end of a line. A template may stand there twice, filled in
    and as it was sent; one whose last mark is missing goes on to the end.
    """
    lines, inside, marked = [], False, False
    for raw in text.splitlines():
        line = _QUOTED.sub("", raw, count=1).strip() if _QUOTED.match(raw) else raw.strip()
        here = line.upper()
        if here in _BEGIN:
            inside = marked = True
        elif here in _END:
            inside = False
        lines.append(line if inside else "")
    return lines if marked else None


# Rows that people mean, by code or name.


_BETWEEN = re.compile(r"[\s,;>\u2192]+|-(?=[A-Z])")
_APART = r"[,;>\u2192\n]+|(?<=\s)-+(?=\s)"
"""What stands between two places, and never inside the name of one."""
LONGEST_NAME = 6
"""Words of the longest name of a place or a faction."""


def canonical_code(campaign: Campaign, records: Iterable[type[Record]], code: str) -> str:
    """A code as the first of the tables that has it spells it, in whatever case it was typed; else as it was typed."""
    for record in records if code else ():
        table = campaign.by_sheet(record.sheet)
        known = table.spelling_of(code)
        if known in table:
            return known
    return code


def codes_by_name(table: Table[Any]) -> Mapping[str, tuple[str, ...]]:
    """Folded name, in any language -> the codes of the rows of a table that have it."""
    codes: dict[str, tuple[str, ...]] = {}
    for row in table:
        for name in {fold(name) for name in names_held(row)}:
            codes[name] = (*codes.get(name, ()), row.ident)
    return codes


def resolve_name(campaign: Campaign, records: Iterable[type[Record]], word: str) -> str:
    """The code of the only row in some tables with this name; the word unchanged if it is a code, or if no row or
    several have that name.
    """
    tables = [campaign.by_sheet(record.sheet) for record in records] if word else []
    if any(word in table for table in tables):
        return word
    codes = {code for table in tables for code in campaign.derive(codes_by_name, table.record).get(fold(word), ())}
    return codes.pop() if len(codes) == 1 else word


def find_row(rows: Iterable[Any], word: str, field_name: str) -> Any:
    """The row with this code, or the only one with this name; None if there is none.

    Raises `Refused` (ambiguous) where the word is the name of two.
    """
    wanted, known = fold(word), list(rows)
    for row in known:
        if fold(row.ident) == wanted:
            return row
    named = [row for row in known if any(fold(name) == wanted for name in names_held(row))]
    if len(named) > 1:
        raise Refused("ambiguous", field_name, word=word, a=named[0].ident, b=named[1].ident,
                      list=" ".join(row.ident for row in named))
    return named[0] if named else None


# --- places -----------------------------------------------------------------------------------------------
def uses_squares(record: type[Record]) -> bool:
    """Whether the codes of a record are those of squares."""
    return any(c.key and isinstance(c.kind, Square) for c in record.columns())


def place_code(word: str, record: type[Record]) -> str:
    """The code of a place in capitals, and as squares are written where the map has squares."""
    return str(Square().read(word.upper())) if uses_squares(record) else word.upper()


def split_way(text: str) -> list[str]:
    """The words of a way in capitals, between whatever signs."""
    return [word for word in _BETWEEN.split(text.upper()) if word]


def drop_repeats(path: list[str]) -> list[str]:
    """A path without immediate repetitions."""
    return [code for i, code in enumerate(path) if i == 0 or code != path[i - 1]]


def parse_way(campaign: Campaign, record: type[Record], text: str) -> list[str]:
    """The codes of a path typed as codes or names. If all words are codes they are taken as such; else the longest
    name wins.
    """
    table = campaign.by_sheet(record.sheet)
    path = [canonical_code(campaign, (record,), place_code(word, record)) for word in split_way(text)]
    if all(code in table for code in path):  # as nearly all are: names are not even looked up
        return drop_repeats(path)
    names, path = campaign.derive(codes_by_name, record), []
    for piece in re.split(_APART, text):
        words = split_way(piece)
        while words:
            lengths = range(min(LONGEST_NAME, len(words)), 1, -1)
            count = next((n for n in lengths if fold(" ".join(words[:n])) in names), 1)
            code = canonical_code(campaign, (record,), place_code(words[0], record))
            if count > 1 or code not in table:
                code = resolve_name(campaign, (record,), " ".join(words[:count]) if count > 1 else code)
            path.append(code)
            words = words[count:]
    return drop_repeats(path)


def resolve_place(campaign: Campaign, record: type[Record], word: str, field_name: str, *, by_name: bool) -> str:
    """The code of the only row of a table with this name. Raises `Refused` if there is none, or several.

    `by_name`: whether names count at all; if not, they only help to suggest what was meant.
    """
    table, called = campaign.by_sheet(record.sheet), campaign.derive(codes_by_name, record)
    codes = called.get(fold(word), ())
    if not by_name or not codes:
        near = [*codes, nearest(word, table.keys()), *called.get(nearest(fold(word), called), ())]
        raise Refused("no_such_place", field_name, word=word, near=next(filter(None, near), ""))
    if len(codes) > 1:
        name = next(name for name in names_held(table[codes[0]]) if fold(name) == fold(word))
        raise Refused("ambiguous", field_name, word=name, a=codes[0], b=codes[1], list=" ".join(codes))
    return codes[0]
