"""The Desk's words: lines in; the places that its names mark out, filled and as high as they need to be."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.turn.game import REFEREE
from assistant.workbook.labels import label
from assistant.workbook.port import DeskLines
from assistant.workbook.surface import Changed, Editor, Source
from assistant.workbook.write.look import BAND, FONT, INK, PAPER, legible_on

STEPS, OUTCOME_LINES = 6, 4
LEFT_CHARS, RIGHT_CHARS = 82, 74
LONGEST = 2_000


def write_lines(editing: Editor, lines: DeskLines, campaign: Campaign) -> None:
    """Write the Desk's words into the places that its defined names mark; a place that is gone is left out.

    Raises `Unsafe`.
    """
    desk = _Places(editing)
    lang = campaign.desk.language
    if campaign.desk.title:
        desk.fill("desk_title", [campaign.desk.title], 0)
    desk.fill("desk_where", [lines.where], 0)
    steps = [f"{n}.  {text}" for n, text in enumerate(lines.next_steps, 1)]
    desk.fill("desk_next", fitting(steps, STEPS, lang), LEFT_CHARS)
    outcome = list(lines.outcome) or [label("no_outcome", lang)]
    desk.fill("desk_outcome", fitting(outcome, OUTCOME_LINES, lang), LEFT_CHARS)
    _awaited(editing.book, desk, lines, campaign)
    desk.fit()


def fitting(texts: list[str], room: int, lang: str) -> list[str]:
    """As many texts as there is room for; the last one says how many more there are."""
    if len(texts) <= room:
        return texts
    return [*texts[:room - 1], label("and_more", lang).format(n=len(texts) - room + 1)]


class _Places:
    """The places on the Desk, by their names."""

    def __init__(self, editing: Editor) -> None:
        self._editing = editing
        self._lines: dict[tuple[str, int], int] = {}

    def cells(self, name: str) -> list[tuple[Changed, int, int]]:
        """The cells (sheet, row, column) of a name, downwards; [] when the name or its sheet is gone."""
        place = self._editing.book.places(name)
        if place is None:
            return []
        title, area = place
        return [(self._editing.sheet(title), row, area.left) for row in range(area.top, area.bottom + 1)]

    def fill(self, name: str, texts: list[str], chars: int) -> None:
        """Write texts downwards. `chars`: how many fit on a line; 0 for a row that keeps its height."""
        for i, (sheet, row, column) in enumerate(self.cells(name)):
            text = texts[i] if i < len(texts) else ""
            sheet.put(row, column, text[:LONGEST] or None)
            if chars:
                self.high(sheet, row, text, chars)

    def high(self, sheet: Changed, row: int, text: str, chars: int) -> None:
        """Note how many lines a row needs."""
        key = (sheet.title, row)
        self._lines[key] = max(self._lines.get(key, 1), -(-len(text) // chars))

    def fit(self) -> None:
        """Make the rows as high as they need to be."""
        for (title, row), count in self._lines.items():
            self._editing.sheet(title).height(row, 6 + 15 * max(1, count))


def _awaited(book: Source, desk: _Places, lines: DeskLines, campaign: Campaign) -> None:
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
        look = badge(book, sheet.style(row, column), colours.get(who, BAND if who else ""))
        sheet.put(row, column, label("referee", lang) if who == REFEREE else who or None, style=look)
        sheet.put(row, column + 1, what[:LONGEST] or None)
        desk.high(sheet, row, what, RIGHT_CHARS)


def badge(book: Source, style: int, colour: str) -> int:
    """The style of a cell that shows a faction in its colour (``#rrggbb``; "" for a cell that shows nobody)."""
    plain = colour.lstrip("#").upper()
    font = (f'<font><b val="1"/><sz val="11"/><color rgb="FF{legible_on(colour) if colour else INK}"/>'
            f'<name val="{FONT}"/></font>')  # in the order that the schema has
    fill = (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{plain}"/><bgColor rgb="FF{plain}"/>'
            "</patternFill></fill>") if colour else '<fill><patternFill patternType="none"/></fill>'
    edge = f'<bottom style="medium"><color rgb="FF{PAPER}"/></bottom>' if colour else "<bottom/>"
    border = f"<border><left/><right/><top/>{edge}<diagonal/></border>"
    return book.styles.like(style, font=font.encode(), fill=fill.encode(), border=border.encode())
