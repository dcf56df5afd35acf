"""Shorter pages, for a phone and for a mail: what is folded loses lines, duties and reasons lose none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from typing import NamedTuple, TypeVar

from assistant.reporting.pages import Group, ReportPage, ReportTable, SpanChapter, SpanPage, TableCell
from assistant.reporting.reader import cut_page

# --- runs -----------------------------------------------------------------------------------------
# Tables and chapters as a phone shows them: each row once, in running text; quiet chapters in a line each.

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
    # a note under several tables stands once, below the last of them
    later = [{note for other in runs[place + 1:] for note in other.notes} for place in range(len(runs))]
    return tuple(one._replace(notes=tuple(note for note in one.notes if note not in after))
                 for one, after in zip(runs, later, strict=True))


def _runs_of(tables: Sequence[ReportTable]) -> Runs:
    first = tables[0]
    facts: dict[int, list[tuple[str, TableCell]]] = {}
    # backwards, so that of several rows with one name the first counts
    heads = {row[0].text: number for number, row in reversed(list(enumerate(first.rows.items)))}
    for table in tables:
        for number, row in enumerate(table.rows.items):
            place = number if table is first else heads[row[0].text]
            facts.setdefault(place, []).extend(
                (label, cell) for label, cell in zip(table.headings[1:], row[1:], strict=True)
                # what a row has nought of need not be told on a phone
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


# --- shorten --------------------------------------------------------------------------------------
# Shorter versions of a page, for a phone and for a mail: what is folded loses lines, duties and reasons lose none.

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
        dossiers=tuple(replace(one, folded=one.folded.cut(room.rows)) for one in page.dossiers),
        luck=tuple(replace(luck, table=replace(luck.table, rows=luck.table.rows.cut(room.news))) for luck in page.luck),
        chances=page.chances.cut(max(room.rows // 3, 2)),
        may_do=page.may_do.cut(max(room.rows // 3, 2)),
        orderable=replace(page.orderable.cut(room.rows), items=tuple(
            replace(one, help="") for one in page.orderable.cut(room.rows).items)))
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


# --- heights --------------------------------------------------------------------------------------
# How tall a page is on a phone, estimated from its HTML: before anything is unfolded, and with all of it unfolded.

SHUT, OPEN = 4_500, 9_000
"""The most pixels that a club's page may be tall at a width of 390, folded and unfolded."""
_MARGIN = 0.95
"""The part of these that an estimate may come to: letters differ from phone to phone."""
_PART = re.compile(r"<(/?)(details|summary|h1|h2|h3|p|li|pre|td|tr|thead|ul|ol|div|br|img)\b([^>]*)>|<[^>]*>")
_LABEL = re.compile(r'data-label="([^"]*)"')
_CLASSES = ("run", "why", "muted", "remark", "fight")
"""Classes of paragraphs that have a height of their own."""
_BODY = '<td class="pad">'


class _Block(NamedTuple):
    """Letters in a line, the height of a line, and what stands above and below, in pixels."""

    letters: int
    line: float
    around: float


_TEXT = _Block(42, 23.2, 10)
_BLOCKS = {
    "h1": _Block(22, 29, 36), "h2": _Block(34, 22.5, 39), "h3": _Block(34, 23.2, 20), "li": _Block(39, 23.2, 3),
    "summary": _Block(33, 24.7, 16), "run": _Block(49, 21.6, 5), "row": _Block(43, 21.6, 7), "why": _Block(42, 23.2, 8),
    "muted": _Block(50, 20.3, 10), "fight": _Block(40, 23.2, 6), "remark": _Block(33, 23.2, 26),
    "tile": _Block(99, 88, 6),
}
_FORM, _PICTURE, _HEAD = 350.0, 300.0, 200.0


class Heights(NamedTuple):
    """The pixels of a page: as it opens, and with everything unfolded."""

    shut: int
    open: int

    @property
    def fit(self) -> bool:
        """Whether a phone's reader need not scroll farther than a club's page may be tall."""
        return self.shut <= SHUT * _MARGIN and self.open <= OPEN * _MARGIN


class _Gauge:
    """Adds up blocks. `folded`: whether each open part around the present place is folded; `kind`: of the present
    block, whose letters are counted.
    """

    def __init__(self) -> None:
        self.shut = self.whole = _HEAD
        self.folded: list[bool] = []
        self.kind = ""
        self.letters = 0

    def add(self, tall: float, *, always: bool = False) -> None:
        """Something so tall, seen before unfolding unless it lies in a folded part."""
        self.whole += tall
        self.shut += tall if always or not any(self.folded) else 0

    def end(self) -> None:
        """The end of the present block."""
        if self.letters:
            block = _BLOCKS.get(self.kind, _TEXT)
            # rounded up: a line that has begun is as tall as a full one
            self.add(-(-self.letters // block.letters) * block.line + block.around, always=self.kind == "summary")
        self.letters = 0

    def tag(self, tag: str, closing: bool, rest: str) -> None:
        """A tag: the end of a block or the begin of one."""
        if tag in ("pre", "thead", "tr"):
            self.end()
            self.kind = "" if closing else {"tr": "row"}.get(tag, tag)
            self.add(_FORM if tag == "pre" and not closing else 0)
        elif tag == "td":
            self._cell("" if closing else rest)
        elif self.kind not in ("row", "tile"):
            self.end()
            if tag == "details" and not closing:
                self.folded.append("open" not in rest)
            elif tag == "details":
                self.folded.pop()
            elif tag == "img":
                self.add(_PICTURE)
            elif not closing:
                self.kind = next((name for name in _CLASSES if tag == "p" and f'"{name}' in rest), tag)

    def _cell(self, rest: str) -> None:
        """A cell: of a tile, or of a row, which shows its heading before it unless it is blank."""
        if "tile" in rest:
            self.kind = "tile"
        elif (label := _LABEL.search(rest)) and "none" not in rest:
            self.letters += len(unescape(label[1])) + 3


def phone_heights(html: str) -> Heights:
    """The heights of a page at 390 pixels, from the HTML of the template, before its styles are put into its tags."""
    gauge = _Gauge()
    place = html.find(_BODY) + len(_BODY)
    for part in _PART.finditer(html, place):
        if gauge.kind not in ("pre", "thead"):
            gauge.letters += len(unescape(html[place:part.start()]).strip())
        place = part.end()
        if part[2] is not None:
            gauge.tag(part[2], bool(part[1]), part[3])
    gauge.end()
    return Heights(round(gauge.shut), round(gauge.whole))
