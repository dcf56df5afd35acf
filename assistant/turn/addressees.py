"""Whom a code stands for where somebody is asked or told: in go a campaign and codes, out come clubs and the referee.

A faction that the rules play has no club: what it would be asked or told is the referee's. What one of the people
below a faction would be asked or told is that faction's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, RULES, Faction
from assistant.campaign.table import Table


def roles_of(campaign: Campaign) -> Mapping[str, str]:
    """The code of each faction -> its role, in natural order."""
    return campaign.made_of(_roles, Faction)


def _roles(factions: Table[Faction]) -> dict[str, str]:
    return {row.faction: row.role for row in factions}


def stand_ins(campaign: Campaign) -> Mapping[str, str]:
    """Codes of those who are not asked themselves -> who is asked in their place, a faction or the referee."""
    found = {}
    for record in campaign.records().values():
        if record.persons:
            found.update({row.ident: str(getattr(row, "faction", "")) or REFEREE for row in campaign.table(record)})
    factions = {code: REFEREE if role == RULES else code for code, role in roles_of(campaign).items()}
    people = {code: factions.get(faction, faction) for code, faction in found.items() if code not in factions}
    return people | {code: REFEREE for code, whom in factions.items() if whom == REFEREE}


def heard_by(codes: Iterable[str], instead: Mapping[str, str]) -> list[str]:
    """Who hears what is meant for these codes; the referee, who hears everything, is left out."""
    return [code for code in dict.fromkeys(instead.get(one, one) for one in codes) if code != REFEREE]
