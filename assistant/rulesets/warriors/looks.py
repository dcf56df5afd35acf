"""How the Fantasy Warriors campaign looks on a map: squares, Forces, boats, what lies out of sight."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.record import Record
from assistant.campaign.records import REFEREE, Event
from assistant.rulesets.warriors.book.sheets import Army, Boat, Terrain, Unit
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.game import Game
from assistant.turn.looks import NONE, UNCOUNTED, Looks, Marks, Seen, codes_of

MARCHES = {"moved": ("army", "node", "path"), "sailed": ("army", "node", "path"),
           **dict.fromkeys(("seen", "counter_marched", "retreated", "stepped_back"), ("army", "node", "to"))}
LOST = ("force_lost", "collapsed", "force_broken", "force_destroyed", "no_retreat")
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
        """What is farther from the reader's eyes than they reach, with the turn in which it was last within it."""
        land = Country(game)
        if faction in ("", REFEREE) or land.rules.fog == "open":
            return NONE
        eyes, sight = land.eyes(faction), land.rules.sight
        stood, looked = _told(land, faction)
        found: dict[str, tuple[Seen, str]] = {}
        for row in land.nodes:
            if not any(land.map.distance(eye, row.node) <= sight for eye in eyes):
                turns = [turn for eye, turn in stood.items() if land.map.distance(eye, row.node) <= sight]
                turns += [looked[row.node]] if row.node in looked else []
                found[row.node] = "earlier", max(turns, key=int, default="")
        return found


def _told(land: Country, faction: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What the reader's events tell of where it saw from: squares from which and to which its Forces and allies' went,
    in which they were lost, in which its places fell; and those in which it saw others pass. Each with its last turn.
    """
    stood: dict[str, str] = {}
    looked: dict[str, str] = {}
    at: dict[str, str] = {}
    for event in land.campaign.table(Event):
        army, node = str(event.data.get("army", "")), str(event.data.get("node", ""))
        if event.event == "seen" and not land.friendly(land.faction_of(army), faction):
            looked[str(event.data["to"])] = event.turn
        elif event.event in MARCHES:
            at[army] = codes_of(event.data[MARCHES[event.event][-1]])[-1]
            stood |= {node: event.turn, at[army]: event.turn}
        elif event.event in LOST and army in at:
            stood[at[army]] = event.turn
        elif event.event == "place_taken" and land.friendly(str(event.data["was"]), faction):
            stood[node] = event.turn
    return stood, looked
