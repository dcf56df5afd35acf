"""A folder of CSVs with orders, answers, dice and expected.csv in; where play comes to something else out.

``expected.csv`` has ``checkpoint,table,key,field,value``. A checkpoint is ``TURN after PHASE``, or ``TURN`` for its
close (the column may be called ``turn``, and ``table`` ``sheet``). Rows of the table Findings say which findings there
are, and no others: their checkpoint is ``TURN PHASE``, the key the order's, the field the code, the value the severity.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import FindingRow
from assistant.testing.robots import told
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from assistant.workbook.read.csvfolder import read_folder

Shown = Callable[[Record], Mapping[str, str]]


class Expected(NamedTuple):
    """One value that is expected at a checkpoint."""

    checkpoint: str
    table: str
    key: str
    field: str
    value: str


def expected(folder: Path) -> list[Expected]:
    """The rows of a folder's expected.csv. Raises AssertionError where a column is missing, OSError."""
    with (folder / "expected.csv").open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        also = {"turn": "checkpoint", "sheet": "table"}
        rows = [{also.get(name, name): text for name, text in row.items()} for row in reader]
    heads = {also.get(name, name) for name in reader.fieldnames or ()}
    missing = [name for name in Expected._fields if name not in heads]
    assert not missing, f"expected.csv has no column {', '.join(missing)}; it has {','.join(Expected._fields)}."
    return [Expected(**row) for row in rows]


def unmet(rows: Iterable[Expected], campaign: Campaign, shown: Shown = Record.as_text) -> list[str]:
    """Which values are others in a campaign. A key may leave out its last parts: then the last such row is meant.

    `shown`: the fields of a row as text, with what is counted besides.
    """
    tables = {name: table for table in campaign.tables().values() for name in (table.record.sheet, table.record.file)}
    found = []
    for one in rows:
        assert one.table in tables, f"expected.csv names {one.table}; there are {', '.join(sorted(tables))}."
        alike = [row for row in tables[one.table] if f"{row.ident}/".startswith(f"{one.key}/")]
        seen = shown(alike[-1]).get(one.field, "no column") if alike else "not there"
        if seen != one.value:
            found.append(f"{one.checkpoint}: {one.table} {one.key} {one.field} is {seen!r} and not {one.value!r}")
    return found


def unlike_findings(rows: Iterable[Expected], campaign: Campaign) -> list[str]:
    """Which findings about orders are there and not expected, or expected and not there."""
    wanted = Counter((one.checkpoint, one.key, one.field, one.value) for one in rows)
    seen = Counter((f"{f.turn} {f.phase}", f.row, f.code, f.severity) for f in campaign.table(FindingRow))
    return [*(f"{when}: {code} ({severity}) was not found at {row}" for when, row, code, severity in wanted - seen),
            *(f"{when}: {code} ({severity}) was found at {row}" for when, row, code, severity in seen - wanted)]


def opening(ruleset: Ruleset, folder: Path) -> Campaign:
    """The campaign of a folder at its start. Raises AssertionError with what cannot be read."""
    _, campaign, findings = read_folder(folder, ruleset)
    bad = [told(one) for one in findings if one.stops]
    assert not bad, f"{folder.name} cannot be read: {'; '.join(bad)}. Put its CSVs right."
    ruleset.fold(campaign)
    ruleset.prepare(campaign)
    return campaign


def golden_faults(ruleset: Ruleset, folder: Path, secret: bytes = bytes(32),
                  shown: Shown = Record.as_text) -> list[str]:
    """What a folder's expected.csv says otherwise than play does, until its last checkpoint; [] where nothing is."""
    rows = expected(folder)
    about_findings = [one for one in rows if one.table == FindingRow.sheet]
    left: dict[str, list[Expected]] = {}
    for one in rows:
        if one not in about_findings:
            left.setdefault(one.checkpoint, []).append(one)
    campaign, found = opening(ruleset, folder), []
    last: Outcome | None = None
    while left:
        turn = campaign.desk.turn
        if last is not None and (last.turn != turn or ruleset.is_over(campaign)):
            found += unmet(left.pop(last.turn, ()), campaign, shown)
        if not left or ruleset.is_over(campaign):
            break
        last = resolve(ruleset, campaign, secret)
        if not last.done:
            asked = ", ".join(question.question for question in last.questions)
            return [*found, f"{last.turn} {last.phase} waits: {asked or '; '.join(map(told, last.findings))}. "
                            "Write the answers into answers.csv, results of battles into battle_results.csv."]
        campaign = last.campaign
        found += unmet(left.pop(f"{last.turn} after {last.phase}", ()), campaign, shown)
    found += [f"{name}: play never comes there" for name in left]
    found += unlike_findings(about_findings, campaign)
    return [f"{one}. Put the rule right, or expected.csv." for one in found]
