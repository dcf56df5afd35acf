"""Movement and encounters: activations in order of march, then standoffs (digest 5.6; chapters 6 to 8, 10 to 15)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.anarchy.activation import activate
from assistant.rulesets.anarchy.answers import choose, unasked
from assistant.rulesets.anarchy.backing import retreat
from assistant.rulesets.anarchy.change import dissolve_small
from assistant.rulesets.anarchy.encounters import attacked
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import count_money, not_done, take
from assistant.rulesets.anarchy.paces import horsemen, order_of_march
from assistant.rulesets.anarchy.reading_moves import sort_orders
from assistant.rulesets.anarchy.realm import ALL, NEUTRAL
from assistant.rulesets.anarchy.records import Army, Battle
from assistant.rulesets.anarchy.references import Refused
from assistant.rulesets.anarchy.verbs import DEALS
from assistant.turn.findings import Where
from assistant.turn.game import Game


def movement(game: Game) -> None:
    """M1 to M5: entries, the order of march, every unit once, standoffs, groups that are too small."""
    f = Field(game)
    entries(f)
    requests = [r for r in count_money(f, take(f, "movement")) if not r.row.status]
    sort_orders(f, requests)
    f.march = order_of_march(f, [u for u in f.sallies if u in f.places])
    f.tell("order_of_march", ALL, "6", touch=counters(f), list=" ".join(f.march))
    for unit in f.march:
        activate(f, unit)
    standoffs(f)
    dissolve_small(f)
    horsemen(f)
    _left_over(f)
    unasked(f)
    _battles_not_fought(f)


def entries(f: Field) -> None:
    """M1: groups that are awaited today come onto the map."""
    for army in f.armies:
        if army.state == "awaited" and army.enters_on == f.day:
            army.state = "active"
            f.tell("arrived", ALL, "6", touch=[army], unit=army.army, hex=army.node)


def counters(f: Field) -> list[Army]:
    """What all see of the groups today: their place in the order of march, and who has only knights."""
    place = {unit: number for number, unit in enumerate(f.march, 1)}
    for army in f.armies:
        army.march = place.get(army.army)
    return horsemen(f)


# --- M4: standoffs (6.6) ----------------------------------------------------------------------------
def standoffs(f: Field) -> None:
    """Hexes in rising code on which both sides stand: the last to arrive attacks or withdraws."""
    for node in sorted({a.node for a in f.active()}):
        tried: set[str] = set()
        while True:
            groups = _facing(f, node)
            left = [a for a in groups if a.army not in tried]
            if len({f.side(a.faction) for a in groups}) < 2 or not left:
                break
            entrant = max(left, key=lambda a: (f.arrivals.get(a.army, 0), natural(a.army)))
            attacked_now = _standoff(f, entrant, [a for a in groups if f.side(a.faction) != f.side(entrant.faction)])
            # an attack may leave other enemies there: being spent, the entrant then withdraws before anybody else
            if not attacked_now or entrant.army not in f.spent:
                tried.add(entrant.army)


def _facing(f: Field, node: str) -> list[Army]:
    return [a for a in f.at(node) if not a.inside and not f.attached(a) and f.side(a.faction) != NEUTRAL
            and not f.safe(a)]


def _standoff(f: Field, entrant: Army, enemies: list[Army]) -> bool:
    """The last to arrive attacks, or falls back if it can. Whether it has attacked."""
    node = entrant.node
    choice = "withdraw"
    if entrant.army not in f.spent and not f.limited(entrant):
        asked = f.question("standoff", entrant.faction, f"{entrant.army}/{node}", ("attack", "withdraw"), "withdraw",
                           unit=entrant.army, met=enemies[0].army, hex=node)
        choice = choose(f, asked)
    if choice == "attack":
        attacked(f, entrant, enemies[0], entrant)
        return True
    retreat(f, entrant, f.heading.get(enemies[0].army, ""))
    return False


# --- what is left -------------------------------------------------------------------------------------
def _left_over(f: Field) -> None:
    """Acts whose hex was not reached, and all other orders that were used."""
    for requests in f.acts.values():
        for request in requests:
            if request.row.status:
                continue
            request.row.status = "accepted"
            unit = f.armies.get(request.unit)
            goal = request.node or (f.goal_of(request.unit) if request.verb in DEALS else "")
            there = (request.unit, goal) in f.visited or (unit is not None and unit.node == goal)
            if request.verb not in (*DEALS, "ATTACK") or (goal and not there):
                place = f.places.get(request.target)
                where = goal or (place.node if place is not None else request.target)
                not_done(f, request, Refused("ANA-114", "node" if request.node else "verb", verb=request.verb,
                                             hex=where, unit=request.unit))
    for request in (*f.moves.values(), *f.lifts.values(), *f.sallies.values()):
        request.row.status = request.row.status or "accepted"


def _battles_not_fought(f: Field) -> None:
    """Battles of today that a changed order left without a fight (ANA-807)."""
    for row in f.battles:
        if row.turn == f.game.turn and row.battle not in f.fought:
            if row.outcome:
                f.game.find("ANA-807", Where(Battle.sheet, row.battle, "battle"), b=row.battle)
            row.status = "void"


__all__ = ["entries", "movement", "standoffs"]
