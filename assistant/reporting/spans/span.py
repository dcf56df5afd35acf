"""A page and the events of many rounds in; the page that begins with five lines and goes by month out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

from assistant.campaign.records import Event
from assistant.reporting.facts import category_rank
from assistant.reporting.pages import Group, Line, Listing, Orders, ReportPage, SpanPage
from assistant.reporting.reader import Reader
from assistant.reporting.spans.chapters import chapters, is_throw, outcomes, sentence, title_of

ROUNDS = 3
"""From so many rounds of orders on a report goes by month."""
LINES = 5
"""So many lines say what it all came to."""
SHORT = 120
"""What is longer than so many signs is no line."""
ALIKE = 2
"""So many of them may be of one theme before the next theme has its turn."""


def is_long(reader: Reader) -> bool:
    """Whether a reader's report tells of so many rounds that it goes by month."""
    return reader.rounds >= ROUNDS


def over_a_span(reader: Reader, page: ReportPage, own: Iterable[Event] | None = None) -> SpanPage:
    """The same page with its events in chapters and five lines before them.

    `own`: what is the reader's own affair, all else being news; None: there is no such difference.
    """
    _ = reader.wording.text
    events = list(reader.period.events)
    mine = None if own is None else {event.no for event in own}
    lines = _brief(reader, events, mine)
    named = {name: getattr(page, name) for name in page.__dataclass_fields__}
    named |= {"happened": (), "battles": Listing(), "news": (), "orders": _each_once(page.orders),
              "preheader": " · ".join(line.text.rstrip(".") for line in lines[:3]) or page.covers}
    return SpanPage(
        **named, brief=Group(_("In five lines"), Listing(lines)), chapters=chapters(reader, events, mine),
        throws=_("Dice and what they decided"),
        printed=_("Folded parts are printed if they were opened before. The workbook and the text form of this report"
                  " hold all of it."))


def _each_once(orders: Orders | None) -> Orders | None:
    """What is said of orders with each remark once: in a long time the same is said again and again."""
    if orders is None:
        return None
    said = Counter(orders.remarks.items)
    told = tuple(replace(one, row=f"{one.row} (×{n})") if n > 1 else one for one, n in said.items())
    return replace(orders, remarks=replace(orders.remarks, items=told))


# --- five lines -------------------------------------------------------------------------------------------
def _brief(reader: Reader, events: list[Event], own: Collection[int] | None) -> tuple[Line, ...]:
    """What mattered most, as it happened: what it came to for the reader in the book's own sentences goes first."""
    first = [line for group in ([] if own is None else outcomes(reader, events)) for line in group.lines.items]
    first = first[-ALIKE:]
    chosen = _foremost(reader, [e for e in events if not is_throw(reader, e)], own, LINES - len(first))
    return (*first, *(_dated(reader, e) for e in sorted(chosen, key=lambda e: e.no)))


def _dated(reader: Reader, event: Event) -> Line:
    line = sentence(reader, event)
    return replace(line, place=reader.place_by_name(event, line.text), when=title_of(reader, event))


def _foremost(reader: Reader, events: list[Event], own: Collection[int] | None, count: int) -> list[Event]:
    """The weightiest events, at most one of a place and not all of one theme; the news of others weigh less.

    Of a place it is how its affair ended, and places of which more is told go first.
    """
    stories = Counter(reader.whereabouts(e) for e in events)
    chosen: list[Event] = []

    def weighed(event: Event) -> tuple[int, ...]:
        kind, place = reader.kind(event), reader.whereabouts(event)
        alike = sum(reader.kind(one).category == kind.category for one in chosen)
        return (kind.weight + (own is not None and event.no not in own), alike // ALIKE,
                category_rank(reader, kind.category), -stories[place] if place else 0, -event.no)

    left = list(events)
    while left and len(chosen) < count:
        best = min(left, key=weighed)
        left.remove(best)
        if len(sentence(reader, best).text) > SHORT:
            continue
        chosen.append(best)
        if place := reader.whereabouts(best):
            left = [e for e in left if reader.whereabouts(e) != place]
    return chosen
