"""Orders of spring and summer alike: works, garrisons, transfers, splits, posts, payments (digest 5.3)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.giglio.records import Army, Node, Work
from assistant.rulesets.giglio.requests import (
    Refused,
    Request,
    affordable,
    army_named,
    node_named,
    partner_named,
    soldiers_only,
    whole,
)
from assistant.rulesets.giglio.war import War
from assistant.turn.game import ALL


def fortify(war: War, request: Request) -> None:
    """Walls for an own place (table 32, Amendments)."""
    place = _own_place(war, request)
    if place.walls == "intact":
        raise Refused("GIG-034", "target", node=place.node)
    if place.walls == "damaged":
        raise Refused("GIG-035", "target", node=place.node, cost=war.rules.cost_repair)
    _work(war, request, place)


def repair(war: War, request: Request) -> None:
    """Walls that a siege damaged are mended (table 32)."""
    place = _own_place(war, request)
    if place.walls != "damaged":
        raise Refused("GIG-036", "target", node=place.node)
    _work(war, request, place)


def _own_place(war: War, request: Request) -> Node:
    place = node_named(war, request.target)
    if place.owner != request.faction or not place.land:
        raise Refused("GIG-033", "target", node=place.node)
    return place


def works_at_once(war: War, place: Node, faction: str) -> bool:
    """Whether works there are finished at once: an own home node, or one with an own army in it (Amendments)."""
    return war.rules.fort_timing == "amended" and (place.home == faction or any(
        a.faction == faction and a.kind == "army" for a in war.at(place.node)))


def works_cost(war: War, place: Node, faction: str, verb: str) -> int:
    """Ducats of ``fortify`` or ``repair`` there (table 32); immediate works may be free (fort_paid, amend_free)."""
    free = war.rules.fort_paid == "free" or war.rules.amend_free == "yes"
    if free and works_at_once(war, place, faction):
        return 0
    return int(war.rules.cost_repair if verb == "repair" else war.rules.cost_fortify)


def _work(war: War, request: Request, place: Node) -> None:
    under_way = next((w for w in war.works if w.node == place.node and w.status == "under_way"), None)
    if under_way is not None:
        raise Refused("GIG-039", "target", node=place.node, year=under_way.ready_year)
    if war.troubled(place.node, request.faction):
        raise Refused("GIG-037", "target", node=place.node)
    at_once = works_at_once(war, place, request.faction)
    cost = works_cost(war, place, request.faction, request.verb)
    affordable(war, request, cost)
    if cost:
        war.money(request.faction, request.verb, -cost, place.node)
    if at_once:
        place.walls = "intact"
        war.game.tell("works.done", ALL, "t32, Amendments", touch=[place], node=place.node)
        return
    ready = war.year + (0 if war.rules.fort_timing == "base" else 1 if not war.round else 2)
    work = war.works.add(Work(node=place.node, faction=request.faction, kind=request.verb, cost=cost,
                              ordered=f"{war.year}.{war.game.phase}", ready_year=ready))
    war.game.tell("works.begun", ALL, "t32, Amendments", touch=[work], node=place.node, ready_year=ready)
    request.warn(war, "GIG-038", "target", node=place.node, year=ready)


def garrison_cost(war: War) -> int:
    """Ducats of a garrison; the amended English text makes it free (amend_free)."""
    return 0 if war.rules.amend_free == "yes" else int(war.rules.garrison_cost)


def garrison(war: War, request: Request, passing: list[str] | None = None) -> bool:
    """Leave a garrison, from an army or from the chest (2b, Amendments).

    `passing`: nodes of the army's march in this round. Returns False when the garrison has to wait
    until the army passes the node.
    """
    place = _own_place(war, request)
    if place.garrison:
        raise Refused("GIG-040", "target", node=place.node)
    if war.rules.garrison_where == "fortified" and not place.fortified:
        raise Refused("GIG-042", "target", node=place.node)
    if war.troubled(place.node, request.faction):
        raise Refused("GIG-037", "target", node=place.node)
    if request.unit:
        army = army_named(war, request, request.unit)
        soldiers_only(army)
        here = army.node == place.node and army.posture != "aboard"
        if not here and place.node not in (passing or ()):
            raise Refused("GIG-041", "unit", unit=army.army, node=place.node)
        check_can_leave(war, army)
        if not here:
            return False
        leave_garrison(war, army, place)
        return True
    if place.home != request.faction or war.rules.garrison_treasury == "no":
        raise Refused("GIG-042", "target", node=place.node)
    cost = garrison_cost(war)
    affordable(war, request, cost)
    if cost:
        war.money(request.faction, "garrison", -cost, place.node)
    _place(war, place, request.faction)
    return True


def check_can_leave(war: War, army: Army) -> None:
    """The army must keep at least one ducat (GIG-043)."""
    cost = garrison_cost(war)
    if army.value < cost + 1:
        raise Refused("GIG-043", "unit", unit=army.army, value=army.value, cost=cost)


def leave_garrison(war: War, army: Army, place: Node) -> None:
    """The army drops the garrison and is that much smaller."""
    army.value -= garrison_cost(war)
    _place(war, place, army.faction, army)


def _place(war: War, place: Node, faction: str, army: Army | None = None) -> None:
    place.garrison = True
    touched = [place, army] if army is not None else [place]
    war.game.tell("garrison.placed", war.garrison_audience(faction), "2b, Amendments", touch=touched,
                  node=place.node, faction=faction)


def transfer(war: War, request: Request) -> None:
    """Ducats go from one army to another in the same place (2b)."""
    giver = army_named(war, request, request.unit)
    taker = army_named(war, request, request.target, "target")
    soldiers_only(giver)
    soldiers_only(taker, "target")
    apart = (giver.node, giver.posture) != (taker.node, taker.posture) or giver.posture == "aboard"
    if apart or giver is taker:
        raise Refused("GIG-044", "target", unit=giver.army, target=taker.army)
    amount = whole(request, blank=True) or giver.value
    if amount > giver.value:
        raise Refused("GIG-045", "amount", unit=giver.army, value=giver.value)
    giver.value -= amount
    taker.value += amount
    touched = [giver, taker, *war.sappers_with(giver.army)]
    if giver.value == 0:
        for man in war.sappers_with(giver.army):
            man.post = taker.army
        war.armies.remove(giver.army)
    war.game.tell("army.reorganised", [request.faction], "2b", touch=touched,
                  **_moved(giver, taker, amount))


def _moved(giver: Army, taker: Army, amount: int) -> dict[str, Any]:
    return {"from": giver.army, "to": taker.army, "amount": amount}


def may_raise_another(war: War, faction: str) -> None:
    """One more army must be allowed (GIG-026)."""
    count = len(war.armies_of(faction))
    if count >= war.rules.max_armies:
        raise Refused("GIG-026", "unit", n=count + 1, max=war.rules.max_armies)


def split(war: War, request: Request) -> None:
    """Part of an army becomes a new one in the same place (2b)."""
    army = army_named(war, request, request.unit)
    soldiers_only(army)
    if army.posture == "aboard":
        raise Refused("GIG-058", "unit", unit=army.army, fleet=army.fleet)
    amount = whole(request)
    if amount is None or amount >= army.value:
        raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    may_raise_another(war, request.faction)
    want_points_over_core(war, request, army)
    detach(war, army, amount)


def want_points_over_core(war: War, request: Request, army: Army | None) -> None:
    """Armati: an army counts only with at least one BP over the core of its list (GIG-048)."""
    if war.rules.armati_core_rule == "on" and (army is None or (army.bp_over_core or 0) < 1):
        request.warn(war, "GIG-048", "unit", unit=army.army if army else war.next_army(request.faction))


def detach(war: War, army: Army, amount: int) -> Army:
    """A new army of that many ducats, beside the old one and with its past."""
    new = army.copy()
    new.army, new.value, new.leaderless = war.next_army(army.faction), amount, 0
    army.value -= amount
    war.armies.add(new)
    war.game.tell("army.reorganised", [army.faction], "2b", touch=[army, new],
                  **_moved(army, new, amount))
    return new


def attach(war: War, request: Request) -> None:
    """A sapper changes his post within the node (table 33)."""
    man = war.specialists.get(request.unit)
    if man is None or man.faction != request.faction or man.kind != "sapper" or man.status != "active":
        raise Refused("GIG-085", "unit", unit=request.unit)
    target = war.armies.get(request.target)
    if target is not None and target.faction != request.faction and target.posture != "aboard":
        raise Refused("GIG-004", "target", unit=request.target)
    host = war.armies.get(man.post)
    node = host.node if host is not None else man.post
    posts = [a.army for a in war.armies if a.faction == request.faction and a.kind == "army" and a.node == node]
    if node in war.nodes and war.nodes[node].owner == request.faction:
        posts.append(node)
    if request.target not in posts:
        raise Refused("GIG-087", "target", list=" ".join(posts) or "-")
    man.post = request.target
    war.game.tell("specialist.posted", [request.faction], "t33", touch=[man], code=man.specialist, post=man.post)


def pay(war: War, request: Request) -> tuple[str, str, int]:
    """Ducats for a partner, out of the chest now; returns giver, receiver, amount."""
    partner = partner_named(war, request)
    amount = whole(request) or 0
    affordable(war, request, amount)
    war.money(request.faction, "pay", -amount, partner)
    return request.faction, partner, amount


def payments_arrive(war: War, sent: list[tuple[str, str, int]]) -> None:
    """What was paid reaches its receivers, to be spent from the next phase on."""
    for giver, receiver, amount in sent:
        war.money(receiver, "received", amount, giver)
