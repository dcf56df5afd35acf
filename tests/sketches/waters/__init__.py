"""The Waters, a sketch of a campaign of Forces on squares, between rivers that flow one way.

Chapter 1: how far a Force marches is a die; water stops it, and a corner between two waters; one that digs in stays.
Chapter 2: on a river it goes with the current or, dearer, against it; falls let nobody back. Chapter 3: enemies in one
square fight on the table; the beaten step back. Chapter 4: who holds all capitals wins, else who has most at the end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Flag, Ref, Square, Text, Whole, given, own, public, wanted
from assistant.campaign.map import SquareMap
from assistant.campaign.records import ALL
from assistant.turn.battle_form import BattleForm, Entry
from assistant.turn.battle_results import take_form
from assistant.turn.calendar import Calendar
from assistant.turn.dice import REFEREE, Purpose, RangeTable, RollKind, by_word
from assistant.turn.event_types import EACH_TIME, EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Phase, Sheet, Step, next_code
from assistant.turn.numbers import Rules, number
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit, Path
from assistant.turn.orders.taking import all_orders
from assistant.turn.orders.verbs import order, order_book, same
from assistant.turn.questions import Ask, QuestionType, Waiting
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import Contest
from assistant.turn.texts import keyed

MOVE, CLASH = Purpose("move:{Armies*}:{turn}"), Purpose("clash:{Battles*}:{Armies*}")
MARCHED = RangeTable.rising("squares", (0, "0"), (3, "1"), (6, "2"), (9, "3"))
SAILED = RangeTable.rising("squares on a river", (0, "1"), (3, "2"), (6, "3"))


@dataclass
class Node(base.Node):
    """A square: open ground, marsh or water, perhaps a capital."""

    node: str = given(Square(), "Square", "Quadrato", key=True, required=True)
    terrain: str = given(Choice({"open": "aperto", "marsh": "palude", "water": "acqua"}), "Terrain", "Terreno",
                         default="open")
    capital: str = given(Ref("Factions", blank=True), "Capital of", "Capitale di")
    holder: str = public(Ref("Factions", blank=True), "Held by", "Tenuta da")


@dataclass
class Road(base.Link):
    """A road, or a river that flows from a to b."""

    falls: bool = given(Flag(), "Falls", "Cascate")

    @property
    def one_way(self) -> bool:
        """Nobody comes up falls."""
        return self.falls


@dataclass
class Force(base.Army):
    """A Force; what its commander is worth, and whether it has dug in, is its owner's secret."""

    vc: int = own(Whole(0), "V.C.", "V.C.", default=2)
    dug: bool = own(Flag(), "Dug in", "Trincerata")


@dataclass
class Order(base.Order):
    """What a Force is to do."""

    unit: str = wanted(Ref("Armies", blank=True), "Force", "Forza")
    path: str = wanted(Text(), "Path", "Percorso")
    outcome: str = base.outcome({"done": "eseguito", "cut": "interrotto", "stays": "ferma"})


@dataclass
class Battle(base.Battle):
    """A battle of two Forces, and the form of its result."""

    attacker: str = public(Ref("Armies"), "Attacker", "Attaccante")
    defender: str = public(Ref("Armies"), "Defender", "Difensore")
    winner: str = given(Text(), "Winner", "Vincitore")
    method: str = given(Choice({"table": "tavolo", "auto": "dadi"}), "Resolved", "Risolta", default="table")
    status: str = public(Choice({"open": "aperta", "closed": "chiusa"}, blank=True), "Status", "Stato")


FINDINGS = keyed(
    Message("WTR-001", "error", "'{word}' is no order. Use move, sail or dig."),
    Message("WTR-002", "error", "'{word}' is no Force of yours. Look at the sheet Armies."),
    Message("WTR-003", "error", "There is no square '{word}'. Did you mean {near}?"),
    Message("WTR-004", "error", "From {a} no Force marches to {b}. Name every square, and go round the water."),
    Message("WTR-005", "error", "No river leads from {a} to {b}, or there are falls. Take another way."),
    Message("WTR-006", "error", "{battle} has no winner. Type attacker or defender."),
)
EVENTS = keyed(
    EventType("marched", "{army} goes from {a} to {b}: {roll}.", "moves", 1, "1", to="army"),
    EventType("seen", "{army} goes from {a} to {b}.", "moves", 2, "1", to=ALL),
    EventType("dug", "{army} digs in.", "works", 3, "1", to="army"),
    EventType("contact", "{army} meets {other} at {node}.", "battles", 0, "3", to=ALL),
    EventType("diced", "{battle}: {roll}.", "battles", 2, "3", to=EACH_TIME),
    EventType("fought", "{battle} at {node}: {army} wins.", "battles", 0, "3", to=ALL),
    EventType("stepped_back", "{army} steps back to {node}.", "moves", 1, "3", to=ALL),
    EventType("destroyed", "{army} has nowhere to go and is no more.", "battles", 0, "3", to=ALL),
    EventType("taken", "{node} falls to {faction}.", "sieges", 0, "4", to=ALL),
    EventType("ended", "The campaign is over. The victory goes to {winners}.", "news", 0, "4", to=ALL),
)


class Numbers(Rules):
    """The numbers of the book."""

    weeks: int = number(6, "weeks", "4", "After so many weeks the campaign ends.")
    upstream: int = number(2, "to die", "2", "What the current takes from a die against it.")


class Country(Board):
    """The campaign as the chapters speak of it."""

    rules: Numbers
    nodes, forces, battles = Sheet(Node), Sheet(Force), Sheet(Battle)

    @property
    def squares(self) -> SquareMap:
        """The map."""
        return self.campaign.derive(SquareMap.of, Node, Road)

    def firm(self, square: str) -> bool:
        """Whether a Force can stand there."""
        return self.nodes[square].terrain != "water"

    def step(self, a: str, b: str) -> int | None:
        """What a step on land costs."""
        return 1 if self.firm(b) else None

    def at(self, square: str) -> list[Force]:
        """The Forces there."""
        return [force for force in self.forces if force.node == square]

    def free(self, force: Force) -> list[str]:
        """Chapter 3: where a Force may step back to, nearest to its capital first."""
        home = next(node.node for node in self.nodes if node.capital == force.faction)
        ways = [square for square in self.squares.neighbours(force.node) if not self.at(square)
                and self.squares.price(force.node, [square], self.step, self.firm) is not None]
        return sorted(ways, key=lambda square: self.squares.distance(square, home))


# --- chapters 1 and 2: movement ----------------------------------------------------------------------------
def by_land(land: Country, a: str, b: str) -> None:
    """Chapter 1: not through water, nor over a corner between two waters; one that is no more stands nowhere."""
    if not a or land.squares.price(a, [b], land.step, land.firm) is None:
        raise Refused("WTR-004", "path", a=a, b=b)


def by_river(land: Country, a: str, b: str) -> None:
    """Chapter 2: from link to link, up falls never."""
    if not land.squares.links.has_link(a, b, "river"):
        raise Refused("WTR-005", "path", a=a, b=b)


def go(land: Country, request: Request, force: Force, path: list[str], mods: dict[str, int], table: RangeTable) -> None:
    """As far as the die says; before a friend or a fight a Force stops, and where an enemy is, it meets him."""
    die = land.score(MOVE(force.army, land.game.turn), mods, [force.faction])
    start, force.dug = force.node, False
    for square in path[:int(die.row(table))]:
        there = land.at(square)
        if len(land.at(force.node)) > 1 or len(there) > 1 or any(one.faction == force.faction for one in there):
            break
        force.node = square
    request.came_to("done" if force.node == path[-1] else "stays" if force.node == start else "cut")
    land.tell("marched", roll=die, army=force.army, a=start, b=force.node)
    if force.node != start:
        land.tell("seen", army=force.army, a=start, b=force.node)
        for other in (one for one in land.at(force.node) if one is not force):
            land.battles.add(Battle(battle=next_code(land.battles, "B{}"), turn=land.game.turn, status="open",
                                    node=force.node, attacker=force.army, defender=other.army))
            land.tell("contact", army=force.army, other=other.army, node=force.node)


@order("move", "muovi", when=("week",), unit=OwnUnit(Force), path=Path(record=Node, from_unit=True, step=by_land),
       replaces=same("move", "unit"), help="March square by square.")
def move(land: Country, request: Request, force: Force, path: list[str]) -> None:
    """Chapter 1: a die and the ground; 3, 6 and 9 are one, two and three squares."""
    ground = {"marsh": -int(land.nodes[force.node].terrain == "marsh"),
              "road": int(any(land.squares.links.leaving(force.node, "road")))}
    go(land, request, force, path, ground, MARCHED)


@order("sail", "naviga", when=("week",), unit=OwnUnit(Force), replaces=same("move", "unit"),
       path=Path(record=Node, from_unit=True, over="river", step=by_river), help="Go along a river on rafts.")
def sail(land: Country, request: Request, force: Force, path: list[str]) -> None:
    """Chapter 2: 1 more with the current, 2 less where any stretch is against it."""
    down = all(b in land.squares.links.along(a, "river") for a, b in pairwise([force.node, *path]))
    go(land, request, force, path, {"current": 1 if down else -land.rules.upstream}, SAILED)


@order("dig", "trincera", when=("week",), unit=OwnUnit(Force), replaces=same("move", "unit"), help="Dig in.")
def dig(land: Country, request: Request, force: Force) -> None:
    """Chapter 1: 1 more in battle, until it moves."""
    force.dug = True
    land.tell("dug", army=force.army)


# --- chapters 3 and 4: battle, and the end -------------------------------------------------------------------
FORM: BattleForm[Battle] = BattleForm(
    "result", (Entry("winner", told="WTR-006", facts=lambda filled: {"battle": filled.row.battle}, words={
        "attacker": "attacker", "attaccante": "attacker", "defender": "defender", "difensore": "defender"}),),
    line=("winner",), dice=("method", "auto"), decisive=("winner",))


def result_of(land: Country, battle: Battle) -> Ask | None:
    """The question that waits for a battle, as long as nobody knows who has won it."""
    ask = Ask("result", REFEREE, battle.battle, asked={"node": battle.node})
    sides = {"attacker": land.forces[battle.attacker], "defender": land.forces[battle.defender]}
    taken = take_form(land.game, FORM, ask, battle, battle, {side: [one.faction] for side, one in sides.items()})
    if taken.state != "dice":
        return None if taken.state == "filled" else ask
    both = [side.faction for side in sides.values()]
    dice = Contest({side: land.score(CLASH(battle.battle, one.army), {"V.C.": one.vc, "dug in": int(one.dug)}, both)
                    for side, one in sides.items()})
    battle.winner = dice.winner or "defender"
    land.tell("diced", both, roll=dice, battle=battle.battle)
    return None


def fighting(land: Country) -> None:
    """Chapter 3: all results, then all steps back."""
    battles = land.battles.where(lambda one: one.status == "open")
    if waiting := [ask for battle in battles if (ask := result_of(land, battle)) is not None]:
        raise Waiting(waiting)
    asks = []
    for battle in battles:
        won, lost = (battle.attacker, battle.defender)[::1 if battle.winner == "attacker" else -1]
        battle.status, beaten = "closed", land.forces[lost]
        land.tell("fought", battle=battle.battle, node=battle.node, army=won)
        if ways := land.free(beaten):
            asks.append(Ask("retreat", beaten.faction, lost, tuple(ways), ways[0], {"army": lost}))
        else:
            beaten.node = ""
            land.tell("destroyed", army=lost)
    for ask, square in zip(asks, land.game.choose_all(asks), strict=True):
        beaten = land.forces[ask.about]
        beaten.node, beaten.dug = square, False
        land.tell("stepped_back", army=ask.about, node=square)


def counting(land: Country) -> None:
    """Chapter 4: who stands in a capital holds it; who holds all wins, else who holds most."""
    for node in land.nodes.where(lambda node: bool(node.capital)):
        for force in land.at(node.node):
            if force.faction != node.holder:
                node.holder = force.faction
                land.tell("taken", node=node.node, faction=node.holder)
    if WATERS.last_turn(land.campaign):
        count = Counter(node.holder for node in land.nodes if node.holder)
        land.tell("ended", winners=" ".join(one for one in sorted(count) if count[one] == max(count.values())))


class Waters(Ruleset):
    """The Waters."""

    id, title, author, version, interface = "waters", "The Waters", "Arbitro's tests", "1", 6
    records = (base.Desk, base.Faction, Node, Road, Force, Order, base.Question, Battle, base.Event, base.Die,
               base.FindingRow, base.Rule)
    rules_of, form, findings, events, battles = Numbers, FORM, FINDINGS, EVENTS, ("B{n}",)
    calendar = Calendar((
        Phase("move", "Movement", "Movimento", "1", orders="week", board=Country,
              steps=(Step(all_orders, "together"),)),
        Phase("battle", "Battle", "Battaglia", "3", waits_for=("result", "retreat"), board=Country,
              steps=(Step(fighting, "forms"), Step(counting)))))
    questions = {"result": QuestionType("result", "Who won {about} at {node}?"),  # noqa: RUF012
                 "retreat": QuestionType("retreat", "Where does {army} step back to?")}
    rolls = by_word(RollKind.of("Movement", MOVE), RollKind.of("Battles", CLASH))
    verbs = order_book(move, sail, dig, bare=move, says={
        "unknown_verb": role("WTR-001", "verb", word="word"), "no_such_unit": role("WTR-002", word="word"),
        "not_yours": role("WTR-002", word="word"), "no_such_place": role("WTR-003", word="word", near="near")})

    def last_turn(self, campaign: Campaign) -> bool:
        """By capitals or by weeks."""
        holders = {node.holder for node in campaign.table(Node) if node.capital}
        return len(holders) == 1 or int(campaign.desk.turn) >= self.rules(campaign)["weeks"]

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """A robot goes for the nearest capital of others by land."""
        land = Country(self.game(view))
        goals = [node.node for node in land.nodes if node.capital and node.holder != faction]
        return [Order(verb="move", unit=force.army, path=" ".join(way[:3])) for force in land.forces
                if force.faction == faction and force.node
                and (way := land.squares.way(force.node, goals, land.step, land.firm))]


WATERS = Waters()
