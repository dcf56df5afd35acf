"""`ledger --rescue`: a damaged ledger in; a new one with what can be read of it out, and what was lost."""

from __future__ import annotations

from pathlib import Path

from assistant.desk.results import Exit, Result
from assistant.desk.sitting.stops import Stop, claim_on, file_stop, ledger_stop
from assistant.ledger import LedgerTrouble, path_of
from assistant.ledger.rescue import Rescued, rescue
from assistant.resources import machine_language
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.book_errors import BookError


def rescue_ledger(path: Path, *, lang: str = "") -> Result:
    """Save what can be read of a workbook's ledger, secrets and promises first; the workbook is not looked at.

    Ends as refused where something is lost. Result data: ``kept``: the file's name under which the old one lies there
    now, ``turns``, ``steps``, ``books``: how many were saved, ``lost``: changes that are not known any more,
    ``unkept``: those without their snapshot, ``promises``: turns whose promises are lost, ``mails``: of how many mails
    something is, ``notes``: the keys of lost notes.
    """
    words = Wording(None, lang or machine_language()).of_file(path)
    try:
        with claim_on(path, "ledger --rescue", words.lang, words):
            found = rescue(path_of(path))
    except LedgerTrouble as trouble:
        return ledger_stop(trouble, path, words.lang, words).result("ledger")
    except (BookError, OSError) as fault:
        return file_stop(fault, path_of(path), words.lang, words).result("ledger")
    except Stop as stopped:
        return stopped.result("ledger")
    result = Result("ledger", wording=words)
    result.data.update(kept=found.kept, turns=found.turns, steps=found.steps, books=found.books,
                       lost=list(found.lost), unkept=list(found.unkept), promises=list(found.no_promises),
                       mails=found.no_mails, notes=list(found.no_notes))
    _say(result, words, found, path)
    return result


NOTES = {
    "rules": N_("with which version of the rules the campaign began"), "redo": N_("what could be done again"),
    "given": N_("what the assistant answered itself"), "copies": N_("which clubs' codes were renewed"),
    "due": N_("deadlines of past phases"), "sent": N_("to whom reports were handed"),
    "mails.read": N_("which mails of the clubs were read"), "collected": N_("what was collected")}
"""What a note of the ledger says, by its key up to a full stop and a number."""


def _say(result: Result, words: Wording, found: Rescued, path: Path) -> None:
    result.say(words.text(
        N_("Saved: the secret of the dice, the promises of {turns} {turns?turn|turns}, {steps}"
           " {steps?change|changes}, {books} {books?snapshot|snapshots}."
           " The damaged ledger lies beside it as {kept}."), turns=found.turns, steps=found.steps, books=found.books,
        kept=found.kept))
    if found.no_promises:
        result.say(words.text(N_("Lost is what was promised of the dice of these turns, whose secrets no report reveals"
                                 " any more: {list}. The present turn's promises are made again, and are the same."),
                              list=Verbatim(", ".join(found.no_promises))))
    if found.lost:
        result.say(words.text(N_("Lost are the changes {list}."), list=Verbatim(_spans(found.lost))))
    if found.unkept:
        result.say(words.text(N_("Without the file as it was before them are the changes {list}: undo brings back"
                                 " what stood in the cells, as far as that is known."),
                              list=Verbatim(_spans(found.unkept))))
    if found.no_prints:
        result.say(words.text(N_("Lost is what stood in the cells: what was changed by hand before the next change of"
                                 " Arbitro's cannot be told.")))
    if found.no_pointers:
        result.say(words.text(N_("Lost is what could be undone; it was worked out from the last change.")))
    if found.no_mails:
        result.say(words.plural(N_("Lost is what was noted of {n} mail: look into the mailbox for what has left before"
                                   " you send again."),
                                N_("Lost is what was noted of {n} mails: look into the mailbox for what has left before"
                                   " you send again."), found.no_mails))
    if found.no_notes:
        keys = dict.fromkeys(key if key in NOTES else key.partition(".")[0] for key in found.no_notes)
        result.say(words.text(N_("Lost are notes: {list}."), list=Verbatim("; ".join(
            words.text(NOTES[key]) if key in NOTES else key for key in keys))))
    if len(result.lines) > 1:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("What there is: arbitro history {book}"), book=path.name))
    else:
        result.say(words.text(N_("Nothing was lost.")))


def _spans(numbers: tuple[int, ...]) -> str:
    """Numbers in words, those that follow one another as one span."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] + 1 == number:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in spans)
