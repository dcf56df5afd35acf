"""Phase 0: the weather of each zone, by two dice, climate and season (0)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.sheets import Climate, Weather, Zone
from assistant.rulesets.warriors.book.tables import FAIR, HEAT, SPLENDID, WEATHER
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.land.seasons import season_of
from assistant.turn.game import ALL, REFEREE, Ask
from assistant.turn.throws.rulings import Score


def weather(land: Country) -> None:
    """All zones, each by its dice; with phase0 = ask as the referee says."""
    zones = list(land.zones)
    if land.rules.phase0 == "ask":
        options = tuple(row.weather for row in land.campaign.table(Weather))
        asks = [Ask("weather", REFEREE, zone.zone, options, asked={"zone": zone.zone}) for zone in zones]
        for zone, word in zip(zones, land.game.choose_all(asks), strict=True):
            zone.weather = word
            land.tell("weather_set", ALL, "0", touch=[zone], zone=zone.zone, weather=word)
        return
    for zone in zones:
        _thrown(land, zone)


def _thrown(land: Country, zone: Zone) -> None:
    """Doubles keep what there is; else the table, where an arid summer turns splendid weather into heat."""
    season = season_of(land, land.desk.week)
    climate = land.campaign.table(Climate).get(zone.climate)
    roll = land.roll(WEATHER(zone.zone))
    dice = Score(roll, tuple([(season, n)] if climate is not None and (n := int(getattr(climate, season))) else []))
    if zone.weather and len(set(roll.faces)) == 1:
        land.tell("weather_held", ALL, "0", roll=roll, touch=[zone], zone=zone.zone, weather=zone.weather)
        return
    word = next((row.weather for row in land.campaign.table(Weather)
                 if (row.low is None or dice.at_least(row.low)) and (row.high is None or dice.at_most(row.high))), FAIR)
    zone.weather = HEAT if (word, zone.climate, season) == (SPLENDID, "arid", "summer") else word
    land.tell("weather_set", ALL, "0", roll=dice, touch=[zone], zone=zone.zone, weather=zone.weather, total=dice)
