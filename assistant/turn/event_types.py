"""The kinds of event that a rulebook tells, and the sentences, figures and tables that reports word."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import See, Whole
from assistant.campaign.records import ALL, OWNERLESS, Army, Event, Faction, Node
from assistant.campaign.tables import Record
from assistant.turn.findings import N_, Meaning


@dataclass(frozen=True)
class EventType:
    """How an event is worded: English text with {braces} (the msgid), and where a report puts it.

    `category`: a word of `CATEGORIES`; `weight`: 0 matters most; `rule`: what is cited by default,
    keys of `Ruleset.citations`; `variants`: when a parameter decides the sentence, (parameter, {value: text}), or
    several do, their names and values with a blank between them; `verdicts`: what a trial that passed and one that
    failed came to; `means`: what a parameter stands for where its name does not say it (`assistant.turn.findings`);
    `unless`: the events that tell more of the same thing, of which a report that tells one leaves this out. The brace
    {roll} is the ruling.
    """

    type: str
    text: str
    category: str = "news"
    weight: int = 5
    rule: str = ""
    variants: tuple[str, Mapping[str, str]] | None = None
    verdicts: tuple[str, str] | None = None
    means: Mapping[str, Meaning] | None = None
    unless: tuple[str, ...] = ()

    def outdone(self, event: Event, others: Iterable[Event]) -> bool:
        """Whether one of some events of the same phase tells what this one does, and more."""
        return any(other.event in self.unless and (other.turn, other.phase) == (event.turn, event.phase)
                   and all(other.data[name] == event.data[name] for name in event.data.keys() & other.data.keys())
                   for other in others)


MOST_OF_THE_END = 4
WIDEST = 5
"""Columns for which a report's page has room."""
CATEGORIES = ("battles", "sieges", "moves", "money", "supply", "diplomacy", "works", "sea", "rulings", "news")


@dataclass(frozen=True)
class Fact:
    """A figure of a report's *at a glance*: label (msgid), value now, value at the last report."""

    label: str
    now: int
    was: int | None = None


@dataclass(frozen=True)
class Said:
    """A sentence worded when it is shown: text (msgid with {braces}), what fills them, and a label (msgid)."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""


@dataclass(frozen=True)
class Ending:
    """How a campaign has ended, made from what all may know of it.

    `verdict`: who has won, or that nobody has; `counted`: how that was counted; both as sentences, or as events that
    tell it. `winners`: codes, several where they share the victory, () for a draw and for nobody. `rows`: what was
    compared, a row a faction, the best first: ``faction``, and words of the catalogue (or labels) -> value.
    """

    verdict: tuple[Said | Event, ...] = ()
    counted: tuple[Said | Event, ...] = ()
    winners: tuple[str, ...] = ()
    rows: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Booking:
    """One movement of money of a faction: the word of its item, the amount (out: below 0), the chest after it."""

    turn: str
    phase: str
    item: str
    amount: int
    balance: int


@dataclass(frozen=True)
class TableOf:
    """A table of a report: title (msgid), rows of one sheet, the fields to show of them (at most five), and a note
    (msgid) below it.
    """

    title: str
    record: type[Record]
    fields: tuple[str, ...]
    rows: Sequence[Record]
    note: str = ""


def total(numbers: Iterable[int | None]) -> int | None:
    """What numbers come to; None where a view hides one of them."""
    known = list(numbers)
    return None if None in known else sum(n for n in known if n is not None)


def filled(*tables: TableOf) -> list[TableOf]:
    """Those in which anything stands."""
    return [table for table in tables if table.rows]


def besides(title: str, record: type[Record], fields: Sequence[str], rows: Sequence[Record], note: str = "") -> TableOf:
    """Beside a table of the same rows, what only some of them have: no row that has nothing of it stands there, and no
    field that nobody has anything in, so that it stays narrow.

    `fields`: the first one says which row it is; what its column tells (`Column.tells`) is something.
    """
    key, *rest = fields
    has = {name: [row for row in rows if record.column(name).tells(getattr(row, name))] for name in rest}
    shown = [row for row in rows if any(row is one for some in has.values() for one in some)]
    return TableOf(title, record, (key, *(name for name in rest if has[name])), shown, note)


def own_tables(title: str, view: Campaign, sheet: str, faction: str) -> list[TableOf]:
    """All that a sheet says of the rows of a faction: a table as wide as a report's page, and what has no room in it in
    further ones.
    """
    record, fields, rows = _own_rows(view, sheet, faction)
    key, rest = fields[:1], fields[WIDEST:]
    return [TableOf(title, record, fields[:WIDEST], rows),
            *(besides(N_("What some of them have besides"), record, (*key, *rest[start:start + WIDEST - 1]), rows)
              for start in range(0, len(rest), WIDEST - 1))]


def own_rows(view: Campaign, sheet: str, faction: str) -> tuple[type[Record], tuple[str, ...], list[Record]]:
    """Record class, fields worth a report's width, and rows of a sheet that belong to a faction (`own_tables` has all
    fields).
    """
    record, fields, rows = _own_rows(view, sheet, faction)
    return record, fields[:WIDEST], rows


def _own_rows(view: Campaign, sheet: str, faction: str) -> tuple[type[Record], tuple[str, ...], list[Record]]:
    """Record class, fields and rows; of the fields, the key comes first; left out are drawing units, names of what is
    not people, codes of the owner, and fields with nothing in them.
    """
    table = view.by_sheet(sheet)
    rows = [r for r in table if faction in r.owners]
    left_out = ("faction", "owner", "home", "x", "y", *(() if table.record.persons else ("name",)))
    shown = [c.name for c in table.record.columns()
             if c.key or (not c.quiet and c.name not in left_out
                          and any(c.tells(getattr(r, c.name)) for r in rows))]
    return table.record, tuple(shown), rows


def figures_of(view: Campaign, faction: str, seen_by: Container[See | None]) -> dict[str, int]:
    """How many places and armies belong to a faction, where the sheets say whose they are, and the whole numbers of its
    own row that those of `seen_by` see: label (msgid, or the heading of the column in English) -> value.
    """
    counted = {label: sum(faction in row.owners for row in view.table(record))
               for label, record in ((N_("Places"), Node), (N_("Armies"), Army))
               if view.has(record.sheet) and view.table(record).record.whose}
    table = view.table(Faction)
    row = table[faction]
    return counted | {c.en: int(getattr(row, c.name)) for c in table.record.columns()
                      if isinstance(c.kind, Whole) and not c.kind.blank and c.see in seen_by}


def public_figures(view: Campaign) -> list[dict[str, Any]]:
    """A row a faction with the figures that all see, as in `figures_of`."""
    return [{"faction": row.faction, **figures_of(view, row.faction, ("public",))}
            for row in view.table(Faction) if row.role not in OWNERLESS]


def plain_ending(view: Campaign, types: Mapping[str, EventType]) -> Ending:
    """An ending of which no more is known than what was told to all, and the figures that all see."""
    return Ending(verdict=foremost_of_the_end(view, types), rows=public_figures(view))


def foremost_of_the_end(view: Campaign, types: Mapping[str, EventType]) -> tuple[Event, ...]:
    """How the campaign ended: the foremost of what its last phase told to all, at most four."""
    told = [event for _, event in view.table(Event).in_file_order() if event.event in types]
    last = [e for e in told if (e.turn, e.phase) == (told[-1].turn, told[-1].phase) and e.audience == ALL
            and types[e.event].category == "news" and types[e.event].weight == 0]
    return tuple(last[:MOST_OF_THE_END])
