"""Hiring, luring, convoys and trains that are met (digest 5.6; chapters 10 to 12, 14.3, 14.4)."""

from __future__ import annotations

import re

from assistant.campaign.record import Record
from assistant.rulesets.anarchy.answers import amount_in, choose
from assistant.rulesets.anarchy.change import hire
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import Request
from assistant.rulesets.anarchy.prizes import fall_to
from assistant.rulesets.anarchy.provisions import need
from assistant.rulesets.anarchy.realm import ALL, NEUTRAL, Realm, pounds
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import points
from assistant.rulesets.anarchy.sheets import Convoy, Train
from assistant.rulesets.anarchy.verbs import choice_code

MOST_PROMISED = 999


# --- mercenaries ----------------------------------------------------------------------------------
def hire_question(f: Field, army: Army, company: Army) -> bool:
    """E2: pay, promise loot, or neither. Whether they were hired."""
    side = f.side(army.faction)
    cost = 2 * int(f.rules.merc_price) * f.heads(company)
    may_promise = company.no_promise_to != side
    options = [*(["pay"] if army.money >= cost else []), *(["promise:n"] if may_promise else []), "no"]
    choice = _deal(f, army, company, cost, may_promise)
    if not choice and len(options) > 1:  # who can neither pay nor promise has nothing to answer
        asked = f.question("hire", army.faction, f"{army.army}/{company.node}/{company.army}", options, "no",
                           unit=army.army, mercs=company.army, hex=company.node, cost=pounds(cost))
        choice = choose(f, asked, lambda text: _promise(text) if may_promise else "")
    return _engage(f, army, company, cost, choice)


def hire_by_order(f: Field, army: Army, company: Army) -> bool:
    """Hire a company as an order says, without a question. Whether they were hired."""
    cost = 2 * int(f.rules.merc_price) * f.heads(company)
    may_promise = company.no_promise_to != f.side(army.faction)
    return _engage(f, army, company, cost, _deal(f, army, company, cost, may_promise))


def _engage(f: Field, army: Army, company: Army, cost: int, choice: str) -> bool:
    """Carry out what was chosen of a company. Whether they were hired."""
    may_promise = company.no_promise_to != f.side(army.faction)
    if choice == "pay" and army.money >= cost:
        army.money -= cost
        touched = hire(f, company, army, "paid")
        _join(f, army, company, touched, "paid", pounds(cost))
        return True
    if choice.startswith("promise:") and may_promise and choice != "promise:n":
        points = int(choice.partition(":")[2])
        touched = hire(f, company, army, "promised", points)
        _join(f, army, company, touched, "promised", str(points))
        return True
    return False


def _deal(f: Field, army: Army, company: Army, cost: int, may_promise: bool) -> str:
    """What an order says beforehand; "" where none does or it cannot be."""
    promise = f.ordered(army, "PROMISE", company.army, company.name)
    if promise is not None and may_promise:
        return used(promise, _promise(f"promise:{promise.amount}"))
    pay = f.ordered(army, "HIRE", company.army, company.name)
    if pay is not None and army.money >= cost:
        return used(pay, "pay")
    return ""


def used(request: Request, choice: str) -> str:
    """What an order says beforehand; where it says something it has been used."""
    if choice:
        request.row.status = "accepted"
    return choice


def _promise(text: str) -> str:
    word, _, number = text.strip().replace(" ", ":", 1).partition(":")
    n = amount_in(number, 0, MOST_PROMISED)
    return f"promise:{n}" if choice_code(word) == "promise" and n else ""


def _join(f: Field, army: Army, company: Army, touched: list[Record], terms: str, n: str) -> None:
    f.tell("hired", ALL, "11.2", touch=touched, mercs=company.army, group=army.army)
    f.tell("hired", f.own(army.faction), "11.3", touch=touched, mercs=company.army, group=army.army, terms=terms, n=n)


def lure_price(f: Field, army: Army, company: Army) -> int:
    """What it costs to win a company over, in halves; 0 where it cannot be (11.5)."""
    cost = 2 * int(f.rules.lure_price) * f.heads(company)
    near = too_near(f, company)
    return cost if f.commander(army) is not None and army.money >= cost and near is None else 0


def too_near(f: Realm, company: Army) -> Army | None:
    """A group of the company's side nearer than luring allows."""
    side = f.side(company.faction)
    return next((a for a in f.active() if a.army != company.army and f.side(a.faction) == side
                 and f.apart(a.node, company.node) < int(f.rules.lure_distance)), None)


def won_over(f: Field, army: Army, company: Army) -> None:
    """E3: they change sides, paid and attached."""
    cost = lure_price(f, army, company)
    army.money -= cost
    touched = hire(f, company, army, "paid")
    f.tell("lured", ALL, "11.5", touch=touched, mercs=company.army, group=army.army)
    f.tell("hired", f.own(army.faction), "11.5", touch=touched, mercs=company.army, group=army.army, terms="paid",
           n=pounds(cost))


# --- convoys --------------------------------------------------------------------------------------
def may_deal(f: Field, army: Army, owner: str) -> bool:
    """Whether a group is asked about somebody's convoy or train."""
    return (army.active and not f.attached(army) and not army.inside and not f.limited(army)
            and f.side(army.faction) not in (NEUTRAL, f.side(owner)))


def convoy_met(f: Field, army: Army, convoy: Convoy, came: bool, ends: bool) -> str:
    """A group and an unescorted convoy that is not its own: ``buy``, ``take``, or "" where it passes.

    `came`: the convoy came to the group; `ends`: the group's march ends here.
    """
    most = _for_sale(f, army, convoy)
    may_take = f.rules.convoy_owner == "stays" or ends or came
    options = [*([f"buy:{most}"] if most else []), *(["take"] if may_take else []), "pass"]
    default = "take" if (ends or came) and may_take else "pass"
    choice = _ordered_deal(f, army, convoy, most, may_take)
    if not choice and len(options) > 1:
        asked = f.question("convoy", army.faction, f"{army.army}/{convoy.node}/{convoy.convoy}", options,
                           default, unit=army.army, convoy=convoy.convoy, hex=convoy.node, cargo=convoy.cargo)
        choice = choose(f, asked, lambda text: _buy(text, most))
    return _dealt(f, army, convoy, choice)


def convoy_by_order(f: Field, army: Army, convoy: Convoy, ends: bool) -> str:
    """Buy from a convoy or take it as an order says, without a question; as `convoy_met`."""
    may_take = f.rules.convoy_owner == "stays" or ends
    return _dealt(f, army, convoy, _ordered_deal(f, army, convoy, _for_sale(f, army, convoy), may_take))


def _for_sale(f: Field, army: Army, convoy: Convoy) -> int:
    """Points that a group may buy: of a neutral convoy, what tomorrow's food still lacks and its purse can pay."""
    if f.side(convoy.faction) != NEUTRAL:
        return 0
    lacking, price = max(0, need(f, army) - army.provisions), 2 * int(f.rules.convoy_price)
    return min(lacking, convoy.cargo, army.money // price if price else lacking)


def _dealt(f: Field, army: Army, convoy: Convoy, choice: str) -> str:
    """Carry out what was chosen of a convoy."""
    match = re.fullmatch(r"buy:(\d+)", choice)
    if match is not None:
        _bought(f, army, convoy, int(match[1]), 2 * int(f.rules.convoy_price))
        return "buy" if int(match[1]) else ""
    if choice == "take":
        convoy.faction, convoy.escort = army.faction, army.army
        f.tell("convoy_taken", ALL, "14.4", touch=[convoy], c=convoy.convoy, group=army.army)
        return "take"
    return ""


def _ordered_deal(f: Field, army: Army, convoy: Convoy, most: int, may_take: bool) -> str:
    take = f.ordered(army, "TAKE", convoy.convoy, convoy.name)
    if take is not None and may_take:
        return used(take, "take")
    buy = f.ordered(army, "BUY", convoy.convoy, convoy.name)
    if buy is not None and most:
        return used(buy, f"buy:{min(most, points(buy.amount) or 0)}")
    return ""


def _buy(text: str, most: int) -> str:
    word, _, number = text.strip().replace(" ", ":", 1).partition(":")
    n = amount_in(number, 1, most)
    return f"buy:{n}" if choice_code(word) == "buy" and n else ""


def _bought(f: Field, army: Army, convoy: Convoy, n: int, price: int) -> None:
    army.money -= price * n
    army.provisions += n
    convoy.cargo -= n
    f.tell("bought", f.here(convoy.node), "14.4", touch=[army, convoy], n=n, cost=pounds(price * n), c=convoy.convoy,
           group=army.army)


# --- trains ---------------------------------------------------------------------------------------
def train_met(f: Field, army: Army, train: Train) -> bool:
    """A group and an enemy train that nobody escorts. Whether it is taken or burnt."""
    take = f.ordered(army, "TAKE", train.train, train.name)
    choice = used(take, "take") if take is not None else ""
    if not choice:
        asked = f.question("train", army.faction, f"{army.army}/{train.node}/{train.train}",
                           ("take", "burn", "pass"), "take", unit=army.army, train=train.train, hex=train.node)
        choice = choose(f, asked)
    if choice == "pass":
        return False
    fall_to(army, train, choice)
    f.tell("train_taken", ALL, "10", touch=[train], c=train.train, group=army.army, way=choice)
    return True


def goods_met(f: Field, army: Army, ends: bool) -> None:
    """Convoys, then trains that a group finds on a hex, by id."""
    for convoy in f.convoys:
        here = convoy.state == "active" and convoy.node == army.node and not convoy.escort
        if here and f.able(army) and may_deal(f, army, convoy.faction):
            convoy_met(f, army, convoy, came=False, ends=ends)
    for train in f.trains:
        here = train.state == "active" and train.node == army.node and not train.escort
        if here and f.able(army) and may_deal(f, army, train.faction) and f.side(train.faction) != NEUTRAL:
            train_met(f, army, train)


__all__ = ["convoy_by_order", "convoy_met", "goods_met", "hire_by_order", "hire_question", "lure_price", "may_deal",
           "too_near", "train_met", "used", "won_over"]
