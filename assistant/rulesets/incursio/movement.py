"""What armies do: movements and assaults of a side (rulebook: Movement, Assaults)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from typing import Literal

from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, both, orders
from assistant.rulesets.incursio.battles import FORM, begin_battle, settle_battle, take_live_result
from assistant.rulesets.incursio.orders import DAY, MOVES, troops
from assistant.rulesets.incursio.realm import LETTER, OTHER, UNITS, Line, Realm, Unit, are_among, codes_of, letters
from assistant.rulesets.incursio.records import AS_UNITS, Battle
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Rules, number, switch
from assistant.turn.event_types import EACH_TIME
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.taking import refuse
from assistant.turn.orders.verbs import Deed, Verb, order

# Movements: REORDER, LEAVE, MOVE, ENTER (rulebook: Movement).


class Numbers(Rules):
    """Who may move on, and what a new order of a garrison costs."""

    fought_no_move: Literal["all", "defenders_only"] = switch(
        both("Of those who fought, {option}.", "Di chi ha combattuto, {option}."),
        both("nobody moves any more", "nessuno muove più"),
        both("only the defenders do not move any more", "solo i difensori non muovono più"))
    reorder_cost: Literal["free", "one_move"] = switch(
        both("Reordering a garrison {option}.", "Riordinare una guarnigione {option}."),
        both("costs nothing", "non costa niente"), both("is its movement", "è il suo movimento"), source="COM")
    final_move_order: Literal["order", "together"] = switch(
        both("In the final moves {option}.", "Nei movimenti finali {option}."),
        both("the first side goes first", "muove prima chi è primo"),
        both("both sides go together", "le due parti muovono insieme"), source="T8")


CHAPTER = Chapter(both("Movement", "Movimento"), (Citation("MOV", "Movement", "Movimento"),), Numbers, events=(
    EventType("units_moved", both("March from {node:the} to {to_node:the}: {units}.",
                                  "Marcia {node:da} {to_node:a}: {units}."), "moves", 3, means=AS_UNITS, to=EACH_TIME),
    EventType("move_blocked",
              both("Enemies stop the march from {node:the} to {to_node:the}: {units}.",
                   "I nemici fermano la marcia {node:da} {to_node:a}: {units}."), "moves", 1,
              means=AS_UNITS, to=EACH_TIME),
    EventType("garrison_reordered", both("The garrison of {node:the} is reordered: {garrison}.",
                                         "La guarnigione {node:di} è riordinata: {garrison}."), "moves", 3,
              "COM", means=AS_UNITS, to=(ESDEF,)),
    EventType("garrison_entered", both("Into the garrison of {node:the}: {units}.",
                                       "In guarnigione {node:dove}: {units}."), "moves", 3, means=AS_UNITS,
              to=(ESDEF,)),
    EventType("garrison_left", both("Out of the garrison of {node:the}: {units}.",
                                    "Fuori dalla guarnigione {node:di}: {units}."), "moves", 3, means=AS_UNITS,
              to=(ESDEF,)),
), findings=(
    Message("INC-020", "error",
            both("No line joins {a:the} and {b:the}. Neighbours: {list}.",
                 "Nessuna linea unisce {a:il} e {b:il}. Vicine: {list}."),
            means={"a": "place", "b": "place", "list": "place"}, certain=True),
    Message("INC-021", "error", both("The line {a}–{b} is red: demons only.", "La linea {a}–{b} è rossa: solo demoni."),
            means={"a": "place", "b": "place"}, certain=True),
    Message("INC-026", "error",
            both("{node:the} is an enemy place. ATTACK it.", "{node:il} {node?è|sono} dei nemici: attacca.")),
    Message("INC-027", "warning",
            both("You saw enemies {node:at} on day {d}: the move may be stopped.",
                 "{node:dove} hai visto nemici il giorno {d}: la mossa può essere fermata.")),
    Message("INC-029", "error",
            both("They are in garrison. LEAVE first, march next time.",
                 "Sono in guarnigione. Prima ESCI, poi marcia.")),
    Message("INC-030", "error",
            both("{node:the} is not a settlement of yours.", "{node:il} non {node?è|sono} un tuo insediamento.")),
    Message("INC-031", "error",
            both("The garrison of {node:the} holds {limit} units, and would then be: {want}.",
                 "La guarnigione {node:di} può avere al massimo {limit} unità; così sarebbe: {want}."),
            means={"want": "pieces"}),
    Message("INC-032", "error",
            both("Cavalry needs stables (06) to be in garrison {node:at}.",
                 "Senza scuderie (06) niente cavalleria in guarnigione {node:dove}.")),
    Message("INC-033", "error",
            both("In the garrison are {have}: write exactly these, in any sequence.",
                 "In guarnigione ci sono {have}: scrivi proprio queste, in qualunque successione."),
            means={"have": "text"}),
    Message("INC-034", "error",
            both("Garrisons may be reordered only on a day when Esdef is first.",
                 "Le guarnigioni si riordinano solo se Esdef ha l'iniziativa.")),
    Message("INC-035", "error",
            both("{units} are not in the garrison of {node:the}.", "{units} non sono nella guarnigione {node:di}."),
            means={"units": "text"}),
))


EXTRA_FROM = 7
"""The step of power that gives portal demons one more move."""


def may_move(realm: Realm, request: Line, unit: Unit) -> bool:
    """MOV: a unit that has fought does not move any more today."""
    spared = Numbers.of(realm).fought_no_move == "defenders_only" and request.moment == "final"
    return not unit.fought or (spared and unit.fought == "attacked")


def _take(realm: Realm, request: Line, line: list[Unit], *, gone: bool = False) -> None:
    """Take the units of a line among those that may still move. `gone`: it leads them elsewhere."""
    units = orders.free_units(request, line, lambda unit: may_move(realm, request, unit))
    if gone:
        orders.check_not_emptied(realm, request, units)
    for unit in units:
        unit.used, unit.gone = request.row.order, unit.gone or gone
    realm.plans[request.row.order] = units


@order("move", "muovi", when=DAY, node=orders.FROM, to_node=orders.TO, units=orders.TROOPS, moment=orders.MOMENT,
       issuer=orders.ISSUER, priority=orders.NUMBER,
       shown=("move {node}>{to_node} {units}[ {moment}]", "muovi {node}>{to_node} {units}[ {moment}]"),
       help=both("Send units along one line, initial (in their side's moves, as usual) or final (at the end of the "
                 "day); red lines are for demons only.",
                 "Manda unità lungo una linea, iniziale (nei movimenti della loro parte, com'è di solito) o finale (a "
                 "fine giornata); le linee rosse sono solo dei demoni."))
def move(realm: Realm, request: Line) -> None:
    """One line a moment, and never into a place of the enemy."""
    a, b, side = request.node, request.to_node, request.faction
    check_line(realm, side, a, b, "INC-020")
    # also where nobody seems to be: they are attacked, never walked into (MOV)
    if realm.is_home(b, OTHER[side]):
        raise Refused("INC-026", "to_node", node=b)
    outside = realm.camp.outside(a, side)
    if request.moment == "extra":
        if realm.power < EXTRA_FROM:
            raise orders.unreadable_word(realm, request, "moment", ("initial", "final"))
        outside = [unit for unit in outside if unit.returns is not None]
    orders.check_outside(realm, request, outside, "INC-029")
    _take(realm, request, orders.soonest_returning(outside), gone=True)
    # what was seen may be out of date, so this only warns
    spotted = realm.sightings_at(side, b, *UNITS)
    if spotted and not realm.camp.at(b, side):
        request.find(realm, "INC-027", "to_node", node=b, d=max(row.seen_on for row in spotted))


def check_line(realm: Realm, side: str, a: str, b: str, code: str) -> None:
    """Refuse a step that no line joins (`code`), and for soldiers one along a red line (INC-021)."""
    if realm.reach(a, b, side):
        return
    # there is a line, but a red one
    if side == ESDEF and realm.reach(a, b, VARANNAH):
        raise Refused("INC-021", "to_node", a=a, b=b)
    raise Refused(code, "to_node", a=a, b=b, list=" ".join(realm.neighbours(a, side)) or "–")


def _settlement(realm: Realm, request: Line) -> str:
    if not realm.is_home(request.node, ESDEF):
        raise Refused("INC-030", "node", node=request.node)
    return request.node


AT_A_MOMENT = "{node} {units}[ {moment}]"


def _inside(en: str, it: str, help: str, shown: str, node: orders.Cell = orders.HELD) -> Callable[[Deed], Verb]:
    return order(en, it, when=DAY, help=help, shown=(f"{en} {shown}", f"{it} {shown}"), node=node, units=orders.TROOPS,
                 moment=orders.MOMENT, issuer=orders.ISSUER, priority=orders.NUMBER)


@_inside("enter", "entra",
         both("Put soldiers into the garrison, initial or final; it is their movement.",
              "Metti soldati in guarnigione, iniziale o finale; è il loro movimento."), AT_A_MOMENT, orders.INTO)
def enter(realm: Realm, request: Line) -> None:
    """Outsiders enter the rear of the garrison; whether there is room is checked after all other movements."""
    outside = realm.camp.outside(_settlement(realm, request), ESDEF)
    orders.check_outside(realm, request, outside, "")
    _take(realm, request, orders.soonest_returning(outside))


@_inside("leave", "esci",
         both("Take soldiers out of the garrison, initial or final; it is their movement.",
              "Fa' uscire soldati dalla guarnigione, iniziale o finale; è il loro movimento."), AT_A_MOMENT)
def leave(realm: Realm, request: Line) -> None:
    """Out of the garrison, from its rear."""
    garrison = realm.camp.garrison(_settlement(realm, request))
    if not are_among(troops(request), codes_of(garrison)):
        raise Refused("INC-035", "units", units="".join(troops(request)), node=request.node)
    # from the rear, so that those who stay keep their places
    _take(realm, request, garrison[::-1])


@_inside("reorder", "riordina",
         both("Put a garrison into another order, on a day when the defenders are first.",
              "Riordina una guarnigione, in un giorno in cui i difensori hanno l'iniziativa."), "{node} {units}")
def reorder(realm: Realm, request: Line) -> None:
    """The whole garrison in its new order."""
    node = _settlement(realm, request)
    # before the initiative is thrown nobody knows, so the line may stand
    if realm.side(0) not in ("", ESDEF):
        raise Refused("INC-034", "verb")
    garrison = realm.camp.garrison(node)
    if sorted(troops(request)) != sorted(codes_of(garrison)):
        raise Refused("INC-033", "units", have=letters(garrison) or "–")
    if Numbers.of(realm).reorder_cost == "one_move":
        _take(realm, request, garrison)


# --- the phase ------------------------------------------------------------------------------------------------
def side_moves(realm: Realm) -> None:
    """One side moves (phases `first_move` and `second_move`)."""
    orders.take_lines(realm, *MOVES)
    carry_out_moves(realm, realm.taken)


def final_moves(realm: Realm) -> None:
    """Phase `final_moves`: the first side moves, then the second, on the board as it then is."""
    taken = orders.take_lines(realm, *MOVES)
    together = Numbers.of(realm).final_move_order == "together"
    stopped = _clashing_orders(realm, taken) if together else set[str]()
    enemies = {side: realm.camp.cells(OTHER[side]) for side in BOTH} if together else {}
    for side in filter(None, (realm.side(0), realm.side(1))):
        carry_out_moves(realm, [request for request in taken if request.faction == side], stopped, enemies.get(side))


def _clashing_orders(realm: Realm, taken: list[Line]) -> set[str]:
    """The codes of orders by which the two sides meet in an empty cell, or pass each other along a line."""
    moves = [request for request in taken if request.verb == "move"]
    held = realm.camp.cells(ESDEF) | realm.camp.cells(VARANNAH)
    return {march.row.order for march in moves for other in moves if march.faction != other.faction
            and ((march.to_node == other.to_node and march.to_node not in held)
                 or (march.node, march.to_node) == (other.to_node, other.node))}


def carry_out_moves(realm: Realm, requests: list[Line], stopped: Container[str] = (),
                    enemies: set[str] | None = None) -> None:
    """Carry out the accepted movements of one side: REORDER, LEAVE, MOVE, ENTER, each in canonical order."""
    by_verb = {verb: [request for request in requests if request.verb == verb] for verb in MOVES}
    for request in by_verb["reorder"]:
        _carry_out_reorder(realm, request)
    for request in by_verb["leave"]:
        _carry_out_leave(realm, request)
    _carry_out_marches(realm, by_verb["move"], stopped, enemies)
    for request in by_verb["enter"]:
        _carry_out_enter(realm, request)


def _go(realm: Realm, request: Line, units: list[Unit], **where: str) -> None:
    """Units go to the rear of their line, or into the other one of their cell (`where`)."""
    realm.camp.move(units, **where)
    request.came_to("done")
    realm.camp.write()


def _carry_out_reorder(realm: Realm, request: Line) -> None:
    node = request.node
    _go(realm, request, orders.pick_units(troops(request), realm.camp.garrison(node)))
    realm.tell("garrison_reordered", node=node, garrison="".join(troops(request)))


def _carry_out_leave(realm: Realm, request: Line) -> None:
    node = request.node
    rear = [unit for unit in realm.camp.garrison(node)[::-1] if may_move(realm, request, unit)]
    _go(realm, request, orders.pick_units(troops(request), rear), posture="open")
    realm.tell("garrison_left", node=node, units="".join(troops(request)))


def _carry_out_enter(realm: Realm, request: Line) -> None:
    """Enter at the rear of the garrison, if it takes cavalry (INC-032) and has room (INC-031)."""
    node, units = request.node, realm.plans[request.row.order]
    # judged only now: whoever has left in this moment has made room
    after = codes_of([*realm.camp.garrison(node), *units])
    if realm.no_stables(node, codes_of(units)):
        refuse(realm, request, Refused("INC-032", "units", node=node))
    elif realm.overfull(node, after):
        refuse(realm, request, Refused("INC-031", "units", node=node, limit=realm.room(node), want="".join(after)))
    else:
        _go(realm, request, units, posture="garrison")
        realm.tell("garrison_entered", node=node, units="".join(troops(request)))


def _carry_out_marches(realm: Realm, moves: list[Line], stopped: Container[str], enemies: set[str] | None) -> None:
    """Move all units at once; they arrive by destination and origin, and are told in the order of the lines."""
    arriving = []
    for request in moves:
        b, side = request.to_node, request.faction
        # by who stood there before anybody arrived, whichever line comes first
        hostile = b in (realm.camp.cells(OTHER[side]) if enemies is None else enemies)
        # where units of one's own stand among enemies, as when a portal opened there, more may come
        blocked = request.row.order in stopped or (hostile and not realm.camp.at(b, side))
        request.came_to("blocked" if blocked else "done")
        if not blocked:
            arriving.append(request)
    order_of = realm.nodes.keys().index
    # bands join in this order, and with it those in front are settled
    arriving.sort(key=lambda request: (order_of(request.to_node), order_of(request.node)))
    for request in arriving:
        realm.camp.move(realm.plans[request.row.order], node=request.to_node)
    for request in moves:
        side, a, b = request.faction, request.node, request.to_node
        if request.row.outcome == "blocked":
            # a march that is stopped tells that enemies are there, and no more
            realm.observe(side, b, "enemies", "march")
            realm.tell("move_blocked", [side], node=a, to_node=b, units="".join(troops(request)))
            continue
        realm.camp.write()
        realm.tell("units_moved", [side], node=a, to_node=b, units="".join(troops(request)))
        if side == VARANNAH:
            realm.raze(b)


# The assault of one side: ATTACK lines and the phase.


class AssaultNumbers(Rules):
    """The attacks of a day."""

    attacks_per_day: int = number(3, both("attacks", "attacchi"),
                                  both("A faction makes {n} {n?attack|attacks} a day.",
                                       "Una fazione fa {n} {n?attacco|attacchi} al giorno."), minimum=1, source="T3",
                                  usual=True)
    fought_no_attack: Literal["none", "all"] = switch(
        both("Of those who fought, {option}.", "Di chi ha combattuto, {option}."),
        both("who was not driven off may attack again", "chi non è stato respinto può attaccare di nuovo"),
        both("nobody attacks any more but in a repeat", "nessuno attacca più se non in una ripetizione"), source="MOV")


both.words({"nobody_left": "non resta nessuno", "cap_reached": "attacchi del giorno finiti"})

ASSAULT_CHAPTER = Chapter(both("The day", "Il giorno"), (
    Citation("T3", "order of the turn, 3", "ordine del turno, 3"),
), AssaultNumbers, events=(
    EventType("attack_found_nobody",
              both("The attack from {node:the} on {to_node:the} finds nobody.",
                   "L'attacco {node:da} {to_node:a} non trova nessuno."), "battles", 2,
              "T3", to=EACH_TIME),
    EventType("attack_not_made",
              both("The attack from {node:the} on {to_node:the} is not made: {reason}.",
                   "L'attacco {node:da} {to_node:a} non si fa: {reason}."), "battles", 2, "T3",
              variants=("reason",
                        {"nobody_left": both("The attack from {node:the} on {to_node:the} is not made: nobody is left "
                                             "for it.",
                                             "L'attacco {node:da} {to_node:a} non si fa: non resta nessuno per farlo."),
                         "cap_reached": both("The attack from {node:the} on {to_node:the} is not made: the attacks of "
                                             "the day are used up.",
                                             "L'attacco {node:da} {to_node:a} non si fa: gli attacchi del giorno sono "
                                             "finiti.")}),
              means={"reason": "word"}, to=EACH_TIME),
), findings=(
    Message("INC-040", "error",
            both("{b:the} is neither {a:the} nor one line away.", "{b:il} non è {a:il} né a una linea."),
            means={"a": "place", "b": "place"}, certain=True),
    Message("INC-041", "warning",
            both("Already in attack {order}: {units}. Only those who are left and were not driven off join this one.",
                 "Già nell'attacco {order}: {units}. A questo partecipa solo chi resta e non è stato respinto."),
            means={"order": "text", "units": "pieces"}),
    Message("INC-042", "error",
            both("Three attacks a day: this is the fourth.", "Tre attacchi al giorno: questo è il quarto.")),
    Message("INC-043", "error", both("Attack {no} is there twice.", "L'attacco {no} c'è due volte.")),
    Message("INC-044", "warning",
            both("With the repeats the day has {sum} {sum?attack|attacks}: after the third none is made.",
                 "Con le ripetizioni gli attacchi salgono a {sum}: dopo il terzo non se ne fanno.")),
    Message("INC-045", "error", both("repeat must be 1, 2 or 3.", "ripeti deve essere 1, 2 o 3."), certain=True),
    Message("INC-046", "warning", both("Fury needs power 5: ignored.", "La furia chiede il potere 5: ignorata.")),
    Message("INC-047", "warning",
            both("The order is taken. You know of no enemies {node:at}: if nobody is there, the attack finds nobody "
                 "and still uses up one of your attacks of the day.",
                 "L'ordine è preso. Non sai di nemici {node:dove}: se non c'è nessuno, l'attacco va a vuoto e consuma "
                 "lo stesso uno dei tuoi attacchi di oggi.")),
    Message("INC-048", "error", both("{node:the} is yours.", "{node:il} {node?è tuo|è tua|sono tuoi|sono tue}.")),
    Message("INC-049", "error",
            both("The attackers are in garrison. LEAVE first.", "Gli attaccanti sono in guarnigione. Prima ESCI.")),
))


FURY_FROM = 5
"""The step of power that lets demons fight to the end."""


@order("attack", "attacca", when=DAY, node=orders.FROM, to_node=orders.TARGET, units=orders.TROOPS,
       attack_no=orders.ATTACK_NO, repeat=orders.REPEAT, fury=orders.FURIOUS, issuer=orders.ISSUER,
       player=orders.SOMEBODY, priority=orders.NUMBER,
       shown=("attack {node}>{to_node} {units}[ x{repeat}][ n{attack_no}]",
              "attacca {node}>{to_node} {units}[ x{repeat}][ n{attack_no}]"),
       help=both("Attack a cell one line away, or the cell where the units are; the first unit meets the first. n1: "
                 "the first of the day's attacks; x2: up to two battles in a row.",
                 "Attacca una casella a una linea, o quella dove sono le unità; la prima unità incontra la prima. n1: "
                 "il primo attacco del giorno; x2: fino a due scontri di fila."))
def attack(realm: Realm, request: Line) -> None:
    """In the order of the book's checks."""
    a, b, side = request.node, request.to_node, request.faction
    if a != b:
        check_line(realm, side, a, b, "INC-040")
    shared = bool(realm.camp.at(b, OTHER[side])) and bool(realm.camp.at(b, side))
    if realm.is_home(b, side) and not (a == b and shared):
        raise Refused("INC-048", "to_node", node=b)
    if request.repeat not in ("", 1, 2, 3):
        raise Refused("INC-045", "repeat")
    accepted = [act for act in realm.attacks if act.faction == side]
    number = request.attack_no
    if number != "" and number in [act.attack_no for act in accepted]:
        raise Refused("INC-043", "attack_no", no=number)
    outside = realm.camp.outside(a, side)
    orders.check_outside(realm, request, outside, "INC-049")
    line = orders.soonest_returning(outside)
    if AssaultNumbers.of(realm).fought_no_attack == "all":
        units = orders.free_units(request, line, lambda unit: not unit.fought)
    else:  # first those that no other line names, so that as few as possible go twice
        units = orders.pick_units(troops(request), sorted(line, key=lambda unit: bool(unit.used)))
    if a != b:
        orders.check_not_emptied(realm, request, units)
    led = [act for act in accepted if _counting_text(realm, act) == _counting_text(realm, request)]
    if len(led) >= AssaultNumbers.of(realm).attacks_per_day:
        raise Refused("INC-042", "verb")
    others = dict.fromkeys(unit.used for unit in units if unit.used)
    named = {other: letters(unit for unit in units if unit.used == other) for other in others}
    for unit in units:
        unit.used, unit.gone = unit.used or request.row.order, unit.gone or a != b
    realm.plans[request.row.order] = units
    realm.attacks.append(request)
    _warn(realm, request, named, shared, sum(map(_times, [*led, request])))


def _counting_text(realm: Realm, request: Line) -> str:
    return request.player if realm.rules.attack_cap_scope == "player" else request.faction


def _times(request: Line) -> int:
    # a battle on the table is one attack, whatever the line repeats
    return 1 if request.row.live else int(request.repeat or 1)


def _warn(realm: Realm, request: Line, named: dict[str, str], shared: bool, attacks: int) -> None:
    """INC-047, 046, 041, 044."""
    b, side = request.to_node, request.faction
    if not (shared or realm.is_home(b, OTHER[side]) or realm.sightings_at(side, b, *UNITS)):
        request.find(realm, "INC-047", "to_node", node=b)
    if request.fury and not can_fight_with_fury(realm, side):
        request.find(realm, "INC-046", "fury")
    for other, units in named.items():
        request.find(realm, "INC-041", "units", units=units, order=other)
    if attacks > AssaultNumbers.of(realm).attacks_per_day:
        request.find(realm, "INC-044", "repeat", sum=attacks)


def can_fight_with_fury(realm: Realm, side: str) -> bool:
    """Whether a side's units can fight to the end (COM 17)."""
    return side == VARANNAH and realm.power >= FURY_FROM


def attack_key(request: Line) -> tuple[object, ...]:
    """Sort key: by number, lines without one last."""
    number = request.attack_no
    return (number == "", number or 0, orders.canonical_key(request))


# --- the phase ------------------------------------------------------------------------------------------------
def take_attacks(realm: Realm) -> None:
    """Judge the lines; this fixes the units of each."""
    orders.take_lines(realm, "attack", order=attack_key)


def assault(realm: Realm) -> None:
    """Carry out line after line, each as often as it says, within the attacks of a day (T3, T5)."""
    made, won = Counter({side: getattr(realm.day, f"attacks_{side}") for side in BOTH}), set[str]()
    cap = AssaultNumbers.of(realm).attacks_per_day
    for request in realm.taken:
        origin, target = request.node, request.to_node
        group, day, attacks = _counting_text(realm, request), realm.day, f"attacks_{request.faction}"
        force = [unit for unit in realm.plans[request.row.order]
                 if unit in realm.camp.units and unit.node == origin and not unit.driven]
        # the place is one's own by now: no attack of the day is used up
        if (target in won or realm.is_home(target, request.faction)) and not realm.camp.at(
                target, OTHER[request.faction]):
            request.came_to("void")
        elif not force or made[group] >= cap:
            request.came_to("not_made")
            realm.tell("attack_not_made", [request.faction], node=origin, to_node=target,
                       reason="nobody_left" if not force else "cap_reached")
        else:
            request.came_to("done")
            for _ in range(_times(request)):
                made[group] += 1
                setattr(day, attacks, getattr(day, attacks) + 1)
                force, outcome = carry_out_attack(realm, request, force)
                won |= {target} if outcome in ("taken", "walkover") else set()
                if outcome != "undecided" or made[group] >= cap:
                    break
    for row in realm.battles.where(lambda row: row.turn == realm.game.turn and row.status == "open"):
        row.status = "void"  # it was to be played, and nobody fights it any more


def carry_out_attack(realm: Realm, request: Line, force: list[Unit]) -> tuple[list[Unit], str]:
    """Carry out one attack of a line; return who is left of the force, and the outcome."""
    origin, target, side = request.node, request.to_node, request.faction
    row = _next_battle(realm, side, origin, target)
    row.attackers = letters(force)
    # it costs an attack of the day, but nobody has fought
    if not realm.camp.at(target, OTHER[side]) and not realm.is_home(target, OTHER[side]):
        row.outcome, row.status = "nobody", "auto"
        realm.observe(side, target, "empty", "march")
        realm.tell("attack_found_nobody", [side], node=origin, to_node=target)
        return force, "nobody"
    fury = bool(request.fury) and can_fight_with_fury(realm, side)
    fight = begin_battle(realm, row, force, fury=fury)
    live = bool(request.row.live)
    if FORM.is_reported(row) and not live:
        realm.find("INC-093", row, "att_after", b=row.battle, state="auto")
    met = bool(fight.outside or fight.garrison)
    outcome = "walkover" if not met else take_live_result(fight) if live else fight.fight()
    settle_battle(fight, outcome, live=live and met)
    return fight.att, outcome


def _next_battle(realm: Realm, side: str, origin: str, target: str) -> Battle:
    """The row of the next battle from a cell on another, which people may have typed early."""
    stem = f"{realm.game.turn}{LETTER[side]}-{origin}-{target}-"
    fought = realm.battles.where(lambda row: row.battle.startswith(stem) and bool(row.outcome))
    code = f"{stem}{len(fought) + 1}"
    row = realm.battles.get(code) or realm.battles.add(Battle(battle=code))
    row.turn, row.node, row.origin, row.attacker = realm.game.turn, target, origin, side
    return row
