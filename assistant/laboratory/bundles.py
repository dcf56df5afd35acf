"""Plays an experiment bundle by bundle, and keeps each in a file, so that what was interrupted goes on from there."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from assistant.laboratory.experiment import Experiment
from assistant.laboratory.sample import Sample, play_campaign

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
            if place.read_text(encoding="utf-8") != text:
                raise OtherExperiment(WHAT)
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
