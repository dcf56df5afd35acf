"""The form of a battle's result as a ruleset declares it: entries, their values and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from assistant.campaign import columns
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Typed, Unreadable
from assistant.campaign.records import Battle, FormRow
from assistant.campaign.tables import Record
from assistant.turn.orders.words import fold, meaning
from assistant.turn.questions import Unfit

# A battle's form as a ruleset declares it: its entries, what each may hold, the checks in the book's order.
#
# What stands in the form goes in; its values, or what is wrong with it, come out. `C`: what the ruleset knows of the
# battle that is read.


C = TypeVar("C")
Clubs = Mapping[str, Sequence[str]]
"""Side of the form -> the clubs that may report for it."""

DICE: Mapping[str, str] = {"auto": "auto", "dadi": "auto", "dice": "auto"}
"""Words that leave a result to the umpire's dice."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a form: a finding's code, the column, what fills its braces.

    `row`: of a further row of the form its key, `sheet`: its sheet where that is one `besides`; "": the battle's own.
    """

    code: str
    column: str
    data: Mapping[str, Any] = field(default_factory=dict)
    row: str = ""
    sheet: str = ""


class Filled(Generic[C]):
    """A form as it stands. `battle`: what the ruleset knows of it; `rows`: its further rows by key.

    `filled["winner"]` is what an entry came to, None where it cannot be.
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
        """What stands in a column."""
        return getattr(self.row, name)


Facts = Callable[[Filled[C]], Mapping[str, Any]]
Bound = Callable[[Filled[C]], int]


@dataclass(frozen=True)
class Entry(Generic[C]):
    """A column of the form that people fill in.

    `side`: whose half it stands in, "" where it is told of the whole battle; `told`: the code of the finding where it
    cannot be as it is ("": anything may stand there); `facts`: what fills the finding's braces; `when`: of which
    battles it is to be told.
    """

    name: str
    side: str = ""
    told: str = ""
    facts: Facts[C] | None = None
    when: Callable[[Battle], bool] | None = None

    def expected(self, row: Battle) -> bool:
        """Whether something is to be told of it, as far as the battle's row says."""
        return self.when is None or self.when(row)

    def value(self, filled: Filled[C]) -> Any:
        """What it comes to, None where it cannot be; here: as it stands."""
        return filled.typed(self.name)

    def faults(self, filled: Filled[C]) -> Iterable[Fault]:
        """Its finding, where it has one."""
        if self.told and filled[self.name] is None:
            yield Fault(self.told, self.name, self.facts(filled) if self.facts is not None else {})


@dataclass(frozen=True)
class Word(Entry[C]):
    """A word such as who has won: one of `words` (word -> what it means), or what `reads` makes of it ("": nothing)."""

    words: Mapping[str, str] = field(default_factory=dict)
    reads: Callable[[Filled[C], str], str] | None = None

    def value(self, filled: Filled[C]) -> str | None:
        """What the word means."""
        typed = str(filled.typed(self.name)).strip()
        meant = meaning(typed, self.words) or (self.reads(filled, typed) if self.reads is not None else "")
        return meant or None


@dataclass(frozen=True)
class Whole(Entry[C]):
    """A whole number: losses, figures, turns. `least` and `most`: its bounds, both within; `blank`: what a blank cell
    stands for, None: it may not be blank.
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


Check = Callable[[Filled[C]], Iterable[Fault]]


@dataclass(frozen=True)
class BattleForm(Generic[C]):
    """The form of a ruleset's battles.

    `question`: the kind of question that waits for it; `entries`: its columns in the battle's own row; `line`: those of
    them that a result in one line fills from left to right; `dice`: the column, and its word, that leave the result to
    the umpire's dice, where the book has such; `decisive`: columns of which one says that the form is filled in,
    without any those of the line; `rows`: the sheet of its further rows, `owner`: whose half one of them stands in, ""
    where nobody knows; `besides`: further sheets of such rows, which no check reads; `checks`: in the book's order, an
    entry by its name or whatever else looks at the whole (without any: all entries); `first_only`: the first check that
    fails speaks, else all do; `confirmed`: the answers of the referee with which the clubs' reports count; `offers`: of
    a battle what its column `winner` takes in a language, codes and words, for a drop-down; `seen`: of a run of a phase
    and a battle's row, on a campaign of which only a part may be known, what the ruleset knows of the battle and which
    clubs may report on it, so that their copies have the form; None: they have not.
    """

    question: str
    entries: tuple[Entry[C], ...]
    line: tuple[str, ...]
    dice: tuple[str, str] = ("", "")
    decisive: tuple[str, ...] = ()
    rows: type[FormRow] | None = None
    besides: tuple[type[FormRow], ...] = ()
    checks: tuple[str | Check[C], ...] = ()
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
        """Whether the result is left to the umpire's dice."""
        return bool(self.dice[0]) and bool(getattr(row, self.dice[0], "") == self.dice[1])

    def reported(self, row: Battle) -> bool:
        """Whether the form is filled in, or leaves the result to the dice; well or not, its checks say."""
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
        """Put a result in one line into a row: ``a 26 55``, ``winner=a losses_a=26``, or a word for the dice.

        `strict`: what no column can hold is `Unfit`, which is raised; else it is left out.
        """
        words = text.replace(",", " ").replace(";", " ").split()
        bare = [word for word in words if "=" not in word]
        if bare and self.dice[0] and meaning(bare[0], DICE):
            setattr(row, *self.dice)
            bare = bare[1:]
        pairs = [*zip(self.line, bare, strict=False), *(named(row, word) for word in words if "=" in word)]
        if strict and len(bare) > len(self.line):
            raise Unfit
        for name, raw in pairs:
            if not (name in (*(one.name for one in self.entries), self.dice[0]) and put(row, name, raw)) and strict:
                raise Unfit


def named(row: Record, word: str) -> tuple[str, str]:
    """Column and value of ``name=value``; a column may be called by its heading, with ``_`` for blanks."""
    name, _, value = word.partition("=")
    called = {fold(said): c.name for c in row.columns() for said in (c.it, c.en, c.name)}
    return called.get(fold(name), ""), value


def holds(record: type[Record], name: str, raw: str, campaign: Campaign) -> bool:
    """Whether a bare value belongs into a column: of one that keeps what was typed only a number does."""
    kind = record.column(name).kind
    if isinstance(kind, Ref):
        return raw in campaign.by_sheet(kind.table)
    if type(kind) is Text and raw.isdecimal():  # who won is a word; a number is how many were lost
        return not any(isinstance(record.column(n).kind, (Typed, columns.Whole)) for n in record.form())
    if isinstance(kind, Typed):
        return isinstance(kind.read(raw), int)
    return put(record(), name, raw)


def put(row: Record, name: str, raw: str) -> bool:
    """Set a column to what was typed, if there is such a one and it can hold it."""
    if not name:
        return False
    try:
        value = row.column(name).kind.read(raw)
    except Unreadable:
        return False
    setattr(row, name, value)
    return True


# Further rows of a battle's form as they are typed in a line: words in, a row out; and a row in, its words out.


def further_row(form: BattleForm[Any], campaign: Campaign, battle: str, text: str, club: str = "") -> FormRow:
    """A row of one of the form's further sheets, its values from left to right: of the sheet whose table has what is
    named, else of the first that can hold it. `club`: who says it, whose codes may be short. Raises `Unfit`.
    """
    found = [row for sheet in form.sheets if (row := _row_of(sheet, campaign, battle, text, club)) is not None]
    if not found:
        raise Unfit
    known = (row for row in found if any(c.key and isinstance(c.kind, Ref) for c in row.columns()))
    return next(known, found[0])


def _row_of(sheet: type[FormRow], campaign: Campaign, battle: str, text: str, club: str) -> FormRow | None:
    row = sheet(battle=battle)
    names = [c.name for c in row.columns() if c.edit != "assistant" and c.name != "battle"]
    left = iter(names)

    def whole(name: str, typed: str) -> str:
        return whole_code(campaign, sheet, name, typed, club)

    for word in text.split():
        name, value = named(row, word)
        if not (name in names and put(row, name, whole(name, value)) if "=" in word else any(
                holds(sheet, one, whole(one, word), campaign) and put(row, one, whole(one, word)) for one in left)):
            return None
    return None if any(not getattr(row, c.name) for c in row.columns() if c.required) else row


def whole_code(campaign: Campaign, sheet: type[FormRow], name: str, typed: str, club: str) -> str:
    """What was typed into a column: where that names somebody, as the tables spell the code, also one without the
    club's own in front (``u5`` of SEK is SEK-u5).
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


def says(row: Record, name: str) -> bool:
    """Whether something stands in a column."""
    return bool(getattr(row, name) != row.column(name).default)


def says_anything(row: FormRow) -> bool:
    """Whether somebody has filled in a further row, beside its key."""
    return any(says(row, name) for name in row.form())


def shown(row: Record, name: str) -> str:
    """What stands in a column, as it may be typed."""
    return row.column(name).kind.show(getattr(row, name))


def in_words(row: FormRow) -> str:
    """A further row as it may be typed, without its battle."""
    names = [c.name for c in row.columns() if c.edit != "assistant" and c.name != "battle" and says(row, c.name)]
    return " ".join(f"{name}={shown(row, name)}" for name in names)


def told(row: Record, names: Iterable[str], about: str = "") -> dict[str, Any]:
    """What stands in some columns of a row, for a finding that says it in words (`under_headings`)."""
    return {"sheet": row.sheet, "about": about, "said": {name: getattr(row, name) for name in names if says(row, name)}}


def under_headings(record: type[Record], found: Mapping[str, Any], lang: str) -> str:
    """What was `told` of a row of a record: what it is about, and each value behind its heading in a language."""
    columns = [(record.column(name), value) for name, value in found["said"].items()]
    said = ", ".join(f"{c.heading(lang)} {c.word(value, lang)}" for c, value in columns)
    return ": ".join(filter(None, (found["about"], said)))


def headed(row: Record, lang: str) -> str:
    """What people have typed into the columns of a row, each behind its heading."""
    return ", ".join(f"{c.heading(lang)} {c.word(getattr(row, c.name), lang)}" for c in row.columns()
                     if c.edit != "assistant" and not c.key and says(row, c.name))
