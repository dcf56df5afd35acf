"""What all orders share, and the orders of spring and summer alike: works, garrisons, transfers, payments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.campaign.records import ALL
from assistant.rulesets.giglio.records import Army, Faction, Fleet, Node, Specialist, Work
from assistant.rulesets.giglio.war import War
from assistant.turn.orders.columns import Amount, Code, ColumnCheck, OwnUnit, Partner, Place
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.taking import afford, judged
from assistant.turn.orders.verbs import Cost, Purse, Shapes, order

# What all orders share: seasons, finding codes, columns, the chest (rulebook: Orders).


SPRING, SUMMER = "budget", "summer"
IN_SPRING, IN_SUMMER, IN_BOTH = (SPRING,), (SUMMER,), (SPRING, SUMMER)

SAYS = {
    "unknown_verb": role("GIG-001", "verb", verb="word"),
    "wrong_time": role("GIG-002", verb="verb", phase="phase", times="times"),
    "no_such_unit": role("GIG-003", unit="word", list="list", near="near"),
    "not_yours": role("GIG-004", unit="word"),
    "no_such_place": role("GIG-005", node="word", near="near"),
    "replaced": role("GIG-006", "order", order="order"),
    "not_an_amount": role("GIG-007", amount="word"),
    "several_there": role("GIG-008", n="n", node="node", list="list"),
    "none_there": role("GIG-009", node="node"),
    "no_such_partner": role("GIG-010", partner="word"),
    "not_understood": role("GIG-011", text="text"),
    "twins": role("GIG-013"),
    "overdrawn": role("GIG-020", cost="cost", left="left"),
}
"""Il Giglio's codes of the findings that every ruleset has."""

SHAPES = Shapes(unit=r"[A-Za-z]{1,3}-[FSfs]?\d+", place=r"[A-Za-z]{1,3}\d+")
FILLERS = ("da", "dal", "dalla", "from", "a", "ad", "to", "verso", "via", "per", "muovi", "move", "muove", "moves",
           "armata", "l'armata", "army", "in", "al", "alla", "at", "il", "la", "the", "di", "of", "del", "con",
           "with", "contro", "against", "until", "fino", "ducati", "ducats", "ducato", "ducat", "e", "and", "nodo",
           "node")
"""Words of a line that are ignored (rulebook: Orders in words)."""

PURSE = Purse(whose=lambda war, request: request.faction,
              left=lambda war, faction: war.factions[faction].treasury - war.plan.set_aside.get(faction, 0))
"""The chest, less what was bid in the auction."""


def check_soldiers(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse a diplomat, who has no men (GIG-046)."""
    if army.kind != "army":
        raise Refused("GIG-046", field, unit=army.army)


def check_not_aboard(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse an army aboard a fleet (GIG-058)."""
    if army.posture == "aboard":
        raise Refused("GIG-058", field, unit=army.army, fleet=army.fleet)


def _is_ashore(army: Army) -> bool:
    return army.posture != "aboard"


ARMY = OwnUnit(Army, known=_is_ashore)
"""An own marker by its code; a finding never reveals other factions' markers that are aboard."""
ACTING_ARMY = replace(ARMY, at=("path", "target"), standing=_is_ashore,
                      free=lambda war, army: army.army not in war.plan.columns)
"""An own marker, or the only one at the start of the path or at the target; new detachments do not count."""
ACTING_FLEET = OwnUnit(Fleet, at=("path",), like="{faction}-F1")


def soldiers_column(kind: OwnUnit, *then: ColumnCheck) -> OwnUnit:
    """The same kind of column, for armies proper only."""
    return replace(kind, then=(check_soldiers, *then))


# Orders of both seasons: works, garrisons, transfers, splits, posts, payments (rulebook: Spring and summer orders).


def check_own_land(war: War, request: Request, place: Node, field: str) -> None:
    """Works and garrisons need an own place ashore (GIG-033)."""
    if place.owner != request.faction or not place.land:
        raise Refused("GIG-033", field, node=place.node)


OWN_PLACE = Place(then=(check_own_land,))


@order("fortify", "fortifica", when=IN_BOTH, target=OWN_PLACE, cost=Cost("cost_fortify"),
       help="Fortify an own place.")
def fortify(war: War, request: Request, place: Node) -> None:
    """Walls for an own place (table 32, Amendments)."""
    if place.walls == "intact":
        raise Refused("GIG-034", "target", node=place.node)
    if place.walls == "damaged":
        raise Refused("GIG-035", "target", node=place.node, cost=war.rules.cost_repair)
    _begin_work(war, request, place)


@order("repair", "ripara", when=IN_BOTH, target=OWN_PLACE, cost=Cost("cost_repair"),
       help="Repair the damaged walls of an own place.")
def repair(war: War, request: Request, place: Node) -> None:
    """Repair walls that a siege has damaged (table 32)."""
    if place.walls != "damaged":
        raise Refused("GIG-036", "target", node=place.node)
    _begin_work(war, request, place)


def works_at_once(war: War, place: Node, faction: str) -> bool:
    """Whether works there are finished at once: an own home node, or one with an own army in it (Amendments)."""
    return war.rules.fort_timing == "amended" and (place.home == faction or any(
        a.faction == faction and a.kind == "army" for a in war.at(place.node)))


def works_cost(war: War, place: Node, faction: str, verb: str) -> int:
    """Ducats of ``fortify`` or ``repair`` there (table 32); immediate works may be free (fort_paid, amend_free)."""
    free = war.rules.fort_paid == "free" or war.rules.amend_free == "yes"
    if free and works_at_once(war, place, faction):
        return 0
    return war.rules.cost_repair if verb == "repair" else war.rules.cost_fortify


def _begin_work(war: War, request: Request, place: Node) -> None:
    under_way = next((w for w in war.works if w.node == place.node and w.status == "under_way"), None)
    if under_way is not None:
        raise Refused("GIG-039", "target", node=place.node, year=under_way.ready_year)
    if war.troubled(place.node, request.faction):
        raise Refused("GIG-037", "target", node=place.node)
    at_once = works_at_once(war, place, request.faction)
    cost = afford(war, request, works_cost(war, place, request.faction, request.verb))
    if cost:
        war.money(request.faction, request.verb, -cost, place.node)
    if at_once:
        place.walls = "intact"
        war.tell("works.done", ALL, touch=[place], node=place.node)
        return
    ready = war.year + (0 if war.rules.fort_timing == "base" else 1 if not war.round else 2)
    work = war.works.add(Work(node=place.node, faction=request.faction, kind=request.verb, cost=cost,
                              ordered=f"{war.year}.{war.game.phase}", ready_year=ready))
    war.tell("works.begun", ALL, touch=[work], node=place.node, ready_year=ready)
    season = {"when": "winter"} if war.rules.fort_timing == "base" else {}
    request.find(war, "GIG-038", "target", node=place.node, year=ready, **season)


def garrison_cost(war: War) -> int:
    """Ducats of a garrison; the amended English text makes it free (amend_free)."""
    return 0 if war.rules.amend_free == "yes" else war.rules.garrison_cost


@order("garrison", "guarnigione", also=("guarnisci", "presidia"), when=IN_BOTH, target=OWN_PLACE,
       unit=soldiers_column(replace(ARMY, blank=True, late=True)), cost=Cost("garrison_cost"),
       shown=("garrison {target}[ from {unit}]", "guarnigione {target}[ da {unit}]"),
       help="Leave a garrison: from an army there or passing, or paid from the chest.")
def garrison(war: War, request: Request, place: Node) -> None:
    """Leave a garrison from an army or the chest (2b, Amendments); an army on the march leaves it when it passes."""
    if place.garrison:
        raise Refused("GIG-040", "target", node=place.node)
    if war.rules.garrison_where == "fortified" and not place.fortified:
        raise Refused("GIG-042", "target", node=place.node, lacks="walls")
    if war.troubled(place.node, request.faction):
        raise Refused("GIG-037", "target", node=place.node)
    army: Army | None = judged(war, request, "unit")
    if army is not None:
        here = army.node == place.node and army.posture != "aboard"
        if not here and place.node not in _ordered_path(war, army):
            raise Refused("GIG-041", "unit", unit=army.army, node=place.node)
        check_can_leave(war, army)
        if here:
            leave_garrison(war, army, place)
        else:
            war.plan.garrisons.append((request, army.army, place.node))
        return
    lacks = "army" if war.rules.garrison_treasury == "no" else "home" if place.home != request.faction else ""
    if lacks:
        raise Refused("GIG-042", "target", node=place.node, lacks=lacks)
    cost = afford(war, request, garrison_cost(war))
    if cost:
        war.money(request.faction, "garrison", -cost, place.node)
    _place_garrison(war, place, request.faction)


def _ordered_path(war: War, army: Army) -> list[str]:
    """The nodes of the march that the whole army is ordered to make in this round; [] without such an order.

    The own middle node of a two-node order is on the way, too.
    """
    kinds = war.game.orders["move"].kinds
    whole = (r for r in reversed(war.plan.requests) if r.verb == "move" and r.amount in ("", army.value)
             and kinds["unit"].same(war, r, "unit") == army.army)
    path = next((request.path for request in whole), [])
    if len(path) == 2 and not war.map.joined(path[0], path[1], "road"):
        middle = [n for n in war.map.between(path[0], path[1], "road") if war.own(n, army.faction)]
        path = [path[0], *middle, path[1]] if len(middle) == 1 else path
    return path


def check_can_leave(war: War, army: Army) -> None:
    """Refuse an army that would not keep at least one ducat (GIG-043)."""
    cost = garrison_cost(war)
    if army.value < cost + 1:
        raise Refused("GIG-043", "unit", unit=army.army, value=army.value, cost=cost)


def leave_garrison(war: War, army: Army, place: Node) -> None:
    """Leave a garrison; the army is smaller by its cost."""
    army.value -= garrison_cost(war)
    war.touch(army)
    _place_garrison(war, place, army.faction)


def _place_garrison(war: War, place: Node, faction: str) -> None:
    place.garrison = True
    war.tell("garrison.placed", war.garrison_audience(faction), touch=[place], node=place.node, faction=faction)


@order("transfer", "trasferisci", when=IN_BOTH, unit=ARMY, target=ARMY, amount=Amount(blank=True, late=True),
       shown=("transfer {amount} {unit} {target}", "trasferisci {amount} {unit} {target}"),
       help="Move ducats from one army to another in the same place; blank: all.")
def transfer(war: War, request: Request, giver: Army, taker: Army) -> None:
    """Ducats go from one army to another in the same place (2b)."""
    check_soldiers(war, request, giver, "unit")
    check_soldiers(war, request, taker, "target")
    apart = (giver.node, giver.posture) != (taker.node, taker.posture) or giver.posture == "aboard"
    if apart or giver is taker:
        raise Refused("GIG-044", "target", unit=giver.army, target=taker.army)
    amount = judged(war, request, "amount") or giver.value
    if amount > giver.value:
        raise Refused("GIG-045", "amount", unit=giver.army, value=giver.value)
    men = war.sappers_with(giver.army)
    war.touch(*men)
    _move_ducats(war, giver, taker, amount)
    if giver.value == 0:
        for man in men:
            man.post = taker.army
        war.armies.remove(giver.army)


def _move_ducats(war: War, giver: Army, taker: Army, amount: int) -> None:
    giver.value, taker.value = giver.value - amount, taker.value + amount
    moved: dict[str, Any] = {"from": giver.army, "to": taker.army, "amount": amount}
    war.tell("army.reorganised", [giver.faction], touch=[giver, taker], **moved)


def check_can_raise_army(war: War, faction: str) -> None:
    """Refuse a faction that has as many armies as it may (GIG-026)."""
    count = len(war.armies_of(faction))
    if count >= war.rules.max_armies:
        raise Refused("GIG-026", "unit", n=count + 1, max=war.rules.max_armies)


@order("split", "dividi", when=IN_BOTH, unit=soldiers_column(ARMY, check_not_aboard), amount=Amount(),
       shown=("split {amount} {unit}", "dividi {amount} {unit}"), help="Make a new army of so many ducats.")
def split(war: War, request: Request, army: Army, amount: int) -> None:
    """Part of an army becomes a new one in the same place (2b)."""
    if amount >= army.value:
        raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    check_can_raise_army(war, request.faction)
    advise_points_over_core(war, request, army)
    detach(war, army, amount)


def advise_points_over_core(war: War, request: Request, army: Army | None) -> None:
    """Armati: warn that an army counts only with at least one BP over the core of its list (GIG-048)."""
    if war.rules.armati_core_rule == "on" and (army is None or (army.bp_over_core or 0) < 1):
        request.find(war, "GIG-048", "unit", unit=army.army if army else war.next_army(request.faction))


def detach(war: War, army: Army, amount: int) -> Army:
    """Split a new army of that many ducats off; it has the old one's place and trail."""
    new = army.copy()
    new.army, new.value, new.leaderless = war.next_army(army.faction), 0, 0
    _move_ducats(war, army, war.armies.add(new), amount)
    return new


@order("attach", "assegna", also=("assign",), when=IN_BOTH, unit=Code((Specialist,), like="{faction}-S1"),
       target=Code((Army, Node)), help="Post a sapper with another army or place of the same node.")
def attach(war: War, request: Request) -> None:
    """A sapper changes his post within the node (table 33)."""
    man = war.specialists.get(request.unit)
    if man is None or man.faction != request.faction or man.kind != "sapper" or man.status != "active":
        raise Refused("GIG-085", "unit", unit=request.unit)
    target = war.armies.get(request.target)
    if target is not None and target.faction != request.faction and target.posture != "aboard":
        raise Refused("not_yours", "target", word=request.target, owner=target.faction)
    host = war.armies.get(man.post)
    node = host.node if host is not None else man.post
    posts = [a.army for a in war.armies if a.faction == request.faction and a.kind == "army" and a.node == node]
    if node in war.nodes and war.nodes[node].owner == request.faction:
        posts.append(node)
    if request.target not in posts:
        raise Refused("GIG-087", "target", list=" ".join(posts) or "-")
    man.post = request.target
    war.tell("specialist.posted", [request.faction], touch=[man], code=man.specialist, post=man.post)


@order("pay", "paga", when=IN_BOTH, partner=Partner(), amount=Amount(), cost=Cost(times="amount"),
       help="Send ducats to another faction.")
def pay(war: War, request: Request, other: Faction, amount: int) -> None:
    """Take ducats for a partner out of the chest at once."""
    afford(war, request)
    war.money(request.faction, "pay", -amount, other.faction)
    war.plan.sent.append((request.faction, other.faction, amount))


def deliver_payments(war: War) -> None:
    """Give payments to their receivers, who may spend them from the next phase on."""
    for giver, receiver, amount in war.plan.sent:
        war.money(receiver, "received", amount, giver)
