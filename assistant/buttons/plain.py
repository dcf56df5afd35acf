"""A copy for clubs: a workbook with buttons in; a plain ``.xlsx`` without macros out, all else as it is.

What it would not be taken back with (`screening.brought`) it is not made with either.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assistant.buttons.button_list import BUTTONS
from assistant.buttons.install import conf, form
from assistant.buttons.install.adding import content_of, spoken
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.stops import Stop, claim_on, file_stop, need_folder, stop
from assistant.ledger import path_of
from assistant.wording import N_, Wording
from assistant.workbook.book_errors import BookError
from assistant.workbook.codes import DAMAGED, EMBEDDED, EXTERNAL, MACROS, STARTS
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.notes import drawing_of, remove_drawing
from assistant.workbook.ooxml.parts.faults import Fault
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.xmltree import Node, Splices
from assistant.workbook.ooxml.whole_sheets.removal import drop_with_links, take_out_sheet
from assistant.workbook.safe.saving import replace_file
from assistant.workbook.safe.screening import brought

MAIN_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_SUBS = frozenset(one.sub for one in BUTTONS)
_WRAPPERS = ("Choice", "AlternateContent", "twoCellAnchor", "oneCellAnchor", "absoluteAnchor")
"""What stands around a single button in the markup that Excel writes besides the old form."""
_WHAT = {MACROS: N_("macros or menus of its own"), EXTERNAL: N_("links to other files or to the network"),
         EMBEDDED: N_("objects of other programs"), STARTS: N_("links that start a program")}


def plain_copy(path: Path, target: Path, *, force: bool = False, lang: str = "") -> Result:
    """Write a workbook without buttons and macros into another file; the workbook stays as it is.

    `force`: a copy that is there already is replaced. Result data: ``file``: the copy's name.
    """
    lang = spoken(path, lang)
    wording = Wording(None, lang)
    try:
        if target.suffix.casefold() != ".xlsx":
            raise stop(Exit.USAGE, codes.COPY_NOT_XLSX, lang, copy=target.name)
        if path_of(target).resolve() == path_of(path).resolve():
            raise stop(Exit.USAGE, codes.SAME_LEDGER, lang, copy=target.name, file=path.name)
        need_folder(target, lang)
        made = _plain(_content(path, lang), path.name, wording)
        if target.exists() and not force:
            raise stop(Exit.FILE, codes.FILE_EXISTS, lang, file=target.name)
        with claim_on(target, "buttons", lang, wording):
            replace_file(target, made, None)
    except Stop as stopped:
        return stopped.result("buttons")
    except (BookError, OSError) as fault:
        return file_stop(fault, target, lang).result("buttons")
    result = Result("buttons", wording=wording)
    result.data.update(file=target.name)
    result.say(wording.text(N_("{copy} is a plain copy of {file} for the clubs, without buttons and macros."),
                            copy=target.name, file=path.name))
    result.say(wording.text(N_("It holds every sheet of {file}: send it only where no sheet is secret."),
                            file=path.name))
    return result


def _content(path: Path, lang: str) -> bytes:
    """`content_of`, with what is wrong with the workbook told as its own fault, not the copy's. Raises `Stop`."""
    try:
        return content_of(path, lang)
    except (BookError, OSError) as fault:
        raise file_stop(fault, path, lang) from fault


def _plain(content: bytes, name: str, wording: Wording) -> bytes:
    try:
        made = without_buttons(content)
    except Fault as no:
        raise stop(Exit.FILE, DAMAGED, wording.lang, file=name, part=no.detail) from no
    left = brought(made)
    if left:
        raise stop(Exit.FILE, codes.NOT_PLAIN, wording.lang, file=name,
                   what=", ".join(wording.text(_WHAT[code]) for code in left))
    return made


def without_buttons(data: bytes) -> bytes:
    """A workbook's bytes as a workbook without macros: no project, none of Arbitro's buttons, no sheet that names
    a Python. One that has none of these comes out as it is. Raises `Damaged`, `Hostile`.
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
    if conf.MADE_BY in conf.read(book):
        take_out_sheet(book, conf.SHEET)
    if package.content_type(book.part) != MAIN_TYPE:
        package.retype(book.part, MAIN_TYPE)
    return package.pack() if package.changed else data


def _without_boxes(package: Package, sheet: str) -> None:
    """Take the buttons out of a sheet's old drawing, which it shares with notes."""
    part = drawing_of(package, sheet)
    old = package.raw(part) if part else b""
    new = form.without_buttons(old, _SUBS)
    if new == old:
        return
    package.put(part, new)
    if form.blank(new) and not package.linked(sheet, "comments"):
        remove_drawing(package, sheet, part)


def _without_controls(book: OoxmlBook, sheet: str) -> None:
    """Take the buttons out of what Excel writes besides when it saves: a list of controls and a new drawing."""
    package = book.package
    root, splices = package.tree(sheet), Splices(package.text(sheet))
    controls = [chain for chain in _chains(root) if chain[-1].tag == "control"]
    ours = [chain for chain in controls if any(_is_ours(node) for node in chain[-1].children)]
    links = {k.id: k.target for k in package.links(sheet) if not k.external}
    for chain in ours:
        if len(ours) < len(controls):
            _cut(splices, chain)
        drop_with_links(book, sheet, links.get(chain[-1].linked(), ""))
    if ours and len(ours) == len(controls):
        _cut(splices, ours[0][:[node.tag for node in ours[0]].index("controls") + 1])
    drawing = package.linked(sheet, "drawing")
    if drawing and _drawn_nothing(package, drawing):
        pointer = root.child("drawing")
        if pointer is not None:
            splices.replace(pointer.start, pointer.end, b"")
        drop_with_links(book, sheet, drawing)
    if splices:
        package.put(sheet, splices.done())


def _drawn_nothing(package: Package, drawing: str) -> bool:
    """Take the buttons out of a new drawing. Whether they were all that it held."""
    root, splices = package.tree(drawing), Splices(package.text(drawing))
    for chain in _chains(root):
        if chain[-1].tag == "sp" and _is_ours(chain[-1]):
            _cut(splices, chain)
    if splices:
        package.put(drawing, splices.done())
    return bool(splices) and not package.tree(drawing).children


def _is_ours(node: Node) -> bool:
    return node.get("macro").rpartition("!")[2] in _SUBS


def _chains(root: Node, above: tuple[Node, ...] = ()) -> Iterator[tuple[Node, ...]]:
    """Every element with all that stand around it, the outermost first."""
    chain = (*above, root)
    yield chain
    for child in root.children:
        yield from _chains(child, chain)


def _cut(splices: Splices, chain: tuple[Node, ...]) -> None:
    """Take an element out, with what stands around it alone."""
    at = len(chain) - 1
    while at > 1 and chain[at - 1].tag in _WRAPPERS:
        at -= 1
    splices.replace(chain[at].start, chain[at].end, b"")
