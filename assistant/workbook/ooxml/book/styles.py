"""Styles of cells: a style and a colour, font or border in; the number of such a style out; which ones show dates.

A new style is appended, and only where there is none alike; the numbers of those that are there stay.
"""

from __future__ import annotations

import re
from functools import cached_property

from assistant.workbook.ooxml.parts.faults import Damaged
from assistant.workbook.ooxml.parts.package import Package
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, escaped, parse

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)})
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.I)
_DATE_SIGNS = re.compile(r"[ymdhs]", re.I)
_GROUPS = {"font": "fonts", "fill": "fills", "border": "borders"}


def shows_date(code: str) -> bool:
    """Whether a number format shows a date or time (its first section counts)."""
    plain = _QUOTED.sub("", code.partition(";")[0])
    return bool(_DATE_SIGNS.search(plain)) and plain.strip().lower() != "general"


class Styles:
    """The styles part of a workbook; `part` may be "" where it has none."""

    def __init__(self, package: Package, part: str) -> None:
        self._package, self._part = package, part
        self._known: dict[tuple[object, ...], int] = {}
        self._shapes: dict[str, dict[tuple[object, ...], int]] = {}
        """Group -> what each of its members says -> the first such one's number."""

    @cached_property
    def _root(self) -> Node | None:
        """A tree of our own: `_grow` changes it."""
        return parse(self._data) if self._part else None

    @cached_property
    def _data(self) -> bytes:
        return self._package.text(self._part)

    def _list(self, group: str, tag: str) -> list[Node]:
        parent = self._root.child(group) if self._root else None
        return parent.all(tag) if parent else []

    @cached_property
    def _formats(self) -> list[Node]:
        return self._list("cellXfs", "xf")

    @cached_property
    def dates(self) -> frozenset[int]:
        """The numbers of the styles that show a number as a date."""
        codes = {n.whole("numFmtId"): n.get("formatCode") for n in self._list("numFmts", "numFmt")}
        found = set()
        for number, xf in enumerate(self._formats):
            kind = xf.whole("numFmtId")
            if not kind:
                continue  # General, whatever a program has written beside that number
            if shows_date(codes[kind]) if kind in codes else kind in _BUILT_IN_DATES:
                found.add(number)
        return frozenset(found)

    def xml(self, style: int, group: str) -> bytes:
        """A style's ``font``, ``fill`` or ``border`` as it is written; b"" where there is none."""
        found = self._list(_GROUPS[group], group)
        number = self._formats[style].whole(f"{group}Id") if 0 <= style < len(self._formats) else 0
        return self._data[found[number].start:found[number].end] if 0 <= number < len(found) else b""

    # --- new styles -------------------------------------------------------------------------
    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a style like another, but with this font, fill, border (an element without prefix),
        or with text that never becomes a formula (`quoted`). Raises `Damaged` where there are no styles.
        """
        wanted = (style, font, fill, border, quoted)
        if wanted not in self._known:
            self._known[wanted] = self._like(style, {"font": font, "fill": fill, "border": border}, quoted)
        return self._known[wanted]

    def _like(self, style: int, parts: dict[str, bytes], quoted: bool | None) -> int:
        if self._root is None or not 0 <= style < max(1, len(self._formats)):
            raise Damaged("styles")
        numbers = {group: self._member(group, xml) for group, xml in parts.items() if xml}
        formats = self._formats
        model = formats[style] if formats else None
        if model is None:
            raise Damaged("styles")
        attrs = dict(model.attrs)
        for group, number in numbers.items():
            attrs[f"{group}Id"] = str(number)
            attrs[f"apply{group.capitalize()}"] = "1"
        if quoted is not None:
            attrs.pop("quotePrefix", None)
            if quoted:
                attrs["quotePrefix"] = "1"
        inside = self._data[model.inner:model.close]
        for number, xf in enumerate(formats):
            if xf.attrs == attrs and self._data[xf.inner:xf.close] == inside:
                return number
        name = f"{model.prefix}xf".encode()
        shown = b"".join(b' %s="%s"' % (k.encode(), escaped(v, quoted=True)) for k, v in attrs.items())
        new = b"<" + name + shown + (b">" + inside + b"</" + name + b">" if inside else b"/>")
        return self._append("cellXfs", "xf", new)

    def _member(self, group: str, xml: bytes) -> int:
        """The number of a font, fill or border, which is appended where there is none alike."""
        assert self._root is not None
        prefix = self._root.prefix.encode()
        if prefix:
            xml = re.sub(rb"<(/?)(?=[A-Za-z])(?!%s)" % re.escape(prefix), rb"<\1" + prefix, xml)
        if group not in self._shapes:
            known = self._shapes[group] = {}
            for number, node in enumerate(self._list(_GROUPS[group], group)):
                known.setdefault(shape(node), number)
        known, wanted = self._shapes[group], shape(parse(xml))
        if wanted not in known:
            known[wanted] = self._append(_GROUPS[group], group, xml)
        return known[wanted]

    def _append(self, group: str, tag: str, xml: bytes) -> int:
        parent = self._root.child(group) if self._root else None
        if parent is None:
            raise Damaged(group)
        number = len(parent.all(tag))
        splices = Splices(self._data)
        splices.attribute(parent, "count", str(number + 1))
        splices.append(parent, xml)
        new = splices.done()
        if parent.children:
            self._grow(parent, xml, len(new) - len(self._data))
        else:  # perhaps ``<fonts/>``, which becomes two tags
            self.__dict__.pop("_root", None)
        self._package.put(self._part, new)
        for name in ("_data", "_formats", "dates"):
            self.__dict__.pop(name, None)
        return number

    def _grow(self, parent: Node, xml: bytes, grown: int) -> None:
        """Take a new last child, which makes the part longer by so many bytes, into the tree that is there: to parse
        the whole part anew for every colour costs a sixth of a new workbook's time.
        """
        assert self._root is not None
        child, counted, close = parse(xml), grown - len(xml), parent.close
        for node in [self._root, *self._root.children]:
            if node is parent:
                for inside in node.children:
                    _move(inside, counted)
                node.inner += counted
            elif node.start >= close:
                _move(node, grown)
            if node is parent or node is self._root:
                node.close, node.end = node.close + grown, node.end + grown
        _move(child, close + counted)
        parent.attrs["count"] = str(len(parent.children) + 1)
        parent.children.append(child)


def _move(node: Node, by: int) -> None:
    """An element, with all that it holds, whose bytes now stand so many further on."""
    rest = [node]
    while rest:
        one = rest.pop()
        one.start += by
        one.inner += by
        one.close += by
        one.end += by
        rest += one.children


def shape(node: Node) -> tuple[object, ...]:
    """What an element says, whatever its prefix and the order of its attributes: for comparing."""
    return node.tag, tuple(sorted(node.attrs.items())), tuple(shape(c) for c in node.children)
