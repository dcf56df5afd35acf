"""The chain of marks on the Desk: each change of the campaign adds one, made of the one before and of what it changes.

The ledger keeps the marks of its changes. So a workbook and a ledger are known to be of one history, of one history at
two moments, or of two histories, whatever a cloud folder or a backup has put beside the other. The same change of the
same workbook gets the same mark on every computer.
"""

from __future__ import annotations

import getpass
import hashlib
import platform
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from assistant.campaign.campaign import Campaign, changes
from assistant.ledger import Stage

KEPT = 60
"""So many of the last marks stand on the Desk."""
CHECK = "#"


class Mark(NamedTuple):
    """What a change is known by. `phases`: how many it resolved, less those that it took back; `digest`: eight
    hexadecimal digits.
    """

    phases: int
    digest: str

    def __str__(self) -> str:
        return f"{self.phases}-{self.digest}"


def marks_of(text: str) -> list[Mark]:
    """The marks that stand on a Desk, the oldest first; [] where somebody has typed over them, or none stand there."""
    body, _, check = text.strip().rpartition(f" {CHECK}")
    if not body or check != _check(body):
        return []
    return [read_mark(one) for one in body.split()]


def read_mark(text: str) -> Mark:
    """A mark as `str` gives it. Raises ValueError."""
    phases, _, digest = text.rpartition("-")
    return Mark(int(phases), digest)


def text_of(marks: Sequence[Mark]) -> str:
    """The marks as they stand on the Desk, with a checksum that tells whether somebody has typed there."""
    body = " ".join(map(str, marks[-KEPT:]))
    return f"{body} {CHECK}{_check(body)}" if body else ""


def _check(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def add_mark(before: Campaign, after: Campaign, stages: Sequence[Stage], found: str, phases: int) -> str:
    """Add the mark of a change to the Desk of the state that it leads to, and return it.

    `found`: the fingerprints of what stood there before, typed over or not; `phases`: how many it resolved, less those
    that it took back.
    """
    known = marks_of(before.desk.marks)
    after.desk.marks = before.desk.marks
    said = [(one.verb, one.turn, one.phase) for one in stages]
    what = repr((known[-1:], said, found, changes(before, after)))
    mark = Mark(phases, hashlib.blake2b(what.encode(
        "utf-8", "surrogatepass"), digest_size=4).hexdigest())
    after.desk.marks = text_of([*known, mark])
    return str(mark)


def this_computer() -> str:
    """Who works on which computer, as the ledger notes it."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name
        user = "?"
    return f"{user} ({platform.node()})"
