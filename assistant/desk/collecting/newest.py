"""Which one counts: opened arrivals in; for each faction the newest of its orders and answers out, the others named."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Order, Question
from assistant.dataclass import dataclass
from assistant.desk import codes
from assistant.desk.collecting.arriving import MINUTE
from assistant.desk.collecting.opening_copies import Opened
from assistant.desk.collecting.remembered import Memory
from assistant.desk.intake.incoming import whose
from assistant.desk.intake.merging import content
from assistant.turn.findings import Finding
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
        return ", ".join(dict.fromkeys(one.arrival.name for one in self.opened))

    @property
    def when(self) -> str:
        """When it came."""
        return self.opened[0].arrival.when

    @property
    def sent(self) -> frozenset[str]:
        """The orders that stood in it as it was sent out."""
        return frozenset(number for one in self.opened for number in one.sent.numbers)

    @property
    def is_form(self) -> bool:
        """Whether it is a copy, in which what is missing was taken out."""
        return any(one.reading is not None for one in self.opened)

    @property
    def numbered(self) -> frozenset[str]:
        """The orders in it that came without a number."""
        return frozenset(number for one in self.opened for number in one.numbered)

    @property
    def said(self) -> str:
        """What tells what it says from anything else."""
        rows = [content(row) if isinstance(row, Order) else (row.ident, row.answer.strip())
                for row in self.rows if isinstance(row, (Order, Question))]
        return hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass
class Chosen:
    """What counts (`parts`), two that nobody can tell apart (`rivals`), and what is to be said of the others."""

    parts: list[Part] = field(default_factory=list)
    rivals: list[tuple[Part, Part]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def choose(opened: Iterable[Opened], campaign: Campaign, memory: Memory, book: str) -> Chosen:
    """Of each faction the newest that came. `memory`: what was collected before; `book`: the workbook's name."""
    chosen = Chosen()
    groups: dict[tuple[str, Kind], list[Part]] = {}
    for part in _parts(opened, campaign):
        groups.setdefault((part.faction, part.kind), []).append(part)
    for (faction, kind), parts in sorted(groups.items(), key=lambda one: one[0]):
        parts.sort(key=lambda part: (part.at, part.name))
        newest, said = parts[-1], parts[-1].said
        last = memory.last.get((faction, kind))
        rival = next((one for one in parts if one.said != said and newest.at - one.at < MINUTE), None)
        if last is not None and said != last.said and newest.at < last.at:
            chosen.findings += [_older(one, last.name, book) for one in parts]
        elif rival is not None:
            chosen.rivals.append((rival, newest))
            chosen.findings.append(codes.finding(codes.SAME_MINUTE, faction=faction, file=rival.name, other=newest.name,
                                                 when=Verbatim(newest.when)))
        else:
            chosen.parts.append(newest)
            chosen.findings += _others(parts, newest, said, book)
    older = {(one.data["file"], one.data["other"]) for one in chosen.findings if one.code == codes.OLDER}
    chosen.findings = [one for one in chosen.findings if one.code != codes.DOUBLED
                       or (one.data["file"], one.data["other"]) not in older]
    return chosen


def _others(parts: Sequence[Part], newest: Part, said: str, book: str) -> Iterator[Finding]:
    """What is said of those that do not count beside the newest."""
    for one in parts[:-1] if any(part.rows for part in parts) else ():
        yield codes.finding(codes.DOUBLED, file=one.name, other=newest.name) if one.said == said else _older(
            one, newest.name, book)


def _older(one: Part, other: str, book: str) -> Finding:
    return codes.finding(codes.OLDER, file=one.name, when=Verbatim(one.when), other=other, faction=one.faction,
                         book=book)


def _parts(opened: Iterable[Opened], campaign: Campaign) -> Iterator[Part]:
    """What each arrival brings, by faction and kind; what came in one piece is one, a copy before lines."""
    found: dict[tuple[str, Kind, str], Part] = {}
    for one in sorted(opened, key=lambda one: one.reading is None):
        if one.incoming is None or one.untouched:
            continue
        rows: list[tuple[str, Kind, Record]] = [
            *((one.club or whose(row, campaign), "orders", row) for row in one.incoming.orders),
            *((one.club or row.to, "answers", row) for row in one.incoming.answers)]
        kinds: list[tuple[str, Kind]] = [(one.club, "orders"), (one.club, "answers")] if one.reading else []
        for faction, kind in dict.fromkeys([*kinds, *((faction, kind) for faction, kind, _ in rows)]):
            part = found.setdefault((faction, kind, one.arrival.piece), Part(faction, kind, one.arrival.at, []))
            part.opened.append(one)
            part.rows += [row for whom, what, row in rows if (whom, what) == (faction, kind)]
    yield from found.values()
