"""Sections about a club's duties: results of its orders, questions, what to do now, and the form to send back."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from assistant.campaign.records import REFEREE, Army, FindingRow, Node, Order, Question
from assistant.campaign.records import Event as BaseEvent
from assistant.campaign.tables import Record, natural
from assistant.reporting.facts import victory_sentences
from assistant.reporting.pages import (
    AskedOf,
    Band,
    Dossier,
    Listing,
    Orderable,
    OrderRemark,
    OrdersSection,
    ReportTable,
    TableCell,
)
from assistant.reporting.reader import Reader
from assistant.turn.answers import Invitation
from assistant.turn.findings import SEVERITIES, Finding, Severity, Where
from assistant.turn.orders.verbs import as_order_book, format_order
from assistant.turn.orders.words import MARKS
from assistant.turn.questions import (
    OF,
    SHOWN_UNTIL,
    TAKEN_BACK,
    QuestionType,
    has_standing_answer,
    options_of,
    standing_rows,
    standing_text,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim

# Results of orders, questions, and what to do now.


BASE_FIELDS = frozenset({"order", "turn", "phase", "faction", "seq", "status", "text", "note", "outcome"})
BAD = ("refused", "replaced", "pinned")


def quote_order(order: Order, ruleset: Ruleset, lang: str) -> str:
    """An order as the club wrote it: its line in words, else its cells in the order of the sheet, without defaults and
    with the words of drop-downs in the reader's language.
    """
    if order.text or not order.verb:
        return order.text
    if ruleset.quotes_lines and as_order_book(ruleset.verbs).code(order.verb):
        return format_order(as_order_book(ruleset.verbs), vars(order), lang)
    verb = ruleset.verbs.get(order.verb)
    offered = {"verb": {verb.en: verb.it}, **verb.options()} if verb is not None and lang == "it" else {}
    shown = [offered.get(c.name, {}).get(value) or c.word(value, lang) for c in order.columns()
             if c.name not in BASE_FIELDS and (value := getattr(order, c.name)) != c.default]
    return " ".join(word for word in shown if word)


def finding_of(row: FindingRow) -> Finding:
    """The finding in a row of the sheet Findings, as it was when the phase was resolved."""
    return Finding(row.code, _severity(row.severity), Where(row.table, row.row, row.field), row.data, row.faction)


def _severity(word: str) -> Severity:
    return next((one for one in SEVERITIES if one == word), "error")


def orders_section(reader: Reader) -> OrdersSection | None:
    """The reader's orders of the period; None if no phase took orders and none came."""
    _ = reader.wording.text
    mine = [o for o in reader.period.orders if o.faction == reader.faction]
    findings = [f for f in reader.period.findings if f.faction == reader.faction or _concerns_orders(f, mine)]
    if not (mine or findings or _orders_were_due(reader)):
        return None
    told = order_remarks(reader, mine, findings)
    bad = sum(o.status in BAD for o in mine)
    if not mine:
        summary = _("No orders of yours were received for this period.")
    elif any(map(outcome_code, mine)):
        summary = _("{done} of {n} {n?order was|orders were} accepted. What came of {n?it|them}:",
                    done=len(mine) - bad, n=len(mine))
    elif not bad:
        summary = _("All orders were carried out: {n} of {n}.", n=len(mine)) if len(mine) > 1 else _(
            "Your order was carried out.")
    else:
        summary = _("{done} of {n} {n?order was|orders were} carried out. The others, with the reasons:",
                    done=len(mine) - bad, n=len(mine))
    more = _("and {n} more on the sheet {sheet}", sheet=reader.sheet(Order))
    return OrdersSection(_("Your orders"), summary, Listing(tuple(told), 0, more).cut(reader.rows),
                  not told and bool(mine))


def order_remarks(reader: Reader, mine: list[Order], findings: list[FindingRow]) -> list[OrderRemark]:
    """Remarks on orders, the most severe first: findings, and orders that failed without one."""
    by_key = {o.ident: o for o in mine}
    made = [(_rank(f.severity), natural(f.row), _remark(reader, f, by_key.get(f.row))) for f in findings]
    spoken = {f.row for f in findings if f.table == Order.sheet}
    made += [(_rank("warning"), natural(o.ident), _remark_without_finding(reader, o)) for o in mine
             if o.status in BAD and o.ident not in spoken]
    made += [(_rank("info"), natural(o.ident),
              OrderRemark("info", _status(reader, o), o.ident, quote_order(o, reader.ruleset, reader.lang), ""))
             for o in mine if outcome_code(o) and o.ident not in spoken]
    return [remark for _, _, remark in sorted(made, key=lambda one: one[:2])]


def _remark(reader: Reader, row: FindingRow, order: Order | None) -> OrderRemark:
    reason = reader.wording.finding(finding_of(row))
    if order is None:
        severity = FindingRow.column("severity").word(row.severity, reader.lang)
        where = " ".join(part for part in (reader.sheet_called(row.table), row.row) if part)
        return OrderRemark(row.severity, severity, where, "", reason)
    return OrderRemark(
        row.severity, _status(reader, order), order.ident, quote_order(order, reader.ruleset, reader.lang), reason
    )


def _remark_without_finding(reader: Reader, order: Order) -> OrderRemark:
    reason = reader.wording.text(N_("It could not be carried out as written; what happened stands below."))
    return OrderRemark(
        "warning", _status(reader, order), order.ident, quote_order(order, reader.ruleset, reader.lang), reason
    )


def outcome_code(order: Order) -> str:
    """The code of an accepted order's outcome, if its ruleset records one."""
    return str(getattr(order, "outcome", ""))


def _status(reader: Reader, order: Order) -> str:
    came_to = outcome_code(order)
    return (order.column("outcome").word(came_to, reader.lang).replace("_", " ") if came_to
            else order.column("status").word(order.status, reader.lang))


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else 0


def _concerns_orders(row: FindingRow, mine: list[Order]) -> bool:
    return row.table == Order.sheet and any(o.ident == row.row for o in mine)


def _orders_were_due(reader: Reader) -> bool:
    for _, phase in reader.period.moments:
        try:
            if reader.ruleset.phase(phase).orders:
                return True
        except KeyError:
            continue
    return False


def open_questions(reader: Reader, refused: Mapping[str, Finding], everybody: bool = False) -> tuple[AskedOf, ...]:
    """The open questions to the reader, or all of them for the referee.

    `refused`: key of the question -> why its answer cannot be taken; such a question is still open.
    """
    words = reader.wording.options
    return tuple(AskedOf(q.question, reader.wording.question(q), words(q.options), words(q.default),
                         _addressee(reader, q) if everybody else _person(reader, q), phase_so_far(reader, q),
                         _refusal_reason(reader, refused.get(q.ident)))
                 for q in unanswered_questions(reader, refused) if everybody or q.to == reader.faction)


def invitation_entries(reader: Reader, everybody: bool = False) -> tuple[AskedOf, ...]:
    """Questions that the reader may answer although no phase waits for them; for the referee all of them."""
    words = reader.wording
    return tuple(AskedOf(q.question, _with_deadline(reader, one, q), words.options(q.options), words.options(q.default),
                         _addressee(reader, q) if everybody else "")
                 for one, q in reader.ruleset.invited(reader.view)
                 if not one.quiet and (everybody or q.to == reader.faction))


def _with_deadline(reader: Reader, one: Invitation, question: Question) -> str:
    said = reader.wording.question(question)
    return reader.wording.text(N_("{question} It may be answered until {moment}; no phase waits for it."),
                               question=Verbatim(said), moment=Verbatim(reader.when(*one.until)))


def unanswered_questions(reader: Reader, refused: Mapping[str, Finding]) -> list[Question]:
    """The questions without an accepted answer; `refused`: as for `open_questions`."""
    return [
        q
        for q in reader.view.table(Question)
        if q.ident in refused
        or (
            q.status == "open"
            and not q.answer.strip()
            and not has_standing_answer(reader.ruleset.questions, reader.view, q)
        )
    ]


def _person(reader: Reader, question: Question) -> str:
    """The person of the reader's faction who is asked, "" for the faction itself."""
    of = str(question.asked.get(OF, ""))
    return reader.wording.names.text(of)


def _addressee(reader: Reader, question: Question) -> str:
    whom = reader.wording.text(N_("the referee")) if question.to == REFEREE else reader.faction_name(question.to)
    of = _person(reader, question)
    return reader.wording.text(N_("{whom} for {of}"), whom=whom, of=of) if of else whom


def _refusal_reason(reader: Reader, refused: Finding | None) -> str:
    return "" if refused is None else reader.wording.text(
        N_("The answer that was given cannot be taken: {what}"), what=Verbatim(reader.wording.finding(refused)))


def standing_answers(reader: Reader, everybody: bool = False) -> tuple[ReportTable, ...]:
    """The reader's standing answers, or all of them for the referee; () without any."""
    _ = reader.wording.text
    rows = [q for q in standing_rows(reader.view) if standing_text(q) and (everybody or q.to == reader.faction)]
    if not rows:
        return ()
    asked_again, called = _("put each time"), reader.wording.names.text
    made = tuple(
        (
            *([TableCell(_addressee(reader, q))] if everybody else []),
            TableCell(reader.wording.word(q.kind)),
            TableCell("/".join(called(part) for part in q.about.split("/")) or _("all of them")),
            TableCell(asked_again if standing_text(q) == TAKEN_BACK else reader.wording.options(standing_text(q))),
        )
        for q in rows
    )
    names = [*(["to"] if everybody else []), "kind", "about", "answer"]
    title = _("Standing answers") if everybody else _("Your standing answers")
    note = _("They count until they are changed, wherever you type no other answer. To take one back, answer with -"
             " in its place.")
    return (ReportTable(title, tuple(Question.column(name).heading(reader.lang) for name in names),
                        (False,) * len(names), Listing(made), "" if everybody else note),)


def phase_so_far(reader: Reader, question: Question) -> tuple[str, ...]:
    """The events so far of the waiting phase that the addressee of a question may know, in words."""
    told = question.so_far.get("events", [])
    return tuple(reader.wording.event(BaseEvent(no=1, turn=question.turn, phase=question.phase, **{
        name: value for name, value in event.items() if name in ("event", "data", "roll", "rule")}))
        for event in told if "event" in event)


def next_orders(reader: Reader) -> tuple[str, str]:
    """The next phase of this turn that takes orders, as (word of Orders' column For, moment); ("", "") if none."""
    desk = reader.view.desk
    ids = list(reader.ruleset.phase_ids(reader.view))
    if reader.ruleset.is_over(reader.view) or desk.phase not in ids:
        return "", ""
    for phase in ids[ids.index(desk.phase):]:
        if word := reader.ruleset.phase(phase).orders:
            return word, reader.when(desk.turn, phase)
    return "", ""


def due_band(reader: Reader, questions: int, deadline: str, battles: tuple[Dossier, ...] = ()) -> Band:
    """The most urgent duty: questions, battles or orders, whichever comes first."""
    _ = reader.wording.text
    until = (_("by {deadline}", deadline=deadline),) if deadline else ()
    if reader.ruleset.is_over(reader.view):
        public = reader.ruleset.view(reader.view, "")
        return Band(_("The campaign is over."), (*victory_sentences(reader.ruleset, public, reader.wording),
                                                 _("There is nothing left to order.")))
    if questions:
        return Band(reader.wording.plural(N_("One question waits for your answer"),
                                          N_("{n} questions wait for your answer"), questions),
                    (*until, _("Answer on the sheet {sheet}, in the column {column}; the phase goes on when all "
                               "answers are there.", sheet=reader.sheet(Question),
                               column=reader.heading(Question, "answer"))))
    if battles:
        return Band(_("A battle is to be played: {battle}", battle=battles[0].title),
                    (*until, _("Play it on the table and give the referee its result; the hand-over is below.")))
    word, moment = next_orders(reader)
    if not word:
        return Band(_("No orders are due now."), (_("The referee goes on; the next report tells you what to do."),))
    where = {"sheet": reader.sheet(Order), "word": Verbatim(word), "column": reader.heading(Order, "phase")}
    return Band(_("Orders due for {moment}", moment=moment), (*until, _(
        "Write them on the sheet {sheet}.", **where) if _one_word(reader) else _(
        "Write them on the sheet {sheet}, with {word} in the column {column}.", **where)))


def _one_word(reader: Reader) -> bool:
    """Whether all phases read the same orders, so that the column For is not needed."""
    words = {reader.ruleset.phase(one).orders for one in reader.ruleset.phase_ids(reader.view)}
    return len(words - {""}) == 1


def todo_steps(reader: Reader, questions: int, refused: bool, battles: tuple[Dossier, ...]) -> tuple[str, ...]:
    """What to do now, in three steps at most."""
    _ = reader.wording.text
    if reader.ruleset.is_over(reader.view):
        return (_("Read the page of the end: it says who has won, how it was counted, and how it came to it."),)
    steps = []
    if questions:
        steps.append(_("Answer the questions above, so that the phase can go on."))
    if battles:
        steps.append(_("Play {battle} on the table and give the referee its result.", battle=battles[0].title))
    if refused:
        steps.append(_("Look at the refused orders: what you still want must be ordered again."))
    word, moment = next_orders(reader)
    if word:
        where = {"moment": moment, "sheet": reader.sheet(Order), "word": Verbatim(word),
                 "column": reader.heading(Order, "phase")}
        steps.append(_("Write your orders for {moment} on the sheet {sheet}.", **where) if _one_word(reader) else _(
            "Write your orders for {moment} on the sheet {sheet} ({column}: {word}).", **where))
        steps.append(_("Send the workbook back to the referee, or say that your orders stand in it."))
    steps.append(_("Is something wrong or missing? Write to the referee and quote the report's code."))
    return tuple(steps[:3])


# What a club may order now, and a form to fill in and send back.
#
# Both are made from the club's view and the declarations of verbs and questions. All lines of the form are blank or
# remarks, so that a form sent back untouched orders nothing.


WIDTH = 70
"""The longest line: mail programs break longer ones, also when they quote them."""
ONE_BY_ONE = 6
"""Up to so many options have a line each."""


def orderable_verbs(reader: Reader) -> Listing[Orderable]:
    """The verbs for the coming phases of this turn, with examples in the club's own codes."""
    words = reader.wording
    if reader.ruleset.is_over(reader.view):
        return Listing()
    cards = reader.ruleset.order_cards(reader.view, reader.lang, words.text, reader.faction, now=True, brief=True)
    return Listing(tuple(Orderable(card.verb, card.when, card.help, card.example, card.cost) for card in cards), 0,
                   words.text(N_("and {n} more on the orders card")))


def reply_form(reader: Reader, refused: Mapping[str, Finding]) -> tuple[str, ...]:
    """The lines of the form, marks included; () if there is nothing to order or answer.

    `refused`: as for `open_questions`.
    """
    if reader.ruleset.is_over(reader.view):
        return ()
    mine = [q for q in (*unanswered_questions(reader, refused), *(q for one, q in reader.ruleset.invited(reader.view)
                                                        if not one.quiet)) if q.to == reader.faction]
    parts = [*_unit_lines(reader), *(_question_lines(reader, q) for q in mine)]
    early = _early_answer_lines(reader)
    if not parts and not early:
        return ()
    first, last = MARKS[reader.lang]
    _ = reader.wording.text
    head = _told(_("{name}: write under these lines, one order or answer a line, and send the text back with its two"
                   " marked lines. A line with # or ; in front does not count.",
                   name=reader.faction_name(reader.faction)))
    lines = [first, *head]
    for part in (*parts, early):
        lines += ["", *part] if part else []
    return (*lines, "", last)


def _told(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False,
                         break_on_hyphens=False)


# --- armies -----------------------------------------------------------------------------------------------
def _unit_lines(reader: Reader) -> Iterator[list[str]]:
    """The phase that orders are for, then each unit with its place; nothing if no orders are read this turn."""
    _ = reader.wording.text
    word, moment = next_orders(reader)
    if not word:
        return
    yield _told(_("Orders for {moment}:", moment=moment))
    for row in own_units(reader):
        name = str(getattr(row, "name", ""))
        called = f"{row.ident} {name}".strip() if name != row.ident else row.ident
        yield _told(f"{called}, {reader.place(str(getattr(row, 'node', '')))}")


def own_units(reader: Reader) -> list[Record]:
    """The reader's units on the map: rows of the sheets with places that verbs name in the column Unit, else armies (a
    Fantasy Warriors Unit is where its Force is).
    """
    sheets = dict.fromkeys(record.sheet for verb in reader.ruleset.verbs.values() if "unit" in verb.kinds
                           for record in verb.kinds["unit"].tables()
                           if not issubclass(record, Node) and any(c.name == "node" for c in record.columns()))
    return [row for sheet in sheets or (Army.sheet,) if reader.view.has(sheet) for row in reader.view.by_sheet(sheet)
            if getattr(row, "faction", "") == reader.faction and getattr(row, "node", "")]


# --- answers ----------------------------------------------------------------------------------------------
def _question_lines(reader: Reader, question: Question) -> list[str]:
    """A question with a line for each option, or with a single line if there are many or none.

    An option with an amount (``promise:n``) gets an example number.
    """
    said = [reader.wording.options(re.sub(":n$", ":1", one)) for one in options_of(question)]
    default = reader.wording.options(question.default)
    lines = _told(reader.wording.question(question))
    if len(said) > ONE_BY_ONE:
        lines += _told(reader.wording.text(N_("One of: {options}"), options=", ".join(said)))
        said = [default or said[0]]
    return [*lines, *_answer_lines(reader, question.kind, question.about,
                              said or [default or "?"])]


def _answer_lines(reader: Reader, kind: str, about: str, said: Sequence[str], until: str = "") -> list[str]:
    word = reader.wording.word(kind)
    return [f"#{' '.join(part for part in (word, about, one, until) if part)}" for one in said]


def _early_answer_lines(reader: Reader) -> list[str]:
    """Answers that may be sent with the orders: to one question of a kind, or to all of them until changed."""
    asked = reader.ruleset.questions
    kinds = [asked[kind] for kind in _coming_kinds(reader) if kind in asked]
    lines = [line for kind in kinds for line in _answer_ahead(reader, kind)]
    if not lines:
        return []
    return [*_told(reader.wording.text(N_("What may be answered before it is asked, together with the orders; take the"
                                          " # away, and put your own codes and words in:"))), *lines]


def _coming_kinds(reader: Reader) -> list[str]:
    """The kinds of question that the coming phases of this turn may ask."""
    ids = list(reader.ruleset.phase_ids(reader.view))
    now = reader.view.desk.phase
    phases = map(reader.ruleset.phase, ids[ids.index(now):] if now in ids else [])
    return list(dict.fromkeys(kind for phase in phases for kind in phase.waits_for))


def _answer_ahead(reader: Reader, kind: QuestionType) -> list[str]:
    """The question, a line for a single case if the book has an example of one, and a line for all cases."""
    if kind.stands is None:
        return []
    words = [reader.wording.options(one) for one in kind.stands.offered(())]
    about = kind.early(reader.view, reader.faction) if kind.early is not None else ""
    return [*_told(f"{reader.wording.word(kind.kind)}: {', '.join(words)}"),
            *(_answer_lines(reader, kind.kind, about, words[:1]) if about else ()),
            *_answer_lines(reader, kind.kind, "", words[:1], SHOWN_UNTIL[reader.lang])]
