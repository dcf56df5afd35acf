"""A table: the rows of one record class, found by key, walked in natural order of key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, cast

from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.dataclass import dataclass

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False)
class Asleep(Generic[R]):
    """Settled rows of past turns, side by side in a table, that are made when somebody asks for them.

    `keys`: theirs, in the order of the table; `turns`: to which they belong; `name`: by what whoever keeps them
    knows them; `load`: makes them, anew each time.
    """

    keys: Sequence[str]
    turns: frozenset[str]
    name: str
    load: Callable[[], Sequence[R]]


class Table(Generic[R]):
    """Rows by key. Where a record is not `unique`, equal keys are told apart by a number (``a#2``).

    A long campaign's history may be `Asleep`: whoever walks over the table wakes it, whoever asks for the rows of
    a turn (`of_turn`, `lively`), for one row or for the keys does not.
    """

    def __init__(self, record: type[R], rows: Iterable[R] = ()) -> None:
        self.record = record
        self._rows: dict[str, R | None] = {}
        self._asleep: list[Asleep[R]] = []
        self._sorted: list[str] | None = None
        self._in_order: list[R] | None = None
        for row in rows:
            self.add(row)

    @classmethod
    def of(cls, record: type[R], rows: Iterable[tuple[str, R]]) -> Table[R]:
        """A table of rows that come from another table, with the keys they had there."""
        new = cls(record)
        new._rows = dict(rows)
        return new

    @classmethod
    def partly_asleep(cls, record: type[R], parts: Iterable[Asleep[R] | Sequence[R]]) -> Table[R]:
        """A table some of whose rows are asleep, part by part in the order of the file. The keys of all must differ."""
        new = cls(record)
        for part in parts:
            if isinstance(part, Asleep):
                new._asleep.append(part)
                new._rows.update(dict.fromkeys(part.keys))
            else:
                new._rows.update(zip(record.idents(part), part, strict=True))
        return new

    def _wake(self, blocks: Iterable[Asleep[R]]) -> None:
        chosen = list(blocks)
        for block in chosen:
            self._rows.update(zip(block.keys, block.load(), strict=True))
        self._asleep = [block for block in self._asleep if block not in chosen]

    def _woken(self) -> dict[str, R]:
        """All rows by key, none of them asleep any more."""
        if self._asleep:
            self._wake(self._asleep)
        return cast("dict[str, R]", self._rows)

    def _found(self, key: str) -> R | None:
        """The row of a key, awake; None for a key that is not there."""
        row = self._rows.get(key)
        if row is None and key in self._rows:
            self._wake([next(block for block in self._asleep if key in block.keys)])
            row = self._rows[key]
        return row

    def add(self, row: R) -> R:
        """Take a row in and return it. Raises KeyError when a unique key is there already."""
        key = row.ident
        if key in self._rows:
            if self.record.unique:
                raise KeyError(f"{self.record.sheet}: {key} is there already")
            count = 2
            while f"{key}#{count}" in self._rows:
                count += 1
            key = f"{key}#{count}"
        self._rows[key] = row
        if self._sorted and natural(self._sorted[-1]) < natural(key):  # as a table that only grows goes on
            self._sorted.append(key)
            if self._in_order is not None:
                self._in_order = [*self._in_order, row]  # somebody may be walking the one that was
        else:
            self._sorted = self._in_order = None
        return row

    def remove(self, key: str) -> R:
        """Take a row out and return it. Raises KeyError."""
        row = self[key]
        self._sorted = self._in_order = None
        del self._rows[key]
        return row

    def get(self, key: str) -> R | None:
        """The row of a key, or None."""
        return self._found(key) if self._asleep else self._rows.get(key)

    def spelled(self, key: str) -> str:
        """The key as the table has it, in whatever case of letters it was typed; itself where there is none such."""
        if key in self._rows:
            return key
        wanted = key.strip().casefold()
        return next((known for known in self._rows if known.casefold() == wanted), key)

    def __getitem__(self, key: str) -> R:
        row = self.get(key)
        if row is None:
            raise KeyError(key)
        return row

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def keys(self) -> list[str]:
        """Keys in natural order."""
        if self._sorted is None:
            self._sorted = sorted(self._rows, key=natural)
        return list(self._sorted)

    def keys_in_file_order(self) -> list[str]:
        """Keys in the order in which their rows were added: that of the sheet or file."""
        return list(self._rows)

    def __iter__(self) -> Iterator[R]:
        """Rows in natural order of key; rows may be added or removed while walking."""
        if self._in_order is None:
            rows = self._woken()
            self._in_order = [rows[key] for key in self.keys()]
        return iter(self._in_order)

    def items(self) -> list[tuple[str, R]]:
        """Key and row, in natural order of key."""
        rows = self._woken()
        return [(key, rows[key]) for key in self.keys()]

    def in_file_order(self) -> list[tuple[str, R]]:
        """Key and row in the order in which they were added: that of the sheet or file."""
        return list(self._woken().items())

    def lively(self, turn: str) -> list[R]:
        """All rows of a turn and all that are not settled, in natural order of key; of settled rows of other turns
        there may be some.
        """
        self._wake(block for block in self._asleep if turn in block.turns)
        if not self._asleep:
            return list(self)
        awake = [(key, row) for key, row in self._rows.items() if row is not None]
        return [row for _, row in sorted(awake, key=lambda one: natural(one[0]))]

    def of_turn(self, turn: str) -> list[R]:
        """The rows of a turn, in natural order of key; for records that have a turn."""
        return [row for row in self.lively(turn) if getattr(row, "turn", None) == turn]

    def asleep(self) -> list[Asleep[R]]:
        """What nobody has asked for yet, in the order of the file."""
        return list(self._asleep)

    def beside(self, other: Table[R]) -> list[tuple[str, R]]:
        """Key and row in the order of the file, without those that are asleep here and in another state of the table,
        and so are the same in both.
        """
        both = {id(block) for block in other._asleep}
        self._wake([block for block in self._asleep if id(block) not in both])
        return [(key, row) for key, row in self._rows.items() if row is not None]

    def where(self, test: Callable[[R], bool]) -> list[R]:
        """Rows for which the test holds, in natural order of key."""
        return [row for row in self if test(row)]

    def copy(self) -> Table[R]:
        """A table with copies of the rows; rows of a table that only grows are shared."""
        new: Table[R] = Table(self.record)
        new._asleep = list(self._asleep)
        new._rows = dict(self._rows)
        if not self.record.grows:
            blank, kept = object.__new__, new._rows
            for key, row in self._rows.items():  # as `Record.copy`, which a phase would call a thousand times
                if row is not None:
                    kept[key] = twin = blank(type(row))
                    twin.__dict__ = row.__dict__.copy()
        new._sorted = None if self._sorted is None else [*self._sorted]
        return new
