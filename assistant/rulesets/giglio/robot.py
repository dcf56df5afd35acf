"""Robots for a club, from what it may know: the plain one (rulebook: The robot), and those with a temper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.records import Question
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.giglio import both, marches, objectives, recruiting, seasons, sieges
from assistant.rulesets.giglio.records import Army, Node, Order
from assistant.rulesets.giglio.recruiting import garrison_cost, works_cost
from assistant.rulesets.giglio.war import SPRING, War
from assistant.turn.ruleset import Temper

# The robot that plays for an absent club.


CAPITAL_MONEY, GARRISON_MONEY, LEAST_RECRUIT, STORMING = 80, 60, 30, 100
PLAIN_UNSEEN = 200
SITES = {"city": 0, "fortress": 1, "village": 2}


Row = dict[str, Any]


def orders(war: War, faction: str, temper: str = "") -> list[Order]:
    """The robot's rows for the current phase (budget, or a round's marches); none in other phases. `temper`: "" for the
    plain robot.
    """
    word, weights = war.game.orders_word, WEIGHTS.get(temper)
    rows: Iterable[Row] = ()
    if word and weights is None:
        rows = _plain_spring(war, faction) if word == SPRING else _plain_summer(war, faction)
    elif word and weights is not None:
        rows = _spring(war, faction, weights) if word == SPRING else _summer(war, faction, weights)
    return [Order(order=f"{war.game.turn}-{word}-{faction}-{n}", turn=war.game.turn, phase=word,
                  faction=faction, seq=n, note="robot", **row) for n, row in enumerate(rows, 1)]


def _plain_spring(war: War, faction: str) -> list[Row]:
    me = war.factions[faction]
    rows: list[Row] = []
    money = me.treasury
    if war.first_spring() and not me.objective:
        rows.append({"verb": "objective", "option": "keep"})
    capital = war.nodes.get(me.capital)
    if capital is not None and capital.owner == faction and not capital.fortified and money >= CAPITAL_MONEY:
        under_way = any(w.node == capital.node and w.status == "under_way" for w in war.works)
        if not under_way and not war.is_troubled(capital.node, faction):
            verb = "repair" if capital.walls == "damaged" else "fortify"
            rows.append({"verb": verb, "target": capital.node})
            money -= works_cost(war, capital, faction, verb)
    for place in war.nodes:
        if money >= GARRISON_MONEY and _wants_garrison(war, place, faction):
            rows.append({"verb": "garrison", "target": place.node})
            money -= garrison_cost(war)
    return rows + _plain_recruits(war, faction, money)


def _wants_garrison(war: War, place: Node, faction: str) -> bool:
    return not place.garrison and _may_take_garrison(war, place) and _is_threatened(war, place, faction)


def _may_take_garrison(war: War, place: Node) -> bool:
    """Whether the chest may pay for a garrison there."""
    rules = recruiting.Numbers.of(war)
    return rules.garrison_treasury == "yes" and (rules.garrison_where == "any" or place.fortified)


def _is_threatened(war: War, place: Node, faction: str) -> bool:
    """Whether an own home place is at peace, and an enemy is next door."""
    return place.owner == place.home == faction and not war.is_troubled(place.node, faction) and any(
        war.enemies_in_field(beside, faction) for beside in war.map.neighbours(place.node, "road"))


def _peaceful_cities(war: War, faction: str) -> list[Node]:
    return [city for city in seasons.cities_of(war, faction) if not war.enemies_in_field(city.node, faction)]


def _plain_recruits(war: War, faction: str, money: int) -> list[Row]:
    amount, free = money // 2 // 10 * 10, _peaceful_cities(war, faction)
    if amount < LEAST_RECRUIT or not free:
        return []
    free.sort(key=lambda n: (n.node != war.factions[faction].capital, natural(n.node)))
    mine, city = war.armies_of(faction), free[0].node
    ready = [a for a in mine if a.posture != "aboard" and a.node in {n.node for n in free}]
    there = [a for a in ready if a.node == city]
    if not there and len(mine) < recruiting.Numbers.of(war).max_armies:
        return [{"verb": "recruit", "amount": amount, "target": city, "unit": "new"}]
    return [{"verb": "recruit", "amount": amount, "target": a.node, "unit": a.army} for a in (there or ready)[:1]]


# --- summer -------------------------------------------------------------------------------------
def _plain_summer(war: War, faction: str) -> list[Row]:
    rows = []
    for army in war.armies_of(faction):
        row = {"verb": "stay", "unit": army.army}
        if army.posture == "field" and not war.in_contact(army):
            row = _army_row(war, army) or row
        rows.append(row)
    return rows


def _army_row(war: War, army: Army) -> Row | None:
    here = war.nodes[army.node]
    closed = here.fortified or here.garrison or war.inside(here.node, army.faction)
    if here.land and war.hostile(army.faction, here.owner) and closed:
        return {"verb": "siege", "unit": army.army, "target": here.node}
    goal = _prey(war, army) or _relief(war, army)
    return {"verb": "move", "unit": army.army, "path": f"{army.node} {goal}"} if goal else None


def _may_step(war: War, army: Army, to: str) -> bool:
    own = war.own(army.node, army.faction) and war.own(to, army.faction)
    by_book = marches.Numbers.of(war).move_own if own else marches.Numbers.of(war).move_foreign
    reach = war.reach(army, [army.node, to], by_book)
    if army.leaderless and army.leaderless == war.round - 1:
        reach -= recruiting.Numbers.of(war).commander_node_penalty
    return reach >= 1 and not war.ban_round(army.faction, army.node, to) and war.nodes[to].land


def _prey(war: War, army: Army) -> str:
    """The best hostile place next door; places with walls or a garrison only with enough men."""
    beside = [war.nodes[n] for n in war.map.neighbours(army.node, "road") if _may_step(war, army, n)]
    hostile = [n for n in beside if war.hostile(army.faction, n.owner)
               and not any(a.faction != army.faction and war.blocks(a) for a in war.at(n.node))]
    fit = [n for n in hostile if army.value >= STORMING or not (n.fortified or n.garrison)]
    return next((n.node for n in sorted(fit, key=lambda n: (SITES.get(n.counts_as, 9), natural(n.node)))), "")


def _relief(war: War, army: Army) -> str:
    """The step towards the nearest hostile marker on or next to an own city."""
    beset = {a.node for a in war.armies if war.blocks(a) and war.hostile(a.faction, army.faction)}
    cities = {n.node for n in war.nodes.where(lambda n: n.owner == army.faction and n.counts_as == "city")}
    threats = [node for node in in_natural_order(beset)
               if node in war.nodes and not cities.isdisjoint((node, *war.map.neighbours(node, "road")))]
    far = war.map.distances(army.node, "road") if threats else {}
    goal = min((t for t in threats if t in far), key=lambda t: far[t], default="")
    back = war.map.distances(goal, "road") if goal else {}
    return next((step for step in war.map.neighbours(army.node, "road")
                 if back.get(step) == far.get(goal, 0) - 1 and _may_step(war, army, step)), "")


# --- answers ------------------------------------------------------------------------------------
def answer(war: War, faction: str, question: Question, temper: str = "") -> str:
    """The robot's answer; the question's default if the rulebook page has no rule for it."""
    weights = WEIGHTS.get(temper)
    if question.kind == "choice":
        return _plain_choice(war, faction, question) if weights is None else _choice(war, faction, question, weights)
    if question.kind == "bribe":
        return str(_plain_bribe(war, faction, question) if weights is None else _bribe(war, faction, question, weights))
    if question.kind == "move_order":
        return " ".join(f.faction for f in war.players())
    return question.default


def _ducats_at_meeting(war: War, faction: str, question: Question, unseen: int) -> tuple[int, int]:
    """Own ducats, and the enemy's: as spies have told, else `unseen` for each marker."""
    node, _, foe = question.about.partition("/")
    seen = {e["data"]["army"]: e["data"]["value"] for e in question.so_far.get("events", [])}
    return (sum(a.value for a in war.force(node, faction)),
            sum(seen.get(a.army, unseen) for a in war.force(node, foe)))


def _plain_choice(war: War, faction: str, question: Question) -> str:
    own, enemy = _ducats_at_meeting(war, faction, question, PLAIN_UNSEEN)
    options = question.options.split(", ")
    if "shut_in" in options and own * 10 < enemy * 12:
        return "shut_in"
    if "attack" in options and own * 10 >= enemy * 15:
        return "attack"
    return "stop"


def _needed_on_die(question: Question) -> int:
    return int(question.asked["target"]) - int(sum(question.asked.get("mods", {}).values()))


def _other_bribes(war: War, question: Question) -> int:
    """The ducats that answers to the same question at other places take."""
    others = war.campaign.table(Question).of_turn(question.turn, lambda q: (
        q.kind == "bribe" and q.question != question.question and q.answer.isdigit()), parts=(question.phase,))
    return sum(int(q.answer) for q in others)


def _plain_bribe(war: War, faction: str, question: Question) -> int:
    """(need - 4) steps if 5 to 7 are needed on the die and half the chest, and what other bribes leave, covers them."""
    need = _needed_on_die(question)
    price = (need - 4) * int(question.asked["step"])
    chest = war.factions[faction].treasury
    if not 5 <= need <= 7 or price > chest // 2:
        return 0
    return price if price + _other_bribes(war, question) <= chest else 0


# Robots with a temper: how they choose an aim, spend their ducats, march, besiege and fight.
#
# All of them know how a campaign is won: of those who reach their objective the most ducats in the chest decide. So a
# place is worth what it will still pay until the end, a siege costs ducats each round, and the bank's last loan is
# never paid back.


ROUNDS = 10
FEWEST_MEN = 30
"""Ducats: an army of fewer begins no siege and seeks no fight."""
UNSEEN = 150
"""Ducats that an army of others is thought to have whose men nobody has counted."""


@dataclass(frozen=True)
class Weights:
    """What makes a temper. `recruit_pct`: of the chest goes to recruits, in all years but the last `saving_years`;
    `attack_pct`: own men in per cent of the enemy's with which it attacks; `prey_pct`: with which it marches against an
    army; `reach`: how many rounds' march a place may be away; `garrison_reserve`: ducats in the chest from which on it
    puts garrisons where enemies are near; `harm`: what a place taken from others is worth besides its taxes, in ducats.
    """

    recruit_pct: int
    saving_years: int
    attack_pct: int
    prey_pct: int
    reach: int
    garrison_reserve: int
    harm: int


WEIGHTS: Mapping[str, Weights] = {
    "bold": Weights(recruit_pct=50, saving_years=3, attack_pct=110, prey_pct=130, reach=6, garrison_reserve=60,
                    harm=20),
    "careful": Weights(recruit_pct=0, saving_years=5, attack_pct=150, prey_pct=200, reach=4, garrison_reserve=20,
                       harm=5),
}
TEMPERS = (
    Temper("plain", both("It holds what it has, besieges what is next door and spends half its ducats on recruits.",
                         "Tiene ciò che ha, assedia ciò che è vicino e spende metà dei ducati in reclute.")),
    Temper("bold", both("It recruits in the first years, takes every place that will pay for its siege, and saves "
                        "afterwards.",
                        "Nei primi anni arruola, prende ogni luogo che ripaghi l'assedio, poi risparmia.")),
    Temper("careful", both("It recruits nobody, saves its ducats, puts garrisons where enemies are near, and takes "
                           "only what is safe.",
                           "Non arruola, risparmia i ducati, mette guarnigioni dove i nemici sono vicini e prende "
                           "solo ciò che è sicuro.")),
)


def years_left(war: War) -> int:
    """How many springs with taxes are still to come."""
    last = (war.desk.start_year or war.year) + objectives.Numbers.of(war).campaign_years - 1
    return max(0, last - war.year)


# Spring.


def _spring(war: War, faction: str, weights: Weights) -> Iterator[Row]:
    me = war.factions[faction]
    money = me.treasury
    if war.first_spring() and not me.objective:
        yield {"verb": "objective", "option": "ducats"}
    if years_left(war) == 0 and _may_borrow(war, faction):
        amount = seasons.loan_cap(war, faction)
        if amount:
            yield {"verb": "loan", "amount": amount}
    threatened = [place for place in war.nodes if place.land and _is_threatened(war, place, faction)]
    for place in sorted(threatened, key=lambda n: (n.node != me.capital, -_tax(war, n), natural(n.node))):
        for row, price in _works(war, place, faction, weights):
            if money - price >= weights.garrison_reserve:
                money -= price
                yield row
    if years_left(war) >= weights.saving_years:
        yield from _recruits(war, faction, money * weights.recruit_pct // 100 // 10 * 10)


def _may_borrow(war: War, faction: str) -> bool:
    return not any(loan.faction == faction and (loan.status == "open" or war.year in (loan.year, loan.confiscated_year))
                   for loan in war.loans)


def _works(war: War, place: Node, faction: str, weights: Weights) -> Iterator[tuple[Row, int]]:
    """Walls and a garrison that a threatened place lacks and that pay, each with its price."""
    under_way = any(w.node == place.node and w.status == "under_way" for w in war.works)
    if place.walls == "damaged" and place.counts_as != "village" and not under_way:
        yield {"verb": "repair", "target": place.node}, recruiting.works_cost(war, place, faction, "repair")
    pays = _tax(war, place) * years_left(war) > recruiting.Numbers.of(war).garrison_cost
    if _may_take_garrison(war, place) and not place.garrison and pays:
        yield {"verb": "garrison", "target": place.node}, recruiting.garrison_cost(war)


def _recruits(war: War, faction: str, amount: int) -> Iterator[Row]:
    """All recruits join the strongest army in an own city that is at peace, or are a new one in the capital."""
    free = {city.node for city in _peaceful_cities(war, faction)}
    if amount < LEAST_RECRUIT or not free:
        return
    mine = war.armies_of(faction)
    ready = [army for army in mine if army.posture == "field" and army.node in free]
    if ready:
        army = max(ready, key=lambda a: a.value)
        yield {"verb": "recruit", "amount": amount, "target": army.node, "unit": army.army}
    elif len(mine) < recruiting.Numbers.of(war).max_armies:
        city = min(free, key=lambda code: (code != war.factions[faction].capital, natural(code)))
        yield {"verb": "recruit", "amount": amount, "target": city, "unit": "new"}


# What a place is worth.


def _tax(war: War, place: Node) -> int:
    """Ducats a year that a place pays."""
    rules = seasons.IncomeNumbers.of(war)
    taxes = {"city": rules.tax_city, "fortress": rules.tax_fortress, "village": rules.tax_village}
    return taxes.get(place.counts_as, 0)


def siege_rounds(war: War, place: Node, faction: str) -> int:
    """How many rounds a siege takes until a throw of four will do; 0 for an open place."""
    held = place.garrison or war.inside(place.node, faction)
    if not place.fortified and not held:
        return 0
    rules = sieges.Numbers.of(war)
    hinders = -int(rules.siege_garrison) * bool(held)
    if place.fortified:
        hinders -= int(getattr(rules, f"siege_{place.counts_as}"))
    return max(1, rules.siege_target - 4 + hinders)


def _men(war: War, node: str, faction: str) -> int:
    return sum(army.value or UNSEEN for army in war.enemies_in_field(node, faction))


@dataclass(frozen=True)
class Goal:
    """Where an army is to go. `score`: ducats a round; `step`: the nodes of this round's march, () for a siege here."""

    score: float
    place: str
    step: tuple[str, ...]


# Summer.


def _summer(war: War, faction: str, weights: Weights) -> Iterator[Row]:
    taken: set[str] = set()
    for army in sorted(war.armies_of(faction), key=lambda a: (-a.value, natural(a.army))):
        free = army.posture == "field" and not war.in_contact(army)
        goal = _goal(war, army, weights, taken) if free else None
        if goal is None:
            yield {"verb": "stay", "unit": army.army}
            continue
        taken.add(goal.place)
        if goal.step:
            yield {"verb": "move", "unit": army.army, "path": " ".join((army.node, *goal.step))}
        else:
            yield {"verb": "siege", "unit": army.army, "target": army.node}


def _goal(war: War, army: Army, weights: Weights, taken: set[str]) -> Goal | None:
    """The place that brings an army most ducats a round, with the way there; None where it had better stay."""
    best: Goal | None = None
    for code, way in _ways(war, army, weights.reach).items():
        if code in taken:
            continue
        score = _score(war, army, war.nodes[code], _rounds(war, army, way), weights)
        if score > 0 and (best is None or score > best.score):
            best = Goal(score, code, _march(war, army, way))
    return best


def _score(war: War, army: Army, place: Node, march: int, weights: Weights) -> float:
    """Ducats a round that a place brings, 0 or less where it brings none."""
    foes = _men(war, place.node, army.faction)
    if foes and army.value * 100 < foes * weights.prey_pct:
        return 0
    years = years_left(war)
    if place.owner == army.faction:
        beset = bool(foes) or bool(war.sieges_of(place.node))
        return _tax(war, place) * (years + 1) / (march + 1) if beset and march else 0
    if not war.hostile(army.faction, place.owner):
        return 0
    rounds = siege_rounds(war, place, army.faction)
    begun = next((s.rounds for s in war.sieges_of(place.node) if s.besieger == army.faction), 0)
    rounds = max(1, rounds - begun) if rounds else 0
    wear = rounds * sieges.Numbers.of(war).siege_loss
    if rounds and (army.value < wear + FEWEST_MEN or war.round + march + rounds - 1 > ROUNDS):
        return 0
    home = _tax(war, place) if place.home == army.faction else 0
    gain = _tax(war, place) * years + home + weights.harm
    return (gain - wear) / (march + rounds + 1)


def _ways(war: War, army: Army, reach: int) -> dict[str, tuple[str, ...]]:
    """Place -> the nodes on the shortest open way there, () for where the army is; armies and garrisons end a way."""
    ways: dict[str, tuple[str, ...]] = {army.node: ()}
    edge = [army.node]
    for _ in range(reach):
        further = []
        for node in edge:
            if node != army.node and war.stops(node, army.faction):
                continue
            for beside in war.open_roads(node, army.faction):
                if beside not in ways and war.nodes[beside].land and not _strangers(war, beside, army.faction):
                    ways[beside] = (*ways[node], beside)
                    further.append(beside)
        edge = further
    return ways


def _strangers(war: War, node: str, faction: str) -> bool:
    return any(war.blocks(a) and a.faction != faction and not war.hostile(a.faction, faction) for a in war.at(node))


def _march(war: War, army: Army, way: tuple[str, ...]) -> tuple[str, ...]:
    """The part of a way that is marched in this round: at home as far as the rules allow, two at most, else one."""
    if len(way) > 1 and all(war.own(node, army.faction) for node in (army.node, *way[:2])):
        reach = marches.Numbers.of(war).move_own
        if army.leaderless and army.leaderless == war.round - 1:
            reach -= recruiting.Numbers.of(war).commander_node_penalty
        return way[:max(1, min(reach, 2))]
    return way[:1]


def _rounds(war: War, army: Army, way: tuple[str, ...]) -> int:
    """About how many rounds a way takes: two own nodes are one."""
    rounds, at = 0, 0
    nodes = (army.node, *way)
    while at < len(way):
        two = at + 2 < len(nodes) and all(war.own(node, army.faction) for node in nodes[at:at + 3])
        at += 2 if two else 1
        rounds += 1
    return rounds


# Answers.


def _choice(war: War, faction: str, question: Question, weights: Weights) -> str:
    """Attack the weaker, go behind walls or back from the stronger, stand before equals."""
    own, enemy = _ducats_at_meeting(war, faction, question, UNSEEN)
    options = question.options.split(", ")
    if "attack" in options and own * 100 >= enemy * weights.attack_pct:
        return "attack"
    if "shut_in" in options:
        return "shut_in"
    if "retreat" in options and own * 100 < enemy * 70:
        return "retreat"
    return "stop"


def _bribe(war: War, faction: str, question: Question, weights: Weights) -> int:
    """Whole steps as long as the sixth of a chance that each buys is worth its price."""
    place = war.nodes[question.about]
    worth = _tax(war, place) * years_left(war) + weights.harm
    step, need = int(question.asked["step"]), _needed_on_die(question)
    if war.round < ROUNDS or worth < 6 * step or need <= 1:
        return 0
    chest = war.factions[faction].treasury - _other_bribes(war, question)
    steps = min(need - 1, max(0, chest) // step)
    return steps * step if need - steps <= 6 else 0
