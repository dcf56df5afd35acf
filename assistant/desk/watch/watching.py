"""The look: a workbook as it was read and the ledger in; what was changed by hand out, and the next fingerprints."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Desk, Rule
from assistant.campaign.table import Table
from assistant.desk.watch.edits import Edit, Present, edits, frozen, in_force, undo
from assistant.desk.watch.fingerprints import Printed, printed, shown, unpacked
from assistant.desk.watch.kept_edits import rulings_of
from assistant.ledger import Ledger, Marks
from assistant.workbook.codes import TWO_KEYS
from assistant.workbook.port import Reading


class Watch(NamedTuple):
    """A state of a workbook beside the ledger's fingerprints.

    `edits`: what was changed by hand and is not decided on; `manifest`: what the ledger knows, "" for
    nothing; `marks`: what it is to keep when this state has been written; `slips`: changes of the map alone that
    cannot be read, which stop nothing and can be put back.
    """

    now: Printed
    edits: tuple[Edit, ...]
    manifest: str
    marks: Marks
    slips: tuple[Edit, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the ledger knows what Arbitro last wrote."""
        return bool(self.manifest)

    def then(self, after: Campaign, decided: Collection[Edit] = ()) -> Watch:
        """The watch once `after` has been written: what is not decided on stays a change by hand.

        `decided`: changes that are accepted with it.
        """
        left, slips = (tuple(e for e in undecided if e not in decided and in_force(after, e))
                       for undecided in (self.edits, self.slips))
        now = printed(after, self.now)
        ours = now
        if left or slips:
            as_written = after.copy()
            undo(as_written, (*left, *slips))
            ours = printed(as_written, now)
        marks = ours.marks(self.manifest)
        return Watch(now, left, marks.manifest, marks, slips)


def watch(campaign: Campaign, reading: Reading, ledger: Ledger) -> Watch:
    """The watch over a workbook as it was read. Raises `LedgerTrouble`."""
    manifest = ledger.manifest(reading.sha256)
    then = json.loads(manifest) if manifest and reading.untouched else {}
    now = printed(campaign, standing={sheet: then[sheet]["chunks"] for sheet in reading.untouched if sheet in then})
    found: list[Edit] = []
    drawn = _drawn_slips(reading, campaign)
    if manifest:
        def present(sheet: str) -> Collection[str] | None:
            return reading.cells.desk if sheet == Desk.sheet else reading.cells.letters.get(sheet)

        records = [table.record for table in campaign.tables().values()]
        found = _with_unreadable(edits(manifest, now, records, ledger.chunk, present, drawn), reading, campaign)
    told = {(e.sheet, e.row, e.field): e for e in found}
    fresh = {(e.sheet, e.row) for e in found if e.change in ("added", "renamed")}
    of_map = [(told.get(place) or Edit("set", *place, shown(row, place[2])))._replace(new=seen, readable=False)
              for place, (row, seen) in drawn.items() if manifest and place[:2] not in fresh]
    stopping = [e for e in found if (e.sheet, e.row, e.field) not in drawn]
    return Watch(now, tuple(stopping), manifest, Marks(manifest), tuple(of_map))


def _drawn_slips(reading: Reading, campaign: Campaign) -> dict[tuple[str, str, str], tuple[Record, str]]:
    """The cells of the map alone that cannot be read -> the row, and what stands in them."""
    found = {}
    for f in reading.findings:
        row = _row_at(campaign, f.where.table, f.where.row)
        if not f.stops and "seen" in f.data and row is not None and any(
                c.name == f.where.field and c.drawn for c in row.columns()):
            found[f.where.table, f.where.row, f.where.field] = (row, str(f.data["seen"]))
    return found


def first_marks(campaign: Campaign) -> Marks:
    """The fingerprints of a campaign that is about to be written for the first time."""
    return printed(campaign).marks()


def edits_then(ledger: Ledger, manifest: str, now: Printed, campaign: Campaign) -> list[Edit]:
    """What was undecided in a campaign of an earlier time, after what the ledger knew then. `now`: its prints.

    Raises `LedgerTrouble`.
    """
    records = [table.record for table in campaign.tables().values()]
    return edits(manifest, now, records, ledger.chunk, _all_fields(campaign)) if manifest else []


def _all_fields(campaign: Campaign) -> Present:
    return lambda sheet: [c.name for c in campaign.by_sheet(sheet).record.columns()]


def written(ledger: Ledger, manifest: str, campaign: Campaign) -> Campaign:
    """What Arbitro wrote when the ledger knew this, a sheet that it did not know as in `campaign`.

    Raises `LedgerTrouble`.
    """
    then = campaign.copy()
    for sheet, one in json.loads(manifest).items():
        if then.has(sheet):
            record = then.by_sheet(sheet).record
            then.put(Table(record, [row for name in one["chunks"]
                                    for row in unpacked(record, one["fields"], ledger.chunk(name))]))
    return then


def as_written(ledger: Ledger, step: int, campaign: Campaign) -> Campaign:
    """The campaign before a step of the ledger without what was changed by hand and undecided at that time.

    Raises `LedgerTrouble`.
    """
    undecided = edits_then(ledger, ledger.manifest_before(step), printed(campaign), campaign)
    if not undecided:
        return campaign
    before = campaign.copy()
    undo(before, undecided)
    return before


def marks_after_undo(ledger: Ledger, manifest: str, then: Campaign, back: Campaign) -> Marks:
    """The fingerprints of a workbook that goes back, with what is carried into it.

    `then`: the campaign as it was; `manifest`: what the ledger knew at that time; `back`: `then` with what
    was typed since. What was undecided then is so again, and so are numbers of the Rules sheet that are
    carried without the ruling about them. Raises `LedgerTrouble`.
    """
    now = printed(then)
    exact = now.marks(manifest)
    left = edits_then(ledger, manifest, now, then)
    carried = edits(exact.manifest, printed(back), [back.table(Rule).record], lambda one: now.content[one],
                    _all_fields(then))
    told = {one.edit.row: one.edit.new for one in rulings_of(back)[len(rulings_of(then)):]}
    known = {(e.sheet, e.row) for e in left}
    left += [e for e in carried if (e.sheet, e.row) not in known and told.get(e.row) != e.new]
    return Watch(now, tuple(left), manifest, exact).then(back).marks


def _with_unreadable(found: list[Edit], reading: Reading, campaign: Campaign) -> list[Edit]:
    """The changes with what really stands in a cell that its column cannot hold; reading gave its default."""
    seen: dict[tuple[str, str, str], tuple[Record, str]] = {}
    for f in reading.findings:
        heads = reading.cells.letters.get(f.where.table, {})
        if f.where.table in campaign.tables() and any(
                c.key and c.name not in heads for c in campaign.by_sheet(f.where.table).record.columns()) and (
                not campaign.by_sheet(f.where.table).record.single):
            continue  # without the heading of their key nobody can say which row is which
        row = _row_at(campaign, f.where.table, f.where.row)
        if f.stops and f.code != TWO_KEYS and f.where.field and "seen" in f.data and row is not None:
            key = row.ident if row.single else f.where.row
            seen[f.where.table, key, f.where.field] = (row, str(f.data["seen"]))
    told = [e._replace(new=seen.pop((e.sheet, e.row, e.field))[1], readable=False)
            if (e.sheet, e.row, e.field) in seen else e for e in found]
    fresh = {(e.sheet, e.row) for e in found if e.change == "added"}
    return told + [Edit("set", sheet, key, name, shown(row, name), text, readable=False)
                   for (sheet, key, name), (row, text) in seen.items()
                   if text != shown(row, name)  # a code that stands nowhere any more may stand here as it was written
                   and (sheet, key) not in fresh and any(c.name == name for c in frozen(row, row))]


def _row_at(campaign: Campaign, sheet: str, key: str) -> Record | None:
    if sheet not in campaign.tables():
        return None
    table = campaign.by_sheet(sheet)
    return next(iter(table), None) if table.record.single else table.get(key)
