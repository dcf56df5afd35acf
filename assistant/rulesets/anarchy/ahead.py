"""What can be judged before a phase reads it: battles' forms while the day waits (digest, section 7), late orders."""

from __future__ import annotations

from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.fights import ATTACKERS, DEFENDERS, SIDES, Fight
from assistant.rulesets.anarchy.forms import Form, losses_of
from assistant.rulesets.anarchy.orders import of_today
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.records import Army, Battle, Order
from assistant.rulesets.anarchy.sheets import Place
from assistant.rulesets.anarchy.verbs import PHASE_VERBS
from assistant.turn.findings import Finding, Where
from assistant.turn.game import Game
from assistant.turn.messages import COMMON

CERTAIN = ("ANA-801", "ANA-803", "ANA-805")
"""Findings that nothing which happens before the battle can change; how many men a unit has is seen only then."""
STRANGER = "ANA-806"
OVER = "ARB-045"


def check_forms(game: Game) -> list[Finding]:
    """Findings about forms of open battles into which somebody has typed, as far as they are certain."""
    f = Field(game)
    for row in f.battles:
        if row.status == "open" and row.turn == game.turn and row.played != "auto" and _begun(f, row):
            Form(f, _fight(f, row), row).read()
    return [found for found in game.findings
            if found.code in CERTAIN or (found.code == STRANGER and found.where.field == "unit")]


def _begun(f: Field, row: Battle) -> bool:
    typed = (row.outcome, row.how, row.turns, row.prisoners_freed, row.note)
    return any(value not in ("", 0) for value in typed) or bool(losses_of(f, row.battle))


def _fight(f: Field, row: Battle) -> Fight:
    """The battle as its row tells it."""
    units: dict[str, list[Army]] = {side: [] for side in SIDES}
    castles: dict[str, Place] = {}
    for side, names in ((ATTACKERS, row.attackers), (DEFENDERS, row.defenders)):
        for name in names.split():
            army, castle = f.armies.get(name), f.places.get(name)
            if army is not None:
                units[side].append(army)
            elif castle is not None:
                castles[side] = castle
    place = f.places.get(row.place) if row.place else None
    if place is not None and place.castle:
        castles[ATTACKERS if row.kind == "sally" else DEFENDERS] = place
    levy = place if place is not None and not place.castle else None
    return Fight(row.battle, row.kind, row.node, "", units, castles, levy, units=units, place=row.place)


def check_late(realm: Realm) -> list[Finding]:
    """Today's open rows of verbs that today's phases have read already (ARB-045); tomorrow they are ANA-004."""
    steps = list(PHASE_VERBS)
    over = steps[:steps.index(realm.game.phase)] if realm.game.phase in steps else []
    read = {verb: step for step in over for verb in PHASE_VERBS[step]}
    return [Finding(OVER, COMMON[OVER].severity,
                    Where(Order.sheet, request.row.ident, "verb" if request.row.verb else "text"),
                    {"when": f"{realm.game.turn} {read[request.verb]}"}, request.faction)
            for request in of_today(realm) if request.verb in read]


__all__ = ["check_forms", "check_late"]
