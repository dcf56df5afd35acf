"""The upkeep of a day, M1 to M7 in the book's order (rulebook: Upkeep)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.incursio.book.questions import FREE
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Mission, Portal, Work
from assistant.rulesets.incursio.book.tables import MAGES, PORTAL, SABOTAGE, STUDY
from assistant.rulesets.incursio.day.actions import acted, agreed, buildable, by_need
from assistant.rulesets.incursio.day.moves import moving
from assistant.rulesets.incursio.orders.judging import actions_of, said, take_lines
from assistant.rulesets.incursio.realm.drawing import one_of
from assistant.rulesets.incursio.realm.loss import stand
from assistant.rulesets.incursio.realm.realm import Realm, cell
from assistant.rulesets.incursio.realm.sight import known_of, observe
from assistant.turn.answers.asking import Ask
from assistant.turn.game import REFEREE
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import refuse
from assistant.turn.rows.chests import Chest, Spent
from assistant.turn.texts import N_

TONIGHT = ("drill", "terror", "rite")
"""Missions whose reward falls in tonight's arrivals."""
WHILE_IT_LASTS = ("seal", "watch", "false_portal", "night_eye")
"""Missions that are over with the day on which they began, and the upkeep after."""
AT_A_SETTLEMENT = ("refugees", "drill", "watch")


def upkeep(realm: Realm) -> None:
    """Ask first, all together; then M1 to M7."""
    ending = [row for row in realm.missions if row.state == "running" and int(row.day) < realm.today]
    ending.sort(key=lambda row: (natural(row.player), int(row.day), row.mission))
    free = [row for row in ending if row.mission == "free"]
    chosen, answers = agreed(realm, realm.taken, [_free(realm, row) for row in free])
    results = {row.ident: answer for row, answer in zip(free, answers, strict=True)}
    income(realm)
    for row in ending:
        end_mission(realm, row, results.get(row.ident, ""))
    finish_works(realm)
    levels(realm)
    rise(realm)
    power(realm)
    missions = [request for request in chosen if request.verb == "mission"]
    for request in sorted(missions, key=lambda one: (one.faction, natural(str(said(one, "player"))))):
        start_mission(realm, request)
    for request in sorted((one for one in chosen if one.verb == "build"), key=by_need):
        start_work(realm, request)
    locate(realm)
    foresee(realm)
    moving(realm, take_lines(realm, "move"))


def _free(realm: Realm, row: Mission) -> Ask:
    """The Master decides what came of a mission of one's own making."""
    player = realm.players[row.player]
    notes = [str(one.note) for one in actions_of(realm, row.day) if one.verb == "mission" and one.note
             and (said(one, "player"), said(one, "node")) == (row.player, row.target)]
    about = f"{row.player}/{row.target}" if row.target else row.player
    return Ask(FREE, REFEREE, about, ("success", "failed"),
               asked={"character": player.name or row.player, "note": notes[0] if notes else "–"})


def chests(realm: Realm, faction: str) -> list[Chest]:
    """What the defenders build from: their coins and the income of tonight."""
    if faction != ESDEF:
        return []
    have = (realm.factions[ESDEF].coins or 0) + sum(realm.income().values())
    return [Chest(have, N_("{n?coin|coins}"), tuple(Spent("build", kind.cost, where=(("structure", kind.structure),))
                                                     for kind in realm.types if kind.cost))]


# --- M1, M2 ---------------------------------------------------------------------------------------------------
def income(realm: Realm) -> None:
    """M1: coins of settlements, resources of ruins at their present level."""
    chest, parts = realm.factions[ESDEF], realm.income()
    if parts:
        chest.coins = (chest.coins or 0) + sum(parts.values())
        realm.tell("income", [ESDEF], "M1", touch=[chest], coins=sum(parts.values()), parts=parts)
    raiders = realm.factions[VARANNAH]
    yields = {row.node: realm.ruin(row).resources for row in realm.homes(VARANNAH)}
    if yields:
        raiders.resources = (raiders.resources or 0) + sum(yields.values())
        realm.tell("ruin_yield", [VARANNAH], "POT M1", touch=[raiders], resources=sum(yields.values()), parts=yields)


def end_mission(realm: Realm, row: Mission, answer: str) -> None:
    """M2: a mission of an earlier day ends."""
    side, name = realm.of_player(row.player), row.mission
    value = (realm.mission_types[name].value if name in realm.mission_types else 0) or 0
    result, touched = "over" if name in WHILE_IT_LASTS else "success", []
    if name in AT_A_SETTLEMENT and not realm.is_home(row.target, ESDEF):
        result = "failed"
    elif name == "refugees":
        place = realm.nodes[row.target]
        place.refugees += value
        touched = [place]
    elif name in ("smuggling", "abduct"):
        chest = realm.factions[side]
        field = "coins" if name == "smuggling" else "resources"
        setattr(chest, field, (getattr(chest, field) or 0) + value)
        realm.touch(chest)
    elif name == "scout":
        _scouted(realm, row)
    elif name == "sabotage":
        result = "success" if _sabotaged(realm, row, value) else "failed"
    elif name == "free":
        result = answer
    row.state = "failed" if result == "failed" else "due" if name in TONIGHT else "ended"
    realm.tell("mission_ended", [side], "M2", touch=[row, *touched], player=row.player, mission=name, result=result)


def _scouted(realm: Realm, row: Mission) -> None:
    """The cell and its neighbours by grey line: enemies, or nobody."""
    for node in realm.sorted_cells([row.target, *realm.game.map.neighbours(row.target, "grey")]):
        if realm.camp.at(node, ESDEF) or realm.is_home(node, ESDEF):
            continue
        enemies = bool(realm.camp.at(node, VARANNAH))
        if enemies or realm.nodes[node].kind == "empty":
            observe(realm, ESDEF, node, "enemies" if enemies else "empty", "scout", player=row.player)


def _sabotaged(realm: Realm, row: Mission, least: int) -> bool:
    """The work of the lowest structure that is due tonight is ready a day later."""
    throw = realm.roll(SABOTAGE(row.day, row.player), [VARANNAH])
    if throw.total < least:
        return False
    due = [work for work in realm.in_work(row.target) if (work.ready_on or 0) <= realm.today]
    for work in sorted(due, key=lambda work: (work.structure, natural(work.builder)))[:1]:
        work.ready_on = realm.today + 1
        realm.tell("work_delayed", [ESDEF], "COS M2", touch=[work], node=cell(work.node), structure=work.structure)
    return True


# --- M3 -------------------------------------------------------------------------------------------------------
def finish_works(realm: Realm) -> None:
    """M3: what is due is ready, at a settlement or where a soldier stands; else it is lost."""
    due = [work for work in realm.works if work.state == "in_progress" and (work.ready_on or 0) <= realm.today]
    for work in sorted(due, key=lambda work: (natural(work.node), work.structure, natural(work.builder))):
        place = realm.nodes[work.node]
        held = place.kind == "settlement" or (place.kind == "empty" and bool(realm.camp.at(work.node, ESDEF)))
        work.state = "done" if held else "lost"
        touched = [work, *([stand(realm, work.node, work.structure)] if held else [])]
        if not held and realm.rules.build_refund == "half":
            chest = realm.factions[ESDEF]
            chest.coins = (chest.coins or 0) + work.cost // 2
            touched.append(chest)
        realm.tell("work_finished" if held else "work_lost", [ESDEF], "COS M3", touch=touched, node=cell(work.node),
                   structure=work.structure)


def levels(realm: Realm) -> None:
    """M3: settlements are founded and rise."""
    for place in realm.nodes:
        if place.kind == "ruin":
            continue
        level = realm.level_of(realm.standing(place.node))
        founded = place.kind == "empty"
        if level > (0 if founded else place.level):
            place.kind, place.level = "settlement", level
            if founded:
                realm.tell("settlement_founded", "all", "FON", touch=[place], node=cell(place.node))
            else:
                realm.tell("level_rose", "all", "TL", touch=[place], node=cell(place.node), level=level)


def rise(realm: Realm) -> None:
    """M3: ruins rise one level, not those that were made today."""
    highest = max(int(key) for key in realm.ruins.keys_in_file_order())
    last = realm.today - (realm.rules.ruin_rise == "next_day")
    for place in realm.homes(VARANNAH):
        if place.level < highest and (place.ruined_on or 0) <= last:
            place.level += 1
            realm.tell("ruin_rose", "all", "POT", touch=[place], node=cell(place.node), level=place.level)


def power(realm: Realm) -> None:
    """M3: the highest step of power that is reached, never lost."""
    raiders = realm.factions[VARANNAH]
    reached = max((row.step for row in realm.powers if row.resources <= (raiders.resources or 0)), default=0)
    if reached > realm.power:
        raiders.power_step = reached
        realm.tell("power_gained", [VARANNAH], "POT M3", touch=[raiders], step=reached)


# --- M4, M5 ---------------------------------------------------------------------------------------------------
def start_mission(realm: Realm, request: Request) -> None:
    """M4: a mission begins."""
    row = realm.missions.add(Mission(
        day=realm.game.turn, player=str(said(request, "player")), mission=str(said(request, "mission")),
        target=str(said(request, "node")), target_player=str(said(request, "target_player"))))
    request.came_to("done")
    realm.tell("mission_started", [request.faction], "M4", touch=[row, acted(realm, request)], player=row.player,
               mission=row.mission)


def start_work(realm: Realm, request: Request) -> None:
    """M5: looked at once more, paid, and ready tomorrow; or nothing is paid."""
    node, code = str(said(request, "node")), str(said(request, "structure"))
    chest, cost = realm.factions[ESDEF], realm.types[code].cost
    reason = ""
    try:
        buildable(realm, request, forecast=False)
    except Refused as why:
        refuse(realm, request, why)
        reason = "limit" if why.code == "INC-053" else "requirements"
    if not reason and cost > (chest.coins or 0):
        request.came_to("no_money")
        reason = "money"
    if reason:
        realm.tell("work_not_started", [ESDEF], "COS M5", touch=[acted(realm, request)], node=cell(node),
                   structure=code, reason=reason)
        return
    chest.coins = (chest.coins or 0) - cost
    work = realm.works.add(Work(node=node, structure=code, builder=str(said(request, "player")),
                                started_on=realm.today, ready_on=realm.today + 1, cost=cost))
    request.came_to("done")
    realm.tell("work_started", [ESDEF], "COS M5", touch=[work, chest, acted(realm, request)], node=cell(node),
               structure=code, cost=cost)


# --- M6 -------------------------------------------------------------------------------------------------------
def portal_day(realm: Realm) -> int:
    """The day on which the demons of portals drawn today act."""
    return realm.today + (1 if realm.rules.portal_arrival == "evening_before" else 2)


def locate(realm: Realm) -> None:
    """M6: the portals of the next day, then the false ones of today's missions."""
    day, step = portal_day(realm), realm.power_row(realm.power)
    cells, drawn = realm.nodes.keys(), list[str]()
    for k in range(1, min(step.portals, len(cells)) + 1):
        attempt = 1
        while (node := one_of(cells, lambda dice, k=k, n=attempt: realm.roll(  # type: ignore[misc]
                PORTAL(day, k, n, dice=dice), [VARANNAH]).total)) in drawn:
            attempt += 1
        drawn.append(node)
        realm.touch(realm.portals.add(Portal(day=str(day), node=node, number=step.demons_per_portal)))
    for mission in realm.missions.where(lambda row: row.mission == "false_portal" and row.day == realm.game.turn):
        if f"{day}/{mission.target}" not in realm.portals:
            realm.touch(realm.portals.add(Portal(day=str(day), node=mission.target, kind="decoy")))
            drawn.append(mission.target)
    if drawn:
        realm.tell("portals_located", [VARANNAH], "M6 POR", nodes=[cell(node) for node in realm.sorted_cells(drawn)])


def foresee(realm: Realm) -> None:
    """M6: each mages' tower shows a portal, each arcane study looks at those that are near."""
    day = str(portal_day(realm))
    hidden = [row.node for row in realm.portals.where(lambda row: row.day == day and row.state == "located")]
    hidden = [node for node in realm.sorted_cells(hidden)
              if not any(row.node == node and row.what == day for row in known_of(realm, ESDEF, "portal"))]
    for town in realm.homes(ESDEF):
        if hidden and realm.effects(town.node, "engine_all"):
            node = one_of(hidden, lambda dice, town=town: realm.roll(  # type: ignore[misc]
                MAGES(realm.game.turn, town.node, dice=dice), [ESDEF]).total)
            _foreseen(realm, node, day, hidden)
    for town in realm.homes(ESDEF):
        if "09" not in realm.effects(town.node, "attack_neighbours"):
            continue
        near = realm.game.map.distances(town.node)
        for node in [one for one in hidden if near.get(one, 99) <= realm.rules.foresight_09_reach]:
            if realm.roll(STUDY(realm.game.turn, town.node, node), [ESDEF]).total >= realm.rules.foresight_09_at:
                _foreseen(realm, node, day, hidden)


def _foreseen(realm: Realm, node: str, day: str, hidden: list[str]) -> None:
    hidden.remove(node)
    observe(realm, ESDEF, node, "portal", "foresight", what=day)
    realm.tell("portal_foreseen", [ESDEF], "POR M6", node=cell(node))
