"""The form of an open battle in a club's copy: what the club may know in; the row of its report, and further rows, out.

A copy shows what the club has reported so far: the result in its answer, its further rows on their sheets. Read again
they are one answer, as the club would type it in a mail.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text
from assistant.campaign.records import Battle, FormRow, Question
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.battle_form.declaration import BattleForm
from assistant.turn.battle_form.form_rows import headed, in_words, says_anything
from assistant.turn.battle_form.halves import line_and_rows, read_half

if TYPE_CHECKING:
    from assistant.turn.ruleset import Ruleset


@dataclass(frozen=True)
class ClubForm:
    """The form of one battle, of one club. `question`: the row in which it reports, its answer without further rows;
    `rows`: the further rows of its half, with what it has reported; `laid`: sheet and key of those that stood there
    without it; `typed`: those in which somebody else has typed; `takes`: the sheets that take more rows.
    """

    battle: Battle
    question: Question
    rows: tuple[FormRow, ...]
    laid: tuple[tuple[str, str], ...]
    typed: tuple[FormRow, ...]
    takes: tuple[type[FormRow], ...]

    @property
    def begun(self) -> bool:
        """Whether something is reported already."""
        return bool(self.question.answer) or any(map(says_anything, self.rows))

    @property
    def sheets(self) -> tuple[type[FormRow], ...]:
        """The further sheets on which there is something to be filled in."""
        return tuple(dict.fromkeys((*self.takes, *map(type, self.rows))))


def open_forms(ruleset: Ruleset, view: Campaign, club: str) -> list[ClubForm]:
    """The forms that a club may fill in: of battles that wait for their result in the present phase, and in which it
    fights. `view`: what it may know.
    """
    form, now = ruleset.form, view.desk.phase
    if not club or form is None or form.seen is None or now not in ruleset.phase_ids(view) or (
            form.question not in ruleset.phase(now).waits_for):
        return []
    waiting = view.table(Battle).open_rows(view.desk.turn, lambda row: row.hold == "asked" and not form.reported(row))
    return [found for row in waiting if (found := _club_form(ruleset, form, view, row, club)) is not None]


def _club_form(ruleset: Ruleset, form: BattleForm[Any], view: Campaign, row: Battle, club: str) -> ClubForm | None:
    assert form.seen is not None
    battle, clubs = form.seen(ruleset.game(view.copy()), row)
    side = next((side for side, codes in clubs.items() if club in codes), "")
    if not side:
        return None
    question = report_row(view, form, row.battle, club)
    try:
        line, told = line_and_rows(form, view, question)
    except Unfit:
        line, told = question.answer, ()
    there = [one for sheet in form.sheets for _, one in view.by_sheet(sheet.sheet).items() if one.battle == row.battle]
    laid_out = {one.sheet for one in there if one.hold == "asked"}
    own = [one for one in there if form.owner is not None and form.owner(battle, one) == side]
    said = {(one.sheet, one.ident): one for one in told if one.unique}
    rows = [_with(one, said.pop((one.sheet, one.ident), None)) for one in own]
    others = [one for one in told if not one.unique or (one.sheet, one.ident) in said]
    rows += [one for one in others if one.sheet not in laid_out]
    question.answer = report([line], [one for one in others if one.sheet in laid_out])
    laid = tuple((one.sheet, one.ident) for one in own)
    return ClubForm(row, question, tuple(rows), laid, tuple(filter(says_anything, there)), tuple(
                    sheet for sheet in form.sheets if sheet.sheet not in laid_out))


def _with(row: FormRow, told: FormRow | None) -> FormRow:
    """A row with what was reported of it."""
    row = row.copy()
    for name in row.form() if told is not None else ():
        setattr(row, name, getattr(told, name))
    return row


def report_row(campaign: Campaign, form: BattleForm[Any], battle: str, club: str) -> Question:
    """The row in which a club reports on a battle in the present phase: a copy of what is there, or a new one."""
    table, desk, about = campaign.table(Question), campaign.desk, f"{battle}/{club}"
    name = table.record.named(desk.turn, desk.phase, form.question, club, about)
    row = table.record(question=name, turn=desk.turn, phase=desk.phase, kind=form.question, to=club, about=about)
    there = table.get(row.ident)
    return row if there is None else there.copy()


def is_report(form: BattleForm[Any] | None, row: Question, club: str) -> bool:
    """Whether a row of Questions is one in which a club reports on a battle, as its name says, too."""
    return form is not None and row.kind == form.question and row.to == club and row.about.endswith(f"/{club}") and (
        row.question == row.named(row.turn, row.phase, row.kind, row.to, row.about))


def report(lines: Iterable[str], rows: Iterable[FormRow]) -> str:
    """A report as a club would type it: the result in a line, then its further rows."""
    return "; ".join(filter(None, (*lines, *map(in_words, rows))))


def report_headed(form: BattleForm[Any] | None, campaign: Campaign, row: Question, lang: str) -> str:
    """What a club reports of a battle, behind the headings: the result, then what befell whom; "" for no report."""
    if form is None or not is_report(form, row, row.to):
        return ""
    try:
        half = read_half(form, campaign, row, "")
    except Unfit:
        return ""
    said = [headed(half.row, lang)]
    for one in half.rows:
        keys = [c.word(getattr(one, c.name), lang) for c in one.columns() if c.key and c.name != "battle"]
        said.append(f"{' '.join(filter(None, keys))}: {headed(one, lang)}")
    return "; ".join(filter(None, said))


def example_of(form: BattleForm[Any], row: Battle, lang: str) -> str:
    """How the line of a result is written, "" where what its columns hold cannot be guessed."""
    found = []
    for c in map(row.column, form.line):
        words = [c.word(one, lang) for one in getattr(c.kind, "options", ()) if one]
        hinted = c.hint(lang).partition(",")[0].strip()
        found.append(words[0] if words else "5" if type(c.kind) is not Text else hinted if hinted.isalpha() else "")
    return " ".join(found) if all(found) else ""
