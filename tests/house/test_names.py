"""Somebody new finds the room at the first guess: first lines say what a module is for, names mean one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.house.source import PACKAGE, dotted, modules, tree

ENDS = (".", "::", "?", ":")
SHORTEST = 20
SAME_IDEA = {
    "adopting": "taking on a club's own workbook: the command, and its findings",
    "buttons": "the workbook's buttons: their commands, and their findings",
    "codes": "the codes of a room's own findings",
    "columns": "what a column holds and how it is read: of a sheet, of a verb's orders",
    "doctor": "what is wrong with a door on this machine: Excel's, LibreOffice's",
    "editing": "a set of changes: to a workbook's file, to an open workbook",
    "luck": "how dice fell against what fair dice do: reckoned, and in a report",
    "marks": "findings shown on cells: in a file, in an open workbook",
    "reading": "what people typed, taken in: rows of Orders as requests, an open workbook as plain values",
    "rulebooks": "the rulebooks that ship: told by the desk, written as pages",
    "words": "what people read and type: in an order's line, in a picture's place",
    "setup": "making a machine ready: for Excel, for LibreOffice",
}
"""File names that more than one room has, with the idea that is the same in all of them. The wings are not asked:
they share the names of a book's chapters.
"""


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


def test_a_name_means_one_thing() -> None:
    """Two rooms have a file of the same name only where it is the same idea; no such idea is declared in vain."""
    rooms: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        if path.stem not in ("__init__", "__main__") and PACKAGE / "rulesets" not in path.parents:
            rooms[path.stem].append(dotted(path))

    assert {name: places for name, places in rooms.items() if len(places) > 1 and name not in SAME_IDEA} == {}
    assert [name for name in SAME_IDEA if len(rooms[name]) < 2] == []


def test_no_name_that_says_nothing_comes_back() -> None:
    """Whoever looks for a dossier or for chances finds them by these words."""
    assert [dotted(path) for path in modules() if path.stem in SAY_NOTHING] == []
