"""`ledger --rescue` and `ledger --keep`: a ledger that is damaged, or of another history; one that fits out."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal

from assistant.backups import dated
from assistant.campaign.records import Event
from assistant.desk.founding.unproved import take_as_it_stands
from assistant.desk.past.snapshots import campaign_before
from assistant.desk.past.undoing import Wanted, from_ledger
from assistant.desk.playing.play import Moment
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.moments import Apart, apart
from assistant.desk.sitting.second_copies import look_beside
from assistant.desk.sitting.secret_copy import ledger_of_copy
from assistant.desk.sitting.session import Session, at_work
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop, file_stop, of_one_moment
from assistant.desk.watch.change_marks import marks_of
from assistant.desk.watch.two_histories import parted
from assistant.ledger import ENDING, Ledger, LedgerTrouble, path_of
from assistant.ledger.rescue import rescue
from assistant.wording import N_, Wording
from assistant.workbook.book_errors import BookError
from assistant.workbook.safe.locks import refuse_if_locked
from assistant.workbook.safe.saving import leave_copy, replace_file, sha256

Kept = Literal["workbook", "ledger"]
OTHER = N_("other history")
"""Under which label the file of a history lies beside the workbook that is not gone on with."""

DAMAGED = N_("The whole ledger {file} has taken the place of the damaged one, which lies beside the workbook as"
             " {kept}.")
OLDER = N_("The whole ledger {file} knows more of the workbook and has taken the place of the older one, which lies"
           " beside it as {kept}.")


@of_one_moment
def rescue_ledger(path: Path, *, lang: str = "") -> Result:
    """Put the newest whole ledger of a workbook's campaign in the place of a damaged one, and go on from the workbook
    as it stands: what that ledger does not know is unproved from then on.

    Result data: ``kept``: the file's name under which the one that lay there lies now, "" where it stayed; ``taken``:
    the name of the whole one; ``steps``: how many changes it knows; ``unproved``: whether the workbook knows more.
    """
    try:
        sitting = sit(path, lang, of_any_history=True)
        with sitting.claim("ledger --rescue"):
            look_beside(sitting)
            found = rescue(path_of(path), sitting.campaign.desk.campaign_id,
                           [str(mark) for mark in marks_of(sitting.campaign.desk.marks)], ledger_of_copy)
        unproved = _take_what_is_not_there(path, lang, "ledger --rescue")
    except Stop as stopped:
        return stopped.result("ledger")
    except LedgerTrouble as trouble:
        return sitting.ledger_stop(trouble).result("ledger")
    except (BookError, OSError) as fault:
        return file_stop(fault, path_of(path), sitting.lang, sitting.wording).result("ledger")
    words = sitting.wording
    result = Result("ledger", Exit.DONE, findings=look_beside(sitting), wording=words)
    result.data.update(kept=found.kept, taken=found.taken, steps=found.steps, unproved=unproved is not None)
    if not found.taken:
        result.say(words.text(N_("No whole ledger is left. A new one holds the secret and the promises of the dice,"
                                 " which your own folder has kept: the dice stay those that were promised. What was"
                                 " done before cannot be undone.")))
    elif found.kept:
        result.say(words.text(OLDER if found.older else DAMAGED, file=found.taken, kept=found.kept))
    elif unproved is None:
        result.say(words.text(N_("The ledger {file} is whole: nothing was changed."), file=found.taken))
    _say_unproved(result, sitting, unproved)
    return result


@of_one_moment
def keep_history(path: Path, which: Kept, *, lang: str = "") -> Result:
    """Go on with one of two histories, that of the workbook or that of its ledger; the other's file stays beside it.

    Result data: ``kept``: the name of the other's file; ``unproved``: whether the workbook was taken as it stands.
    """
    try:
        sitting = sit(path, lang, of_any_history=True)
        result = Result("ledger", Exit.DONE, wording=sitting.wording)
        with sitting.ledger() as ledger:
            if not _of_two(sitting, ledger):
                result.say(sitting.wording.text(N_("Workbook and ledger are of one history: nothing was changed.")))
                return result
        result.find(look_beside(sitting))
        refuse_if_locked(path)  # before a copy is left that nobody needs
        if which == "workbook":
            other = path_of(path)
            copy = leave_copy(other, other.read_bytes(), sitting.sheet_wording.text(OTHER))
            unproved = _take_what_is_not_there(path, lang, "ledger --keep")
            _say_unproved(result, sitting, unproved)
        else:
            copy, unproved = leave_copy(path, path.read_bytes(), sitting.sheet_wording.text(OTHER)), None
            _bring_back(sitting, lang, result)
    except Stop as stopped:
        return stopped.result("ledger")
    except LedgerTrouble as trouble:
        return sitting.ledger_stop(trouble).result("ledger")
    except (BookError, OSError) as fault:
        return file_stop(fault, path, sitting.lang, sitting.wording).result("ledger")
    _say_kept(result, sitting.wording, path, copy)
    result.data.update(kept=copy.name, unproved=unproved is not None)
    return result


def _take_what_is_not_there(path: Path, lang: str, doing: str) -> Moment | None:
    """Take the workbook as it stands, where its ledger knows less or something else; since when, None for nothing.

    Raises `Stop`, `LedgerTrouble`.
    """
    sitting = sit(path, lang, of_any_history=True)
    with at_work(sitting, doing, of_any_time=True) as session:
        since, line = _last_known(session)
        if since is not None:
            take_as_it_stands(session, since, line)
        return since


def _last_known(session: Session) -> tuple[Moment | None, tuple[int, ...]]:
    """Where workbook and ledger were last the same, and what can be undone from there; None where they still are."""
    sitting, ledger = session.sitting, session.ledger
    if not ledger.steps():  # made anew: nothing is known of what was done
        first = next(iter(sitting.campaign.table(Event)), None)
        desk = sitting.campaign.desk
        return Moment(desk.turn, desk.phase) if first is None else Moment(first.turn, first.phase), ()
    two = parted(sitting.campaign, ledger, sitting.reading.sha256)
    if two is not None:
        return Moment(two.turn, two.phase), two.line
    found: Apart | None = apart(sitting, ledger, session.watch)
    if found is not None and not found.back:
        return found.now, ()
    return (None if found is None or found.which == "ahead" else found.then), ledger.line


def _of_two(sitting: Sitting, ledger: Ledger) -> bool:
    """Whether there are two histories, or the ledger cannot bring the workbook's moment back.

    Raises `LedgerTrouble`.
    """
    if parted(sitting.campaign, ledger, sitting.reading.sha256) is not None:
        return True
    found = apart(sitting, ledger, sitting.look(ledger))
    return found is not None and not found.back


def _bring_back(sitting: Sitting, lang: str, result: Result) -> None:
    """Put the workbook of the ledger's history in its place: a file that is still there, else the last one that the
    ledger can bring back. Raises `Stop`, `LedgerTrouble`, `BookError`, OSError.
    """
    path, words = sitting.path, sitting.wording
    with sitting.ledger() as ledger:
        last = _last_whole(ledger, path.name)
        sha = next(step.sha_after for step in reversed(ledger.steps()) if step.sha_after)
    beside = [one for one in sorted(path.parent.glob(f"*{path.suffix}")) if one != path]
    for one in (*reversed(dated(path)), *beside):
        if sha256(one.read_bytes()) == sha:
            replace_file(path, one.read_bytes(), sitting.reading.sha256, check=False)
            result.say(words.text(N_("{file} has taken the workbook's place."), file=one.name))
            return
    for line in from_ledger(path, Wanted("undo", snapshot=last), lang, lambda *_: True, sitting.chain).lines:
        result.say(line)


def _last_whole(ledger: Ledger, name: str) -> int:
    """The change before which the workbook is to be brought back: as the campaign stands by the ledger, where it went
    back there; else as it was before the last change before which it can be read. Raises `LedgerTrouble`.
    """
    there = ledger.left(ledger.mark)
    heads = [step for step in ledger.steps() if step.state == "done" and step.sha_before]
    for step in [*([there] if there else []), *reversed(heads)]:
        with suppress(BookError, Stop):
            campaign_before(ledger, step.id, name)
            return step.id
    raise LedgerTrouble("lost", str(heads[-1].id))


def _say_unproved(result: Result, sitting: Sitting, since: Moment | None) -> None:
    if since is not None:
        result.say(sitting.wording.text(
            N_("The workbook stands as it stood. What was done since {when} cannot be proved any more: verify says so,"
               " and the clubs' next reports do."), when=sitting.when(since)))


def _say_kept(result: Result, words: Wording, path: Path, copy: Path) -> None:
    result.say(words.text(N_("The other history lies beside it as {file}."), file=copy.name))
    if copy.suffix != ENDING:
        result.say(words.text(N_("To take in the orders and answers that stand there:"
                                 " arbitro orders {book} \"{file}\""), book=path.name, file=copy.name))

