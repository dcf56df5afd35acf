"""The same workbook, spelled in all the ways that other programs spell it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

from tests.books.parts import MAIN, PACKAGE, REL, SHEETML, Parts, child, large_extras, local, rels_of, stored, streamed

STRICT = {
    b"http://schemas.openxmlformats.org/spreadsheetml/2006/main": b"http://purl.oclc.org/ooxml/spreadsheetml/main",
    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships":
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
    b"http://schemas.openxmlformats.org/drawingml/2006/main": b"http://purl.oclc.org/ooxml/drawingml/main",
}


def sheet_parts(parts: Parts) -> Iterator[str]:
    """Every worksheet's part."""
    yield from parts.sheets().values()


def prefixed(parts: Parts) -> None:
    """Every element of the sheets, tables, workbook and styles under the prefix x."""
    for name in [m for m in parts.members if MAIN.encode() in parts.members[m] and m.endswith(".xml")
                 and not m.startswith("[")]:
        was = parts.members[name]
        if f'xmlns="{MAIN}"'.encode() not in was:
            continue
        was = re.sub(rb"<(/?)([A-Za-z][\w.]*)(?=[\s/>])", rb"<\1x:\2", was)
        parts.members[name] = was.replace(f'xmlns="{MAIN}"'.encode(), f'xmlns:x="{MAIN}"'.encode())


def strict(parts: Parts) -> None:
    """The strict dialect: other namespaces and relationship types everywhere."""
    for name in list(parts.members):
        for old, new in STRICT.items():
            parts.members[name] = parts.members[name].replace(old, new)
    parts.members[parts.book] = parts.members[parts.book].replace(b"<workbook ", b'<workbook conformance="strict" ', 1)


def marked(parts: Parts) -> None:
    """A byte order mark before the XML of every part."""
    for name in [m for m in parts.members if m.endswith((".xml", ".rels"))]:
        parts.members[name] = b"\xef\xbb\xbf" + parts.members[name]


def wide(parts: Parts) -> None:
    """Sheets and workbook in UTF-16."""
    for name in (parts.book, *sheet_parts(parts)):
        words = re.sub(r"^<\?xml.*?\?>\s*", "", parts.members[name].decode())
        parts.members[name] = ('<?xml version="1.0" encoding="UTF-16"?>' + words).encode("utf-16")


def _retarget(parts: Parts, change: Callable[[str, str], str]) -> None:
    for name in [m for m in parts.members if m.endswith(".rels")]:
        source = name.replace("_rels/", "").removesuffix(".rels")

        def each(root: Any, source: str = source) -> None:
            for element in root:
                if element.get("TargetMode") != "External":
                    element.set("Target", change(source, element.get("Target")))
        parts.edit(name, each)


def absolute(parts: Parts) -> None:
    """Relationship targets from the package's root."""
    from tests.books.parts import resolved

    _retarget(parts, lambda source, target: "/" + resolved(source, target))


def backslashed(parts: Parts) -> None:
    """Relationship targets with the strokes of Windows."""
    _retarget(parts, lambda _, target: target.replace("/", "\\"))


def other_case(parts: Parts) -> None:
    """Members in other letters than the relationships to them: part names know no case."""
    for name in [m for m in parts.members if "/worksheets/sheet" in m or "/tables/" in m]:
        parts.members[name.replace("worksheets", "Worksheets").replace("table", "TABLE")] = parts.members.pop(name)


def rooted(parts: Parts) -> None:
    """Members whose names begin with a stroke, as a few exporters have them."""
    for name in [m for m in parts.members if "/worksheets/" in m]:
        parts.members["/" + name] = parts.members.pop(name)


def elsewhere(parts: Parts) -> None:
    """A workbook part that stands in another folder under another name."""
    book = parts.book
    moved = "club/cartella.xml"
    parts.members[moved] = parts.members.pop(book)
    rels = parts.members.pop(rels_of(book))
    parts.members[rels_of(moved)] = rels

    def up(root: Any) -> None:
        for element in root:
            target = element.get("Target")
            element.set("Target", target if target.startswith("/") else f"../xl/{target}")
    parts.edit(rels_of(moved), up)
    parts.members["_rels/.rels"] = parts.members["_rels/.rels"].replace(b"xl/workbook.xml", moved.encode())
    types = "[Content_Types].xml"
    parts.members[types] = parts.members[types].replace(b"/xl/workbook.xml", f"/{moved}".encode())


def stroked(parts: Parts) -> None:
    """Members whose names have the strokes of Windows, as a zip program of theirs makes them."""
    parts.members = {name.replace("/", "\\"): content for name, content in parts.members.items()}


def outside(parts: Parts) -> None:
    """No folder xl at all: everything lies in another one, the workbook as well."""
    def moved(content: bytes) -> bytes:
        return content.replace(b'"/xl/', b'"/cartella/').replace(b'"xl/', b'"cartella/')

    told = (".rels", "Types].xml")
    parts.members = {re.sub(r"^xl/", "cartella/", name): moved(content) if name.endswith(told) else content
                     for name, content in parts.members.items()}


def unnumbered(parts: Parts) -> None:
    """Rows and cells without references, where every place is filled anyway."""
    for name in sheet_parts(parts):
        root = parts.xml(name)
        at = 0
        for row in child(root, "sheetData"):
            number = int(row.get("r"))
            if number == at + 1:
                del row.attrib["r"]
            at = number
            column = 0
            for cell in row:
                here = _index(cell.get("r"))
                if here == column + 1:
                    del cell.attrib["r"]
                column = here
        parts.put(name, root)


def _index(ref: str) -> int:
    number = 0
    for one in re.sub(r"\d", "", ref):
        number = number * 26 + ord(one) - 64
    return number


def bare(parts: Parts) -> None:
    """Sheets without dimension, views or column widths, rows without spans."""
    for name in sheet_parts(parts):
        def strip(root: Any) -> None:
            for element in list(root):
                if local(element) in ("dimension", "sheetViews", "cols", "sheetFormatPr"):
                    root.remove(element)
        parts.edit(name, strip)


def shared_strings(parts: Parts) -> None:
    """All texts in the table of strings, as Excel saves them; spans on rows, as Excel has them."""
    index: dict[str, int] = {}
    total = 0
    for name in sheet_parts(parts):
        root = parts.xml(name)
        for row in child(root, "sheetData"):
            if len(row):
                row.set("spans", f"{_index(row[0].get('r'))}:{_index(row[-1].get('r'))}")
            for cell in row:
                if cell.get("t") != "inlineStr":
                    continue
                words = "".join(cell[0].itertext())
                cell.set("t", "s")
                cell.remove(cell[0])
                etree.SubElement(cell, f"{{{MAIN}}}v").text = str(index.setdefault(words, len(index)))
                total += 1
        parts.put(name, root)
    table = etree.fromstring(f'<sst xmlns="{MAIN}" count="{total}" uniqueCount="{len(index)}"/>')
    for words in index:
        item = etree.SubElement(etree.SubElement(table, f"{{{MAIN}}}si"), f"{{{MAIN}}}t")
        item.text = words
        item.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    parts.add("xl/sharedStrings.xml", etree.tostring(table, encoding="unicode"), f"{SHEETML}sharedStrings+xml")
    parts.relate(parts.book, "sharedStrings", "xl/sharedStrings.xml")


def foreign_first(parts: Parts) -> None:
    """Members and folders that no relationship names: the rests of other programs, and a folder's own entry."""
    parts.members = {"mimetype": b"application/zip", "xl/": b"", "thumbs.db": b"\0" * 7, **parts.members,
                     "xl/rest.tmp": b"left behind"}
    parts.default("db", "application/octet-stream")
    parts.default("tmp", "application/octet-stream")


def foreign_names(parts: Parts) -> None:
    """A member whose name is not ASCII."""
    parts.default("txt", "text/plain")
    parts.members["allegati/perché no.txt"] = "è così".encode()
    parts.relate("", "urn:club:attachment", "allegati/perché no.txt")


def as_stream(parts: Parts) -> None:
    """Sizes after the data."""
    parts.packing = streamed


def as_large(parts: Parts) -> None:
    """The extra fields of large files, foreign extra fields, an archive comment."""
    parts.packing = large_extras


def as_stored(parts: Parts) -> None:
    """No compression, the members backwards."""
    parts.packing = stored


def declared_twice(parts: Parts) -> None:
    """Relationships and content types that name parts which are not there, as some exporters leave them."""
    root = parts.xml(rels_of(parts.book))
    etree.SubElement(root, f"{{{PACKAGE}}}Relationship", Id="rIdGone", Type=f"{REL}/customXml", Target="NULL")
    parts.put(rels_of(parts.book), root)


SPELLED: tuple[Callable[[Parts], None], ...] = (
    prefixed, strict, marked, wide, absolute, backslashed, other_case, rooted, elsewhere, stroked, outside, unnumbered,
    bare, shared_strings, foreign_first, foreign_names, as_stream, as_large, as_stored, declared_twice)
