"""Orders in sentences, for `run.py`: seconds by the clock and of the processor, as JSON.

    python benchmarks/sentences.py

prints what it takes to read 200 lines in words, in the first scenario of The Anarchy as it is and with 2,000 groups:
each from the view on, with nothing looked up before.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from assistant.campaign.campaign import Campaign
from assistant.environment import shipped_scenario
from assistant.rulesets.anarchy.records import Army
from assistant.testing.cases import opening
from assistant.turn.orders.lexicon import Lexicon
from assistant.turn.orders.reader import read_orders
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.ruleset import load

LINES, GROUPS = 200, 2000
SENTENCES = ("A-YPR marches to Melksham and attacks anyone it meets", "King Stephen stays put",
             "Guglielmo di Ypres vada a Calne", "A-STE mette l'assedio al castello di Malmesbury",
             "A-MEU recruits 1 light foot and 2 peasants at Oxford", "siege train T-DEV to Calne, please",
             "A-MEU si porta a Witnei, per favore", "A-YPR saccheggia Chippenham")


def grow(campaign: Campaign) -> None:
    """Add groups without leaders, each with a name of its own."""
    armies = campaign.table(Army)
    first = next(row for row in armies if row.faction == "royal")
    for number in range(len(armies), GROUPS):
        group = first.copy()
        group.army, group.name, group.commander = f"A-{number}X", f"Company {number} of Meadowsweet {number}", ""
        armies.add(group)


def read_lines(campaign: Campaign) -> tuple[float, float]:
    """Seconds that the lines take. Raises ValueError for one that is not read as orders."""
    ruleset = load("anarchy")
    view, book = ruleset.view(campaign, "royal"), as_order_book(ruleset.verbs)
    is_legal = partial(ruleset.is_legal, view, "royal")
    clock, busy = time.perf_counter(), time.process_time()
    lexicon = Lexicon(book, view, "royal")
    for number in range(LINES):
        line = SENTENCES[number % len(SENTENCES)]
        reading = read_orders(book, view, "royal", line, is_legal, lexicon)
        if not reading.orders:
            raise ValueError(line)
    return time.perf_counter() - clock, time.process_time() - busy


if __name__ == "__main__":
    small = opening(load("anarchy"), shipped_scenario("anarchy", "wallingford-1139"))
    large = small.copy()
    grow(large)
    read_lines(small)  # what a process loads and remembers once
    print(json.dumps([read_lines(small), read_lines(large)]))
