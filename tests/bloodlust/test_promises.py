"""What every ruleset promises, asked of Bloodlust nations."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.testing import kit
from tests.bloodlust.scenario import BLOODLUST, ground


class TestBloodlust(kit.Promises):
    """From the scripted beginning."""

    ruleset: Any = BLOODLUST
    seeds = range(2)
    phases = 6

    def opening(self) -> Campaign:
        """The scenario without its script."""
        return ground()

    @pytest.mark.slow
    def test_robots_play_to_the_end(self) -> None:
        """Every change is told, every event cites its rule."""
        super().test_robots_play_to_the_end()
