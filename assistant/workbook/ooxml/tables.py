"""Parts of Excel tables: where one ends, and the formulas that its columns go on with."""

from __future__ import annotations

from assistant.workbook.ooxml.areas import area_of
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.package import Package
from assistant.workbook.ooxml.xmltree import Splices


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
