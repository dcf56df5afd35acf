"""The mail account, and one club's mail, by a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from assistant.desk.clubs.send import (
    ADDRESS,
    APP_HINT,
    IMAP,
    LOGIN,
    NAME,
    NO_HINT,
    SECRET,
    SMTP,
    AskUser,
    PostOptions,
    send,
    server_text,
    set_up_post,
)
from assistant.desk.commands.by_form import ask_about, faction_names_of
from assistant.desk.commands.publish import share
from assistant.desk.results import Exit, FillIn, Form, FormField, Result, chosen
from assistant.desk.workspace.workspace import BookPlace, Workspace, factions_with_reports
from assistant.environment import Clock, machine_language
from assistant.post.mail_server import APP_PASSWORD, NO_PASSWORDS, guess_servers, load_account
from assistant.turn.texts import N_
from assistant.wording import Wording

# The mail account.


FROM_WHERE = N_("The mail account of the campaign: from where reports are sent, and where clubs answer.")
STAYS_HERE = N_("All of it is kept on this computer, in a folder of yours, and never in the workbook.")
FIELDS = {"address": ADDRESS, "name": NAME, "smtp": SMTP, "imap": IMAP, "login": LOGIN}
"""The settings that are asked for, by the names that `set_up_post` takes."""
SECRET_FIELD = "secret"


def set_up_post_by_form(fill_in: FillIn, *, lang: str = "") -> Result:
    """Ask for the mail account in a form, try it, and ask again, with what is wrong, until it works or the referee
    gives up: first the address, then what its provider usually has. Nothing is kept but what `set_up_post` keeps.
    """
    words, old = Wording(None, lang or machine_language()), load_account()
    values = fill_in(Form((words.text(FROM_WHERE), words.text(STAYS_HERE)),
                          (FormField("address", words.text(ADDRESS), old.address if old else ""),
                           FormField("name", words.text(NAME), old.name if old else ""))))
    result = Result("post", Exit.REFUSED, wording=words)
    troubles: list[str] = []
    while values is not None:
        if SECRET_FIELD in values:
            typed = {name: values[name] for name in FIELDS if values[name].strip() or name == "name"}
            result = set_up_post(typed, ask=_typed_secret(values[SECRET_FIELD]),
                                 lang=lang)
            if result.exit == Exit.DONE:
                return result
            troubles = [*result.finding_lines(), *result.lines]
        values = fill_in(_account_form(words, values, troubles))
    if not troubles:
        result.say(words.text(N_("Nothing was kept.")))
    return result


def _account_form(words: Wording, values: Mapping[str, str], troubles: Sequence[str]) -> Form:
    """The form with all settings: what was typed before, else what the provider of the address usually has."""
    address, old = values["address"].strip(), load_account()
    same = old if old is not None and old.address == address else None
    smtp, imap = (same.smtp, same.imap) if same else guess_servers(address)
    usual = {**values, "smtp": server_text(smtp), "imap": server_text(imap),
             "login": same.login if same else address, **values}
    domain = address.rpartition("@")[2].casefold()
    hints = [words.text(hint) for hint, domains in ((APP_HINT, APP_PASSWORD), (NO_HINT, NO_PASSWORDS))
             if domain in domains and not troubles]
    fields = [FormField(name, words.text(label), usual[name]) for name, label in FIELDS.items()]
    return Form((*troubles, *hints, words.text(STAYS_HERE)),
                (*fields, FormField(SECRET_FIELD, words.text(SECRET), values.get(SECRET_FIELD, ""), secret=True)))


def _typed_secret(secret: str) -> AskUser:
    """Answers for `set_up_post`: the password that was typed, and for the rest what is usual."""
    def ask(question: str, usual: str, hidden: bool) -> str:
        return secret if hidden else usual

    return ask


# One club's mail.


WHO, HOW, WHY = "who", "how", "why"
MAIL_WAYS = (N_("only this mail, as usual"), N_("once more, because it did not arrive"),
             N_("it has arrived, where nobody could tell"), N_("let it leave although a word in it was found"),
             N_("to myself, as a rehearsal"), N_("only write it, as a file"),
             N_("a copy of one club with a new code, as the old one went to a wrong address"))


class MailFolders(NamedTuple):
    """Where reports, mails that are only written, and copies go."""

    reports: Path
    mails: Path
    copies: Path


def send_by_form(at: BookPlace, folders: MailFolders, fill_in: FillIn, *, clock: Clock, wish: PostOptions,
                 lang: str = "", pictures: bool = False) -> Result:
    """Ask what is to become of one club's mail, or of all, or of its copy, and do that. Result data: as of `send`, or
    of `share`.
    """
    def form(workspace: Workspace) -> Form:
        words = workspace.wording
        shown = (words.text(N_("everybody")), *faction_names_of(words, factions_with_reports(workspace.campaign)))
        ways = tuple(map(words.text, MAIL_WAYS))
        return Form((words.text(N_("One club's mail, or all of them: what is to become of it?")),),
                    (FormField(WHO, words.text(N_("To")), shown[0], shown),
                     FormField(HOW, words.text(N_("What")), ways[0], ways),
                     FormField(WHY, words.text(N_("Why, where it leaves all the same or replaces a report")))))

    got = ask_about(at, "send", lang, fill_in, form)
    if isinstance(got, Result):
        return got
    workspace, values = got
    words, known = workspace.wording, factions_with_reports(workspace.campaign)
    who = chosen(("", *faction_names_of(words, known)), values[WHO])
    whose = (known[who - 1],) if who else ()
    way, every = chosen(tuple(map(words.text, MAIL_WAYS)), values[HOW]), whose or ("all",)
    if MAIL_WAYS[way] == MAIL_WAYS[-1]:
        return share(at, folders.copies, renew="".join(whose), lang=lang, clock=clock.now())
    options = (replace(wish, only=whose), replace(wish, only=whose, again=every),
               replace(wish, only=whose, arrived=every), replace(wish, only=whose, let_go=every),
               replace(wish, only=whose, to_me=True), replace(wish, only=whose, dry=True))[way]
    return send(at, folders.mails if options.dry else folders.reports, clock=clock, lang=lang, pictures=pictures,
                wish=replace(options, why=values[WHY].strip()))
