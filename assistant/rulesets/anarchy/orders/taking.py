"""How the rows of a day are taken: in sequence, the last of two alike, what purses hold; who may (rulebook: Orders)."""

from __future__ import annotations

from contextlib import suppress

from assistant.campaign.order import natural
from assistant.rulesets.anarchy.book.sheets import Army, pounds
from assistant.rulesets.anarchy.orders.columns import Unit
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.findings import Finding, nearest
from assistant.turn.orders.purses import Purse
from assistant.turn.orders.reading import read_row
from assistant.turn.orders.refusal import in_the_books_words, role
from assistant.turn.orders.request import Refused, Request, refuse_if
from assistant.turn.orders.taking import admitted, price, refuse, rows_of_phase, stand, without_replaced
from assistant.turn.orders.words import fold

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
"""The findings that every book has, under The Anarchy's codes."""


def rows_of_day(f: Field) -> list[Request]:
    """The open rows of the day: first those to which a club gave a code, by it (``D3-07``), then the others."""
    return sorted(rows_of_phase(f), key=lambda one: ((2, 0, ""),) if one.row.order.startswith(
        f"{one.row.turn}-{one.row.phase}-{one.faction}-") else natural(one.row.order))


def take(f: Field) -> list[Request]:
    """The rows that the phase reads and that stand: the last of those alike, known verbs, units and columns, neither of
    a day that is over (ANA-004) nor of a faction that there is not (ANA-002).
    """
    for row in [row for row in f.orders.lively(f.game.turn) if not row.status]:
        past = row.turn.isdecimal() and len(row.turn) <= DIGITS and int(row.turn) < f.day
        if past:
            refuse(f, Request(row, row.verb), Refused("ANA-004", "turn", t=row.turn, d=f.game.turn))
        elif row.turn == f.game.turn and row.faction not in f.factions:
            request = read_row(f.game.orders, f.campaign, row)
            if request.verb and f.game.takes in f.game.orders[request.verb].when:
                near = nearest(row.faction, f.factions.keys())
                refuse(f, request, Refused("no_such_unit", "faction", word=row.faction, near=near))
    rows, found = rows_of_day(f), []
    without_replaced(f, [request for request in rows if request.verb])
    for request in rows:
        try:
            if not request.row.status and admitted(f, [request]):
                known(f, request)
                found.append(request)
        except Refused as why:
            refuse(f, request, why)
    return found


def known(f: Field, request: Request) -> None:
    """Raise `Refused` for a unit that cannot be ordered, or a column without which the verb says nothing."""
    verb = f.game.orders[request.verb]
    unit = verb.kinds["unit"]
    if request.unit and isinstance(unit, Unit):
        unit.own(f, request)
    for name in verb.needed():
        refuse_if(getattr(request, name) in ("", None, []), "missing", name, verb=request.verb, column=name)


# --- money, counted down over the day's rows ------------------------------------------------------
def _spendable(f: Field, unit: str) -> int:
    """A group's purse without today's ransoms: orders written before the day spend them from tomorrow on."""
    told = [e.data.get("halves") for e in f.events.of_turn(f.game.turn)
            if e.event == "ransomed" and e.data.get("to") == unit]
    return f.armies[unit].money - sum(n for n in told if isinstance(n, int))


PURSE = Purse(whose=lambda f, request: request.unit, left=_spendable, shown=pounds)
"""The purse of the group that acts."""


def afford(f: Field, request: Request, field: str) -> int:
    """What a row costs, if its group has as much now. Raises `Refused` (ANA-301)."""
    cost, army = price(f, request), f.armies[request.unit]
    refuse_if(cost > army.money, "ANA-301", field, need=pounds(cost), unit=army.army, have=pounds(army.money))
    return cost


def count_money(f: Field, requests: list[Request]) -> list[Request]:
    """The rows, of which those that overdraw their purses are refused, in order of number (ANA-301); one that will be
    refused for something else takes nobody's money.
    """
    fresh = {fold(r.target) for r in requests if r.verb == "SPLIT" and not r.row.status}

    def taken(f: Field, request: Request) -> int | None:
        if request.row.status or not request.verb or f.game.orders[request.verb].cost is None:
            return None
        with suppress(Refused):
            known(f, request)
            if request.verb != "SPLIT" and not (request.verb == "TRANSFER" and fold(request.target) in fresh):
                stand(f, request)
            return price(f, request)
        return None

    for request, why in PURSE.overdrawn(f, requests, taken):
        refuse(f, request, why)
    return requests


# --- what is told of rows -------------------------------------------------------------------------
def not_done(f: Field, request: Request, why: Refused) -> None:
    """An act that could not be done on the march: a finding and an event."""
    own = in_the_books_words(why, SAYS)
    say_refused(f, request, request.find(f, own.code, own.field or "verb", **own.data), "act_not_done")


def say_refused(f: Field, request: Request, found: Finding, event: str = "order_refused") -> None:
    """The faction reads in its report what was refused, and why."""
    finding = {"code": found.code, "table": found.where.table, "row": found.where.row, "field": found.where.field,
               "data": {k: v if isinstance(v, (int, str)) else str(v) for k, v in found.data.items()}}
    f.tell(event, f.own(request.faction), "orders", touch=[request.row], order=request.row.order, finding=finding)


def by_itself(f: Field, request: Request, army: Army, field: str) -> None:
    """Who follows a group does nothing by itself (ANA-106)."""
    refuse_if(f.attached(army), "ANA-106", field, unit=army.army, employer=army.employer)


def at_large(f: Field, request: Request, army: Army, field: str) -> None:
    """Who is shut in waits (ANA-104)."""
    refuse_if(f.shut(army), "ANA-104", field, unit=army.army, place=army.inside)


def may_fight(f: Field, request: Request, army: Army, field: str) -> None:
    """Lone nobles, the unarmed and escorts neither fight nor hire (ANA-011)."""
    reason = f.limited(army)
    refuse_if(reason, "ANA-011", field, unit=army.army, verb=request.verb, reason=reason)


WALKER = Unit((Army,), then=(by_itself, at_large))
FIGHTER = Unit((Army,), then=(by_itself, at_large, may_fight))


def do_here(f: Field, request: Request) -> None:
    """Carry out an act on the hex where the group is now; what cannot be done is told in its report."""
    try:
        verb = f.game.orders[request.verb]
        assert verb.deed is not None
        said, request.row.status = stand(f, request), "accepted"
        verb.deed(f, request, *said)
    except Refused as why:
        request.row.status = "refused"
        not_done(f, request, why)
