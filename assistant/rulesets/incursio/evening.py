"""The evening: dusk, seals, portals, muster, the next day; objectives and the end (rulebook: Arrivals, The end)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assistant.campaign.columns import Ref, Text, Whole, column
from assistant.campaign.records import ALL
from assistant.campaign.tables import Record, natural
from assistant.rulesets.incursio import ESDEF, VARANNAH, both, orders, records
from assistant.rulesets.incursio.orders import DAY, take_lines, troops
from assistant.rulesets.incursio.realm import Line, Realm, Unit, by_type, letters, read_units
from assistant.rulesets.incursio.records import AS_UNITS, ASSUMED, ROLLS, TYPES, NoYes, YesNo
from assistant.rulesets.incursio.upkeep import MIX, RITE, RUIN, SEAL, Numbers, PortalNumbers
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.event_types import Said
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask, Told
from assistant.turn.questions import Text as AnyText

# The end: objectives, winner, score (rulebook: The end).


class EndNumbers(Rules):
    """What ends the campaign, and who has won."""

    campaign_days: int = number(20, both("days", "giorni"),
                                both("The campaign lasts {n} {n?day|days}.", "La campagna dura {n} {n?giorno|giorni}."),
                                ASSUMED, 1, setup=True)
    settlements_to_win: int = number(5, both("settlements", "insediamenti"),
                                     both("The defenders need {n} {n?settlement|settlements}.",
                                          "Ai difensori {n?serve|servono} {n} {n?insediamento|insediamenti}."), ASSUMED,
                                     setup=True)
    settlements_to_lose: int = number(3, both("settlements", "insediamenti"),
                                      both("With fewer than {n} {n?settlement|settlements} the defenders have lost.",
                                           "Con meno di {n} {n?insediamento|insediamenti} i difensori hanno perso."),
                                      ASSUMED, setup=True)
    resources_to_win: int = number(2500, both("resources", "risorse"),
                                   both("With {n} {n?resource|resources} the raiders have won.",
                                        "Con {n} {n?risorsa|risorse} gli incursori hanno vinto."), ASSUMED, setup=True)
    play_on: NoYes = switch(both("After a win the campaign goes on: {option}.",
                                 "Dopo una vittoria la campagna prosegue: {option}."), both("no", "no"),
                            both("yes", "sì"), setup=True)


END_CHAPTER = Chapter(both("The end", "La fine"), (Citation("PAN", "Overview", "Panoramica"),), EndNumbers, events=(
    EventType("campaign_ended",
              both("The end: {winner:the} {winner?wins|win}.", "Fine: {winner?vince|vincono} {winner:il}."), "news", 0,
              variants=("winner", {"draw": both("The end: a truce, nobody wins.", "Fine: tregua, non vince nessuno.")}),
              to=ALL),
))


DRAW = "draw"
FORTRESS = 6
AIMS = {"settlements_at_least": ("settlements: {n} or more", "insediamenti: almeno {n}"),
        "level_6_at_least": ("Fortresses: {n} or more", "Fortezze: almeno {n}"),
        "resources_at_least": ("resources: {n} or more", "risorse: almeno {n}"),
        "settlements_below": ("settlements of Esdef: fewer than {n}", "insediamenti di Esdef: meno di {n}")}
"""An objective in words, English and Italian."""


@dataclass(eq=False, repr=False)
class Goal(Record, sheet="Objectives", sheet_it="Obiettivi"):
    """An objective, where it stands and what it lacks, blank where the reader does not know; the days that are left,
    today's included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    aim: str = column(Text(), "Objective", "Obiettivo", key=True)
    stands: int | None = column(Whole(0, blank=True), "Now", "Adesso")
    lacks: int | None = column(Whole(0, blank=True), "Still lacks", "Mancano")
    days: int | None = column(Whole(0, blank=True), "Days left", "Giorni rimasti")


def winner(realm: Realm, *, evening: bool) -> str:
    """The winner at the end of this day: a faction, a draw, or "" for nobody yet. `evening`: the day is over."""
    rules, towns = EndNumbers.of(realm), realm.homes(ESDEF)
    if rules.play_on == "yes" or not evening:
        return ""
    raiders = ((realm.factions[VARANNAH].resources or 0) >= rules.resources_to_win
               or len(towns) < rules.settlements_to_lose)
    over = realm.today >= rules.campaign_days
    defenders = over and (len(towns) >= rules.settlements_to_win or any(town.level >= FORTRESS for town in towns))
    if raiders and defenders:
        return DRAW
    return VARANNAH if raiders else ESDEF if defenders else DRAW if over else ""


def score(realm: Realm, side: str) -> int:
    """The score: people of settlements with refugees, or resources."""
    if side == VARANNAH:
        return realm.factions[side].resources or 0
    return sum(realm.level(town).population + town.refugees for town in realm.homes(ESDEF))


def _figures(realm: Realm) -> dict[str, int | None]:
    """The figure that measures each kind of objective; None if the reader does not know it."""
    towns, resources = realm.homes(ESDEF), realm.factions[VARANNAH].resources
    return {"settlements_at_least": len(towns), "settlements_below": len(towns),
            "level_6_at_least": sum(town.level >= FORTRESS for town in towns), "resources_at_least": resources}


def _lacks(row: records.Objective, now: int) -> int:
    return max(0, now - row.value + 1 if row.kind == "settlements_below" else row.value - now)


def objectives_reached(realm: Realm, side: str) -> int:
    """How many objectives of a side are met today, as far as the reader knows; two joined ones count once."""
    figures = _figures(realm)
    held = [row for row in realm.campaign.table(records.Objective) if row.faction == side
            and not _lacks(row, figures[row.kind] or 0)]
    return len({_group(row) for row in held})


def _group(row: records.Objective) -> str:
    return min(row.objective, row.joined_to or row.objective)


HOW_FAR = both("{aim}. Now {now}. {days} {days?day|days} left, this one included.",
               "{aim}. Adesso {now}. {days?Resta|Restano} {days} {days?giorno|giorni}, compreso questo.")
ENOUGH = both("{n}, which is enough", "{n}, e bastano")


def clock(goal: Goal) -> Said | None:
    """How far a side is from an objective, and how long it has; None where the reader does not know."""
    if goal.stands is None:
        return None
    aim = f"{goal.aim[:1].upper()}{goal.aim[1:]}"
    now = goal.stands if goal.days is None or goal.lacks else Said(ENOUGH, {"n": goal.stands})
    return Said(HOW_FAR, {"aim_en": aim, "aim_it": aim, "now": now, "days": "" if goal.days is None else goal.days})


def _group_digits(number: int, language: str) -> str:
    """A number with its thousands apart, as the language writes them."""
    return f"{number:,}".replace(",", "." if language == "it" else ",")


def goals(realm: Realm, reader: str, language: str) -> list[Goal]:
    """The objectives of both sides, own ones first; alternatives follow each other."""
    listed, before = list[Goal](), ""
    rules, figures = EndNumbers.of(realm), _figures(realm)
    last = None if rules.play_on == "yes" else rules.campaign_days
    if reader == VARANNAH:
        figures["resources_at_least"] = figures["resources_at_least"] or 0
    for row in sorted(realm.campaign.table(records.Objective), key=lambda row: (row.faction != reader, row.faction,
                                                                         _group(row), row.objective)):
        now, by_day = figures[row.kind], row.by_day or last
        aim = AIMS[row.kind][language == "it"].format(n=_group_digits(row.value, language))
        other = {"it": "oppure "}.get(language, "or ") if _group(row) == before else ""
        listed.append(Goal(row.faction, other + aim, now, None if now is None else _lacks(row, now),
                           None if by_day is None else max(0, by_day - realm.today + 1)))
        before = _group(row)
    return listed


# The evening: dusk, seals, portals, muster, the end of the day (rulebook: Arrivals).


class MusterNumbers(Rules):
    """Who is mustered, and where soldiers are deployed."""

    cavalry_outside: YesNo = switch(both("Cavalry without stables may stand outside: {option}.",
                                         "Senza scuderie la cavalleria può stare fuori: {option}."), both("yes", "sì"),
                                    both("no", "no"), source="TS")
    unit_remainder: Literal["any", "no_cavalry"] = switch(
        both("A town without stables makes {option}.", "Un insediamento senza scuderie produce {option}."),
        both("any type", "ogni tipo"), both("foot and archers only", "solo fanti e arcieri"))
    remainder_rule: Literal["distinct", "independent"] = switch(
        both("Types that are drawn are {option}.", "I tipi sorteggiati sono {option}."),
        both("all different", "tutti diversi"), both("drawn each by itself", "sorteggiati uno per uno"))
    deploy_scope: Literal["any_settlement", "own_town", "held_cells"] = switch(
        both("New units are deployed {option}.", "Le nuove unità si schierano {option}."),
        both("in any settlement", "in ogni insediamento"), both("where they were made", "dove sono state prodotte"),
        both("in any cell held", "in ogni casella tenuta"), usual=True)
    deploy_ask: NoYes = switch(both("The general is asked where new units go: {option}.",
                                    "Si chiede al generale dove vanno le nuove unità: {option}."), both("no", "no"),
                               both("yes", "sì"), usual=True)
    roaming_demons: Literal["stay", "vanish"] = switch(both("Residents outside a ruin at dusk {option}.",
                                                            "I demoni residenti fuori da una rovina al tramonto "
                                                            "{option}."), both("stay", "restano"),
                                                       both("vanish", "scompaiono"), source="MOV")


DEPLOY = "deploy"
"""The question to the general where soldiers are deployed."""


MUSTER_CHAPTER = Chapter(both("Garrisons", "Guarnigioni"), (
    Citation("GUA", "Garrisons", "Guarnigioni"),
    Citation("T9", "order of the turn, 9", "ordine del turno, 9", "The day"),
), MusterNumbers, events=(
    EventType("demons_returned", both("Home from {node:the}: {units}.", "{node:da} rientrano: {units}."), "moves", 2,
              "POR MOV", means=AS_UNITS, to=(VARANNAH,)),
    EventType("mustered", both("Reinforcements {node:at}: {units}.", "Rinforzi {node:dove}: {units}."),
              "works", 3, "GUA T9", means=AS_UNITS, to=(ESDEF,)),
    EventType("deployed", both("Deployed {node:at}: {units}.", "Nuovi soldati schierati {node:dove}: {units}."),
              "moves", 3, "GUA T9", means=AS_UNITS, to=(ESDEF,)),
), findings=(
    Message("INC-080", "error",
            both("Soldiers deploy only in your settlements.", "Si schiera solo nei tuoi insediamenti.")),
), questions=(
    QuestionType(DEPLOY, both("Reinforcements {pool}: where?", "Rinforzi {pool}: dove?"), means={"pool": "text"},
                 answer=AnyText(), wrong=Told("INC-010", {"column": "kind", "seen": "answer", "allowed": "options"})),
))

MUSTER = ROLLS.purpose(both("Muster", "Rinforzi"), "muster/{turn}/{Nodes}/{n}", "")


@order("deploy", "schiera", when=DAY, node=orders.CELL, where=orders.PLACE, units=orders.TROOPS,
       issuer=orders.ISSUER, priority=orders.NUMBER,
       shown=("deploy {node}[ {where}] {units}", "schiera {node}[ {where}] {units}"),
       help=both("Say where new soldiers go; without it they stay in the town that made them.",
                 "Di' dove vanno i nuovi soldati; altrimenti restano dove sono stati prodotti."))
def deploy(realm: Realm, request: Line) -> None:
    """Into own settlements, or by switch into any cell that is held."""
    if not may_deploy(realm, request.node):
        raise Refused("INC-080", "node")


def may_deploy(realm: Realm, node: str) -> bool:
    """Whether new soldiers may come to a cell (GUA)."""
    held = (MusterNumbers.of(realm).deploy_scope == "held_cells" and realm.nodes[node].kind == "empty"
            and bool(realm.camp.at(node, ESDEF)) and not realm.camp.at(node, VARANNAH))
    return realm.is_home(node, ESDEF) or held


def take_deployment(realm: Realm) -> None:
    """Judge the DEPLOY lines."""
    take_lines(realm, "deploy")


def arrivals(realm: Realm) -> None:
    """The steps of the evening in the book's order."""
    dusk(realm)
    try_seals(realm)
    open_portals(realm)
    if Numbers.of(realm).ruin_demons == "production":
        make_ruin_demons(realm)
    muster(realm)
    next_day(realm)


# --- 1 dusk ---------------------------------------------------------------------------------------------------
def dusk(realm: Realm) -> None:
    """Portal demons stay in ruins with room, or return; all units are fresh again."""
    for node in realm.sorted_cells(realm.camp.cells(VARANNAH)):
        place, line = realm.nodes[node], realm.camp.outside(node, VARANNAH)
        due = [unit for unit in line if unit.returns is not None and unit.returns <= realm.today]
        stay = [unit for unit in line if unit not in due]
        gone = due
        if place.kind == "ruin":
            room = realm.ruin(place).demons
            free = len(due) if Numbers.of(realm).ruin_demons == "production" else max(0, room - len(stay))
            realm.camp.move(due[:free], returns=None)
            gone = due[free:]
            if Numbers.of(realm).ruin_cap_scope == "all" and Numbers.of(realm).ruin_demons == "cap":
                gone = [*stay[room:], *gone]
        elif MusterNumbers.of(realm).roaming_demons == "vanish":
            gone = [unit for unit in line if unit in due or unit.returns is None]
        if gone:
            realm.camp.remove(gone)
            realm.camp.write()
            realm.tell("demons_returned", node=node, units=letters(gone))
    for unit in realm.camp.units:
        unit.fought = ""
    realm.camp.write()


# --- 2 seals --------------------------------------------------------------------------------------------------
def opening_portals(realm: Realm) -> list[records.Portal]:
    """The portals that open tonight, by cell; their demons act tomorrow."""
    day = str(realm.today + 1)
    rows = realm.portals.where(lambda row: row.day == day and row.state == "located")
    return sorted(rows, key=lambda row: natural(row.node))


def try_seals(realm: Realm) -> None:
    """Try the seals by player, then cell: a six closes a portal, true or false."""
    tried: set[str] = set()
    missions = realm.on_mission("seal", day=realm.game.turn, state="running")
    for row in sorted(missions, key=lambda row: (natural(row.player), not row.target, natural(row.target))):
        try_seal(realm, row, tried)


def try_seal(realm: Realm, row: records.Mission, tried: set[str]) -> None:
    """One seal: at its cell, or at the lowest known portal that nobody has tried yet."""
    day = str(realm.today + 1)
    shown = {observation.node for observation in realm.sighted_portals() if observation.what == day}
    # a decoy is sealed like a portal, so that Esdef never learns which it was
    there = {portal.node: portal for portal in opening_portals(realm)}
    node = row.target or next((node for node in there if node in shown and node not in tried), "")
    if node not in there:
        realm.tell("seal_tried", node=node if node else None, player=row.player, result="nothing")
        return
    tried.add(node)
    throw = realm.roll(SEAL(row.day, row.player, node), [ESDEF])
    if throw.total >= (realm.mission_value("seal") or 6):
        there[node].state = "sealed"
        realm.tell("portal_sealed", node=node)
    else:
        realm.tell("seal_tried", roll=throw, node=node, player=row.player, result="failed")


# --- 3 portals ------------------------------------------------------------------------------------------------
def open_portals(realm: Realm) -> None:
    """Open the portals by cell; false ones fade."""
    rites = sorted(realm.on_mission("rite", state="due"), key=lambda row: natural(row.player))
    for mission in rites:
        mission.state = "ended"
    opened, day = opening_portals(realm), str(realm.today + 1)
    first = next((row for row in opened if row.kind == "real"), None)
    for row in opened:
        if row.kind == "decoy":
            row.state = "faded"
            continue
        units = portal_demons(realm, row) + [realm.draw(TYPES[VARANNAH], VARANNAH, RITE, rite.day, rite.player)
                                             for rite in (rites if row is first else ())]
        row.state, row.demons = "open", "".join(by_type(units, VARANNAH))
        realm.camp.make(by_type(units, VARANNAH), VARANNAH, row.node, returns=realm.today + 1)
        realm.camp.write()
        if realm.camp.at(row.node, ESDEF):
            realm.observe(VARANNAH, row.node, "enemies", "sight")
        realm.tell("portal_opened", node=row.node, units=row.demons)
        if realm.camp.at(row.node, ESDEF):
            realm.observe(ESDEF, row.node, "enemies", "sight")
            realm.tell("portal_seen", node=row.node)
    realm.supersede([observation for observation in realm.sighted_portals() if observation.what == day])


def portal_demons(realm: Realm, row: records.Portal) -> list[str]:
    """The demons of a portal: all types alike, or each drawn by itself."""
    if PortalNumbers.of(realm).portal_mix == "random_each":
        return [realm.draw(TYPES[VARANNAH], VARANNAH, MIX, row.day, row.node, k) for k in range(1, row.number + 1)]
    return realm.balanced_units(row.number, VARANNAH, MIX, row.day, row.node)


def make_ruin_demons(realm: Realm) -> None:
    """If a ruin's figure is its production (`ruin_demons`), add its demons, who stay."""
    for place in realm.homes(VARANNAH):
        units = realm.balanced_units(realm.ruin(place).demons, VARANNAH, RUIN, realm.game.turn, place.node)
        if units:
            realm.camp.make(units, VARANNAH, place.node)
            realm.camp.write()
            realm.tell("demons_made", node=place.node, units="".join(units))


# --- 4 muster -------------------------------------------------------------------------------------------------
def units_made(realm: Realm, place: records.Node) -> list[str]:
    """The units that a settlement makes tonight."""
    number = realm.level(place).defenders + sum(realm.effects(place.node, "units_made").values())
    for name, sign in (("drill", 1), ("terror", -1)):
        due = realm.on_mission(name, state="due", target=place.node)
        number += sign * len(due) * (realm.mission_value(name) or 1)
    rules = MusterNumbers.of(realm)
    no_cavalry = rules.unit_remainder == "no_cavalry" and not realm.effects(place.node, "garrison_cavalry")
    return realm.balanced_units(max(0, number), ESDEF, MUSTER, realm.game.turn, place.node,
                                distinct=rules.remainder_rule == "distinct", among=("F", "A") if no_cavalry else ())


def muster(realm: Realm) -> None:
    """Make new units by cell, and deploy them as the general says; the rest stays where it was made."""
    pool: dict[str, list[str]] = {}
    for place in realm.homes(ESDEF):
        units = units_made(realm, place)
        if units:
            pool[place.node] = units
            realm.tell("mustered", node=place.node, units="".join(units))
    for mission in [*realm.on_mission("drill", state="due"), *realm.on_mission("terror", state="due")]:
        mission.state = "ended"
    for request in realm.taken:
        request.came_to("done")
        _deploy_units(realm, pool, request.node, request.more["where"] != "open",
                      troops(request))
    if MusterNumbers.of(realm).deploy_ask == "yes" and any(pool.values()):
        for node, garrison, units in ask_deployment(realm, pool):
            _deploy_units(realm, pool, node, garrison, units)
    for town, units in pool.items():
        place_units(realm, town, by_type(units, ESDEF), garrison=True)
    realm.camp.write()


def ask_deployment(realm: Realm, pool: dict[str, list[str]]) -> list[tuple[str, bool, list[str]]]:
    """Ask the general: lines like DEPLOY, separated by ``;``."""
    everyone = "".join(by_type((unit for units in pool.values() for unit in units), ESDEF))
    ask = Ask(DEPLOY, ESDEF, default="default", asked={"pool": everyone})
    answer = realm.game.ask(ask)
    groups = []
    for line in filter(str.strip, re.split(r"[;\n]", answer) if answer != "default" else ()):
        verb = "" if realm.game.orders.code(line.split()[0]) == "deploy" else "deploy "
        words = realm.game.reads(f"{verb}{line}", realm.campaign, ESDEF).fields if realm.game.reads else {}
        node, units = str(words.get("node", "")), list(read_units(str(words.get("units", "")), ESDEF))
        if node not in realm.nodes or not units or not may_deploy(realm, node):
            realm.game.ask_again(ask, "INC-010", column="answer", seen=line.strip()[:40], allowed="9 garrison FA; 17 C")
        else:
            groups.append((node, words.get("where") != "open", units))
    return groups


def _deploy_units(realm: Realm, pool: dict[str, list[str]], node: str, garrison: bool, units: list[str]) -> None:
    """Deploy units, each from the town itself, else from the lowest that has one; missing ones are skipped."""
    taken = []
    for code in units:
        towns = [node, *([] if MusterNumbers.of(realm).deploy_scope == "own_town" else pool)]
        town = next((town for town in towns if code in pool.get(town, ())), "")
        if town:
            pool[town].remove(code)
            taken.append(code)
    come = place_units(realm, node, taken, garrison=garrison)
    if come:
        realm.camp.write()
        realm.tell("deployed", node=node, units=letters(come))


def place_units(realm: Realm, node: str, units: list[str], *, garrison: bool) -> list[Unit]:
    """Place new units in the garrison if there is room, else outside."""
    placed = []
    for code in units:
        inside = garrison and realm.is_home(node, ESDEF) and realm.takes_in(node, [code])
        if not inside and code == "C" and MusterNumbers.of(realm).cavalry_outside == "no" and not realm.effects(
                node, "garrison_cavalry"):
            # without stables and with no place outside it is not made at all
            continue
        (unit,) = realm.camp.make([code], ESDEF, node)
        unit.posture = "garrison" if inside else "open"
        placed.append(unit)
    return placed


# --- 5 the next day -------------------------------------------------------------------------------------------
def next_day(realm: Realm) -> None:
    """End the campaign if somebody has won, else begin a new day."""
    who = winner(realm, evening=True)
    tomorrow = str(realm.today + 1)
    if who:
        realm.tell("campaign_ended", winner=who)
    elif tomorrow not in realm.days:
        realm.days.add(records.Day(turn=tomorrow))
