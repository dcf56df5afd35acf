"""What a mail that arrived holds: nothing in; the records out in which the modules of this room hand it on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["person", "machine", "own", "receipt", "failure"]
"""Who wrote a mail: a person; a program that answers by itself; we; a server that says it arrived, or that it did not.
"""
FileKind = Literal["workbook", "table", "text", "picture", "other"]
"""What a file is by its content: a workbook (also one that cannot be read), a CSV, plain lines, a picture that the
mail's page shows, anything else.
"""
Why = Literal[
    "too_large", "too_deep", "too_many_parts", "broken", "encrypted", "locked_zip", "zip_in_zip", "too_much_inflated",
    "outlook_item", "charset", "two_codes", "other_code", "no_code", "struck_out", "text_and_html", "two_blocks",
    "block_and_lines", "two_copies", "other_turn"]
"""Why the referee is asked about a mail, or why a part of it could not be read."""


@dataclass(frozen=True)
class Said:
    """A line as its reader sees it. `depth`: in how many quotes it stands; `struck`: whether words of it are struck
    out; `nested`: whether it is of a mail that was attached.
    """

    text: str
    depth: int = 0
    struck: bool = False
    nested: bool = False


@dataclass(frozen=True)
class Words:
    """A part of what a mail says: as plain text, as HTML or as both. None: it does not come in that form."""

    text: tuple[Said, ...] | None = None
    html: tuple[Said, ...] | None = None


@dataclass(frozen=True)
class InFile:
    """A file that came with a mail. `name`: cleaned, never a path; `inside`: the zip, mail or envelope it was in."""

    name: str
    data: bytes
    kind: FileKind
    inside: str = ""


@dataclass(frozen=True)
class Doubt:
    """What is asked of the referee, or named: why, and what was seen."""

    why: Why
    seen: str = ""


@dataclass(frozen=True)
class Undelivered:
    """A report that did not arrive. `mails`: Message-IDs that the failure names; `addresses`: who did not get it;
    `cause`: in the server's words.
    """

    mails: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    cause: str = ""


@dataclass(frozen=True)
class Arrived:
    """One mail as it was read. `ident`: its Message-ID without brackets; `sender`: the address of its From line, which
    proves nothing; `quiet`: whether it gets no receipt, whoever wrote it; `tokens`: the codes that it names, each once.
    """

    kind: Kind = "person"
    ident: str = ""
    sender: str = ""
    subject: str = ""
    quiet: bool = False
    tokens: tuple[str, ...] = ()
    words: tuple[Words, ...] = ()
    files: tuple[InFile, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    undelivered: Undelivered | None = field(default=None)
