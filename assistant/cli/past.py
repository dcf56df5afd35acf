"""`arbitro correct`, `verify`: their words in; the desk's command asked and its result shown out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant import desk
from assistant.cli.ask import YES, agreement
from assistant.cli.options import Words, file_argument, json_option
from assistant.cli.show import progress, show
from assistant.cli.sources import source_of

if TYPE_CHECKING:
    from assistant.desk.past.correcting import Confirm


def correct_command(_: Words) -> click.Command:
    """``arbitro correct``: change something of a phase that is over."""
    @click.command("correct", help=_(
        "Correct an earlier phase, and see first what would differ. The later phases are replayed with the same dice;"
        " nothing is written without --commit. SOURCE is as for orders: a CSV, a workbook, a text file, - or a line."
        " A line 'CLUB: ORDER' adds a forgotten order; with --order it takes that order's place. Other lines:"
        " 'choice QUESTION OPTION', 'answer QUESTION TEXT', 'die PURPOSE 5', 'battle ID a 45 70'."
        " Ends with 3 when the replay needs answers that are not there: give them too, or use --partly."))
    @file_argument(_)
    @click.argument("sources", nargs=-1, metavar=_("[SOURCE...]"))
    @click.option("--order", default="", metavar=_("ORDER"), help=_("The order that the line takes the place of."))
    @click.option("--at", default="", metavar=_("TURN.PHASE"),
                  help=_("The phase that lines mean (default: that of --order, or the last one that took orders)."))
    @click.option("--faction", default="", help=_("Whose lines they are; of files, take only this faction's."))
    @click.option("--withdraw", multiple=True, metavar=_("ORDER"),
                  help=_("An order that was never given; may be given several times."))
    @click.option("--untype", multiple=True, metavar=_("DIE"),
                  help=_("A die that was not thrown at the table: the assistant throws it. Several times, too."))
    @click.option("--robot", "robots", multiple=True, metavar=_("FACTION"),
                  help=_("Answer for this absent faction what was not asked before; may be given several times."))
    @click.option("--defaults", is_flag=True, help=_("Give questions that were not asked before their default answer."))
    @click.option("--why", default="", metavar=_("REASON"), help=_("The reason, for all whom it concerns."))
    @click.option("--commit", is_flag=True, help=_("Write it, in one step that undo takes back."))
    @click.option("--yes", is_flag=True, help=_("With --commit: also where reports were sent, without asking."))
    @click.option("--partly", is_flag=True,
                  help=_("With --commit: where answers are missing, write it up to the phase that waits for them."))
    @json_option(_)
    @click.pass_obj
    def correct(lang: str, file: Path, sources: tuple[str, ...], order: str, at: str, faction: str,
                withdraw: tuple[str, ...], untype: tuple[str, ...], robots: tuple[str, ...], defaults: bool, why: str,
                commit: bool, yes: bool, partly: bool, as_json: bool) -> int:
        wish = desk.Wish(tuple(source_of(word) for word in sources), faction, at, order, withdraw, untype)
        how = desk.How(why, partly or not (commit or as_json), frozenset(robots), defaults)
        told: list[str] = []
        result = desk.correct(file, wish, how, lang=lang, tell=progress,
                              confirm=_confirm(_, commit=commit, as_json=as_json, told=told),
                              agree=agreement(yes=yes, as_json=as_json))
        result.lines = result.lines[len(told):] if told else result.lines
        return show(result, as_json)

    return correct


def _confirm(_: Words, *, commit: bool, as_json: bool, told: list[str]) -> Confirm:
    """Who says whether to write: the option, else the referee at the terminal, else nobody.

    `told`: takes in the lines that were shown before the question.
    """
    def confirm(result: desk.Result) -> bool:
        if commit or as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return commit
        told.extend(result.lines)
        for line in result.lines:
            click.echo(line)
        click.echo(f"{_('Write it? [y/N]')} ", nl=False, err=True)
        sys.stderr.flush()
        return sys.stdin.readline().strip().casefold() in YES

    return confirm


def verify_command(_: Words) -> click.Command:
    """``arbitro verify``: replay the whole campaign and compare."""
    @click.command("verify", help=_(
        "Replay the campaign from its start and say whether the workbook is what the rules, orders, answers, dice and"
        " accepted rulings make of it. Names the first difference. Changes nothing."))
    @file_argument(_)
    @json_option(_)
    @click.pass_obj
    def verify(lang: str, file: Path, as_json: bool) -> int:
        return show(desk.verify(file, lang=lang, tell=progress), as_json)

    return verify
