"""Orders: what people say for them, their columns, the parser of lines, and which rows count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number
from assistant.campaign.records import Faction, names_held
from assistant.campaign.tables import Record, Table, natural
from assistant.rulesets.bloodlust import both
from assistant.rulesets.bloodlust.realm import SEASONS, Realm
from assistant.rulesets.bloodlust.records import TURNS, Army, Leader
from assistant.turn.chapters import Message
from assistant.turn.dice import NotThrown
from assistant.turn.findings import nearest
from assistant.turn.game import free_code, fresh
from assistant.turn.orders.columns import Amount, Kind, Sentence, Sort
from assistant.turn.orders.requests import HasGame, Refused, Request, refuse_if, role
from assistant.turn.orders.row_columns import Partner, Place
from assistant.turn.orders.taking import admit_rows, carry_all, column_values, refuse, rows_of_phase
from assistant.turn.orders.words import codes_by_name, find_row, fold, resolve_name

# Columns of orders (rulebook: Orders).


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """Armies by the bynames of their leaders: ``Mano di Ferro``."""
    for leader in campaign.table(Leader):
        bynames = [name.partition(" ")[2] for name in names_held(leader)]
        yield from ((name, Army, leader.army) for name in bynames if leader.army and " " in name)


MOST_IN_RANGE = 999
"""How many codes a range spreads to at most: ``u1..u9999`` is a slip of the finger."""
_RANGE = (r"(?i)(?P<own>(?:[A-Z]+-)?)(?P<letter>[A-Z])(?P<low>\d{1,4})\s*(?:\.\.|…)\s*"
          r"(?:(?:[A-Z]+-)?[A-Z])?(?P<high>\d{1,4})")
_SHORT = r"(?i)(?:(?P<own>[^\W\d_]+)-)?(?P<letter>[A-Z])(?P<number>\d{1,6})"


def full_code(code: str, faction: str) -> str:
    """A code with the prefix of a nation where it has none: ``a1`` -> ``VOR-a1``."""
    match = re.fullmatch(_SHORT, code)
    if match is None:
        return code
    return f"{(match['own'] or faction).upper()}-{match['letter'].lower()}{int(match['number'])}"


def codes_in(text: str, faction: str) -> list[str]:
    """The codes of a cell, each once: ``u5..u9 u12`` of VOR -> VOR-u5, ..., VOR-u9, VOR-u12."""
    def spread(match: re.Match[str]) -> str:
        low, high = int(match["low"]), int(match["high"])
        return " ".join(f"{match['own']}{match['letter']}{n}" for n in range(low, min(high, low + MOST_IN_RANGE) + 1))

    words = re.split(r"[\s,;]+|(?<=\w)\s*\+\s*(?=\w)", re.sub(_RANGE, spread, text))
    return list(dict.fromkeys(full_code(word, faction) for word in words if word))


def _words(text: str) -> list[str]:
    return re.split(r"[\s,;+]+", text.strip())


def in_play(row: Any) -> bool:
    """Whether a row can be named in an order: active, or a leader neither dead nor gone."""
    return bool(row.there if isinstance(row, Leader) else row.active)


class ByCode(Kind):
    """What is named by a code, with or without the nation's prefix."""

    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A code, with or without the prefix."""
        if re.fullmatch(_SHORT, sentence.word(start)):
            yield 1, sentence.word(start)


@dataclass(eq=False, repr=False)
class OwnRows(ByCode):
    """Rows of the nation's own, by id with or without its prefix.

    `many`: several, ranges too; else the verb gets one row. `awaited`: the row may be one that another order makes;
    `anybody`: whoever's it is, as captives come and go.
    """

    record: type[Record]
    word: str
    many: bool = False
    awaited: bool = False
    anybody: bool = False
    quotes: bool = field(default=True, kw_only=True)
    told: ClassVar[str] = both("the code of one of yours (sheet {sheets})",
                               "la sigla di ciò che è tuo (foglio {sheets})")
    acts: ClassVar[bool] = True

    def spelling_records(self) -> tuple[type[Record], ...]:
        """Several codes stand in a cell, which are spelled when they are judged."""
        return ()

    @property
    def takes_several(self) -> bool:
        """Where it is declared."""
        return self.many

    def is_his(self, row: Any, faction: str) -> bool:
        """Whether a row is one that a nation may name: its own."""
        return self.anybody or bool(row.faction == faction)

    def fits(self, row: Any, faction: str) -> bool:
        """One in play."""
        return self.is_his(row, faction) and in_play(row)

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Codes of rows, with or without the prefix, or the name of one."""
        table = campaign.by_sheet(self.record.sheet)
        codes = codes_in(str(value), faction)
        return all(table.spelling_of(code) in table or (self.awaited and re.fullmatch(r"[A-Z]+-a\d+", code))
                   for code in codes) or bool(campaign.derive(codes_by_name, self.record).get(fold(str(value))))

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A row, or a range of codes."""
        yield from super().pieces(sentence, start)
        if re.fullmatch(_RANGE, sentence.word(start)):
            yield 1, sentence.word(start)

    def comes_to(self, value: Any, campaign: Campaign) -> Any:
        """Each code of a range by itself."""
        return " ".join(codes_in(str(value), "")) if self.many and "-" in str(value) else value

    def each(self, value: Any, campaign: Campaign, faction: str) -> list[str]:
        """Those of a range, too, if there are all of them."""
        codes = codes_in(str(value), faction) if self.many else []
        table = campaign.by_sheet(self.record.sheet)
        return codes if codes and all(code in table for code in codes) else super().each(value, campaign, faction)

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The codes in full."""
        return " ".join(codes_in(getattr(request, name), request.faction))

    def _meaning(self, board: Any, request: Request, name: str) -> Any:
        text = str(getattr(request, name) or "")
        codes = codes_in(text, request.faction)
        if self.many and codes:
            return [self._one(board, request, code, name) for code in codes]
        if len(codes) == 1:
            return self._one(board, request, codes[0], name)
        named = self.by_name(board, request, text) if codes else None  # a name of several words
        if named is None:
            raise Refused("BLD-002", name, id=text, kind=self.word, near="")
        return named

    def by_name(self, board: Any, request: Request, text: str) -> Any:
        """The row with that name, of one's own, or of anybody's in play."""
        rows = self._table(board).where(in_play if self.anybody else lambda row: row.faction == request.faction)
        return find_row(rows, text, "subject") if text else None

    def _table(self, board: Any) -> Table[Any]:
        return cast(Table[Any], board.game.campaign.by_sheet(self.record.sheet))

    def _one(self, board: Any, request: Request, code: str, name: str) -> Any:
        table = self._table(board)
        row = table.get(code) or table.get(table.spelling_of(code)) or self.by_name(board, request, code)
        if row is None and self.awaited and code in board.forming:
            return code
        if row is None or not (in_play(row) or row.ident in board.dismissed):
            known = [row.ident for row in table if self.fits(row, request.faction)]
            raise Refused("BLD-002", name, id=code, kind=self.word, near=nearest(code, known))
        refuse_if(not self.is_his(row, request.faction), "BLD-003", name, id=code, owner=row.faction)
        return row

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """What others own stays theirs."""
        for code in codes_in(str(getattr(request, name) or ""), request.faction):
            row = self._table(board).get(code)
            refuse_if(row is not None and not self.is_his(row, request.faction), "BLD-003", name, id=code,
                      owner=getattr(row, "faction", ""))


@dataclass(eq=False, repr=False, kw_only=True)
class HowMany(Amount):
    """How many; what is none is quoted (BLD-005)."""

    usual: tuple[int, ...] = (1, 2, 3)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Anything with a figure in it, and words for all."""
        word = sentence.word(start)
        if fold(word) in WORDS_FOR_ALL or any(sign.isdigit() for sign in word):
            yield 1, next((value for _, value in super().as_typed(sentence, start)), word)


WORDS_FOR_ALL = ("all", "tutti", "tutte", "tutto")


@dataclass(eq=False, repr=False, kw_only=True)
class NewArmy(ByCode):
    """The code of an army that is to be formed."""

    is_new: ClassVar[bool] = True

    told: ClassVar[str] = both("a new code", "una sigla nuova")
    quotes: bool = True

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """A code that an army may have."""
        return re.fullmatch(_SHORT, str(value).strip()) is not None

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A code of an army's look that no army has."""
        if sentence.unknown_unit(start):
            yield 1, sentence.word(start)

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """The first that is free."""
        return (free_code(campaign.by_sheet("Armies"), f"{faction}-a{{}}"),)

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The code in full."""
        return full_code(str(getattr(request, name)).strip(), request.faction)

    def _meaning(self, board: Any, request: Request, name: str) -> str:
        code = full_code(str(getattr(request, name)).strip(), request.faction)
        fits = re.fullmatch(rf"{re.escape(request.faction)}-a[1-9]\d*", code)
        refuse_if(not fits or code in board.game.campaign.by_sheet("Armies"), "BLD-020", name, id=code or "-",
                  like=f"{request.faction}-a<n>")
        return code


@dataclass(eq=False, repr=False, kw_only=True)
class Province(Place):
    """A province by code or name."""

    quotes: bool = True
    faults: ClassVar[tuple[str, ...]] = ()

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        try:
            return super()._meaning(board, request, name)
        except Refused as why:
            near = str(why.data.get("near", ""))
            raise Refused("BLD-002", name, id=str(getattr(request, name)), kind="province", near=near) from why


@dataclass(eq=False, repr=False, kw_only=True)
class OtherNation(Partner):
    """Another nation in play, by code or name.

    `code`: the verb's own finding for the nation itself or one out of play, if it has one.
    """

    code: str = ""
    quotes: bool = True
    faults: ClassVar[tuple[str, ...]] = ()

    def fits(self, row: Any, faction: str) -> bool:
        """Another that is in play."""
        return super().fits(row, faction) and bool(row.alive)

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        word = str(getattr(request, name))
        table: Any = board.game.campaign.table(Faction)
        row: Any = table.get(word)
        if row is None:
            others = [row.ident for row in table if row.alive and row.ident != request.faction]
            raise Refused("BLD-002", name, id=word, kind="nation", near=nearest(word, others))
        refuse_if(self.code and (row.faction == request.faction or not row.alive), self.code, name)
        refuse_if(not row.alive, "BLD-009", name, faction=row.faction)
        return row


class OtherNations(OtherNation):
    """Several other nations, the dearest first."""

    takes_several: ClassVar[bool] = True

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Nations by their codes or names."""
        words = _words(str(value))
        return all(super(OtherNations, self).recognises(word, campaign, faction) for word in words) or (
            super().recognises(value, campaign, faction))

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """One may be called by its name; several are codes."""
        text = str(raw or "")
        return text.strip().upper() if len(_words(text)) > 1 else super().canonical(campaign, raw)

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        words, rows, campaign = _words(str(getattr(request, name))), [], board.game.campaign
        while words:
            # The longest run of words that is a nation; where none is, the first word is what is wrong.
            runs = {n: resolve_name(campaign, self.tables(), " ".join(words[:n]).upper())
                    for n in range(len(words), 0, -1)}
            n = next((n for n, code in runs.items() if code in campaign.table(Faction)), 1)
            rows.append(super()._meaning(board, replace(request, target=runs[n]), name))
            words = words[n:]
        return rows


# Which rows of a phase count (rulebook: Orders).
#
# First each row is judged by itself; then rows that are alike count once, and of two about one thing the later.


NO_WAY = both("No way through provinces of your own or an ally's leads from {from:the} to {node:the}.",
              "Nessuna strada per province tue o alleate porta {from:da} {node:a}.")
FINDINGS = (
    Message("BLD-001", "error", both('"{verb}" is not an order of {phase}. Use one of {list}.',
                                     '"{verb}" non è un ordine di {phase}. Scegli fra: {list}.'),
            variants=("verb why",
                      {"": both("The row names no order. Use one of {list}.",
                                "La riga non nomina nessun ordine. Scegli fra: {list}."),
                       "time": both('"{verb}" is not an order of {phase}. It can be ordered next in {when}: give it '
                                    "for that.",
                                    '"{verb}" non è un ordine della fase «{phase}». Si può ordinare la prossima volta '
                                    "in: {when}. Dallo per quella."),
                       "no time": both('"{verb}" is not an order of {phase}, nor of any phase to come. Use one of '
                                       "{list}.",
                                       "\"{verb}\" non è un ordine della fase «{phase}», né di un'altra che verrà. Usa "
                                       "uno di questi: {list}.")})),
    Message("BLD-002", "error", both('There is no {kind} "{id}" in play. Did you mean {near}?',
                                     '"{id}" non è {kind:un} in gioco. Intendevi {near}?'),
            variants=("id",
                      {"": both("Nothing is named here. Write a code or a name.",
                                "Qui non è indicato nulla. Scrivi una sigla o un nome.")})),
    Message("BLD-003", "error", both("{id} belongs to {owner:the}. Order your own.",
                                     "{id} è {owner:di}. Da' ordini solo ai tuoi."), certain=True),
    Message("BLD-004", "error",
            both('{faction:the} cannot order "{verb}" in {phase} of {season}. Move the row to {next}.',
                 '{faction:il} non {faction?può|possono} ordinare "{verb}" nel passo {phase} in {season}. Sposta la '
                 "riga a {next}.")),
    Message("BLD-005", "error", both('"{amount}" is not a whole number above 0. Type a number.',
                                     '"{amount}" non è un numero intero sopra 0. Scrivi un numero.'),
            variants=("amount",
                      {"": both("How many is missing. Type a whole number above 0.",
                                "Manca il numero. Scrivi un intero sopra 0.")}), certain=True),
    Message("BLD-006", "info", both("The same as no. {n}: it counts once.",
                                    "È lo stesso del n. {n}: conta una volta sola.")),
    Message("BLD-007", "warning", both("No. {n} orders {id} otherwise; the later no. {m} counts.",
                                       "Il n. {n} dà a {id} un altro ordine; vale quello dopo, il n. {m}."),
            variants=("id",
                      {"delegate": both("No. {n} leaves the phase to the rules, but no. {m} is an order: your orders "
                                        "count, no. {n} does not.",
                                        "Il n. {n} lascia la fase alle regole, ma il n. {m} è un ordine: valgono i "
                                        "tuoi ordini, il n. {n} no.")})),
    Message("BLD-008", "error", both("{turn} is already played.", "{turn} è già giocato.")),
    Message("BLD-009", "error",
            both("{faction:the} {faction?is|are} out of play.", "{faction:il} {faction?è|sono} fuori gioco.")),
    Message("BLD-016", "error",
            both("{faction:the} {faction?is|are} run by the rules' dice and {faction?takes|take} no orders. Set its "
                 "role to player first.",
                 "I dadi del regolamento guidano {faction:il}: non si prendono ordini. Prima metti il ruolo a "
                 "giocatore.")),
    Message("BLD-020", "error", both("Army id {id} is taken or not of the form {like}.",
                                     "La sigla {id} è già usata, o non è del tipo {like}.")),
    Message("BLD-050", "error", both('"{answer}" is not one of the answers offered: {options}.',
                                     '"{answer}" non è tra le risposte: {options}.')),
)


FINDING_ROLES = {
    "unknown_verb": role("BLD-001", verb="word", phase="phase", list="list"),
    "wrong_time": role("BLD-001", verb="verb", phase="phase", list="list", when="when", why="why"),
    "no_club": role("BLD-016", faction="faction"),
    "not_understood": role("BLD-001", verb="text", phase="phase", list="list"),
    "not_an_amount": role("BLD-005", amount="word"),
    "no_such_option": role("BLD-050", answer="word", options="options"),
    "repeated": role("BLD-006", n="n"),
}
"""Findings that every rulebook has -> Bloodlust's codes."""
UNITS = {"join": "unit", "dismiss": "stay", "forage": "stay"}
"""Verbs about units -> topic: for each unit the later row on a topic counts."""
ROWS = {"post": "subject", "invade": "subject", "lead": "subject", "form": "subject", "envoy": ""}
"""Verbs of which the later row counts: about the same subject, or at all ("")."""


class OrderBoard(Realm):
    """A realm that takes the orders of a phase."""

    forming: set[str] = fresh(set)
    dropped: dict[str, set[str]] = fresh(dict)
    dismissed: set[str] = fresh(set)
    """Units dismissed in this phase; a row that also names others still counts for those."""

    def carry(self, *groups: str) -> None:
        """Carry out the rows that count: by group of verbs (``join lead``), then by sequence."""
        self._refuse_past_rows()
        rank = {verb: n for n, group in enumerate(groups) for verb in group.split()}
        rows = sorted(self._admit(), key=lambda request: rank.get(request.verb, len(groups)))
        # A row that is refused replaces nothing, so each is judged by itself before they are compared.
        rows = self._once([request for request in rows if self._stands(request)])
        self._replace(rows)
        self._delegate(rows)
        # What an earlier row does may refuse a later one meanwhile.
        carry_all(self, [request for request in rows if request.verb != "delegate"])

    def of_spring(self, request: Request) -> Refused:
        """The refusal of a row that must wait for next Spring (BLD-004)."""
        return Refused("BLD-004", "verb", faction=request.faction, verb=request.verb, phase=self.game.phase,
                       season=self.turn, next=self.later(len(SEASONS) - SEASONS.index(self.season)))

    # --- one by one ---------------------------------------------------------------------------
    def _refuse_past_rows(self) -> None:
        """Refuse open rows of past turns (BLD-008)."""
        for row in self.orders.open_rows(self.turn, lambda row: not row.status and bool(row.turn)
                                         and TURNS.key(row.turn) < TURNS.key(self.turn)):
            if row.faction in self.nations:
                refuse(self, Request(row, row.verb), Refused("BLD-008", "turn", turn=row.turn))

    def _admit(self) -> list[Request]:
        for request in (admitted := admit_rows(self, rows_of_phase(self))):
            if not self.nations[request.faction].alive:
                refuse(self, request, Refused("BLD-009", "faction", faction=request.faction))
        return [request for request in admitted if not request.row.status]

    def _stands(self, request: Request) -> bool:
        """Whether a row can count by itself; later rows may use an army that it forms."""
        try:
            column_values(self, request)
            if request.verb == "form":
                self.forming |= set(codes_in(request.more["subject"], request.faction))
        except Refused as why:
            refuse(self, request, why)
        except NotThrown:  # judged beforehand, nothing is thrown, and nothing else was wrong with the row
            pass
        return not request.row.status

    # --- together -----------------------------------------------------------------------------
    def _once(self, rows: list[Request]) -> list[Request]:
        """Identical rows count once (BLD-006), unless a row between them contradicts them."""
        seen: dict[tuple[object, ...], Request] = {}
        latest: dict[tuple[str, ...], Request] = {}
        for request in sorted(rows, key=_sequence):
            what = (request.faction, request.verb, request.target, str(request.amount), request.option,
                    tuple(_subjects(request)))
            things, first = _things(request), seen.get(what)
            # Two like rows with another order about the same thing between them are no slip: the last word counts.
            if first is not None and all(latest[thing] is first for thing in things):
                request.find(self, "BLD-006", n=_number(first))
                request.row.status = "accepted"
            else:
                seen[what] = request
                latest |= dict.fromkeys(things, request)
        return [request for request in rows if not request.row.status]

    def _replace(self, rows: list[Request]) -> None:
        """A row gives way to a later one about the same; one that names several things is left with the others."""
        last = {thing: request for request in sorted(rows, key=_sequence) for thing in _things(request)}
        for request in rows:
            things = _things(request)
            lost = [thing for thing in things if last[thing] is not request]
            if lost and len(lost) == len(things):
                self._give_way(request, last[lost[0]], lost[0][-1])
            elif lost:
                self.dropped[request.row.order] = {thing[-1] for thing in lost}
                request.find(self, "BLD-007", "subject", n=_number(request), id=lost[0][-1], m=_number(last[lost[0]]))

    def _delegate(self, rows: list[Request]) -> None:
        """A nation leaves the phase to the rules, unless it orders something itself."""
        for request in [row for row in rows if row.verb == "delegate"]:
            others = [row for row in rows if row.faction == request.faction and row.verb != "delegate"
                      and not row.row.status]
            if others:
                self._give_way(request, others[0], request.verb)
            else:
                request.row.status = "accepted"
                self.delegated.add(request.faction)

    def _give_way(self, request: Request, by: Request, what: str) -> None:
        request.row.status = "replaced"
        if request.verb == "envoy":
            request.find(self, "BLD-071", "target", m=_number(by))
        else:
            request.find(self, "BLD-007", "", n=_number(request), id=what, m=_number(by))


def _subjects(request: Request) -> list[str]:
    """The codes in a row's column Subject, in full."""
    return codes_in(str(request.more.get("subject", "")), request.faction)


def _things(request: Request) -> list[tuple[str, str, str]]:
    """What a row is about: nation, topic, code."""
    codes = _subjects(request)
    if request.verb in UNITS:
        return [(request.faction, UNITS[request.verb], code) for code in codes]
    if request.verb in ROWS:
        return [(request.faction, request.verb, code) for code in (codes[:1] if ROWS[request.verb] else [request.verb])]
    return []


def _sequence(request: Request) -> tuple[object, ...]:
    # Rows without a number come last, in the order of their codes.
    return request.row.seq in ("", None), ordinal_number(request.row.seq) or 0, natural(request.row.order)


def _number(request: Request) -> str:
    return str(ordinal_number(request.row.seq) or request.row.order)


