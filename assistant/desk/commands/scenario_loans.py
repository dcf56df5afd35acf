"""What a club's own workbook lacks, taken from a scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Ref
from assistant.campaign.records import Desk, Faction, Node, Rule
from assistant.campaign.tables import Table
from assistant.desk.commands.new_campaign import PLAYED_TABLES
from assistant.desk.commands.rulesets import prepare_and_check
from assistant.turn import codes as book_codes
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.workbook.adoption_match import TablePick
from assistant.workbook.adoption_values import alike_names
from assistant.workbook.read.grid import Notes

ROWS_NAMED = 6
"""How many rows a finding names; the rest is only counted."""


@dataclass
class Loans:
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


def fill_from_scenario(ruleset: Ruleset, campaign: Campaign, story: Campaign, chosen: Sequence[TablePick]) -> Loans:
    """Take from a scenario what the club does not keep: whole tables, and columns of rows with the same key.

    What names places, factions or other rows that the campaign does not have is left out again.
    """
    lent = _lend(campaign, _in_club_codes(story, campaign), chosen)
    while True:
        trial = campaign.copy()
        findings = prepare_and_check(ruleset, trial)  # the rulebook adds rows of its own, such as the neutrals
        # what it refuses may hang on what names nothing, so that goes first
        bad = list(_dangling(campaign, _idents(trial), lent)) or list(_refused(campaign, findings, lent))
        if not bad:
            return lent
        for sheet, key, name in bad:
            _leave_out(campaign, sheet, key, name, lent, _neutral_faction(trial))


def note_left_out(lent: Loans, notes: Notes) -> None:
    """Add findings about what was left out, sheet by sheet, with what to do about it."""
    for sheet, rows in lent.out.items():
        notes.add(book_codes.SCENARIO_ROWS_OUT, Where(sheet), "", {**_rows_data(rows), "sheet": sheet},
                  severity="warning")
    for (sheet, name, new), rows in lent.instead.items():
        notes.add(book_codes.SCENARIO_NEUTRAL if new else book_codes.SCENARIO_CELLS_BLANK, Where(sheet, "", name), "",
                  {**_rows_data(rows), "sheet": sheet, "new": new}, severity="warning")


def _rows_data(rows: Sequence[str]) -> dict[str, Any]:
    more = ", …" if len(rows) > ROWS_NAMED else ""
    return {"n": len(rows), "seen": ", ".join(rows[:ROWS_NAMED]) + more}


def stops_on_scenario_sheet(lent: Loans, findings: Sequence[Finding]) -> bool:
    """Whether a finding stops on a sheet that comes entirely from the scenario, where the club can fix nothing."""
    return any(f.stops and f.where.table in lent.tables for f in findings)


def _lend(campaign: Campaign, story: Campaign, chosen: Sequence[TablePick]) -> Loans:
    lent = Loans()
    left_out = {Desk.sheet, *(record.sheet for record in PLAYED_TABLES)}
    mine = {p.record.sheet: p for p in chosen if p.record.sheet not in left_out}
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


def _in_club_codes(story: Campaign, campaign: Campaign) -> Campaign:
    """The scenario with the club's codes for those of its factions that are the same ones."""
    ours = matching_factions(story, campaign)
    told = story.copy()
    for table in story.tables().values():
        renamed: Table[Any] = Table(table.record)
        for _, row in table.in_file_order():
            other = row.copy()
            for c in row.columns():
                names_faction = isinstance(c.kind, Ref) and c.kind.table == Faction.sheet
                if names_faction or (c.key and table.record.sheet == Faction.sheet):
                    setattr(other, c.name, ours.get(getattr(row, c.name), getattr(row, c.name)))
            renamed.add(other)
        told.put(renamed)
    return told


ALIKE = 85
"""How like the names of two factions must be, of 100."""


def matching_factions(story: Campaign, campaign: Campaign) -> dict[str, str]:
    """Scenario's faction -> the club's: of the same code, of a name that is like it, or with the same places."""
    def likeness(theirs: Faction, own: Faction) -> float:
        named = [name for name in (own.faction, own.name_en, own.name_it) if len(name) > 3]
        return max((alike_names(a, b) for a in named for b in (theirs.name_en, theirs.name_it) if b), default=0)

    free = {own.faction: own for own in campaign.table(Faction)}
    ours = {theirs.faction: theirs.faction for theirs in story.table(Faction) if free.pop(theirs.faction, None)}
    rest = [theirs for theirs in story.table(Faction) if theirs.faction not in ours]
    near = sorted((-likeness(theirs, own), theirs.faction, own.faction) for theirs in rest for own in free.values())
    held = Counter((_holder(story.table(Node)[key]), _holder(place)) for key, place in campaign.table(Node).items()
                   if key in story.table(Node))
    seated = sorted((-count, theirs, own) for (theirs, own), count in held.items() if theirs and own)
    for _, theirs, own in [*((score, a, b) for score, a, b in near if -score >= ALIKE), *seated]:
        if theirs not in ours and own in free and theirs in story.table(Faction):
            ours[theirs] = free.pop(own).faction
    return ours


def _holder(place: Node) -> str:
    return str(getattr(place, "owner", "") or getattr(place, "home", ""))


def _idents(campaign: Campaign) -> dict[str, set[str]]:
    return {sheet: {row.ident.casefold() for row in table} for sheet, table in campaign.tables().items()}


def _dangling(campaign: Campaign, known: Mapping[str, set[str]], lent: Loans) -> Iterator[tuple[str, str, str]]:
    """Values from the scenario that refer to rows which do not exist: sheet, key of the row, field."""
    for sheet, table in campaign.tables().items():
        for key, row in table.items():
            for c in row.columns():
                if c.kind.table and lent.has(sheet, key, c.name) and c.kind.table in known:
                    value = getattr(row, c.name)
                    named = value if isinstance(value, tuple) else (value,) if value else ()
                    if not getattr(c.kind, "own_finding", False) and any(
                            name.casefold() not in known[c.kind.table] for name in named):
                        yield sheet, key, c.name


def _refused(campaign: Campaign, findings: Sequence[Finding], lent: Loans) -> Iterator[tuple[str, str, str]]:
    """The same for what the rulebook refuses: a value that may be blank, else a row that is no faction or place."""
    for where in dict.fromkeys(f.where for f in findings if f.stops):
        row = campaign.by_sheet(where.table).get(where.row) if where.table in campaign.tables() else None
        if row is None or not lent.has(where.table, where.row, where.field):
            continue
        c = next((c for c in row.columns() if c.name == where.field), None)
        blank = c is not None and getattr(c.kind, "blank", False) and getattr(row, c.name) != c.default
        if blank or (where.table in lent.tables and where.table not in (Faction.sheet, Node.sheet, Rule.sheet)):
            yield where.table, where.row, where.field if blank else ""


def _neutral_faction(campaign: Campaign) -> str:
    return next((f.faction for f in campaign.table(Faction) if f.role == "neutral"), "")


def _leave_out(campaign: Campaign, sheet: str, key: str, name: str, lent: Loans, neutral: str) -> None:
    """Let a value that may be blank be so, and a place be the neutrals'; else the row goes, where all of it is
    the scenario's.
    """
    table = campaign.by_sheet(sheet)
    row = table.get(key)
    if row is None:  # it went for another of its values
        return
    c = next((c for c in row.columns() if c.name == name), None)
    may_be_blank = c is not None and not c.key and (isinstance(c.kind, Codes) or c.kind.blank)
    if c is not None and (may_be_blank or sheet not in lent.tables):
        held = sheet == Node.sheet and isinstance(c.kind, Ref) and c.kind.table == Faction.sheet
        new = neutral if held and getattr(row, c.name) != neutral else ""
        setattr(row, c.name, new or c.default)
        lent.instead.setdefault((sheet, c.name, new), []).append(row.ident)
    else:
        table.remove(key)
        lent.out.setdefault(sheet, []).append(row.ident)
