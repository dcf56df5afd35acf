"""The campaign in the words of the chapters: bands of units, places, what each side has seen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from assistant.campaign.records import Event
from assistant.campaign.tables import Table, natural
from assistant.rulesets.incursio import ESDEF, VARANNAH, records
from assistant.rulesets.incursio.records import ANY_TYPE, TYPES, Army, Node, Numbers, Observation, Structure
from assistant.turn.dice import Purpose, Throw
from assistant.turn.game import Board, Sheet, fresh
from assistant.turn.orders.requests import Request

# Units as text.


T = TypeVar("T")

_MOST = 99
"""The highest number before a unit that is read."""
_TOKEN = {side: re.compile(rf"(\d{{0,3}})\s*({'|'.join(codes)})[\s,;.+]*", re.IGNORECASE)
          for side, codes in TYPES.items()}


@lru_cache(maxsize=1024)  # many bands are of the same units
def read_units(text: str, side: str) -> tuple[str, ...]:
    """The units of a side in a text, ``2F1A`` or ``Tr As As``; () if it cannot be read."""
    codes: list[str] = []
    rest = text.strip()
    if side not in TYPES:
        return ()
    while rest:
        match = _TOKEN[side].match(rest)
        if match is None or match[1].strip("0") == "" != match[1] or int(match[1] or 1) > _MOST:
            return ()
        codes += [match[2].capitalize()] * int(match[1] or 1)
        rest = rest[match.end():]
    return tuple(codes)


def split_units(text: str) -> list[str]:
    """The units of either side in a text that the assistant or the referee wrote; "" and ``-`` are nobody."""
    return re.findall(ANY_TYPE, text)


NOBODY = ("", "0", "nobody", "none", "nessuno")
"""What people write, besides a dash, if nobody is left of a line."""


def units_or_nobody(text: str) -> list[str] | None:
    """The units of either side in a text, [] for nobody; None if it cannot be read."""
    bare = text.strip(" -–—")
    if bare.casefold() in NOBODY:
        return []
    return list(read_units(bare, ESDEF) or read_units(bare, VARANNAH)) or None


def codes_of(units: Iterable[Unit]) -> list[str]:
    """The codes of units."""
    return [unit.code for unit in units]


def letters(units: Iterable[Unit]) -> str:
    """Units as text, one after the other, by their codes."""
    return "".join(codes_of(units))


def are_among(wanted: Iterable[str], there: Iterable[str]) -> bool:
    """Whether units are among others, in any order."""
    return not Counter(wanted) - Counter(there)


def by_type(units: Iterable[str], side: str) -> list[str]:
    """Units listed by type."""
    counted = Counter(units)
    return [code for code in TYPES[side] for _ in range(counted[code])]


# The units on the map, one by one.


@dataclass(eq=False)
class Unit:
    """One unit.

    `returns`: the day at whose dusk it leaves, None if it stays; `used`: the order that takes it in this moment;
    `driven`: it was driven off today; `gone`: an accepted line leads it elsewhere.
    """

    code: str
    faction: str
    node: str
    posture: str = "open"
    returns: int | None = None
    fought: str = ""
    used: str = ""
    driven: bool = False
    gone: bool = False

    @property
    def band(self) -> str:
        """The code of its band, made of faction, cell, posture, day of return, and whether it fought."""
        cell = f"{int(self.node):02}" if self.node.isdecimal() else self.node
        day = f"-r{self.returns}" if self.returns is not None else ""
        return f"{self.faction[:1].upper()}{cell}{self.posture[:1]}{day}{self.fought[:1]}"


def _line_key(unit: Unit) -> tuple[bool, int, bool]:
    return (unit.returns is not None, unit.returns or 0, bool(unit.fought))


class Camp:
    """All units, in the order in which they came to where they are; bands made earlier come first."""

    def __init__(self, table: Table[Army]) -> None:
        self._table = table
        rows = sorted(table, key=lambda row: row.made or 0)
        # raiders have no garrisons (POT), whatever their rows say
        self.units = [Unit(code, row.faction, row.node, row.posture if row.faction == ESDEF else "open",
                           row.returns_on, row.fought)
                      for row in rows for code in read_units(row.units, row.faction) or split_units(row.units)]

    # --- look-up ------------------------------------------------------------------------------------
    def at(self, node: str, faction: str) -> list[Unit]:
        """All units of a faction in a cell."""
        return [unit for unit in self.units if unit.node == node and unit.faction == faction]

    def garrison(self, node: str) -> list[Unit]:
        """The garrison of a settlement, position 1 first."""
        return [unit for unit in self.at(node, ESDEF) if unit.posture == "garrison"]

    def outside(self, node: str, faction: str) -> list[Unit]:
        """The outsiders of a faction in a cell, as they stand in defence."""
        return sorted((unit for unit in self.at(node, faction) if unit.posture == "open"), key=_line_key)

    def of(self, faction: str) -> list[Unit]:
        """All units of a faction."""
        return [unit for unit in self.units if unit.faction == faction]

    def cells(self, faction: str) -> set[str]:
        """The cells where a faction has units."""
        return {unit.node for unit in self.of(faction)}

    # --- changes ---------------------------------------------------------------------------------------
    def move(self, units: Iterable[Unit], **where: Any) -> None:
        """Move units to the rear of a place, in this order; `where`: the fields that change."""
        moving = list(units)
        self.remove(moving)
        for unit in moving:
            for name, value in where.items():
                setattr(unit, name, value)
            self.units.append(unit)

    def remove(self, units: Iterable[Unit]) -> None:
        """Remove units from the map."""
        gone = set(map(id, units))
        self.units = [unit for unit in self.units if id(unit) not in gone]

    def make(self, codes: Iterable[str], faction: str, node: str, returns: int | None = None) -> list[Unit]:
        """Add new units outside in a cell."""
        made = [Unit(code, faction, node, returns=returns) for code in codes]
        self.units += made
        return made

    def write(self) -> None:
        """Write the bands to their table."""
        bands: dict[str, list[Unit]] = {}
        for unit in self.units:
            bands.setdefault(unit.band, []).append(unit)
        made = max((row.made or 0 for row in self._table), default=0)
        for key in list(self._table.keys_in_file_order()):
            if key not in bands:
                self._table.remove(key)
        for key, units in bands.items():
            first, old = units[0], self._table.get(key)
            if old is None:
                made += 1
                old = self._table.add(Army(army=key, faction=first.faction, node=first.node, posture=first.posture,
                                           returns_on=first.returns, fought=first.fought, made=made))
            old.units = letters(units)


# The board on which the phases of a day are played.


OTHER = {ESDEF: VARANNAH, VARANNAH: ESDEF}
LETTER = {ESDEF: "E", VARANNAH: "V"}


LINES = ("camp", "garrison")
UNITS = ("enemies", *LINES)
_ENDS = {"empty": (*UNITS, "portal"), "enemies": ("empty", "enemies"), "camp": ("empty", "enemies"),
         "garrison": ("empty", "enemies"), "portal": ("empty",), "structure": ("empty",)}
"""The kinds that a new sighting supersedes in its cell, besides an older one of the same thing."""
ENDS_WITH_PLACE = ("refugees", "drill", "watch")
"""Missions that fail if their settlement falls."""
PRINTED_PERCENT = 10
"""The share of captives, in per cent of the people, that the table of levels is printed for."""


def number_of(cell: Any) -> Any:
    """The number of a cell, or of each in a list; a code that is none stays."""
    if isinstance(cell, list):
        return [number_of(one) for one in cell]
    return int(cell) if cell is not None and cell.isdecimal() else cell


class Line(Request):
    """A row of Orders as it was understood, with the columns of this book; "" where one is blank."""

    row: records.Order
    issuer: str
    moment: str
    to_node: str
    units: str
    attack_no: int | str
    repeat: int | str
    fury: str
    structure: str
    player: str
    mission: str
    target_player: str
    subject: str


class Realm(Board):
    """One run of one phase of Incursio."""

    rules: Numbers
    factions, players, nodes = Sheet(records.Faction), Sheet(records.Player), Sheet(Node)
    structures, works, missions = Sheet(records.Structure), Sheet(records.Work), Sheet(records.Mission)
    portals, seen, days = Sheet(records.Portal), Sheet(records.Observation), Sheet(records.Day)
    battles, orders = Sheet(records.Battle), Sheet(records.Order)
    levels, types, ruins = Sheet(records.Level), Sheet(records.StructureType), Sheet(records.RuinLevel)
    powers, spies, mission_types = Sheet(records.Power), Sheet(records.SpyChance), Sheet(records.MissionType)

    taken: list[Line] = fresh(list)
    """The lines that the phase has accepted."""
    plans: dict[str, list[Unit]] = fresh(dict)
    """The units that accepted lines have planned with, by the code of the order."""
    attacks: list[Line] = fresh(list)
    """The attacks that have been accepted."""
    acting: list[Line] = fresh(list)
    """The accepted actions of people, and the lines of those who will spy."""
    building: list[Line] = fresh(list)
    """All that is to be built, before it is judged."""
    extra: list[str] = fresh(list)
    """The lines that go on a second mission."""

    @cached_property
    def camp(self) -> Camp:
        """The units on the map."""
        return Camp(self.campaign.table(records.Army))

    def tell(self, event: str, /, *to: Iterable[str] | str | None, **values: Any) -> Event:
        """As in the base class; in events the number of a cell is a number."""
        cells = {name: number_of(values[name]) for name in ("node", "to_node", "nodes") if name in values}
        return super().tell(event, *to, **values | cells)

    # --- random choices: among things, and units of all types alike (rulebook: Dice) -------------------
    def die(self, throw: Throw, *sides: str) -> int:
        """What a throw comes to that these sides may know."""
        return self.roll(throw, list(sides)).total

    def draw(self, things: Sequence[T], side: str, purpose: Purpose, *about: object) -> T:
        """Draw one of several, listed in rising order, with a die of a side's; a single one needs no die."""
        number = len(things)
        return things[self.die(purpose(*about, dice=f"1d{number}"), side) - 1 if number > 1 else 0]

    def balanced_units(self, n: int, side: str, purpose: Purpose, *about: object, distinct: bool = True,
                       among: Sequence[str] = ()) -> list[str]:
        """So many units, each type alike; the rest is drawn. `among`: the types, if not all."""
        types = tuple(among) or TYPES[side]
        codes = [code for code in types for _ in range(n // len(types))]
        left = list(types)
        for k in range(1, n % len(types) + 1):
            codes.append(self.draw(left, side, purpose, *about, k))
            if distinct:
                left.remove(codes[-1])
        return by_type(codes, side)

    # --- the day --------------------------------------------------------------------------------------
    @property
    def today(self) -> int:
        """The number of the day."""
        return int(self.game.turn)

    @property
    def day(self) -> records.Day:
        """The row of the day, made if it is missing."""
        return self.days.get(self.game.turn) or self.days.add(records.Day(turn=self.game.turn))

    @property
    def is_next(self) -> bool:
        """Whether the phase is the one on the Desk; lines of later phases are judged in their turn."""
        return self.game.phase == self.campaign.desk.phase

    def side(self, place: int) -> str:
        """The faction that is first (0) or second (1) today; "" before the initiative."""
        first = self.day.first
        return "" if not first else first if place == 0 else OTHER[first]

    @property
    def power(self) -> int:
        """The step of power of the raiders."""
        return self.factions[VARANNAH].power_step or 0

    def general(self, faction: str) -> str:
        """The code of a faction's general."""
        return next((row.player for row in self.players if row.faction == faction and row.role == "general"), "")

    # --- places and structures -------------------------------------------------------------------------
    def standing(self, node: str) -> Counter[str]:
        """The structures of a cell, each with its copies."""
        return Counter({row.structure: row.copies for row in self.structures.where(lambda row: row.node == node)})

    def in_work(self, node: str) -> list[records.Work]:
        """The works in progress in a cell."""
        return self.works.where(lambda row: row.node == node and row.state == "in_progress")

    def effects(self, node: str, effect: str) -> dict[str, int]:
        """The structures of a cell with one effect -> the value of one copy."""
        there = self.standing(node)
        return {row.structure: int(row.effect_value or 0) for row in self.types
                if row.effect == effect and there[row.structure]}

    def is_site(self, node: str) -> bool:
        """Whether something stands or is built on a bare cell."""
        return self.nodes[node].kind == "empty" and bool(self.standing(node) or self.in_work(node))

    def is_home(self, node: str, faction: str) -> bool:
        """Whether a cell is a settlement of the defenders, or a ruin of the raiders."""
        return faction in self.nodes[node].owners

    def homes(self, faction: str) -> list[Node]:
        """The settlements, or the ruins."""
        return [row for row in self.nodes if faction in row.owners]

    def level(self, node: Node) -> records.Level:
        """The level of a settlement."""
        return self.levels[str(node.level if node.kind == "settlement" else 0)]

    def ruin(self, node: Node) -> records.RuinLevel:
        """The level of a ruin, at most the highest in the table."""
        return self.ruins.get(str(node.level)) or max(self.ruins, key=lambda row: int(row.level))

    def requires(self, level: int) -> Counter[str]:
        """The structures required for the step to a level; for level 3 by its switch."""
        listed = Counter(self.levels[str(level)].requires.split())
        switch = self.rules.lvl3_req
        # the printed 19 asks for 18 and that for 11, which asks for level 3: nothing could pass level 2
        if level == 3 and switch != "21" and listed["21"]:
            listed -= Counter(["21"])
            listed += Counter(["19"] if switch == "19_ignore_levels" else [])
        return listed

    def level_of(self, there: Counter[str]) -> int:
        """The highest level whose required structures are all there; the lists add up."""
        asked, reached = Counter[str](), 0
        for level in range(1, max(int(key) for key in self.levels.keys_in_file_order()) + 1):
            # the lists add up: level 3 asks for three dwellings (TL)
            asked += self.requires(level)
            if asked - there:
                break
            reached = level
        return reached

    def takes_in(self, node: str, units: Sequence[str]) -> bool:
        """Whether a garrison has room for more units, and stables for cavalry among them."""
        return not (self.no_stables(node, units) or self.overfull(
            node, [*codes_of(self.camp.garrison(node)), *units]))

    def overfull(self, node: str, garrison: Iterable[str]) -> bool:
        """Whether a garrison is over the room of its settlement (TS 07, 17, 18)."""
        units = Counter(garrison)
        each = self.effects(node, "garrison_room_FA").get("07", 0)
        # 18 and 17 give places to archers and cavalry alone; only who is left over takes common ones
        archers = max(0, units["A"] - sum(self.effects(node, "garrison_room_A").values()))
        cavalry = max(0, units["C"] - sum(self.effects(node, "garrison_room_C").values()))
        if self.rules.limit_share == "each":
            others = max(0, units["F"] - each) + max(0, archers - each)
        else:
            others = max(0, units["F"] + archers - each)
        return others + cavalry > self.level(self.nodes[node]).garrison

    def no_stables(self, node: str, garrison: Iterable[str]) -> bool:
        """Whether cavalry is in garrison that may not be there (TS 06)."""
        return ("C" in list(garrison) and self.rules.garrison_cavalry_needs_06 == "yes"
                and not self.effects(node, "garrison_cavalry"))

    def room(self, node: str) -> int:
        """The most units that a garrison can hold, for messages."""
        more = sum(sum(self.effects(node, f"garrison_room_{types}").values()) for types in ("FA", "A", "C"))
        return self.level(self.nodes[node]).garrison + more

    def earn(self, faction: str, amount: int) -> None:
        """Add to the coins of the defenders, or to the resources of the raiders."""
        row, name = self.factions[faction], "coins" if faction == ESDEF else "resources"
        setattr(row, name, (getattr(row, name) or 0) + amount)

    @property
    def coins_tonight(self) -> int:
        """What works are paid from: the coins of the defenders and tonight's income (M1, M5)."""
        return (self.factions[ESDEF].coins or 0) + sum(self.income().values())

    @property
    def coins_for_works(self) -> int:
        """The same, with what missions that still run will have brought by then (M2)."""
        smuggling = self.on_mission("smuggling", state="running")
        return self.coins_tonight + len(smuggling) * self.mission_value("smuggling")

    def income(self) -> dict[str, int]:
        """What each settlement earns a day."""
        return {node.node: self.level(node).income + sum(
            value * self.standing(node.node)[structure]
            for structure, value in self.effects(node.node, "income").items()) for node in self.homes(ESDEF)}

    def on_mission(self, mission: str, **where: str) -> list[records.Mission]:
        """Those who are or were on a mission: running or due, of a day, for a place or a player."""
        return self.missions.where(lambda row: row.mission == mission and all(
            getattr(row, name) == value for name, value in where.items()))

    def mission_value(self, mission: str) -> int:
        """The figure of a mission."""
        row = self.mission_types.get(mission)
        return (row.value if row is not None else 0) or 0

    # --- ways ------------------------------------------------------------------------------------------
    def sorted_cells(self, cells: Iterable[str]) -> list[str]:
        """Cells in rising order, each once."""
        return sorted(set(cells), key=natural)

    def neighbours(self, node: str, faction: str) -> list[str]:
        """The cells one line away that a side can reach: soldiers by grey lines only."""
        return self.game.map.neighbours(node, *(("grey",) if faction == ESDEF else ()))

    def reach(self, a: str, b: str, faction: str) -> bool:
        """Whether a unit comes from a to b in one movement."""
        near, done = {a}, {a}
        for _ in range(self.rules.moves_per_moment):
            near = {there for here in near for there in self.neighbours(here, faction)} - done
            done |= near
        return b in done - {a}

    # --- what each side has seen, and the fate of places -----------------------------------------------
    def sightings_at(self, faction: str, node: str, *kinds: str) -> list[Observation]:
        """A faction's current sightings of a cell, of some kinds or of all, the oldest first."""
        return self.seen.where(lambda row: row.faction == faction and row.node == node and row.state == "current"
                                and (not kinds or row.kind in kinds))

    def current(self, faction: str) -> list[Observation]:
        """All current sightings of a faction."""
        return self.seen.where(lambda row: row.faction == faction and row.state == "current")

    def sighted_portals(self) -> list[Observation]:
        """The current sightings of portals; only the defenders have to look for them."""
        return [row for row in self.current(ESDEF) if row.kind == "portal"]

    def supersede(self, rows: Iterable[Observation]) -> None:
        """Mark sightings as superseded; the next event of the phase tells the change."""
        for row in rows:
            row.state = "superseded"

    def observe(self, faction: str, node: str, kind: str, source: str, *, position: int | None = None,
                what: str = "", player: str = "", day: int | None = None) -> None:
        """Add a sighting of a faction, which supersedes what contradicts it. `day`: that of an older sighting."""
        self.supersede(row for row in self.sightings_at(faction, node)
                       if row.kind in _ENDS[kind] or (row.kind, row.position, row.kind == "structure" and row.what)
                       == (kind, position, kind == "structure" and what))
        number = int(next(self.seen.from_the_last(), "0")) + 1
        self.seen.add(Observation(
            no=number, faction=faction, node=node, kind=kind, position=position, what=what,
            seen_on=self.today if day is None else day, source=source, player=player))

    def observe_line(self, faction: str, node: str, kind: str, units: Iterable[Unit]) -> None:
        """A faction has seen a whole line in battle; what it believed of one there is superseded."""
        self.supersede(self.sightings_at(faction, node, kind))
        for position, unit in enumerate(units, 1):
            self.observe(faction, node, kind, "battle", position=position, what=unit.code)

    def move_sightings_forward(self, faction: str, node: str, line: str, thrown: Iterable[int], dead: int) -> None:
        """After a battle: drop what was believed of positions that threw, move the rest forward by the dead."""
        rows = self.sightings_at(faction, node, line)
        threw = set(thrown)
        self.supersede(rows)
        # who threw nothing stands nearer to the front by as many as have died
        for row in rows:
            if row.position not in threw and (row.position or 0) - dead > 0:
                self.observe(faction, node, line, row.source, position=(row.position or 0) - dead, what=row.what,
                             player=row.player, day=row.seen_on)

    def supersede_place(self, node: str) -> None:
        """A place changes hands: all earlier sightings of it are superseded."""
        self.supersede(self.seen.where(lambda row: row.node == node and row.state == "current"))

    def raze(self, node: str) -> None:
        """Destroy what the defenders have or build on bare ground, when demons come there."""
        if self.is_site(node):
            self._destroy_structures(node)
            self.tell("site_razed", node=node)

    def _destroy_structures(self, node: str) -> None:
        """Remove structures and works of a cell."""
        for row in self.structures.where(lambda row: row.node == node):
            self.structures.remove(row.ident)
        for work in self.in_work(node):
            self.lose_work(work)

    def lose_work(self, work: records.Work) -> None:
        """A work is lost; by switch half its cost comes back."""
        work.state = "lost"
        if self.rules.build_refund == "half":
            self.earn(ESDEF, work.cost // 2)

    def settlement_falls(self, place: Node) -> int:
        """A settlement falls to demons and becomes a ruin, whatever its level was; return the captives."""
        level = place.level
        # counted while the place still has its level
        captives = self.captives_of(place)
        for mission in self.missions.where(lambda row: row.target == place.node and row.state in ("running", "due")
                                            and row.mission in ENDS_WITH_PLACE):
            mission.state = "failed"
            self.tell("mission_ended", player=mission.player, mission=mission.mission, result="failed")
        self._destroy_structures(place.node)
        # power 7: new ruins begin at level 1
        place.kind, place.level, place.refugees = "ruin", 1 if self.power >= 7 else 0, 0
        place.ruined_on = self.today
        self.tell("settlement_fell", node=place.node, level=level)
        self.earn(VARANNAH, captives)
        self.tell("captives_taken", node=place.node, resources=captives)
        return captives

    def captives_of(self, place: Node) -> int:
        """The captives in the level's row; with a share other than the printed tenth that share of its people, half up.
        """
        row, percent = self.level(place), self.rules.capture_percent
        return row.captives if percent == PRINTED_PERCENT else (row.population * percent + 50) // 100

    def purify(self, place: Node) -> None:
        """Soldiers take a ruin: it is bare ground again, and no settlement."""
        place.kind, place.level, place.ruined_on = "empty", 0, None
        self.tell("ruin_purified", node=place.node)

    def add_structure(self, node: str, structure: str) -> None:
        """Add a copy of a structure to a cell."""
        row = self.structures.get(f"{node}/{structure}")
        if row is None:
            self.structures.add(Structure(node=node, structure=structure, copies=1))
        else:
            row.copies += 1
