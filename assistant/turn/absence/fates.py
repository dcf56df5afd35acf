"""What happens to whom: who is silent and the referee's policy in; what the assistant does for each out, as events."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Event, next_number
from assistant.turn.messages.house import ABSENT, COMMON_EVENTS

Step = Literal["standing", "robot", "nothing"]


class Silent(NamedTuple):
    """A club of which something is due and nothing has come. `what`: ``orders`` or ``answers``; `standing`: its
    standing orders for the phase; `holiday`: it has announced that it is away; `deputy`: who is asked in its place;
    `until`: when its time is up, None where nobody has set it a time, or it is away and nobody is asked in its place.
    """

    faction: str
    what: Literal["orders", "answers"]
    standing: tuple[str, ...] = ()
    holiday: bool = False
    deputy: str = ""
    until: datetime | None = None

    @property
    def provided(self) -> bool:
        """Whether nobody needs to worry: its standing orders count, or it has announced that it is away."""
        return bool(self.standing) or self.holiday

    def in_time(self, now: datetime | None) -> bool:
        """Whether it may still send what is due, and is expected to."""
        return now is not None and self.until is not None and now < self.until and not self.standing


class Fate(NamedTuple):
    """What is done for a silent club, and why: ``silent`` or ``holiday``; `due`: when its time was up, in words that
    need no language.
    """

    faction: str
    step: Step
    what: str
    why: str
    due: str = ""
    standing: tuple[str, ...] = ()


def fates(silent: Iterable[Silent], policy: str, due: str = "") -> tuple[Fate, ...]:
    """What becomes of silent clubs: standing orders first, then the referee's policy (``robot``, ``nothing``; "": no
    more than ever). `due`: as of `Fate`.
    """
    found = []
    for one in silent:
        why = "holiday" if one.holiday else "silent"
        if one.standing:
            found.append(Fate(one.faction, "standing", one.what, why, due, one.standing))
        elif policy:
            found.append(Fate(one.faction, "robot" if policy == "robot" else "nothing", one.what, why, due))
    return tuple(found)


def event_of(one: Fate, desk: Desk, no: int) -> Event:
    """What tells a club of it: it alone and the referee may know. `desk`: where the campaign stands."""
    data = {"faction": one.faction, "step": one.step, "why": one.why, "what": one.what, "due": one.due}
    if one.standing:
        data["list"] = "; ".join(one.standing)
    return Event(no=no, turn=desk.turn, phase=desk.phase, audience=one.faction, event=ABSENT,
                 rule=COMMON_EVENTS[ABSENT].rule, data=data)


def tell_fates(campaign: Campaign, told: Iterable[Fate]) -> None:
    """Add the events of what is done in the present phase."""
    table = campaign.table(Event)
    for number, one in enumerate(told, next_number(table)):
        table.add(event_of(one, campaign.desk, number))
