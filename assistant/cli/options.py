"""What several commands take: a workbook, a folder, the wish for JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Words = Callable[[str], str]
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


def json_option(_: Words) -> Callable[[Any], Any]:
    """``--json``: the answer as JSON alone."""
    return click.option("--json", "as_json", is_flag=True, help=_("Answer in JSON on the standard output."))


def file_argument(_: Words) -> Callable[[Any], Any]:
    """The workbook."""
    return click.argument("file", type=FILE, metavar=_("FILE"))


def by_option(_: Words) -> Callable[[Any], Any]:
    """``--by``: until when the clubs have time, as the reports say it."""
    return click.option("--by", default="", metavar=_("TEXT"), help=_(
        "Until when orders and answers are due, as the reports shall say it: 'Sunday 6 December, 20:00'. Without it"
        " they say the deadline that the Desk sets."))
