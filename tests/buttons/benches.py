"""The benches of the contract that need no program: the file, xlwings over the test engine, a pipe to it, Excel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
import xlwings as xw

from assistant.buttons.excel import ExcelHost
from assistant.buttons.press import PipeHost
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.cells import area_of, place_of
from assistant.workbook.open_book import LiveBook
from assistant.workbook.port import (
    AddedSheet,
    Book,
    CellLook,
    Host,
    HostChanges,
    HostFailed,
    HostRefused,
    Loader,
    cell_ref,
    to_json_value,
)
from tests.buttons import engine
from tests.workbook.feast import loader as feast


class FileBench:
    """The workbook as a file."""

    def __init__(self, path: Path, loader: Loader = feast) -> None:
        self.path, self._loader = path, loader

    def book(self) -> Book:
        """The file adapter."""
        return open_book(self.path, self._loader)

    def type(self, title: str, ref: str, value: Any) -> None:
        """Type and save."""
        book = openpyxl.load_workbook(self.path)
        book[title][ref] = value
        book.save(self.path)

    def fill(self, title: str, ref: str) -> str:
        """A cell's colour."""
        fill = openpyxl.load_workbook(self.path)[title][ref].fill
        return str(fill.fgColor.rgb)[2:] if fill.fill_type == "solid" else ""

    def note(self, title: str, ref: str) -> str:
        """A cell's note."""
        comment = openpyxl.load_workbook(self.path)[title][ref].comment
        return comment.text if comment else ""

    def saved(self) -> Path:
        """The file."""
        return self.path

    def close(self) -> None:
        """Nothing to let go of."""


class ExcelBench:
    """The workbook open in xlwings: over the test engine, or in Excel itself."""

    def __init__(self, path: Path, loader: Loader | None = feast, *, real: bool = False) -> None:
        self.path, self._loader = path, loader
        self.app: Any = None
        if real:
            self.app = xw.App(visible=False, add_book=False)
            self.open: Any = self.app.books.open(str(path))
        else:
            engine.activate()
            self.open = xw.Book(str(path))

    def host(self) -> Host:
        """The host of a new press."""
        return ExcelHost(self.open)

    def book(self) -> Book:
        """The live adapter."""
        return LiveBook(self.host(), self._loader)

    def type(self, title: str, ref: str, value: Any) -> None:
        """Type into the open workbook."""
        self.open.sheets[title].range(ref).value = value

    def fill(self, title: str, ref: str) -> str:
        """A cell's colour."""
        return ExcelHost(self.open).fills({title: [ref]})[title][ref]

    def note(self, title: str, ref: str) -> str:
        """A cell's note."""
        found = self.open.sheets[title].range(ref).note
        return found.text if found is not None else ""

    def saved(self) -> Path:
        """The workbook, saved."""
        self.open.save()
        return self.path

    def close(self) -> None:
        """Let go of the workbook."""
        self.open.close()
        if self.app is not None:
            self.app.quit()


class Macro:
    """The other end of a pipe, played over another host: what LibreOffice's macro does, with plain values only."""

    def __init__(self, host: ExcelHost) -> None:
        self._host = host
        self.told: list[Mapping[str, Any]] = []
        self.forms: list[Mapping[str, str] | None] = []
        """What is typed into each form that is shown; None gives up."""

    def snapshot(self) -> dict[str, Any]:
        """All that the workbook shows."""
        return {"name": self._host.name, "path": self._host.path, "names": self._host.names(),
                "tables": [{"name": t.name, "sheet": t.sheet, "area": str(t.area), "totals": t.totals, "heads": t.heads}
                           for t in self._host.tables()],
                "sheets": [self._sheet(title) for title in self._host.titles()]}

    def _sheet(self, title: str) -> dict[str, Any]:
        used = self._host.book.sheets[title].used_range
        top, left, (height, width) = used.row, used.column, used.shape
        rows = self._host.rows(title)
        values = [[self._value(rows, row, column) for column in range(left, left + width)]
                  for row in range(top, top + height)]
        formulas = {cell_ref(row, column): cell.value for row, cells in rows.items() for column, cell in cells.items()
                    if cell.data_type == "f"}
        return {"title": title, "top": top, "left": left, "values": values, "formulas": formulas,
                "merged": self._host.merged_areas(title),
                "widths": {str(c): self._host.width(title, c) for c in range(left, left + width)},
                "notes": [{"cell": r.ref, "author": r.author, "text": r.text} for r in self._host.remarks(title)]}

    @staticmethod
    def _value(rows: Any, row: int, column: int) -> Any:
        cell = rows.get(row, {}).get(column)
        if cell is None or cell.data_type == "f":
            return None
        return {"e": cell.value} if cell.data_type == "e" else to_json_value(cell.value)

    def answered(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a message asks, and answer."""
        self.told.append(message)
        if "fills" in message:
            return {"fills": self._host.fills({one["sheet"]: one["cells"] for one in message["fills"]})}
        if "form" in message:
            usual = {field["name"]: field["value"] for field in message["form"]["fields"]}
            typed = self.forms.pop(0) if self.forms else None
            return {"values": None if typed is None else {**usual, **typed}}
        if "ask" in message:
            return {"yes": self._host.ask(message["lines"], message["ask"], message.get("look", ""))}
        try:
            if "save" in message:
                self._host.save()
            else:
                self._host.apply(changes_of(message["apply"]))
        except HostRefused as no:
            return {"refused": no.reason, "cell": no.cell}
        except HostFailed as no:
            return {"failed": str(no)}
        return {"ok": True}


def changes_of(sent: Mapping[str, Any]) -> HostChanges:
    """Changes as they came over a pipe."""
    from assistant.workbook.port import from_json_value

    found = HostChanges()
    found.sheets = {s["sheet"]: AddedSheet(tuple(s["widths"]), s["font"]) for s in sent["sheets"]}
    found.names = {n["name"]: (n["sheet"], n["area"]) for n in sent["names"]}
    for c in sent["copies"]:
        for column in range(c["columns"][0], c["columns"][1] + 1):
            found.copies.setdefault((c["sheet"], c["from"], column), []).extend(range(c["to"][0], c["to"][1] + 1))
    for b in sent["blocks"]:
        for i, line in enumerate(b["values"]):
            for j, value in enumerate(line):
                found.cells[b["sheet"], b["row"] + i, b["column"] + j] = from_json_value(value)
    found.formulas = {(f["sheet"], f["row"], f["column"]): f["formula"] for f in sent["formulas"]}
    found.tables = {t["name"]: (t["sheet"], str(area_of(t["area"]))) for t in sent["tables"]}
    found.looks = {(k["sheet"], k["row"], k["column"]): CellLook(k["fill"], k["ink"], k["bold"]) for k in sent["looks"]}
    found.heights = {(h["sheet"], h["row"]): h["points"] for h in sent["heights"]}
    found.notes = {(n["sheet"], n["cell"]): n["text"] for n in sent["notes"]}
    assert all(place_of(ref) for _, ref in found.notes)
    return found


class PipeBench(ExcelBench):
    """The workbook at the other end of a pipe."""

    def host(self) -> Host:
        """A pipe to the open workbook."""
        macro = Macro(ExcelHost(self.open))
        return PipeHost(macro.snapshot(), macro.answered, macro.told.append)
