"""Changes by hand: rows as they were written and as they stand in; each change out, to be done and undone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Unreadable
from assistant.campaign.record import Record
from assistant.campaign.records import Rule
from assistant.campaign.table import Table
from assistant.desk.watch.fingerprints import Differing, Keyed, Printed, differing, shown

How = Literal["set", "added", "gone", "renamed"]
Present = Callable[[str], Collection[str] | None]
"""English sheet name -> the fields whose columns are there, None for a sheet that is missing."""
Places = Collection[tuple[str, str, str]]
"""Cells, each as the English name of its sheet, the key of its row, and its field."""


class Edit(NamedTuple):
    """One change by hand. Values are canonical text.

    `change`: ``set`` (a cell), ``added``, ``gone`` (a row), ``renamed`` (a cell of a row's key); `row`: the
    row's key as it is now (``gone``: as it was); `was`: the former key of one that was renamed; `values`:
    all fields of a row that was added or is gone; `readable`: whether its column can hold what stands there.
    """

    change: How
    sheet: str
    row: str
    field: str = ""
    old: str = ""
    new: str = ""
    was: str = ""
    values: Mapping[str, str] = MappingProxyType({})
    readable: bool = True

    @property
    def inverse(self) -> Edit:
        """The change that takes this one back."""
        if self.change == "renamed":
            return self._replace(row=self.was, was=self.row, old=self.new, new=self.old)
        other: dict[How, How] = {"added": "gone", "gone": "added"}
        return self._replace(change=other.get(self.change, self.change), old=self.new, new=self.old)


# --- finding ------------------------------------------------------------------------------------
def edits(manifest: str, now: Printed, records: Iterable[type[Record]], chunk: Callable[[str], bytes],
          present: Present, drawn: Places = ()) -> list[Edit]:
    """All changes by hand, table by table: those of cells, then rows that are new or gone.

    `drawn`: cells of the map that count, too, although the referee may change them at any time.
    """
    found: list[Edit] = []
    for one in differing(manifest, now, records, chunk):
        fields = present(one.record.sheet)
        whole = issubclass(one.record, Rule)  # of a rule only its value tells whether it is there
        if fields is None or not all(c.name in fields for c in one.record.columns() if c.key or whole):
            continue  # the file's own findings say what is missing
        found += _of_table(one, fields, drawn)
    return found


def between(written: Campaign, standing: Campaign, rows: Mapping[str, Collection[str]]) -> list[Edit]:
    """The changes by hand from one state to another. `rows`: English sheet name -> keys of the rows that may differ."""
    found: list[Edit] = []
    for sheet, keys in rows.items():
        old, new = written.by_sheet(sheet), standing.by_sheet(sheet)
        one = Differing(new.record, [row for key, row in old.raw_rows() if key in keys],
                        [(key, row) for key, row in new.raw_rows() if key in keys])
        found += _of_table(one, [c.name for c in new.record.columns()])
    return found


def _of_table(one: Differing, fields: Collection[str], drawn: Places = ()) -> list[Edit]:
    if one.record.quiet:
        return []  # what lies below the map is no part of the game
    pairs, gone, added = _paired(one)
    found = [edit for old, key, row in pairs for edit in _cells(old, key, row, fields, drawn)]
    gone = [row for row in gone if row.hold != "typed"]
    added = [(key, row) for key, row in added if row.hold != "typed"]
    if issubclass(one.record, Rule):
        return found + _rules(gone, added)
    for old, key, row, name in _renamed(gone, added):
        found.append(Edit("renamed", row.sheet, key, name, shown(old, name), shown(row, name), was=old.ident))
        found += [e for e in _cells(old, key, row, fields) if e.field != name]
        gone.remove(old)
        added.remove((key, row))
    found += [Edit("added", row.sheet, key, values=row.as_text()) for key, row in added]
    return found + [Edit("gone", row.sheet, row.ident, values=row.as_text()) for row in gone]


def _paired(one: Differing) -> tuple[list[tuple[Record, str, Record]], list[Record], list[Keyed]]:
    """Rows that are the same by key (then and now), those that are gone, those that are new.

    Of several rows with one key those that are equal belong together, and of the others the first and so on.
    """
    if one.record.single:
        return [(old, key, row) for old, (key, row) in zip(one.written, one.standing, strict=False)], [], []
    standing: dict[str, list[Keyed]] = {}
    for key, row in one.standing:
        standing.setdefault(row.ident, []).append((key, row))
    pairs: list[tuple[Record, str, Record]] = []
    rest: list[Record] = []
    for old in one.written:
        alike = next((keyed for keyed in standing.get(old.ident, ()) if keyed[1].as_text() == old.as_text()), None) \
            if not one.record.unique else None
        if alike is not None:
            standing[old.ident].remove(alike)
        else:
            rest.append(old)
    gone = []
    for old in rest:
        same = standing.get(old.ident)
        if same:
            pairs.append((old, *same.pop(0)))
        else:
            gone.append(old)
    return pairs, gone, [keyed for left in standing.values() for keyed in left]


def frozen(old: Record, row: Record) -> list[Column]:
    """The columns that nobody may have changed since the row was written as `old`."""
    columns = old.columns()
    if old.hold == "settled":
        return list(columns)
    if old.hold == "asked":
        return [c for c in columns if c.key or c.edit == "assistant"]
    if old.hold == "typed":
        return [] if row.hold == "typed" else [c for c in columns if c.edit == "assistant" and not c.key]
    return [c for c in columns if c.edit != "club" and not c.drawn]


def _cells(old: Record, key: str, row: Record, fields: Collection[str], drawn: Places = ()) -> list[Edit]:
    marked = [c for c in old.columns() if c.drawn and (row.sheet, key, c.name) in drawn]
    return [Edit("set", row.sheet, key, c.name, was, now) for c in [*frozen(old, row), *marked]
            if c.name in fields and (was := shown(old, c.name)) != (now := shown(row, c.name))]


def _rules(gone: Iterable[Record], added: Iterable[Keyed]) -> list[Edit]:
    """A line of the rulebook stays where a club takes its value away: it is blank then, and no row is gone."""
    found = [Edit("set", row.sheet, row.ident, "value", shown(row, "value"), "") for row in gone]
    return found + [Edit("set", row.sheet, key, "value", "", shown(row, "value")) for key, row in added]


def _renamed(gone: Iterable[Record], added: Iterable[Keyed]) -> list[tuple[Record, str, Record, str]]:
    """Rows of which one cell of the key was changed, with its field: the row gone and the row added say the
    same in at least half of their other columns, and no other row says as much.
    """
    found = []
    left = list(added)
    for old in gone:
        scores = sorted(((_likeness(old, row), -place) for place, (_, row) in enumerate(left)), reverse=True)
        if not scores or scores[0][0] < 0.5 or (len(scores) > 1 and scores[0][0] == scores[1][0]):
            continue
        key, row = left[-scores[0][1]]
        keys = [c.name for c in old.columns() if c.key and shown(old, c.name) != shown(row, c.name)]
        if len(keys) == 1:
            found.append((old, key, row, keys[0]))
            left.remove((key, row))
    return found


def _likeness(old: Record, row: Record) -> float:
    names = [c.name for c in old.columns() if not c.key]
    return sum(shown(old, n) == shown(row, n) for n in names) / len(names) if names else 0.0


# --- doing and undoing --------------------------------------------------------------------------
def do(campaign: Campaign, edit: Edit) -> None:
    """Make a change in a campaign. Raises KeyError when its row is not there."""
    table = campaign.by_sheet(edit.sheet)
    if issubclass(table.record, Rule):
        _do_rule(table, edit)
    elif edit.change == "added":
        table.add(row_of(table.record, edit.values))
    elif edit.change == "gone":
        table.remove(edit.row)
    else:
        key = edit.was if edit.change == "renamed" else next(iter(table.keys())) if table.record.single else edit.row
        row = table[key].copy()
        setattr(row, edit.field, value_of(table.record, edit.field, edit.new))
        new_key = edit.row if edit.change == "renamed" else row.ident if table.record.single else key
        campaign.put(Table.of(table.record, [(new_key, row) if k == key else (k, other)
                                             for k, other in table.in_file_order()]))


def _do_rule(table: Table[Any], edit: Edit) -> None:
    if edit.row in table:
        table.remove(edit.row)
    if edit.new:
        table.add(table.record(key=edit.row, value=value_of(table.record, "value", edit.new)))


def undo(campaign: Campaign, undone: Iterable[Edit]) -> None:
    """Put all of these changes back, as far as they are in force."""
    order: dict[How, int] = {"set": 0, "renamed": 1, "added": 2, "gone": 3}
    for edit in sorted(undone, key=lambda one: order[one.change]):
        if in_force(campaign, edit):
            do(campaign, edit.inverse)


def in_force(campaign: Campaign, edit: Edit) -> bool:
    """Whether a campaign holds what a change made of it."""
    table = campaign.by_sheet(edit.sheet)
    if edit.change == "gone":
        return edit.row not in table or not table.record.unique
    if edit.change in ("added", "renamed"):
        return edit.row in table
    row = next(iter(table), None) if table.record.single else table.get(edit.row)
    if row is None:
        return issubclass(table.record, Rule) and not edit.new
    return not edit.readable or shown(row, edit.field) == edit.new


def value_of(record: type[Record], name: str, text: str) -> Any:
    """The value of a canonical text, or the column's default where it has no other value for a blank."""
    column = record.column(name)
    try:
        return column.kind.read(text)
    except Unreadable:
        if text:
            raise
        return column.default


def row_of(record: type[Record], values: Mapping[str, str]) -> Record:
    """A row of canonical texts; columns that are not named take their default."""
    known = {c.name for c in record.columns()}
    return record(**{name: value_of(record, name, text) for name, text in values.items() if name in known})
