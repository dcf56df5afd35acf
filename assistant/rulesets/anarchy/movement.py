"""Movement: units are activated in order of march, then standoffs (chapters 6 to 8, 10 to 15; rulebook: Activation)."""

from __future__ import annotations

from contextlib import suppress

from assistant.campaign.hexmap import direction
from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import both
from assistant.rulesets.anarchy.convoys import may_deal, meet_convoy, meet_goods, meet_train
from assistant.rulesets.anarchy.encounters import (
    carry_out_sally,
    deals_here,
    meet_groups,
    resolve_attack,
    stands_beside,
)
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.mercenaries import try_to_hire
from assistant.rulesets.anarchy.ordered_moves import (
    acts_here,
    expected_way,
    hexes_of_march,
    missing_to_march,
    named_place_hex,
)
from assistant.rulesets.anarchy.realm import asked, choice_code, path_of
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Train
from assistant.turn import questions
from assistant.turn.chapters import Chapter, EventType
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.questions import Ask, Text, Waiting

EVENTS = (
    EventType("arrived",
              both("{unit:the} {unit?enters|enter} the map {hex:at}.",
                   "{unit:il} {unit?entra|entrano} sulla mappa {hex:dove}."), "moves",
              4, to=ALL),
    EventType("order_of_march", both("Order of march: {list}.", "Ordine di marcia: {list}."), "moves", 6,
              variants=("list", {"": both("Nobody is there to march.", "Non c'è nessuno che marci.")}), to=ALL,
              opening=True),
)

QUESTIONS = (
    asked("standoff",
          both("{unit:the} {unit?shares|share} {hex:the} with an enemy: attack {met:the}, or withdraw?",
               "{unit:il} {unit?ha|hanno} davanti un nemico {hex:dove}: attaccare {met:il} o ritirarsi?"),
          stands=questions.Option(("attack", "withdraw"))),
    asked("move",
          both("{unit:the} {unit?has|have} no order: which way now? Answer hexes, or hold.",
               "{unit:il} non {unit?ha ordini: dove va|hanno ordini: dove vanno}? Rispondi con esagoni, o resta.")),
)

both.words({
    "standoff": "stallo", "move": "movimento",
})

CHAPTER = Chapter(both("6 Order of march", "6 Ordine di marcia"), (), events=EVENTS, questions=QUESTIONS, rests_on="6")


def activate(f: Field, ident: str) -> None:
    """M3: activate one unit."""
    army = f.armies.get(ident)
    if army is not None:
        if f.able(army) and f.is_unhired(army):
            _move_company(f, army)
        elif f.able(army):
            _activate_group(f, army)
    elif ident in f.trains or ident in f.convoys:
        _move_goods(f, f.trains.get(ident) or f.convoys[ident])
    elif ident in f.places and ident not in f.spent and f.places[ident].garrison and f.is_besieged(ident):
        carry_out_sally(f, f.places[ident], f.places[ident])


# --- groups -----------------------------------------------------------------------------------------
def _activate_group(f: Field, army: Army) -> None:
    if f.is_shut_in(army):
        if army.army in f.sallies:
            carry_out_sally(f, army, f.places[army.inside])
        return
    if army.army in f.lifts and army.besieging:
        place, army.besieging = army.besieging, ""
        f.lifts[army.army].row.status = "accepted"
        f.tell("siege_left", place=place, group=army.army)
    start, path = army.node, _path(f, army)
    if not path:
        f.staying.add(army.army)
    for request in f.acts.get(army.army, []):
        f.moments[request.row.order] = _act_hex(f, army, request, path)
    deals_here(f, army, start, last=not path)
    acts_here(f, army, start, last=not path)
    if path and f.able(army, start):
        _march(f, army, path)
    f.say_leg(army)


def _path(f: Field, army: Army | Train | Convoy) -> list[str]:
    """Today's way; a unit without MOVE or HOLD is asked for it at activation (switch orders_mode)."""
    known = expected_way(f, army)
    if known is not None:
        return known

    def read(text: str) -> str:
        if choice_code(text) == "hold":
            return "hold"
        try:
            path_of(f, text, army.node)
        except Refused:
            return ""
        return text

    text = f.game.ask(f.question("move", army.faction, army.ident, (), "hold", Text(reader=read), unit=army.ident))
    if text == "hold":
        return []
    way = path_of(f, text, army.node)
    return f.cheapest(army.node, way.hexes) if way.far else way.hexes


def _march(f: Field, army: Army, path: list[str]) -> None:
    """March hex by hex: pay, enter, meet, act; without enough points stop in the last hex paid for."""
    spent = 0
    _leave_stuck_goods(f, army)
    for number, there in enumerate(path, 1):
        cost = f.step_cost(army.node, there)
        if cost is None or spent + cost > f.points_today(army):
            f.say_leg(army)
            f.tell("stopped_short", unit=army.army, hex=army.node)
            return
        spent += cost
        f.step(army, there)
        alone = [convoy.node for convoy in (*f.convoys, *f.trains) if not convoy.escort]
        if len(f.at(there)) > len(f.stack(army)) or there in alone:  # there is somebody or something to meet
            f.look_round(army)
            f.say_leg(army)
            meet_groups(f, army)
            onwards = f.step_cost(army.node, path[number]) if number < len(path) else None
            if f.able(army, there):
                meet_goods(f, army, ends=onwards is None or spent + onwards > f.points_today(army))
        if not f.able(army, there):
            return
        acts_here(f, army, there, last=number == len(path))
        if not f.able(army, there) or army.inside:
            return


def _act_hex(f: Field, army: Army, request: Request, path: list[str]) -> str:
    """The hex on which an act is done; "" for the last of the march.

    The hex that the order names; else that of its place, if the march touches it; else the start, if its partner is
    there.
    """
    if request.node:
        return str(request.node)
    home = named_place_hex(f, request)
    if home:
        return home if home in (army.node, *path[:-1]) and home not in path[-1:] else ""
    return army.node if path and stands_beside(f, request, army) else ""


def _leave_stuck_goods(f: Field, army: Army) -> None:
    """Leave trains that cannot move and convoys without a driver where they are (10, 12)."""
    for row in sorted(f.led_goods(army), key=lambda row: isinstance(row, Convoy)):
        if _is_stuck(f, row):
            row.escort = ""
            f.tell("attached", rule="10" if isinstance(row, Train) else "12", x=row.ident, group=army.army,
                   way="detached")


def _is_stuck(f: Field, unit: Train | Convoy) -> bool:
    return bool(missing_to_march(f, unit)) if isinstance(unit, Train) else not unit.driver


# --- unhired mercenaries (11.1) -----------------------------------------------------------------------
def _move_company(f: Field, army: Army) -> None:
    """Move unhired mercenaries towards the nearest group, the sides taking turns; they stop at the first they meet."""
    here = _groups_met(f, army)
    if not here:
        for there in f.reach(army.node, _mercenary_path(f, army), f.points_today(army)):
            f.step(army, there)
            f.look_round(army)
            here = _groups_met(f, army)
            if here:
                break
        army.moves_next = f.foe(army.moves_next) or army.moves_next
        f.say_leg(army)
    if here:
        _offer(f, army, here)


def _mercenary_path(f: Field, army: Army) -> list[str]:
    """The ordered way if it nears one of the nearest groups, else the cheapest to the nearest."""
    request, targets = f.moves.get(army.army), f.march_targets(army)
    if request is not None and request.verb != "HOLD" and request.path:
        path: list[str] = []
        with suppress(Refused):  # it may have been moved since the orders were read
            path = hexes_of_march(f, request, army.node)
        end = (f.reach(army.node, path, f.points_today(army)) or [army.node])[-1]
        if any(f.distance(end, t.node) < f.distance(army.node, t.node) for t in targets) or not targets:
            return path
        request.find(f, "ANA-111", "path", path=" ".join(request.path))
    ways = [(f.hexes.price(army.node, way, f.step_cost), n, way) for n, t in enumerate(targets)
            if (way := f.cheapest(army.node, [t.node]))]
    return min(ways)[2] if ways else []


def _groups_met(f: Field, army: Army) -> list[Army]:
    return f.by_rank(a for a in f.at(army.node) if a.army != army.army and not a.mercenary and not a.inside
                     and f.side(a.faction) != NEUTRAL and not f.lone(a) and not f.safe(a))


def _offer(f: Field, army: Army, groups: list[Army]) -> None:
    """Ask groups with a noble until one hires the company; otherwise, or if all are escorts, it goes back."""
    able = [a for a in groups if not f.limit_of(a)]
    for group in able:
        if f.commander(group) is not None and try_to_hire(f, group, army):
            return
    f.tell("not_hired", mercs=army.army, group=[*able, *groups][0].army)
    back = army.came_from
    if direction(army.node, back) and f.empty(back):
        f.bring(army, back)
        f.tell("backed_away", rule="11.1", x=army.army, hex=back)
    else:
        f.back_away(army, f.heading.get(army.army, ""))


def _move_goods(f: Field, unit: Train | Convoy) -> None:
    """Move a train or convoy without an escort until somebody takes it (rulebook: Activation).

    On each hex the groups are asked one after the other until one does not pass.
    """
    if unit.state != "active" or unit.escort or _is_stuck(f, unit):
        return
    for there in f.reach(unit.node, _path(f, unit), f.points_today(unit)):
        f.leg.setdefault(unit.ident, [unit.node]).append(there)
        unit.came_from, unit.node = unit.node, there
        if not f.at(there):
            continue
        f.say_leg(unit)
        dealers = [army for army in f.by_rank(f.at(there)) if may_deal(f, army, unit)]
        if isinstance(unit, Train):
            taken = any(meet_train(f, army, unit) for army in dealers)
        else:
            deals = (meet_convoy(f, army, unit, ends=True) for army in dealers)
            taken = next(filter(None, deals), "") == "take"
        if taken:
            return
    f.say_leg(unit)


# --- M2, M3: the order of march, every unit once -----------------------------------------------------
BATTLE_QUESTIONS = frozenset({"battle", "join", "retreat", "prize", "loot", "name"})
"""Questions of a battle that is numbered already: it is the last of the day for the units that ask them."""
MARGIN = 2
"""Hexes around a march that a battle may affect: others join from neighbouring hexes and retreat to them."""


class WaitingUnits:
    """The units that wait for answers, and the hexes where nobody may march before these (chapter 6).

    A unit whose activation waits holds up every unit that could come near to where it may still go. All others march,
    so that questions from distant parts of the map are asked at one stop. With the answers the phase is run again from
    its start in the order of march: nothing that is done here persists.
    """

    def __init__(self, f: Field) -> None:
        self.f = f
        self.questions: list[Ask] = []
        self.uncertain: set[str] = set()

    def hold(self, ident: str, stop: Waiting | None = None) -> None:
        """A unit waits for answers to its own or others' questions; its surroundings are closed to others.

        If it may still fight, the next battle's number is unknown, and no battle is opened.
        """
        asked = stop.questions if stop is not None else []
        self.questions += asked
        self.uncertain |= self._near(ident, MARGIN)
        f, army = self.f, self.f.armies.get(ident)
        may_revolt = any(army.contract == "promised" for army in f.active())  # over shares of loot (11.6)
        last = bool(asked) and {ask.kind for ask in asked} <= BATTLE_QUESTIONS and not may_revolt
        # convoys, trains and unhired mercenaries never start a battle
        if not last and not (f.is_unhired(army) if army is not None else ident not in f.places):
            f.numbers_unsure = True

    def free(self, ident: str) -> bool:
        """Whether a unit's activation cannot depend on the units that wait, or is empty."""
        f, army = self.f, self.f.armies.get(ident)
        return (not self.questions or not self._near(ident, 1) & self.uncertain
                or (army is not None and not f.is_unhired(army) and expected_way(f, army) == []
                    and not any(ident in doings for doings in (f.acts, f.lifts, f.sallies))))

    def _near(self, ident: str, margin: int) -> set[str]:
        """All hexes within `margin` of where a unit is and may go."""
        f = self.f
        unit = f.armies.get(ident) or f.trains.get(ident) or f.convoys.get(ident)
        reach = {f.places[ident].node if unit is None else unit.node}
        if isinstance(unit, Army) and f.is_unhired(unit):  # they seek the nearest group, whoever that will be
            nearest = min((f.distance(unit.node, target.node) for target in f.march_targets(unit)), default=0)
            margin += max(nearest, f.points_today(unit))
        elif unit is not None:
            way = expected_way(f, unit)
            margin += f.points_today(unit) if way is None else 0
            reach |= set(way or ())
        for _ in range(margin):
            reach |= {there for node in reach for there in f.hexes.neighbours(node)}
        return reach


def activate_all(f: Field) -> None:
    """M2, M3: fix the order of march, which is public, and activate every unit once."""
    f.march = f.order_of_march([u for u in f.sallies if u in f.places])
    place = {unit: number for number, unit in enumerate(f.march, 1)}
    for army in f.armies:
        army.march = place.get(army.army)
    f.count_horsemen()
    f.tell("order_of_march", list=" ".join(f.march))
    elsewhere = WaitingUnits(f)
    for unit in f.march:
        if not elsewhere.free(unit):
            elsewhere.hold(unit)
            continue
        try:
            activate(f, unit)
        except Waiting as stop:
            elsewhere.hold(unit, stop)
    if elsewhere.questions:
        raise Waiting(elsewhere.questions)


def enter_awaited(f: Field) -> None:
    """M1: bring the groups that are due today onto the map."""
    for army in f.armies:
        if army.state == "awaited" and army.enters_on == f.day:
            army.state = "active"
            f.tell("arrived", unit=army.army, hex=army.node)


# --- M4: standoffs (rulebook: Standoffs) ------------------------------------------------------------
def standoffs(f: Field) -> None:
    """M4: on each hex with both sides, by rising code, the last to arrive attacks or withdraws."""
    for node in sorted({a.node for a in f.active()}):
        tried: set[str] = set()
        while True:
            groups = [a for a in f.at(node) if not a.inside and not f.is_attached(a) and f.side(a.faction) != NEUTRAL
                      and not f.safe(a)]
            left = [a for a in groups if a.army not in tried]
            if len({f.side(a.faction) for a in groups}) < 2 or not left:
                break
            entrant = max(left, key=lambda a: (f.arrivals.get(a.army, 0), natural(a.army)))
            attacked_now = _standoff(f, entrant, [a for a in groups if f.side(a.faction) != f.side(entrant.faction)])
            # other enemies may be left after an attack: the entrant, now spent, then withdraws first
            if not attacked_now or entrant.army not in f.spent:
                tried.add(entrant.army)


def _standoff(f: Field, entrant: Army, enemies: list[Army]) -> bool:
    """The last to arrive attacks, or retreats if it can. Returns whether it attacked."""
    node = entrant.node
    choice = "withdraw"
    if entrant.army not in f.spent and not f.limit_of(entrant):
        choice = f.choose("standoff", entrant.faction, f"{entrant.army}/{node}", ("attack", "withdraw"), "withdraw",
                          unit=entrant.army, met=enemies[0].army, hex=node)
    if choice == "attack":
        resolve_attack(f, entrant, enemies[0], entrant)
        return True
    f.retreats([entrant], f.heading.get(enemies[0].army, ""))
    return False
