"""A damaged ledger's place in; the newest whole ledger of its campaign put there out, and what is not in it.

Whole ledgers lie among the backups: those before the last changes, and one of each turn. The damaged one stays beside.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from assistant.backups import backup_folder
from assistant.dataclass import dataclass
from assistant.ledger.store import Ledger
from assistant.ledger.terms import ENDING, LedgerTrouble
from assistant.ledger.vault import new_file
from assistant.whole_files import replace_whole

DAMAGED = ("unreadable", "foreign")
"""What is wrong with a ledger in whose place another one is put; of any other trouble its bytes are whole."""


@dataclass(frozen=True)
class Rescued:
    """What came of it. `kept`: where the damaged ledger lies now, "" where it was whole; `taken`: the name of the whole
    one whose content took its place; `steps`: how many changes it knows.
    """

    kept: str
    taken: str
    steps: int


def rescue(path: Path, campaign: str) -> Rescued:
    """Put the newest whole ledger of a campaign in the place of a damaged one.

    Raises `LedgerTrouble`: "unreadable" where no whole one is to be found, and what is no damage ("newer", "denied");
    OSError.
    """
    try:
        with Ledger.open(path, campaign) as ledger:
            ledger.check()
            return Rescued("", path.name, len(ledger.steps()))
    except LedgerTrouble as trouble:
        if trouble.kind not in DAMAGED:
            raise
    found = newest_whole(path, campaign)
    if found is None:
        raise LedgerTrouble("unreadable", "no whole ledger")
    whole, steps = found
    kept = set_aside(path)
    replace_whole(path, whole.read_bytes(), new_file(path))
    return Rescued(kept.name, whole.name, steps)


def newest_whole(path: Path, campaign: str) -> tuple[Path, int] | None:
    """The whole ledger of a campaign, among the backups or beside, that knows most changes, and how many; or None."""
    known: list[tuple[int, int, str, Path]] = []
    for one in (*backup_folder(path).glob(f"*{ENDING}"), *path.parent.glob(f"*{ENDING}")):
        with suppress(LedgerTrouble), Ledger.open(one, campaign) as ledger:
            ledger.check()
            known.append((len(ledger.steps()), one.stat().st_mtime_ns, one.name, one))
    return (max(known)[-1], max(known)[0]) if known else None


def set_aside(path: Path) -> Path:
    """Give a damaged ledger a second name, the first that is free. Raises OSError."""
    number = 1
    while (place := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        os.link(path, place)
    except OSError:  # a disk without second names
        shutil.copy2(path, place)
    return place
