"""Phase 2: initiative, moves on land and water, contacts (2)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

from assistant.campaign.columns import ordinal_number
from assistant.campaign.tables import natural
from assistant.rulesets.warriors.land import (
    RIVER,
    Country,
    codes_of_rows,
    default_place,
    legal_squares,
    owe_will_test,
    remove_force,
    remove_if_empty,
    wound_figures,
)
from assistant.rulesets.warriors.numbers import (
    COUNTER_MARCH,
    CROSSING,
    DESERTER_CROSSING,
    INITIATIVE,
    MOVE,
    ONE_LINE,
    QUALITY_CROSSING,
    SAIL,
    WIND,
    WIND_WEATHER,
    WOUNDED_CROSSING,
)
from assistant.rulesets.warriors.orders import LANDS, Voyage, are_natives_spared, check_voyage, path_of_march, take_rows
from assistant.rulesets.warriors.records import Army, Battle, BattleArmy, BattleUnit, Boat, Unit
from assistant.turn.dice import RangeTable, Throw
from assistant.turn.game import Game, free_name
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import refuse
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest, Score, Trial, nonzero_modifiers

# The board of phase 2: who has moved, who is in contact, who came when.


class MovementBoard(Country):
    """The board of phase 2, with what holds only while it is played.

    `requests`: the rows that count; `sequence`: the factions in the order of initiative; `moved`: Forces that have
    left their square; `tried`: those that have tried a counter-march; `contacts`: square -> Forces in contact there,
    `attackers`: and the factions that made it, the first one first; `arrived`: Force -> the number of its
    arrival, counted over all Forces.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.requests: list[Request] = []
        self.sequence: list[str] = []
        self.moved: set[str] = set()
        self.tried: set[str] = set()
        self.contacts: dict[str, list[str]] = {}
        self.attackers: dict[str, list[str]] = {}
        self.arrived: dict[str, int] = {}
        self._steps = 0

    def enter(self, army: Army, node: str) -> None:
        """A Force enters a square: it counts among the arrivals."""
        self._steps += 1
        self.arrived[army.army] = self._steps
        self.moved.add(army.army)
        army.node = node

    def in_contact(self, army: Army) -> bool:
        """Whether a Force is in contact this phase."""
        return army.army in self.contacts.get(army.node, ())

    def third_party(self, army: Army, node: str) -> bool:
        """Whether two Forces that are hostile to each other stand in a square, and the mover is hostile to both or to
        neither.
        """
        there = self.at(node)
        return any(self.hostile(a.faction, b.faction)
                   and self.hostile(a.faction, army.faction) == self.hostile(b.faction, army.faction)
                   for a in there for b in there)


# Meeting hostile Forces: collapse, counter-march, contact (2 movement).


def collapse(land: MovementBoard, army: Army, by: str) -> None:
    """Remove a routed Force that is contacted; by switch that is a reason for a test of the will."""
    if land.rules.will_trigger == "any_force":
        owe_will_test(land, army.faction, f"force_lost:{army.army}")
    remove_force(land, army, "lost", "collapsed", "2 movement", why="collapsed", by=by)


def meet_enemies(land: MovementBoard, mover: Army, node: str) -> None:
    """A Force enters a square with hostile ones, who collapse, counter-march or stay, in order of id."""
    stayed: list[Army] = []
    for foe in land.foes_at(node, mover.faction):
        if foe.reaction == "routed":
            collapse(land, foe, mover.army)
        elif not _counter_marches(land, foe, mover, node):
            stayed.append(foe)
    land.enter(mover, node)
    if not stayed:
        return
    friends = [army.army for army in land.at(node) if land.friendly(army.faction, mover.faction)]
    land.attackers.setdefault(node, []).append(mover.faction)
    there = land.contacts.setdefault(node, [])
    there += [friend for friend in [*(foe.army for foe in stayed), *friends] if friend not in there]
    land.tell("contact", node=node, attacker=mover.army, defenders=[foe.army for foe in stayed])


def _counter_marches(land: MovementBoard, foe: Army, mover: Army, node: str) -> bool:
    """Let an attacked Force try to step back, once, with a die and its V.C.; return whether it did."""
    rules = land.rules
    if (rules.counter_march == "off" or land.order(foe) == "defend" or foe.aboard or land.in_contact(foe)
            or foe.army in land.tried or foe.on_contact == "fight"):
        return False
    ways = [square for square in legal_squares(land, foe, boats=False) if square != mover.node]
    ask = Ask("counter-march", foe.faction, foe.army, ("yes", "no"), "no",
              {"attacker": mover.army, "army": foe.army, "node": node})
    if not ways or (foe.on_contact != "counter_march" and land.game.choose(ask) != "yes"):
        return False
    land.tried.add(foe.army)
    dice = land.score(COUNTER_MARCH(foe.army), {
        "V.C.": land.vc(foe), "unsteady": rules.counter_march_unsteady if foe.reaction == "unsteady" else 0},
        land.own(foe.faction))
    if not dice.at_least(rules.counter_march_tn):
        land.told("counter_march_failed", foe, roll=dice, node=node, total=dice)
        return False
    to = foe.retreat_to if foe.retreat_to in ways else default_place(land, foe, ways)
    land.enter(foe, to)
    land.went("counter_marched", foe, node, roll=dice, to=to, total=dice)
    return True


# Crossing jungle, desert and waste; tests of the fallen and the runaways, which other chapters share.
#
# See 2 crossing, 4 wounded, 4 deserters.


FigureThrow = Callable[[int], Throw]
"""The throw for the i-th figure."""


# --- figures by dice ------------------------------------------------------------------------------
def saving_test(land: Country, throw: Throw, mods: dict[str, int], least: int, known: list[str] | str) -> Trial:
    """The test that saves a figure by its total; by switch a natural 1 never does, a natural 6 always."""
    return Trial(land.roll(throw, known), nonzero_modifiers(mods), least,
                 natural=(1, 6) if land.rules.natural_first == "before" else None)


def test_wounded(land: Country, faction: str, node: str, count: int, throw: FigureThrow,
               known: list[str] | str) -> tuple[int, list[Trial]]:
    """How many of the fallen are only wounded, and their dice. `node`: "" if territory does not count."""
    rules = land.rules
    mods = land.by_territory(node, faction, rules.wound_friendly, rules.wound_enemy) if node else {}
    dice = [saving_test(land, throw(n), mods, rules.wound_ok, known) for n in range(1, count + 1)]
    return sum(trial.passed for trial in dice), dice


def quality_modifier(
    land: Country, unit: Unit, throw: Throw, known: list[str] | str
) -> tuple[dict[str, int], list[Score]]:
    """The modifier of a Unit's quality in tests for deserters; an unpredictable one throws a die."""
    rules = land.rules
    if unit.quality != "unpredictable":
        key = "poor_mod" if unit.quality == "poor" else f"q_{unit.quality}"
        return {unit.quality: int(rules.values().get(key, 0))}, []
    dice, sign, rest = rules.q_unpredictable.replace(" ", "").replace("-", " - ").replace("+", " + ").partition(" ")
    more = int(rest.replace(" ", "")) if sign else 0
    score = land.score(Throw(throw.key, dice), {"quality": more}, known)
    return {unit.quality: score.total}, [score]


def test_deserters(land: Country, mods: dict[str, int], numbers: range, throw: FigureThrow, known: list[str] | str, *,
                 routed: bool) -> tuple[int, list[Trial]]:
    """How many of some figures desert, and their dice."""
    rules = land.rules
    whole = {**mods, "routed": rules.desert_routed if routed else 0}
    dice = [saving_test(land, throw(n), whole, rules.desert_ok, known) for n in numbers]
    return sum(not trial.passed for trial in dice), dice


# --- the wilds ------------------------------------------------------------------------------------
def reset_crossing_losses(land: MovementBoard) -> None:
    """Reset the count of crossing losses of Forces that are out of the wilds."""
    for army in land.active():
        if army.ashore and not land.wilds(army.node):
            units = [unit for unit in land.units_of(army.army) if unit.crossing_lost]
            for unit in units:
                unit.crossing_lost = 0
            if units:
                land.tell("out_of_wilds", army=army.army)


def cross_at_start(land: MovementBoard) -> None:
    """With crossing_per = turn: test each Force that begins the phase in a wild square."""
    if land.rules.crossing_count == "turn":
        for unit in land.units:
            if unit.crossing_lost:
                unit.crossing_lost = 0
    if land.rules.crossing_per == "turn":
        for army in land.active():
            if army.ashore and land.wilds(army.node):
                _cross_square(land, army, army.node, 1)


def cross_after_move(land: MovementBoard, army: Army, entered: list[str]) -> None:
    """Test the wild squares that a Force has entered, one after the other; by switch only the last."""
    wild = [node for node in entered if land.wilds(node)]
    if land.rules.crossing_per == "move":
        wild = wild[-1:]
    if land.rules.crossing_per != "turn":
        for n, node in enumerate(wild, 1):
            if army.active:
                _cross_square(land, army, node, n)


def _cross_square(land: MovementBoard, army: Army, node: str, n: int) -> None:
    crossing = [
        unit for unit in land.units_of(army.army) if unit.figures and not are_natives_spared(land, unit.native_of, node)
    ]
    for unit in crossing:
        _cross_unit(land, army, unit, node, n)
    if crossing:  # a commander alone has nobody to lose
        remove_if_empty(land, army, "2 crossing")


def _cross_unit(land: MovementBoard, army: Army, unit: Unit, node: str, n: int) -> None:
    """The losses of a Unit, some only wounded; above a share of them the others are tested for desertion."""
    rules, own = land.rules, land.own(army.faction)
    before = unit.figures
    die = land.score(CROSSING(unit.unit, n, dice=rules.crossing_die), {"crossing": -rules.crossing_minus}, own)
    lost = min(max(0, die.total), unit.figures)
    hurt, dice = test_wounded(land, army.faction, node if rules.crossing_territory == "on" else "", lost,
                            lambda i: WOUNDED_CROSSING(unit.unit, n, i, dice=rules.wound_die), own)
    unit.figures -= lost
    unit.crossing_lost += lost
    wound_figures(land, unit, hurt)
    land.told("crossing_losses", army, roll=[die, *dice], unit=unit.unit, node=node,
              terrain=" ".join(land.wilds(node)), lost=lost, dead=lost - hurt, wounded=hurt)
    start = unit.figures_start if unit.figures_start is not None else before
    base = start if rules.crossing_base == "start" else before
    counted = start - unit.figures if rules.crossing_count == "all" else unit.crossing_lost
    if lost and unit.figures and 100 * counted > rules.crossing_pct * base:
        _test_desertion(land, army, unit, n)


def _test_desertion(land: MovementBoard, army: Army, unit: Unit, n: int) -> None:
    rules, own = land.rules, land.own(army.faction)
    mods, first = quality_modifier(land, unit, QUALITY_CROSSING(unit.unit, n), own)
    gone, dice = test_deserters(land, mods, range(1, unit.figures + 1),
                              lambda i: DESERTER_CROSSING(unit.unit, n, i, dice=rules.desert_die), own,
                              routed=army.reaction == "routed")
    unit.figures -= gone
    land.tell("deserted", roll=[*first, *dice], unit=unit.unit, army=army.army, count=gone)


# A move on land, square by square (2 movement).


def tell_refused(land: MovementBoard, army: Army, why: str, rule: str = "2 movement") -> None:
    """Tell that a row comes to nothing, without a die."""
    land.tell("move_refused", rule=rule, army=army.army, node=army.node, why=why)


def why_not_move(land: MovementBoard, army: Army) -> str:
    """Why a Force cannot move at all; "" if it can."""
    if not army.active:
        return "gone"
    if land.order(army) == "defend":
        return "defend"
    if land.in_contact(army):
        return "in contact"
    return "counter-marched" if army.army in land.tried else ""


def march(land: MovementBoard, request: Request, army: Army) -> None:
    """March: throw the die, then follow the path as far as it reaches and nothing stops the Force."""
    rules, start = land.rules, army.node
    path = path_of_march(army, request)[:rules.max_land]
    dice = land.thrown(MOVE, rules.move_die, march_modifiers(land, army, path), land.own(army.faction), army.army)
    army.guides = 0
    squares = RangeTable.rising("movement", (-99, "0"), (rules.mv_1, "1"), (rules.mv_2, "2"), (rules.mv_3, "3"))
    allowance = int(dice.row(squares))
    if not allowance:
        tell_too_slow(land, army, dice)
        return
    done, why = _walk(land, army, path, allowance)
    if done:
        land.went("moved", army, start, roll=dice, path=done, allowance=allowance, total=dice)
    if why:
        tell_cut_short(land, army, dice, done, why)
    cross_after_move(land, army, done)


def tell_too_slow(land: MovementBoard, army: Army, dice: Score, rule: str = "") -> None:
    """Tell that the die was too low."""
    land.told("move_none", army, rule, roll=dice, node=army.node, why="too slow", total=dice)


def tell_cut_short(land: MovementBoard, army: Army, dice: Score, done: list[str], why: str, rule: str = "") -> None:
    """Tell that something stopped a Force; with the die, unless another event has told it."""
    land.told("move_cut", army, rule, roll=None if done else dice, at=army.node, why=why)


def common_modifiers(land: MovementBoard, army: Army) -> dict[str, int]:
    """The modifiers of any movement die, by name: territory, reaction, order, guides."""
    rules = land.rules
    slow = army.reaction in ("unsteady", "routed")
    return {**land.by_territory(army.node, army.faction, rules.mv_friendly, rules.mv_enemy),
            army.reaction if slow else "reaction": rules.mv_reaction if slow else 0,
            "forced march": rules.mv_march if land.order(army) == "march" else 0, "guides": army.guides}


def march_modifiers(land: MovementBoard, army: Army, path: list[str]) -> dict[str, int]:
    """The modifiers of a march, from the square in which it starts."""
    rules, node = land.rules, land.nodes[army.node]
    ground = {terrain: land.map.terrain(terrain).land_mod for terrain in node.terrains}
    if ground and (rules.terrain_stack == "worst" or ground.keys() <= set(ONE_LINE)):
        worst = min(ground, key=lambda terrain: ground[terrain])
        ground = {worst: ground[worst]}
    road = land.on_road(army.node) if rules.road_bonus == "start" else bool(path) and land.on_road(army.node, path[0])
    weather = land.weather(army.node)
    heat = weather.weather == "heat" and set(ONE_LINE) & set(node.terrains)
    return {**ground, "river": rules.mv_river if land.map.river(army.node) else 0,
            "marsh": rules.mv_marsh if node.marsh else 0, "road": rules.mv_road if road else 0,
            **common_modifiers(land, army), weather.weather: 2 * weather.land_mod if heat else weather.land_mod}


def _walk(land: MovementBoard, army: Army, path: list[str], allowance: int) -> tuple[list[str], str]:
    """Walk the path; the squares entered, and what stopped the Force early."""
    done: list[str] = []
    reach = path[:allowance]
    for place, there in enumerate(reach):
        why = _why_stopped(land, army, there)
        if why:
            return done, why
        if land.foes_at(there, army.faction):
            meet_enemies(land, army, there)
            return [*done, there], ""
        land.enter(army, there)
        done.append(there)
        zone = land.in_zone(there, army.faction) if land.rules.zoc != "off" else []
        ahead = path[place + 1] if place + 1 < len(path) else ""
        if zone and not (land.rules.zoc == "through" and ahead in {other.node for other in zone}):
            return done, "zone of control" if place + 1 < len(reach) else ""
    return done, ""


def _why_stopped(land: MovementBoard, army: Army, there: str) -> str:
    """Why a Force stops before a square, in the book's order; "" if it does not."""
    closed = land.weather(there).fords_closed and land.rules.weather_closes_fords == "on"
    if closed and land.map.river(there) and not land.bridge(there):
        return "ford closed"
    if any(land.state(other.faction, army.faction) == "peace" for other in land.at(there)):
        return "peace"
    foes = land.foes_at(there, army.faction)
    if foes and army.reaction == "routed":
        return "routed"
    return "third party" if land.third_party(army, there) else ""


# A voyage, from square to square (2 naval).


def sail(land: MovementBoard, request: Request, army: Army) -> None:
    """Board, go by water as far as the die reaches, and land where ordered."""
    storm = not land.weather(army.node).sailing and request.path[0] not in LANDS
    voyage = None if storm else _voyage(land, request, army)
    if voyage is None:
        tell_refused(land, army, "storm" if storm else "boats", "2 naval")
    elif voyage.path:
        _sail_voyage(land, army, voyage)
    else:
        _land_here(land, army)


def _voyage(land: MovementBoard, request: Request, army: Army) -> Voyage | None:
    """The voyage as things stand now; None if the boats are gone or no longer fit."""
    findings = land.game.findings[:]
    with suppress(Refused):
        voyage = check_voyage(land, request, army)
        land.game.findings[:] = findings
        return voyage
    return None


def _land_here(land: MovementBoard, army: Army) -> None:
    """Land on the square where the Force is, without a die."""
    army.aboard = ""
    land.moved.add(army.army)
    land.told("landed", army, at=army.node)


def _sail_voyage(land: MovementBoard, army: Army, voyage: Voyage) -> None:
    rules, start, boards = land.rules, army.node, not army.aboard
    dice = land.thrown(SAIL, rules.move_die, sailing_modifiers(land, army, voyage), land.own(army.faction), army.army)
    army.guides = 0
    low = "1" if rules.naval_low == "as_text" else "0"
    reach = int(dice.row(RangeTable.rising("boats", (-99, low), (rules.sl_2, "2"), (rules.sl_3, "3"),
                                           (rules.sl_4, "4"))))
    far = dice.at_least(rules.sl_2)
    allowance = max(rules.embark_floor, reach - rules.embark_step) if far and boards else reach
    if not allowance:
        tell_too_slow(land, army, dice, "2 naval")
        return
    ashore = max(rules.embark_floor, allowance - rules.embark_step) if far else allowance
    done, why, landed = _sail_squares(land, army, voyage, allowance, ashore)
    if done:
        boat = land.boats[voyage.boat.boat]
        boat.node, army.aboard = army.node, "" if landed else boat.boat
        if landed:
            land.told("landed", army, at=army.node)
        land.went("sailed", army, start, "2 naval", roll=dice, boat=boat.boat, path=done, allowance=allowance,
                  total=dice)
    if why:
        tell_cut_short(land, army, dice, done, why, "2 naval")


def sailing_modifiers(land: MovementBoard, army: Army, voyage: Voyage) -> dict[str, int]:
    """The modifiers of a voyage: those of sea and lake, of rivers, or both, and those of any movement."""
    rules, weather = land.rules, land.weather(army.node)
    modifiers = {**common_modifiers(land, army), weather.weather: weather.sail_mod or 0}
    barges = 0
    if voyage.sea:
        modifiers |= _at_sea(land, army, voyage)
        both = rules.barge_stack == "both" or voyage.boat.kind != "ships"
        barges = rules.sl_barges if voyage.boat.barges and both else 0
    if voyage.river:
        modifiers |= _on_river(land, army, voyage)
        barges = rules.sl_barges if voyage.boat.barges else 0
    return {**modifiers, "barges": barges}


def _at_sea(land: MovementBoard, army: Army, voyage: Voyage) -> dict[str, int]:
    rules = land.rules
    squares = [army.node, *voyage.path]
    blows = rules.wind_roll == "each_move" or (
        rules.wind_roll == "weather" and land.weather(army.node).weather == WIND_WEATHER)
    wind = {}
    if blows:
        word = land.roll(WIND(army.army), land.own(army.faction)).row(
            RangeTable.rising("wind", (1, "contrary"), (3, "calm"), (4, "fair")))
        wind = {f"{word} wind" if word != "calm" else "calm": int(rules[f"sl_{word}"])}
    return {**wind, "reefs": rules.sl_reefs if any(land.nodes[square].reefs for square in squares) else 0,
            "small boats": rules.sl_small if voyage.boat.kind != "ships" else 0}


def _on_river(land: MovementBoard, army: Army, voyage: Voyage) -> dict[str, int]:
    rules = land.rules
    squares = [army.node, *voyage.path]
    links = [land.map.links.links(a, b, RIVER) for a, b in pairwise(squares)]
    links = [link for link in links if link]
    up = any(not link.along for way in links for link in way[:1])
    bridges = any(land.bridge(square) for square in squares[:1 + rules.bridge_span])
    return {"rapids": rules.sl_rapids if any(land.map.rapids(a, b) for a, b in pairwise(squares)) else 0,
            "upstream" if up else "downstream": rules.sl_up if up else rules.sl_down,
            "bridge": rules.sl_bridge if bridges else 0}


def _sail_squares(
    land: MovementBoard, army: Army, voyage: Voyage, allowance: int, ashore: int
) -> tuple[list[str], str, bool]:
    """Sail the path: the squares entered, what stopped the boats, and whether the Force is ashore."""
    lands = voyage.landing and ashore >= len(voyage.path)
    reach = list(voyage.path) if lands else list(voyage.path[:allowance])
    done: list[str] = []
    for place, there in enumerate(reach):
        landing = lands and place == len(voyage.path) - 1
        leaves = not landing and land.map.water(army.node) and not land.map.water(there)
        ends = voyage.landing and place == len(voyage.path) - 1
        if leaves and (ends or not _is_river_mouth(land, voyage.boat, army.node, there)):
            return done, "", False  # it would leave the water: it stops before
        why = _why_boats_stop(land, army, there, landing)
        if why:
            return done, why, False
        if landing and land.foes_at(there, army.faction):
            army.aboard = ""
            meet_enemies(land, army, there)
        else:
            land.enter(army, there)
        done.append(there)
    return done, "", lands


def _is_river_mouth(land: MovementBoard, boat: Boat, here: str, there: str) -> bool:
    return land.river_boats(boat) and land.map.navigable(here, there)


def _why_boats_stop(land: MovementBoard, army: Army, there: str, landing: bool) -> str:
    """Why boats stop before a square; on the last step of a landing hostile Forces mean contact."""
    others = [other for other in land.at(there) if not land.friendly(other.faction, army.faction)]
    if not landing:
        return "water held" if others else ""
    if any(land.state(other.faction, army.faction) == "peace" for other in others):
        return "peace"
    if others and army.reaction == "routed":
        return "routed"
    return "third party" if land.third_party(army, there) else ""


# Standing instructions and initiative (2 movement).


def write_standing_orders(land: MovementBoard) -> None:
    """Write rows `contact` to their Forces."""
    for request in land.requests:
        if request.verb == "contact":
            army = land.armies[str(request.more["army"])]
            to = str(request.more["to"])
            army.on_contact = str(request.more["stance"])
            # who stands in the square now does not matter: whether it is free is asked when the Force is attacked
            army.retreat_to = to if land.map.land_step(army.node, to) else ""
            land.told("instructed", army, stance=army.on_contact, to=army.retreat_to)


def initiative(land: MovementBoard) -> None:
    """1d6 and the chief's V.C. rank the factions; going down, each takes the lowest place free, or the highest."""
    factions = [row.faction for row in land.players() if any(army.faction == row.faction for army in land.active())]
    if not factions:
        return
    wishes = {request.faction: str(request.more["wish"]) for request in land.requests if request.verb == "initiative"}
    order, rolls = _ranking(land, factions)
    places: dict[int, str] = {}
    for faction in order:
        free = [n for n in range(len(order)) if n not in places]
        places[free[-1] if wishes.get(faction) == "last" else free[0]] = faction
    land.sequence = [places[n] for n in sorted(places)]
    bare = [score.roll for scores in rolls.values() for score in scores if score.roll is not None]
    land.tell("initiative", roll=bare, sequence=list(land.sequence))
    for faction, scores in rolls.items():  # what a chief is worth is his faction's secret
        land.tell("initiative_roll", roll=scores, faction=faction)


def _ranking(land: MovementBoard, factions: list[str], again: int = 1) -> tuple[list[str], dict[str, list[Score]]]:
    """Rank factions from the highest score down, equals throw again among themselves; also the scores."""
    if len(factions) < 2:
        return factions, {}
    scores = {faction: land.score(INITIATIVE(faction, again), {"V.C.": _chief(land, faction)}) for faction in factions}
    order, thrown, left = list[str](), {faction: [score] for faction, score in scores.items()}, dict(scores)
    while left:
        equals, more = _ranking(land, list(Contest(left).highest), again + 1)
        order += equals
        for faction, further in more.items():
            thrown[faction] += further
        left = {faction: score for faction, score in left.items() if faction not in equals}
    return order, thrown


def _chief(land: MovementBoard, faction: str) -> int:
    """The V.C. of the commander-in-chief; if no Force has him, the best V.C. there is."""
    own = [army for army in land.active() if army.faction == faction]
    chiefs = [army for army in own if army.chief] or sorted(own, key=lambda army: (-land.vc(army), natural(army.army)))
    return land.vc(chiefs[0])


def moves_in_turn(land: MovementBoard) -> list[Request]:
    """The rows of moves in the order in which they are carried out: faction by faction, or one each in turn."""
    def key(request: Request) -> tuple[object, ...]:
        seq = ordinal_number(request.row.seq)
        return (seq is None, seq or 0, natural(str(request.more["army"])))

    own = {faction: sorted((r for r in land.requests if r.faction == faction and r.verb in ("move", "sail")), key=key)
           for faction in land.sequence}
    if land.rules.move_method == "A":
        return [request for faction in land.sequence for request in own[faction]]
    rounds = max(map(len, own.values()), default=0)
    return [own[faction][n] for n in range(rounds) for faction in land.sequence if n < len(own[faction])]


# Phase 2 as a whole: rows, moves, field works, and the battles that follow (2 movement).


def read_rows(land: MovementBoard) -> None:
    """Take the rows of the phase; of two for the same boats the lower number gets them (WAR-305)."""
    land.requests = take_rows(land)
    users: dict[str, str] = {}
    for request in land.requests:
        boat = str(request.more["boat"]) if request.verb == "sail" else ""
        first = users.setdefault(boat, str(request.more["army"])) if boat else ""
        if boat and first != request.more["army"]:
            refuse(land, request, Refused("WAR-305", "boat", boat=boat, army=first))
    land.requests = [request for request in land.requests if request.row.status == "accepted"]


def move(land: MovementBoard) -> None:
    """Instructions, crossing at the start, initiative, then each row in turn."""
    write_standing_orders(land)
    reset_crossing_losses(land)
    cross_at_start(land)
    initiative(land)
    for request in moves_in_turn(land):
        _carry_out_row(land, request)


def _carry_out_row(land: MovementBoard, request: Request) -> None:
    army = land.armies[str(request.more["army"])]
    why = why_not_move(land, army)
    if why:
        tell_refused(land, army, why)
    elif request.verb == "sail":
        sail(land, request, army)
    else:
        march(land, request, army)


# --- the end of the phase -------------------------------------------------------------------------
def close_movement(land: MovementBoard) -> None:
    """Field works, then each square with hostile Forces (2 movement; Ord)."""
    field_works(land)
    for node in land.nodes:
        there = land.at(node.node) if land.map.dry(node.node) else []  # there is no battle on water
        if any(land.hostile(a.faction, b.faction) for a in there for b in there):
            _square_of(land, node.node)


def field_works(land: MovementBoard) -> None:
    """A Force on defend that has not moved digs in; by switch others keep or lose their field works."""
    dug: list[tuple[Army, int]] = []
    for army in land.active():
        digs = army.ashore and land.order(army) == "defend" and army.army not in land.moved
        kept = land.rules.fieldworks_keep == "kept" and not digs
        points = land.figures(army.army) * land.rules.fieldworks_per_figure if digs else (
            army.fieldworks if kept else 0)
        if points != army.fieldworks:
            dug.append((army, points))
    for army, points in dug:
        army.fieldworks = points
        land.told("dug", army, points=points)


def _square_of(land: MovementBoard, node: str) -> None:
    """A contact becomes a battle; so does an old stand-off, unless all defend. Routed Forces collapse there."""
    attacker = next((faction for faction in land.attackers.get(node, ()) if any(
        land.friendly(army.faction, faction) for army in land.at(node))), "")
    if not attacker:
        for army, foes in [(army, land.foes_at(node, army.faction)) for army in land.at(node)]:
            if army.reaction == "routed" and foes:
                collapse(land, army, foes[0].army)
        there = land.at(node)
        if not any(land.hostile(a.faction, b.faction) for a in there for b in there):
            return
        ready = [faction for faction in land.sequence if land.foes_at(node, faction) and any(
            army.faction == faction and land.order(army) != "defend" for army in there)]
        if not ready:
            land.tell("standoff", node=node, armies=codes_of_rows(there))
            return
        attacker = ready[0]
    _battle(land, node, attacker)


def _battle(land: MovementBoard, node: str, attacker: str) -> None:
    """Add a battle, its Forces and their Units; rows that people typed early are completed."""
    there = land.at(node)
    sides = {army.army: "A" if land.friendly(army.faction, attacker) else "D" for army in there}
    if "D" not in sides.values():
        return
    foes = sorted((army for army in there if sides[army.army] == "D"), key=lambda army: land.arrived.get(army.army, 0))
    code = _code(land, node)
    battle = land.battles.get(code) or land.battles.add(Battle(battle=code))
    battle.turn, battle.node, battle.status = land.game.turn, node, "open"
    battle.attacker, battle.defender = attacker, foes[0].faction
    for army in there:
        _force(land, battle, army, sides[army.army])
    for unit in (unit for army in there for unit in land.units_of(army.army) if unit.figures):
        _unit_of(land, battle, unit.unit, unit.figures)
    land.tell("battle_set", battle=code, node=node, attacker=attacker, defender=battle.defender)


def _code(land: MovementBoard, node: str) -> str:
    """The code of a new battle; if others may be hidden, a number would tell of them."""
    laid = [row.battle for row in land.battles.of_turn(land.game.turn, lambda row: row.status != "")]
    if land.rules.fog == "open" or land.rules.hidden_battles == "number":
        return f"B{land.turn}-{len(laid) + 1}"
    return free_name(laid, f"B{land.turn}-{node}")


def _force(land: MovementBoard, battle: Battle, army: Army, side: str) -> None:
    row = BattleArmy(battle=battle.battle, army=army.army)
    row = land.battle_armies.get(row.ident) or land.battle_armies.add(row)
    row.side, row.arrival = side, land.arrived.get(army.army, 0)
    row.start_order, row.start_reaction, row.start_vc = army.order, army.reaction, land.vc(army)
    row.fieldworks = army.fieldworks


def _unit_of(land: MovementBoard, battle: Battle, unit: str, figures: int) -> None:
    row = BattleUnit(battle=battle.battle, unit=unit)
    row = land.battle_units.get(row.ident) or land.battle_units.add(row)
    row.before = figures
