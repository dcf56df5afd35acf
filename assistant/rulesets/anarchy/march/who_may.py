"""Who may do what during the march: groups that follow nobody, are not shut in, and may fight.

See rulebook: Orders, Movement and encounters.
"""

from __future__ import annotations

from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.orders.columns import own_group
from assistant.rulesets.anarchy.orders.taking import not_done
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import stand


def by_itself(f: Field, request: Request, army: Army, field: str) -> None:
    """Who follows a group does nothing by itself (ANA-106)."""
    if f.attached(army):
        raise Refused("ANA-106", field, unit=army.army, employer=army.employer)


def at_large(f: Field, request: Request, army: Army, field: str) -> None:
    """Who is shut in waits (ANA-104)."""
    if f.shut(army):
        raise Refused("ANA-104", field, unit=army.army, place=army.inside)


def may_fight(f: Field, request: Request, army: Army, field: str) -> None:
    """Lone nobles, the unarmed and escorts neither fight nor hire (ANA-011)."""
    reason = f.limited(army)
    if reason:
        raise Refused("ANA-011", field, unit=army.army, verb=request.verb, reason=reason)


WALKER = own_group(by_itself, at_large)
FIGHTER = own_group(by_itself, at_large, may_fight)


def do_here(f: Field, request: Request) -> None:
    """Carry out an act on the hex where the group is now; what cannot be done is told in its report."""
    try:
        verb = f.game.orders[request.verb]
        assert verb.deed is not None
        said, request.row.status = stand(f, request), "accepted"
        verb.deed(f, request, *said)
    except Refused as why:
        request.row.status = "refused"
        not_done(f, request, why)
