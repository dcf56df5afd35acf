"""The board of Il Giglio in the chapters' words: hostility, markers, ways back; what all orders share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import Map
from assistant.campaign.records import ALL, CLUBLESS, Road
from assistant.campaign.tables import Record, in_natural_order, natural
from assistant.rulesets.giglio import VOCABULARY, both, records
from assistant.rulesets.giglio.records import Army, Faction, Fleet, Node, Numbers, Specialist
from assistant.turn.dice import REFEREE
from assistant.turn.findings import Citation, Message
from assistant.turn.game import Board, Game, One, Sheet, free_code
from assistant.turn.orders.columns import Amount, ColumnCheck
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit
from assistant.turn.orders.verbs import Purse, Shapes
from assistant.turn.questions import Told

# What several chapters share.


WRONG = Told("GIG-100")
"""What is said of an answer that is none of the options."""


def other_factions(view: Campaign, faction: str) -> list[str]:
    """The factions that a club may deal with."""
    return [f.faction for f in view.table(records.Faction) if f.faction != faction and f.role not in CLUBLESS]


def near(view: Campaign, places: set[str]) -> set[str]:
    """Some places, and those to which a way leads from them."""
    return places.union(*({road.a, road.b} for road in view.table(Road) if not places.isdisjoint((road.a, road.b))))


def table_citation(number: int, about: str) -> Citation:
    """A printed table; it stands below its chapter on the rulebook's page."""
    return Citation(f"t{number}", f"Table {number}", f"Tabella {number}", f"Table {number}: {about}")


# The plan that the orders of a phase make before anything moves.


class TreatyOffer(NamedTuple):
    """One ally row: who offers what to whom; `passage`: a word of the column Option."""

    request: Request
    by: str
    to: str
    passage: str
    until: int | None


class Shot(NamedTuple):
    """One assassin sent: by whom, at what, at whom."""

    man: Specialist
    kind: str
    target: str
    victim: str


class ArmyAction(NamedTuple):
    """The one thing that an army does in a round, with its row of orders.

    `path`: the nodes of a march from where the army is; `back`: the march only leads back from an enemy.
    """

    request: Request
    path: Sequence[str] = ()
    back: bool = False

    @property
    def verb(self) -> str:
        """What it does."""
        return self.request.verb


@dataclass(eq=False, repr=False)
class Plan:
    """The orders of one phase.

    `set_aside`: faction -> ducats bid in the auction, still in the chest; `sent`: payments as (giver, receiver,
    amount); `garrisons`: those that an army leaves on its way, as (row, army, node); `columns`: armies that a march
    with an amount has split off; `sails`: fleet -> where to. The rest is filled as the round goes on: `homeward`:
    fleet -> first step home; `held_up`: fleets that were thrown back; `newcomers`: node -> armies that came there;
    `arrivals`: how many so far.
    """

    requests: list[Request] = field(default_factory=list)
    set_aside: dict[str, int] = field(default_factory=dict)
    sent: list[tuple[str, str, int]] = field(default_factory=list)
    offers: list[TreatyOffer] = field(default_factory=list)
    shots: list[Shot] = field(default_factory=list)
    acts: dict[str, ArmyAction] = field(default_factory=dict)
    columns: set[str] = field(default_factory=set)
    sails: dict[str, str] = field(default_factory=dict)
    garrisons: list[tuple[Request, str, str]] = field(default_factory=list)
    homeward: dict[str, str] = field(default_factory=dict)
    held_up: set[str] = field(default_factory=set)
    newcomers: dict[str, set[str]] = field(default_factory=dict)
    arrivals: int = 0

    def marches_of(self, faction: str) -> Plan:
        """The plan of one faction's marches and garrisons, as if nobody else moved."""
        return Plan(acts={army: act for army, act in self.doing("move").items() if act.request.faction == faction},
                    garrisons=[g for g in self.garrisons if g[0].faction == faction])

    def doing(self, verb: str) -> dict[str, ArmyAction]:
        """The actions with that verb, by army."""
        return {army: act for army, act in self.acts.items() if act.verb == verb}

    def boarding(self, fleet: str) -> int:
        """How many armies go aboard a fleet in this round."""
        return sum(act.request.target == fleet for act in self.doing("embark").values())


# The board: who is hostile, what blocks, what is own (rulebook: Words of the map).


NO_RANK = 10**6
TRAIL = 4


class War(Board):
    """A game with the words of the rulebook. `year` and `round` (0 outside summer) say when it is."""

    rules: Numbers
    holds: ClassVar[tuple[str, ...]] = ("cargo",)
    """The columns of Fleets that each carry an army; house rules may have more."""
    posted: ClassVar[tuple[str, ...]] = ("sapper",)
    """The specialists who have a post, with an army or in a place; house rules may have more."""
    counted: ClassVar[Mapping[str, Callable[[Any, str], int]]] = MappingProxyType({})
    """Objectives that house rules add: code -> what counts for a faction, of the board and its code."""
    desk = One(records.Desk)
    factions = Sheet(records.Faction)
    nodes = Sheet(records.Node)
    armies = Sheet(records.Army)
    fleets = Sheet(records.Fleet)
    specialists = Sheet(records.Specialist)
    sieges = Sheet(records.Siege)
    alliances = Sheet(records.Alliance)
    contacts = Sheet(records.Contact)
    battles = Sheet(records.Battle)
    loans = Sheet(records.Loan)
    works = Sheet(records.Work)
    bans = Sheet(records.Ban)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.year = int(game.turn)
        in_round = re.match(r"r([0-9]+)", game.phase)
        self.round = int(in_round[1]) if in_round else 0

    @cached_property
    def plan(self) -> Plan:
        """What the orders of the phase come to; empty until they are taken."""
        return Plan()

    @property
    def map(self) -> Map:
        """The board on the table."""
        return self.game.map

    def alone(self, faction: str) -> War | None:
        """A copy in which nobody but the faction moves; None if none of its orders waits for a march."""
        plan = self.plan.marches_of(faction)
        if not plan.garrisons:
            return None
        war = type(self)(self.game.on_copy())
        war.plan = plan
        return war

    # --- factions ---------------------------------------------------------------------------
    def players(self) -> list[records.Faction]:
        """Clubs and robots in natural order of code (spring and winter)."""
        return [f for f in self.factions if f.role != "neutral"]

    def rank(self, faction: str) -> int:
        """Place in the order of movement; neutrals and unranked come last."""
        row = self.factions.get(faction)
        return row.move_rank or NO_RANK if row and row.role != "neutral" else NO_RANK

    def by_rank(self) -> list[records.Faction]:
        """Clubs and robots in the order of movement (summer)."""
        return sorted(self.players(), key=lambda f: (self.rank(f.faction), natural(f.faction)))

    def treaty(self, a: str, b: str) -> records.Alliance | None:
        """The active treaty of two factions, if there is one."""
        return next((row for row in self.alliances if row.status == "active" and row.joins(a, b)), None)

    def passage(self, a: str, b: str) -> bool:
        """Whether an active treaty with passage, and without suspect, joins them."""
        row = self.treaty(a, b)
        return row is not None and row.passage and not row.suspect

    def hostile(self, a: str, b: str) -> bool:
        """Two factions are hostile unless they are one or grant each other passage (rulebook: Words of the map)."""
        return a != b and not self.passage(a, b)

    # --- markers ----------------------------------------------------------------------------
    def blocks(self, army: records.Army) -> bool:
        """A blocking marker: in the field, an army or a diplomat who is not yet revealed."""
        return army.posture == "field" and self.looks_armed(army)

    def looks_armed(self, army: records.Army) -> bool:
        """An army, or a diplomat whom others must still take for one."""
        return army.is_army or (not army.revealed and self.rules.diplomat_contact == "yes")

    def at(self, node: str) -> list[records.Army]:
        """All markers in a node that are not aboard, in natural order."""
        return [a for a in self.armies if a.node == node and a.posture != "aboard"]

    def with_markers(self) -> list[records.Node]:
        """The places where markers are, in natural order."""
        return [self.nodes[node] for node in in_natural_order({a.node for a in self.armies}) if node in self.nodes]

    def force(self, node: str, faction: str) -> list[records.Army]:
        """The blocking markers of a faction in a node."""
        return [a for a in self.at(node) if a.faction == faction and self.blocks(a)]

    def envoys(self, node: str, faction: str) -> list[records.Army]:
        """Revealed diplomats of a faction in the field in a node: they block nobody."""
        return [a for a in self.at(node)
                if a.faction == faction and a.kind == "diplomat" and a.posture == "field" and not self.blocks(a)]

    def enemies_in_field(self, node: str, faction: str) -> list[records.Army]:
        """Blocking markers in a node that are hostile to the faction."""
        return [a for a in self.at(node) if self.blocks(a) and self.hostile(a.faction, faction)]

    def in_contact(self, army: records.Army) -> bool:
        """Whether a hostile blocking marker stands in the army's node."""
        return bool(self.enemies_in_field(army.node, army.faction))

    def soldiers(self, node: str, faction: str) -> list[records.Army]:
        """Armies proper of a faction in the field in a node."""
        return [a for a in self.at(node) if a.faction == faction and a.is_army and a.posture == "field"]

    def inside(self, node: str, enemy_of: str) -> list[records.Army]:
        """Markers shut in at a node that are hostile to a faction."""
        return [a for a in self.at(node) if a.posture == "shut_in" and self.hostile(a.faction, enemy_of)]

    def shuts_in(self, node: str, enemy_of: str) -> bool:
        """Whether hostile men are shut in at a node; a revealed envoy bars no road."""
        return any(self.looks_armed(a) for a in self.inside(node, enemy_of))

    def hostile_garrison(self, node: str, faction: str) -> bool:
        """Whether a garrison hostile to the faction holds the node."""
        place = self.nodes[node]
        return place.garrison and self.hostile(place.owner, faction)

    def stops(self, node: str, faction: str) -> bool:
        """Whether a march ends at a node: hostile men stand there or are shut in, or a hostile garrison holds it."""
        return self.hostile_garrison(node, faction) or any(
            a.posture in ("field", "shut_in") and self.looks_armed(a) and self.hostile(a.faction, faction)
            for a in self.at(node))

    def contacts_of(self, in_round: int) -> list[records.Contact]:
        """The contacts of a round of this year."""
        return self.contacts.of_turn(self.game.turn, parts=(in_round,))

    def clubs(self, *factions: str) -> list[str] | str:
        """Who may know a die of these factions: the clubs among them, else the referee."""
        return [f for f in factions if f in self.factions and self.factions[f].role != "neutral"] or REFEREE

    def armies_of(self, faction: str) -> list[records.Army]:
        """All armies proper of a faction, aboard too."""
        return self.armies.where(lambda a: a.faction == faction and a.is_army)

    def next_army(self, faction: str) -> str:
        """The lowest free army code, shared by armies and diplomats."""
        return free_code(self.armies, f"{faction}-{{}}")

    def sappers_with(self, post: str) -> list[records.Specialist]:
        """Active sappers at a post (army or node)."""
        return [s for s in self.specialists if s.kind == "sapper" and s.status == "active" and s.post == post]

    def men_at(self, post: str) -> list[records.Specialist]:
        """Active specialists of all kinds at a post."""
        return [s for s in self.specialists if s.kind in self.posted and s.status == "active" and s.post == post]

    def active(self, faction: str, kind: str) -> list[records.Specialist]:
        """Active specialists of a kind."""
        return [s for s in self.specialists if s.faction == faction and s.kind == kind and s.status == "active"]

    # --- places -----------------------------------------------------------------------------
    def own(self, node: str, faction: str) -> bool:
        """Own territory for marching (switch own_territory)."""
        place = self.nodes[node]
        return (place.home if self.rules.own_territory == "home" else place.owner) == faction

    def garrison_audience(self, owner: str) -> list[str] | str:
        """Who learns of a garrison (switch garrison_public)."""
        return ALL if self.rules.garrison_public == "yes" else [owner]

    def sieges_of(self, node: str) -> list[records.Siege]:
        """Sieges of a node."""
        return [s for s in self.sieges if s.node == node]

    def is_troubled(self, node: str, faction: str) -> bool:
        """Besieged, or a hostile marker in the field there (GIG-037)."""
        return bool(self.sieges_of(node) or self.enemies_in_field(node, faction))

    def ban_round(self, faction: str, a: str, b: str) -> int:
        """The last round in which the road is shut to the faction, 0 if it is open now."""
        return next((ban.last_round for ban in self.bans if ban.faction == faction
                     and ban.first_round <= self.round <= ban.last_round
                     and ((ban.a, ban.b) == (a, b) or (ban.both_ways and (ban.b, ban.a) == (a, b)))), 0)

    def open_roads(self, node: str, faction: str) -> list[str]:
        """Neighbours by roads that are open to the faction in this round."""
        return [n for n in self.map.neighbours(node, "road") if not self.ban_round(faction, node, n)]

    # --- changes ----------------------------------------------------------------------------
    def money(self, faction: str, item: str, amount: int, ref: str = "", *, told: bool = True, **data: Any) -> None:
        """Move ducats into (amount > 0) or out of a chest, with its row in Accounts.

        `told`: False if the caller's next event tells of it.
        """
        row = self.factions[faction]
        row.treasury += amount
        self.campaign.table(records.Account).add(records.Account(
            year=self.year, phase=self.game.phase, faction=faction, item=item, amount=amount, balance=row.treasury,
            ref=ref))
        if told:
            self.tell("money.moved", [faction], item=item, amount=amount, balance=row.treasury, ref=ref, **data)

    def lose_army(self, army: records.Army, why: str, rule: str) -> None:
        """Remove a marker; its sappers die with it."""
        for man in self.men_at(army.army):
            man.status = "dead"
        self.take_off(army)
        self.tell("army.lost", rule=rule, army=army.army, faction=army.faction, node=army.node, why=why)

    def take_off(self, army: records.Army) -> None:
        """Take a marker off the map and empty its fleet; the caller's next event tells of both."""
        self.unload(army)
        self.armies.remove(army.army)

    def lose_fleet(self, fleet: records.Fleet, why: str, rule: str, *, cargo_why: str = "drowned") -> None:
        """Remove a fleet with its cargo; armies that it once put ashore have no ship to go back to."""
        for cargo in self.loads(fleet):
            if cargo in self.armies:
                self.lose_army(self.armies[cargo], cargo_why, rule)
        for army in self.armies.where(lambda army: army.fleet == fleet.fleet):
            army.fleet = ""
        self.fleets.remove(fleet.fleet)
        self.tell("fleet.lost", rule=rule, fleet=fleet.fleet, faction=fleet.faction, node=fleet.node, why=why)

    # --- what fleets carry ------------------------------------------------------------------
    def loads(self, fleet: records.Fleet) -> list[str]:
        """The armies aboard a fleet."""
        return [army for hold in self.holds if (army := getattr(fleet, hold))]

    def room(self, fleet: records.Fleet) -> int:
        """How many more armies a fleet can carry."""
        return len(self.holds) - len(self.loads(fleet))

    def load(self, fleet: records.Fleet, army: records.Army) -> None:
        """An army takes the first free place aboard; the caller's next event tells of it. Raises LookupError if there
        is none.
        """
        free = [hold for hold in self.holds if not getattr(fleet, hold)]
        setattr(fleet, free[0], army.army)
        army.posture, army.fleet, army.trail, army.node = "aboard", fleet.fleet, "", fleet.node

    def carrier(self, army: records.Army) -> records.Fleet | None:
        """The fleet aboard which an army is; None for one ashore."""
        return next((fleet for fleet in self.fleets if army.army in self.loads(fleet)), None)

    def unload(self, army: records.Army) -> None:
        """An army's place aboard is free again; the caller's next event tells of it."""
        for fleet in self.fleets.where(lambda fleet: army.army in self.loads(fleet)):
            for hold in self.holds:
                if getattr(fleet, hold) == army.army:
                    setattr(fleet, hold, "")

    # --- what house rules may say otherwise -------------------------------------------------
    def reach(self, army: records.Army, path: Sequence[str], by_book: int) -> int:
        """How many places an army marches in a round on a path, its start first. `by_book`: what the Rules say."""
        return by_book

    def siege_rounds(self, siege: records.Siege, by_book: int) -> int:
        """How many full rounds of a siege count for the die of table 35. `by_book`: how many there were."""
        return by_book

    def lose_if_empty(self, army: records.Army, why: str, rule: str) -> None:
        """Remove an army that has no ducats left."""
        if army.value == 0:
            self.lose_army(army, why, rule)

    # --- ways back, after table 34 and after a lost battle (3c; rulebook: Ways back) ------------------------
    def nodes_entered_from(self, army: Army, opponent: str) -> set[str]:
        """Nodes from which markers of the opponent's force entered after this army."""
        # the road by which a later enemy came is closed: else the beaten would walk through the victor
        return {other.nodes_back[-1] for other in self.force(army.node, opponent)
                if other.nodes_back and arrival_key(other) > arrival_key(army)}

    def is_free_for(self, army: Army, node: str) -> bool:
        """Whether an open road leads there and no others' marker, hostile garrison or hostile men inside bar it."""
        return (self.nodes[node].land and node in self.open_roads(army.node, army.faction)
                and not any(a.faction != army.faction and self.blocks(a) for a in self.at(node))
                and not self.hostile_garrison(node, army.faction)
                and not self.shuts_in(node, army.faction))

    def ship_at(self, army: Army, node: str) -> Fleet | None:
        """The ship that put the army ashore, if it still lies there, empty."""
        fleet = self.fleets.get(army.fleet)
        return fleet if fleet is not None and fleet.node == node and self.room(fleet) else None

    def previous_position(self, army: Army, opponent: str) -> str:
        """The army's previous position, "" if it may not go back there now."""
        node = next(reversed(army.nodes_back), "")
        place = self.nodes.get(node)
        if place is None:
            return ""
        if not place.land:
            return node if self.ship_at(army, node) else ""
        return node if self.is_free_for(army, node) and node not in self.nodes_entered_from(army, opponent) else ""

    def own_free_neighbours(self, army: Army, foe: str, but: str = "") -> list[str]:
        """Neighbouring own nodes to which a beaten army may go, in natural order."""
        shut = self.nodes_entered_from(army, foe) | {but}
        return [n for n in self.map.neighbours(army.node, "road")
                if self.nodes[n].owner == army.faction and n not in shut and self.is_free_for(army, n)]

    def retreat_nodes(self, army: Army, foe: str) -> list[str]:
        """Where a beaten army may go: its previous position, else neighbouring own nodes; [] for nowhere."""
        back = self.previous_position(army, foe)
        return [back] if back else self.own_free_neighbours(army, foe)

    def go_back(self, army: Army, to: str, rule: str) -> None:
        """Move an army back. This is no march: no hand, no new arrival, borders do not matter (rulebook: Ways back)."""
        frm = army.node
        if not self.nodes[to].land:
            fleet = self.ship_at(army, to)
            if fleet is None:  # somebody else took the ship
                self.lose_army(army, "no retreat", rule)
                return
            self.load(fleet, army)
            self.tell("army.embarked", rule=rule, army=army.army, fleet=fleet.fleet)
        else:
            # going back takes the last node off the trail; a retreat elsewhere leaves no way further back
            army.trail = " ".join(army.nodes_back[:-1]) if army.nodes_back[-1:] == [to] else ""
        army.node = to
        self.tell("army.retreated", rule=rule, army=army.army, faction=army.faction, frm=frm, to=to)

    def follow_armies(self, envoy: Army, armies: list[Army], rule: str) -> None:
        """An envoy follows the first of the armies that is not aboard: a ship has room for the army alone."""
        ashore = (a for a in armies if a.army in self.armies and a.posture == "field")
        goal = next((a.node for a in ashore), envoy.node)
        if goal != envoy.node:
            self.go_back(envoy, goal, rule)

    def first_spring(self) -> bool:
        """Whether this is the spring in which the campaign begins."""
        first = self.desk.first_spring
        return first == "yes" if first else self.year == self.desk.start_year


def percent_up(value: int, percent: int) -> int:
    """A percentage rounded up to whole ducats: losses, dues, interest (rulebook: Rounding)."""
    return -(-value * percent // 100)


def arrival_key(army: Army) -> tuple[int, int, int]:
    """Sort key: when an army entered its node (year, round, number)."""
    return army.arrived_year, army.arrived_round, army.arrived_no


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """What else places are called, and a nation by its people, ruler or state."""
    for node in campaign.table(Node):
        for name in VOCABULARY["places"].get(node.name, ()):
            yield name, Node, node.node
    for code, names in VOCABULARY["nations"].items():
        for name in names if code in campaign.table(Faction) else ():
            yield name, Faction, code


# What all orders share: seasons, finding codes, columns, the chest (rulebook: Orders).


INCOME, SPRING, SUMMER = "income", "budget", "summer"
IN_SPRING, IN_SUMMER, IN_BOTH = (SPRING,), (SUMMER,), (SPRING, SUMMER)

SAYS = {
    "unknown_verb": role("GIG-001", "verb", verb="word", phase="phase", list="list", why="why"),
    "wrong_time": role("GIG-002", verb="verb", phase="phase", times="times", when="when", why="why"),
    "no_such_unit": role("GIG-003", unit="word", list="list", near="near"),
    "not_yours": role("GIG-004", unit="word"),
    "no_such_place": role("GIG-005", node="word", near="near"),
    "replaced": role("GIG-006", "order", order="order"),
    "not_an_amount": role("GIG-007", amount="word"),
    "several_there": role("GIG-008", n="n", node="node", list="list"),
    "none_there": role("GIG-009", node="node"),
    "no_such_partner": role("GIG-010", partner="word"),
    "not_understood": role("GIG-011", text="text"),
    "twins": role("GIG-013"),
    "overdrawn": role("GIG-020", cost="cost", left="left"),
}
"""Il Giglio's codes of the findings that every ruleset has."""

FINDINGS = (
    Message("GIG-001", "error",
            both("'{verb}' is not an order. Choose one from the list.",
                 "'{verb}' non è un ordine. Scegline uno dall'elenco."),
            ("why",
             {"word": both("'{verb}' is not an order of {phase}. Use one of: {list}.",
                           "'{verb}' non è un ordine della fase «{phase}». Usa uno di questi: {list}.")})),
    Message("GIG-002", "error",
            both("{verb} can be ordered in spring and in the rounds of summer, not in {phase}. Move the row there.",
                 "L'ordine {verb} si può dare in primavera e nelle fasi d'estate, non in {phase}. Sposta lì la riga."),
            ("times why",
             {"budget": both("{verb} can be ordered in spring only, not in {phase}. Move the row to spring, or "
                             "delete it.",
                             "L'ordine {verb} si può dare solo in primavera, non in {phase}. Sposta la riga in "
                             "primavera, oppure cancellala."),
              "summer": both("{verb} can be ordered in the rounds of summer only, not in {phase}. Move the row to a "
                             "round.",
                             "L'ordine {verb} si può dare solo nelle fasi d'estate, non in {phase}. Sposta la riga "
                             "in una di quelle."),
              "time": both("{verb} cannot be ordered in {phase}. It can be ordered next in {when}: give it for that.",
                           "L'ordine {verb} non si può dare in {phase}. La prossima volta si può dare in: {when}. "
                           "Dallo per allora."),
              "no time": both("{verb} cannot be ordered in {phase}, nor in any phase to come. Delete the row.",
                              "L'ordine {verb} non si può dare in {phase}, né in un'altra fase che verrà. "
                              "Cancella la riga.")})),
    Message("GIG-003", "error", both("No unit {unit}. Your units: {list}.", "Nessuna unità {unit}. Le tue: {list}.")),
    Message("GIG-004", "error",
            both("{unit} is not yours. Name one of your units.", "{unit} non è tua. Indica una tua unità.")),
    Message("GIG-005", "error",
            both("'{node}' is not on the map. Did you mean {near}?", "'{node}' non è sulla mappa. Intendevi {near}?")),
    Message("GIG-006", "warning",
            both("Replaced by your later row {order}. Delete one of the two.",
                 "Sostituito dalla tua riga successiva {order}. Cancella una delle due.")),
    Message("GIG-007", "error",
            both("'{amount}' is not a whole number of ducats of 1 or more. Type one, without a point or comma in it.",
                 "'{amount}' non è un numero intero di ducati, da 1 in su. Scrivine uno, senza punti né virgole."),
            ("what",
             {"year": both("'{amount}' is not a year. Type the last year of the treaty as a number, or leave it "
                           "blank.",
                           "'{amount}' non è un anno. Scrivi in cifre l'ultimo anno del patto, oppure lascia "
                           "vuoto."),
              "no year": both("A treaty cannot end in {amount}, which is past or too far off. Type its last year, or "
                              "leave it blank.",
                              "Un patto non può finire nel {amount}: è un anno passato o troppo lontano. Scrivi "
                              "il suo ultimo anno, oppure lascia vuoto.")}), means={"amount": "text"}),
    Message("GIG-008", "ambiguous",
            both("{n} of your armies are {node:at}: {list}. Name the army.",
                 "{node:dove} hai {n} {n?armata|armate}: {list}. Indica l'armata.")),
    Message("GIG-009", "error",
            both("You have no army {node:at}. Check the first coordinate.",
                 "Non hai armate {node:dove}. Controlla la prima coordinata."),
            ("node",
             {"": both("Neither an army nor a place stands in the row. Name the army.",
                       "Nella riga non ci sono né un'armata né un luogo. Indica l'armata.")})),
    Message("GIG-010", "error",
            both("'{partner}' is not a faction that you can deal with. Use a code from Factions.",
                 "'{partner}' non è una fazione valida. Usa una sigla di Fazioni."), certain=True),
    Message("GIG-011", "error",
            both("'{text}' was not understood. Write for example 'V8 F7'.",
                 "'{text}' non è chiaro. Scrivi per esempio 'V8 F7'.")),
    Message("GIG-013", "warning",
            both("Two identical purchases: both will be made. Delete one if not meant.",
                 "Due acquisti identici: si fanno entrambi. Cancellane uno se non voluto.")),
    Message("GIG-020", "error",
            both("This costs {cost} and only {left} {left?ducat is|ducats are} left at this row. Lower it or change "
                 "the order of rows.",
                 "Costa {cost}, ma a questa riga {left?resta|restano} {left} {left?ducato|ducati}. Riduci la spesa "
                 "o cambia l'ordine delle righe.")),
    Message("GIG-100", "error", both("'{answer}' is not one of {options}.", "'{answer}' non è fra {options}.")),
)
"""Their words, and those for an answer that is none of the options."""

SHAPES = Shapes(unit=r"[A-Za-z]{1,3}-[FSfs]?\d+", place=r"[A-Za-z]{1,3}\d+")
FILLERS = ("da", "dal", "dalla", "from", "a", "ad", "to", "verso", "via", "per", "muovi", "move", "muove", "moves",
           "armata", "l'armata", "army", "in", "al", "alla", "at", "il", "la", "the", "di", "of", "del", "con",
           "with", "contro", "against", "until", "fino", "ducati", "ducats", "ducato", "ducat", "e", "and", "nodo",
           "node")
"""Words of a line that are ignored (rulebook: Orders in words)."""

PURSE = Purse(whose=lambda war, request: request.faction,
              left=lambda war, faction: war.factions[faction].treasury - war.plan.set_aside.get(faction, 0),
              unit=both("ducats", "ducati"))
"""The chest, less what was bid in the auction."""


@dataclass(eq=False, repr=False, kw_only=True)
class Ducats(Amount):
    """Ducats."""

    counted: Sequence[str] | None = VOCABULARY.group("ducats")


def check_soldiers(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse a diplomat, who has no men (GIG-046)."""
    if not army.is_army:
        raise Refused("GIG-046", field, unit=army.army)


def check_not_aboard(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse an army aboard a fleet (GIG-058)."""
    if army.posture == "aboard":
        raise Refused("GIG-058", field, unit=army.army, fleet=army.fleet)


def _is_ashore(army: Army) -> bool:
    return army.posture != "aboard"


ARMY = OwnUnit(Army, known=_is_ashore)
"""An own marker by its code; a finding never reveals other factions' markers that are aboard."""
ACTING_ARMY = replace(ARMY, at=("path", "target"), standing=_is_ashore,
                      free=lambda war, army: army.army not in war.plan.columns)
"""An own marker, or the only one at the start of the path or at the target; new detachments do not count."""
ACTING_FLEET = OwnUnit(Fleet, at=("path",), like="{faction}-F1")


def soldiers_column(kind: OwnUnit, *then: ColumnCheck) -> OwnUnit:
    """The same kind of column, for armies proper only."""
    return replace(kind, then=(check_soldiers, *then))
