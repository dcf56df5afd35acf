"""Phase 2 as a whole: what was ordered, who goes first, each row, and the battles that come of it (2 movement)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.records import Battle, BattleArmy, BattleUnit
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.land.country import listed
from assistant.rulesets.warriors.march import crossing, initiative, walking
from assistant.rulesets.warriors.march.contacts import collapse
from assistant.rulesets.warriors.march.moves import Moves
from assistant.rulesets.warriors.march.sailing import sail
from assistant.rulesets.warriors.march.walking import cannot, refused
from assistant.rulesets.warriors.orders.taking import take
from assistant.turn.board import free_name
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import refuse


def read(land: Moves) -> None:
    """The rows of the phase; of two that want the same boats the one with the lower number has them (WAR-305)."""
    land.requests = take(land)
    users: dict[str, str] = {}
    for request in land.requests:
        boat = str(request.more["boat"]) if request.verb == "sail" else ""
        first = users.setdefault(boat, str(request.more["army"])) if boat else ""
        if boat and first != request.more["army"]:
            refuse(land, request, Refused("WAR-305", "boat", boat=boat, army=first))
    land.requests = [one for one in land.requests if one.row.status == "accepted"]


def move(land: Moves) -> None:
    """Instructions, initiative, each row in turn."""
    initiative.standing(land)
    crossing.forget(land)
    crossing.at_the_start(land)
    initiative.initiative(land)
    for request in initiative.in_turn(land):
        _one(land, request)


def _one(land: Moves, request: Request) -> None:
    army = land.armies[str(request.more["army"])]
    why = cannot(land, army)
    if why:
        refused(land, army, why)
    elif request.verb == "sail":
        sail(land, request, army)
    else:
        walking.march(land, request, army)


# --- the end of the phase -------------------------------------------------------------------------
def close(land: Moves) -> None:
    """Field works, then each square in which hostile Forces stand (2 movement; Ord)."""
    field_works(land)
    for node in land.nodes:
        there = land.at(node.node) if land.map.dry(node.node) else []  # there is no battle on water
        if any(land.hostile(a.faction, b.faction) for a in there for b in there):
            _square(land, node.node)


def field_works(land: Moves) -> None:
    """A Force on defend that has not moved digs in with all its figures; all others have nothing."""
    dug = []
    for army in land.active():
        digs = army.ashore and land.order(army) == "defend" and army.army not in land.moved
        kept = land.rules.fieldworks_keep == "kept" and not digs
        points = land.figures(army.army) * land.rules.fieldworks_per_figure if digs else (
            army.fieldworks if kept else 0)
        if points != army.fieldworks:
            army.fieldworks = points
            dug.append(army)
    for army in dug:
        land.told("dug", army, points=army.fieldworks)


def _square(land: Moves, node: str) -> None:
    """A contact is a battle; a stand-off that was left is one unless all are on defend, and routed Forces collapse."""
    attacker = next((one for one in land.attackers.get(node, ()) if any(
        land.friendly(army.faction, one) for army in land.at(node))), "")
    if not attacker:
        for army, foes in [(one, land.foes_at(node, one.faction)) for one in land.at(node)]:
            if army.reaction == "routed" and foes:
                collapse(land, army, foes[0].army)
        there = land.at(node)
        if not any(land.hostile(a.faction, b.faction) for a in there for b in there):
            return
        ready = [one for one in land.sequence if land.foes_at(node, one) and any(
            army.faction == one and land.order(army) != "defend" for army in there)]
        if not ready:
            land.tell("standoff", land.seen_by(node, *(one.faction for one in there)), "2 movement", node=node,
                      armies=listed(there))
            return
        attacker = ready[0]
    _battle(land, node, attacker)


def _battle(land: Moves, node: str, attacker: str) -> None:
    """The battle, its Forces and their Units; rows that people have typed early are completed."""
    there = land.at(node)
    sides = {one.army: "A" if land.friendly(one.faction, attacker) else "D" for one in there}
    if "D" not in sides.values():
        return
    foes = sorted((one for one in there if sides[one.army] == "D"), key=lambda one: land.arrived.get(one.army, 0))
    code = _code(land, node)
    battle = land.battles.get(code) or land.battles.add(Battle(battle=code))
    battle.turn, battle.node, battle.status = land.game.turn, node, "open"
    battle.attacker, battle.defender = attacker, foes[0].faction
    rows = [battle, *(_force(land, battle, one, sides[one.army]) for one in there),
            *(_unit(land, battle, unit.unit, unit.figures) for one in there for unit in land.units_of(one.army)
              if unit.figures)]
    land.tell("battle_set", land.seen_by(node, *(one.faction for one in there)), "2 movement", touch=rows,
              battle=code, node=node, attacker=attacker, defender=battle.defender)


def _code(land: Moves, node: str) -> str:
    """What a battle is called; where others may be hidden its number would tell of them."""
    laid = [row.battle for row in land.battles.of_turn(land.game.turn, lambda row: row.status != "")]
    if land.rules.fog == "open" or land.rules.hidden_battles == "number":
        return f"B{land.turn}-{len(laid) + 1}"
    return free_name(laid, f"B{land.turn}-{node}")


def _force(land: Moves, battle: Battle, army: Army, side: str) -> BattleArmy:
    row = BattleArmy(battle=battle.battle, army=army.army)
    row = land.battle_armies.get(row.ident) or land.battle_armies.add(row)
    row.side, row.arrival = side, land.arrived.get(army.army, 0)
    row.start_order, row.start_reaction, row.start_vc = army.order, army.reaction, land.vc(army)
    row.fieldworks = army.fieldworks
    return row


def _unit(land: Moves, battle: Battle, unit: str, figures: int) -> BattleUnit:
    row = BattleUnit(battle=battle.battle, unit=unit)
    row = land.battle_units.get(row.ident) or land.battle_units.add(row)
    row.before = figures
    return row
