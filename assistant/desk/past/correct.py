"""`correct`: changes the past and replays what followed, if the referee confirms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Battle, Die, Event, FormRow, Order, Question
from assistant.campaign.tables import touched_name
from assistant.desk.next_steps import desk_lines, outcome_lines
from assistant.desk.past.amendments import Amendment, AmendmentFinder, CorrectionRequest
from assistant.desk.past.consequences import (
    PUBLIC,
    Agree,
    Consequences,
    Readers,
    StateDifference,
    agree_to_nothing,
    difference_lines,
    moment_of,
    readers_text,
    report_readers,
    reports_sent_findings,
)
from assistant.desk.past.phase_chain import PhaseChain
from assistant.desk.past.replay import Replay, ReplayResult
from assistant.desk.play_phase import ResolveOptions, TurnPhase
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.row_names import brief_name, naming
from assistant.desk.workspace.check_against_ledger import abort_on_data
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    abort,
    add_mail_findings,
    open_workspace,
    playing_factions,
)
from assistant.desk.workspace.writer import ProtectedWrite, WriteAccess, open_for_writing
from assistant.ledger import CORRECT, PlannedStep
from assistant.reporting.build import build_gazette, draft_page
from assistant.reporting.reader import Reader
from assistant.turn import codes, dice
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import codes_in
from assistant.turn.messages import CORRECTED, VOID, add_common_event
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

Confirm = Callable[[Result], bool]


def never_confirm(result: Result) -> bool:
    """Confirm nothing: the differences are shown and nothing is written."""
    return False


@dataclass(frozen=True)
class CorrectionOptions:
    """How a correction is made.

    `why`: the reason, for everybody who reads of the correction; `partly`: write it even if the replay has to stop for
    answers, up to there; `robots`, `defaults`: who answers questions that were not asked before.
    """

    why: str = ""
    partly: bool = False
    robots: frozenset[str] = frozenset()
    defaults: bool = False


@dataclass
class _Correction:
    """A correction under way, and its results so far."""

    session: WriteAccess
    chain: PhaseChain
    amendments: list[Amendment]
    how: CorrectionOptions
    seen: Consequences
    replayed: ReplayResult
    differences: list[StateDifference] = field(default_factory=list)
    by_version: list[StateDifference] = field(default_factory=list)

    @property
    def sitting(self) -> Workspace:
        """The workspace of the workbook that is corrected."""
        return self.session.sitting


def correct(at: BookPlace, wish: CorrectionRequest, how: CorrectionOptions, *, confirm: Confirm = never_confirm,
            agree: Agree = agree_to_nothing, lang: str = "", tell: Tell = quiet) -> Result:
    """Replay from the first phase that a correction touches, and list only what would differ.

    `confirm`: gets the result and says whether to write it, in one change; if not, nothing is written; `agree`: is
    asked as well if reports about the replayed phases were sent. A replay that lacks answers ends as waiting, and is
    written only with `partly`. Result data:
    ``corrections``, ``differences``, ``by_version``: what differs because another version resolved it, ``void``,
    ``committed``, ``from``, ``waits``, ``left``, ``turn``, ``phase``.
    """
    try:
        sitting = open_workspace(at, lang)
        abort_on_data(sitting)
        with open_for_writing(sitting, "correct") as session:
            return _correct(session, wish, how, confirm, agree, tell)
    except Abort as stopped:
        return stopped.result(CORRECT)


def _correct(
    session: WriteAccess, wish: CorrectionRequest, how: CorrectionOptions, confirm: Confirm, agree: Agree, tell: Tell
) -> Result:
    sitting = session.sitting
    session.abort_on_edits()
    chain = PhaseChain(sitting, session.ledger, session.watch)
    if not chain.moments:
        raise abort(Exit.REFUSED, codes.NO_PAST, sitting.lang, sitting.wording, book=sitting.path.name)
    amending = AmendmentFinder(sitting, chain, wish).read()
    amendments, findings = amending.found, amending.findings
    if not any(f.stops for f in findings) and all(amendment.start is None for amendment in amendments):
        code = codes.NOT_OVER if amendments else codes.NOTHING_DIFFERS
        findings.append(codes.finding(code, row=", ".join(amendment.key for amendment in amendments)))
    if any(f.stops for f in findings):
        raise Abort(Exit.REFUSED, sitting.placed(findings), sitting.lang, sitting.wording)
    work = _replay(session, chain, amendments, how, tell)
    result = _render_result(work)
    result.find([*sitting.second_copies, *sitting.placed(findings)])
    if work.replayed.stopped is not None and not work.replayed.stopped.outcome.questions:
        return result
    if (work.replayed.stopped is None or how.partly) and confirm(result):
        if _is_agreed(work, result, agree):
            _commit(work, result)
    elif work.replayed.stopped is None:
        result.say(sitting.wording.text(N_("Nothing was written.") if sitting.book.live else
                                        N_("Nothing was written. To write it add: --commit")))
    return result


def _is_agreed(work: _Correction, result: Result, agree: Agree) -> bool:
    """Whether to write it although reports were sent; if not, the result says why."""
    when, words = work.sitting.when(work.chain.moments[work.replayed.first]), work.sitting.wording
    refused = reports_sent_findings(words, _affected_readers(work), when, work.sitting.path.name, CORRECT, agree)
    result.find(refused)
    result.exit = Exit.REFUSED if refused else result.exit
    return not refused


def _affected_readers(work: _Correction) -> Readers:
    """Who has reports that tell of a replayed phase."""
    ledger, first = work.session.ledger, work.chain.steps[work.replayed.first].id
    return report_readers(ledger, ledger.line[ledger.line.index(first):])


def _replay(
    session: WriteAccess, chain: PhaseChain, amendments: list[Amendment], how: CorrectionOptions, tell: Tell
) -> _Correction:
    """Replay, reporting each phase. Raises `Stop` for a snapshot that cannot be read.

    If another version of the code resolved one of the phases, they are first replayed without the correction: what
    differs because of today's code is not a consequence of the correction.
    """
    sitting = session.sitting
    seen = Consequences(sitting.ruleset, {(amendment.sheet, amendment.key) for amendment in amendments}, same_page)

    def watch(moment: TurnPhase, old: Campaign, new: Campaign) -> None:
        tell(sitting.wording.text(N_("{when}: replayed."), when=sitting.when(moment)))
        seen.watch(moment, old, new)

    options, words = ResolveOptions(how.robots, how.defaults), sitting.sheet_wording
    first = min(amendment.start for amendment in amendments if amendment.start is not None)
    unproved = next((n for n in range(first, len(chain)) if chain.unproved_after(n)), None)
    if unproved is not None:
        raise abort(Exit.REFUSED, codes.BEFORE_UNPROVED, sitting.lang, sitting.wording,
                   when=sitting.when(chain.moments[first]))
    plain = None
    with sitting.file_faults():
        if any(chain.by(number) is not None for number in range(first, len(chain))):
            plain = Replay(chain, [], options, words).run(first)
        replayed = Replay(chain, amendments, options, words, plain).run(first, watch)
    work = _Correction(session, chain, amendments, how, seen, replayed)
    work.differences = seen.differences(replayed.beside, replayed.campaign)
    if plain is not None and plain.stopped is None and replayed.stopped is None:
        work.by_version = Consequences(sitting.ruleset, (), same_page).differences(sitting.campaign, plain.campaign)
    return work


def same_page(ruleset: Ruleset, old: Campaign, new: Campaign, code: str, moment: TurnPhase) -> bool:
    """Whether the report of a phase is the same for both views, but for what might be ordered next: nobody orders
    in the past, and the next report offers anew. `code`: whose views these are, "" for the gazette.
    """
    words, pages = Wording(ruleset, "en"), []
    for view in (old, new):
        told = sum(moment_of(event) != moment for _, event in view.table(Event).raw_rows())
        page = (draft_page(Reader.of(ruleset, view, code, words, told), {}, {}, offers=False) if code
                else build_gazette(ruleset, view, words, told))
        # programs check dice by the whole turn's list and its code; people read those of this report
        pages.append(replace(page, rulings=page.rulings and replace(page.rulings, thrown=()), code="", foot=""))
    return pages[0] == pages[1]


# --- The result -----------------------------------------------------------------------------------
AMENDMENT_TEXTS = {
    "changed": N_("Corrected: {row}: {old} -> {new}"),
    "added": N_("Added: {row}: {new}"),
    "withdrawn": N_("Withdrawn: {row}: {old}"),
    "untyped": N_("No die of the table any more: {row} ({old})"),
}


def _render_result(work: _Correction) -> Result:
    """The result of a replay: what is corrected, what differs and why, and whose reports are void."""
    sitting, words, replayed = work.sitting, work.sitting.wording, work.replayed
    result, full = Result(CORRECT, wording=words), naming(words, sitting.ruleset, sitting.campaign)
    for amendment in work.amendments:
        old, new = amendment.values
        row = amendment.new if amendment.old is None else amendment.old
        assert row is not None
        named = Verbatim(brief_name(row, sitting.ruleset, full, sitting.campaign))
        result.say(words.text(AMENDMENT_TEXTS[amendment.how], row=named, old=Verbatim(old), new=Verbatim(new)))
    first = work.chain.moments[replayed.first]
    result.say(words.plural(N_("Replayed from {when}: {n} thing differs."),
                            N_("Replayed from {when}: {n} things differ."), len(work.differences),
                            when=sitting.when(first)))
    for line in difference_lines(work.differences, sitting.ruleset, words, replayed.campaign):
        result.say(f"  {line}")
    if work.by_version:
        result.say(words.plural(
            N_("{n} more thing differs because another version resolved it; it is not a consequence of the"
               " correction."),
            N_("{n} more things differ because another version resolved them; they are not consequences of the"
               " correction."), len(work.by_version)))
    for line in difference_lines(work.by_version, sitting.ruleset, words, replayed.campaign):
        result.say(f"  {line}")
    _say_void(work, result)
    if (who := _affected_readers(work)).ways():
        result.say(readers_text(words, who, sitting.when(first)))
    if replayed.stopped is not None:
        _say_stop(work, result)
    result.data.update(_result_data(work))
    return result


def _say_void(work: _Correction, result: Result) -> None:
    """Say whose reports are void, and for which phases; factions with the same phases share a line."""
    words = work.sitting.wording
    readers: dict[tuple[TurnPhase, ...], list[str]] = {}
    for code, moments in work.seen.void.items():
        name = words.text(N_("the public gazette")) if code == PUBLIC else words.names.text(code, "faction")
        readers.setdefault(tuple(moments), []).append(name)
    for phases, names in readers.items():
        result.say(words.plural(
            N_("{n} phase has to be told again to {who}: {list}"),
            N_("{n} phases have to be told again to {who}: {list}"),
            len(phases), who=Verbatim(", ".join(names)), list=Verbatim("; ".join(_phase_spans(work, phases)))))


def _phase_spans(work: _Correction, moments: Sequence[TurnPhase]) -> list[str]:
    """Phases in words; consecutive ones as one span."""
    order = {moment: number for number, moment in enumerate(work.chain.moments)}
    spans: list[list[TurnPhase]] = []
    for moment in moments:
        if spans and order.get(moment, -1) == order.get(spans[-1][-1], -9) + 1:
            spans[-1].append(moment)
        else:
            spans.append([moment])
    return [" – ".join(work.sitting.when(moment) for moment in dict.fromkeys((span[0], span[-1])))
            for span in spans]


def _say_stop(work: _Correction, result: Result) -> None:
    """Say where the replay stopped and what it needs."""
    assert work.replayed.stopped is not None
    outcome, words = work.replayed.stopped.outcome, work.sitting.wording
    moment = TurnPhase(outcome.turn, outcome.phase)
    result.find(outcome.findings)
    if not outcome.questions:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("The replay ended in {when}: put the findings right first. Nothing was written."),
                              when=work.sitting.when(moment)))
        return
    result.exit = Exit.WAITING
    result.questions = [q for q in outcome.questions if not q.answer.strip()] or list(outcome.questions)
    if work.sitting.book.live:  # its form asks for them
        result.say(words.plural(N_("{when} needs {n} answer that is not there: nothing was written."),
                                N_("{when} needs {n} answers that are not there: nothing was written."),
                                len(result.questions), when=work.sitting.when(moment)))
        return
    result.say(words.plural(
        N_("{when} needs {n} answer that is not there. Give it with the correction: \"answer QUESTION TEXT\","
           " \"battle ID RESULT\"."),
        N_("{when} needs {n} answers that are not there. Give them with the correction: \"answer QUESTION TEXT\","
           " \"battle ID RESULT\"."), len(result.questions), when=work.sitting.when(moment)))
    result.say(words.plural(
        N_("Or write it up to there with --commit --partly: {n} phase is then to be resolved again."),
        N_("Or write it up to there with --commit --partly: {n} phases are then to be resolved again."),
        len(work.replayed.left)))


def _result_data(work: _Correction) -> dict[str, Any]:
    """The result as plain values."""
    sitting, replayed = work.sitting, work.replayed
    corrections = [{"how": amendment.how, "sheet": amendment.sheet, "row": amendment.key, "old": old, "new": new,
                    "faction": amendment.faction, "fields": amendment.fields}
                   for amendment in work.amendments for old, new in [amendment.values]]
    first, desk = work.chain.moments[replayed.first], sitting.campaign.desk
    return {
        "corrections": corrections,
        "differences": [d.as_json(sitting.ruleset, sitting.wording) for d in work.differences],
        "by_version": [d.as_json(sitting.ruleset, sitting.wording) for d in work.by_version],
        "void": [{"faction": code, "reports": [m._asdict() for m in moments]}
                 for code, moments in work.seen.void.items()],
        "from": first._asdict(), "committed": False, "turn": desk.turn, "phase": desk.phase,
        "waits": TurnPhase(replayed.stopped.outcome.turn, replayed.stopped.outcome.phase)._asdict()
        if replayed.stopped else None,
        "left": [m._asdict() for m in replayed.left],
    }


# --- writing --------------------------------------------------------------------------------------
def _commit(work: _Correction, result: Result) -> None:
    """Write the correction as one change of the workbook, which one undo takes back. Raises `Stop`."""
    sitting, replayed = work.sitting, work.replayed
    after = replayed.campaign
    events = _add_events(work, after)
    words, desk = sitting.sheet_wording, sitting.campaign.desk
    sentences = [words.plural(N_("{n} correction was made."), N_("{n} corrections were made."), len(work.amendments))]
    if replayed.stopped is not None:
        sentences += outcome_lines(sitting.ruleset, replayed.stopped.outcome, words)
    lines = desk_lines(sitting.ruleset, after, words, sitting.typed_name, sentences)
    lines = add_mail_findings(lines, work.session.ledger, words, sitting.path.name)
    stages = [PlannedStep(CORRECT, desk.turn, desk.phase, stands=(after.desk.turn, tuple(playing_factions(after)))),
              *replayed.stages]
    way = work.session.ledger.line
    line = way[:way.index(work.chain.steps[replayed.first].id)]
    mark = work.session.mark(after, stages, line)
    then = work.session.watch.then(after)
    with ProtectedWrite(work.session, stages, line=line, redo=(), marks=then.marks, after=after, mark=mark):
        sitting.book.write(sitting.on_sheets, after, words, lines)
    work.session.wrote(after, then)
    result.find(sitting.second_copies)
    result.events = len(events)
    result.data.update(committed=True, turn=after.desk.turn, phase=after.desk.phase)
    result.say(sitting.wording.text(N_("Written. The button Undo takes it back in one step.") if sitting.book.live else
                                    N_("Written. One step takes it back: arbitro undo {book}"), book=sitting.path.name))


def _add_events(work: _Correction, after: Campaign) -> list[Event]:
    """Add the events that tell what was corrected and whose reports are void."""
    told = []
    for amendment in work.amendments:
        old, new = amendment.values
        only = amendment.fields[0] if len(amendment.fields) == 1 and amendment.how == "changed" else ""
        moment = work.chain.moments[amendment.start] if amendment.start is not None else work.chain.goal
        told.append(add_common_event(after, CORRECTED, {
            "how": amendment.how, "sheet": amendment.sheet, "row": amendment.key, "field": only, "old": old, "new": new,
            "why": work.how.why, "turn": moment.turn, "phase": moment.phase}, _audience(work, amendment),
            touched=f"{amendment.sheet}/{amendment.key}"))
    for code, moments in work.seen.void.items():
        told.append(add_common_event(after, VOID, {
            "turn": moments[0].turn, "phase": moments[0].phase, "last_turn": moments[-1].turn,
            "last_phase": moments[-1].phase, "n": len(moments), "span": _void_variant(code, moments)}, code))
    return told


def _void_variant(code: str, moments: Sequence[TurnPhase]) -> str:
    """Which variant of the sentence about void reports applies."""
    if code == PUBLIC:
        return "gazette" if len(moments) == 1 else "gazettes"
    return "one" if len(moments) == 1 else "many"


def _audience(work: _Correction, amendment: Amendment) -> str:
    """Who may read of a correction: the row's faction; of a die, who may know it; of a battle, who knew of it."""
    if amendment.sheet == Die.sheet:
        for campaign in (work.sitting.campaign, work.replayed.campaign):
            die = campaign.table(Die).get(amendment.key)
            if die is not None and die.audience:
                return ALL if die.audience == dice.PUBLIC else die.audience.replace("+", " ")
        return REFEREE
    row = amendment.new or amendment.old
    if isinstance(row, (Battle, FormRow)):
        events = list(work.sitting.campaign.table(Event))
        known = [event.audience for event in events if any(row.battle in codes_in(value)
                                                           for value in event.data.values())]
        known = known or [event.audience for event in events
                          if touched_name(Battle.sheet, row.battle) in event.touched.split()]
        if not known or ALL in known:
            return ALL if known else REFEREE
        return " ".join(dict.fromkeys(code for audience in known for code in audience.split()))
    assert amendment.sheet in (Order.sheet, Question.sheet)
    return amendment.faction or REFEREE
