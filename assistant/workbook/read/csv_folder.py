"""Reads and writes folders of CSV files; tolerant in reading, exact in writing.

Written files are UTF-8 without a byte order mark, with LF, commas, and quotes only where needed; headings are field
names. A text that a spreadsheet would take for a formula gets a leading apostrophe, which reading removes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Parts, Ref, Typed, Whole
from assistant.campaign.records import Battle, Desk, Die, Faction, Node, Order, Question, code_lookup
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.dice_purposes import typed_battle_code
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim
from assistant.workbook.layout import used_columns
from assistant.workbook.ooxml.cells import Cell, cell_address, letters_of
from assistant.workbook.port import Loader
from assistant.workbook.read.grid import (
    OFF_MARK,
    Heads,
    Notes,
    TableGrid,
    fold,
    match_headings,
    must_be_filled,
    read_settings,
)
from assistant.workbook.read.grid import read_rows as rows_of_grid
from assistant.workbook.read.load_campaign import (
    LoadedCampaign,
    canonical_moments,
    canonical_references,
    load_campaign,
    name_question,
    settle_orders,
)
from assistant.workbook.save import write_files
from assistant.workbook.screening import LIMITS, BookMissing, oversize_refusal

_CALCULATES = r"\s*[=+\-@\t\r＝＋－＠]"
"""Beginnings of a text that some spreadsheet would calculate; the full-width signs count where they are common."""
_RISKY = re.compile(rf"'*{_CALCULATES}")
_GUARDED = re.compile(rf"'+{_CALCULATES}")
_FOREIGN = {b"PK\x03\x04": N_("a workbook, or another packed file"), b"\xd0\xcf\x11\xe0": N_("an old Office file"),
            b"%PDF": N_("a PDF")}
"""First bytes of files that somebody named like a CSV by mistake."""
_EXTRA: dict[str, type[Record]] = {"answers": Question, "battleresults": Battle}
_LEFT_OUT = {"battleresults": {"phase"}, "answers": set[str]()}
"""Columns of the extra files that only repeat what their rows already know."""


# --- files to rows of text ----------------------------------------------------------------------
def parse_csv(data: bytes) -> list[list[str]]:
    """The rows of a CSV in any encoding that Excel writes, separated by comma, semicolon or tab.

    Raises csv.Error if it is not a CSV.
    """
    text = decode_text(data)
    if "\x00" in text:
        raise csv.Error("binary")
    first = text.split("\n", 1)[0]
    mark = max(",;\t", key=first.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))


def decode_text(data: bytes) -> str:
    """The text of a file in any encoding that Excel and Windows write."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def unguard(text: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from calculating it."""
    return text[1:] if _GUARDED.match(text) else text


def guarded_text(c: Column, value: Any) -> str:
    """A value as text for a CSV, with a leading apostrophe if a spreadsheet would calculate it."""
    text = c.kind.show(value)
    number = isinstance(c.kind, (Whole, Parts, Typed)) and isinstance(value, int)
    return f"'{text}" if not number and _RISKY.match(text) else text


def _csv_grid(record: type[Record], path: Path, data: list[list[str]], notes: Notes,
          left_out: Iterable[str] = (), *, whole: bool = False) -> TableGrid | None:
    """The grid of a CSV; None with a finding if no heading is known.

    `whole`: rows with more cells than headings are kept, because the finding stops everything anyway.
    """
    start = next((n for n, row in enumerate(data) if any(cell.strip() for cell in row)), None)
    if start is None:
        if not any(f.data.get("file") == path.name for f in notes.findings):
            notes.add(codes.EMPTY_CSV, Where(record.sheet), "", {"file": path.name})
        return None
    heads = match_headings(record, dict(enumerate(data[start], 1)))
    if not heads.count:
        notes.add(codes.NO_CSV_HEADINGS, Where(record.sheet), cell_address(path.name, "A", start + 1),
                  headings_data(record, path))
        return None
    if record.counted:
        heads.fields.setdefault(record.counted, len(data[start]) + 1)
    _check_heads(record, path.name, heads, start + 1, notes, {fold(name) for name in left_out})
    rows: list[tuple[int, Mapping[int, Any]]] = []
    named = {i for i, text in enumerate(data[start], 1) if text.strip()}
    for number, row in enumerate(data[start + 1:], start + 2):
        if len(row) > len(data[start]) and not row[0].strip():  # where ; parts cells it shifts what it marks off
            rows.append((number, {1: Cell(OFF_MARK)}))
            continue
        if _has_surplus(record, path, row, number, named, notes) and not whole:
            continue
        rows.append((number, {i: Cell(unguard(text)) for i, text in enumerate(row, 1) if text.strip()}))
    return TableGrid(record, path.name, start + 1, heads, _number_rows(rows, heads.fields.get(record.counted, 0)))


def headings_data(record: type[Record], path: Path) -> dict[str, Any]:
    """What a finding says of a file whose headings nobody knows: the headings by which people fill in such rows."""
    orders = issubclass(record, Order)
    filled = [c.name for c in record.columns() if c.edit != "assistant" and not (orders and c.name in ("order", "seq"))]
    return {"file": path.name, "kind": "orders" if orders else "", "list": Verbatim(", ".join(filled))}


def _number_rows(rows: list[tuple[int, Mapping[int, Any]]], key: int) -> list[tuple[int, Mapping[int, Any]]]:
    """Number the rows that have no number in the key column; `key`: 0 if people give all keys."""
    seen = [cells[key].value for _, cells in rows if key in cells]
    numbers = count(1 + max((int(value) for value in seen if str(value).isdecimal()), default=0))
    return [(n, {**cells, key: Cell(str(next(numbers)))} if key and cells and key not in cells else cells)
            for n, cells in rows]


def _has_surplus(record: type[Record], path: Path, row: list[str], number: int, named: set[int], notes: Notes) -> bool:
    """Whether a row has a cell without a heading; a finding for the first such cell."""
    over = next((i for i, text in enumerate(row, 1) if text.strip() and i not in named), 0)
    if over:
        notes.add(codes.SURPLUS, Where(record.sheet), cell_address(path.name, letters_of(over), number),
                  {"seen": Verbatim(row[over - 1].strip()[:80])})
    return bool(over)


def _check_heads(record: type[Record], title: str, heads: Heads, row: int, notes: Notes, quiet: set[str]) -> None:
    for name, i, text in heads.twice:
        notes.add(codes.TWO_HEADINGS, Where(record.sheet, "", name), cell_address(title, letters_of(i), row),
                  {"seen": text, "first": letters_of(heads.fields[name]) + str(row)})
    for c in record.columns():
        moment = issubclass(record, Die) and c.name in (record.time, record.part)  # a die may be of its next throw
        needed = c.key and record.unique and not issubclass(record, (Order, Question)) and not moment
        if needed and must_be_filled(record, c) and c.name not in heads.fields:
            notes.add(codes.NO_HEADING, Where(record.sheet, "", c.name), cell_address(title, "A", row),
                      {"heading": c.name})
    for i, text in heads.unknown.items():
        if fold(text) not in quiet:
            notes.add(codes.UNKNOWN_COLUMN, Where(record.sheet), cell_address(title, letters_of(i), row),
                      {"seen": text, "file": title}, severity="warning")


def _parse(path: Path, notes: Notes, content: bytes | None = None) -> list[list[str]]:
    bad = oversize_refusal(path) if content is None else None
    if bad is not None:
        notes.add(bad[0], Where(), "", {"file": path.name, **bad[1]})
        return []
    try:
        content = path.read_bytes() if content is None else content
        what = next((what for start, what in _FOREIGN.items() if content.startswith(start)), "")
        if what:
            notes.add(codes.NO_CSV, Where(), "", {"file": path.name, "what": what})
            return []
        return parse_csv(content)
    except csv.Error as no:
        notes.add(codes.BAD_CSV, Where(), "", {"file": path.name, "reason": str(no)})
        return []


# --- a whole folder ---------------------------------------------------------------------------
def read_folder(folder: Path, ruleset: Ruleset | None = None, loader: Loader | None = None,
                ) -> tuple[Ruleset, Campaign, list[Finding]]:
    """A campaign from a folder of CSVs: one file per table, headings in either language or field names.

    Without `ruleset` the one named in ``desk.csv`` is used. Files named ``expected*`` and files that are not CSVs are
    ignored. Raises `BookMissing` if there is no folder, and as `load` for an unknown ruleset.
    """
    if not folder.is_dir():
        raise BookMissing(folder, f"there is no folder {folder.name}")
    files = _by_stem(p for p in folder.iterdir() if p.suffix.casefold() == ".csv")
    notes = Notes("en")
    desk_path = next((files.pop(stem) for stem in (*sorted(_file_stems(Desk)), "campaign") if stem in files), None)
    desk_rows = _parse(desk_path, notes) if desk_path else []
    plain = _read_desk(Desk, desk_path, desk_rows, Notes("en"))
    rulebook = ruleset or (loader or load)(plain.ruleset)
    notes.lang = plain.language
    desk = _read_desk(rulebook.record(Desk.sheet), desk_path, desk_rows, notes)
    desk.ruleset = rulebook.id
    grids: dict[str, TableGrid] = {}
    extras: list[tuple[str, Path]] = []
    stems = {stem: r for r in rulebook.records if not r.single for stem in _file_stems(r)}
    for stem, path in files.items():
        if stem in stems:
            data = _parse(path, notes)
            grid = _csv_grid(stems[stem], path, data, notes, whole=True) if not _has_too_many_rows(
                path, data, LIMITS.table, notes) else None
            if grid is None:
                continue
            if issubclass(grid.record, Question) and "question" not in grid.heads.fields:
                extras.append(("answers", path))  # the name is made of kind, addressee and subject
            else:
                grids[grid.record.sheet] = grid
        elif stem in _EXTRA:
            extras.append((stem, path))
        elif not stem.startswith("expected"):
            known = ", ".join(sorted([*(f"{r.file}.csv" for r in rulebook.records), "answers.csv",
                                      "battle_results.csv"]))
            notes.add(codes.UNKNOWN_FILE, Where(), "", {"file": path.name, "list": known}, severity="warning")
    got = load_campaign(rulebook, desk, grids, notes, new=True)
    _check_missing(rulebook, got.campaign, files, notes)
    for stem, path in extras:
        _merge_extra(rulebook, got, stem, path, notes)
    notes.tell_off()
    return rulebook, got.campaign, notes.findings


def _check_missing(ruleset: Ruleset, campaign: Campaign, files: Iterable[str], notes: Notes) -> None:
    """A finding for a missing file of places or factions, if other files refer to its codes."""
    for wanted in (ruleset.record(Node.sheet), ruleset.record(Faction.sheet)):
        if not _file_stems(wanted).isdisjoint(files):
            continue
        seen = (getattr(row, c.name) for table in campaign.tables().values() for c in table.record.columns()
                if isinstance(c.kind, Ref) and c.kind.table == wanted.sheet and not c.kind.own_finding for row in table)
        first = next((value for value in seen if value), "")
        if first:
            notes.add(codes.NO_FILE, Where(wanted.sheet), "", {"file": f"{wanted.file}.csv", "seen": Verbatim(first)})


def _by_stem(paths: Iterable[Path]) -> dict[str, Path]:
    """Files by the plain form of their names; of two with the same one, the one not in our spelling keeps its whole
    name, which is not any table's.
    """
    files: dict[str, Path] = {}
    for path in sorted(paths, key=lambda path: (" " in path.name or path.name != path.name.lower(), path)):
        stem = _plain_stem(path.stem)
        files[path.name if stem in files else stem] = path
    return files


def _plain_stem(name: str) -> str:
    return name.casefold().translate(dict.fromkeys(map(ord, " _-")))


def _file_stems(record: type[Record]) -> set[str]:
    return {_plain_stem(record.file), _plain_stem(record.sheet), _plain_stem(record.sheet_it)}


def _read_desk(record: type[Record], path: Path | None, data: list[list[str]], notes: Notes) -> Any:
    """The Desk from ``key,value`` rows or from one wide row; its defaults without a file."""
    if path is None:
        return record()
    wide = match_headings(record, dict(enumerate(data[0], 1))) if data else Heads()
    if len(data) > 1 and (wide.count >= 2 or (wide.count and max(map(len, data)) == 1)):
        grid = _csv_grid(record, path, data, notes)
        rows = rows_of_grid(grid, notes) if grid else []
        return rows[0].row if rows else record()
    heads = match_headings(record, {n: row[0] for n, row in enumerate(data, 1) if row})
    for n, text in heads.unknown.items():
        if (n, fold(text)) not in ((1, "key"), (1, "chiave")):
            notes.add(codes.UNKNOWN_SETTING, Where(record.sheet), cell_address(path.name, "A", n),
                      {"seen": text, "file": path.name, "near": nearest(text, (c.name for c in record.columns()), 0.6)},
                      severity="warning")
    for n, row in enumerate(data, 1):
        _has_surplus(record, path, row, n, {1, 2}, notes)
    pairs = {n: (row[0], Cell(unguard(row[1]) if len(row) > 1 else "")) for n, row in enumerate(data, 1) if row}
    return read_settings(record, pairs, heads.fields, path.name, "B", notes)[0]


def _merge_extra(ruleset: Ruleset, got: LoadedCampaign, stem: str, path: Path, notes: Notes) -> None:
    """Merge answers and battle results into the rows of their tables, or add them."""
    record = ruleset.record(_EXTRA[stem].sheet)
    table = got.campaign.by_sheet(record.sheet)
    for row in _partial_rows(ruleset, record, path, got.campaign, notes, _LEFT_OUT[stem]):
        if row.ident in table:
            vars(table[row.ident]).update(vars(row))
        else:
            table.add(row)


# --- rows of one file -------------------------------------------------------------------------
def read_csv_rows(path: Path, ruleset: Ruleset, campaign: Campaign, content: bytes | None = None,
              numbered: set[str] | None = None, faction: str = "") -> tuple[list[Record], list[Finding]]:
    """Orders, answers, battle results with their further sheets, or dice from one CSV, told by its name or headings.

    Orders are numbered after those of the campaign; answers and battle results are whole rows: the campaign's, with the
    file's columns merged in. `content`: the file's bytes, if it is not on disk (then `path` is only its name);
    `numbered`: collects the numbers of orders that came without one; `faction`: the owner of orders that name none.

    Raises `BookMissing`.
    """
    if content is None and not path.is_file():
        raise BookMissing(path, f"there is no file {path.name}")
    notes = Notes(campaign.desk.language)
    data = _parse(path, notes, content)
    if not notes.findings and not any(cell.strip() for row in data for cell in row):
        notes.add(codes.EMPTY_CSV, Where(), "", {"file": path.name})
        return [], notes.findings
    if _has_too_many_rows(path, data, LIMITS.rows, notes):
        return [], notes.findings
    record = _record_of_file(path, data, ruleset)
    if record is None:
        if not notes.findings:
            notes.add(codes.NO_CSV_HEADINGS, Where(), "", headings_data(ruleset.record(Order.sheet), path))
        return [], notes.findings
    if issubclass(record, (Question, Battle)):
        quiet = {name for names in _LEFT_OUT.values() for name in names}
        partial = _partial_rows(ruleset, record, path, campaign, notes, quiet, data)
        notes.tell_off()
        return partial, notes.findings
    grid = _csv_grid(record, path, data, notes)
    rows = rows_of_grid(grid, notes) if grid else []
    if grid is not None:
        canonical_references(grid, rows, _known_codes(campaign, record), notes)
        canonical_moments(record, rows, ruleset)
        if issubclass(record, Order):
            for entry in rows:
                entry.row.faction = entry.row.faction or faction
            filled = set(settle_orders(rows, campaign, ruleset, grid.address, notes,
                                           dict(campaign.table(Order).in_file_order())))
            if numbered is not None:
                numbered |= {entry.row.order for entry in rows if (entry.number, "order") in filled}
    notes.tell_off()
    return [entry.row for entry in rows], notes.findings


def _has_too_many_rows(path: Path, data: list[list[str]], limit: int, notes: Notes) -> bool:
    """Whether a file has more rows than we take at once, not counting headings; a finding if so."""
    filled = sum(any(cell.strip() for cell in row) for row in data) - 1
    if filled > limit:
        notes.add(codes.TOO_MANY_ROWS, Where(), "", {"file": path.name, "n": filled, "limit": limit})
    return filled > limit


def _record_of_file(path: Path, data: list[list[str]], ruleset: Ruleset) -> type[Record] | None:
    """The record that a file holds: by its name, else the one that knows most of its headings."""
    shared: tuple[type[Record], ...] = (Order, Question, Battle, Die)
    takes = [*(ruleset.record(r.sheet) for r in shared), *ruleset.forms]
    stem = _plain_stem(path.stem.rpartition(", ")[2])  # of a file of a mail, whose sender is named before it
    for record in takes:
        if stem in _file_stems(record) or stem in {s for s, r in _EXTRA.items() if issubclass(record, r)}:
            return record
    head = next((row for row in data if any(cell.strip() for cell in row)), [])
    scored = [(match_headings(record, dict(enumerate(head, 1))).count, -n) for n, record in enumerate(takes)]
    best = max(scored)
    return takes[-best[1]] if best[0] >= 2 else None


def _known_codes(campaign: Campaign, record: type[Record]) -> dict[str, dict[str, str]]:
    sheets = {c.kind.table for c in record.columns() if c.kind.table}
    return {s: code_lookup(row for _, row in campaign.by_sheet(s).in_file_order())
            for s in sheets if s in campaign.tables()}


def _partial_rows(ruleset: Ruleset, record: type[Record], path: Path, campaign: Campaign, notes: Notes,
                  quiet: Iterable[str], data: list[list[str]] | None = None) -> list[Record]:
    """Rows that give only some columns of rows that the campaign may already have. `data`: the content of the file."""
    grid = _csv_grid(record, path, _parse(path, notes) if data is None else data, notes, quiet)
    if grid is None:
        return []
    before = len(notes.findings)
    rows = rows_of_grid(grid, notes)
    canonical_moments(record, rows, ruleset)
    if issubclass(record, Question):
        notes.findings[before:] = [f for f in notes.findings[before:]
                                   if not (f.code == codes.BLANK and f.where.field == "question")]
        for entry in rows:
            name_question(entry.row, campaign, ruleset)
    canonical_references(grid, rows, _known_codes(campaign, record), notes)
    table = campaign.by_sheet(record.sheet)
    whole = []
    for entry in rows:
        if isinstance(entry.row, Battle):
            entry.row.battle = typed_battle_code(ruleset, campaign, entry.row.battle)
        old = table.get(entry.row.ident)
        if old is not None:
            new = old.copy()
            for name in entry.present:
                setattr(new, name, getattr(entry.row, name))
            whole.append(new)
        else:
            whole.append(entry.row)
    return whole


# --- writing ----------------------------------------------------------------------------------
def table_csv(campaign: Campaign, record: type[Record]) -> str:
    """One table as CSV text; the Desk as ``key,value``."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    rows = [row for _, row in campaign.by_sheet(record.sheet).raw_rows()]
    used = used_columns(campaign, record)
    columns = [c for c in record.columns() if not c.quiet or c.name in used]
    if record.single:
        writer.writerow(("key", "value"))
        writer.writerows((c.name, guarded_text(c, getattr(row, c.name))) for row in rows for c in columns)
    else:
        writer.writerow([c.name for c in columns])
        writer.writerows([guarded_text(c, getattr(row, c.name)) for c in columns] for row in rows)
    return out.getvalue()


def write_folder(campaign: Campaign, folder: Path) -> list[Path]:
    """Write every table as ``<file>.csv`` into a folder, which is created; all or nothing. Returns the files.

    What links a workbook to its ledger is left out: a folder has no ledger. Raises OSError.
    """
    campaign = campaign.copy()
    if len(campaign.by_sheet(Desk.sheet)):
        # a campaign that is made of the folder begins a chain of its own
        campaign.desk.marks = Desk.column("marks").default
    files = {f"{table.record.file}.csv": table_csv(campaign, table.record).encode("utf-8")
             for table in campaign.tables().values()
             if (len(table) or not table.record.quiet) and not table.record.apart}
    write_files(folder, files)
    return [folder / name for name in files]
