"""Orders: their columns, the parser of lines, and which rows count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number
from assistant.campaign.records import Faction, Node
from assistant.campaign.tables import Record, natural
from assistant.rulesets.bloodlust.realm import SEASONS, Realm
from assistant.rulesets.bloodlust.records import Leader
from assistant.rulesets.bloodlust.tables import TURNS
from assistant.turn.dice import NotThrown
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Kind, Partner, Place, Sort
from assistant.turn.orders.line_parser import Understood
from assistant.turn.orders.requests import HasGame, Refused, Request, role
from assistant.turn.orders.taking import admit_rows, carry_out, column_values, refuse, rows_of_phase
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import find_row, fold, resolve_name
from assistant.turn.texts import N_

# Columns of orders (rulebook: Orders).


MOST_IN_RANGE = 999
_RANGE = re.compile(r"(?P<own>(?:[A-Z]+-)?)(?P<letter>[A-Z])(?P<low>\d{1,4})\s*(?:\.\.|…)\s*"
                    r"(?:(?:[A-Z]+-)?[A-Z])?(?P<high>\d{1,4})", re.IGNORECASE)
_SHORT = re.compile(r"(?:(?P<own>[^\W\d_]+)-)?(?P<letter>[A-Z])(?P<number>\d{1,6})", re.IGNORECASE)


def full_code(code: str, faction: str) -> str:
    """A code with the prefix of a nation where it has none: ``a1`` -> ``VOR-a1``."""
    match = _SHORT.fullmatch(code)
    if match is None:
        return code
    return f"{(match['own'] or faction).upper()}-{match['letter'].lower()}{int(match['number'])}"


def codes_in(text: str, faction: str) -> list[str]:
    """The codes of a cell, each once: ``u5..u9 u12`` of VOR -> VOR-u5, ..., VOR-u9, VOR-u12."""
    found: list[str] = []

    def spread(match: re.Match[str]) -> str:
        low, high = int(match["low"]), int(match["high"])
        return " ".join(f"{match['own']}{match['letter']}{n}" for n in range(low, min(high, low + MOST_IN_RANGE) + 1))

    for word in re.split(r"[\s,;]+|(?<=\w)\s*\+\s*(?=\w)", _RANGE.sub(spread, text)):
        if word:
            found.append(full_code(word, faction))
    return list(dict.fromkeys(found))


def in_play(row: Any) -> bool:
    """Whether a row can be named in an order: active, or a leader neither dead nor gone."""
    return bool(row.there if isinstance(row, Leader) else row.active)


@dataclass(frozen=True)
class OwnRows(Kind):
    """Rows of the nation's own, by id with or without its prefix.

    `many`: several, ranges too; else the verb gets one row. `awaited`: the row may be one that another order makes.
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
        return " ".join(codes_in(getattr(request, name), request.faction))

    def _meant(self, board: Any, request: Request, name: str) -> Any:
        text = str(getattr(request, name) or "")
        codes = codes_in(text, request.faction)
        if not self.many and len(codes) > 1 and self.by_name(board, request, text) is not None:
            return self.by_name(board, request, text)
        if not codes or (len(codes) > 1 and not self.many):
            raise Refused("BLD-002", name, id=text, kind=self.word, near="")
        rows = [self._one(board, request, code, name) for code in codes]
        return rows if self.many else rows[0]

    def by_name(self, board: Any, request: Request, text: str) -> Any:
        """The own row with that name."""
        mine = [row for row in board.game.campaign.by_sheet(self.record.sheet) if row.faction == request.faction]
        return find_row(mine, text, "subject") if text else None

    def called(self, board: Any, request: Request, code: str) -> Any:
        """The row with a full code, or the own row with that name; None if there is neither."""
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
        for code in codes_in(str(getattr(request, name) or ""), request.faction):
            row: Any = table.get(code)
            if row is not None and row.faction != request.faction:
                raise Refused("BLD-003", name, id=code, owner=row.faction)


@dataclass(frozen=True)
class AnyLeader(OwnRows):
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
        """The leader with that name, of those neither dead nor gone."""
        return find_row(board.game.campaign.by_sheet(self.record.sheet).where(in_play), text, "subject")

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
        return full_code(str(getattr(request, name)).strip(), request.faction)

    def _meant(self, board: Any, request: Request, name: str) -> str:
        code = full_code(str(getattr(request, name)).strip(), request.faction)
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
class OtherNation(Partner):
    """Another nation in play, by code or name.

    `code`: the verb's own finding for the nation itself or one out of play, if it has one.
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
class OtherNations(OtherNation):
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
            word = resolve_name(board.game.campaign, self.tables(), " ".join(words[:n]).upper())
            rows.append(super()._meant(board, replace(request, target=word), name))
            words = words[n:]
        return rows

    def _known(self, board: HasGame, words: list[str]) -> bool:
        table, said = board.game.campaign.table(Faction), " ".join(words).upper()
        return said in table or resolve_name(board.game.campaign, self.tables(), said) in table

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Nations neither come nor go."""
        self._meant(board, request, name)


def _unknown(why: Refused, name: str, kind: str, word: str) -> Refused:
    return Refused("BLD-002", name, id=word, kind=kind, near=str(why.data.get("near", "")))


def parse_invasion_option(options: str, campaign: Campaign, words: Mapping[str, str]) -> tuple[str, str, str]:
    """Split the option of an invasion: staging province, ``besiege`` or ``back``, and a word that is neither."""
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


# Lines as clubs send them in (rulebook: Orders).


AMOUNT_VERBS = ("buy", "captain", "mercenary", "recruit")
UNIT_VERBS = ("dismiss", "pay_first", "ransom", "release")
TARGET_VERBS = ("war", "peace", "break", "envoy", "lift", "hero")
PAIR_VERBS = ("lead", "join")
OPTION_WORDS = ("via", "from", "da", "besiege", "assedia", "back", "indietro", "torna")
PREPOSITIONS = ("to", "a", "ad", "in", "verso", "all", "alla", "on", "with", "against", "con", "contro", "presso")
"""Words before a place, an army or a nation; within a name they belong to it."""
CONJUNCTIONS = ("and", "e", "ed")
UNITS_OF = ("roll", "rolls", "tiro", "tiri", "unit", "units", "unita")
"""Words that may follow a number."""
ALL_OF = (["all"], ["tutti"], ["tutte"], ["tutto"])
FORAGE_OPTIONS = {
    "paga": "or_pay",
    "pay": "or_pay",
    "or_pay": "or_pay",
    "congeda": "or_disband",
    "disband": "or_disband",
    "or_disband": "or_disband",
}


def understand(book: OrderBook, text: str) -> Understood:
    """Parse a line into fields, or return it as the problem."""
    words = [word for word in re.split(r"[\s,;+>→]+", text.strip()) if word]
    for n in (2, 1):
        verb = book.code(fold(" ".join(words[:n]))) if len(words) >= n else ""
        if verb:
            fields = _fields(verb, words[n:])
            return Understood({"verb": verb, **fields}) if fields is not None else Understood(problem=text.strip())
    return Understood(problem=text.strip())


def _fields(verb: str, rest: list[str]) -> dict[str, object] | None:
    """The fields in the words after a verb; None if they do not fit."""
    if verb == "delegate":
        return {} if not rest else None
    if verb in AMOUNT_VERBS:
        return _amount_field(rest)
    rest = _without_prepositions(rest)
    if not rest:
        return None
    if verb in UNIT_VERBS:
        return {"subject": " ".join(word for word in rest if fold(word) not in CONJUNCTIONS)}
    if verb in TARGET_VERBS:
        return {"target": " ".join(rest)}
    if verb == "forage":
        return _forage_fields(rest)
    if len(rest) < 2:
        return None
    if verb in PAIR_VERBS:
        subject = [word for word in rest[:-1] if verb == "lead" or fold(word) not in CONJUNCTIONS]
        while len(subject) > 1 and fold(subject[-1]) in PREPOSITIONS:
            subject.pop()
        return {"subject": " ".join(subject), "target": rest[-1]}
    if verb == "form":
        return {"subject": rest[0], "target": " ".join(_without_prepositions(rest[1:]))}
    return _movement_fields(rest)


def _without_prepositions(words: list[str]) -> list[str]:
    return words[next((n for n, word in enumerate(words) if fold(word) not in PREPOSITIONS), len(words)):]


def _amount_field(rest: list[str]) -> dict[str, object] | None:
    """The amount; the order itself refuses what is not a number (BLD-005)."""
    if len(rest) == 2 and fold(rest[1]) in UNITS_OF:
        rest = rest[:1]
    if len(rest) == 1 and rest[0].lstrip("-").isdecimal():
        return {"amount": int(rest[0])}
    if any(c.isdigit() for word in rest for c in word) or [fold(word) for word in rest] in ALL_OF:
        return {"amount": " ".join(rest)}
    return {} if not rest else None


def _forage_fields(rest: list[str]) -> dict[str, object] | None:
    at = next((n for n, word in enumerate(rest) if fold(word) in FORAGE_OPTIONS), len(rest))
    units = [word for word in rest[:at] if fold(word) not in ("o", "or", *CONJUNCTIONS)]
    if not units or len(rest) > at + 1:
        return None
    return {"subject": " ".join(units), **({"option": FORAGE_OPTIONS[fold(rest[at])]} if at < len(rest) else {})}


def _movement_fields(rest: list[str]) -> dict[str, object]:
    """An army, its destination, and the option."""
    at = next((n for n, word in enumerate(rest) if n > 1 and fold(word) in OPTION_WORDS), len(rest))
    options = [word for word in rest[at:] if fold(word) not in OPTION_WORDS[:3]]
    target = _without_prepositions(rest[1:at - 1] if fold(rest[at - 1]) in CONJUNCTIONS else rest[1:at])
    return {"subject": rest[0], "target": " ".join(target), **({"option": " ".join(options)} if options else {})}


# Which rows of a phase count (rulebook: Orders).
#
# First each row is judged by itself; then rows that are alike count once, and of two about one thing the later.


FINDING_ROLES = {
    "unknown_verb": role("BLD-001", verb="word", phase="phase", list="list"),
    "wrong_time": role("BLD-001", verb="verb", phase="phase", list="list"),
    "no_club": role("BLD-016", faction="faction"),
    "not_understood": role("BLD-001", verb="text", phase="phase", list="list"),
    "not_an_amount": role("BLD-005", amount="word"),
    "no_such_option": role("BLD-050", answer="word", options="options"),
}
"""Findings that every rulebook has -> Bloodlust's codes."""
UNITS = {"join": "unit", "dismiss": "stay", "forage": "stay"}
"""Verbs about units -> topic: for each unit the later row on a topic counts."""
ROWS = {"post": "subject", "invade": "subject", "lead": "subject", "form": "subject", "envoy": ""}
"""Verbs of which the later row counts: about the same subject, or at all ("")."""


class OrderBoard(Realm):
    """A realm that takes the orders of a phase."""

    forming: set[str]
    dropped: dict[str, set[str]]
    dismissed: set[str]
    """Units dismissed in this phase; a row that also names others still counts for those."""

    def taken(self, *groups: Sequence[str]) -> list[Request]:
        """The rows that count, in order of execution: by group of verbs, then by sequence."""
        self.forming, self.dropped, self.dismissed = set(), {}, set()
        _refuse_past_rows(self)
        rank = {verb: n for n, group in enumerate(groups) for verb in group}
        rows = sorted(self._admitted(), key=lambda request: rank.get(request.verb, len(groups)))
        rows = [request for request in rows if self._stands(request)]
        rows = self._once(rows)
        self._replace(rows)
        return [request for request in rows if not request.row.status and request.verb != "delegate"]

    def carry(self, requests: Iterable[Request]) -> None:
        """Carry out the rows that still count, one by one."""
        for request in requests:
            if not request.row.status:
                carry_out(self, request)

    def of_spring(self, request: Request) -> Refused:
        """The refusal of a row that must wait for next Spring (BLD-004)."""
        return Refused("BLD-004", "verb", faction=request.faction, verb=request.verb, phase=self.game.phase,
                       season=self.turn, next=self.later(len(SEASONS) - SEASONS.index(self.season)))

    # --- one by one ---------------------------------------------------------------------------
    def _admitted(self) -> list[Request]:
        found = admit_rows(self, rows_of_phase(self))
        for request in found:
            if not self.nations[request.faction].alive:
                refuse(self, request, Refused("BLD-009", "faction", faction=request.faction))
        return [request for request in found if not request.row.status]

    def _stands(self, request: Request) -> bool:
        """Whether a row can count by itself; later rows may use an army that it forms."""
        try:
            column_values(self, request)
        except Refused as why:
            refuse(self, request, why)
            return False
        except NotThrown:
            return True
        if request.verb == "form":
            self.forming |= set(codes_in(request.more["subject"], request.faction))
        return True

    # --- together -----------------------------------------------------------------------------
    def _once(self, rows: list[Request]) -> list[Request]:
        """Identical rows count once (BLD-006), unless a row between them contradicts them."""
        seen: dict[tuple[object, ...], Request] = {}
        latest: dict[tuple[str, ...], Request] = {}
        for request in sorted(rows, key=_sequence):
            what = (request.faction, request.verb, request.target, str(request.amount), request.option,
                    tuple(codes_in(str(request.more.get("subject", "")), request.faction)))
            things = [(request.faction, *thing) for thing in self._things(request)]
            first = seen.get(what)
            if first is not None and all(latest[thing] is first for thing in things):
                request.find(self, "BLD-006", n=_number(first))
                request.row.status = "accepted"
                continue
            seen[what] = request
            latest |= dict.fromkeys(things, request)
        return [request for request in rows if not request.row.status]

    def _replace(self, rows: list[Request]) -> None:
        last: dict[tuple[str, ...], Request] = {}
        for request in sorted(rows, key=_sequence):
            for thing in self._things(request):
                last[(request.faction, *thing)] = request
        for request in rows:
            self._replace_one(request, last)
        for request in [one for one in rows if one.verb == "delegate"]:
            other = next((one for one in rows if one.faction == request.faction and one.verb != "delegate"
                          and not one.row.status), None)
            if other is None:
                request.row.status = "accepted"
                self.delegated.add(request.faction)
            else:
                self._give_way(request, other, request.verb)

    def _replace_one(self, request: Request, last: dict[tuple[str, ...], Request]) -> None:
        things = self._things(request)
        lost = [thing for thing in things if last[(request.faction, *thing)] is not request]
        if not lost:
            return
        by = last[(request.faction, *lost[0])]
        if len(lost) == len(things):
            self._give_way(request, by, lost[0][-1])
        else:
            self.dropped[request.row.order] = {thing[-1] for thing in lost}
            request.find(self, "BLD-007", "subject", n=_number(request), id=lost[0][-1], m=_number(by))

    def _give_way(self, request: Request, by: Request, what: str) -> None:
        request.row.status = "replaced"
        if request.verb == "envoy":
            request.find(self, "BLD-071", "target", m=_number(by))
        else:
            request.find(self, "BLD-007", "", n=_number(request), id=what, m=_number(by))

    def _things(self, request: Request) -> list[tuple[str, str]]:
        """What a row is about: pairs of topic and code."""
        subject = str(request.more.get("subject", ""))
        if request.verb in UNITS:
            return [(UNITS[request.verb], code) for code in codes_in(subject, request.faction)]
        if request.verb in ROWS:
            codes = codes_in(subject, request.faction)[:1] if ROWS[request.verb] else [request.verb]
            return [(request.verb, code) for code in codes]
        return []


def _sequence(request: Request) -> tuple[object, ...]:
    return request.row.seq in ("", None), ordinal_number(request.row.seq) or 0, natural(request.row.order)


def _number(request: Request) -> str:
    return str(ordinal_number(request.row.seq) or request.row.order)


def _refuse_past_rows(f: Realm) -> None:
    """Refuse open rows of past turns (BLD-008)."""
    now = TURNS.key(f.turn)
    for row in f.orders.open_rows(f.turn, lambda one: not one.status and bool(one.turn) and TURNS.key(one.turn) < now):
        if row.faction in f.nations:
            refuse(f, Request(row, row.verb), Refused("BLD-008", "turn", turn=row.turn))
