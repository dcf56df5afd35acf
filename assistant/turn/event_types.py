"""The types of event that a rulebook declares, and the sentences, figures and tables of its reports and dossiers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import See, Whole
from assistant.campaign.records import ALL, OWNERLESS, Army, Event, Faction, Node
from assistant.campaign.tables import Record
from assistant.turn.texts import N_, Meaning, meaning_of

EACH_TIME = "each time"
"""For an event whose hearers nothing in its data names: whoever tells it says who they are."""
Hearers = str | tuple[str, ...] | Callable[[Any, Mapping[str, Any]], Iterable[str] | str]
"""Who hears of an event: ``all``; ``referee``; `EACH_TIME`; names of the event's own parameters, with blanks between:
the factions for which they stand, or to which what they name belongs; a tuple of codes; or what a function makes of the
board and the data.
"""


Theme = Literal["", "outcome", "place", "losses", "leader", "siege"]
"""What an event tells of a reader's own: how a battle of it ended, a place lost or won, losses, the fate of a leader, a
siege. The five lines of a report take these first, in this order; "" for anything else.
"""


class EventType(NamedTuple):
    """How an event is worded: English text with {braces} (the msgid), and where a report puts it.

    `category`: a word of `CATEGORIES`; `weight`: 0 is the most important; `rule`: on what it rests, keys of
    `Ruleset.citations`; `to`: who hears of it, `Hearers` (whoever tells it says only what differs from both);
    `variants`: if a parameter decides the sentence, (parameter, {value: text}); if several do, their names and their
    values are joined by blanks; `verdicts`: the words for a trial that passed and for one that
    failed; `means`: what a parameter stands for if its name does not say so (`assistant.turn.findings`); `unless`:
    events that tell the same thing in more detail: a report with one of them leaves this one out. The brace {roll} is
    the ruling.

    `tries`: the parameter that names whose throw it is, so that a chance of success is told as that one's. `level`: a
    word for what the level is that a ruling starts from, such as ``level of loyalty``. `theme`: as
    `Theme` says; by itself a result of a battle is ``outcome`` and a siege ``siege`` (`theme_of`); one that is given
    ``place`` or ``siege`` is a reason even without a throw. `lost`: parameters, with blanks between, whose numbers
    add up to what is lost, one that is no number counting 1. `idle`: parameters that are all 0, none or blank where
    nothing happened. `blank`: parameters that events lack which were told before the rulebook knew them; their
    sentence is left out. `opening`: it comes before all else of its phase, as a throw for the initiative does.
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
    to: Hearers = ""
    tries: str = ""
    theme: Theme = ""
    lost: str = ""
    idle: str = ""
    blank: str = ""
    opening: bool = False
    level: str = ""

    def theme_of(self, event: Event) -> Theme:
        """What an event of this type tells of its reader's own."""
        if self.theme or self.lost:
            return self.theme or "losses"
        if self.category == "battles" and not self.weight and any(n in event.data for n in ("winner", "outcome")):
            return "outcome"
        return "siege" if self.category == "sieges" else ""

    def losses(self, event: Event) -> int:
        """How much an event says was lost."""
        values = (event.data.get(name) for name in self.lost.split())
        return sum(value if isinstance(value, int) else bool(value) for value in values)

    def is_idle(self, event: Event) -> bool:
        """Whether nothing happened by an event."""
        names = self.idle.split() or self.lost.split()
        return bool(names) and not any(event.data.get(name) not in (0, "0", "none") and event.data.get(name)
                                       for name in names)

    def outdone(self, event: Event, others: Iterable[Event]) -> bool:
        """Whether another event of the same phase tells the same thing in more detail (`unless`)."""
        return any(other.event in self.unless and (other.turn, other.phase) == (event.turn, event.phase)
                   and all(other.data[name] == event.data[name] for name in event.data.keys() & other.data.keys())
                   for other in others)


def codes_in(value: Any) -> list[str]:
    """The codes in a parameter of an event or a column of an order, which holds one, a list, or a text of several."""
    if isinstance(value, list | tuple):
        return [code for item in value for code in codes_in(item)]
    return [] if value is None else str(value).replace(",", " ").split()


def owners_in(campaign: Campaign, names: Iterable[str], data: Mapping[str, Any],
              means: Mapping[str, Meaning] | None = None) -> list[str]:
    """The factions and people for which parameters of an event stand, or to whom what these name belongs, each once."""
    codes = (owner for name in names for code in codes_in(data.get(name))
             for owner in ((code,) if meaning_of(name, means) == "faction" else _owners(campaign, name, code)))
    return [code for code in dict.fromkeys(codes) if code]


def _owners(campaign: Campaign, name: str, code: str) -> tuple[str, ...]:
    """Whose a row is. The sheet whose key is called as the parameter comes before all others."""
    records = [record for record in campaign.records().values() if record.unique and isinstance(record.whose, tuple)]
    for record in sorted(records, key=lambda record: not any(c.key and c.name == name for c in record.columns())):
        row: Record | None = campaign.table(record).get(code)
        if row is not None:
            return (code,) if record.persons else row.owners
    return ()


MOST_OF_THE_END = 4
WIDEST = 5
"""The number of columns for which a report's page has room."""
CATEGORIES = ("battles", "sieges", "moves", "money", "supply", "diplomacy", "works", "sea", "rulings", "news")


class Fact(NamedTuple):
    """A figure in a report's *at a glance*: label (msgid), present value, value at the last report."""

    label: str
    now: int
    was: int | None = None


class Said(NamedTuple):
    """A sentence that is worded when it is shown: text (msgid with {braces}), their values, and a label (msgid).

    `grave`: of several outcomes of battles the graver ones have the larger number, such as what was lost, and of what
    is owed those with one are told among the first; `why`: it says only why it came so, and stands among the reasons
    alone; `killed`: how many enemies it says fell.
    """

    text: str
    data: Mapping[str, Any] = MappingProxyType({})
    label: str = ""
    grave: int = 0
    why: bool = False
    killed: int = 0


class Ending(NamedTuple):
    """How a campaign ended, made from public knowledge alone.

    `verdict`: who won, or that nobody did; `counted`: how that was determined; both are sentences or events. `winners`:
    codes, several if they share the victory, () for a draw and for nobody. `rows`: the figures compared, one row per
    faction, the best first: ``faction``, and words of the catalogue (or labels) -> value.
    """

    verdict: tuple[Said | Event, ...] = ()
    counted: tuple[Said | Event, ...] = ()
    winners: tuple[str, ...] = ()
    rows: Sequence[Mapping[str, Any]] = ()


class Booking(NamedTuple):
    """One movement of a faction's money: the word for its item, the amount (negative if spent), the new balance."""

    turn: str
    phase: str
    item: str
    amount: int
    balance: int


TreatyChange = Literal["made", "kept", "broken", "ended"]


class TreatyStep(NamedTuple):
    """What an event means for a treaty, for the book of the war. `parties`: the parameters that name the two; `by`: the
    one that names who broke or ended it.
    """

    step: TreatyChange
    parties: tuple[str, str]
    by: str = ""


Clock = Callable[[Any], Said | None]
"""What the top of a report says of a row of aims; None for a row without an aim."""


class TableOf(NamedTuple):
    """A table in a report: title (msgid), rows of one sheet, the fields to show (at most five), and a note (msgid, or
    a sentence with numbers) below it. `clock`: it says what a faction's aims lack and how long is left, which a report
    also says at its top, in the words of a `Clock` if there is one.
    """

    title: str
    record: type[Record]
    fields: tuple[str, ...]
    rows: Sequence[Record]
    note: str | Said = ""
    clock: bool | Clock = False


def total(numbers: Iterable[int | None]) -> int | None:
    """The sum of numbers; None if a view hides one of them."""
    known = list(numbers)
    return None if None in known else sum(n for n in known if n is not None)


def nonempty_tables(*tables: TableOf) -> list[TableOf]:
    """The tables that have rows."""
    return [table for table in tables if table.rows]


def besides(title: str, record: type[Record], fields: Sequence[str], rows: Sequence[Record], note: str = "") -> TableOf:
    """A second table for what only some rows have. To stay narrow it leaves out rows and fields without content.

    `fields`: the first identifies the row and is always shown; content is what `Column.tells` says.
    """
    key, *rest = fields
    has = {name: [row for row in rows if record.column(name).tells(getattr(row, name))] for name in rest}
    shown = [row for row in rows if any(row is other for some in has.values() for other in some)]
    return TableOf(title, record, (key, *(name for name in rest if has[name])), shown, note)


class DeclaredTable(NamedTuple):
    """A table of a report as a rulebook declares it: title (msgid), the name by which `tables_of` is given its rows,
    the record, the fields as words, a note and a clock as in `TableOf`. `sparse`: as `sparse_table` declares it.
    """

    title: str
    rows: str
    record: type[Record]
    fields: str
    note: str = ""
    clock: bool | Clock = False
    sparse: bool = False


def sparse_table(title: str, rows: str, record: type[Record], fields: str, note: str = "") -> DeclaredTable:
    """Declare a second table for what only some of the rows have, as `besides` shows it."""
    return DeclaredTable(title, rows, record, fields, note, sparse=True)


def tables_of(declared: Iterable[DeclaredTable], **rows: Sequence[Record]) -> list[TableOf]:
    """The declared tables that have rows, in their order; those without an entry in `rows` are left out."""
    made = []
    for table in declared:
        fields, shown = tuple(table.fields.split()), rows.get(table.rows, ())
        made.append(besides(table.title, table.record, fields, shown, table.note) if table.sparse else
                    TableOf(table.title, table.record, fields, shown, table.note, table.clock))
    return nonempty_tables(*made)


def faction_tables(title: str, view: Campaign, sheet: str, faction: str) -> list[TableOf]:
    """All that a sheet says about a faction's rows: a table as wide as a report's page, and more for what has no room.
    """
    record, fields, rows = _faction_rows(view, sheet, faction)
    key, rest = fields[:1], fields[WIDEST:]
    return [TableOf(title, record, fields[:WIDEST], rows),
            *(besides(N_("What some of them have besides"), record, (*key, *rest[start:start + WIDEST - 1]), rows)
              for start in range(0, len(rest), WIDEST - 1))]


def _faction_rows(view: Campaign, sheet: str, faction: str) -> tuple[type[Record], tuple[str, ...], list[Record]]:
    """Record class, fields and rows. Left out are coordinates, names (except people's), the owner's code, and fields
    without content.
    """
    table = view.by_sheet(sheet)
    rows = [r for r in table if faction in r.owners]
    left_out = ("faction", "owner", "home", "x", "y", *(() if table.record.persons else ("name",)))
    shown = [c.name for c in table.record.columns()
             if c.key or (not c.quiet and c.name not in left_out
                          and any(c.tells(getattr(r, c.name)) for r in rows))]
    return table.record, tuple(shown), rows


def figures_of(view: Campaign, faction: str, seen_by: Container[See | None]) -> dict[str, int]:
    """A faction's places and armies, counted if the sheets name owners, and the whole numbers in its own row that
    `seen_by` may see: label (msgid, or the column's English heading) -> value.
    """
    counted = {label: sum(faction in row.owners for row in view.table(record))
               for label, record in ((N_("Places"), Node), (N_("Armies"), Army))
               if view.has(record.sheet) and view.table(record).record.whose}
    table = view.table(Faction)
    row = table[faction]
    return counted | {c.en: int(getattr(row, c.name)) for c in table.record.columns()
                      if isinstance(c.kind, Whole) and not c.kind.blank and c.see in seen_by}


def public_figures(view: Campaign) -> list[dict[str, Any]]:
    """One row per faction with its public figures, as in `figures_of`."""
    return [{"faction": row.faction, **figures_of(view, row.faction, ("public",))}
            for row in view.table(Faction) if row.role not in OWNERLESS]


def default_ending(view: Campaign, types: Mapping[str, EventType]) -> Ending:
    """The ending as far as public events and figures tell it."""
    return Ending(verdict=closing_events(view, types), rows=public_figures(view))


def closing_events(view: Campaign, types: Mapping[str, EventType]) -> tuple[Event, ...]:
    """The most important public events of the last phase, at most four."""
    told = [event for _, event in view.table(Event).in_file_order() if event.event in types]
    last = [e for e in told if (e.turn, e.phase) == (told[-1].turn, told[-1].phase) and e.audience == ALL
            and types[e.event].category == "news" and types[e.event].weight == 0]
    return tuple(last[:MOST_OF_THE_END])


# Dossiers, which are kept on their battle's row as plain values.


DossierLine = list[Any]
"""A line of a dossier as plain values: text, what fills its braces, label."""
REFEREE_COPY = "referee"
"""The key of the referee's dossier, beside those of the sides."""


def dossier_line(text: str, label: str, **data: Any) -> DossierLine:
    """One sentence of a dossier as plain values: text, what fills its braces, label."""
    return [text, data, label]


def read_dossier(lines: object, spoken: Mapping[str, str]) -> list[Said]:
    """The sentences of a dossier from the plain values on the sheet; anything else is ignored.

    `spoken`: text as older workbooks have it -> today's text, for texts that have changed.
    """
    return [Said(spoken.get(str(line[0]), str(line[0])), line[1], str(line[2]))
            for line in (lines if isinstance(lines, list) else [])
            if isinstance(line, list) and len(line) == 3 and isinstance(line[1], dict)]
