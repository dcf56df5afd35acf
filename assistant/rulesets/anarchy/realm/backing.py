"""Leaving a hex without a fight or after one (rulebook: Backing away, Retreats; chapters 8.3, 15.6)."""

from __future__ import annotations

from assistant.campaign.hexmap import direction, step, turned
from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.sheets import Place, Prisoners
from assistant.rulesets.anarchy.realm.change import (
    keep_core,
    lead,
    new_captives,
    remove_group,
    take_men,
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
    around = (step(army.node, turned(towards or "N", turn)) for turn in STRAIGHT_FIRST)
    free = next((there for there in around if empty(realm, there)), "")
    if free:
        go(realm, army, free)
    realm.tell("backed_away", ALL, "8.3", touch=[army], x=army.army, hex=free)


def empty(realm: Realm, node: str) -> bool:
    """Whether a hex of the map has no group outside a castle, and no castle."""
    return node in realm.hexes and all(a.inside for a in realm.at(node)) and realm.castle_at(node) is None


def go(realm: Realm, army: Army, node: str) -> None:
    """Move a group off its hex, out of castle and siege; men in care stay behind."""
    if army.node != node:
        leave_in_care(realm, army)
    for one in realm.stack(army):
        one.inside = one.besieging = ""
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
                one.gain(row.rank, -1)
            keep_core(realm, one)
            realm.tell("left_in_care", realm.own(row.faction), "15.7", touch=[row, one],
                       who=row.noble or row.wounded, place=row.place)


# --- retreat (15.6) -------------------------------------------------------------------------------
def legal(realm: Realm, army: Army, node: str) -> bool:
    """Whether a group may fall back to a hex: no hostile castle there, and outside one no hostile group."""
    friends = (realm.side(army.faction), NEUTRAL)
    return (node in realm.hexes and all(a.inside or realm.side(a.faction) in friends for a in realm.at(node))
            and all(realm.side_of_place(p) in friends for p in realm.places_at(node) if p.castle))


def retreat(realm: Realm, army: Army, towards: str, first: str = "") -> str:
    """A group falls back: to the side it came from or one beside it, else to the other three; its side chooses.

    `towards`: the direction in which the opponent was going; `first`: instead of the side it came from. The hex, ""
    where there is none.
    """
    start = first or direction(army.node, army.came_from) or towards or "S"
    around = ([there for turn in turns if legal(realm, army, there := step(army.node, turned(start, turn)))]
              for turns in (BACK, WIDE))
    options = next(filter(None, around), [""])
    goal = options[0]
    if len(options) > 1 and realm.side(army.faction) != NEUTRAL:
        goal = realm.game.choose(realm.question("retreat", army.faction, f"{army.army}/{army.node}", options, goal,
                                                unit=army.army, hex=army.node))
    if goal:
        go(realm, army, goal)
        realm.tell("retreated", ALL, "15.6", x=army.army, hex=goal)
    return goal


def surrender_group(realm: Realm, army: Army, captor: str, taker: Army | None, battle: str = "",
                    record: Prisoners | None = None) -> Prisoners:
    """A group that has no way out is taken whole, its nobles with it (15.6)."""
    into = record or new_captives(realm, army.faction, captor, taker, army.node, battle)
    take_unit(realm, army, into)
    remove_group(realm, army, "captured", taker.faction if taker is not None else "")
    realm.tell("no_retreat", ALL, "15.6", x=army.army)
    return into


def take_unit(realm: Realm, unit: Army | Place, into: Prisoners | None) -> None:
    """All men and nobles of a group or garrison become captives; of whom nobody keeps a record is lost."""
    nobles = realm.nobles_of(unit)
    take_men(realm, unit, into)
    if into is not None:
        for noble in nobles:
            take_noble(realm, noble, into)
