"""The sketches as they are where somebody has installed them: each is found by its entry point."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.testing import kit


@pytest.fixture(scope="session", autouse=True)
def plugged_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All four."""
    with kit.plug_in(tmp_path_factory.mktemp("sketches"), waters="tests.sketches.waters:WATERS",
                     realms="tests.sketches.realms:REALMS", walls="tests.sketches.walls:WALLS",
                     islands="tests.sketches.islands:ISLANDS"):
        yield
