"""A workbook's package in the tests' own hands: members, relationships, content types, parts of a sheet."""

from __future__ import annotations

import io
import posixpath
import warnings
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any, cast

from lxml import etree

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
XM = "http://schemas.microsoft.com/office/excel/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
SHEET_ORDER = [
    "sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection",
    "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells",
    "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins",
    "pageSetup", "headerFooter", "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors",
    "smartTags", "drawing", "legacyDrawing", "legacyDrawingHF", "picture", "oleObjects", "controls",
    "webPublishItems", "tableParts", "extLst"]
BOOK_ORDER = [
    "fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets", "functionGroups",
    "externalReferences", "definedNames", "calcPr", "oleSize", "customWorkbookViews", "pivotCaches", "smartTagPr",
    "smartTagTypes", "webPublishing", "fileRecoveryPr", "webPublishObjects", "extLst"]
SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml."
FIXED = (2001, 2, 3, 4, 5, 6)


def local(element: Any) -> str:
    """An element's name without its namespace; "" for comments."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def child(root: Any, name: str) -> Any:
    """The first child of a local name, or None."""
    return next((e for e in root if local(e) == name), None)


def resolved(base: str, target: str) -> str:
    """The member that a relationship's target names, as any consumer has to understand it."""
    base, target = base.replace("\\", "/"), target.replace("\\", "/")
    joined = target if target.startswith("/") else posixpath.join("/" + posixpath.dirname(base), target)
    return posixpath.normpath(joined).lstrip("/")


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()


def rels_of(part: str) -> str:
    """The member that holds a part's relationships; "" is the package."""
    folder, name = posixpath.split(part.replace("\\", "/"))
    return posixpath.join(folder, "_rels", f"{name}.rels")


class Parts:
    """The members of a package by name. Content is bytes; `zip_options` says how it is packed."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.members = {info.filename: archive.read(info) for info in archive.infolist()}
        self.packing: Callable[[dict[str, bytes]], bytes] = packed
        self._names: tuple[str, ...] = ()
        self._spelled: dict[str, str] = {}

    # --- members ----------------------------------------------------------------------------
    def find(self, name: str) -> str:
        """The member's own spelling of a name. Raises KeyError."""
        names = tuple(self.members)
        if names != self._names:
            self._names, self._spelled = names, {_plain(member): member for member in names}
        return self._spelled[_plain(name)]

    def xml(self, name: str) -> Any:
        """The root of a member's XML."""
        return etree.fromstring(self.members[self.find(name)])

    def put(self, name: str, root: Any) -> None:
        """Write a tree as a member."""
        self.members[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)

    def add(self, name: str, content: str | bytes, content_type: str) -> str:
        """Add a part with its content type; gives its name."""
        assert name not in self.members
        if isinstance(content, str):
            content = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + content.encode()
            etree.fromstring(content)
        self.members[name] = content
        types = self.xml("[Content_Types].xml")
        etree.SubElement(types, f"{{{TYPES}}}Override", PartName=f"/{name}", ContentType=content_type)
        self.put("[Content_Types].xml", types)
        return name

    def default(self, ending: str, content_type: str) -> None:
        """Declare the content type of an ending."""
        types = self.xml("[Content_Types].xml")
        if not any(e.get("Extension") == ending for e in types):
            types.insert(0, etree.Element(f"{{{TYPES}}}Default", Extension=ending, ContentType=content_type))
        self.put("[Content_Types].xml", types)

    def relate(self, source: str, kind: str, target: str, *, external: bool = False) -> str:
        """A relationship from a part to another ("" is the package); gives its id. `kind`: last word or whole."""
        name = rels_of(source)
        root = self.xml(name) if name in self.members else etree.Element(f"{{{PACKAGE}}}Relationships")
        rid = f"rIdP{len(root) + 1}"
        if not external and not target.startswith("/"):
            target = posixpath.relpath("/" + target, "/" + posixpath.dirname(source))
        one = etree.SubElement(root, f"{{{PACKAGE}}}Relationship", Id=rid,
                               Type=kind if ":" in kind else f"{REL}/{kind}", Target=target)
        if external:
            one.set("TargetMode", "External")
        self.put(name, root)
        return rid

    def relationships(self, source: str) -> Iterator[tuple[str, str, str]]:
        """Id, last word of the type and member of each inner relationship."""
        try:
            root = self.xml(rels_of(source))
        except KeyError:
            return
        for element in root:
            if local(element) == "Relationship" and element.get("TargetMode") != "External":
                kind = element.get("Type", "").rpartition("/")[2]
                yield element.get("Id", ""), kind, resolved(source, element.get("Target", ""))

    # --- the workbook -----------------------------------------------------------------------
    @property
    def book(self) -> str:
        """The workbook part."""
        return self.find(next(t for _, kind, t in self.relationships("") if kind == "officeDocument"))

    def sheets(self) -> dict[str, str]:
        """Title -> part of every worksheet."""
        by_id = {rid: target for rid, kind, target in self.relationships(self.book) if kind == "worksheet"}
        found = {}
        for sheet in child(self.xml(self.book), "sheets"):
            rid = next(v for k, v in sheet.attrib.items() if k.endswith("}id"))
            if rid in by_id:
                found[str(sheet.get("name"))] = self.find(by_id[rid])
        return found

    def of_kind(self, source: str, kind: str) -> str:
        """The first part that a part is related to in a way. Raises StopIteration."""
        return next(self.find(target) for _, k, target in self.relationships(source) if k == kind)

    def into_sheet(self, sheet: str, fragment: str) -> None:
        """Put a child element into a sheet, at the place that the schema has for it."""
        self._into(sheet, fragment, SHEET_ORDER)

    def into_book(self, fragment: str) -> None:
        """Put a child element into the workbook part, at its place."""
        self._into(self.book, fragment, BOOK_ORDER)

    def _into(self, part: str, fragment: str, order: list[str]) -> None:
        root = self.xml(part)
        new = parsed(fragment)
        old = child(root, local(new))
        if old is not None and local(new) not in ("conditionalFormatting", "AlternateContent"):
            for one in new:
                old.append(one)
            if old.get("count"):
                old.set("count", str(len(old)))
        else:
            inner = new[0][0] if local(new) == "AlternateContent" else new
            place = order.index(local(inner))
            after = [e for e in root if _rank(e, order) <= place]
            after[-1].addnext(new) if after else root.insert(0, new)
        self.put(part, root)

    def edit(self, part: str, change: Callable[[Any], object]) -> None:
        """Change a part's tree by a function."""
        root = self.xml(part)
        change(root)
        self.put(part, root)

    def bytes(self) -> bytes:
        """The file."""
        return self.packing(self.members)


def _rank(element: Any, order: list[str]) -> int:
    if local(element) == "AlternateContent":
        element = element[0][0]
    return order.index(local(element)) if local(element) in order else -1


def parsed(fragment: str) -> Any:
    """An element of the main namespace from text; r, x14, xm and mc are known prefixes."""
    known = f'xmlns="{MAIN}" xmlns:r="{REL}" xmlns:x14="{X14}" xmlns:xm="{XM}" xmlns:mc="{MC}"'
    return etree.fromstring(f"<wrap {known}>{fragment}</wrap>")[0]


def packed(members: dict[str, bytes]) -> bytes:
    """An ordinary deflated zip, always the same."""
    return _zip(members, io.BytesIO())


def streamed(members: dict[str, bytes]) -> bytes:
    """A zip as one that is written into a pipe: sizes follow the data (data descriptors)."""
    return _zip(members, _Pipe())


def large_extras(members: dict[str, bytes]) -> bytes:
    """A zip whose every member has the extra fields of large files (zip64) and a foreign one."""
    return _zip(members, io.BytesIO(), zip64=True)


def stored(members: dict[str, bytes]) -> bytes:
    """A zip without compression, the content types last."""
    backwards = dict(reversed(members.items()))
    return _zip(backwards, io.BytesIO(), method=zipfile.ZIP_STORED)


class _Pipe(io.BytesIO):
    def seekable(self) -> bool:
        return False

    def seek(self, *_: object) -> int:
        raise io.UnsupportedOperation

    tell = seek


def _zip(members: dict[str, bytes], out: io.BytesIO, *, zip64: bool = False,
         method: int = zipfile.ZIP_DEFLATED) -> bytes:
    with warnings.catch_warnings(), zipfile.ZipFile(cast(IO[bytes], out), "w") as archive:
        warnings.simplefilter("ignore")  # about names that are there twice, which is meant
        for name, content in members.items():
            info = zipfile.ZipInfo(name, FIXED)
            info.compress_type = method
            info.external_attr = 0o640 << 16
            if zip64:
                info.extra = b"UT\x05\x00\x01\x00\x00\x00\x00"  # a time, as Info-ZIP notes it
            with archive.open(info, "w", force_zip64=zip64) as member:
                member.write(content)
        archive.comment = b"a club's own" if zip64 else b""
    return out.getvalue()
