"""Entries in; the page that lists them out, the newest first: all for the referee, or what one club may know of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from assistant.colours import ink_on
from assistant.reporting.pages import Cell
from assistant.reporting.shelf.entries import PUBLIC, Entry
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Wording

PARCHMENT = "#5a4630"
FORMS = {"html": N_("page"), "whole": N_("uncut"), "txt": N_("text"), "json": N_("data"), "chat": N_("chat")}
LANGUAGES = {"it": N_("Italian"), "en": N_("English")}
ORDER = ("end", "gazette", "referee", "faction")


@dataclass(frozen=True)
class Link:
    """A file of a report. `label`; `href`; `size` in words."""

    label: str
    href: str
    size: str


@dataclass(frozen=True)
class Row:
    """A report: whose, in which language, its files. `covers`: the time told of, "" where it is the shelf's."""

    name: Cell
    covers: str
    lang: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Shelf:
    """The reports of one moment. `title`; `covers`: the time of which most of them tell."""

    title: str
    covers: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class IndexPage:
    """An index. `lang`, `name`, `campaign`, `for_whom`, `colour`, `ink`: its head; `headings`: of the three columns;
    `published`: it is a site's.
    """

    lang: str
    name: str
    campaign: str
    for_whom: str
    colour: str
    ink: str
    headings: tuple[str, str, str]
    older: str
    shelves: tuple[Shelf, ...]
    published: bool = False


def whose(entries: Iterable[Entry]) -> set[str]:
    """The factions of which there are reports."""
    return {one.faction for one in entries if one.kind == "faction"}


def for_club(entries: Iterable[Entry], faction: str) -> list[Entry]:
    """What an index that goes to a club may name: its own reports and those for everybody."""
    return [one for one in entries if one.kind in PUBLIC or (one.kind == "faction" and one.faction == faction)]


def build_index(ruleset: Ruleset, entries: list[Entry], wording: Wording) -> IndexPage:
    """The index of these reports, of which there is at least one; it says whether it is for one club only."""
    _ = wording.text
    listed = sorted(entries, key=lambda one: _age(ruleset, one), reverse=True)
    clubs = whose(listed)
    own = next((one for one in listed if one.kind == "faction"), None)
    only = own is not None and len(clubs) == 1 and all(one.kind in (*PUBLIC, "faction") for one in listed)
    name, colour = (own.name, own.colour) if own is not None and only else (_("Reports"), PARCHMENT)
    whom = _("for your eyes only") if only else _("for everybody") if not clubs else _(
        "for the referee only: it names every club's reports")
    colour = colour if re.fullmatch("#[0-9A-Fa-f]{6}", colour) else PARCHMENT
    found: dict[tuple[str, str], list[Entry]] = {}
    for one in listed:
        found.setdefault((one.turn, one.phase), []).append(one)
    return IndexPage(wording.lang, name, listed[0].campaign, whom, colour, ink_on(colour),
                     (_("Report"), _("Language"), _("Files")), _("Older reports"),
                     tuple(_shelf(told, wording) for told in found.values()))


def _age(ruleset: Ruleset, one: Entry) -> tuple[object, int]:
    phases = list(ruleset.calendar.phases())
    return (ruleset.calendar.turns.key(one.turn), phases.index(one.phase) if one.phase in phases else len(phases))


def _rank(one: Entry) -> tuple[int, str, str]:
    return (ORDER.index(one.kind) if one.kind in ORDER else len(ORDER), one.name, one.stem)


def _shelf(entries: list[Entry], wording: Wording) -> Shelf:
    told = sorted(entries, key=_rank)
    moments = Counter(one.moment for one in told)  # the words of several languages
    title = wording.text(N_("Written at: {moment}"), moment=moments.most_common(1)[0][0])
    covers = Counter(one.covers for one in told).most_common(1)[0][0]
    return Shelf(title, covers, tuple(_row(one, covers, wording) for one in told))


def _row(one: Entry, covers: str, wording: Wording) -> Row:
    links = tuple(Link(wording.text(FORMS[form]), quote(one.path(form)), _size(one.sizes[form], wording))
                  for form in FORMS if form in one.sizes)
    return Row(Cell(one.name, colour=one.colour if one.kind == "faction" else ""),
               one.covers if one.covers != covers else "",
               wording.text(LANGUAGES.get(one.lang, one.lang)), links)


def _size(size: int, wording: Wording) -> str:
    return wording.text(N_("{n} KB"), n=wording.number(max(round(size / 1000), 1)))
