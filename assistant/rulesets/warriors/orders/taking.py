"""Which rows of a phase count: each is judged by itself, then those about one thing, then what all of them take.

In go the rows that the phase reads; those that stand come out, and the others have a finding.

See rulebook: What is refused.
"""

from __future__ import annotations

from typing import Any

from assistant.campaign.columns import number
from assistant.campaign.record import Record
from assistant.rulesets.warriors.book.records import Order
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.orders.called_by import called_so
from assistant.turn.findings import nearest
from assistant.turn.orders.reading import read_row
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import refuse, rows_of_phase

PURPOSES = {"order": "order", "move": "move", "sail": "move", "contact": "contact", "initiative": "initiative"}
"""Verbs -> what they are about; purchases add up."""
FREE = ("note",)
"""Columns that any row may fill."""


def take(land: Country) -> list[Request]:
    """The rows of the phase that count, in the order in which they were numbered."""
    standing = [request for request in _of_this_phase(land) if judged(land, request)]
    standing = counting(land, standing)
    for request in standing:
        request.row.status = "accepted"
    return standing


def _of_this_phase(land: Country) -> list[Request]:
    """Open rows that the phase reads; those of turns that are over are told (WAR-011), unknown verbs as well."""
    book, takes = land.game.orders, land.game.takes
    found = []
    late = [row for row in land.campaign.table(Order).open_rows(land.game.turn) if not row.status
            and row.turn.isdecimal() and int(row.turn) < land.turn]
    for row in late:
        request = read_row(book, land.campaign, row, reads=land.game.reads)
        if not request.verb or takes in book[request.verb].when:
            refuse(land, request, Refused("WAR-011", "turn", turn=row.turn, now=land.game.turn))
    for request in rows_of_phase(land):
        if request.verb and takes in book[request.verb].when:
            found.append(request)
        elif not request.verb and land.plays(request.faction):
            refuse(land, request, request.why or Refused("unknown_verb", word=request.row.verb or request.row.text,
                                                         near=""))
        elif not request.verb:
            refuse(land, request, Refused("WAR-005", "faction", faction=request.faction))
    return found


def judged(land: Country, request: Request) -> bool:
    """Whether a row can stand by itself; else it is refused for the first thing that is wrong with it."""
    verb = land.game.orders[request.verb]
    assert verb.deed is not None
    try:
        if not land.plays(request.faction):
            raise Refused("WAR-005", "faction", faction=request.faction)
        missing = [name for name in verb.needed() if getattr(request, name) in ("", None, [])]
        if missing:
            raise Refused("missing", missing[0], verb=request.verb, column=" ".join(missing))
        for name in land.game.orders.cells:
            if name not in verb.columns and name not in FREE and request.raw.get(name) not in ("", None, []):
                request.find(land, "WAR-007", name, verb=request.verb, column=name)
                ignore(request, name)
        verb.deed(land, request)
    except Refused as why:
        refuse(land, request, why)
        return False
    return True


def ignore(request: Request, name: str) -> None:
    """A column that the verb has no use for says nothing, so that rows are alike which differ in it alone."""
    if name in request.more:
        request.more[name] = ""
    setattr(request, name, type(getattr(request, name))())


def code_in(land: Country, request: Request, record: type[Record], name: str) -> str:
    """The code in a column, also where a cell calls by its name what a line could call so. Raises `Refused`
    (ambiguous).
    """
    code, words = str(getattr(request, name)), request.typed(name).split()
    if words and code not in land.campaign.table(record):
        code = called_so(land.campaign, request.faction, (record,), words) or code
        setattr(request, name, code)
        request.more |= {name: code} if name in request.more else {}
    return code


def own_force(land: Country, request: Request) -> Army:
    """The Force that a row is for. Raises `Refused` (WAR-002 to 004)."""
    code = code_in(land, request, Army, "army")
    army = land.armies.get(code)
    if army is None or (army.faction != request.faction and not may_know(land, request.faction, army)):
        mine = [one.army for one in land.armies if one.faction == request.faction]
        raise Refused("no_such_unit", "army", word=code, near=nearest(code, mine), list=" ".join(mine))
    if army.faction != request.faction:
        raise Refused("not_yours", "army", word=code, owner=army.faction)
    if not army.active:
        raise Refused("WAR-004", "army", army=code, status=army.status)
    return army


def may_know(land: Country, faction: str, army: Army) -> bool:
    """Whether a faction may know of a Force where it stands."""
    return land.rules.fog == "open" or land.friendly(army.faction, faction) or (
        army.active and land.sees(faction, army.node))


# --- rows about one thing -------------------------------------------------------------------------
def counting(land: Country, standing: list[Request]) -> list[Request]:
    """Of the rows about one thing the last (WAR-008 to 010); of purchases that are alike in all, one."""
    groups: dict[tuple[str, ...], list[Request]] = {}
    for place, request in enumerate(standing):
        request.note = ""  # what somebody remarks makes no other order
        about = PURPOSES.get(request.verb)
        own = ("", str(number(request.row.seq)), str(request.says())) if about is None and number(
            request.row.seq) is not None else (about or str(place), str(getattr(request, "army", "")), "")
        groups.setdefault((request.faction, *own), []).append(request)
    kept = {id(one) for rows in groups.values() for one in _last(land, rows)}
    return [request for request in standing if id(request) in kept]


def _last(land: Country, rows: list[Request]) -> list[Request]:
    """The row that counts, in a list; none where two of the highest number contradict each other."""
    def rank(request: Request) -> tuple[bool, int]:
        seq = number(request.row.seq)
        return (seq is None, rows.index(request) if seq is None else seq)

    top = max(map(rank, rows))
    highest = [one for one in rows if rank(one) == top]
    seq = highest[0].row.seq if highest[0].row.seq is not None else highest[0].row.order
    for one in rows:
        if one not in highest:
            _gives_way(land, one, "WAR-010" if one.says() == highest[0].says() else "WAR-008", seq)
    if any(one.says() != highest[0].says() for one in highest):
        for one in highest:
            refuse(land, one, Refused("WAR-009", "seq", seq=seq))
        return []
    for one in highest[1:]:
        _gives_way(land, one, "WAR-010", seq)
    return highest[:1]


def _gives_way(land: Country, request: Request, code: str, seq: Any) -> None:
    request.row.status = "replaced"
    request.find(land, code, "seq", seq=seq)
