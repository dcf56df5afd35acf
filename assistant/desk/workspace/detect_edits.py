"""Detects edits made by hand since the last command, decides which are allowed, records accepted ones as events."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, UnreadableValue
from assistant.campaign.records import ALL, REFEREE, Battle, Desk, Die, Event, Faction, Rule
from assistant.campaign.tables import Record, Table, grouped, in_natural_order
from assistant.desk.workspace.fingerprints import (
    CampaignFingerprint,
    KeyedRow,
    TableDifference,
    canonical_text,
    differing_tables,
    fingerprint_campaign,
    unpack_rows,
)
from assistant.ledger import Fingerprints, Ledger
from assistant.turn.codes import TWO_KEYS
from assistant.turn.messages import RULING, add_common_event
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import Viewer
from assistant.workbook.port import WorkbookReading

# Which changes are allowed when: one table, for both manuals and for `status`.


ActTime = Literal["before", "after", "sent"]
Reply = Literal["allowed", "once", "void", "twice", "refused"]

ACT_TIMES: Mapping[ActTime, str] = {
    "before": N_("Before the phase"), "after": N_("After the phase"), "sent": N_("After its reports were sent")}
REPLIES: Mapping[Reply, str] = {
    "allowed": N_("allowed"), "once": N_("needs a reason"), "void": N_("asked, with what becomes void"),
    "twice": N_("asked twice, as the reports have gone out"), "refused": N_("refused")}


class Act(NamedTuple):
    """Something that the referee may do about a phase.

    `key`: for programs; `name`: for lists (msgid); `how`: the command to type; `sheet`: only rulebooks with this sheet
    have the act; `past`: it is about phases that are over.
    """

    key: str
    name: str
    how: str
    before: Reply
    after: Reply
    sent: Reply
    sheet: str = ""
    past: bool = False

    def at(self, moment: ActTime) -> Reply:
        """Arbitro's reply to the act at a moment."""
        replies: Mapping[ActTime, Reply] = {"before": self.before, "after": self.after, "sent": self.sent}
        return replies[moment]


ACTS = (
    Act("order", N_("orders"), "arbitro orders", "allowed", "refused", "refused"),
    Act("answer", N_("answers"), "arbitro orders", "allowed", "refused", "refused"),
    Act("die", N_("dice of the table"), "arbitro orders", "allowed", "refused", "refused", sheet=Die.sheet),
    Act("result", N_("results of battles"), "arbitro orders", "allowed", "refused", "refused", sheet=Battle.sheet),
    Act("hand", N_("changes by hand"), "arbitro accept", "once", "once", "once"),
    Act("rule", N_("house rules (from now on)"), "arbitro accept", "once", "once", "once"),
    Act("undo", N_("undo"), "arbitro undo", "refused", "allowed", "twice", past=True),
    Act("correct", N_("correct"), "arbitro correct", "refused", "void", "twice", past=True),
)


def replies_now(campaign: Campaign, *, over: bool, past: Container[str], sent: bool) -> dict[str, Reply]:
    """Act -> Arbitro's reply to it at present.

    `over`: no phase is left; `past`: the acts on the past that have something to act on; `sent`: a report tells of it.
    """
    after: ActTime = "sent" if sent else "after"
    moments: dict[str, ActTime] = {act.key: (after if act.key in past else "before") if act.past else
                                  (after if over else "before") for act in ACTS}
    return {act.key: act.at(moments[act.key]) for act in ACTS if not act.sheet or campaign.has(act.sheet)}


def group_by_reply(replies: Mapping[str, Reply]) -> Iterable[tuple[Reply, list[Act]]]:
    """The acts that are not refused, grouped by reply, the free ones first."""
    for reply in REPLIES:
        acts = [act for act in ACTS if replies.get(act.key) == reply]
        if acts and reply != "refused":
            yield reply, acts


# Edits made by hand.


EditKind = Literal["set", "added", "gone", "renamed"]
PresentFields = Callable[[str], Collection[str] | None]
"""English sheet name -> the fields whose columns are there, None for a missing sheet."""
CellPlaces = Collection[tuple[str, str, str]]
"""Cells, each as English sheet name, key of the row, and field."""


class Edit(NamedTuple):
    """One edit by hand. Values are canonical text.

    `change`: ``set`` (a cell), ``added``, ``gone`` (a row), ``renamed`` (a cell of a row's key); `row`: the row's
    present key (``gone``: its former key); `was`: the former key of a renamed row; `values`: all fields of a row that
    was added or is gone; `readable`: whether the column can hold the new value.
    """

    change: EditKind
    sheet: str
    row: str
    field: str = ""
    old: str = ""
    new: str = ""
    was: str = ""
    values: Mapping[str, str] = MappingProxyType({})
    readable: bool = True

    @property
    def inverse(self) -> Edit:
        """The edit that reverts this one."""
        if self.change == "renamed":
            return self._replace(row=self.was, was=self.row, old=self.new, new=self.old)
        other: dict[EditKind, EditKind] = {"added": "gone", "gone": "added"}
        return self._replace(change=other.get(self.change, self.change), old=self.new, new=self.old)


# --- finding ------------------------------------------------------------------------------------
def find_edits(manifest: str, now: CampaignFingerprint, records: Iterable[type[Record]], chunk: Callable[[str], bytes],
          present: PresentFields, drawn: CellPlaces = ()) -> list[Edit]:
    """All edits by hand, table by table: first cells, then rows that are new or gone.

    `drawn`: cells of the map that count as well, although the referee may change such cells at any time.
    """
    edits: list[Edit] = []
    for difference in differing_tables(manifest, now, records, chunk):
        fields = present(difference.record.sheet)
        whole = issubclass(difference.record, Rule)  # a rule without a value does not exist
        if fields is None or not all(c.name in fields for c in difference.record.columns() if c.key or whole):
            continue  # the findings about the file say what is missing
        edits += _edits_of_table(difference, fields, drawn)
    return edits


def edits_between(written: Campaign, standing: Campaign, rows: Mapping[str, Collection[str]]) -> list[Edit]:
    """The edits that lead from one state to another. `rows`: English sheet name -> keys of rows that may differ."""
    edits: list[Edit] = []
    for sheet, keys in rows.items():
        old, new = written.by_sheet(sheet), standing.by_sheet(sheet)
        difference = TableDifference(new.record, [row for key, row in old.raw_rows() if key in keys],
                               [(key, row) for key, row in new.raw_rows() if key in keys])
        edits += _edits_of_table(difference, [c.name for c in new.record.columns()])
    return edits


def _edits_of_table(difference: TableDifference, fields: Collection[str], drawn: CellPlaces = ()) -> list[Edit]:
    if difference.record.quiet or difference.record.apart:
        return []  # the background of the map, and what came in, are no part of the game
    pairs, gone, added = _pair_rows(difference)
    edits = [edit for old, key, row in pairs for edit in _cell_edits(old, key, row, fields, drawn)]
    gone = [row for row in gone if row.hold != "typed"]
    added = [(key, row) for key, row in added if row.hold != "typed"]
    if issubclass(difference.record, Rule):
        return edits + _rule_edits(gone, added)
    for old, key, row, name in _find_renamed(gone, added):
        edits.append(
            Edit("renamed", row.sheet, key, name, canonical_text(old, name), canonical_text(row, name), was=old.ident)
        )
        edits += [e for e in _cell_edits(old, key, row, fields) if e.field != name]
        gone.remove(old)
        added.remove((key, row))
    edits += [Edit("added", row.sheet, key, values=row.as_text()) for key, row in added]
    return edits + [Edit("gone", row.sheet, row.ident, values=row.as_text()) for row in gone]


def _pair_rows(difference: TableDifference) -> tuple[list[tuple[Record, str, Record]], list[Record], list[KeyedRow]]:
    """Pair rows by key (then and now); also returns the rows that are gone and those that are new.

    Of several rows with one key, equal ones are paired first, the others in their order.
    """
    if difference.record.single:
        return [(old, key, row)
                for old, (key, row) in zip(difference.written, difference.standing, strict=False)], [], []
    standing = grouped(difference.standing, lambda keyed: keyed[1].ident)
    pairs: list[tuple[Record, str, Record]] = []
    rest: list[Record] = []
    for old in difference.written:
        # rows without a key of their own are the same if they say the same
        alike = next((keyed for keyed in standing.get(old.ident, ()) if keyed[1].as_text() == old.as_text()), None) \
            if not difference.record.unique else None
        if alike is not None:
            standing[old.ident].remove(alike)
        else:
            rest.append(old)
    gone = []
    for old in rest:
        same = standing.get(old.ident)
        if same:
            pairs.append((old, *same.pop(0)))
        else:
            gone.append(old)
    return pairs, gone, [keyed for left in standing.values() for keyed in left]


def guarded_columns(old: Record, row: Record) -> list[Column]:
    """The columns in which a change counts as an edit by hand, since the row was written as `old`."""
    columns = [c for c in old.columns() if not c.free]
    if old.hold == "settled":
        return columns
    if old.hold == "asked":
        return [c for c in columns if c.key or c.edit == "assistant"]
    if old.hold == "typed":
        return [] if row.hold == "typed" else [c for c in columns if c.edit == "assistant" and not c.key]
    return [c for c in columns if c.edit != "club" and not c.drawn]


def _cell_edits(old: Record, key: str, row: Record, fields: Collection[str], drawn: CellPlaces = ()) -> list[Edit]:
    marked = [c for c in old.columns() if c.drawn and (row.sheet, key, c.name) in drawn]
    return [Edit("set", row.sheet, key, c.name, was, now) for c in [*guarded_columns(old, row), *marked]
            if c.name in fields and (was := canonical_text(old, c.name)) != (now := canonical_text(row, c.name))]


def _rule_edits(gone: Iterable[Record], added: Iterable[KeyedRow]) -> list[Edit]:
    """Edits of rules: a rule whose value is deleted becomes blank; its row is not gone."""
    changed = [Edit("set", row.sheet, row.ident, "value", canonical_text(row, "value"), "") for row in gone]
    return changed + [Edit("set", row.sheet, key, "value", "", canonical_text(row, "value")) for key, row in added]


def _find_renamed(gone: Iterable[Record], added: Iterable[KeyedRow]) -> list[tuple[Record, str, Record, str]]:
    """Rows of which one cell of the key was changed, with its field.

    A row gone and a row added count as one that was renamed if they agree in at least half of their other columns, and
    no other added row agrees as much.
    """
    renamed = []
    left = list(added)
    for old in gone:
        scores = sorted(((_similarity(old, row), -place) for place, (_, row) in enumerate(left)), reverse=True)
        # of two that are equally alike nobody can say which it was
        if not scores or scores[0][0] < 0.5 or (len(scores) > 1 and scores[0][0] == scores[1][0]):
            continue
        key, row = left[-scores[0][1]]
        keys = [c.name for c in old.columns() if c.key and canonical_text(old, c.name) != canonical_text(row, c.name)]
        if len(keys) == 1:
            renamed.append((old, key, row, keys[0]))
            left.remove((key, row))
    return renamed


def _similarity(old: Record, row: Record) -> float:
    names = [c.name for c in old.columns() if not c.key]
    return sum(canonical_text(old, n) == canonical_text(row, n) for n in names) / len(names) if names else 0.0


# --- doing and undoing --------------------------------------------------------------------------
def apply_edit(campaign: Campaign, edit: Edit) -> None:
    """Apply an edit to a campaign. Raises KeyError if its row is missing."""
    table = campaign.by_sheet(edit.sheet)
    if issubclass(table.record, Rule):
        _apply_rule_edit(table, edit)
    elif edit.change == "added":
        table.add(parse_row(table.record, edit.values))
    elif edit.change == "gone":
        table.remove(edit.row)
    else:
        key = edit.was if edit.change == "renamed" else next(iter(table.keys())) if table.record.single else edit.row
        row = table[key].copy()
        setattr(row, edit.field, parse_value(table.record, edit.field, edit.new))
        new_key = edit.row if edit.change == "renamed" else row.ident if table.record.single else key
        campaign.put(Table.of(table.record, [(new_key, row) if k == key else (k, other)
                                             for k, other in table.in_file_order()]))


def _apply_rule_edit(table: Table[Any], edit: Edit) -> None:
    if edit.row in table:
        table.remove(edit.row)
    if edit.new:
        table.add(table.record(key=edit.row, value=parse_value(table.record, "value", edit.new)))


def undo_edits(campaign: Campaign, undone: Iterable[Edit]) -> None:
    """Revert all of these edits that are still in force."""
    # cells first: a renamed row is found by the key that it has now
    order: dict[EditKind, int] = {"set": 0, "renamed": 1, "added": 2, "gone": 3}
    for edit in sorted(undone, key=lambda edit: order[edit.change]):
        if is_in_force(campaign, edit):
            apply_edit(campaign, edit.inverse)


def is_in_force(campaign: Campaign, edit: Edit) -> bool:
    """Whether a campaign still shows the result of an edit."""
    table = campaign.by_sheet(edit.sheet)
    if edit.change == "gone":
        return edit.row not in table or not table.record.unique
    if edit.change in ("added", "renamed"):
        return edit.row in table
    row = _row_of(table, edit.row)
    if row is None:
        return issubclass(table.record, Rule) and not edit.new
    return not edit.readable or canonical_text(row, edit.field) == edit.new


def parse_value(record: type[Record], name: str, text: str) -> Any:
    """Parse a canonical text; a blank that the column cannot read gives its default."""
    column = record.column(name)
    try:
        return column.kind.read(text)
    except UnreadableValue:
        if text:
            raise
        return column.default


def parse_row(record: type[Record], values: Mapping[str, str]) -> Record:
    """Build a row from canonical texts; other columns take their defaults."""
    known = {c.name for c in record.columns()}
    return record(**{name: parse_value(record, name, text) for name, text in values.items() if name in known})


# Rulings.


class Ruling(NamedTuple):
    """An accepted edit by hand. `turn`, `phase`: it was made before this phase was resolved."""

    turn: str
    phase: str
    edit: Edit
    why: str
    event: Event


def rulings_of(campaign: Campaign, beside: Campaign | None = None) -> list[Ruling]:
    """All rulings of a campaign, in the order in which they were made.

    `beside`: a campaign with the same past; events whose rows neither campaign has unpacked are left out.
    """
    table = campaign.table(Event)
    events = [row for _, row in (table.raw_rows() if beside is None else table.beside(beside.table(Event)))
              if row.event == RULING]
    return [Ruling(e.turn, e.phase, _edit_from_data(e.data), str(e.data.get("why", "")), e.copy())
            for e in sorted(events, key=lambda e: e.no)]


def add_ruling_event(campaign: Campaign, moment: Desk, edit: Edit, why: str, cell: str, audience: str, *,
         set_up: bool = False) -> Event:
    """Add the event of a ruling.

    `moment`: the Desk as Arbitro last wrote it; `cell`: the address; `set_up`: no phase was resolved yet, so the edit
    belongs to the set-up and does not overrule the book.
    """
    data: dict[str, Any] = {"change": edit.change, "how": _ruling_variant(edit), "sheet": edit.sheet, "row": edit.row,
                            "field": edit.field, "old": edit.old, "new": edit.new, "cell": cell, "why": why}
    if set_up:
        data["set_up"] = True
    if edit.was:
        data["was"] = edit.was
    if edit.values:
        data["values"] = dict(edit.values)
    return add_common_event(campaign, RULING, data, audience, touched=f"{edit.sheet}/{edit.row}", at=moment)


def _ruling_variant(edit: Edit) -> str:
    """Which variant of the sentence applies."""
    if edit.change != "set" or (edit.old and edit.new):
        return edit.change
    return "filled" if edit.new else "emptied"


def _edit_from_data(data: Mapping[str, Any]) -> Edit:
    return Edit(data["change"], str(data["sheet"]), str(data["row"]), str(data["field"]), str(data["old"]),
                str(data["new"]), str(data.get("was", "")), dict(data.get("values", {})))


# --- whom it concerns ---------------------------------------------------------------------------
class _Reader(NamedTuple):
    """What a faction may know before and after some edits."""

    viewers: tuple[Viewer, Viewer]
    views: tuple[Campaign, Campaign]


def ruling_audiences(ruleset: Ruleset, campaign: Campaign, edits: Sequence[Edit]) -> list[str]:
    """Who may know of each edit: ``all``, codes in natural order, or ``referee``.

    Edits in columns that only the referee sees are for the referee. Of others everybody is told whose view shows the
    value before and after, and the owner of the row, unless the column is hidden from owners. `campaign`: with the
    edits in it.
    """
    before = campaign.copy()
    undo_edits(before, edits)
    codes = [f.faction for f in campaign.table(Faction)]
    readers = {code: _Reader((ruleset.viewer(before, code), ruleset.viewer(campaign, code)),
                             (ruleset.view(before, code), ruleset.view(campaign, code))) for code in ("", *codes)}
    return [_ruling_audience(edit, readers) for edit in edits]


def _ruling_audience(edit: Edit, readers: Mapping[str, _Reader]) -> str:
    public = readers[""]
    record = public.viewers[1].campaign.by_sheet(edit.sheet).record
    if edit.field and public.viewers[1].is_the_referees(record, edit.field):
        return REFEREE
    if _sees(edit, *public.views):
        return ALL
    known = {code for code, reader in readers.items() if code
             and (_sees(edit, *reader.views) or _owns(edit, *reader.viewers))}
    return " ".join(in_natural_order(known)) or REFEREE


def _owns(edit: Edit, before: Viewer, after: Viewer) -> bool:
    """Whether the viewer owned the row, or owns it now, and may see the field."""
    for viewer, key in ((before, edit.was or edit.row), (after, edit.row)):
        row = viewer.campaign.by_sheet(edit.sheet).get(key)
        if row is not None and viewer.owns(row) and (not edit.field or viewer.sees(row, edit.field)):
            return True
    return False


def _sees(edit: Edit, before: Campaign, after: Campaign) -> bool:
    """Whether a faction's views show everything that the ruling tells."""
    if edit.sheet not in before.tables() or edit.sheet not in after.tables():
        return False
    then, now = before.by_sheet(edit.sheet), after.by_sheet(edit.sheet)
    old, new = _row_of(then, edit.was or edit.row), _row_of(now, edit.row)
    if edit.change == "added":
        return new is not None
    if edit.change == "gone":
        return old is not None
    return _shows_text(old, edit.field, edit.old) and _shows_text(new, edit.field, edit.new)


def _shows_text(row: Record | None, name: str, text: str) -> bool:
    return not text if row is None else canonical_text(row, name) == text


# Comparing a workbook with the ledger's fingerprints.


class DetectedEdits(NamedTuple):
    """A state of a workbook, compared with the ledger's fingerprints.

    `now`: its fingerprints; `edits`: the undecided edits by hand; `manifest`: what the ledger knows, ""
    for nothing; `marks`: what it is to store when this state has been written; `slips`: unreadable edits of the map
    alone, which stop nothing and can be reverted.
    """

    now: CampaignFingerprint
    edits: tuple[Edit, ...]
    manifest: str
    marks: Fingerprints
    slips: tuple[Edit, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the ledger knows what Arbitro last wrote."""
        return bool(self.manifest)

    def then(self, after: Campaign, decided: Collection[Edit] = ()) -> DetectedEdits:
        """The comparison once `after` has been written: what is undecided remains an edit by hand.

        `decided`: edits that are accepted with it.
        """
        left, slips = (tuple(e for e in undecided if e not in decided and is_in_force(after, e))
                       for undecided in (self.edits, self.slips))
        now = fingerprint_campaign(after, self.now)
        ours = now
        if left or slips:
            as_written = after.copy()
            undo_edits(as_written, (*left, *slips))
            ours = fingerprint_campaign(as_written, now)
        marks = ours.marks(self.manifest)
        return DetectedEdits(now, left, marks.manifest, marks, slips)


def detect_edits(campaign: Campaign, reading: WorkbookReading, ledger: Ledger) -> DetectedEdits:
    """Compare a workbook, as it was read, with the ledger's fingerprints. Raises `LedgerTrouble`."""
    manifest = ledger.manifest()
    then = json.loads(manifest) if manifest and reading.untouched else {}
    now = fingerprint_campaign(
        campaign, standing={sheet: then[sheet]["chunks"] for sheet in reading.untouched if sheet in then}
    )
    edits: list[Edit] = []
    drawn = _unreadable_map_cells(reading, campaign)
    if manifest:
        def present(sheet: str) -> Collection[str] | None:
            return reading.cells.desk if sheet == Desk.sheet else reading.cells.letters.get(sheet)

        records = [table.record for table in campaign.tables().values()]
        edits = _add_unreadable(find_edits(manifest, now, records, ledger.chunk, present, drawn), reading, campaign)
    told = {(e.sheet, e.row, e.field): e for e in edits}
    fresh = {(e.sheet, e.row) for e in edits if e.change in ("added", "renamed")}
    of_map = [(told.get(place) or Edit("set", *place, canonical_text(row, place[2])))._replace(new=seen, readable=False)
              for place, (row, seen) in drawn.items() if manifest and place[:2] not in fresh]
    stopping = [e for e in edits if (e.sheet, e.row, e.field) not in drawn]
    return DetectedEdits(now, tuple(stopping), manifest, Fingerprints(manifest), tuple(of_map))


def _unreadable_map_cells(
    reading: WorkbookReading, campaign: Campaign
) -> dict[tuple[str, str, str], tuple[Record, str]]:
    """Unreadable cells that concern only the map -> the row, and what is typed there."""
    cells = {}
    for f in reading.findings:
        row = _row_at(campaign, f.where.table, f.where.row)
        if not f.stops and "seen" in f.data and row is not None and any(
                c.name == f.where.field and c.drawn for c in row.columns()):
            cells[f.where.table, f.where.row, f.where.field] = (row, str(f.data["seen"]))
    return cells


def first_fingerprints(campaign: Campaign) -> Fingerprints:
    """The fingerprints of a campaign before it is first written."""
    return fingerprint_campaign(campaign).marks()


def undecided_edits_then(ledger: Ledger, manifest: str, now: CampaignFingerprint, campaign: Campaign) -> list[Edit]:
    """The undecided edits in a campaign of an earlier time, by the manifest of that time. `now`: its
    fingerprints.

    Raises `LedgerTrouble`.
    """
    records = [table.record for table in campaign.tables().values()]
    return find_edits(manifest, now, records, ledger.chunk, _all_fields(campaign)) if manifest else []


def _all_fields(campaign: Campaign) -> PresentFields:
    return lambda sheet: [c.name for c in campaign.by_sheet(sheet).record.columns()]


def campaign_as_written(ledger: Ledger, manifest: str, campaign: Campaign) -> Campaign:
    """The campaign as Arbitro had written it by a manifest; sheets that the manifest lacks are as in `campaign`.

    Raises `LedgerTrouble`.
    """
    then = campaign.copy()
    for sheet, fingerprint in json.loads(manifest).items():
        if then.has(sheet):
            record = then.by_sheet(sheet).record
            then.put(Table(record, [row for name in fingerprint["chunks"]
                                    for row in unpack_rows(record, fingerprint["fields"], ledger.chunk(name))]))
    return then


def without_undecided_edits(ledger: Ledger, step: int, campaign: Campaign) -> Campaign:
    """The campaign before a step of the ledger, without the edits that were undecided at that time.

    Raises `LedgerTrouble`.
    """
    undecided = undecided_edits_then(ledger, ledger.manifest_before(step), fingerprint_campaign(campaign), campaign)
    if not undecided:
        return campaign
    before = campaign.copy()
    undo_edits(before, undecided)
    return before


def fingerprints_after_undo(ledger: Ledger, manifest: str, then: Campaign, back: Campaign) -> Fingerprints:
    """The fingerprints of a workbook after an undo that carries later inputs into it.

    `then`: the campaign as it was; `manifest`: the ledger's at that time; `back`: `then` with what was typed since.
    What was undecided then is so again, and so are values of the Rules sheet that are carried without their ruling.
    Raises `LedgerTrouble`.
    """
    now = fingerprint_campaign(then)
    exact = now.marks(manifest)
    left = undecided_edits_then(ledger, manifest, now, then)
    carried = find_edits(
        exact.manifest,
        fingerprint_campaign(back),
        [back.table(Rule).record],
        lambda name: now.content[name],
        _all_fields(then),
    )
    told = {edit.edit.row: edit.edit.new for edit in rulings_of(back)[len(rulings_of(then)):]}
    known = {(e.sheet, e.row) for e in left}
    left += [e for e in carried if (e.sheet, e.row) not in known and told.get(e.row) != e.new]
    return DetectedEdits(now, tuple(left), manifest, exact).then(back).marks


def _add_unreadable(edits: list[Edit], reading: WorkbookReading, campaign: Campaign) -> list[Edit]:
    """The edits, with the real content of cells that the reader could not read and replaced by a default."""
    seen: dict[tuple[str, str, str], tuple[Record, str]] = {}
    for f in reading.findings:
        heads = reading.cells.letters.get(f.where.table, {})
        if f.where.table in campaign.tables() and any(
                c.key and c.name not in heads for c in campaign.by_sheet(f.where.table).record.columns()) and (
                not campaign.by_sheet(f.where.table).record.single):
            continue  # without the heading of their key nobody can say which row is which
        row = _row_at(campaign, f.where.table, f.where.row)
        if f.stops and f.code != TWO_KEYS and f.where.field and "seen" in f.data and row is not None:
            key = row.ident if row.single else f.where.row
            seen[f.where.table, key, f.where.field] = (row, str(f.data["seen"]))
    told = [e._replace(new=seen.pop((e.sheet, e.row, e.field))[1], readable=False)
            if (e.sheet, e.row, e.field) in seen else e for e in edits]
    fresh = {(e.sheet, e.row) for e in edits if e.change == "added"}
    return told + [Edit("set", sheet, key, name, canonical_text(row, name), text, readable=False)
                   for (sheet, key, name), (row, text) in seen.items()
                   if text != canonical_text(row, name)  # an unchanged code, of which only the target is gone
                   and (sheet, key) not in fresh and any(c.name == name for c in guarded_columns(row, row))]


def _row_at(campaign: Campaign, sheet: str, key: str) -> Record | None:
    return _row_of(campaign.by_sheet(sheet), key) if sheet in campaign.tables() else None


def _row_of(table: Table[Any], key: str) -> Record | None:
    """The row with a key; of a sheet with one row that row, which nobody may rename."""
    return next(iter(table), None) if table.record.single else table.get(key)
