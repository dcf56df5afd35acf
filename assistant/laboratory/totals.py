"""What is counted over all campaigns, exact and in the order of seeds, and its tables as CSV and Parquet.

Shares and differences come with their intervals: whole campaigns are the unit, variants are paired by their seeds.
Counts are exact integers; only what is said of them at the end is a float.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from assistant.laboratory.experiment import PLACES, Sample, TurnSample, Variant
from assistant.turn.ruleset import Ruleset

# Shares, differences and their intervals.


CERTAINTY = 0.05
"""The chance of error over everything that one experiment says of its differences."""
FEWEST = 30
"""From so many campaigns on a mean gets an interval."""
LOOKS = (500, 1000, 2000, 4000, 8000, 16000)
"""At how many campaigns an experiment with a margin is looked at; the last is where it ends in any case."""


class Interval(NamedTuple):
    """An estimate and its interval; `error`: the standard error that it rests on."""

    value: float
    low: float
    high: float
    error: float

    @property
    def half(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


def quantile(error: float) -> float:
    """How many standard errors an interval reaches to either side where `error` is the chance that it is wrong."""
    return NormalDist().inv_cdf(1 - error / 2)


def error_at(look: int, comparisons: int) -> float:
    """The chance of error of one of several comparisons at a look, the first of which is 1: alpha/2^k, divided over
    all comparisons (Bonferroni). 0 as `look`: there is but one look, which has all of it.
    """
    return CERTAINTY / (1 << look) / max(comparisons, 1)


def share(count: int, of: int, error: float) -> Interval:
    """A share and its interval after Wilson. `of` 0: nothing is known, 0 to 1."""
    if not of:
        return Interval(0.0, 0.0, 1.0, 0.0)
    z, seen = quantile(error), count / of
    middle = (seen + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(seen * (1 - seen) / of + z * z / (4 * of * of))
    return Interval(seen, max(0.0, middle - half), min(1.0, middle + half), sqrt(seen * (1 - seen) / of))


class Pairs(NamedTuple):
    """Seeds by what happened in two variants: in both, only in the first, only in the second, in neither."""

    both: int = 0
    first: int = 0
    second: int = 0
    neither: int = 0

    @property
    def n(self) -> int:
        """The number of seeds."""
        return sum(self)


def share_difference(pairs: Pairs, error: float) -> Interval:
    """How much more often it happens in the second variant, seed by seed: the interval after Agresti and Min (2005),
    who count half a seed more in each of the four cells, so that a difference that was never seen is no certainty.
    """
    n, first, second = pairs.n + 2, pairs.first + 0.5, pairs.second + 0.5
    middle = (second - first) / n
    spread = sqrt(max(first + second - (second - first) ** 2 / n, 0.0)) / n
    half = quantile(error) * spread
    seen = (pairs.second - pairs.first) / pairs.n if pairs.n else 0.0
    return Interval(seen, max(-1.0, middle - half), min(1.0, middle + half), spread)


def share_gain(pairs: Pairs) -> float | None:
    """How many times as many campaigns would be needed without pairing for the same interval; None if unknown."""
    n = pairs.n
    a, b = pairs.both + pairs.first, pairs.both + pairs.second
    apart = (a * (n - a) + b * (n - b)) / n if n else 0.0
    paired = pairs.first + pairs.second - (pairs.second - pairs.first) ** 2 / n if n else 0.0
    return apart / paired if paired > 0 else None


class Sums(NamedTuple):
    """Sums over seeds of a number in two variants and of its difference: exact, as they are whole numbers."""

    n: int = 0
    first: int = 0
    first_squares: int = 0
    second: int = 0
    second_squares: int = 0
    difference_squares: int = 0

    def plus(self, first: int, second: int) -> Sums:
        """The sums with one more seed."""
        return Sums(self.n + 1, self.first + first, self.first_squares + first * first, self.second + second,
                    self.second_squares + second * second, self.difference_squares + (second - first) ** 2)


def _variance(n: int, total: int, squares: int) -> float:
    return (squares * n - total * total) / (n * (n - 1)) if n > 1 else 0.0


def mean_difference(sums: Sums, error: float) -> Interval | None:
    """How much larger the number is in the second variant, seed by seed; None for fewer than `FEWEST` seeds."""
    if sums.n < FEWEST:
        return None
    total = sums.second - sums.first
    spread = sqrt(_variance(sums.n, total, sums.difference_squares) / sums.n)
    middle, half = total / sums.n, quantile(error) * spread
    return Interval(middle, middle - half, middle + half, spread)


def mean_gain(sums: Sums) -> float | None:
    """As `share_gain`, for numbers."""
    apart = _variance(sums.n, sums.first, sums.first_squares) + _variance(sums.n, sums.second, sums.second_squares)
    paired = _variance(sums.n, sums.second - sums.first, sums.difference_squares)
    return apart / paired if paired > 0 else None


def chance_of_none(interval: Interval) -> float:
    """The chance to see a difference as great as this where there is none."""
    if not interval.error:
        return 1.0
    middle = (interval.low + interval.high) / 2
    return 2 * (1 - NormalDist().cdf(abs(middle) / interval.error))


def holm(chances: Sequence[float], error: float) -> list[bool]:
    """Which differences are there, by Holm's procedure: all of them together are wrong with a chance of `error`."""
    found = [False] * len(chances)
    for rank, place in enumerate(sorted(range(len(chances)), key=lambda place: (chances[place], place))):
        # the first that fails ends it: all with larger chances fail with it
        if chances[place] > error / (len(chances) - rank):
            break
        found[place] = True
    return found


def campaigns_needed(errors: Sequence[float], pilot: int, margin: float, looks: Sequence[int] = LOOKS) -> int:
    """At which look the widest interval will be within the margin, from the standard errors of a pilot of so many
    campaigns; 0 if at none.
    """
    widest = max(errors, default=0.0) * sqrt(pilot)
    for look, campaigns in enumerate(looks, 1):
        if ceil((quantile(error_at(look, len(errors))) * widest / margin) ** 2) <= campaigns:
            return campaigns
    return 0


# Totals and their tables.


# --- totals ---------------------------------------------------------------------------------------
# What is counted over all campaigns of an experiment: exact sums, added seed by seed in their order.

DOUBTFUL = 100
"""One campaign in so many with a fault, and what an experiment says is not to be trusted."""
MEASURES = ("length", "battles", "quiet")
"""Numbers of a campaign that are compared: its ordinary turns, its battles, its turns without any."""


def measure(sample: Sample, name: str) -> int:
    """A number of a campaign, one of `MEASURES`."""
    return sample.total("battles") if name == "battles" else int(getattr(sample, name))


@dataclass
class TurnTotals:
    """Sums over the campaigns that had an ordinary turn, as `TurnSample` has them; `quiet`: those in which it had no
    battle; `led`: those with a winner in which one faction alone held most places at its end, `won`: and that one won.
    """

    campaigns: int = 0
    battles: int = 0
    quiet: int = 0
    wars: int = 0
    frontiers: int = 0
    free: int = 0
    led: int = 0
    won: int = 0

    def add(self, turn: TurnSample, winners: Sequence[str]) -> None:
        """Add the turn of a campaign."""
        places = {code: values.get(PLACES, 0) for code, values in turn.figures.items()}
        leaders = [code for code in places if places[code] == max(places.values())]
        led = bool(winners) and len(leaders) == 1
        for name, n in (("campaigns", 1), ("battles", turn.battles), ("quiet", not turn.battles), ("wars", turn.wars),
                        ("frontiers", turn.frontiers), ("free", turn.free), ("led", led),
                        ("won", led and leaders[0] in winners)):
            setattr(self, name, getattr(self, name) + n)


@dataclass
class EndingTotals:
    """How often campaigns ended in one way; `seed`: of the first that did, and `told`: language -> its ending."""

    seed: int
    told: Mapping[str, str]
    campaigns: int = 0


@dataclass
class VariantTotals:
    """Sums over the campaigns of one variant whose seed had no fault in any variant.

    `wins`: faction -> campaigns that it won, alone or with others; `drawn`: that ended without a winner; `lengths`:
    ordinary turns -> campaigns; `paces`: battles in an ordinary turn -> turns; `courses`: number of an ordinary turn ->
    its sums; `endings`: what decided -> how often; `figures`: figure -> number of the turn
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
    courses: dict[int, TurnTotals] = field(default_factory=lambda: defaultdict(TurnTotals))
    endings: dict[str, EndingTotals] = field(default_factory=dict)
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
        if sample.over:
            self.endings.setdefault(sample.decided, EndingTotals(sample.seed, sample.told)).campaigns += 1
        for counted, found in ((self.rules, sample.rules), (self.events, sample.events)):
            for key, times in found.items():
                had, uses = counted.get(key, (0, 0))
                counted[key] = had + 1, uses + times
        for number, turn in enumerate(sample.turns, 1):
            self.turns.setdefault(number, turn.turn)
            if turn.regular:
                self.courses[number].add(turn, sample.winners)
            for faction, values in turn.figures.items():
                for name, value in values.items():
                    sums = self.figures.setdefault(name, {}).setdefault(number, {})
                    n, total = sums.get(faction, (0, 0))
                    sums[faction] = n + 1, total + value

    def sum_of(self, name: str) -> int:
        """A sum over all ordinary turns, by its name in `TurnTotals`."""
        return sum(getattr(course, name) for course in self.courses.values())

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
        # a seed counts in all variants or in none, because they are compared seed by seed
        if bad:
            self.dropped += 1
            return
        first = samples[0]
        for number, (variant, sample) in enumerate(zip(self.variants, samples, strict=True)):
            variant.add(sample)
            for faction in self.factions if number else ():
                # won in both variants, in the first alone, in the second alone, in neither
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


# --- tables ---------------------------------------------------------------------------------------
# The tables of an experiment: part files of 1,000 seeds as CSV and, where pyarrow is installed, as Parquet.

PART = 1000
"""So many seeds are in one part file."""
DIGITS = 6
Row = dict[str, Any]
COLUMNS: Mapping[str, Mapping[str, type]] = {
    "campaigns": {"seed": int, "variant": int, "fault": str, "at": str, "over": bool, "winners": str, "length": int,
                  "phases": int, "events": int, "questions": int, "orders": int, "refused": int, "battles": int,
                  "quiet": int},
    "turns": {"seed": int, "variant": int, "number": int, "turn": str, "regular": bool, "phases": int, "events": int,
              "questions": int, "orders": int, "refused": int, "battles": int, "wars": int, "frontiers": int,
              "free": int},
    "figures": {"seed": int, "variant": int, "number": int, "turn": str, "faction": str, "figure": str, "value": int},
    "variants": {"variant": int, "name": str, "campaigns": int, "over": int, "drawn": int, "battles_a_turn": float,
                 "quiet_share": float, "orders": int, "refused": int},
    "pace": {"variant": int, "number": int, "turn": str, **dict.fromkeys(vars(TurnTotals()), int)},
    "endings": {"variant": int, "decided": str, "campaigns": int, "seed": int, "told": str},
    "winners": {"variant": int, "faction": str, "campaigns": int, "won": int, "share": float, "low": float,
                "high": float},
    "uses": {"variant": int, "kind": str, "word": str, "campaigns": int, "times": int},
    "differences": {"variant": int, "measure": str, "faction": str, "seeds": int, "difference": float, "low": float,
                    "high": float, "holds": bool, "gain": float},
}
"""Table -> its columns and what they hold. The first three are in parts, the others are sums over all campaigns."""
IN_PARTS = ("campaigns", "turns", "figures")


def has_parquet() -> bool:
    """Whether tables can be written as Parquet: pandas is there, and pyarrow."""
    return find_spec("pyarrow") is not None and find_spec("pandas") is not None


# Rows.


def campaign_rows(samples: Iterable[Sample]) -> Iterator[tuple[str, Row]]:
    """Table and row of all that is told of single campaigns."""
    for sample in samples:
        head = {"seed": sample.seed, "variant": sample.variant}
        counted = ("phases", "events", "questions", "orders", "refused", "battles")
        yield "campaigns", {**head, "fault": sample.fault, "at": sample.at, "over": sample.over,
                            "winners": " ".join(sample.winners), "length": sample.length, "quiet": sample.quiet,
                            **{name: sample.total(name) for name in counted}}
        for number, turn in enumerate(sample.turns, 1):
            here = {**head, "number": number, "turn": turn.turn}
            yield "turns", {**here, "regular": turn.regular, **{
                name: getattr(turn, name) for name in (*counted, "wars", "frontiers", "free")}}
            for faction, values in turn.figures.items():
                yield from (("figures", {**here, "faction": faction, "figure": name, "value": value})
                            for name, value in values.items())


def total_rows(ruleset: Ruleset, totals: Totals, variants: Sequence[Variant], look: int) -> dict[str, list[Row]]:
    """The tables of sums. `look`: which look at the campaigns it is, 0 where there is but one."""
    tables: dict[str, list[Row]] = {name: [] for name in COLUMNS if name not in IN_PARTS}
    for number, counted in enumerate(totals.variants):
        tables["variants"].append({
            "variant": number, "name": variants[number].name, "campaigns": counted.campaigns, "over": counted.over,
            "drawn": counted.drawn, "battles_a_turn": counted.mean_battles, "quiet_share": counted.quiet_share,
            "orders": counted.orders, "refused": counted.refused})
        tables["pace"] += [{"variant": number, "number": turn, "turn": counted.turns[turn], **vars(course)}
                           for turn, course in sorted(counted.courses.items())]
        tables["endings"] += [{"variant": number, "decided": decided, "campaigns": one.campaigns, "seed": one.seed,
                               "told": one.told.get("en", "")} for decided, one in sorted(counted.endings.items())]
        for faction in totals.factions:
            seen = share(counted.wins[faction], counted.over, error_at(look, len(totals.factions)))
            tables["winners"].append({"variant": number, "faction": faction, "campaigns": counted.over,
                                      "won": counted.wins[faction], "share": seen.value, "low": seen.low,
                                      "high": seen.high})
        for kind, known, used in (("rule", ruleset.citations, counted.rules), ("event", ruleset.events,
                                                                              counted.events)):
            for word in (*known, *sorted(used.keys() - known.keys())):
                campaigns, times = used.get(word, (0, 0))
                tables["uses"].append({"variant": number, "kind": kind, "word": word, "campaigns": campaigns,
                                       "times": times})
    tables["differences"] = [one.row() for one in differences(totals, look)]
    return tables


class Difference(NamedTuple):
    """How a variant differs from the first. `measure`: ``won`` for the share of a faction's victories, else one of
    `MEASURES`; `holds`: whether it is certain, over all of them together; `value` and its interval None where too few
    campaigns were played.
    """

    variant: int
    measure: str
    faction: str
    seeds: int
    value: float | None
    low: float | None
    high: float | None
    holds: bool
    gain: float | None

    def row(self) -> Row:
        """Its row of a table."""
        return {"variant": self.variant, "measure": self.measure, "faction": self.faction, "seeds": self.seeds,
                "difference": self.value, "low": self.low, "high": self.high, "holds": self.holds, "gain": self.gain}


def differences(totals: Totals, look: int) -> list[Difference]:
    """All differences from the first variant: of the victories, and of the measures; each of the two kinds shares one
    chance of error. Of the victories only where a campaign has ended; one that has not has no winner.
    """
    cells = range(1, len(totals.variants))
    ended = any(counted.over for counted in totals.variants)
    won = [(cell, faction) for cell in cells for faction in totals.factions if ended]
    level = error_at(look, len(won))
    shares = [share_difference(totals.pairs(*one), level) for one in won]
    holds = holm([chance_of_none(one) for one in shares], error_at(look, 1))
    found = [Difference(cell, "won", faction, totals.pairs(cell, faction).n, seen.value, seen.low, seen.high, sure,
                        share_gain(totals.pairs(cell, faction)))
             for (cell, faction), seen, sure in zip(won, shares, holds, strict=True)]
    measured = [(cell, name) for cell in cells for name in MEASURES]
    level = error_at(look, len(measured))
    means = [mean_difference(totals.sums[one], level) for one in measured]
    # without enough campaigns for a mean there is nothing that speaks for a difference
    holds = holm([1.0 if one is None else chance_of_none(one) for one in means], error_at(look, 1))
    return found + [
        Difference(cell, name, "", totals.sums[cell, name].n, None if seen is None else seen.value,
                   None if seen is None else seen.low, None if seen is None else seen.high, sure,
                   mean_gain(totals.sums[cell, name]))
        for (cell, name), seen, sure in zip(measured, means, holds, strict=True)]


def widest_half(totals: Totals, look: int) -> float:
    """Half of the widest interval of what is said of the victories: the differences from the first variant, or the
    shares where there is but one.
    """
    if len(totals.variants) > 1:
        return max(((one.high or 0.0) - (one.low or 0.0)) / 2 for one in differences(totals, look)
                   if one.measure == "won") if any(counted.over for counted in totals.variants) else 1.0
    counted = totals.variants[0]
    return max((share(counted.wins[faction], counted.over, error_at(look, len(totals.factions))).half
                for faction in totals.factions), default=1.0)


def share_errors(totals: Totals) -> list[float]:
    """The standard errors of what is said of the victories, none of which is 0; for a pilot."""
    if len(totals.variants) > 1:
        return [share_difference(totals.pairs(cell, faction), CERTAINTY).error
                for cell in range(1, len(totals.variants)) for faction in totals.factions]
    counted = totals.variants[0]
    smooth = [(counted.wins[faction] + 1) / (counted.over + 2) for faction in totals.factions]
    return [sqrt(part * (1 - part) / (counted.over + 2)) for part in smooth]


# Files.


def part_files(samples: Iterable[list[Sample]], totals: Totals, variants: Sequence[Variant], *, parquet: bool
               ) -> Iterator[dict[str, bytes]]:
    """The part files, those of 1,000 seeds at a time, while all campaigns are added to the totals."""
    rows: dict[str, list[Row]] = {name: [] for name in IN_PARTS}
    first, count = 0, 0
    for seed in samples:
        totals.add(seed)
        first = first if count else seed[0].seed
        count += 1
        for sample in seed:
            for name, row in campaign_rows([sample]):
                rows[name].append({**row, **variants[sample.variant].values} if name == "campaigns" else row)
        if count == PART:
            yield _files(rows, f"-{first}", variants, parquet=parquet)
            rows, count = {name: [] for name in IN_PARTS}, 0
    if count:
        yield _files(rows, f"-{first}", variants, parquet=parquet)


def total_files(tables: Mapping[str, list[Row]], *, parquet: bool) -> dict[str, bytes]:
    """The files of the tables of sums."""
    return _files(tables, "", (), parquet=parquet)


def _files(tables: Mapping[str, list[Row]], ending: str, variants: Sequence[Variant], *, parquet: bool
           ) -> dict[str, bytes]:
    files = {}
    for name, rows in tables.items():
        columns = dict(COLUMNS[name])
        if name == "campaigns":
            columns |= {key: type(value) for variant in variants for key, value in variant.values.items()}
        files[f"{name}{ending}.csv"] = as_csv(rows, columns)
        if parquet:
            files[f"{name}{ending}.parquet"] = as_parquet(rows, columns)
    return files


def as_csv(rows: Sequence[Row], columns: Mapping[str, type]) -> bytes:
    """A table as CSV: unknown is blank, yes and no are 1 and 0, fractions have six digits."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[name], kind) for name, kind in columns.items()] for row in rows)
    return text.getvalue().encode()


def _cell(value: Any, kind: type) -> str:
    if value is None:
        return ""
    if kind is bool:
        return str(int(value))
    return f"{value:.{DIGITS}f}" if kind is float else str(value)


def as_parquet(rows: Sequence[Row], columns: Mapping[str, type]) -> bytes:
    """A table as Parquet, with the same values as the CSV."""
    import pandas as pd

    kinds: dict[type, Any] = {int: "Int64", float: "Float64", bool: "boolean", str: "string"}
    data = {name: pd.array([_round(row[name]) for row in rows], dtype=kinds[kind])
            for name, kind in columns.items()}
    into = io.BytesIO()
    pd.DataFrame(data).to_parquet(into, engine="pyarrow", index=False)
    return into.getvalue()


def _round(value: Any) -> Any:
    return round(value, DIGITS) if isinstance(value, float) else value
