"""How The Anarchy looks on a map: hexes of five kilometres, places in them, groups, convoys, trains, rivers by name."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from assistant.campaign import records as base
from assistant.campaign.record import Record
from assistant.rulesets.anarchy.book.records import Node
from assistant.rulesets.anarchy.book.sheets import CASTLES, Army, Convoy, Place, Siege, Train
from assistant.rulesets.anarchy.realm.land import Land, path_of
from assistant.turn.game import Game
from assistant.turn.looks import BESIEGES, GLYPHS, Looks, Marks, PlaceLook
from assistant.turn.orders.request import Refused, Request

RIVER, OPEN = "river", "open"
SIGNS = {**GLYPHS, "castle_motte": ("castle", 2), "castle_tower": ("castle", 2), "castle_stone": ("castle", 3),
         "counter_castle": ("fortress", 1)}
MARCHES = {"moved": ("unit", "path"), **dict.fromkeys(("retreated", "backed_away", "advanced"), ("x", "hex"))}
MARKS = {"attack": Marks("battle", "hex"), "battle_opened": Marks("battle", "hex"),
         "battle_result": Marks("battle", "b"),
         "castle_taken": Marks("captured", "place", "side"), "surrendered": Marks("captured", "place", "side"),
         "siege_begun": Marks("siege", "place", "side"), "looted": Marks("razed", "place"),
         "revolt": Marks("revolt", "group")}


class AnarchyLooks(Looks):
    """Hexes with terrain; what stands in one of them is the greatest of its places."""

    forces = {Army.sheet: "army", Convoy.sheet: "convoy", Train.sheet: "train"}  # noqa: RUF012
    sites = (Place.sheet,)
    cell = (5, "km")
    marches, marks = MARCHES, MARKS

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """The greatest place of the hex gives its sign, the smallest castle or the town its name."""
        there = sorted(game.campaign.table(Place).where(lambda one: one.exists and one.node == node.node),
                       key=lambda one: (-SIGNS[one.kind][1], one.kind not in CASTLES, len(one.name)))
        dry = tuple(word for word in self.terrains(node) if word != RIVER) or (OPEN,)  # rivers are drawn as they flow
        look = PlaceLook(glyph="", terrain=dry)
        if not there:
            return look
        held = next((one.holder for one in there if one.kind in CASTLES and one.holder), "")
        sieges = {row.place for row in game.campaign.table(Siege) if row.state == "on"}
        return look._replace(
            kind=there[0].kind, glyph=SIGNS[there[0].kind][0], size=SIGNS[there[0].kind][1], owner=held,
            walls="intact" if there[0].kind in CASTLES else "", besieged=any(one.place in sieges for one in there),
            name=node.name or min((one.name or one.place for one in there), key=len))

    def rivers(self, game: Game) -> Mapping[str, tuple[str, ...]]:
        """The hexes of each river."""
        found: dict[str, list[str]] = {}
        for node in game.campaign.table(Node):
            if node.river_name:
                found.setdefault(node.river_name, []).append(node.node)
        return {name: tuple(codes) for name, codes in found.items()}

    def way_ordered(self, request: Request, game: Game) -> tuple[str, ...]:
        """The way of a march as it was typed: hexes, directions, or straight to one far hex or place."""
        start = self.node_of(request.unit, game.campaign)
        if not (request.path and start):
            return ()
        with suppress(Refused):  # what cannot be walked is named by `check`
            return (start, *path_of(Land(game.campaign), " ".join(request.path), start).hexes)
        return ()

    def strength(self, row: Record, game: Game) -> str:
        """Fighters of a group, animals of a convoy, engines of a train, where the reader sees them."""
        if isinstance(row, Train):
            return str(row.engines or "")
        return str(row.men or row.size or "") if isinstance(row, Army) else str(getattr(row, "animals", 0) or "")

    def stance(self, row: Record, game: Game) -> str:
        """Who lies before a castle besieges it."""
        return BESIEGES if isinstance(row, Army) and row.besieging else ""
