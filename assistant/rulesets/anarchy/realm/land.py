"""The campaign's sheets by name, its map, and names that orders use (rulebook: Orders; chapter 17): no phase needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from assistant.campaign.columns import Unreadable, as_text
from assistant.campaign.hexmap import DIRECTIONS, HexMap, column_row, direction, is_hex, step
from assistant.campaign.records import Event
from assistant.rulesets.anarchy.book import records, sheets
from assistant.turn.board import One, Sheet, Tables
from assistant.turn.findings import nearest
from assistant.turn.orders.named import named
from assistant.turn.orders.refusal import Refused, refuse_if
from assistant.turn.orders.words import fold

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
    armies = Sheet(sheets.Army)
    nobles = Sheet(sheets.Noble)
    places = Sheet(sheets.Place)
    convoys = Sheet(sheets.Convoy)
    trains = Sheet(sheets.Train)
    prisoners = Sheet(sheets.Prisoners)
    wounded = Sheet(sheets.Wounded)
    sieges = Sheet(sheets.Siege)
    battles = Sheet(records.Battle)
    losses = Sheet(records.Loss)
    objectives = Sheet(sheets.Objective)
    nodes = Sheet(records.Node)
    roads = Sheet(records.Road)
    orders = Sheet(records.Order)
    events = Sheet(Event)
    sightings = Sheet(sheets.Sighting)

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
        near = code if is_hex(code) and code in land.hexes else nearest(word, names)
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
        return int(sheets.MONEY.read(text)) if text else 0
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
            rank = sheets.LETTERS[match[1].upper()]
            found.ranks[rank] = found.ranks.get(rank, 0) + int(match[2])
        elif word.lower().startswith("w:"):
            code = named(land.wounded, word[2:], field_name).wounded
            found.hurt += [code] if code not in found.hurt else []
        else:
            raise Refused("not_an_amount", field_name, word=word)
    return found


def show_ranks(ranks: Mapping[str, int]) -> str:
    """How many of each rank: ``K2 S3``."""
    return " ".join(f"{letter}{ranks[rank]}" for rank, letter in sheets.LETTER_OF.items() if ranks.get(rank))
