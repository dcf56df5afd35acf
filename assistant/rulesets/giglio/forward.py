"""What is wrong with orders for later rounds whatever the rounds until then bring: whose, how many, where, with whom.

An army may be raised, a place taken, a road shut meanwhile; that is judged in the order's own round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from assistant.rulesets.giglio.records import Army, Fleet
from assistant.rulesets.giglio.requests import Refused, Request, node_named, partner_named, whole
from assistant.rulesets.giglio.war import War


def judge(war: War, requests: Iterable[Request]) -> None:
    """The first plain mistake of each row, as its round would find it (GIG-004, 005, 007, 010)."""
    for request in requests:
        try:
            for check in CHECKS.get(request.verb, ()):
                check(war, request)
        except Refused as refused:
            request.refuse(war, refused.code, refused.field, **refused.data)


def _theirs(request: Request, there: Army | Fleet | None, field_name: str, code: str) -> None:
    if there is not None and there.faction != request.faction:
        raise Refused("GIG-004", field_name, unit=code)


def _marker(war: War, code: str) -> Army | None:
    """An army of a code that others may know of."""
    army = war.armies.get(code)
    return None if army is None or army.posture == "aboard" else army


def _unit(war: War, request: Request) -> None:
    _theirs(request, _marker(war, request.unit), "unit", request.unit)


def _fleet(war: War, request: Request) -> None:
    _theirs(request, war.fleets.get(request.unit), "unit", request.unit)


def _taker(war: War, request: Request) -> None:
    _theirs(request, _marker(war, request.target), "target", request.target)


def _amount(_: War, request: Request) -> None:
    whole(request)


def _amount_or_all(_: War, request: Request) -> None:
    whole(request, blank=True)


def _path(war: War, request: Request) -> None:
    for node in request.path or ([request.target] if request.target else []):
        node_named(war, node, "path")


def _place(war: War, request: Request) -> None:
    if request.target:
        node_named(war, request.target)


def _partner(war: War, request: Request) -> None:
    partner_named(war, request)


CHECKS: Mapping[str, tuple[Callable[[War, Request], None], ...]] = {
    "fortify": (_place,), "repair": (_place,), "garrison": (_place, _unit), "transfer": (_unit, _taker, _amount_or_all),
    "split": (_unit, _amount), "pay": (_partner, _amount), "ally": (_partner,), "dissolve": (_partner,),
    "move": (_unit, _amount_or_all, _path), "stay": (_unit,), "siege": (_unit,), "come_out": (_unit,),
    "embark": (_unit,), "land": (_unit, _place), "sail": (_fleet, _path),
}
"""The checks of 5.3 that need nothing of the round, verb by verb in the digest's order."""
