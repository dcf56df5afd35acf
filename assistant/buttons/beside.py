"""Two workbooks of one campaign, plain and with buttons: both in; a finding out that says which is the later one."""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.records import Event
from assistant.desk import codes
from assistant.desk.playing.play import ahead, now
from assistant.desk.sitting.moments import apart
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop
from assistant.ledger import LedgerTrouble
from assistant.turn.findings import Finding


def beside(one: Sitting, target: Path) -> Finding | None:
    """What is to be known before a workbook with buttons, made of `one`, takes the place of `target`.

    `TARGET_LATER` where the campaign has gone on there, `TARGET_THERE` where it has not; None where `target` is no
    workbook of this campaign.
    """
    try:
        other = sit(target, one.lang)
    except Stop:
        return None
    if other.campaign.desk.campaign_id != one.campaign.desk.campaign_id:
        return None
    here, there = _age(one), _age(other)
    later = there > here or (there == here and now(other.campaign) != now(one.campaign)
                             and now(other.campaign) in ahead(one.ruleset, one.campaign))
    return codes.finding(codes.TARGET_LATER if later else codes.TARGET_THERE, target=target.name, file=one.path.name,
                         then=other.when(now(other.campaign)).strip(), now=one.when(now(one.campaign)).strip())


def _age(sitting: Sitting) -> tuple[bool, int]:
    """Whether the ledger has come to where a workbook stands, and how much has happened in it."""
    try:
        with sitting.ledger() as ledger:
            abreast = apart(sitting, ledger, sitting.look(ledger)) is None
    except (Stop, LedgerTrouble):  # without a ledger the events tell it, and the calendar
        abreast = False
    return abreast, len(sitting.campaign.table(Event))
