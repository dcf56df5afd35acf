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
    """Tables about the same things as running text. `more`, `notes`: the sentences below them."""

    title: str
    entries: tuple[Run, ...]
    more: tuple[str, ...]
    notes: tuple[str, ...]
    empty: str


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
    return Runs(first.title, entries,
                tuple(dict.fromkeys(table.rows.more for table in tables if table.rows.more)),
                tuple(dict.fromkeys(table.note for table in tables if table.note)), first.empty)


QUIET = 2
"""So few lines make a chapter that is told in one paragraph."""


def chapters_with_quiet(chapters: Iterable[SpanChapter]) -> tuple[tuple[SpanChapter | None, tuple[str, ...]], ...]:
    """Chapters in their order: each by itself, or, if it is quiet, as one text, with those after it that are empty."""
    made: list[tuple[SpanChapter | None, tuple[str, ...]]] = []
    for chapter in chapters:
        lines = [f"{line.place}: {line.text}" if line.place else line.text
                 for group in chapter.groups for line in group.lines.items]
        if len(lines) > QUIET:
            made.append((chapter, ()))
            continue
        more = chapter.more or any(group.lines.left_out for group in chapter.groups)
        text = " ".join([f"{chapter.title}:", *(lines or ["–"]), *(["…"] if more else [])])
        if made and made[-1][0] is None and not lines:
            made[-1] = (None, (*made[-1][1], text))
        else:
            made.append((None, (text,)))
    return tuple(made)
