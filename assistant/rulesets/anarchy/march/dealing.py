"""Mercenaries, convoys and trains that are met, by order or question (10 to 12, 14.3, 14.4; rulebook: Activation)."""

from __future__ import annotations

from assistant.rulesets.anarchy.book.questions import MOST_PROMISED
from assistant.rulesets.anarchy.book.sheets import LETTER_OF, NEUTRAL, Army, Convoy, Train, pounds
from assistant.rulesets.anarchy.orders import FOLLOWER, WALKER, a_head, act, afford, do_here, other_group, target_of
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.land import halves
from assistant.turn.game import ALL
from assistant.turn.orders.named import Points, named, whole
from assistant.turn.orders.purses import Cost
from assistant.turn.orders.request import Refused, Request, refuse_if
from assistant.turn.rows.chests import Chest, Spent
from assistant.turn.texts import N_


# --- mercenaries ----------------------------------------------------------------------------------
def hires(f: Field, army: Army, company: Army, asked: bool = True) -> bool:
    """E2: pay, promise loot, or neither, as an order says, else by answer if it may be `asked`. Whether they come."""
    f.meets(army, company)
    side, cost = f.side(army.faction), 2 * f.rules.merc_price * f.heads(company)
    may_promise, may_pay = company.no_promise_to != side, army.money >= cost
    options = [*(["pay"] if may_pay else []), *(["promise:n"] if may_promise else []), "no"]
    promise, pay = f.ordered(army, "PROMISE", company), f.ordered(army, "HIRE", company)
    choice = ""
    if promise is not None and may_promise:
        amount = whole(promise.amount)
        choice = used(promise, f"promise:{amount}" if amount is not None and amount <= MOST_PROMISED else "")
    elif pay is not None and may_pay:
        choice = used(pay, "pay")
    if asked and not choice and len(options) > 1:  # who can neither pay nor promise has nothing to answer
        choice = f.choose("hire", army.faction, f"{army.army}/{company.node}/{company.army}", options, "no",
                          unit=army.army, mercs=company.army, hex=company.node, cost=pounds(cost))
    what, _, points = choice.partition(":")
    if what == "pay" and may_pay:
        army.money -= cost
        _join(f, army, company, "paid", pounds(cost))
    elif what == "promise" and may_promise and points != "n":
        _join(f, army, company, "promised", str(int(points)), int(points))
    else:
        return False
    return True


def used(request: Request, choice: str) -> str:
    """What an order says beforehand; where it says something it has been used."""
    if choice:
        request.row.status = "accepted"
    return choice


def _join(f: Field, army: Army, company: Army, terms: str, n: str, points: int = 0, *, lured: bool = False) -> None:
    """All hear that they come, their lord's side on which terms."""
    f.hire(company, army, terms, points)
    f.tell("lured" if lured else "hired", ALL, mercs=company.army, group=army.army)
    f.tell("hired", f.own(army.faction), "11.5" if lured else "11.3", touch=[company], mercs=company.army,
           group=army.army, terms=terms, n=n)


def lure_price(f: Field, army: Army, company: Army) -> int:
    """What it costs to win a company over, in halves; 0 where it cannot be (11.5)."""
    cost = 2 * f.rules.lure_price * f.heads(company)
    return cost if f.commander(army) is not None and army.money >= cost and too_near(f, company) is None else 0


def too_near(f: Field, company: Army) -> Army | None:
    """A group of the company's side nearer than luring allows."""
    side = f.side(company.faction)
    return next((a for a in f.active() if a.army != company.army and f.side(a.faction) == side
                 and f.apart(a.node, company.node) < f.rules.lure_distance), None)


def won_over(f: Field, army: Army, company: Army) -> None:
    """E3: they change sides, paid and attached."""
    cost = lure_price(f, army, company)
    army.money -= cost
    _join(f, army, company, "paid", pounds(cost), lured=True)


# --- convoys --------------------------------------------------------------------------------------
def may_deal(f: Field, army: Army, row: Convoy | Train) -> bool:
    """Whether a group is asked about a convoy or train: it stands beside it, nobody leads it, it is not its side's."""
    return (row.state == "active" and row.node == army.node and not row.escort
            and army.active and not f.attached(army) and not army.inside and not f.limited(army) and not f.safe(army)
            and f.side(army.faction) not in (NEUTRAL, f.side(row.faction)))


def convoy_met(f: Field, army: Army, convoy: Convoy, *, ends: bool, asked: bool = True) -> str:
    """A group and an unescorted convoy that is not its own: ``buy``, ``take``, or "" where it passes. `ends`: the
    group's march ends here, or the convoy came to it; `asked`: without an order, too.
    """
    f.meets(army, convoy)
    most, may_take = _for_sale(f, army, convoy), f.rules.convoy_owner == "stays" or ends
    options = [*([f"buy:{most}"] if most else []), *(["take"] if may_take else []), "pass"]
    choice = _ordered_deal(f, army, convoy, most, may_take)
    if asked and not choice and f.rules.convoy_unescorted == "takes":
        choice = "take" if may_take else "pass"
    if asked and not choice and len(options) > 1:
        choice = f.choose("convoy", army.faction, f"{army.army}/{convoy.node}/{convoy.convoy}", options,
                          "take" if ends else "pass",
                          unit=army.army, convoy=convoy.convoy, hex=convoy.node, cargo=convoy.cargo)
    what, _, number = choice.partition(":")
    if what == "buy" and number.isdecimal():
        _buy(f, army, convoy, int(number))
        return "buy" if int(number) else ""
    if choice == "take":
        f.fall_to(army, convoy, choice)
        f.tell("convoy_taken", ALL, "14.4", touch=[convoy], c=convoy.convoy, group=army.army)
        return "take"
    return ""


def _for_sale(f: Field, army: Army, convoy: Convoy) -> int:
    """Points that a group may buy and pay: of a neutral convoy what tomorrow's food still lacks; by order (switch
    convoy_buy) all that it carries, and of an own one, too.
    """
    by_order, price = f.rules.convoy_buy == "order", 2 * f.rules.convoy_price
    if f.side(convoy.faction) != NEUTRAL and not (by_order and f.side(convoy.faction) == f.side(army.faction)):
        return 0
    most = min(convoy.cargo if by_order else max(0, f.need(army) - army.provisions), convoy.cargo)
    return min(most, army.money // price if price else most)


def sells(f: Field, army: Army, convoy: Convoy) -> bool:
    """Whether a group may buy of a convoy by order that it does not meet: an own one, or one that somebody leads."""
    return (f.rules.convoy_buy == "order" and convoy.state == "active" and convoy.node == army.node
            and f.able(army) and not army.inside and not f.limited(army)
            and f.side(convoy.faction) in (f.side(army.faction), NEUTRAL))


def _ordered_deal(f: Field, army: Army, convoy: Convoy, most: int, may_take: bool) -> str:
    take, buy = f.ordered(army, "TAKE", convoy), f.ordered(army, "BUY", convoy)
    if take is not None and may_take:
        return used(take, "take")
    return used(buy, f"buy:{min(most, whole(buy.amount) or 0)}") if buy is not None and most else ""


def _buy(f: Field, army: Army, convoy: Convoy, n: int) -> None:
    cost = 2 * f.rules.convoy_price * n
    army.money -= cost
    army.provisions += n
    convoy.cargo -= n
    f.tell("bought", f.here(convoy.node), "14.4", touch=[army, convoy], n=n, cost=pounds(cost), c=convoy.convoy,
           group=army.army)


# --- trains ---------------------------------------------------------------------------------------
def train_met(f: Field, army: Army, train: Train) -> bool:
    """A group and an enemy train that nobody escorts. Whether it is taken or burnt."""
    f.meets(army, train)
    take = f.ordered(army, "TAKE", train)
    choice = used(take, "take") if take is not None else f.choose(
        "train", army.faction, f"{army.army}/{train.node}/{train.train}", ("take", "burn", "pass"), "take",
        unit=army.army, train=train.train, hex=train.node)
    if choice != "pass":
        f.fall_to(army, train, choice)
        f.tell("train_taken", ALL, "10", touch=[train], c=train.train, group=army.army, way=choice)
    return choice != "pass"


def goods_met(f: Field, army: Army, ends: bool) -> None:
    """Convoys, then trains that a group finds on a hex, by id."""
    for convoy in f.convoys:
        if sells(f, army, convoy) and not may_deal(f, army, convoy):
            _bought(f, army, convoy)
        if may_deal(f, army, convoy) and f.able(army):
            convoy_met(f, army, convoy, ends=ends)
    for train in f.trains:
        if may_deal(f, army, train) and f.able(army) and f.side(train.faction) != NEUTRAL:
            train_met(f, army, train)


# --- by order -------------------------------------------------------------------------------------
def led_by_noble(f: Field, request: Request, company: Army, field: str) -> None:
    """Only a group led by a noble deals with mercenaries (ANA-501)."""
    refuse_if(f.commander(f.armies[request.unit]) is None, "ANA-501", "unit")


def unpaid(f: Field, request: Request, company: Army, field: str) -> None:
    """A company that nobody has hired (ANA-504)."""
    if not f.unhired(company):
        raise f.under_contract(company, f.side(request.faction), field)


def in_enemy_pay(f: Field, request: Request, company: Army, field: str) -> None:
    """A company of the other side, of which no group is near (ANA-503, 504)."""
    side, near = f.side(request.faction), too_near(f, company)
    if company.contract == "none" or f.side(company.faction) == side:
        raise f.under_contract(company, side, field)
    if near is not None:
        raise Refused("ANA-503", field, x=near.army, n=f.apart(near.node, company.node), m=company.army,
                      d=f.rules.lure_distance)


def for_sale(f: Field, request: Request, wanted: int, field: str) -> None:
    """Food is bought of neutral convoys (ANA-606)."""
    row = FOLLOWER.judge(f, request, "target")
    owner = f.side(row.faction)
    refuse_if(owner not in (f.side(request.faction), NEUTRAL), "ANA-606", "target", c=row.ident, side=owner)


def believed(f: Field, request: Request, points: int, field: str) -> None:
    """Companies that deserted a side take no more promises from it (ANA-502)."""
    company, side = named(f.armies, request.target, "target"), f.side(request.faction)
    refuse_if(company.no_promise_to == side, "ANA-502", "target", m=company.army, side=side)


def recruit_prices(f: Field) -> tuple[tuple[str, int], ...]:
    """The ranks that are recruited, and what a man of each costs in half-pounds (13.1)."""
    return ("light", 2 * f.rules.recruit_light), ("peasants", halves(f.rules.recruit_peasant))


def chests(f: Field, faction: str) -> list[Chest]:
    """What the purses of a faction's groups hold together, in half-pounds, and what the day takes out of them, as far
    as it follows from a row; which group pays the day judges.
    """
    rules, side = f.rules, f.side(faction)
    heads = [(army.army, f.heads(army)) for army in f.armies if army.mercenary and f.heads(army)]
    spent = [Spent("ENGINEER", 2 * rules.engineer_price), Spent("BUY", 2 * rules.convoy_price, "amount"),
             Spent("RECRUIT", 1, "men", letters=tuple((LETTER_OF[rank], each) for rank, each in recruit_prices(f))),
             *(Spent(verb, 2 * price * n, where=(("target", code),)) for code, n in heads for verb, price in (
                 ("PAY", rules.merc_price), ("HIRE", rules.merc_price), ("LURE", rules.lure_price))),
             *(Spent("RANSOM", 2 * rules.ransom_per_prestige * noble.prestige, where=(("target", noble.noble),))
               for noble in f.nobles if noble.state == "prisoner" and f.side(noble.faction) == side and noble.prestige)]
    mine = [army.money for army in f.armies if army.faction == faction]
    return [Chest(sum(mine), N_("pounds in all groups"), tuple(spent), parts=2)] if mine else []


@act("BUY", "COMPRA", FOLLOWER, unit=WALKER, amount=Points(then=(for_sale,)),
     cost=Cost("convoy_price", reckoned=lambda f, request: 2 * f.rules.convoy_price * (whole(request.amount) or 0)),
     help="Buy food from a neutral convoy that is met.")
def buying(f: Field, request: Request, army: Army, row: Army | Convoy | Train, wanted: int) -> None:
    """Buy of a convoy that stands beside the group already (14.4)."""
    _settle(request, isinstance(row, Convoy) and (
        _with_convoy(f, army, row) if may_deal(f, army, row) else _bought(f, army, row)))


def _bought(f: Field, army: Army, convoy: Convoy) -> bool:
    """Buy by order of a convoy that is not met. Whether anything was bought."""
    f.meets(army, convoy)
    n = int(_ordered_deal(f, army, convoy, _for_sale(f, army, convoy), may_take=False).partition(":")[2] or 0)
    if n:
        _buy(f, army, convoy, n)
    return n > 0


@act("TAKE", "PRENDI", FOLLOWER, unit=WALKER, help="Take an unescorted convoy or train that is met.")
def taking(f: Field, request: Request, army: Army, row: Army | Convoy | Train) -> None:
    """Take what stands beside the group already (10, 14.4)."""
    _settle(request, _with_convoy(f, army, row) if isinstance(row, Convoy) else (
        isinstance(row, Train) and f.side(row.faction) != NEUTRAL and train_met(f, army, row)))


def _hire(f: Field, request: Request, army: Army, company: Army, loot: int = 0) -> None:
    """Pay a company that stands beside the group already, or promise it loot (E2)."""
    afford(f, request, "unit")
    _settle(request, hires(f, army, company, asked=False))


hiring = act("HIRE", "ASSOLDA", other_group(led_by_noble, unpaid), cost=a_head("merc_price"),
             help="Pay unhired mercenaries who are met.")(_hire)
promising = act("PROMISE", "PROMETTI", other_group(led_by_noble, unpaid), amount=Points(then=(believed,)),
                help="Promise loot to mercenaries who are met.")(_hire)


@act("LURE", "DISTOGLI", other_group(led_by_noble, in_enemy_pay), cost=a_head("lure_price"),
     help="Win over the enemy's mercenaries who are met alone.")
def luring(f: Field, request: Request, army: Army, company: Army) -> None:
    """Win a company over that stands beside the group already (E3)."""
    afford(f, request, "unit")
    f.meets(army, company)
    if lure_price(f, army, company):
        won_over(f, army, company)


def _with_convoy(f: Field, army: Army, convoy: Convoy) -> bool:
    return convoy_met(f, army, convoy, ends=army.army in f.staying, asked=False) != ""


def _settle(request: Request, done: bool) -> None:
    """A deal that was not made waits: its partner may come to the group, or be met on the way."""
    request.row.status = "accepted" if done else ""


DEALS = (hiring, promising, luring, buying, taking)
"""Acts that answer the question of a meeting in advance: groups come before convoys and trains, as in a meeting."""


def deals_here(f: Field, army: Army, here: str, last: bool) -> None:
    """Carry out the deals ordered for the hex where a group starts: who stands there since yesterday is not met."""
    for request in f.due(army, DEALS, here, last) if not army.inside and f.side(army.faction) != NEUTRAL else ():
        if beside(f, request, army):
            do_here(f, request)


def beside(f: Field, request: Request, army: Army) -> bool:
    """Whether the partner of a deal, or who is to be attacked, stands beside the group and may be spoken to."""
    row = target_of(f, request)
    if isinstance(row, Army):
        hostile = request.verb not in [verb.en for verb in DEALS]
        return (row.active and (row.mercenary or hostile) and row.node == army.node and not row.inside
                and not f.attached(row) and not f.safe(army) and not f.safe(row))
    return may_deal(f, army, row) or (isinstance(row, Convoy) and request.verb == buying.en and sells(f, army, row))
