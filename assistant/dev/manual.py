"""The documentation: writes or checks the parts of docs/ that are derived from the code; hooks of MkDocs.

The website has more pages than docs/: those of `arbitro help`, which are made from the code, and those outside of
docs/. Links to anything else in the project, such as code, become plain text.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from assistant import manual
from assistant.cli.app import app_in_language
from assistant.desk.workspace.detect_edits import ACT_TIMES, ACTS, REPLIES
from assistant.manual.topics import names_page, page_text, shipped_ruleset_ids, table
from assistant.speech import option_words, rule_sentence, rule_subject
from assistant.turn.findings import printed_chapters
from assistant.turn.numbers import Number, Switch
from assistant.turn.ruleset import Ruleset, load
from assistant.turn.texts import N_
from assistant.wording import Wording

# docs/rulebooks: the index of citations, and the tables of numbers and switches.
#
# The pages are written by hand; only what is between two marks is generated.


FOLDER = "rulebooks"
MADE = "<!-- Made by `python -m assistant.dev.manual write`; edit the code, not this page. -->"
NUMBERS_START, NUMBERS_END = "<!-- made: numbers -->", "<!-- made: end -->"
_BETWEEN = re.compile(f"{re.escape(NUMBERS_START)}.*?{re.escape(NUMBERS_END)}", re.DOTALL)


def rulebook_pages(docs: Path) -> dict[str, str]:
    """Name below `docs` -> text: the index, and each rulebook's page with fresh tables."""
    made = {f"{FOLDER}/README.md": index_page()}
    for name in shipped_ruleset_ids():
        path = docs / FOLDER / f"{name}.md"
        made[f"{FOLDER}/{name}.md"] = with_number_tables(path.read_text(encoding="utf-8"), load(name))
    return made


def index_page() -> str:
    """docs/rulebooks/README.md: every citation with its chapter in the book and a link to our reading of it."""
    lines = ["# Rulebooks", MADE, "",
             "How Arbitro reads each book, in our words: chapters, decisions, defaults, switches.",
             "A report cites the printed book; here is what each citation means and where our reading of it stands.",
             ""]
    for name in shipped_ruleset_ids():
        ruleset = load(name)
        lines += [f"## {ruleset.title}", "", f"[{ruleset.title}, as Arbitro plays it]({name}.md)", "",
                  *table(("Report", "In Italian", "Page of the book", "Our reading", "In the code"), (
                      (citation.en, citation.printed("it"), citation.page
                       or "", f"[{citation.heading}]({name}.md#{citation.anchor})",
                       f"`{citation.key}`") for citation in ruleset.citations.values()))]
    return "\n".join(lines)


def with_number_tables(page: str, ruleset: Ruleset) -> str:
    """A rulebook's page with the tables of its numbers and switches between the marks."""
    lines = "\n".join([NUMBERS_START, *number_lines(ruleset), *switch_lines(ruleset), NUMBERS_END])
    return _BETWEEN.sub(lambda _: lines, page)


def number_lines(ruleset: Ruleset) -> list[str]:
    """The table of numbers."""
    words = Wording(ruleset, "en")
    rows = ((f"`{rule.key}`", rule.default, rule.unit, printed_chapters(rule.source, ruleset.citations, "en"), rule.tag,
             rule_sentence(rule, rule.default, words)) for rule in ruleset.numbers if isinstance(rule, Number))
    return ["## Numbers", "", "One row a key of the sheet `Rules`; what is typed there counts instead.", "",
            *table(("Key", "Default", "Unit", "Cites", "Tag", "What it is"), rows)]


def switch_lines(ruleset: Ruleset) -> list[str]:
    """The table of switches."""
    words = Wording(ruleset, "en")
    rows = (
        (
            f"`{rule.key}`",
            rule_subject(rule, words),
            _options(rule, words),
            printed_chapters(rule.source, ruleset.citations, "en"),
        )
        for rule in ruleset.numbers
        if isinstance(rule, Switch)
    )
    return ["## Switches", "", "Where the text is ambiguous, silent, or differs between versions; the first option is "
            "the default.", "Where it says *new campaigns*, that option is typed into the Rules of a campaign that is "
            "founded (`new`, `adopt`, `demo`) and does not say another; a folder of CSVs that is only resolved has the "
            "default.", "", *table(("Key", "What it decides", "Options", "Cites"), rows)]


def _options(switch: Switch, words: Wording) -> str:
    called = ((option, option_words(switch, option, words)) for option in switch.options)
    shown = "; ".join(f"`{option}` {text}" if option and text != option else f"`{text}`" if option else f"blank: {text}"
                      for option, text in called)
    shown += f"; new campaigns: `{switch.begins}`" if switch.begins else ""
    return f"{shown}, or any text" if switch.free else f"{shown}, or a value" if switch.pattern else shown


# The command.
#
#     python -m assistant.dev.manual write    write docs/rulebooks/README.md and docs/plugin-names.md, and the tables
#                                             between marks in the other pages of rulebooks and both referee's manuals
#     python -m assistant.dev.manual check    name the pages that are out of date; exit code 1 if there are any
#
# Other pages that are derived as a whole are not in docs/: `assistant.manual` makes them, for `arbitro help` and the
# site.


DOCS = Path(__file__).resolve().parents[2] / "docs"
MANUALS = {"en": "referee.md", "it": "manuale-arbitro.md"}
NAMES = "plugin-names.md"
START, END = "<!-- made: changes -->", "<!-- made: end -->"


# --- what may still be changed -------------------------------------------------------------------
def change_lines(lang: str) -> list[str]:
    """The table of what may still be changed, and with which command, in a language."""
    say = Wording(None, lang).text
    heads = (say(N_("What")), say(N_("With")), *(say(name) for name in ACT_TIMES.values()))
    return table(heads, ([say(act.name), f"`{act.how}`", *(say(REPLIES[act.at(moment)]) for moment in ACT_TIMES)]
                         for act in ACTS))


def manual_pages() -> dict[str, str]:
    """The referee's manuals by name, with a fresh table between its marks."""
    made = {}
    for lang, name in MANUALS.items():
        before, rest = (DOCS / name).read_text(encoding="utf-8").split(START)
        made[name] = "\n".join([before + START, "", *change_lines(lang), END + rest.split(END)[1]])
    return made


def derived_pages() -> dict[str, str]:
    """Name in docs/ -> text, of every page with derived parts."""
    title, *names = names_page()
    made = {**rulebook_pages(DOCS), **manual_pages(), NAMES: "\n".join([title, MADE, *names])}
    return {name: page_text([text]) for name, text in made.items()}


def stale_pages() -> list[str]:
    """The names of pages with outdated derived parts."""
    return [name for name, text in derived_pages().items()
            if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text]


def run(arguments: list[str]) -> int:
    """``write`` or ``check``; returns the exit code."""
    if arguments == ["write"]:
        for name, text in derived_pages().items():
            (DOCS / name).write_text(text, encoding="utf-8")
        return 0
    if arguments == ["check"]:
        old = stale_pages()
        for name in old:
            print(f"docs/{name} is out of date: run python -m assistant.dev.manual write", file=sys.stderr)
        return 1 if old else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))


# Hooks of MkDocs for the website: pages that are not files in docs/, and their links.


ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {"README.md": "index.md", "ARCHITECTURE.md": "architecture.md", "CONTRIBUTING.md": "contributing.md",
           "CHANGELOG.md": "changelog.md", "benchmarks/README.md": "benchmarks.md"}
"""Pages outside of docs/ -> their place in the site."""
INSIDE = {there: here for here, there in OUTSIDE.items()}
ITALIAN = ("manuale-", "it/")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_HELP = re.compile(r"(?<!\[)`arbitro help (\w+)`")


def anchor(heading: str, separator: str) -> str:
    """The anchor of a heading, the same as on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", separator)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and those from outside of docs/."""
    for name, text in manual.all_pages(app_in_language).items():
        files.append(File.generated(config, name, content=text))
    for name, place in OUTSIDE.items():
        files.append(File.generated(config, place, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page with its links adapted to the site; `arbitro help TOPIC` becomes a link to that page."""
    here = page.file.src_uri
    lang = "it" if here.startswith(ITALIAN) else "en"
    pages = {file.src_uri for file in files}

    def led(match: re.Match[str]) -> str:
        mark, text, target = match.groups()
        path, _, part = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return match[0]
        there = site_path(here, path)
        if there not in pages:
            if (ROOT / project_path(here, path)).exists():
                return text
            return match[0]
        return f"{mark}[{text}]({relative_link(there, here)}{'#' + part if part else ''})"

    linked = _LINK.sub(led, markdown)
    return _HELP.sub(lambda match: f"[{match[0]}]({relative_link(f'{lang}/{match[1]}.md', here)})", linked)


def project_path(here: str, path: str) -> str:
    """The path in the project to which a link of a page leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(INSIDE.get(here, f"docs/{here}")), path))


def site_path(here: str, path: str) -> str:
    """The path in the site to which a link of a page leads."""
    there = project_path(here, path)
    return OUTSIDE.get(there, there.removeprefix("docs/"))


def relative_link(there: str, here: str) -> str:
    """A path in the site, relative to another page."""
    return posixpath.relpath(there, posixpath.dirname(here) or ".")
