"""Markdown: tables in the form in which pages keep them, and a page as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

WIDTH = 100


def cell(text: object) -> str:
    """A text as it may stand in a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """A Markdown table as lines."""
    heads = list(headings)
    return [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}",
            *(f"| {' | '.join(cell(one) for one in row)} |" for row in rows), ""]


def for_terminal(page: str) -> Iterator[str]:
    """The lines of a page for a terminal: of a table's row the first cell stands on a line of its own, the others
    under it, with their headings where there are several.
    """
    heads: list[str] = []
    for line in page.splitlines():
        if not line.startswith("|"):
            heads = []
            yield click.wrap_text(line, WIDTH) if line[:1] not in ("#", "`", " ") else line
        elif not heads:
            heads = _cells(line)
        elif not line.startswith("|---"):
            first, *others = _cells(line)
            yield first
            yield from (click.wrap_text(f"{head}: {text}" if len(others) > 1 else text, WIDTH, "    ", "      ")
                        for head, text in zip(heads[1:], others, strict=True) if text)


def _cells(line: str) -> list[str]:
    marked = line.replace("\\|", "\0").replace("&lt;", "<")
    return [one.strip().replace("\0", "|") for one in marked.strip("|").split("|")]


__all__ = ["cell", "for_terminal", "table"]
