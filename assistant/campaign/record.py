"""A record is one row of a table: a dataclass whose fields are columns, declared once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, ClassVar, Literal, Self, TypedDict, Unpack

from assistant.campaign.columns import Column, Data
from assistant.campaign.see import Circle, Whose

Hold = Literal["state", "settled", "asked", "typed"]
"""Who may type into a row that stands in the workbook; see `Record.hold`."""


class Head(TypedDict, total=False):
    """What the line ``class Fleet(Record, sheet="Fleets", ...)`` may say of a table; see `Record`."""

    sheet: str
    sheet_it: str
    whose: Whose
    time: str
    part: str
    unique: bool
    single: bool
    grows: bool
    people: bool
    quiet: bool
    counted: str
    without: tuple[str, ...]


@dataclasses.dataclass
class Record:
    """Base of all records.

    Class attributes say which table it is: `sheet` (English name, also the word that `Ref` uses), `sheet_it`,
    `file` (name of the CSV without its ending: the sheet's in small letters, unless said), `unique` (two rows of one
    key are a finding), `single` (one row only, shown as a list of settings), `grows` (only ever appended to),
    `about_en` and `about_it` (the sentence under the sheet's title), `whose` (the fields that name the owners of a
    row, or a circle of owners; nobody's, where nothing is said), `time` (the field that says of which turn a row is),
    `part` (the field that says of which part of that turn),
    `persons` (``people=True`` on the class line: rows are people below the faction in their column `faction`, which is
    asked and told in their place),
    `quiet` (a sheet that is only there where something stands in it, and left out of clubs' copies),
    `counted` (the key column that the assistant makes itself: a folder of CSVs may leave it out, its rows are counted),
    `without` (columns of the base record that this one has no use for; the fields keep their defaults).
    """

    sheet: ClassVar[str] = ""
    sheet_it: ClassVar[str] = ""
    file: ClassVar[str] = ""
    unique: ClassVar[bool] = True
    single: ClassVar[bool] = False
    grows: ClassVar[bool] = False
    persons: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    counted: ClassVar[str] = ""
    about_en: ClassVar[str] = ""
    about_it: ClassVar[str] = ""
    whose: ClassVar[Whose] = ()
    time: ClassVar[str] = "turn"
    part: ClassVar[str] = "phase"
    without: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **head: Unpack[Head]) -> None:
        for name, value in head.items():
            setattr(cls, name, value)
        if vars(cls).get("people") is True:  # else it is a column that is called People
            cls.persons = True
        if "sheet" in vars(cls) and "file" not in vars(cls):
            cls.file = cls.sheet.lower()

    @classmethod
    def columns(cls) -> tuple[Column, ...]:
        """The columns in the order of the sheet: those marked `first`, inherited, new, those marked `last`."""
        return _columns(cls)

    @classmethod
    def column(cls, name: str) -> Column:
        """The column of a field. Raises KeyError for an unknown name."""
        return _by_name(cls)[name]

    @property
    def ident(self) -> str:
        """What the row is found by: its key fields joined by ``/`` (``FR/SV/1500``)."""
        names = _key_names(type(self))
        if len(names) == 1:
            return str(getattr(self, names[0]))
        return "/".join([str(getattr(self, name)) for name in names])

    @classmethod
    def idents(cls, rows: Iterable[Record]) -> list[str]:
        """The `ident` of each of many rows of this record."""
        names = _key_names(cls)
        if len(names) == 1:
            return [str(key) for key in map(attrgetter(names[0]), rows)]
        return ["/".join(map(str, keys)) for keys in map(attrgetter(*names), rows)] if names else ["" for _ in rows]

    @property
    def owners(self) -> tuple[str, ...]:
        """The codes that stand in the fields that `whose` names."""
        return () if isinstance(self.whose, Circle) else tuple([str(getattr(self, name)) for name in self.whose])

    @property
    def hold(self) -> Hold:
        """Who may type into the row between two phases, which tells a typed input from a change by hand.

        ``state``: the clubs into their columns, nobody into the others; ``settled``: nobody, a phase has
        used it up; ``asked``: people into its form (what the assistant does not write, beside the key);
        ``typed``: people, who may also add such a row and take it out again.
        """
        return "state"

    @property
    def typed_early(self) -> bool:
        """Whether people have typed the row before a phase has laid it out; such a form is of no turn."""
        return self.hold == "typed" or (self.hold == "asked" and not getattr(self, self.time, None))

    def takes_over(self, typed: Record) -> bool:
        """Whether this row, as a phase lays it out, takes the place of one of its key that people have typed before."""
        return typed.typed_early and not self.typed_early

    @property
    def timeless(self) -> bool:
        """Whether the row may be of no turn and no phase, also where these are part of its key."""
        return False

    @classmethod
    def form(cls) -> tuple[str, ...]:
        """The columns that people fill in beside the key."""
        return tuple(c.name for c in _columns(cls) if c.edit != "assistant" and not c.key)

    def copy(self) -> Self:
        """A copy of the row that may be changed without changing this one."""
        new = object.__new__(type(self))
        values = self.__dict__.copy()
        for name in _nested(type(self)):
            values[name] = _own(values[name])
        new.__dict__ = values
        return new

    def as_text(self) -> dict[str, str]:
        """Field name -> canonical text, as CSV holds it."""
        return {c.name: c.kind.show(getattr(self, c.name)) for c in self.columns()}

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """A row of raw values (texts of a CSV, or plain values); what is missing takes its default.

        Raises `Unreadable` for a value that its column cannot hold.
        """
        ready = {}
        for c in cls.columns():
            raw = values.get(c.name)
            if raw is None or (isinstance(raw, str) and not raw.strip()):
                continue
            ready[c.name] = c.kind.read(raw) if not isinstance(raw, (tuple, dict, list)) else raw
        return cls(**ready)


def named_in_touched(sheet: str, ident: str) -> str:
    """How an event names a row that it touched, ``Armies/V-1``; several are parted by blanks, so a sheet's has none."""
    return f"{sheet.replace(' ', '')}/{ident}"


def _own(value: Any) -> Any:
    """A copy of what stands in a column of data, as deep as it goes."""
    if isinstance(value, dict):
        return {key: _own(one) for key, one in value.items()}
    return [_own(one) for one in value] if isinstance(value, list) else value


_COLUMNS: dict[type[Record], tuple[Column, ...]] = {}
_BY_NAME: dict[type[Record], dict[str, Column]] = {}
_KEYS: dict[type[Record], tuple[str, ...]] = {}
_NESTED: dict[type[Record], tuple[str, ...]] = {}


def _nested(cls: type[Record]) -> tuple[str, ...]:
    if cls not in _NESTED:
        _NESTED[cls] = tuple(c.name for c in _columns(cls) if isinstance(c.kind, Data))
    return _NESTED[cls]


def _columns(cls: type[Record]) -> tuple[Column, ...]:
    if cls not in _COLUMNS:
        declared = [
            dataclasses.replace(f.metadata["column"], name=f.name)
            for f in dataclasses.fields(cls)
            if "column" in f.metadata and f.name not in cls.without
        ]
        _COLUMNS[cls] = tuple(sorted(declared, key=lambda c: c.last - c.first))
    return _COLUMNS[cls]


def _by_name(cls: type[Record]) -> dict[str, Column]:
    if cls not in _BY_NAME:
        _BY_NAME[cls] = {c.name: c for c in _columns(cls)}
    return _BY_NAME[cls]


def _key_names(cls: type[Record]) -> tuple[str, ...]:
    if cls not in _KEYS:
        _KEYS[cls] = tuple(c.name for c in _columns(cls) if c.key)
    return _KEYS[cls]
