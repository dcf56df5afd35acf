"""A campaign in; findings about colours of factions that many people could not tell apart on its map out."""

from __future__ import annotations

from itertools import combinations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.pictures.drawing.theme import LAND
from assistant.pictures.hues import FEW, GREY, too_near
from assistant.turn.findings import Finding, Where

NOBODYS = ""
"""Who holds what nobody holds, and comes before all others."""


def alike(campaign: Campaign) -> list[Finding]:
    """A warning at each colour that is too near to that of a faction above it, or of land that nobody holds, with the
    nearest that is not.

    Colours are typed once and borders move each turn: as long as there are few owners any two of them count as
    neighbours. A faction without a colour of its own (the column's default) is left alone: pictures give it one that
    can be told from all others (`worn`).
    """
    rows = [row for row in campaign.table(Faction) if row.colour.casefold() != GREY]
    pairs = {frozenset(pair) for pair in combinations([row.faction for row in rows], 2)} if len(rows) <= FEW else set()
    colours = {NOBODYS: LAND} | {row.faction: row.colour.casefold() for row in rows}
    pairs |= {frozenset((NOBODYS, row.faction)) for row in rows}
    return [codes.finding(codes.COLOURS_ALIKE if other else codes.COLOUR_OF_LAND,
                          Where(Faction.sheet, faction, "colour"), faction=faction, other=other, seen=colours[faction],
                          theirs=colours[other], good=good)
            for faction, other, good in too_near(colours, pairs)]
