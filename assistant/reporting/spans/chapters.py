"""The events of a long time in; chapters by month out, in each its themes, and its dice apart from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import replace

from assistant.campaign.records import Event
from assistant.reporting.facts import CATEGORY_TITLES, LIGHTEST, category_rank
from assistant.reporting.pages import Chapter, Group, Line, Listing, left_out
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
    return reader.ruleset.calendar.chapter(event.turn, event.phase, reader.lang)


def _heading(reader: Reader, turn: str, month: str, several: bool) -> str:
    name = reader.ruleset.turn_name(turn, reader.lang)
    if not month:
        return name
    return f"{name}, {month}" if several else month


def _chapter(reader: Reader, title: str, events: list[Event], own: Container[int] | None) -> Chapter:
    story = [e for e in events if reader.kind(e).weight <= LIGHTEST and not is_throw(reader, e)]
    mine = [e for e in story if own is None or e.no in own]
    themes = _themes(reader, mine)
    news = _weightiest(reader, [e for e in story if own is not None and e.no not in own], NEWS)
    groups = [*([] if own is None else outcomes(reader, events)), *(_group(reader, *one) for one in themes.items())]
    if news:
        groups.append(Group(reader.wording.text(N_("Public news")), _lines(reader, news)))
    told = len(news) + sum(map(len, themes.values()))
    throws = [reader.line(e) for e in events if e.roll and (own is None or e.no in own)]
    return Chapter(title[:1].upper() + title[1:], tuple(groups), _more(reader, events, told),
                   Listing(tuple(replace(one, when="") for one in throws if one.roll), 0, _sheet(reader)))


# --- what a chapter tells ---------------------------------------------------------------------------------
def outcomes(reader: Reader, events: list[Event]) -> list[Group]:
    """What events came to for the reader, in sentences of the book's own; no group without any."""
    said = reader.ruleset.outcomes(reader.view, reader.faction, events)
    lines = dict.fromkeys(reader.wording.text(one.text, **one.data) for one in said)
    return [Group(reader.wording.text(N_("How it went")), Listing(tuple(map(Line, lines))))] if lines else []


def _themes(reader: Reader, events: list[Event]) -> dict[str, list[Event]]:
    """The weightiest events of each theme, the themes always in the same order."""
    found: dict[str, list[Event]] = {}
    for event in events:
        found.setdefault(reader.kind(event).category, []).append(event)
    return {name: _weightiest(reader, found[name], LINES)
            for name in sorted(found, key=lambda name: category_rank(reader, name))}


def _group(reader: Reader, theme: str, events: list[Event]) -> Group:
    titles = {**CATEGORY_TITLES, **reader.ruleset.categories}
    return Group(reader.wording.text(titles.get(theme, theme)), _lines(reader, events))


def _weightiest(reader: Reader, events: list[Event], rows: int) -> list[Event]:
    """At most so many events, those that matter most, as they happened."""
    kept = sorted(events, key=lambda e: (reader.kind(e).weight, e.no))[:rows]
    return sorted(kept, key=lambda e: e.no)


def _lines(reader: Reader, events: list[Event]) -> Listing[Line]:
    """Each sentence once, with how often it holds."""
    said = Counter(sentence(reader, e) for e in events)
    return Listing(tuple(replace(line, text=f"{line.text} (×{n})") if n > 1 else line for line, n in said.items()), 0,
                   _sheet(reader))


def _more(reader: Reader, events: list[Event], told: int) -> str:
    """How many events of a chapter stand nowhere on the page, throws aside."""
    left = sum(not is_throw(reader, e) for e in events) - told
    return left_out(_sheet(reader), left)


def _sheet(reader: Reader) -> str:
    return reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(Event))


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
        said = line.text.rstrip(".:")
        line = replace(line, text=line.text if not came_to or said.endswith(f" {came_to}") else f"{said}: {came_to}.")
    return replace(line, roll="", faces="", rule="", when="")
