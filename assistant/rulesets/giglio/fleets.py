"""Fleets: how many, launching, sailing, meetings at sea, carrying armies, storms (fleets)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order
from assistant.rulesets.giglio import WAY, both
from assistant.rulesets.giglio.marches import ACTION, ally_at, claim_action, is_pinned, no_way_refusal, path_from_unit
from assistant.rulesets.giglio.records import DUCATS, ROLLS, Army, Fleet, Node
from assistant.rulesets.giglio.war import ACTING_ARMY, ACTING_FLEET, ARMY, IN_SPRING, IN_SUMMER, ArmyAction, War
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Rules, number, switch
from assistant.turn.game import free_code
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.row_columns import Code, Path, Place
from assistant.turn.orders.taking import afford, late_meaning
from assistant.turn.orders.verbs import Cost, order, same

# What the chapter declares.


class Numbers(Rules):
    """What fleets cost and may do, and when storms rise."""

    cost_fleet: int = number(75, DUCATS,
                             both("A fleet costs {n} {n?ducat|ducats}, launched in an own port.",
                                  "Una flotta costa {n} {n?ducato|ducati}, varata in un proprio porto."))
    storm_on: int = number(6, both("1d6", "1d6"),
                           both("A storm rises on {n} or more, every round.",
                                "In ogni fase d'estate si leva la tempesta con {n} o più."))
    storm_fleet_on: int = number(6, both("1d6 a fleet at sea", "1d6 per flotta in mare"),
                                 both("In a storm a fleet at sea is lost on {n} or more.",
                                      "Nella tempesta una flotta in mare si perde con {n} o più."))
    port_fleet: Literal["lost", "flee"] = switch(
        both("Fleets in a port that is taken {option}.", "Le flotte in un porto preso {option}."),
        both("are lost", "sono perdute"),
        both("flee to the first free sea beside it", "fuggono nel primo mare libero vicino"))
    fleet_limit_mode: Literal["cap", "initial", "both"] = switch(
        both("The table of fleets is {option}.", "La tabella delle flotte è {option}."),
        both("a ceiling", "un massimo"), both("the number at the start", "il numero di partenza"),
        both("the start and the ceiling", "la partenza e il massimo"), usual=True)
    fleet_majority: Literal["majority", "only_vs_one"] = switch(
        both("At sea others are repelled by {option}.", "In mare respinge {option}."),
        both("any larger number", "chi è in numero maggiore"),
        both("two or more against one", "chi è in due o più contro uno"))
    landing_stay: Literal["landing_ok", "port_only"] = switch(
        both("While it lands or takes up an army a fleet may wait {option}.",
             "Mentre sbarca o imbarca un'armata una flotta può attendere {option}."),
        both("at sea, too", "anche in mare"), both("in port only", "solo in porto"))
    embark_rounds: Literal["0", "1"] = switch(both("Embarking in port takes {option} (elsewhere always a round).",
                                                   "In porto l'imbarco {option} (altrove richiede sempre una fase)."),
                                              both("no round", "è immediato"), both("a round", "richiede una fase"))


SUNK = both("A storm sinks {fleet} {node:at}.", "Una tempesta affonda {fleet} {node:dove}.")
EVENTS = (
    EventType("fleet.formed", both("{fleet} is launched {node:at}.", "{fleet} è varata {node:dove}."), "sea", 3,
              to=ALL),
    EventType("fleet.sailed", both("{fleet} sails to {to:the}.", "{fleet} va {to:dove}."), "sea", 4, means=WAY, to=ALL),
    EventType("fleet.homeward",
              both("{fleet} had no orders and sails home, to {to:the}.", "{fleet}, senza ordini, rientra {to:dove}."),
              "sea", 4, means=WAY, to="fleet"),
    EventType("fleet.repelled",
              both("{fleet} is thrown back from {frm:the} to {to:the}.", "{fleet} è respinta {frm:da} {to:a}."), "sea",
              2, means=WAY, to=ALL),
    EventType("fleet.locked",
              both("{fleet} is held {node:at}: neither side gives way.",
                   "{fleet} resta bloccata {node:dove}: nessuno cede."), "sea", 3, to=ALL),
    EventType("fleet.lost", both("{fleet} is lost {node:at}: {why}.", "{fleet} è perduta {node:dove}: {why}."), "sea",
              0, variants=("why", {"storm": SUNK}), to=ALL, unless=("storm.sinks",)),
    EventType("army.embarked", both("{army} goes aboard {fleet}.", "{army} s'imbarca {fleet:su}."), "sea", 4,
              to="army"),
    EventType("army.landed", both("{army} lands {node:at}.", "{army} sbarca {node:dove}."), "sea", 2, to=ALL),
    EventType("embark.failed", both("{army} could not go aboard.", "{army} non si è imbarcata."), "sea", 2, to="army"),
    EventType("landing.failed", both("{army} could not land.", "{army} non è sbarcata."), "sea", 2, to="army"),
    EventType("storm.none", both("The sea is calm.", "Il mare è calmo."), "sea", 6, to=ALL),
    EventType("storm.rises", both("A storm rises.", "Si leva la tempesta."), "sea", 2, to=ALL),
    EventType("storm.sinks", both("The storm sinks {fleet}.", "La tempesta affonda {fleet}."), "sea", 0,
              variants=("why", {"storm": SUNK}), tries="fleet", to=ALL),
    EventType("storm.survived", both("{fleet} survives the storm.", "{fleet} si salva dalla tempesta."),
              "sea", 3, tries="fleet", to=ALL),
)

FINDINGS = (
    Message("GIG-029", "error",
            both("{node:the} is not a port that you control. Choose one of {list}.",
                 "{node:il} non è un porto tuo. Scegli fra {list}.")),
    Message("GIG-030", "error",
            both("Your nation may own {cap} {cap?fleet|fleets} and has {n}. Delete the row.",
                 "La tua nazione può avere {cap} {cap?flotta|flotte} e ne ha {n}. Cancella la riga.")),
    Message("GIG-075", "error", both("A fleet moves one segment a round.", "Una flotta muove di un segmento a fase.")),
    Message("GIG-076", "warning",
            both("{fleet} may not stay at sea: it sails to {node:the}.",
                 "{fleet} non può restare in mare: va {node:dove}.")),
    Message("GIG-077", "error",
            both("{node:the} is not your port nor a partner's.", "{node:il} non è un porto tuo né di un alleato.")),
    Message("GIG-078", "error",
            both("{unit} cannot board {fleet} {node:at}. Same port, or fleet in the next sea area, empty, yours.",
                 "{unit} non può imbarcarsi {fleet:su} {node:dove}. Stesso porto o mare vicino, flotta tua e vuota.")),
    Message("GIG-079", "error",
            both("{unit} cannot land {node:at}. Reachable from its fleet: {list}.",
                 "{unit} non può sbarcare {node:dove}. Dalla flotta si raggiunge: {list}.")),
    Message("GIG-080", "error",
            both("{fleet} is busy landing or taking up an army this round.",
                 "{fleet} in questa fase sbarca o imbarca un'armata.")),
    Message("GIG-081", "error",
            both("Between {a:the} and {b:the} there is a beach: for landing only, not for sailing.",
                 "Fra {a:il} e {b:il} c'è una costa: solo per sbarchi, non per navigare."), means=WAY),
)

both.words({
    "drowned": "annegata", "storm": "tempesta", "no way back": "nessuna via di ritorno", "port taken": "porto preso",
})

CHAPTER = Chapter(both("Fleets", "Flotte"), (Citation("fleets", "fleets", "flotte"),), Numbers, EVENTS, FINDINGS)

STORM = ROLLS.purpose(both("Weather at sea", "Tempo in mare"), "storm:{turn}:{n}")
STORM_FLEET = ROLLS.purpose(both("Fleets in a storm", "Flotte nella tempesta"),
                            "stormfleet:{Fleets*}:{turn}:{n}", by="faction")


# How many a nation may have, and what one costs.


FLEETS_ALLOWED: Mapping[str, int] = {"V": 2, "T": 2, "S": 2, "CH": 0, "HRI": 0, "M": 0, "F": 0, "SV": 0}


def fleets_allowed(faction: str) -> int:
    """How many fleets a nation may have: one unless the table says otherwise (rulebook: Fleets)."""
    return FLEETS_ALLOWED.get(faction, 1)


@order("fleet", "flotta", when=IN_SPRING, target=Place(title=both("Place", "Luogo")), cost=Cost("cost_fleet"),
       help=both("Launch a fleet in an own port.", "Vara una flotta in un tuo porto."))
def fleet(war: War, request: Request, place: Node) -> None:
    """A fleet is built in an own port, within the nation's number (fleets)."""
    code = request.faction
    if place.owner != code or not place.port:
        ports = [n.node for n in war.nodes if n.owner == code and n.port]
        raise Refused("GIG-029", "target", node=place.node, list=" ".join(ports) or "-")
    if war.is_troubled(place.node, code):
        raise Refused("GIG-037", "target", node=place.node)
    count = len([f for f in war.fleets if f.faction == code])
    cap = war.factions[code].fleet_cap or 0
    if Numbers.of(war).fleet_limit_mode != "initial" and count >= cap:
        raise Refused("GIG-030", "verb", cap=cap, n=count)
    war.money(code, "fleet", -afford(war, request), place.node)
    launch_fleet(war, code, place.node)


def launch_fleet(war: War, faction: str, node: str) -> Fleet:
    """A new fleet with the lowest free number."""
    row = war.fleets.add(Fleet(fleet=free_code(war.fleets, f"{faction}-F{{}}"), faction=faction, node=node))
    war.tell("fleet.formed", fleet=row.fleet, node=node)
    return row


# Sailing, one segment a round; no fleet stays at sea.


def is_at_sea(war: War, fleet: Fleet) -> bool:
    """Whether a fleet lies in a sea area."""
    return not war.nodes[fleet.node].land


def is_harbour(war: War, place: Node, faction: str) -> bool:
    """Whether a fleet of the faction may lie there: its own port, or a passage partner's."""
    return place.port and (place.owner == faction or war.passage(place.owner, faction))


@order("sail", "salpa", when=IN_SUMMER, unit=ACTING_FLEET, path=Path(from_unit=True, over="lane"),
       replaces=same("sail", "unit"), help=both("Sail one segment.", "Naviga per un segmento."))
def sail(war: War, request: Request, fleet: Fleet) -> None:
    """A fleet sails one segment along a lane (fleets)."""
    path = path_from_unit(war, request, fleet)
    at_once = war.nodes[fleet.node].land and Numbers.of(war).embark_rounds == "0"  # to go aboard takes no time in port
    if _lands(war, fleet) or (war.plan.boarding(fleet.fleet) and not at_once):
        raise Refused("GIG-080", "unit", fleet=fleet.fleet)
    if len(path) > 2:
        raise Refused("GIG-075", "path")
    a, b = path
    if not war.map.has_link(a, b, "lane"):
        if war.map.has_link(a, b, "coast"):
            raise Refused("GIG-081", "path", a=a, b=b)
        if war.nodes[b].land:
            raise Refused("GIG-060", "path", unit=fleet.fleet, node=b)
        raise no_way_refusal(war, a, b, "lane")
    place = war.nodes[b]
    if place.land and not is_harbour(war, place, fleet.faction):
        raise Refused("GIG-077", "path", node=b)
    war.plan.sails[fleet.fleet] = b


def _lands(war: War, fleet: Fleet) -> bool:
    return any(army in war.plan.doing("land") for army in war.loads(fleet))


def sail_all(war: War) -> None:
    """Move all fleets at the same time, one segment each (rulebook: Fleets)."""
    # all fleets move at once and meet only where they arrive: on a lane they pass each other
    goals = war.plan.sails | war.plan.homeward
    for code in in_natural_order(goals):
        fleet, to = war.fleets[code], goals[code]
        if code in war.plan.homeward:
            war.tell("fleet.homeward", fleet=fleet.fleet, to=to)
        move_fleet(war, fleet, to, "fleet.sailed")


def move_fleet(war: War, fleet: Fleet, to: str, event: str) -> None:
    """Move a fleet with its cargo; the event is public."""
    fleet.came_from, fleet.node = fleet.node, to
    for army in war.armies.where(lambda army: army.army in war.loads(fleet)):
        army.node = to
    war.tell(event, fleet=fleet.fleet, frm=fleet.came_from, to=to)


def steer_homeward(war: War) -> None:
    """Send fleets at sea without orders one step home (GIG-076)."""
    plan = war.plan
    for fleet in war.fleets:
        busy = _lands(war, fleet) or plan.boarding(fleet.fleet)
        if is_at_sea(war, fleet) and fleet.fleet not in plan.sails and not busy:
            home = first_step_home(war, fleet)
            if home:
                plan.homeward[fleet.fleet] = home
                war.find("GIG-076", fleet, "node", fleet=fleet.fleet, node=home)


def first_step_home(war: War, fleet: Fleet) -> str:
    """The first step of the shortest way over lanes to the nearest own or partner's port.

    Ties are broken by natural order of port, then of step. Without such a port: the first neighbouring sea area
    in natural order, "" if no lane leads on.
    """
    def cost(a: str, b: str) -> float | None:
        passable = a == fleet.node or not war.nodes[a].land
        # a way may not lead through a port, only end in one
        open_end = not war.nodes[b].land or is_harbour(war, war.nodes[b], fleet.faction)
        return 1 if passable and open_end else None

    far = war.map.distances(fleet.node, "lane", cost=cost)
    ports = [n for n in war.nodes if n.node in far and n.land and n.node != fleet.node]
    steps = [n for n in war.map.neighbours(fleet.node, "lane") if n in far]
    if not ports:
        return next((n for n in steps if not war.nodes[n].land), "")
    goal = min(ports, key=lambda n: far[n.node])  # of equals the first in natural order
    return next(step for step in steps
                if war.map.distances(step, "lane", cost=cost).get(goal.node) == far[goal.node] - 1)


# Two fleets that meet push each other back.


def sea_meetings(war: War) -> None:
    """Resolve meetings at sea: the smaller number gives way, equal numbers both go back (rulebook: Fleets)."""
    # all verdicts fall on the positions after sailing, before anybody is thrown back
    verdicts: list[tuple[Fleet, str]] = []
    for fleet in war.fleets.where(lambda fleet: is_at_sea(war, fleet)):
        together = [f for f in war.fleets if f.node == fleet.node]
        theirs = sum(war.hostile(f.faction, fleet.faction) for f in together)
        ours = len(together) - theirs
        even = ours == theirs or (Numbers.of(war).fleet_majority == "only_vs_one" and min(ours, theirs) > 1)
        if theirs and (even or ours < theirs):
            verdicts.append((fleet, "back" if can_go_back(war, fleet) else "locked" if even else "lost"))
    # locked fleets stay, and may land their armies
    war.plan.held_up = {fleet.fleet for fleet, verdict in verdicts if verdict != "locked"}
    for fleet, verdict in verdicts:
        if verdict == "lost":
            war.lose_fleet(fleet, "no way back", "fleets")
        elif verdict == "locked":
            war.tell("fleet.locked", fleet=fleet.fleet, node=fleet.node)
        else:
            move_fleet(war, fleet, fleet.came_from, "fleet.repelled")


def can_go_back(war: War, fleet: Fleet) -> bool:
    """Whether a fleet came from an own or partner's port, or a sea area without hostile fleets after sailing."""
    back = war.nodes.get(fleet.came_from)
    if back is None:
        return False
    if back.land:
        return is_harbour(war, back, fleet.faction)
    return not any(f.node == back.node and war.hostile(f.faction, fleet.faction) for f in war.fleets)


def drive_out_of_port(war: War, fleet: Fleet) -> None:
    """A fleet is lost with its port, or flees to the first free sea area beside it (switch port_fleet)."""
    free = [n for n in war.map.neighbours(fleet.node, "lane") if not war.nodes[n].land
            and not any(f.node == n and war.hostile(f.faction, fleet.faction) for f in war.fleets)]
    if Numbers.of(war).port_fleet == "flee" and free:
        move_fleet(war, fleet, free[0], "fleet.repelled")
    else:
        war.lose_fleet(fleet, "port taken", "fleets")


# Carrying an army: boarding and landing.


def landing_nodes(war: War, fleet: Fleet) -> list[str]:
    """Land nodes at which an army may leave or board a fleet from its present node."""
    if war.nodes[fleet.node].land:
        return [fleet.node]
    if Numbers.of(war).landing_stay == "port_only":
        return []
    return [n for n in war.map.neighbours(fleet.node, "lane", "coast") if war.nodes[n].land]


@order("embark", "imbarca", also=("board",), when=IN_SUMMER, unit=replace(ACTING_ARMY, needed=True),
       target=Code((Fleet,), like="{faction}-F1", title=both("Fleet", "Flotta")), replaces=ACTION,
       help=both("Go aboard an own empty fleet.", "Imbarcati su una tua flotta vuota."))
def embark(war: War, request: Request, army: Army) -> None:
    """An army goes aboard: at once in port, in a whole round from the shore (GIG-078)."""
    fleet = war.fleets.get(request.target)
    fit = (fleet is not None and fleet.faction == request.faction
           and war.room(fleet) > war.plan.boarding(fleet.fleet)
           and army.posture == "field" and not war.in_contact(army) and army.node in landing_nodes(war, fleet))
    if not fit:
        raise Refused("GIG-078", "target", unit=army.army, fleet=request.target or "-", node=army.node)
    claim_action(war, army, ArmyAction(request))


def _only_army_aboard(war: War, request: Request) -> str:
    aboard = [a.army for a in war.armies if a.faction == request.faction and a.posture == "aboard"]
    if len(aboard) != 1:
        raise Refused("GIG-079", "unit", unit="-", node=request.target, list="-")
    return aboard[0]


@order("land", "sbarca", when=IN_SUMMER, unit=replace(ARMY, otherwise=_only_army_aboard),
       target=Place(late=True, title=both("Place", "Luogo")), replaces=ACTION,
       help=both("Land from the fleet at a place it reaches.", "Sbarca dalla flotta in un luogo che essa raggiunge."))
def land(war: War, request: Request, army: Army) -> None:
    """An army goes ashore, which takes the whole round (GIG-079)."""
    fleet = war.fleets.get(army.fleet) or war.carrier(army)
    if army.posture != "aboard" or fleet is None:
        raise Refused("GIG-079", "unit", unit=army.army, node=request.target, list="-")
    late_meaning(war, request, "target")
    reach = landing_nodes(war, fleet)
    if request.target not in reach:
        raise Refused("GIG-079", "target", unit=army.army, node=request.target, list=" ".join(reach) or "-")
    claim_action(war, army, ArmyAction(request))
    army.fleet = fleet.fleet  # blank if the referee entered the army only as the fleet's cargo, as GIG-123 advises


def board_in_port(war: War) -> None:
    """Put armies aboard fleets in port at once, so that these may sail in this round (rulebook: Fleets)."""
    for unit, act in war.plan.doing("embark").items() if Numbers.of(war).embark_rounds == "0" else ():
        army, fleet = war.armies.get(unit), war.fleets.get(act.request.target)
        if army is None or fleet is None or not is_at_sea(war, fleet):
            del war.plan.acts[unit]
            if army is not None and fleet is not None:  # neither has been lost since the order
                _put_aboard(war, army, fleet)


def _put_aboard(war: War, army: Army, fleet: Fleet) -> None:
    war.load(fleet, army)
    war.tell("army.embarked", army=army.army, fleet=fleet.fleet)


def landings(war: War) -> None:
    """After all marches armies go ashore or aboard, in the order of movement (rulebook: Fleets)."""
    for faction in war.by_rank():
        for army in [a for a in war.armies if a.faction == faction.faction and a.army in war.plan.acts]:
            act = war.plan.acts[army.army]
            if act.verb in ("land", "embark"):
                (_land if act.verb == "land" else _board)(war, army, act.request)


def _land(war: War, army: Army, request: Request) -> None:
    fleet, to = war.fleets.get(army.fleet), request.target
    if fleet is None or fleet.fleet in war.plan.held_up or ally_at(war, army, to):
        war.tell("landing.failed", army=army.army, node=to)
        return
    # from a port there is no sea area to go back to
    army.trail = "" if war.nodes[fleet.node].land else fleet.node
    army.posture, army.node = "field", to
    war.unload(army)
    war.plan.arrivals += 1
    army.arrived_year, army.arrived_round, army.arrived_no = war.year, war.round, war.plan.arrivals
    war.tell("army.landed", army=army.army, faction=army.faction, node=to)


def _board(war: War, army: Army, request: Request) -> None:
    fleet = war.fleets.get(request.target)
    if is_pinned(war, army):
        request.row.status = "pinned"
    elif fleet is not None and fleet.fleet not in war.plan.held_up and war.room(fleet):
        _put_aboard(war, army, fleet)
        return
    war.tell("embark.failed", army=army.army, node=army.node)


# Storms.


def storm(war: War) -> None:
    """1d6 every round; on a 6 each fleet at sea throws, and a 6 sinks it with its cargo (rulebook: Fleets)."""
    roll = war.roll(STORM(war.year, war.round))
    rises = roll.at_least(Numbers.of(war).storm_on)
    war.tell("storm.rises" if rises else "storm.none", roll=roll, die=roll)
    # in port a fleet is safe
    for fleet in war.fleets.where(lambda fleet: rises and is_at_sea(war, fleet)):
        test = war.trial(STORM_FLEET(fleet.fleet, war.year, war.round), Numbers.of(war).storm_fleet_on - 1, {},
                         at_most=True)
        lost = {} if test.passed else {"node": fleet.node, "why": "storm"}
        war.tell("storm.survived" if test.passed else "storm.sinks", roll=test, fleet=fleet.fleet, die=test.roll,
                 faction=fleet.faction, **lost)
        if not test.passed:
            war.lose_fleet(fleet, "storm", "fleets")
