"""Phase 2: a Force comes upon hostile ones: collapse, counter-march, contact (2 movement)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.book.tables import COUNTER_MARCH
from assistant.rulesets.warriors.land.changes import owe, remove
from assistant.rulesets.warriors.land.retreats import default_place, legal
from assistant.rulesets.warriors.march.moves import Moves
from assistant.turn.game import Ask


def collapse(land: Moves, army: Army, by: str) -> None:
    """A routed Force that is contacted is no more; a reason for a test only by switch."""
    if land.rules.will_trigger == "any_force":
        owe(land, army.faction, f"force_lost:{army.army}")
    remove(land, army, "lost", "collapsed", "2 movement", why="collapsed", by=by)


def meet(land: Moves, mover: Army, node: str) -> None:
    """What comes of a Force that enters a square with hostile ones, one after the other by id."""
    stayed: list[Army] = []
    for foe in land.foes_at(node, mover.faction):
        if foe.reaction == "routed":
            collapse(land, foe, mover.army)
        elif not _counter_marches(land, foe, mover, node):
            stayed.append(foe)
    land.enter(mover, node)
    if not stayed:
        return
    friends = [one.army for one in land.at(node) if land.friendly(one.faction, mover.faction)]
    land.attackers.setdefault(node, []).append(mover.faction)
    there = land.contacts.setdefault(node, [])
    there += [one for one in [*(foe.army for foe in stayed), *friends] if one not in there]
    land.tell("contact", land.seen_by(node, mover.faction, *(foe.faction for foe in stayed)), "2 movement", node=node,
              attacker=mover.army, defenders=[foe.army for foe in stayed])


def _counter_marches(land: Moves, foe: Army, mover: Army, node: str) -> bool:
    """Whether an attacked Force steps back: it may try once, with a die and its V.C."""
    rules = land.rules
    if (rules.counter_march == "off" or land.order(foe) == "defend" or foe.aboard or land.in_contact(foe)
            or foe.army in land.tried or foe.on_contact == "fight"):
        return False
    ways = [one for one in legal(land, foe, boats=False) if one != mover.node]
    ask = Ask("counter-march", foe.faction, foe.army, ("yes", "no"), "no",
              {"attacker": mover.army, "army": foe.army, "node": node})
    if not ways or (foe.on_contact != "counter_march" and land.game.choose(ask) != "yes"):
        return False
    land.tried.add(foe.army)
    dice = land.score(COUNTER_MARCH(foe.army), {
        "V.C.": land.vc(foe), "unsteady": rules.counter_march_unsteady if foe.reaction == "unsteady" else 0},
        land.own(foe.faction))
    if not dice.at_least(rules.counter_march_tn):
        land.told("counter_march_failed", foe, roll=dice, node=node, total=dice)
        return False
    to = foe.retreat_to if foe.retreat_to in ways else default_place(land, foe, ways)
    land.enter(foe, to)
    land.went("counter_marched", foe, node, roll=dice, to=to, total=dice)
    return True
