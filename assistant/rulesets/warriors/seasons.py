"""Weather and time: phases 0 and 6 (0, 6)."""

from __future__ import annotations

from typing import Literal

from assistant.campaign.records import ALL, REFEREE
from assistant.rulesets.warriors import both
from assistant.rulesets.warriors.land import Country, forget_wounded, question_type, remove_if_empty
from assistant.rulesets.warriors.records import ASSUMED, SEASONS, TURNS, WEATHER, Climate, Weather, Zone
from assistant.turn import questions
from assistant.turn.chapters import Chapter, Citation, EventType, Rules, number, switch
from assistant.turn.questions import Amount, Ask
from assistant.turn.rulings import Score

# Phase 0: the weather of each zone (0).


class WeatherNumbers(Rules):
    """Whether there is weather, and what it closes."""

    phase0: Literal["off", "on", "ask"] = switch(
        both("The weather {option}.", "Il tempo {option}."), both("is always fair", "è sempre sereno"),
        both("is thrown for", "si tira"), both("is said by the referee", "lo dice l'arbitro"), setup=True)
    weather_closes_fords: Literal["on", "off"] = switch(
        both("Rain and storm {option}.", "Pioggia e tempesta {option}."), both("close the fords", "chiudono i guadi"),
        both("leave the fords open", "lasciano aperti i guadi"))


WEATHER_EVENTS = (
    EventType("weather_set", both("{zone}: {weather}.", "{zone}: {weather}."), "news", 4, to=ALL),
    EventType("weather_held", both("{zone}: {weather} (it stays).", "{zone}: {weather} (resta)."), "news", 5, to=ALL),
)

WEATHER_QUESTIONS = (
    question_type("weather", both("Which weather has {zone}?", "Che tempo fa in {zone}?")),
)

both.words({
    "fair": "sereno", "wind": "vento", "heat": "caldo", "splendid": "splendido", "weather": "tempo",
    "weeks": "settimane",
})

WEATHER_CHAPTER = Chapter(both("0 Weather", "0 Meteo"), (Citation("0", "phase 0", "fase 0", "0 Weather"),),
                          WeatherNumbers, WEATHER_EVENTS, questions=WEATHER_QUESTIONS)


FAIR, HEAT, SPLENDID, WIND_WEATHER = "fair", "heat", "splendid", "wind"


def weather_of(land: Country, node: str) -> Weather:
    """The weather of a square; fair if phase 0 is not played."""
    table = land.campaign.table(Weather)
    row = land.nodes.get(node)
    zone = land.zones.get(row.zone) if row is not None else None
    word = zone.weather if zone is not None and WeatherNumbers.of(land).phase0 != "off" else FAIR
    return table.get(word) or table.get(FAIR) or Weather(weather=FAIR)


def weather(land: Country) -> None:
    """Set the weather of all zones by dice; with phase0 = ask as the referee says."""
    zones = list(land.zones)
    if WeatherNumbers.of(land).phase0 == "ask":
        options = tuple(row.weather for row in land.campaign.table(Weather))
        asks = [Ask("weather", REFEREE, zone.zone, options, asked={"zone": zone.zone}) for zone in zones]
        for zone, word in zip(zones, land.game.choose_all(asks), strict=True):
            zone.weather = word
            land.tell("weather_set", zone=zone.zone, weather=word)
        return
    for zone in zones:
        _throw_weather(land, zone)


def _throw_weather(land: Country, zone: Zone) -> None:
    """Throw a zone's weather: doubles keep it, else the table; an arid summer turns splendid weather into heat."""
    season = season_of(land, land.desk.week)
    climate = land.campaign.table(Climate).get(zone.climate)
    roll = land.roll(WEATHER(zone.zone))
    dice = Score(roll, tuple([(season, n)] if climate is not None and (n := int(getattr(climate, season))) else []))
    if zone.weather and len(set(roll.faces)) == 1:
        land.tell("weather_held", roll=roll, zone=zone.zone, weather=zone.weather)
        return
    word = next((row.weather for row in land.campaign.table(Weather)
                 if (row.low is None or dice.at_least(row.low)) and (row.high is None or dice.at_most(row.high))), FAIR)
    zone.weather = HEAT if (word, zone.climate, season) == (SPLENDID, "arid", "summer") else word
    land.tell("weather_set", roll=dice, zone=zone.zone, weather=zone.weather, total=dice)


# Phase 6: week, month and season; heroes leave (6).


class TimeNumbers(Rules):
    """How long turns, months and seasons are."""

    turn_weeks: int = number(1, both("weeks", "settimane"),
                             both("A turn takes {n} {n?week|weeks}.", "Un turno dura {n} {n?settimana|settimane}."),
                             ASSUMED)
    month_turns: int = number(
        4, TURNS, both("A month has {n} {n?week|weeks}.", "Un mese ha {n} {n?settimana|settimane}."), ASSUMED, 1)
    season_turns: int = number(
        13, TURNS, both("A season has {n} {n?week|weeks}.", "Una stagione ha {n} {n?settimana|settimane}."), ASSUMED, 1)
    phase6: Literal["week", "ask"] = switch(
        both("How many weeks a turn takes {option}.", "La durata di un turno in settimane {option}."),
        both("is fixed", "è fissa"), both("is said by the referee", "lo dice l'arbitro"), setup=True)


TIME_EVENTS = (
    EventType("week", both("Week {week}, month {month}, {season}.", "Settimana {week}, mese {month}, {season}."),
              "news", 6, to=ALL),
    EventType("hero_leaves", both("{unit} leaves {army}.", "{unit} lascia {army}."), "supply", 3, to="army"),
)

TIME_QUESTIONS = (
    question_type("weeks", both("How many weeks have passed?", "Quante settimane sono passate?"), questions.Amount()),
)

TIME_CHAPTER = Chapter(both("6 Time", "6 Tempo"), (Citation("6", "phase 6", "fase 6", "6 Time"),), TimeNumbers,
                       TIME_EVENTS, questions=TIME_QUESTIONS)


SEASON_ORDER = tuple(SEASONS)


def season_of(land: Country, week: int) -> str:
    """The season of a week."""
    passed = (week - 1) // TimeNumbers.of(land).season_turns
    return SEASON_ORDER[(SEASON_ORDER.index(land.desk.start_season) + passed) % len(SEASON_ORDER)]


def month_of(land: Country, week: int) -> int:
    """The month of a week, counted through the campaign."""
    return (week - 1) // TimeNumbers.of(land).month_turns + 1


def month_begins(land: Country, week: int) -> bool:
    """Whether places give points in that week."""
    return (week - 1) % TimeNumbers.of(land).month_turns == 0


MOST_WEEKS = 13


def advance_time(land: Country) -> None:
    """The week moves on."""
    weeks = TimeNumbers.of(land).turn_weeks
    if TimeNumbers.of(land).phase6 == "ask":
        weeks = land.game.amount(Ask("weeks", REFEREE, default="1", answer=Amount(0, MOST_WEEKS)))
    desk = land.desk
    desk.week += weeks
    land.tell("week", week=desk.week, month=month_of(land, desk.week), season=season_of(land, desk.week))
    for unit in land.units:
        if 0 < unit.leaves <= land.turn:
            _hero_leaves(land, unit.unit)


def _hero_leaves(land: Country, code: str) -> None:
    """A hero leaves; a Force without other figures is removed."""
    unit = land.units[code]
    army = land.armies[unit.army]
    forget_wounded(land, code)
    unit.figures, unit.leaves = 0, 0
    land.tell("hero_leaves", unit=code, army=army.army)
    remove_if_empty(land, army, "6")
