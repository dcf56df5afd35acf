"""What a scenario lends: a club's tables and a scenario in; what is added out, and what of it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Ref
from assistant.campaign.records import Desk, Faction, Node, Rule
from assistant.desk.founding.starting import PLAYED, prepared
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.adopt.picks import Pick
from assistant.workbook.read.grid import Notes

SHOWN = 6
"""Rows that a finding names; more are counted."""


@dataclass
class Lent:
    """What came from the scenario. `tables`: whole tables; `fields`: sheet -> rows' keys with the fields they got;
    `out`: sheet -> rows that were left out; `instead`: sheet, field and what stands there now ("" for blank) -> rows.
    """

    tables: list[str] = field(default_factory=list)
    fields: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    out: dict[str, list[str]] = field(default_factory=dict)
    instead: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)

    def has(self, sheet: str, key: str, name: str) -> bool:
        """Whether a field of a row is the scenario's."""
        return sheet in self.tables or name in self.fields.get(sheet, {}).get(key, ())


def complete(ruleset: Ruleset, campaign: Campaign, story: Campaign, chosen: Sequence[Pick]) -> Lent:
    """Take from a scenario what the club does not keep: whole tables, and columns of rows with the same key.

    What names places, factions or other rows that the campaign does not have is left out again.
    """
    lent = _taken(campaign, story, chosen)
    while True:
        trial = campaign.copy()
        findings = prepared(ruleset, trial)  # the rulebook adds rows of its own, such as the neutrals
        # what it refuses may hang on what names nothing, so that goes first
        bad = list(_unknown(campaign, _codes(trial), lent)) or list(_refused(campaign, findings, lent))
        if not bad:
            return lent
        for sheet, key, name in bad:
            _leave_out(campaign, sheet, key, name, lent, _neutral(trial))


def tell(lent: Lent, notes: Notes) -> None:
    """Note what was left out, sheet by sheet, with the way out."""
    for sheet, rows in lent.out.items():
        notes.add(codes.SCENARIO_ROWS_OUT, Where(sheet), "", {**_counted(rows), "sheet": sheet}, severity="warning")
    for (sheet, name, new), rows in lent.instead.items():
        notes.add(codes.SCENARIO_NEUTRAL if new else codes.SCENARIO_CELLS_BLANK, Where(sheet, "", name), "",
                  {**_counted(rows), "sheet": sheet, "new": new}, severity="warning")


def _counted(rows: Sequence[str]) -> dict[str, Any]:
    more = ", …" if len(rows) > SHOWN else ""
    return {"n": len(rows), "seen": ", ".join(rows[:SHOWN]) + more}


def misfit(lent: Lent, findings: Sequence[Finding]) -> bool:
    """Whether something stops on a sheet that is wholly the scenario's, where the club can put nothing right."""
    return any(f.stops and f.where.table in lent.tables for f in findings)


def _taken(campaign: Campaign, story: Campaign, chosen: Sequence[Pick]) -> Lent:
    lent = Lent()
    mine = {p.record.sheet: p for p in chosen if not p.copied}
    left_out = {Desk.sheet, *(record.sheet for record in PLAYED)}
    for sheet, table in story.tables().items():
        if sheet in left_out:
            continue
        if sheet not in mine:
            campaign.put(table)
            lent.tables.append(sheet)
            continue
        pick = mine[sheet]
        for key, row in campaign.by_sheet(sheet).items():
            model = table.get(key)
            for c in row.columns() if model is not None else ():
                if c.name not in pick.columns and c.name not in pick.fills:
                    setattr(row, c.name, getattr(model, c.name))
                    lent.fields.setdefault(sheet, {}).setdefault(key, []).append(c.name)
    lent.fields[Desk.sheet] = {campaign.desk.ident: [c.name for c in campaign.desk.columns()]}
    return lent


def _codes(campaign: Campaign) -> dict[str, set[str]]:
    """Sheet -> the codes of its rows, folded."""
    return {sheet: {row.ident.casefold() for row in table} for sheet, table in campaign.tables().items()}


def _unknown(campaign: Campaign, known: Mapping[str, set[str]], lent: Lent) -> Iterator[tuple[str, str, str]]:
    """Sheet, row's key and field of what the scenario lent and names rows that are nowhere."""
    for sheet, table in campaign.tables().items():
        for key, row in table.items():
            for c in row.columns():
                if isinstance(c.kind, (Ref, Codes)) and lent.has(sheet, key, c.name) and c.kind.table in known:
                    value = getattr(row, c.name)
                    named = value if isinstance(value, tuple) else (value,) if value else ()
                    if not getattr(c.kind, "own_finding", False) and any(
                            one.casefold() not in known[c.kind.table] for one in named):
                        yield sheet, key, c.name


def _refused(campaign: Campaign, findings: Sequence[Finding], lent: Lent) -> Iterator[tuple[str, str, str]]:
    """The same of what the rulebook refuses: a value that may be blank, else a row that is no faction and no place."""
    for where in dict.fromkeys(f.where for f in findings if f.stops):
        row = campaign.by_sheet(where.table).get(where.row) if where.table in campaign.tables() else None
        if row is None or not lent.has(where.table, where.row, where.field):
            continue
        c = next((c for c in row.columns() if c.name == where.field), None)
        blank = c is not None and getattr(c.kind, "blank", False) and getattr(row, c.name) != c.default
        if blank or (where.table in lent.tables and where.table not in (Faction.sheet, Node.sheet, Rule.sheet)):
            yield where.table, where.row, where.field if blank else ""


def _neutral(campaign: Campaign) -> str:
    """The code of those who hold the places of nobody; "" where the rulebook has none."""
    return next((f.faction for f in campaign.table(Faction) if f.role == "neutral"), "")


def _leave_out(campaign: Campaign, sheet: str, key: str, name: str, lent: Lent, neutral: str) -> None:
    """Let a value that may be blank be so, and a place be the neutrals'; else the row goes, where all of it is
    the scenario's.
    """
    table = campaign.by_sheet(sheet)
    row = table.get(key)
    if row is None:  # it went for another of its values
        return
    c = next((c for c in row.columns() if c.name == name), None)
    may_be_blank = c is not None and not c.key and (isinstance(c.kind, Codes) or getattr(c.kind, "blank", False))
    if c is not None and (may_be_blank or sheet not in lent.tables):
        held = sheet == Node.sheet and isinstance(c.kind, Ref) and c.kind.table == Faction.sheet
        new = neutral if held and getattr(row, c.name) != neutral else ""
        setattr(row, c.name, new or c.default)
        lent.instead.setdefault((sheet, c.name, new), []).append(row.ident)
    else:
        table.remove(key)
        lent.out.setdefault(sheet, []).append(row.ident)
