"""The command `buttons`: adds buttons to a workbook, or makes a plain copy without them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from assistant.buttons import macros
from assistant.buttons.macros import MacrosAdded, OtherMacros, SheetTaken, refuse_foreign_macros, with_buttons
from assistant.buttons.press import BUTTONS
from assistant.campaign.records import Event
from assistant.desk.play_phase import current_phase, phases_to_come
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import find_mismatch
from assistant.desk.workspace.workspace import (
    Abort,
    Workspace,
    abort,
    claim_workbook,
    file_abort,
    open_workspace,
    require_folder,
)
from assistant.environment import machine_language
from assistant.files import backup_folder
from assistant.ledger import LedgerTrouble, ledger_condition, path_of_ledger
from assistant.turn import codes
from assistant.turn.codes import DAMAGED, EMBEDDED, EXTERNAL, MACROS, STARTS
from assistant.turn.findings import Finding
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.file_book import HARM_CODES
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.package import ZipPackage
from assistant.workbook.ooxml.sheet import drawing_of, remove_drawing
from assistant.workbook.ooxml.transplant import drop_with_links, remove_sheet
from assistant.workbook.ooxml.xml_tree import Splices, Unsafe, WorkbookFault, XmlNode
from assistant.workbook.save import backup_limit, refuse_if_locked, replace_file, sha256
from assistant.workbook.screening import BookError, BookMissing, refusal, risky_content

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


def add_buttons(path: Path, *, force: bool = False, lang: str = "") -> Result:
    """Make ``NAME.xlsm`` with buttons from ``NAME.xlsx``, which stays as it is, or renew the buttons of an ``.xlsm``.

    `force`: replace an existing .xlsm, unless the campaign has gone on in it or it holds macros of somebody else.
    Result data: ``file``, ``python``: which the buttons call.
    """
    lang = language_for(path, lang)
    wording = Wording(None, lang)
    target = path.with_suffix(".xlsm")
    try:
        content = workbook_bytes(path, lang)
        made = add_buttons_to_bytes(content, lang, path.name)
        workspace = open_workspace(path, lang)  # what is no campaign gets no buttons
        there = target != path and target.exists()
        if there:
            _may_replace(target, workspace, force)
        with claim_workbook(target, "buttons", lang, wording):
            replace_file(target, made, sha256(content) if target == path else None)
    except Abort as stopped:
        return stopped.result("buttons")
    except (BookError, OSError) as fault:
        return file_abort(fault, path, lang).result("buttons")
    result = Result("buttons", wording=wording)
    result.data.update(file=target.name, python=macros.interpreter())
    result.say(wording.text(N_("{file} has its buttons. They call {python}."), file=target.name,
                            python=macros.interpreter()))
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
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as no:
        raise BookMissing(path, f"there is no file {path.name}") from no
    bad = refusal(content)
    if bad is not None:
        raise abort(Exit.FILE, bad[0], lang, **{"file": path.name, **bad[1]})
    return content


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
        raise abort(Exit.FILE, codes.NO_XLWINGS, lang, python=macros.interpreter()) from no
    except MacrosAdded as no:
        raise abort(Exit.FILE, codes.MACROS_ADDED, lang, file=name, module=no.module,
                   macros=Verbatim(", ".join(no.macros) or "?")) from no
    except OtherMacros as no:
        raise abort(Exit.FILE, codes.OTHER_MACROS, lang, file=name) from no
    except SheetTaken as no:
        raise abort(Exit.FILE, codes.SHEET_TAKEN, lang, file=name, sheet=macros.SHEET) from no
    except Unsafe as no:
        raise abort(Exit.FILE, HARM_CODES[no.reason], lang, file=name, cell=no.cell, seen=no.detail) from no
    except WorkbookFault as no:
        raise abort(Exit.FILE, DAMAGED, lang, file=name, part=no.detail) from no


# The plain copy for clubs.
#
# Whatever would be refused in a copy that comes back is not put into it either.


MAIN_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_SUBS = frozenset(button.sub for button in BUTTONS)
_WRAPPERS = ("Choice", "AlternateContent", "twoCellAnchor", "oneCellAnchor", "absoluteAnchor")
"""Elements around a single button in the newer markup that Excel writes besides the old one."""
_WHAT = {MACROS: N_("macros or menus of its own"), EXTERNAL: N_("links to other files or to the network"),
         EMBEDDED: N_("objects of other programs"), STARTS: N_("links that start a program")}


def plain_copy(path: Path, target: Path, *, force: bool = False, lang: str = "") -> Result:
    """Write a workbook without buttons and macros into another file; the workbook stays as it is.

    `force`: replace an existing copy. Result data: ``file``: the copy's name.
    """
    lang = language_for(path, lang)
    wording = Wording(None, lang)
    try:
        if target.suffix.casefold() != ".xlsx":
            raise abort(Exit.USAGE, codes.COPY_NOT_XLSX, lang, copy=target.name)
        if path_of_ledger(target).resolve() == path_of_ledger(path).resolve():
            raise abort(Exit.USAGE, codes.SAME_LEDGER, lang, copy=target.name, file=path.name)
        require_folder(target, lang)
        made = _plain(_content(path, lang), path.name, wording)
        if target.exists() and not force:
            raise abort(Exit.FILE, codes.FILE_EXISTS, lang, file=target.name)
        with claim_workbook(target, "buttons", lang, wording):
            replace_file(target, made, None)
    except Abort as stopped:
        return stopped.result("buttons")
    except (BookError, OSError) as fault:
        return file_abort(fault, target, lang).result("buttons")
    result = Result("buttons", wording=wording)
    result.data.update(file=target.name)
    result.say(wording.text(N_("{copy} is a plain copy of {file} for the clubs, without buttons and macros."),
                            copy=target.name, file=path.name))
    result.say(wording.text(N_("It holds every sheet of {file}: send it only where no sheet is secret."),
                            file=path.name))
    return result


def _content(path: Path, lang: str) -> bytes:
    """`workbook_bytes`, but with errors reported for the workbook, not for the copy. Raises `Abort`."""
    try:
        return workbook_bytes(path, lang)
    except (BookError, OSError) as fault:
        raise file_abort(fault, path, lang) from fault


def _plain(content: bytes, name: str, wording: Wording) -> bytes:
    try:
        made = strip_buttons(content)
    except WorkbookFault as no:
        raise abort(Exit.FILE, DAMAGED, wording.lang, file=name, part=no.detail) from no
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
    project = package.linked(book.part, "vbaProject")
    if project:
        drop_with_links(book, book.part, project)
    for sheet in book.sheets.values():
        _without_boxes(package, sheet.part)
        _without_controls(book, sheet.part)
        book.forget(sheet.title)
    if macros.MADE_BY in macros.read_conf(book):
        remove_sheet(book, macros.SHEET)
    if package.content_type(book.part) != MAIN_TYPE:
        package.retype(book.part, MAIN_TYPE)
    return package.pack() if package.changed else data


def _without_boxes(package: ZipPackage, sheet: str) -> None:
    """Remove the buttons from a sheet's VML drawing, which also holds its notes."""
    part = drawing_of(package, sheet)
    old = package.raw(part) if part else b""
    new = macros.drawing_without_buttons(old, _SUBS)
    if new == old:
        return
    package.put(part, new)
    if macros.is_blank_drawing(new) and not package.linked(sheet, "comments"):
        remove_drawing(package, sheet, part)


def _without_controls(book: OoxmlBook, sheet: str) -> None:
    """Remove the buttons from what Excel adds when it saves: a list of controls and a new drawing."""
    package = book.package
    root, splices = package.tree(sheet), Splices(package.text(sheet))
    controls = [chain for chain in _ancestor_chains(root) if chain[-1].tag == "control"]
    ours = [chain for chain in controls if any(_is_ours(node) for node in chain[-1].children)]
    links = {k.id: k.target for k in package.links(sheet) if not k.external}
    for chain in ours:
        if len(ours) < len(controls):
            _cut_element(splices, chain)
        drop_with_links(book, sheet, links.get(chain[-1].linked(), ""))
    if ours and len(ours) == len(controls):
        _cut_element(splices, ours[0][:[node.tag for node in ours[0]].index("controls") + 1])
    drawing = package.linked(sheet, "drawing")
    if drawing and _strip_new_drawing(package, drawing):
        pointer = root.child("drawing")
        if pointer is not None:
            splices.replace(pointer.start, pointer.end, b"")
        drop_with_links(book, sheet, drawing)
    if splices:
        package.put(sheet, splices.done())


def _strip_new_drawing(package: ZipPackage, drawing: str) -> bool:
    """Remove the buttons from a new drawing. Returns whether it is empty now."""
    root, splices = package.tree(drawing), Splices(package.text(drawing))
    for chain in _ancestor_chains(root):
        if chain[-1].tag == "sp" and _is_ours(chain[-1]):
            _cut_element(splices, chain)
    if splices:
        package.put(drawing, splices.done())
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
