"""What became of mails, written down a second time in this user's own folder: a ledger that was put back learns it.

One file a campaign, to which lines are added: a row of the outbox each, without its letter. It holds addresses and no
report, and nobody else may read it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from assistant.ledger.outbox import Mail, as_json, from_json
from assistant.post.out.settings import home


class Journal:
    """The journal of a campaign. Everything may raise OSError."""

    def __init__(self, campaign: str) -> None:
        self.path: Path = home() / "mails" / f"{re.sub('[^0-9A-Za-z]', '_', campaign)}.jsonl"

    def add(self, rows: Iterable[Mail]) -> None:
        """Write down how rows stand now."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "ab") as file:
            file.write(b"".join(b"\n" + as_json(row) for row in rows))  # what a crash cut short ends there
            file.flush()
            os.fsync(file.fileno())

    def rows(self) -> list[Mail]:
        """How each mail stood last; a line that a crash has cut short is none."""
        if not self.path.is_file():
            return []
        found: dict[str, Mail] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                row = from_json(line)
            except (ValueError, KeyError, TypeError):
                continue
            found[row.ident] = row
        return list(found.values())
