"""The command `buttons`: adds buttons to a workbook, or makes a plain copy without them."""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from assistant import __version__
from assistant.buttons.press import BUTTONS, Button
from assistant.buttons.vba_project import (
    ModuleKind,
    UnreadableProject,
    VbaModule,
    modules_with_code,
    normalize_source,
    procedures,
    project_bytes,
    read_sources,
    strip_export_head,
)
from assistant.campaign.records import Desk, Event
from assistant.desk.play_phase import current_phase, phases_to_come
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import find_mismatch
from assistant.desk.workspace.workspace import (
    Abort,
    Workspace,
    abort,
    catches_abort,
    claim_workbook,
    club_book_bytes,
    file_faults,
    open_workspace,
    require_folder,
)
from assistant.environment import backup_folder, machine_language
from assistant.ledger import LedgerTrouble, ledger_condition, path_of_ledger
from assistant.turn import codes
from assistant.turn.codes import DAMAGED, EMBEDDED, EXTERNAL, MACROS, STARTS
from assistant.turn.findings import Finding
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.file_book import HARM_CODES
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.package import ZipPackage
from assistant.workbook.ooxml.sheet import Editing, add_drawing, drawing_of, remove_drawing
from assistant.workbook.ooxml.transplant import add_sheets, drop_with_links, remove_sheet
from assistant.workbook.ooxml.xml_tree import (
    WORKBOOK_ORDER,
    WORKSHEET_ORDER,
    Damaged,
    Splices,
    Unsafe,
    WorkbookFault,
    XmlNode,
    escape_xml,
    insert_child,
)
from assistant.workbook.read.find_tables import TableFinder, read_desk
from assistant.workbook.read.grid import Notes
from assistant.workbook.save import backup_limit, refuse_if_locked, replace_file, sha256
from assistant.workbook.screening import risky_content
from assistant.workbook.write.new_workbook import settings_workbook
from assistant.workbook.write.sheet_style import HEIGHTS, WIDTHS

# Macros and form buttons are put into a workbook.


# Failures of the setup.


class SetupTrouble(Exception):
    """The buttons cannot be installed on this machine. `code`: of the finding with the cure; `data`: its parameters."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code)
        self.code, self.data = code, data


# The sheet ``xlwings.conf``: which Python the macros call.
#
# xlwings looks for a setting on this sheet, then in a file beside the workbook, then in the user's own folder. Every
# setting that decides what is run is written here, even if blank, so that no file beside the workbook can set it.


SHEET = "xlwings.conf"
MADE_BY, WITH, MODULES = "ARBITRO", "XLWINGS", "MODULES"


def interpreter() -> str:
    """The full path of the running Python; on Windows python.exe, which can be waited for and shows errors."""
    here = Path(sys.executable)
    plain = here.with_name("python.exe")
    return str(plain if here.name.casefold() == "pythonw.exe" and plain.is_file() else here)


def conf_settings(python: str, xlwings: str, modules: str = "") -> dict[str, str | bool]:
    """The settings for the sheet. `python`: path of the interpreter; `xlwings`: the version of its modules;
    `modules`: the fingerprints of the macros that were written.
    """
    return {
        "INTERPRETER_WIN": python, "INTERPRETER_MAC": python, "INTERPRETER": python, "PYTHONPATH": "",
        "ADD_WORKBOOK_TO_PYTHONPATH": False, "CONDA PATH": "", "CONDA ENV": "", "UDF MODULES": "", "DEBUG UDFS": False,
        "USE UDF SERVER": False, "SHOW CONSOLE": False, "SHOW_ERROR_POPUPS": True, "TEMP DIR": "%TEMP%",
        "LICENSE_KEY": "", MADE_BY: __version__, WITH: xlwings, MODULES: modules,
    }


def read_conf(book: OoxmlBook) -> dict[str, str]:
    """The settings on a workbook's sheet; {} without one."""
    if SHEET not in book.sheets:
        return {}
    conf = {}
    for cells in book.rows(SHEET).values():
        if 1 in cells:
            conf[str(cells[1].value)] = str(cells[2].value) if 2 in cells else ""
    return conf


def write_conf(book: OoxmlBook, wanted: Mapping[str, str | bool]) -> None:
    """Put the sheet into a workbook, hidden from all menus, or renew it. Raises `Unsafe`, `Damaged`, `Hostile`."""
    if SHEET not in book.sheets:
        add_sheets(book, OoxmlBook(settings_workbook(SHEET, wanted)), [SHEET])
        return
    editing = Editing(book)
    rows = {str(cells[1].value): row for row, cells in book.rows(SHEET).items() if 1 in cells}
    free = max([0, *rows.values()]) + 1
    for key, value in wanted.items():
        if key not in rows:
            rows[key], free = free, free + 1
            editing.sheet(SHEET).put(rows[key], 1, key)
        editing.sheet(SHEET).put(rows[key], 2, value)
    editing.save()
    book.forget(SHEET)


# Form buttons in the VML drawing of a sheet, each bound to its macro.


_TYPE = (b'<v:shapetype id="_x0000_t201" coordsize="21600,21600" o:spt="201" path="m,l,21600r21600,l21600,xe">'
         b'<v:stroke joinstyle="miter"/><v:path shadowok="f" o:extrusionok="f" strokeok="f" fillok="f" '
         b'o:connecttype="rect"/><o:lock v:ext="edit" shapetype="t"/></v:shapetype>')
_ID = re.compile(rb"_x0000_s(\d+)")
_BOUND = re.compile(rb"<x:FmlaMacro>\s*(?:\[0\]!)?(\w+)\s*</x:FmlaMacro>")
_SHAPE = re.compile(rb"\s*<v:shape\b(?:(?!</v:shape>).)*?</v:shape>", re.S)
EMPTY = (b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
         b'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit">'
         b'<o:idmap v:ext="edit" data="1"/></o:shapelayout></xml>')


class PlacedButton(NamedTuple):
    """A button and its corners as (column, pixels, row, pixels), columns and rows from 0."""

    macro: str
    caption: str
    start: tuple[int, int, int, int]
    end: tuple[int, int, int, int]


def bound_macros(drawing: bytes) -> list[str]:
    """The macros to which the buttons of a drawing are bound."""
    return [macro.decode() for macro in _BOUND.findall(drawing)]


def drawing_with_buttons(drawing: bytes, buttons: Sequence[PlacedButton]) -> bytes:
    """A drawing with more buttons in it."""
    # Excel numbers the shapes of a sheet's first drawing from 1,025 on
    number = max([1024, *(int(n) for n in _ID.findall(drawing))])
    shapes = [] if b'id="_x0000_t201"' in drawing else [_TYPE]
    for button in buttons:
        number += 1
        corners = ", ".join(str(n) for n in (*button.start, *button.end))
        # [0]! in the name of a macro means this very workbook, whatever its file is called
        shapes.append(
            b'<v:shape id="_x0000_s%d" type="#_x0000_t201" style="position:absolute;margin-left:0pt;margin-top:0pt;'
            b'width:84pt;height:20pt;z-index:1;mso-wrap-style:tight" o:button="t" fillcolor="buttonFace [67]" '
            b'strokecolor="windowText [64]" o:insetmode="auto"><v:fill color2="buttonFace [67]" '
            b'o:detectmouseclick="t"/><o:lock v:ext="edit" rotation="t"/><v:textbox style="mso-direction-alt:auto" '
            b'o:singleclick="f"><div style="text-align:center"><font face="Calibri" size="180" color="#000000">%s'
            b'</font></div></v:textbox><x:ClientData ObjectType="Button"><x:Anchor>%s</x:Anchor>'
            b"<x:PrintObject>False</x:PrintObject><x:AutoFill>False</x:AutoFill><x:FmlaMacro>[0]!%s</x:FmlaMacro>"
            b"<x:TextHAlign>Center</x:TextHAlign><x:TextVAlign>Center</x:TextVAlign></x:ClientData></v:shape>" % (
                number, escape_xml(button.caption), corners.encode(), button.macro.encode()))
    end = drawing.rindex(b"</")
    return drawing[:end] + b"".join(shapes) + drawing[end:]


def drawing_without_buttons(drawing: bytes, macros: Collection[str]) -> bytes:
    """A drawing without the buttons that are bound to these macros."""
    return _SHAPE.sub(lambda match: b"" if set(bound_macros(match[0])) & set(macros) else match[0], drawing)


def is_blank_drawing(drawing: bytes) -> bool:
    """Whether a drawing has neither buttons nor boxes of notes in it."""
    return _SHAPE.search(drawing) is None


# The macros: one Sub per button, and xlwings' standalone modules from the installed package.


OUR_MODULE = "Arbitro"
"""The module that holds the Subs."""
XLWINGS_MODULES = ("xlwings", "Dictionary")
_HEAD = """Option Explicit

' Made by Arbitro. One Sub a button; all that is done is done in Python.
"""
_SUB = """Public Sub {sub}()
    PressButton "{verb}"
End Sub

"""
_PRESS = """Private Sub PressButton(ByVal verb As String)
    RunPython "from assistant.buttons import excel; excel.run('" & verb & "')"
End Sub
"""


_ANY_SUB = re.compile(r"publicsubarbitro_[a-z]+\(\)pressbutton\"[a-z]+\"endsub")


def module_source() -> str:
    """The source of our own module."""
    return _HEAD + "".join(_SUB.format(sub=button.sub, verb=button.verb) for button in BUTTONS) + _PRESS


def vba_modules(documents: Mapping[str, ModuleKind]) -> list[VbaModule]:
    """All modules of a workbook. `documents`: code name -> kind, the workbook's own first.

    Raises ImportError where xlwings is not installed.
    """
    listed = [VbaModule(name, kind=kind) for name, kind in documents.items()]
    return [*listed, VbaModule(OUR_MODULE, module_source()), *_xlwings_modules()]


def _xlwings_modules() -> list[VbaModule]:
    """The modules of the xlwings that is installed. Raises ImportError where it is not."""
    import xlwings

    package = Path(xlwings.__file__).parent
    main = (package / "xlwings.bas").read_text(encoding="utf-8")
    dictionary = (package / "addin" / "Dictionary.cls").read_text(encoding="utf-8")
    return [
        VbaModule(XLWINGS_MODULES[0], strip_export_head(main)),
        VbaModule(XLWINGS_MODULES[1], strip_export_head(dictionary), "class"),
    ]


def fingerprint(text: str) -> str:
    """A fingerprint of a module's text that stays the same when Excel saves it."""
    return hashlib.sha256(normalize_source(text).encode()).hexdigest()[:16]


def fingerprints() -> str:
    """The fingerprints of the modules as written now, for the hidden sheet. Raises ImportError as `vba_modules`."""
    return " ".join(fingerprint(module.code)
                    for module in (VbaModule(OUR_MODULE, module_source()), *_xlwings_modules()))


def foreign_macros(sources: Mapping[str, str], known: str = "") -> tuple[str, list[str]] | None:
    """A module with one of our names that holds somebody else's macros; None for none.

    Returned with the added procedures, if they can be told. Our own module must be one that some version of Arbitro
    writes, line by line; those of xlwings must have no procedures but its own. `sources`: the project's modules;
    `known`: the `fingerprints` of whoever wrote them. Raises ImportError if xlwings is not installed.
    """
    written = {module.name: module.code for module in _xlwings_modules()} | {OUR_MODULE: module_source()}
    for name, text in sources.items():
        if name not in written or fingerprint(text) in {fingerprint(written[name]), *known.split()}:
            continue
        if name == OUR_MODULE and _is_from_arbitro(text):
            continue
        more = [procedure for procedure in procedures(text) if procedure.casefold() not in {
            here.casefold() for here in procedures(written[name])}]
        if name == OUR_MODULE or more:  # a line of xlwings' own that Excel writes in another way is nobody's macro
            return name, more
    return None


def _is_from_arbitro(text: str) -> bool:
    """Whether our module holds only what any version of Arbitro writes: a Sub per button, and the one they call."""
    rest = _ANY_SUB.sub("", normalize_source(text))
    return rest == normalize_source(_HEAD + _PRESS)


# Putting buttons into an existing workbook: a macro project and buttons on the Desk; nothing else changes.
#
# This is done on the referee's own machine, because Excel blocks the macros of files that came by mail or from the web.


MACRO_TYPE = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
_PROJECT_TYPE = "application/vnd.ms-office.vbaProject"
_PROJECT_LINK = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
_PROJECT = "xl/vbaProject.bin"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_WIDE, _HIGH, _GAP = 137, 25, 3
"""Width, height and distance of buttons in pixels."""
_STANDARD_COLUMN, _STANDARD_ROW = 64, 20
"""Default width of a column and height of a row, in pixels."""


class OtherMacros(Exception):
    """The workbook has macros that are not Arbitro's; nothing was changed."""


class MacrosAdded(OtherMacros):
    """A module of ours holds somebody's own macros. `module`: which; `macros`: their names, as far as known."""

    def __init__(self, module: str, macros: list[str]) -> None:
        super().__init__(module)
        self.module, self.macros = module, macros


class SheetTaken(Exception):
    """Another sheet already has the name of ours; nothing was changed."""


@dataclass(frozen=True)
class Corner:
    """The position of the first button: column and row from 0; `widths`, `heights`: pixels of the columns and rows from
    there on; `in_row`: buttons beside each other.
    """

    column: int
    row: int
    widths: tuple[int, ...] = ()
    heights: tuple[int, ...] = ()
    in_row: int = 4

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


_BESIDE = Corner(len(WIDTHS), 1, heights=tuple(round(HEIGHTS[row] * 4 / 3) for row in sorted(HEIGHTS)[1:]), in_row=2)
"""Beside the Desk's columns, in sight on a screen of 1,280 by 720 dots."""
_BAND = Corner(4, 1, (166, 467), (53, 29))
"""At the right end of the coloured band of a Desk that is wider, as it was made before."""


def with_buttons(data: bytes, lang: str, *, python: str = "", buttons: Sequence[Button] = BUTTONS,
                 corner: Corner | None = None) -> bytes:
    """A workbook's bytes with buttons, as a workbook with macros. Existing buttons of Arbitro get fresh macros.

    `python`: the interpreter that they call (default: the running one); `buttons`: which; `corner`: where the first
    one goes on the first sheet, None for beside the Desk. Raises `OtherMacros`, `MacrosAdded`,
    `SheetTaken`, `Unsafe`, `Damaged`, `Hostile`, and ImportError without xlwings.
    """
    import xlwings

    book = OoxmlBook(data)
    package = book.package
    package.check_all()
    refuse_foreign_macros(book)
    # a sheet of this name that Arbitro has not made holds somebody's own settings of xlwings
    if SHEET in book.sheets and MADE_BY not in read_conf(book):
        raise SheetTaken(SHEET)
    write_conf(book, conf_settings(python or interpreter(), xlwings.__version__, fingerprints()))
    documents = _code_names(book)
    _place(book, lang, buttons, corner)
    _put_project(book, documents)
    package.retype(book.part, MACRO_TYPE)
    return package.pack()


def refuse_foreign_macros(book: OoxmlBook) -> None:
    """Make sure that a workbook's macros, if any, are those that Arbitro writes, and no more.

    Raises `OtherMacros`, `MacrosAdded`, `Damaged`, `Hostile`, and ImportError without xlwings.
    """
    if not book.macros:
        return
    try:
        sources = read_sources(book.package.raw(book.package.linked_part(book.part, "vbaProject")))
    except UnreadableProject as no:  # then it is not ours, whatever it is
        raise OtherMacros from no
    written = modules_with_code(sources)
    if OUR_MODULE not in written or not written <= {OUR_MODULE, *XLWINGS_MODULES}:
        raise OtherMacros
    added = foreign_macros(sources, read_conf(book).get(MODULES, ""))
    if added is not None:
        raise MacrosAdded(*added)


def has_buttons(book: OoxmlBook) -> bool:
    """Whether a workbook has all of Arbitro's buttons."""
    bound: set[str] = set()
    for sheet in book.sheets.values():
        part = drawing_of(book.package, sheet.part)
        bound |= set(bound_macros(book.package.raw(part))) if part else set()
    return book.macros and {button.sub for button in BUTTONS} <= bound


def dead_buttons(book: OoxmlBook) -> list[str]:
    """The macros that Arbitro's buttons call and that are not in the workbook's project."""
    try:
        package = book.package
        sources = read_sources(package.raw(package.linked_part(book.part, "vbaProject"))) if book.macros else {}
    except UnreadableProject:
        sources = {}
    there = {name.casefold() for text in sources.values() for name in procedures(text)}
    return [button.sub for button in BUTTONS if button.sub.casefold() not in there]


# --- code names ----------------------------------------------------------------------------------
def _code_names(book: OoxmlBook) -> dict[str, ModuleKind]:
    """The code names of workbook and sheets, each with a module of that name; missing ones are added."""
    package, parts = book.package, _sheet_parts(book)
    known = {part: node for part in parts if (node := package.tree(part).child("sheetPr")) is not None}
    reserved = {OUR_MODULE.casefold(), *(name.casefold() for name in XLWINGS_MODULES)}
    spoken_for = {node.get("codeName").casefold() for node in known.values()}
    own = _code_name(package, book.part, book.root.child("workbookPr"), "ThisWorkbook", reserved)
    names: dict[str, ModuleKind] = {own: "workbook"}
    taken = {*reserved, own.casefold()}
    for part in parts:
        root, number = package.tree(part), len(names)
        while f"sheet{number}" in taken | spoken_for:
            number += 1
        name = _code_name(package, part, known.get(part), f"Sheet{number}", taken)
        taken.add(name.casefold())
        names[name] = "chart" if root.tag == "chartsheet" else "sheet"
    book.rewritten()
    return names


def _sheet_parts(book: OoxmlBook) -> list[str]:
    """The parts of all sheets, charts too, in the order of their tabs."""
    links = {k.id: k.target for k in book.package.links(book.part) if not k.external}
    group = book.root.child("sheets")
    parts = [links.get(node.link_id(), "") for node in (group.all("sheet") if group is not None else ())]
    if not all(part in book.package for part in parts):
        raise Damaged("sheet")
    return parts


def _code_name(package: ZipPackage, part: str, properties: XmlNode | None, name: str, taken: set[str]) -> str:
    """The code name of a part; it gets a new one if it has no usable one."""
    old = properties.get("codeName") if properties is not None else ""
    if old and _NAME.fullmatch(old) and old.casefold() not in taken:
        return old
    root, splices = package.tree(part), Splices(package.text(part))
    tag = "workbookPr" if root.tag == "workbook" else "sheetPr"
    if properties is not None:
        splices.attribute(properties, "codeName", name)
    else:
        new = f'<{root.prefix}{tag} codeName="{name}"/>'.encode()
        insert_child(splices, root, WORKBOOK_ORDER if tag == "workbookPr" else WORKSHEET_ORDER, tag, new)
    package.put(part, splices.result())
    return name


# --- buttons ---------------------------------------------------------------------------------------
def _place(book: OoxmlBook, lang: str, buttons: Sequence[Button], at: Corner | None) -> None:
    """Put the missing buttons onto the Desk, or onto the first sheet of a workbook without one."""
    title, corner = _desk(book)
    corner = at or corner
    sheet = book.sheets[title].part
    part = drawing_of(book.package, sheet)
    drawing = book.package.raw(part) if part else EMPTY
    there = bound_macros(drawing)
    missing = [_placed_button(number, button.sub, button.caption(lang), corner) for number, button in enumerate(buttons)
               if button.sub not in there]
    if not missing:
        return
    if not part:
        part = book.package.free_name("xl/drawings/arbitroButtons{}.vml")
        add_drawing(book.package, sheet, part, strict=book.strict)
    book.package.put(part, drawing_with_buttons(drawing, missing))
    book.forget(title)


def _desk(book: OoxmlBook) -> tuple[str, Corner]:
    desk = read_desk(TableFinder(book), Desk, Notes("en"))
    if desk is not None:
        return desk[2], _BESIDE if book.places("desk_wrong") is not None else _BAND
    return next(sheet.title for sheet in book.sheets.values() if not sheet.hidden), Corner(0, 0)


def _placed_button(number: int, macro: str, caption: str, corner: Corner) -> PlacedButton:
    down, across = divmod(number, corner.in_row)
    left, top = _GAP + across * (_WIDE + _GAP), _GAP + down * (_HIGH + _GAP)
    return PlacedButton(macro, caption, (*corner.across(left), *corner.down(top)),
                       (*corner.across(left + _WIDE), *corner.down(top + _HIGH)))


def _put_project(book: OoxmlBook, documents: Mapping[str, ModuleKind]) -> None:
    package = book.package
    part = package.linked_part(book.part, "vbaProject")
    binary = project_bytes(vba_modules(documents))
    if part:
        package.put(part, binary)
        return
    package.put(_PROJECT, binary)
    package.declare(_PROJECT, _PROJECT_TYPE)
    package.link(book.part, _PROJECT_LINK, _PROJECT)


# The commands: buttons into a workbook and out of it.


# Two workbooks of one campaign, plain and with buttons.


def target_finding(workspace: Workspace, target: Path) -> Finding | None:
    """The finding against replacing `target` by a workbook with buttons made from `workspace`.

    `TARGET_LATER` if the campaign has gone on there, else `TARGET_THERE`; None if `target` is no workbook of this
    campaign.
    """
    try:
        other = open_workspace(target, workspace.lang)
    except Abort:
        return None
    if other.campaign.desk.campaign_id != workspace.campaign.desk.campaign_id:
        return None
    here, there = _campaign_age(workspace), _campaign_age(other)
    later = there > here or (there == here and current_phase(other.campaign) != current_phase(workspace.campaign)
                             and current_phase(other.campaign) in phases_to_come(workspace.ruleset, workspace.campaign))
    return codes.finding(
        codes.TARGET_LATER if later else codes.TARGET_THERE,
        target=target.name,
        file=workspace.path.name,
        then=other.when(current_phase(other.campaign)).strip(),
        now=workspace.when(current_phase(workspace.campaign)).strip(),
    )


def _campaign_age(workspace: Workspace) -> tuple[bool, int]:
    """A sort key: whether the ledger has reached the state of the workbook, and how much has happened in it."""
    try:
        with workspace.ledger() as ledger:
            abreast = find_mismatch(workspace, ledger, workspace.look(ledger)) is None
    except (Abort, LedgerTrouble):  # without a ledger the events tell it, and the calendar
        abreast = False
    return abreast, len(workspace.campaign.table(Event))


# ``arbitro buttons``.


@catches_abort("buttons")
def add_buttons(path: Path, *, force: bool = False, lang: str = "") -> Result:
    """Make ``NAME.xlsm`` with buttons from ``NAME.xlsx``, which stays as it is, or renew the buttons of an ``.xlsm``.

    `force`: replace an existing .xlsm, unless the campaign has gone on in it or it holds macros of somebody else.
    Result data: ``file``, ``python``: which the buttons call.
    """
    lang = language_for(path, lang)
    wording = Wording(None, lang)
    target = path.with_suffix(".xlsm")
    with file_faults(path, lang):
        content = workbook_bytes(path, lang)
        made = add_buttons_to_bytes(content, lang, path.name)
        workspace = open_workspace(path, lang)  # what is no campaign gets no buttons
        there = target != path and target.exists()
        if there:
            _may_replace(target, workspace, force)
        with claim_workbook(target, "buttons", lang, wording):
            # an .xlsm is renewed in its place: only if it is still the one that was read
            replace_file(target, made, sha256(content) if target == path else None)
    result = Result("buttons", wording=wording)
    result.data.update(file=target.name, python=interpreter())
    result.say(wording.text(N_("{file} has its buttons. They call {python}."), file=target.name,
                            python=interpreter()))
    if there and backup_limit():
        result.say(wording.text(N_("What stood in {file} before is kept in the folder {folder}."), file=target.name,
                                folder=backup_folder(target).name))
    say_excel_only(result)
    if target != path:
        _say_next(result, workspace, target)
    return result


def language_for(path: Path | None, lang: str) -> str:
    """The language of messages about a workbook: the one asked for, else the campaign's, else the machine's."""
    if not lang and path is not None:
        with contextlib.suppress(Abort):  # what is wrong with it is said in its place
            return open_workspace(path).lang
    return lang or machine_language()


def _may_replace(target: Path, workspace: Workspace, force: bool) -> None:
    """Make sure that an existing .xlsm may be replaced by one made from the .xlsx. Raises `Abort`, OSError."""
    obstacle = target_finding(workspace, target)
    if obstacle is None:
        obstacle = codes.finding(codes.FILE_EXISTS, file=target.name)
    # not even by force over a later state of the campaign, which would be lost
    if not force or obstacle.code == codes.TARGET_LATER:
        raise Abort(Exit.FILE, [obstacle], workspace.lang)
    with (
        faults_as_stops(workspace.lang, target.name),
        contextlib.suppress(WorkbookFault),
    ):  # what cannot be read has no macros to lose
        refuse_foreign_macros(OoxmlBook(target.read_bytes()))


def _say_next(result: Result, workspace: Workspace, target: Path) -> None:
    """Say which of the two workbooks to play on with, and whether it has a ledger."""
    wording, old, place = result.wording, workspace.path, path_of_ledger(target)
    assert wording is not None
    ledger = ledger_condition(place, workspace.campaign.desk.campaign_id)
    text = N_("Play on with {file}, and put {old} away: both have the same ledger.") if ledger == "ok" else N_(
        "Play on with {file}, and put {old} away.")
    result.say(wording.text(text, file=target.name, old=old.name))
    if ledger != "ok":
        result.say(wording.finding(codes.finding(codes.LEDGER[ledger], ledger=place.name, book=target.name, near="")))


def say_excel_only(result: Result) -> None:
    """Say, on a computer without Excel, that these buttons are for Excel: LibreOffice cannot run their macros."""
    if result.wording is not None and sys.platform not in ("win32", "darwin"):
        result.say(result.wording.text(N_("The buttons in the workbook work in Excel for Windows or macOS. In "
                                          "LibreOffice they do nothing; use its toolbar: arbitro setup libreoffice")))


def workbook_bytes(path: Path, lang: str) -> bytes:
    """The workbook's bytes. Raises `Abort`, `BookError`, OSError."""
    if path.suffix.casefold() not in (".xlsx", ".xlsm"):
        raise abort(Exit.USAGE, codes.NO_BUTTONS_FOR, lang, file=path.name)
    refuse_if_locked(path)
    return club_book_bytes(path, lang)


def add_buttons_to_bytes(content: bytes, lang: str, name: str = "") -> bytes:
    """A workbook's bytes with buttons. `name`: its file name, for messages. Raises `Abort`."""
    with faults_as_stops(lang, name):
        return with_buttons(content, lang)


@contextlib.contextmanager
def faults_as_stops(lang: str, name: str) -> Iterator[None]:
    """Context: turns what keeps a workbook from getting buttons into `Abort`. `name`: its file name."""
    try:
        yield
    except ImportError as no:
        if no.name != "xlwings":
            raise
        raise abort(Exit.FILE, codes.NO_XLWINGS, lang, python=interpreter()) from no
    except MacrosAdded as no:
        raise abort(Exit.FILE, codes.MACROS_ADDED, lang, file=name, module=no.module,
                   macros=Verbatim(", ".join(no.macros) or "?")) from no
    except OtherMacros as no:
        raise abort(Exit.FILE, codes.OTHER_MACROS, lang, file=name) from no
    except SheetTaken as no:
        raise abort(Exit.FILE, codes.SHEET_TAKEN, lang, file=name, sheet=SHEET) from no
    except Unsafe as no:
        raise abort(Exit.FILE, HARM_CODES[no.reason], lang, file=name, cell=no.cell, seen=no.detail) from no
    except WorkbookFault as no:
        raise abort(Exit.FILE, DAMAGED, lang, file=name, part=no.detail) from no


# The plain copy for clubs.
#
# Whatever would be refused in a copy that comes back is not put into it either.


PLAIN_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_SUBS = frozenset(button.sub for button in BUTTONS)
_WRAPPERS = ("Choice", "AlternateContent", "twoCellAnchor", "oneCellAnchor", "absoluteAnchor")
"""Elements around a single button in the newer markup that Excel writes besides the old one."""
_WHAT = {MACROS: N_("macros or menus of its own"), EXTERNAL: N_("links to other files or to the network"),
         EMBEDDED: N_("objects of other programs"), STARTS: N_("links that start a program")}


@catches_abort("buttons")
def plain_copy(path: Path, target: Path, *, force: bool = False, lang: str = "") -> Result:
    """Write a workbook without buttons and macros into another file; the workbook stays as it is.

    `force`: replace an existing copy. Result data: ``file``: the copy's name.
    """
    lang = language_for(path, lang)
    wording = Wording(None, lang)
    if target.suffix.casefold() != ".xlsx":
        raise abort(Exit.USAGE, codes.COPY_NOT_XLSX, lang, copy=target.name)
    with file_faults(target, lang):
        # plain and with buttons, a workbook of one name in one folder has one ledger
        if path_of_ledger(target).resolve() == path_of_ledger(path).resolve():
            raise abort(Exit.USAGE, codes.SAME_LEDGER, lang, copy=target.name, file=path.name)
        require_folder(target, lang)
    with file_faults(path, lang):
        made = _plain(workbook_bytes(path, lang), path.name, wording)
    with file_faults(target, lang):
        if target.exists() and not force:
            raise abort(Exit.FILE, codes.FILE_EXISTS, lang, file=target.name)
        with claim_workbook(target, "buttons", lang, wording):
            replace_file(target, made, None)
    result = Result("buttons", wording=wording)
    result.data.update(file=target.name)
    result.say(wording.text(N_("{copy} is a plain copy of {file} for the clubs, without buttons and macros."),
                            copy=target.name, file=path.name))
    result.say(wording.text(N_("It holds every sheet of {file}: send it only where no sheet is secret."),
                            file=path.name))
    return result


def _plain(content: bytes, name: str, wording: Wording) -> bytes:
    try:
        made = strip_buttons(content)
    except WorkbookFault as no:
        raise abort(Exit.FILE, DAMAGED, wording.lang, file=name, part=no.detail) from no
    # the same look that a copy which comes back gets: what is left would be refused then
    left = risky_content(made)
    if left:
        raise abort(Exit.FILE, codes.NOT_PLAIN, wording.lang, file=name,
                   what=", ".join(wording.text(_WHAT[code]) for code in left))
    return made


def strip_buttons(data: bytes) -> bytes:
    """A workbook's bytes without macros: no project, none of Arbitro's buttons, no sheet that names a Python. One
    without these is returned unchanged. Raises `Damaged`, `Hostile`.
    """
    book = OoxmlBook(data)
    package = book.package
    package.check_all()
    project = package.linked_part(book.part, "vbaProject")
    if project:
        drop_with_links(book, book.part, project)
    for sheet in book.sheets.values():
        _without_boxes(package, sheet.part)
        _without_controls(book, sheet.part)
        book.forget(sheet.title)
    if MADE_BY in read_conf(book):
        remove_sheet(book, SHEET)
    if package.content_type(book.part) != PLAIN_TYPE:
        package.retype(book.part, PLAIN_TYPE)
    # nothing to take out: the very bytes stay
    return package.pack() if package.changed else data


def _without_boxes(package: ZipPackage, sheet: str) -> None:
    """Remove the buttons from a sheet's VML drawing, which also holds its notes."""
    part = drawing_of(package, sheet)
    old = package.raw(part) if part else b""
    new = drawing_without_buttons(old, _SUBS)
    if new == old:
        return
    package.put(part, new)
    if is_blank_drawing(new) and not package.linked_part(sheet, "comments"):
        remove_drawing(package, sheet, part)


def _without_controls(book: OoxmlBook, sheet: str) -> None:
    """Remove the buttons from what Excel adds when it saves: a list of controls and a new drawing."""
    package = book.package
    root, splices = package.tree(sheet), Splices(package.text(sheet))
    controls = [chain for chain in _ancestor_chains(root) if chain[-1].tag == "control"]
    ours = [chain for chain in controls if any(_is_ours(node) for node in chain[-1].children)]
    links = {k.id: k.target for k in package.links(sheet) if not k.external}
    for chain in ours:
        # where no control of somebody else's is left, the whole list of controls goes
        if len(ours) < len(controls):
            _cut_element(splices, chain)
        drop_with_links(book, sheet, links.get(chain[-1].link_id(), ""))
    if ours and len(ours) == len(controls):
        _cut_element(splices, ours[0][:[node.tag for node in ours[0]].index("controls") + 1])
    drawing = package.linked_part(sheet, "drawing")
    if drawing and _strip_new_drawing(package, drawing):
        pointer = root.child("drawing")
        if pointer is not None:
            splices.replace(pointer.start, pointer.end, b"")
        drop_with_links(book, sheet, drawing)
    if splices:
        package.put(sheet, splices.result())


def _strip_new_drawing(package: ZipPackage, drawing: str) -> bool:
    """Remove the buttons from a new drawing. Returns whether it is empty now."""
    root, splices = package.tree(drawing), Splices(package.text(drawing))
    for chain in _ancestor_chains(root):
        if chain[-1].tag == "sp" and _is_ours(chain[-1]):
            _cut_element(splices, chain)
    if splices:
        package.put(drawing, splices.result())
    return bool(splices) and not package.tree(drawing).children


def _is_ours(node: XmlNode) -> bool:
    return node.get("macro").rpartition("!")[2] in _SUBS


def _ancestor_chains(root: XmlNode, above: tuple[XmlNode, ...] = ()) -> Iterator[tuple[XmlNode, ...]]:
    """Every element with its ancestors, the outermost first."""
    chain = (*above, root)
    yield chain
    for child in root.children:
        yield from _ancestor_chains(child, chain)


def _cut_element(splices: Splices, chain: tuple[XmlNode, ...]) -> None:
    """Remove an element, with the ancestors that hold nothing else."""
    at = len(chain) - 1
    while at > 1 and chain[at - 1].tag in _WRAPPERS:
        at -= 1
    splices.replace(chain[at].start, chain[at].end, b"")
