"""Values of a sweep in; the same as parameters out, all but every so many of them for the slow part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def thinned(values: Iterable[Any], every: int) -> list[Any]:
    """All `values` (a tuple: several arguments of one test); the first and every so many after it run in the fast
    part, the others in the slow one.
    """
    return [pytest.param(*(one if isinstance(one, tuple) else (one,)),
                         marks=() if number % every == 0 else pytest.mark.slow)
            for number, one in enumerate(values)]
