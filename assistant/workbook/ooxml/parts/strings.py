"""Texts in cells: the part of shared strings in; plain texts out, with the signs that XML cannot hold."""

from __future__ import annotations

import re

from assistant.workbook.ooxml.parts.xmltree import joined, parse

_PLAIN = re.compile(rb'<si><t(?: xml:space="preserve")?(?:/>|>([^<]*)</t>)</si>|<si>(<r>.*?)</si>|<si/>|(<si)', re.S)
_RUN = re.compile(rb'<t(?: xml:space="preserve")?>([^<]*)</t>')
_PHONETIC = re.compile(rb"<rPh\b.*?</rPh>", re.S)
_ENTITY = re.compile(rb"&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));")
_NAMED = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'"}
_LESS = ord("<")
_SPELLED = re.compile("_x([0-9A-Fa-f]{4})_")


def plain(data: bytes) -> str:
    """The text of an element's bytes that hold no further element."""
    if b"&" in data:
        data = _ENTITY.sub(_resolved, data)
    text = data.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return spelled_out(text)


def spelled_out(text: str) -> str:
    """``_x0007_`` as the sign it stands for."""
    return _SPELLED.sub(lambda m: chr(int(m[1], 16)), text) if "_x" in text else text


def _resolved(found: re.Match[bytes]) -> bytes:
    if found[3]:
        return _NAMED[found[3]]
    code = int(found[1]) if found[1] else int(found[2], 16)
    return chr(code).encode("utf-8", "replace") if code <= 0x10FFFF else b"?"


def has_asides(data: bytes, end: int | None = None) -> bool:
    """Whether there are remarks or CDATA (or anything else that begins with ``<!``) before a place.

    A search for the one rare sign is twenty times faster than one for two that are everywhere.
    """
    at = data.find(b"!", 0, end)
    while at > 0:
        if data[at - 1] == _LESS:
            return True
        at = data.find(b"!", at + 1, end)
    return False


def read_strings(data: bytes) -> list[str]:
    """The shared strings of their part. Raises `Damaged`, `Hostile`."""
    if has_asides(data):
        return _slowly(data)
    found: list[str] = []
    for text, rich, odd in _PLAIN.findall(data):
        if odd:
            return _slowly(data)
        if not rich:
            found.append(plain(text))
            continue
        spoken = _PHONETIC.sub(b"", rich)
        runs = _RUN.findall(spoken)
        if len(runs) != spoken.count(b"<t>") + spoken.count(b"<t "):
            return _slowly(data)
        found.append("".join(plain(t) for t in runs))
    return found or _slowly(data)


def _slowly(data: bytes) -> list[str]:
    """Any spelling of the same, by way of a tree."""
    return [spelled_out(joined(node.children)) for node in parse(data).all("si")]
