"""The Ferry, a book of orders only: two villages with boats and coins, as small as all kinds of column allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Typed, Whole, Whose, column
from assistant.campaign.tables import Record
from assistant.turn.dice import ShutDice
from assistant.turn.findings import Message
from assistant.turn.game import Board, Game, Phase, Step
from assistant.turn.numbers import Number, Rules
from assistant.turn.orders.columns import Amount, Note, Option
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import Code, OwnUnit, Partner, Path, Place
from assistant.turn.orders.taking import afford, carry_all, late_meaning, refuse, take, warn_of_duplicates
from assistant.turn.orders.verbs import Cost, Purse, order, order_book, same
from assistant.turn.questions import Ask
from assistant.turn.texts import keyed


@dataclass
class Faction(base.Faction):
    """A village and its coins."""

    coins: int = column(Whole(0), "Coins", "Monete", see="owner")


@dataclass
class Boat(Record):
    """A boat; those that are hidden only their owner knows."""

    sheet: ClassVar[str] = "Boats"
    file: ClassVar[str] = "boats"
    whose: ClassVar[Whose] = ("faction",)

    boat: str = column(Text(), "Boat", "Barca", key=True, see="public")
    faction: str = column(Ref("Factions"), "Faction", "Fazione", see="public")
    node: str = column(Ref("Nodes"), "At", "Al nodo", see="public")
    hidden: bool = False


@dataclass
class Order(base.Order):
    """What a village wants."""

    unit: str = column(Text(), "Unit", "Unità", edit="club", see="owner")
    path: str = column(Text(), "Path", "Percorso", edit="club", see="owner")
    target: str = column(Text(), "Target", "Meta", edit="club", see="owner")
    amount: int | str = column(Typed(), "Amount", "Quantità", edit="club", see="owner")
    partner: str = column(Text(), "Partner", "Altro", edit="club", see="owner")
    option: str = column(Text(), "Option", "Scelta", edit="club", see="owner")
    note: str = column(Text(), "Note", "Nota", edit="club", see="owner")


class River(Board):
    """The board, and what the orders come to."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.crossing: list[tuple[str, str]] = []

    def alone(self, faction: str) -> River | None:
        """With the crossings of one village only."""
        new = River(self.game.on_copy())
        new.crossing = [one for one in self.crossing if self.game.campaign.table(Boat)[one[0]].faction == faction]
        return new if new.crossing else None


BOAT = OwnUnit(Boat, known=lambda boat: not boat.hidden, at=("path", "target"))
NAMED = replace(BOAT, at=())


def afloat(board: River, request: Request, place: base.Node, field: str) -> None:
    """Boats go to islands only (FER-050)."""
    if not place.node.startswith("I"):
        raise Refused("FER-050", field, node=place.node)


@order("cross", "traversa", also=("row",), when=("day",), unit=BOAT, path=Path(), replaces=same("go", "unit"),
       help="Row along a path.")
def cross(river: River, request: Request, boat: Boat) -> None:
    """A boat crosses when all have said where they go."""
    late_meaning(river, request, "path")
    river.crossing.append((boat.boat, request.path[-1]))


@order("moor", "ormeggia", when=("day",), unit=NAMED, target=Place(then=(afloat,)), replaces=same("go", "unit"))
def moor(river: River, request: Request, boat: Boat, place: base.Node) -> None:
    """A boat stays at an island."""
    boat.node = place.node


@order("pay", "paga", when=("day", "night"), partner=Partner(), amount=Amount(), note=Note(), cost=Cost(times="amount"),
       twins=True)
def pay(river: River, request: Request, other: Faction, amount: int) -> None:
    """Coins for the other village."""
    afford(river, request)
    river.game.campaign.table(Faction)[request.faction].coins -= amount


@order("buy", "compra", when=("night",), option=Option({"oar": "remo", "sail": "vela"}, {"oars": "oar"}, opens=True),
       target=Code((Boat, base.Node), blank=True), cost=Cost("price_{option}"))
def buy(river: River, request: Request) -> None:
    """Something for a boat (FER-051)."""
    if request.option not in ("oar", "sail"):
        raise Refused("FER-051", "option", option=request.option)
    river.game.campaign.table(Faction)[request.faction].coins -= afford(river, request)


SAYS = {
    "unknown_verb": role("FER-001", word="word", near="near"),
    "wrong_time": role("FER-002", verb="verb", when="phase"),
    "not_understood": role("FER-003", text="text"),
    "no_such_unit": role("FER-004", unit="word", list="list", near="near"),
    "not_yours": role("FER-005", unit="word", owner="owner"),
    "no_such_place": role("FER-006", node="word", near="near"),
    "not_an_amount": role("FER-007", amount="word"),
    "no_such_partner": role("FER-008", partner="word"),
    "several_there": role("FER-009", n="n", node="node", list="list"),
    "none_there": role("FER-010", node="node"),
    "overdrawn": role("FER-011", cost="cost", left="left"),
    "replaced": role("FER-012", "order", order="order"),
    "twins": role("FER-013"),
}
PURSE = Purse(lambda river, request: request.faction, lambda river, who: river.game.campaign.table(Faction)[who].coins)
BOOK = order_book(cross, moor, pay, buy, says=SAYS, bare=cross, fillers=("from", "to", "da", "a"), purse=PURSE)
FINDINGS = keyed(*(Message(one.code, "warning" if name in ("replaced", "twins") else "error", name)
                        for name, one in SAYS.items()),
                      Message("FER-050", "error", "no island"), Message("FER-051", "error", "nothing of the kind"),
                      Message("FER-052", "error", "wet"))
NUMBERS = (Number("price_oar", 2, "coins", "1", "An oar."), Number("price_sail", 5, "coins", "1", "A sail."))


def orders(river: River) -> None:
    """All rows of the phase, as they count."""
    requests = take(river)
    carry_all(river, requests)
    warn_of_duplicates(river, requests)


def weather(river: River) -> None:
    """A die that nobody knows beforehand."""
    river.game.roll("weather")


def sink(river: River) -> None:
    """Who crosses to M1 gets wet."""
    for boat, place in river.crossing:
        if place == "M1":
            row = river.game.campaign.table(Order)["wet"]
            refuse(river, Request(row, "cross"), Refused("FER-052", "path", boat=boat))


def ask(river: River) -> None:
    """A question that nobody has answered."""
    river.game.ask(Ask("toll", "A"))


PHASES = {phase.id: phase for phase in (
    Phase("morning", "Morning", "Mattina", "1", orders="day", board=River, steps=(
        Step(orders, "together"), Step(weather, "together"), Step(ask, "together"), Step(sink, "alone"))),
    Phase("evening", "Evening", "Sera", "1", orders="night", board=River, steps=(Step(orders, "together"),)),
)}


def river(*rows: Order) -> Campaign:
    """A ford with two villages, three boats of A and one of B, and these orders."""
    campaign = Campaign((base.Desk, Faction, base.Node, base.Road, Boat, Order, base.Question, base.Event, base.Die))
    campaign.table(base.Desk).add(base.Desk(turn="1", phase="morning"))
    for code, role_ in (("A", "player"), ("B", "player"), ("N", "neutral")):
        campaign.table(Faction).add(Faction(faction=code, role=role_, coins=10))
    for code, name in (("I1", "Isle"), ("M1", "Mill"), ("M2", "Meadow")):
        campaign.table(base.Node).add(base.Node(node=code, name=name))
    for boat, node in (("A-1", "I1"), ("A-2", "M1"), ("A-3", "M1"), ("B-1", "M2")):
        campaign.table(Boat).add(Boat(boat=boat, faction=boat[0], node=node))
    for number, row in enumerate(rows, 1):
        row.order, row.turn = row.order or f"o{number}", row.turn or "1"
        row.phase, row.faction = row.phase or "day", row.faction or "A"
        campaign.table(Order).add(row)
    return campaign


def game(campaign: Campaign, phase: str = "") -> Game:
    """A run of a phase without dice."""
    now = PHASES[phase or campaign.desk.phase]
    new = Game(campaign, Rules(NUMBERS, ""), ShutDice("1"), now.id, FINDINGS, {}, BOOK)
    new.orders_word = new.takes = now.orders
    return new
