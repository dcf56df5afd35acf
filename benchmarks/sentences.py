"""Orders in sentences, for `run.py`: seconds by the clock and of the processor, as JSON.

    python benchmarks/sentences.py [RULEBOOK ...]

prints for each rulebook what it takes to read 200 different lines in words, in its first scenario as it is and with
2,000 groups: each as a mail's lines are read, of all factions that say some, with nothing looked up before.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Army
from assistant.environment import scenario_names, shipped_scenario
from assistant.testing.cases import opening
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset

LINES, GROUPS = 200, 2000
BOOKS = ("anarchy", "bloodlust", "giglio", "incursio", "warriors")
ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "tests" / "turn" / "orders" / name for name in ("phrases.csv", "everyday.csv")]
POLITE = ("{}", "{}, please", "dear referee, {}", "{}, grazie mille")
"""How the same sentence becomes another line, as a book has fewer than 200."""


def lines_of(book: str) -> list[tuple[str, str]]:
    """The lines of a rulebook: who says each, and what."""
    said = []
    for file in FILES:
        with file.open(encoding="utf-8", newline="") as rows:
            said += [(row["faction"], row["line"]) for row in csv.DictReader(rows) if row["rulebook"] == book]
    return list(islice(((faction, how.format(line)) for how in POLITE for faction, line in said), LINES))


def grow(campaign: Campaign, factions: Iterator[str]) -> None:
    """Add groups without leaders, of these factions by turns, each with a name of its own."""
    armies = campaign.table(Army)
    key = next(column.name for column in armies.record.columns() if column.key)
    groups = list(armies)
    for number in range(len(groups), GROUPS):
        faction = next(factions)
        group = next(row for row in groups if row.faction == faction).copy()
        values = {key: f"{faction}-{number}X".upper(), "name": f"Company {number} of Meadowsweet {number}",
                  "name_it": "", "commander": "", "commander_it": ""}
        for name in values.keys() & {column.name for column in armies.record.columns()}:
            setattr(group, name, values[name])
        armies.add(group)


def read_lines(ruleset: Ruleset, campaign: Campaign, lines: list[tuple[str, str]]) -> tuple[float, float]:
    """Seconds that the lines take, of a copy of the campaign that none of them changes, as those of a mail are read."""
    campaign = campaign.copy()
    clock, busy = time.perf_counter(), time.process_time()
    for faction, line in lines:
        ruleset.read(line, campaign, faction)
    return time.perf_counter() - clock, time.process_time() - busy


def measure(book: str) -> list[tuple[float, float]]:
    """Seconds with the groups of the scenario, and with 2,000."""
    ruleset, lines = load(book), lines_of(book)
    folder = shipped_scenario(book, scenario_names(book)[0])
    read_lines(ruleset, opening(ruleset, folder), lines)  # what a process loads and remembers once
    large = opening(ruleset, folder)
    armed = {row.faction for row in large.table(Army)}
    grow(large, cycle(dict.fromkeys(faction for faction, _ in lines if faction in armed)))
    return [read_lines(ruleset, opening(ruleset, folder), lines), read_lines(ruleset, large, lines)]


if __name__ == "__main__":
    print(json.dumps({book: measure(book) for book in sys.argv[1:] or BOOKS}))
