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


def all_slow(cases: Iterable[Any]) -> list[Any]:
    """Cases of a test (a tuple: several arguments) that run in the slow part."""
    return [_case(one, pytest.mark.slow) for one in cases]


def fast_among(cases: Iterable[Any], *fast: Any) -> list[Any]:
    """All `cases` of a test (a tuple: several arguments); those in `fast` run in the fast part, the others in the slow
    one.
    """
    listed = list(cases)
    assert all(one in listed for one in fast), fast
    return [_case(one) if one in fast else _case(one, pytest.mark.slow) for one in listed]


def _case(one: Any, *marks: pytest.MarkDecorator) -> Any:
    return pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=marks)


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
