"""What a phase of the day knows beside the records: orders by unit, what was done today, who marches when."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.hexmap import direction
from assistant.rulesets.anarchy.book.sheets import Army, Convoy, Place, Train
from assistant.rulesets.anarchy.realm.marches import Marches
from assistant.turn.game import ALL, Game
from assistant.turn.orders.request import Request
from assistant.turn.orders.words import fold


class Field(Marches):
    """One run of one phase of the day."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.taken: dict[str, Army | Convoy | Place | Train] = {}
        """The unit of each row of orders that was taken, by the order's code."""
        self.wishes: dict[str, tuple[str, Request]] = {}
        """Where groups want to eat: place, convoy or none, and the row that says so."""
        self.purses: dict[str, int] = {}
        """What is left of the morning's money, by group."""
        self.carried: dict[tuple[str, str], int] = {}
        """Points carried today, by convoy and place."""
        self.made: set[str] = set()
        """Places at which a convoy was made today."""
        self.given_up: set[str] = set()
        """Castles that are handed over by order."""
        self.moves: dict[str, Request] = {}
        self.ways: dict[str, list[str]] = {}
        """The hexes of each ordered march, as the orders were read; a far goal is not among them."""
        self.starts: dict[str, str] = {}
        self.goals: dict[str, str] = {}
        self.acts: dict[str, list[Request]] = {}
        self.moments: dict[str, str] = {}
        """On which hex each act is done, by the order's code; "" for the last of the march."""
        self.lifts: dict[str, Request] = {}
        self.sallies: dict[str, Request] = {}
        self.wanted: dict[str, tuple[int, int]] = {}
        """Recruits ordered today at each place: light foot and peasants."""
        self.recruited: dict[str, tuple[int, int]] = {}
        """Those of them who came."""
        self.staying: set[str] = set()
        """Groups that do not march today."""
        self.march: list[str] = []
        self.heading: dict[str, str] = {}
        self.arrivals: dict[str, int] = {}
        self.visited: set[tuple[str, str]] = set()
        """Which unit has been on which hex today."""
        self.met: set[frozenset[str]] = set()
        """Who has met whom today: two groups, or a group and a convoy or train."""
        self.spent: set[str] = set()
        self.fought: list[str] = []
        self.numbers_unsure = False
        """Whether somebody who waits may fight first, so that the next battle's number is not known."""
        self.leg: dict[str, list[str]] = {}
        """The hexes of each unit since it was last told where it goes."""

    # --- orders -----------------------------------------------------------------------------
    def ordered(self, army: Army, verb: str, ident: str = "", name: str = "") -> Request | None:
        """An order of that verb to a unit, about a target where one is named, that still stands."""
        names = {fold(ident), fold(name)} - {""}
        for request in self.acts.get(army.army, []):
            if request.verb == verb and request.row.status in ("", "accepted") and (
                    not ident or fold(request.target) in names) and (
                    not request.node or request.node == army.node):
                return request
        return None

    def meets(self, one: Army, other: Army | Convoy | Train) -> None:
        """Two meet, so that an order of one about the other has had its moment."""
        self.met.add(frozenset((one.army, other.ident)))

    def meant_for(self, request: Request, here: str, last: bool) -> bool:
        """Whether an act is meant for this hex of a march; `last`: whether it is its last."""
        return self.moments[request.row.order] == here if self.moments[request.row.order] else last

    def limited(self, army: Army) -> str:
        """Why a unit may only pass: a lone noble, unarmed, an escort; "" for all others (ANA-011)."""
        if self.lone(army):
            return "a lone noble"
        if army.unarmed:
            return "unarmed"
        return "an escort" if self.escorted(army) else ""

    def able(self, army: Army, node: str = "") -> bool:
        """Whether a unit may go on with its activation (on that hex, where one is named)."""
        return (army.active and army.army not in self.spent and not self.attached(army) and node in ("", army.node))

    def spend(self, *armies: Army) -> None:
        """They have fought, refused, shut themselves in or joined: their day is over."""
        for army in armies:
            self.spent |= {a.army for a in self.stack(army)}

    # --- marching ---------------------------------------------------------------------------
    def step(self, army: Army, there: str) -> None:
        """One step of a march, with all that follows."""
        start = army.node
        was_inside = army.inside
        self.go(army, there)
        if was_inside:
            self.tell("entered", ALL, "5.3", unit=army.army, place=was_inside, way="left")
        self.heading[army.army] = direction(start, there)
        self.visited |= {(army.army, start), (army.army, there)}
        self.arrivals[army.army] = len(self.arrivals) + max(self.arrivals.values(), default=0) + 1
        self.leg.setdefault(army.army, [start]).append(there)

    def say_leg(self, unit: Army | Convoy | Train) -> None:
        """Tell the way since the last stop."""
        leg = self.leg.pop(unit.ident, [])
        if leg:
            rows = self.on_road(unit) if isinstance(unit, Army) else [unit]
            self.tell("moved", ALL, "8.3", touch=rows, unit=unit.ident, path=" ".join(leg))

    def look_round(self, army: Army) -> None:
        """Who has come to a hex and those who stand there see each other."""
        for other in self.at(army.node):
            if other.army != army.army:
                self.sight(army, other)

    def marching(self, armies: Iterable[Army]) -> list[Army]:
        """Groups in the order of march, those that are not in it behind the others."""
        return sorted(armies, key=lambda a: self.march.index(a.army) if a.army in self.march else len(self.march))
