"""Parts of Excel tables: a package and a part in; the table's name, area and columns out, and its end moved."""

from __future__ import annotations

from typing import NamedTuple

from assistant.workbook.ooxml.cells.areas import Area, area_of
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.xmltree import Splices


class TablePart(NamedTuple):
    """An Excel table. `totals`: how many rows at its end are totals; `heads`: rows at its top that are headings."""

    name: str
    part: str
    sheet: str
    area: Area
    totals: int
    heads: int
    columns: tuple[str, ...]


def read_table(package: Package, sheet: str, part: str) -> TablePart:
    """The table of a part. `sheet`: the title of the sheet on which it stands. Raises `Damaged`, `Hostile`."""
    root = package.tree(part)
    columns = root.child("tableColumns")
    heads = root.get("headerRowCount")
    return TablePart(root.get("displayName") or root.get("name"), part, sheet, area_of(root.get("ref")),
                     root.whole("totalsRowCount"), int(heads) if heads.isdigit() else 1,
                     tuple(c.get("name") for c in columns.all("tableColumn")) if columns else ())


def set_bottom(package: Package, table: TablePart, bottom: int) -> None:
    """Let a table end at a row, its filter above a row of totals."""
    root, splices = package.tree(table.part), Splices(package.text(table.part))
    splices.attribute(root, "ref", str(table.area._replace(bottom=bottom)))
    chosen = root.child("autoFilter")
    if chosen is not None and chosen.get("ref"):
        area = area_of(chosen.get("ref"))
        splices.attribute(chosen, "ref", str(area._replace(bottom=bottom - table.totals)))
    package.put(table.part, splices.done())


def calculated(package: Package, table: TablePart) -> dict[int, str]:
    """The formulas (without ``=``) of a table's calculated columns, by column number."""
    columns = package.tree(table.part).child("tableColumns")
    found = {}
    for column, node in enumerate(columns.all("tableColumn") if columns else (), table.area.left):
        formula = node.child("calculatedColumnFormula")
        if formula is not None and formula.text.strip():
            found[column] = formula.text.strip()
    return found
