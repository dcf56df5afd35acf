"""An ad-hoc army: a nation and a province in; a lord's army with its captain out (DA)."""

from __future__ import annotations

from assistant.rulesets.bloodlust.book.records import Army
from assistant.rulesets.bloodlust.book.tables import LEVY
from assistant.rulesets.bloodlust.realm.change import enlist, new_army
from assistant.rulesets.bloodlust.realm.people import raise_leader
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm


def levy_size(f: Realm) -> int:
    """How many rolls an ad-hoc army has in this season."""
    rules = f.rules
    change = {"Wi": rules.levy_season_Wi, "Fa": rules.levy_season_Fa, "Su": rules.levy_season_Su}
    return max(0, rules.levy_rolls + change.get(f.season, 0))


def raise_levy(f: Realm, code: str, node: str) -> Army:
    """A local lord raises an army on his nation's table, under a captain of his own."""
    army = new_army(f, code, node, kind="levy")
    rolls = [f.roll(LEVY(army.army, i), [code]) for i in range(1, levy_size(f) + 1)]
    units = [unit for roll in rolls if (unit := enlist(f, code, roll.total, army.army)) is not None]
    f.tell("levied", [code], "DA", roll=rolls, army=army.army, n=len(units))
    leader = raise_leader(f, code, "captain", army.army, levy=True)
    f.tell("levy_raised", ALL, "DA", node=node, n=len(units), leader=leader.leader, army=army.army)
    return army
