"""Evenings of two referees whose files a cloud folder lays about: see `tests.desk.cloud`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.desk import cloud, evenings
from tests.sweeps import FULL_PROOFS

SEEDS = [*(("tiny", seed) for seed in (5, 18, 42, 54, 57, 63, 72, 78, 104, 136, 146)), ("giglio", 1), ("giglio", 4),
         ("anarchy", 2), ("anarchy", 7)]
EVENINGS = {"tiny": 80, "giglio": 60, "anarchy": 60}
"""How many evenings of each rulebook the full proof takes."""
if FULL_PROOFS:
    SEEDS = [(ruleset, seed) for ruleset, count in EVENINGS.items() for seed in range(count)]


@pytest.fixture(scope="module")
def worlds() -> dict[str, tuple[Path, Path]]:
    """Where evenings begin, by rulebook; made when they are asked for."""
    return {}


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "seed"), SEEDS)
def test_an_evening_of_two_referees(ruleset: str, seed: int, worlds: dict[str, tuple[Path, Path]],
                                    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the cloud lays side by side is told truly, nothing that was kept is lost, and there is a way out."""
    if ruleset not in worlds:
        worlds[ruleset] = evenings.world(ruleset, tmp_path_factory.mktemp("world"))
    for name in ("ARBITRO_HOME", "LOGNAME", "ARBITRO_BACKUPS"):  # each referee has their own
        monkeypatch.setenv(name, os.environ.get(name, ""))
    cloud.evening(ruleset, seed, worlds[ruleset])
