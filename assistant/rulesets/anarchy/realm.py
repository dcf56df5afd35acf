"""The campaign in the words of the chapters: the map, who belongs to whom, who stands where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from assistant.campaign.columns import Unreadable, as_text
from assistant.campaign.hexmap import DIRECTIONS, HexMap, column_row, direction, distance, is_hex, step
from assistant.campaign.hexmap import nearest as nearest_hex
from assistant.campaign.records import Event
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import records
from assistant.rulesets.anarchy.records import ANGEVIN, NEUTRAL, ROYAL, Army, Convoy, Noble, Place, Prisoners, Train
from assistant.rulesets.anarchy.tables import BANDS, TERRAIN_SET_B, TERRAINS, Numbers
from assistant.turn.dice import REFEREE, Purpose, Roll
from assistant.turn.findings import nearest as nearest_word
from assistant.turn.game import Board, Game, One, Sheet, Tables
from assistant.turn.orders.named_columns import named
from assistant.turn.orders.requests import Refused, refuse_if
from assistant.turn.orders.words import fold
from assistant.turn.questions import Ask, Kind, Option

# The campaign's sheets by name, its map, and names that orders use (rulebook: Orders; chapter 17): no phase needed.


CORNERS = ("0101", "2416")
PRINTED = HexMap({}, (), *CORNERS)
"""The printed map; hexes that no sheet lists are open ground."""


def board(nodes: Iterable[records.Node], roads: Iterable[records.Road]) -> HexMap:
    """The hexes of a campaign: a listed rectangle as it is, else the printed board around what is listed."""
    terrains = {n.node: n.terrains for n in nodes}
    spots = [column_row(code) for code in terrains if is_hex(code)]
    whole = len({c for c, _ in spots}) * len({r for _, r in spots})
    corners = ("", "") if len(spots) > 1 and len(spots) == whole else CORNERS
    return HexMap(terrains, ((r.a, r.b, r.kind) for r in roads), *corners)


class Land(Tables):
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
        return self.campaign.made_of(board, records.Node, records.Road)


COMPASS = {**{d: d for d in DIRECTIONS}, "SO": "SW", "NO": "NW"}
"""Directions in both languages: sud-ovest, nord-ovest."""
MISREAD = str.maketrans("OIL", "011")
"""Letters that are typed for digits."""
_MEN = re.compile(r"([KDSBLP])(\d{1,6})", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;>\u2192]+")


def hex_of(land: Land, text: str, field_name: str) -> str:
    """The hex of a reference: ``0605``, ``Malmesbury``, ``Malmesbury NE2``. Raises `Refused` (ANA-002, 009, 101)."""
    word = text.strip()
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


def _landmark(land: Land, word: str) -> str:
    """The hex of a place, of a named hex, or of all places whose names begin like that (ANA-009); "" for none."""
    wanted = fold(word)
    if is_hex(word) and word in land.hexes:
        return word
    exact = [(p.place, p.node) for p in land.places if wanted in (fold(p.place), fold(p.name))]
    exact = exact or [(n.node, n.node) for n in land.nodes if n.name and fold(n.name) == wanted]
    found = exact or [(p.place, p.node) for p in land.places
                      if wanted and (fold(p.name).startswith(f"{wanted}_") or fold(p.place).startswith(f"{wanted}_"))]
    spots = list(dict.fromkeys(node for _, node in found))
    if len(spots) > 1:
        other = next(ident for ident, node in found if node == spots[1])
        raise Refused("ambiguous", "path", word=word, a=found[0][0], b=other)
    return spots[0] if spots else ""


@dataclass
class Way:
    """A path as an order gives it: hexes after the start, or one far goal."""

    hexes: list[str] = field(default_factory=list)
    far: bool = False


def path_of(land: Land, text: str, start: str) -> Way:
    """The hexes of a path: codes, directions, or one far hex or place. Raises `Refused` (ANA-002, 009, 101, 102)."""
    words = [w for w in _BETWEEN.split(text.strip()) if w]
    steps: list[str] = []
    here = start
    if all(re.fullmatch(r"\d{3,4}", w) or w.upper() in COMPASS for w in words):
        for word in words:
            there = step(here, COMPASS[word.upper()]) if word.upper() in COMPASS else word.zfill(4)
            refuse_if(there not in land.hexes, "ANA-101", "path", hex=there or word)
            if there != here:
                steps.append(there)
            here = there
    else:
        for word in words if any(map(str.isdecimal, words)) else ():  # one by one: it is the wrong word that is named
            if word.upper() not in COMPASS:
                hex_of(land, word, "path")
        goal = hex_of(land, text, "path")
        steps = [goal] if goal != start else []
    if len(steps) == 1 and not direction(start, steps[0]):
        return Way(steps, far=True)
    for here, there in pairwise([start, *steps]):
        refuse_if(not direction(here, there), "ANA-102", "path", a=here, b=there)
    return Way(steps)


def halves(raw: object) -> int:
    """Pounds in halves, 0 for blank; point or comma. Raises `Refused` (ANA-008)."""
    text = as_text(raw).replace("£", "").strip()
    try:
        return int(records.MONEY.read(text)) if text else 0
    except Unreadable:
        raise Refused("not_an_amount", "amount", word=raw) from None


@dataclass
class Men:
    """Men as a player writes them: how many of each rank, and which hurt men are among them."""

    ranks: dict[str, int] = field(default_factory=dict)
    hurt: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many men."""
        return sum(self.ranks.values())


def men_of(land: Land, text: str, field_name: str = "men") -> Men:
    """``K2 S3 B1 w:W5``. Raises `Refused` (ANA-002, 008)."""
    found = Men()
    for word in re.split(r"[\s,;+]+", text.strip()):
        if not word:
            continue
        match = _MEN.fullmatch(word)
        if match is not None:
            rank = records.LETTERS[match[1].upper()]
            found.ranks[rank] = found.ranks.get(rank, 0) + int(match[2])
        elif word.lower().startswith("w:"):
            code = named(land.wounded, word[2:], field_name).wounded
            found.hurt += [code] if code not in found.hurt else []
        else:
            raise Refused("not_an_amount", field_name, word=word)
    return found


def show_ranks(ranks: Mapping[str, int]) -> str:
    """How many of each rank: ``K2 S3``."""
    return " ".join(f"{letter}{ranks[rank]}" for rank, letter in records.LETTER_OF.items() if ranks.get(rank))


# The campaign as one phase of The Anarchy sees it: tables by key, who belongs to whom, who stands where.


class Realm(Land, Board):
    """One run of one phase with the records at hand."""

    rules: Numbers

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._asked, self._rolled = Counter[str](), Counter[str]()

    # --- calendar and map -------------------------------------------------------------------
    @property
    def day(self) -> int:
        """Today; 0 before the first day."""
        return int(self.game.turn) if self.game.turn.isdecimal() else 0

    def step_cost(self, a: str, b: str) -> int | None:
        """Movement points of a step between neighbours: a road edge, else the dearest terrain entered."""
        if b not in self.hexes:
            return None
        if self.rules.move_unit == "hexes":
            return 1
        return self.rules.cost_road if self.hexes.road(a, b) else self.hexes.worst(b, self._prices)

    @cached_property
    def _prices(self) -> dict[str, int]:
        typed = {name: int(self.rules[f"cost_{name}"]) for name in TERRAINS}
        return {**typed, **TERRAIN_SET_B} if self.rules.terrain_set == "B" else typed

    # --- sides ------------------------------------------------------------------------------
    def side(self, faction: str) -> str:
        """The side of a faction's code."""
        row = self.factions.get(faction)
        return (row.side or row.faction) if row is not None else faction

    def clubs(self, side: str) -> list[str]:
        """The factions that play a side, by code; the side's own word where none does."""
        return [row.faction for row in self.factions if self.side(row.faction) == side] or [side]

    def faction_of(self, side: str) -> str:
        """The faction that plays a side, the first where several do; the side's own word where none does."""
        return self.clubs(side)[0]

    def band(self, level: int | None) -> str:
        """Whom a loyalty favours."""
        return BANDS[self.rules.neutral_band].at(5 if level is None else level)

    @staticmethod
    def foe(side: str) -> str:
        """The other side; neutrals have none."""
        return {ROYAL: ANGEVIN, ANGEVIN: ROYAL}.get(side, "")

    # --- groups -----------------------------------------------------------------------------
    def active(self) -> list[Army]:
        """Groups and companies on the map."""
        return [a for a in self.armies if a.active]

    def at(self, node: str) -> list[Army]:
        """Groups on a hex, inside or outside a castle."""
        return [a for a in self.active() if a.node == node]

    def with_them(self, army: Army) -> list[Noble]:
        """Nobles with a group, the commander among them."""
        return [n for n in self.nobles if n.army == army.army and n.state in ("free", "wounded")]

    def commander(self, army: Army) -> Noble | None:
        """The noble who leads."""
        row = self.nobles.get(army.commander) if army.commander else None
        return row if row is not None and row.army == army.army and row.state in ("free", "wounded") else None

    def prestige(self, army: Army) -> int:
        """The commander's prestige; -1 without a noble."""
        noble = self.commander(army)
        return noble.prestige if noble is not None else -1

    def followers(self, army: Army) -> list[Army]:
        """Mercenaries attached to a group."""
        return [a for a in self.active() if a.employer == army.army and a.army != army.army]

    def stack(self, army: Army) -> list[Army]:
        """A group and the mercenaries attached to it."""
        return [army, *self.followers(army)]

    def heads(self, army: Army) -> int:
        """Characters of one group: men of all ranks and nobles."""
        return army.men + len(self.with_them(army))

    def stack_heads(self, army: Army) -> int:
        """Characters that count together, as the switches say."""
        rows = self.stack(army) if self.rules.merc_count == "stack" else [army]
        total = sum(self.heads(a) for a in rows)
        if self.rules.head_count == "all":
            total += sum(row.engineers if isinstance(row, Train) else row.driver for row in self.led_goods(army))
        return total

    def need(self, army: Army) -> int:
        """Points that a stack eats in a day (8.4)."""
        rules, heads = self.rules, self.stack_heads(army)
        if heads < rules.supply_from:
            return 0
        if rules.supply_30 == "per_ten":
            return heads // rules.supply_from
        return 2 if heads >= rules.supply_second else 1

    def led_trains(self, army: Army) -> list[Train]:
        """Siege trains under a group."""
        return [t for t in self.trains if t.escort == army.army and t.state == "active"]

    def escorted(self, army: Army) -> list[Prisoners]:
        """Captives whom a group escorts; a record that holds nobody binds nobody."""
        return [p for p in self.prisoners if p.escort == army.army and p.state == "escorted" and self.holds(p)]

    def led_goods(self, army: Army) -> list[Convoy | Train]:
        """Convoys and trains under a group."""
        convoys = [c for c in self.convoys if c.escort == army.army and c.state == "active"]
        return [*convoys, *self.led_trains(army)]

    def led_captives(self, army: Army) -> list[Prisoners]:
        """Captives with a group: escorted by it, or fresh in its hands."""
        return [p for p in self.prisoners if (p.escort or p.captor_army) == army.army
                and p.state in ("waiting", "escorted") and p.node == army.node]

    def captives(self, record: Prisoners) -> list[Noble]:
        """Nobles among captives."""
        return [n for n in self.nobles if n.held_in == record.prisoners and n.state == "prisoner"]

    def holds(self, record: Prisoners) -> int:
        """How many are left among captives, men and nobles."""
        return record.men + len(self.captives(record))

    def hurt(self, army: Army, state: str = "hurt") -> list[records.Wounded]:
        """Hurt men and nobles with a group."""
        return [w for w in self.wounded if w.army == army.army and w.state == state]

    def lone(self, army: Army) -> bool:
        """Whether it is a noble without men."""
        return army.men == 0 and bool(self.with_them(army))

    def attached(self, army: Army) -> bool:
        """Whether it follows another group."""
        chief = self.armies.get(army.employer)
        return chief is not None and chief.army != army.army and chief.active

    def commands(self, faction: str, row: Army | Convoy | Place | Train) -> bool:
        """Whether a faction may order a unit: its own, a castle in its hands; the neutrals are one."""
        side = self.side(faction)
        if isinstance(row, Place):
            return (row.holder or NEUTRAL) == side and (side == NEUTRAL or faction in self.wardens(row))
        return row.faction == faction or side == NEUTRAL == self.side(row.faction)

    def unhired(self, army: Army) -> bool:
        """Whether it is a company that nobody pays; who may not see its contract knows of none."""
        return army.mercenary and self.side(army.faction) == NEUTRAL and army.contract in ("none", "")

    def under_contract(self, company: Army, side: str, field: str) -> Refused:
        """ANA-504 with the contract as a side may know it: how the other side pays its own is not seen (section 8)."""
        own = self.side(company.faction) == side or company.contract == "none"
        return Refused("ANA-504", field, m=company.army, contract=company.contract if own else "hired")

    def safe(self, army: Army) -> bool:
        """Whether a safe conduct covers it today."""
        return army.safe_on is not None and army.safe_on == self.day

    def shut(self, army: Army) -> bool:
        """Whether it is inside a besieged castle."""
        return bool(army.inside) and self.besieged(army.inside)

    def by_rank(self, armies: Iterable[Army]) -> list[Army]:
        """Groups by prestige down, stack heads down, id."""
        return sorted(armies, key=lambda a: (-self.prestige(a), -self.stack_heads(a), natural(a.army)))

    def largest(self, armies: Iterable[Army]) -> Army | None:
        """The group with most heads of its own, then by id."""
        return min(armies, key=lambda a: (-self.heads(a), natural(a.army)), default=None)

    def on_road(self, army: Army) -> list[Army | Convoy | Train | Prisoners]:
        """Everything that goes where a group goes."""
        stack = self.stack(army)
        return [*stack, *self.led_goods(army), *(p for one in stack for p in self.led_captives(one))]

    def bring(self, army: Army, node: str) -> None:
        """Move a group with all that it leads."""
        rows = self.on_road(army)
        for row in rows:
            if row.node != node and not isinstance(row, Prisoners):
                row.came_from = row.node
            if isinstance(row, Army):
                row.shares_since = None
            row.node = node
        self.touch(*rows)

    # --- places -----------------------------------------------------------------------------
    def places_at(self, node: str) -> list[Place]:
        """Places that stand on a hex, by id."""
        return [p for p in self.places if p.node == node and p.exists]

    def castle_at(self, node: str, side: str = "") -> Place | None:
        """A castle on a hex, of that side where one is named."""
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
            return place.holder == side and not self.besieged(place.place)
        level = 5 if place.loyalty is None else place.loyalty
        if self.rules.village_access == "above4":
            return side == ROYAL and level > 4
        if self.rules.village_access == "faction":
            lord = self.nobles.get(place.lord)
            return lord is not None and self.side(lord.faction) == side
        return level >= 5 if side == ROYAL else level <= 6

    def sees_stores(self, side: str, place: Place) -> bool:
        """Whether a side knows what a place has left: its own, or where a group is (rulebook: Who may know what)."""
        return self.of_side(place, side) or any(self.side(a.faction) == side for a in self.at(place.node))

    def monastic(self, place: Place) -> bool:
        """Whether it is looted and levied as a monastery."""
        return place.kind == "abbey" or (place.kind in records.MONASTIC and self.rules.priory_is == "monastic")

    def besieged(self, place: str) -> bool:
        """Whether a siege of a castle is on."""
        siege = self.sieges.get(place)
        return siege is not None and siege.state == "on"

    def besiegers(self, place: Place) -> list[Army]:
        """Groups before a castle."""
        return [a for a in self.at(place.node) if a.besieging == place.place and not a.inside]

    def wardens(self, place: Place) -> list[str]:
        """The factions that may speak for a castle, the one that is asked first: its lord's or that of a noble or group
        in it, where they are of the holder's side; else all of that side.
        """
        lord = self.nobles.get(place.lord)
        nobles = [*([lord] if lord is not None and lord.state != "dead" else []), *self.in_garrison(place)]
        found = [n.faction for n in nobles] + [a.faction for a in self.at(place.node) if a.inside == place.place]
        own = [code for code in found if self.side(code) == place.holder]
        return own[:1] or self.clubs(place.holder or NEUTRAL)

    def in_garrison(self, place: Place) -> list[Noble]:
        """Nobles who command or are cared for in a castle."""
        return [n for n in self.nobles if n.place == place.place and not n.army and n.state in ("free", "wounded")]

    def nobles_of(self, unit: Army | Place) -> list[Noble]:
        """Nobles with a group or in a castle."""
        return self.in_garrison(unit) if isinstance(unit, Place) else self.with_them(unit)

    def nearest_own(self, side: str, node: str) -> Place | None:
        """The nearest place of a side, by hexes, then by id."""
        found = nearest_hex(node, ((p.place, p.node) for p in self.places if self.of_side(p, side)))
        return self.places[found] if found else None

    @staticmethod
    def apart(a: str, b: str) -> int:
        """Hexes between two codes; far for what is no code."""
        return distance(a, b) if is_hex(a) and is_hex(b) else 99

    # --- dice and questions -----------------------------------------------------------------
    def throw(self, purpose: Purpose, audience: Iterable[str] | str, *about: object) -> Roll:
        """A throw; the same purpose again in this phase is told apart as ``#2``, ``#3``."""
        key = purpose(*about).key
        self._rolled[key] += 1
        return self.roll(purpose(*about, again=self._rolled[key]), audience)

    def question(self, kind: str, to: str, about: str, options: Iterable[str] = (), default: str = "",
                 answer: Kind[Any] | None = None, **asked: Any) -> Ask:
        """A question to a faction or the referee, filled by `asked`; the same again in this phase is ``#2``, ``#3``."""
        name = f"{kind}/{about}"
        self._asked[name] += 1
        about += f"#{self._asked[name]}" if self._asked[name] > 1 else ""
        known = to if to == REFEREE or to in self.factions else self.faction_of(to)
        seen = tuple({"event": e.event, "data": dict(e.data), "roll": dict(e.roll)} for e in self.game.events
                     if known == REFEREE or e.for_faction(known))
        return Ask(kind, known, about, tuple(options), default, asked, seen, (), answer)

    def choose(self, kind: str, to: str, about: str, options: Iterable[str], default: str, **asked: Any) -> str:
        """Which of the options a faction or the referee takes; see `question`."""
        return self.game.choose(self.question(kind, to, about, options, default, **asked))

    def ruling(self, about: str, options: Iterable[str], matter: str, *, default: str = "",
               answer: Kind[Any] | None = None, **data: object) -> Ask:
        """What is for the referee to rule where the rulebook page or the records say nothing, or leave more to him.

        `default`: what stands if he does not; `matter`: which variant of the wording; `data` fills its braces.
        """
        return self.question("ruling", REFEREE, about, options, default, answer or Option(), matter=matter, **data)

    def unasked(self) -> None:
        """Answers of this phase to questions that it did not put (ANA-902)."""
        for row in self.game.unasked():
            self.find("ANA-902", row, "question", row.to, question=row.question)

    def both(self, *sides: str) -> list[str]:
        """The codes of all factions of some sides, neutrals left out: an event's audience."""
        return [code for s in (ROYAL, ANGEVIN) if s in sides for code in self.clubs(s)]

    def parties(self) -> list[str]:
        """The codes of all factions of both sides, neutrals left out."""
        return self.both(ROYAL, ANGEVIN)

    def own(self, faction: str) -> list[str] | str:
        """The audience of what concerns one side alone: its clubs share what they see (rulebook: Who may know what)."""
        side = self.side(faction)
        return REFEREE if side == NEUTRAL else self.clubs(side)

    def here(self, node: str) -> list[str] | str:
        """The audience of what is seen on a hex: sides with a group there."""
        return self.both(*{self.side(a.faction) for a in self.at(node)}) or REFEREE
