"""The Walls, a sketch of a war day by day: two factions of six people each, a general among them.

Chapter 1: each day a die says who is first; bands go from place to place, and attack next door.
Chapter 2: units meet one by one; the better kind throws six faces against four, the higher kills. Chapter 3: in the
evening people build, one deed a day each; what a general proposes needs the person's yes. Chapter 4: at night they spy.
Chapter 5: the raiders win when too few settlements are left, the defenders when the last day is over.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Circle, Flag, Ref, Text, Whole, column, given, own, public, wanted
from assistant.campaign.records import ALL
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.dice import Purpose, RollKind, by_word
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Game, Phase, Sheet, Step
from assistant.turn.numbers import Rules, number
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit, Place
from assistant.turn.orders.row_columns import Person as OwnPerson
from assistant.turn.orders.taking import all_orders
from assistant.turn.orders.verbs import Once, Shapes, Verb, order, order_book, same
from assistant.turn.questions import Ask, QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import Contest, highest_thrower
from assistant.turn.texts import N_, keyed

FIRST = Purpose("first:{Factions}:{turn}", again=":t{n}")
DUEL, SPY = Purpose("duel:{Armies*}:{Nodes}:{turn}:{att|def}:{n}", ""), Purpose("spy:{People}:{turn}", "1d100")
CYCLE = "FTASCD"
"""Foot, troops, archers, assailants, cavalry, destroyers: each is better than the next."""
E, V, CODE = "E", "V", r"[A-Za-z]-?\d+"
"""Defenders of Esdef, raiders of the Varannah; what codes of bands and people look like."""


@dataclass
class Faction(base.Faction):
    """Defenders with coins, or raiders with captives."""

    wealth: int = own(Whole(0), "Wealth", "Ricchezza")


@dataclass
class Node(base.Node):
    """A place: open ground, a settlement of the defenders or a ruin of the raiders."""

    kind: str = public(Choice({"open": "aperta", "settlement": "insediamento", "ruin": "rovina"}), "Kind", "Tipo",
                       default="open")
    walls: int = column(Whole(0), "Walls", "Mura", see=Circle("the defenders", lambda _, reader: reader.is_one_of(E)))


@dataclass
class Person(Record, sheet="People", sheet_it="Persone", whose=("faction",), people=True):
    """Somebody who plays."""

    person: str = given(Text(), "Code", "Sigla", key=True, required=True)
    faction: str = given(Ref("Factions"), "Faction", "Fazione", required=True)
    name: str = given(Text(), "Character", "Personaggio")
    general: bool = given(Flag(), "General", "Generale")


@dataclass
class Band(base.Army):
    """Units that stand in a place, of which others do not know."""

    army: str = own(Text(), "Band", "Schiera", key=True, required=True)
    units: str = own(Text(), "Units", "Unità")


@dataclass
class Order(base.Order):
    """What somebody wants done."""

    unit: str = wanted(Ref("Armies", blank=True), "Band", "Schiera")
    person: str = wanted(Ref("People", blank=True), "Who", "Chi")
    target: str = wanted(Ref("Nodes", blank=True), "Where", "Dove")
    issuer: str = wanted(Ref("People", blank=True), "Given by", "Dato da")
    outcome: str = base.outcome({"done": "eseguito", "blocked": "fermato", "declined": "declinato",
                                 "no_money": "senza monete"})


FINDINGS = keyed(
    Message("WAL-001", "error", "'{word}' is no order. Use move, attack, build or spy."),
    Message("WAL-002", "error", "'{word}' is no band of yours. Look at the sheet Armies."),
    Message("WAL-003", "error", "There is no place '{word}'. Did you mean {near}?"),
    Message("WAL-004", "error", "'{word}' is none of your people. They are: {list}."),
    Message("WAL-005", "error", "{person} already acts today: {order}."),
    Message("WAL-006", "error", "{person} is no general, and proposes nothing. Leave the cell blank."),
    Message("WAL-007", "error", "No line that {faction} may use joins {a} and {b}."),
    Message("WAL-008", "error", "Nothing can be built at {node}. Name a settlement of yours."),
)
EVENTS = keyed(
    EventType("first", "{faction} is first today: {roll}.", "news", 1, "1", to=ALL),
    EventType("moved", "{army} goes to {node}.", "moves", 2, "1", to="army"),
    EventType("blocked", "{army} is stopped before {node}: enemies.", "moves", 1, "1", to="army"),
    EventType("duel", "{node}: {a} against {b}: {roll}.", "battles", 3, "2", to=(E, V)),
    EventType("fought", "{node}: {a} are left of the attackers, {b} of the defenders.", "battles", 1, "2", to=(E, V)),
    EventType("fell", "{node} is now: {kind}.", "sieges", 0, "2", to=ALL),
    EventType("built", "{person} and the walls of {node}: {why}.", "works", 2, "3", to="person"),
    EventType("income", "{faction} has {n}.", "money", 3, "3", to="faction"),
    EventType("spied", "{person} at {node}: {what}.", "news", 1, "4", to="person"),
    EventType("ended", "The end: {winner} wins.", "news", 0, "5", to=ALL),
)


class Numbers(Rules):
    """The numbers of the book."""

    days: int = number(4, "days", "5", "The defenders win after this day.")
    least: int = number(2, "settlements", "5", "With fewer settlements the raiders win.")
    walls: int = number(100, "coins", "3", "What walls cost.")
    spying: int = number(50, "%", "4", "A spy sees units with this chance.")


class Land(Board):
    """The campaign as the chapters speak of it."""

    rules: Numbers
    factions, nodes, bands = Sheet(Faction), Sheet(Node), Sheet(Band)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.plans: list[tuple[Request, Band, Node]] = []
        self.works: list[tuple[Request, Person, Node, bool]] = []


# --- chapters 1 and 2: bands -----------------------------------------------------------------------------------
def on_a_line(land: Land, request: Request, place: Node, field: str) -> None:
    """Chapter 1: to the next place; red lines are the raiders' own."""
    kinds, start = ("grey", "red") if request.faction == V else ("grey",), land.bands[request.unit].node
    if not land.game.map.has_link(start, place.node, *kinds):
        raise Refused("WAL-007", field, faction=request.faction, a=start, b=place.node)


def of_a_band(en: str, it: str, help: str) -> Verb:
    """A verb of the general: what a band does today."""
    return order(en, it, when=("day",), unit=OwnUnit(Band, known=lambda row: False), target=Place(then=(on_a_line,)),
                 replaces=same("band", "unit"), help=help)(
        lambda land, request, band, place: land.plans.append((request, band, place)))


MOVE = of_a_band("move", "muovi", N_("Send a band to the next place."))
ATTACK = of_a_band("attack", "attacca", N_("Attack the next place."))


def acting(land: Land) -> None:
    """Chapter 1: the first side acts, then the second on what it finds."""
    first, rolls = highest_thrower((E, V), lambda side, again: land.roll(FIRST(side, land.game.turn, again=again)))
    land.tell("first", roll=rolls, faction=first)
    for request, band, place in sorted(land.plans, key=lambda plan: plan[1].faction != first):
        enemies = [one for one in land.bands if one.node == place.node and one.faction != band.faction]
        request.came_to("done")
        if request.verb == "attack" and band.units:
            fight(land, band, place, enemies[0] if enemies else None)
        elif enemies:
            request.came_to("blocked")
            land.tell("blocked", army=band.army, node=place.node)
        elif band.units:
            band.node = place.node
            land.tell("moved", army=band.army, node=place.node)


def faces(unit: str, other: str) -> str:
    """A unit that meets its better throws four faces, else six."""
    return "1d4" if CYCLE[(CYCLE.index(other) + 1) % 6] == unit else "1d6"


def fight(land: Land, band: Band, place: Node, other: Band | None) -> None:
    """Chapter 2: unit against unit, from the left; of equals nobody dies. Whoever is left alone has the place."""
    bands = {"att": band, **({"def": other} if other is not None else {})}
    lost: dict[str, set[int]] = {"att": set(), "def": set()}
    for n, (a, b) in enumerate(zip(band.units, other.units if other is not None else "", strict=False)):
        about = band.army, place.node, land.game.turn
        dice = Contest({
            "att": land.score(DUEL(*about, "att", n + 1, dice=faces(a, b)), {}, [E, V]),
            "def": land.score(DUEL(*about, "def", n + 1, dice=faces(b, a)), {"walls": place.walls}, [E, V])})
        land.tell("duel", roll=dice, node=place.node, a=a, b=b)
        if dice.winner:
            lost["def" if dice.winner == "att" else "att"].add(n)
    for side, one in bands.items():
        one.units = "".join(unit for n, unit in enumerate(one.units) if n not in lost[side])
        one.node = one.node if one.units else ""
    after = other.units if other is not None else ""
    land.tell("fought", node=place.node, a=band.units or "-", b=after or "-")
    if band.units and not after:
        band.node, raiders = place.node, land.factions[V]
        if place.kind == ("settlement" if band.faction == V else "ruin"):
            place.kind, place.walls = "ruin" if band.faction == V else "open", 0
            raiders.wealth += 10 * (band.faction == V)
        land.tell("fell", node=place.node, kind=place.kind)


# --- chapters 3 to 5: evening, night, the end --------------------------------------------------------------------
ACTION = Once("action", "person")


@order("build", "costruisci", when=("evening",), person=OwnPerson((Person,)), target=Place(), once=ACTION,
       issuer=OwnPerson((Person,), blank=True), help="Build walls around a settlement.")
def build(land: Land, request: Request, person: Person, place: Node, issuer: Person | None) -> None:
    """Chapter 3: by oneself, or as the general proposes."""
    if issuer not in (None, person) and not (issuer is not None and issuer.general):
        raise Refused("WAL-006", "issuer", person=request.typed_text("issuer"))
    if request.faction != E or place.kind != "settlement":
        raise Refused("WAL-008", "target", node=place.node)
    land.works.append((request, person, place, issuer not in (None, person)))


def building(land: Land) -> None:
    """Chapter 3: all are asked at once; then wealth comes in, and work by work is paid."""
    asks = {request.row.order: Ask("consent", person.person, request.row.order, ("yes", "no"), "no",
                                   {"node": place.node}, terms=("node",))
            for request, person, place, proposed in land.works if proposed}
    answers = dict(zip(asks, land.game.choose_all(list(asks.values())), strict=True))
    for faction, kind, each in ((land.factions[E], "settlement", 50), (land.factions[V], "ruin", 5)):
        faction.wealth += each * sum(node.kind == kind for node in land.nodes)
        land.tell("income", faction=faction.faction, n=faction.wealth)
    chest = land.factions[E]
    for request, person, place, _ in land.works:
        why = "no_money" if chest.wealth < land.rules.walls else "done"
        if answers.get(request.row.order) == "no":
            why = "declined"
        if why == "done":
            chest.wealth, place.walls = chest.wealth - land.rules.walls, place.walls + 1
        request.came_to(why)
        land.tell("built", person=person.person, node=place.node, why=why)


@order("spy", "spia", when=("night",), person=OwnPerson((Person,)), target=Place(), once=ACTION,
       help="Look at a place.")
def spy(land: Land, request: Request, person: Person, place: Node) -> None:
    """Chapter 4: an empty place is told for certain; else a die, and at least that there are enemies."""
    there = "".join(band.units for band in land.bands if band.node == place.node and band.faction != person.faction)
    if not there:
        land.tell("spied", person=person.person, node=place.node, what="nobody")
        return
    trial = land.trial(SPY(person.person, land.game.turn), land.rules.spying, {}, [person.person], at_most=True)
    land.tell("spied", roll=trial, person=person.person, node=place.node, what=there if trial.passed else "enemies")


def ending(land: Land) -> None:
    """Chapter 5: by settlements, or by days."""
    if WALLS.last_turn(land.campaign):
        land.tell("ended", winner=V if WALLS.fallen(land.campaign) else E)


class TheWalls(Ruleset):
    """The Walls."""

    id, title, author, version, interface = "walls", "The Walls", "Arbitro's tests", "1", 6
    records = (base.Desk, Faction, Node, base.Road, Person, Band, Order, base.Question, base.Event, base.Die,
               base.FindingRow, base.Rule)
    rules_of, findings, events, named = Numbers, FINDINGS, EVENTS, ("Nodes", "People")
    words = ("nobody", "enemies", "done", "declined", "no_money", "walls", "settlement", "ruin", "open")
    calendar = Calendar((
        Phase("assault", "Assault", "Assalto", "1", orders="day", takes="day", board=Land,
              steps=(Step(all_orders, "together"), Step(acting))),
        Phase("evening", "Evening", "Sera", "3", orders="day", takes="evening", board=Land, waits_for=("consent",),
              steps=(Step(all_orders, "together"), Step(building))),
        Phase("night", "Night", "Notte", "4", orders="day", takes="night", board=Land,
              steps=(Step(all_orders, "together"), Step(ending)))))
    questions = {"consent": QuestionType("consent", "The general asks you to build at {node}. Do you?")}  # noqa: RUF012
    rolls = by_word(RollKind.of("Initiative", FIRST), RollKind.of("Duels", DUEL), RollKind.of("Spies", SPY))
    verbs = order_book(MOVE, ATTACK, build, spy, shapes=Shapes(CODE, r"\d+"), cells=("person", "issuer"), says={
        "unknown_verb": role("WAL-001", "verb", word="word"), "no_such_unit": role("WAL-002", word="word"),
        "not_yours": role("WAL-002", word="word"), "no_such_place": role("WAL-003", word="word", near="near"),
        "no_such_person": role("WAL-004", word="word", list="list"), "ambiguous": role("WAL-004", word="a", list="b"),
        "busy": role("WAL-005", person="person", order="order")})

    def fallen(self, campaign: Campaign) -> bool:
        """Whether too few settlements are left."""
        left = campaign.table(Node).where(lambda node: node.kind == "settlement")
        return len(left) < int(self.rules(campaign)["least"])

    def last_turn(self, campaign: Campaign) -> bool:
        """By settlements, or by days."""
        return self.fallen(campaign) or int(campaign.desk.turn) >= self.rules(campaign)["days"]

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """Raiders attack the first settlement next door, defenders build in the first that they have."""
        towns, phase = [node.node for node in view.table(Node) if node.kind == "settlement"], view.desk.phase
        if faction == E:
            return [Order(verb="build", person="E1", target=towns[0])] if phase == "evening" else []
        near = {band.army: {*self.game(view).map.neighbours(band.node)} & {*towns} for band in view.table(Band)}
        return [Order(verb="attack", unit=army, target=min(there)) for army, there in near.items()
                if there and phase == "assault"]


WALLS = TheWalls()
