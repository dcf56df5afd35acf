"""Plays bundles on a cluster of Dask: one on this machine, or any whose scheduler has an address."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from assistant.laboratory.bundles import Bundle, killed_bundle, play_bundle
from assistant.laboratory.experiment import Experiment

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
"""In place of an address: a cluster is started on this machine and ends with the command."""
HERE = ("127.0.0.1", "localhost", "::1")
AHEAD = 3
"""So many bundles at most are under way for each thread of the cluster."""
MOST_DEATHS = 3
CONNECT_SECONDS = 10
Played = list[list[dict[str, Any]]]


class ClusterTrouble(Exception):
    """A cluster that cannot be used. `why`: ``library``, ``open`` (foreign and without TLS), ``certificates``,
    ``absent``, ``version``; `detail`: what was seen.
    """

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}")
        self.why, self.detail = why, detail


def check_address(address: str) -> None:
    """Raise `ClusterTrouble` for a foreign cluster without TLS, as a scheduler runs anybody's code, and where the
    library is not installed.
    """
    parts = urlsplit(address)
    if address != LOCAL and parts.scheme != "tls" and parts.hostname not in HERE:
        raise ClusterTrouble("open", address)
    if find_spec("distributed") is None:
        raise ClusterTrouble("library")


def _check_certificates(address: str) -> None:
    """Raise `ClusterTrouble` where TLS is asked for and Dask's configuration names no certificates; OSError where they
    cannot be read.
    """
    from distributed.security import Security

    if address.startswith("tls:") and Security().get_connection_args("client").get("ssl_context") is None:
        raise ClusterTrouble("certificates", address)


def play_pickled(packed: bytes, bundle: tuple[int, int]) -> Played:
    """Play a bundle in a worker. `packed`: the experiment, which is unpacked once."""
    return play_bundle(_unpacked(packed), Bundle(*bundle))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Experiment:
    return cast(Experiment, pickle.loads(packed))


class Cluster:
    """A cluster of Dask. `code`: says in a worker which code it runs, `expected`: what it has to say."""

    def __init__(self, experiment: Experiment, address: str, workers: int, code: Callable[[str], object],
                 expected: object) -> None:
        self._experiment, self._address, self._workers = experiment, address, workers
        self._code, self._expected = code, expected

    def play(self, bundles: Iterable[Bundle]) -> Iterator[tuple[Bundle, Played]]:
        """Play bundles in any order. One whose worker is lost is played again by another; one that has ended three
        comes back as a fault. Raises `ClusterTrouble` before anything is begun.
        """
        import dask
        from distributed import Client, LocalCluster

        coming = list(bundles)
        if not coming:
            return
        with dask.config.set({"distributed.scheduler.allowed-failures": MOST_DEATHS - 1}):
            if self._address == LOCAL:
                with LocalCluster(n_workers=self._workers, threads_per_worker=1, host="127.0.0.1",
                                  dashboard_address=None) as here, Client(here) as client:
                    yield from self._play(client, iter(coming))
                return
            try:
                _check_certificates(self._address)
                client = Client(self._address, timeout=CONNECT_SECONDS)
            except (OSError, ValueError) as fault:
                raise ClusterTrouble("absent", " ".join(str(fault).split())) from fault
            with client:
                yield from self._play(client, iter(coming))

    def _play(self, client: Client, bundles: Iterator[Bundle]) -> Iterator[tuple[Bundle, Played]]:
        from distributed import CancelledError, KilledWorker, as_completed

        self._check(client)
        packed = pickle.dumps(self._experiment)  # with each bundle: what lies on a worker is lost with it
        under_way, lost = dict[Any, Bundle](), Counter[Bundle]()

        def submit(bundle: Bundle) -> Any:
            future = client.submit(play_pickled, packed, tuple(bundle), pure=False)
            under_way[future] = bundle
            return future

        threads = sum(client.nthreads().values())
        done = as_completed([submit(bundle) for bundle in islice(bundles, threads * AHEAD)])
        for future in done:
            bundle = under_way.pop(future)
            try:
                played = future.result()
            except CancelledError:  # it was done, and its worker was lost before it was fetched
                lost[bundle] += 1
                if lost[bundle] < MOST_DEATHS:
                    done.add(submit(bundle))
                    continue
                played = killed_bundle(self._experiment, bundle)
            except KilledWorker:
                played = killed_bundle(self._experiment, bundle)
            for following in islice(bundles, 1):
                done.add(submit(following))
            yield bundle, played

    def _check(self, client: Client) -> None:
        """Raise `ClusterTrouble` where there is no worker, or one runs other code than this process."""
        try:
            said = client.run(self._code, self._experiment.ruleset)
        except Exception as fault:  # a worker without Arbitro, or without the plug-in, may say so in any way
            raise ClusterTrouble("version", f"{type(fault).__name__}: {fault}") from fault
        if not said:
            raise ClusterTrouble("absent", "it has no worker")
        other = sorted(f"{worker}: {code}" for worker, code in said.items() if code != self._expected)
        if other:
            raise ClusterTrouble("version", other[0])
