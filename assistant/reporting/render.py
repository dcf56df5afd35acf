"""A page becomes HTML for mail, plain text and JSON. Same page, same bytes."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from assistant.colours import legible
from assistant.pictures.templates import compiled
from assistant.reporting.clean import cut
from assistant.reporting.pages import Cell, Money, ReportPage, plain
from assistant.reporting.shelf.index import IndexPage
from assistant.reporting.shelf.insets import Inset, with_insets
from assistant.resources import folder

if TYPE_CHECKING:
    from css_inline import CSSInliner
    from jinja2 import Environment

LARGEST = 90_000
"""So many bytes a mail has at most: programs for mail clip what is much larger."""
WIDTH = 78
PUBLISHED = "arbitro-published"
"""By what a page of a site is known as ours."""
PROOFS = 24
"""So many hashes and secrets stay in an HTML page that is too large."""
FORMAT = 1
_TAG = re.compile(r"""<[A-Za-z][^\s>/]*(?:\s+[^\s=>"/]+(?:="[^"]*")?)*\s*/?>""")
"""A start tag as the inliner writes it: every value in double quotes, with no other such quotes inside."""
_VALUE = re.compile(r'="[^"]*"')
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=FileSystemLoader(folder("reports")), bytecode_cache=compiled(), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
        autoescape=select_autoescape(enabled_extensions=("html", "html.j2"), disabled_extensions=("txt.j2",),
                                     default=True))
    made.filters["legible"] = legible
    made.filters["wrapped"] = wrapped
    made.filters["columns"] = columns
    made.filters["money"] = money
    return made


@lru_cache(maxsize=1)
def _inliner() -> CSSInliner:
    import css_inline

    return css_inline.CSSInliner(keep_style_tags=True, remove_inlined_selectors=True, load_remote_stylesheets=False)


def render_html(page: ReportPage, largest: int = LARGEST, rest: str = "", *, notices: Sequence[str] = (),
                links: Sequence[tuple[str, str]] = (), insets: Sequence[Inset] = ()) -> str:
    """The page as one HTML mail without any outside resource, styles in place.

    `largest`: of the result, in bytes of UTF-8. A page that comes out larger has its lists cut, and
    says so; what was left out stands in the workbook, and where `rest`, a sentence, says. The digits that
    prove dice go first: they stand in the other twins. `notices`: what this very mail has to say before all else;
    `links`: address and text of pages beside it; `insets`: its pictures, the first one first.
    """
    page, behind = with_insets(page, insets)
    template = _environment().get_template("report.html.j2")
    for shown, shortened in _ever_shorter(page):
        said = " ".join(filter(None, (shortened, rest if shortened else "")))
        made = escaped_values(_inliner().inline(template.render(
            page=shown, shortened=said, notices=notices, links=links, published=PUBLISHED, insets=behind)))
        if len(made.encode()) <= largest:
            break
    return made


def render_note(lang: str, subject: str, lines: Sequence[str], inset: Inset) -> str:
    """A short mail as HTML, with one picture above its lines."""
    template = _environment().get_template("note.html.j2")
    return template.render(lang=lang, subject=subject, lines=lines, inset=inset)


def render_index(page: IndexPage) -> str:
    """The index of a folder as HTML, which no mail carries: its styles stand together in its head."""
    return _environment().get_template("index.html.j2").render(page=page)


def escaped_values(html: str) -> str:
    """HTML with < and > in its attributes' values escaped, as the template had them.

    The inliner writes them raw, which browsers read rightly; but not every mail program is a browser.
    """
    return _TAG.sub(lambda tag: _VALUE.sub(
        lambda value: value[0].replace("<", "&lt;").replace(">", "&gt;"), tag[0]), html)


def _ever_shorter(page: ReportPage) -> Iterator[tuple[ReportPage, str]]:
    """The page as it is, then shorter and shorter, with what is said about that at its top."""
    yield page, ""
    if page.rulings is not None and len(page.rulings.proofs.items) > PROOFS:
        page = replace(page, rulings=replace(page.rulings, proofs=page.rulings.proofs.cut(PROOFS)))
        yield page, ""
    for limit in (25, 15, 8, 4):
        yield cut(page, limit), page.shortened


def render_text(page: ReportPage, *, notices: Sequence[str] = (), insets: Sequence[Inset] = ()) -> str:
    """The page as plain text, lines of at most 78 characters where words allow it, ending in one line feed.

    `notices`, `insets`: as for `render_html`; of pictures it has the words.
    """
    page, behind = with_insets(page, insets)
    text = _environment().get_template("report.txt.j2").render(page=page, notices=notices, insets=behind)
    lines = [line.rstrip() for line in text.splitlines()]
    kept = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    return "\n".join(kept).strip("\n") + "\n"


def render_json(page: ReportPage) -> str:
    """The page as JSON: keys sorted, `format` says which shape it has."""
    return indented({"format": FORMAT, **plain(page)}) + "\n"


def indented(value: Any, margin: str = "\n") -> str:
    """Plain values as JSON: keys sorted, each level a blank deeper.

    It is what the library says with ``indent=1``, where it takes three times as long. `margin`: how lines begin here.
    """
    deeper = f"{margin} "
    if isinstance(value, dict) and value:
        pairs = [f"{deeper}{_AS_JSON(key)}: {indented(value[key], deeper)}" for key in sorted(value)]
        return f"{{{','.join(pairs)}{margin}}}"
    if isinstance(value, list) and value:
        items = [f"{deeper}{indented(one, deeper)}" for one in value]
        return f"[{','.join(items)}{margin}]"
    return _AS_JSON(value)


def wrapped(text: str, first: str = "", rest: str = "") -> str:
    """Plain text broken at words; `first` and `rest` stand before the first and the other lines."""
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                         break_on_hyphens=False)


def columns(rows: tuple[tuple[Cell, ...], ...], headings: tuple[str, ...], numeric: tuple[bool, ...]) -> str:
    """A table as plain text: columns padded to their widest value, numbers to the right."""
    texts = [tuple(headings), *(tuple(cell.text for cell in row) for row in rows)]
    widths = [max(len(line[i]) for line in texts) for i in range(len(headings))]
    ruled = [texts[0], tuple("-" * width for width in widths), *texts[1:]]
    return "\n".join("  ".join(value.rjust(width) if right else value.ljust(width)
                               for value, width, right in zip(line, widths, numeric, strict=True)).rstrip()
                     for line in ruled)


def money(one: Money) -> str:
    """The money of the period as plain text: opening, movements, closing."""
    rows = [(Cell(label), cell) for label, cell in (one.opening, *one.entries.items, one.closing)]
    return columns(tuple(rows), one.headings, (False, True))
