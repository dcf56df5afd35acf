"""Movement: orders to march, legal paths, the marches of a round (3b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from assistant.campaign.columns import Choice, Ref, Whole, column
from assistant.campaign.records import ALL
from assistant.campaign.tables import Record
from assistant.rulesets.giglio import WAY, both, recruiting
from assistant.rulesets.giglio.records import CALENDAR, Army, Fleet
from assistant.rulesets.giglio.war import (
    ACTING_ARMY,
    IN_SUMMER,
    TRAIL,
    ArmyAction,
    Ducats,
    War,
    check_not_aboard,
    check_soldiers,
)
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Rules, number, switch
from assistant.turn.orders.requests import Refused, Request, all_or_nothing
from assistant.turn.orders.row_columns import Path, find_place
from assistant.turn.orders.taking import refuse, replace_by
from assistant.turn.orders.verbs import order, same

# What the chapter declares.


class Numbers(Rules):
    """How far armies march, and what stops them."""

    move_own: int = number(2, both("nodes a round", "nodi a fase"),
                           both("An army marches {n} {n?node|nodes} a round through its own territory.",
                                "Un'armata marcia {n} {n?nodo|nodi} a fase nel proprio territorio."))
    move_foreign: int = number(1, both("nodes a round", "nodi a fase"),
                               both("Elsewhere an army marches {n} {n?node|nodes} a round.",
                                    "Altrove un'armata marcia {n} {n?nodo|nodi} a fase."))
    border_move: Literal["whole", "crossing_first"] = switch(
        both("Crossing a border {option}.", "Passare un confine {option}."),
        both("is the whole move", "è tutto il movimento"), both("must only come first", "deve solo venire per primo"),
        source="border")
    met_before_moving: Literal["pinned", "free"] = switch(
        both("An army that is reached before its turn to move {option}.",
             "Un'armata raggiunta prima di muovere {option}."), both("loses its move", "perde la mossa"),
        both("may leave", "può partire"))
    ally_stack: Literal["no", "with_consent"] = switch(
        both("Allies with passage {option}.", "Gli alleati con passo {option}."),
        both("never end in one node", "non finiscono mai nello stesso nodo"),
        both("may end in one node", "possono finire nello stesso nodo"), usual=True)


EVENTS = (
    EventType("army.moved", both("{army} marches: {path}.", "{army} marcia: {path}."), "moves", 4, to=ALL),
    EventType("move.pinned",
              both("{army} was met {node:at} before it could leave.",
                   "{army} è stata raggiunta {node:dove} prima di partire."), "moves", 1, to="army"),
    EventType("move.ally_ahead",
              both("{army} stopped {node:at}, before an ally.",
                   "{army} si è fermata {node:dove}, davanti all'alleato."), "moves", 3, to="army"),
)

FINDINGS = (
    Message("GIG-050", "error",
            both("No road leads from {a:the} to {b:the}. From {a:the} roads lead to {list}.",
                 "Nessuna strada {a:da} {b:a}. {a:da} si va a {list}."), means=WAY, certain=True),
    Message("GIG-051", "error",
            both("{unit} is {node:at}, not {a:at}. Start the path there.",
                 "{unit} è {node:dove}, non {a:dove}. Parti da lì."), means=WAY),
    Message("GIG-052", "error",
            both("{n} {n?node is too far|nodes are too far}: two at home, one abroad.",
                 "{n} {n?nodo è troppo|nodi sono troppi}: due in casa, uno fuori.")),
    Message("GIG-053", "error",
            both("Crossing the border {a}-{b} must be the whole move. Order {a} {b} alone.",
                 "Passare il confine fra {a:il} e {b:il} è l'intero movimento. Ordina solo quello: {a} {b}."),
            means=WAY),
    Message("GIG-054", "error",
            both("The road {a} {b} is shut to you until {date}, by a ban (sheet Bans).",
                 "La strada fra {a:il} e {b:il} resta chiusa per te, per un divieto (foglio Divieti): si riapre dopo "
                 "{date}."), means=WAY),
    Message("GIG-055", "ambiguous",
            both("{a:the} to {b:the} leads over {list}. Name the middle node.",
                 "{a:da} {b:a} si passa per {list}. Indica il nodo intermedio."), means=WAY),
    Message("GIG-056", "error",
            both("{unit} is shut in {node:at}: order it to come out, or let it stay.",
                 "{unit} è rinchiusa {node:dove}: ordina esci, o resta.")),
    Message("GIG-057", "error",
            both("{unit} faces an enemy {node:at}: it can only go back to {prev:the}.",
                 "{unit} ha davanti un nemico {node:dove}: può solo tornare {prev:dove}.")),
    Message("GIG-058", "error", both("{unit} is aboard {fleet}: order land.", "{unit} è {fleet:su}: ordina sbarca.")),
    Message("GIG-059", "error",
            both("{unit} lost its commander: {n} node this round.",
                 "{unit} ha perso il comandante: {n} nodo in questa fase.")),
    Message("GIG-060", "error",
            both("{unit} cannot go to {node:the}: armies march on land, fleets sail.",
                 "{unit} non può andare {node:dove}: le armate marciano, le flotte navigano.")),
    Message("GIG-071", "error", both("{unit} is not shut in.", "{unit} non è rinchiusa.")),
)

CHAPTER = Chapter(both("3b Movement", "3b Movimento"), (Citation("3b", "3b"),), Numbers, EVENTS, FINDINGS)


# An army's one order in a round: a march, to stay, to come out.
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


@order("move", "muovi", also=("muove", "moves", "march", "marches", "marcia"), when=IN_SUMMER, unit=ACTING_ARMY,
       amount=Ducats(blank=True, all_if_blank=True), path=Path(), replaces=same("action", "unit", unless="amount"),
       shown=("{unit} {amount} moves {path}", "{unit} {amount} muove {path}"),
       help=both("March along a path; an amount splits that much off.",
                 "Marcia lungo un percorso; una cifra stacca tanti ducati."))
def move(war: War, request: Request, army: Army, amount: int | None) -> None:
    """March along roads: two nodes at home, one abroad; crossing a border is the whole march (3b, border, April)."""
    if amount is not None:
        check_soldiers(war, request, army, "unit")
        if amount > army.value:
            raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    # before anything is split off: a refused row changes nothing
    path = legal_path(war, request, army)
    back = path[1:] == army.nodes_back[-1:] and war.in_contact(army)  # who is in contact may go nowhere else
    if amount is not None and amount < army.value:
        recruiting.check_can_raise_army(war, request.faction)
        army = recruiting.detach(war, army, amount)
        war.plan.columns.add(army.army)
    claim_action(war, army, ArmyAction(request, path, back))


def legal_path(war: War, request: Request, army: Army) -> list[str]:
    """The nodes of a legal march, the start first (rulebook: A legal path). Raises `Refused` at the first fault."""
    check_not_aboard(war, request, army, "unit")
    if army.posture == "shut_in":
        raise Refused("GIG-056", "unit", unit=army.army, node=army.node)
    path = path_from_unit(war, request, army)
    for node in path:
        if not war.nodes[node].land:
            raise Refused("GIG-060", "path", unit=army.army, node=node)
    path = _fill_in_middle(war, army, path)
    _check_reach(war, army, path)
    for a, b in pairwise(path):
        last = war.ban_round(army.faction, a, b)
        if last:
            raise Refused("GIG-054", "path", a=a, b=b, date=CALENDAR[last - 1][0])
    # face to face with an enemy an army may only go back where it came from
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
        find_place(war, node, "path")
    if set(path) <= {unit.node}:
        raise Refused("not_understood", "path", text=request.typed_text("path") or request.row.text)
    if path[0] != unit.node:
        raise Refused("GIG-051", "path", unit=unit.ident, node=unit.node, a=path[0])
    return path


def _fill_in_middle(war: War, army: Army, path: list[str]) -> list[str]:
    """Fill in the own middle node of a two-node order; roads join all (GIG-055, 050; rulebook: Orders in words)."""
    a, b = path[0], path[-1]
    # where no road joins two own nodes the clubs leave out the one between them (practice 2)
    if len(path) == 2 and a != b and not war.map.has_link(a, b, "road") and all(war.own(n, army.faction) for n in path):
        middle = [n for n in war.open_roads(a, army.faction)
                  if war.own(n, army.faction) and b in war.open_roads(n, army.faction)]
        if len(middle) > 1:
            raise Refused("GIG-055", "path", a=a, b=b, list=" ".join(middle))
        path = [a, *middle, b]
    for x, y in pairwise(path):
        if not war.map.has_link(x, y, "road"):
            raise no_way_refusal(war, x, y, "road")
    return path


def no_way_refusal(war: War, a: str, b: str, kind: str) -> Refused:
    """No road, or no lane, joins two places (GIG-050)."""
    return Refused("GIG-050", "path", a=a, b=b, list=" ".join(war.map.neighbours(a, kind)) or "-")


def _check_reach(war: War, army: Army, path: list[str]) -> None:
    own = [war.own(node, army.faction) for node in path]
    steps, rules = len(path) - 1, Numbers.of(war)
    crossing = next(((path[i], path[i + 1]) for i in range(steps) if own[i] != own[i + 1]), None)
    # by this reading the border may be the first step of two; to cross it with the last is never allowed
    first_only = rules.border_move == "crossing_first" and not own[0] and all(own[1:])
    if crossing and steps > 1 and not first_only:
        raise Refused("GIG-053", "path", a=crossing[0], b=crossing[1])
    by_book = rules.move_own if (all(own) or (first_only and steps > 1)) else rules.move_foreign
    reach = war.reach(army, path, by_book)
    if steps > reach:
        raise Refused("GIG-052", "path", n=steps)
    # the penalty falls in the round after the murder
    if 0 < army.leaderless == war.round - 1:
        left = max(0, reach - recruiting.Numbers.of(war).commander_node_penalty)
        if steps > left:
            raise Refused("GIG-059", "unit", unit=army.army, n=left)


@order("stay", "fermo", also=("resta", "ferma", "stop", "stai"), when=IN_SUMMER, unit=ACTING_ARMY, replaces=ACTION,
       shown=("{unit} stay", "{unit} fermo"), help=both("Stand where the army is.", "Resta dove l'armata si trova."))
def stay(war: War, request: Request, army: Army) -> None:
    """The army stands."""
    claim_action(war, army, ArmyAction(request))


@order("come_out", "esci", also=("sortita",), when=IN_SUMMER, unit=ACTING_ARMY, replaces=ACTION,
       help=both("Leave the walls and take the field in the same place.",
                 "Esci dalle mura e scendi in campo nello stesso luogo."))
def come_out(war: War, request: Request, army: Army) -> None:
    """A shut-in army takes the field in the same node (GIG-071)."""
    if army.posture != "shut_in":
        raise Refused("GIG-071", "unit", unit=army.army)
    claim_action(war, army, ArmyAction(request))


# The steps of a round's marches (3b; rulebook: The marches, step by step).


def march(war: War) -> None:
    """Step 9: march faction by faction in the order of movement; garrisons that no army could leave are refused."""
    for faction in war.by_rank():
        # by the switch own_phase assassins strike just before their own side marches
        recruiting.resolve_shots(war, [s for s in war.plan.shots if s.man.faction == faction.faction])
        for army in [a for a in war.armies if a.faction == faction.faction]:
            act = war.plan.acts.get(army.army)
            if act is not None and act.verb in ("move", "come_out"):
                if is_pinned(war, army):
                    act.request.row.status = "pinned"
                    war.tell("move.pinned", army=army.army, node=army.node)
                elif act.verb == "move":
                    _march_army(war, army, act)
                else:
                    _leave_walls(war, army)
    for request, unit, node in war.plan.garrisons:
        refuse(war, request, Refused("GIG-041", "unit", unit=unit, node=node))


def is_pinned(war: War, army: Army) -> bool:
    """Whether a hostile blocking marker arrived in the army's node before its turn."""
    if Numbers.of(war).met_before_moving == "free":
        return False
    # only who came since the marches began pins; forces that stood face to face before do not
    newcomers = war.plan.newcomers.get(army.node, set())
    return bool(newcomers) and any(
        other.army in newcomers for other in war.enemies_in_field(army.node, army.faction))


def _arrive(war: War, army: Army) -> None:
    war.plan.arrivals += 1
    army.arrived_year, army.arrived_round, army.arrived_no = war.year, war.round, war.plan.arrivals
    war.plan.newcomers.setdefault(army.node, set()).add(army.army)


def _leave_walls(war: War, army: Army) -> None:
    army.posture = "field"
    _arrive(war, army)
    war.tell("army.came_out", army=army.army, faction=army.faction, node=army.node)


def _march_army(war: War, army: Army, act: ArmyAction) -> None:
    gone = _stop_behind_allies(war, army, _walk(war, army, act.path))
    army.node = gone[-1]
    if len(gone) < 2:
        return
    if act.back:
        army.trail = " ".join(army.nodes_back[:-1])
        war.tell("army.retreated", army=army.army, faction=army.faction, frm=gone[0], to=army.node)
        return
    army.trail = " ".join([*army.nodes_back, *gone[:-1]][-TRAIL:])
    _arrive(war, army)
    war.tell("army.moved", army=army.army, faction=army.faction, path=" ".join(gone))


def _walk(war: War, army: Army, path: Sequence[str]) -> list[str]:
    """Node by node, leaving garrisons, until the end or the first obstacle."""
    gone = [path[0]]
    for node in path[1:]:
        gone.append(node)
        army.node = node
        _leave_garrisons(war, army, node)  # even if the march is stopped there
        # empty walls, revealed envoys and partners' armies stop nobody
        if war.stops(node, army.faction):
            break
    return gone


def _leave_garrisons(war: War, army: Army, node: str) -> None:
    for waiting in [garrison for garrison in war.plan.garrisons if garrison[1:] == (army.army, node)]:
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
    recruiting.check_can_leave(war, army)
    recruiting.leave_garrison(war, army, place)


def _stop_behind_allies(war: War, army: Army, gone: list[str]) -> list[str]:
    """Allies may not end their march in one node: stop earlier on the path."""
    back = list(gone)
    # at worst it never left
    while len(back) > 1 and ally_at(war, army, back[-1]):
        back.pop()
    if len(back) < len(gone):
        war.tell("move.ally_ahead", army=army.army, node=gone[-1])
    return back


def ally_at(war: War, army: Army, node: str) -> bool:
    """Whether an ally is there, beside whom an army may not end its march (switch ally_stack)."""
    return Numbers.of(war).ally_stack == "no" and any(
        a.faction != army.faction and war.blocks(a) and not war.hostile(a.faction, army.faction) for a in war.at(node))


@dataclass(eq=False, repr=False)
class Arrival(Record, sheet="Arrivals", sheet_it="Arrivi"):
    """When an army came by its last march."""

    army: str = column(Ref("Armies"), "Army", "Armata", key=True)
    year: int = column(Whole(), "Year", "Anno")
    month: str = column(Choice(dict(CALENDAR)), "Month", "Mese")
    no: int = column(Whole(), "No.", "N.")
