"""Kinds of column for books whose orders call rows by name as well as by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Kind, Sort
from assistant.turn.orders.requests import HasGame, Refused, Request
from assistant.turn.orders.words import find_row, fold
from assistant.turn.texts import N_

_WHOLE = re.compile(r"\d{1,9}")
_NUMBER = re.compile(r"£?(\d+(?:[.,]\d+)?)£?")


def require_row(rows: Iterable[Any], word: str, field_name: str) -> Any:
    """The row that a word means, by id or by name. Raises `Refused` (no_such_unit, ambiguous)."""
    known = list(rows)
    found = find_row(known, word, field_name)
    if found is None:
        names = dict.fromkeys(getattr(row, "name", "") or row.ident for row in known)
        near = nearest(word, [*(row.ident for row in known), *names])
        raise Refused("no_such_unit", field_name, word=word, near=near)
    return found


@dataclass(frozen=True)
class Person(Kind):
    """One of the people of the faction, by code or by name: who acts, or who gave the order."""

    record: type[Record]
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("a code or name of your own of {sheets}")

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return "no_such_person", "ambiguous"

    def tables(self) -> tuple[type[Record], ...]:
        """Those who are listed there."""
        return (self.record,)

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The person's code, or what stands there where it means nobody or two."""
        try:
            row = self._of(board, request, name)
        except Refused:
            row = None
        return str(getattr(request, name) if row is None else row.ident)

    def _of(self, board: HasGame, request: Request, name: str) -> Any:
        mine = [row for row in board.game.campaign.by_sheet(self.record.sheet) if row.faction == request.faction]
        return find_row(mine, getattr(request, name), name)

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        if not word and self.blank:
            return None
        row = self._of(board, request, name)
        if row is None:
            rows = board.game.campaign.by_sheet(self.record.sheet)
            mine = [row.ident for row in rows if row.faction == request.faction]
            raise Refused("no_such_person", name, word=word, near=nearest(word, mine), list=" ".join(mine) or "-")
        return row

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """People neither come nor go within a turn."""
        self._meant(board, request, name)


@dataclass(frozen=True)
class Named(Kind):
    """A row of some sheets. `which`: those of its rows that may be meant at all."""

    records: tuple[type[Record], ...]
    which: Callable[[Any], bool] = lambda row: True
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("a code or name of {sheets}")

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return "no_such_unit", "ambiguous"

    def tables(self) -> tuple[type[Record], ...]:
        """Those of its rows."""
        return self.records

    def fits(self, row: Any, faction: str) -> bool:
        """Whoever's it is."""
        return self.which(row)

    def rows(self, board: Any) -> list[Any]:
        """All that may be meant."""
        return [row for record in self.records for row in board.game.campaign.by_sheet(record.sheet) if self.which(row)]

    def same(self, board: Any, request: Request, name: str) -> str:
        """The id of the row, or what stands there where it means none or two."""
        word = str(getattr(request, name))
        try:
            return fold(require_row(self.rows(board), word, name).ident)
        except Refused:
            return fold(word)

    def _meant(self, board: Any, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return require_row(self.rows(board), word, name) if word else None


@dataclass(frozen=True)
class NewCode(Named):
    """A code that nothing in these sheets has yet; `taken`: the book's finding for one that is (brace ``x``)."""

    taken: str = ""
    told: ClassVar[str] = N_("a new code")

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """What it is like."""
        return self.like

    def same(self, board: Any, request: Request, name: str) -> str:
        """The word itself."""
        return fold(str(getattr(request, name)))

    def _meant(self, board: Any, request: Request, name: str) -> str:
        word = str(getattr(request, name))
        if fold(word) in {fold(row.ident) for row in self.rows(board)}:
            raise Refused(self.taken, name, x=word)
        return word


@dataclass(frozen=True)
class OneOf(Kind):
    """One of a few words, of which `means` gives the code in whatever language; `otherwise`: what a blank means;
    `italian`: the words of the codes.
    """

    options: tuple[str, ...]
    means: Callable[[str], str]
    otherwise: str = ""
    italian: Mapping[str, str] = field(default_factory=dict)
    told: ClassVar[str] = N_("one of {words}")

    @property
    def words(self) -> Mapping[str, str]:
        """Its options."""
        return {code: self.italian.get(code, code) for code in self.options}

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("no_such_option",)

    def piece(self, word: str) -> str:
        """The code of a word that is one of them."""
        return self.means(word) if self.means(word) in self.options else ""

    def _meant(self, board: Any, request: Request, name: str) -> str:
        word = str(getattr(request, name))
        code = self.means(word) if word else self.otherwise
        if code not in self.options and (word or not self.blank):
            raise Refused("no_such_option", name, word=word, options=", ".join(self.options))
        return code


@dataclass(frozen=True, kw_only=True)
class Points(Kind):
    """A whole number of 0 or more; None for a blank. `amount_of`: reads another unit (pounds in halves)."""

    amount_of: Callable[[Any], int | None] | None = None
    sorts: ClassVar[tuple[Sort, ...]] = ("number",)
    told: ClassVar[str] = N_("a number")

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """A number where one is needed."""
        return "" if self.blank else 3

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("not_an_amount",)

    def read(self, raw: Any) -> int | str:
        """As it stands."""
        return "" if raw is None else raw

    def piece(self, word: str) -> str:
        """A number, with or without the sign of pounds."""
        found = _NUMBER.fullmatch(word)
        return found[1] if found is not None else ""

    def _meant(self, board: Any, request: Request, name: str) -> int | None:
        raw = getattr(request, name)
        return parse_whole(raw, name) if self.amount_of is None else self.amount_of(raw)


def parse_whole(raw: object, field_name: str = "amount") -> int | None:
    """A whole number of 0 or more, None for a blank. Raises `Refused` (not_an_amount)."""
    text = str(raw if raw is not None else "").strip()
    if text and not _WHOLE.fullmatch(text):
        raise Refused("not_an_amount", field_name, word=raw)
    return int(text) if text else None


@dataclass(frozen=True, kw_only=True)
class FreeWords(Kind):
    """Free text that only the deed can read."""

    handed: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class Route(FreeWords):
    """A way, of which only the map says what its words are."""

    def is_rest(self, campaign: Campaign, words: str) -> bool:
        """Whether all the rest of a line is one place to go to."""
        return False
