"""The Fens, a tiny rulebook of squares: camps march over firm ground, three days long.

Chapter 1: an army goes square by square; water stops it, and so does a corner between two waters. A march that is too
long is cut, one onto a square where two armies stand bounces.
Chapter 2: an army beside a river drifts along it; against the current each stretch counts twice, and falls let nobody
back.
Chapter 3: where armies of two camps stand on one square each camp holds or yields; of a camp that the rules play a die
of 4 or more holds where the switch says so, else the referee is asked. Each army that holds throws for its nerve.
Chapter 4: a camp has people, each of whom scouts, builds or watches once a day; who is told to build by another says
whether he does. A camp with a mill may send one of its people out twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Flag, Ref, Square, Text, Whole, column
from assistant.campaign.map import DirectedLink, SquareMap, bad_links, misplaced_nodes
from assistant.campaign.records import ALL
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EACH_TIME, EventType
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.game import Board, Phase, Sheet, Step
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit, Path, Place
from assistant.turn.orders.row_columns import Person as OwnPerson
from assistant.turn.orders.taking import carry_all, late_meaning, take
from assistant.turn.orders.verbs import Once, order, order_book, same
from assistant.turn.questions import Ask, Option, QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed

DAYS = 3


@dataclass
class Faction(base.Nation):
    """A camp, of a club or run by the rules."""

    held: int = column(Whole(0), "Held", "Tenute", see="public")


@dataclass
class Node(base.Node):
    """A square, firm or wet."""

    node: str = column(Square(), "Square", "Quadrato", key=True, edit="referee", see="public", required=True)
    water: bool = column(Flag(), "Water", "Acqua", edit="referee", see="public")


@dataclass
class Road(base.Link):
    """A road, or a river that flows from a to b."""

    one_way: bool = column(Flag(), "One way", "Senso unico", edit="referee", see="public")


@dataclass
class Person(Record, sheet="People", sheet_it="Persone", whose=("faction",), people=True):
    """One of the people of a camp."""

    person: str = column(Text(), "Person", "Persona", key=True, edit="referee", see="public", required=True)
    faction: str = column(Ref("Factions"), "Faction", "Fazione", edit="referee", see="public", required=True)
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public")
    works: int = column(Whole(0), "Works", "Lavori", see="owner")


@dataclass
class Order(base.Order):
    """What a camp wants done."""

    unit: str = column(Text(), "Army", "Armata", edit="club", see="owner")
    path: str = column(Text(), "Path", "Percorso", edit="club", see="owner")
    target: str = column(Ref("Nodes", blank=True), "Where", "Dove", edit="club", see="owner")
    person: str = column(Ref("People", blank=True), "Who", "Chi", edit="club", see="owner")
    outcome: str = base.outcome({"done": "eseguito", "bounced": "rimbalzato", "cut": "tagliato"})
    issuer: str = column(Ref("People", blank=True), "Given by", "Dato da", edit="club", see="owner")


FINDINGS = keyed(
    Message("FEN-001", "error", "'{node}' is not on the map. Did you mean {near}?"),
    Message("FEN-002", "error", "{word} is no order. Choose one from the list."),
    Message("FEN-003", "error", "There is no way from {a} to {b}."),
    Message("FEN-004", "error", "{unit} is not an army of yours."),
    Message("FEN-005", "error", "{node} lies where {other} lies."),
    Message("FEN-006", "error", "{road}: {what}. Take it out."),
    Message("FEN-008", "error", "{word} is none of your people. They are: {list}."),
    Message("FEN-009", "error", "{person} acts today already: {order}."),
    Message("FEN-010", "error", "{word} may be {a} or {b}."),
    Message("FEN-007", "error", "The river does not take you from {a} to {b} in a day."),
)
EVENTS = keyed(
    EventType("fens.marched", "{army} goes to {node}.", "moves", 1, "1", to=ALL),
    EventType("fens.stance", "{army} says {stance} at {node}.", "battles", 1, "3", to="army"),
    EventType("fens.acted", "{person} ({verb}) at {node}.", "works", 1, "4", to="person"),
    EventType("fens.nerve", "{army}: {roll}.", "battles", 2, "3", to=EACH_TIME),
)


class Numbers(Rules):
    """The numbers of the book."""

    longest: int = number(3, "squares", "1", "The longest march.")
    mill: int = number(1, "deeds", "4", "Deeds a day of the camp's scouts.")
    self_run: Literal["thrown", "asked"] = switch("3", "Who decides for a camp that the rules play.")


class Fens(Board):
    """The campaign as the chapters speak of it."""

    rules: Numbers
    camps = Sheet(Faction)
    nodes = Sheet(Node)
    roads = Sheet(Road)
    armies = Sheet(base.Army)

    @cached_property
    def squares(self) -> SquareMap:
        """The map."""
        return SquareMap.of(self.nodes, self.roads)

    def firm(self, square: str) -> bool:
        """Whether an army can stand there."""
        return not self.nodes[square].water

    def cost(self, start: str, end: str) -> int | None:
        """Of one step."""
        return 1 if self.firm(end) else None


@order("march", "marcia", when=("day",), unit=OwnUnit(base.Army), path=Path(record=Node, from_unit=True),
       replaces=same("march", "unit"), help="March from square to square.")
def march(fens: Fens, request: Request, army: base.Army) -> None:
    """Chapter 1: square by square."""
    late_meaning(fens, request, "path")
    here = army.node
    for there in request.path:
        if there not in fens.nodes:
            raise Refused("no_such_place", "path", word=there, near="")
        if there != here and fens.squares.price(here, [there], fens.cost, fens.firm) is None:
            raise Refused("FEN-003", "path", a=here, b=there)
        here = there
    steps = [code for code in request.path if code != army.node]
    goal = steps[:fens.rules.longest][-1]
    if sum(army.node == goal for army in fens.armies) > 1:
        request.came_to("bounced")
        return
    request.came_to("done" if goal == here else "cut")
    army.node = goal
    fens.game.tell("fens.marched", army=army.army, node=army.node)


def current(link: DirectedLink) -> int:
    """What a stretch of a river counts."""
    return 1 if link.along else 2


@order("drift", "scendi", when=("day",), unit=OwnUnit(base.Army), target=Place(record=Node),
       replaces=same("march", "unit"), help="Drift on a river.")
def drift(fens: Fens, request: Request, army: base.Army, place: Node) -> None:
    """Chapter 2: along rivers."""
    links = fens.squares.links
    way = links.way(army.node, [place.node], current, "river")
    steps = zip((army.node, *way), way, strict=False)
    if not way or sum(min(map(current, links.links(a, b, "river"))) for a, b in steps) > fens.rules.longest:
        raise Refused("FEN-007", "target", a=army.node, b=place.node)
    army.node = place.node
    fens.game.tell("fens.marched", rule="2", army=army.army, node=army.node)


def marching(fens: Fens) -> None:
    """Chapters 1, 2 and 4: all that is done by day."""
    carry_all(fens, take(fens))


ONCE = Once("deed", "person", lambda fens, request: fens.rules.mill if request.verb == "scout" else 1)


@order("scout", "esplora", when=("day",), person=OwnPerson((Person,)), target=Place(record=Node), once=ONCE,
       help="Look at a square.")
def scout(fens: Fens, request: Request, person: Person, place: Node) -> None:
    """Chapter 4: only the camp hears of it."""
    fens.game.tell("fens.acted", person=person.person, verb="scout", node=place.node)


@order("build", "costruisci", when=("day",), person=OwnPerson((Person,)), target=Place(record=Node),
       issuer=OwnPerson((Person,), blank=True), once=ONCE, help="Build something on a square.")
def build(fens: Fens, request: Request, person: Person, place: Node, issuer: Person | None) -> None:
    """Chapter 4: who is told to build says whether he does."""
    if issuer is not None and issuer is not person:
        ask = Ask("consent", person.person, request.row.order, ("yes", "no"), "no", {"node": place.node})
        if fens.game.choose(ask) == "no":
            return
    person.works += 1
    fens.game.tell("fens.acted", person=person.person, verb="build", node=place.node)


@order("watch", "veglia", when=("evening",), person=OwnPerson((Person,)), target=Place(record=Node), once=ONCE,
       help="Watch over a square in the evening.")
def watch(fens: Fens, request: Request, person: Person, place: Node) -> None:
    """Chapter 4: after the marches."""
    fens.game.tell("fens.acted", person=person.person, verb="watch", node=place.node)


def watching(fens: Fens) -> None:
    """Chapter 4: the evening."""
    carry_all(fens, take(fens))


def stance(fens: Fens, army: base.Army) -> str:
    """Chapter 3: what an army does where it meets another."""
    camp = fens.camps[army.faction]
    if camp.self_run and fens.rules.self_run == "thrown":
        return "hold" if fens.game.roll(f"stance:{army.army}:{fens.game.turn}").at_least(4) else "yield"
    return fens.game.choose(Ask("stance", camp.faction, army.node, ("hold", "yield"), "yield", {"node": army.node}))


def meeting(fens: Fens) -> None:
    """Chapter 3: square by square."""
    for army in fens.armies:
        others = [other for other in fens.armies if other.node == army.node and other.faction != army.faction]
        if not others:
            continue
        said = stance(fens, army)
        fens.game.tell("fens.stance", army=army.army, node=army.node, stance=said)
        if said == "hold":
            camp = fens.camps[army.faction]
            camp.held += 1
            nerve = fens.game.roll(f"nerve:{army.army}:{fens.game.turn}", "1d6", [army.faction])
            fens.game.tell("fens.nerve", [army.faction, others[0].faction], roll=nerve, army=army.army)


MEET = Phase("meet", "Meetings", "Incontri", "3", orders="day", takes="evening", waits_for=("stance",), board=Fens,
             steps=(Step(watching, "together"), Step(meeting)))
MARCH = Phase("march", "Marches", "Marce", "1", orders="day", board=Fens, steps=(Step(marching, "together"),))


class FenBook(Ruleset):
    """The Fens."""

    id = "fens"
    interface = 6
    title = "The Fens"
    version = "1"
    records = (base.Desk, Faction, Node, Road, Person, base.Army, Order, base.Question, base.Battle, base.Event,
               base.Die, base.FindingRow, base.Rule)
    rules_of = Numbers
    named = ("Nodes", "People")
    calendar = Calendar((MARCH, MEET))
    findings = FINDINGS
    events = EVENTS
    questions = {  # noqa: RUF012
        "stance": QuestionType("stance", "{node}: hold or yield?", stands=Option(("hold", "yield"))),
        "consent": QuestionType("consent", "Build at {node}?")}
    verbs = order_book(march, drift, scout, build, watch, bare=march, cells=("person", "issuer"), says={
        "no_such_person": role("FEN-008", word="word", list="list"),
        "ambiguous": role("FEN-010", word="word", a="a", b="b"),
        "busy": role("FEN-009", person="person", order="order"),
        "unknown_verb": role("FEN-002", "verb", word="word"),
        "no_such_place": role("FEN-001", node="word", near="near"),
        "no_such_unit": role("FEN-004", unit="word"), "not_yours": role("FEN-004", unit="word")})

    def last_turn(self, campaign: Campaign) -> bool:
        """The third day."""
        return campaign.desk.turn == str(DAYS)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """Every square has a place of its own, and no link is there twice."""
        return [*(self.finding("FEN-005", Where("Nodes", row.node, "node"), node=row.node, other=other)
                  for row, other in misplaced_nodes(campaign.table(Node))),
                *(self.finding("FEN-006", Where("Roads", row.ident, "b"), road=row.ident, what=what)
                  for row, what in bad_links(campaign.table(Road)))]

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Armies by camp."""
        armies = campaign.table(base.Army)
        return [{"faction": row.faction, "armies": sum(army.faction == row.faction for army in armies)}
                for row in campaign.table(Faction)]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The armies."""
        return [("Armies", sum(army.faction == faction for army in view.table(base.Army)))]

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """A robot goes to the nearest other army."""
        board = SquareMap.of(view.table(Node))
        wet = {row.node for row in view.table(Node) if row.water}
        armies = view.table(base.Army)
        mine = next(army for army in armies if army.faction == faction)
        goal = board.nearest(mine.node, ((army.army, army.node) for army in armies if army.faction != faction))
        way = board.way(mine.node, [armies[goal].node], lambda _, there: None if there in wet else 1,
                        lambda square: square not in wet)
        return [Order(verb="march", unit=mine.army, path=" ".join(way[:1]))] if way else []


FENS = FenBook()

FOLDER = {
    "desk.csv": "key,value\nruleset,fens\ntitle,Le paludi\nlanguage,en\n",
    "factions.csv": "faction,name_en,name_it,club,language,colour,role\n"
                    "N,North,Nord,Club N,en,#aa3311,player\nS,South,Sud,Club S,it,#1133aa,player\n",
    "nodes.csv": "node,name,water\n" + "".join(
        f"{column}{row},,{'yes' if (column, row) in (('B', 2), ('C', 3)) else 'no'}\n"
        for row in (1, 2, 3, 4) for column in "ABCD"),
    "roads.csv": "road,a,b,kind,one_way\nR1,A1,B1,road,\nW1,a1,b1,river,\nW2,B1,C1,river,yes\nW3,D1,C1,river,\n",
    "people.csv": "person,faction,name\nE1,N,Anna\nE2,N,Bruno\nE3,S,Carla\n",
    "armies.csv": "army,faction,node\nN1,N,A1\nS1,S,d4\n",
}
"""Four squares by four, with a pinched corner between B02 and C03; codes as a hurried referee types them."""
