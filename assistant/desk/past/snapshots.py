"""Snapshots: what the ledger keeps of a workbook in; the campaign and the workbook as they were before a change out.

The workbook's bytes are kept once, as they were before the command. Of every later phase only the rows
are kept that differ from that workbook: compact JSON, the same for the same campaigns.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.desk.past.differences import with_records
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.playing.typed import carry_told
from assistant.desk.sitting.hollow import filled, readable
from assistant.desk.sitting.sitting import sit
from assistant.desk.watch.change_marks import marks_of, read_mark, text_of
from assistant.desk.watch.kept_campaigns import KeptCampaigns
from assistant.desk.watch.open_workbook import campaign_in, file_of
from assistant.ledger import CORRECT, Ledger
from assistant.workbook.file_book import reading_of
from assistant.workbook.port import Loader


def campaign_of(content: bytes, name: str, loader: Loader | None = None) -> Campaign:
    """The campaign in what the ledger keeps of a workbook. `name`: of its file. Raises `BookError`, KeyError."""
    opened = campaign_in(content, loader)
    return reading_of(name, readable(content), loader).campaign if opened is None else opened


def campaign_before(ledger: Ledger, step: int, name: str, loader: Loader | None = None,
                    kept: KeptCampaigns | None = None) -> Campaign:
    """The campaign as it was before a step of the ledger. `kept`: those that it holds as rows, which are taken where
    it knows them, also where the file is lost.

    Raises KeyError, `LedgerTrouble`.
    """
    head = ledger.head(step)
    manifest = ledger.manifest_found(head) if kept is not None else ""
    campaign = kept.campaign(manifest) if kept is not None and manifest else None
    campaign = campaign or campaign_of(ledger.book(head), name, loader)
    records = ledger.records(step)
    return _between(ledger, step, with_records(campaign, json.loads(records))) if records else campaign


def _between(ledger: Ledger, step: int, campaign: Campaign) -> Campaign:
    """A campaign between two changes of one stroke, with the mark that it has there."""
    mark, marks = ledger.mark_before(step), marks_of(campaign.desk.marks)
    if mark and ledger.head(step) != step:
        campaign.desk.marks = text_of([*marks, read_mark(mark)])
    return campaign


def book_before(ledger: Ledger, step: int, name: str, loader: Loader | None = None, now: Campaign | None = None
                ) -> bytes:
    """The workbook as it was before a step: its very bytes, or, for a step between two phases of one
    command, those that the command would have left had it ended there; a correction's phases with the events that tell
    of it. Of a workbook that was open then, its file as it was last saved, with what stood on the screen.

    `now`: the campaign as it stands in the workbook, if that can be read.

    Raises KeyError, `LedgerTrouble`, `BookError`, and `Stop` where the workbook's rulebook is not installed.
    """
    content, records = ledger.book(step), ledger.records(step)
    opened = campaign_in(content, loader)
    if opened is None:
        content = _drawn_again(content, name, loader)
    if not records and opened is None:
        return content
    kept = json.loads(records) if records else {"outcome": [], "tables": {}}
    with tempfile.TemporaryDirectory(prefix="arbitro-") as folder:
        copy = Path(folder) / name
        copy.write_bytes(file_of(content))
        sitting = sit(copy, loader=loader)
        after, words = _between(ledger, step, with_records(opened or sitting.campaign, kept)), sitting.sheet_wording
        if (corrected := _corrected(ledger, step, name, loader, now)) is not None:
            carry_told(corrected, after, corrections=True)
        lines = desk_lines(sitting.ruleset, after, words, name, kept["outcome"])
        sitting.book.write(sitting.campaign, after, words, lines)
        return copy.read_bytes()


def _drawn_again(kept: bytes, name: str, loader: Loader | None) -> bytes:
    """The file of what the ledger keeps, with the map that stood in it."""
    if readable(kept) is kept:
        return kept
    reading = reading_of(name, readable(kept), loader)
    assert reading.ruleset is not None  # it drew the map
    return filled(kept, reading.ruleset, reading.campaign)


def _corrected(ledger: Ledger, step: int, name: str, loader: Loader | None, now: Campaign | None) -> Campaign | None:
    """The campaign as the correction left it to whose phases a step belongs; None for any other step.

    A correction tells of itself at its end, and holds from its first phase on.
    """
    head = ledger.step(ledger.head(step))
    if head is None or head.verb != CORRECT or head.id == step:
        return None
    later = next((one.id for one in ledger.steps() if one.id > step and one.sha_before), None)
    return now if later is None else campaign_before(ledger, later, name, loader)
