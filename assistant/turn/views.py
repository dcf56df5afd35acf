"""The view of a campaign that a faction, the public or the referee has.

It is derived from what the columns declare (`see`) and from the owners of a row (`whose`). What is not declared is the
referee's alone. A ruleset only says what differs, in a `Viewer` of its own. What a reader may not see is blank
(`Column.hidden`); a hidden number is None, as 0 would be a number that the reader knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple, cast
from weakref import ref

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import (
    Choice,
    Circle,
    Column,
    Flag,
    Parts,
    See,
    SeeWord,
    When,
    Whole,
    Whose,
    nested_sees,
)
from assistant.campaign.records import Die, Event, FindingRow, Order, Question
from assistant.campaign.tables import DeferredRows, Record, SharedRows, Table
from assistant.turn.numbers import Number, Rules, Switch

ADDRESSED: tuple[type[Record], ...] = (Event, Die, Order, Question, FindingRow)
"""Records whose rows are each addressed to somebody."""
Test = Callable[[Any, Any], bool]
"""Takes a row and a viewer: whether the viewer may see it."""
ShownInstead = Callable[[Any, Any], Record]
"""Takes a row and the part of it that the columns let a reader see: returns what the reader sees."""
KeyedRows = list[tuple[str, Record]]


class ColumnBlock(NamedTuple):
    """Columns of a record that the same readers see. `sees`: the test for such a reader; `blanks`: the values shown to
    others; `key`: the key is among these columns, so whoever does not see them does not see the row.
    """

    sees: Test
    blanks: dict[str, Any]
    key: bool


class Viewer:
    """A reader of a campaign: which rows are its own, and what it sees of each. `code`: its faction, "" for everybody.

    A ruleset's own viewer answers what the circles of its columns ask, and may show something other than blanks.
    """

    def __init__(self, campaign: Campaign, rules: Rules, code: str) -> None:
        self.campaign, self.rules, self.code = campaign, rules, code
        self._blocks: dict[type[Record], list[ColumnBlock]] = {}
        self._owner_tests: dict[type[Record], Test] = {}
        self._known = _OwnershipCache(self)

    # --- what a ruleset may override ------------------------------------------------------------
    def is_one_of(self, *codes: str) -> bool:
        """Whether the reader is among these codes, some of which may be blank."""
        return bool(self.code) and self.code in codes

    def exceptions(self) -> Mapping[str, ShownInstead]:
        """Sheets (English names) on which the reader sees something else than the columns say.

        Each has a function of a row and of what the columns let the reader see of it. What the function returns is
        shown; if it differs it must be a copy.
        """
        return {}

    # --- what is derived ------------------------------------------------------------------------
    def owns(self, row: Record) -> bool:
        """Whether the row is the reader's own."""
        return self.owner_test(type(row))(row, self)

    def sees(self, row: Record, name: str) -> bool:
        """Whether the reader sees a column of a row; to do so it must also see the key."""
        return all(sees(row, self) for sees, blanks, key in self.blocks(type(row)) if key or name in blanks)

    def is_the_referees(self, record: type[Record], name: str) -> bool:
        """Whether nobody but the referee sees a column."""
        return any(sees is _never and name in blanks for sees, blanks, _ in self.blocks(record))

    def blocks(self, record: type[Record]) -> list[ColumnBlock]:
        """The blocks of a record that are not public under the rules of the campaign, the key's first."""
        if record not in self._blocks:
            self._blocks[record] = [ColumnBlock(self._test(see, record), blanks, key) for declared, blanks, key
                                    in _column_groups(record) if (see := self._under(declared)) != "public"]
        return self._blocks[record]

    def sides(self, record: type[Record]) -> tuple[SeeWord | Circle, ...] | None:
        """Who sees each block of a record under the rules of the campaign; None if only whole rows are hidden, or if a
        circle asks more about its reader than whether the row is its own.
        """
        if not isinstance(record.whose, tuple) or all(block.key for block in self.blocks(record)):
            return None
        sees = tuple([self._under(see) for see, _, _ in _column_groups(record)])
        return sees if all(see.by_owner for see in sees if isinstance(see, Circle)) else None

    def _under(self, see: See | None) -> SeeWord | Circle:
        while isinstance(see, When):
            see = see.then if str(self.rules[see.switch]) == see.value else see.otherwise
        return see or "referee"

    def _test(self, see: SeeWord | Circle, record: type[Record]) -> Test:
        if isinstance(see, Circle):
            return see.sees
        return self.owner_test(record) if see == "owner" else _never

    def owner_test(self, record: type[Record]) -> Test:
        """The test whether a row of a record is the reader's own."""
        if record not in self._owner_tests:
            self._owner_tests[record] = self._made_owner_test(record.whose)
        return self._owner_tests[record]

    def _made_owner_test(self, whose: Whose) -> Test:
        if isinstance(whose, Circle):
            return whose.sees
        if not whose:
            return _never
        owner: Callable[[Record], Any] = attrgetter(*whose)
        known = self._known
        return lambda row, _: known[owner(row)]


class _OwnershipCache(dict[Any, bool]):
    """Whether the viewer is the owner, or one of several; each owner is looked up only once."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self._viewer = ref(viewer)  # weak, so that viewer and view are freed at once and not by the garbage collector

    def __missing__(self, codes: Any) -> bool:
        viewer = self._viewer()
        assert viewer is not None
        self[codes] = is_one = viewer.is_one_of(*(codes if isinstance(codes, tuple) else (codes,)))
        return is_one


def _never(row: Record, viewer: Any) -> bool:
    return False


_DECLARED: dict[type[Record], list[tuple[See | None, dict[str, Any], bool]]] = {}


def _column_groups(record: type[Record]) -> list[tuple[See | None, dict[str, Any], bool]]:
    """The columns of a record by who sees them: who, the blanks for others, whether the key is among them; that first.
    """
    if record not in _DECLARED:
        alike: dict[See | None, list[Column]] = {}
        for column in record.columns():
            alike.setdefault(column.see, []).append(column)
        blocks = [(see, {c.name: c.hidden for c in columns}, any(c.key for c in columns))
                  for see, columns in alike.items()]
        _DECLARED[record] = sorted(blocks, key=lambda block: not block[2])
    return _DECLARED[record]


# --- what owners see and what others do -------------------------------------------------------------
class _Side(NamedTuple):
    """A reader who owns all rows, or none."""

    owner: bool

    def owns(self, row: Record) -> bool:
        """Whether the row is its own."""
        return self.owner


def _rows_by_side(record: type[Record], sees: tuple[SeeWord | Circle, ...], table: Table[Any]) -> tuple[
        dict[str, Record], dict[str, Record]]:
    """The rows of a sheet as non-owners and as owners see them, by key. `sees`: from `Viewer.sides`."""
    tests: dict[str, Test] = {"owner": lambda _, side: bool(side.owner), "referee": _never}
    blocks = [ColumnBlock(see.sees if isinstance(see, Circle) else tests[see], blanks, key)
              for see, (_, blanks, key) in zip(sees, _column_groups(record), strict=True) if see != "public"]
    rows = table.raw_rows()
    return dict(_filter_rows(rows, blocks, _Side(False))), dict(_filter_rows(rows, blocks, _Side(True)))


# --- views -----------------------------------------------------------------------------------------
def make_view(viewer: Viewer) -> Campaign:
    """What the viewer sees of its campaign, which must not be changed any more (`Ruleset.view` passes a copy).

    A sheet is only filtered when the view is asked for it; one with nothing hidden is shared.
    """
    exceptions = viewer.exceptions()
    return Campaign.over(viewer.campaign.records(), {
        sheet: DeferredRows(partial(_visible_rows, viewer, record, exceptions.get(sheet)))
        for sheet, record in viewer.campaign.records().items()})


def _visible_rows(viewer: Viewer, record: type[Record], exception: ShownInstead | None) -> SharedRows[Any]:
    """The rows of one sheet as the viewer sees them; the original rows if nothing is hidden."""
    common, blocks = viewer.campaign.common(record.sheet), viewer.blocks(record)
    numbered = [column.name for column in record.columns() if column.key] == ["no"]
    if not blocks and exception is None and not numbered:
        return common
    sides = viewer.sides(record) if exception is None and not numbered else None
    if sides is not None:
        return _visible_by_owner(viewer, record, sides)
    whole = cast("dict[str, Record]", common.awake().rows)
    rows = _filter_rows(list(whole.items()), blocks, viewer)
    if exception is not None:
        rows = [(key, exception(whole[key].copy(), row.copy())) for key, row in rows]
    # gaps in the numbers would tell of rows that are hidden
    if numbered:
        rows = _renumber(rows)
    return SharedRows(record, dict(rows), shared=True)


def _visible_by_owner(viewer: Viewer, record: type[Record], sides: tuple[SeeWord | Circle, ...]) -> SharedRows[Any]:
    """The same for a sheet on which it only matters which rows are the viewer's own."""
    others, owners = viewer.campaign.derive(_rows_by_side, record, by=(record, sides))
    common, owns, rows = viewer.campaign.common(record.sheet), viewer.owner_test(record), dict[str, Record]()
    for key, row in common.awake().rows.items():
        shown = (owners if owns(row, viewer) else others).get(key)
        if shown is not None:
            rows[key] = shown
    whole = len(rows) == len(common.rows)
    return SharedRows(record, cast(Any, rows), shared=True, ordered=common.sorted_keys() if whole else None)


def _filter_rows(rows: KeyedRows, blocks: Sequence[ColumnBlock], viewer: Viewer | _Side) -> KeyedRows:
    """The rows that the viewer may see, with blanks in hidden columns."""
    for sees in (block.sees for block in blocks if block.key):
        rows = [pair for pair in rows if sees(pair[1], viewer)]
    rest = [block for block in blocks if not block.key]
    if len(rest) == 1:  # as most have it, events above all
        sees, blanks, _ = rest[0]
        return [(key, row if sees(row, viewer) else row.with_values(blanks)) for key, row in rows]
    return [(key, _blank_row(row, rest, viewer)) for key, row in rows] if rest else rows


def _blank_row(row: Record, blocks: Sequence[ColumnBlock], viewer: Viewer | _Side) -> Record:
    blanks: dict[str, Any] = {}
    for sees, hidden, _ in blocks:
        if not sees(row, viewer):
            blanks = blanks | hidden
    return row.with_values(blanks) if blanks else row


def _renumber(rows: KeyedRows) -> KeyedRows:
    return [(str(no), row.with_values({"no": no})) for no, (_, row) in enumerate(rows, 1)]


def only_addressed(viewer: Viewer) -> Campaign:
    """The viewer's campaign without events, dice, orders, questions and findings that are addressed to others.

    Views for reports are filtered here once more, so that an oversight in a ruleset's own view goes no further. Sheets
    from which nothing is removed are shared.
    """
    seen = viewer.campaign.copy()
    for record in viewer.campaign.records().values():
        if issubclass(record, ADDRESSED):
            whole, owns = viewer.campaign.common(record.sheet).awake(), viewer.owner_test(record)
            rows = {key: row for key, row in whole.rows.items() if owns(row, viewer)}
            if len(rows) < len(whole.rows):
                seen.put(Table.over(SharedRows(record, rows, shared=True)))
    return seen


def playable(campaign: Campaign) -> Campaign:
    """A copy, possibly of a view, on which a phase can be tried: hidden values that are never blank in a campaign get
    their defaults. A trial on it says nothing about what the reader does not know.
    """
    work = campaign.copy()
    for record in work.records().values():
        lacking = _never_blank(record)
        if lacking:
            filled = {key: row.with_values(defaults) for key, row in work.by_sheet(record.sheet).raw_rows()
                      if (defaults := {c.name: c.default for c in lacking if getattr(row, c.name) == c.hidden})}
            if filled:
                work.put(Table.over(work.common(record.sheet).with_rows(filled)))
    return work


def _never_blank(record: type[Record]) -> list[Column]:
    """Columns that may be hidden in a visible row, and that are never blank in a campaign."""
    key = next((c.see for c in record.columns() if c.key), None)
    return [c for c in record.columns() if c.see not in ("public", key) and c.default != c.hidden
            and isinstance(c.kind, (Whole, Parts, Flag, Choice)) and not c.kind.blank]


Chance = Random
"""What the laboratory draws by, made of a seed; never the dice of a real campaign."""


def draw_unseen(viewer: Viewer, chance: Chance, sheets: Mapping[str, Sequence[str]]) -> Campaign:
    """A playable copy of a view in which what is hidden in a row is as in a row of which all is seen, picked by chance.

    `viewer`: of the view; `sheets`: sheet -> its columns that are drawn, all of a row from one other row.
    """
    work = playable(viewer.campaign)
    for sheet, names in sheets.items():
        rows = [(row, [name for name in names if not viewer.sees(row, name)])
                for _, row in viewer.campaign.by_sheet(sheet).raw_rows()]
        known = [row for row, hidden in rows if not hidden]
        for row, hidden in rows if known else ():
            like = chance.choice(known)
            for name in hidden:
                setattr(work.by_sheet(sheet)[row.ident], name, getattr(like, name))
    return work


# --- what a ruleset declares -------------------------------------------------------------------------
def secrecy_faults(records: Sequence[type[Record]], numbers: Sequence[Number | Switch]) -> list[str]:
    """What is missing or wrong in a ruleset's declarations of secrecy, one sentence each, for its author."""
    switches = {rule.key: rule for rule in numbers}
    return [f"{record.sheet}: {fault}" for record in records for fault in _declaration_faults(record, switches)]


def _declaration_faults(record: type[Record], switches: dict[str, Number | Switch]) -> Iterator[str]:
    if record.persons and "faction" not in {c.name for c in record.columns()}:
        yield "its rows are people, and whose they are stands in no column faction"
    named = record.whose if isinstance(record.whose, tuple) else ()
    yield from (f"its owner is to stand in {name}, which is no column" for name in named
                if name not in {c.name for c in record.columns()})
    for column in record.columns():
        if column.see is None:
            yield f"{column.name} does not say who may see it"
        for see in nested_sees(column.see):
            if see == "owner" and not record.whose:
                yield f"{column.name} is for the owner, and whose the row is stands nowhere"
            if isinstance(see, When):
                switch = switches.get(see.switch)
                if not isinstance(switch, Switch) or see.value not in switch.options:
                    yield f"{column.name} asks whether {see.switch} is {see.value}, which no switch can be"
