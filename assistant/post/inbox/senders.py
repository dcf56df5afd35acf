"""The headers of a mail in; who wrote it out: a person, a program, we, or a server that reports on a mail of ours."""

from __future__ import annotations

import re
from email.message import Message
from email.utils import getaddresses

from assistant.post.inbox.arrived import Kind, Undelivered
from assistant.post.inbox.charsets import header_text
from assistant.post.out.letters import OWN_HEADER

_FAILED = re.compile(
    r"(undeliver(ed|able)|delivery (status notification \(failure\)|has failed|failure)|mail delivery (failed|failure|"
    r"system)|returned mail|failure notice|non recapitabile|mancata consegna|messaggio non (recapitato|consegnato)|"
    r"avviso di mancata consegna|mancato recapito)", re.I)
_READ = re.compile(r"(read|letto|receipt|ricevuta( di lettura)?|read receipt|conferma di lettura)\s*:", re.I)
_AWAY = re.compile(r"(automatic reply|auto[- ]?reply|risposta automatica|out of( the)? office|fuori (sede|ufficio)|"
                   r"abwesenheitsnotiz|respuesta automática)\b", re.I)
_DAEMON = re.compile(r"(mailer-daemon|postmaster|mail-daemon)@", re.I)
_PEC_FAILED = ("mancata-consegna", "errore-consegna", "preavviso-errore-consegna", "non-accettazione",
               "rilevazione-virus")
_IDENT = re.compile(rb"^(?:Message-ID:\s*<([^<>\s]+)>|%b:\s*([^<>\s]+))" % OWN_HEADER.encode(), re.I | re.M)
_FAILED_TO = re.compile(rb"^(?:Final-Recipient|Original-Recipient|X-Failed-Recipients):\s*(?:rfc822\s*;\s*)?"
                        rb"<?([^<>\s,;]+@[^<>\s,;]+)>?", re.I | re.M)
_CAUSE = re.compile(rb"^Diagnostic-Code:\s*(?:[\w-]+\s*;\s*)?((?:[^\r\n]|\r?\n[ \t])+)", re.I | re.M)
_FEW = 200


def header(mail: Message, name: str) -> str:
    """A header, decoded, in one line; "" where it is not there."""
    return next((header_text(str(value)) for key, value in mail.raw_items() if key.casefold() == name.casefold()), "")


def sender_of(mail: Message) -> str:
    """The address of the From line, "" for none: what it says proves nothing."""
    return next((address for _, address in getaddresses([header(mail, "From")]) if "@" in address), "")[:_FEW]


def ident_of(mail: Message) -> str:
    """The Message-ID without brackets."""
    return header(mail, "Message-ID").strip("<> ")[:_FEW]


def is_own(mail: Message) -> bool:
    """Whether a mail is one that we sent, as it lies in our own mailbox or hangs on another."""
    return bool(header(mail, OWN_HEADER))


def kind_of(mail: Message) -> Kind:
    """Who wrote a mail. What is told of a mail of ours is told by whoever carries it: its envelope, not its text."""
    report = str(mail.get_param("report-type", "") or "").casefold()
    pec, subject = header(mail, "X-Ricevuta").casefold(), header(mail, "Subject")
    if is_own(mail):
        return "own"
    if pec:
        return "failure" if pec in _PEC_FAILED else "receipt"
    if report == "disposition-notification":
        return "receipt"
    no_return = header(mail, "Return-Path") == "<>"
    if report == "delivery-status" or mail.get_content_type() == "multipart/report" or header(
            mail, "X-Failed-Recipients"):
        return "failure" if not _delivered(mail) else "receipt"
    automatic = header(mail, "Auto-Submitted").casefold() not in ("", "no")
    daemon = bool(_DAEMON.search(sender_of(mail)))
    if _FAILED.match(subject) and (no_return or automatic or daemon):
        return "failure"
    if _READ.match(subject) and (no_return or automatic):
        return "receipt"
    by_itself = automatic or no_return or daemon or bool(_AWAY.match(subject)) or any(
        header(mail, name) for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress-Reply"))
    return "machine" if by_itself else "person"


def _delivered(mail: Message) -> bool:
    """Whether a report of a server says that a mail arrived, or only that it takes longer."""
    said = [value.casefold() for part in mail.walk() for value in [header(part, "Action")] if value]
    return bool(said) and all(one in ("delivered", "relayed", "expanded", "delayed") for one in said)


def is_quiet(mail: Message, kind: Kind) -> bool:
    """Whether a mail gets no receipt: one of a machine, and one that went to many."""
    bulk = header(mail, "Precedence").casefold() in ("bulk", "list", "junk")
    return kind != "person" or bulk or bool(header(mail, "List-Id"))


def undelivered(mail: Message, raw: bytes) -> Undelivered:
    """What a failure tells: of which mails of ours, to whom they did not get, and why."""
    own = [*(header(mail, name).strip("<> ") for name in ("X-Riferimento-Message-ID", "In-Reply-To", "References")),
           *((one or other).decode("ascii", "replace") for one, other in _IDENT.findall(raw))]
    us = ident_of(mail)
    idents = tuple(dict.fromkeys(one for text in own for one in text.replace("<", " ").replace(">", " ").split()
                                 if one and one != us))
    addresses = tuple(dict.fromkeys(one.decode("ascii", "replace") for one in _FAILED_TO.findall(raw)))
    cause = _CAUSE.search(raw)
    said = " ".join(cause[1].decode("utf-8", "replace").split()) if cause else header(mail, "Subject")
    return Undelivered(idents[:_FEW], addresses[:_FEW], said[:_FEW])
