"""What every ruleset promises, asked of Bloodlust nations."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.testing import kit
from tests.bloodlust.scenario import BLOODLUST, ground


class TestBloodlust(kit.Promises):
    """From the scripted beginning."""

    ruleset: Any = BLOODLUST

    def opening(self) -> Campaign:
        """The scenario without its script."""
        return ground()
