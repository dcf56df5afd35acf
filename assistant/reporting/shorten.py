"""Reports in short: what happened in five lines; pages for a phone and a mail, in which lines are folded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from typing import NamedTuple, TypeVar

from assistant.campaign.records import Army, Battle, Event, Faction, Node
from assistant.campaign.tables import grouped
from assistant.reporting.facts import bare_text, category_rank
from assistant.reporting.pages import (
    Dossier,
    Group,
    Listing,
    ReportLine,
    ReportPage,
    ReportTable,
    SpanChapter,
    SpanPage,
    TableCell,
)
from assistant.reporting.reader import Reader, behind_colon, capital, codes_in, cut_page
from assistant.turn.texts import N_
from assistant.wording import Verbatim

# --- runs -----------------------------------------------------------------------------------------
# Tables and chapters as a phone shows them: each row once, in running text; quiet chapters in a line each.

class Run(NamedTuple):
    """What tables say about one thing. `head`: what it is; `facts`: headings and values, without blanks."""

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
                (label, cell) for label, cell in zip(table.headings[1:], row[1:], strict=True) if cell.text)
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
FEW_ROWS = 3
"""A table with no more rows is not cut to none."""


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
        telling = sum(remark.severity != "info" or bool(remark.reason) for remark in orders.remarks.items)
        orders = replace(orders, remarks=orders.remarks.cut(max(telling, room.news) if room.all is None else room.all))
    if rulings is not None:
        rulings = replace(rulings, table=replace(rulings.table, rows=rulings.table.rows.cut(room.news)),
                          proofs=rulings.proofs.cut(room.rows))
    page = replace(
        page, orders=orders, rulings=rulings, happened=_first_lines(page.happened, room.story),
        news=_first_lines(page.news, room.story if page.kind == "gazette" else room.news),
        battles=replace(page.battles.cut(max(room.story // 4, 1)), items=tuple(
            replace(card, lines=card.lines[:max(room.story // 4, 2)])
            for card in page.battles.cut(max(room.story // 4, 1)).items)),
        tables=(*page.tables[:1], *_few_rows(page.tables[1:], room.rows, page.dues)),
        sightings=_few_rows(page.sightings, room.rows, page.dues),
        dossiers=tuple(replace(one, folded=one.folded.cut(room.rows)) for one in page.dossiers),
        luck=tuple(replace(luck, table=replace(luck.table, rows=luck.table.rows.cut(room.news))) for luck in page.luck),
        chances=page.chances.cut(max(room.rows // 3, 2)),
        may_do=page.may_do.cut(max(room.rows // 3, 2)),
        orderable=replace(page.orderable.cut(room.rows), items=tuple(
            replace(one, help="", why=one.why if room.rows >= TIGHT else "")
            for one in page.orderable.cut(room.rows).items)))
    if isinstance(page, SpanPage) and page.chapters:
        each = max(room.story // len(page.chapters), 1)
        page = replace(page, chapters=tuple(
            replace(chapter, groups=_first_lines(chapter.groups, each), throws=chapter.throws.cut(each // 4))
            for chapter in page.chapters))
    return page


def _few_rows(tables: Sequence[ReportTable], rows: int, owed: Sequence[str]) -> tuple[ReportTable, ...]:
    """The tables with so many rows in all, the first ones first; those that are shown as one count once
    (`merge_tables`). What a duty is about stays (`owed`: the sentences), and of few rows the first; of a longer table
    without room the title stays, and how much it has.
    """
    made: list[ReportTable] = []
    left, most = rows, max(rows // 3, 2)
    for run in merge_tables(tables):
        kept = min(len(run.entries), most, max(left, 0))
        if len(run.entries) + tables[len(made)].rows.left_out <= FEW_ROWS:
            kept = len(run.entries) if rows >= TIGHT else min(max(kept, 1), len(run.entries))
        due = {entry.head.text for entry in run.entries if not entry.head.text.isdecimal()
               and any(entry.head.text in one for one in owed)}
        left -= max(kept, len(due))
        made += [replace(table, rows=_rows_of(table.rows, kept, due))
                 for table in tables[len(made):len(made) + run.tables]]
    return tuple(made)


def _rows_of(rows: Listing[tuple[TableCell, ...]], kept: int, due: Container[str]) -> Listing[tuple[TableCell, ...]]:
    """The first rows and those about what is due, and how many more there are."""
    items = tuple(row for place, row in enumerate(rows.items) if place < kept or row[0].text in due)
    return replace(rows, items=items, left_out=rows.left_out + len(rows.items) - len(items))


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
_BAND = re.compile(r'<td class="band"[^>]*>(.*?)</td>', re.DOTALL)


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
_FORM, _PICTURE, _HEAD = 350.0, 300.0, 130.0


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
    for line in "<br>".join(_BAND.findall(html)).split("<br>"):
        gauge.letters = len(unescape(line))
        gauge.end()
    place = html.find(_BODY) + len(_BODY)
    for part in _PART.finditer(html, place):
        if gauge.kind not in ("pre", "thead"):
            gauge.letters += len(unescape(html[place:part.start()]).strip())
        place = part.end()
        if part[2] is not None:
            gauge.tag(part[2], bool(part[1]), part[3])
    gauge.end()
    return Heights(round(gauge.shut), round(gauge.whole))


# What happened in five lines: a waiting battle, then what is the reader's own, then what happened elsewhere.


LINES_OF_SUMMARY = 5
"""Lines of the summary."""
SHORT, SHORT_OF_WEIGHTIEST = 120, 180
"""A longer sentence is no line of the summary."""
OWN_BATTLES = 3
"""At most so many of them are battles of the reader's own: the last line of these counts the others."""
ALIKE = 2
"""At most so many of them are of one category before others are used."""
THEMES = ("outcome", "place", "losses", "leader", "grave", "siege")
"""What of the reader's own comes first, in this order (`assistant.turn.event_types.Theme`); ``grave``: events of the
greatest weight that are none of these.
"""
FORAY = 0
"""What others do at a place of the reader's weighs at least so much."""
LIGHTEST_SIEGE = 2
"""What weighs less about a siege is no line of its own."""
LOST, CHANGED, UNCHANGED = range(3)
"""What became of a place that was fought for: the reader lost it, it changed hands otherwise, it did not."""


# --- sentences --------------------------------------------------------------------------------------------
def is_throw(reader: Reader, event: Event) -> bool:
    """Whether an event is only a dice roll, whose result other events tell."""
    return bool(event.roll) and reader.kind(event).category == "rulings"


def bare_line(reader: Reader, event: Event) -> ReportLine:
    """An event as a line without dice, chapter and moment; a sentence that ended in dice ends in their result."""
    line = reader.line(event)
    whole = reader.wording.event(event)
    if line.roll and len(line.text) < len(whole.rstrip(".")):
        line = replace(line, text=bare_text(line.text, reader.came_to(event)))
    return replace(line, roll="", faces="", rule="", when="")


def chapter_title(reader: Reader, event: Event) -> str:
    """The heading of an event's chapter; with the turn if the report covers several."""
    several = len({turn for turn, _ in reader.period.moments}) > 1
    return heading_of_chapter(reader, event.turn, month_of(reader, event), several)


def month_of(reader: Reader, event: Event) -> str:
    """The chapter of the calendar in which an event is told."""
    return reader.ruleset.calendar.chapter(event.turn, event.phase, reader.lang)


def heading_of_chapter(reader: Reader, turn: str, month: str, several: bool) -> str:
    """The heading of a month, with its turn where there are several."""
    name = reader.ruleset.turn_name(turn, reader.lang)
    if not month:
        return name
    return f"{name}, {month}" if several else month


def outcome_groups(reader: Reader, events: Iterable[Event]) -> list[Group]:
    """The outcome of events for the reader, in the ruleset's own sentences; () without any."""
    sentences = reader.ruleset.outcomes(reader.view, reader.faction, events)
    lines = dict.fromkeys(reader.wording.sentence(sentence.text, sentence.data) for sentence in sentences
                          if not sentence.why)
    return [Group(reader.wording.text(N_("How it went")), Listing(tuple(map(ReportLine, lines))))] if lines else []


# --- five lines -------------------------------------------------------------------------------------------
def brief_of(reader: Reader, own: Collection[int] | None, waiting: Sequence[Dossier] = (),
             threats: Iterable[str] = ()) -> Group:
    """What happened in five lines; nothing where no more than that happened. `own`: numbers of the events that are not
    just news, None: all of them; `waiting`: battles that are to be played; `threats`: what is owed most gravely and
    which enemies are near, the last lines.
    """
    events, last = list(reader.period.events), tuple(ReportLine(text) for text in threats if text)
    told = bool(waiting or last) or len(events) > LINES_OF_SUMMARY
    lines = _summary_lines(reader, events, own, waiting, LINES_OF_SUMMARY - len(last)) if told else ()
    return Group(reader.wording.text(N_("In five lines")), Listing((*lines, *last)))


def _summary_lines(reader: Reader, events: list[Event], own: Collection[int] | None, waiting: Sequence[Dossier],
                   count: int) -> tuple[ReportLine, ...]:
    """Waiting battles; of the reader's own what is gravest by `THEMES`; in the lines left of `count` what else is the
    reader's, and what happened elsewhere; each in order of time.
    """
    titles = dict.fromkeys(one.title for one in waiting)
    lines = [ReportLine(reader.wording.text(N_("{battle} waits to be played at the gaming table."),
                                            battle=Verbatim(capital(title)))) for title in titles][:count]
    told = [e for e in events if not (is_throw(reader, e) or e.no in reader.still or reader.kind(e).is_idle(e))]
    here = {place for e in told if (own is None or e.no in own) and (place := reader.whereabouts(e))}
    if own is not None:
        lines += _gravest(reader, [e for e in told if e.no in own], count - len(lines))
        fought = {battle.battle for e in told if e.no in own and (battle := reader.battle_of(e)) is not None}
        told = [e for e in told if (battle := reader.battle_of(e)) is None or battle.battle not in fought]
        settled = {reader.whereabouts(e) for e in told if e.no in own and _theme(reader, e)} | {
            reader.view.table(Battle)[battle].node for battle in fought}
        told = [e for e in told if e.no not in own or not (
            _theme(reader, e) or (_is_foray(reader, e) and reader.whereabouts(e) in settled))]
    chosen = _weightiest_by_place(reader, told, own, count - len(lines))
    chosen.sort(key=lambda e: (own is not None and e.no not in own, e.no))
    return (*lines, *(_dated_line(reader, e, elsewhere=own is not None and e.no not in own
                                  and reader.whereabouts(e) not in here) for e in chosen))


class _OwnLine(NamedTuple):
    """A line about the reader's own, with its `rank` among these and its place in time, `no`; `fights`: for how many
    battles at one place it stands; `loss`: what they cost the reader; `lost`: whether it tells of a place lost;
    `killed`: enemies, where the rulebook says it.
    """

    rank: tuple[int, ...]
    no: int
    line: ReportLine
    fights: int = 0
    loss: int = 0
    lost: bool = False
    killed: int = 0


def _gravest(reader: Reader, events: Sequence[Event], count: int) -> list[ReportLine]:
    """The gravest lines about the reader's own in order of time, places lost in a single round first, and what befell
    others in its battles last; the last of its battles says how many were fought elsewhere.
    """
    fought, others = _own_lines(reader, events)
    kept = sorted([*fought[:OWN_BATTLES], *others], key=lambda line: line.rank)[:count]
    kept.sort(key=lambda line: (line.rank[0] == len(THEMES), reader.rounds == 1 and not line.lost, line.no))
    with_line = [place for place, line in enumerate(kept) if line.fights]
    more = sum(line.fights for line in fought) - sum(line.fights for line in kept)
    lines = [line.line for line in kept]
    if with_line and more:
        said = reader.wording.plural(N_("And one more fight elsewhere."), N_("And {n} more fights elsewhere."), more)
        lines[with_line[-1]] = replace(lines[with_line[-1]], text=f"{lines[with_line[-1]].text} {said}")
    return lines


def _own_lines(reader: Reader, events: Sequence[Event]) -> tuple[list[_OwnLine], list[_OwnLine]]:
    """What is gravest among the reader's own: its battles place by place, the gravest first, and what has another
    theme, by theme and place.
    """
    of_battles: dict[str, list[Event]] = {}
    others: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        theme, battle = _theme(reader, event), reader.battle_of(event)
        if battle is not None and theme in ("", "outcome", "losses", "grave"):
            of_battles.setdefault(battle.node or battle.battle, []).append(event)
        elif theme:
            others.setdefault((theme, reader.whereabouts(event) or str(event.no)), []).append(event)
    changes = (event for event in reader.period.events if _theme(reader, event) == "place")
    fates = {place: _fate(reader, alike) for place, alike in grouped(changes, reader.whereabouts).items()}
    # who holds the place in the end says all of its siege
    others = {about: alike for about, alike in others.items() if about[0] != "siege" or about[1] not in fates}
    fought = sorted(filter(None, (_battle_line(reader, told, fates.get(place, UNCHANGED))
                                  for place, told in of_battles.items())), key=lambda line: line.rank)
    told = []
    for (about, _), alike in others.items():
        kind, lasting = reader.kind, max(alike, key=lambda e: (-reader.kind(e).weight, e.no))
        loss = sum(kind(e).losses(e) for e in alike)
        of_others = about in ("leader", "losses") and _befell_another(reader, lasting)
        rank = len(THEMES) if of_others else THEMES.index(about)
        told.append(_OwnLine((rank, kind(lasting).weight, -loss, -lasting.no), lasting.no,
                             _dated_line(reader, _test_of(reader, lasting) if about == "siege" else lasting),
                             lost=about == "place" and _fate(reader, alike) == LOST))
    return fought, told


def _test_of(reader: Reader, event: Event) -> Event:
    """The test that decided a siege, in whose sentence the reasons tell it too; the event itself without one."""
    about = (event.turn, event.phase, reader.node_of(event))
    return next((e for e in reader.period.events if e.event != event.event and "target" in e.roll
                 and reader.kind(e).category in ("rulings", "sieges") and reader.concerns(e)
                 and (e.turn, e.phase, reader.node_of(e)) == about), event)


def _befell_another(reader: Reader, event: Event) -> bool:
    """Whether an event tells the fate of somebody of another faction."""
    return str(event.data.get("faction", reader.faction)) not in reader.own


def _theme(reader: Reader, event: Event) -> str:
    """The theme of an own event, one of `THEMES`; "" for what may only fill the lines left."""
    kind = reader.kind(event)
    theme = kind.theme_of(event)
    if theme == "siege" and kind.weight > LIGHTEST_SIEGE:
        return ""
    return theme or ("" if kind.weight else "grave")


def _fate(reader: Reader, events: Iterable[Event]) -> int:
    """What became of a place by some events: `LOST` to the reader, `CHANGED`, or `UNCHANGED`."""
    told = [event for event in events if _theme(reader, event) == "place"]
    lost = any(reader.has_lost(place) for event in told for place in reader.places_in(event))
    return LOST if lost else CHANGED if told else UNCHANGED


def _battle_line(reader: Reader, told: Sequence[Event], fate: int) -> _OwnLine | None:
    """The last battle of a place in a sentence, with what all that were fought there cost the reader and the enemy."""
    fought = grouped(told, lambda e: row.battle if (row := reader.battle_of(e)) is not None else "")
    lines = [line for code, events in fought.items() if code
             and (line := _outcome_line(reader, reader.view.table(Battle)[code], events, fate)) is not None]
    if len(lines) < 2:
        return lines[0] if lines else None
    last, loss = max(lines, key=lambda line: line.no), sum(line.loss for line in lines)
    said = reader.wording.text(N_("It was the latest of {n} fights there. Your losses in all: {x}."), n=len(lines),
                               x=loss or "")  # a rulebook's own sentences may not say what was lost
    if killed := sum(line.killed for line in lines):
        said += " " + reader.wording.text(N_("Enemies killed in all: {n}."), n=killed)
    return last._replace(rank=(*last.rank[:2], -loss, *last.rank[3:]), fights=len(lines),
                         line=replace(last.line, text=f"{last.line.text} {said}"))


def battle_rank(reader: Reader, row: Battle, told: Sequence[Event]) -> tuple[int, ...]:
    """How grave a battle was for the reader, the least number the gravest: a place lost, then men."""
    line = _outcome_line(reader, row, told, _fate(reader, told))
    return line.rank if line is not None else (len(THEMES),)


def _outcome_line(reader: Reader, row: Battle, told: Sequence[Event], fate: int) -> _OwnLine | None:
    """How a battle ended for the reader, in the ruleset's own sentence if it has one; None before it ended."""
    words = reader.wording
    ended = [e for e in told if reader.kind(e).theme_of(e) == "outcome"]
    own = [said for said in reader.ruleset.outcomes(reader.view, reader.faction, told) if not said.why]
    loss = sum(reader.kind(e).losses(e) for e in told)
    if own:
        text, loss = " ".join(words.sentence(said.text, said.data) for said in own), sum(said.grave for said in own)
    else:
        text = reader.outcome(row) or (reader.sentence(ended[-1]) if ended else "")
        if text and loss:
            text = f"{text} {words.text(N_('Your losses: {n}.'), n=loss)}"
    if not text:
        return None
    event = (ended or list(told))[-1]
    return _OwnLine((0, fate, -loss, row.winner_side == 2, -event.no), event.no, replace(
        _dated_line(reader, event), text=text, place=""), 1, loss, fate == LOST, sum(said.killed for said in own))


def _dated_line(reader: Reader, event: Event, *, elsewhere: bool = False) -> ReportLine:
    """An event with its place by name and its month; `elsewhere`: it is not the reader's own, nor at a place where
    something of its own happened, which is said of places and of clubs, but not of what opens a phase for everybody or
    names the reader.
    """
    line = bare_line(reader, event)
    place = reader.place_by_name(event, line.text)
    clubs = _clubs_in(reader, event)
    if elsewhere and not reader.kind(event).opening and reader.faction not in clubs and (
            clubs or reader.whereabouts(event)):
        place = ", ".join(filter(None, (reader.wording.text(N_("Elsewhere")), place)))
    text = behind_colon(line.text) if place else capital(line.text)
    return replace(line, place=place, text=text, when=chapter_title(reader, event) if reader.rounds > 1 else "")


def _is_foray(reader: Reader, event: Event) -> bool:
    """Whether others came to a place of the reader's, or turned back there: nothing else that is named is its own."""
    named = reader.own.intersection(code for value in event.data.values() for code in codes_in(value))
    return reader.kind(event).category == "moves" and bool(named) and all(
        code in reader.view.table(Node) for code in named) and not _is_gone(reader, event)


def _is_gone(reader: Reader, event: Event) -> bool:
    """Whether an army that an event names is now seen at none of the places that it names."""
    named = {code for value in event.data.values() for code in codes_in(value)}
    return any(row.ident in named and row.node and row.node not in named for row in reader.view.table(Army))


def _clubs_in(reader: Reader, event: Event) -> set[str]:
    """The factions that an event names, alone or in a list."""
    lists = (value.split() if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
             for value in event.data.values())
    clubs = reader.view.table(Faction)
    return {code for codes in lists if all(isinstance(code, str) and code in clubs for code in codes)
            for code in codes}


def _weightiest_by_place(reader: Reader, events: list[Event], own: Collection[int] | None, count: int) -> list[Event]:
    """The most important events, at most one per place, none word by word like another and not all of one theme; the
    news of others count less.

    Of each place the last event is used, and places with more events come first.
    """
    stories = Counter(reader.whereabouts(e) for e in events)
    chosen: list[Event] = []

    def weight(event: Event) -> tuple[int, ...]:
        kind, place = reader.kind(event), reader.whereabouts(event)
        alike = sum(reader.kind(other).category == kind.category for other in chosen)
        weight = min(kind.weight, FORAY) if _is_foray(reader, event) else kind.weight
        return (weight + (own is not None and event.no not in own), alike // ALIKE,
                category_rank(reader, kind.category), -stories[place] if place else 0, -event.no)

    left, said = list(events), set[str]()
    while left and len(chosen) < count:
        best = min(left, key=weight)
        left.remove(best)
        line = bare_line(reader, best)
        if line.text in said or len(line.text) > (SHORT if reader.kind(best).weight else SHORT_OF_WEIGHTIEST):
            continue
        said.add(line.text)
        chosen.append(best)
        if place := reader.whereabouts(best):
            left = [e for e in left if reader.whereabouts(e) != place]
    return chosen
