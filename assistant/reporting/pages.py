"""The dataclasses of a page. Every text is in its final words; templates only arrange.

The JSON report is made from these classes; their field names are its keys.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from assistant.speech import Name, agreeing_variant, fill_braces

T = TypeVar("T")

ROWS = 40


def left_out_sentence(text: str, n: int) -> str:
    """The sentence that `n` things are left out (`Listing.more_text`), or "" for none."""
    return _inflect(text, n).replace("{n}", str(n)) if n else ""


def _inflect(text: str, n: int) -> str:
    return fill_braces(
        text, lambda brace: agreeing_variant((Name(str(n), plural=n != 1),), brace.variants) if brace.variants else None
    )


@dataclass(frozen=True)
class Listing(Generic[T]):
    """A list that may be cut.

    `items`: what is shown; `left_out`: how many more there are; `more_text`: the sentence about them,
    with ``{n}`` where their number goes, and ``{n?row|rows}`` for what agrees with it.
    """

    items: tuple[T, ...] = ()
    left_out: int = 0
    more_text: str = ""

    @property
    def more(self) -> str:
        """The sentence about what was left out, or "" when nothing was."""
        return left_out_sentence(self.more_text, self.left_out)

    def cut(self, limit: int) -> Listing[T]:
        """The same list with at most `limit` items in the same order; grave `ReportLine`s are kept first."""
        if len(self.items) <= limit:
            return self
        first = sorted(range(len(self.items)), key=lambda i: not getattr(self.items[i], "grave", False))
        kept = tuple(self.items[i] for i in sorted(first[:limit]))
        return replace(self, items=kept, left_out=self.left_out + len(self.items) - limit)


@dataclass(frozen=True)
class TableCell:
    """One value of a table. `text`: as shown; `number`: the value if it is one; `colour`: of a faction, or ""."""

    text: str
    number: float | None = None
    colour: str = ""


@dataclass(frozen=True)
class ReportTable:
    """A table. `title`, `note`: above and below it, may be ""; `headings`: of the columns; `rows`: of cells.

    `numeric`: for each column, whether it is aligned right; `empty`: the text without rows.
    """

    title: str
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: Listing[tuple[TableCell, ...]]
    note: str = ""
    empty: str = ""


@dataclass(frozen=True)
class Figure:
    """A number at the top of the report. `label`; `value`; `change` since the last report, None if not known.

    `value_text` and `change_text` are the two as shown; `unwelcome`: a rise is bad news.
    """

    label: str
    value: float
    value_text: str
    change: float | None = None
    change_text: str = ""
    unwelcome: bool = False

    @property
    def trend(self) -> str:
        """``up``, ``down``, ``same`` or ``""``: which colour the change takes, up for the better."""
        if self.change is None:
            return ""
        better = -self.change if self.unwelcome else self.change
        return "up" if better > 0 else "down" if better < 0 else "same"


@dataclass(frozen=True)
class ReportLine:
    """A fact. `place`: where, as shown, may be ""; `text`: the sentence; `rule`: the chapter cited.

    `roll`: dice, modifiers by name, target and verdict in words; `faces`: the six-sided dice as signs;
    `when`: the moment in the game's calendar, if a list spans several; `to`: who may know it
    (referee's report only); `grave`: one of the most important among lighter ones, shown in bold.
    """

    text: str
    place: str = ""
    rule: str = ""
    roll: str = ""
    faces: str = ""
    when: str = ""
    to: str = ""
    grave: bool = False


@dataclass(frozen=True)
class Group:
    """Facts of one category: its `title` and `lines` in the order of events."""

    title: str
    lines: Listing[ReportLine]


@dataclass(frozen=True)
class PlaceCard:
    """A battle or siege with its reasons: `title` (the place), `lines` in the order of events."""

    title: str
    lines: tuple[ReportLine, ...]


@dataclass(frozen=True)
class OrderRemark:
    """A remark on an order. `severity`: error, ambiguous or warning; `verdict`: its status in a word.

    `row`: the order's code and number; `quote`: the order as it was written; `reason`: what was seen
    and what to do next.
    """

    severity: str
    verdict: str
    row: str
    quote: str
    reason: str


@dataclass(frozen=True)
class OrdersSection:
    """A club's orders of the period. `title`; `summary`: how many were accepted.

    `remarks`: what is to be said of each; `all_well`: there are orders, and nothing is wrong with any; `answers`: which
    answers counted besides.
    """

    title: str
    summary: str
    remarks: Listing[OrderRemark]
    all_well: bool
    answers: str = ""


@dataclass(frozen=True)
class AskedOf:
    """An open question. `to`: of whom (referee's report only); `text`; `options` and `default` in words.

    `ident`: the key of its row on the Questions sheet; `so_far`: what the addressee may know of the phase;
    `refused`: why the answer given cannot be accepted, "" if none was given; `chances`: of throws about what it names.
    """

    ident: str
    text: str
    options: str
    default: str
    to: str = ""
    so_far: tuple[str, ...] = ()
    refused: str = ""
    chances: tuple[str, ...] = ()


@dataclass(frozen=True)
class Orderable:
    """An order that may be given now. `verb`; `when`: the phase that takes it; `help`: what it does; `example`
    with the reader's own codes and `cost`: may be ""; where there is no example, `form`: what a line looks like, and
    `why`: the reason, "" where it is not a single one.
    """

    verb: str
    when: str
    help: str
    example: str
    cost: str
    form: str = ""
    why: str = ""


@dataclass(frozen=True)
class ThrowLine:
    """A throw to come. `what`: its title, what it is for, its dice and modifiers; `chances`: its outcomes in lines."""

    what: str
    chances: tuple[str, ...]


@dataclass(frozen=True)
class MayDo:
    """What units that may do the same may be ordered now. `who`: they, and where they are; `can`: each order in short.
    """

    who: str
    can: tuple[str, ...]


@dataclass(frozen=True)
class Dossier:
    """The hand-over of a battle to the table. `title`: its name, and against whom; `side`: whose copy; `lines`: label
    and text; `code`: of the battle, for who has to quote it; `folded`: its long lists, such as units and rules.
    """

    title: str
    side: str
    lines: tuple[tuple[str, str], ...]
    code: str = ""
    folded: Listing[tuple[str, str]] = Listing()


@dataclass(frozen=True)
class Money:
    """Money of the period. `title`; `headings` of the two columns; `opening` and `closing` balance.

    `entries`: the movements, grouped by item with their sums. Each line is a label and a cell.
    """

    title: str
    headings: tuple[str, str]
    opening: tuple[str, TableCell]
    entries: Listing[tuple[str, TableCell]]
    closing: tuple[str, TableCell]


@dataclass(frozen=True)
class Proof:
    """A hash or secret to check dice with. `kind`: ``commitment`` (before the orders) or ``secret`` (revealed after).

    `turn`; `audience`: ``public``, ``referee``, a code, or two codes joined by ``+``; `value`: 64 hexadecimal
    digits. For reading: `title`, what it is and of which turn, the same for all of a kind and turn; `label`: whose.
    """

    kind: str
    turn: str
    audience: str
    title: str
    label: str
    value: str


@dataclass(frozen=True)
class DiceThrow:
    """A roll as a program checks it. `key`: its purpose; `dice`: as ``2d6``; `value`: as the Dice sheet holds it.

    `faces`: each die, () where only a total was typed; `turn`, `phase`; `source`: ``assistant`` or ``table`` (typed
    in); `audience`: who may know it; `secret`: whose secret it was made with, an audience of `Proof`.
    """

    key: str
    dice: str
    value: str
    faces: tuple[int, ...]
    turn: str
    phase: str
    source: str
    audience: str
    secret: str


@dataclass(frozen=True)
class Rulings:
    """Dice that the reader may know. `title`; `table`: the new rolls; `proofs`: hashes and secrets, at the very end
    of the page; `how`: to check them; `thrown`: every roll of the turns that the page proves or tells of, for programs
    only.
    """

    title: str
    table: ReportTable
    proofs: Listing[Proof]
    how: str
    thrown: tuple[DiceThrow, ...] = ()


@dataclass(frozen=True)
class LuckRow:
    """Rolls of one kind and side, in numbers. `kind`; `side`: ``own``, ``other`` or ``""``.

    `dice`: how many, of them `typed` at the table; `rolled`: their sum; `expected`: the sum that fair dice come
    to on average; `checks`: rolls with a target, of them `passed`, and how many fair dice would pass (`chance`).
    `expected` and `chance` are exact fractions such as ``21/2``.
    """

    kind: str
    side: str
    dice: int
    typed: int
    rolled: int
    expected: str
    checks: int
    passed: int
    chance: str


@dataclass(frozen=True)
class Luck:
    """Dice rolled against expected. `title`; `said`: in words; `table`; `rows`: in numbers."""

    title: str
    said: tuple[str, ...]
    table: ReportTable
    rows: tuple[LuckRow, ...]


@dataclass(frozen=True)
class Band:
    """The banner at the top: `title` (what is due, by when) and `lines` (what to do)."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Headings:
    """The titles of the sections, each named after its field of `ReportPage`.

    `asked`, `dues`, `glance`, `map`, `happened`, `battles`, `dossiers`, `sightings`, `news`, `todo`, `chances`,
    `orderable`, `template`, `reasons`. Further: `remarks` of the orders of which nothing bad is to be said;
    `owned` of further tables; `printed`: the note on paper about folded parts;
    `close_up` instead of `map` where the whole map follows;
    `glance_note` under the figures; `may_do_note` under what units may do; `card` of the list of verbs there, and
    `not_now` before those of which no order was found;
    `options`, `default` and `so_far` before those parts of a question; `roster` of the long lists of a dossier;
    `rules`: what stands in brackets behind what happened; `battle` before the code of one.
    """

    asked: str
    dues: str
    glance: str
    glance_note: str
    map: str
    close_up: str
    happened: str
    battles: str
    dossiers: str
    sightings: str
    news: str
    todo: str
    chances: str
    orderable: str
    may_do_note: str
    card: str
    not_now: str
    template: str
    reasons: str
    remarks: str
    owned: str
    printed: str
    options: str
    default: str
    so_far: str
    roster: str
    rules: str
    battle: str


@dataclass(frozen=True)
class Reason:
    """Why something came as it did. `text`: what happened and what decided it; `code`: of a battle, for who has to
    quote it, "" for none.
    """

    text: str
    code: str = ""


@dataclass(frozen=True)
class ReportPage:
    """Everything that one reader gets, built from that reader's view, never from the full campaign.

    `kind`: ``faction``, ``gazette``, ``referee`` or ``end`` (`EndPage`); `lang`: of all texts; `faction`: the code,
    "" for the gazette, ``referee``; `name`: as headed; `colour`, `ink`: of the head; `campaign`: its title;
    `turn`, `phase`: as on the Desk; `moment`: the two in the game's calendar; `covers`: the time covered;
    `for_whom`: who may read it; `subject`, `preheader`: the line in the inbox and the one under it;
    `map_src`, `map_alt`: the picture, None until there is one; `foot`: the line at the end;
    `shortened`: a note that the page was cut to fit a mail; `code`: identifies this very report.

    The sections in the order of reading, None or empty ones left out: `headings` of them all; `band`: what is due;
    `clock`: how far the campaign is, and what each aim lacks; `todo`: at most three steps; `dues`: what is owed;
    `orders`: results of the reader's own; `brief`: what happened in five lines; `reasons`: why; `legend`: of letters;
    the picture; `glance`: figures; `ledger`: money; `tables`: possessions; `dossiers`: of battles to be played;
    `asked`: open questions; `template`: the lines of a text to be filled in and sent back. Then what a page folds:
    `chances`: how likely the outcomes of the coming throws are, and `chances_rest_on`: what that rests on; `may_do`:
    what each unit may be ordered now; `orderable`: the verbs for that; `happened`: own events by category;
    `battles`: cards of places; `sightings`: what is seen of others; `news`: public events of others; `luck`: the dice
    of a finished year against expectation; `rulings`: dice.
    """

    kind: str
    lang: str
    faction: str
    name: str
    colour: str
    ink: str
    campaign: str
    turn: str
    phase: str
    moment: str
    covers: str
    for_whom: str
    subject: str
    preheader: str
    headings: Headings
    band: Band
    clock: tuple[str, ...] = ()
    orders: OrdersSection | None = None
    brief: Group = Group("", Listing())
    reasons: Listing[Reason] = Listing()
    legend: str = ""
    glance: tuple[Figure, ...] = ()
    map_src: str | None = None
    map_alt: str = ""
    dues: tuple[str, ...] = ()
    asked: tuple[AskedOf, ...] = ()
    happened: tuple[Group, ...] = ()
    battles: Listing[PlaceCard] = Listing()
    dossiers: tuple[Dossier, ...] = ()
    ledger: Money | None = None
    tables: tuple[ReportTable, ...] = ()
    sightings: tuple[ReportTable, ...] = ()
    news: tuple[Group, ...] = ()
    luck: tuple[Luck, ...] = ()
    rulings: Rulings | None = None
    todo: tuple[str, ...] = ()
    chances: Listing[ThrowLine] = Listing()
    chances_rest_on: tuple[str, ...] = ()
    may_do: Listing[MayDo] = Listing()
    orderable: Listing[Orderable] = Listing()
    template: tuple[str, ...] = ()
    foot: str = ""
    shortened: str = ""
    code: str = ""


@dataclass(frozen=True)
class EndPage(ReportPage):
    """The page of a finished campaign, of the kind ``end``, the same for everybody.

    `winners`: codes, several for a shared victory, none for a draw and for nobody. Its band says who has won, `dues`
    how it was counted, `tables` have the final figures, `news` the story by turns.
    """

    winners: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpanChapter:
    """A part of a long span, such as a month. `title`; `groups`: what happened, theme by theme; `more`: how much
    else did, "" for nothing; `throws`: dice and what they decided, folded away.
    """

    title: str
    groups: tuple[Group, ...]
    more: str = ""
    throws: Listing[ReportLine] = Listing()


@dataclass(frozen=True)
class SpanPage(ReportPage):
    """A page that covers many rounds, such as a year: events are in chapters, not by category alone.

    `chapters` in order of time (`happened`, `battles` and `news` are empty); `throws`: the title of the folded dice.
    """

    chapters: tuple[SpanChapter, ...] = ()
    throws: str = ""


def as_plain_values(value: Any) -> Any:
    """A page or part of one as plain values for JSON: objects with field names, lists, texts, numbers."""
    if hasattr(value, "_asdict"):  # a named tuple
        return {name: as_plain_values(entry) for name, entry in value._asdict().items()}
    if isinstance(value, tuple):
        return [as_plain_values(entry) for entry in value]
    if isinstance(value, Listing):
        value = replace(value, more_text=_inflect(value.more_text, value.left_out))
    if hasattr(value, "__dataclass_fields__"):
        return {name: as_plain_values(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def map_texts(value: Any, change: Any) -> Any:
    """The same page or part with `change` applied to every text and every listing, innermost first."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple([map_texts(entry, change) for entry in value])
    if hasattr(value, "__dataclass_fields__"):
        new = {n: made for n in value.__dataclass_fields__
               if (made := map_texts(held := getattr(value, n), change)) is not held}
        value = replace(value, **new) if new else value
    return change(value)


@dataclass(frozen=True)
class RehearsedPart:
    """A part of the page of a rehearsal. `title`: its heading; `headings`, `rows`: its table; `none`: the sentence that
    stands where there are no rows.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    none: str


@dataclass(frozen=True)
class RehearsedPage:
    """What mostly happens in the rest of a turn. `lang`: its language; `title`: its heading; `about`: what it rests on;
    `sections`: its parts; `colour`, `ink`: of the heading and of what is written on it.
    """

    lang: str
    title: str
    about: tuple[str, ...]
    sections: tuple[RehearsedPart, ...]
    colour: str
    ink: str


# The page of a short mail, such as a receipt.


@dataclass(frozen=True)
class NoteHead:
    """The head of a short mail, as a report's. `name`: of its reader; `moment`; `campaign`; `for_whom`: who may read
    it; `colour`, `ink`: of the head.
    """

    name: str
    moment: str
    campaign: str
    for_whom: str
    colour: str
    ink: str


@dataclass(frozen=True)
class NotePart:
    """A part of a short mail. `title`: its heading, "" for none; `blocks`: its lines, those of a list together, each
    with whether it is a list.
    """

    title: str
    blocks: tuple[tuple[bool, tuple[str, ...]], ...]


# The page of an experiment: sections of sentences, tables and charts.


NO_FACTION_S_COLOUR = "#2f4a5a"
"""The colour of its head."""


@dataclass(frozen=True)
class FigureCell:
    """A cell with a `text`. `number`: it is set to the right; `bar`: a bar of so many per cent behind it, None for
    none.
    """

    text: str
    number: bool = False
    bar: int | None = None


@dataclass(frozen=True)
class Grid:
    """A table. `heads`: the heading of each column; `rows`: its cells; `note`: a sentence below it, "" for none."""

    heads: tuple[str, ...]
    rows: tuple[tuple[FigureCell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class ChartDrawing:
    """A chart. `svg`: of our own making; `alt`: what it shows, in words."""

    svg: str
    alt: str


@dataclass(frozen=True)
class ExperimentSection:
    """A part of the page. `title`, then `lines`: its sentences, `grids`: its tables, and `drawings`: its charts."""

    title: str
    lines: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    drawings: tuple[ChartDrawing, ...] = ()


@dataclass(frozen=True)
class ExperimentPage:
    """The whole page. `lang`: its language; `name`: what it is, `campaign`: of what; `about`: sentences of its head;
    `warning`: why it is not to be trusted, "" if it is; `sections`: its parts; `foot`: the sentences at its end;
    `colour`, `ink`: of its head.
    """

    lang: str
    name: str
    campaign: str
    about: tuple[str, ...]
    warning: str
    sections: tuple[ExperimentSection, ...]
    foot: tuple[str, ...]
    colour: str = NO_FACTION_S_COLOUR
    ink: str = "#ffffff"
