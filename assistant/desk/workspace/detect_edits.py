"""Detects edits made by hand since the last command, decides which are allowed, records accepted ones as events."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Unreadable
from assistant.campaign.records import ALL, REFEREE, Battle, Desk, Die, Event, Faction, Rule, next_number
from assistant.campaign.tables import Record, Table, in_natural_order
from assistant.desk.workspace.fingerprints import Differing, Keyed, Printed, differing, printed, shown, unpacked
from assistant.ledger import Ledger, Marks
from assistant.turn.codes import TWO_KEYS
from assistant.turn.messages import COMMON_EVENTS, RULING
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import Viewer
from assistant.workbook.port import Reading

# Which changes are allowed when: one table, for both manuals and for `status`.


Moment = Literal["before", "after", "sent"]
Reply = Literal["allowed", "once", "void", "twice", "refused"]

MOMENTS: Mapping[Moment, str] = {
    "before": N_("Before the phase"), "after": N_("After the phase"), "sent": N_("After its reports were sent")}
REPLIES: Mapping[Reply, str] = {
    "allowed": N_("allowed"), "once": N_("asked once, for a reason"), "void": N_("asked, with what becomes void"),
    "twice": N_("asked twice, with who has the reports"), "refused": N_("refused")}


@dataclass(frozen=True)
class Act:
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

    def at(self, moment: Moment) -> Reply:
        """Arbitro's reply to the act at a moment."""
        found: Mapping[Moment, Reply] = {"before": self.before, "after": self.after, "sent": self.sent}
        return found[moment]


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


def now(campaign: Campaign, *, over: bool, past: Container[str], sent: bool) -> dict[str, Reply]:
    """Act -> Arbitro's reply to it at present.

    `over`: no phase is left; `past`: the acts on the past that have something to act on; `sent`: a report tells of it.
    """
    after: Moment = "sent" if sent else "after"
    moments: dict[str, Moment] = {act.key: (after if act.key in past else "before") if act.past else
                                  (after if over else "before") for act in ACTS}
    return {act.key: act.at(moments[act.key]) for act in ACTS if not act.sheet or campaign.has(act.sheet)}


def by_reply(replies: Mapping[str, Reply]) -> Iterable[tuple[Reply, list[Act]]]:
    """The acts that are not refused, grouped by reply, the free ones first."""
    for reply in REPLIES:
        acts = [act for act in ACTS if replies.get(act.key) == reply]
        if acts and reply != "refused":
            yield reply, acts


# Edits made by hand.


How = Literal["set", "added", "gone", "renamed"]
Present = Callable[[str], Collection[str] | None]
"""English sheet name -> the fields whose columns are there, None for a missing sheet."""
Places = Collection[tuple[str, str, str]]
"""Cells, each as English sheet name, key of the row, and field."""


class Edit(NamedTuple):
    """One edit by hand. Values are canonical text.

    `change`: ``set`` (a cell), ``added``, ``gone`` (a row), ``renamed`` (a cell of a row's key); `row`: the row's
    present key (``gone``: its former key); `was`: the former key of a renamed row; `values`: all fields of a row that
    was added or is gone; `readable`: whether the column can hold the new value.
    """

    change: How
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
        other: dict[How, How] = {"added": "gone", "gone": "added"}
        return self._replace(change=other.get(self.change, self.change), old=self.new, new=self.old)


# --- finding ------------------------------------------------------------------------------------
def edits(manifest: str, now: Printed, records: Iterable[type[Record]], chunk: Callable[[str], bytes],
          present: Present, drawn: Places = ()) -> list[Edit]:
    """All edits by hand, table by table: first cells, then rows that are new or gone.

    `drawn`: cells of the map that count as well, although the referee may change such cells at any time.
    """
    found: list[Edit] = []
    for one in differing(manifest, now, records, chunk):
        fields = present(one.record.sheet)
        whole = issubclass(one.record, Rule)  # a rule without a value does not exist
        if fields is None or not all(c.name in fields for c in one.record.columns() if c.key or whole):
            continue  # the findings about the file say what is missing
        found += _of_table(one, fields, drawn)
    return found


def between(written: Campaign, standing: Campaign, rows: Mapping[str, Collection[str]]) -> list[Edit]:
    """The edits that lead from one state to another. `rows`: English sheet name -> keys of rows that may differ."""
    found: list[Edit] = []
    for sheet, keys in rows.items():
        old, new = written.by_sheet(sheet), standing.by_sheet(sheet)
        one = Differing(new.record, [row for key, row in old.raw_rows() if key in keys],
                        [(key, row) for key, row in new.raw_rows() if key in keys])
        found += _of_table(one, [c.name for c in new.record.columns()])
    return found


def _of_table(one: Differing, fields: Collection[str], drawn: Places = ()) -> list[Edit]:
    if one.record.quiet:
        return []  # the background of the map is no part of the game
    pairs, gone, added = _paired(one)
    found = [edit for old, key, row in pairs for edit in _cells(old, key, row, fields, drawn)]
    gone = [row for row in gone if row.hold != "typed"]
    added = [(key, row) for key, row in added if row.hold != "typed"]
    if issubclass(one.record, Rule):
        return found + _rules(gone, added)
    for old, key, row, name in _renamed(gone, added):
        found.append(Edit("renamed", row.sheet, key, name, shown(old, name), shown(row, name), was=old.ident))
        found += [e for e in _cells(old, key, row, fields) if e.field != name]
        gone.remove(old)
        added.remove((key, row))
    found += [Edit("added", row.sheet, key, values=row.as_text()) for key, row in added]
    return found + [Edit("gone", row.sheet, row.ident, values=row.as_text()) for row in gone]


def _paired(one: Differing) -> tuple[list[tuple[Record, str, Record]], list[Record], list[Keyed]]:
    """Pair rows by key (then and now); also returns the rows that are gone and those that are new.

    Of several rows with one key, equal ones are paired first, the others in their order.
    """
    if one.record.single:
        return [(old, key, row) for old, (key, row) in zip(one.written, one.standing, strict=False)], [], []
    standing: dict[str, list[Keyed]] = {}
    for key, row in one.standing:
        standing.setdefault(row.ident, []).append((key, row))
    pairs: list[tuple[Record, str, Record]] = []
    rest: list[Record] = []
    for old in one.written:
        alike = next((keyed for keyed in standing.get(old.ident, ()) if keyed[1].as_text() == old.as_text()), None) \
            if not one.record.unique else None
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


def frozen(old: Record, row: Record) -> list[Column]:
    """The columns in which a change counts as an edit by hand, since the row was written as `old`."""
    columns = old.columns()
    if old.hold == "settled":
        return list(columns)
    if old.hold == "asked":
        return [c for c in columns if c.key or c.edit == "assistant"]
    if old.hold == "typed":
        return [] if row.hold == "typed" else [c for c in columns if c.edit == "assistant" and not c.key]
    return [c for c in columns if c.edit != "club" and not c.drawn]


def _cells(old: Record, key: str, row: Record, fields: Collection[str], drawn: Places = ()) -> list[Edit]:
    marked = [c for c in old.columns() if c.drawn and (row.sheet, key, c.name) in drawn]
    return [Edit("set", row.sheet, key, c.name, was, now) for c in [*frozen(old, row), *marked]
            if c.name in fields and (was := shown(old, c.name)) != (now := shown(row, c.name))]


def _rules(gone: Iterable[Record], added: Iterable[Keyed]) -> list[Edit]:
    """Edits of rules: a rule whose value is deleted becomes blank; its row is not gone."""
    found = [Edit("set", row.sheet, row.ident, "value", shown(row, "value"), "") for row in gone]
    return found + [Edit("set", row.sheet, key, "value", "", shown(row, "value")) for key, row in added]


def _renamed(gone: Iterable[Record], added: Iterable[Keyed]) -> list[tuple[Record, str, Record, str]]:
    """Rows of which one cell of the key was changed, with its field.

    A row gone and a row added count as one that was renamed if they agree in at least half of their other columns, and
    no other added row agrees as much.
    """
    found = []
    left = list(added)
    for old in gone:
        scores = sorted(((_likeness(old, row), -place) for place, (_, row) in enumerate(left)), reverse=True)
        if not scores or scores[0][0] < 0.5 or (len(scores) > 1 and scores[0][0] == scores[1][0]):
            continue
        key, row = left[-scores[0][1]]
        keys = [c.name for c in old.columns() if c.key and shown(old, c.name) != shown(row, c.name)]
        if len(keys) == 1:
            found.append((old, key, row, keys[0]))
            left.remove((key, row))
    return found


def _likeness(old: Record, row: Record) -> float:
    names = [c.name for c in old.columns() if not c.key]
    return sum(shown(old, n) == shown(row, n) for n in names) / len(names) if names else 0.0


# --- doing and undoing --------------------------------------------------------------------------
def do(campaign: Campaign, edit: Edit) -> None:
    """Apply an edit to a campaign. Raises KeyError if its row is missing."""
    table = campaign.by_sheet(edit.sheet)
    if issubclass(table.record, Rule):
        _do_rule(table, edit)
    elif edit.change == "added":
        table.add(row_of(table.record, edit.values))
    elif edit.change == "gone":
        table.remove(edit.row)
    else:
        key = edit.was if edit.change == "renamed" else next(iter(table.keys())) if table.record.single else edit.row
        row = table[key].copy()
        setattr(row, edit.field, value_of(table.record, edit.field, edit.new))
        new_key = edit.row if edit.change == "renamed" else row.ident if table.record.single else key
        campaign.put(Table.of(table.record, [(new_key, row) if k == key else (k, other)
                                             for k, other in table.in_file_order()]))


def _do_rule(table: Table[Any], edit: Edit) -> None:
    if edit.row in table:
        table.remove(edit.row)
    if edit.new:
        table.add(table.record(key=edit.row, value=value_of(table.record, "value", edit.new)))


def undo(campaign: Campaign, undone: Iterable[Edit]) -> None:
    """Revert all of these edits that are still in force."""
    order: dict[How, int] = {"set": 0, "renamed": 1, "added": 2, "gone": 3}
    for edit in sorted(undone, key=lambda one: order[one.change]):
        if in_force(campaign, edit):
            do(campaign, edit.inverse)


def in_force(campaign: Campaign, edit: Edit) -> bool:
    """Whether a campaign still shows the result of an edit."""
    table = campaign.by_sheet(edit.sheet)
    if edit.change == "gone":
        return edit.row not in table or not table.record.unique
    if edit.change in ("added", "renamed"):
        return edit.row in table
    row = next(iter(table), None) if table.record.single else table.get(edit.row)
    if row is None:
        return issubclass(table.record, Rule) and not edit.new
    return not edit.readable or shown(row, edit.field) == edit.new


def value_of(record: type[Record], name: str, text: str) -> Any:
    """Parse a canonical text; a blank that the column cannot read gives its default."""
    column = record.column(name)
    try:
        return column.kind.read(text)
    except Unreadable:
        if text:
            raise
        return column.default


def row_of(record: type[Record], values: Mapping[str, str]) -> Record:
    """Build a row from canonical texts; other columns take their defaults."""
    known = {c.name for c in record.columns()}
    return record(**{name: value_of(record, name, text) for name, text in values.items() if name in known})


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
    return [Ruling(e.turn, e.phase, _edit_of(e.data), str(e.data.get("why", "")), e.copy())
            for e in sorted(events, key=lambda e: e.no)]


def tell(campaign: Campaign, moment: Desk, edit: Edit, why: str, cell: str, audience: str, *,
         set_up: bool = False) -> Event:
    """Add the event of a ruling.

    `moment`: the Desk as Arbitro last wrote it; `cell`: the address; `set_up`: no phase was resolved yet, so the edit
    belongs to the set-up and does not overrule the book.
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
    """Which variant of the sentence applies."""
    if edit.change != "set" or (edit.old and edit.new):
        return edit.change
    return "filled" if edit.new else "emptied"


def _edit_of(data: Mapping[str, Any]) -> Edit:
    return Edit(data["change"], str(data["sheet"]), str(data["row"]), str(data["field"]), str(data["old"]),
                str(data["new"]), str(data.get("was", "")), dict(data.get("values", {})))


# --- whom it concerns ---------------------------------------------------------------------------
class _Reader(NamedTuple):
    """What a faction may know before and after some edits."""

    viewers: tuple[Viewer, Viewer]
    views: tuple[Campaign, Campaign]


def audiences(ruleset: Ruleset, campaign: Campaign, edits: Sequence[Edit]) -> list[str]:
    """Who may know of each edit: ``all``, codes in natural order, or ``referee``.

    Edits in columns that only the referee sees are for the referee. Of others everybody is told whose view shows the
    value before and after, and the owner of the row, unless the column is hidden from owners. `campaign`: with the
    edits in it.
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


# Comparing a workbook with the ledger's fingerprints.


class Watch(NamedTuple):
    """A state of a workbook, compared with the ledger's fingerprints.

    `now`: its fingerprints; `edits`: the undecided edits by hand; `manifest`: what the ledger knows, "" for nothing;
    `marks`: what it is to store when this state has been written; `slips`: unreadable edits of the map alone, which
    stop nothing and can be reverted.
    """

    now: Printed
    edits: tuple[Edit, ...]
    manifest: str
    marks: Marks
    slips: tuple[Edit, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the ledger knows what Arbitro last wrote."""
        return bool(self.manifest)

    def then(self, after: Campaign, decided: Collection[Edit] = ()) -> Watch:
        """The comparison once `after` has been written: what is undecided remains an edit by hand.

        `decided`: edits that are accepted with it.
        """
        left, slips = (tuple(e for e in undecided if e not in decided and in_force(after, e))
                       for undecided in (self.edits, self.slips))
        now = printed(after, self.now)
        ours = now
        if left or slips:
            as_written = after.copy()
            undo(as_written, (*left, *slips))
            ours = printed(as_written, now)
        marks = ours.marks(self.manifest)
        return Watch(now, left, marks.manifest, marks, slips)


def watch(campaign: Campaign, reading: Reading, ledger: Ledger) -> Watch:
    """Compare a workbook, as it was read, with the ledger's fingerprints. Raises `LedgerTrouble`."""
    manifest = ledger.manifest(reading.sha256)
    then = json.loads(manifest) if manifest and reading.untouched else {}
    now = printed(campaign, standing={sheet: then[sheet]["chunks"] for sheet in reading.untouched if sheet in then})
    found: list[Edit] = []
    drawn = _drawn_slips(reading, campaign)
    if manifest:
        def present(sheet: str) -> Collection[str] | None:
            return reading.cells.desk if sheet == Desk.sheet else reading.cells.letters.get(sheet)

        records = [table.record for table in campaign.tables().values()]
        found = _with_unreadable(edits(manifest, now, records, ledger.chunk, present, drawn), reading, campaign)
    told = {(e.sheet, e.row, e.field): e for e in found}
    fresh = {(e.sheet, e.row) for e in found if e.change in ("added", "renamed")}
    of_map = [(told.get(place) or Edit("set", *place, shown(row, place[2])))._replace(new=seen, readable=False)
              for place, (row, seen) in drawn.items() if manifest and place[:2] not in fresh]
    stopping = [e for e in found if (e.sheet, e.row, e.field) not in drawn]
    return Watch(now, tuple(stopping), manifest, Marks(manifest), tuple(of_map))


def _drawn_slips(reading: Reading, campaign: Campaign) -> dict[tuple[str, str, str], tuple[Record, str]]:
    """Unreadable cells that concern only the map -> the row, and what is typed there."""
    found = {}
    for f in reading.findings:
        row = _row_at(campaign, f.where.table, f.where.row)
        if not f.stops and "seen" in f.data and row is not None and any(
                c.name == f.where.field and c.drawn for c in row.columns()):
            found[f.where.table, f.where.row, f.where.field] = (row, str(f.data["seen"]))
    return found


def first_marks(campaign: Campaign) -> Marks:
    """The fingerprints of a campaign before it is first written."""
    return printed(campaign).marks()


def edits_then(ledger: Ledger, manifest: str, now: Printed, campaign: Campaign) -> list[Edit]:
    """The undecided edits in a campaign of an earlier time, by the manifest of that time. `now`: its fingerprints.

    Raises `LedgerTrouble`.
    """
    records = [table.record for table in campaign.tables().values()]
    return edits(manifest, now, records, ledger.chunk, _all_fields(campaign)) if manifest else []


def _all_fields(campaign: Campaign) -> Present:
    return lambda sheet: [c.name for c in campaign.by_sheet(sheet).record.columns()]


def written(ledger: Ledger, manifest: str, campaign: Campaign) -> Campaign:
    """The campaign as Arbitro had written it by a manifest; sheets that the manifest lacks are as in `campaign`.

    Raises `LedgerTrouble`.
    """
    then = campaign.copy()
    for sheet, one in json.loads(manifest).items():
        if then.has(sheet):
            record = then.by_sheet(sheet).record
            then.put(Table(record, [row for name in one["chunks"]
                                    for row in unpacked(record, one["fields"], ledger.chunk(name))]))
    return then


def as_written(ledger: Ledger, step: int, campaign: Campaign) -> Campaign:
    """The campaign before a step of the ledger, without the edits that were undecided at that time.

    Raises `LedgerTrouble`.
    """
    undecided = edits_then(ledger, ledger.manifest_before(step), printed(campaign), campaign)
    if not undecided:
        return campaign
    before = campaign.copy()
    undo(before, undecided)
    return before


def marks_after_undo(ledger: Ledger, manifest: str, then: Campaign, back: Campaign) -> Marks:
    """The fingerprints of a workbook after an undo that carries later inputs into it.

    `then`: the campaign as it was; `manifest`: the ledger's at that time; `back`: `then` with what was typed since.
    What was undecided then is so again, and so are values of the Rules sheet that are carried without their ruling.
    Raises `LedgerTrouble`.
    """
    now = printed(then)
    exact = now.marks(manifest)
    left = edits_then(ledger, manifest, now, then)
    carried = edits(exact.manifest, printed(back), [back.table(Rule).record], lambda one: now.content[one],
                    _all_fields(then))
    told = {one.edit.row: one.edit.new for one in rulings_of(back)[len(rulings_of(then)):]}
    known = {(e.sheet, e.row) for e in left}
    left += [e for e in carried if (e.sheet, e.row) not in known and told.get(e.row) != e.new]
    return Watch(now, tuple(left), manifest, exact).then(back).marks


def _with_unreadable(found: list[Edit], reading: Reading, campaign: Campaign) -> list[Edit]:
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
            if (e.sheet, e.row, e.field) in seen else e for e in found]
    fresh = {(e.sheet, e.row) for e in found if e.change == "added"}
    return told + [Edit("set", sheet, key, name, shown(row, name), text, readable=False)
                   for (sheet, key, name), (row, text) in seen.items()
                   if text != shown(row, name)  # an unchanged code, of which only the target is gone
                   and (sheet, key) not in fresh and any(c.name == name for c in frozen(row, row))]


def _row_at(campaign: Campaign, sheet: str, key: str) -> Record | None:
    if sheet not in campaign.tables():
        return None
    table = campaign.by_sheet(sheet)
    return next(iter(table), None) if table.record.single else table.get(key)
