"""Chances as people say them."""

from fractions import Fraction

import pytest

from assistant.turn.chances import percent


@pytest.mark.parametrize(("chance", "said"), [
    (Fraction(20613, 65536), "31 %"), (Fraction(1, 8), "13 %"), (Fraction(0), "0 %"), (Fraction(1), "100 %"),
    (Fraction(1, 4096), "< 1 %"), (Fraction(4095, 4096), "> 99 %"), (Fraction(1, 200), "1 %"),
])
def test_a_chance_in_per_cent(chance: Fraction, said: str) -> None:
    """Whole, halves rounded up; what may happen is never told as 0, what may fail never as 100."""
    assert percent(chance) == said
