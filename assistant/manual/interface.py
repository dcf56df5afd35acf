"""The page `plugins`: what a ruleset may use, from docstrings and signatures, between the prose of ``plugins.md``.

A line ``@ module: Name Other*`` of that file stands for the entries of these names; a star asks for the methods, too.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

from assistant.campaign.record import Record
from assistant.manual.markdown import table
from assistant.turn.orders.refusal import ROLES

PROSE = Path(__file__).with_name("plugins.md")
ROLES_HERE = "@ roles"
OURS = "assistant."
SHORT = 40
NONE = inspect.Parameter.empty
"""In the place of a default: there is none."""
_STARS: Mapping[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
_REFERENCE = re.compile(r"``([^`]+)``")


def plugins_page() -> list[str]:
    """The prose with all entries."""
    lines: list[str] = []
    for line in PROSE.read_text(encoding="utf-8").splitlines():
        if line == ROLES_HERE:
            lines += table(("role", "tells"), ([f"`{name}`", ", ".join(f"`{word}`" for word in words)]
                                               for name, words in ROLES.items()))
        elif line.startswith("@ "):
            lines += entries(line)
        else:
            lines.append(line)
    return lines


def entries(line: str) -> list[str]:
    """The entries of a line of the prose. Raises ImportError and AttributeError for what is not there."""
    place, _, names = line.removeprefix("@ ").partition(": ")
    module = import_module(place)
    lines = [f"From `{place}`:", ""]
    for name in names.split():
        thing = getattr(module, name.rstrip("*"))
        lines += [f"- {head(module, name.rstrip('*'), thing)}",
                  *(f"    - {one}" for one in (members(thing) if name.endswith("*") else ()))]
    return [*lines, ""]


def head(module: Any, name: str, thing: Any) -> str:
    """One name: how it is called and what its docstring says."""
    if inspect.isclass(thing) and issubclass(thing, Record):
        columns = " ".join(one.name for one in thing.columns())
        return entry(name, f"{thing.about_en} Columns: `{columns}`." if columns else "", inspect.getdoc(thing) or "")
    if inspect.isclass(thing) or inspect.isfunction(thing):
        return entry(f"{name}{called_with(thing)}", inspect.getdoc(thing) or "")
    value = f" = {_default(thing)}" if isinstance(thing, str) else ""
    return entry(f"{name}{value}", told_below(module).get(name, ""))


def entry(called: str, *texts: str) -> str:
    """A name in bold code, with what is said of it on one line."""
    said = " ".join(_REFERENCE.sub(r"`\1`", " ".join(text.split())) for text in texts if text)
    return f"**`{called}`** {said.replace('<', '&lt;')}".strip()


def called_with(thing: Any) -> str:
    """What a function or a class is called with, without `self`; "" for a class that is not called."""
    if "__dataclass_fields__" in vars(thing):
        given = ((one, one.default is not MISSING or one.default_factory is not MISSING) for one in fields(thing))
        return f"({', '.join(_parameter(one.name, str(one.type), one.default if has else NONE) for one, has in given)})"
    if inspect.isclass(thing) and "__init__" not in vars(thing):
        return ""
    found = inspect.signature(thing)
    shown = [one for one in found.parameters.values() if one.name not in ("self", "cls")]
    words = [f"{_STARS.get(one.kind, '')}{_parameter(one.name, str(one.annotation), one.default)}" for one in shown]
    named = next((at for at, one in enumerate(shown) if one.kind is inspect.Parameter.KEYWORD_ONLY), None)
    if named is not None and not any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in shown):
        words.insert(named, "*")
    returned = "" if inspect.isclass(thing) or found.return_annotation in (None, "None") else (
        f" -> {found.return_annotation}")
    return f"({', '.join(words)}){returned}"


def _parameter(name: str, kind: str, default: Any) -> str:
    return f"{name}: {kind}{'' if default is NONE else f' = {_default(default)}'}"


def _default(default: Any) -> str:
    """A default as one may type it; of what is made or reckoned only that there is one."""
    if isinstance(default, str):
        return f'"{default}"'
    plain = default is None or isinstance(default, int) or (type(default) is tuple and len(str(default)) < SHORT)
    return str(default) if plain else "..."


def members(thing: type) -> Iterator[str]:
    """The attributes that a class declares and its methods, those of bases of ours too."""
    seen = set[str]()
    for base in thing.__mro__:
        if not base.__module__.startswith(OURS):
            continue
        told = told_below(base)
        for name in dict.fromkeys([*vars(base).get("__annotations__", {}), *vars(base)]):
            if name.startswith("_") or name in seen or name in vars(base).get("__dataclass_fields__", {}):
                continue
            seen.add(name)
            one = vars(base).get(name, NONE)
            inner = getattr(one, "__func__", one)
            if inspect.isfunction(inner):
                yield entry(f"{name}{called_with(inner)}", inspect.getdoc(inner) or "")
            elif name in vars(base).get("__annotations__", {}):
                yield entry(_parameter(name, base.__annotations__[name], one), told.get(name, ""))
            elif inspect.getdoc(one) and not inspect.isclass(one):
                yield entry(name, told.get(name) or (inspect.getdoc(one) if hasattr(one, "__get__") else "") or "")


def told_below(thing: Any) -> dict[str, str]:
    """Name -> the text that stands below its assignment, in a module or class."""
    tree = ast.parse(dedent(inspect.getsource(thing)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else tree.body
    found = {}
    for first, second in pairwise(body):
        if isinstance(second, ast.Expr) and isinstance(second.value, ast.Constant):
            target = first.target if isinstance(first, ast.AnnAssign) else getattr(first, "targets", [None])[0]
            if isinstance(target, ast.Name):
                found[target.id] = inspect.cleandoc(str(second.value.value))
    return found
