"""The campaign's sheets by name and its map, for whoever needs no phase: orders in words, checks of the data."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from assistant.campaign.hexmap import HexMap, column_row, is_hex
from assistant.campaign.records import Event
from assistant.rulesets.anarchy.book.records import Army, Battle, Desk, Faction, Loss, Node, Order, Road
from assistant.rulesets.anarchy.book.sheets import (
    Convoy,
    Noble,
    Objective,
    Place,
    Prisoners,
    Siege,
    Sighting,
    Train,
    Wounded,
)
from assistant.turn.board import One, Sheet, Tables

CORNERS = ("0101", "2416")
PRINTED = HexMap({}, (), *CORNERS)
"""The printed map; hexes that no sheet lists are open ground."""


def board(nodes: Iterable[Node], roads: Iterable[Road]) -> HexMap:
    """The hexes of a campaign: a listed rectangle as it is, else the printed board around what is listed."""
    terrains = {n.node: n.terrains for n in nodes}
    spots = [column_row(code) for code in terrains if is_hex(code)]
    whole = len({c for c, _ in spots}) * len({r for _, r in spots})
    corners = ("", "") if len(spots) > 1 and len(spots) == whole else CORNERS
    return HexMap(terrains, ((r.a, r.b, r.kind) for r in roads), *corners)


class Land(Tables):
    """The tables of a campaign and its map."""

    desk = One(Desk)
    factions = Sheet(Faction)
    armies = Sheet(Army)
    nobles = Sheet(Noble)
    places = Sheet(Place)
    convoys = Sheet(Convoy)
    trains = Sheet(Train)
    prisoners = Sheet(Prisoners)
    wounded = Sheet(Wounded)
    sieges = Sheet(Siege)
    battles = Sheet(Battle)
    losses = Sheet(Loss)
    objectives = Sheet(Objective)
    nodes = Sheet(Node)
    roads = Sheet(Road)
    orders = Sheet(Order)
    events = Sheet(Event)
    sightings = Sheet(Sighting)

    @cached_property
    def hexes(self) -> HexMap:
        """The map."""
        return self.campaign.made_of(board, Node, Road)
