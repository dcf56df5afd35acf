"""The bytes of a signed part in one piece (smime.p7m) in; the mail inside it out, or that it is encrypted.

What is read of ITU-T X.690 is how long each element is: a mail that is signed proves nothing about whose orders it
brings, so that nothing of the signature is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    """Of its content."""
    after: int


def mail_inside(data: bytes) -> bytes | None:
    """The mail that was signed; None where the part is encrypted or is none of these."""
    oid = _first_object(data)
    if oid != _SIGNED:
        return None
    place = data.find(b"\x06\x09" + _DATA)
    if place < 0:
        return None
    try:
        return _octets(data, place + 11, len(data), 0) or None
    except IndexError:
        return None


def is_encrypted(data: bytes) -> bool:
    """Whether a part of this kind is encrypted."""
    return _first_object(data) == _ENVELOPED


def _first_object(data: bytes) -> bytes:
    place = data.find(b"\x06\x09", 0, 64)
    return data[place + 2:place + 11] if place >= 0 else b""


def _octets(data: bytes, start: int, end: int, depth: int) -> bytes:
    """The first bytes in octet strings, also in pieces, in what begins here. Raises IndexError where it is cut off."""
    found = bytearray()
    while start < end and depth < _DEEPEST and data[start:start + 2] != b"\0\0":
        element = _element(data, start, end)
        if element.tag & ~_CONSTRUCTED == _OCTETS and not element.tag & _CONSTRUCTED:
            found += data[element.start:element.end]
        elif element.tag & _CONSTRUCTED:
            found += _octets(data, element.start, element.end, depth + 1)
        if depth == 0:
            break
        start = element.after
    return bytes(found)


def _element(data: bytes, start: int, end: int) -> _Element:
    """The element that begins here. Raises IndexError."""
    tag, length, place = data[start], data[start + 1], start + 2
    if length == 0x80:  # it ends with two noughts
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
