"""What a command asks in forms and what it answers: lines, findings, questions, exit code."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from assistant.campaign.records import Faction, Question
from assistant.turn.codes import (
    ADDED_BY_HAND,
    CHANGED_BY_HAND,
    DATE,
    DELETED_BY_HAND,
    ORDER_FACTION,
    RENAMED_BY_HAND,
    UNKNOWN_REF,
)
from assistant.turn.findings import Finding, UniqueFindings
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

Confirm = Callable[[Sequence[str], str], bool]
"""Shows somebody at a terminal some lines and asks a question about them; whether the answer was yes."""

# Findings grouped by cause.


SAME_CAUSE_FROM = 4
"""From so many findings of one cause on, they are shown as one."""
CELLS_SHOWN = 3
"""How many of their cells are named then."""
_DATES = ("", "")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Cause(NamedTuple):
    """What is shown in one line: a single finding, or all findings of one cause.

    `missed`: the code that they refer to in vain, "" for numbers that a format shows as dates; `sheet`: where that code
    should be.
    """

    findings: tuple[Finding, ...]
    sheet: str = ""
    missed: str = ""

    @property
    def many(self) -> bool:
        """Whether they are shown as one."""
        return len(self.findings) >= SAME_CAUSE_FROM


def group_by_cause(findings: Sequence[Finding]) -> list[Cause]:
    """The findings in their order, those of one cause together in place of the first."""
    dated = {_cell_or_place(finding) for finding in findings if finding.code == DATE and finding.stops}
    if len(dated) >= SAME_CAUSE_FROM:
        sheets = {finding.where.table for finding in findings if finding.code == DATE and finding.stops}
        findings = [finding for finding in findings if not _follows_from_dates(finding, sheets)]
    keys = [_cause_key(finding, dated if len(dated) >= SAME_CAUSE_FROM else ()) for finding in findings]
    grouped: dict[tuple[str, str] | None, dict[object, Finding]] = {}
    for key, finding in zip(keys, findings, strict=True):
        of_cause = grouped.setdefault(key, {})
        of_cause.setdefault(_cell_or_place(finding) if key == _DATES else len(of_cause), finding)
    causes, told = [], set()
    for key, finding in zip(keys, findings, strict=True):
        if key is None or len(grouped[key]) < SAME_CAUSE_FROM:
            causes.append(Cause((finding,)))
        elif key not in told:
            told.add(key)
            causes.append(Cause(tuple(grouped[key].values()), *key))
    return causes


def _cause_key(finding: Finding, dated: Collection[object]) -> tuple[str, str] | None:
    """The sheet and the code that a finding could not find there; None for findings of another kind.

    `_DATES` for any finding about a cell that a number format shows as a date; usually many cells have that at once.
    """
    seen = str(finding.data.get("seen", ""))
    if _cell_or_place(finding) in dated:
        return _DATES
    if finding.code == UNKNOWN_REF and seen:
        return str(finding.data.get("table", "")), seen
    return (Faction.sheet, seen) if finding.code == ORDER_FACTION and seen else None


def _follows_from_dates(finding: Finding, sheets: Collection[str]) -> bool:
    """Whether a change by hand is none, where number formats have made dates of many cells: a row whose number became
    one is not found or is another, and a number in a column of texts reads as one.

    `sheets`: those in which there are such cells.
    """
    if finding.code in (ADDED_BY_HAND, DELETED_BY_HAND, RENAMED_BY_HAND):
        return finding.where.table in sheets
    old, new = str(finding.data.get("old", "")), str(finding.data.get("new", ""))
    return finding.code == CHANGED_BY_HAND and old.isdecimal() and _ISO_DATE.fullmatch(new) is not None


def _cell_or_place(finding: Finding) -> object:
    return finding.cell or finding.where


# The result of a command.


Tell = Callable[[str], None]
"""A callback for progress, a line at a time."""


def quiet(line: str) -> None:
    """Ignore progress."""


class Exit(IntEnum):
    """How a command ended; the process's exit code."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    WAITING = 3
    LEDGER = 4
    FILE = 5
    # as `sysexits.h` calls a fault of the program's own
    FAULT = 70


@dataclass
class Result:
    """What a command did and has to say.

    `lines`: sentences for people, in the language of the command; `findings`, `questions`: worded by `finding_text` and
    `asked`; `events`: how many the command added; `data`: the command's own figures under stable keys, plain values;
    `on_desk`: those lines that the Desk sheet shows in places of their own; `told`: findings that lines say already.
    """

    command: str
    exit: Exit = Exit.DONE
    lines: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    events: int = 0
    data: dict[str, Any] = field(default_factory=dict)
    wording: Wording | None = None
    on_desk: list[str] = field(default_factory=list)
    told: list[Finding] = field(default_factory=list)

    def say(self, line: str, *, on_desk: bool = False) -> None:
        """Add a sentence for people. `on_desk`: the Desk sheet shows it in a place of its own."""
        self.lines.append(line)
        if on_desk:
            self.on_desk.append(line)

    def find(self, findings: Iterable[Finding]) -> None:
        """Add findings in order, without duplicates."""
        once = UniqueFindings(self.findings)
        for finding in findings:
            once.add(finding)

    def finding_lines(self) -> list[str]:
        """Each finding as ``place  code  sentence``; those of one cause in one line.

        Remarks about a place come after all others.
        """
        left = [finding for finding in self.findings if finding._replace(cell="") not in self.told]
        told = sorted(left, key=lambda f: bool(f.where.table) and not f.stops)
        return [self._cause_line(cause) for cause in group_by_cause(told)]

    def say_remarks(self) -> None:
        """Add a line that says how many of the findings are only remarks; these are listed last."""
        remarks = sum(not f.stops for f in self.findings)
        if remarks and self.wording is not None:
            self.say(self.wording.plural(N_("{n} of them is a remark and stops nothing."),
                                         N_("{n} of them are remarks and stop nothing."), remarks))

    def _cause_line(self, cause: Cause) -> str:
        first = cause.findings[0]
        place = finding_place(first, self.wording)
        if not cause.many or self.wording is None:
            return f"{place}  {first.code}  {self.finding_text(first)}".strip()
        cells = ", ".join(finding_place(f, self.wording) for f in cause.findings[:CELLS_SHOWN])
        text = self.wording.text(
            N_("{n} cells are shown as dates: {cells}, and so on. Where one format of the workbook was changed, give "
               "all of them the format Number, and all are settled; what Excel had made a date of is to be typed "
               "again."),
            n=len(cause.findings), cells=Verbatim(cells)) if not cause.missed else self.wording.plural(
            N_("'{seen}' is not on the sheet {sheet}, but {n} cell names it."),
            N_("'{seen}' is not on the sheet {sheet}, but {n} cells name it: {cells}, and so on. If it was mistyped or "
               "deleted there, put it back there, and all of them are settled."),
            len(cause.findings), seen=Verbatim(cause.missed), sheet=cause.sheet, cells=Verbatim(cells))
        code = first.code if cause.missed else DATE
        return f"{place}  {code}  {text}"

    def question_lines(self) -> list[str]:
        """Each open question as ``id  sentence``."""
        return [f"{q.question}  {self.question_text(q)}".strip() for q in self.questions]

    def finding_text(self, finding: Finding) -> str:
        """A finding in words."""
        return self.wording.finding(finding) if self.wording else str(finding.data.get("text", finding.code))

    def question_text(self, question: Question) -> str:
        """A question in words."""
        return self.wording.question(question) if self.wording else question.kind

    def as_json(self) -> dict[str, Any]:
        """Plain values under stable keys, the same for every command, with the command's own figures among them."""
        return {
            "command": self.command,
            "exit": int(self.exit),
            "done": self.exit == Exit.DONE,
            "lines": list(self.lines),
            "findings": [self._finding(f) for f in self.findings],
            "questions": [self._question(q) for q in self.questions],
            "events": self.events,
            **self.data,
        }

    def _finding(self, f: Finding) -> dict[str, Any]:
        return {"code": f.code, "severity": f.severity, "sheet": f.where.table, "row": f.where.row,
                "field": f.where.field, "cell": f.cell, "faction": f.faction, "text": self.finding_text(f),
                "data": {key: to_plain(value) for key, value in f.data.items()}}

    def _question(self, q: Question) -> dict[str, Any]:
        return {"question": q.question, "turn": q.turn, "phase": q.phase, "kind": q.kind, "to": q.to,
                "about": q.about, "options": q.options.split(", ") if q.options else [], "default": q.default,
                "answer": q.answer, "text": self.question_text(q)}


def agrees(confirm: Confirm, findings: Iterable[Finding], question: str, wording: Wording) -> bool:
    """Show somebody these findings and ask a question about them; whether the answer was yes."""
    return confirm(Result("", findings=list(findings), wording=wording).finding_lines(), wording.text(question))


def to_plain(value: Any) -> Any:
    """A value as plain JSON types."""
    if isinstance(value, (tuple, list, set, frozenset)):
        return [to_plain(item) for item in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def finding_place(finding: Finding, wording: Wording | None = None) -> str:
    """The place of a finding: its cell if known, else sheet, row and column in words."""
    place = finding.where
    if finding.cell or not place.table:
        return finding.cell
    if wording is None:
        return f"{place.table} {place.row}".strip()
    text = "{sheet}"
    if place.row:
        text = N_("{sheet}, row {row}, {column}") if place.field else N_("{sheet}, row {row}")
    return wording.text(text, sheet=place.table, row=Verbatim(place.row), column=place.field)


# Forms: what a command asks the referee before it begins, several values at once; a door shows them in a window.


@dataclass(frozen=True)
class FormField:
    """A value that is asked for. `value`: what stands there at first; `options`: the only values, if there are any;
    `secret`: it is not shown while it is typed; `file`: it is a file, which may be looked for.
    """

    name: str
    label: str
    value: str = ""
    options: tuple[str, ...] = ()
    secret: bool = False
    file: bool = False


@dataclass(frozen=True)
class Form:
    """A form in words. `lines`: what the referee reads above its fields."""

    lines: tuple[str, ...]
    fields: tuple[FormField, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values, for a program in another language."""
        return {"lines": list(self.lines),
                "fields": [{**vars(field), "options": list(field.options)} for field in self.fields]}


FillIn = Callable[[Form], Mapping[str, str] | None]
"""Shows a form and returns the values by their names; None where the referee gives up, or nobody can be asked."""


def option_number(options: Sequence[str], value: str) -> int:
    """The number of the option that was chosen; the first for none of them."""
    return options.index(value) if value in options else 0
