"""What falls to the victor: convoys and trains of the beaten (digest 5.6, 7; chapters 14.4, 15.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from assistant.rulesets.anarchy.answers import amount_in, choose
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.realm import ALL, NEUTRAL
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.sheets import Convoy, Train
from assistant.rulesets.anarchy.verbs import choice_code


def prizes(f: Field, winner: Army, booty: Iterable[Convoy | Train]) -> None:
    """The winner takes, loots or burns each convoy and train that the beaten led."""
    for row in booty:
        side = f.side(winner.faction)
        options = ["take", *([f"loot:{row.cargo}"] if isinstance(row, Convoy) and row.cargo else []), "burn"]
        choice = "take"
        if side != NEUTRAL:
            most = row.cargo if isinstance(row, Convoy) else 0
            asked = f.question("prize", winner.faction, f"{winner.army}/{row.ident}", options, "take", unit=winner.army,
                               x=row.ident)
            choice = choose(f, asked, partial(_loot, most=most))
        seize(f, winner, row, choice)


def _loot(text: str, *, most: int) -> str:
    word, _, number = text.strip().partition(":")
    n = amount_in(number, 1, most)
    return f"loot:{n}" if choice_code(word) == "loot" and n else ""


def seize(f: Field, army: Army, row: Convoy | Train, choice: str) -> None:
    """Carry out what was chosen for a convoy or train in one's hands."""
    parties = f.both(f.side(army.faction), f.side(row.faction))
    match = re.fullmatch(r"loot:(\d+)", choice)
    if match is not None and isinstance(row, Convoy):
        n = int(match[1])
        row.cargo, row.escort = row.cargo - n, ""
        army.money += 2 * int(f.rules.loot_value) * n
        f.tell("prize", parties, "14.4", touch=[row, army], x=row.ident, group=army.army, choice="loot", n=n)
        return
    fall_to(army, row, choice)
    f.tell("prize", parties, "14.4", touch=[row, army], x=row.ident, group=army.army, choice=choice)


def fall_to(army: Army, row: Convoy | Train, choice: str) -> None:
    """A convoy or train is burnt, or goes with a group from now on; nothing is told."""
    if choice == "burn":
        row.state, row.escort = "destroyed", ""
    else:
        row.faction, row.escort = army.faction, army.army


def lost_to(f: Field, loser: Army, taker: Army) -> None:
    """Without a battle all that a group led falls to the other: taken as it is."""
    for row in f.led_goods(loser):
        row.faction, row.escort = taker.faction, taker.army
        row.node = taker.node
        f.tell("prize", f.both(f.side(taker.faction), f.side(loser.faction)) or ALL, "15.5", touch=[row, taker],
               x=row.ident, group=taker.army, choice="take")


__all__ = ["fall_to", "lost_to", "prizes", "seize"]
