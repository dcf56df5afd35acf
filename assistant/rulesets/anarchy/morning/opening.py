"""The opening, run once as turn 0: men from their number, weather, season (rulebook: The opening; chapters 8.2, 18)."""

from __future__ import annotations

from assistant.rulesets.anarchy.book.tables import COMPOSITION, SEASONS, WEATHER, composition
from assistant.rulesets.anarchy.book.throws import SEASON_OF_YEAR, WEATHER_OF_YEAR
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, REFEREE, show_men
from assistant.turn.game import Game
from assistant.turn.throws.dice import PUBLIC
from assistant.turn.throws.scales import read_scale


def opening(game: Game) -> None:
    """Groups and garrisons are mustered, then the weather and the season of the campaign are thrown."""
    realm = Field(game)
    _muster(realm)
    _weather(realm)
    _season(realm)
    realm.tell("opened", REFEREE, "18", touch=realm.horsemen(), resources={p.place: p.resources for p in realm.places})


def _muster(realm: Field) -> None:
    """Groups with a number and no ranks, castles without garrison figures (8.2, 5.3)."""
    for army in realm.armies:
        if army.size >= min(COMPOSITION["norman"]) and not army.men and army.state in ("active", "awaited"):
            for rank, n in composition(army.kind, army.size).items():
                army.gain(rank, n)
            if realm.rules.merc_knights == "knights_if_all_paid" and army.mercenary and army.contract != "paid":
                army.foot, army.knights = army.foot + army.knights, 0
            realm.tell("mustered", realm.own(army.faction), "8.2", touch=[army], unit=army.army, men=show_men(army))
    for place in realm.places:
        if place.castle and place.holder and not place.garrison:
            for rank, n in composition(place.garrison_kind or "norman", realm.rules.garrison_start).items():
                place.gain(rank, n)
            realm.tell("mustered", realm.own(realm.faction_of(place.holder)), "5.3", touch=[place], unit=place.place,
                       men=show_men(place, "g_"))


def _weather(realm: Field) -> None:
    """Every place, also unbuilt ones, gains or loses (18.1)."""
    said = realm.rules.weather
    if said == "off":
        return
    roll, way = None, {"way": "fixed"}
    if said == "roll":
        reading = read_scale(WEATHER, {}, roll=realm.throw(WEATHER_OF_YEAR, PUBLIC))
        said, roll, way = reading.verdict, reading.roll, {}
    low, high = (0 if realm.rules.weather_clamp == "0-10" else 1), realm.rules.resources_max
    for place in realm.places:
        now = min(high, max(low, place.resources + int(said)))
        if now != place.resources:
            place.resources = now
            realm.touch(place)
    realm.tell("weather", ALL, "18.1", roll=roll, n=f"{int(said):+d}", **way)


def _season(realm: Field) -> None:
    """The season of the whole campaign, if it is thrown for (18.2)."""
    if realm.rules.season == "roll":
        reading = read_scale(SEASONS, {}, roll=realm.throw(SEASON_OF_YEAR, PUBLIC))
        realm.tell("season", ALL, "18.2", roll=reading.roll, season=reading.verdict)
