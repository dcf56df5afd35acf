"""The words that click itself says (usage, options, errors): a language in; click speaking it out."""

from __future__ import annotations

from typing import Any

import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.types

from assistant.catalogues import translator
from assistant.turn.texts import N_

WORDS = (
    N_("Usage:"), N_("Usage: {usage}"), N_("Options"), N_("Commands"), N_("Arguments"), N_("Error: {message}"),
    N_("Show this message and exit."), N_("Show the version and exit."), N_("%(prog)s, version %(version)s"),
    N_("Try '{command} {option}' for help."), N_("Missing argument"), N_("Missing option"), N_("Missing command."),
    N_("Missing parameter"), N_("No such option: {name}"), N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    N_("Did you mean {possibility}?"), N_("(Possible options: {possibilities})"), N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"), N_("Option {name!r} requires an argument."),
    N_("Got unexpected extra argument ({args})"), N_("Got unexpected extra arguments ({args})"),
    N_("{value!r} is not a valid {number_type}."), N_("{value!r} is not {choice}."),
    N_("{value!r} is not one of {choices}."), N_("{value} is not in the range {range}."),
    N_("{name} {filename!r} does not exist."), N_("{name} {filename!r} is a file."),
    N_("{name} {filename!r} is a directory."), N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} is not writable."), N_("file"), N_("directory"), N_("path"),
    N_("Option {name!r} does not take a value."), N_("Option {name!r} requires {nargs} arguments."),
    N_("Argument {name!r} takes {nargs} values."), N_("(Did you mean one of: {possibilities}?)"),
    N_("Missing {param_type}"), N_("Missing parameter: {param_name}"), N_("Choose from:\n\t{choices}"),
    N_("Aborted!"), N_("Positional arguments"), N_("unknown error"), N_("default: {default}"),
    N_("required"), N_("[OPTIONS]"), N_("COMMAND [ARGS]..."), N_("text"), N_("integer range"),
)


def speak(lang: str) -> None:
    """Let click speak a language. Its modules bind gettext under the name ``_`` when they are loaded, and some of its
    types have names that it does not translate.
    """
    words: Any = translator(lang)
    modules: tuple[Any, ...] = (click.core, click.decorators, click.exceptions, click.formatting, click.parser,
                                click.types)
    for module in modules:
        if hasattr(module, "_"):
            module._ = words
        if hasattr(module, "ngettext"):
            module.ngettext = lambda one, many, n: words(one if n == 1 else many)
    click.STRING.name = words("text")
    click.IntRange.name = words("integer range")
