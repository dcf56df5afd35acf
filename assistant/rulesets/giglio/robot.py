"""The robot that plays for an absent club, from what that club may know (rulebook: The robot)."""

from __future__ import annotations

from typing import Any

from assistant.campaign.records import Question
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.giglio import marches, recruiting
from assistant.rulesets.giglio.orders import SPRING
from assistant.rulesets.giglio.records import Army, Node, Order
from assistant.rulesets.giglio.recruiting import garrison_cost, works_cost
from assistant.rulesets.giglio.war import War, first_spring

CAPITAL_MONEY, GARRISON_MONEY, LEAST_RECRUIT, STORMING = 80, 60, 30, 100
UNSEEN = 200
SITES = {"city": 0, "fortress": 1, "village": 2}


def orders(war: War, faction: str) -> list[Order]:
    """The robot's rows for the current phase (budget, or a round's marches); none in other phases."""
    word = war.game.orders_word
    if not word:
        return []
    rows = _spring(war, faction) if word == SPRING else _summer(war, faction)
    return [Order(order=f"{war.game.turn}-{word}-{faction}-{n}", turn=war.game.turn, phase=word,
                  faction=faction, seq=n, note="robot", **row) for n, row in enumerate(rows, 1)]


def _spring(war: War, faction: str) -> list[dict[str, Any]]:
    me = war.factions[faction]
    rows: list[dict[str, Any]] = []
    money = me.treasury
    if first_spring(war) and not me.objective:
        rows.append({"verb": "objective", "option": "keep"})
    capital = war.nodes.get(me.capital)
    if capital is not None and capital.owner == faction and not capital.fortified and money >= CAPITAL_MONEY:
        under_way = any(w.node == capital.node and w.status == "under_way" for w in war.works)
        if not under_way and not war.troubled(capital.node, faction):
            verb = "repair" if capital.walls == "damaged" else "fortify"
            rows.append({"verb": verb, "target": capital.node})
            money -= works_cost(war, capital, faction, verb)
    for place in war.nodes:
        if money >= GARRISON_MONEY and _wants_garrison(war, place, faction):
            rows.append({"verb": "garrison", "target": place.node})
            money -= garrison_cost(war)
    return rows + _recruits(war, faction, money)


def _wants_garrison(war: War, place: Node, faction: str) -> bool:
    rules = recruiting.Numbers.of(war)
    allowed = rules.garrison_treasury == "yes" and (rules.garrison_where == "any" or place.fortified)
    return (allowed and place.owner == place.home == faction and not place.garrison
            and not war.troubled(place.node, faction)
            and any(war.enemies_in_field(n, faction) for n in war.map.neighbours(place.node, "road")))


def _recruits(war: War, faction: str, money: int) -> list[dict[str, Any]]:
    amount = money // 2 // 10 * 10
    free = [n for n in war.nodes if n.owner == faction and n.counts_as == "city"
            and not war.enemies_in_field(n.node, faction)]
    if amount < LEAST_RECRUIT or not free:
        return []
    free.sort(key=lambda n: (n.node != war.factions[faction].capital, natural(n.node)))
    mine, city = war.armies_of(faction), free[0].node
    ready = [a for a in mine if a.posture != "aboard" and a.node in {n.node for n in free}]
    there = [a for a in ready if a.node == city]
    if not there and len(mine) < recruiting.Numbers.of(war).max_armies:
        return [{"verb": "recruit", "amount": amount, "target": city, "unit": "new"}]
    return [{"verb": "recruit", "amount": amount, "target": a.node, "unit": a.army} for a in (there or ready)[:1]]


# --- summer -------------------------------------------------------------------------------------
def _summer(war: War, faction: str) -> list[dict[str, Any]]:
    rows = []
    for army in war.armies_of(faction):
        row = {"verb": "stay", "unit": army.army}
        if army.posture == "field" and not war.in_contact(army):
            row = _army_row(war, army) or row
        rows.append(row)
    return rows


def _army_row(war: War, army: Army) -> dict[str, Any] | None:
    here = war.nodes[army.node]
    closed = here.fortified or here.garrison or war.inside(here.node, army.faction)
    if here.land and war.hostile(army.faction, here.owner) and closed:
        return {"verb": "siege", "unit": army.army, "target": here.node}
    goal = _prey(war, army) or _relief(war, army)
    return {"verb": "move", "unit": army.army, "path": f"{army.node} {goal}"} if goal else None


def _may_step(war: War, army: Army, to: str) -> bool:
    own = war.own(army.node, army.faction) and war.own(to, army.faction)
    by_book = marches.Numbers.of(war).move_own if own else marches.Numbers.of(war).move_foreign
    reach = war.reach(army, [army.node, to], by_book)
    if army.leaderless and army.leaderless == war.round - 1:
        reach -= recruiting.Numbers.of(war).commander_node_penalty
    return reach >= 1 and not war.banned(army.faction, army.node, to) and war.nodes[to].land


def _prey(war: War, army: Army) -> str:
    """The best hostile place next door; places with walls or a garrison only with enough men."""
    beside = [war.nodes[n] for n in war.map.neighbours(army.node, "road") if _may_step(war, army, n)]
    hostile = [n for n in beside if war.hostile(army.faction, n.owner)
               and not any(a.faction != army.faction and war.blocks(a) for a in war.at(n.node))]
    fit = [n for n in hostile if army.value >= STORMING or not (n.fortified or n.garrison)]
    return next((n.node for n in sorted(fit, key=lambda n: (SITES.get(n.counts_as, 9), natural(n.node)))), "")


def _relief(war: War, army: Army) -> str:
    """The step towards the nearest hostile marker on or next to an own city."""
    beset = {a.node for a in war.armies if war.blocks(a) and war.hostile(a.faction, army.faction)}
    cities = {n.node for n in war.nodes.where(lambda n: n.owner == army.faction and n.counts_as == "city")}
    threats = [node for node in in_natural_order(beset)
               if node in war.nodes and not cities.isdisjoint((node, *war.map.neighbours(node, "road")))]
    far = war.map.distances(army.node, "road") if threats else {}
    goal = min((t for t in threats if t in far), key=lambda t: far[t], default="")
    back = war.map.distances(goal, "road") if goal else {}
    return next((step for step in war.map.neighbours(army.node, "road")
                 if back.get(step) == far.get(goal, 0) - 1 and _may_step(war, army, step)), "")


# --- answers ------------------------------------------------------------------------------------
def answer(war: War, faction: str, question: Question) -> str:
    """The robot's answer; the question's default if the rulebook page has no rule for it."""
    if question.kind == "choice":
        return _choice(war, faction, question)
    if question.kind == "bribe":
        return str(_bribe(war, faction, question))
    if question.kind == "move_order":
        return " ".join(f.faction for f in war.players())
    return question.default


def _choice(war: War, faction: str, question: Question) -> str:
    node, _, foe = question.about.partition("/")
    seen = {e["data"]["army"]: e["data"]["value"] for e in question.so_far.get("events", [])}
    enemy = sum(seen.get(a.army, UNSEEN) for a in war.force(node, foe))
    own = sum(a.value for a in war.force(node, faction))
    options = question.options.split(", ")
    if "shut_in" in options and own * 10 < enemy * 12:
        return "shut_in"
    if "attack" in options and own * 10 >= enemy * 15:
        return "attack"
    return "stop"


def _bribe(war: War, faction: str, question: Question) -> int:
    """(need - 4) steps if 5 to 7 are needed on the die and half the chest, and what other bribes leave, covers them."""
    need = int(question.asked["target"]) - sum(question.asked.get("mods", {}).values())
    price = (need - 4) * int(question.asked["step"])
    chest = war.factions[faction].treasury
    if not 5 <= need <= 7 or price > chest // 2:
        return 0
    others = war.campaign.table(Question).of_turn(question.turn, lambda q: (
        q.kind == "bribe" and q.question != question.question and q.answer.isdigit()), parts=(question.phase,))
    return price if price + sum(int(q.answer) for q in others) <= chest else 0
