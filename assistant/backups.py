"""Backups beside a file: the file as it was under a second, dated name in the folder ``<name>-backups``.

They are dated by the file's own time of change, as no clock may enter what is written.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from pathlib import Path

ENDING = "-backups"
_DATED = r" (\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)(?: \((\d+)\))?"
"""How a backup is named: the time of the file's last change and, for more than one of a second, its number."""


def backup_folder(path: Path) -> Path:
    """Where the backups of a workbook and of its ledger lie: in ``<name>-backups`` beside them."""
    real = path.resolve()
    return real.with_name(f"{real.stem}{ENDING}")


def dated(path: Path) -> list[Path]:
    """The dated backups of a file, the oldest first."""
    return [one for _, one in _dated(path.resolve())]


def back_up(path: Path, keep: int) -> Path | None:
    """Give a file a second, dated name among its backups, of which the oldest go; None where nothing is kept.

    `keep`: how many stay. Raises OSError.
    """
    real = path.resolve()
    if not keep or not real.is_file():
        return None
    at = time.strftime("%Y-%m-%d %H.%M.%S", time.localtime(real.stat().st_mtime))
    ours = _dated(real)
    last = max((int(match[2] or 1) for match, _ in ours if match[1] == at), default=0)
    backup = name_again(real, f"{real.stem} {at}{f' ({last + 1})' if last else ''}{real.suffix}")
    for _, old in ours[:max(0, len(ours) + 1 - keep)]:
        old.unlink(missing_ok=True)
    return backup


def name_again(path: Path, name: str) -> Path:
    """Give a file, as it is now, a second name among its backups, in the place of what had it. Raises OSError."""
    real, folder = path.resolve(), backup_folder(path)
    folder.mkdir(exist_ok=True)
    backup = folder / name
    backup.unlink(missing_ok=True)
    second_name(real, backup)
    return backup


def second_name(real: Path, other: Path) -> None:
    """Give a file one more name, or a copy of that name on a disk without second names. Raises OSError."""
    try:
        os.link(real, other)
    except OSError:
        shutil.copy2(real, other)


def drop(backup: Path | None) -> None:
    """Take away the backup of a file that was not replaced, and the folder if it was its only one."""
    if backup is not None:
        backup.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # others lie there
            backup.parent.rmdir()


def _dated(real: Path) -> list[tuple[re.Match[str], Path]]:
    """What lies there under the name of a backup, the oldest first, each with what its name says."""
    folder = backup_folder(real)
    named = re.compile(re.escape(real.stem) + _DATED + re.escape(real.suffix))
    inside = folder.iterdir() if folder.is_dir() else ()
    ours = [(match, one) for one in inside if (match := named.fullmatch(one.name))]
    return sorted(ours, key=lambda one: (one[1].stat().st_mtime_ns, int(one[0][2] or 1)))
