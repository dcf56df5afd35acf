"""A sitting over an open workbook in; that its map is the one of before, and follows later, out."""

from __future__ import annotations

from assistant.desk import codes
from assistant.desk.sitting.sitting import Sitting
from assistant.turn.findings import Finding
from assistant.workbook.file_book import what_shows


def later(sitting: Sitting) -> list[Finding]:
    """What is said where an open workbook shows a map, or shapes that we colour: they follow; [] where it has neither.

    Raises OSError.
    """
    shown = what_shows(sitting.on_disk()) if sitting.book.live else None
    if shown is None or not any(shown):
        return []
    return [codes.finding(codes.MAP_LATER, book=sitting.path.name, option="--sheet" if shown.sheet else "--shapes")]
