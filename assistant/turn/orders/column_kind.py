"""What every kind of column that a verb can have offers; the kinds themselves stand in `columns`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.turn.orders.naming import as_spelled
from assistant.turn.orders.refusal import Roles
from assistant.turn.orders.request import HasGame, Request
from assistant.turn.texts import N_

Sort = Literal["unit", "place", "faction", "number"]
"""The sorts of piece of which a line of shorthand is made, beside words."""
Check = Callable[[Any, Request, Any, str], None]
"""A rule's own check of what a column means: board, request, record or number, field. Raises `Refused`."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a column holds.

    `blank`: it may be left out; `needed`: a line must say it though a cell may be blank; `then`: what a rule demands
    of it beyond that it is there; `late`: the deed asks for it itself (`taking.judged`), after checks of its own;
    `only_names`: it says which row is meant, and what is wrong with that the deed says in words of its own; `like`:
    the example where there is none yet ({faction} is one's own); `lead_in`: what a line has before it (`spoken`).
    """

    blank: bool = False
    needed: bool = False
    like: str = ""
    lead_in: str = ""
    late: bool = False
    only_names: bool = False
    then: tuple[Check, ...] = ()
    sorts: ClassVar[tuple[Sort, ...]] = ()
    handed: ClassVar[bool] = True
    """Whether the deed is handed what the column means."""
    told: ClassVar[str] = N_("a word")
    """What stands in it, for the orders card (msgid); {sheets} are those of its tables, {words} those it offers."""

    def tables(self) -> tuple[type[Record], ...]:
        """The records whose codes it offers."""
        return ()

    def spelled_by(self) -> tuple[type[Record], ...]:
        """The records as whose tables spell them its codes are read."""
        return self.tables()

    @property
    def words(self) -> Mapping[str, str]:
        """The words that it offers: code -> Italian."""
        return {}

    def roles(self) -> tuple[str, ...]:
        """What can be wrong with it, of which the book must have a finding."""
        return ()

    @property
    def at_once(self) -> bool:
        """Whether it is judged before the deed, and the deed is handed what it means."""
        return self.handed and not self.late and not self.only_names

    def judged_for(self, says: Roles) -> bool:
        """Whether it is judged before the deed, in a book with these findings."""
        return self.at_once

    def takes(self, sort: Sort) -> bool:
        """Whether a piece of a line may stand here."""
        return sort in self.sorts

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Whether a line of a verb with these columns may leave it out."""
        return self.blank

    def read(self, raw: Any) -> Any:
        """A cell in canonical spelling."""
        return str("" if raw is None else raw).strip()

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """A cell with codes as their tables spell them, and of what is called by its name the code."""
        said = self.read(raw)
        return as_spelled(campaign, self.spelled_by(), said) if isinstance(said, str) else said

    def piece(self, word: str) -> str:
        """A word of a line as it stands in the column, "" for one that has no place there."""
        return ""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """What a faction might write there, "" for nothing. `fields`: what stands in the columns before."""
        for record in self.tables():
            mine = campaign.by_sheet(record.sheet).where(
                lambda row: self.fits(row, faction) and row.ident not in fields.values())
            if mine:
                return str(mine[0].ident)
        return next(iter(self.words), self.like.format(faction=faction))

    def worded(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """What an example has there as a line in a language says it; a code is itself."""
        return value

    def fits(self, row: Any, faction: str) -> bool:
        """Whether a row is one that a faction might name there; here: its own."""
        return faction in row.owners

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """What it names, to tell whether two rows are about the same thing; "" where that is open."""
        return str(getattr(request, name))

    def judge(self, board: HasGame, request: Request, name: str) -> Any:
        """What the column means at its time. Raises `Refused`."""
        found = self._meant(board, request, name)
        for check in self.then if found is not None else ():
            check(board, request, found, name)
        return found

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        return getattr(request, name)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Raise `Refused` for what nothing will put right until the order's time comes."""
