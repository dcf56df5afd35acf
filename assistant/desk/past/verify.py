"""`verify`: compares the workbook with what rules, orders, answers and dice lead to."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.campaign.records import Event
from assistant.desk.past.accept_revert import edit_findings
from assistant.desk.past.phase_chain import PhaseChain
from assistant.desk.past.replay import changes_only_citations, first_edited_by_hand, unexplained_edits
from assistant.desk.play_phase import TurnPhase
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.typed_inputs import corrected_rows
from assistant.desk.workspace.detect_edits import DetectedEdits, Edit
from assistant.desk.workspace.version_check import mismatch_findings
from assistant.desk.workspace.workspace import Abort, Workspace, open_workspace, retry_while_changing
from assistant.ledger import Ledger, Provenance
from assistant.turn import codes
from assistant.turn.dice import audience_secret, commitment
from assistant.turn.findings import Finding, Where
from assistant.turn.messages import RENEWED, UNPROVED
from assistant.turn.phases import blocks_phase
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

CODES = {"set": codes.VALUE_UNEXPLAINED, "renamed": codes.VALUE_UNEXPLAINED, "gone": codes.ROW_MISSING,
         "added": codes.ROW_UNEXPLAINED}
SAME = N_("[{n}/{of}] {when}: the same.")
SAME_BUT_CITATIONS = N_("[{n}/{of}] {when}: the same but for what is cited.")
UNPROVED_PHASE = N_("[{n}/{of}] {when}: what it made of the campaign is in no ledger any more.")
PHASE_DIFFERS = N_("[{n}/{of}] {when}: another version resolved it otherwise.")


@dataclass
class _VersionDifferences:
    """Phases that other versions resolved and that come out otherwise now, by who resolved them.

    `cited`: only citations differ; `made`: more does, and nobody changed it by hand, each with its first difference
    (None where the phase does not end); `unknown`: the same where that cannot be told.
    """

    cited: dict[Provenance, list[TurnPhase]] = field(default_factory=dict)
    made: dict[Provenance, list[tuple[TurnPhase, Edit | None]]] = field(default_factory=dict)
    unknown: dict[Provenance, list[tuple[TurnPhase, Edit | None]]] = field(default_factory=dict)


@retry_while_changing
def verify(path: Path, *, lang: str = "", tell: Tell = quiet) -> Result:
    """Replay a campaign from its start and name the first difference. Changes nothing.

    Every phase is resolved again from what the ledger keeps of it, and what it makes is compared to what
    the next phase found, the last one's to the workbook. What people may type in between (orders, answers,
    dice, forms) is taken as it stands; any other change needs a ruling or a correction that tells of it.
    Ends as refused when something differs, unless another version resolved the phase and nobody changed it by hand.
    Result data: ``verified``, ``phases``: how many were replayed, ``first``: the first difference that is not
    explained, with sheet, row, field, expected, found, turn, phase, cell, or None; ``otherwise``: the phases that
    another version resolved otherwise.
    """
    try:
        sitting = open_workspace(path, lang)
        if any(blocks_phase(f) for f in sitting.reading.findings):
            raise Abort(Exit.REFUSED, sitting.reading.findings, sitting.lang, sitting.wording)
        with sitting.ledger() as ledger:
            watched = sitting.look(ledger)
            other = mismatch_findings(sitting, ledger, watched)
            if other:
                raise Abort(Exit.LEDGER, other, sitting.lang, sitting.wording)
            chain = PhaseChain(sitting, ledger, watched)
            return _verify(sitting, ledger, chain, watched, tell)
    except Abort as stopped:
        return stopped.result("verify")


def _verify(sitting: Workspace, ledger: Ledger, chain: PhaseChain, watched: DetectedEdits, tell: Tell) -> Result:
    words = sitting.wording
    result = Result("verify", wording=words)
    result.data.update(verified=False, phases=0, first=None, otherwise=[])
    result.find(_broken_promises(ledger))
    otherwise = _VersionDifferences()
    with sitting.file_faults():
        for number in range(len(chain)):
            accused, said = _verify_phase(sitting, chain, number, otherwise)
            when = sitting.when(chain.moments[number])
            if accused is not None:
                _say_difference(sitting, chain, number, accused, result)
                break
            result.data["phases"] = number + 1
            tell(words.text(said, n=number + 1, of=len(chain), when=when))
        else:
            _say_by_hand(sitting, watched, result)
        result.find([codes.finding(codes.UNPROVED, Where(Event.sheet, event.ident), text=Verbatim(words.event(event)))
                     for event in sitting.campaign.table(Event) if event.event == UNPROVED])
        if len(chain) and any(e.event == RENEWED for e in chain.before(0).table(Event)):
            result.find([codes.finding(codes.SINCE_RENEWAL)])
    _say_version_differences(sitting, otherwise, result)
    _say_verdict(sitting, len(chain), result)
    return result


def _say_verdict(sitting: Workspace, phases: int, result: Result) -> None:
    """Say the verdict: differences, none, or phases that only another version can verify."""
    words, others = sitting.wording, len(result.data["otherwise"])
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
           " the beginning."), phases, book=sitting.path.name))


def _broken_promises(ledger: Ledger) -> list[Finding]:
    """Findings for turns whose secret does not match the hash that the clubs were given."""
    broken = []
    for turn, promised in sorted(ledger.commitments().items()):
        secret = ledger.turn_secret(turn)
        if promised != {who: commitment(audience_secret(secret, turn, who)) for who in promised}:
            broken.append(codes.finding(codes.PROMISE_BROKEN, turn=turn))
    return broken


def _verify_phase(
    sitting: Workspace, chain: PhaseChain, number: int, otherwise: _VersionDifferences
) -> tuple[Edit | str | None, str]:
    """Resolve a phase again: the first difference that somebody must answer for ("" for a phase that does not end,
    None for none), and what to say of it else. What another version made is noted down.
    """
    if chain.unproved_after(number):
        return None, UNPROVED_PHASE
    found = _phase_differences(sitting, chain, number)
    maker, moment = chain.by(number), chain.moments[number]
    if found == []:
        return None, SAME
    if maker is None:
        return found[0] if found else "", ""
    touched = chain.touched_after(number)
    by_hand = first_edited_by_hand(found or (), touched or ())
    if by_hand is not None:
        return by_hand, ""
    if found is not None and all(changes_only_citations(edit) for edit in found):
        otherwise.cited.setdefault(maker, []).append(moment)
        return None, SAME_BUT_CITATIONS
    first = None if found is None else next(edit for edit in found if not changes_only_citations(edit))
    noted = otherwise.unknown if touched is None else otherwise.made
    noted.setdefault(maker, []).append((moment, first))
    return None, PHASE_DIFFERS


def _phase_differences(sitting: Workspace, chain: PhaseChain, number: int) -> list[Edit] | None:
    """What a phase that is resolved again makes otherwise than the next one found it, and nothing explains; None for
    one that does not end.
    """
    before, later = chain.before(number), chain.before(number + 1)
    outcome = chain.again(before, later)
    return unexplained_edits(outcome.campaign, later, corrected_rows(sitting.campaign)) if outcome.done else None


def _say_difference(sitting: Workspace, chain: PhaseChain, number: int, found: Edit | str, result: Result) -> None:
    """The finding about the first difference, at its cell as far as it stands in the workbook."""
    moment = chain.moments[number]
    data: dict[str, Any] = {"when": sitting.when(moment), "book": sitting.path.name,
                            "phase_id": Verbatim(f"{moment.turn}.{moment.phase}")}
    first: dict[str, Any] = {"turn": moment.turn, "phase": moment.phase, "sheet": "", "row": "", "field": "",
                             "expected": "", "found": "", "change": "", "cell": ""}
    if isinstance(found, str):
        finding = codes.finding(codes.NOT_AGAIN, **data)
    else:
        where = Where(found.sheet, found.row, found.field)
        finding = codes.finding(CODES[found.change], where, expected=Verbatim(found.old or "–"),
                                found=Verbatim(found.new or "–"), **data)
        first.update(sheet=found.sheet, row=found.row, field=found.field, expected=found.old, found=found.new,
                     change=found.change)
    [placed] = sitting.placed([finding])
    first["cell"] = placed.cell
    result.find([placed])
    result.data["first"] = first


def _say_by_hand(sitting: Workspace, watched: DetectedEdits, result: Result) -> None:
    """The findings about what was changed by hand and nobody has decided on, as `check` names it."""
    named = edit_findings(sitting, watched.edits)
    result.find(named)
    if named:
        edit, desk = watched.edits[0], sitting.campaign.desk
        result.data["first"] = {
            "turn": desk.turn, "phase": desk.phase, "sheet": edit.sheet, "row": edit.row, "field": edit.field,
            "expected": edit.old, "found": edit.new, "change": edit.change, "cell": named[0].cell}


# --- What another version made ------------------------------------------------------------------
def _say_version_differences(sitting: Workspace, otherwise: _VersionDifferences, result: Result) -> None:
    """A finding for each version that resolved phases otherwise; none of them accuses anybody."""
    words = sitting.wording
    for maker, moments in otherwise.cited.items():
        result.find([_version_finding(sitting, codes.CITED_OTHERWISE, maker, moments)])
    for code, by_maker in ((codes.MADE_OTHERWISE, otherwise.made), (codes.PERHAPS_BY_HAND, otherwise.unknown)):
        for maker, phases in by_maker.items():
            _, first = phases[0]
            what = words.text(N_("it does not end any more")) if first is None else _difference_text(sitting, first)
            result.find([_version_finding(sitting, code, maker, [moment for moment, _ in phases], what=Verbatim(what))])
            result.data["otherwise"] += [
                {"turn": moment.turn, "phase": moment.phase, "by": maker.note, "hand": "no" if (
                    code == codes.MADE_OTHERWISE) else "unknown", "sheet": edit.sheet if edit else "",
                 "row": edit.row if edit else "", "field": edit.field if edit else "",
                 "expected": edit.old if edit else "", "found": edit.new if edit else ""} for moment, edit in phases]


def _version_finding(
    sitting: Workspace, code: str, maker: Provenance, moments: list[TurnPhase], **data: Any
) -> Finding:
    return codes.finding(code, by=Verbatim(provenance_text(maker, sitting.wording)), when=sitting.when(moments[0]),
                         n=len(moments), many="yes" if len(moments) > 1 else "", book=sitting.path.name, **data)


def provenance_text(maker: Provenance, words: Wording) -> str:
    """What resolved a phase, in words."""
    if not maker.arbitro:
        return words.text(N_("an earlier Arbitro"))
    return words.text(N_("Arbitro {version} (rules {rules}, code {code})"), version=Verbatim(maker.arbitro),
                      rules=Verbatim(maker.rules or "–"), code=Verbatim(maker.code))


def _difference_text(sitting: Workspace, edit: Edit) -> str:
    """A difference in words: where, the value then, the value now."""
    record = sitting.ruleset.record(edit.sheet)
    column = f", {record.column(edit.field).heading(sitting.lang)}" if edit.field else ""
    said = {"added": N_("{where} came of it then, and does not now"),
            "gone": N_("{where} comes of it now, and did not then")}.get(
        edit.change, N_("{where}: {found} then, {expected} now"))
    return sitting.wording.text(said, where=Verbatim(f"{edit.sheet} {edit.row}{column}"),
                                found=Verbatim(edit.new or "–"), expected=Verbatim(edit.old or "–"))
