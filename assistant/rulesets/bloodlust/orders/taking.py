"""How the rows of a phase are taken: each by itself, alike once, the later of two about one thing; what is left out.

See rulebook: Orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.campaign.columns import number
from assistant.campaign.order import natural
from assistant.rulesets.bloodlust.book.tables import TURNS
from assistant.rulesets.bloodlust.orders.columns import listed
from assistant.rulesets.bloodlust.realm.realm import SEASONS, Realm
from assistant.turn.orders.refusal import Refused, role
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import admitted, carry_out, refuse, rows_of_phase, stand
from assistant.turn.throws.dice import NotThrown

SAYS = {
    "unknown_verb": role("BLD-001", verb="word", phase="phase", list="list"),
    "wrong_time": role("BLD-001", verb="verb", phase="phase", list="list"),
    "no_club": role("BLD-016", faction="faction"),
    "not_understood": role("BLD-001", verb="text", phase="phase", list="list"),
    "not_an_amount": role("BLD-005", amount="word"),
    "no_such_option": role("BLD-050", answer="word", options="options"),
}
"""The findings that every book has, under Bloodlust's codes."""
UNITS = {"join": "unit", "dismiss": "stay", "forage": "stay"}
"""Verbs about units: of one unit the later row of the same thing counts."""
ROWS = {"post": "subject", "invade": "subject", "lead": "subject", "form": "subject", "envoy": ""}
"""Verbs of which the later row about the same subject counts, or the later row at all."""


class Orders(Realm):
    """A realm that takes the orders of a phase."""

    forming: set[str]
    dropped: dict[str, set[str]]
    dismissed: set[str]
    """Units that have gone home in this phase: a row that names them among others stands for the others."""

    def taken(self, *groups: Sequence[str]) -> list[Request]:
        """The rows that stand, in the order of execution: group by group, within each by their sequence."""
        self.forming, self.dropped, self.dismissed = set(), {}, set()
        _past(self)
        rank = {verb: n for n, group in enumerate(groups) for verb in group}
        rows = sorted(self._admitted(), key=lambda request: rank.get(request.verb, len(groups)))
        rows = [request for request in rows if self._stands(request)]
        rows = self._once(rows)
        self._replace(rows)
        return [request for request in rows if not request.row.status and request.verb != "delegate"]

    def carry(self, requests: Iterable[Request]) -> None:
        """Carry them out one by one."""
        for request in requests:
            if not request.row.status:
                carry_out(self, request)

    def of_spring(self, request: Request) -> Refused:
        """That a row is not for this season, but for the next Spring (BLD-004)."""
        return Refused("BLD-004", "verb", faction=request.faction, verb=request.verb, phase=self.game.phase,
                       season=self.turn, next=self.later(len(SEASONS) - SEASONS.index(self.season)))

    # --- one by one ---------------------------------------------------------------------------
    def _admitted(self) -> list[Request]:
        found = admitted(self, rows_of_phase(self))
        for request in found:
            if not self.nations[request.faction].alive:
                refuse(self, request, Refused("BLD-009", "faction", faction=request.faction))
        return [request for request in found if not request.row.status]

    def _stands(self, request: Request) -> bool:
        """Whether what its columns say can be; an army that it forms is known to those that follow."""
        try:
            stand(self, request)
        except Refused as why:
            refuse(self, request, why)
            return False
        except NotThrown:
            return True
        if request.verb == "form":
            self.forming |= set(listed(request.more["subject"], request.faction))
        return True

    # --- together -----------------------------------------------------------------------------
    def _once(self, rows: list[Request]) -> list[Request]:
        """Rows alike in all count once (BLD-006), unless one between them says otherwise of the same thing."""
        seen: dict[tuple[object, ...], Request] = {}
        latest: dict[tuple[str, ...], Request] = {}
        for request in sorted(rows, key=_sequence):
            what = (request.faction, request.verb, request.target, str(request.amount), request.option,
                    tuple(listed(str(request.more.get("subject", "")), request.faction)))
            things = [(request.faction, *thing) for thing in self._things(request)]
            first = seen.get(what)
            if first is not None and all(latest[thing] is first for thing in things):
                request.find(self, "BLD-006", n=_number(first))
                request.row.status = "accepted"
                continue
            seen[what] = request
            latest |= dict.fromkeys(things, request)
        return [request for request in rows if not request.row.status]

    def _replace(self, rows: list[Request]) -> None:
        last: dict[tuple[str, ...], Request] = {}
        for request in sorted(rows, key=_sequence):
            for thing in self._things(request):
                last[(request.faction, *thing)] = request
        for request in rows:
            self._replace_one(request, last)
        for request in [one for one in rows if one.verb == "delegate"]:
            other = next((one for one in rows if one.faction == request.faction and one.verb != "delegate"
                          and not one.row.status), None)
            if other is None:
                request.row.status = "accepted"
                self.delegated.add(request.faction)
            else:
                self._give_way(request, other, request.verb)

    def _replace_one(self, request: Request, last: dict[tuple[str, ...], Request]) -> None:
        things = self._things(request)
        lost = [thing for thing in things if last[(request.faction, *thing)] is not request]
        if not lost:
            return
        by = last[(request.faction, *lost[0])]
        if len(lost) == len(things):
            self._give_way(request, by, lost[0][-1])
        else:
            self.dropped[request.row.order] = {thing[-1] for thing in lost}
            request.find(self, "BLD-007", "subject", n=_number(request), id=lost[0][-1], m=_number(by))

    def _give_way(self, request: Request, by: Request, what: str) -> None:
        request.row.status = "replaced"
        if request.verb == "envoy":
            request.find(self, "BLD-071", "target", m=_number(by))
        else:
            request.find(self, "BLD-007", "", n=_number(request), id=what, m=_number(by))

    def _things(self, request: Request) -> list[tuple[str, str]]:
        """What a row sets: kind and code."""
        subject = str(request.more.get("subject", ""))
        if request.verb in UNITS:
            return [(UNITS[request.verb], code) for code in listed(subject, request.faction)]
        if request.verb in ROWS:
            codes = listed(subject, request.faction)[:1] if ROWS[request.verb] else [request.verb]
            return [(request.verb, code) for code in codes]
        return []


def _sequence(request: Request) -> tuple[object, ...]:
    return request.row.seq in ("", None), number(request.row.seq) or 0, natural(request.row.order)


def _number(request: Request) -> str:
    """How a row is called in a finding: its number, or its code."""
    return str(number(request.row.seq) or request.row.order)


def _past(f: Realm) -> None:
    """Open rows of turns that are over (BLD-008)."""
    now = TURNS.key(f.turn)
    for row in f.orders.open_rows(f.turn, lambda one: not one.status and bool(one.turn) and TURNS.key(one.turn) < now):
        if row.faction in f.nations:
            refuse(f, Request(row, row.verb), Refused("BLD-008", "turn", turn=row.turn))
