"""Which one counts: opened arrivals in; of each faction its newest copy and the lines since out, the others named.

A copy stands for its club: whatever came before it counts no more. Lines speak of themselves alone: they are added to
what came before them, each mail's or file's behind the one before (decision 31).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Order, Question
from assistant.desk import codes
from assistant.desk.collecting.arriving import MINUTE
from assistant.desk.collecting.opening_copies import Opened
from assistant.desk.collecting.remembered import Kept, Memory
from assistant.desk.intake.incoming import whose
from assistant.desk.intake.merging import content
from assistant.turn.findings import Finding
from assistant.turn.rows.misfits import is_emptied
from assistant.wording import Verbatim

Kind = Literal["orders", "answers"]


@dataclass
class Part:
    """What came in one piece for a faction, of one kind. `rows`: in the order in which they stand there."""

    faction: str
    kind: Kind
    at: int
    opened: list[Opened]
    rows: list[Record] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is called: the file, or the mail with all that it brings."""
        return names_of([self])

    @property
    def when(self) -> str:
        """When it came."""
        return self.opened[0].arrival.when

    @property
    def by_mail(self) -> dict[str, str]:
        """What is said beside of a part that came by mail: there is no file to be taken by itself."""
        return {"mail": "yes"} if self.opened[0].arrival.together else {}

    @property
    def sent(self) -> frozenset[str]:
        """The orders that stood in it as it was sent out."""
        return frozenset(number for one in self.opened for number in one.sent.numbers)

    @property
    def is_form(self) -> bool:
        """Whether it is a copy, in which what is missing was taken out."""
        return any(one.reading is not None for one in self.opened)

    @property
    def stands(self) -> bool:
        """Whether it stands for its club: a copy, or lines that take back all that was ordered before."""
        return self.is_form or (self.kind == "orders" and any(one.instead for one in self.opened))

    @property
    def numbered(self) -> frozenset[str]:
        """The orders in it that came without a number."""
        return frozenset(number for one in self.opened for number in one.numbered)

    @property
    def offered(self) -> frozenset[str]:
        """The rows of Questions in which a copy lets its club report on a battle."""
        return frozenset(key for one in self.opened if one.incoming is not None for key in one.incoming.offered)

    @property
    def said(self) -> str:
        """What tells what it says from anything else."""
        rows = [(row.ident, row.answer.strip()) if isinstance(row, Question) else
                (row.order, "") if is_emptied(row) else content(row)
                for row in self.rows if isinstance(row, (Order, Question))]
        told = repr(("instead", rows) if self.stands and not self.is_form else rows)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def names_of(parts: Iterable[Part]) -> str:
    """What parts are called together: each file and mail once."""
    return ", ".join(dict.fromkeys(one.arrival.name for part in parts for one in part.opened))


@dataclass
class Chosen:
    """What counts (`parts`, of each faction in the order in which they came), two that nobody can tell apart
    (`rivals`), and what is to be said of the others.
    """

    parts: list[Part] = field(default_factory=list)
    rivals: list[tuple[Part, Part]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def choose(opened: Iterable[Opened], campaign: Campaign, memory: Memory, book: str) -> Chosen:
    """Of each faction the newest copy that came, and the lines since. `memory`: what was collected before; `book`: the
    workbook's name.
    """
    chosen = Chosen()
    groups: dict[tuple[str, Kind], list[Part]] = {}
    for part in _parts(opened, campaign):
        groups.setdefault((part.faction, part.kind), []).append(part)
    for (faction, kind), parts in sorted(groups.items(), key=lambda one: one[0]):
        parts.sort(key=lambda part: (part.at, part.name))
        counting = _since_the_last_copy(parts, memory.last(faction, kind), chosen, book)
        apart = _apart(counting, chosen)
        chosen.parts += _each_once([part for part in counting if part not in apart], chosen)
    older = {(one.data["file"], one.data["other"]) for one in chosen.findings if one.code == codes.OLDER}
    chosen.findings = [one for one in chosen.findings if one.code != codes.DOUBLED
                       or (one.data["file"], one.data["other"]) not in older]
    return chosen


def _since_the_last_copy(parts: Sequence[Part], last: Kept | None, chosen: Chosen, book: str) -> list[Part]:
    """The newest that stands for its club, and the lines behind it; of all before it is said that it is older.

    `last`: what was collected before and stood for its club.
    """
    said = any(part.rows for part in parts)
    for place in reversed(range(len(parts))):
        newest = parts[place]
        if not newest.stands:
            continue
        if last is not None and newest.said != last.said and newest.at < last.at:
            break  # older than what counts already
        before = parts[:place] if said else ()
        near = [one for one in before if one.said != newest.said and newest.at - one.at < MINUTE]
        for one in (one for one in before if one not in near):
            chosen.findings.append(codes.finding(codes.DOUBLED, file=one.name, other=newest.name)
                                   if one.said == newest.said else _older(one, newest.name, book))
        return [*near, *parts[place:]]
    if last is None:
        return list(parts)
    early = [part for part in parts if part.at < last.at]
    chosen.findings += [_older(one, last.name, book) for one in early if said]
    return [part for part in parts if part not in early]


def _apart(parts: Sequence[Part], chosen: Chosen) -> list[Part]:
    """Those that differ and came within one minute: nobody can say which counts, and none is taken."""
    found: list[Part] = []
    for one, other in pairwise(parts):
        if one.said != other.said and other.at - one.at < MINUTE:
            chosen.rivals.append((one, other))
            chosen.findings.append(codes.finding(codes.SAME_MINUTE, faction=one.faction, file=one.name,
                                                 other=other.name, when=Verbatim(other.when), **other.by_mail))
            found += [one, other]
    return found


def _each_once(parts: Sequence[Part], chosen: Chosen) -> list[Part]:
    """Without those after which one comes that says the same."""
    found: list[Part] = []
    for one in parts:
        if found and found[-1].said == one.said:
            chosen.findings.append(codes.finding(codes.DOUBLED, file=found[-1].name, other=one.name))
            if not one.stands:
                continue
            found.pop()
        found.append(one)
    return found


def _older(one: Part, other: str, book: str) -> Finding:
    return codes.finding(codes.OLDER, file=one.name, when=Verbatim(one.when), other=other, faction=one.faction,
                         book=book, **one.by_mail)


def _parts(opened: Iterable[Opened], campaign: Campaign) -> Iterator[Part]:
    """What each arrival brings, by faction and kind; what came in one piece is one, a copy before lines."""
    found: dict[tuple[str, Kind, str], Part] = {}
    for one in sorted(opened, key=lambda one: one.reading is None):
        if one.incoming is None or one.untouched:
            continue
        rows: list[tuple[str, Kind, Record]] = [
            *((one.club or whose(row, campaign), "orders", row) for row in one.incoming.orders),
            *((one.club or row.to, "answers", row) for row in one.incoming.answers)]
        kinds: list[tuple[str, Kind]] = [(one.club, "orders"), (one.club, "answers")] if one.reading else [
            (one.club, "orders")] if one.instead else []
        for faction, kind in dict.fromkeys([*kinds, *((faction, kind) for faction, kind, _ in rows)]):
            part = found.setdefault((faction, kind, one.arrival.piece), Part(faction, kind, one.arrival.at, []))
            part.opened.append(one)
            part.rows += [row for whom, what, row in rows if (whom, what) == (faction, kind)]
    yield from found.values()
