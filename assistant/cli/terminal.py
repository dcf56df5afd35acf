"""What commands share at the terminal: options, questions, printed results, sources."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click
import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.types

from assistant import desk
from assistant.catalogues import translator
from assistant.environment import pictures_wanted
from assistant.turn.texts import N_

# Shared arguments and options.


Translate = Callable[[str], str]


class _File(click.Path):
    """A path that must not be empty: an unset variable in a script names no file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Raises `click.MissingParameter`."""
        if value == "":
            raise click.MissingParameter(ctx=ctx, param=param)
        return super().convert(value, param, ctx)


FILE = _File(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


def json_option(_: Translate) -> Callable[[Any], Any]:
    """``--json``: print JSON only."""
    return click.option("--json", "as_json", is_flag=True, help=_("Answer in JSON on the standard output."))


def file_argument(_: Translate) -> Callable[[Any], Any]:
    """The argument FILE, a workbook."""
    return click.argument("file", type=FILE, metavar=_("FILE"))


def pictures_option(_: Translate) -> Callable[[Any], Any]:
    """``--no-pictures``: without maps and charts, which take a second per club. The variable does it for all calls."""
    return click.option("--no-pictures", "pictures", flag_value=False, type=bool, default=pictures_wanted(),
                        help=_("Without maps and charts, which take most of the time (always so where the environment"
                               " has ARBITRO_NO_PICTURES)."))


def by_option(_: Translate) -> Callable[[Any], Any]:
    """``--by``: the deadline, in the words of the reports."""
    return click.option("--by", default="", metavar=_("TEXT"), help=_(
        "The deadline for orders and answers, as the reports will say it: 'Sunday 6 December, 20:00'. Without it"
        " they say the deadline that the Desk sets."))


# Translating click's own messages (usage, options, errors).


CLICK_TEXTS = (
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


def translate_click(lang: str) -> None:
    """Translate click's own messages. Its modules bind gettext as ``_`` when they are loaded, so the name is replaced
    in each of them; the names of some types it does not translate at all.
    """
    words: Any = translator(lang)
    modules: tuple[Any, ...] = (click.core, click.decorators, click.exceptions, click.formatting, click.parser,
                                click.types)
    for module in modules:
        if hasattr(module, "_"):
            module._ = words
        if hasattr(module, "ngettext"):
            module.ngettext = lambda one_form, many, n: words(one_form if n == 1 else many)
    click.STRING.name = words("text")
    click.IntRange.name = words("integer range")


# Questions at the terminal.


YES = ("y", "yes", "s", "si", "sì")
"""Accepted in either language: somebody asked in Italian may still type y."""


def has_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmer(told: list[str], yes: bool) -> Callable[[Sequence[str], str], bool] | None:
    """The function with which `desk.resolve` asks before it refuses orders, and `desk.orders` before it takes a
    proposal; None without a terminal, or with `yes`.

    `told`: collects the findings that were shown, so that they are not shown again.
    """
    return None if yes or not has_terminal() else partial(_show_and_ask, told)


def agreement(*, yes: bool, as_json: bool) -> Callable[[str, Sequence[str]], bool]:
    """The function with which `desk.undo` and `desk.correct` ask when reports were sent, one question at a time.

    With `yes` it agrees to everything; without a terminal, or with `as_json`, to nothing.
    """
    def agree(told: str, questions: Sequence[str]) -> bool:
        if yes or as_json or not has_terminal():
            return yes
        click.echo(told, err=True)
        return all(ask_yes_no(question) for question in questions)

    return agree


def first_mails_agreement(told: list[str], *, as_json: bool) -> Callable[[Sequence[str], str], bool]:
    """The function with which `desk.send` asks before the first mails of a campaign; without a terminal it says no.

    `told`: collects the lines that were shown, so that they are not shown again.
    """
    def agree(lines: Sequence[str], question: str) -> bool:
        return not as_json and has_terminal() and _show_and_ask(told, lines, question)

    return agree


def asker(as_json: bool) -> Callable[[str, str, bool], str] | None:
    """The function with which `desk.set_up_post` asks for settings; None without a terminal."""
    if as_json or not has_terminal():
        return None

    def ask(question: str, usual: str, secret: bool) -> str:
        answer: str = click.prompt(question, default=usual, hide_input=secret, show_default=bool(usual), err=True)
        return answer

    return ask


def _show_and_ask(told: list[str], lines: Sequence[str], question: str) -> bool:
    """Show lines, which are noted in `told`, and ask a question about them."""
    told.extend(lines)
    for line in lines:
        click.echo(line, err=True)
    return ask_yes_no(question)


def ask_yes_no(question: str) -> bool:
    """Ask a question at the terminal."""
    click.echo(f"{question} ", nl=False, err=True)
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in YES


# Printing results.


def show(result: desk.Result, as_json: bool, *, findings_first: bool = False, told: Collection[str] = ()) -> int:
    """Print a result and return its exit code. `told`: lines that were printed already, as progress.

    Lines and questions go to standard output, findings to standard error. With `findings_first`, for commands that are
    about findings, these go to standard output, too, and come first.
    """
    if as_json:
        click.echo(json.dumps(result.as_json(), ensure_ascii=False, indent=1))
        return int(result.exit)
    findings_first = findings_first and result.exit in (0, 1)
    if findings_first:
        _print(result.finding_lines())
    _print(line for line in result.lines if line not in told or not sys.stdout.isatty())
    _print(result.question_lines())
    if not findings_first:
        _print((line for line in result.finding_lines() if line not in told or not sys.stderr.isatty()), err=True)
    return int(result.exit)


def shown(_: Translate, *, findings_first: bool = False) -> Callable[[Callable[..., desk.Result]], Any]:
    """Decorator of a command that returns what the desk says: it is printed as `show` does, as JSON with ``--json``.
    The command gets the language of the call before its own options.
    """
    def of(command: Callable[..., desk.Result]) -> Any:
        @json_option(_)
        @click.pass_obj
        @wraps(command)
        def run(lang: str, /, as_json: bool, **typed: Any) -> int:
            return show(command(lang, **typed), as_json, findings_first=findings_first)

        return run

    return of


def desk_command(name: str, _: Translate, text: str, *parameters: Callable[[Any], Any], findings_first: bool = False,
                 **more: Any) -> click.Command:
    """The command of this name of the desk, which takes what is typed under the names of its own parameters, and prints
    what it says as `shown` does; what is not typed and has no default here is as the desk has it. `text`: its help;
    `parameters`: decorators, in the order of the help; `more`: what the desk gets besides.
    """
    @shown(_, findings_first=findings_first)
    def run(lang: str, **typed: Any) -> desk.Result:
        file = [typed.pop("file")] if "file" in typed else []
        given = {parameter: value for parameter, value in typed.items() if value is not None}
        result: desk.Result = getattr(desk, name)(*file, **given, **more, lang=lang)
        return result

    # as with decorators, the last one is applied first
    for parameter in reversed(parameters):
        run = parameter(run)
    return click.command(name, help=text)(run)


def _print(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)


def progress(line: str) -> None:
    """Print a line of progress on standard error."""
    click.echo(line, err=True)
    sys.stderr.flush()


def open_page(page: Path) -> bool:
    """Open a page in the browser if there is a terminal and a screen; returns whether it was opened."""
    screen = os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not (screen and sys.stdout.isatty()):
        return False
    import webbrowser

    return webbrowser.open(page.resolve().as_uri())


# The argument SOURCE.


FILES = (".csv", ".txt", ".xlsx", ".xlsm")
UNREADABLE_FILES = (
    ".doc",
    ".docx",
    ".eml",
    ".htm",
    ".html",
    ".json",
    ".jpg",
    ".md",
    ".msg",
    ".numbers",
    ".ods",
    ".odt",
    ".pages",
    ".pdf",
    ".png",
    ".rtf",
    ".tsv",
    ".xls",
    ".xlsb",
    ".xml",
    ".zip",
)
"""Endings of other files that clubs send; nothing can be read from these."""


def source_of(word: str) -> desk.Input:
    """``-`` is the standard input; a word with a file's ending, an existing path or anything written like a path is a
    file; everything else is a line.
    """
    if word == "-":
        return desk.Input("-", text=sys.stdin.read())
    if not word.strip():
        return desk.Input(word, text=word)
    path = Path(word)
    folders = word.startswith(("/", "./", "../", "~", ".\\", "..\\")) or word.endswith(("/", "\\"))
    if path.suffix.casefold() in (*FILES, *UNREADABLE_FILES) or path.exists() or folders:
        return desk.Input(path.name, path=path)
    return desk.Input(word, text=word)
