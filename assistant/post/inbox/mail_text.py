"""The plain text of a mail in; its lines out, with how deep each is quoted, and the files that were typed into it."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator

from assistant.post.inbox.arrived import Said
from assistant.post.inbox.charsets import plain_signs

_QUOTED = re.compile(r"((?:[ \t]*(?:>|\|(?![^\s>|])))+)[ ]?")
"""The usual mark, and the stroke of older programs where a blank or nothing follows it."""
_BEGIN = re.compile(r"begin [0-7]{3,4} (\S[^\r\n]*)")
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE)-----")


def lines_of(text: str, *, flowed: bool = False, delsp: bool = False) -> tuple[Said, ...]:
    """The lines of a text as their reader sees them. `flowed`: a line that ends with a blank goes on in the next
    (RFC 3676); `delsp`: that blank is no part of it.
    """
    lines = unarmoured(text.splitlines())
    found = [quoted(line) for line in lines]
    return tuple(Said(plain_signs(line).strip(), depth)
                 for depth, line in (_joined(found, delsp) if flowed else found))


def quoted(line: str) -> tuple[int, str]:
    """How deep a line is quoted, and the rest of it."""
    match = _QUOTED.match(line)
    return (sum(map(match[1].count, ">|")), line[match.end():]) if match else (0, line)


def _joined(lines: Iterable[tuple[int, str]], delsp: bool) -> Iterator[tuple[int, str]]:
    """Flowed lines put together again; a signature's mark goes on nowhere, and no line into another depth."""
    depth, held = 0, ""
    for deep, line in lines:
        line = line[1:] if line.startswith(" ") and not deep else line  # stuffed
        if held and (deep != depth or line == "-- "):
            yield depth, held
            held = ""
        depth, held = deep, held + line
        if not line.endswith(" ") or line == "-- ":
            yield depth, held
            held = ""
        elif delsp:
            held = held[:-1]
    if held:
        yield depth, held


def unarmoured(lines: Iterable[str]) -> list[str]:
    """Lines without what a signature in the text puts around them."""
    found, inside = list[str](), ""
    for line in lines:
        mark = _ARMOUR.fullmatch(line.strip())
        if mark:
            inside = ("head" if mark[2] == "SIGNED MESSAGE" else "signature") if mark[1] == "BEGIN" else ""
        elif inside == "head":
            inside = "" if line.startswith("Hash:") or line.strip() else "text"
        elif inside != "signature":
            found.append(line.removeprefix("- ") if inside == "text" else line)
    return found


def without_uuencoded(text: str) -> tuple[str, list[tuple[str, bytes]]]:
    """A text without the files that were written into it in uuencode, and those: name and bytes each."""
    kept, found = list[str](), list[tuple[str, bytes]]()
    held, name = list[str](), ""
    for line in text.split("\n"):
        begin = _BEGIN.fullmatch(line.rstrip())
        if name and line.rstrip() == "end":
            data = _uudecoded([one.rstrip("\r") for one in held[1:] if one.strip()])
            if data is None:
                kept += [*held, line]
            else:
                found.append((name, data))
            held, name = [], ""
        elif begin:
            kept += held
            held, name = [line], begin[1].strip()
        else:
            (held if name else kept).append(line)
    return "\n".join(kept + held), found


def _uudecoded(lines: Iterable[str]) -> bytes | None:
    """The bytes of uuencoded lines; None where they are none."""
    whole = bytearray()
    for line in lines:
        try:
            whole += binascii.a2b_uu(line)
        except binascii.Error:
            count = (ord(line[0]) - 32 & 63) * 4 // 3 + 5  # a program that lost or added blanks at the end
            try:
                whole += binascii.a2b_uu(line[:count].rstrip().ljust(count - 4))
            except binascii.Error:
                return None
    return bytes(whole)
