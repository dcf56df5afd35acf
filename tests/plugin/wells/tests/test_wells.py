"""The Wells keeps what every rulebook promises, and its own cases come out as the book says."""

from __future__ import annotations

from pathlib import Path

from arbitro_wells import WELLS

from assistant.campaign.campaign import Campaign
from assistant.testing import kit

HERE = Path(__file__).parent


class TestWells(kit.Promises):
    """All promises, with a scripted campaign and a file of cases."""

    ruleset = WELLS
    golden_folders = (HERE / "golden",)
    case_files = (HERE / "cases.jsonl",)
    processes = False

    def opening(self) -> Campaign:
        """Two camps and two wells."""
        return kit.opening(WELLS, HERE / "start")
