"""Reads orders, answers and results from lines, CSVs, text files and workbooks, and says in words what they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import CLUBLESS, Battle, Die, Faction, FormRow, Order, Question, code_lookup
from assistant.campaign.tables import Record, Table
from assistant.catalogues import LANGUAGES
from assistant.desk.intake import line_parser
from assistant.desk.play_phase import open_questions
from assistant.desk.results import Exit
from assistant.desk.workspace.fingerprints import LedgerCampaigns
from assistant.desk.workspace.workspace import Workspace, file_faults, sending_faction
from assistant.ledger import LEDGER_SUFFIX, Ledger, LedgerTrouble
from assistant.speech import braces
from assistant.turn import codes
from assistant.turn.absence import READY, WAIT, readiness_word
from assistant.turn.battle_form import BattleForm, FormLine, cell_text, format_row, is_row_filled, row_as_line
from assistant.turn.battle_results import NOT_READ, WITH_IT, battle_code, format_report, is_report, unfit_report
from assistant.turn.codes import TWO_KEYS
from assistant.turn.dice import REFEREE
from assistant.turn.dice_purposes import dice_of, spell_battle
from assistant.turn.findings import Finding, Where, join_names
from assistant.turn.orders.columns import Kind, Note
from assistant.turn.orders.reader import Understood, read_text
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.orders.words import LISTS, fold, is_remark, lines_between_marks
from assistant.turn.phases import (
    current_orders_word,
    is_emptied,
    order_phase,
    past_orders_words,
    phases_ahead,
    short_name,
    split_phase_word,
    verb_of,
)
from assistant.turn.questions import subjects_instead, type_of
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.build_copy import RowsSent, form_fingerprint, row_fingerprint
from assistant.workbook.file_book import open_book
from assistant.workbook.port import WorkbookReading
from assistant.workbook.read.csv_folder import read_csv_rows
from assistant.workbook.read.grid import OFF_MARK, Notes, readable
from assistant.workbook.screening import oversize_refusal, risky_content

# Reports on battles in a club's copy.
#
# Rows in the further sheets of a battle's form become further parts of the club's answer, as if it had typed them.


@dataclass
class CopyReports:
    """What a copy says of battles. `answers`: those in which something is said; `offered`: keys of all rows in which
    the copy lets its club report and that could be read; `rows`: the further rows of these battles as they stand there;
    `findings`: what could not be read.
    """

    answers: list[Question] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)
    rows: list[FormRow] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def battle_reports_in(reading: WorkbookReading, campaign: Campaign, club: str) -> CopyReports:
    """What a copy says of the battles on which it lets its club report. `campaign`: of the referee, as it stands."""
    reports, theirs = CopyReports(), reading.campaign
    form = reading.ruleset.form if reading.ruleset is not None else None
    if form is None or reading.ruleset is None or not theirs.has(Question.sheet):
        return reports
    unread = [finding for finding in reading.findings if finding.where.table in {sheet.sheet for sheet in form.sheets}]
    sent = RowsSent.of(reading.rows_sent).rows
    for question in [row for row in theirs.table(Question) if _is_own_report(form, row, club, campaign)]:
        battle = battle_code(question)
        rows = [row for sheet in form.sheets if theirs.has(sheet.sheet)
                for _, row in theirs.by_sheet(sheet.sheet).in_file_order() if row.battle == battle]
        reports.rows += rows
        bad = [finding for finding in unread if finding.where.row.split("/")[0] == battle]
        reports.findings += bad
        wrong = {(fault.where.table, fault.where.row) for fault in bad  # of two rows with one key the first was read
                 if fault.stops and fault.code != TWO_KEYS}
        told = [row for row in rows if is_row_filled(row) and (row.sheet, row.ident) not in wrong
                and row_fingerprint(row) not in sent]
        reports.findings += _take_report(reports, reading.ruleset, campaign, question, told, reading)
    reports.findings += [finding for finding in unread if reports.offered and not finding.where.row.split("/")[0]]
    return reports


def foreign_questions(reading: WorkbookReading, campaign: Campaign, club: str) -> list[Question]:
    """Rows of Questions in a copy that claim to be the club's and are another's, or are nobody's report."""
    form = reading.ruleset.form if reading.ruleset is not None else None
    if not reading.campaign.has(Question.sheet):
        return []
    known = campaign.table(Question)
    return [row for row in reading.campaign.table(Question) if (
        row.to == club and (there := known.get(row.ident)) is not None and there.to != club) or (
            form is not None and row.kind == form.question and not _is_own_report(form, row, club, campaign))]


def foreign_answer_findings(reading: WorkbookReading, rows: Sequence[Question], club: str) -> list[Finding]:
    """Findings for the club about answers in its copy whose rows are no longer its own. `rows`: `foreign_questions`."""
    return [Finding(WITH_IT, "error", where, {"why": "key", "text": Verbatim(row.answer.strip())}, club,
                    reading.cells.of(where))
            for row in rows if row.answer.strip() and (where := Where(Question.sheet, row.ident, "answer"))]


def _is_own_report(form: BattleForm[Any], row: Question, club: str, campaign: Campaign) -> bool:
    return is_report(form, row, club) and battle_code(row) in campaign.table(Battle)


def _take_report(reports: CopyReports, ruleset: Ruleset, campaign: Campaign, question: Question,
                 told: Sequence[FormRow], reading: WorkbookReading) -> Iterator[Finding]:
    """Make one answer of a line and further rows; yields findings, with their cells, for what cannot be read."""
    battle, parts = battle_code(question), list[str]()
    reader = line_parser.result_reader(ruleset, campaign, battle, question.to)
    lines = line_parser.judged_lines(reader, question)
    if isinstance(lines, Finding):
        where = Where(Question.sheet, question.ident, "answer")
        yield lines._replace(cell=reading.cells.of(where), faction=question.to)
        if told:
            yield Finding(WITH_IT, "error", where, {"battle": battle, "n": len(told)}, question.to,
                          reading.cells.of(where))
        return
    for row in told:
        typed, whole_row = replace(question, answer=row_as_line(row)), FormLine(row, ())
        fault, first = reader.fault(whole_row), next(c.name for c in row.columns() if c.key and c.name != "battle")
        wrong = line_parser.line_finding(whole_row, reader, typed.answer)
        read = wrong or (line_parser.judged_lines(reader, typed) if _fits_one_line(row)
                         else unfit_report(NOT_READ, typed, battle))
        if isinstance(read, Finding):
            where = Where(row.sheet, row.ident, first if fault is None else fault.column)
            yield read._replace(where=where, cell=reading.cells.of(where), faction=question.to)
        else:
            parts.append(typed.answer)
    reports.offered.add(question.ident)
    whole = replace(question, answer="; ".join([*(line.as_typed for line in lines), *parts]))
    if whole.answer:
        reports.answers.append(whole)


def _fits_one_line(row: FormRow) -> bool:
    return not any(set(cell_text(row, c.name)) & set(" \t\n;=") for c in row.columns() if c.edit != "assistant")


# Sources: files and typed lines.


SOURCE_SUFFIXES = (".csv", ".txt", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", LEDGER_SUFFIX)
"""Suffixes of files that are read, and of old workbooks for which the reader explains how to save them anew."""


@dataclass(frozen=True)
class Input:
    """A source of rows: a file (`path`) or typed lines (`text`). `name` is shown."""

    name: str
    path: Path | None = None
    text: str = ""

    @property
    def plain(self) -> bool:
        """Whether it holds plain lines, which do not say their turn and phase."""
        return self.path is None or self.path.suffix.casefold() == ".txt"


@dataclass(frozen=True)
class SentLine:
    """A line as somebody sent it. `number`: among those of its source that say something; `rows`: what it was read as,
    `findings`: or why it was not.
    """

    number: int
    text: str
    rows: tuple[Record, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        """How it is called where its club is told of it."""
        return f"{self.number}. '{self.text}'"

    @property
    def is_unread(self) -> bool:
        """Whether it was not understood, or may not be sent."""
        return not self.rows and any(finding.stops for finding in self.findings)


@dataclass
class IncomingRows:
    """What one source holds: rows by kind, and what could not be taken.

    `forms`: further parts of battles' forms, each with its key among the rows of the source, as two rows
    may name the same unit; of a club's copy `offered`: the rows of Questions in which it may report on a battle,
    `print`: what tells what its form says from anything else; of lines `instead_of`: the faction that takes back all
    its orders, `names`: how a faction calls what its orders make, and the code; None until a line is read.
    """

    orders: list[Order] = field(default_factory=list)
    answers: list[Question] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    battles: list[Battle] = field(default_factory=list)
    forms: list[tuple[str, FormRow]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    offered: frozenset[str] = frozenset()
    print: str = ""
    instead_of: str = ""
    lines: list[SentLine] = field(default_factory=list)
    names: dict[tuple[str, str], str] | None = None

    def rows(self) -> list[tuple[str, Record]]:
        """All rows with their keys, in the order in which they are taken."""
        whole: list[Record] = [*self.orders, *self.answers, *self.dice, *self.battles]
        return [*((row.ident, row) for row in whole), *self.forms]


def find_faction(workspace: Workspace, typed: str) -> str:
    """The code as the workbook spells it. Raises `Abort` when there is none such."""
    known = code_lookup(workspace.campaign.table(Faction))
    if typed and typed.casefold() not in (*known, REFEREE):
        raise workspace.abort(Exit.USAGE, codes.NO_SUCH_FACTION, faction=typed,
                              list=", ".join(dict.fromkeys(known.values())))
    return known.get(typed.casefold(), typed)


Agree = Callable[[Finding], bool]
"""Decides whether a line that was not understood means the one that its finding proposes."""


def read_source(source: Input, workspace: Workspace, after: Campaign, faction: str, agree: Agree | None = None
                ) -> IncomingRows:
    """What a source holds. `agree`: as of `read_typed_lines`. Raises `Abort` for a file that cannot be used."""
    if source.path is None:
        return read_typed_lines(source.text, workspace, after, faction, agree=agree)
    ending = source.path.suffix.casefold()
    if source.path.is_dir() or (source.path.exists() and ending not in SOURCE_SUFFIXES):
        raise workspace.abort(Exit.FILE, codes.NOT_A_SOURCE, file=source.path.name)
    readers: dict[str, Callable[[], IncomingRows]] = {
        ".csv": lambda: _read_csv(source.path or Path(), workspace, after),
        ".txt": lambda: _read_lines(source.path or Path(), workspace, after, faction, agree),
        LEDGER_SUFFIX: lambda: _read_ledger(source.path or Path(), workspace),
    }
    incoming = readers.get(ending, lambda: _read_workbook(source.path or Path(), workspace))()
    if faction and ending != ".txt":
        incoming.orders = [o for o in incoming.orders if order_owner(o, after) == faction]
        incoming.answers = [q for q in incoming.answers if q.to == faction]
        # a club hands in neither dice nor the forms of battles
        if faction != REFEREE:
            incoming.dice, incoming.battles, incoming.forms = [], [], []
    return incoming


def order_owner(order: Order, campaign: Campaign) -> str:
    """The faction of an order; of one that was emptied that of the row whose number it bears."""
    there = campaign.table(Order).get(order.order) if is_emptied(order) else order
    return there.faction if there is not None else ""


def _read_lines(path: Path, workspace: Workspace, after: Campaign, faction: str, agree: Agree | None) -> IncomingRows:
    """The lines of a text; a finding where nobody wrote one."""
    text = _read_text(path, workspace)
    incoming = read_typed_lines(text, workspace, after, faction, agree=agree)
    if all(map(is_remark, text.splitlines())) and not incoming.findings:
        kind = "remarks" if text.strip() else ""
        incoming.findings.append(codes.finding(codes.EMPTY_TEXT, file=path.name, kind=kind))
    return incoming


def _read_text(path: Path, workspace: Workspace) -> str:
    with file_faults(path, workspace.lang, workspace.wording):
        bad = oversize_refusal(path)
        if bad is not None:
            raise workspace.abort(Exit.FILE, bad[0], **bad[1])
        return path.read_text(encoding="utf-8-sig", errors="replace")


def _read_csv(path: Path, workspace: Workspace, after: Campaign) -> IncomingRows:
    """A CSV whose headings say what it holds."""
    with file_faults(path, workspace.lang, workspace.wording):
        rows, findings = read_csv_rows(path, workspace.ruleset, after)
    return rows_by_kind(rows, findings)


def rows_by_kind(rows: Iterable[Record], findings: list[Finding]) -> IncomingRows:
    """Rows by kind; rows that people do not hand in are ignored."""
    incoming, forms = IncomingRows(findings=findings), dict[str, Table[Any]]()
    for row in rows:
        if isinstance(row, Order):
            incoming.orders.append(row)
        elif isinstance(row, Question) and row.answer.strip():
            incoming.answers.append(row)
        elif isinstance(row, Die) and row.source == "table":
            incoming.dice.append(row)
        elif isinstance(row, Battle):
            incoming.battles.append(row)
        elif isinstance(row, FormRow):
            forms.setdefault(row.sheet, Table(type(row))).add(row)
    incoming.forms = [form_row for table in forms.values() for form_row in table.in_file_order()]
    return incoming


def _read_workbook(path: Path, workspace: Workspace) -> IncomingRows:
    """A filled workbook of the same campaign: its orders, answers, dice and battle forms."""
    with file_faults(path, workspace.lang, workspace.wording):
        _refuse_active_content(path, workspace)
        reading = open_book(path, workspace.loader).read()
    if reading.ruleset is None:
        raise workspace.abort_with(Exit.FILE, reading.findings)
    theirs = reading.campaign
    if reading.club:
        return _read_copy(reading, workspace, path)
    if (theirs.desk.ruleset, theirs.desk.campaign_id) != (workspace.campaign.desk.ruleset,
                                                         workspace.campaign.desk.campaign_id):
        raise workspace.abort(Exit.REFUSED, codes.OTHER_CAMPAIGN, file=path.name, book=workspace.path.name)
    return _rows_of_campaign(theirs, workspace, reading.findings)


def _read_ledger(path: Path, workspace: Workspace) -> IncomingRows:
    """A ledger of another history of this campaign: the same as of the workbook that it last knew."""
    try:
        with Ledger.open(path, workspace.campaign.desk.campaign_id) as ledger:
            kept = LedgerCampaigns(ledger, {record.sheet: record for record in workspace.ruleset.records})
            theirs = kept.campaign(ledger.manifest() or "{}")
            return IncomingRows() if theirs is None else _rows_of_campaign(theirs, workspace, [])
    except LedgerTrouble as trouble:
        code, ends = ((codes.OTHER_CAMPAIGN, Exit.REFUSED) if trouble.kind == "foreign" else
                       (codes.FILE_MISSING if trouble.kind == "missing" else codes.NOT_A_SOURCE, Exit.FILE))
        raise workspace.abort(ends, code, file=path.name, book=workspace.path.name) from trouble


def _rows_of_campaign(theirs: Campaign, workspace: Workspace, findings: list[Finding]) -> IncomingRows:
    sheets = [*(record.sheet for record in (Order, Question, Die, Battle)), *(form.sheet for form in
                                                                            workspace.ruleset.forms)]
    return rows_by_kind((row for sheet in sheets for _, row in theirs.by_sheet(sheet).in_file_order()), findings)


def _read_copy(reading: WorkbookReading, workspace: Workspace, path: Path) -> IncomingRows:
    return read_copy_rows(
        reading, workspace, sending_faction(workspace, reading.token, reading.campaign.desk.turn, path.name)
    )


def read_copy_rows(reading: WorkbookReading, workspace: Workspace, club: str) -> IncomingRows:
    """The orders and answers of the faction `club` in its copy; what it says of a battle, wherever, is one answer."""
    theirs = reading.campaign
    incoming = rows_by_kind((row for sheet in (Order.sheet, Question.sheet) if theirs.has(sheet)
                          for _, row in theirs.by_sheet(sheet).in_file_order()),
                         [fault for fault in reading.findings if fault.where.table in (Order.sheet, Question.sheet)])
    incoming.orders = [order for order in incoming.orders
                       if not is_emptied(order) or order_owner(order, workspace.campaign) == club]
    for order in incoming.orders:
        order.faction = "" if is_emptied(order) else club
    reports = battle_reports_in(reading, workspace.campaign, club)
    strangers = foreign_questions(reading, workspace.campaign, club)
    others = {row.ident for row in strangers}
    answers = [answer for answer in incoming.answers if answer.to == club and answer.ident not in others]
    incoming.print = form_fingerprint(
        incoming.orders, [*answers, *(row for row in strangers if row.answer.strip())], reports.rows
    )
    form = workspace.ruleset.form
    incoming.answers = [*(question for question in answers if not is_report(form, question, club)), *reports.answers]
    incoming.offered, incoming.findings = frozenset(reports.offered), [
        *incoming.findings, *reports.findings, *foreign_answer_findings(reading, strangers, club)]
    return incoming


def _refuse_active_content(path: Path, workspace: Workspace) -> None:
    """Raise `Abort` for a foreign workbook that contains more than cells: macros, links, objects. Raises OSError."""
    try:
        carried = risky_content(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError):
        return  # the reader says so
    if carried:
        findings = [codes.finding(code, file=path.name) for code in carried]
        raise workspace.abort_with(Exit.REFUSED, findings)


def read_typed_lines(
    text: str, workspace: Workspace, after: Campaign, faction: str, *, club: bool = False, agree: Agree | None = None
) -> IncomingRows:
    """Plain lines, one thing each; blank ones and remarks are left out, and, which is told, those marked off. With the
    marks of a report's template only what stands between them counts; of a club's own, with them or with its code
    (`club`), only what a club may send. A faction's code or name with a colon says whose the lines below are.

    `agree`: is asked at a line that was not understood and may mean one thing; None: nobody can be asked.
    """
    incoming, notes, marked = IncomingRows(), Notes(workspace.lang), lines_between_marks(text)
    whose, heading = faction, ""
    after = after.copy()  # what is made of its tables holds for all lines, as none of them changes it
    for number, raw in enumerate(text.splitlines() if marked is None else marked, 1):
        line = readable(raw)
        if line != raw:
            incoming.findings.append(codes.finding(codes.INVISIBLE_IN_LINE, n=number, seen=Verbatim(line.strip()[:80])))
        if marked is None and line.lstrip().startswith(OFF_MARK):
            notes.off.setdefault("", []).append(line.strip()[:80])
        if is_remark(line):
            continue
        if owner := line_parser.heading_of(line, after):
            _tell_of_heading(heading, whose, workspace, after, incoming)
            whose, heading = owner, line.strip()
            continue
        heading, sorted_line = "", line_parser.classify_line(line, workspace.ruleset, after, whose)
        known, rows = len(incoming.findings), [len(incoming.orders), len(incoming.answers), len(incoming.dice)]
        if (club or marked is not None) and not line_parser.may_club_send(sorted_line, faction):
            incoming.findings.append(codes.finding(codes.NOT_IN_THIS_MAIL, faction=faction,
                                                   text=Verbatim(line.strip())))
        else:
            _add_line(sorted_line, workspace, after, incoming)
            if len(incoming.findings) > known:
                _add_meant(workspace, after, incoming, agree)
        new = (*incoming.orders[rows[0]:], *incoming.answers[rows[1]:], *incoming.dice[rows[2]:])
        incoming.lines.append(SentLine(len(incoming.lines) + 1, line.strip(), new, tuple(incoming.findings[known:])))
    _tell_of_heading(heading, whose, workspace, after, incoming)
    notes.tell_off()
    incoming.findings += notes.findings
    return incoming


def _tell_of_heading(heading: str, whose: str, workspace: Workspace, after: Campaign, incoming: IncomingRows) -> None:
    """A finding for a heading below which nothing stands."""
    if heading:
        found = not_understood(workspace.ruleset, after, whose, heading, workspace.ruleset.read(heading, after, whose))
        incoming.findings.append(found)
        incoming.lines.append(SentLine(len(incoming.lines) + 1, heading, (), (found,)))


def proposals_of(finding: Finding, lang: str) -> list[str]:
    """The lines that one which was not understood may have meant; [] for none."""
    if finding.code != codes.UNCLEAR:
        return []
    return str(finding.data.get(f"list_{lang}", finding.data["list_en"])).split("; ")


def _add_meant(workspace: Workspace, after: Campaign, incoming: IncomingRows, agree: Agree | None) -> None:
    """In the place of the last line, if it was not understood, the one that it is said to mean."""
    last = incoming.findings[-1] if incoming.findings else None
    meant = proposals_of(last, workspace.lang) if last is not None else []
    if agree is not None and last is not None and len(meant) == 1 and agree(last):
        incoming.findings.pop()
        _add_line(line_parser.classify_line(meant[0], workspace.ruleset, after, last.faction), workspace, after,
                  incoming)


SUBJECTS_SHOWN = 3
"""How many things that a question could be about are named."""


def _add_line(line: line_parser.TypedLine, workspace: Workspace, after: Campaign, incoming: IncomingRows) -> None:
    if line.kind == "order":
        _add_order(line, workspace, after, incoming)
    elif line.kind == "withdrawal":
        number, record = line_parser.withdrawn_order(line.words, after, line.faction), after.table(Order).record
        if number == line_parser.WITHDRAW_ALL:
            incoming.instead_of = line.faction
        elif number not in [order.order for order in incoming.orders]:
            incoming.orders.append(record(order=number))
    elif line.kind == "answer":
        question = line_parser.find_question(line.words, workspace.ruleset, after, line.faction)
        if question is None and line_parser.is_standing_answer(line.words, workspace.ruleset):
            incoming.findings.append(codes.finding(codes.WHOSE_ORDER, text=line.words))
        elif question is None:
            incoming.findings.append(_no_such_question(line.words, workspace, after))
        elif subjects := subjects_instead(type_of(workspace.ruleset.questions, question.kind), after, question):
            incoming.findings.append(codes.finding(codes.NO_SUCH_QUESTION, question=line.words, near="", now="subject",
                                                   example=Verbatim(join_names(subjects, SUBJECTS_SHOWN))))
        elif (unfit := line_parser.unfit_in_advance(question, workspace.ruleset, after)) is not None:
            incoming.findings.append(unfit._replace(where=Where(), data={**unfit.data, "text": Verbatim(line.words)}))
        else:
            incoming.answers.append(question)
    elif line.kind == "die":
        parts = line_parser.split_die(line.words)
        if not after.has(Die.sheet):
            incoming.findings.append(codes.finding(codes.NO_DICE, title=Verbatim(workspace.ruleset.title),
                                                text=Verbatim(line.words)))
        elif parts is None:
            incoming.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=workspace.wording.text(N_("die PURPOSE 5 1d6"))))
        else:
            known = dice_of(workspace.ruleset, parts[0])
            incoming.dice.append(line_parser.die_from_line(
                after, *parts[:2], parts[2] or ("1d6" if known is None else known)))
    elif line.kind == "unclear":
        incoming.findings.append(line_parser.unclear_result(line.words, line.faction, line_parser.match_battles(
            line.words, workspace.ruleset, after, line.faction)))
    elif line_parser.is_blank_form(line.words, workspace.ruleset, after, line.faction):
        return
    elif line_parser.is_clubs_report(line, workspace.ruleset, after):
        taken = line_parser.take_report(line, workspace.ruleset, after, incoming.answers)
        if isinstance(taken, Question):
            incoming.answers = [*(row for row in incoming.answers if row.ident != taken.ident), taken]
        else:
            incoming.findings.append(taken)
    else:
        _add_battle(line, workspace, after, incoming)


def _add_battle(line: line_parser.TypedLine, workspace: Workspace, after: Campaign, incoming: IncomingRows) -> None:
    """A line of the referee's about a battle, as a row of its form."""
    rows = _battle_rows(line.words, workspace, after, [
        row for _, row in reversed(incoming.rows()) if isinstance(row, (Battle, FormRow))])
    if isinstance(rows, Finding):
        incoming.findings.append(rows)
        return
    for row in rows:
        if isinstance(row, Battle):
            incoming.battles = [*(battle for battle in incoming.battles if battle.ident != row.ident), row]
        else:
            incoming.forms = [*(entry for entry in incoming.forms if entry[0] != row.ident), (row.ident, row)]


def _add_order(line: line_parser.TypedLine, workspace: Workspace, after: Campaign, incoming: IncomingRows) -> None:
    """A line of shorthand as a row for the next phase that takes orders."""
    prefix = line_parser.prefix_of(line.words)
    if any(table.spelling_of(prefix) in table for table in after.tables().values()):
        prefix = ""  # a place, say: it is there, though it says not whose the order is
    if not line.faction:
        incoming.findings.append(_unknown_owner(prefix, line.words, after) if prefix else
                              codes.finding(codes.WHOSE_ORDER, text=line.words))
        return
    ruleset = workspace.ruleset
    word, words = split_phase_word(ruleset, after, line.faction, line.words)
    if incoming.names is None:
        incoming.names = {named: code for row in after.table(Order).open_rows(after.desk.turn)
                          for named, code in _new_names(ruleset, after, row)}
    for (faction, name), code in incoming.names.items():
        if faction == line.faction and name.casefold() in words.casefold():
            words = re.sub(rf"(?i)(?<![\w\"“]){re.escape(name)}(?![\w\"”])", code.replace("\\", r"\\"), words)
    understood = ruleset.read(words, after, line.faction)
    # a sentence is read when it comes, as what it means may hang on how things stand
    orders: list[Mapping[str, Any]] = [understood.fields, *understood.more] if understood.is_sentence else [{}]
    coming = [phase_of_order(ruleset, after, fields or understood.fields, word) for fields in orders]
    moments = [moment for moment in coming if moment is not None]
    if len(moments) < len(orders):
        incoming.findings.append(codes.finding(codes.CAMPAIGN_OVER))
        return
    if understood.problem and prefix and not (understood.proposals or understood.verb or any(
            _refusals(ruleset, after, line.faction, words).values())):
        incoming.findings.append(_unknown_owner(prefix, line.words, after))
        return
    lacking = [name for name in understood.missing if name not in understood.fields]
    if understood.problem or (not understood.is_sure and (understood.proposals or lacking)):
        incoming.findings.append(not_understood(ruleset, after, line.faction, line.words, understood, word))
        return
    row = after.table(Order).record(faction=line.faction, text=words)
    rows = [replace(row, turn=turn, phase=phase, **fields)
            for fields, (turn, phase) in zip(orders, moments, strict=True)]
    incoming.names |= {named: code for made in rows for named, code in _new_names(ruleset, after, made)}
    incoming.orders += rows


def _new_names(ruleset: Ruleset, campaign: Campaign, row: Order) -> Iterator[tuple[tuple[str, str], str]]:
    """How what an order makes is called, with its faction, and its code; the name in quotes where it has none."""
    book = as_order_book(ruleset.verbs)
    noted = not row.verb and re.search(r"[:\"]", row.text)
    fields = ruleset.understand(row.text, campaign, row.faction).fields if noted else vars(row)
    kinds = book[fields["verb"]].kinds if fields.get("verb") in book else {}
    made = next((str(fields.get(name, "")) for name, kind in kinds.items() if kind.is_new), "")
    for name, kind in kinds.items():
        if isinstance(kind, Note) and fields.get(name) and (made or kind.unquoted):
            yield (row.faction, str(fields[name])), made or f'"{fields[name]}"'


def not_understood(ruleset: Ruleset, campaign: Campaign, faction: str, words: str, line: Understood,
                   phase_word: str = "") -> Finding:
    """Why a line is no order: the word at fault or what it does not say, and what it may have meant, or what could be
    ordered in its place. The lines are there in both languages, as referee and club may speak different ones.

    `phase_word`: the word of the column Phase with which it begins.
    """
    sort = ruleset.sort_of_word(campaign, faction, line.unknown, words)
    book = as_order_book(ruleset.verbs)
    agreed = not line.proposals or (any(line.unknown in left.split() for left in line.left_out) and all(
        fields["verb"] == line.verb for fields in line.proposals))
    sort = sort if agreed and (
        line.verb in ("", book.bare) if sort == "direction" else line.verb) else ""
    known = line.unknown and (agreed or not line.left_out)
    fault = sort or ("word" if known else "missing" if line.missing else "nothing")
    data = {"text": Verbatim(words), "word": Verbatim(line.unknown), "fault": fault, "sheet": Order.sheet,
            "column": line.missing, "verb": line.verb, "yes": "", "again": ""}
    head = f"{phase_word}: " if phase_word else ""
    meant = {lang: list(dict.fromkeys(head + order_line(book, campaign, fields, lang) for fields in line.proposals))
             for lang in LANGUAGES} if line.proposals else _refusals(ruleset, campaign, faction, words)
    if any(meant.values()):
        data["fault"] = fault if line.proposals else "nothing"
        left = ", ".join(f"'{words}'" for words in line.left_out)
        return codes.finding(codes.UNCLEAR, None, faction, **data, n=len(meant["en"]), left=Verbatim(left),
                             **{f"list_{lang}": Verbatim("; ".join(lines)) for lang, lines in meant.items()},
                             **{f"more_{lang}": Verbatim(order_line(book, campaign, line.further, lang)
                                                         if line.further else "") for lang in LANGUAGES})
    hint = ruleset.hint(campaign, faction, words, line.verb if fault not in {"nothing", "word"} else "")
    verbs = [] if any(hint.values()) else ruleset.verbs_left(campaign, faction)
    if fault == "nothing" and not verbs:
        data["fault"] = ""
    if line_parser.is_agreement(words):
        data["fault"] = "agreed"
    return codes.finding(codes.NOT_UNDERSTOOD, None, faction, **data,
                         **{f"example_{lang}": Verbatim(line) for lang, line in hint.items()},
                         **{f"list_{lang}": Verbatim(join_names(verb.word(lang) for verb in verbs))
                            for lang in LANGUAGES})


def _refusals(ruleset: Ruleset, campaign: Campaign, faction: str, words: str) -> dict[str, list[str]]:
    """The answer in advance by which a faction says no to what the one that a line names may offer, in both languages:
    ``we refuse any alliance with Spain``.
    """
    told, names = re.findall(r"[^\W_]+", fold(words)), code_lookup(campaign.table(Faction))
    named = {code for name, code in names.items() if f"_{fold(name)}_" in f"_{'_'.join(told)}_" and len(name) > 1}
    meant = [(kind.kind, code, option) for kind in ruleset.questions.values() for code in named
             if kind.subjects is not None and code in kind.subjects(campaign, faction)
             for option in LISTS.refusing.intersection(kind.answers.values())
             if line_parser.next_asking_phase(ruleset, campaign, kind.kind)] if LISTS.refusing & {*told} else []
    spoken = {lang: Wording(ruleset, lang) for lang in LANGUAGES}
    return {lang: [f"{say.word(kind)} {code} {say.word(option)}" for kind, code, option in meant]
            for lang, say in spoken.items()}


def phase_of_order(ruleset: Ruleset, campaign: Campaign, fields: Mapping[str, Any], word: str
                   ) -> tuple[str, str] | None:
    """Turn and word of the column Phase of an order in a line; None if no phase is to come that reads any.

    `word`: what the line itself says; if its phases of this turn are over, but not all, the order comes too late.
    """
    if word in past_orders_words(ruleset, campaign) and current_orders_word(ruleset, campaign):
        return campaign.desk.turn, word
    verb = as_order_book(ruleset.verbs).code(str(fields.get("verb", "")))
    coming = order_phase(ruleset, campaign, verb, word)
    return None if coming is None else (coming[0], coming[1].orders)


def _unknown_owner(prefix: str, words: str, campaign: Campaign) -> Finding:
    return codes.finding(codes.NO_SUCH_OWNER, seen=Verbatim(prefix), text=Verbatim(words),
                         list=Verbatim(join_names(f.faction
                                                  for f in campaign.table(Faction) if f.role not in CLUBLESS)))


def _no_such_question(words: str, workspace: Workspace, campaign: Campaign) -> Finding:
    """Which questions there are instead; of one about a battle how its result can be told before it is asked."""
    near, told = _open_question_names(workspace, campaign), re.sub(r"[/\s]+", " ", words)
    rows = _battle_rows(told, workspace, campaign, ()) if told.startswith(f"{line_parser.BATTLE_WORDS[0]} ") else []
    early = not isinstance(rows, Finding) and any(rows) and all(spell_battle(
        workspace.ruleset, campaign, row.battle) != "" for row in rows)
    return codes.finding(codes.NO_SUCH_QUESTION, question=words, near=near, example=Verbatim(told),
                         now="battle" if early else "" if near else "none")


def _battle_rows(words: str, workspace: Workspace, campaign: Campaign, taken: Iterable[Record]
                 ) -> Finding | list[Battle | FormRow]:
    """The rows of a line of the referee's about a battle, or what is wrong with it. `taken`: rows that come before."""
    try:
        return line_parser.put_battle_line(words, workspace.ruleset, campaign, taken)
    except UnreadableValue as unfit:
        return codes.finding(NOT_READ, why=unfit.reason, text=words, **unfit.data)


def _open_question_names(workspace: Workspace, campaign: Campaign) -> str:
    """The questions that are open, as a line would begin; "" for none."""
    asked = open_questions(workspace.ruleset, campaign)
    return join_names(f"{workspace.wording.word(q.kind)} {q.about}".strip() for q in asked)


# A row in words, as it was understood.


PHASES_SHOWN = 100
"""How many phases to come are looked at to say for which of them an order can be given."""
SELF_EVIDENT = ("Option", "Choice")
"""Headings that say nothing beside the words of a column."""
_CLUB_STATEMENTS = {READY: N_("ready: no more comes"), WAIT: N_("wait: more is to come")}


def row_words(row: Record, ruleset: Ruleset, wording: Wording, after: Campaign) -> str:
    """A row as it was understood, in these words. `after`: the campaign with the row."""
    if isinstance(row, Order):
        return f"{row.faction}: {order_words(row, ruleset, wording, after)}"
    if isinstance(row, Question):
        if row.kind == READY and readiness_word(row.answer):
            return wording.text(_CLUB_STATEMENTS[readiness_word(row.answer)])
        told = format_report(ruleset.form, after, row, wording.lang) or row.answer
        words = f"{wording.word(row.kind)} {row.about}: {told}".replace(" :", ":")
        return wording.text(N_("{text}, until it is changed"), text=Verbatim(words)) if row.stands else words
    if isinstance(row, Die):
        return f"{row.dice} = {row.value}"
    return format_row(row, wording.lang)


class OrderMoment(NamedTuple):
    """For which phase an order is, and the names of the others of that turn for which it may be given."""

    when: str
    others: tuple[str, ...] = ()


def moment_of_order(row: Order, ruleset: Ruleset, lang: str, campaign: Campaign) -> OrderMoment | None:
    """The phase to come for which an order is; None where none takes it."""
    book = as_order_book(ruleset.verbs)
    verb = verb_of(ruleset, campaign, row)
    taking = [(turn, ruleset.phase(name)) for turn, name in phases_ahead(ruleset, campaign, PHASES_SHOWN)
              if verb and (ruleset.phase(name).takes or ruleset.phase(name).orders) in book[verb].when]
    mine = next((phase for turn, phase in taking if (turn, phase.orders) == (row.turn, row.phase)), None)
    others = {phase.orders: short_name(phase, lang) for turn, phase in reversed(taking)
              if turn == row.turn and phase.orders != row.phase}
    return None if mine is None else OrderMoment(ruleset.when(row.turn, mine.id, lang), tuple(others.values())[::-1])


def phase_note(row: Record, ruleset: Ruleset, wording: Wording, campaign: Campaign) -> str:
    """For which phase an order waits that came as a line, if that is not the next that takes orders or nothing in the
    order says it (``delegate``), and how it is given for another; "" for anything else.
    """
    coming = order_phase(ruleset, campaign)
    if not isinstance(row, Order) or row.status or coming is None:
        return ""
    is_next = (row.turn, row.phase) == (coming[0], coming[1].orders)
    if is_next and (not (verb := verb_of(ruleset, campaign, row))
                    or as_order_book(ruleset.verbs)[verb].needed_columns()):
        return ""
    moment = moment_of_order(row, ruleset, wording.lang, campaign)
    if moment is None or (is_next and not moment.others):
        return ""
    note = N_("  For {phase}. For another begin the line with one of: {list}") if moment.others else N_(
        "  For {phase}.")
    return wording.text(note, phase=Verbatim(moment.when), list=Verbatim(join_names(moment.others, 3)))


def is_early(row: Record) -> bool:
    """Whether it answers a question for which no phase has stopped yet."""
    return isinstance(row, Question) and not (row.status or row.stands or row.kind == READY)


def order_words(row: Order, ruleset: Ruleset, wording: Wording, after: Campaign) -> str:
    """An order: its verb, then what stands in the columns, in the order in which it is written, each with what it is
    for that verb, or else its heading; with names for codes where the wording has some.
    """
    lang, values = wording.lang, filled_columns_of(row, ruleset, after)
    if not values:
        return row.text
    book = as_order_book(ruleset.verbs)
    verb = book.get(book.code(str(values["verb"])))
    parts_of_order = [verb.word(lang).replace("_", " ") if verb else str(values.pop("verb"))]
    kinds = verb.kinds if verb else {}
    written = [brace.name for brace in braces(verb.form(lang))] if verb else []
    for c in sorted((c for c in row.columns() if c.name in values and c.name != "verb"),
                    key=lambda c: written.index(c.name) if c.name in written else len(written)):
        kind, value, heading = kinds.get(c.name), values[c.name], c.heading(lang)
        if kind is not None:
            value, heading = _value_words(kind, value, row.faction, after, wording), wording.text(kind.title) or heading
        heading = "" if heading == c.heading(lang) and c.heading("en") in SELF_EVIDENT else heading
        parts_of_order.append(f"{heading} {c.word(value, lang)}".strip())
    return ", ".join(parts_of_order)


def filled_columns_of(row: Order, ruleset: Ruleset, campaign: Campaign) -> dict[str, Any]:
    """What an order says, by its columns, the verb first; {} where its words are not understood."""
    understood = read_text(ruleset.read, row.text, campaign, row.faction) if row.text and not row.verb else None
    if understood is not None and understood.problem:
        return {}
    common = {c.name for c in Order.columns()}
    return {"verb": row.verb, **{c.name: value for c in row.columns() if c.name not in common
                                 and (value := getattr(row, c.name)) not in ("", None, c.default)},
            **(understood.fields if understood is not None else {})}


def _value_words(kind: Kind, value: Any, faction: str, campaign: Campaign, wording: Wording) -> Any:
    """What stands in a column of an order: places and units with their names, options by their words."""
    records = kind.spelling_records() or kind.tables()
    if value and (records or kind.takes_several):
        meant = kind.canonical(campaign, value)
        parts = [word for part in (meant if isinstance(meant, list) else [meant])
                 for word in kind.each(part, campaign, faction)]
        named = [_code_with_name(kind, part, campaign, wording) for part in parts]
        between = ", " if records and not isinstance(meant, list) and all(named) else " "
        between = " → " if isinstance(meant, list) or not records else between
        value = (between if any(named) else " ").join(name or part for name, part in zip(named, parts, strict=True))
    elif isinstance(value, str) and isinstance(meant := kind.canonical(campaign, value), str):
        value = meant
    option = str(kind.read(value)) if kind.words else ""
    if option in kind.words:
        value = (kind.words[option] if wording.lang == "it" else option).replace("_", " ")
    told = kind.in_words(value, campaign, wording.lang)
    setting = isinstance(told, str) and re.fullmatch(r"(?:[\w-]+=[\w-]+\s?)+", told)  # "if-attacked=fight"
    return re.sub("[-_=]", " ", told) if setting else told


def _code_with_name(kind: Kind, code: str, campaign: Campaign, wording: Wording) -> str:
    """A code of a column with its name before it, or its name alone where the book has a word for it; "" where it has
    none. The code of a row may be that of another row elsewhere: the name is that of the column's own.
    """
    records = kind.spelling_records() or kind.tables()
    if not wording.names.row_name(code, "any" if records else "place"):
        return ""
    rows = [campaign.by_sheet(record.sheet).get(code) for record in records]
    name = next((row.name_in(wording.lang) for row in rows if row is not None and hasattr(row, "name_in")), "")
    if name and "_" in code:  # which nobody has to quote
        return name
    told = wording.names.text(code)
    told = name if name and not told.startswith(name) else told
    spoken = code.casefold().replace("-", " ").replace("_", " ")
    alone = code in told or spoken == told.casefold() or code in campaign.table(Faction) or (
        kind.in_words(code, campaign, wording.lang) != code)
    return told if alone else f"{told} ({code})"


# What a line may have meant.


def proposing(finding: Finding, ruleset: Ruleset, campaign: Campaign, words: Wording, *, answer: bool | None = None
              ) -> Finding:
    """A finding of a line that was not understood, for whoever reads it: with what it may have meant in words.
    `answer`: whether a yes takes it; None: whoever reads it is asked at once.
    """
    meant = proposals_of(finding, words.lang)
    if not meant:
        return finding
    how = {} if answer is None or meant[1:] else {"yes": Verbatim(words.word("yes"))} if answer else {
        "again": Verbatim(meant[0])}
    told = [said + f" [{line}]" * ("again" not in how) if (said := _proposal_words(
        line, finding.faction, ruleset, campaign, words)) else line for line in meant]
    return finding._replace(data={**finding.data, f"list_{words.lang}": Verbatim("; ".join(told)), **how})


def _proposal_words(line: str, faction: str, ruleset: Ruleset, campaign: Campaign, words: Wording) -> str:
    """A line that is proposed as its order would be told; "" for one about a battle."""
    if faction not in campaign.table(Faction):
        return ""
    understood = ruleset.read(split_phase_word(ruleset, campaign, faction, line)[1], campaign, faction)
    row = campaign.table(Order).record(faction=faction, **understood.fields)
    return order_words(row, ruleset, words, campaign) if understood.fields else ""
