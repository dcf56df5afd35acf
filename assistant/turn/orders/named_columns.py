"""Kinds of column for books whose orders call rows by name as well as by code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Kind, Option, Sentence, Sort
from assistant.turn.orders.requests import HasGame, Refused, Request
from assistant.turn.orders.words import find_row, fold
from assistant.turn.texts import N_


def require_row(rows: Iterable[Any], word: str, field_name: str) -> Any:
    """The row that a word means, by id or by name. Raises `Refused` (no_such_unit, ambiguous)."""
    known = list(rows)
    known_row = find_row(known, word, field_name)
    if known_row is None:
        names = dict.fromkeys(getattr(row, "name", "") or row.ident for row in known)
        near = nearest(word, [*(row.ident for row in known), *names])
        raise Refused("no_such_unit", field_name, word=word, near=near)
    return known_row


@dataclass(eq=False, repr=False)
class Named(Kind):
    """A row of some sheets, by code or by name. `which`: those of its rows that may be meant at all."""

    records: tuple[type[Record], ...]
    which: Callable[[Any], bool] = lambda row: True
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("a code or name of {sheets}")
    faults: ClassVar[tuple[str, ...]] = ("no_such_unit", "ambiguous")

    def fits(self, row: Any, faction: str) -> bool:
        """Whoever's it is."""
        return self.which(row)

    def rows(self, board: Any) -> list[Any]:
        """All that may be meant."""
        return [row for record in self.records for row in board.game.campaign.by_sheet(record.sheet) if self.which(row)]

    def same(self, board: Any, request: Request, name: str) -> str:
        """The id of the row, or what stands there where it means none or two."""
        word = str(getattr(request, name))
        with suppress(Refused):
            return str(self._row(board, request, word, name).ident)
        return fold(word)

    def _row(self, board: Any, request: Request, word: str, name: str) -> Any:
        return require_row(self.rows(board), word, name)

    def _meant(self, board: Any, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return self._row(board, request, word, name) if word else None


class Person(Named):
    """One of the people of the faction: who acts, or who gave the order."""

    told: ClassVar[str] = N_("a code or name of your own of {sheets}")
    faults: ClassVar[tuple[str, ...]] = ("no_such_person", "ambiguous")
    acts: ClassVar[bool] = True

    def fits(self, row: Any, faction: str) -> bool:
        """One of its own."""
        return faction in row.owners

    def _row(self, board: Any, request: Request, word: str, name: str) -> Any:
        mine = [row for row in self.rows(board) if row.faction == request.faction]
        if row := find_row(mine, word, name):
            return row
        codes = [row.ident for row in mine]
        raise Refused("no_such_person", name, word=word, near=nearest(word, codes), list=" ".join(codes) or "-")

    def _meant(self, board: Any, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return self._row(board, request, word, name) if word or not self.blank else None

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """People neither come nor go within a turn."""
        self._meant(board, request, name)


@dataclass(eq=False, repr=False)
class NewCode(Named):
    """A code that nothing in these sheets has yet; `taken`: the book's finding for one that is (brace ``x``)."""

    taken: str = ""
    is_new: ClassVar[bool] = True
    told: ClassVar[str] = N_("a new code")

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """A word that may become one."""
        return True

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """What it is like."""
        return (self.like,)

    def same(self, board: Any, request: Request, name: str) -> str:
        """The word itself."""
        return fold(str(getattr(request, name)))

    def _meant(self, board: Any, request: Request, name: str) -> str:
        word = str(getattr(request, name))
        if fold(word) in {fold(row.ident) for row in self.rows(board)}:
            raise Refused(self.taken, name, x=word)
        return word


@dataclass(eq=False, repr=False)
class OneOf(Option):
    """An option that the deed is handed. `otherwise`: what a blank means."""

    otherwise: str = ""
    handed: ClassVar[bool] = True
    faults: ClassVar[tuple[str, ...]] = ("no_such_option",)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A word that is one of them, though it may be a preposition."""
        if code := self.code(sentence.word(start)):
            yield 1, code

    def _meant(self, board: HasGame, request: Request, name: str) -> str:
        return super()._meant(board, request, name) or self.otherwise


class FreeWords(Kind):
    """Free text that only the deed can read."""

    handed: ClassVar[bool] = False

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Any words."""
        return True
