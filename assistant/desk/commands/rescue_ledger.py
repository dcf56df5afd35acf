"""`ledger --rescue` and `ledger --keep`: goes on where the ledger is damaged, or workbook and ledger no longer fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.campaign.records import Event
from assistant.desk.past.phase_chain import campaign_before
from assistant.desk.past.undo import UndoRequest, jump_from_ledger
from assistant.desk.play_phase import TurnPhase, current_phase
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import (
    VersionMismatch,
    find_mismatch,
    find_second_copies,
    note_unproved,
)
from assistant.desk.workspace.fingerprints import find_divergence, parse_marks
from assistant.desk.workspace.workspace import (
    Abort,
    Workspace,
    catches_abort,
    file_faults,
    open_workspace,
    retry_while_changing,
)
from assistant.desk.workspace.writer import WriteAccess, ledger_from_copy, open_for_writing, planned_step
from assistant.environment import backup_folder, dated_backups, link_or_copy, replace_atomically
from assistant.ledger import TAKE_AS_IT_IS, path_of_ledger
from assistant.ledger.file import LEDGER_SUFFIX, LedgerTrouble, new_file_path
from assistant.ledger.store import Ledger
from assistant.turn.messages import UNPROVED, add_common_event
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.save import leave_copy, refuse_if_locked, replace_file, sha256
from assistant.workbook.screening import BookError

# Replacing a damaged ledger with the newest undamaged one.
#
# Undamaged ledgers are among the backups: those before the last changes, and one for each turn. The damaged file is
# kept beside the new one.


Rank = tuple[int, int]
DAMAGE_KINDS = ("missing", "unreadable", "foreign")
"""What is wrong with a ledger in whose place another one is put; of any other trouble its bytes are whole."""


@dataclass(frozen=True)
class RescueOutcome:
    """What came of it. `kept`: where the ledger that lay there lies now, "" where it stayed; `taken`: the name of the
    whole one whose content took its place, "" for one that was made anew of the dice's secret; `steps`: how many
    changes it knows; `older`: whether what lay there is whole, and only knew less of the workbook.
    """

    kept: str
    taken: str
    steps: int
    older: bool = False


def restore_newest_ledger(path: Path, campaign: str, marks: Sequence[str],
           anew: Callable[[Path, str], Ledger | None]) -> RescueOutcome:
    """Put the newest whole ledger of a campaign in the place of one that is damaged, or older.

    `marks`: those of the workbook, the oldest first: the ledger that knows most of them is the newest. `anew`: makes
    one of what is known elsewhere, for where no whole one is to be found; None: nothing is known.

    Raises `LedgerTrouble`: "unreadable" where nothing is to be had, and what is no damage ("newer", "denied"); OSError.
    """
    here = _rank(path, campaign, marks)
    newest = newest_undamaged(path, campaign, marks)
    if here is not None and (newest is None or newest[0][0] <= here[0]):
        return RescueOutcome("", path.name, here[1])
    kept = link_aside(path, "damaged" if here is None else "older") if path.is_file() else None
    name = "" if kept is None else kept.name
    if newest is not None:
        rank, whole = newest
        replace_atomically(path, (whole.read_bytes(),), new_file_path(path), like=whole)
        return RescueOutcome(name, whole.name, rank[1], here is not None)
    path.unlink(missing_ok=True)
    made = anew(path, campaign)
    if made is None:
        if kept is not None:
            kept.rename(path)
        raise LedgerTrouble("unreadable" if kept is not None else "missing", "no whole ledger")
    made.close()
    return RescueOutcome(name, "", 0)


def newest_undamaged(path: Path, campaign: str, marks: Sequence[str]) -> tuple[Rank, Path] | None:
    """The whole ledger of a campaign, among the backups or beside, that knows most of its workbook; None for none."""
    known: list[tuple[Rank, int, str, Path]] = []
    for candidate in (*backup_folder(path).glob(f"*{LEDGER_SUFFIX}"), *path.parent.glob(f"*{LEDGER_SUFFIX}")):
        if candidate != path:
            with suppress(LedgerTrouble):
                rank = _rank(candidate, campaign, marks)
                known += [] if rank is None else [(rank, candidate.stat().st_mtime_ns, candidate.name, candidate)]
    return (max(known)[0], max(known)[-1]) if known else None


def _rank(path: Path, campaign: str, marks: Sequence[str]) -> Rank | None:
    """How much a ledger knows of its workbook: the last of its marks, and how many changes; None for a damaged one.

    Raises `LedgerTrouble` for what is no damage.
    """
    try:
        with Ledger.open(path, campaign) as ledger:
            ledger.check()
            known = ledger.chain(ledger.mark)
            last = max((n for n, mark in enumerate(marks, 1) if mark in known or ledger.step_after_mark(mark)),
                       default=0)
            return last, len(ledger.steps())
    except LedgerTrouble as trouble:
        if trouble.kind in DAMAGE_KINDS:
            return None
        raise


def link_aside(path: Path, label: str) -> Path:
    """Keep a ledger that is about to be replaced under a second, labelled name. Raises OSError."""
    number = 1
    while (place := path.with_name(f"{path.name}.{label}-{number}")).exists():
        number += 1
    link_or_copy(path.resolve(), place)
    return place


# Accepting the workbook as it stands where its ledger knows less.
#
# A rescued ledger is older than the workbook, or belongs to another history. What was done between its last change
# and the workbook as it stands is in no ledger any more. The event says so to all; `verify` calls it unproved and
# accuses nobody.


def accept_workbook_state(session: WriteAccess, since: TurnPhase, line: Sequence[int]) -> None:
    """Take the workbook into the ledger with all that stands in it. Raises `Abort`.

    `since`: where the campaign stood when the ledger last knew it; `line`: the changes that can still be undone.
    """
    workspace = session.workspace
    after = workspace.campaign.copy()
    desk = after.desk
    told = add_common_event(after, UNPROVED, {
        "turn": since.turn, "phase": since.phase, "last_turn": desk.turn, "last_phase": desk.phase,
        "span": "one" if (since.turn, since.phase) == (desk.turn, desk.phase) else ""})
    note_unproved(session.ledger, since, current_phase(workspace.campaign), session.watch)
    session.commit_all([planned_step(TAKE_AS_IT_IS, workspace.campaign, after)], after,
                       [workspace.sheet_wording.event(told)], decided=session.watch.edits, line=line)


# `ledger --rescue` and `ledger --keep`.


KeptHistory = Literal["workbook", "ledger"]
OTHER_HISTORY = N_("other history")
"""The label of the file of the history that is not continued; it is kept beside the workbook."""

WAS_DAMAGED = N_("The whole ledger {file} has taken the place of the damaged one, which lies beside the workbook as"
             " {kept}.")
WAS_OLDER = N_("The whole ledger {file} knows more of the workbook and has taken the place of the older one, which lies"
           " beside it as {kept}.")


@retry_while_changing
@catches_abort("ledger")
def rescue_ledger(path: Path, *, lang: str = "") -> Result:
    """Put the newest whole ledger of a workbook's campaign in the place of a damaged one, and go on from the workbook
    as it stands: what that ledger does not know is unproved from then on.

    Result data: ``kept``: the file's name under which the one that lay there lies now, "" where it stayed; ``taken``:
    the name of the whole one; ``steps``: how many changes it knows; ``unproved``: whether the workbook knows more.
    """
    workspace = open_workspace(path, lang, of_any_history=True)
    with file_faults(path_of_ledger(path), workspace.lang, workspace.wording), workspace.ledger_faults():
        with workspace.claim("ledger --rescue"):
            find_second_copies(workspace)
            restored = restore_newest_ledger(path_of_ledger(path), workspace.campaign.desk.campaign_id,
                              [str(mark) for mark in parse_marks(workspace.campaign.desk.marks)], ledger_from_copy)
        unproved = _accept_unknown_state(path, lang, "ledger --rescue")
    words = workspace.wording
    result = Result("ledger", Exit.DONE, findings=find_second_copies(workspace), wording=words)
    result.data.update(kept=restored.kept, taken=restored.taken, steps=restored.steps, unproved=unproved is not None)
    if not restored.taken:
        result.say(words.text(N_("No whole ledger is left. A new one holds the secret and the promises of the dice,"
                                 " which your own folder has kept: the dice stay those that were promised. What was"
                                 " done before cannot be undone.")))
    elif restored.kept:
        result.say(words.text(WAS_OLDER if restored.older else WAS_DAMAGED, file=restored.taken, kept=restored.kept))
    elif unproved is None:
        result.say(words.text(N_("The ledger {file} is whole: nothing was changed."), file=restored.taken))
    _say_unproved(result, workspace, unproved)
    return result


@retry_while_changing
@catches_abort("ledger")
def keep_history(path: Path, which: KeptHistory, *, lang: str = "") -> Result:
    """Go on with one of two histories, that of the workbook or that of its ledger; the other's file stays beside it.

    Result data: ``kept``: the name of the other's file; ``unproved``: whether the workbook was taken as it stands.
    """
    workspace = open_workspace(path, lang, of_any_history=True)
    result = Result("ledger", Exit.DONE, wording=workspace.wording)
    with workspace.file_faults(), workspace.ledger_faults():
        with workspace.ledger() as ledger:
            if not _has_two_histories(workspace, ledger):
                result.say(workspace.wording.text(N_("Workbook and ledger are of one history: nothing was changed.")))
                return result
        result.find(find_second_copies(workspace))
        refuse_if_locked(path)  # before a copy is left that nobody needs
        if which == "workbook":
            other = path_of_ledger(path)
            copy = leave_copy(other, other.read_bytes(), workspace.sheet_wording.text(OTHER_HISTORY))
            unproved = _accept_unknown_state(path, lang, "ledger --keep")
            _say_unproved(result, workspace, unproved)
        else:
            copy, unproved = leave_copy(path, path.read_bytes(), workspace.sheet_wording.text(OTHER_HISTORY)), None
            _restore_workbook(workspace, lang, result)
    _say_kept(result, workspace.wording, path, copy)
    result.data.update(kept=copy.name, unproved=unproved is not None)
    return result


def _accept_unknown_state(path: Path, lang: str, doing: str) -> TurnPhase | None:
    """Take the workbook as it stands, where its ledger knows less or something else; since when, None for nothing.

    Raises `Abort`, `LedgerTrouble`.
    """
    workspace = open_workspace(path, lang, of_any_history=True)
    with open_for_writing(workspace, doing, of_any_time=True) as session:
        since, line = _last_common_state(session)
        if since is not None:
            accept_workbook_state(session, since, line)
        return since


def _last_common_state(session: WriteAccess) -> tuple[TurnPhase | None, tuple[int, ...]]:
    """Where workbook and ledger were last the same, and what can be undone from there; None where they still are."""
    workspace, ledger = session.workspace, session.ledger
    if not ledger.steps():  # made anew: nothing is known of what was done
        first = next(iter(workspace.campaign.table(Event)), None)
        desk = workspace.campaign.desk
        return TurnPhase(desk.turn, desk.phase) if first is None else TurnPhase(first.turn, first.phase), ()
    two = find_divergence(workspace.campaign, ledger)
    if two is not None:
        return TurnPhase(two.turn, two.phase), two.line
    mismatch: VersionMismatch | None = find_mismatch(workspace, ledger, session.watch)
    if mismatch is not None and not mismatch.back:
        return mismatch.now, ()
    return (None if mismatch is None or mismatch.which == "ahead" else mismatch.then), ledger.line


def _has_two_histories(workspace: Workspace, ledger: Ledger) -> bool:
    """Whether there are two histories, or the ledger cannot bring the workbook's moment back.

    Raises `LedgerTrouble`.
    """
    if find_divergence(workspace.campaign, ledger) is not None:
        return True
    mismatch = find_mismatch(workspace, ledger, workspace.look(ledger))
    return mismatch is not None and not mismatch.back


def _restore_workbook(workspace: Workspace, lang: str, result: Result) -> None:
    """Put the workbook of the ledger's history in its place: a file that is still there, else the last one that the
    ledger can bring back. Raises `Abort`, `LedgerTrouble`, `BookError`, OSError.
    """
    path, words = workspace.path, workspace.wording
    with workspace.ledger() as ledger:
        last = _last_readable_change(ledger, path.name)
        sha = next(step.sha_after for step in reversed(ledger.steps()) if step.sha_after)
    beside = [sibling for sibling in sorted(path.parent.glob(f"*{path.suffix}")) if sibling != path]
    for copy in (*reversed(dated_backups(path)), *beside):
        # by its bytes, whatever it is called
        if sha256(copy.read_bytes()) == sha:
            replace_file(path, copy.read_bytes(), workspace.reading.sha256, check=False)
            result.say(words.text(N_("{file} has taken the workbook's place."), file=copy.name))
            return
    for line in jump_from_ledger(path, UndoRequest("undo", snapshot=last), lang, lambda *_: True,
                                 workspace.chain).lines:
        result.say(line)


def _last_readable_change(ledger: Ledger, name: str) -> int:
    """The change before which the workbook is to be brought back: as the campaign stands by the ledger, where it went
    back there; else as it was before the last change before which it can be read. Raises `LedgerTrouble`.
    """
    there = ledger.step_after_mark(ledger.mark)
    heads = [step for step in ledger.steps() if step.state == "done" and step.sha_before]
    for step in [*([there] if there else []), *reversed(heads)]:
        with suppress(BookError, Abort):
            campaign_before(ledger, step.id, name)
            return step.id
    raise LedgerTrouble("lost", str(heads[-1].id))


def _say_unproved(result: Result, workspace: Workspace, since: TurnPhase | None) -> None:
    if since is not None:
        result.say(workspace.wording.text(
            N_("The workbook stands as it stood. What was done since {when} cannot be proved any more: verify says so,"
               " and the clubs' next reports do."), when=workspace.when(since)))


def _say_kept(result: Result, words: Wording, path: Path, copy: Path) -> None:
    result.say(words.text(N_("The other history lies beside it as {file}."), file=copy.name))
    result.say(words.text(N_("To take in the orders and answers in it:"
                             " arbitro orders {book} {copy}"), book=path.name, copy=copy.name))
