"""The look of our sheets: a role or a text in; colours, fonts, borders and heights out; one place for all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property
from typing import Any

from assistant.campaign.columns import Edit
from assistant.colours import ink_on
from assistant.workbook.ooxml.parts.xmltree import storable

INK = "1F2A37"
PAPER = "FFFFFF"
MUTED = "6B7280"
LINE = "D9DEE4"
BAND = "22344A"
GOLD = "C9A24B"
FINDING = "FFC7B8"
"""The swatch of the legend."""
MARK = "FFC7B7"
"""The cells of findings: told apart by nobody's eye from the swatch, so that marks can be taken away by their colour
where the note that stood on them is gone, and the swatch, or a cell that a club gave its colour, stays.
"""
HEADS: dict[Edit, str] = {"club": "A86A12", "referee": "2C6391", "assistant": "55606E"}
TINTS: dict[Edit, str] = {"club": "FFF8E1", "referee": "EAF2FA", "assistant": "F0F2F4"}
FONT = "Calibri"


def legible_on(background: str) -> str:
    """Ink or paper, or black or white, whichever reads well on a background; as ``rrggbb``."""
    return ink_on(background, (PAPER, INK)).lstrip("#").upper()


class Look:
    """Styles as openpyxl objects, made once a workbook."""

    def __init__(self) -> None:
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

        self.font, self.fill, self.alignment, self.border, self.side = Font, PatternFill, Alignment, Border, Side
        self.protection = Protection
        self._known: dict[tuple[Any, ...], Any] = {}

    def _dress(self, cell: Any, role: tuple[Any, ...], dress: Callable[[Any], None]) -> None:
        """Give a cell the look of a role, which is put together for the first cell of it only."""
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
            one.fill = self.solid(HEADS[edit])
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
    """How high (points) a row must be for its wrapped texts (width of the column in letters, text).

    0 for a row that needs one line: no program makes rows fit on opening, and such a row keeps its height.
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
    """Put a value into a cell of a new sheet: text always as text, never as a formula, whatever it begins with."""
    cell.value = storable(value) if isinstance(value, str) else value
    if isinstance(value, str):
        cell.data_type = "s"
        if value.startswith(RISKY):
            cell.quotePrefix = True  # so that typing into the cell later makes no formula of it either


def colour_rules(look: Look, colours: dict[str, str]) -> list[Any]:
    """Conditional formats that give each code its colour with legible text (code -> ``#rrggbb``)."""
    from openpyxl.formatting.rule import CellIsRule

    return [
        CellIsRule(operator="equal", formula=['"' + code.replace('"', '""') + '"'], fill=_dxf_fill(look, colour),
                   font=look.font(color=legible_on(colour), bold=True))  # type: ignore[no-untyped-call]
        for code, colour in colours.items()
    ]


def _dxf_fill(look: Look, colour: str) -> Any:
    plain = colour.lstrip("#").upper()
    return look.fill("solid", start_color=plain, end_color=plain, bgColor=plain)
