"""What rulebooks may use of Arbitro: the names on the page of `arbitro help plugins`, and no others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).with_name("manual") / "plugins.md"
"""The page's prose. Its lines ``@ module: Name Other*`` declare what is public; a star shows the methods, too."""
_MARK = "@ "


class PublicNames(NamedTuple):
    """A line of the page that declares names of one module. `starred`: those shown with their methods."""

    module: str
    names: tuple[str, ...]
    starred: frozenset[str]


def declared_names(line: str) -> PublicNames | None:
    """What a line of the page declares; None for a line of prose."""
    module, colon, names = line.removeprefix(_MARK).partition(": ")
    if not line.startswith(_MARK) or not colon:
        return None
    words = names.split()
    return PublicNames(module, tuple(word.rstrip("*") for word in words),
                       frozenset(word.rstrip("*") for word in words if word.endswith("*")))


@lru_cache
def public_names() -> dict[str, tuple[str, ...]]:
    """All that is public: module -> its names, in the order of the page."""
    found: dict[str, dict[str, None]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if declared := declared_names(line):
            found.setdefault(declared.module, {}).update(dict.fromkeys(declared.names))
    return {module: tuple(names) for module, names in found.items()}


def is_public(module: str, name: str) -> bool:
    """Whether rulebooks may import a name of a module."""
    return name in public_names().get(module, ())


def private_uses(tree: ast.AST, own: str = "") -> Iterator[tuple[int, str]]:
    """What a module of a rulebook uses of Arbitro that is not public: line and full name, also of what it takes from
    a module that it imports as a name. `own`: the package of a rulebook that ships with Arbitro.
    """
    modules: dict[str, str] = {}
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, one.name) for one in node.names if _is_ours(one.name, own))
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or "", own):
            for one in node.names:
                full = f"{node.module}.{one.name}"
                if full in public_names():
                    modules[one.asname or one.name] = full
                elif not is_public(node.module or "", one.name):
                    yield node.lineno, full
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            module = modules[node.value.id]
            if not is_public(module, node.attr):
                yield node.lineno, f"{module}.{node.attr}"


def _is_ours(module: str, own: str) -> bool:
    return f"{module}.".startswith("assistant.") and not (own and f"{module}.".startswith(f"{own}."))
