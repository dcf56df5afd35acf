"""Upkeep with the portals of tomorrow, and initiative (rulebook: Upkeep, Portals, Initiative)."""

from __future__ import annotations

from itertools import count
from typing import Any, Literal

from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, both, records
from assistant.rulesets.incursio.actions import YES_NO, ask_consents, check_buildable, note_action, payment_key
from assistant.rulesets.incursio.movement import carry_out_moves
from assistant.rulesets.incursio.orders import actions_of, take_lines
from assistant.rulesets.incursio.realm import Line, Realm
from assistant.rulesets.incursio.records import AS_PIECES, AS_UNITS, ASSUMED, ROLLS, side_of_player
from assistant.turn.chapters import Chapter, Citation, EventType, QuestionType, Rules, number, switch
from assistant.turn.dice import REFEREE
from assistant.turn.game import Chest, Spent
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.taking import refuse
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest

# Upkeep: M1 to M7 in the book's order (rulebook: Upkeep).


class Numbers(Rules):
    """How ruins grow and make demons."""

    ruin_demons: Literal["cap", "production"] = switch(
        both("The figure of a ruin is {option}.", "La cifra di una rovina è {option}."),
        both("its room", "il suo posto"), both("what it makes each day", "quanto produce ogni giorno"), source="TR",
        usual=True)
    ruin_cap_scope: Literal["arrivals", "all"] = switch(
        both("The room of a ruin binds {option}.", "Il posto di una rovina limita {option}."),
        both("demons of portals", "i demoni dei portali"), both("all demons", "tutti i demoni"))
    ruin_rise: Literal["next_day", "same_day"] = switch(
        both("A ruin rises first {option}.", "Una rovina sale la prima volta {option}."),
        both("the day after it was made", "il giorno dopo"), both("on the day it was made", "il giorno stesso"))


FREE = "free"
"""The question to the referee about a mission that no rule decides."""
SUCCESS = {**{word: {"yes": "success", "no": "failed"}[means] for word, means in YES_NO.items()}, "yes": "success",
           "no": "failed", "riuscita": "success", "riuscito": "success", "successo": "success", "fallita": "failed",
           "fallito": "failed", "failure": "failed"}
WHY_NOT_STARTED = {"money": both("{structure} cannot begin {node:at}: there are not enough coins.",
                             "I lavori ({structure}) non possono cominciare {node:dove}: le monete non bastano."),
        "requirements": both("{structure} cannot begin {node:at}: its requirements are missing.",
                             "I lavori ({structure}) non possono cominciare {node:dove}: mancano i requisiti."),
        "limit": both("{structure} cannot begin {node:at}: there are as many as there may be.",
                      "I lavori ({structure}) non possono cominciare {node:dove}: il limite è raggiunto.")}


MISSIONS = {
    "refugees success": both("The mission of {player} ({mission}) succeeds: refugees come to the settlement.",
                             "La missione di {player} ({mission}) è riuscita: nell'insediamento arrivano profughi."),
    "smuggling success": both("The mission of {player} ({mission}) succeeds and brings coins.",
                              "La missione di {player} ({mission}) è riuscita e porta monete."),
    "abduct success": both("The mission of {player} ({mission}) succeeds and brings resources.",
                           "La missione di {player} ({mission}) è riuscita e porta risorse."),
    "drill success": both("The mission of {player} ({mission}) succeeds: tonight the settlement makes more soldiers.",
                          "La missione di {player} ({mission}) è riuscita: stasera l'insediamento recluta di più."),
    "terror success": both("The mission of {player} ({mission}) succeeds: tonight the settlement makes one "
                           "soldier fewer, if it makes any. Place: {node}.",
                           "La missione di {player} ({mission}) è riuscita: stasera l'insediamento recluta un "
                           "soldato in meno, se ne recluta. Luogo: {node}."),
    "sabotage success": both("The mission of {player} ({mission}) succeeds: if a work was due there, it is late. "
                             "Place: {node}.",
                             "La missione di {player} ({mission}) è riuscita: se là finiva un lavoro, ritarda. "
                             "Luogo: {node}."),
    "rite success": both("The mission of {player} ({mission}) succeeds: if a portal opens tonight, more demons come by "
                         "it.",
                         "La missione di {player} ({mission}) è riuscita: se stasera si apre un portale, ne escono più "
                         "demoni."),
    "success": both("The mission of {player} ({mission}) succeeds.", "La missione di {player} ({mission}) è riuscita."),
    "failed": both("The mission of {player} ({mission}) fails.", "La missione di {player} ({mission}) è fallita."),
    "scout success": both("The mission of {player} ({mission}) succeeds: what was seen is among your sightings.",
                          "La missione di {player} ({mission}) è riuscita: quel che ha visto è fra i tuoi "
                          "avvistamenti."),
    "over": both("The mission of {player} ({mission}) is over, and so is what it did.",
                 "La missione di {player} ({mission}) è finita, e con lei il suo effetto."),
}
"""How missions end, and what the book's own bring."""
WORKS_TONIGHT = ("seal", "false_portal", "night_eye")
"""Missions that take effect on the evening on which they begin."""


both.words({
    "over": "finita", "money": "monete", "initiative": "iniziativa", "foresight": "preveggenza",
    "deploy": "schieramento",
})

CHAPTER = Chapter(both("Ruins and powers", "Rovine e poteri"), (
    Citation("POT", "Demon powers", "Poteri demoniaci"), Citation("TR", "table of ruins", "tabella delle rovine"),
), Numbers, events=(
    EventType("settlement_fell", both("{node:the} falls to the demons: only ruins are left.",
                                      "{node:il} {node?cade|cadono} in mano ai demoni: ne restano solo rovine."),
              "sieges", 0, to=ALL, theme="place"),
    EventType("level_rose", both("{node:the} rises to level {level}.",
                                 "{node:il} {node?sale|salgono} al livello {level}."), "works", 1, "TL", to=ALL),
    EventType("ruin_rose", both("The ruin of {node:the} rises to level {level} and yields the raiders more.",
                                "La rovina {node:di} sale al livello {level} e rende di più agli incursori."), "works",
              1, to=ALL),
    EventType("captives_taken",
              both("Captives from {node:the}: {resources} {resources?resource|resources} more.",
                   "Prigionieri {node:da}: {resources} {resources?risorsa|risorse} in più."), "money", 1,
              to=(VARANNAH,)),
    EventType("ruin_yield",
              both("The ruins yield {resources} {resources?resource|resources}.",
                   "Le rovine rendono {resources} {resources?risorsa|risorse}."), "money", 3, "POT M1", to=(VARANNAH,)),
    EventType("power_gained", both("The demons reach power {step}.", "I demoni raggiungono il potere {step}."), "news",
              0, "POT M3", to=(VARANNAH,)),
    EventType("income", both("Income: {coins} {coins?coin|coins}.", "Entrate: {coins} {coins?moneta|monete}."), "money",
              2, "M1", to=(ESDEF,)),
    EventType("work_started",
              both("Work begins {node:at}: {structure}, for {cost} {cost?coin|coins}.",
                   "Cominciano i lavori {node:dove}: {structure}, per {cost} {cost?moneta|monete}."), "works", 3,
              "COS M5", means=AS_PIECES, to=(ESDEF,)),
    EventType("work_not_started",
              both("{node}: {structure} does not begin, {reason}.", "{node}: {structure} non comincia, {reason}."),
              "works", 1, "COS M5", variants=("reason", WHY_NOT_STARTED), means={**AS_PIECES, "reason": "text"},
              to=(ESDEF,)),
    EventType("work_finished", both("{structure} is ready {node:at}.", "Lavori finiti {node:dove}: {structure}."),
              "works", 2, "COS M3", means=AS_PIECES, to=(ESDEF,)),
    EventType("work_delayed",
              both("Works a day late {node:at}: {structure}. Sabotage by the raiders does that.",
                   "Lavori in ritardo di un giorno {node:dove}: {structure}. È l'effetto di un sabotaggio degli "
                   "incursori."),
              "works", 1, "COS M2", means=AS_PIECES, to=(ESDEF,)),
    EventType("work_lost", both("Works lost {node:at}: {structure}.", "Lavori perduti {node:dove}: {structure}."),
              "works", 1, "COS M3", means=AS_PIECES, to=(ESDEF,)),
    EventType("mission_started", both("{player} begins a mission: {mission}. It lasts until tomorrow's upkeep.",
                                      "{player} comincia una missione: {mission}. Dura fino al mantenimento di "
                                      "domani."), "works", 3, "M4",
              variants=("mission", dict.fromkeys(WORKS_TONIGHT, both(
                  "{player} begins a mission: {mission}. It works tonight.",
                  "{player} comincia una missione: {mission}. Ha effetto stasera."))),
              means=AS_PIECES, to="player"),
    EventType("mission_ended", both("The mission of {player} ({mission}): {result}.",
                                    "La missione di {player} ({mission}): {result}."), "works", 2, "M2",
              variants=("mission result", MISSIONS),
              means={**AS_PIECES, "result": "word"}, to="player", blank="node"),
    EventType("demons_made", both("The ruin of {node:the} makes {units}.", "La rovina {node:di} produce {units}."),
              "moves", 2, "TR", means=AS_UNITS, to=(VARANNAH,)),
), questions=(
    QuestionType(FREE,
                 both("{character} is back from “{note}”. Success?", "{character} è tornato da «{note}». Riuscita?"),
                 means={"character": "text"}, answers=SUCCESS),
))

SEAL = ROLLS.purpose(both("Missions", "Missioni"), "mission/{turn}/{Players}/seal/{Nodes}")
SABOTAGE = ROLLS.purpose("", "mission/{turn}/{Players}/sabotage", next_turn=True)
RITE = ROLLS.purpose("", "mission/{turn}/{Players}/rite", "1d3", next_turn=True)


TONIGHT = ("drill", "terror", "rite")
"""Missions that take effect in tonight's arrivals."""
WHILE_IT_LASTS = ("seal", "watch", "false_portal", "night_eye")
"""Missions that are over at the upkeep after the day on which they began."""
AT_A_SETTLEMENT = ("refugees", "drill", "watch")


def upkeep(realm: Realm) -> None:
    """Ask all questions together, then carry out M1 to M7."""
    ending = [row for row in realm.missions if row.state == "running" and int(row.day) < realm.today]
    ending.sort(key=lambda row: (natural(row.player), int(row.day), row.mission))
    free = [row for row in ending if row.mission == "free"]
    # everything is asked at once, before the first step changes anything
    chosen, answers = ask_consents(realm, realm.taken, [_free_mission_question(realm, row) for row in free])
    results = {row.ident: answer for row, answer in zip(free, answers, strict=True)}
    income(realm)
    for row in ending:
        end_mission(realm, row, results.get(row.ident, ""))
    finish_works(realm)
    raise_settlements(realm)
    raise_ruins(realm)
    raise_power(realm)
    missions = [request for request in chosen if request.verb == "mission"]
    for request in sorted(missions, key=lambda request: (request.faction, natural(request.player))):
        start_mission(realm, request)
    for request in sorted((request for request in chosen if request.verb == "build"), key=payment_key):
        start_work(realm, request)
    locate_portals(realm)
    foresee_portals(realm)
    carry_out_moves(realm, take_lines(realm, "move"))


def _free_mission_question(realm: Realm, row: records.Mission) -> Ask:
    """The question to the Master whether a free mission succeeded."""
    player = realm.players[row.player]
    notes = [str(request.note) for request in actions_of(realm, row.day) if request.verb == "mission" and request.note
             and (request.player, request.node) == (row.player, row.target)]
    about = f"{row.player}/{row.target}" if row.target else row.player
    return Ask(FREE, REFEREE, about, ("success", "failed"),
               asked={"character": player.name or row.player, "note": notes[0] if notes else "–"})


N = both("{n?coin|coins} from the chest and tonight's income",
         "{n?moneta|monete} dalla cassa e dalle entrate di stasera")


def chests(realm: Realm, faction: str) -> list[Chest]:
    """What the defenders build from: their coins, tonight's income and what missions bring."""
    if faction != ESDEF:
        return []
    return [Chest(realm.coins_for_works, N, tuple(Spent("build", kind.cost, where=(("structure", kind.structure),))
                                                for kind in realm.types if kind.cost))]


# --- M1, M2 ---------------------------------------------------------------------------------------------------
def income(realm: Realm) -> None:
    """M1: coins of settlements, resources of ruins at their present level."""
    parts = realm.income()
    if parts:
        realm.earn(ESDEF, sum(parts.values()))
        realm.tell("income", coins=sum(parts.values()), parts=parts)
    yields = {row.node: realm.ruin(row).resources for row in realm.homes(VARANNAH)}
    if yields:
        realm.earn(VARANNAH, sum(yields.values()))
        realm.tell("ruin_yield", resources=sum(yields.values()), parts=yields)


def end_mission(realm: Realm, row: records.Mission, answer: str) -> None:
    """M2: a mission of an earlier day ends."""
    name = row.mission
    value = realm.mission_value(name)
    result = "over" if name in WHILE_IT_LASTS else "success"
    if name in AT_A_SETTLEMENT and not realm.is_home(row.target, ESDEF):
        result = "failed"
    elif name == "refugees":
        realm.nodes[row.target].refugees += value
    elif name in ("smuggling", "abduct"):
        realm.earn(side_of_player(realm.campaign, row.player), value)
    elif name == "scout":
        _observe_surroundings(realm, row)
    elif name == "sabotage":
        result = "success" if _try_sabotage(realm, row, value) else "failed"
    elif name == "free":
        result = answer
    row.state = "failed" if result == "failed" else "due" if name in TONIGHT else "ended"
    where = {"node": row.target} if row.target else {}
    realm.tell("mission_ended", player=row.player, mission=name, result=result, **where)


def _observe_surroundings(realm: Realm, row: records.Mission) -> None:
    """A scout sees enemies, or nobody, in the cell and its neighbours by grey line."""
    for node in realm.sorted_cells([row.target, *realm.neighbours(row.target, ESDEF)]):
        if realm.camp.at(node, ESDEF) or realm.is_home(node, ESDEF):
            continue
        enemies = bool(realm.camp.at(node, VARANNAH))
        # of a ruin without demons nothing is told: it is no empty cell
        if enemies or realm.nodes[node].kind == "empty":
            realm.observe(ESDEF, node, "enemies" if enemies else "empty", "scout", player=row.player)


def _try_sabotage(realm: Realm, row: records.Mission, least: int) -> bool:
    """Delay a work that is due tonight, of the lowest structure, by a day; return whether the mission succeeded."""
    if realm.die(SABOTAGE(row.day, row.player), VARANNAH) < least:
        return False
    due = [work for work in realm.in_work(row.target) if (work.ready_on or 0) <= realm.today]
    for work in sorted(due, key=lambda work: (work.structure, natural(work.builder)))[:1]:
        work.ready_on = realm.today + 1
        realm.tell("work_delayed", node=work.node, structure=work.structure)
    return True


# --- M3 -------------------------------------------------------------------------------------------------------
def finish_works(realm: Realm) -> None:
    """M3: works that are due are finished at a settlement or where a soldier stands; else they are lost."""
    due = [work for work in realm.works if work.state == "in_progress" and (work.ready_on or 0) <= realm.today]
    for work in sorted(due, key=lambda work: (natural(work.node), work.structure, natural(work.builder))):
        place = realm.nodes[work.node]
        held = place.kind == "settlement" or (place.kind == "empty" and bool(realm.camp.at(work.node, ESDEF)))
        if held:
            work.state = "done"
            realm.add_structure(work.node, work.structure)
        else:
            realm.lose_work(work)
        realm.tell("work_finished" if held else "work_lost", node=work.node, structure=work.structure)


def raise_settlements(realm: Realm) -> None:
    """M3: settlements are founded and rise."""
    for place in realm.nodes:
        if place.kind == "ruin":
            continue
        level = realm.level_of(realm.standing(place.node))
        founded = place.kind == "empty"
        if level > (0 if founded else place.level):
            place.kind, place.level = "settlement", level
            realm.tell("settlement_founded" if founded else "level_rose", node=place.node,
                       **({} if founded else {"level": level}))


def raise_ruins(realm: Realm) -> None:
    """M3: ruins rise one level; by switch not those made today."""
    highest = max(int(key) for key in realm.ruins.keys_in_file_order())
    # a ruin made today does not rise tonight, else raiders who go second could never be answered
    last = realm.today - (Numbers.of(realm).ruin_rise == "next_day")
    for place in realm.homes(VARANNAH):
        if place.level < highest and (place.ruined_on or 0) <= last:
            place.level += 1
            realm.tell("ruin_rose", node=place.node, level=place.level)


def raise_power(realm: Realm) -> None:
    """M3: the raiders gain the highest step of power that they reach, and never lose it."""
    raiders = realm.factions[VARANNAH]
    reached = max((row.step for row in realm.powers if row.resources <= (raiders.resources or 0)), default=0)
    if reached > realm.power:
        raiders.power_step = reached
        realm.tell("power_gained", step=reached)


# --- M4, M5 ---------------------------------------------------------------------------------------------------
def start_mission(realm: Realm, request: Line) -> None:
    """M4: a mission begins."""
    row = realm.missions.add(records.Mission(
        day=realm.game.turn, player=request.player, mission=request.mission,
        target=request.node, target_player=request.target_player))
    request.came_to("done")
    note_action(realm, request)
    realm.tell("mission_started", player=row.player, mission=row.mission)


def start_work(realm: Realm, request: Line) -> None:
    """M5: check a work once more and pay it; it is ready tomorrow."""
    node, code = request.node, request.structure
    cost = realm.types[code].cost
    # who has agreed has acted, whether or not the work can begin
    note_action(realm, request)
    reason = ""
    try:
        check_buildable(realm, request, forecast=False)
    except Refused as why:
        refuse(realm, request, why)
        reason = "limit" if why.code == "INC-053" else "requirements"
    if not reason and cost > (realm.factions[ESDEF].coins or 0):
        request.came_to("no_money")
        reason = "money"
    if reason:
        realm.tell("work_not_started", node=node, structure=code, reason=reason)
        return
    realm.earn(ESDEF, -cost)
    realm.works.add(records.Work(node=node, structure=code, builder=request.player,
                         started_on=realm.today, ready_on=realm.today + 1, cost=cost))
    request.came_to("done")
    realm.tell("work_started", node=node, structure=code, cost=cost)


# M6: portals of tomorrow, and who foresees them (rulebook: Portals).


class PortalNumbers(Rules):
    """Portals: when they are seen, and what comes out of them."""

    portal_arrival: Literal["evening_before", "evening_of"] = switch(
        both("Portals open {option}.", "I portali si aprono {option}."),
        both("on the evening before their day", "la sera prima del loro giorno"),
        both("on the evening of their day", "la sera del loro giorno"), source="M6", usual=True)
    portal_mix: Literal["balanced", "random_each"] = switch(
        both("The demons of a portal are {option}.", "I demoni di un portale sono {option}."),
        both("of all types alike", "di tutti i tipi in modo bilanciato"),
        both("drawn each by itself", "sorteggiati uno per uno"), usual=True)
    foresight_09_reach: int = number(2, both("lines", "linee"),
                                     both("An arcane study foresees portals within {n} {n?line|lines}.",
                                          "Uno studio arcano scorge i portali entro {n} {n?linea|linee}."), ASSUMED)
    foresight_09_at: int = number(4, both("1d6", "1d6"),
                                  both("An arcane study shows a portal on {n} or more.",
                                       "Uno studio arcano mostra un portale con {n} o più."), ASSUMED, 1)


PORTAL_CHAPTER = Chapter(both("Portals", "Portali"), (
    Citation("POR", "Portals", "Portali"), Citation("M6", "upkeep, 6", "mantenimento, 6", "Upkeep"),
), PortalNumbers, events=(
    EventType("portals_located", both("Portals of the next day: {nodes}.", "Portali del giorno dopo: {nodes}."),
              "news", 1, "M6 POR", to=(VARANNAH,)),
    EventType("portal_foreseen",
              both("The mages foresee a portal {node:at}.", "I maghi prevedono un portale {node:dove}."), "news", 0,
              "POR M6", to=(ESDEF,)),
    EventType("portal_seen",
              both("Soldiers see a portal open {node:at}.", "I soldati vedono aprirsi un portale {node:dove}."),
              "news", 0, "POR T9", to=(ESDEF,)),
    EventType("portal_opened",
              both("Out of the portal {node:at}: {units}.", "Dal portale {node:dove}: {units}."),
              "moves", 2, "POR T9",
              means=AS_UNITS, to=(VARANNAH,)),
    EventType("portal_sealed", both("The portal {node:at} is sealed.", "Il portale {node:dove} è sigillato."), "news",
              0, "POR T9", to=BOTH),
    EventType("seal_tried", both("{player} finds no portal to seal.", "{player} non trova portali da sigillare."),
              "news", 2, "POR T9",
              variants=("result",
                        {"failed": both("The seal of {player} {node:at} has failed.",
                                        "Il sigillo di {player} {node:dove} è fallito.")}),
              means=AS_PIECES, to=(ESDEF,)),
))

PORTAL = ROLLS.purpose(both("Portals", "Portali"), "portal/{turn}/{n}/{n}", "")
MIX = ROLLS.purpose("", "portal/{turn}/{Nodes}/mix/{n}", "")
MAGES = ROLLS.purpose(both("Foresight", "Preveggenza"), "foresight/{turn}/{Nodes}/15", "")
STUDY = ROLLS.purpose("", "foresight/{turn}/{Nodes}/09/{Nodes}")
RUIN = ROLLS.purpose(both("Demons of ruins", "Demoni delle rovine"), "ruin/{turn}/{Nodes}/{n}", "")


def portal_day(realm: Realm) -> int:
    """The day on which the demons of today's portals act."""
    return realm.today + (1 if PortalNumbers.of(realm).portal_arrival == "evening_before" else 2)


def locate_portals(realm: Realm) -> None:
    """M6: draw the portals of the next day, then add the false ones of today's missions."""
    day, step = portal_day(realm), realm.powers[str(realm.power)]
    cells, drawn = realm.nodes.keys(), list[str]()
    for k in range(1, min(step.portals, len(cells)) + 1):
        # one cell has one portal: it is thrown again
        for attempt in count(1):
            node = realm.draw(cells, VARANNAH, PORTAL, day, k, attempt)
            if node not in drawn:
                break
        drawn.append(node)
        realm.portals.add(records.Portal(day=str(day), node=node, number=step.demons_per_portal))
    for mission in realm.on_mission("false_portal", day=realm.game.turn):
        if f"{day}/{mission.target}" not in realm.portals:
            realm.portals.add(records.Portal(day=str(day), node=mission.target, kind="decoy"))
            drawn.append(mission.target)
    if drawn:
        realm.tell("portals_located", nodes=realm.sorted_cells(drawn))


def foresee_portals(realm: Realm) -> None:
    """M6: each mages' tower shows a portal, each arcane study looks at those that are near."""
    rules, day = PortalNumbers.of(realm), str(portal_day(realm))
    shown = {row.node for row in realm.sighted_portals() if row.what == day}
    hidden = realm.sorted_cells(row.node for row in realm.portals if row.day == day and row.state == "located"
                                and row.node not in shown)
    for town in realm.homes(ESDEF):
        if hidden and realm.effects(town.node, "engine_all"):
            _show_portal(realm, realm.draw(hidden, ESDEF, MAGES, realm.game.turn, town.node), day, hidden)
    for town in realm.homes(ESDEF):
        if "09" not in realm.effects(town.node, "attack_neighbours"):
            continue
        near = realm.game.map.distances(town.node)
        for node in [node for node in hidden if near.get(node, 99) <= rules.foresight_09_reach]:
            if realm.die(STUDY(realm.game.turn, town.node, node), ESDEF) >= rules.foresight_09_at:
                _show_portal(realm, node, day, hidden)


def _show_portal(realm: Realm, node: str, day: str, hidden: list[str]) -> None:
    hidden.remove(node)
    realm.observe(ESDEF, node, "portal", "foresight", what=day)
    realm.tell("portal_foreseen", node=node)


# Initiative (rulebook: Initiative).


class InitiativeNumbers(Rules):
    """The dice for the initiative."""

    initiative_dice: Any = switch(both("For the initiative each side throws {option}.",
                                       "Per l'iniziativa ogni parte tira {option}."), options=("1d6",),
                                  pattern="[1-9]d(?:[2-9]|[1-9]\\d{1,2})", usual=True)


INITIATIVE_CHAPTER = Chapter("The day", (
    Citation("T1", "order of the turn, 1", "ordine del turno, 1"),
), InitiativeNumbers, events=(
    EventType("initiative",
              both("{first:the} {first?wins|win} the initiative and {first?moves|move} first.",
                   "{first:il} {first?vince|vincono} l'iniziativa e {first?muove per primo|muove per prima|muovono per "
                   "primi|muovono per prime}."), "news", 1, means={"first": "faction"}, to=ALL, opening=True),
))

INITIATIVE = ROLLS.purpose(both("Initiative", "Iniziativa"), "initiative/{turn}/{Factions}/{n}", "")


def initiative(realm: Realm) -> None:
    """T1: each side throws, ties again; the higher must be first."""
    shape = InitiativeNumbers.of(realm).initiative_dice
    for attempt in count(1):
        dice = Contest({side: realm.score(INITIATIVE(realm.game.turn, side, attempt, dice=shape)) for side in BOTH})
        if dice.winner:
            break
    day = realm.day
    day.first = str(dice.winner)
    rolls = [dice.scores[side].total for side in BOTH]
    realm.tell("initiative", roll=dice, first=day.first, rolls=rolls)
