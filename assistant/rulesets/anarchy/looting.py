"""Looting, the mercenaries' shares, their revolt (digest 5.6; chapters 9, 11.6, 13.2)."""

from __future__ import annotations

from functools import partial

from assistant.rulesets.anarchy.answers import amount_in, choose, choose_share, up_to
from assistant.rulesets.anarchy.backing import back_away
from assistant.rulesets.anarchy.change import change_prestige, desert
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.realm import ALL, NEUTRAL, pounds
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import points
from assistant.rulesets.anarchy.sheets import Place
from assistant.rulesets.anarchy.tables import GREAT_PRESTIGE, LOOT_LOYALTY
from assistant.turn.scales import Reading, read_scale

SHORTAGE = ((25, 2), (50, 1), (75, 0))
"""Per cent of a point a head that is missing, up to -> modifier (11.6); more is -2."""


def loot(f: Field, army: Army, place: Place, ordered: int | str = "") -> list[Army]:
    """Take resources, share them, sell the rest; returns the companies that rise in revolt."""
    side = f.side(army.faction)
    leader, prestige = f.commander(army), f.prestige(army)
    wanted = points(ordered)
    if wanted is None:
        options = up_to(place.resources)
        asked = f.question("loot", army.faction, f"{army.army}/{place.place}", options, str(place.resources),
                           unit=army.army, place=place.place, n=place.resources)
        wanted = int(choose(f, asked, partial(amount_in, least=0, most=place.resources))) if (
            place.resources and side != NEUTRAL) else 0
    taken = max(0, min(wanted, place.resources))
    if not taken:
        return []
    place.resources -= taken
    faction = f.factions[army.faction]
    faction.looted += taken
    f.tell("looted", ALL, "13.2", touch=[place, faction], place=place.place, n=taken, group=army.army)
    rebels, left = _share_all(f, army, taken, prestige)
    value = 2 * int(f.rules.loot_value) * left
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
        return int(f.rules.prestige_loot_castle), "castle looted"
    if f.monastic(place):
        return int(f.rules.prestige_loot_monastic), "monastery looted"
    return int(f.rules.prestige_loot_village), "village looted"


def _share_all(f: Field, army: Army, taken: int, prestige: int) -> tuple[list[Army], int]:
    """Each company apart, by id: a point a head makes it loyal, less is a test."""
    left = taken
    rebels = []
    contracts = ("promised", "paid") if f.rules.loot_share_to == "all" else ("promised",)
    for company in [a for a in f.followers(army) if a.contract in contracts]:
        heads = f.heads(company)
        options = up_to(left)
        asked = f.question("share", army.faction, f"{army.army}/{company.army}", options, "0",
                           mercs=company.army, n=left, heads=heads)
        given = choose_share(f, asked, left)
        left -= given
        company.money += 2 * int(f.rules.loot_value) * given
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
    roll = f.roll(f"share/{company.army}", own)
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
        f.tell("deserted", ALL, "11.6", touch=desert(f, company), mercs=company.army, side=side)
        back_away(f, company, "N")
    return reading.verdict


__all__ = ["loot"]
