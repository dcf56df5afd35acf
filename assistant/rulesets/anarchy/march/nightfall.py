"""The end of the movement: orders to which nothing came and why, battles that were not fought (rulebook: Orders)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.anarchy.book.sheets import Army, Convoy
from assistant.rulesets.anarchy.march.acts import attack
from assistant.rulesets.anarchy.march.dealing import DEALS, buying
from assistant.rulesets.anarchy.march.reading_moves import home_of
from assistant.rulesets.anarchy.orders.columns import target_of
from assistant.rulesets.anarchy.orders.taking import afford, not_done
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.orders.request import Refused, Request, refuse_if
from assistant.turn.orders.taking import stand

WITH_SOMEBODY = frozenset(verb.en for verb in (*DEALS, attack))
"""Acts about somebody who walks: a deal, an attack."""


def night_falls(f: Field) -> None:
    """M5: groups that are too small, the counters, orders to which nothing came, battles that a changed order left
    without a fight (ANA-807).
    """
    f.dissolve_small()
    f.horsemen()
    for request in (one for requests in f.acts.values() for one in requests):
        if not request.row.status:
            _tell(f, request, _why_not(f, request))
    for request in (*f.lifts.values(), *f.sallies.values()):
        if not request.row.status:
            _tell(f, request, _no_siege(f, request))
    for request in f.moves.values():
        request.row.status = request.row.status or "accepted"
    f.unasked()
    for row in f.battles:
        if row.turn == f.game.turn and row.battle not in f.fought:
            if row.outcome:
                f.find("ANA-807", row, "battle", b=row.battle)
            row.status = "void"


def _tell(f: Field, request: Request, why: Refused) -> None:
    """The row is closed; the faction reads why nothing came of it."""
    request.row.status = "accepted"
    not_done(f, request, why)
    if f.game.findings[-1].stops:
        request.row.status = "refused"


def _over(f: Field, request: Request, node: str) -> Refused:
    return Refused("ANA-114", "verb", verb=request.verb, hex=node, unit=request.unit, why="over")


def _no_siege(f: Field, request: Request) -> Refused:
    """Neither lifted nor fallen upon: the siege was over before, or the day of the group was."""
    group = f.armies.get(request.unit)
    place = f.places.get(request.unit if group is None else group.inside or group.besieging)
    if place is not None and not f.besiegers(place):
        return Refused("ANA-412", "unit", place=place.place)
    return _over(f, request, place.node if group is None and place is not None else f.armies[request.unit].node)


def _why_not(f: Field, request: Request) -> Refused:
    """Why nothing came of an act: its hex was not reached, the day was over, nobody was met, they did not agree."""
    with_somebody = request.verb in WITH_SOMEBODY
    last = f.goals.get(request.unit) or next(iter(f.ways.get(request.unit, [])[-1:]), "")
    goal = request.node or (last if with_somebody else home_of(f, request))
    unit = f.armies[request.unit]
    there = (request.unit, goal) in f.visited or unit.node == goal
    if not there and (goal or not with_somebody):
        return Refused("ANA-114", "node" if request.node else "verb", verb=request.verb, hex=goal, unit=request.unit)
    about = target_of(f, request)
    if about is not None and frozenset((unit.army, about.ident)) in f.met:
        return _no_bargain(f, request, unit, about)
    if about is None or not f.able(unit):
        return _over(f, request, goal or unit.node)
    if about.node != unit.node:
        return Refused("ANA-203", "target", a=unit.army, x=unit.node, b=about.ident, y=about.node)
    return Refused("ANA-114", "target", verb=request.verb, hex=unit.node, unit=unit.army, b=about.ident, why="unmet")


def _no_bargain(f: Field, request: Request, unit: Army, about: Any) -> Refused:
    """They met, and nothing came of it: what forbids it now, what the purse lacks, or what they made of each other."""
    buys = request.verb == buying.en
    try:
        stand(f, request)
        if buys and isinstance(about, Convoy):  # nothing was bought: the cart is empty, the purse, or nobody is hungry
            refuse_if(not about.cargo, "ANA-406", "target", place=about.convoy)
        if f.game.orders[request.verb].cost is not None and (isinstance(about, Convoy) or not buys):
            afford(f, request, "unit")
    except Refused as why:
        return why
    if buys and isinstance(about, Convoy):
        return Refused("ANA-411", "target", unit=unit.army, place=about.convoy)
    return Refused("ANA-114", "target", verb=request.verb, hex=unit.node, unit=unit.army, b=about.ident, why="parted")
