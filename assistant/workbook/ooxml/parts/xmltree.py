"""Small parts as trees: bytes in; nodes out that know their place in the bytes, so that a change is a splice.

A part that was written by Excel, LibreOffice or a script keeps its prefixes, quotes, comments and order:
only the bytes of what changes are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from assistant.workbook.ooxml.parts.faults import Damaged, Hostile
from assistant.workbook.safe.limits import LIMITS

_TAG = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_DECLARED = re.compile(r"""^(<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')""")
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))
_ENCODING = re.compile(rb"""^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)""")


class Node:
    """One element. `tag`: without prefix; `prefix`: with its colon; `start`..`inner`: the start tag's bytes;
    `inner`..`close`: what it holds; `close`..`end`: the end tag (empty where the element is ``<a/>``).
    """

    __slots__ = ("attrs", "children", "close", "end", "inner", "prefix", "start", "tag", "text")

    def __init__(self, tag: str, prefix: str, attrs: dict[str, str], start: int, inner: int) -> None:
        self.tag, self.prefix, self.attrs, self.start, self.inner = tag, prefix, attrs, start, inner
        self.close = self.end = 0
        self.children: list[Node] = []
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute by its name without prefix."""
        if name in self.attrs:
            return self.attrs[name]
        return next((v for k, v in self.attrs.items() if k.rpartition(":")[2] == name), default)

    def linked(self) -> str:
        """The relationship that the element points to (``r:id``, whatever the prefix); "" for none."""
        return next((v for k, v in self.attrs.items() if k.endswith(":id")), "")

    def child(self, tag: str) -> Node | None:
        """The first child of that name."""
        return next((c for c in self.children if c.tag == tag), None)

    def all(self, tag: str) -> list[Node]:
        """The children of that name."""
        return [c for c in self.children if c.tag == tag]

    def walk(self) -> Iterator[Node]:
        """The element and everything in it, in the order of the bytes."""
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
        """An attribute that is a truth value; one that is not there is none."""
        return self.get(name) in ("1", "true", "on")


def utf8(data: bytes) -> bytes:
    """A part's bytes in UTF-8, as they are where they are that already. Raises `Damaged`, `Hostile`."""
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
    return _DECLARED.sub(r'\1 encoding="UTF-8"', text, count=1).encode("utf-8", "surrogatepass")


def parse(data: bytes) -> Node:
    """The tree of a part in UTF-8. Raises `Damaged` for what is no XML, `Hostile` for a DOCTYPE or a deep nest."""
    top: list[Node] = []
    stack: list[Node] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.ordered_attributes = False

    def start(name: str, attrs: dict[str, str]) -> None:
        at = parser.CurrentByteIndex
        tag = _TAG.match(data, at)
        if tag is None or len(stack) >= LIMITS.depth:
            raise Hostile("nesting" if tag else "markup")
        prefix, colon, local = name.rpartition(":")
        node = Node(local, prefix + colon, attrs, at, tag.end())
        (stack[-1].children if stack else top).append(node)
        stack.append(node)

    def end(_: str) -> None:
        node = stack.pop()
        if data.endswith(b"/>", node.start, node.inner):
            node.close = node.end = node.inner
        else:
            node.close = parser.CurrentByteIndex
            node.end = data.index(b">", node.close) + 1

    def text(said: str) -> None:
        if stack:
            stack[-1].text += said

    def doctype(*_: object) -> None:
        raise Hostile("DOCTYPE")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as no:
        raise Damaged(str(no)) from no
    return top[0]


class Splices:
    """Changes to a part's bytes, gathered and then made at once."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._cuts: list[tuple[int, int, bytes]] = []

    def replace(self, start: int, end: int, new: bytes) -> None:
        """Put new bytes in the place of some (none: an insertion)."""
        self._cuts.append((start, end, new))

    def attribute(self, node: Node, name: str, value: str) -> None:
        """Set an attribute of an element; `name` as it is written there."""
        tag = self.data[node.start:node.inner]
        shown = b' %s="%s"' % (name.encode(), escaped(value, quoted=True))
        old = re.search(rb"""\s%s\s*=\s*(?:"[^"]*"|'[^']*')""" % re.escape(name.encode()), tag)
        if old:
            self.replace(node.start + old.start(), node.start + old.end(), shown)
        else:
            at = node.inner - (2 if tag.endswith(b"/>") else 1)
            self.replace(at, at, shown)

    def append(self, node: Node, new: bytes) -> None:
        """Put an element in, as the last child."""
        if node.close == node.inner == node.end and self.data.endswith(b"/>", node.start, node.inner):
            name = f"{node.prefix}{node.tag}".encode()
            self.replace(node.inner - 2, node.inner, b">" + new + b"</" + name + b">")
        else:
            self.replace(node.close, node.close, new)

    def done(self) -> bytes:
        """The bytes with all changes. Those in one place come in the order in which they were asked for."""
        out, at = [], 0
        for start, end, new in sorted(self._cuts, key=lambda cut: (cut[0], cut[1])):
            out += [self.data[at:start], new]
            at = max(at, end)
        return b"".join([*out, self.data[at:]])

    def __bool__(self) -> bool:
        return bool(self._cuts)


_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPED_ALREADY = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def escaped(text: str, *, quoted: bool = False) -> bytes:
    """Text as XML. `quoted`: for an attribute."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quoted:
        text = text.replace('"', "&quot;").replace("\n", "&#10;")
    return text.encode("utf-8", "replace")


def storable(text: str) -> str:
    """Text as a cell stores it: what XML cannot hold in Excel's own spelling (``_x0007_``), and what looks like such
    a sign so that it is read as it stands.
    """
    text = _ESCAPED_ALREADY.sub("_x005F_", text) if "_x" in text else text
    return _FORBIDDEN.sub(lambda m: f"_x{ord(m[0]):04X}_", text).replace("\r", "_x000D_")


def cell_text(text: str) -> bytes:
    """Text for a cell as XML; see `storable`."""
    return escaped(storable(text))


def joined(parts: Iterable[Node]) -> str:
    """The text of the elements named ``t``, without phonetic readings."""
    return "".join(_texts(parts))


def _texts(parts: Iterable[Node]) -> Iterator[str]:
    for node in parts:
        if node.tag == "t":
            yield node.text
        elif node.tag not in ("rPh", "phoneticPr"):
            yield from _texts(node.children)
