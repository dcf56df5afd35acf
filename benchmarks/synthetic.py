"""A campaign far larger than any club's, always the same: 40 factions, 2,000 places, 1,000 armies.

    python benchmarks/synthetic.py FOLDER

writes it as the CSV folder that `arbitro new giglio FILE --from FOLDER` takes. The map is a grid of 50
by 40 places in 40 blocks of 5 by 10, one block a faction. The campaign stands before round 3 of its first
summer, with an order for every army, a siege for every faction, and 10,000 events behind it.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path

YEAR = "1500"
BLOCK_WIDE, BLOCK_HIGH = 5, 10
BLOCKS_WIDE, BLOCKS_HIGH = 10, 4
FACTIONS = BLOCKS_WIDE * BLOCKS_HIGH
PLACES = BLOCK_WIDE * BLOCK_HIGH
ARMIES = 25
EVENTS = 10_000
BESIEGED = 5  # the fortress of the next faction, where the last army stands
WRONG_EVERY = 50  # one order in so many is a mistake

Row = dict[str, object]


def codes() -> list[str]:
    """The factions' codes, of two letters."""
    return [chr(65 + n // 20) + chr(65 + n % 20) for n in range(FACTIONS)]


def neighbour_of(code: str) -> str:
    """The faction after this one, round in a circle."""
    return codes()[(codes().index(code) + 1) % FACTIONS]


def factions() -> list[Row]:
    """One row a faction, with a chest and a place in the order of movement."""
    return [{"faction": code, "name_en": f"Duchy of {code}", "name_it": f"Ducato di {code}",
             "club": f"Club {code}", "language": "it" if n % 2 else "en", "role": "player",
             "colour": f"#{(n * 5 + 40) % 256:02x}{(n * 37 + 60) % 256:02x}{(n * 91 + 80) % 256:02x}",
             "capital": f"{code}0", "treasury": 100 + n, "move_rank": n + 1, "objective": "keep"}
            for n, code in enumerate(codes())]


def site(number: int) -> tuple[str, str]:
    """Site and walls of the place of that number in its block."""
    if number == 0:
        return "city", "intact"
    if number % 10 == BESIEGED:
        return "fortress", "intact"
    return ("city" if number % 7 == 3 else "village"), "none"


def nodes() -> list[Row]:
    """All places, block by block."""
    rows: list[Row] = []
    for n, code in enumerate(codes()):
        for k in range(PLACES):
            kind, walls = site(k)
            rows.append({"node": f"{code}{k}", "name": f"Place {k} of {code}",
                         "x": 20 * (n % BLOCKS_WIDE * BLOCK_WIDE + k % BLOCK_WIDE),
                         "y": 20 * (n // BLOCKS_WIDE * BLOCK_HIGH + k // BLOCK_WIDE),
                         "site": kind, "walls": walls, "owner": code, "home": code,
                         "capital": "yes" if k == 0 else "no", "garrison": "yes" if k in (0, BESIEGED) else "no"})
    return rows


def roads(places: Iterable[Row]) -> list[Row]:
    """A road from every place to the next in the east and in the south."""
    at = {(row["x"], row["y"]): row["node"] for row in places}
    return [{"a": node, "b": at[there], "kind": "road"}
            for (x, y), node in at.items() for there in ((int(str(x)) + 20, y), (x, int(str(y)) + 20)) if there in at]


def place_of(code: str, number: int) -> str:
    """Where an army of that number stands: at its own even places, the last one before a fortress."""
    return f"{neighbour_of(code)}{BESIEGED}" if number == ARMIES else f"{code}{2 * (number - 1)}"


def armies() -> list[Row]:
    """Twenty-five armies a faction."""
    return [{"army": f"{code}-{number}", "faction": code, "kind": "army", "value": 60 + 5 * number,
             "node": place_of(code, number), "posture": "field"}
            for code in codes() for number in range(1, ARMIES + 1)]


def order(code: str, number: int, count: int) -> Row:
    """The order of one army in round 3: a march of one place, a stay or the siege."""
    row: Row = {"order": f"{YEAR}-r3-{code}-{number}", "turn": YEAR, "phase": "r3", "faction": code, "seq": number,
                "unit": f"{code}-{number}"}
    if number == ARMIES:
        return {**row, "verb": "siege", "target": place_of(code, number)}
    start = 2 * (number - 1)
    end = start - 1 if start % BLOCK_WIDE == BLOCK_WIDE - 1 else start + 1
    if count % WRONG_EVERY == 0:
        end = (start + 23) % PLACES
    if number % 3 == 0:
        return {**row, "verb": "stay"}
    if number % 3 == 1:
        return {**row, "unit": "", "text": f"{code}-{number} {code}{start} {code}{end}"}
    return {**row, "verb": "move", "path": f"{code}{start} {code}{end}"}


def orders() -> list[Row]:
    """One order an army."""
    return [order(code, number, count)
            for count, (code, number) in enumerate((c, a) for c in codes() for a in range(1, ARMIES + 1))]


def sieges() -> list[Row]:
    """One siege a faction, begun in round 1."""
    return [{"node": place_of(code, ARMIES), "besieger": code, "since_year": YEAR, "since_round": 1, "rounds": 1}
            for code in codes()]


def answers() -> list[Row]:
    """Nobody bribes anybody."""
    return [{"turn": YEAR, "phase": "r3.siege", "kind": "bribe", "to": code, "about": place_of(code, ARMIES),
             "answer": "0"} for code in codes()]


def events() -> list[Row]:
    """What happened in rounds 1 and 2: marches for all to see, and what they cost, for their own eyes."""
    rows: list[Row] = []
    for n in range(EVENTS):
        code = codes()[n % FACTIONS]
        army = f"{code}-{n % ARMIES + 1}"
        secret = n % 4 == 3
        way = f"{code}{n % 49} {code}{n % 49 + 1}"
        data = {"army": army, "lost": n % 9 + 1} if secret else {"army": army, "path": way}
        rows.append({"no": n + 1, "turn": YEAR, "phase": f"r{1 + 2 * n // EVENTS}.{'siege' if secret else 'move'}",
                     "audience": code if secret else "all", "event": "siege.wear" if secret else "army.moved",
                     "rule": "3d" if secret else "3b", "data": json.dumps(data, sort_keys=True),
                     "touched": f"Armies/{army}"})
    return rows


def desk() -> list[Row]:
    """Where the campaign stands."""
    values = {"ruleset": "giglio", "title": "A synthetic campaign", "edition": "IT_amended", "language": "en",
              "start_year": YEAR, "turn": YEAR, "phase": "r3.move"}
    return [{"key": key, "value": value} for key, value in values.items()]


def tables() -> dict[str, list[Row]]:
    """All files of the folder: name without ending -> rows."""
    places = nodes()
    return {"desk": desk(), "factions": factions(), "nodes": places, "roads": roads(places), "armies": armies(),
            "orders": orders(), "sieges": sieges(), "answers": answers(), "events": events(),
            "rules": [{"key": "max_armies", "value": ARMIES + 5}]}


def write(folder: Path) -> None:
    """Write the folder; whatever was in files of those names is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables().items():
        headings = list(dict.fromkeys(key for row in rows for key in row))
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, headings, restval="")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
