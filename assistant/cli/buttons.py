"""`arbitro buttons`, `setup`, `doctor`: their words in; the buttons' room asked and its result shown out."""

from __future__ import annotations

from pathlib import Path

import click

from assistant import buttons as door
from assistant.cli.options import Words, file_argument, json_option
from assistant.cli.show import show


def buttons_command(_: Words) -> click.Command:
    """``arbitro buttons``: put buttons into a workbook."""
    @click.command("buttons", help=_(
        "Put buttons into a workbook: of NAME.xlsx it makes NAME.xlsm beside it, in an .xlsm it renews them."
        " Nothing else in the workbook changes."))
    @file_argument(_)
    @click.option("--plain", "copy", type=click.Path(path_type=Path), metavar=_("COPY.xlsx"), help=_(
        "Instead, write a copy without buttons and macros for the clubs."))
    @click.option("--force", is_flag=True, help=_("Overwrite an .xlsm, or a copy, that is there."))
    @json_option(_)
    @click.pass_obj
    def buttons(lang: str, file: Path, copy: Path | None, force: bool, as_json: bool) -> int:
        if copy is not None:
            return show(door.plain_copy(file, copy, force=force, lang=lang), as_json)
        return show(door.add_buttons(file, force=force, lang=lang), as_json)

    return buttons


def setup_command(_: Words) -> click.Command:
    """``arbitro setup``: make a computer ready for the buttons, or take that back."""
    @click.command("setup", help=_(
        "Make this computer ready for buttons in Excel or LibreOffice, and say what was done."))
    @click.argument("program", type=click.Choice(("excel", "libreoffice")))
    @click.option("--undo", is_flag=True, help=_("Take away what was installed."))
    @json_option(_)
    @click.pass_obj
    def setup(lang: str, program: str, undo: bool, as_json: bool) -> int:
        work = door.setup_excel if program == "excel" else door.setup_libreoffice
        return show(work(undo=undo, lang=lang), as_json)

    return setup


def doctor_command(_: Words) -> click.Command:
    """``arbitro doctor``: what keeps the buttons from working."""
    @click.command("doctor", help=_(
        "Find what keeps the buttons from working, with the cure. Looks at this computer, and at FILE if it is"
        " given. Changes nothing."))
    @click.argument("file", required=False, default=None, type=click.Path(path_type=Path), metavar=_("[FILE]"))
    @json_option(_)
    @click.pass_obj
    def doctor(lang: str, file: Path | None, as_json: bool) -> int:
        found = door.doctor(file, lang=lang, office=door.look_at_office())
        return show(found, as_json, findings_first=True)

    return doctor
