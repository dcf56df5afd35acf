"""Two Villages, a rulebook of three phases that is just large enough to try the desk on.

1: each side marches one army along a road. 2: where both stand, each says whether it stands or flees.
3: who stands fights on the table; the winner throws a die for the spoils.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Text, Typed, Whole, column
from assistant.campaign.records import ALL
from assistant.turn.calendar import Calendar
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import Booking, EventType
from assistant.turn.findings import Finding, Message, Where, nearest
from assistant.turn.game import Game, Phase
from assistant.turn.numbers import Number, Switch
from assistant.turn.orders.reader import Understood
from assistant.turn.orders.verbs import Verb
from assistant.turn.questions import Ask, Option, QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed

TURNS = 3


@dataclass
class Faction(base.Faction):
    """A village and its gold."""

    gold: int = column(Whole(0), "Gold", "Oro", see="owner")


@dataclass
class Order(base.Order):
    """Where the army goes."""

    target: str = column(Text(), "To", "Verso", edit="club", see="owner")
    amount: int | str = column(Typed(), "Coins", "Monete", edit="club", see="owner")


@dataclass
class Battle(base.Battle):
    """A fight and who won it."""

    winner: str = column(Text(), "Winner", "Vincitore", edit="referee", see="public")
    losses: int | str = column(Typed(), "Losses", "Perdite", edit="referee", see="public")
    status: str = column(Choice({"open": "aperta", "played": "giocata"}, blank=True), "Status", "Stato", see="public")


FINDINGS = keyed(
    Message("TIN-001", "error", "'{node}' is not next to your army. Did you mean {near}?"),
    Message("TIN-003", "error", "{faction} has {n} armies; one is allowed."),
)
EVENTS = keyed(
    EventType("marched", "{army} goes to {node}.", to=ALL),
    EventType("stances", "{a} and {b} meet: {stance_a} against {stance_b}.", to="a b"),
    EventType("won", "{winner} wins and takes {gold}: {roll}.", to=ALL),
)


def marching(campaign: Campaign) -> list[tuple[Order, Finding | None]]:
    """This turn's orders that nobody has judged, each with what is wrong with it."""
    found: list[tuple[Order, Finding | None]] = []
    roads = {(r.a, r.b) for r in campaign.table(base.Road)} | {(r.b, r.a) for r in campaign.table(base.Road)}
    for order in campaign.table(Order).where(
            lambda o: (o.turn, o.phase, o.status) == (campaign.desk.turn, "march", "")):
        army = campaign.table(base.Army)[f"{order.faction}-1"]
        target = order.target or order.text
        if (army.node, target) in roads:
            found.append((order, None))
            continue
        near = nearest(target, [b for a, b in sorted(roads) if a == army.node])
        found.append((order, Finding("TIN-001", "error", Where("Orders", order.ident, "target"),
                                     {"node": target, "near": near}, order.faction)))
    return found


def march(game: Game) -> None:
    """Chapter 1."""
    for order, problem in marching(game.campaign):
        order.status = "refused" if problem else "accepted"
        if problem:
            game.find(problem.code, problem.where, problem.faction, **problem.data)
            continue
        army = game.campaign.table(base.Army)[f"{order.faction}-1"]
        army.node = order.target or order.text
        game.tell("marched", army=army.army, node=army.node)


def clash(game: Game) -> None:
    """Chapter 2."""
    a, b = game.campaign.table(base.Army)["A-1"], game.campaign.table(base.Army)["B-1"]
    if a.node != b.node:
        return
    asks = [Ask("stance", code, a.node, ("stand", "flee"), "stand", {"node": a.node}) for code in ("A", "B")]
    stances = game.choose_all(asks)
    battle = game.campaign.table(Battle).get(f"B{game.turn}.{a.node}")
    if stances == ["stand", "stand"]:
        battle = battle or game.campaign.table(Battle).add(Battle(battle=f"B{game.turn}.{a.node}"))
        battle.turn, battle.node, battle.status = game.turn, a.node, "open"
    game.tell("stances", a="A", b="B", stance_a=stances[0], stance_b=stances[1])


def fight(game: Game) -> None:
    """Chapter 3."""
    for battle in game.campaign.table(Battle).where(lambda one: one.status == "open"):
        if battle.winner not in ("A", "B"):
            game.ask(Ask("battle_result", REFEREE, battle.battle))
        roll = game.roll(f"spoils:{battle.battle}")
        winner = game.campaign.table(Faction)[battle.winner]
        winner.gold += roll.total
        battle.status = "played"
        game.tell("won", roll=roll, winner=winner.faction, gold=roll.total)


DECLARED = {one.id: one for one in (
    Phase("march", "March", "Marcia", "1", march, orders="march"),
    Phase("clash", "Clash", "Scontro", "2", clash, waits_for=("stance",)),
    Phase("fight", "Fight", "Battaglia", "3", fight, waits_for=("battle_result",)),
)}


class Tiny(Ruleset):
    """Two Villages."""

    id = "tiny"
    interface = 6
    title = "Two Villages"
    version = "1"
    records = (base.Desk, Faction, base.Node, base.Road, base.Army, Order, base.Question, Battle, base.Event,
               base.Die, base.FindingRow, base.Rule)
    calendar = Calendar(tuple(DECLARED.values()))
    numbers = (Number("spoils", 1, "dice", "3", "Dice for the spoils."),
               Switch("weather", ("dry", "wet"), "1", "What the sky does."))
    findings = FINDINGS
    events = EVENTS
    questions = {  # noqa: RUF012
        "stance": QuestionType("stance", "{node}: stand or flee?", stands=Option(("stand", "flee"))),
        "battle_result": QuestionType("battle_result", "Result of {about}?")}
    verbs = {"go": Verb("go", "vai", ("target",), ("march",), "March to a place.")}  # noqa: RUF012

    def phase(self, phase_id: str) -> Phase:
        """One of three, which a test may replace."""
        return DECLARED[phase_id]

    def last_turn(self, campaign: Campaign) -> bool:
        """The third."""
        return campaign.desk.turn == str(TURNS)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """One army a side."""
        found = []
        for code in ("A", "B"):
            mine = campaign.table(base.Army).where(lambda army, code=code: army.faction == code)  # type: ignore[misc]
            if len(mine) != 1:
                found.append(Finding("TIN-003", "error", Where("Armies"), {"faction": code, "n": len(mine)}, code))
        return found

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """As the march would find them."""
        here = campaign.desk.phase == "march"
        return [problem for _, problem in marching(campaign) if here and problem]

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """A place, with or without the army's code or the verb before it."""
        words = [w for w in text.split() if w.lower() not in ("go", "vai") and w.upper() != f"{faction}-1"]
        return Understood({"verb": "go", "target": words[0]}) if len(words) == 1 else Understood(problem=text)

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Gold by village."""
        return [{"faction": side.faction, "gold": side.gold} for side in campaign.table(Faction)]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The gold."""
        return [("Gold", view.table(Faction)[faction].gold)]

    def bookings(self, view: Campaign, faction: str) -> list[Booking]:
        """The spoils."""
        total, found = 0, []
        for event in view.table(base.Event):
            if event.event == "won" and event.data["winner"] == faction:
                total += event.data["gold"]
                found.append(Booking(event.turn, event.phase, "spoils", event.data["gold"], total))
        return found

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """A robot marches to the middle when it can."""
        army = view.table(base.Army)[f"{faction}-1"]
        return [Order(verb="go", target="M1")] if army.node != "M1" else []

    def robot_answer(self, view: Campaign, faction: str, question: base.Question) -> str:
        """A robot flees."""
        return "flee"

    def battle_is_reported(self, battle: base.Battle) -> bool:
        """Whether a winner stands there."""
        return bool(getattr(battle, "winner", ""))


TINY = Tiny()

FOLDER = {
    "desk.csv": "key,value\nruleset,tiny\ntitle,Due villaggi\nlanguage,en\n",
    "factions.csv": "faction,name_en,name_it,club,language,colour,role\n"
                    "A,Ashford,Frassino,Club A,en,#aa3311,player\nB,Brook,Ruscello,Club B,it,#1133aa,player\n",
    "nodes.csv": "node,name,x,y\nA1,Ashford,1,1\nM1,Middle,2,1\nB1,Brook,3,1\n",
    "roads.csv": "a,b\nA1,M1\nM1,B1\n",
    "armies.csv": "army,faction,node\nA-1,A,A1\nB-1,B,B1\n",
}
