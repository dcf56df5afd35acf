"""What happened: events by category, battles and sieges with their reasons, public news."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assistant.campaign.records import Event
from assistant.reporting.clean import clean
from assistant.reporting.pages import Card, Group, Line, Listing
from assistant.reporting.reader import Reader
from assistant.turn.ruleset import CATEGORIES, EventType
from assistant.wording import N_

CATEGORY_TITLES = {
    "battles": N_("Battles"), "sieges": N_("Sieges"), "moves": N_("Marches and meetings"), "money": N_("Money"),
    "supply": N_("Food and convoys"), "diplomacy": N_("Diplomacy"), "works": N_("Works and garrisons"),
    "sea": N_("At sea"),
    "rulings": N_("Rulings"), "news": N_("Other news"),
}
IN_CARDS = ("battles", "sieges")
NEWS_ROWS = 12
LIGHTEST = EventType("", "").weight
"""What weighs less, by the number that an event is declared with, is no story: larger numbers are lighter."""


def is_fight(reader: Reader, event: Event) -> bool:
    """Whether an event belongs to the card of a place: battles, sieges, and the throws that decided them."""
    category = reader.kind(event).category
    decided = category in IN_CARDS or (category == "rulings" and bool(event.roll))
    return decided and bool(reader.node_of(event))


def groups(reader: Reader, events: Iterable[Event], rows: int) -> tuple[Group, ...]:
    """Events by category, the category that matters most first; inside it as they happened; no empty categories."""
    by_category: dict[str, list[Event]] = {}
    for event in events:
        by_category.setdefault(reader.kind(event).category, []).append(event)
    titles = {**CATEGORY_TITLES, **reader.ruleset.categories}
    ordered = sorted(by_category.items(),
                     key=lambda one: (min(reader.kind(e).weight for e in one[1]), category_rank(reader, one[0])))
    return tuple(Group(reader.wording.text(titles.get(category, category)),
                       lines(reader, found, rows))
                 for category, found in ordered)


def foremost(reader: Reader, events: Iterable[Event], count: int) -> list[str]:
    """The sentences of the events that matter most, one a place, for the line in the inbox."""
    ordered = sorted(events, key=lambda e: (
        reader.kind(e).weight, category_rank(reader, reader.kind(e).category), e.no))
    first_of_place: dict[str, Event] = {}
    for event in ordered:
        first_of_place.setdefault(reader.node_of(event) or str(event.no), event)
    return [clean(reader.line(event).text).rstrip(".") for event in list(first_of_place.values())[:count]]


def lines(reader: Reader, events: list[Event], rows: int) -> Listing[Line]:
    """Events as lines, as they happened, cut where there are too many; only what is shown is worded."""
    more = reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(Event))
    return Listing(tuple(_told(reader, events, rows)), max(len(events) - rows, 0), more)


def _told(reader: Reader, events: list[Event], rows: int, *, with_place: bool = True) -> list[Line]:
    """The events that matter most, at most `rows`, as they happened; the gravest are marked among lighter ones."""
    weights = {reader.kind(e).weight for e in events}
    kept = sorted(events, key=lambda e: (reader.kind(e).weight, e.no))[:rows]
    return [replace(reader.line(e, with_place=with_place),
                    grave=len(weights) > 1 and reader.kind(e).weight == min(weights))
            for e in sorted(kept, key=lambda e: e.no)]


def title_of_cards(reader: Reader) -> str:
    """The heading of the cards, by what the book tells of."""
    sieges = any(event.category == "sieges" for event in reader.ruleset.events.values())
    return reader.wording.text(N_("Battles and sieges") if sieges else N_("Battles"))


def cards(reader: Reader, events: Iterable[Event]) -> Listing[Card]:
    """Battles and sieges place by place, the place whose affair matters most first."""
    by_place: dict[str, list[Event]] = {}
    for event in events:
        by_place.setdefault(reader.node_of(event), []).append(event)
    ordered = sorted(by_place.items(), key=lambda one: (min(reader.kind(e).weight for e in one[1]), one[1][0].no))
    made = tuple(_card(reader, node, found) for node, found in ordered[:reader.rows])
    more = reader.wording.text(N_("and {n} more {n?place|places} on the sheet {sheet}"), sheet=reader.sheet(Event))
    return Listing(made, max(len(ordered) - reader.rows, 0), more)


def _card(reader: Reader, node: str, events: list[Event]) -> Card:
    return Card(reader.place(node), tuple(_told(reader, events, reader.rows, with_place=False)))


def category_rank(reader: Reader, category: str) -> int:
    """The place of a category: a book's own go before those of the house."""
    known = (*reader.ruleset.categories, *CATEGORIES)
    return known.index(category) if category in known else len(known)
