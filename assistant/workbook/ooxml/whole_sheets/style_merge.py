"""Styles on the move: a donor's numbers of styles in; numbers of the target out, whose styles are added to.

Fonts, fills, borders, number formats, cell styles and those of conditional formats are appended, and only
where there is none alike; the numbers of those that are there stay.
"""

from __future__ import annotations

import re

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.styles import shape
from assistant.workbook.ooxml.parts.child_order import STYLES, extend
from assistant.workbook.ooxml.parts.dialects import RELATIONS, as_strict
from assistant.workbook.ooxml.parts.faults import Damaged
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, escaped, parse

_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"
_TAGS = {"numFmts": "numFmt", "fonts": "font", "fills": "fill", "borders": "border", "cellXfs": "xf", "dxfs": "dxf"}
_OWN_FORMATS = 164
"""Number formats with a lower number are the format's own and the same everywhere."""


class StyleMerge:
    """The styles of a donor on their way into a target. Raises `Damaged` and `Hostile`."""

    def __init__(self, target: OoxmlBook, donor: OoxmlBook) -> None:
        self._target = target
        package = target.package
        theirs = donor.package.linked(donor.part, "styles")
        if not theirs:
            raise Damaged("styles")
        self._donor_data = donor.package.text(theirs)
        self._donor = parse(self._donor_data)
        self._part = package.linked(target.part, "styles")
        self._whole = not self._part or not parse(package.text(self._part)).children
        if not self._part:
            usual = "xl/styles.xml"  # where some programs look for it, whatever the relationships say
            self._part = usual if usual not in package else package.free_name("xl/styles{}.xml")
            package.declare(self._part, _CONTENT_TYPE)
            package.link(target.part, f"{RELATIONS[target.strict]}/styles", self._part)
        if self._whole:  # a workbook without any style takes them as they are
            package.put(self._part, as_strict(self._donor_data) if target.strict else self._donor_data)
        self._data = package.text(self._part)
        self._root = parse(self._data)
        self._known = {group: self._shapes(group) for group in _TAGS}
        self._counts = {group: len(_list(self._root, group)) for group in _TAGS}
        self._new: dict[str, list[bytes]] = {group: [] for group in _TAGS}
        self._formats = {n.get("formatCode"): n.whole("numFmtId") for n in _list(self._root, "numFmts")}
        self._done: dict[tuple[str, int], int] = {}

    def _shapes(self, group: str) -> dict[object, int]:
        found: dict[object, int] = {}
        for number, node in enumerate(_list(self._root, group)):
            found.setdefault(shape(node), number)
        return found

    # --- numbers ----------------------------------------------------------------------------
    def cell(self, number: int) -> int:
        """The number in the target of a cell style of the donor."""
        if self._whole:
            return number
        if ("xf", number) not in self._done:
            self._done["xf", number] = self._cell(number)
        return self._done["xf", number]

    def _cell(self, number: int) -> int:
        styles = _list(self._donor, "cellXfs")
        if not 0 <= number < len(styles):
            raise Damaged(f"style {number}")
        model = styles[number]
        attrs = dict(model.attrs)
        for tag, group in (("font", "fonts"), ("fill", "fills"), ("border", "borders")):
            attrs[f"{tag}Id"] = str(self._member(group, model.whole(f"{tag}Id")))
            attrs[f"apply{tag.capitalize()}"] = "1"
        attrs["numFmtId"] = str(self._format(model.whole("numFmtId")))
        attrs["applyNumberFormat"] = "1"
        attrs.pop("xfId", None)
        if self._root.child("cellStyleXfs") is not None:
            attrs["xfId"] = "0"
        shown = b"".join(b' %s="%s"' % (k.encode(), escaped(v, quoted=True)) for k, v in attrs.items())
        inside = self._donor_data[model.inner:model.close]
        return self._put("cellXfs", b"<xf" + shown + (b">" + inside + b"</xf>" if inside else b"/>"))

    def rule(self, number: int) -> int:
        """The number in the target of a style of the donor's conditional formats and tables (``dxfId``)."""
        return number if self._whole else self._member("dxfs", number)

    def _member(self, group: str, number: int) -> int:
        if (group, number) not in self._done:
            found = _list(self._donor, group)
            if not 0 <= number < len(found):
                raise Damaged(f"{group} {number}")
            self._done[group, number] = self._put(group, self._donor_data[found[number].start:found[number].end])
        return self._done[group, number]

    def _format(self, number: int) -> int:
        if number < _OWN_FORMATS:
            return number
        code = next((n.get("formatCode") for n in _list(self._donor, "numFmts") if n.whole("numFmtId") == number), "")
        if not code:
            return 0
        if code not in self._formats:
            fresh = max([_OWN_FORMATS - 1, *self._formats.values()]) + 1
            self._formats[code] = fresh
            self._put("numFmts", b'<numFmt numFmtId="%d" formatCode="%s"/>' % (fresh, escaped(code, quoted=True)))
        return self._formats[code]

    def _put(self, group: str, xml: bytes) -> int:
        """The number of an element (without prefix) in its group."""
        wanted = shape(parse(xml))
        if wanted not in self._known[group]:
            prefix = self._root.prefix.encode()
            self._known[group][wanted] = self._counts[group] + len(self._new[group])
            self._new[group].append(re.sub(rb"<(/?)(?=[A-Za-z])", rb"<\1" + prefix, xml) if prefix else xml)
        return self._known[group][wanted]

    # --- out --------------------------------------------------------------------------------
    def save(self) -> None:
        """Append to the target's styles what is new in them."""
        splices = Splices(self._data)
        for group in STYLES:
            if group in self._new:
                extend(splices, self._root, STYLES, group, self._new[group])
        if splices:
            self._target.package.put(self._part, splices.done())
        self._target.styles_changed()


def _list(root: Node, group: str) -> list[Node]:
    parent = root.child(group)
    return parent.all(_TAGS[group]) if parent is not None else []
