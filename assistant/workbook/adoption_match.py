"""Finds the tables of a club's sheets, and matches their columns with those of a record: by headings, and by values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from assistant.campaign.columns import Choice, Colour, Column, Flag, Parts, Ref, Text, Whole
from assistant.campaign.records import Event, Node, Order
from assistant.campaign.tables import Record
from assistant.turn.ruleset import Ruleset
from assistant.workbook.adoption_values import (
    VERY_NEAR,
    WORDED,
    LearntCodes,
    Lesson,
    can_read,
    chronicle_words,
    club_words,
    is_capital,
    is_yes_or_no,
    learn,
    nearest_word,
    title_fit,
)
from assistant.workbook.layout import DERIVED
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import Area, Cell, Rows
from assistant.workbook.ooxml.sheet import OoxmlSheet
from assistant.workbook.read.find_tables import TableMapping, club_table, is_total
from assistant.workbook.read.grid import fold, match_headings, plain_text

LONGEST_HEADING = 60
"""Characters; a longer text is a sentence, not a heading."""
_COLOUR = re.compile(rb'<fgColor[^>]*\brgb="(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})"')


@dataclass(frozen=True)
class TableBlock:
    """A table found on a sheet. `area`: headings and rows, without totals; `headings`: by column."""

    title: str
    area: Area
    headings: Mapping[int, str]


def find_table_blocks(book: OoxmlBook) -> list[TableBlock]:
    """All tables on visible sheets, sheet by sheet, from top to bottom.

    Raises `Damaged`, `Hostile`.
    """
    blocks: list[TableBlock] = []
    tables = list(book.tables())
    for title, sheet in book.sheets.items():
        if sheet.hidden:
            continue
        rows = book.rows(title)
        mine = [TableBlock(title, t.area._replace(bottom=t.area.bottom - t.totals), _heading_texts(rows, t.area))
                for t in tables if t.sheet == title and t.heads and len(t.columns) > 1]
        loose = [b for b in _plain_ranges(title, rows) if not any(b.area.meets(t.area) for t in mine)]
        blocks += sorted(mine + loose, key=lambda b: (b.area.top, b.area.left))
    return blocks


def _heading_texts(rows: Rows, area: Area) -> dict[int, str]:
    return {i: plain_text(c.value) for i, c in sorted(rows.get(area.top, {}).items())
            if area.left <= i <= area.right and plain_text(c.value)}


def _plain_ranges(title: str, rows: Rows) -> Iterator[TableBlock]:
    """Tables that are plain ranges, not Excel tables."""
    done: list[Area] = []
    for number in sorted(rows):
        for left, right in _heading_runs(rows[number], rows.get(number + 1, {})):
            if any(area.has(number, left) or area.has(number, right) for area in done):
                continue
            bottom = _last_row(rows, Area(left, number, right, number))
            if bottom > number:
                area = Area(left, number, right, bottom)
                done.append(area)
                yield TableBlock(title, area, _heading_texts(rows, area))


def _heading_runs(cells: Mapping[int, Cell], beneath: Mapping[int, Cell]) -> Iterator[tuple[int, int]]:
    """First and last columns of adjacent texts that have something below at least two of them."""
    run: list[int] = []
    for i in [*sorted(i for i, c in cells.items() if _is_heading(c)), 2**31]:
        gap = run and i != run[-1] + 1 and not (i == run[-1] + 2 and run[-1] + 1 in beneath)
        if gap:
            if len(run) > 1 and sum(n in beneath for n in run) > 1:
                yield run[0], run[-1]
            run = []
        run.append(i)


def _is_heading(cell: Cell) -> bool:
    return cell.data_type == "s" and 0 < len(plain_text(cell.value)) <= LONGEST_HEADING


def _last_row(rows: Rows, head: Area) -> int:
    """The last row of a table: the one before totals or before a row that is blank in all its columns.

    A row below a blank one still belongs to it if it continues the last one.
    """
    def within(number: int) -> dict[int, Cell]:
        return {i: c for i, c in rows.get(number, {}).items() if head.left <= i <= head.right and plain_text(c.value)}

    bottom = head.top
    while True:
        cells = within(bottom + 1)
        if not cells and bottom > head.top and _same_kinds(within(bottom + 2), within(bottom)):
            bottom += 1
        elif not cells or is_total(cells):
            return bottom
        bottom += 1


def _same_kinds(cells: Mapping[int, Cell], model: Mapping[int, Cell]) -> bool:
    """Whether a row holds the same kinds of values in the same columns, and not only texts."""
    both = [i for i in model if i in cells]
    kinds = [cells[i].data_type for i in both]
    return (2 * len(both) > len(model) and kinds == [model[i].data_type for i in both] and bool(set(kinds) - {"s"})
            and not is_total(cells))


def column_cells(book: OoxmlBook, block: TableBlock, column: int) -> dict[int, Cell]:
    """The non-blank cells of a table's column by row, without the heading."""
    rows = book.rows(block.title)
    return {n: rows[n][column] for n in range(block.area.top + 1, block.area.bottom + 1)
            if n in rows and column in rows[n] and plain_text(rows[n][column].value)}


def fill_colours(book: OoxmlBook, block: TableBlock, column: int) -> dict[int, str]:
    """The fill colours (``#rrggbb``) of the cells of a table's column by row; white counts as none."""
    sheet = OoxmlSheet(book, block.title)
    colours = {}
    for number in range(block.area.top + 1, block.area.bottom + 1):
        colour = _COLOUR.search(book.styles.xml(sheet.style(number, column), "fill"))
        if colour and colour[1].upper() != b"FFFFFF":
            colours[number] = f"#{colour[1].decode().lower()}"
    return colours


def first_obstacle(book: OoxmlBook, block: TableBlock) -> tuple[int, int] | None:
    """The first cell (row, column) below a table that would be in the way if the table grew by ten rows.

    An Excel table's own totals move down with it and are not in the way.
    """
    rows = book.rows(block.title)
    bottom = block.area.bottom + count_total_rows(book, block)
    for number in range(bottom + 1, bottom + 11):
        for column, cell in sorted(rows.get(number, {}).items()):
            if block.area.left <= column <= block.area.right and plain_text(cell.value):
                return number, column
    return None


def count_total_rows(book: OoxmlBook, block: TableBlock) -> int:
    """How many rows of totals an Excel table has below its rows; 0 for a plain range."""
    table = club_table(book, block.title, block.area)
    return table.totals if table is not None else 0


ENOUGH = 12
"""How much evidence a table needs to be read as a record's."""
EXACT, WORD, BEGINNING, LIKE = 8, 6, 5, 4
"""Evidence of a heading: ours, a club's word, such a word at its beginning, one much like it."""
MOST = 0.8
"""Share of values that must fit before they speak for a column: clubs make typing mistakes."""
LEAST = 0.3
"""Share of values that must fit if the heading speaks for a column."""
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_OF_LANGUAGE = ("article", "gender", "plural", "side", "language")
"""Columns about the grammar of names and the look of the map: only their heading speaks for them."""
_OURS = ("Questions", "Battles", "Dice", "Rules", "Findings")
"""Sheets whose layout belongs to the assistant."""


class ClubTable:
    """A club's table with the content of its columns. `texts`: column -> row -> text; `place`: what an answer calls it.
    """

    def __init__(self, book: OoxmlBook, block: TableBlock, place: str) -> None:
        self.book, self.block, self.place = book, block, place
        self.cells = {i: column_cells(book, block, i) for i in range(block.area.left, block.area.right + 1)
                      if i in block.headings}
        self.texts = {i: {n: plain_text(c.value) for n, c in cells.items() if c.data_type not in "fe"}
                      for i, cells in self.cells.items()}
        self.fills = {i: fill_colours(book, block, i) for i in self.cells}

    def is_numbers(self, column: int) -> bool:
        """Whether a column holds nothing but whole numbers."""
        cells = self.cells[column].values()
        return bool(cells) and all(c.data_type == "n" and isinstance(c.value, int) for c in cells)

    def is_unique(self, column: int, share: float = 1) -> bool:
        """Whether no text of a column stands there twice; `share`: of how many texts that is asked."""
        texts = [text.casefold() for text in self.texts[column].values()]
        return bool(texts) and len(set(texts)) >= share * len(texts)

    def row_texts(self, number: int) -> str:
        """A row as it stands there, for people."""
        return " | ".join(self.texts[i].get(number, "") for i in self.texts).strip(" |")


@dataclass
class TablePick:
    """A club's table read as a record's. `columns`: field -> column; `lessons`: how their values are read; `fills`:
    fields whose values are the colours of a column's cells; `guessed`: fields for which little speaks; `copied`: its
    rows are copied to a sheet of ours, and the club's table is left alone; `made`: rows made of a table that is about
    something else (a list of neighbours is roads).
    """

    record: type[Record]
    block: TableBlock
    columns: dict[str, int] = field(default_factory=dict)
    lessons: dict[str, Lesson] = field(default_factory=dict)
    fills: dict[str, int] = field(default_factory=dict)
    guessed: set[str] = field(default_factory=set)
    score: int = 0
    copied: bool = False
    made: list[dict[str, str]] | None = None

    @property
    def kept(self) -> TableMapping:
        """The mapping that the workbook will remember: the columns that say it as Arbitro would."""
        named = {name: (i, self.block.headings[i]) for name, i in self.columns.items() if self.stays(name)}
        return TableMapping(self.block.title, self.block.area, named)

    def stays(self, name: str) -> bool:
        """Whether the club's own column is the one that counts."""
        return name in self.columns and (name not in self.lessons or self.lessons[name].plain)


def adoptable_records(ruleset: Ruleset) -> list[type[Record]]:
    """The records that a club may keep in a table of its own, and the chronicle, which is copied."""
    base = ("Factions", "Nodes", "Roads", "Armies", "Orders", "Events")
    own = [r for r in ruleset.records if r.sheet in base]
    rest = [r for r in ruleset.records if r.sheet not in base and not (r.single or r.grows or r.quiet or r.apart)
            and any(c.edit == "referee" or c.see != "referee" for c in r.columns()) and r.unique
            and r.sheet not in _OURS]
    return own + rest


def field_headings(record: type[Record], lang: str) -> dict[str, str]:
    """Field -> the word by which the referee may choose it: the headings of a record in a language."""
    if record.sheet == Event.sheet:
        told = next(d for d in DERIVED[Event.sheet] if d.name == WORDED)
        return {"turn": record.column("turn").heading(lang), WORDED: told.it if lang == "it" else told.en}
    return {c.name: c.heading(lang) for c in record.columns()}


def match_table(table: ClubTable, record: type[Record], known: LearntCodes, used: Iterable[str], lang: str,
                forced: Mapping[int, str]) -> TablePick | None:
    """How a table may be read as a record's; None if too little speaks for it.

    `used`: the codes of that record which other tables name; `forced`: column -> field, as the referee said, "" to
    leave it alone.
    """
    pick = TablePick(record, table.block)
    for i, name in forced.items():
        if name:
            pick.columns[name] = i
    evidence = _Evidence(table, record, known, set(used), lang)
    scored = [(score, -order, i, name) for i in table.texts if i not in forced
              for order, name in enumerate(field_headings(record, lang)) if (score := evidence.of(i, name))]
    for score, _, i, name in sorted(scored, key=lambda entry: (-entry[0], -entry[1], entry[2])):
        if name not in pick.columns and i not in pick.columns.values():
            pick.columns[name] = i
            pick.score += score
    if not issubclass(record, Event):
        _take_amount(table, pick)
        _take_first_as_key(table, pick, forced, evidence)
    pick.score += len(forced) * ENOUGH + title_fit(table.block.title, record)
    return pick if _is_whole(pick) and pick.score >= ENOUGH and len(pick.columns) > 1 else None


def _is_whole(pick: TablePick) -> bool:
    """Whether a table has what its record cannot be without: keys, and whose or where a row is."""
    if issubclass(pick.record, Event):
        return WORDED in pick.columns
    if issubclass(pick.record, Order):
        return True
    return all(c.name in pick.columns for c in pick.record.columns()
               if c.key or (c.required and isinstance(c.kind, Ref)))


def _take_amount(table: ClubTable, pick: TablePick) -> None:
    """A table's only column of whole numbers is the record's first amount that club's words have no other name for."""
    names = ("treasury", "resources", "value", "size")
    name = next((c.name for c in pick.record.columns() if c.name in names and isinstance(c.kind, Whole)), "")
    numbers = [i for i in table.texts if i not in pick.columns.values() and table.is_numbers(i)]
    if name and name not in pick.columns and len(numbers) == 1 and all(
            can_read(pick.record.column(name), text) for text in table.texts[numbers[0]].values()):
        pick.columns[name] = numbers[0]
        pick.guessed.add(name)
        pick.score += 2


def _take_first_as_key(table: ClubTable, pick: TablePick, forced: Mapping[int, str], evidence: _Evidence) -> None:
    """Where nothing else speaks for a code, it is the first column that says something else in every row."""
    keys = [c for c in pick.record.columns() if c.key]
    if len(keys) != 1 or keys[0].name in pick.columns or not isinstance(keys[0].kind, Text) or pick.score < ENOUGH:
        return
    if not title_fit(table.block.title, pick.record) or any(
            evidence.heading(i, keys[0].name) >= WORD for i in table.texts):
        return  # a table of something else, or there is such a column and it holds no codes
    rows = max((len(texts) for texts in table.texts.values()), default=0)
    first = next((i for i in table.texts if i not in pick.columns.values() and i not in forced and table.is_unique(i)
                  and len(table.texts[i]) == rows and not is_yes_or_no(table.texts[i].values())), 0)
    if first:
        pick.columns[keys[0].name] = first
        pick.guessed.add(keys[0].name)


class _Evidence:
    """What speaks for it that a column of a table is a field of a record."""

    def __init__(self, table: ClubTable, record: type[Record], known: LearntCodes, used: set[str], lang: str) -> None:
        self.table, self.record, self.known, self.used, self.lang = table, record, known, used, lang
        heads = match_headings(record, dict(table.block.headings))
        self.exact = {(i, name) for name, i in heads.fields.items()}
        self.words = {c.name: list(club_words(record, c, lang)) for c in record.columns()}
        hints = [fold(hint) for c in record.columns() for hint in (c.hint_en, c.hint_it) if hint]
        self.hints = {(c.name, fold(hint)) for c in record.columns() for hint in (c.hint_en, c.hint_it)
                      if hint and hints.count(fold(hint)) == 1}

    def of(self, i: int, name: str) -> int:
        """How much speaks for it, 0 where something speaks against it."""
        if self.record.sheet == Event.sheet:
            return self._of_chronicle(i, name)
        c, head = self.record.column(name), self.heading(i, name)
        texts = list(self.table.texts[i].values())
        if not texts:
            return head if head >= WORD or (isinstance(c.kind, Colour) and self.table.fills[i]) else 0
        value = self._values(c, i, texts, head)
        return 0 if value is None or head + value <= 0 else head + value

    def heading(self, i: int, name: str) -> int:
        """What the heading of a column says for a field."""
        if (i, name) in self.exact:
            return EXACT
        text, words = fold(self.table.block.headings[i]), self.words.get(name, [])
        if text in words:
            return WORD
        if (name, text) in self.hints or text.partition(" ")[0] in words:
            return BEGINNING
        c = self.record.column(name) if not name.startswith("*") else None
        ours = [fold(c.en), fold(c.it)] if c is not None else []
        near = nearest_word(text, [word for word in (*ours, *words) if len(word) > 3])[1] if len(text) > 3 else 0
        return LIKE if near >= VERY_NEAR else 0

    def _of_chronicle(self, i: int, name: str) -> int:
        texts = list(self.table.texts[i].values())
        if name == "turn":
            return self.heading(i, name) if texts else 0
        if not texts or sum(len(text.split()) > 1 for text in texts) < MOST * len(texts):
            return 0
        longest = max(self.table.texts.values(), key=lambda column: sum(map(len, column.values())))
        return WORD if fold(self.table.block.headings[i]) in chronicle_words() else (
            3 if longest is self.table.texts[i] else 0)

    def _values(self, c: Column, i: int, texts: list[str], head: int) -> int | None:
        """What the values add; None where they are against it."""
        kind = c.kind
        if c.name == "mail":
            return 6 if all(_MAIL.search(text) for text in texts) else None
        if isinstance(kind, Colour):
            return self._colours(c, i, texts)
        if isinstance(kind, Flag):
            return 4 if head and is_yes_or_no(texts) else None
        if isinstance(kind, (Whole, Parts)):
            fit = sum(can_read(c, text) for text in texts) / len(texts)
            return 1 if head and fit > 0.5 else None
        if kind.table:
            return self._references(c, kind.table, i, texts, head)
        if isinstance(kind, Choice):
            return self._choices(c, i, texts, head)
        return self._words(c, i, texts, head)

    def _colours(self, c: Column, i: int, texts: list[str]) -> int | None:
        if learn(c, self.table.texts[i], self.known, {}).share >= 0.5:
            return 6
        return 4 if len(set(self.table.fills[i].values())) > 1 else None

    def _references(self, c: Column, sheet: str, i: int, texts: list[str], head: int) -> int | None:
        if sheet not in self.known.words:
            others = any(sum(self.known.names(other, text) for text in texts) >= MOST * len(texts)
                         for other in self.known.words)
            return None if others or not head else 0
        share = sum(self.known.names(sheet, text) or (sheet == Node.sheet and is_capital(text)) for text in texts
                    ) / len(texts)
        if share < LEAST:
            return 0 if head >= EXACT else None
        if not head and (share < MOST or self.table.is_numbers(i)):
            return None
        return round(5 * share)

    def _choices(self, c: Column, i: int, texts: list[str], head: int) -> int | None:
        if c.name in _OF_LANGUAGE or is_yes_or_no(texts):
            return 0 if head >= WORD else None
        fit = sum(can_read(c, text) for text in texts) / len(texts)
        if head:
            fit = max(fit, learn(c, self.table.texts[i], self.known, {}).share)
            return round(4 * fit) if fit >= LEAST else 0 if head >= WORD and not self.table.is_numbers(i) else None
        rivals = [o for o in self.record.columns() if isinstance(o.kind, Choice) and o is not c
                  and o.name not in _OF_LANGUAGE
                  and sum(can_read(o, text) for text in texts) >= MOST * len(texts)]
        return 4 if fit >= MOST and not rivals else None

    def _words(self, c: Column, i: int, texts: list[str], head: int) -> int | None:
        """For a text: names are no numbers and no yes and no; codes are written once, perhaps in a certain way."""
        if not c.key:
            return 0 if head and not is_yes_or_no(texts) and not (
                self.table.is_numbers(i) and "name" in c.name) else None
        alone = self.record.unique and sum(k.key for k in self.record.columns()) == 1
        if alone and not self.table.is_unique(i, MOST if head >= WORD else 1):
            return None
        held = {text.casefold() for text in texts}
        in_use = bool(self.used) and len(self.used & held) >= MOST * len(self.used)
        pattern = c.kind.pattern if isinstance(c.kind, Text) else ""
        mended = bool(pattern) and learn(c, self.table.texts[i], self.known, {}).share >= MOST
        if pattern and not mended and not head:
            return None
        if not (head or in_use or mended):
            return None
        like_codes = all(len(text) <= 6 and " " not in text for text in texts)
        return 2 * like_codes + (6 if in_use else 0) + (6 if mended else 0)
