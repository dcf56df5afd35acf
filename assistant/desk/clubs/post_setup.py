"""`post setup`: connects Arbitro with a mailbox."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import replace

from assistant.desk.clubs.send import trouble_findings
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import Abort, abort, folder_abort
from assistant.environment import machine_language
from assistant.post.mail_server import (
    APP_PASSWORD,
    NO_PASSWORDS,
    PASSWORD,
    PROBLEMS,
    MailAccount,
    Server,
    ServerTrouble,
    connect_smtp,
    guess_servers,
    is_address,
    keep_password,
    load_account,
    open_mailbox,
    parse_server,
    save_account,
    stored_password,
    user_folder,
)
from assistant.turn import codes
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

AskUser = Callable[[str, str, bool], str]
"""Is given a question, what is taken where nothing is typed, and whether it is a secret; returns what was typed."""
ADDRESS = N_("Your mail address, from which the reports shall come")
NAME = N_("Your name, as the clubs shall see it")
SMTP = N_("Server for outgoing mail (host, host:port or host:port:tls)")
IMAP = N_("Server of your mailbox (IMAP), where copies are found again; - for none")
LOGIN = N_("Name with which you log in")
SECRET = N_("Password (it is not shown)")
APP_HINT = N_("Your provider wants a password for this program alone (app password): make one on its page of security.")
NO_HINT = N_("Your provider lets no program in with a password: take a mailbox of another one for the campaign.")
KEPT_AT = {"environment": N_("The password is taken from the environment ({variable}) and kept nowhere."),
           "keyring": N_("The password is kept in this computer's keyring."),
           "file": N_("The password is kept in a file that only you can read, in {folder}.")}


def set_up_post(given: Mapping[str, str], *, ask: AskUser | None = None, lang: str = "") -> Result:
    """Ask for what is not `given`, try both servers, and keep the post outside of any campaign if they let us in.

    `given`: ``address``, ``name``, ``smtp``, ``imap``, ``login``, ``authority``; without `ask` the usual is taken for
    the rest, and the password from the environment or where it is kept. Result data: ``address``, ``smtp``, ``imap``,
    ``kept``: where the password is.
    """
    words = Wording(None, lang or machine_language())
    result = Result("post", wording=words)
    try:
        post, secret = _ask_settings(given, ask, words, result)
        troubles = login_troubles(post, secret)
        if troubles:
            result.find(trouble_findings(troubles))
            result.say(words.text(N_("Nothing was kept.")))
            result.exit = Exit.REFUSED
            return result
        save_account(post)
        kept = keep_password(post, secret)
    except Abort as stopped:
        return stopped.result("post")
    except OSError as fault:
        return folder_abort(fault, user_folder(), N_("the settings of the post"), lang).result("post")
    result.data.update(address=post.address, smtp=post.smtp.host, imap=post.imap.host if post.imap else "", kept=kept)
    result.say(words.text(N_("Both servers let us in. Mails come from {address}.") if post.imap else
                          N_("The server lets us in. Mails come from {address}."), address=Verbatim(post.address)))
    result.say(words.text(KEPT_AT[kept], variable=PASSWORD, folder=str(user_folder())))
    if post.imap is None:
        result.say(words.text(N_("Without a mailbox nobody can tell what became of a mail when the connection breaks: "
                                 "then you are asked.")))
    return result


def _ask_settings(
    given: Mapping[str, str], ask: AskUser | None, words: Wording, result: Result
) -> tuple[MailAccount, str]:
    """The post and its password. Raises `Stop` for what cannot be used."""
    old = load_account()

    def value(name: str, question: str, usual: str) -> str:
        if name in given:
            return given[name].strip()
        return (ask(words.text(question), usual, False).strip() or usual) if ask is not None else usual

    address = value("address", ADDRESS, old.address if old else "")
    if not is_address(address):
        raise abort(Exit.USAGE, codes.BAD_ADDRESS, words.lang, words, seen=address)
    same = old if old is not None and old.address == address else None
    domain = address.rpartition("@")[2].casefold()
    if domain in (*APP_PASSWORD, *NO_PASSWORDS):
        result.say(words.text(APP_HINT if domain in APP_PASSWORD else NO_HINT))
    smtp, imap = (same.smtp, same.imap) if same else guess_servers(address)
    post = MailAccount(address, value("login", LOGIN, same.login if same else address),
                _typed_server(value("smtp", SMTP, _server_text(smtp)), "smtp", words) or smtp,
                _typed_server(value("imap", IMAP, _server_text(imap)), "imap", words),
                value("name", NAME, same.name if same else ""), given.get("authority", same.authority if same else ""))
    if same is not None:
        post = replace(post, patience=same.patience, pause=same.pause)
    secret = os.environ.get(PASSWORD, "") or (ask(words.text(SECRET), "", True) if ask is not None else "")
    return post, secret or stored_password(post)


def _typed_server(typed: str, what: str, words: Wording) -> Server | None:
    """The server that was typed, None for none. Raises `Stop`."""
    if typed in ("", "-"):
        return None
    try:
        return parse_server(typed, "smtp" if what == "smtp" else "imap")
    except ValueError as no:
        raise abort(Exit.USAGE, codes.NO_SERVER, words.lang, words, seen=typed) from no


def _server_text(server: Server | None) -> str:
    return "-" if server is None else f"{server.host}:{server.port}:{server.security}"


def login_troubles(post: MailAccount, secret: str) -> list[ServerTrouble]:
    """What keeps us from logging in at either server."""
    troubles = []
    try:
        line = connect_smtp(post, secret)
        with contextlib.suppress(*PROBLEMS):
            line.quit()
    except ServerTrouble as trouble:
        troubles.append(trouble)
    if post.imap is not None:
        try:
            box = open_mailbox(post, secret)
            with contextlib.suppress(*PROBLEMS):
                box.logout()
        except ServerTrouble as trouble:
            troubles.append(trouble)
    return troubles
