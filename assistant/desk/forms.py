"""Forms: what a command asks the referee before it begins, several values at once; a door shows them in a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FormField:
    """A value that is asked for. `value`: what stands there at first; `options`: the only values, if there are any;
    `secret`: it is not shown while it is typed; `file`: it is a file, which may be looked for.
    """

    name: str
    label: str
    value: str = ""
    options: tuple[str, ...] = ()
    secret: bool = False
    file: bool = False


@dataclass(frozen=True)
class Form:
    """A form in words. `lines`: what the referee reads above its fields."""

    lines: tuple[str, ...]
    fields: tuple[FormField, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values, for a program in another language."""
        return {"lines": list(self.lines),
                "fields": [{**vars(field), "options": list(field.options)} for field in self.fields]}


FillIn = Callable[[Form], Mapping[str, str] | None]
"""Shows a form and returns the values by their names; None where the referee gives up, or nobody can be asked."""


def nobody_fills_in(form: Form) -> None:
    """Give up: there is no window in which anybody could be asked."""


def chosen(options: Sequence[str], value: str) -> int:
    """The number of the option that was chosen; the first for none of them."""
    return options.index(value) if value in options else 0
