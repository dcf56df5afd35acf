"""Patterns that wait for their first use: that they are the library's afterwards, and that waiting is not forgotten."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from assistant.late_regex import late_regex
from tests.house.source import modules


def test_a_late_pattern_is_the_librarys_once_it_is_used() -> None:
    """What is found, split and replaced is what the library does with the same text and flags."""
    late, library = late_regex(r"(?P<letter>[a-c])(\d)", re.IGNORECASE), re.compile(r"(?P<letter>[a-c])(\d)", re.I)
    text = "a1 B2 d3 C4"

    assert [one.groupdict() for one in late.finditer(text)] == [one.groupdict() for one in library.finditer(text)]
    assert (late.split(text), late.sub("-", text), late.findall(text)) == (
        library.split(text), library.sub("-", text), library.findall(text))
    assert (late.flags, late.groups, late.pattern, late.groupindex) == (
        library.flags, library.groups, library.pattern, library.groupindex)
    assert late.fullmatch("x") is None


def test_a_pattern_that_is_none_says_so_at_its_first_use() -> None:
    """Where it is declared nothing is compiled."""
    late = late_regex("(")

    with pytest.raises(re.error):
        late.match("(")


def test_every_declared_pattern_can_be_compiled() -> None:
    """A slip in a pattern is found here and not by the first referee who comes upon it."""
    program = ("import importlib, pkgutil, assistant\nfrom assistant.late_regex import _Late\n"
               "found = 0\n"
               "for one in pkgutil.walk_packages(assistant.__path__, 'assistant.'):\n"
               "    if one.name.startswith(('assistant.testing', 'assistant.dev', 'assistant.buttons.office', "
               "'assistant.__main__')):\n        continue\n"
               "    for held in vars(importlib.import_module(one.name)).values():\n"
               "        if isinstance(held, _Late):\n            found += bool(held.pattern)\n"
               "print(found)")

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert int(done.stdout) > 100


def test_no_module_compiles_a_pattern_while_it_is_loaded() -> None:
    """Patterns of modules wait; what is compiled within a function is there to be used at once. LibreOffice's macro
    runs without ours.
    """
    early = [f"{path}:{number}" for path in modules() if not {"dev", "testing", "macro"} & {*path.parts}
             for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
             if re.match(r"[A-Za-z_][^=(]*= *\(?re\.compile\(", line)]

    assert early == []
