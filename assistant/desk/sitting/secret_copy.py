"""The second copy of a campaign's dice secret and promises, in the referee's own folder and in no shared one.

Where every whole ledger is lost a new one is made of it: the dice stay those that were promised, and the clubs' codes
stay valid.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from assistant.ledger import Ledger
from assistant.post.out.settings import home, private

NOTES = ("copies", "rules")
"""Under which keys the ledger notes how often clubs' codes were renewed, and with which rules the campaign began."""


def place_of(campaign: str) -> Path:
    """Where the copy of a campaign's secrets lies."""
    return home() / "secrets" / f"{re.sub('[^0-9A-Za-z]', '_', campaign)}.json"


def keep_copy(ledger: Ledger) -> None:
    """Write the copy where it says something else by now. Who has no folder to write into has the backups alone: a
    phase does not fail for that.
    """
    said = {"campaign": ledger.campaign, "secret": ledger.secret.hex(), "turns": ledger.promises(),
            "notes": {key: ledger.noted(key) for key in NOTES}}
    text = json.dumps(said, indent=1, sort_keys=True) + "\n"
    with suppress(OSError, RuntimeError):  # a user without a home
        place = place_of(ledger.campaign)
        if not place.is_file() or place.read_bytes() != text.encode():
            private(place, text)


def ledger_of_copy(path: Path, campaign: str) -> Ledger | None:
    """A new ledger with the secret and the promises of the copy; None where there is none that can be read.

    Raises `LedgerTrouble`, FileExistsError.
    """
    try:
        said: dict[str, Any] = json.loads(place_of(campaign).read_bytes())
        secret, turns, notes = bytes.fromhex(said["secret"]), dict(said["turns"]), dict(said["notes"])
        if said["campaign"] != campaign:
            return None
    except (OSError, RuntimeError, ValueError, KeyError, TypeError):
        return None
    ledger = Ledger.create(path, campaign, secret, notes.get("rules", ""))
    ledger.promise_again(turns)
    if notes.get("copies"):
        ledger.note("copies", notes["copies"])
    return ledger
