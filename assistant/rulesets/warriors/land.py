"""The campaign in the words of the chapters: squares, ground, Forces, weather and time, changes that several make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from assistant.campaign.columns import Flag, Ref, Whole, column
from assistant.campaign.map import Map, SquareMap, Steps
from assistant.campaign.records import ALL, OWNERLESS, REFEREE
from assistant.campaign.tables import Record, Table, natural
from assistant.rulesets.warriors import ROLLS, VOCABULARY, book, both, records
from assistant.rulesets.warriors.records import (
    SEASONS,
    Army,
    Boat,
    Climate,
    Faction,
    Node,
    Numbers,
    Relation,
    Road,
    Terrain,
    Unit,
    UnitType,
    Weather,
    Wounded,
    Zone,
)
from assistant.turn import questions
from assistant.turn.chapters import Chapter, Citation, Modifier, QuestionType, Rules
from assistant.turn.event_types import Hearers, owners_in
from assistant.turn.game import Board, Game, One, Sheet
from assistant.turn.questions import Amount, AnswerKind, Ask, Option, Told
from assistant.turn.rulings import Ruling, Score, TableThrow

# The map (rulebook: The square grid).


ROADS = ("road", "track")
RIVER = "river"


class Squares:
    """Squares, the links between them, and their terrains; made once for all states of the same map."""

    def __init__(self, corners: bool, nodes: Table[Node], roads: Table[Road], terrains: Table[Terrain]) -> None:
        self.board = SquareMap.of(nodes, roads, Steps(corners=corners))
        self._terrains = {row.terrain: row for row in terrains}
        self._water = {node.node for node in nodes if any(self.terrain(terrain).water for terrain in node.terrains)}
        self._bridged = {node.node for node in nodes if node.bridge}

    @property
    def links(self) -> Map:
        """Roads, tracks and rivers."""
        return self.board.links

    def terrain(self, code: str) -> Terrain:
        """The row of a terrain; one that is not on the sheet has no effect."""
        return self._terrains.get(code) or Terrain(terrain=code)

    def water(self, node: str) -> bool:
        """Whether a square is sea or lake."""
        return node in self._water

    def dry(self, node: str) -> bool:
        """Whether a Force can stand there ashore."""
        return node in self.board and node not in self._water

    def touch(self, a: str, b: str) -> bool:
        """Whether two squares are adjacent."""
        return a in self.board and b in self.board and bool(self.board.direction(a, b))

    def is_cornered(self, a: str, b: str) -> bool:
        """Whether the corner rule bars a step between two adjacent squares: only water lies beside it."""
        return self.board.extra(a, b, self.dry) is None

    def land_step(self, a: str, b: str) -> bool:
        """Whether a Force can go from a to b: adjacent, no water, and the corner allows it."""
        return self.touch(a, b) and self.dry(b) and not self.is_cornered(a, b)

    def river(self, node: str) -> bool:
        """Whether a river touches the square."""
        return any(self.links.leaving(node, RIVER))

    def navigable(self, a: str, b: str) -> bool:
        """Whether boats can go along a river from a to b."""
        return any(isinstance(link.road, Road) and link.road.navigable for link in self.links.links(a, b, RIVER))

    def rapids(self, a: str, b: str) -> bool:
        """Whether a river between two squares has falls or rapids."""
        return any(isinstance(link.road, Road) and link.road.rapids for link in self.links.links(a, b, RIVER))

    def distance(self, a: str, b: str) -> int:
        """The distance in squares; 999 if one of them is not on the map."""
        return self.board.distance(a, b) if a in self.board and b in self.board else 999


# The board (rulebook: Words with one meaning).


FRIENDLY, ENEMY, NEUTRAL = "friendly", "enemy", ""
NO_ORDER = "none"


class Country(Board):
    """The campaign in the words of the rulebook; reports use it, too."""

    rules: Numbers
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
        """The squares and their links; it holds nothing that changes in play."""
        return self.campaign.derive(Squares, Node, records.Road, Terrain, by=(self.rules.adjacency == "8",))

    # --- factions -----------------------------------------------------------------------------
    @cached_property
    def _states(self) -> dict[frozenset[str], str]:
        return {frozenset((row.a, row.b)): row.state for row in self.campaign.table(Relation)}

    def state(self, a: str, b: str) -> str:
        """The relation of two factions, ``war`` by default."""
        # two factions are at war unless a row says otherwise
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
        """Whether two factions at war are left; else the campaign is over."""
        left = [row.faction for row in self.players()]
        return any(self.hostile(a, b) for a in left for b in left)

    def own(self, faction: str) -> list[str] | str:
        """The audience for what only a faction may know: its club, or the referee if it has none."""
        row = self.factions.get(faction)
        return [faction] if row is not None and row.role not in OWNERLESS else REFEREE

    def circle(self, factions: Iterable[str]) -> list[str] | str:
        """The audience for what several factions may know."""
        codes = [code for code in sorted(set(factions), key=natural) if self.own(code) != REFEREE]
        return codes or REFEREE

    def fighters(self, battle: str) -> list[str]:
        """The factions of the Forces in a battle."""
        return [self.faction_of(row.army) for row in self.battle_armies if row.battle == battle]

    # --- squares ------------------------------------------------------------------------------
    def places(self, holder: str | None = None) -> list[Node]:
        """The strongholds and capitals; those that one faction holds."""
        return self.nodes.where(lambda node: node.place != "none" and holder in (None, node.holder))

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

    def bridge(self, node: str) -> bool:
        """Whether a square has an uncut bridge."""
        row = self.nodes[node]
        return row.bridge and row.bridge_cut_until < self.turn

    def on_road(self, a: str, b: str = "") -> bool:
        """Whether an uncut road or track touches a square, or leads from it to the next."""
        links = self.map.links
        rows = links.links(a, b, *ROADS) if b else links.leaving(a, *ROADS)
        return any(self.roads[link.road.ident].cut_until < self.turn for link in rows)

    # --- Forces -------------------------------------------------------------------------------
    def active(self, faction: str = "") -> list[Army]:
        """The Forces on the map, in natural order; those of one faction."""
        return [row for row in self.armies if row.active and faction in ("", row.faction)]

    def at(self, node: str) -> list[Army]:
        """The Forces on the map in a square."""
        return [row for row in self.armies if row.active and row.node == node] if node else []

    def garrison(self, node: str) -> list[Army]:
        """The Forces that can hold or take a place in a square: ashore and not routed."""
        return [army for army in self.at(node) if army.ashore and army.reaction != "routed"]

    def holds(self, army: Army) -> bool:
        """Whether a Force stands in a place that its side holds."""
        place = self.nodes[army.node]
        return place.place != "none" and self.friendly(place.holder, army.faction)

    def foes_at(self, node: str, faction: str) -> list[Army]:
        """Forces in a square that are hostile to a faction."""
        return [row for row in self.at(node) if self.hostile(row.faction, faction)]

    def order(self, army: Army) -> str:
        """The order that counts: a reaction drops it."""
        kept = army.reaction == NO_ORDER or self.rules.order_under_reaction == "kept"
        return army.order if kept else NO_ORDER

    def vc(self, army: Army) -> int:
        """The V.C. that counts: a deputy's if the commander is not present."""
        return army.vc if army.commander_state == "present" else min(army.vc, self.rules.deputy_vc)

    def units_of(self, army: str) -> list[Unit]:
        """The Units of a Force."""
        return self.units.where(lambda unit: unit.army == army)

    def figures(self, army: str) -> int:
        """All figures of a Force."""
        return sum(unit.figures for unit in self.units_of(army))

    def strength(self, army: str) -> int:
        """The points of a Force."""
        return sum(unit.figures * unit.points for unit in self.units_of(army))

    def faction_of(self, army: str) -> str:
        """The faction of a Force; "" for an unknown code."""
        row = self.armies.get(army)
        return row.faction if row is not None else ""

    def is_watched(self, node: str, faction: str) -> bool:
        """Whether a hostile Force, ashore and not routed, is in this square or beside it."""
        near = {node, *self.map.board.neighbours(node)} if node in self.map.board else {node}
        return bool(self._threats(near, faction))

    def _threats(self, near: set[str], faction: str) -> list[Army]:
        return [army for army in self.armies if army.ashore and army.node in near and army.reaction != "routed"
                and self.hostile(army.faction, faction)]

    def in_zone(self, node: str, faction: str, but: str = "") -> list[Army]:
        """The hostile Forces in whose zone a land square lies. `but`: a square whose Forces do not count."""
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
        mounts = [unit for unit in self.units_of(army.army) if unit.mounted and unit.figures]
        return mounts[0] if mounts and not boat.barges else None

    def carriers(self, army: Army) -> list[Boat]:
        """Own boats without passengers in its square that can take a Force aboard."""
        taken = {other.aboard for other in self.armies if other.active}
        return [boat for boat in self.boats if boat.faction == army.faction and boat.node == army.node
                and boat.boat not in taken and not self.too_many(army, boat)
                and self.without_barges(army, boat) is None]

    # --- dice and events ----------------------------------------------------------------------
    def went(self, event: str, army: Army, start: str, rule: str = "", **data: Any) -> None:
        """Tell a Force's own faction how it moved, and others who may see it from where to where."""
        self.tell(event, rule=rule, army=army.army, node=start, **data)
        if army.node != start:
            self.tell("seen", rule=rule, army=army.army, node=start, to=army.node)

    def audience_at(self, node: str, *factions: str) -> list[str] | str:
        """The audience of what happens in a square: all; in the fog those who see it, and `factions`."""
        if self.rules.fog == "open":
            return "all"
        return self.circle({*factions, *(row.faction for row in self.players() if self.sees(row.faction, node))})

    def others(self, node: str, faction: str) -> list[str] | str:
        """The audience, besides its own faction, of what a Force does in a square."""
        near = (row.faction for row in self.players() if row.faction != faction)
        return self.circle(code for code in near if self.rules.fog == "open" or self.sees(code, node))

    def sees(self, faction: str, node: str) -> bool:
        """Whether a faction has an own or allied Force, or a place, within sight of a square."""
        return any(self.map.distance(eye, node) <= self.rules.sight for eye in self.eyes(faction))

    def eyes(self, faction: str) -> set[str]:
        """The squares from which a faction sees: own and allied Forces, places that they hold."""
        return {*(army.node
                  for army in self.armies if army.active and army.node and self.friendly(army.faction, faction)),
                *(place.node for place in self.places() if self.friendly(place.holder, faction))}

    # --- changes that several chapters make, and where a Force may go -------------------------------
    def owe_will_test(self, faction: str, reason: str) -> None:
        """Note a reason for which a faction owes a test of its will to fight."""
        row = self.factions.get(faction)
        if row is not None and row.plays:
            reasons = [part for part in row.will_due.split(",") if part]
            if reason not in reasons:
                row.will_due = ",".join([*reasons, reason])

    def owe_for_force(self, army: Army) -> None:
        """By switch any Force that is lost is a reason for a test of the will."""
        if self.rules["will_trigger"] == "any_force":
            self.owe_will_test(army.faction, f"force_lost:{army.army}")

    def remove_force(self, army: Army, status: str, event: str, rule: str, *, why: str, roll: Ruling | None = None,
                     keep_wounded: bool = False, **data: object) -> None:
        """Remove a Force from the map, told as `event`: its figures are gone, its boats stay, empty."""
        node = army.node
        self.take_off(army, status, keep_wounded=keep_wounded)
        self.tell(event, rule=rule, army=army.army, faction=army.faction, node=node, why=why, **data)
        # all learn that it is gone, its own faction alone what was thrown
        if roll is not None:
            self.tell("rolled", rule=rule, roll=roll, army=army.army)
        self.choose_new_chief(army.faction)

    def take_off(self, army: Army, status: str, *, keep_wounded: bool = False) -> None:
        """Take a Force off the map, with all its figures."""
        army.status, army.node, army.aboard, army.fieldworks = status, "", "", 0
        for unit in self.units_of(army.army):
            unit.figures = 0
            if not keep_wounded:
                self.forget_wounded(unit.unit)

    def remove_if_empty(self, army: Army, rule: str) -> None:
        """Remove a Force without figures, broken while it waits for wounded, else destroyed."""
        units = {unit.unit for unit in self.units_of(army.army)}
        status = "broken" if any(row.unit in units for row in self.wounded) else "destroyed"
        if army.left and army.status != status and not self.figures(army.army):
            self.remove_force(army, status, f"force_{status}", rule, why="nobody is left", keep_wounded=True)

    def choose_new_chief(self, faction: str) -> None:
        """If the commander-in-chief is gone: the active Force with the highest effective V.C., then the lowest id."""
        own = [army for army in self.armies if army.faction == faction]
        left, gone = [army for army in own if army.active], [army for army in own if army.chief and not army.active]
        if not left or not gone or any(army.chief for army in left):
            return
        heir = min(left, key=lambda army: (-self.vc(army), natural(army.army)))
        for army in gone:
            army.chief = False
        heir.chief = True
        self.tell("new_chief", army=heir.army)

    def forget_wounded(self, unit: str) -> None:
        """Remove the wounded of a Unit."""
        for row in self.wounded.where(lambda wounded: wounded.unit == unit):
            self.wounded.remove(row.ident)

    def next_unit(self, army: str) -> str:
        """The id of a new Unit: the Force's, and the first free letter."""
        letters = "abcdefghijklmnopqrstuvwxyz"
        names = [*(army + letter for letter in letters), *(army + a + b for a in letters for b in letters)]
        return next(name for name in names if name not in self.units)

    def legal_squares(self, army: Army, *, boats: bool = True) -> list[str]:
        """The legal retreat squares of a Force, in natural order; to water where own boats can take it aboard.

        `boats`: after a battle only.
        """
        nodes = [node for node in self.map.board.neighbours(army.node)
                 if self.map.land_step(army.node, node) and self.is_free(army, node)]
        if boats and self.carriers(army):
            nodes += [node for node in self.map.board.neighbours(army.node) if self.map.water(node)
                      and self.is_free(army, node)]
        return sorted(nodes, key=natural)

    def is_free(self, army: Army, node: str) -> bool:
        """Whether only friends, if anybody, stand in a square."""
        return all(self.friendly(other.faction, army.faction) for other in self.at(node))

    def default_place(self, army: Army, options: list[str]) -> str:
        """The default among legal squares; "" if there are none.

        Land comes first, then squares out of hostile zones, friendly ground, near the own capital, and the first id.
        """
        capital = next((place.node for place in self.nodes
                        if place.place == "capital" and place.founder == army.faction), "")

        def rank(node: str) -> tuple[object, ...]:
            kind = self.territory(node, army.faction)
            ground = 0 if kind == FRIENDLY else 1 if kind == NEUTRAL else 2
            return (self.map.water(node), bool(self.in_zone(node, army.faction, but=army.node)), ground,
                    self.map.distance(node, capital) if capital else 0, natural(node))

        return min(options, key=rank) if options else ""


@dataclass(frozen=True)
class Square:
    """A square in which something of a faction is tested: what tables of modifiers ask of it. `node`: "" for none."""

    land: Country
    node: str
    faction: str

    @property
    def territory(self) -> str:
        """Whose ground it is for the faction."""
        return self.land.territory(self.node, self.faction)

    @property
    def terrains(self) -> list[Terrain]:
        """Its terrains that count; none on water."""
        node = self.land.nodes.get(self.node)
        return [] if node is None or self.land.map.water(self.node) else list(map(self.land.map.terrain, node.terrains))


@dataclass(frozen=True)
class Standing(Square):
    """A Force in a square."""

    army: Army


both.words({"friendly territory": "territorio amico", "enemy territory": "territorio nemico"})


def by_territory(friendly: str, enemy: str) -> tuple[Modifier[Any], ...]:
    """The rows for friendly and for enemy territory. `friendly`, `enemy`: keys of their numbers."""
    return (Modifier("friendly territory", lambda square: square.territory == FRIENDLY, friendly),
            Modifier("enemy territory", lambda square: square.territory == ENEMY, enemy))


def by_terrain(column: str) -> tuple[Modifier[Any], ...]:
    """The rows for the one or two terrains of a square. `column`: what it adds, of the sheet Terrains."""
    def row(n: int) -> Modifier[Square]:
        return Modifier(lambda square: "".join(terrain.terrain for terrain in square.terrains[n:n + 1]),
                        lambda square: sum(getattr(terrain, column) for terrain in square.terrains[n:n + 1]))

    return row(0), row(1)


def codes_of_rows(rows: Iterable[Record]) -> list[str]:
    """The codes of rows, in natural order."""
    return sorted((row.ident for row in rows), key=natural)


def take_reaction(land: Country, army: Army, reaction: str) -> None:
    """Give a Force a reaction, which by switch drops its order."""
    army.reaction = reaction
    if land.rules.order_under_reaction != "kept":
        army.order = NO_ORDER


# Who hears of what happens in a square; questions.


ANSWERS: Mapping[str, str] = {word: option for option, words in VOCABULARY["answers"].items() for word in words}
"""Further words of answers -> the option."""


def question_type(kind: str, english: str, italian: str, answer: AnswerKind = Option(),  # noqa: B008
                  **more: Any) -> QuestionType:
    """A kind of question, whose answer must be an option and come from whom it asks (WAR-601, 602)."""
    return QuestionType(kind, book.both(english, italian), None, ANSWERS, answer,
                        wrong=Told("WAR-601", {"answer": "answer", "options": "options"}),
                        foreign=Told("WAR-602", {"faction": "faction"}), **more)


def who_see(*names: str) -> Hearers:
    """Whoever sees the square, and the owners of what these parameters name."""
    return lambda land, data: land.audience_at(data["node"], *owners_in(land.campaign, names, data))


def needing(dice: Score, target: int) -> Score:
    """A throw, with the total that the wanted row of its table needs; without dice as it is."""
    return TableThrow(dice, target) if dice.roll is not None else dice


# Weather and time: phases 0 and 6 (0, 6).


# Phase 0: the weather of each zone (0).


class WeatherNumbers(Rules):
    """Whether there is weather, and what it closes."""

    phase0: Literal["off", "on", "ask"] = book.switch(
        "The weather {option}.", "Il tempo {option}.", ("is always fair", "è sempre sereno"),
        ("is thrown for", "si tira"), ("is said by the referee", "lo dice l'arbitro"), setup=True)
    weather_closes_fords: Literal["on", "off"] = book.switch("Rain and storm {option}.", "Pioggia e tempesta {option}.",
                                                             ("close the fords", "chiudono i guadi"),
                                                             ("leave the fords open", "lasciano aperti i guadi"))


WEATHER_CHAPTER = Chapter(
    both("0 Weather", "0 Meteo"), (Citation("0", "phase 0", "fase 0", "0 Weather"),), WeatherNumbers, events=(
    book.event("weather_set", "news", 4, "{zone}: {weather}.", "{zone}: {weather}.", to=ALL),
    book.event("weather_held", "news", 5, "{zone}: {weather} (it stays).", "{zone}: {weather} (resta).", to=ALL),
), questions=(
    question_type("weather", "Which weather has {zone}?", "Che tempo fa in {zone}?"),
))

both.words({
    "fair": "sereno", "wind": "vento", "heat": "caldo", "splendid": "splendido", "weather": "tempo",
    "weeks": "settimane",
})

WEATHER = ROLLS.purpose(both("Weather", "Tempo"), "weather/{Zones}", "2d6")


FAIR, HEAT, SPLENDID, WIND_WEATHER = "fair", "heat", "splendid", "wind"


def weather_of(land: Country, node: str) -> Weather:
    """The weather of a square; fair if phase 0 is not played."""
    table = land.campaign.table(Weather)
    row = land.nodes.get(node)
    zone = land.zones.get(row.zone) if row is not None else None
    word = zone.weather if zone is not None and WeatherNumbers.of(land).phase0 != "off" else FAIR
    return table.get(word) or table.get(FAIR) or Weather(weather=FAIR)


@dataclass(eq=False, repr=False)
class Skies(Record, sheet="Skies", sheet_it="Cieli"):
    """What the weather of a zone does, as a report shows it."""

    zone: str = column(Ref("Zones"), "Zone", "Zona", key=True)
    land_mod: int = column(Whole(), "Movement", "Movimento")
    explore_mod: int = column(Whole(), "Exploration", "Esplorazione")
    missiles: str = column(Weather.column("missiles").kind, "Missiles", "Tiro")
    fords_closed: bool = column(Flag(), "Fords closed", "Guadi chiusi")


def skies_over(land: Country, forces: Iterable[Army]) -> list[Skies]:
    """The weather of the zones in which some Forces stand."""
    rows = {land.nodes[army.node].zone: weather_of(land, army.node) for army in forces if army.node in land.nodes}
    return [Skies(zone, row.land_mod, row.explore_mod, row.missiles, row.fords_closed) for zone, row in rows.items()
            if zone in land.zones]


def weather(land: Country) -> None:
    """Set the weather of all zones by dice; with phase0 = ask as the referee says."""
    zones = list(land.zones)
    if WeatherNumbers.of(land).phase0 == "ask":
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
    # equal dice: the weather stays as it was; where there was none they are read on the table
    if zone.weather and len(set(roll.faces)) == 1:
        land.tell("weather_held", roll=roll, zone=zone.zone, weather=zone.weather)
        return
    word = next((row.weather for row in land.campaign.table(Weather)
                 if (row.low is None or dice.at_least(row.low)) and (row.high is None or dice.at_most(row.high))), FAIR)
    zone.weather = HEAT if (word, zone.climate, season) == (SPLENDID, "arid", "summer") else word
    land.tell("weather_set", roll=dice, zone=zone.zone, weather=zone.weather, total=dice)


# Phase 6: week, month and season; heroes leave (6).


class TimeNumbers(Rules):
    """How long turns, months and seasons are."""

    turn_weeks: int = book.number(1, both("weeks", "settimane"), "A turn takes {n} {n?week|weeks}.",
                                  "Un turno dura {n} {n?settimana|settimane}.", "ASSUMED")
    month_turns: int = book.number(4, "turns", "A month has {n} {n?week|weeks}.",
                                   "Un mese ha {n} {n?settimana|settimane}.", "ASSUMED", 1)
    season_turns: int = book.number(13, "turns", "A season has {n} {n?week|weeks}.",
                                    "Una stagione ha {n} {n?settimana|settimane}.", "ASSUMED", 1)
    phase6: Literal["week", "ask"] = book.switch(
        "How many weeks a turn takes {option}.", "La durata di un turno in settimane {option}.",
        ("is fixed", "è fissa"), ("is said by the referee", "lo dice l'arbitro"), setup=True)


TIME_CHAPTER = Chapter(both("6 Time", "6 Tempo"), (Citation("6", "phase 6", "fase 6", "6 Time"),), TimeNumbers, events=(
    book.event("week", "news", 6, "Week {week}, month {month}, {season}.", "Settimana {week}, mese {month}, {season}.",
               to=ALL),
    book.event("hero_leaves", "supply", 3, "{unit} leaves {army}.", "{unit} lascia {army}.", to="army"),
), questions=(
    question_type("weeks", "How many weeks have passed?", "Quante settimane sono passate?", questions.Amount()),
))

SEASON_ORDER = tuple(SEASONS)


def season_of(land: Country, week: int) -> str:
    """The season of a week."""
    passed = (week - 1) // TimeNumbers.of(land).season_turns
    return SEASON_ORDER[(SEASON_ORDER.index(land.desk.start_season) + passed) % len(SEASON_ORDER)]


def month_begins(land: Country, week: int) -> bool:
    """Whether places give points in that week."""
    return (week - 1) % TimeNumbers.of(land).month_turns == 0


MOST_WEEKS = 13


def advance_time(land: Country) -> None:
    """The week moves on."""
    weeks = TimeNumbers.of(land).turn_weeks
    if TimeNumbers.of(land).phase6 == "ask":
        weeks = land.game.amount(Ask("weeks", REFEREE, default="1", answer=Amount(0, MOST_WEEKS)))
    land.desk.week += weeks
    week, months = land.desk.week, (land.desk.week - 1) // TimeNumbers.of(land).month_turns
    land.tell("week", week=week, month=months + 1, season=season_of(land, week))
    for hero in land.units.where(lambda unit: 0 < unit.leaves <= land.turn):
        land.forget_wounded(hero.unit)
        hero.figures, hero.leaves = 0, 0
        land.tell("hero_leaves", unit=hero.unit, army=hero.army)
        land.remove_if_empty(land.armies[hero.army], "6")
