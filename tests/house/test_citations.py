"""Whatever a wing cites stands in a page that ships: the rulebook pages, and what the code says of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from assistant.desk.commands.help_pages import number_rows, switch_rows
from assistant.turn.findings import cited_keys
from assistant.turn.game import Phase
from assistant.turn.ruleset import Ruleset
from tests.house.source import ROOT, functions, modules, nodes
from tests.house.test_docs import anchors
from tests.house.test_rulesets import OURS, constants, ruleset, wing

__all__ = ["ruleset"]
FOLDER = "rulebooks"
PAGES = ROOT / "docs" / FOLDER
GIVEN = {"tell": 2}
"""Where the rule stands in calls of what the floor offers; in functions of the wing it is the parameter `rule`."""


@cache
def page(name: str) -> str:
    """A ruleset's page."""
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def headings(name: str) -> list[str]:
    """The headings of a ruleset's page."""
    return re.findall(r"^#+ (.*)$", page(name), re.MULTILINE)


def takers(folder: Path) -> Mapping[str, int]:
    """Functions of a wing that take a rule -> its place among the arguments of a call."""
    found = dict(GIVEN)
    for path in modules(folder):
        for function in functions(path):
            names = [a.arg for a in function.args.args if a.arg != "self"]
            if "rule" in names:
                found[function.name] = names.index("rule")
    return found


def given(folder: Path) -> Iterator[tuple[str, ast.expr]]:
    """Every rule that a wing's code hands on, and where: in calls, and as the default of a parameter `rule`."""
    places = takers(folder)
    for path in modules(folder):
        for node in nodes(path):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                named = [k.value for k in node.keywords if k.arg == "rule"]
                if name in places and (named or len(node.args) > places[name]):
                    yield f"{path.name}:{node.lineno}", named[0] if named else node.args[places[name]]
        for function in functions(path):
            known = function.args.args[len(function.args.args) - len(function.args.defaults):]
            yield from ((f"{path.name}:{function.lineno}", value)
                        for one, value in zip(known, function.args.defaults, strict=True) if one.arg == "rule")


def phases(ruleset: Ruleset) -> list[Phase]:
    """All phases of a ruleset's calendar, or that its module knows."""
    known = vars(import_module(type(ruleset).__module__)).values()
    listed = [one for table in known if isinstance(table, Mapping) for one in table.values() if isinstance(one, Phase)]
    return [*ruleset.calendar.phases().values(), *listed]


def cited(ruleset: Ruleset) -> set[str]:
    """Every key that a wing cites: events as they are told and as they are declared, phases, numbers, switches."""
    rules = [text for _, value in given(wing(ruleset)) for text in constants(value)]
    rules += [phase.rule for phase in phases(ruleset)] + [event.rule for event in ruleset.events.values()]
    rules += [number.source for number in ruleset.numbers]
    return {key for rule in rules for key in cited_keys(rule)}


def test_a_rule_is_written_where_it_is_told(ruleset: Ruleset) -> None:
    """A rule is a text in the code or was handed on as `rule`, so that none can be cited unseen."""
    unseen = [where for where, value in given(wing(ruleset))
              if not constants(value) and not (isinstance(value, ast.Name) and value.id == "rule")]

    assert unseen == []


def test_every_citation_is_declared_and_every_declared_one_is_used(ruleset: Ruleset) -> None:
    """What events, phases and numbers cite, and what `citations` knows, are the same."""
    assert phases(ruleset)
    assert sorted(cited(ruleset) - set(ruleset.citations)) == []
    assert sorted(set(ruleset.citations) - cited(ruleset)) == []


def test_every_citation_leads_to_a_heading(ruleset: Ruleset) -> None:
    """Each opens its heading in the page that ships."""
    known = headings(ruleset.id)

    assert [citation.key for citation in ruleset.citations.values() if known.count(citation.heading) != 1] == []
    assert {citation.anchor for citation in ruleset.citations.values()} <= anchors(PAGES / f"{ruleset.id}.md")


def test_headings_can_be_told_apart(ruleset: Ruleset) -> None:
    """No two headings of a page have the same anchor."""
    assert len(headings(ruleset.id)) == len(anchors(PAGES / f"{ruleset.id}.md"))


def test_a_citation_says_the_printed_chapter_in_both_languages(ruleset: Ruleset) -> None:
    """A report shows a chapter or table of the book, or says that it is Arbitro's rule; never a number of ours."""
    assert [one.key for one in ruleset.citations.values() if not one.en or not one.chapter_in("it")] == []
    shown = {citation.en for citation in ruleset.citations.values()}
    numbers = {part for text in shown for part in re.findall(r"\d+(?:\.\d+)*[a-d]?", text)}
    assert sorted(number for number in numbers if not printed_in(ruleset.id, number)) == []


def printed_in(name: str, number: str) -> bool:
    """Whether the page names a number as one of the printed book: under a heading that says where it is printed."""
    for heading, below in re.findall(r"^#+ (.*)\n\n(.*)$", page(name), re.MULTILINE):
        if below.startswith("*Printed:") and re.search(rf"(?<![\w.]){re.escape(number)}(?!\w|\.\d)", heading + below):
            return True
    return False


def test_everything_of_a_ruleset_is_in_its_page(ruleset: Ruleset) -> None:
    """Every verb and kind of question can be looked up there, every number and switch in `arbitro help numbers`."""
    text = "\n".join([page(ruleset.id), *number_rows(ruleset, "en"), *switch_rows(ruleset, "en")])
    words = [*ruleset.verbs, *(verb.it for verb in ruleset.verbs.values()), *ruleset.questions]
    words += [number.key for number in ruleset.numbers]

    assert [word for word in words if not re.search(rf"\b{re.escape(word)}\b", text)] == []


def test_what_docstrings_cite_of_the_page_is_there(ruleset: Ruleset) -> None:
    """``rulebook: Ways back`` in the code names a heading, or several with commas between them."""
    known = sorted(headings(ruleset.id), key=len, reverse=True)
    dead = []
    for path in modules(wing(ruleset)):
        for rest in re.findall(r"rulebook: (.*)", path.read_text(encoding="utf-8")):
            left = rest
            while left:
                heading = next((h for h in known if left.startswith(h)), "")
                left = left.removeprefix(heading)
                if not heading:
                    dead.append(f"{path.name}: {rest}")
                left = left.removeprefix(", ") if heading and left.startswith(", ") else ""

    assert dead == []


def test_a_chapter_by_its_number_is_one_of_the_printed_book(ruleset: Ruleset) -> None:
    """``(8.4)`` in a docstring is a chapter that the page names as printed, not one of notes that nobody can open."""
    said = [(path.name, text) for path in modules(wing(ruleset)) for node in nodes(path)
            if isinstance(node, ast.Expr) for text in constants(node.value)]
    dead = [f"{name}: {number}" for name, text in said for cited in re.findall(r"\(([^()]*)\)", text)
            for number in re.findall(r"(?<![\w.])\d+\.\d+(?!\w)", cited) if not printed_in(ruleset.id, number)]

    assert dead == []


@pytest.mark.parametrize("name", OURS)
def test_the_pages_are_found_from_where_a_user_begins(name: str) -> None:
    """The README and both manuals of the referee lead to them."""
    for start in (ROOT / "README.md", ROOT / "docs" / "referee.md", ROOT / "docs" / "manuale-arbitro.md"):
        assert f"{FOLDER}/{name}.md" in start.read_text(encoding="utf-8"), start.name


def test_no_wing_cites_what_does_not_ship(ruleset: Ruleset) -> None:
    """The notes from which the pages were made are not there for a reader: in the code, or beside its scenarios."""
    pages = (ROOT / "workbook_templates" / ruleset.id).rglob("*.md")
    silent = [path.name for path in (*modules(wing(ruleset)), *pages)
              if re.search(r"\bdigests?\b|`rules/", path.read_text(encoding="utf-8").lower())]

    assert silent == []
