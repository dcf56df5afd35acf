"""Winter: works and contracts end, table 36, the recapitulation of the year (4)."""

from __future__ import annotations

from typing import Literal

from assistant.campaign.records import ALL
from assistant.rulesets.giglio import both, recruiting
from assistant.rulesets.giglio.alliances import judge_treaties
from assistant.rulesets.giglio.objectives import faction_figures
from assistant.rulesets.giglio.records import ENGLISH, EVENT, EVENT_AGAIN, EVENT_TABLE, LOT, Faction, Node, by_edition
from assistant.rulesets.giglio.sieges import end_siege
from assistant.rulesets.giglio.war import War, table_citation
from assistant.turn.chapters import Chapter, Citation, EventType, Rules, number, switch
from assistant.turn.dice import Roll
from assistant.turn.rulings import drawn

# What the chapter declares.


class Numbers(Rules):
    """When winter brings an event, and what table 36 does to the taxes."""

    event_on: int = number(6, both("1d6", "1d6"),
                           both("A winter event happens on {n} or more.", "Un evento d'inverno accade con {n} o più."))
    event_trigger: Literal["one", "two"] = switch(
        both("Winter brings an event {option}.", "L'inverno porta un evento {option}."),
        both("when one die shows it", "quando un dado lo mostra"),
        both("when two dice show it", "quando due dadi lo mostrano"))
    famine_mode: Literal["half", "flat20_each", "flat20_total"] = switch(
        both("In a famine {option}.", "In una carestia {option}."),
        both("the city taxes are halved", "le tasse delle città si dimezzano"),
        both("each city pays 20 ducats", "ogni città paga 20 ducati"),
        both("all cities together pay 20 ducats", "tutte le città insieme pagano 20 ducati"),
        by_edition=by_edition(ENGLISH, "flat20_each", "half"), source="4 t36")
    harvest_poor: int = number(5, both("ducats a village", "ducati a villaggio"),
                               both("After a poor harvest each village pays {n} {n?ducat|ducats}.",
                                    "Dopo un raccolto scarso ogni villaggio paga {n} {n?ducato|ducati}."),
                               source="4 t36")
    harvest_good: int = number(15, both("ducats a village", "ducati a villaggio"),
                               both("After a good harvest each village pays {n} {n?ducat|ducats}.",
                                    "Dopo un buon raccolto ogni villaggio paga {n} {n?ducato|ducati}."), source="4 t36")
    indulgence_factor: int = number(2, both("times the city tax", "volte la tassa delle città"),
                                    both("A papal indulgence makes the city taxes {n} {n?time|times} as much.",
                                         "Un'indulgenza papale moltiplica per {n} le tasse delle città."),
                                    source="4 t36")
    epidemic_draw: Literal["winter", "summer"] = switch(
        both("The city of an epidemic is drawn {option}.", "La città di un'epidemia si sorteggia {option}."),
        both("in winter", "in inverno"), both("in summer", "in estate"), source="4 t36, 3a")
    winter_sieges: Literal["lifted", "kept"] = switch(
        both("At the end of round 10 sieges {option}.", "Alla fine della fase 10 gli assedi {option}."),
        both("are lifted", "sono tolti"), both("go on", "continuano"))


EVENTS = (
    EventType("winter.event",
              both("Winter, {faction}: event {event_no} {node}.", "Inverno, {faction}: evento {event_no} {node}."),
              "news", 1, "t36",
              ("event_no",
               {"1": both("An epidemic breaks out {node:at}, held by {faction:the}.",
                          "Scoppia un'epidemia {node:dove}, luogo {faction:di}."),
                "2": both("Famine in the cities of {faction:the}.", "Carestia nelle città {faction:di}."),
                "3": both("A poor harvest for {faction:the}.", "Raccolto scarso per {faction:il}."),
                "4": both("A good harvest for {faction:the}.", "Buon raccolto per {faction:il}."),
                "5": both("A papal indulgence for {faction:the}: city taxes rise.",
                          "Indulgenza papale per {faction:il}: le tasse delle città crescono."),
                "6": both("Earthquake or flood {node:at}, held by {faction:the}.",
                          "Terremoto o alluvione {node:dove}, luogo {faction:di}.")}), to=ALL),
    EventType("winter.quiet",
              both("A quiet winter for {faction:the}.", "Inverno tranquillo per {faction:il}."),
              "news", 5, "t36", to=ALL),
    EventType("winter.recap", both("The year is over. {table}.", "L'anno è finito. {table}."), "news", 3, to=ALL),
    EventType("event.disaster",
              both("Earthquake or flood {node:at}: the walls are gone.",
                   "Terremoto o alluvione {node:dove}: le mura sono distrutte."), "works", 1, "t36", to=ALL),
)

both.words({
    "event": "evento", "eventtable": "tabella degli eventi", "event2": "conferma dell'evento", "lot": "sorteggio",
    "famine": "carestia", "poor harvest": "raccolto scarso", "good harvest": "buon raccolto",
    "papal indulgence": "indulgenza papale", "earthquake or flood": "terremoto o alluvione",
})

CHAPTER = Chapter(both("4 Winter", "4 Inverno"), (Citation("4", "4"), table_citation(36, "events")), Numbers, EVENTS)


# Quarters of winter (rulebook: 4 Winter).


def finish_winter_works(war: War) -> None:
    """Works end in winter where the edition says so (step 2)."""
    if recruiting.Numbers.of(war).fort_timing == "base":
        recruiting.finish_works(war, by_year=war.year)


def lift_winter_sieges(war: War) -> None:
    """Sieges end with the summer (step 3)."""
    if Numbers.of(war).winter_sieges == "lifted":
        for row in war.sieges:
            end_siege(war, row)


def dismiss_specialists(war: War) -> None:
    """Specialists' contracts end, diplomats leave, commanders are replaced (step 5)."""
    for man in war.specialists:
        if man.status == "active":
            man.status = "expired"
            war.tell("specialist.expired", code=man.specialist, kind=man.kind)
    for army in war.armies:
        if army.leaderless:
            army.leaderless = 0
            war.tell("commander.replaced", army=army.army)
        if army.kind == "diplomat":
            war.take_off(army)
            war.tell("marker.withdrawn", army=army.army, faction=army.faction)


# On a 6, table 36; what it brings acts in the next spring.


EPIDEMIC, FAMINE, POOR, GOOD, INDULGENCE, DISASTER = range(1, 7)
FAMINE_TAX = 20  # "Collected 20 Ducati from the city", English table 36 row 2


def draw_events(war: War) -> None:
    """Each faction throws for an event."""
    for faction in war.players():
        draw_event(war, faction)


def draw_event(war: War, faction: Faction) -> None:
    """On a 6 throw on table 36; the event acts next spring (step 6)."""
    code = faction.faction
    faction.pending_event, faction.pending_node = 0, ""
    first = war.roll(EVENT(code, war.year))
    rolls = [first]
    opened = first.at_least(Numbers.of(war).event_on)
    if opened and Numbers.of(war).event_trigger == "two":
        rolls.append(war.roll(EVENT_AGAIN(code, war.year)))
        opened = rolls[-1].at_least(Numbers.of(war).event_on)
    if opened:
        rolls.append(war.roll(EVENT_TABLE(code, war.year)))
        faction.pending_event, faction.pending_node, lot = _event_and_place(war, code, rolls[-1].total)
        rolls += lot
    if faction.pending_event:
        war.tell("winter.event", roll=rolls, faction=code, event_no=faction.pending_event, node=faction.pending_node)
    else:
        war.tell("winter.quiet", roll=rolls, faction=code, die=first)


def _event_and_place(war: War, code: str, number: int) -> tuple[int, str, list[Roll]]:
    """The event (0 for none), its place and dice; without a place to strike, no epidemic or disaster happens."""
    if number not in (EPIDEMIC, DISASTER):
        return number, "", []
    places = cities_of(war, code) if number == EPIDEMIC else [n for n in war.nodes if n.owner == code and n.fortified]
    if number == EPIDEMIC and Numbers.of(war).epidemic_draw == "summer":
        return (number if places else 0), "", []
    place, rolls = draw_lot(war, code, places)
    return (number, place.node, rolls) if place else (0, "", rolls)


def cities_of(war: War, faction: str) -> list[Node]:
    """Cities under control, in natural order."""
    return [n for n in war.nodes if n.owner == faction and n.counts_as == "city"]


def draw_lot(war: War, faction: str, places: list[Node]) -> tuple[Node | None, list[Roll]]:
    """Draw one of the places by ``lot``; a single place needs no die, None if there is none."""
    return drawn(places, lambda dice: war.roll(LOT(faction, war.year, dice=dice)))


def disasters(war: War) -> None:
    """Row 6 of table 36: the walls of the place that was drawn are gone."""
    for faction in war.players():
        if faction.pending_event == DISASTER and faction.pending_node:
            place = war.nodes[faction.pending_node]
            place.walls = "none"
            war.tell("event.disaster", faction=faction.faction, node=place.node)


def recapitulate(war: War) -> None:
    """Publish everybody's places, capitals and ports at the end of the year (step 7)."""
    now = [faction_figures(war, faction.faction) for faction in war.players()]
    war.tell("winter.recap",
             table={ row["faction"]: {name: row[name] for name in ("places", "capitals", "ports")} for row in now})


STEPS = (judge_treaties, finish_winter_works, lift_winter_sieges, dismiss_specialists, draw_events, recapitulate)
"""The steps of winter in their order; the new year begins when the phase is closed."""
