"""Harm done to workbooks: to the bytes of the zip, and to the XML of the parts. All of it follows a random source."""

from __future__ import annotations

import io
import random
import re
import struct
import warnings
import zipfile
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from lxml import etree

from tests.books.parts import MAIN, Parts, local

VALUES = ("", " ", "0", "-1", "1", "2147483648", "99999999999999999999", "1e9", "NaN", "-0", "0x10", "５", "A0", "A1",
          "XFE1", "XFD1048576", "XFD1048577", "ZZZZ4294967290", "A1:B2", "B2:A1", "A:A", "1:1", "A4:G", "#REF!",
          "Armies!A1", "true", "maybe", "s", "str", "inlineStr", "shared", "array", "dataTable", "../../x", "NULL",
          "\u202e", "'", '"', "<", "&amp;", "_x000", "D5", "A5", "12:7", "rId1", "rId999", "http://example.org/", "e",
          "d", "b", "n", "hidden", "Armies", "Desk", "x" * 300, "2020-02-30", "1\n2")
XMLS = (".xml", ".rels", ".vml")


# --- bytes ---------------------------------------------------------------------------------------
def flip(data: bytes, rng: random.Random) -> bytes:
    """Some bits are wrong."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def truncate(data: bytes, rng: random.Random) -> bytes:
    """It ends too early."""
    return data[:rng.randrange(len(data))]


def insert(data: bytes, rng: random.Random) -> bytes:
    """Something stands before, in or behind it that does not belong there."""
    at = rng.choice((0, len(data), rng.randrange(len(data))))
    return data[:at] + bytes(rng.randrange(256) for _ in range(rng.choice((1, 7, 300)))) + data[at:]


def directory(data: bytes, rng: random.Random) -> bytes:
    """A field of a member's entry in the directory, or of its own head, is another number."""
    found = bytearray(data)
    mark, fields = rng.choice((
        (b"PK\x01\x02", {8: "H", 10: "H", 16: "I", 20: "I", 24: "I", 28: "H", 30: "H", 42: "I"}),
        (b"PK\x03\x04", {6: "H", 8: "H", 14: "I", 18: "I", 22: "I", 26: "H", 28: "H"}),
        (b"PK\x05\x06", {8: "H", 10: "H", 12: "I", 16: "I", 20: "H"})))
    at = rng.choice([one.start() for one in re.finditer(re.escape(mark), data)])
    offset, kind = rng.choice(list(fields.items()))
    old = struct.unpack_from(f"<{kind}", found, at + offset)[0]
    top = (1 << 8 * struct.calcsize(kind)) - 1
    new = rng.choice((0, 1, old + 1, max(0, old - 1), old * 2, top, rng.randrange(top), 8, 9))
    struct.pack_into(f"<{kind}", found, at + offset, min(new, top))
    return bytes(found)


def twice(data: bytes, rng: random.Random) -> bytes:
    """A member stands there a second time, with other letters or the same."""
    out = io.BytesIO(data)
    parts = Parts(data)
    name = rng.choice(sorted(parts.members))
    with warnings.catch_warnings(), zipfile.ZipFile(out, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(zipfile.ZipInfo(rng.choice((name, name.upper(), "/" + name, name.replace("/", "\\")))),
                         rng.choice((parts.members[name], b"", b"<a/>")))
    return out.getvalue()


# --- members -------------------------------------------------------------------------------------
def lose(parts: Parts, rng: random.Random) -> None:
    """A member is missing."""
    del parts.members[rng.choice(sorted(parts.members))]


def swap(parts: Parts, rng: random.Random) -> None:
    """Two members stand in one another's place."""
    a, b = rng.sample(sorted(parts.members), 2)
    parts.members[a], parts.members[b] = parts.members[b], parts.members[a]


def empty(parts: Parts, rng: random.Random) -> None:
    """A member holds nothing, or something else."""
    parts.members[rng.choice(sorted(parts.members))] = rng.choice((b"", b" ", b"<a/>", b"\xff\xfe", b"{}", bytes(50)))


def rename(parts: Parts, rng: random.Random) -> None:
    """A member has another name."""
    name = rng.choice(sorted(parts.members))
    new = rng.choice((name.upper(), name + "x", "../" + name, "/" + name, "C:/" + name, name + "/", "a" * 400))
    parts.members[new] = parts.members.pop(name)


def scratch(parts: Parts, rng: random.Random) -> None:
    """Some bytes of a part's XML are others."""
    name = _an_xml(parts, rng)
    content = bytearray(parts.members[name])
    for _ in range(rng.choice((1, 1, 2, 8))):
        if content:
            content[rng.randrange(len(content))] = rng.choice((rng.randrange(256), *b"<>&\"'/ =0A"))
    parts.members[name] = bytes(content)


def cut(parts: Parts, rng: random.Random) -> None:
    """Some bytes of a part's XML are gone, or there twice."""
    name = _an_xml(parts, rng)
    content = parts.members[name]
    start = rng.randrange(len(content) + 1)
    end = min(len(content), start + rng.choice((1, 10, 200)))
    parts.members[name] = content[:start] + rng.choice((b"", content[start:end] * 2)) + content[end:]


def _an_xml(parts: Parts, rng: random.Random) -> str:
    names = sorted(m for m in parts.members if m.endswith(XMLS))
    likely = [m for m in names if "worksheets/" in m or "/tables/" in m or m.endswith(("workbook.xml", ".rels",
                                                                                      "styles.xml", "Strings.xml"))]
    return rng.choice(likely if rng.random() < 0.8 and likely else names)


# --- elements ------------------------------------------------------------------------------------
def tree(parts: Parts, rng: random.Random) -> None:
    """An element or attribute of a part is changed, and the part stays XML."""
    name = _an_xml(parts, rng)
    try:
        root = etree.fromstring(parts.members[name])
    except etree.XMLSyntaxError:
        return
    for _ in range(rng.choice((1, 1, 2, 5))):
        every = [e for e in root.iter() if isinstance(e.tag, str)]
        rng.choice(CHANGES)(rng.choice(every), rng)
    parts.members[name] = etree.tostring(root, xml_declaration=rng.random() < 0.5, encoding="UTF-8")


def _attribute(element: Any, rng: random.Random) -> None:
    if element.attrib:
        element.set(rng.choice(sorted(element.attrib)), rng.choice(VALUES))


def _no_attribute(element: Any, rng: random.Random) -> None:
    if element.attrib:
        del element.attrib[rng.choice(sorted(element.attrib))]


def _more_attribute(element: Any, rng: random.Random) -> None:
    element.set(rng.choice(("r", "s", "t", "ref", "cm", "spans", "ht", "xml:x".replace(":", "_"), "si", "id", "count")),
                rng.choice(VALUES))


def _gone(element: Any, rng: random.Random) -> None:
    if element.getparent() is not None:
        element.getparent().remove(element)


def _again(element: Any, rng: random.Random) -> None:
    if element.getparent() is not None:
        element.addnext(deepcopy(element))


def _away(element: Any, rng: random.Random) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.insert(rng.randrange(len(parent) + 1), element)


def _words(element: Any, rng: random.Random) -> None:
    element.text = rng.choice(VALUES)


def _renamed(element: Any, rng: random.Random) -> None:
    other = rng.choice(("c", "row", "v", "f", "is", "t", "sheetData", "x"))
    element.tag = rng.choice((f"{{{MAIN}}}{other}", local(element), f"{{urn:other}}{local(element)}"))


def _remark(element: Any, rng: random.Random) -> None:
    element.insert(rng.randrange(len(element) + 1), rng.choice((
        etree.Comment(' <c r="A1"><v>1</v></c> '), etree.ProcessingInstruction("club", "<row>"))))


def _deeper(element: Any, rng: random.Random) -> None:
    at = element
    for _ in range(rng.choice((1, 5, 400))):
        at = etree.SubElement(at, f"{{{MAIN}}}{rng.choice(('c', 'r', 'x'))}")


CHANGES: tuple[Callable[[Any, random.Random], None], ...] = (
    _attribute, _attribute, _attribute, _no_attribute, _more_attribute, _gone, _again, _away, _words, _renamed, _remark,
    _deeper)
ON_BYTES = (flip, truncate, insert, directory, directory, twice)
ON_PARTS = (lose, swap, empty, rename, scratch, scratch, cut, tree, tree, tree, tree, tree, tree)


def harmed(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """A workbook after some harm, and what kind it was."""
    if rng.random() < 0.25:
        change = rng.choice(ON_BYTES)
        return change.__name__, change(data, rng)
    parts = Parts(data)
    said = []
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        change_parts = rng.choice(ON_PARTS)
        change_parts(parts, rng)
        said.append(change_parts.__name__)
    return "+".join(said), parts.bytes()
