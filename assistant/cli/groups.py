"""The list of commands in the help: the command line in; its commands by what they are for, with examples, out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import click

from assistant.cli.options import Words
from assistant.turn.texts import N_


class Chapter(NamedTuple):
    """Commands that belong together. `title`: msgid; `examples`: two calls as they are typed, msgids."""

    title: str
    commands: tuple[str, ...]
    examples: tuple[str, str]


CHAPTERS = (
    Chapter(N_("Beginning"), ("demo", "new", "adopt"),
            (N_("arbitro demo --out demo"), N_("arbitro new giglio war.xlsx"))),
    Chapter(N_("An evening"), ("status", "orders", "collect", "check", "accept", "revert", "answers", "resolve",
                                  "report", "map", "share", "send", "remind", "publish", "post"),
            (N_("arbitro orders war.xlsx orders.csv"), N_("arbitro report war.xlsx --out reports"))),
    Chapter(N_("Back and forth"), ("undo", "redo", "correct", "history"),
            (N_("arbitro undo war.xlsx --steps 2"), N_("arbitro correct war.xlsx forgotten.csv --why \"lost mail\""))),
    Chapter(N_("Looking"), ("verify", "standings", "luck", "odds", "verbs", "rules", "rulesets", "export", "help"),
            (N_("arbitro verify war.xlsx"), N_("arbitro verbs giglio"))),
    Chapter(N_("Setting up"), ("buttons", "setup", "doctor", "ledger"),
            (N_("arbitro setup libreoffice"), N_("arbitro ledger war.xlsx"))),
)


def write_chapters(commands: Mapping[str, click.Command], formatter: click.HelpFormatter, _: Words) -> None:
    """Write all commands, given by name, into the help."""
    longest = max(map(len, commands))
    room = formatter.width - 6 - longest
    for chapter in CHAPTERS:
        with formatter.section(_(chapter.title)):
            formatter.write_dl([(name.ljust(longest), commands[name].get_short_help_str(room))
                                for name in chapter.commands])
            formatter.write_paragraph()
            for example in chapter.examples:
                formatter.write_text(_(example))
