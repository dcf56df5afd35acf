"""The turn as a list that can be printed: nine phases, of which two may be left out (rulebook: The turn)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.warriors.book.records import TURN
from assistant.rulesets.warriors.land.answers import answers
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.march import command, movement
from assistant.rulesets.warriors.march.moves import Moves
from assistant.rulesets.warriors.march.weather import weather
from assistant.rulesets.warriors.war import aftermath, forms, places, stepping
from assistant.rulesets.warriors.war.dossiers import papers
from assistant.rulesets.warriors.war.explore import explore
from assistant.rulesets.warriors.year import chance, muster
from assistant.rulesets.warriors.year.time import time
from assistant.rulesets.warriors.year.will import will
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.steps import Phase, Step


def hand_over(land: Country) -> None:
    """The dossiers of the battles that have just been explored."""
    for battle in land.battles.of_turn(land.game.turn, lambda row: row.status == "open" and not row.papers):
        battle.papers = papers(land, battle)


def closing(land: Country) -> None:
    """Without random events the turn is closed after the purchases."""
    if land.rules.phase8 == "off":
        chance.close_turn(land)


def _phase(name: str, en: str, it: str, rule: str, board: Any, *steps: Step, asks: tuple[str, ...] = (),
           takes: str = "", **more: Any) -> Phase:
    return Phase(name, en, it, rule, waits_for=asks, board=board, steps=(*steps, Step(answers)), takes=takes,
                 orders=TURN if takes else "", **more)


CALENDAR = Calendar((
    _phase("weather", "Weather", "Tempo meteorologico", "0", Country, Step(weather), asks=("weather",)),
    _phase("orders", "Orders", "Cambio degli ordini e riconfigurazione", "1 Force test", command.Command,
           Step(command.read, "together"), Step(command.tests), takes="orders"),
    _phase("move", "Movement", "Movimento", "2 movement", Moves, Step(movement.read, "together"),
           Step(movement.move), Step(movement.close), asks=("counter-march",), takes="move"),
    _phase("explore", "Exploration", "Esplorazione", "3 exploration", Country, Step(explore), Step(hand_over)),
    _phase("battle", "Battle", "Battaglia", "3", Country, Step(forms.check_forms, "forms"), Step(forms.results),
           Step(forms.aids),
           asks=("result",)),
    _phase("after", "After the battle", "Dopo la battaglia", "4 movement after", aftermath.Aftermath,
           Step(aftermath.figures), Step(aftermath.tally), Step(aftermath.reactions), Step(stepping.retreats),
           Step(stepping.step_back), Step(places.places), Step(places.boats), asks=("retreat", "step-back")),
    _phase("will", "Will to fight", "Volontà di combattere", "5", Country, Step(will)),
    _phase("time", "Time", "Tempo", "6", Country, Step(time), asks=("weeks",)),
    _phase("muster", "Reinforcements", "Rinforzi", "7", muster.Muster, Step(muster.read, "together"),
           Step(muster.recover), Step(muster.points), Step(muster.buy), Step(closing), asks=("muster",),
           takes="muster", chests=muster.chests),
    _phase("events", "Random events", "Eventi casuali", "8", chance.Chance, Step(chance.events),
           Step(chance.close_turn), asks=("event", "levies", "mercenaries")),
), Turns())
OPTIONAL = {"weather": "phase0", "events": "phase8"}
"""Phases that a campaign may leave out -> their switch."""
