"""Encounters: mercenaries, convoys, trains, loyalty, attack, refusal (7, 8.3, 10 to 12, 14, 15.5)."""

from __future__ import annotations

from assistant.rulesets.anarchy import both, tables
from assistant.rulesets.anarchy.aftermath import field_battle, sally
from assistant.rulesets.anarchy.field import Field, is_mounted
from assistant.rulesets.anarchy.messages import MOST_PROMISED, choice_code
from assistant.rulesets.anarchy.orders import (
    ANY_POINTS,
    FOLLOWER,
    WALKER,
    Points,
    act,
    afford,
    carry_out_act,
    cost_a_head,
    other_group,
    target_of,
)
from assistant.rulesets.anarchy.realm import half_pounds, show_ranks
from assistant.rulesets.anarchy.records import (
    LETTER_OF,
    NEUTRAL,
    RANKS,
    ROYAL,
    Army,
    Convoy,
    Noble,
    Place,
    Prisoners,
    Train,
    pounds,
)
from assistant.turn.dice import REFEREE, Roll
from assistant.turn.game import Chest, Spent
from assistant.turn.orders.named_columns import require_row
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.verbs import Cost
from assistant.turn.questions import Amount
from assistant.turn.rulings import Reading, read_scale

# Mercenaries, convoys and trains, by order or question (10 to 12, 14.3, 14.4; rulebook: Activation).


# --- mercenaries ----------------------------------------------------------------------------------
def try_to_hire(f: Field, army: Army, company: Army, asked: bool = True) -> bool:
    """E2: pay, promise loot, or neither, by order, else by answer if it may be `asked`. Returns whether they come."""
    f.meets(army, company)
    side, cost = f.side(army.faction), 2 * f.rules.merc_price * f.heads(company)
    may_promise, may_pay = company.no_promise_to != side, army.money >= cost
    options = [*(["pay"] if may_pay else []), *(["promise:n"] if may_promise else []), "no"]
    promise, pay = f.ordered(army, "PROMISE", company), f.ordered(army, "HIRE", company)
    choice = ""
    if promise is not None and may_promise:
        amount = ANY_POINTS.judge(f, promise, "amount")
        choice = mark_used(promise, f"promise:{amount}" if amount is not None and amount <= MOST_PROMISED else "")
    elif pay is not None and may_pay:
        choice = mark_used(pay, "pay")
    if asked and not choice and len(options) > 1:  # no question to a group that can neither pay nor promise
        choice = f.choose("hire", army.faction, f"{army.army}/{company.node}/{company.army}", options, "no",
                          unit=army.army, mercs=company.army, hex=company.node, cost=pounds(cost))
    what, _, points = choice.partition(":")
    if what == "pay" and may_pay:
        army.money -= cost
        _take_into_service(f, army, company, "paid", pounds(cost))
    elif what == "promise" and may_promise and points != "n":
        _take_into_service(f, army, company, "promised", str(int(points)), int(points))
    else:
        return False
    return True


def mark_used(request: Request, choice: str) -> str:
    """Return the choice that an order makes; unless it is blank, the order is marked as accepted."""
    if choice:
        request.row.status = "accepted"
    return choice


def _take_into_service(f: Field, army: Army, company: Army, terms: str, n: str, points: int = 0, *,
          lured: bool = False) -> None:
    """A company takes service: that is public, the terms are for the employer's side."""
    f.hire(company, army, terms, points)
    f.tell("lured" if lured else "hired", mercs=company.army, group=army.army)
    f.tell("hired", f.own(army.faction), rule="11.5" if lured else "11.3", mercs=company.army,
           group=army.army, terms=terms, n=n)


def lure_price(f: Field, army: Army, company: Army) -> int:
    """The price of winning a company over, in half-pounds; 0 if that is impossible (11.5)."""
    cost = 2 * f.rules.lure_price * f.heads(company)
    return cost if f.commander(army) is not None and army.money >= cost and group_too_near(f, company) is None else 0


def group_too_near(f: Field, company: Army) -> Army | None:
    """A group of the company's side that is too near for luring, if any."""
    side = f.side(company.faction)
    return next((a for a in f.active() if a.army != company.army and f.side(a.faction) == side
                 and f.apart(a.node, company.node) < f.rules.lure_distance), None)


def win_over(f: Field, army: Army, company: Army) -> None:
    """E3: a company changes sides, paid and attached."""
    cost = lure_price(f, army, company)
    army.money -= cost
    _take_into_service(f, army, company, "paid", pounds(cost), lured=True)


# --- convoys --------------------------------------------------------------------------------------
def may_deal(f: Field, army: Army, row: Convoy | Train) -> bool:
    """Whether a group may deal with a convoy or train: on its hex, without escort, not of its own side."""
    return (row.state == "active" and row.node == army.node and not row.escort
            and army.active and not f.attached(army) and not army.inside and not f.limited(army) and not f.safe(army)
            and f.side(army.faction) not in (NEUTRAL, f.side(row.faction)))


def meet_convoy(f: Field, army: Army, convoy: Convoy, *, ends: bool, asked: bool = True) -> str:
    """A group meets an unescorted convoy that is not its own. Returns ``buy``, ``take``, or "" if it passes.

    `ends`: the group's march ends here, or the convoy came to it; `asked`: ask if there is no order.
    """
    f.meets(army, convoy)
    most, may_take = _points_for_sale(f, army, convoy), f.rules.convoy_owner == "stays" or ends
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
        f.tell("convoy_taken", c=convoy.convoy, group=army.army)
        return "take"
    return ""


def _points_for_sale(f: Field, army: Army, convoy: Convoy) -> int:
    """Points that a group may buy and can pay: from a neutral convoy what is missing of tomorrow's food.

    With the switch convoy_buy on ``order``: all that it carries, and also from an own convoy.
    """
    by_order, price = f.rules.convoy_buy == "order", 2 * f.rules.convoy_price
    if f.side(convoy.faction) != NEUTRAL and not (by_order and f.side(convoy.faction) == f.side(army.faction)):
        return 0
    most = min(convoy.cargo if by_order else max(0, f.need(army) - army.provisions), convoy.cargo)
    return min(most, army.money // price if price else most)


def may_buy_unmet(f: Field, army: Army, convoy: Convoy) -> bool:
    """Whether a group may buy by order from a convoy that it does not meet: an own or an escorted one."""
    return (f.rules.convoy_buy == "order" and convoy.state == "active" and convoy.node == army.node
            and f.able(army) and not army.inside and not f.limited(army)
            and f.side(convoy.faction) in (f.side(army.faction), NEUTRAL))


def _ordered_deal(f: Field, army: Army, convoy: Convoy, most: int, may_take: bool) -> str:
    take, buy = f.ordered(army, "TAKE", convoy), f.ordered(army, "BUY", convoy)
    if take is not None and may_take:
        return mark_used(take, "take")
    if buy is None or not most:
        return ""
    return mark_used(buy, f"buy:{min(most, ANY_POINTS.judge(f, buy, 'amount') or 0)}")


def _buy(f: Field, army: Army, convoy: Convoy, n: int) -> None:
    cost = 2 * f.rules.convoy_price * n
    army.money -= cost
    army.provisions += n
    convoy.cargo -= n
    f.tell("bought", n=n, cost=pounds(cost), c=convoy.convoy, group=army.army)


# --- trains ---------------------------------------------------------------------------------------
def meet_train(f: Field, army: Army, train: Train) -> bool:
    """A group meets an unescorted enemy train. Returns whether it is taken or burnt."""
    f.meets(army, train)
    take = f.ordered(army, "TAKE", train)
    choice = mark_used(take, "take") if take is not None else f.choose(
        "train", army.faction, f"{army.army}/{train.node}/{train.train}", ("take", "burn", "pass"), "take",
        unit=army.army, train=train.train, hex=train.node)
    if choice != "pass":
        f.fall_to(army, train, choice)
        f.tell("train_taken", c=train.train, group=army.army, way=choice)
    return choice != "pass"


def meet_goods(f: Field, army: Army, ends: bool) -> None:
    """A group meets the convoys, then the trains on its hex, by id."""
    for convoy in f.convoys:
        if may_buy_unmet(f, army, convoy) and not may_deal(f, army, convoy):
            _buy_unmet(f, army, convoy)
        if may_deal(f, army, convoy) and f.able(army):
            meet_convoy(f, army, convoy, ends=ends)
    for train in f.trains:
        if may_deal(f, army, train) and f.able(army) and f.side(train.faction) != NEUTRAL:
            meet_train(f, army, train)


# --- by order, with a partner on the same hex -------------------------------------------------------
def check_led_by_noble(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse a group without a noble (ANA-501)."""
    refuse_if(f.commander(f.armies[request.unit]) is None, "ANA-501", "unit")


def check_unhired(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse a company that somebody has hired (ANA-504)."""
    if not f.unhired(company):
        raise f.under_contract(company, f.side(request.faction), field)


def check_in_enemy_pay(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse a company that is not in enemy pay, or has an enemy group near (ANA-503, 504)."""
    side, near = f.side(request.faction), group_too_near(f, company)
    if company.contract == "none" or f.side(company.faction) == side:
        raise f.under_contract(company, side, field)
    if near is not None:
        raise Refused("ANA-503", field, x=near.army, n=f.apart(near.node, company.node), m=company.army,
                      d=f.rules.lure_distance)


def check_for_sale(f: Field, request: Request, wanted: int, field: str) -> None:
    """Refuse an enemy convoy: food is bought from neutral or own ones (ANA-606)."""
    row = FOLLOWER.judge(f, request, "target")
    owner = f.side(row.faction)
    refuse_if(owner not in (f.side(request.faction), NEUTRAL), "ANA-606", "target", c=row.ident, side=owner)


def check_believed(f: Field, request: Request, points: int, field: str) -> None:
    """Refuse promises to a company that has deserted the side (ANA-502)."""
    company, side = require_row(f.armies, request.target, "target"), f.side(request.faction)
    refuse_if(company.no_promise_to == side, "ANA-502", "target", m=company.army, side=side)


def recruit_prices(f: Field) -> tuple[tuple[str, int], ...]:
    """The ranks that can be recruited, each with its price in half-pounds (13.1)."""
    return ("light", 2 * f.rules.recruit_light), ("peasants", half_pounds(f.rules.recruit_peasant))


POUNDS_IN_ALL_GROUPS = both("pounds in all groups", "sterline in tutti i gruppi")


def chests(f: Field, faction: str) -> list[Chest]:
    """A faction's purses taken together, in half-pounds, and what each kind of order takes out of them.

    Which group pays, and whether it can, is judged when the day is resolved.
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
    return [Chest(sum(mine), POUNDS_IN_ALL_GROUPS, tuple(spent), parts=2)] if mine else []


@act("BUY", "COMPRA", FOLLOWER, unit=WALKER, amount=Points(then=(check_for_sale,)),
     cost=Cost("convoy_price", reckoned=lambda f, request: 2 * f.rules.convoy_price * (
         ANY_POINTS.judge(f, request, "amount") or 0)),
     help=both("Buy food from a neutral convoy that is met.", "Compra viveri da un convoglio neutrale incontrato."))
def buy_food(f: Field, request: Request, army: Army, row: Army | Convoy | Train, wanted: int) -> None:
    """Buy from a convoy on the group's hex (14.4)."""
    _set_done(request, isinstance(row, Convoy) and (
        _deal_with_convoy(f, army, row) if may_deal(f, army, row) else _buy_unmet(f, army, row)))


def _buy_unmet(f: Field, army: Army, convoy: Convoy) -> bool:
    """Buy by order from a convoy that is not met. Returns whether anything was bought."""
    f.meets(army, convoy)
    n = int(_ordered_deal(f, army, convoy, _points_for_sale(f, army, convoy), may_take=False).partition(":")[2] or 0)
    if n:
        _buy(f, army, convoy, n)
    return n > 0


@act("TAKE", "PRENDI", FOLLOWER, unit=WALKER,
     help=both("Take an unescorted convoy or train that is met.", "Prende un convoglio o delle macchine senza scorta."))
def take_goods(f: Field, request: Request, army: Army, row: Army | Convoy | Train) -> None:
    """Take a convoy or train on the group's hex (10, 14.4)."""
    _set_done(request, _deal_with_convoy(f, army, row) if isinstance(row, Convoy) else (
        isinstance(row, Train) and f.side(row.faction) != NEUTRAL and meet_train(f, army, row)))


def _hire(f: Field, request: Request, army: Army, company: Army, loot: int = 0) -> None:
    """Pay a company on the group's hex, or promise it loot (E2)."""
    afford(f, request, "unit")
    _set_done(request, try_to_hire(f, army, company, asked=False))


hire_company = act("HIRE", "ASSOLDA", other_group(check_led_by_noble, check_unhired), cost=cost_a_head("merc_price"),
                   help=both("Pay unhired mercenaries who are met.", "Paga i mercenari liberi incontrati."))(_hire)
promise_loot = act("PROMISE", "PROMETTI", other_group(check_led_by_noble, check_unhired),
                   amount=Points(then=(check_believed,)),
                   help=both("Promise loot to mercenaries who are met.", "Promette bottino ai mercenari incontrati."))(
    _hire)


@act("LURE", "DISTOGLI", other_group(check_led_by_noble, check_in_enemy_pay), cost=cost_a_head("lure_price"),
     help=both("Win over the enemy's mercenaries who are met alone.",
               "Distoglie i mercenari nemici incontrati da soli."))
def lure_company(f: Field, request: Request, army: Army, company: Army) -> None:
    """Win over a company on the group's hex (E3)."""
    afford(f, request, "unit")
    f.meets(army, company)
    if lure_price(f, army, company):
        win_over(f, army, company)


def _deal_with_convoy(f: Field, army: Army, convoy: Convoy) -> bool:
    return meet_convoy(f, army, convoy, ends=army.army in f.staying, asked=False) != ""


def _set_done(request: Request, done: bool) -> None:
    request.row.status = "accepted" if done else ""


DEALS = (hire_company, promise_loot, lure_company, buy_food, take_goods)
"""Acts that answer the questions of a meeting in advance; as in a meeting, groups come before convoys and trains."""


def deals_here(f: Field, army: Army, here: str, last: bool) -> None:
    """Carry out deals on the hex where a group starts: those who are there since yesterday are not met."""
    for request in f.due(army, DEALS, here, last) if not army.inside and f.side(army.faction) != NEUTRAL else ():
        if stands_beside(f, request, army):
            carry_out_act(f, request)


def stands_beside(f: Field, request: Request, army: Army) -> bool:
    """Whether the partner of a deal, or the group to be attacked, is on the group's hex and within reach."""
    row = target_of(f, request)
    if isinstance(row, Army):
        hostile = request.verb not in [verb.en for verb in DEALS]
        return (row.active and (row.mercenary or hostile) and row.node == army.node and not row.inside
                and not f.attached(row) and not f.safe(army) and not f.safe(row))
    return may_deal(f, army, row) or (
        isinstance(row, Convoy) and request.verb == buy_food.en and may_buy_unmet(f, army, row))


# Meetings of groups: the test of loyalty, attack or pass, refusal (7, 8.3, 11, 14, 15.5).


NO_LEVEL = 5
"""The level of mercenaries, who have no loyalty, if the mover is tested (switch loyalty_subject)."""
LEVELS = range(1, 11)
PLAIN_PRESTIGE = 5
"""The row of the table for a group without a noble."""


def loyalty_modifiers(realm: Field, mover: Army, met: Army) -> dict[str, int]:
    """Modifiers to the loyalty of the group met: the mover's prestige and numbers."""
    sign = 1 if realm.side(mover.faction) == ROYAL else -1
    noble = realm.commander(mover)
    fame = tables.BY_PRESTIGE.at(noble.prestige if noble is not None else PLAIN_PRESTIGE)
    numbers = tables.BY_NUMBERS.at(realm.stack_heads(mover) - realm.stack_heads(met))
    return {"prestige": sign * fame, "numbers": sign * numbers}


def _loyalty_level(realm: Field, subject: Army, mover: Army, met: Army) -> int:
    """The loyalty of a group: its own, else its commander's, else the referee's ruling."""
    noble = realm.commander(subject)
    for level in (subject.loyalty, noble.loyalty if noble is not None else None):
        if level is not None:
            return level
    if subject.mercenary:
        return NO_LEVEL
    other = mover if subject is met else met
    levels = [str(level) for level in LEVELS]
    return realm.game.amount(realm.ruling(f"loyalty/{met.army}/{mover.army}", levels, "loyalty", x=subject.army,
                                          met=other.army, hex=met.node, answer=Amount(LEVELS[0], LEVELS[-1])))


def loyalty_reading(realm: Field, mover: Army, met: Army) -> Reading:
    """Test loyalty: the level with its modifiers, read in the table as royal, neutral or angevin."""
    rules = realm.rules
    subject = met if rules.loyalty_subject == "met" else mover
    level: int | None = None if rules.loyalty_test_mode == "die" else _loyalty_level(realm, subject, mover, met)
    counts = loyalty_modifiers(realm, mover, met)
    roll: Roll | None = None
    if rules.loyalty_test_mode != "level":
        known = realm.both(realm.side(mover.faction), realm.side(met.faction))
        roll = realm.throw(tables.LOYALTY_TO, known or REFEREE, met.army, mover.army)
        if rules.loyalty_test_mode != "die":
            counts["swing"] = -1 if roll.at_most(2) else int(roll.at_least(9))
    return read_scale(tables.BANDS[rules.neutral_band], counts, level=level, roll=roll, low=1, high=10)


def meet_groups(f: Field, mover: Army) -> None:
    """A mover meets the groups on the hex that it has entered, in the order of march, until it is spent."""
    node = mover.node
    if f.safe(mover) or f.side(mover.faction) == NEUTRAL:
        return
    for met in f.marching(a for a in f.at(node) if a.army != mover.army and not a.inside and not f.attached(a)
                          and f.side(a.faction) != f.side(mover.faction) and not f.safe(a)):
        if not f.able(mover, node):
            return
        here = met.active and met.node == node and not met.inside and not f.attached(met)
        if here and f.side(met.faction) != f.side(mover.faction):
            meet(f, mover, met)


def meet(f: Field, mover: Army, met: Army) -> None:
    """A mover meets one group (E2 to E5)."""
    f.meets(mover, met)
    if f.unhired(met):  # E2: a group with a noble may hire them, else they give way; they are never attacked
        if f.limited(mover) or f.commander(mover) is None or not try_to_hire(f, mover, met):
            f.tell("not_hired", mercs=met.army, group=mover.army)
            f.back_away(met, f.heading.get(mover.army, ""))
        return
    f.tell("met", a=mover.army, b=met.army, hex=mover.node,
           composition="; ".join([show_ranks(a.ranks) for a in f.stack(met) if a.men] or ["-"]))
    if met.mercenary:
        _meet_lone_company(f, mover, met)
    elif _stands_against(f, mover, met):
        challenge(f, mover, met)


def _meet_lone_company(f: Field, mover: Army, company: Army) -> None:
    """E3: the other side's mercenaries without their employer may be won over, attacked, or left alone."""
    choice = "pass"
    if not f.limited(mover):
        cost = lure_price(f, mover, company)
        lure = f.ordered(mover, "LURE", company)
        choice = mark_used(lure, "pay") if lure is not None and cost else _mover_choice(f, mover, company)
        if choice == "ask" or (choice == "pass" and cost):  # who does not look for a fight may still buy
            options = [*(["pay"] if cost else []), "attack", "pass"]
            choice = f.choose("lure", mover.faction, f"{mover.army}/{mover.node}/{company.army}", options, "pass",
                              unit=mover.army, mercs=company.army, hex=mover.node, cost=pounds(cost) if cost else "-")
    if choice == "pay":
        win_over(f, mover, company)
    else:
        challenge(f, mover, company, choice)


# --- E4: loyalty ----------------------------------------------------------------------------------
def _stands_against(f: Field, mover: Army, met: Army) -> bool:
    """Test the loyalty of a Norman group. Returns whether it stands against the mover now."""
    mine, theirs = f.side(mover.faction), f.side(met.faction)
    reading = loyalty_reading(f, mover, met)
    f.tell("loyalty_tested", roll=reading, x=met.army, a=mover.army, verdict=reading.verdict)
    uncommitted, effect = theirs == NEUTRAL, f.rules.loyalty_effect
    if reading.verdict == NEUTRAL:
        if f.rules.neutral_meets == "backs":
            f.back_away(met, f.heading.get(mover.army, ""))
        return False
    changes = (uncommitted and effect != "encounter") or effect == "lasting"
    if changes and reading.verdict != theirs:
        captives = [p for unit in f.stack(met) for p in f.led_captives(unit)]
        f.go_over(met, _new_faction(f, mover, met, reading.verdict))
        f.tell("sided", x=met.army, side=reading.verdict)
        for record in captives:  # captives of the new side are among friends now
            if f.side(record.faction) == reading.verdict:
                f.free_captives(record, met)
    if reading.verdict == mine:
        if not changes and not uncommitted:
            f.back_away(met, f.heading.get(mover.army, ""))
        return False
    return True


def _new_faction(f: Field, mover: Army, met: Army, side: str) -> str:
    """The faction that a group joins on its new side: the mover's, else the only one, else by ruling."""
    if f.side(mover.faction) == side:
        return mover.faction
    clubs = f.clubs(side)
    return clubs[0] if len(clubs) == 1 else f.game.choose(
        f.ruling(f"sided/{met.army}", clubs, "side", x=met.army, side=side, list=", ".join(clubs)))


# --- E5: attack or pass ---------------------------------------------------------------------------
def _mover_choice(f: Field, mover: Army, met: Army) -> str:
    """The mover's choice: by order ATTACK, else the MOVE's choice, else its standing choice."""
    if f.limited(mover):
        return "pass"
    if f.ordered(mover, "ATTACK", met):
        return "attack"
    move = f.moves.get(mover.army)
    code = choice_code(move.choice) if move is not None and move.choice else ""
    return code if code in ("attack", "pass", "ask") else mover.on_meeting


def challenge(f: Field, mover: Army, met: Army, choice: str = "") -> None:
    """Both choose to attack or pass; carry out what they chose."""
    first = choice or _mover_choice(f, mover, met)
    second = "pass" if f.limited(met) or met.army in f.spent else met.on_meeting
    node = mover.node
    asks = []
    if first == "ask":
        asks.append(f.question("attack", mover.faction, f"{mover.army}/{node}/{met.army}",
                               ("attack", "pass"), "pass", unit=mover.army, met=met.army, hex=node))
    if second == "ask" and first != "attack":
        asks.append(f.question("contest", met.faction, f"{met.army}/{node}/{mover.army}",
                               ("attack", "pass"), "pass", unit=met.army, met=mover.army, hex=node))
    answers = dict(zip([a.kind for a in asks], f.game.choose_all(asks), strict=True))
    first, second = answers.get("attack", first), answers.get("contest", second)
    if "attack" in (first, second):  # they fight, whoever ordered it
        for unit, other in ((mover, met), (met, mover)):
            order = f.ordered(unit, "ATTACK", other)
            if order is not None:
                order.row.status = "accepted"
    if first == "attack" and second == "attack":
        f.tell("attack", a=mover.army, b=met.army, hex=node)
        if f.lone(met):
            Refusal(f, mover, met).run()
        else:
            field_battle(f, mover, met, mover)
    elif first == "attack":
        resolve_attack(f, mover, met, mover)
    elif second == "attack":
        resolve_attack(f, met, mover, mover)
    else:
        f.tell("passed", a=mover.army, b=met.army)


class Refusal:
    """A group that refuses battle: each of its people is tested (15.5)."""

    def __init__(self, f: Field, attacker: Army | Place, target: Army) -> None:
        self.f, self.target = f, target
        self.attacker = attacker if isinstance(attacker, Army) else None
        self.captor = f.side(attacker.faction) if isinstance(attacker, Army) else attacker.holder
        self.record: Prisoners | None = None if self.captor == NEUTRAL else f.new_captives(
            target.faction, self.captor, self.attacker, target.node)
        self.rolls: list[Roll] = []
        self.counts = dict.fromkeys(("free", "prisoner", "wounded", "killed"), 0)
        self.known = f.both(self.captor, f.side(target.faction)) or REFEREE

    def run(self) -> None:
        """Test everybody, then settle prestige, what they led, dissolution and retreat."""
        f, target, attacker = self.f, self.target, self.attacker
        leader = f.commander(target)
        led = [p for a in f.stack(target) for p in f.led_captives(a)]
        for unit in f.stack(target):
            self._men(unit)
            for noble in f.with_them(unit):
                self._noble(noble, unit)
        if self.record is not None and f.drop_if_empty(self.record):
            self.record = None
        f.tell("refused", b=target.army, part="fact")
        f.tell("refused", self.known, roll=self.rolls, b=target.army, n=self.counts["free"],
               p=self.counts["prisoner"], w=self.counts["wounded"], k=self.counts["killed"])
        twice = 2 if f.rules.refusal_prestige == "twice" else 1
        f.change_prestige(leader, twice * f.rules.prestige_refusal, "battle refused", "15.5")
        if attacker is not None:
            for unit in f.stack(target):
                f.lost_to(unit, attacker)
            for record in led:
                if record.state in ("waiting", "escorted"):
                    f.free_captives(record, attacker)
        f.spend(*(a for a in (target, attacker) if a is not None))
        stack = f.stack(target)
        f.dissolve_small(stack)
        towards = f.heading.get(attacker.army, "") if attacker is not None else ""
        for unit in [a for a in stack if a.active and not f.attached(a)]:
            if not f.retreats([unit], towards)[0] and f.side(unit.faction) != NEUTRAL:
                for member in f.stack(unit):
                    self.record = f.surrender_group(member, self.captor, attacker, record=self.record)

    def _test(self, roll: Roll, rank: str, hurt: bool) -> str:
        name = {"knights": "knight", "noble": "noble"}.get(rank, "armour")
        modifiers = {name: tables.REFUSAL_MODIFIERS.get(rank, 0), "hurt": tables.REFUSAL_HURT if hurt else 0}
        if self.f.rules.refusal_extra == "yes":
            modifiers["forest"] = -1 if "forest" in self.f.hexes.terrains(self.target.node) else 0
            modifiers["mounted pursuers"] = int(
                self.attacker is not None and all(is_mounted(a) for a in self.f.stack(self.attacker)))
        self.rolls.append(roll)
        verdict = read_scale(tables.REFUSAL, modifiers, roll=roll, low=1).verdict
        self.counts[verdict] += 1
        return verdict

    def _men(self, army: Army) -> None:
        """Test all men, in each rank the hurt first."""
        for rank in RANKS:
            hurt = self.f.hurt_here(army, rank)
            rolls = (self.f.throw(tables.REFUSAL_OF_MAN, self.known, army.army, rank, i)
                     for i in range(1, army.count(rank) + 1))
            verdicts = [self._test(roll, rank, i < len(hurt)) for i, roll in enumerate(rolls)]
            for i, verdict in enumerate(verdicts):
                wound = hurt[i] if i < len(hurt) else None
                if verdict == "wounded" and wound is None:
                    self.f.hurt_man(army, rank)
                elif verdict == "killed":
                    self.f.take_off(army, rank, 1, "dead", wound)
                elif verdict == "prisoner" and self.record is not None:
                    self.f.take_off(army, rank, 1, "prisoner", wound)
                    self.record.put(rank, 1)

    def _noble(self, noble: Noble, army: Army) -> None:
        verdict = self._test(self.f.throw(tables.REFUSAL_OF_NOBLE, self.known, army.army, noble.noble), "noble",
                             noble.state == "wounded")
        if verdict == "prisoner" and self.record is not None:
            self.f.take_noble(noble, self.record, "15.5")
        elif verdict == "killed" or (verdict == "wounded" and noble.state != "wounded"):
            self.f.strike(noble, verdict, "15.5")


# --- E6: attacked ---------------------------------------------------------------------------------
def resolve_attack(f: Field, attacker: Army, target: Army, mover: Army) -> None:
    """The group attacked fights, refuses, or shuts itself in."""
    choice = _reaction(f, attacker, target)
    castle = f.castle_at(target.node, f.side(target.faction))
    if choice == "refuse":
        Refusal(f, attacker, target).run()
    elif choice == "shut_in" and castle is not None:
        stack = f.stack(target)  # it goes inside with its mercenaries: no test, but it costs prestige
        for unit in stack:
            unit.inside, unit.besieging = castle.place, ""
        f.tell("shut_in", b=target.army, place=castle.place)
        if f.rules.shut_in_prestige == "yes":
            f.change_prestige(f.commander(target), f.rules.prestige_refusal, "shut in")
        f.spend(target, attacker)
    else:
        field_battle(f, attacker, target, mover)


def _reaction(f: Field, attacker: Army | Place, target: Army) -> str:
    """The reaction of a group that is attacked: its standing choice, else its faction's answer."""
    f.tell("attack", a=attacker.ident, b=target.army, hex=target.node)
    side = f.side(target.faction)
    castle = f.castle_at(target.node, side)
    shelter = castle is not None and not f.besieged(castle.place)
    options = ["fight", "refuse", *(["shut_in"] if shelter else [])]
    choice = "refuse" if f.lone(target) else target.if_attacked
    if choice not in options:
        choice = f.choose("accept", target.faction, f"{target.army}/{target.node}/{attacker.ident}", options, "fight",
                          unit=target.army, met=attacker.ident, hex=target.node)
    return choice


def carry_out_sally(f: Field, attacker: Army | Place, castle: Place) -> None:
    """A group inside, or the garrison itself, attacks the largest besieging group, without a test of loyalty."""
    target = f.largest(a for a in f.besiegers(castle) if not f.attached(a))
    if target is None:
        return
    f.sallies[attacker.ident].row.status = "accepted"
    if _reaction(f, attacker, target) == "refuse":
        Refusal(f, attacker, target).run()
    else:
        sally(f, attacker, target)
