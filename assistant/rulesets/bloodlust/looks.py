"""How Bloodlust nations looks on a map: provinces with capitals and forts, armies, invasions, conquests, sieges."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.campaign import records as base
from assistant.campaign.record import Record
from assistant.rulesets.bloodlust.book.records import Army, Faction, Node
from assistant.rulesets.bloodlust.book.sheets import Siege, Unit
from assistant.turn.game import Game
from assistant.turn.looks import BESIEGES, ForceLook, Looks, Marks, PlaceLook
from assistant.turn.texts import N_

MARCHES = {"invasion": ("army", "start", "node"), "marched": ("army", "node")}
MARKS = {"result": Marks("battle", owner="winner"), "battle": Marks("battle", owner="by"),
         "conquered": Marks("captured", owner="faction"), "raided": Marks("razed", owner="faction"),
         "siege_begins": Marks("siege", owner="besieger")}


class BloodlustLooks(Looks):
    """Armies are counters that all see; how many units they hold is known where the fog is lifted, and of one's own."""

    ways = {"": "border"}  # noqa: RUF012
    revolt = N_("In unrest")
    marches = MARCHES
    marks = MARKS
    ordered = {"invade": ("subject", "target"), "post": ("subject", "target")}  # noqa: RUF012

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """A capital, a fort, or open land; in unrest as long as its nation is (rulebook: Will to Fight)."""
        look = super().place(node, game)
        kind = "capital" if look.capital else "fort" if look.walls else "province"
        glyph, size = {"capital": ("city", 3), "fort": ("fortress", 2)}.get(kind, ("dot", 1))
        siege = any(row.node == node.node and not row.ended for row in game.campaign.table(Siege))
        nation = game.campaign.table(Faction).get(look.owner)
        return look._replace(kind=kind, glyph=glyph, size=size, besieged=siege,
                             revolt=nation is not None and nation.unrest > 0)

    def owner(self, node: base.Node) -> str:
        """Whose a province is now."""
        return node.owner if isinstance(node, Node) else ""

    def strength(self, row: Record, game: Game) -> str:
        """Units of an army, as far as they are seen."""
        units = game.campaign.table(Unit).where(lambda one: one.active and one.army == row.ident)
        return str(len(units)) if units else ""

    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """As everywhere; of one's own army without a unit it is known that it is empty."""
        for look in super().standing(game, faction):
            yield look if look.strength or faction not in (look.owner, base.REFEREE) else look._replace(strength="0")

    def stance(self, row: Record, game: Game) -> str:
        """What lies before a fort besieges it."""
        sieges = game.campaign.table(Siege).where(lambda one: not one.ended) if isinstance(row, Army) else []
        return BESIEGES if any(row.ident in siege.armies_out.split() for siege in sieges) else ""
