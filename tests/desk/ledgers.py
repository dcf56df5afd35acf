"""A ledger's file in; the same with a record otherwise out."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from assistant.ledger import Ledger, PlannedStep
from assistant.ledger.file import CHECKSUM, RecordStore, checksum


def bytes_with_checksum(content: bytes) -> bytes:
    """A ledger's bytes with the checksum that fits them."""
    return content[:CHECKSUM.start] + checksum(io.BytesIO(content)) + content[CHECKSUM.stop:]


@contextmanager
def records(ledger: Path) -> Iterator[RecordStore]:
    """The records of a ledger, to be changed by somebody who seals what he writes."""
    with closing(RecordStore.load(ledger)) as vault, vault.writing():
        yield vault


class Crash(BaseException):
    """Ends a change as a crash does: nothing is tidied up."""


def crashed(ledger: Path, stages: Sequence[PlannedStep], book: bytes, left: str, **more: Any) -> None:
    """A change of a workbook that a crash ends while its ledger lies ready beside the old one."""
    def crash() -> None:
        raise Crash

    with Ledger.open(ledger, "") as opened, suppress(Crash):
        opened.change(stages, book, left, meanwhile=crash, **more)


def rewrite(ledger: Path, kind: str, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what all records of a kind say that are JSON."""
    with records(ledger) as vault:
        for name, body in vault.all(kind).items():
            said = json.loads(body)
            change(said)
            vault.put(kind, name, json.dumps(said).encode())


def forget(ledger: Path, *kinds: str, facts: tuple[str, ...] = ()) -> None:
    """Take out all records of these kinds, and these facts."""
    with records(ledger) as vault:
        for kind in kinds:
            for name in vault.all(kind):
                vault.drop(kind, name)
        for key in facts:
            vault.drop("meta", key)
