"""Leaving a hex without a fight or after one: backing away, retreat (chapters 8.3, 15.6).

See rulebook: Backing away, Retreats.
"""

from __future__ import annotations

from assistant.campaign.hexmap import direction, step, turned
from assistant.rulesets.anarchy.book.records import RANKS, Army
from assistant.rulesets.anarchy.book.sheets import Place, Prisoners
from assistant.rulesets.anarchy.realm.change import (
    count,
    field_of,
    hurt_here,
    keep_core,
    lead,
    new_captives,
    put_captives,
    remove_group,
    take_noble,
)
from assistant.rulesets.anarchy.realm.realm import ALL, NEUTRAL, Realm

STRAIGHT_FIRST = (0, 1, -1, 2, -2, 3)
BACK, WIDE = (0, 1, -1), (2, -2, 3)


def back_away(realm: Realm, army: Army, towards: str) -> None:
    """Into the first neighbour without a group outside a castle and without a castle, straight on first.

    No dice, no loss of prestige, the activation is kept; where no hex is free it stays, also before a castle.
    `towards`: the direction in which the other was going, "" where it stood still.
    """
    for turn in STRAIGHT_FIRST:
        there = step(army.node, turned(towards or "N", turn))
        if there in realm.hexes and _empty(realm, there):
            go(realm, army, there)
            realm.tell("backed_away", ALL, "8.3", x=army.army, hex=there)
            return
    realm.tell("backed_away", ALL, "8.3", touch=[army], x=army.army, hex="")


def _empty(realm: Realm, node: str) -> bool:
    return not any(not a.inside for a in realm.at(node)) and realm.castle_at(node) is None


def go(realm: Realm, army: Army, node: str) -> None:
    """Move a group off its hex, out of castle and siege; men in care stay behind."""
    if army.node != node:
        leave_in_care(realm, army)
    army.inside = army.besieging = ""
    for company in realm.followers(army):
        company.inside = company.besieging = ""
    realm.bring(army, node)


def leave_in_care(realm: Realm, army: Army) -> None:
    """Men in care do not march: they stay in their place and are counted there no more (15.7)."""
    for one in realm.stack(army):
        for row in realm.hurt(one, "in_care"):
            row.army = ""
            if row.noble:
                noble = realm.nobles[row.noble]
                noble.army, noble.place = "", row.place
                lead(realm, one)
                realm.touch(noble)
            else:
                setattr(one, row.rank, count(one, row.rank) - 1)
            keep_core(realm, one)
            realm.tell("left_in_care", realm.own(row.faction), "15.7", touch=[row, one],
                       who=row.noble or row.wounded, place=row.place)


# --- retreat (15.6) -------------------------------------------------------------------------------
def enemies_at(realm: Realm, army: Army, node: str) -> bool:
    """Whether a group of the other side stands on a hex outside a castle."""
    mine = realm.side(army.faction)
    return any(not a.inside and realm.side(a.faction) not in (mine, NEUTRAL) for a in realm.at(node)
               if a.army != army.army)


def legal(realm: Realm, army: Army, node: str) -> bool:
    """Whether a group may fall back to a hex."""
    mine = realm.side(army.faction)
    hostile_castle = any(p.castle and (p.holder or NEUTRAL) not in (mine, NEUTRAL) for p in realm.places_at(node))
    return node in realm.hexes and not enemies_at(realm, army, node) and not hostile_castle


def ways_back(realm: Realm, army: Army, towards: str, first: str = "") -> list[str]:
    """The legal hexes of a retreat: the side it came from and the two beside it, else the other three.

    `towards`: the direction in which the opponent was going; `first`: instead of the side it came from.
    """
    start = first or direction(army.node, army.came_from) or towards or "S"
    for turns in (BACK, WIDE):
        found = [there for turn in turns if legal(realm, army, there := step(army.node, turned(start, turn)))]
        if found:
            return found
    return []


def retreat(realm: Realm, army: Army, towards: str, first: str = "") -> str:
    """A group falls back; several legal hexes are its side's choice. The hex, "" where there is none."""
    options = ways_back(realm, army, towards, first)
    if not options:
        return ""
    goal = options[0]
    side = realm.side(army.faction)
    if len(options) > 1 and side != NEUTRAL:
        asked = realm.question("retreat", army.faction, f"{army.army}/{army.node}", options, goal, unit=army.army,
                               hex=army.node)
        goal = realm.game.choose(asked)
    go(realm, army, goal)
    realm.tell("retreated", ALL, "15.6", x=army.army, hex=goal)
    return goal


def surrender_group(realm: Realm, army: Army, captor: str, taker: Army | None, battle: str = "",
                    record: Prisoners | None = None) -> Prisoners:
    """A group that has no way out is taken whole, its nobles with it (15.6)."""
    into = record or new_captives(realm, army.faction, captor, taker, army.node, battle)
    take_group(realm, army, into, taker.faction if taker is not None else "")
    realm.tell("no_retreat", ALL, "15.6", x=army.army)
    return into


def take_group(realm: Realm, army: Army, into: Prisoners, by: str) -> None:
    """Men and nobles of a group become captives, and the group is gone; `by`: the faction that takes it."""
    take_unit(realm, army, into)
    remove_group(realm, army, "captured", by)


def take_unit(realm: Realm, unit: Army | Place, into: Prisoners | None) -> None:
    """All men and nobles of a group or garrison become captives; of whom nobody keeps a record is lost."""
    nobles = realm.with_them(unit) if isinstance(unit, Army) else realm.in_garrison(unit)
    take_men(realm, unit, into)
    if into is not None:
        for noble in nobles:
            take_noble(realm, noble, into)


def take_men(realm: Realm, unit: Army | Place, into: Prisoners | None) -> None:
    """All men of a group or garrison become captives."""
    for rank in RANKS:
        for row in hurt_here(realm, unit, rank):
            row.state = "prisoner"
            realm.touch(row)
        if into is not None:
            put_captives(into, rank, count(unit, rank))
            realm.touch(into)
        setattr(unit, field_of(unit, rank), 0)
    realm.touch(unit)
