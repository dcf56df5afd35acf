"""Tables and chapters as a phone shows them: each row once, in running text; quiet chapters in a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assistant.reporting.pages import ReportTable, SpanChapter, TableCell


class Run(NamedTuple):
    """What tables say about one thing. `head`: what it is; `facts`: headings and values, without blanks and zeros."""

    head: TableCell
    facts: tuple[tuple[str, TableCell], ...]


class Runs(NamedTuple):
    """Tables about the same things as running text. `more`, `notes`: the sentences below them; `tables`: how many."""

    title: str
    entries: tuple[Run, ...]
    more: tuple[str, ...]
    notes: tuple[str, ...]
    empty: str
    tables: int


def merge_tables(tables: Iterable[ReportTable]) -> tuple[Runs, ...]:
    """Tables as running text, those about the same rows as one, so that a phone shows each row once."""
    made: list[list[ReportTable]] = []
    for table in tables:
        before = made[-1][0] if made else None
        keys = {row[0].text for row in table.rows.items}
        if before is not None and keys and before.headings[0] == table.headings[0] and keys <= {
                row[0].text for row in before.rows.items}:
            made[-1].append(table)
        else:
            made.append([table])
    runs = list(map(_runs_of, made))
    later = [{note for other in runs[place + 1:] for note in other.notes} for place in range(len(runs))]
    return tuple(one._replace(notes=tuple(note for note in one.notes if note not in after))
                 for one, after in zip(runs, later, strict=True))


def _runs_of(tables: Sequence[ReportTable]) -> Runs:
    first = tables[0]
    facts: dict[int, list[tuple[str, TableCell]]] = {}
    heads = {row[0].text: number for number, row in reversed(list(enumerate(first.rows.items)))}
    for table in tables:
        for number, row in enumerate(table.rows.items):
            place = number if table is first else heads[row[0].text]
            facts.setdefault(place, []).extend(
                (label, cell) for label, cell in zip(table.headings[1:], row[1:], strict=True)
                if cell.text and cell.number != 0)
    entries = tuple(Run(row[0], tuple(facts.get(number, ()))) for number, row in enumerate(first.rows.items))
    more = dict.fromkeys(table.rows.more for table in tables if table.rows.more)
    notes = dict.fromkeys(table.note for table in tables if table.note and entries)
    return Runs(first.title, entries, tuple(more), tuple(notes), first.empty, len(tables))


QUIET = 2
"""So few lines make a chapter that is told in one paragraph."""


class QuietChapters(NamedTuple):
    """Quiet chapters that follow one another. `title`: from the first to the last; `texts`: a paragraph for each."""

    title: str
    texts: tuple[str, ...]


def chapters_with_quiet(chapters: Iterable[SpanChapter]) -> tuple[SpanChapter | QuietChapters, ...]:
    """Chapters in their order: each by itself, or those that are quiet and follow one another together."""
    made: list[SpanChapter | QuietChapters] = []
    first = ""
    for chapter in chapters:
        lines = [f"{line.place}: {line.text}" if line.place else line.text
                 for group in chapter.groups for line in group.lines.items]
        if len(lines) > QUIET:
            made.append(chapter)
            continue
        more = chapter.more or any(group.lines.left_out for group in chapter.groups)
        text = " ".join([f"{chapter.title}:", *(lines or ["–"]), *(["…"] if more else [])])
        before = made.pop() if made and isinstance(made[-1], QuietChapters) else None
        first = first if before else chapter.title
        made.append(QuietChapters(f"{first} – {chapter.title}" if before else chapter.title,
                                  (*(before.texts if isinstance(before, QuietChapters) else ()), text)))
    return tuple(made)
