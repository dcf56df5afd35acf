"""What is seen gives away what is hidden: a phase that was played in; sentences out.

`assistant.testing.fog` changes what is hidden and compares what leaves for a club. What moves or is numbered together
with something hidden it cannot find so, as all may see it: that is asked here, of views and of what phases do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref
from assistant.campaign.record import Record, named_in_touched
from assistant.campaign.records import Event, Faction, Node
from assistant.testing.robots import Judge, answers_to, by_default, finished
from assistant.turn.phases import Outcome, bad_data
from assistant.turn.ruleset import Ruleset
from assistant.turn.views import ADDRESSED, Viewer

_NUMBER = re.compile(r"[0-9]+$")
FAR = 1000
"""So much higher is the number of the row that is put in than that of the hidden row of which it is a twin."""
Row = tuple[str, str]
"""Sheet and key."""


def readers(campaign: Campaign) -> list[str]:
    """The factions, and "" for everybody."""
    return ["", *(row.faction for row in campaign.table(Faction))]


def is_there(row: Record, viewer: Viewer) -> bool:
    """Whether a row is there for a reader at all."""
    return all(viewer.sees(row, column.name) for column in row.columns() if column.key)


def _sheets(campaign: Campaign) -> list[type[Record]]:
    """Those of which the rules speak: who may read a row of the others stands in it."""
    return [record for record in campaign.records().values() if not issubclass(record, ADDRESSED)]


# --- numbers that are not blank -------------------------------------------------------------------------
def not_blank(ruleset: Ruleset, whole: Campaign) -> list[str]:
    """Columns (``Sheet.field``) in which a view shows anything to somebody who may not see them, a 0 above all.

    Sheets of which a reader is shown something otherwise (`Viewer.exceptions`) are left out.
    """
    found = dict[str, None]()
    for code in readers(whole):
        viewer, view = ruleset.viewer(whole, code), ruleset.view(whole, code)
        for record in _sheets(whole):
            if record.sheet in viewer.exceptions() or [c.name for c in record.columns() if c.key] == ["no"]:
                continue
            rows, veiled = whole.by_sheet(record.sheet), [c for c in record.columns() if c.see != "public"]
            for key, row in view.by_sheet(record.sheet).raw_rows():
                found |= {f"{record.sheet}.{c.name}": None for c in veiled
                          if not viewer.sees(rows[key], c.name) and getattr(row, c.name) != c.hidden}
    return list(found)


# --- what goes with something hidden ----------------------------------------------------------------------
def moved_with_hidden(ruleset: Ruleset, before: Campaign, after: Campaign) -> list[tuple[str, Row, Row]]:
    """Reader, a row that went to another place before its eyes, and one of another sheet that is not there for it and
    went there, too, in an event that the reader is not told, as it is told of no other that moved the first row.
    """
    old = {key for key, _ in before.table(Event).raw_rows()}
    fresh = [event for key, event in after.table(Event).in_file_order() if key not in old]
    moved = {named_in_touched(record.sheet, key): ((record.sheet, key), place) for record in _sheets(after)
             for key, place in _moves(record, before, after)}
    found = []
    for code in readers(after):
        then, now = (ruleset.viewer(one, code) for one in (before, after))
        told = {name for event in fresh if now.owns(event) for name in event.touched.split()}
        for event in fresh if moved else ():
            rows = [moved[name] for name in event.touched.split() if name in moved and name not in told]
            found += [(code, row, hidden) for row, place in rows for hidden, there in rows
                      if row[0] != hidden[0] and place == there and not now.owns(event)
                      and _seen(row, before, then) and _seen(row, after, now)
                      and not (_seen(hidden, before, then) or _seen(hidden, after, now))]
    return found


def _moves(record: type[Record], before: Campaign, after: Campaign) -> Iterator[tuple[str, str]]:
    """The keys of rows that stand in another place than before, with the place."""
    places = [c.name for c in record.columns() if isinstance(c.kind, Ref) and c.kind.table == Node.sheet]
    for key, row in after.by_sheet(record.sheet).raw_rows() if places else ():
        was = before.by_sheet(record.sheet).get(key)
        yield from ((key, getattr(row, name)) for name in places[:1]
                    if was is not None and getattr(row, name) and getattr(row, name) != getattr(was, name))


def _seen(row: Row, campaign: Campaign, viewer: Viewer) -> bool:
    return is_there(campaign.by_sheet(row[0])[row[1]], viewer)


# --- codes that count -------------------------------------------------------------------------------------
def counting_codes(ruleset: Ruleset, before: Campaign, outcome: Outcome, secret: bytes,
                   judge: Judge | None = None) -> Iterator[tuple[str, str, str, str]]:
    """Reader, sheet, the code of a new row that it sees, and what the row is called where others have a row more that
    the reader does not see. `before`: the campaign with the orders of the phase of which `outcome` came.
    """
    for code in readers(before):
        views = ruleset.view(before, code), ruleset.view(outcome.campaign, code)
        for record in _sheets(before):
            called = _fresh(record, *views)
            twin = _twin(ruleset, record, before, outcome.campaign, code) if called else None
            if twin is None:
                continue
            more = before.copy()
            more.by_sheet(record.sheet).add(twin)
            if any(one.stops for one in bad_data(ruleset, more)):
                continue  # the book itself cannot have it
            again = finished(ruleset, more, secret, lambda one: answers_to(ruleset, one, judge or by_default(ruleset)))
            otherwise = _fresh(record, ruleset.view(more, code), ruleset.view(again.campaign, code))
            if len(otherwise) == len(called):
                yield from ((code, record.sheet, one, other) for one, other in zip(called, otherwise, strict=True)
                            if one != other)


def _fresh(record: type[Record], before: Campaign, after: Campaign) -> list[str]:
    """The codes of the rows of a sheet that came in a phase."""
    old, new = before.by_sheet(record.sheet), after.by_sheet(record.sheet)
    return [key for key in reversed(list(new.from_the_last())) if key not in old]


def _twin(ruleset: Ruleset, record: type[Record], before: Campaign, after: Campaign, code: str) -> Record | None:
    """A copy, with a far higher number, of the last numbered row that is hidden from a reader, now or by then."""
    keys = [column.name for column in record.columns() if column.key]
    for campaign in (before, after):
        viewer = ruleset.viewer(campaign, code)
        for key in campaign.by_sheet(record.sheet).from_the_last():
            row = campaign.by_sheet(record.sheet)[key]
            number = _NUMBER.search(key) if len(keys) == 1 and isinstance(getattr(row, keys[0]), str) else None
            if number is not None and not is_there(row, viewer):
                twin: Record = row.copy()
                setattr(twin, keys[0], f"{key[:number.start()]}{int(number[0]) + FAR}")
                return twin
    return None


# --- in sentences ---------------------------------------------------------------------------------------
def faults_of_view(ruleset: Ruleset, whole: Campaign) -> list[str]:
    """What views show in place of nothing."""
    return [f"{where} is not blank for who may not see it. Leave the view as it is derived; what is shown otherwise "
            "goes into exceptions of the viewer." for where in not_blank(ruleset, whole)]


def faults_of_phase(ruleset: Ruleset, before: Campaign, outcome: Outcome, secret: bytes) -> list[str]:
    """What a phase gave away. `before`, `outcome`: as for `counting_codes`."""
    moved = moved_with_hidden(ruleset, before, outcome.campaign)
    found = [f"{reader or 'Everybody'} sees {row[0]}/{row[1]} move with {hidden[0]}/{hidden[1]}, of which it may not "
             "know. Say with see that it is seen as that is, or tell of it." for reader, row, hidden in moved]
    return found + [f"{reader or 'Everybody'} sees {sheet}/{key}, which is {other} where others have a row more that "
                    "it may not see. Count each owner's rows by themselves."
                    for reader, sheet, key, other in counting_codes(ruleset, before, outcome, secret)]
