"""The evening: dusk, seals, portals, the muster and where it goes, the end of the day (rulebook: Arrivals)."""

from __future__ import annotations

import re

from assistant.campaign.order import natural
from assistant.rulesets.incursio.book.questions import DEPLOY
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Day, Mission, Node, Portal
from assistant.rulesets.incursio.book.tables import MIX, MUSTER, RITE, RUIN, SEAL
from assistant.rulesets.incursio.day.ending import winner
from assistant.rulesets.incursio.day.moves import DAY
from assistant.rulesets.incursio.orders.choosing import codes
from assistant.rulesets.incursio.orders.columns import CELL, NUMBER, PLACE, SOMEBODY, TROOPS
from assistant.rulesets.incursio.orders.judging import said, take_lines, troops
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.drawing import balanced
from assistant.rulesets.incursio.realm.realm import BOTH, Realm, cell
from assistant.rulesets.incursio.realm.sight import forget, known_of, observe
from assistant.rulesets.incursio.realm.units import TYPES, by_type, joined, read_units
from assistant.turn.answers.asking import Ask
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import order


@order("deploy", "schiera", when=DAY, node=CELL, where=PLACE, units=TROOPS, issuer=SOMEBODY, priority=NUMBER,
       shown=("deploy {node}[ {where}] {units}", "schiera {node}[ {where}] {units}"),
       help="Say where new soldiers go; without it they stay in the town that made them.")
def deploy(realm: Realm, request: Request) -> None:
    """In settlements of one's own; where the switch says so, in any cell that is held."""
    if not may_deploy(realm, str(said(request, "node"))):
        raise Refused("INC-080", "node")


def may_deploy(realm: Realm, node: str) -> bool:
    """Whether new soldiers may come to a cell (GUA)."""
    held = (realm.rules.deploy_scope == "held_cells" and realm.nodes[node].kind == "empty"
            and bool(realm.camp.at(node, ESDEF)) and not realm.camp.at(node, VARANNAH))
    return realm.is_home(node, ESDEF) or held


def take_deployment(realm: Realm) -> None:
    """Judge the lines."""
    take_lines(realm, "deploy")


def arrivals(realm: Realm) -> None:
    """The steps of the evening in the book's order."""
    dusk(realm)
    seals(realm)
    portals(realm)
    if realm.rules.ruin_demons == "production":
        ruins(realm)
    muster(realm)
    next_day(realm)


# --- 1 dusk ---------------------------------------------------------------------------------------------------
def dusk(realm: Realm) -> None:
    """Portal demons are housed in ruins that have room, or return; nobody has fought any more."""
    for node in realm.sorted_cells(realm.camp.cells(VARANNAH)):
        place, line = realm.nodes[node], realm.camp.outside(node, VARANNAH)
        due = [unit for unit in line if unit.returns is not None and unit.returns <= realm.today]
        stay = [unit for unit in line if unit not in due]
        gone = due
        if place.kind == "ruin":
            room = realm.ruin(place).demons
            free = len(due) if realm.rules.ruin_demons == "production" else max(0, room - len(stay))
            realm.camp.move(due[:free], returns=None)
            gone = due[free:]
            if realm.rules.ruin_cap_scope == "all" and realm.rules.ruin_demons == "cap":
                gone = [*stay[room:], *gone]
        elif realm.rules.roaming_demons == "vanish":
            gone = [unit for unit in line if unit in due or unit.returns is None]
        if gone:
            realm.camp.remove(gone)
            realm.tell("demons_returned", [VARANNAH], "POR MOV", touch=realm.bands_changed(VARANNAH), node=cell(node),
                       units=joined(codes(gone)))
    for unit in realm.camp.units:
        unit.fought = ""
    realm.touch(*(row for side in BOTH for row in realm.bands_changed(side) if not isinstance(row, str)))


# --- 2 seals --------------------------------------------------------------------------------------------------
def opening(realm: Realm) -> list[Portal]:
    """The portals that open tonight, by cell; their demons act tomorrow."""
    day = str(realm.today + 1)
    rows = realm.portals.where(lambda row: row.day == day and row.state == "located")
    return sorted(rows, key=lambda row: natural(row.node))


def seals(realm: Realm) -> None:
    """By player, then cell: a six closes a portal, true or false."""
    tried: set[str] = set()
    missions = realm.missions.where(lambda row: row.mission == "seal" and row.day == realm.game.turn
                                    and row.state == "running")
    for row in sorted(missions, key=lambda row: (natural(row.player), not row.target, natural(row.target))):
        seal(realm, row, tried)


def seal(realm: Realm, row: Mission, tried: set[str]) -> None:
    """One seal: at its cell, or at the lowest known portal that nobody has tried yet."""
    day = str(realm.today + 1)
    shown = {one.node for one in known_of(realm, ESDEF, "portal") if one.what == day}
    there = {portal.node: portal for portal in opening(realm)}
    node = row.target or next((one for one in there if one in shown and one not in tried), "")
    if node not in there:
        realm.tell("seal_tried", [ESDEF], "POR T9", node=cell(node) if node else None, player=row.player,
                   result="nothing")
        return
    tried.add(node)
    throw = realm.roll(SEAL(row.day, row.player, node), [ESDEF])
    if throw.total >= (realm.mission_types["seal"].value or 6):
        there[node].state = "sealed"
        realm.tell("portal_sealed", list(BOTH), "POR T9", touch=[there[node]], node=cell(node))
    else:
        realm.tell("seal_tried", [ESDEF], "POR T9", roll=throw, node=cell(node), player=row.player, result="failed")


# --- 3 portals ------------------------------------------------------------------------------------------------
def portals(realm: Realm) -> None:
    """By cell the portals open; false ones fade."""
    rites = realm.missions.where(lambda row: row.mission == "rite" and row.state == "due")
    rites.sort(key=lambda row: natural(row.player))
    for mission in rites:
        mission.state = "ended"
    realm.touch(*rites)
    opened, day = opening(realm), str(realm.today + 1)
    first = next((row for row in opened if row.kind == "real"), None)
    for row in opened:
        if row.kind == "decoy":
            row.state = "faded"
            realm.touch(row)
            continue
        units = coming_out(realm, row) + [TYPES[VARANNAH][realm.roll(RITE(one.day, one.player), [VARANNAH]).total - 1]
                                          for one in (rites if row is first else ())]
        row.state, row.demons = "open", joined(by_type(units, VARANNAH))
        realm.camp.make(by_type(units, VARANNAH), VARANNAH, row.node, returns=realm.today + 1)
        touched = [row, *realm.bands_changed(VARANNAH)]
        if realm.camp.at(row.node, ESDEF):
            observe(realm, VARANNAH, row.node, "enemies", "sight")
        realm.tell("portal_opened", [VARANNAH], "POR T9", touch=touched, node=cell(row.node), units=row.demons)
        if realm.camp.at(row.node, ESDEF):
            observe(realm, ESDEF, row.node, "enemies", "sight")
            realm.tell("portal_seen", [ESDEF], "POR T9", node=cell(row.node))
    forget(realm, [one for one in known_of(realm, ESDEF, "portal") if one.what == day])


def coming_out(realm: Realm, row: Portal) -> list[str]:
    """The demons of a portal: all types alike, or each drawn by itself."""
    if realm.rules.portal_mix == "random_each":
        return [TYPES[VARANNAH][realm.roll(MIX(row.day, row.node, k, dice="1d3"), [VARANNAH]).total - 1]
                for k in range(1, row.number + 1)]
    return balanced(row.number, VARANNAH, lambda k, dice: realm.roll(
        MIX(row.day, row.node, k, dice=dice), [VARANNAH]).total)


def ruins(realm: Realm) -> None:
    """Where the figure of a ruin is what it makes: its demons, who stay."""
    for place in realm.homes(VARANNAH):
        units = balanced(realm.ruin(place).demons, VARANNAH, lambda k, dice, place=place: realm.roll(
            RUIN(realm.game.turn, place.node, k, dice=dice), [VARANNAH]).total)  # type: ignore[misc]
        if units:
            realm.camp.make(units, VARANNAH, place.node)
            realm.tell("demons_made", [VARANNAH], "TR", touch=realm.bands_changed(VARANNAH), node=cell(place.node),
                       units=joined(units))


# --- 4 muster -------------------------------------------------------------------------------------------------
def made(realm: Realm, place: Node) -> list[str]:
    """The units that a settlement makes tonight."""
    number = realm.level(place).defenders + sum(realm.effects(place.node, "units_made").values())
    for name, sign in (("drill", 1), ("terror", -1)):
        due = [row for row in realm.missions if (row.mission, row.state, row.target) == (name, "due", place.node)]
        number += sign * len(due) * (realm.mission_types[name].value or 1 if due else 0)
    rules = realm.rules
    no_cavalry = rules.unit_remainder == "no_cavalry" and not realm.effects(place.node, "garrison_cavalry")
    return balanced(max(0, number), ESDEF, lambda k, dice: realm.roll(
        MUSTER(realm.game.turn, place.node, k, dice=dice), [ESDEF]).total,
        distinct=rules.remainder_rule == "distinct", among=("F", "A") if no_cavalry else ())


def muster(realm: Realm) -> None:
    """New units by cell; then where the general sends them; what is left stays where it was made."""
    pool: dict[str, list[str]] = {}
    for place in realm.homes(ESDEF):
        units = made(realm, place)
        if units:
            pool[place.node] = units
            realm.tell("mustered", [ESDEF], "GUA T9", node=cell(place.node), units=joined(units))
    due = realm.missions.where(lambda row: row.mission in ("drill", "terror") and row.state == "due")
    for mission in due:
        mission.state = "ended"
    realm.touch(*due)
    for request in realm.taken:
        request.came_to("done")
        _deployed(realm, pool, str(said(request, "node")), said(request, "where") != "open", troops(request))
    if realm.rules.deploy_ask == "yes" and any(pool.values()):
        for node, garrison, units in asked(realm, pool):
            _deployed(realm, pool, node, garrison, units)
    for town, units in pool.items():
        placed(realm, town, by_type(units, ESDEF), garrison=True)
    realm.touch(*(row for row in realm.bands_changed(ESDEF) if not isinstance(row, str)))


def asked(realm: Realm, pool: dict[str, list[str]]) -> list[tuple[str, bool, list[str]]]:
    """The general's answer: lines like DEPLOY, parted by ``;``."""
    everyone = joined(by_type((unit for units in pool.values() for unit in units), ESDEF))
    ask = Ask(DEPLOY, ESDEF, default="default", asked={"pool": everyone})
    answer = realm.game.ask(ask)
    found = []
    for line in filter(str.strip, re.split(r"[;\n]", answer) if answer != "default" else ()):
        verb = "" if realm.game.orders.code(line.split()[0]) == "deploy" else "deploy "
        words = realm.game.reads(f"{verb}{line}", realm.campaign, ESDEF).fields if realm.game.reads else {}
        node, units = str(words.get("node", "")), read_units(str(words.get("units", "")), ESDEF)
        if node not in realm.nodes or not units or not may_deploy(realm, node):
            realm.game.ask_again(ask, "INC-010", column="answer", seen=line.strip()[:40], allowed="9 garrison FA; 17 C")
        else:
            found.append((node, words.get("where") != "open", units))
    return found


def _deployed(realm: Realm, pool: dict[str, list[str]], node: str, garrison: bool, units: list[str]) -> None:
    """Each unit from the town itself, else from the lowest that has one; those that are missing are skipped."""
    taken = []
    for code in units:
        towns = [node, *([] if realm.rules.deploy_scope == "own_town" else pool)]
        town = next((one for one in towns if code in pool.get(one, ())), "")
        if town:
            pool[town].remove(code)
            taken.append(code)
    come = placed(realm, node, taken, garrison=garrison)
    if come:
        realm.tell("deployed", [ESDEF], "GUA T9", touch=realm.bands_changed(ESDEF), node=cell(node),
                   units=joined(codes(come)))


def placed(realm: Realm, node: str, units: list[str], *, garrison: bool) -> list[Unit]:
    """New units: into the garrison where there is room, else outside."""
    found = []
    for code in units:
        after = [*codes(realm.camp.garrison(node)), code]
        inside = (garrison and realm.is_home(node, ESDEF) and not realm.overfull(node, after)
                  and not realm.no_stables(node, [code]))
        if not inside and code == "C" and realm.rules.cavalry_outside == "no" and not realm.effects(
                node, "garrison_cavalry"):
            continue
        (unit,) = realm.camp.make([code], ESDEF, node)
        unit.posture = "garrison" if inside else "open"
        found.append(unit)
    return found


# --- 5 the next day -------------------------------------------------------------------------------------------
def next_day(realm: Realm) -> None:
    """Whether it is over; else a day with nobody first, and no attacks made."""
    who = winner(realm, evening=True)
    tomorrow = str(realm.today + 1)
    if who:
        realm.tell("campaign_ended", "all", "PAN", winner=who)
    elif tomorrow not in realm.days:
        realm.touch(realm.days.add(Day(turn=tomorrow)))
