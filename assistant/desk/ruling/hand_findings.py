"""What was changed by hand in a workbook: a sitting in; a finding for each such change out, or a stop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk
from assistant.desk import codes
from assistant.desk.results import Exit
from assistant.desk.sitting.moments import findings_apart
from assistant.desk.sitting.session import Session
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.sitting.stops import Stop
from assistant.desk.watch.edits import Edit, undo
from assistant.desk.watch.watching import Watch
from assistant.ledger import Ledger, LedgerTrouble, maker_of, path_of
from assistant.turn.findings import Finding, Where
from assistant.wording import Verbatim
from assistant.workbook.port import Cells, OtherText

LONGEST_SHOWN = 60
NAMED = 5
"""Worded texts of one sheet that are named singly."""
CODES = {"set": codes.CHANGED_BY_HAND, "added": codes.ADDED_BY_HAND, "gone": codes.DELETED_BY_HAND,
         "renamed": codes.RENAMED_BY_HAND}


# --- naming -------------------------------------------------------------------------------------
def hand_findings(sitting: Sitting, edits: Iterable[Edit]) -> list[Finding]:
    """A finding for each change by hand, at its cell."""
    return [finding_of(sitting, _code_of(sitting, edit), edit) for edit in edits]


def _code_of(sitting: Sitting, edit: Edit) -> str:
    """Which finding names a change. A number's cell that is blank counts as its default, but is told as blank."""
    emptied = edit.change == "set" and edit.readable and bool(edit.old) and (
        not edit.new or sitting.reading.blank(Where(edit.sheet, edit.row, edit.field)))
    return codes.EMPTIED_BY_HAND if emptied else CODES[edit.change]


def _undecided(sitting: Sitting, ledger: Ledger, watched: Watch) -> list[Finding]:
    """The findings for all that is undecided; before the first phase with the word that keeps it as the set-up."""
    found = hand_findings(sitting, watched.edits)
    if found and not any(step.verb == "resolve" for step in ledger.steps()):
        found.append(codes.finding(codes.SET_UP, book=sitting.path.name, **_door(sitting)))
    return found


def _door(sitting: Sitting) -> dict[str, str]:
    """What tells whether the workbook is open: then it is put right in it, and commands come after closing it."""
    return {"open": "yes"} if sitting.book.live else {}


def finding_of(sitting: Sitting, code: str, edit: Edit) -> Finding:
    """A finding about a change by hand, at its cell."""
    where = Where(edit.sheet, edit.row, edit.field)
    found = codes.finding(code, where, old=_short(edit.old), new=_short(edit.new), book=sitting.path.name,
                          name=_typed(name_of(edit, sitting.reading.cells)), **_door(sitting))
    return replace(found, cell=sitting.reading.cells.of(where))


def _short(text: str, start: int = 0) -> str:
    """A text that is not too long to be quoted. `start`: a sign that must be seen."""
    begin = max(0, start - LONGEST_SHOWN // 2) if start >= LONGEST_SHOWN else 0
    shown = text[begin:begin + LONGEST_SHOWN]
    return f"{'…' if begin else ''}{shown}{'…' if begin + LONGEST_SHOWN < len(text) else ''}"


def _first_difference(one: str, other: str) -> int:
    """Where two texts begin to differ."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def name_of(edit: Edit, cells: Cells) -> str:
    """What to type for a change: its address, or ``Sheet!key`` for a row that is gone.

    A sheet whose title has more than letters goes by its English name, so that nothing has to be quoted twice.
    """
    if edit.change == "gone":
        return f"{edit.sheet}!{edit.row}"
    address = cells.of(Where(edit.sheet, edit.row, edit.field))
    title, _, place = address.rpartition("!")
    return address if title.isalpha() else f"{edit.sheet}!{place}"


def _typed(name: str) -> str:
    """A name as a command takes it without quotation marks: shells replace what stands behind a !, even within them."""
    return name.replace("!", ".", 1)


def as_json(edit: Edit, cells: Cells) -> dict[str, Any]:
    """A change as plain values."""
    return {"cell": name_of(edit, cells), "change": edit.change, "sheet": edit.sheet, "row": edit.row,
            "field": edit.field, "old": edit.old, "new": edit.new, "was": edit.was, "readable": edit.readable}


class Seen(NamedTuple):
    """What commands that only look see of changes by hand. `findings`: at their cells; `edits`: as plain values;
    `watch`: to be handed on, None without a ledger that can be used; `trouble`: why there is none, as a finding.
    """

    findings: list[Finding]
    edits: list[dict[str, Any]]
    watch: Watch | None
    trouble: Finding | None = None


def seen_by_hand(sitting: Sitting) -> Seen:
    """What was changed by hand. Without a ledger that can be used there is nothing but why nobody can tell; one that is
    damaged or of another campaign keeps the next phase from starting, one that is missing may lie with the referee.

    Raises `Moved`.
    """
    try:
        with sitting.beside() as ledger:
            watched = sitting.look(ledger)
            found = _undecided(sitting, ledger, watched)
            other = _unknown(ledger, watched) or findings_apart(sitting, ledger, watched)
    except LedgerTrouble as trouble:
        [told] = sitting.ledger_stop(trouble).findings
        unknown = codes.finding(codes.NO_TELLING, why=Verbatim(sitting.wording.finding(told)))
        return Seen([], [], None, replace(unknown, severity="error") if trouble.kind in (
            "unreadable", "foreign") else unknown)
    if other:
        return Seen(other, [], watched)
    return Seen(found, [as_json(e, sitting.reading.cells) for e in watched.edits], watched)


def other_texts(sitting: Sitting) -> list[Finding]:
    """A warning for each worded text that says something else than its row; many on one sheet are told as one.

    None where another version of Arbitro may have worded them: what it said otherwise nobody has typed.
    """
    told: dict[str, list[OtherText]] = {}
    texts = sitting.book.other_texts(sitting.campaign, sitting.sheet_wording)
    for one in (text for text in texts if not text.outdated):  # what follows a value is put right when that is decided
        told.setdefault(one.sheet, []).append(one)
    if told and not _worded_by_us(sitting):
        return []
    found = []
    for sheet, typed_over in told.items():
        for one in typed_over[:NAMED]:
            start = _first_difference(one.seen, one.wanted)
            finding = codes.finding(codes.OTHER_TEXT, Where(sheet, one.row), seen=_short(one.seen, start) or "–",
                                    wanted=_short(one.wanted, start) or "–")
            found.append(replace(finding, cell=one.cell))
        if len(typed_over) > NAMED:
            found.append(codes.finding(codes.OTHER_TEXTS, Where(sheet), n=len(typed_over) - NAMED,
                                       sheet=sitting.reading.cells.titles.get(sheet, sheet)))
    return found


def _worded_by_us(sitting: Sitting) -> bool:
    """Whether the texts of the workbook come from the code that runs now; True where no ledger can tell."""
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            return all(writer == maker_of(sitting.ruleset) for writer in ledger.writers())
    except LedgerTrouble:
        return True


def stop_on_edits(session: Session) -> list[Finding]:
    """Raise `Stop` while a change by hand is undecided. Returns what is to be said where nothing is known."""
    sitting, ledger, watched = session.sitting, session.ledger, session.watch
    if watched.edits:
        raise Stop(Exit.REFUSED, _undecided(sitting, ledger, watched), sitting.lang, sitting.wording)
    return _unknown(ledger, watched)


def _unknown(ledger: Ledger, watched: Watch) -> list[Finding]:
    """What is to be said where the ledger knows no fingerprints; nothing before the first change, when findings
    of a new campaign are still to be put right in the workbook.
    """
    unknown = not watched.known and bool(ledger.steps())
    return [codes.finding(codes.NO_FINGERPRINTS)] if unknown else []


def clock_as_written(sitting: Sitting, watched: Watch) -> Campaign:
    """The campaign with its Desk as Arbitro last wrote it, whatever was typed over it since.

    What dice may be told goes by this: who turns the clock on by hand is not told the secrets of the turn.
    """
    edits = [e for e in watched.edits if e.sheet == Desk.sheet]
    if not edits:
        return sitting.campaign
    before = sitting.campaign.copy()
    undo(before, edits)
    return before
