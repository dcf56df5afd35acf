"""The Wells, a whole ruleset in one module: two camps dig for water, three days long.

Chapter 1: each day a camp may order one dig at a place. Chapter 2: a die of 4 or more finds water, one
barrel for the camp; a place with damp ground adds 1. Chapter 3: after the last day most barrels win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Flag, Ref, Whole, column
from assistant.turn.findings import Finding, Message, Where, catalogue, nearest
from assistant.turn.game import ALL, Game
from assistant.turn.numbers import Number
from assistant.turn.ruleset import EventType, Phase, Ruleset, Understood, Verb

DAYS = 3


@dataclass
class Faction(base.Faction):
    """A camp and its water."""

    barrels: int = column(Whole(0), "Barrels", "Barili", hint=("barrels of water", "barili d'acqua"))


@dataclass
class Node(base.Node):
    """A place where somebody may dig."""

    damp: bool = column(Flag(), "Damp ground", "Terreno umido", edit="referee")


@dataclass
class Order(base.Order):
    """Where a camp digs today."""

    target: str = column(Ref("Nodes", blank=True), "Where", "Dove", edit="club", see="owner")


FINDINGS = catalogue((
    Message("WEL-001", "error", "'{node}' is not on the map. Did you mean {near}?"),
    Message("WEL-002", "error", "Only dig can be ordered. Choose it from the list."),
))
EVENTS = {one.type: one for one in (
    EventType("well.found", "{faction} digs at {node}: {roll}.", "news", 1, "2", verdicts=("water", "sand")),
    EventType("wells.over", "The last day is over. Most water: {winners}.", "news", 0, "3"),
)}


def orders_of_today(campaign: Campaign) -> list[Order]:
    """Today's orders, one a camp: the last row counts."""
    rows = campaign.table(Order).where(lambda row: row.turn == campaign.desk.turn)
    return sorted({row.faction: row for row in rows}.values(), key=lambda row: row.faction)


def seen_in(order: Order, campaign: Campaign) -> Finding | None:
    """What is wrong with an order, if anything."""
    if order.verb not in ("dig", "scava"):
        return Finding("WEL-002", "error", Where("Orders", order.ident, "verb"), faction=order.faction)
    if order.target not in campaign.table(Node):
        data = {"node": order.target, "near": nearest(order.target, campaign.table(Node).keys())}
        return Finding("WEL-001", "error", Where("Orders", order.ident, "target"), data, order.faction)
    return None


def dig(game: Game) -> None:
    """Chapters 1 to 3: everybody digs, and after the last day the barrels are counted."""
    camps = game.campaign.table(Faction)
    for order in orders_of_today(game.campaign):
        problem = seen_in(order, game.campaign)
        order.status = "refused" if problem else "accepted"
        if problem:
            game.find(problem.code, problem.where, problem.faction, **problem.data)
            continue
        damp = game.campaign.table(Node)[order.target].damp
        check = game.check(f"dig:{order.target}:{order.faction}:{game.turn}", "1d6", game.rules.water_on,
                           {"damp ground": int(damp)})
        camp = camps[order.faction]
        camp.barrels += int(check.passed)
        game.tell("well.found", ALL, "2", roll=check, touch=[camp], faction=camp.faction, node=order.target)
    if game.turn == str(DAYS):
        most = max(camp.barrels for camp in camps)
        game.tell("wells.over", ALL, "3", winners=" ".join(c.faction for c in camps if c.barrels == most))


DIG = Phase("dig", "Digging", "Scavo", "2", dig, orders="day")
OVER = Phase("over", "The end", "Fine", "3", lambda game: None)


class Wells(Ruleset):
    """The Wells."""

    id = "wells"
    title = "The Wells"
    author = "Arbitro's tests"
    version = "1.0"
    records = (base.Desk, Faction, Node, base.Road, base.Army, Order, base.Question, base.Battle, base.Event,
               base.Die, base.FindingRow, base.Rule)
    numbers = (Number("water_on", 4, "1d6", "2", "A die of this or more finds water."),)
    findings = FINDINGS
    events = EVENTS
    questions = {}  # noqa: RUF012
    verbs = {"dig": Verb("dig", "scava", ("target",), ("day",), "Dig for water at a place.")}  # noqa: RUF012

    def phase(self, phase_id: str) -> Phase:
        """Digging, or the end."""
        return {"dig": DIG, "over": OVER}[phase_id]

    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """One phase a day."""
        return ("dig",)

    def advance(self, campaign: Campaign) -> None:
        """The next day, or the end."""
        desk = campaign.desk
        desk.turn, desk.phase = (desk.turn, "over") if desk.turn == str(DAYS) else (str(int(desk.turn) + 1), "dig")

    def is_over(self, campaign: Campaign) -> bool:
        """After the third day."""
        return campaign.desk.phase == "over"

    def prepare(self, campaign: Campaign) -> None:
        """It starts on day 1."""
        campaign.desk.turn, campaign.desk.phase = campaign.desk.turn or "1", campaign.desk.phase or "dig"

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """Nothing beyond what every workbook is checked for."""
        return []

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """As the digging would find them."""
        return [found for order in orders_of_today(campaign) if (found := seen_in(order, campaign))]

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """``dig W1`` or ``W1``."""
        words = [word for word in text.split() if word.lower() not in ("dig", "scava")]
        return Understood({"verb": "dig", "target": words[0]}) if len(words) == 1 else Understood(problem=text)

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """Everything but the orders of others."""
        seen = campaign.copy()
        for key, order in seen.table(Order).items():
            if order.faction != faction:
                seen.table(Order).remove(key)
        return seen

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Barrels by camp."""
        return [{"faction": camp.faction, "barrels": camp.barrels} for camp in campaign.table(Faction)]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The barrels."""
        return [("Barrels", view.table(Faction)[faction].barrels)]

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """A robot digs at the first place."""
        return [Order(verb="dig", target=view.table(Node).keys()[0])]

    def robot_answer(self, view: Campaign, faction: str, question: base.Question) -> str:
        """Nothing is ever asked."""
        return question.default


WELLS = Wells()
