"""The form for a battle's result as a ruleset declares it: entries, their values and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from assistant.campaign.columns import Typed, Whole
from assistant.campaign.records import Battle, FormRow
from assistant.campaign.tables import Record
from assistant.turn.orders.words import meaning_of_word

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

    def typed(self, name: str) -> Any:
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

    def expected(self, row: Battle) -> bool:
        """Whether it is to be filled in for this battle."""
        return self.when is None or self.when(row)

    def value(self, filled: Filled[C]) -> Any:
        """Its value, None if it is invalid."""
        typed = filled.typed(self.name)
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

    def reported(self, row: Battle) -> bool:
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
