"""What holds for all tests."""

from __future__ import annotations

import gc

import pytest

gc.set_threshold(500_000, 50, 100)
"""As the commands have it: what one test leaves behind is little beside what all modules hold."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded by now is never looked through for garbage."""
    gc.freeze()
