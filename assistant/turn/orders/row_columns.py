"""Columns that name rows of the campaign: a faction's own unit, places and ways, factions, people, new codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Square
from assistant.campaign.records import OWNERLESS, Army, Faction, Node
from assistant.campaign.tables import Record
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import (
    Kind,
    Piece,
    Sentence,
    Sort,
    nearest_first,
    neighbours,
    place_of_order,
    place_of_unit,
)
from assistant.turn.orders.phrases import PhraseIndex
from assistant.turn.orders.requests import HasGame, Refused, Request
from assistant.turn.orders.words import (
    LISTS,
    WordIndex,
    drop_repeats,
    find_row,
    fold,
    parse_way,
    place_code,
    resolve_name,
    resolve_place,
    split_way,
    uses_squares,
)
from assistant.turn.texts import N_


@dataclass(eq=False, repr=False)
class Code(Kind):
    """A code of one of several tables, which only the deed can judge. `where_unit_is`: left out, it is the place of the
    row's unit; `of_others`: what is meant belongs to somebody else.
    """

    records: tuple[type[Record], ...]
    where_unit_is: bool = False
    of_others: bool = False
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("a code (sheet {sheets})")

    def takes(self, sort: Sort) -> bool:
        """A place where there are places among its tables, and so on."""
        return sort in {"place" if issubclass(record, Node) else "faction" if issubclass(record, Faction) else "unit"
                        for record in self.records}

    @property
    def acts(self) -> bool:
        """Where it can be nothing but a unit of its own."""
        return self.takes("unit") and not self.takes("place") and not self.of_others

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Also where the unit says it."""
        return (self.blank or self.where_unit_is) and not self.needed

    def value_if_unsaid(self, sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The place of the unit, where it is declared so."""
        return place_of_unit(sentence.campaign, fields, sentence.faction) if self.where_unit_is else ""

    def fits(self, row: Any, faction: str) -> bool:
        """Its own, or that of others where it is theirs that is meant; any place."""
        return isinstance(row, Node) or Kind.fits(self, row, faction) is not self.of_others

    def read(self, raw: Any) -> str:
        """In capitals; where it can be nothing else than a square, as squares are written."""
        word = str(raw or "").strip().upper()
        return str(Square().read(word)) if self.records and all(map(uses_squares, self.records)) else word

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """Places and factions also by their names."""
        code = super().canonical(campaign, raw)
        return resolve_name(campaign, [record for record in self.records if issubclass(record, (Node, Faction))], code)

@dataclass(eq=False, repr=False, kw_only=True)
class Partner(Kind):
    """Another faction that can be dealt with."""

    quotes: bool = True
    sorts: ClassVar[tuple[Sort, ...]] = ("faction",)
    told: ClassVar[str] = N_("another faction")
    faults: ClassVar[tuple[str, ...]] = ("no_such_partner",)
    record: ClassVar[type[Record]] = Faction

    def fits(self, row: Any, faction: str) -> bool:
        """Another one that acts for itself."""
        return row.faction != faction and row.role not in OWNERLESS

    def read(self, raw: Any) -> str:
        """In capitals."""
        return str(raw or "").strip().upper()

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """Also by its name."""
        return resolve_name(campaign, self.tables(), super().canonical(campaign, raw))

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        if self.blank and not word:
            return None
        row = board.game.campaign.table(Faction).get(word)
        if row is None or row.role in OWNERLESS or row.faction == request.faction:
            raise Refused("no_such_partner", name, word=word)
        return row

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Factions neither come nor go."""
        self._meaning(board, request, name)


@dataclass(eq=False, repr=False, kw_only=True)
class Place(Kind):
    """A place of the map, by its code or, unless `names` says no, by its name; `record`: the ruleset's own, where that
    says how its codes are written (squares).
    """

    names: bool = True
    record: type[Record] = Node
    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    told: ClassVar[str] = N_("a place")
    faults: ClassVar[tuple[str, ...]] = ("no_such_place",)

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Where it names no unit, own places first; none that another column names."""
        rows = nearest_first(campaign, faction, fields, campaign.by_sheet(self.record.sheet))
        return (row.ident for row in rows if row.ident not in fields.values())

    def read(self, raw: Any) -> str:
        """In capitals."""
        return place_code(str(raw or "").strip(), self.record)

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """Also by its name."""
        code = super().canonical(campaign, raw)
        return resolve_name(campaign, self.tables(), code) if self.names else code

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return None if self.blank and not word else find_place(board, word, name, self)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Places neither come nor go."""
        if getattr(request, name):
            self._meaning(board, request, name)


def find_place(board: HasGame, word: str, field_name: str, kind: Place | None = None) -> Any:
    """The place of a code, or of a name where the column's kind takes names. Raises `Refused`."""
    kind = kind or Place()
    table = board.game.campaign.by_sheet(kind.record.sheet)
    row = table.get(word)
    if row is not None:
        return row
    return table[resolve_place(board.game.campaign, kind.record, word, field_name, by_name=kind.names)]


@dataclass(eq=False, repr=False, kw_only=True)
class Path(Kind):
    """Places one after the other; whether one alone may be where the unit shall go is the book's affair.

    `record`: as for `Place`; `step`: the book's check of one step from the row's unit on, of the board and the places
    before and behind it, which raises `Refused`. With it each place must be on the map, and the deed is handed the way,
    the start left out.
    """

    late: bool = True
    record: type[Record] = Node
    step: Callable[[Any, str, str], None] | None = None
    from_unit: bool = False
    """Whether a line may leave out the start, where it names the unit."""
    with_start: bool = True
    """Whether the way begins with the place where the unit stands."""
    over: str = "road"
    """The kind of road that it usually goes by."""
    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    told: ClassVar[str] = N_("places, one after the other")
    takes_several: ClassVar[bool] = True
    faults: ClassVar[tuple[str, ...]] = ("no_such_place",)

    def tables(self) -> tuple[type[Record], ...]:
        """None: it offers no codes."""
        return ()

    def spelling_records(self) -> tuple[type[Record], ...]:
        """The map."""
        return (self.record,)

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Places only."""
        table = campaign.by_sheet(self.record.sheet)
        return all(code in table for code in parse_way(campaign, self.record, str(value)))

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A place of the way, or some that are joined (``D3-E4-F4``)."""
        yield from sentence.rows(start, (self.record,))
        steps = parse_way(sentence.campaign, self.record, sentence.word(start)) if "-" in sentence.word(start) else []
        if len(steps) > 1 and all(code in sentence.campaign.by_sheet(self.record.sheet) for code in steps):
            yield 1, " ".join(steps)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Places by their look."""
        steps = split_way(sentence.word(start))
        if steps and all(sentence.looks_like(step, "place") for step in steps):
            yield 1, " ".join(place_code(step, self.record) for step in steps)

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The way: from where, by what places, and where to; the place of the unit first, where nothing says from
        where and the column wants it.
        """
        steps = in_order(pieces)
        path = drop_repeats(" ".join(str(piece.value) for piece in steps).split())
        here = place_of_unit(sentence.campaign, fields, sentence.faction)
        if here and not sentence.exact and any("from" in piece.roles and piece.value not in ("", here) and not any(
                sentence.word(at).casefold().startswith("pass") for at in range(max(piece.at - 3, 0), piece.at))
                                               for piece in pieces):
            return None  # it comes from elsewhere, unless it passes there ("passa da")
        if self.with_start and here and path[0] != here and not (
                sentence.exact and (len(path) > 1 or not self.from_unit)):
            path = [here, *path]
        elif not self.with_start and here and path[0] == here and len(path) > 1 and not sentence.exact:
            path = path[1:]
        nobody_knows = sentence.exact and not here and bool(fields.get("unit"))  # then who judges it says so
        return " ".join(path) if len(path) > self.with_start or nobody_knows else None

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """To each place next to where the unit is, with that place in front where the way is written so."""
        start = place_of_order(campaign, fields)
        starts = [start] if start else [row.node for row in campaign.by_sheet(Army.sheet) if faction in row.owners]
        return (f"{here} {there}" if self.with_start else there
                for here in dict.fromkeys(starts) for there in neighbours(campaign, here, self.over))

    def goal(self, value: Any) -> str:
        """Where it ends."""
        return str(value).split()[-1]

    def read(self, raw: Any) -> list[str]:
        """Codes in capitals, between whatever signs; one that is repeated at once counts once."""
        return drop_repeats([place_code(word, self.record) for word in split_way(str(raw or ""))])

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """Also by their names, which may be of several words."""
        return parse_way(campaign, self.record, str(raw or ""))

    @property
    def at_once(self) -> bool:
        """As soon as each step can be judged."""
        return self.step is not None or super().at_once

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The way as it was given."""
        return " ".join(getattr(request, name))

    def _meaning(self, board: HasGame, request: Request, name: str) -> list[str]:
        path: list[str] = getattr(request, name)
        if self.step is None:
            return path
        here = board.game.campaign.by_sheet(Army.sheet)[request.unit].node
        path = path[path[:1] == [here]:]
        if not path:
            raise Refused("no_such_place", name, word="", near="")
        for there in path:
            find_place(board, there, name, Place(record=self.record))
            self.step(board, here, there)
            here = there
        return path

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Places neither come nor go."""
        for code in getattr(request, name) or ([request.target] if request.target else []):
            find_place(board, code, name)


def in_order(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of a way as it is gone: from where, by what places, and where to. What follows a place by which it
    goes, and has no preposition, is one of these.
    """
    ranks: list[int] = []
    for piece in pieces:
        before = ranks[-1] if ranks else 2
        starts = "from" in piece.roles and "to" not in piece.roles  # not: from there to
        ranks.append(0 if starts else 1 if "by" in piece.roles else 2 if piece.roles else before or 2)
    return [piece for _, piece in sorted(zip(ranks, pieces, strict=True), key=lambda ranked: ranked[0])]


@dataclass(eq=False, repr=False)
class OwnUnit(Kind):
    """A row of the faction's own.

    `known`: whether others know of a row (else it is for them as if there were none), by itself of each if all see the
    column of its key, and of none if not; `at`: left out, it is the only
    one at the first of these columns that is filled (`standing`: which rows stand there; `free`: which of them it can
    be); `otherwise`: what it is when nothing says where; `or_words`: words for no row (``new``), code -> other words.
    """

    record: type[Record]
    known: Callable[[Any], bool] | None = None
    at: tuple[str, ...] = ()
    standing: Callable[[Any], bool] = lambda row: True
    free: Callable[[Any, Any], bool] = lambda board, row: True
    otherwise: Callable[[Any, Request], str] | None = None
    or_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("the code of one of yours (sheet {sheets})")
    acts: ClassVar[bool] = True

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("no_such_unit", "not_yours", *(("several_there", "none_there") if self.at else ()))

    def fits(self, row: Any, faction: str) -> bool:
        """One that stands somewhere."""
        return Kind.fits(self, row, faction) and self.standing(row)

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Also where another column of the verb, or the book, says which one it is."""
        return not self.needed and (self.blank or self.otherwise is not None or bool(set(self.at) & set(columns)))

    def read(self, raw: Any) -> str:
        """In capitals; a word that stands for no row in small letters."""
        word = str(raw or "").strip()
        return self._no_row.code(word) or word.upper()

    @cached_property
    def phrases(self) -> PhraseIndex:
        """The words for no row that say so without a unit beside them."""
        return PhraseIndex((word, code) for code, words in self.or_words.items() for word in words if " " in word)

    @cached_property
    def _no_row(self) -> WordIndex:
        return WordIndex(self.or_words)

    def may_mean(self, word: str) -> bool:
        """A word for no row."""
        return bool(self.or_words) and self._no_row.code(word) != ""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A row, or a word for none beside one for a unit: ``a new force``, ``come armata nuova``."""
        yield from super().pieces(sentence, start)
        if not self.may_mean(sentence.word(start)):
            return
        code, behind = self._no_row.code(sentence.word(start)), fold(sentence.word(start + 1))
        before = fold(sentence.word(start - 1)) if start else ""
        if behind in LISTS.units | LISTS.ones:
            yield 2, code
        elif before in LISTS.units or (before in LISTS.as_what and behind not in LISTS.men):
            yield 1, code

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A code of its look, or a word for no row."""
        yield from super().as_typed(sentence, start)
        if code := self._no_row.code(sentence.word(start)):
            yield 1, code

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """A row, or a word for none."""
        return str(value) in self.or_words or super().recognises(value, campaign, faction)

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """A word for no row in the reader's language: the code, in Italian the first of its other words."""
        return next(iter(self.or_words.get(str(value), ())), value) if lang == "it" else value

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Its own rows, and the words for none."""
        return chain(super().choices(campaign, faction, fields), self.or_words)

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The row that is named, or the only one there."""
        code = str(getattr(request, name))
        if code or not self.at:
            return code
        there = self._there(board, request, self._place(request)[1])
        return str(there[0].ident) if len(there) == 1 else ""

    def is_known(self, row: Any) -> bool:
        """Whether others know of a row of somebody's."""
        if self.known is not None:
            return self.known(row)
        return all(column.see == "public" for column in row.columns() if column.key)

    def _meaning(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        if not word and self.otherwise is not None:
            word = self.otherwise(board, request)
        elif not word and self.at:
            return self._only_one(board, request, name)
        elif (not word and self.blank) or word in self.or_words:
            return None
        return self._own_row(board, request, word, name)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Rows may still come, but those of others that are known of stay theirs."""
        row = self._of(board, getattr(request, name), request.faction)
        if row is not None and row.faction != request.faction and self.is_known(row):
            raise Refused("not_yours", name, word=row.ident, owner=row.faction)

    def _of(self, board: HasGame, code: str, faction: str) -> Any:
        row: Any = board.game.campaign.by_sheet(self.record.sheet).get(code)
        return row if row is None or row.faction == faction or self.is_known(row) else None

    def _own_row(self, board: HasGame, request: Request, code: str, name: str) -> Any:
        row = self._of(board, code, request.faction)
        if row is None:
            mine = [o.ident for o in board.game.campaign.by_sheet(self.record.sheet) if o.faction == request.faction]
            raise Refused("no_such_unit", name, word=code, list=" ".join(mine) or "-", near=nearest(code, mine))
        if row.faction != request.faction:
            raise Refused("not_yours", name, word=code, owner=row.faction)
        return row

    def _place(self, request: Request) -> tuple[str, str]:
        """The column that says where it stands, and the place."""
        for name in self.at:
            value = getattr(request, name)
            if value:
                return name, value[0] if isinstance(value, list) else value
        return self.at[-1], ""

    def _there(self, board: HasGame, request: Request, place: str) -> list[Any]:
        return [row for row in board.game.campaign.by_sheet(self.record.sheet) if row.node == place
                and row.faction == request.faction and self.standing(row) and self.free(board, row)]

    def _only_one(self, board: HasGame, request: Request, name: str) -> Any:
        column, place = self._place(request)
        there = self._there(board, request, place)
        if not there:
            raise Refused("none_there", column, node=place)
        if len(there) > 1:
            raise Refused("several_there", name, n=len(there), node=place, list=" ".join(row.ident for row in there))
        return there[0]


# Kinds of column for books whose orders call rows by name as well as by code.

def require_row(rows: Iterable[Any], word: str, field_name: str, likely: Callable[[Any], bool] | None = None) -> Any:
    """The row that a word means, by id or by name. Raises `Refused` (no_such_unit, ambiguous). `likely`: which rows may
    be meant where it is none; default: all.
    """
    known = list(rows)
    known_row = find_row(known, word, field_name)
    if known_row is None:
        known = [row for row in known if likely is None or likely(row)]
        names = dict.fromkeys(getattr(row, "name", "") or row.ident for row in known)
        near = nearest(word, [*(row.ident for row in known), *names])
        raise Refused("no_such_unit", field_name, word=word, near=near)
    return known_row


@dataclass(eq=False, repr=False)
class Named(Kind):
    """A row of some sheets, by code or by name. `which`: those of its rows that may be meant at all."""

    records: tuple[type[Record], ...]
    which: Callable[[Any], bool] = lambda row: True
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("a code or name (sheet {sheets})")
    faults: ClassVar[tuple[str, ...]] = ("no_such_unit", "ambiguous")

    def fits(self, row: Any, faction: str) -> bool:
        """Whoever's it is."""
        return self.which(row)

    def rows(self, board: Any) -> list[Any]:
        """All that may be meant."""
        return [row for record in self.records for row in board.game.campaign.by_sheet(record.sheet).where(self.which)]

    def row(self, board: Any, word: str, name: str, likely: Callable[[Any], bool] | None = None) -> Any:
        """The one that a word means, by code or by name; `likely`: as for `require_row`. Raises `Refused`."""
        coded = (board.game.campaign.by_sheet(record.sheet).get(word) for record in self.records)
        known = next((row for row in coded if row is not None and self.which(row)), None)
        return require_row(self.rows(board), word, name, likely) if known is None else known

    def same(self, board: Any, request: Request, name: str) -> str:
        """The id of the row, or what stands there where it means none or two."""
        word = str(getattr(request, name))
        with suppress(Refused):
            return str(self._row(board, request, word, name).ident)
        return fold(word)

    def _row(self, board: Any, request: Request, word: str, name: str) -> Any:
        return self.row(board, word, name)

    def _meaning(self, board: Any, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return self._row(board, request, word, name) if word else None


class Person(Named):
    """One of the people of the faction: who acts, or who gave the order."""

    told: ClassVar[str] = N_("one of yours, by code or name (sheet {sheets})")
    faults: ClassVar[tuple[str, ...]] = ("no_such_person", "ambiguous")
    acts: ClassVar[bool] = True

    def fits(self, row: Any, faction: str) -> bool:
        """One of its own."""
        return faction in row.owners

    def _row(self, board: Any, request: Request, word: str, name: str) -> Any:
        mine = [row for row in self.rows(board) if row.faction == request.faction]
        if row := find_row(mine, word, name):
            return row
        codes = [row.ident for row in mine]
        raise Refused("no_such_person", name, word=word, near=nearest(word, codes), list=" ".join(codes) or "-")

    def _meaning(self, board: Any, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return self._row(board, request, word, name) if word or not self.blank else None

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """People neither come nor go within a turn."""
        self._meaning(board, request, name)


@dataclass(eq=False, repr=False)
class NewCode(Named):
    """A code that nothing in these sheets has yet; `taken`: the book's finding for one that is (brace ``x``)."""

    taken: str = ""
    is_new: ClassVar[bool] = True
    told: ClassVar[str] = N_("a new code")

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """A word that may become one."""
        return True

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """What it is like."""
        return (self.like,)

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A code, one of something that is there, too, so that it is refused; no name of anything, nor a code that is a
        word.
        """
        yield from ((count, code) for count, code in super().pieces(sentence, start)
                    if fold(sentence.word(start)) == fold(code) and (code != code.lower() or re.search(r"\d", code)))

    def same(self, board: Any, request: Request, name: str) -> str:
        """The word itself."""
        return fold(str(getattr(request, name)))

    def _meaning(self, board: Any, request: Request, name: str) -> str:
        word = str(getattr(request, name))
        if fold(word) in {fold(row.ident) for row in self.rows(board)}:
            raise Refused(self.taken, name, x=word)
        return word
