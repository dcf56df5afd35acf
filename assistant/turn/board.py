"""What every rulebook's world stands on: tables by name, throws for a purpose, free codes.

A wing's own board says once which tables it has, and reads like the chapter: ``armies = Sheet(Army)``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any, Generic, TypeVar, overload

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Event
from assistant.campaign.table import Table
from assistant.turn.findings import Finding, Where
from assistant.turn.game import Game
from assistant.turn.throws.dice import PUBLIC, RangeTable, Roll
from assistant.turn.throws.kinds import Throw
from assistant.turn.throws.reads import SUM, Read
from assistant.turn.throws.rulings import Count, Limit, Score, Trial

R = TypeVar("R", bound=Record)
_HIGHEST = 9
"""Digits of the highest number that a code is counted on from."""


class Sheet(Generic[R]):
    """A table of the campaign as an attribute of a board."""

    def __init__(self, record: type[R]) -> None:
        self.record = record

    def __set_name__(self, owner: type[Tables], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, board: None, owner: type[Tables]) -> Sheet[R]: ...
    @overload
    def __get__(self, board: Tables, owner: type[Tables]) -> Table[R]: ...
    def __get__(self, board: Tables | None, owner: type[Tables]) -> Sheet[R] | Table[R]:
        if board is None:
            return self
        table = board.__dict__[self.name] = board.campaign.table(self.record)  # from now on looked up there
        return table


class One(Generic[R]):
    """The only row of a table, as an attribute of a board: ``desk = One(Desk)``."""

    def __init__(self, record: type[R]) -> None:
        self.record = record

    @overload
    def __get__(self, board: None, owner: type[Tables]) -> One[R]: ...
    @overload
    def __get__(self, board: Tables, owner: type[Tables]) -> R: ...
    def __get__(self, board: Tables | None, owner: type[Tables]) -> One[R] | R:
        return self if board is None else next(iter(board.campaign.table(self.record)))


class Tables:
    """A campaign with its tables at hand; wings subclass it."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign


class Board(Tables):
    """One run of one phase on a campaign's tables.

    `rules`: the numbers in force; a subclass annotates it with the class that declares them.
    """

    rules: Any

    def __init__(self, game: Game) -> None:
        super().__init__(game.campaign)
        self.game = game
        self.rules = game.rules
        self._untold: list[Record] = []

    def touch(self, *rows: Record) -> None:
        """Note rows that have changed: the next event tells of them."""
        self._untold += rows

    def tell(self, event: str, audience: Iterable[str] | str, rule: str = "", *, touch: Iterable[Record | str] = (),
             **said: Any) -> Event:
        """Record that something happened; see `Game.tell`. It touches what was noted, too."""
        rows, self._untold = [*self._untold, *touch], []
        return self.game.tell(event, audience, rule, touch=rows, **said)

    def find(self, code: str, row: Record, field: str, faction: str = "", **data: Any) -> Finding:
        """Record a finding at a column of a row; see `Game.find`. `faction`: "": whose the row is."""
        where = Where(row.sheet, row.ident, field)
        return self.game.find(code, where, faction or str(getattr(row, "faction", "")), **data)

    def roll(self, throw: Throw, audience: Iterable[str] | str = PUBLIC) -> Roll:
        """A throw for a purpose; see `Dice.roll`."""
        return self.game.roll(throw.key, throw.dice, audience)

    def trial(self, throw: Throw, target: int, modifiers: Mapping[str, int],
              audience: Iterable[str] | str = PUBLIC, *, at_most: bool = False) -> Trial:
        """A throw plus named modifiers against a target; see `Game.trial`."""
        return self.game.trial(throw.key, throw.dice, target, modifiers, audience, at_most=at_most)

    def count(self, throw: Throw, limit: Limit, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, rows: RangeTable | None = None) -> Count:
        """How many dice of a throw succeed; see `Game.count`."""
        return self.game.count(throw.key, throw.dice, limit, modifiers, audience, rows=rows)

    def score(self, throw: Throw, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, read: Read = SUM) -> Score:
        """A throw plus named modifiers, to be compared or read in a table; see `Game.score`."""
        return self.game.score(throw.key, throw.dice, modifiers, audience, read=read)


# --- codes ----------------------------------------------------------------------------------------
def next_code(table: Table[Any], shape: str) -> str:
    """The code after the highest of its shape: ``W{}`` -> ``W8`` where W7 is the highest, gaps or not.

    What people have typed before it was laid out takes no number: its row waits for the one that gets its code.
    """
    pattern = re.compile(re.escape(shape).replace(r"\{\}", rf"(\d{{1,{_HIGHEST}}})"))
    known = {int(match[1]): key for key in table.keys_in_file_order() if (match := pattern.fullmatch(key))}
    highest = next((n for n in sorted(known, reverse=True) if not table[known[n]].typed_early), 0)
    return shape.format(highest + 1)


def free_code(taken: Container[object], shape: str) -> str:
    """The lowest code of a shape that nothing has: ``V-{}`` -> ``V-2`` where there are V-1 and V-3."""
    n = 1
    while shape.format(n) in taken:
        n += 1
    return shape.format(n)


def free_name(taken: Container[object], stem: str) -> str:
    """A stem as it is, or with the lowest number from 2 on that nothing has: ``P3-out``, ``P3-out-2``."""
    found, n = stem, 2
    while found in taken:
        found, n = f"{stem}-{n}", n + 1
    return found
