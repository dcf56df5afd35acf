"""Siege tests: sieges of earlier seasons in; units that lose heart or leave, forts that fall or hold, out (LS)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.bloodlust.book.sheets import MORALE_OF, Siege, Unit
from assistant.rulesets.bloodlust.book.tables import SIEGE
from assistant.rulesets.bloodlust.realm.change import conquer, end_empty, end_siege, leave
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Count

ROWS = RangeTable.rising("siege", (0, "leaves"), (1, "loses_heart"), (2, "steady"))
POOR = MORALE_OF["poor"]


def sieges(f: Realm) -> None:
    """Each siege that has lasted is tested, in the order of provinces."""
    due = f.sieges.where(lambda one: not one.ended and (
        one.began != f.turn or f.rules.siege_first_test == "same"))
    for siege in sorted(due, key=lambda one: natural(one.node)):
        _test(f, siege)
    end_empty(f)


def _test(f: Realm, siege: Siege) -> None:
    owner = f.provinces[siege.node].owner
    units = f.units_in(*siege.armies)
    counts = _counts(f, siege, units, [siege.besieger, owner])
    for unit in units:
        count = counts[unit.unit]
        row = count.verdict
        if row == "loses_heart" and MORALE_OF[unit.morale] - unit.siege_loss <= POOR:
            row = "leaves"
        if row == "leaves":
            leave(f, unit, "disbanded")
        elif row == "loses_heart":
            unit.siege_loss += 1
        f.tell("siege_test", [siege.besieger, owner], "LS", roll=count, touch=[unit], unit=unit.unit, row=row)
    inside, outside = f.units_in(*siege.armies_in.split()), f.units_in(*siege.armies_out.split())
    if not outside:
        end_siege(f, siege, "held")
    elif not inside:
        _falls(f, siege)


def _counts(f: Realm, siege: Siege, units: list[Unit], audience: list[str]) -> dict[str, Count]:
    """The test of each unit, or of its army (`siege_scope`)."""
    rules, found = f.rules, dict[str, Count]()
    season = {"Wi": rules.siege_mods_Wi, "Su": rules.siege_mods_Su}.get(f.season, 0)
    tests: dict[str, Count] = {}
    for unit in units:
        about = unit.army if rules.siege_scope == "army" else unit.unit
        if about not in tests:
            mods = {"siege skill": rules.siege_mods_siege * unit.has("siege"), "season": season}
            tests[about] = f.counted(SIEGE, (unit.unit,), mods=mods, audience=audience, rows=ROWS)
        found[unit.unit] = tests[about]
    return found


def _falls(f: Realm, siege: Siege) -> None:
    """The fort falls, and whoever commanded in it is captured."""
    for leader in f.cincs(*siege.armies_in.split()):
        leader.army = ""
        if f.rules.siege_cinc == "captured":
            leader.state, leader.holder = "captured", siege.besieger
        f.touch(leader)
    end_siege(f, siege, "fell")
    conquer(f, f.provinces[siege.node], siege.besieger)
