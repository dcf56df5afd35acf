"""Colours, fonts, borders and drop-downs of our sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Column, Edit, Flag, Ref
from assistant.campaign.records import Army, Faction, Node
from assistant.colours import ink_on
from assistant.turn.numbers import Switch
from assistant.turn.orders.verbs import Verb
from assistant.turn.ruleset import Ruleset
from assistant.workbook.layout import label, list_name
from assistant.workbook.ooxml.xml_tree import storable

# The look of our sheets.


INK = "1F2A37"
PAPER = "FFFFFF"
MUTED = "6B7280"
LINE = "D9DEE4"
BAND = "22344A"
GOLD = "C9A24B"
FINDING = "FFC7B8"
"""The swatch in the legend."""
MARK_FILL = "FFC7B7"
"""Colour of marked cells. No eye can tell it from the swatch, but we can: so marks are removed by their colour even if
their note is gone, and the swatch, or a cell that a club coloured like that, stays.
"""
HEADING_COLOURS: dict[Edit, str] = {"club": "A86A12", "referee": "2C6391", "assistant": "55606E"}
TINTS: dict[Edit, str] = {"club": "FFF8E1", "referee": "EAF2FA", "assistant": "F0F2F4"}
FONT = "Calibri"


def legible_on(background: str) -> str:
    """Ink, paper, black or white, whichever is readable on a background; as ``rrggbb``."""
    return ink_on(background, (PAPER, INK)).lstrip("#").upper()


class SheetLook:
    """Styles as openpyxl objects, made once per workbook."""

    def __init__(self) -> None:
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

        self.font, self.fill, self.alignment, self.border, self.side = Font, PatternFill, Alignment, Border, Side
        self.protection = Protection
        self._known: dict[tuple[Any, ...], Any] = {}

    def _dress(self, cell: Any, role: tuple[Any, ...], dress: Callable[[Any], None]) -> None:
        """Give a cell the style of a role, which is built only for the first such cell."""
        if cell.has_style:
            dress(cell)
        elif role in self._known:
            cell._style = copy(self._known[role])
        else:
            dress(cell)
            self._known[role] = copy(cell._style)

    def solid(self, colour: str) -> Any:
        """A fill of one colour."""
        return self.fill("solid", start_color=colour.lstrip("#").upper(), end_color=colour.lstrip("#").upper())

    def text(self, size: float = 11, colour: str = INK, *, bold: bool = False, italic: bool = False) -> Any:
        """A font."""
        return self.font(name=FONT, size=size, color=colour, bold=bold, italic=italic)

    @cached_property
    def hairline(self) -> Any:
        """Thin light lines below and beside a cell."""
        thin = self.side(style="thin", color=LINE)
        return self.border(bottom=thin, left=thin, right=thin)

    def band(self, cell: Any, size: float, colour: str = PAPER, background: str = BAND, *, bold: bool = True) -> None:
        """A cell of a title band."""
        def dress(one: Any) -> None:
            one.fill = self.solid(background)
            one.font = self.text(size, colour, bold=bold)
            one.alignment = self.alignment(horizontal="left", vertical="center", indent=1)

        self._dress(cell, ("band", size, colour, background, bold), dress)

    def heading(self, cell: Any, edit: Edit) -> None:
        """The heading of a column, coloured by who may write beneath it."""
        def dress(one: Any) -> None:
            one.fill = self.solid(HEADING_COLOURS[edit])
            one.font = self.text(10.5, PAPER, bold=True)
            one.alignment = self.alignment(vertical="center", wrap_text=True, horizontal="left", indent=1)
            one.border = self.border(right=self.side(style="thin", color=PAPER))

        self._dress(cell, ("heading", edit), dress)

    def body(self, cell: Any, edit: Edit, number_format: str, side: str, *, wrap: bool) -> None:
        """A cell of a table: tinted by who may write there, unlocked where people may.

        `side`: left, right, center or general, as Excel names the alignments.
        """
        def dress(one: Any) -> None:
            one.fill = self.solid(TINTS[edit])
            one.font = self.text(10.5)
            one.border = self.hairline
            one.number_format = number_format
            one.alignment = self.alignment(vertical="center", wrap_text=wrap, horizontal=side,
                                           indent=1 if side in ("left", "right") else 0)
            one.protection = self.protection(locked=edit == "assistant")

        self._dress(cell, ("body", edit, number_format, side, wrap), dress)


LINE_POINTS = 14.5


def height_for(texts: Iterable[tuple[float, str]]) -> float:
    """The height (points) that a row needs for its wrapped texts (width of the column in characters, text).

    0 for a row that needs one line: no program adjusts heights on opening, and such a row keeps its height.
    """
    lines = 1
    for width, text in texts:
        room = max(6, int(1.08 * (width - 1)))  # a letter is a little narrower than the digit that widths count
        lines = max(lines, sum(max(1, -(-len(part) // room)) for part in text.split("\n")))
    return min(400, 4 + LINE_POINTS * lines) if lines > 1 else 0


def fit_row(ws: Any, row: int, texts: dict[int, str]) -> None:
    """Make a row of a new sheet as high as its wrapped texts need (column number -> text)."""
    from openpyxl.utils import get_column_letter

    def width(i: int) -> float:
        letter = get_column_letter(i)
        return float(ws.column_dimensions[letter].width) if letter in ws.column_dimensions else 13

    points = height_for((width(i), text) for i, text in texts.items())
    if points:
        ws.row_dimensions[row].height = points


RISKY = ("=", "+", "-", "@")


def put_text_safely(cell: Any, value: float | str | None) -> None:
    """Put a value into a cell of a new sheet: text always as text, never as a formula."""
    cell.value = storable(value) if isinstance(value, str) else value
    if isinstance(value, str):
        cell.data_type = "s"
        if value.startswith(RISKY):
            cell.quotePrefix = True  # so that typing into the cell later makes no formula of it either


def colour_rules(look: SheetLook, colours: dict[str, str]) -> list[Any]:
    """Conditional formats that give each code its colour with legible text (code -> ``#rrggbb``)."""
    from openpyxl.formatting.rule import CellIsRule

    return [
        CellIsRule(operator="equal", formula=['"' + code.replace('"', '""') + '"'], fill=_dxf_fill(look, colour),
                   font=look.font(color=legible_on(colour), bold=True))  # type: ignore[no-untyped-call]
        for code, colour in colours.items()
    ]


def _dxf_fill(look: SheetLook, colour: str) -> Any:
    plain = colour.lstrip("#").upper()
    return look.fill("solid", start_color=plain, end_color=plain, bgColor=plain)


# Drop-downs.


SUGGESTED_TABLES = {"unit": Army.sheet, "target": Node.sheet, "partner": Faction.sheet}
"""Free-text columns of orders whose drop-down offers the codes of a table if the verbs say no more; other words stay
allowed.
"""
INLINE = 200
LONGEST = 255
"""Longest formula of a drop-down in Excel, in characters."""
LISTS_SHEET = "Lists"


def _tables_by_column(ruleset: Ruleset) -> dict[str, dict[str, list[Verb]]]:
    """Column -> the tables that verbs use there, the most used first -> those verbs."""
    found: dict[str, dict[str, list[Verb]]] = {}
    for verb in ruleset.verbs.values():
        for name, kind in verb.kinds.items():
            for record in kind.tables()[:1]:
                found.setdefault(name, {}).setdefault(record.sheet, []).append(verb)
    return {name: dict(sorted(by_table.items(), key=lambda one: -len(one[1]))) for name, by_table in found.items()}


def _list_name(column: str, verb: str) -> str:
    return f"list_{column}_{verb.replace(' ', '_')}"


class DropDownLists:
    """Drop-down lists of one workbook, created as columns ask for them. `offers`: column of Orders -> the words that it
    offers here, if they are fewer than the rulebook's.
    """

    def __init__(self, book: Any, ruleset: Ruleset, campaign: Campaign, lang: str, title: str = "",
                 offers: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
        self._book, self._ruleset, self._lang = book, ruleset, lang
        self._title = title or label("lists", lang)
        self._words: dict[str, list[str]] = {}
        phases = ruleset.phase_ids(campaign)
        self._phases = list(dict.fromkeys(word for p in phases if (word := ruleset.phase(p).orders)))
        if len(self._phases) == 1 and self._phases[0] not in phases:  # a whole turn is ordered under one word
            self._phases = [ruleset.phase_word(self._phases[0], lang)]
        self._wanted = {list_name(c.kind.table) for r in ruleset.records for c in r.columns()
                        if isinstance(c.kind, (Ref, Codes))} | {list_name(s) for s in SUGGESTED_TABLES.values()}
        self._by_verb = _tables_by_column(ruleset)
        self._soft = SUGGESTED_TABLES | {name: next(iter(tables)) for name, tables in self._by_verb.items()}
        self._wanted |= {list_name(sheet) for tables in self._by_verb.values() for sheet in tables}
        self._offers = offers
        self._bare = {sheet for sheet, table in campaign.tables().items() if offers and not len(table)}
        """The tables that have no sheet in a copy."""

    def wanted(self) -> set[str]:
        """The defined names that drop-downs use for codes of tables."""
        return self._wanted

    def of_table(self, sheet: str) -> str:
        """The drop-down of a table's codes; "" where the ruleset has no such table."""
        return f"={list_name(sheet)}" if sheet in {r.sheet for r in self._ruleset.records} else ""

    def of_words(self, c: Column) -> str:
        """The drop-down of a flag's or a choice's words in the campaign's language."""
        if isinstance(c.kind, Flag):
            return f'"{label("yes", self._lang)},{label("no", self._lang)}"'
        assert isinstance(c.kind, Choice)
        words = [c.word(code, self._lang) for code in c.kind.options]
        if sum(map(len, words)) + len(words) <= INLINE and not any("," in w or '"' in w for w in words):
            return '"' + ",".join(words) + '"'
        return self._named(f"list_{c.name}_{len(self._words)}", words)

    def of_orders(self, name: str, verb: str = "") -> str:
        """The drop-down of an Orders column: verbs, phases, options of the row's verb, or codes of a table that fit.

        `verb`: the cell of the verb in the first row.
        """
        if name in self._offers:
            return self._named(f"list_{name}", list(self._offers[name]))
        verbs = self._ruleset.verbs.values()
        if name == "verb":
            return self._named("list_verbs", [one.word(self._lang) for one in verbs])
        if name == "phase":
            return self._named("list_phases", self._phases)
        words = {one.word(self._lang): one.options()[name] for one in verbs if name in one.options()}
        if "verb" in self._offers:
            words = {word: options for word, options in words.items() if word in self._offers["verb"]}
        for word, options in words.items():
            self._words[_list_name(name, word)] = [it if self._lang == "it" else code for code, it in options.items()]
        if words and verb:
            return f'=INDIRECT("{_list_name(name, "")}"&SUBSTITUTE({verb}," ","_"))'
        usual = self.of_table(self._soft[name]) if name in self._soft else ""
        return self._of_verbs(name, verb, usual) if usual and verb else usual

    def _of_verbs(self, name: str, verb: str, usual: str) -> str:
        """The drop-down of the codes of the table that the row's verb uses in a column; `usual`: of the one that most
        verbs use, which is offered for any other word.
        """
        branches = []
        for sheet, verbs in list(self._by_verb.get(name, {}).items())[1:]:
            if sheet in self._bare:
                continue
            words = self._named(_list_name(name, f"of_{sheet}"), [one.word(self._lang) for one in verbs])
            branches.append(f"IF(COUNTIF({words[1:]},{verb}),{list_name(sheet)},")
        whole = f"={''.join(branches)}{usual[1:]}{')' * len(branches)}"
        return whole if len(whole) <= LONGEST else usual

    def of_row(self, first: str, last: str) -> str:
        """The drop-down of the content of some cells of the row itself, from the left."""
        return f"=OFFSET({first},0,0,1,MAX(1,COUNTA({first}:{last})))"

    def of_switches(self, key: str, called: Callable[[Switch], list[str]]) -> str:
        """The drop-down of the options of the row's own switch. `key`: the cell of the key in the first row; `called`:
        gives the words for its options.
        """
        switches = [one for one in self._ruleset.numbers if isinstance(one, Switch) and len(one.options) > 1]
        for one in switches:
            self._words[_list_name("value", one.key)] = called(one)
        return f'=INDIRECT("{_list_name("value", "")}"&{key})' if switches else ""

    def _named(self, name: str, words: list[str]) -> str:
        if not words:
            return ""
        for known, other in self._words.items():
            if other == words:
                return f"={known}"
        self._words[name] = words
        return f"={name}"

    def point(self, sheet: str, title: str, letter: str, first: int, last: int) -> None:
        """Define the name of a table's codes: from its first row to its last filled one."""
        quoted = "'" + title.replace("'", "''") + "'"
        column = f"{quoted}!${letter}${first}:${letter}${last}"
        self._define(list_name(sheet), f"OFFSET({quoted}!${letter}${first},0,0,MAX(1,COUNTA({column})),1)")

    def _define(self, name: str, text: str) -> None:
        from openpyxl.workbook.defined_name import DefinedName

        self._book.defined_names[name] = DefinedName(name, attr_text=text)

    def write(self) -> None:
        """Write the words to their hidden sheet and define their names."""
        from openpyxl.utils import get_column_letter

        ws = self._book.create_sheet(self._title)
        ws.sheet_state = "hidden"
        quoted = f"'{ws.title}'"
        columns: dict[tuple[str, ...], int] = {}
        for name, words in self._words.items():
            known = columns.get(tuple(words))
            i = known or len(columns) + 1
            letter = get_column_letter(i)
            self._define(name, f"{quoted}!${letter}$2:${letter}${len(words) + 1}")
            if known:
                continue
            columns[tuple(words)] = i
            ws.cell(1, i, name)
            for number, word in enumerate(words, 2):
                cell = ws.cell(number, i, word)
                cell.data_type = "s"
