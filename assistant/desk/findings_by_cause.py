"""Findings by their cause: findings in; those that one slip has made out as one, told where they begin."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from assistant.campaign.records import Faction
from assistant.turn.findings import Finding
from assistant.workbook.codes import DATE, ORDER_FACTION, UNKNOWN_REF

FROM = 4
"""Findings of one cause that are told as one."""
SHOWN = 3
"""Cells that are named then."""
_DATES = ("", "")


class Cause(NamedTuple):
    """What is told in one line: one finding, or all of one cause. `missed`: the code that they miss, "" for numbers
    that a format shows as dates; `sheet`: where it should stand.
    """

    findings: tuple[Finding, ...]
    sheet: str = ""
    missed: str = ""

    @property
    def many(self) -> bool:
        """Whether they are told as one."""
        return len(self.findings) >= FROM


def causes(findings: Sequence[Finding]) -> list[Cause]:
    """The findings in their order, those of one cause together at the first one's place."""
    dated = {_place(one) for one in findings if one.code == DATE and one.stops}
    keys = [_cause(one, dated if len(dated) >= FROM else ()) for one in findings]
    grouped: dict[tuple[str, str] | None, dict[object, Finding]] = {}
    for key, one in zip(keys, findings, strict=True):
        of_cause = grouped.setdefault(key, {})
        of_cause.setdefault(_place(one) if key == _DATES else len(of_cause), one)
    found, told = [], set()
    for key, one in zip(keys, findings, strict=True):
        if key is None or len(grouped[key]) < FROM:
            found.append(Cause((one,)))
        elif key not in told:
            told.add(key)
            found.append(Cause(tuple(grouped[key].values()), *key))
    return found


def _cause(finding: Finding, dated: Collection[object]) -> tuple[str, str] | None:
    """The sheet on which a finding misses a code, and the code; `_DATES` for what is said of a cell that a format
    shows as a date, which a workbook has for many cells at once; None for findings of another kind.
    """
    seen = str(finding.data.get("seen", ""))
    if _place(finding) in dated:
        return _DATES
    if finding.code == UNKNOWN_REF and seen:
        return str(finding.data.get("table", "")), seen
    return (Faction.sheet, seen) if finding.code == ORDER_FACTION and seen else None


def _place(finding: Finding) -> object:
    """The cell of a finding, or what stands for it where it has none."""
    return finding.cell or finding.where
