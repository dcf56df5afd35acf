"""A table: the rows of one record class, found by key, walked in natural order of key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from assistant.campaign.order import natural
from assistant.campaign.record import Record

R = TypeVar("R", bound=Record)


class Table(Generic[R]):
    """Rows by key. Where a record is not `unique`, equal keys are told apart by a number (``a#2``)."""

    def __init__(self, record: type[R], rows: Iterable[R] = ()) -> None:
        self.record = record
        self._rows: dict[str, R] = {}
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
        self._sorted = self._in_order = None
        return self._rows.pop(key)

    def get(self, key: str) -> R | None:
        """The row of a key, or None."""
        return self._rows.get(key)

    def __getitem__(self, key: str) -> R:
        return self._rows[key]

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def keys(self) -> list[str]:
        """Keys in natural order."""
        if self._sorted is None:
            self._sorted = sorted(self._rows, key=natural)
        return list(self._sorted)

    def __iter__(self) -> Iterator[R]:
        """Rows in natural order of key; rows may be added or removed while walking."""
        if self._in_order is None:
            self._in_order = [self._rows[key] for key in self.keys()]
        return iter(self._in_order)

    def items(self) -> list[tuple[str, R]]:
        """Key and row, in natural order of key."""
        return [(key, self._rows[key]) for key in self.keys()]

    def in_file_order(self) -> list[tuple[str, R]]:
        """Key and row in the order in which they were added: that of the sheet or file."""
        return list(self._rows.items())

    def where(self, test: Callable[[R], bool]) -> list[R]:
        """Rows for which the test holds, in natural order of key."""
        return [row for row in self if test(row)]

    def copy(self) -> Table[R]:
        """A table with copies of the rows; rows of a table that only grows are shared."""
        new: Table[R] = Table(self.record)
        if self.record.grows:
            new._rows = dict(self._rows)
        else:
            blank, kept = object.__new__, new._rows
            for key, row in self._rows.items():  # as `Record.copy`, which a phase would call a thousand times
                kept[key] = twin = blank(type(row))
                twin.__dict__ = row.__dict__.copy()
        new._sorted = None if self._sorted is None else [*self._sorted]
        return new
