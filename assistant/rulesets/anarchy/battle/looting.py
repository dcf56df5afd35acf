"""What falls to the victor: loot and its shares, convoys and trains of the beaten (chapters 9 to 15).

See rulebook: Movement and encounters, 15 Battle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.sheets import Convoy, Place, Train
from assistant.rulesets.anarchy.book.tables import GREAT_PRESTIGE, LOOT_LOYALTY
from assistant.rulesets.anarchy.book.throws import SHARE_OF_LOOT
from assistant.rulesets.anarchy.realm.backing import back_away
from assistant.rulesets.anarchy.realm.change import change_prestige, desert
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, NEUTRAL, pounds
from assistant.turn.answers.answer_kinds import Amount
from assistant.turn.throws.scales import Reading, read_scale

MOST_OPTIONS = 99
SHORTAGE = ((25, 2), (50, 1), (75, 0))
"""Per cent of a point a head that is missing, up to -> modifier (11.6); more is -2."""


def up_to(n: int) -> tuple[str, ...]:
    """The options of a question for a whole number of points: each, or where they are too many the two ends."""
    return tuple(str(one) for one in range(n + 1)) if n <= MOST_OPTIONS else ("0", str(n))


def loot(f: Field, army: Army, place: Place, wanted: int | None = None) -> list[Army]:
    """Take resources, share them, sell the rest; returns the companies that rise in revolt."""
    side = f.side(army.faction)
    leader, prestige = f.commander(army), f.prestige(army)
    if wanted is None:
        options = up_to(place.resources)
        asked = f.question("loot", army.faction, f"{army.army}/{place.place}", options, str(place.resources),
                           Amount(0, place.resources), unit=army.army, place=place.place, n=place.resources)
        wanted = f.game.amount(asked) if place.resources and side != NEUTRAL else 0
    taken = max(0, min(wanted, place.resources))
    if not taken:
        return []
    place.resources -= taken
    faction = f.factions[army.faction]
    faction.looted += taken
    f.tell("looted", ALL, "13.2", touch=[place, faction], place=place.place, n=taken, group=army.army)
    rebels, left = _share_all(f, army, taken, prestige)
    value = 2 * f.rules.loot_value * left
    army.money += value
    if value:
        f.tell("purse", f.own(army.faction), "13.2", touch=[army], group=army.army, n=pounds(value), x=place.place,
               way="loot")
    by, why = _shame(f, place)
    change_prestige(f, leader, by, why)
    return rebels


def _shame(f: Field, place: Place) -> tuple[int, str]:
    """What looting costs a name."""
    if place.castle:
        return f.rules.prestige_loot_castle, "castle looted"
    if f.monastic(place):
        return f.rules.prestige_loot_monastic, "monastery looted"
    return f.rules.prestige_loot_village, "village looted"


def _share_all(f: Field, army: Army, taken: int, prestige: int) -> tuple[list[Army], int]:
    """Each company apart, by id: a point a head makes it loyal, less is a test."""
    left = taken
    rebels = []
    contracts = ("promised", "paid") if f.rules.loot_share_to == "all" else ("promised",)
    for company in [a for a in f.followers(army) if a.contract in contracts]:
        heads = f.heads(company)
        options = up_to(left)
        given = f.game.amount(f.question("share", army.faction, f"{army.army}/{company.army}", options, "0",
                                         Amount(0, left), mercs=company.army, n=left, heads=heads))
        left -= given
        company.money += 2 * f.rules.loot_value * given
        if _after_share(f, army, company, given, prestige) == "revolt":
            rebels.append(company)
    return rebels, left


def _after_share(f: Field, army: Army, company: Army, given: int, prestige: int) -> str:
    heads, own = f.heads(company), f.own(army.faction)
    if given >= heads:
        company.contract, company.grumbles = "paid", False
        f.tell("share", own, "11.6", touch=[company], mercs=company.army, n=given, k=heads, enough="yes")
        return "loyal"
    missing = (heads - given) * 100
    short = next((by for percent, by in SHORTAGE if missing <= percent * heads), -2)
    modifiers = {"short share": short, "prestige": int(prestige >= GREAT_PRESTIGE),
                 "broken promise": -int(given < company.promised)}
    roll = f.throw(SHARE_OF_LOOT, own, company.army)
    reading = read_scale(LOOT_LOYALTY, modifiers, roll=roll)
    f.tell("share", own, "11.6", roll=reading, touch=[company], mercs=company.army, n=given, k=heads)
    return _verdict(f, company, reading)


def _verdict(f: Field, company: Army, reading: Reading) -> str:
    if reading.verdict == "loyal":
        company.contract, company.grumbles = "paid", False
    elif reading.verdict == "grumble":
        company.grumbles = True
    elif reading.verdict == "desert":
        side = f.side(company.faction)
        desert(f, company)
        f.tell("deserted", ALL, "11.6", mercs=company.army, side=side)
        back_away(f, company, "N")
    return reading.verdict


# --- convoys and trains of the beaten (14.4, 15.5) --------------------------------------------------
def prizes(f: Field, winner: Army, booty: Iterable[Convoy | Train]) -> None:
    """The winner takes, loots or burns each convoy and train that the beaten led."""
    for row in booty:
        side = f.side(winner.faction)
        options = ["take", *([f"loot:{row.cargo}"] if isinstance(row, Convoy) and row.cargo else []), "burn"]
        choice = "take"
        if side != NEUTRAL:
            asked = f.question("prize", winner.faction, f"{winner.army}/{row.ident}", options, "take", unit=winner.army,
                               x=row.ident)
            choice = f.game.choose(asked)
        seize(f, winner, row, choice)


def seize(f: Field, army: Army, row: Convoy | Train, choice: str) -> None:
    """Carry out what was chosen for a convoy or train in one's hands."""
    parties = f.both(f.side(army.faction), f.side(row.faction))
    match = re.fullmatch(r"loot:(\d+)", choice)
    if match is not None and isinstance(row, Convoy):
        n = int(match[1])
        row.cargo, row.escort = row.cargo - n, ""
        army.money += 2 * f.rules.loot_value * n
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
