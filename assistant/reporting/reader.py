"""The reader of a page: its view, what is new in it, and how values are shown to it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Column, Parts, Ref, Text, Whole
from assistant.campaign.columns import Moment as TurnKind
from assistant.campaign.records import ALL, REFEREE, RULES, WON, Battle, Die, Event, Faction, FindingRow, Node, Order
from assistant.campaign.tables import Record, grouped
from assistant.pictures.colours import faction_colours
from assistant.reporting.pages import ROWS, Listing, ReportLine, TableCell, map_texts
from assistant.turn.event_types import Booking, EventType
from assistant.turn.messages import COMMON_EVENTS
from assistant.turn.orders.legal import LegalOrder, OrderJudge
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_, meaning_of
from assistant.turn.views import only_addressed
from assistant.wording import Verbatim, Wording, is_year

# Texts typed by clubs, made harmless for all formats of a report.


LONGEST = 1200
_HYPHENS = re.compile(r"(?<![\w-])-(?=\d)|(?<=\d )-(?= \d)")


def clean_line(text: str) -> str:
    """One line of visible characters: no control signs, no change of writing direction, no endless text.

    Characters that turn the direction of writing around could make a name read as another fact;
    line breaks could forge a heading in the plain text.
    """
    if text.isprintable() and "  " not in text and len(text) <= LONGEST:
        return text  # nearly every text
    kept = "".join(" " if c.isspace() else c for c in text
                   if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    line = " ".join(kept.split()) if kept != text or "  " in text else text
    return line if len(line) <= LONGEST else line[:LONGEST - 1] + "…"


def capital(text: str) -> str:
    """A text with a capital in front."""
    return text[:1].upper() + text[1:]


_ARTICLE_FIRST = re.compile(r"(?:L['’]|Il |Lo |La |I |Gli |Le |Un |Uno |Una |Un['’]|The |A |An )(?=\w)")


_NAMES_WITH_ARTICLE = re.compile(r"(?:L['’]Aquila|L['’]Aia|La Spezia|The Hague)\b")
"""Towns whose article is a part of their name."""


def behind_colon(text: str) -> str:
    """A sentence that follows a colon: an article in front begins small, if it is none of a name such as L'Aquila."""
    article = _ARTICLE_FIRST.match(text)
    return text[:1].lower() + text[1:] if article and not _NAMES_WITH_ARTICLE.match(text) else text


def one_minus(text: str) -> str:
    """A text with the true minus sign before its numbers; a hyphen within a code stays."""
    return _HYPHENS.sub("−", text)


MINUS_IN = ("band", "clock", "dues", "todo", "brief", "reasons", "dossiers", "tables", "sightings", "chances", "glance",
            "legend", "happened", "battles", "news", "luck")
"""The sections in which a hyphen before a number is a minus sign; not those that quote what clubs type, nor dice."""


def clean_page(page: Any) -> Any:
    """The same page or part of one with every text cleaned, and with one minus sign but in what is typed."""
    cleaned = map_texts(page, lambda value: clean_line(value) if isinstance(value, str) else value)
    if not hasattr(cleaned, "dossiers"):
        return cleaned
    return replace(cleaned, **{name: map_texts(getattr(cleaned, name), lambda value: one_minus(value) if isinstance(
        value, str) else value) for name in MINUS_IN})


def cut_page(page: Any, limit: int) -> Any:
    """The same page or part of one with every listing cut to `limit` items."""
    return map_texts(page, lambda value: value.cut(limit) if isinstance(value, Listing) else value)


# What is new since the reader's last report, judged from the reader's views only.


R = TypeVar("R", bound=Record)
Moment = tuple[str, str]
FARTHEST = 500
"""The most phases without events to look through for the last resolved one."""


def _moments(events: list[Event]) -> dict[Moment, None]:
    return dict.fromkeys((e.turn, e.phase) for e in events if e.event not in COMMON_EVENTS)


def _without_outdone(events: list[Event], ruleset: Ruleset) -> list[Event]:
    """Events without those of which another tells more: the referee, and an ally, see what each side was told."""
    kinds = ruleset.events
    return [e for e in events if e.event not in kinds or not kinds[e.event].unless
            or not kinds[e.event].outdone(e, events)]


def orders_word(ruleset: Ruleset, phase: str, unknown: str = "") -> str:
    """The word under which a phase takes orders, "" for none; `unknown`: for a phase that the rulebook has not."""
    try:
        return ruleset.phase(phase).orders
    except KeyError:
        return unknown


class Period:
    """The time between the last report and this one.

    `previous`: the same reader's view at the last report, which tells exactly what is new. Without it
    (the first report, or a lost ledger) `since_no` counts the events of the view that have been reported; the phases
    of the others are new, and so are the rows of those phases. It is a count and not an event number, because a view
    may renumber its events.
    """

    def __init__(self, ruleset: Ruleset, view: Campaign, since_no: int, previous: Campaign | None = None) -> None:
        self._ruleset = ruleset
        self._previous = previous
        told = [event for _, event in view.table(Event).in_file_order()]
        known = since_no if previous is None else len(previous.table(Event))
        self.events = _without_outdone(told[known:], ruleset)
        self._before = _moments(told[:known])
        self.moments: list[Moment] = list(
            _moments(self.events) or dict.fromkeys((e.turn, e.phase) for e in self.events))
        self.last = self._last_resolved(view)
        self.findings = self._new_findings(view)
        self.dice = [d for d in view.table(Die) if d.audience and self._is_new(d, d.turn, d.phase)]
        self.orders = self._new_orders(view)

    @property
    def previous(self) -> Campaign | None:
        """The view at the last report, if there is one."""
        return self._previous

    def new_bookings(self, bookings: list[Booking], faction: str) -> list[Booking]:
        """The movements of money since the last report."""
        if self._previous is not None:
            return bookings[len(self._ruleset.bookings(self._previous, faction)):]
        return [b for b in bookings if (b.turn, b.phase) not in self._before]

    def _last_resolved(self, view: Campaign) -> list[Moment]:
        """The last phase before the Desk's present one; none without events, or if the calendar does not lead there.

        Phases without events leave no other trace, so the calendar is followed from the last event on.
        """
        here = (view.desk.turn, view.desk.phase)
        known = self._ruleset.phase_ids(view)
        if not self.moments or self.moments[-1] == here or self.moments[-1][1] not in known:
            return []
        walk = view.copy()
        desk = walk.desk
        desk.turn, desk.phase = last = self.moments[-1]
        # only playing the calendar on tells which phase came last: there may have been phases without events
        for _ in range(FARTHEST):
            if self._ruleset.is_over(walk):
                return []
            self._ruleset.advance(walk)
            if (desk.turn, desk.phase) == here:
                return [last]
            if (desk.turn, desk.phase) == last:
                return []
            last = desk.turn, desk.phase
        return []

    def _is_new(self, row: Any, turn: str, phase: str) -> bool:
        if self._previous is not None:
            old = self._previous.table(type(row)).get(row.ident)
            return old is None or not old.audience
        return (turn, phase) not in self._before

    def _new_findings(self, view: Campaign) -> list[FindingRow]:
        rows = view.table(FindingRow).in_file_order()
        if self._previous is not None:
            old = self._previous.table(FindingRow)
            return [row for key, row in rows if key not in old]
        known = [i for i, (_, row) in enumerate(rows) if (row.turn, row.phase) in self._before]
        return [row for _, row in rows[known[-1] + 1 if known else 0:]]

    def _new_orders(self, view: Campaign) -> list[Order]:
        judged = [o for o in view.table(Order) if o.status]
        if self._previous is not None:
            old = self._previous.table(Order)
            return [o for o in judged if (was := old.get(o.ident)) is None or not was.status]
        words = {(turn, orders_word(self._ruleset, phase, phase)) for turn, phase in self._before}
        return [o for o in judged if (o.turn, o.phase) not in words]


# The reader, from which all sections are made.


GREY = "#808080"
OUTCOMES = {
    0: N_("{battle:the}: {a:the} {a?beats|beat} {b:the} and {a?holds|hold} the field."),
    1: N_("{battle:the}: {b:the} {b?beats|beat} {a:the} and {b?holds|hold} the field."),
    2: N_("{battle:the}: {a:the} against {b:the}, and nobody wins."),
}
"""How a battle ended, by the side that won; 2 for none."""
LEGAL_A_UNIT = 6
"""How many orders with one verb a report names for each unit."""
_CODES = re.compile(r"[^\s,;/>+:]+")
PARTS = re.compile("[:/#]")
"""Separators of the words of a purpose."""
_FACES = "⚀⚁⚂⚃⚄⚅"


@dataclass
class Reader:
    """One reader: `view` is all that may be shown; `faction` "" is the public, ``referee`` the referee.

    `rows`: longer lists are cut; `held`: the language of the reader's own copy of the workbook, if the page is sent
    with it.
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

        Rows addressed to others that a ruleset's own view let through are removed here. Words that a ruleset puts into
        its tables are in the page's language, whatever the faction's own language is.
        """
        if faction != REFEREE:
            view = only_addressed(ruleset.viewer(view, faction))
            previous = None if previous is None else only_addressed(ruleset.viewer(previous, faction))
            reading = view.table(Faction).get(faction)
            # tables are in the language of their page, whatever the club reads otherwise
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
        name = node.name_in(self.lang) if node is not None else ""
        return f"{name} ({code})" if name not in ("", code) else code

    def faction_name(self, code: str) -> str:
        """The name of a faction in the language of the page, or the code."""
        row = self.view.table(Faction).get(code)
        return code if row is None else row.name(self.lang)

    def is_run_by_rules(self, code: str) -> bool:
        """Whether a code is that of a faction which the rules themselves play."""
        row = self.view.table(Faction).get(code)
        return row is not None and row.role == RULES

    def colour(self, code: str) -> str:
        """The colour of a faction as ``#rrggbb``, the same as on maps; grey for anything else."""
        return faction_colours(self.view.table(Faction)).get(code, GREY)

    @property
    def book_lang(self) -> str:
        """The language of the workbook, for names of sheets; a club may read in another language."""
        return self.held or self.view.desk.language or self.lang

    def sheet(self, record: type[Record]) -> str:
        """The name of a record's sheet, as the workbook has it."""
        return Verbatim(record.sheet_it if self.book_lang == "it" else record.sheet)

    def heading(self, record: type[Record], name: str) -> str:
        """The heading of a column, as the workbook has it."""
        return Verbatim(self.view.table(record).record.column(name).heading(self.book_lang))

    def sheet_name(self, sheet: str) -> str:
        """The name of a sheet as the workbook has it, by its English name."""
        shown = next((record for record in self.ruleset.records if record.sheet == sheet), None)
        return self.sheet(shown) if shown is not None else sheet

    def when(self, turn: str, phase: str) -> str:
        """A moment in the game's calendar; the codes themselves if the calendar does not know the phase."""
        if (turn, phase) not in self._moments:
            try:
                text = self.ruleset.when(turn, phase, self.lang)
            except KeyError:
                text = " ".join(part for part in (turn, phase) if part)
            self._moments[turn, phase] = text
        return self._moments[turn, phase]

    @cached_property
    def rounds(self) -> int:
        """How many rounds of orders the report covers, at least 1."""
        words = {(turn, orders_word(self.ruleset, phase)) for turn, phase in self.period.moments}
        return sum(bool(word) for _, word in words) or 1

    def mark(self, event: Event) -> str:
        """When an event happened, as short as possible; "" if the report covers only one round of orders."""
        if self.rounds == 1:
            return ""
        try:
            name = self.ruleset.phase(event.phase).name(self.lang).split(":")[0]
        except KeyError:
            name = event.phase
        return name if len({turn for turn, _ in self.period.moments}) == 1 else f"{event.turn}, {name}"

    @cached_property
    def _named_sheets(self) -> frozenset[str]:
        return frozenset((*self.ruleset.named, *self.ruleset.coded)) - {Node.sheet, Faction.sheet}

    @cached_property
    def legal(self) -> tuple[LegalOrder, ...]:
        """Orders that the reader may give for the next phase that takes some: of each unit and verb a few."""
        return tuple(self.ruleset.legal_orders(self.view, self.faction, limit=LEGAL_A_UNIT, judge=self.judge))

    @cached_property
    def judge(self) -> OrderJudge:
        """The judge of the reader's orders, who also knows why some may not be given."""
        return self.ruleset.judge_of(self.view, self.faction)

    # --- values -----------------------------------------------------------------------------
    def signed_number(self, number: float) -> str:
        """A change with its sign."""
        return ("+" if number > 0 else "−" if number < 0 else "±") + self.wording.number(abs(number))

    def number(self, number: float, text: str = "") -> TableCell:
        """A number as a cell."""
        return TableCell(text or one_minus(self.wording.number(number)), number)

    def value(self, row: Record, column: Column) -> Any:
        """What a row holds in a column, or in its twin for the reader's language: ``commander_it``."""
        return getattr(row, f"{column.name}_{self.lang}", "") or getattr(row, column.name)

    def cell(self, column: Column, value: Any, sheet: str = "") -> TableCell:
        """A field of a sheet's row as a cell: codes by name, choices in the language, numbers grouped."""
        if isinstance(column.kind, Ref) and value:
            if column.kind.table == Faction.sheet:
                return TableCell(self.faction_name(value), colour=self.colour(value))
            if column.kind.table == Node.sheet:
                return TableCell(self.place(value))
        if isinstance(column.kind, Codes):
            referring = column._replace(kind=Ref(column.kind.table))
            return TableCell(", ".join(self.cell(referring, code).text for code in value))
        about = column.kind.table if isinstance(column.kind, Ref) else sheet if column.key else ""
        if about in self._named_sheets and value:
            return TableCell(self.wording.names.text(str(value), "piece"))
        if column.name == "node" and column.key:
            return TableCell(self.place(str(value)))
        if isinstance(column.kind, Whole) and isinstance(value, int):
            shown = str(value) if is_year(column.name) else self.wording.number(value)
            return TableCell(one_minus(shown), value)
        if isinstance(column.kind, Parts) and isinstance(value, int):
            shown = column.kind.show(value)
            return TableCell(shown.replace(".", ",") if self.lang == "it" else shown, value)
        if isinstance(column.kind, Text) and column.kind.worded:
            return TableCell(", ".join(self.wording.name_of(code) for code in column.kind.show(value).split()))
        if isinstance(column.kind, TurnKind) and value and not str(value).isdecimal():  # a number stands as it is
            return TableCell(self.ruleset.turn_name(str(value), self.lang))
        return TableCell(column.report_text(value, self.lang))

    def roll_title(self, key: str) -> str:
        """What rolls of a purpose are for, as the rulebook calls them."""
        word = PARTS.split(key, 1)[0]
        kind = self.ruleset.rolls.get(word)
        return self.wording.text(kind.title) if kind else self.wording.word(word).capitalize()

    # --- events -----------------------------------------------------------------------------
    def kind(self, event: Event) -> EventType:
        """The declaration of this type of event."""
        return (self.ruleset.events.get(event.event) or COMMON_EVENTS.get(event.event)
                or EventType(event.event, event.event))

    @cached_property
    def still(self) -> dict[int, str]:
        """The events that tell again what was told when their kind came last, such as that two clubs meet, by their
        numbers; since when, without a break.
        """
        clubs, last, again = self.view.table(Faction), dict[str, dict[frozenset[str], str]](), dict[int, str]()
        told = [(e, frozenset(map(str, e.data.values()))) for _, e in self.view.table(Event).in_file_order()
                if self.kind(e).category == "moves" and not e.roll]
        meetings = [one for one in told if sum(value in clubs for value in one[1]) > 1]
        moments = grouped(meetings, lambda one: (one[0].event, one[0].turn, one[0].phase))
        for (kind, turn, phase), alike in moments.items():
            before, now = last.get(kind, {}), self.when(turn, phase).split(":")[0]
            again |= {event.no: before[what] for event, what in alike if what in before}
            last[kind] = {what: before.get(what, now) for _, what in alike}
        return again

    def came_to(self, event: Event) -> str:
        """What the throw of an event came to; "" where its sentence is made for just that."""
        kind, verdict = self.kind(event), event.roll.get("verdict")
        names, texts = kind.variants or ("", {})
        chosen = {str(event.data.get(name, "")) for name in names.split()}
        offered = {word for key in texts for word in key.split()}
        if verdict is not None and (verdict in (event.event, *chosen) or (verdict in offered and chosen & offered)):
            return ""
        return self.wording.verdict(event.roll, kind.verdicts)

    @cached_property
    def own(self) -> frozenset[str]:
        """The reader's code and those of the rows that name it or its side (its armies, places, battles), now and
        before. Of places only those that it holds: what happens on its ground otherwise may be the affair of others.
        """
        codes, whose = {self.faction}, self._whose
        for campaign in (self.view, self.period.previous):
            for table in () if campaign is None else campaign.tables().values():
                place = issubclass(table.record, Node) and bool(table.record.whose)
                names = [] if place else [c.name for c in table.record.columns()
                                          if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet]
                # an event or a die that names the reader is no possession
                if not table.record.grows:
                    codes.update(row.ident for row in table if any(getattr(row, n) == self.faction for n in names)
                                 or not whose.isdisjoint(row.owners))
        return frozenset(codes - {""})

    @cached_property
    def _whose(self) -> frozenset[str]:
        """The codes that stand for the reader as an owner: its own, and its side's."""
        row = self.view.table(Faction).get(self.faction)
        return frozenset({self.faction, getattr(row, "side", self.faction)} - {""})

    def places_in(self, event: Event) -> frozenset[str]:
        """The places that an event names, and that of its battle."""
        names, battle = self.kind(event).means, self.battle_of(event)
        told = {str(value) for name, value in event.data.items() if meaning_of(name, names) == "place"}
        told |= {getattr(battle, "node", ""), getattr(battle, "place", "")}
        return frozenset(told - {""})

    def has_lost(self, place: str) -> bool:
        """Whether a place was the reader's at the last report and is not now."""
        def is_own(campaign: Campaign) -> bool:
            rows = (campaign.by_sheet(sheet).get(place) for sheet in self.ruleset.named if campaign.has(sheet))
            row = next(filter(None, rows), None)
            return row is not None and not self._whose.isdisjoint(row.owners)

        before = self.period.previous
        return before is not None and is_own(before) and not is_own(self.view)

    def concerns(self, event: Event) -> bool:
        """Whether an event concerns the reader: about something that it has, of its battle, or told to it; but what
        strangers do before the eyes of several is news.
        """
        if self.names_own(event):
            return True
        battle = self.battle_of(event)
        if battle is not None and self.fights_in(battle):
            return True
        strangers = self.kind(event).category == "moves" or (battle is not None and all(battle.sides))
        return event.audience != ALL and (event.audience == self.faction or not strangers)

    def names_own(self, event: Event) -> bool:
        """Whether an event names the reader or something that it has."""
        return any(not self.own.isdisjoint(codes_in(value)) for value in event.data.values())

    def fights_in(self, battle: Battle) -> bool:
        """Whether the reader has a part in a battle."""
        return any(not self.own.isdisjoint(side) for side in battle.sides)

    def opponents(self, battle: Battle) -> tuple[str, ...]:
        """The codes of whom the reader fights in a battle; () where it has no part, or both."""
        mine = [not self.own.isdisjoint(side) for side in battle.sides]
        return battle.sides[mine.index(False)] if any(mine) and not all(mine) else ()

    def battle_title(self, battle: Battle) -> str:
        """A battle by its name, and against whom the reader fights in it."""
        name, others = self.wording.names.text(battle.battle), list(self.opponents(battle))
        if name == battle.battle and battle.node:  # without names the place tells it
            name = f"{name}, {self.place(battle.node)}"
        return self.wording.text(N_("{battle} against {x:the}"), battle=Verbatim(name), x=others) if others else name

    def node_of(self, event: Event) -> str:
        """The code of the place of an event, or ""."""
        node = event.data.get("node") or ""
        if not node and (battle := self.view.table(Battle).get(str(event.data.get("battle", "")))):
            node = battle.node
        return str(node)

    def whereabouts(self, event: Event) -> str:
        """The code of the place of an event, also if it names only a battle or a hex; "" for none."""
        battles, nodes = self.view.table(Battle), self.view.table(Node)
        values = [value for value in event.data.values() if isinstance(value, str)]
        fought = (battle.node for value in values if (battle := battles.get(value)) is not None)
        return self.node_of(event) or next(fought, "") or next((value for value in values if value in nodes), "")

    def place_by_name(self, event: Event, text: str) -> str:
        """The place of an event as shown, "" if the text already has its name."""
        node = self.whereabouts(event)
        row = self.view.table(Node).get(node)
        return "" if row is None or _names_place(row.name_in(self.lang), node, text) else self.place(node)

    def battle_of(self, event: Event) -> Battle | None:
        """The battle that an event tells of, if the reader knows it."""
        battles = self.view.table(Battle)
        return next((row for value in event.data.values() if isinstance(value, str)
                     and (row := battles.get(value)) is not None), None)

    def outcome(self, battle: Battle) -> str:
        """Who fought whom, and who won; "" before the result counts and where the view does not name both sides.

        Where nobody is hidden, a side without a name is the place itself, which defended itself.
        """
        a, b = battle.sides
        shown = [c for c in battle.columns() if c.name in battle.parties]
        if (a or b) and battle.node and all(c.see == "public" for c in shown):
            a, b = a or (battle.node,), b or (battle.node,)
        if battle.winner_side is None or not (a and b) or battle.battle not in self.wording.names.battles:
            return ""
        return self.wording.sentence(OUTCOMES[battle.winner_side],
                                     {"battle": battle.battle, "a": list(a), "b": list(b)})

    def how(self, event: Event) -> str:
        """How a battle ended, if its event says more than who won; the event says who won before a colon."""
        if not event.data.get("how") or event.data["how"] in WON:
            return ""
        return capital(self.wording.event(event).partition(": ")[2])

    def sentence(self, event: Event) -> str:
        """An event in words. The result of a battle says who fought whom, even where the event names one side only."""
        text = self.wording.event(event)
        kind = self.kind(event)
        if kind.weight or kind.category != "battles" or event.roll or (battle := self.battle_of(event)) is None:
            return text
        named = all(any(self.wording.names.text(code) in text for code in side) for side in battle.sides)
        if named or not any(word in event.data for word in ("winner", "outcome")):
            return text
        told = self.outcome(battle)
        return " ".join(filter(None, (told, self.how(event)))) if told else text

    def line(self, event: Event, *, with_place: bool = True) -> ReportLine:
        """An event as a line: place, sentence, rule, and the roll apart if the sentence ends in it."""
        text = self.sentence(event)
        roll = self.wording.roll(event.roll, self.kind(event).verdicts) if event.roll else ""
        if roll and text.rstrip(".").endswith(roll):
            text = text.rstrip(".").removesuffix(roll).rstrip(" :")
        elif roll in text:
            roll = ""
        place = self._place_before(event, text) if with_place else ""
        return ReportLine(
            one_minus(behind_colon(text) if place else text),
            place,
            self.wording.printed_chapter(event.rule),
            one_minus(roll),
            dice_signs(event.roll) if roll else "",
            self.mark(event),
            self._audience(event) if self.faction == REFEREE else "",
        )

    def _audience(self, event: Event) -> str:
        """Who may know of an event: everybody in words, clubs by their codes."""
        if event.audience == ALL:
            return self.wording.text(N_("for everybody"))
        return " ".join(self.wording.word(code) for code in event.audience.split())

    def _place_before(self, event: Event, text: str) -> str:
        """The place to put before a sentence, "" if the sentence names it."""
        node = self.node_of(event)
        row = self.view.table(Node).get(node)
        return "" if not node or _names_place("" if row is None else row.name_in(self.lang), node, text) else (
            self.place(node))


def _names_place(name: str, code: str, text: str) -> bool:
    return bool(name and name in text) or re.search(rf"\b{re.escape(code)}\b", text) is not None


def codes_in(value: Any) -> frozenset[str]:
    """The words of an event's parameter that may be codes."""
    if isinstance(value, str):
        return _words_of(value)
    if isinstance(value, list | tuple):
        return frozenset(code for entry in value for code in codes_in(entry))
    return frozenset()


@lru_cache(maxsize=65536)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(_CODES.findall(text))


def dice_signs(roll: dict[str, Any]) -> str:
    """Six-sided dice as signs, blank for other dice, many dice, or a typed total."""
    shown = [f for die in roll.get("rolls", [roll]) if str(die.get("dice", "")).endswith("d6")
             for f in die.get("faces", [])]
    return "".join(_FACES[f - 1] for f in shown if 1 <= f <= 6) if len(shown) <= 12 else ""
