"""The project's own source as the house tests look at it: modules, their trees and what they import. Looked at once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "assistant"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules(folder: Path = PACKAGE) -> tuple[Path, ...]:
    """The Python files of a folder of the project, sorted."""
    return tuple(sorted(folder.rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file's tree."""
    found: list[ast.AST] = [tree(path)]
    for node in found:  # as ast.walk does it, which takes twice as long
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [one for one in value if isinstance(one, ast.AST)]
    return tuple(found)


def dotted(path: Path) -> str:
    """The import name of a file: ``assistant/turn/dice.py`` -> ``assistant.turn.dice``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and full name of every import of a file, also those inside functions and under ``TYPE_CHECKING``."""
    return tuple(imports_in(nodes(path), package_of(path)))


@cache
def inner_imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and full name of every import that stands inside a function of a file."""
    inside = [range(function.lineno, (function.end_lineno or function.lineno) + 1) for function in functions(path)]
    return tuple((line, name) for line, name in imports(path) if any(line in lines for lines in inside))


def package_of(path: Path) -> list[str]:
    """The words of the package in which a file's relative imports start."""
    return dotted(path).split(".")[: None if path.name == "__init__.py" else -1]


def imports_in(found: Iterable[ast.AST], package: list[str]) -> Iterator[tuple[int, str]]:
    """Line and full name of every import among the nodes of a tree.

    ``from assistant.turn import dice`` gives ``assistant.turn.dice``, so that a room that is imported
    as a name is seen as well.
    """
    for node in found:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{start}.{name.name}") for name in node.names)


@cache
def functions(path: Path) -> tuple[Function, ...]:
    """Every function and method of a file."""
    return tuple(node for node in nodes(path) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


@cache
def graph() -> dict[str, set[str]]:
    """Every module with the modules of the project that it imports, wherever in its text it does so."""
    known = {dotted(path): path for path in modules()}
    return {name: {target for _, full in imports(path)
                   for target in (full, full.rpartition(".")[0])[:1 if full in known else 2]
                   if target in known and target != name} for name, path in known.items()}


def circles(edges: Mapping[str, Iterable[str]]) -> list[frozenset[str]]:
    """The sets of modules that lead to one another (strongly connected, after Tarjan), largest first."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for target in edges[name]:
            if target not in number:
                visit(target)
                lowest[name] = min(lowest[name], lowest[target])
            elif target in stack:
                lowest[name] = min(lowest[name], number[target])
        if lowest[name] == number[name]:
            at = stack.index(name)
            found.append(frozenset(stack[at:]))
            del stack[at:]

    for name in edges:
        if name not in number:
            visit(name)
    return sorted((one for one in found if len(one) > 1), key=lambda one: (-len(one), sorted(one)))
