"""Marks of findings on cells: a colour and a note, taken away again without a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from assistant.turn.findings import Finding
from assistant.workbook.look import FINDING, Look

if TYPE_CHECKING:
    from assistant.wording import Wording

AUTHOR = "Arbitro"
KEPT = "\n––––––––––\n"
"""Stands between our text and a note that was on the cell before; its author follows up to a colon."""
_NO_FILL, _OTHER_FILL = "none", "as is"


def mark_cells(book: Any, findings: Iterable[Finding], wording: Wording) -> None:
    """Colour the cells of findings and note there what to do; marks of an earlier check go first."""
    unmark(book)
    texts: dict[str, list[str]] = {}
    for f in findings:
        if f.cell:
            texts.setdefault(f.cell, []).append(f"{wording.finding(f)} ({f.code})")
    look = Look()
    for address, said in texts.items():
        title, _, place = address.rpartition("!")
        title = title[1:-1].replace("''", "'") if title.startswith("'") else title
        if title in book.sheetnames:
            _mark(book[title][place], "\n".join(dict.fromkeys(said)), look)


def _mark(cell: Any, text: str, look: Look) -> None:
    from openpyxl.comments import Comment

    before = _fill_word(cell.fill)
    old = cell.comment
    if old is not None:
        text += f"{KEPT}{old.author}: {old.text}"
    height = 30 + 17 * (text.count("\n") + 1 + len(text) // 42)
    cell.comment = Comment(text, f"{AUTHOR} [{before}]", height=height, width=300)
    if before != _OTHER_FILL:
        cell.fill = look.solid(FINDING)


def unmark(book: Any) -> None:
    """Take away all our marks: the cells get their former fill and their former notes."""
    from openpyxl.comments import Comment

    for ws in book.worksheets:
        for cell in list(ws._cells.values()):
            note = getattr(cell, "comment", None)
            if note is None or not _is_ours(note.author):
                continue
            before = note.author[len(AUTHOR) + 2:-1]
            if before != _OTHER_FILL:
                cell.fill = _fill_of(before)
            _, kept, rest = note.text.partition(KEPT)
            author, _, text = rest.partition(": ")
            cell.comment = Comment(text, author) if kept else None


def _is_ours(author: str | None) -> bool:
    return bool(author) and str(author).startswith(f"{AUTHOR} [") and str(author).endswith("]")


def _fill_word(fill: Any) -> str:
    """A plain fill in a word that `_fill_of` understands (``rgb FFFFF8E1 0.0``)."""
    if getattr(fill, "fill_type", None) is None:
        return _NO_FILL
    colour = fill.fgColor if fill.fill_type == "solid" else None
    if colour is None or colour.type not in ("rgb", "theme", "indexed"):
        return _OTHER_FILL
    return f"{colour.type} {getattr(colour, colour.type)} {colour.tint or 0.0}"


def _fill_of(word: str) -> Any:
    from openpyxl.styles import PatternFill
    from openpyxl.styles.colors import Color

    if word == _NO_FILL:
        return PatternFill()
    kind, value, tint = word.split(" ")
    number: Any = value if kind == "rgb" else int(value)
    colour = Color(**{kind: number}, tint=float(tint))
    return PatternFill("solid", fgColor=colour, bgColor=colour)
