"""How a campaign of Incursio ends: a campaign in, the winner out (rulebook: The end)."""

from __future__ import annotations

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH
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
