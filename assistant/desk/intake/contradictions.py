"""Orders that say two things: a campaign in; a finding for each order whose columns and words differ out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.columns import Kind
from assistant.turn.orders.reading import read_text
from assistant.turn.orders.verbs import book_of
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim


def twofold(ruleset: Ruleset, campaign: Campaign) -> Iterator[Finding]:
    """A warning for each order of this turn that nobody has judged yet and that contradicts itself."""
    for row in campaign.table(Order).of_turn(campaign.desk.turn):
        if row.status or not (row.verb and row.text.strip()):
            continue
        words = read_text(ruleset.understand, row.text, campaign, row.faction)
        if not words.problem and any(_other(ruleset, row, name, value) for name, value in words.fields.items()):
            yield codes.finding(codes.TWOFOLD, Where(Order.sheet, row.order, "text"), row.faction,
                                text=Verbatim(row.text.strip()))


def _other(ruleset: Ruleset, row: Order, name: str, value: Any) -> bool:
    """Whether the words say something else of a column than stands there; what only one of them says is no quarrel."""
    cell = getattr(row, name, "")
    if cell in ("", None) or value in ("", None):
        return False
    book = book_of(ruleset.verbs)
    verb = book.code(row.verb)
    if name == "verb":
        return verb not in ("", book.code(str(value)))
    kind = book[verb].kinds.get(name, Kind()) if verb else Kind()
    return _signs(kind.read(cell)) != _signs(kind.read(value))


def _signs(value: Any) -> list[str]:
    return re.findall(r"\w+", str(value).upper())
