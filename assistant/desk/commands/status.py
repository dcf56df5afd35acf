"""`status`, `answers`, `ledger`: where a campaign stands, and what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from assistant.campaign.records import Battle, Desk, Question
from assistant.desk.commands.resolve import all_findings, readiness_of, ready_data, say_ready
from assistant.desk.inputs import check_typed_inputs, form_fields, form_sheets, refused_answers, refused_forms
from assistant.desk.next_steps import clubs_without_orders, factions_with_orders, list_awaited, next_steps
from assistant.desk.past.correct import Readers, join_faction_names, report_readers
from assistant.desk.play_phase import has_asked, open_questions
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import open_playable, other_text_findings, report_edits
from assistant.desk.workspace.detect_edits import REPLIES, Reply, group_by_reply, replies_now
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    catches_abort,
    open_workspace,
    outbox_findings,
    retry_while_changing,
)
from assistant.ledger import LedgerTrouble, Trouble, path_of_ledger, trouble_with
from assistant.turn import codes
from assistant.turn.dice import REFEREE
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title, victory_sentences
from assistant.workbook.port import CellMap

# `answers`.


@catches_abort("answers")
def answers(at: BookPlace, *, lang: str = "") -> Result:
    """The open questions, and findings about answers that stand there. Changes nothing.

    Ends as waiting while an answer is missing. Result data: ``turn``, ``phase``, ``open``: how many are not
    answered yet, or with what cannot be taken, ``next``: the cell of the first of them, "" for none.
    """
    workspace = open_playable(at, lang)
    ruleset, campaign, words = workspace.ruleset, workspace.campaign, workspace.wording
    result = Result("answers", wording=words)
    seen = [] if ruleset.is_over(campaign) else [f for f in check_typed_inputs(workspace, campaign)
                                                 if f.where.table in (Question.sheet, *form_sheets(ruleset))]
    result.find(workspace.with_cells(seen))
    refused = refused_answers(result.findings)
    result.questions = [] if ruleset.is_over(campaign) else open_questions(ruleset, campaign, refused)
    result.data.update(turn=campaign.desk.turn, phase=campaign.desk.phase, open=len(result.questions),
                       next=first_answer_cell(workspace.reading.cells, ruleset, result.questions))
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
    elif result.questions:
        result.exit = Exit.WAITING
    missing = [q for q in result.questions if q.ident not in refused]
    if missing:
        result.say(words.plural(N_("{n} answer is missing."), N_("{n} answers are missing."), len(missing)))
    if refused:
        result.say(words.plural(N_("{n} answer cannot be taken: put it right."),
                                N_("{n} answers cannot be taken: put them right."), len(refused)))
    elif not missing and result.exit == Exit.REFUSED:
        result.say(words.text(N_("No answer is missing, but what was typed cannot be taken as it is.")))
    elif not missing and not ruleset.is_over(campaign) and has_asked(campaign):
        result.say(words.text(N_("All questions are answered: the phase can be resolved.")))
    elif not missing:
        result.say(words.text(N_("No question is open.")))
    return result


def first_answer_cell(cells: CellMap, ruleset: Ruleset, questions: Sequence[Question]) -> str:
    """The cell that answers the first of these questions: the topmost on that question's sheet; "" for none."""
    cells_found = [_answer_cell(cells, ruleset, question) for question in questions]
    sheet = cells_found[0].rpartition("!")[0] if cells_found else ""
    return min((cell for cell in cells_found if cell.rpartition("!")[0] == sheet), default="",
               key=lambda cell: int(re.sub(r".*\D", "", cell) or 0))


def _answer_cell(cells: CellMap, ruleset: Ruleset, question: Question) -> str:
    """Where a question is answered: a battle in the first column of its form, anything else in Questions."""
    if question.to == REFEREE and question.about in cells.rows.get(Battle.sheet, {}):
        return cells.of(Where(Battle.sheet, question.about, form_fields(ruleset.record(Battle.sheet))[0]))
    return cells.of(Where(Question.sheet, question.ident, "answer"))


# `status`, `check`, `ledger`.


REPORTS_SENT = {"mail": N_("{list} (reports were sent to: {who})"),
        "hand": N_("{list} (reports were written, to be sent by hand, for: {who})")}
"""What is added to acts that need a second confirmation, by the way reports were sent."""


@retry_while_changing
@catches_abort("status")
def status(at: BookPlace, *, lang: str = "", clock: datetime | None = None) -> Result:
    """Where a campaign stands. Result data: ``turn``, ``phase``, ``when``, ``over``, ``awaited``,
    ``next``, ``orders`` (``given``, ``missing``), ``findings_count``, ``by_hand``: what was changed by hand
    and is not decided on, ``ledger``, ``may``: what may still be changed (`may_change.ACTS`), ``mails``: what is to be
    said of mails that somebody has not got, and ``sent``: who has a report of the last phase; with `clock`, what time
    it is, where the Desk sets deadlines or a club has asked to wait, also those of `absent.as_json`; of a campaign that
    is over ``result``: who has won, in sentences, and ``winners``.
    """
    workspace = open_workspace(at, lang)
    path = workspace.path
    ruleset, campaign, words = workspace.ruleset, workspace.campaign, workspace.wording
    result = Result("status", wording=words)
    by_hand = report_edits(workspace)
    result.find([*by_hand.findings, *other_text_findings(workspace), *all_findings(workspace)])
    wrong = trouble_with(path_of_ledger(path), campaign.desk.campaign_id)
    ledger = "ok" if wrong is None else wrong.kind
    if not workspace.clock_known:
        return _status_without_clock(result, workspace, ledger, by_hand.edits)
    over = ruleset.is_over(campaign)
    when = words.text(N_("the campaign is over")) if over else ruleset.when(
        campaign.desk.turn, campaign.desk.phase, workspace.lang)
    refused = refused_answers(result.findings)
    waiting = list_awaited(ruleset, campaign, words, refused)
    steps = next_steps(ruleset, campaign, words, workspace.typed_name,
                       {**refused, **refused_forms(ruleset, result.findings)})
    takes = not over and bool(ruleset.phase(campaign.desk.phase).orders)
    result.questions = [] if over else open_questions(ruleset, campaign, refused)
    result.data.update(
        file=path.name, ruleset=ruleset.id, title=campaign.desk.title, campaign=campaign.desk.campaign_id,
        turn=campaign.desk.turn, phase=campaign.desk.phase, when=when, over=over,
        awaited=[a.as_json() for a in waiting], next=steps, ledger=ledger,
        orders={"taken": takes, "given": factions_with_orders(ruleset, campaign) if takes else [],
                "missing": clubs_without_orders(ruleset, campaign) if takes else []},
        findings_count=len(result.findings), by_hand=by_hand.edits)
    if over:
        public = ruleset.view(campaign, "")
        result.data.update(
            result=list(victory_sentences(ruleset, public, words)), winners=list(ruleset.ending(public).winners)
        )
    may, who, mails = _allowed_changes(workspace, over=over)
    result.data.update(may=may, sent=who.all(), mails=[words.finding(finding) for finding in mails])
    _say_status(result, workspace, wrong, by_hand.findings, who)
    if clock is not None and not over:
        _say_ready(result, workspace, clock)
    return result


def _say_ready(result: Result, workspace: Workspace, clock: datetime) -> None:
    """Say whether the phase is ready, where somebody wants to know: the Desk sets deadlines, or a club asks to wait."""
    call, ready = readiness_of(workspace, clock)
    desk = workspace.campaign.desk
    if desk.due_day or desk.absent or call.waits:
        result.data.update(ready_data(call, ready, clock))
        say_ready(result, workspace, call, ready, clock)


def _allowed_changes(workspace: Workspace, *, over: bool) -> tuple[dict[str, Reply], Readers, list[Finding]]:
    """What may still be changed, who has a report of the last phase, and what is to be said of mails that somebody has
    not got. Without a ledger nothing can be taken back.
    """
    try:
        with workspace.ledger() as ledger:
            line, resolved = ledger.line, {step.id for step in ledger.steps() if step.verb == "resolve"}
            who, mails = report_readers(ledger, line[-1:]), outbox_findings(ledger.outbox.rows(), workspace.path.name)
    except Abort:
        line, resolved, who, mails = (), set(), Readers(), []
    past = [*(["undo"] if line else []), *(["correct"] if resolved.intersection(line) else [])]
    return replies_now(workspace.campaign, over=over, past=past, sent=bool(who.ways())), who, mails


def _say_allowed_changes(result: Result, readers: Readers, words: Wording) -> None:
    result.say(words.text(N_("What may still be changed:")))
    for reply, acts in group_by_reply(result.data["may"]):
        listed = ", ".join(words.text(act.name) for act in acts)
        if reply == "twice":
            for way, who in readers.ways().items():
                listed = words.text(REPORTS_SENT[way], list=Verbatim(listed), who=join_faction_names(words, who))
        result.say(f"  {words.text(REPLIES[reply])}: {listed}")


def _status_without_clock(result: Result, workspace: Workspace, ledger: Trouble | Literal["ok"],
                   edits: list[dict[str, Any]]) -> Result:
    """The status of a campaign whose Desk does not give turn and phase: what to put right."""
    desk, words, book = workspace.campaign.desk, workspace.wording, workspace.path.name
    step = words.text(N_("Put the Desk right first, as arbitro check {book} says."), book=book) if (
        workspace.typed_name) else words.text(N_("Put the Desk right first: click Check orders."))
    result.data.update(
        file=book, ruleset=workspace.ruleset.id, title=desk.title, campaign=desk.campaign_id, turn=desk.turn,
        phase=desk.phase, when="", over=False, awaited=[], next=[step], ledger=ledger,
        orders={"taken": False, "given": [], "missing": []}, findings_count=len(result.findings), by_hand=edits)
    result.say(campaign_title(desk, words))
    for finding in result.findings:
        if finding.where.table == Desk.sheet:
            result.say(f"  {finding.cell}  {finding.code}  {words.finding(finding)}")
    result.say(words.text(N_("What to do next:")))
    result.say(f"  1. {step}")
    return result


def _say_status(result: Result, workspace: Workspace, wrong: LedgerTrouble | None, by_hand: list[Finding],
                sent: Readers) -> None:
    words, data = workspace.wording, result.data
    result.say(f"{data['title']}: {data['when']}")
    if data["orders"]["taken"]:
        given = words.plural(N_("{n} faction has sent orders: {list}."), N_("{n} factions have sent orders: {list}."),
                             len(data["orders"]["given"]), list=data["orders"]["given"])
        result.say(given if data["orders"]["given"] else words.text(N_("No faction has sent orders yet.")))
    if data["awaited"]:
        result.say(words.text(N_("Waiting for:")), on_desk=True)
        for duty in data["awaited"]:
            result.say(f"  {words.name_of(duty['from'])}: {duty['what']}", on_desk=True)
    if data["mails"]:
        result.say(words.text(N_("Mails that somebody has not got:")), on_desk=True)
        for line in data["mails"]:
            result.say(f"  {line}", on_desk=True)
    if result.data["by_hand"]:
        result.say(words.text(N_("Changed by hand, and to be decided on before a phase can be resolved:")))
    for finding in by_hand:
        result.say(f"  {finding.cell}  {finding.code}  {words.finding(finding)}" if finding.cell
                   else words.finding(finding))
    for copy in workspace.second_copies:
        result.say(words.finding(copy))
    result.say(words.text(N_("What to do next:")), on_desk=True)
    for number, step in enumerate(data["next"], 1):
        result.say(f"  {number}. {step}", on_desk=True)
    if result.findings and workspace.typed_name:
        result.say(words.plural(N_("{n} finding: arbitro check {book}"), N_("{n} findings: arbitro check {book}"),
                                len(result.findings), book=data["file"]))
    elif result.findings:
        result.say(words.plural(N_("{n} finding: click Check orders."), N_("{n} findings: click Check orders."),
                                len(result.findings)))
    result.say_remarks()
    if wrong is None:
        if not any(f.code in (codes.LEDGER_BEHIND, codes.LEDGER_LACKS, codes.BOOK_BEHIND) for f in by_hand):
            result.say(words.text(N_("The ledger is there.")))
    else:
        result.say(words.finding(workspace.ledger_stop(wrong).findings[0]))
    _say_allowed_changes(result, sent, words)


@retry_while_changing
@catches_abort("ledger")
def ledger_state(path: Path, *, lang: str = "") -> Result:
    """Whether the ledger can be used, what was promised of the dice. Result data: ``state``, ``commitments``;
    ``package``: the house rules with code, where it is played with such.
    """
    workspace = open_workspace(path, lang)
    result = Result("ledger", wording=workspace.wording)
    with workspace.ledger() as ledger:
        promised, count, package = ledger.commitments(), len(ledger.steps()), ledger.package
    result.data.update(state="ok", commitments=promised, changes=count)
    words = workspace.wording
    result.say(words.plural(N_("The ledger is there and keeps {n} snapshot."),
                            N_("The ledger is there and keeps {n} snapshots."), count))
    if package:
        result.data["package"] = package
        result.say(words.text(N_("House rules with code: {package}."), package=Verbatim(package)))
    for turn, by_audience in promised.items():
        result.say(words.text(N_("Dice of {turn}: the secret of all players has the SHA-256 {hash}."),
                              turn=turn, hash=by_audience.get("public", "")))
    return result
