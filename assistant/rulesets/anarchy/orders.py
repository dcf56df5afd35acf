"""A day's orders: columns, finding codes, which rows count, purses, who may act (rulebook: Orders)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.messages import CHOICES, choice_code
from assistant.rulesets.anarchy.realm import COMPASS, MapTables, Men, half_pounds, hex_of, men_of
from assistant.rulesets.anarchy.records import Army, Convoy, Noble, Place, Train, pounds
from assistant.turn.findings import Finding, nearest
from assistant.turn.orders.columns import ColumnCheck, Kind, Sort
from assistant.turn.orders.line_parser import read_row
from assistant.turn.orders.named_columns import FreeWords, Named, OneOf, Points, Route, require_row
from assistant.turn.orders.requests import Refused, Request, book_refusal, refuse_if, role
from assistant.turn.orders.taking import admit_rows, column_values, drop_replaced, price, refuse, rows_of_phase
from assistant.turn.orders.verbs import Cost, Deed, Purse, Shapes, Verb, order, same
from assistant.turn.orders.words import fold
from assistant.turn.texts import N_


# Kinds of column.
@dataclass(frozen=True)
class ActingUnit(Named):
    """The unit that acts: one that the faction commands; `free`: unhired mercenaries, too.

    It is judged once, when its row is taken; the function of the verb sees what has happened to it since.
    """

    free: bool = False
    told: ClassVar[str] = N_("a code or name of your own of {sheets}")

    def roles(self) -> tuple[str, ...]:
        """The roles of its refusals."""
        return *super().roles(), "not_yours"

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """An own unit, if there is one."""
        rows = [row for record in self.records for row in campaign.by_sheet(record.sheet) if self.which(row)]
        return next((str(row.ident) for row in rows if getattr(row, "faction", "") == faction), "") or super().example(
            campaign, faction, fields)

    def own(self, f: Field, request: Request) -> Any:
        """The unit, if the faction commands it and it is on the map. Raises `Refused` (ANA-002, 003, 006, 009)."""
        row = require_row(self.rows(f), request.unit, "unit")
        request.unit = row.ident
        if not f.commands(request.faction, row) and not (self.free and f.unhired(row)):
            owner = f.wardens(row)[0] if isinstance(row, Place) else row.faction
            allied = f.side(owner) == f.side(request.faction)
            raise Refused("not_yours", "unit", word=row.ident, owner=owner if allied else f.side(owner))
        state = getattr(row, "state", "active")
        entering = isinstance(row, Army) and state == "awaited" and row.enters_on == f.day
        refuse_if(state != "active" and not entering, "ANA-006", "unit", unit=row.ident, state=state)
        f.taken[request.row.ident] = row
        return row

    def _meant(self, board: Any, request: Request, name: str) -> Any:
        row = board.taken.get(request.row.ident) or self.own(board, request)
        request.unit = row.ident
        return row


@dataclass(frozen=True, kw_only=True)
class MenOf(Kind):
    """Men of each rank, and hurt men by number: ``K2 S3 w:W5``."""

    told: ClassVar[str] = N_("men by rank, such as K2 S3 B1, and hurt men, such as w:W5")

    def piece(self, word: str) -> str:
        """A number of men of a rank, or a hurt man."""
        hurt = word.lower().startswith("w:")
        return word if hurt else word.upper() if re.fullmatch(r"[KDSBLP]\d+", word, re.IGNORECASE) else ""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """A few men, unless the column may be blank."""
        return "" if self.blank else "S2 B1"

    def roles(self) -> tuple[str, ...]:
        """The roles of its refusals."""
        return ("not_an_amount",)

    def _meant(self, board: Any, request: Request, name: str) -> Men:
        return men_of(board, getattr(request, name), name)


@dataclass(frozen=True, kw_only=True)
class Nobles(Kind):
    """Nobles by id or name, separated by commas, ids also by blanks."""

    blank: bool = True
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("nobles by code or name")

    def _meant(self, board: Any, request: Request, name: str) -> list[Noble]:
        words = [w.strip() for w in re.split(r"[,;]", str(getattr(request, name))) if w.strip()]
        names = {noble.name for noble in board.nobles}
        parts = [w for word in words for w in ([word] if word in names else word.split())]
        return [require_row(board.nobles, part, name) for part in dict.fromkeys(parts)]


@dataclass(frozen=True, kw_only=True)
class Hex(FreeWords):
    """The hex of an act, if it is not the last of the march."""

    blank: bool = True
    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    told: ClassVar[str] = N_("the hex, where it is not the last of the march")

    def piece(self, word: str) -> str:
        """The code of a hex."""
        return word if re.fullmatch(r"\d{4}", word) else ""


@dataclass(frozen=True, kw_only=True)
class MarchRoute(Route):
    """The way of a march as it was typed: hexes, directions, or one far hex or place."""

    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    like: str = "N NE"
    told: ClassVar[str] = N_("hexes, directions, or one far hex or place")

    def piece(self, word: str) -> str:
        """The code of a hex, or a direction."""
        return word.upper() if re.fullmatch(r"\d{4}", word) or word.upper() in COMPASS else ""

    def is_rest(self, campaign: Campaign, words: str) -> bool:
        """Whether it is one far place and no hex."""
        with suppress(Refused):
            return not re.match(r"\d|[NS][EWO]?(\s|$)", words, re.IGNORECASE) and bool(
                hex_of(MapTables(campaign), words, "path"))
        return False

    def read(self, raw: Any) -> list[str]:
        """The whole text as one piece: only the map tells what its words mean."""
        text = str(raw or "").strip()
        return [text] if text else []


@dataclass(frozen=True, kw_only=True)
class Settings(FreeWords):
    """Names and their values: ``on_meeting=attack``."""

    def piece(self, word: str) -> str:
        """Both sides of the equals sign as codes."""
        return "=".join(map(choice_code, word.partition("=")[::2])) if "=" in word else ""

    def worded(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """Both sides of the equals sign as words."""
        return value if lang != "it" else "=".join(
            next((word for word, code in CHOICES.items() if code == side), side) for side in str(value).split("="))


def check_built(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse a place that is not built yet (ANA-407)."""
    refuse_if(not place.exists, "ANA-407", field, place=place.place)


GROUP = ActingUnit((Army,))
GIVER, TAKER = ActingUnit((Army,), lead_in="from"), ActingUnit((Army,), lead_in="to")
CASTLE = ActingUnit((Place,), which=lambda place: place.castle)
OTHER_GROUP = Named((Army,))
POUNDS = Points(blank=True, amount_of=half_pounds)
FOLLOWER = Named((Army, Convoy, Train))


ANYWHERE = {"node": Hex(), "men": MenOf(), "amount": Points(), "choice": Settings()}
"""Columns that any line may contain, even if its verb has no use for them."""
FILLERS = ("il", "la", "lo", "the", "di", "of", "in", "e", "and", "via", "punti", "points")
SHAPES = Shapes(unit=r"[A-Za-z]+-[\w-]+|(?![KDSBLkdsbl]\d)[A-Za-z]{1,3}\d+")
"""Codes that may be new: ``A-NEW``, ``C9``; but the letter of a rank with a number is men."""


def one_of(*options: str, otherwise: str = "", blank: bool = False) -> OneOf:
    """One of a few words in either language."""
    italian = {code: next((word for word, meant in CHOICES.items() if meant == code), code) for code in options}
    return OneOf(options, choice_code, otherwise, italian, blank=blank)


def other_group(*then: ColumnCheck) -> Named:
    """A column for any group that passes the checks."""
    return Named((Army,), then=then)


def a_place(*then: ColumnCheck) -> Named:
    """A column for a built place that passes the checks."""
    return Named((Place,), then=(check_built, *then))


def target_of(f: Field, request: Request) -> Any:
    """The row of the act's target, in whatever state it is now."""
    kind = f.game.orders[request.verb].kinds["target"]
    assert isinstance(kind, Named)
    return require_row(kind.rows(f), request.target, "target")


def check_same_hex(a: Any, b: Any, field: str = "target") -> None:
    """Refuse two rows that are not on one hex (ANA-203)."""
    refuse_if(a.node != b.node, "ANA-203", field, a=a.ident, x=a.node, b=b.ident, y=b.node)


def cost_a_head(number: str) -> Cost:
    """A cost in pounds for each head of the target company."""
    return Cost(number, reckoned=lambda f, request: 2 * f.rules[number] * f.heads(
        OTHER_GROUP.judge(f, request, "target")))


def day_order(en: str, it: str, phase: str, *, also: Iterable[str] = (), help: str, cost: Cost | None = None,
            group: str = "", apart: tuple[str, ...] = (), **columns: Any) -> Callable[[Deed], Verb]:
    """Declare a verb of a phase of the day.

    Of two rows of one unit about one target the later counts: among all verbs of a `group`, else of this verb.
    `apart`: further columns by which rows are told apart.
    """
    about = ("unit", *(("target",) if "target" in columns else ()), *apart)
    return order(en, it, when=(phase,), also=also, help=help, cost=cost, replaces=same(group or en, *about), **columns)


# Finding codes, and which rows count.


DIGITS = 9
SAYS = {
    "unknown_verb": role("ANA-001", verb="word", near="near"),
    "no_such_unit": role("ANA-002", x="word", near="near"),
    "no_such_place": role("ANA-002", x="word", near="near"),
    "not_yours": role("ANA-003", unit="word", owner="owner"),
    "replaced": role("ANA-005", "verb", unit="unit", verb="verb", order="order"),
    "missing": role("ANA-007", verb="verb", column="column"),
    "not_an_amount": role("ANA-008", x="word"),
    "ambiguous": role("ANA-009", x="word", a="a", b="b"),
    "overdrawn": role("ANA-301", "amount", need="cost", unit="unit", have="left"),
    "no_such_option": role("ANA-901", x="word", options="options"),
}
"""The Anarchy's codes of the findings that every ruleset has."""


def rows_of_day(f: Field) -> list[Request]:
    """The open rows of the day: first those to which a club gave a code (``D3-07``), by code, then the others."""
    return sorted(rows_of_phase(f), key=lambda one: ((2, 0, ""),) if one.row.order.startswith(
        f"{one.row.turn}-{one.row.phase}-{one.faction}-") else natural(one.row.order))


def take_rows(f: Field) -> list[Request]:
    """The phase's valid rows: the last of equal ones, with known verbs, units and columns.

    Rows of a day that is over (ANA-004) or of an unknown faction (ANA-002) are refused.
    """
    for row in [row for row in f.orders.open_rows(f.game.turn) if not row.status]:
        past = row.turn.isdecimal() and len(row.turn) <= DIGITS and int(row.turn) < f.day
        if past:
            refuse(f, Request(row, row.verb), Refused("ANA-004", "turn", t=row.turn, d=f.game.turn))
        elif row.turn == f.game.turn and row.faction not in f.factions:
            request = read_row(f.game.orders, f.campaign, row)
            if request.verb and f.game.takes in f.game.orders[request.verb].when:
                near = nearest(row.faction, f.factions.keys())
                refuse(f, request, Refused("no_such_unit", "faction", word=row.faction, near=near))
    rows, found = rows_of_day(f), []
    drop_replaced(f, [request for request in rows if request.verb])
    for request in rows:
        try:
            if not request.row.status and admit_rows(f, [request]):
                check_known(f, request)
                found.append(request)
        except Refused as why:
            refuse(f, request, why)
    return found


def check_known(f: Field, request: Request) -> None:
    """Refuse a unit that cannot be ordered, or a row without a column that its verb needs."""
    verb = f.game.orders[request.verb]
    unit = verb.kinds["unit"]
    if request.unit and isinstance(unit, ActingUnit):
        unit.own(f, request)
    for name in verb.needed():
        refuse_if(getattr(request, name) in ("", None, []), "missing", name, verb=request.verb, column=name)


# Money, counted over the day's rows.


def _spendable(f: Field, unit: str) -> int:
    """A group's purse without today's ransoms, which orders may spend from tomorrow on."""
    told = [e.data.get("halves") for e in f.events.of_turn(f.game.turn)
            if e.event == "ransomed" and e.data.get("to") == unit]
    return f.armies[unit].money - sum(n for n in told if isinstance(n, int))


PURSE = Purse(whose=lambda f, request: request.unit, left=_spendable, shown=pounds)
"""The purse of the group that acts."""


def afford(f: Field, request: Request, field: str) -> int:
    """The cost of a row. Raises `Refused` if its group has not so much now (ANA-301)."""
    cost, army = price(f, request), f.armies[request.unit]
    refuse_if(cost > army.money, "ANA-301", field, need=pounds(cost), unit=army.army, have=pounds(army.money))
    return cost


def count_money(f: Field, requests: list[Request]) -> list[Request]:
    """Refuse rows that overdraw their purses, in order of number (ANA-301). Returns all rows.

    A row that will be refused for another reason uses no money.
    """
    fresh = {fold(r.target) for r in requests if r.verb == "SPLIT" and not r.row.status}

    def taken(f: Field, request: Request) -> int | None:
        if request.row.status or not request.verb or f.game.orders[request.verb].cost is None:
            return None
        with suppress(Refused):
            check_known(f, request)
            if request.verb != "SPLIT" and not (request.verb == "TRANSFER" and fold(request.target) in fresh):
                column_values(f, request)
            return price(f, request)
        return None

    for request, why in PURSE.overdrawn(f, requests, taken):
        refuse(f, request, why)
    return requests


# Reports on rows, and carrying acts out on the march.


def tell_not_done(f: Field, request: Request, why: Refused) -> None:
    """Report an act that could not be done on the march, by a finding and an event."""
    own = book_refusal(why, SAYS)
    tell_refused(f, request, request.find(f, own.code, own.field or "verb", **own.data), "act_not_done")


def tell_refused(f: Field, request: Request, found: Finding, event: str = "order_refused") -> None:
    """Tell the faction in its report what was refused, and why."""
    finding = {"code": found.code, "table": found.where.table, "row": found.where.row, "field": found.where.field,
               "data": {k: v if isinstance(v, (int, str)) else str(v) for k, v in found.data.items()}}
    f.tell(event, f.own(request.faction), "orders", touch=[request.row], order=request.row.order, finding=finding)


def check_by_itself(f: Field, request: Request, army: Army, field: str) -> None:
    """Refuse a group that follows another (ANA-106)."""
    refuse_if(f.attached(army), "ANA-106", field, unit=army.army, employer=army.employer)


def check_at_large(f: Field, request: Request, army: Army, field: str) -> None:
    """Refuse a group in a besieged castle (ANA-104)."""
    refuse_if(f.shut(army), "ANA-104", field, unit=army.army, place=army.inside)


def check_may_fight(f: Field, request: Request, army: Army, field: str) -> None:
    """Refuse lone nobles, unarmed groups and escorts, who neither fight nor hire (ANA-011)."""
    reason = f.limited(army)
    refuse_if(reason, "ANA-011", field, unit=army.army, verb=request.verb, reason=reason)


WALKER = ActingUnit((Army,), then=(check_by_itself, check_at_large))
FIGHTER = ActingUnit((Army,), then=(check_by_itself, check_at_large, check_may_fight))


def act(en: str, it: str, target: Named, *, unit: ActingUnit = FIGHTER, **more: Any) -> Callable[[Deed], Verb]:
    """Declare a verb for an act on a hex of the march; see `day_order`."""
    return day_order(en, it, "movement", unit=unit, target=target, node=Hex(), **more)


def carry_out_act(f: Field, request: Request) -> None:
    """Carry out an act on the hex where the group is now; if that is impossible, report it."""
    try:
        verb = f.game.orders[request.verb]
        assert verb.deed is not None
        said, request.row.status = column_values(f, request), "accepted"
        verb.deed(f, request, *said)
    except Refused as why:
        request.row.status = "refused"
        tell_not_done(f, request, why)
