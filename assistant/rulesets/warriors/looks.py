"""How the Fantasy Warriors campaign looks on a map: squares, Forces, boats, what lies out of sight."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.record import Record
from assistant.campaign.records import REFEREE
from assistant.rulesets.warriors.book.sheets import Army, Boat, Terrain, Unit
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.game import Game
from assistant.turn.looks import NONE, UNCOUNTED, Looks, Marks, Seen

MARCHES = {"moved": ("army", "node", "path"), "sailed": ("army", "node", "path"),
           **dict.fromkeys(("seen", "counter_marched", "retreated", "stepped_back"), ("army", "node", "to"))}
MARKS = {"battle_set": Marks("battle", owner="attacker"), "battle_result": Marks("battle"),
         "place_taken": Marks("captured", owner="to")}


class WarriorsLooks(Looks):
    """With fog near the reader sees around its own."""

    kind = "place"
    glyphs = {"none": ("", 1), "stronghold": ("fortress", 2), "capital": ("castle", 3)}  # noqa: RUF012
    forces = {Army.sheet: "army", Boat.sheet: "fleet"}  # noqa: RUF012
    marches = MARCHES
    marks = MARKS

    def terrain_names(self, game: Game, lang: str) -> Mapping[str, str]:
        """As the sheet of terrains calls them."""
        return {row.terrain: row.name_it for row in game.campaign.table(Terrain) if lang == "it" and row.name_it}

    def strength(self, row: Record, game: Game) -> str:
        """Figures, of Forces whose Units the reader sees."""
        if isinstance(row, Boat):
            return UNCOUNTED
        units = game.campaign.table(Unit).where(lambda one: one.army == row.ident)
        return str(sum(one.figures for one in units) or "")

    def unseen(self, game: Game, faction: str) -> Mapping[str, tuple[Seen, str]]:
        """What is farther from the reader's eyes than they reach."""
        land = Country(game)
        if faction in ("", REFEREE) or land.rules.fog == "open":
            return NONE
        eyes, sight = land.eyes(faction), land.rules.sight
        return {row.node: ("earlier", "") for row in land.nodes
                if not any(land.map.distance(eye, row.node) <= sight for eye in eyes)}
