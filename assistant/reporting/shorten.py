"""Shorter versions of a page, for a phone and for a mail: what is folded loses lines, duties and reasons lose none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from assistant.reporting.pages import Group, ReportPage, ReportTable, SpanPage
from assistant.reporting.reader import cut_page
from assistant.reporting.runs import merge_tables

P = TypeVar("P", bound=ReportPage)


class _Room(NamedTuple):
    """How much a shorter page may hold. `story`: lines of what happened, over all groups or chapters; `news`: of
    others; `rows`: of all tables of a section together; `all`: items of any other list, None for no limit.
    """

    story: int
    news: int
    rows: int
    all: int | None = None


ROOMS = (_Room(60, 30, 60), _Room(45, 20, 45), _Room(34, 14, 34), _Room(26, 10, 24), _Room(18, 8, 18), _Room(14, 6, 12),
         _Room(10, 4, 8), _Room(6, 3, 6), _Room(5, 2, 4), _Room(4, 1, 2), _Room(4, 2, 2, 4), _Room(2, 1, 2, 2))
PROOFS = 24
"""Hashes and secrets that remain in an HTML page that is too large."""
LEAST_REASONS = 4
"""So many reasons stay in any case."""
TIGHT = 24
"""With less room for rows than this what is not folded gets shorter, too."""
MAIN_ROWS = 10
"""Rows that the first table keeps, which is not folded."""


def shorter_pages(page: ReportPage) -> Iterator[tuple[ReportPage, str, bool]]:
    """The page as it is, then shorter and shorter versions, each with the note for its top and whether its story is
    unfolded.
    """
    page = replace(page, tables=(*(replace(t, rows=t.rows.cut(MAIN_ROWS)) for t in page.tables[:1]), *page.tables[1:]))
    yield page, "", True
    yield page, "", False
    if page.rulings is not None and len(page.rulings.proofs.items) > PROOFS:
        page = replace(page, rulings=replace(page.rulings, proofs=page.rulings.proofs.cut(PROOFS)))
        yield page, "", False
    for room in ROOMS:
        yield _shorter(page, room), page.shortened, False


def _shorter(page: P, room: _Room) -> P:
    """The page with less of what is folded."""
    if room.all is not None:
        page = replace(cut_page(page, room.all), brief=page.brief, reasons=page.reasons.cut(LEAST_REASONS))
    elif room.rows < TIGHT:
        page = replace(page, reasons=page.reasons.cut(LEAST_REASONS + 1), tables=(*(
            replace(table, rows=table.rows.cut(MAIN_ROWS // 2)) for table in page.tables[:1]), *page.tables[1:]))
    orders, rulings = page.orders, page.rulings
    if orders is not None:
        grave = sum(remark.severity != "info" for remark in orders.remarks.items)
        orders = replace(orders, remarks=orders.remarks.cut(max(grave, room.news) if room.all is None else room.all))
    if rulings is not None:
        rulings = replace(rulings, table=replace(rulings.table, rows=rulings.table.rows.cut(room.news)))
    page = replace(
        page, orders=orders, rulings=rulings, happened=_first_lines(page.happened, room.story),
        news=_first_lines(page.news, room.story if page.kind == "gazette" else room.news),
        battles=replace(page.battles.cut(max(room.story // 4, 1)), items=tuple(
            replace(card, lines=card.lines[:max(room.story // 4, 2)])
            for card in page.battles.cut(max(room.story // 4, 1)).items)),
        tables=(*page.tables[:1], *_few_rows(page.tables[1:], room.rows)),
        sightings=_few_rows(page.sightings, room.rows),
        luck=tuple(replace(luck, table=replace(luck.table, rows=luck.table.rows.cut(room.news))) for luck in page.luck),
        chances=page.chances.cut(max(room.rows // 3, 2)),
        may_do=page.may_do.cut(max(room.rows // 3, 2)),
        orderable=replace(page.orderable.cut(room.rows), items=tuple(
            replace(one, help="", cost="") for one in page.orderable.cut(room.rows).items)))
    if isinstance(page, SpanPage) and page.chapters:
        each = max(room.story // len(page.chapters), 1)
        page = replace(page, chapters=tuple(
            replace(chapter, groups=_first_lines(chapter.groups, each), throws=chapter.throws.cut(each // 4))
            for chapter in page.chapters))
    return page


def _few_rows(tables: Sequence[ReportTable], rows: int) -> tuple[ReportTable, ...]:
    """The tables with so many rows in all, the first ones first; those that are shown as one count once
    (`merge_tables`). One without room keeps its title and how much it has.
    """
    made: list[ReportTable] = []
    left, most = rows, max(rows // 3, 2)
    for run in merge_tables(tables):
        kept = min(len(run.entries), most, max(left, 0))
        left -= kept
        made += [replace(table, rows=table.rows.cut(kept)) for table in tables[len(made):len(made) + run.tables]]
    return tuple(made)


def _first_lines(groups: Sequence[Group], limit: int) -> tuple[Group, ...]:
    """The first groups with `limit` lines in all; the last of them counts what is left out."""
    kept, room, left = list[Group](), limit, 0
    for group in groups:
        if room > 0:
            kept.append(replace(group, lines=group.lines.cut(room)))
            room -= len(kept[-1].lines.items)
        else:
            left += len(group.lines.items) + group.lines.left_out
    if left:
        last = kept[-1]
        kept[-1] = replace(last, lines=replace(last.lines, left_out=last.lines.left_out + left))
    return tuple(kept)
