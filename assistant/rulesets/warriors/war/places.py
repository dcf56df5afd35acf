"""Phase 4, the end: places and boats that change hands; the battles are closed (4 movement after)."""

from __future__ import annotations

from collections import Counter

from assistant.campaign.order import natural
from assistant.rulesets.warriors.book.records import Node
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.land.changes import owe
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.war.aftermath import Aftermath
from assistant.turn.game import REFEREE


def places(land: Aftermath) -> None:
    """Each place in which only enemies of its holder stand falls to them, also without a fight."""
    for node in land.nodes.where(lambda one: one.place != "none"):
        there = land.garrison(node.node)
        taker = _taker(land, node, there)
        if taker:
            fall(land, node, taker, "4 movement after")
        elif land.rules.hold_needs_force == "yes" and node.holder not in ("", node.founder) and not any(
                land.friendly(one.faction, node.holder) for one in land.at(node.node)):
            fall(land, node, node.founder if land.plays(node.founder) else "", "4 movement after")


def _taker(land: Country, node: Node, there: list[Army]) -> str:
    """Who takes a place, "" for nobody: its founder where he is with them, else who has most figures there."""
    holder = node.holder if land.plays(node.holder) else ""
    if not there or any(land.friendly(one.faction, holder) for one in there):
        return ""
    foes = [one for one in there if not holder or land.hostile(one.faction, holder)]
    if any(land.hostile(a.faction, b.faction) for a in foes for b in foes):
        return ""
    count: Counter[str] = Counter()
    for one in foes:
        count[one.faction] += land.figures(one.army)
    takers = sorted(+count, key=lambda faction: (-count[faction], natural(faction)))  # no commander without Units
    if land.plays(node.founder) and any(land.friendly(node.founder, one) for one in takers):
        return node.founder if node.founder != node.holder else ""
    return takers[0] if takers else ""


def fall(land: Country, node: Node, to: str, rule: str) -> None:
    """A place changes hands, its store is lost; a founder who loses it owes a test of the will."""
    was, node.holder, node.store = node.holder, to, 0
    if was and was == node.founder and land.plays(was):
        owe(land, was, f"place_lost:{node.node}")
    land.tell("place_taken", "all", rule, touch=[node], node=node.node, was=was, to=to)


def boats(land: Aftermath) -> None:
    """Empty boats among enemies alone are theirs; then the battles are closed."""
    for boat in land.boats:
        there = land.garrison(boat.node)
        takers = [one for one in there if land.figures(one.army)]
        if any(one.aboard == boat.boat for one in land.active()) or not takers:
            continue
        if boat.faction and all(land.hostile(one.faction, boat.faction) for one in there):
            first = min(takers, key=lambda one: natural(one.army))
            boat.faction = first.faction
            land.tell("boats_taken", "all", "4 movement after", touch=[boat], boat=boat.boat, node=boat.node,
                      by=first.faction)
    for fight in land.fights:
        fight.battle.status = "closed"
        land.tell("battle_closed", REFEREE, "4 movement after", touch=[fight.battle], battle=fight.battle.battle,
                  node=fight.battle.node)
