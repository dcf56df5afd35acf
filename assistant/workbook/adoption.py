"""Makes a club's workbook a campaign's: adds names, columns and sheets and leaves everything else alone."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Event
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Where
from assistant.turn.messages import CHRONICLE
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.adoption_match import (
    WORDED,
    TableBlock,
    TablePick,
    count_total_rows,
    fill_colours,
    first_obstacle,
)
from assistant.workbook.file_book import FileBook
from assistant.workbook.layout import (
    HEADING_ROW,
    SPARE_ROWS,
    in_sheet_order,
    label,
    list_name,
    records_with_sheet,
    sheet_columns,
    sheet_title,
    table_name,
    used_columns,
)
from assistant.workbook.ooxml.book import OoxmlBook, TablePart
from assistant.workbook.ooxml.cells import Area, Cell, area_of, cell_address, letters_of, quoted_area
from assistant.workbook.ooxml.sheet import OoxmlSheet
from assistant.workbook.ooxml.transplant import StyleMerge, add_names, add_sheets, free_title, sheet_nodes, unused_name
from assistant.workbook.ooxml.xml_tree import (
    WORKSHEET_ORDER,
    Splices,
    Unsafe,
    XmlNode,
    append_to_group,
    element_xml,
    escape_xml,
    insert_child,
)
from assistant.workbook.port import DeskLines, WorkbookReading
from assistant.workbook.read.find_tables import (
    TableMapping,
    club_table,
    mapped_grid,
    mapping_names,
    place_name,
    possible_names,
)
from assistant.workbook.read.grid import Heads, Notes, TableGrid, cell_value, fold, plain_text
from assistant.workbook.read.load_campaign import load_campaign
from assistant.workbook.write.new_workbook import CARD_SHEET, CHANGES_SHEET, new_workbook_bytes
from assistant.workbook.write.sheet_style import LISTS_SHEET

# Our sheets in a club's workbook.


_LIST_PREFIX = list_name("")
_CHOICE_FORMULA = re.compile(rb"(<formula1>)([^<]*)(?=</formula1>)")


def sheet_titles(book: OoxmlBook, ruleset: Ruleset, lang: str, kept: Mapping[str, str], notes: Notes) -> dict[str, str]:
    """The titles of all sheets, by English name: the club's own where it keeps the table (`kept`), else a free one.

    Notes a warning for each of our sheets that cannot have the title that the rulebook gives it.
    """
    titles: dict[str, str] = {}
    wanted = [(r.sheet, sheet_title(r, lang)) for r in ruleset.records] + [
        (CARD_SHEET, label("card", lang)), (CHANGES_SHEET, label("changes", lang)), (LISTS_SHEET, label("lists", lang))]
    for sheet, title in wanted:
        titles[sheet] = kept.get(sheet) or free_title(book, title, titles.values())
        if sheet not in kept and titles[sheet] != title and sheet not in (CARD_SHEET, CHANGES_SHEET, LISTS_SHEET):
            notes.add(codes.SHEET_RENAMED, Where(), "", {"seen": title, "called": titles[sheet]}, severity="warning")
    return titles


class DonorNames:
    """Gives the donor's tables and lists names that the club's workbook does not use yet."""

    def __init__(self, book: OoxmlBook, donor: OoxmlBook) -> None:
        self._book, self._donor = book, donor
        self._taken = {node.get("name").casefold() for node in book.root.members("definedNames", "definedName")}
        self._taken |= {table.name.casefold() for table in book.tables()}
        self._list = _LIST_PREFIX

    def list_name(self, sheet: str) -> str:
        """The defined name of a table's codes, as the donor has it now."""
        return self._list + list_name(sheet).removeprefix(_LIST_PREFIX)

    def free(self, records: Collection[type[Record]]) -> dict[str, str]:
        """Rename whatever clashes with a name of the club's. `records`: those whose sheets are put in.

        Returns the defined names by which our sheets are found again, where neither their title nor the name of their
        table can tell them. Raises `Unsafe` (``name``) where the club's workbook already remembers a table of such a
        record.
        """
        old = next((name for r in records for name in (*possible_names(r), place_name(r))
                    if name.casefold() in self._taken), "")
        if old:
            raise Unsafe("name", detail=old)
        if any(name.casefold() in self._taken for name in self._donor.names if name.startswith(_LIST_PREFIX)):
            self._rename_lists()
        tables, names = {t.name: t for t in self._donor.tables()}, {}
        titles = {fold(node.get("name")) for node in sheet_nodes(self._book)}
        for record in records:
            table = tables[table_name(record)]
            free = unused_name(table.name, self._taken, "{}_{}")
            if free != table.name:
                self._rename(table, free)
            if free != table.name or titles & {fold(record.sheet), fold(record.sheet_it)}:
                left, top, _, _ = table.area
                names[place_name(record)] = quoted_area(table.sheet, Area(left, top, left, top))
        return names

    def _rename(self, table: TablePart, name: str) -> None:
        root = self._donor.package.tree(table.part)
        with self._donor.package.edit(table.part) as splices:
            for attribute in ("name", "displayName"):
                splices.attribute(root, attribute, name)

    def _rename_lists(self) -> None:
        """Give all lists another prefix, in their names and in the drop-downs that use them."""
        number = 2
        while any(name.startswith(f"{_LIST_PREFIX[:-1]}{number}_") for name in self._taken):
            number += 1
        self._list = f"{_LIST_PREFIX[:-1]}{number}_"
        old, new = rf"\b{_LIST_PREFIX}".encode(), self._list.encode()
        with self._donor.edit() as splices:
            for node in self._donor.root.members("definedNames", "definedName"):
                if node.get("name").startswith(_LIST_PREFIX):
                    splices.attribute(node, "name", self._list + node.get("name").removeprefix(_LIST_PREFIX))
        for title, sheet in self._donor.sheets.items():
            data = self._donor.package.text(sheet.part)
            self._donor.package.put(sheet.part, _CHOICE_FORMULA.sub(lambda m: m[1] + re.sub(old, new, m[2]), data))
            self._donor.forget(title)


# Our columns beside a club's own table.
# #
# They go right next to the table if nothing is in the way, so that sorting takes them along, and an Excel table or
# filter is extended over them. Otherwise they go to the right of everything else on the sheet. No cell of the club's
# is touched, whatever it holds or looks like.


OUR_HEADING = "{heading} (Arbitro)"
"""Our heading where the club uses the same word for something else."""


class AddedColumns:
    """The columns of one record that are added beside a club's table. Raises `Damaged`, `Hostile`, `Unsafe`.

    `used`: optional fields that hold something; optional fields without a value get no column.
    """

    def __init__(self, book: OoxmlBook, donor: OoxmlBook, styles: StyleMerge, pick: TablePick, lang: str,
                 used: Collection[str] = ()) -> None:
        self._book, self._donor, self._styles, self._pick, self._lang = book, donor, styles, pick, lang
        self._block, record = pick.block, pick.record
        self._donors = sheet_columns(record, lang, used)
        self._shown = [s for s in self._donors if s.column is not None and not s.empty
                       and not pick.stays(s.name)]
        self.first, self.apart = self._place()

    # --- where ------------------------------------------------------------------------------
    def _place(self) -> tuple[int, bool]:
        """The first free column, and whether it is apart from the table."""
        area, title = self._block.area, self._block.title
        wanted = Area(area.right + 1, area.top, area.right + max(1, len(self._shown)), area.bottom + 1)
        root = self._book.package.tree(self._book.sheets[title].part)
        taken = [area_of(n.get("ref")) for n in root.members("mergeCells", "mergeCell")]
        taken += [t.area for t in self._book.tables() if t.sheet == title and not t.area.meets(area)]
        taken += list(_drawing_areas(self._book, root, title))
        free = OoxmlSheet(self._book, title).first_occupied(wanted) is None and not any(wanted.meets(a) for a in taken)
        if free:
            return area.right + 1, False
        used = [i for cells in self._book.rows(title).values() for i in cells]
        # an area that reaches over whole rows ends at column 16,384: nothing could stand to the right of it
        return max([area.right, *used, *(a.right for a in taken if a.right < 16_000)]) + 2, True

    # --- what -------------------------------------------------------------------------------
    def make(self, rows: Mapping[int, Record]) -> TableMapping:
        """Write the columns with the values of the rows (by row number); returns the mapping of the extended table."""
        kept = self._pick.mapping
        if not self._shown:
            return kept
        sheet, top = OoxmlSheet(self._book, self._block.title), self._block.area.top
        model = next(t for t in self._donor.tables() if t.name == table_name(self._pick.record)).sheet
        looks = OoxmlSheet(self._donor, model)
        order = [s.name for s in self._donors]
        columns: dict[str, tuple[int, str]] = {}
        taken = {fold(text) for text in self._block.headings.values()}
        for i, column in enumerate(self._shown, self.first):
            heading = column.heading
            if fold(heading) in taken:
                heading = OUR_HEADING.format(heading=heading)
            taken.add(fold(heading))
            at = order.index(column.name) + 1
            sheet.put(top, i, heading, style=self._styles.cell(looks.style(HEADING_ROW, at)))
            look = self._styles.cell(looks.style(HEADING_ROW + 1, at))
            for number in range(top + 1, self._block.area.bottom + 1):
                assert column.column is not None
                row = rows.get(number)
                value = cell_value(column.column, getattr(row, column.name), self._lang) if row is not None else None
                sheet.put(number, i, value, style=look)
            columns[column.name] = (i, heading)
        sheet.save()
        self._around(looks, model, order, columns.values())
        if not self.apart:
            self._reach([heading for _, heading in columns.values()])
        area = self._block.area if self.apart else self._block.area._replace(right=self.first + len(columns) - 1)
        return kept._replace(area=area, columns={**kept.columns, **columns})

    # --- around the cells ---------------------------------------------------------------------
    def _around(self, looks: OoxmlSheet, model: str, order: list[str], headings: Iterable[tuple[int, str]]) -> None:
        """Set widths and drop-downs of the new columns."""
        part = self._book.sheets[self._block.title].part
        root, splices = self._book.package.tree(part), Splices(self._book.package.text(part))
        prefix = root.prefix.encode()
        headed = {i: 4 + 1.2 * len(text) for i, text in headings}  # the club's row of headings keeps its height
        widths = {i: max(headed[i], looks.width(order.index(column.name) + 1))
                  for i, column in enumerate(self._shown, self.first)}
        _set_widths(splices, root, widths)
        last = self._block.area.bottom
        if first_obstacle(self._book, self._block) is None and not count_total_rows(self._book, self._block):
            last += SPARE_ROWS
        theirs = self._donor.package.tree(self._donor.sheets[model].part)
        data = self._donor.package.text(self._donor.sheets[model].part)
        choices = []
        for i, column in enumerate(self._shown, self.first):
            at = order.index(column.name) + 1
            for node in theirs.members("dataValidations", "dataValidation"):
                if area_of(node.get("sqref").split()[0]).left == at:
                    xml = data[node.start:node.end]
                    place = f"{letters_of(i)}{self._block.area.top + 1}:{letters_of(i)}{last}".encode()
                    xml = re.sub(rb'\ssqref="[^"]*"', b' sqref="' + place + b'"', xml, count=1)
                    choices.append(re.sub(rb"<(/?)(?=[A-Za-z])", rb"<\1" + prefix, xml) if prefix else xml)
        append_to_group(splices, root, WORKSHEET_ORDER, "dataValidations", choices)
        self._book.package.put(part, splices.result())
        self._book.forget(self._block.title)

    def _reach(self, headings: list[str]) -> None:
        """Extend the club's Excel table and filter over the new columns."""
        right = self.first + len(headings) - 1
        table = club_table(self._book, self._block.title, self._block.area)
        if table is not None and table.area.right == self._block.area.right:
            _extend_table(self._book, table, headings, right)
        part = self._book.sheets[self._block.title].part
        root = self._book.package.tree(part)
        chosen = root.child("autoFilter")
        if chosen is None or not chosen.get("ref"):
            return
        area = area_of(chosen.get("ref"))
        if (area.top, area.right) == (self._block.area.top, self._block.area.right):
            with self._book.package.edit(part) as splices:
                splices.attribute(chosen, "ref", str(area._replace(right=right)))
            self._book.forget(self._block.title)
            _extend_filter_name(self._book, quoted_area(self._block.title, area),
                          quoted_area(self._block.title, area._replace(right=right)))


def _extend_filter_name(book: OoxmlBook, old: str, new: str) -> None:
    """Change the hidden name that Excel keeps for a sheet's filter to the area that the sheet has now."""
    with book.edit() as splices:
        for node in book.root.members("definedNames", "definedName"):
            if node.get("name") == "_xlnm._FilterDatabase" and node.text.replace("'", "") == old.replace("'", ""):
                splices.replace(node.inner, node.close, escape_xml(new))


def _extend_table(book: OoxmlBook, table: TablePart, headings: list[str], right: int) -> None:
    root, splices = book.package.tree(table.part), Splices(book.package.text(table.part))
    splices.attribute(root, "ref", str(table.area._replace(right=right)))
    chosen = root.child("autoFilter")
    if chosen is not None and chosen.get("ref"):
        splices.attribute(chosen, "ref", str(area_of(chosen.get("ref"))._replace(right=right)))
    columns = root.child("tableColumns")
    assert columns is not None
    first = max([0, *(n.whole("id") for n in columns.all("tableColumn"))]) + 1
    new = [element_xml(f"{root.prefix}tableColumn".encode(), {"id": str(number), "name": text})
           for number, text in enumerate(headings, first)]
    splices.attribute(columns, "count", str(len(columns.all("tableColumn")) + len(new)))
    splices.append(columns, b"".join(new))
    book.package.put(table.part, splices.result())


def _drawing_areas(book: OoxmlBook, root: XmlNode, title: str) -> Iterable[Area]:
    """The areas covered by drawings: shapes, pictures, charts."""
    node = root.child("drawing")
    link = next((k for k in book.package.links(book.sheets[title].part) if node is not None and k.id == node.link_id()),
                None)
    if link is None or link.target not in book.package:
        return
    for anchor in book.package.tree(link.target).children:
        start, end = anchor.child("from"), anchor.child("to")
        if start is not None:
            left, top = _anchor_cell(start)
            # an anchor of one cell does not say how far its drawing reaches: what a chart of usual size covers is taken
            right, bottom = _anchor_cell(end) if end is not None else (left + 6, top + 20)
            yield Area(left, top, max(left, right), max(top, bottom))


def _anchor_cell(node: XmlNode) -> tuple[int, int]:
    numbers = {c.tag: int(c.text) if c.text.strip().isdigit() else 0 for c in node.children}
    return numbers.get("col", 0) + 1, numbers.get("row", 0) + 1


def _set_widths(splices: Splices, root: XmlNode, widths: Mapping[int, float]) -> None:
    """Set the widths of columns; an element that covers others too is split."""
    prefix = root.prefix

    def column_xml(first: int, last: int, attrs: Mapping[str, str]) -> bytes:
        return element_xml(f"{prefix}col".encode(), {**attrs, "min": str(first), "max": str(last)})

    pieces: list[tuple[int, bytes]] = []
    for node in root.members("cols", "col"):
        first, last = node.whole("min"), node.whole("max")
        if not any(first <= i <= last for i in widths):
            pieces.append((first, splices.data[node.start:node.end]))
            continue
        while first <= last:
            end = next((i - 1 for i in sorted(widths) if first < i <= last), last) if first not in widths else first
            if first not in widths:
                pieces.append((first, column_xml(first, end, node.attrs)))
            first = end + 1
    pieces += [(i, column_xml(i, i, {"width": repr(width), "customWidth": "1"})) for i, width in widths.items()]
    inside = b"".join(xml for _, xml in sorted(pieces, key=lambda p: p[0]))
    columns = root.child("cols")
    if columns is None:
        insert_child(splices, root, WORKSHEET_ORDER, "cols",
               f"<{prefix}cols>".encode() + inside + f"</{prefix}cols>".encode())
    else:
        splices.replace(columns.inner, columns.close, inside)


# The adoption.


CODE_LIST_ROWS = 2_000
"""How far down the list of a table's codes reaches if nothing is below it."""


@dataclass
class ClubRows:
    """The records in the club's tables. `rows`: by English sheet name, the record in each row of the club's sheet, of
    tables that stay the club's; `places`: the same of all tables.
    """

    campaign: Campaign
    rows: dict[str, dict[int, Record]]
    places: dict[str, dict[int, Record]]


# --- reading what the club has -------------------------------------------------------------------
def read_tables(book: OoxmlBook, ruleset: Ruleset, desk: Desk, chosen: Sequence[TablePick], notes: Notes) -> ClubRows:
    """Read the club's tables as the records chosen for them; what does not fit goes to the notes.

    Raises `Damaged`, `Hostile`.
    """
    grids = {p.record.sheet: _grid(book, p) for p in chosen if p.record.sheet != Event.sheet}
    own = Notes(notes.lang)
    got = load_campaign(ruleset, desk, grids, own, new=True)
    # which phases there are is known once the scenario's Rules are there: the desk asks again then
    notes.findings += [f._replace(code=codes.FORMULA_OF_CLUB) if f.code == codes.FORMULA else f for f in own.findings
                       if f.code != codes.DESK_PHASE]
    rows: dict[str, dict[int, Record]] = {}
    places: dict[str, dict[int, Record]] = {}
    for p in chosen:
        if p.record.sheet == Event.sheet:
            _add_chronicle(book, p, got.campaign)
            continue
        table = got.campaign.by_sheet(p.record.sheet)
        held = places[p.record.sheet] = {n: table[key] for key, n in got.cells.rows[p.record.sheet].items()}
        for name, column in p.fills.items():
            for number, colour in fill_colours(book, p.block, column).items():
                if number in held:
                    setattr(held[number], name, colour)
        if not p.copied:
            rows[p.record.sheet] = held
            warn_of_obstacle(book, p.block, p.record.sheet, notes)
    return ClubRows(got.campaign, rows, places)


def warn_of_obstacle(book: OoxmlBook, block: TableBlock, sheet: str, notes: Notes) -> None:
    """Warn of cells so close below a table that they will be in the way when it grows."""
    below = first_obstacle(book, block)
    if below is not None:
        notes.add(codes.NO_ROOM_BELOW, Where(sheet), cell_address(block.title, letters_of(below[1]), below[0]), {},
                  severity="warning")


def _grid(book: OoxmlBook, p: TablePick) -> TableGrid:
    """A table's rows with its values as they were learnt."""
    if p.made is not None:
        fields = {name: i for i, name in enumerate(dict.fromkeys(name for row in p.made for name in row), 1)}
        made = [(p.block.area.top + n, {fields[name]: Cell(text) for name, text in row.items() if text})
                for n, row in enumerate(p.made, 1)]
        return TableGrid(p.record, p.block.title, p.block.area.top, Heads(fields), made)
    named = {name: (i, p.block.headings[i]) for name, i in p.columns.items()}
    grid = mapped_grid(book, p.record, TableMapping(p.block.title, p.block.area, named), Notes("en"))
    learnt = [(p.columns[name], lesson.texts) for name, lesson in p.lessons.items() if not lesson.plain]
    return replace(grid, rows=[
        (n, {**cells, **{i: Cell(texts[n] or None) for i, texts in learnt if n in texts}})
        for n, cells in grid.rows])


def _add_chronicle(book: OoxmlBook, p: TablePick, campaign: Campaign) -> None:
    """Add the club's chronicle as events that everybody knows, in the order of its rows."""
    turn = campaign.desk.turn
    events = campaign.table(Event)
    rows = book.rows(p.block.title)
    for number in range(p.block.area.top + 1, p.block.area.bottom + 1):
        texts = {name: plain_text(rows[number][i].value) for name, i in p.columns.items()
                 if number in rows and i in rows[number]}
        turn = texts.get("turn") or turn
        if texts.get(WORDED):
            events.add(events.record(no=len(events) + 1, turn=turn, audience="all", event=CHRONICLE, rule="Arbitro",
                                     data={"text": texts[WORDED]}))


# --- making the workbook -----------------------------------------------------------------------
class Adoption:
    """One workbook that is turned into a campaign's. If no table of the club's is chosen, our sheets are only added."""

    def __init__(self, path: Path, data: bytes, ruleset: Ruleset, chosen: Sequence[TablePick], notes: Notes) -> None:
        self._path, self._data, self._ruleset, self._chosen, self._notes = path, data, ruleset, chosen, notes
        self._kept = {p.record.sheet: p for p in chosen if not p.copied}

    def make(self, campaign: Campaign, rows: Mapping[str, Mapping[int, Record]], wording: Wording, lines: DeskLines
             ) -> tuple[bytes, WorkbookReading]:
        """The bytes of the campaign's workbook, and the campaign read from them.

        `rows`: the records that have rows in the club's own tables. Raises `BookError`, `Damaged`, `Hostile`, `Unsafe`.
        """
        data = self._with_rows(campaign, rows, wording, lines)
        with tempfile.TemporaryDirectory(prefix="arbitro-") as folder:
            return self._settle(Path(folder) / self._path.name, data, campaign, wording, lines)

    def _with_rows(self, campaign: Campaign, rows: Mapping[str, Mapping[int, Record]], wording: Wording,
                   lines: DeskLines) -> bytes:
        lang = campaign.desk.language
        book = OoxmlBook(self._data)
        book.package.check_all()
        club = {sheet: pick.block.title for sheet, pick in self._kept.items()}
        titles = sheet_titles(book, self._ruleset, lang, club, self._notes)
        donor = OoxmlBook(new_workbook_bytes(self._ruleset, campaign, self._path, wording, lines, titles))
        free = DonorNames(book, donor)
        ours = [r for r in in_sheet_order(records_with_sheet(self._ruleset.records, campaign)) if r.sheet not in club]
        names, styles = free.free(ours), StyleMerge(book, donor)
        for sheet, pick in self._kept.items():
            graft = AddedColumns(book, donor, styles, pick, lang, used_columns(campaign, pick.record))
            kept = graft.make(rows.get(sheet, {}))
            if graft.apart:
                cell = cell_address(kept.title, letters_of(graft.first), kept.area.top)
                self._notes.add(codes.APART, Where(sheet), cell, {"seen": kept.title}, severity="warning")
            names.update(mapping_names(pick.record, kept))
            keys = [c.name for c in pick.record.columns() if c.key]
            if len(keys) == 1 and free.list_name(sheet) in donor.names:
                names[free.list_name(sheet)] = _code_list(book, pick, kept.columns[keys[0]][0],
                                                      len(campaign.by_sheet(sheet)) - len(rows.get(sheet, {})))
        made = {str(node.get("name")) for node in sheet_nodes(donor)}
        plain = [titles[sheet] for sheet in (CARD_SHEET, CHANGES_SHEET, LISTS_SHEET) if titles[sheet] in made]
        add_sheets(book, donor, [titles[r.sheet] for r in ours] + plain)
        add_names(book, names)
        return book.package.pack()

    def _settle(self, copy: Path, data: bytes, campaign: Campaign, wording: Wording, lines: DeskLines
                ) -> tuple[bytes, WorkbookReading]:
        """Add the rows that the rulebook needs besides the club's, and fill in the values that it would fill in."""
        copy.write_bytes(data)
        book = FileBook(copy, lambda _: self._ruleset)
        reading = book.read()
        # a code that is nowhere may be that of a row which is only added now, such as the neutrals
        if not self._kept or any(f.stops and f.code != codes.UNKNOWN_REF for f in reading.findings):
            return data, reading
        after = reading.campaign.copy()
        for sheet in self._kept:
            _fill_gaps(after, campaign, sheet)
        book.write(reading.campaign, after, wording, lines)
        return copy.read_bytes(), book.read()


def _fill_gaps(after: Campaign, wanted: Campaign, sheet: str) -> None:
    """Add missing rows, and values where the club left a cell blank; never change a value of the club's."""
    table = after.by_sheet(sheet)
    for key, row in wanted.by_sheet(sheet).in_file_order():
        there = table.get(key)
        if there is None:
            table.add(row.copy())
            continue
        for c in row.columns():
            if getattr(there, c.name) == c.default and getattr(row, c.name) != c.default:
                setattr(there, c.name, getattr(row, c.name))


def _code_list(book: OoxmlBook, pick: TablePick, column: int, more: int) -> str:
    """The area of the list of a table's codes: the club's column, as far as it is filled. `more`: rows that are added
    now.
    """
    area = pick.block.area
    closed = first_obstacle(book, pick.block) or count_total_rows(book, pick.block)
    last = area.bottom + more if closed else area.top + CODE_LIST_ROWS
    cells = quoted_area(pick.block.title, Area(column, area.top + 1, column, last))
    first = quoted_area(pick.block.title, Area(column, area.top + 1, column, area.top + 1))
    return f"OFFSET({first},0,0,MAX(1,COUNTA({cells})),1)"
