"""May a change by hand stand? Changes in; findings out for what would keep the next phase from starting."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Ref
from assistant.campaign.records import Order
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.watch.edits import Edit, undo
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import bad_data
from assistant.turn.rows.misfits import keeps_phase
from assistant.turn.superseded import in_force
from assistant.workbook.codes import UNKNOWN_REF
from assistant.workbook.read.gathering import spelled, unknown


def unfit(sitting: Sitting, chosen: Collection[Edit], undecided: Iterable[Edit]) -> list[Finding]:
    """What would keep a phase from starting if these changes, and no others that are undecided, were kept.

    What the reader cannot take, a reference to nothing, and what the rulebook finds wrong with them but not
    without them. What clubs typed into their orders is not looked at: it is theirs to put right.
    """
    others = [e for e in undecided if e not in chosen]
    places = {(e.sheet, e.row, e.field) for e in others} | {(e.sheet, e.row) for e in others if e.change == "added"}
    found = [f for f in sitting.reading.findings if f.stops and not f.alone and f.where.table != Order.sheet and not {
        (f.where.table, f.where.row, f.where.field), (f.where.table, f.where.row)} & places]
    if found:
        return found
    kept = sitting.campaign.copy()
    undo(kept, others)
    without = kept.copy()
    undo(without, chosen)
    found = [f for f in _dangling(kept) if f not in list(_dangling(without))]
    if not found:
        known = [(f.code, f.where, f.data) for f in bad_data(sitting.ruleset, in_force(without)) if keeps_phase(f)]
        found = [f for f in bad_data(sitting.ruleset, in_force(kept))
                 if keeps_phase(f) and (f.code, f.where, f.data) not in known]
    return sitting.placed(found)


def _dangling(campaign: Campaign) -> Iterator[Finding]:
    """Findings for references to rows that are not there, as the reader has them."""
    codes_of = {sheet: {key.casefold(): key for key in table.keys()}  # noqa: SIM118
                for sheet, table in campaign.tables().items()}
    for sheet, table in campaign.tables().items():
        for c in table.record.columns():
            if not isinstance(c.kind, (Ref, Codes)) or getattr(c.kind, "own_finding", False) or (
                    c.kind.table not in codes_of or (issubclass(table.record, Order) and c.edit == "club")):
                continue
            for key, row in table.in_file_order():
                value = getattr(row, c.name)
                for seen in value if isinstance(value, tuple) else (value,):
                    if seen and not spelled(seen, codes_of[c.kind.table]):
                        yield Finding(UNKNOWN_REF, "error", Where(sheet, key, c.name),
                                      unknown(c, seen, codes_of[c.kind.table]), str(getattr(row, "faction", "")))
