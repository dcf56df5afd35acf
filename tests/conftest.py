"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import sys

import pytest

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""What Python has compiled is kept, whatever the machine says: every worker imports all tests, some start processes."""

gc.set_threshold(500_000, 50, 100)
"""As the commands have it: what one test leaves behind is little beside what all modules hold."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded by now is never looked through for garbage."""
    gc.freeze()
