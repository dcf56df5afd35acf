"""The deadline of a campaign that lies on the desk: its ledger and the time in; until when something is due out.

The ledger keeps the deadline of each phase, so that it stays the same whenever somebody looks; `undo` leaves it there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Faction
from assistant.desk import codes
from assistant.desk.sitting.sitting import Sitting
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.turn.absence.deadlines import timetable_of, zone_of
from assistant.turn.absence.holidays import spans
from assistant.turn.findings import Finding, Where
from assistant.wording import N_, Verbatim, Wording

DUE = "due"
"""Under which key the ledger keeps the deadlines of phases."""
KEPT = 40
DAYS = N_("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = N_("January February March April May June July August September October November December")
"""In one text each, so that a club that is called March stays so in Italian."""
By = str | Callable[[Wording], str]
"""Until when something is due: as it was typed, or worded when it is shown."""


def moment_of(campaign: Campaign) -> str:
    """What the deadline of the present phase is kept under."""
    return f"{campaign.desk.turn}.{campaign.desk.phase}"


def due_of(ledger: Ledger, campaign: Campaign) -> datetime | None:
    """The deadline of the present phase that is kept; None where the Desk sets none, or none was kept yet."""
    kept = _kept(ledger).get(moment_of(campaign), "")
    return datetime.fromisoformat(kept) if kept and timetable_of(campaign.desk) is not None else None


def note_due(ledger: Ledger, campaign: Campaign, due: datetime) -> None:
    """Keep the deadline of the present phase. Raises `LedgerTrouble`."""
    here = moment_of(campaign)
    kept = [(moment, at) for moment, at in _kept(ledger).items() if moment != here]
    ledger.note(DUE, json.dumps(dict([*kept[1 - KEPT:], (here, due.isoformat())])))


def _kept(ledger: Ledger) -> dict[str, str]:
    return dict(json.loads(ledger.noted(DUE) or "{}"))


def due_now(sitting: Sitting, now: datetime | None) -> datetime | None:
    """The deadline of the present phase: the one that is kept, else the next on the grid; None where the Desk sets
    none, the campaign is over, or nobody says what time it is.
    """
    table = timetable_of(sitting.campaign.desk)
    if table is None or now is None or sitting.ruleset.is_over(sitting.campaign):
        return None
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            return due_of(ledger, sitting.campaign) or table.next_after(now)
    except LedgerTrouble:  # what is wrong with it is said where it is needed
        return table.next_after(now)


def keep_due(sitting: Sitting, now: datetime | None) -> None:
    """Keep the deadline of the present phase that clubs are about to be told, unless one is kept. Raises `Stop`."""
    table = timetable_of(sitting.campaign.desk)
    if table is None or now is None or sitting.ruleset.is_over(sitting.campaign):
        return
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            if due_of(ledger, sitting.campaign) is None:
                note_due(ledger, sitting.campaign, table.next_after(now))
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def said_by(sitting: Sitting, by: str, now: datetime | None) -> By:
    """Until when something is due, as it was typed (`by`), else as the Desk sets it; "" for neither."""
    typed = " ".join(by.split())
    due = None if typed else due_now(sitting, now)
    return typed if due is None else lambda words: _with_grace(due, sitting.campaign.desk, words)


def _with_grace(due: datetime, desk: Desk, words: Wording) -> str:
    """A deadline, and until when what comes afterwards still counts."""
    table, told = timetable_of(desk), told_due(due, desk, words)
    if table is None or not table.grace:
        return told
    return words.text(N_("{due} (what comes until {until} still counts)"), due=Verbatim(told),
                      until=Verbatim(told_due(table.ends(due), desk, words)))


def shown(by: By, words: Wording) -> str:
    """A deadline in words of a language."""
    return by if isinstance(by, str) else by(words)


def told_due(due: datetime, desk: Desk, words: Wording) -> str:
    """``Sunday 6 December 2026, 20:00 (Europe/Rome)``, in words of a language."""
    local = due.astimezone(zone_of(desk) or UTC)
    return words.text(N_("{weekday} {day} {month} {year}, {hour} ({zone})"),
                      weekday=Verbatim(words.text(DAYS).split()[local.weekday()]), day=local.day,
                      month=Verbatim(words.text(MONTHS).split()[local.month - 1]), year=Verbatim(str(local.year)),
                      hour=Verbatim(f"{local:%H:%M}"), zone=Verbatim(desk.due_zone or "UTC"))


def plain_due(due: datetime | None, desk: Desk) -> str:
    """A deadline in signs that need no language, as events keep it; "" for none."""
    return "" if due is None else f"{due.astimezone(zone_of(desk) or UTC):%Y-%m-%d, %H:%M} ({desk.due_zone or 'UTC'})"


def unreadable(campaign: Campaign) -> list[Finding]:
    """What of deadlines and holidays cannot be read, as remarks at their cells."""
    desk = campaign.desk
    found = [] if zone_of(desk) is not None else [codes.finding(
        codes.NO_SUCH_ZONE, Where(Desk.sheet, "", "due_zone"), seen=Verbatim(desk.due_zone))]
    return found + [codes.finding(codes.NO_HOLIDAYS, Where(Faction.sheet, row.faction, "holidays"), row.faction,
                                  seen=Verbatim(row.holidays))
                    for row in campaign.table(Faction) if row.holidays and spans(row.holidays) is None]
