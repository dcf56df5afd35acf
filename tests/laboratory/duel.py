"""A rulebook that is played in a few milliseconds: each turn both villages throw a die, and the higher gets gold.

`edge` is added to A's die. With `brittle` on "yes" the phase breaks down whenever both throw a six.
"""

from __future__ import annotations

from random import Random

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL
from assistant.turn.calendar import Calendar
from assistant.turn.dice import PUBLIC
from assistant.turn.event_types import Ending, EventType
from assistant.turn.findings import Citation
from assistant.turn.game import Game, Phase
from assistant.turn.numbers import Number, Switch
from assistant.turn.texts import keyed
from tests.desk.tiny import Battle, Faction, Tiny

BROKEN = "a plank of the bridge broke"


def duel(game: Game) -> None:
    """Chapter 1: the higher die gets a piece of gold, and a battle is noted where they differ by four."""
    a, b = (game.roll(f"duel:{code}:{game.turn}", "1d6", PUBLIC).total for code in ("A", "B"))
    if game.rules["brittle"] == "yes" and a == b == 6:
        raise ValueError(BROKEN)
    a += game.rules["edge"]
    if abs(a - b) >= 4:
        game.campaign.table(Battle).add(Battle(battle=f"B{game.turn}", turn=game.turn, node="M1", status="played"))
        game.tell("fought", rule="2")
    if a != b:
        winner = game.campaign.table(Faction)["A" if a > b else "B"]
        winner.gold += 1
        game.tell("gained", winner=winner.faction, rule="1")


class Duel(Tiny):
    """Two Bridges."""

    id = "duel"
    title = "Two Bridges"
    calendar = Calendar((Phase("duel", "Duel", "Duello", "1", duel),))
    numbers = (Number("edge", 0, "", "1", "A adds {n}."), Switch("brittle", ("no", "yes"), "1", "Does it break?"))
    events = keyed(EventType("gained", "{winner} gains a piece of gold.", to=ALL),
                   EventType("fought", "They fight on the bridge.", to=ALL),
                   EventType("flooded", "The river floods.", to=ALL))
    citations = {key: Citation(key, f"chapter {key}") for key in ("1", "2", "3")}  # noqa: RUF012
    verbs = {}  # noqa: RUF012
    questions = {}  # noqa: RUF012

    def phase(self, phase_id: str) -> Phase:
        """The one there is."""
        return self.calendar.phases()[phase_id]

    def ending(self, view: Campaign) -> Ending:
        """Who has gained more."""
        gold = {code: sum(event.data.get("winner") == code for event in view.table(base.Event)) for code in ("A", "B")}
        most = [code for code in gold if gold[code] == max(gold.values())]
        return Ending(winners=tuple(most) if len(most) == 1 else ())

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """Nobody orders anything."""
        return []


class Drawn(Duel):
    """The same, which says how to draw what a faction does not know."""

    def draw(self, view: Campaign, faction: str, chance: Random) -> Campaign:
        """The other's gold, up to nine."""
        drawn = view.copy()
        for row in drawn.table(Faction):
            row.gold = chance.randrange(10) if row.faction != faction else row.gold
        return drawn


DUEL = Duel()
