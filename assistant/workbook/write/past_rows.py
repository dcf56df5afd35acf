"""Room on Orders: a table that was changed in; blank rows ready at its end and turns that are over out of sight.

Out of sight is a filter that says so, of the columns that every workbook of ours has from the start: blank cells and
the present turn. Any other filter is somebody's own and stays, and so does none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assistant.campaign.records import Order
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.parts.faults import Unsafe
from assistant.workbook.surface import Changed, Source
from assistant.workbook.write.table_rows import Appender

Earlier = Callable[[str], Any]


def keep_blank(appender: Appender, bottom: int, room: int) -> None:
    """Let a table go on below its last used row by so many blank rows, where nothing stands in the way.

    `bottom`: the last row that has a look already.
    """
    used = appender.last
    try:
        appender.make_room(room)
    except Unsafe:
        return  # a club has something below: what is full grows row by row, as it always did
    appender.last = max(used, bottom)
    while appender.last < used + room:
        appender.next_row()
    appender.finish()


def hide_past(book: Source, sheet: Changed, table: TablePart, turn_column: int, turns: tuple[str, str],
              orders: Iterable[tuple[int, Order]], key: Earlier) -> None:
    """Take the rows of turns that are over out of sight, if the filter is Arbitro's.

    `turns`: the Desk's before and now; `orders`: those that may have to go or come, each with its row; `key`: the
    order of turns.
    """
    before, now = turns
    if shown_by_us(book, table, turn_column) != before:
        return
    if before != now:
        book.show_only(table, [now])
    for number, order in orders:
        sheet.hide(number, bool(order.turn) and key(order.turn) < key(now))


def shown_by_us(book: Source, table: TablePart, turn_column: int) -> str:
    """The turn that Arbitro's own filter shows; "" where there is none such."""
    found = book.shown_only(table)
    return found[1][0] if found is not None and found[0] == turn_column and len(found[1]) == 1 else ""


def concerned(orders: Iterable[Order], rows: Mapping[str, int]) -> list[tuple[int, Order]]:
    """Orders with the numbers of their rows, each once."""
    return list({rows[one.order]: (rows[one.order], one) for one in orders if one.order in rows}.values())
