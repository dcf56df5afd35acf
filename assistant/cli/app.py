"""The command line: its help, its short commands, and running one call of it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click

from assistant import __version__, buttons, desk
from assistant.catalogues import LANGUAGES, translator
from assistant.cli import commands
from assistant.cli.terminal import (
    FILE,
    FOLDER,
    Translate,
    agreement,
    asker,
    confirmer,
    desk_command,
    open_page,
    pictures_option,
    progress,
    show,
    shown,
    source_of,
    translate_click,
)
from assistant.cli.terminal import by_option as _by
from assistant.cli.terminal import file_argument as _file
from assistant.cli.terminal import json_option as _json
from assistant.environment import collect_garbage_seldom, current_time, machine_language, skip_final_garbage_collection
from assistant.turn.texts import N_

# The list of commands in the help.


class HelpChapter(NamedTuple):
    """A group of commands in the help. `title`: msgid; `examples`: two calls as they are typed, msgids."""

    title: str
    commands: tuple[str, ...]
    examples: tuple[str, str]


CHAPTERS = (
    HelpChapter(N_("Beginning"), ("demo", "new", "adopt"),
            (N_("arbitro demo --out demo"), N_("arbitro new giglio war.xlsx"))),
    HelpChapter(N_("An evening"), ("status", "orders", "collect", "check", "decide", "accept", "revert", "answers",
                                  "resolve", "report", "map", "share", "send", "remind", "publish", "post"),
            (N_("arbitro orders war.xlsx orders.csv"), N_("arbitro report war.xlsx --out reports"))),
    HelpChapter(N_("Back and forth"), ("undo", "redo", "correct", "history"),
            (N_("arbitro undo war.xlsx --steps 2"), N_("arbitro correct war.xlsx forgotten.csv --why \"lost mail\""))),
    HelpChapter(N_("Looking"), ("verify", "standings", "chronicle", "luck", "odds", "rehearse", "simulate",
                                "verbs", "rules", "rulesets", "house", "export", "help"),
            (N_("arbitro verify war.xlsx"), N_("arbitro verbs giglio"))),
    HelpChapter(N_("Setting up"), ("buttons", "setup", "doctor", "ledger"),
            (N_("arbitro setup libreoffice"), N_("arbitro ledger war.xlsx"))),
)


# Running one call of the program.


FAULT = 70
INTERRUPTED = 130
SECRET = "--secret"


def run(arguments: list[str], app: Callable[[str], click.Group]) -> int:
    """Run one command and return its exit code; no traceback ever reaches the referee.

    `app`: makes the command line with its help in a language.
    """
    lang = help_language(arguments)
    _ = translator(lang)
    translate_click(lang)
    try:
        code = app(lang).main(arguments, prog_name="arbitro", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return _echo_json_failure(arguments, wrong.exit_code, wrong.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo(_("Interrupted. The step that was under way changed nothing."), err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # the reader has gone, as with "| head": else Python would complain once more when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as fault:
        home = next((Path(word).parent for word in arguments if Path(word).is_file()), None)
        lines = desk.report_crash(fault, home, lang, lambda told: _fault_details(arguments, told))
        click.echo("\n".join(lines), err=True)
        return _echo_json_failure(arguments, FAULT, lines[0])


def _echo_json_failure(arguments: Sequence[str], code: int, line: str) -> int:
    """With ``--json``, print JSON even if the command failed; returns `code`."""
    if "--json" in arguments:
        command = next((word for before, word in pairwise(["", *arguments])
                        if not word.startswith("-") and before != "--lang"), "")
        click.echo(json.dumps({"command": command, "exit": code, "done": False, "lines": [line], "findings": [],
                               "questions": [], "events": 0}, ensure_ascii=False, indent=1))
    return code


def help_language(arguments: Sequence[str]) -> str:
    """The language of help and usage: ``--lang``, else the machine's, else English."""
    for place, word in enumerate(arguments):
        if word == "--lang" and place + 1 < len(arguments):
            return arguments[place + 1] if arguments[place + 1] in LANGUAGES else "en"
        if word.startswith("--lang="):
            return word[7:] if word[7:] in LANGUAGES else "en"
    return machine_language()


def _fault_details(arguments: Sequence[str], told: str) -> str:
    """The command line and the traceback, without the dice secret: the referee may send them to us."""
    secrets = [word for before, word in pairwise(arguments) if before == SECRET]
    secrets += [word.partition("=")[2] for word in arguments if word.startswith(f"{SECRET}=")]
    details = f"arbitro {' '.join(arguments)}\n\n{told}"
    for secret in filter(None, secrets):
        details = details.replace(secret, "***")
    return details


# The commands.


class CommandLine(click.Group):
    """The group of all commands, in the order of their use. `lang`: of its help.

    Called as a program it speaks the language of the call and ends the process with our exit codes. Who calls it with
    words of its own may go on afterwards, and keeps the garbage collector as it is.
    """

    lang = "en"
    makers: Mapping[str, Callable[[Translate], click.Command]] = {}

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, complete_var: str | None = None,
             standalone_mode: bool = True, **extra: Any) -> Any:
        """Run one command; as `click.Group.main`, but see `assistant.cli.app.run`."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        if args is not None:
            sys.exit(run(list(args), make_app))
        collect_garbage_seldom()
        code = run(sys.argv[1:], make_app)
        skip_final_garbage_collection()
        sys.exit(code)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of their use."""
        return list(self.makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name, made on demand. None for an unknown word; then all commands are made, so that click
        can suggest a similar name.
        """
        if cmd_name in self.makers:
            return self.make_command(cmd_name)
        for name in self.makers:
            self.make_command(name)
        return None

    def make_command(self, name: str) -> click.Command:
        """A command by its name. Raises KeyError."""
        if name not in self.commands:
            _ = translator(self.lang)
            command = self.makers[name](_)
            command.options_metavar = _("[OPTIONS]")
            self.add_command(command)
        return self.commands[name]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by chapter, with examples."""
        _, longest = translator(self.lang), max(map(len, self.makers))
        room = formatter.width - 6 - longest
        for chapter in CHAPTERS:
            with formatter.section(_(chapter.title)):
                formatter.write_dl([(name.ljust(longest), self.make_command(name).get_short_help_str(room))
                                    for name in chapter.commands])
                formatter.write_paragraph()
                for example in chapter.examples:
                    formatter.write_text(_(example))


def make_app(lang: str) -> CommandLine:
    """The command line with its help in a language."""
    _ = translator(lang)
    epilog = "\n\n".join((
        _("Exit codes: 0 done, 1 refused by findings, 2 wrong usage, 3 waiting for answers, 4 ledger missing or of"
          " another campaign or time, 5 file cannot be used, 70 a fault of Arbitro's own."),
        _("Tab completion: put into ~/.bashrc the line"
          " eval \"$(_ARBITRO_COMPLETE=bash_source arbitro)\" (likewise zsh_source, fish_source).")))

    @click.group("arbitro", cls=CommandLine,
                 help=_("Referee's assistant for club wargame campaigns kept in an Excel workbook."),
                 options_metavar=_("[OPTIONS]"), subcommand_metavar=_("COMMAND [ARGS]..."),
                 epilog=epilog, context_settings={"help_option_names": ["-h", "--help"]})
    @click.option("--lang", type=click.Choice(LANGUAGES), default=None,
                  help=_("Language of all messages (default: the campaign's, else the machine's)."))
    @click.version_option(__version__, "--version", help=_("Show the version and exit."))
    @click.pass_context
    def arbitro(ctx: click.Context, lang: str | None) -> None:
        ctx.obj = lang or ""

    arbitro.lang = lang
    arbitro.makers = {
        "demo": _demo, "new": _new, "adopt": commands.adopt_command, "buttons": commands.buttons_command,
        "setup": commands.setup_command, "doctor": commands.doctor_command, "status": _status, "orders": _orders,
        "check": _check, "decide": commands.decide_command, "accept": commands.accept_command,
        "revert": commands.revert_command, "answers": _answers, "resolve": _resolve, "report": _report,
        "map": commands.map_command, "share": commands.share_command, "collect": commands.collect_command,
        "send": commands.send_command, "remind": commands.remind_command, "publish": commands.publish_command,
        "post": commands.post_command, "undo": _undo, "redo": _redo, "correct": commands.correct_command,
        "verify": commands.verify_command, "history": _history, "export": _export, "standings": _standings,
        "chronicle": commands.chronicle_command, "luck": _luck, "odds": _odds, "rehearse": _rehearse,
        "simulate": commands.simulate_command, "rules": _rules, "verbs": _verbs, "rulesets": _rulesets, "house": _house,
        "ledger": _ledger, "help": _help}
    return arbitro


# --- starting ---------------------------------------------------------------------------------
def _demo(_: Translate) -> click.Command:
    @click.command("demo", help=_("Play a rulebook's scripted year into a folder."
                                   " Shows in a minute what the workbooks and reports look like."))
    @click.argument("ruleset", required=False, default="", metavar=_("[RULESET]"))
    @click.option("--out", type=FOLDER, default=Path("arbitro-demo"), show_default=True,
                  help=_("Folder for the workbooks and reports."))
    @click.option("--no-open", is_flag=True, help=_("Only name the page to look at, do not open it in the browser."))
    @pictures_option(_)
    @_json(_)
    @click.pass_obj
    def demo(lang: str, ruleset: str, out: Path, no_open: bool, pictures: bool, as_json: bool) -> int:
        result = desk.demo(out, ruleset=ruleset, lang=lang, tell=progress, pictures=pictures)
        if result.exit == 0 and not as_json:  # what to open comes last, so the findings come before
            for line in desk.remarks_on_script(result):
                progress(line)
            result.findings = []
        code = show(result, as_json)
        if code == 0 and not (as_json or no_open) and open_page(Path(result.data["page"])):
            progress(_("The browser opens it now."))
        return code

    return demo


def _new(_: Translate) -> click.Command:
    @click.command("new", help=_("Start a workbook and its ledger. They are made from a scenario, or from a folder"
                                 " of CSVs whose headings are the records' field names. With --into the sheets are"
                                 " added to a workbook that the club already uses, of which nothing else changes."))
    @click.argument("ruleset", metavar=_("RULESET"))
    @click.argument("file", type=FILE, metavar=_("[FILE]"), required=False, default=None)
    @click.option("--into", type=FILE, default=None, metavar=_("FILE"), help=_(
        "Instead of a new workbook, add the campaign's sheets to this one of the club's."))
    @click.option("--scenario", default="", help=_("Scenario of the rulebook (default: the first one)."))
    @click.option("--from", "folder", type=FOLDER, default=None, help=_("Folder of CSVs instead of a scenario."))
    @click.option("--language", type=click.Choice(LANGUAGES), default=None, help=_(
        "Language of the workbook and of all clubs; else each club has that of the scenario."))
    @click.option("--title", default="", help=_("Name of the campaign."))
    @click.option("--secret", default="", help=_("Dice secret in hexadecimal digits, for replays."))
    @click.option("--force", is_flag=True, help=_("Overwrite a workbook that is there; its ledger is set aside."))
    @_json(_)
    @click.pass_context
    def new(ctx: click.Context, ruleset: str, file: Path | None, into: Path | None, scenario: str, folder: Path | None,
            language: str | None, title: str, secret: str, force: bool, as_json: bool) -> int:
        lang: str = ctx.obj
        plan = desk.NewPlan(ruleset, scenario, folder, language or "", title, secret, force)
        if into is not None and file is not None:
            raise click.UsageError(_("Give FILE or --into, not both."), ctx)
        if into is not None:
            return show(desk.new_into(plan, into, lang=lang), as_json)
        if file is None:
            raise click.MissingParameter(ctx=ctx, param_hint=f"'{_('FILE')}'", param_type="argument")
        if file.suffix.casefold() == ".xlsm":
            plan = replace(plan, dress=lambda data, words: buttons.add_buttons_to_bytes(data, words, file.name))
        result = desk.new_campaign(plan, file, lang=lang)
        if plan.dress is not None and result.exit == desk.Exit.DONE:
            buttons.say_excel_only(result)
        return show(result, as_json)

    return new


# --- an evening -------------------------------------------------------------------------------
def _status(_: Translate) -> click.Command:
    @click.command("status", help=_("Where the campaign stands and what to do next."
                                    " Also names the clubs it is waiting for."))
    @_file(_)
    @_json(_)
    @click.pass_obj
    def status(lang: str, file: Path, as_json: bool) -> int:
        result = desk.status(file, lang=lang, clock=current_time())
        if not as_json and result.data:
            result.findings, result.questions = [], []
        return show(result, as_json)

    return status


def _orders(_: Translate) -> click.Command:
    @click.command("orders", help=_(
        "Read in orders, answers, battle results, dice. Says how each was understood. SOURCE is a CSV, a filled"
        " workbook, a text file, - for the standard input, or a line: 'CLUB: ORDER', in the words that 'arbitro verbs"
        " FILE' shows. Other lines: 'choice QUESTION OPTION', 'answer QUESTION TEXT', 'die PURPOSE 5',"
        " 'battle ID a 45 70'."))
    @_file(_)
    @click.argument("sources", nargs=-1, required=True, metavar=_("SOURCE..."))
    @click.option("--faction", default="", help=_("Whose lines they are; of files, take only this faction's."))
    @_json(_)
    @click.pass_obj
    def orders(lang: str, file: Path, sources: tuple[str, ...], faction: str, as_json: bool) -> int:
        told: list[str] = []
        return show(desk.take_orders(file, [source_of(word) for word in sources], faction=faction, lang=lang,
                                     confirm=confirmer(told, as_json)), as_json, told=told)

    return orders


def _check(_: Translate) -> click.Command:
    return desk_command(
        "check", _, _("List what is to be put right, with its cell. Changes nothing."),
        _file(_),
        click.option("--mark", is_flag=True, help=_("Also write the findings onto their cells.")), findings_first=True)


def _answers(_: Translate) -> click.Command:
    return desk_command(
        "answers", _, _("List open questions and answers that cannot be"
                        " taken. Changes nothing."),
        _file(_), findings_first=True)


def _resolve(_: Translate) -> click.Command:
    @click.command("resolve", help=_("Resolve the present phase, or all up to one. Stops where a person is needed."))
    @_file(_)
    @click.option("--until", default="", metavar=_("PHASE"),
                  help=_("Go on until this phase is resolved (also TURN.PHASE)."))
    @click.option("--robot", "robots", multiple=True, metavar=_("FACTION"),
                  help=_("Play for this absent faction; may be given several times."))
    @click.option("--defaults", is_flag=True, help=_("Give open questions their default answer."))
    @click.option("--strict", is_flag=True, help=_("Stop when an order would be refused."))
    @click.option("--yes", is_flag=True, help=_("Do not ask, at a terminal, whether to resolve without refused"
                                                " orders; go on without clubs that are silent."))
    @click.option("--auto", is_flag=True, help=_("Only where the phase is ready: all that owe something have answered,"
                                                 " or their time is up. Else it ends with exit code 3."))
    @click.option("--end", is_flag=True, help=_("End the campaign now: run the phase that closes it."))
    @click.option("--no-map", is_flag=True, help=_("Leave the map in the workbook as it is; the next change of the"
                                                   " workbook draws it."))
    @_json(_)
    @click.pass_obj
    def resolve(lang: str, file: Path, until: str, robots: tuple[str, ...], defaults: bool, strict: bool,
                yes: bool, auto: bool, end: bool, no_map: bool, as_json: bool) -> int:
        told: list[str] = []
        tell = commands.progress_recorder(told) if until else desk.quiet
        result = desk.resolve(file, until=until, robots=robots, defaults=defaults, strict=strict, end=end,
                              lang=lang, tell=tell, confirm=confirmer(told, yes),
                              timing=desk.Timing(current_time(), yes, auto), draws=not no_map)
        return show(result, as_json, told=told)

    return resolve


def _report(_: Translate) -> click.Command:
    @click.command("report", help=_("Write the clubs' reports."
                                    " The public gazette and the referee's report come with them, and an index of"
                                    " all that lies in the folder. A report of three rounds or more goes by month."))
    @_file(_)
    @click.option("--out", type=FOLDER, default=None,
                  help=_("Folder for the reports (default: NAME-reports beside the workbook)."))
    @click.option("--faction", default="", help=_("Only this faction's report."))
    @click.option("--since", default="", metavar=_("TURN.PHASE"),
                  help=_("Where the report begins (default: the phase that first read the last orders; where they are"
                         " the first of their turn, the turn)."))
    @_by(_)
    @pictures_option(_)
    @shown(_)
    def report(lang: str, file: Path, out: Path | None, faction: str, since: str, by: str,
               pictures: bool) -> desk.Result:
        folder = out or desk.reports_folder(file)
        return desk.report(file, folder, faction=faction, since=since, by=by, lang=lang,
                           clock=current_time(), pictures=pictures)

    return report


# --- back and forth ---------------------------------------------------------------------------
def _undo(_: Translate) -> click.Command:
    @click.command("undo", help=_("Go back before the last phase. Orders, answers, dice and battle results that were"
                                  " typed since are kept; the same phase again throws the same dice."))
    @_file(_)
    @click.option("--steps", type=click.IntRange(1), default=1, show_default=True, help=_("How many phases."))
    @click.option("--to", default="", metavar=_("PHASE"), help=_("Back before this phase (also TURN.PHASE)."))
    @click.option("--snapshot", type=click.IntRange(1), default=None, help=_("Bring back the workbook as it was before"
                                                                           " this change of the list."))
    @click.option("--hard", is_flag=True, help=_("Keep nothing typed since."))
    @click.option("--list", "listed", is_flag=True, help=_("Only list what can be undone."))
    @click.option("--yes", is_flag=True, help=_("Also where reports were sent, without asking."))
    @_json(_)
    @click.pass_obj
    def undo(lang: str, file: Path, steps: int, to: str, snapshot: int | None, hard: bool, listed: bool, yes: bool,
             as_json: bool) -> int:
        if listed:
            return show(desk.history(file, lang=lang), as_json)
        return show(desk.undo(file, steps=steps, to=to, snapshot=snapshot or 0, hard=hard, lang=lang,
                              agree=agreement(yes=yes, as_json=as_json)), as_json)

    return undo


def _redo(_: Translate) -> click.Command:
    return desk_command(
        "redo", _, _("Take the last undo back."),
        _file(_),
        click.option("--hard", is_flag=True, help=_("Keep nothing typed since.")))


def _history(_: Translate) -> click.Command:
    return desk_command("history", _, _("List every change that can be undone or brought back."), _file(_))


# --- looking ----------------------------------------------------------------------------------
def _export(_: Translate) -> click.Command:
    return desk_command(
        "export", _, _("Write every table as CSV. The folder can be taken back with"
                       " 'arbitro new --from'."),
        _file(_),
        click.option("--to", "folder", type=FOLDER, required=True, help=_("Folder for the CSVs.")))


def _standings(_: Translate) -> click.Command:
    return desk_command("standings", _, _("Who leads, and every faction's money over the turns."), _file(_))


def _luck(_: Translate) -> click.Command:
    return desk_command(
        "luck", _, _("How the dice fell: expected against rolled, by kind of throw."),
        _file(_),
        click.option("--faction", default="", help=_("Only the dice that concern this faction and that it may know.")),
        click.option("--since", default="", metavar=_("TURN.PHASE"),
                     help=_("The first turn, or phase, that is counted.")),
        click.option("--until", default="", metavar=_("TURN.PHASE"),
                     help=_("The last turn, or phase, that is counted.")))


def _view_option(_: Translate) -> Callable[[Any], Any]:
    return click.option("--for", "faction", default="", metavar=_("FACTION"),
                        help=_("Of what this faction knows alone; what is assumed is said."))


def _odds(_: Translate) -> click.Command:
    return desk_command(
        "odds", _, _("The chances of every throw of the present phase. Gives each outcome with the present"
                     " orders and modifiers, and what one point more would change. Or what a"
                     " BATTLE may come to, where the rulebook fights it itself, described as"
                     " 'TrAs > F / FAC 04 12 power 6'. Changes nothing."),
        _file(_),
        click.argument("battle", metavar=_("[BATTLE]"), default=""),
        _view_option(_),
        click.option("--plays", type=click.IntRange(20, 20_000), default=None,
                     help=_("How often the phase is played at most where a chance cannot be reckoned exactly.")))


def _rehearse(_: Translate) -> click.Command:
    return desk_command(
        "rehearse", _, _("Play the rest of the turn many times on throw-away copies. Writes what mostly"
                         " happens and where it branches onto a page beside the workbook. Robots order for"
                         " clubs without orders and answer questions. Changes nothing."),
        _file(_),
        _view_option(_),
        click.option("--plays", type=click.IntRange(1, 10_000), default=None, help=_(
            "How often it is played (default: as often as takes some ten seconds, 200 times at most).")),
        tell=progress)


def _rules(_: Translate) -> click.Command:
    @click.command("rules", help=_("Every number and switch of a rulebook, with its source. Or a booklet of the rules"
                                   " for the table, of a workbook with its own numbers and house rules."))
    @click.argument("of", metavar=_("RULESET|FILE"))
    @click.option("--booklet", is_flag=True, help=_("Write the booklet: order of play, orders, numbers, on one page."))
    @click.option("--out", type=FOLDER, default=None,
                  help=_("Where the booklet goes: by default among the workbook's reports."))
    @shown(_)
    def rules(lang: str, of: str, booklet: bool, out: Path | None) -> desk.Result:
        return desk.booklet(of, out, lang=lang) if booklet else desk.rules(of, lang=lang)

    return rules


def _verbs(_: Translate) -> click.Command:
    return desk_command(
        "verbs", _, _("What can be ordered, verb by verb. Shows what to write, an example, what it costs."
                      " Of a workbook only what can still be ordered in its turn, with its own codes."),
        click.argument("of", metavar=_("RULESET|FILE")),
        click.option("--faction", default="", help=_("Also what this faction may order now.")),
        click.option("--all", "everything", is_flag=True, help=_("Of a workbook, too, all that the rulebook knows.")))


def _rulesets(_: Translate) -> click.Command:
    @click.command("rulesets", help=_("The installed rulebooks and their scenarios."))
    @click.option("--check", "checked", default="", metavar="ID",
                  help=_("For whoever writes one: what this rulebook leaves undeclared or missing."))
    @click.option("--new", "name", default=None, metavar=_("NAME"), help=_(
        "Begin a rulebook of your own: asks a dozen questions and writes a folder of this name, which can be installed"
        " and played at once. Without a terminal the questions are listed, to be answered in a file."))
    @click.option("--answers", type=click.Path(path_type=Path, dir_okay=False), default=None,
                  help=_("A text file with the answers: in each line a key, a colon and the answer."))
    @_json(_)
    @click.pass_obj
    def rulesets(lang: str, checked: str, name: str | None, answers: Path | None, as_json: bool) -> int:
        if name is not None:
            return show(desk.new_ruleset(name, answers, ask=None if answers else asker(as_json), lang=lang), as_json)
        if checked:
            return show(desk.lint_ruleset(checked, lang=lang), as_json, findings_first=True)
        return show(desk.rulesets(lang=lang), as_json)

    return rulesets


def _house(_: Translate) -> click.Command:
    return desk_command(
        "house", _, _(
        "List what house rules with code may change of a rulebook. With a NAME, write a package of them as a"
        " folder of that name. Of a campaign whose house rules have changed, --accept goes on with those that are"
        " installed."),
        click.argument("of", metavar=_("RULESET|FILE")),
        click.argument("name", required=False, default=None, metavar=_("[NAME]")),
        click.option("--accept", is_flag=True, help=_("Go on with the house rules that are installed now.")))


def _ledger(_: Translate) -> click.Command:
    @click.command("ledger", help=_("The state of the ledger and what was promised of the dice."))
    @_file(_)
    @click.option("--renew", is_flag=True, help=_("Start a new ledger with new dice secrets; an old one is set aside."))
    @click.option("--rescue", is_flag=True, help=_(
        "Put the newest whole ledger among the backups in the place of a damaged one, which is kept."))
    @click.option("--keep", type=click.Choice(["workbook", "ledger"]), help=_(
        "Where workbook and ledger tell two histories: go on with this one; the other one's file is kept."))
    @click.option("--secret", default="", help=_("Dice secret in hexadecimal digits, for replays."))
    @shown(_)
    def ledger(lang: str, file: Path, renew: bool, rescue: bool, keep: Literal["workbook", "ledger"] | None,
               secret: str) -> desk.Result:
        if keep:
            return desk.keep_history(file, keep, lang=lang)
        if rescue:
            return desk.rescue_ledger(file, lang=lang)
        if renew:
            return desk.renew_ledger(file, secret=secret, lang=lang)
        return desk.ledger_state(file, lang=lang)

    return ledger


def app_in_language(lang: str) -> CommandLine:
    """The command line in a language, including click's own messages."""
    translate_click(lang)
    return make_app(lang)


def _help(_: Translate) -> click.Command:
    @click.command("help", help=_("Show a page of the manual. The pages: commands, orders, sheets, findings, numbers,"
                                  " citations, changes, plugins, names."
                                  " At a terminal it is shown page by page."))
    @click.argument("topic", metavar=_("TOPIC"))
    @click.pass_context
    def help_(ctx: click.Context, topic: str) -> None:
        topics = desk.help_topics()
        if topic not in topics:
            raise click.BadParameter(_("There is no page '{topic}', only {list}. What a command takes is shown by"
                                       " 'arbitro COMMAND --help'.").format(topic=topic, list=", ".join(topics)),
                                     ctx=ctx, param_hint=f"'{_('TOPIC')}'")
        page = desk.help_page(topic, ctx.obj or machine_language(), app_in_language)
        click.echo_via_pager(f"{line}\n" for line in desk.page_for_terminal(page))

    return help_
