"""Battles' forms in a club's copy: the forms in; rows of the sheet of questions and of their further sheets out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.campaign.record import Record
from assistant.campaign.records import FormRow, Question
from assistant.turn.battle_form.club_form import ClubForm, example_of
from assistant.turn.battle_form.form_rows import says
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.layout import sheet_title

SPARE, FEW = 12, 3
"""Blank rows of each battle, where its sheet takes more: on one that is blank yet, on one that has rows."""
REPORT = N_("Your report on {battle}, in one line: {list}. It counts when the referee confirms it.")
REPORT_AT = N_("Your report on {battle} {node:at}, in one line: {list}. It counts when the referee confirms it.")
ROWS_BEHIND = N_("What befell your own goes into the light yellow cells of {sheets}.")
EXAMPLE = N_("such as: {example}")


class BattleSheets:
    """The forms of one copy. `forms`: those that its club may fill in; `wording`: in its language."""

    def __init__(self, ruleset: Ruleset, forms: Sequence[ClubForm], wording: Wording) -> None:
        self._ruleset, self._forms, self._wording = ruleset, forms, wording
        self._own = {(row.sheet, row.ident) for one in forms for row in one.rows}
        self.sheets = tuple(dict.fromkeys(sheet for one in forms for sheet in one.sheets))
        """The further sheets that are to be filled in."""

    def beside(self, first: type[Record], records: Sequence[type[Record]]) -> list[type[Record]]:
        """Records of sheets, those that are to be filled in behind that of questions."""
        left = [record for record in records if record not in self.sheets]
        place = next((i for i, record in enumerate(left, 1) if issubclass(record, first)), 1)
        return [*left[:place], *(record for record in records if record in self.sheets), *left[place:]]

    def with_reports(self, asked: Iterable[Question]) -> list[Record]:
        """The rows of questions, those in which the club reports at their end."""
        ours = {one.question.ident for one in self._forms}
        return [*(row for row in asked if row.ident not in ours), *(one.question for one in self._forms)]

    def further_rows(self, record: type[FormRow], known: Sequence[Record]) -> list[Record]:
        """The rows of a further sheet: of each open battle those of the club's half, then some for more; then all
        others.
        """
        if record not in self.sheets:
            return list(known)
        found: list[Record] = []
        for one in self._forms:
            own = [row for row in one.rows if row.sheet == record.sheet]
            more = (FEW if own else SPARE) if record in one.takes else 0
            found += [*own, *(record(battle=one.battle.battle) for _ in range(more))]
        return [*found, *(row for row in known if (row.sheet, row.ident) not in self._own)]

    def fills(self, record: type[Record], name: str) -> bool:
        """Whether the club fills in a column of a further sheet, in some row of it."""
        if record not in self.sheets or name == "battle" or record.column(name).edit == "assistant":
            return False
        return not record.column(name).key or any(record in one.takes for one in self._forms)

    def fills_row(self, row: Record, name: str) -> bool:
        """Whether the club fills in that column of that row: of its own half what became of it, of a blank one all."""
        own = (row.sheet, row.ident) in self._own
        return name != "battle" and (self.is_spare(row) or (own and name in row.form()))

    def is_spare(self, row: Record) -> bool:
        """Whether it is a blank row, of which nothing but the battle is said."""
        return isinstance(row, FormRow) and self.is_open(row) and not any(
            says(row, c.name) for c in row.columns() if c.name != "battle")

    def is_open(self, row: FormRow) -> bool:
        """Whether a further row is of a battle on which the club may report."""
        return any(one.battle.battle == row.battle for one in self._forms)

    def said(self, row: Question, name: str) -> str:
        """What a worded cell of the row of a report says, "" for all others."""
        form = self._ruleset.form
        one = next((one for one in self._forms if one.question is row), None)
        if one is None or form is None or name not in ("*worded", "*options"):
            return ""
        words, lang = self._wording, self._wording.lang
        if name == "*options":
            example = example_of(form, one.battle, lang)
            return words.text(EXAMPLE, example=Verbatim(example)) if example else ""
        columns = [one.battle.column(entry.name) for entry in form.entries
                   if entry.name in form.line or entry.expected(one.battle)]
        told = [f"{c.heading(lang)} ({c.hint(lang)})" if c.hint(lang) else c.heading(lang) for c in columns]
        data = {"battle": Verbatim(one.battle.battle), "list": Verbatim(", ".join(told))}
        said = [words.text(REPORT_AT, node=one.battle.node, **data) if one.battle.node else words.text(REPORT, **data)]
        said += [words.text(ROWS_BEHIND, sheets=Verbatim(", ".join(sheet_title(sheet, lang) for sheet in self.sheets)))
                 ] if self.sheets else []
        return " ".join(said)
