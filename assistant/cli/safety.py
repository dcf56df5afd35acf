"""`arbitro accept`, `revert`: their words in; the desk's command asked and its result shown out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from assistant import desk
from assistant.cli.options import Words, file_argument, json_option
from assistant.cli.show import show


def _cells(_: Words) -> Callable[[Any], Any]:
    return click.argument("cells", nargs=-1, metavar=_("CELL..."))


def accept_command(_: Words) -> click.Command:
    """``arbitro accept``: keep changes by hand as rulings."""
    @click.command("accept", help=_(
        "Keep what was changed by hand, as a ruling. It stands in Events and in the reports of those whom it"
        " concerns, with its reason. CELL is written as arbitro check shows it, such as 'Factions!D5', or as"
        " SHEET!KEY.COLUMN; SHEET!KEY means all changes of a row."))
    @file_argument(_)
    @_cells(_)
    @click.option("--all", "everything", is_flag=True, help=_("All that was changed by hand."))
    @click.option("--why", required=True, metavar=_("REASON"), help=_("The reason, for all whom it concerns."))
    @json_option(_)
    @click.pass_obj
    def accept(lang: str, file: Path, cells: tuple[str, ...], everything: bool, why: str, as_json: bool) -> int:
        return show(desk.accept(file, cells, why=why, everything=everything, lang=lang), as_json)

    return accept


def revert_command(_: Words) -> click.Command:
    """``arbitro revert``: put changes by hand back."""
    @click.command("revert", help=_("Put back what was changed by hand. CELL is written as for accept."))
    @file_argument(_)
    @_cells(_)
    @click.option("--all", "everything", is_flag=True, help=_("All that was changed by hand."))
    @json_option(_)
    @click.pass_obj
    def revert(lang: str, file: Path, cells: tuple[str, ...], everything: bool, as_json: bool) -> int:
        return show(desk.revert(file, cells, everything=everything, lang=lang), as_json)

    return revert
