"""Loads a campaign from the grids of all sheets, with findings at cells."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column
from assistant.campaign.records import Battle, Desk, Die, Faction, FormRow, Order, Question, Rule, code_lookup
from assistant.campaign.tables import Record, Table
from assistant.catalogues import LANGUAGES
from assistant.speech import canonical_value
from assistant.turn import codes
from assistant.turn.dice_purposes import battle_code, spell_purpose
from assistant.turn.findings import Where, listed, nearest
from assistant.turn.phases import is_emptied, prepared
from assistant.turn.questions import code_finder
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.ooxml.cells import cell_address, letters_of
from assistant.workbook.port import CellMap, UntouchedRows
from assistant.workbook.read import input_rows
from assistant.workbook.read.grid import (
    LIKE,
    MUCH_LIKE,
    Heads,
    Notes,
    RowRead,
    TableGrid,
    expected_place,
    nearest_unknown,
    read_rows,
    without_spare_rows,
)
from assistant.workbook.read.input_rows import set_aside_unreadable, spell_name

REQUIRED_SETTINGS = ("turn", "phase")
"""Settings of the Desk without which nothing can be checked."""
LONGEST_NUMBER = 8
"""Most digits in the number of a code."""


@dataclass(eq=False, repr=False)
class LoadedCampaign:
    """The campaign loaded from a workbook's grids. `filled`: cells that were blank and now have a value: (English sheet
    name, row number, field).
    """

    campaign: Campaign
    cells: CellMap
    filled: list[tuple[str, int, str]] = field(default_factory=list)


def load_campaign(ruleset: Ruleset, desk: Record, grids: Mapping[str, TableGrid], notes: Notes, *, new: bool = False,
           codes_then: str = "", club: str = "") -> LoadedCampaign:
    """Read all grids (by English sheet name) into a campaign of the ruleset's records.

    `new`: the Desk may still lack its turn and phase, which `Ruleset.prepare` will set; `codes_then`: the
    `codes_fingerprint` for which the references of remembered tables were checked, "" if not known; `club`: whose copy
    it is, which owns orders that do not name a faction.
    """
    if club:
        grids = {sheet: without_spare_rows(grid) for sheet, grid in grids.items()}
    campaign = Campaign(ruleset.records)
    campaign.by_sheet(Desk.sheet).add(desk)
    got = LoadedCampaign(campaign, CellMap())
    meant = referred_tables(ruleset)
    whole = {sheet for sheet, grid in grids.items() if sheet in meant or not _is_remembered(grid)}
    read = {sheet: [] if grid.keyless or sheet not in whole else read_rows(grid, notes)
            for sheet, grid in grids.items() if sheet != Desk.sheet}
    codes_of = {sheet: _codes(rows) for sheet, rows in read.items() if sheet in meant and not grids[sheet].keyless}
    as_then = codes_then == codes_fingerprint({sheet: set(known.values()) for sheet, known in codes_of.items()})
    for sheet in [sheet for sheet in read if sheet not in whole]:
        if not (as_then or _references_up_to_date(grids[sheet], codes_of)):
            read[sheet] = read_rows(grids[sheet], notes)
        elif sheet == Order.sheet:
            read[sheet] = read_rows(_without_judged(grids[sheet]), notes)
    if new and Faction.sheet in codes_of:  # a faction that is nowhere may be one that the rulebook adds: the neutrals
        codes_of[Faction.sheet] = code_lookup(prepared(ruleset, campaign).table(Faction)) | codes_of[Faction.sheet]
    _canonical_settings(desk, codes_of, notes)
    for sheet, rows in read.items():
        canonical_references(grids[sheet], rows, codes_of, notes)
        canonical_moments(grids[sheet].record, rows, ruleset)
        if issubclass(grids[sheet].record, Rule):
            canonical_rules(rows, ruleset)
    if new:  # turn and phase as somebody typed them who begins a campaign
        campaign.desk.turn = ruleset.calendar.turns.meant(campaign.desk.turn)
        campaign.desk.phase = ruleset.calendar.called(campaign.desk.phase)
    else:
        set_aside_unreadable(grids, read, notes)
    order = {sheet: place for place, sheet in enumerate(read)}
    for sheet in sorted(read.keys() - {Order.sheet},
                        key=lambda sheet: (is_named_in_play(grids[sheet].record), order[sheet])):
        spell_made_names(ruleset, campaign, read[sheet])
        got.filled += _rename_questions(ruleset, campaign, grids[sheet], read[sheet])
        add_rows(campaign, grids[sheet], read[sheet], notes, got.cells)
    known_phase = check_clock(ruleset, campaign, notes, new=new)
    if Order.sheet in read:
        if known_phase and not any(grid.keyless for grid in grids.values()):
            got.filled += _settle(ruleset, campaign, grids[Order.sheet], read[Order.sheet], notes, new=new, club=club)
        add_rows(campaign, grids[Order.sheet], read[Order.sheet], notes, got.cells)
    return got


def _settle(ruleset: Ruleset, campaign: Campaign, grid: TableGrid, rows: Sequence[RowRead], notes: Notes, *, new: bool,
             club: str) -> list[tuple[str, int, str]]:
    """Fill in what orders leave out; returns the filled cells: the sheet, the row's number, the column."""
    blanks = any(not entry.row.turn or not entry.row.phase for entry in rows)
    desk_then = prepared(ruleset, campaign) if new and blanks else campaign
    for entry in rows:
        if club and not is_emptied(entry.row):
            entry.row.faction = entry.row.faction or club
    filled = input_rows.settle_orders(rows, desk_then, ruleset, grid.address, notes, untouched=grid.known is not None)
    return [(Order.sheet, number, name) for number, name in filled]


def _is_remembered(grid: TableGrid) -> bool:
    return grid.known is not None and grid.record.unique


def _references_up_to_date(grid: TableGrid, codes_of: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether all references of a remembered table are still spelled as in their tables."""
    rows = [row for _, row in grid.known.wake()] if grid.known is not None else []
    whose = [grid.record.column("faction")] if issubclass(grid.record, Order) else []
    for c in _reference_columns(grid.record) + whose:
        known = codes_of.get(c.kind.table)
        if known is not None and c.name in grid.heads.fields:
            seen = set(map(attrgetter(c.name), rows))
            words = {word for value in seen for word in (value if isinstance(value, tuple) else (value,))}
            if any(word and known.get(word.casefold()) != word for word in words):
                return False
    return True


def _without_judged(grid: TableGrid) -> TableGrid:
    """A remembered table of orders without those that were judged when their phase was resolved."""
    rows = grid.known.awake() if grid.known is not None else []
    left = [(number, row) for number, row in rows if row.hold != "settled"]
    return replace(grid, known=UntouchedRows([number for number, _ in left], [[row for _, row in left]]))


def referred_tables(ruleset: Ruleset) -> set[str]:
    """The English names of the sheets that columns of the ruleset's records refer to."""
    return {c.kind.table for record in ruleset.records for c in _reference_columns(record)}


def codes_fingerprint(codes_of: Mapping[str, Iterable[str]]) -> str:
    """A fingerprint of the codes of all tables that are referred to, by English sheet name."""
    text = repr([(sheet, sorted(codes_of[sheet])) for sheet in sorted(codes_of)])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def codes_fingerprint_after(ruleset: Ruleset, before: Campaign, after: Campaign) -> str:
    """The `codes_fingerprint` of a campaign that is being written; "" if a code is gone to which old rows may refer."""
    codes: dict[str, list[str]] = {}
    for sheet in referred_tables(ruleset) & after.tables().keys():
        table = after.by_sheet(sheet)
        if any(key not in table for key in before.by_sheet(sheet).keys_in_file_order()):
            return ""
        codes[sheet] = table.keys_in_file_order()
    return codes_fingerprint(codes)


def check_clock(ruleset: Ruleset, campaign: Campaign, notes: Notes, *, new: bool) -> bool:
    """Whether the Desk's turn and phase exist in the ruleset; findings if not.

    `new`: blanks are left to `Ruleset.prepare`.
    """
    turn, phase = campaign.desk.turn, campaign.desk.phase
    if any(f.code == codes.NO_SETTING and f.where.field in REQUIRED_SETTINGS for f in notes.findings):
        return False
    if not (new and not turn) and not re.fullmatch(ruleset.turn_pattern, turn):
        notes.add(codes.DESK_TURN, Where(Desk.sheet, campaign.desk.ident, "turn"), "", {"seen": turn})
        return False
    if new and not (turn and phase):
        return True
    known = list(ruleset.phase_ids(campaign))
    if phase in (*known, ruleset.closing) or ruleset.is_over(campaign):
        return True
    notes.add(codes.DESK_PHASE, Where(Desk.sheet, campaign.desk.ident, "phase"), "",
              {"seen": phase, "near": nearest(phase, known) or listed(known, 6)})
    return False


def add_rows(campaign: Campaign, grid: TableGrid, rows: Iterable[RowRead], notes: Notes, cells: CellMap) -> None:
    """Add rows to the campaign's table; a repeated key is a finding at its cell."""
    record = grid.record
    if grid.known is not None and record.unique:
        _add_untouched_rows(campaign, grid, cells)
        return
    table: Table[Any] = Table(record)
    numbers: list[int] = []
    seen: dict[str, int] = {}
    virtual: dict[str, int] = {}
    key = next((c.name for c in record.columns() if c.key), "")
    for entry in rows:
        ident = entry.row.ident
        if issubclass(record, Rule) and entry.row.value == "":
            virtual.setdefault(ident, entry.number)  # a line of the rulebook that this campaign leaves as it is
            continue
        if record.unique and ident.casefold() in seen:
            notes.add(codes.TWO_KEYS, Where(record.sheet, ident, key), grid.address(key, entry.number),
                      {"seen": ident, "first": grid.address(key, seen[ident.casefold()]).rpartition("!")[2]},
                      str(getattr(entry.row, "faction", "")))
            cells.doubled.setdefault(record.sheet, []).append((entry.number, entry.row))
            continue
        seen[ident.casefold()] = entry.number
        table.add(entry.row)
        numbers.append(entry.number)
    campaign.put(table)
    keys = (k for k, _ in table.in_file_order())
    record_places(grid, cells, {**virtual, **dict(zip(keys, numbers, strict=True))})


def _add_untouched_rows(campaign: Campaign, grid: TableGrid, cells: CellMap) -> None:
    """Add the rows of a sheet that nobody has changed to the campaign, as one table."""
    assert grid.known is not None
    table: Table[Any] = Table.partly_asleep(grid.record, grid.known.parts)
    campaign.put(table)
    record_places(grid, cells, dict(zip(table.keys_in_file_order(), grid.known.numbers, strict=True)))


def record_places(grid: TableGrid, cells: CellMap, rows: dict[str, int]) -> None:
    """Record where a sheet's rows and columns are. `rows`: key -> row number."""
    sheet = grid.record.sheet
    cells.titles[sheet] = grid.title
    cells.headings[sheet] = grid.heading_row
    cells.letters[sheet] = {name: letters_of(i) for name, i in grid.heads.fields.items()}
    cells.rows[sheet] = rows


def _codes(rows: Iterable[RowRead]) -> dict[str, str]:
    return code_lookup(entry.row for entry in rows)


def _reference_columns(record: type[Record]) -> list[Column]:
    skip = {"faction"} if issubclass(record, Order) else set()
    return [c for c in record.columns() if c.kind.table and c.name not in skip]


def canonical_moments(record: type[Record], rows: Iterable[RowRead], ruleset: Ruleset) -> None:
    """Replace names of phases by their ids in dice and answers."""
    if issubclass(record, (Die, Question)):
        called_so = cache(ruleset.calendar.called)
        for row in (entry.row for entry in rows if entry.row.phase):
            row.phase = called_so(row.phase)


def is_named_in_play(record: type[Record]) -> bool:
    """Whether the rulebook makes the names of a table's rows: dice, battles with their forms, and questions about them.
    """
    return issubclass(record, (Die, Battle, FormRow, Question))


def spell_made_names(ruleset: Ruleset, campaign: Campaign, rows: Iterable[RowRead]) -> None:
    """Spell purposes of typed dice and codes of battles as the rulebook does, if known; even after their phase, because
    the cell stays as typed. The campaign already has all other tables.
    """
    for row in (entry.row for entry in rows if isinstance(entry.row, (Die, Battle, FormRow))):
        if not isinstance(row, Die):
            row.battle = battle_code(ruleset, campaign, row.battle)
        elif row.source == "table":
            row.key = spell_purpose(ruleset, campaign, row.key) or row.key


def _rename_questions(ruleset: Ruleset, campaign: Campaign, grid: TableGrid, rows: Iterable[RowRead]) -> Iterator[tuple[
        str, int, str]]:
    """Correct the names of questions that were typed with an early answer; returns the cells to rewrite."""
    if not issubclass(grid.record, Question) or grid.known is not None:
        return
    find = code_finder(campaign)
    for entry in rows:
        was = entry.row.question
        if entry.row.hold == "typed":
            spell_name(entry.row, campaign, ruleset, find)
        if entry.row.question != was:
            yield grid.record.sheet, entry.number, "question"


def canonical_rules(rows: Iterable[RowRead], ruleset: Ruleset) -> None:
    """Spell keys, and options of switches typed in words of any language, as the rulebook does."""
    declared = {number.key: number for number in ruleset.numbers}
    keys = {key.casefold(): key for key in declared}
    for entry in rows:
        entry.row.key = keys.get(entry.row.key.casefold(), entry.row.key)
        entry.row.value = canonical_value(declared, entry.row, lambda: [Wording(ruleset, lang) for lang in LANGUAGES])


def canonical_references(grid: TableGrid, rows: Iterable[RowRead], codes_of: Mapping[str, Mapping[str, str]],
                         notes: Notes) -> None:
    """Spell references as in their table; an unknown one is a finding at its cell.

    `codes_of`: sheet -> names of its rows, casefolded -> their codes. References in a club's orders are left to the
    rulebook, which refuses the row and not the workbook.
    """
    columns = [c for c in _reference_columns(grid.record) if c.name in grid.heads.fields]
    for entry in rows:
        for c in columns:
            if c.name not in entry.present:
                continue
            known = codes_of.get(c.kind.table)
            if known is None:
                continue
            value = getattr(entry.row, c.name)
            if isinstance(value, tuple):
                setattr(entry.row, c.name, tuple(spell_code(v, known) or v for v in value))
                missing = [v for v in value if not spell_code(v, known)]
            else:
                setattr(entry.row, c.name, spell_code(value, known) or value)
                missing = [value] if value and not spell_code(value, known) else []
            if (issubclass(grid.record, Order) and c.edit == "club") or c.kind.own_finding:
                continue
            for seen in missing:
                where = Where(grid.record.sheet, entry.row.ident, c.name)
                entry.told.append(len(notes.findings))
                notes.add(codes.UNKNOWN_REF, where, grid.address(c.name, entry.number),
                          unknown_code_data(c, seen, known), str(getattr(entry.row, "faction", "")))


def spell_code(seen: str, known: Mapping[str, str]) -> str:
    """A code as its table spells it, even if a spreadsheet removed its leading zeros, or a person left out those before
    its number (``C3`` for ``C03``) or added some (``09`` for ``9``); "" if it is unknown.
    """
    code = known.get(seen.casefold(), "")
    number = re.fullmatch(r"(\D*)(\d+)", seen)
    if code or number is None:
        return code
    head, digits = number[1].casefold(), number[2]
    bare = digits.lstrip("0") or "0"
    written = (head + bare.zfill(n) for n in range(len(bare), max(len(digits), LONGEST_NUMBER) + 1))
    alike = [known[word] for word in written if word in known]
    return alike[0] if len(alike) == 1 else ""


def unknown_code_data(c: Column, seen: str, known: Mapping[str, str]) -> dict[str, str]:
    """The data of a finding about an unknown reference."""
    return {"seen": seen, "near": nearest(seen, known.values()), "table": c.kind.table}


def _canonical_settings(desk: Record, codes_of: Mapping[str, Mapping[str, str]], notes: Notes) -> None:
    for c in _reference_columns(type(desk)):
        value, known = getattr(desk, c.name), codes_of.get(c.kind.table)
        if not value or known is None:
            continue
        if value.casefold() in known:
            setattr(desk, c.name, known[value.casefold()])
        else:
            notes.add(codes.UNKNOWN_REF, Where(Desk.sheet, desk.ident, c.name), "", unknown_code_data(c, value, known))


def check_headings(grid: TableGrid, notes: Notes) -> None:
    """Findings for headings that are missing, renamed or repeated; sets `TableGrid.keyless`."""
    record, heads = grid.record, grid.heads
    grid.keyless = lacks_key(grid)
    for name, i, text in heads.twice:
        notes.add(codes.TWO_HEADINGS, Where(record.sheet, "", name),
                  cell_address(grid.title, letters_of(i), grid.heading_row),
                  {"seen": text, "first": letters_of(heads.fields[name]) + str(grid.heading_row)})
    for c in record.columns():
        if c.name in heads.fields:
            continue
        near = nearest_unknown(record, c.name, heads, MUCH_LIKE if c.quiet else LIKE)
        place = near if near is not None or c.quiet else expected_place(record, c.name, heads)
        data = {"heading": c.heading(notes.lang), "seen": heads.unknown.get(place or 0, "")}
        if c.later and not data["seen"]:
            continue  # a workbook of before: it gets the column when something is to stand there
        code = codes.NO_HEADING if not data["seen"] else codes.OTHER_HEADING if near is None else codes.RENAMED_HEADING
        notes.add(code, Where(record.sheet, "", c.name),
                  cell_address(grid.title, letters_of(place or 1), grid.heading_row), data)


def check_settings(record: type[Record], heads: Heads, title: str, column: str, notes: Notes) -> None:
    """Findings for settings of the Desk whose label is gone: those that are required, and any other in whose place
    there is something else. The Desk of an earlier version lacks some.
    """
    for c in record.columns():
        if c.name in heads.fields:
            continue
        near = nearest_unknown(record, c.name, heads)
        place = expected_place(record, c.name, heads) if near is None else near
        if place in heads.unknown or c.name in REQUIRED_SETTINGS:
            notes.add(codes.NO_SETTING, Where(record.sheet, "", c.name), cell_address(title, column, place or 1),
                      {"heading": c.heading(notes.lang), "text": heads.unknown.get(place or 0, "")})


def lacks_key(grid: TableGrid) -> bool:
    """Whether a heading of the key is missing, or the one that says whose an order is."""
    whose = issubclass(grid.record, Order)
    return any((c.key or (whose and c.required)) and c.name not in grid.heads.fields for c in grid.record.columns())
