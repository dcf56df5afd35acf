"""Parses orders from rows or lines of words: `V8 F7`, `da V8 a F7`, `MUOVI A-MIL verso Oxford`."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number as read_number
from assistant.campaign.records import CLUBLESS, Faction, Node, Order, names_held
from assistant.campaign.tables import Record, natural
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Code, Kind, Option, OwnUnit, Path, Place, Sort
from assistant.turn.orders.named_columns import NewCode, Person, Route
from assistant.turn.orders.requests import CELLS, Refused, Request, filled_columns
from assistant.turn.orders.verbs import OrderBook, Shapes, Verb
from assistant.turn.orders.words import LONGEST_NAME, WordIndex, canonical_code, codes_by_name, fold, strip_marks

# Lines for books whose orders name rows as people do: ``MUOVI A-MIL verso Oxford``, ``PROMETTI 12 a M-WE1 con A-ROB``.
#
# Codes and names of rows go to the column that takes such rows, or to the one that the word before them indicates, or
# to the next free one; any other word goes to the first column that accepts it (`Kind.piece`).


LEAD_IN = {**dict.fromkeys(("con", "with", "by"), "with"), **dict.fromkeys(("da", "dal", "dalla", "from"), "from"),
           **dict.fromkeys(("a", "ad", "al", "alla", "to", "into", "at"), "to")}
"""What the words before a row say of it; after `with` comes the unit."""
TOWARDS = ("verso", "towards", "toward")
LONGEST_SPOKEN = 5
"""Words of the longest name."""
DIGITS = 9


@dataclass
class _SpokenLine:
    """One line as far as it is read."""

    book: OrderBook
    verb: Verb
    campaign: Campaign
    fields: dict[str, str]

    @cached_property
    def known(self) -> dict[str, tuple[str, type[Record] | None]]:
        """What may be named: names, then codes -> the row's code and its table; a name that two rows of one table have
        stays as it is, for the column to say so.
        """
        tables = dict.fromkeys(record for verb in self.book.values() for kind in verb.kinds.values()
                               for record in kind.tables())
        rows = [(row, record) for record in tables for row in self.campaign.by_sheet(record.sheet)]
        named: dict[str, tuple[str, type[Record] | None]] = {}
        for row, record in rows:
            for name in names_held(row):
                ident, other = named.get(name, (row.ident, record))
                named[name] = (row.ident if other is not record or ident == row.ident else name, record)
        return named | {row.ident: (row.ident, record) for row, record in rows if row.ident}

    @cached_property
    def folded(self) -> dict[str, tuple[str, type[Record] | None]]:
        """The same by folded words."""
        return {fold(name): meant for name, meant in self.known.items()}

    def on_its_way(self) -> Route | None:
        """The column of the unit's way, if that may come next."""
        way = self.verb.kinds.get("path")
        return way if isinstance(way, Route) and "unit" in self.fields and "path" not in self.fields else None

    def add(self, name: str, said: str) -> int:
        """Write into a column, behind what stands there."""
        self.fields[name] = f"{self.fields.get(name, '')} {said}".strip()
        return 1

    def row(self, words: list[str], lead_in: str) -> int:
        """A row at the beginning of the words; how many words it took."""
        kinds = self.verb.kinds
        men, target = kinds.get("men", Kind()), kinds.get("target", Kind())
        for count in range(min(LONGEST_SPOKEN, len(words)), 0, -1):
            phrase = " ".join(words[:count])
            ident, record = self.folded.get(fold(phrase), ("", None))
            if not ident and count == 1 and re.fullmatch(self.book.shapes.unit, phrase) and not (
                    "unit" in self.fields and ("target" in self.fields or "path" in kinds)):
                ident = phrase  # one that is not there yet, or is misspelt: the check will say
            takers = [name for name in ("unit", "target", "choice") if name in kinds and record in kinds[name].tables()]
            if men.piece(phrase) and not any(name in takers and name not in self.fields and not isinstance(
                    kinds[name], NewCode) for name in ("unit", "target")):
                ident, takers = (ident, ["target"]) if men.piece(target.like) else ("", [])
            if ident:
                self._put(ident, lead_in, takers)
                return count
        return 0

    def _put(self, ident: str, lead_in: str, takers: list[str]) -> None:
        """Give a row its column. Raises `Refused` where there is none left."""
        kinds, fields = self.verb.kinds, self.fields
        if lead_in and lead_in in ("with", kinds["unit"].lead_in):
            if "unit" in fields:
                fields.setdefault("target", fields["unit"])
            fields["unit"] = ident
            return
        turns = ["target", "unit"] if lead_in and self.verb.columns[1:2] == ("target",) else ["unit", "target"]
        free = [name for name in [*(takers if len(takers) == 1 else []), *turns] if name not in fields]
        if not free and not ("choice" in kinds and kinds["choice"].takes("unit")):
            raise self.astray(ident)
        self.add(free[0] if free else "choice", ident)

    def piece(self, word: str) -> int:
        """A word that a column takes, a number only where nothing else does; whether there is one."""
        columns = [*self.verb.kinds.items(), *self.book.anywhere.items()]
        for name, kind in sorted(columns, key=lambda column: column[1].takes("number")):
            said = kind.piece(word)
            if said and not (name in self.fields and kind.takes("number")):
                return self.add(name, said)
        return 0

    def astray(self, word: str) -> Refused:
        """A word that has no place in the order."""
        return Refused("no_such_place", "text", word=word, near=nearest(word, self.known))


def _count_place_words(way: Route, campaign: Campaign, words: list[str]) -> int:
    return next((count for count in range(len(words), 0, -1) if way.is_rest(campaign, " ".join(words[:count]))), 0)


def parse_spoken_line(book: OrderBook, campaign: Campaign, text: str) -> dict[str, Any]:
    """The fields of the order, {} for a line without a verb. Raises `Refused` for a word that has no place in it."""
    first, *words = [word.strip(",;:") for word in re.split(r"(?:\s|->|→|>)+", text.strip())]
    verb = book.get(book.code(first))
    if verb is None:
        return {}
    line, lead_in = _SpokenLine(book, verb, campaign, {}), ""
    words = [word for word in words if word]
    while words:
        folded, way = fold(words[0]), line.on_its_way()
        if way is not None and (folded in TOWARDS or LEAD_IN.get(folded) == "to"):
            count = _count_place_words(way, campaign, words[1:]) or len(words)
            line.add("path", " ".join(words[1:1 + count]))
            words = words[1 + count:]
            continue
        if folded in LEAD_IN and line.folded.get(folded, ("",))[0] != words[0]:
            lead_in, words = LEAD_IN[folded], words[1:]
            continue
        if way is not None and (count := _count_place_words(way, campaign, words)):
            line.add("path", " ".join(words[:count]))
            words, lead_in = words[count:], ""
            continue
        used = line.row(words, lead_in) or line.piece(words[0]) or int(folded in book.fillers)
        if not used and "path" in verb.kinds and "unit" in line.fields:
            used = line.add("path", words[0])  # a hex or a place: the check will say that there is none such
        if not used:
            raise line.astray(words[0])
        words, lead_in = words[used:], ""
    fields: dict[str, Any] = {"verb": verb.en, **{name: said for name, said in line.fields.items() if said}}
    amount = line.fields.get("amount", "")
    return {**fields, "amount": int(amount)} if amount.isdecimal() and len(amount) <= DIGITS else fields


# Lines for all other books: ``V8 F7``, ``120 V8 F7``, ``da V8 a F7``, ``allea P passo 1502: ...``.
#
# The columns of the verb say which piece of the line goes where. With a piece too many or too few, or an unknown word,
# the line is not understood: nothing is guessed. Unknown codes are kept for the order's own check.


_WORD_ENDS = re.compile(r"[\s.'’-]*[^\s,;:>→]+")
LONGEST = 3
"""Words of the longest phrase that is one word of the book (``come out``)."""


@dataclass(frozen=True)
class Understood:
    """How a line of shorthand was read: order fields by name, or what could not be understood, and why."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    why: Refused | None = None


@dataclass(frozen=True)
class KnownCodes:
    """The codes that a line may name, in capitals, who writes it, and where that faction's units stand: code -> place;
    and what places and factions are called, folded -> their codes.
    """

    places: Container[str]
    units: Container[str] = ()
    factions: Container[str] = ()
    faction: str = ""
    at: Mapping[str, str] = field(default_factory=dict)
    place_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    faction_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class _NotUnderstood(Exception):
    """The line says something that has no place in an order."""


@dataclass
class _LinePieces:
    """The pieces of a line, by sort, in the order in which they stand."""

    verb: Verb | None = None
    options: dict[str, str] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def takes(self, sort: Sort) -> bool:
        """Whether the verb has a column for a piece of that sort."""
        return self.verb is not None and any(kind.takes(sort) for kind in self.verb.kinds.values())


def understand(book: OrderBook, campaign: Campaign, faction: str, text: str,
               known: dict[str, KnownCodes] | None = None) -> Understood:
    """Read a line as an order of a faction.

    `known`: the codes that lines may name, by faction, kept for the next line.
    """
    if book.anywhere:
        try:
            fields = parse_spoken_line(book, campaign, text)
        except Refused as why:
            return Understood(problem=text.strip(), why=why)
        return Understood(fields, "" if fields else text.strip())
    codes = {} if known is None else known
    if faction not in codes:
        codes[faction] = known_codes(book, campaign, faction)
    read = read_line(book, text, codes[faction])
    return Understood(_spell_codes(book, campaign, read.fields), read.problem)


def _spell_codes(book: OrderBook, campaign: Campaign, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with codes as their tables spell them."""
    kinds = book[fields["verb"]].kinds if fields else {}
    spelled = dict(fields)
    for name, kind in kinds.items():
        if isinstance(fields.get(name), str):
            words = fields[name].split() if isinstance(kind, Path) else [fields[name]]
            spelled[name] = " ".join(canonical_code(campaign, kind.spelled_by(), word) for word in words)
    return spelled


def known_codes(book: OrderBook, campaign: Campaign, faction: str) -> KnownCodes:
    """The codes of a campaign, and the stations of a faction's units."""
    records = {kind.record.sheet for verb in book.values() for kind in verb.kinds.values()
               if isinstance(kind, (OwnUnit, Person))}
    rows = [row for sheet in sorted(records) for row in campaign.by_sheet(sheet)]
    places = {code.upper() for code in campaign.table(Node).keys_in_file_order()}
    return KnownCodes(places, {row.ident.upper() for row in rows}, campaign.table(Faction), faction,
                 {row.ident.upper(): row.node for row in rows if row.faction == faction and hasattr(row, "node")},
                 campaign.made_of(codes_by_name, Node), campaign.made_of(codes_by_name, Faction))


def read_line(book: OrderBook, text: str, known: KnownCodes) -> Understood:
    """The fields of the order (verb and columns as codes, an amount that is a number as an int), or the problem: the
    line as it stands.
    """
    try:
        label, rest, note = _split_line(book, text.strip(), known)
        line = _read_pieces(book, rest, known)
        if label:
            line.units.insert(0, label)
        return Understood(_order_fields(book, line, note, known.at))
    except _NotUnderstood:
        return Understood(problem=text.strip())


@lru_cache(maxsize=8)
def _pieces(shapes: Shapes) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<unit>(?<![^\W_]){shapes.unit}(?!\w))"
        rf"|(?P<place>{shapes.place}(?!\w))"
        r"|(?P<number>(?<!\S)[+-]?\d+(?:[.,]\d+)?(?!\w)|\d+(?!\w))"
        r"|(?P<word>[^\W\d_]+(?:[_'’][^\W\d_]+)*)"
        r"|(?P<gap>\s+|[,;.>→–—-]+)"
        r"|(?P<other>.)")


def _split_line(book: OrderBook, text: str, known: KnownCodes) -> tuple[str, str, str]:
    """A label before a colon (``A1:``), the order itself, a note after a colon."""
    head, colon, tail = text.partition(":")
    if not colon:
        return "", text, ""
    left = [(m.lastgroup, m[0]) for m in _pieces(book.shapes).finditer(head)
            if m.lastgroup != "gap" and fold(m[0]) not in book.fillers]
    if len(left) == 1:
        sort, piece = left[0]
        code = piece.upper()
        number = re.fullmatch(r"A?(\d+)", code)
        if sort == "unit":
            return code, tail, ""
        if sort == "place" and code in known.places:
            return "", f"{head} {tail}", ""
        if sort in ("place", "number"):
            return (f"{known.faction}-{number[1]}" if number and known.faction else code), tail, ""
    return "", head, tail.strip()


def _read_pieces(book: OrderBook, text: str, known: KnownCodes) -> _LinePieces:
    line = _LinePieces()
    words: list[str] = []
    named_until = 0
    for match in _pieces(book.shapes).finditer(text):
        sort, piece = match.lastgroup, match[0]
        if match.start() < named_until:
            continue
        if sort != "gap" and (name := _longest_name(text, match.start(), match.end(), known)):
            _sort_words(book, line, words, known)
            words = []
            if _take_name(book, line, name, known):
                named_until = match.start() + len(name)
                continue
        if sort == "word" and piece.upper() in known.units:
            sort = "unit"
        elif sort == "word" and piece.upper() not in known.places:
            words.append(piece)
            continue
        elif sort == "place" and piece.upper() in known.units and piece.upper() not in known.places:
            sort = "unit"
        if sort == "gap":
            continue
        _sort_words(book, line, words, known)
        words = []
        if sort == "unit":
            line.units.append(piece.upper())
        elif sort == "number":
            if line.places and line.verb is None:
                raise _NotUnderstood(piece)
            line.numbers.append(piece)
        elif sort == "other":
            raise _NotUnderstood(piece)
        elif not line.places or line.places[-1] != piece.upper():
            line.places.append(piece.upper())
    _sort_words(book, line, words, known)
    return line


def _longest_name(text: str, start: int, end: int, known: KnownCodes) -> str:
    """The longest name of a place or faction that begins with a piece, as it stands in the line; "" for none, and
    where the piece alone is a code.
    """
    ends = [end, *(end + match.end() for match in _WORD_ENDS.finditer(text[end:]))][:LONGEST_NAME]
    for stop in reversed(ends):
        said = text[start:stop]
        if stop == end and (said.upper() in known.places or said.upper() in known.units or said in known.factions):
            return ""
        if fold(said) in known.place_names or fold(said) in known.faction_names:
            return said
    return ""


def _take_name(book: OrderBook, line: _LinePieces, name: str, known: KnownCodes) -> bool:
    """Put what is called by its name into the line; not where the verb, an option or a filler begins like that.

    A name that several have stays as it is, for the column to say so. Raises `_NotUnderstood` for the name of a place
    and of a faction where either may be meant.
    """
    words = re.findall(r"[^\W\d_]+(?:[_'’][^\W\d_]+)*", name)
    if any(_is_book_word(book, line, "_".join(words[:n])) for n in range(1, min(LONGEST, len(words)) + 1)):
        return False
    places, factions = known.place_names.get(fold(name), ()), known.faction_names.get(fold(name), ())
    if factions and not line.takes("faction"):
        factions = ()
    if places and factions and not line.takes("place"):
        places = ()
    if places and factions:
        raise _NotUnderstood(name)
    if not places and not factions:
        return False
    said = places or factions
    (line.places if places else line.words).append(said[0] if len(said) == 1 else fold(name))
    return True


def _is_book_word(book: OrderBook, line: _LinePieces, phrase: str) -> bool:
    """Whether words are a verb, an option or a filler where they stand in the line."""
    if line.verb is None and (book.code(phrase) or book.opened_by(phrase)[0]):
        return True
    kinds = line.verb.kinds.items() if line.verb is not None else ()
    return fold(phrase) in book.fillers or any(
        isinstance(kind, Option) and name not in line.options and kind.code(phrase) != "" for name, kind in kinds)


def _sort_words(book: OrderBook, line: _LinePieces, words: list[str], known: KnownCodes) -> None:
    """Sort neighbouring words into verb, option, filler and codes; the longest phrase wins."""
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + LONGEST), start, -1):
            if _sort_phrase(book, line, words[start:end], known):
                start = end
                break
        else:
            raise _NotUnderstood(words[start])


def _sort_phrase(book: OrderBook, line: _LinePieces, words: list[str], known: KnownCodes) -> bool:
    """Give a phrase its place in the line; whether it has one."""
    phrase = "_".join(words)
    if len(words) == 1 and words[0] in known.factions and (line.verb is not None or words[0].isupper()):
        line.words.append(words[0])
        return True
    if _option(line, phrase):
        return True
    if line.verb is None:
        code = book.code(phrase)
        if code:
            line.verb = book[code]
            return True
        verb, column, option = book.opened_by(phrase)
        if verb:
            line.verb, line.options[column] = book[verb], option
            return True
    if len(words) > 1:
        return False
    stands_for = _unit_word(line, phrase)
    if stands_for:
        line.units.append(stands_for)
    elif fold(phrase) not in book.fillers:
        if not line.takes("faction"):
            return False
        line.words.append(phrase.upper())
    return True


def _option(line: _LinePieces, phrase: str) -> bool:
    for name, kind in line.verb.kinds.items() if line.verb is not None else ():
        if isinstance(kind, Option) and name not in line.options and kind.code(phrase):
            line.options[name] = kind.code(phrase)
            return True
    return False


def _unit_word(line: _LinePieces, phrase: str) -> str:
    kinds = line.verb.kinds.values() if line.verb is not None else ()
    codes = (WordIndex(kind.or_words).code(phrase) for kind in kinds if isinstance(kind, OwnUnit))
    return next(filter(None, codes), "")


def _order_fields(book: OrderBook, line: _LinePieces, note: str, at: Mapping[str, str]) -> dict[str, Any]:
    """The fields of the order. Raises `_NotUnderstood` for a piece too many or too few."""
    verb = line.verb or book.get(book.bare)
    if verb is None:
        raise _NotUnderstood("")
    order: dict[str, Any] = {"verb": verb.en, **line.options}
    if line.numbers:
        typed = line.numbers[0]
        order[_single_column(verb, order, "number", line.numbers)] = (
            int(typed) if re.fullmatch(r"[+-]?\d+", typed) else typed
        )
    if line.words:
        order[_single_column(verb, order, "faction", line.words)] = line.words[0]
    _assign_units(verb, order, line.units)
    path = next((name for name, kind in verb.kinds.items() if isinstance(kind, Path)), "")
    if path:
        order[path] = _join_path(verb.kinds[path], line.places, order.get("unit", ""), at)
    elif line.places:
        _assign_places(verb, order, line.places)
    for name, kind in verb.kinds.items():
        if isinstance(kind, Code) and kind.where_unit_is:
            order.setdefault(name, at.get(order.get("unit", ""), ""))
    if note:
        order["note"] = note
    order = {name: value for name, value in order.items() if value != ""}
    if any(name not in order for name in verb.needed()) or (verb.kinds and not order.keys() - {"verb", "note"}):
        raise _NotUnderstood(verb.en)
    return order


def _free_columns(verb: Verb, order: Mapping[str, Any], sort: Sort) -> list[tuple[str, Kind]]:
    return [(name, kind) for name, kind in verb.kinds.items() if name not in order and kind.takes(sort)]


def _single_column(verb: Verb, order: Mapping[str, Any], sort: Sort, pieces: list[str]) -> str:
    """The column for the one piece of a sort. Raises `_NotUnderstood` where there are several, or no column for it."""
    free = _free_columns(verb, order, sort)
    if len(pieces) > 1 or not free:
        raise _NotUnderstood(pieces[-1])
    return free[0][0]


def _assign_units(verb: Verb, order: dict[str, Any], units: list[str]) -> None:
    """Put the units in, in turn; where there are fewer than columns, each where a code of its look belongs.

    A verb that has no column for a unit may still be told who does it.
    """
    free = _free_columns(verb, order, "unit") or [("unit", OwnUnit(Node))]
    if len(units) > len(free):
        raise _NotUnderstood(units[-1])
    for number, unit in enumerate(units):
        fit = [name for name, kind in free if not isinstance(kind, Code) or re.fullmatch(kind.pattern or ".*", unit)]
        name = next((one for one in fit if one not in order), "") if len(units) < len(free) else ""
        order[name or free[number][0]] = unit


def _assign_places(verb: Verb, order: dict[str, Any], places: list[str]) -> None:
    """Put the places in; several only where the verb has a column `Place` for each of them, in turn."""
    free = [name for name, kind in _free_columns(verb, order, "place") if isinstance(kind, Place)]
    if 1 < len(places) <= len(free):
        order.update(zip(free, places, strict=False))
    else:
        order[_single_column(verb, order, "place", places)] = places[0]


def _join_path(kind: Kind, places: list[str], unit: str, at: Mapping[str, str]) -> str:
    """Two places or more; where the unit is named the start may be left out, if the column says so."""
    short = isinstance(kind, Path) and kind.from_unit and unit != ""
    if short and len(places) == 1 and at.get(unit, places[0]) != places[0]:
        places = [at[unit], *places]
    if len(places) < (1 if short else 2):
        raise _NotUnderstood(" ".join(places))
    return " ".join(places)


# The rows of Orders that a phase reads, as requests, in the order in which they count.
#
# It is the same for all rulebooks: faction by faction in the book's order, those without a club last; within a faction
# by the column No., rows without a number last; then by the order's code, or by content if there is none. The position
# of a row on its sheet never matters.


LineReader = Callable[[str, Campaign, str], Understood]
"""How a ruleset reads a line, where it has a way of its own (`Ruleset.understand`)."""
PLAIN, _CODE = Kind(), Code(())
_UNDECLARED = {"path": Path(), "unit": _CODE, "target": _CODE, "partner": _CODE}
"""How columns are read that the verb has no use for; another column may still look there for where a unit stands."""


def read_text(reads: LineReader, text: str, campaign: Campaign, faction: str) -> Understood:
    """Read a line as somebody sent or typed it, by a ruleset's own way, without a list's mark and what surrounds it."""
    return reads(strip_marks(text), campaign, faction)


def rows_of(book: OrderBook, campaign: Campaign, word: str, reads: LineReader | None = None) -> list[Request]:
    """The open rows of this turn that stand under a word of the column For, in the order in which they count.

    Rows in which nothing stands, and rows of nobody, are left out.
    """
    factions = {row.faction: (row.role in CLUBLESS, place) for place, row in enumerate(campaign.table(Faction))}
    rows = campaign.table(Order).of_turn(
        campaign.desk.turn,
        lambda row: (
            row.phase.lower() == word
            and not row.status
            and row.faction in factions
            and any(filled_columns(row, book.cells))
        ),
    )
    rows.sort(key=lambda row: (factions[row.faction], *row_sort_key(row, book.cells)))
    known: dict[str, KnownCodes] = {}
    return [read_row(book, campaign, row, known, reads) for row in rows]


def row_sort_key(row: Order, cells: Iterable[str] = CELLS) -> tuple[Any, ...]:
    """Where a row comes among those of its faction. `cells`: the columns that say something in its book."""
    said = tuple(str(getattr(row, name)) for name in filled_columns(row, cells))
    return (read_number(row.seq) is None, read_number(row.seq) or 0, natural(row.order), said)


def read_row(book: OrderBook, campaign: Campaign, row: Order, known: dict[str, KnownCodes] | None = None,
             reads: LineReader | None = None) -> Request:
    """Understand one row, from its columns or, where the verb is blank, from its words.

    `known`: codes that a faction's lines may name, by faction, as they are found; `reads`: the ruleset's own way.
    """
    if not row.verb and row.text:
        got = read_text(reads, row.text, campaign, row.faction) if reads is not None else understand(
            book, campaign, row.faction, strip_marks(row.text), {} if known is None else known)
        if got.problem:
            return Request(row, "", problem=row.text, why=got.why)
        cells = dict(got.fields)
    else:
        cells = {name: getattr(row, name) for name in ("verb", *book.cells) if hasattr(row, name)}
    verb = book.code(str(cells.pop("verb", "")))
    kinds = book[verb].kinds if verb else {}
    cells.setdefault("note", getattr(row, "note", ""))
    read = {name: (kinds.get(name) or _UNDECLARED.get(name, PLAIN)).understood(campaign, value)
            for name, value in cells.items()}
    more = {name: read.pop(name, kinds.get(name, PLAIN).read("")) for name in book.cells if name not in CELLS}
    return Request(row, verb, raw=cells, more=more, **read)
