"""A host behind a pipe: what another program's macro shows in; changes out, a line of JSON each.

The macro needs its program's own Python and nothing else. It writes ``{"verb", "lang", "book"}``, then answers
each line that asks something of it::

    {"say": TEXT}                       shown at once, not answered
    {"apply": CHANGES}                  {"ok": true}, {"refused": REASON, "cell": ADDRESS} or {"failed": TEXT}
    {"fills": [{"sheet", "cells"}]}     {"fills": {SHEET: {ADDRESS: "RRGGBB"}}}
    {"ask": QUESTION, "lines": [...]}   {"yes": true or false}
    {"save": true}                      {"ok": true} or {"failed": TEXT}
    {"done": ...}                       the last one: `press.Pressed` as plain values
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TextIO

from assistant.buttons.button_list import BY_VERB
from assistant.buttons.press import press
from assistant.resources import one_errand
from assistant.workbook.live.host import Changes, HostFailed, HostRefused, Remark, rows_of, unplain
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import area_of
from assistant.workbook.ooxml.cells.cells import Rows

Answered = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class PipeHost:
    """A program that is spoken to in messages. `book`: what it shows, as it came; `answered`: sends a message and
    gives its answer; `tell`: sends one that is not answered.
    """

    paints = True

    def __init__(self, book: Mapping[str, Any], answered: Answered, tell: Callable[[Mapping[str, Any]], None],
                 doing: str = "") -> None:
        self.name, self.path = str(book["name"]), str(book["path"])
        self._book, self._answered, self._send, self._doing = book, answered, tell, doing
        self._sheets = {str(sheet["title"]): sheet for sheet in book["sheets"]}
        self._notes: dict[str, dict[str, Remark]] = {
            title: {n["cell"]: Remark(n["cell"], n.get("author", ""), n["text"]) for n in sheet.get("notes", ())}
            for title, sheet in self._sheets.items()}

    # --- looking ----------------------------------------------------------------------------
    def titles(self) -> list[str]:
        """The worksheets."""
        return list(self._sheets)

    def names(self) -> dict[str, str]:
        """The names of the whole workbook."""
        return {str(name): str(text) for name, text in self._book["names"].items()}

    def tables(self) -> list[TablePart]:
        """All tables."""
        return [TablePart(t["name"], "", t["sheet"], area_of(t["area"]), int(t.get("totals", 0)),
                          int(t.get("heads", 1)), ()) for t in self._book["tables"]]

    def rows(self, title: str) -> Rows:
        """The cells of a sheet."""
        sheet = self._sheets[title]
        values = [[unplain(v) for v in line] for line in sheet["values"]]
        return rows_of(values, int(sheet.get("top", 1)), int(sheet.get("left", 1)), sheet.get("formulas", {}))

    def width(self, title: str, column: int) -> float:
        """A column's width in letters."""
        return float(self._sheets[title].get("widths", {}).get(str(column), 0))

    def remarks(self, title: str) -> list[Remark]:
        """The notes of a sheet, as they are by now."""
        return list(self._notes[title].values())

    def merged(self, title: str) -> list[str]:
        """The merged areas of a sheet."""
        return [str(area) for area in self._sheets[title].get("merged", ())]

    def fills(self, cells: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
        """The fills of some cells."""
        asked = [{"sheet": title, "cells": list(refs)} for title, refs in cells.items() if refs]
        return dict(self._answered({"fills": asked})["fills"]) if asked else {}

    # --- changing ---------------------------------------------------------------------------
    def apply(self, changes: Changes) -> None:
        """Send the changes and wait for the answer. Raises `HostRefused`, `HostFailed`."""
        answer = self._answered({"apply": {"undo": self._doing, **changes.as_json()}})
        if "refused" in answer:
            raise HostRefused(str(answer["refused"]), str(answer.get("cell", "")))
        self._must(answer)
        for (title, ref), text in changes.notes.items():
            if text:
                self._notes[title][ref] = Remark(ref, "", text)
            else:
                self._notes[title].pop(ref, None)

    def say(self, line: str) -> None:
        """Show a line."""
        self._send({"say": line})

    def ask(self, lines: Sequence[str], question: str) -> bool:
        """Ask something that is answered with yes or no; no answer is no."""
        try:
            return bool(self._answered({"ask": question, "lines": list(lines)}).get("yes"))
        except HostFailed:
            return False

    def save(self) -> None:
        """Let the program save the workbook. Raises `HostFailed`."""
        self._must(self._answered({"save": True}))

    @staticmethod
    def _must(answer: Mapping[str, Any]) -> None:
        if not answer.get("ok"):
            raise HostFailed(str(answer.get("failed", "")) or "no answer")


def serve(reader: TextIO, writer: TextIO) -> int:
    """One press over two streams; returns its exit code."""
    request = json.loads(reader.readline())
    verb, lang = str(request["verb"]), str(request.get("lang", ""))

    def tell(message: Mapping[str, Any]) -> None:
        writer.write(json.dumps(message, ensure_ascii=True) + "\n")
        writer.flush()

    def answered(message: Mapping[str, Any]) -> dict[str, Any]:
        tell(message)
        line = reader.readline()
        if not line:
            raise HostFailed("no answer")
        return dict(json.loads(line))

    pressed = press(verb, PipeHost(request["book"], answered, tell, f"Arbitro: {BY_VERB[verb].caption(lang)}"), lang)
    tell({"done": pressed.as_json()})
    return pressed.exit


def main() -> int:
    """The macro's counterpart: UTF-8 on the standard streams, exit 0 when the press was answered."""
    one_errand()
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever prints by accident does not spoil the answers
    serve(sys.stdin, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
