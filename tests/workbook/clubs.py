"""Workbooks as clubs keep them before they have heard of Arbitro: their own words, notes, totals, drawn maps."""

from __future__ import annotations

import csv
from typing import Any

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table

from assistant.environment import shipped_scenario
from tests.books.drawn import shapes
from tests.books.parts import Parts
from tests.playing import workbook_bytes

KINDS = {"road": "strada", "lane": "rotta", "coast": "costa", "army": "armata", "diplomat": "diplomatico"}


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table of Italy 1500."""
    with (shipped_scenario("giglio", "italy-1500") / f"{name}.csv").open(encoding="utf-8") as text:
        return list(csv.DictReader(text))


def powers() -> list[dict[str, str]]:
    """The nations of Italy 1500, without the neutrals."""
    return [row for row in rows("factions") if row["role"] != "neutral"]


def treasurer(*, room: int = 12) -> bytes:
    """An Italian treasurer's: merged title rows, colours as fills, notes, a total `room` rows below, a drawn map."""
    book = openpyxl.Workbook()
    ws = book.worksheets[0]
    ws.title = "Tesoreria"
    ws.merge_cells("A1:G1")
    ws["A1"], ws["A2"] = "Lega delle Signorie - cassa di guerra", "aggiornata da Gino, non toccare!"
    for i, heading in enumerate(["Sigla", "Signoria", "Circolo", "Soldi", "E-mail", "Colore", "Nota"], 1):
        cell = ws.cell(4, i, heading)
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", start_color="FFDDBB99")
    for n, row in enumerate(powers(), 5):
        values = (row["faction"], row["name_it"], row["club"], int(row["treasury"]), row["mail"], None,
                  "paga la cena" if n == 6 else None)
        for i, value in enumerate(values, 1):
            ws.cell(n, i, value)
        ws.cell(n, 6).fill = PatternFill("solid", start_color="FF" + row["colour"][1:].upper())
    last = 4 + len(powers())
    ws.cell(last + room, 3, "Totale")
    ws.cell(last + room, 4, f"=SUM(D5:D{last})")
    ws.cell(last + room + 2, 1, "Nota: chi non paga non gioca.")
    ws["D5"].comment = Comment("Controllato il 3 marzo", "Gino")
    _italian_map(book)
    parts = Parts(workbook_bytes(book))
    shapes(parts, parts.sheets()["Mappa"])
    return parts.bytes()


def _italian_map(book: Any) -> None:
    places, ways, armies = (book.create_sheet(title) for title in ("Mappa", "Vie", "Eserciti"))
    places["B1"] = "Luoghi d'Italia"
    for i, heading in enumerate(["Codice", "Città", "Di chi"], 2):
        places.cell(2, i, heading)
    for n, row in enumerate(rows("nodes"), 3):
        for i, key in enumerate(["node", "name", "owner"], 2):
            places.cell(n, i, row[key] or None)
    ways.append(["Da", "A", "Tipo"])
    for row in rows("roads"):
        ways.append([row["a"], row["b"], KINDS[row["kind"]]])
    armies.append(["Armata", "Signoria", "Dove", "Ducati di uomini", "Tipo"])
    for row in rows("armies"):
        armies.append([row["army"], row["faction"], row["node"], int(row["value"]), KINDS[row["kind"]]])
    diary = book.create_sheet("Diario")
    for line in (["Anno", "Che cosa"], [1499, "Il Re Luigi scende a Milano"], [None, "La lega si riunisce"]):
        diary.append(line)


def english() -> bytes:
    """An English club's: an Excel table with a filter and totals, unheard-of headings, a second, like table."""
    book = openpyxl.Workbook()
    ws = book.worksheets[0]
    ws.title = "Powers"
    ws.append(["Realm", "Tag", "Gold", "Contact", "Paint", "Dinner"])
    for row in powers():
        ws.append([row["name_en"], row["faction"], int(row["treasury"]), row["mail"], row["colour"], "paid"])
    last = 1 + len(powers())
    ws.append(["Total", None, f"=SUBTOTAL(109,C2:C{last})"])
    table: Any = Table(displayName="Table1", ref=f"A1:F{last + 1}", totalsRowCount=1)
    table._initialise_columns()
    for column, cell in zip(table.tableColumns, ws[1], strict=True):
        column.name = str(cell.value)
    table.autoFilter.ref = f"A1:F{last}"
    ws.add_table(table)
    book.create_sheet("Old players")
    old = book["Old players"]
    old.append(["Tag", "Player", "Gold"])
    old.append(["X", "Nobody", 3])
    stock = book.create_sheet("Armies")
    stock.append(["Name", "Side", "Where", "Strength"])
    for row in rows("armies"):
        stock.append([row["army"], row["faction"], row["node"], int(row["value"])])
    return workbook_bytes(book)


SMALL: dict[str, list[list[Any]]] = {
    "Squadre": [["Sigla", "Nome", "Soldi"], ["V", "Venezia", 200], ["M", "Milano", 180], ["F", "Firenze", 150]],
    "Luoghi": [["Luogo", "Nome", "Padrone", "Specie", "Porto"], ["V0", "Venezia", "V", "città", "sì"],
               ["V8", "Padova", "V", "villaggio", "no"], ["M0", "Milano", "M", "city", "no"],
               ["M1", "Lodi", "M", "castello", "no"], ["F0", "Firenze", "F", "città", "no"],
               ["F1", "Pisa", "F", "villaggio", "sì"]],
    "Strade": [["Da", "A", "Tipo"], ["V0", "V8", "strada"], ["V8", "M0", "strada"], ["M0", "M1", "strada"],
               ["M1", "F1", "strada"], ["F1", "F0", "strada"]],
    "Armate": [["Armata", "Signoria", "Dove", "Ducati"], ["V-1", "V", "V0", 60], ["M-1", "M", "M0", 50],
               ["F-1", "F", "F0", 40]],
    "Diario": [["Anno", "Che cos'è capitato"], [1499, "Il Re Luigi scende a Milano"], [None, "La lega si riunisce"]],
}
"""A small league with a map of its own: three nations, six places, and sheets headed in its own words."""


def small(**sheets: list[list[Any]] | None) -> bytes:
    """The small league's workbook. `sheets`: rows instead of a sheet's own, None for no such sheet."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, own in {**SMALL, **sheets}.items():
        for n, row in enumerate(own or ()):
            ws = book[title] if n else book.create_sheet(title)
            ws.append(row)
    return workbook_bytes(book)


def empty() -> bytes:
    """A workbook in which nothing stands."""
    return workbook_bytes(openpyxl.Workbook())
