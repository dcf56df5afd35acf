"""A very small interpreter of VBA: Subs without arguments, Subs with one text, calls, and texts joined by ``&``.

It runs what the buttons' module is made of, and refuses everything else, so that a Sub which this file does not
understand cannot pass by.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_SUB = re.compile(r"(?:Public|Private) Sub (\w+)\((?:ByVal (\w+) As String)?\)\n(.*?)End Sub\n", re.S)
_CALL = re.compile(r"\s*(\w+) (.+)")
_PART = re.compile(r'"((?:[^"]|"")*)"|(\w+)')


class NotUnderstood(Exception):
    """A line that is none of this."""


class Runner:
    """The Subs of a module. `outside`: what is called besides them, by name."""

    def __init__(self, source: str, outside: dict[str, Callable[[str], None]]) -> None:
        plain = re.sub(r"(?m)^(?:Attribute .*|Option Explicit|\s*'.*)?\n", "", source.replace("\r\n", "\n"))
        self.subs = {name: (argument, body) for name, argument, body in _SUB.findall(plain)}
        left = _SUB.sub("", plain).strip()
        if left:
            raise NotUnderstood(left)
        self._outside = outside

    def run(self, name: str, *given: str) -> None:
        """Run a Sub."""
        argument, body = self.subs[name]
        known = {argument: given[0]} if argument else {}
        for line in body.strip().split("\n"):
            call = _CALL.fullmatch(line)
            if call is None:
                raise NotUnderstood(line)
            value = self._value(call[2], known)
            if call[1] in self.subs:
                self.run(call[1], value)
            else:
                self._outside[call[1]](value)

    @staticmethod
    def _value(expression: str, known: dict[str, str]) -> str:
        said = []
        for part in re.split(r" & (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", expression):
            found = _PART.fullmatch(part.strip())
            if found is None or (found[2] and found[2] not in known):
                raise NotUnderstood(part)
            said.append(known[found[2]] if found[2] else found[1].replace('""', '"'))
        return "".join(said)
