"""What was collected before: a ledger in; by faction the orders and answers that came out, and when; and noted anew.

A note belongs to the step of the ledger that took the rows: where `undo` has taken that step back it counts no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.ledger import COLLECT, CORRECT, Ledger

_NOTE = "collected."
"""Under which key, with the number of its step, the ledger keeps what was collected."""


@dataclass(frozen=True)
class Kept:
    """What counted of a faction: when it came, what told it from others, what it was called, whether it stood for its
    club (`stands`), and the keys of the rows that it brought.
    """

    at: int
    said: str
    name: str
    stands: bool
    rows: frozenset[str]


@dataclass
class Memory:
    """`kept`: (faction, kind) -> all that was collected in this turn, the first taken first."""

    kept: dict[tuple[str, str], list[Kept]] = field(default_factory=dict)

    def last(self, faction: str, kind: str) -> Kept | None:
        """The last that stood for its club."""
        return next((one for one in reversed(self.kept.get((faction, kind), ())) if one.stands), None)

    def rows(self, faction: str, kind: str, at: int) -> set[str]:
        """The keys of what was collected and had come by a time."""
        return {key for one in self.kept.get((faction, kind), ()) if one.at <= at for key in one.rows}


def memory_of(ledger: Ledger, turn: str) -> Memory:
    """What was collected in a turn and was not taken back. Raises `LedgerTrouble`."""
    found = Memory()
    made = _in_force(ledger)
    for step in ledger.steps():
        if step.verb != COLLECT or step.turn != turn or step.id not in made:
            continue
        for one in json.loads(ledger.noted(f"{_NOTE}{step.id}") or "[]"):
            kept = Kept(one["at"], one["said"], one["name"], one.get("stands", True), frozenset(one["rows"]))
            found.kept.setdefault((one["faction"], one["kind"]), []).append(kept)
    return found


def _in_force(ledger: Ledger) -> set[int]:
    """The steps that made the workbook what it is, those before a correction, too, which the line leaves out."""
    steps = {step.id: step for step in ledger.steps()}
    found: set[int] = set()
    left = list(ledger.line)
    while left:
        number = left.pop()
        if number in steps and number not in found:
            found.add(number)
            left += steps[number].line if steps[number].verb == CORRECT else ()
    return found


def note(ledger: Ledger, entries: Iterable[Mapping[str, Any]]) -> None:
    """Keep what the next step of the ledger collects: a mapping each with faction, kind, rows, at, said, name,
    stands.

    It is written before the step: a crash between the two leaves a note that belongs to no step. Raises
    `LedgerTrouble`.
    """
    number = max((step.id for step in ledger.steps()), default=0) + 1
    text = json.dumps(list(entries), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    ledger.note(f"{_NOTE}{number}", text)
