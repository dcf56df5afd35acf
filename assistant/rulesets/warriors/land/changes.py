"""What changes at several places of the book: a Force is no more, a chief falls, a reaction begins, figures fall.

See rulebook: 1 Orders, 4 After the battle.
"""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.rulesets.warriors.book.sheets import Army, Unit, Wounded
from assistant.rulesets.warriors.land.country import NO_ORDER, Country
from assistant.turn.throws.rulings import Ruling


def owe(land: Country, faction: str, reason: str) -> None:
    """A faction owes a test of its will to fight, for a reason."""
    row = land.factions.get(faction)
    if row is not None and row.plays:
        reasons = [one for one in row.will_due.split(",") if one]
        if reason not in reasons:
            row.will_due = ",".join([*reasons, reason])
            land.touch(row)


def react(army: Army, reaction: str, *, kept: bool = False) -> None:
    """A Force takes a reaction, which drops its order. `kept`: order_under_reaction = kept."""
    army.reaction = reaction
    if reaction != "none" and not kept:
        army.order = NO_ORDER


def remove(land: Country, army: Army, status: str, event: str, rule: str, *, why: str, roll: Ruling | None = None,
           keep_wounded: bool = False, **data: object) -> None:
    """A Force leaves the map, told under an event: its figures are gone, its boats stay where they are, empty."""
    touched: list[Record] = [army]
    node, army.status, army.node, army.aboard, army.fieldworks = army.node, status, "", "", 0
    for unit in land.units_of(army.army):
        if unit.figures:
            unit.figures = 0
            touched.append(unit)
        touched += [] if keep_wounded else forget_wounded(land, unit.unit)
    land.tell(event, land.seen_by(node, army.faction), rule, touch=touched, army=army.army, faction=army.faction,
              node=node, why=why, **data)
    if roll is not None:
        land.tell("rolled", land.own(army.faction), rule, roll=roll, army=army.army)
    new_chief(land, army.faction)


def empty(land: Country, army: Army, rule: str) -> bool:
    """A Force without figures leaves the map: broken, as long as it waits for wounded, else destroyed."""
    units = {one.unit for one in land.units_of(army.army)}
    status = "broken" if any(row.unit in units for row in land.wounded) else "destroyed"
    if army.status not in ("active", "broken") or army.status == status or land.figures(army.army):
        return False
    remove(land, army, status, f"force_{status}", rule, why="nobody is left", keep_wounded=True)
    return True


def new_chief(land: Country, faction: str) -> None:
    """Where the commander-in-chief is gone: the active Force with the highest effective V.C., then the lowest id."""
    own = [one for one in land.armies if one.faction == faction]
    left, gone = [one for one in own if one.active], [one for one in own if one.chief and not one.active]
    if not left or not gone or any(one.chief for one in left):
        return
    heir = min(left, key=lambda one: (-land.vc(one), natural(one.army)))
    for one in gone:
        one.chief = False
    heir.chief = True
    land.told("new_chief", heir, touch=gone)


def wound(land: Country, unit: Unit, count: int) -> list[Record]:
    """Figures of a Unit are wounded, and come back after some turns; the rows that changed."""
    if not count:
        return []
    due = land.turn + land.rules.wounded_turns
    row = land.wounded.get(Wounded(unit=unit.unit, due=due).ident)
    if row is None:
        row = land.wounded.add(Wounded(unit=unit.unit, due=due, count=0))
    row.count += count
    return [row]


def forget_wounded(land: Country, unit: str) -> list[Record]:
    """The wounded of a Unit are gone; their rows."""
    return [land.wounded.remove(row.ident) for row in land.wounded.where(lambda one: one.unit == unit)]


def next_unit(land: Country, army: str) -> str:
    """The id of a new Unit: the Force's, and the first free letter."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [*(army + one for one in letters), *(army + a + b for a in letters for b in letters)]
    return next(name for name in names if name not in land.units)
