"""Commands of the command line that take many options."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant import buttons as door
from assistant import desk
from assistant.catalogues import LANGUAGES
from assistant.cli.terminal import (
    FILE,
    FOLDER,
    Translate,
    agreement,
    ask_yes_no,
    asker,
    by_option,
    desk_command,
    file_argument,
    first_mails_agreement,
    has_terminal,
    json_option,
    pictures_option,
    progress,
    show,
    shown,
    source_of,
)
from assistant.environment import Clock, current_time

if TYPE_CHECKING:
    from assistant.desk.past.correct import Confirm


# `arbitro adopt`.


def adopt_command(_: Translate) -> click.Command:
    """``arbitro adopt``: a club's workbook becomes a campaign."""
    @click.command("adopt", help=_(
        "Take on a workbook that a club already uses. Arbitro reads the club's tables, words and codes, asks at most"
        " five questions about what it cannot tell, says what it took for what, and adds what is missing; every cell of"
        " the club's stays as it is. Without a terminal the questions are listed, to be answered in a file. RULESET may"
        " be left out if the workbook tells it."))
    @click.argument("ruleset", required=False, default="", metavar=_("[RULESET]"))
    @click.argument("file", required=False, default=None, type=FILE, metavar=_("FILE"))
    @click.option("--scenario", default="", metavar=_("NAME"),
                  help=_("Take what the club does not keep from this scenario; 'nothing' begins without it."))
    @click.option("--answers", type=click.Path(path_type=Path, dir_okay=False), default=None,
                  help=_("A text file with answers: in each line a place, a colon and what is said of it."))
    @click.option("--language", type=click.Choice(LANGUAGES), default=None, help=_("Language of the workbook."))
    @click.option("--title", default="", help=_("Name of the campaign."))
    @click.option("--turn", default="", help=_("The turn at which it stands (default: the rulebook's first)."))
    @click.option("--phase", default="", help=_("The phase that comes next (default: the rulebook's first)."))
    @click.option("--secret", default="", help=_("Dice secret in hexadecimal digits, for replays."))
    @click.option("--yes", is_flag=True, help=_("Ask nothing: take what is proposed."))
    @click.option("--force", is_flag=True, help=_("Set a ledger aside that lies beside the workbook."))
    @json_option(_)
    @click.pass_obj
    def adopt(lang: str, ruleset: str, file: Path | None, scenario: str, answers: Path | None, language: str | None,
              title: str, turn: str, phase: str, secret: str, yes: bool, force: bool, as_json: bool) -> int:
        if file is None:
            if not ruleset:
                raise click.MissingParameter(param_type="argument", param_hint=_("FILE"))
            ruleset, file = "", Path(ruleset)
        plan = desk.AdoptPlan(ruleset, scenario, answers, language or "", title, turn, phase, secret, yes, force)
        ask = asker(as_json)
        return show(desk.adopt(plan, file, ask=ask and _asking_of_tables(ask), lang=lang), as_json)

    return adopt


def _asking_of_tables(ask: Callable[[str, str, bool], str]) -> Callable[[str, Sequence[str], str], str]:
    """The function with which `desk.adopt` asks: the club's own rows, then the question."""
    def ask_of_rows(question: str, rows: Sequence[str], proposed: str) -> str:
        for row in rows:
            click.echo(f"   {row}", err=True)
        return ask(question, proposed, False)

    return ask_of_rows


# `arbitro buttons`, `setup`, `doctor`.


def buttons_command(_: Translate) -> click.Command:
    """``arbitro buttons``: put buttons into a workbook."""
    @click.command("buttons", help=_(
        "Put buttons into a workbook. From NAME.xlsx it makes NAME.xlsm beside it; in an .xlsm it renews them."
        " Nothing else in the workbook changes."))
    @file_argument(_)
    @click.option("--plain", "copy", type=click.Path(path_type=Path), metavar=_("COPY.xlsx"), help=_(
        "Instead, write a copy without buttons and macros for the clubs."))
    @click.option("--force", is_flag=True, help=_("Overwrite an .xlsm, or a copy, that is there."))
    @shown(_)
    def buttons(lang: str, file: Path, copy: Path | None, force: bool) -> desk.Result:
        if copy is not None:
            return door.plain_copy(file, copy, force=force, lang=lang)
        return door.add_buttons(file, force=force, lang=lang)

    return buttons


def setup_command(_: Translate) -> click.Command:
    """``arbitro setup``: make a computer ready for the buttons, or take that back."""
    @click.command("setup", help=_(
        "Prepare Excel or LibreOffice for the buttons. Says what was done."))
    @click.argument("program", type=click.Choice(("excel", "libreoffice")))
    @click.option("--undo", is_flag=True, help=_("Take away what was installed."))
    @shown(_)
    def setup(lang: str, program: str, undo: bool) -> desk.Result:
        work = door.setup_excel if program == "excel" else door.setup_libreoffice
        return work(undo=undo, lang=lang)

    return setup


def doctor_command(_: Translate) -> click.Command:
    """``arbitro doctor``: find out why buttons do not work."""
    @click.command("doctor", help=_(
        "Find what keeps the buttons from working, with the cure. Looks at this computer, and at FILE if it is"
        " given. Changes nothing."))
    @click.argument("file", required=False, default=None, type=click.Path(path_type=Path), metavar=_("[FILE]"))
    @shown(_, findings_first=True)
    def doctor(lang: str, file: Path | None) -> desk.Result:
        return door.doctor(file, lang=lang, office=door.office_findings())

    return doctor


# `arbitro map`.


def map_command(_: Translate) -> click.Command:
    """``arbitro map``: the campaign as a picture."""
    @click.command("map", help=_(
        "Draw the map of the campaign as everybody may know it. With --for as one club knows it, with its open orders;"
        " with --referee all of it. With --from and --to the campaign before and after these turns, side by side."))
    @file_argument(_)
    @click.option("--for", "faction", default="", metavar=_("FACTION"), help=_("As this faction knows it."))
    @click.option("--referee", is_flag=True, help=_("Everything; not to be shown to clubs."))
    @click.option("--close-up", is_flag=True, help=_("Only the faction's own area, for a telephone."))
    @click.option("--orders", is_flag=True, help=_("Only the faction's open orders, as they are understood."))
    @click.option("--from", "since", default="", metavar=_("TURN"), help=_("As it was before this turn."))
    @click.option("--to", "until", default="", metavar=_("TURN"), help=_("Beside it, as it was after this turn."))
    @click.option("--changes", is_flag=True, help=_("Mark only what has changed since the last report."))
    @click.option("--print", "paper", is_flag=True, help=_("For print: an SVG at A3 instead of a PNG."))
    @click.option("--layout", is_flag=True, help=_("Draw nothing: lay the places out by their roads and write that into"
                                                   " x and y of the workbook. undo takes it back."))
    @click.option("--sheet", is_flag=True, help=_("Put the map onto a sheet of the workbook; from then on each phase"
                                                  " renews it there. undo takes it out again."))
    @click.option("--shapes", is_flag=True, help=_("Colour the shapes of a map of your own in the workbook instead:"
                                                   " those whose name or alternative text is the code of a place."
                                                   " Each phase does it again."))
    @click.option("--out", type=FOLDER, default=None,
                  help=_("Folder for the pictures (default: NAME-reports beside the workbook)."))
    @json_option(_)
    @click.pass_context
    def draw(ctx: click.Context, file: Path, faction: str, referee: bool, close_up: bool, orders: bool, since: str,
             until: str, changes: bool, paper: bool, layout: bool, sheet: bool, shapes: bool, out: Path | None,
             as_json: bool) -> int:
        alone = {"--sheet": sheet, "--shapes": shapes, "--layout": layout}
        beside = {**alone, "--for": faction, "--referee": referee, "--close-up": close_up, "--orders": orders,
                  "--from": since, "--to": until, "--changes": changes, "--print": paper, "--out": out}
        given = [option for option, value in beside.items() if value]
        if len(given) > 1 and alone.get(given[0]):
            raise click.UsageError(_("{option} goes with no other option: leave out {list}.").format(
                option=given[0], list=", ".join(given[1:])), ctx)
        if faction and referee:
            raise click.UsageError(_("Give --for or --referee, not both."), ctx)
        if close_up and not faction:
            raise click.UsageError(_("--close-up needs --for: whose area is it?"), ctx)
        if orders and (changes or since or until or not faction):
            raise click.UsageError(_("--orders needs --for, and goes with neither --changes nor --from and --to."), ctx)
        if sheet or shapes:
            return show(desk.put_map_sheet(file, shapes=shapes, lang=ctx.obj), as_json)
        if layout:
            return show(desk.lay_out_places(file, lang=ctx.obj), as_json)
        wish = desk.MapOptions(faction, referee, close_up, since, until, changes, paper, orders)
        return show(desk.draw_map(file, out or desk.reports_folder(file), wish, lang=ctx.obj), as_json)

    return draw


# `arbitro chronicle`.


def chronicle_command(_: Translate) -> click.Command:
    """``arbitro chronicle``: the book of the war."""
    @click.command("chronicle", help=_(
        "Write the book of the war as one page. It has the maps month by month or turn by turn, what happened, the"
        " battles, treaties, the luck of the dice, who won. It tells what everybody may know; with --open, once the"
        " campaign is over, every secret. Changes nothing."))
    @file_argument(_)
    @click.option("--open", "revealed", is_flag=True, help=_("With every secret; only when the campaign is over."))
    @click.option("--print", "paper", is_flag=True, help=_(
        "Also a PDF for print (needs WeasyPrint: pip install \"arbitro[print]\")."))
    @click.option("--picture", "moving", is_flag=True, help=_(
        "Also a moving picture (GIF) of the public map from beginning to end, for the club's chat."))
    @click.option("--out", type=FOLDER, default=None,
                  help=_("Folder for the book (default: NAME-reports beside the workbook)."))
    @shown(_)
    def chronicle(lang: str, file: Path, revealed: bool, paper: bool, moving: bool, out: Path | None) -> desk.Result:
        wish = desk.BookOptions(revealed, paper, moving)
        return desk.chronicle(file, out or desk.reports_folder(file), wish, lang=lang)

    return chronicle


# `arbitro correct`, `verify`.


def correct_command(_: Translate) -> click.Command:
    """``arbitro correct``: change something in a phase that is over."""
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
        wish = desk.CorrectionRequest(tuple(source_of(word) for word in sources), faction, at, order, withdraw, untype)
        how = desk.CorrectionOptions(why, partly or not (commit or as_json), frozenset(robots), defaults)
        told: list[str] = []
        result = desk.correct(file, wish, how, lang=lang, tell=progress,
                              confirm=_write_confirmer(_, commit=commit, as_json=as_json, told=told),
                              agree=agreement(yes=yes, as_json=as_json))
        result.lines = result.lines[len(told):] if told else result.lines
        return show(result, as_json)

    return correct


def _write_confirmer(_: Translate, *, commit: bool, as_json: bool, told: list[str]) -> Confirm:
    """The function that decides whether to write: by the option, else by asking at the terminal, else no.

    `told`: collects the lines that were shown before the question.
    """
    def confirm(result: desk.Result) -> bool:
        if commit or as_json or not has_terminal():
            return commit
        told.extend(result.lines)
        for line in result.lines:
            click.echo(line)
        return ask_yes_no(_("Write it? [y/N]"))

    return confirm


def verify_command(_: Translate) -> click.Command:
    """``arbitro verify``: replay the whole campaign and compare."""
    return desk_command(
        "verify", _, _(
        "Replay the campaign from its start, and compare the workbook. The workbook must be what the rules, orders,"
        " answers, dice and accepted rulings make of it. Names the first difference. Changes nothing."),
        file_argument(_), tell=progress)


# `share`, `collect`, `send`, `remind`, `publish`, `post`.


def share_command(_: Translate) -> click.Command:
    """``arbitro share``: write the clubs' copies."""
    @click.command("share", help=_(
        "Write the public workbook and a copy for each club. A copy holds nothing but what its club may know: its"
        " order form, its questions, its sheets. Keep the full workbook to yourself where a game has secrets."))
    @file_argument(_)
    @click.argument("folder", type=FOLDER, metavar=_("FOLDER"))
    @click.option("--only", multiple=True, metavar=_("FACTION"),
                  help=_("Only this faction's copy; may be given several times."))
    @click.option("--renew", default="", metavar=_("FACTION"), help=_(
        "Give this faction a new code, because its copy went to a wrong address: the old one counts no more."))
    @by_option(_)
    @shown(_)
    def share(lang: str, file: Path, folder: Path, only: tuple[str, ...], renew: str, by: str) -> desk.Result:
        return desk.share(file, folder, only=only, renew=renew, by=by, lang=lang, clock=current_time())

    return share


def collect_command(_: Translate) -> click.Command:
    """``arbitro collect``: take in what the clubs sent back."""
    @click.command("collect", help=_(
        "Take in what the clubs sent back. Reads filled copies, CSVs and texts in these folders, and with --mail the"
        " mails of the mailbox that 'post setup' knows, where nothing is marked or deleted. Of each club the newest"
        " counts, and what it has taken out is withdrawn. Says how every line was understood and what is still"
        " missing."))
    @file_argument(_)
    @click.argument("places", nargs=-1, type=click.Path(path_type=Path), metavar=_("[FOLDER...]"))
    @click.option("--mail", is_flag=True, help=_("Read the mailbox, too."))
    @click.option("--since", type=click.DateTime(["%Y-%m-%d"]), default=None, metavar=_("DATE"), help=_(
        "First day whose mails are read, as 2026-11-22 (default: when the last mails of the turn before went out;"
        " at most 30 days before this turn's first)."))
    @click.option("--dry-run", is_flag=True, help=_("Only show, line by line, what stood and what would count."))
    @click.option("--receipts", type=FOLDER, default=None, metavar=_("FOLDER"), help=_(
        "Write the answers to the clubs there, a text each, in their languages, and their orders on their maps."))
    @click.option("--no-receipts", is_flag=True, help=_(
        "Send no receipts; else each mail is answered to the addresses that its club has on the sheet Factions."))
    @pictures_option(_)
    @click.option("--yes", is_flag=True, help=_("Receipts also where they are the first mails of a campaign."))
    @click.option("--let-go", multiple=True, metavar=_("FACTION"), help=_(
        "Let this faction's mail leave although a word in it was found that it may not know; with --why."))
    @click.option("--why", default="", metavar=_("TEXT"), help=_("Why it may leave: kept, and told with it."))
    @json_option(_)
    @click.pass_context
    def collect(ctx: click.Context, /, file: Path, places: tuple[Path, ...], mail: bool, since: datetime | None,
                as_json: bool, **how: Any) -> int:
        wishes = {name: how.pop(name) for name in ("yes", "let_go", "why")}
        silent = how.pop("no_receipts")
        if not (places or mail):
            raise click.UsageError(_("Give a FOLDER, or --mail."), ctx)
        if since is not None and not mail:
            raise click.UsageError(_("--since goes with --mail."), ctx)
        if mail:
            told: list[str] = []
            wish = _post_options(told, as_json, **wishes)
            day = since.date() if since is not None else None
            return show(desk.collect_from_post(
                file, places, clock=machine_clock(), since=day, answering=None if silent else wish, lang=ctx.obj,
                **how), as_json, told=told)
        return show(desk.collect(file, places, lang=ctx.obj, **how), as_json)

    return collect


def machine_clock() -> Clock:
    """The clock of this machine."""
    return Clock(current_time, time.sleep)


def progress_recorder(told: list[str]) -> Callable[[str], None]:
    """A function that prints lines of progress. `told`: collects them, so that they are not printed again."""
    def tell(line: str) -> None:
        told.append(line)
        progress(line)

    return tell


def _post_options(told: list[str], as_json: bool, **wishes: Any) -> desk.PostOptions:
    """What is wanted of the post. `told`: collects the lines that are shown meanwhile."""
    return desk.PostOptions(agree=first_mails_agreement(told, as_json=as_json),
                            tell=desk.quiet if as_json else progress_recorder(told), **wishes)


def send_command(_: Translate) -> click.Command:
    """``arbitro send``: mail the reports."""
    @click.command("send", help=_(
        "Send each club its report, and everybody the gazette. Each goes out once, a report with its order form. Lists"
        " who gets what first, and asks before the first mails of a campaign. Where no post is set up (arbitro post"
        " setup) the reports are written as 'report' does, to be sent by hand, and it ends with exit code 1. From then"
        " on undo and correct say that they may have been sent, and ask twice."))
    @file_argument(_)
    @click.option("--dry-run", "dry", is_flag=True, help=_("Only write the mails into the folder, as .eml files."))
    @click.option("--only", multiple=True, metavar=_("FACTION"),
                  help=_("Only this faction's mail; may be given several times."))
    @click.option("--to-me", is_flag=True, help=_("Send all of them to your own address, as a rehearsal."))
    @click.option("--yes", is_flag=True, help=_("Also the first mails of a campaign, without asking."))
    @click.option("--again", multiple=True, metavar=_("FACTION"), help=_(
        "Send the same once more to this faction (all: what everybody gets), because it did not arrive."))
    @click.option("--arrived", multiple=True, metavar=_("FACTION"), help=_(
        "This faction has the mail of which nobody could tell."))
    @click.option("--let-go", multiple=True, metavar=_("FACTION"), help=_(
        "Let this faction's mail leave although a word in it was found that it may not know; with --why."))
    @click.option("--why", default="", metavar=_("TEXT"), help=_(
        "Why it may leave, or why a report is replaced: kept, and told with the new one."))
    @click.option("--out", type=FOLDER, default=None, help=_(
        "Folder for the reports or the .eml files (default: NAME-reports or NAME-mails beside the workbook)."))
    @by_option(_)
    @pictures_option(_)
    @json_option(_)
    @click.pass_obj
    def send(lang: str, /, file: Path, dry: bool, out: Path | None, by: str, pictures: bool, as_json: bool,
             **wishes: Any) -> int:
        folder = out or (file.with_name(f"{file.stem}-mails") if dry else desk.reports_folder(file))
        told: list[str] = []
        wish = _post_options(told, as_json, dry=dry, **wishes)
        return show(desk.send(file, folder, clock=machine_clock(), wish=wish, by=by, lang=lang, pictures=pictures),
                    as_json, told=told)

    return send


def post_command(_: Translate) -> click.Command:
    """``arbitro post setup``: set up the mail account."""
    @click.command("post", help=_(
        "Set the mailbox from which reports are sent. Asks, tries the connection, and says in words what is wrong. The"
        " setting is kept in a folder of yours, never in a workbook; the password in the keyring, or in a file that"
        " only you can read, or it is taken from the environment (ARBITRO_POST_PASSWORD)."))
    @click.argument("action", type=click.Choice(["setup"]), metavar="setup")
    @click.option("--address", metavar=_("TEXT"), help=_("Your mail address."))
    @click.option("--name", metavar=_("TEXT"), help=_("Your name, as the clubs will see it."))
    @click.option("--login", metavar=_("TEXT"), help=_("Name with which you log in (default: the address)."))
    @click.option("--smtp", metavar=_("HOST[:PORT[:tls]]"), help=_("Server for outgoing mail."))
    @click.option("--imap", metavar=_("HOST[:PORT[:tls]]"), help=_("Server of your mailbox; - for none."))
    @click.option("--authority", type=FILE, metavar=_("FILE"), help=_(
        "A file with certificates that are to be trusted, for a server of the club's own."))
    @json_option(_)
    @click.pass_obj
    def post(lang: str, /, action: str, as_json: bool, **given: Any) -> int:
        account = {name: str(value) for name, value in given.items() if value is not None}
        return show(desk.set_up_post(account, ask=asker(as_json), lang=lang), as_json)

    return post


def remind_command(_: Translate) -> click.Command:
    """``arbitro remind``: a short mail to clubs that have not answered."""
    @click.command("remind", help=_(
        "Remind the clubs that have not answered. Each gets one short mail a phase."))
    @file_argument(_)
    @click.option("--dry-run", "dry", is_flag=True, help=_("Only write the mails into the folder, as .eml files."))
    @click.option("--only", multiple=True, metavar=_("FACTION"),
                  help=_("Only this faction's mail; may be given several times."))
    @click.option("--yes", is_flag=True, help=_("Also the first mails of a campaign, without asking."))
    @click.option("--out", type=FOLDER, default=None, help=_(
        "Folder for the .eml files (default: NAME-mails beside the workbook)."))
    @by_option(_)
    @json_option(_)
    @click.pass_obj
    def remind(lang: str, /, file: Path, dry: bool, out: Path | None, by: str, as_json: bool, **wishes: Any) -> int:
        told: list[str] = []
        wish = _post_options(told, as_json, dry=dry, **wishes)
        folder = out or file.with_name(f"{file.stem}-mails")
        return show(desk.remind(file, folder, clock=machine_clock(), wish=wish, by=by, lang=lang), as_json, told=told)

    return remind


def publish_command(_: Translate) -> click.Command:
    """``arbitro publish``: the public reports as a website."""
    return desk_command(
        "publish", _, _(
        "Write the public reports of all turns as linked pages. Open them from the folder, or put the folder on a"
        " site. They hold nothing but what everybody may know, and ask nothing of any other server."),
        file_argument(_),
        click.argument("folder", type=FOLDER, metavar=_("FOLDER")),
        pictures_option(_))


# `arbitro simulate`.


def simulate_command(_: Translate) -> click.Command:
    """``arbitro simulate``: whole campaigns played by robots."""
    @click.command("simulate", help=_(
        "Let robots play whole campaigns. They start from a scenario of a rulebook or from a campaign as it stands."
        " Writes tables and a page with charts: who wins, how long it takes, money and places over the turns, battles"
        " a turn, which rules are used and which never. Each campaign comes from its seed alone, so that the same"
        " command makes the same bytes; it goes on from what an interrupted one has played. Changes no campaign."))
    @click.argument("of", metavar=_("RULESET|FILE"))
    @click.option("--campaigns", type=click.IntRange(1), default=None, metavar=_("N"), help=_(
        "How many campaigns, of each variant (default: 200; with --margin at most 16000)."))
    @click.option("--margin", type=click.FloatRange(0, 50, min_open=True), default=None, metavar=_("POINTS"), help=_(
        "Play until all that is said of the victories is right to within so many points with 95 % certainty; looked"
        " at after 500, 1000, 2000 ... campaigns."))
    @click.option("--seed", type=click.IntRange(0), default=1, show_default=True, metavar=_("N"),
                  help=_("The first seed; the others follow it."))
    @click.option("--scenario", default="", metavar=_("NAME"), help=_("Which scenario (default: the first one)."))
    @click.option("--turns", type=click.IntRange(1), default=None, metavar=_("N"),
                  help=_("Play so many turns at most."))
    @click.option("--workers", type=click.IntRange(1, 512), default=1, show_default=True, metavar=_("N"), help=_(
        "How many processes of this machine play; the results are the same bytes."))
    @click.option("--cluster", default="", metavar=_("ADDRESS"), help=_(
        "Play on a cluster of Dask instead: the address of its scheduler, tls://HOST:PORT for a foreign one; 'local'"
        " starts one on this machine with --workers processes."))
    @click.option("--replay", type=click.IntRange(0), default=None, metavar=_("SEED"), help=_(
        "Only write the campaign of this seed, as a workbook with its ledger in a folder of its own."))
    @click.option("--vary", multiple=True, metavar=_("NAME=VALUE,VALUE"), help=_(
        "Play each of these values of a number or switch of the rules, on the same seeds; several make a grid. What"
        " there is to vary is listed by: arbitro rules"))
    @click.option("--as", "view", default="", metavar=_("FACTION"), help=_(
        "From this faction's view alone, where the rulebook says how to draw what it does not know."))
    @click.option("--temper", "tempers", multiple=True, metavar=_("FACTION=TEMPER"), help=_(
        "How the robot of this faction plays, such as V=bold; a temper alone is for all that are not named. The tempers"
        " of each rulebook are listed by: arbitro rulesets"))
    @click.option("--out", type=FOLDER, default=None, metavar=_("FOLDER"), help=_(
        "Where everything goes (default: NAME-laboratory, beside the workbook or here)."))
    @json_option(_)
    @click.pass_context
    def simulate(ctx: click.Context, /, of: str, campaigns: int | None, turns: int | None, margin: float | None,
                 replay: int | None, as_json: bool, **wishes: Any) -> int:
        plan = desk.SimulatePlan(of, campaigns=campaigns or 0, turns=turns or 0, margin=margin or 0.0, **wishes)
        if plan.campaigns and plan.margin and plan.campaigns < plan.first_look:
            raise click.UsageError(_("--margin needs 500 campaigns at least."), ctx)
        if replay is not None:
            return show(desk.replay_campaign(plan, replay, lang=ctx.obj, tell=progress), as_json)
        return show(desk.simulate(plan, lang=ctx.obj, tell=progress), as_json)

    return simulate


# `arbitro decide`, `accept`, `revert`.


def decide_command(_: Translate) -> click.Command:
    """``arbitro decide``: keep manual changes or take them back, as their sheet says."""
    return desk_command(
        "decide", _, _(
        "Decide on changes by hand as the sheet Changes says. What has a reason there is kept as a ruling,"
        " what has the word back is put back, all in one change. What has neither is listed there and stays open."),
        file_argument(_))


def _cells(_: Translate) -> Callable[[Any], Any]:
    return click.argument("cells", nargs=-1, metavar=_("CELL..."))


def accept_command(_: Translate) -> click.Command:
    """``arbitro accept``: keep manual changes as rulings."""
    return desk_command(
        "accept", _, _(
        "Keep what was changed by hand, as a ruling. It appears in Events and in the reports of those whom it"
        " concerns, with its reason. CELL is written as arbitro check shows it, such as 'Factions!D5', or as"
        " SHEET!KEY.COLUMN; SHEET!KEY means all changes of a row."),
        file_argument(_),
        _cells(_),
        click.option("--all", "everything", is_flag=True, help=_("All that was changed by hand.")),
        click.option("--why", required=True, metavar=_("REASON"), help=_("The reason, for all whom it concerns.")))


def revert_command(_: Translate) -> click.Command:
    """``arbitro revert``: take manual changes back."""
    return desk_command(
        "revert", _, _("Put back what was changed by hand. CELL is written as for accept."),
        file_argument(_),
        _cells(_),
        click.option("--all", "everything", is_flag=True, help=_("All that was changed by hand.")))
