"""The opening of summer and a round's orders: marches, sieges, boarding, assassins (2b, 3a, 3b)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

from assistant.campaign.records import ALL
from assistant.rulesets.giglio import orders, spring
from assistant.rulesets.giglio.messages import BLOCKS, DRAW
from assistant.rulesets.giglio.orders import ACTING_ARMY, ACTING_FLEET, ARMY, IN_SUMMER, soldiers_column
from assistant.rulesets.giglio.records import Army, Faction, Fleet, Node, Siege, Specialist
from assistant.rulesets.giglio.spring import EPIDEMIC, HIREABLE, HIREABLE_ALSO, mark_suspect
from assistant.rulesets.giglio.tables import (
    ASSASSIN,
    CALENDAR,
    EPIDEMIC_GARRISON,
    EPIDEMIC_LOSS,
    LOT,
    ORDER,
    ORDER_OF_ROUND,
)
from assistant.rulesets.giglio.war import TRAIL, ArmyAction, Shot, War
from assistant.turn.dice import PUBLIC, Roll
from assistant.turn.orders.columns import Amount, Code, Option, Path, Place, place_named
from assistant.turn.orders.requests import Refused, Request, all_or_nothing
from assistant.turn.orders.taking import carry_all, judged, refuse, replace_by, take
from assistant.turn.orders.verbs import order, same
from assistant.turn.questions import Ask, Codes, Parts
from assistant.turn.rulings import drawn, ranked

# Opening of summer: the order of movement, epidemics (2b table 33, 3a).


def open_summer(war: War) -> None:
    """The order of movement of ten rounds, then the winter's epidemics (rulebook: The Strategos, 3a Epidemics)."""
    if war.rules.order_redraw == "summer":
        set_move_order(war)
    epidemics(war)


def set_move_order(war: War) -> None:
    """Set the order of movement: the Strategos decides, or 1d20 each, highest first; ties throw again."""
    names, order, rolls = [f.faction for f in war.players()], list[str](), list[Roll]()
    if war.desk.strategos:
        order = list(war.game.codes(Ask("move_order", war.desk.strategos, "", (), "draw", {"list": " ".join(names)},
                                        answer=Codes(every=True, among=tuple(names), instead=DRAW))))
    if not order:
        order, rolls = ranked(names, partial(_roll_for_rank, war))
    for rank, code in enumerate(order, 1):
        war.factions[code].move_rank = rank
    war.tell("order.set", ALL, roll=rolls, touch=[war.factions[c] for c in order], order=" ".join(order),
             strategos=war.desk.strategos)


def _roll_for_rank(war: War, faction: str, again: int) -> Roll:
    return war.roll(ORDER_OF_ROUND(faction, war.year, war.round, again=again) if war.round else
                    ORDER(faction, war.year, again=again))


def cities_of(war: War, faction: str) -> list[Node]:
    """Cities under control, in natural order."""
    return [n for n in war.nodes if n.owner == faction and n.site == "city"]


def draw_lot(war: War, faction: str, places: list[Node]) -> tuple[Node | None, list[Roll]]:
    """Draw one of the places by ``lot``; a single place needs no die, None if there is none."""
    return drawn(places, lambda dice: war.roll(LOT(faction, war.year, dice=dice)))


def epidemics(war: War) -> None:
    """An epidemic begins with summer in the city that was drawn (3a, t36 row 1)."""
    if war.rules.epidemic_kill == "off":
        return
    struck: list[Node] = []
    for faction in [f for f in war.players() if f.pending_event == EPIDEMIC]:
        if not faction.pending_node and war.rules.epidemic_draw == "summer":
            place, rolls = draw_lot(war, faction.faction, cities_of(war, faction.faction))
            if place is not None:
                faction.pending_node = place.node
                war.tell("epidemic.drawn", ALL, roll=rolls, touch=[faction], faction=faction.faction, node=place.node)
        if faction.pending_node:
            struck.append(war.nodes[faction.pending_node])
    victims = [(a, place) for place in struck for a in war.at(place.node) if a.kind == "army"]
    lists = _company_sizes(war, victims) if war.rules.epidemic_kill == "roll46" else {}
    for place in struck:
        war.tell("epidemic.struck", ALL, node=place.node)
        for army, where in victims:
            if where is place and army.army in war.armies:
                _sicken(war, army, place, lists.get(army.army))
        _sicken_garrison(war, place)


def _company_sizes(war: War, victims: list[tuple[Army, Node]]) -> dict[str, tuple[int, ...]]:
    asks = [Ask("companies", a.faction, a.army, (), "blocks", {"node": p.node, "army": a.army, "value": a.value},
                answer=Parts(a.value, BLOCKS)) for a, p in victims]
    block = war.rules.epidemic_block  # companies of one size, and a last one of what is left
    return {army.army: sizes or tuple(min(block, army.value - gone) for gone in range(0, army.value, block))
            for (army, _), sizes in zip(victims, war.game.parts_all(asks), strict=True)}


def _sicken(war: War, army: Army, place: Node, companies: tuple[int, ...] | None) -> None:
    """An epidemic strikes an army. `companies`: their ducats, one die each; None: the whole army dies without dice."""
    rolls = [war.roll(EPIDEMIC_LOSS(army.army, i, war.year), war.circle(army.faction))
             for i in range(1, len(companies or ()) + 1)]
    lost = army.value if companies is None else sum(
        size for size, roll in zip(companies, rolls, strict=True) if roll.at_least(war.rules.epidemic_from))
    if lost == army.value:
        _spare_sappers(war, army, place)
    war.tell("epidemic.loss", [army.faction], roll=rolls, touch=[army] if lost else [], army=army.army, lost=lost)
    if lost:
        war.wear(army, lost, "epidemic", "3a")


def _spare_sappers(war: War, army: Army, place: Node) -> None:
    """Specialists are not troops: they survive in their own place or with another of their armies there, if any."""
    others = [a.army for a in war.soldiers(place.node, army.faction) if a is not army]
    posts = [place.node] if place.owner == army.faction else others
    for man in war.sappers_with(army.army):
        man.post = next(iter(posts), "")
        war.touch(man)


def _sicken_garrison(war: War, place: Node) -> None:
    if not place.garrison:
        return
    rolls = []
    if war.rules.epidemic_kill == "roll46":
        hidden = war.rules.garrison_public != "yes"  # a public die would reveal that there is a garrison
        rolls = [war.roll(EPIDEMIC_GARRISON(place.node, war.year), war.circle(place.owner) if hidden else PUBLIC)]
        if not rolls[0].at_least(war.rules.epidemic_from):
            return
    place.garrison = False
    war.tell("epidemic.garrison", war.garrison_audience(place.owner), roll=rolls, touch=[place], node=place.node)


# Assassins: one mission, on a commander, a diplomat or a specialist (2b table 33).


ARMY_TARGETS = ("commander", "diplomat", "sapper")
FACTION_TARGETS = ("spy", "assassin")


@order("assassinate", "uccidi", also=("kill", "assassina"), when=IN_SUMMER, replaces=same("shot", "unit"),
       unit=Code((Specialist,), r".*-S\d+", blank=True), target=Code((Army, Node, Faction), of_others=True),
       option=Option({"commander": "comandante", **HIREABLE}, HIREABLE_ALSO),
       shown=("assassinate {unit} {option} {target}", "uccidi {unit} {option} {target}"),
       help="Send an assassin against a commander, diplomat, sapper, spy or assassin.")
def assassinate(war: War, request: Request) -> None:
    """Plan an assassination, which is thrown for later in the round (GIG-085, 086)."""
    mine = [s for s in war.active(request.faction, "assassin") if all(s is not shot.man for shot in war.plan.shots)]
    man = next((s for s in mine if s.specialist == request.unit or not request.unit), None)
    if man is None:
        raise Refused("GIG-085", "unit", unit=request.unit or "-")
    victim = _victim_faction(war, request)
    if not victim or victim == request.faction:
        raise Refused("GIG-086", "target", target=request.target, option=request.option or "-")
    war.plan.shots.append(Shot(man, request.option, request.target, victim))


def _victim_faction(war: War, request: Request) -> str:
    army = war.armies.get(request.target)
    if request.option in ARMY_TARGETS and army is not None and army.posture != "aboard":
        return army.faction
    if request.option == "sapper" and request.target in war.nodes:
        return war.nodes[request.target].owner
    faction = war.factions.get(request.target)
    if request.option in FACTION_TARGETS and faction is not None and faction.role != "neutral":
        return faction.faction
    return ""


def resolve_early_shots(war: War) -> None:
    """If assassins may act at any time, all strike before anybody moves (switch assassin_timing)."""
    if war.rules.assassin_timing == "any":
        shots, war.plan.shots = war.plan.shots, []
        resolve_shots(war, shots)


def resolve_shots(war: War, shots: list[Shot]) -> None:
    """All throw first and are spent; then the results follow in that order (rulebook: Table 33: specialists)."""
    thrown: list[tuple[Shot, Roll]] = []
    for shot in shots:
        if shot.man.status == "active":
            thrown.append((shot, war.roll(ASSASSIN(shot.man.specialist, war.year, war.round), [shot.man.faction])))
            shot.man.status = "spent"
        else:
            war.tell("assassin.gone", [shot.man.faction], man=shot.man.specialist, target=shot.target, kind=shot.kind)
    for shot, roll in thrown:
        _resolve(war, shot, roll)


def _resolve(war: War, shot: Shot, roll: Roll) -> None:
    sender, at = shot.man.faction, {"target": shot.target, "kind": shot.kind}
    if not roll.at_least(war.rules.assassin_hits):
        war.tell("assassin.failed", [sender], roll=roll, touch=[shot.man], die=roll, **at)
        if roll.at_most(1):
            war.tell("assassin.exposed", ALL, by=sender, target=shot.target)
            mark_suspect(war, sender, shot.victim, "assassin")
    elif (killed := _kill(war, shot)) is None:
        war.tell("assassin.nobody", [sender], roll=roll, touch=[shot.man], **at)
    else:
        war.tell("assassin.success", [sender], roll=roll, touch=[shot.man], **at)
        war.tell("victim.struck", [shot.victim], touch=[killed], **at)


def _kill(war: War, shot: Shot) -> Army | Specialist | None:
    """Kill the victim. Returns who died, or the army that lost its commander; None if there was nobody."""
    army = war.armies.get(shot.target)
    if shot.kind in ("commander", "diplomat") and army is not None:
        if army.kind == "diplomat":
            war.lose_army(army, "assassin", "t33")
        elif shot.kind == "commander" and army.leaderless != war.round:
            army.leaderless = war.round
        else:
            return None
        return army
    men = war.active(shot.target, shot.kind) if shot.kind != "sapper" else [
        s for s in war.sappers_with(shot.target) if s.faction != shot.man.faction]
    for man in men[:1]:
        man.status = "dead"
    return next(iter(men), None)


# Orders to armies and fleets in a round: marches, sieges, boarding, landing (3b, 3d, fleets).
#
# Checks are in the order of the page's codes (rulebook: Spring and summer orders); the first that fails is reported.


ACTION = same("action", "unit")
"""An army does one thing in a round."""


def claim_action(war: War, army: Army, act: ArmyAction) -> None:
    """Set an army's one action of the round; an earlier row for the whole army is replaced."""
    earlier = war.plan.acts.pop(army.army, None)
    if earlier is not None:
        replace_by(war, earlier.request, act.request)
    war.plan.acts[army.army] = act


# --- marches ------------------------------------------------------------------------------------
@order("move", "muovi", also=("muove", "moves", "march", "marches", "marcia"), when=IN_SUMMER,
       unit=ACTING_ARMY, amount=Amount(blank=True), path=Path(), replaces=same("action", "unit", unless="amount"),
       shown=("{unit} {amount} moves {path}", "{unit} {amount} muove {path}"),
       help="March along a path; an amount splits that much off.")
def move(war: War, request: Request, army: Army, amount: int | None) -> None:
    """March along roads: two nodes at home, one abroad; crossing a border is the whole march (3b, border, April)."""
    if amount is not None:
        orders.check_soldiers(war, request, army, "unit")
        if amount > army.value:
            raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    path = legal_path(war, request, army)
    back = war.in_contact(army)
    if amount is not None and amount < army.value:
        orders.check_can_raise_army(war, request.faction)
        army = orders.detach(war, army, amount)
        war.plan.columns.add(army.army)
    claim_action(war, army, ArmyAction(request, path, back))


def legal_path(war: War, request: Request, army: Army) -> list[str]:
    """The nodes of a legal march, the start first (rulebook: A legal path). Raises `Refused` at the first fault."""
    orders.check_not_aboard(war, request, army, "unit")
    if army.posture == "shut_in":
        raise Refused("GIG-056", "unit", unit=army.army, node=army.node)
    path = path_from_unit(war, request, army)
    for node in path:
        if not war.nodes[node].land:
            raise Refused("GIG-060", "path", unit=army.army, node=node)
    path = _fill_in_middle(war, army, path)
    _check_reach(war, army, path)
    for a, b in pairwise(path):
        last = war.banned(army.faction, a, b)
        if last:
            raise Refused("GIG-054", "path", a=a, b=b, date=CALENDAR[last - 1][0])
    if war.in_contact(army):
        prev = next(reversed(army.nodes_back), "")
        if path != [army.node, prev]:
            raise Refused("GIG-057", "path", unit=army.army, node=army.node, prev=prev or "-")
    return path


def path_from_unit(war: War, request: Request, unit: Army | Fleet) -> list[str]:
    """The path of a unit from its own node, all its places being on the map. Raises `Refused` (GIG-005, 011, 051).

    A march names its start, "From V8 V8 F7" (practice 2); for a fleet the goal alone is enough.
    """
    path = [unit.node, *request.path] if isinstance(unit, Fleet) and len(request.path) == 1 else list(request.path)
    for node in path:
        place_named(war, node, "path")
    if set(path) <= {unit.node}:
        raise Refused("not_understood", "path", text=request.typed("path") or request.row.text)
    if path[0] != unit.node:
        raise Refused("GIG-051", "path", unit=unit.ident, node=unit.node, a=path[0])
    return path


def _fill_in_middle(war: War, army: Army, path: list[str]) -> list[str]:
    """Fill in the own middle node of a two-node order; roads join all (GIG-055, 050; rulebook: Orders in words)."""
    a, b = path[0], path[-1]
    if len(path) == 2 and a != b and not war.map.joined(a, b, "road") and all(war.own(n, army.faction) for n in path):
        middle = [n for n in war.open_roads(a, army.faction)
                  if war.own(n, army.faction) and b in war.open_roads(n, army.faction)]
        if len(middle) > 1:
            raise Refused("GIG-055", "path", a=a, b=b, list=" ".join(middle))
        path = [a, *middle, b]
    for x, y in pairwise(path):
        if not war.map.joined(x, y, "road"):
            raise _no_way_refusal(war, x, y, "road")
    return path


def _no_way_refusal(war: War, a: str, b: str, kind: str) -> Refused:
    return Refused("GIG-050", "path", a=a, b=b, list=" ".join(war.map.neighbours(a, kind)) or "-")


def _check_reach(war: War, army: Army, path: list[str]) -> None:
    own = [war.own(node, army.faction) for node in path]
    steps, rules = len(path) - 1, war.rules
    crossing = next(((path[i], path[i + 1]) for i in range(steps) if own[i] != own[i + 1]), None)
    first_only = rules.border_move == "crossing_first" and not own[0] and all(own[1:])
    if crossing and steps > 1 and not first_only:
        raise Refused("GIG-053", "path", a=crossing[0], b=crossing[1])
    reach = rules.move_own if (all(own) or (first_only and steps > 1)) else rules.move_foreign
    if steps > reach:
        raise Refused("GIG-052", "path", n=steps)
    if 0 < army.leaderless == war.round - 1:
        left = max(0, reach - rules.commander_node_penalty)
        if steps > left:
            raise Refused("GIG-059", "unit", unit=army.army, n=left)


@order("stay", "fermo", also=("resta", "ferma", "stop", "stai"), when=IN_SUMMER, unit=ACTING_ARMY, replaces=ACTION,
       shown=("{unit} stay", "{unit} fermo"), help="Stand where the army is.")
def stay(war: War, request: Request, army: Army) -> None:
    """The army stands."""
    claim_action(war, army, ArmyAction(request))


@order("come_out", "esci", also=("sortita",), when=IN_SUMMER, unit=ACTING_ARMY, replaces=ACTION,
       help="Leave the walls and take the field in the same place.")
def come_out(war: War, request: Request, army: Army) -> None:
    """A shut-in army takes the field in the same node (GIG-071)."""
    if army.posture != "shut_in":
        raise Refused("GIG-071", "unit", unit=army.army)
    claim_action(war, army, ArmyAction(request))


# --- sieges -------------------------------------------------------------------------------------
@order("siege", "assedia", also=("besiege", "assedio"), when=IN_SUMMER, unit=soldiers_column(ACTING_ARMY),
       target=Code((Node,), where_unit_is=True), replaces=ACTION,
       shown=("siege {target} {unit}", "assedia {target} {unit}"), help="Besiege the place where the army stands.")
def besiege(war: War, request: Request, army: Army) -> None:
    """An army before walls or a garrison begins or continues a siege (3d)."""
    target = request.target or army.node
    if army.posture != "field" or target != army.node:
        raise Refused("GIG-065", "target", unit=army.army, node=target)
    place = war.nodes[target]
    if place.owner == army.faction or not place.land:
        raise Refused("GIG-066", "target", node=target)
    if war.in_contact(army):
        raise Refused("GIG-068", "target", unit=army.army, node=target)
    if not place.fortified and not place.garrison and not war.inside(target, army.faction):
        raise Refused("GIG-067", "target", node=target)
    if army.value <= war.rules.siege_loss:
        request.find(war, "GIG-070", "unit", loss=war.rules.siege_loss, unit=army.army, value=army.value)
    pact = war.treaty(army.faction, place.owner)
    if pact is not None and not pact.suspect:
        request.find(war, "GIG-072", "target", owner=place.owner)
    claim_action(war, army, ArmyAction(request))
    row = Siege(node=place.node, besieger=army.faction, since_year=war.year, since_round=war.round)
    if row.ident not in war.sieges:
        war.sieges.add(row)
        war.tell("siege.begun", ALL, touch=[row], node=place.node, besieger=army.faction)
    mark_suspect(war, army.faction, place.owner, "siege")


@order("lift", "leva", also=("togli",), when=IN_SUMMER, replaces=ACTION,
       unit=replace(ACTING_ARMY, only_names=True), target=Code((Node,), blank=True),
       shown=("lift {target} {unit}", "leva {target} {unit}"), help="End a siege.")
def lift(war: War, request: Request) -> None:
    """The besieger gives up (GIG-069)."""
    army = war.armies.get(request.unit)
    node = request.target or (army.node if army is not None else "") or (request.path[0] if request.path else "")
    row = war.sieges.get(f"{node}/{request.faction}")
    if row is None:
        raise Refused("GIG-069", "target" if request.target else "unit", node=node or "-")
    end_siege(war, row)


def end_siege(war: War, row: Siege) -> None:
    """End a siege whose place has not fallen."""
    war.sieges.remove(row.ident)
    war.tell("siege.lifted", ALL, touch=[row], node=row.node, besieger=row.besieger)


# --- ships --------------------------------------------------------------------------------------
def landing_nodes(war: War, fleet: Fleet) -> list[str]:
    """Land nodes at which an army may leave or board a fleet from its present node."""
    if war.nodes[fleet.node].land:
        return [fleet.node]
    if war.rules.landing_stay == "port_only":
        return []
    return [n for n in war.map.neighbours(fleet.node, "lane", "coast") if war.nodes[n].land]


@order("embark", "imbarca", also=("board",), when=IN_SUMMER, unit=replace(ACTING_ARMY, needed=True),
       target=Code((Fleet,), like="{faction}-F1"), replaces=ACTION, help="Go aboard an own empty fleet.")
def embark(war: War, request: Request, army: Army) -> None:
    """An army goes aboard: at once in port, in a whole round from the shore (GIG-078)."""
    fleet = war.fleets.get(request.target)
    fit = (fleet is not None and fleet.faction == request.faction and not fleet.cargo
           and not war.plan.boarded(fleet.fleet)
           and army.posture == "field" and not war.in_contact(army) and army.node in landing_nodes(war, fleet))
    if not fit:
        raise Refused("GIG-078", "target", unit=army.army, fleet=request.target or "-", node=army.node)
    claim_action(war, army, ArmyAction(request))


def _only_army_aboard(war: War, request: Request) -> str:
    aboard = [a.army for a in war.armies if a.faction == request.faction and a.posture == "aboard"]
    if len(aboard) != 1:
        raise Refused("GIG-079", "unit", unit="-", node=request.target, list="-")
    return aboard[0]


@order("land", "sbarca", when=IN_SUMMER, unit=replace(ARMY, otherwise=_only_army_aboard), target=Place(late=True),
       replaces=ACTION, help="Land from the fleet at a place it reaches.")
def land(war: War, request: Request, army: Army) -> None:
    """An army goes ashore, which takes the whole round (GIG-079)."""
    fleet = war.fleets.get(army.fleet) or next((one for one in war.fleets if one.cargo == army.army), None)
    if army.posture != "aboard" or fleet is None:
        raise Refused("GIG-079", "unit", unit=army.army, node=request.target, list="-")
    judged(war, request, "target")
    reach = landing_nodes(war, fleet)
    if request.target not in reach:
        raise Refused("GIG-079", "target", unit=army.army, node=request.target, list=" ".join(reach) or "-")
    claim_action(war, army, ArmyAction(request))
    army.fleet = fleet.fleet  # blank if the referee entered the army only as the fleet's cargo, as GIG-123 advises


@order("sail", "salpa", when=IN_SUMMER, unit=ACTING_FLEET, path=Path(from_unit=True, over="lane"),
       replaces=same("sail", "unit"), help="Sail one segment.")
def sail(war: War, request: Request, fleet: Fleet) -> None:
    """A fleet sails one segment along a lane (fleets)."""
    path = path_from_unit(war, request, fleet)
    at_once = war.nodes[fleet.node].land and war.rules.embark_rounds == "0"  # to go aboard takes no time in port
    if fleet.cargo in war.plan.doing("land") or (war.plan.boarded(fleet.fleet) and not at_once):
        raise Refused("GIG-080", "unit", fleet=fleet.fleet)
    if len(path) > 2:
        raise Refused("GIG-075", "path")
    a, b = path
    if not war.map.joined(a, b, "lane"):
        if war.map.joined(a, b, "coast"):
            raise Refused("GIG-081", "path", a=a, b=b)
        if war.nodes[b].land:
            raise Refused("GIG-060", "path", unit=fleet.fleet, node=b)
        raise _no_way_refusal(war, a, b, "lane")
    place = war.nodes[b]
    if place.land and not is_harbour(war, place, fleet.faction):
        raise Refused("GIG-077", "path", node=b)
    war.plan.sails[fleet.fleet] = b


def is_harbour(war: War, place: Node, faction: str) -> bool:
    """Whether a fleet of the faction may lie there: its own port, or a passage partner's."""
    return place.port and (place.owner == faction or war.passage(place.owner, faction))


# The steps of a round's marches (3b; rulebook: The marches, step by step).


STAFF = (spring.ally, spring.dissolve, orders.pay, orders.transfer, orders.split, orders.attach, orders.fortify,
         orders.repair, orders.garrison)
ACTIONS = (move, stay, besiege, lift, come_out, embark, land,
           assassinate)


def redraw_move_order(war: War) -> None:
    """Set the order of movement again each round (switch order_redraw)."""
    if war.rules.order_redraw == "phase":
        set_move_order(war)


def staff_work(war: War) -> None:
    """Step 1: sort the rows by order of movement and carry out those that need no march."""
    place = {f.faction: i for i, f in enumerate(war.by_rank())}
    war.plan.requests = sorted(take(war), key=lambda r: place[r.faction])
    carry_all(war, war.plan.requests, *STAFF)


def fix_actions(war: War) -> None:
    """Step 3: one action an army; split off detachments, begin and lift sieges, plan assassinations."""
    carry_all(war, war.plan.requests, *ACTIONS)
    carry_all(war, war.plan.requests, sail)


def march(war: War) -> None:
    """Step 9: march faction by faction in the order of movement; garrisons that no army could leave are refused."""
    for faction in war.by_rank():
        resolve_shots(war, [s for s in war.plan.shots if s.man.faction == faction.faction])
        for army in [a for a in war.armies if a.faction == faction.faction]:
            act = war.plan.acts.get(army.army)
            if act is not None and act.verb in ("move", "come_out"):
                if is_pinned(war, army):
                    act.request.row.status = "pinned"
                    war.tell("move.pinned", [army.faction], touch=[act.request.row], army=army.army, node=army.node)
                elif act.verb == "move":
                    _march_army(war, army, act)
                else:
                    _leave_walls(war, army)
    for request, unit, node in war.plan.garrisons:
        refuse(war, request, Refused("GIG-041", "unit", unit=unit, node=node))


def is_pinned(war: War, army: Army) -> bool:
    """Whether a hostile blocking marker arrived in the army's node before its turn."""
    if war.rules.met_before_moving == "free":
        return False
    newcomers = war.plan.newcomers.get(army.node, set())
    return any(other.army in newcomers for other in war.enemies_in_field(army.node, army.faction))


def _arrive(war: War, army: Army) -> None:
    war.plan.arrivals += 1
    army.arrived_year, army.arrived_round, army.arrived_no = war.year, war.round, war.plan.arrivals
    war.plan.newcomers.setdefault(army.node, set()).add(army.army)


def _leave_walls(war: War, army: Army) -> None:
    army.posture = "field"
    _arrive(war, army)
    war.tell("army.came_out", ALL, "3c", touch=[army], army=army.army, faction=army.faction, node=army.node)


def _march_army(war: War, army: Army, act: ArmyAction) -> None:
    gone = _stop_behind_allies(war, army, _walk(war, army, act.path))
    army.node = gone[-1]
    if len(gone) < 2:
        return
    if act.back:
        army.trail = " ".join(army.nodes_back[:-1])
        war.tell("army.retreated", ALL, touch=[army], army=army.army, faction=army.faction, frm=gone[0], to=army.node)
        return
    army.trail = " ".join([*army.nodes_back, *gone[:-1]][-TRAIL:])
    _arrive(war, army)
    war.tell("army.moved", ALL, touch=[army], army=army.army, faction=army.faction, path=" ".join(gone))


def _walk(war: War, army: Army, path: list[str]) -> list[str]:
    """Node by node, leaving garrisons, until the end or the first obstacle."""
    gone = [path[0]]
    for node in path[1:]:
        gone.append(node)
        army.node = node
        _leave_garrisons(war, army, node)  # even if the march is stopped there
        if (war.enemies_in_field(node, army.faction) or war.held_inside(node, army.faction)
                or war.hostile_garrison(node, army.faction)):
            break
    return gone


def _leave_garrisons(war: War, army: Army, node: str) -> None:
    for waiting in [one for one in war.plan.garrisons if one[1:] == (army.army, node)]:
        war.plan.garrisons.remove(waiting)
        try:
            _drop(war, army, node)
        except Refused as why:
            refuse(war, waiting[0], why)


@all_or_nothing
def _drop(war: War, army: Army, node: str) -> None:
    place = war.nodes[node]
    if place.garrison:
        raise Refused("GIG-040", "target", node=node)
    orders.check_can_leave(war, army)
    orders.leave_garrison(war, army, place)


def _stop_behind_allies(war: War, army: Army, gone: list[str]) -> list[str]:
    """Allies may not end their march in one node: stop earlier on the path."""
    back = list(gone)
    while len(back) > 1 and ally_at(war, army, back[-1]):
        back.pop()
    if len(back) < len(gone):
        war.tell("move.ally_ahead", [army.faction], army=army.army, node=gone[-1])
    return back


def ally_at(war: War, army: Army, node: str) -> bool:
    """Whether an ally is there, beside whom an army may not end its march (switch ally_stack)."""
    return war.rules.ally_stack == "no" and any(
        a.faction != army.faction and war.blocks(a) and not war.hostile(a.faction, army.faction) for a in war.at(node))


def lift_idle_sieges(war: War) -> None:
    """A siege without an army of the besieger in the field there is lifted."""
    for row in war.sieges:
        if not war.soldiers(row.node, row.besieger):
            end_siege(war, row)
