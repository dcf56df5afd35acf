"""Campaigns of the laboratory, played in this process or by two workers, for `run.py`:

    python benchmarks/laboratory.py turns RULEBOOK     seconds of the campaigns of two seeds, and how many turns
    python benchmarks/laboratory.py workers            seconds of the same bundles by one and two plain processes, and
                                                       by one and two workers of Dask
    python benchmarks/laboratory.py handover           seconds that Dask takes for a bundle with nothing to play

Each prints JSON. A cluster of Dask stands and is warm before its seconds are counted, and so are plain processes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.run import CREW_BUNDLE, CREW_CAMPAIGNS, HANDED  # noqa: E402

SEEDS, TURNS = range(1, 3), 4
"""The campaigns whose turns are counted, and how many turns each has at most: years, days or ordinary turns."""
WORKERS = 2


def experiment(ruleset: str, turns: int) -> Any:
    """A scenario of a rulebook as the laboratory plays it."""
    from assistant.desk.commands.simulate import SimulatePlan, make_setting

    return make_setting(SimulatePlan(ruleset, turns=turns), "en").experiment


def play_turns(ruleset: str) -> tuple[float, float, int]:
    """Seconds by the clock and of the processor, and the turns that were played in them."""
    from assistant.environment import collect_garbage_seldom
    from assistant.laboratory.experiment import play_campaign

    played = experiment(ruleset, TURNS)
    collect_garbage_seldom()
    wall, busy = time.perf_counter(), time.process_time()
    samples = [play_campaign(played, 0, seed) for seed in SEEDS]
    for sample in samples:
        if sample.fault:
            raise RuntimeError(f"{ruleset}, seed {sample.seed}: {sample.fault}")
    return time.perf_counter() - wall, time.process_time() - busy, sum(len(sample.turns) for sample in samples)


def compare_workers() -> Iterator[tuple[str, float]]:
    """Seconds by the clock of the same bundles: one and two plain processes, one and two workers of Dask."""
    from distributed import Client, LocalCluster

    from assistant.desk.commands.simulate import running_code
    from assistant.laboratory.workers import Bundle, Cluster, Crew, Processes

    bundles = [Bundle(seed, CREW_BUNDLE) for seed in range(1, CREW_CAMPAIGNS + 1, CREW_BUNDLE)]
    played = experiment("giglio", 1)
    for workers, called in ((1, "one {}"), (WORKERS, "two {}")):
        warm = [Bundle(seed, 1) for seed in range(1001, 1001 + 2 * workers)]
        with LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1",
                          dashboard_address=None) as here, Client(here):
            crews: dict[str, Crew] = {
                "process" if workers == 1 else "processes": Processes(played, workers),
                "worker of Dask" if workers == 1 else "workers of Dask": Cluster(
                    played, here.scheduler_address, workers, running_code, running_code("giglio"))}
            for name, crew in crews.items():
                coming = iter(crew.play([*warm, *bundles]))
                for _ in warm:
                    next(coming)
                began = time.perf_counter()
                for _ in coming:
                    pass
                yield called.format(name), time.perf_counter() - began


def nothing(packed: bytes, bundle: tuple[int, int]) -> list[Any]:
    """What a worker does for a bundle in which there is nothing to play."""
    return [len(packed), *bundle]


def hand_over() -> float:
    """Seconds by the clock that a cluster takes for a bundle beside its play: to send it, and to fetch the answer."""
    import pickle

    from distributed import Client, LocalCluster, as_completed

    packed = pickle.dumps(experiment("giglio", 1))
    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, host="127.0.0.1",
                      dashboard_address=None) as here, Client(here) as client:
        client.submit(nothing, packed, (0, 0), pure=False).result()
        began = time.perf_counter()
        for future in as_completed([client.submit(nothing, packed, (seed, 1), pure=False)
                                    for seed in range(HANDED)]):
            future.result()
        return (time.perf_counter() - began) / HANDED


if __name__ == "__main__":
    part, *rest = sys.argv[1:]
    if part == "turns":
        print(json.dumps(play_turns(*rest)))
    elif part == "workers":
        print(json.dumps(dict(compare_workers())))
    else:
        print(json.dumps(hand_over()))
