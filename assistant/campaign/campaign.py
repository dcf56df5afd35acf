"""All records of one game, as read from its workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from assistant.campaign.records import JUDGED, OPTIONAL_RECORDS, UNTOLD, Desk, Order
from assistant.campaign.tables import DeferredRows, Journal, Record, SharedRows, Table, TableMark, touched_name

R = TypeVar("R", bound=Record)
T = TypeVar("T")


class AbsentTable(Table[R]):
    """The empty table of an optional sheet that a ruleset does not have."""

    def add(self, row: R) -> R:
        """Raises LookupError."""
        raise LookupError(f"the records of the ruleset have no sheet {self.record.sheet}")


class CampaignMark(NamedTuple):
    """A saved state of a campaign (`Campaign.mark`): its tables by sheet, how long its journal was, and how much of it
    events had told.
    """

    tables: Mapping[str, TableMark]
    journal: int
    told: int


class Campaign:
    """Tables by record class. A phase works on a copy and hands back the changed copy.

    A copy shares what does not differ: a table that nobody has asked it for is that of the campaign it was copied from,
    as it stood then. No row that either has handed out is known to the other.
    """

    def __init__(self, records: Iterable[type[Record]]) -> None:
        self._records: Mapping[str, type[Record]] = {record.sheet: record for record in records}
        self._tables: dict[str, Table[Any]] = {}
        self._common: Mapping[str, SharedRows[Any] | DeferredRows[Any]] = {}
        """What stands on the sheets of which no table has been asked for yet."""
        self._changed: Journal | None = None
        """What rows have changed, while the campaign is played."""
        self._told = 0
        """Of how many entries of the journal events have told."""
        for record in self._records.values():
            self.put(Table(record))

    @classmethod
    def over(
        cls, records: Mapping[str, type[Record]], sheets: Mapping[str, SharedRows[Any] | DeferredRows[Any]]
    ) -> Campaign:
        """A campaign of what stands on each sheet, which others may share. `records`: those of the sheets."""
        new = cls(())
        new._records, new._common = records, sheets
        return new

    def table(self, record: type[R]) -> Table[R]:
        """The table of a record class, or of a subclass of it. Raises KeyError."""
        table: Table[R] = self.by_sheet(record.sheet)
        return table

    def by_sheet(self, sheet: str) -> Table[Any]:
        """The table of an English sheet name; of a shared sheet that the ruleset does without, one that stays empty.

        Raises KeyError.
        """
        table = self._tables.get(sheet)
        if table is None:
            if not self.has(sheet):
                return AbsentTable(OPTIONAL_RECORDS[sheet])
            table = self._tables[sheet] = Table.over(materialize(self._common[sheet]))
            self._keep(table)
        return table

    def has(self, sheet: str) -> bool:
        """Whether there is such a sheet, by its English name."""
        return sheet in self._tables or sheet in self._common

    def tables(self) -> Mapping[str, Table[Any]]:
        """All tables by English sheet name, in the order of declaration."""
        return _Sheets(self)

    def records(self) -> Mapping[str, type[Record]]:
        """The record class of each table by English sheet name, in the order of declaration."""
        return self._records

    def put(self, table: Table[Any]) -> None:
        """Replace one table; what stands in another campaign is copied."""
        sheet = table.record.sheet
        if self._tables.get(sheet) is not table:
            self._tables[sheet] = table = table.copy() if table.kept else table
            self._keep(table)
            if self._records.get(sheet) is not table.record:
                self._records = {**self._records, sheet: table.record}

    @property
    def desk(self) -> Desk:
        """The one row of the Desk. Raises LookupError when the campaign has none."""
        row: Desk | None = next(iter(self.by_sheet(Desk.sheet)), None)
        if row is None:
            raise LookupError("the campaign has no Desk row")
        return row

    def copy(self) -> Campaign:
        """A campaign of the same rows, none of which can be changed by way of the other."""
        opened = {sheet: table.common() for sheet, table in self._tables.items()}
        return Campaign.over(self._records, {**self._common, **opened})

    def mark(self) -> CampaignMark:
        """How all tables stand now, so that they can be put back; of those that nobody has asked for there is none."""
        tables = {sheet: table.mark() for sheet, table in self._tables.items()}
        return CampaignMark(tables, len(self._changed or ()), self._told)

    def put_back(self, mark: CampaignMark) -> None:
        """All tables stand as they stood, and who holds a row holds it as it was; see `Table.put_back`."""
        if self._changed is not None:
            # backwards, so that of a field set several times the first value stands in the end
            for row, name, value in reversed(self._changed[mark.journal:]):
                if name:
                    row.__dict__[name] = value
            del self._changed[mark.journal:]
            self._told = mark.told
        for sheet, table in self._tables.items():
            table.put_back(mark.tables.get(sheet) or Table.over(materialize(self._common[sheet])).mark())

    # --- what has changed since the last event ----------------------------------------------------------
    def note_changes(self) -> None:
        """From now on rows note it when they change, come or go, except those of which no event tells."""
        self._changed, self._told = [], 0
        for table in self._tables.values():
            self._keep(table)

    def _keep(self, table: Table[Any]) -> None:
        table.kept = True
        if self._changed is not None and not issubclass(table.record, UNTOLD):
            table.note_changes(self._changed)

    def untold_names(self) -> list[str]:
        """The names of the rows that have changed, come or gone since the last event, in a fixed order.

        What becomes of every order is left out: no event needs to tell that.
        """
        untold = {id(row): row for row, _, _ in (self._changed or ())[self._told:]}
        return sorted({touched_name(row.sheet, row.ident) for row in untold.values()
                       if not (isinstance(row, Order) and row.status in JUDGED)})

    def untold_fields(self) -> set[tuple[str, str]]:
        """The rows that have changed since the last event, each with the field; "" where the row has come or gone."""
        return {(touched_name(row.sheet, row.ident), name) for row, name, _ in (self._changed or ())[self._told:]}

    def take_untold(self) -> list[str]:
        """As `untold_names`, for an event that tells of them."""
        names = self.untold_names()
        self._told = len(self._changed or ())
        return names

    def common(self, sheet: str) -> SharedRows[Any]:
        """What stands on a sheet now, for copies to stand on. Raises KeyError."""
        table = self._tables.get(sheet)
        return table.common() if table is not None else materialize(self._common[sheet])

    def derive(self, make: Callable[..., T], *records: type[Record], by: tuple[Any, ...] = ()) -> T:
        """What a function makes of tables, made once for all campaigns in which these say the same.

        `make`: takes the tables, and keeps none; what it makes is not to be changed. `by`: by what else it goes, which
        it takes before the tables.
        """
        first, *others = [self.common(record.sheet) for record in records]
        known: tuple[list[SharedRows[Any]], T] | None = first.made.get((make, by))
        if known is None or known[0] != others:
            known = first.made[make, by] = (others, make(*by, *(Table.over(other) for other in (first, *others))))
        return known[1]


def materialize(common: SharedRows[Any] | DeferredRows[Any]) -> SharedRows[Any]:
    """The rows of a sheet, computed now if they were deferred; from here on they count as shared."""
    rows = common.rows() if isinstance(common, DeferredRows) else common
    rows.shared = True
    return rows


class _Sheets(Mapping[str, Table[Any]]):
    """The tables of a campaign, each opened when it is asked for."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def __getitem__(self, sheet: str) -> Table[Any]:
        return self._campaign.by_sheet(sheet)

    def __contains__(self, sheet: object) -> bool:
        return sheet in self._campaign.records()

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._campaign.records()))

    def __len__(self) -> int:
        return len(self._campaign.records())


class Change:
    """One difference between two states of a campaign; see `FieldSet`, `RowAdded`, `RowRemoved`."""

    sheet: str
    key: str


class FieldSet(Change):
    """A field of a row has another value."""

    def __init__(self, sheet: str, key: str, field: str, old: Any, new: Any) -> None:
        self.sheet, self.key, self.field, self.old, self.new = sheet, key, field, old, new

    def __repr__(self) -> str:
        return f"{self.sheet} {self.key}.{self.field}: {self.old!r} -> {self.new!r}"


class RowAdded(Change):
    """A row is new."""

    def __init__(self, sheet: str, key: str, row: Record) -> None:
        self.sheet, self.key, self.row = sheet, key, row

    def __repr__(self) -> str:
        return f"{self.sheet} +{self.key}"


class RowRemoved(Change):
    """A row is gone."""

    def __init__(self, sheet: str, key: str) -> None:
        self.sheet, self.key = sheet, key

    def __repr__(self) -> str:
        return f"{self.sheet} -{self.key}"


def changes(before: Campaign, after: Campaign) -> list[Change]:
    """The differences, table by table and in a fixed order: values set, rows added, rows removed."""
    differences: list[Change] = []
    for sheet, record in after.records().items():
        # both stand on the very same rows: nothing in this sheet can differ
        if before.common(sheet) is not after.common(sheet):
            differences += _changes_of(record, sheet, before.by_sheet(sheet), after.by_sheet(sheet))
    return differences


def _changes_of(record: type[Record], sheet: str, old: Table[Any], table: Table[Any]) -> Iterator[Change]:
    was = dict(old.beside(table))
    for key, row in table.beside(old):
        before = was.get(key)
        if before is None:
            yield RowAdded(sheet, key, row.copy())
        elif before is not row and vars(before) != vars(row):
            for c in record.columns():
                if getattr(before, c.name) != getattr(row, c.name):
                    yield FieldSet(sheet, key, c.name, getattr(before, c.name), getattr(row, c.name))
    for key in old.keys_in_file_order():
        if key not in table:
            yield RowRemoved(sheet, key)
