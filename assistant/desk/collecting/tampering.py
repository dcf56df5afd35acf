"""Cells that came back changed though they are no input: a copy and the views that it may show in; those cells out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Desk, FormRow, Order, Question, Rule
from assistant.desk import codes
from assistant.desk.collecting.opening_copies import Opened
from assistant.desk.intake.copy_reports import strangers_in
from assistant.desk.past.snapshots import campaign_before
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.watch.kept_campaigns import KeptCampaigns
from assistant.ledger import Ledger
from assistant.turn.battle_form.club_form import is_report, open_forms
from assistant.turn.battle_form.halves import battle_of
from assistant.turn.findings import Finding, Where
from assistant.turn.superseded import in_force
from assistant.wording import Verbatim
from assistant.workbook.copies.rows_sent import RowsSent, print_of_laid
from assistant.workbook.port import Reading

_TOLD = 8
"""So many changed cells of a copy are named one by one."""
_LONGEST = 60


class Cell(NamedTuple):
    """A cell that is no input: where it stands in the copy, what stands there, and what was sent."""

    place: str
    seen: str
    was: str


def tampered(opened: Opened, sitting: Sitting, ledger: Callable[[], Ledger]) -> list[Finding]:
    """What is to be said of the cells of a copy that are no input and came back changed.

    A copy may be of an earlier phase of this turn: then it is held against what its club knew then. `ledger`: opens the
    ledger, where the past is needed. Raises `LedgerTrouble`.
    """
    reading = opened.reading
    if reading is None:
        return []
    fewest, laid = _changed(reading, sitting, sitting.campaign, opened.club)
    if fewest:
        for earlier in _earlier(sitting, ledger, reading.campaign.desk):
            found, alike = _changed(reading, sitting, earlier, opened.club)
            if alike and (not laid or len(found) < len(fewest)):
                fewest, laid = found, True
            if not fewest:
                break
    told = [codes.finding(codes.TAMPERED, file=opened.arrival.name, faction=opened.club, cell=Verbatim(one.place),
                          seen=Verbatim(one.seen), was=Verbatim(one.was)) for one in fewest[:_TOLD]]
    if fewest[_TOLD:]:
        told.append(codes.finding(codes.TAMPERED_MORE, file=opened.arrival.name, n=len(fewest) - _TOLD))
    return told


def _earlier(sitting: Sitting, ledger: Callable[[], Ledger], desk: Desk) -> Iterator[Campaign]:
    """The campaign as it was before each change of the phase of which a copy is, the latest first."""
    with ledger() as open_ledger:
        kept = KeptCampaigns(open_ledger, {record.sheet: record for record in sitting.ruleset.records})
        for step in reversed(open_ledger.steps()):
            if (step.turn, step.phase) == (desk.turn, desk.phase) and step.state == "done" and step.sha_before:
                yield campaign_before(open_ledger, step.id, sitting.path.name, sitting.loader, kept)


def _changed(reading: Reading, sitting: Sitting, campaign: Campaign, club: str) -> tuple[list[Cell], bool]:
    """The cells that say something else than the club's view of a campaign; whether a copy of that moment would have
    had the same further rows of battles.
    """
    view = sitting.ruleset.view(in_force(campaign), club)
    theirs, found = reading.campaign, list[Cell]()
    form = sitting.ruleset.form
    told = {battle_of(row) for row in theirs.table(Question) if is_report(form, row, club)} if theirs.has(
        Question.sheet) else set[str]()
    found += [Cell(reading.cells.of(Where(Question.sheet, row.ident, "question")), _short(row.ident), "")
              for row in strangers_in(reading, campaign, club)]
    for sheet in reading.cells.titles:
        if sheet == Desk.sheet:
            found += _of_row(reading, theirs.desk, view.desk, _settings(reading, theirs.desk))
        elif issubclass(theirs.by_sheet(sheet).record, Order):
            found += _of_orders(reading, club)
        elif theirs.has(sheet) and view.has(sheet):
            found += _of_table(reading, view, sheet, told)
    laid = RowsSent.of(reading.rows_sent).laid
    return found, not laid or laid == print_of_laid(open_forms(sitting.ruleset, view, club))


def _settings(reading: Reading, desk: Record) -> list[str]:
    """The settings that a copy shows; its language is the club's own."""
    return [c.name for c in desk.columns() if c.name in reading.cells.desk and c.name != "language"]


def _of_orders(reading: Reading, club: str) -> Iterator[Cell]:
    """A form on which somebody wrote another faction than the club's."""
    for row in reading.campaign.table(Order):
        if row.faction not in ("", club):
            yield Cell(reading.cells.of(Where(Order.sheet, row.order, "faction")), _short(row.faction), club)


def _of_table(reading: Reading, view: Campaign, sheet: str, told: Collection[str]) -> Iterator[Cell]:
    """The cells of a table that say something else than its rows in the view; rows that were put in or taken out.

    `told`: the battles on which the copy lets its club report, whose further rows it fills in.
    """
    theirs, ours = reading.campaign.by_sheet(sheet), view.by_sheet(sheet)
    record = theirs.record
    form, unread = issubclass(record, Question), {(one.where.table, one.where.row) for one in reading.findings}
    names = [name for name in reading.cells.letters.get(sheet, {}) if not form or record.column(name).edit != "club"]
    first = next((name for name in names if record.column(name).key), names[0] if names else "")
    for key, row in theirs.in_file_order():
        was = ours.get(key)
        if isinstance(row, FormRow) and row.battle in told:
            yield from _of_row(reading, row, was, [name for name in names if name not in row.form()]) if was else ()
        elif was is not None:
            yield from _of_row(reading, row, was, names)
        elif not issubclass(record, Rule) and not form:
            yield Cell(reading.cells.of(Where(sheet, key, first)), _short(key), "")
    if not form and not issubclass(record, Rule):
        yield from (Cell(reading.cells.of(Where(sheet, "", first)), "", _short(key)) for key, _ in ours.in_file_order()
                    if key not in theirs and (sheet, key) not in unread)


def _of_row(reading: Reading, row: Record, was: Record, names: Iterable[str]) -> Iterator[Cell]:
    for name in names:
        column = row.column(name)
        seen, sent = getattr(row, name), getattr(was, name)
        if sent == column.hidden and seen == column.default:
            continue  # what the club may not see is a blank cell, which is read as the default
        if seen != sent and _plain(column.kind.show(seen)) != _plain(column.kind.show(sent)):
            yield Cell(reading.cells.of(Where(row.sheet, row.ident, name)), _short(column.kind.show(seen)),
                       _short(column.kind.show(sent)))


def _plain(text: Any) -> str:
    """A text without what programs do to blanks and breaks."""
    return " ".join(str(text).split())


def _short(text: Any) -> str:
    plain = _plain(text)
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "…"
