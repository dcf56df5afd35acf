"""A rulebook that ends the whole process that plays it: always, or only the first one."""

from __future__ import annotations

import os
from pathlib import Path

from assistant.campaign.campaign import Campaign
from tests.laboratory.duel import Duel

ONCE = "ARBITRO_TEST_ENDS_ONCE"
"""The environment variable with a file: the first process that finds it takes it away and ends."""


class Fatal(Duel):
    """Two Bridges, one of which falls."""

    id = "fatal"

    def places_held(self, view: Campaign, faction: str) -> int:
        """None; the process may end while it is counted."""
        if view.desk.title == "falls":
            os._exit(9)
        try:
            Path(os.environ.get(ONCE, "/nowhere")).unlink()
        except OSError:
            return 0
        os._exit(9)


FATAL = Fatal()
