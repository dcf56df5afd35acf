"""Whether a row that costs money can stand at all: one that is refused anyway takes no money (digest, section 4)."""

from __future__ import annotations

from assistant.rulesets.anarchy.acts import check_act
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.moving_men import friends
from assistant.rulesets.anarchy.orders import Request, army_named
from assistant.rulesets.anarchy.ransoms import payable
from assistant.rulesets.anarchy.reading_moves import check_deal
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.reorganise import payable_company

ACTING = ("RECRUIT", "ENGINEER")
DEALING = ("HIRE", "LURE", "BUY")


def check_standing(realm: Realm, request: Request) -> None:
    """Raise `Refused` where a row of the day's money cannot be carried out as things stand now."""
    army = realm.armies[request.unit]
    if request.verb == "PAY":
        payable_company(realm, army, request)
    elif request.verb == "RANSOM":
        payable(realm, army, request)
    elif request.verb == "TRANSFER":
        if realm.armies.get(request.target) is not None:  # else it may be a group that is split off today
            friends(realm, army, army_named(realm, request.target))
    elif request.verb in ACTING or request.verb in DEALING:
        field = Field(realm.game)
        (check_act if request.verb in ACTING else check_deal)(field, army, request)


__all__ = ["check_standing"]
