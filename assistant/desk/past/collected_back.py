"""What came back from clubs and is given back: a ledger and steps that are undone in; the campaign without it out.

What a `collect` has brought is no typing of the referee's, so it goes with its step; what was typed over it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.desk.watch.watching import written
from assistant.ledger import COLLECT, Ledger
from assistant.turn.superseded import handed_in


def without_collected(ledger: Ledger, undone: Collection[int], now: Campaign, before: Callable[[int], Campaign]
                      ) -> Campaign:
    """The campaign as it would be if nothing had been collected in these steps; itself where nothing was.

    `before`: the campaign as it was before a step. Raises `LedgerTrouble`.
    """
    left = now
    for step in reversed([one for one in ledger.steps() if one.id in undone and one.verb == COLLECT]):
        manifest = ledger.manifest_after(step.id)
        if manifest:
            left = _given_back(before(step.id), written(ledger, manifest, now), left.copy())
    return left


def _given_back(was: Campaign, brought: Campaign, now: Campaign) -> Campaign:
    """A campaign in which the rows that were brought and nobody has touched since are again what they were."""
    for record in handed_in(brought):
        names = [c.name for c in record.columns() if c.edit != "assistant" and not c.key]
        before, table = was.by_sheet(record.sheet), now.by_sheet(record.sheet)
        for key, row in brought.by_sheet(record.sheet).in_file_order():
            old, standing = before.get(key), table.get(key)
            if standing is None or not _alike(standing, row, names) or (old and _alike(old, row, names)):
                continue
            if old is None:
                table.remove(key)
            else:
                for name in names:
                    setattr(standing, name, getattr(old, name))
    return now


def _alike(a: Record, b: Record, names: list[str]) -> bool:
    return all(getattr(a, name) == getattr(b, name) for name in names)
