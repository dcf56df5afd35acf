"""What can go wrong with a workbook's file, as the port raises it: a path in, one kind of `BookError` out::

    BookError
      BookMissing    there is no such file
      BookLocked     Excel or LibreOffice has the file open (`user`: who, as far as the lock file says)
      BookClaimed    another Arbitro is changing it (`user`, `machine`, `doing`)
      BookHeld       another program keeps the file from being replaced (`content`: what it would hold now)
      BookChanged    somebody saved the file after it was read
      BookUnsafe     the change cannot be written without harm (`reason`)

Everything about the user's data is a `Finding` with its cell instead; only faults of file or machine are raised.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class BookError(Exception):
    """A fault of the file or the machine; see the tree at the top of this module."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path


class BookMissing(BookError):
    """There is no such file."""


class BookLocked(BookError):
    """Another program has the file open. `user` may be empty; `lock`: the name of the file that says so."""

    def __init__(self, path: Path, user: str, lock: str = "") -> None:
        super().__init__(path, f"{path.name} is open" + (f" at {user}'s" if user else "") + ": close it first")
        self.user = user
        self.lock = lock


class BookClaimed(BookError):
    """Another Arbitro is changing the file; nothing was written.

    `user`, `machine`: whose; `doing`: its command, may be empty; `claim`: the name of the file that says so.
    """

    def __init__(self, path: Path, user: str, machine: str, doing: str, claim: str) -> None:
        super().__init__(path, f"{user} on {machine} is changing {path.name} just now")
        self.user, self.machine, self.doing, self.claim = user, machine, doing, claim


class BookHeld(BookError):
    """Another program keeps the file from being replaced; nothing was written. `content`: what it would hold."""

    def __init__(self, path: Path, content: bytes) -> None:
        super().__init__(path, f"{path.name} cannot be replaced: is it open or read-only?")
        self.content = content


class BookChanged(BookError):
    """Somebody saved the file after it was read; nothing was written."""


class BookUnsafe(BookError):
    """The change cannot be written without harm; nothing was written.

    `code`: the finding that says why and what to do ("" for a reason in words); `cell`: where; `data`: its parameters.
    """

    def __init__(self, path: Path, text: str, code: str = "", cell: str = "", **data: Any) -> None:
        super().__init__(path, text)
        self.code, self.cell, self.data = code, cell, data
