"""The events of a long time in; chapters by month out, in each its themes, and its dice apart from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container
from dataclasses import replace

from assistant.campaign.records import Event
from assistant.reporting.facts import CATEGORY_TITLES, category_rank
from assistant.reporting.pages import Chapter, Group, Line, Listing
from assistant.reporting.reader import Reader
from assistant.wording import N_

MOST = 16
"""Into so many chapters a report is parted at most: where its months are more, each turn is one."""
LINES = 15
"""So many lines a theme has in a chapter ..."""
NEWS = 6
"""... and the news of others."""


def chapters(reader: Reader, events: list[Event], own: Container[int] | None) -> tuple[Chapter, ...]:
    """Chapter by chapter what happened; `own`: numbers of the events that are no mere news, None: all of them."""
    by_turn = len({(e.turn, _month(reader, e)) for e in events}) > MOST
    found: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        found.setdefault((event.turn, "" if by_turn else _month(reader, event)), []).append(event)
    several = len({turn for turn, _ in found}) > 1
    return tuple(_chapter(reader, _heading(reader, turn, month, several), told, own)
                 for (turn, month), told in found.items())


def title_of(reader: Reader, event: Event) -> str:
    """When an event happened, as its chapter is headed; with its turn where several turns are told of."""
    several = len({turn for turn, _ in reader.period.moments}) > 1
    return _heading(reader, event.turn, _month(reader, event), several)


def _month(reader: Reader, event: Event) -> str:
    return reader.ruleset.chapter(event.turn, event.phase, reader.lang)


def _heading(reader: Reader, turn: str, month: str, several: bool) -> str:
    name = reader.ruleset.turn_name(turn, reader.lang)
    if month in ("", name):
        return name
    return f"{name}, {month}" if several else month


def _chapter(reader: Reader, title: str, events: list[Event], own: Container[int] | None) -> Chapter:
    mine = [e for e in events if own is None or e.no in own]
    news = [e for e in events if own is not None and e.no not in own and not is_throw(reader, e)]
    groups = [*([] if own is None else outcomes(reader, events)), *_themes(reader, mine), *_news(reader, news)]
    throws = tuple(reader.line(e) for e in mine if e.roll)
    return Chapter(title[:1].upper() + title[1:], tuple(groups),
                   Listing(tuple(replace(one, when="") for one in throws if one.roll), 0, _more(reader)))


# --- what a chapter tells ---------------------------------------------------------------------------------
def outcomes(reader: Reader, events: list[Event]) -> list[Group]:
    """What events came to for the reader, in sentences of the book's own; no group without any."""
    said = reader.ruleset.outcomes(reader.view, reader.faction, events)
    lines = dict.fromkeys(reader.wording.text(one.text, **one.data) for one in said)
    return [Group(reader.wording.text(N_("How it went")), Listing(tuple(map(Line, lines))))] if lines else []


def _themes(reader: Reader, events: list[Event]) -> list[Group]:
    """Theme by theme, always in the same order; a mere throw is no theme's."""
    titles = {**CATEGORY_TITLES, **reader.ruleset.categories}
    found: dict[str, list[Event]] = {}
    for event in events:
        if not is_throw(reader, event):
            found.setdefault(reader.kind(event).category, []).append(event)
    return [Group(reader.wording.text(titles.get(name, name)), _listed(reader, found[name], LINES))
            for name in sorted(found, key=lambda name: category_rank(reader, name))]


def _news(reader: Reader, events: list[Event]) -> list[Group]:
    return [Group(reader.wording.text(N_("Public news")), _listed(reader, events, NEWS))] if events else []


def _listed(reader: Reader, events: Collection[Event], rows: int) -> Listing[Line]:
    """The weightiest events as they happened, each sentence once, with how often it holds."""
    kept = sorted(sorted(events, key=lambda e: (reader.kind(e).weight, e.no))[:rows], key=lambda e: e.no)
    lines = Counter(sentence(reader, e) for e in kept)
    told = tuple(replace(line, text=f"{line.text} (×{n})") if n > 1 else line for line, n in lines.items())
    return Listing(told, max(len(events) - rows, 0), _more(reader))


def _more(reader: Reader) -> str:
    return reader.wording.text(N_("and {n} more on the sheet {sheet}"), n="{n}", sheet=reader.sheet(Event))


# --- sentences --------------------------------------------------------------------------------------------
def is_throw(reader: Reader, event: Event) -> bool:
    """Whether an event tells of dice and nothing else: what they brought is told by others."""
    return bool(event.roll) and reader.kind(event).category == "rulings"


def sentence(reader: Reader, event: Event) -> Line:
    """An event without its dice, chapter and moment; where it ended in them it ends in what they came to."""
    line = reader.line(event)
    whole = reader.wording.event(event)
    if line.roll and len(line.text) < len(whole.rstrip(".")):
        came_to = reader.wording.verdict(event.roll, reader.kind(event).verdicts)
        line = replace(line, text=f"{line.text.rstrip('.:')}: {came_to}." if came_to else line.text)
    return replace(line, roll="", faces="", rule="", when="")
