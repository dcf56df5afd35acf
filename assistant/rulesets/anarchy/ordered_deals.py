"""Hiring, luring, buying and taking where a group starts its day, by order (digest 4, 5.6; chapters 11, 14.3, 14.4).

On the march these orders answer the question that a meeting puts. With whom a group has stood since yesterday it
does not meet today, so that here they are acts of their own; without an order nobody is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.rulesets.anarchy.dealing import (
    convoy_by_order,
    hire_by_order,
    lure_price,
    may_deal,
    train_met,
    won_over,
)
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import Request, army_named, follower_named, not_done, price
from assistant.rulesets.anarchy.reading_moves import check_deal
from assistant.rulesets.anarchy.realm import NEUTRAL, pounds
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import Refused
from assistant.rulesets.anarchy.sheets import Convoy, Train
from assistant.rulesets.anarchy.verbs import DEALS

SEQUENCE = ("HIRE", "PROMISE", "LURE", "BUY", "TAKE")
"""Groups come before convoys and trains, as in a meeting."""


def deals_here(f: Field, army: Army, wanted: Callable[[Request], bool], ends: bool) -> None:
    """Carry out the deals that are meant for the hex where a group starts. `ends`: whether it stays there.

    One whose partner is not there waits: it may come to the group, or be met on the way.
    """
    if army.inside or f.side(army.faction) == NEUTRAL:
        return
    for verb in SEQUENCE:
        for request in f.acts.get(army.army, []):
            if request.verb != verb or request.row.status or not wanted(request) or not f.able(army):
                continue
            try:
                done = _DEEDS[verb](f, army, request, ends)
            except Refused as why:
                request.row.status = "refused"
                not_done(f, request, why)
            else:
                request.row.status = "accepted" if done else ""


def _company_here(f: Field, army: Army, request: Request) -> Army | None:
    """The company of a deal, where it stands beside the group by itself and may be spoken to."""
    company = army_named(f, request.target)
    here = (company.active and company.mercenary and company.node == army.node and not company.inside
            and not f.attached(company) and not f.safe(army) and not f.safe(company))
    return company if here else None


def _affordable(f: Field, army: Army, request: Request) -> None:
    cost = price(f, request)
    if cost > army.money:
        raise Refused("ANA-301", "unit", need=pounds(cost), unit=army.army, have=pounds(army.money))


def _hire(f: Field, army: Army, request: Request, ends: bool) -> bool:
    """HIRE, PROMISE (E2)."""
    company = _company_here(f, army, request)
    if company is None:
        return False
    check_deal(f, army, request)
    if request.verb == "HIRE":
        _affordable(f, army, request)
    return hire_by_order(f, army, company)


def _lure(f: Field, army: Army, request: Request, ends: bool) -> bool:
    """LURE (E3)."""
    company = _company_here(f, army, request)
    if company is None:
        return False
    check_deal(f, army, request)
    _affordable(f, army, request)
    if not lure_price(f, army, company):
        return False
    won_over(f, army, company)
    return True


def _goods(f: Field, army: Army, request: Request, ends: bool) -> bool:
    """BUY, TAKE (14.4)."""
    row = follower_named(f, request.target)
    if isinstance(row, Army) or row.state != "active" or row.node != army.node or row.escort:
        return False
    if not may_deal(f, army, row.faction):
        return False
    check_deal(f, army, request)
    if isinstance(row, Convoy):
        return bool(convoy_by_order(f, army, row, ends))
    return _train(f, army, row, request)


def _train(f: Field, army: Army, train: Train, request: Request) -> bool:
    if request.verb != "TAKE" or f.side(train.faction) == NEUTRAL:
        return False
    return train_met(f, army, train)


_DEEDS: Mapping[str, Callable[[Field, Army, Request, bool], bool]] = {
    "HIRE": _hire, "PROMISE": _hire, "LURE": _lure, "BUY": _goods, "TAKE": _goods,
}
assert set(_DEEDS) == set(DEALS)

__all__ = ["deals_here"]
