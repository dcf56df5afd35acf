"""Builds a club's copy: a workbook with an order form, made from the club's view alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, FormRow, Order, Question
from assistant.campaign.tables import Record
from assistant.turn.battle_form import is_filled, is_row_filled, row_as_line
from assistant.turn.battle_results import ClubForm
from assistant.turn.orders.legal import LegalOrder
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.layout import (
    HEADING_ROW,
    SPARE_ROWS,
    SheetColumn,
    in_sheet_order,
    label,
    sheet_about,
    sheet_title,
)
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import letters_of, quoted
from assistant.workbook.ooxml.sheet import Editing
from assistant.workbook.port import DeskLines
from assistant.workbook.read.find_tables import CLUB_NAME, ROWS_NAME, TOKEN_NAME
from assistant.workbook.write.new_workbook import WorkbookBuilder, blank_book, build_card, paused_collection
from assistant.workbook.write.sheet_style import (
    BAND,
    INK,
    MUTED,
    WHERE_ROW,
    UnitChoices,
    build_desk,
    define_name,
    put_text_safely,
    write_lines,
)

# What a copy's form held when it was written.
# #
# When a copy comes back, an order missing from it counts as deleted by the club only if the form held it before. A
# form that still says what it said then was not filled in.


COPY_PAGES, PAGE_ROWS, NOTHING_TO_PRINT = 8, 70, "A9999"
"""How many pages a copy prints, how many rows go onto one of them, and a cell in which there is nothing."""
NO_ORDERS = "-"
"""The line of a blank form."""
_APART, _TO, _PRINT, _ROW, _LAID = ", ", "\u2026", " #", " =", " ~"
_ENDS = re.compile(r"(.*?)([1-9]\d{0,8})")
_RUN = re.compile(rf"(.*?)([1-9]\d{{0,8}}){_TO}([1-9]\d{{0,8}})")
_LONGEST = 10_000
"""A longer run of numbers was not written by us."""


@dataclass(frozen=True)
class RowsSent:
    """What a copy's form held. `numbers`: of its orders; `print`: a fingerprint of its content, "" if not known;
    `rows`: fingerprints of those further rows of a battle's form in which somebody else had typed; `laid`: a
    fingerprint of the further rows that were put there, "" for none.
    """

    numbers: frozenset[str] = frozenset()
    print: str = ""
    rows: frozenset[str] = frozenset()
    laid: str = ""

    @classmethod
    def of(cls, line: str) -> RowsSent:
        """Parse a line written by `form_line`."""
        numbers, _, tail = line.partition(_PRINT)
        orders = frozenset(number for part in numbers.split(_APART) for number in _expand_run(part.strip()))
        tail, _, laid = tail.strip().partition(_LAID)
        whole, *rows = tail.split(_ROW)
        return cls(orders, whole, frozenset(rows), laid)


def form_line(orders: Iterable[Order], answers: Iterable[Question], forms: Iterable[FormRow] = (),
         battles: Sequence[ClubForm] = ()) -> str:
    """The content of a copy's form as a line, such as ``1500-r1-V-1…3, 1500-r2-V-1 #5f3a9c1e``. `forms`: further rows
    of open battles; `battles`: the forms of these.
    """
    orders = list(orders)
    rows = "".join(f"{_ROW}{row_fingerprint(row)}" for form in battles for row in form.typed)
    laid = laid_rows_fingerprint(battles)
    return _join_runs(order.order for order in orders) + _PRINT + form_fingerprint(orders, answers, forms) + rows + (
        f"{_LAID}{laid}" if laid else "")


def laid_rows_fingerprint(battles: Iterable[ClubForm]) -> str:
    """A fingerprint of the further rows that are there without the club's doing, "" for none."""
    laid = [form.laid for form in battles if form.laid]
    return _short(repr(laid)) if laid else ""


def row_fingerprint(row: FormRow) -> str:
    """A fingerprint of a further row's content."""
    return _short(repr((row.sheet, row.battle, row_as_line(row))))


def form_fingerprint(orders: Iterable[Order], answers: Iterable[Question], forms: Iterable[FormRow] = ()) -> str:
    """A fingerprint of a form's content: its orders in order, its answers and further rows."""
    typed = [[" ".join(c.kind.show(getattr(row, c.name)).split()) for c in row.columns() if c.edit == "club" and
              not c.key and c.name != "seq"] for row in orders]
    given = sorted([question.ident, " ".join(question.answer.split())]
                   for question in answers if question.answer.strip())
    rows = sorted(row_fingerprint(row) for row in forms if is_row_filled(row))
    return _short(repr((typed, given, rows) if rows else (typed, given)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _join_runs(numbers: Iterable[str]) -> str:
    split = [(match[1], int(match[2])) if (match := _ENDS.fullmatch(number)) else (number, 0)
             for number in dict.fromkeys(numbers)]
    runs = groupby(enumerate(split), key=lambda pair: (pair[1][0], pair[1][1] - pair[0]) if pair[1][1] else pair[0])
    return _APART.join(_run_text([part for _, part in run]) for _, run in runs) or NO_ORDERS


def _run_text(run: list[tuple[str, int]]) -> str:
    stem, first = run[0]
    more = f"{_TO}{run[-1][1]}" if len(run) > 1 else ""
    return f"{stem}{first}{more}" if first else stem


def _expand_run(part: str) -> Iterator[str]:
    run = _RUN.fullmatch(part)
    if run is not None and 0 <= int(run[3]) - int(run[2]) < _LONGEST:
        yield from (f"{run[1]}{number}" for number in range(int(run[2]), int(run[3]) + 1))
    elif part not in ("", NO_ORDERS):
        yield part


# What a form's orders cost, as a spreadsheet formula.


BETWEEN = "+,;"
"""What may separate letters with counts, besides blanks."""
AGAIN = 4
"""How many times one cell may repeat a letter."""


class FormPrice(NamedTuple):
    """The price of orders with one of these `verbs` (words), limited to some `options` where the price depends on the
    option: `each`, times the number in the column `times` if there is one. Only rows with these words in these columns
    count (`where`, "" for a blank cell). `letters`: the column holds letters with counts (``L2 P3``), each with its own
    price.
    """

    verbs: tuple[str, ...]
    each: int
    times: str = ""
    options: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    letters: tuple[tuple[str, int], ...] = ()


class FormPurse(NamedTuple):
    """What a faction can spend, in a unit, and the prices taken from it. `of`: whose purse it is, "" for the faction's
    own; `parts`: how many parts make one unit; amounts are counted in parts.
    """

    have: int
    unit: str
    prices: Sequence[FormPrice]
    of: str = ""
    parts: int = 1

    def whole(self, amount: int) -> int | float:
        """An amount in whole units, as a cell shows it."""
        return amount if self.parts == 1 else amount / self.parts


def purse_formula(purse: FormPurse, areas: Mapping[str, str]) -> str:
    """The formula (without ``=``) of what is left. `areas`: column of Orders -> its cells. Rows already judged do not
    count.
    """
    parts = [str(purse.have)]
    for price in purse.prices:
        if price.letters:
            parts.append(f"{_letters_formula(price, areas)}*{_number(price.each)}")
            continue
        words = [_criterion([verb]) for verb in price.verbs] if price.options else [_criterion(price.verbs)]
        for word in words:  # lists of one column only: programs do not agree on what two of them mean
            tests = [areas["verb"], word, *((areas["option"], _criterion(price.options)) if price.options else ()),
                     areas["status"], '"="']
            tests += [part for name, value in price.where
                      for part in (areas[name], _criterion([value]) if value else '"="')]
            told = ",".join(tests)
            counted = f"SUMIFS({areas[price.times]},{told})" if price.times else f"COUNTIFS({told})"
            parts.append(f"SUMPRODUCT({counted})*{_number(price.each)}")
    return "-".join(parts) if purse.parts == 1 else f"({'-'.join(parts)})/{purse.parts}"


def _number(n: int) -> str:
    return str(n) if n >= 0 else f"({n})"


def _criterion(words: Sequence[str]) -> str:
    """Words as a spreadsheet criterion: one word, or any of several."""
    quoted = [_text_literal(word) for word in words]
    return quoted[0] if len(quoted) == 1 else "{" + ",".join(quoted) + "}"


def _text_literal(word: str) -> str:
    return f'"{word.replace(chr(34), 2 * chr(34))}"'


def _letters_formula(price: FormPrice, areas: Mapping[str, str]) -> str:
    """The formula of what the letters of all rows cost. Rows run down, letters run across, each as often as it may
    repeat. No IF and no IFERROR: older programs evaluate those for a single cell only, unless entered as an array
    formula.
    """
    asked = [("verb", price.verbs), ("option", price.options), *((name, (value,)) for name, value in price.where)]
    tests = [f'({areas["status"]}="")']
    for name, words in asked:
        alike = [f"(UPPER({areas[name]})={_text_literal(word)})" for word in dict.fromkeys(map(str.upper, words))]
        tests += [f"({'+'.join(alike)})"] if alike else []
    typed = f"UPPER({areas[price.times]})"
    for sign in BETWEEN:
        typed = _substitute(typed, sign, " ")
    text = f'" "&{_substitute(f"TRIM({typed})", " ", "  ")}&" "'  # each word between blanks of its own
    times = [(letter, time, worth) for letter, worth in price.letters for time in range(1, AGAIN + 1)]
    letters, nth, worths = ("{" + ",".join(column) + "}" for column in zip(
        *((_text_literal(f" {letter}"), str(time), str(worth)) for letter, time, worth in times), strict=True))
    marked = f'SUBSTITUTE({text},{letters},"#",{nth})&"#0 "'  # the last for a letter that stands there less often
    digits = f'TRIM(MID({marked},FIND("#",{marked})+1,2))'
    left = _remainder_formula(text, [letter for letter, _ in price.letters])
    return f"SUMPRODUCT({'*'.join(tests)}*VALUE(\"0\"&REPT({digits},1*(LEN({left})=0)))*{worths})"


def _remainder_formula(text: str, letters: Sequence[str]) -> str:
    """The formula of a text without its letters and their counts of one or two digits; blanks stay."""
    first, *others = letters
    for digit in range(1, 10):
        text = _substitute(text, str(digit), "0")
    for letter in others:
        text = _substitute(text, letter, first)
    return _substitute(_substitute(text, f" {first}00 ", ""), f" {first}0 ", "")


def _substitute(text: str, old: str, new: str) -> str:
    return f'SUBSTITUTE({text},"{old}","{new}")'


def _letters_worth(text: str, letters: Sequence[tuple[str, int]]) -> int:
    """What a text of letters with counts costs: the sum, or 0 if there is anything else in it."""
    words = [word for word in "".join(" " if c in BETWEEN else c for c in text.upper()).split(" ") if word]
    matches = [re.fullmatch(r"([A-Z]+)([0-9]{1,2})", word) for word in words]
    counts: dict[str, list[int]] = {letter: [] for letter, _ in letters}
    for match in matches:
        if match is None or match[1] not in counts:
            return 0
        counts[match[1]].append(int(match[2]))
    return sum(worth * sum(counts[letter][:AGAIN]) for letter, worth in letters)


def total_cost(purse: FormPurse, rows: Iterable[Order]) -> int:
    """What the formula subtracts for these rows."""
    total = 0
    for row in rows:
        verb, option = row.verb.casefold(), str(getattr(row, "option", "")).casefold()
        for price in purse.prices:
            fits = verb in map(str.casefold, price.verbs) and (
                not price.options or option in map(str.casefold, price.options)) and all(
                str(getattr(row, name)).casefold() == word.casefold() for name, word in price.where)
            amount = getattr(row, price.times, 0) if price.times else 1
            amount = _letters_worth(str(amount), price.letters) if price.letters else amount
            total += price.each * amount if fits and isinstance(amount, int) else 0
    return total


# Battle forms in a club's copy.


SPARE, FEW = 12, 6
"""Blank rows for each battle whose sheet takes more: if it is still blank, and if it already has rows."""
REPORT = N_("Your report on {battle}, in one line: {list}. It counts when the referee confirms it.")
REPORT_AT = N_("Your report on {battle} {node:at}, in one line: {list}. It counts when the referee confirms it.")
ROWS_BEHIND = N_("What happened to your own goes into the light yellow cells of {sheets}.")


class BattleSheets:
    """The battle forms of one copy. `forms`: those that its club may fill in; `wording`: in its language."""

    def __init__(self, ruleset: Ruleset, forms: Sequence[ClubForm], wording: Wording) -> None:
        self._ruleset, self._forms, self._wording = ruleset, forms, wording
        self._own = {(row.sheet, row.ident) for form in forms for row in form.rows}
        self.sheets = tuple(dict.fromkeys(sheet for form in forms for sheet in form.sheets))
        """The further sheets that are to be filled in."""

    def beside(self, first: type[Record], records: Sequence[type[Record]]) -> list[type[Record]]:
        """The records of sheets, with the battle sheets to be filled in behind the sheet of questions."""
        left = [record for record in records if record not in self.sheets]
        place = next((i for i, record in enumerate(left, 1) if issubclass(record, first)), 1)
        return [*left[:place], *(record for record in records if record in self.sheets), *left[place:]]

    def with_reports(self, asked: Iterable[Question]) -> list[Record]:
        """The rows of questions, and at their end the rows for the club's reports."""
        ours = {form.question.ident for form in self._forms}
        return [*(row for row in asked if row.ident not in ours), *(form.question for form in self._forms)]

    def further_rows(self, record: type[FormRow], known: Sequence[Record]) -> list[Record]:
        """The rows of a battle sheet: first those of the club's side in each open battle, with some blank ones, then
        all others.
        """
        if record not in self.sheets:
            return list(known)
        records: list[Record] = []
        for form in self._forms:
            own = [row for row in form.rows if row.sheet == record.sheet]
            more = (FEW if own else SPARE) if record in form.takes else 0
            records += [*own, *(record(battle=form.battle.battle) for _ in range(more))]
        return [*records, *(row for row in known if (row.sheet, row.ident) not in self._own)]

    def fills(self, record: type[Record], name: str) -> bool:
        """Whether the club fills in a column of a battle sheet in any row."""
        if record not in self.sheets or name == "battle" or record.column(name).edit == "assistant":
            return False
        return not record.column(name).key or any(record in form.takes for form in self._forms)

    def fills_row(self, row: Record, name: str) -> bool:
        """Whether the club fills in that column of the row: for its own side the outcome, in a blank row everything."""
        own = (row.sheet, row.ident) in self._own
        return name != "battle" and (self.is_spare(row) or (own and name in row.form()))

    def is_spare(self, row: Record) -> bool:
        """Whether it is a blank row, which names the battle and nothing else."""
        return isinstance(row, FormRow) and self.is_open(row) and not any(
            is_filled(row, c.name) for c in row.columns() if c.name != "battle")

    def is_open(self, row: FormRow) -> bool:
        """Whether a row belongs to a battle on which the club may report."""
        return any(form.battle.battle == row.battle for form in self._forms)

    def worded_text(self, row: Question, name: str) -> str:
        """The text of a worded cell in the row of a report, "" for all others."""
        form = self._ruleset.form
        club_form = next((club_form for club_form in self._forms if club_form.question is row), None)
        if club_form is None or form is None or name not in ("*worded", "*options"):
            return ""
        words, lang = self._wording, self._wording.lang
        if name == "*options":
            return "; ".join(club_form.result_lines(form, lang))
        columns = [club_form.battle.column(entry.name) for entry in form.entries
                   if entry.name in form.line or entry.is_expected(club_form.battle)]
        told = [f"{c.heading(lang)} ({c.hint(lang)})" if c.hint(lang) else c.heading(lang) for c in columns]
        data = {"battle": Verbatim(club_form.battle.battle), "list": Verbatim(", ".join(told))}
        sentences = [words.text(REPORT_AT, node=club_form.battle.node, **data) if club_form.battle.node
                     else words.text(REPORT, **data)]
        sentences += [words.text(ROWS_BEHIND,
                                 sheets=Verbatim(", ".join(sheet_title(sheet, lang) for sheet in self.sheets)))
                      ] if self.sheets else []
        return " ".join(sentences)


# The copy.
# #
# Everything in it comes from the view alone. Its only formula is what is left to spend, stored with its result.


FORM_RECORDS: tuple[type[Record], ...] = (Order, Question)
"""Sheets that the club fills in."""
_FILLED_IN = ("turn", "faction", "seq", "status", "order")
"""Columns of Orders that Arbitro fills in."""
LEFT_ROW = 3
CHANCES = "*chances"
"""The column that says how likely what hangs on a row is."""


@dataclass(frozen=True)
class CopyForm:
    """What a copy shows besides the view. `faction`: whose it is ("": everybody's, with nothing to fill in); `name`:
    the name of that faction; `token`: its code; `lines`: the Desk's texts; `offers`: column of Orders -> words that it
    may hold now; `purses`: what orders are paid from, () if the form cannot count it; `battles`: those to report on;
    `legal`: orders that the faction may give now, by which the unit in a row decides what its other columns offer;
    `chances`: how likely what hangs on a question or an order is, by its name.
    """

    faction: str
    name: str
    token: str
    lines: DeskLines
    offers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    purses: tuple[FormPurse, ...] = ()
    battles: tuple[ClubForm, ...] = ()
    legal: Sequence[LegalOrder] = ()
    chances: Mapping[str, str] = field(default_factory=dict)


def choices_by_unit(ruleset: Ruleset, orders: Iterable[LegalOrder], lang: str) -> UnitChoices:
    """What each unit may have in the columns of orders that are legal, by the word of their verb."""
    book = as_order_book(ruleset.verbs)
    choices: dict[str, dict[tuple[str, str], list[str]]] = {}
    for order in orders:
        verb = book[order.verb]
        for name, kind in verb.kinds.items():
            value = order.fields.get(name, "")
            if name != verb.actor and value and isinstance(value, str) and not kind.words:
                offered = choices.setdefault(name, {}).setdefault((verb.word(lang), order.unit), [])
                offered += [value] if value not in offered else []
    return choices


def build_copy(ruleset: Ruleset, view: Campaign, form: CopyForm, path: Path, wording: Wording) -> bytes:
    """The bytes of a copy; equal views and forms give equal bytes. `path`: for messages only.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    with paused_collection():
        book = blank_book(view.desk.title or ruleset.title)
        builder = CopyBuilder(book, ruleset, view, path, wording, form)
        records = builder.battles.beside(Question, [record for record in in_sheet_order(ruleset.records)
                                                    if builder.stands(record)])
        titles = {record.sheet: builder.table(record).title for record in records}
        card = build_card(book, builder.look, ruleset, view, wording, faction=form.faction,
                          known=form.legal) if form.faction else None
        if card is not None:
            book.move_sheet(card, 1 - book.index(card))
        build_desk(book, builder.look, builder.lists, ruleset, view, titles, card.title if card else "", records,
                   club=True)
        _write_head(book, builder, form)
        if form.faction:
            builder.choose_printed(records, titles, card)
        builder.lists.write()
        editing = Editing(OoxmlBook(builder.file_bytes()))
        write_lines(editing, form.lines, ruleset, view)
        builder.reckon(editing, titles.get(Order.sheet, ""))
        editing.save()
        return editing.book.package.pack()


class CopyBuilder(WorkbookBuilder):
    """Builds the sheets of a copy: the form to fill in, and sheets that are read-only."""

    def __init__(
            self, book: Any, ruleset: Ruleset, view: Campaign, path: Path, wording: Wording, form: CopyForm) -> None:
        super().__init__(book, ruleset, view, path, wording, offers=form.offers,
                         by_unit=choices_by_unit(ruleset, form.legal, view.desk.language))
        self._form = form
        self.battles = BattleSheets(ruleset, form.battles, wording)

    def stands(self, record: type[Record]) -> bool:
        """Whether a table has a sheet: the form always, others only if they hold something."""
        if record.single or record.quiet or record.apart:
            return False
        return bool(self.rows(record)) or (bool(self._form.faction) and record.sheet == Order.sheet)

    def choose_printed(self, records: Sequence[type[Record]], titles: Mapping[str, str], card: Any) -> None:
        """Let the copy print what is the club's: Desk, form and card, then sheets on which it has something, each one
        page high, and `COPY_PAGES` in all. Every other sheet has a print area with nothing in it.
        """
        form = {Order.sheet, Question.sheet, Battle.sheet, *(record.sheet for record in self.ruleset.forms)}
        filled = [titles[record.sheet] for record in records if record.sheet in form]
        own = [titles[record.sheet] for record in records if record.sheet not in form and self._owns_some(record)]
        desk = self.book.worksheets[0].title
        left, printed = COPY_PAGES, set[str]()
        for title in (desk, *filled, *([card.title] if card is not None else ()), *own):
            pages = self.book[title].page_setup.fitToWidth
            if pages <= left:
                left -= pages
                printed.add(title)
        for ws in self.book.worksheets:
            if ws.title in printed:
                ws.page_setup.fitToHeight = 1
            elif ws.sheet_state == "visible":
                ws.print_title_rows, ws.print_title_cols, ws.print_area = None, None, NOTHING_TO_PRINT

    def _owns_some(self, record: type[Record]) -> bool:
        rows = self.rows(record)
        return len(rows) <= PAGE_ROWS and any(self._form.faction in row.owners for row in rows)

    def rows(self, record: type[Record]) -> list[Record]:
        """All rows; of the form those that still count: this turn's orders that are not judged, and open questions."""
        if issubclass(record, Order):
            return [row for row in self.campaign.table(Order) if row.turn == self.campaign.desk.turn and not row.status]
        if issubclass(record, Question):
            asked = [row for row in self.campaign.table(Question) if row.status == "open" or row.stands]
            known = {row.ident for row in asked}
            asked += [row for _, row in self.ruleset.open_invitations(self.campaign) if row.ident not in known]
            ours = [row for row in asked if row.to == self._form.faction or not self._form.faction]
            return self.battles.with_reports(ours)
        rows = [row for _, row in self.campaign.by_sheet(record.sheet).raw_rows()]
        return self.battles.further_rows(record, rows) if issubclass(record, FormRow) else rows

    def columns(self, record: type[Record]) -> tuple[SheetColumn, ...]:
        """The columns as in the shared workbook, but only the form can be written in, and what Arbitro fills in is
        folded away.
        """
        fills = record.sheet in {record.sheet for record in FORM_RECORDS} and bool(self._form.faction)
        reordered = [column if fills and column.edit == "club" else column._replace(
            edit="club" if self.battles.fills(record, column.name) else "assistant")
                     for column in super().columns(record)]
        if any(_name_of(row) in self._form.chances for row in self.rows(record)):
            reordered.append(SheetColumn(CHANCES, label("copy_chances", self.lang), "", 60, "assistant", True, False,
                                         "General"))
        if issubclass(record, Order):
            given = {*_FILLED_IN, *(() if len(self._form.offers.get("phase", ())) > 1 else ("phase",))}
            # columns the program fills in go last, so that what a player fills in stands together
            reordered = [column._replace(technical=True) if column.name in given else column for column in reordered]
        return tuple(sorted(reordered, key=lambda column: column.technical))

    def about(self, record: type[Record]) -> str:
        """The sentence under a sheet's title."""
        return sheet_about(record, self.lang, copy=True)

    def shuts(self, record: type[Record]) -> bool:
        """Whether only some rows can be filled in: of a battle's further sheets those of the club's own side."""
        return record in self.battles.sheets

    def open_to(self, row: Record, column: SheetColumn) -> bool:
        """Whether the club fills in that column of the row."""
        return self.battles.fills_row(row, column.name)

    def value(self, record: type[Record], column: SheetColumn, row: Record) -> float | str | None:
        """What a cell shows: in the row of a report what to report, in a blank row the battle."""
        if record in self.battles.sheets and column.name != "battle" and self.battles.is_spare(row):
            return None
        if column.name == CHANCES:
            return self._form.chances.get(_name_of(row))
        text = self.battles.worded_text(row, column.name) if isinstance(row, Question) else ""
        return text or super().value(record, column, row)

    def reckon(self, editing: Editing, title: str) -> None:
        """Write into the form what is left to spend, with the result as the form stands."""
        if not self._form.purses or not title:
            return
        record = self.ruleset.record(Order.sheet)
        shown, rows = self.columns(record), [row for row in self.rows(record) if isinstance(row, Order)]
        numbers = {column.name: number for number, column in enumerate(shown, 1)}
        reach = HEADING_ROW + len(rows) + SPARE_ROWS
        areas = {name: f"${letters_of(n)}${HEADING_ROW + 1}:${letters_of(n)}${reach}" for name, n in numbers.items()}
        sheet, first = editing.sheet(title), numbers["verb"]
        for place, purse in enumerate(self._form.purses):
            column = first + 1 + 2 * place
            sheet.set_formula(LEFT_ROW, column, purse_formula(purse, areas), sheet.style(LEFT_ROW, column),
                              purse.whole(purse.have - total_cost(purse, rows)))


def _name_of(row: Record) -> str:
    """The name of a question or an order, as `CopyForm.chances` has it; "" for any other row."""
    return row.question if isinstance(row, Question) else row.order if isinstance(row, Order) else ""


def _write_head(book: Any, builder: CopyBuilder, form: CopyForm) -> None:
    """Write on the Desk whose copy it is and its code, and make room for the purse on the form."""
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
    below = desk.max_row + 2
    rows = [row for record in FORM_RECORDS for row in builder.rows(builder.ruleset.record(record.sheet))]
    stood = form_line((row for row in rows if isinstance(row, Order)),
                 (row for row in rows if isinstance(row, Question) and row.to == form.faction),
                 (row for record in (builder.ruleset.form.sheets if builder.ruleset.form is not None else ())
                  for row in builder.rows(record) if isinstance(row, FormRow) and builder.battles.is_open(row)),
                 form.battles)
    for column, text in ((5, label("copy_rows", lang)), (6, stood)):
        cell = desk.cell(below, column)
        put_text_safely(cell, text)
        cell.font = look.text(9, MUTED)
        cell.alignment = look.alignment(vertical="top", wrap_text=True, horizontal="left", indent=1)
    for name, place in ((TOKEN_NAME, f"$F${WHERE_ROW}"), (CLUB_NAME, "$E$3"), (ROWS_NAME, f"$F${below}")):
        define_name(book, name, f"{quoted(desk.title)}!{place}")
    if form.purses:
        _write_purses(book.worksheets[1], builder, form.purses)


def _write_purses(ws: Any, builder: CopyBuilder, purses: Sequence[FormPurse]) -> None:
    """Write the line above the form's headings, without its amounts: a cell for each, with its label behind it."""
    look, lang = builder.look, builder.lang
    first = 1 + next(i for i, column in enumerate(builder.columns(builder.ruleset.record(Order.sheet)))
                     if column.name == "verb")
    ws.row_dimensions[LEFT_ROW].height = 24
    texts: list[str | None] = [label("copy_left", lang)]
    for purse in purses:
        have = f"{purse.whole(purse.have):,g} {purse.unit}".strip() if purse.parts > 1 else (
            f"{purse.have} {purse.unit}".strip())
        short = purse is not purses[-1]
        amount = f"{have} ({purse.of})" if purse.of else have
        texts += [None, amount if short else label("copy_left_about", lang).format(have=amount)]
    for place, text in enumerate(texts):
        cell, counted = ws.cell(LEFT_ROW, first + place), place % 2 == 1
        cell.font = look.text(12 if counted else 10.5, BAND if counted or not place else MUTED,
                              bold=counted or not place)
        cell.alignment = look.alignment(horizontal="left" if place else "right", vertical="center")
        put_text_safely(cell, text)
        if counted:
            cell.number_format = "#,##0" if purses[place // 2].parts == 1 else "#,##0.0"
