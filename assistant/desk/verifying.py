"""Verify: whether the workbook is what rules, orders, answers, dice and accepted rulings make of its beginning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Event, Question
from assistant.desk import codes
from assistant.desk.abreast import findings_apart
from assistant.desk.chain import Chain, done_between
from assistant.desk.edits import Edit, between
from assistant.desk.handedits import hand_findings
from assistant.desk.play import Moment, now
from assistant.desk.results import Exit, Result
from assistant.desk.rulings import rulings_of
from assistant.desk.session import Sitting, Stop, file_stop, sit
from assistant.desk.typed import corrected_rows
from assistant.ledger import Ledger, LedgerTrouble
from assistant.turn.dice import audience_secret, commitment
from assistant.turn.findings import Finding, Where
from assistant.turn.messages import COMMON_EVENTS, RENEWED
from assistant.turn.superseded import HANDED_IN, counting_key, is_superseded
from assistant.wording import N_, Verbatim
from assistant.workbook.port import BookError

Tell = Callable[[str], None]
CODES = {"set": codes.VALUE_UNEXPLAINED, "renamed": codes.VALUE_UNEXPLAINED, "gone": codes.ROW_MISSING,
         "added": codes.ROW_UNEXPLAINED}


def quiet(line: str) -> None:
    """Tell nobody of progress."""


def verify(path: Path, *, lang: str = "", tell: Tell = quiet) -> Result:
    """Replay a campaign from its start and name the first difference. Changes nothing.

    Every phase is resolved again from what the ledger keeps of it, and what it makes is compared to what
    the next phase found, the last one's to the workbook. What people may type in between (orders, answers,
    dice, forms) is taken as it stands; any other change needs a ruling or a correction that tells of it.
    Ends as refused when something differs. Result data: ``verified``, ``phases``: how many were replayed,
    ``first``: the first difference with sheet, row, field, expected, found, turn, phase, cell, or None.
    """
    try:
        sitting = sit(path, lang)
        if any(f.stops for f in sitting.reading.findings):
            raise Stop(Exit.REFUSED, sitting.reading.findings, sitting.lang, sitting.wording)
        with sitting.ledger() as ledger:
            other = findings_apart(sitting, ledger)
            if other:
                raise Stop(Exit.LEDGER, other, sitting.lang, sitting.wording)
            return _verify(sitting, ledger, tell)
    except Stop as stopped:
        return stopped.result("verify")


def _verify(sitting: Sitting, ledger: Ledger, tell: Tell) -> Result:
    words, chain = sitting.wording, Chain(sitting, ledger)
    result = Result("verify", wording=words)
    result.data.update(verified=False, phases=0, first=None)
    result.find(_promises(ledger))
    try:
        for number in range(len(chain)):
            found = _phase(sitting, chain, number)
            when = _when(sitting, chain.moments[number])
            if found is not None:
                _say_difference(sitting, chain, number, found, result)
                break
            result.data["phases"] = number + 1
            tell(words.text(N_("[{n}/{of}] {when}: the same."), n=number + 1, of=len(chain), when=when))
        if not len(chain):
            result.find(hand_findings(sitting, sitting.hand_edits(ledger)))
        elif any(e.event == RENEWED for e in chain.before(0).table(Event)):
            result.find([codes.finding(codes.SINCE_RENEWAL)])
    except (BookError, OSError) as fault:
        raise file_stop(fault, sitting.path, sitting.lang, words) from fault
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
        return result
    result.data["verified"] = True
    result.say(words.plural(
        N_("Verified: {n} phase was replayed, and {book} is what the rules, orders, answers, dice and rulings make of"
           " the beginning."),
        N_("Verified: {n} phases were replayed, and {book} is what the rules, orders, answers, dice and rulings make of"
           " the beginning."), len(chain), book=sitting.path.name))
    return result


def _promises(ledger: Ledger) -> list[Finding]:
    """Turns of which the secret is not the one whose hash the clubs have read."""
    broken = []
    for turn, promised in sorted(ledger.commitments().items()):
        secret = ledger.turn_secret(turn)
        if promised != {who: commitment(audience_secret(secret, turn, who)) for who in promised}:
            broken.append(codes.finding(codes.PROMISE_BROKEN, turn=turn))
    return broken


def _phase(sitting: Sitting, chain: Chain, number: int) -> Edit | str | None:
    """Resolve a phase again: the first difference to what the next one found; "" when it does not end; None."""
    before, later = chain.before(number), chain.before(number + 1)
    outcome = chain.again(before, later)
    if not outcome.done:
        return ""
    return next(iter(unexplained(outcome.campaign, later, corrected_rows(sitting.campaign))), None)


def unexplained(made: Campaign, found: Campaign, corrected: set[tuple[str, str]]) -> list[Edit]:
    """What differs between the state that a phase made and the one that was found later, and nothing explains.

    `corrected`: rows (sheet, key) that corrections tell of.
    """
    rows: dict[str, dict[str, None]] = {}
    for change in done_between(made, found):
        rows.setdefault(change.sheet, {})[change.key] = None
    if not rows:
        return []
    known = len(rulings_of(made))
    ruled = {_what(one.edit) for one in rulings_of(found)[known:]}
    return [edit for edit in between(made, found, rows)
            if _what(edit) not in ruled and not _ours(edit, made, found, corrected)]


def _what(edit: Edit) -> tuple[str, str, str, str, str]:
    return edit.change, edit.sheet, edit.row, edit.field, edit.new


def _ours(edit: Edit, made: Campaign, found: Campaign, corrected: set[tuple[str, str]]) -> bool:
    """Whether Arbitro itself wrote it between two phases: what it tells, what it asks, what a correction superseded."""
    if edit.sheet == Event.sheet:
        return edit.change == "added" and edit.values["event"] in COMMON_EVENTS
    if edit.sheet == Question.sheet and not is_superseded(edit.row):
        row = found.table(Question).get(edit.row)
        return row is not None and row.status == "open" and Moment(row.turn, row.phase) == now(made)
    if edit.sheet == Battle.sheet and not is_superseded(edit.row):
        battle = found.table(Battle).get(edit.row)
        return battle is not None and battle.hold == "asked" and battle.turn == made.desk.turn
    if issubclass(found.by_sheet(edit.sheet).record, HANDED_IN) and is_superseded(edit.row):
        return edit.change == "added" and (edit.sheet, counting_key(edit.row)) in corrected
    return False


def _when(sitting: Sitting, moment: Moment) -> str:
    try:
        return sitting.ruleset.when(moment.turn, moment.phase, sitting.lang)
    except KeyError:
        return f"{moment.turn} {moment.phase}"


def _say_difference(sitting: Sitting, chain: Chain, number: int, found: Edit | str, result: Result) -> None:
    """The finding about the first difference, at its cell as far as it stands in the workbook."""
    moment = chain.moments[number]
    data: dict[str, Any] = {"when": _when(sitting, moment), "book": sitting.path.name,
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
