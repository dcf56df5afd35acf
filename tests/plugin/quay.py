"""The Quay, a rulebook whose author has not been careful: deeds that act before they judge, scouts that share a key."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Data, Ref, Text, Whole, given, own, public, wanted
from assistant.campaign.records import ALL
from assistant.turn import battle_form as form
from assistant.turn.battle_results import take_form
from assistant.turn.calendar import Calendar
from assistant.turn.dice import REFEREE, Purpose, RollKind
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Game, Phase, Sheet, Step
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import Place
from assistant.turn.orders.taking import carry_out, take
from assistant.turn.orders.verbs import order, order_book
from assistant.turn.questions import Ask, QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed

SCOUT, STORM = Purpose("scout:{Nodes}:{turn}", "1d100"), Purpose("storm:{Factions}:{turn}", "1d100")


@dataclass
class Faction(base.Faction):
    """A house with its ships and its money."""

    ships: int = own(Whole(0), "Ships", "Navi")
    ducats: int = own(Whole(0), "Ducats", "Ducati")
    notes: dict[str, int] = own(Data(), "Cargo", "Carico", default={})


@dataclass
class Order(base.Order):
    """What a house wants done at a port."""

    target: str = wanted(Ref("Nodes", blank=True), "Where", "Dove")


@dataclass
class Battle(base.Battle):
    """A fight for a port."""

    winner: str = given(Text(), "Winner", "Vincitore", hint=("N or S", "N o S"))
    status: str = public(Choice({"open": "aperta", "played": "giocata"}, blank=True), "Status", "Stato")


class Harbour(Board):
    """What stands on the quay, and what the orders of the day come to."""

    houses, ports, battles = Sheet(Faction), Sheet(base.Node), Sheet(Battle)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.bound: dict[str, list[str]] = {}
        self.begun: list[Request] = []
        self.sailings = 0


@order("sell", "vendi", when=("day",), target=Place(), help="Sell a ship at a port.")
def sell(harbour: Harbour, request: Request, port: base.Node) -> None:
    """Everything is done before it is asked whether anybody buys: in the second port nobody does."""
    house = harbour.houses[request.faction]
    harbour.sailings += 1
    harbour.bound.setdefault(house.faction, []).append(port.node)
    house.ships, house.ducats = house.ships - 1, house.ducats + 10
    house.notes["sold"] = house.notes.get("sold", 0) + 1
    harbour.ports.add(base.Node(node=f"B{request.row.order}", name="Buoy"))
    if "P4" in harbour.ports:
        harbour.ports.remove("P4")
    harbour.roll(STORM(house.faction, harbour.game.turn))
    harbour.tell("quay.sold", faction=house.faction, node=port.node)
    request.find(harbour, "QUA-004")
    for other in [one for one in harbour.begun if one.faction != request.faction and not one.row.status]:
        carry_out(harbour, other)
    if port.node == "P2":
        raise Refused("QUA-003", "target", node=port.node)


@order("scout", "esplora", when=("day",), target=Place(), help="Look what lies in a port.")
def scout(harbour: Harbour, request: Request, port: base.Node) -> None:
    """The die is named after the port alone."""
    roll = harbour.roll(SCOUT(port.node, harbour.game.turn), [request.faction])
    harbour.tell("quay.scouted", roll=roll, faction=request.faction, node=port.node)


def deeds(harbour: Harbour) -> None:
    """One after the other; who sells helps others on, who have not begun."""
    rows = take(harbour)
    harbour.begun = [row for row in rows if row.verb == "scout"]
    for request in rows:
        if not request.row.status:
            carry_out(harbour, request)
    for house, ports in harbour.bound.items():
        harbour.tell("quay.bound", faction=house, list=" ".join(ports), n=harbour.sailings)


def meeting(harbour: Harbour) -> None:
    """On the first day the houses fight for the first port."""
    row = harbour.battles.add(Battle(battle=f"B{harbour.game.turn}", turn=harbour.game.turn, node="P1", status="open"))
    harbour.tell("quay.met", node=row.node)


FORM: form.BattleForm[Battle] = form.BattleForm(
    "result", (form.Entry("winner", told="QUA-005", words={"N": "N", "S": "S"}),), line=("winner",))


def fighting(harbour: Harbour) -> None:
    """Who won is told."""
    for row in harbour.battles.where(lambda one: one.status == "open"):
        ask = Ask("result", REFEREE, row.battle, default="N")
        if take_form(harbour.game, FORM, ask, row, row, {"N": ["N"], "S": ["S"]}).state != "filled":
            harbour.game.ask(ask)
        row.status = "played"
        harbour.tell("quay.won", faction=row.winner, node=row.node)


DAY = Phase("day", "Day", "Giorno", "1", orders="day", board=Harbour,
            steps=(Step(deeds, "together"), Step(meeting)))
FIGHT = Phase("fight", "Fight", "Battaglia", "2", waits_for=("result",), board=Harbour, steps=(Step(fighting),))


class Quay(Ruleset):
    """Two houses, a few ports, one day."""

    id, interface, title = "quay", 6, "The Quay"
    author, version, languages = "Arbitro's tests", "1.0", ("en",)
    records = (base.Desk, Faction, base.Node, base.Road, base.Army, Order, base.Question, Battle, base.Event, base.Die,
               base.FindingRow, base.Rule)
    calendar = Calendar((DAY, FIGHT))
    form = FORM
    battles = ("B{turn}",)
    rolls = {  # noqa: RUF012
        "scout": RollKind.of("Scouts", SCOUT), "storm": RollKind.of("Storms", STORM)}
    findings = keyed(
        Message("QUA-001", "error", "'{word}' is no order. Did you mean {near}?"),
        Message("QUA-002", "error", "'{word}' is no port. Did you mean {near}?"),
        Message("QUA-003", "error", "Nobody buys ships at {node}."),
        Message("QUA-004", "info", "A ship goes to sea."),
        Message("QUA-005", "error", "Type N or S."))
    events = keyed(
        EventType("quay.sold", "{faction} sells a ship at {node}.", "works", to=ALL),
        EventType("quay.bound", "{faction} is bound for {list}; {n} in all.", "works", to="faction"),
        EventType("quay.scouted", "{faction} looks at {node}: {roll}.", "works", to="faction"),
        EventType("quay.met", "There is a fight at {node}.", "battles", 0, to=ALL),
        EventType("quay.won", "{faction} wins at {node}.", "battles", 0, to=ALL))
    questions = keyed(QuestionType("result", "{about}: who won, N or S?"))
    verbs = order_book(sell, scout, fillers=("at",), says={
        "unknown_verb": role("QUA-001", word="word", near="near"),
        "no_such_place": role("QUA-002", word="word", near="near")})

    def last_turn(self, campaign: Campaign) -> bool:
        """Every day is the last."""
        return True


QUAY = Quay()
TABLES = {
    "desk": "key,value\nruleset,quay\ntitle,Boats\nturn,1\nphase,day\n",
    "factions": "faction,name_en,ships,ducats\nN,North,3,5\nS,South,3,5\n",
    "nodes": "node,name,x,y\nP1,Alpha,0,0\nP2,Beta,40,0\nP3,Gamma,80,0\nP4,Hulk,80,40\n",
    "roads": "a,b\nP1,P2\nP2,P3\n"}
"""The opening as a folder of CSVs: name of a file -> what stands in it."""
