"""Who reads a page and what that reader's view says: the one thing that all sections are made from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Column, Parts, Ref, Text, Whole
from assistant.campaign.record import Record
from assistant.campaign.records import ALL, REFEREE, Battle, Event, Faction, Node
from assistant.pictures.hues import worn
from assistant.reporting.pages import ROWS, Cell, Line
from assistant.reporting.period import Period
from assistant.turn.messages.house import COMMON_EVENTS
from assistant.turn.ruleset import EventType, Ruleset
from assistant.turn.views import addressed
from assistant.wording import N_, Verbatim, Wording

GREY = "#808080"
GROUPED_FROM = 10_000
_CODES = re.compile(r"[^\s,;/>+:]+")
_FACES = "⚀⚁⚂⚃⚄⚅"


@dataclass
class Reader:
    """One reader: `view` is all that may be shown; `faction` "" is the public, ``referee`` the referee.

    `rows`: from how many rows on a list is cut; `held`: the language of the reader's own copy of the
    workbook, where the page goes out with one.
    """

    ruleset: Ruleset
    view: Campaign
    faction: str
    wording: Wording
    period: Period
    rows: int = ROWS
    held: str = ""
    _moments: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, ruleset: Ruleset, view: Campaign, faction: str, wording: Wording, since_no: int = 0,
           previous: Campaign | None = None, *, held: str = "") -> Reader:
        """A reader with its view and its last one, and the time between them (`Period`).

        What a ruleset's own view let through although it is addressed to others goes no further than here. Words that
        a ruleset puts into its tables itself are those of the page, whatever the faction's own language is.
        """
        if faction != REFEREE:
            view = addressed(ruleset.viewer(view, faction))
            previous = None if previous is None else addressed(ruleset.viewer(previous, faction))
            reading = view.table(Faction).get(faction)
            if reading is not None:
                reading.language = wording.lang
        return cls(ruleset, view, faction, wording, Period(ruleset, view, since_no, previous), held=held)

    @property
    def lang(self) -> str:
        """The language of the page."""
        return self.wording.lang

    # --- names ------------------------------------------------------------------------------
    def place(self, code: str) -> str:
        """A place as shown: name and code, or the code alone."""
        node = self.view.table(Node).get(code)
        name = node.called(self.lang) if node is not None else ""
        return f"{name} ({code})" if name not in ("", code) else code

    def faction_name(self, code: str) -> str:
        """The name of a faction in the language of the page, or the code."""
        row = self.view.table(Faction).get(code)
        return code if row is None else row.name(self.lang)

    def colour(self, code: str) -> str:
        """The colour of a faction as ``#rrggbb``, as maps have it; grey for anything else."""
        return worn(self.view.table(Faction)).get(code, GREY)

    @property
    def book_lang(self) -> str:
        """The language of the workbook: a club may read in another, and its sheets are called as they are."""
        return self.held or self.view.desk.language or self.lang

    def sheet(self, record: type[Record]) -> str:
        """The name of a record's sheet, as the workbook has it."""
        return Verbatim(record.sheet_it if self.book_lang == "it" else record.sheet)

    def heading(self, record: type[Record], name: str) -> str:
        """The heading of a column, as the workbook has it."""
        return Verbatim(self.view.table(record).record.column(name).heading(self.book_lang))

    def sheet_called(self, sheet: str) -> str:
        """The name of the sheet that is called so in English, as the workbook has it."""
        found = next((record for record in self.ruleset.records if record.sheet == sheet), None)
        return self.sheet(found) if found is not None else sheet

    def when(self, turn: str, phase: str) -> str:
        """A moment in the game's calendar; the codes themselves where the calendar knows no such phase."""
        if (turn, phase) not in self._moments:
            try:
                text = self.ruleset.when(turn, phase, self.lang)
            except KeyError:
                text = " ".join(part for part in (turn, phase) if part)
            self._moments[turn, phase] = text
        return self._moments[turn, phase]

    @cached_property
    def rounds(self) -> int:
        """How many rounds of orders are told of, at least 1."""
        return len({(turn, word) for turn, phase in self.period.moments if (word := self._orders_word(phase))}) or 1

    def _orders_word(self, phase: str) -> str:
        try:
            return self.ruleset.phase(phase).orders
        except KeyError:
            return ""

    def mark(self, event: Event) -> str:
        """When an event happened, as shortly as it can be said; "" where all is of one round of orders."""
        if self.rounds == 1:
            return ""
        try:
            name = self.ruleset.phase(event.phase).name(self.lang).split(":")[0]
        except KeyError:
            name = event.phase
        return name if len({turn for turn, _ in self.period.moments}) == 1 else f"{event.turn}, {name}"

    @cached_property
    def _called(self) -> frozenset[str]:
        """The sheets whose rows have names, save places and factions."""
        return frozenset((*self.ruleset.named, *self.ruleset.coded)) - {Node.sheet, Faction.sheet}

    # --- values -----------------------------------------------------------------------------
    def signed(self, number: int) -> str:
        """A change with its sign."""
        return ("+" if number > 0 else "−" if number < 0 else "±") + self.wording.number(abs(number))

    def number(self, number: int, text: str = "") -> Cell:
        """A number as a cell."""
        return Cell(text or self.wording.number(number), number)

    def cell(self, column: Column, value: Any, sheet: str = "") -> Cell:
        """A field of a row of a sheet as a cell: what has a name by it, choices in the language, numbers grouped."""
        if isinstance(column.kind, Ref) and value:
            if column.kind.table == Faction.sheet:
                return Cell(self.faction_name(value), colour=self.colour(value))
            if column.kind.table == Node.sheet:
                return Cell(self.place(value))
        if isinstance(column.kind, Codes):
            one = replace(column, kind=Ref(column.kind.table))
            return Cell(", ".join(self.cell(one, code).text for code in value))
        about = column.kind.table if isinstance(column.kind, Ref) else sheet if column.key else ""
        if about in self._called and value:
            return Cell(self.wording.names.text(str(value), "piece"))
        if column.name == "node" and column.key:
            return Cell(self.place(str(value)))
        if isinstance(column.kind, Whole) and isinstance(value, int):
            # years have four digits and no thousands
            return Cell(self.wording.number(value) if abs(value) >= GROUPED_FROM else str(value), value)
        if isinstance(column.kind, Parts) and isinstance(value, int):
            shown = column.kind.show(value)
            return Cell(shown.replace(".", ",") if self.lang == "it" else shown, value)
        if isinstance(column.kind, Text) and column.kind.worded:
            return Cell(", ".join(self.wording.called(code) for code in column.kind.show(value).split()))
        said = column.word(value, self.lang)
        return Cell(said.replace("_", " ") if isinstance(column.kind, Choice) else said)

    # --- events -----------------------------------------------------------------------------
    def kind(self, event: Event) -> EventType:
        """What the ruleset says of this type of event."""
        return (self.ruleset.events.get(event.event) or COMMON_EVENTS.get(event.event)
                or EventType(event.event, event.event))

    @cached_property
    def own(self) -> frozenset[str]:
        """The reader's code and those of the rows that name it (its armies, places, battles), now and before."""
        codes = {self.faction}
        for campaign in (self.view, self.period.previous):
            for table in () if campaign is None else campaign.tables().values():
                names = [c.name for c in table.record.columns()
                         if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet]
                if names and not table.record.grows:
                    codes.update(row.ident for row in table if any(getattr(row, n) == self.faction for n in names))
        return frozenset(codes - {""})

    def concerns(self, event: Event) -> bool:
        """Whether an event is the reader's own affair: addressed to it, or about something that it has."""
        if event.audience != ALL:
            return True
        return any(not self.own.isdisjoint(codes_in(value)) for value in event.data.values())

    def node_of(self, event: Event) -> str:
        """The code of the place of an event, or ""."""
        node = event.data.get("node") or ""
        if not node and (battle := self.view.table(Battle).get(str(event.data.get("battle", "")))):
            node = battle.node
        return str(node)

    def whereabouts(self, event: Event) -> str:
        """The code of the place of an event, also where it names only its battle or its hex; "" for none."""
        battles, nodes = self.view.table(Battle), self.view.table(Node)
        said = [value for value in event.data.values() if isinstance(value, str)]
        fought = (battle.node for value in said if (battle := battles.get(value)) is not None)
        return self.node_of(event) or next(fought, "") or next((value for value in said if value in nodes), "")

    def place_by_name(self, event: Event, text: str) -> str:
        """The place of an event as shown, "" where a text already calls it by its name."""
        node = self.whereabouts(event)
        row = self.view.table(Node).get(node)
        return "" if row is None or (row.name and row.name in text) else self.place(node)

    def line(self, event: Event, *, with_place: bool = True) -> Line:
        """An event as a line: place, sentence, rule, and the roll by itself where the sentence ends in it."""
        text = self.wording.event(event)
        roll = self.wording.roll(event.roll, self.kind(event).verdicts) if event.roll else ""
        if roll and text.rstrip(".").endswith(roll):
            text = text.rstrip(".").removesuffix(roll).rstrip(" :")
        elif roll in text:
            roll = ""
        return Line(text, self._place_before(event, text) if with_place else "", self.wording.printed(event.rule), roll,
                    faces(event.roll) if roll else "", self.mark(event),
                    self._audience(event) if self.faction == REFEREE else "")

    def _audience(self, event: Event) -> str:
        """Who may know of an event: everybody in words, clubs by their codes."""
        if event.audience == ALL:
            return self.wording.text(N_("for everybody"))
        return " ".join(self.wording.word(code) for code in event.audience.split())

    def _place_before(self, event: Event, text: str) -> str:
        """The place to put before a sentence, "" where the sentence names it itself."""
        node = self.node_of(event)
        row = self.view.table(Node).get(node)
        named = row is not None and (name := row.called(self.lang)) and name in text
        return "" if not node or named or re.search(rf"\b{re.escape(node)}\b", text) else self.place(node)


def codes_in(value: Any) -> frozenset[str]:
    """The words of an event's parameter that may be codes."""
    if isinstance(value, str):
        return _words_of(value)
    if isinstance(value, list | tuple):
        return frozenset(code for one in value for code in codes_in(one))
    return frozenset()


@lru_cache(maxsize=65536)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(_CODES.findall(text))


def faces(roll: dict[str, Any]) -> str:
    """Six-sided dice as signs, blank for other dice, many dice, or a typed total."""
    shown = [f for one in roll.get("rolls", [roll]) if str(one.get("dice", "")).endswith("d6")
             for f in one.get("faces", [])]
    return "".join(_FACES[f - 1] for f in shown if 1 <= f <= 6) if len(shown) <= 12 else ""
