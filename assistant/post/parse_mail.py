"""Parses a mail: who wrote it, its text and its files, also inside zips, signed parts and winmail.dat."""

from __future__ import annotations

import binascii
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from itertools import pairwise
from struct import error, unpack_from
from typing import Literal

from assistant.ledger.outbox import tokens_in
from assistant.post.letters import OWN_HEADER
from assistant.post.mail_text import (
    Attachment,
    Bounce,
    DoubtKind,
    FileKind,
    MailLine,
    ReceivedMail,
    SenderKind,
    TextPart,
    decode_text,
    extract_uuencoded,
    header_text,
    lines_of_html,
    lines_of_text,
)
from assistant.workbook.screening import MB

# Signed parts in one piece (smime.p7m).
#
# Only the element lengths of ITU-T X.690 are read. The signature is not verified: it proves nothing about whose
# orders the mail brings; the club's code does that.


_SIGNED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
_ENVELOPED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"
_DATA = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
_OCTETS, _OBJECT, _CONSTRUCTED = 0x04, 0x06, 0x20
_DEEPEST = 20


@dataclass(frozen=True)
class _Element:
    tag: int
    start: int
    end: int
    """Where its content ends."""
    after: int


def signed_mail(data: bytes) -> bytes | None:
    """The mail that was signed; None if the part is encrypted or of another kind."""
    oid = _content_oid(data)
    if oid != _SIGNED:
        return None
    # object identifier (tag 6, 9 bytes long) of the content, after which comes the content itself
    place = data.find(b"\x06\x09" + _DATA)
    if place < 0:
        return None
    try:
        return _octets(data, place + 11, len(data), 0) or None
    except IndexError:
        return None


def is_encrypted(data: bytes) -> bool:
    """Whether a part of this kind is encrypted."""
    return _content_oid(data) == _ENVELOPED


def _content_oid(data: bytes) -> bytes:
    place = data.find(b"\x06\x09", 0, 64)
    return data[place + 2:place + 11] if place >= 0 else b""


def _octets(data: bytes, start: int, end: int, depth: int) -> bytes:
    """The content of the first octet string from `start` on, its pieces joined. Raises IndexError if it is cut off."""
    octets = bytearray()
    while start < end and depth < _DEEPEST and data[start:start + 2] != b"\0\0":
        element = _element(data, start, end)
        if element.tag & ~_CONSTRUCTED == _OCTETS and not element.tag & _CONSTRUCTED:
            octets += data[element.start:element.end]
        elif element.tag & _CONSTRUCTED:
            octets += _octets(data, element.start, element.end, depth + 1)
        if depth == 0:
            break
        start = element.after
    return bytes(octets)


def _element(data: bytes, start: int, end: int) -> _Element:
    """The element that begins at `start`. Raises IndexError."""
    tag, length, place = data[start], data[start + 1], start + 2
    if length == 0x80:  # indefinite length: two zero bytes end it
        inner = place
        while data[inner:inner + 2] != b"\0\0":
            inner = _element(data, inner, end).after
        return _Element(tag, place, inner, inner + 2)
    if length > 0x80:
        count = length & 0x7F
        length, place = int.from_bytes(data[place:place + count], "big"), place + count
    if place + length > end:
        raise IndexError(place)
    return _Element(tag, place, place + length, place + length)


# winmail.dat, Outlook's own wrapping (TNEF).
#
# The format is Microsoft's MS-OXTNEF: a signature, then attributes, each with level, name, length, bytes and a
# checksum that is ignored here.


WINMAIL_SIGNATURE = b"\x78\x9f\x3e\x22"
_START, _LEVEL_NAME_LENGTH = 6, "<BII"
_NEW_FILE, _TITLE, _WINMAIL_DATA, _PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
_LONG_NAME = (b"\x1f\x00\x07\x37", b"\x1e\x00\x07\x37")
"""How the property with a file's long name begins: as UTF-16 and as bytes."""


def winmail_files(data: bytes) -> list[tuple[str, bytes]]:
    """The files in a winmail.dat, name and bytes each; of a truncated one those before the cut."""
    starts = [0, *(n for n, (name, _) in enumerate(_attributes(data)) if name == _NEW_FILE)]
    all_of = list(_attributes(data))
    files = []
    for begin, end in pairwise([*starts[1:], len(all_of)]):
        parts = dict(all_of[begin:end])
        if _WINMAIL_DATA in parts:
            title = decode_text(parts.get(_TITLE, b"").rstrip(b"\0")) or ""
            files.append((_long_name(parts.get(_PROPERTIES, b"")) or title, parts[_WINMAIL_DATA]))
    return files


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    place = _START
    while place + 9 <= len(data):
        try:
            _, name, length = unpack_from(_LEVEL_NAME_LENGTH, data, place)
        except error:
            return
        place += 9
        if place + length > len(data):
            return
        # the upper half of a name is the type of its value
        yield name & 0xFFFF, data[place:place + length]
        # after each attribute a checksum of two bytes
        place += length + 2


def _long_name(properties: bytes) -> str:
    """The long name among a file's properties, "" for none. It is stored as mark, count, length, text."""
    for mark in _LONG_NAME:
        place = properties.find(mark)
        if place >= 0 and place + 12 <= len(properties):
            # what the file says of its length may be wrong: no name is so long
            _, length = unpack_from("<II", properties, place + 4)
            raw = properties[place + 12:place + 12 + min(length, 1024)]
            return raw.decode("utf-16-le" if mark[0] == 0x1F else "cp1252", "replace").rstrip("\0")
    return ""


# Files that came with a mail: their kind, by content, and what wrappers contain.


LARGEST_INFLATED = 64 * MB
"""Bytes that all files of one zip may inflate to, counted while inflating: what a zip claims may be false."""
MOST_IN_ZIP = 200
COMPOUND = b"\xd0\xcf\x11\xe0"
_ZIP = b"PK\x03\x04"
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_DOCUMENTS = (".doc", ".ppt")
_OUTLOOK = "__properties_version1.0".encode("utf-16-le")
_MAIL = re.compile(rb"(?:>?From [^\r\n]*\r?\n)?(?:[A-Za-z][\w-]{1,40}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){2,}")
_MAIL_SIGN = re.compile(rb"^(?:From|Received|Message-ID|MIME-Version|Subject):", re.I | re.M)
_UNSAFE = re.compile(r"[^\w .()\[\]+~@,;=&%#!'-]+")
_PICTURE = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM", b"%PDF", b"<svg")
_CELLS = re.compile(r"[;,\t]")
_RESOURCE_FORK = re.compile(r"(?:.*/)?(?:__MACOSX/|\._)")
"""What a Mac puts into a zip beside each file: no file of anybody's."""
_LONGEST = 80
Shape = Literal["workbook", "zip", "winmail", "mail", "outlook", "table", "text", "other"]


def clean_name(name: str) -> str:
    """A file name from a mail made safe to show: without folders, control characters or unusual signs."""
    plain = header_text(name) if name else ""
    last = re.split(r"[/\\:]", plain)[-1]
    last = "".join(sign for sign in last if sign.isprintable())
    stem, dot, ending = _UNSAFE.sub("_", last).strip(" .").rpartition(".")
    return (stem[:_LONGEST] + dot + ending[:10]).strip() or "file"


def shape_of(data: bytes, name: str) -> Shape:
    """What a file is by its content; its name decides only where the content leaves it open."""
    ending = "." + name.rpartition(".")[2].casefold()
    if data.startswith(WINMAIL_SIGNATURE):
        return "winmail"
    if data.startswith(COMPOUND):
        # Outlook's items are in the same container as Excel's old files
        if ending == ".msg" or _OUTLOOK in data:
            return "outlook"
        return "other" if ending in _DOCUMENTS else "workbook"
    if data.startswith(_ZIP):
        return _zip_shape(data, ending)
    head = data[:4096]
    if head.startswith(_PICTURE):
        return "other"
    if ending == ".eml" or (ending not in (".csv", ".txt") and _MAIL.match(head) and _MAIL_SIGN.search(head)):
        return "mail"
    # a few kilobytes tell a table from a text; the beginning must be enough for files of any size
    text = decode_text(data[:64 * 1024])
    if text is None:
        return "workbook" if ending in _WORKBOOKS else "other"
    if ending in (".csv", ".tsv"):
        return "table"
    # one comma may stand in a sentence; a table's first line has at least three cells
    first = next((line for line in text.splitlines() if line.strip()), "")
    return "text" if ending == ".txt" or len(_CELLS.findall(first)) < 2 else "table"


def _zip_shape(data: bytes, ending: str) -> Shape:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {name.replace("\\", "/").lstrip("/").casefold() for name in archive.namelist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError):
        # a damaged workbook goes on as one, so that the referee hears of it and not of an unknown file
        return "workbook" if ending in _WORKBOOKS else "other"
    if any(name.startswith(("word/", "ppt/")) for name in names):
        return "other"
    # the workbooks of LibreOffice (OpenDocument) keep a file "mimetype", Excel's the other
    if "mimetype" in names or ("[content_types].xml" in names and any(name.startswith("xl/") for name in names)):
        return "workbook"
    return "zip"


def attachment_of(data: bytes, name: str) -> Attachment:
    """A file that is no wrapper, with its kind."""
    shape = shape_of(data, name)
    kind: FileKind = shape if shape in ("workbook", "table", "text") else "other"
    return Attachment(name, data, kind)


def unpack(data: bytes, name: str) -> Iterator[Attachment | DoubtKind]:
    """The files in a winmail.dat or in a zip (one level deep), and a doubt for whatever could not be read."""
    if data.startswith(WINMAIL_SIGNATURE):
        yield from (attachment_of(inner, clean_name(title)) for title, inner in winmail_files(data))
        return
    room = LARGEST_INFLATED
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for number, member in enumerate(archive.infolist()):
            if member.is_dir() or _RESOURCE_FORK.match(member.filename):
                continue
            if number >= MOST_IN_ZIP:
                yield "too_much_inflated"
                return
            # bit 0 of the flags: encrypted with a password
            if member.flag_bits & 1:
                yield "locked_zip"
                return
            try:
                with archive.open(member) as stream:
                    # one byte more than allowed tells that there is more, without inflating the rest
                    inner = stream.read(room + 1)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
                yield "broken"
                continue
            room -= len(inner)
            if room < 0:
                yield "too_much_inflated"
                return
            title = clean_name(member.filename)
            yield "zip_in_zip" if shape_of(inner, title) == "zip" else attachment_of(inner, title)


# Who wrote a mail, by its headers: a person, a program, ourselves, or a server reporting on a mail of ours.


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


def header_value(mail: Message, name: str) -> str:
    """A header, decoded, in one line; "" if it is missing."""
    return next((header_text(str(value)) for key, value in mail.raw_items() if key.casefold() == name.casefold()), "")


def sender_of(mail: Message) -> str:
    """The address of the From line, "" for none. It proves nothing: anybody can write anything there."""
    return next((address for _, address in getaddresses([header_value(mail, "From")]) if "@" in address), "")[:_FEW]


def ident_of(mail: Message) -> str:
    """The Message-ID without brackets."""
    return header_value(mail, "Message-ID").strip("<> ")[:_FEW]


def is_own(mail: Message) -> bool:
    """Whether we sent this mail: it may be in our own mailbox, or attached to another mail."""
    return bool(header_value(mail, OWN_HEADER))


def sender_kind(mail: Message) -> SenderKind:
    """Who wrote a mail. Whether a mail of ours arrived is read from the headers of the report, not from its text."""
    report = str(mail.get_param("report-type", "") or "").casefold()
    pec, subject = header_value(mail, "X-Ricevuta").casefold(), header_value(mail, "Subject")
    if is_own(mail):
        return "own"
    if pec:
        # PEC, Italy's certified mail, reports with a header of its own
        return "failure" if pec in _PEC_FAILED else "receipt"
    if report == "disposition-notification":
        return "receipt"
    # automatic answers and reports come with an empty return path, so that no answer can go round in circles
    no_return = header_value(mail, "Return-Path") == "<>"
    if report == "delivery-status" or mail.get_content_type() == "multipart/report" or header_value(
            mail, "X-Failed-Recipients"):
        return "failure" if not _is_delivery_report(mail) else "receipt"
    automatic = header_value(mail, "Auto-Submitted").casefold() not in ("", "no")
    daemon = bool(_DAEMON.search(sender_of(mail)))
    # a club may forward or discuss a failure notice: the subject alone is no evidence
    if _FAILED.match(subject) and (no_return or automatic or daemon):
        return "failure"
    if _READ.match(subject) and (no_return or automatic):
        return "receipt"
    by_itself = automatic or no_return or daemon or bool(_AWAY.match(subject)) or any(
        header_value(mail, name) for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress-Reply"))
    return "machine" if by_itself else "person"


def is_reply_of_program(mail: Message) -> bool:
    """Whether a program answered a mail with this one, as who is away has it do; others are written unasked."""
    return header_value(mail, "Auto-Submitted").casefold().startswith("auto-replied") or bool(
        _AWAY.match(header_value(mail, "Subject"))) or header_value(mail, "Return-Path") == "<>" or any(
        header_value(mail, name) for name in ("X-Autoreply", "X-Autorespond"))


def _is_delivery_report(mail: Message) -> bool:
    """Whether a server reports that a mail arrived or is merely delayed."""
    actions = [value.casefold() for part in mail.walk() for value in [header_value(part, "Action")] if value]
    return bool(actions) and all(action in ("delivered", "relayed", "expanded", "delayed") for action in actions)


def gets_no_receipt(mail: Message, kind: SenderKind) -> bool:
    """Whether a mail gets no receipt: those of programs and of mailing lists do not."""
    bulk = header_value(mail, "Precedence").casefold() in ("bulk", "list", "junk")
    return kind != "person" or bulk or bool(header_value(mail, "List-Id"))


def bounce_of(mail: Message, raw: bytes) -> Bounce:
    """What a delivery failure says: which of our mails failed, for which addresses, and why."""
    own = [
        # PEC names the mail of ours that it reports on in this header
        *(header_value(mail, name).strip("<> ") for name in ("X-Riferimento-Message-ID", "In-Reply-To", "References")),
        *((ours or theirs).decode("ascii", "replace") for ours, theirs in _IDENT.findall(raw)),
    ]
    us = ident_of(mail)
    idents = tuple(dict.fromkeys(word for text in own for word in text.replace("<", " ").replace(">", " ").split()
                                 if word and word != us))
    addresses = tuple(dict.fromkeys(address.decode("ascii", "replace") for address in _FAILED_TO.findall(raw)))
    cause = _CAUSE.search(raw)
    reason = " ".join(cause[1].decode("utf-8", "replace").split()) if cause else header_value(mail, "Subject")
    return Bounce(idents[:_FEW], addresses[:_FEW], reason[:_FEW])


# The parts of a mail: texts and files, in whatever layout a mail program sent them.


MOST_PARTS = 500
DEEPEST = 40
LONGEST_TEXT = 4_000_000
"""Characters of one text part."""
_REST_OF_TEXT = re.compile(r"ATT\d+\.(txt|html?|bin)", re.I)
"""The name that Exchange gives to text after an attachment."""
_SIGNATURE_TYPES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature",
          "application/pgp-keys")
_PKCS7_TYPES = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_ARMOURED = "-----BEGIN PGP MESSAGE-----"


class MailParts:
    """Collects texts, files and doubts of a mail. `own`: whether a part is in an attached mail of ours, whose files
    are not the club's.
    """

    def __init__(self) -> None:
        self.words: list[TextPart] = []
        self.files: list[Attachment] = []
        self.doubts: list[DoubtKind] = []
        self._count = 0

    def walk(self, part: Message, depth: int = 0, *, nested: bool = False, own: bool = False) -> None:
        """Collect a part and the parts inside it."""
        self._count += 1
        if depth > DEEPEST or self._count > MOST_PARTS:
            why: DoubtKind = "too_deep" if depth > DEEPEST else "too_many_parts"
            self.doubts += [why] if why not in self.doubts else []
            return
        kind = part.get_content_type()
        if kind in ("multipart/encrypted", "application/pgp-encrypted"):
            self.doubts.append("encrypted")
        elif kind == "multipart/alternative":
            self._either(part, depth, nested=nested, own=own)
        elif kind in ("message/rfc822", "message/global", "message/news"):
            self._mail(part, depth, own=own)
        elif part.is_multipart():
            for subpart in _subparts(part):
                self.walk(subpart, depth + 1, nested=nested, own=own)
        elif kind.startswith("message/") or kind in _SIGNATURE_TYPES:
            pass  # of a report, or a signature: no orders
        else:
            self._leaf(part, depth, nested=nested, own=own)

    def _either(self, part: Message, depth: int, *, nested: bool, own: bool) -> None:
        """Collect alternatives: all plain text in them is one form of the content, all HTML the other."""
        begin = len(self.words)
        for subpart in _subparts(part):
            self.walk(subpart, depth + 1, nested=nested, own=own)
        both, self.words[begin:] = self.words[begin:], []
        text = [part.text for part in both if part.text is not None]
        html = [part.html for part in both if part.html is not None]
        self.words.append(TextPart(_concatenate(text) if text else None, _concatenate(html) if html else None))

    def _mail(self, part: Message, depth: int, *, own: bool) -> None:
        """Collect an attached mail. Some programs encode it, which the standard forbids: it is decoded first."""
        inner = next(_subparts(part), None)
        coded = header_value(part, "Content-Transfer-Encoding").casefold()
        if inner is not None and coded in ("base64", "quoted-printable"):
            payload = inner.get_payload()
            packed = payload if isinstance(payload, str) else ""
            shell = Message()
            shell["Content-Transfer-Encoding"] = coded
            shell.set_payload(packed or inner.as_string())
            self._bytes_of_mail(_leaf_bytes(shell), depth, own=own)
        elif inner is not None:
            self.walk(inner, depth + 1, nested=True, own=own or is_own(inner))

    def _bytes_of_mail(self, data: bytes, depth: int, *, own: bool) -> None:
        inner = message_from_bytes(data)
        self.walk(inner, depth + 1, nested=True, own=own or is_own(inner))

    # --- leaves -------------------------------------------------------------------------------------------
    def _leaf(self, part: Message, depth: int, *, nested: bool, own: bool) -> None:
        data, kind = _leaf_bytes(part), part.get_content_type()
        name = _sent_name(part)
        if kind in _PKCS7_TYPES or name.casefold().endswith(".p7m"):
            self._read_sealed(data, depth, nested=nested, own=own)
            return
        attached = part.get_content_disposition() == "attachment"
        plain = kind in ("text/plain", "text/html", "text/enriched", "multipart/mixed")
        if plain and (not (name or attached) or _REST_OF_TEXT.fullmatch(name)):
            if shape_of(data, name) in ("workbook", "zip", "winmail"):
                self._file(data, clean_name(name), depth, own=own)
            else:
                self._text(part, data, nested=nested)
        # a picture inside the page with a Content-ID is most often the logo of a signature
        elif data and kind.startswith("image/") and not attached and header_value(part, "Content-ID"):
            self.files += [] if own else [Attachment(clean_name(name), data, "picture")]
        # an attachment that arrived empty is listed too: its sender believes to have sent something
        elif data or (attached and name and not kind.startswith("image/")):
            self._file(data, clean_name(name), depth, own=own)

    def _read_sealed(self, data: bytes, depth: int, *, nested: bool, own: bool) -> None:
        inner = signed_mail(data)
        if inner is None:
            self.doubts.append("encrypted" if is_encrypted(data) else "broken")
            return
        self.walk(message_from_bytes(inner), depth + 1, nested=nested, own=own)

    def _text(self, part: Message, data: bytes, *, nested: bool) -> None:
        """Collect a text part."""
        text = decode_text(data, str(part.get_content_charset("") or ""))
        if text is None:
            self.doubts.append("charset")
            return
        if len(text) > LONGEST_TEXT:
            self.doubts.append("too_large")
            return
        if part.get_content_type() == "text/html":
            self.words.append(TextPart(html=_mark_nested(lines_of_html(text), nested)))
            return
        if _ARMOURED in text:
            self.doubts.append("encrypted")
            return
        text, files = extract_uuencoded(text)
        self.files += [attachment_of(inner, clean_name(name)) for name, inner in files]
        flowed = str(part.get_param("format", "") or "").casefold() == "flowed"
        delsp = str(part.get_param("delsp", "") or "").casefold() == "yes"
        self.words.append(TextPart(text=_mark_nested(lines_of_text(text, flowed=flowed, delsp=delsp), nested)))

    def _file(self, data: bytes, name: str, depth: int, *, own: bool) -> None:
        """Collect a file, or the content of a wrapper."""
        shape = shape_of(data, name)
        if shape == "mail":
            self._bytes_of_mail(data, depth, own=own)
        elif shape == "outlook":
            self.doubts.append("outlook_item")
        elif own:
            pass  # a file of ours that came back
        elif shape in ("zip", "winmail"):
            for piece in unpack(data, name):
                if isinstance(piece, str):
                    self.doubts.append(piece)
                else:
                    self.files.append(piece)
        else:
            self.files.append(attachment_of(data, name))


def _subparts(part: Message) -> Iterator[Message]:
    payload = part.get_payload()
    yield from (message for message in payload if isinstance(message, Message)) if isinstance(payload, list) else ()


def _concatenate(lines: Iterable[tuple[MailLine, ...]]) -> tuple[MailLine, ...]:
    return tuple(line for some in lines for line in some)


def _mark_nested(lines: tuple[MailLine, ...], nested: bool) -> tuple[MailLine, ...]:
    return tuple(replace(line, nested=True) for line in lines) if nested else lines


def _leaf_bytes(part: Message) -> bytes:
    """The bytes of a leaf part; of one with a broken encoding, as they are."""
    try:
        data = part.get_payload(decode=True)
    except (binascii.Error, ValueError, LookupError, AssertionError):
        data = part.get_payload()
    if isinstance(data, str):
        return data.encode("utf-8", "surrogateescape")
    return data if isinstance(data, bytes) else b""


def _sent_name(part: Message) -> str:
    """The file name that the sender gave; "" for none, "file" for one that cannot be parsed."""
    try:
        return part.get_filename() or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return "file"


# Reading a whole mail. One that cannot be read yields a doubt, so that it never stops the others.


LARGEST_MAIL = 36 * MB
"""The largest mail that is read, in bytes; no common provider carries a larger one."""
_NESTS = re.compile(rb"^content-type:\s*(?:multipart|message)/", re.I | re.M)
_MOST_NESTS = 200
_PARTS = re.compile(rb"^content-type:", re.I | re.M)
_MOST_PARTS = 1_000
_HEAD = 64 * 1024


def read_mail(raw: bytes) -> ReceivedMail:
    """Read a mail. If a library fails on it, the result is a doubt, which is listed for the referee."""
    if len(raw) > LARGEST_MAIL:
        return _headers_only(raw, "too_large")
    # counted before parsing: Python's parser takes ever longer for mails with thousands of parts in each other
    if sum(1 for _ in _NESTS.finditer(raw)) > _MOST_NESTS:
        return _headers_only(raw, "too_deep")
    if sum(1 for _ in _PARTS.finditer(raw)) > _MOST_PARTS:
        return _headers_only(raw, "too_many_parts")
    try:
        return _read(raw)
    # the libraries fail in many ways on mails that break the rules, and one mail must not stop the others
    except Exception:
        return _headers_only(raw, "broken")


def _read(raw: bytes) -> ReceivedMail:
    mail = message_from_bytes(raw)
    kind = sender_kind(mail)
    if kind in ("failure", "receipt", "own"):
        # such a mail brings no orders, whatever of ours it quotes
        return ReceivedMail(kind, ident_of(mail), sender_of(mail), header_value(mail, "Subject"), True,
                       undelivered=bounce_of(mail, raw) if kind == "failure" else None)
    letter = _in_envelope(mail)
    parts = MailParts()
    parts.walk(letter)
    files = _unique_files(parts.files)
    subject = header_value(letter, "Subject")
    return ReceivedMail(
        kind,
        ident_of(letter) or ident_of(mail),
        sender_of(letter),
        subject,
        gets_no_receipt(mail, kind),
        _tokens(subject, parts.words),
        tuple(parts.words),
        files,
        tuple(dict.fromkeys(parts.doubts)),
        replied=is_reply_of_program(mail),
    )


def _in_envelope(mail: Message) -> Message:
    """The mail inside a certified-mail envelope (PEC); any other mail as it is."""
    if header_value(mail, "X-Trasporto").casefold() not in ("posta-certificata", "errore"):
        return mail
    inner = [message for part in mail.walk() if part.get_content_type() == "message/rfc822"
             for message in part.get_payload() if isinstance(message, Message)]
    return inner[0] if inner else mail


def _tokens(subject: str, words: Iterable[TextPart]) -> tuple[str, ...]:
    """The clubs' codes that a mail names."""
    texts = [subject, *("\n".join(line.text for line in lines) for part in words for lines in (part.text, part.html)
                        if lines)]
    return tuple(dict.fromkeys(code for text in texts for code in tokens_in(text)))


def _unique_files(files: Iterable[Attachment]) -> tuple[Attachment, ...]:
    return tuple({hashlib.sha256(file.data).digest(): file for file in reversed(list(files))}.values())[::-1]


def _headers_only(raw: bytes, doubt: DoubtKind) -> ReceivedMail:
    """A mail of which only the headers are read."""
    try:
        head = BytesHeaderParser().parsebytes(raw[:_HEAD])
        return ReceivedMail(
            "person", ident_of(head), sender_of(head), header_value(head, "Subject"), True, doubts=(doubt,)
        )
    except Exception:  # even the headers are unreadable; the doubt says why
        return ReceivedMail(quiet=True, doubts=(doubt,))
