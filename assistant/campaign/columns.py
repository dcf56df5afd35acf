"""What a column is: its kind of value, its headings, who may edit and who may see it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

# Who may see a column: one of three words, or a switch of the rules (`When`) or the row itself (`Circle`) decides. A
# column that declares nothing is only for the referee.


SeeWord = Literal["public", "owner", "referee"]
WORDS: Mapping[str, str] = {"public": "all", "owner": "its owner", "referee": "the referee"}


class When(NamedTuple):
    """A switch of the rules decides: `then` where it stands on `value`, else `otherwise`."""

    switch: str
    value: str
    then: See
    otherwise: See


@dataclass(eq=False, repr=False)
class Circle:
    """The row itself decides. `who`: those who see it, in English; `sees`: takes the row and the reader.

    The reader is an `assistant.turn.views.Viewer` or what the ruleset has made of it. `by_owner`: of the reader it only
    asks whether it `owns` the row, so that what a sheet shows to all who do not is worked out once.
    """

    who: str
    sees: Callable[[Any, Any], bool]
    by_owner: bool = False


See: TypeAlias = SeeWord | When | Circle
Whose: TypeAlias = tuple[str, ...] | Circle
"""Whose a row is: fields that name its owners, or a circle."""


def describe_see(see: See | None, translate: Callable[[str], str] = str) -> str:
    """Who sees a column, in English or as `translate` renders it."""
    if isinstance(see, When):
        return translate("{seen} if `{switch}` is {value}, else {others}").format(
            seen=describe_see(see.then, translate), switch=see.switch, value=see.value,
            others=describe_see(see.otherwise, translate))
    return translate(see.who if isinstance(see, Circle) else WORDS[see or "referee"])


def nested_sees(see: See | None) -> Iterator[See]:
    """A declaration and, if switches decide, all that it may resolve to."""
    if see is not None:
        yield see
    if isinstance(see, When):
        yield from nested_sees(see.then)
        yield from nested_sees(see.otherwise)


# Kinds of value, and columns.
#
# One declaration per column (in a record, see `tables`) yields the sheet's heading, drop-down and hint, the reader, the
# finding at the cell, the CSV heading and the line in the manual.


Edit = Literal["club", "referee", "assistant"]

YES_WORDS = frozenset({"yes", "y", "si", "sì", "s", "true", "vero", "x", "1"})
NO_WORDS = frozenset({"no", "n", "false", "falso", "", "0"})
SQUARE = re.compile(r"([A-Za-z])\s?0*([1-9][0-9]?)")
"""A square as people write it: ``C03``, ``c3``."""
MOST_DIGITS = 15
"""Numbers of more digits are none that anybody means; a spreadsheet itself keeps no more."""
LONGEST_TEXT = 4_000
"""The longest text that a cell may hold beside data."""
_WHOLE = re.compile(r"([+-]?\d+)(?:[.,]0{1,2})?")
"""A whole number, also with the decimals that a spreadsheet saves (``2.0``); three noughts may be thousands."""
_DECIMAL = re.compile(r"([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?")


class UnreadableValue(ValueError):
    """A value that cannot be what its place wants.

    `reason`: of a cell one of ``number``, ``whole``, ``range``, ``choice``, ``flag``, ``pattern``, ``data``; of answers
    and lines of a battle see `assistant.turn.questions` and `assistant.turn.battle_form`. `data`: what a finding may
    say about it, such as what would be ``allowed``.
    """

    def __init__(self, reason: str = "unknown", allowed: str = "", **data: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.allowed = allowed
        self.data = data


def whole_digits(text: str) -> str:
    """The sign and digits of a whole number, ``2`` of ``2.0`` and ``2,00``, too; "" for any other text."""
    match = _WHOLE.fullmatch(text)
    return match[1] if match else ""


def as_text(raw: object) -> str:
    """A raw cell or CSV value as trimmed text; whole floats lose their ``.0``, truth becomes yes/no."""
    if raw is None:
        return ""
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    if isinstance(raw, float) and raw.is_integer():
        return str(int(raw))
    return str(raw).strip()


class ValueKind:
    """What a value may be, wherever somebody writes it: in a cell, a column of an order, an answer, a battle's form."""

    hidden: ClassVar[Any] = ""
    """What stands in a column for a reader who may not see it, whatever the default is."""
    blank = False
    """Whether it may be left out."""
    own_finding = False
    """Whether the ruleset itself reports what is none, with a finding of its own."""
    table = ""
    """The sheet of which it holds codes."""

    @property
    def default(self) -> Any:
        """What stands in a new row."""
        return self.hidden

    @property
    def words(self) -> Mapping[str, str]:
        """The words that it offers, where it is one of a few: code -> Italian; English is the code itself."""
        return {}

    def read(self, raw: Any) -> Any:
        """The value of what was typed; here: trimmed text. Raises `UnreadableValue`."""
        return as_text(raw)

    def show(self, value: Any) -> str:
        """The canonical text of a value, as CSV holds it."""
        return as_text(value)

    def word(self, value: Any, lang: str) -> str:
        """A value as a reader of that language sees it."""
        return self.words.get(self.show(value), self.show(value)) if lang == "it" else self.show(value)

    def report_text(self, value: Any, lang: str) -> str:
        """A value as a report tells it, where nobody has to type it."""
        return self.word(value, lang)


@dataclass(eq=False, repr=False)
class Text(ValueKind):
    """Free text or a code. `pattern`: a regular expression that the whole text must match; `digits`: a number of at
    least so many digits, which gets back the zeros in front that a spreadsheet takes off, and loses all others.
    `worded`: codes parted by blanks, each of which readers of a report see as a word.
    """

    worded: ClassVar[bool] = False
    pattern: str = ""
    digits: int = 0

    def read(self, raw: object) -> Any:
        """Trimmed text. Raises `UnreadableValue` ("pattern")."""
        text = as_text(raw)
        # a spreadsheet takes a code such as 0605 for a number and drops its first zero
        if self.digits and re.fullmatch(r"\d+", text):
            text = text.lstrip("0").zfill(self.digits)
        if self.pattern and text and not re.fullmatch(self.pattern, text):
            raise UnreadableValue("pattern", self.pattern)
        return text


class Rows(Text):
    """Names of rows (``Armies/V-1``) that Arbitro writes, of which there may be more than a text may be long."""


class Square(Text):
    """The code of a square: the letter of its column and two digits of its row. ``c 3`` is put right to ``C03``; what
    is no such code stays as it was typed, for the ruleset's own finding.
    """

    def read(self, raw: object) -> Any:
        """The code, or the text."""
        text = Text.read(self, raw)
        match = SQUARE.fullmatch(text)
        return f"{match[1].upper()}{match[2]:0>2}" if match else text


class Moment(Text):
    """A turn: text that a sheet shows as a number where it is one (``1500``, ``987Sp``)."""

    def read(self, raw: object) -> Any:
        """Trimmed text, a whole number without decimals. Raises `UnreadableValue` ("pattern")."""
        text = as_text(raw)
        return super().read(whole_digits(text) or text)


@dataclass(eq=False, repr=False)
class Whole(ValueKind):
    """A whole number, in the unit that the column's hint names; blank is None where allowed."""

    hidden: ClassVar[Any] = None
    minimum: int | None = None
    maximum: int | None = None
    blank: bool = False

    @property
    def default(self) -> int | None:
        """Blank, or the least."""
        return None if self.blank else self.minimum or 0

    def read(self, raw: object) -> Any:
        """An int, or None for blank. Raises `UnreadableValue` ("number", "whole", "range")."""
        text = as_text(raw)
        if text == "" and self.blank:
            return None
        digits = whole_digits(text)
        try:
            number = int(digits) if digits else float(text)
        except ValueError:
            raise UnreadableValue("number", self.range_text) from None
        if isinstance(number, float):
            raise UnreadableValue("whole", self.range_text)
        least, most = self.minimum, self.maximum
        if abs(number) >= 10**MOST_DIGITS or (least is not None and number < least) or (
                most is not None and number > most):
            raise UnreadableValue("range", self.range_text or f"< 10^{MOST_DIGITS}", least=least, most=most)
        return number

    @property
    def range_text(self) -> str:
        """The range in signs, such as ``0..10`` or ``>= 0``."""
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum}..{self.maximum}"
        return "" if self.minimum is None else f">= {self.minimum}"


class Ordinal(Whole):
    """A whole number by which a club puts its rows in order; what is none stays as it was typed, for a finding."""

    def read(self, raw: object) -> Any:
        """An int, None for blank, or the text as it stands."""
        try:
            return super().read(raw)
        except UnreadableValue:
            return as_text(raw)


def ordinal_number(value: object) -> int | None:
    """What an `Ordinal` column holds, if it is a number."""
    return value if isinstance(value, int) else None


@dataclass(eq=False, repr=False)
class Parts(ValueKind):
    """An exact fraction of a unit: held as a whole number of parts, shown in units (25 half-pounds: ``12.5``).

    `per`: parts to the unit, 2 for half-pounds, 100 for hundredths; never a float anywhere.
    """

    hidden: ClassVar[Any] = None
    default: ClassVar[int] = 0
    per: int
    minimum: int | None = None

    def read(self, raw: object) -> Any:
        """The number of parts; point or comma. Raises `UnreadableValue` ("number", "whole", "range")."""
        told = _DECIMAL.fullmatch(as_text(raw).replace(",", "."))
        # the more digits, the longer Python takes to make a number of them; from 4,300 on it refuses
        if told is None or len(told[0]) > LONGEST_TEXT:
            raise UnreadableValue("number", self.range_text)
        behind = told[3] or ""
        parts, rest = divmod(int(f"{told[2]}{behind}" or "0") * self.per, 10**len(behind))
        if rest:
            raise UnreadableValue("whole", self.range_text)
        parts = -parts if told[1] == "-" else parts
        if abs(parts) >= 10**MOST_DIGITS or (self.minimum is not None and parts < self.minimum):
            raise UnreadableValue("range", self.range_text)
        return parts

    @property
    def range_text(self) -> str:
        """The step and the range in signs, such as ``0.5 * n >= 0``."""
        step = f"{self.show(1)} * n"
        return step if self.minimum is None else f"{step} >= {self.show(self.minimum)}"

    def show(self, value: Any) -> str:
        """Units with as many decimals as are needed."""
        if value is None:
            return ""
        whole, rest = divmod(abs(int(value)), self.per)
        # in whole numbers: a float may show digits that nobody typed
        decimals = f"{rest * 10**MOST_DIGITS // self.per:0{MOST_DIGITS}}".rstrip("0")
        sign = "-" if value < 0 else ""
        return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"


class Typed(ValueKind):
    """What a club typed where a number is meant: an int when it is one, else the text as seen.

    Orders use it, so that the ruleset can refuse the row with its own finding and quote the cell.
    """

    def read(self, raw: object) -> Any:
        """An int, or the text as it stands ("" for blank)."""
        text = as_text(raw)
        digits = whole_digits(text)
        return int(digits) if digits and len(digits.lstrip("+-")) <= MOST_DIGITS else text


class Flag(ValueKind):
    """Yes or no."""

    hidden: ClassVar[Any] = None
    default: ClassVar[bool] = False
    words: ClassVar[Mapping[str, str]] = {"yes": "sì", "no": "no"}

    def read(self, raw: object) -> Any:
        """A bool. Raises `UnreadableValue` ("flag")."""
        word = as_text(raw).lower()
        if word in YES_WORDS or word in NO_WORDS:
            return word in YES_WORDS
        raise UnreadableValue("flag", "yes, no")


@dataclass(eq=False, repr=False)
class Choice(ValueKind):
    """One of a few words. `options`: code -> Italian word; the English word is the code itself.

    `also`: other words that are understood, with the code that each means; `own_finding`: a word that is none stays as
    it was typed, and the ruleset itself reports it, with a finding of its own; `in_reports`: code -> what reports tell
    of it, English and Italian, where its word alone says too little.
    """

    options: Mapping[str, str]
    blank: bool = False
    also: Mapping[str, str] = field(default_factory=dict)
    own_finding: bool = False
    in_reports: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def words(self) -> Mapping[str, str]:
        """Its options."""
        return self.options

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        codes = {_fold(word): code for code, italian in reversed([*self.options.items()]) for word in (italian, code)}
        return {**codes, **{word: codes[_fold(code)] for word, code in self.also.items() if _fold(code) in codes}}

    def read(self, raw: object) -> Any:
        """The code, understood in either language. Raises `UnreadableValue` ("choice")."""
        text = as_text(raw)
        code = self._codes.get(_fold(text), "")
        if code or self.own_finding or (not text and self.blank):
            return code or text
        raise UnreadableValue("choice", ", ".join(self.options))

    def report_text(self, value: Any, lang: str) -> str:
        """What reports tell of it, else its word."""
        pair = self.in_reports.get(self.show(value))
        return pair[lang == "it"] if pair is not None else self.word(value, lang).replace("_", " ")


def _fold(word: str) -> str:
    return word.lower().replace(" ", "_")


@dataclass(frozen=True)
class Ref(ValueKind):
    """A code of a row in another table (named by its sheet); blank where allowed. Whether the row exists is checked by
    the reader of the whole workbook.

    `own_finding`: the ruleset itself reports a code that stands nowhere, with a finding of its own.
    """

    table: str
    blank: bool = False
    own_finding: bool = False


@dataclass(eq=False, repr=False)
class Codes(ValueKind):
    """Several codes of one table, separated by blanks."""

    hidden: ClassVar[Any] = ()
    table: str

    def read(self, raw: object) -> Any:
        """A tuple of codes; commas, semicolons and blanks separate alike."""
        return tuple(re.split(r"[\s,;]+", as_text(raw))) if as_text(raw) else ()

    def show(self, value: Any) -> str:
        """The codes joined by blanks."""
        return " ".join(value)


@dataclass(eq=False, repr=False)
class Colour(Text):
    """A colour as ``#rrggbb``."""

    pattern: str = r"#[0-9A-Fa-f]{6}"


@dataclass(eq=False, repr=False)
class Data(ValueKind):
    """A small JSON object with sorted keys (an event's parameters); only the assistant writes it. `rows`: a list of
    such objects, one beside the other (the duels of a battle).
    """

    rows: bool = False

    @property
    def hidden(self) -> Any:
        """Nothing, of a type that nobody can add to."""
        return () if self.rows else {}

    @property
    def default(self) -> Any:
        """An empty value."""
        return [] if self.rows else {}

    def read(self, raw: object) -> Any:
        """The value, empty for blank. Raises `UnreadableValue` ("data")."""
        text = as_text(raw)
        if not text:
            return self.default
        try:
            data = json.loads(text)
        # brackets in brackets in brackets: a text can be made that no parser goes through
        except (ValueError, RecursionError):
            raise UnreadableValue("data", "JSON") from None
        if not isinstance(data, type(self.default)):
            raise UnreadableValue("data", "JSON")
        return data

    def show(self, value: Any) -> str:
        """Compact JSON, keys sorted; nothing for an empty object."""
        return json.dumps(value, ensure_ascii=False, sort_keys=True) if value or isinstance(value, list) else ""


class Column(NamedTuple):
    """One column of a table, as declared by `column`. `name` is filled in by the record; `see`: None is undeclared."""

    kind: ValueKind
    en: str
    it: str
    hint_en: str = ""
    hint_it: str = ""
    edit: Edit = "assistant"
    see: See | None = None
    key: bool = False
    alias: tuple[str, ...] = ()
    last: bool = False
    width: int = 0
    required: bool = False
    first: bool = False
    later: bool = False
    quiet: bool = False
    drawn: bool = False
    free: bool = False
    name: str = ""
    default: Any = None

    def heading(self, lang: str) -> str:
        """The heading in a language (``it`` or ``en``)."""
        return self.it if lang == "it" else self.en

    def hint(self, lang: str) -> str:
        """The sentence under the heading, in a language; may be empty."""
        return self.hint_it if lang == "it" else self.hint_en

    @property
    def hidden(self) -> Any:
        """What stands there for a reader who may not see it: nothing, whatever the default is."""
        return self.kind.hidden

    def tells(self, value: Any) -> bool:
        """Whether a value is more than what stands in a new row, or in a view that hides it."""
        return bool(value not in (self.default, self.hidden))

    def word(self, value: Any, lang: str) -> str:
        """A value as a reader of that language sees it (choices and flags are translated)."""
        return self.kind.word(value, lang)

    def report_text(self, value: Any, lang: str) -> str:
        """A value as a report tells it."""
        return self.kind.report_text(value, lang)


def column(
    kind: ValueKind,
    en: str,
    it: str,
    *,
    default: Any = MISSING,
    hint: tuple[str, str] = ("", ""),
    edit: Edit = "assistant",
    see: See | None = None,
    key: bool = False,
    alias: tuple[str, ...] = (),
    last: bool = False,
    width: int = 0,
    required: bool = False,
    first: bool = False,
    later: bool = False,
    quiet: bool = False,
    drawn: bool = False,
    free: bool = False,
) -> Any:
    """Declare a column of a record.

    `see`: who may know it: ``public``, ``owner`` (of the row, see `Record.whose`), ``referee``, or what
    `assistant.campaign.columns` has besides; a column that does not say it is the referee's; `hint`: English and
    Italian
    sentence; `key`: part of the row's key, and who does not see the key does not see the row; `alias`: other field
    names understood on reading; `first`, `last`: stands before those of the base record, after the columns that a
    ruleset adds; `width`: of the sheet's column, in characters; `required`: a blank cell is a finding; `later`:
    workbooks of before the column was declared may lack it, and get it once something is to stand there; `quiet`: as
    `later`, and where nobody has filled it in a new sheet offers it folded away and an export leaves it out; `drawn`:
    of the map alone and nothing of the game: the referee may change it at any time; `free`: about people and their
    mail, not about the game: the referee may change it at any time, too.
    """
    default = kind.default if default is MISSING else default
    declared = Column(kind, en, it, hint[0], hint[1], edit, see, key, alias, last, width, required, first,
                      later or quiet, quiet, drawn, free, default=default)
    if isinstance(default, (dict, list)):
        return field(default_factory=type(default), metadata={"column": declared})
    return field(default=default, metadata={"column": declared})


# The usual columns: `column` with who writes it and who sees it fixed by the name.


public = partial(column, see="public")
"""The assistant writes it, all see it."""
given = partial(column, edit="referee", see="public")
"""The referee writes it, all see it."""
own = partial(column, see="owner")
"""The assistant writes it, the row's owner sees it."""
noted = partial(column, edit="referee", see="owner")
"""The referee writes it, the row's owner sees it."""
wanted = partial(column, edit="club", see="owner")
"""The club writes it, the row's owner sees it."""
offered = partial(column, edit="referee", see="public", last=True, quiet=True)
"""The referee may write it, all see it; where nobody did, a sheet folds it away and an export leaves it out."""
NO_ARTICLE = "none"
"""What stands in the column `article` of a name that takes none."""


def article_column() -> Any:
    """The column that says the article of a name in Italian."""
    return offered(Choice({article: article for article in ("il", "lo", "la", "l'", "i", "gli", "le")}
                          | {NO_ARTICLE: "nessuno"},
                          blank=True, also={"l\u2019": "l'", "-": NO_ARTICLE, "\u2013": NO_ARTICLE}),
                   "Article (Italian)", "Articolo del nome", width=11,
                   hint=("before the Italian name: la Turchia, gli Ottomani; none: Venezia; blank: guessed",
                         "davanti al nome: la Turchia, gli Ottomani; nessuno: Venezia; vuoto: si indovina"))


def gender_column() -> Any:
    """The column that says the gender of a name in Italian."""
    return offered(Choice({"masculine": "maschile", "feminine": "femminile"}, blank=True,
                          also={"m": "masculine", "f": "feminine"}),
                   "Gender (Italian)", "Genere del nome", width=11,
                   hint=("of the Italian name: il Papato è preso, Zara è presa; blank: guessed",
                         "il Papato è preso, Zara è presa; vuoto: si indovina"))


def plural_column() -> Any:
    """The column that says the number of a name in Italian."""
    return offered(Choice({"yes": "sì", "no": "no"}, blank=True, also={"si": "yes", "plurale": "yes", "plural": "yes"}),
                   "Plural name", "Nome plurale", width=10,
                   hint=("yes: the Ottomans take; no: Spain takes; blank: guessed",
                         "sì: gli Ottomani prendono; no: la Spagna prende; vuoto: si indovina"))


def label_side_column() -> Any:
    """The column that says on which side of a place the map has its name."""
    return offered(Choice({"N": "N", "NE": "NE", "E": "E", "SE": "SE", "S": "S", "SW": "SO", "W": "O", "NW": "NO"},
                          blank=True), "Name on the map", "Nome sulla mappa", width=10, drawn=True,
                   hint=("on which side of the place; blank: where there is room",
                         "da che lato del luogo; vuoto: dove c'è posto"))
