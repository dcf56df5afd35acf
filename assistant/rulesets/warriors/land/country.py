"""The campaign as the chapters speak of it: who is friendly, whose ground it is, what a Force is and does.

See rulebook: Words with one meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import OWNERLESS
from assistant.rulesets.warriors.book import records
from assistant.rulesets.warriors.book.records import Faction, Node
from assistant.rulesets.warriors.book.sheets import (
    Army,
    Boat,
    Relation,
    Terrain,
    Unit,
    UnitType,
    Weather,
    Wounded,
    Zone,
)
from assistant.rulesets.warriors.book.switches import Rules
from assistant.rulesets.warriors.book.tables import FAIR
from assistant.rulesets.warriors.land.squares import ROADS, Squares, squares
from assistant.turn.board import Board, One, Sheet
from assistant.turn.game import REFEREE, Game
from assistant.turn.throws.kinds import Purpose
from assistant.turn.throws.rulings import Score

FRIENDLY, ENEMY, NEUTRAL = "friendly", "enemy", ""
NO_ORDER = "none"


class Country(Board):
    """A campaign with the words of the rulebook; what reports show is made on one, too."""

    rules: Rules
    desk = One(records.Desk)
    factions = Sheet(Faction)
    nodes = Sheet(Node)
    roads = Sheet(records.Road)
    armies = Sheet(Army)
    units = Sheet(Unit)
    wounded = Sheet(Wounded)
    boats = Sheet(Boat)
    zones = Sheet(Zone)
    types = Sheet(UnitType)
    battles = Sheet(records.Battle)
    battle_armies = Sheet(records.BattleArmy)
    battle_units = Sheet(records.BattleUnit)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.turn = int(game.turn) if game.turn.isdecimal() else 0

    @cached_property
    def map(self) -> Squares:
        """The squares and what lies between them; nothing that changes in play is asked of it."""
        return self.campaign.made_of(squares, Node, records.Road, Terrain, by=(self.rules.adjacency == "8",))

    # --- factions -----------------------------------------------------------------------------
    @cached_property
    def _states(self) -> dict[frozenset[str], str]:
        return {frozenset((row.a, row.b)): row.state for row in self.campaign.table(Relation)}

    def state(self, a: str, b: str) -> str:
        """How two factions stand to each other: war where nothing is said."""
        return "allied" if a == b else self._states.get(frozenset((a, b)), "war")

    def friendly(self, a: str, b: str) -> bool:
        """The same faction, or an ally."""
        return bool(a) and bool(b) and self.state(a, b) == "allied"

    def hostile(self, a: str, b: str) -> bool:
        """At war with each other."""
        return bool(a) and bool(b) and self.state(a, b) == "war"

    def players(self) -> list[Faction]:
        """The factions that are still in the campaign, in natural order of code."""
        return [row for row in self.factions if row.plays]

    def plays(self, faction: str) -> bool:
        """Whether a faction is still in the campaign."""
        row = self.factions.get(faction)
        return row is not None and row.plays

    def at_war(self) -> bool:
        """Whether two factions are left that are at war: else the campaign is over."""
        left = [row.faction for row in self.players()]
        return any(self.hostile(a, b) for a in left for b in left)

    def own(self, faction: str) -> list[str] | str:
        """Who is told what only a faction may know: its club; the referee where it has none."""
        row = self.factions.get(faction)
        return [faction] if row is not None and row.role not in OWNERLESS else REFEREE

    def circle(self, factions: Iterable[str]) -> list[str] | str:
        """Who is told what several factions may know."""
        found = [code for code in sorted(set(factions), key=natural) if self.own(code) != REFEREE]
        return found or REFEREE

    # --- squares ------------------------------------------------------------------------------
    def territory(self, node: str, faction: str) -> str:
        """Whose ground a square is for a faction: friendly, enemy, or "" for neutral; water is nobody's."""
        row = self.nodes.get(node)
        if row is None or self.map.water(node):
            return NEUTRAL
        domain = self.nodes.get(row.domain) if self.rules.territory_mode == "holder" and row.domain else None
        owner = domain.holder if domain is not None else row.territory
        if not self.plays(owner):
            return NEUTRAL
        return FRIENDLY if self.friendly(owner, faction) else ENEMY if self.hostile(owner, faction) else NEUTRAL

    def by_territory(self, node: str, faction: str, friendly: int, enemy: int) -> dict[str, int]:
        """The modifier of the territory, by name."""
        kind = self.territory(node, faction)
        return {"friendly territory": friendly if kind == FRIENDLY else 0,
                "enemy territory": enemy if kind == ENEMY else 0}

    def wilds(self, node: str) -> list[str]:
        """The wild terrains of a square in which figures are lost; none where a place gives shelter."""
        row = self.nodes.get(node)
        if row is None or (row.place != "none" and self.rules.crossing_shelter == "on"):
            return []
        return [one for one in row.terrains if self.map.terrain(one).crossing]

    def weather(self, node: str) -> Weather:
        """The weather of a square; fair where phase 0 is not played."""
        table = self.campaign.table(Weather)
        row = self.nodes.get(node)
        zone = self.zones.get(row.zone) if row is not None else None
        word = zone.weather if zone is not None and self.rules.phase0 != "off" else FAIR
        return table.get(word) or table.get(FAIR) or Weather(weather=FAIR)

    def bridge(self, node: str) -> bool:
        """Whether an uncut bridge stands there."""
        row = self.nodes[node]
        return row.bridge and row.bridge_cut_until < self.turn

    def on_road(self, a: str, b: str = "") -> bool:
        """Whether an uncut road or track touches a square, or leads from it to the next."""
        links = self.map.links
        rows = links.links(a, b, *ROADS) if b else links.leaving(a, *ROADS)
        return any(self.roads[one.road.ident].cut_until < self.turn for one in rows)

    # --- Forces -------------------------------------------------------------------------------
    def active(self) -> list[Army]:
        """The Forces on the map, in natural order."""
        return [row for row in self.armies if row.active]

    def at(self, node: str) -> list[Army]:
        """The Forces on the map in a square."""
        return [row for row in self.armies if row.active and row.node == node] if node else []

    def garrison(self, node: str) -> list[Army]:
        """The Forces that keep what lies in a square, or take it with their Units: ashore and not routed."""
        return [one for one in self.at(node) if one.ashore and one.reaction != "routed"]

    def foes_at(self, node: str, faction: str) -> list[Army]:
        """Forces in a square that are hostile to a faction."""
        return [row for row in self.at(node) if self.hostile(row.faction, faction)]

    def order(self, army: Army) -> str:
        """The order that counts: a reaction drops it."""
        kept = army.reaction == NO_ORDER or self.rules.order_under_reaction == "kept"
        return army.order if kept else NO_ORDER

    def vc(self, army: Army) -> int:
        """The V.C. that counts: a deputy's where the commander is not present."""
        return army.vc if army.commander_state == "present" else min(army.vc, self.rules.deputy_vc)

    def units_of(self, army: str) -> list[Unit]:
        """The Units of a Force."""
        return self.units.where(lambda one: one.army == army)

    def figures(self, army: str) -> int:
        """All figures of a Force."""
        return sum(one.figures for one in self.units_of(army))

    def strength(self, army: str) -> int:
        """What a Force counts in points."""
        return sum(one.figures * one.points for one in self.units_of(army))

    def faction_of(self, army: str) -> str:
        """Whose a Force is, "" for one that there is not."""
        row = self.armies.get(army)
        return row.faction if row is not None else ""

    def watched(self, node: str, faction: str) -> bool:
        """Whether a hostile Force ashore that is not routed stands in a square beside, or in this one."""
        near = {node, *self.map.board.neighbours(node)} if node in self.map.board else {node}
        return bool(self._threats(near, faction))

    def _threats(self, near: set[str], faction: str) -> list[Army]:
        return [one for one in self.armies if one.ashore and one.node in near and one.reaction != "routed"
                and self.hostile(one.faction, faction)]

    def in_zone(self, node: str, faction: str, but: str = "") -> list[Army]:
        """The hostile Forces in whose zone a land square lies. `but`: those who stand there do not count."""
        near = set(self.map.board.neighbours(node)) - {but} if self.map.dry(node) else set[str]()
        return self._threats(near, faction)

    # --- boats --------------------------------------------------------------------------------
    def river_boats(self, boat: Boat) -> bool:
        """Whether these boats go on rivers."""
        return boat.kind != "ships" or self.rules.ships_on_rivers == "yes"

    def too_many(self, army: Army, boat: Boat) -> bool:
        """Whether a Force has more figures than boats carry."""
        return self.rules.boat_capacity == "on" and self.figures(army.army) > boat.capacity

    def without_barges(self, army: Army, boat: Boat) -> Unit | None:
        """A Unit with mounts for which boats have no barges."""
        mounts = [one for one in self.units_of(army.army) if one.mounted and one.figures]
        return mounts[0] if mounts and not boat.barges else None

    def carriers(self, army: Army) -> list[Boat]:
        """Own boats without passengers in its square that can take a Force aboard."""
        taken = {one.aboard for one in self.armies if one.active}
        return [one for one in self.boats if one.faction == army.faction and one.node == army.node
                and one.boat not in taken and not self.too_many(army, one) and self.without_barges(army, one) is None]

    # --- dice and telling ---------------------------------------------------------------------
    def thrown(self, purpose: Purpose, dice: str, modifiers: dict[str, int], whom: list[str] | str,
               *about: object) -> Score:
        """A throw with its modifiers. `dice`: as the rules have them; `about`: what fills the purpose."""
        return self.score(purpose(*about, dice=dice), modifiers, whom)

    def told(self, event: str, army: Army, rule: str = "", *, touch: Iterable[Record] = (), **data: Any) -> None:
        """Tell a Force's own faction what became of it; it has changed."""
        self.tell(event, self.own(army.faction), rule, touch=[army, *touch], army=army.army, **data)

    def went(self, event: str, army: Army, start: str, rule: str = "", **data: Any) -> None:
        """Tell a Force's own faction how it went from a square, others who may see it from where to where."""
        self.told(event, army, rule, node=start, **data)
        if army.node != start:
            self.tell("seen", self.others(army.node, army.faction), rule, army=army.army, node=start, to=army.node)

    def seen_by(self, node: str, *factions: str) -> list[str] | str:
        """Who is told of what happens in a square: all; with fog near those who see it, and some factions."""
        if self.rules.fog == "open":
            return "all"
        return self.circle({*factions, *(row.faction for row in self.players() if self.sees(row.faction, node))})

    def others(self, node: str, faction: str) -> list[str] | str:
        """Who else is told of what a Force of a faction does in a square: those who may see it."""
        near = (row.faction for row in self.players() if row.faction != faction)
        return self.circle(one for one in near if self.rules.fog == "open" or self.sees(one, node))

    def sees(self, faction: str, node: str) -> bool:
        """Whether a faction has an own or allied Force, or a place, within sight of a square."""
        return any(self.map.distance(eye, node) <= self.rules.sight for eye in self.eyes(faction))

    def eyes(self, faction: str) -> set[str]:
        """The squares from which a faction sees: own and allied Forces, places that they hold."""
        return {*(one.node for one in self.armies if one.active and one.node and self.friendly(one.faction, faction)),
                *(one.node for one in self.nodes if one.place != "none" and self.friendly(one.holder, faction))}


def listed(rows: Iterable[Record]) -> list[str]:
    """The codes of rows, in natural order."""
    return sorted((row.ident for row in rows), key=natural)
