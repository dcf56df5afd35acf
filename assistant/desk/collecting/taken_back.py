"""A line of a club in; which of its orders it takes back out: one by its number, or all that it sent before."""

from __future__ import annotations

import re

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.turn.orders.marks import bare

ALL = "*"
"""Says that all is taken back."""
_LINE = re.compile(r"(?:withdraw|cancel|ritira|ritiro|ritiriamo|annulla|annullo|annulliamo)\s+(\S.*?)[.!]?",
                   re.IGNORECASE)
_ALL = ("all", "everything", "all orders", "tutto", "tutti", "tutti gli ordini")


def taken_back(line: str, campaign: Campaign, faction: str) -> str:
    """The number of the order of a faction that a line takes back, ``ALL`` for all of them; "" for any other line.

    ``withdraw 1500-r2-V-1``, ``ritira 1500-r2-V-1``, ``withdraw all``, ``annulla tutto``. A number may be one under
    which nothing stands (any more, or yet: where `undo` took the order back, and it comes again before this line).
    """
    match = _LINE.fullmatch(bare(line))
    if not match or not faction:
        return ""
    what = " ".join(match[1].casefold().split())
    if what in _ALL:
        return ALL
    known = campaign.table(Order).spelled(what)
    row = campaign.table(Order).get(known)
    if row is not None and row.faction:
        return known if row.faction == faction and not row.status else ""
    number = re.fullmatch(r"\S+-(\S+?)-\d+", what)
    return known if number and number[1] == faction.casefold() else ""
