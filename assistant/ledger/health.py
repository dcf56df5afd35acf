"""What lies beside a workbook: its ledger's path in; whether it can be used out, or another's name that is meant."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Literal

from assistant.ledger.store import Ledger
from assistant.ledger.terms import ENDING, LedgerTrouble, Trouble


def trouble_with(path: Path, campaign: str) -> LedgerTrouble | None:
    """What keeps a campaign's ledger, or one record of it, from being used; for the commands that only look."""
    try:
        with closing(Ledger.open(path, campaign)) as ledger:
            ledger.check()
    except LedgerTrouble as trouble:
        return trouble
    return None


def state(path: Path, campaign: str) -> Trouble | Literal["ok"]:
    """`trouble_with` in a word."""
    found = trouble_with(path, campaign)
    return "ok" if found is None else found.kind


def namesake(path: Path, campaign: str) -> str:
    """The name of the first other file in the folder of a ledger that is a ledger of this campaign; "" for none."""
    for other in sorted(path.parent.glob(f"*{ENDING}")):
        try:
            Ledger.open(other, campaign).close()
        except LedgerTrouble:
            continue
        return other.name
    return ""
