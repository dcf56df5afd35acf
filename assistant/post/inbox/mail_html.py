"""The HTML of a mail in; the lines out that a reader sees, with how deep each is quoted and whether it is struck out.

What is hidden, a remark or a style is no line. libxml2 reads the page sign by sign and gives each element once, so
that neither deep nesting nor a tag without an end costs more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.post.inbox.arrived import Said
from assistant.post.inbox.charsets import plain_signs
from assistant.post.inbox.mail_text import quoted

_BREAKS = frozenset(re.findall(
    r"\w+", "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot"
    " thead tr ul"))
_CELLS = frozenset(("td", "th"))
_UNSEEN = frozenset(re.findall(
    r"\w+", "head style script title template noscript object iframe svg math textarea select datalist audio"
    " video canvas"))
_STRUCK = frozenset(("s", "strike", "del"))
_HIDING = re.compile(r"display:none|visibility:(?:hidden|collapse)|mso-hide:all|font-size:0(?![.\d]*[1-9])|"
                     r"opacity:0(?![.\d]*[1-9])")
_LINED_THROUGH = re.compile(r"text-decoration[a-z-]*:[^;]*line-through")
_PRE = re.compile(r"white-space:(?:pre|break-spaces)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"[a-z][a-z0-9]*|[a-z0-9]*[.#][\w-]+")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_CSS_REMARK = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_VOID = frozenset(("br", "hr"))


@dataclass(frozen=True)
class _Style:
    """What holds inside an element."""

    unseen: bool = False
    struck: bool = False
    pre: bool = False
    depth: int = 0


class _Seen:
    """What libxml2 tells of a page, as lines."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self._hidden = hidden
        self._open: list[_Style] = [_Style()]
        self._line: list[str] = []
        self._struck = False
        self._depth = 0
        self.lines: list[Said] = []

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        """An element begins."""
        now, style = self._open[-1], _SPACE.sub("", attrib.get("style", "")).casefold()
        classes = attrib.get("class", "").split()
        quoted = (tag == "blockquote" and not _LINED_THROUGH.search(style)) or "gmail_quote" in classes
        if tag in _BREAKS:
            self._end_line()
        elif tag in _CELLS and self._line:
            self._line.append(" ")
        self._open.append(_Style(
            now.unseen or tag in _UNSEEN or "hidden" in attrib or bool(_HIDING.search(style))
            or bool(self._hidden and self._is_hidden(tag, classes, attrib.get("id", ""))),
            now.struck or tag in _STRUCK or bool(_LINED_THROUGH.search(style)),
            now.pre or tag == "pre" or bool(_PRE.search(style)), now.depth + quoted))

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in _BREAKS and tag not in _VOID:
            self._end_line()
        self._open.pop()

    def data(self, text: str) -> None:
        """Some text."""
        now = self._open[-1]
        if now.unseen:
            return
        pieces = text.replace("\r\n", "\n").split("\n") if now.pre else [_SPACE.sub(" ", text)]
        for number, piece in enumerate(pieces):
            if number:
                self._end_line()
            self._line.append(piece)
            if piece.strip():
                self._struck = self._struck or now.struck
                self._depth = now.depth

    def comment(self, text: str) -> None:
        """A remark: nobody sees it."""

    def close(self) -> list[Said]:
        """The lines, when the page has ended."""
        self._end_line()
        return self.lines

    def _end_line(self) -> None:
        said = plain_signs("".join(self._line)).strip()
        if said:
            self.lines.append(Said(said, self._depth, self._struck))
        self._line, self._struck = [], False

    def _is_hidden(self, tag: str, classes: list[str], ident: str) -> bool:
        names = {f".{one.casefold()}" for one in classes} | ({f"#{ident.casefold()}"} if ident else set())
        return tag in self._hidden or not self._hidden.isdisjoint(names | {tag + one for one in names})


class _Styles:
    """The text of a page's style elements."""

    def __init__(self) -> None:
        self._inside = False
        self._said: list[str] = []

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        """An element begins."""
        self._inside = tag == "style"

    def end(self, tag: str) -> None:
        """An element ends."""
        self._inside = False

    def data(self, text: str) -> None:
        """Some text."""
        if self._inside:
            self._said.append(text)

    def comment(self, text: str) -> None:
        """A remark: no style."""

    def close(self) -> str:
        """All of it, when the page has ended."""
        return "\n".join(self._said)


def lines_of_html(page: str) -> tuple[Said, ...]:
    """The lines that a reader sees; () for a page without any."""
    hidden = frozenset[str]()
    if "<style" in page.casefold():
        styles = _Styles()
        _feed(page, styles)
        hidden = frozenset(_hiding(styles.close()))
    seen = _Seen(hidden)
    _feed(page, seen)
    return tuple(_unquoted(one) for one in seen.close())


def _feed(page: str, target: Any) -> None:
    """Let a target see a page."""
    from lxml import etree

    data = page.encode("utf-8", "replace")
    if data.strip():
        etree.fromstring(data, etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True))


def _unquoted(line: Said) -> Said:
    """A line in which marks of quoting were typed, or came from plain text."""
    depth, rest = quoted(line.text)
    return replace(line, text=rest.strip(), depth=line.depth + depth) if depth else line


def _hiding(styles: str) -> Iterator[str]:
    """What simple selectors hide outside conditions: ``.ghost``, ``#aside``, ``span.ghost``."""
    styles = _CSS_REMARK.sub("", styles).casefold()
    for selectors, body in _RULE.findall(_outside_conditions(styles)):
        if _HIDING.search(_SPACE.sub("", body)):
            yield from (one for one in (part.strip() for part in selectors.split(",")) if _SIMPLE.fullmatch(one))


def _outside_conditions(styles: str) -> str:
    """Styles without blocks in blocks, such as those of ``@media``: who reads them knows not whether they hold."""
    found, depth, begin = list[str](), 0, 0
    for match in re.finditer("[{}]", styles):
        depth += 1 if match[0] == "{" else -1 if depth else 0
        if not depth:
            rule = styles[begin:match.end()]
            found += [rule] if "@" not in rule else []
            begin = match.end()
    return "".join(found)
