"""`arbitro adopt`: its words in; the desk's command asked and its result shown out."""

from __future__ import annotations

from pathlib import Path

import click

from assistant import desk
from assistant.catalogues import LANGUAGES
from assistant.cli.options import Words, file_argument, json_option
from assistant.cli.show import show


def adopt_command(_: Words) -> click.Command:
    """``arbitro adopt``: a proposal on a sheet, then a campaign."""
    @click.command("adopt", help=_(
        "Take on a workbook that a club already uses. The first time a sheet is added that says what Arbitro takes the"
        " club's tables for; correct it, save, and run the command again: then what is missing is added, and every"
        " cell of the club's stays as it is."))
    @click.argument("ruleset", metavar=_("RULESET"))
    @file_argument(_)
    @click.option("--scenario", default="", metavar=_("NAME"),
                  help=_("Take what the club does not keep from this scenario; 'nothing' begins without it."))
    @click.option("--map", "mapping", type=click.Path(path_type=Path, dir_okay=False), default=None,
                  help=_("A CSV that says it instead of the sheet: sheet, heading, table, column."))
    @click.option("--language", type=click.Choice(LANGUAGES), default=None, help=_("Language of the workbook."))
    @click.option("--title", default="", help=_("Name of the campaign."))
    @click.option("--turn", default="", help=_("The turn at which it stands (default: the rulebook's first)."))
    @click.option("--phase", default="", help=_("The phase that comes next (default: the rulebook's first)."))
    @click.option("--secret", default="", help=_("Dice secret in hexadecimal digits, for replays."))
    @click.option("--yes", is_flag=True, help=_("Take the proposal as it is, without the sheet."))
    @click.option("--force", is_flag=True, help=_("Set a ledger aside that lies beside the workbook."))
    @json_option(_)
    @click.pass_obj
    def adopt(lang: str, ruleset: str, file: Path, scenario: str, mapping: Path | None, language: str | None,
              title: str, turn: str, phase: str, secret: str, yes: bool, force: bool, as_json: bool) -> int:
        plan = desk.AdoptPlan(ruleset, scenario, mapping, language or "", title, turn, phase, secret, yes, force)
        return show(desk.adopt(plan, file, lang=lang), as_json)

    return adopt
