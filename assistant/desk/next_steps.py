"""Where a campaign stands, who is waited for and what to do next, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Faction, InboxRow, Order, Question
from assistant.campaign.tables import grouped
from assistant.desk.play_phase import clubs_at_play, has_asked, open_questions
from assistant.turn import codes
from assistant.turn.absence import READY, readiness_by_faction
from assistant.turn.dice import REFEREE
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, victory_sentences
from assistant.workbook.port import DeskLines
from assistant.workbook.read.grid import readable

ORDERS_OF = N_("orders for {phase}")
ANSWER_TO = N_("answer: {question}")
MAY_ANSWER = N_("can wait: {question}")
ALL_OWE, SOME_OWE = N_("All {n} still owe {what}."), N_("{who}: still to come: {what}.")
ALL_HAVE_TO, SOME_HAVE_TO = N_("All {n} still have to {what}."), N_("{who}: still to {what}.")
ALL_MAY, SOME_MAY = (N_("All {n} still {what}: nothing waits for it."),
                     N_("{who}: still to {what}; nothing waits for it."))
NUMBERS = {
    "en": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "it": ("due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici")}
"""The numbers from 2 on that are written in words, by language. No catalogue has them: a club may have typed one."""
OVER = N_("The campaign is over.")
REFEREE_WORD = N_("referee")
"""Stands in place of a faction's code where the referee is awaited; `Wording.word` translates it."""

RefusedAnswers = Mapping[str, Finding]
"""Answers that cannot be accepted: key of the question, or place in a form -> what is wrong."""
NONE_REFUSED: RefusedAnswers = MappingProxyType({})


class Awaited(NamedTuple):
    """Somebody the phase waits for. `kind`: ``orders`` or the question's kind; `what`: a sentence; `stops`: whether the
    phase cannot end without it.
    """

    who: str
    kind: str
    what: str
    question: str = ""
    stops: bool = True

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"from": self.who, "kind": self.kind, "what": self.what, "question": self.question}


def list_awaited(
    ruleset: Ruleset, campaign: Campaign, wording: Wording, refused: RefusedAnswers = NONE_REFUSED
) -> list[Awaited]:
    """Whom the present phase waits for: those who owe answers or, before it starts, orders.

    Last come those who may answer optional questions.
    """
    if ruleset.is_over(campaign):
        return []
    return [*list_blocking(ruleset, campaign, wording, refused), *_optional_answers(ruleset, campaign, wording)]


def _optional_answers(ruleset: Ruleset, campaign: Campaign, wording: Wording) -> list[Awaited]:
    return [Awaited(row.to, row.kind, wording.text(MAY_ANSWER, question=wording.question(row)), row.question, False)
            for invitation, row in ruleset.open_invitations(campaign) if not invitation.quiet]


def awaited_lines(ruleset: Ruleset, campaign: Campaign, awaited: Sequence[Awaited], wording: Wording
                  ) -> Iterator[tuple[str, str]]:
    """Who is awaited and for what, one line a cause: codes of factions, and a sentence."""
    causes = grouped(awaited, lambda one: (one.kind, one.stops))
    clubs = clubs_at_play(campaign)
    for (kind, stops), several in causes.items():
        who = list(dict.fromkeys(one.who for one in several))
        if len(several) == 1:
            yield who[0], several[0].what
            continue
        duty = ruleset.questions[kind].duty if kind in ruleset.questions else ""
        what = several[0].what if kind == "orders" else wording.text(duty) if duty else wording.plural(
            N_("answer {n} question"), N_("answer {n} questions"), len(several))
        yield " ".join(who), _sentence(who, clubs, what, wording, orders=kind == "orders", stops=stops)


def _sentence(who: Sequence[str], clubs: Sequence[str], what: str, wording: Wording, *, orders: bool, stops: bool
              ) -> str:
    """What several still have to do, or one has to do several times."""
    everybody = len(who) > 1 and list(who) == list(clubs)
    if orders:
        text = ALL_OWE if everybody else SOME_OWE
    elif everybody:
        text = ALL_HAVE_TO if stops else ALL_MAY
    else:
        text = SOME_HAVE_TO if stops else SOME_MAY
    number = dict(enumerate(NUMBERS[wording.lang], 2)).get(len(who), str(len(who)))
    return wording.text(text, n=number, who=Verbatim(", ".join(wording.name_of(code) for code in who)),
                        what=Verbatim(what))


def list_blocking(
    ruleset: Ruleset, campaign: Campaign, wording: Wording, refused: RefusedAnswers = NONE_REFUSED
) -> list[Awaited]:
    """Like `list_awaited`, but only those without whom the phase cannot end."""
    waiting = [Awaited(q.to, q.kind, wording.text(ANSWER_TO, question=wording.question(q)), q.question)
               for q in open_questions(ruleset, campaign, refused)]
    if waiting or has_asked(campaign):
        return waiting
    phase = ruleset.phase(campaign.desk.phase)
    missing = clubs_without_orders(ruleset, campaign)
    what = wording.text(ORDERS_OF, phase=ruleset.when(campaign.desk.turn, campaign.desk.phase, wording.lang))
    return [Awaited(code, "orders", what) for code in missing if phase.orders]


def factions_with_orders(ruleset: Ruleset, campaign: Campaign) -> list[str]:
    """Factions that have order rows for the present phase, in natural order; [] if it takes no orders."""
    word = ruleset.phase(campaign.desk.phase).orders
    given = {o.faction for o in campaign.table(Order) if word and (o.turn, o.phase) == (campaign.desk.turn, word)}
    return [f.faction for f in campaign.table(Faction) if f.faction in given]


def clubs_without_orders(ruleset: Ruleset, campaign: Campaign) -> list[str]:
    """Clubs that owe orders and have sent none; without robots and clubs that have nothing left to command."""
    given = factions_with_orders(ruleset, campaign)
    ready = {code for code, word in readiness_by_faction(campaign).items() if word == READY}
    return [code for code in clubs_at_play(campaign) if code not in given and code not in ready]


def next_steps(ruleset: Ruleset, campaign: Campaign, wording: Wording, book: str,
               refused: RefusedAnswers = NONE_REFUSED) -> list[str]:
    """What to do now, in order, with the commands to type. `book`: the file's name, "" for a workbook with buttons."""
    if not book:
        return _next_clicks(ruleset, campaign, wording, refused)
    if ruleset.is_over(campaign):
        return [*_end_of_campaign(ruleset, campaign, wording),
                wording.text(N_("Write the page of the end: arbitro report {book} --out reports"), book=book),
                wording.text(N_("See the table: arbitro standings {book}"), book=book)]
    questions = open_questions(ruleset, campaign, refused)
    resolve = wording.text(N_("Then resolve: arbitro resolve {book}"), book=book)
    blank = [q for q in questions if q.ident not in refused]
    if questions or refused:
        return [*_answers_to_correct(refused, wording), *_how_to_answer(blank, wording, book), resolve]
    if has_asked(campaign):
        return [wording.text(N_("All questions are answered. Check the answers: arbitro check {book}"), book=book),
                resolve]
    if ruleset.phase(campaign.desk.phase).orders:
        return [
            wording.text(N_("Gather the orders on the sheet Orders, or: arbitro orders {book} FILE"), book=book),
            wording.text(N_("Check them: arbitro check {book} --mark"), book=book),
            resolve,
        ]
    if forms := _open_forms(ruleset, campaign):
        return [_forms_hint(forms, wording), resolve]
    return [wording.text(N_("Nothing is needed. Resolve the phase: arbitro resolve {book}"), book=book)]


def _open_forms(ruleset: Ruleset, campaign: Campaign) -> int:
    """How many blank battle forms the present phase will read."""
    if not any(step.judged == "forms" for step in ruleset.phase(campaign.desk.phase).steps):
        return 0
    return sum(row.hold == "asked" and row.turn == campaign.desk.turn and not ruleset.battle_is_reported(row)
               for row in campaign.table(Battle))


def _forms_hint(forms: int, wording: Wording) -> str:
    return wording.plural(
        N_("{n} battle is laid out: its form on the sheet Battles may be filled in now; resolving asks for what is"
           " missing."),
        N_("{n} battles are laid out: their forms on the sheet Battles may be filled in now; resolving asks for what is"
           " missing."), forms)


def _end_of_campaign(ruleset: Ruleset, campaign: Campaign, wording: Wording) -> list[str]:
    return [" ".join([wording.text(OVER), *victory_sentences(ruleset, ruleset.view(campaign, ""), wording)])]


def _answers_to_correct(refused: RefusedAnswers, wording: Wording) -> list[str]:
    return [wording.text(N_("Put right the answer at {cell}: {what}"), cell=Verbatim(finding.cell or row),
                         what=Verbatim(wording.finding(finding))) for row, finding in refused.items()]


def _next_clicks(
    ruleset: Ruleset, campaign: Campaign, wording: Wording, refused: RefusedAnswers = NONE_REFUSED
) -> list[str]:
    """`next_steps` for an open workbook with buttons."""
    reports = wording.text(N_("Read what the clubs will read: click Preview reports."))
    if ruleset.is_over(campaign):
        return [*_end_of_campaign(ruleset, campaign, wording), reports]
    questions = open_questions(ruleset, campaign, refused)
    blank = [q for q in questions if q.ident not in refused]
    if questions or refused:
        return [*_answers_to_correct(refused, wording), *_how_to_answer(blank, wording, ""),
                wording.text(N_("Then click Enter answers to see whether all is there, and Resolve phase."))]
    if has_asked(campaign):
        return [wording.text(N_("All questions are answered. Click Enter answers to see whether they can be taken.")),
                wording.text(N_("Then click Resolve phase.")), reports]
    if ruleset.phase(campaign.desk.phase).orders:
        return [wording.text(N_("Gather the orders on the sheet Orders.")), wording.text(N_("Click Check orders.")),
                wording.text(N_("Then click Resolve phase.")), reports]
    if forms := _open_forms(ruleset, campaign):
        return [_forms_hint(forms, wording), wording.text(N_("Then click Resolve phase.")), reports]
    return [wording.text(N_("Nothing is needed. Click Resolve phase.")), reports]


def _how_to_answer(questions: list[Question], wording: Wording, book: str) -> list[str]:
    """Where to type answers: on the sheet Questions, or in a battle's form."""
    steps = []
    clubs = [q for q in questions if q.to != REFEREE]
    if clubs:
        steps.append(wording.plural(
            N_("Type the answer into the sheet Questions ({n} is open)."),
            N_("Type the answers into the sheet Questions ({n} are open)."), len(clubs)))
    if len(clubs) < len(questions):
        steps.append(wording.plural(
            N_("{n} question is yours: a battle's result goes into its row of the sheet Battles,"
               " a ruling into Questions."),
            N_("{n} questions are yours: battle results go into their rows of the sheet Battles,"
               " rulings into Questions."), len(questions) - len(clubs)))
    if book and any(q.default for q in clubs):
        steps.append(wording.text(
            N_("For those who do not answer: arbitro resolve {book} --defaults"), book=book))
    return steps


def outcome_lines(ruleset: Ruleset, outcome: Outcome, wording: Wording) -> list[str]:
    """The outcome of resolving a phase, in a few sentences."""
    when = ruleset.when(outcome.turn, outcome.phase, wording.lang)
    if not outcome.done:
        return [wording.plural(N_("{when}: stopped for {n} answer."), N_("{when}: stopped for {n} answers."),
                               len(outcome.questions), when=when)]
    lines = [wording.plural(N_("{when}: resolved, {n} event."), N_("{when}: resolved, {n} events."),
                            len(outcome.events), when=when)]
    refused = sum(f.stops for f in outcome.findings)
    warned = len(outcome.findings) - refused
    if refused:
        lines.append(wording.plural(N_("{n} order was refused; see the sheet Findings."),
                                    N_("{n} orders were refused; see the sheet Findings."), refused))
    if warned:
        lines.append(wording.plural(N_("{n} remark on the orders; see the sheet Findings."),
                                    N_("{n} remarks on the orders; see the sheet Findings."), warned))
    return lines


def desk_lines(ruleset: Ruleset, campaign: Campaign, wording: Wording, book: str,
               outcome: Sequence[str], refused: RefusedAnswers = NONE_REFUSED) -> DeskLines:
    """The lines of the Desk sheet for a state of the campaign, in the wording's language."""
    book = readable(book)
    return DeskLines(
        where=position_text(ruleset, campaign, wording),
        awaited=tuple(awaited_lines(ruleset, campaign, list_awaited(ruleset, campaign, wording, refused), wording)),
        next_steps=tuple(next_steps(ruleset, campaign, wording, book, refused)),
        outcome=tuple(outcome))


def position_text(ruleset: Ruleset, campaign: Campaign, wording: Wording) -> str:
    """The turn and phase as the Desk shows them. Raises KeyError for a phase that the rulebook does not have."""
    if ruleset.is_over(campaign):
        return wording.text(OVER)
    return ruleset.when(campaign.desk.turn, campaign.desk.phase, wording.lang)


def waiting_finding(row: InboxRow) -> Finding:
    """That a row waits for the referee's decision."""
    return codes.finding(codes.INBOX_WAITS, Where(InboxRow.sheet, row.ident, "decide"), row.club, row=row.no,
                         faction=row.club, text=Verbatim(_first_line(row.held)))


def _first_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:60] + "…"
