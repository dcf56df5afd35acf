"""Questions to who sits at the terminal: findings and a question in; yes or no out. A script is never asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import click

YES = ("y", "yes", "s", "si", "sì")
"""In either language: who is asked in Italian may still type y."""


def confirmer(told: list[str], yes: bool) -> Callable[[Sequence[str], str], bool] | None:
    """What `desk.resolve` asks before it refuses orders; None where nobody sits there, or all is agreed to.

    `told`: takes in the findings that were shown, so that they are not shown again.
    """
    if yes or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def confirm(findings: Sequence[str], question: str) -> bool:
        told.extend(findings)
        for line in findings:
            click.echo(line, err=True)
        return _answered(question)

    return confirm


def agreement(*, yes: bool, as_json: bool) -> Callable[[str, Sequence[str]], bool]:
    """What `desk.undo` and `desk.correct` ask where reports were sent: each question at the terminal, by itself.

    `yes`: all is agreed to; where nobody sits there, or JSON is wanted, nothing is.
    """
    def agree(told: str, questions: Sequence[str]) -> bool:
        if yes or as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return yes
        click.echo(told, err=True)
        return all(_answered(question) for question in questions)

    return agree


def first_mails(told: list[str], *, as_json: bool) -> Callable[[Sequence[str], str], bool]:
    """What `desk.send` asks before the first mails of a campaign; where nobody sits there the answer is no.

    `told`: takes in the lines that were shown, so that they are not shown again.
    """
    def agree(lines: Sequence[str], question: str) -> bool:
        if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        told.extend(lines)
        for line in lines:
            click.echo(line, err=True)
        return _answered(question)

    return agree


def asker(as_json: bool) -> Callable[[str, str, bool], str] | None:
    """What `desk.set_up_post` asks; None where nobody sits at the terminal."""
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(question: str, usual: str, secret: bool) -> str:
        answer: str = click.prompt(question, default=usual, hide_input=secret, show_default=bool(usual), err=True)
        return answer

    return ask


def _answered(question: str) -> bool:
    click.echo(f"{question} ", nl=False, err=True)
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in YES
