"""How a campaign of Incursio ends: a campaign in, the winner out (rulebook: The end)."""

from __future__ import annotations

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Objective
from assistant.rulesets.incursio.realm.realm import Realm

DRAW = "draw"
FORTRESS = 6


def winner(realm: Realm, *, evening: bool) -> str:
    """Who has won at the end of this day: a faction, a draw, or nobody yet (""). `evening`: the day is over."""
    rules, towns = realm.rules, realm.homes(ESDEF)
    if rules.play_on == "yes" or not evening:
        return ""
    raiders = ((realm.factions[VARANNAH].resources or 0) >= rules.resources_to_win
               or len(towns) < rules.settlements_to_lose)
    over = realm.today >= rules.campaign_days
    defenders = over and (len(towns) >= rules.settlements_to_win or any(town.level >= FORTRESS for town in towns))
    if raiders and defenders:
        return DRAW
    return VARANNAH if raiders else ESDEF if defenders else DRAW if over else ""


def score(realm: Realm, side: str) -> int:
    """What the chronicle counts: people of settlements and refugees, or resources."""
    if side == VARANNAH:
        return realm.factions[side].resources or 0
    return sum(realm.level(town).population + town.refugees for town in realm.homes(ESDEF))


def in_reach(realm: Realm, side: str) -> int:
    """How many objectives of a side hold today, as far as the reader knows; two that are joined count once."""
    towns = realm.homes(ESDEF)
    figures = {"settlements_at_least": len(towns), "settlements_below": -len(towns),
               "level_6_at_least": sum(town.level >= FORTRESS for town in towns),
               "resources_at_least": realm.factions[VARANNAH].resources or 0}
    held = [row for row in realm.campaign.table(Objective) if row.faction == side
            and figures[row.kind] >= (1 - row.value if row.kind == "settlements_below" else row.value)]
    return len({min(row.objective, row.joined_to or row.objective) for row in held})
