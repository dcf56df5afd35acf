"""How Incursio looks on a map: cells with settlements and ruins by level, own bands, what was seen of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from assistant.campaign import records as base
from assistant.campaign.order import natural
from assistant.rulesets.incursio.book.messages import RUINS, TOWNS
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Army, Node, Observation, Portal
from assistant.rulesets.incursio.realm.realm import OTHER, Realm
from assistant.rulesets.incursio.realm.units import split_units
from assistant.turn.game import Game
from assistant.turn.looks import NONE, ForceLook, Looks, Marks, PlaceLook, Seen

GLYPHS = ("village", "village", "town", "town", "city", "city", "fortress")
NUMERALS = ("", "I", "II", "III", "IV", "V", "VI")
SIDES = {"settlement": ESDEF, "ruin": VARANNAH}
UNKNOWN = "?!"
"""What stands on a map for units of which nobody knows how many they are."""
TROOPS = ("enemies", "camp", "garrison")
MARKS = {"battle_ended": Marks("battle", "battle"), "settlement_fell": Marks("captured"),
         "ruin_purified": Marks("captured"), "settlement_founded": Marks("built"), "site_razed": Marks("razed")}


class IncursioLooks(Looks):
    """What is not one's own is known by sightings, each with its day."""

    numbered = True
    ways = {"grey": "line", "red": "barred"}  # noqa: RUF012
    forces = {Army.sheet: "band"}  # noqa: RUF012
    marches = {"units_moved": ("node", "node", "to_node")}  # noqa: RUF012
    marks = MARKS
    ordered = {"move": ("node", "to_node"), "attack": ("node", "to_node")}  # noqa: RUF012

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """A settlement is the defenders', a ruin the raiders'; a portal as far as it is known."""
        assert isinstance(node, Node)
        called, glyph, size = {
            "settlement": (TOWNS[node.level], GLYPHS[node.level], 1 + node.level // 3),
            "ruin": (RUINS[min(node.level, len(RUINS) - 1)], "ruin", 1 + node.level // 2),
        }.get(node.kind, (node.kind, "dot", 1))
        mine = game.campaign.table(Portal).where(lambda row: row.state in ("located", "open"))
        known = [row.node for row in mine if natural(row.day) >= natural(game.turn)]
        known += [row.node for row in _current(game) if row.kind == "portal"]
        portal = node.node in known
        kind = "portal" if portal and node.kind == "empty" else called
        return PlaceLook(kind, "portal" if kind == "portal" else glyph, size, SIDES.get(node.kind, ""),
                         terrain=self.terrains(node), note=_figures(Realm(game), node))

    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """One's own units cell by cell, the garrison's string first and outsiders behind a plus; of the others what
        was seen last (rulebook: Who may know what).
        """
        bands = defaultdict[tuple[str, str], list[Army]](list)
        for look in super().standing(game, faction):
            bands[look.owner, look.place].append(game.campaign.table(Army)[look.code])
        for (owner, place), rows in bands.items():
            inside, outside = ("".join(row.units for row in rows if (row.posture == "garrison") is kept)
                               for kept in (True, False))
            yield ForceLook(f"{owner}-{place}", owner, place, str(len(split_units(inside + outside))), "band",
                            f"{inside} +{outside}" if inside and outside else inside or outside)
        seen = defaultdict[str, list[str]](list)
        uncounted = set[str]()
        for row in _current(game):
            if row.faction == faction and row.kind in TROOPS:
                seen[row.node] += split_units(row.what) or [UNKNOWN]
                uncounted |= set() if row.what else {row.node}
        for place, units in seen.items():
            yield ForceLook(f"seen-{place}", OTHER.get(faction, ""), place,
                            "" if place in uncounted else f"~{len(units)}", "band", "".join(units))

    def unseen(self, game: Game, faction: str) -> Mapping[str, tuple[Seen, str]]:
        """Where none of one's own stands: the day of the last sighting."""
        if faction not in OTHER:
            return NONE
        own = {row.node for row in game.campaign.table(Army)}
        days = {row.node: str(row.seen_on) for row in _current(game) if row.faction == faction}
        return {node.node: ("earlier" if node.node in days else "never", days.get(node.node, ""))
                for node in game.campaign.table(Node) if node.node not in own and SIDES.get(node.kind) != faction}


def _figures(realm: Realm, node: Node) -> str:
    """The level; what the defenders read of a settlement of theirs: coins a day, how full the garrison is, works with
    their day; what the raiders read of their cells: when demons go home (rulebook: Who may know what).
    """
    found = [NUMERALS[node.level]] if node.kind in SIDES else []
    if node.kind == "settlement" and realm.camp.at(node.node, ESDEF):
        found += [f"+{realm.income()[node.node]}", f"{len(realm.camp.garrison(node.node))}/{realm.room(node.node)}"]
        found += [f"{one.structure}→{one.ready_on}" for one in realm.in_work(node.node)]
    bands = realm.game.campaign.table(Army).where(lambda row: row.node == node.node)
    return " · ".join([*found, *(f"→{day}" for day in sorted({row.returns_on or 0 for row in bands} - {0}))])


def _current(game: Game) -> list[Observation]:
    return game.campaign.table(Observation).where(lambda row: row.state == "current")
