"""Learns the words of a club: how the values of a column are to be read, its codes, colours and numbers."""

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
    Parts,
    Ref,
    Text,
    UnreadableValue,
    Whole,
)
from assistant.campaign.records import Army, Event, Faction, Node, Order, Road
from assistant.campaign.tables import Record
from assistant.workbook.read.grid import fold
from assistant.workbook.read.load_campaign import spell_code

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


def chronicle_words() -> set[str]:
    """The words for what a chronicle tells, folded."""
    return set(map(fold, _OF_TABLES[Event.sheet, WORDED]))


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
