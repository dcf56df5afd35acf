"""The documentation as a website: hooks of MkDocs.

The website has more pages than docs/: those of `arbitro help`, which are made from the code, and those outside of
docs/. Links to anything else in the project, such as code, become plain text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from assistant.cli.app import app_in_language
from assistant.desk.commands.help_pages import all_pages

ROOT = Path(__file__).resolve().parent
OUTSIDE = {"README.md": "index.md", "ARCHITECTURE.md": "architecture.md", "CONTRIBUTING.md": "contributing.md",
           "CHANGELOG.md": "changelog.md", "benchmarks/README.md": "benchmarks.md"}
"""Pages outside of docs/ -> their place in the site."""
INSIDE = {there: here for here, there in OUTSIDE.items()}
ITALIAN = ("manuale-", "it/")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_HELP = re.compile(r"(?<!\[)`arbitro help (\w+)`")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and those from outside of docs/."""
    for name, text in all_pages(app_in_language).items():
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
