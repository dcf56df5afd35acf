"""The templates of reports and pictures: where they stand, and how Jinja keeps them; an environment out."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant import __version__
from assistant.resources import folder

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Templates of pictures: whatever they are given is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(loader=FileSystemLoader(folder("reports") / "templates"), bytecode_cache=compiled(),
                       undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True)
    made.filters["px"] = px
    return made


def px(value: float) -> str:
    """Pixels to a tenth, without digits that say nothing."""
    return f"{value:.1f}".removesuffix(".0")


def compiled() -> BytecodeCache | None:
    """Where templates are kept as Jinja compiled them, which takes a tenth of a report: where Python keeps modules.

    Each is compiled anew when its text differs, and for each version of ours, which may ask Jinja for something else.
    None where Python may not write, as for modules.
    """
    from jinja2 import FileSystemBytecodeCache

    home = folder("reports") / "__pycache__"
    if sys.dont_write_bytecode or not os.access(home if home.is_dir() else home.parent, os.W_OK):
        return None
    home.mkdir(exist_ok=True)
    return FileSystemBytecodeCache(str(home), f"jinja-{__version__}-%s.cache")
