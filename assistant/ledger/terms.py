"""The words of the ledger: one change that was made or is to be made, what it marks, and what can be wrong with it."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Literal, get_args

from assistant.turn.throws.dice import PUBLIC, REFEREE

ENDING = ".arbitro"
SECRET_BYTES = 32
CORRECT = "correct"
"""The verb of a correction of the past."""
DECIDED = ("accept", "revert")
"""The verbs of decisions on changes by hand."""
BACK_AND_FORTH = ("undo", "redo")
"""The verbs of the changes that bring back what stood there before."""
COLLECT = "collect"
"""The verb of what came back from the clubs and was taken."""
SHARE = "share"
"""The verb of the change that gives an older workbook the columns which the first `share` offers."""
UNREAD = "-"
"""By what a workbook is known that nobody could read."""
TAKEN = "take"
"""The verb of the change that takes a workbook as it stands into a ledger that knew less: before it nothing is proved
since the change before.
"""
LAYOUT, MAP = "layout", "map"
"""The verbs of the change that says where places lie on the map, and of the one that puts the map into the workbook,
or colours a club's own shapes.
"""
IN_LINE = ("resolve", *DECIDED, COLLECT, SHARE, LAYOUT, MAP)
"""The verbs of the changes that `undo` takes back one by one."""

Trouble = Literal["missing", "unreadable", "foreign", "newer", "old", "unwritable", "busy", "full", "denied", "lost"]
"""What can be wrong. `unreadable`: damaged; `denied`: it or its folder is read-only, or belongs to somebody else;
`old`: of a format that nobody converts any more; `lost`: a snapshot that could not be rescued from a damaged one.
"""
TROUBLES: tuple[Trouble, ...] = get_args(Trouble)
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
_FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


class LedgerTrouble(Exception):
    """The ledger cannot be used. `kind` is one of `TROUBLES`."""

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        super().__init__(f"ledger {kind}: {detail}" if detail else f"ledger {kind}")
        self.kind: Trouble = kind
        self.detail = detail


def trouble_of(fault: OSError) -> Trouble:
    """What the machine's report on a file means. Who may not replace a file on Windows is kept from it by a program."""
    if isinstance(fault, PermissionError) and os.name == "nt":
        return "busy"
    return "denied" if fault.errno in _DENIED else "full" if fault.errno in _FULL else "unwritable"


@dataclass(frozen=True)
class Step:
    """One change that was made, with the workbook as it was before.

    `verb`: ``resolve`` (a phase ended), ``wait`` (a phase stopped for answers), ``orders``, ``mark``,
    ``undo``, ``redo``, ``renew``, ``accept``, ``revert``, ``collect``, ``share``, ``layout``, ``correct``; `line`: the
    steps that had led to the workbook before it, each of which can be taken back (`IN_LINE`);
    `sha_before`: "" when the step was made in one stroke with the step before it.
    """

    id: int
    verb: str
    turn: str
    phase: str
    state: str
    sha_before: str
    sha_after: str
    line: tuple[int, ...]

    def made(self, sha_after: str) -> Step:
        """The step once it was made. `sha_after`: by what the workbook is known then, "" within a stroke."""
        return replace(self, state="done", sha_after=sha_after)


@dataclass(frozen=True)
class Stage:
    """One change that is to be made. `turn`, `phase`: where the campaign stood before it.

    `given`: questions that the assistant answered -> ``robot`` or ``default``; `stands`: the turn to which
    it leads and the factions to which dice are promised for it; `records`: how the campaign before it
    differed from the workbook as it is (b"" for the first change of a stroke).
    """

    verb: str
    turn: str
    phase: str
    given: Mapping[str, str] = field(default_factory=dict)
    stands: tuple[str, tuple[str, ...]] = ("", ())
    records: bytes = b""


@dataclass(frozen=True)
class Marks:
    """What Arbitro wrote into all tables. `manifest`: which chunks of rows, "" for not known; `chunks`:
    those of them that may be new, by their names in the manifest; `heads`: what is to be known of some of these
    without unpacking them; `like`: for some of them one that is kept already and has much in common with it.
    """

    manifest: str
    chunks: Mapping[str, bytes] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)
    like: Mapping[str, str] = field(default_factory=dict)


def path_of(book: Path) -> Path:
    """Where the ledger of a workbook lies: beside it, with the ending ``.arbitro``."""
    return book.with_suffix(ENDING)


def sha256(content: bytes) -> str:
    """The fingerprint by which a workbook's bytes are known."""
    return hashlib.sha256(content).hexdigest()


def campaign_id(secret: bytes) -> str:
    """A campaign's id, drawn from its first secret (which it does not give away)."""
    return hashlib.sha256(b"arbitro|campaign|" + secret).hexdigest()[:12]


def mark_between(mark: str, number: int, phases: int) -> str:
    """By what a workbook would be known between two changes of a stroke. `mark`: of the whole stroke; `number`: after
    how many changes; `phases`: how many of them stand.
    """
    return f"{phases}-{hashlib.blake2b(f'{mark} {number}'.encode(), digest_size=4).hexdigest()}"


def audiences(codes: Iterable[str]) -> list[str]:
    """Who may own a secret of a turn: all, the referee, each faction, each two factions."""
    known = sorted(codes)
    return [PUBLIC, REFEREE, *known, *("+".join(pair) for pair in combinations(known, 2))]
