"""Robots of one temper against robots of another, for `run.py` and for whoever writes robots:

    python benchmarks/tempers.py giglio bold            on the seeds that no robot was tuned on
    python benchmarks/tempers.py giglio bold --seeds 3 --first 1 --factions V M
    python benchmarks/tempers.py --write                all rulebooks, into README.md

A pair is two campaigns from one seed: in one all robots have the usual temper, in the other one faction has the new
one. It is told in which of the two that faction has the better final place; pairs with the same place are left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.run import write_table  # noqa: E402

BEGIN, END = "<!-- tempers: made by tempers.py --write -->", "<!-- end of tempers -->"

UNSEEN_SEEDS = 5000
"""The first seed of those that were never played while robots were tuned: tuning uses seeds below."""
MOST_TURNS = 40
"""Campaigns are cut off after so many turns and count as they stand then."""
BEST: Mapping[str, str] = {"giglio": "bold", "warriors": "careful", "incursio": "bold", "anarchy": "bold"}
"""Rulebook -> the temper that is measured."""
TWO_SIDES = ("incursio", "anarchy")
"""Rulebooks in which one of two sides wins, or neither."""


class Played(NamedTuple):
    """One campaign. `places`: faction -> 1 for the best; `orders`, `refused`: of the faction with the new temper."""

    places: Mapping[str, float]
    orders: int
    refused: int
    seconds: float
    turns: int
    fault: str = ""


def final_places(ruleset_id: str, ending: Any) -> dict[str, float]:
    """Faction -> 1 for the best. Victors share the first place, the same figures another; who has nothing is last."""
    places: dict[str, float] = {}
    place, last = 0.0, None
    if not ending.winners and ruleset_id in TWO_SIDES:
        return {row["faction"]: 1.5 for row in ending.rows}  # a draw lies between victory and defeat
    rows = [(row["faction"], row["faction"] in ending.winners,
             {key: value for key, value in row.items() if key != "faction"}) for row in ending.rows]
    for n, (code, won, figures) in enumerate(sorted(rows, key=lambda row: (not row[1], not any(row[2].values()))), 1):
        like = True if won else figures
        place, last = (place if like == last else n), like
        places[code] = place
    return places


def play(ruleset_id: str, faction: str, temper: str, seed: int) -> Played:
    """A campaign in which one faction has that temper; "" for none."""
    from assistant.campaign.records import Order
    from assistant.desk.commands.new_campaign import NewPlan, make_campaign
    from assistant.environment import collect_garbage_seldom
    from assistant.laboratory.experiment import play_phases, with_robots
    from assistant.turn.rulebooks import load

    collect_garbage_seldom()
    ruleset = load(ruleset_id)
    campaign = with_robots(make_campaign(NewPlan(ruleset_id, language="en"), ruleset, bytes(32), "en")[0])
    orders = refused = 0
    turns: set[str] = set()
    began = time.process_time()
    try:
        for before, outcome in play_phases(ruleset, campaign, seed, MOST_TURNS, tempers={faction: temper}):
            campaign = outcome.campaign
            turns.add(outcome.turn)
            word = ruleset.phase(outcome.phase).orders
            for row in campaign.table(Order).of_turn(outcome.turn) if word else ():
                if row.faction == faction and row.phase == word and not before.table(Order)[row.ident].status:
                    orders += 1
                    refused += row.status == "refused"
    except Exception as fault:  # a robot or a rulebook may fail in any way: it is told in the table
        return Played({}, orders, refused, time.process_time() - began, len(turns), f"{type(fault).__name__}: {fault}")
    return Played(final_places(ruleset_id, ruleset.ending(ruleset.view(campaign, ""))), orders, refused,
                  time.process_time() - began, len(turns))


@dataclass
class Score:
    """Of one faction: pairs in which the new temper had the better place, the worse one, the same one."""

    better: int = 0
    worse: int = 0
    same: int = 0

    def add(self, new: float, old: float) -> None:
        """Count a pair of places."""
        self.better += new < old
        self.worse += new > old
        self.same += new == old

    @property
    def share(self) -> str:
        """Of the pairs that differ those that are better."""
        untied = self.better + self.worse
        return f"{self.better / untied:.0%}" if untied else "–"


@dataclass
class Measured:
    """A rulebook's measure. `faults`: what broke down; `means`: faction -> places as (old, new) sums."""

    ruleset: str
    temper: str
    factions: dict[str, Score] = field(default_factory=dict)
    sums: dict[str, list[float]] = field(default_factory=dict)
    orders: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)
    turns: int = 0
    seconds: float = 0.0

    @property
    def all(self) -> Score:
        """Of all factions together."""
        scores = self.factions.values()
        return Score(sum(s.better for s in scores), sum(s.worse for s in scores), sum(s.same for s in scores))

    def lines(self) -> Iterator[str]:
        """The table's rows."""
        for faction, score in [*self.factions.items(), ("all", self.all)]:
            yield (f"| {self.ruleset} | {self.temper} | {faction} | {score.better + score.worse} | {score.same} | "
                   f"{score.share} |" + (f" {self.refused / max(1, self.orders):.1%} of {self.orders} |"
                                         if faction == "all" else "  |"))


def measure(ruleset_id: str, temper: str, first: int, seeds: int, factions: list[str], workers: int = 1) -> Measured:
    """Play all pairs."""
    from assistant.desk.commands.new_campaign import NewPlan, make_campaign
    from assistant.laboratory.experiment import with_robots
    from assistant.turn.phases import robots_of
    from assistant.turn.rulebooks import load

    ruleset = load(ruleset_id)
    campaign = make_campaign(NewPlan(ruleset_id, language="en"), ruleset, bytes(32), "en")[0]
    wanted = factions or robots_of(with_robots(campaign))
    found = Measured(ruleset_id, temper, {code: Score() for code in wanted}, {code: [0, 0] for code in wanted})
    jobs = [(ruleset_id, code, temper if code else "", seed) for seed in range(first, first + seeds)
            for code in ("", *wanted)]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        played = dict(zip(jobs, pool.map(play, *zip(*jobs, strict=True)), strict=True))
    for (_, code, _, seed), new in played.items():
        found.seconds, found.turns = found.seconds + new.seconds, found.turns + new.turns
        found.orders, found.refused = found.orders + new.orders * bool(code), found.refused + new.refused * bool(code)
        old = played[(ruleset_id, "", "", seed)]
        if new.fault:
            found.faults.append(f"seed {seed}, {code or 'old'}: {new.fault}")
        elif code and not old.fault:
            found.factions[code].add(new.places[code], old.places[code])
            found.sums[code][0] += old.places[code]
            found.sums[code][1] += new.places[code]
    return found


def main() -> None:
    """See above."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("ruleset", nargs="?", default="")
    asked.add_argument("temper", nargs="?", default="")
    asked.add_argument("--seeds", type=int, default=6)
    asked.add_argument("--first", type=int, default=UNSEEN_SEEDS)
    asked.add_argument("--factions", nargs="*", default=[])
    asked.add_argument("--workers", type=int, default=1)
    asked.add_argument("--write", action="store_true")
    wish = asked.parse_args()
    books = {wish.ruleset: wish.temper or BEST[wish.ruleset]} if wish.ruleset else BEST
    rows = ["| rulebook | temper | faction | pairs that differ | that do not | better place | orders refused |",
            "|---|---|---|---|---|---|---|"]
    for book, temper in books.items():
        found = measure(book, temper, wish.first, wish.seeds, wish.factions, wish.workers)
        rows += found.lines()
        print("\n".join(rows), file=sys.stderr)
        print({code: [n / wish.seeds for n in sums] for code, sums in found.sums.items()},
              f"{found.turns} turns, {found.turns * 60 / found.seconds:.0f} a minute", *found.faults, sep="\n")
    if wish.write:
        write_table("\n".join(rows), BEGIN, END)


if __name__ == "__main__":
    main()
