"""The paths of moves on land and water: in goes a row, out comes what is wrong with its steps, or the way by water.

See rulebook: 2 Movement.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rulesets.warriors.book.records import Order
from assistant.rulesets.warriors.book.sheets import Army, Boat
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.land.squares import RIVER
from assistant.rulesets.warriors.orders.taking import code_in, may_know
from assistant.turn.findings import nearest
from assistant.turn.orders.reading import read_row
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request

LANDS = ("LAND", "SBARCA")
"""The last word of a path on water that lands."""


def _on_map(land: Country, here: str, there: str) -> None:
    """WAR-201, 202: the next square is on the map and touches the one before."""
    if there not in land.nodes:
        raise Refused("no_such_place", "path", word=there, near=nearest(there, land.nodes.keys()))
    if not land.map.touch(here, there):
        raise Refused("WAR-202", "path", a=here, b=there)


# --- land -----------------------------------------------------------------------------------------
def way_of(army: Army, request: Request) -> list[str]:
    """The squares of a path on land, the Force's own at its beginning left out."""
    return request.path[request.path[:1] == [army.node]:]


def by_land(land: Country, request: Request, army: Army) -> None:
    """The checks of a move, in the book's order. Raises `Refused`."""
    if army.aboard:
        raise Refused("WAR-207", "army", army=army.army, boat=army.aboard)
    path = way_of(army, request)
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
    known = [one for one in land.at(there) if may_know(land, army.faction, one)]
    peace = next((one for one in known if land.state(one.faction, army.faction) == "peace"), None)
    if peace is not None:
        raise Refused("WAR-212", "path", node=there, faction=peace.faction)
    if army.reaction == "routed" and any(land.hostile(one.faction, army.faction) for one in known):
        raise Refused("WAR-210", "path", army=army.army, node=there)


def _asks_for_order(land: Country, army: Army) -> bool:
    """Whether its club has written a row `order` for a Force this turn."""
    rows = land.campaign.table(Order).of_turn(land.game.turn, lambda row: row.faction == army.faction)
    written = (read_row(land.game.orders, land.campaign, row, reads=land.game.reads) for row in rows)
    return any(one.verb == "order" and code_in(land, one, Army, "army") == army.army for one in written)


def _warn_of_ground(land: Country, request: Request, army: Army, path: list[str]) -> None:
    """WAR-211, 213."""
    entered = path[-1:] if land.rules.crossing_per == "turn" else path
    wild = next((node for node in entered if land.wilds(node) and any(
        one.figures and not spared(land, one.native_of, node) for one in land.units_of(army.army))), "")
    if wild:
        request.find(land, "WAR-211", "path", terrain=land.wilds(wild)[0])
    ford = next((node for node in path if land.map.river(node) and not land.bridge(node)), "")
    if ford and land.rules.phase0 != "off" and land.rules.weather_closes_fords == "on":
        request.find(land, "WAR-213", "path", node=ford)


def spared(land: Country, native_of: str, node: str) -> bool:
    """Whether natives of a wild terrain lose nothing in a square."""
    return land.rules.natives_exempt == "on" and native_of in land.wilds(node)


# --- water ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Voyage:
    """A way by water. `path`: the squares; `landing`: whether it ends ashore; `sea`, `river`: on what it goes."""

    boat: Boat
    path: tuple[str, ...]
    landing: bool = False
    sea: bool = False
    river: bool = False


def by_water(land: Country, request: Request, army: Army) -> Voyage:
    """The checks of a voyage, in the book's order; what it is. Raises `Refused`."""
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
    other = next((one for one in land.active() if one.aboard == boat.boat and one.army != army.army), None)
    if other is not None:
        raise Refused("WAR-305", "boat", boat=boat.boat, army=other.army)
    if land.too_many(army, boat):
        raise Refused("WAR-303", "boat", n=land.figures(army.army), boat=boat.boat, capacity=boat.capacity)
    mounts = land.without_barges(army, boat)
    if mounts is not None:
        raise Refused("WAR-304", "boat", unit=mounts.unit, boat=boat.boat)
    return boat


def _steps(land: Country, army: Army, boat: Boat, path: list[str], asked: bool) -> Voyage:
    """Each step of a way by water: on what it goes, and whether the last one lands. Raises `Refused`."""
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
