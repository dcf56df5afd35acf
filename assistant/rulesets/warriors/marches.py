"""Movement on land, meeting enemies, crossing the wilds (2 movement, 2 crossing)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistant.campaign.records import Event
from assistant.rulesets.warriors import ROLLS, TO, WAY, WHY, book, both
from assistant.rulesets.warriors.aftermath import (
    DESERTER_CROSSING,
    QUALITY_CROSSING,
    WOUNDED_CROSSING,
    desert,
    test_wounded,
    wound_figures,
)
from assistant.rulesets.warriors.land import (
    Country,
    Standing,
    WeatherNumbers,
    by_terrain,
    by_territory,
    needing,
    question_type,
    weather_of,
    who_see,
)
from assistant.rulesets.warriors.orders import ARMY, NOTE, Called, check_option, code_in, may_know, own_force
from assistant.rulesets.warriors.records import STANCES, STANCES_ALSO, Army, Node, Order, Terrain, Unit
from assistant.turn import questions
from assistant.turn.chapters import Chapter, Citation, Modifier, Rules
from assistant.turn.dice import RangeTable
from assistant.turn.event_types import codes_in
from assistant.turn.findings import nearest
from assistant.turn.game import fresh
from assistant.turn.orders.columns import Option
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.row_columns import Path
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.rulings import Score

# Movement on land (2 movement).


class MarchNumbers(Rules):
    """The die of movement on land, and who stops whom."""

    move_die: str = book.dice_choice("The die of movement is {option}.", "Il dado del movimento è {option}.")
    mv_river: int = book.to_die(-1, "Starting where a river flows", "Partendo dove scorre un fiume")
    mv_marsh: int = book.to_die(-1, "Starting in a marsh", "Partendo da una palude")
    mv_enemy: int = book.to_die(-1, "Starting in enemy territory", "Partendo in territorio nemico",
                                source="2 movement 2 naval")
    mv_friendly: int = book.to_die(1, "Starting in friendly territory", "Partendo in territorio amico",
                                   source="2 movement 2 naval")
    mv_reaction: int = book.to_die(-2, "Unsteady or routed", "Instabile o in rotta", source="Rea 2 movement")
    mv_march: int = book.to_die(2, "On forced march", "In marce forzate", source="Ord 2 movement")
    mv_road: int = book.to_die(1, "By road or caravan track", "Su strada o pista carovaniera")
    mv_1: int = book.threshold(3, "From {n} on a Force moves one square.", "Da {n} una Forza muove di un quadrato.")
    mv_2: int = book.threshold(6, "From {n} on a Force moves two squares.", "Da {n} una Forza muove di due quadrati.")
    mv_3: int = book.threshold(9, "From {n} on a Force moves three squares.", "Da {n} una Forza muove di tre quadrati.")
    max_land: int = book.number(3, "squares", "A path on land counts as far as square {n}.",
                                "Un percorso a terra conta fino al quadrato {n}.", minimum=1)
    counter_march_tn: int = book.number(6, "total", "A counter-march needs {n}.", "La contromarcia riesce con {n}.",
                                        "ASSUMED")
    counter_march_unsteady: int = book.bonus("to total", "to the counter-march", "alla contromarcia", -2, "Unsteady",
                                             "Instabile", "ASSUMED")
    zoc: Literal["off", "stop", "through"] = book.switch(
        "Zones of control {option}.", "Le zone di controllo {option}.", ("are not played", "non si giocano"),
        ("end a move", "fermano una mossa"),
        ("end a move that does not go on into their Force", "fermano una mossa che non prosegue contro la loro Forza"),
        usual=True)
    counter_march: Literal["off", "on"] = book.switch(
        "A Force that is attacked {option}.", "Una Forza attaccata {option}.", ("fights", "combatte"),
        ("may step back before the battle", "può arretrare prima della battaglia"), usual=True)
    third_party: Literal["stops_before"] = book.switch(
        "Before a square in which two others are in contact a Force {option}.",
        "Davanti a un quadrato in cui altri due sono a contatto una Forza {option}.", ("stops", "si ferma"))
    terrain_stack: Literal["add", "worst"] = book.switch(
        "Of two terrains in a square {option}.", "Di due terreni in un quadrato {option}.",
        ("both count", "contano entrambi"), ("the worse counts", "conta il peggiore"))
    road_bonus: Literal["start", "first_step"] = book.switch(
        "A road counts {option}.", "Una strada conta {option}.", ("where it touches the start", "se tocca la partenza"),
        ("where the first step follows it", "se il primo passo la segue"))


CHAPTER = Chapter(both("Movement on land", "Movimento a terra"), (
    Citation("2", "phase 2", "fase 2", both("2 Movement", "2 Movimento")),
    Citation("movement", "movement", "movimento", "Movement on land")
), MarchNumbers, rests_on="2 movement", events=(
    book.event("instructed", "moves", 6, "{army}, if it is attacked: {stance}.", "{army}, se è attaccata: {stance}.",
               variants=("stance", {"ask": ("{army}, if it is attacked: you will be asked.",
                                            "{army}, se è attaccata: ti sarà chiesto.")}), means=TO, to="army"),
    book.event("moved", "moves", 3, "{army} {army?goes|go} from {node:the} to {path}. {roll}",
               "{army:il} {army?va|vanno} {node:da} {path:dove}. {roll}", to="army", tries="army"),
    book.event("seen", "moves", 4, "{army} {army?goes|go} from {node:the} to {to:the}.",
               "{army:il} {army?va|vanno} {node:da} {to:dove}.", means=TO,
               unless=("moved", "sailed", "counter_marched", "retreated", "stepped_back"),
               to=lambda land, data: land.others(data["to"], land.faction_of(data["army"]))),
    book.event("move_none", "moves", 3, "{army} {army?stays|stay} in {node:the}: {why}. {roll}",
               "{army:il} non {army?riesce|riescono} a lasciare {node:il}: {why}. {roll}",
               variants=("why", {
                   "too slow": ("{army} {army?stays|stay} in {node:the}: the die is too low. {roll}",
                                "{army:il} non {army?riesce|riescono} a lasciare {node:il}: il dado è troppo basso. "
                                "{roll}")}), means=WHY, to="army", tries="army"),
    book.event("move_cut", "moves", 2, "{army} {army?stops|stop} at {at:the}: {why}.",
               "{army:il} si {army?ferma|fermano} {at:dove}: {why}.", means={"at": "place", **WHY}, to="army"),
    book.event("move_refused", "moves", 2, "{army} {army?stays|stay} in {node:the}: {why}.",
               "{army:il} non {army?riesce|riescono} a lasciare {node:il}: {why}.",
               variants=("why", {
                   "defend": ("{army} {army?stays|stay} in {node:the}: the order is to defend.",
                              "{army:il} {army?resta|restano} {node:dove}: l'ordine è di difendere."),
                   "counter-marched": ("{army} {army?stays|stay} in {node:the} after trying to counter-march.",
                                       "{army:il} {army?resta|restano} {node:dove}, dopo aver tentato la "
                                       "contromarcia.")}), means=WHY, to="army"),
    book.event("counter_marched", "moves", 1, "{army} {army?steps|step} back from {node:the} to {to:the}: {roll}",
               "{army:il} {army?arretra|arretrano} {node:da} {to:dove}: {roll}", means=TO, to="army", tries="army"),
    book.event("counter_march_failed", "moves", 2, "{army} {army?does|do} not get away from {node:the}: {roll}",
               "{army:il} non {army?riesce|riescono} a lasciare {node:il}: {roll}", to="army", tries="army"),
    book.event("contact", "battles", 1, "{attacker} {attacker?attacks|attack} {defenders} at {node:the}.",
               "{attacker:il} {attacker?attacca|attaccano} {defenders:il} {node:dove}.",
               means={"attacker": "piece", "defenders": "piece"}, to=who_see("attacker", "defenders")),
    book.event("collapsed", "battles", 0,
               "{army} of {faction:the} is no more: it collapses at the contact with {by:the}.",
               "{army} {faction:di}: la Forza non c'è più, è crollata al contatto {by:con}.",
               means={"by": "piece", **WHY}, to=who_see("faction"), theme="losses"),
), findings=(
    book.error("WAR-201", "There is no square '{node}'. Did you mean {near}?",
               "Il quadrato '{node}' non esiste. Intendevi {near}?"),
    book.error("WAR-202", "{b:the} does not touch {a}. Name every square of the path.",
               "{b:il} non confina con {a:il}. Indica ogni quadrato del percorso.", means=WAY, certain=True),
    book.error("WAR-203", "{node:the} is water. Go round it, or use sail.",
               "{node:il} è acqua. Aggiralo, o usa naviga.", certain=True),
    book.warning("WAR-204", "The path begins with the Force's own square; it was left out.",
                 "Il percorso comincia dal quadrato della Forza: tolto."),
    book.warning("WAR-205", "Nobody goes {n} {n?square|squares} in a turn: the first 3 count.",
                 "In un turno non si fanno {n} {n?quadrato|quadrati}: contano i primi 3."),
    book.warning("WAR-206", "{army} is on Defend and will not move. Ask for another order first.",
                 "{army:il} {army?ha|hanno} l'ordine Difendere e non {army?si muove|si muovono}. Chiedi prima un altro "
                 "ordine."),
    book.error("WAR-207", "{army} is aboard {boat}. Use sail.",
               "{army:il} {army?è|sono} a bordo di {boat}. Usa naviga.", means={"boat": "piece"}),
    book.error("WAR-208", "Between {a:the} and {b:the} there is only water. Take another way.",
               "Fra {a:il} e {b:il} c'è solo acqua. Scegli un'altra via.", means=WAY),
    book.warning("WAR-209",
                 "The path comes back to {node:the}. It counts as it stands; if you did not mean it, send it again.",
                 "Il percorso torna {node:dove}. Conta così com'è; se non lo volevi, rimanda la riga."),
    book.error("WAR-210", "{army} is Routed and cannot go against an enemy in {node:the}.",
               "{army:il} {army?è|sono} in rotta e non {army?può|possono} andare contro un nemico {node:dove}."),
    book.warning("WAR-211", "The path goes through {terrain}: Units may lose figures there.",
                 "Il percorso attraversa {terrain}: le Unità possono perdere miniature."),
    book.error("WAR-212", "{node:the} holds a Force of {faction:the}, with whom you are at peace.",
               "{node:dove} c'è una Forza {faction:di}, con cui siete in pace."),
    book.warning("WAR-213", "{node:the} has a river and no bridge: rain or storm would stop the Force before it.",
                 "{node:il} ha un fiume senza ponte: pioggia o tempesta fermerebbero la Forza prima."),
    book.error("WAR-320", "'{stance}' is not fight, counter-march or ask.",
               "'{stance}' non è combatti, contromarcia o chiedi.", certain=True),
    book.warning("WAR-321", "You cannot step back from {here:the} to {to:the}: the default place will be used.",
                 "{here:da} non si può arretrare {to:dove}: vale il luogo stabilito dalla regola.",
                 means={"here": "place", "to": "place", "boat": "piece"}),
    book.warning("WAR-322", "There is no counter-march in this campaign: {army} will fight.",
                 "In questa campagna non c'è contromarcia: {army} combatterà."),
), questions=(
    question_type("counter-march", "{attacker} {attacker?attacks|attack} {army} at {node:the}: step back?",
                  "{attacker:il} {attacker?attacca|attaccano} {army:il} {node:dove}: arretrare?",
                  stands=questions.Option(("yes", "no")), means={"attacker": "piece", "battle": "text"}),
))

both.words({
    "reaction": "reazione", "crossing": "traversata", "collapsed": "è crollata al contatto",
    "too slow": "il dado è troppo basso", "gone": "non c'è più", "in contact": "è a contatto",
    "counter-marched": "ha già tentato la contromarcia", "ford closed": "guado chiuso", "peace": "c'è la pace",
    "third party": "altri due a contatto", "zone of control": "zona di controllo", "counter-march": "contromarcia",
})

MOVE = ROLLS.purpose(both("Movement on land", "Movimento a terra"), "move/{Armies*}", "")
COUNTER_MARCH = ROLLS.purpose(both("Counter-marches", "Contromarce"), "counter-march/{Armies*}")


def _on_map(land: Country, here: str, there: str) -> None:
    """WAR-201, 202: the next square is on the map and touches the one before."""
    if there not in land.nodes:
        raise Refused("no_such_place", "path", word=there, near=nearest(there, land.nodes.keys()))
    if not land.map.touch(here, there):
        raise Refused("WAR-202", "path", a=here, b=there)


def path_of_march(army: Army, request: Request) -> list[str]:
    """The squares of a path on land, the Force's own at its beginning left out."""
    return request.path[request.path[:1] == [army.node]:]


def _land_step(land: Country, army: Army, here: str, there: str) -> None:
    _on_map(land, here, there)
    if land.map.water(there):
        raise Refused("WAR-203", "path", node=there)
    if land.map.is_cornered(here, there):
        raise Refused("WAR-208", "path", a=here, b=there)
    # a refusal must not tell of Forces that the faction does not see
    known = [other for other in land.at(there) if may_know(land, army.faction, other)]
    peace = next((other for other in known if land.state(other.faction, army.faction) == "peace"), None)
    if peace is not None:
        raise Refused("WAR-212", "path", node=there, faction=peace.faction)
    if army.reaction == "routed" and any(land.hostile(other.faction, army.faction) for other in known):
        raise Refused("WAR-210", "path", army=army.army, node=there)


def _asks_for_order(land: Country, army: Army) -> bool:
    """Whether its club asks for a new order of a Force this turn."""
    rows = land.campaign.table(Order).of_turn(land.game.turn, lambda row: row.faction == army.faction)
    written = (read_row(land.game.orders, land.campaign, row, reads=land.game.reads) for row in rows)
    return any(request.verb == "order" and code_in(land, request, Army, "army") == army.army for request in written)


def can_move(land: MovementBoard, request: Request) -> bool:
    """Whether a Force that is to move can, or may until then have another order."""
    return land.game.ahead or not why_not_move(land, land.armies[str(request.more["army"])])


@order("move", "muovi", when=("move",), army=ARMY, path=Path(record=Node, with_start=False, quotes=True), note=NOTE,
       offered=can_move,
       shown=("{army} move {path}", "{army} muovi {path}"),
       help=both("March square by square, as far as the die says.",
                 "Marcia di quadrato in quadrato, fin dove dice il dado."))
def order_march(land: Country, request: Request) -> None:
    """WAR-201 to 213, in the book's order."""
    army = own_force(land, request)
    if army.aboard:
        raise Refused("WAR-207", "army", army=army.army, boat=army.aboard)
    path = path_of_march(army, request)
    if len(path) < len(request.path):
        request.find(land, "WAR-204", "path")
        if not path:
            raise Refused("missing", "path", verb=request.verb, column="path")
    way = [army.node, *path]
    for place, there in enumerate(path, 1):
        _land_step(land, army, way[place - 1], there)
        if there in way[:place]:
            request.find(land, "WAR-209", "path", node=there)
    counted = path[:MarchNumbers.of(land).max_land]
    if len(path) > len(counted):
        request.find(land, "WAR-205", "path", n=len(path))
    # with another order, which it asks for, it may well move
    if land.order(army) == "defend" and not _asks_for_order(land, army):
        request.find(land, "WAR-206", "army", army=army.army)
    # of the ground: wilds that cost figures, and fords that the weather may close
    entered = counted[-1:] if CrossingNumbers.of(land).crossing_per == "turn" else counted
    wild = next((node for node in entered if who_cross(land, army, node)), "")
    if wild:
        request.find(land, "WAR-211", "path", terrain=wilds(land, wild)[0])
    ford = next((node for node in counted if land.map.river(node) and not land.bridge(node)), "")
    if ford and WeatherNumbers.of(land).phase0 != "off" and WeatherNumbers.of(land).weather_closes_fords == "on":
        request.find(land, "WAR-213", "path", node=ford)


@order("contact", "contatto", when=("move",), army=ARMY, stance=Option(STANCES, STANCES_ALSO, quotes=True),
       to=Called((Node,), blank=True), note=NOTE,
       shown=("{army} contact {stance}[ to {to}]",
            "{army} contatto {stance}[ in {to}]"),
       help=both("What a Force does when it is attacked, until it is changed: fight, counter march (step back without "
                 "a battle, if its test succeeds), or ask you then.",
                 "Di' che cosa fa una Forza se viene attaccata, finché non lo cambi: combatti, contromarcia (arretra "
                 "senza battaglia, se il test riesce), o chiedi sul momento."))
def on_contact(land: Country, request: Request) -> None:
    """WAR-320 to 322."""
    army, to = own_force(land, request), str(request.more["to"])
    check_option(request, "stance", STANCES, "WAR-320")
    if to and not land.map.land_step(army.node, to):
        request.find(land, "WAR-321", "to", to=to, here=army.node)
    if request.more["stance"] != "fight" and MarchNumbers.of(land).counter_march == "off":
        request.find(land, "WAR-322", "stance", army=army.army)


# The board of phase 2: who has moved, who is in contact, who came when.


class MovementBoard(Country):
    """The board of phase 2, with what holds only while it is played.

    `requests`: the rows that count; `sequence`: the factions in the order of initiative; `moved`: Forces that have
    left their square; `tried`: those that have tried a counter-march; `contacts`: square -> Forces in contact there,
    `attackers`: and the factions that made it, the first one first; `arrived`: Force -> the number of its
    arrival, counted over all Forces.
    """

    requests: list[Request] = fresh(list)
    sequence: list[str] = fresh(list)
    moved: set[str] = fresh(set)
    tried: set[str] = fresh(set)
    contacts: dict[str, list[str]] = fresh(dict)
    attackers: dict[str, list[str]] = fresh(dict)
    arrived: dict[str, int] = fresh(dict)
    _steps = 0

    def enter(self, army: Army, node: str) -> None:
        """A Force enters a square: it counts among the arrivals."""
        self._steps += 1
        self.arrived[army.army] = self._steps
        self.moved.add(army.army)
        army.node = node

    def in_contact(self, army: Army) -> bool:
        """Whether a Force is in contact this phase."""
        return army.army in self.contacts.get(army.node, ())

    def third_party(self, army: Army, node: str) -> bool:
        """Whether two Forces that are hostile to each other stand in a square, and the mover is hostile to both or to
        neither.
        """
        there = self.at(node)
        return any(self.hostile(a.faction, b.faction)
                   and self.hostile(a.faction, army.faction) == self.hostile(b.faction, army.faction)
                   for a in there for b in there)


# Standing instructions and initiative (2 movement).


def write_standing_orders(land: MovementBoard) -> None:
    """Write rows `contact` to their Forces."""
    for request in land.requests:
        if request.verb == "contact":
            army = land.armies[str(request.more["army"])]
            to = str(request.more["to"])
            army.on_contact = str(request.more["stance"])
            # who stands in the square now does not matter: whether it is free is asked when the Force is attacked
            army.retreat_to = to if land.map.land_step(army.node, to) else ""
            land.tell("instructed", army=army.army, stance=army.on_contact, to=army.retreat_to)


# Meeting hostile Forces: collapse, counter-march, contact (2 movement).


def collapse(land: MovementBoard, army: Army, by: str) -> None:
    """Remove a routed Force that is contacted; by switch that is a reason for a test of the will."""
    land.owe_for_force(army)
    land.remove_force(army, "lost", "collapsed", "2 movement", why="collapsed", by=by)


def meet_enemies(land: MovementBoard, mover: Army, node: str) -> None:
    """A Force enters a square with hostile ones, who collapse, counter-march or stay, in order of id."""
    stayed: list[Army] = []
    for foe in land.foes_at(node, mover.faction):
        if foe.reaction == "routed":
            collapse(land, foe, mover.army)
        elif not _counter_marches(land, foe, mover, node):
            stayed.append(foe)
    # only now: for those who stepped back it still stood where it came from
    land.enter(mover, node)
    if not stayed:
        return
    friends = [army.army for army in land.at(node) if land.friendly(army.faction, mover.faction)]
    land.attackers.setdefault(node, []).append(mover.faction)
    there = land.contacts.setdefault(node, [])
    there += [friend for friend in [*(foe.army for foe in stayed), *friends] if friend not in there]
    land.tell("contact", node=node, attacker=mover.army, defenders=[foe.army for foe in stayed])


def _counter_marches(land: MovementBoard, foe: Army, mover: Army, node: str) -> bool:
    """Let an attacked Force try to step back, once, with a die and its V.C.; return whether it did."""
    rules = MarchNumbers.of(land)
    if (rules.counter_march == "off" or land.order(foe) == "defend" or foe.aboard or land.in_contact(foe)
            or foe.army in land.tried or foe.on_contact == "fight"):
        return False
    ways = [square for square in land.legal_squares(foe, boats=False) if square != mover.node]
    ask = Ask("counter-march", foe.faction, foe.army, ("yes", "no"), "no",
              {"attacker": mover.army, "army": foe.army, "node": node})
    if not ways or (foe.on_contact != "counter_march" and land.game.choose(ask) != "yes"):
        return False
    land.tried.add(foe.army)
    dice = land.score(COUNTER_MARCH(foe.army), {
        "V.C.": land.vc(foe), "unsteady": rules.counter_march_unsteady if foe.reaction == "unsteady" else 0},
        land.own(foe.faction))
    shown, passed = needing(dice, rules.counter_march_tn), dice.at_least(rules.counter_march_tn)
    if not passed:
        land.tell("counter_march_failed", army=foe.army, roll=shown, node=node, total=dice)
    else:
        to = foe.retreat_to if foe.retreat_to in ways else land.default_place(foe, ways)
        land.enter(foe, to)
        land.went("counter_marched", foe, node, roll=shown, to=to, total=dice)
    return passed


def gave_way_to(land: Country, faction: str, seen: Event) -> str:
    """The own Force before which another was seen to step back; "" for none, and where that had marched itself."""
    told = [event for event in land.campaign.table(Event) if (event.turn, event.phase) == (seen.turn, seen.phase)]
    order = next((list(event.data["sequence"]) for event in told if event.event == "initiative"), [])
    foe = land.faction_of(str(seen.data["army"]))
    if not {faction, foe} <= {*order} or order.index(foe) < order.index(faction):
        return ""
    came = (event for event in told if event.event == "moved" and event.no > seen.no and [
        seen.data["node"]] == codes_in(event.data["path"])[-1:])
    return next((army for event in came if land.faction_of(army := str(event.data["army"])) == faction), "")


ONE_LINE = ("desert", "waste")
"""Terrains that share a line of the list of modifiers, and the row of heat: together they count once."""


# A move on land, square by square (2 movement).


def tell_refused(land: MovementBoard, army: Army, why: str, rule: str = "2 movement") -> None:
    """Tell that a row comes to nothing, without a die."""
    land.tell("move_refused", rule=rule, army=army.army, node=army.node, why=why)


def why_not_move(land: MovementBoard, army: Army) -> str:
    """Why a Force cannot move at all; "" if it can."""
    if not army.active:
        return "gone"
    if land.order(army) == "defend":
        return "defend"
    if land.in_contact(army):
        return "in contact"
    return "counter-marched" if army.army in land.tried else ""


def march(land: MovementBoard, request: Request, army: Army) -> None:
    """March: throw the die, then follow the path as far as it reaches and nothing stops the Force."""
    rules, start = MarchNumbers.of(land), army.node
    path = path_of_march(army, request)[:rules.max_land]
    # only the square where it starts counts, whatever ground it crosses (2 movement)
    adds = land.modifiers(MARCH_TABLE, Leaving(land, army.node, army.faction, army, path))
    dice = land.score(MOVE(army.army, dice=rules.move_die), adds, land.own(army.faction))
    army.guides = 0
    squares = RangeTable.rising("movement", (-99, "0"), (rules.mv_1, "1"), (rules.mv_2, "2"), (rules.mv_3, "3"))
    allowance, shown = int(dice.row(squares)), needing(dice, rules.mv_1)
    if not allowance:
        tell_too_slow(land, army, shown)
        return
    done, why = _walk(land, army, path, allowance)
    if done:
        land.went("moved", army, start, roll=shown, path=done, allowance=allowance, total=dice)
    if why:
        tell_cut_short(land, army, shown, done, why)
    cross_after_move(land, army, done)


def tell_too_slow(land: MovementBoard, army: Army, dice: Score, rule: str = "") -> None:
    """Tell that the die was too low."""
    land.tell("move_none", rule=rule, army=army.army, roll=dice, node=army.node, why="too slow", total=dice)


def tell_cut_short(land: MovementBoard, army: Army, dice: Score, done: list[str], why: str, rule: str = "") -> None:
    """Tell that something stopped a Force; with the die, unless another event has told it."""
    land.tell("move_cut", rule=rule, army=army.army, roll=None if done else dice, at=army.node, why=why)


@dataclass(frozen=True)
class Leaving(Standing):
    """A Force at the square in which its march starts. `path`: the squares that it wants to enter."""

    path: Sequence[str]

    @property
    def terrains(self) -> list[Terrain]:
        """The terrains that count: the worse of two by the switch terrain_stack, or if they share a line."""
        land = self.land
        ground = [land.map.terrain(terrain) for terrain in land.nodes[self.node].terrains]
        # the book has desert and waste in one line: they count once
        one = MarchNumbers.of(land).terrain_stack == "worst" or {row.terrain for row in ground} <= set(ONE_LINE)
        return [min(ground, key=lambda row: row.land_mod)] if ground and one else ground

    @property
    def by_road(self) -> bool:
        """Whether a road helps: one that touches the start or, by the switch road_bonus, that the first step follows.
        """
        if MarchNumbers.of(self.land).road_bonus == "start":
            return self.land.on_road(self.node)
        return bool(self.path) and self.land.on_road(self.node, self.path[0])

    @property
    def weather(self) -> int:
        """What the weather adds; heat counts twice in desert and waste."""
        weather = weather_of(self.land, self.node)
        twice = weather.weather == "heat" and set(ONE_LINE) & set(self.land.nodes[self.node].terrains)
        return 2 * weather.land_mod if twice else weather.land_mod


SLOW = ("unsteady", "routed")
ANY_MOVE: tuple[Modifier[Any], ...] = (
    *by_territory("mv_friendly", "mv_enemy"),
    Modifier(lambda force: force.army.reaction, lambda force: force.army.reaction in SLOW, "mv_reaction"),
    Modifier(both.word("forced march", "marce forzate"), lambda force: force.land.order(force.army) == "march",
             "mv_march"),
    Modifier(both.word("guides", "guide"), lambda force: force.army.guides),
)
"""The modifiers of any die of movement, of a `Standing` Force."""
MARCH_TABLE: tuple[Modifier[Leaving], ...] = (
    *by_terrain("land_mod"),
    Modifier("river", lambda march: march.land.map.river(march.node), "mv_river"),
    Modifier(both.word("marsh", "palude"), lambda march: march.land.nodes[march.node].marsh, "mv_marsh"),
    Modifier("road", lambda march: march.by_road, "mv_road"),
    *ANY_MOVE,
    Modifier(lambda march: weather_of(march.land, march.node).weather, lambda march: march.weather),
)
"""The modifiers of a march, from the square in which it starts."""


def _walk(land: MovementBoard, army: Army, path: list[str], allowance: int) -> tuple[list[str], str]:
    """Walk the path; the squares entered, and what stopped the Force early."""
    done: list[str] = []
    reach = path[:allowance]
    for place, there in enumerate(reach):
        why = _why_stopped(land, army, there)
        if why:
            return done, why
        if land.foes_at(there, army.faction):
            meet_enemies(land, army, there)
            return [*done, there], ""
        land.enter(army, there)
        done.append(there)
        zone = land.in_zone(there, army.faction) if MarchNumbers.of(land).zoc != "off" else []
        ahead = path[place + 1] if place + 1 < len(path) else ""
        if zone and not (MarchNumbers.of(land).zoc == "through" and ahead in {other.node for other in zone}):
            return done, "zone of control" if place + 1 < len(reach) else ""
    return done, ""


def _why_stopped(land: MovementBoard, army: Army, there: str) -> str:
    """Why a Force stops before a square, in the book's order; "" if it does not."""
    # the weather of the square that is entered, not of the start
    closed = weather_of(land, there).fords_closed and WeatherNumbers.of(land).weather_closes_fords == "on"
    if closed and land.map.river(there) and not land.bridge(there):
        return "ford closed"
    if any(land.state(other.faction, army.faction) == "peace" for other in land.at(there)):
        return "peace"
    foes = land.foes_at(there, army.faction)
    if foes and army.reaction == "routed":
        return "routed"
    return "third party" if land.third_party(army, there) else ""


# Crossing jungle, desert and waste (2 crossing).


class CrossingNumbers(Rules):
    """What jungle, desert and waste cost."""

    crossing_die: str = book.dice_choice("Losses of a crossing are {option}, less what follows, for each Unit.",
                                         "Le perdite di una traversata sono {option}, meno quanto segue, per ogni "
                                         "Unità.")
    crossing_minus: int = book.number(2, both("die", "dado"), "From the die of a crossing {n} is taken.",
                                      "Dal dado di una traversata si toglie {n}.")
    crossing_pct: int = book.number(25, both("%", "%"),
                                    "A Unit that has lost more than {n}% in a crossing is tested for deserters.",
                                    "Un'Unità che ha perso più del {n}% in una traversata fa il test dei disertori.")
    crossing_per: Literal["square", "move", "turn"] = book.switch(
        "Losses of a crossing come {option}.", "Le perdite di una traversata arrivano {option}.",
        ("with each wild square", "per ogni quadrato selvaggio"), ("once a move", "una volta per mossa"),
        ("once for who begins the turn there", "una volta per chi vi comincia il turno"))
    crossing_base: Literal["start", "current"] = book.switch(
        "The share that a crossing has cost is that of {option}.",
        "La quota costata da una traversata è quella {option}.",
        ("the figures at the start", "delle miniature all'inizio"),
        ("the figures before the loss", "delle miniature prima della perdita"))
    crossing_count: Literal["crossing", "turn", "all"] = book.switch(
        "Of losses count {option}.", "Delle perdite contano {option}.",
        ("those of this crossing", "quelle di questa traversata"), ("those of this turn", "quelle di questo turno"),
        ("all missing figures", "tutte le miniature mancanti"))
    crossing_shelter: Literal["on", "off"] = book.switch(
        "In a wild square places {option}.", "In un quadrato selvaggio i luoghi {option}.",
        ("give shelter", "danno riparo"), ("give no shelter", "non danno riparo"))
    natives_exempt: Literal["off", "on"] = book.switch(
        "In their own wilds natives {option}.", "Nelle proprie terre selvagge i nativi {option}.",
        ("lose figures, too", "perdono anch'essi miniature"), ("are spared", "sono risparmiati"), usual=True)
    crossing_territory: Literal["on", "off"] = book.switch("For who falls in a crossing territory {option}.",
                                                           "Per chi cade in una traversata il territorio {option}.",
                                                           ("counts", "conta"), ("does not count", "non conta"))


CROSSING_CHAPTER = Chapter(
    both("Crossing", "Attraversamento"), (Citation("crossing", "crossing", "attraversamento", "Crossing"),),
    CrossingNumbers, rests_on="2 crossing", events=(
    book.event("out_of_wilds", "supply", 7, "{army} {army?is|are} out of the wilds.",
               "{army:il} {army?è|sono} fuori dalle terre selvagge.", to="army"),
    book.event("crossing_losses", "supply", 2,
               "{unit}: {lost} lost in {terrain}, {dead} dead, {wounded} wounded. {roll}",
               "{unit}: {lost} perse ({terrain}), morte {dead}, ferite {wounded}. {roll}",
               variants=(both("lost", "perdute"), {
                   "0": ("{unit} {unit?loses|lose} nobody in {terrain}. {roll}",
                         "{unit:il} non {unit?perde|perdono} nessuno ({terrain}). {roll}")}), to="army", lost="lost"),
))

CROSSING = ROLLS.purpose(both("Losses in the wilds", "Perdite nelle terre selvagge"), "crossing/{Units*}/{n}", "")


def wilds(land: Country, node: str) -> list[str]:
    """The wild terrains of a square that cost figures; none if a place gives shelter."""
    row = land.nodes.get(node)
    if row is None or (row.place != "none" and CrossingNumbers.of(land).crossing_shelter == "on"):
        return []
    return [terrain for terrain in row.terrains if land.map.terrain(terrain).crossing]


def who_cross(land: Country, army: Army, node: str) -> list[Unit]:
    """The Units of a Force that may lose figures in a square: none in its shelter, and by switch no natives."""
    wild, spared = wilds(land, node), CrossingNumbers.of(land).natives_exempt == "on"
    return [unit for unit in land.units_of(army.army)
            if wild and unit.figures and not (spared and unit.native_of in wild)]


def reset_crossing_losses(land: MovementBoard) -> None:
    """Reset the count of crossing losses of Forces that are out of the wilds."""
    for army in land.active():
        # losses of one crossing add up over squares and turns, until a phase begins outside the wilds
        if army.ashore and not wilds(land, army.node):
            units = [unit for unit in land.units_of(army.army) if unit.crossing_lost]
            for unit in units:
                unit.crossing_lost = 0
            if units:
                land.tell("out_of_wilds", army=army.army)


def cross_at_start(land: MovementBoard) -> None:
    """With crossing_per = turn: test each Force that begins the phase in a wild square."""
    if CrossingNumbers.of(land).crossing_count == "turn":
        for unit in land.units:
            unit.crossing_lost = 0
    if CrossingNumbers.of(land).crossing_per == "turn":
        for army in land.active():
            if army.ashore:
                _cross_square(land, army, army.node, 1)


def cross_after_move(land: MovementBoard, army: Army, entered: list[str]) -> None:
    """Test the wild squares that a Force has entered, one after the other; by switch only the last."""
    per, wild = CrossingNumbers.of(land).crossing_per, [node for node in entered if wilds(land, node)]
    for n, node in enumerate({"square": wild, "move": wild[-1:], "turn": []}[per], 1):
        if army.active:
            _cross_square(land, army, node, n)


def _cross_square(land: MovementBoard, army: Army, node: str, n: int) -> None:
    crossing = who_cross(land, army, node)
    for unit in crossing:
        _cross_unit(land, army, unit, node, n)
    if crossing:  # a commander alone has nobody to lose
        land.remove_if_empty(army, "2 crossing")


def _cross_unit(land: MovementBoard, army: Army, unit: Unit, node: str, n: int) -> None:
    """The losses of a Unit, some only wounded; above a share of them the others are tested for desertion."""
    rules, before, start = CrossingNumbers.of(land), unit.figures, unit.full
    die = land.score(CROSSING(unit.unit, n, dice=rules.crossing_die), {"crossing": -rules.crossing_minus},
                     land.own(army.faction))
    lost = min(max(0, die.total), unit.figures)
    hurt, dice = test_wounded(land, army.faction, node if rules.crossing_territory == "on" else "",
                              [WOUNDED_CROSSING(unit.unit, n, i) for i in range(1, lost + 1)])
    unit.figures -= lost
    unit.crossing_lost += lost
    wound_figures(land, unit, hurt)
    land.tell("crossing_losses", army=army.army, roll=[die, *dice], unit=unit.unit, node=node,
              terrain=" ".join(wilds(land, node)), lost=lost, dead=lost - hurt, wounded=hurt)
    base = start if rules.crossing_base == "start" else before
    counted = start - unit.figures if rules.crossing_count == "all" else unit.crossing_lost
    # exactly that share is not more: nobody is tested
    if lost and unit.figures and 100 * counted > rules.crossing_pct * base:
        desert(land, unit, unit.figures, QUALITY_CROSSING, DESERTER_CROSSING, unit.unit, n)
