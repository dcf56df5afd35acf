"""The kinds of column that a verb can have: how each is read and judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Square
from assistant.campaign.records import OWNERLESS, Army, Faction, Node, Road
from assistant.campaign.squaremap import SquareMap
from assistant.campaign.tables import Record
from assistant.turn.findings import nearest
from assistant.turn.orders.requests import HasGame, Refused, Request, Roles
from assistant.turn.orders.words import (
    WordIndex,
    canonical_code,
    drop_repeats,
    parse_way,
    place_code,
    resolve_name,
    resolve_place,
    split_way,
    uses_squares,
)
from assistant.turn.texts import N_

# The base class of all kinds of column.


Sort = Literal["unit", "place", "faction", "number"]
"""The sorts of piece of which a line of shorthand is made, beside words."""
ColumnCheck = Callable[[Any, Request, Any, str], None]
"""A rule's own check of what a column means: board, request, record or number, field. Raises `Refused`."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a column holds.

    `blank`: it may be left out; `needed`: a line must contain it although a cell may be blank; `then`: further checks
    of a rule; `late`: the deed judges it itself (`taking.judged`), after checks of its own; `only_names`: it names a
    row, and the deed itself says what is wrong with it; `like`: the example if the campaign has none ({faction} is the
    giver's); `lead_in`: the word before it in a line.
    """

    blank: bool = False
    needed: bool = False
    like: str = ""
    lead_in: str = ""
    late: bool = False
    only_names: bool = False
    then: tuple[ColumnCheck, ...] = ()
    sorts: ClassVar[tuple[Sort, ...]] = ()
    handed: ClassVar[bool] = True
    """Whether the deed is handed what the column means."""
    told: ClassVar[str] = N_("a word")
    """What stands in it, for the orders card (msgid); {sheets} are those of its tables, {words} those it offers."""

    def tables(self) -> tuple[type[Record], ...]:
        """The records whose codes it offers."""
        return ()

    def spelled_by(self) -> tuple[type[Record], ...]:
        """The records as whose tables spell them its codes are read."""
        return self.tables()

    @property
    def words(self) -> Mapping[str, str]:
        """The words that it offers: code -> Italian."""
        return {}

    def roles(self) -> tuple[str, ...]:
        """What can be wrong with it, of which the book must have a finding."""
        return ()

    @property
    def at_once(self) -> bool:
        """Whether it is judged before the deed, and the deed is handed what it means."""
        return self.handed and not self.late and not self.only_names

    def judged_for(self, says: Roles) -> bool:
        """Whether it is judged before the deed, in a book with these findings."""
        return self.at_once

    def takes(self, sort: Sort) -> bool:
        """Whether a piece of a line may stand here."""
        return sort in self.sorts

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Whether a line of a verb with these columns may leave it out."""
        return self.blank

    def read(self, raw: Any) -> Any:
        """A cell in canonical spelling."""
        return str("" if raw is None else raw).strip()

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """A cell with codes as their tables spell them, and of what is called by its name the code."""
        said = self.read(raw)
        return canonical_code(campaign, self.spelled_by(), said) if isinstance(said, str) else said

    def piece(self, word: str) -> str:
        """A word of a line as it stands in the column, "" for one that has no place there."""
        return ""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """What a faction might write there, "" for nothing. `fields`: what stands in the columns before."""
        for record in self.tables():
            mine = campaign.by_sheet(record.sheet).where(
                lambda row: self.fits(row, faction) and row.ident not in fields.values())
            if mine:
                return str(mine[0].ident)
        return next(iter(self.words), self.like.format(faction=faction))

    def worded(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """What an example has there as a line in a language says it; a code is itself."""
        return value

    def fits(self, row: Any, faction: str) -> bool:
        """Whether a row is one that a faction might name there; here: its own."""
        return faction in row.owners

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """What it names, to tell whether two rows are about the same thing; "" where that is open."""
        return str(getattr(request, name))

    def judge(self, board: HasGame, request: Request, name: str) -> Any:
        """What the column means at its time. Raises `Refused`."""
        found = self._meant(board, request, name)
        for check in self.then if found is not None else ():
            check(board, request, found, name)
        return found

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        return getattr(request, name)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Raise `Refused` for what nothing will put right until the order's time comes."""


# The kinds of column. A fault raises `Refused` with a role (`requests.ROLES`), which `taking` replaces by the book's
# own finding.


__all__ = [
    "Amount",
    "Code",
    "ColumnCheck",
    "Kind",
    "Note",
    "Option",
    "OwnUnit",
    "Partner",
    "Path",
    "Place",
    "Sort",
    "place_named",
]


@dataclass(frozen=True, kw_only=True)
class Note(Kind):
    """Free words."""

    blank: bool = True
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("free words")


@dataclass(frozen=True)
class Code(Kind):
    """A code of one of several tables, which only the deed can judge. `pattern`: what such a code looks like, where a
    line may name two; `where_unit_is`: left out, it is the place of the row's unit; `of_others`: what is meant
    belongs to somebody else.
    """

    records: tuple[type[Record], ...]
    pattern: str = ""
    where_unit_is: bool = False
    of_others: bool = False
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("a code of {sheets}")

    def tables(self) -> tuple[type[Record], ...]:
        """Its tables."""
        return self.records

    def takes(self, sort: Sort) -> bool:
        """A place where there are places among its tables, and so on."""
        return sort in {"place" if issubclass(record, Node) else "faction" if issubclass(record, Faction) else "unit"
                        for record in self.records}

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Also where the unit says it."""
        return (self.blank or self.where_unit_is) and not self.needed

    def fits(self, row: Any, faction: str) -> bool:
        """Of others, where it is theirs that is meant."""
        return Kind.fits(self, row, faction) is not self.of_others

    def read(self, raw: Any) -> str:
        """In capitals; where it can be nothing else than a square, as squares are written."""
        word = str(raw or "").strip().upper()
        return str(Square().read(word)) if self.records and all(map(uses_squares, self.records)) else word

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """Places and factions also by their names."""
        said = super().understood(campaign, raw)
        return resolve_name(campaign, [one for one in self.records if issubclass(one, (Node, Faction))], said)


@dataclass(frozen=True)
class Option(Kind):
    """One of a few words. `options`: code -> Italian; `also`: further words -> code; `opens`: its words alone are the
    order.
    """

    options: Mapping[str, str]
    also: Mapping[str, str] = field(default_factory=dict)
    opens: bool = False
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("one of {words}")

    @property
    def words(self) -> Mapping[str, str]:
        """Its options."""
        return self.options

    @cached_property
    def _known(self) -> WordIndex:
        return WordIndex({code: (it, *(word for word, meant in self.also.items() if meant == code))
                      for code, it in self.options.items()})

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for; without a check of its own only where the book has a finding for it."""
        return ("no_such_option",) if self.then else ()

    def judged_for(self, says: Roles) -> bool:
        """Whether it is judged before the deed, which is not handed it; else the deed says itself what is wrong."""
        return not self.late and not self.only_names and (bool(self.then) or "no_such_option" in says)

    def _meant(self, board: HasGame, request: Request, name: str) -> str | None:
        word = str(getattr(request, name))
        if self.blank and not word:
            return None
        if word not in self.options:
            raise Refused("no_such_option", name, word=word, options=", ".join(self.options))
        return word

    def code(self, word: str) -> str:
        """The option that a word means in either language, "" for none."""
        return self._known.code(word)

    def read(self, raw: Any) -> str:
        """The code; a word that is none as it was typed, for the finding that quotes it."""
        word = str(raw or "").strip()
        return self.code(word) or word


@dataclass(frozen=True, kw_only=True)
class Amount(Kind):
    """A whole number of 1 or more; None for a blank that is allowed."""

    sorts: ClassVar[tuple[Sort, ...]] = ("number",)
    told: ClassVar[str] = N_("a whole number")

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("not_an_amount",)

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """A number where one is needed."""
        return "" if self.blank else 30

    def read(self, raw: Any) -> int | str:
        """As the record's `Typed` column has it."""
        return "" if raw is None else raw

    def _meant(self, board: HasGame, request: Request, name: str) -> int | None:
        value = getattr(request, name)
        if value == "" and self.blank:
            return None
        if not isinstance(value, int) or value < 1:
            raise Refused("not_an_amount", name, word=value)
        return value

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """A number is one whatever happens."""
        Amount(blank=self.blank).judge(board, request, name)


@dataclass(frozen=True, kw_only=True)
class Partner(Kind):
    """Another faction that can be dealt with."""

    sorts: ClassVar[tuple[Sort, ...]] = ("faction",)
    told: ClassVar[str] = N_("another faction")

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("no_such_partner",)

    def tables(self) -> tuple[type[Record], ...]:
        """All factions."""
        return (Faction,)

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """The first other one, where one is needed."""
        others = [row.faction for row in campaign.table(Faction)
                  if row.faction != faction and row.role not in OWNERLESS]
        return "" if self.blank or not others else others[0]

    def read(self, raw: Any) -> str:
        """In capitals."""
        return str(raw or "").strip().upper()

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """Also by its name."""
        return resolve_name(campaign, self.tables(), super().understood(campaign, raw))

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        if self.blank and not word:
            return None
        row = board.game.campaign.table(Faction).get(word)
        if row is None or row.role in OWNERLESS or row.faction == request.faction:
            raise Refused("no_such_partner", name, word=word)
        return row

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Factions neither come nor go."""
        self._meant(board, request, name)


@dataclass(frozen=True, kw_only=True)
class Place(Kind):
    """A place of the map, by its code or, unless `names` says no, by its name; `record`: the ruleset's own, where that
    says how its codes are written (squares).
    """

    names: bool = True
    record: type[Record] = Node
    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    told: ClassVar[str] = N_("a place")

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("no_such_place",)

    def tables(self) -> tuple[type[Record], ...]:
        """The map."""
        return (self.record,)

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """An own place, or any where nobody owns places; another than the columns before it name."""
        own = Kind.example(self, campaign, faction, fields)
        places = list(campaign.by_sheet(self.record.sheet).keys())
        return own or next((code for code in places if code not in fields.values()), next(iter(places), ""))

    def read(self, raw: Any) -> str:
        """In capitals."""
        return place_code(str(raw or "").strip(), self.record)

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """Also by its name."""
        said = super().understood(campaign, raw)
        return resolve_name(campaign, self.tables(), said) if self.names else said

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        return None if self.blank and not word else place_named(board, word, name, self)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Places neither come nor go."""
        if getattr(request, name):
            self._meant(board, request, name)


def place_named(board: HasGame, word: str, field_name: str, kind: Place | None = None) -> Any:
    """The place of a code, or of a name where the column's kind takes names. Raises `Refused`."""
    kind = kind or Place()
    table = board.game.campaign.by_sheet(kind.record.sheet)
    row = table.get(word)
    if row is not None:
        return row
    return table[resolve_place(board.game.campaign, kind.record, word, field_name, by_name=kind.names)]


@dataclass(frozen=True, kw_only=True)
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
    over: str = "road"
    """The kind of road, for the example."""
    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    told: ClassVar[str] = N_("places, one after the other")

    def spelled_by(self) -> tuple[type[Record], ...]:
        """The map, though it offers no codes."""
        return (self.record,)

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("no_such_place",)

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """From where the unit is to the next place."""
        who = str(fields.get("unit") or fields.get("army"))
        named = (table.get(who) for table in campaign.tables().values())
        start = next((row.node for row in named if row is not None), "")
        for road in campaign.table(Road).where(lambda one: one.kind == self.over and (
                start in ("", one.a) or (start == one.b and not one.one_way)))[:1]:
            back = start == road.b and not road.one_way
            return f"{start or road.a} {road.a if back else road.b}"
        if not uses_squares(self.record):
            return ""
        board = SquareMap.of(campaign.table(Node))
        start = start if start in board else next(iter(board.codes()), "")
        return " ".join([start, *board.neighbours(start)[:1]]) if start else ""

    def read(self, raw: Any) -> list[str]:
        """Codes in capitals, between whatever signs; one that is repeated at once counts once."""
        return drop_repeats([place_code(word, self.record) for word in split_way(str(raw or ""))])

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """Also by their names, which may be of several words."""
        return parse_way(campaign, self.record, str(raw or ""))

    @property
    def at_once(self) -> bool:
        """As soon as each step can be judged."""
        return self.step is not None or super().at_once

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The way as it was given."""
        return " ".join(getattr(request, name))

    def _meant(self, board: HasGame, request: Request, name: str) -> list[str]:
        path: list[str] = getattr(request, name)
        if self.step is None:
            return path
        here = board.game.campaign.by_sheet(Army.sheet)[request.unit].node
        path = path[path[:1] == [here]:]
        if not path:
            raise Refused("no_such_place", name, word="", near="")
        for there in path:
            place_named(board, there, name, Place(record=self.record))
            self.step(board, here, there)
            here = there
        return path

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Places neither come nor go."""
        for code in getattr(request, name) or ([request.target] if request.target else []):
            place_named(board, code, name)


@dataclass(frozen=True)
class OwnUnit(Kind):
    """A row of the faction's own.

    `known`: whether others know of a row (else it is for them as if there were none); `at`: left out, it is the only
    one at the first of these columns that is filled (`standing`: which rows stand there; `free`: which of them it can
    be); `otherwise`: what it is when nothing says where; `or_words`: words for no row (``new``), code -> other words.
    """

    record: type[Record]
    known: Callable[[Any], bool] = lambda row: True
    at: tuple[str, ...] = ()
    standing: Callable[[Any], bool] = lambda row: True
    free: Callable[[Any, Any], bool] = lambda board, row: True
    otherwise: Callable[[Any, Request], str] | None = None
    or_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    told: ClassVar[str] = N_("a code of your own of {sheets}")

    def roles(self) -> tuple[str, ...]:
        """What it may be refused for."""
        return ("no_such_unit", "not_yours", *(("several_there", "none_there") if self.at else ()))

    def tables(self) -> tuple[type[Record], ...]:
        """Its table."""
        return (self.record,)

    def fits(self, row: Any, faction: str) -> bool:
        """One that stands somewhere."""
        return Kind.fits(self, row, faction) and self.standing(row)

    def optional(self, columns: tuple[str, ...]) -> bool:
        """Also where another column of the verb, or the book, says which one it is."""
        return not self.needed and (self.blank or self.otherwise is not None or bool(set(self.at) & set(columns)))

    def read(self, raw: Any) -> str:
        """In capitals; a word that stands for no row in small letters."""
        word = str(raw or "").strip()
        return WordIndex(self.or_words).code(word) or word.upper()

    def same(self, board: HasGame, request: Request, name: str) -> str:
        """The row that is named, or the only one there."""
        said = str(getattr(request, name))
        if said or not self.at:
            return said
        there = self._there(board, request, self._place(request)[1])
        return str(there[0].ident) if len(there) == 1 else ""

    def _meant(self, board: HasGame, request: Request, name: str) -> Any:
        word = getattr(request, name)
        if not word and self.otherwise is not None:
            word = self.otherwise(board, request)
        elif not word and self.at:
            return self._only_one(board, request, name)
        elif (not word and self.blank) or word in self.or_words:
            return None
        return self._named(board, request, word, name)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Rows may still come, but those of others that are known of stay theirs."""
        row = self._of(board, getattr(request, name), request.faction)
        if row is not None and row.faction != request.faction and self.known(row):
            raise Refused("not_yours", name, word=row.ident, owner=row.faction)

    def _of(self, board: HasGame, code: str, faction: str) -> Any:
        row: Any = board.game.campaign.by_sheet(self.record.sheet).get(code)
        return row if row is None or row.faction == faction or self.known(row) else None

    def _named(self, board: HasGame, request: Request, code: str, name: str) -> Any:
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
            said = getattr(request, name)
            if said:
                return name, said[0] if isinstance(said, list) else said
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
            raise Refused("several_there", name, n=len(there), node=place, list=" ".join(one.ident for one in there))
        return there[0]
