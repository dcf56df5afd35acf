"""Slips in answers, dice and battles' forms: rows as read in; out without what nobody can read, which is told alone.

A slip in one row is that row's affair (decision 27): it does not count, and every other one is played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, MutableMapping
from dataclasses import replace

from assistant.campaign.record import Record
from assistant.campaign.records import Battle, Die, FormRow, Question
from assistant.turn.findings import Where
from assistant.workbook import codes
from assistant.workbook.read.grid import Grid, Notes, RowRead

PUT_IN = (Question, Die, Battle, FormRow)
"""Records of rows that people put in; those of Orders are judged from what they say (`turn.rows.misfits`)."""
OURS = ("status", "asked", "so_far")
"""Columns in which nobody types who puts in a row: what stands there and cannot be read was written over."""


def set_aside(grids: Mapping[str, Grid], read: MutableMapping[str, list[RowRead]], notes: Notes) -> None:
    """Take out of the rows of each sheet (English name) what nobody can read, and say of its findings that they are
    its row's alone.

    A row that people put in is left out; of a die that was typed the purpose stays and the value goes, so that the
    phase that throws it stops; of a form that a phase waits for nothing counts, so that it waits on. What Arbitro has
    written over keeps every phase, as ever.
    """
    sheets = [sheet for sheet, grid in grids.items()
              if sheet in read and issubclass(grid.record, PUT_IN) and grid.known is None]
    broken: set[str] = set()
    if any(issubclass(grids[sheet].record, Battle) for sheet in sheets):  # else nobody can say whose form it is
        for sheet in [one for one in sheets if issubclass(grids[one].record, FormRow)]:
            slipped = [one for one in read[sheet] if one.row.hold == "typed" and _alone(one, notes)]
            broken.update(one.row.battle.casefold() for one in slipped)
            read[sheet] = [one for one in read[sheet] if one not in slipped]
    for sheet in [one for one in sheets if not issubclass(grids[one].record, FormRow)]:
        sound = [one for one in read[sheet] if _counts(one, notes, broken)]
        read[sheet] = list(_each_once(grids[sheet], sound, notes))


def _counts(one: RowRead, notes: Notes, broken: Collection[str]) -> bool:
    """Whether a row counts; of one that does what nobody can read is taken out. `broken`: battles whose form is."""
    row: Record = one.row
    if isinstance(row, Battle) and row.hold in ("asked", "typed"):
        of_form = (*row.form(), *(c.name for c in row.columns() if row.hold == "typed"))
        if _alone(one, notes, of_form) or row.ident.casefold() in broken:
            for name in row.form():
                setattr(row, name, row.column(name).default)
            return row.hold == "asked"
    elif isinstance(row, Die) and row.hold == "typed" and _alone(one, notes):
        row.value = ""
        return bool(row.key) and "key" not in one.unread
    elif isinstance(row, Question) and row.hold == "typed":
        return not _alone(one, notes)
    return True


def _alone(one: RowRead, notes: Notes, fields: Collection[str] | None = None) -> bool:
    """Whether something in a row cannot be read, in `fields` alone where they are given; it is said to be its affair.

    Not where Arbitro's own columns are among it.
    """
    told = [number for number in one.told if notes.findings[number].stops]
    seen = {notes.findings[number].where.field for number in told}
    if not told or seen & set(OURS) or (fields is not None and seen - set(fields)):
        return False
    for number in told:
        notes.findings[number] = replace(notes.findings[number], alone=True)
    return True


def _each_once(grid: Grid, rows: list[RowRead], notes: Notes) -> Iterator[RowRead]:
    """The rows without those whose key stands in another one, which counts: Arbitro's own, or else the first.

    Of two dice that were typed for one throw, and say different things, none counts: who throws it has to choose.
    """
    holders: dict[str, RowRead] = {}
    for one in sorted(rows, key=lambda one: (one.row.hold == "typed", one.number)):
        holders.setdefault(one.row.ident.casefold(), one)
    key = next((c.name for c in grid.record.columns() if c.key), "")
    for one in rows:
        first = holders[one.row.ident.casefold()]
        if one is first or one.row.hold != "typed" or not grid.record.unique:
            yield one
            continue
        if isinstance(one.row, Die) and first.row.hold == "typed" and one.row.value != first.row.value:
            first.row.value = ""
        notes.add(codes.TWO_KEYS, Where(grid.record.sheet, one.row.ident, key), grid.address(key, one.number),
                  {"seen": one.row.ident, "first": grid.address(key, first.number).rpartition("!")[2]},
                  str(getattr(one.row, "faction", "")), alone=True)
