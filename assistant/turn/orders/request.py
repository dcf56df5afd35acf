"""A row of Orders as it was understood: what the columns of its verb hold, in canonical spelling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import Order
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.refusal import Refused, refuse_if

CELLS = ("unit", "path", "target", "node", "amount", "men", "partner", "option", "choice", "note")
"""What an order may say beside its verb; each record of Orders has those of them that its book needs, and more where
its book names them (`OrderBook.cells`)."""


class Telling(Protocol):
    """What orders need of a game."""

    campaign: Campaign
    turn: str

    def find(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """Record a finding that the ruleset declares."""


class HasGame(Protocol):
    """What a column needs of the board (`assistant.turn.board`) that a phase is played on."""

    @property
    def game(self) -> Telling:
        """The run of a phase."""


@dataclass
class Request:
    """One row as understood. `verb`: its code, "" for none; `raw`: the columns as typed; `problem`: words that were
    not understood, and `why`. The other fields are the row's columns, as the kinds of column of its verb read them;
    those of the book's own stand in `more`, and are found as attributes, too, but for one that is called as a method
    of the request (`where`).
    """

    row: Order
    verb: str
    unit: str = ""
    path: list[str] = field(default_factory=list)
    target: str = ""
    node: str = ""
    amount: int | str = ""
    men: str = ""
    partner: str = ""
    option: str = ""
    choice: str = ""
    note: str = ""
    raw: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    why: Refused | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        vars(self).update((name, value) for name, value in self.more.items() if not hasattr(Request, name))

    @property
    def faction(self) -> str:
        """Whose row it is."""
        return self.row.faction

    def came_to(self, outcome: str) -> None:
        """Say on the row what the order came to; "" for nothing.

        Raises ValueError for a word that its record does not declare, and for any where it declares none.
        """
        kinds = [c.kind for c in self.row.columns() if c.name == "outcome"]
        words = kinds[0].options if kinds and isinstance(kinds[0], Choice) else {}
        if outcome and outcome not in words:
            raise ValueError(f"orders have no outcome {outcome}")
        if kinds:
            vars(self.row)["outcome"] = outcome

    def typed(self, name: str) -> str:
        """What stands in a cell of the row, as it was typed."""
        return str(getattr(self.row, name, "") or "")

    def says(self) -> tuple[Any, ...]:
        """Everything that the row says, to tell whether two are alike."""
        own = (tuple(self.path) if name == "path" else getattr(self, name) for name in CELLS)
        return (self.verb, *own, *(str(value) for value in self.more.values()))

    def where(self, field_name: str) -> Where:
        """The cell of one of its columns; "" is that of the verb, or of the words in which it was given."""
        return Where(Order.sheet, self.row.ident, field_name or ("verb" if self.row.verb else "text"))

    def find(self, board: HasGame, code: str, field_name: str = "", /, **data: Any) -> Finding:
        """A finding at the row; the row itself stands."""
        return board.game.find(code, self.where(field_name), self.faction, **data)


def words_of(row: Order, cells: Iterable[str] = CELLS) -> Iterable[str]:
    """The columns of a row in which something stands, its words included."""
    return (name for name in ("verb", "text", *cells) if getattr(row, name, "") not in ("", None))


__all__ = ["CELLS", "HasGame", "Refused", "Request", "Telling", "refuse_if", "words_of"]
