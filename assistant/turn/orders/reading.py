"""The rows of Orders that a phase reads, as requests, and which of them counts first.

For every rulebook alike: faction by faction in the book's order, those without a club last; of one faction by the
column No., rows without it after the others; then by the order's code, and where two have none by what they say. The
place of a row on its sheet never counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import number
from assistant.campaign.order import natural
from assistant.campaign.records import CLUBLESS, Faction, Order
from assistant.turn.orders.columns import Code, Kind, Path
from assistant.turn.orders.marks import bare
from assistant.turn.orders.request import CELLS, Request, words_of
from assistant.turn.orders.shorthand import Known, Understood, understand
from assistant.turn.orders.verbs import OrderBook

ReadsLine = Callable[[str, Campaign, str], Understood]
"""How a ruleset reads a line, where it has a way of its own (`Ruleset.understand`)."""
PLAIN, _CODE = Kind(), Code(())
_UNDECLARED = {"path": Path(), "unit": _CODE, "target": _CODE, "partner": _CODE}
"""How columns are read that the verb has no use for; another column may still look there for where a unit stands."""


def read_text(reads: ReadsLine, text: str, campaign: Campaign, faction: str) -> Understood:
    """Read a line as somebody sent or typed it, by a ruleset's own way, without a list's mark and what surrounds it."""
    return reads(bare(text), campaign, faction)


def rows_of(book: OrderBook, campaign: Campaign, word: str, reads: ReadsLine | None = None) -> list[Request]:
    """The open rows of this turn that stand under a word of the column For, in the order in which they count.

    Rows in which nothing stands, and rows of nobody, are left out.
    """
    factions = {row.faction: (row.role in CLUBLESS, place) for place, row in enumerate(campaign.table(Faction))}
    rows = campaign.table(Order).of_turn(campaign.desk.turn, lambda row: (
        row.phase.lower() == word and not row.status and row.faction in factions and any(words_of(row, book.cells))))
    rows.sort(key=lambda row: (factions[row.faction], *number_of(row, book.cells)))
    known: dict[str, Known] = {}
    return [read_row(book, campaign, row, known, reads) for row in rows]


def number_of(row: Order, cells: Iterable[str] = CELLS) -> tuple[Any, ...]:
    """Where a row comes among those of its faction. `cells`: the columns that say something in its book."""
    said = tuple(str(getattr(row, name)) for name in words_of(row, cells))
    return (number(row.seq) is None, number(row.seq) or 0, natural(row.order), said)


def read_row(book: OrderBook, campaign: Campaign, row: Order, known: dict[str, Known] | None = None,
             reads: ReadsLine | None = None) -> Request:
    """Understand one row, from its columns or, where the verb is blank, from its words.

    `known`: codes that a faction's lines may name, by faction, as they are found; `reads`: the ruleset's own way.
    """
    if not row.verb and row.text:
        got = read_text(reads, row.text, campaign, row.faction) if reads is not None else understand(
            book, campaign, row.faction, bare(row.text), {} if known is None else known)
        if got.problem:
            return Request(row, "", problem=row.text, why=got.why)
        cells = dict(got.fields)
    else:
        cells = {name: getattr(row, name) for name in ("verb", *book.cells) if hasattr(row, name)}
    verb = book.code(str(cells.pop("verb", "")))
    kinds = book[verb].kinds if verb else {}
    cells.setdefault("note", getattr(row, "note", ""))
    read = {name: (kinds.get(name) or _UNDECLARED.get(name, PLAIN)).understood(campaign, value)
            for name, value in cells.items()}
    more = {name: read.pop(name, kinds.get(name, PLAIN).read("")) for name in book.cells if name not in CELLS}
    return Request(row, verb, raw=cells, more=more, **read)
