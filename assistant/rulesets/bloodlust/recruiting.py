"""Spring's call and recruiting (TS-Sp1 to 5, WF, CC)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.records import Faction as BaseFaction
from assistant.rulesets.bloodlust import both
from assistant.rulesets.bloodlust.orders import HowMany, OrderBoard, OwnRows
from assistant.rulesets.bloodlust.realm import (
    MERCENARIES,
    Realm,
    enlist,
    move_reserve_to_seat,
    open_war,
    raise_hero,
    raise_leader,
    troop_row,
    whole_year,
)
from assistant.rulesets.bloodlust.records import Army, Faction
from assistant.rulesets.bloodlust.tables import HERO, INSULT, LEVEL, MERCENARY, OPPOSED_MERCENARY, OPPOSITION, RECRUIT
from assistant.turn.dice import Roll
from assistant.turn.findings import Where
from assistant.turn.game import Chest, Game, Spent
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.verbs import order

# Spring's call (TS-Sp1, 3, 4).


def heroes_leave(f: Realm) -> None:
    """Heroes serve a year."""
    for hero in f.leaders.where(lambda leader: leader.rank == "hero" and leader.there):
        hero.state, hero.army = "gone", ""


def insults_become_wars(f: Realm) -> dict[str, list[Roll]]:
    """Insults of last Winter become wars; return the dice for the free rolls of each insulted nation (DP)."""
    free: dict[str, list[Roll]] = {}
    for code in f.codes:
        for other in f.codes:
            due = whole_year(f.feeling(code, other).insult_year) == f.year
            if due and f.nations[code].alive and f.nations[other].alive:
                free.setdefault(code, []).append(f.roll(INSULT(code, other, dice=f.rules.insult_rolls), [code]))
                if not f.at_war(code, other) and f.enforced(code, other) is None:
                    open_war(f, code, other, "insult", "DP")
    return free


def new_leaders(f: Realm) -> None:
    """A nation without a marshal gets one; a nation of captains only gets a captain if it has none (CC)."""
    for nation in f.living():
        rank = "captain" if nation.has_trait("no_marshal") else "marshal"
        if f.national_leader(nation.faction) is None:
            leader = raise_leader(f, nation.faction, rank)
            f.tell("captain_hired" if rank == "captain" else "marshal", faction=nation.faction, leader=leader.leader,
                   n=f.wr_now(leader))


def count_rolls(f: Realm, nation: Faction, insulted: list[Roll]) -> None:
    """How many recruiting rolls a nation has this year (TS-Sp1)."""
    rules, own = f.rules, f.of(nation.faction)
    defence = rules.defence_invaded * nation.invaded_last + rules.defence_fort * any(node.fort for node in own)
    free = sum(roll.total for roll in insulted)
    kept = nation.rolls if rules.rr_carry == "carry" else 0
    nation.rolls = kept + nation.tech + nation.war + len(own) + defence + free
    nation.bought = nation.hero_offer = 0
    f.tell("rolls", roll=insulted or None, faction=nation.faction, n=nation.rolls, t=nation.tech,
           w=nation.war, p=len(own), d=defence, i=free)


def payouts(f: Realm) -> None:
    """The beaten pay rolls to those who beat them (TS-Sp3)."""
    for peace in f.peaces:
        winner, loser = f.nations[peace.winner], f.nations[peace.loser]
        due = peace.pays and whole_year(peace.from_year) <= f.year <= whole_year(peace.until_year)
        paid = min(f.rules.payout_rolls, loser.rolls)
        if due and winner.alive and loser.alive and paid > 0:
            loser.rolls, winner.rolls = loser.rolls - paid, winner.rolls + paid
            f.tell("payout", loser=loser.faction, winner=winner.faction, n=paid)


def offer_hero(f: Realm, nation: Faction) -> None:
    """A hero may offer himself (p50)."""
    code, rules = nation.faction, f.rules
    roll = f.roll(HERO(code), [code])
    if roll.at_least(rules.hero_on):
        level = f.roll(LEVEL(code), [code])
        nation.hero_offer = 1 + sum(level.at_least(least) for least in (rules.hero_level_2, rules.hero_level_3))
        f.tell("hero_offer", roll=[roll, level], faction=code, n=nation.hero_offer)


def spring_call(f: Realm) -> None:
    """The phase, step by step."""
    heroes_leave(f)
    free = insults_become_wars(f)
    new_leaders(f)
    for nation in f.living():
        count_rolls(f, nation, free.get(nation.faction, []))
    payouts(f)
    for nation in f.living():
        offer_hero(f, nation)


# Recruiting: rolls for resources, units, captains and heroes; opposition at home (TS-Sp2, 5; WF; CC).


NO_LIMIT = 10 ** 6


@dataclass
class RecruitingPlan:
    """What a nation will buy and hire, and what it has left for it."""

    money: int
    rolls: int
    may_buy: int
    bought: int = 0
    captains: int = 0
    hero: str = ""
    mercenaries: int = 0
    recruits: int = 0


class RecruitingBoard(OrderBoard):
    """The board of recruiting: a plan for each nation."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.plans: dict[str, RecruitingPlan] = {}

    def plan(self, code: str) -> RecruitingPlan:
        """A nation's plan, begun with what it has."""
        if code not in self.plans:
            nation, cap = self.nations[code], self.rules.buy_rr_cap
            most = {"max_tech": nation.tech, "one": 1}.get(cap, NO_LIMIT)
            self.plans[code] = RecruitingPlan(nation.resources, nation.rolls, max(0, most - nation.bought))
        return self.plans[code]


N = both("{n?resource|resources}", "{n?risorsa|risorse}")
RECRUITING_N = both("recruiting {n?roll|rolls}", "{n?tiro|tiri} di reclutamento")


def chests(f: RecruitingBoard, faction: str) -> list[Chest]:
    """What a nation's resources and rolls pay for; rolls that are bought can be spent at once."""
    plan, rules = f.plan(faction), f.rules
    no_amount = (("amount", ""),)
    resources = (Spent("buy", rules.buy_price, "amount"), Spent("captain", rules.captain_price, "amount"),
                 Spent("captain", rules.captain_price, where=no_amount))
    rolls = (Spent("buy", -1, "amount"), Spent("hero", rules.hero_cost), Spent("recruit", rules.recruit_cost, "amount"),
             Spent("mercenary", rules.mercenary_cost, "amount"),
             Spent("mercenary", rules.mercenary_cost, where=no_amount))
    return [Chest(plan.money, N, resources), Chest(plan.rolls, RECRUITING_N, rolls)]


def _check_season(f: RecruitingBoard, request: Request, amount: int, field_name: str) -> None:
    if f.season not in ("Sp", "Su"):
        raise Refused("BLD-012", field_name)


def _check_hero_offer(f: RecruitingBoard, request: Request, army: Army, field_name: str) -> None:
    if f.season != "Sp":
        raise f.of_spring(request)
    if not f.nations[request.faction].hero_offer:
        raise Refused("BLD-013", "")


def _within_money(f: RecruitingBoard, request: Request, wanted: int, price: int, have: int) -> int:
    """As many as money allows (BLD-011)."""
    done = min(wanted, have // price) if price else wanted
    if done < wanted:
        request.find(f, "BLD-011", "amount", n=wanted * price, k=have, m=done)
    return done


def _within_rolls(f: RecruitingBoard, request: Request, wanted: int, price: int, have: int) -> int:
    """As many as rolls allow (BLD-014)."""
    done = min(wanted, have // price) if price else wanted
    if done < wanted:
        request.find(f, "BLD-014", "amount", n=wanted * price, k=have, m=done)
    return done


@order("buy", "compra", when=("recruit",), also=("acquista",), amount=HowMany(then=(_check_season,)),
       help=both("Buy recruiting rolls with resources.", "Compra tiri di reclutamento con risorse."))
def buy(f: RecruitingBoard, request: Request, amount: int) -> None:
    """Resources into rolls, as many as TECH a season (TS-Sp2)."""
    plan = f.plan(request.faction)
    allowed = min(amount, plan.may_buy)
    if allowed < amount:
        request.find(f, "BLD-010", "amount", n=amount, k=allowed, m=f.nations[request.faction].tech,
                     cap=f.rules.buy_rr_cap)
    done = _within_money(f, request, allowed, f.rules.buy_price, plan.money)
    plan.money -= done * f.rules.buy_price
    plan.may_buy, plan.bought, plan.rolls = plan.may_buy - done, plan.bought + done, plan.rolls + done


@order("captain", "capitano", when=("recruit",), also=("captains", "capitani"), amount=HowMany(blank=True),
       help=both("Hire captains.", "Assumere capitani."))
def captain(f: RecruitingBoard, request: Request, amount: int | None) -> None:
    """A captain costs a resource and no roll (CC)."""
    plan, limit = f.plan(request.faction), f.rules.captain_limit
    wanted = amount or 1
    allowed = max(0, min(wanted, limit - plan.captains)) if limit else wanted
    if allowed < wanted and plan.money >= allowed * f.rules.captain_price:
        request.find(f, "BLD-011", "amount", n=wanted * f.rules.captain_price, k=plan.money, m=allowed)
    done = _within_money(f, request, allowed, f.rules.captain_price, plan.money)
    plan.money -= done * f.rules.captain_price
    plan.captains += done


@order("hero", "eroe", when=("recruit",), target=OwnRows(Army, "army", then=(_check_hero_offer,)),
       help=both("Take the hero who offers himself into an army.", "Prendere in un'armata l'eroe che si offre."))
def hero(f: RecruitingBoard, request: Request, army: Army) -> None:
    """A hero costs a roll (p50); whom an earlier row has taken offers himself no more."""
    plan = f.plan(request.faction)
    if plan.hero:
        raise Refused("BLD-013", "")
    if _within_rolls(f, request, 1, f.rules.hero_cost, plan.rolls):
        plan.hero = army.army
        plan.rolls -= f.rules.hero_cost


@order("mercenary", "mercenari", when=("recruit",), also=("mercenaries", "mercenario"), amount=HowMany(blank=True),
       help=both("Hire mercenaries from their own table.", "Assoldare mercenari dalla loro tabella."))
def mercenary(f: RecruitingBoard, request: Request, amount: int | None) -> None:
    """Mercenaries cost two rolls (TS-Sp5)."""
    lacks = next((roll for roll in range(1, 7) if troop_row(f, MERCENARIES, roll) is None), None)
    if lacks is not None:
        raise Refused("BLD-083", "", faction=MERCENARIES, n=lacks)
    plan = f.plan(request.faction)
    done = _within_rolls(f, request, amount or 1, f.rules.mercenary_cost, plan.rolls)
    plan.mercenaries, plan.rolls = plan.mercenaries + done, plan.rolls - done * f.rules.mercenary_cost


@order("recruit", "arruola", when=("recruit",), amount=HowMany(),
       help=both("Turn rolls into units.", "Trasformare i tiri in reparti."))
def recruit(f: RecruitingBoard, request: Request, amount: int) -> None:
    """A unit costs a roll (TS-Sp5)."""
    plan = f.plan(request.faction)
    done = _within_rolls(f, request, amount, f.rules.recruit_cost, plan.rolls)
    plan.recruits, plan.rolls = plan.recruits + done, plan.rolls - done * f.rules.recruit_cost


def take_plans(f: RecruitingBoard) -> None:
    """Take the clubs' orders as far as they can pay; in Fall warn of rolls that will lapse (BLD-015)."""
    f.carry(f.taken(("buy",), ("captain",), ("hero",), ("mercenary",), ("recruit",)))
    for nation in f.living():
        code = nation.faction
        left = f.plan(code).rolls
        if f.season == "Fa" and f.rules.rr_carry == "fall" and left and not f.self_run(code):
            f.game.find("BLD-015", Where(BaseFaction.sheet, code, "rolls"), code, k=left)


def _rules_plan(f: RecruitingBoard, nation: Faction) -> RecruitingPlan:
    """The plan of a self-run nation: rolls in war, the hero, a captain, units with all rolls."""
    code, rules = nation.faction, f.rules
    plan = f.plan(code)
    if f.season != "Fa" and (rules.npc_buy == "always" or (rules.npc_buy == "war" and f.enemies(code))):
        spare = max(0, nation.resources - rules.npc_reserve) // max(1, rules.buy_price)
        plan.bought = min(plan.may_buy, max(0, nation.tech - nation.bought), spare)
        plan.money, plan.rolls = plan.money - plan.bought * rules.buy_price, plan.rolls + plan.bought
    if nation.hero_offer and rules.npc_hero == "hires" and plan.rolls >= rules.hero_cost:
        leader = f.national_leader(code)
        plan.hero = leader.army if leader is not None and leader.army else f.reserve(code).army
        plan.rolls -= rules.hero_cost
    captains = f.leaders.where(lambda leader: leader.faction == code and leader.rank == "captain"
                               and leader.state == "active")
    if len(captains) < rules.npc_captains and plan.money >= max(rules.npc_captain_from, rules.captain_price):
        plan.captains, plan.money = 1, plan.money - rules.captain_price
    plan.recruits = plan.rolls // rules.recruit_cost if rules.recruit_cost else 0
    plan.rolls -= plan.recruits * rules.recruit_cost
    return plan


def _hire(f: RecruitingBoard, code: str, n: int, *, mercenaries: bool) -> int:
    """Throw for each unit, and for the opposition; return how many were not hired."""
    opposed, table = 0, MERCENARIES if mercenaries else ""
    purpose, against = (MERCENARY, OPPOSED_MERCENARY) if mercenaries else (RECRUIT, OPPOSITION)
    for i in range(1, n + 1):
        roll = f.roll(purpose(code, i), [code])
        home = f.roll(against(code, i), [code]) if f.nations[code].opposition else None
        if home is not None and home.at_least(6):
            opposed += 1
            row = troop_row(f, table or code, roll.total)
            f.tell("not_hired", roll=[roll, home], faction=code,
                   text=row.called(f.desk.language) if row is not None else "-")
            continue
        unit = enlist(f, code, roll.total, f.reserve(code).army, table=table)
        if unit is not None:
            f.tell("recruited", roll=[roll, home] if home is not None else roll, faction=code, unit=unit.unit,
                   text=unit.name)
    return opposed


def hire_all(f: RecruitingBoard) -> None:
    """Nation by nation: rolls bought, captains, hero, mercenaries, recruits; the Reserve goes to the seat."""
    for nation in f.living():
        code, rules = nation.faction, f.rules
        plan = _rules_plan(f, nation) if f.self_run(code) else f.plan(code)
        nation.resources = plan.money
        if plan.bought:
            nation.bought += plan.bought
            f.tell("bought", faction=code, n=plan.bought)
        for _ in range(plan.captains):
            leader = raise_leader(f, code, "captain")
            f.tell("captain_hired", faction=code, leader=leader.leader, n=f.wr_now(leader))
        if plan.hero:
            hired = raise_hero(f, code, nation.hero_offer, plan.hero)
            nation.hero_offer = 0
            f.tell("hero_hired", faction=code, leader=hired.leader, n=hired.wr)
        mercs = _hire(f, code, plan.mercenaries, mercenaries=True)
        own = _hire(f, code, plan.recruits, mercenaries=False)
        back = mercs * rules.mercenary_cost + own * rules.recruit_cost if rules.opposition_cost == "kept" else 0
        _finish(f, nation, plan.rolls + back)


def _finish(f: RecruitingBoard, nation: Faction, left: int) -> None:
    lapses = f.season == "Fa" and f.rules.rr_carry == "fall"
    after = (0 if lapses else left, False, 0)
    if (nation.rolls, nation.opposition, nation.hero_offer) != after:
        nation.rolls, nation.opposition, nation.hero_offer = after
    move_reserve_to_seat(f, nation.faction)
