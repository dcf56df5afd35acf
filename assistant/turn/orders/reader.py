"""Reads a row of Orders, or a line: in the book's own notation, or as the sentence that it is.

Words stand in any order, names and verbs in any form, numbers in words; small slips are put right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number as read_number
from assistant.campaign.records import CLUBLESS, Event, Faction, FindingRow, Order
from assistant.campaign.tables import natural
from assistant.turn.orders.columns import Kind, Option, Piece
from assistant.turn.orders.divide_line import MOST_WORDS
from assistant.turn.orders.lexicon import ExactLexicon, ExactSentence, SplitSentence
from assistant.turn.orders.phrases import Token, split_words
from assistant.turn.orders.requests import CELLS, Refused, Request, filled_columns
from assistant.turn.orders.row_columns import Code, Path
from assistant.turn.orders.sentences import Layout, LineReading, VerbReader, layout_fields
from assistant.turn.orders.verbs import OrderBook, Verb, is_known, order_line
from assistant.turn.orders.words import LISTS, codes_by_name, fold, strip_marks

LONGEST_VERB = 3
"""Words of the longest verb."""


# --- a line in the book's own notation --------------------------------------------------------------
_LABEL = r"(?:[^\W\d_]{2,}\s+)?A?(\d+)\s*:"
"""The number of an own unit before a colon."""
_NOTE = r"(?i)((?:\s*[,;])?\s+not[ea]\b\s*:?|:)"
"""What stands before the note of a line."""


class NotationReading(NamedTuple):
    """How a line reads in the book's notation: the order, {} where it is none; the verb with which it begins, "" for
    none; and the first word that has no place.
    """

    fields: dict[str, Any]
    verb: str = ""
    unknown: str = ""


def read_notation(book: OrderBook, campaign: Campaign, faction: str, text: str) -> NotationReading:
    """Read a line in the notation that its verb declares. Codes that nobody has stay as they stand, for the order's
    own check. Raises `Refused` (ambiguous).
    """
    lexicon, reading = ExactLexicon(book, campaign, faction), NotationReading({})
    label = re.match(_LABEL, text)
    if label and any(lexicon.codes(record, fold(f"{faction}-{label[1]}")) for record in lexicon.records):
        text = f"{faction}-{label[1]} {text[label.end():]}"
    tokens = split_words(text)
    denied = any(token.folded in LISTS.negations for token in tokens[:1])  # "don't move V-1": no order of the notation
    for at, count, code in _verbs_of_line(book, tokens) if len(tokens) <= MOST_WORDS and not denied else ():
        reader = _NotationReader(ExactSentence(tokens, lexicon, (at, count, code)), book[code])
        if fields := reader.order():
            return NotationReading(fields, code)
        if count and not reading.verb and not 0 <= reader.stuck < at:
            reading = NotationReading({}, code, tokens[reader.stuck].text if reader.stuck > at else "")
    head, colon, note = re.split(_NOTE, text, maxsplit=1) if re.search(_NOTE, text) else (text, "", "")
    if colon and note.strip():
        ordered = read_notation(book, campaign, faction, head)
        if ordered.fields and "note" in {**book[ordered.verb].kinds, **book.anywhere}:
            return NotationReading({**ordered.fields, "note": note.strip()}, ordered.verb)
    return reading


def _verbs_of_line(book: OrderBook, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """The verbs that a line may have: where each stands, of how many words, and its code."""
    phrases = [(at, count, "_".join(token.text for token in tokens[at:at + count])) for at in range(len(tokens))
               for count in range(min(LONGEST_VERB, len(tokens) - at), 0, -1)]
    yield from ((at, count, code) for at, count, phrase in phrases if (code := book.code(phrase)))
    yield from ((at, 0, code) for at, _, phrase in phrases if (code := book.verb_of_option(phrase)[0]))
    if book.bare:
        yield 0, 0, book.bare


class _NotationReader(VerbReader):
    """Tries all ways to lay a line in the book's notation over its verb, and what any line may say besides."""

    sentence: ExactSentence

    def __init__(self, sentence: ExactSentence, verb: Verb) -> None:
        super().__init__(sentence, verb, 0)
        self.book = sentence.lexicon.book
        self.kinds = {**verb.kinds, **{name: kind for name, kind in self.book.anywhere.items()
                                       if name not in verb.kinds}}
        self.names = list(self.kinds)
        self.stuck = -1
        """The place of the last word for which no place was found."""

    def _stand(self, at: int, roles: frozenset[str], layout: Layout, placed: bool) -> None:
        """A line begins with the faction itself, if anything; where a unit stands it does not say."""
        for count, code in self.sentence.rows(0, (Faction,)) if not at else ():
            if code == self.sentence.faction:
                self._step(count, roles, replace(layout, score=layout.score + 2 * count))

    def _says_nothing(self, at: int, placed: bool, layout: Layout) -> bool:
        word = self.sentence.tokens[at].folded
        return (word in self.book.fillers and not self._is_added(at)) or (
            word in LISTS.name_fillers and not placed) or word.strip("_–—") == ""

    def _is_foreign(self, value: Any, kind: Kind) -> bool:
        """Whether it is a code that nothing has there."""
        campaign = self.sentence.campaign
        return bool(kind.tables()) and not any(value in campaign.by_sheet(record.sheet) for record in kind.tables())

    def _is_known(self, at: int) -> bool:
        return bool(self.sentence.verb_words[at]) or any(
            SplitSentence.pieces(self.sentence, at, kind) for kind in self.kinds.values())

    def _skip(self, at: int, roles: frozenset[str], layout: Layout) -> None:
        """Go on with words that nobody knows in a column whose finding quotes them."""
        tokens, end = self.sentence.tokens, at
        self.stuck = max(self.stuck, at)
        while end < len(tokens) and not (tokens[end].folded in LISTS.prepositions or self._is_known(end)
                                         or self._says_nothing(end, False, layout)):
            end += 1
        text = " ".join(token.text for token in tokens[at:end])
        verb_at, count, _ = self.sentence.verb
        quotes = bool(text and count) and (at > verb_at or (at, end) == (0, 1) == (0, verb_at))
        for name, kind in self.kinds.items() if quotes else ():
            if kind.quotes and (name not in layout.columns or kind.takes_several):
                columns = {**layout.columns, name: [*layout.columns.get(name, ()), Piece(text, roles, at)]}
                score = layout.score + self._fit(name, kind, roles, layout)
                self._step(end, frozenset(), replace(layout, columns=columns, score=score))

    def order(self) -> dict[str, Any]:
        """The order that the line is, {} where a word has no place in it."""
        _, count, _ = self.sentence.verb
        best: tuple[int, dict[str, Any]] | None = None
        for layout in self.read():
            fields = layout_fields(self.sentence, self.verb, layout, {}, self.kinds)
            if fields is None or not self._counts(layout):
                continue
            fields |= {name: value for name, kind in self.verb.kinds.items()
                       if name not in fields and (value := kind.value_if_unsaid(self.sentence, fields)) != ""}
            missing = sum(name not in fields for name in self.verb.needed_columns())
            score = layout.score - 10 * missing
            if (not missing or (count and self.book.incomplete)) and (best is None or score > best[0]):
                best = score, fields
        return best[1] if best is not None else {}

    def _counts(self, layout: Layout) -> bool:
        """Whether the line says enough; without a verb it has no number behind a place."""
        numbers, others = ([piece.at for name, pieces in layout.columns.items() for piece in pieces
                            if self.kinds[name].takes("number") is number and not self.kinds[name].takes("unit")]
                           for number in (True, False))
        quoted = [word for name, pieces in layout.columns.items() if self.kinds[name].quotes and (
            self.kinds[name].takes_several) for piece in pieces for word in str(piece.value).split()
            if word.isalpha() and word.islower() and word not in self.sentence.lexicon.words_of_names]
        if len(quoted) > 1 or (not self.sentence.verb[1] and numbers and others and max(numbers) > min(others)):
            return False  # so many words that are no places are a sentence
        return bool(layout.columns) or self.book.incomplete or all(kind.blank for kind in self.verb.kinds.values())


class Understood(NamedTuple):
    """How a line was read: order fields by name, or what could not be understood, and why.

    `more`: further orders of a sentence; `proposals`: what it may mean, where it was not understood; `unknown`: the
    word in it that has no place; `verb`: what it seems to order, and `missing`: the columns of which it says nothing;
    `is_sentence`: it was read as people write, not as the book has it; `is_sure`: everything in it is known;
    `left_out`: what the first proposal says nothing of; `further`: the order that says it.
    """

    fields: Mapping[str, Any] = MappingProxyType({})
    problem: str = ""
    why: Refused | None = None
    more: tuple[Mapping[str, Any], ...] = ()
    proposals: tuple[Mapping[str, Any], ...] = ()
    unknown: str = ""
    verb: str = ""
    missing: tuple[str, ...] = ()
    is_sentence: bool = False
    is_sure: bool = False
    left_out: tuple[str, ...] = ()
    further: Mapping[str, Any] | None = None


def understand(book: OrderBook, campaign: Campaign, faction: str, text: str) -> Understood:
    """Read a line as an order of a faction, in the notation that the verbs declare."""
    try:
        reading = read_notation(book, campaign, faction, text.strip())
    except Refused as why:
        return Understood(problem=text.strip(), why=why)
    return Understood(reading.fields, "" if reading.fields else text.strip(), verb=reading.verb,
                      unknown=reading.unknown)


def combine(book: OrderBook, campaign: Campaign, faction: str, text: str, notation: Understood,
            read_sentence: Callable[[], LineReading]) -> Understood:
    """How a line counts: as the book's notation has it, if it names nothing unknown; else as the sentence that it is;
    else as the notation has it after all, for the finding that says what is wrong. Whoever writes a verb of the book in
    the book's form means no other verb.
    """
    bare = _has_words_for_a_verb(book, notation, text)
    if not bare and notation.fields and is_known(book, campaign, faction, notation.fields):
        return notation._replace(is_sure=True)
    if not bare and names_several(book, campaign, notation):
        return notation
    reading = read_sentence()
    if reading.orders and (bare or reading.orders[0]["verb"] == notation.fields.get("verb", reading.orders[0]["verb"])
                           or _has_unknown_option(book, campaign, faction, notation.fields)
                           or _has_no_code(book, campaign, faction, notation.fields)):
        return Understood(reading.orders[0], more=reading.orders[1:], is_sentence=True, is_sure=True)
    fault = Understood(problem=text.strip(), proposals=reading.proposals, unknown=reading.unknown, verb=reading.verb,
                       missing=reading.missing, left_out=reading.left_out, further=reading.further)
    if notation.fields and not _names_nothing(book, campaign, notation.fields):
        return notation._replace(is_sure=is_known(book, campaign, faction, notation.fields))
    return fault if notation.why is None else fault._replace(why=notation.why, proposals=())


def _has_words_for_a_verb(book: OrderBook, notation: Understood, text: str) -> bool:
    """Whether no verb stands in a line of the notation, but a preposition that may say which is meant: ``Bohun into
    Trowbridge Castle`` is no march.
    """
    words = split_words(text) if notation.fields.get("verb") == book.bare else []
    return any("in" in LISTS.prepositions.get(word.folded, ()) for word in words) and not any(
        book.code(word.folded) for word in words)


def _has_no_code(book: OrderBook, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
    """Whether a word that looks like no code stands for whoever acts and is nobody, or several in the place of one
    code: ``I want to move first`` moves no unit.
    """
    return any((kind.acts or (kind.tables() and not kind.takes_several and " " in str(fields.get(name, ""))))
               and name in fields and not kind.recognises(fields[name], campaign, faction)
               and not re.fullmatch(book.shapes.unit, str(fields[name]))
               for name, kind in book[fields["verb"]].kinds.items()) if fields else False


def _names_nothing(book: OrderBook, campaign: Campaign, fields: Mapping[str, Any]) -> bool:
    """Whether words that look like no code stand for whoever acts and for all that it is about: ``vorremmo muovere per
    ultimi`` names no unit and no way.
    """
    told = [str(fields[name]) for name, kind in book[fields["verb"]].kinds.items()
            if name in fields and (kind.tables() or kind.takes("place"))]
    return len(told) > 1 and not any(re.search(r"[\d-]", word) or any(
        word in table for table in campaign.tables().values()) for text in told for word in text.split())


def _has_unknown_option(book: OrderBook, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
    """Whether a closed list of words lacks what stands in its place: ``order D1 to Stonegate`` gives no new order, so
    that the book's verb is an everyday word there.
    """
    return any(isinstance(kind, Option) and name in fields and not kind.recognises(fields[name], campaign, faction)
               for name, kind in book[fields["verb"]].kinds.items())


def names_several(book: OrderBook, campaign: Campaign, line: Understood) -> bool:
    """Whether a line holds a name that several rows have, which nobody chooses for the club."""
    if line.why is not None:
        return line.why.code == "ambiguous"
    kinds = book[line.fields["verb"]].kinds if line.fields else {}
    return any(len(campaign.derive(codes_by_name, record).get(fold(str(line.fields[name])), ())) > 1
               for name, kind in kinds.items() if name in line.fields for record in kind.spelling_records())


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
    """The open rows of this turn that stand under a word of the column Phase, in the order in which they count.

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
    known = _lines_read(book, campaign, reads) if any(row.text and not row.verb for row in rows) else {}
    # what was made of the tables of a copy holds, as nothing in it changes; for one row it is not worth it
    standing = campaign.copy() if len(rows) > 1 else campaign
    return [read_row(book, standing, row, reads, known) for row in rows]


LinesRead = dict[tuple[str, str], Understood]
"""How lines were read: faction and text -> what it says."""


def _lines_read(book: OrderBook, campaign: Campaign, reads: LineReader | None) -> LinesRead:
    """How lines were read before, while nothing has changed that they could name: several phases, and several judges,
    read the same rows.
    """
    tables = [campaign.common(record.sheet) for record in campaign.records().values()
              if not issubclass(record, (Event, FindingRow))]
    if book.last_read is None or book.last_read[0] != reads or list(map(id, book.last_read[1])) != list(
            map(id, tables)):
        book.last_read = reads, tables, {}
    lines: LinesRead = book.last_read[2]
    return lines


def row_sort_key(row: Order, cells: Iterable[str] = CELLS) -> tuple[Any, ...]:
    """Where a row comes among those of its faction. `cells`: the columns that say something in its book."""
    values = tuple(str(getattr(row, name)) for name in filled_columns(row, cells))
    return (read_number(row.seq) is None, read_number(row.seq) or 0, natural(row.order), values)


def read_row(book: OrderBook, campaign: Campaign, row: Order, reads: LineReader | None = None,
             known: LinesRead | None = None) -> Request:
    """Understand one row, from its columns or, where the verb is blank, from its words.

    `reads`: how the ruleset reads a line (`Ruleset.read`); default: only as the verbs declare; `known`: lines that were
    read before, to which this one is added.
    """
    if not row.verb and row.text:
        got = known.get((row.faction, row.text)) if known is not None else None
        if got is None:
            got = read_text(reads, row.text, campaign, row.faction) if reads is not None else understand(
                book, campaign, row.faction, strip_marks(row.text))
        if known is not None:
            known[row.faction, row.text] = got
        lang = campaign.desk.language
        if got.more:  # a row of the sheet is one order
            lines = "; ".join(order_line(book, campaign, fields, lang) for fields in (got.fields, *got.more))
            return Request(row, "", problem=row.text, why=Refused("two_orders", "text", text=row.text, list=lines))
        if got.problem:
            near = order_line(book, campaign, got.proposals[0], lang) if got.proposals else ""
            return Request(row, "", problem=row.text, why=got.why, near=near)
        cells = dict(got.fields)
    else:
        cells = {name: getattr(row, name) for name in ("verb", *book.cells) if hasattr(row, name)}
    verb = book.code(str(cells.pop("verb", "")))
    kinds = book[verb].kinds if verb else {}
    cells.setdefault("note", getattr(row, "note", ""))
    read = {name: kind.canonical(campaign, value) if value not in ("", None) else kind.read("")
            for name, value in cells.items() for kind in [kinds.get(name) or _UNDECLARED.get(name, PLAIN)]}
    more = {name: read.pop(name, kinds.get(name, PLAIN).read("")) for name in book.cells if name not in CELLS}
    return Request(row, verb, raw=cells, more=more, **read)
