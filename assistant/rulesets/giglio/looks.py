"""How Il Giglio looks on a map: sites, fleets at sea, sieges, the marches and battles of a round."""

from __future__ import annotations

from assistant.campaign import records as base
from assistant.campaign.record import Record
from assistant.rulesets.giglio.book.records import Army, Fleet, Siege
from assistant.turn.game import Game
from assistant.turn.looks import BESIEGES, UNCOUNTED, ForceLook, Looks, Marks, PlaceLook

MARCHES = {"army.moved": ("army", "path"), "army.retreated": ("army", "frm", "to"),
           "fleet.sailed": ("fleet", "frm", "to"), "fleet.repelled": ("fleet", "frm", "to")}
LOST = {"army.lost": ("army", "faction"), "fleet.lost": ("fleet", "faction")}
MARKS = {"battle.offered": Marks("battle"), "battle.result": Marks("battle", owner="winner"),
         "siege.begun": Marks("siege", owner="besieger"), "place.taken": Marks("captured", owner="by"),
         "epidemic.struck": Marks("plague")}


class GiglioLooks(Looks):
    """Everybody sees every marker; how many ducats stand under it only its owner knows."""

    kind = "site"
    forces = {Army.sheet: "army", Fleet.sheet: "fleet"}  # noqa: RUF012
    marches = MARCHES
    lost = LOST
    marks = MARKS

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """A place under siege says so."""
        look = super().place(node, game)
        return look._replace(besieged=any(row.node == node.node for row in game.campaign.table(Siege)))

    def force(self, row: Record, game: Game) -> ForceLook | None:
        """What is aboard is where its fleet is, and shown with it."""
        return None if isinstance(row, Army) and row.posture == "aboard" else super().force(row, game)

    def strength(self, row: Record, game: Game) -> str:
        """Ducats, where the view says them."""
        return UNCOUNTED if isinstance(row, Fleet) else str(row.value or "") if isinstance(row, Army) else ""

    def stance(self, row: Record, game: Game) -> str:
        """An envoy, shut in, or at a siege."""
        if not isinstance(row, Army):
            return ""
        if row.kind == "diplomat" or row.posture == "shut_in":
            return row.kind if row.kind == "diplomat" else row.posture
        siege = game.campaign.table(Siege).get(f"{row.node}/{row.faction}")
        return BESIEGES if siege is not None else ""
