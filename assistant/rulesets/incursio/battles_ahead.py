"""Battles that may come: the orders of the day, or a line that somebody types, in; what they may come to out.

Rulebook: Chances.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Mission, Node, Road, Structure
from assistant.rulesets.incursio.day.assault import furious, take_attacks
from assistant.rulesets.incursio.day.battle_chances import Reckoning
from assistant.rulesets.incursio.day.duels import Ground
from assistant.rulesets.incursio.day.fights import Fight
from assistant.rulesets.incursio.orders.choosing import codes
from assistant.rulesets.incursio.orders.judging import said
from assistant.rulesets.incursio.realm.realm import BOTH, OTHER, Realm
from assistant.rulesets.incursio.realm.units import joined, read_units
from assistant.turn.findings import Finding
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import rows_of_phase
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.throws.prospects import End, LeftOut, NotUnderstood, Prospect
from assistant.turn.told import Said

ENDS = ("destroyed", "taken", "driven_off", "undecided")
ASSAULTS = ("first_assault", "second_assault")
EXAMPLE = "TrAsDi > F / FAC 04 12x2 power 6"
FIGHTING = ("garrison_wins_ties", "attack_neighbours", "defence_", "engine_")
"""How the effects of structures begin that count in a battle."""
BESIDE = "attack_neighbours"
"""The effect of structures that help from a settlement nearby."""


# --- the orders of the day -------------------------------------------------------------------------------------
def ahead(ruleset: Ruleset, campaign: Campaign) -> list[Prospect | LeftOut]:
    """Each ATTACK that the assaults to come would fight, as the units stand now; of those refused why."""
    found: list[Prospect | LeftOut] = []
    for side in _to_come(ruleset, campaign):
        work = campaign.copy()
        work.desk.phase = ASSAULTS[0]  # each side is asked as if it were its turn now
        realm = Realm(ruleset.game(work))
        realm.day.first = side
        attacks = [one.row for one in rows_of_phase(realm) if one.verb == "attack" and one.faction == side]
        take_attacks(realm)
        found += [_of_order(realm, request) for request in realm.taken]
        found += [LeftOut(row.order, _why(realm, row)) for row in attacks if row.status in ("refused", "replaced")]
    return found


def _why(realm: Realm, row: Order) -> Finding:
    """What is said of a line that does not count."""
    said_of_it = [one for one in realm.game.findings if one.where.table == row.sheet and one.where.row == row.order]
    return next((one for one in said_of_it if one.stops), said_of_it[-1])


def _to_come(ruleset: Ruleset, campaign: Campaign) -> tuple[str, ...]:
    """The sides whose assault of the day is still to come, the first first."""
    ids, desk = list(ruleset.phase_ids(campaign)), campaign.desk
    if desk.phase not in ids:
        return ()
    realm = Realm(ruleset.game(campaign.copy()))
    sides = (realm.side(0), realm.side(1)) if realm.side(0) else BOTH
    return tuple(side for side, phase in zip(sides, ASSAULTS, strict=True)
                 if ids.index(desk.phase) <= ids.index(phase))


def _of_order(realm: Realm, request: Request) -> Prospect:
    """One attack of a line."""
    origin, target, side = said(request, "node"), said(request, "to_node"), request.faction
    fight = Fight(Ground(realm, "", origin, realm.nodes[target], side), realm.plans[request.row.order])
    lines = [codes(line) for line in (fight.att, fight.outside, fight.garrison)]
    title = Said(N_("Order {order}, {node:the} → {to_node:the}: {units}"), {
        "order": request.row.order, "node": origin, "to_node": target, "units": _written(side, *lines)})
    where = {"order": request.row.order, "faction": side, "node": origin, "to_node": target}
    if not (lines[1] or lines[2]):
        end = End("walkover" if realm.is_home(target, OTHER[side]) else "nobody")
        return Prospect(title, (end.outcome,), 0, lambda: {end: 1}, lambda _: end, {**where, **_plain(*lines)})
    fury = bool(said(request, "fury")) and furious(realm, side)
    return _prospect(title, Reckoning(fight.ground, *lines, fury=fury), where)


def _prospect(title: Said, battle: Reckoning, where: dict[str, Any]) -> Prospect:
    return Prospect(title, ENDS, battle.dice, battle.exact, battle.throw, {**where, **_plain(*battle.start[:3])},
                    battle.within)


def _plain(att: Iterable[str], outside: Iterable[str], garrison: Iterable[str]) -> dict[str, str]:
    return {"attackers": joined(att), "open": joined(outside), "garrison": joined(garrison)}


def _written(side: str, att: Iterable[str], outside: Iterable[str], garrison: Iterable[str]) -> str:
    """A battle as it may be typed; demons have no garrison."""
    defenders = joined(outside) if side == ESDEF else f"{joined(outside) or '-'} / {joined(garrison) or '-'}"
    return f"{joined(att)} > {defenders or '-'}"


# --- a battle that is typed -------------------------------------------------------------------------------------
class _Typed(NamedTuple):
    """What stands behind the units. `structures`: with their copies; `power`: None for the campaign's."""

    structures: dict[str, int]
    power: int | None
    watch: bool
    fury: bool
    bare: bool


_MODIFIER = re.compile(
    r"(?:(?P<power>power|potere)\s*(?P<step>\d)|(?P<watch>watch|veglia)|(?P<fury>fury|furia)|(?P<bare>open|fuori)"
    r"|(?P<structure>\d{1,2})(?:[x*](?P<copies>[1-9]))?)(?=\s|$)\s*",
    re.IGNORECASE)


def typed(ruleset: Ruleset, campaign: Campaign, text: str) -> Prospect | NotUnderstood:
    """A battle as somebody writes it: attackers, ``>``, defenders (those outside, ``/``, the garrison), modifiers."""
    left, arrow, right = text.partition(">")
    side = next((one for one in BOTH if read_units(left, one)), "")
    match = re.match(r"[\s/-]*(?:(?:\d{0,2}(?:Tr|As|Di|[FAC]))+(?![A-Za-z])[\s/-]*)+", right, re.IGNORECASE)
    if not (side and arrow and match):
        return NotUnderstood(text, EXAMPLE)
    realm = Realm(ruleset.game(campaign.copy()))
    said_behind = _modifiers(realm, right[match.end():])
    if isinstance(said_behind, NotUnderstood):
        return said_behind
    if said_behind.power is not None:
        realm.factions[VARANNAH].power_step = said_behind.power
    before, stroke, behind = match[0].partition("/")
    bare = bool(stroke) or said_behind.bare or side == ESDEF
    lines = [_line(part, OTHER[side]) for part in ((before, behind) if bare else ("", before))]
    wrong = match[0].strip() if None in lines else _cannot_be(realm, side, lines, said_behind)
    if wrong is not None:
        return NotUnderstood(wrong, EXAMPLE)
    units, outside, garrison = read_units(left, side) or [], lines[0] or [], lines[1] or []
    title = Said(N_("As described: {units}"), {"units": " ".join(text.split())})
    battle = Reckoning(_board(realm, side, said_behind), units, outside, garrison, fury=said_behind.fury)
    return _prospect(title, battle, {"described": text, "faction": side})


def _line(text: str, side: str) -> list[str] | None:
    """The units of a line, [] for nobody, None for what are no units of that side."""
    bare = text.strip(" -")
    return read_units(bare, side) if bare else []


def _modifiers(realm: Realm, text: str) -> _Typed | NotUnderstood:
    """What is said behind the units; the first word that says nothing, or more than can stand in one place."""
    structures: dict[str, int] = {}
    power, watch, fury, bare = None, False, False, False
    rest = text.strip()
    while rest:
        match = _MODIFIER.match(rest)
        if match is None:
            return NotUnderstood(rest.split()[0], EXAMPLE)
        if match["structure"]:
            structure = f"{int(match['structure']):02}"
            row = realm.types.get(structure)
            if row is None or not row.effect.startswith(FIGHTING):
                return NotUnderstood(match["structure"], EXAMPLE)
            structures[structure] = structures.get(structure, 0) + int(match["copies"] or 1)
            if structures[structure] > row.limit:
                return NotUnderstood(match[0].strip(), EXAMPLE, row.limit)
        elif match["power"]:
            power = int(match["step"])
        watch, fury, bare = (was or bool(match[name]) for was, name in (
            (watch, "watch"), (fury, "fury"), (bare, "bare")))
        rest = rest[match.end():]
    return _Typed(structures, power, watch, fury, bare)


def _cannot_be(realm: Realm, side: str, lines: list[list[str] | None], more: _Typed) -> str | None:
    """What of a typed battle the rules do not know: nobody who defends, a garrison of demons or in the open, fury
    without power 5, structures that help the other side; None where all is well.
    """
    if not any(lines):
        return "-"
    if lines[1] and (side == ESDEF or more.bare):
        return "/"
    if more.fury and not furious(realm, side):
        return "fury"
    helps = {code: realm.types[code].effect == BESIDE for code in more.structures}
    return next((code for code, beside in helps.items() if beside != (side == ESDEF)), None)


def _board(realm: Realm, side: str, more: _Typed) -> Ground:
    """A place of its own, with a way to it and a settlement beside it, on the copy of the campaign."""
    number = max((int(key) for key in realm.nodes.keys_in_file_order() if key.isdecimal()), default=0)
    place, origin, beside = (str(number + n) for n in (1, 2, 3))
    kind = "empty" if more.bare else "ruin" if side == ESDEF else "settlement"
    realm.nodes.add(Node(node=place, kind=kind, level=1 if kind == "settlement" else 0))
    realm.nodes.add(Node(node=origin, kind="empty", level=0))
    realm.nodes.add(Node(node=beside, kind="settlement", level=1))
    for a, b in ((origin, place), (origin, beside), (place, beside)):
        realm.campaign.table(Road).add(Road(a=a, b=b, kind="grey"))
    for structure, copies in more.structures.items():
        realm.structures.add(Structure(node=beside if side == ESDEF else place, structure=structure, copies=copies))
    if more.watch:
        realm.missions.add(Mission(day=realm.game.turn, player="?", mission="watch", target=place))
    return Ground(realm, "", origin, realm.nodes[place], side)
