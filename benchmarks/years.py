"""Robots play five years of Italy 1500 in this process, for `run.py`:

    python benchmarks/years.py        seconds of the processor for each year, and by the clock, as JSON

The tests' own robots play, so that the campaign that is measured is one that is known to end.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SECRET = bytes(32)


def years() -> Iterator[tuple[float, float]]:
    """The seconds of each year: by the clock, of the processor."""
    from assistant.environment import collect_garbage_seldom
    from tests.giglio.test_robots import opening, play

    with tempfile.TemporaryDirectory() as folder:
        campaign = opening(Path(folder))
    collect_garbage_seldom()  # as every command does
    wall, busy, year = time.perf_counter(), time.process_time(), ""
    for _, outcome in play(campaign, SECRET):
        if year not in ("", outcome.turn):
            yield time.perf_counter() - wall, time.process_time() - busy
            wall, busy = time.perf_counter(), time.process_time()
        year = outcome.turn


if __name__ == "__main__":
    print(json.dumps(list(years())[:5]))
