"""Form buttons in the drawing of a sheet: VML, as Excel has always read it, each bound to its macro."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from assistant.workbook.ooxml.parts.xmltree import escaped

_TYPE = (b'<v:shapetype id="_x0000_t201" coordsize="21600,21600" o:spt="201" path="m,l,21600r21600,l21600,xe">'
         b'<v:stroke joinstyle="miter"/><v:path shadowok="f" o:extrusionok="f" strokeok="f" fillok="f" '
         b'o:connecttype="rect"/><o:lock v:ext="edit" shapetype="t"/></v:shapetype>')
_ID = re.compile(rb"_x0000_s(\d+)")
_BOUND = re.compile(rb"<x:FmlaMacro>\s*(?:\[0\]!)?(\w+)\s*</x:FmlaMacro>")
_SHAPE = re.compile(rb"\s*<v:shape\b(?:(?!</v:shape>).)*?</v:shape>", re.S)
EMPTY = (b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
         b'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit">'
         b'<o:idmap v:ext="edit" data="1"/></o:shapelayout></xml>')


class Placed(NamedTuple):
    """A button and where it is. Corners as (column, pixels, row, pixels), columns and rows from 0."""

    macro: str
    caption: str
    start: tuple[int, int, int, int]
    end: tuple[int, int, int, int]


def bound(drawing: bytes) -> list[str]:
    """The macros to which the buttons of a drawing are bound."""
    return [found.decode() for found in _BOUND.findall(drawing)]


def with_buttons(drawing: bytes, buttons: Sequence[Placed]) -> bytes:
    """A drawing with more buttons in it."""
    number = max([1024, *(int(n) for n in _ID.findall(drawing))])
    shapes = [] if b'id="_x0000_t201"' in drawing else [_TYPE]
    for one in buttons:
        number += 1
        corners = ", ".join(str(n) for n in (*one.start, *one.end))
        shapes.append(
            b'<v:shape id="_x0000_s%d" type="#_x0000_t201" style="position:absolute;margin-left:0pt;margin-top:0pt;'
            b'width:84pt;height:20pt;z-index:1;mso-wrap-style:tight" o:button="t" fillcolor="buttonFace [67]" '
            b'strokecolor="windowText [64]" o:insetmode="auto"><v:fill color2="buttonFace [67]" '
            b'o:detectmouseclick="t"/><o:lock v:ext="edit" rotation="t"/><v:textbox style="mso-direction-alt:auto" '
            b'o:singleclick="f"><div style="text-align:center"><font face="Calibri" size="180" color="#000000">%s'
            b'</font></div></v:textbox><x:ClientData ObjectType="Button"><x:Anchor>%s</x:Anchor>'
            b"<x:PrintObject>False</x:PrintObject><x:AutoFill>False</x:AutoFill><x:FmlaMacro>[0]!%s</x:FmlaMacro>"
            b"<x:TextHAlign>Center</x:TextHAlign><x:TextVAlign>Center</x:TextVAlign></x:ClientData></v:shape>" % (
                number, escaped(one.caption), corners.encode(), one.macro.encode()))
    end = drawing.rindex(b"</")
    return drawing[:end] + b"".join(shapes) + drawing[end:]


def without_buttons(drawing: bytes, macros: Collection[str]) -> bytes:
    """A drawing without the buttons that are bound to these macros."""
    return _SHAPE.sub(lambda found: b"" if set(bound(found[0])) & set(macros) else found[0], drawing)


def blank(drawing: bytes) -> bool:
    """Whether a drawing has neither buttons nor boxes of notes in it."""
    return _SHAPE.search(drawing) is None
