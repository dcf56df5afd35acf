"""Showing a result: what a command came to in; words out, or JSON alone on the standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

import click

from assistant import desk


def show(result: desk.Result, as_json: bool, *, findings_first: bool = False, told: Collection[str] = ()) -> int:
    """Print a result and return its exit code. `told`: lines that were shown already, as progress.

    Words: what was done and asked on the standard output, findings on the standard error (on the
    output, and first, where they are what the command was asked for).
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


def _print(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)


def progress(line: str) -> None:
    """A line of progress, on the standard error."""
    click.echo(line, err=True)
    sys.stderr.flush()


def open_page(page: Path) -> bool:
    """Open a page in the browser, where somebody sits at a terminal with a screen; whether that was done."""
    screen = os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not (screen and sys.stdout.isatty()):
        return False
    import webbrowser

    return webbrowser.open(page.resolve().as_uri())
