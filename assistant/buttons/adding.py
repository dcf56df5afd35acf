"""``arbitro buttons``: a workbook that exists gets buttons, or fresh ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from assistant.buttons import conf
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.desk.session import Stop, claim_on, file_stop, stop
from assistant.resources import machine_language
from assistant.wording import N_, Wording
from assistant.workbook.bookwork import HARM
from assistant.workbook.codes import DAMAGED
from assistant.workbook.locks import refuse_if_locked
from assistant.workbook.ooxml.faults import Fault, Unsafe
from assistant.workbook.port import BookError, BookMissing
from assistant.workbook.saving import replace_file, sha256
from assistant.workbook.screening import refusal


def add_buttons(path: Path, *, force: bool = False, lang: str = "") -> Result:
    """Make ``NAME.xlsm`` with buttons of ``NAME.xlsx``, which stays as it is, or renew those of an ``.xlsm``.

    `force`: an .xlsm that is there already is replaced. Result data: ``file``, ``python``: which the buttons call.
    """
    lang = lang or machine_language()
    wording = Wording(None, lang)
    try:
        content = content_of(path, lang)
        made = dressed(content, lang, path.name)
        target = path.with_suffix(".xlsm")
        if target.exists() and target != path and not force:
            raise stop(Exit.FILE, codes.FILE_EXISTS, lang, file=target.name)
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
    say_where(result)
    if target != path:
        result.say(wording.text(N_("Play on with {file}, and put {old} away: both have the same ledger."),
                                file=target.name, old=path.name))
    return result


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
    from assistant.buttons.maker import OtherMacros, SheetTaken, with_buttons

    data: dict[str, Any] = {"file": name}
    try:
        return with_buttons(content, lang)
    except ImportError as no:
        if no.name != "xlwings":
            raise
        code, data = codes.NO_XLWINGS, {"python": conf.interpreter()}
    except OtherMacros:
        code = codes.OTHER_MACROS
    except SheetTaken:
        code, data = codes.SHEET_TAKEN, {**data, "sheet": conf.SHEET}
    except Unsafe as no:
        code, data = HARM[no.reason], {**data, "cell": no.cell, "seen": no.detail}
    except Fault as no:
        code, data = DAMAGED, {**data, "part": no.detail}
    raise stop(Exit.FILE, code, lang, **data)
