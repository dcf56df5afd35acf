"""The Realms, a sketch of nations of which the rules themselves play some, with one idiom of dice for every table.

Chapter 1: in spring and summer a realm hires units, one for each resource. Chapter 2: who is at war with nobody throws
two dice against its war rating: war, its ruler's choice, or peace; the dice choose whom, if the ruler does not.
Chapter 3: an army invades; the owner fights, or stays in his fort. Chapter 4: armies fight with their leaders' dice.
Chapter 5: two dice against morale, 1 always, 6 never; who fails must make peace. Chapter 6: two dice a province are the
income; after the last winter most provinces win.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Flag, Ref, Typed, Whole, given, own, public, wanted
from assistant.campaign.records import ALL
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.dice import Purpose, RangeTable, RollKind, by_word
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Game, Phase, Sheet, Step, next_code
from assistant.turn.numbers import Rules, number
from assistant.turn.orders.columns import Amount
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import Partner, Place
from assistant.turn.orders.taking import all_orders
from assistant.turn.orders.verbs import order, order_book, same
from assistant.turn.questions import Ask, QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import Contest, Limit, Score, highest_thrower
from assistant.turn.texts import keyed

WAR, WILL = Purpose("war:{Factions}:{turn}", "2d6", faces=True), Purpose("will:{Factions}:{turn}", "2d6", faces=True)
TARGET = Purpose("target:{Factions}:{Factions}:{turn}", again=":t{n}")
CLASH = Purpose("clash:{Battles*}:{Factions}", "d6", faces=True)
TRADE = Purpose("trade:{Nodes}:{turn}", "2d6", faces=True)
WAR_ROWS = RangeTable.rising("war", (0, "peace"), (1, "maybe"), (2, "war"))
WILL_ROWS = RangeTable.rising("will", (0, "disaster"), (1, "shaken"), (2, "carries on"))
SUMMERS = ("Sp", "Su", "Fa")


@dataclass
class Realm(base.Nation):
    """A nation, of a club or of the rules; its chest is its own secret."""

    war: int = given(Whole(0, 6), "War", "Guerra", default=3)
    worth: int = given(Whole(0, 6), "Leader", "Capo", default=3)
    morale: int = public(Whole(0, 5), "Morale", "Morale", default=3)
    resources: int = own(Whole(0), "Resources", "Risorse", default=2)
    units: int = public(Whole(0), "Units", "Reparti", default=3)
    enemy: str = public(Ref("Factions", blank=True), "At war with", "In guerra con")


@dataclass
class Node(base.Node, whose=("owner",)):
    """A province."""

    owner: str = public(Ref("Factions"), "Owner", "Possessore")
    fort: bool = given(Flag(), "Fort", "Forte")


@dataclass
class Order(base.Order):
    """What a realm wants."""

    amount: int | str = wanted(Typed(), "Amount", "Quantità")
    partner: str = wanted(Ref("Factions", blank=True), "Realm", "Regno")
    target: str = wanted(Ref("Nodes", blank=True), "Province", "Provincia")


@dataclass
class Battle(base.Battle):
    """A battle, fought by the leaders' dice."""

    attacker: str = public(Ref("Factions"), "Attacker", "Attaccante")
    defender: str = public(Ref("Factions"), "Defender", "Difensore")
    winner: str = public(Ref("Factions", blank=True), "Winner", "Vincitore")
    status: str = public(Choice({"open": "da combattere", "fought": "combattuta"}), "Status", "Stato", default="open")


FINDINGS = keyed(
    Message("RLM-001", "error", "'{word}' is no order of this season. Use hire, war or invade."),
    Message("RLM-002", "error", "'{word}' is not a whole number above 0."),
    Message("RLM-003", "error", "{cost} resources needed, {left} in the chest. Hire fewer."),
    Message("RLM-004", "error", "'{word}' is no realm with a frontier to yours."),
    Message("RLM-005", "error", "'{word}' is no province. Did you mean {near}?"),
    Message("RLM-006", "error", "{node} is no enemy province next to one of yours."),
    Message("RLM-007", "error", "{faction} is played by the rules and takes no orders. Give it to a club first."),
)
EVENTS = keyed(
    EventType("hired", "{faction} hires {n} units.", "works", 3, "1", to="faction"),
    EventType("checked", "{faction}: {roll}.", "diplomacy", 2, "2", to="faction"),
    EventType("drawn", "{faction} looks for an enemy: {roll}: {other}.", "diplomacy", 2, "2", to=ALL),
    EventType("war", "{faction} makes war on {other}.", "diplomacy", 0, "2", to=ALL),
    EventType("answered", "{faction} answers {other} at {node}: {answer}.", "battles", 1, "3", to=ALL),
    EventType("fought", "{battle} at {node}: {roll}.", "battles", 0, "4", to=ALL),
    EventType("conquered", "{faction} takes {node} from {other}.", "sieges", 0, "4", to=ALL),
    EventType("tested", "The will of {faction}: {roll}.", "battles", 1, "5", to=ALL),
    EventType("peace", "{faction} must make peace with {other}.", "diplomacy", 0, "5", to=ALL),
    EventType("earned", "{faction} earns at {node}: {roll}.", "money", 3, "6", to="faction"),
    EventType("ended", "The campaign is over. Most provinces: {winners}.", "news", 0, "6", to=ALL),
)


class Numbers(Rules):
    """The numbers of the book."""

    last_year: int = number(2, "years", "6", "The campaign ends with the winter of this year.")
    fight_pct: int = number(75, "%", "3", "A realm of the rules fights with so many units for each 100 invaders.")


class Realms(Board):
    """The campaign as the chapters speak of it."""

    rules: Numbers
    realms, nodes, battles = Sheet(Realm), Sheet(Node), Sheet(Battle)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.wants, self.invades = dict[str, str](), dict[str, Node]()

    def beyond(self, faction: str) -> list[Node]:
        """Provinces of others next to its own."""
        mine = {node.node for node in self.nodes if node.owner == faction}
        return [node for node in self.nodes if node.owner != faction and mine & {*self.game.map.neighbours(node.node)}]


@order("hire", "arruola", when=("hire",), amount=Amount(),
       help="Hire units, one for each resource.")
def hire(land: Realms, request: Request, amount: int) -> None:
    """Chapter 1."""
    realm = land.realms[request.faction]
    if amount > realm.resources:
        raise Refused("RLM-003", "amount", cost=amount, left=realm.resources)
    realm.resources, realm.units = realm.resources - amount, realm.units + amount
    land.tell("hired", faction=realm.faction, n=amount)


@order("war", "guerra", when=("war",), partner=Partner(), replaces=same("war"), help="Whom to attack, if it is war.")
def war(land: Realms, request: Request, other: Realm) -> None:
    """Chapter 2: what the ruler would choose."""
    if other.faction not in {node.owner for node in land.beyond(request.faction)}:
        raise Refused("no_such_partner", "partner", word=other.faction)
    land.wants[request.faction] = other.faction


def declaring(land: Realms) -> None:
    """Chapter 2: the people decide, or leave it to the ruler; all at once."""
    chosen = {}
    for realm in land.realms:
        legal = {node.owner: land.realms[node.owner] for node in land.beyond(realm.faction)
                 if not land.realms[node.owner].enemy}
        if realm.enemy or not legal:
            continue
        test = land.count(WAR(realm.faction, land.game.turn), Limit.rating({"war rating": realm.war}),
                          audience=[realm.faction], rows=WAR_ROWS)
        land.tell("checked", roll=test, faction=realm.faction)
        verdict, wants = test.verdict, land.wants.get(realm.faction, "")
        dares = any(other.units < realm.units for other in legal.values()) if realm.self_run else wants in legal
        if verdict == "war" or (verdict == "maybe" and dares):
            chosen[realm.faction] = wants if wants in legal else drawn_target(land, realm, legal)
    for faction, other in chosen.items():
        one, two = land.realms[faction], land.realms[other]
        if not one.enemy and not two.enemy:
            one.enemy, two.enemy = other, faction
            land.tell("war", faction=faction, other=other)


def drawn_target(land: Realms, realm: Realm, legal: dict[str, Realm]) -> str:
    """The highest die, 1 more for the weaker; those that tie throw again, without."""
    def throw(other: str, again: int) -> Score:
        weaker = int(again == 1 and legal[other].units < realm.units)
        return land.score(TARGET(realm.faction, other, land.game.turn, again=again), {"weaker": weaker})

    other, rolls = highest_thrower(legal, throw)
    land.tell("drawn", roll=rolls, faction=realm.faction, other=other)
    return other


@order("invade", "invadi", when=("invade",), target=Place(), replaces=same("invade"), help="Invade a province.")
def invade(land: Realms, request: Request, place: Node) -> None:
    """Chapter 3: of the enemy, next to one's own."""
    enemy = land.realms[request.faction].enemy
    if not enemy or place.owner != enemy or place not in land.beyond(request.faction):
        raise Refused("RLM-006", "target", node=place.node)
    land.invades[request.faction] = place


def invading(land: Realms) -> None:
    """Chapter 3: the rules invade for their own, all owners answer, and who fights meets the invader."""
    for realm in land.realms:
        open_to = [node for node in land.beyond(realm.faction) if node.owner == realm.enemy]
        if realm.self_run and open_to and realm.units >= land.realms[realm.enemy].units:
            land.invades[realm.faction] = open_to[0]
    asks = {by: Ask("response", node.owner, node.node, ("fight", "fort"), "fight", {"node": node.node, "by": by})
            for by, node in land.invades.items() if node.fort and not land.realms[node.owner].self_run}
    answers = dict(zip(asks, land.game.choose_all(list(asks.values())), strict=True))
    for faction, node in land.invades.items():
        owner, invader = land.realms[node.owner], land.realms[faction]
        weak = owner.self_run and owner.units * 100 < land.rules.fight_pct * invader.units
        answer = answers.get(faction, "fort" if node.fort and weak else "fight")
        if answer == "fight":
            battle = Battle(battle=next_code(land.battles, "B{}"), turn=land.game.turn, node=node.node,
                            attacker=faction, defender=owner.faction)
            land.battles.add(battle)
        land.tell("answered", faction=owner.faction, other=faction, node=node.node, answer=answer)


def fighting(land: Realms) -> None:
    """Chapter 4: each leader's dice, 1 to 3 a success; an attacker who has more takes the province."""
    for battle in land.battles.where(lambda one: one.status == "open"):
        dice = Contest({side: land.count(CLASH(battle.battle, side, n=land.realms[side].worth), Limit(3))
                        for side in (battle.attacker, battle.defender)})
        battle.winner, battle.status = dice.winner, "fought"
        land.tell("fought", roll=dice, battle=battle.battle, node=battle.node)
        if battle.winner == battle.attacker:
            node = land.nodes[battle.node]
            node.owner = battle.attacker
            land.tell("conquered", faction=battle.attacker, other=battle.defender, node=node.node)


def willing(land: Realms) -> None:
    """Chapter 5: of all at war, on the same state."""
    beaten = {side for row in land.battles.of_turn(land.game.turn) for side in (row.attacker, row.defender)
              if row.winner not in ("", side)}
    tests = {}
    for realm in land.realms.where(lambda one: bool(one.enemy)):
        will = Limit.rating({"morale": realm.morale, "lost battle": -int(realm.faction in beaten)}, bounds=True)
        tests[realm.faction] = land.count(WILL(realm.faction, land.game.turn), will, rows=WILL_ROWS)
    for faction, test in tests.items():
        land.tell("tested", roll=test, faction=faction)
        one = land.realms[faction]
        if one.enemy and test.verdict == "disaster":
            two = land.realms[one.enemy]
            one.enemy = two.enemy = ""
            land.tell("peace", faction=faction, other=two.faction)


def closing(land: Realms) -> None:
    """Chapter 6: two dice a province, 1 less at war; then perhaps the end."""
    for node in land.nodes:
        realm = land.realms[node.owner]
        test = land.count(TRADE(node.node, land.game.turn), Limit(3), {"war": -int(bool(realm.enemy))}, [realm.faction])
        realm.resources += max(test.total, 0)
        land.tell("earned", roll=test, faction=realm.faction, node=node.node)
    if REALMS.last_turn(land.campaign):
        count = Counter(node.owner for node in land.nodes)
        land.tell("ended", winners=" ".join(one for one in sorted(count) if count[one] == max(count.values())))


class TheRealms(Ruleset):
    """The Realms."""

    id, title, author, version, interface = "realms", "The Realms", "Arbitro's tests", "1", 6
    records = (base.Desk, Realm, Node, base.Road, Order, base.Question, Battle, base.Event, base.Die, base.FindingRow,
               base.Rule)
    rules_of, findings, events, battles = Numbers, FINDINGS, EVENTS, ("B{n}",)
    calendar = Calendar((
        Phase("hire", "Hiring", "Arruolamento", "1", orders="season", takes="hire", board=Realms, only=("Sp", "Su"),
              steps=(Step(all_orders, "together"),)),
        Phase("war", "Who goes to war", "Chi va in guerra", "2", orders="season", takes="war", board=Realms,
              only=SUMMERS, steps=(Step(all_orders, "together"), Step(declaring))),
        Phase("invade", "Invasions", "Invasioni", "3", orders="season", takes="invade", board=Realms,
              only=SUMMERS, waits_for=("response",),
              steps=(Step(all_orders, "together"), Step(invading), Step(fighting))),
        Phase("close", "End of the season", "Fine della stagione", "6", board=Realms,
              steps=(Step(willing), Step(closing)))), Turns(seasons=("Sp", "Su", "Fa", "Wi")))
    questions = {"response": QuestionType("response", "{by} enters {node}. Do you fight?")}  # noqa: RUF012
    rolls = by_word(*(RollKind.of(name, one) for name, one in (
        ("War checks", WAR), ("Enemies drawn", TARGET), ("Battles", CLASH), ("Tests of will", WILL), ("Trade", TRADE))))
    verbs = order_book(hire, war, invade, says={
        "unknown_verb": role("RLM-001", "verb", word="word"), "not_an_amount": role("RLM-002", word="word"),
        "no_such_partner": role("RLM-004", word="word"), "no_such_place": role("RLM-005", word="word", near="near"),
        "no_club": role("RLM-007", faction="faction")})

    def last_turn(self, campaign: Campaign) -> bool:
        """The winter of the last year."""
        return campaign.desk.turn == f"{self.rules(campaign)['last_year']}Wi"

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """A robot invades the first province that it may."""
        goals = [node.node for node in Realms(self.game(view)).beyond(faction)
                 if view.desk.phase == "invade" and node.owner == view.table(Realm)[faction].enemy]
        return [Order(verb="invade", target=one) for one in goals[:1]]


REALMS = TheRealms()
