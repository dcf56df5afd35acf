"""Tanaephis 987 from its folder, whole or as the ground of a case: a few rows changed, one phase played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.environment import shipped_folder
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.testing import cases
from assistant.turn.phases import Outcome, resolve
from tests.playing import add_answer, add_row

PLACE = shipped_folder("workbook_templates") / "bloodlust" / "tanaephis"
SECRET = b"tanaephis"
TYPED = ("Orders", "Questions", "Dice", "Battles", "BattleUnits", "BattleLeaders")
Rows = Mapping[str, Mapping[str, Any]]


@cache
def _read() -> Campaign:
    return cases.opening(BLOODLUST, PLACE)


def tanaephis() -> Campaign:
    """The campaign at its beginning, with orders, answers, dice and results of the whole year."""
    return _read().copy()


def ground(turn: str = "987Sp", phase: str = "call", /, rules: Mapping[str, Any] | None = None,
           **rows: Rows) -> Campaign:
    """The campaign at its beginning without anything that was typed for it, at a phase; `rows`: by the name of the
    sheet, key -> what is other than there, or a new row.
    """
    campaign = tanaephis()
    for sheet in TYPED:
        table = campaign.by_sheet(sheet)
        for key in table.keys_in_file_order():
            table.remove(key)
    campaign.desk.turn, campaign.desk.phase = turn, phase
    for name, changes in rows.items():
        table = campaign.by_sheet(name)
        record = BLOODLUST.record(name)
        keys = [c.name for c in record.columns() if c.key]
        for key, values in changes.items():
            row = table.get(key) or table.add(record.from_values(dict(zip(keys, key.split("/"), strict=True))))
            for field, value in values.items():
                setattr(row, field, row.column(field).kind.read(value) if isinstance(value, str) else value)
    for key, value in (rules or {}).items():
        add_row(campaign, "Rules", {"key": key, "value": value})
    BLOODLUST.prepare(campaign)
    return campaign


def play(campaign: Campaign, orders: Iterable[str] = (), dice: Mapping[str, str] | None = None,
         answers: Mapping[str, tuple[str, str]] | None = None) -> Outcome:
    """Resolve the present phase. `orders`: lines ``VOR: compra 3``; `dice`: purpose -> faces; `answers`: name -> to,
    answer.
    """
    work = campaign.copy()
    now = {"turn": work.desk.turn, "phase": work.desk.phase}
    for number, line in enumerate(orders, 1):
        faction, _, text = line.partition(":")
        add_row(work, "Orders", {"order": f"o{number}", "faction": faction, "seq": number, "text": text, **now})
    for key, value in (dice or {}).items():
        add_row(work, "Dice", {"key": key, "value": value, "source": "table", **now})
    for name, (to, answer) in (answers or {}).items():
        add_answer(work, work.desk.phase, name, answer, to)
    return resolve(BLOODLUST, work, SECRET)


def codes(outcome: Outcome, row: str = "") -> list[str]:
    """The codes that were found, all or at a row."""
    return [one.code for one in outcome.findings if one.code.startswith("BLD") and row in ("", one.where.row)]


def row(outcome: Outcome, sheet: str, key: str) -> Any:
    """A row of what came of a phase."""
    return outcome.campaign.by_sheet(sheet)[key]


def told(outcome: Outcome, event: str) -> list[dict[str, Any]]:
    """What an event told, each time that it was told."""
    return [one.data for one in outcome.events if one.event == event]


__all__ = ["BLOODLUST", "PLACE", "SECRET", "Record", "codes", "ground", "play", "row", "tanaephis", "told"]
