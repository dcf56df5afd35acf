"""Results of battles: the referee's form, the clubs' reports, and which of them counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import REFEREE, Battle, FormRow, Question
from assistant.turn.battle_form import (
    BLANK,
    FIGHTER,
    NOTHING_SAID,
    BattleForm,
    C,
    Clubs,
    Entry,
    Fault,
    Filled,
    FormLine,
    cell_text,
    example_result,
    fighter_lines,
    format_row,
    is_filled,
    is_row_filled,
    read_line,
    result_lines,
    row_as_line,
    row_data,
    side_of,
)
from assistant.turn.battle_sentences import ResultReading, format_line, read_result
from assistant.turn.findings import REFUSING, Finding, Message, Severity, Where
from assistant.turn.game import Game
from assistant.turn.orders.verbs import OrderBook, as_order_book
from assistant.turn.orders.words import fold, meaning_of_word
from assistant.turn.questions import Ask

if TYPE_CHECKING:
    from assistant.turn.ruleset import Ruleset


# The clubs' reports on a battle.
#
# A report is a club's answer to the question that waits for the form, ``attacker fled 9; A1 foot 2 1 0``: the result
# in one line, then further rows. It counts once the referee confirms it. What the referee types into the form takes
# precedence over reports, and on matters of one side that side's own report takes precedence over the other's.


NO_PART, NOT_READ, ONE_SIDE, AGREED, DIFFER, UNDECIDED, WITH_IT = (
    "ARB-301", "ARB-302", "ARB-303", "ARB-304", "ARB-305", "ARB-306", "ARB-309")


class HalfReport(NamedTuple):
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


class ReportDifference(NamedTuple):
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


def parse_report(form: BattleForm[Any], campaign: Campaign, question: Question, side: str,
                 reader: ResultReader | None = None) -> HalfReport:
    """Read a club's report. `reader`: reads what is told in people's own words, too. Raises `UnreadableValue` if the
    answer is no report.
    """
    battle, rows = campaign.table(Battle).record(battle=battle_code(question)), dict[object, FormRow]()
    told = reader.lines_in(question.answer) if reader is not None else lines_of(
        form, campaign, battle.battle, question.answer, question.to)
    for number, (_, line) in enumerate(told):
        if isinstance(line.row, Battle):
            line.put_into(battle)
        else:
            key = (line.row.sheet, line.row.ident) if line.row.unique else number
            rows[key] = line.put_into(rows.get(key, line.row))
    return HalfReport(question, side, battle, tuple(rows.values()))


def lines_of(form: BattleForm[Any], campaign: Campaign, battle: str, answer: str, club: str = "",
             clubs: Clubs | None = None) -> list[tuple[str, FormLine]]:
    """The lines of a report or of the referee's answer, which semicolons part, each with its text. Raises
    `UnreadableValue`.
    """
    return [(part.strip(), read_line(form, campaign, battle, part, club, clubs))
            for part in answer.split(";") if part.strip()]


def add_line(form: BattleForm[Any], campaign: Campaign, question: Question, line: FormLine, text: str) -> None:
    """Add a line to a club's report, in the place of those about the same that say nothing else; a whole result takes
    the place of all.
    """
    if isinstance(line.row, Battle) and line.fighter:
        text = " ".join(f"{name}={cell_text(line.row, name)}" for name in line.names)

    def is_outdated(old: FormLine) -> bool:
        return line.whole or ((old.row.sheet, old.row.ident) == (line.row.sheet, line.row.ident)
                              and set(old.names) <= set(line.names))

    kept = [part for part, old in lines_of(form, campaign, battle_code(question), question.answer, question.to)
            if not is_outdated(old)]
    # a semicolon would part it
    question.answer = "; ".join([*kept, text.replace(";", ",").strip()])


def fight_of(ruleset: Ruleset, campaign: Campaign, battle: str) -> tuple[Any, Clubs] | None:
    """What the ruleset knows about a battle that waits for its result, and who may report on it; None without one."""
    form, row = ruleset.form, campaign.table(Battle).get(battle)
    if form is None or form.seen is None or row is None or row.hold != "asked":
        return None
    return form.seen(ruleset.game(campaign.copy()), row.copy())


def check_fighter(form: BattleForm[C], battle: C, line: FormLine, side: str = "") -> None:
    """Raise `UnreadableValue` for a line about somebody who did not fight, with those of a side who did ("": of all).
    """
    there = [row for row, _ in form.fighters(battle)] if form.fighters is not None else []
    name = next((c.name for c in line.row.columns() if c.key and c.name != "battle"), "")
    alike = [row for row in there if row.sheet == line.row.sheet]
    if alike and fold(getattr(line.row, name)) not in {fold(getattr(row, name)) for row in alike}:
        own = [row for row in alike if side in ("", form.owner(battle, row) if form.owner is not None else "")]
        raise UnreadableValue(FIGHTER, word=line.fighter or getattr(line.row, name),
                          list=", ".join(dict.fromkeys(str(getattr(row, name)) for row in own)))


def line_faults(form: BattleForm[C], battle: C, row: Battle, line: FormLine, side: str) -> list[Fault]:
    """What the ruleset finds wrong with what a line says of a side ("": of any), before anything else is told."""
    if isinstance(line.row, Battle):
        filled = Filled(form, battle, line.put_into(row.copy()))
        return [fault for entry in form.entries if entry.name in line.names and side in ("", entry.side or side)
                for fault in entry.faults(filled)]
    owner = form.owner(battle, line.row) if form.owner is not None else ""
    if form.rows is None or not isinstance(line.row, form.rows) or side not in ("", owner):
        return []
    filled = Filled(form, battle, row.copy(), [(line.row.ident, line.row)])
    return [fault for fault in form.faults(filled) if fault.row == line.row.ident]


# --- reading what was said ------------------------------------------------------------------------
_THERE_WERE = r"(?<=\s)\d+\s*:"
"""How many there were, as the form has it before the colon."""


@dataclass(frozen=True, eq=False)
class ResultReader:
    """Reads what somebody says of a battle, whether mailed or typed into a cell: in the words of its form, if the form
    can take that; else as people tell it.

    `battle`: its code; `club`: who says it, "" for the referee; `fight`: what the ruleset knows about the battle, and
    who fights, None for one that does not wait for its result; `view`: what may be named; `book`: the orders of the
    rulebook, and `messages` its findings; `quoted`: marks an example in a finding as a line that stays as it is.
    """

    form: BattleForm[Any]
    campaign: Campaign
    battle: str
    club: str
    fight: tuple[Any, Clubs] | None
    view: Callable[[], Campaign]
    book: OrderBook
    messages: Mapping[str, Message]
    quoted: Callable[[str], str] = str

    @classmethod
    def of(cls, ruleset: Ruleset, campaign: Campaign, battle: str, club: str = "",
           quoted: Callable[[str], str] = str) -> ResultReader:
        """The reader of a battle for a sender. `campaign`: the referee's."""
        names = campaign.table(Battle).record.form()
        return cls(ruleset.form or BattleForm("", tuple(map(Entry, names)), names), campaign, battle, club,
                   fight_of(ruleset, campaign, battle), lambda: ruleset.view(campaign, club) if club else campaign,
                   as_order_book(ruleset.verbs), ruleset.findings, quoted)

    @classmethod
    def in_phase(cls, game: Game, form: BattleForm[C], battle: C, row: Battle, clubs: Clubs, club: str = ""
                 ) -> ResultReader:
        """The reader of a battle whose phase runs; arguments as of `take_form`."""
        return cls(form, game.campaign, row.battle, club, (battle, clubs), lambda: game.campaign, game.orders,
                   game.messages)

    @property
    def side(self) -> str:
        """The side of the sender, "" for none."""
        return "" if self.fight is None else side_of(self.fight[1], self.club)

    @property
    def row(self) -> Battle | None:
        """The battle's row, None without one."""
        return self.campaign.table(Battle).get(self.battle)

    def in_form(self, text: str, sheet: type[FormRow] | None = None) -> FormLine:
        """What a line in the words of the form says. `sheet`: the further sheet that it names. Raises
        `UnreadableValue`, also for somebody who did not fight, and where nothing is said.
        """
        clubs = None if self.fight is None else self.fight[1]
        line = read_line(self.form, self.campaign, self.battle, text, self.club, clubs, sheet)
        if self.fight is not None and sheet is None:
            check_fighter(self.form, self.fight[0], line, self.side)
        if not line.names and not line.fighter and BLANK not in text:
            row = self.campaign.table(Battle).record(battle=self.battle)
            raise UnreadableValue(NOTHING_SAID, **{f"example_{lang}": self.quoted(
                f"{word} {example_result(self.form, row, lang)}") for lang, word in BATTLE_WORDS.items()})
        return line._replace(as_typed=text)

    def in_words(self, text: str) -> ResultReading:
        """What a sentence says of a battle that waits for its result."""
        if self.fight is None or self.row is None or (self.club and not self.side):
            return ResultReading()
        return read_result(self.form, self.fight, self.row, self.view(), self.club, re.sub(_THERE_WERE, " ", text),
                           lambda line: self.fault(line) is None, self.book)

    def read(self, text: str, sheet: type[FormRow] | None = None) -> ResultReading:
        """What a line says: in the words of the form, if the form can take it; else in people's own; else what the form
        has against it is to be told. Raises `UnreadableValue`.
        """
        unfit = None
        try:
            plain = self.in_form(text, sheet)
            if sheet is not None or self.fault(plain) is None:
                return ResultReading((plain,))
        except UnreadableValue as why:
            plain, unfit = None, why
        worded = {entry.name for entry in self.form.entries if entry.said is not None}
        in_form = plain is not None and not plain.ordered and not worded & set(plain.names)
        told = ResultReading() if in_form or sheet is not None else self.in_words(text)
        if told.lines or (told.proposals and plain is None and ":" not in text):
            return told
        if unfit is not None:
            raise unfit
        return ResultReading(tuple(filter(None, [plain])))

    def lines_in(self, answer: str) -> list[tuple[str, FormLine]]:
        """The lines of an answer in a cell, which semicolons part, each with how it could be typed. A part is read as a
        line that is handed in; if that is refused, as the form has it, for the phase's own finding. Raises
        `UnreadableValue`.
        """
        lines = list[tuple[str, FormLine]]()
        clubs = None if self.fight is None or self.club else self.fight[1]
        for part in filter(None, map(str.strip, answer.split(";"))):
            try:
                read = self.read(part).lines
            except UnreadableValue:
                read = ()
            lines += [(line.as_typed or format_line(line), line) for line in read] or [
                (part, read_line(self.form, self.campaign, self.battle, part, self.club, clubs))]
        return lines

    def fault(self, line: FormLine) -> Fault | None:
        """What the rulebook finds wrong with a line about a battle that waits; of a club's, with what it says of its
        side.
        """
        row = self.row
        if self.fight is None or row is None:
            return None
        return next((fault for fault in line_faults(self.form, self.fight[0], row, line, self.side)
                     if self.messages[fault.code].severity in REFUSING), None)


BATTLE_WORDS = {"en": "battle", "it": "battaglia"}
"""The word with which a line about a battle begins."""


def is_result(reader: ResultReader, answer: str) -> bool:
    """Whether an answer of the referee's is the result of a battle, or leaves it to the dice."""
    try:
        return any(line.names for _, line in reader.lines_in(answer))
    except UnreadableValue:
        return False


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
            halves = {half.club: half for half in self.halves if is_filled(half.row, entry.name)}
            reports = {self._normal_value(half, entry) for half in halves.values()}
            if len(reports) > 1 and not is_filled(self.row, entry.name):
                own = {self._normal_value(half, entry) for half in halves.values() if half.side == entry.side}
                yield ReportDifference(
                    entry.name, {club: cell_text(half.row, entry.name) for club, half in halves.items()}, len(own) != 1
                )

    def row_differences(self) -> Iterator[ReportDifference]:
        """Further rows on which a club disagrees with the side that they belong to, or with another club of its side.
        """
        for place, half in enumerate(self.halves):
            for row in half.rows:
                side = self.owner(row)
                for own in (report for report in self.halves[:place] if report.side == half.side):
                    form_row = _matching_row(own, row)
                    if form_row is not None and form_row.as_text() != row.as_text():
                        yield ReportDifference(_label(row), {own.club: row_data(form_row, form_row.form()),
                                                       half.club: row_data(row, row.form())}, False)
                owners = [report for report in self.halves if report.side == side]
                if side == half.side or not owners:
                    continue
                there = next((claim for own in owners if (claim := _matching_row(own, row)) is not None), None)
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
                told = any(report.side == side for report in self.halves)
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

    def _normal_value(self, half: HalfReport, entry: Entry[C]) -> str:
        """What a club reports for an entry, normalised so that synonyms compare as equal."""
        if not entry.is_worded:
            return cell_text(half.row, entry.name)
        value = Filled(self.form, self.battle, _on_battle_row(self.row, half.row, self.form))[entry.name]
        return cell_text(half.row, entry.name) if value is None else str(value)


def _on_battle_row(row: Battle, report: Battle, form: BattleForm[Any]) -> Battle:
    """A copy of the battle's row with the entries of a report; only that row says who fights and how strong they are.
    """
    whole = row.copy()
    for entry in form.entries:
        setattr(whole, entry.name, getattr(report, entry.name))
    return whole


def _matching_row(half: HalfReport, row: FormRow) -> FormRow | None:
    return next((form_row for form_row in half.rows
                 if (form_row.sheet, form_row.ident) == (row.sheet, row.ident)), None)


def _label(row: FormRow) -> str:
    return " ".join(str(getattr(row, c.name)) for c in row.columns()
                    if c.key and c.name != "battle" and getattr(row, c.name))


def report_data(form: BattleForm[Any], half: HalfReport) -> list[dict[str, Any] | str]:
    """A club's report as data for a finding: the result, the word for the dice, each further row."""
    result = row_data(half.row, (entry.name for entry in form.entries))
    return [*([result] if result["said"] else []), *([form.dice[1]] if form.is_dice(half.row) else []),
            *(row_data(row, row.form(), _label(row)) for row in half.rows)]


# --- findings -------------------------------------------------------------------------------------
def unfit_report(code: str, question: Question, battle: str, unfit: UnreadableValue | None = None) -> Finding:
    """The finding at an answer that is no valid report, or whose sender did not fight."""
    why = {"why": unfit.reason, **unfit.data} if unfit is not None else {}
    return Finding(code, "error", Where(Question.sheet, question.ident, "answer"), {
        "faction": question.to, "battle": battle, "text": question.answer.strip(), **why}, question.to)


def unconfirmed_findings(halves: BattleReports[Any], clubs: Clubs) -> list[Finding]:
    """Findings on unconfirmed reports: one is missing, they agree, or they differ."""
    battle, form = halves.row.battle, halves.form
    where = Where(Battle.sheet, battle, form.line[0])
    sides = {half.side for half in halves.halves}
    differences = [*halves.differences(), *halves.row_differences()]
    findings = [_difference_finding(DIFFER, "warning", halves, difference) for difference in differences]
    if len(sides) < len(clubs):
        half = halves.halves[0]
        findings.append(Finding(ONE_SIDE, "info", where, {"battle": battle, "faction": half.club,
                                                       "text": report_data(form, half)}))
    elif not differences:
        parts = [part for half in halves.halves for part in report_data(form, half)]
        whole = [part for place, part in enumerate(parts) if part not in parts[:place]]
        findings.append(Finding(AGREED, "info", where, {"battle": battle, "text": whole, "answer": form.confirmed[0]}))
    return findings


def undecided_findings(halves: BattleReports[Any]) -> list[Finding]:
    """Findings on differences that the referee's confirmation alone does not settle."""
    return [_difference_finding(UNDECIDED, "error", halves, difference)
            for difference in halves.differences() if difference.open]


def _difference_finding(code: str, severity: Severity, halves: BattleReports[Any],
                        difference: ReportDifference) -> Finding:
    """The finding on a difference, at the cell where the referee can settle it."""
    known = {entry.name for entry in halves.form.entries}
    column = difference.column if difference.column in known else halves.form.line[0]
    where = Where(Battle.sheet, halves.row.battle, column)
    return Finding(code, severity, where, {"battle": halves.row.battle, "column": difference.column,
                                           "list": _claims_text(difference.said)})


def _claims_text(claims: Mapping[str, Any]) -> Any:
    rows = any(isinstance(what, Mapping) for what in claims.values())
    return dict(claims) if rows else ", ".join(f"{club}: {what}" for club, what in claims.items())


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


class FormResult(NamedTuple, Generic[C]):
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
    answer = game.answer_to(ask)
    confirmed = is_confirmation(form, answer)
    wrong, origin = False, dict[str, Where]()
    if answer and not confirmed and not form.is_reported(row):
        try:
            lines = [line for _, line in ResultReader.in_phase(game, form, battle, row, clubs).lines_in(answer)]
        except UnreadableValue as unfit:
            game.note([unfit_report(NOT_READ, game.row_of(ask), row.battle, unfit)])
            return FormResult("wrong", Filled(form, battle, row))
        origin = _store_lines(game, row, lines, game.row_of(ask).ident)
    if not form.is_dice(row):
        wrong, reported = _take_reports(game, form, battle, row, clubs, confirmed=confirmed)
        origin |= reported
    filled = Filled(form, battle, row, further_rows(game, form, row.battle))
    if wrong:
        return FormResult("wrong", filled)
    if form.is_dice(row):
        return FormResult("dice", filled)
    if not form.is_reported(row) and not confirmed:
        return FormResult("missing", filled)
    return FormResult("filled" if check_form(game, filled, origin) else "wrong", filled)


def check_form(game: Game, filled: Filled[C], origin: Mapping[str, Where] = MappingProxyType({})) -> bool:
    """Make the findings on a form; True if it is valid. `origin`: key of a further row -> where it was typed."""
    findings = [game.find(fault.code, _fault_cell(filled.form, filled.row, fault, origin), **fault.data)
             for fault in filled.form.faults(filled)]
    good = not any(finding.stops for finding in findings)
    game.note(_duplicate_row_findings(filled, origin) if good else ())
    return good


def _duplicate_row_findings(filled: Filled[C], origin: Mapping[str, Where]) -> Iterator[Finding]:
    """Warnings on identical further rows: all count, but perhaps one was typed once too often."""
    alike: dict[str, dict[str, FormRow]] = {}
    for key, row in filled.rows:
        alike.setdefault(str(row.as_text()), {})[key] = row
    for rows in (same for same in alike.values() if len(same) > 1):
        *_, (key, row) = rows.items()
        about = [c.name for c in row.columns() if c.key and c.name != "battle"]
        yield Finding(TWICE, "warning", origin.get(key) or Where(row.sheet, key, about[0]), {
            "text": [row_data(row, about)], "n": len(rows), "battle": row.battle})


def further_rows(game: Game, form: BattleForm[C], battle: str) -> list[tuple[str, FormRow]]:
    """The form's further rows with their keys, in the order of the sheet."""
    return _rows_on(game, (form.rows,) if form.rows is not None else (), battle)


def _rows_on(game: Game, sheets: Iterable[type[FormRow]], battle: str) -> list[tuple[str, FormRow]]:
    return [(key, row) for sheet in sheets for key, row in game.campaign.table(sheet).in_file_order()
            if row.battle == battle]


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
        side = side_of(clubs, question.to)
        game.heard.add(question.ident)
        try:
            if not side:
                game.note([unfit_report(NO_PART, question, row.battle)])
            else:
                reader = ResultReader.in_phase(game, form, battle, row, clubs, question.to)
                halves.halves.append(parse_report(form, game.campaign, question, side, reader))
        except UnreadableValue as unfit:
            game.note([unfit_report(NOT_READ, question, row.battle, unfit)])
    if not halves.halves:
        return False, {}
    if not confirmed:
        game.note(() if form.is_reported(row) else unconfirmed_findings(halves, clubs))
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
    if any(form.is_dice(half.row) for half in halves.halves) and not form.is_reported(row):
        setattr(row, *form.dice)
    return dict(_store_row(game, form_row, half.question.ident) for half, form_row in list(
        halves.counting_rows([form_row for _, form_row in _rows_on(game, form.sheets, row.battle)])))


def _store_lines(game: Game, row: Battle, lines: Iterable[FormLine], question: str) -> dict[str, Where]:
    """Write lines into the battle's row and the further sheets. Returns key -> origin of each further row."""
    origin = dict[str, Where]()
    for line in lines:
        if isinstance(line.row, Battle):
            line.put_into(row)
        else:
            origin |= [_store_row(game, line.row, question)]
    return origin


def _store_row(game: Game, form_row: FormRow, question: str) -> tuple[str, Where]:
    """Add a further row to its sheet, or fill in the one that was handed out. Returns its key and its origin."""
    table = game.campaign.table(type(form_row))
    there = table.get(form_row.ident) if form_row.unique else None
    if there is not None:
        for name in form_row.form():
            setattr(there, name, getattr(form_row, name))
        return there.ident, Where(Question.sheet, question, "answer")
    # the table itself numbers rows that have no code
    before = set(table.keys_in_file_order())
    table.add(form_row.copy())
    (key,) = set(table.keys_in_file_order()) - before
    return key, Where(Question.sheet, question, "answer")


# The form of an open battle in a club's copy.
#
# A copy shows what the club has reported so far: the result in its answer, its further rows on their sheets. When the
# copy comes back they are joined into one answer, as the club would type it in a mail.


class ClubForm(NamedTuple):
    """The form of one battle for one club.

    `question`: the row for its report, the answer without further rows; `rows`: the further rows of its side, with what
    it has reported; `laid`: sheet and key of those that did not come from its report; `typed`: all rows of the battle
    that are filled in; `takes`: the sheets to which rows may be added; `fight`: what the ruleset knows about the
    battle, who may report on it, and the club's side.
    """

    battle: Battle
    question: Question
    rows: tuple[FormRow, ...]
    laid: tuple[tuple[str, str], ...]
    typed: tuple[FormRow, ...]
    takes: tuple[type[FormRow], ...]
    fight: tuple[Any, Clubs, str]

    def result_lines(self, form: BattleForm[Any], lang: str) -> Iterator[str]:
        """The lines of the battle's own row, to be filled in."""
        battle, clubs, side = self.fight
        return result_lines(form, battle, self.battle, clubs, side, lang)

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
    form = ruleset.form
    waiting = waiting_battles(ruleset, view) if club else []
    return [club_form for row in waiting
            if form and (club_form := _club_form(ruleset, form, view, row, club)) is not None]


def waiting_battles(ruleset: Ruleset, view: Campaign) -> list[Battle]:
    """The battles that wait for a result in the present phase, as far as a view shows them."""
    form, now = ruleset.form, view.desk.phase
    if form is None or form.seen is None or now not in ruleset.phase_ids(view) or (
            form.question not in ruleset.phase(now).waits_for):
        return []
    return view.table(Battle).open_rows(view.desk.turn, lambda row: row.hold == "asked" and not form.is_reported(row))


def blank_lines(ruleset: Ruleset, view: Campaign, row: Battle, lang: str, club: str = "") -> list[str]:
    """The lines of a battle's form, to be filled in: those of a club's side, "" for those of all sides; [] for a club
    that has no part in it.
    """
    form, fight = ruleset.form, fight_of(ruleset, view, row.battle)
    if form is None or fight is None or (club and not side_of(fight[1], club)):
        return []
    battle, clubs = fight
    return [*result_lines(form, battle, row, clubs, side_of(clubs, club), lang),
            *fighter_lines(form, battle, row, side_of(clubs, club), lang)]


def _club_form(ruleset: Ruleset, form: BattleForm[Any], view: Campaign, row: Battle, club: str) -> ClubForm | None:
    assert form.seen is not None
    battle, clubs = form.seen(ruleset.game(view.copy()), row)
    side = side_of(clubs, club)
    if not side:
        return None
    question = report_row(view, form, row.battle, club)
    try:
        lines = lines_of(form, view, row.battle, question.answer, club, clubs)
        line = "; ".join(text for text, form_line in lines if isinstance(form_line.row, Battle))
        told = parse_report(form, view, question, side).rows
    except UnreadableValue:
        line, told = question.answer, ()
    there = [form_row for sheet in form.sheets for _, form_row in view.by_sheet(sheet.sheet).items()
             if form_row.battle == row.battle]
    laid_out = {form_row.sheet for form_row in there if form_row.hold == "asked"}
    own = [form_row for form_row in there if form.owner is not None and form.owner(battle, form_row) == side]
    reported = {(form_row.sheet, form_row.ident): form_row for form_row in told if form_row.unique}
    rows = [_with_report(form_row, reported.pop((form_row.sheet, form_row.ident), None)) for form_row in own]
    others = [form_row for form_row in told if not form_row.unique or (form_row.sheet, form_row.ident) in reported]
    rows += [form_row for form_row in others if form_row.sheet not in laid_out]
    question.answer = report_text([line], [form_row for form_row in others if form_row.sheet in laid_out])
    laid = tuple((form_row.sheet, form_row.ident) for form_row in own)
    return ClubForm(row, question, tuple(rows), laid, tuple(filter(is_row_filled, there)), tuple(
                    sheet for sheet in form.sheets if sheet.sheet not in laid_out), (battle, clubs, side))


def _with_report(row: FormRow, told: FormRow | None) -> FormRow:
    """A copy of a row with what was reported about it."""
    row = row.copy()
    for name in row.form() if told is not None else ():
        setattr(row, name, getattr(told, name))
    return row


def report_row(campaign: Campaign, form: BattleForm[Any], battle: str, club: str) -> Question:
    """The row for a club's report on a battle in the present phase: a copy of the existing one, or a new one."""
    table, desk, about = campaign.table(Question), campaign.desk, f"{battle}/{club}"
    name = table.record.name_for(desk.turn, desk.phase, form.question, club, about)
    row = table.record(question=name, turn=desk.turn, phase=desk.phase, kind=form.question, to=club, about=about)
    there = table.get(row.ident)
    return row if there is None else there.copy()


def is_report(form: BattleForm[Any] | None, row: Question, club: str) -> bool:
    """Whether a row of Questions is a club's report on a battle; its name must match as well."""
    return form is not None and row.kind == form.question and row.to == club and row.about.endswith(f"/{club}") and (
        row.question == row.name_for(row.turn, row.phase, row.kind, row.to, row.about))


def report_text(lines: Iterable[str], rows: Iterable[FormRow]) -> str:
    """A report as a club would type it: the result in one line, then its further rows."""
    return "; ".join(filter(None, (*lines, *map(row_as_line, rows))))


def format_report(form: BattleForm[Any] | None, campaign: Campaign, row: Question, lang: str) -> str:
    """A club's report on a battle in words, with headings: the result, then each further row; "" for no report."""
    if form is None or not is_report(form, row, row.to):
        return ""
    try:
        half = parse_report(form, campaign, row, "")
    except UnreadableValue:
        return ""
    parts = [format_row(half.row, lang)]
    for form_row in half.rows:
        keys = [c.word(getattr(form_row, c.name), lang) for c in form_row.columns() if c.key and c.name != "battle"]
        parts.append(f"{' '.join(filter(None, keys))}: {format_row(form_row, lang)}")
    return "; ".join(filter(None, parts))
