"""Records, and tables of them with lookup by key and natural order (V8 before V10)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypedDict, TypeVar, Unpack

from assistant.campaign.columns import Circle, Column, Data, Whose

# Natural order of codes: letters alphabetically, numbers as numbers (V8 < V9 < V10).


_DIGITS = re.compile(r"(\d+)", re.ASCII)


@lru_cache(maxsize=65536)
def natural(code: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key of a code: its runs of digits compare as numbers, everything else as text.

    A shorter code sorts before one that continues it (``V`` before ``V8``), digits before letters.
    """
    if code.isdecimal() and code.isascii():
        return ((0, int(code), ""),)
    pieces = _DIGITS.split(code)  # text and digits in turn, text first
    parts: list[tuple[int, int, str]] = []
    for i in range(1, len(pieces), 2):
        if pieces[i - 1]:
            parts.append((1, 0, pieces[i - 1]))
        parts.append((0, int(pieces[i]), ""))
    if pieces[-1]:
        parts.append((1, 0, pieces[-1]))
    return tuple(parts)


K = TypeVar("K")
V = TypeVar("V")


def grouped(items: Iterable[V], key: Callable[[V], K]) -> dict[K, list[V]]:
    """The items by their keys, keys and items in the order in which they came."""
    groups: dict[K, list[V]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def in_natural_order(codes: Iterable[str]) -> list[str]:
    """The codes sorted naturally; the tie-break of every ruleset, never the order of rows."""
    return sorted(codes, key=natural)


# Records: a record is one row of a table, a dataclass whose fields are columns.


Hold = Literal["state", "settled", "asked", "typed"]
"""Who may type into a row that stands in the workbook; see `Record.hold`."""


class Head(TypedDict, total=False):
    """What the line ``class Fleet(Record, sheet="Fleets", ...)`` may say of a table; see `Record`."""

    sheet: str
    sheet_it: str
    whose: Whose
    time: str
    part: str
    unique: bool
    single: bool
    grows: bool
    people: bool
    quiet: bool
    apart: bool
    counted: str
    without: tuple[str, ...]


class _Noted:
    """Where a row of a campaign that is being played notes that it has changed."""

    __slots__ = ("_changed",)
    _changed: Journal


@dataclasses.dataclass(eq=False, repr=False)
class Record(_Noted):
    """Base of all records.

    Class attributes say which table it is: `sheet` (English name, also the word that `Ref` uses), `sheet_it`,
    `file` (name of the CSV without its ending: the sheet's in small letters, unless said), `unique` (two rows of one
    key are a finding), `single` (one row only, shown as a list of settings), `grows` (only ever appended to),
    `about_en` and `about_it` (the sentence under the sheet's title), `whose` (the fields that name the owners of a
    row, or a circle of owners; nobody's, where nothing is said), `time` (the field that says of which turn a row is),
    `part` (the field that says of which part of that turn),
    `persons` (``people=True`` on the class line: rows are people below the faction in their column `faction`, which is
    asked and told in their place),
    `quiet` (a sheet that is only there where something stands in it, and left out of clubs' copies),
    `apart` (a sheet beside the game: the referee may change it at any time, it is in no copy and no export, `undo` and
    `correct` leave it as it is, and a workbook of before it was declared gets it with its next change),
    `counted` (the key column that the assistant makes itself: a folder of CSVs may leave it out, its rows are counted),
    `without` (columns of the base record that this one has no use for; the fields keep their defaults).

    Our own rulebooks declare with ``@dataclass(eq=False, repr=False)``: what a dataclass would write for each class is
    here once, and a command pays for each.
    """

    sheet: ClassVar[str] = ""
    sheet_it: ClassVar[str] = ""
    file: ClassVar[str] = ""
    unique: ClassVar[bool] = True
    single: ClassVar[bool] = False
    grows: ClassVar[bool] = False
    persons: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    apart: ClassVar[bool] = False
    counted: ClassVar[str] = ""
    about_en: ClassVar[str] = ""
    about_it: ClassVar[str] = ""
    whose: ClassVar[Whose] = ()
    time: ClassVar[str] = "turn"
    part: ClassVar[str] = "phase"
    without: ClassVar[tuple[str, ...]] = ()
    _plain: ClassVar[type[Any]]
    """The class as it was declared, also of a row that notes its changes."""

    def __init_subclass__(cls, **head: Unpack[Head]) -> None:
        cls._plain = cls
        for name, value in head.items():
            setattr(cls, name, value)
        if vars(cls).get("people") is True:  # else it is a column that is called People
            cls.persons = True
        if "sheet" in vars(cls) and "file" not in vars(cls):
            cls.file = cls.sheet.lower()

    @classmethod
    def columns(cls) -> tuple[Column, ...]:
        """The columns in the order of the sheet: those marked `first`, inherited, new, those marked `last`."""
        return _columns(cls)

    @classmethod
    def column(cls, name: str) -> Column:
        """The column of a field. Raises KeyError for an unknown name."""
        return _by_name(cls)[name]

    @property
    def ident(self) -> str:
        """What the row is found by: its key fields joined by ``/`` (``FR/SV/1500``)."""
        names = _key_names(type(self))
        if len(names) == 1:
            return str(getattr(self, names[0]))
        return "/".join([str(getattr(self, name)) for name in names])

    @classmethod
    def idents(cls, rows: Iterable[Record]) -> list[str]:
        """The `ident` of each of many rows of this record."""
        names = _key_names(cls)
        if len(names) == 1:
            return [str(key) for key in map(attrgetter(names[0]), rows)]
        return ["/".join(map(str, keys)) for keys in map(attrgetter(*names), rows)] if names else ["" for _ in rows]

    @property
    def owners(self) -> tuple[str, ...]:
        """The codes that stand in the fields that `whose` names."""
        return () if isinstance(self.whose, Circle) else tuple([str(getattr(self, name)) for name in self.whose])

    @property
    def hold(self) -> Hold:
        """Who may type into the row between two phases, which tells a typed input from a change by hand.

        ``state``: the clubs into their columns, nobody into the others; ``settled``: nobody, a phase has
        used it up; ``asked``: people into its form (what the assistant does not write, beside the key);
        ``typed``: people, who may also add such a row and take it out again.
        """
        return "state"

    @property
    def typed_early(self) -> bool:
        """Whether people have typed the row before a phase has laid it out; such a form is of no turn."""
        return self.hold == "typed" or (self.hold == "asked" and not getattr(self, self.time, None))

    def takes_over(self, typed: Record) -> bool:
        """Whether this row, as a phase lays it out, takes the place of one of its key that people have typed before."""
        return typed.typed_early and not self.typed_early

    @property
    def timeless(self) -> bool:
        """Whether the row may be of no turn and no phase, also where these are part of its key."""
        return False

    @classmethod
    def form(cls) -> tuple[str, ...]:
        """The columns that people fill in beside the key."""
        return tuple(c.name for c in _columns(cls) if c.edit != "assistant" and not c.key)

    __hash__ = None  # type: ignore[assignment]  # a row changes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and other._plain is self._plain and other.__dict__ == self.__dict__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def copy(self) -> Self:
        """A copy of the row that may be changed without changing this one."""
        new: Self = object.__new__(self._plain)
        new.__dict__ = _values_of(self)
        return new

    def become(self, record: type[Record]) -> None:
        """Go on as a row of a class that builds on this one's, with its defaults for what it adds."""
        for column in record.columns():
            self.__dict__.setdefault(column.name, column.default)
        self.__class__ = record

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """A row with other values in some fields; it shares what stands in columns of data."""
        new: Self = object.__new__(self._plain)
        new.__dict__ = {**self.__dict__, **values}
        return new

    def as_text(self) -> dict[str, str]:
        """Field name -> canonical text, as CSV holds it."""
        return {c.name: c.kind.show(getattr(self, c.name)) for c in self.columns()}

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """A row of raw values (texts of a CSV, or plain values); what is missing takes its default.

        Raises `Unreadable` for a value that its column cannot hold.
        """
        ready = {}
        for c in cls.columns():
            raw = values.get(c.name)
            if raw is None or (isinstance(raw, str) and not raw.strip()):
                continue
            ready[c.name] = c.kind.read(raw) if not isinstance(raw, (tuple, dict, list)) else raw
        return cls(**ready)


def touched_name(sheet: str, ident: str) -> str:
    """How an event names a row that it touched, ``Armies/V-1``; several are parted by blanks, so a sheet's has none."""
    return f"{sheet.replace(' ', '')}/{ident}"


def _values_of(row: Record) -> dict[str, Any]:
    """A copy of a row's values, which may be changed without changing the row."""
    values = row.__dict__.copy()
    for name in _data_names(type(row)):
        values[name] = _deep_copy(values[name])
    return values


def _deep_copy(value: Any) -> Any:
    """A copy of what stands in a column of data, as deep as it goes."""
    if isinstance(value, dict):
        return {key: _deep_copy(item) for key, item in value.items()}
    return [_deep_copy(item) for item in value] if isinstance(value, list) else value


# Rows that note their own changes. Only those that a campaign hands out while it is played do: a plain row is set as
# fast as any object, and reading a workbook makes ten thousand of them.


Journal = list[tuple[Record, str, Any]]
"""Rows that have changed, come or gone: of a field set also its name and what stood there; else the name is ""."""
_NOTING: dict[type[Record], type[Any]] = {}


def note_changes(row: Record, changed: Journal) -> None:
    """From now on a row notes in a journal whenever a field of it gets another value."""
    record = row._plain
    if record not in _NOTING:
        _NOTING[record] = type(record.__name__, (record,), {"__slots__": (), "__setattr__": _set_and_note})
        _NOTING[record]._plain = record
    row._changed = changed
    row.__class__ = _NOTING[record]


def _set_and_note(row: Record, name: str, value: Any) -> None:
    values = row.__dict__
    # a form that is laid out once more, after a phase has stopped to ask, is laid out as the first time
    if name in values and (values[name] != value or row.hold == "asked") and hasattr(row, "_changed"):
        row._changed.append((row, name, values[name]))
    object.__setattr__(row, name, value)


_COLUMNS: dict[type[Record], tuple[Column, ...]] = {}
_BY_NAME: dict[type[Record], dict[str, Column]] = {}
_KEYS: dict[type[Record], tuple[str, ...]] = {}
_NESTED: dict[type[Record], tuple[str, ...]] = {}


def _data_names(cls: type[Record]) -> tuple[str, ...]:
    if cls not in _NESTED:
        _NESTED[cls] = tuple(c.name for c in _columns(cls) if isinstance(c.kind, Data))
    return _NESTED[cls]


def _columns(cls: type[Record]) -> tuple[Column, ...]:
    if cls not in _COLUMNS:
        declared = [
            f.metadata["column"]._replace(name=f.name)
            for f in dataclasses.fields(cls)
            if "column" in f.metadata and f.name not in cls.without
        ]
        _COLUMNS[cls] = tuple(sorted(declared, key=lambda c: c.last - c.first))
    return _COLUMNS[cls]


def _by_name(cls: type[Record]) -> dict[str, Column]:
    if cls not in _BY_NAME:
        _BY_NAME[cls] = {c.name: c for c in _columns(cls)}
    return _BY_NAME[cls]


def _key_names(cls: type[Record]) -> tuple[str, ...]:
    if cls not in _KEYS:
        _KEYS[cls] = tuple(c.name for c in _columns(cls) if c.key)
    return _KEYS[cls]


# Rows that several states of a table share. Only tables hold them; whoever asks a table for a row gets a copy.


R = TypeVar("R", bound=Record)
Keys = dict[str, None]
"""Keys as a set that keeps its order."""


@dataclass(frozen=True, eq=False)
class LazyRows(Generic[R]):
    """Settled rows of past turns, side by side in a table, that are made when somebody asks for them.

    Without them turn 300 of a long campaign takes 2.46 of turn 10, where 2.5 is the bound.

    `keys`: theirs, in the order of the table; `turns`: to which they belong; `name`: by what whoever keeps them
    knows them; `load`: makes them, anew each time.
    """

    keys: Sequence[str]
    turns: frozenset[str]
    name: str
    load: Callable[[], Sequence[R]]


class SharedRows(Generic[R]):
    """Rows by key, in the order of the sheet, None for one that is asleep. It never changes: what differs is another.

    `shared`: several tables stand on it, so that none of them may hand out its very rows; `made`: what was made of
    these rows, by what made it (`Campaign.derive`).
    """

    __slots__ = ("_ordered", "_spelled", "_times", "asleep", "made", "record", "rows", "shared")

    def __init__(self, record: type[R], rows: dict[str, R | None], asleep: Sequence[LazyRows[R]] = (), *,
                 shared: bool = False, ordered: list[str] | None = None) -> None:
        self.record = record
        self.rows = rows
        self.asleep = asleep
        self.shared = shared
        self.made: dict[Any, tuple[list[SharedRows[Any]], Any]] = {}
        self._ordered = ordered
        self._spelled: dict[str, str] | None = None
        self._times: RowTimes | None = None

    # --- keys -----------------------------------------------------------------------------------
    def sorted_keys(self) -> list[str]:
        """Keys in natural order; not to be changed."""
        if self._ordered is None:
            self._ordered = sorted(self.rows, key=natural)
        return self._ordered

    @property
    def spellings(self) -> Mapping[str, str]:
        """Each key by its letters in whatever case; of several the first."""
        if self._spelled is None:
            self._spelled = {key.casefold(): key for key in reversed(self.rows)}
        return self._spelled

    def times(self) -> RowTimes:
        """The keys of the rows that are awake by turn, and those of rows that are not settled."""
        if self._times is None:
            self._times = RowTimes.of(self.record, self.rows)
        return self._times

    # --- other rows -----------------------------------------------------------------------------
    def with_rows(self, rows: Mapping[str, R]) -> SharedRows[R]:
        """The same with some rows new or otherwise, which are given away for good."""
        fresh = [key for key in rows if key not in self.rows]
        ordered = None if self._ordered is None else merge_in_order(self._ordered, fresh)
        new = SharedRows(self.record, {**self.rows, **rows}, self.asleep, shared=True, ordered=ordered)
        if self._times is not None and self.shared:  # else somebody may have changed the rows since
            new._times = self._times.with_rows(self.record, self.rows, rows)
        return new

    def without(self, *gone: str) -> SharedRows[R]:
        """The same without some rows, which are awake. Raises KeyError."""
        rows = self.rows.copy()
        for key in gone:
            del rows[key]
        return SharedRows(self.record, rows, self.asleep, shared=self.shared)

    def awake(self) -> SharedRows[R]:
        """The same with nothing asleep."""
        return self.wake(self.asleep)

    def wake(self, chosen: Sequence[LazyRows[R]]) -> SharedRows[R]:
        """The same with some of what is asleep awake."""
        if not chosen:
            return self
        rows = self.rows.copy()
        for block in chosen:
            rows.update(zip(block.keys, block.load(), strict=True))
        left = [block for block in self.asleep if block not in chosen]
        return SharedRows(self.record, rows, left, shared=self.shared, ordered=self._ordered)


class RowTimes(NamedTuple):
    """When rows belong: keys by turn and part of it, and the keys of rows that are not settled.

    Robots play 300 years a minute only with it: a phase that looks through all rows of its tables takes half as long
    again, and twice as long in the fifth year.
    """

    turns: Mapping[str, Mapping[str, Keys]]
    unsettled: Keys

    @classmethod
    def of(cls, record: type[Record], rows: Mapping[str, Any]) -> Self:
        """Those of the rows that are awake."""
        turns, unsettled = dict[str, dict[str, Keys]](), Keys()
        for key, row in rows.items():
            if row is not None:
                turn, part = turn_and_part(row)
                turns.setdefault(turn, {}).setdefault(part, {})[key] = None
                if is_unsettled(record, row):
                    unsettled[key] = None
        return cls(turns, unsettled)

    def keys(self, turn: str, parts: Collection[str] = ()) -> list[str]:
        """Those of a turn, of all its parts where none is named; in no order."""
        of_turn = self.turns.get(turn, {})
        return [key for part in parts or of_turn for key in of_turn.get(part, ())]

    def with_rows(self, record: type[Record], before: Mapping[str, Any], rows: Mapping[str, Any]) -> RowTimes:
        """The same with some rows new or otherwise; what stands of other moments is taken over."""
        turns: dict[str, Any] = dict(self.turns)
        unsettled, fresh = self.unsettled.copy(), set[tuple[str, str]]()
        for key, row in rows.items():
            old = before.get(key)
            was, now = None if old is None else turn_and_part(old), turn_and_part(row)
            if was != now:
                # what was not yet copied belongs to the earlier state, too
                for turn, part in {was or now, now} - fresh:
                    turns[turn] = {**turns.get(turn, {}), part: dict(turns.get(turn, {}).get(part, ()))}
                    fresh.add((turn, part))
                if was is not None:
                    del turns[was[0]][was[1]][key]
                turns[now[0]][now[1]][key] = None
            if is_unsettled(record, row):
                unsettled[key] = None
            elif old is not None:
                unsettled.pop(key, None)
        return RowTimes(turns, unsettled)


class DeferredRows(Generic[R]):
    """Rows that are computed on first use, once for all campaigns that share them."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], SharedRows[R]]) -> None:
        self._make: Callable[[], SharedRows[R]] | None = make
        self._made: SharedRows[R] | None = None

    def rows(self) -> SharedRows[R]:
        """The rows."""
        if self._made is None:
            assert self._make is not None
            self._made, self._make = self._make(), None
        return self._made


def turn_and_part(row: Record) -> tuple[str, str]:
    """The turn of a row and the part of it, "" where it has none."""
    return str(getattr(row, row.time, "")), str(getattr(row, row.part, ""))


def is_unsettled(record: type[Record], row: Record) -> bool:
    """Whether a phase may still have to do with a row, of whatever turn it is."""
    return not record.grows and row.hold != "settled"


def merge_in_order(ordered: list[str], fresh: Iterable[str]) -> list[str]:
    """Keys in natural order with some more; the list itself where there are none."""
    more = sorted(fresh, key=natural)
    if not more:
        return ordered
    both = [*ordered, *more]
    # most new keys come after all others (V11 after V10): then nothing need be sorted anew
    return both if not ordered or natural(ordered[-1]) < natural(more[0]) else sorted(both, key=natural)


# Tables.


class TableMark(NamedTuple):
    """A saved state of a table (`Table.mark`): the shared rows, its own rows and their contents, keys of new rows.

    Rows that note all their changes are undone by the journal: of them no contents are held.
    """

    common: SharedRows[Any]
    mine: dict[str, Any]
    held: list[dict[str, Any]] | None
    added: dict[str, None]


class Table(Generic[R]):
    """Rows by key. Where a record is not `unique`, equal keys are told apart by a number (``a#2``).

    A row that it hands out is its own from then on, and nothing but this table knows it: who changes the row changes
    this table and no copy of it. Rows that nobody has asked for it has in common with its copies (`SharedRows`).

    A long campaign's history may be `LazyRows`: whoever walks over the table wakes it, whoever asks for the rows of
    a turn (`of_turn`, `open_rows`), for one row or for the keys does not.
    """

    __slots__ = ("_added", "_changed", "_common", "_mine", "_ordered", "_walk", "kept", "record")

    def __init__(self, record: type[R], rows: Iterable[R] = (), common: SharedRows[R] | None = None) -> None:
        self.record = record
        self.kept = False
        """Whether it stands in a campaign: in another one there may only be a copy of it."""
        self._common: SharedRows[R] = SharedRows(record, {}) if common is None else common
        self._mine: dict[str, R] = {}
        """The rows that were handed out or taken in here."""
        self._added: dict[str, None] = {}
        """Keys of those among them that are not among the common rows, in the order in which they came."""
        self._ordered: list[str] | None = None
        self._walk: list[R] | None = None
        self._changed: Journal | None = None
        for row in rows:
            self.add(row)

    @classmethod
    def of(cls, record: type[R], rows: Iterable[tuple[str, R]]) -> Table[R]:
        """A table of copies of rows that come from another table, with the keys they had there."""
        return cls.over(SharedRows(record, {key: row.copy() for key, row in rows}))

    @classmethod
    def over(cls, common: SharedRows[R]) -> Table[R]:
        """A table of rows that other tables may have, too."""
        return cls(common.record, (), common)

    @classmethod
    def partly_asleep(cls, record: type[R], parts: Iterable[LazyRows[R] | Sequence[R]]) -> Table[R]:
        """A table some of whose rows are asleep, part by part in the order of the file. The keys of all must differ.

        The rows that are awake are given away: who made them keeps none.
        """
        rows, asleep = dict[str, R | None](), list[LazyRows[R]]()
        for part in parts:
            if isinstance(part, LazyRows):
                asleep.append(part)
                rows.update(dict.fromkeys(part.keys))
            else:
                rows.update(zip(record.idents(part), part, strict=True))
        return cls.over(SharedRows(record, rows, asleep))

    # --- noting changes ---------------------------------------------------------------------------
    def note_changes(self, changed: Journal) -> None:
        """From now on each row that changes, comes or goes is noted in a journal."""
        self._changed = changed
        for row in self._mine.values():
            note_changes(row, changed)

    def _note_new(self, row: Record) -> None:
        if self._changed is not None:
            note_changes(row, self._changed)
            self._changed.append((row, "", None))

    # --- rows that become this table's own --------------------------------------------------------
    def _wake(self, blocks: Sequence[LazyRows[R]]) -> None:
        self._common = self._common.wake(blocks)

    def _own(self, key: str) -> R:
        """The row of a key that is there, this table's own."""
        row = self._mine.get(key)
        if row is None:
            if self._common.rows[key] is None:
                self._wake([next(block for block in self._common.asleep if key in block.keys)])
            shared: Any = self._common.rows[key]
            row = self._mine[key] = shared.copy() if self._common.shared else shared
            if self._changed is not None:
                note_changes(row, self._changed)
        return row

    def _all_own(self) -> dict[str, R]:
        """All rows by key, in no order, each this table's own."""
        if len(self._mine) < len(self):
            self._wake(self._common.asleep)
            rows: dict[str, Any] = self._common.rows
            missing = {key: row for key, row in rows.items() if key not in self._mine} if self._mine else rows
            self._mine.update(_copies(missing) if self._common.shared else missing)
            if self._changed is not None:
                for key in missing:
                    note_changes(self._mine[key], self._changed)
        return self._mine

    def common(self) -> SharedRows[R]:
        """The rows as they stand now, for copies of this table to stand on: what is handed out of it is not in it."""
        common, mine = self._common, self._mine
        if mine:
            known = common.rows if common.shared else {}
            changed = {key: row for key, row in mine.items()
                       if (old := known.get(key)) is None or old.__dict__ != row.__dict__}
            if changed:
                if self._ordered is not None:
                    common.sorted_keys()  # is nearly known, and so are those of all that come after
                common = self._common = common.with_rows(_copies(changed))
                self._added = {}
        common.shared = True
        return common

    def copy(self) -> Table[R]:
        """A table of the same rows, none of which can be changed by way of the other."""
        return Table.over(self.common())

    # --- back to how it stood -----------------------------------------------------------------------
    def mark(self) -> TableMark:
        """How it stands now, so that it can be put back."""
        if not self._common.shared:
            self.common()  # else what is handed out next is the very row that the mark stands on
        # the journal notes fields that are set, but not what changes inside a list or a dict: such rows are copied
        journaled = self._changed is not None and not _data_names(self.record)
        held = None if journaled else [_values_of(row) for row in self._mine.values()]
        return TableMark(self._common, self._mine.copy(), held, self._added.copy())

    def put_back(self, mark: TableMark) -> None:
        """Stand as it stood. Who holds one of its rows holds it as it was; one that was added since is in no table.

        What is in the journal has been undone before (`Campaign.put_back`).
        """
        since, self._mine = self._mine, mark.mine.copy()
        same = all(since.get(key) is row for key, row in self._mine.items())
        if not same or self._common is not mark.common or [*self._added] != [*mark.added]:
            self._common, self._added = mark.common, mark.added.copy()
            self._ordered = self._walk = None
        if mark.held is not None:
            for row, held in zip(mark.mine.values(), mark.held, strict=True):
                if row.__dict__ != held:
                    row.__dict__ = held
        for key, row in since.items():
            if key not in self._mine and key in self._common.rows:
                row.__dict__ = self._own(key).__dict__
                self._mine[key] = row

    # --- rows come and go ---------------------------------------------------------------------------
    def add(self, row: R) -> R:
        """Take a row in and return it. Raises KeyError when a unique key is there already.

        Of a battle, or whatever else people may type before a phase lays it out, the row that was typed gives way, and
        what people have filled in there stands in the one that comes. A row of the class on which the table's own
        builds becomes one of the table's, with defaults for what it adds.
        """
        if row._plain is not self.record and issubclass(self.record, row._plain):
            row.become(self.record)
        key = row.ident
        if key in self:
            if self.record.unique and row.takes_over(self._own(key)):
                return self._overlay_row(key, row)
            if self.record.unique:
                raise KeyError(f"{self.record.sheet}: {key} is there already")
            # a sheet whose rows need no key of their own may say the same thing twice
            count = 2
            while f"{key}#{count}" in self:
                count += 1
            key = f"{key}#{count}"
        if self._ordered and natural(self._ordered[-1]) < natural(key):  # as a table that only grows goes on
            self._ordered = self._ordered if self._added else list(self._ordered)  # it may be that of the common rows
            self._ordered.append(key)
            if self._walk is not None:
                self._walk = [*self._walk, row]  # somebody may be walking the one that was
        else:
            self._ordered = self._walk = None
        self._mine[key] = row
        self._added[key] = None
        self._note_new(row)
        return row

    def _overlay_row(self, key: str, row: R) -> R:
        typed = self._own(key)
        for c in row.columns():
            if c.edit != "assistant" and getattr(row, c.name) == c.default:
                setattr(row, c.name, getattr(typed, c.name))
        self._mine[key], self._walk = row, None
        self._note_new(row)
        return row

    def remove(self, key: str) -> R:
        """Take a row out and return it. Raises KeyError."""
        row = self[key]
        del self._mine[key]
        if key in self._added:
            del self._added[key]
        else:
            self._common = self._common.without(key)
        self._ordered = self._walk = None
        if self._changed is not None:
            self._changed.append((row, "", None))
        return row

    # --- one row, and keys ----------------------------------------------------------------------------
    def get(self, key: str) -> R | None:
        """The row of a key, or None."""
        row = self._mine.get(key)
        return row if row is not None or key not in self._common.rows else self._own(key)

    def spelling_of(self, key: str) -> str:
        """The key as the table has it, in whatever case of letters it was typed; itself where there is none such."""
        if key in self:
            return key
        wanted = key.strip().casefold()
        return self._common.spellings.get(wanted) or next(
            (known for known in self._added if known.casefold() == wanted), key)

    def __getitem__(self, key: str) -> R:
        row = self.get(key)
        if row is None:
            raise KeyError(key)
        return row

    def __contains__(self, key: object) -> bool:
        return key in self._mine or key in self._common.rows

    def __len__(self) -> int:
        return len(self._common.rows) + len(self._added)

    def keys(self) -> list[str]:
        """Keys in natural order."""
        return list(self._in_order())

    def _in_order(self) -> list[str]:
        if self._ordered is None:
            self._ordered = merge_in_order(self._common.sorted_keys(), self._added)
        return self._ordered

    def from_the_last(self) -> Iterator[str]:
        """Keys against their natural order."""
        return reversed(self._in_order())

    def keys_in_file_order(self) -> list[str]:
        """Keys in the order in which their rows were added: that of the sheet or file."""
        return [*self._common.rows, *self._added]

    # --- many rows --------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[R]:
        """Rows in natural order of key; rows may be added or removed while walking."""
        if self._walk is None:
            rows = self._all_own()
            self._walk = [rows[key] for key in self._in_order()]
        return iter(self._walk)

    def items(self) -> list[tuple[str, R]]:
        """Key and row, in natural order of key."""
        rows = self._all_own()
        return [(key, rows[key]) for key in self._in_order()]

    def in_file_order(self) -> list[tuple[str, R]]:
        """Key and row in the order in which they were added: that of the sheet or file."""
        rows = self._all_own()
        return [(key, rows[key]) for key in self.keys_in_file_order()]

    def where(self, test: Callable[[R], bool]) -> list[R]:
        """Rows for which the test holds, in natural order of key; the test may only read them."""
        if self._walk is not None:
            return [row for row in self._walk if test(row)]
        self._wake(self._common.asleep)
        rows: dict[str, Any] = {**self._common.rows, **self._mine}
        return [self._own(key) for key in self._in_order() if test(rows[key])]

    def open_rows(self, turn: str, test: Callable[[R], bool] | None = None, parts: Collection[object] = ()) -> list[R]:
        """All rows of a turn and all that are not settled, in natural order of key; of settled rows of other turns
        there may be some. `test`: as in `where`; `parts`: as in `of_turn`.
        """
        times, named = self._times_of(turn), [str(part) for part in parts]
        return self._rows_of_keys({**dict.fromkeys(times.keys(turn, named)), **times.unsettled},
                                  lambda row: _is_of(row, turn, named) or is_unsettled(self.record, row), test)

    def of_turn(self, turn: str, test: Callable[[R], bool] | None = None, parts: Collection[object] = ()) -> list[R]:
        """The rows of a turn, in natural order of key; for records that have a turn. `test`: as in `where`.

        `parts`: of which phases (or what else the record says by its `part`); (): of all.
        """
        named = [str(part) for part in parts]
        return self._rows_of_keys(self._times_of(turn).keys(turn, named), lambda row: _is_of(row, turn, named), test)

    def _times_of(self, turn: str) -> RowTimes:
        if self._common.asleep:
            self._wake([block for block in self._common.asleep if turn in block.turns])
        return self._common.times()

    def _rows_of_keys(self, keys: Iterable[str], fits: Callable[[R], bool],
                      test: Callable[[R], bool] | None) -> list[R]:
        """Of the common rows those of these keys, of this table's own those that fit, if they pass the test."""
        mine = self._mine
        rows: dict[str, Any] = self._common.rows
        chosen = [key for key in keys if key not in mine and (test is None or test(rows[key]))]
        chosen += [key for key, row in mine.items() if fits(row) and (test is None or test(row))]
        return [self._own(key) for key in sorted(chosen, key=natural)]

    # --- for machinery that only reads ------------------------------------------------------------------
    def raw_rows(self) -> list[tuple[str, R]]:
        """Key and row in the order of the file, for who only reads them and keeps none: rows that nobody has asked
        for are the common ones. A rulebook never uses it.
        """
        self._wake(self._common.asleep)
        return self._awake()

    def _awake(self) -> list[tuple[str, R]]:
        mine = self._mine
        if not mine:
            return [(key, row) for key, row in self._common.rows.items() if row is not None]
        both: dict[str, Any] = {**self._common.rows, **{key: mine[key] for key in self._added}}
        return [(key, row) for key, common in both.items() if (row := mine.get(key, common)) is not None]

    def asleep(self) -> list[LazyRows[R]]:
        """What nobody has asked for yet, in the order of the file."""
        return list(self._common.asleep)

    def beside(self, other: Table[R]) -> list[tuple[str, R]]:
        """As `raw_rows`, without the rows that are asleep here and in another state of the table: they are the same."""
        both = {id(block) for block in other._common.asleep}
        self._wake([block for block in self._common.asleep if id(block) not in both])
        return self._awake()


def _copies(rows: Mapping[str, R]) -> dict[str, R]:
    return {key: row.copy() for key, row in rows.items()}


def _is_of(row: Record, turn: str, parts: Collection[str]) -> bool:
    """Whether a row is of a turn, and of one of these parts of it if any is named."""
    of_turn, part = turn_and_part(row)
    return of_turn == turn and (not parts or part in parts)


__all__ = ["LazyRows", "Table"]
