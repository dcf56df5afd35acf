"""The Long Road, a rulebook that only goes on: three hundred turns of marches, to see whether age makes Arbitro slow.

Each turn twelve factions march three armies each along a ring of 120 places and throw a die for what
they find: 36 orders, 48 events and 12 dice a turn, as many as an ordinary campaign has in a season.
Robots write the orders, so that nothing has to be typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Whole, column
from assistant.campaign.records import ALL
from assistant.turn.event_types import EventType
from assistant.turn.findings import Finding
from assistant.turn.game import Game, Phase
from assistant.turn.numbers import Number
from assistant.turn.orders.reader import Understood
from assistant.turn.orders.verbs import Verb
from assistant.turn.ruleset import INTERFACE, Ruleset
from assistant.turn.texts import keyed

TURNS = 300
FACTIONS = [chr(65 + n) for n in range(12)]
PLACES = 120


@dataclass
class Faction(base.Faction):
    """A wandering people and what it has found."""

    finds: int = column(Whole(0), "Finds", "Ritrovamenti")


@dataclass
class Order(base.Order):
    """Which army goes where."""

    army: str = column(Ref("Armies", blank=True), "Army", "Armata", edit="club", see="owner")
    target: str = column(Ref("Nodes", blank=True), "Where", "Dove", edit="club", see="owner")


EVENTS = keyed(
    EventType("road.marched", "{army} goes to {node}.", to=ALL),
    EventType("road.found", "{faction} finds {n}: {roll}.", rule="2", to=ALL),
)


def march(game: Game) -> None:
    """Chapter 1: all armies march. Chapter 2: each faction throws for what lies there."""
    armies = game.campaign.table(base.Army)
    for order in game.campaign.table(Order).of_turn(game.turn):
        order.status = "accepted"
        armies[order.army].node = order.target
        game.tell("road.marched", army=order.army, node=order.target)
    for people in game.campaign.table(Faction):
        roll = game.roll(f"find:{people.faction}:{game.turn}")
        people.finds += roll.total
        game.tell("road.found", roll=roll, faction=people.faction, n=roll.total)


MARCH = Phase("march", "March", "Marcia", "1", march, orders="march")
OVER = Phase("over", "The end", "Fine", "2", lambda game: None)


class LongRoad(Ruleset):
    """The Long Road."""

    id = "longroad"
    interface = INTERFACE
    title = "The Long Road"
    version = "1"
    records = (base.Desk, Faction, base.Node, base.Road, base.Army, Order, base.Question, base.Battle, base.Event,
               base.Die, base.FindingRow, base.Rule)
    numbers = (Number("finds", 1, "dice", "2", "Dice for what is found."),)
    findings: dict[str, Any] = {}  # noqa: RUF012
    events = EVENTS
    questions: dict[str, Any] = {}  # noqa: RUF012
    verbs = {"go": Verb("go", "vai", ("army", "target"), ("march",), "March to a place.")}  # noqa: RUF012

    def phase(self, phase_id: str) -> Phase:
        """Marching, or the end."""
        return {"march": MARCH, "over": OVER}[phase_id]

    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """One phase a turn."""
        return ("march",)

    def advance(self, campaign: Campaign) -> None:
        """The next turn, or the end."""
        desk = campaign.desk
        last = desk.turn == str(TURNS)
        desk.turn, desk.phase = (desk.turn, "over") if last else (str(int(desk.turn) + 1), "march")

    def is_over(self, campaign: Campaign) -> bool:
        """After the last turn."""
        return campaign.desk.phase == "over"

    def prepare(self, campaign: Campaign) -> None:
        """It starts on turn 1."""
        campaign.desk.turn, campaign.desk.phase = campaign.desk.turn or "1", campaign.desk.phase or "march"

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """Nothing beyond what every workbook is checked for."""
        return []

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """Robots make no mistakes."""
        return []

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """No order in words."""
        return Understood(problem=text)

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """There are no secrets on the road."""
        return campaign.copy()

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Finds by faction."""
        return [{"faction": one.faction, "finds": one.finds} for one in campaign.table(Faction)]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The finds."""
        return [("Finds", view.table(Faction)[faction].finds)]

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """Every army goes one place further."""
        mine = view.table(base.Army).where(lambda army: army.faction == faction)
        return [Order(verb="go", army=army.army, target=f"N{int(army.node[1:]) % PLACES + 1}") for army in mine]

    def robot_answer(self, view: Campaign, faction: str, question: base.Question) -> str:
        """Nothing is ever asked."""
        return question.default


LONG_ROAD = LongRoad()


def write(folder: Path) -> None:
    """The campaign before its first turn, as the CSV folder that ``arbitro new`` takes."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "desk": ["key,value", "ruleset,longroad", "language,en", "title,The Long Road"],
        "factions": ["faction,name_en,role", *(f"{code},People of {code},robot" for code in FACTIONS)],
        "nodes": ["node,name,x,y", *(f"N{n},Place {n},{n},{n % 10}" for n in range(1, PLACES + 1))],
        "roads": ["a,b", *(f"N{n},N{n % PLACES + 1}" for n in range(1, PLACES + 1))],
        "armies": ["army,faction,node", *(f"{code}-{k},{code},N{10 * n + k}" for n, code in enumerate(FACTIONS)
                                          for k in (1, 2, 3))],
    }
    for name, lines in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def install(folder: Path) -> None:
    """Let Python find the rulebook as a plug-in, once the folder is on its path."""
    info = folder / "arbitro_longroad-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arbitro-longroad\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[arbitro.rulesets]\nlongroad = benchmarks.endless:LONG_ROAD\n",
                                           encoding="utf-8")
