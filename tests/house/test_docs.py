"""The manual tells the truth: links lead somewhere, commands exist, the site is built."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest

import dev
from assistant.cli import main
from assistant.desk.commands.help_pages import TOPICS
from tests.house.source import ROOT, modules

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MODULE = re.compile(r"(?<!\*\*)`([\w/]+/\w+\.py)`")
"""A module that a page names; what stands in bold is a file that the page itself prints."""
INLINE = re.compile(r"`(arbitro [^`]+)`")


@cache
def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> set[str]:
    """The anchors that the headings of a page give."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def written_commands(page: Path) -> list[str]:
    """Every `arbitro ...` of a page: lines of shell blocks, and words between backticks."""
    blocks = [line for lang, body in FENCE.findall(page.read_text(encoding="utf-8")) if lang == "sh"
              for line in body.splitlines() if line.startswith("arbitro ")]
    return [line.split("  #")[0].strip() for line in [*blocks, *INLINE.findall(prose(page))]]


def unknown_in(line: str) -> list[str]:
    """The command or the options of a written command line that the command line does not know."""
    words = shlex.split(line.replace("--lang it ", ""))[1:]
    top = click.Context(main, info_name="arbitro")
    command: click.Command | None = main
    name = next((word for word in words if not word.startswith("-")), "")
    if name:
        command = main.get_command(top, name)
    if command is None:
        return [name]
    known = {o for c in (command, main) for p in c.params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
    return [word for word in words if word.startswith("--") and word.split("=")[0] not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    """No link of the manual is dead."""
    dead = []
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name) if name else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            dead.append(target)

    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_is_written_down_exists_with_its_options(page: Path) -> None:
    """What a reader copies from the manual is understood by the command line."""
    assert {line: bad for line in written_commands(page) if (bad := unknown_in(line))} == {}


@cache
def places() -> tuple[str, ...]:
    """Where every module of ours and of the tests lies."""
    return tuple(path.as_posix() for folder in ("assistant", "tests") for path in modules(ROOT / folder))


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "decisions"],
                         ids=lambda page: str(page.relative_to(ROOT)))
def test_every_module_that_is_named_is_there(page: Path) -> None:
    """Whoever follows a page into the code finds the file: by its path, or by an end of it that no other has.

    Decisions are never edited: they name modules as they were then.
    """
    named = MODULE.findall(page.read_text(encoding="utf-8"))

    assert [name for name in named if not (ROOT / name).is_file() and not (ROOT / "assistant" / name).is_file()
            and sum(path.endswith(f"/{name}") for path in places()) != 1] == []


def test_the_check_of_written_commands_can_say_no() -> None:
    """An invented command and an invented option are noticed."""
    assert unknown_in("arbitro conquer x.xlsx") == ["conquer"]
    assert unknown_in("arbitro check x.xlsx --loudly") == ["--loudly"]
    assert unknown_in("arbitro check x.xlsx --mark") == []


@pytest.mark.parametrize("text", [path.read_text(encoding="utf-8") for path in PAGES], ids=map(str, PAGES))
def test_only_topics_that_are_there_are_named(text: str) -> None:
    """`arbitro help TOPIC`, which the site makes a link."""
    assert set(re.findall(r"`arbitro help (\w+)`", text)) <= set(TOPICS)


@pytest.mark.slow
def test_the_site_is_built_without_a_dead_link(tmp_path: Path) -> None:
    """`python3 dev.py docs`, strictly: every page is there, and a topic that is named leads to its page, in the page's
    language.
    """
    command = [sys.executable, "-m", *dev.SITE, "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    site = tmp_path / "site"
    for page in PAGES[len(list(ROOT.glob("*.md"))):-1]:
        assert (site / page.relative_to(ROOT / "docs").with_suffix(".html")).is_file() or page.name == "README.md"
    assert 'href="en/sheets.html"' in (site / "referee.html").read_text(encoding="utf-8")
    assert 'href="it/sheets.html"' in (site / "manuale-arbitro.html").read_text(encoding="utf-8")
    assert 'href="referee.html#install"' in (site / "index.html").read_text(encoding="utf-8")
    text = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert '"lang":["en","it"]' in text
    assert "GIG-005" in text


def test_the_two_commands_of_the_readme_are_those_of_dev_py() -> None:
    """The README's first two commands exist and continuous integration runs the second."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert "python3 dev.py demo" in readme
    assert "python3 dev.py test" in readme
    assert "python3 dev.py test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(("options", "words"), [
    ([], "demo giglio"), (["--lang", "it"], "--lang it demo giglio"),
    (["anarchy", "--out", "x", "--lang", "it"], "--lang it demo anarchy --out x")])
def test_the_demo_of_the_readme_takes_a_language(options: list[str], words: str) -> None:
    """`python3 dev.py demo --lang it`, as the page has it, asks `arbitro` for a language where it takes one."""
    assert dev.demo_words(options) == words.split()
