"""What is counted over all campaigns of an experiment: exact sums, added seed by seed in their order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from assistant.laboratory.comparisons import Pairs, Sums
from assistant.laboratory.sample import Sample

DOUBTFUL = 100
"""One campaign in so many with a fault, and what an experiment says is not to be trusted."""
MEASURES = ("length", "battles", "quiet")
"""Numbers of a campaign that are compared: its ordinary turns, its battles, its turns without any."""


def measure(sample: Sample, name: str) -> int:
    """A number of a campaign, one of `MEASURES`."""
    return sample.total("battles") if name == "battles" else int(getattr(sample, name))


@dataclass
class VariantTotals:
    """Sums over the campaigns of one variant whose seed had no fault in any variant.

    `wins`: faction -> campaigns that it won, alone or with others; `drawn`: that ended without a winner; `lengths`:
    ordinary turns -> campaigns; `paces`: battles in an ordinary turn -> turns; `figures`: figure -> number of the turn
    -> faction -> campaigns and sum; `rules`, `events`: key or word -> campaigns that had it, and how often in all.
    """

    campaigns: int = 0
    over: int = 0
    drawn: int = 0
    orders: int = 0
    refused: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    paces: Counter[int] = field(default_factory=Counter)
    turns: dict[int, str] = field(default_factory=dict)
    figures: dict[str, dict[int, dict[str, tuple[int, int]]]] = field(default_factory=dict)
    rules: dict[str, tuple[int, int]] = field(default_factory=dict)
    events: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, sample: Sample) -> None:
        """Add a campaign."""
        self.campaigns += 1
        self.over += sample.over
        self.drawn += sample.over and not sample.winners
        self.orders += sample.total("orders")
        self.refused += sample.total("refused")
        self.wins.update(sample.winners)
        self.lengths[sample.length] += 1
        self.paces.update(turn.battles for turn in sample.turns if turn.regular)
        for counted, found in ((self.rules, sample.rules), (self.events, sample.events)):
            for key, times in found.items():
                had, uses = counted.get(key, (0, 0))
                counted[key] = had + 1, uses + times
        for number, turn in enumerate(sample.turns, 1):
            self.turns.setdefault(number, turn.turn)
            for faction, values in turn.figures.items():
                for name, value in values.items():
                    sums = self.figures.setdefault(name, {}).setdefault(number, {})
                    n, total = sums.get(faction, (0, 0))
                    sums[faction] = n + 1, total + value

    @property
    def mean_battles(self) -> float | None:
        """Battles in an ordinary turn; None where there was no such turn."""
        turns = sum(self.paces.values())
        return sum(battles * n for battles, n in self.paces.items()) / turns if turns else None

    @property
    def quiet_share(self) -> float | None:
        """The share of ordinary turns without any battle; None where there was no such turn."""
        turns = sum(self.paces.values())
        return self.paces[0] / turns if turns else None


@dataclass
class Totals:
    """Sums over a whole experiment. `seeds`: how many were played; `faults`: campaigns with one, of `played`;
    `dropped`: seeds that do not count because one of their campaigns has a fault; `wins`, `sums`: of each variant
    compared with the first, by faction or measure.
    """

    variants: list[VariantTotals]
    factions: tuple[str, ...]
    seeds: int = 0
    played: int = 0
    faults: list[Sample] = field(default_factory=list)
    faulty: int = 0
    dropped: int = 0
    wins: dict[tuple[int, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0]))
    sums: dict[tuple[int, str], Sums] = field(default_factory=lambda: defaultdict(Sums))

    @classmethod
    def of(cls, variants: int, factions: Sequence[str]) -> Totals:
        """Sums over nothing yet."""
        return cls([VariantTotals() for _ in range(variants)], tuple(factions))

    def add(self, samples: Sequence[Sample]) -> None:
        """Add the campaigns of one seed, one of each variant in their order."""
        self.seeds += 1
        self.played += len(samples)
        bad = [sample for sample in samples if sample.fault]
        self.faulty += len(bad)
        self.faults += bad[:max(0, MOST_FAULTS_SHOWN - len(self.faults))]
        if bad:
            self.dropped += 1
            return
        first = samples[0]
        for number, (variant, sample) in enumerate(zip(self.variants, samples, strict=True)):
            variant.add(sample)
            for faction in self.factions if number else ():
                cell = (faction not in first.winners) * 1 + (faction not in sample.winners) * 1
                place = 3 if cell == 2 else 0 if not cell else 1 if faction in first.winners else 2
                self.wins[number, faction][place] += 1
            for name in MEASURES if number else ():
                self.sums[number, name] = self.sums[number, name].plus(measure(first, name), measure(sample, name))

    def pairs(self, variant: int, faction: str) -> Pairs:
        """The seeds by whether a faction won in the first variant and in this one."""
        return Pairs(*self.wins[variant, faction])

    @property
    def doubtful(self) -> bool:
        """Whether more than one campaign in a hundred had a fault."""
        return self.faulty * DOUBTFUL > self.played


MOST_FAULTS_SHOWN = 20
"""So many faults are kept for the page; the table of campaigns has them all."""
