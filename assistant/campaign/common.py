"""Rows that several states of a table have in common: only tables hold them, and who asks one gets a row of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Self, TypeVar

from assistant.campaign.order import natural
from assistant.campaign.record import Record

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
    these rows, by what made it (`Campaign.made_of`).
    """

    __slots__ = ("_ordered", "_times", "asleep", "made", "record", "rows", "shared")

    def __init__(self, record: type[R], rows: dict[str, R | None], asleep: Sequence[LazyRows[R]] = (), *,
                 shared: bool = False, ordered: list[str] | None = None) -> None:
        self.record = record
        self.rows = rows
        self.asleep = asleep
        self.shared = shared
        self.made: dict[Any, tuple[list[SharedRows[Any]], Any]] = {}
        self._ordered = ordered
        self._times: Times | None = None

    # --- keys -----------------------------------------------------------------------------------
    def ordered(self) -> list[str]:
        """Keys in natural order; not to be changed."""
        if self._ordered is None:
            self._ordered = sorted(self.rows, key=natural)
        return self._ordered

    def times(self) -> Times:
        """The keys of the rows that are awake by turn, and those of rows that are not settled."""
        if self._times is None:
            self._times = Times.of(self.record, self.rows)
        return self._times

    # --- other rows -----------------------------------------------------------------------------
    def with_rows(self, rows: Mapping[str, R]) -> SharedRows[R]:
        """The same with some rows new or otherwise, which are given away for good."""
        fresh = [key for key in rows if key not in self.rows]
        ordered = None if self._ordered is None else in_order_with(self._ordered, fresh)
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
        return self.woken(self.asleep)

    def woken(self, chosen: Sequence[LazyRows[R]]) -> SharedRows[R]:
        """The same with some of what is asleep awake."""
        if not chosen:
            return self
        rows = self.rows.copy()
        for block in chosen:
            rows.update(zip(block.keys, block.load(), strict=True))
        left = [block for block in self.asleep if block not in chosen]
        return SharedRows(self.record, rows, left, shared=self.shared, ordered=self._ordered)


class Times(NamedTuple):
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
                turn, part = moment_of(row)
                turns.setdefault(turn, {}).setdefault(part, {})[key] = None
                if is_unsettled(record, row):
                    unsettled[key] = None
        return cls(turns, unsettled)

    def keys(self, turn: str, parts: Collection[str] = ()) -> list[str]:
        """Those of a turn, of all its parts where none is named; in no order."""
        of_turn = self.turns.get(turn, {})
        return [key for part in parts or of_turn for key in of_turn.get(part, ())]

    def with_rows(self, record: type[Record], before: Mapping[str, Any], rows: Mapping[str, Any]) -> Times:
        """The same with some rows new or otherwise; what stands of other moments is taken over."""
        turns: dict[str, Any] = dict(self.turns)
        unsettled, fresh = self.unsettled.copy(), set[tuple[str, str]]()
        for key, row in rows.items():
            old = before.get(key)
            was, now = None if old is None else moment_of(old), moment_of(row)
            if was != now:
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
        return Times(turns, unsettled)


class Later(Generic[R]):
    """Rows that are worked out when somebody asks for them, once for all campaigns that share them."""

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


def moment_of(row: Record) -> tuple[str, str]:
    """The turn of a row and the part of it, "" where it has none."""
    return str(getattr(row, row.time, "")), str(getattr(row, row.part, ""))


def is_unsettled(record: type[Record], row: Record) -> bool:
    """Whether a phase may still have to do with a row, of whatever turn it is."""
    return not record.grows and row.hold != "settled"


def in_order_with(ordered: list[str], fresh: Iterable[str]) -> list[str]:
    """Keys in natural order with some more; the list itself where there are none."""
    more = sorted(fresh, key=natural)
    if not more:
        return ordered
    both = [*ordered, *more]
    return both if not ordered or natural(ordered[-1]) < natural(more[0]) else sorted(both, key=natural)
