"""The campaign in the chapters' words: the map, names in orders, sides, groups, places, questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue, as_text
from assistant.campaign.map import DIRECTIONS, HexMap, column_row, direction, distance, is_hex, step
from assistant.campaign.map import nearest as nearest_hex
from assistant.campaign.records import REFEREE, Event, names_held
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import both, chapter, citation, records
from assistant.rulesets.anarchy.records import ANGEVIN, NEUTRAL, ROYAL, Army, Convoy, Noble, Place, Prisoners, Train
from assistant.turn.chapters import QuestionType, Rules, number, switch
from assistant.turn.dice import Purpose, RangeTable, Roll
from assistant.turn.findings import nearest as nearest_word
from assistant.turn.game import Board, One, Sheet, Tables, fresh
from assistant.turn.orders.requests import Refused, refuse_if
from assistant.turn.orders.row_columns import require_row
from assistant.turn.orders.words import fold
from assistant.turn.questions import AnswerKind, Ask, Option, Told

# The map, and what places give (2, 5).


step_cost = partial(number, unit=records.MOVEMENT_POINTS, tag=records.DERIVED)
"""A number that says what a step costs."""


class MapNumbers(Rules):
    """What a step costs."""

    cost_open: int = step_cost(1, meaning=both("Entering open ground costs {n} movement {n?point|points}.",
                                               "Entrare in terreno aperto costa {n} {n?punto|punti} movimento."))
    cost_forest: int = step_cost(2, meaning=both("Entering a forest costs {n} movement {n?point|points}.",
                                                 "Entrare in un bosco costa {n} {n?punto|punti} movimento."))
    cost_hill: int = step_cost(2, meaning=both("Entering hills costs {n} movement {n?point|points}.",
                                               "Entrare in collina costa {n} {n?punto|punti} movimento."))
    cost_river: int = step_cost(3, meaning=both("Entering a hex with a river costs {n} movement {n?point|points}.",
                                                "Entrare in un esagono con un fiume costa {n} {n?punto|punti} "
                                                "movimento."))
    cost_marsh: int = step_cost(3, meaning=both("Entering a marsh costs {n} movement {n?point|points}.",
                                                "Entrare in una palude costa {n} {n?punto|punti} movimento."),
                                tag=records.ASSUMED)
    cost_coast: int = step_cost(1, meaning=both("Entering a hex on the coast costs {n} movement {n?point|points}.",
                                                "Entrare in un esagono di costa costa {n} {n?punto|punti} movimento."),
                                tag=records.ASSUMED)
    cost_road: int = step_cost(1, tag=records.ASSUMED, meaning=both(
        "A step along a road, bridge or ford costs {n} movement {n?point|points}.",
        "Un passo lungo una strada, un ponte o un guado costa {n} {n?punto|punti} movimento."))
    hex_km: int = number(5, both("km", "km"), both("A hex is {n} km wide.", "Un esagono è largo {n} km."), minimum=1,
                         source="2")
    terrain_set: Literal["A", "B", "custom"] = switch(
        both("Open ground, forest, hills, river and marsh cost {option}.",
             "Terreno aperto, bosco, collina, fiume e palude costano {option}."),
        both("1 2 2 3 3 (A)", "1 2 2 3 3 (A)"), both("1 1 1 3 3 (B)", "1 1 1 3 3 (B)"),
        both("what is typed above", "quanto è scritto sopra"), usual=True)
    move_unit: Literal["points", "hexes"] = switch(
        both("A march is counted {option}.", "Una marcia si conta {option}."),
        both("in movement points", "in punti movimento"), both("in hexes of 1 each", "in esagoni da 1 l'uno"),
        source="8.3, 4", usual=True)


both.words({
    "forest": "bosco", "entered": "inserito", "withdraw": "si ritira", "pay": "paga", "take": "prende",
    "burn": "brucia", "hold": "resta", "convoy": "convoglio", "place": "luogo", "none": "niente", "held": "trattenuti",
    "give_way": "cedono", "stay": "restano", "abandon": "abbandonate", "hired": "assunto", "loot": "saccheggio",
    "ruling": "decisione", "promise": "promessa", "loyalty": "lealtà", "hill": "collina", "marsh": "palude",
    "river": "fiume", "coast": "costa", "men": "uomini", "nobles": "nobili", "angevin": "angioini", "killed": "ucciso",
    "royal": "realisti",
})

MAP_CHAPTER = chapter(both("2.1 Terrain", "2.1 Il terreno"), 4, MapNumbers,
                      cites=(citation(both("2 The map", "2 La mappa"), 4),
                             citation(both("4 Counters", "4 Le pedine"), 4)))


TERRAINS = ("open", "forest", "hill", "river", "marsh", "coast")
TERRAIN_SET_B: Mapping[str, int] = {"open": 1, "forest": 1, "hill": 1, "river": 3, "marsh": 3}


class PlaceNumbers(Rules):
    """Whom a place helps, and with how much."""

    resources_max: int = number(10, both("points", "punti"),
                                both("A place holds {n} {n?point|points} at most.",
                                     "Un luogo tiene al massimo {n} {n?punto|punti}."), minimum=1)
    village_access: Literal["mirror", "above4", "faction"] = switch(
        both("A village is open {option}.", "Un villaggio è aperto {option}."),
        both("to royals from 5 up, to angevins from 6 down", "ai realisti da 5 in su, agli angioini da 6 in giù"),
        both("to royals from 5 up, to no angevins", "ai realisti da 5 in su, mai agli angioini"),
        both("to its lord's side", "alla parte del suo signore"), source="5.1, 14.5", usual=True)
    priory_is: Literal["monastic", "village"] = switch(
        both("Priories count as {option}.", "I priorati contano come {option}."), both("monasteries", "monasteri"),
        both("villages", "villaggi"), source="5.1, 5.2")


PLACES_CHAPTER = chapter(both("5.1 Villages", "5.1 I villaggi"), 5, PlaceNumbers,
                         cites=(citation(both("5.2 Monasteries", "5.2 Gli edifici monastici"), 5),))


BANDS = {"5-6": RangeTable("loyalty", ((None, 4, "angevin"), (5, 6, "neutral"), (7, None, "royal"))),
         "5_only": RangeTable("loyalty", ((None, 4, "angevin"), (5, 5, "neutral"), (6, None, "royal")))}


# The campaign's tables, its map, and names in orders (rulebook: Orders; chapter 17), without a phase.


CORNERS = ("0101", "2416")
PRINTED = HexMap({}, (), *CORNERS)
"""The printed map; hexes that no sheet lists are open ground."""


def build_map(nodes: Iterable[records.Node], roads: Iterable[records.Road]) -> HexMap:
    """The map of a campaign: the listed hexes if they fill a rectangle, else the printed board around them."""
    terrains = {n.node: n.terrains for n in nodes}
    spots = [column_row(code) for code in terrains if is_hex(code)]
    whole = len({c for c, _ in spots}) * len({r for _, r in spots})
    corners = ("", "") if len(spots) > 1 and len(spots) == whole else CORNERS
    return HexMap(terrains, ((r.a, r.b, r.kind) for r in roads), *corners)


class MapTables(Tables):
    """The tables of a campaign and its map."""

    desk = One(records.Desk)
    factions = Sheet(records.Faction)
    armies = Sheet(records.Army)
    nobles = Sheet(records.Noble)
    places = Sheet(records.Place)
    convoys = Sheet(records.Convoy)
    trains = Sheet(records.Train)
    prisoners = Sheet(records.Prisoners)
    wounded = Sheet(records.Wounded)
    sieges = Sheet(records.Siege)
    battles = Sheet(records.Battle)
    losses = Sheet(records.Loss)
    objectives = Sheet(records.Objective)
    nodes = Sheet(records.Node)
    roads = Sheet(records.Road)
    orders = Sheet(records.Order)
    events = Sheet(Event)
    sightings = Sheet(records.Sighting)

    @cached_property
    def hexes(self) -> HexMap:
        """The map."""
        return self.campaign.derive(build_map, records.Node, records.Road)

    def side(self, faction: str) -> str:
        """The side of a faction's code."""
        row = self.factions.get(faction)
        return (row.side or row.faction) if row is not None else faction


COMPASS = {**{d: d for d in DIRECTIONS}, "SO": "SW", "NO": "NW"}
"""Directions in both languages: SO is sud-ovest, NO is nord-ovest."""
MISREAD = str.maketrans("OIL", "011")
"""Letters typed by mistake for digits."""
_MEN = r"(?i)([KDSBLP])(\d{1,6})"
_BETWEEN = r"[\s,;>\u2192]+"


def hex_of(land: MapTables, text: str, field_name: str) -> str:
    """The hex of a reference: ``0605``, ``Malmesbury``, ``Malmesbury NE2``. Raises `Refused` (ANA-002, 009, 101)."""
    word = text.strip()
    # a cell that holds a number has lost the zero of 0605
    if re.fullmatch(r"\d{3,4}", word):
        code = word.zfill(4)
        refuse_if(code not in land.hexes, "ANA-101", field_name, hex=word)
        return code
    there = _landmark(land, word)
    match = re.fullmatch(r"(.*\S)[\s_]+([NS][EWO]?)\s?(\d*)", word, re.IGNORECASE)
    if not there and match is not None:
        start, towards = _landmark(land, match[1]), COMPASS.get(match[2].upper(), "")
        if start and towards:
            there = start
            for _ in range(int(match[3] or 1)):
                there = step(there, towards) if there else ""
            refuse_if(there not in land.hexes, "ANA-101", field_name, hex=word)
    if not there:
        names = [*(p.name or p.place for p in land.places), *(n.name for n in land.nodes if n.name)]
        code = word.upper().translate(MISREAD)
        near = code if is_hex(code) and code in land.hexes else nearest_word(word, names)
        raise Refused("no_such_place", field_name, word=word, near=near)
    return there


def _landmark(land: MapTables, word: str) -> str:
    """The hex of a place, a named hex, or the places whose names begin like that; "" for none. Raises ANA-009."""
    wanted = fold(word)
    if is_hex(word) and word in land.hexes:
        return word
    exact = [(p.place, p.node) for p in land.places if wanted in map(fold, (p.place, *names_held(p)))]
    exact = exact or [(n.node, n.node) for n in land.nodes if n.name and fold(n.name) == wanted]
    matches = exact or [(p.place, p.node) for p in land.places
                        if wanted and any(fold(name).startswith(f"{wanted}_") for name in (p.place, *names_held(p)))]
    named = {node: ident for ident, node in reversed(matches)}  # of several places on a hex the first
    if len(named) > 1:
        raise Refused("ambiguous", "path", word=word, a=matches[0][0], b=next(
            named[node] for _, node in matches if node != matches[0][1]))
    return matches[0][1] if matches else ""


@dataclass
class Way:
    """A path as an order gives it: hexes after the start, or `far` goals, each reached by the cheapest way."""

    start: str
    hexes: list[str]
    far: bool = False


def path_of(land: MapTables, text: str, start: str) -> Way:
    """The hexes of a path: codes, directions, one far hex or place, or codes of several places, one after the other
    (among hexes or directions the code of a place is its hex). Raises `Refused` (ANA-002, 009, 101, 102).
    """
    words = [w for w in re.split(_BETWEEN, text.strip()) if w]
    steps: list[str] = []
    here = start
    nodes = [str(land.places[w].node) if len(words) > 1 and w in land.places else w for w in words]
    if len(words) > 1 and all(w in land.places for w in words):
        steps = [there for here, there in pairwise([start, *nodes]) if there != here]
        return Way(start, steps, far=bool(steps))
    if all(re.fullmatch(r"\d{3,4}", w) or w.upper() in COMPASS for w in nodes):
        for word in nodes:
            there = step(here, COMPASS[word.upper()]) if word.upper() in COMPASS else word.zfill(4)
            refuse_if(there not in land.hexes, "ANA-101", "path", hex=there or word)
            if there != here:
                steps.append(there)
            here = there
    else:
        for word in words if any(map(str.isdecimal, words)) else ():  # one by one, so that the finding names the word
            if word.upper() not in COMPASS:
                hex_of(land, word, "path")
        goal = hex_of(land, text, "path")
        steps = [goal] if goal != start else []
    if len(steps) == 1 and not direction(start, steps[0]):
        return Way(start, steps, far=True)
    for here, there in pairwise([start, *steps]):
        refuse_if(not direction(here, there), "ANA-102", "path", a=here, b=there)
    return Way(start, steps)


def half_pounds(raw: object) -> int:
    """Pounds in halves, 0 for blank; point or comma. Raises `Refused` (ANA-008)."""
    text = as_text(raw).replace("£", "").strip()
    try:
        return int(records.MONEY.read(text)) if text else 0
    except UnreadableValue:
        raise Refused("not_an_amount", "amount", word=raw) from None


@dataclass
class Men:
    """Men as a player writes them: numbers by rank, and the hurt men among them."""

    ranks: dict[str, int] = field(default_factory=dict)
    hurt: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many men."""
        return sum(self.ranks.values())


def men_of(land: MapTables, text: str, field_name: str = "men") -> Men:
    """``K2 S3 B1 w:W5``. Raises `Refused` (ANA-002, 008)."""
    men = Men()
    for word in re.split(r"[\s,;+]+", text.strip()):
        if not word:
            continue
        match = re.fullmatch(_MEN, word)
        if match is not None:
            rank = records.LETTERS[match[1].upper()]
            men.ranks[rank] = men.ranks.get(rank, 0) + int(match[2])
        elif word.lower().startswith("w:"):
            code = require_row(land.wounded, word[2:], field_name).wounded
            men.hurt += [code] if code not in men.hurt else []
        else:
            raise Refused("not_an_amount", field_name, word=word)
    return men


def show_ranks(ranks: Mapping[str, int]) -> str:
    """How many of each rank: ``K2 S3``."""
    return " ".join(f"{letter}{ranks[rank]}" for rank, letter in records.LETTER_OF.items() if ranks.get(rank))


# The board of a phase: sides, groups, places, dice, questions.


class Realm(MapTables, Board):
    """The board of one run of a phase: look-ups in the chapters' words."""

    rules: records.Numbers
    _asked: Counter[str] = fresh(Counter)
    _rolled: Counter[str] = fresh(Counter)

    # --- calendar and map -------------------------------------------------------------------
    @property
    def day(self) -> int:
        """Today; 0 before the first day."""
        return int(self.game.turn) if self.game.turn.isdecimal() else 0

    def step_cost(self, a: str, b: str) -> int | None:
        """Movement points of a step to a neighbour: by road, else the dearest terrain entered; None off the map."""
        if b not in self.hexes:
            return None
        if MapNumbers.of(self).move_unit == "hexes":
            return 1
        return MapNumbers.of(self).cost_road if self.hexes.road(a, b) else self.hexes.worst(b, self._prices)

    @cached_property
    def _prices(self) -> dict[str, int]:
        typed = {name: int(self.rules[f"cost_{name}"]) for name in TERRAINS}
        return {**typed, **TERRAIN_SET_B} if MapNumbers.of(self).terrain_set == "B" else typed

    # --- sides ------------------------------------------------------------------------------
    def friends(self, one: Any, other: Any) -> bool:
        """Whether two rows, such as groups, are of one side."""
        return self.side(one.faction) == self.side(other.faction)

    def clubs(self, side: str) -> list[str]:
        """The factions that play a side, by code; the side's own word if none does."""
        return [row.faction for row in self.factions if self.side(row.faction) == side] or [side]

    def faction_of(self, side: str) -> str:
        """The first faction that plays a side; the side's own word if none does."""
        return self.clubs(side)[0]

    def band(self, level: int | None) -> str:
        """The side that a loyalty favours."""
        # without a loyalty it leans to nobody
        return BANDS[self.rules.neutral_band].at(5 if level is None else level)

    @staticmethod
    def foe(side: str) -> str:
        """The other side; neutrals have none."""
        return {ROYAL: ANGEVIN, ANGEVIN: ROYAL}.get(side, "")

    # --- groups -----------------------------------------------------------------------------
    def active(self) -> list[Army]:
        """Groups and companies on the map."""
        return self.armies.where(lambda a: a.active)

    def at(self, node: str) -> list[Army]:
        """Groups on a hex, inside or outside a castle."""
        return self.armies.where(lambda a: a.active and a.node == node)

    def in_the_open(self, node: str) -> list[Army]:
        """Groups on a hex that are outside castles and follow no other."""
        return [a for a in self.at(node) if not a.inside and not self.is_attached(a)]

    def with_them(self, army: Army) -> list[Noble]:
        """Nobles with a group, the commander among them."""
        return [n for n in self.nobles if n.army == army.army and n.at_large]

    def commander(self, army: Army) -> Noble | None:
        """The noble who leads."""
        row = self.nobles.get(army.commander) if army.commander else None
        return row if row is not None and row.army == army.army and row.at_large else None

    def prestige(self, army: Army) -> int:
        """The commander's prestige; -1 without a noble."""
        noble = self.commander(army)
        return noble.prestige if noble is not None else -1

    def followers(self, army: Army) -> list[Army]:
        """Mercenaries attached to a group."""
        return self.armies.where(lambda a: a.active and a.employer == army.army and a.army != army.army)

    def stack(self, army: Army) -> list[Army]:
        """A group and the mercenaries attached to it."""
        return [army, *self.followers(army)]

    def heads(self, army: Army) -> int:
        """Characters of one group: men of all ranks and nobles."""
        return army.men + len(self.with_them(army))

    def stack_heads(self, army: Army) -> int:
        """Characters that count together (switches merc_count, head_count)."""
        rows = self.stack(army) if self.rules.merc_count == "stack" else [army]
        total = sum(self.heads(a) for a in rows)
        if self.rules.head_count == "all":
            total += sum(row.engineers if isinstance(row, Train) else row.driver for row in self.led_goods(army))
        return total

    def led_trains(self, army: Army) -> list[Train]:
        """Siege trains under a group."""
        return [t for t in self.trains if t.escort == army.army and t.state == "active"]

    def escorted_captives(self, army: Army) -> list[Prisoners]:
        """Captives whom a group escorts; empty records are left out."""
        return [p for p in self.prisoners if p.escort == army.army and p.state == "escorted" and self.holds(p)]

    def led_goods(self, army: Army) -> list[Convoy | Train]:
        """Convoys and trains under a group."""
        convoys = [c for c in self.convoys if c.escort == army.army and c.state == "active"]
        return [*convoys, *self.led_trains(army)]

    def led_captives(self, army: Army) -> list[Prisoners]:
        """Captives with a group: escorted by it, or just taken."""
        return [p for p in self.prisoners if (p.escort or p.captor_army) == army.army
                and p.on_their_way and p.node == army.node]

    def captives(self, record: Prisoners) -> list[Noble]:
        """Nobles among captives."""
        return [n for n in self.nobles if n.held_in == record.prisoners and n.state == "prisoner"]

    def holds(self, record: Prisoners) -> int:
        """How many are left among captives, men and nobles."""
        return record.men + len(self.captives(record))

    def at_goal(self, record: Prisoners) -> bool:
        """Whether captives are on the hex of their destination, where the close delivers them."""
        goal = self.places.get(record.destination)
        return goal is not None and goal.node == record.node

    def hurt_men(self, army: Army, state: str = "hurt") -> list[records.Wounded]:
        """Hurt men and nobles with a group."""
        return [w for w in self.wounded if w.army == army.army and w.state == state]

    def whereabouts(self, man: Noble | records.Wounded) -> str:
        """The hex of a noble or a hurt man: of his group, else of his place; "" if he is nowhere."""
        army, place = self.armies.get(man.army), self.places.get(man.place)
        return army.node if army is not None and army.active else place.node if place is not None else ""

    def lone(self, army: Army) -> bool:
        """Whether it is a noble without men."""
        return army.men == 0 and bool(self.with_them(army))

    def is_attached(self, army: Army) -> bool:
        """Whether it follows another group."""
        chief = self.armies.get(army.employer)
        return chief is not None and chief.army != army.army and chief.active

    def commands(self, faction: str, row: Army | Convoy | Place | Train) -> bool:
        """Whether a faction may order a unit: its own, or a castle that it holds; neutral factions count as one."""
        side = self.side(faction)
        if isinstance(row, Place):
            return (row.holder or NEUTRAL) == side and (side == NEUTRAL or faction in self.wardens(row))
        return row.faction == faction or side == NEUTRAL == self.side(row.faction)

    def is_unhired(self, army: Army) -> bool:
        """Whether it is a company that nobody pays; in a view without its contract, too."""
        return army.mercenary and self.side(army.faction) == NEUTRAL and army.contract in ("none", "")

    def under_contract(self, company: Army, side: str, field: str) -> Refused:
        """ANA-504 with the contract as a side may know it: the other side's terms stay hidden (section 8)."""
        own = self.side(company.faction) == side or company.contract == "none"
        return Refused("ANA-504", field, m=company.army, contract=company.contract if own else "hired")

    def safe(self, army: Army) -> bool:
        """Whether a safe conduct covers it today."""
        return army.safe_on is not None and army.safe_on == self.day

    def is_shut_in(self, army: Army) -> bool:
        """Whether it is inside a besieged castle."""
        return bool(army.inside) and self.is_besieged(army.inside)

    def by_rank(self, armies: Iterable[Army]) -> list[Army]:
        """Groups by prestige down, stack heads down, id."""
        return sorted(armies, key=lambda a: (-self.prestige(a), -self.stack_heads(a), natural(a.army)))

    def by_size(self, armies: Iterable[Army]) -> list[Army]:
        """Groups by heads of their own down, then by id."""
        return sorted(armies, key=lambda a: (-self.heads(a), natural(a.army)))

    def largest(self, armies: Iterable[Army]) -> Army | None:
        """The group with most heads of its own, then by id."""
        return next(iter(self.by_size(armies)), None)

    def bring(self, army: Army, node: str) -> None:
        """Move a group with all that it leads."""
        stack = self.stack(army)
        captives = [p for unit in stack for p in self.led_captives(unit)]
        for row in (*stack, *self.led_goods(army), *captives):
            if row.node != node and not isinstance(row, Prisoners):
                row.came_from = row.node
            if isinstance(row, Army):
                # the two nights that make one group of friends (8.1) are counted anew on each hex
                row.shares_since = None
            row.node = node

    # --- places -----------------------------------------------------------------------------
    def places_at(self, node: str) -> list[Place]:
        """Places that stand on a hex, by id."""
        return [p for p in self.places if p.node == node and p.exists]

    def castle_at(self, node: str, side: str = "") -> Place | None:
        """The castle on a hex, of that side if one is named."""
        return next((p for p in self.places_at(node) if p.castle and side in ("", p.holder)), None)

    def side_of_place(self, place: Place) -> str:
        """Whose place it is: a castle's holder, a village's band."""
        return (place.holder or NEUTRAL) if place.castle else self.band(place.loyalty)

    def of_side(self, place: Place, side: str) -> bool:
        """Whether it is a place of that side: a castle held, a village of its band."""
        return place.exists and self.side_of_place(place) == side

    def open_to(self, place: Place, side: str) -> bool:
        """Whether a place helps a side: food, recruits, engineers."""
        if not place.exists or side == NEUTRAL:
            return False
        if place.castle:
            return place.holder == side and not self.is_besieged(place.place)
        level = 5 if place.loyalty is None else place.loyalty
        if PlaceNumbers.of(self).village_access == "above4":
            return side == ROYAL and level > 4
        if PlaceNumbers.of(self).village_access == "faction":
            lord = self.nobles.get(place.lord)
            return lord is not None and self.side(lord.faction) == side
        # 5.1 speaks of a loyalty above 4, as royals see it; for angevins it is mirrored by default
        return level >= 5 if side == ROYAL else level <= 6

    def sees_stores(self, side: str, place: Place) -> bool:
        """Whether a side sees a place's stores: its own place, or a group there (rulebook: Who may know what)."""
        return self.of_side(place, side) or any(self.side(a.faction) == side for a in self.at(place.node))

    def monastic(self, place: Place) -> bool:
        """Whether it is looted and levied as a monastery."""
        priories = PlaceNumbers.of(self).priory_is == "monastic"
        return place.kind == "abbey" or (priories and place.kind in records.MONASTIC)

    def is_besieged(self, place: str) -> bool:
        """Whether a siege of a castle is on."""
        siege = self.sieges.get(place)
        return siege is not None and siege.state == "on"

    def besiegers(self, place: Place) -> list[Army]:
        """Groups before a castle."""
        return [a for a in self.at(place.node) if a.besieging == place.place and not a.inside]

    def wardens(self, place: Place) -> list[str]:
        """The factions that speak for a castle, the one that is asked first.

        That of its lord or of a noble or group in it, if of the holder's side; else all factions of that side.
        """
        lord = self.nobles.get(place.lord)
        nobles = [*([lord] if lord is not None and lord.state != "dead" else []), *self.in_garrison(place)]
        factions = [n.faction for n in nobles] + [a.faction for a in self.at(place.node) if a.inside == place.place]
        own = [code for code in factions if self.side(code) == place.holder]
        return own[:1] or self.clubs(place.holder or NEUTRAL)

    def speaker(self, unit: Army | Convoy | Place | Train) -> str:
        """The faction that speaks for a unit."""
        return self.wardens(unit)[0] if isinstance(unit, Place) else unit.faction

    def in_garrison(self, place: Place) -> list[Noble]:
        """Nobles who command or are cared for in a castle."""
        return [n for n in self.nobles if n.place == place.place and not n.army and n.at_large]

    def nobles_of(self, unit: Army | Place) -> list[Noble]:
        """Nobles with a group or in a castle."""
        return self.in_garrison(unit) if isinstance(unit, Place) else self.with_them(unit)

    def nearest_own(self, side: str, node: str) -> Place | None:
        """The nearest place of a side, by hexes, then by id."""
        nearest = nearest_hex(node, ((p.place, p.node) for p in self.places if self.of_side(p, side)))
        return self.places[nearest] if nearest else None

    @staticmethod
    def distance(a: str, b: str) -> int:
        """Hexes between two codes; 99 if one is not a hex."""
        return distance(a, b) if is_hex(a) and is_hex(b) else 99

    # --- dice and questions -----------------------------------------------------------------
    def throw(self, purpose: Purpose, audience: Iterable[str] | str, *about: object) -> Roll:
        """Throw for a purpose; repeated throws in this phase get ``#2``, ``#3``."""
        key = purpose(*about).key
        self._rolled[key] += 1
        return self.roll(purpose(*about, again=self._rolled[key]), audience)

    def question(self, kind: str, to: str, about: str, options: Iterable[str] = (), default: str = "",
                 answer: AnswerKind | None = None, **asked: Any) -> Ask:
        """A question to a faction or the referee with the data `asked`; repeated in this phase it gets ``#2``."""
        name = f"{kind}/{about}"
        self._asked[name] += 1
        about += f"#{self._asked[name]}" if self._asked[name] > 1 else ""
        known = to if to == REFEREE or to in self.factions else self.faction_of(to)
        seen = tuple({"event": e.event, "data": dict(e.data), "roll": dict(e.roll)} for e in self.game.events
                     if known == REFEREE or e.for_faction(known))
        return Ask(kind, known, about, tuple(options), default, asked, seen, (), answer)

    def meeting_question(self, kind: str, army: Army, other: Army | Convoy | Place | Train, options: Iterable[str],
                         default: str, role: str = "met", **asked: Any) -> Ask:
        """A question to a group about somebody or something on its hex, which the text calls by its `role`."""
        asked = {"unit": army.army, role: other.ident, "hex": army.node, **asked}
        return self.question(kind, army.faction, f"{army.army}/{army.node}/{other.ident}", options, default, **asked)

    def choose(self, kind: str, to: str, about: str, options: Iterable[str], default: str, **asked: Any) -> str:
        """Ask a faction or the referee for one of the options; see `question`."""
        return self.game.choose(self.question(kind, to, about, options, default, **asked))

    def ruling(self, about: str, options: Iterable[str], matter: str, *, default: str = "",
               answer: AnswerKind | None = None, **data: object) -> Ask:
        """A question to the referee where the rulebook page or the records do not decide.

        `default`: the ruling if there is none; `matter`: the variant of the wording; `data` fills its braces.
        """
        return self.question("ruling", REFEREE, about, options, default, answer or Option(), matter=matter, **data)

    def report_unasked(self) -> None:
        """Report answers in this phase to questions that it did not ask (ANA-902)."""
        for row in self.game.unasked_questions():
            self.find("ANA-902", row, "question", row.to, question=row.question)

    def both(self, *sides: str) -> list[str]:
        """An event's audience: the factions of some sides, without neutrals."""
        return [code for s in (ROYAL, ANGEVIN) if s in sides for code in self.clubs(s)]

    def parties(self) -> list[str]:
        """An event's audience: the factions of both sides, without neutrals."""
        return self.both(ROYAL, ANGEVIN)

    def own(self, faction: str) -> list[str] | str:
        """An event's audience: a faction's side, whose clubs share what they see (rulebook: Who may know what)."""
        side = self.side(faction)
        return REFEREE if side == NEUTRAL else self.clubs(side)

    def circle(self, factions: Iterable[str]) -> list[str] | str:
        """An event's audience: the sides of factions."""
        return self.both(*map(self.side, factions)) or REFEREE

    def here(self, node: str) -> list[str] | str:
        """An event's audience: the sides with a group on the hex."""
        return self.circle(a.faction for a in self.at(node))

    def by_convoy(self, code: str) -> list[str] | str:
        """An event's audience: the side of a convoy; of a neutral one, the sides with a group on its hex."""
        own = self.own(self.convoys[code].faction)
        return self.here(self.convoys[code].node) if own == REFEREE else own


# Kinds of questions (rulebook: Questions), and the words of choices and answers.


DAY = "day"
"""The column Phase of all orders: they are written for a whole day."""
CHOICE_WORDS: Mapping[str, str] = {
    "attack": "attacca attacco", "pass": "passa", "ask": "chiedi", "fight": "combatte combatti", "refuse": "rifiuta",
    "shut_in": "si_chiude chiudi chiuditi", "yes": "si", "in": "entra dentro", "out": "esce esci fuori",
    "place": "luogo", "convoy": "convoglio", "none": "nessuno niente nessuna", "take": "prendi prende",
    "burn": "brucia bruciano", "pay": "paga", "withdraw": "ritirati ritira si_ritira", "entered": "inserito giocata",
    "on_meeting": "incontro all_incontro", "if_attacked": "se_attaccato attaccato", "joins": "si_aggiunge aggiunge",
    "buy": "compra", "promise": "prometti promette promessa", "loot": "bottino saccheggia", "detach": "stacca",
    "free": "liberi libera liberati libero", "killed": "uccisi uccide ucciso", "held": "trattenuti trattiene",
    "stay": "restano", "give_way": "via cedono", "abandon": "abbandonate", "auto": "dadi", "hold": "resta",
    "all": "tutto tutti", "men": "prima_gli_uomini uomini", "nobles": "prima_i_nobili nobili",
}
"""Codes of choices and answers -> what they are called in Italian, the usual word first."""
CHOICES = {word: code for code, words in CHOICE_WORDS.items() for word in words.split()}


def choice_code(word: str) -> str:
    """The code of a choice in either language; any other word comes back folded."""
    folded = fold(word)
    return CHOICES.get(folded, folded)


def choice_word(code: str) -> str:
    """What a choice is usually called in Italian; any other word comes back as it is."""
    return CHOICE_WORDS.get(code, "").split(" ")[0] or code


def play_one_side(campaign: Campaign, one: str, other: str) -> bool:
    """Whether two factions play one side, so that their clubs answer for each other."""
    land = MapTables(campaign)
    return land.side(one) == land.side(other)


asked = partial(QuestionType, answers=CHOICES, speaks=play_one_side,
                wrong=Told("ANA-901", {"x": "answer", "options": "options"}),
                by_default=Told("ANA-903", {"question": "question", "default": "default"}))
"""A kind of question, answered in either language, by a number or with ``default``."""
