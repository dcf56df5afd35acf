"""How Incursio looks on a map: cells with settlements and ruins by level, own bands, what was seen of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from assistant.campaign import records as base
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Army, Node, Observation, Portal
from assistant.rulesets.incursio.realm.units import split_units
from assistant.turn.game import Game
from assistant.turn.looks import NONE, ForceLook, Looks, Marks, PlaceLook, Seen

LEVELS = ("village", "village", "town", "town", "city", "city", "fortress")
SIDES = {"settlement": ESDEF, "ruin": VARANNAH}
OTHER = {ESDEF: VARANNAH, VARANNAH: ESDEF}
TROOPS = ("enemies", "camp", "garrison")
MARKS = {"battle_ended": Marks("battle", "battle"), "settlement_fell": Marks("captured"),
         "ruin_purified": Marks("captured"), "settlement_founded": Marks("built"), "site_razed": Marks("razed")}


class IncursioLooks(Looks):
    """What is not one's own is known by sightings, each with its day."""

    ways = {"grey": "road", "red": "barred"}  # noqa: RUF012
    forces = {Army.sheet: "band"}  # noqa: RUF012
    marches = {"units_moved": ("node", "node", "to_node")}  # noqa: RUF012
    marks = MARKS
    ordered = {"move": ("node", "to_node"), "attack": ("node", "to_node")}  # noqa: RUF012

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """A settlement is the defenders', a ruin the raiders'; a portal as far as it is known."""
        assert isinstance(node, Node)
        glyph, size = {"settlement": (LEVELS[node.level], 1 + node.level // 3), "ruin": ("ruin", 1 + node.level // 2)
                       }.get(node.kind, ("dot", 1))
        mine = game.campaign.table(Portal).where(lambda row: row.state in ("located", "open"))
        known = [row.node for row in mine if natural(row.day) >= natural(game.turn)]
        known += [row.node for row in _current(game) if row.kind == "portal"]
        portal = node.node in known
        kind = "portal" if portal and node.kind == "empty" else node.kind
        return PlaceLook(kind, "portal" if kind == "portal" else glyph, size, SIDES.get(node.kind, ""),
                         terrain=self.terrains(node))

    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """One's own bands cell by cell, and of the others what was seen last."""
        heads = Counter[tuple[str, str]]()
        for look in super().standing(game, faction):
            heads[look.owner, look.place] += int(look.strength or 0)
        for (owner, place), n in heads.items():
            yield ForceLook(f"{owner}-{place}", owner, place, str(n), "band")
        seen = Counter(row.node for row in _current(game) if row.faction == faction and row.kind in TROOPS
                       for _ in split_units(row.what) or [row.what])
        for place, n in seen.items():
            yield ForceLook(f"seen-{place}", OTHER.get(faction, ""), place, f"~{n}", "band")

    def strength(self, row: Record, game: Game) -> str:
        """How many units a band has."""
        return str(len(split_units(row.units))) if isinstance(row, Army) else ""

    def unseen(self, game: Game, faction: str) -> Mapping[str, tuple[Seen, str]]:
        """Where none of one's own stands: the day of the last sighting."""
        if faction not in OTHER:
            return NONE
        own = {row.node for row in game.campaign.table(Army)}
        days = {row.node: str(row.seen_on) for row in _current(game) if row.faction == faction}
        return {node.node: ("earlier" if node.node in days else "never", days.get(node.node, ""))
                for node in game.campaign.table(Node) if node.node not in own and SIDES.get(node.kind) != faction}


def _current(game: Game) -> list[Observation]:
    return game.campaign.table(Observation).where(lambda row: row.state == "current")
