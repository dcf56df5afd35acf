"""A letter in, with the stamp that the outbox keeps of it; its mail out, the same bytes whenever it is made again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

XLSX = ("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet")
OWN_HEADER = "X-Arbitro-Mail"
"""Says the mail's identity once more: some providers give a mail another Message-ID."""
_POLICY = SMTP.clone(max_line_length=78)


@dataclass(frozen=True)
class Picture:
    """An inline picture. `cid`: by which the HTML names it, as ``cid:map``; `png`: its bytes."""

    cid: str
    png: bytes


@dataclass(frozen=True)
class Letter:
    """What one club gets, or all. `kind`: ``report``, ``gazette``, ``end`` or ``reminder``; `faction`: "" for all;
    `subject`, `lang`; `text` and `html` ("" for none) of the same content; `pictures`: those that the HTML names;
    `attached`: name and bytes of workbooks; `code`: of the report, "" for none.
    """

    kind: str
    faction: str
    subject: str
    lang: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    attached: tuple[tuple[str, bytes], ...] = ()
    code: str = ""

    @property
    def digest(self) -> str:
        """By what its content is known, whoever gets it and whenever. Pictures show what the words say, and another
        version of a library may draw them otherwise: they do not count.
        """
        parts: list[bytes] = [one.encode("utf-8", "surrogatepass") for one in (
            self.kind, self.faction, self.subject, self.lang, self.text, self.html)]
        parts += [name.encode() + b"\0" + data for name, data in self.attached]
        whole = hashlib.sha256()
        for part in parts:
            whole.update(f"{len(part)}:".encode() + part)
        return whole.hexdigest()


@dataclass(frozen=True)
class Stamp:
    """What the door adds. `ident`: the Message-ID without its brackets; `date`: as a mail's header says it; `sender`,
    `name`: our address and what we are called; `to`: the addresses that the mail shows, none for everybody's.
    """

    ident: str
    date: str
    sender: str
    name: str = ""
    to: tuple[str, ...] = field(default=())


def identity(campaign: str, digest: str, again: int, domain: str) -> str:
    """The Message-ID of a letter, without brackets: made of the campaign, what it says and how often it was sent
    on purpose, so that a ledger that was put back from a backup finds it in our mailbox. `domain`: of our address.
    """
    text = f"arbitro|mail|{campaign}|{digest}|{again}"
    return f"{hashlib.sha256(text.encode()).hexdigest()[:32]}@{domain}"


def compose(letter: Letter, stamp: Stamp) -> bytes:
    """The mail's bytes: mixed of alternative of text and HTML with its pictures, and the workbook.

    Raises ValueError for a subject or a name with a line break in it.
    """
    mail = EmailMessage(policy=_POLICY)
    sender = Address(stamp.name, addr_spec=stamp.sender)
    mail["From"] = sender
    mail["To"] = tuple(Address(addr_spec=one) for one in stamp.to) or sender
    mail["Subject"] = letter.subject
    mail["Date"] = stamp.date
    mail["Message-ID"] = f"<{stamp.ident}>"
    mail[OWN_HEADER] = stamp.ident
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(letter.text, cte="quoted-printable")
    if letter.html:
        mail.add_alternative(letter.html, subtype="html", cte="quoted-printable")
        page = list(mail.iter_parts())[-1]
        for one in letter.pictures:
            page.add_related(one.png, "image", "png", cid=f"<{one.cid}>", filename=f"{one.cid}.png",
                             disposition="inline")
    for name, data in letter.attached:
        mail.add_attachment(data, *XLSX, filename=name)
    mail["Content-Language"] = letter.lang  # last: who sets a content takes such headers away
    for number, part in enumerate(_nests(mail)):
        part.set_boundary(f"=_{hashlib.sha256(stamp.ident.encode()).hexdigest()[:24]}_{number}")
    return mail.as_bytes()


def _nests(mail: EmailMessage) -> Iterator[EmailMessage]:
    """The parts that hold others; those of a library have their boundaries by chance."""
    return (part for part in mail.walk() if isinstance(part, EmailMessage) and part.is_multipart())
