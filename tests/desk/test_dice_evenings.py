"""Random evenings of typed dice, for throws that are over and for those to come, in all five rulebooks.

Each seed is an evening of its own; `ARBITRO_EVENINGS=500` plays so many of them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.desk import dice_evenings

SEEDS = range(int(os.environ.get("ARBITRO_EVENINGS", "5")))
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Where evenings begin, by rulebook; made when they are asked for."""
    return {}


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_is_accused_of_a_die_and_each_counts_for_its_throw(
        seed: int, begun: dict[str, list[Path]], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A forgotten order is given after dice were typed for what it throws: by a line, in a CSV or on the sheet."""
    number, book = divmod(seed, len(dice_evenings.BOOKS))
    name = dice_evenings.BOOKS[book]
    if name not in begun:
        begun[name] = dice_evenings.worlds(name, tmp_path_factory.mktemp(name))

    one = dice_evenings.evening(name, number, begun[name], tmp_path)

    assert one.said, "somebody did something"
