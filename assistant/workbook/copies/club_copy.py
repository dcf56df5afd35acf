"""A club's copy: a view in; the bytes of a plain workbook out, its order form first, with what it may know behind.

All that stands in it is made of the view alone. It has no formula but what is left to spend, which carries its result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import FormRow, Order, Question
from assistant.turn.battle_form.club_form import ClubForm
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.copies.battle_sheets import BattleSheets
from assistant.workbook.copies.rows_sent import told
from assistant.workbook.copies.spending import Purse, formula, paid
from assistant.workbook.labels import label
from assistant.workbook.layout import HEADING_ROW, SPARE_ROWS, Shown, in_sheet_order, sheet_about
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.editing import Editing
from assistant.workbook.ooxml.cells.areas import letters_of
from assistant.workbook.port import DeskLines
from assistant.workbook.read.finder import CLUB, ROWS, TOKEN
from assistant.workbook.write.builder import Builder, blank_book
from assistant.workbook.write.card_sheet import build_card
from assistant.workbook.write.desk_lines import write_lines
from assistant.workbook.write.desk_sheet import WHERE_ROW, build_desk
from assistant.workbook.write.fixed_bytes import paused_collection
from assistant.workbook.write.look import BAND, INK, MUTED, put_text_safely

FORM: tuple[type[Record], ...] = (Order, Question)
"""Sheets that the club fills in."""
_FILLED_IN = ("turn", "faction", "seq", "status", "order")
"""Columns of Orders that Arbitro fills in itself."""
LEFT_ROW = 3


@dataclass(frozen=True)
class Form:
    """What a copy says beside the view. `faction`: whose it is ("": everybody's, which has nothing to fill in);
    `name`: what that is called; `token`: its code; `lines`: the Desk's words; `offers`: column of Orders -> words that
    it may hold now; `purses`: what orders are paid from, () where the form cannot count that; `battles`: those on which
    it may report.
    """

    faction: str
    name: str
    token: str
    lines: DeskLines
    offers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    purses: tuple[Purse, ...] = ()
    battles: tuple[ClubForm, ...] = ()


def build_copy(ruleset: Ruleset, view: Campaign, form: Form, path: Path, wording: Wording) -> bytes:
    """The bytes of a copy; equal views and forms give equal bytes. `path`: for messages only.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    with paused_collection():
        book = blank_book(view.desk.title or ruleset.title)
        builder = CopyBuilder(book, ruleset, view, path, wording, form)
        records = builder.battles.beside(Question, [record for record in in_sheet_order(ruleset.records)
                                                    if builder.stands(record)])
        titles = {record.sheet: builder.table(record).title for record in records}
        card = build_card(book, builder.look, ruleset, view, wording, faction=form.faction) if form.faction else None
        if card is not None:
            book.move_sheet(card, 1 - book.index(card))
        build_desk(book, builder.look, builder.lists, ruleset, view, titles, card.title if card else "", records,
                   club=True)
        _head(book, builder, form)
        builder.lists.write()
        editing = Editing(OoxmlBook(builder.packed()))
        write_lines(editing, form.lines, view)
        builder.reckon(editing, titles.get(Order.sheet, ""))
        editing.save()
        return editing.book.package.pack()


class CopyBuilder(Builder):
    """The sheets of a copy: the form that is filled in, and sheets that are only read."""

    def __init__(self, book: Any, ruleset: Ruleset, view: Campaign, path: Path, wording: Wording, form: Form) -> None:
        super().__init__(book, ruleset, view, path, wording, offers=form.offers)
        self._form = form
        self.battles = BattleSheets(ruleset, form.battles, wording)

    def stands(self, record: type[Record]) -> bool:
        """Whether a table has a sheet: the form, and of the others those in which something stands."""
        if record.single or record.quiet:
            return False
        return bool(self.rows(record)) or (bool(self._form.faction) and record.sheet == Order.sheet)

    def rows(self, record: type[Record]) -> list[Record]:
        """All rows, of the form those that still count: orders of this turn that are not judged, its open questions."""
        if issubclass(record, Order):
            return [row for row in self.campaign.table(Order) if row.turn == self.campaign.desk.turn and not row.status]
        if issubclass(record, Question):
            asked = [row for row in self.campaign.table(Question) if row.status == "open" or row.stands]
            known = {row.ident for row in asked}
            asked += [row for _, row in self.ruleset.invited(self.campaign) if row.ident not in known]
            ours = [row for row in asked if row.to == self._form.faction or not self._form.faction]
            return self.battles.with_reports(ours)
        rows = [row for _, row in self.campaign.by_sheet(record.sheet).raw_rows()]
        return self.battles.further_rows(record, rows) if issubclass(record, FormRow) else rows

    def columns(self, record: type[Record]) -> tuple[Shown, ...]:
        """As the shared workbook has them, but only the form is to be written in, and what Arbitro fills in itself is
        folded away.
        """
        fills = record.sheet in {one.sheet for one in FORM} and bool(self._form.faction)
        found = [one if fills and one.edit == "club" else one._replace(
            edit="club" if self.battles.fills(record, one.name) else "assistant") for one in super().columns(record)]
        if issubclass(record, Order):
            given = {*_FILLED_IN, *(() if len(self._form.offers.get("phase", ())) > 1 else ("phase",))}
            found = [one._replace(technical=True) if one.name in given else one for one in found]
            found.sort(key=lambda one: one.technical)
        return tuple(found)

    def about(self, record: type[Record]) -> str:
        """The sentence under a sheet's title."""
        return sheet_about(record, self.lang, copy=True)

    def shuts(self, record: type[Record]) -> bool:
        """Of a battle's further sheets only the rows of the club's own half are to be filled in."""
        return record in self.battles.sheets

    def open_to(self, row: Record, one: Shown) -> bool:
        """Whether the club fills in that column of the row."""
        return self.battles.fills_row(row, one.name)

    def value(self, record: type[Record], one: Shown, row: Record) -> float | str | None:
        """What a cell shows; in the row of a report on a battle what is to be reported, in a blank row the battle."""
        if record in self.battles.sheets and one.name != "battle" and self.battles.is_spare(row):
            return None
        said = self.battles.said(row, one.name) if isinstance(row, Question) else ""
        return said or super().value(record, one, row)

    def reckon(self, editing: Editing, title: str) -> None:
        """Write into the form what is left to spend, with what it comes to as the form stands."""
        if not self._form.purses or not title:
            return
        record = self.ruleset.record(Order.sheet)
        shown, rows = self.columns(record), [row for row in self.rows(record) if isinstance(row, Order)]
        numbers = {one.name: number for number, one in enumerate(shown, 1)}
        reach = HEADING_ROW + len(rows) + SPARE_ROWS
        areas = {name: f"${letters_of(n)}${HEADING_ROW + 1}:${letters_of(n)}${reach}" for name, n in numbers.items()}
        sheet, first = editing.sheet(title), numbers["verb"]
        for place, purse in enumerate(self._form.purses):
            column = first + 1 + 2 * place
            sheet.set_formula(LEFT_ROW, column, formula(purse, areas), sheet.style(LEFT_ROW, column),
                              purse.whole(purse.have - paid(purse, rows)))


def _head(book: Any, builder: CopyBuilder, form: Form) -> None:
    """Say on the Desk whose copy it is, with its code, and on the form where the purse stands."""
    from openpyxl.workbook.defined_name import DefinedName

    look, lang = builder.look, builder.lang
    desk = book.worksheets[0]
    put_text_safely(desk["E3"], form.faction or None)
    put_text_safely(desk["F3"], form.name)
    if not form.faction:
        return
    for column, text, size in ((5, label("copy_token", lang), 10), (6, form.token, 16)):
        cell = desk.cell(WHERE_ROW, column)
        put_text_safely(cell, text)
        cell.font = look.text(size, MUTED if column == 5 else INK, bold=column == 6)
        cell.alignment = look.alignment(vertical="center", wrap_text=True, horizontal="left", indent=1)
    quoted = "'" + desk.title.replace("'", "''") + "'"
    below = desk.max_row + 2
    rows = [row for record in FORM for row in builder.rows(builder.ruleset.record(record.sheet))]
    stood = told((row for row in rows if isinstance(row, Order)),
                 (row for row in rows if isinstance(row, Question) and row.to == form.faction),
                 (row for record in (builder.ruleset.form.sheets if builder.ruleset.form is not None else ())
                  for row in builder.rows(record) if isinstance(row, FormRow) and builder.battles.is_open(row)),
                 form.battles)
    for column, text in ((5, label("copy_rows", lang)), (6, stood)):
        cell = desk.cell(below, column)
        put_text_safely(cell, text)
        cell.font = look.text(9, MUTED)
        cell.alignment = look.alignment(vertical="top", wrap_text=True, horizontal="left", indent=1)
    for name, place in ((TOKEN, f"$F${WHERE_ROW}"), (CLUB, "$E$3"), (ROWS, f"$F${below}")):
        book.defined_names[name] = DefinedName(name, attr_text=f"{quoted}!{place}")
    if form.purses:
        _purses(book.worksheets[1], builder, form.purses)


def _purses(ws: Any, builder: CopyBuilder, purses: Sequence[Purse]) -> None:
    """The line above the form's headings, without its numbers: a cell for each, and what it is of behind it."""
    look, lang = builder.look, builder.lang
    first = 1 + next(i for i, one in enumerate(builder.columns(builder.ruleset.record(Order.sheet)))
                     if one.name == "verb")
    ws.row_dimensions[LEFT_ROW].height = 24
    texts: list[str | None] = [label("copy_left", lang)]
    for purse in purses:
        have = f"{purse.whole(purse.have):,g} {purse.unit}".strip() if purse.parts > 1 else (
            f"{purse.have} {purse.unit}".strip())
        short = purse is not purses[-1]
        texts += [None, _of(have, purse) if short else label("copy_left_about", lang).format(have=_of(have, purse))]
    for place, text in enumerate(texts):
        cell, counted = ws.cell(LEFT_ROW, first + place), place % 2 == 1
        cell.font = look.text(12 if counted else 10.5, BAND if counted or not place else MUTED,
                              bold=counted or not place)
        cell.alignment = look.alignment(horizontal="left" if place else "right", vertical="center")
        put_text_safely(cell, text)
        if counted:
            cell.number_format = "#,##0" if purses[place // 2].parts == 1 else "#,##0.0"


def _of(have: str, purse: Purse) -> str:
    """What a purse held, and whose it is."""
    return f"{have} ({purse.of})" if purse.of else have
