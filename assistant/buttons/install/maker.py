"""Buttons put into a workbook that exists: a macro project, buttons on the Desk, and nothing else changed.

It is made on the referee's own machine: a file that came by mail or from the web carries a mark for which Excel
blocks macros, one that a program makes here does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from assistant.buttons.button_list import BUTTONS
from assistant.buttons.install import conf, form
from assistant.buttons.install.modules import OURS, THEIRS, added_to, fingerprints, modules
from assistant.buttons.install.vba import Kind, project
from assistant.buttons.install.vba_reading import Unreadable, names_in, procedures, sources
from assistant.campaign.records import Desk
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.notes import add_drawing, drawing_of
from assistant.workbook.ooxml.parts.child_order import WORKBOOK, WORKSHEET, insert
from assistant.workbook.ooxml.parts.faults import Damaged
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.xmltree import Node, Splices
from assistant.workbook.read.finder import Finder, read_desk
from assistant.workbook.read.grid import Notes
from assistant.workbook.write.desk_sheet import WIDTHS

MAIN_TYPE = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
_PROJECT_TYPE = "application/vnd.ms-office.vbaProject"
_PROJECT_LINK = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
_PROJECT = "xl/vbaProject.bin"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_WIDE, _HIGH, _GAP, _IN_ROW = 137, 25, 3, 4
"""Pixels of a button and between two; how many stand in a row."""
_STANDARD_COLUMN, _STANDARD_ROW = 64, 20
"""Pixels of a column whose width, and of a row whose height nobody has set."""


class OtherMacros(Exception):
    """The workbook has macros that are not Arbitro's; nothing was changed."""


class MacrosAdded(OtherMacros):
    """Somebody's own macros stand in a module of ours. `module`: which; `macros`: their names, as far as they are told.
    """

    def __init__(self, module: str, macros: list[str]) -> None:
        super().__init__(module)
        self.module, self.macros = module, macros


class SheetTaken(Exception):
    """A sheet of the club's has the name that ours needs; nothing was changed."""


@dataclass(frozen=True)
class Corner:
    """Where the first button stands: column and row from 0; `widths`, `heights`: pixels of the columns and rows from
    there on.
    """

    column: int
    row: int
    widths: tuple[int, ...] = ()
    heights: tuple[int, ...] = ()

    def across(self, pixels: int) -> tuple[int, int]:
        """A column and the pixels in it, so many pixels to the right."""
        return _within(pixels, self.column, self.widths, _STANDARD_COLUMN)

    def down(self, pixels: int) -> tuple[int, int]:
        """A row and the pixels in it, so many pixels further down."""
        return _within(pixels, self.row, self.heights, _STANDARD_ROW)


def _within(pixels: int, first: int, sizes: tuple[int, ...], standard: int) -> tuple[int, int]:
    for number, size in enumerate(sizes, first):
        if pixels < size:
            return number, pixels
        pixels -= size
    more, rest = divmod(pixels, standard)
    return first + len(sizes) + more, rest


_BAND = Corner(4, 1, tuple(round(WIDTHS[letter] * 7 + 5) for letter in "EF"), (53, 29))
"""On the Desk's band, at its right."""


def with_buttons(data: bytes, lang: str, *, python: str = "") -> bytes:
    """A workbook's bytes with buttons, as a workbook with macros. One that has Arbitro's buttons gets fresh macros.

    `python`: the interpreter that they call (default: the one that runs now). Raises `OtherMacros`, `MacrosAdded`,
    `SheetTaken`, `Unsafe`, `Damaged`, `Hostile`, and ImportError without xlwings.
    """
    import xlwings

    book = OoxmlBook(data)
    package = book.package
    package.check_all()
    refuse_others(book)
    if conf.SHEET in book.sheets and conf.MADE_BY not in conf.read(book):
        raise SheetTaken(conf.SHEET)
    conf.write(book, conf.settings(python or conf.interpreter(), xlwings.__version__, fingerprints()))
    documents = _code_names(book)
    _place(book, lang)
    _put_project(book, documents)
    package.retype(book.part, MAIN_TYPE)
    return package.pack()


def refuse_others(book: OoxmlBook) -> None:
    """See that a workbook's macros, if it has any, are those that Arbitro writes, and no more.

    Raises `OtherMacros`, `MacrosAdded`, `Damaged`, `Hostile`, and ImportError without xlwings.
    """
    if not book.macros:
        return
    try:
        found = sources(book.package.raw(book.package.linked(book.part, "vbaProject")))
    except Unreadable as no:  # then it is not ours, whatever it is
        raise OtherMacros from no
    written = names_in(found)
    if OURS not in written or not written <= {OURS, *THEIRS}:
        raise OtherMacros
    added = added_to(found, conf.read(book).get(conf.MODULES, ""))
    if added is not None:
        raise MacrosAdded(*added)


def has_buttons(book: OoxmlBook) -> bool:
    """Whether a workbook has all of Arbitro's buttons."""
    found: set[str] = set()
    for sheet in book.sheets.values():
        part = drawing_of(book.package, sheet.part)
        found |= set(form.bound(book.package.raw(part))) if part else set()
    return book.macros and {one.sub for one in BUTTONS} <= found


def dead_buttons(book: OoxmlBook) -> list[str]:
    """The macros that Arbitro's buttons call and that are not in the workbook's project."""
    try:
        found = sources(book.package.raw(book.package.linked(book.part, "vbaProject"))) if book.macros else {}
    except Unreadable:
        found = {}
    there = {name.casefold() for text in found.values() for name in procedures(text)}
    return [one.sub for one in BUTTONS if one.sub.casefold() not in there]


# --- code names ----------------------------------------------------------------------------------
def _code_names(book: OoxmlBook) -> dict[str, Kind]:
    """The code names of workbook and sheets, each of which has a module of that name; given where there is none."""
    package, parts = book.package, _sheet_parts(book)
    known = {part: node for part in parts if (node := package.tree(part).child("sheetPr")) is not None}
    reserved = {OURS.casefold(), *(name.casefold() for name in THEIRS)}
    spoken_for = {node.get("codeName").casefold() for node in known.values()}
    own = _named(package, book.part, book.root.child("workbookPr"), "ThisWorkbook", reserved)
    found: dict[str, Kind] = {own: "workbook"}
    taken = {*reserved, own.casefold()}
    for part in parts:
        root, number = package.tree(part), len(found)
        while f"sheet{number}" in taken | spoken_for:
            number += 1
        name = _named(package, part, known.get(part), f"Sheet{number}", taken)
        taken.add(name.casefold())
        found[name] = "chart" if root.tag == "chartsheet" else "sheet"
    book.rewritten(book.package.text(book.part))
    return found


def _sheet_parts(book: OoxmlBook) -> list[str]:
    """The parts of all sheets, also of charts, in the order of their tabs."""
    links = {k.id: k.target for k in book.package.links(book.part) if not k.external}
    group = book.root.child("sheets")
    parts = [links.get(node.linked(), "") for node in (group.all("sheet") if group is not None else ())]
    if not all(part in book.package for part in parts):
        raise Damaged("sheet")
    return parts


def _named(package: Package, part: str, properties: Node | None, name: str, taken: set[str]) -> str:
    """The code name of a part, which gets one where it has none of its own that can be used."""
    old = properties.get("codeName") if properties is not None else ""
    if old and _NAME.fullmatch(old) and old.casefold() not in taken:
        return old
    root, splices = package.tree(part), Splices(package.text(part))
    tag = "workbookPr" if root.tag == "workbook" else "sheetPr"
    if properties is not None:
        splices.attribute(properties, "codeName", name)
    else:
        new = f'<{root.prefix}{tag} codeName="{name}"/>'.encode()
        insert(splices, root, WORKBOOK if tag == "workbookPr" else WORKSHEET, tag, new)
    package.put(part, splices.done())
    return name


# --- buttons ---------------------------------------------------------------------------------------
def _place(book: OoxmlBook, lang: str) -> None:
    """Put the buttons that are missing onto the Desk, or onto the first sheet of a workbook without one."""
    title, corner = _desk(book)
    sheet = book.sheets[title].part
    part = drawing_of(book.package, sheet)
    drawing = book.package.raw(part) if part else form.EMPTY
    there = form.bound(drawing)
    missing = [_placed(number, one.sub, one.caption(lang), corner) for number, one in enumerate(BUTTONS)
               if one.sub not in there]
    if not missing:
        return
    if not part:
        part = book.package.free_name("xl/drawings/arbitroButtons{}.vml")
        add_drawing(book.package, sheet, part, strict=book.strict)
    book.package.put(part, form.with_buttons(drawing, missing))
    book.forget(title)


def _desk(book: OoxmlBook) -> tuple[str, Corner]:
    found = read_desk(Finder(book), Desk, Notes("en"))
    if found is not None:
        return found[2], _BAND
    return next(one.title for one in book.sheets.values() if not one.hidden), Corner(0, 0)


def _placed(number: int, macro: str, caption: str, corner: Corner) -> form.Placed:
    down, across = divmod(number, _IN_ROW)
    left, top = _GAP + across * (_WIDE + _GAP), _GAP + down * (_HIGH + _GAP)
    return form.Placed(macro, caption, (*corner.across(left), *corner.down(top)),
                       (*corner.across(left + _WIDE), *corner.down(top + _HIGH)))


def _put_project(book: OoxmlBook, documents: Mapping[str, Kind]) -> None:
    package = book.package
    part = package.linked(book.part, "vbaProject")
    binary = project(modules(documents))
    if part:
        package.put(part, binary)
        return
    package.put(_PROJECT, binary)
    package.declare(_PROJECT, _PROJECT_TYPE)
    package.link(book.part, _PROJECT_LINK, _PROJECT)
