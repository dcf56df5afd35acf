"""The board of a phase of the day: orders by unit, marching, the order of march, retreats (6, 8.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.campaign.hexmap import direction, step, turn_direction
from assistant.campaign.map import affordable_path
from assistant.campaign.records import ALL, names_held
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy.changes import Changes
from assistant.rulesets.anarchy.realm import Way, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Place, Prisoners, Sighting, Train
from assistant.rulesets.anarchy.tables import MARCHING_FIRST, SEASON_MOVE
from assistant.turn.dice import PUBLIC
from assistant.turn.game import Game
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import Verb
from assistant.turn.orders.words import fold
from assistant.turn.rulings import ordered

MarchingUnit = Army | Convoy | Train


def is_mounted(army: Army) -> bool:
    """Whether a group has only knights and nobles (its cavalry counter is public)."""
    return army.men == army.knights


STRAIGHT_FIRST = (0, 1, -1, 2, -2, 3)
BACK, WIDE = (0, 1, -1), (2, -2, 3)


class Field(Changes):
    """One run of one phase of the day."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.taken: dict[str, Army | Convoy | Place | Train] = {}
        """The acting unit of each accepted row of orders, by the order's code."""
        self.wishes: dict[str, tuple[str, Request]] = {}
        """Where each group wants to eat (place, convoy or none), with its row of orders."""
        self.purses: dict[str, int] = {}
        """What is left of the morning's money for ransoms, by group."""
        self.carried: dict[tuple[str, str], int] = {}
        """Points carried today, by convoy and place."""
        self.made: set[str] = set()
        """Places at which a convoy was made today."""
        self.given_up: set[str] = set()
        """Castles that surrender by order."""
        self.moves: dict[str, Request] = {}
        self.ways: dict[str, tuple[str, Way]] = {}
        """Each ordered march: its start when the orders were read, and its way."""
        self.acts: dict[str, list[Request]] = {}
        self.moments: dict[str, str] = {}
        """The hex of each act, by the order's code; "" for the last of the march."""
        self.lifts: dict[str, Request] = {}
        self.sallies: dict[str, Request] = {}
        self.wanted: dict[str, tuple[int, int]] = {}
        """Recruits ordered today at each place: light foot and peasants."""
        self.recruited: dict[str, tuple[int, int]] = {}
        """Recruits who came today, by place."""
        self.staying: set[str] = set()
        """Groups that do not march today."""
        self.march: list[str] = []
        self.heading: dict[str, str] = {}
        self.arrivals: dict[str, int] = {}
        self.visited: set[tuple[str, str]] = set()
        """Which unit has been on which hex today."""
        self.met: set[frozenset[str]] = set()
        """Pairs that have met today: two groups, or a group and a convoy or train."""
        self.spent: set[str] = set()
        self.fought: list[str] = []
        self.numbers_unsure = False
        """Whether a waiting unit may fight first, so that the next battle's number is unknown."""
        self.leg: dict[str, list[str]] = {}
        """The hexes of each unit's march since its last event."""

    # --- orders -----------------------------------------------------------------------------
    def ordered(self, army: Army, verb: str, other: MarchingUnit) -> Request | None:
        """A group's order of that verb about the unit that it meets here, if it is not used up."""
        return next((act for act in self.acts.get(army.army, []) if act.verb == verb
                     and act.row.status in ("", "accepted") and act.node in ("", army.node)
                     and fold(act.target) in map(fold, (other.ident, *names_held(other)))), None)

    def meets(self, army: Army, other: Army | Convoy | Train) -> None:
        """Note that two met, so that orders about each other have had their chance."""
        self.met.add(frozenset((army.army, other.ident)))

    def due(self, army: Army, verbs: Iterable[Verb], here: str, last: bool) -> Iterator[Request]:
        """A group's rows of some verbs, in sequence, for a hex of its march or the `last` one, while it can act."""
        for verb in verbs:
            for request in self.acts.get(army.army, []):
                at = self.moments[request.row.order]
                meant = request.verb == verb.en and not request.row.status and (at == here if at else last)
                if meant and self.able(army):
                    yield request

    def limited(self, army: Army) -> str:
        """Why a unit may only pass: a lone noble, unarmed, an escort; "" for all others (ANA-011)."""
        if self.lone(army):
            return "a lone noble"
        if army.unarmed:
            return "unarmed"
        return "an escort" if self.escorted(army) else ""

    def able(self, army: Army, node: str = "") -> bool:
        """Whether a unit may go on with its activation (on that hex, if one is named)."""
        return (army.active and army.army not in self.spent and not self.attached(army) and node in ("", army.node))

    def spend(self, *armies: Army) -> None:
        """End the day of groups that have fought, refused, shut themselves in or joined."""
        for army in armies:
            self.spent |= {a.army for a in self.stack(army)}

    # --- marching ---------------------------------------------------------------------------
    def step(self, army: Army, there: str) -> None:
        """Take one step of a march with all that the group leads."""
        start, was_inside = army.node, army.inside
        self.go(army, there)
        if was_inside:
            self.tell("entered", unit=army.army, place=was_inside, way="left")
        self.heading[army.army] = direction(start, there)
        self.visited |= {(army.army, start), (army.army, there)}
        self.arrivals[army.army] = len(self.arrivals) + max(self.arrivals.values(), default=0) + 1
        self.leg.setdefault(army.army, [start]).append(there)

    def say_leg(self, unit: Army | Convoy | Train) -> None:
        """Tell a unit's march since the last stop."""
        leg = self.leg.pop(unit.ident, [])
        if leg:
            self.tell("moved", unit=unit.ident, path=" ".join(leg))

    def look_round(self, army: Army) -> None:
        """A group that enters a hex and those of other sides there see each other (rulebook: Who may know what)."""
        for viewer, seen in (pair for other in self.at(army.node) for pair in ((army, other), (other, army))):
            side = self.side(viewer.faction)
            if side in (NEUTRAL, self.side(seen.faction)):
                continue
            row = Sighting(viewer=side, turn=self.day, army=seen.army, node=seen.node, heads=self.heads(seen),
                           men=show_ranks(seen.ranks), nobles=" ".join(n.noble for n in self.with_them(seen)))
            if row.ident in self.sightings:
                self.sightings.remove(row.ident)
            self.sightings.add(row)

    def marching(self, armies: Iterable[Army]) -> list[Army]:
        """Groups in the order of march; those outside it come last."""
        return sorted(armies, key=lambda a: self.march.index(a.army) if a.army in self.march else len(self.march))

    # --- how far, and in which order ------------------------------------------------------
    def count_horsemen(self) -> None:
        """Set the cavalry counters of groups that have only knights."""
        for army in self.armies:
            army.cavalry = army.active and army.men > 0 and is_mounted(army)

    def points_today(self, unit: MarchingUnit) -> int:
        """Movement points of a unit today, in sequence (rulebook: 8.3 Movement)."""
        if not isinstance(unit, Army):
            return self._seasonal(self._pace(unit))
        rules, members = self.rules, self.stack(unit)
        together = [*members, *self.led_goods(unit), *self.escorted(unit)]
        points = self._seasonal(min(self._pace(row) for row in together))
        if any(self.hurt(a) for a in members):
            points = max(1 if rules.wounded_floor == "min1" else 0, points + rules.wounded_move)
        if any(a.starving for a in members):
            points = max(1, points * rules.hunger_move // 100)
        return points

    def _pace(self, row: MarchingUnit | Prisoners) -> int:
        """Daily march of one group, convoy, train or record of captives by itself."""
        rules = self.rules
        if isinstance(row, Convoy):
            return rules.move_convoy
        if isinstance(row, Train):
            return rules.engine_move
        if isinstance(row, Army) and self.lone(row):
            return rules.move_lone_noble
        mounted = isinstance(row, Army) and row.men and is_mounted(row)
        return rules.move_cavalry if mounted else rules.move_foot

    def _seasonal(self, base: int) -> int:
        """Movement points after the season, at least 1; a diced season is read from the opening's event."""
        season: str = self.rules.season
        if self.rules.season_scope == "foot" and base > self.rules.move_foot:
            return base
        if season == "roll":
            told = [str(e.data.get("season", "")) for e in self.events if e.event == "season"]
            season = next((word for word in reversed(told) if word in SEASON_MOVE), "summer")
        return max(1, base + SEASON_MOVE[season])

    def cheapest(self, start: str, goals: Iterable[str]) -> list[str]:
        """The cheapest way to any of some hexes: least cost, fewest hexes, smallest codes; [] for none."""
        return list(self.hexes.way(start, goals, self.step_cost))

    def reach(self, start: str, path: Iterable[str], points: int) -> list[str]:
        """The part of a path that the points pay for."""
        return affordable_path(start, path, points, self.step_cost)

    # --- the order of march ---------------------------------------------------------------
    def order_of_march(self, sallying: Iterable[str]) -> list[str]:
        """Ids of all units in the order of activation (M2). `sallying`: castles that are ordered to sally."""
        units = [(a.army, self.prestige(a), self.stack_heads(a), self.side(a.faction)) for a in self.active()
                 if not self.attached(a)]
        for place in map(self.places.__getitem__, sallying):
            lords = self.in_garrison(place)
            fame, heads = max((n.prestige for n in lords), default=-1), place.garrison + len(lords)
            units.append((place.place, fame, heads, place.holder))
        ranks: dict[tuple[int, int], dict[str, list[str]]] = {}
        sizes = {unit: heads for unit, _, heads, _ in units}
        for unit, prestige, heads, side in units:  # nobles come first, by prestige; what has no noble (-1) by heads
            diced = prestige >= 0 and self.rules.order_tie == "dice"  # inside a side; between sides the larger is first
            ranks.setdefault((-prestige, 0 if diced else -heads), {}).setdefault(side if diced else "", []).append(unit)
        order: list[str] = []
        for _, sides in sorted(ranks.items()):
            queues = [self._diced(tied) for tied in sides.values()]
            while queues:
                most = max(sizes[queue[0]] for queue in queues)
                order += self._diced([queue[0] for queue in queues if sizes[queue[0]] == most])[:1]
                queues = [left for queue in queues if (left := [unit for unit in queue if unit != order[-1]])]
        goods: list[Train | Convoy] = [*self.trains, *self.convoys]
        return [*order, *(row.ident for row in goods if row.state == "active" and not row.escort)]

    def _diced(self, tied: list[str]) -> list[str]:
        """Units in the order of one die each; a single unit throws none, and where none may be thrown they keep theirs,
        which makes no difference to those with whom nobody interferes.
        """
        tied = sorted(tied, key=natural)
        if len(tied) < 2 or self.game.dice.shut:
            return tied
        return ordered(tied, lambda unit: self.throw(MARCHING_FIRST, PUBLIC, unit))

    def march_targets(self, company: Army) -> list[Army]:
        """The nearest Norman groups of either side to unhired mercenaries, by id; several where equally near."""
        groups = [a for a in self.active() if not a.mercenary and self.side(a.faction) != NEUTRAL
                  and not a.inside and not self.lone(a)]
        near = min((self.apart(company.node, a.node) for a in groups), default=99)
        return [a for a in groups if self.apart(company.node, a.node) == near]

    # --- off a hex ------------------------------------------------------------------------
    def back_away(self, army: Army, towards: str) -> None:
        """A group backs into the first empty neighbouring hex, straight on first; without one it stays.

        It throws no dice, loses no prestige and keeps its activation. `towards`: the other's direction, "" if it stood.
        """
        around = (step(army.node, turn_direction(towards or "N", turn)) for turn in STRAIGHT_FIRST)
        free = next((there for there in around if self.empty(there)), "")
        if free:
            self.go(army, free)
        self.tell("backed_away", x=army.army, hex=free)

    def empty(self, node: str) -> bool:
        """Whether a hex of the map has no group outside a castle, and no castle."""
        return node in self.hexes and all(a.inside for a in self.at(node)) and self.castle_at(node) is None

    def go(self, army: Army, node: str) -> None:
        """Move a group to another hex, out of castle and siege; men in care stay behind."""
        if army.node != node:
            self.leave_in_care(army)
        for unit in self.stack(army):
            unit.inside = unit.besieging = ""
        self.bring(army, node)

    def leave_in_care(self, army: Army) -> None:
        """Leave men in care behind in their place; the group no longer counts them (15.7)."""
        for unit in self.stack(army):
            for row in self.hurt(unit, "in_care"):
                row.army = ""
                if row.noble:
                    noble = self.nobles[row.noble]
                    noble.army, noble.place = "", row.place
                    self.lead(unit)
                else:
                    unit.gain(row.rank, -1)
                self.keep_core(unit)
                self.tell("left_in_care", who=row.noble or row.wounded, place=row.place)

    # --- retreat (15.6) -------------------------------------------------------------------
    def legal(self, army: Army, node: str) -> bool:
        """Whether a group may retreat to a hex: no hostile castle, and no hostile group outside castles."""
        friends = (self.side(army.faction), NEUTRAL)
        return (node in self.hexes and all(a.inside or self.side(a.faction) in friends for a in self.at(node))
                and all(self.side_of_place(p) in friends for p in self.places_at(node) if p.castle))

    def retreats(self, armies: list[Army], towards: str, first: str = "") -> list[str]:
        """Groups of one side retreat, each the way it came or one direction beside, else in one of the other three.

        Their side chooses for all at once: friends do not block each other. `towards`: the opponent's direction;
        `first`: used instead of the way it came. Returns the hexes, "" for a group that cannot retreat.
        """
        ways = []
        for army in armies:
            start = first or direction(army.node, army.came_from) or towards or "S"
            around = (
                [there for turn in turns if self.legal(army, there := step(army.node, turn_direction(start, turn)))]
                for turns in (BACK, WIDE)
            )
            ways.append(next(filter(None, around), [""]))
        asked = {army.army: self.question("retreat", army.faction, f"{army.army}/{army.node}", options, options[0],
                                          unit=army.army, hex=army.node)
                 for army, options in zip(armies, ways, strict=True)
                 if len(options) > 1 and self.side(army.faction) != NEUTRAL}
        chosen = dict(zip(asked, self.game.choose_all(list(asked.values())), strict=True))
        goals = [chosen.get(army.army, options[0]) for army, options in zip(armies, ways, strict=True)]
        for army, goal in zip(armies, goals, strict=True):
            if goal:
                self.go(army, goal)
                self.tell("retreated", x=army.army, hex=goal)
        return goals

    def surrender_group(self, army: Army, captor: str, taker: Army | None, battle: str = "",
                        record: Prisoners | None = None) -> Prisoners:
        """A group that cannot retreat is captured whole, with its nobles (15.6). Returns the record of captives."""
        into = record or self.new_captives(army.faction, captor, taker, army.node, battle)
        self.take_unit(army, into)
        self.take_purse(army, taker)
        self.remove_group(army, "captured", taker.faction if taker is not None else "")
        self.tell("no_retreat", x=army.army)
        return into

    def lost_to(self, loser: Army, taker: Army) -> None:
        """Without a battle the other group takes all that a group led, as it is (15.5)."""
        parties = self.both(self.side(taker.faction), self.side(loser.faction)) or ALL
        for row in self.led_goods(loser):
            self.fall_to(taker, row, "take")
            row.node = taker.node
            self.tell("prize", parties, rule="15.5", x=row.ident, group=taker.army, choice="take")

    @staticmethod
    def fall_to(army: Army, row: Convoy | Train, choice: str) -> None:
        """A convoy or train is burnt, or belongs to a group from now on; the caller tells it."""
        if choice == "burn":
            row.state, row.escort = "destroyed", ""
        else:
            row.faction, row.escort = army.faction, army.army

    def take_unit(self, unit: Army | Place, into: Prisoners | None) -> None:
        """All men and nobles of a group or garrison become captives; without a record the men are gone."""
        nobles = self.nobles_of(unit)
        self.take_men(unit, into)
        if into is not None:
            for noble in nobles:
                self.take_noble(noble, into)
