"""The two forms of the format: a part in the usual form in; the same in the strict one out, whose names are others.

What Excel calls "Strict Open XML" differs, in all that we write, in the names of namespaces and relationships only.
"""

from __future__ import annotations

import re

_USUAL, _STRICT = "http://schemas.openxmlformats.org", "http://purl.oclc.org/ooxml"
RELATIONS = (f"{_USUAL}/officeDocument/2006/relationships", f"{_STRICT}/officeDocument/relationships")
MAIN = (f"{_USUAL}/spreadsheetml/2006/main", f"{_STRICT}/spreadsheetml/main")
"""Each in the usual form and in the strict one."""
_DATED = re.compile(rf"{re.escape(_USUAL)}/(officeDocument|spreadsheetml|drawingml)/2006/".encode())


def as_strict(part: bytes) -> bytes:
    """A part of the usual form, or its relationships, in the strict one."""
    return _DATED.sub(lambda found: f"{_STRICT}/".encode() + found[1] + b"/", part)
