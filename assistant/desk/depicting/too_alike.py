"""A campaign in; findings about colours of factions that many people could not tell apart on its map out."""

from __future__ import annotations

from itertools import combinations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.pictures.hues import too_near
from assistant.turn.findings import Finding, Where

FEW = 12
"""So many owners can have colours with which any two may be neighbours, wherever borders move; of more, those of two
that touch are told apart by their borders and signs where their colours are near.
"""


def alike(campaign: Campaign) -> list[Finding]:
    """A warning at each colour that is too near to that of a faction above it, with the nearest that is not.

    Colours are typed once and borders move each turn: as long as there are few owners any two of them count as
    neighbours. A faction without a colour of its own (the column's default) is left alone.
    """
    rows = [row for row in campaign.table(Faction) if row.colour.casefold() != Faction.column("colour").default]
    pairs = {frozenset(pair) for pair in combinations([row.faction for row in rows], 2)} if len(rows) <= FEW else set()
    colours = {row.faction: row.colour.casefold() for row in rows}
    return [codes.finding(codes.COLOURS_ALIKE, Where(Faction.sheet, faction, "colour"), faction=faction, other=other,
                          seen=colours[faction], theirs=colours[other], good=good)
            for faction, other, good in too_near(colours, pairs)]
