"""`accept`, `revert`, `decide`: keep edits made by hand or put the old values back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Order
from assistant.campaign.tables import Record, Table
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import (
    clock_as_written,
    edit_as_json,
    edit_finding,
    edit_findings,
    edit_name,
    list_changes,
    mark_open_book,
)
from assistant.desk.workspace.detect_edits import (
    DetectedEdits,
    Edit,
    add_ruling_event,
    parse_row,
    ruling_audiences,
    undo_edits,
)
from assistant.desk.workspace.workspace import BookPlace, Workspace, catches_abort, open_workspace, settle_inbox
from assistant.desk.workspace.writer import ProtectedWrite, WriteAccess, open_for_writing
from assistant.ledger import PlannedStep
from assistant.turn import codes
from assistant.turn.codes import TWO_KEYS, UNKNOWN_REF
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import blocks_phase, check_campaign, without_superseded
from assistant.turn.texts import N_
from assistant.workbook.layout import PUT_BACK
from assistant.workbook.ooxml.cells import cell_address
from assistant.workbook.port import CellMap
from assistant.workbook.read.load_campaign import spell_code, unknown_code_data

# Whether an edit can be accepted without blocking the next phase.


def findings_if_kept(workspace: Workspace, chosen: Collection[Edit], undecided: Iterable[Edit]) -> list[Finding]:
    """What would block the next phase if these edits, and no other undecided ones, were accepted.

    That is unreadable cells, references to missing rows, and what the rulebook finds wrong with the edits but not
    without them. The clubs' own orders are not checked: they can still correct them.
    """
    others = [e for e in undecided if e not in chosen]
    places = {(e.sheet, e.row, e.field) for e in others} | {(e.sheet, e.row) for e in others if e.change == "added"}
    findings = [f for f in workspace.reading.findings if f.stops and not f.alone and f.where.table != Order.sheet
                and not {(f.where.table, f.where.row, f.where.field), (f.where.table, f.where.row)} & places]
    if findings:
        return findings
    kept = workspace.campaign.copy()
    undo_edits(kept, others)
    without = kept.copy()
    undo_edits(without, chosen)
    findings = [f for f in _dangling_references(kept) if f not in list(_dangling_references(without))]
    if not findings:
        known = [
            (f.code, f.where, f.data)
            for f in check_campaign(workspace.ruleset, without_superseded(without))
            if blocks_phase(f)
        ]
        findings = [f for f in check_campaign(workspace.ruleset, without_superseded(kept))
                    if blocks_phase(f) and (f.code, f.where, f.data) not in known]
    return workspace.with_cells(findings)


def _dangling_references(campaign: Campaign) -> Iterator[Finding]:
    """Findings about references to missing rows, as the reader gives them."""
    # a table is walked row by row, not by its keys
    codes_of = {sheet: {key.casefold(): key for key in table.keys()}  # noqa: SIM118
                for sheet, table in campaign.tables().items()}
    for sheet, table in campaign.tables().items():
        for c in table.record.columns():
            if not c.kind.table or c.kind.own_finding or (
                    c.kind.table not in codes_of or (issubclass(table.record, Order) and c.edit == "club")):
                continue
            for key, row in table.in_file_order():
                value = getattr(row, c.name)
                for seen in value if isinstance(value, tuple) else (value,):
                    if seen and not spell_code(seen, codes_of[c.kind.table]):
                        yield Finding(
                            UNKNOWN_REF,
                            "error",
                            Where(sheet, key, c.name),
                            unknown_code_data(c, seen, codes_of[c.kind.table]),
                            str(getattr(row, "faction", "")),
                        )


# Rows whose key was overwritten with another row's key.


class MovedRow(NamedTuple):
    """A row that seems gone but has another row's key now.

    `key`: that key; `other`: the row that rightly has it, None if the campaign has that one under the key already.
    """

    edit: Edit
    key: str
    number: int
    row: Record
    other: tuple[int, Record] | None


def find_moved_rows(campaign: Campaign, cells: CellMap, gone: Iterable[Edit]) -> list[MovedRow]:
    """Find rows that seem gone under keys that a sheet has twice.

    Of the two rows with such a key, it is the one that equals the missing row in all other columns.
    """
    moved: list[MovedRow] = []
    for edit in gone:
        table = campaign.by_sheet(edit.sheet)
        old = parse_row(table.record, edit.values)
        for double in cells.doubled.get(edit.sheet, ()):
            number, row = double
            key = next((k for k, _ in table.raw_rows() if k.casefold() == row.ident.casefold()), "")
            first = cells.rows[edit.sheet].get(key, 0)
            if not key or any(moved_row.number in (number, first)
                              for moved_row in moved if moved_row.edit.sheet == edit.sheet):
                continue
            if _only_key_differs(old, row):
                moved.append(MovedRow(edit, key, number, row, None))
            elif _only_key_differs(old, table[key]):
                moved.append(MovedRow(edit, key, first, table[key], double))
            else:
                continue
            break
    return moved


def _only_key_differs(old: Record, row: Record) -> bool:
    """Whether two rows differ in exactly one column, and that belongs to the key."""
    then, now = old.as_text(), row.as_text()
    differing = [c for c in old.columns() if then.get(c.name, "") != now.get(c.name, "")]
    return len(differing) == 1 and differing[0].key


def restore_own_keys(standing: Campaign, cells: CellMap, moved: Iterable[MovedRow]) -> None:
    """Put these rows under their own keys again, in the campaign as it is in the file and in the map of its cells."""
    for moved_row in moved:
        sheet, was = moved_row.edit.sheet, moved_row.edit.row
        table = standing.by_sheet(sheet)
        other = moved_row.other or (0, table[moved_row.key])
        rows = [(key, other[1] if key == moved_row.key else row) for key, row in table.in_file_order()]
        standing.put(Table.of(table.record, [*rows, (was, moved_row.row)]))
        cells.rows[sheet][was] = moved_row.number
        if moved_row.other is not None:
            cells.rows[sheet][moved_row.key] = other[0]


# `accept`, `revert`, `decide`.


MAX_REASON_LENGTH = 400
CELLS_LISTED = 12


class Decisions(NamedTuple):
    """What is decided on edits by hand. `kept`: the edits that are accepted, each with the reason; `back`: those whose
    old values are restored.
    """

    kept: Sequence[tuple[Edit, str]] = ()
    back: Sequence[Edit] = ()


@catches_abort("accept")
def accept(path: Path, cells: Sequence[str], *, why: str, everything: bool = False, lang: str = "") -> Result:
    """Accept edits by hand as rulings, each an event for those whom it concerns, in one change.

    `cells`: as they are shown, or ``Sheet!key.field``, or ``Sheet!key``; `everything`: all edits. Edits that would
    block the next phase are refused. Result data: ``accepted``: the edits, each with its ``audience``.
    """
    workspace = open_workspace(path, lang)
    reason = _clean_reason(why)
    if not reason:
        raise workspace.abort(Exit.USAGE, codes.NO_REASON)
    with open_for_writing(workspace, "accept") as session:
        chosen = _select_edits(workspace, session.watch, session.watch.edits, cells, everything)
        _abort_if_unfit(session, chosen)
        result = Result("accept", wording=workspace.wording)
        _carry_out(session, Decisions(kept=[(edit, reason) for edit in chosen]), result)
    return result


@catches_abort("revert")
def revert(path: Path, cells: Sequence[str], *, everything: bool = False, lang: str = "") -> Result:
    """Revert edits by hand, in one change. `cells`, `everything`: as for `accept`.

    Result data: ``reverted``: the edits.
    """
    workspace = open_workspace(path, lang)
    with open_for_writing(workspace, "revert") as session:
        edits = (*session.watch.edits, *session.watch.slips)
        chosen = _select_edits(workspace, session.watch, edits, cells, everything)
        result = Result("revert", wording=workspace.wording)
        _carry_out(session, Decisions(back=chosen), result)
    return result


@catches_abort("decide")
def decide(at: BookPlace, *, lang: str = "") -> Result:
    """Decide on edits by hand as the sheet of changes says, in one change: what has a reason there is accepted, what is
    to go back is reverted. What has neither stays undecided and is listed; then it ends as waiting. What is decided on
    the sheet Inbox is done first.

    Result data: ``accepted`` and ``reverted`` as of these commands, ``undecided``: the other edits; where the Inbox had
    a decision, those of `collect`, too.
    """
    workspace = open_workspace(at, lang)
    result = Result("decide", wording=workspace.wording)
    result.data.update(accepted=[], reverted=[])
    came = settle_inbox(workspace)
    if came is not None:
        result.lines += came.lines
        result.data.update(came.data)
        result.find(came.findings)
    with open_for_writing(workspace, "decide") as session:
        if not session.watch.known:
            raise workspace.abort(Exit.REFUSED, codes.NO_FINGERPRINTS)
        decisions = _decisions_on_sheet(session)
        if any(decisions):
            _abort_if_unfit(session, [edit for edit, _ in decisions.kept])
            _carry_out(session, decisions, result)
        else:
            _list_undecided(session, result)
    if result.data["undecided"]:
        result.exit = Exit.WAITING
    return result


def _clean_reason(text: str) -> str:
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())[:MAX_REASON_LENGTH]


def _decisions_on_sheet(session: WriteAccess) -> Decisions:
    """What the referee has written beside the edits that the sheet lists."""
    edits = session.watch.edits
    told = [(edit, _clean_reason(change.decision))
            for edit, change in zip(edits, list_changes(session.workspace, edits), strict=True)]
    return Decisions([(edit, text) for edit, text in told if text and not _puts_back(text)],
                     [edit for edit, text in told if _puts_back(text)])


def _puts_back(text: str) -> bool:
    return text.strip(" '\"“”").casefold() in PUT_BACK


def _list_undecided(session: WriteAccess, result: Result) -> None:
    """List the edits on their sheet, for the referee to decide. Raises `Abort`."""
    workspace, desk = session.workspace, session.workspace.campaign.desk
    _say_undecided(session, result)
    if session.watch.edits or workspace.reading.decided:
        _mark_changes(session, result.findings, PlannedStep("mark", desk.turn, desk.phase))
    if not session.watch.edits and "taken" not in result.data:  # what the Inbox had was something
        result.find([codes.finding(codes.NOTHING_BY_HAND, book=workspace.path.name)])
    result.find(workspace.second_copies)


def _mark_changes(session: WriteAccess, findings: Sequence[Finding], stage: PlannedStep) -> None:
    """Mark the undecided edits on their cells and list them. Raises `Abort`."""
    workspace, edits = session.workspace, session.watch.edits
    if workspace.book.live:  # what is shown there is no record: there is nothing to keep
        mark_open_book(workspace, findings, edits)
        return
    with ProtectedWrite(session, [stage]):
        workspace.book.mark(findings, workspace.sheet_wording, list_changes(workspace, edits))


def _abort_if_unfit(session: WriteAccess, chosen: Sequence[Edit]) -> None:
    """Raise `Abort` if one of these edits cannot be accepted."""
    workspace = session.workspace
    unread = [edit_finding(workspace, codes.UNREADABLE_BY_HAND, e) for e in chosen if not e.readable]
    if unread:
        raise workspace.abort_with(Exit.REFUSED, unread)
    wrong = findings_if_kept(workspace, chosen, session.watch.edits) if chosen else []
    if wrong:
        wrong = [*wrong, codes.finding(codes.UNFIT, book=workspace.path.name)]
        raise workspace.abort_with(Exit.REFUSED, wrong)


def _carry_out(session: WriteAccess, decisions: Decisions, result: Result) -> None:
    """Add the rulings, restore the old values, and write both in one change. Raises `Abort`."""
    workspace, cells = session.workspace, session.workspace.reading.cells
    shown = [(edit, edit_as_json(edit, cells)) for edit in decisions.back]
    doubled, after = bool(cells.doubled) and bool(shown), workspace.campaign.copy()
    audiences = ruling_audiences(workspace.ruleset, workspace.campaign, [edit for edit, _ in decisions.kept])
    accepted = [{**edit_as_json(edit, cells), "audience": audience, "why": why}
                for (edit, why), audience in zip(decisions.kept, audiences, strict=True)]
    events = _add_rulings(session, after, decisions.kept, audiences)
    done, undone, standing = _put_back(session, after, decisions.back)
    sentences = [workspace.sheet_wording.event(event) for event in events]
    if done:
        sentences.append(workspace.sheet_wording.plural(
            N_("{n} change by hand was put back."), N_("{n} changes by hand were put back."), len(done)))
    session.commit(result.command, after, sentences, decided=[*(edit for edit, _ in decisions.kept), *undone],
                   standing=standing)
    result.events = len(events)
    if result.command != "revert":
        result.data["accepted"] = accepted
    if result.command != "accept":
        result.data["reverted"] = [told for edit, told in shown if edit in done]
    _say_decisions(result, workspace, events, len(done))
    result.find(workspace.second_copies)
    _say_undecided(session, result)
    if doubled:  # what nobody can put back is named
        now = open_workspace(workspace.book if workspace.book.live else workspace.path, workspace.lang)
        result.find(f for f in now.reading.findings if f.code == TWO_KEYS)


def _add_rulings(session: WriteAccess, after: Campaign, kept: Sequence[tuple[Edit, str]], audiences: Sequence[str]
                 ) -> list[Event]:
    """Add the events of accepted edits."""
    workspace = session.workspace
    moment = clock_as_written(workspace, session.watch).desk
    begun = session.ledger.steps_in_force("resolve")
    return [add_ruling_event(after, moment, edit, why, edit_name(edit, workspace.reading.cells), audience,
                             set_up=not begun)
            for (edit, why), audience in zip(kept, audiences, strict=True)]


def _put_back(session: WriteAccess, after: Campaign, back: Sequence[Edit]
              ) -> tuple[list[Edit], list[Edit], Campaign | None]:
    """Restore old values in `after`: the edits that this reverts, those with what only seemed changed by them, and the
    campaign as it stands in the file (None: as it was read).
    """
    if not back:
        return [], [], None
    workspace = session.workspace
    again = find_moved_rows(workspace.on_sheets, workspace.reading.cells, [e for e in back if e.change == "gone"])
    # rows that seem changed only because another one has their key
    seeming = {(edit.edit.sheet, edit.key) for edit in again if edit.other is not None}
    done = [e for e in back if e.change != "set" or (e.sheet, e.row) not in seeming]
    undone = [*done, *(e for e in session.watch.edits if e.change == "set" and (e.sheet, e.row) in seeming)]
    undo_edits(after, undone)
    return done, undone, _campaign_in_file(workspace, undone, again)


def _say_decisions(result: Result, workspace: Workspace, events: Sequence[Event], back: int) -> None:
    words, book = workspace.wording, workspace.path.name
    for event in events:
        result.say(words.event(event))
    if events:
        result.say(words.plural(
            N_("{n} change by hand is a ruling now: it is on the sheet {sheet} and in the reports."
               " To take that back: arbitro undo {book}"),
            N_("{n} changes by hand are rulings now: they are on the sheet {sheet} and in the reports."
               " To take that back: arbitro undo {book}"), len(events), sheet=type(events[0]).sheet, book=book))
    if back:
        result.say(words.plural(N_("{n} change by hand was put back. To take that back: arbitro undo {book}"),
                                N_("{n} changes by hand were put back. To take that back: arbitro undo {book}"),
                                back, book=book))


def _campaign_in_file(workspace: Workspace, chosen: Sequence[Edit], again: Sequence[MovedRow] = ()) -> Campaign:
    """The campaign as it is in the file, for the writer to find what differs.

    An unreadable cell was read as its column's default, which may be just the value to restore; so it gets the typed
    text here. A row whose key was changed is to be changed in place, so it gets its old key here.
    """
    standing = workspace.on_sheets.copy()
    restore_own_keys(standing, workspace.reading.cells, again)
    for edit in chosen:
        table = standing.by_sheet(edit.sheet)
        if not edit.readable:
            row = next(iter(table)) if table.record.single else table[edit.row]
            setattr(row, edit.field, edit.new)
        if edit.change == "renamed":
            standing.put(Table.of(table.record, [(edit.was if key == edit.row else key, row)
                                                 for key, row in table.in_file_order()]))
            rows = workspace.reading.cells.rows[edit.sheet]
            rows[edit.was] = rows.pop(edit.row)
    return standing


def _say_undecided(session: WriteAccess, result: Result) -> None:
    """Report the edits that are still undecided."""
    workspace, left = session.workspace, session.watch.edits
    result.find(edit_findings(workspace, left))
    result.data["undecided"] = [edit_as_json(e, workspace.reading.cells) for e in left]


# --- Choosing -----------------------------------------------------------------------------------
def _select_edits(
    workspace: Workspace, watched: DetectedEdits, edits: Sequence[Edit], cells: Sequence[str], everything: bool
) -> list[Edit]:
    """The edits that the typed cells name, in the usual order. Raises `Abort`."""
    book = workspace.path.name
    if not cells and not everything:
        raise workspace.abort(Exit.USAGE, codes.NO_CELL, book=book)
    if not watched.known:
        raise workspace.abort(Exit.REFUSED, codes.NO_FINGERPRINTS)
    if not edits:
        raise workspace.abort(Exit.DONE if everything else Exit.REFUSED, codes.NOTHING_BY_HAND, book=book)
    if everything:
        return list(edits)
    by_name = _edits_by_name(workspace, edits)
    meant: list[Edit] = []
    for cell in cells:
        named = by_name.get(_normalize_cell_name(cell))
        if named is None:
            names = [edit_name(e, workspace.reading.cells) for e in edits]
            shown = ", ".join(names[:CELLS_LISTED]) + (", …" if len(names) > CELLS_LISTED else "")
            raise workspace.abort(Exit.USAGE, codes.NOT_BY_HAND, cell=cell, list=shown)
        meant += named
    return [edit for edit in edits if edit in meant]


def _normalize_cell_name(name: str) -> str:
    """Normalize the name of a cell: without quotes, blanks and $, and with ! between sheet and place."""
    plain = "".join(c for c in name.casefold() if c not in "'\"$ ")
    return plain if "!" in plain else plain.replace(".", "!", 1)


def _edits_by_name(workspace: Workspace, edits: Iterable[Edit]) -> dict[str, list[Edit]]:
    """Normalized name -> edits, by address and by key, with each name of the sheet."""
    by_name: dict[str, list[Edit]] = {}
    cells = workspace.reading.cells
    for edit in edits:
        record = workspace.ruleset.record(edit.sheet)
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
                named = by_name.setdefault(_normalize_cell_name(cell_address(sheet, "", 0).removesuffix("0") + place),
                                           [])
                if edit not in named:
                    named.append(edit)
    return by_name
