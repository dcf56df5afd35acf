"""`accept`, `revert`: changes by hand in; findings at their cells out, and rulings of them, or the values of before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.table import Table
from assistant.desk import codes
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.ruling.acceptable import unfit
from assistant.desk.ruling.doubled_keys import Found, found_again, stand_again
from assistant.desk.ruling.hand_findings import as_json, clock_as_written, finding_of, hand_findings, name_of
from assistant.desk.sitting.session import Change, Session, at_work, stage_of
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop, stop
from assistant.desk.watch.edits import Edit, undo
from assistant.desk.watch.kept_edits import audiences, tell
from assistant.desk.watch.watching import Watch
from assistant.turn.findings import Where
from assistant.wording import N_
from assistant.workbook.codes import TWO_KEYS
from assistant.workbook.ooxml.cells.areas import cell_address

LONGEST_WHY = 400
LISTED = 12


def accept(path: Path, cells: Sequence[str], *, why: str, everything: bool = False, lang: str = "") -> Result:
    """Keep changes by hand as rulings, each an event for those whom it concerns, in one change.

    `cells`: as they are shown, or ``Sheet!key.field``, or ``Sheet!key``; `everything`: all that were
    changed. Nothing is kept for which the next phase would be refused. Result data: ``accepted``: the changes,
    each with its ``audience``.
    """
    try:
        sitting = sit(path, lang)
        reason = " ".join("".join(c for c in why if c.isprintable() or c.isspace()).split())[:LONGEST_WHY]
        if not reason:
            raise stop(Exit.USAGE, codes.NO_REASON, sitting.lang, sitting.wording)
        with at_work(sitting, "accept") as session:
            chosen = _chosen(sitting, session.watch, session.watch.edits, cells, everything)
            unread = [finding_of(sitting, codes.UNREADABLE_BY_HAND, e) for e in chosen if not e.readable]
            if unread:
                raise Stop(Exit.REFUSED, unread, sitting.lang, sitting.wording)
            wrong = unfit(sitting, chosen, session.watch.edits)
            if wrong:
                wrong = [*wrong, codes.finding(codes.UNFIT, book=sitting.path.name)]
                raise Stop(Exit.REFUSED, wrong, sitting.lang, sitting.wording)
            result = Result("accept", wording=sitting.wording)
            _accept(session, chosen, reason, result)
    except Stop as stopped:
        return stopped.result("accept")
    return result


def _accept(session: Session, chosen: Sequence[Edit], why: str, result: Result) -> None:
    """Tell the rulings and write. Raises `Stop`."""
    sitting = session.sitting
    words, moment = sitting.wording, clock_as_written(sitting, session.watch).desk
    names = [name_of(edit, sitting.reading.cells) for edit in chosen]
    whom = audiences(sitting.ruleset, sitting.campaign, chosen)
    after = sitting.campaign.copy()
    begun = {step.id for step in session.ledger.steps() if step.verb == "resolve"} & {*session.ledger.line}
    told = [tell(after, moment, edit, why, name, audience, set_up=not begun)
            for edit, name, audience in zip(chosen, names, whom, strict=True)]
    said = [sitting.sheet_wording.event(event) for event in told]
    lines = desk_lines(sitting.ruleset, after, sitting.sheet_wording, sitting.typed_name, said)
    result.data["accepted"] = [{**as_json(edit, sitting.reading.cells), "audience": audience, "why": why}
                               for edit, audience in zip(chosen, whom, strict=True)]
    session.commit("accept", after, lines, decided=chosen)
    result.events = len(told)
    for event in told:
        result.say(words.event(event))
    result.say(words.plural(N_("{n} change by hand is a ruling now: it stands on the sheet {sheet} and in the reports."
                               " To take that back: arbitro undo {book}"),
                            N_("{n} changes by hand are rulings now: they stand on the sheet {sheet} and in the"
                               " reports. To take that back: arbitro undo {book}"),
                            len(told), sheet=type(told[0]).sheet, book=sitting.path.name))
    result.find(sitting.second_copies)
    _say_left(session, result)


def revert(path: Path, cells: Sequence[str], *, everything: bool = False, lang: str = "") -> Result:
    """Put changes by hand back, in one change. `cells`, `everything`: as for `accept`.

    Result data: ``reverted``: the changes.
    """
    try:
        sitting = sit(path, lang)
        with at_work(sitting, "revert") as session:
            edits = (*session.watch.edits, *session.watch.slips)
            chosen = _chosen(sitting, session.watch, edits, cells, everything)
            result = Result("revert", wording=sitting.wording)
            shown = [(edit, as_json(edit, sitting.reading.cells)) for edit in chosen]
            doubled = bool(sitting.reading.cells.doubled)
            done = _revert(session, chosen)
            result.data["reverted"] = [told for edit, told in shown if edit in done]
            result.say(sitting.wording.plural(
                N_("{n} change by hand was put back. To take that back: arbitro undo {book}"),
                N_("{n} changes by hand were put back. To take that back: arbitro undo {book}"),
                len(done), book=sitting.path.name))
            result.find(sitting.second_copies)
            _say_left(session, result)
            if doubled:  # what nobody can put back is named
                result.find(f for f in sit(path, lang).reading.findings if f.code == TWO_KEYS)
    except Stop as stopped:
        return stopped.result("revert")
    return result


def _revert(session: Session, chosen: Sequence[Edit]) -> list[Edit]:
    """Write what stood there before; the changes that this puts back. Raises `Stop`."""
    sitting = session.sitting
    again = found_again(sitting.on_sheets, sitting.reading.cells, [e for e in chosen if e.change == "gone"])
    # rows that seem changed only because another one has their key
    seeming = {(one.edit.sheet, one.key) for one in again if one.other is not None}
    done = [e for e in chosen if e.change != "set" or (e.sheet, e.row) not in seeming]
    chosen = [*done, *(e for e in session.watch.edits if e.change == "set" and (e.sheet, e.row) in seeming)]
    words, after = sitting.sheet_wording, sitting.campaign.copy()
    undo(after, chosen)
    said = words.plural(N_("{n} change by hand was put back."), N_("{n} changes by hand were put back."), len(done))
    lines = desk_lines(sitting.ruleset, after, words, sitting.typed_name, [said])
    stages = [stage_of("revert", sitting.campaign, after)]
    mark = session.mark(after, stages)
    then = session.watch.then(after, chosen)
    with Change(session, stages, marks=then.marks, mark=mark):
        sitting.book.write(_standing(sitting, chosen, again), after, words, lines)
    session.wrote(after, then)
    return done


def _standing(sitting: Sitting, chosen: Sequence[Edit], again: Sequence[Found] = ()) -> Campaign:
    """The campaign as it stands in the file, for the writer to see where it differs.

    A cell that could not be read was given its column's default: what is put back may be just that. A row of
    which the key was changed is to be changed in its place, so it goes by the key that it is to get.
    """
    standing = sitting.on_sheets.copy()
    stand_again(standing, sitting.reading.cells, again)
    for edit in chosen:
        table = standing.by_sheet(edit.sheet)
        if not edit.readable:
            row = next(iter(table)) if table.record.single else table[edit.row]
            setattr(row, edit.field, edit.new)
        if edit.change == "renamed":
            standing.put(Table.of(table.record, [(edit.was if key == edit.row else key, row)
                                                 for key, row in table.in_file_order()]))
            rows = sitting.reading.cells.rows[edit.sheet]
            rows[edit.was] = rows.pop(edit.row)
    return standing


def _say_left(session: Session, result: Result) -> None:
    """The changes that are still to be decided on."""
    sitting, left = session.sitting, session.watch.edits
    result.find(hand_findings(sitting, left))
    result.data["undecided"] = [as_json(e, sitting.reading.cells) for e in left]


# --- choosing -----------------------------------------------------------------------------------
def _chosen(sitting: Sitting, watched: Watch, edits: Sequence[Edit], cells: Sequence[str], everything: bool
            ) -> list[Edit]:
    """Those of the changes that are meant, in the order in which they are named everywhere. Raises `Stop`."""
    book = sitting.path.name
    if not cells and not everything:
        raise stop(Exit.USAGE, codes.NO_CELL, sitting.lang, sitting.wording, book=book)
    if not watched.known:
        raise stop(Exit.REFUSED, codes.NO_FINGERPRINTS, sitting.lang, sitting.wording)
    if not edits:
        raise stop(Exit.DONE if everything else Exit.REFUSED, codes.NOTHING_BY_HAND, sitting.lang, sitting.wording,
                   book=book)
    if everything:
        return list(edits)
    by_name = _by_name(sitting, edits)
    meant: list[Edit] = []
    for cell in cells:
        found = by_name.get(_folded(cell))
        if found is None:
            names = [name_of(e, sitting.reading.cells) for e in edits]
            shown = ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "")
            raise stop(Exit.USAGE, codes.NOT_BY_HAND, sitting.lang, sitting.wording, cell=cell, list=shown)
        meant += found
    return [edit for edit in edits if edit in meant]


def _folded(name: str) -> str:
    """A name of a cell as it is compared: without quotes and $, with ! between sheet and place."""
    plain = "".join(c for c in name.casefold() if c not in "'\"$ ")
    return plain if "!" in plain else plain.replace(".", "!", 1)


def _by_name(sitting: Sitting, edits: Iterable[Edit]) -> dict[str, list[Edit]]:
    """All names that a change goes by: its address and its key, with each name of its sheet."""
    found: dict[str, list[Edit]] = {}
    cells = sitting.reading.cells
    for edit in edits:
        record = sitting.ruleset.record(edit.sheet)
        places = [edit.row]
        if edit.field:
            column = record.column(edit.field)
            places += [f"{edit.row}.{name}" for name in (edit.field, column.en, column.it)]
        if edit.change != "gone":
            fields = [edit.field] if edit.change == "set" else list(cells.letters.get(edit.sheet, {}))
            addresses = [cells.of(Where(edit.sheet, edit.row, name)) for name in fields]
            places += [address.rpartition("!")[2] for address in addresses]
        for sheet in (record.sheet, record.sheet_it, cells.titles.get(edit.sheet, record.sheet)):
            for place in places:
                named = found.setdefault(_folded(cell_address(sheet, "", 0).removesuffix("0") + place), [])
                if edit not in named:
                    named.append(edit)
    return found
