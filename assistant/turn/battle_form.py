"""The form of a battle's result: what a ruleset declares, its lines with blanks, and reading them back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Column, Flag, Ref, Text, Typed, UnreadableValue, Whole
from assistant.campaign.records import Battle, Faction, FormRow
from assistant.campaign.tables import Record
from assistant.turn.orders.words import LONGEST_NAME, codes_by_name, fold, meaning_of_word

# --- battle form ----------------------------------------------------------------------------------
# The form for a battle's result as a ruleset declares it: entries, their values and checks.

C = TypeVar("C")
"""What a ruleset itself knows about the battle."""
Clubs = Mapping[str, Sequence[str]]
"""Side of the form, the attacking one first -> the clubs that may report on it."""


def side_of(clubs: Clubs, club: str) -> str:
    """The side on which a club fights; "" for none."""
    return next((side for side, codes in clubs.items() if club in codes), "")


DICE: Mapping[str, str] = {"auto": "auto", "dadi": "auto", "dice": "auto"}
"""Words that leave a result to the umpire's dice."""


class Fault(NamedTuple):
    """Something that is wrong with a form: the code of a finding, the column, and what fills the finding's braces.

    `row`: the key of a further row of the form, "" for the battle's own row; `sheet`: that row's sheet, where it is one
    of `besides`.
    """

    code: str
    column: str
    data: Mapping[str, Any] = MappingProxyType({})
    row: str = ""
    sheet: str = ""


class Filled(Generic[C]):
    """A form and what was typed into it. `battle`: what the ruleset knows about it; `rows`: further rows by key.

    `filled["winner"]` is the value of an entry, None if it is invalid.
    """

    def __init__(self, form: BattleForm[C], battle: C, row: Battle,
                 rows: Sequence[tuple[str, FormRow]] = ()) -> None:
        self.form = form
        self.battle = battle
        self.row = row
        self.rows = rows
        self._values: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self.form.entry(name).value(self)
        return self._values[name]

    def raw_value(self, name: str) -> Any:
        """The raw content of a column."""
        return getattr(self.row, name)


Facts = Callable[[Filled[C]], Mapping[str, Any]]
Bound = Callable[[Filled[C]], int]


@dataclass(eq=False, repr=False)
class Entry(Generic[C]):
    """A column of the form that people fill in.

    `side`: the side that it belongs to, "" if it is about the whole battle; `told`: the code of the finding for an
    invalid value ("": anything is valid); `facts`: what fills the finding's braces; `when`: the battles for which it
    is to be filled in; `before`: how much there was of it before the battle, as far as it is known.

    Of a column of words: `words` (word -> meaning), and `reads`, which makes something of any other word (None or "":
    invalid); `said`: what may be said of it at a place of a sentence (how many words, and the value), where that is no
    number or option; `loose`: words for it that need the side's name beside them. Of a column of numbers: the bounds
    `least` and `most`, inclusive, and the value of a `blank` cell, None if it may not be blank.
    """

    name: str
    side: str = ""
    told: str = ""
    facts: Facts[C] | None = None
    when: Callable[[Battle], bool] | None = None
    before: Callable[[Filled[C]], object] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    reads: Callable[[Filled[C], str], Any] | None = None
    least: int | Bound[C] = 0
    most: int | Bound[C] | None = None
    blank: int | None = None
    said: Callable[[Any, int], Iterator[tuple[int, Any]]] | None = None
    loose: Sequence[str] = ()

    @property
    def is_worded(self) -> bool:
        """Whether what is typed there means something else than it says."""
        return bool(self.words) or self.reads is not None

    def is_expected(self, row: Battle) -> bool:
        """Whether it is to be filled in for this battle."""
        return self.when is None or self.when(row)

    def value(self, filled: Filled[C]) -> Any:
        """Its value, None if it is invalid."""
        typed = filled.raw_value(self.name)
        if self.is_worded:
            word = str(typed).strip()
            meant = meaning_of_word(word, self.words) or (self.reads(filled, word) if self.reads is not None else "")
            return None if meant == "" else meant
        if not isinstance(filled.row.column(self.name).kind, (Typed, Whole)):
            return typed
        if typed in ("", None):
            return self.blank
        least, most = (bound(filled) if callable(bound) else bound for bound in (self.least, self.most))
        good = isinstance(typed, int) and typed >= (least or 0) and (most is None or typed <= most)
        return typed if good else None

    def faults(self, filled: Filled[C]) -> Iterable[Fault]:
        """The fault of an invalid value, if the entry has a finding for it."""
        if self.told and filled[self.name] is None:
            yield Fault(self.told, self.name, self.facts(filled) if self.facts is not None else {})


FormCheck = Callable[[Filled[C]], Iterable[Fault]]


class BattleForm(NamedTuple, Generic[C]):
    """The form of a ruleset's battles.

    `question`: the kind of question that waits for it; `entries`: its columns in the battle's own row; `line`: those
    that a result in one line fills from left to right; `dice`: the column, and the word in it, that leave the result to
    the umpire's dice, if the book has such; `decisive`: the form counts as filled in once one of these columns is
    filled (default: those of `line`); `rows`: the sheet of its further rows; `owner`: the side to which one of them
    belongs, "" if unknown; `fighters`: the further rows of all who fight, each with what there was of it before;
    `besides`: more sheets of such rows, which no check reads; `checks`: in the book's order,
    the name of an entry or a function that looks at the whole form (default: all entries); `first_only`: only the
    first check that fails is reported; `confirmed`: the referee's answers that confirm the clubs' reports; `offers`:
    the codes and words that the column `winner` of a battle accepts in a language, for a drop-down; `seen`: takes a run
    of a phase, on a campaign that may be a partial view, and a battle's row, and returns what the ruleset knows about
    the battle and which clubs may report on it, so that their copies contain the form (None: they do not); `won`: the
    column that says who has won; `like`: further words by which people call a column (``hits``) or an option of one
    (``how=fled``), also of further sheets.
    """

    question: str
    entries: tuple[Entry[C], ...]
    line: tuple[str, ...]
    dice: tuple[str, str] = ("", "")
    decisive: tuple[str, ...] = ()
    rows: type[FormRow] | None = None
    besides: tuple[type[FormRow], ...] = ()
    checks: tuple[str | FormCheck[C], ...] = ()
    first_only: bool = False
    owner: Callable[[C, FormRow], str] | None = None
    fighters: Callable[[C], Iterable[tuple[FormRow, object]]] | None = None
    confirmed: tuple[str, ...] = ("confirmed",)
    offers: Callable[[Any, str], Sequence[str]] | None = None
    seen: Callable[[Any, Any], tuple[C, Clubs]] | None = None
    won: str = ""
    like: Mapping[str, Sequence[str]] = MappingProxyType({})

    @property
    def sheets(self) -> tuple[type[FormRow], ...]:
        """All sheets of further rows."""
        return (*((self.rows,) if self.rows is not None else ()), *self.besides)

    def entry(self, name: str) -> Entry[C]:
        """An entry by its name. Raises KeyError."""
        return {entry.name: entry for entry in self.entries}[name]

    def is_dice(self, row: Battle) -> bool:
        """Whether the form leaves the result to the umpire's dice."""
        return bool(self.dice[0]) and bool(getattr(row, self.dice[0], "") == self.dice[1])

    def is_reported(self, row: Battle) -> bool:
        """Whether the form is filled in, validly or not, or leaves the result to the dice."""
        return self.is_dice(row) or any(getattr(row, name, "") not in ("", None) for name in self.decisive or self.line)

    def faults(self, filled: Filled[C]) -> list[Fault]:
        """What is wrong with a form, in the order of the checks."""
        faults: list[Fault] = []
        for check in self.checks or tuple(entry.name for entry in self.entries):
            faults += self.entry(check).faults(filled) if isinstance(check, str) else check(filled)
            if faults and self.first_only:
                break
        return faults


def is_filled(row: Record, name: str) -> bool:
    """Whether a column holds something else than its default."""
    return bool(getattr(row, name) != row.column(name).default)


def is_row_filled(row: FormRow) -> bool:
    """Whether anything besides its key is filled in in a further row."""
    return any(is_filled(row, name) for name in row.form())


def cell_text(row: Record, name: str) -> str:
    """The content of a column as it could be typed."""
    return row.column(name).kind.show(getattr(row, name))


def row_as_line(row: FormRow) -> str:
    """A further row as it could be typed, without its battle."""
    names = [c.name for c in row.columns() if c.edit != "assistant" and c.name != "battle" and is_filled(row, c.name)]
    return " ".join(f"{name}={cell_text(row, name)}" for name in names)


def row_data(row: Record, names: Iterable[str], about: str = "") -> dict[str, Any]:
    """The filled columns of a row as plain data, from which a finding is worded (`format_row_data`)."""
    return {
        "sheet": row.sheet,
        "about": about,
        "said": {name: getattr(row, name) for name in names if is_filled(row, name)},
    }


def format_row_data(record: type[Record], data: Mapping[str, Any], lang: str) -> str:
    """A row's data (`row_data`) in words: what it is about, then each value after its heading in a language."""
    columns = [(record.column(name), value) for name, value in data["said"].items()]
    values = ", ".join(f"{c.heading(lang)} {c.word(value, lang)}" for c, value in columns)
    return ": ".join(filter(None, (data["about"], values)))


def format_row(row: Record, lang: str) -> str:
    """What people have typed into a row, each value after its heading."""
    return ", ".join(f"{c.heading(lang)} {c.word(getattr(row, c.name), lang)}" for c in row.columns()
                     if c.edit != "assistant" and not c.key and is_filled(row, c.name))


# --- battle lines ---------------------------------------------------------------------------------
# Lines of a battle's form: printed with blanks to fill in, and read back from whoever filled them in.
#
# A line says of what it is, what there was of it, and then each column by its heading: ``B2-1 M1a 20: killed _ left by
# order _``. Values may also stand bare (``attacker 4``), or before their words (``3 killed``).

BLANK = "_"
"""What stands where a value is to be written, and where nothing is said."""
WIDTH = 70
"""The longest line: mail programs break longer ones."""
NOTHING = frozenset({"none", "nobody", "nothing", "zero", "nessuno", "nessuna", "niente", "-", "\u2013", "\u2014"})
"""Words for 0 and for no."""
WORD, FIGHTER, VALUE, MISSING, TWICE, NOTHING_SAID = "word", "fighter", "value", "missing", "twice", "nothing"
"""Why a line cannot be read: a word in it, what it is of, a value or none; a column is there twice; it says nothing."""
_TOKEN = r"[^\s,;=:]+|[=:]"
_SIGNS = ("=", ":")
_SHORTEST = 2
"""No part of a heading is as short as that: ``a`` is a side."""


# --- printing -------------------------------------------------------------------------------------
def result_lines(form: BattleForm[C], battle: C, row: Battle, clubs: Clubs, side: str, lang: str) -> Iterator[str]:
    """The lines of a battle's own row for a side, "" for all sides, to be filled in in a language."""
    filled, columns = Filled(form, battle, row.copy()), dict[tuple[str, str | None], list[Column]]()
    for entry in form.entries:
        if (entry.name in form.line or entry.is_expected(row)) and entry.side in ("", side or entry.side):
            before = None if entry.before is None else str(entry.before(filled))
            club = next(iter(clubs.get(entry.side, ())), "")
            head = next((key for key in columns if key[0] == club and before in (None, key[1])), (club, before))
            columns.setdefault(head, []).append(row.column(entry.name))
    for head, those in columns.items():
        yield from _blanks([row.battle, *head], those, lang)


def fighter_lines(form: BattleForm[C], battle: C, row: Battle, side: str, lang: str) -> Iterator[str]:
    """The lines of the further rows of a side, "" for all sides, to be filled in in a language."""
    for form_row, before in form.fighters(battle) if form.fighters is not None else ():
        if side in ("", form.owner(battle, form_row) if form.owner is not None else ""):
            keys = [c.word(getattr(form_row, c.name), lang) for c in form_row.columns() if c.key and c.name != "battle"]
            yield from _blanks([row.battle, *keys, str(before)], map(form_row.column, form_row.form()), lang)


def _blanks(head: Iterable[str | None], columns: Iterable[Column], lang: str) -> Iterator[str]:
    """A line with a blank for each column; several with the same head where one would be too long."""
    line = begun = " ".join(filter(None, head)) + ":"
    for c in columns:
        heading = c.heading(lang)
        more = f" {heading[:1].lower()}{heading[1:]} {BLANK}"
        if line != begun and len(line + more) > WIDTH:
            yield line
            line = begun
        line += more
    yield line


def form_columns(form: BattleForm[Any], row: Battle) -> list[Column]:
    """The columns of a form: of the battle's own row, then of the further sheets."""
    return [*(row.column(entry.name) for entry in form.entries if entry.name in form.line or entry.is_expected(row)),
            *(sheet.column(name) for sheet in form.sheets for name in sheet.form())]


def example_result(form: BattleForm[Any], row: Battle, lang: str) -> str:
    """A whole result of a battle in a line, behind its code: each column that stands there, with a value of its kind.
    """
    return " ".join((row.battle, *(_example_value(form, row.column(name), lang) for name in form.line)))


def _example_value(form: BattleForm[Any], column: Column, lang: str) -> str:
    kind, entry = column.kind, next((one for one in form.entries if one.name == column.name), None)
    if isinstance(kind, Choice):
        return column.word(next(iter(kind.options)), lang)
    if entry is not None and entry.words:
        return next(iter(entry.words))
    return "1" if isinstance(kind, (Typed, Whole)) else BLANK


# --- reading --------------------------------------------------------------------------------------
class FormLine(NamedTuple):
    """What a line says. `row`: of Battles or of a further sheet, with the values; `names`: the columns that it says;
    `ordered`: values stand there without their words; `fighter`: what it is of, as typed; `as_typed`: the line in the
    words of the form, "" for one that was told otherwise.
    """

    row: Battle | FormRow
    names: tuple[str, ...]
    ordered: bool = False
    fighter: str = ""
    as_typed: str = ""

    @property
    def whole(self) -> bool:
        """Whether it is a whole result, of which nothing earlier stays."""
        return self.ordered and isinstance(self.row, Battle)

    def put_into(self, row: Any) -> Any:
        """Write what the line says into a row."""
        for name in row.form() if self.whole else ():
            setattr(row, name, row.column(name).default)
        for name in self.names:
            setattr(row, name, getattr(self.row, name))
        return row


def read_line(form: BattleForm[Any], campaign: Campaign, battle: str, text: str, club: str = "",
              clubs: Clubs | None = None, sheet: type[FormRow] | None = None) -> FormLine:
    """Read a line about a battle, whose code may stand before it. `club`: the sender, whose codes may be abbreviated;
    `clubs`: who fights on which side, if that is known; `sheet`: whose row it is, if the line says it, so that no code
    of it need be known yet. Raises `UnreadableValue`.
    """
    tokens = re.findall(_TOKEN, text)
    if tokens and fold(tokens[0]) == fold(battle):
        tokens = tokens[1 + (tokens[1:2] == [":"]):]
    reader = LineReader(form, campaign, battle, club, clubs)
    if sheet is not None:
        return reader.further_row(sheet, tokens, known=False)
    # the surest reading first: a code that the tables know, then the whole battle, then a code that nobody knows
    ways = [*((record, True) for record in form.sheets), (None, True), *((record, False) for record in form.sheets)]
    unread = list[UnreadableValue]()
    for record, known in ways:
        try:
            return reader.result(tokens) if record is None else reader.further_row(record, tokens, known=known)
        except UnreadableValue as unfit:
            unread.append(unfit)
    # what the reading that came furthest has against it says most
    raise max(unread, key=lambda unfit: int(unfit.data.get("at", 0)))


class LineReader:
    """Reads what the lines of one battle say; arguments as of `read_line`."""

    def __init__(self, form: BattleForm[Any], campaign: Campaign, battle: str, club: str, clubs: Clubs | None) -> None:
        self.form, self.campaign, self.battle, self.club, self.clubs = form, campaign, battle, club, clubs

    def result(self, tokens: Sequence[str]) -> FormLine:
        """A line about the whole battle, or about one side, which stands before a colon."""
        row = self.campaign.table(Battle).record(battle=self.battle)
        there = self.campaign.table(Battle).get(self.battle) or row
        entries = {entry.name: entry.side for entry in self.form.entries}
        names = list(dict.fromkeys((*self.form.line, *entries, *row.form())))
        head, tokens = self._split_head(row, names, tokens)
        side = self._side(head)
        asked = [entry.name for entry in self.form.entries if entry.name in self.form.line or entry.is_expected(there)]
        values = _Values(self, row, [name for name in names if side in ("", entries.get(name) or side)], asked)
        # free words would swallow whatever stands bare
        bare = [*self.form.line, *(name for name in asked if name not in self.form.line
                                   and type(row.column(name).kind) is not Text)]
        values.take(tokens, bare)
        return FormLine(row, tuple(values.said), values.ordered, " ".join(head))

    def further_row(self, sheet: type[FormRow], tokens: Sequence[str], *, known: bool) -> FormLine:
        """A row of a further sheet. `known`: the code that it begins with stands in the tables."""
        row = sheet(battle=self.battle)
        keys = [c.name for c in row.columns() if c.key and c.edit != "assistant" and c.name != "battle"]
        names = [*keys, *row.form()]
        head, tokens = self._split_head(row, names, tokens)
        begun = [*head, ":", *tokens] if head else tokens
        values = _Values(self, row, names, names, known=known)
        used = values.take_keys(begun, keys)
        rest = [word for word in begun[used:len(head)] if not word.isdecimal()]
        if rest:
            raise values.unfit(WORD, rest[0])
        values.take(tokens if head else begun[used:], row.form())
        for c in row.columns():
            if c.required and not getattr(row, c.name):
                raise values.unfit(MISSING, "", c.name)
        return FormLine(row, tuple(name for name in values.said if name not in keys), values.ordered,
                        " ".join(head or begun[:used]))

    def _split_head(self, row: Record, names: Iterable[str], tokens: Sequence[str]) -> tuple[list[str], list[str]]:
        """What stands before the first colon, unless that is a heading, and the rest."""
        at = tokens.index(":") if ":" in tokens else 0
        head = list(tokens[:at])
        if "=" in head or any(_heading_at(head, place, _headings(row, names)[0])[0] for place in range(at)):
            return [], list(tokens)
        return head, list(tokens[at + 1:] if ":" in tokens else tokens)

    def _side(self, head: Sequence[str]) -> str:
        """The side that stands before the colon, by its own word or a club's code or name; "" for none."""
        words = " ".join(head)
        for end in range(len(head), 0, -1):
            typed = " ".join(head[:end])
            code = self.code([Faction.sheet], typed) or typed
            for side, clubs in (self.clubs or {}).items():
                if code in clubs or side == fold(typed):
                    return side
            if self.clubs is None and code != typed:
                return ""
        if head:
            raise UnreadableValue(FIGHTER, word=words, list=", ".join(
                club for clubs in (self.clubs or {}).values() for club in clubs))
        return ""

    def code(self, sheets: Iterable[str], typed: str) -> str:
        """The code of a row of these sheets, as the tables spell it, by its code or its only name; "" for none.

        The club's own prefix may be missing: ``u5`` from SEK is SEK-u5.
        """
        tables = [self.campaign.by_sheet(sheet) for sheet in sheets]
        for spelling in (typed, *([f"{self.club}-{typed}"] if self.club else [])):
            code = next((code for table in tables if (code := table.spelling_of(spelling)) in table), "")
            if code:
                return code
        named = {code for table in tables
                 for code in self.campaign.derive(codes_by_name, table.record).get(fold(typed), ())}
        return named.pop() if len(named) == 1 else ""

    def code_in(self, column: Column, typed: str) -> str:
        """The code that is typed into a column of codes; "" for none."""
        records = self.campaign.records().values()
        return self.code([column.kind.table] if isinstance(column.kind, Ref) else [
            record.sheet for record in records if record.whose and record.unique and not record.grows], typed)


class _Values:
    """The values of one row, as they are read. `names`: all columns that may be said; `asked`: those that are told to
    whoever wrote something else.
    """

    def __init__(self, reader: LineReader, row: Record, names: Sequence[str], asked: Sequence[str], *,
                 known: bool = True) -> None:
        self.reader, self.row, self.names, self.asked, self.known = reader, row, names, asked, known
        self.said = dict[str, Any]()
        self.ordered = False
        self.bound = set[str]()
        """The columns whose value stands behind ``=``, and ends with its word."""

    def take_keys(self, tokens: Sequence[str], keys: Sequence[str]) -> int:
        """Take the codes and words with which a further row begins. Returns how many words that are."""
        used, full = 0, _headings(self.row, self.names)[0]
        for name in keys:
            column = self.row.column(name)
            is_word = isinstance(column.kind, Choice) and used < len(tokens) and self._key(column, tokens[used])
            if _heading_at(tokens, used, full)[0] and not is_word:  # a rank may be called as a column is
                break
            for end in range(min(len(tokens), used + LONGEST_NAME), used, -1):
                value = self._key(column, " ".join(tokens[used:end]))
                if value:
                    self._set(name, value, tokens[used])
                    used = end
                    break
            else:
                if used == 0 and tokens and (self.known or isinstance(column.kind, Choice)):
                    raise self.unfit(WORD, tokens[0])
                if used == 0 and tokens:
                    self._set(name, tokens[0], tokens[0])
                    used = 1
        return used

    def _key(self, column: Column, typed: str) -> str:
        if not isinstance(column.kind, Choice):
            return self.reader.code_in(column, typed)
        try:
            return str(column.kind.read(typed))
        except UnreadableValue:
            return ""

    def take(self, tokens: Sequence[str], bare: Sequence[str]) -> None:
        """Take values by their headings, and those without one into the columns `bare`. Raises `UnreadableValue`."""
        parts = self._split(tokens)
        if parts[0][1] and len(parts) > 1 and not parts[-1][1]:  # 3 killed 2 routed
            parts = [("", []), *((name, before[1]) for before, (name, _) in pairwise(parts))]
        left = [name for name in bare if name not in self.said]
        for name, words in parts:
            rest = words
            if name:
                if not words:
                    raise self.unfit(MISSING, "", name)
                value, used = self._value(name, words)
                if value is not None:
                    self._set(name, value, words[0])
                left = [other for other in left if other != name]
                rest = [word for word in words[used:] if word.strip(BLANK)]
                if rest and name not in self.bound:
                    raise self.unfit(WORD, rest[0])
            while rest:
                rest = self._take_bare(rest, left)

    def _split(self, tokens: Sequence[str]) -> list[tuple[str, list[str]]]:
        """Each column with the words behind its heading; first, under "", those before any."""
        full, some = _headings(self.row, self.names)
        parts, at = [("", list[str]())], 0
        while at < len(tokens):
            name, words = parts[-1]
            bound = tokens[at - 1] == "=" and at > 0
            self.bound |= {name} if bound else set()
            called, end = ("", at) if bound else _heading_at(tokens, at, full if name and not words else some | full)
            if called:
                parts.append((called, []))
            elif tokens[at + 1:at + 2] == ["="] and not bound:
                raise self.unfit(WORD, tokens[at])
            elif tokens[at] not in _SIGNS:
                words.append(tokens[at])
            at = end if called else at + 1
        return parts

    def _take_bare(self, words: list[str], left: list[str]) -> list[str]:
        """Take a value without a heading into the first column that can hold it. Returns the words left."""
        form = self.reader.form
        if not words[0].strip(BLANK):
            # a blank keeps the place of its column
            del left[:1]
            return words[1:]
        self.ordered = True
        if isinstance(self.row, Battle) and form.dice[0] and meaning_of_word(words[0], DICE):
            self._set(*form.dice, words[0])
            return words[1:]
        for name in left:
            try:
                value, used = self._value(name, words[:1] if type(self.row.column(name).kind) is Text else words)
            except UnreadableValue:
                continue
            if not self._is_bare_word(name, words[0]):
                continue
            self._set(name, value, words[0])
            left.remove(name)
            return words[used:]
        raise self.unfit(WORD, words[0])

    def _is_bare_word(self, name: str, word: str) -> bool:
        """Whether a word may stand in a column without its heading: who won is one of its words and no number."""
        numbers = any(isinstance(self.row.column(each).kind, (Typed, Whole)) for each in self.names)
        entries = self.reader.form.entries if isinstance(self.row, Battle) else ()
        entry = next((entry for entry in entries if entry.name == name), None)
        known = entry is None or not entry.words or entry.reads is not None or bool(meaning_of_word(word, entry.words))
        # a bare number belongs to a column of numbers
        return known and not (type(self.row.column(name).kind) is Text and word.isdecimal() and numbers)

    def _value(self, name: str, words: Sequence[str]) -> tuple[Any, int]:
        """The value of a column and how many words it has; None where nothing is said. Raises `UnreadableValue`."""
        column = self.row.column(name)
        kind, typed = column.kind, [word.strip(BLANK) for word in words]
        if not any(typed):
            return None, len(words)
        first = next(filter(None, typed))
        try:
            if isinstance(kind, Choice):
                return self._option(kind, typed)
            if isinstance(kind, Ref) or column.key:
                code = self.reader.code_in(column, first) or ("" if self.known else first)
                if not code:
                    raise self.unfit(VALUE, first, name)
                return code, typed.index(first) + 1
            if isinstance(kind, Text):
                return kind.read(" ".join(filter(None, typed))), len(words)
            value = kind.read(("no" if isinstance(kind, Flag) else "0") if fold(first) in NOTHING else first)
        except UnreadableValue:
            raise self.unfit(VALUE, first, name) from None
        if isinstance(kind, Typed) and not isinstance(value, int):
            raise self.unfit(VALUE, first, name)
        return value, typed.index(first) + 1

    def _option(self, kind: Choice, words: Sequence[str]) -> tuple[Any, int]:
        """The option that the first words name, as many of them as make one."""
        for end in range(len(words), 0, -1):
            value = None
            try:
                value = kind.read(" ".join(filter(None, words[:end])))
            except UnreadableValue:
                if end == 1:
                    raise
            if value in kind.options:
                return value, end
        return value, 1

    def _set(self, name: str, value: Any, word: str) -> None:
        if self.said.get(name, value) != value:
            raise self.unfit(TWICE, word, name)
        self.said[name] = value
        setattr(self.row, name, value)

    def unfit(self, why: str, word: str, name: str = "") -> UnreadableValue:
        """The error that a line cannot be read, with what would do."""
        wanted = [self.row.column(name)] if name else [self.row.column(entry) for entry in self.asked]
        would = {f"list_{lang}": "; ".join(f"{c.heading(lang)} ({told})" if (told := values_of(c, lang)) else
                                           c.heading(lang) for c in wanted) for lang in ("en", "it")}
        return UnreadableValue(why, word=word, at=len(self.said), **would)


def values_of(column: Column, lang: str) -> str:
    """What a column takes, in words: its options, yes or no, or what its hint says."""
    words = ", ".join(column.word(option, lang) for option in column.kind.words)
    return words if isinstance(column.kind, Choice) else column.hint(lang) or words


def _heading_at(tokens: Sequence[str], at: int, called: Mapping[str, str]) -> tuple[str, int]:
    """The column whose heading begins at a word, and where it ends; the longest counts, "" for none."""
    for end in range(min(len(tokens), at + LONGEST_NAME), at, -1):
        name = called.get("_".join(map(fold, tokens[at:end])), "")
        if name:
            return name, end
    return "", at


def _headings(row: Record, names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Folded heading or name -> column; and the same for the first or last words of one, if only it has them."""
    full, parts = dict[str, str](), dict[str, set[str]]()
    for name in names:
        c = row.column(name)
        for heading in (name, c.en, c.it):
            words = fold(heading).split("_")
            full.setdefault("_".join(words), name)
            for n in range(1, len(words) if heading != name else 0):
                for some in (words[:n], words[n:]):
                    parts.setdefault("_".join(some), set()).add(name)
    return full, {some: next(iter(those)) for some, those in parts.items() if len(those) == 1 and len(some) > _SHORTEST}
