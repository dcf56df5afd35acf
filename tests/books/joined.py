"""A club's own workbook, made by another program, into which the campaign's sheets are joined."""

from __future__ import annotations

import io
import re
from copy import deepcopy
from typing import Any

from tests.books.drawn import PNG
from tests.books.parts import Parts, child, local, rels_of, resolved

FOLDER = "xl/club/"
STYLES = ("fonts", "fills", "borders", "cellXfs", "dxfs")
LEFT_OUT = {"styles", "theme", "calcChain", "worksheet", "chartsheet"}


def join(campaign: bytes, club: bytes, prefix: str = "Club ") -> Parts:
    """The campaign's workbook with all sheets of a club's workbook behind its own.

    The club's parts keep their bytes and go into a folder of their own; only sheets (numbers of styles),
    relationships and the lists of the workbook are rewritten.
    """
    here, there = Parts(campaign), Parts(club)
    offsets = _styles(here, there)
    moved = {name: FOLDER + name for name in there.members if not name.startswith(("[", "_rels/", "docProps"))}
    for name, target in moved.items():
        here.members[target] = there.members[name]
    for rels in [m for m in moved.values() if m.endswith(".rels")]:
        here.members[rels] = re.sub(rb'Target="/', f'Target="/{FOLDER}'.encode(), here.members[rels])
    _types(here, there, set(moved))
    old_count = len(child(here.xml(here.book), "sheets"))
    for title, part in there.sheets().items():
        _shift(here, FOLDER + part, offsets)
        rid = here.relate(here.book, "worksheet", FOLDER + part)
        number = 100 + len(child(here.xml(here.book), "sheets"))
        here.into_book(f'<sheets><sheet name="{prefix}{title}" sheetId="{number}" r:id="{rid}"/></sheets>')
    _of_the_book(here, there, old_count)
    for dead in (FOLDER + there.book, rels_of(FOLDER + there.book), FOLDER + there.of_kind(there.book, "styles")):
        del here.members[dead]
    for kind in ("theme", "calcChain"):
        for _, found, target in there.relationships(there.book):
            if found == kind:
                del here.members[FOLDER + target]
    _sweep(here)
    return here


def _styles(here: Parts, there: Parts) -> dict[str, int]:
    """Append the club's styles to ours; gives how far the numbers of each kind move."""
    mine, theirs = here.xml(here.of_kind(here.book, "styles")), there.xml(there.of_kind(there.book, "styles"))
    offsets = {kind: len(found) if (found := child(mine, kind)) is not None else 0 for kind in STYLES}
    formats = child(theirs, "numFmts")
    for one in formats if formats is not None else ():
        one = deepcopy(one)
        one.set("numFmtId", str(int(one.get("numFmtId")) + 500))
        child(mine, "numFmts").append(one)
    for kind in STYLES:
        found = child(theirs, kind)
        for one in found if found is not None else ():
            one = deepcopy(one)
            if kind == "cellXfs":
                for word, target in (("fontId", "fonts"), ("fillId", "fills"), ("borderId", "borders")):
                    one.set(word, str(int(one.get(word, "0")) + offsets[target]))
                if int(one.get("numFmtId", "0")) >= 164:
                    one.set("numFmtId", str(int(one.get("numFmtId")) + 500))
                one.set("xfId", "0")
            child(mine, kind).append(one)
    for kind in (*STYLES, "numFmts"):
        if child(mine, kind) is not None:
            child(mine, kind).set("count", str(len(child(mine, kind))))
    here.put(here.of_kind(here.book, "styles"), mine)
    return offsets


def _shift(here: Parts, sheet: str, offsets: dict[str, int]) -> None:
    def change(root: Any) -> None:
        for one in root.iter():
            for word, kind in (("s", "cellXfs"), ("style", "cellXfs"), ("dxfId", "dxfs")):
                if local(one) in ("c", "row", "col", "cfRule") and one.get(word) is not None:
                    one.set(word, str(int(one.get(word)) + offsets[kind]))
        for one in root.iter("{*}sheetView"):
            one.attrib.pop("tabSelected", None)
        if child(root, "sheetData") is not None:
            for cell in child(root, "sheetData").iter("{*}c"):
                cell.set("s", cell.get("s", str(offsets["cellXfs"])))
    here.edit(sheet, change)


def _types(here: Parts, there: Parts, moved: set[str]) -> None:
    mine = here.xml("[Content_Types].xml")
    known = {e.get("Extension") for e in mine}
    for one in there.xml("[Content_Types].xml"):
        one = deepcopy(one)
        if one.get("Extension") and one.get("Extension") not in known:
            mine.insert(0, one)
        elif (one.get("PartName") or "").lstrip("/") in moved:
            one.set("PartName", "/" + FOLDER + one.get("PartName").lstrip("/"))
            if local(one) == "Override":
                mine.append(one)
    here.put("[Content_Types].xml", mine)


def _of_the_book(here: Parts, there: Parts, old_count: int) -> None:
    """Names, macros, strings and whatever else the club's workbook part pointed to."""
    for _, kind, target in there.relationships(there.book):
        if kind not in LEFT_OUT:
            full = next(e.get("Type") for e in there.xml(rels_of(there.book)) if resolved(
                there.book, e.get("Target")) == target)
            if kind == "sharedStrings":  # calamine looks for them only there
                here.members["xl/sharedStrings.xml"] = here.members.pop(FOLDER + target)
                types = here.members["[Content_Types].xml"]
                here.members["[Content_Types].xml"] = types.replace(
                    f"/{FOLDER}{target}".encode(), b"/xl/sharedStrings.xml")
            here.relate(here.book, full, "xl/sharedStrings.xml" if kind == "sharedStrings" else FOLDER + target)
    found = child(there.xml(there.book), "definedNames")
    titles = list(there.sheets())
    for one in found if found is not None else ():
        words = one.text or ""
        for title in titles:
            words = words.replace(f"'{title}'!", f"'Club {title}'!").replace(f"{title}!", f"'Club {title}'!")
        local_id = f' localSheetId="{int(one.get("localSheetId")) + old_count}"' if one.get("localSheetId") else ""
        hidden = ' hidden="1"' if one.get("hidden") else ""
        here.into_book(f'<definedNames><definedName name="{one.get("name")}"{local_id}{hidden}>{words}</definedName>'
                       '</definedNames>')
    if any(kind == "vbaProject" for _, kind, _ in there.relationships(there.book)):
        def macro(root: Any) -> None:
            for element in root:
                if element.get("PartName") == f"/{here.book}":
                    element.set("ContentType", "application/vnd.ms-excel.sheet.macroEnabled.main+xml")
        here.edit("[Content_Types].xml", macro)


def _sweep(here: Parts) -> None:
    """Take content types and relationships away whose members are gone."""
    def types(root: Any) -> None:
        for element in list(root):
            name = (element.get("PartName") or "").lstrip("/")
            if name.startswith(FOLDER) and name not in here.members:
                root.remove(element)
    here.edit("[Content_Types].xml", types)


def showpiece() -> bytes:
    """A workbook by XlsxWriter that has nearly everything which that library can make."""
    import datetime as dt

    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "default_date_format": "dd/mm/yyyy"})
    book.set_properties({"created": dt.datetime(2020, 1, 1)})
    bold, money = book.add_format({"bold": True, "bg_color": "#FFEEAA"}), book.add_format({"num_format": "#,##0 €"})
    cassa = book.add_worksheet("Cassa")
    cassa.write_row("A1", ["Socio", "Quota", "Data", "Doppio"], bold)
    for row, (who, paid) in enumerate((("Anna", 30), ("Bruno", 25.5), ("Carla", -7)), 1):
        cassa.write_string(row, 0, who)
        cassa.write_number(row, 1, paid, money)
        cassa.write_datetime(row, 2, dt.datetime(2026, 3, row))
        cassa.write_formula(row, 3, f"=B{row + 1}*2", None, paid * 2)
    cassa.add_table("F1:H5", {"name": "Spese", "total_row": True, "data": [["sale", 3], ["pane", 2], ["vino", 9]],
                              "columns": [{"header": "Voce", "total_string": "Totale"},
                                          {"header": "Costo", "total_function": "sum", "total_value": 14},
                                          {"header": "Con IVA", "formula": "=[@Costo]*1.22"}]})
    cassa.write_rich_string("A7", "molto ", bold, "importante", " per tutti")
    cassa.write_dynamic_array_formula("A9:A11", "=_xlfn._xlws.SORT(A2:A4)", None, "Anna")
    cassa.write_array_formula("C9:C10", "{=B2:B3*2}", None, 60)
    cassa.write_comment("B2", "Pagato\nin contanti", {"width": 300, "height": 120, "author": "Anna"})
    cassa.write_url("A13", "https://example.org/", string="sito")
    cassa.merge_range("E15:H16", "In comune", bold)
    cassa.conditional_format("B2:B4", {"type": "data_bar", "data_bar_2010": True, "bar_axis_position": "middle"})
    cassa.conditional_format("B2:B4", {"type": "cell", "criteria": ">", "value": 26, "format": bold})
    cassa.data_validation("A2:A50", {"validate": "list", "source": ["Anna", "Bruno", "Carla"]})
    cassa.add_sparkline("I2", {"range": "Cassa!B2:B4", "type": "column", "markers": True})
    cassa.insert_image("J1", "stemma.png", {"image_data": io.BytesIO(PNG), "description": "Stemma"})
    cassa.insert_textbox("J5", "Quote entro marzo", {"fill": {"color": "#FFFF00"}})
    cassa.insert_button("J12", {"macro": "Paga", "caption": "Paga", "width": 80})
    cassa.insert_checkbox("A20", True)
    cassa.set_header("&L&G", {"image_left": "stemma.png", "image_data_left": io.BytesIO(PNG)})
    cassa.set_background(io.BytesIO(PNG))
    cassa.autofilter("A1:D4")
    cassa.protect("sale", {"format_cells": True})
    cassa.unprotect_range("A2:A9", "Soci")
    cassa.freeze_panes(1, 0)
    cassa.set_row(3, 40, None, {"level": 1})
    cassa.set_column("C:C", 14, None, {"level": 1, "hidden": True})
    _grafici(book)
    book.define_name("Quote", "=Cassa!$B$2:$B$4")
    book.close()
    return out.getvalue()


def _grafici(book: Any) -> None:
    page = book.add_worksheet("Grafici")
    for number, kind in enumerate(("column", "line", "pie", "scatter", "radar")):
        chart = book.add_chart({"type": kind})
        chart.add_series({"values": "=Cassa!$B$2:$B$4", "categories": "=Cassa!$A$2:$A$4",
                          "data_labels": {"value": True}})
        chart.set_title({"name": "Forze", "name_font": {"italic": True}})
        chart.set_style(10 + number)
        page.insert_chart(number * 16, 0, chart)
    page.hide()
    page.set_tab_color("#AA3311")
