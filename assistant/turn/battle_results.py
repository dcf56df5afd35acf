"""Results of battles: the referee's form, the clubs' reports, and which of them counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text
from assistant.campaign.records import REFEREE, Battle, FormRow, Question
from assistant.turn.battle_form import (
    BattleForm,
    C,
    Clubs,
    Entry,
    Fault,
    Filled,
    Word,
    cell_text,
    format_row,
    is_filled,
    is_row_filled,
    parse_further_row,
    row_as_line,
    row_data,
)
from assistant.turn.findings import Finding, Severity, Where
from assistant.turn.game import Game
from assistant.turn.orders.words import meaning_of_word
from assistant.turn.questions import Ask, UnfitAnswer

if TYPE_CHECKING:
    from assistant.turn.ruleset import Ruleset


# The clubs' reports on a battle.
#
# A report is a club's answer to the question that waits for the form, ``attacker fled 9; A1 foot 2 1 0``: the result
# in one line, then further rows. It counts once the referee confirms it. What the referee types into the form takes
# precedence over reports, and on matters of one side that side's own report takes precedence over the other's.


NO_PART, NOT_READ, ONE_SIDE, AGREED, DIFFER, UNDECIDED, WITH_IT = (
    "ARB-301", "ARB-302", "ARB-303", "ARB-304", "ARB-305", "ARB-306", "ARB-309")


@dataclass(frozen=True)
class HalfReport:
    """One club's report. `question`: its row of Questions; `side`: the club's side; `row`, `rows`: the form as the club
    fills it in.
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
class ReportDifference:
    """An entry on which clubs disagree. `column`: its column, or the unit of a further row; `said`: club -> what it
    says; `open`: neither side's report takes precedence, so the referee has to decide.
    """

    column: str
    said: Mapping[str, Any]
    open: bool


# --- reading --------------------------------------------------------------------------------------
def battle_code(report: Question) -> str:
    """The code of the battle that a report is on."""
    return report.about.split("/")[0]


def reports_on(campaign: Campaign, question: str, battle: str) -> list[Question]:
    """The clubs' reports on a battle that is not settled yet. `question`: the kind of question that waits for it."""
    return campaign.table(Question).open_rows(campaign.desk.turn, lambda row: bool(
        (row.kind, battle_code(row)) == (question, battle) and row.to not in ("", REFEREE) and row.answer.strip()
        and row.status in ("", "open")))


def parse_report(form: BattleForm[Any], campaign: Campaign, question: Question, side: str) -> HalfReport:
    """Read a club's report. Raises `UnfitAnswer` if the answer is no report."""
    return HalfReport(question, side, *_parse_pieces(form, campaign, question)[:2])


def split_report(form: BattleForm[Any], campaign: Campaign, question: Question) -> tuple[str, tuple[FormRow, ...]]:
    """The first line of a club's report as it was typed, and its further rows. Raises `UnfitAnswer` for no report."""
    _, rows, line = _parse_pieces(form, campaign, question)
    return line, rows


def _parse_pieces(
    form: BattleForm[Any], campaign: Campaign, question: Question
) -> tuple[Battle, tuple[FormRow, ...], str]:
    battle = campaign.table(Battle).record(battle=battle_code(question))
    rows, line = dict[object, FormRow](), ""
    for number, part in enumerate(part.strip() for part in question.answer.split(";") if part.strip()):
        whole = battle.copy()
        try:
            if number:
                raise UnfitAnswer
            form.fill(whole, part, strict=True)
            battle, line = whole, part
        except UnfitAnswer:
            row = parse_further_row(form, campaign, battle.battle, part, question.to)
            rows[(row.sheet, row.ident) if row.unique else number] = row
    return battle, tuple(rows.values()), line


def split_answer(form: BattleForm[Any], campaign: Campaign, battle: str, answer: str) -> tuple[str, list[FormRow]]:
    """The referee's answer in two parts: the result in one line, and the further rows, written as clubs write them."""
    line, rows = answer.split(";")[:1], list[FormRow]()
    for part in filter(str.strip, answer.split(";")[1:]):
        try:
            rows.append(parse_further_row(form, campaign, battle, part))
        except UnfitAnswer:
            line.append(part)
    return " ".join(line), rows


# --- comparing ------------------------------------------------------------------------------------
class BattleReports(Generic[C]):
    """What clubs report on one battle, compared with each other and with the referee's form."""

    def __init__(self, form: BattleForm[C], battle: C, row: Battle, halves: Sequence[HalfReport]) -> None:
        self.form = form
        self.battle = battle
        self.row = row
        self.halves = list(halves)

    def differences(self) -> Iterator[ReportDifference]:
        """The entries on which clubs disagree and which the referee has not filled in."""
        for entry in self.form.entries:
            said = {half.club: half for half in self.halves if is_filled(half.row, entry.name)}
            if len({self._meant(half, entry) for half in said.values()}) > 1 and not is_filled(self.row, entry.name):
                own = {self._meant(half, entry) for half in said.values() if half.side == entry.side}
                yield ReportDifference(
                    entry.name, {club: cell_text(half.row, entry.name) for club, half in said.items()}, len(own) != 1
                )

    def row_differences(self) -> Iterator[ReportDifference]:
        """Further rows on which a club disagrees with the side that they belong to, or with another club of its side.
        """
        for place, half in enumerate(self.halves):
            for row in half.rows:
                side = self.owner(row)
                for own in (one for one in self.halves[:place] if one.side == half.side):
                    said = _matching_row(own, row)
                    if said is not None and said.as_text() != row.as_text():
                        yield ReportDifference(_label(row), {own.club: row_data(said, said.form()),
                                                       half.club: row_data(row, row.form())}, False)
                owners = [one for one in self.halves if one.side == side]
                if side == half.side or not owners:
                    continue
                there = next((one for own in owners if (one := _matching_row(own, row)) is not None), None)
                if there is None or there.as_text() != row.as_text():
                    yield ReportDifference(_label(row), {
                        half.club: row_data(row, row.form()),
                        owners[0].club: "–" if there is None else row_data(there, there.form())}, False)

    def owner(self, row: FormRow) -> str:
        """The side to which a further row belongs; "" if unknown."""
        return self.form.owner(self.battle, row) if self.form.owner is not None else ""

    def counting_rows(self, known: Sequence[FormRow]) -> Iterator[tuple[HalfReport, FormRow]]:
        """The further rows that count in addition to the referee's.

        For each side its own clubs' rows count, and others' only if these report nothing at all; if two clubs report
        the same row, the first counts. A row that a phase has handed out (`Record.hold`: asked, or the one row of its
        unit) and that is still blank does not count as the referee's.
        """
        typed = {row.ident for row in known if (row.hold == "typed" and not row.unique)
                 or any(is_filled(row, name) for name in row.form())}
        said_by = dict[tuple[str, str], HalfReport]()
        for half in self.halves:
            for row in half.rows:
                side = self.owner(row)
                told = any(one.side == side for one in self.halves)
                if row.ident not in typed and (side == half.side or not told) and said_by.setdefault(
                        (row.sheet, row.ident), half) is half:
                    yield half, row

    def counting(self, entry: Entry[C]) -> Any:
        """The value of an entry that counts: the referee's, else its own side's, else any club's; None without one."""
        for row in (self.row, *(half.row for half in self.halves if half.side == entry.side),
                    *(half.row for half in self.halves)):
            if is_filled(row, entry.name):
                return getattr(row, entry.name)
        return None

    def _meant(self, half: HalfReport, entry: Entry[C]) -> str:
        """What a club reports for an entry, normalised so that synonyms compare as equal."""
        if not isinstance(entry, Word):
            return cell_text(half.row, entry.name)
        value = Filled(self.form, self.battle, _on_battle_row(self.row, half.row, self.form))[entry.name]
        return cell_text(half.row, entry.name) if value is None else str(value)


def _on_battle_row(row: Battle, said: Battle, form: BattleForm[Any]) -> Battle:
    """A copy of the battle's row with the entries of a report; only that row says who fights and how strong they are.
    """
    whole = row.copy()
    for entry in form.entries:
        setattr(whole, entry.name, getattr(said, entry.name))
    return whole


def _matching_row(half: HalfReport, row: FormRow) -> FormRow | None:
    return next((one for one in half.rows if (one.sheet, one.ident) == (row.sheet, row.ident)), None)


def _label(row: FormRow) -> str:
    return " ".join(str(getattr(row, c.name)) for c in row.columns()
                    if c.key and c.name != "battle" and getattr(row, c.name))


def report_data(form: BattleForm[Any], half: HalfReport) -> list[dict[str, Any] | str]:
    """A club's report as data for a finding: the result, the word for the dice, each further row."""
    result = row_data(half.row, (entry.name for entry in form.entries))
    return [*([result] if result["said"] else []), *([form.dice[1]] if form.is_dice(half.row) else []),
            *(row_data(row, row.form(), _label(row)) for row in half.rows)]


# --- findings -------------------------------------------------------------------------------------
def unfit_report(code: str, question: Question, battle: str) -> Finding:
    """The finding at an answer that is no valid report, or whose sender did not fight."""
    return Finding(code, "error", Where(Question.sheet, question.ident, "answer"),
                   {"faction": question.to, "battle": battle, "text": question.answer.strip()}, question.to)


def unconfirmed_findings(halves: BattleReports[Any], clubs: Clubs) -> list[Finding]:
    """Findings on unconfirmed reports: one is missing, they agree, or they differ."""
    battle, form = halves.row.battle, halves.form
    where = Where(Battle.sheet, battle, form.line[0])
    sides = {half.side for half in halves.halves}
    differences = [*halves.differences(), *halves.row_differences()]
    found = [_difference_finding(DIFFER, "warning", halves, one) for one in differences]
    if len(sides) < len(clubs):
        half = halves.halves[0]
        found.append(Finding(ONE_SIDE, "info", where, {"battle": battle, "faction": half.club,
                                                       "text": report_data(form, half)}))
    elif not differences:
        said = [one for half in halves.halves for one in report_data(form, half)]
        whole = [one for place, one in enumerate(said) if one not in said[:place]]
        found.append(Finding(AGREED, "info", where, {"battle": battle, "text": whole, "answer": form.confirmed[0]}))
    return found


def undecided_findings(halves: BattleReports[Any]) -> list[Finding]:
    """Findings on differences that the referee's confirmation alone does not settle."""
    return [_difference_finding(UNDECIDED, "error", halves, one) for one in halves.differences() if one.open]


def _difference_finding(code: str, severity: Severity, halves: BattleReports[Any], one: ReportDifference) -> Finding:
    """The finding on a difference, at the cell where the referee can settle it."""
    known = {entry.name for entry in halves.form.entries}
    where = Where(Battle.sheet, halves.row.battle, one.column if one.column in known else halves.form.line[0])
    return Finding(code, severity, where, {"battle": halves.row.battle, "column": one.column,
                                           "list": _claims_text(one.said)})


def _claims_text(said: Mapping[str, Any]) -> Any:
    rows = any(isinstance(what, Mapping) for what in said.values())
    return dict(said) if rows else ", ".join(f"{club}: {what}" for club, what in said.items())


# Taking the result of a battle: from the form, the referee's answer or the clubs' reports.


FormState = Literal["missing", "wrong", "dice", "filled"]
TWICE = "ARB-310"
CONFIRMING_WORDS = {
    "confirmed": "confirmed",
    "confirm": "confirmed",
    "confermare": "confirmed",
    "confermato": "confirmed",
}
"""Words with which the referee confirms the clubs' reports."""


@dataclass(frozen=True)
class FormResult(Generic[C]):
    """The result of reading a form. `state`: ``missing``; ``wrong``, with findings already made;
    ``dice`` if the umpire's dice decide; or ``filled``.
    """

    state: FormState
    filled: Filled[C]


def is_confirmation(form: BattleForm[Any], answer: str) -> bool:
    """Whether the referee's answer confirms the clubs' reports."""
    return answer in form.confirmed or bool(meaning_of_word(answer, CONFIRMING_WORDS))


def take_form(game: Game, form: BattleForm[C], ask: Ask, battle: C, row: Battle, clubs: Clubs) -> FormResult[C]:
    """Read and check a battle's form. `ask`: the question that waits for it; `row`: the battle's row, into which an
    answer in one line or confirmed reports are written.
    """
    answer = game.answered(ask)
    confirmed = is_confirmation(form, answer)
    wrong, origin = False, dict[str, Where]()
    if answer and not confirmed and not form.reported(row):
        line, rows = split_answer(form, game.campaign, row.battle, answer)
        form.fill(row, line)
        origin = dict(_store_row(game, one, game.row_of(ask).ident) for one in rows)
    if not form.is_dice(row):
        wrong, reported = _take_reports(game, form, battle, row, clubs, confirmed=confirmed)
        origin |= reported
    filled = Filled(form, battle, row, further_rows(game, form, row.battle))
    if wrong:
        return FormResult("wrong", filled)
    if form.is_dice(row):
        return FormResult("dice", filled)
    if not form.reported(row) and not confirmed:
        return FormResult("missing", filled)
    return FormResult("filled" if check_form(game, filled, origin) else "wrong", filled)


def check_form(game: Game, filled: Filled[C], origin: Mapping[str, Where] = MappingProxyType({})) -> bool:
    """Make the findings on a form; True if it is valid. `origin`: key of a further row -> where it was typed."""
    found = [game.find(fault.code, _fault_cell(filled.form, filled.row, fault, origin), **fault.data)
             for fault in filled.form.faults(filled)]
    good = not any(finding.stops for finding in found)
    game.note(_duplicate_row_findings(filled, origin) if good else ())
    return good


def _duplicate_row_findings(filled: Filled[C], origin: Mapping[str, Where]) -> Iterator[Finding]:
    """Warnings on identical further rows: all count, but perhaps one was typed once too often."""
    alike: dict[str, dict[str, FormRow]] = {}
    for key, row in filled.rows:
        alike.setdefault(str(row.as_text()), {})[key] = row
    for rows in (one for one in alike.values() if len(one) > 1):
        *_, (key, row) = rows.items()
        about = [c.name for c in row.columns() if c.key and c.name != "battle"]
        yield Finding(TWICE, "warning", origin.get(key) or Where(row.sheet, key, about[0]), {
            "text": [row_data(row, about)], "n": len(rows), "battle": row.battle})


def further_rows(game: Game, form: BattleForm[C], battle: str) -> list[tuple[str, FormRow]]:
    """The form's further rows with their keys, in the order of the sheet."""
    return _rows_on(game, (form.rows,) if form.rows is not None else (), battle)


def _rows_on(game: Game, sheets: Iterable[type[FormRow]], battle: str) -> list[tuple[str, FormRow]]:
    return [(key, one) for sheet in sheets for key, one in game.campaign.table(sheet).in_file_order()
            if one.battle == battle]


def _fault_cell(form: BattleForm[C], row: Battle, fault: Fault, origin: Mapping[str, Where]) -> Where:
    if not fault.row or form.rows is None:
        return Where(Battle.sheet, row.battle, fault.column)
    return origin.get(fault.row) or Where(fault.sheet or form.rows.sheet, fault.row, fault.column)


def _take_reports(game: Game, form: BattleForm[C], battle: C, row: Battle, clubs: Clubs, *,
             confirmed: bool) -> tuple[bool, dict[str, Where]]:
    """Write confirmed reports into the form; make findings on unconfirmed ones.

    Returns whether something keeps confirmed reports from counting, and key -> origin of each row that was written.
    """
    halves = BattleReports(form, battle, row, [])
    for question in reports_on(game.campaign, form.question, row.battle):
        side = next((side for side, codes in clubs.items() if question.to in codes), "")
        game.heard.add(question.ident)
        try:
            if not side:
                game.note([unfit_report(NO_PART, question, row.battle)])
            else:
                halves.halves.append(parse_report(form, game.campaign, question, side))
        except UnfitAnswer:
            game.note([unfit_report(NOT_READ, question, row.battle)])
    if not halves.halves:
        return False, {}
    if not confirmed:
        game.note(() if form.reported(row) else unconfirmed_findings(halves, clubs))
        return False, {}
    open_still = undecided_findings(halves)
    game.note(open_still)
    return (True, {}) if open_still else (False, _apply_reports(game, form, row, halves))


def _apply_reports(game: Game, form: BattleForm[C], row: Battle, halves: BattleReports[C]) -> dict[str, Where]:
    """Write confirmed reports into the form. Returns key -> origin of each further row."""
    for entry in form.entries:
        value = halves.counting(entry)
        if value is not None:
            setattr(row, entry.name, value)
    if any(form.is_dice(half.row) for half in halves.halves) and not form.reported(row):
        setattr(row, *form.dice)
    return dict(_store_row(game, one, half.question.ident) for half, one in list(
        halves.counting_rows([one for _, one in _rows_on(game, form.sheets, row.battle)])))


def _store_row(game: Game, one: FormRow, question: str) -> tuple[str, Where]:
    """Add a further row to its sheet, or fill in the one that was handed out. Returns its key and its origin."""
    table = game.campaign.table(type(one))
    there = table.get(one.ident) if one.unique else None
    if there is not None:
        for name in one.form():
            setattr(there, name, getattr(one, name))
        return there.ident, Where(Question.sheet, question, "answer")
    before = set(table.keys_in_file_order())
    table.add(one.copy())
    (key,) = set(table.keys_in_file_order()) - before
    return key, Where(Question.sheet, question, "answer")


__all__ = ["CONFIRMING_WORDS", "FormResult", "check_form", "further_rows", "is_confirmation", "take_form"]


# The form of an open battle in a club's copy.
#
# A copy shows what the club has reported so far: the result in its answer, its further rows on their sheets. When the
# copy comes back they are joined into one answer, as the club would type it in a mail.


@dataclass(frozen=True)
class ClubForm:
    """The form of one battle for one club.

    `question`: the row for its report, the answer without further rows; `rows`: the further rows of its side, with what
    it has reported; `laid`: sheet and key of those that did not come from its report; `typed`: all rows of the battle
    that are filled in; `takes`: the sheets to which rows may be added.
    """

    battle: Battle
    question: Question
    rows: tuple[FormRow, ...]
    laid: tuple[tuple[str, str], ...]
    typed: tuple[FormRow, ...]
    takes: tuple[type[FormRow], ...]

    @property
    def begun(self) -> bool:
        """Whether the club has reported something already."""
        return bool(self.question.answer) or any(map(is_row_filled, self.rows))

    @property
    def sheets(self) -> tuple[type[FormRow], ...]:
        """The further sheets on which the club has something to fill in."""
        return tuple(dict.fromkeys((*self.takes, *map(type, self.rows))))


def open_forms(ruleset: Ruleset, view: Campaign, club: str) -> list[ClubForm]:
    """The forms of battles in which a club fights and that wait for a result in the present phase. `view`: what the
    club may know.
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
        line, told = split_report(form, view, question)
    except UnfitAnswer:
        line, told = question.answer, ()
    there = [one for sheet in form.sheets for _, one in view.by_sheet(sheet.sheet).items() if one.battle == row.battle]
    laid_out = {one.sheet for one in there if one.hold == "asked"}
    own = [one for one in there if form.owner is not None and form.owner(battle, one) == side]
    said = {(one.sheet, one.ident): one for one in told if one.unique}
    rows = [_with_report(one, said.pop((one.sheet, one.ident), None)) for one in own]
    others = [one for one in told if not one.unique or (one.sheet, one.ident) in said]
    rows += [one for one in others if one.sheet not in laid_out]
    question.answer = report_text([line], [one for one in others if one.sheet in laid_out])
    laid = tuple((one.sheet, one.ident) for one in own)
    return ClubForm(row, question, tuple(rows), laid, tuple(filter(is_row_filled, there)), tuple(
                    sheet for sheet in form.sheets if sheet.sheet not in laid_out))


def _with_report(row: FormRow, told: FormRow | None) -> FormRow:
    """A copy of a row with what was reported about it."""
    row = row.copy()
    for name in row.form() if told is not None else ():
        setattr(row, name, getattr(told, name))
    return row


def report_row(campaign: Campaign, form: BattleForm[Any], battle: str, club: str) -> Question:
    """The row for a club's report on a battle in the present phase: a copy of the existing one, or a new one."""
    table, desk, about = campaign.table(Question), campaign.desk, f"{battle}/{club}"
    name = table.record.named(desk.turn, desk.phase, form.question, club, about)
    row = table.record(question=name, turn=desk.turn, phase=desk.phase, kind=form.question, to=club, about=about)
    there = table.get(row.ident)
    return row if there is None else there.copy()


def is_report(form: BattleForm[Any] | None, row: Question, club: str) -> bool:
    """Whether a row of Questions is a club's report on a battle; its name must match as well."""
    return form is not None and row.kind == form.question and row.to == club and row.about.endswith(f"/{club}") and (
        row.question == row.named(row.turn, row.phase, row.kind, row.to, row.about))


def report_text(lines: Iterable[str], rows: Iterable[FormRow]) -> str:
    """A report as a club would type it: the result in one line, then its further rows."""
    return "; ".join(filter(None, (*lines, *map(row_as_line, rows))))


def format_report(form: BattleForm[Any] | None, campaign: Campaign, row: Question, lang: str) -> str:
    """A club's report on a battle in words, with headings: the result, then each further row; "" for no report."""
    if form is None or not is_report(form, row, row.to):
        return ""
    try:
        half = parse_report(form, campaign, row, "")
    except UnfitAnswer:
        return ""
    said = [format_row(half.row, lang)]
    for one in half.rows:
        keys = [c.word(getattr(one, c.name), lang) for c in one.columns() if c.key and c.name != "battle"]
        said.append(f"{' '.join(filter(None, keys))}: {format_row(one, lang)}")
    return "; ".join(filter(None, said))


def example_result(form: BattleForm[Any], row: Battle, lang: str) -> str:
    """An example of a result in one line, "" if there is no obvious example for one of its columns."""
    found = []
    for c in map(row.column, form.line):
        words = [c.word(one, lang) for one in getattr(c.kind, "options", ()) if one]
        hinted = c.hint(lang).partition(",")[0].strip()
        found.append(words[0] if words else "5" if type(c.kind) is not Text else hinted if hinted.isalpha() else "")
    return " ".join(found) if all(found) else ""
