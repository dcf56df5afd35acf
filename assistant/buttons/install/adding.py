"""``arbitro buttons``: a workbook that exists gets buttons, or fresh ones."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from assistant.backups import backup_folder
from assistant.buttons.beside import beside
from assistant.buttons.install import conf
from assistant.buttons.install.maker import MacrosAdded, OtherMacros, SheetTaken, refuse_others, with_buttons
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop, claim_on, file_stop, stop
from assistant.ledger import path_of, state
from assistant.resources import machine_language
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.book_errors import BookError, BookMissing
from assistant.workbook.bookwork import HARM
from assistant.workbook.codes import DAMAGED
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.faults import Fault, Unsafe
from assistant.workbook.safe.locks import refuse_if_locked
from assistant.workbook.safe.saving import kept, replace_file, sha256
from assistant.workbook.safe.screening import refusal


def add_buttons(path: Path, *, force: bool = False, lang: str = "") -> Result:
    """Make ``NAME.xlsm`` with buttons of ``NAME.xlsx``, which stays as it is, or renew those of an ``.xlsm``.

    `force`: an .xlsm that is there already is replaced, unless the campaign has gone on in it or it holds macros of
    somebody else. Result data: ``file``, ``python``: which the buttons call.
    """
    lang = spoken(path, lang)
    wording = Wording(None, lang)
    target = path.with_suffix(".xlsm")
    try:
        content = content_of(path, lang)
        made = dressed(content, lang, path.name)
        sitting = sit(path, lang)  # what is no campaign gets no buttons
        there = target != path and target.exists()
        if there:
            _may_replace(target, sitting, force)
        with claim_on(target, "buttons", lang, wording):
            replace_file(target, made, sha256(content) if target == path else None)
    except Stop as stopped:
        return stopped.result("buttons")
    except (BookError, OSError) as fault:
        return file_stop(fault, path, lang).result("buttons")
    result = Result("buttons", wording=wording)
    result.data.update(file=target.name, python=conf.interpreter())
    result.say(wording.text(N_("{file} has its buttons. They call {python}."), file=target.name,
                            python=conf.interpreter()))
    if there and kept():
        result.say(wording.text(N_("What stood in {file} before is kept in the folder {folder}."), file=target.name,
                                folder=backup_folder(target).name))
    say_where(result)
    if target != path:
        _say_next(result, sitting, target)
    return result


def spoken(path: Path | None, lang: str) -> str:
    """The language of what is said of a workbook: the one asked for, else the campaign's, else the machine's."""
    if not lang and path is not None:
        with contextlib.suppress(Stop):  # what is wrong with it is said in its place
            return sit(path).lang
    return lang or machine_language()


def _may_replace(target: Path, sitting: Sitting, force: bool) -> None:
    """See that an .xlsm that lies there may be replaced by one that is made of the .xlsx. Raises `Stop`, OSError."""
    found = beside(sitting, target)
    if found is None:
        found = codes.finding(codes.FILE_EXISTS, file=target.name)
    if not force or found.code == codes.TARGET_LATER:
        raise Stop(Exit.FILE, [found], sitting.lang)
    with in_words(sitting.lang, target.name), contextlib.suppress(Fault):  # what cannot be read has no macros to lose
        refuse_others(OoxmlBook(target.read_bytes()))


def _say_next(result: Result, sitting: Sitting, target: Path) -> None:
    """With which of the two workbooks to play on, and whether it has a ledger."""
    wording, old, place = result.wording, sitting.path, path_of(target)
    assert wording is not None
    ledger = state(place, sitting.campaign.desk.campaign_id)
    said = N_("Play on with {file}, and put {old} away: both have the same ledger.") if ledger == "ok" else N_(
        "Play on with {file}, and put {old} away.")
    result.say(wording.text(said, file=target.name, old=old.name))
    if ledger != "ok":
        result.say(wording.finding(codes.finding(codes.LEDGER[ledger], ledger=place.name, book=target.name, near="")))


def say_where(result: Result) -> None:
    """Say, on a computer that has no Excel, that the buttons are Excel's: LibreOffice cannot run their macros."""
    if result.wording is not None and sys.platform not in ("win32", "darwin"):
        result.say(result.wording.text(N_("The buttons in the workbook work in Excel for Windows or macOS. In "
                                          "LibreOffice they do nothing; use its toolbar: arbitro setup libreoffice")))


def content_of(path: Path, lang: str) -> bytes:
    """The workbook's bytes. Raises `Stop`, `BookError`, OSError."""
    if path.suffix.casefold() not in (".xlsx", ".xlsm"):
        raise stop(Exit.USAGE, codes.NO_BUTTONS_FOR, lang, file=path.name)
    refuse_if_locked(path)
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as no:
        raise BookMissing(path, f"there is no file {path.name}") from no
    bad = refusal(content)
    if bad is not None:
        raise stop(Exit.FILE, bad[0], lang, **{"file": path.name, **bad[1]})
    return content


def dressed(content: bytes, lang: str, name: str = "") -> bytes:
    """A workbook's bytes with buttons. `name`: of its file, for messages. Raises `Stop`."""
    with in_words(lang, name):
        return with_buttons(content, lang)


@contextlib.contextmanager
def in_words(lang: str, name: str) -> Iterator[None]:
    """Raises `Stop` with what keeps a workbook from getting buttons. `name`: of its file."""
    try:
        yield
    except ImportError as no:
        if no.name != "xlwings":
            raise
        raise stop(Exit.FILE, codes.NO_XLWINGS, lang, python=conf.interpreter()) from no
    except MacrosAdded as no:
        raise stop(Exit.FILE, codes.MACROS_ADDED, lang, file=name, module=no.module,
                   macros=Verbatim(", ".join(no.macros) or "?")) from no
    except OtherMacros as no:
        raise stop(Exit.FILE, codes.OTHER_MACROS, lang, file=name) from no
    except SheetTaken as no:
        raise stop(Exit.FILE, codes.SHEET_TAKEN, lang, file=name, sheet=conf.SHEET) from no
    except Unsafe as no:
        raise stop(Exit.FILE, HARM[no.reason], lang, file=name, cell=no.cell, seen=no.detail) from no
    except Fault as no:
        raise stop(Exit.FILE, DAMAGED, lang, file=name, part=no.detail) from no
