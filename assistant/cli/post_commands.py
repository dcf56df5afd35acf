"""`share`, `collect`, `send`, `remind`, `publish`, `post`: words of a command in; its result shown out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from assistant import desk
from assistant.cli.ask import asker, first_mails
from assistant.cli.options import FILE, FOLDER, Words, by_option, file_argument, json_option, pictures_option
from assistant.cli.show import progress, show
from assistant.post.out.clock import Clock
from assistant.resources import what_time


def share_command(_: Words) -> click.Command:
    """``arbitro share``: write the clubs' copies."""
    @click.command("share", help=_(
        "Write the public workbook and one copy a club, each with nothing but what its club may know: its order form,"
        " its questions, its sheets. Keep the full workbook to yourself where a game has secrets."))
    @file_argument(_)
    @click.argument("folder", type=FOLDER, metavar=_("FOLDER"))
    @click.option("--only", multiple=True, metavar=_("FACTION"),
                  help=_("Only this faction's copy; may be given several times."))
    @click.option("--renew", default="", metavar=_("FACTION"), help=_(
        "Give this faction a new code, because its copy went to a wrong address: the old one counts no more."))
    @by_option(_)
    @json_option(_)
    @click.pass_obj
    def share(lang: str, file: Path, folder: Path, only: tuple[str, ...], renew: str, by: str, as_json: bool) -> int:
        return show(desk.share(file, folder, only=only, renew=renew, by=by, lang=lang, clock=what_time()), as_json)

    return share


def collect_command(_: Words) -> click.Command:
    """``arbitro collect``: take in what the clubs sent back."""
    @click.command("collect", help=_(
        "Take in what the clubs sent back: filled copies, CSVs and texts that lie in these folders, and with --mail the"
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
            wish = desk.PostWish(agree=first_mails(told, as_json=as_json), **wishes)
            wish = wish if as_json else replace(wish, tell=telling(told))
            day = since.date() if since is not None else None
            return show(desk.collect_from_post(
                file, places, clock=machine_clock(), since=day, answering=None if silent else wish, lang=ctx.obj,
                **how), as_json, told=told)
        return show(desk.collect(file, places, lang=ctx.obj, **how), as_json)

    return collect


def machine_clock() -> Clock:
    """The hour and the patience of this machine."""
    return Clock(what_time, time.sleep)


def telling(told: list[str]) -> Callable[[str], None]:
    """Tells of progress. `told`: takes the lines in, so that they are not shown again."""
    def tell(line: str) -> None:
        told.append(line)
        progress(line)

    return tell


def send_command(_: Words) -> click.Command:
    """``arbitro send``: the mails."""
    @click.command("send", help=_(
        "Send each club its report with its order form, and everybody the gazette, each once. Lists who gets what"
        " first; the first mails of a campaign are asked for. Where no post is set up (arbitro post setup) the reports"
        " are written as 'report' does, to be sent by hand, and it ends with exit code 1. From then on undo and correct"
        " say that they may have been sent, and ask twice."))
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
        wish = desk.PostWish(dry=dry, agree=first_mails(told, as_json=as_json), **wishes)
        if not as_json:
            wish = replace(wish, tell=telling(told))
        return show(desk.send(file, folder, clock=machine_clock(), wish=wish, by=by, lang=lang, pictures=pictures),
                    as_json, told=told)

    return send


def post_command(_: Words) -> click.Command:
    """``arbitro post setup``: from where mails are sent."""
    @click.command("post", help=_(
        "Say from which mailbox reports are sent: asks, tries the connection, says what is wrong in words. It is kept"
        " in a folder of yours, never in a workbook; the password in the keyring, or in a file that only you can read,"
        " or it is taken from the environment (ARBITRO_POST_PASSWORD)."))
    @click.argument("action", type=click.Choice(["setup"]), metavar="setup")
    @click.option("--address", metavar=_("TEXT"), help=_("Your mail address."))
    @click.option("--name", metavar=_("TEXT"), help=_("Your name, as the clubs shall see it."))
    @click.option("--login", metavar=_("TEXT"), help=_("Name with which you log in (default: the address)."))
    @click.option("--smtp", metavar=_("HOST[:PORT[:tls]]"), help=_("Server for outgoing mail."))
    @click.option("--imap", metavar=_("HOST[:PORT[:tls]]"), help=_("Server of your mailbox; - for none."))
    @click.option("--authority", type=FILE, metavar=_("FILE"), help=_(
        "A file with certificates that are to be trusted, for a server of the club's own."))
    @json_option(_)
    @click.pass_obj
    def post(lang: str, /, action: str, as_json: bool, **given: Any) -> int:
        said = {name: str(value) for name, value in given.items() if value is not None}
        return show(desk.set_up_post(said, ask=asker(as_json), lang=lang), as_json)

    return post


def remind_command(_: Words) -> click.Command:
    """``arbitro remind``: a short mail to those who are awaited."""
    @click.command("remind", help=_(
        "Write a short mail to each club that is awaited, once a phase; who owes nothing gets none."))
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
        wish = desk.PostWish(dry=dry, agree=first_mails(told, as_json=as_json), **wishes)
        if not as_json:
            wish = replace(wish, tell=telling(told))
        folder = out or file.with_name(f"{file.stem}-mails")
        return show(desk.remind(file, folder, clock=machine_clock(), wish=wish, by=by, lang=lang), as_json, told=told)

    return remind


def publish_command(_: Words) -> click.Command:
    """``arbitro publish``: the public reports as a site."""
    @click.command("publish", help=_(
        "Write the public reports of all turns into a folder as pages with links from turn to turn, to be opened from"
        " there or put on a site. They hold nothing but what everybody may know, and ask nothing of any other server."))
    @file_argument(_)
    @click.argument("folder", type=FOLDER, metavar=_("FOLDER"))
    @pictures_option(_)
    @json_option(_)
    @click.pass_obj
    def publish(lang: str, file: Path, folder: Path, pictures: bool, as_json: bool) -> int:
        return show(desk.publish(file, folder, lang=lang, pictures=pictures), as_json)

    return publish
