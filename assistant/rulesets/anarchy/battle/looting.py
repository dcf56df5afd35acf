"""Loot: a place that fell in; what is taken of it, and each company's share, out (rulebook: 13.2 Looting)."""

from __future__ import annotations

from assistant.rulesets.anarchy.book.sheets import NEUTRAL, Army, Place, pounds
from assistant.rulesets.anarchy.book.tables import GREAT_PRESTIGE, LOOT_LOYALTY, SHARE_OF_LOOT
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.answers.answer_kinds import Amount
from assistant.turn.game import ALL
from assistant.turn.throws.scales import read_scale

MOST_OPTIONS = 99
SHORTAGE = ((25, 2), (50, 1), (75, 0))
"""Per cent of a point a head that is missing, up to -> modifier (11.6); more is -2."""
SHAME = {"castle": "castle looted", "monastic": "monastery looted", "village": "village looted"}
"""What looting costs a name -> why."""


def up_to(n: int) -> tuple[str, ...]:
    """The options of a question for a whole number of points: each, or where they are too many the two ends."""
    return tuple(str(one) for one in range(n + 1)) if n <= MOST_OPTIONS else ("0", str(n))


def loot(f: Field, army: Army, place: Place, wanted: int | None = None) -> list[Army]:
    """Take resources, share them, sell the rest; returns the companies that rise in revolt."""
    leader, prestige, most = f.commander(army), f.prestige(army), place.resources
    if wanted is None:
        asked = f.question("loot", army.faction, f"{army.army}/{place.place}", up_to(most), str(most),
                           Amount(0, most, "all"), unit=army.army, place=place.place, n=most)
        wanted = f.game.amount(asked) if most and f.side(army.faction) != NEUTRAL else 0
    taken = max(0, min(wanted, most))
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
    kind = "castle" if place.castle else "monastic" if f.monastic(place) else "village"
    f.change_prestige(leader, f.rules[f"prestige_loot_{kind}"], SHAME[kind])
    return rebels


def _share_all(f: Field, army: Army, left: int, prestige: int) -> tuple[list[Army], int]:
    """Each company apart, by id: a point a head makes it loyal, less is a test. Rebels, and what is left."""
    rebels = []
    contracts = ("promised", "paid") if f.rules.loot_share_to == "all" else ("promised",)
    for company in [a for a in f.followers(army) if a.contract in contracts]:
        asked = f.question("share", army.faction, f"{army.army}/{company.army}", up_to(left), "0", Amount(0, left),
                           mercs=company.army, n=left, heads=f.heads(company))
        given = f.game.amount(asked)
        left -= given
        company.money += 2 * f.rules.loot_value * given
        if _after_share(f, army, company, given, prestige) == "revolt":
            rebels.append(company)
    return rebels, left


def _after_share(f: Field, army: Army, company: Army, given: int, prestige: int) -> str:
    heads, own, verdict = f.heads(company), f.own(army.faction), "loyal"
    if given >= heads:
        f.tell("share", own, "11.6", touch=[company], mercs=company.army, n=given, k=heads, enough="yes")
    else:
        missing = (heads - given) * 100
        short = next((by for percent, by in SHORTAGE if missing <= percent * heads), -2)
        modifiers = {"short share": short, "prestige": int(prestige >= GREAT_PRESTIGE),
                     "broken promise": -int(given < company.promised)}
        reading = read_scale(LOOT_LOYALTY, modifiers, roll=f.throw(SHARE_OF_LOOT, own, company.army))
        f.tell("share", own, "11.6", roll=reading, touch=[company], mercs=company.army, n=given, k=heads)
        verdict = reading.verdict
    if verdict == "loyal":
        company.contract, company.grumbles = "paid", False
    elif verdict == "grumble":
        company.grumbles = True
    elif verdict == "desert":
        f.tell("deserted", ALL, "11.6", mercs=company.army, side=f.desert(company))
        f.back_away(company, "N")
    return verdict
