"""Sections about a club's duties: results of its orders, questions, what to do now, and the form to send back."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from assistant.campaign.records import REFEREE, Army, Faction, FindingRow, Node, Order, Question
from assistant.campaign.records import Event as BaseEvent
from assistant.campaign.tables import Record, grouped, natural
from assistant.reporting.pages import (
    AskedOf,
    Band,
    Dossier,
    Listing,
    MayDo,
    Orderable,
    OrderRemark,
    OrdersSection,
    ReportTable,
    TableCell,
)
from assistant.reporting.reader import LEGAL_A_UNIT, Reader, capital, orders_word
from assistant.reporting.shorten import bare_line
from assistant.turn.battle_form import form_columns, values_of
from assistant.turn.battle_results import blank_lines, waiting_battles
from assistant.turn.dice import NotThrown, ShutDice
from assistant.turn.findings import SEVERITIES, Finding, Severity, Where
from assistant.turn.orders.columns import place_of_order
from assistant.turn.orders.legal import LegalOrder, told_last
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.verbs import Verb, as_order_book, format_order, order_line
from assistant.turn.orders.words import MARKS
from assistant.turn.phases import order_phase, play_with
from assistant.turn.questions import (
    BY,
    OF,
    SHOWN_UNTIL,
    TAKEN_BACK,
    Invitation,
    QuestionType,
    has_standing_answer,
    options_of,
    standing_rows,
    standing_text,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import playable
from assistant.wording import Verbatim, victory_sentences

# Results of orders, questions, and what to do now.


BASE_FIELDS = frozenset({"order", "turn", "phase", "faction", "seq", "status", "text", "note", "outcome"})
BAD = ("refused", "replaced", "pinned")
MOST_ANSWERS = 5
"""At most so many answers are told beside the orders."""
UNORDERED = ("supply", "money", "battles")
"""Categories of events that befall a unit whatever it was ordered."""
DONE = "done"
"""The outcome of an order that was carried out, in rulebooks that record outcomes."""


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
    return next((severity for severity in SEVERITIES if severity == word), "error")


def orders_section(reader: Reader) -> OrdersSection | None:
    """The reader's orders of the period; None if no phase took orders and none came."""
    _ = reader.wording.text
    mine = [o for o in reader.period.orders if o.faction == reader.faction]
    keys = {order.ident for order in mine}
    findings = [f for f in reader.period.findings
                if f.faction == reader.faction or (f.table == Order.sheet and f.row in keys)]
    if not (mine or findings or _moments_of_orders(reader)):
        return None
    told = order_remarks(reader, mine, findings, listed=True)
    bad = sum(o.status in BAD for o in mine)
    if not mine:
        summary = " ".join((_no_orders_came(reader), *_answers_that_counted(reader)))
    elif len(mine) > 1 or bad:
        summary = _("{done} of {n} {n?order was|orders were} accepted. What came of {n?it|them} is below.",
                    done=len(mine) - bad, n=len(mine))
    else:
        summary = _("Your order was accepted. What came of it is below.")
    if void := sum(o.status not in BAD and outcome_code(o) not in ("", DONE) for o in mine):
        summary += " " + _("Accepted, but not carried out: {n}.", n=void)
    more = _("and {n} more on the sheet {sheet}", sheet=reader.sheet(Order))
    return OrdersSection(_("Your orders"), summary, Listing(tuple(told), 0, more).cut(reader.rows),
                         bool(mine) and all(remark.severity == "info" for remark in told),
                         " ".join(_answers_that_counted(reader)) if mine else "")


def order_remarks(reader: Reader, mine: list[Order], findings: list[FindingRow], *,
                  listed: bool = False) -> list[OrderRemark]:
    """Remarks on orders, the most severe first: findings, orders that failed without one, and what others came to;
    `listed`: also those accepted of which no more is said.
    """
    by_key, told = {o.ident: o for o in mine}, _told_of(reader, mine)
    spoken = {f.row for f in findings if f.table == Order.sheet}
    unsaid = reader.wording.text(N_("It could not be carried out as written; what happened is below."))
    made = [_remark(reader, f, by_key.get(f.row), told) for f in findings]
    made += [_order_remark(reader, o, "warning", unsaid, told) if o.status in BAD else
             _order_remark(reader, o, "info", "", told) for o in mine
             if o.ident not in spoken and (o.status in BAD or listed or outcome_code(o))]
    made.sort(key=lambda one: (_rank(one.severity), natural(one.row)))
    alike = grouped((one for one in made if one.severity == "info" and not one.reason), lambda one: one.verdict)
    return [*(one for one in made if one.severity != "info" or one.reason), *(
        replace(one, row="", quote="; ".join(other.quote for other in (one, *more))) if more else one
        for one, *more in alike.values())]


def _remark(reader: Reader, row: FindingRow, order: Order | None, told: Mapping[str, str]) -> OrderRemark:
    reason = reader.wording.finding(finding_of(row))
    if order is None:
        severity = FindingRow.column("severity").word(row.severity, reader.lang)
        where = " ".join(part for part in (reader.sheet_name(row.table), row.row) if part)
        return OrderRemark(row.severity, severity, where, "", reason)
    return _order_remark(reader, order, row.severity, reason, told)


def _order_remark(reader: Reader, order: Order, severity: str, reason: str, told: Mapping[str, str]) -> OrderRemark:
    """A remark with the order as it was understood, in the reader's language, and what events tell of it; a refused one
    as it was written.
    """
    book, said = as_order_book(reader.ruleset.verbs), told.get(order.ident, "")
    verb = "" if order.status in BAD else book.code(order.verb)
    filled = {c.name: value for c in order.columns() if (value := getattr(order, c.name)) != c.default}
    quoted = order_line(book, reader.view, {**filled, "verb": verb}, reader.lang) if verb else quote_order(
        order, reader.ruleset, reader.lang)
    return OrderRemark(severity, _status(reader, order, said), order.ident, quoted, " ".join(filter(None, (
        reason, said))))


def _told_of(reader: Reader, orders: Iterable[Order]) -> dict[str, str]:
    """What events tell of accepted orders whose outcome stands nowhere else, in a sentence each."""
    book, made = as_order_book(reader.ruleset.verbs), dict[str, str]()
    read = [(one, book[verb]) for one in orders  # of many rounds its chapters tell what came of them
            if reader.rounds == 1 and one.status not in BAD and not outcome_code(one) and (verb := book.code(one.verb))]
    for turn, of_turn in grouped(read, lambda one: one[0].turn).items():
        given = [(phase.id, read_row(book, reader.view, one), verb) for one, verb in of_turn
                 for phase in reader.ruleset.calendar.phases().values()
                 if phase.orders == one.phase and (phase.takes or phase.orders) in verb.when]
        events = [event for event in reader.period.events
                  if event.turn == turn and reader.kind(event).category not in UNORDERED]
        made |= {key: capital(bare_line(reader, event).text) for key, event in told_last(events, given).items()}
    return made


def outcome_code(order: Order) -> str:
    """The code of an accepted order's outcome, if its ruleset records one."""
    return str(getattr(order, "outcome", ""))


def _status(reader: Reader, order: Order, told: str) -> str:
    """What became of an order, in a word; `told`: the sentence of its event, which says more than that it is done."""
    if came_to := outcome_code(order):
        return order.column("outcome").word(came_to, reader.lang).replace("_", " ")
    if order.status in BAD or told or reader.rounds > 1 or hasattr(order, "outcome"):
        return order.column("status").word(order.status, reader.lang)
    return reader.wording.text(N_("carried out"))


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else 0


def _moments_of_orders(reader: Reader) -> list[str]:
    """The phases of the period that took orders, in the game's calendar."""
    return [reader.when(turn, phase) for turn, phase in reader.period.moments if orders_word(reader.ruleset, phase)]


def _no_orders_came(reader: Reader) -> str:
    """The sentence that no orders came, for which phase if it is a single one."""
    moments = _moments_of_orders(reader)
    if len(moments) == 1:
        return reader.wording.text(N_("You sent no orders for {moment}."), moment=Verbatim(moments[0]))
    return reader.wording.text(N_("No orders of yours were received for this period."))


def _answers_that_counted(reader: Reader) -> Iterator[str]:
    """The sentences which answers of the reader counted in the phases of the period, and which of them stand: what
    follows from them would seem to come from orders that it never sent.
    """
    given = [q for q in reader.view.table(Question) if q.to == reader.faction and q.status == "answered"
             and q.answer.strip() and (q.turn, q.phase) in reader.period.moments]
    for text, standing in ((N_("Your {n?answer|answers} counted: {list}."), False),
                           (N_("Your standing {n?answer|answers} counted: {list}."), True)):
        by_kind = grouped((q for q in given if (BY in q.asked) == standing), lambda q: (
            f"{reader.wording.word(q.kind)} {q.about}" if q.about in reader.view.table(Order) else
            reader.wording.question_in_short(q)))
        listed = [f"{what}: {', '.join(reader.wording.options(standing_text(q)) for q in alike)}"
                  for what, alike in by_kind.items()]
        if listed:
            counts = [len(alike) for alike in by_kind.values()]
            more = [reader.wording.text(N_("and {n} more"), n=left)] if (left := sum(counts[MOST_ANSWERS:])) else []
            yield reader.wording.text(text, n=sum(counts), list=Verbatim("; ".join((*listed[:MOST_ANSWERS], *more))))


def open_questions(reader: Reader, refused: Mapping[str, Finding], everybody: bool = False) -> tuple[AskedOf, ...]:
    """The open questions to the reader, or all of them for the referee.

    `refused`: key of the question -> why its answer cannot be taken; such a question is still open.
    """
    words = reader.wording.options
    return tuple(AskedOf(q.question, reader.wording.question(q), _choices(reader, q), words(q.default),
                         _addressee(reader, q) if everybody else _person(reader, q), phase_so_far(reader, q),
                         _refusal_reason(reader, refused.get(q.ident)))
                 for q in unanswered_questions(reader, refused) if everybody or q.to == reader.faction)


def invitation_entries(reader: Reader, everybody: bool = False) -> tuple[AskedOf, ...]:
    """Questions that the reader may answer although no phase waits for them; for the referee all of them."""
    words = reader.wording
    return tuple(AskedOf(q.question, _with_deadline(reader, invitation, q), _choices(reader, q),
                         words.options(q.default),
                         _addressee(reader, q) if everybody else "")
                 for invitation, q in reader.ruleset.open_invitations(reader.view)
                 if not invitation.quiet and (everybody or q.to == reader.faction))


def _choices(reader: Reader, question: Question) -> str:
    """The options of a question as they are typed."""
    return ", ".join(map(reader.wording.options, options_of(question)))


def _with_deadline(reader: Reader, invitation: Invitation, question: Question) -> str:
    worded = reader.wording.question(question)
    return reader.wording.text(N_("{question} It may be answered until {moment}; no phase waits for it."),
                               question=Verbatim(worded), moment=Verbatim(reader.when(*invitation.until)))


def unanswered_questions(reader: Reader, refused: Mapping[str, Finding]) -> list[Question]:
    """The questions without an accepted answer; `refused`: as for `open_questions`."""
    def is_open(q: Question) -> bool:
        return q.status == "open" and not q.answer.strip() and not has_standing_answer(
            reader.ruleset.questions, reader.view, q)

    return [q for q in reader.view.table(Question) if q.ident in refused or is_open(q)]


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
    note = _("They apply until changed, unless you type another answer. To take one back, answer with - in its "
             "place.")
    return (ReportTable(title, tuple(Question.column(name).heading(reader.lang) for name in names),
                        (False,) * len(names), Listing(made), "" if everybody else note),)


def phase_so_far(reader: Reader, question: Question) -> tuple[str, ...]:
    """The events so far of the waiting phase that the addressee of a question may know, in words."""
    told = question.so_far.get("events", [])
    return tuple(reader.wording.event(BaseEvent(no=1, turn=question.turn, phase=question.phase, **{
        name: value for name, value in event.items() if name in ("event", "data", "roll", "rule")}))
        for event in told if "event" in event)


def next_orders(reader: Reader) -> tuple[str, str]:
    """The next phase of this turn that takes orders, as (word of Orders' column Phase, moment); ("", "") if none."""
    return next(((phase.orders, reader.when(reader.view.desk.turn, phase.id))
                 for phase in reader.ruleset.phases_left(reader.view) if phase.orders), ("", ""))


def due_band(reader: Reader, questions: int, deadline: str, battles: tuple[Dossier, ...] = (), *, offers: bool = True
             ) -> Band:
    """The most urgent duty: questions, battles or orders, whichever comes first. `offers`: as of `build.draft_page`."""
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
        return Band(_("To be played: {battle}", battle=Verbatim(_battle_names(reader, battles))),
                    (*until, _("Play it at the gaming table and give the referee its result; the hand-over is below.")))
    word, moment = next_orders(reader)
    asked = questions_to_come(reader)
    if not word:
        return Band(_("No orders are due now."), (*(asked or (_(
            "The referee goes on; the next report tells you what to do."),)), *_orders_of_later(reader)))
    now, coming, club = moment_of(reader), order_phase(reader.ruleset, reader.view), _is_club(reader)
    present = reader.ruleset.phase(reader.view.desk.phase)
    before = () if now == moment else (_(
        N_("First comes {moment}, which takes no orders. {about}") if present.waits_for or not club else
        N_("First comes {moment}, which takes no orders and needs nothing of you. {about}"),
        moment=now, about=Verbatim(_(present.about))).rstrip(), *asked)
    unsent = coming[1].unsent if coming is not None and club else ""
    until = until or (_("No date is set: the game goes on when the referee has everybody's orders."),)
    return Band(_("Orders due for {moment}", moment=moment),
                (*until, _("Write them on the sheet {sheet}, or in the form below.", sheet=reader.sheet(Order))
                 if club else _("Write them on the sheet {sheet}.", sheet=reader.sheet(Order)), *before,
                 *([_(unsent)] if unsent else []), *(_what_is_over(reader, word) if offers else ())))


def _is_club(reader: Reader) -> bool:
    return reader.faction not in ("", REFEREE)


def questions_to_come(reader: Reader) -> tuple[str, ...]:
    """What the present phase, which takes no orders, will ask a club, and what holds without an answer: the phase is
    tried on its view as far as it goes without a die.
    """
    view, ruleset = reader.view, reader.ruleset
    phase = ruleset.calendar.phases().get(view.desk.phase)
    if phase is None or phase.orders or not phase.waits_for or not _is_club(reader):
        return ()
    words, asked = reader.wording, list[Question]()
    with suppress(NotThrown):
        asked = play_with(ruleset, playable(view), ShutDice(view.desk.turn)).questions
    alike = grouped((q for q in asked if q.to == reader.faction), lambda q: (_choices(reader, q), q.default))
    return tuple(words.text(
        N_("As things stand you will be asked: {list} ({options}). Without an answer: {default}."),
        list=Verbatim("; ".join(map(words.question_in_short, questions))), options=Verbatim(options),
        default=Verbatim(words.options(default) or "–")) for (options, default), questions in alike.items())


def _what_is_over(reader: Reader, word: str) -> tuple[str, ...]:
    """The sentence which phases that read the same sheet of orders are over, and what may be ordered still; () where
    none is. `word`: that of the sheet.
    """
    over = [phase.name(reader.lang) for phase in reader.ruleset.phases_past(reader.view) if phase.orders == word]
    book = as_order_book(reader.ruleset.verbs)
    verbs = dict.fromkeys(book[order.verb].word(reader.lang).replace("_", " ") for order in (
        reader.legal if over and _is_club(reader) else ()))
    return () if not verbs else (reader.wording.text(
        N_("Of this sheet {list} {n?is|are} over; as things stand you may still order: {verbs}."), n=len(over),
        list=Verbatim(" … ".join(dict.fromkeys((over[0], over[-1])))), verbs=Verbatim(", ".join(verbs))),)


def _orders_of_later(reader: Reader) -> tuple[str, ...]:
    """The sentences for which phase of a later turn orders are taken next, and what holds without any; () without such
    a phase, and for the public.
    """
    coming = order_phase(reader.ruleset, reader.view) if _is_club(reader) else None
    return () if coming is None else (reader.wording.text(
        N_("The next orders are those for {moment}; you may send them before."),
        moment=reader.when(coming[0], coming[1].id)), *filter(None, (reader.wording.text(coming[1].unsent),)))


def orderable_heading(reader: Reader) -> str:
    """The title over what may be ordered: for which phase, where that is not the present one."""
    quiet = not _is_club(reader) or reader.ruleset.is_over(reader.view)
    coming = None if quiet else order_phase(reader.ruleset, reader.view)
    moment = "" if coming is None else reader.when(coming[0], coming[1].id)
    if moment in ("", moment_of(reader)):
        return reader.wording.text(N_("What you may order now"))
    return reader.wording.text(N_("What you may order next: {moment}"), moment=moment)


def _battle_names(reader: Reader, battles: Sequence[Dossier]) -> str:
    """The first battle by its name, and how many more there are."""
    more = len({one.code for one in battles}) - 1
    return reader.wording.plural(N_("{battle}, and one more"), N_("{battle}, and {n} more"), more,
                                 battle=Verbatim(battles[0].title)) if more else battles[0].title


def moment_of(reader: Reader) -> str:
    """The present phase of the campaign, in the game's calendar."""
    return reader.when(reader.view.desk.turn, reader.view.desk.phase)


def todo_steps(reader: Reader, questions: int, refused: bool, battles: tuple[Dossier, ...]) -> tuple[str, ...]:
    """What to do now, in three steps at most."""
    _ = reader.wording.text
    if reader.ruleset.is_over(reader.view):
        return (_("Read the page of the end: it says who has won, how it was counted, and how it came to it."),)
    steps = []
    if questions:
        steps.append(_("Answer the questions above, so that the phase can go on."))
    if battles:
        steps.append(_("Play {battle} at the gaming table and give the referee its result.",
                       battle=Verbatim(_battle_names(reader, battles))))
    if refused:
        steps.append(_("Look at the refused orders: what you still want must be ordered again."))
    word, moment = next_orders(reader)
    if word:
        steps.append(_("Write your orders for {moment} on the sheet {sheet} of your copy, or in the form below "
                       "({form}).", moment=moment, sheet=reader.sheet(Order), form=_("To fill in and send back")))
        steps.append(_("Send the copy or the form back in answer to the mail of this report; or say that your orders "
                       "are in the workbook."))
    steps.append(_("Is something wrong or missing? Write to the referee and quote the report's code."))
    return tuple(steps[:3])


# What a club may order now, and a form to fill in and send back.
#
# Both are made from the club's view and the declarations of verbs and questions. All lines of the form are blank or
# remarks, so that a form sent back untouched orders nothing.


GOALS, FEW_VERBS = 3, 6
"""How many goals of one verb are named for a unit; one only where it may do more than so many things."""
WIDTH = 34
"""The longest line of a remark: a phone shows no more in one, and breaks longer ones."""
LONGEST_PRICE = 40
"""A price of more letters, such as a list for all kinds of unit, stands among the kinds of order only."""
ONE_BY_ONE = 6
"""Up to so many options have a line each."""


def orderable_verbs(reader: Reader) -> Listing[Orderable]:
    """The verbs for the coming phases of this turn, or all if none of them takes orders; first those with an example in
    the club's own codes.
    """
    words = reader.wording
    if reader.ruleset.is_over(reader.view):
        return Listing()
    cards = reader.ruleset.order_cards(reader.view, reader.lang, words.text, reader.faction, now=True, brief=True,
                                       known=reader.legal, judge=reader.judge)
    return Listing(tuple(Orderable(card.verb.replace("_", " "), phase_names(reader.ruleset, card.when, reader.lang),
                                   card.help, card.example, card.cost, "" if card.example else card.form,
                                   "" if card.example else _why_not(reader, card.verb))
                         for card in sorted(cards, key=lambda card: not card.example)), 0,
                   words.text(N_("and {n} more on the orders card")))


def _why_not(reader: Reader, word: str) -> str:
    """Why nothing may be ordered with a verb (its word); "" where no one reason holds for all."""
    book = as_order_book(reader.ruleset.verbs)
    reason = reader.judge.reason_against(book[book.code(word)])
    if reason is None:
        return ""
    finding, of_each = reason
    told = reader.wording.finding(finding)
    return told if not of_each else reader.wording.text(N_("{reason} The same holds for all others."),
                                                        reason=Verbatim(told))


def phase_names(ruleset: Ruleset, words: str, lang: str) -> str:
    """The phases that take orders under some words, as people call them: ``budget, r1 … r10`` -> ``Budget and
    recruiting, April I … October II: marches``; a word that several phases share, such as that for a day, stays.
    """
    def phase_name(word: str) -> str:
        names = {phase.name(lang) for phase in ruleset.calendar.phases().values()
                 if phase.orders and word in (phase.takes, phase.orders)}
        return names.pop() if len(names) == 1 else word

    spans = (span.split(" … ") for span in words.split(", "))
    return ", ".join(" … ".join([*(phase_name(word).partition(": ")[0] for word in span[:-1]), phase_name(span[-1])])
                     for span in spans)


def unit_orders(reader: Reader) -> Listing[MayDo]:
    """What each unit may be ordered for the next phase that takes orders, and what the reader itself; units of one
    place that may do the same are named together.
    """
    book, prices = as_order_book(reader.ruleset.verbs), _prices(reader)
    can: dict[str, dict[str, list[str]]] = {}
    for order in reader.legal:
        verb = book[order.verb]
        unit = order.unit if _is_row(reader, order.unit) else ""  # a word for a unit that is to be made is no unit
        goals = can.setdefault(unit, {}).setdefault(verb.word(reader.lang).replace("_", " "), [])
        goals.append(_goal(reader, verb, order))
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for unit in sorted(can, key=lambda unit: (not unit, natural(unit))):
        most = GOALS if len(can[unit]) <= FEW_VERBS else 1
        deeds = tuple(" ".join(filter(None, (word, _few(goals, most), prices.get(word, ""))))
                      for word, goals in can[unit].items())
        alike.setdefault((_standing_at(reader, unit), deeds), []).append(unit)
    listed = [MayDo(_who(reader, units, place), deeds) for (place, deeds), units in alike.items()]
    return Listing(tuple(listed), 0, reader.wording.text(N_("and {n} more")))


def _prices(reader: Reader) -> dict[str, str]:
    """What an order of each verb costs, in brackets, where that is a short figure."""
    cards = reader.ruleset.order_cards(reader.view, reader.lang, reader.wording.text, reader.faction, now=True,
                                       brief=True, examples=False)
    return {card.verb.replace("_", " "): f"[{card.cost}]" for card in cards
            if len(card.cost) <= LONGEST_PRICE and re.search(r"\d", card.cost)}


def _goal(reader: Reader, verb: Verb, order: LegalOrder) -> str:
    """What tells an order from others with its verb, by its name and the code that orders take: a place, a unit, a
    word; "" for nothing.
    """
    for name, value in order.fields.items():
        kind = verb.kinds.get(name)
        if kind is None or name == verb.actor or isinstance(value, int):
            continue
        if kind.words:
            return (kind.words[value] if reader.lang == "it" else str(value)).replace("_", " ")
        goal = kind.goal(value)
        called = reader.wording.names.name(goal)
        if called is None:
            return str(kind.in_words(goal, reader.view, reader.lang))
        # two armies of one faction are called alike
        return reader.wording.names.text(goal) if _has_name(reader, goal) else str(goal)
    return ""


def _has_name(reader: Reader, code: str) -> bool:
    """Whether a code has a name of its own, and is not called by whose it is."""
    sheets = (*reader.ruleset.named, *reader.ruleset.coded, Faction.sheet)
    return any(code in reader.view.by_sheet(sheet) for sheet in sheets if reader.view.has(sheet))


def _few(goals: Sequence[str], most: int) -> str:
    """Some of the goals of orders, and whether there are others, or may be: only so many orders were looked at."""
    named = [*filter(None, dict.fromkeys(goals))]
    return ", ".join(named[:most]) + (" …" if len(named) > most or (named and len(goals) >= LEGAL_A_UNIT) else "")


def _is_row(reader: Reader, code: str) -> bool:
    return any(code in table for table in reader.view.tables().values())


def _standing_at(reader: Reader, unit: str) -> str:
    return place_of_order(reader.view, {"unit": unit}) if unit else ""


def _typed_name(reader: Reader, unit: str) -> str:
    """The name of a unit, of a person with the code by which orders call it."""
    name = reader.wording.names.text(unit, "piece")
    person = any(record.persons and unit in reader.view.by_sheet(record.sheet)
                 for record in reader.view.records().values())
    return f"{name} ({unit})" if person and unit not in name else name


def _who(reader: Reader, units: Sequence[str], place: str) -> str:
    """Units and where they are; the reader itself for no unit."""
    names = ", ".join(_typed_name(reader, unit) for unit in units if unit not in ("", place))
    where = reader.place(place) if place else ""
    return capital(", ".join(filter(None, (names, where)))) or reader.faction_name(reader.faction)


def reply_form(reader: Reader, refused: Mapping[str, Finding]) -> tuple[str, ...]:
    """The lines of the form, marks included; () if there is nothing to order or answer.

    `refused`: as for `open_questions`.
    """
    if reader.ruleset.is_over(reader.view):
        return ()
    mine = [q for q in (*unanswered_questions(reader, refused),
                        *(q for invitation, q in reader.ruleset.open_invitations(reader.view)
                if not invitation.quiet)) if q.to == reader.faction]
    parts = [*_unit_lines(reader), *(_question_lines(reader, q) for q in mine),
             *battle_forms(reader, reader.faction)]
    early = _early_answer_lines(reader)
    if not parts and not early:
        return ()
    first, last = MARKS[reader.lang]
    _ = reader.wording.text
    head = _wrap(_("{name}: write under these lines, one order or answer a line, and send the text back with its two"
                   " marked lines. A line with # or ; in front does not count: take the sign off the lines that you"
                   " want.",
                   name=reader.faction_name(reader.faction)))
    lines = [first, *head]
    for part in (*parts, early):
        lines += ["", *part] if part else []
    return (*lines, "", last)


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False,
                         break_on_hyphens=False)


# --- battles ----------------------------------------------------------------------------------------------
def battle_forms(reader: Reader, club: str = "") -> Iterator[list[str]]:
    """The lines to be filled in of each battle that waits for its result, those of a club or of all sides."""
    _, form = reader.wording.text, reader.ruleset.form
    for row in waiting_battles(reader.ruleset, reader.view):
        lines = blank_lines(reader.ruleset, reader.view, row, reader.lang, club)
        if lines:
            yield [*_wrap(_("{battle}: once it is fought, write what happened in the place of each _, a number, none, "
                            "or the word. What keeps its _ is not said.",
                            battle=Verbatim(capital(reader.battle_title(row))))),
                   *(line for c in (form_columns(form, row) if form else ()) if (takes := values_of(c, reader.lang))
                     for line in _wrap(f"{c.heading(reader.lang)}: {takes}")), *lines]


# --- armies -----------------------------------------------------------------------------------------------
def _unit_lines(reader: Reader) -> Iterator[list[str]]:
    """The phase that orders are for, of this turn or of a later one, then the lines of each unit, with its place."""
    _ = reader.wording.text
    coming = order_phase(reader.ruleset, reader.view)
    if coming is None:
        return
    yield _wrap(_("Orders for {moment}:", moment=reader.when(coming[0], coming[1].id)))
    named, parts = set[str](), list[list[str]]()
    for row in own_units(reader):
        name = str((getattr(row, "name_it", "") if reader.lang == "it" else "") or getattr(row, "name", ""))
        node = str(getattr(row, "node", ""))
        of_unit = _legal_lines(reader, (row.ident,))
        of_place = _legal_lines(reader, {node} - named)  # where orders call units by their place
        called = f"{row.ident} {name}".strip() if name != row.ident else row.ident
        if of_unit or of_place:
            parts.append([*_wrap(", ".join([*([called] if of_unit else []), reader.place(node)])), *of_unit, *of_place])
        named |= {row.ident, node}
    others = _legal_lines(reader, {order.unit for order in reader.legal} - named)
    if others:
        parts.append([*(_wrap(_("Further orders, such as:")) if parts else []), *others])
    yield from parts or [
        _wrap(_("No order was found that you could give as things stand. If you know of one, write it here."))]


def _legal_lines(reader: Reader, units: Container[str]) -> list[str]:
    """A line that may be ordered with each verb, of some units, as remarks: who takes its mark away orders it."""
    book, lines = as_order_book(reader.ruleset.verbs), dict[str, str]()
    for order in reader.legal:
        if order.unit in units and not order.warned:
            lines.setdefault(order.verb, f"#{order_line(book, reader.view, order.fields, reader.lang)}")
    return list(lines.values())


def own_units(reader: Reader) -> list[Record]:
    """The reader's units on the map: rows of the sheets with places that verbs name in the column Unit, else armies (a
    Fantasy Warriors Unit is where its Force is).
    """
    sheets = dict.fromkeys(record.sheet for verb in reader.ruleset.verbs.values() if "unit" in verb.kinds
                           for record in verb.kinds["unit"].tables()
                           if not issubclass(record, Node) and any(c.name == "node" for c in record.columns()))
    return [row for sheet in sheets or (Army.sheet,) if reader.view.has(sheet) for row in reader.view.by_sheet(sheet)
            if getattr(row, "faction", "") == reader.faction and getattr(row, "node", "") and getattr(
                row, "active", True)]


# --- answers ----------------------------------------------------------------------------------------------
def _question_lines(reader: Reader, question: Question) -> list[str]:
    """A question with a line for each option, or with a single line if there are many or none.

    An option with an amount (``promise:n``) gets an example number.
    """
    # an option that takes a number (":n") is shown with 1 in its place
    options = [reader.wording.options(re.sub(":n$", ":1", option)) for option in options_of(question)]
    default = reader.wording.options(question.default)
    lines = _wrap(reader.wording.question(question))
    if len(options) > ONE_BY_ONE:
        lines += _wrap(reader.wording.text(N_("One of: {options}"), options=Verbatim(_choices(reader, question))))
        options = [default or options[0]]
    return [*lines, *_answer_lines(reader, question.kind, question.about,
                              options or [default or "?"])]


def _answer_lines(reader: Reader, kind: str, about: str, options: Sequence[str], until: str = "") -> list[str]:
    word = reader.wording.word(kind)
    return [f"#{' '.join(part for part in (word, about, option, until) if part)}" for option in options]


def _early_answer_lines(reader: Reader) -> list[str]:
    """Answers that may be sent with the orders: to one question of a kind, or to all of them until changed."""
    asked = reader.ruleset.questions
    kinds = [asked[kind] for kind in _coming_kinds(reader) if kind in asked]
    lines = [line for kind in kinds for line in _answer_ahead(reader, kind)]
    if not lines:
        return []
    return [*_wrap(reader.wording.text(N_("What may be answered before it is asked, together with the orders; take the"
                                          " # away, and put your own codes and words in:"))), *lines]


def _coming_kinds(reader: Reader) -> list[str]:
    """The kinds of question that the coming phases of this turn may ask."""
    return list(dict.fromkeys(kind for phase in reader.ruleset.phases_left(reader.view) for kind in phase.waits_for))


def _answer_ahead(reader: Reader, kind: QuestionType) -> list[str]:
    """The question, a line for a single case if the book has an example of one and none is asked now, and a line for
    all cases.
    """
    if kind.stands is None:
        return []
    words = [reader.wording.options(option) for option in kind.stands.possible_answers(())]
    asked = any((row.kind, row.to) == (kind.kind, reader.faction) for row in unanswered_questions(reader, {}))
    subjects = () if asked or kind.subjects is None else kind.subjects(reader.view, reader.faction)
    about = next(iter(subjects), "")
    called = "/".join(map(reader.wording.names.text, about.split("/")))
    return [*_wrap(f"{reader.wording.word(kind.kind)}: {', '.join(words)}" + (
        f"; {about}: {called}" if about not in called else "")),
            *(_answer_lines(reader, kind.kind, about, words[:1]) if about else ()),
            *_answer_lines(reader, kind.kind, "", words[:1], SHOWN_UNTIL[reader.lang])]
