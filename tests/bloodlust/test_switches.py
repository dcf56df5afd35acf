"""Every switch of Bloodlust nations: what it changes in small cases, and that each option can be played."""

from __future__ import annotations

from itertools import islice

import pytest

from assistant.testing import kit, robots
from assistant.turn.numbers import Switch
from tests.bloodlust.scenario import BLOODLUST, SECRET, ground

OTHERS = [(one.key, option) for one in BLOODLUST.numbers if isinstance(one, Switch) for option in one.options[1:]]
YEAR = 50
"""More phases than a year has."""


@pytest.mark.slow
@pytest.mark.parametrize(("key", "option"), OTHERS)
def test_each_option_is_played(key: str, option: str) -> None:
    """Robots play most of a year with it; every phase ends."""
    played = list(islice(robots.play(BLOODLUST, kit.with_robots(ground(rules={key: option})), SECRET), YEAR))
    assert len(played) == YEAR
