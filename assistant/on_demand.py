"""Names that a package loads when they are first asked for: a table of names in; the package's `__getattr__` out.

The doors take a command by its name, and nothing is loaded for those that are not called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def rooms_of(rooms: Mapping[str, str]) -> dict[str, str]:
    """Name -> module, of a table that has several names, with blanks between, behind each module."""
    return {name: room for room, names in rooms.items() for name in names.split()}


def on_demand(package: str, room_of: Mapping[str, str]) -> Callable[[str], Any]:
    """What a package says of a name that is not in it: the object of that name in its module.

    `room_of`: name -> module below the package. The function raises AttributeError for what is not declared.
    """
    def found(name: str) -> Any:
        if name not in room_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{room_of[name]}"), name)

    return found
