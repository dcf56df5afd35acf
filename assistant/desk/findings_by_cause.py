"""Findings by their cause: findings in; those that miss one and the same code out as one, told where they begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.campaign.records import Faction
from assistant.turn.findings import Finding
from assistant.workbook.codes import ORDER_FACTION, UNKNOWN_REF

FROM = 4
"""Findings of one cause that are told as one."""
SHOWN = 3
"""Cells that are named then."""


class Cause(NamedTuple):
    """What is told in one line: one finding, or all that miss the same code. `sheet`: where it should stand."""

    findings: tuple[Finding, ...]
    sheet: str = ""
    missed: str = ""

    @property
    def many(self) -> bool:
        """Whether they are told as one."""
        return len(self.findings) >= FROM


def causes(findings: Sequence[Finding]) -> list[Cause]:
    """The findings in their order, those that miss one and the same code together at the first one's place."""
    grouped: dict[tuple[str, str], list[Finding]] = {}
    for one in findings:
        grouped.setdefault(_missed(one), []).append(one)
    found, told = [], set()
    for one in findings:
        key = _missed(one)
        if not key[1] or len(grouped[key]) < FROM:
            found.append(Cause((one,)))
        elif key not in told:
            told.add(key)
            found.append(Cause(tuple(grouped[key]), *key))
    return found


def _missed(finding: Finding) -> tuple[str, str]:
    """The sheet on which a finding misses a code, and the code; ("", "") for findings of another kind."""
    seen = str(finding.data.get("seen", ""))
    if finding.code == UNKNOWN_REF:
        return str(finding.data.get("table", "")), seen
    return (Faction.sheet, seen) if finding.code == ORDER_FACTION else ("", "")
