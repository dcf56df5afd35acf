"""Plays an experiment bundle by bundle, each kept in a file: in processes of this machine, or on a cluster of Dask."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast
from urllib.parse import urlsplit

from assistant.environment import collect_garbage_seldom
from assistant.laboratory.experiment import Experiment, Sample, play_campaign

if TYPE_CHECKING:
    from distributed import Client


# --- bundles --------------------------------------------------------------------------------------
# Plays an experiment bundle by bundle, and keeps each in a file, so that what was interrupted goes on from there.

BUNDLE = 10
"""So many seeds are played together, by one process; each of them in every variant."""
DONE = "played"
"""The folder of what was played, inside that of an experiment."""
WHAT = "experiment.json"
"""The file that says what is played there."""
Samples = list[list[Sample]]
"""Of each seed, in their order, a campaign of each variant."""
KILLED = "its process ended three times before it was done"


class Bundle(NamedTuple):
    """Seeds that are played together: the first, and how many (`size`)."""

    first: int
    size: int

    @property
    def seeds(self) -> range:
        """Its seeds in order."""
        return range(self.first, self.first + self.size)


def bundles_of(first: int, campaigns: int) -> list[Bundle]:
    """The bundles of a run of seeds, in order: the same ones however many there are of them in all."""
    last = first + campaigns
    return [Bundle(seed, min(BUNDLE, last - seed)) for seed in range(first, last, BUNDLE)]


def play_bundle(experiment: Experiment, bundle: Bundle) -> list[list[dict[str, Any]]]:
    """The campaigns of a bundle as plain values: of each seed one of each variant."""
    return [[play_campaign(experiment, variant, seed).as_plain() for variant in range(len(experiment.variants))]
            for seed in bundle.seeds]


def killed_bundle(experiment: Experiment, bundle: Bundle) -> list[list[dict[str, Any]]]:
    """A bundle that ended every process that played it: each of its campaigns has a fault."""
    return [[Sample(seed, variant, fault=KILLED).as_plain() for variant in range(len(experiment.variants))]
            for seed in bundle.seeds]


class Crew(Protocol):
    """Who plays bundles: this process, several of this machine, or a cluster."""

    def play(self, bundles: Iterable[Bundle]) -> Iterator[tuple[Bundle, list[list[dict[str, Any]]]]]:
        """Play bundles, in any order, a bounded number at a time."""


class OneProcess:
    """This process plays one bundle after the other."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment

    def play(self, bundles: Iterable[Bundle]) -> Iterator[tuple[Bundle, list[list[dict[str, Any]]]]]:
        """Play bundles in their order."""
        for bundle in bundles:
            yield bundle, play_bundle(self._experiment, bundle)


# What was played, in files.


class OtherExperiment(Exception):
    """The folder holds something else than this experiment. `name`: the file by which that is seen."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Store:
    """The folder of an experiment. `what`: plain values that say what is played, by which it is known again."""

    def __init__(self, folder: Path, what: Mapping[str, Any], series: str = "") -> None:
        self.folder, self._what = folder, what
        self._played = folder / DONE / series if series else folder / DONE

    def open(self) -> None:
        """Make the folder, or find it with the same experiment. Raises `OtherExperiment` and OSError."""
        text = json.dumps(self._what, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        place = self.folder / WHAT
        if place.is_file():
            # what was played with other numbers must not be counted with these
            if place.read_text(encoding="utf-8") != text:
                raise OtherExperiment(WHAT)
        # somebody's own folder, in which nothing of ours belongs
        elif self.folder.is_dir() and any(self.folder.iterdir()):
            raise OtherExperiment(next(path.name for path in sorted(self.folder.iterdir())))
        self._played.mkdir(parents=True, exist_ok=True)
        _put(place, text.encode())

    def _place(self, bundle: Bundle) -> Path:
        return self._played / f"seeds-{bundle.first}-{bundle.seeds[-1]}.json.gz"

    def has(self, bundle: Bundle) -> bool:
        """Whether a bundle was played."""
        return self._place(bundle).is_file()

    def put(self, bundle: Bundle, played: list[list[dict[str, Any]]]) -> None:
        """Keep a bundle: whole, or not at all. Raises OSError."""
        body = json.dumps(played, ensure_ascii=False, separators=(",", ":")).encode()
        _put(self._place(bundle), gzip.compress(body, 6, mtime=0))

    def samples(self, bundle: Bundle) -> Samples:
        """A bundle that was played. Raises OSError and ValueError."""
        plain = json.loads(gzip.decompress(self._place(bundle).read_bytes()))
        return [[Sample.of(one) for one in row] for row in plain]


def _put(place: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises OSError."""
    ready = place.with_name(f".{place.name}.tmp")
    try:
        ready.write_bytes(content)
        os.replace(ready, place)
    except OSError:
        ready.unlink(missing_ok=True)
        raise


def play_missing(store: Store, bundles: Sequence[Bundle], crew: Crew, tell: Callable[[int, int, int], None]) -> None:
    """Play what is missing of some bundles and keep it. Raises OSError.

    `tell`: is given, after each bundle, how many seeds are done, how many there are, and how many were done before.
    """
    missing = [bundle for bundle in bundles if not store.has(bundle)]
    every = sum(bundle.size for bundle in bundles)
    before = done = every - sum(bundle.size for bundle in missing)
    for bundle, played in crew.play(missing):
        store.put(bundle, played)
        done += bundle.size
        tell(done, every, before)


def all_samples(store: Store, bundles: Iterable[Bundle]) -> Iterator[list[Sample]]:
    """The campaigns of some bundles seed by seed, in the order of the seeds; a bundle at a time is in memory."""
    for bundle in bundles:
        yield from store.samples(bundle)


# --- cluster --------------------------------------------------------------------------------------
# Plays bundles on a cluster of Dask: one on this machine, or any whose scheduler has an address.

LOCAL = "local"
"""In place of an address: a cluster is started on this machine and ends with the command."""
HERE = ("127.0.0.1", "localhost", "::1")
AHEAD = 3
"""So many bundles at most are under way for each thread of the cluster."""
MOST_DEATHS = 3
"""A bundle that has ended so many processes is a fault."""
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
    return play_bundle(_unpack(packed), Bundle(*bundle))


@lru_cache(maxsize=1)
def _unpack(packed: bytes) -> Experiment:
    collect_garbage_seldom()
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
        with dask.config.set({"distributed.scheduler.allowed-failures": MOST_DEATHS - 1,
                              "distributed.worker.profile.enabled": False}):
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


# --- processes ------------------------------------------------------------------------------------
# Several processes of this machine play bundles; one that ends in the midst loses nothing but its own time.

PROCESSES_AHEAD = 2
"""So many bundles at most are under way for each process."""

_experiment: list[Experiment] = []
"""What this process plays, if it is one of the laboratory's."""


def _begin(experiment: Experiment) -> None:
    """Begin as one of the laboratory's processes: Ctrl-C is the business of the one that has started them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_garbage_seldom()
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
            # one of those under way ended its process, and nobody knows which: each is played alone
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
                for bundle in islice(bundles, self._workers * PROCESSES_AHEAD - len(under_way)):
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
