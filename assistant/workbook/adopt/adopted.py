"""A club's workbook made a campaign's: picks in; names, columns and sheets added out, everything else left alone."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Desk, Event
from assistant.turn.findings import Finding, Where
from assistant.turn.messages.house import CHRONICLE
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook import codes
from assistant.workbook.adopt.adoption_sheet import adoption_table
from assistant.workbook.adopt.blocks import Block, beneath, fills, totals_of
from assistant.workbook.adopt.free_names import FreeNames, free_titles
from assistant.workbook.adopt.grafting import Graft
from assistant.workbook.adopt.picks import Pick
from assistant.workbook.adopt.proposal import WORDED
from assistant.workbook.file_book import FileBook
from assistant.workbook.labels import label
from assistant.workbook.layout import in_sheet_order, standing, used_columns
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells.areas import Area, cell_address, letters_of, quoted_area
from assistant.workbook.ooxml.whole_sheets.style_merge import StyleMerge
from assistant.workbook.ooxml.whole_sheets.transplant import add_names, add_sheets, hide_sheet, sheet_nodes
from assistant.workbook.port import DeskLines, Reading
from assistant.workbook.read.gathering import gather
from assistant.workbook.read.grid import Grid, Notes
from assistant.workbook.read.keeping import kept_grid, names_of
from assistant.workbook.read.values import plain_text
from assistant.workbook.write.builder import build_bytes
from assistant.workbook.write.card_sheet import CARD
from assistant.workbook.write.lists import LISTS

BODY_ROWS = 2_000
"""Rows to which the list of a table's codes reaches where nothing stands below it."""


@dataclass
class Taken:
    """What the club's tables hold. `rows`: by English sheet name, the record in each row of the club's sheet."""

    campaign: Campaign
    rows: dict[str, dict[int, Record]]


# --- reading what the club has -------------------------------------------------------------------
def take(book: OoxmlBook, ruleset: Ruleset, desk: Desk, chosen: Sequence[Pick], notes: Notes) -> Taken:
    """Read the club's tables as the records that they were chosen to be; what does not fit goes to the notes.

    Raises `Damaged`, `Hostile`.
    """
    grids = {p.record.sheet: _grid(book, p) for p in chosen if not p.copied}
    own = Notes(notes.lang)
    got = gather(ruleset, desk, grids, own, new=True)
    notes.findings += [_formula(f, notes.lang) if f.code == codes.FORMULA else f for f in own.findings]
    rows: dict[str, dict[int, Record]] = {}
    for p in chosen:
        if p.copied:
            _chronicle(book, p, got.campaign)
            continue
        table = got.campaign.by_sheet(p.record.sheet)
        rows[p.record.sheet] = {n: table[key] for key, n in got.cells.rows[p.record.sheet].items()}
        for name, column in p.fills.items():
            for number, colour in fills(book, p.block, column).items():
                if number in rows[p.record.sheet]:
                    setattr(rows[p.record.sheet][number], name, colour)
        warn_of_room(book, p.block, p.record.sheet, notes)
    return Taken(got.campaign, rows)


def warn_of_room(book: OoxmlBook, block: Block, sheet: str, notes: Notes) -> None:
    """Note what stands so close below a table that it will be in its way when it grows."""
    below = beneath(book, block)
    if below is not None:
        notes.add(codes.NO_ROOM_BELOW, Where(sheet), cell_address(block.title, letters_of(below[1]), below[0]), {},
                  severity="warning")


def _grid(book: OoxmlBook, p: Pick) -> Grid:
    """The grid of a table that nothing remembers yet: headings that are missing will be added."""
    return kept_grid(book, p.record, p.kept, Notes("en"))


def _formula(finding: Finding, lang: str) -> Finding:
    return dataclasses.replace(finding, code=codes.FORMULA_OF_CLUB,
                               data={**finding.data, "adoption": label("adoption", lang)})


def _chronicle(book: OoxmlBook, p: Pick, campaign: Campaign) -> None:
    """The club's chronicle as events that everybody knows, in the order of its rows."""
    turn = campaign.desk.turn
    events = campaign.table(Event)
    rows = book.rows(p.block.title)
    for number in range(p.block.area.top + 1, p.block.area.bottom + 1):
        said = {name: plain_text(rows[number][i].value) for name, i in p.columns.items()
                if number in rows and i in rows[number]}
        turn = said.get("turn") or turn
        if said.get(WORDED):
            events.add(events.record(no=len(events) + 1, turn=turn, audience="all", event=CHRONICLE, rule="Arbitro",
                                     data={"text": said[WORDED]}))


# --- making the workbook -----------------------------------------------------------------------
class Adoption:
    """One workbook on its way to be a campaign's; with no table of the club's chosen, ours are only put beside."""

    def __init__(self, path: Path, data: bytes, ruleset: Ruleset, chosen: Sequence[Pick], notes: Notes) -> None:
        self._path, self._data, self._ruleset, self._chosen, self._notes = path, data, ruleset, chosen, notes
        self._kept = {p.record.sheet: p for p in chosen if not p.copied}

    def make(self, campaign: Campaign, rows: Mapping[str, Mapping[int, Record]], wording: Wording, lines: DeskLines
             ) -> tuple[bytes, Reading]:
        """The bytes of the campaign's workbook, and what is read from them.

        `rows`: the records that stand in rows of the club's own. Raises `BookError`, `Damaged`, `Hostile`, `Unsafe`.
        """
        data = self._grown(campaign, rows, wording, lines)
        with tempfile.TemporaryDirectory(prefix="arbitro-") as folder:
            return self._settled(Path(folder) / self._path.name, data, campaign, wording, lines)

    def _grown(self, campaign: Campaign, rows: Mapping[str, Mapping[int, Record]], wording: Wording,
               lines: DeskLines) -> bytes:
        lang = campaign.desk.language
        book = OoxmlBook(self._data)
        book.package.check_all()
        club = {sheet: pick.block.title for sheet, pick in self._kept.items()}
        titles = free_titles(book, self._ruleset, lang, club, self._notes)
        donor = OoxmlBook(build_bytes(self._ruleset, campaign, self._path, wording, lines, titles))
        free = FreeNames(book, donor)
        ours = [r for r in in_sheet_order(standing(self._ruleset.records, campaign)) if r.sheet not in club]
        names, styles = free.free(ours), StyleMerge(book, donor)
        for sheet, pick in self._kept.items():
            graft = Graft(book, donor, styles, pick, lang, used_columns(campaign, pick.record))
            kept = graft.make(rows.get(sheet, {}))
            if graft.apart:
                cell = cell_address(kept.title, letters_of(graft.first), kept.area.top)
                self._notes.add(codes.APART, Where(sheet), cell, {"seen": kept.title}, severity="warning")
            names.update(names_of(pick.record, kept))
            keys = [c.name for c in pick.record.columns() if c.key]
            if len(keys) == 1 and free.list_name(sheet) in donor.names:
                names[free.list_name(sheet)] = _codes(book, pick, pick.columns[keys[0]],
                                                      len(campaign.by_sheet(sheet)) - len(rows.get(sheet, {})))
        styles.save()
        made = {str(node.get("name")) for node in sheet_nodes(donor)}
        plain = [titles[sheet] for sheet in (CARD, LISTS) if titles[sheet] in made]
        add_sheets(book, donor, [titles[r.sheet] for r in ours] + plain)
        add_names(book, names)
        asked = adoption_table(book)
        if asked is not None:
            hide_sheet(book, asked.sheet, titles[Desk.sheet])
        return book.package.pack()

    def _settled(self, copy: Path, data: bytes, campaign: Campaign, wording: Wording, lines: DeskLines
                 ) -> tuple[bytes, Reading]:
        """Add the rows that the rulebook wants besides the club's, and fill in what it would fill in."""
        copy.write_bytes(data)
        book = FileBook(copy, lambda _: self._ruleset)
        reading = book.read()
        # a code that is nowhere may be that of a row which is only added now, such as the neutrals
        if not self._kept or any(f.stops and f.code != codes.UNKNOWN_REF for f in reading.findings):
            return data, reading
        after = reading.campaign.copy()
        for sheet in self._kept:
            _fill_up(after, campaign, sheet)
        book.write(reading.campaign, after, wording, lines)
        return copy.read_bytes(), book.read()


def _fill_up(after: Campaign, wanted: Campaign, sheet: str) -> None:
    """Rows that are missing, and values where the club left a cell blank; never another value than the club's."""
    table = after.by_sheet(sheet)
    for key, row in wanted.by_sheet(sheet).in_file_order():
        there = table.get(key)
        if there is None:
            table.add(row.copy())
            continue
        for c in row.columns():
            if getattr(there, c.name) == c.default and getattr(row, c.name) != c.default:
                setattr(there, c.name, getattr(row, c.name))


def _codes(book: OoxmlBook, pick: Pick, column: int, more: int) -> str:
    """What the list of a table's codes stands for: the club's column, as far as it is filled. `more`: rows that
    the rulebook adds to it now.
    """
    area = pick.block.area
    closed = beneath(book, pick.block) or totals_of(book, pick.block)
    last = area.bottom + more if closed else area.top + BODY_ROWS
    cells = quoted_area(pick.block.title, Area(column, area.top + 1, column, last))
    first = quoted_area(pick.block.title, Area(column, area.top + 1, column, area.top + 1))
    return f"OFFSET({first},0,0,MAX(1,COUNTA({cells})),1)"
