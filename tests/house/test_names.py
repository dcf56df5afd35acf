"""Somebody new finds the room at the first guess: first lines say what a module is for, names mean one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.house.source import PACKAGE, dotted, modules, tree

ENDS = (".", "::", "?", ":")
SHORTEST = 20
SAY_NOTHING = ("abreast", "causes", "fitness", "papers", "reckoning", "strangers", "twofold")
"""Names that modules once had, from which nobody guessed what is in them."""


def first_line(path: Path) -> str:
    """The first line of what a module says of itself."""
    return (ast.get_docstring(tree(path)) or "").partition("\n")[0]


def test_the_first_line_of_a_module_says_what_it_is_for() -> None:
    """It is one sentence, on that line alone."""
    silent = {dotted(path): first_line(path) for path in modules()
              if len(first_line(path)) < SHORTEST or not first_line(path).endswith(ENDS)}

    assert silent == {}


def test_no_name_that_says_nothing_comes_back() -> None:
    """Whoever looks for a dossier or for chances finds them by these words."""
    assert [dotted(path) for path in modules() if path.stem in SAY_NOTHING] == []


SAME_ON_PURPOSE = {"Amount", "Codes", "Option", "Parts", "Text", "Steps", "Refused"}
"""Kinds of value that columns, orders, answers and forms have alike, by the names that the page for authors gives them;
what runs inside LibreOffice shares nothing with the rest.
"""


def test_a_public_class_has_a_name_of_its_own() -> None:
    """Outside the wings, where each book has its own records: whoever searches for a class finds one."""
    rooms: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        if PACKAGE / "rulesets" not in path.parents:
            for node in tree(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    rooms[node.name].append(dotted(path))

    assert {name: places for name, places in rooms.items() if len(places) > 1 and name not in SAME_ON_PURPOSE} == {}
    assert [name for name in SAME_ON_PURPOSE if len(rooms[name]) < 2] == []
