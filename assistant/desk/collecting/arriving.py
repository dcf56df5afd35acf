"""What has come in: folders in; each file with its name, its time and its bytes out. A mail's parts are the same."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.desk import codes
from assistant.desk.results import Exit
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.sitting.stops import NOT_THERE, folder_stop, stop
from assistant.ledger import ENDING
from assistant.turn.findings import Finding
from assistant.wording import N_
from assistant.workbook.codes import UNSAFE
from assistant.workbook.safe.limits import LIMITS, MB

MINUTE = 60
"""Seconds. Nobody can say which of two things counts that came within one minute."""
_NEVER_SENT = ("desktop.ini", "thumbs.db")


@dataclass(frozen=True)
class Arrival:
    """Something that came in. `name`: as it is shown, never a path; `at`: when, in seconds since 1970 (of a mail the
    server's time, of a file that of its last change); `data`: its bytes; `together`: what came in one piece bears the
    same word ("": it came alone); `trouble`: why its bytes were not read.
    """

    name: str
    at: int
    data: bytes = b""
    together: str = ""
    trouble: Finding | None = None
    club: str = ""
    """Whose code stood beside it in its mail, "" for none."""

    @property
    def when(self) -> str:
        """Its time as the clock on this machine's wall shows it."""
        return dt.datetime.fromtimestamp(self.at).strftime("%Y-%m-%d %H:%M")

    @property
    def piece(self) -> str:
        """What is the same for all that came in one piece."""
        return self.together or self.name


def lying_in(places: Iterable[Path], sitting: Sitting) -> list[Arrival]:
    """What lies in these folders, or is one of these files, the earliest first, by name where the times are the same.

    Left aside: the campaign's own files, hidden ones, and those that programs put beside what they have open. Raises
    `Stop` for a folder that is not there.
    """
    files = list(dict.fromkeys(file for place in places for file in _files(place, sitting)))
    names = [file.name for file in files]
    found = [_arrival(file, str(file) if names.count(file.name) > 1 else file.name) for file in files]
    return sorted(found, key=lambda one: (one.at, one.name))


def _files(place: Path, sitting: Sitting) -> Iterator[Path]:
    beside = sitting.path.parent.glob(f"{sitting.path.stem}{ENDING}*")
    ours = {sitting.path.resolve(), *(one.resolve() for one in beside)}
    try:
        if not place.exists():
            raise stop(Exit.FILE, codes.NO_SUCH_FOLDER, sitting.lang, sitting.wording, folder=place,
                       file=N_("what the clubs sent"), reason=NOT_THERE)
        inside = sorted(place.iterdir()) if place.is_dir() else [place]
    except OSError as fault:
        raise folder_stop(fault, place, N_("what the clubs sent"), sitting.lang, sitting.wording) from fault
    yield from (file for file in inside if file.is_file() and file.resolve() not in ours and not _is_aside(file.name))


def _is_aside(name: str) -> bool:
    return name.startswith((".", "~$")) or name.casefold() in _NEVER_SENT


def _arrival(file: Path, name: str) -> Arrival:
    """A file as it lies there; one that cannot be read, or is too large, says so."""
    try:
        known = file.stat()
        if known.st_size > LIMITS.part:
            return Arrival(name, int(known.st_mtime), trouble=codes.finding(
                UNSAFE, file=name, size=known.st_size // MB, parts=1))
        return Arrival(name, int(known.st_mtime), file.read_bytes())
    except OSError as fault:
        trouble = codes.finding(codes.FILE_DENIED, file=name, reason=fault.strerror or str(fault))
        return Arrival(name, 0, trouble=trouble)


def names(arrivals: Collection[Arrival]) -> str:
    """The names of several, in the order in which they came."""
    return ", ".join(one.name for one in arrivals)
