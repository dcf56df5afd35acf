"""What the orders of a phase come to before anything moves: who marches where, who is paid, what is offered."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.rulesets.giglio.book.records import Specialist
from assistant.turn.orders.request import Request


@dataclass(frozen=True)
class Offer:
    """One ally row: who offers what to whom; `passage`: a word of the column Option."""

    request: Request
    by: str
    to: str
    passage: str
    until: int | None


@dataclass(frozen=True)
class Shot:
    """One assassin sent: by whom, at what, at whom."""

    man: Specialist
    kind: str
    target: str
    victim: str


@dataclass(frozen=True)
class Act:
    """The one thing that an army does in a round, and the row that says so; of a march its way from where the army is.

    `back`: the way only leads back from an enemy.
    """

    request: Request
    path: list[str] = field(default_factory=list)
    back: bool = False

    @property
    def verb(self) -> str:
        """What it does."""
        return self.request.verb


@dataclass
class Plan:
    """The orders of one phase.

    `set_aside`: faction -> ducats that wait for the auction, in the chest still; `sent`: payments as giver, receiver,
    amount; `garrisons`: those that an army leaves as it passes, as row, army, node; `columns`: armies that a march with
    an amount has split off; `sails`: fleet -> where to. The rest is filled as the round goes on: `homeward`: fleet ->
    first step home; `held_up`: fleets that were thrown back; `newcomers`: node -> armies that came there; `arrivals`:
    how many so far.
    """

    requests: list[Request] = field(default_factory=list)
    set_aside: dict[str, int] = field(default_factory=dict)
    sent: list[tuple[str, str, int]] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    shots: list[Shot] = field(default_factory=list)
    acts: dict[str, Act] = field(default_factory=dict)
    columns: set[str] = field(default_factory=set)
    sails: dict[str, str] = field(default_factory=dict)
    garrisons: list[tuple[Request, str, str]] = field(default_factory=list)
    homeward: dict[str, str] = field(default_factory=dict)
    held_up: set[str] = field(default_factory=set)
    newcomers: dict[str, set[str]] = field(default_factory=dict)
    arrivals: int = 0

    def marches_of(self, faction: str) -> Plan:
        """The marches of one faction and the garrisons that they leave, as if nobody else moved."""
        return Plan(acts={army: act for army, act in self.doing("move").items() if act.request.faction == faction},
                    garrisons=[g for g in self.garrisons if g[0].faction == faction])

    def doing(self, verb: str) -> dict[str, Act]:
        """The armies that do the same."""
        return {army: act for army, act in self.acts.items() if act.verb == verb}

    def boarded(self, fleet: str) -> bool:
        """Whether an army goes aboard a fleet in this round."""
        return any(act.request.target == fleet for act in self.doing("embark").values())
