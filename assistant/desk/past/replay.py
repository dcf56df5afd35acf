"""Replays past phases with something changed; `verify`: compares the workbook with what they lead to."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign, Change, FieldSet, RowAdded, RowRemoved
from assistant.campaign.records import Battle, Die, Event, FindingRow, Question, next_number
from assistant.desk.inputs import carry_typed, copy_fields, corrected_rows, without_rows
from assistant.desk.next_steps import outcome_lines
from assistant.desk.past.amendments import Amendment
from assistant.desk.past.phase_chain import (
    AssistantInputs,
    PhaseChain,
    add_assistant_inputs,
    at_closing_phase,
    changes_between,
    encode_differences,
)
from assistant.desk.play_phase import Decision, ResolveOptions, TurnPhase, current_phase, decide_phase, question_key
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.check_against_ledger import edit_findings, look_at_own_version
from assistant.desk.workspace.detect_edits import DetectedEdits, Edit, apply_edit, edits_between, rulings_of
from assistant.desk.workspace.workspace import BookPlace, Workspace, catches_abort, open_workspace, retry_while_changing
from assistant.desk.workspace.writer import planned_step
from assistant.ledger import Ledger, PlannedStep, Provenance
from assistant.turn import codes
from assistant.turn.dice import audience_secret, commitment
from assistant.turn.findings import Finding, Where
from assistant.turn.messages import COMMON_EVENTS, RENEWED, UNPROVED
from assistant.turn.phases import FARTHEST, HANDED_IN, blocks_phase, current_key, is_superseded, without_superseded
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

# Comparing a phase that was resolved again with what the next phase found.
#
# Inputs, rulings and what Arbitro itself writes between two phases explain a difference. What is left was edited by
# hand or, if another version resolved the phase, made by that version.


CITATION_FIELDS = ("rule", "touched")
"""The fields with which an event cites a rule and names records; no part of the game's state."""
TOLD_FIELDS = ("data", "roll")
"""The fields in which an event says what happened."""
TOLD_SHEETS = (Event.sheet, FindingRow.sheet)


def unexplained_edits(made: Campaign, campaign: Campaign, corrected: set[tuple[str, str]]) -> list[Edit]:
    """The unexplained differences between the state that a phase made and the one that was found later.

    `corrected`: rows (sheet, key) that corrections tell of.
    """
    ruled = _with_rulings(made, campaign)
    rows: dict[str, set[str]] = {}
    for change in changes_between(ruled, campaign):
        rows.setdefault(change.sheet, set()).add(change.key)
    return [edit for edit in edits_between(ruled, campaign, rows)
            if not _is_from_arbitro(edit, made, campaign, corrected)]


def _with_rulings(made: Campaign, campaign: Campaign) -> Campaign:
    """The state that a phase made, with the rulings since applied: a value set by ruling may not be changed back."""
    fresh = rulings_of(campaign, made)[len(rulings_of(made, campaign)):]
    if not fresh:
        return made
    ruled = made.copy()
    for edit in fresh:
        with contextlib.suppress(KeyError):  # the row that it was about did not come to be in a corrected past
            apply_edit(ruled, edit.edit)
    return ruled


def _is_from_arbitro(edit: Edit, made: Campaign, campaign: Campaign, corrected: set[tuple[str, str]]) -> bool:
    """Whether Arbitro itself wrote it between two phases: events, questions, rows that a correction superseded."""
    if edit.sheet == Event.sheet:
        return edit.change == "added" and edit.values["event"] in COMMON_EVENTS
    if edit.sheet == Question.sheet and not is_superseded(edit.row):
        row = campaign.table(Question).get(edit.row)
        return row is not None and row.status == "open" and TurnPhase(row.turn, row.phase) == current_phase(made)
    if edit.sheet == Battle.sheet and not is_superseded(edit.row):
        battle = campaign.table(Battle).get(edit.row)
        return battle is not None and battle.hold == "asked" and battle.turn == made.desk.turn
    if issubclass(campaign.by_sheet(edit.sheet).record, HANDED_IN) and is_superseded(edit.row):
        return edit.change == "added" and (edit.sheet, current_key(edit.row)) in corrected
    return False


# --- Phases that another version resolved -------------------------------------------------------
def changes_only_citations(edit: Edit) -> bool:
    """Whether an edit only changes what an event cites or touches, or leaves out what today's replay tells more of.

    What today's replay tells is old here, what stands is new.
    """
    if edit.change != "set":
        return False
    if edit.sheet == Question.sheet and edit.field == "so_far":
        return tells_so_far(edit.old, edit.new)
    return edit.sheet == Event.sheet and (edit.field in CITATION_FIELDS or (
        edit.field in TOLD_FIELDS and _tells_all(_read(edit.old), _read(edit.new))))


def tells_so_far(today: str, then: str) -> bool:
    """Whether a question's `so_far` of today tells the same events as then, or more of them. Both: JSON."""
    told = _read(today), _read(then)
    if not all(isinstance(one, dict) and isinstance(one.get("events", []), list) for one in told):
        return False
    today_s, then_s = ([{name: value for name, value in event.items() if name not in CITATION_FIELDS}
                        for event in one.get("events", [])] for one in told)
    return _tells_all(today_s, then_s)


def tells_event(today: Event, then: Event) -> bool:
    """Whether an event of today is one of then that tells the same to the same people, or more of it."""
    return (today.turn, today.phase, today.event, today.audience) == (
        then.turn, then.phase, then.event, then.audience) and all(
            _tells_all(_read(getattr(today, name)), _read(getattr(then, name))) for name in TOLD_FIELDS)


def _read(told: Any) -> Any:
    """A value of an event, of JSON where it is text; None where that is damaged."""
    try:
        return json.loads(told or "{}") if isinstance(told, str) else told
    except ValueError:
        return None


def _tells_all(today: object, then: object) -> bool:
    """Whether all that was told then is told today."""
    if isinstance(today, Mapping) and isinstance(then, Mapping):
        return all(name in today and _tells_all(today[name], value) for name, value in then.items()) and (
            bool(then) or not today)
    if isinstance(today, Sequence) and isinstance(then, Sequence) and not isinstance(today, str):
        return len(today) == len(then) and all(map(_tells_all, today, then))
    return today == then


def first_edited_by_hand(differing: Iterable[Edit], touched: Iterable[Edit]) -> Edit | None:
    """The first difference in a place that somebody edited by hand."""
    cells = {(edit.sheet, row, edit.field) for edit in touched for row in (edit.row, edit.was) if row}
    rows = {(sheet, row) for sheet, row, _ in cells}
    return next((edit for edit in differing if (edit.sheet, edit.row, edit.field) in cells or (
        edit.change != "set" and (edit.sheet, edit.row) in rows)), None)


def changes_by_people(
    made: Campaign, before: Campaign, campaign: Campaign, corrected: set[tuple[str, str]]
) -> list[Change]:
    """What people and commands did after a phase that another version resolved, not what the versions differ in.

    `made`: as the phase leaves the campaign today; `before`: as it was before it; `campaign`: as the next one found it.
    """
    theirs = {(edit.sheet, row, edit.field if edit.change == "set" else "")
              for edit in unexplained_edits(made, campaign, corrected) for row in (edit.row, edit.was) if row}
    done = [change for change in changes_between(made, campaign) if change.sheet not in TOLD_SHEETS and (
        change.sheet, change.key, change.field if isinstance(change, FieldSet) else "") not in theirs]
    known = before.table(Event)
    told = [RowAdded(Event.sheet, key, row) for key, row in campaign.table(Event).in_file_order()
            if key not in known and row.event in COMMON_EVENTS]
    return [*done, *told]


# Replaying with something changed.
#
# Nothing is written here. What people did between two phases is carried over; the phases that follow judge it again.
# A phase that lacks an answer ends the replay.


PhaseListener = Callable[[TurnPhase, Campaign, Campaign], None]
"""A callback for each phase: its turn and phase, the campaign as it left it, and as it leaves it now."""


@dataclass
class ReplayResult:
    """The result of a replay.

    `first`: the number of the first phase that was replayed; `campaign`: the state at its end (with open
    questions where it waits); `beside`: the state of old that it compares to; `stages`: the phases for the
    ledger; `stopped`: the phase that could not end; `left`: the phases of old that come after it; `begun`, `made`: of a
    replay without amendments the campaign before each phase, by its number, and as the phase left it.
    """

    first: int
    campaign: Campaign
    beside: Campaign
    stages: list[PlannedStep] = field(default_factory=list)
    stopped: Decision | None = None
    left: list[TurnPhase] = field(default_factory=list)
    begun: dict[int, Campaign] = field(default_factory=dict)
    made: dict[int, Campaign] = field(default_factory=dict)


class Replay:
    """One replay of a chain. `options`: robots and defaults for questions that were not asked before; `plain`: the
    same replay without amendments, where another version resolved phases of it: what differs from that is the
    amendments' doing, what differs between it and the past is that version's.
    """

    def __init__(self, chain: PhaseChain, amendments: Sequence[Amendment], options: ResolveOptions, words: Wording,
                 plain: ReplayResult | None = None) -> None:
        self._chain, self._options, self._words = chain, options, words
        self._amendments, self._plain = amendments, plain
        self._amended = frozenset((amendment.sheet, amendment.key) for amendment in amendments)
        self._laid = set[tuple[str, str]]()
        self._at_first: Campaign = chain.before(len(chain))
        self._said: list[str] = []
        self._result = ReplayResult(0, self._at_first, self._at_first)

    def run(self, first: int, watch: PhaseListener = lambda *_: None) -> ReplayResult:
        """From a phase, by its number, to where the campaign stands, or to the first phase that cannot end.

        Raises what `Chain.before` raises.
        """
        chain, self._result.first = self._chain, first
        todo = list(range(first, len(chain)))
        state = chain.before(first).copy()
        state.desk.marks = self._at_first.desk.marks  # it is written over the workbook as it stands
        self._amend(None, state)
        self._lay_dice(state)
        for _ in range(FARTHEST + len(todo)):
            here = current_phase(state)
            number = next((n for n in todo if chain.moments[n] == here), None)
            if number is None and (here == chain.goal or chain.ruleset.is_over(state)):
                break
            while number is not None and todo and todo[0] < number:  # phases that are no longer reached
                self._carry(todo.pop(0), state)
            stopped, state = self._phase(number, state, watch)
            if stopped is not None:
                return self._waiting_result(stopped, number, todo)
            if number is not None:
                todo.remove(number)
        for number in todo:
            self._carry(number, state)
        if self._plain is not None and self._plain.stopped is None:
            self._result.beside = self._plain.campaign
        self._result.campaign = self._ask_present(state)
        return self._result

    # --- One phase --------------------------------------------------------------------------
    def _phase(self, number: int | None, state: Campaign, watch: PhaseListener) -> tuple[Decision | None, Campaign]:
        """Resolve the phase at which the state stands; `number`: of the same phase of old, None for a new one."""
        chain = self._chain
        if number is None:
            decision = decide_phase(chain.ruleset, state, chain.secret(state), self._options)
            return (None, self._take(state, decision)) if decision.outcome.done else (decision, state)
        self._amend(number, state)
        if not self._amendments:
            self._result.begun[number] = state
        before, later = chain.before(number), chain.before(number + 1)
        old = chain.again(before, later)
        helped = chain.assistant_inputs(before, later)
        record = before.table(Question).record
        for name in list(helped.answers):
            if (Question.sheet, question_key(name, record, before.desk.turn, before.desk.phase)) in self._amended:
                del helped.answers[name]
        early = old.phase != before.desk.phase
        decision = self._decide(state, helped, early=early)
        if not decision.outcome.done:
            return decision, state
        if not self._amendments:
            self._result.made[number] = decision.outcome.campaign
        watch(TurnPhase(old.turn, old.phase), old.campaign if self._plain is None else self._plain.made.get(
            number, old.campaign), decision.outcome.campaign)
        after = self._take(state, decision)
        self._carry_on(number, old.campaign, after)
        return None, after

    def _changes_after(self, number: int, made: Campaign) -> list[Change]:
        """What people did after a phase of old. `made`: as the phase leaves the campaign when it is resolved again."""
        before, later = self._chain.before(number), self._chain.before(number + 1)
        if self._chain.by(number) is None:
            return changes_between(made, later)
        return changes_by_people(made, before, later, corrected_rows(self._at_first))

    def _decide(self, state: Campaign, helped: AssistantInputs, *, early: bool) -> Decision:
        """Decide a phase with what the assistant gave to it before; an answer that does not fit now is given anew."""
        chain = self._chain
        work = add_assistant_inputs(helped, state)
        if early:
            work = at_closing_phase(chain.ruleset, work)
        options = ResolveOptions(self._options.robots | helped.robots, self._options.defaults)
        answers = dict(helped.answers)
        while True:
            decision = decide_phase(chain.ruleset, work, chain.secret(state), options, answers)
            unfit = [q.question for q in decision.outcome.questions if q.question in answers]
            if decision.outcome.done or not unfit:
                return decision
            for key in unfit:
                del answers[key]

    def _take(self, state: Campaign, decision: Decision) -> Campaign:
        """Keep a phase that ended for the ledger; the campaign after it, free to be changed."""
        records = encode_differences(self._at_first, state, self._said)
        after = decision.outcome.campaign
        self._result.stages.append(planned_step("resolve", state, after, given=decision.given, records=records))
        self._said = outcome_lines(self._chain.ruleset, decision.outcome, self._words)
        return after.copy()

    def _amend(self, number: int | None, state: Campaign) -> None:
        """Make the corrections that apply from a phase on; None: those typed ahead, whose phase is not known."""
        for amendment in self._amendments:
            if amendment.start == number:
                amendment.make(state)

    def _lay_dice(self, state: Campaign) -> None:
        """Put the dice of the table that no phase has thrown yet beside those that lay there: purpose, or turn and
        phase, say for which throw a die is, whenever it was typed. One that waits for the next throw of a purpose that
        comes again is for none that is over.
        """
        again = state.table(Die).record.column("turn").key
        for key, row in without_superseded(self._at_first).table(Die).in_file_order():
            if row.hold == "typed" and not (again and row.waits) and (Die.sheet, key) not in self._amended:
                self._laid.add((Die.sheet, key))
                _carry_row(RowAdded(Die.sheet, key, row), state)  # as it was typed last

    def _carry(self, number: int, state: Campaign) -> None:
        """Carry what was done after a phase of old that is not resolved any more."""
        before, later = self._chain.before(number), self._chain.before(number + 1)
        self._carry_on(number, self._chain.again(before, later).campaign, state)

    def _carry_on(self, number: int, made: Campaign, state: Campaign) -> None:
        """Carry what was done after a phase of old. `made`: as it leaves the campaign when it is resolved again."""
        changes = [change for change in self._changes_after(number, made) if not _is_used_up(change, made, state)]
        carry_changes(changes, self._chain.before(number + 1), state, self._amended | self._laid)

    # --- The end ----------------------------------------------------------------------------
    def _waiting_result(self, decision: Decision, number: int | None, todo: list[int]) -> ReplayResult:
        """The state in which a phase waits, with all that was typed for the phases after it."""
        chain, outcome, result = self._chain, decision.outcome, self._result
        state = outcome.campaign.copy()
        outdated = {(Question.sheet, q.ident) for q in outcome.questions if not q.answer}
        typed = without_rows(self._at_first, {*self._amended, *outdated})
        states = [chain.before(n) for n in range(len(chain) - 1, result.first, -1)]
        carry_typed(typed, state, chain.given, states)
        for amendment in self._amendments:
            if amendment.start is not None and number is not None and amendment.start > number:
                amendment.make(state)
        of_old = chain.before(number) if number is not None else self._at_first
        if self._plain is not None:
            of_old = self._plain.begun.get(number, of_old) if number is not None else self._plain.campaign
        result.campaign, result.beside, result.stopped = state, of_old.copy(), decision
        carry_typed(typed, result.beside, chain.given, states)  # what was typed for later phases stands in both
        result.left = [chain.moments[n] for n in todo if number is None or n >= number]
        records = encode_differences(self._at_first, state, self._said)
        result.stages.append(planned_step("wait", state, state, given=decision.given, records=records))
        return result

    def _ask_present(self, state: Campaign) -> Campaign:
        """The present phase's questions, asked anew where it was waiting for answers."""
        was = self._at_first
        here = current_phase(was)
        open_now = [q for q in was.table(Question) if (q.turn, q.phase) == (here.turn, here.phase)
                    and q.status == "open"]
        if not open_now or current_phase(state) != here:
            return state
        outcome = decide_phase(self._chain.ruleset, state, self._chain.secret(state), self._options).outcome
        return state if outcome.done or not outcome.questions else outcome.campaign.copy()


# --- Carrying over what people did --------------------------------------------------------------
def carry_changes(
    changes: Sequence[Change], source: Campaign, target: Campaign, skip: Collection[tuple[str, str]]
) -> None:
    """Apply changes that were made to one campaign to another one, as far as they fit.

    `source`: the campaign that the changes led to; `skip`: rows (sheet, key) that are left alone.
    Events get the next numbers; the form of a battle that is not there is kept as one typed ahead.
    """
    for change in changes:
        if (change.sheet, change.key) in skip:
            continue
        if isinstance(change, RowAdded):
            _carry_row(change, target)
        elif isinstance(change, FieldSet):
            _carry_value(change, source, target)
        elif isinstance(change, RowRemoved) and change.key in target.by_sheet(change.sheet):
            target.by_sheet(change.sheet).remove(change.key)


def _is_used_up(change: Change, made: Campaign, state: Campaign) -> bool:
    """Whether people changed a row of theirs that a phase of the new past has used up; then it stays as it is."""
    table = state.by_sheet(change.sheet)
    row, old = table.get(change.key), made.by_sheet(change.sheet).get(change.key)
    theirs = change.row if isinstance(change, RowAdded) else old
    return issubclass(table.record, HANDED_IN) and row is not None and row.hold == "settled" and (
        theirs is not None and theirs.hold != "settled")


def _carry_row(change: RowAdded, target: Campaign) -> None:
    table, row = target.by_sheet(change.sheet), change.row.copy()
    if isinstance(row, Event):
        # events are numbered as they come, and in another past others have come
        row.no = next_number(table)
        table.add(row)
    elif isinstance(row, Question) and row.status == "open" and not row.answer.strip():
        return  # whether it is asked, the phase says itself
    elif change.key not in table:
        table.add(row)
    else:
        copy_fields(row, table[change.key], [c.name for c in row.columns() if c.edit != "assistant" and not c.key])


def _carry_value(change: FieldSet, source: Campaign, target: Campaign) -> None:
    table: Any = target.by_sheet(change.sheet)
    old = table.get(change.key)
    if old is None and change.sheet == Battle.sheet:
        there = source.by_sheet(change.sheet)[change.key]
        old = table.add(table.record(battle=change.key, turn=there.turn))
    if old is None:
        return
    if table.record.grows:
        changed = old.copy()
        setattr(changed, change.field, change.new)
        rows = {key: changed if row is old else row for key, row in table.in_file_order()}
        target.put(type(table).of(table.record, rows.items()))
    else:
        setattr(old, change.field, change.new)


# `verify`: compares the workbook with what rules, orders, answers and dice lead to.


CODES = {"set": codes.VALUE_UNEXPLAINED, "renamed": codes.VALUE_UNEXPLAINED, "gone": codes.ROW_MISSING,
         "added": codes.ROW_UNEXPLAINED}
SAME = N_("[{n}/{of}] {when}: the same.")
SAME_BUT_CITATIONS = N_("[{n}/{of}] {when}: the same but for what is cited.")
UNPROVED_PHASE = N_("[{n}/{of}] {when}: what it made of the campaign is in no ledger any more.")
PHASE_DIFFERS = N_("[{n}/{of}] {when}: another version resolved it otherwise.")


Otherwise = dict[tuple[str, Provenance], list[tuple[TurnPhase, Edit | None]]]
"""The code of a finding and the other version that it is about -> the phases that come out otherwise now, each with its
first difference (None where it does not end). CITED_OTHERWISE: only citations differ; MADE_OTHERWISE: more does, and
nobody changed it by hand; PERHAPS_BY_HAND: that cannot be told.
"""


@retry_while_changing
@catches_abort("verify")
def verify(at: BookPlace, *, lang: str = "", tell: Tell = quiet) -> Result:
    """Replay a campaign from its start and name the first difference. Changes nothing.

    Every phase is resolved again from what the ledger keeps of it, and what it makes is compared to what
    the next phase found, the last one's to the workbook. What people may type in between (orders, answers,
    dice, forms) is taken as it stands; any other change needs a ruling or a correction that tells of it.
    Ends as refused when something differs, unless another version resolved the phase and nobody changed it by hand.
    Result data: ``verified``, ``phases``: how many were replayed, ``first``: the first difference that is not
    explained, with sheet, row, field, expected, found, turn, phase, cell, or None; ``otherwise``: the phases that
    another version resolved otherwise.
    """
    workspace = open_workspace(at, lang)
    if any(blocks_phase(f) for f in workspace.reading.findings):
        raise workspace.abort_with(Exit.REFUSED, workspace.reading.findings)
    with workspace.ledger() as ledger:
        watched = look_at_own_version(workspace, ledger)
        chain = PhaseChain(workspace, ledger, watched)
        return _verify(workspace, ledger, chain, watched, tell)


def _verify(workspace: Workspace, ledger: Ledger, chain: PhaseChain, watched: DetectedEdits, tell: Tell) -> Result:
    words = workspace.wording
    result = Result("verify", wording=words)
    result.data.update(verified=False, phases=0, first=None, otherwise=[])
    result.find(_broken_promises(ledger))
    otherwise: Otherwise = {}
    with workspace.file_faults():
        for number in range(len(chain)):
            text, accused = _verify_phase(workspace, chain, number, otherwise)
            if not text:
                _say_difference(workspace, chain, number, accused, result)
                break
            result.data["phases"] = number + 1
            tell(words.text(text, n=number + 1, of=len(chain), when=workspace.when(chain.moments[number])))
        else:
            result.find(by_hand := edit_findings(workspace, watched.edits))
            if by_hand:
                result.data["first"] = _difference_data(current_phase(workspace.campaign), first := watched.edits[0],
                                                        change=first.change, cell=by_hand[0].cell)
        result.find([codes.finding(codes.UNPROVED, Where(Event.sheet, event.ident), text=Verbatim(words.event(event)))
                     for event in workspace.campaign.table(Event) if event.event == UNPROVED])
        if len(chain) and any(e.event == RENEWED for e in chain.before(0).table(Event)):
            result.find([codes.finding(codes.SINCE_RENEWAL)])
    _say_version_differences(workspace, otherwise, result)
    _say_verdict(workspace, len(chain), result)
    return result


def _say_verdict(workspace: Workspace, phases: int, result: Result) -> None:
    """Say the verdict: differences, none, or phases that only another version can verify."""
    words, others = workspace.wording, len(result.data["otherwise"])
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
        return
    if others:
        result.say(words.plural(N_("{n} of {of} phases is the same; another version resolved the others."),
                                N_("{n} of {of} phases are the same; another version resolved the others."),
                                phases - others, of=phases))
        return
    result.data["verified"] = True
    result.say(words.plural(
        N_("Verified: {n} phase was replayed, and {book} is what the rules, orders, answers, dice and rulings make of"
           " the beginning."),
        N_("Verified: {n} phases were replayed, and {book} is what the rules, orders, answers, dice and rulings make of"
           " the beginning."), phases, book=workspace.path.name))


def _broken_promises(ledger: Ledger) -> list[Finding]:
    """Findings for turns whose secret does not match the hash that the clubs were given."""
    broken = []
    for turn, promised in sorted(ledger.commitments().items()):
        secret = ledger.turn_secret(turn)
        if promised != {who: commitment(audience_secret(secret, turn, who)) for who in promised}:
            broken.append(codes.finding(codes.PROMISE_BROKEN, turn=turn))
    return broken


def _verify_phase(
    workspace: Workspace, chain: PhaseChain, number: int, otherwise: Otherwise
) -> tuple[str, Edit | None]:
    """Resolve a phase again: what to say of it, or "" and the first difference that somebody must answer for (None for
    a phase that does not end). What another version made is noted down.
    """
    if chain.is_unproved_after(number):
        return UNPROVED_PHASE, None
    differences = _phase_differences(workspace, chain, number)
    maker, moment = chain.by(number), chain.moments[number]
    if differences == []:
        return SAME, None
    if maker is None:
        return "", differences[0] if differences else None
    touched = chain.edits_after(number)
    by_hand = first_edited_by_hand(differences or (), touched or ())
    if by_hand is not None:
        return "", by_hand
    first = next((edit for edit in differences or () if not changes_only_citations(edit)), None)
    cited = differences is not None and first is None
    code = codes.CITED_OTHERWISE if cited else codes.PERHAPS_BY_HAND if touched is None else codes.MADE_OTHERWISE
    otherwise.setdefault((code, maker), []).append((moment, first))
    return SAME_BUT_CITATIONS if cited else PHASE_DIFFERS, None


def _phase_differences(workspace: Workspace, chain: PhaseChain, number: int) -> list[Edit] | None:
    """What a phase that is resolved again makes otherwise than the next one found it, and nothing explains; None for
    one that does not end.
    """
    before, later = chain.before(number), chain.before(number + 1)
    outcome = chain.again(before, later)
    return unexplained_edits(outcome.campaign, later, corrected_rows(workspace.campaign)) if outcome.done else None


def _say_difference(workspace: Workspace, chain: PhaseChain, number: int, edit: Edit | None, result: Result) -> None:
    """The finding about the first difference, at its cell as far as it stands in the workbook."""
    moment = chain.moments[number]
    data: dict[str, Any] = {"when": workspace.when(moment), "book": workspace.path.name,
                            "phase_id": Verbatim(f"{moment.turn}.{moment.phase}")}
    if edit is None:
        finding = codes.finding(codes.NOT_AGAIN, **data)
    else:
        where = Where(edit.sheet, edit.row, edit.field)
        finding = codes.finding(CODES[edit.change], where, expected=Verbatim(edit.old or "–"),
                                found=Verbatim(edit.new or "–"), **data)
    [placed] = workspace.with_cells([finding])
    result.find([placed])
    result.data["first"] = _difference_data(moment, edit, change=edit.change if edit else "", cell=placed.cell)


def _difference_data(moment: TurnPhase, edit: Edit | None, **more: str) -> dict[str, Any]:
    """A difference as plain values, with what else is known of it; blank ones for a phase that does not end."""
    seen = edit or Edit("set", "", "")
    return {"turn": moment.turn, "phase": moment.phase, "sheet": seen.sheet, "row": seen.row, "field": seen.field,
            "expected": seen.old, "found": seen.new, **more}


# --- What another version made ------------------------------------------------------------------
def _say_version_differences(workspace: Workspace, otherwise: Otherwise, result: Result) -> None:
    """A finding for each version that resolved phases otherwise; none of them accuses anybody."""
    words = workspace.wording
    for code in (codes.CITED_OTHERWISE, codes.MADE_OTHERWISE, codes.PERHAPS_BY_HAND):
        for maker, phases in [(maker, phases) for (kind, maker), phases in otherwise.items() if kind == code]:
            moment, first = phases[0]
            data: dict[str, Any] = {}
            if code != codes.CITED_OTHERWISE:
                data["what"] = Verbatim(words.text(N_("it does not end any more")) if first is None
                                        else _difference_text(workspace, first))
                result.data["otherwise"] += [
                    {**_difference_data(when, edit), "by": maker._asdict(),
                     "hand": "no" if code == codes.MADE_OTHERWISE else "unknown"} for when, edit in phases]
            result.find([codes.finding(code, by=Verbatim(provenance_text(maker, words)), when=workspace.when(moment),
                                       n=len(phases), many="yes" if len(phases) > 1 else "", book=workspace.path.name,
                                       **data)])


def provenance_text(maker: Provenance, words: Wording) -> str:
    """What resolved a phase, in words."""
    if not maker.arbitro:
        return words.text(N_("an earlier Arbitro"))
    return words.text(N_("Arbitro {version} (rules {rules}, code {code})"), version=Verbatim(maker.arbitro),
                      rules=Verbatim(maker.rules or "–"), code=Verbatim(maker.code))


def _difference_text(workspace: Workspace, edit: Edit) -> str:
    """A difference in words: where, the value then, the value now."""
    record = workspace.ruleset.record(edit.sheet)
    column = f", {record.column(edit.field).heading(workspace.lang)}" if edit.field else ""
    text = {"added": N_("{where} came of it then, and does not now"),
            "gone": N_("{where} comes of it now, and did not then")}.get(
        edit.change, N_("{where}: {found} then, {expected} now"))
    return workspace.wording.text(text, where=Verbatim(f"{edit.sheet} {edit.row}{column}"),
                                  found=Verbatim(edit.new or "–"), expected=Verbatim(edit.old or "–"))
