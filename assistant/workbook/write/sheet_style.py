"""Colours, fonts, borders and drop-downs of our sheets; the lines and settings of the sheet Desk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Edit, Ref
from assistant.campaign.records import Army, Desk, Faction, Node, Order
from assistant.campaign.tables import Record
from assistant.pictures.colours import ink_on
from assistant.turn.dice import REFEREE
from assistant.turn.numbers import Switch
from assistant.turn.orders.verbs import Verb
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording, campaign_title
from assistant.workbook.layout import (
    HEADING_ROW,
    SPARE_ROWS,
    in_sheet_order,
    label,
    list_name,
    number_format,
    records_with_sheet,
    sheet_about,
    sheet_columns,
    sheet_title,
    table_name,
    typed_heading,
)
from assistant.workbook.ooxml.cells import letters_of, quoted
from assistant.workbook.ooxml.xml_tree import storable
from assistant.workbook.port import DeskLines, EditableSheet, Editor, WorkbookSource
from assistant.workbook.read.grid import cell_value

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
        def dress(style: Any) -> None:
            style.fill = self.solid(background)
            style.font = self.text(size, colour, bold=bold)
            style.alignment = self.alignment(horizontal="left", vertical="center", indent=1)

        self._dress(cell, ("band", size, colour, background, bold), dress)

    def heading(self, cell: Any, edit: Edit) -> None:
        """The heading of a column, coloured by who may write beneath it."""
        def dress(style: Any) -> None:
            style.fill = self.solid(HEADING_COLOURS[edit])
            style.font = self.text(10.5, PAPER, bold=True)
            style.alignment = self.alignment(vertical="center", wrap_text=True, horizontal="left", indent=1)
            style.border = self.border(right=self.side(style="thin", color=PAPER))

        self._dress(cell, ("heading", edit), dress)

    def body(self, cell: Any, edit: Edit, number_format: str, side: str, *, wrap: bool) -> None:
        """A cell of a table: tinted by who may write there, unlocked where people may.

        `side`: left, right, center or general, as Excel names the alignments.
        """
        def dress(style: Any) -> None:
            style.fill = self.solid(TINTS[edit])
            style.font = self.text(10.5)
            style.border = self.hairline
            style.number_format = number_format
            style.alignment = self.alignment(vertical="center", wrap_text=wrap, horizontal=side,
                                             indent=1 if side in ("left", "right") else 0)
            style.protection = self.protection(locked=edit == "assistant")

        self._dress(cell, ("body", edit, number_format, side, wrap), dress)

    def begin_sheet(self, ws: Any, colour: str, title: str, about: str) -> None:
        """A new sheet with a title and a sentence under it. `colour`: of its tab."""
        ws.sheet_view.showGridLines = False
        ws.sheet_properties.tabColor = colour
        ws.cell(1, 1, title)
        ws.cell(2, 1, about)
        ws.row_dimensions[1].height, ws.row_dimensions[2].height, ws.row_dimensions[3].height = 30, 20, 6

    def begin_column(self, ws: Any, i: int, head: str, edit: Edit, width: float) -> Any:
        """A column of such a sheet: its part of the bands of title and sentence, its width, and its heading, which is
        returned.
        """
        self.band(ws.cell(1, i), 18)
        self.band(ws.cell(2, i), 10.5, "DDE4EC", bold=False)
        cell = ws.cell(HEADING_ROW, i, head)
        self.heading(cell, edit)
        ws.column_dimensions[cell.column_letter].width = width
        return cell


LINE_POINTS = 14.5


def height_for(texts: Iterable[tuple[float, str]]) -> float:
    """The height (points) that a row needs for its wrapped texts (width of the column in characters, text).

    0 for a row that needs one line: no program adjusts heights on opening, and such a row keeps its height.
    """
    lines = 1
    for width, text in texts:
        room = max(6, int(1.08 * (width - 1)))  # a letter is a little narrower than the digit that widths count
        lines = max(lines, sum(max(1, -(-len(part) // room)) for part in text.split("\n")))
    # Excel has no row of more than 409 points
    return min(400, 4 + LINE_POINTS * lines) if lines > 1 else 0


def fit_row(ws: Any, row: int, texts: dict[int, str]) -> None:
    """Make a row of a new sheet as high as its wrapped texts need (column number -> text)."""
    def width(i: int) -> float:
        letter = letters_of(i)
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


def set_page(ws: Any, orientation: str, across: int, down: int = 0) -> None:
    """Print a sheet on A4, on so many pages across and down (0: as many as it needs)."""
    ws.page_setup.orientation, ws.page_setup.paperSize = orientation, ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = across, down
    ws.sheet_properties.pageSetUpPr.fitToPage = True


def define_name(book: Any, name: str, text: str) -> None:
    """Define a name of a new workbook."""
    from openpyxl.workbook.defined_name import DefinedName

    book.defined_names[name] = DefinedName(name, attr_text=text)


def input_rule(formula: str, heading: str, hint: str) -> Any:
    """A rule for what is typed into cells: a drop-down, where there is a formula for it, and a hint."""
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = DataValidation(type="list" if formula else None, formula1=formula or None, allow_blank=True)
    if hint:
        rule.showInputMessage = True
        # Excel takes no longer ones
        rule.promptTitle, rule.prompt = heading[:32], hint[:255]
    return rule


def solid_fill(colour: str) -> str:
    """A fill of one colour (``RRGGBB``) as the styles of a workbook have it."""
    return (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{colour}"/><bgColor rgb="FF{colour}"/>'
            "</patternFill></fill>")


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
BETWEEN_KEYS = "|"
"""Between verb and unit in the key of what a unit may have in a column."""


def _tables_by_column(ruleset: Ruleset) -> dict[str, dict[str, list[Verb]]]:
    """Column -> the tables that verbs use there, the most used first -> those verbs."""
    tables: dict[str, dict[str, list[Verb]]] = {}
    for verb in ruleset.verbs.values():
        for name, kind in verb.kinds.items():
            for record in kind.tables()[:1]:
                tables.setdefault(name, {}).setdefault(record.sheet, []).append(verb)
    return {name: dict(sorted(by_table.items(), key=lambda pair: -len(pair[1]))) for name, by_table in tables.items()}


def _list_name(column: str, verb: str) -> str:
    return f"list_{column}_{verb.replace(' ', '_')}"


UnitChoices = Mapping[str, Mapping[tuple[str, str], Sequence[str]]]
"""Column of Orders -> word of a verb and unit -> what that unit may have there."""


class DropDownLists:
    """Drop-down lists of one workbook, created as columns ask for them. `offers`: column of Orders -> the words that it
    offers here, if they are fewer than the rulebook's; `by_unit`: what it offers in a row with a verb and a unit.
    """

    def __init__(self, book: Any, ruleset: Ruleset, campaign: Campaign, lang: str, title: str = "",
                 offers: Mapping[str, Sequence[str]] = MappingProxyType({}),
                 by_unit: UnitChoices = MappingProxyType({})) -> None:
        self._book, self._ruleset, self._lang = book, ruleset, lang
        self._title = title or label("lists", lang)
        self._words: dict[str, list[str]] = {}
        phases = ruleset.phase_ids(campaign)
        self._phases = list(dict.fromkeys(word for p in phases if (word := ruleset.phase(p).orders)))
        if len(self._phases) == 1 and self._phases[0] not in phases:  # a whole turn is ordered under one word
            self._phases = [ruleset.phase_word(self._phases[0], lang)]
        self.wanted = {list_name(c.kind.table) for r in ruleset.records for c in r.columns()
                        if c.kind.table} | {list_name(s) for s in SUGGESTED_TABLES.values()}
        """The defined names that drop-downs use for codes of tables."""
        self._by_verb = _tables_by_column(ruleset)
        self._soft = SUGGESTED_TABLES | {name: next(iter(tables)) for name, tables in self._by_verb.items()}
        self.wanted |= {list_name(sheet) for tables in self._by_verb.values() for sheet in tables}
        self._offers, self._by_unit = offers, by_unit
        self._bare = {sheet for sheet, table in campaign.tables().items() if offers and not len(table)}
        """The tables that have no sheet in a copy."""

    def of_table(self, sheet: str) -> str:
        """The drop-down of a table's codes; "" where the ruleset has no such table."""
        return f"={list_name(sheet)}" if sheet in {r.sheet for r in self._ruleset.records} else ""

    def of_words(self, c: Column) -> str:
        """The drop-down of a flag's or a choice's words in the campaign's language."""
        words = [c.word(code, self._lang) for code in c.kind.words]
        if sum(map(len, words)) + len(words) <= INLINE and not any("," in w or '"' in w for w in words):
            return '"' + ",".join(words) + '"'
        return self._list_formula(f"list_{c.name}_{len(self._words)}", words)

    def of_orders(self, name: str, first: Mapping[str, str] = MappingProxyType({})) -> str:
        """The drop-down of an Orders column: verbs, phases, what the row's unit may have there, options of the row's
        verb, or codes of a table that fit. `first`: column -> its cell in the first row.
        """
        usual, verb = self._of_column(name, first.get("verb", "")), first.get("verb", "")
        actors = [column for column in self._actors(name) if column in first]
        if name not in self._by_unit or not verb or not actors:
            return usual
        keys, key = _list_name("legal", name), f'{verb}&"{BETWEEN_KEYS}"&{first[actors[0]]}'
        own = f"OFFSET({keys},MATCH({key},{keys},0)-1,1,COUNTIF({keys},{key}),1)"
        whole = f"=IF(COUNTIF({keys},{key}),{own},{usual[1:] or f'OFFSET({keys},ROWS({keys}),1,1,1)'})"
        return whole if len(whole) <= LONGEST else usual

    def _actors(self, name: str) -> list[str]:
        """The columns in which the verbs that have a column say who acts, the most used first."""
        actors = [verb.actor for verb in self._ruleset.verbs.values() if name in verb.kinds and verb.actor]
        return sorted(dict.fromkeys(actor for actor in actors if actor != name), key=lambda actor: -actors.count(actor))

    def _of_column(self, name: str, verb: str) -> str:
        if name in self._offers:
            return self._list_formula(f"list_{name}", list(self._offers[name]))
        verbs = self._ruleset.verbs.values()
        if name == "verb":
            return self._list_formula("list_verbs", [verb.word(self._lang) for verb in verbs])
        if name == "phase":
            return self._list_formula("list_phases", self._phases)
        words = {verb.word(self._lang): verb.options()[name] for verb in verbs if name in verb.options()}
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
            words = self._list_formula(_list_name(name, f"of_{sheet}"), [verb.word(self._lang) for verb in verbs])
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
        switches = [number
                    for number in self._ruleset.numbers if isinstance(number, Switch) and len(number.options) > 1]
        for switch in switches:
            self._words[_list_name("value", switch.key)] = called(switch)
        return f'=INDIRECT("{_list_name("value", "")}"&{key})' if switches else ""

    def _list_formula(self, name: str, words: list[str]) -> str:
        if not words:
            return ""
        for known, other in self._words.items():
            if other == words:
                return f"={known}"
        self._words[name] = words
        return f"={name}"

    def point(self, sheet: str, title: str, letter: str, first: int, last: int) -> None:
        """Define the name of a table's codes: from its first row to its last filled one."""
        column = f"{quoted(title)}!${letter}${first}:${letter}${last}"
        define_name(self._book, list_name(sheet),
                    f"OFFSET({quoted(title)}!${letter}${first},0,0,MAX(1,COUNTA({column})),1)")

    def write(self) -> None:
        """Write the words to their hidden sheet and define their names."""
        ws = self._book.create_sheet(self._title)
        ws.sheet_state = "hidden"
        columns: dict[tuple[str, ...], int] = {}
        for name, words in self._words.items():
            known = columns.get(tuple(words))
            i = known or len(columns) + 1
            letter = letters_of(i)
            define_name(self._book, name, f"'{ws.title}'!${letter}$2:${letter}${len(words) + 1}")
            if known:
                continue
            columns[tuple(words)] = i
            ws.cell(1, i, name)
            for number, word in enumerate(words, 2):
                cell = ws.cell(number, i, word)
                # a word that begins with = is no formula
                cell.data_type = "s"
        for place, (name, choices) in enumerate(self._by_unit.items()):
            self._write_choices(ws, len(columns) + 1 + 2 * place, name, choices)

    def _write_choices(self, ws: Any, column: int, name: str, choices: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """Write the keys of what a column offers and the choices beside them, and define the name of the keys."""
        rows = [(BETWEEN_KEYS.join(key), choice) for key, offered in choices.items() for choice in offered]
        letter = letters_of(column)
        define_name(self._book, _list_name("legal", name), f"'{ws.title}'!${letter}$2:${letter}${len(rows) + 1}")
        ws.cell(1, column, _list_name("legal", name))
        for number, row in enumerate(rows, 2):
            for cell, text in zip((ws.cell(number, column), ws.cell(number, column + 1)), row, strict=True):
                cell.value, cell.data_type = text, "s"


# The Desk's lines.


STEPS, OUTCOME_LINES = 6, 5
LETTERS_PER_UNIT = 1.0
"""How many letters of a usual text stand in one unit of a column's width."""
USUAL_CHARS = 60
LONGEST_TEXT = 2_000
LONGEST_BADGE = 12
"""A list of factions that is longer is shown as their number."""


def shown_title(ruleset: Ruleset, desk: Desk) -> str:
    """The campaign's title as the Desk shows it, in the workbook's language."""
    return str(campaign_title(desk, Wording(ruleset, desk.language)))


def write_lines(editing: Editor, lines: DeskLines, ruleset: Ruleset, campaign: Campaign) -> None:
    """Write the Desk's lines into the places marked by its defined names; a place that is gone is skipped.

    Raises `Unsafe`.
    """
    lang = campaign.desk.language
    desk = _DeskPlaces(editing, lang)
    if campaign.desk.title:
        desk.put("desk_title", shown_title(ruleset, campaign.desk))
    desk.put("desk_where", lines.where)
    apart = bool(desk.cells("desk_wrong"))
    steps = lines.next_steps if apart else (*lines.wrong, *lines.next_steps)  # an older Desk has no place for these
    desk.fill("desk_next", [f"{n}.  {text}" for n, text in enumerate(steps, 1)])
    desk.fill("desk_outcome", list(lines.outcome) or [label("no_outcome", lang)])
    desk.fill("desk_wrong", list(lines.wrong) or [label("nothing_wrong", lang)])
    _write_awaited(editing.book, desk, lines, campaign)
    desk.fit()


MORE_LINES = 2
"""How many lines the texts of a block may need beyond one a row: then all stays in sight on a small screen."""


def fit_texts(texts: list[str], room: int, lang: str, chars: int) -> list[str]:
    """As many texts as there is room for, at least one; the last line says how many more there are. `room`: of rows;
    `chars`: how many letters fit on a line.
    """
    def fits(n: int) -> bool:
        more = int(n < len(texts))
        return n + more <= room and sum(line_count(text, chars) for text in texts[:n]) + more <= room + MORE_LINES

    shown = next((n for n in range(min(len(texts), room), 1, -1) if fits(n)), 1)
    more = len(texts) - shown
    return [*texts[:shown], label("and_more", lang).format(n=more)] if more > 0 else texts


def line_count(text: str, chars: int) -> int:
    """How many lines a text needs."""
    return max(1, -(-len(text) // chars))


def line_chars(width: Callable[[int], float], column: int, columns: int) -> int:
    """How many letters fit on a line of a cell over so many columns. `width`: of a column, 0 if not known."""
    units = sum(width(column + i) for i in range(columns))
    return max(20, int(LETTERS_PER_UNIT * units)) if units else USUAL_CHARS


def row_points(lines: int) -> float:
    """The height of a row of the Desk with so many lines of text."""
    return 3 + 14 * max(1, lines)


class _DeskPlaces:
    """The places on the Desk, by their defined names."""

    def __init__(self, editing: Editor, lang: str) -> None:
        self._editing, self._lang = editing, lang
        self._lines: dict[tuple[str, int], int] = {}

    def cells(self, name: str) -> list[tuple[EditableSheet, int, int]]:
        """The cells (sheet, row, column) of a name, from top to bottom; [] if the name or its sheet is gone."""
        place = self._editing.book.places(name)
        if place is None:
            return []
        title, area = place
        return [(self._editing.sheet(title), row, area.left) for row in range(area.top, area.bottom + 1)]

    def put(self, name: str, text: str) -> None:
        """Write a text into its row, which keeps its height."""
        for sheet, row, column in self.cells(name):
            sheet.put(row, column, text[:LONGEST_TEXT] or None)

    def fill(self, name: str, texts: list[str]) -> None:
        """Write texts from top to bottom, each over two columns; the last line says how many find no room."""
        cells = self.cells(name)
        if not cells:
            return
        chars = line_chars(cells[0][0].width, cells[0][2], 2)
        shown = fit_texts(texts, len(cells), self._lang, chars)
        for i, (sheet, row, column) in enumerate(cells):
            text = shown[i] if i < len(shown) else ""
            sheet.put(row, column, text[:LONGEST_TEXT] or None)
            self.high(sheet, row, text, chars)

    def high(self, sheet: EditableSheet, row: int, text: str, chars: int) -> None:
        """Note how many lines a row needs."""
        key = (sheet.title, row)
        self._lines[key] = max(self._lines.get(key, 1), line_count(text, chars))

    def fit(self) -> None:
        """Set the heights that the rows need."""
        for (title, row), count in self._lines.items():
            self._editing.sheet(title).height(row, row_points(count))


def _write_awaited(book: WorkbookSource, desk: _DeskPlaces, lines: DeskLines, campaign: Campaign) -> None:
    lang = campaign.desk.language
    colours: Mapping[str, str] = {f.faction: f.colour for f in campaign.table(Faction)}
    cells = desk.cells("desk_awaited")
    people = list(lines.awaited)
    room = len(cells) if len(people) <= len(cells) else len(cells) - 1
    for i, (sheet, row, column) in enumerate(cells):
        who, what = people[i] if i < min(len(people), room) else ("", "")
        if i == room and len(people) > room:
            what = label("and_more", lang).format(n=len(people) - room)
        if not people and i == 0:
            what = label("nobody", lang)
        look = badge_style(book, sheet.style(row, column), colours.get(who, BAND if who else ""))
        sheet.put(row, column, _badge(who, lang), style=look)
        sheet.put(row, column + 1, what[:LONGEST_TEXT] or None)
        desk.high(sheet, row, what, line_chars(sheet.width, column + 1, 1))


def _badge(who: str, lang: str) -> str | None:
    """What a badge says: a faction, the referee, or several factions, by their number where the list is long."""
    codes = who.split()
    shown = label("referee", lang) if who == REFEREE else ", ".join(codes)
    return (shown if len(shown) <= LONGEST_BADGE else str(len(codes))) or None


def badge_style(book: WorkbookSource, style: int, colour: str) -> int:
    """The style of a cell that shows a faction in its colour (``#rrggbb``; "" for a cell without a faction)."""
    plain = colour.lstrip("#").upper()
    font = (f'<font><b val="1"/><sz val="11"/><color rgb="FF{legible_on(colour) if colour else INK}"/>'
            f'<name val="{FONT}"/></font>')  # in the order that the schema has
    fill = solid_fill(plain) if colour else '<fill><patternFill patternType="none"/></fill>'
    edge = f'<bottom style="medium"><color rgb="FF{PAPER}"/></bottom>' if colour else "<bottom/>"
    border = f"<border><left/><right/><top/>{edge}<diagonal/></border>"
    return book.styles.like(style, font=font.encode(), fill=fill.encode(), border=border.encode())


# The Desk sheet of a new workbook.


WIDTHS = {"A": 1.5, "B": 27, "C": 28, "D": 2, "E": 14, "F": 43, "G": 1.5}
"""Seven columns that a screen of 1,280 dots shows beside each other, even where a wider font stands in for ours."""
HEIGHTS = {1: 4, 2: 28, 3: 16, 4: 3, 5: 4, 6: 28, 7: 4}
WHERE_ROW, BLOCK_ROW = 6, 8
LINES = STEPS + 1 + OUTCOME_LINES
LOWER_ROW = BLOCK_ROW + STEPS + 1
"""The row of the lower headings: the last outcome, and what is wrong."""

LEGEND_ROW = BLOCK_ROW + LINES + 2
SETTINGS_ROW = LEGEND_ROW + 6
_PLACES = {
    "desk_title": "$B$2",
    "desk_where": f"$B${WHERE_ROW}",
    "desk_next": f"$B${BLOCK_ROW + 1}:$B${BLOCK_ROW + STEPS}",
    "desk_outcome": f"$B${LOWER_ROW + 1}:$B${LOWER_ROW + OUTCOME_LINES}",
    "desk_awaited": f"$E${BLOCK_ROW + 1}:$E${BLOCK_ROW + STEPS}",
    "desk_wrong": f"$E${LOWER_ROW + 1}:$E${LOWER_ROW + OUTCOME_LINES}",
}
_COPY_PLACES = {name: place for name, place in _PLACES.items() if name != "desk_wrong"} | {
    "desk_awaited": f"$E${BLOCK_ROW + 1}:$E${BLOCK_ROW + LINES}"}
"""In a club's copy nothing is said to be wrong: it has more room for who is awaited."""


def build_desk(book: Any, look: SheetLook, lists: DropDownLists, ruleset: Ruleset, campaign: Campaign,
               titles: Mapping[str, str] = MappingProxyType({}), card: str = "",
               records: Iterable[type[Record]] | None = None, *, club: bool = False) -> None:
    """Create the Desk as the first sheet of a new workbook; its lines are written later.

    `titles`: of sheets whose title differs from the rulebook's, by English name. `card`: the title of the order card,
    if there is one. `records`: those with a sheet (default: the rulebook's); `club`: it is a club's copy, in which the
    referee has nothing to write.
    """
    desk = campaign.desk
    lang = desk.language
    ws = book.create_sheet(titles.get(Desk.sheet) or sheet_title(type(desk), lang), 0)
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = GOLD
    for letter, width in WIDTHS.items():
        ws.column_dimensions[letter].width = width
    _write_bands(ws, look, ruleset, desk)
    _write_blocks(ws, look, lang, club)
    _write_legend(ws, look, lang, club)
    shown = in_sheet_order(records_with_sheet(ruleset.records, campaign)) if records is None else records
    _write_contents(ws, look, shown, lang, titles, card, club=club)
    _write_settings(ws, look, lists, desk, lang, club)
    for name, place in (_COPY_PLACES if club else _PLACES).items():
        define_name(book, name, f"{quoted(ws.title)}!{place}")
    set_page(ws, "portrait", 1, 1)
    # the marks of changes grow far beyond these columns in a year of play
    ws.print_area = f"A1:{max(WIDTHS)}{ws.max_row}"


def _write_bands(ws: Any, look: SheetLook, ruleset: Ruleset, desk: Desk) -> None:
    for column in range(1, 8):
        for row, size in ((1, 8), (2, 19), (3, 10)):
            look.band(ws.cell(row, column), size, "DDE4EC" if row == 3 else PAPER, bold=row == 2)
        ws.cell(4, column).fill = look.solid(GOLD)
        if 2 <= column <= 6:
            ws.cell(WHERE_ROW, column).fill = look.solid("EEF2F6")
    for row, height in HEIGHTS.items():
        ws.row_dimensions[row].height = height
    put_text_safely(ws["B2"], shown_title(ruleset, desk))
    put_text_safely(ws["B3"], ruleset.title)
    ws.cell(WHERE_ROW, 2).font = look.text(15, BAND, bold=True)
    ws.cell(WHERE_ROW, 2).alignment = look.alignment(horizontal="left", vertical="center", indent=1)


def _write_section(ws: Any, look: SheetLook, row: int, first: int, last: int, text: str) -> None:
    for column in range(first, last + 1):
        ws.cell(row, column).border = look.border(bottom=look.side(style="medium", color=GOLD))
    cell = ws.cell(row, first, text)
    cell.font = look.text(12, BAND, bold=True)
    ws.row_dimensions[row].height = 20


def _write_blocks(ws: Any, look: SheetLook, lang: str, club: bool) -> None:
    _write_section(ws, look, BLOCK_ROW, 2, 3, label("next", lang))
    _write_section(ws, look, BLOCK_ROW, 5, 6, label("awaited", lang))
    _write_section(ws, look, LOWER_ROW, 2, 3, label("outcome", lang))
    if not club:
        _write_section(ws, look, LOWER_ROW, 5, 6, label("wrong", lang))
    wrap = look.alignment(horizontal="left", vertical="center", wrap_text=True)
    for row in range(BLOCK_ROW + 1, BLOCK_ROW + LINES + 1):
        if row != LOWER_ROW:
            ws.merge_cells(start_row=row, end_row=row, start_column=2, end_column=3)
            ws.cell(row, 2).font, ws.cell(row, 2).alignment = look.text(10.5), wrap
            ws.row_dimensions[row].height = row_points(1)
        if row > LOWER_ROW and not club:
            ws.merge_cells(start_row=row, end_row=row, start_column=5, end_column=6)
            ws.cell(row, 5).font, ws.cell(row, 5).alignment = look.text(10.5), wrap
        elif row != LOWER_ROW or club:
            ws.cell(row, 5).alignment = look.alignment(horizontal="center", vertical="center")
            ws.cell(row, 6).font, ws.cell(row, 6).alignment = look.text(10.5), look.alignment(
                horizontal="left", vertical="center", wrap_text=True, indent=1)


def _write_legend(ws: Any, look: SheetLook, lang: str, club: bool) -> None:
    _write_section(ws, look, LEGEND_ROW, 2, 3, label("legend", lang))
    colours = (("legend_club", TINTS["club"]), ("legend_referee", TINTS["referee"]),
               ("legend_assistant", TINTS["assistant"]), ("legend_finding", FINDING))
    for row, (key, colour) in enumerate(colours[::2] if club else colours, LEGEND_ROW + 1):
        for column in (2, 3):
            ws.cell(row, column).fill, ws.cell(row, column).border = look.solid(colour), look.hairline
        ws.merge_cells(start_row=row, end_row=row, start_column=2, end_column=3)
        ws.cell(row, 2, label(key, lang)).font = look.text(10.5)
        ws.cell(row, 2).alignment = look.alignment(horizontal="left", vertical="center", indent=1)
        ws.row_dimensions[row].height = 20


def _write_contents(ws: Any, look: SheetLook, records: Iterable[type[Record]], lang: str, titles: Mapping[str, str],
              card: str, *, club: bool) -> None:
    from openpyxl.worksheet.hyperlink import Hyperlink

    _write_section(ws, look, LEGEND_ROW, 5, 6, label("sheets", lang))
    sheets: list[tuple[str, str]] = []
    for record in records:
        if not record.single:
            about = sheet_about(record, lang, copy=club)
            sheets.append((titles.get(record.sheet) or sheet_title(record, lang), about))
            if record.sheet == Order.sheet and not titles:  # a club's own table is filled in as the club likes
                sheets.append((_to_next_row(record, lang), label("next_row_about", lang)))
        if card and record.sheet == Order.sheet:
            sheets.append((card, label("card_about", lang)))
    for row, (title, about) in enumerate(sheets, LEGEND_ROW + 1):
        cell = ws.cell(row, 5, title)
        if title.startswith("="):
            cell.value = title
        else:
            cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(title)}!A1", display=title)
        cell.font = look.font(name="Calibri", size=11, color="2C6391", underline="single")
        told = ws.cell(row, 6, about)
        told.font = look.text(10, MUTED)
        told.alignment = look.alignment(horizontal="left", vertical="center", indent=1, wrap_text=True)
        cell.alignment = look.alignment(vertical="center")
        ws.row_dimensions[row].height = max(20, row_points(-(-len(about) // int(WIDTHS["F"] * LETTERS_PER_UNIT))))


def _to_next_row(record: type[Record], lang: str) -> str:
    """The formula of a link to the first row below all filled rows of a table."""
    shown = sheet_columns(record, lang)
    names = [column.name for column in shown]
    filled = [letters_of(i)
              for i, column in enumerate(shown, 1) if column.column is not None and column.edit == "club"]

    def area(first: str, last: str) -> str:
        return f"'{sheet_title(record, lang)}'!${first}${HEADING_ROW + 1}:${last}${HEADING_ROW + SPARE_ROWS}"

    where, numbers = letters_of(names.index("faction") + 1), f"ROW({area(filled[0], filled[0])})"
    last = f'SUMPRODUCT(MAX(({area(filled[0], filled[-1])}<>"")*({numbers}-{HEADING_ROW})))'
    return f'=HYPERLINK("#"&CELL("address",INDEX({area(where, where)},1+{last})),"{label("next_row", lang)}")'


def _write_settings(ws: Any, look: SheetLook, lists: DropDownLists, desk: Desk, lang: str, club: bool) -> None:
    from openpyxl.worksheet.table import Table, TableStyleInfo

    _write_section(ws, look, SETTINGS_ROW, 2, 3, label("settings", lang))
    top = SETTINGS_ROW + 1
    look.heading(ws.cell(top, 2, label("setting", lang)), "assistant")
    look.heading(ws.cell(top, 3, typed_heading(label("value", lang), "referee")), "assistant")
    columns = [c for c in desk.columns() if not club or not c.quiet or c.tells(getattr(desk, c.name))]
    for row, c in enumerate(columns, top + 1):
        name, value = ws.cell(row, 2, c.heading(lang)), ws.cell(row, 3)
        name.font, name.border = look.text(10.5, INK, bold=True), look.hairline
        name.alignment = look.alignment(horizontal="left", vertical="center", indent=1)
        edit = "assistant" if club else c.edit
        look.body(value, edit, number_format(c), "left", wrap=False)
        put_text_safely(value, cell_value(c, getattr(desk, c.name), lang))
        ws.row_dimensions[row].height = max(20, ws.row_dimensions[row].height or 0)
        if edit == "assistant":
            continue
        formula = lists.of_table(c.kind.table) if isinstance(c.kind, Ref) else (
            lists.of_words(c) if c.kind.words else "")
        if formula or c.hint(lang):
            validation = input_rule(formula, c.heading(lang), c.hint(lang))
            validation.showErrorMessage = bool(formula)
            validation.error = label("invalid", lang)
            validation.add(value.coordinate)
            ws.add_data_validation(validation)
    table = Table(displayName=table_name(type(desk)), ref=f"B{top}:C{top + len(columns)}")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
    table.autoFilter = None
    ws.add_table(table)
