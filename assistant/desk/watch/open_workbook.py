"""What the ledger keeps of an open workbook: its records and its saved file in; bytes and a fingerprint out.

A file is kept as its bytes and known by their fingerprint. An open workbook has no bytes of its own, so it is
known by a fingerprint of its records: the same whenever it shows the same, saved or not. That tells also when
the program itself has taken a change of Arbitro's back, or when it was closed without saving.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes
from assistant.campaign.record import Record
from assistant.campaign.table import Table
from assistant.ledger import Ledger
from assistant.turn.ruleset import load
from assistant.workbook.port import Loader

MARK = b"ARBITRO-OPEN-1\n"
STATE = "records:"
"""How the fingerprint of an open workbook begins in the ledger."""


class Standing(NamedTuple):
    """What a ledger keeps of an open workbook (`content`), and by what it knows it (`sha`)."""

    content: bytes
    sha: str


def rows_of(record: type[Record], rows: list[Record]) -> dict[str, Any]:
    """Rows as plain values."""
    names = [c.name for c in record.columns()]
    return {"fields": names, "rows": [[getattr(row, name) for name in names] for row in rows]}


def row_of(record: type[Record], fields: list[str], values: list[Any]) -> Record:
    """A row of plain values; a column that is new since takes its default, one that is gone is left out."""
    found = dict(zip(fields, values, strict=True))
    ready = {}
    for c in record.columns():
        if c.name in found:
            value = found[c.name]
            ready[c.name] = tuple(value) if isinstance(c.kind, Codes) else value
    return record(**ready)


def records_of(campaign: Campaign) -> bytes:
    """All rows of a campaign, the same bytes for the same rows."""
    tables = {sheet: rows_of(table.record, [row for _, row in table.raw_rows()])
              for sheet, table in campaign.tables().items()}
    text = json.dumps({"ruleset": campaign.desk.ruleset, "tables": tables}, ensure_ascii=False, sort_keys=True,
                      separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def state_of(campaign: Campaign) -> str:
    """The fingerprint by which an open workbook is known."""
    return STATE + hashlib.sha256(records_of(campaign)).hexdigest()


def standing_of(campaign: Campaign, file: bytes) -> Standing:
    """What is kept of an open workbook. `file`: as it was last saved, b"" where it never was."""
    records = records_of(campaign)
    return Standing(MARK + len(records).to_bytes(8, "big") + records + file,
                    STATE + hashlib.sha256(records).hexdigest())


def file_of(content: bytes) -> bytes:
    """The workbook's file in what the ledger keeps: all of it, or what stood on the disk."""
    if not content.startswith(MARK):
        return content
    size = int.from_bytes(content[len(MARK):len(MARK) + 8], "big")
    return content[len(MARK) + 8 + size:]


def campaign_in(content: bytes, loader: Loader | None = None) -> Campaign | None:
    """The campaign of an open workbook in what the ledger keeps; None where it keeps a file.

    Raises KeyError where its ruleset is not installed.
    """
    if not content.startswith(MARK):
        return None
    size = int.from_bytes(content[len(MARK):len(MARK) + 8], "big")
    kept = json.loads(content[len(MARK) + 8:len(MARK) + 8 + size].decode("utf-8", "surrogatepass"))
    campaign = Campaign((loader or load)(kept["ruleset"]).records)
    for sheet, part in kept["tables"].items():
        if sheet in campaign.tables():
            record = campaign.by_sheet(sheet).record
            campaign.put(Table(record, [row_of(record, part["fields"], values) for values in part["rows"]]))
    return campaign


def follow(ledger: Ledger, state: str) -> bool:
    """Let the ledger follow an open workbook in which the program itself took changes back, or made them again,
    or that was closed without saving. Whether it had to move. `state`: by what the workbook is known now.

    Raises `LedgerTrouble`.
    """
    done = [s for s in ledger.steps() if s.state == "done"]
    here: dict[str, Any] = json.loads(ledger.noted("stands") or '{"sha": "", "left": {}}')
    if not done or state == here["sha"]:
        return False
    then = here["left"].get(state)
    if then is None:
        step = next((s for s in reversed(done) if s.sha_before == state), None)
        if step is None:
            return False
        then = {"line": list(step.line), "redo": [], "manifest": ledger.manifest_before(step.id),
                "mark": ledger.mark_before(step.id)}
    now = {"line": list(ledger.line), "redo": list(ledger.redo), "manifest": ledger.manifest(),
           "mark": ledger.mark}
    noted = {"sha": state, "left": {**here["left"], here["sha"]: now}}
    ledger.point(then["line"], then["redo"], then["manifest"], json.dumps(noted, sort_keys=True),
                 then.get("mark", ""))
    return True
