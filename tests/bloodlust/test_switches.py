"""Every switch of Bloodlust nations: what it changes in small cases, and that each option can be played."""

from __future__ import annotations

from itertools import islice

import pytest

from assistant.testing import kit, robots
from assistant.turn.numbers import Switch
from tests.bloodlust.scenario import BLOODLUST, SECRET, ground

OTHERS = [(one.key, option) for one in BLOODLUST.numbers if isinstance(one, Switch) for option in one.options[1:]]
CAMPAIGNS = 15
"""Among so many campaigns all options are dealt out."""
YEAR = 50
"""More phases than a year has."""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CAMPAIGNS))
def test_each_option_is_played(number: int) -> None:
    """Robots play most of a year with some of them, each of another switch; every phase ends."""
    rules = dict(OTHERS[number::CAMPAIGNS])
    assert len(rules) == len(OTHERS[number::CAMPAIGNS])
    played = list(islice(robots.play(BLOODLUST, kit.with_robots(ground(rules=rules)), SECRET), YEAR))
    assert len(played) == YEAR
