"""A table: the rows of one record class, found by key, walked in natural order of key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from assistant.campaign.common import LazyRows, SharedRows, Times, in_order_with, is_unsettled, moment_of
from assistant.campaign.order import natural
from assistant.campaign.record import Record

R = TypeVar("R", bound=Record)


class Mark(NamedTuple):
    """How a table stood (`Table.mark`): what it stood on, its own rows and what they held, keys of those that were new.
    """

    common: SharedRows[Any]
    mine: dict[str, Any]
    held: list[dict[str, Any]]
    added: dict[str, None]


class Table(Generic[R]):
    """Rows by key. Where a record is not `unique`, equal keys are told apart by a number (``a#2``).

    A row that it hands out is its own from then on, and nothing but this table knows it: who changes the row changes
    this table and no copy of it. Rows that nobody has asked for it has in common with its copies (`SharedRows`).

    A long campaign's history may be `LazyRows`: whoever walks over the table wakes it, whoever asks for the rows of
    a turn (`of_turn`, `open_rows`), for one row or for the keys does not.
    """

    __slots__ = ("_added", "_common", "_mine", "_ordered", "_walk", "kept", "record")

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

    # --- rows that become this table's own --------------------------------------------------------
    def _wake(self, blocks: Sequence[LazyRows[R]]) -> None:
        self._common = self._common.woken(blocks)

    def _own(self, key: str) -> R:
        """The row of a key that is there, this table's own."""
        row = self._mine.get(key)
        if row is None:
            if self._common.rows[key] is None:
                self._wake([next(block for block in self._common.asleep if key in block.keys)])
            found: Any = self._common.rows[key]
            row = self._mine[key] = found.copy() if self._common.shared else found
        return row

    def _all_own(self) -> dict[str, R]:
        """All rows by key, in no order, each this table's own."""
        if len(self._mine) < len(self):
            self._wake(self._common.asleep)
            rows: dict[str, Any] = self._common.rows
            missing = {key: row for key, row in rows.items() if key not in self._mine} if self._mine else rows
            self._mine.update(_copies(missing) if self._common.shared else missing)
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
                    common.ordered()  # is nearly known, and so are those of all that come after
                common = self._common = common.with_rows(_copies(changed))
                self._added = {}
        common.shared = True
        return common

    def copy(self) -> Table[R]:
        """A table of the same rows, none of which can be changed by way of the other."""
        return Table.over(self.common())

    # --- back to how it stood -----------------------------------------------------------------------
    def mark(self) -> Mark:
        """How it stands now, so that it can be put back."""
        if not self._common.shared:
            self.common()  # else what is handed out next is the very row that the mark stands on
        return Mark(self._common, self._mine.copy(), [vars(row.copy()) for row in self._mine.values()],
                    self._added.copy())

    def put_back(self, mark: Mark) -> None:
        """Stand as it stood. Who holds one of its rows holds it as it was; one that was added since is in no table."""
        since, self._mine = self._mine, mark.mine.copy()
        same = all(since.get(key) is row for key, row in self._mine.items())
        if not same or self._common is not mark.common or [*self._added] != [*mark.added]:
            self._common, self._added = mark.common, mark.added.copy()
            self._ordered = self._walk = None
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
        what people have filled in there stands in the one that comes.
        """
        key = row.ident
        if key in self:
            if self.record.unique and row.takes_over(self._own(key)):
                return self._laid_over(key, row)
            if self.record.unique:
                raise KeyError(f"{self.record.sheet}: {key} is there already")
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
        return row

    def _laid_over(self, key: str, row: R) -> R:
        typed = self._own(key)
        for c in row.columns():
            if c.edit != "assistant" and getattr(row, c.name) == c.default:
                setattr(row, c.name, getattr(typed, c.name))
        self._mine[key], self._walk = row, None
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
        return row

    # --- one row, and keys ----------------------------------------------------------------------------
    def get(self, key: str) -> R | None:
        """The row of a key, or None."""
        row = self._mine.get(key)
        return row if row is not None or key not in self._common.rows else self._own(key)

    def spelled(self, key: str) -> str:
        """The key as the table has it, in whatever case of letters it was typed; itself where there is none such."""
        if key in self:
            return key
        wanted = key.strip().casefold()
        return next((known for known in self.keys_in_file_order() if known.casefold() == wanted), key)

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
            self._ordered = in_order_with(self._common.ordered(), self._added)
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
        return self._chosen({**dict.fromkeys(times.keys(turn, named)), **times.unsettled},
                            lambda row: _is_of(row, turn, named) or is_unsettled(self.record, row), test)

    def of_turn(self, turn: str, test: Callable[[R], bool] | None = None, parts: Collection[object] = ()) -> list[R]:
        """The rows of a turn, in natural order of key; for records that have a turn. `test`: as in `where`.

        `parts`: of which phases (or what else the record says by its `part`); (): of all.
        """
        named = [str(part) for part in parts]
        return self._chosen(self._times_of(turn).keys(turn, named), lambda row: _is_of(row, turn, named), test)

    def _times_of(self, turn: str) -> Times:
        if self._common.asleep:
            self._wake([block for block in self._common.asleep if turn in block.turns])
        return self._common.times()

    def _chosen(self, keys: Iterable[str], fits: Callable[[R], bool], test: Callable[[R], bool] | None) -> list[R]:
        """Of the common rows those of these keys, of this table's own those that fit, if they pass the test."""
        mine = self._mine
        rows: dict[str, Any] = self._common.rows
        found = [key for key in keys if key not in mine and (test is None or test(rows[key]))]
        found += [key for key, row in mine.items() if fits(row) and (test is None or test(row))]
        return [self._own(key) for key in sorted(found, key=natural)]

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
    of_turn, part = moment_of(row)
    return of_turn == turn and (not parts or part in parts)


__all__ = ["LazyRows", "Table"]
