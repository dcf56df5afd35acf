"""Reinforcements and random events: phases 7 and 8 (7, 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, REFEREE
from assistant.campaign.tables import natural
from assistant.rulesets.warriors import ROLLS, VOCABULARY, WHY, book, both
from assistant.rulesets.warriors.aftermath import DESERTER_EVENT, QUALITY_EVENT, desert, place_falls
from assistant.rulesets.warriors.land import FRIENDLY, Country, TimeNumbers, month_begins, question_type, who_see
from assistant.rulesets.warriors.orders import (
    ARMY,
    NOTE,
    PLACE,
    Called,
    check_option,
    code_in,
    own_force,
    place_in_file,
    take_rows,
    whole_amount,
)
from assistant.rulesets.warriors.records import (
    NEW_ORDERS,
    NEW_ORDERS_ALSO,
    Army,
    Faction,
    Node,
    Order,
    RandomEvent,
    Unit,
    UnitType,
)
from assistant.turn import questions
from assistant.turn.chapters import Chapter, Citation, Rules
from assistant.turn.dice import Roll
from assistant.turn.event_types import EACH_TIME
from assistant.turn.game import Chest, Spent, free_code, free_name, fresh
from assistant.turn.orders.columns import Amount, Note, Option
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import refuse
from assistant.turn.orders.verbs import Cost, order
from assistant.turn.orders.words import codes_by_name, fold
from assistant.turn.questions import Ask
from assistant.turn.rulings import draw_one

# Phase 7: the wounded return, places give points, clubs buy with them (7).


class MusterNumbers(Rules):
    """What places give, and what it buys."""

    muster_capital: int = book.number(100, "points", "A capital gives {n} {n?point|points} a month.",
                                      "Una capitale dà {n} {n?punto|punti} al mese.", "ASSUMED", usual=True)
    muster_stronghold: int = book.number(50, "points", "A stronghold gives {n} {n?point|points} a month.",
                                         "Un caposaldo dà {n} {n?punto|punti} al mese.", "ASSUMED", usual=True)
    muster_captured: int = book.number(0, both("%", "%"), "A place of others gives {n}% of that.",
                                       "Un luogo altrui ne dà solo una parte: {n}%.", "ASSUMED")
    commander_cost: int = book.number(20, "points", "A commander costs {n} {n?point|points} for each point of V.C.",
                                      "Un condottiero costa {n} {n?punto|punti} per ogni punto di V.C.", "ASSUMED")
    muster_vc_max: int = book.number(2, both("V.C.", "V.C."), "At most V.C. {n} can be bought.",
                                     "Si compra al massimo V.C. {n}.", "ASSUMED", 1)
    unit_min: int = book.number(5, both("figures", "miniature"), "A new Unit has {n} {n?figure|figures} at least.",
                                "Una nuova Unità ha almeno {n} {n?miniatura|miniature}.", "ASSUMED", 1)
    army_points: int = book.number(0, "points",
                                   "An Army begins with at most {n} {n?point|points} of figures and commanders; with 0 "
                                   "as many as it likes.",
                                   "Un'Armata comincia con al più {n} {n?punto|punti} di miniature e condottieri; con "
                                   "0 con quanti ne vuole.", "ASSUMED", setup=True)
    phase7: Literal["table", "ask"] = book.switch("The points of a place {option}.", "I punti di un luogo {option}.",
                                                  ("are fixed", "sono fissi"),
                                                  ("are said by the referee", "li dice l'arbitro"), setup=True)
    hidden_forces: Literal["number", "square"] = book.switch(
        "Where Forces are seen near one's own only, a new Force is called by {option}.",
        "Se le Forze altrui si vedono solo vicino alle proprie, una Forza nuova prende il nome {option}.",
        ("the next number", "dal numero seguente"), ("its turn and square", "dal suo turno e dal suo quadrato"),
        begins="square", usual=True)


CHAPTER = Chapter(
    both("7 Reinforcements", "7 Rinforzi"), (Citation("7", "phase 7", "fase 7", "7 Reinforcements"),), MusterNumbers,
    events=(
    book.event("wounded_back", "supply", 3, "{unit}: {count} wounded {count?figure is|figures are} back.",
               "{unit}: {count} {count?ferito torna|feriti tornano} in forza.", to="army"),
    book.event("force_back", "supply", 1, "{army} of {faction:the} is back at {node:the}.",
               "{army} {faction:di} è tornata {node:dove}.", to=who_see("faction")),
    book.event("commander_back", "supply", 2, "{commander} commands {army} again.",
               "{commander} comanda di nuovo {army:il}.",
               variants=("commander", {
                   "": ("{army:the} {army?has|have} a commander again.",
                        "{army:il} {army?ha|hanno} di nuovo un condottiero.")}), means={"commander": "text"},
               to="army"),
    book.event("muster_points", "money", 4, "{node:the}: +{points}, store {store}.",
               "{node}: +{points}, scorta {store}.", to="node"),
    book.event("muster_blocked", "money", 2,
               "{node:the} gives nothing: it is watched, an enemy Force stands in it or beside it.",
               "{node:il} non {node?dà|danno} nulla: è sorvegliat{node?o|a|i|e}, una Forza nemica è lì o accanto.",
               to="node"),
    book.event("raised", "money", 3,
               "{unit}: {figures} {figures?figure|figures} for {cost} {cost?point|points} in {army}.",
               "{unit}: {figures} {figures?miniatura|miniature} per {army:il}, {cost} {cost?punto|punti}.", to="army"),
    book.event("refilled", "money", 3,
               "{unit}: {figures} {figures?more figure|more figures} for {cost} {cost?point|points}.",
               "{unit}: {figures} {figures?miniatura|miniature} in più per {cost} {cost?punto|punti}.", to="army"),
    book.event("founded", "money", 2, "{army} is founded at {node:the} for {cost} {cost?point|points}.",
               "{army:il} {army?è fondato|è fondata|sono fondati|sono fondate} {node:dove} per {cost} "
               "{cost?punto|punti}.", to="army"),
    book.event("new_force", "moves", 3, "A new Force of {faction:the} at {node:the}: {army}.",
               "Una nuova Forza {faction:di} {node:dove}: {army}.",
               to=lambda land, data: land.others(data["node"], data["faction"])),
    book.event("muster_refused", "money", 2, "{node:the}: purchase {seq} comes to nothing: {why}.",
               "{node}: l'acquisto {seq} non riesce: {why}.", means=WHY, to=EACH_TIME),
), findings=(
    book.error("WAR-401", "{place:the} is not a stronghold or capital that you hold.",
               "{place:il} non è un caposaldo o una capitale che tieni."),
    book.error("WAR-402", "'{type}' is not on your people's price list.", "'{type}' non è nel listino del tuo popolo.",
               certain=True),
    book.error("WAR-403", "Costs {cost}; the store of {place:the} will have {left} left after your earlier rows.",
               "Costa {cost}; la scorta {place:di} ne avrà ancora {left} dopo le righe precedenti.",
               variants=("earlier", {"none": ("Costs {cost}; the store of {place:the} has {left}.",
                                              "Costa {cost}; la scorta {place:di} ne ha {left}.")})),
    book.warning("WAR-406", "{unit} would pass its starting strength {n}, wounded included: it gets nobody.",
                 "{unit} supererebbe la forza iniziale {n}, feriti compresi: non riceve nessuno."),
    book.error("WAR-407", "V.C. {vc} cannot be bought; 1 to 2.", "V.C. {vc} non si compra: da 1 a 2.", certain=True),
    book.error("WAR-408", "A new Unit has at least 5 figures.", "Una nuova Unità ha almeno 5 miniature.", certain=True),
    book.error("WAR-409", "There is no Unit '{unit}'.", "L'Unità '{unit}' non esiste."),
), questions=(
    question_type("muster", "How many points does {node:the} give?", "Quanti punti dà {node}?", questions.Amount()),
))

both.words({
    "not held": "luogo non tenuto", "watched": "luogo sorvegliato", "force not here": "la Forza non è qui",
    "above strength": "supera la forza iniziale", "camp_fever": "febbre da campo", "bad_omen": "cattivo presagio",
    "road_cut": "strada interrotta", "desertion": "diserzioni", "spoiled_supply": "viveri guasti",
    "order_revealed": "ordine svelato", "levies": "leve", "hero": "eroe errante", "mercenaries": "mercenari",
    "open_gates": "porte aperte", "muster": "rinforzi", "event": "evento",
})

MOST_POINTS = 9999
AFTER_TIME = ("muster", "events")
"""The phases of a turn after the week has moved on."""


def points_are_due(land: Country) -> bool:
    """Whether places give points in this turn's phase 7."""
    passed = land.desk.phase in AFTER_TIME and not land.game.ahead
    return month_begins(land, land.desk.week + (0 if passed else TimeNumbers.of(land).turn_weeks))


def points_of(land: Country, place: Node) -> int:
    """The points that a place gives its holder, a share of them if another founded it."""
    rules = MusterNumbers.of(land)
    points = rules.muster_capital if place.place == "capital" else rules.muster_stronghold
    return points if place.holder == place.founder else points * rules.muster_captured // 100


def points_coming(land: Country, place: Node) -> int:
    """The points that a place will give in this turn's phase 7, as things stand; what the referee answers, if asked."""
    if not points_are_due(land) or not land.plays(place.holder) or land.is_watched(place.node, place.holder):
        return 0
    ask = _points_question(land, place)
    asked = MusterNumbers.of(land).phase7 == "ask" and land.game.phase == "muster" and land.game.has_answer(ask)
    return land.game.amount(ask) if asked else points_of(land, place)


def _points_question(land: Country, place: Node) -> Ask:
    return Ask("muster", REFEREE, place.node, default=str(points_of(land, place)), asked={"node": place.node},
               answer=questions.Amount(0, MOST_POINTS))


def held_place(land: Country, node: str, faction: str) -> Node | None:
    """The stronghold or capital in a square, if the faction holds it; else None."""
    row = land.nodes.get(node)
    return row if row is not None and row.place != "none" and row.holder == faction else None


class OwnUnitCode(Called):
    """A Unit of one of the faction's Forces."""

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """The Units of own Forces."""
        own = {army.army for army in campaign.table(Army) if army.faction == faction}
        return (unit.unit for unit in campaign.table(Unit) if unit.army in own)


class OwnPeopleType(Called):
    """A type of the price list."""

    def fits(self, row: Any, faction: str) -> bool:
        """Any; whose people it is the deed asks."""
        return True

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """A type by its name, if no other type that its people may raise is called so."""
        types = campaign.table(UnitType)
        if (row := types.get(value)) is None:
            return value
        alike = [code for code in campaign.derive(codes_by_name, UnitType).get(fold(row.name_in(lang)), ())
                 if types[code].is_for(row.people) or row.is_for(types[code].people)]
        return row.name_in(lang).lower() if len(alike) == 1 else value

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Those of its people, then those for all."""
        row, types = campaign.table(Faction).get(faction), list(campaign.table(UnitType))
        return (priced.type for people in (row.people if row is not None else "", "any") for priced in types
                if priced.people == people)


def _place_of_purchase(land: Country, request: Request) -> Node:
    """The place of a purchase. Raises `Refused` (WAR-401)."""
    place = held_place(land, str(request.more["place"]), request.faction)
    if place is None:
        raise Refused("WAR-401", "place", place=request.more["place"])
    return place


def _is_to_be_founded(land: Country, request: Request) -> bool:
    """Whether the faction founds the Force of a row this turn."""
    name = (request.typed_text("army") or str(request.more["army"])).casefold()
    rows = land.campaign.table(Order).of_turn(land.game.turn, lambda row: row.faction == request.faction)
    return any(other.verb == "found" and str(other.more["name"]).casefold() == name
               for other in (read_row(land.game.orders, land.campaign, row, reads=land.game.reads) for row in rows))


def cost_of(land: Country, request: Request) -> int:
    """The cost of a purchase in points."""
    figures = request.more["figures"]
    count = figures if isinstance(figures, int) else 0
    if request.verb == "raise":
        return count * land.types[str(request.more["type"])].points
    if request.verb == "refill":
        return count * land.units[request.unit].points
    return int(request.more["vc"]) * MusterNumbers.of(land).commander_cost


def would_be_bought(land: MusterBoard, request: Request) -> bool:
    """Whether a purchase that is paid for would come to something as things stand."""
    return not _why_no_purchase(land, request, paid=True)


PRICE_OF_FIGURES = Cost(reckoned=cost_of, told=both("for each figure the points of its type, from the place's store",
                                                      "per ogni miniatura i punti del suo tipo, dalla scorta del "
                                                      "luogo"))


@order("raise", "arruola", when=("muster",), place=PLACE, type=OwnPeopleType((UnitType,), of_others=True),
       figures=Amount(usual=(10, 20, 5), counted=VOCABULARY.group("figures"), quotes=True), army=ARMY, note=NOTE,
       cost=PRICE_OF_FIGURES,
       offered=would_be_bought,
       shown=("raise {figures} {type} at {place} in {army}", "arruola {figures} {type} a {place} in {army}"),
       help=both("A new Unit for a Force in a place, or for one that is founded this turn.",
                 "Arruola una nuova Unità per una Forza che è in un luogo, o per una che fondi in questo turno."))
def raise_unit(land: Country, request: Request) -> None:
    """WAR-401, 012, 402, 408."""
    if str(request.more["army"]) in land.armies or not _is_to_be_founded(land, request):
        own_force(land, request)
    _place_of_purchase(land, request)
    figures = whole_amount(request, "figures")
    kind = land.types.get(code_in(land, request, UnitType, "type"))
    if kind is None or not kind.is_for(land.factions[request.faction].people):
        raise Refused("WAR-402", "type", type=request.typed_text("type") or request.more["type"])
    if figures < MusterNumbers.of(land).unit_min:
        raise Refused("WAR-408", "figures")


@order("refill", "rimpiazza", when=("muster",), place=PLACE, unit=OwnUnitCode((Unit,)),
       figures=Amount(usual=(1, 2, 3), counted=VOCABULARY.group("figures"), quotes=True), note=NOTE,
       cost=PRICE_OF_FIGURES,
       offered=would_be_bought,
       shown=("refill {unit} {figures} at {place}", "rimpiazza {unit} {figures} a {place}"),
       help=both("Figures for a Unit whose Force is in a place.",
                 "Aggiungi miniature a un'Unità la cui Forza è in un luogo."))
def refill_unit(land: Country, request: Request) -> None:
    """WAR-401, 012, 409, 003, 004, 406."""
    _place_of_purchase(land, request)
    figures = whole_amount(request, "figures")
    unit = land.units.get(code_in(land, request, Unit, "unit"))
    if unit is None:
        raise Refused("WAR-409", "unit", unit=request.unit)
    army = land.armies[unit.army]
    if army.faction != request.faction:
        raise Refused("not_yours", "unit", word=request.unit, owner=army.faction)
    if not army.active:
        raise Refused("WAR-004", "unit", army=army.army, status=army.status)
    if _is_overfull(land, unit, figures):
        request.find(land, "WAR-406", "figures", unit=unit.unit, n=unit.full)


def wounded_figures(land: Country, unit: str) -> int:
    """The wounded figures of a Unit that will come back."""
    return sum(row.count for row in land.wounded if row.unit == unit)


def _is_overfull(land: Country, unit: Unit, more: int) -> bool:
    """Whether more figures would pass a Unit's strength at the start, its wounded included."""
    return unit.figures + wounded_figures(land, unit.unit) + more > unit.full


@order("found", "fonda", when=("muster",), place=Called((Node,), quotes=False),
       name=Note(blank=False, like="New Levy", like_it="Nuova leva", unquoted=True),
       vc=Amount(usual=(1, 2, 3), counted=(), quotes=True),
       new_order=Option(NEW_ORDERS, NEW_ORDERS_ALSO, blank=True), note=NOTE,
       cost=Cost("commander_cost", told=both("for each point of V.C.", "per ogni punto di V.C."), reckoned=cost_of),
       offered=would_be_bought,
       shown=('found "{name}" at {place} vc {vc} {new_order}', 'fonda "{name}" a {place} vc {vc} {new_order}'),
       help=both("A new Force with its commander, paid from the store of the place.",
                 "Fonda una nuova Forza con il suo condottiero: paga la scorta del luogo."))
def found_force(land: Country, request: Request) -> None:
    """WAR-401, 012, 407, 101."""
    _place_of_purchase(land, request)
    vc = whole_amount(request, "vc")
    if vc > MusterNumbers.of(land).muster_vc_max:
        raise Refused("WAR-407", "vc", vc=vc)
    check_option(request, "new_order", NEW_ORDERS, "WAR-101", blank=True)


class MusterBoard(Country):
    """The board of phase 7, with the rows that count. `founded`: faction and name -> a Force of this turn."""

    requests: list[Request] = fresh(list)
    founded: dict[tuple[str, str], str] = fresh(dict)


# --- rows -----------------------------------------------------------------------------------------
def read_rows(land: MusterBoard) -> None:
    """Take the rows that the store of their place can pay, with this turn's income (WAR-403)."""
    land.requests = sorted(take_rows(land), key=_in_turn)
    left: dict[str, int] = {}
    for request in land.requests:
        place, cost = land.nodes[str(request.more["place"])], cost_of(land, request)
        whole = place.store + points_coming(land, place)
        purse = left.setdefault(place.node, whole)
        if cost > purse:
            earlier = {"earlier": "none"} if purse == whole else {}
            refuse(land, request, Refused("WAR-403", "place", cost=cost, place=place.node, left=purse, **earlier))
        else:
            left[place.node] -= cost
    land.requests = [request for request in land.requests if request.row.status == "accepted"]


POINTS_OF_A_STORE = both("{n?point|points} from its store", "{n?punto|punti} dalla sua scorta")
POINTS_WITH_INCOME = both("{n?point|points} from its store and what it gives this turn",
                          "{n?punto|punti} dalla sua scorta e da ciò che dà in questo turno")


def chests(land: MusterBoard, faction: str) -> list[Chest]:
    """The store of each place of a faction, with this turn's points, and what it pays for (WAR-403)."""
    people = land.factions[faction].people
    stores = []
    for place in land.places(faction):
        here = ("place", place.node)
        uses = (*(Spent("raise", kind.points, "figures", (here, ("type", kind.type))) for kind in land.types
                  if kind.points and kind.is_for(people)),
                *(Spent("refill", unit.points, "figures", (here, ("unit", unit.unit))) for unit in land.units
                  if unit.points and land.armies[unit.army].faction == faction),
                Spent("found", MusterNumbers.of(land).commander_cost, "vc", (here,)))
        coming = points_coming(land, place)
        stores.append(Chest(place.store + coming, POINTS_WITH_INCOME if coming else POINTS_OF_A_STORE, uses,
                            place.node))
    return stores


def _in_turn(request: Request) -> tuple[object, ...]:
    """Sort key: by faction and number, then by verb, place, and type or Unit."""
    return (natural(request.faction), *place_in_file(request), request.verb, natural(str(request.more["place"])),
            str(request.more["type"]), natural(request.unit))


# --- the wounded ----------------------------------------------------------------------------------
def return_wounded(land: Country) -> None:
    """Return the wounded whose turn has come, and broken Forces with them; then commanders."""
    for row in land.wounded.where(lambda wounded: wounded.due <= land.turn):
        unit = land.units[row.unit]
        army = land.armies[unit.army]
        if army.status == "broken":
            _force_back(land, army)
        if army.active and army.reaction != "routed" and not land.foes_at(army.node, army.faction):
            unit.figures += row.count
            land.wounded.remove(row.ident)
            land.tell("wounded_back", unit=unit.unit, army=army.army, count=row.count)
    for army in land.armies:
        if army.left and army.commander_state == "wounded" and army.commander_back <= land.turn:
            army.commander_state, army.commander_back = "present", 0
            land.tell("commander_back", army=army.army, **army.commander_data)


def _force_back(land: Country, army: Army) -> None:
    """Put a broken Force back on the map, on defend, in the first own place without enemies, capitals first."""
    places = sorted((place for place in land.places(army.faction) if not land.foes_at(place.node, army.faction)),
                    key=lambda place: (place.place != "capital", natural(place.node)))
    if places:
        army.status, army.node, army.order, army.reaction = "active", places[0].node, "defend", "none"
        land.tell("force_back", army=army.army, node=army.node, faction=army.faction)
        land.choose_new_chief(army.faction)  # who fell while nobody else was on the map has no heir yet


# --- points ---------------------------------------------------------------------------------------
def give_points(land: Country) -> None:
    """At the beginning of a month each place gives its holder points, unless it is watched."""
    if not points_are_due(land):
        return
    places = [place for place in land.places() if land.plays(place.holder)]
    given = {place.node: points_of(land, place) for place in places}
    if MusterNumbers.of(land).phase7 == "ask":
        asks = [_points_question(land, place) for place in places]
        given = dict(zip(given, land.game.amounts(asks), strict=True))
    for place in places:
        # the points of a watched place are lost, not kept for later
        if land.is_watched(place.node, place.holder):
            land.tell("muster_blocked", node=place.node)
        elif given[place.node]:
            place.store += given[place.node]
            land.tell("muster_points", node=place.node, points=given[place.node], store=place.store)


# --- purchases ------------------------------------------------------------------------------------
def carry_out_purchases(land: MusterBoard) -> None:
    """Buy row by row, as long as the store of the place lasts."""
    for request in land.requests:
        place = land.nodes[str(request.more["place"])]
        army, unit = _for_whom(land, request)
        why = _why_no_purchase(land, request)
        if why:
            land.tell("muster_refused", land.own(request.faction), node=place.node, why=why, seq=request.row.seq)
            continue
        place.store -= (cost := cost_of(land, request))
        if unit is not None:
            unit.figures += (figures := int(request.more["figures"]))
            land.tell("refilled", unit=unit.unit, army=unit.army, figures=figures, cost=cost)
        elif army is not None:
            _raise(land, request, place, army, cost)
        else:
            _found_named_force(land, request, place, cost)


def _for_whom(land: MusterBoard, request: Request) -> tuple[Army | None, Unit | None]:
    """The Force and the Unit of a purchase; a Force also by the name under which it was founded this turn."""
    if request.verb == "refill":
        unit = land.units[request.unit]
        return land.armies.get(unit.army), unit
    code = str(request.more["army"])
    code = land.founded.get((request.faction, code.casefold()), code)
    named = (army for army in land.armies if army.faction == request.faction
             and army.name.casefold() == code.casefold())
    return None if request.verb == "found" else land.armies.get(code) or next(named, None), None


def _why_no_purchase(land: MusterBoard, request: Request, *, paid: bool = False) -> str:
    """Why a purchase fails, in the book's order; "" if it does not. `paid`: whatever the store holds."""
    place, (army, unit) = land.nodes[str(request.more["place"])], _for_whom(land, request)
    if held_place(land, place.node, request.faction) is None:
        return "not held"
    if land.is_watched(place.node, request.faction):
        return "watched"
    if not paid and cost_of(land, request) > place.store:
        return "points"
    if request.verb != "found" and (army is None or not army.ashore or army.node != place.node):
        return "force not here"
    over = unit is not None and _is_overfull(land, unit, int(request.more["figures"]))
    return "above strength" if over else ""


def _raise(land: Country, request: Request, place: Node, army: Army, cost: int) -> None:
    kind, figures = land.types[str(request.more["type"])], int(request.more["figures"])
    unit = land.units.add(Unit(unit=land.next_unit(army.army), army=army.army, name=kind.name, name_it=kind.name_it,
                               quality=kind.quality, figures=figures, figures_start=figures, points=kind.points,
                               mounted=kind.mounted, mercenary=kind.mercenary, scouts=kind.scouts, wizard=kind.wizard))
    land.tell("raised", unit=unit.unit, army=army.army, node=place.node, figures=figures, cost=cost)


def _new_code(land: Country, faction: str, place: Node) -> str:
    """The letter of the faction's first Force, and the lowest number that none has ever had.

    If others may be hidden, a number would tell how many there are; then turn and place follow the letter.
    """
    own = [army.army for army in land.armies if army.faction == faction]
    letter = (own[0] if own else faction.upper())[:1]
    if land.rules.fog == "open" or MusterNumbers.of(land).hidden_forces == "number":
        return free_code(land.armies, f"{letter}{{}}")
    return free_name(land.armies, f"{letter}{land.turn}-{place.node}")


def _found_named_force(land: MusterBoard, request: Request, place: Node, cost: int) -> None:
    """Found a Force, with the name that the order gives it."""
    army = land.armies.add(Army(
        army=_new_code(land, request.faction, place), name=str(request.more["name"]), faction=request.faction,
        vc=int(request.more["vc"]), node=place.node, order=str(request.more["new_order"]) or "explore"))
    land.founded[request.faction, army.name.casefold()] = army.army
    if not any(force.chief for force in land.active(request.faction)):
        # a broken Force that comes back must not bring a second one
        for former in land.armies.where(lambda army: army.faction == request.faction and army.chief):
            former.chief = False
        army.chief = True
    land.tell("founded", army=army.army, node=place.node, cost=cost)
    land.tell("new_force", army=army.army, node=place.node, faction=request.faction)


# Phase 8: random events (8).


class RandomEventNumbers(Rules):
    """When random events come, and what they bring."""

    event_on: int = book.number(6, both("die", "dado"), "A random event comes on a {n}.",
                                "L'evento casuale arriva con un {n}.", "ASSUMED", 1, usual=True)
    event_turns: int = book.number(2, "turns", "A road or bridge stays cut for {n} more {n?turn|turns}.",
                                   "Una strada o un ponte restano interrotti per altri {n} {n?turno|turni}.", "ASSUMED")
    hero_turns: int = book.number(4, "turns", "A wandering hero stays {n} {n?turn|turns}.",
                                  "Un eroe errante resta {n} {n?turno|turni}.", "ASSUMED")
    hero_points: int = book.number(20, "points", "A wandering hero counts {n} {n?point|points}.",
                                   "Un eroe errante vale {n} {n?punto|punti}.", "ASSUMED")
    mercenary_points: int = book.number(50, "points", "Mercenaries for hire cost {n} {n?point|points}.",
                                        "I mercenari in vendita costano {n} {n?punto|punti}.", "ASSUMED")
    phase8: Literal["on", "off", "ask"] = book.switch(
        "Random events {option}.", "Gli eventi casuali {option}.", ("are thrown for", "si tirano"),
        ("are left out", "non si giocano"), ("are said by the referee", "li dice l'arbitro"), setup=True)


RANDOM_CHAPTER = Chapter(
    both("8 Random events", "8 Eventi casuali"), (Citation("8", "phase 8", "fase 8", "8 Random events"),),
    RandomEventNumbers, events=(
    book.event("fever", "supply", 2, "Camp fever: {unit} {unit?loses|lose} a figure. {roll}",
               "Febbre da campo: {unit:il} {unit?perde|perdono} una miniatura. {roll}", to="army"),
    book.event("omen", "news", 2, "A bad omen: the next Will test has -1.",
               "Un cattivo presagio: -1 al prossimo test della volontà.", to="faction"),
    book.event("cut", "works", 2, "The way between {a:the} and {b:the} is cut through turn {until}.",
               "La via fra {a:il} e {b:il} è interrotta fino al turno {until}.",
               variants=("b", {
                   "": ("The bridge at {a:the} is cut through turn {until}.",
                        "Il ponte {a:dove} è interrotto fino al turno {until}.")}),
               means={"a": "place", "b": "place", "road": "text"}, to=ALL),
    book.event("spoiled_supply", "supply", 2, "Spoiled supply: -1 on the next Force test of {army}.",
               "Viveri guasti: -1 al prossimo test {army:di}.", to="army"),
    book.event("revealed", "news", 1,
               "{army} at {node:the}: order {order}, reaction {reaction}, {figures} {figures?figure|figures}.",
               "{army} {node:dove}: ordine {order}, reazione {reaction}, {figures} {figures?miniatura|miniature}.",
               variants=("order", dict.fromkeys(("none", ""), (
                   "{army} at {node:the}: no order, reaction {reaction}, {figures} {figures?figure|figures}.",
                   "{army} {node:dove}: nessun ordine, reazione {reaction}, {figures} {figures?miniatura|miniature}.",
               ))),
               means={"to": "faction"}, to="to"),
    book.event("guides", "moves", 3, "{army} {army?has|have} guides: +1 on its next die of movement.",
               "{army:il} {army?ha|hanno} delle guide: +1 al prossimo dado di movimento.", to="army"),
    book.event("levies", "supply", 2, "{figures} {figures?levy joins|levies join} {army}. {roll}",
               "{figures} {figures?miniatura di leva si unisce|miniature di leva si uniscono} {army:a}. {roll}",
               to="army"),
    book.event("hero", "supply", 2, "A wandering hero joins {army} until turn {until}.",
               "Un eroe errante si unisce {army:a} fino al turno {until}.", to="army"),
    book.event("mercenaries", "money", 2,
               "{figures} {figures?mercenary joins|mercenaries join} {army} for {cost} {cost?point|points}.",
               "{figures} {figures?mercenario si unisce|mercenari si uniscono} {army:a} per {cost} {cost?punto|punti}.",
               to="army"),
    book.event("gates_open", "sieges", 3, "The gates of {node:the} are opened. {roll}",
               "Le porte {node:di} vengono aperte. {roll}", to=EACH_TIME),
    book.event("gates_shut", "sieges", 3, "The gates of {node:the} stay shut. {roll}",
               "Le porte {node:di} restano chiuse. {roll}", to=EACH_TIME),
    book.event("event_nothing", "news", 4, "A random event comes to nothing: {event}.",
               "Un evento casuale non ha effetto: {event}.", means={"event": "word"}, to="faction"),
), questions=(
    question_type("event", "Which random event befalls {faction:the}?", "Quale evento casuale tocca {faction:a}?"),
    question_type("levies", "Which Force do the levies join?", "A quale Forza si uniscono le leve?"),
    question_type("mercenaries",
                  "{figures} {figures?mercenary for|mercenaries for} {points} {points?point|points} of a place: for "
                  "which Force?",
                  "{figures} {figures?mercenario|mercenari} per {points} {points?punto|punti} di un luogo: per quale "
                  "Forza?"),
))

EVENT_COMES, NO_EVENT = both("an event comes", "arriva un evento"), both("no event comes", "non arriva nessun evento")
"""What the throw for a random event comes to."""
WHICH_EVENT = "{name}"

EVENT = ROLLS.purpose(both("Random events", "Eventi casuali"), "event/{Factions}")
EVENT_TABLE = ROLLS.purpose(both("Which random event", "Quale evento casuale"), "event-table/{Factions}", "2d6")
EVENT_PICK = ROLLS.purpose(both("Whom a random event befalls", "A chi tocca un evento casuale"),
                           "event-pick/{Factions}", "")
FEVER = ROLLS.purpose(both("Camp fever", "Febbre da campo"), "fever/{Units*}")
LEVIES = ROLLS.purpose(both("Levies", "Leve"), "levies/{Factions}")
GATES = ROLLS.purpose(both("Open gates", "Porte aperte"), "gates/{Factions}")


T = TypeVar("T")
LEVY_POINTS, TEST_SHARE, HIRED, FEVER_KILLS, GATES_OPEN = 2, 10, 10, 2, 5
NO = "no"


class RandomEventBoard(Country):
    """The board of phase 8. `wanted`: faction -> event; `chosen`: its club's answer."""

    wanted: dict[str, str] = fresh(dict)
    chosen: dict[str, str] = fresh(dict)


def events(land: RandomEventBoard) -> None:
    """Throw for all, ask all questions at once, then apply the events faction by faction."""
    _choose_events(land)
    # both questions are asked at once, before any event takes effect
    asks = [ask for faction, word in land.wanted.items() if (ask := _question(land, faction, word)) is not None]
    land.chosen = dict(zip([ask.about for ask in asks], land.game.choose_all(asks), strict=True))
    for faction, word in land.wanted.items():
        effect = EFFECTS.get(word)
        if land.chosen.get(faction) != NO and (effect is None or not effect(land, land.factions[faction])):
            land.game.tell("event_nothing", faction=faction, event=word)


def _choose_events(land: RandomEventBoard) -> None:
    """Choose the event of each faction: by dice, or with phase8 = ask as the referee says."""
    table = {row.roll: row.event for row in land.campaign.table(RandomEvent)}
    players = [row.faction for row in land.players()]
    if RandomEventNumbers.of(land).phase8 == "ask":
        options = ("none", *(str(n) for n in sorted(table)))
        asks = [Ask("event", REFEREE, player, options, "none", {"faction": player}) for player in players]
        for player, word in zip(players, land.game.choose_all(asks), strict=True):
            if word != "none":
                land.wanted[player] = table[int(word)]
        return
    for player in players:
        if land.roll(EVENT(player), land.own(player)).at_least(RandomEventNumbers.of(land).event_on):
            land.wanted[player] = table.get(land.roll(EVENT_TABLE(player), land.own(player)).total, "")


def _question(land: RandomEventBoard, faction: str, word: str) -> Ask | None:
    """Which Force levies join, or mercenaries whom its place can pay; None where no Force can have them."""
    price = RandomEventNumbers.of(land).mercenary_points
    ashore = [force for force in land.active(faction) if force.ashore]
    levied = tuple(force.army for force in ashore if land.territory(force.node, faction) == FRIENDLY)
    hirers = tuple(force.army for force in ashore if (
        place := held_place(land, force.node, faction)) is not None and place.store >= price)
    if word == "levies" and levied:
        return Ask("levies", faction, faction, levied, levied[0], {"faction": faction})
    if word == "mercenaries" and hirers:
        return Ask("mercenaries", faction, faction, (NO, *hirers), NO,
                   {"faction": faction, "figures": HIRED, "points": price})
    return None


def _pick_one(land: Country, faction: str, options: list[T]) -> T | None:
    return draw_one(options, lambda dice: land.roll(EVENT_PICK(faction, dice=dice), land.own(faction)))[0]


# --- the eleven events ----------------------------------------------------------------------------
def _fever(land: RandomEventBoard, row: Faction) -> bool:
    """2: each own Unit on the map loses a figure on 1 or 2."""
    own = land.active(row.faction)
    units = [unit for army in own for unit in land.units_of(army.army) if unit.figures]
    for unit, die in [(unit, land.roll(FEVER(unit.unit), land.own(row.faction))) for unit in units]:
        if die.at_most(FEVER_KILLS):
            unit.figures -= 1
            land.tell("fever", roll=die, unit=unit.unit, army=unit.army)
    for army in own:
        if any(unit.army == army.army for unit in units):
            land.remove_if_empty(army, "8")
    return True


def _omen(land: RandomEventBoard, row: Faction) -> bool:
    """3: -1 to the next Will test."""
    row.omen = -1
    land.tell("omen", faction=row.faction)
    return True


def _cut(land: RandomEventBoard, row: Faction) -> bool:
    """4: a road, track or bridge in the own territory is cut."""
    home = {node.node for node in land.nodes if node.territory == row.faction}
    until = land.turn + RandomEventNumbers.of(land).event_turns
    roads: list[Any] = [road for road in land.roads if road.kind != "river" and {road.a, road.b} & home
                        and road.cut_until < land.turn]
    bridges: list[Any] = [node for node in land.nodes if node.node in home and land.bridge(node.node)]
    picked = _pick_one(land, row.faction, [*roads, *bridges])
    if picked is None:
        return False
    if picked in roads:
        picked.cut_until = until
        land.tell("cut", road=picked.road, a=picked.a, b=picked.b, until=until)
    else:
        picked.bridge_cut_until = until
        land.tell("cut", road=f"bridge {picked.node}", a=picked.node, b="", until=until)
    return True


Effect = Callable[["RandomEventBoard", Faction], bool]
"""Applies an event to a faction; False if there is nothing that it could affect."""


def _one_force(effect: Callable[[RandomEventBoard, Army], None], *, chosen: bool = False) -> Effect:
    """The effect of an event on one own Force, which a die picks, or the club (`chosen`)."""
    def befall(land: RandomEventBoard, row: Faction) -> bool:
        army = land.armies.get(land.chosen.get(row.faction, "")) if chosen else _pick_one(
            land, row.faction, land.active(row.faction))
        if army is None or not army.active:
            return False
        effect(land, army)
        return True

    return befall


def _desertion(land: RandomEventBoard, army: Army) -> None:
    """5: each Unit of an own Force tests a tenth of its figures."""
    for unit in land.units_of(army.army):
        if unit.figures:
            desert(land, unit, -(-unit.figures * TEST_SHARE // 100), QUALITY_EVENT, DESERTER_EVENT, unit.unit, rule="8")
    land.remove_if_empty(army, "8")


def _supply(land: RandomEventBoard, army: Army) -> None:
    """6: -1 to the next Force test of an own Force."""
    army.supply_mod = -1
    land.tell("spoiled_supply", army=army.army)


def _reveal(land: RandomEventBoard, row: Faction) -> bool:
    """7: what a hostile Force is about."""
    army = _pick_one(land, row.faction, [army for army in land.active() if land.hostile(army.faction, row.faction)])
    if army is not None:
        land.tell("revealed", army=army.army, node=army.node, order=army.order, reaction=army.reaction,
                  figures=land.figures(army.army), to=row.faction)
    return army is not None


def _guides(land: RandomEventBoard, army: Army) -> None:
    """8: +1 to the next die of movement of an own Force."""
    army.guides = 1
    land.tell("guides", army=army.army)


def _levies(land: RandomEventBoard, army: Army) -> None:
    """9: a new Unit of poor figures, as many as a die shows."""
    die = land.roll(LEVIES(army.faction), land.own(army.faction))
    _add_unit(land, army, "levies", ("Levies", "Leve"), die.total, roll=die,
          told={"figures": die.total}, quality="poor", points=LEVY_POINTS)


def _hero(land: RandomEventBoard, army: Army) -> None:
    """10: an elite figure joins an own Force for some turns."""
    until = land.turn + RandomEventNumbers.of(land).hero_turns
    _add_unit(land, army, "hero", ("Wandering hero", "Eroe errante"), 1, told={"until": until}, leaves=until,
          quality="elite", points=RandomEventNumbers.of(land).hero_points)


def _mercenaries(land: RandomEventBoard, army: Army) -> None:
    """11: ten figures for the points of a place, if the club likes."""
    place, price = land.nodes[army.node], RandomEventNumbers.of(land).mercenary_points
    place.store -= price
    _add_unit(land, army, "mercenaries", ("Mercenaries", "Mercenari"), HIRED, mercenary=True,
          told={"figures": HIRED, "cost": price}, points=price // HIRED)


def _gates(land: RandomEventBoard, row: Faction) -> bool:
    """12: an empty stronghold of an enemy opens its gates on 5 or 6."""
    place = _pick_one(land, row.faction, [node for node in land.nodes if node.place == "stronghold" and land.plays(
        node.holder) and land.hostile(node.holder, row.faction) and not land.at(node.node)])
    if place is None:
        return False
    die = land.roll(GATES(row.faction), land.own(row.faction))
    opened = die.at_least(GATES_OPEN)
    land.tell("gates_open" if opened else "gates_shut", land.own(row.faction), roll=die, node=place.node)
    if opened:
        place_falls(land, place, row.faction, "8")
    return True


def _add_unit(land: Country, army: Army, event: str, names: tuple[str, str], figures: int, *, roll: Roll | None = None,
          told: Mapping[str, Any] = MappingProxyType({}), **values: Any) -> None:
    """Add a Unit to a Force, and tell the event."""
    unit = land.units.add(Unit(unit=land.next_unit(army.army), army=army.army, name=names[0], name_it=names[1],
                               figures=figures, figures_start=figures, **values))
    land.tell(event, roll=roll, army=army.army, unit=unit.unit, **told)


EFFECTS: Mapping[str, Effect] = {
    "camp_fever": _fever, "bad_omen": _omen, "road_cut": _cut, "desertion": _one_force(_desertion),
    "spoiled_supply": _one_force(_supply), "order_revealed": _reveal, "guides": _one_force(_guides),
    "levies": _one_force(_levies, chosen=True), "hero": _one_force(_hero),
    "mercenaries": _one_force(_mercenaries, chosen=True), "open_gates": _gates}
