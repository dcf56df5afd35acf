"""What the columns of an order hold: in goes a cell, out come own rows, a province, a nation, or why they cannot be.

See rulebook: Orders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import Faction, Node
from assistant.rulesets.bloodlust.book.sheets import Leader
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Kind, Partner, Place, Sort
from assistant.turn.orders.naming import as_named, row_meant
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import HasGame, Request
from assistant.turn.texts import N_

MOST_IN_RANGE = 999
_RANGE = re.compile(r"(?P<own>(?:[A-Z]+-)?)(?P<letter>[A-Z])(?P<low>\d{1,4})\s*(?:\.\.|…)\s*"
                    r"(?:(?:[A-Z]+-)?[A-Z])?(?P<high>\d{1,4})", re.IGNORECASE)
_SHORT = re.compile(r"(?:(?P<own>[^\W\d_]+)-)?(?P<letter>[A-Z])(?P<number>\d{1,6})", re.IGNORECASE)


def full(code: str, faction: str) -> str:
    """A code with the prefix of a nation where it has none: ``a1`` -> ``VOR-a1``."""
    match = _SHORT.fullmatch(code)
    if match is None:
        return code
    return f"{(match['own'] or faction).upper()}-{match['letter'].lower()}{int(match['number'])}"


def listed(text: str, faction: str) -> list[str]:
    """The codes of a cell, each once: ``u5..u9 u12`` of VOR -> VOR-u5, ..., VOR-u9, VOR-u12."""
    found: list[str] = []

    def spread(match: re.Match[str]) -> str:
        low, high = int(match["low"]), int(match["high"])
        return " ".join(f"{match['own']}{match['letter']}{n}" for n in range(low, min(high, low + MOST_IN_RANGE) + 1))

    for word in re.split(r"[\s,;]+|(?<=\w)\s*\+\s*(?=\w)", _RANGE.sub(spread, text)):
        if word:
            found.append(full(word, faction))
    return list(dict.fromkeys(found))


def in_play(row: Any) -> bool:
    """Whether an own row can be named in an order: active, or a leader neither dead nor gone."""
    return bool(row.there if isinstance(row, Leader) else row.active)


@dataclass(frozen=True)
class Own(Kind):
    """Rows of the nation's own, by id with or without its prefix; `many`: several, ranges too; else the deed is handed
    one. `awaited`: whether a code may be that of a row which another order makes.
    """

    record: type[Record]
    word: str
    many: bool = False
    awaited: bool = False
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("a code of your own of {sheets}")

    def tables(self) -> tuple[type[Record], ...]:
        """Its table."""
        return (self.record,)

    def spelled_by(self) -> tuple[type[Record], ...]:
        """Several codes stand in a cell, which are spelled when they are judged."""
        return ()

    def fits(self, row: Any, faction: str) -> bool:
        """One in play."""
        return Kind.fits(self, row, faction) and in_play(row)

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The codes in full."""
        return " ".join(listed(getattr(request, name), request.faction))

    def _meant(self, board: Any, request: Request, name: str) -> Any:
        text = str(getattr(request, name) or "")
        codes = listed(text, request.faction)
        if not self.many and len(codes) > 1 and self.by_name(board, request, text) is not None:
            return self.by_name(board, request, text)
        if not codes or (len(codes) > 1 and not self.many):
            raise Refused("BLD-002", name, id=text, kind=self.word, near="")
        rows = [self._one(board, request, code, name) for code in codes]
        return rows if self.many else rows[0]

    def by_name(self, board: Any, request: Request, text: str) -> Any:
        """The own row that people call so."""
        mine = [row for row in board.game.campaign.by_sheet(self.record.sheet) if row.faction == request.faction]
        return row_meant(mine, text, "subject") if text else None

    def called(self, board: Any, request: Request, code: str) -> Any:
        """The row of a code in full, or the own one that people call so; None for none."""
        table = board.game.campaign.by_sheet(self.record.sheet)
        return table.get(code) or table.get(table.spelled(code)) or self.by_name(board, request, code)

    def _one(self, board: Any, request: Request, code: str, name: str) -> Any:
        table, row = board.game.campaign.by_sheet(self.record.sheet), self.called(board, request, code)
        if row is None and self.awaited and code in board.forming:
            return code
        if row is None or not (in_play(row) or row.ident in board.dismissed):
            mine = [one.ident for one in table if one.faction == request.faction and in_play(one)]
            raise Refused("BLD-002", name, id=code, kind=self.word, near=nearest(code, mine))
        if row.faction != request.faction:
            raise Refused("BLD-003", name, id=code, owner=row.faction)
        return row

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """What others own stays theirs."""
        table = board.game.campaign.by_sheet(self.record.sheet)
        for code in listed(str(getattr(request, name) or ""), request.faction):
            row: Any = table.get(code)
            if row is not None and row.faction != request.faction:
                raise Refused("BLD-003", name, id=code, owner=row.faction)


@dataclass(frozen=True)
class AnyLeader(Own):
    """A leader of any nation's who is held captive."""

    def fits(self, row: Any, faction: str) -> bool:
        """Whoever's it is."""
        return in_play(row)

    def _one(self, board: Any, request: Request, code: str, name: str) -> Any:
        table, row = board.game.campaign.by_sheet(self.record.sheet), self.called(board, request, code)
        if row is None or not in_play(row):
            there = [one.ident for one in table if in_play(one)]
            raise Refused("BLD-002", name, id=code, kind=self.word, near=nearest(code, there))
        return row

    def by_name(self, board: Any, request: Request, text: str) -> Any:
        """Whom people call so, of those who are there."""
        return row_meant(board.game.campaign.by_sheet(self.record.sheet).where(in_play), text, "subject")

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Captives come and go."""


@dataclass(frozen=True, kw_only=True)
class NewArmy(Kind):
    """The code of an army that is to be formed."""

    like: str = "{faction}-a9"
    told: ClassVar[str] = N_("a new code")
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The code in full."""
        return full(str(getattr(request, name)).strip(), request.faction)

    def _meant(self, board: Any, request: Request, name: str) -> str:
        code = full(str(getattr(request, name)).strip(), request.faction)
        fits = re.fullmatch(rf"{re.escape(request.faction)}-a[1-9]\d*", code)
        if not fits or code in board.game.campaign.by_sheet("Armies"):
            raise Refused("BLD-020", name, id=code or "-", like=f"{request.faction}-a<n>")
        return code


@dataclass(frozen=True, kw_only=True)
class Province(Place):
    """A province by code or name."""

    def roles(self) -> tuple[str, ...]:
        """It has a finding of the book's own."""
        return ()

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        try:
            found = super()._meant(board, request, name) if getattr(request, name) else None
        except Refused as why:
            raise _unknown(why, name, "province", str(getattr(request, name))) from why
        if found is None:
            raise Refused("BLD-002", name, id="", kind="province", near="")
        return found


@dataclass(frozen=True, kw_only=True)
class Nation(Partner):
    """Another nation in play, by code or name. `code`: the book's finding for itself or one out of play, where it has
    one of the verb's own.
    """

    code: str = ""

    def roles(self) -> tuple[str, ...]:
        """It has a finding of the book's own."""
        return ()

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        word = str(getattr(request, name))
        table: Any = board.game.campaign.table(Faction)
        row: Any = table.get(word)
        if row is None:
            others = [one.ident for one in table if one.alive and one.ident != request.faction]
            raise Refused("BLD-002", name, id=word, kind="nation", near=nearest(word, others))
        if self.code and (row.faction == request.faction or not row.alive):
            raise Refused(self.code, name)
        if not row.alive:
            raise Refused("BLD-009", name, faction=row.faction)
        return row


@dataclass(frozen=True, kw_only=True)
class Nations(Nation):
    """Several other nations, the dearest first."""

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """One may be called by its name; several are codes."""
        said = str(raw or "").strip()
        return said.upper() if len(re.split(r"[\s,;+]+", said)) > 1 else super().understood(campaign, raw)

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        words = re.split(r"[\s,;+]+", str(getattr(request, name)).strip())
        rows = []
        while words:
            # The longest run of words that is a nation; where none is, the first word is what is wrong.
            n = next((n for n in range(len(words), 0, -1) if self._known(board, words[:n])), 1)
            word = as_named(board.game.campaign, self.tables(), " ".join(words[:n]).upper())
            rows.append(super()._meant(board, replace(request, target=word), name))
            words = words[n:]
        return rows

    def _known(self, board: HasGame, words: list[str]) -> bool:
        table, said = board.game.campaign.table(Faction), " ".join(words).upper()
        return said in table or as_named(board.game.campaign, self.tables(), said) in table

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Nations neither come nor go."""
        self._meant(board, request, name)


def _unknown(why: Refused, name: str, kind: str, word: str) -> Refused:
    return Refused("BLD-002", name, id=word, kind=kind, near=str(why.data.get("near", "")))


def parts_of(options: str, campaign: Campaign, words: Mapping[str, str]) -> tuple[str, str, str]:
    """The option of an invasion: the staging province, ``besiege`` or ``back``, and what is neither."""
    place, act, strange = "", "", ""
    nodes = campaign.table(Node)
    names = {str(row.name).casefold(): row.node for row in nodes if row.name}
    text = options.strip()
    for name in sorted(names, key=lambda one: (-len(one), natural(one))):
        if name in text.casefold():
            at = text.casefold().index(name)
            text, place = f"{text[:at]} {text[at + len(name):]}", names[name]
            break
    for word in re.split(r"[\s,;+]+", text):
        if not word:
            continue
        if word.upper() in nodes:
            place = word.upper()
        elif word.casefold() in words:
            act = words[word.casefold()] or act
        else:
            strange = word
    return place, act, strange
