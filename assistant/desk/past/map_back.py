"""A leap over a change of the workbook's map in; the map as it was then, with the next writing, out.

Where nothing was typed since, the file's old bytes say all. Here only the records go back, and the map with them.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.desk import codes
from assistant.desk.sitting.hollow import readable
from assistant.desk.sitting.map_later import later
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.watch.open_workbook import file_of
from assistant.ledger import MAP, Ledger
from assistant.turn.findings import Finding
from assistant.workbook.file_book import FileBook, what_shows


def map_as_before(sitting: Sitting, ledger: Ledger, step: int, between: Iterable[int]) -> list[Finding]:
    """Let the next writing show of the map what the workbook showed before a step; what will stay otherwise.

    `between`: the steps that are taken back or done again. Raises `LedgerTrouble`, OSError.
    """
    steps = [ledger.step(number) for number in between]
    if not any(one is not None and one.verb == MAP for one in steps):
        return later(sitting)
    then = what_shows(file_of(readable(ledger.book(step))))
    if isinstance(sitting.book, FileBook):
        return sitting.book.to_show(then)
    same = then == what_shows(sitting.on_disk())
    return later(sitting) if same else [codes.finding(codes.MAP_STAYS_OPEN, book=sitting.path.name)]
