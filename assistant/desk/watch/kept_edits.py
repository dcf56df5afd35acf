"""Rulings: changes by hand that are kept in; their events out, and what each of them says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import in_natural_order
from assistant.campaign.record import Record
from assistant.campaign.records import ALL, REFEREE, Desk, Event, Faction, next_number
from assistant.desk.watch.edits import Edit, undo
from assistant.desk.watch.fingerprints import shown
from assistant.turn.messages.house import COMMON_EVENTS, RULING
from assistant.turn.ruleset import Ruleset
from assistant.turn.views import Viewer


class Ruling(NamedTuple):
    """A change by hand that was accepted. `turn`, `phase`: it was made before this phase was resolved."""

    turn: str
    phase: str
    edit: Edit
    why: str
    event: Event


def rulings_of(campaign: Campaign, beside: Campaign | None = None) -> list[Ruling]:
    """All rulings of a campaign, in the order in which they were made. `beside`: a campaign with which it has its past
    in common, without those that sleep in both.
    """
    table = campaign.table(Event)
    events = [row for _, row in (table.raw_rows() if beside is None else table.beside(beside.table(Event)))
              if row.event == RULING]
    return [Ruling(e.turn, e.phase, _edit_of(e.data), str(e.data.get("why", "")), e.copy())
            for e in sorted(events, key=lambda e: e.no)]


def tell(campaign: Campaign, moment: Desk, edit: Edit, why: str, cell: str, audience: str, *,
         set_up: bool = False) -> Event:
    """Add the event of a ruling. `moment`: the Desk as Arbitro had last written it; `cell`: the address; `set_up`: no
    phase was resolved yet, so that it sets the campaign up and nobody has ruled otherwise than the book.
    """
    data: dict[str, Any] = {"change": edit.change, "how": _how(edit), "sheet": edit.sheet, "row": edit.row,
                            "field": edit.field, "old": edit.old, "new": edit.new, "cell": cell, "why": why}
    if set_up:
        data["set_up"] = True
    if edit.was:
        data["was"] = edit.was
    if edit.values:
        data["values"] = dict(edit.values)
    events = campaign.table(Event)
    return events.add(events.record(
        no=next_number(events), turn=moment.turn, phase=moment.phase, audience=audience, event=RULING,
        rule=COMMON_EVENTS[RULING].rule, data=data, touched=f"{edit.sheet}/{edit.row}"))


def _how(edit: Edit) -> str:
    """Which sentence tells it."""
    if edit.change != "set" or (edit.old and edit.new):
        return edit.change
    return "filled" if edit.new else "emptied"


def _edit_of(data: Mapping[str, Any]) -> Edit:
    return Edit(data["change"], str(data["sheet"]), str(data["row"]), str(data["field"]), str(data["old"]),
                str(data["new"]), str(data.get("was", "")), dict(data.get("values", {})))


# --- whom it concerns ---------------------------------------------------------------------------
class _Reader(NamedTuple):
    """A faction and what it may know before some changes by hand and after them."""

    viewers: tuple[Viewer, Viewer]
    views: tuple[Campaign, Campaign]


def audiences(ruleset: Ruleset, campaign: Campaign, edits: Sequence[Edit]) -> list[str]:
    """Who may know of each change: ``all``, codes in natural order, or ``referee``.

    A column that only the referee sees concerns the referee. Else everybody is told whose view shows the
    value before and the value after, and the owner of the row, unless the column is hidden from owners.
    `campaign`: with the changes in it.
    """
    before = campaign.copy()
    undo(before, edits)
    codes = [f.faction for f in campaign.table(Faction)]
    readers = {code: _Reader((ruleset.viewer(before, code), ruleset.viewer(campaign, code)),
                             (ruleset.view(before, code), ruleset.view(campaign, code))) for code in ("", *codes)}
    return [_audience(one, readers) for one in edits]


def _audience(edit: Edit, readers: Mapping[str, _Reader]) -> str:
    public = readers[""]
    record = public.viewers[1].campaign.by_sheet(edit.sheet).record
    if edit.field and public.viewers[1].is_the_referees(record, edit.field):
        return REFEREE
    if _sees(edit, *public.views):
        return ALL
    known = {code for code, one in readers.items() if code and (_sees(edit, *one.views) or _owns(edit, *one.viewers))}
    return " ".join(in_natural_order(known)) or REFEREE


def _owns(edit: Edit, before: Viewer, after: Viewer) -> bool:
    """Whether the row was the viewer's or is now, with what the ruling tells of it."""
    for viewer, key in ((before, edit.was or edit.row), (after, edit.row)):
        row = viewer.campaign.by_sheet(edit.sheet).get(key)
        if row is not None and viewer.owns(row) and (not edit.field or viewer.sees(row, edit.field)):
            return True
    return False


def _sees(edit: Edit, before: Campaign, after: Campaign) -> bool:
    """Whether a view shows all that the ruling tells."""
    if edit.sheet not in before.tables() or edit.sheet not in after.tables():
        return False
    then, now = before.by_sheet(edit.sheet), after.by_sheet(edit.sheet)
    if then.record.single:
        old, new = next(iter(then), None), next(iter(now), None)
    else:
        old, new = then.get(edit.was or edit.row), now.get(edit.row)
    if edit.change == "added":
        return new is not None
    if edit.change == "gone":
        return old is not None
    return _shows(old, edit.field, edit.old) and _shows(new, edit.field, edit.new)


def _shows(row: Record | None, name: str, text: str) -> bool:
    return not text if row is None else shown(row, name) == text
