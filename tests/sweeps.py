"""Which of many cases, and which of the tests that a class inherits, run in the slow part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

import pytest

C = TypeVar("C")
FULL_PROOFS = bool(os.environ.get("ARBITRO_FULL_PROOFS"))
"""Whether proofs by many random cases run at their full size."""


def of_proof(usual: int, full: int) -> int:
    """How many random cases a proof takes."""
    return full if FULL_PROOFS else usual


def thinned(values: Iterable[Any], every: int) -> list[Any]:
    """All `values` (a tuple: several arguments of one test); the first and every so many after it run in the fast
    part, the others in the slow one.
    """
    return [pytest.param(*(one if isinstance(one, tuple) else (one,)),
                         marks=() if number % every == 0 else pytest.mark.slow)
            for number, one in enumerate(values)]


def fast_among(values: Iterable[C], *fast: C) -> list[Any]:
    """All `values` of one argument; those in `fast` run in the fast part, the others in the slow one."""
    return [pytest.param(one, marks=() if one in fast else pytest.mark.slow) for one in values]


def slow_among(*names: str) -> Callable[[type[C]], type[C]]:
    """Of the tests that a class inherits those of these names run in the slow part, in this class alone."""
    def mark(tests: type[C]) -> type[C]:
        for name in names:
            setattr(tests, name, pytest.mark.slow(_own(getattr(tests, name))))
        return tests

    return mark


def asked_elsewhere(*names: str) -> Callable[[type[C]], type[C]]:
    """Of the tests that a class inherits those of these names do not run in this class: another test asks the same of
    more phases, which the class names in its docstring.
    """
    def drop(tests: type[C]) -> type[C]:
        for name in names:
            assert hasattr(tests, name), name
            setattr(tests, name, None)
        return tests

    return drop


def _own(inherited: Callable[..., None]) -> Callable[..., None]:
    """A test of the same name and arguments: a mark on the inherited one would count wherever else it is inherited."""
    @wraps(inherited)
    def test(*given: Any, **named: Any) -> None:
        inherited(*given, **named)

    return test
