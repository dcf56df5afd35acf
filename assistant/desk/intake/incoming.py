"""Reads orders, answers and results from lines, CSVs, text files and workbooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Typed
from assistant.campaign.records import CLUBLESS, Army, Battle, Die, Faction, FormRow, Order, Question, Road, code_lookup
from assistant.campaign.tables import Record, Table
from assistant.desk.intake.line_parser import (
    TypedLine,
    battle_example,
    check_report,
    classify_line,
    die_from_line,
    fill_form,
    fill_part,
    find_question,
    form_row_example,
    is_standing_answer,
    may_club_send,
    prefix_of,
    report_from_line,
    split_die,
)
from assistant.desk.play_phase import next_order_phase, open_questions
from assistant.desk.results import Exit
from assistant.desk.workspace.workspace import Abort, Workspace, abort, file_abort, sending_faction
from assistant.turn import codes
from assistant.turn.battle_form import BattleForm, Filled, cell_text, is_row_filled, row_as_line
from assistant.turn.battle_results import (
    NOT_READ,
    WITH_IT,
    battle_code,
    is_report,
    parse_report,
    report_text,
    unfit_report,
)
from assistant.turn.codes import TWO_KEYS
from assistant.turn.dice import REFEREE
from assistant.turn.dice_purposes import dice_of
from assistant.turn.findings import Finding, Where, listed
from assistant.turn.orders.verbs import as_order_book, example_like, example_line
from assistant.turn.orders.words import is_remark, lines_between_marks
from assistant.turn.phases import is_emptied
from assistant.turn.questions import UnfitAnswer
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim
from assistant.workbook.club_copy import RowsSent, form_fingerprint, row_fingerprint
from assistant.workbook.file_book import open_book
from assistant.workbook.port import WorkbookReading
from assistant.workbook.read.csv_folder import read_csv_rows
from assistant.workbook.read.grid import OFF_MARK, Notes, readable
from assistant.workbook.screening import BookError, oversized, risky_content

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
    unread = [one for one in reading.findings if one.where.table in {sheet.sheet for sheet in form.sheets}]
    sent = RowsSent.of(reading.rows_sent).rows
    for question in [row for row in theirs.table(Question) if _is_own_report(form, row, club, campaign)]:
        battle = battle_code(question)
        rows = [row for sheet in form.sheets if theirs.has(sheet.sheet)
                for _, row in theirs.by_sheet(sheet.sheet).in_file_order() if row.battle == battle]
        reports.rows += rows
        bad = [one for one in unread if one.where.row.split("/")[0] == battle]
        reports.findings += bad
        wrong = {(one.where.table, one.where.row) for one in bad  # of two rows with one key the first was read
                 if one.stops and one.code != TWO_KEYS}
        told = [row for row in rows if is_row_filled(row) and (row.sheet, row.ident) not in wrong
                and row_fingerprint(row) not in sent]
        reports.findings += _take_report(reports, reading.ruleset, campaign, question, told, reading)
    reports.findings += [one for one in unread if reports.offered and not one.where.row.split("/")[0]]
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


def _take_report(found: CopyReports, ruleset: Ruleset, campaign: Campaign, question: Question, told: Sequence[FormRow],
          reading: WorkbookReading) -> Iterator[Finding]:
    """Make one answer of a line and further rows; yields findings, with their cells, for what cannot be read."""
    battle, line, form = battle_code(question), question.answer.strip(), ruleset.form
    assert form is not None
    if line and not _is_readable_report(form, campaign, replace(question, answer=line)):
        where = Where(Question.sheet, question.ident, "answer")
        yield replace(unfit_report(NOT_READ, question, battle), cell=reading.cells.of(where))
        if told:
            yield Finding(WITH_IT, "error", where, {"battle": battle, "n": len(told)}, question.to,
                          reading.cells.of(where))
        return
    rows, wrong = [], _invalid_numbers(ruleset, campaign, battle, told)
    for row in told:
        said = replace(question, answer=row_as_line(row))
        if id(row) in wrong:
            yield replace(wrong[id(row)], faction=question.to, cell=reading.cells.of(wrong[id(row)].where))
        elif _fits_one_line(row) and _is_readable_report(form, campaign, said):
            rows.append(row)
        else:
            first = next(c.name for c in row.columns() if c.key and c.name != "battle")
            yield replace(
                unfit_report(NOT_READ, said, battle), cell=reading.cells.of(Where(row.sheet, row.ident, first))
            )
    found.offered.add(question.ident)
    whole = replace(question, answer=report_text([line], rows))
    if whole.answer:
        found.answers.append(whole)


def _invalid_numbers(ruleset: Ruleset, campaign: Campaign, battle: str, told: Sequence[FormRow]) -> dict[int, Finding]:
    """Rows with an invalid number, by their `id`, with the finding that the rulebook itself gives."""
    form, row = ruleset.form, campaign.table(Battle).get(battle)
    doubtful = {id(one): one for one in told if any(_is_invalid_number(one, name) for name in one.form())}
    if form is None or form.seen is None or row is None or not doubtful:
        return {}
    known, _ = form.seen(ruleset.game(campaign.copy()), row.copy())
    rows = [(str(id(one)), one) for one in told if form.rows is not None and isinstance(one, form.rows)]
    found = dict[int, Finding]()
    for fault in form.faults(Filled(form, known, row.copy(), rows)):
        one = doubtful.get(int(fault.row or 0))
        if one is not None and _is_invalid_number(one, fault.column):
            found.setdefault(id(one), ruleset.finding(fault.code, Where(one.sheet, one.ident, fault.column), "",
                                                      **fault.data))
    return found


def _is_invalid_number(row: FormRow, name: str) -> bool:
    value = getattr(row, name)
    return type(row.column(name).kind) is Typed and value != "" and not (isinstance(value, int) and value >= 0)


def _fits_one_line(row: FormRow) -> bool:
    return not any(set(cell_text(row, c.name)) & set(" \t\n;=") for c in row.columns() if c.edit != "assistant")


def _is_readable_report(form: BattleForm[Any], campaign: Campaign, question: Question) -> bool:
    """Whether it is a report."""
    try:
        parse_report(form, campaign, question, "")
    except UnfitAnswer:
        return False
    return True


# Sources: files and typed lines.


SOURCE_SUFFIXES = (".csv", ".txt", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
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


@dataclass
class IncomingRows:
    """What one source holds: rows by kind, and what could not be taken.

    `forms`: further parts of battles' forms, each with its key among the rows of the source, as two rows
    may name the same unit; of a club's copy `offered`: the rows of Questions in which it may report on a battle,
    `print`: what tells what its form says from anything else.
    """

    orders: list[Order] = field(default_factory=list)
    answers: list[Question] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    battles: list[Battle] = field(default_factory=list)
    forms: list[tuple[str, FormRow]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    offered: frozenset[str] = frozenset()
    print: str = ""

    def rows(self) -> list[tuple[str, Record]]:
        """All rows with their keys, in the order in which they are taken."""
        whole: list[Record] = [*self.orders, *self.answers, *self.dice, *self.battles]
        return [*((row.ident, row) for row in whole), *self.forms]


def spelled_faction(sitting: Workspace, typed: str) -> str:
    """The code as the workbook spells it. Raises `Stop` when there is none such."""
    known = code_lookup(sitting.campaign.table(Faction))
    if typed and typed.casefold() not in (*known, REFEREE):
        raise abort(Exit.USAGE, codes.NO_SUCH_FACTION, sitting.lang, sitting.wording,
                   faction=typed, list=", ".join(dict.fromkeys(known.values())))
    return known.get(typed.casefold(), typed)


def read_source(source: Input, sitting: Workspace, after: Campaign, faction: str) -> IncomingRows:
    """What a source holds. Raises `Stop` for a file that cannot be used."""
    if source.path is None:
        return read_typed_lines(source.text, sitting, after, faction)
    ending = source.path.suffix.casefold()
    if source.path.is_dir() or (source.path.exists() and ending not in SOURCE_SUFFIXES):
        raise abort(Exit.FILE, codes.NOT_A_SOURCE, sitting.lang, sitting.wording, file=source.path.name)
    readers: dict[str, Callable[[], IncomingRows]] = {
        ".csv": lambda: _read_csv(source.path or Path(), sitting, after),
        ".txt": lambda: read_typed_lines(_read_text(source.path or Path(), sitting), sitting, after, faction),
    }
    incoming = readers.get(ending, lambda: _read_workbook(source.path or Path(), sitting))()
    if faction and ending != ".txt":
        incoming.orders = [o for o in incoming.orders if order_owner(o, after) == faction]
        incoming.answers = [q for q in incoming.answers if q.to == faction]
        if faction != REFEREE:
            incoming.dice, incoming.battles, incoming.forms = [], [], []
    return incoming


def order_owner(order: Order, campaign: Campaign) -> str:
    """The faction of an order; of one that was emptied that of the row whose number it bears."""
    there = campaign.table(Order).get(order.order) if is_emptied(order) else order
    return there.faction if there is not None else ""


def _read_text(path: Path, sitting: Workspace) -> str:
    try:
        bad = oversized(path)
        if bad is not None:
            raise abort(Exit.FILE, bad[0], sitting.lang, sitting.wording, **bad[1])
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as fault:
        raise file_abort(fault, path, sitting.lang, sitting.wording) from fault


def _read_csv(path: Path, sitting: Workspace, after: Campaign) -> IncomingRows:
    """A CSV whose headings say what it holds."""
    try:
        rows, findings = read_csv_rows(path, sitting.ruleset, after)
    except (BookError, OSError) as fault:
        raise file_abort(fault, path, sitting.lang, sitting.wording) from fault
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
    incoming.forms = [one for table in forms.values() for one in table.in_file_order()]
    return incoming


def _read_workbook(path: Path, sitting: Workspace) -> IncomingRows:
    """A filled workbook of the same campaign: its orders, answers, dice and battle forms."""
    try:
        _refuse_active_content(path, sitting)
        reading = open_book(path, sitting.loader).read()
    except (BookError, OSError) as fault:
        raise file_abort(fault, path, sitting.lang, sitting.wording) from fault
    if reading.ruleset is None:
        raise Abort(Exit.FILE, reading.findings, sitting.lang, sitting.wording)
    theirs = reading.campaign
    if reading.club:
        return _read_copy(reading, sitting, path)
    if (theirs.desk.ruleset, theirs.desk.campaign_id) != (sitting.campaign.desk.ruleset,
                                                         sitting.campaign.desk.campaign_id):
        raise abort(Exit.REFUSED, codes.OTHER_CAMPAIGN, sitting.lang, sitting.wording, file=path.name,
                   book=sitting.path.name)
    sheets = [*(record.sheet for record in (Order, Question, Die, Battle)), *(form.sheet for form in
                                                                            sitting.ruleset.forms)]
    rows = [row for sheet in sheets for _, row in theirs.by_sheet(sheet).in_file_order()]
    return rows_by_kind(rows, reading.findings)


def _read_copy(reading: WorkbookReading, sitting: Workspace, path: Path) -> IncomingRows:
    return read_copy_rows(
        reading, sitting, sending_faction(sitting, reading.token, reading.campaign.desk.turn, path.name)
    )


def read_copy_rows(reading: WorkbookReading, sitting: Workspace, club: str) -> IncomingRows:
    """The orders and answers of the faction `club` in its copy; what it says of a battle, wherever, is one answer."""
    theirs = reading.campaign
    found = rows_by_kind((row for sheet in (Order.sheet, Question.sheet) if theirs.has(sheet)
                          for _, row in theirs.by_sheet(sheet).in_file_order()),
                         [one for one in reading.findings if one.where.table in (Order.sheet, Question.sheet)])
    found.orders = [one for one in found.orders if not is_emptied(one) or order_owner(one, sitting.campaign) == club]
    for order in found.orders:
        order.faction = "" if is_emptied(order) else club
    reports = battle_reports_in(reading, sitting.campaign, club)
    strangers = foreign_questions(reading, sitting.campaign, club)
    others = {row.ident for row in strangers}
    answers = [answer for answer in found.answers if answer.to == club and answer.ident not in others]
    found.print = form_fingerprint(
        found.orders, [*answers, *(row for row in strangers if row.answer.strip())], reports.rows
    )
    form = sitting.ruleset.form
    found.answers = [*(one for one in answers if not is_report(form, one, club)), *reports.answers]
    found.offered, found.findings = frozenset(reports.offered), [
        *found.findings, *reports.findings, *foreign_answer_findings(reading, strangers, club)]
    return found


def _refuse_active_content(path: Path, sitting: Workspace) -> None:
    """Raise `Stop` for a foreign workbook that contains more than cells: macros, links, objects. Raises OSError."""
    try:
        carried = risky_content(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError):
        return  # the reader says so
    if carried:
        found = [codes.finding(code, file=path.name) for code in carried]
        raise Abort(Exit.REFUSED, found, sitting.lang, sitting.wording)


def read_typed_lines(
    text: str, sitting: Workspace, after: Campaign, faction: str, *, club: bool = False
) -> IncomingRows:
    """Plain lines, one thing each; blank ones and remarks are left out, and, which is told, those marked off. With the
    marks of a report's template only what stands between them counts; of a club's own, with them or with its code
    (`club`), only what a club may send.
    """
    found, notes, marked = IncomingRows(), Notes(sitting.lang), lines_between_marks(text)
    for number, raw in enumerate(text.splitlines() if marked is None else marked, 1):
        line = readable(raw)
        if line != raw:
            found.findings.append(codes.finding(codes.INVISIBLE_IN_LINE, n=number, seen=Verbatim(line.strip()[:80])))
        if marked is None and line.lstrip().startswith(OFF_MARK):
            notes.off.setdefault("", []).append(line.strip()[:80])
        if is_remark(line):
            continue
        sorted_line = classify_line(line, sitting.ruleset, after, faction)
        if (club or marked is not None) and not may_club_send(sorted_line, faction):
            found.findings.append(codes.finding(codes.NOT_IN_THIS_MAIL, faction=faction, text=Verbatim(line.strip())))
        else:
            _add_line(sorted_line, sitting, after, found)
    notes.tell_off()
    found.findings += notes.findings
    return found


def _add_line(line: TypedLine, sitting: Workspace, after: Campaign, incoming: IncomingRows) -> None:
    if line.kind == "order":
        _add_order(line, sitting, after, incoming)
    elif line.kind == "answer":
        question = find_question(line.words, sitting.ruleset, after, line.faction)
        if question is None and is_standing_answer(line.words, sitting.ruleset):
            incoming.findings.append(codes.finding(codes.WHOSE_ORDER, text=line.words))
        elif question is None:
            incoming.findings.append(codes.finding(
                codes.NO_SUCH_QUESTION, question=line.words, near=_open_question_names(sitting, after)))
        else:
            incoming.answers.append(question)
    elif line.kind == "die":
        parts = split_die(line.words)
        if not after.has(Die.sheet):
            incoming.findings.append(codes.finding(codes.NO_DICE, title=Verbatim(sitting.ruleset.title),
                                                text=Verbatim(line.words)))
        elif parts is None:
            incoming.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=sitting.wording.text(N_("die PURPOSE 5 1d6"))))
        else:
            known = dice_of(sitting.ruleset, parts[0])
            incoming.dice.append(die_from_line(after, *parts[:2], parts[2] or ("1d6" if known is None else known)))
    elif (report := report_from_line(line, sitting.ruleset, after)) is not None:
        taken = check_report(report, line.kind, sitting.ruleset, after, incoming.answers)
        if isinstance(taken, Question):
            incoming.answers.append(taken)
        else:
            incoming.findings.append(taken)
    elif line.kind == "battle":
        battle = fill_form(line.words, after)
        if battle is None:
            incoming.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=battle_example(sitting.ruleset, after, sitting.lang)))
        else:
            incoming.battles.append(battle)
    else:
        part = fill_part(line.words, sitting.ruleset, after)
        if part is None:
            incoming.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=form_row_example(line.words, sitting.ruleset, sitting.lang)))
        else:
            incoming.forms.append((part.ident, part))


def _add_order(line: TypedLine, sitting: Workspace, after: Campaign, incoming: IncomingRows) -> None:
    """A line of shorthand as a row for the next phase that takes orders."""
    said = prefix_of(line.words)
    if any(table.spelled(said) in table for table in after.tables().values()):
        said = ""  # a place, say: it is there, though it says not whose the order is
    if not line.faction:
        incoming.findings.append(_unknown_owner(said, line.words, after) if said else
                              codes.finding(codes.WHOSE_ORDER, text=line.words))
        return
    coming = next_order_phase(sitting.ruleset, after)
    if coming is None:
        incoming.findings.append(codes.finding(codes.CAMPAIGN_OVER))
        return
    understood = sitting.ruleset.understand(line.words, after, line.faction)
    if understood.problem and said:
        incoming.findings.append(_unknown_owner(said, line.words, after))
        return
    if understood.problem:
        incoming.findings.append(codes.finding(codes.NOT_UNDERSTOOD, None, line.faction, text=line.words,
                                            example=_example_order(sitting, after, line)))
        return
    moment, phase = coming
    incoming.orders.append(after.table(Order).record(turn=moment.turn, phase=phase.orders, faction=line.faction,
                                                  text=line.words))


def _unknown_owner(said: str, words: str, campaign: Campaign) -> Finding:
    return codes.finding(codes.NO_SUCH_OWNER, seen=Verbatim(said), text=Verbatim(words),
                         list=Verbatim(listed(f.faction for f in campaign.table(Faction) if f.role not in CLUBLESS)))


def _example_order(sitting: Workspace, campaign: Campaign, line: TypedLine) -> str:
    """A line that this rulebook understands: with the verb that was typed, else from the first end of a road to the
    other, as it has marches written.
    """
    ruleset, faction, road = sitting.ruleset, line.faction, next(iter(campaign.table(Road)), None)
    book = as_order_book(ruleset.verbs)
    like = example_like(book, campaign, sitting.lang, line.words, faction)
    if like and not ruleset.understand(like, campaign, faction).problem:
        return like
    army = next((a for a in campaign.table(Army) if a.faction == faction), None)
    declared = example_line(book, campaign, sitting.lang)
    if road is None:
        return declared
    words = [f"{road.a} {road.b}"]
    if army is not None:
        ways = [r.b if r.a == army.node else r.a for r in campaign.table(Road)
                if r.a == army.node or (r.b == army.node and not r.one_way)]
        words += [f"{verb.it if sitting.lang == 'it' else verb.en} {army.army} {way}" for verb in ruleset.verbs.values()
                  for way in (*ways[:1], road.b) if "path" in verb.columns]
    words += [declared] if declared else []
    return next((line for line in words if not ruleset.understand(line, campaign, faction).problem), words[0])


def _open_question_names(sitting: Workspace, campaign: Campaign) -> str:
    """The questions that are open, as a line would begin; "" for none."""
    asked = open_questions(sitting.ruleset, campaign)
    return listed(f"{sitting.wording.word(q.kind)} {q.about}".strip() for q in asked)
