"""How the rows of a day's orders are taken: read, put in order, replaced, refused (digest, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.rulesets.anarchy.realm import NEUTRAL, Realm, pounds
from assistant.rulesets.anarchy.records import Army, Order
from assistant.rulesets.anarchy.references import Refused, halves, men_of, one_of, points
from assistant.rulesets.anarchy.sheets import Convoy, Noble, Place, Prisoners, Train
from assistant.rulesets.anarchy.shorthand import understand, unknown_word
from assistant.rulesets.anarchy.verbs import MARCHES, PHASE_VERBS, VERBS, canonical_verb, fold
from assistant.turn.findings import Where, nearest

CELLS = ("unit", "target", "node", "path", "amount", "men", "choice", "note")
DIGITS = 9
NEEDED = {
    "SPLIT": ("target", "men"), "TRANSFER": ("target",), "MERGE": ("target",), "GARRISON": ("target", "men"),
    "ATTACH": ("target",), "DETACH": ("target",), "PAY": ("target",), "ESCORT": ("target",), "RANSOM": ("target",),
    "CONVOY": ("target", "amount"), "LOAD": ("target", "amount"), "UNLOAD": ("target", "amount"), "MOVE": ("path",),
    "RECRUIT": ("target", "men"), "ENGINEER": ("target",), "PROVISION": ("target",), "BUY": ("target", "amount"),
    "TAKE": ("target",), "HIRE": ("target",), "PROMISE": ("target", "amount"), "LURE": ("target",),
    "ATTACK": ("target",), "SACK": ("target",), "BESIEGE": ("target",), "ASSAULT": ("target",), "ENTER": ("target",),
    "POSTURE": ("choice",), "SUPPLY": ("choice",),
}
"""Columns that a verb needs beside its unit."""


@dataclass
class Request:
    """One row as understood: verb in English, unit by id."""

    row: Order
    verb: str
    unit: str = ""
    target: str = ""
    node: str = ""
    path: str = ""
    amount: int | str = ""
    men: str = ""
    choice: str = ""
    note: str = ""

    @property
    def faction(self) -> str:
        """Whose row it is."""
        return self.row.faction


def refuse(realm: Realm, request: Request, why: Refused) -> None:
    """Give the row its finding; an error sets its status and is told to its faction."""
    field = why.field or ("verb" if request.row.verb else "text")
    where = Where(Order.sheet, request.row.ident, field)
    found = realm.game.find(why.code, where, request.faction, **why.data)
    if found.stops:
        request.row.status = "refused"
        _say(realm, "order_refused", request, why, field)


def note(realm: Realm, request: Request, code: str, field: str = "unit", **data: Any) -> None:
    """A warning or information beside the row, which is carried out."""
    realm.game.find(code, Where(Order.sheet, request.row.ident, field), request.faction, **data)


def not_done(realm: Realm, request: Request, why: Refused) -> None:
    """An act that could not be done on the march: a finding and an event, the row stays accepted."""
    realm.game.find(why.code, Where(Order.sheet, request.row.ident, why.field or "verb"), request.faction, **why.data)
    _say(realm, "act_not_done", request, why, why.field or "verb")


def _say(realm: Realm, event: str, request: Request, why: Refused, field: str) -> None:
    row = request.row
    finding = {"code": why.code, "table": Order.sheet, "row": row.ident, "field": field,
               "data": {k: v if isinstance(v, (int, str)) else str(v) for k, v in why.data.items()}}
    realm.tell(event, realm.own(row.faction), "4", touch=[row], order=row.order, finding=finding)


# --- taking the rows ----------------------------------------------------------------------------
def read_row(realm: Realm, row: Order) -> Request:
    """Understand one row, from its cells or, where the verb is blank, from its words."""
    cells: dict[str, Any] = {name: getattr(row, name) for name in CELLS}
    verb = row.verb
    if not row.verb and row.text:
        got = understand(realm, row.text)
        if not got.problem:
            cells.update({k: v for k, v in got.fields.items() if k != "verb"})
            verb = str(got.fields.get("verb", ""))
    amount = cells.pop("amount")
    texts = {name: str(value or "").strip() for name, value in cells.items()}
    return Request(row, canonical_verb(verb), amount="" if amount is None else amount, **texts)


def of_today(realm: Realm) -> list[Request]:
    """All rows of the day that are still open, in order of their numbers (see `_number`)."""
    rows = [r for r in realm.campaign.table(Order).of_turn(realm.game.turn)
            if not r.status and (r.verb or r.text or r.unit or r.target)]
    return [read_row(realm, row) for row in sorted(rows, key=_number)]


def _number(row: Order) -> tuple[Any, ...]:
    """Where a row comes among those of its day: by the code that a club gave it (``D3-07``).

    A code that the assistant gave says nothing of the sequence, nor does the place of a row: such rows come after
    the others, those of one faction by their column No.
    """
    given = row.order.startswith(f"{row.turn}-{row.phase}-{row.faction}-")
    if not given:
        return (False, natural(row.order))
    return (True, natural(row.faction), row.seq is None, row.seq or 0, natural(row.order))


def take(realm: Realm, phase: str) -> list[Request]:
    """The rows that a phase reads: known verbs, known and own units, the last of duplicates."""
    _late(realm)
    standing = []
    for request in _without_duplicates(realm, of_today(realm)):
        if not request.verb:
            refuse(realm, request, _not_understood(realm, request.row))
        elif request.verb in PHASE_VERBS[phase]:
            try:
                _known(realm, request)
            except Refused as why:
                refuse(realm, request, why)
            else:
                standing.append(request)
    return standing


def _not_understood(realm: Realm, row: Order) -> Refused:
    """An unknown verb (ANA-001), or the word that has no place behind one that is known (ANA-002)."""
    verb, word = ("", "") if row.verb else unknown_word(realm, row.text)
    if verb:
        tables: tuple[Iterable[Any], ...] = (realm.armies, realm.places, realm.nobles, realm.convoys, realm.trains)
        known = [name for table in tables for one in table for name in (one.ident, one.name) if name]
        return Refused("ANA-002", "text", x=word, near=nearest(word, known))
    seen = row.verb or row.text
    return Refused("ANA-001", verb=seen, near=nearest(seen, [*VERBS, *(v.it for v in VERBS.values())]))


def _late(realm: Realm) -> None:
    """Open rows of days that are over (ANA-004)."""
    for row in realm.campaign.table(Order).lively(realm.game.turn):
        past = row.turn.isdecimal() and len(row.turn) <= DIGITS and int(row.turn) < realm.day
        if past and not row.status:
            refuse(realm, Request(row, row.verb), Refused("ANA-004", "turn", t=row.turn, d=realm.game.turn))


def _without_duplicates(realm: Realm, requests: list[Request]) -> list[Request]:
    def thing(r: Request) -> tuple[str, ...]:
        own = unit_meant(realm, r)
        # a row of somebody else's never stands in the place of the owner's
        unit = ("", own) if own else (r.faction, fold(r.unit))
        if r.verb in MARCHES:
            return ("march", *unit)
        verb = VERBS.get(r.verb)
        used = verb is None or "target" in verb.columns  # what stands there by mistake makes no difference
        target = _thing_named(realm, r.target) if used else ""
        return (r.verb, *unit, target, r.node if r.verb in ("PROVISION", "RECRUIT") else "")

    last = {thing(r): r for r in requests if r.verb}
    found = []
    for request in requests:
        stands = last.get(thing(request), request)
        if stands is not request:
            request.row.status = "replaced"
            note(realm, request, "ANA-005", "verb", unit=request.unit, verb=request.verb, order=stands.row.order)
        else:
            found.append(request)
    return found


def _known(realm: Realm, request: Request) -> None:
    """The unit is there, is the faction's and active, and the columns are filled (ANA-002, 003, 006, 007, 009)."""
    if not request.unit:
        raise Refused("ANA-007", "unit", verb=request.verb, column="unit")
    if realm.factions.get(request.faction) is None:
        raise Refused("ANA-002", "faction", x=request.faction, near=nearest(request.faction, realm.factions.keys()))
    if request.verb != "CONVOY":
        _own_unit(realm, request)
    for name in NEEDED.get(request.verb, ()):
        if getattr(request, name) in ("", None):
            raise Refused("ANA-007", name, verb=request.verb, column=name)


def _thing_named(realm: Realm, text: str) -> str:
    """The id of what a target names, or the text folded where it names nothing or two things."""
    wanted = fold(text)
    tables: tuple[Iterable[Any], ...] = (realm.armies, realm.places, realm.nobles, realm.convoys, realm.trains)
    rows = [row for table in tables for row in table if wanted and wanted in (fold(row.ident), fold(row.name))]
    exact = [row for row in rows if fold(row.ident) == wanted]
    found = exact or rows
    return fold(found[0].ident) if len(found) == 1 else wanted


def unit_meant(realm: Realm, request: Request) -> str:
    """The id of the unit that a row means, "" where there is none such or its faction does not command it."""
    if request.verb == "CONVOY" or not request.unit:
        return fold(request.unit)
    try:
        row = _unit_named(realm, request)
    except Refused:
        return ""
    return row.ident if _commands(realm, request, row) else ""


def own_requests(realm: Realm) -> list[Request]:
    """The open rows of the day whose faction commands their unit, which they name by its id."""
    found = []
    for request in of_today(realm):
        ident = unit_meant(realm, request) if request.verb else ""
        if ident:
            request.unit = ident
            found.append(request)
    return found


def _commands(realm: Realm, request: Request, row: Record) -> bool:
    """Whether a faction may order a unit: its own, a castle in its hands, free mercenaries; neutrals are one."""
    side = realm.side(request.faction)
    if isinstance(row, Place):
        return (row.holder or NEUTRAL) == side and (side == NEUTRAL or request.faction in realm.wardens(row))
    faction = str(row.faction)  # type: ignore[attr-defined]
    if request.verb == "MERCS" and isinstance(row, Army) and realm.unhired(row):
        return True
    return faction == request.faction or side == NEUTRAL == realm.side(faction)


def _unit_named(realm: Realm, request: Request) -> Record:
    """The row of the unit that an order names (ANA-002, 009)."""
    rows: list[Record] = []
    if request.verb in ("LOAD", "UNLOAD"):
        rows = list(realm.convoys)
    elif request.verb == "SURRENDER":
        rows = [p for p in realm.places if p.castle]
    elif request.verb == "SALLY":
        rows = [*realm.armies, *(p for p in realm.places if p.castle)]
    elif request.verb in ("MOVE", "HOLD"):
        rows = [*realm.armies, *realm.convoys, *realm.trains]
    else:
        rows = list(realm.armies)
    ident = one_of(request.unit, ((r.ident, str(getattr(r, "name", ""))) for r in rows), "unit")
    return next(r for r in rows if r.ident == ident)


def _own_unit(realm: Realm, request: Request) -> None:
    """It is there, the faction's, and on the map (ANA-002, 003, 006, 009)."""
    row = _unit_named(realm, request)
    request.unit = row.ident
    if not _commands(realm, request, row):
        owner = realm.wardens(row)[0] if isinstance(row, Place) else str(row.faction)  # type: ignore[attr-defined]
        allied = realm.side(owner) == realm.side(request.faction)
        raise Refused("ANA-003", "unit", unit=request.unit, owner=owner if allied else realm.side(owner))
    state = getattr(row, "state", "active")
    entering = isinstance(row, Army) and state == "awaited" and row.enters_on == realm.day
    if state != "active" and not entering:
        raise Refused("ANA-006", "unit", unit=request.unit, state=state)


# --- what orders name ---------------------------------------------------------------------------
def army_named(realm: Realm, text: str, field: str = "target") -> Army:
    """A group by id or name (ANA-002, 009)."""
    return realm.armies[one_of(text, ((a.army, a.name) for a in realm.armies), field)]


def place_named(realm: Realm, text: str, field: str = "target") -> Place:
    """A place by id or name (ANA-002, 009); one that is not built yet is ANA-407."""
    place = realm.places[one_of(text, ((p.place, p.name) for p in realm.places), field)]
    if not place.exists:
        raise Refused("ANA-407", field, place=place.place)
    return place


def noble_named(realm: Realm, text: str, field: str = "target") -> Noble:
    """A noble by id or name (ANA-002, 009)."""
    return realm.nobles[one_of(text, ((n.noble, n.name) for n in realm.nobles), field)]


def follower_named(realm: Realm, text: str) -> Army | Convoy | Train:
    """Mercenaries, a convoy or a train by id or name (ANA-002, 009)."""
    rows: Sequence[Any] = [*realm.armies, *realm.convoys, *realm.trains]
    found = one_of(text, ((r.ident, r.name) for r in rows), "target")
    row: Army | Convoy | Train = next(r for r in rows if r.ident == found)
    return row


def captives_named(realm: Realm, text: str) -> Prisoners:
    """A prisoners' record by id (ANA-002)."""
    return realm.prisoners[one_of(text, ((p.prisoners, "") for p in realm.prisoners), "target")]


def same_hex(a: Any, b: Any, field: str = "target") -> None:
    """Both must stand on one hex (ANA-203)."""
    if a.node != b.node:
        raise Refused("ANA-203", field, a=a.ident, x=a.node, b=b.ident, y=b.node)


def carry_out(realm: Realm, request: Request, deed: Callable[[Realm, Request], None]) -> bool:
    """Do what the row asks; a refusal becomes its finding. Whether it was done."""
    try:
        deed(realm, request)
    except Refused as why:
        refuse(realm, request, why)
        return False
    request.row.status = "accepted"
    return True


# --- money, counted down over the day's rows ------------------------------------------------------
def price(realm: Realm, request: Request) -> int:
    """What a row costs its unit's purse, in halves. Raises `Refused`."""
    rules, verb = realm.rules, request.verb
    if verb in ("TRANSFER", "SPLIT"):
        return halves(request.amount)
    if verb in ("PAY", "HIRE", "LURE"):
        each = rules.lure_price if verb == "LURE" else rules.merc_price
        return 2 * int(each) * realm.heads(army_named(realm, request.target))
    if verb == "RANSOM":
        return 2 * int(rules.ransom_per_prestige) * noble_named(realm, request.target).prestige
    if verb == "BUY":
        return 2 * int(rules.convoy_price) * (points(request.amount) or 0)
    if verb == "RECRUIT":
        men = men_of(realm, request.men)
        return (2 * int(rules.recruit_light) * men.ranks.get("light", 0)
                + halves(rules.recruit_peasant) * men.ranks.get("peasants", 0))
    return 2 * int(rules.engineer_price) if verb == "ENGINEER" else 0


def count_money(realm: Realm, requests: Iterable[Request]) -> list[Request]:
    """The rows that their purses can pay, in order of number; the one that overdraws is refused (ANA-301)."""
    left: dict[str, int] = {}
    standing = []
    for request in requests:
        army = realm.armies.get(request.unit)
        if army is None or request.row.status:
            standing.append(request)
            continue
        try:
            _may_stand(realm, request)
            cost = price(realm, request)
        except Refused:  # what is wrong with it is said where it is carried out; it takes nobody's money
            standing.append(request)
            continue
        have = left.setdefault(army.army, army.money - _income(realm, army))
        if cost > have:
            refuse(realm, request, Refused("ANA-301", "amount", need=pounds(cost), unit=army.army, have=pounds(have)))
            continue
        left[army.army] = have - cost
        standing.append(request)
    return standing


def _may_stand(realm: Realm, request: Request) -> None:
    """Raise `Refused` for a row that asks for money and will be refused for something else than money."""
    from assistant.rulesets.anarchy.standing import check_standing  # which reads orders, as this module does

    _known(realm, request)
    check_standing(realm, request)


def _income(realm: Realm, army: Army) -> int:
    """Ransoms of today, which may be spent from tomorrow on by orders written before the day."""
    from assistant.campaign.records import Event

    told = [e.data.get("halves") for e in realm.campaign.table(Event).of_turn(realm.game.turn)
            if e.event == "ransomed" and e.data.get("to") == army.army]
    return sum(halves for halves in told if isinstance(halves, int))


__all__ = ["DIGITS", "Request", "army_named", "captives_named", "carry_out", "count_money", "follower_named",
           "noble_named", "not_done", "note", "of_today", "own_requests", "place_named", "refuse", "same_hex", "take",
           "unit_meant"]
