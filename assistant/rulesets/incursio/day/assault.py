"""The assault of one side: its ATTACK lines in; battles in their order out (rulebook: Assaults)."""

from __future__ import annotations

from collections import Counter

from assistant.rulesets.incursio.book.sheets import Battle
from assistant.rulesets.incursio.day.fights import begin, settle
from assistant.rulesets.incursio.day.live import FORM, played
from assistant.rulesets.incursio.day.moves import DAY, along_a_line
from assistant.rulesets.incursio.orders.choosing import chosen, free, never_empty, soonest, there, use
from assistant.rulesets.incursio.orders.columns import CELL, FURIOUS, NUMBER, SOMEBODY, TO, TROOPS
from assistant.rulesets.incursio.orders.judging import canonical, said, take_lines, troops
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.realm import BOTH, LETTER, OTHER, Realm, cell
from assistant.rulesets.incursio.realm.sight import UNITS, known, observe
from assistant.rulesets.incursio.realm.units import joined
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import order

FURY_FROM = 5
"""The step of power that lets demons fight to the end."""


@order("attack", "attacca", when=DAY, node=CELL, to_node=TO, units=TROOPS, attack_no=NUMBER, repeat=NUMBER,
       fury=FURIOUS, player=SOMEBODY, issuer=SOMEBODY, priority=NUMBER,
       shown=("attack {node}>{to_node} {units}[ x{repeat}][ n{attack_no}]",
              "attacca {node}>{to_node} {units}[ x{repeat}][ n{attack_no}]"),
       help="Attack a cell one line away, or the cell where the units are; the first unit meets the first.")
def attack(realm: Realm, request: Request) -> None:
    """In the order of the book's checks."""
    a, b, side = said(request, "node"), said(request, "to_node"), request.faction
    if a != b:
        along_a_line(realm, side, a, b, "INC-040")
    shared = bool(realm.camp.at(b, OTHER[side])) and bool(realm.camp.at(b, side))
    if realm.is_home(b, side) and not (a == b and shared):
        raise Refused("INC-048", "to_node", node=b)
    if said(request, "repeat") not in ("", 1, 2, 3):
        raise Refused("INC-045", "repeat")
    accepted = [one for one in realm.plans.get("attacks", ()) if one.faction == side]
    number = said(request, "attack_no")
    if number != "" and number in [said(one, "attack_no") for one in accepted]:
        raise Refused("INC-043", "attack_no", no=number)
    units, others = _force(realm, request)
    if a != b:
        never_empty(realm, request, units)
    led = [one for one in accepted if _counted_with(realm, one) == _counted_with(realm, request)]
    if len(led) >= realm.rules.attacks_per_day:
        raise Refused("INC-042", "verb")
    use(request, [unit for unit in units if not unit.used], gone=a != b)
    for unit in units:
        unit.gone = unit.gone or a != b
    realm.plans[request.row.order] = units
    realm.plans.setdefault("attacks", []).append(request)
    _warn(realm, request, others, shared, sum(map(_times, [*led, request])))


def _counted_with(realm: Realm, request: Request) -> str:
    """Whose attacks of the day a line is one of."""
    return str(said(request, "player")) if realm.rules.attack_cap_scope == "player" else request.faction


def _times(request: Request) -> int:
    return 1 if request.row.live else int(said(request, "repeat") or 1)  # type: ignore[attr-defined]


def _force(realm: Realm, request: Request) -> tuple[list[Unit], dict[str, list[str]]]:
    """The units that a line means, and which of them earlier lines name, too."""
    outside = realm.camp.outside(said(request, "node"), request.faction)
    there(realm, request, outside, "INC-049")
    if realm.rules.fought_no_attack == "all":
        return free(realm, request, soonest(outside), lambda unit: not unit.fought), {}
    line = soonest(outside)
    units = chosen(troops(request), [*(one for one in line if not one.used), *(one for one in line if one.used)])
    others: dict[str, list[str]] = {}
    for unit in units:
        if unit.used:
            others.setdefault(unit.used, []).append(unit.code)
    return units, others


def _warn(realm: Realm, request: Request, others: dict[str, list[str]], shared: bool, attacks: int) -> None:
    """INC-047, 046, 041, 044."""
    b, side = said(request, "to_node"), request.faction
    if not (shared or realm.is_home(b, OTHER[side]) or known(realm, side, b, *UNITS)):
        request.find(realm, "INC-047", "to_node", node=b)
    if said(request, "fury") and not furious(realm, side):
        request.find(realm, "INC-046", "fury")
    for other, named in others.items():
        request.find(realm, "INC-041", "units", units=joined(named), order=other)
    if attacks > realm.rules.attacks_per_day:
        request.find(realm, "INC-044", "repeat", sum=attacks)


def furious(realm: Realm, side: str) -> bool:
    """Whether a side's units can fight to the end (COM 17)."""
    return side != "esdef" and realm.power >= FURY_FROM


def in_turn(request: Request) -> tuple[object, ...]:
    """By number, those without one last."""
    number = said(request, "attack_no")
    return (number == "", number or 0, canonical(request))


# --- the phase ------------------------------------------------------------------------------------------------
def take_attacks(realm: Realm) -> None:
    """Judge the lines; which units each means is fixed now."""
    take_lines(realm, "attack", order=in_turn)


def assault(realm: Realm) -> None:
    """Line after line, each up to as often as it says, three attacks a day (T3, T5)."""
    made, won = Counter({side: getattr(realm.day, f"attacks_{side}") for side in BOTH}), set[str]()
    for request in realm.taken:
        origin, target = said(request, "node"), said(request, "to_node")
        group, cap = _counted_with(realm, request), realm.rules.attacks_per_day
        force = [unit for unit in realm.plans[request.row.order]
                 if unit in realm.camp.units and unit.node == origin and not unit.driven]
        if (target in won or realm.is_home(target, request.faction)) and not realm.camp.at(
                target, OTHER[request.faction]):
            request.came_to("void")
        elif not force or made[group] >= cap:
            request.came_to("not_made")
            realm.tell("attack_not_made", [request.faction], "T3", node=cell(origin), to_node=cell(target),
                       reason="nobody_left" if not force else "cap_reached")
        else:
            request.came_to("done")
            for _ in range(_times(request)):
                made[group] += 1
                _count(realm, request.faction)
                force, outcome = one_attack(realm, request, force)
                won |= {target} if outcome in ("taken", "walkover") else set()
                if outcome != "undecided" or made[group] >= cap:
                    break
    for row in realm.battles.where(lambda row: row.turn == realm.game.turn and row.status == "open"):
        row.status = "void"  # it was to be played, and nobody fights it any more


def _count(realm: Realm, faction: str) -> None:
    """One more of the day's attacks."""
    day, name = realm.day, f"attacks_{faction}"
    setattr(day, name, getattr(day, name) + 1)
    realm.touch(day)


def one_attack(realm: Realm, request: Request, force: list[Unit]) -> tuple[list[Unit], str]:
    """One attack of a line; who is left of the force, and what it came to."""
    origin, target, side = said(request, "node"), said(request, "to_node"), request.faction
    battle, early = _code(realm, side, origin, target)
    if not realm.camp.at(target, OTHER[side]) and not realm.is_home(target, OTHER[side]):
        row = realm.battles.get(battle) or realm.battles.add(Battle(battle=battle))
        row.turn = realm.game.turn
        row.node, row.origin, row.attacker, row.outcome, row.status = target, origin, side, "nobody", "auto"
        row.attackers = joined(unit.code for unit in force)
        observe(realm, side, target, "empty", "march")
        realm.tell("attack_found_nobody", [side], "T3", touch=[row], node=cell(origin), to_node=cell(target))
        return force, "nobody"
    fight = begin(realm, battle, origin, target, force, fury=bool(said(request, "fury")) and furious(realm, side))
    row = realm.battles[battle]
    live = bool(request.row.live)  # type: ignore[attr-defined]
    if early and not live:
        realm.find("INC-093", row, "att_after", b=battle, state="auto")
    if not (fight.outside or fight.garrison):
        settle(fight, "walkover", row)
        return fight.att, "walkover"
    outcome = played(fight, row) if live else fight.fight()
    settle(fight, outcome, row, live=live)
    return fight.att, outcome


def _code(realm: Realm, side: str, origin: str, target: str) -> tuple[str, bool]:
    """The code of the next battle, and whether somebody has filled in a form for it."""
    stem = f"{realm.game.turn}{LETTER[side]}-{origin}-{target}-"
    fought = realm.battles.where(lambda row: row.battle.startswith(stem) and bool(row.outcome))
    battle = f"{stem}{len(fought) + 1}"
    row = realm.battles.get(battle)
    return battle, row is not None and FORM.reported(row)
