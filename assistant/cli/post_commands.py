"""`arbitro share` and `collect`: their words in; the desk's command asked and its result shown out."""

from __future__ import annotations

from pathlib import Path

import click

from assistant import desk
from assistant.cli.options import FOLDER, Words, by_option, file_argument, json_option
from assistant.cli.show import show


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
        return show(desk.share(file, folder, only=only, renew=renew, by=by, lang=lang), as_json)

    return share


def collect_command(_: Words) -> click.Command:
    """``arbitro collect``: take in what the clubs sent back."""
    @click.command("collect", help=_(
        "Take in what the clubs sent back: filled copies, CSVs and texts that lie in these folders. Of each club the"
        " newest counts, and what it has taken out is withdrawn. Says how every line was understood and what is still"
        " missing."))
    @file_argument(_)
    @click.argument("places", nargs=-1, required=True, type=click.Path(path_type=Path), metavar=_("FOLDER..."))
    @click.option("--dry-run", is_flag=True, help=_("Only show, line by line, what stood and what would count."))
    @click.option("--receipts", type=FOLDER, default=None, metavar=_("FOLDER"), help=_(
        "Write the answers to the clubs there, a text each, in their languages."))
    @json_option(_)
    @click.pass_obj
    def collect(lang: str, file: Path, places: tuple[Path, ...], dry_run: bool, receipts: Path | None, as_json: bool
                ) -> int:
        return show(desk.collect(file, places, dry_run=dry_run, receipts=receipts, lang=lang), as_json)

    return collect
