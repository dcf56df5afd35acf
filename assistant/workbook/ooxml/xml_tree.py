"""Small XML parts as trees whose nodes know their position in the bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.parsers import expat

from assistant.workbook.screening import LIMITS

# Errors.
# #
# The file adapter turns them into findings and refusals.


class WorkbookFault(Exception):
    """Something is wrong with the file. `detail`: a word or two for the message, never a piece of XML."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class Damaged(WorkbookFault):
    """A part is not XML, is missing, or does not match its checksum."""


class Hostile(WorkbookFault):
    """Something that no program writes by accident: a DOCTYPE, a path in a name, a zip bomb."""


class Unsafe(WorkbookFault):
    """A change that cannot be made without harm. `reason`: a key of `file_book.HARM_CODES`; `cell`: where."""

    def __init__(self, reason: str, cell: str = "", detail: str = "") -> None:
        super().__init__(detail or cell or reason)
        self.reason, self.cell = reason, cell


# Trees.
# #
# A part written by Excel, LibreOffice or a script keeps its prefixes, quotes, comments and order: only the bytes that
# change are replaced.


_TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_DECLARED = r"""^(<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')"""
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))
_ENCODING = re.compile(rb"""^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)""")


class XmlNode:
    """One element. `tag`: without prefix; `prefix`: with its colon; `start`..`inner`: the start tag's bytes;
    `inner`..`close`: what it holds; `close`..`end`: the end tag (empty where the element is ``<a/>``).
    """

    __slots__ = ("attrs", "children", "close", "end", "inner", "prefix", "start", "tag", "text")

    def __init__(self, tag: str, prefix: str, attrs: dict[str, str], start: int, inner: int) -> None:
        self.tag, self.prefix, self.attrs, self.start, self.inner = tag, prefix, attrs, start, inner
        self.close = self.end = 0
        self.children: list[XmlNode] = []
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute by its name without prefix."""
        if name in self.attrs:
            return self.attrs[name]
        return next((v for k, v in self.attrs.items() if k.rpartition(":")[2] == name), default)

    def link_id(self) -> str:
        """The relationship id of the element (``r:id``, whatever the prefix); "" for none."""
        return next((v for k, v in self.attrs.items() if k.endswith(":id")), "")

    def child(self, tag: str) -> XmlNode | None:
        """The first child with that tag."""
        return next((c for c in self.children if c.tag == tag), None)

    def all(self, tag: str) -> list[XmlNode]:
        """The children with that tag."""
        return [c for c in self.children if c.tag == tag]

    def members(self, group: str, tag: str) -> list[XmlNode]:
        """The children with that tag of the first child that is such a group; [] where there is none."""
        parent = self.child(group)
        return parent.all(tag) if parent is not None else []

    def walk(self) -> Iterator[XmlNode]:
        """The element and everything in it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def whole(self, name: str, default: int = 0) -> int:
        """An attribute that is a whole number. Raises `Damaged` for anything else."""
        text = self.get(name)
        if not text:
            return default
        if not re.fullmatch(r"-?\d{1,10}", text):
            raise Damaged(f"{self.tag} {name}={text[:20]!r}")
        return int(text)

    def flag(self, name: str) -> bool:
        """A boolean attribute; False if it is missing."""
        return self.get(name) in ("1", "true", "on")


def to_utf8(data: bytes) -> bytes:
    """A part's bytes in UTF-8, unchanged if they are already. Raises `Damaged`, `Hostile`."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if not encoding:
        declared = _ENCODING.match(data[:200])
        encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
        if encoding in ("utf-8", "utf8", "us-ascii", "ascii"):
            if b"<!DOCTYPE" in data:
                raise Hostile("DOCTYPE")
            return data
    try:
        text = data.decode(encoding).lstrip("\ufeff")
    except (UnicodeDecodeError, LookupError) as no:
        raise Damaged(f"encoding {encoding}") from no
    if "<!DOCTYPE" in text:
        raise Hostile("DOCTYPE")
    return re.sub(_DECLARED, r'\1 encoding="UTF-8"', text, count=1).encode("utf-8", "surrogatepass")


def parse(data: bytes) -> XmlNode:
    """The tree of a part in UTF-8. Raises `Damaged` if it is not XML, `Hostile` for a DOCTYPE or too deep nesting."""
    top: list[XmlNode] = []
    stack: list[XmlNode] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.ordered_attributes = False

    def start(name: str, attrs: dict[str, str]) -> None:
        at = parser.CurrentByteIndex
        tag = _TAG.match(data, at)
        if tag is None or len(stack) >= LIMITS.depth:
            raise Hostile("nesting" if tag else "markup")
        prefix, colon, local = name.rpartition(":")
        node = XmlNode(local, prefix + colon, attrs, at, tag.end())
        (stack[-1].children if stack else top).append(node)
        stack.append(node)

    def end(_: str) -> None:
        node = stack.pop()
        if data.endswith(b"/>", node.start, node.inner):
            node.close = node.end = node.inner
        else:
            node.close = parser.CurrentByteIndex
            node.end = data.index(b">", node.close) + 1

    def text(data: str) -> None:
        if stack:
            stack[-1].text += data

    def doctype(*_: object) -> None:
        raise Hostile("DOCTYPE")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as no:
        raise Damaged(str(no)) from no
    return top[0]


def element_xml(name: bytes, attributes: Mapping[str, str], inside: bytes = b"") -> bytes:
    """An element with these attributes."""
    shown = b"".join(b' %s="%s"' % (key.encode(), escape_xml(value, quoted=True)) for key, value in attributes.items())
    return b"<" + name + shown + (b">" + inside + b"</" + name + b">" if inside else b"/>")


class Splices:
    """Changes to a part's bytes, collected and then made at once."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._cuts: list[tuple[int, int, bytes]] = []

    def replace(self, start: int, end: int, new: bytes) -> None:
        """Replace a range of bytes; an empty range inserts."""
        self._cuts.append((start, end, new))

    def attribute(self, node: XmlNode, name: str, value: str) -> None:
        """Set an attribute of an element; `name` as it is written there."""
        tag = self.data[node.start:node.inner]
        shown = b' %s="%s"' % (name.encode(), escape_xml(value, quoted=True))
        old = re.search(rb"""\s%s\s*=\s*(?:"[^"]*"|'[^']*')""" % re.escape(name.encode()), tag)
        if old:
            self.replace(node.start + old.start(), node.start + old.end(), shown)
        else:
            at = node.inner - (2 if tag.endswith(b"/>") else 1)
            self.replace(at, at, shown)

    def append(self, node: XmlNode, new: bytes) -> None:
        """Insert an element as the last child."""
        if node.close == node.inner == node.end and self.data.endswith(b"/>", node.start, node.inner):
            name = f"{node.prefix}{node.tag}".encode()
            self.replace(node.inner - 2, node.inner, b">" + new + b"</" + name + b">")
        else:
            self.replace(node.close, node.close, new)

    def result(self) -> bytes:
        """The bytes with all changes. Changes at one position keep the order in which they were asked for."""
        out, at = [], 0
        for start, end, new in sorted(self._cuts, key=lambda cut: (cut[0], cut[1])):
            out += [self.data[at:start], new]
            at = max(at, end)
        return b"".join([*out, self.data[at:]])

    def __bool__(self) -> bool:
        return bool(self._cuts)


# what XML cannot hold
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# `_x0041_` is read as A: a text that says this itself needs its underline spelled
_ESCAPED_ALREADY = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def escape_xml(text: str, *, quoted: bool = False) -> bytes:
    """Text as XML. `quoted`: for an attribute."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quoted:
        # in an attribute a line end is read as a blank
        text = text.replace('"', "&quot;").replace("\n", "&#10;")
    return text.encode("utf-8", "replace")


def storable(text: str) -> str:
    """Text as a cell stores it: characters that XML cannot hold in Excel's escapes (``_x0007_``), and text that looks
    like an escape is escaped too, so that it reads as it is.
    """
    text = _ESCAPED_ALREADY.sub("_x005F_", text) if "_x" in text else text
    return _FORBIDDEN.sub(lambda m: f"_x{ord(m[0]):04X}_", text).replace("\r", "_x000D_")


def cell_text(text: str) -> bytes:
    """Text for a cell as XML; see `storable`."""
    return escape_xml(storable(text))


def text_of(parts: Iterable[XmlNode]) -> str:
    """The text of the elements named ``t``, without phonetic readings."""
    return "".join(_iter_texts(parts))


def _iter_texts(parts: Iterable[XmlNode]) -> Iterator[str]:
    for node in parts:
        if node.tag == "t":
            yield node.text
        elif node.tag not in ("rPh", "phoneticPr"):
            yield from _iter_texts(node.children)


# Texts of cells.


_PLAIN = rb'(?s)<si><t(?: xml:space="preserve")?(?:/>|>([^<]*)</t>)</si>|<si>(<r>.*?)</si>|<si/>|(<si)'
_RUN = rb'<t(?: xml:space="preserve")?>([^<]*)</t>'
# a reading aid, which is no part of the text
_PHONETIC = re.compile(rb"<rPh\b.*?</rPh>", re.S)
_ENTITY = re.compile(rb"&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));")
_NAMED = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'"}
_LESS = ord("<")
_SPELLED = re.compile("_x([0-9A-Fa-f]{4})_")


def decode_text(data: bytes) -> str:
    """The text of an element without child elements, from its bytes."""
    if b"&" in data:
        data = _ENTITY.sub(_resolve_entity, data)
    text = data.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unescape_text(text)


def unescape_text(text: str) -> str:
    """Replace Excel's escapes (``_x0007_``) by their characters."""
    return _SPELLED.sub(lambda m: chr(int(m[1], 16)), text) if "_x" in text else text


def _resolve_entity(match: re.Match[bytes]) -> bytes:
    if match[3]:
        return _NAMED[match[3]]
    code = int(match[1]) if match[1] else int(match[2], 16)
    return chr(code).encode("utf-8", "replace") if code <= 0x10FFFF else b"?"


def has_comments(data: bytes, end: int | None = None) -> bool:
    """Whether there are comments or CDATA (anything that begins with ``<!``) before a position.

    Searching for the one rare character is twenty times faster than for two of which one is everywhere.
    """
    at = data.find(b"!", 0, end)
    while at > 0:
        if data[at - 1] == _LESS:
            return True
        at = data.find(b"!", at + 1, end)
    return False


def read_strings(data: bytes) -> list[str]:
    """The shared strings of their part. Raises `Damaged`, `Hostile`."""
    if has_comments(data):
        return _parse_strings(data)
    strings: list[str] = []
    for text, rich, odd in re.findall(_PLAIN, data):
        if odd:
            return _parse_strings(data)
        if not rich:
            strings.append(decode_text(text))
            continue
        spoken = _PHONETIC.sub(b"", rich)
        runs = re.findall(_RUN, spoken)
        if len(runs) != spoken.count(b"<t>") + spoken.count(b"<t "):
            return _parse_strings(data)
        strings.append("".join(decode_text(t) for t in runs))
    return strings or _parse_strings(data)


def _parse_strings(data: bytes) -> list[str]:
    return [unescape_text(text_of(node.children)) for node in parse(data).all("si")]


# The order of elements that the format requires.


WORKBOOK_ORDER = ("fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets",
            "functionGroups", "externalReferences", "definedNames", "calcPr", "oleSize",
            "customWorkbookViews", "pivotCaches", "smartTagPr", "smartTagTypes", "webPublishing",
            "fileRecoveryPr", "webPublishObjects", "extLst")
STYLES_ORDER = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs", "tableStyles",
          "colors", "extLst")
FONT_ORDER = ("b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name",
        "family", "charset", "scheme")
WORKSHEET_ORDER = ("sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr",
             "sheetProtection", "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate",
             "customSheetViews", "mergeCells", "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks",
             "printOptions", "pageMargins", "pageSetup", "headerFooter", "rowBreaks", "colBreaks", "customProperties",
             "cellWatches", "ignoredErrors", "smartTags", "drawing", "legacyDrawing", "legacyDrawingHF", "drawingHF",
             "picture", "oleObjects", "controls", "webPublishItems", "tableParts", "extLst")


def sort_fonts(styles: bytes) -> bytes:
    """The styles part with the content of its fonts in this order: openpyxl uses another, which Excel tolerates."""
    splices = Splices(styles)
    for node in parse(styles).walk():
        ranks = [FONT_ORDER.index(child.tag) for child in node.children] if node.tag == "font" else []
        if ranks != sorted(ranks):
            inside = sorted(node.children, key=lambda child: FONT_ORDER.index(child.tag))
            splices.replace(node.inner, node.close, b"".join(styles[child.start:child.end] for child in inside))
    return splices.result()


def insert_child(splices: Splices, root: XmlNode, order: tuple[str, ...], tag: str, xml: bytes) -> None:
    """Insert a new child into an element, before the first of those that must follow it. `xml`: with its prefix."""
    later = order[order.index(tag) + 1:]
    after = next((c for c in root.children if c.tag in later), None)
    if after is None:
        splices.append(root, xml)
    else:
        splices.replace(after.start, after.start, xml)


def append_to_group(splices: Splices, root: XmlNode, order: tuple[str, ...], group: str, members: list[bytes], *,
           counted: bool = True) -> None:
    """Append members to a group of an element; the group is created if needed. `counted`: it has a count attribute."""
    if not members:
        return
    parent = root.child(group)
    if parent is None:
        name = f"{root.prefix}{group}".encode()
        count = b' count="%d"' % len(members) if counted else b""
        insert_child(splices, root, order, group, b"<" + name + count + b">" + b"".join(members) + b"</" + name + b">")
        return
    if counted:
        splices.attribute(parent, "count", str(len(parent.children) + len(members)))
    splices.append(parent, b"".join(members))
