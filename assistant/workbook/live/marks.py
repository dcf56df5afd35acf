"""Marks in the open workbook: findings in; colours and notes on cells out, taken away again without a trace.

What a cell's colour was before stands in the last line of the note, since a program that has the workbook
open writes notes in its user's name. Marks that the file adapter has written are known by their author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assistant.workbook.live.host import Changes, Host, Look, Remark
from assistant.workbook.live.source import LiveSource
from assistant.workbook.ooxml.cells.areas import place_of
from assistant.workbook.write.look import MARK
from assistant.workbook.write.marks import AUTHOR, KEPT, fill_under, signed

_FILL = re.compile(r'rgb="FF([0-9A-Fa-f]{6})"')


class Mark(NamedTuple):
    """A mark as it stands. `fill`: the cell's own colour."""

    sheet: str
    remark: Remark
    fill: str

    @property
    def at(self) -> tuple[str, int, int]:
        """Sheet, row and column."""
        return (self.sheet, *place_of(self.remark.ref))

    def parts(self) -> tuple[str, str]:
        """Its text, and what keeps the note that stood there before; that is "" where there was none."""
        said, kept, before = self.remark.text.rpartition(KEPT)
        return (said, kept + before) if kept else (before, "")


def marks_in(source: LiveSource, host: Host) -> list[Mark]:
    """All marks of the open workbook."""
    return [Mark(title, remark, fill) for title in source.sheets for remark in host.remarks(title)
            if (fill := _fill_before(remark.author, remark.text)) is not None]


def unmark(marks: Iterable[Mark], changes: Changes) -> None:
    """Take marks back: colours as they were, notes that stood there before."""
    for one in marks:
        changes.notes[one.sheet, one.remark.ref] = one.parts()[1].partition(": ")[2]
        changes.looks[one.at] = Look(one.fill)


def remark_all(marks: Iterable[Mark], changes: Changes) -> None:
    """The other way round: marks that were taken back in vain stand again."""
    for one in marks:
        said, kept = one.parts()
        signature = "" if fill_under(one.remark.text) is not None else signed("", one.fill)
        changes.notes[one.sheet, one.remark.ref] = said + signature + kept
        changes.looks[one.at] = Look(MARK)


def _fill_before(author: str, text: str) -> str | None:
    """The colour that a cell had under a mark of ours; None for a note of somebody else's."""
    found = fill_under(text)
    if found is not None:
        return found
    if author.startswith(f"{AUTHOR} ["):
        fill = _FILL.search(author)
        return fill[1].upper() if fill else ""
    return None


def mark(texts: Mapping[str, Mapping[str, str]], source: LiveSource, host: Host, changes: Changes) -> None:
    """Colour cells and note on them what to do; `changes` holds already what `unmark` takes back."""
    wanted = {title: list(refs) for title, refs in texts.items() if title in source.sheets}
    fills = host.fills(wanted)
    for title, refs in wanted.items():
        stands = {r.ref: r for r in host.remarks(title)}
        for ref in refs:
            row, column = place_of(ref)
            restored = changes.looks.get((title, row, column))
            fill = restored.fill if restored and restored.fill is not None else fills.get(title, {}).get(ref, "")
            if fill == MARK:  # of a press that the program cut short: no cell has it of its own
                fill = ""
            before = changes.notes.get((title, ref), stands[ref].text if ref in stands else "")
            author = stands[ref].author if ref in stands and (title, ref) not in changes.notes else ""
            kept = f"{KEPT}{author}: {before}" if before else ""
            changes.notes[title, ref] = signed(texts[title][ref], fill) + kept
            changes.looks[title, row, column] = Look(MARK)
