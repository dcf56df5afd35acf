"""The page of the end: what all may know of a campaign that is over in; who has won, why, and the story out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Event, Faction
from assistant.colours import ink_on
from assistant.reporting.build import finished, head
from assistant.reporting.facts import LIGHTEST
from assistant.reporting.pages import Band, Cell, EndPage, Group, Line, Listing, ReportTable
from assistant.reporting.reader import GREY, Reader
from assistant.reporting.verdict import counting, verdict
from assistant.turn.ruleset import CATEGORIES, Ruleset
from assistant.turn.told import foremost_of_the_end
from assistant.wording import N_, Wording

GOLD = "#8a6414"
LINES = 10
"""So many lines tell the story."""


def build_end(ruleset: Ruleset, view: Campaign, wording: Wording) -> EndPage:
    """The page of a campaign that is over. `view`: of the faction "", so that nothing else can be told."""
    reader = Reader.of(ruleset, view, "", wording)
    _ = wording.text
    ending = ruleset.ending(reader.view)
    first, *more = verdict(ruleset, reader.view, wording)
    colours = [reader.colour(code) for code in ending.winners]
    colour = colours[0] if len(colours) == 1 and colours[0] != GREY else GOLD
    page = head(reader, "end", _("How the campaign ended"), GOLD, "")
    covers = page.covers if reader.period.events else _("It was over before its first phase.")
    told = {one.no for one in (*ending.verdict, *ending.counted, *foremost_of_the_end(reader.view, ruleset.events))
            if isinstance(one, Event)}
    page = replace(
        page, colour=colour, ink=ink_on(colour), for_whom=_("for everybody"), covers=covers, preheader=first,
        headings=replace(page.headings, dues=_("How it was counted"), news=_("The story")),
        band=Band(first, tuple(more)), dues=counting(ending, wording),
        tables=figures_table(reader, _("How all stood at the end"), ending.rows),
        news=story(reader, [e for e in reader.period.events if e.no not in told]))
    named = {name: getattr(page, name) for name in page.__dataclass_fields__}
    return finished(EndPage(**named, winners=tuple(ending.winners)))


# --- the table ---------------------------------------------------------------------------------------
def figures_table(reader: Reader, title: str, rows: Iterable[Mapping[str, Any]]) -> tuple[ReportTable, ...]:
    """The figures that the book compares, as the ruleset gives them, a row a faction; none, no table."""
    listed = list(rows)
    if not listed:
        return ()
    names = list(listed[0])
    numeric = tuple(all(_is_number(row.get(name)) for row in listed) for name in names)
    headings = tuple(reader.wording.text(N_("Faction")) if name == "faction" else _capital(reader.wording.figure(name))
                     for name in names)
    made = tuple(tuple(_value(reader, row.get(name)) for name in names) for row in listed)
    return (ReportTable(title, headings, numeric, Listing(made)),)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _capital(word: str) -> str:
    """A word of the catalogue as a heading."""
    return word[:1].upper() + word[1:].replace("_", " ")


def _value(reader: Reader, value: Any) -> Cell:
    """A figure of the standings as a cell: numbers grouped, factions by name in their colour, words translated."""
    if isinstance(value, bool):
        return Cell(reader.wording.word("yes" if value else "no"))
    if isinstance(value, int):
        return reader.number(value)
    text = str(value) if value is not None else ""
    if reader.view.table(Faction).get(text) is None:
        return Cell(reader.wording.word(text) if text else "–")
    colour = reader.colour(text)
    return Cell(reader.faction_name(text), colour="" if colour == GREY else colour)


# --- the story ---------------------------------------------------------------------------------------
def story(reader: Reader, events: Iterable[Event]) -> tuple[Group, ...]:
    """The weightiest of what all may know, one or two events a turn and `LINES` in all, turn by turn.

    Of more turns than there are lines some are told together: of each run of turns the weightiest event.
    """
    turns: dict[str, list[Event]] = {}
    for event in events:
        if event.audience == ALL and event.event in reader.ruleset.events and reader.kind(event).weight <= LIGHTEST:
            turns.setdefault(event.turn, []).append(event)
    runs = _runs(list(turns.values()))
    chosen = [_weightiest(reader, run) for run in runs]
    seconds = [_weightiest(reader, [e for e in run if _is_other(reader, e, first)])
               for run, first in zip(runs, chosen, strict=True)] if len(turns) == len(runs) else []
    rest = sorted((e for e in seconds if e is not None), key=lambda e: _weight(reader, e))
    kept = [e for e in chosen if e is not None] + rest[:LINES - len(chosen)]
    told: dict[str, list[Event]] = {}
    for event in sorted(kept, key=lambda e: e.no):
        told.setdefault(event.turn, []).append(event)
    return tuple(Group(_capital(reader.ruleset.turn_name(turn, reader.lang)),
                       Listing(tuple(_line(reader, e) for e in of_turn)))
                 for turn, of_turn in told.items())


def _line(reader: Reader, event: Event) -> Line:
    """An event with its place by name and its phase: its turn stands above it."""
    line = reader.line(event)
    when = reader.ruleset.phase_word(event.phase, reader.lang).split(":")[0]
    return replace(line, place=reader.place_by_name(event, line.text), when=when)


def _runs(turns: list[list[Event]]) -> list[list[Event]]:
    """The events of at most `LINES` runs of turns that are as long as each other."""
    count = min(len(turns), LINES)
    return [[event for turn in turns[len(turns) * n // count:len(turns) * (n + 1) // count] for event in turn]
            for n in range(count)]


def _weight(reader: Reader, event: Event) -> tuple[int, int, int]:
    kind = reader.kind(event)
    rank = CATEGORIES.index(kind.category) if kind.category in CATEGORIES else len(CATEGORIES)
    return kind.weight, rank, event.no


def _weightiest(reader: Reader, events: list[Event]) -> Event | None:
    return min(events, key=lambda e: _weight(reader, e), default=None)


def _is_other(reader: Reader, event: Event, first: Event | None) -> bool:
    """Whether an event tells of something else than the first of its turn: another kind, and elsewhere."""
    if first is None or event.event == first.event:
        return False
    node = reader.whereabouts(event)
    return not node or node != reader.whereabouts(first)
