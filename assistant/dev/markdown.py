"""What the derived pages share: lines of Markdown in, and which rulesets they tell of."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.turn.ruleset import installed

MADE = "<!-- Made by `python -m assistant.dev.manual write`; edit the code, not this page. -->"


def cell(text: object) -> str:
    """A text as it may stand in a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """A Markdown table as lines."""
    heads = list(headings)
    return [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}",
            *(f"| {' | '.join(cell(one) for one in row)} |" for row in rows), ""]


def ours() -> list[str]:
    """Ids of the rulesets that ship with Arbitro; plug-ins keep a manual of their own."""
    return [name for name, place in installed().items() if place.startswith("assistant.")]


__all__ = ["MADE", "cell", "ours", "table"]
