"""Movement and encounters: activations in order of march, then standoffs (chapters 6 to 8, 10 to 15).

See rulebook: Movement and encounters.
"""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.anarchy.book.records import Army, Battle
from assistant.rulesets.anarchy.march.activation import activate
from assistant.rulesets.anarchy.march.acts import attack
from assistant.rulesets.anarchy.march.dealing import DEALS
from assistant.rulesets.anarchy.march.encounters import attacked
from assistant.rulesets.anarchy.orders.taking import not_done
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, NEUTRAL
from assistant.turn.findings import Where
from assistant.turn.orders.refusal import Refused


def activations(f: Field) -> None:
    """M2, M3: the order of march, and every unit once."""
    f.march = f.order_of_march([u for u in f.sallies if u in f.places])
    f.tell("order_of_march", ALL, "6", touch=counters(f), list=" ".join(f.march))
    for unit in f.march:
        activate(f, unit)


def night_falls(f: Field) -> None:
    """M5: groups that are too small, the counters, and what is left of orders and battles."""
    f.dissolve_small()
    f.horsemen()
    _left_over(f)
    f.unasked()
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
    return f.horsemen()


# --- M4: standoffs (rulebook: Standoffs) ------------------------------------------------------------
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
        choice = f.game.choose(asked)
    if choice == "attack":
        attacked(f, entrant, enemies[0], entrant)
        return True
    f.retreat(entrant, f.heading.get(enemies[0].army, ""))
    return False


# --- what is left -------------------------------------------------------------------------------------
def _left_over(f: Field) -> None:
    """Acts whose hex was not reached, and all other orders that were used."""
    deals = [verb.en for verb in DEALS]
    for requests in f.acts.values():
        for request in requests:
            if request.row.status:
                continue
            request.row.status = "accepted"
            unit = f.armies.get(request.unit)
            goal = request.node or (f.goal_of(request.unit) if request.verb in deals else "")
            there = (request.unit, goal) in f.visited or (unit is not None and unit.node == goal)
            if request.verb not in (*deals, attack.en) or (goal and not there):
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
