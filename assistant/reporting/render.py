"""Renders pages as HTML, plain text, JSON and PDF, and the index of a folder of reports."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from assistant.campaign.tables import grouped
from assistant.environment import shipped_folder
from assistant.pictures.colours import ink_on, legible_colour
from assistant.pictures.layout import font_files
from assistant.pictures.render import template_cache, template_environment
from assistant.reporting.pages import Money, NoteHead, NotePart, RehearsedPage, ReportPage, TableCell, as_plain_values
from assistant.reporting.reader import clean_line
from assistant.reporting.shorten import chapters_with_quiet, merge_tables, phone_heights, shorter_pages
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

if TYPE_CHECKING:
    from css_inline import CSSInliner
    from jinja2 import Environment

    from assistant.reporting.booklet import Booklet
    from assistant.reporting.pages import ExperimentPage


# --- render ---------------------------------------------------------------------------------------
# Renders pages as HTML, plain text and JSON, and the index of a folder of reports.

# Pictures of a report, without their bytes.


NEAR, WHOLE, CHART, ORDERED = "near", "map", "chart", "orders"
"""A close-up of the reader's own area, the whole map, the chart of figures, the map of orders; also the endings of
their file names."""
PICTURES = (NEAR, WHOLE, CHART)
P = TypeVar("P", bound=ReportPage)


@dataclass(frozen=True)
class Inset:
    """A picture of a page. `name`: one of `PICTURES`, or `ORDERED` in a receipt; `src`: as in HTML; `alt`: what it
    shows, in words; `title`: its own heading, "" for none.
    """

    name: str
    src: str = ""
    alt: str = ""
    title: str = ""


def with_insets(page: P, shown: Sequence[Inset]) -> tuple[P, tuple[Inset, ...]]:
    """The page with the first of its maps as its map, and the other pictures, which come after it.

    Its code stays: a report is the same with and without pictures.
    """
    if not shown or shown[0].name == CHART:
        return page, tuple(shown)
    return replace(page, map_src=shown[0].src, map_alt=shown[0].alt), tuple(shown[1:])


# Entries of an index, read from the JSON files of reports.


FORMS = ("html", "txt", "json", "chat", *PICTURES)
PUBLIC = ("gazette", "end")
"""Kinds of page for everybody."""
_TOP = re.compile(r'^ "(\w+)": ("(?:[^"\\]|\\.)*"),?$', re.MULTILINE)
"""A text at the outermost level: `indented_json` starts its line with one blank."""


@dataclass(frozen=True)
class ReportEntry:
    """A report with its files. `folder`: relative to the index, "" for the same; `stem`: file name without ending;
    `sizes`: ending -> bytes, with ``whole`` for a page that was too long for a mail, ``chat`` for the short message,
    and the names of pictures. The others are fields of `ReportPage`.
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
        """The path of one of its files, relative to the index."""
        return "/".join(filter(None, (self.folder, report_file(self.stem, form))))


def report_file(stem: str, form: str) -> str:
    """The name of a report's file: by its ending, or ``whole``, ``chat`` or the name of a picture."""
    if form in PICTURES:
        return picture_file(stem, form)
    return {"whole": f"{stem}-whole.html", "chat": f"{stem}.chat.txt"}.get(form, f"{stem}.{form}")


def picture_file(stem: str, name: str) -> str:
    """The name of a picture's file, in the same folder as the report."""
    return f"{stem}-{name}.png"


def read_entry(text: str, folder: str, stem: str, sizes: Mapping[str, int]) -> ReportEntry | None:
    """The entry of a report, from the text of its JSON file; None if it is no report of Arbitro.

    Only lines of the outermost level are read, for speed: a campaign's folder may have a thousand reports.
    """
    fields = {name: json.loads(value) for name, value in _TOP.findall(text)}
    try:
        return ReportEntry(folder, stem, sizes, *(fields[name] for name in (
            "kind", "faction", "name", "lang", "colour", "campaign", "turn", "phase", "moment", "covers")))
    except KeyError:
        return None


# The index: all reports for the referee, or those that one club may know of; the newest first.


PARCHMENT = "#5a4630"
FORM_LABELS = {"html": N_("page"), "whole": N_("uncut"), "txt": N_("text"), "json": N_("data"), "chat": N_("chat")}
LANGUAGES = {"it": N_("Italian"), "en": N_("English")}
ORDER = ("end", "gazette", "referee", "faction")


@dataclass(frozen=True)
class FileLink:
    """A file of a report. `label`; `href`; `size` in words."""

    label: str
    href: str
    size: str


@dataclass(frozen=True)
class IndexRow:
    """A report: whose, in which language, its files. `covers`: the time covered, "" if the same as its section's, and
    `told_in`: the language of that, which is the report's own.
    """

    name: TableCell
    covers: str
    lang: str
    links: tuple[FileLink, ...]
    told_in: str = ""


@dataclass(frozen=True)
class IndexSection:
    """The reports of one moment. `title`; `covers`: the time that most of them cover."""

    title: str
    covers: str
    rows: tuple[IndexRow, ...]


@dataclass(frozen=True)
class IndexPage:
    """An index. `lang`, `name`, `campaign`, `for_whom`, `colour`, `ink`: its head; `headings`: of the three columns;
    `published`: it belongs to a website.
    """

    lang: str
    name: str
    campaign: str
    for_whom: str
    colour: str
    ink: str
    headings: tuple[str, str, str]
    older: str
    shelves: tuple[IndexSection, ...]
    published: bool = False


def factions_of_entries(entries: Iterable[ReportEntry]) -> set[str]:
    """The factions that have reports."""
    return {entry.faction for entry in entries if entry.kind == "faction"}


def entries_for_club(entries: Iterable[ReportEntry], faction: str) -> list[ReportEntry]:
    """The entries that a club may know: its own reports and the public ones."""
    return [entry
            for entry in entries if entry.kind in PUBLIC or (entry.kind == "faction" and entry.faction == faction)]


def build_index(ruleset: Ruleset, entries: list[ReportEntry], wording: Wording) -> IndexPage:
    """The index of these reports (at least one); its head says so if it is for one club only."""
    _ = wording.text
    listed = sorted(entries, key=lambda entry: _age(ruleset, entry), reverse=True)
    clubs = factions_of_entries(listed)
    own = next((entry for entry in listed if entry.kind == "faction"), None)
    only = own is not None and len(clubs) == 1 and all(entry.kind in (*PUBLIC, "faction") for entry in listed)
    name, colour = (own.name, own.colour) if own is not None and only else (_("Reports"), PARCHMENT)
    whom = _("for your eyes only") if only else _("for everybody") if not clubs else _(
        "for the referee only: it names every club's reports")
    # the colour goes into a style as it stands, and the file it comes from may have been changed
    colour = colour if re.fullmatch("#[0-9A-Fa-f]{6}", colour) else PARCHMENT
    by_moment = grouped(listed, lambda entry: (entry.turn, entry.phase))
    return IndexPage(wording.lang, name, listed[0].campaign, whom, colour, ink_on(colour),
                     (_("Report"), _("Language"), _("Files")), _("Older reports"),
                     tuple(_index_section(ruleset, told, wording) for told in by_moment.values()))


def _age(ruleset: Ruleset, entry: ReportEntry) -> tuple[object, int]:
    phases = list(ruleset.calendar.phases())
    return (ruleset.calendar.turns.key(entry.turn), phases.index(entry.phase) if entry.phase in phases else len(phases))


def _rank(entry: ReportEntry) -> tuple[int, str, str]:
    return (ORDER.index(entry.kind) if entry.kind in ORDER else len(ORDER), entry.name, entry.stem)


def _index_section(ruleset: Ruleset, entries: list[ReportEntry], wording: Wording) -> IndexSection:
    """The reports of one moment. All is said in the index's language, but what a report in another one covers, which
    is its own words.
    """
    told = sorted(entries, key=_rank)
    title = wording.text(N_("As of {moment}"), moment=Verbatim(_moment(ruleset, told, wording)))
    same = Counter(entry.covers for entry in told if entry.lang == wording.lang)
    covers = same.most_common(1)[0][0] if same else ""
    return IndexSection(title, covers, tuple(_index_row(entry, covers, wording) for entry in told))


def _moment(ruleset: Ruleset, entries: Sequence[ReportEntry], wording: Wording) -> str:
    """The moment of reports: as one of them in the index's language has it, else by the calendar."""
    same = Counter(entry.moment for entry in entries if entry.lang == wording.lang)
    turn, phase = entries[0].turn, entries[0].phase
    if same:
        return same.most_common(1)[0][0]
    if phase not in ruleset.calendar.phases():
        return wording.text(N_("the end of the campaign"))
    return ruleset.when(turn, phase, wording.lang)


def _index_row(entry: ReportEntry, covers: str, wording: Wording) -> IndexRow:
    links = tuple(FileLink(wording.text(FORM_LABELS[form]), quote(entry.path(form)), _size(entry.sizes[form], wording))
                  for form in FORM_LABELS if form in entry.sizes)
    return IndexRow(TableCell(entry.name, colour=entry.colour if entry.kind == "faction" else ""),
                    entry.covers if entry.covers != covers else "",
                    wording.text(LANGUAGES.get(entry.lang, entry.lang)), links, entry.lang)


def _size(size: int, wording: Wording) -> str:
    return wording.text(N_("{n} KB"), n=wording.number(max(round(size / 1000), 1)))


# HTML for mail, plain text, JSON. Equal pages give equal bytes.


LARGEST = 90_000
"""The largest page in a mail, in bytes: mail programs clip what is much larger."""
WIDTH = 78
PUBLISHED = "arbitro-published"
"""The mark by which a page of a website is recognised as Arbitro's."""
FORMAT = 1
_TAG = re.compile(r"""<[A-Za-z][^\s>/]*(?:\s+[^\s=>"/]+(?:="[^"]*")?)*\s*/?>""")
"""A start tag as the inliner writes it: every value in double quotes, with no other such quotes inside."""
_VALUE = re.compile(r'="[^"]*"')
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=FileSystemLoader(shipped_folder("reports")), bytecode_cache=template_cache(), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
        autoescape=select_autoescape(enabled_extensions=("html", "html.j2"), disabled_extensions=("txt.j2",),
                                     default=True))
    made.filters["legible"] = legible_colour
    made.filters["wrapped"] = wrap_text
    made.filters["columns"] = text_table
    made.filters["merged"] = merge_tables
    made.filters["with_quiet"] = chapters_with_quiet
    made.filters["money"] = money_text
    return made


@lru_cache(maxsize=1)
def _inliner() -> CSSInliner:
    import css_inline

    return css_inline.CSSInliner(keep_style_tags=True, remove_inlined_selectors=True, load_remote_stylesheets=False)


def render_html(page: ReportPage, largest: int = LARGEST, rest: str = "", *, notices: Sequence[str] = (),
                links: Sequence[tuple[str, str]] = (), insets: Sequence[Inset] = ()) -> str:
    """The page as one HTML mail without outside resources, with inline styles.

    `largest`: in bytes of UTF-8. A larger page has its lists cut and says so; the rest is in the workbook, and where
    the sentence `rest` says. The digits that prove dice are cut first, because the other formats have them.
    `notices`: lines at the very top of this mail; `links`: address and text of related pages; `insets`: its pictures,
    in order.
    """
    return fit_html(page, largest, rest, notices=notices, links=links, insets=insets)[0]


def fit_html(page: ReportPage, largest: int = LARGEST, rest: str = "", *, notices: Sequence[str] = (),
             links: Sequence[tuple[str, str]] = (), insets: Sequence[Inset] = ()) -> tuple[str, bool]:
    """The page as by `render_html`, and whether lists were cut for it. With a limit in bytes a club's page and the
    gazette are also kept to the height that a phone's reader scrolls; their story is unfolded where that leaves room.
    """
    page, behind = with_insets(page, insets)
    template = _environment().get_template("report.html.j2")
    tall = largest == sys.maxsize or page.kind == "referee"
    for shown, shortened, unfolded in shorter_pages(page):
        text = " ".join(filter(None, (shortened, rest if shortened else "")))
        plain = template.render(page=shown, shortened=text, notices=notices, links=links, published=PUBLISHED,
                                insets=behind, unfolded=unfolded)
        if not tall and not phone_heights(plain).fit:
            continue
        made = escape_attributes(_inliner().inline(plain))
        if len(made.encode()) <= largest:
            return made, bool(shortened)
    # even the shortest version is too large: too large a report is better than none
    return escape_attributes(_inliner().inline(plain)), bool(shortened)


def render_note(lang: str, subject: str, head: NoteHead, text: str, insets: Sequence[Inset] = ()) -> str:
    """A short mail as HTML with the look of a report: its first line in the banner, then its pictures and parts."""
    first, *parts = note_parts(text)
    plain = _environment().get_template("note.html.j2").render(
        lang=lang, subject=subject, page=head, first=first, parts=parts, insets=insets)
    return escape_attributes(_inliner().inline(plain))


def note_parts(text: str) -> list[NotePart]:
    """The parts of a text: blank lines part them, a line that ends in a colon heads them, items begin with a hyphen."""
    parts = []
    seen = "\n".join(" " * line.startswith(" ") + clean_line(line.lstrip(" ")) for line in text.strip("\n").split("\n"))
    for section in re.split(r"\n{2,}", seen):
        lines = re.sub(r"\n +", "\v", section).split("\n")  # what belongs to the item above
        title = lines.pop(0)[:-1] if lines[1:] and lines[0].endswith(":") else ""
        blocks = [(is_list, tuple(line.removeprefix("- ") for line in some))
                  for is_list, some in groupby(lines, lambda line: line.startswith("- "))]
        parts.append(NotePart(title, tuple(blocks)))
    return parts


def render_index(page: IndexPage) -> str:
    """The index of a folder as HTML. It is never mailed, so its styles are in its head."""
    return _environment().get_template("index.html.j2").render(page=page)


def render_booklet(page: Booklet) -> str:
    """The rules booklet as HTML, with styles for print. It is never mailed, so its styles are in its head."""
    return _environment().get_template("booklet.html.j2").render(page=page)


def render_experiment(page: ExperimentPage) -> str:
    """The page of an experiment as HTML, which loads nothing; equal pages give equal texts."""
    return _environment().get_template("experiment.html.j2").render(page=page)


def render_rehearsal(page: RehearsedPage) -> str:
    """The page of a rehearsal as HTML. It is never mailed, so its styles are in its head."""
    return _environment().get_template("rehearsal.html.j2").render(page=page)


def escape_attributes(html: str) -> str:
    """HTML with < and > escaped in attribute values, as in the template.

    The inliner writes them raw. Browsers read that correctly, but not every mail program does.
    """
    return _TAG.sub(lambda tag: _VALUE.sub(
        lambda value: value[0].replace("<", "&lt;").replace(">", "&gt;"), tag[0]), html)


def render_text(page: ReportPage, *, notices: Sequence[str] = (), insets: Sequence[Inset] = ()) -> str:
    """The page as plain text, lines of at most 78 characters where words allow it, ending in one line feed.

    `notices`, `insets`: as for `render_html`; pictures appear as their words.
    """
    page, behind = with_insets(page, insets)
    text = _environment().get_template("report.txt.j2").render(page=page, notices=notices, insets=behind)
    lines = [line.rstrip() for line in text.splitlines()]
    kept = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    return "\n".join(kept).strip("\n") + "\n"


def render_json(page: ReportPage) -> str:
    """The page as JSON: keys sorted, with `format` as the version of its structure."""
    return indented_json({"format": FORMAT, **as_plain_values(page)}) + "\n"


def indented_json(value: Any, margin: str = "\n") -> str:
    """Plain values as JSON: keys sorted, each level one blank deeper.

    The output is that of the library with ``indent=1``, in a third of the time. `margin`: the start of lines here.
    """
    deeper = f"{margin} "
    if isinstance(value, dict) and value:
        pairs = [f"{deeper}{_AS_JSON(key)}: {indented_json(value[key], deeper)}" for key in sorted(value)]
        return f"{{{','.join(pairs)}{margin}}}"
    if isinstance(value, list) and value:
        items = [f"{deeper}{indented_json(entry, deeper)}" for entry in value]
        return f"[{','.join(items)}{margin}]"
    return _AS_JSON(value)


def wrap_text(text: str, first: str = "", rest: str = "") -> str:
    """Plain text broken at words; `first` and `rest` stand before the first and the other lines."""
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                         break_on_hyphens=False)


def text_table(rows: tuple[tuple[TableCell, ...], ...], headings: tuple[str, ...], numeric: tuple[bool, ...]) -> str:
    """A table as plain text: columns padded to their widest value, numbers to the right."""
    texts = [tuple(headings), *(tuple(cell.text for cell in row) for row in rows)]
    widths = [max(len(line[i]) for line in texts) for i in range(len(headings))]
    ruled = [texts[0], tuple("-" * width for width in widths), *texts[1:]]
    return "\n".join("  ".join(value.rjust(width) if right else value.ljust(width)
                               for value, width, right in zip(line, widths, numeric, strict=True)).rstrip()
                     for line in ruled)


def money_text(money: Money) -> str:
    """The money of the period as plain text: opening, movements, closing."""
    rows = [(TableCell(label), cell) for label, cell in (money.opening, *money.entries.items, money.closing)]
    return text_table(tuple(rows), money.headings, (False, True))


# --- paper ----------------------------------------------------------------------------------------
# A page of HTML as a PDF for print, without network. WeasyPrint makes it, which is installed apart.

PRINTER, LETTERS = "weasyprint", "Pango"
"""The library, and the one of the system by which it sets letters."""
OUR_FONTS = ":root{--serif:'Arbitro Serif',serif;--sans:'Arbitro Sans',sans-serif}"


@dataclass(frozen=True)
class MissingLibrary:
    """A library that is needed for the paper and not installed. `name`: as for pip."""

    name: str


def html_to_pdf(page: str) -> bytes | MissingLibrary:
    """The page as PDF: our own fonts, nothing is loaded but what it holds; equal pages give equal bytes.

    A missing library is not raised.
    """
    try:
        import weasyprint
    except ImportError:
        return MissingLibrary(PRINTER)
    except OSError:  # it is there, and what it needs of the system is not
        return MissingLibrary(LETTERS)
    faces = [(Path(name).stem, b64encode(Path(name).read_bytes()).decode()) for name in font_files()]
    style = template_environment().get_template("map.fonts.css.j2").render(faces=faces)
    printed = page.replace("</head>", f"<style>{style}{OUR_FONTS}</style></head>", 1)
    made: Any = weasyprint.HTML(string=printed, url_fetcher=_only_data(weasyprint)).write_pdf()
    return bytes(made)


def _only_data(weasyprint: Any) -> Any:
    return weasyprint.urls.URLFetcher(allowed_protocols=("data",))
