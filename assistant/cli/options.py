"""What several commands take: a workbook, a folder, the wish for JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from assistant.resources import pictures_wanted

Words = Callable[[str], str]


class _File(click.Path):
    """A path that says something: a script's empty variable names no file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Raises `click.MissingParameter`."""
        if value == "":
            raise click.MissingParameter(ctx=ctx, param=param)
        return super().convert(value, param, ctx)


FILE = _File(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


def json_option(_: Words) -> Callable[[Any], Any]:
    """``--json``: the answer as JSON alone."""
    return click.option("--json", "as_json", is_flag=True, help=_("Answer in JSON on the standard output."))


def file_argument(_: Words) -> Callable[[Any], Any]:
    """The workbook."""
    return click.argument("file", type=FILE, metavar=_("FILE"))


def pictures_option(_: Words) -> Callable[[Any], Any]:
    """``--no-pictures``: without maps and charts, which take a second a club; the variable does it for all calls."""
    return click.option("--no-pictures", "pictures", flag_value=False, type=bool, default=pictures_wanted(),
                        help=_("Without maps and charts, which take most of the time (always so where the environment"
                               " has ARBITRO_NO_PICTURES)."))


def by_option(_: Words) -> Callable[[Any], Any]:
    """``--by``: until when the clubs have time, as the reports say it."""
    return click.option("--by", default="", metavar=_("TEXT"), help=_(
        "Until when orders and answers are due, as the reports shall say it: 'Sunday 6 December, 20:00'. Without it"
        " they say the deadline that the Desk sets."))
