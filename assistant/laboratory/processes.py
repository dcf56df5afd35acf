"""Several processes of this machine play bundles; one that ends in the midst loses nothing but its own time."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any

from assistant.laboratory.bundles import Bundle, killed_bundle, play_bundle
from assistant.laboratory.experiment import Experiment

AHEAD = 2
"""So many bundles at most are under way for each process."""
MOST_DEATHS = 3
"""A bundle that has ended so many processes is a fault."""
Played = list[list[dict[str, Any]]]

_experiment: list[Experiment] = []
"""What this process plays, if it is one of the laboratory's."""


def _begin(experiment: Experiment) -> None:
    """Begin as one of the laboratory's processes: Ctrl-C is the business of the one that has started them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _experiment[:] = [experiment]


def _play(bundle: Bundle) -> Played:
    return play_bundle(_experiment[0], bundle)


class Processes:
    """A number of processes, each of which plays one bundle after the other."""

    def __init__(self, experiment: Experiment, workers: int) -> None:
        self._experiment, self._workers = experiment, workers

    def play(self, bundles: Iterable[Bundle]) -> Iterator[tuple[Bundle, Played]]:
        """Play bundles as processes become free, a bounded number at a time.

        Where a process ends in the midst all begin anew. The bundles that were under way are then played again, one at
        a time, as nothing tells which of them has ended it; one that ends three processes comes back as a fault.
        """
        coming, again, deaths = iter(bundles), list[Bundle](), Counter[Bundle]()
        while True:
            lost = list[Bundle]()
            yield from self._play_all(coming, lost)
            again += lost
            if not lost:
                return
            while again:
                bundle, alone = again.pop(0), list[Bundle]()
                yield from self._play_all(iter([bundle]), alone)
                deaths.update(alone)
                if deaths[bundle] >= MOST_DEATHS:
                    yield bundle, killed_bundle(self._experiment, bundle)
                else:
                    again += alone

    def _play_all(self, bundles: Iterator[Bundle], lost: list[Bundle]) -> Iterator[tuple[Bundle, Played]]:
        """Play until there are none left, or until a process ends; those under way are then put into `lost`."""
        pool = ProcessPoolExecutor(self._workers, get_context("spawn"), _begin, (self._experiment,))
        under_way: dict[Future[Played], Bundle] = {}
        try:
            while True:
                for bundle in islice(bundles, self._workers * AHEAD - len(under_way)):
                    under_way[pool.submit(_play, bundle)] = bundle
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    bundle = under_way.pop(future)
                    try:
                        played = future.result()
                    except BrokenProcessPool:
                        lost += [bundle, *under_way.values()]
                        return
                    yield bundle, played
        except BrokenProcessPool:  # while a bundle was handed over; it is not among those under way
            lost += [bundle, *under_way.values()]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
