"""The two halves of a form: what each club reports of a battle, where they differ, what counts once it is confirmed.

A report is an answer of the club to the question that waits for the form, ``attacker fled 9; A1 foot 2 1 0``: the
result in a line, then further rows. It counts when the referee confirms it; what he types into the form himself goes
before it, and of what concerns one side only that side's own report does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Battle, FormRow, Question
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.battle_form.declaration import BattleForm, C, Clubs, Entry, Filled, Word
from assistant.turn.battle_form.form_rows import further_row, says, shown, told
from assistant.turn.findings import Finding, Severity, Where

NO_PART, NOT_READ, ONE_SIDE, AGREED, DIFFER, UNDECIDED, WITH_IT = (
    "ARB-301", "ARB-302", "ARB-303", "ARB-304", "ARB-305", "ARB-306", "ARB-309")


@dataclass(frozen=True)
class Half:
    """What a club reports. `question`: the row in which it does; `side`: whose half is its own; `row`, `rows`: the form
    as it says it is.
    """

    question: Question
    side: str
    row: Battle
    rows: tuple[FormRow, ...]

    @property
    def club(self) -> str:
        """The club's code."""
        return self.question.to


@dataclass(frozen=True)
class Difference:
    """An entry of which clubs say different things. `said`: club -> what it says; `column`: or the unit of a
    further row;
    `open`: whether it is nobody's own, so that the referee has to say what counts.
    """

    column: str
    said: Mapping[str, Any]
    open: bool


# --- reading --------------------------------------------------------------------------------------
def battle_of(report: Question) -> str:
    """The code of the battle that a report is about."""
    return report.about.split("/")[0]


def reports_on(campaign: Campaign, question: str, battle: str) -> list[Question]:
    """The rows in which clubs report on a battle that is not settled yet. `question`: the kind that waits for it."""
    return campaign.table(Question).open_rows(campaign.desk.turn, lambda row: bool(
        (row.kind, battle_of(row)) == (question, battle) and row.to not in ("", REFEREE) and row.answer.strip()
        and row.status in ("", "open")))


def read_half(form: BattleForm[Any], campaign: Campaign, question: Question, side: str) -> Half:
    """A club's report. Raises `Unfit` where it is none."""
    return Half(question, side, *_pieces(form, campaign, question)[:2])


def line_and_rows(form: BattleForm[Any], campaign: Campaign, question: Question) -> tuple[str, tuple[FormRow, ...]]:
    """A club's report as it was typed, without its further rows, and these. Raises `Unfit` where it is none."""
    _, rows, line = _pieces(form, campaign, question)
    return line, rows


def _pieces(form: BattleForm[Any], campaign: Campaign, question: Question) -> tuple[Battle, tuple[FormRow, ...], str]:
    battle = campaign.table(Battle).record(battle=battle_of(question))
    rows, line = dict[object, FormRow](), ""
    for number, part in enumerate(part.strip() for part in question.answer.split(";") if part.strip()):
        whole = battle.copy()
        try:
            if number:
                raise Unfit
            form.fill(whole, part, strict=True)
            battle, line = whole, part
        except Unfit:
            row = further_row(form, campaign, battle.battle, part, question.to)
            rows[(row.sheet, row.ident) if row.unique else number] = row
    return battle, tuple(rows.values()), line


def parts(form: BattleForm[Any], campaign: Campaign, battle: str, answer: str) -> tuple[str, list[FormRow]]:
    """The referee's answer: the result in a line, and the further rows behind it as clubs write them."""
    line, rows = answer.split(";")[:1], list[FormRow]()
    for part in filter(str.strip, answer.split(";")[1:]):
        try:
            rows.append(further_row(form, campaign, battle, part))
        except Unfit:
            line.append(part)
    return " ".join(line), rows


# --- comparing ------------------------------------------------------------------------------------
class Halves(Generic[C]):
    """What clubs report of one battle, beside the form as the referee has it."""

    def __init__(self, form: BattleForm[C], battle: C, row: Battle, halves: Sequence[Half]) -> None:
        self.form = form
        self.battle = battle
        self.row = row
        self.halves = list(halves)

    def differences(self) -> Iterator[Difference]:
        """What clubs say differently and the referee has not typed, entry by entry."""
        for entry in self.form.entries:
            said = {half.club: half for half in self.halves if says(half.row, entry.name)}
            if len({self._meant(half, entry) for half in said.values()}) > 1 and not says(self.row, entry.name):
                own = {self._meant(half, entry) for half in said.values() if half.side == entry.side}
                yield Difference(entry.name, {club: shown(half.row, entry.name) for club, half in said.items()},
                                 len(own) != 1)

    def row_differences(self) -> Iterator[Difference]:
        """Further rows that one side tells of the other's half, and that stand there otherwise; and those of one half
        of which two of its clubs say different things.
        """
        for place, half in enumerate(self.halves):
            for row in half.rows:
                side = self.owner(row)
                for own in (one for one in self.halves[:place] if one.side == half.side):
                    said = _same(own, row)
                    if said is not None and said.as_text() != row.as_text():
                        yield Difference(_label(row), {own.club: told(said, said.form()),
                                                       half.club: told(row, row.form())}, False)
                owners = [one for one in self.halves if one.side == side]
                if side == half.side or not owners:
                    continue
                there = next((one for own in owners if (one := _same(own, row)) is not None), None)
                if there is None or there.as_text() != row.as_text():
                    yield Difference(_label(row), {
                        half.club: told(row, row.form()),
                        owners[0].club: "–" if there is None else told(there, there.form())}, False)

    def owner(self, row: FormRow) -> str:
        """Whose half a further row stands in; "" where nobody knows."""
        return self.form.owner(self.battle, row) if self.form.owner is not None else ""

    def counting_rows(self, known: Sequence[FormRow]) -> Iterator[tuple[Half, FormRow]]:
        """The further rows that count beside those that the referee has typed: of each side what its own clubs say,
        and what others say only where these say nothing at all; of two clubs that tell of the same row the first. A row
        that a phase has handed out (`Record.hold`: asked, or the one row of its unit) and into which nobody has typed
        yet is none of the referee's.
        """
        typed = {row.ident for row in known if (row.hold == "typed" and not row.unique)
                 or any(says(row, name) for name in row.form())}
        said_by = dict[tuple[str, str], Half]()
        for half in self.halves:
            for row in half.rows:
                side = self.owner(row)
                told = any(one.side == side for one in self.halves)
                if row.ident not in typed and (side == half.side or not told) and said_by.setdefault(
                        (row.sheet, row.ident), half) is half:
                    yield half, row

    def counting(self, entry: Entry[C]) -> Any:
        """What counts of an entry: the referee's, the own side's, else what a club says; None where nobody says it."""
        for row in (self.row, *(half.row for half in self.halves if half.side == entry.side),
                    *(half.row for half in self.halves)):
            if says(row, entry.name):
                return getattr(row, entry.name)
        return None

    def _meant(self, half: Half, entry: Entry[C]) -> str:
        """What a club says, so that two words for the same are the same."""
        if not isinstance(entry, Word):
            return shown(half.row, entry.name)
        value = Filled(self.form, self.battle, _with_particulars(self.row, half.row, self.form))[entry.name]
        return shown(half.row, entry.name) if value is None else str(value)


def _with_particulars(row: Battle, said: Battle, form: BattleForm[Any]) -> Battle:
    """What a club says, on the battle's own row: whose it is and how strong they are stands there alone."""
    whole = row.copy()
    for entry in form.entries:
        setattr(whole, entry.name, getattr(said, entry.name))
    return whole


def _same(half: Half, row: FormRow) -> FormRow | None:
    """What a half says of the very thing that a further row is about."""
    return next((one for one in half.rows if (one.sheet, one.ident) == (row.sheet, row.ident)), None)


def _label(row: FormRow) -> str:
    """What a further row is about."""
    return " ".join(str(getattr(row, c.name)) for c in row.columns()
                    if c.key and c.name != "battle" and getattr(row, c.name))


def reported(form: BattleForm[Any], half: Half) -> list[dict[str, Any] | str]:
    """What a club reports, for a finding: the result, the word for the dice, each further row."""
    result = told(half.row, (entry.name for entry in form.entries))
    return [*([result] if result["said"] else []), *([form.dice[1]] if form.is_dice(half.row) else []),
            *(told(row, row.form(), _label(row)) for row in half.rows)]


# --- what is to be said ---------------------------------------------------------------------------
def unfit(code: str, question: Question, battle: str) -> Finding:
    """The finding at a report that is none, or is of somebody who did not fight."""
    return Finding(code, "error", Where(Question.sheet, question.ident, "answer"),
                   {"faction": question.to, "battle": battle, "text": question.answer.strip()}, question.to)


def state(halves: Halves[Any], clubs: Clubs) -> list[Finding]:
    """What the referee is told of reports that he has not confirmed: who is missing, that they agree, what differs."""
    battle, form = halves.row.battle, halves.form
    where = Where(Battle.sheet, battle, form.line[0])
    sides = {half.side for half in halves.halves}
    differences = [*halves.differences(), *halves.row_differences()]
    found = [_of_difference(DIFFER, "warning", halves, one) for one in differences]
    if len(sides) < len(clubs):
        half = halves.halves[0]
        found.append(Finding(ONE_SIDE, "info", where, {"battle": battle, "faction": half.club,
                                                       "text": reported(form, half)}))
    elif not differences:
        said = [one for half in halves.halves for one in reported(form, half)]
        whole = [one for place, one in enumerate(said) if one not in said[:place]]
        found.append(Finding(AGREED, "info", where, {"battle": battle, "text": whole, "answer": form.confirmed[0]}))
    return found


def undecided(halves: Halves[Any]) -> list[Finding]:
    """What keeps reports from counting although the referee confirms them."""
    return [_of_difference(UNDECIDED, "error", halves, one) for one in halves.differences() if one.open]


def _of_difference(code: str, severity: Severity, halves: Halves[Any], one: Difference) -> Finding:
    """A difference at the cell where the referee settles it."""
    known = {entry.name for entry in halves.form.entries}
    where = Where(Battle.sheet, halves.row.battle, one.column if one.column in known else halves.form.line[0])
    return Finding(code, severity, where, {"battle": halves.row.battle, "column": one.column,
                                           "list": _listed(one.said)})


def _listed(said: Mapping[str, Any]) -> Any:
    rows = any(isinstance(what, Mapping) for what in said.values())
    return dict(said) if rows else ", ".join(f"{club}: {what}" for club, what in said.items())
