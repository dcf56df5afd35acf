"""A damaged ledger's place in; the newest whole ledger of its campaign put there out, and what is not in it.

Whole ledgers lie among the backups: those before the last changes, and one of each turn. What lay there stays beside.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assistant.backups import backup_folder
from assistant.ledger.store import Ledger
from assistant.ledger.terms import ENDING, LedgerTrouble
from assistant.ledger.vault import new_file
from assistant.whole_files import replace_whole

Rank = tuple[int, int]
DAMAGED = ("missing", "unreadable", "foreign")
"""What is wrong with a ledger in whose place another one is put; of any other trouble its bytes are whole."""


@dataclass(frozen=True)
class Rescued:
    """What came of it. `kept`: where the ledger that lay there lies now, "" where it stayed; `taken`: the name of the
    whole one whose content took its place, "" for one that was made anew of the dice's secret; `steps`: how many
    changes it knows; `older`: whether what lay there is whole, and only knew less of the workbook.
    """

    kept: str
    taken: str
    steps: int
    older: bool = False


def rescue(path: Path, campaign: str, marks: Sequence[str],
           anew: Callable[[Path, str], Ledger | None]) -> Rescued:
    """Put the newest whole ledger of a campaign in the place of one that is damaged, or older.

    `marks`: those of the workbook, the oldest first: the ledger that knows most of them is the newest. `anew`: makes
    one of what is known elsewhere, for where no whole one is to be found; None: nothing is known.

    Raises `LedgerTrouble`: "unreadable" where nothing is to be had, and what is no damage ("newer", "denied"); OSError.
    """
    here = _rank(path, campaign, marks)
    found = newest_whole(path, campaign, marks)
    if here is not None and (found is None or found[0][0] <= here[0]):
        return Rescued("", path.name, here[1])
    kept = set_aside(path, "damaged" if here is None else "older") if path.is_file() else None
    name = "" if kept is None else kept.name
    if found is not None:
        rank, whole = found
        replace_whole(path, (whole.read_bytes(),), new_file(path), like=whole)
        return Rescued(name, whole.name, rank[1], here is not None)
    path.unlink(missing_ok=True)
    made = anew(path, campaign)
    if made is None:
        if kept is not None:
            kept.rename(path)
        raise LedgerTrouble("unreadable" if kept is not None else "missing", "no whole ledger")
    made.close()
    return Rescued(name, "", 0)


def newest_whole(path: Path, campaign: str, marks: Sequence[str]) -> tuple[Rank, Path] | None:
    """The whole ledger of a campaign, among the backups or beside, that knows most of its workbook; None for none."""
    known: list[tuple[Rank, int, str, Path]] = []
    for one in (*backup_folder(path).glob(f"*{ENDING}"), *path.parent.glob(f"*{ENDING}")):
        if one != path:
            with suppress(LedgerTrouble):
                rank = _rank(one, campaign, marks)
                known += [] if rank is None else [(rank, one.stat().st_mtime_ns, one.name, one)]
    return (max(known)[0], max(known)[-1]) if known else None


def _rank(path: Path, campaign: str, marks: Sequence[str]) -> Rank | None:
    """How much a ledger knows of its workbook: the last of its marks, and how many changes; None for a damaged one.

    Raises `LedgerTrouble` for what is no damage.
    """
    try:
        with Ledger.open(path, campaign) as ledger:
            ledger.check()
            known = ledger.chain(ledger.mark)
            last = max((n for n, mark in enumerate(marks, 1) if mark in known or ledger.left(mark)), default=0)
            return last, len(ledger.steps())
    except LedgerTrouble as trouble:
        if trouble.kind in DAMAGED:
            return None
        raise


def set_aside(path: Path, label: str) -> Path:
    """Give a ledger that goes a second name that says what it is, the first that is free. Raises OSError."""
    number = 1
    while (place := path.with_name(f"{path.name}.{label}-{number}")).exists():
        number += 1
    try:
        os.link(path.resolve(), place)
    except OSError:  # a disk without second names
        shutil.copy2(path, place)
    return place
