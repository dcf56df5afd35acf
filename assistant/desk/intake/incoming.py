"""What was handed in: lines, CSVs, text files and workbooks in; their rows by kind out, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import CLUBLESS, Army, Battle, Die, Faction, FormRow, Order, Question, Road, called
from assistant.campaign.table import Table
from assistant.desk import codes
from assistant.desk.intake.club_reports import report_of, take_report
from assistant.desk.intake.copy_reports import reports_in, strangers_in, written_over
from assistant.desk.intake.plainlines import (
    Line,
    battle_example,
    die_of_line,
    die_parts,
    fill_form,
    fill_part,
    find_question,
    may_send,
    part_example,
    prefix_of,
    shall_stand,
    sort_line,
)
from assistant.desk.playing.play import next_orders, open_questions
from assistant.desk.results import Exit
from assistant.desk.sitting.copies import sender
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.sitting.stops import Stop, file_stop, stop
from assistant.turn.battle_form.club_form import is_report
from assistant.turn.findings import Finding, listed
from assistant.turn.game import REFEREE
from assistant.turn.orders.cards import example_like, example_line
from assistant.turn.orders.marks import between, remark
from assistant.turn.orders.verbs import book_of
from assistant.turn.rows.misfits import is_emptied
from assistant.turn.throws.purposes import dice_of
from assistant.wording import N_, Verbatim
from assistant.workbook.book_errors import BookError
from assistant.workbook.copies.rows_sent import print_of
from assistant.workbook.file_book import open_book
from assistant.workbook.port import Reading
from assistant.workbook.read.csvfolder import read_rows
from assistant.workbook.read.grid import OFF, Notes
from assistant.workbook.read.values import readable
from assistant.workbook.safe.screening import brought, oversized

SOURCES = (".csv", ".txt", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
"""Endings of files that are read, and of workbooks of which the reader says how to save them."""


@dataclass(frozen=True)
class Source:
    """Where something comes from: a file (`path`) or lines that were typed (`text`). `name` is shown."""

    name: str
    path: Path | None = None
    text: str = ""

    @property
    def plain(self) -> bool:
        """Whether it holds plain lines, which do not say their turn and phase."""
        return self.path is None or self.path.suffix.casefold() == ".txt"


@dataclass
class Incoming:
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


def known_faction(sitting: Sitting, typed: str) -> str:
    """The code as the workbook spells it. Raises `Stop` when there is none such."""
    known = called(sitting.campaign.table(Faction))
    if typed and typed.casefold() not in (*known, REFEREE):
        raise stop(Exit.USAGE, codes.NO_SUCH_FACTION, sitting.lang, sitting.wording,
                   faction=typed, list=", ".join(dict.fromkeys(known.values())))
    return known.get(typed.casefold(), typed)


def read_source(source: Source, sitting: Sitting, after: Campaign, faction: str) -> Incoming:
    """What a source holds. Raises `Stop` for a file that cannot be used."""
    if source.path is None:
        return from_lines(source.text, sitting, after, faction)
    ending = source.path.suffix.casefold()
    if source.path.is_dir() or (source.path.exists() and ending not in SOURCES):
        raise stop(Exit.FILE, codes.NOT_A_SOURCE, sitting.lang, sitting.wording, file=source.path.name)
    readers: dict[str, Callable[[], Incoming]] = {
        ".csv": lambda: _from_csv(source.path or Path(), sitting, after),
        ".txt": lambda: from_lines(_text_of(source.path or Path(), sitting), sitting, after, faction),
    }
    found = readers.get(ending, lambda: _from_book(source.path or Path(), sitting))()
    if faction and ending != ".txt":
        found.orders = [o for o in found.orders if whose(o, after) == faction]
        found.answers = [q for q in found.answers if q.to == faction]
        if faction != REFEREE:
            found.dice, found.battles, found.forms = [], [], []
    return found


def whose(order: Order, campaign: Campaign) -> str:
    """The faction of an order; of one that was emptied that of the row whose number it bears."""
    there = campaign.table(Order).get(order.order) if is_emptied(order) else order
    return there.faction if there is not None else ""


def _text_of(path: Path, sitting: Sitting) -> str:
    try:
        bad = oversized(path)
        if bad is not None:
            raise stop(Exit.FILE, bad[0], sitting.lang, sitting.wording, **bad[1])
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as fault:
        raise file_stop(fault, path, sitting.lang, sitting.wording) from fault


def _from_csv(path: Path, sitting: Sitting, after: Campaign) -> Incoming:
    """A CSV whose headings say what it holds."""
    try:
        rows, findings = read_rows(path, sitting.ruleset, after)
    except (BookError, OSError) as fault:
        raise file_stop(fault, path, sitting.lang, sitting.wording) from fault
    return sorted_rows(rows, findings)


def sorted_rows(rows: Iterable[Record], findings: list[Finding]) -> Incoming:
    """Rows by their kind; what people do not hand in is left aside."""
    found, forms = Incoming(findings=findings), dict[str, Table[Any]]()
    for row in rows:
        if isinstance(row, Order):
            found.orders.append(row)
        elif isinstance(row, Question) and row.answer.strip():
            found.answers.append(row)
        elif isinstance(row, Die) and row.source == "table":
            found.dice.append(row)
        elif isinstance(row, Battle):
            found.battles.append(row)
        elif isinstance(row, FormRow):
            forms.setdefault(row.sheet, Table(type(row))).add(row)
    found.forms = [one for table in forms.values() for one in table.in_file_order()]
    return found


def _from_book(path: Path, sitting: Sitting) -> Incoming:
    """A filled workbook of the same campaign: its orders, answers, dice and battle forms."""
    try:
        _refuse_what_it_brings(path, sitting)
        reading = open_book(path, sitting.loader).read()
    except (BookError, OSError) as fault:
        raise file_stop(fault, path, sitting.lang, sitting.wording) from fault
    if reading.ruleset is None:
        raise Stop(Exit.FILE, reading.findings, sitting.lang, sitting.wording)
    theirs = reading.campaign
    if reading.club:
        return _from_copy(reading, sitting, path)
    if (theirs.desk.ruleset, theirs.desk.campaign_id) != (sitting.campaign.desk.ruleset,
                                                         sitting.campaign.desk.campaign_id):
        raise stop(Exit.REFUSED, codes.OTHER_CAMPAIGN, sitting.lang, sitting.wording, file=path.name,
                   book=sitting.path.name)
    sheets = [*(record.sheet for record in (Order, Question, Die, Battle)), *(form.sheet for form in
                                                                            sitting.ruleset.forms)]
    rows = [row for sheet in sheets for _, row in theirs.by_sheet(sheet).in_file_order()]
    return sorted_rows(rows, reading.findings)


def _from_copy(reading: Reading, sitting: Sitting, path: Path) -> Incoming:
    """A club's copy: orders and answers of the faction whose code it bears, whatever else stands there."""
    return copy_rows(reading, sitting, sender(sitting, reading.token, reading.campaign.desk.turn, path.name))


def copy_rows(reading: Reading, sitting: Sitting, club: str) -> Incoming:
    """The orders and answers of the faction `club` in its copy; what it says of a battle, wherever, is one answer."""
    theirs = reading.campaign
    found = sorted_rows((row for sheet in (Order.sheet, Question.sheet) if theirs.has(sheet)
                          for _, row in theirs.by_sheet(sheet).in_file_order()),
                         [one for one in reading.findings if one.where.table in (Order.sheet, Question.sheet)])
    found.orders = [one for one in found.orders if not is_emptied(one) or whose(one, sitting.campaign) == club]
    for order in found.orders:
        order.faction = "" if is_emptied(order) else club
    reports = reports_in(reading, sitting.campaign, club)
    strangers = strangers_in(reading, sitting.campaign, club)
    others = {row.ident for row in strangers}
    answers = [answer for answer in found.answers if answer.to == club and answer.ident not in others]
    found.print = print_of(found.orders, [*answers, *(row for row in strangers if row.answer.strip())], reports.rows)
    form = sitting.ruleset.form
    found.answers = [*(one for one in answers if not is_report(form, one, club)), *reports.answers]
    found.offered, found.findings = frozenset(reports.offered), [
        *found.findings, *reports.findings, *written_over(reading, strangers, club)]
    return found


def _refuse_what_it_brings(path: Path, sitting: Sitting) -> None:
    """Raise `Stop` for somebody else's workbook with more than cells in it: macros, links, objects. Raises OSError."""
    try:
        carried = brought(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError):
        return  # the reader says so
    if carried:
        found = [codes.finding(code, file=path.name) for code in carried]
        raise Stop(Exit.REFUSED, found, sitting.lang, sitting.wording)


def from_lines(text: str, sitting: Sitting, after: Campaign, faction: str, *, club: bool = False) -> Incoming:
    """Plain lines, one thing each; blank ones and remarks are left out, and, which is told, those marked off. With the
    marks of a report's template only what stands between them counts; of a club's own, with them or with its code
    (`club`), only what a club may send.
    """
    found, notes, marked = Incoming(), Notes(sitting.lang), between(text)
    for number, raw in enumerate(text.splitlines() if marked is None else marked, 1):
        line = readable(raw)
        if line != raw:
            found.findings.append(codes.finding(codes.INVISIBLE_IN_LINE, n=number, seen=Verbatim(line.strip()[:80])))
        if marked is None and line.lstrip().startswith(OFF):
            notes.off.setdefault("", []).append(line.strip()[:80])
        if remark(line):
            continue
        sorted_line = sort_line(line, sitting.ruleset, after, faction)
        if (club or marked is not None) and not may_send(sorted_line, faction):
            found.findings.append(codes.finding(codes.NOT_IN_THIS_MAIL, faction=faction, text=Verbatim(line.strip())))
        else:
            _add_line(sorted_line, sitting, after, found)
    notes.tell_off()
    found.findings += notes.findings
    return found


def _add_line(line: Line, sitting: Sitting, after: Campaign, found: Incoming) -> None:
    if line.kind == "order":
        _add_order(line, sitting, after, found)
    elif line.kind == "answer":
        question = find_question(line.words, sitting.ruleset, after, line.faction)
        if question is None and shall_stand(line.words, sitting.ruleset):
            found.findings.append(codes.finding(codes.WHOSE_ORDER, text=line.words))
        elif question is None:
            found.findings.append(codes.finding(
                codes.NO_SUCH_QUESTION, question=line.words, near=_near_question(sitting, after)))
        else:
            found.answers.append(question)
    elif line.kind == "die":
        parts = die_parts(line.words)
        if not after.has(Die.sheet):
            found.findings.append(codes.finding(codes.NO_DICE, title=Verbatim(sitting.ruleset.title),
                                                text=Verbatim(line.words)))
        elif parts is None:
            found.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=sitting.wording.text(N_("die PURPOSE 5 1d6"))))
        else:
            known = dice_of(sitting.ruleset, parts[0])
            found.dice.append(die_of_line(after, *parts[:2], parts[2] or ("1d6" if known is None else known)))
    elif (report := report_of(line, sitting.ruleset, after)) is not None:
        taken = take_report(report, line.kind, sitting.ruleset, after, found.answers)
        if isinstance(taken, Question):
            found.answers.append(taken)
        else:
            found.findings.append(taken)
    elif line.kind == "battle":
        battle = fill_form(line.words, after)
        if battle is None:
            found.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=battle_example(sitting.ruleset, after, sitting.lang)))
        else:
            found.battles.append(battle)
    else:
        part = fill_part(line.words, sitting.ruleset, after)
        if part is None:
            found.findings.append(codes.finding(codes.NOT_UNDERSTOOD, text=line.words,
                                                example=part_example(line.words, sitting.ruleset, sitting.lang)))
        else:
            found.forms.append((part.ident, part))


def _add_order(line: Line, sitting: Sitting, after: Campaign, found: Incoming) -> None:
    """A line of shorthand as a row for the next phase that takes orders."""
    said = prefix_of(line.words)
    if any(table.spelled(said) in table for table in after.tables().values()):
        said = ""  # a place, say: it is there, though it says not whose the order is
    if not line.faction:
        found.findings.append(_nobody(said, line.words, after) if said else
                              codes.finding(codes.WHOSE_ORDER, text=line.words))
        return
    coming = next_orders(sitting.ruleset, after)
    if coming is None:
        found.findings.append(codes.finding(codes.CAMPAIGN_OVER))
        return
    understood = sitting.ruleset.understand(line.words, after, line.faction)
    if understood.problem and said:
        found.findings.append(_nobody(said, line.words, after))
        return
    if understood.problem:
        found.findings.append(codes.finding(codes.NOT_UNDERSTOOD, None, line.faction, text=line.words,
                                            example=_example(sitting, after, line)))
        return
    moment, phase = coming
    found.orders.append(after.table(Order).record(turn=moment.turn, phase=phase.orders, faction=line.faction,
                                                  text=line.words))


def _nobody(said: str, words: str, campaign: Campaign) -> Finding:
    """What is said of a line that begins with somebody who is not there."""
    return codes.finding(codes.NO_SUCH_OWNER, seen=Verbatim(said), text=Verbatim(words),
                         list=Verbatim(listed(f.faction for f in campaign.table(Faction) if f.role not in CLUBLESS)))


def _example(sitting: Sitting, campaign: Campaign, line: Line) -> str:
    """A line that this rulebook understands: with the verb that was typed, else from the first end of a road to the
    other, as it has marches written.
    """
    ruleset, faction, road = sitting.ruleset, line.faction, next(iter(campaign.table(Road)), None)
    book = book_of(ruleset.verbs)
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


def _near_question(sitting: Sitting, campaign: Campaign) -> str:
    """The questions that are open, as a line would begin; "" for none."""
    asked = open_questions(sitting.ruleset, campaign)
    return listed(f"{sitting.wording.word(q.kind)} {q.about}".strip() for q in asked)
