"""The hand-over of a battle that is played live: a battle and its reader in; what goes to the table out (rulebook:
Played live).
"""

from __future__ import annotations

from dataclasses import replace

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Battle
from assistant.rulesets.incursio.duels_told import powers
from assistant.rulesets.incursio.realm.realm import BOTH, OTHER, Realm
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

RULES = N_("First whoever stands outside, then engines, then the garrison, pair by pair from the left. Each throws d6,"
           " who is at a disadvantage d4; outside nobody has an advantage or a bonus. The higher kills. Attackers to"
           " spare lend their dice to their kind. Fewer attackers than defenders go back.")
ENEMY = {ESDEF: N_("Soldiers from {origin_node:the}."), VARANNAH: N_("Demons from {origin_node:the}.")}


def hand_over(realm: Realm, row: Battle, faction: str) -> list[Said]:
    """What a side takes to the table; for the Master (faction "") the parts of both."""
    if faction and faction not in BOTH:
        return []
    sides = [side for side in (row.attacker, OTHER[row.attacker]) if faction in ("", side)]
    own = [said for side in sides for said in (
        _attackers(realm, row) if side == row.attacker else _defenders(realm, row, enemy=bool(faction)))]
    return [_place(realm, row), *own, *(said for side in sides for said in _powers(realm, side)),
            Said(RULES, {}, N_("How it is fought"))]


def _place(realm: Realm, row: Battle) -> Said:
    """Where and when, and the level of the place."""
    node = realm.nodes[row.node]
    if node.kind == "empty":
        return Said(N_("{node:the}, day {d}."), {"node": row.node, "d": int(row.turn)}, N_("Place"))
    level = realm.level(node) if node.kind == "settlement" else realm.ruin(node)
    return Said(N_("{node:the}, {name}, day {d}."), {"node": row.node, "name_en": level.name_en.lower(),
                                                    "name_it": level.name_it.lower(), "d": int(row.turn)}, N_("Place"))


def _attackers(realm: Realm, row: Battle) -> list[Said]:
    """Their line, and what they have seen of the place, with its day."""
    seen = [f"{one.position or ''} {one.what} ({one.seen_on})".strip() for one in realm.seen
            if one.faction == row.attacker and one.node == row.node and one.state == "current"]
    return [Said(N_("You attack {node:the} from {origin_node:the}: {units}."),
                 {"node": row.node, "origin_node": row.origin, "units": row.attackers}, N_("Your line")),
            Said(N_("Seen {node:at}: {text}."), {"node": row.node, "text": ", ".join(seen) or "–"},
                 N_("What you know"))]


def _defenders(realm: Realm, row: Battle, *, enemy: bool) -> list[Said]:
    """Their lines, structures and engines; of the enemy where he comes from (`enemy`)."""
    said = [Said(N_("{node:the} is attacked from {origin_node:the}. Garrison {garrison}, outside {text}."),
                 {"node": row.node, "origin_node": row.origin, "garrison": row.garrison_before or "–",
                  "text": row.open_before or "–"}, N_("Your line"))]
    there = realm.standing(row.node)
    if there:
        text = ", ".join(f"{code} ×{there[code]}" if there[code] > 1 else code for code in sorted(there))
        said.append(Said(N_("Structures: {text}."), {"text": text}, N_("What helps you")))
    return [*said, *([Said(ENEMY[row.attacker], {"origin_node": row.origin}, N_("What you know"))] if enemy else ())]


def _powers(realm: Realm, side: str) -> list[Said]:
    """The powers of demons that they have reached."""
    if side == ESDEF or not realm.power:
        return []
    return [replace(powers(realm, 1, realm.power), label=N_("What helps you"))]
