"""Records of a received mail, and its visible lines, from plain text or HTML."""

from __future__ import annotations

import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.errors import HeaderParseError
from email.header import decode_header
from typing import Any, Literal

# Records of a received mail.


SenderKind = Literal["person", "machine", "own", "receipt", "failure"]
"""Who wrote a mail: a person, an auto-responder, ourselves, or a server reporting arrival or failure."""
FileKind = Literal["workbook", "table", "text", "picture", "other"]
"""What a file is by its content: a workbook (even an unreadable one), a CSV, plain lines, a picture embedded in the
HTML, or anything else.
"""
DoubtKind = Literal[
    "too_large", "too_deep", "too_many_parts", "broken", "encrypted", "locked_zip", "zip_in_zip", "too_much_inflated",
    "outlook_item", "charset", "two_codes", "other_code", "no_code", "struck_out", "text_and_html", "two_blocks",
    "block_and_lines", "two_copies", "other_turn", "automatic", "returned", "confirmed"]
"""Why the referee has to look at a mail, or why a part of it could not be read."""


@dataclass(frozen=True)
class MailLine:
    """A line as its reader sees it. `depth`: quoting level; `struck`: some of its words are struck through;
    `nested`: it belongs to an attached mail.
    """

    text: str
    depth: int = 0
    struck: bool = False
    nested: bool = False


@dataclass(frozen=True)
class TextPart:
    """A text part as plain text, HTML or both; None where it does not come in that form."""

    text: tuple[MailLine, ...] | None = None
    html: tuple[MailLine, ...] | None = None


@dataclass(frozen=True)
class Attachment:
    """A file that came with a mail. `name`: cleaned, never a path."""

    name: str
    data: bytes
    kind: FileKind


@dataclass(frozen=True)
class Bounce:
    """A mail that bounced. `mails`: Message-IDs that the failure names; `addresses`: who did not get it; `cause`: in
    the server's words.
    """

    mails: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    cause: str = ""


@dataclass(frozen=True)
class ReceivedMail:
    """A mail as it was read. `ident`: Message-ID without brackets; `sender`: address of the From line, which proves
    nothing; `quiet`: it gets no receipt; `tokens`: the clubs' codes in it, each once; `replied`: a program answered a
    mail with it, as who is away has it do.
    """

    kind: SenderKind = "person"
    ident: str = ""
    sender: str = ""
    subject: str = ""
    quiet: bool = False
    tokens: tuple[str, ...] = ()
    words: tuple[TextPart, ...] = ()
    files: tuple[Attachment, ...] = ()
    doubts: tuple[DoubtKind, ...] = ()
    undelivered: Bounce | None = field(default=None)
    replied: bool = False


# Decoding: by the declared charset if possible, else by trying likely ones.


_GUESSED = ("utf-8", "windows-1252")
_LATIN = ("ascii", "iso8859-1", "cp1252", "iso8859-15", "latin-1")
"""Charsets that programs declare out of habit. UTF-8 is tried first: other text is hardly ever valid UTF-8."""
_NO_TEXT = ("unicode_escape", "raw_unicode_escape", "punycode", "idna", "undefined", "mbcs", "oem", "utf-7")
"""Codecs of Python that no mail is written in."""
_BLANKS = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]")
_NOTHING = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]")
_PLAIN = str.maketrans({**dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u0060\u00b4", "'"),
                        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
                        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")})


def decode_text(data: bytes, declared: str = "") -> str | None:
    """Bytes decoded by the declared charset, UTF-8 or Windows-1252; None if none of them fits."""
    for name in _names(declared):
        try:
            text = data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
        # text with a NUL was UTF-16, read with a charset of one byte a sign: it "fits" but says nothing
        if "\0" not in text:
            return text.removeprefix("\ufeff")
    return None


def _names(declared: str) -> tuple[str, ...]:
    """The charsets to try, in order."""
    try:
        name = codecs.lookup(declared.strip("'\" ")).name if declared else ""
    except (LookupError, ValueError):
        name = ""
    return _GUESSED if not name or name in _LATIN else ("utf-8", name) if name in _NO_TEXT else (name, *_GUESSED)


def header_text(raw: str) -> str:
    """A raw header (non-ASCII bytes as surrogates), decoded, in one line."""
    # programs write unencoded umlauts and accents into headers, which Python hands on as surrogates
    plain = decode_text(raw.encode("utf-8", "surrogateescape")) or raw.encode("ascii", "replace").decode()
    try:
        pieces = decode_header(plain)
    except (HeaderParseError, ValueError, LookupError):
        pieces = [(plain, None)]
    decoded = [piece if isinstance(piece, str) else decode_text(piece, charset or "") or "?"
               for piece, charset in pieces]
    return " ".join("".join(decoded).split())


def plain_characters(text: str) -> str:
    """A text in the characters of a keyboard: straight quotes, hyphens and plain blanks, no invisible characters.
    Accents stay.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _NOTHING.sub("", text)).translate(_PLAIN)
    return _BLANKS.sub(" ", text)


# Plain text: its lines with their quoting level, and uuencoded files in it.


_QUOTED = re.compile(r"((?:[ \t]*(?:>|\|(?![^\s>|])))+)[ ]?")
"""Quote marks: the usual ``>``, and the ``|`` of older programs if a blank or nothing follows it."""
_BEGIN = re.compile(r"begin [0-7]{3,4} (\S[^\r\n]*)")
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE)-----")
_ARMOUR_HEAD = re.compile(r"(Hash|Charset|Comment|Version|MessageID|NotDashEscaped):")


def lines_of_text(text: str, *, flowed: bool = False, delsp: bool = False) -> tuple[MailLine, ...]:
    """The visible lines of a text. `flowed`: a line that ends with a blank continues in the next (RFC 3676); `delsp`:
    that blank is dropped.
    """
    lines = strip_pgp_armour(text.splitlines())
    pairs = [split_quote_marks(line) for line in lines]
    return tuple(MailLine(plain_characters(line).strip(), depth)
                 for depth, line in (_join_flowed(pairs, delsp) if flowed else pairs))


def split_quote_marks(line: str) -> tuple[int, str]:
    """The quoting level of a line, and the line without its marks."""
    match = _QUOTED.match(line)
    return (sum(map(match[1].count, ">|")), line[match.end():]) if match else (0, line)


def _join_flowed(lines: Iterable[tuple[int, str]], delsp: bool) -> Iterator[tuple[int, str]]:
    """Flowed lines joined. The signature mark ``-- `` is never joined, nor are lines of different quoting levels."""
    depth, held = 0, ""
    for deep, line in lines:
        line = line[1:] if line.startswith(" ") and not deep else line  # space-stuffed
        if held and (deep != depth or line == "-- "):
            yield depth, held
            held = ""
        depth, held = deep, held + line
        if not line.endswith(" ") or line == "-- ":
            yield depth, held
            held = ""
        elif delsp:
            held = held[:-1]
    if held:
        yield depth, held


def strip_pgp_armour(lines: Iterable[str]) -> list[str]:
    """Lines without the armour of an inline PGP signature."""
    unwrapped, inside = list[str](), ""
    for line in lines:
        mark = _ARMOUR.fullmatch(line.strip())
        if mark:
            inside = ("head" if mark[2] == "SIGNED MESSAGE" else "signature") if mark[1] == "BEGIN" else ""
        elif inside == "head" and (not line.strip() or _ARMOUR_HEAD.match(line)):
            # the armour's own lines end at the first blank one, which some programs lose
            inside = "head" if line.strip() else "text"
        elif inside != "signature":
            inside = "text" if inside == "head" else inside
            unwrapped.append(line.removeprefix("- ") if inside == "text" else line)
    return unwrapped


def extract_uuencoded(text: str) -> tuple[str, list[tuple[str, bytes]]]:
    """A text without its uuencoded files, and these files: name and bytes each."""
    kept, files = list[str](), list[tuple[str, bytes]]()
    held, name = list[str](), ""
    for line in text.split("\n"):
        begin = _BEGIN.fullmatch(line.rstrip())
        if name and line.rstrip() == "end":
            data = _decode_uu([line.rstrip("\r") for line in held[1:] if line.strip()])
            if data is None:
                kept += [*held, line]
            else:
                files.append((name, data))
            held, name = [], ""
        elif begin:
            kept += held
            held, name = [line], begin[1].strip()
        else:
            (held if name else kept).append(line)
    return "\n".join(kept + held), files


def _decode_uu(lines: Iterable[str]) -> bytes | None:
    """The bytes of uuencoded lines; None if they are not valid."""
    whole = bytearray()
    for line in lines:
        try:
            whole += binascii.a2b_uu(line)
        except binascii.Error:
            count = (ord(line[0]) - 32 & 63) * 4 // 3 + 5  # a program that lost or added blanks at the end
            try:
                whole += binascii.a2b_uu(line[:count].rstrip().ljust(count - 4))
            except binascii.Error:
                return None
    return bytes(whole)


# HTML: its visible lines, with quoting level and strike-through.
#
# Hidden elements, comments and styles yield no lines. libxml2 reports each element once, as a stream, so that neither
# deep nesting nor unclosed tags cost more than the length of the page.


_BREAKS = frozenset(re.findall(
    r"\w+", "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot"
    " thead tr ul"))
_CELLS = frozenset(("td", "th"))
_HIDDEN_TAGS = frozenset(re.findall(
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
    """Formatting in force inside an element."""

    unseen: bool = False
    struck: bool = False
    pre: bool = False
    depth: int = 0


class _VisibleLines:
    """A parser target that collects the visible lines of a page."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self._hidden = hidden
        self._open: list[_Style] = [_Style()]
        self._line: list[str] = []
        self._struck = False
        self._depth = 0
        self.lines: list[MailLine] = []

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
            now.unseen or tag in _HIDDEN_TAGS or "hidden" in attrib or bool(_HIDING.search(style))
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

    def close(self) -> list[MailLine]:
        """The lines, when the page has ended."""
        self._end_line()
        return self.lines

    def _end_line(self) -> None:
        text = plain_characters("".join(self._line)).strip()
        if text:
            self.lines.append(MailLine(text, self._depth, self._struck))
        self._line, self._struck = [], False

    def _is_hidden(self, tag: str, classes: list[str], ident: str) -> bool:
        names = {f".{name.casefold()}" for name in classes} | ({f"#{ident.casefold()}"} if ident else set())
        return tag in self._hidden or not self._hidden.isdisjoint(names | {tag + name for name in names})


class _StyleText:
    """A parser target that collects the text of style elements."""

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

    def close(self) -> str:
        """The collected text, when the page has ended."""
        return "\n".join(self._said)


def lines_of_html(page: str) -> tuple[MailLine, ...]:
    """The visible lines of a page."""
    hidden = frozenset[str]()
    if "<style" in page.casefold():
        styles = _StyleText()
        _parse_html(page, styles)
        hidden = frozenset(_hidden_selectors(styles.close()))
    seen = _VisibleLines(hidden)
    _parse_html(page, seen)
    return tuple(_split_typed_quote(line) for line in seen.close())


def _parse_html(page: str, target: Any) -> None:
    """Run a page through libxml2's HTML parser into a target."""
    from lxml import etree

    # a lone surrogate of a broken mail has no bytes in UTF-8: it becomes a question mark
    data = page.encode("utf-8", "replace")
    if data.strip():
        etree.fromstring(data, etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True))


def _split_typed_quote(line: MailLine) -> MailLine:
    """A line with its typed quote marks counted as quoting levels."""
    depth, rest = split_quote_marks(line.text)
    return replace(line, text=rest.strip(), depth=line.depth + depth) if depth else line


def _hidden_selectors(styles: str) -> Iterator[str]:
    """Simple selectors that hide their elements unconditionally: ``.ghost``, ``#aside``, ``span.ghost``."""
    styles = _CSS_REMARK.sub("", styles).casefold()
    for selectors, body in _RULE.findall(_unconditional_rules(styles)):
        if _HIDING.search(_SPACE.sub("", body)):
            yield from (selector
                        for selector in (part.strip() for part in selectors.split(",")) if _SIMPLE.fullmatch(selector))


def _unconditional_rules(styles: str) -> str:
    """Style rules outside of ``@media`` and the like, of which nobody here can tell whether they apply."""
    rules, depth, begin = list[str](), 0, 0
    for match in re.finditer("[{}]", styles):
        depth += 1 if match[0] == "{" else -1 if depth else 0
        if not depth:
            rule = styles[begin:match.end()]
            rules += [rule] if "@" not in rule else []
            begin = match.end()
    return "".join(rules)
