"""The form for a battle's result as a ruleset declares it: entries, their values and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from assistant.campaign import columns
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Typed, UnreadableValue
from assistant.campaign.records import Battle, FormRow
from assistant.campaign.tables import Record
from assistant.turn.orders.words import fold, meaning_of_word
from assistant.turn.questions import UnfitAnswer

C = TypeVar("C")
"""What a ruleset itself knows about the battle."""
Clubs = Mapping[str, Sequence[str]]
"""Side of the form -> the clubs that may report on it."""

DICE: Mapping[str, str] = {"auto": "auto", "dadi": "auto", "dice": "auto"}
"""Words that leave a result to the umpire's dice."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a form: the code of a finding, the column, and what fills the finding's braces.

    `row`: the key of a further row of the form, "" for the battle's own row; `sheet`: that row's sheet, where it is one
    of `besides`.
    """

    code: str
    column: str
    data: Mapping[str, Any] = field(default_factory=dict)
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

    def typed(self, name: str) -> Any:
        """The raw content of a column."""
        return getattr(self.row, name)


Facts = Callable[[Filled[C]], Mapping[str, Any]]
Bound = Callable[[Filled[C]], int]


@dataclass(frozen=True)
class Entry(Generic[C]):
    """A column of the form that people fill in.

    `side`: the side that it belongs to, "" if it is about the whole battle; `told`: the code of the finding for an
    invalid value ("": anything is valid); `facts`: what fills the finding's braces; `when`: the battles for which it
    is to be filled in.
    """

    name: str
    side: str = ""
    told: str = ""
    facts: Facts[C] | None = None
    when: Callable[[Battle], bool] | None = None

    def expected(self, row: Battle) -> bool:
        """Whether it is to be filled in for this battle."""
        return self.when is None or self.when(row)

    def value(self, filled: Filled[C]) -> Any:
        """Its value, None if it is invalid; here: as it was typed."""
        return filled.typed(self.name)

    def faults(self, filled: Filled[C]) -> Iterable[Fault]:
        """The fault of an invalid value, if the entry has a finding for it."""
        if self.told and filled[self.name] is None:
            yield Fault(self.told, self.name, self.facts(filled) if self.facts is not None else {})


@dataclass(frozen=True)
class Word(Entry[C]):
    """A word, such as who has won: one of `words` (word -> meaning), or whatever `reads` makes of it ("": invalid)."""

    words: Mapping[str, str] = field(default_factory=dict)
    reads: Callable[[Filled[C], str], str] | None = None

    def value(self, filled: Filled[C]) -> str | None:
        """What the word means."""
        typed = str(filled.typed(self.name)).strip()
        meant = meaning_of_word(typed, self.words) or (self.reads(filled, typed) if self.reads is not None else "")
        return meant or None


@dataclass(frozen=True)
class Whole(Entry[C]):
    """A whole number: losses, figures, turns. `least` and `most`: its bounds, inclusive; `blank`: the value of a blank
    cell, None if it may not be blank.
    """

    least: int | Bound[C] = 0
    most: int | Bound[C] | None = None
    blank: int | None = None

    def value(self, filled: Filled[C]) -> int | None:
        """The number."""
        typed = filled.typed(self.name)
        if typed in ("", None):
            return self.blank
        least, most = (bound(filled) if callable(bound) else bound for bound in (self.least, self.most))
        good = isinstance(typed, int) and typed >= (least or 0) and (most is None or typed <= most)
        return typed if good else None


FormCheck = Callable[[Filled[C]], Iterable[Fault]]


@dataclass(frozen=True)
class BattleForm(Generic[C]):
    """The form of a ruleset's battles.

    `question`: the kind of question that waits for it; `entries`: its columns in the battle's own row; `line`: those
    that a result in one line fills from left to right; `dice`: the column, and the word in it, that leave the result to
    the umpire's dice, if the book has such; `decisive`: the form counts as filled in once one of these columns is
    filled (default: those of `line`); `rows`: the sheet of its further rows; `owner`: the side to which one of them
    belongs, "" if unknown; `besides`: more sheets of such rows, which no check reads; `checks`: in the book's order,
    the name of an entry or a function that looks at the whole form (default: all entries); `first_only`: only the
    first check that fails is reported; `confirmed`: the referee's answers that confirm the clubs' reports; `offers`:
    the codes and words that the column `winner` of a battle accepts in a language, for a drop-down; `seen`: takes a run
    of a phase, on a campaign that may be a partial view, and a battle's row, and returns what the ruleset knows about
    the battle and which clubs may report on it, so that their copies contain the form (None: they do not).
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
    confirmed: tuple[str, ...] = ("confirmed",)
    offers: Callable[[Any, str], Sequence[str]] | None = None
    seen: Callable[[Any, Any], tuple[C, Clubs]] | None = None

    @property
    def sheets(self) -> tuple[type[FormRow], ...]:
        """All sheets of further rows."""
        return (*((self.rows,) if self.rows is not None else ()), *self.besides)

    def entry(self, name: str) -> Entry[C]:
        """An entry by its name. Raises KeyError."""
        return {one.name: one for one in self.entries}[name]

    def is_dice(self, row: Battle) -> bool:
        """Whether the form leaves the result to the umpire's dice."""
        return bool(self.dice[0]) and bool(getattr(row, self.dice[0], "") == self.dice[1])

    def reported(self, row: Battle) -> bool:
        """Whether the form is filled in, validly or not, or leaves the result to the dice."""
        return self.is_dice(row) or any(getattr(row, name, "") not in ("", None) for name in self.decisive or self.line)

    def faults(self, filled: Filled[C]) -> list[Fault]:
        """What is wrong with a form, in the order of the checks."""
        found: list[Fault] = []
        for check in self.checks or tuple(one.name for one in self.entries):
            found += self.entry(check).faults(filled) if isinstance(check, str) else check(filled)
            if found and self.first_only:
                break
        return found

    def fill(self, row: Battle, text: str, *, strict: bool = False) -> None:
        """Write a result in one line into a row: ``a 26 55``, ``winner=a losses_a=26``, or a word for the dice.

        What no column can hold is left out, or raises `UnfitAnswer` if `strict`.
        """
        words = text.replace(",", " ").replace(";", " ").split()
        bare = [word for word in words if "=" not in word]
        if bare and self.dice[0] and meaning_of_word(bare[0], DICE):
            setattr(row, *self.dice)
            bare = bare[1:]
        pairs = [*zip(self.line, bare, strict=False), *(parse_assignment(row, word) for word in words if "=" in word)]
        if strict and len(bare) > len(self.line):
            raise UnfitAnswer
        for name, raw in pairs:
            if (
                not (name in (*(one.name for one in self.entries), self.dice[0]) and set_from_text(row, name, raw))
                and strict
            ):
                raise UnfitAnswer


def parse_assignment(row: Record, word: str) -> tuple[str, str]:
    """Column and value of ``name=value``; the column may be named by its heading, with ``_`` for blanks."""
    name, _, value = word.partition("=")
    called = {fold(said): c.name for c in row.columns() for said in (c.it, c.en, c.name)}
    return called.get(fold(name), ""), value


def fits_column(record: type[Record], name: str, raw: str, campaign: Campaign) -> bool:
    """Whether a value without a name fits a column; into a `Typed` column only a number does."""
    kind = record.column(name).kind
    if isinstance(kind, Ref):
        return raw in campaign.by_sheet(kind.table)
    if type(kind) is Text and raw.isdecimal():  # who won is a word; a number is how many were lost
        return not any(isinstance(record.column(n).kind, (Typed, columns.Whole)) for n in record.form())
    if isinstance(kind, Typed):
        return isinstance(kind.read(raw), int)
    return set_from_text(record(), name, raw)


def set_from_text(row: Record, name: str, raw: str) -> bool:
    """Set a column from typed text; False if there is no such column or it cannot hold the text."""
    if not name:
        return False
    try:
        value = row.column(name).kind.read(raw)
    except UnreadableValue:
        return False
    setattr(row, name, value)
    return True


# Further rows of a form: to and from the words in which they are typed.


def parse_further_row(form: BattleForm[Any], campaign: Campaign, battle: str, text: str, club: str = "") -> FormRow:
    """Read a row of one of the form's further sheets, its values from left to right.

    It goes to the sheet whose table has what the text names, else to the first that can hold it. `club`: the sender,
    whose codes may be abbreviated. Raises `UnfitAnswer`.
    """
    found = [row for sheet in form.sheets if (row := _row_of(sheet, campaign, battle, text, club)) is not None]
    if not found:
        raise UnfitAnswer
    known = (row for row in found if any(c.key and isinstance(c.kind, Ref) for c in row.columns()))
    return next(known, found[0])


def _row_of(sheet: type[FormRow], campaign: Campaign, battle: str, text: str, club: str) -> FormRow | None:
    row = sheet(battle=battle)
    names = [c.name for c in row.columns() if c.edit != "assistant" and c.name != "battle"]
    left = iter(names)

    def whole(name: str, typed: str) -> str:
        return complete_code(campaign, sheet, name, typed, club)

    for word in text.split():
        name, value = parse_assignment(row, word)
        if not (
            name in names and set_from_text(row, name, whole(name, value))
            if "=" in word
            else any(
                fits_column(sheet, one, whole(one, word), campaign) and set_from_text(row, one, whole(one, word))
                for one in left
            )
        ):
            return None
    return None if any(not getattr(row, c.name) for c in row.columns() if c.required) else row


def complete_code(campaign: Campaign, sheet: type[FormRow], name: str, typed: str, club: str) -> str:
    """The full code, as the tables spell it, if a column holds codes; the text as it was typed otherwise.

    The club's own prefix may be missing: ``u5`` from SEK is SEK-u5.
    """
    c = sheet.column(name) if name else None
    if c is None or not (isinstance(c.kind, Ref) or (c.key and type(c.kind) is Text)):
        return typed
    sheets = [c.kind.table] if isinstance(c.kind, Ref) else [
        one.sheet for one in campaign.records().values() if one.whose and one.unique and not one.grows]
    for said in (typed, *([f"{club}-{typed}"] if club else [])):
        tables = (campaign.by_sheet(one) for one in sheets)
        code = next((code for table in tables if (code := table.spelled(said)) in table), "")
        if code:
            return code
    return typed


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


def format_row_data(record: type[Record], found: Mapping[str, Any], lang: str) -> str:
    """A row's data (`row_data`) in words: what it is about, then each value after its heading in a language."""
    columns = [(record.column(name), value) for name, value in found["said"].items()]
    said = ", ".join(f"{c.heading(lang)} {c.word(value, lang)}" for c, value in columns)
    return ": ".join(filter(None, (found["about"], said)))


def format_row(row: Record, lang: str) -> str:
    """What people have typed into a row, each value after its heading."""
    return ", ".join(f"{c.heading(lang)} {c.word(getattr(row, c.name), lang)}" for c in row.columns()
                     if c.edit != "assistant" and not c.key and is_filled(row, c.name))
