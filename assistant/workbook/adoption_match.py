"""Finds the tables of a club's sheets, matches their columns, learns the club's words, codes, colours and numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assistant.campaign.columns import (
    NO_WORDS,
    YES_WORDS,
    Choice,
    Codes,
    Colour,
    Column,
    Flag,
    Parts,
    Ref,
    Text,
    UnreadableValue,
    Whole,
)
from assistant.campaign.records import Army, Event, Faction, Node, Order, Road
from assistant.campaign.tables import Record
from assistant.turn.ruleset import Ruleset
from assistant.workbook.layout import DERIVED
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import Area, Cell, Rows
from assistant.workbook.ooxml.sheet import OoxmlSheet
from assistant.workbook.read.find_tables import TableMapping, club_table, is_total
from assistant.workbook.read.grid import fold, match_headings, plain_text
from assistant.workbook.read.load_campaign import spell_code

# --- adoption values ------------------------------------------------------------------------------
# Learns the words of a club: how the values of a column are to be read, its codes, colours and numbers.

WORDED = "*worded"
"""The text column of a club's chronicle: not a column of `Event`, but the derived one in which its sheet words it."""
_MONEY = ("gold", "money", "cash", "coins", "funds", "treasury", "chest", "budget", "soldi", "oro", "denaro", "monete",
          "cassa", "ducati", "ducats", "fiorini", "tesoro", "fondi", "saldo", "balance")
_MEN = ("men", "strength", "troops", "force", "soldiers", "size", "points", "value", "uomini", "forza", "truppe",
        "soldati", "effettivi", "consistenza", "punti", "valore")
_NATION = ("nation", "side", "team", "power", "realm", "state", "country", "faction", "nazione", "squadra", "fazione",
           "stato", "potenza", "signoria", "schieramento", "parte", "regno")
_PLAYER = ("player", "players", "club", "association", "giocatore", "giocatori", "circolo", "associazione",
           "chi gioca", "who plays", "played by")
_CODE = ("code", "cod.", "id", "tag", "short", "abbreviation", "sigla", "codice", "abbreviazione")
_PLACE = ("place", "location", "position", "where", "hex", "square", "space", "node", "luogo", "posizione", "dove",
          "casella", "quadrato", "nodo", "posto", "si trova")
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "club": _PLAYER,
    "player": _PLAYER,
    "mail": ("mail", "e-mail", "email", "address", "posta", "indirizzo", "posta elettronica"),
    "colour": ("colour", "color", "colore", "tinta"),
    "treasury": _MONEY,
    "resources": _MONEY,
    "money": _MONEY,
    "value": (*_MEN, *_MONEY),
    "size": _MEN,
    "strength": _MEN,
    "unit": ("unit", "company", "regiment", "reparto", "unità", "reggimento", "compagnia"),
    "owner": ("owner", "held by", "holder", "controlled by", "proprietario", "controllo", "padrone", "di chi",
              "di chi è", "possesso", "occupato da", "signore", "lord", *_NATION),
    "holder": ("holder", "held by", "owner", "lord", "tenuto da", "di chi", "di chi è", "proprietario", "signore",
               *_NATION),
    "walls": ("walls", "fortifications", "mura", "fortificazioni"),
    "garrison": ("garrison", "presidio", "guarnigione"),
    "port": ("port", "harbour", "porto", "porto?"),
    "site": ("kind", "type", "tipo", "genere"),
    "kind": ("kind", "type", "tipo", "genere"),
    "loyalty": ("loyalty", "lealtà", "fedeltà"),
    "provisions": ("provisions", "food", "supplies", "viveri", "provviste", "vettovaglie"),
    "foot": ("sergeants", "serjeants", "sergenti", "armoured foot"),
    "knights": ("knights", "cavalieri"),
    "bows": ("archers", "bowmen", "arcieri"),
    "commander": ("commander", "captain", "leader", "comandante", "capo", "condottiero"),
    "hits": ("hits", "colpi"),
    "type": ("type", "tipo"),
}
"""By the name of a field, whatever its table."""
_OF_TABLES: Mapping[tuple[str, str], tuple[str, ...]] = {
    (Faction.sheet, "faction"): _CODE,
    (Faction.sheet, "name"): ("name", "nome", *_NATION),
    (Node.sheet, "node"): (*_CODE, "no.", "n.", "number", "numero", "hex", "casella", "square", "quadrato"),
    (Node.sheet, "name"): ("name", "nome", "place", "city", "town", "luogo", "città", "località", "piazza"),
    (Road.sheet, "a"): ("from", "start", "da", "partenza"),
    (Road.sheet, "b"): ("to", "end", "a", "verso", "arrivo"),
    (Army.sheet, "army"): ("army", "unit", "force", "group", "armata", "esercito", "unità", "banda", "gruppo", *_CODE),
    (Event.sheet, "turn"): ("turn", "year", "date", "when", "month", "turno", "anno", "data", "quando", "mese"),
    (Event.sheet, WORDED): ("event", "what", "what happened", "news", "text", "description", "evento", "che cosa",
                            "cosa", "accaduto", "successo", "che è successo", "cronaca", "notizia", "descrizione",
                            "testo", "fatto", "fatti"),
}
_OWNERS = ("owner", "commander", "proprietario", "comandante", "signore", "lord", "di chi", *_NATION, *_PLAYER)
_TITLES: Mapping[str, tuple[str, ...]] = {
    Faction.sheet: ("nations", "players", "teams", "clubs", "sides", "powers", "treasury", "nazioni", "giocatori",
                    "squadre", "circoli", "potenze", "tesoreria", "cassa", "stati", "parti"),
    Node.sheet: ("map", "places", "cities", "towns", "provinces", "mappa", "luoghi", "città", "caselle", "territori",
                 "province"),
    Road.sheet: ("links", "connections", "routes", "collegamenti", "connessioni", "vie", "percorsi"),
    Army.sheet: ("forces", "units", "troops", "army", "bands", "forze", "unità", "truppe", "eserciti", "esercito",
                 "compagnie", "bande"),
    Event.sheet: ("chronicle", "diary", "log", "news", "history", "eventi", "diario", "notizie", "storia"),
    Order.sheet: ("moves", "mosse"),
}
NEIGHBOURS = ("next to", "neighbours", "neighbors", "borders", "adjacent", "joined to", "confina con", "confini",
              "vicini", "confinanti", "collegata a", "collegato a")
"""What clubs call a column that lists the places beside each place."""


def club_words(record: type[Record], c: Column, lang: str) -> Iterator[str]:
    """The words by which clubs call a column, folded; the likeliest first."""
    name = "name" if (record.sheet, c.name) == (Faction.sheet, f"name_{lang}") else c.name
    words = _OF_TABLES.get((record.sheet, name), ())
    if not words and c.name == "faction" and record.sheet != Faction.sheet:
        words = _OWNERS
    if not words and c.name == "node" and not c.key:
        words = _PLACE
    yield from map(fold, words or _FIELDS.get(c.name, ()))


def title_fit(title: str, record: type[Record]) -> int:
    """How much a sheet's title says that it holds a record's rows."""
    whole, first = fold(title), fold(title).partition(" ")[0]
    words = set(map(fold, _TITLES.get(record.sheet, ())))
    if whole in (fold(record.sheet), fold(record.sheet_it)):
        return 8
    return 6 if whole in words else 4 if first in words else 0


COLOURS: Mapping[str, str] = {
    "#00319d": "blue blu", "#6fb3de": "azure azzurro celeste turchino", "#880204": "red rosso",
    "#599767": "green verde", "#ebad1d": "yellow giallo", "#cf740e": "orange arancione arancio",
    "#732e6d": "purple violet viola porpora", "#d97fb0": "pink rosa", "#955a2d": "brown marrone",
    "#1a1a1a": "black nero",
    "#f2f2f2": "white bianco", "#808080": "grey gray grigio", "#b8962e": "gold oro", "#a9b4bf": "silver argento",
    "#128f8b": "teal turquoise turchese", "#5c0b1c": "crimson maroon bordeaux bordò",
}
"""Colours by the words that people have for them."""
_HUES = {word: colour for colour, words in COLOURS.items() for word in words.split()}
_NUMBER = re.compile(r"(?<![\w.,])[+-]?\d{1,3}(?:[.' ]\d{3})+(?![\d.,])|(?<![\w.,])[+-]?\d+(?![\w.,]*\d)")
NEAR, VERY_NEAR = 72, 85
"""How like a word must be to one of a list, of 100, to be proposed for it, and to be taken for it unasked."""
SHORTEST = 4
"""A shorter code is like any other of its length."""
BLANK = ""
"""What is proposed for a value that is like nothing: the cell counts as blank."""


@dataclass
class LearntCodes:
    """The codes of the tables read so far. `words`: sheet -> what a cell may say, folded -> the code; `plain`: those
    that count without being learnt; `seats`: faction -> its capital; `side`: of the column that says on which side a
    faction is, the words of it ("" and () without one).
    """

    words: dict[str, dict[str, str]] = field(default_factory=dict)
    plain: dict[str, dict[str, str]] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    side: tuple[str, tuple[str, ...]] = ("", ())

    def stands_for_side(self, c: Column, text: str) -> bool:
        """Whether a text names the faction whose side a column says."""
        return bool(self.side[0]) and isinstance(c.kind, Choice) and tuple(c.kind.options) == self.side[1] and (
            not can_read(c, text) and self.names(Faction.sheet, text))

    def names(self, sheet: str, text: str) -> bool:
        """Whether a text is a code or a name of a table's row."""
        return text.casefold() in self.words.get(sheet, {}) or bool(spell_code(text, self.words.get(sheet, {})))


@dataclass
class Lesson:
    """How the values of one column are read. `cells`, `texts`: by row, the club's and as the column's kind reads them;
    `learnt`: the club's word -> ours, where they differ; `doubtful`: the words for which ours is only a guess; `sides`:
    row -> the faction whose side is meant, which is known once the factions are complete.
    """

    cells: Mapping[int, str] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    learnt: dict[str, str] = field(default_factory=dict)
    doubtful: list[str] = field(default_factory=list)
    sides: dict[int, str] = field(default_factory=dict)
    share: float = 0.0

    def leave_unread(self) -> None:
        """Let the words for which nothing is known stand as they are, for a finding at their cells."""
        meant = {self.cells[row] for row in self.sides}
        for word in [word for word, ours in self.learnt.items() if ours == BLANK and word not in meant]:
            del self.learnt[word]
        self.texts = {row: text if row in self.sides else text or self.cells[row] for row, text in self.texts.items()}

    def take_sides(self, known: Mapping[str, str]) -> None:
        """Put in the sides of the factions that are meant. `known`: faction -> its side."""
        for row, faction in self.sides.items():
            self.texts[row] = self.learnt[self.cells[row]] = known.get(faction, BLANK)

    @property
    def plain(self) -> bool:
        """Whether the column says it as Arbitro would."""
        return not self.learnt


def can_read(c: Column, text: str) -> bool:
    """Whether a column's kind reads a text."""
    try:
        c.kind.read(text)
    except UnreadableValue:
        return False
    return True


def is_yes_or_no(texts: Iterable[str]) -> bool:
    """Whether texts are nothing but yes and no."""
    return {text.casefold() for text in texts} <= YES_WORDS | NO_WORDS


def learn(c: Column, cells: Mapping[int, str], known: LearntCodes, whose: Mapping[int, str],
          told: Mapping[str, str] | None = None) -> Lesson:
    """Read the values of a column. `cells`, `whose`: texts, and the factions that own them, by row; `told`: what the
    referee said of words (casefolded).
    """
    lesson = Lesson(cells)
    certainly = 0
    for row, text in cells.items():
        words = (f"{text} ({whose.get(row, '')})".casefold(), text.casefold())
        said = next((told[word] for word in words if told and word in told), None)
        if said is None and known.stands_for_side(c, text):
            lesson.sides[row], said = _read_reference(Ref(Faction.sheet), text, known, "")[0], BLANK
        ours, certain = (said, True) if said is not None else _read_word(c, text, known, whose.get(row, ""))
        lesson.texts[row] = ours
        if ours != text:
            lesson.learnt[text] = ours
        if not certain and text not in lesson.doubtful:
            lesson.doubtful.append(text)
        certainly += certain
    lesson.share = certainly / len(cells) if cells else 0.0
    if isinstance(c.kind, Choice) and not c.kind.blank:
        _propose_usual(lesson)
    if isinstance(c.kind, Text) and c.kind.pattern and c.key and lesson.doubtful:
        _number_codes(c.kind, lesson, cells, whose)
    return lesson


def _propose_usual(lesson: Lesson) -> None:
    """For a word that is like none of the list propose the one that is written most often."""
    usual = Counter(text for text in lesson.texts.values() if text != BLANK).most_common(1)
    for row, text in lesson.texts.items():
        if usual and text == BLANK:
            lesson.texts[row] = usual[0][0]
    for word, ours in lesson.learnt.items():
        if usual and ours == BLANK:
            lesson.learnt[word] = usual[0][0]


def _number_codes(kind: Text, lesson: Lesson, cells: Mapping[int, str], whose: Mapping[int, str]) -> None:
    """Codes that cannot be put right are made of their owner's and a number, if the rulebook writes them so."""
    taken = {text for text in lesson.texts.values() if text != BLANK}
    for row, text in cells.items():
        if lesson.texts[row] != BLANK:
            continue
        made = (f"{whose.get(row, '')}-{number}" for number in range(1, len(cells) + 2))
        code = next((code for code in made if re.fullmatch(kind.pattern, code) and code not in taken), BLANK)
        taken.add(code)
        lesson.texts[row] = lesson.learnt[text] = code


def _read_word(c: Column, text: str, known: LearntCodes, whose: str) -> tuple[str, bool]:
    """What a column reads for a text, and whether that is certain."""
    kind = c.kind
    if isinstance(kind, Ref):
        return _read_reference(kind, text, known, whose)
    if isinstance(kind, Codes):
        codes = [_read_reference(Ref(kind.table), part, known, whose) for part in split_codes(text)]
        return " ".join(code for code, _ in codes if code), all(certain for _, certain in codes)
    if can_read(c, text) and text:
        return text, True
    if isinstance(kind, Colour):
        return _read_colour(text)
    if isinstance(kind, Choice):
        return _read_choice(c, kind, text)
    if isinstance(kind, Text) and kind.pattern:
        return _mend_code(kind, text)
    if isinstance(kind, (Whole, Parts)):
        numbers = _NUMBER.findall(text)
        plain = re.sub(r"[.' ]", "", numbers[0]) if len(numbers) == 1 else BLANK
        return (plain, False) if plain and can_read(c, plain) else (BLANK, False)
    return BLANK, False


def split_codes(text: str) -> list[str]:
    """The codes of a list with blanks, commas, semicolons or strokes between them."""
    return [part for part in re.split(r"\s*[,;/]\s*|\s+", text) if part]


def _read_reference(kind: Ref, text: str, known: LearntCodes, whose: str) -> tuple[str, bool]:
    words, plain = known.words.get(kind.table, {}), known.plain.get(kind.table, {})
    if not words or text.casefold() in plain or spell_code(text, plain):
        return text, True
    if text.casefold() in words:
        return words[text.casefold()], True
    if kind.table == Node.sheet and is_capital(text) and known.seats.get(whose):
        return known.seats[whose], False
    if kind.own_finding:
        return text, True
    near, like = nearest_word(text, words) if len(text) >= SHORTEST else ("", 0)
    return (words[near], False) if like >= NEAR else (BLANK, False)


def is_capital(text: str) -> bool:
    """Whether a text means the capital of whoever the row belongs to."""
    return fold(text) in ("capital", "capitale", "home", "seat", "sede")


def _read_colour(text: str) -> tuple[str, bool]:
    words = fold(text).split()
    hue = next((_HUES[word] for word in words if word in _HUES), "")
    if hue:
        return hue, True
    near, like = nearest_word(text, _HUES)
    return (_HUES[near], False) if like >= NEAR else (BLANK, False)


def _read_choice(c: Column, kind: Choice, text: str) -> tuple[str, bool]:
    words = {fold(word): code for code, italian in kind.options.items() for word in (code, italian)}
    words |= {fold(word): code for word, code in kind.also.items()}
    near, like = nearest_word(text, words)
    begun = {code for word, code in words.items() if word.startswith(fold(text)) and len(text) > 2}
    if begun and like < VERY_NEAR:  # "castello" of "castello in pietra"
        return next(code for code in kind.options if code in begun), False
    return (words[near], like >= VERY_NEAR) if like >= NEAR else (BLANK, False)


def _mend_code(kind: Text, text: str) -> tuple[str, bool]:
    """A code as the rulebook writes it: capitals, and a dash where letters meet numbers."""
    bare = re.sub(r"[\s._/-]+", "", text).upper()
    for code in (text.upper(), bare, re.sub(r"(?<=[A-Z])(?=\d)", "-", bare)):
        if re.fullmatch(kind.pattern, code):
            return code, True
    begin = re.sub(r"[^A-Z]", "", bare)[:3]
    return (begin, False) if re.fullmatch(kind.pattern, begin) else (BLANK, False)


def nearest_word(text: str, words: Iterable[str]) -> tuple[str, float]:
    """The word most like a text, and how like it is, of 100; "" and 0 where there is none."""
    from rapidfuzz import fuzz, process

    match = process.extractOne(fold(text), list(words), scorer=fuzz.ratio, processor=fold)
    return (match[0], match[1]) if match is not None else ("", 0.0)


def alike_names(one: str, other: str) -> float:
    """How like two names are, of 100, whatever words one has beside the other's."""
    from rapidfuzz import fuzz
    from rapidfuzz.utils import default_process

    return fuzz.token_set_ratio(one, other, processor=default_process)


def know_rows(known: LearntCodes, sheet: str, rows: Sequence[tuple[str, str, Sequence[str]]]) -> None:
    """Let a table's rows be known. `rows`: the code, what the club writes for it, and its names."""
    plain = known.plain.setdefault(sheet, {})
    words = known.words.setdefault(sheet, {})
    names = Counter(name.casefold() for _, _, held in rows for name in set(held) if name)
    for code, _, held in rows:
        for name in held:
            if names[name.casefold()] == 1:
                plain.setdefault(name.casefold(), code)
    plain.update({code.casefold(): code for code, _, _ in rows})
    words.update(plain)
    words.update({text.casefold(): code for code, text, _ in rows if text and text.casefold() not in plain})


def know_neutrals(known: LearntCodes, neutral: str, words: Iterable[str]) -> None:
    """Let the words for neutral be the faction that owns what nobody does."""
    table = known.words.setdefault(Faction.sheet, {})
    for word in words:
        table.setdefault(word.casefold(), neutral)


# --- adoption match -------------------------------------------------------------------------------
# Finds the tables of a club's sheets, and matches their columns with those of a record: by headings, and by values.

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
        # clubs leave a column without a heading: if it has values, it is no gap between two tables
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
    def mapping(self) -> TableMapping:
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
        self.table, self.record, self.known, self.used = table, record, known, used
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
        return WORD if fold(self.table.block.headings[i]) in map(
            fold, _OF_TABLES[Event.sheet, WORDED]) else (
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
            return 1 if head and 2 * sum(can_read(c, text) for text in texts) > len(texts) else None
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
        if not head and self.table.is_numbers(i):
            return None
        share = sum(self.known.names(sheet, text) or (sheet == Node.sheet and is_capital(text)) for text in texts
                    ) / len(texts)
        if share < LEAST:
            return 0 if head >= EXACT else None
        return round(5 * share) if head or share >= MOST else None

    def _choices(self, c: Column, i: int, texts: list[str], head: int) -> int | None:
        if c.name in _OF_LANGUAGE or is_yes_or_no(texts):
            return 0 if head >= WORD else None
        fit = sum(can_read(c, text) for text in texts) / len(texts)
        if head:
            fit = max(fit, learn(c, self.table.texts[i], self.known, {}).share)
            return round(4 * fit) if fit >= LEAST else 0 if head >= WORD and not self.table.is_numbers(i) else None
        rivals = (o for o in self.record.columns() if isinstance(o.kind, Choice) and o is not c
                  and o.name not in _OF_LANGUAGE
                  and sum(can_read(o, text) for text in texts) >= MOST * len(texts))
        return 4 if fit >= MOST and next(rivals, None) is None else None

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
