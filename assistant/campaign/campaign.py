"""All records of one game, as read from its workbook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from assistant.campaign.record import Record
from assistant.campaign.records import SPARE, Desk
from assistant.campaign.table import Table

R = TypeVar("R", bound=Record)


class Absent(Table[R]):
    """The table of a sheet that a ruleset does without."""

    def add(self, row: R) -> R:
        """Raises LookupError."""
        raise LookupError(f"the records of the ruleset have no sheet {self.record.sheet}")


class Campaign:
    """Tables by record class. A phase works on a copy and hands back the changed copy."""

    def __init__(self, records: Iterable[type[Record]]) -> None:
        self._tables: dict[str, Table[Any]] = {record.sheet: Table(record) for record in records}

    def table(self, record: type[R]) -> Table[R]:
        """The table of a record class, or of a subclass of it. Raises KeyError."""
        return cast("Table[R]", self.by_sheet(record.sheet))

    def by_sheet(self, sheet: str) -> Table[Any]:
        """The table of an English sheet name; of a shared sheet that the ruleset does without, one that stays empty.

        Raises KeyError.
        """
        try:
            return self._tables[sheet]
        except KeyError:
            return Absent(SPARE[sheet])

    def tables(self) -> Mapping[str, Table[Any]]:
        """All tables by English sheet name, in the order of declaration."""
        return self._tables

    def put(self, table: Table[Any]) -> None:
        """Replace one table."""
        self._tables[table.record.sheet] = table

    @property
    def desk(self) -> Desk:
        """The one row of the Desk. Raises LookupError when the campaign has none."""
        for row in self._tables[Desk.sheet]:
            return cast(Desk, row)
        raise LookupError("the campaign has no Desk row")

    def copy(self) -> Campaign:
        """A campaign with copies of all rows (rows of tables that only grow are shared)."""
        new = Campaign([])
        new._tables = {sheet: table.copy() for sheet, table in self._tables.items()}
        return new


class Change:
    """One difference between two states of a campaign; see `Set`, `Added`, `Removed`."""

    sheet: str
    key: str


class Set(Change):
    """A field of a row has another value."""

    def __init__(self, sheet: str, key: str, field: str, old: Any, new: Any) -> None:
        self.sheet, self.key, self.field, self.old, self.new = sheet, key, field, old, new

    def __repr__(self) -> str:
        return f"{self.sheet} {self.key}.{self.field}: {self.old!r} -> {self.new!r}"


class Added(Change):
    """A row is new."""

    def __init__(self, sheet: str, key: str, row: Record) -> None:
        self.sheet, self.key, self.row = sheet, key, row

    def __repr__(self) -> str:
        return f"{self.sheet} +{self.key}"


class Removed(Change):
    """A row is gone."""

    def __init__(self, sheet: str, key: str) -> None:
        self.sheet, self.key = sheet, key

    def __repr__(self) -> str:
        return f"{self.sheet} -{self.key}"


def changes(before: Campaign, after: Campaign) -> list[Change]:
    """What differs, table by table: values set, rows added, rows gone, in a fixed order."""
    found: list[Change] = []
    for sheet, table in after.tables().items():
        old = before.by_sheet(sheet)
        old.beside(table)
        for key, row in table.beside(old):
            was = old.get(key)
            if was is None:
                found.append(Added(sheet, key, row))
            elif was is not row and vars(was) != vars(row):
                found.extend(
                    Set(sheet, key, c.name, getattr(was, c.name), getattr(row, c.name))
                    for c in row.columns()
                    if getattr(was, c.name) != getattr(row, c.name)
                )
        found.extend(Removed(sheet, key) for key in old.keys_in_file_order() if key not in table)
    return found
