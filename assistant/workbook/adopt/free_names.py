"""Our sheets beside a club's: both workbooks in; titles and names for ours that nothing of the club's bears out."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from assistant.campaign.record import Record
from assistant.turn.findings import Where
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.labels import label
from assistant.workbook.layout import list_name, sheet_title, table_name
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import Area, quoted_area
from assistant.workbook.ooxml.parts.faults import Unsafe
from assistant.workbook.ooxml.parts.xmltree import Splices
from assistant.workbook.ooxml.whole_sheets.transplant import free_title, numbered, sheet_nodes
from assistant.workbook.read.grid import Notes
from assistant.workbook.read.headings import folded
from assistant.workbook.read.keeping import names_kept, place_name
from assistant.workbook.write.card_sheet import CARD
from assistant.workbook.write.lists import LISTS

_LIST = list_name("")
_CHOICE = re.compile(rb"(<formula1>)([^<]*)(?=</formula1>)")


def free_titles(book: OoxmlBook, ruleset: Ruleset, lang: str, kept: Mapping[str, str], notes: Notes) -> dict[str, str]:
    """The titles of all sheets by English name: the club's own where it keeps the table (`kept`), a free one for
    each of ours; those that are not called as the rulebook has it are noted.
    """
    found: dict[str, str] = {}
    wanted = [(r.sheet, sheet_title(r, lang)) for r in ruleset.records] + [
        (CARD, label("card", lang)), (LISTS, label("lists", lang))]
    for sheet, title in wanted:
        found[sheet] = kept.get(sheet) or free_title(book, title, found.values())
        if sheet not in kept and found[sheet] != title and sheet not in (CARD, LISTS):
            notes.add(codes.SHEET_RENAMED, Where(), "", {"seen": title, "called": found[sheet]}, severity="warning")
    return found


class FreeNames:
    """A donor whose tables and lists get names that a club's workbook does not know."""

    def __init__(self, book: OoxmlBook, donor: OoxmlBook) -> None:
        self._book, self._donor = book, donor
        names = book.root.child("definedNames")
        self._taken = {node.get("name").casefold() for node in (names.all("definedName") if names else ())}
        self._taken |= {table.name.casefold() for table in book.tables()}
        self._list = _LIST

    def list_name(self, sheet: str) -> str:
        """The name of the codes of a table, as the donor has it now."""
        return self._list + list_name(sheet).removeprefix(_LIST)

    def free(self, records: Collection[type[Record]]) -> dict[str, str]:
        """Rename what the club has names for, and return the names by which our sheets are remembered: of those
        whose title or whose table's name is the club's. `records`: of the sheets that are put in.

        Raises `Unsafe` (``name``) where the club's workbook remembers a table of such a record itself.
        """
        old = next((name for r in records for name in (*names_kept(r), place_name(r))
                    if name.casefold() in self._taken), "")
        if old:
            raise Unsafe("name", detail=old)
        if any(name.casefold() in self._taken for name in self._donor.names if name.startswith(_LIST)):
            self._rename_lists()
        tables, found = {t.name: t for t in self._donor.tables()}, {}
        titles = {folded(node.get("name")) for node in sheet_nodes(self._book)}
        for record in records:
            table = tables[table_name(record)]
            free = numbered(table.name, self._taken, "{}_{}")
            if free != table.name:
                self._rename(table, free)
            if free != table.name or titles & {folded(record.sheet), folded(record.sheet_it)}:
                left, top, _, _ = table.area
                found[place_name(record)] = quoted_area(table.sheet, Area(left, top, left, top))
        return found

    def _rename(self, table: TablePart, name: str) -> None:
        package = self._donor.package
        root, splices = package.tree(table.part), Splices(package.text(table.part))
        for attribute in ("name", "displayName"):
            splices.attribute(root, attribute, name)
        package.put(table.part, splices.done())

    def _rename_lists(self) -> None:
        """Give all lists another beginning, in their names and in the drop-downs that show them."""
        number = 2
        while any(name.startswith(f"{_LIST[:-1]}{number}_") for name in self._taken):
            number += 1
        self._list = f"{_LIST[:-1]}{number}_"
        old, new = rf"\b{_LIST}".encode(), self._list.encode()
        names = self._donor.root.child("definedNames")
        splices = Splices(self._donor.package.text(self._donor.part))
        for node in names.all("definedName") if names else ():
            if node.get("name").startswith(_LIST):
                splices.attribute(node, "name", self._list + node.get("name").removeprefix(_LIST))
        self._donor.rewritten(splices.done())
        for title, sheet in self._donor.sheets.items():
            data = self._donor.package.text(sheet.part)
            self._donor.package.put(sheet.part, _CHOICE.sub(lambda m: m[1] + re.sub(old, new, m[2]), data))
            self._donor.forget(title)
