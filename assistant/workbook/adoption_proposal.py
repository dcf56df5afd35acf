"""Guesses which records the tables of a club's own workbook hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from assistant.campaign.columns import Choice, Codes, Colour, Column, Ref, Text, UnreadableValue, Whole
from assistant.campaign.records import Army, Event, Faction, Node, Order, Road
from assistant.campaign.tables import Record
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.workbook.layout import DERIVED
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import Area, Cell, Rows
from assistant.workbook.ooxml.sheet import OoxmlSheet
from assistant.workbook.read.find_tables import club_table, is_total
from assistant.workbook.read.grid import fold, match_headings, plain_text

# Tables in a club's own sheets.


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
    found: list[TableBlock] = []
    tables = list(book.tables())
    for title, sheet in book.sheets.items():
        if sheet.hidden:
            continue
        rows = book.rows(title)
        mine = [TableBlock(title, t.area._replace(bottom=t.area.bottom - t.totals), _heading_texts(rows, t.area))
                for t in tables if t.sheet == title and t.heads and len(t.columns) > 1]
        loose = [b for b in _plain_ranges(title, rows) if not any(b.area.meets(t.area) for t in mine)]
        found += sorted(mine + loose, key=lambda b: (b.area.top, b.area.left))
    return found


def block_at(book: OoxmlBook, title: str, area: Area) -> TableBlock:
    """The table in an area that somebody named. Raises KeyError if there is no such sheet."""
    return TableBlock(title, area, _heading_texts(book.rows(book.sheets[title].title), area))


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
    found = {}
    for number in range(block.area.top + 1, block.area.bottom + 1):
        colour = _COLOUR.search(book.styles.xml(sheet.style(number, column), "fill"))
        if colour and colour[1].upper() != b"FFFFFF":
            found[number] = f"#{colour[1].decode().lower()}"
    return found


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


# The proposal.
# #
# Three things speak for it: the heading (in either language, or in words that clubs use), the title of the sheet, and
# the content of the cells (codes that other tables use, codes of another table, words of a list, sentences, colours,
# mail addresses, whole numbers). The referee decides; no guess is used before he has seen it.


WORDED = "*worded"
"""The text column of a club's chronicle: not a column of `Event`, but the derived one in which its sheet words it."""
BY_HEADING = N_("its heading says so")
BY_WORD = N_("clubs call it so")
BY_CODES = N_("its values are codes of {sheet}")
BY_USE = N_("its values are the codes that {sheet} names")
BY_CHOICE = N_("its values are words of that list")
BY_SENTENCES = N_("sentences stand there")
BY_COLOUR = N_("colours stand there")
BY_FILL = N_("its cells are coloured")
BY_MAIL = N_("mail addresses stand there")
BY_NUMBERS = N_("the only column of whole numbers")
BY_PATTERN = N_("its values are written like such codes")
BETTER = N_("could be {sheet} too, but {title} fits better")
_ENOUGH = 12
_MOST = 80
"""Percentage of values that must fit before they speak for a column: clubs make typing mistakes."""
_WEIGHT = {BY_HEADING: 8, BY_WORD: 6, BY_USE: 8, BY_CODES: 5, BY_CHOICE: 4, BY_SENTENCES: 3, BY_COLOUR: 6, BY_FILL: 4,
           BY_MAIL: 6, BY_NUMBERS: 2, BY_PATTERN: 6}
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_MONEY = ("gold", "money", "cash", "coins", "funds", "treasury", "chest", "budget", "soldi", "oro", "denaro", "monete",
          "cassa", "ducati", "ducats", "fiorini", "tesoro", "fondi", "saldo", "balance")
_MEN = ("men", "strength", "troops", "force", "soldiers", "size", "points", "value", "uomini", "forza", "truppe",
        "soldati", "effettivi", "consistenza", "punti", "valore")
_AMOUNTS: Mapping[str, tuple[str, ...]] = {Faction.sheet: _MONEY, Army.sheet: (*_MEN, *_MONEY)}
"""Words that clubs use for a table's first column of whole numbers."""
_NATION = ("nation", "side", "team", "power", "realm", "state", "country", "faction", "nazione", "squadra", "fazione",
           "stato", "potenza", "signoria", "schieramento")
_PLAYER = ("player", "players", "club", "association", "giocatore", "giocatori", "circolo", "associazione")
_CODE = ("code", "id", "tag", "short", "abbreviation", "sigla", "codice", "abbreviazione")
_PLACE = ("place", "location", "position", "where", "hex", "square", "space", "node", "luogo", "posizione", "dove",
          "casella", "quadrato", "nodo", "posto", "si trova")
_WORDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    (Faction.sheet, "faction"): _CODE,
    (Faction.sheet, "name"): ("name", "nome", *_NATION),
    (Faction.sheet, "club"): _PLAYER,
    (Faction.sheet, "mail"): ("mail", "e-mail", "email", "address", "posta", "indirizzo", "posta elettronica"),
    (Faction.sheet, "colour"): ("colour", "color", "colore", "tinta"),
    (Node.sheet, "node"): (*_CODE, "no.", "n.", "number", "numero", "hex", "casella", "square", "quadrato"),
    (Node.sheet, "name"): ("name", "nome", "place", "city", "town", "luogo", "città", "località"),
    (Node.sheet, "owner"): ("owner", "held by", "holder", "controlled by", "proprietario", "controllo", "padrone",
                            "di chi", "possesso", "occupato da", *_NATION),
    (Road.sheet, "a"): ("from", "start", "da", "partenza"),
    (Road.sheet, "b"): ("to", "end", "a", "verso", "arrivo"),
    (Road.sheet, "kind"): ("kind", "type", "tipo"),
    (Army.sheet, "army"): ("army", "unit", "force", "armata", "esercito", "unità", *_CODE),
    (Army.sheet, "faction"): ("owner", "commander", "proprietario", "comandante", *_NATION, *_PLAYER),
    (Army.sheet, "node"): _PLACE,
    (Event.sheet, "turn"): ("turn", "year", "date", "when", "month", "turno", "anno", "data", "quando", "mese"),
    (Event.sheet, WORDED): ("event", "what", "what happened", "news", "text", "description", "evento", "che cosa",
                            "cosa", "accaduto", "successo", "che è successo", "cronaca", "notizia", "descrizione",
                            "testo", "fatto", "fatti"),
}
_TITLES: Mapping[str, tuple[str, ...]] = {
    Faction.sheet: ("nations", "players", "teams", "clubs", "sides", "powers", "treasury", "nazioni", "giocatori",
                    "squadre", "circoli", "potenze", "tesoreria", "cassa", "stati"),
    Node.sheet: ("map", "places", "cities", "towns", "mappa", "luoghi", "città", "caselle", "territori"),
    Road.sheet: ("links", "connections", "routes", "collegamenti", "connessioni", "vie", "percorsi"),
    Army.sheet: ("forces", "units", "troops", "army", "forze", "unità", "truppe", "eserciti", "esercito"),
    Event.sheet: ("chronicle", "diary", "log", "news", "history", "eventi", "diario", "notizie", "storia"),
    Order.sheet: ("moves", "mosse"),
}


@dataclass
class Proposal:
    """What one of the club's tables could be. `sheet`: a record's English sheet name, "" to leave it alone; `fields`,
    `why`, `examples`: by column; `remark`: msgid and its parameters.
    """

    block: TableBlock
    sheet: str = ""
    fields: dict[int, str] = field(default_factory=dict)
    why: dict[int, tuple[str, str]] = field(default_factory=dict)
    examples: dict[int, list[str]] = field(default_factory=dict)
    remark: tuple[str, dict[str, str]] = ("", {})

    @property
    def score(self) -> int:
        """How much evidence there is for it."""
        return sum(_WEIGHT[msgid] for msgid, _ in self.why.values())


def adoptable_records(ruleset: Ruleset) -> list[type[Record]]:
    """The records that a club may keep in a table of its own, and the chronicle, which is copied."""
    base = (Faction, Node, Road, Army, Order, Event)
    names = {record.sheet for record in base}
    own = [r for r in ruleset.records if r.sheet in names]
    rest = [r for r in ruleset.records if r.sheet not in names and not r.single and not r.grows and not r.quiet
            and any(c.edit == "referee" or c.see != "referee" for c in r.columns()) and r.unique
            and r.sheet not in _OURS]
    return own + rest


_OURS = ("Questions", "Battles", "Dice", "Rules", "Findings")
"""Sheets whose layout belongs to the assistant."""


def field_headings(record: type[Record], lang: str) -> dict[str, str]:
    """Field -> the words from which the referee chooses: the headings of a record in a language."""
    if record.sheet == Event.sheet:
        told = next(d for d in DERIVED[Event.sheet] if d.name == WORDED)
        return {"turn": record.column("turn").heading(lang), WORDED: told.it if lang == "it" else told.en}
    return {c.name: c.heading(lang) for c in record.columns()}


def propose_tables(book: OoxmlBook, ruleset: Ruleset, lang: str) -> list[Proposal]:
    """A proposal for every table of the workbook that has at least two headings.

    Raises `Damaged`, `Hostile`.
    """
    records = {r.sheet: r for r in adoptable_records(ruleset)}
    every = [_ScannedTable(book, one) for one in find_table_blocks(book)]
    tried = [(one, [_match_headings(one, record, lang) for record in records.values()]) for one in every]
    chosen: list[tuple[_ScannedTable, Proposal]] = []
    for one, several in tried:
        best = max(several, key=lambda p: (p.score + _title_fit(one, records[p.sheet]), -list(records).index(p.sheet)))
        enough = best.score + _title_fit(one, records[best.sheet]) >= _ENOUGH and len(best.fields) > 1
        chosen.append((one, best if enough else Proposal(one.block)))
    _keep_best_per_record(chosen, records)
    _match_by_use(chosen, records, lang)
    _match_references(chosen, records)
    for one, proposal in chosen:
        proposal.examples = one.examples
        if proposal.sheet:
            _match_content(one, proposal, records[proposal.sheet])
    return [proposal for _, proposal in chosen]


class _ScannedTable:
    """A table with the content of its columns."""

    def __init__(self, book: OoxmlBook, block: TableBlock) -> None:
        self.book, self.block = book, block
        self.cells = {i: column_cells(book, block, i) for i in range(block.area.left, block.area.right + 1)
                      if i in block.headings}
        self.texts = {i: [plain_text(c.value) for c in cells.values()] for i, cells in self.cells.items()}
        self.examples = {i: list(dict.fromkeys(texts))[:3] for i, texts in self.texts.items()}

    def whole(self, column: int) -> bool:
        """Whether a column holds nothing but whole numbers."""
        cells = self.cells[column].values()
        return bool(cells) and all(c.data_type == "n" and isinstance(c.value, int) for c in cells)


def _title_fit(one: _ScannedTable, record: type[Record]) -> int:
    title = fold(one.block.title)
    if title in (fold(record.sheet), fold(record.sheet_it)):
        return 8
    return 6 if title in {fold(w) for w in _TITLES.get(record.sheet, ())} else 0


def _match_headings(one: _ScannedTable, record: type[Record], lang: str, known: Proposal | None = None) -> Proposal:
    """Match the headings. `known`: a proposal that other evidence has already suggested; it is completed."""
    found = known or Proposal(one.block, record.sheet)
    allowed = set(field_headings(record, lang))
    heads = match_headings(record, dict(one.block.headings))
    for name, i in heads.fields.items():
        if name in allowed and not (record.sheet == Event.sheet and name != "turn"):
            _assign(found, i, name, BY_HEADING)
    for (sheet, name), words in _WORDS.items():
        if sheet == record.sheet:
            name = f"name_{lang}" if (sheet, name) == (Faction.sheet, "name") else name
            if name in allowed:
                _match_word(one, found, name, words)
    amount = _amount(record)
    if amount and record.sheet in _AMOUNTS:
        _match_word(one, found, amount, _AMOUNTS[record.sheet])
    for c in record.columns():
        if c.key and c.name not in found.fields.values() and isinstance(c.kind, Text) and c.kind.pattern:
            _match_pattern(one, found, c)
    if WORDED in allowed:
        _match_sentences(one, found)
    return found


def _amount(record: type[Record]) -> str:
    return next((c.name for c in record.columns() if isinstance(c.kind, Whole) and not c.key), "")


def _assign(found: Proposal, column: int, name: str, why: str, of: str = "") -> None:
    if column not in found.fields and name not in found.fields.values():
        found.fields[column], found.why[column] = name, (why, of)


def _match_word(one: _ScannedTable, found: Proposal, name: str, words: Iterable[str]) -> None:
    order = [fold(word) for word in words]
    near = [(order.index(fold(text)), i) for i, text in one.block.headings.items()
            if fold(text) in order and i not in found.fields]
    near = near or [(order.index(first), i) for i, text in one.block.headings.items()
                    if i not in found.fields and (first := fold(text).partition(" ")[0]) in order]
    if near:
        _assign(found, min(near)[1], name, BY_WORD)


def _match_pattern(one: _ScannedTable, found: Proposal, c: Column) -> None:
    assert isinstance(c.kind, Text)
    for i, texts in one.texts.items():
        if texts and len(set(texts)) == len(texts) and all(re.fullmatch(c.kind.pattern, t) for t in texts):
            _assign(found, i, c.name, BY_PATTERN)


def _match_sentences(one: _ScannedTable, found: Proposal) -> None:
    """Find the text column of a chronicle: the one with the longest texts, most of them of several words."""
    told = [(sum(map(len, texts)), i) for i, texts in one.texts.items()
            if texts and i not in found.fields and _most_fit(len(t.split()) > 1 for t in texts)]
    if told:
        _assign(found, max(told)[1], WORDED, BY_SENTENCES)


def _most_fit(fits: Iterable[bool]) -> bool:
    seen = list(fits)
    return 100 * sum(seen) >= _MOST * len(seen)


def _keep_best_per_record(chosen: list[tuple[_ScannedTable, Proposal]], records: Mapping[str, type[Record]]) -> None:
    """Keep only the best table for each record; the others say what they could have been."""
    best: dict[str, Proposal] = {}
    for one, p in chosen:
        if p.sheet and (p.sheet not in best or p.score + _title_fit(one, records[p.sheet]) > best[p.sheet].score + max(
                _title_fit(o, records[p.sheet]) for o, q in chosen if q is best[p.sheet])):
            best[p.sheet] = p
    for _, p in chosen:
        if p.sheet and best[p.sheet] is not p:
            p.remark = (BETTER, {"sheet": p.sheet, "title": best[p.sheet].block.title})
            p.sheet, p.fields, p.why = "", {}, {}


def _match_by_use(chosen: list[tuple[_ScannedTable, Proposal]], records: Mapping[str, type[Record]], lang: str) -> None:
    """Find the table, and its column, that holds the codes used by other tables, whatever the club calls it."""
    for sheet, record in records.items():
        keys = [c for c in record.columns() if c.key]
        used, users = _codes_used(chosen, records, sheet)
        if len(keys) != 1 or len(used) < 2:
            continue
        holders = [n for n, (_, p) in enumerate(chosen) if p.sheet == sheet] or [
            n for n, (_, p) in enumerate(chosen) if not p.sheet and not p.remark[0]]
        held = [(_coverage(chosen[n][0].texts[i], used, keys[0]), -n, -i) for n in holders for i in chosen[n][0].texts]
        share, n, i = max(held, default=(0, 0, 0))
        one, p = chosen[-n]
        now = next((column for column, name in p.fields.items() if name == keys[0].name), 0)
        if share < _MOST or (now and _coverage(one.texts[now], used, keys[0]) >= _MOST):
            continue
        found = Proposal(one.block, sheet)
        _assign(found, -i, keys[0].name, BY_USE, users[0])
        chosen[-n] = (one, _match_headings(one, record, lang, found))


def _codes_used(chosen: list[tuple[_ScannedTable, Proposal]], records: Mapping[str, type[Record]], sheet: str
          ) -> tuple[set[str], list[str]]:
    """The codes of a table that columns of other tables name, and the sheets of those tables."""
    used: set[str] = set()
    users: list[str] = []
    for one, p in chosen:
        for i, name in p.fields.items() if p.sheet not in ("", sheet, Event.sheet) else ():
            kind = records[p.sheet].column(name).kind
            if isinstance(kind, Ref) and kind.table == sheet:
                used |= {text.casefold() for text in one.texts[i]}
                users.append(p.sheet)
    return used, users


def _coverage(texts: list[str], used: set[str], key: Column) -> int:
    """The percentage of used codes that a column holds; 0 if a text is repeated or cannot be such a code."""
    held = {text.casefold() for text in texts}
    pattern = key.kind.pattern if isinstance(key.kind, Text) else ""
    if len(held) < len(texts) or (pattern and not all(re.fullmatch(pattern, text) for text in texts)):
        return 0
    return 100 * len(used & held) // len(used)


def _match_references(chosen: list[tuple[_ScannedTable, Proposal]], records: Mapping[str, type[Record]]) -> None:
    """Find columns whose values are all codes of another table."""
    codes: dict[str, set[str]] = {}
    for one, p in chosen:
        keys = [c.name for c in records[p.sheet].columns() if c.key] if p.sheet else []
        if len(keys) == 1:
            codes[p.sheet] = {t.casefold() for i, name in p.fields.items() if name == keys[0] for t in one.texts[i]}
    for one, p in chosen:
        for c in records[p.sheet].columns() if p.sheet else ():
            if not isinstance(c.kind, (Ref, Codes)) or not codes.get(c.kind.table):
                continue
            if c.name in p.fields.values():
                _drop_weaker_word(one, p, c.name, c.kind.table, codes[c.kind.table])
                continue
            for i, texts in one.texts.items():
                known = texts and all(t.casefold() in codes[c.kind.table] for t in texts)
                if known and i not in p.fields and not one.whole(i):
                    _assign(p, i, c.name, BY_CODES, c.kind.table)


def _drop_weaker_word(one: _ScannedTable, p: Proposal, name: str, table: str, known: set[str]) -> None:
    """Replace a column chosen by a club's word by one that holds the codes, if it holds none: a commander is a man."""
    now = next(i for i, field_name in p.fields.items() if field_name == name)
    if p.why[now][0] != BY_WORD or _most_fit(text.casefold() in known for text in one.texts[now]):
        return
    for i, texts in one.texts.items():
        if i not in p.fields and texts and all(text.casefold() in known for text in texts) and not one.whole(i):
            del p.fields[now], p.why[now]
            _assign(p, i, name, BY_CODES, table)
            return


def _match_content(one: _ScannedTable, p: Proposal, record: type[Record]) -> None:
    for c in record.columns():
        for i, texts in one.texts.items():
            if i in p.fields:
                continue
            if isinstance(c.kind, Colour):
                if texts and all(re.fullmatch(c.kind.pattern, t) for t in texts):
                    _assign(p, i, c.name, BY_COLOUR)
                elif len(set(fill_colours(one.book, one.block, i).values())) > 1:
                    _assign(p, i, c.name, BY_FILL)
            elif c.name == "mail" and texts and all(_MAIL.fullmatch(t) for t in texts):
                _assign(p, i, c.name, BY_MAIL)
    _match_choices(one, p, record)
    amount = _amount(record)
    numbers = [i for i in one.texts if i not in p.fields and one.whole(i)]
    if amount and len(numbers) == 1 and record.sheet in _AMOUNTS:
        _assign(p, numbers[0], amount, BY_NUMBERS)


def _match_choices(one: _ScannedTable, p: Proposal, record: type[Record]) -> None:
    """Find columns of words that only one list of the record has, in either language."""
    lists = [c for c in record.columns() if isinstance(c.kind, Choice) and c.name not in p.fields.values()]
    for i, texts in one.texts.items():
        fit = [c for c in lists if texts and _most_fit(_can_read(c, text) for text in texts)]
        if i not in p.fields and len(fit) == 1:
            _assign(p, i, fit[0].name, BY_CHOICE)


def _can_read(c: Column, text: str) -> bool:
    try:
        c.kind.read(text)
    except UnreadableValue:
        return False
    return True
