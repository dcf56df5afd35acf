"""A mail's HTML in; what mail programs would drop or distort out, held against the list below of what they stand.

The list is written by hand from what is known of Gmail, Outlook, Apple Mail, Yahoo, Samsung, Libero and Thunderbird.
What stands in a `style` attribute reaches all of them; what stands in the `style` element is a finish, which the phone
page of Gmail and others drop: a mail must be read without it. Whatever stands in no list is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import html5lib  # type: ignore[import-untyped]

HEAVIEST, HEAVIEST_STYLE = 90_000, 16_000
"""Bytes: Gmail cuts a page at 102 KB, and drops a style element above 16 KB."""
EVERYWHERE = frozenset(("class", "style"))
LAYOUT = frozenset(("align", "bgcolor", "border", "cellpadding", "cellspacing", "colspan", "width", "role"))
ELEMENTS: Mapping[str, frozenset[str]] = {
    "html": frozenset(("lang",)), "head": frozenset(), "title": frozenset(),
    "meta": frozenset(("charset", "name", "content")), "style": frozenset(("data-css-inline",)),
    "body": frozenset(),  # becomes a div: what it says of the page stands on a table, too
    "div": frozenset(("role", "aria-label", "aria-hidden", "tabindex")), "span": frozenset(("aria-hidden",)),
    "table": LAYOUT, "tbody": frozenset(), "thead": frozenset(), "tr": frozenset(("align",)),
    "td": LAYOUT | {"data-label"}, "th": frozenset(("align", "scope", "colspan")),
    "h1": frozenset(), "h2": frozenset(), "h3": frozenset(), "p": frozenset(), "b": frozenset(), "i": frozenset(),
    "br": frozenset(), "ul": frozenset(), "ol": frozenset(), "li": frozenset(), "pre": frozenset(),
    "code": frozenset(), "img": frozenset(("src", "alt", "width", "height", "border")),
    "details": frozenset(("open",)), "summary": frozenset(),  # where it is not known all of it is shown
}
"""Elements, and the attributes that each may bear besides those that all may."""
ROLES = ("presentation", "main", "img", "separator")
INLINE = frozenset((
    "background-color", "border", "border-bottom", "border-collapse", "border-color", "border-left", "border-top",
    "color", "font-family", "font-size", "font-weight", "height", "letter-spacing", "line-height", "margin",
    "margin-top", "padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align",
    "text-transform", "vertical-align", "width",
    # a finish here, too: without them a line is broken elsewhere or stands wider, and nothing is lost
    "border-spacing", "color-scheme", "display", "max-height", "max-width", "overflow", "overflow-x", "table-layout",
    "white-space", "word-break"))
"""Properties of a `style` attribute."""
FINISH = INLINE | {"background", "break-after", "break-inside", "column-gap", "columns", "content", "gap",
                   "justify-content", "size", "margin-bottom", "page-break-inside", "border-right"}
"""Properties of the `style` element: for phones, dark rooms and paper."""
QUERIES = re.compile(r"@media (?:print|\(max-width: \d+px\)|\(prefers-color-scheme: dark\))|@page")
SELECTOR = re.compile(r"(?:[a-z][a-z0-9]*)?(?:\.[a-z]+)*(?::not\(\[open\]\))?(?:::before|::after|::details-content)?"
                      r"|>|\*")
OUTSIDE = re.compile(r"https?://|=[\"']?(?://|data:|javascript:)|@import|url\(|expression\(|<!--\[", re.IGNORECASE)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def faults(page: str) -> list[str]:
    """What is to be said against a mail's HTML; [] for one that mail programs show as it is meant."""
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    tree = parser.parse(page)
    found = [f"not valid: {what} at {place}" for place, what, _ in parser.errors]
    found += [f"asks for something outside: {what}" for what in dict.fromkeys(OUTSIDE.findall(page))]
    if len(page.encode()) >= HEAVIEST:
        found.append(f"{len(page.encode())} bytes")
    if not tree.get("lang"):
        found.append("no language")
    for one in tree.iter():
        if isinstance(one.tag, str):
            found += _of_element(one)
    styles = "\n".join(element.text or "" for element in tree.iter("style"))
    if len(styles.encode()) >= HEAVIEST_STYLE:
        found.append(f"a style element of {len(styles.encode())} bytes")
    return list(dict.fromkeys([*found, *_of_style(styles)]))


def _of_element(one: Any) -> Iterator[str]:
    allowed = ELEMENTS.get(one.tag)
    if allowed is None:
        yield f"<{one.tag}> is not on the list"
        return
    yield from (f"<{one.tag} {name}> is not on the list" for name in one.attrib if name not in allowed | EVERYWHERE)
    if one.get("role", "presentation") not in ROLES:
        yield f"role {one.get('role')}"
    for name, value in _declared(one.get("style", "")):
        if name not in INLINE:
            yield f"{name} in a style attribute"
        if "var(" in value or "calc(" in value:
            yield f"{name}: {value}"
    if one.tag == "img" and not ((one.get("alt") or "").strip() and one.get("width")
                                 and (one.get("src") or "").startswith("cid:")):
        yield "a picture without words, width or place in the mail"
    if one.tag == "table" and one.get("role") != "presentation" and one.find(".//th") is None:
        yield "a table of the layout that is read out as one of data"


def _of_style(styles: str) -> Iterator[str]:
    for query in re.findall(r"@[^{;]+", styles):
        if not QUERIES.fullmatch(query.strip()):
            yield f"{query.strip()} is not on the list"
    for selectors, body in _RULE.findall(re.sub(r"@media[^{]+\{", "", styles)):
        for part in re.split(r"[\s,]+", selectors.strip("} \n")):
            if not part.startswith("@") and not SELECTOR.fullmatch(part):
                yield f"selector {part}"
        yield from (f"{name} in the style element" for name, _ in _declared(body) if name not in FINISH)


def _declared(text: str) -> Iterator[tuple[str, str]]:
    for one in text.split(";"):
        name, colon, value = one.partition(":")
        if colon:
            yield name.strip().casefold(), value.strip()
