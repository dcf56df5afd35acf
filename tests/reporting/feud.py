"""A tiny ruleset and a hand-made campaign of it: two lords and a third, a battle, a siege, secrets.

Nothing of it is resolved: the rows stand as a phase would have left them, so that each test says
exactly what a reader may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Typed, Whole, Whose, column
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EventType, Said
from assistant.turn.findings import Message
from assistant.turn.game import Phase
from assistant.turn.orders.verbs import Verb
from assistant.turn.questions import QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed
from assistant.wording import Wording


@dataclass
class Faction(base.Faction):
    """A lord with a chest that only he knows."""

    chest: int = column(Whole(0), "Chest", "Cassa", see="owner")


@dataclass
class Node(base.Node):
    """A place and its owner."""

    whose: ClassVar[Whose] = ("owner",)

    owner: str = column(Ref("Factions", blank=True), "Owner", "Padrone", see="public")


@dataclass
class Army(base.Army):
    """A band; its strength is its lord's secret."""

    men: int = column(Whole(0), "Men", "Uomini", see="owner")


@dataclass
class Order(base.Order):
    """An order with a target."""

    target: str = column(Text(), "Target", "Bersaglio", edit="club", see="owner")
    amount: int | str = column(Typed(), "Men", "Uomini", edit="club", see="owner")


@dataclass
class Battle(base.Battle):
    """A battle of two lords."""

    whose: ClassVar[Whose] = ("a", "b")

    a: str = column(Ref("Factions", blank=True), "Attacker", "Attaccante", see="public")
    b: str = column(Ref("Factions", blank=True), "Defender", "Difensore", see="public")
    status: str = column(Text(), "Status", "Stato", see="public")


@dataclass
class Account(Record):
    """One movement of money."""

    sheet: ClassVar[str] = "Accounts"
    sheet_it: ClassVar[str] = "Conti"
    file: ClassVar[str] = "accounts"
    unique: ClassVar[bool] = False
    grows: ClassVar[bool] = True
    whose: ClassVar[Whose] = ("faction",)

    turn: str = column(Text(), "Turn", "Turno", key=True, see="owner")
    phase: str = column(Text(), "Phase", "Passo", key=True, see="owner")
    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True, see="owner")
    item: str = column(Text(), "Item", "Voce", key=True, see="owner")
    amount: int = column(Whole(), "Amount", "Importo", see="owner")
    balance: int = column(Whole(), "Balance", "Saldo", see="owner")


CALENDAR = Calendar((Phase("march", "March", "Marcia", "1", lambda game: None, orders="march"),
                     Phase("war", "War", "Guerra", "2", lambda game: None)))
FINDINGS = keyed(
    Message("FEU-001", "error", "'{node}' is not on the map. Choose a place from the list."),
    Message("FEU-002", "warning", "Replaced by your later row {order}. Delete one of the two."),
)
EVENTS = keyed(
    EventType("tax", "Taxes {total}.", "money", 4, "1", to=base.ALL),
    EventType("moved", "{army} marches to {node}.", "moves", 4, "1", to=base.ALL),
    EventType("won", "{winner} wins the battle at {node}.", "battles", 1, "2", to=base.ALL),
    EventType("siege", "Siege of {node}: {roll}", "rulings", 2, "2", verdicts=("it falls", "it holds"), to=base.ALL),
    EventType("held", "{node} holds out.", "sieges", 2, "2", to=base.ALL),
    EventType("plot", "Plot of {by} against {on}.", "diplomacy", 0, "3", to=base.ALL),
)


class Feud(Ruleset):
    """The Feud."""

    id = "feud"
    interface = 6
    title = "The Feud"
    records = (base.Desk, Faction, Node, base.Road, Army, Order, base.Question, Battle, base.Event, base.Die,
               base.FindingRow, base.Rule, Account)
    calendar = CALENDAR
    findings = FINDINGS
    events = EVENTS
    questions = {"yield": QuestionType("yield", "Does {node} yield?")}  # noqa: RUF012
    verbs = {"go": Verb("go", "vai", ("target", "amount"), ("march",), "March to a place.")}  # noqa: RUF012

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Places by lord."""
        return [{"faction": f.faction, "places": sum(n.owner == f.faction for n in campaign.table(Node))}
                for f in campaign.table(Faction)]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Chest, places, men, bands."""
        armies = [a for a in view.table(Army) if a.faction == faction]
        return [("Chest", view.table(Faction)[faction].chest),
                ("Places", sum(n.owner == faction for n in view.table(Node))),
                ("Men", sum(a.men for a in armies)), ("Bands", len(armies))]

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """A lord with less than 10 in his chest owes the king a visit."""
        poor = view.table(Faction)[faction].chest < 10
        return [Said("A visit to the king, by turn {turn}.", {"turn": "5"})] if poor else []

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """Place and strength of the side."""
        if faction not in (getattr(battle, "a", ""), getattr(battle, "b", "")):
            return []
        men = sum(a.men for a in view.table(Army) if a.faction == faction and a.node == battle.node)
        return [Said("{men} men", {"men": men}, label="Your strength")]


FEUD = Feud()
ROLL = {"key": "siege:K1:4", "dice": "1d6", "value": 4, "faces": [4], "typed": False,
        "modifiers": [["full rounds", 1], ["garrison", -2]], "total": 3, "target": 7, "reach": "at least",
        "passed": False}


def campaign(red: str = "Rossi", place: str = "Castel Forte") -> Campaign:
    """Turn 4, before the march; `red` and `place` are names that a club chose."""
    made = Campaign(FEUD.records)
    rows: list[Record] = [
        base.Desk(ruleset="feud", title="Hills", language="it", turn="4", phase="march"),
        Faction(faction="R", name_en=red, name_it=red, club="Club R", mail="r@example.org", language="it",
                colour="#b5202e", chest=1250),
        Faction(faction="B", name_en="Blues", name_it="Blu", language="en", colour="#1f6f8b", chest=777),
        Faction(faction="G", name_en="Greens", name_it="Verdi", language="en", colour="#2e8b57", chest=5),
        Node(node="K1", name=place, owner="R"), Node(node="K2", name="Ponte", owner="B"),
        Node(node="K3", name="Selva", owner="G"),
        Army(army="R-1", faction="R", node="K2", men=300), Army(army="B-1", faction="B", node="K2", men=424),
        Battle(battle="B4.K2", turn="4", node="K2", a="R", b="B", status="open"),
        Order(order="4-R-1", turn="3", phase="march", faction="R", seq=1, verb="go", target="K9", amount=30,
              status="refused"),
        Order(order="4-R-2", turn="3", phase="march", faction="R", seq=2, text="R-1 K1 K2", status="accepted"),
        Order(order="4-B-1", turn="3", phase="march", faction="B", seq=1, verb="go", target="K2", amount=1,
              status="accepted"),
        base.FindingRow(turn="3", phase="march", table="Orders", row="4-R-1", code="FEU-001", severity="error",
                        field="target", faction="R", data={"node": "K9"}),
        base.Question(question="4.war.yield.R.K1", turn="4", phase="war", kind="yield", to="R", about="K1",
                      options="yes, no", default="no", asked={"node": "K1"}, status="open"),
        base.Question(question="4.war.yield.B.K2", turn="4", phase="war", kind="yield", to="B", about="K2",
                      options="yes, no", asked={"node": "K2"}, status="open"),
        Account(turn="3", phase="march", faction="R", item="tax", amount=300, balance=1300),
        Account(turn="3", phase="march", faction="R", item="wages", amount=-50, balance=1250),
        Account(turn="3", phase="march", faction="B", item="tax", amount=777, balance=777),
        base.Die(key="siege:K1:4", dice="1d6", value="4", turn="3", phase="war", source="assistant", audience="B+R"),
        base.Die(key="plot:4", dice="1d6", value="6", turn="3", phase="war", source="table", audience="B"),
    ]
    for row in rows:
        made.by_sheet(row.sheet).add(row)
    for event in _events():
        made.table(base.Event).add(event)
    return made


def _events() -> list[base.Event]:
    told: list[tuple[str, str, str, str, dict[str, Any], dict[str, Any]]] = [
        ("march", "R", "tax", "1", {"total": 300}, {}),
        ("march", "all", "moved", "1", {"army": "R-1", "node": "K2"}, {}),
        ("march", "all", "moved", "1", {"army": "G-7", "node": "K3"}, {}),
        ("war", "B", "plot", "3", {"by": "B", "on": "R"}, {}),
        ("war", "all", "won", "2", {"winner": "B", "node": "K3"}, {}),
        ("war", "B R", "siege", "2", {"node": "K1"}, ROLL),
        ("war", "all", "held", "2", {"node": "K1"}, {}),
    ]
    return [base.Event(no=n, turn="3", phase=phase, audience=audience, event=event, rule=rule, data=data, roll=roll)
            for n, (phase, audience, event, rule, data, roll) in enumerate(told, 1)]


def wording(lang: str = "en") -> Wording:
    """The words of the feud."""
    return Wording(FEUD, lang)
