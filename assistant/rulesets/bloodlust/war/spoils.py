"""Loot and Staying at War: a side that has won in; resources, who stays and who goes home, out (LO, SW)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.campaign.order import in_natural_order
from assistant.rulesets.bloodlust.book.records import Army
from assistant.rulesets.bloodlust.book.sheets import MORALE_OF, Unit
from assistant.rulesets.bloodlust.book.tables import LOOT, STAYING
from assistant.rulesets.bloodlust.realm.change import join, leave
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Count

STAY = RangeTable.rising("staying", (0, "home"), (1, "main_army"), (2, "capital"))
SEASONED = MORALE_OF["veteran"]


def loot(f: Realm, armies: Sequence[str], code: str, units: Sequence[Unit] = ()) -> None:
    """The armies of a nation loot (LO). `units`: those they had at the start, where that is not now."""
    rules, nation = f.rules, f.nations[code]
    have = units or f.units_in(*armies)
    mods = {"people of winter": int(rules.piorad_loot) * nation.has_trait("winter_war"),
            "mercenaries": rules.loot_mods_mercenary * any(unit.mercenary for unit in have),
            "treasure hunter": rules.loot_mods_treasure_hunter * f.any_has("treasure_hunter", *armies)}
    count = f.counted(LOOT, (in_natural_order(armies)[0],), f.wr_now(f.lead(*armies)), mods)
    gain = max(0, count.total) * rules.loot_each
    nation.resources, nation.looted = nation.resources + gain, nation.looted + gain
    if count.at_most(0) and f.any_has("greedy", *armies):
        for unit in f.units_in(*armies):
            unit.greedy_until = f.later(1)
            f.touch(unit)
    f.tell("looted", ALL, "LO", roll=count, touch=[nation], faction=code, n=gain)


def nearest_army(f: Realm, code: str, nodes: Sequence[str], but: str) -> Army | None:
    """The nation's army with a commander and most units in some provinces; ties first id."""
    own = [army for army in f.armies if army.active and army.faction == code and army.node in nodes
           and army.army != but and army.kind == "field" and f.cincs(army.army)]
    return max(own, key=lambda army: len(f.units_in(army.army)), default=None)


def stay_or_go(f: Realm, army: Army) -> None:
    """Staying at War: every unit of an army is tested (SW)."""
    tests: dict[str, Count] = {}
    for unit in f.units_in(army.army):
        about = army.army if f.rules.staying_scope == "army" else unit.unit
        if about not in tests:
            tests[about] = f.counted(STAYING, (unit.unit,), audience=[unit.faction], rows=STAY)
        row = tests[about].verdict if MORALE_OF[unit.morale] >= SEASONED else "home"
        main = nearest_army(f, unit.faction, [army.node, *f.near(army.node)], army.army) if row == "main_army" else None
        if row == "capital":
            join(f, f.reserve(unit.faction), [unit])
        elif main is not None:
            join(f, main, [unit])
        else:
            row = "home"
            leave(f, unit, "disbanded")
        f.tell("staying", [unit.faction], "SW", roll=tests[about], touch=[unit], unit=unit.unit, row=row)
