"""The board of phase 2: who has moved, who is in contact, who came when."""

from __future__ import annotations

from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.game import Game
from assistant.turn.orders.request import Request


class Moves(Country):
    """Phase 2, with what only holds as long as it is played.

    `requests`: the rows that count; `sequence`: the factions in the order of initiative; `moved`: Forces that have
    left their square; `tried`: those that have tried a counter-march; `contacts`: square -> Forces in contact there,
    `attackers`: and the factions that made it, the first one first; `arrived`: Force -> the how manieth square that
    anybody has entered.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.requests: list[Request] = []
        self.sequence: list[str] = []
        self.moved: set[str] = set()
        self.tried: set[str] = set()
        self.contacts: dict[str, list[str]] = {}
        self.attackers: dict[str, list[str]] = {}
        self.arrived: dict[str, int] = {}
        self._steps = 0

    def enter(self, army: Army, node: str) -> None:
        """A Force enters a square: it counts among the arrivals."""
        self._steps += 1
        self.arrived[army.army] = self._steps
        self.moved.add(army.army)
        army.node = node

    def in_contact(self, army: Army) -> bool:
        """Whether a Force is in contact this phase."""
        return army.army in self.contacts.get(army.node, ())

    def third_party(self, army: Army, node: str) -> bool:
        """Whether two Forces that are hostile to each other stand in a square, and the mover is hostile to both or to
        neither.
        """
        there = self.at(node)
        return any(self.hostile(a.faction, b.faction)
                   and self.hostile(a.faction, army.faction) == self.hostile(b.faction, army.faction)
                   for a in there for b in there)
