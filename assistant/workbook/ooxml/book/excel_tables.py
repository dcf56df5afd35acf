"""Parts of Excel tables: a package and a part in; the table's name, area and columns out, and its end moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.workbook.ooxml.cells.areas import Area, area_of
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, escaped


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


def shown_only(package: Package, table: TablePart) -> tuple[int, list[str]] | None:
    """Of a table whose only filter shows some values of one column, and blank cells: the column's number and the
    values. None for any other filter, or none.
    """
    column, filters = _only_filter(package.tree(table.part))
    if column is None or filters is None:
        return None
    return table.area.left + column.whole("colId"), [one.get("val") for one in filters.all("filter")]


def show_only(package: Package, table: TablePart, values: Iterable[str]) -> None:
    """Let the filter of `shown_only` show other values. Raises ValueError where there is none such."""
    _, filters = _only_filter(package.tree(table.part))
    if filters is None:
        raise ValueError(f"{table.name} has no filter of values")
    said = b"".join(b'<%sfilter val="%s"/>' % (filters.prefix.encode(), escaped(one, quoted=True)) for one in values)
    splices = Splices(package.text(table.part))
    splices.replace(filters.inner, filters.close, said)
    package.put(table.part, splices.done())


def _only_filter(root: Node) -> tuple[Node | None, Node | None]:
    chosen = root.child("autoFilter")
    columns = chosen.all("filterColumn") if chosen is not None else []
    filters = columns[0].child("filters") if len(columns) == 1 else None
    plain = filters is not None and filters.flag("blank") and bool(filters.all("filter")) and (
        len(filters.children) == len(filters.all("filter")))
    return (columns[0], filters) if plain else (None, None)


def calculated(package: Package, table: TablePart) -> dict[int, str]:
    """The formulas (without ``=``) of a table's calculated columns, by column number."""
    columns = package.tree(table.part).child("tableColumns")
    found = {}
    for column, node in enumerate(columns.all("tableColumn") if columns else (), table.area.left):
        formula = node.child("calculatedColumnFormula")
        if formula is not None and formula.text.strip():
            found[column] = formula.text.strip()
    return found
