"""The JSON twin of a report that was written once in; what an index says of that report out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from assistant.reporting.shelf.insets import PICTURES

FORMS = ("html", "txt", "json", "chat", *PICTURES)
PUBLIC = ("gazette", "end")
"""The kinds of page that are for everybody."""
_TOP = re.compile(r'^ "(\w+)": ("(?:[^"\\]|\\.)*"),?$', re.MULTILINE)
"""A text of the outermost level: `render.indented` begins its line with one blank."""


@dataclass(frozen=True)
class Entry:
    """A report in its forms. `folder`: where it lies, below that of the index, "" for the same; `stem`: its files' name
    without ending; `sizes`: ending -> bytes, with ``whole`` for the page that was too long for a mail, ``chat`` for
    the short message and the names of pictures. The others are fields of `ReportPage`.
    """

    folder: str
    stem: str
    sizes: Mapping[str, int]
    kind: str
    faction: str
    name: str
    lang: str
    colour: str
    campaign: str
    turn: str
    phase: str
    moment: str
    covers: str

    def path(self, form: str) -> str:
        """One of its files, as seen from the index."""
        return "/".join(filter(None, (self.folder, file_of(self.stem, form))))


def file_of(stem: str, form: str) -> str:
    """The name of a report's file: by its ending, or ``whole``, ``chat`` or the name of a picture."""
    if form in PICTURES:
        return picture_file(stem, form)
    return {"whole": f"{stem}-whole.html", "chat": f"{stem}.chat.txt"}.get(form, f"{stem}.{form}")


def picture_file(stem: str, name: str) -> str:
    """The name of a picture's file, which lies beside the report's others."""
    return f"{stem}-{name}.png"


def entry(text: str, folder: str, stem: str, sizes: Mapping[str, int]) -> Entry | None:
    """The entry of a report whose JSON twin this is; None for what is no report of ours.

    Only the lines of the outermost level are looked at: a campaign's folder may hold a thousand of them.
    """
    said = {name: json.loads(value) for name, value in _TOP.findall(text)}
    try:
        return Entry(folder, stem, sizes, *(said[name] for name in (
            "kind", "faction", "name", "lang", "colour", "campaign", "turn", "phase", "moment", "covers")))
    except KeyError:
        return None
