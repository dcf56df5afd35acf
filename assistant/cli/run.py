"""One call of the program: its words in; an exit code out, and a sentence where the program is at fault."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import click

from assistant import desk
from assistant.catalogues import LANGUAGES, translator
from assistant.cli.click_words import speak
from assistant.resources import keep_details, machine_language, one_errand

FAULT = 70
INTERRUPTED = 130
SECRET = "--secret"


def run(arguments: list[str], app: Callable[[str], click.Group]) -> int:
    """Run one command and return its exit code; no traceback ever reaches the referee.

    `app`: makes the whole command line, with its help in a language.
    """
    one_errand()
    lang = language(arguments)
    _ = translator(lang)
    speak(lang)
    try:
        code = app(lang).main(arguments, prog_name="arbitro", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return _also_as_json(arguments, wrong.exit_code, wrong.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo(_("Interrupted. The step that was under way changed nothing."), err=True)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as fault:
        return _also_as_json(arguments, _own_fault(fault, arguments, lang), " ".join(desk.told_of(fault, lang)))


def _also_as_json(arguments: Sequence[str], code: int, line: str) -> int:
    """Where JSON was asked for, standard output holds JSON also when nothing could be done."""
    if "--json" in arguments:
        command = next((word for before, word in pairwise(["", *arguments])
                        if not word.startswith("-") and before != "--lang"), "")
        click.echo(json.dumps({"command": command, "exit": code, "done": False, "lines": [line], "findings": [],
                               "questions": [], "events": 0}, ensure_ascii=False, indent=1))
    return code


def language(arguments: Sequence[str]) -> str:
    """The language of help and usage: ``--lang``, else the machine's, else English."""
    for place, word in enumerate(arguments):
        if word == "--lang" and place + 1 < len(arguments):
            return arguments[place + 1] if arguments[place + 1] in LANGUAGES else "en"
        if word.startswith("--lang="):
            return word[7:] if word[7:] in LANGUAGES else "en"
    return machine_language()


def _without_secret(arguments: Sequence[str], told: str) -> str:
    """The command line and what went wrong, to be sent to a stranger: without the dice secret."""
    secrets = [word for before, word in pairwise(arguments) if before == SECRET]
    secrets += [word.partition("=")[2] for word in arguments if word.startswith(f"{SECRET}=")]
    details = f"arbitro {' '.join(arguments)}\n\n{told}"
    for secret in filter(None, secrets):
        details = details.replace(secret, "***")
    return details


def _own_fault(fault: Exception, arguments: Sequence[str], lang: str) -> int:
    """Say in a few sentences who is at fault; keep the details beside the workbook if possible."""
    import traceback

    for line in desk.told_of(fault, lang):
        click.echo(line, err=True)
    home = next((Path(word).parent for word in arguments if Path(word).is_file()), None)
    if home is not None:
        place = keep_details(home, _without_secret(arguments, "".join(traceback.format_exception(fault))))
        if place is None:
            return FAULT
        click.echo(desk.details_of(fault, lang).format(file=place), err=True)
    return FAULT
