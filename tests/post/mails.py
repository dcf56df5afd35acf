"""What a test wants in a mail in; its bytes out, as the programs of clubs write them."""

from __future__ import annotations

import base64
import binascii
import io
import struct
import zipfile
from email.message import EmailMessage
from email.policy import SMTP

from assistant.ledger.outbox import token_of

CODE = token_of(bytes(32), "c0ffee", "V")
OTHER = token_of(bytes(32), "c0ffee", "M")
BLOCK = ("#===== ARBITRO: INIZIO =====", f"# Codice {CODE}, turno 1500", "# Venezia: scrivi sotto queste righe.", "",
         "# V-1, Chioggia", "", "#accetta patto sì", "", "#===== ARBITRO: FINE =====")
REPORT = "\n".join(["VENEZIA", "Che cosa è successo: la peste ha toccato Udine e due città vicine.",
                    "Per esempio: muovi V-1 verso Udine", *BLOCK, "Rapporto fatto da Arbitro."])
"""What we sent: among its lines one that reads like an order."""


def filled(*lines: str) -> list[str]:
    """The block with lines of a club in it."""
    return [*BLOCK[:-1], *lines, BLOCK[-1]]


def quoted(*lines: str, mark: str = "> ") -> str:
    """Lines as a program quotes them."""
    return "\n".join(mark + line for line in lines)


def raw(body: str = "", html: str = "", *, headers: dict[str, str] | None = None, charset: str = "utf-8",
        files: tuple[tuple[str, bytes], ...] = (), subject: str = f"Re: Italia [{CODE}]") -> bytes:
    """A mail with text, HTML or both, and files."""
    mail = EmailMessage(policy=SMTP)
    told = {"From": "Anna <anna@club.it>", "To": "arbitro@club.it", "Subject": subject, "Message-ID": "<m1@club.it>"}
    for name, value in (told | (headers or {})).items():
        if value:
            mail[name] = value
    if body or not html:
        mail.set_content(body, charset=charset)
        if html:
            mail.add_alternative(html, subtype="html")
    else:
        mail.set_content(html, subtype="html")
    for name, data in files:
        mail.add_attachment(data, "application", "octet-stream", filename=name)
    return mail.as_bytes()


def by_hand(kind: str, body: bytes | str, *, headers: str = "") -> bytes:
    """A mail of which the test writes each sign: its Content-Type, further headers and what follows."""
    data = body.encode() if isinstance(body, str) else body
    return (f"From: anna@club.it\r\nSubject: {CODE}\r\nMessage-ID: <m1@club.it>\r\nMIME-Version: 1.0\r\n"
            f"Content-Type: {kind}\r\n{headers}\r\n").encode() + data.replace(b"\n", b"\r\n")


def book(word: str = "a") -> bytes:
    """A zip that looks like a workbook."""
    return zipped({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": word.encode()})


def zipped(members: dict[str, bytes]) -> bytes:
    """A zip of these members."""
    with io.BytesIO() as into:
        with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(zipfile.ZipInfo(name), data)
        return into.getvalue()


def winmail(name: str, data: bytes) -> bytes:
    """A file in Outlook's wrapping."""
    def attribute(ident: int, body: bytes, level: int = 2) -> bytes:
        return struct.pack("<BII", level, ident, len(body)) + body + struct.pack("<H", sum(body) & 0xFFFF)
    return (b"\x78\x9f\x3e\x22\x01\x00" + attribute(0x00089006, b"\0\0\1\0", 1) + attribute(0x00069002, bytes(14))
            + attribute(0x00018010, name.encode() + b"\0") + attribute(0x0006800F, data))


def uuencoded(name: str, data: bytes) -> str:
    """A file written into a text."""
    lines = [binascii.b2a_uu(data[i:i + 45]).decode().rstrip("\n") for i in range(0, len(data), 45)]
    return "\n".join([f"begin 644 {name}", *lines, "`", "end"])


def signed_in_one(mail: bytes) -> bytes:
    """A mail as the content of signed data."""
    def element(tag: int, body: bytes) -> bytes:
        size = len(body)
        return bytes([tag, 0x82, size >> 8, size & 255]) + body
    data = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01" + element(0xA0, element(0x04, mail))
    inner = b"\x02\x01\x01" + element(0x31, b"") + element(0x30, data)
    return element(0x30, b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02" + element(0xA0, element(0x30, inner)))


def multipart(kind: str, *parts: tuple[str, bytes], headers: str = "", boundary: str = "b1") -> bytes:
    """A mail of several parts: each its headers and its bytes."""
    body = b"".join(f"--{boundary}\r\n{head}\r\n\r\n".encode() + data + b"\r\n" for head, data in parts)
    return (f"From: anna@club.it\r\nSubject: {CODE}\r\nMessage-ID: <m1@club.it>\r\nMIME-Version: 1.0\r\n{headers}"
            f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n').encode() + body + (
                f"--{boundary}--\r\n".encode())


def base64_of(data: bytes) -> bytes:
    """Bytes as a mail carries them."""
    return base64.encodebytes(data)
