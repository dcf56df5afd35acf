"""`collect`: takes in what clubs sent back, and answers how each line was understood."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, InboxRow, Order, Question
from assistant.desk.clubs.diff_copies import (
    CollectMemory,
    CopyMerge,
    Part,
    RowChange,
    Selection,
    choose,
    note_collected,
    part_names,
    read_memory,
    unreadable_orders,
)
from assistant.desk.clubs.inbox import (
    ClubMail,
    HeldArrivals,
    asked_rows,
    close_agreed,
    enter_decisions,
    enter_rows,
    entries_of,
    line_of,
    read_decisions,
    without_decided,
)
from assistant.desk.clubs.read_copies import Arrival, OpenedArrival, files_in, locked_cell_edits, open_arrival
from assistant.desk.commands.publish import copy_name
from assistant.desk.commands.report import draw_orders
from assistant.desk.inputs import keep_beside, refused_answers
from assistant.desk.intake.incoming import (
    OrderMoment,
    SentLine,
    moment_of_order,
    not_understood,
    proposals_of,
    proposing,
    row_words,
)
from assistant.desk.intake.take_orders import (
    OUTCOME_TEXTS,
    ClubOrders,
    alike_texts,
    consequence_lines,
    cost_lines,
    count_lines,
    earlier_lines,
    findings_on_rows,
    idle_units,
    numbered,
    outcome_text,
    rows_written,
)
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.workspace import (
    BookPlace,
    Workspace,
    catches_abort,
    club_codes,
    folder_faults,
    refuse_of_laboratory,
)
from assistant.desk.workspace.writer import open_for_writing
from assistant.ledger import COLLECT
from assistant.reporting.duties import next_orders, open_questions, own_units
from assistant.reporting.reader import Reader
from assistant.turn import codes
from assistant.turn.absence import READY, readiness_by_faction, waiting_mail
from assistant.turn.battle_results import NOT_READ, WITH_IT, open_forms
from assistant.turn.findings import Finding, join_names
from assistant.turn.orders.taking import one_a_cause
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import without_superseded
from assistant.turn.questions import check_answer
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, named_wording
from assistant.workbook.save import write_files

# The receipt that a club gets.


@dataclass(frozen=True)
class MailAnswer:
    """A mail to be answered. `when` it came; `stranger`: its sender where its club has no such address; `listed`:
    its lines that are neither order nor ours nor a signature; `asked`: why nothing of it is taken, as texts for
    `Wording.text`; `rivals`: the lines between which its club is asked; `findings`: what is said of files in it that
    do not count; `older`, `unfilled`: what it brought came before a newer copy, or is the form as it was sent;
    `unread`: what is said of its lines, where none of them was understood; `question`: what came, and the referee asks
    what it means.
    """

    when: str
    stranger: str = ""
    listed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    findings: tuple[Finding, ...] = ()
    older: bool = False
    unfilled: bool = False
    unread: tuple[Finding, ...] = ()
    question: str = ""


def question_of(row: InboxRow) -> MailAnswer:
    """The question about a row of the Inbox, as its club gets it."""
    return MailAnswer(row.when, question=" / ".join(row.held.split("\n")))


@dataclass(frozen=True)
class Receipt:
    """The answer to a club. `missing`: what it still owes, in its own words; `text`: the whole answer; `proposed`: the
    line to which the club may answer yes, "" for none.
    """

    faction: str
    missing: tuple[str, ...]
    text: str
    proposed: str = ""


WHY_NOT = N_("Your mail of {when} does not count as it is: {why}.")
EITHER, OR = N_("Either: {text}"), N_("or: {text}")
ONCE_MORE = N_("Write in one mail what is to count.")
NO_ORDER = N_("neither an order nor an answer, so it does not count: {text}")
ASKED = N_("The referee asks what you mean by this, which came on {when}: {text}")
OLDER = N_("Your mail of {when} was followed by a newer copy, and counts no more.")
UNFILLED = N_("The form in your mail of {when} came back as it was sent: nothing was filled in, and what you"
              " ordered before stands.")
STRANGER = N_("The mail of {when} came from {address}, which is not an address that we know of you. It bears your code,"
              " and so it counts. If it was none of yours, tell the referee at once: he makes you a new code.")
HOW_BACK = N_("Lines are added to what you sent before and take nothing of it back; whether one order replaces another"
              " is for the rulebook. To take an order back, answer with a line like: withdraw {id}. With this one you"
              " take back all that you sent: withdraw all")


class Line(NamedTuple):
    """What became of something that a club sent. `text`: as it was understood, or its own words; `faults`: why it does
    not count, () if it does; `remarks`: what is said of it besides; `moment`: for which phase it is; `sent`: the line
    in which an order came.
    """

    text: str
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    moment: OrderMoment | None = None
    sent: SentLine | None = None


def build_receipt(ruleset: Ruleset, after: Campaign, faction: str, parts: Sequence[Part], rows: Sequence[RowChange],
               mails: Sequence[MailAnswer] = ()) -> Receipt:
    """The answer to a club, made of its view alone. `parts`: what was taken of it; `rows`: what became of their rows;
    `mails`: those that are answered, none where files are.

    `after`: the campaign with these rows in it.
    """
    view = ruleset.view(without_superseded(after), faction)
    club = after.table(Faction).get(faction)
    words = named_wording(ruleset, view, (club.language if club is not None else "") or after.desk.language)
    reader = Reader.of(ruleset, view, faction, words)
    orders = ClubOrders.of(ruleset, view, faction)
    sent = _lines_sent(parts)
    read = list(_lines_of_rows(parts, sent, rows, orders, words))
    unclear = {(line, words.finding(finding)): finding for line, finding in (
        *_unread_lines(parts, sent, mails, ruleset), *_lines_like_orders(mails, orders, reader))}
    meant = [line for finding in unclear.values() for line in proposals_of(finding, "en")]
    # a plain yes is an answer only where one thing was proposed
    proposed = meant[0] if mails and len(meant) == 1 else ""
    unread = [Line(line, (words.finding(proposing(finding, ruleset, view, words, answer=bool(proposed))),))
              for (line, _), finding in unclear.items()]
    of_lines = {change.row.ident: line.sent.number for change, line in zip(rows, read, strict=True) if line.sent}
    came = [*read, *unread]
    bad = [line for line in came if line.faults]
    missing = tuple(_missing_items(reader, orders, rows))
    numbers = [change.row.ident for change in rows
               if isinstance(change.row, Order) and change.how not in ("withdrawn", "refused")]
    sections = [
        [_count_of(faction, sent, rows, read, len(unread), words), *_came_from(parts, came, reader)],
        [words.text(STRANGER, when=Verbatim(answer.when), address=Verbatim(answer.stranger)) for answer in mails
         if answer.stranger],
        *_line_texts(came, words),
        [text for answer in mails for text in _mail_lines(answer, words, {line.text for line in came})],
        [*earlier_lines(orders, {change.row.ident for change in rows if isinstance(change.row, Order)}, words)],
        [words.text(N_("Still missing:")), *(f"- {text}" for text in missing)] if missing else [
            ] if bad else [words.text(N_("Nothing is missing."))],
        [*_idle_line(reader, orders), *cost_lines(orders, words)],
        consequence_lines(orders, words, of_lines),
        [words.text(HOW_BACK, id=Verbatim(numbers[0]))] if mails and numbers else [],
    ]
    texts = ("\n".join(filter(None, lines)) for lines in sections)
    return Receipt(faction, missing, "\n\n".join(filter(None, texts)) + "\n", proposed)


def _came_from(parts: Sequence[Part], came: Sequence[Line], reader: Reader) -> Iterator[str]:
    """What came, and when."""
    if parts:
        yield reader.wording.text(N_("What came from {whom}: {file}, {when}"), file=Verbatim(part_names(parts)),
                                  whom=Verbatim(reader.faction_name(reader.faction)), when=Verbatim(parts[-1].when))
        if not came:
            yield "- " + reader.wording.text(N_("nothing"))


def _line_texts(came: Sequence[Line], words: Wording) -> Iterator[list[str]]:
    """What does not count, then what does, phase by phase."""
    bad, good = [line for line in came if line.faults], [line for line in came if not line.faults]
    if bad:
        yield [words.text(N_("This does not count yet:")), *(text for line in bad for text in _list_item(line))]
    moments = sorted({line.moment for line in good if line.moment is not None})
    for moment in moments:
        yield [words.text(N_("This counts, for {phase}:"), phase=Verbatim(moment.when)), *(
            text for line in good if line.moment == moment for text in _list_item(line))]
    rest = [text for line in good if line.moment is None for text in _list_item(line)]
    if rest:
        yield [words.text(N_("This counts:")), *rest]
    others = next((moment.others for moment in moments if moment.others), ())
    if others:
        yield [words.text(N_("To give an order for another phase, begin its line with one of: {list}"),
                          list=Verbatim(join_names(others, 3)))]


def _list_item(line: Line) -> list[str]:
    texts = [*line.faults, *line.remarks]
    if line.text and not (texts and f"'{line.text}'" in texts[0]):  # else the first repeats it
        texts.insert(0, line.text)
    return [f"- {texts[0]}", *(f"  {text}" for text in texts[1:])]


LinesSent = Mapping[int, Sequence[SentLine]]
"""The lines of each source, by its identity."""


def _lines_sent(parts: Sequence[Part]) -> LinesSent:
    """The lines in which parts came, numbered on from one source to the next, so that no two have the same number."""
    lines: dict[int, list[SentLine]] = {}
    sources = {id(opened): opened for part in parts for opened in part.opened if opened.incoming is not None}
    for key, opened in sorted(sources.items(), key=lambda item: item[1].arrival.at):
        before = sum(map(len, lines.values()))
        lines[key] = [replace(line, number=before + line.number)
                      for line in (opened.incoming.lines if opened.incoming is not None else ())]
    return lines


def _lines_of_rows(parts: Sequence[Part], sent: LinesSent, rows: Sequence[RowChange], orders: ClubOrders,
                   words: Wording) -> Iterator[Line]:
    """The rows, each order with the line in which it came: its words stand before the first that was read in it."""
    line_of = {id(row): line for lines in sent.values() for line in lines for row in line.rows}
    came: dict[str, list[SentLine | None]] = {}  # a row has another number when it is taken; equal ones keep their turn
    for given in (row for part in parts for row in part.rows if isinstance(row, Order) and row.text):
        came.setdefault(given.text, []).append(line_of.get(id(given)))
    told = set[int]()
    for change in rows:
        line, row = _line_of_row(change, orders, words), change.row
        lines = came.get(row.text) if isinstance(row, Order) and change.how != "withdrawn" else None
        typed = lines.pop(0) if lines else None
        if typed is None:
            yield line
            continue
        name = f"{typed.number}." if typed.number in told else f"{typed.name}:"
        told.add(typed.number)
        yield line._replace(text=f"{name} {line.text}", sent=typed)


def _line_of_row(change: RowChange, orders: ClubOrders, words: Wording) -> Line:
    """A row, how it was understood, and whether it counts."""
    row, ruleset, view = change.row, orders.ruleset, orders.view
    text = row_line(change, ruleset, words, view)
    told = [words.finding(change.finding)] if change.finding is not None else []
    if change.how == "refused":
        return Line(text, tuple(told) or (words.text(N_("It was not taken.")),))
    if isinstance(row, Question):
        unfit = check_answer(ruleset.questions, ruleset.findings, view, row)
        fit = unfit is None or not unfit.stops
        return Line(text, () if fit or unfit is None else (words.finding(unfit),), tuple(told))
    if not isinstance(row, Order) or change.how == "withdrawn":
        return Line(text, (), tuple(told))
    faults = [words.finding(finding) for finding in orders.faults(row.order)]
    if not orders.counts(row.order):
        remarks = [words.finding(finding) for finding in orders.findings.get(row.order, ())]
        return Line(text, (*(faults or remarks or [words.text(N_("It would not be carried out."))]),
                           *alike_texts(row, orders, words)),
                    tuple(remark for remark in remarks if faults and remark not in faults))
    moment = moment_of_order(row, ruleset, words.lang, view)
    remarks = [words.finding(finding._replace(later=None) if moment is not None else finding)  # it stands above
               for finding in orders.findings.get(row.order, ())]
    return Line(text, (), (*remarks, *told), moment)


def _count_of(faction: str, sent: LinesSent, rows: Sequence[RowChange], read: Sequence[Line], unread: int,
              words: Wording) -> str:
    """How many lines count, of those that a club sent, and of rows that came otherwise."""
    lines = [line for lines in sent.values() for line in lines if not line.is_unread and all(
        getattr(row, "faction", getattr(row, "to", "")) in ("", faction) for row in line.rows)]
    number_of = {row.ident: line.number for line in lines for row in line.rows if row.ident}
    told = [(change.how, line, line.sent.number if line.sent is not None else number_of.get(change.row.ident))
            for change, line in zip(rows, read, strict=True)]
    bad = {number for _, line, number in told if line.faults and number is not None}
    others = [line for how, line, number in told if number is None and not (lines and how == "withdrawn")]
    good = len(lines) - len(bad) + sum(not line.faults for line in others)
    same = sum(how == "same" and line.sent is not None for how, line, _ in told)
    return count_lines(good, len(lines) + len(others) + unread, same, words)


def _unread_lines(parts: Sequence[Part], sent: LinesSent, mails: Sequence[MailAnswer], ruleset: Ruleset
                  ) -> Iterator[tuple[str, Finding]]:
    """A club's own lines that were not understood, and what it reports of battles that cannot be read."""
    sheets = {sheet.sheet for sheet in ruleset.forms}
    for finding in (finding for answer in mails for finding in answer.unread):
        yield line_of(finding), finding
    for opened in (opened for part in parts for opened in part.opened if opened.incoming is not None and opened.club):
        for finding in numbered(opened.incoming.findings, sent[id(opened)]) if opened.incoming is not None else ():
            typed = line_of(finding)
            if not finding.stops:
                continue
            if typed and not finding.where.table:
                yield typed, finding
            elif opened.reading is not None and (finding.where.table in sheets or finding.code in (NOT_READ, WITH_IT)):
                yield finding.cell, finding


def _lines_like_orders(mails: Sequence[MailAnswer], orders: ClubOrders, reader: Reader
                       ) -> Iterator[tuple[str, Finding]]:
    """Lines of mails that begin as orders do, or name a unit of the club by its code, and are none."""
    ruleset = orders.ruleset
    book, units = as_order_book(ruleset.verbs), {row.ident.upper() for row in own_units(reader)}
    for text in dict.fromkeys(text for answer in mails for text in answer.listed):
        first = next(iter(re.findall(r"[^\W\d_]+", text)), "")
        if book.code(first) or units & set(re.findall(r"[\w-]+", text.upper())):
            understood = ruleset.read(text, orders.view, orders.faction)
            yield text, not_understood(ruleset, orders.view, orders.faction, text, understood)


def _mail_lines(one: MailAnswer, words: Wording, told: Collection[str]) -> Iterator[str]:
    """Lines about what of a mail does not count, and why. `told`: its lines of which something was said already."""
    when = Verbatim(one.when)
    for why in one.asked:
        yield words.text(WHY_NOT, when=when, why=Verbatim(words.text(why)))
    for number, rival in enumerate(one.rivals):
        yield "- " + words.text(OR if number else EITHER, text=Verbatim("; ".join(rival)))
    yield from (f"- {words.finding(finding)}" for finding in one.findings)
    if one.older:
        yield words.text(OLDER, when=when)
    if one.unfilled:
        yield words.text(UNFILLED, when=when)
    yield from ("- " + words.text(NO_ORDER, text=Verbatim(line)) for line in dict.fromkeys(one.listed)
                if line not in told)
    if one.question:
        yield words.text(ASKED, when=when, text=Verbatim(one.question))
    if one.asked or one.rivals or one.question:
        yield words.text(ONCE_MORE)


def _idle_line(reader: Reader, orders: ClubOrders) -> Iterator[str]:
    """The units of which the orders say nothing, though they name others."""
    idle = idle_units(orders, [row.ident for row in own_units(reader)])
    if idle:
        yield reader.wording.text(N_("Without an order: {list}."), list=Verbatim(
            ", ".join(reader.wording.names.text(unit) for unit in idle)))


def row_line(change: RowChange, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """A row and what became of it, in a line."""
    shown = change.before if change.how == "withdrawn" and change.before is not None else change.row
    return outcome_text(shown, OUTCOME_TEXTS[change.how], ruleset, words, campaign)


def _missing_items(reader: Reader, orders: ClubOrders, rows: Sequence[RowChange]) -> Iterator[str]:
    """What the reader owes: answers to open questions, also where those in these rows do not fit, reports on battles
    that it has not begun, orders for the next phase that takes some.
    """
    _, ruleset = reader.wording.text, reader.ruleset
    unfit = (check_answer(ruleset.questions, ruleset.findings, reader.view, change.row) for change in rows
             if isinstance(change.row, Question) and change.how != "refused")
    for question in open_questions(reader, refused_answers(filter(None, unfit))):
        yield _(N_("answer: {question}"), question=Verbatim(question.text))
    for club_form in open_forms(reader.ruleset, reader.view, reader.faction):
        if not club_form.begun:
            yield _(N_("Your report on {battle}"), battle=Verbatim(club_form.battle.battle))
    word, moment = next_orders(reader)
    turn = reader.view.desk.turn
    ready = readiness_by_faction(reader.view).get(reader.faction) == READY
    if word and not ready and not any(row.faction == reader.faction and row.phase == word
                                      and orders.counts(row.order)
                                      for row in reader.view.table(Order).of_turn(turn)):
        yield _(N_("orders for {phase}"), phase=Verbatim(moment))


def is_half_filled(parts: Sequence[Part], receipt: Receipt) -> bool:
    """Whether a club sent something and still owes something: a form that is only partly filled in."""
    return bool(receipt.missing) and any(isinstance(row, (Order, Question)) for part in parts for row in part.rows)


# `collect`.
#
# The core is `collect_all`: it takes arrivals (a time, a name and bytes each), wherever they came from.


@dataclass
class CollectRun:
    """What a collection came to. `rows`: by faction what became of each row; `receipts`: the answers to the clubs."""

    opened: list[OpenedArrival]
    chosen: Selection
    after: Campaign
    rows: dict[str, list[RowChange]] = field(default_factory=dict)
    taken: list[tuple[Part, list[RowChange]]] = field(default_factory=list)
    """The parts that were taken now, each with what became of its rows."""
    receipts: list[Receipt] = field(default_factory=list)
    inbox: bool = False
    """Whether a row of the Inbox differs now."""
    known: list[Part] = field(default_factory=list)
    """Parts that were taken before, and are left as they were."""
    moved: bool = False
    """Whether anything of the campaign differs now."""

    def parts_of(self, faction: str) -> list[Part]:
        """What counts of a faction and was taken now."""
        return [part for part, _ in self.taken if part.faction == faction]


@catches_abort("collect")
def collect(
    at: BookPlace,
    places: Sequence[Path],
    *,
    dry_run: bool = False,
    receipts: Path | None = None,
    lang: str = "",
    pictures: bool = False,
) -> Result:
    """Take in what the clubs sent back and lies in these folders, or is one of these files.

    Of each club the newest counts. `dry_run`: only show what stood and what would count; `receipts`: a folder for the
    answers to the clubs, a text each, and with `pictures` the club's orders on its map. Result data: ``sources``,
    ``taken`` (a row each with kind, id, faction, turn, phase, words, before, how, source), ``receipts`` (faction ->
    text), ``missing`` (faction -> what it owes).
    """
    workspace = open_playable(at, lang)
    refuse_of_laboratory(workspace)
    return collect_all(workspace, files_in(places, workspace), dry_run=dry_run, receipts=receipts,
                       pictures=pictures)[0]


def collect_all(workspace: Workspace, arrivals: Sequence[Arrival], *, dry_run: bool = False,
                receipts: Path | None = None,
             pictures: bool = False, mails: Sequence[ClubMail] = (), again: bool = True) -> tuple[Result, CollectRun]:
    """`collect` for what has arrived, from wherever, and what was made of each arrival. `pictures`: as of `collect`;
    `mails`: those that brought some of it, for the Inbox; `again`: as of `read_decisions`. Raises `Abort`.
    """
    result = Result("collect", wording=workspace.wording)
    with workspace.open_ledger() as ledger:
        memory = read_memory(ledger, workspace.campaign.desk.turn)
        held = HeldArrivals.read(ledger)
    known, decided = club_codes(workspace), read_decisions(workspace, held, again=again)
    came = [*decided.leave_out(arrivals), *decided.arrivals]
    opened = [without_decided(open_arrival(arrival, workspace, workspace.campaign, known), decided.settled)
              for arrival in came]
    done = CollectRun(opened, choose(opened, workspace.campaign, memory, workspace.path.name),
                      workspace.campaign.copy())
    _take_parts(workspace, done, memory)
    result.find(workspace.with_cells(decided.findings))
    _add_findings(workspace, done, result, nothing=not (arrivals or decided.fresh or decided.findings))
    entries = entries_of(workspace, opened, done.chosen, done.taken, mails)
    enter_rows(workspace, done.after, entries)
    close_agreed(done.after, held, mails, workspace.sheet_wording)
    unfit = enter_decisions(workspace, done.after, decided, held, opened, done.chosen, done.taken)
    result.find(workspace.with_cells(unfit))
    if any(finding.stops for finding in (*decided.findings, *unfit)):
        result.exit = Exit.REFUSED
    done.inbox = keep_beside(done.after, workspace.campaign.copy())
    if not dry_run:
        with workspace.open_ledger() as ledger:
            held.keep(ledger, entries, workspace.campaign.desk.turn)
    _say_rows(workspace, done, result, dry_run=dry_run)
    if (done.moved or done.inbox) and not dry_run:
        _commit(workspace, done, result)
    result.data.update(dry_run=dry_run)
    _say_waiting(workspace, done, result)
    result.data.update(receipts={receipt.faction: receipt.text for receipt in done.receipts},
                       missing={receipt.faction: list(receipt.missing) for receipt in done.receipts})
    if receipts is not None and not dry_run:
        _add_questions(workspace, done)
        _write_receipts(workspace, done, receipts, result, pictures=pictures)
    return result, done


def _add_questions(workspace: Workspace, done: CollectRun) -> None:
    """Add to the answers in a folder what the referee asks about rows of the Inbox."""
    asked = asked_rows(done.after)
    for club in dict.fromkeys(row.club for row in asked):
        mails = [question_of(row) for row in asked if row.club == club]
        receipt = build_receipt(workspace.ruleset, done.after, club, done.parts_of(club), done.rows.get(club, []),
                                mails)
        done.receipts = [*(one for one in done.receipts if one.faction != club), receipt]


def _say_waiting(workspace: Workspace, done: CollectRun, result: Result) -> None:
    """Say how much on the sheet Inbox waits for the referee; result data: ``waiting``, the numbers of these rows."""
    if done.inbox and InboxRow.sheet not in workspace.reading.cells.titles and not result.data["dry_run"]:
        result.find([codes.finding(codes.INBOX_MISSING, book=workspace.path.name)])
    rows = waiting_mail(done.after)
    result.data["waiting"] = [row.no for row in rows]
    if rows:
        result.say(workspace.wording.plural(N_("{n} row on the sheet Inbox waits for your decision."),
                                            N_("{n} rows on the sheet Inbox wait for your decision."), len(rows)))


def _take_parts(workspace: Workspace, done: CollectRun, memory: CollectMemory) -> None:
    """Put what counts into the campaign, and make the answers."""
    taking = CopyMerge(workspace.ruleset, workspace.campaign, done.after)
    anew: set[tuple[str, str]] = set()
    for part in done.chosen.parts:
        if (part.faction, part.kind) not in anew and _was_collected(part, memory):
            done.known.append(part)  # what the referee has changed since stays
            continue
        if part.stands:
            anew.add((part.faction, part.kind))  # and so the lines behind it count once more
        rows = taking.take(part, memory.rows(part.faction, part.kind, part.at), unreadable_orders(part))
        done.rows.setdefault(part.faction, []).extend(rows)
        done.taken.append((part, rows))
    for opened in done.opened:
        incoming = opened.incoming
        if incoming is not None:
            others = [*incoming.dice, *incoming.battles]
            rows = [taking.other(row, key) for key, row in [*((row.ident, row) for row in others), *incoming.forms]]
            if rows:
                done.rows.setdefault("", []).extend(rows)
    done.moved = any(change.how in ("new", "changed", "withdrawn") for rows in done.rows.values()
                                     for change in rows)
    for faction in done.rows:
        if faction:
            done.receipts.append(build_receipt(workspace.ruleset, done.after, faction, done.parts_of(faction),
                                            done.rows[faction]))


def _was_collected(part: Part, memory: CollectMemory) -> bool:
    """Whether a part was collected before, and nothing since that stands for its club."""
    last, kept = memory.last(part.faction, part.kind), memory.kept.get((part.faction, part.kind), ())
    if not part.is_form and any(one.sources == part.sources for one in kept):
        return True  # lines may be read as orders for a later phase by now
    if part.decided:
        return any(one.said == part.fingerprint for one in kept)
    if part.stands:
        return last is not None and last.said == part.fingerprint and last.at >= part.at
    return any(one.said == part.fingerprint and one.at >= part.at for one in kept
               if not one.stands or last is None or one is last)


def _add_findings(workspace: Workspace, done: CollectRun, result: Result, *, nothing: bool) -> None:
    """Add findings: what does not count and why, what came back changed, what is missing. `nothing`: nothing came."""
    for opened in done.opened:
        result.find(opened.findings)
        incoming = opened.incoming
        if incoming is None:
            continue
        result.find(incoming.findings)
        if opened.reading is not None:
            named = Path(opened.arrival.name).name == copy_name(workspace.path.stem, opened.club)
            taken = any(opened in part.opened for part in done.chosen.parts if part not in done.known)
            if taken and not named:
                result.find([codes.finding(codes.RENAMED, file=opened.arrival.name, faction=opened.club)])
            if opened.untouched:
                result.find([codes.finding(codes.UNTOUCHED, file=opened.arrival.name, faction=opened.club)])
            if taken or opened.untouched:
                result.find(locked_cell_edits(opened, workspace))
    result.find(done.chosen.findings)
    for receipt in done.receipts:
        parts = done.parts_of(receipt.faction)
        if is_half_filled(parts, receipt):
            result.find([codes.finding(codes.HALF_FILLED, file=part_names(parts),
                                       faction=receipt.faction, list=Verbatim("; ".join(receipt.missing)))])
    rows = [change for rows in done.rows.values() for change in rows]
    result.find(change.finding for change in rows if change.finding is not None)
    if nothing:
        result.find([codes.finding(codes.NOTHING_CAME)])
    if any(finding.stops for finding in result.findings) or any(change.how == "refused" for change in rows):
        result.exit = Exit.REFUSED
    result.find(workspace.with_cells(one_a_cause(findings_on_rows(
        workspace, done.after, [change.row for change in rows if change.how in ("new", "changed", "same")]))))


# --- messages ---------------------------------------------------------------------------------
def _say_rows(workspace: Workspace, done: CollectRun, result: Result, *, dry_run: bool) -> None:
    """Say how each row was understood; in a dry run beside it what stood there."""
    words = workspace.wording
    data: list[dict[str, Any]] = []
    for faction, rows in done.rows.items():
        parts = done.parts_of(faction)
        name = part_names(parts)
        if parts:
            programs = (opened.program for part in parts for opened in part.opened)
            saved = dict.fromkeys(program for program in programs if program == "LibreOffice")
            told = N_("Of no faction: {file} of {when}") if not faction else N_(
                "{faction:the}: {file} of {when}, saved by {program}") if saved else N_(
                "{faction:the}: {file} of {when}")
            result.say(words.text(told, faction=faction, file=Verbatim(name), when=Verbatim(parts[-1].when),
                                  program=Verbatim(", ".join(saved))))
        for change in rows:
            before = "" if change.before is None else row_words(change.before, workspace.ruleset, words,
                                                                workspace.campaign)
            after = "" if change.how == "withdrawn" else row_words(change.row, workspace.ruleset, words, done.after)
            data.append({"kind": change.kind, "id": change.row.ident, "faction": faction, "how": change.how,
                         "source": name, "turn": getattr(change.row, "turn", ""),
                         "phase": getattr(change.row, "phase", ""), "words": after, "before": before})
            result.say("  " + (_before_and_after(workspace, change, before, after) if dry_run else row_line(
                change, workspace.ruleset, words, done.after)))
    for faction, name in dict.fromkeys((part.faction, part.name) for part in done.known if part.rows):
        result.say(words.text(N_("{faction:the}: {file} was taken before."), faction=faction, file=Verbatim(name)))
    for pair in done.chosen.rivals:
        for part in pair:
            result.say(words.text(N_("{faction:the}: {file} of {when} is not taken; it says:"), faction=part.faction,
                                  file=Verbatim(part.name), when=Verbatim(part.when)))
            for row in part.rows:
                result.say("  " + row_words(row, workspace.ruleset, words, workspace.campaign))
    count = sum(row_data["how"] in ("new", "changed", "withdrawn") for row_data in data)
    result.data.update(taken=data, sources=[_source_data(opened, done) for opened in done.opened])
    result.say(words.plural(N_("{n} row would change; nothing was written."),
                            N_("{n} rows would change; nothing was written."), count) if dry_run else
               rows_written(words, count))


def _before_and_after(workspace: Workspace, change: RowChange, before: str, after: str) -> str:
    """What a row says now, and what would count, for a dry run."""
    nothing = workspace.wording.text(N_("nothing"))
    if change.how == "refused":
        return workspace.wording.text(N_("{id}: stood: {before}; not taken: {words}"), id=Verbatim(change.row.ident),
                                      before=Verbatim(before or nothing), words=Verbatim(after))
    return workspace.wording.text(N_("{id}: stood: {before}; would count: {words}"), before=Verbatim(before or nothing),
                                  id=Verbatim(change.row.ident.rstrip("/")), words=Verbatim(after or nothing))


def _source_data(opened: OpenedArrival, done: CollectRun) -> dict[str, Any]:
    counts = any(opened in part.opened for part in done.chosen.parts)
    return {"file": opened.arrival.name, "at": opened.arrival.at, "when": opened.arrival.when, "faction": opened.club,
            "program": opened.program, "counts": counts}


# --- writing ----------------------------------------------------------------------------------
def _commit(workspace: Workspace, done: CollectRun, result: Result) -> None:
    """Write the campaign, and note in the ledger what was collected. Raises `Abort`."""
    entries = []
    for part, rows in done.taken:
        record = Order if part.kind == "orders" else Question
        keys = [change.row.ident for change in rows
                if isinstance(change.row, record) and change.how in ("new", "changed", "same")]
        entries.append({"faction": part.faction, "kind": part.kind, "rows": keys, "at": part.at,
                        "said": part.fingerprint,
                        "name": part.name, "stands": part.stands, "sources": sorted(part.sources)})
    with open_for_writing(workspace, "collect") as session:
        count = sum(change.how in ("new", "changed", "withdrawn") for rows in done.rows.values() for change in rows)
        if done.moved:
            note_collected(session.ledger, entries)
        # a new row of the Inbox alone is no step that undo takes back
        session.commit(COLLECT if done.moved else "mark", done.after, [rows_written(workspace.sheet_wording, count)],
                       refused_answers(result.findings))
    result.find(workspace.second_copies)
    result.findings = workspace.with_cells(result.findings)  # now the new rows have their cells


def _write_receipts(workspace: Workspace, done: CollectRun, folder: Path, result: Result, *, pictures: bool) -> None:
    """Write the answers to the clubs, a text each, and their orders on their maps. Raises `Abort`."""
    answers = {receipt.faction: f"{Path(copy_name(workspace.path.stem, receipt.faction)).stem}-receipt"
               for receipt in done.receipts}
    files = {f"{answers[receipt.faction]}.txt": receipt.text.encode() for receipt in done.receipts}
    if pictures:
        shown = draw_orders(workspace.ruleset, done.after, list(answers))
        files |= {f"{answers[faction]}.png": png for faction, made in shown.items() for _, png in made}
    with folder_faults(folder, N_("the answers to the clubs"), workspace.lang, workspace.wording):
        write_files(folder, files)
    result.data["files"] = list(files)
    result.say(workspace.wording.plural(N_("{n} answer to a club was written to {folder}."),
                                        N_("{n} answers to clubs were written to {folder}."), len(answers),
                                        folder=str(folder)))


def settle_decisions(workspace: Workspace) -> Result | None:
    """Do what the referee has typed into the column Decide of the sheet Inbox, before a command goes on; None where
    that is nothing new. Raises `Abort`.
    """
    with workspace.ledger() as ledger:
        decided = read_decisions(workspace, HeldArrivals.read(ledger), again=False)
    if not decided.fresh and not decided.findings:
        return None
    return collect_all(workspace, [], again=False)[0]
