"""What was collected before: a ledger in; by faction the orders and answers that came out, and when; and noted anew.

A note belongs to the step of the ledger that took the rows: where `undo` has taken that step back it counts no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from assistant.dataclass import dataclass
from assistant.ledger import COLLECT, CORRECT, Ledger

_NOTE = "collected."
"""Under which key, with the number of its step, the ledger keeps what was collected."""


@dataclass(frozen=True)
class Last:
    """What counted last of a faction: when it came, what told it from others, and what it was called."""

    at: int
    said: str
    name: str


@dataclass
class Memory:
    """`rows`: (faction, kind) -> the keys of what was collected in this turn; `last`: (faction, kind) -> the newest."""

    rows: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    last: dict[tuple[str, str], Last] = field(default_factory=dict)


def memory_of(ledger: Ledger, turn: str) -> Memory:
    """What was collected in a turn and was not taken back. Raises `LedgerTrouble`."""
    found = Memory()
    made = _in_force(ledger)
    for step in ledger.steps():
        if step.verb != COLLECT or step.turn != turn or step.id not in made:
            continue
        for one in json.loads(ledger.noted(f"{_NOTE}{step.id}") or "[]"):
            whose = one["faction"], one["kind"]
            found.rows.setdefault(whose, set()).update(one["rows"])
            found.last[whose] = Last(one["at"], one["said"], one["name"])
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
    """Keep what the next step of the ledger collects: a mapping each with faction, kind, rows, at, said, name.

    It is written before the step: a crash between the two leaves a note that belongs to no step. Raises
    `LedgerTrouble`.
    """
    number = max((step.id for step in ledger.steps()), default=0) + 1
    text = json.dumps(list(entries), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    ledger.note(f"{_NOTE}{number}", text)
