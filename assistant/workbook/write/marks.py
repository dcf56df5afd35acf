"""Marks in a file: findings in; colours and notes on cells out, taken away again without a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.turn.findings import Finding
from assistant.wording import Wording
from assistant.workbook.ooxml.book.editing import Editing
from assistant.workbook.ooxml.book.notes import Note, Notes
from assistant.workbook.ooxml.cells.areas import place_of, split_address
from assistant.workbook.write.look import MARK

AUTHOR = "Arbitro"
KEPT = "\n––––––––––\n"
"""Stands between our text and a note that was on the cell before; its author follows up to a colon."""
_OTHER_FILL = "as is"
_NO_FILL = 'patternType="none"'
_PLAIN_FILL = re.compile(r'patternType="solid"><(?:\w+:)?fgColor rgb="FF([0-9A-F]{6})"')
SIGNED = "\n— Arbitro"
"""The last line of a mark; behind it stands, unseen, what the cell's colour was."""
BITS, SIGNED_END = ("\u200b", "\u200c"), "\u200d"
_SIGNATURE = re.compile(rf"{SIGNED}([{BITS[0]}{BITS[1]}]*){SIGNED_END}|\n\(Arbitro · ([0-9A-F]{{6}}|-)\)")
"""Also as it was written until 2026, in figures that everybody saw."""
_MARKED = (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{MARK}"/><bgColor rgb="FF{MARK}"/>'
           "</patternFill></fill>").encode()


def signed(text: str, fill: str) -> str:
    """A mark's text with its signature. `fill`: ``RRGGBB``, "" for none."""
    hidden = "".join(BITS[int(bit)] for digit in fill for bit in f"{int(digit, 16):04b}")
    return f"{text}{SIGNED}{hidden}{SIGNED_END}"


def fill_under(text: str) -> str | None:
    """What a cell's colour was, as the signature of a mark keeps it: ``RRGGBB``, "" for none; None without one."""
    found = _SIGNATURE.search(text)
    if found is None:
        return None
    bits = "".join(str(BITS.index(one)) for one in found[1] or "")
    return f"{int(bits, 2):06X}" if bits else (found[2] or "").strip("-")


def texts_of(findings: Iterable[Finding], wording: Wording) -> dict[str, dict[str, str]]:
    """What is to be noted: title -> address -> text."""
    texts: dict[str, dict[str, list[str]]] = {}
    for f in findings:
        if f.cell:
            title, place = split_address(f.cell)
            texts.setdefault(title, {}).setdefault(place, []).append(f"{wording.finding(f)} ({f.code})")
    return {title: {ref: "\n".join(dict.fromkeys(said)) for ref, said in refs.items()} for title, refs in texts.items()}


def mark_cells(editing: Editing, findings: Iterable[Finding], wording: Wording) -> None:
    """Colour the cells of findings and note there what to do; marks of an earlier check go first."""
    texts = texts_of(findings, wording)
    for title in editing.book.sheets:
        _sheet(editing, title, texts.get(title, {}))


def _sheet(editing: Editing, title: str, texts: dict[str, str]) -> None:
    book = editing.book
    notes = Notes(book, title)
    ours = [(note, word) for note in notes.all() if (word := _word_of(note)) is not None]
    if not ours and not texts:
        return
    sheet = editing.sheet(title)
    for note, word in ours:
        if word != _OTHER_FILL:
            row, column = place_of(note.ref)
            sheet.restyle(row, column, book.styles.like(sheet.style(row, column), fill=_fill_of(word)))
        notes.take_back(note)
    for ref, text in texts.items():
        row, column = place_of(ref)
        style = sheet.style(row, column)
        word = _fill_word(book.styles.xml(style, "fill"))
        if notes.add(Note(ref, f"{AUTHOR} [{word}]", _signed(text, word)), KEPT) and word != _OTHER_FILL:
            sheet.restyle(row, column, book.styles.like(style, fill=_MARKED))
    sheet.save()
    notes.save()


def _signed(text: str, word: str) -> str:
    """A mark's text with its signature, where the fill before can be said in it: LibreOffice forgets authors."""
    fill = _PLAIN_FILL.search(word)
    return signed(text, fill[1]) if fill else signed(text, "") if not word or _NO_FILL in word else text


def _word_of(note: Note) -> str | None:
    """What a cell's fill was under a mark of ours, in the word of `_fill_of`; None for a note of somebody else's."""
    if note.author.startswith(f"{AUTHOR} [") and note.author.endswith("]"):
        return note.author[len(AUTHOR) + 2:-1]
    live = fill_under(note.text)
    return live and (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{live}"/>'
                     f'<bgColor rgb="FF{live}"/></patternFill></fill>')


def _fill_word(fill: bytes) -> str:
    """A fill in a word that `_fill_of` understands: its own markup, unless it says more than a plain one."""
    text = fill.decode("utf-8", "replace")
    return text if len(text) <= 400 and "gradientFill" not in text else _OTHER_FILL


def _fill_of(word: str) -> bytes:
    return word.encode() if word else b'<fill><patternFill patternType="none"/></fill>'
