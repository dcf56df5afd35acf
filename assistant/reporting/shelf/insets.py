"""The pictures of a report: what they are called, where the page finds them, what they show in words; no bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from assistant.reporting.pages import ReportPage

NEAR, WHOLE, CHART, ORDERED = "near", "map", "chart", "orders"
"""A close-up of one's own area, the whole map, how figures went, what is ordered; also the ends of their files' names.
"""
PICTURES = (NEAR, WHOLE, CHART)
P = TypeVar("P", bound=ReportPage)


@dataclass(frozen=True)
class Inset:
    """A picture of a page. `name`: one of `PICTURES`, or `ORDERED` in a receipt; `src`: where the page finds it; `alt`:
    what it shows, in words; `title`: its own heading, "" for none.
    """

    name: str
    src: str = ""
    alt: str = ""
    title: str = ""


def with_insets(page: P, shown: Sequence[Inset]) -> tuple[P, tuple[Inset, ...]]:
    """A page that shows the first of its maps where its map belongs, and the pictures that come behind it.

    Its code stays: a report is the same with pictures and without.
    """
    if not shown or shown[0].name == CHART:
        return page, tuple(shown)
    return replace(page, map_src=shown[0].src, map_alt=shown[0].alt), tuple(shown[1:])
