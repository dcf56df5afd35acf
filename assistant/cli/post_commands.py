"""`arbitro share`: its words in; the desk's command asked and its result shown out."""

from __future__ import annotations

from pathlib import Path

import click

from assistant import desk
from assistant.cli.options import FOLDER, Words, by_option, file_argument, json_option
from assistant.cli.show import show
from assistant.resources import what_time


def share_command(_: Words) -> click.Command:
    """``arbitro share``: write the clubs' copies."""
    @click.command("share", help=_(
        "Write the public workbook and one copy a club, each with nothing but what its club may know: its order form,"
        " its questions, its sheets. Keep the full workbook to yourself where a game has secrets."))
    @file_argument(_)
    @click.argument("folder", type=FOLDER, metavar=_("FOLDER"))
    @click.option("--only", multiple=True, metavar=_("FACTION"),
                  help=_("Only this faction's copy; may be given several times."))
    @click.option("--renew", default="", metavar=_("FACTION"), help=_(
        "Give this faction a new code, because its copy went to a wrong address: the old one counts no more."))
    @by_option(_)
    @json_option(_)
    @click.pass_obj
    def share(lang: str, file: Path, folder: Path, only: tuple[str, ...], renew: str, by: str, as_json: bool) -> int:
        return show(desk.share(file, folder, only=only, renew=renew, by=by, lang=lang, clock=what_time()), as_json)

    return share
