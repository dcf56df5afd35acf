"""What orders cost, and whether the purse that pays still holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request


@dataclass(frozen=True)
class Cost:
    """What a verb costs: a number of the rules (`number`, in which ``{option}`` is the row's option) times an amount
    (`times`, a column); `reckoned`: where the book reckons it from the state, what it comes to, whatever stands in the
    others, which then are for the orders card; `told`: what is said besides there (msgid).
    """

    number: str = ""
    times: str = ""
    reckoned: Callable[[Any, Request], int] | None = None
    told: str = ""

    def price(self, board: Any, request: Request) -> int:
        """What a row costs as things stand, in the purse's own units. Raises `Refused`."""
        if self.reckoned is not None:
            return self.reckoned(board, request)
        each = int(board.game.rules[self.number.format(option=request.option)]) if self.number else 1
        return each * int(getattr(request, self.times)) if self.times else each


@dataclass(frozen=True)
class Purse:
    """What pays for orders: whose it is, how much is in it to spend, and how an amount is written in a finding."""

    whose: Callable[[Any, Request], str]
    left: Callable[[Any, str], int]
    shown: Callable[[int], Any] = int

    def check(self, board: Any, request: Request, cost: int, left: int | None = None) -> None:
        """Raise `Refused` where it does not hold what a row costs. `left`: what earlier rows have left in it."""
        whose = self.whose(board, request)
        have = self.left(board, whose) if left is None else left
        if cost > have:
            raise Refused("overdrawn", "amount" if request.amount != "" else "verb", cost=self.shown(cost),
                          left=self.shown(have), unit=whose)

    def overdrawn(self, board: Any, requests: Iterable[Request], price: Callable[[Any, Request], int | None]
                  ) -> list[tuple[Request, Refused]]:
        """The rows that it cannot pay, counted down in the order given; the others stand.

        `price`: what a row takes out of it; None: nothing, because the row costs nothing or is refused anyway.
        """
        left: dict[str, int] = {}
        found: list[tuple[Request, Refused]] = []
        for request in requests:
            cost = price(board, request)
            if cost is None:
                continue
            whose = self.whose(board, request)
            have = left.setdefault(whose, self.left(board, whose))
            try:
                self.check(board, request, cost, have)
            except Refused as why:
                found.append((request, why))
            else:
                left[whose] = have - cost
        return found
