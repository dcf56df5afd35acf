"""Orders: the verbs, the checks of paths, and which rows count; phases 0 and 1: the weather, and Force tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number
from assistant.campaign.tables import Record
from assistant.rulesets.warriors import both
from assistant.rulesets.warriors.land import (
    RIVER,
    Country,
    choose_new_chief,
    held_place,
    owe_will_test,
    remove_force,
    season_of,
    take_reaction,
)
from assistant.rulesets.warriors.lines import LIKE, can_mean, code_of_name, further_names
from assistant.rulesets.warriors.numbers import FAIR, FORCE_TEST, HEAT, SPLENDID, WEATHER
from assistant.rulesets.warriors.records import (
    NEW_ORDERS,
    NEW_ORDERS_ALSO,
    STANCES,
    STANCES_ALSO,
    WISHES,
    WISHES_ALSO,
    Army,
    Boat,
    Climate,
    Faction,
    Node,
    Order,
    Unit,
    UnitType,
    Weather,
    Zone,
)
from assistant.turn.dice import REFEREE, RangeTable
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Amount, Code, Note, Option, Path, Piece, Sentence
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.taking import refuse, rows_of_phase
from assistant.turn.orders.verbs import declared, order
from assistant.turn.orders.words import fold
from assistant.turn.questions import Ask
from assistant.turn.rulings import Score

# Which rows of a phase count (rulebook: What is refused).
#
# Each is judged by itself, then against others about the same thing; rows that do not count get a finding.


PURPOSES = {"order": "order", "move": "move", "sail": "move", "contact": "contact", "initiative": "initiative"}
"""Verbs -> what they are about; purchases add up."""
FREE = ("note",)
"""Columns that any row may fill."""


def take_rows(land: Country) -> list[Request]:
    """The rows of the phase that count, in the order of their numbers."""
    standing = [request for request in _of_this_phase(land) if can_stand(land, request)]
    standing = rows_that_count(land, standing)
    for request in standing:
        request.row.status = "accepted"
    return standing


def _of_this_phase(land: Country) -> list[Request]:
    """Open rows that the phase reads; rows of past turns (WAR-011) and unknown verbs are reported."""
    book, takes = land.game.orders, land.game.takes
    requests = []
    late = [row for row in land.campaign.table(Order).open_rows(land.game.turn) if not row.status
            and row.turn.isdecimal() and int(row.turn) < land.turn]
    for row in late:
        request = read_row(book, land.campaign, row, reads=land.game.reads)
        if not request.verb or takes in book[request.verb].when:
            refuse(land, request, Refused("WAR-011", "turn", turn=row.turn, now=land.game.turn))
    for request in rows_of_phase(land):
        if request.verb and takes in book[request.verb].when:
            requests.append(request)
        elif not request.verb and land.plays(request.faction):
            refuse(land, request, request.why or Refused("unknown_verb", word=request.row.verb or request.row.text,
                                                         near=""))
        elif not request.verb:
            refuse(land, request, Refused("WAR-005", "faction", faction=request.faction))
    return requests


def can_stand(land: Country, request: Request) -> bool:
    """Whether a row can count by itself; else it is refused for its first fault."""
    verb = land.game.orders[request.verb]
    assert verb.deed is not None
    try:
        if not land.plays(request.faction):
            raise Refused("WAR-005", "faction", faction=request.faction)
        missing = [name for name in verb.needed() if getattr(request, name) in ("", None, [])]
        if missing:
            raise Refused("missing", missing[0], verb=request.verb, column=" ".join(missing))
        for name in land.game.orders.cells:
            if name not in verb.columns and name not in FREE and request.raw.get(name) not in ("", None, []):
                request.find(land, "WAR-007", name, verb=request.verb, column=name)
                blank_column(request, name)
        verb.deed(land, request)
    except Refused as why:
        refuse(land, request, why)
        return False
    return True


def blank_column(request: Request, name: str) -> None:
    """Blank a column that the verb does not use, so that rows that differ only in it are alike."""
    if name in request.more:
        request.more[name] = ""
    setattr(request, name, type(getattr(request, name))())


def code_in(land: Country, request: Request, record: type[Record], name: str) -> str:
    """The code in a column, which may also hold a name. Raises `Refused` (ambiguous)."""
    code, words = str(getattr(request, name)), request.typed(name).split()
    if words and code not in land.campaign.table(record):
        code = code_of_name(land.campaign, request.faction, (record,), words) or code
        setattr(request, name, code)
        request.more |= {name: code} if name in request.more else {}
    return code


def own_force(land: Country, request: Request) -> Army:
    """The Force that a row is for. Raises `Refused` (WAR-002 to 004)."""
    code = code_in(land, request, Army, "army")
    army = land.armies.get(code)
    if army is None or (army.faction != request.faction and not may_know(land, request.faction, army)):
        mine = [army.army for army in land.armies if army.faction == request.faction]
        raise Refused("no_such_unit", "army", word=code, near=nearest(code, mine), list=" ".join(mine))
    if army.faction != request.faction:
        raise Refused("not_yours", "army", word=code, owner=army.faction)
    if not army.active:
        raise Refused("WAR-004", "army", army=code, status=army.status)
    return army


def may_know(land: Country, faction: str, army: Army) -> bool:
    """Whether a faction may know of a Force where it stands."""
    return land.rules.fog == "open" or land.friendly(army.faction, faction) or (
        army.active and land.sees(faction, army.node))


# --- rows about one thing -------------------------------------------------------------------------
def rows_that_count(land: Country, standing: list[Request]) -> list[Request]:
    """Of rows about the same thing the last counts (WAR-008 to 010), of identical purchases one."""
    groups: dict[tuple[str, ...], list[Request]] = {}
    for place, request in enumerate(standing):
        request.note = ""  # what somebody remarks makes no other order
        about = PURPOSES.get(request.verb)
        own = ("", str(ordinal_number(request.row.seq)), str(request.says())) if about is None and ordinal_number(
            request.row.seq) is not None else (about or str(place), str(getattr(request, "army", "")), "")
        groups.setdefault((request.faction, *own), []).append(request)
    kept = {id(request) for rows in groups.values() for request in _last(land, rows)}
    return [request for request in standing if id(request) in kept]


def _last(land: Country, rows: list[Request]) -> list[Request]:
    """The row that counts, in a list; empty if two with the highest number contradict each other."""
    def rank(request: Request) -> tuple[bool, int]:
        seq = ordinal_number(request.row.seq)
        return (seq is None, rows.index(request) if seq is None else seq)

    top = max(map(rank, rows))
    highest = [request for request in rows if rank(request) == top]
    seq = highest[0].row.seq if highest[0].row.seq is not None else highest[0].row.order
    for request in rows:
        if request not in highest:
            _gives_way(land, request, "WAR-010" if request.says() == highest[0].says() else "WAR-008", seq)
    if any(request.says() != highest[0].says() for request in highest):
        for request in highest:
            refuse(land, request, Refused("WAR-009", "seq", seq=seq))
        return []
    for request in highest[1:]:
        _gives_way(land, request, "WAR-010", seq)
    return highest[:1]


def _gives_way(land: Country, request: Request, code: str, seq: Any) -> None:
    request.row.status = "replaced"
    request.find(land, code, "seq", seq=seq)


# Checks of paths on land and water (rulebook: 2 Movement).


LANDS = ("LAND", "SBARCA")
"""The last word of a path on water that ends ashore."""


def _on_map(land: Country, here: str, there: str) -> None:
    """WAR-201, 202: the next square is on the map and touches the one before."""
    if there not in land.nodes:
        raise Refused("no_such_place", "path", word=there, near=nearest(there, land.nodes.keys()))
    if not land.map.touch(here, there):
        raise Refused("WAR-202", "path", a=here, b=there)


# --- land -----------------------------------------------------------------------------------------
def path_of_march(army: Army, request: Request) -> list[str]:
    """The squares of a path on land, the Force's own at its beginning left out."""
    return request.path[request.path[:1] == [army.node]:]


def check_march(land: Country, request: Request, army: Army) -> None:
    """The checks of a move, in the book's order. Raises `Refused`."""
    if army.aboard:
        raise Refused("WAR-207", "army", army=army.army, boat=army.aboard)
    path = path_of_march(army, request)
    if len(path) < len(request.path):
        request.find(land, "WAR-204", "path")
        if not path:
            raise Refused("missing", "path", verb=request.verb, column="path")
    here, been = army.node, {army.node}
    for there in path:
        _land_step(land, army, here, there)
        if there in been:
            request.find(land, "WAR-209", "path", node=there)
        been.add(there)
        here = there
    most = land.rules.max_land
    if len(path) > most:
        request.find(land, "WAR-205", "path", n=len(path))
    if land.order(army) == "defend" and not _asks_for_order(land, army):
        request.find(land, "WAR-206", "army", army=army.army)
    _warn_of_ground(land, request, army, path[:most])


def _land_step(land: Country, army: Army, here: str, there: str) -> None:
    _on_map(land, here, there)
    if land.map.water(there):
        raise Refused("WAR-203", "path", node=there)
    if land.map.cornered(here, there):
        raise Refused("WAR-208", "path", a=here, b=there)
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


def _warn_of_ground(land: Country, request: Request, army: Army, path: list[str]) -> None:
    """WAR-211, 213."""
    entered = path[-1:] if land.rules.crossing_per == "turn" else path
    wild = next((node for node in entered if land.wilds(node) and any(
        unit.figures and not are_natives_spared(land, unit.native_of, node) for unit in land.units_of(army.army))), "")
    if wild:
        request.find(land, "WAR-211", "path", terrain=land.wilds(wild)[0])
    ford = next((node for node in path if land.map.river(node) and not land.bridge(node)), "")
    if ford and land.rules.phase0 != "off" and land.rules.weather_closes_fords == "on":
        request.find(land, "WAR-213", "path", node=ford)


def are_natives_spared(land: Country, native_of: str, node: str) -> bool:
    """Whether natives of a wild terrain lose nothing in a square."""
    return land.rules.natives_exempt == "on" and native_of in land.wilds(node)


# --- water ----------------------------------------------------------------------------------------
class Voyage(NamedTuple):
    """A way by water. `path`: the squares; `landing`: it ends ashore; `sea`, `river`: where it leads."""

    boat: Boat
    path: tuple[str, ...]
    landing: bool = False
    sea: bool = False
    river: bool = False


def check_voyage(land: Country, request: Request, army: Army) -> Voyage:
    """Check a voyage in the book's order, and return it. Raises `Refused`."""
    words = request.path
    asked = words[-1:] != [] and words[-1] in LANDS
    path = words[:-1] if asked else words
    if not path and not army.aboard:
        raise Refused("missing", "path", verb=request.verb, column="path")
    boat = boats_of(land, request, army)
    voyage = _steps(land, army, boat, path, asked)
    end = path[-1] if path else army.node
    if asked and land.map.water(end):
        raise Refused("WAR-310", "path")
    most = land.rules.max_sail
    if len(path) > most:
        request.find(land, "WAR-309", "path")
        voyage = _steps(land, army, boat, path[:most], False)
        return Voyage(boat, voyage.path, False, voyage.sea, voyage.river)
    return voyage


def boats_of(land: Country, request: Request, army: Army) -> Boat:
    """The boats of a row. Raises `Refused` (WAR-301 to 305)."""
    code = code_in(land, request, Boat, "boat")
    boat = land.boats.get(code)
    if boat is None or boat.faction != request.faction:
        raise Refused("WAR-301", "boat", boat=code)
    if army.aboard and army.aboard != boat.boat:
        raise Refused("WAR-305", "boat", boat=boat.boat, army=army.army)
    if boat.node != army.node:
        raise Refused("WAR-302", "boat", boat=boat.boat, node=boat.node, here=army.node)
    other = next((passenger for passenger in land.active() if passenger.aboard == boat.boat
                  and passenger.army != army.army), None)
    if other is not None:
        raise Refused("WAR-305", "boat", boat=boat.boat, army=other.army)
    if land.too_many(army, boat):
        raise Refused("WAR-303", "boat", n=land.figures(army.army), boat=boat.boat, capacity=boat.capacity)
    mounts = land.without_barges(army, boat)
    if mounts is not None:
        raise Refused("WAR-304", "boat", unit=mounts.unit, boat=boat.boat)
    return boat


def _steps(land: Country, army: Army, boat: Boat, path: list[str], asked: bool) -> Voyage:
    """Check each step of a way by water; the voyage. Raises `Refused`."""
    here, sea, river, mouth, ashore = army.node, False, False, False, False
    both = land.rules.sea_and_river == "yes"
    for place, there in enumerate(path):
        _on_map(land, here, there)
        last = place == len(path) - 1
        wet, onto_water = land.map.water(here), land.map.water(there)
        links = land.map.links.links(here, there, RIVER)
        if not both and (mouth or (onto_water and river) or (not onto_water and not wet and links and sea)):
            raise Refused("WAR-307", "path")
        if ashore:
            raise Refused("WAR-306", "path", a=here, b=there)
        if onto_water:
            sea = True
        elif wet:  # from sea or lake to land: up the mouth of a river, or a landing
            sea = True
            mouth = land.map.navigable(here, there) and land.river_boats(boat)
            ashore = not mouth or (asked and last)
        else:
            _river_step(land, boat, here, there)
            river = True
        here = there
    return Voyage(boat, tuple(path), asked or ashore, sea, river)


def _river_step(land: Country, boat: Boat, here: str, there: str) -> None:
    links = land.map.links.links(here, there, RIVER)
    if not links:
        raise Refused("WAR-306", "path", a=here, b=there)
    if not land.river_boats(boat):
        raise Refused("WAR-308", "boat")
    if not land.map.navigable(here, there):
        raise Refused("WAR-311", "path", a=here, b=there)


# The verbs, each declared on the function that judges its rows (rulebook: Orders to Forces).
#
# These functions only raise `Refused` or warn; the phases carry the rows out.


_CODE = r"(?i)[^\W\d_]{1,3}\d+[a-z]?"


@dataclass(eq=False, repr=False, kw_only=True)
class Called(Code):
    """A code, or the name of a row that the faction can mean."""

    quotes: bool = True

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A code, or a name of what it can mean."""
        for count, code in super().pieces(sentence, start):
            rows = [table[code] for table in (sentence.campaign.by_sheet(record.sheet) for record in self.records)
                    if code in table]
            if not rows or fold(sentence.word(start)) == fold(code) or can_mean(
                    sentence.campaign, sentence.faction, rows[0]):
                yield count, code

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A word that looks like a code."""
        if self.quotes and re.fullmatch(_CODE, sentence.word(start)):
            yield 1, sentence.word(start)

    def joined(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The code; a name that nothing has as it stands. Raises `Refused` (ambiguous)."""
        value = str(super().joined(pieces, sentence, fields))
        known = any(value in sentence.campaign.by_sheet(record.sheet) for record in self.records)
        return value if known else code_of_name(sentence.campaign, sentence.faction, self.records, [value]) or value


@dataclass(eq=False, repr=False)
class Force(Called):
    """A Force."""

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Its code with zeros, of an own one the number alone, or a name in quotes."""
        word, armies = sentence.word(start), sentence.campaign.table(Army)
        if (plain := armies.spelled(re.sub(r"(?<=\D)0+(?=\d)", "", word))) in armies:
            yield 1, plain
        else:
            yield from super().as_typed(sentence, start)
        own = [army.army for army in armies if word.isdecimal() and army.faction == sentence.faction
               and re.fullmatch(rf"\D+0*{int(word)}", army.army)]
        if len(own) == 1:
            yield 1, own[0]
        if sentence.is_quoted(start):
            yield 1, word


ARMY, PLACE = Force((Army,)), Called((Node,))
LAND = ("land", "ashore", "sbarca", "sbarcare", "a_terra")
"""Words by which a voyage ends on land."""
NEW_ORDER = Option(NEW_ORDERS, NEW_ORDERS_ALSO, opens=True, quotes=True)
NOTE = Note()


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

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Those of its people, then those for all."""
        row, types = campaign.table(Faction).get(faction), list(campaign.table(UnitType))
        return (priced.type for people in (row.people if row is not None else "", "any") for priced in types
                if priced.people == people)


class WaterPath(Path):
    """Squares by water; ``land`` as the last word goes ashore."""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A square, or the word."""
        yield from super().pieces(sentence, start)
        if fold(sentence.word(start)) in LAND:
            yield 1, "land"


def _one_of(request: Request, name: str, options: Any, code: str, *, blank: bool = False) -> None:
    """Refuse a word that is not among the options, with a code of the book."""
    word = str(request.more[name])
    if word not in options and (word or not blank):
        raise Refused(code, name, **{name: word})


def _amount(request: Request, name: str) -> int:
    """A whole number above 0. Raises `Refused` (WAR-012)."""
    value = request.more[name]
    if not isinstance(value, int) or value < 1:
        raise Refused("not_an_amount", name, word=value)
    return value


# --- phase 1 --------------------------------------------------------------------------------------
@order("order", "ordine", when=("orders",), army=ARMY, new_order=NEW_ORDER, note=NOTE,
       shown=("{army} order {new_order}", "{army} ordine {new_order}"),
       help=both("Ask for another order, or shake off a reaction: the Force is tested.",
                 "Chiedi un altro ordine, o di scuotere una reazione: la Forza fa il test."))
def change_order(land: Country, request: Request) -> None:
    """WAR-101, 102."""
    army = own_force(land, request)
    _one_of(request, "new_order", NEW_ORDERS, "WAR-101")
    if army.reaction == "none" and army.order == request.more["new_order"]:
        request.find(land, "WAR-102", "new_order", army=army.army)


# --- phase 2 --------------------------------------------------------------------------------------
@order("move", "muovi", when=("move",), army=ARMY, path=Path(record=Node, with_start=False, quotes=True), note=NOTE,
       shown=("{army} move {path}", "{army} muovi {path}"),
       help=both("March square by square, as far as the die says.",
                 "Marcia di quadrato in quadrato, fin dove dice il dado."))
def march(land: Country, request: Request) -> None:
    """WAR-201 to 213."""
    check_march(land, request, own_force(land, request))


@order("sail", "naviga", when=("move",), army=ARMY, boat=Called((Boat,)),
       path=WaterPath(record=Node, with_start=False, quotes=True), note=NOTE,
       shown=("{army} sail {boat} {path}", "{army} naviga {boat} {path}"),
       help=both("Go aboard and by water; land as the last word goes ashore.",
                 "Naviga; aggiungi sbarca in fondo per scendere a terra."))
def sail(land: Country, request: Request) -> None:
    """WAR-201, 202, 301 to 311."""
    check_voyage(land, request, own_force(land, request))


@order("contact", "contatto", when=("move",), army=ARMY, stance=Option(STANCES, STANCES_ALSO, quotes=True),
       to=Called((Node,), blank=True), note=NOTE,
       shown=("{army} contact {stance}[ to {to}]",
            "{army} contatto {stance}[ in {to}]"),
       help=both("What a Force does when it is attacked, until it is changed.",
                 "Che cosa fa una Forza attaccata, finché non si cambia."))
def on_contact(land: Country, request: Request) -> None:
    """WAR-320 to 322."""
    army, to = own_force(land, request), str(request.more["to"])
    _one_of(request, "stance", STANCES, "WAR-320")
    if to and not land.map.land_step(army.node, to):
        request.find(land, "WAR-321", "to", to=to, here=army.node)
    if request.more["stance"] != "fight" and land.rules.counter_march == "off":
        request.find(land, "WAR-322", "stance", army=army.army)


@order("initiative", "iniziativa", when=("move",), wish=Option(WISHES, WISHES_ALSO, quotes=True), note=NOTE,
       shown=("initiative {wish}", "iniziativa {wish}"),
       help=both("Whether to move first or last.", "Se muovere per primi o per ultimi."))
def wish_of_place(land: Country, request: Request) -> None:
    """WAR-331."""
    _one_of(request, "wish", WISHES, "WAR-331")


# --- phase 7 --------------------------------------------------------------------------------------
def _place_of_purchase(land: Country, request: Request) -> Node:
    """The place of a purchase. Raises `Refused` (WAR-401)."""
    place = held_place(land, str(request.more["place"]), request.faction)
    if place is None:
        raise Refused("WAR-401", "place", place=request.more["place"])
    return place


def _is_to_be_founded(land: Country, request: Request) -> bool:
    """Whether the faction founds the Force of a row this turn."""
    name = (request.typed("army") or str(request.more["army"])).casefold()
    rows = land.campaign.table(Order).of_turn(land.game.turn, lambda row: row.faction == request.faction)
    return any(other.verb == "found" and str(other.more["name"]).casefold() == name
               for other in (read_row(land.game.orders, land.campaign, row, reads=land.game.reads) for row in rows))


@order("raise", "arruola", when=("muster",), place=PLACE, type=OwnPeopleType((UnitType,), of_others=True),
       figures=Amount(usual=(10, 20, 5), quotes=True), army=ARMY, note=NOTE,
       shown=("raise {figures} {type} at {place} in {army}", "arruola {figures} {type} a {place} in {army}"),
       help=both("A new Unit for a Force in a place, or for one that is founded this turn.",
                 "Una nuova Unità per una Forza che è in un luogo, o per una fondata in questo turno."))
def raise_unit(land: Country, request: Request) -> None:
    """WAR-401, 012, 402, 408."""
    if str(request.more["army"]) in land.armies or not _is_to_be_founded(land, request):
        own_force(land, request)
    _place_of_purchase(land, request)
    figures = _amount(request, "figures")
    kind = land.types.get(code_in(land, request, UnitType, "type"))
    if kind is None or kind.people not in ("any", land.factions[request.faction].people):
        raise Refused("WAR-402", "type", type=request.typed("type") or request.more["type"])
    if figures < land.rules.unit_min:
        raise Refused("WAR-408", "figures")


@order("refill", "rimpiazza", when=("muster",), place=PLACE, unit=OwnUnitCode((Unit,)),
       figures=Amount(usual=(1, 2, 3), quotes=True), note=NOTE,
       shown=("refill {unit} {figures} at {place}", "rimpiazza {unit} {figures} a {place}"),
       help=both("Figures for a Unit whose Force is in a place.", "Miniature per un'Unità la cui Forza è in un luogo."))
def refill_unit(land: Country, request: Request) -> None:
    """WAR-401, 012, 409, 003, 004, 406."""
    _place_of_purchase(land, request)
    figures = _amount(request, "figures")
    unit = land.units.get(code_in(land, request, Unit, "unit"))
    if unit is None:
        raise Refused("WAR-409", "unit", unit=request.unit)
    army = land.armies[unit.army]
    if army.faction != request.faction:
        raise Refused("not_yours", "unit", word=request.unit, owner=army.faction)
    if not army.active:
        raise Refused("WAR-004", "unit", army=army.army, status=army.status)
    start = unit.figures_start if unit.figures_start is not None else unit.figures
    if unit.figures + wounded_figures(land, unit.unit) + figures > start:
        request.find(land, "WAR-406", "figures", unit=unit.unit, n=start)


def wounded_figures(land: Country, unit: str) -> int:
    """The wounded figures of a Unit that will come back."""
    return sum(row.count for row in land.wounded if row.unit == unit)


@order("found", "fonda", when=("muster",), place=Called((Node,), quotes=False),
       name=Note(blank=False, like="New Levy", like_it="Nuova leva", unquoted=True),
       vc=Amount(usual=(1, 2, 3), quotes=True),
       new_order=Option(NEW_ORDERS, NEW_ORDERS_ALSO, blank=True), note=NOTE,
       shown=('found "{name}" at {place} vc {vc} {new_order}', 'fonda "{name}" a {place} vc {vc} {new_order}'),
       help=both("A new Force with its commander.", "Una nuova Forza con il suo condottiero."))
def found_force(land: Country, request: Request) -> None:
    """WAR-401, 012, 407, 101."""
    _place_of_purchase(land, request)
    vc = _amount(request, "vc")
    if vc > land.rules.muster_vc_max:
        raise Refused("WAR-407", "vc", vc=vc)
    _one_of(request, "new_order", NEW_ORDERS, "WAR-101", blank=True)


VERBS = declared(
    change_order, march, sail, on_contact, wish_of_place, raise_unit, refill_unit, found_force,
    bare=march, fillers=("to", "in", "at", "a", "the", "force", "forza", "vc", "v.c", "square", "squares", "quadrato",
                        "quadrati", "casella", "caselle"), like=LIKE, names=further_names,
    incomplete=True,
    cells=("army", "new_order", "boat", "wish", "stance", "to", "place", "type", "unit", "figures", "vc", "name"),
    says={
        "no_faction": role("WAR-005", faction="faction"),
        "unknown_verb": role("WAR-001", verb="word"),
        "no_such_unit": role("WAR-002", army="word", near="near"),
        "not_yours": role("WAR-003", army="word"),
        "missing": role("WAR-006", verb="verb", columns="column"),
        "not_an_amount": role("WAR-012", value="word"),
        "no_such_place": role("WAR-201", node="word", near="near"),
    })


# Phase 0: the weather of each zone (0).


def weather(land: Country) -> None:
    """Set the weather of all zones by dice; with phase0 = ask as the referee says."""
    zones = list(land.zones)
    if land.rules.phase0 == "ask":
        options = tuple(row.weather for row in land.campaign.table(Weather))
        asks = [Ask("weather", REFEREE, zone.zone, options, asked={"zone": zone.zone}) for zone in zones]
        for zone, word in zip(zones, land.game.choose_all(asks), strict=True):
            zone.weather = word
            land.tell("weather_set", zone=zone.zone, weather=word)
        return
    for zone in zones:
        _throw_weather(land, zone)


def _throw_weather(land: Country, zone: Zone) -> None:
    """Throw a zone's weather: doubles keep it, else the table; an arid summer turns splendid weather into heat."""
    season = season_of(land, land.desk.week)
    climate = land.campaign.table(Climate).get(zone.climate)
    roll = land.roll(WEATHER(zone.zone))
    dice = Score(roll, tuple([(season, n)] if climate is not None and (n := int(getattr(climate, season))) else []))
    if zone.weather and len(set(roll.faces)) == 1:
        land.tell("weather_held", roll=roll, zone=zone.zone, weather=zone.weather)
        return
    word = next((row.weather for row in land.campaign.table(Weather)
                 if (row.low is None or dice.at_least(row.low)) and (row.high is None or dice.at_most(row.high))), FAIR)
    zone.weather = HEAT if (word, zone.climate, season) == (SPLENDID, "arid", "summer") else word
    land.tell("weather_set", roll=dice, zone=zone.zone, weather=zone.weather, total=dice)


# Phase 1: Force tests for new orders (Ord, Rea, 1).


class CommandBoard(Country):
    """The board of phase 1, with the rows that count."""

    requests: list[Request]


def read_rows(land: CommandBoard) -> None:
    """Take the rows of the phase."""
    land.requests = take_rows(land)


def force_test_modifiers(land: Country, army: Army) -> dict[str, int]:
    """The modifiers of a Force test, by name: V.C., reaction, ground, marker and supply."""
    rules, node = land.rules, land.nodes.get(army.node)
    ground = node is not None and not land.map.water(army.node)
    modifiers = {"V.C.": land.vc(army)}
    if army.reaction != "none":
        modifiers[army.reaction] = int(rules[f"ft_{army.reaction}"])
    if ground and node is not None:
        modifiers |= {terrain: land.map.terrain(terrain).force_mod for terrain in node.terrains}
        modifiers |= land.by_territory(army.node, army.faction, rules.ft_friendly, rules.ft_enemy)
    marker = army.will_marker and rules.will_marker == "next_test"
    return {**modifiers, "Will marker": rules.ft_marker if marker else 0,
            "spoiled supply": rules.ft_supply if army.supply_mod else 0}


def force_test_table(land: Country) -> RangeTable:
    """The table of results of a Force test."""
    rules = land.rules
    return RangeTable.rising("Force test", (-99, "lost"), (rules.force_unsteady, "unsteady"),
                             (rules.force_confused, "confused"), (rules.force_defend, "defend"),
                             (rules.force_ok, "given"))


def force_tests(land: CommandBoard) -> None:
    """Throw all tests first, then apply them all."""
    tested: list[tuple[Army, str, Score]] = []
    for request in sorted(land.requests, key=lambda request: land.armies.keys().index(str(request.more["army"]))):
        army, wish = land.armies[str(request.more["army"])], str(request.more["new_order"])
        if army.reaction == "none" and army.order == wish:
            continue
        tested.append((army, wish, land.thrown(FORCE_TEST, land.rules.force_die, force_test_modifiers(land, army),
                                               land.own(army.faction), army.army)))
    lost = [army for army, wish, dice in tested if _apply_test(land, army, wish, dice)]
    for army in lost:
        _mark_the_others(land, army, [loser.army for loser in lost])
    for army in lost:
        choose_new_chief(land, army.faction)


def _apply_test(land: Country, army: Army, wish: str, dice: Score) -> bool:
    """Apply a test; return whether the Force is out of control."""
    army.will_marker, army.supply_mod = False, 0
    verdict, kept = dice.row(force_test_table(land)), land.rules.order_under_reaction == "kept"
    if verdict == "given":
        army.reaction, army.order = "none", wish
        land.told("order_given", army, roll=dice, order=wish, total=dice)
        return False
    if verdict == "defend":
        army.reaction, army.order = "none", "defend"
        land.told("order_defend", army, roll=dice, total=dice)
        return False
    if verdict != "lost":
        take_reaction(army, verdict, kept=kept)
        land.told(f"force_{verdict}", army, roll=dice, reaction=verdict, total=dice)
        return False
    if land.rules.will_trigger != "all_forces":
        owe_will_test(land, army.faction, f"force_lost:{army.army}")
    if land.rules.rout_result == "removed":
        chief = army.chief
        army.chief = False
        remove_force(land, army, "lost", "force_lost", "1 Force test", why="out of control", roll=dice, total=dice)
        army.chief = chief
    else:
        take_reaction(army, "routed", kept=kept)
        land.tell("force_lost", land.own(army.faction), roll=dice, army=army.army, faction=army.faction,
                  why="routed", total=dice)
    return True


def _mark_the_others(land: Country, gone: Army, lost: list[str]) -> None:
    """Give each other Force of the faction a Will marker, one at most."""
    for army in land.active():
        if army.faction == gone.faction and army.army not in lost and not army.will_marker:
            army.will_marker = True
            land.told("will_marker", army)
