"""Checks that nothing sent to a faction reveals what it may not know."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Colour, Column, Data, Flag, Parts, Ref, Text, ValueKind, Whole
from assistant.campaign.records import Die, Event, Faction, Node
from assistant.campaign.tables import Record, Table, touched_name
from assistant.desk.clubs.outgoing import MailData, package_of, packages_of
from assistant.desk.commands.publish import copy_language
from assistant.desk.commands.report import (
    CampaignState,
    Drawer,
    Previous,
    Proofs,
    faction_page,
    public_pages,
    undrawn_for,
)
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.ledger.outbox import token_of
from assistant.pictures.scene import alt_text
from assistant.post.letters import Letter, Stamp, compose, message_id, parts_of, render_chat
from assistant.reporting.booklet import build_booklet
from assistant.reporting.build import build_end, build_gazette, build_page
from assistant.reporting.chronicle import build_chronicle, render_chronicle
from assistant.reporting.render import ORDERED, render_booklet, render_html, render_json, render_text
from assistant.testing.robots import finish_with_robots
from assistant.turn.phases import Outcome, check_campaign, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.views import ADDRESSED, Viewer
from assistant.wording import Wording

# Hidden things given away by visible ones.
#
# The checks further below change hidden facts and compare what is sent. They cannot find something visible that moves
# or is numbered together with something hidden, as it may be seen by all: this section looks for that, in views and
# in the results of phases.


_NUMBER = re.compile(r"[0-9]+$")
FAR = 1000
"""How much higher the number of an added row is than that of the hidden row that it copies."""
Row = tuple[str, str]
"""Sheet and key."""


def readers(campaign: Campaign) -> list[str]:
    """The factions, and "" for everybody."""
    return ["", *(row.faction for row in campaign.table(Faction))]


def row_is_visible(row: Record, viewer: Viewer) -> bool:
    """Whether a reader sees the row at all, that is, its key."""
    return all(viewer.sees(row, column.name) for column in row.columns() if column.key)


def _sheets(campaign: Campaign) -> list[type[Record]]:
    return [record for record in campaign.records().values() if not issubclass(record, ADDRESSED)]


# --- cells that are not blank ---------------------------------------------------------------------------
def unblanked_columns(ruleset: Ruleset, whole: Campaign) -> list[str]:
    """Columns (``Sheet.field``) in which a view is not blank although its reader may not see them; often it is a 0.

    Sheets that are shown differently on purpose (`Viewer.exceptions`) are left out.
    """
    columns = dict[str, None]()
    for code in readers(whole):
        viewer, view = ruleset.viewer(whole, code), ruleset.view(whole, code)
        for record in _sheets(whole):
            if record.sheet in viewer.exceptions() or [c.name for c in record.columns() if c.key] == ["no"]:
                continue
            rows, veiled = whole.by_sheet(record.sheet), [c for c in record.columns() if c.see != "public"]
            for key, row in view.by_sheet(record.sheet).raw_rows():
                columns |= {f"{record.sheet}.{c.name}": None for c in veiled
                            if not viewer.sees(rows[key], c.name) and getattr(row, c.name) != c.hidden}
    return list(columns)


# --- moving with something hidden -------------------------------------------------------------------------
def hidden_companions(ruleset: Ruleset, before: Campaign, after: Campaign) -> list[tuple[str, Row, Row]]:
    """Reader, visible row, hidden row: both moved to the same place in one event, and the reader is told of no event
    that explains the visible move.
    """
    old = {key for key, _ in before.table(Event).raw_rows()}
    fresh = [event for key, event in after.table(Event).in_file_order() if key not in old]
    moved = {touched_name(record.sheet, key): ((record.sheet, key), place) for record in _sheets(after)
             for key, place in _moves(record, before, after)}
    moves = []
    for code in readers(after):
        then, now = (ruleset.viewer(campaign, code) for campaign in (before, after))
        told = {name for event in fresh if now.owns(event) for name in event.touched.split()}
        for event in fresh if moved else ():
            rows = [moved[name] for name in event.touched.split() if name in moved and name not in told]
            moves += [(code, row, hidden) for row, place in rows for hidden, there in rows
                      if row[0] != hidden[0] and place == there and not now.owns(event)
                      and _row_is_seen(row, before, then) and _row_is_seen(row, after, now)
                      and not (_row_is_seen(hidden, before, then) or _row_is_seen(hidden, after, now))]
    return moves


def _moves(record: type[Record], before: Campaign, after: Campaign) -> Iterator[tuple[str, str]]:
    """The keys of rows that moved, each with its new place."""
    places = [c.name for c in record.columns() if isinstance(c.kind, Ref) and c.kind.table == Node.sheet]
    for key, row in after.by_sheet(record.sheet).raw_rows() if places else ():
        was = before.by_sheet(record.sheet).get(key)
        yield from ((key, getattr(row, name)) for name in places[:1]
                    if was is not None and getattr(row, name) and getattr(row, name) != getattr(was, name))


def _row_is_seen(row: Row, campaign: Campaign, viewer: Viewer) -> bool:
    return row_is_visible(campaign.by_sheet(row[0])[row[1]], viewer)


# --- codes that count -------------------------------------------------------------------------------------
def counting_codes(ruleset: Ruleset, before: Campaign, outcome: Outcome, secret: bytes
                   ) -> Iterator[tuple[str, str, str, str]]:
    """Reader, sheet, code of a new row that it sees, and the different code that this row gets if there is one more
    row that the reader does not see. `before`: the campaign with the orders of the phase that led to `outcome`.
    """
    for code in readers(before):
        views = ruleset.view(before, code), ruleset.view(outcome.campaign, code)
        for record in _sheets(before):
            called = _new_keys(record, *views)
            twin = _hidden_twin(ruleset, record, before, outcome.campaign, code, called[-1]) if called else None
            if twin is None:
                continue
            more = before.copy()
            more.by_sheet(record.sheet).add(twin)
            if any(finding.stops for finding in check_campaign(ruleset, more)):
                continue  # the rules themselves do not allow such a row
            again = finish_with_robots(ruleset, more, secret)
            otherwise = _new_keys(record, ruleset.view(more, code), ruleset.view(again.campaign, code))
            if len(otherwise) == len(called):
                yield from ((code, record.sheet, key, other) for key, other in zip(called, otherwise, strict=True)
                            if key != other)


def _new_keys(record: type[Record], before: Campaign, after: Campaign) -> list[str]:
    """The codes of rows that a phase added to a sheet."""
    old, new = before.by_sheet(record.sheet), after.by_sheet(record.sheet)
    return [key for key in reversed(list(new.from_the_last())) if key not in old]


def _hidden_twin(ruleset: Ruleset, record: type[Record], before: Campaign, after: Campaign, code: str, seen: str
                 ) -> Record | None:
    """A copy, with a far higher number, of the last numbered row that is hidden from a reader before or after; of one
    that is numbered like `seen`, a code that the reader sees, if there is any.
    """
    keys = [column.name for column in record.columns() if column.key]
    hidden = list[tuple[str, Record]]()
    for campaign in (before, after) if len(keys) == 1 else ():
        viewer, table = ruleset.viewer(campaign, code), campaign.by_sheet(record.sheet)
        for row in map(table.__getitem__, table.from_the_last()):
            key = getattr(row, keys[0])
            if isinstance(key, str) and _NUMBER.search(key) and not row_is_visible(row, viewer):
                hidden.append((_NUMBER.sub("", key), row))
    stem = _NUMBER.sub("", seen)
    for shape, row in [*(pair for pair in hidden if pair[0] == stem), *hidden][:1]:
        number = int(getattr(row, keys[0]).removeprefix(shape)) + FAR
        twin: Record = row.copy()
        setattr(twin, keys[0], f"{shape}{number}")
        return twin
    return None


# --- faults in sentences --------------------------------------------------------------------------------
def faults_of_view(ruleset: Ruleset, whole: Campaign) -> list[str]:
    """Hidden cells that views do not blank."""
    return [f"{where} is not blank for who may not see it. Leave the view as it is derived; what is shown otherwise "
            "goes into exceptions of the viewer." for where in unblanked_columns(ruleset, whole)]


def faults_of_phase(ruleset: Ruleset, before: Campaign, outcome: Outcome, secret: bytes) -> list[str]:
    """Secrets that a phase gave away. `before`, `outcome`: as for `counting_codes`."""
    moved = hidden_companions(ruleset, before, outcome.campaign)
    faults = [f"{reader or 'Everybody'} sees {row[0]}/{row[1]} move with {hidden[0]}/{hidden[1]}, of which it may not "
              "know. Say with see that it is seen as that is, or tell of it." for reader, row, hidden in moved]
    return faults + [f"{reader or 'Everybody'} sees {sheet}/{key}, which is {other} where others have a row more that "
                     "it may not see. Count each owner's rows by themselves if nobody else sees their keys; else "
                     "name them after a place, a turn, or what they belong to."
                     for reader, sheet, key, other in counting_codes(ruleset, before, outcome, secret)]


# Non-interference: what a faction may not see changes no byte of what is sent to it.
#
# This works for any ruleset: the hidden cells are found by asking the ruleset's own viewer.


Keep = Callable[[Record], bool]
Package = Callable[[Ruleset, Campaign, str, Campaign | None], str | bytes]


def report_package(
    ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None, lang: str = "en"
) -> str:
    """Everything sent to one club in one string: its report, the gazette and, after the end, the final page, as HTML,
    text and JSON; the book of the war for everybody; and the rules booklet, which is made of the whole campaign.
    """
    words = Wording(ruleset, lang)
    views, then = ({code: ruleset.view(campaign, code) for code in (faction, "")} if campaign is not None else {}
                   for campaign in (whole, before))
    pages = (build_page(ruleset, views[faction], faction, words, previous=then.get(faction)),
             build_gazette(ruleset, views[""], words, previous=then.get("")),
             *((build_end(ruleset, views[""], words),) if ruleset.is_over(whole) else ()))
    return "".join([*(render(page) for page in pages for render in (render_html, render_text, render_json)),
                    *books_for_all(ruleset, whole, words)])


def books_for_all(ruleset: Ruleset, whole: Campaign, words: Wording) -> tuple[str, str]:
    """What everybody may ask for at any time: the book of the war, and the rules booklet."""
    public = ruleset.view(whole, "")
    return (render_chronicle(build_chronicle(ruleset, public, words.lang, public=public), (), ()),
            render_booklet(build_booklet(ruleset, whole, words, {})))


# --- hidden cells -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class HiddenCell:
    """A cell that a faction may not see, and another value that it might have."""

    sheet: str
    key: str
    name: str
    other: Any


def hidden_cells(ruleset: Ruleset, whole: Campaign, faction: str, keep: Keep) -> Iterator[HiddenCell]:
    """The cells of a campaign that a faction may not see and that could have another value, except in kept rows."""
    viewer = ruleset.viewer(whole, faction)
    for sheet, table in whole.tables().items():
        for key, row in table.in_file_order():
            for column in row.columns():
                if not (column.key or keep(row) or viewer.sees(row, column.name)):
                    value = other_value(column, getattr(row, column.name), whole)
                    if value is not None:
                        yield HiddenCell(sheet, key, column.name, value)


def other_value(column: Column, value: Any, whole: Campaign) -> Any:
    """Another value that the column can hold; None if there is none."""
    kind = column.kind
    if isinstance(kind, Whole):
        return (kind.minimum or 1) if value is None else value - 1 if value == kind.maximum else value + 1
    if isinstance(kind, Parts):
        return value + kind.per
    if isinstance(kind, Flag):
        return not value
    if isinstance(kind, Choice):
        return next((option for option in kind.options if option != value), None)
    if isinstance(kind, Ref):
        codes = whole.by_sheet(kind.table).keys()
        return next((code for code in codes if code != value), None)
    if isinstance(kind, Codes):
        return (*value, "FOG")
    if isinstance(kind, Data):
        return [*value, {"fog": "FOG"}] if kind.rows else {**value, "fog": "FOG"}
    if isinstance(kind, Colour):
        return "#010203" if value != "#010203" else "#030201"
    return _other_text(kind, value)


def _other_text(kind: ValueKind, value: Any) -> Any:
    if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
        return type(value)(int(value) + 1)  # a turn stays a turn, a hex a hex
    return None if isinstance(kind, Text) and kind.pattern else f"{value}FOG"


def with_other_values(whole: Campaign, facts: Iterable[HiddenCell]) -> Campaign:
    """A copy of the campaign with the other values of these cells."""
    new = Campaign([])
    for table in whole.tables().values():
        new.put(Table.of(table.record, [(key, row.copy()) for key, row in table.in_file_order()]))
    for fact in facts:
        setattr(new.by_sheet(fact.sheet)[fact.key], fact.name, fact.other)
    return new


def still_hidden_cells(ruleset: Ruleset, whole: Campaign, faction: str, facts: list[HiddenCell]) -> list[HiddenCell]:
    """The cells that stay hidden when all of them change. A change that makes its row visible is no secret, nor is a
    column that shows or hides other rows.
    """
    def visible_rows(campaign: Campaign) -> set[tuple[str, str]]:
        viewer = ruleset.viewer(campaign, faction)
        return {(sheet, key) for sheet, table in campaign.tables().items() for key, row in table.raw_rows()
                if row_is_visible(row, viewer)}

    there, kept = visible_rows(whole), facts
    while True:
        after = with_other_values(whole, kept)
        viewer, new = ruleset.viewer(after, faction), visible_rows(after) - there
        facts, kept = kept, [fact for fact in kept if (fact.sheet, fact.key) not in new and not viewer.sees(
            after.by_sheet(fact.sheet)[fact.key], fact.name)]
        if len(kept) == len(facts):
            break
    by_column: dict[tuple[str, str], list[HiddenCell]] = {}
    for fact in kept if visible_rows(after) != there else ():
        by_column.setdefault((fact.sheet, fact.name), []).append(fact)
    telling = {column for column, some in by_column.items() if visible_rows(with_other_values(whole, some)) != there}
    if not telling:
        return kept
    return still_hidden_cells(ruleset, whole, faction, [f for f in kept if (f.sheet, f.name) not in telling])


def without_hidden_rows(ruleset: Ruleset, whole: Campaign, faction: str, keep: Keep) -> Campaign:
    """The campaign without the rows that a faction does not see."""
    viewer, new = ruleset.viewer(whole, faction), Campaign([])
    for table in whole.tables().values():
        new.put(Table.of(table.record, [(key, row) for key, row in table.in_file_order()
                                        if keep(row) or row_is_visible(row, viewer)]))
    return new


# --- leaks ------------------------------------------------------------------------------------------
def leaking_columns(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None, *,
          keep: Keep = lambda row: False, touched: set[tuple[str, str]] | None = None,
          package: Package = report_package) -> list[str]:
    """Columns (``Sheet.field``) whose hidden cells change what is sent to a faction; [] for a good ruleset.

    `keep`: rows to leave alone, because all may know them although their sheet hides them; `touched`: collects the
    columns that were tried; `package`: makes what is sent to a faction.
    """
    sent = package(ruleset, whole, faction, before)
    facts = still_hidden_cells(ruleset, whole, faction, list(hidden_cells(ruleset, whole, faction, keep)))
    if touched is not None:
        touched |= {(fact.sheet, fact.name) for fact in facts}
    leaking = []
    if package(ruleset, with_other_values(whole, facts), faction, before) != sent:
        columns = dict.fromkeys((fact.sheet, fact.name) for fact in facts)
        leaking = [".".join(column) for column in columns if sent != package(
            ruleset, with_other_values(whole, [f for f in facts if (f.sheet, f.name) == column]), faction, before)]
        leaking = leaking or ["several columns together"]
    if package(ruleset, without_hidden_rows(ruleset, whole, faction, keep), faction, before) != sent:
        leaking.append("rows that are not there for it")
    return leaking


def dice_told_too_widely(ruleset: Ruleset, whole: Campaign) -> list[tuple[str, str, str]]:
    """Faction, event and key of every throw in an event that the faction sees although it may not see the die."""
    throws = []
    for code in ("", *whole.table(Faction).keys()):
        seen, record = ruleset.view(whole, code), whole.table(Die).record
        for event in seen.table(Event):
            for roll in event.roll.get("rolls", [event.roll] if event.roll else []):
                key = record(key=str(roll.get("key")), turn=event.turn, phase=event.phase).ident
                if key in whole.table(Die) and key not in seen.table(Die):
                    throws.append((code, event.event, key))
    return throws


def fog_faults(ruleset: Ruleset, whole: Campaign, before: Campaign | None = None, *,
               keep: Keep = lambda row: False) -> list[str]:
    """Secrets that reports reveal, in sentences; [] for a good ruleset."""
    faults = faults_of_view(ruleset, whole)
    for code in (row.faction for row in whole.table(Faction)):
        faults += [f"What leaves for {code} is not the same when {where} says something else, which {code} may not "
                   "see. Say with see of that column who may see it, or show less in viewer, glance, standings or "
                   "dossier."
                   for where in leaking_columns(ruleset, whole, code, before, keep=keep)]
    return faults + [f"The event {event} tells {code or 'everybody'} of the die {key}, which is not for them. Throw it "
                     "for those to whom the event is told, or tell the event to fewer."
                     for code, event, key in dice_told_too_widely(ruleset, whole)]


# Whole packages: every byte that `arbitro send` mails.
#
# That is the source of both mails with headers, file names and sizes, and each part of the workbook, unpacked; also
# everything that pictures are drawn from, and the JSON and chat message that are written beside them.


CANARY = "FOG"
"""What `other_value` appends to every hidden text."""
CLUB, DATE, REFEREE = "club@example.org", "Sun, 22 Nov 2026 21:00:00 +0100", "referee@example.org"


def whole_package(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None) -> bytes:
    """Everything that is mailed to a club, as one string of bytes. `before`: the campaign at its last report."""
    return b"\0".join(name.encode("utf-8", "surrogatepass") + b"\0" + data
                      for name, data in pieces(ruleset, whole, faction, before))


def pieces(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None) -> Iterator[
        tuple[str, bytes]]:
    """The pieces of `whole_package`, each with its name."""
    known = _outgoing(ruleset, whole, before)
    letters = _letters_for(known, faction)
    for letter in letters:
        ident = message_id("campaign", letter.digest, 0, "example.org")
        to = (CLUB,) if letter.faction else ()
        yield f"{letter.kind}.eml", compose(letter, Stamp(ident, DATE, REFEREE, "", to))
        for name, data in letter.attached:
            with zipfile.ZipFile(io.BytesIO(data)) as book:
                yield from ((f"{name}/{part}", book.read(part)) for part in book.namelist())
    yield from _pictures(known, faction)
    for made in (faction_page(ruleset, known.campaign, faction, known.dice, known.past, by=known.by,
                              held=copy_language(known.campaign, faction)),
                 *public_pages(ruleset, known.campaign, known.dice, known.past, by=known.by)):
        yield f"{made.stem}.json", render_json(made.page).encode()
        yield f"{made.stem}.chat.txt", render_chat(made.page, made.chat).encode()
    books = books_for_all(ruleset, known.campaign, Wording(ruleset, known.campaign.desk.language or "en"))
    yield from ((f"{name}.html", book.encode()) for name, book in zip(("chronicle", "rules"), books, strict=True))


def _pictures(known: MailData, faction: str) -> Iterator[tuple[str, bytes]]:
    """Everything that the pictures for a faction and for all are drawn from: scenes, charts as SVG, alternative texts.

    The drawings follow from these, byte by byte.
    """
    now, before = known.campaign, known.past.campaign
    states = [campaign for campaign in (before, now) if campaign is not None]
    moments = [CampaignState(state.desk.turn, state.desk.phase, state) for state in states]
    drawer = Drawer(known.ruleset, now, before, moments)
    for reader in (faction, ""):
        for inset, wanted in (*undrawn_for(drawer, reader), *undrawn_for(drawer, reader, (ORDERED,))):
            words = alt_text(wanted.scene) if wanted.scene is not None else wanted.words
            yield f"{reader}-{inset.name}", f"{wanted!r} {inset.title} {words}".encode("utf-8", "surrogatepass")


def letters_of(ruleset: Ruleset, whole: Campaign) -> list[Letter]:
    """The letters to the first faction that gets reports, and those to all."""
    return _letters_for(_outgoing(ruleset, whole, None), factions_with_reports(whole)[0])


def _outgoing(ruleset: Ruleset, whole: Campaign, before: Campaign | None) -> MailData:
    """What `send` knows when it makes the mails; the secret of the codes is fixed."""
    told = 0 if before is None else max((event.no for _, event in before.table(Event).in_file_order()), default=0)
    tokens = {code: token_of(bytes(32), "campaign", code) for code in factions_with_reports(whole)}
    return MailData(
        ruleset, without_superseded(whole), "war", Proofs({}, {}), Previous(told, before), tokens, "Sunday, 20:00"
    )


def _letters_for(known: MailData, faction: str) -> list[Letter]:
    """The faction's letter and those to all."""
    everybody = [package.letter for package in packages_of(known, (), everybody=[CLUB])]
    return [package_of(known, faction, [CLUB]).letter, *everybody]


def package_faults(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None, *,
                   keep: Keep = lambda row: False) -> list[str]:
    """Secrets that a faction's whole package reveals, in sentences; [] for a good ruleset.

    All hidden cells are changed: every byte must stay the same, and no `CANARY` from a hidden text may appear.
    """
    faults = [f"What is mailed to {faction} is not the same when {where} says something else, which {faction} may not"
              " see. Say with see of that column who may see it, or show less of it."
              for where in leaking_columns(ruleset, whole, faction, before, keep=keep, package=whole_package)]
    facts = still_hidden_cells(ruleset, whole, faction, list(hidden_cells(ruleset, whole, faction, keep)))
    known = _outgoing(ruleset, with_other_values(whole, facts), before)
    faults += [f"A word of a hidden text leaves for {faction or 'everybody'}, in the picture {name}."
               for name, data in _pictures(known, faction) if CANARY in data.decode("utf-8", "surrogatepass")]
    for letter in _letters_for(known, faction):
        faults += [f"A word of a hidden text leaves for {faction or 'everybody'}, in {place} of the {letter.kind}."
                   for place, text in parts_of(letter) if CANARY in text]
    return faults
