"""What will keep Arbitro from writing: a workbook and its tables as read in; findings at cells out, nothing changed.

`resolve` would find the same, but only once a phase has been worked out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping

from assistant.campaign.records import Desk
from assistant.turn.findings import Finding, Where
from assistant.workbook import codes
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells.areas import Area, area_of, cell_address, letters_of
from assistant.workbook.ooxml.cells.rows import outer_tree
from assistant.workbook.ooxml.parts.faults import Fault
from assistant.workbook.ooxml.parts.xmltree import Node
from assistant.workbook.port import Cells
from assistant.workbook.read.grid import Grid


def hindrances(book: OoxmlBook, grids: Mapping[str, Grid], cells: Cells) -> list[Finding]:
    """A remark for merged cells among the rows of our tables, and a finding for a sheet that cannot be taken apart."""
    found: list[Finding] = []
    for sheet, title in cells.titles.items():
        try:
            root = _around(book, title)
            areas = [area_of(node.get("ref")) for group in root.all("mergeCells") for node in group.all("mergeCell")]
        except Fault as no:
            found.append(Finding(codes.SHEET_DAMAGED, "error", Where(sheet), {"sheet": title, "part": no.detail}))
            continue
        if sheet in grids:
            found += merged(grids[sheet], areas, cells)
    return found


def _around(book: OoxmlBook, title: str) -> Node:
    """A sheet without its rows. Raises `Fault`."""
    before, prefix, _, after = book.divided(title)
    return outer_tree(before, prefix, after)[1]


def merged(grid: Grid, areas: Iterable[Area], cells: Cells) -> Iterator[Finding]:
    """A remark at the first covered cell of each merged area among the rows of a table; the Desk's are our own."""
    if grid.record.sheet == Desk.sheet:
        return
    sheet, columns = grid.record.sheet, set(grid.heads.fields.values())
    rows = cells.rows.get(sheet, {})
    last = max(rows.values(), default=grid.heading_row)
    bottom = last if grid.end == sys.maxsize else max(last, grid.end)
    for area in areas:
        covered = ((row, column) for row in range(max(area.top, grid.heading_row + 1), min(area.bottom, bottom) + 1)
                   for column in range(area.left, area.right + 1)
                   if column in columns and (row, column) != (area.top, area.left))
        first = next(covered, None)
        if first is not None:
            key = next((key for key, number in rows.items() if number == first[0]), "")
            name = next(name for name, column in grid.heads.fields.items() if column == first[1])
            yield Finding(codes.MERGED, "warning", Where(sheet, key, name), {"list": str(area)},
                          cell=cell_address(grid.title, letters_of(first[1]), first[0]))
