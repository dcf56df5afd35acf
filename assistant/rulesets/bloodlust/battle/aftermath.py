"""The later passes after battles: who owns what, where armies stand, who stays at war (TS-Sp11; RT, SW)."""

from __future__ import annotations

from assistant.campaign.order import in_natural_order
from assistant.rulesets.bloodlust.battle.autos import fill_in
from assistant.rulesets.bloodlust.battle.fates import after_battle
from assistant.rulesets.bloodlust.battle.forms import ATTACKER, DEFENDER, DRAW, SIDES, Fought, count_forms, judged
from assistant.rulesets.bloodlust.book.records import Army
from assistant.rulesets.bloodlust.realm.change import (
    conquer,
    end_empty,
    end_levy,
    end_siege,
    go_back,
    join,
    lay_siege,
    leave,
    move,
)
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.rulesets.bloodlust.war.spoils import nearest_army, stay_or_go

FAR_BACK = ("open", "meeting")
"""Kinds of battle of which the loser loses the start as well."""
ORDERLY = 2


def battles(f: Realm) -> None:
    """All battles of the season in four passes."""
    fought = judged(f)
    for battle in fought:
        if battle.row.played == "auto":
            fill_in(f, battle)
        battle.row.winner = battle.winner
        f.tell("result", ALL, "TS-Sp10", touch=[battle.row], battle=battle.row.battle, node=battle.row.node,
               how=battle.winner, winner="" if battle.winner == DRAW else battle.head[battle.winner])
        after_battle(f, battle)
    insides = [_ownership(f, battle) for battle in fought]
    for battle, inside in zip(fought, insides, strict=True):
        _places(f, battle, inside=inside)
    for battle in fought:
        _stay(f, battle)
        battle.row.status = "played"
        count_forms(f, battle)
        f.touch(battle.row)
    end_empty(f)


def _ownership(f: Realm, battle: Fought) -> bool:
    """The second pass: who owns the province now; whether the beaten defender is inside its fort."""
    row, node = battle.row, f.provinces[battle.row.node]
    if battle.winner == DEFENDER and row.kind in FAR_BACK:
        start = f.provinces[row.start_node]
        if start.owner != row.defender:
            conquer(f, start, row.defender)
    if battle.winner != ATTACKER:
        return False
    if row.kind == "relief":
        siege = f.siege_at(row.node)
        if siege is not None:
            end_siege(f, siege, "relieved")
        return False
    if row.raid:
        node.looted_turn = f.turn
        f.tell("raided", ALL, "TS-Wi5", touch=[node], faction=row.attacker, node=row.node)
        return False
    if node.fort and row.kind != "meeting" and battle.retreat.get(DEFENDER, 0) >= ORDERLY and _inside(f, battle):
        return True
    conquer(f, node, row.attacker)
    return False


def _inside(f: Realm, battle: Fought) -> bool:
    """The orderly go into the fort, the routed to the Reserve; whether anybody is inside. Who stays besieges it."""
    row = battle.row
    for unit in battle.units[DEFENDER]:
        if unit.active and battle.routed(unit):
            join(f, f.reserve(unit.faction), [unit])
    if not f.units_in(*battle.armies[DEFENDER]):
        return False
    within = [code for code in battle.armies[DEFENDER] if f.units_in(code) or f.cincs(code)]
    for code in within:
        move(f, f.armies[code], row.node)
    starts, out = _starts(battle), [code for code in battle.armies[ATTACKER] if code not in row.back.split()]
    if out:
        head = next((code for code in out if f.armies[code].faction == row.attacker
                     and starts[code] == row.start_node), out[0])
        lay_siege(f, row.node, f.armies[head].faction, out, within, starts[head])
    return True


def _starts(battle: Fought) -> dict[str, str]:
    """Whence each army came; of an attacker's army of which nothing is said, the start of the battle."""
    starts = dict.fromkeys(battle.armies[ATTACKER], battle.row.start_node)
    return starts | dict(word.split("=", 1) for word in battle.row.starts.split() if "=" in word)


# --- where armies stand -----------------------------------------------------------------------------
def _places(f: Realm, battle: Fought, *, inside: bool) -> None:
    """The third pass. `inside`: whether the beaten are in their fort."""
    starts = _starts(battle)
    for side in SIDES:
        for code in battle.armies[side]:
            army = f.armies[code]
            if not army.active:
                continue
            if battle.winner == DRAW:
                if code in starts:
                    go_back(f, army, starts[code])
            elif battle.winner == side:
                _won(f, battle, side, army, starts, leaves=inside and code in battle.row.back.split())
            elif not (inside and side == DEFENDER):
                _lost(f, battle, side, army, starts)


def _won(f: Realm, battle: Fought, side: str, army: Army, starts: dict[str, str], *, leaves: bool) -> None:
    row = battle.row
    if side == ATTACKER and (row.raid or leaves):
        go_back(f, army, starts[army.army])
    elif side == DEFENDER and row.kind in FAR_BACK:
        move(f, army, row.start_node)
    else:
        move(f, army, row.node)


def _lost(f: Realm, battle: Fought, side: str, army: Army, starts: dict[str, str]) -> None:
    """A beaten army goes to its start, or falls back; without a place it disbands."""
    row = battle.row
    if army.kind != "levy" and row.raid and side == DEFENDER:
        move(f, army, row.node)
    elif side in battle.retreat and battle.retreat[side] < ORDERLY:
        _elite(f, army, row.node)
    elif army.kind == "levy":
        end_levy(f, army)
    elif side == ATTACKER and row.kind not in FAR_BACK:
        go_back(f, army, starts[army.army])
    elif row.kind == "relief":
        siege = next((one for one in f.sieges if one.ended == f.turn and army.army in one.armies), None)
        go_back(f, army, siege.start_node if siege is not None else "")
    else:
        _fall_back(f, army, row.start_node if side == ATTACKER else row.node)


def _fall_back(f: Realm, army: Army, node: str) -> None:
    place = f.fall_back(army.faction, node)
    if place:
        move(f, army, place)
        return
    for unit in f.units_in(army.army):
        leave(f, unit, "disbanded")
        f.tell("unit_lost", [unit.faction], "RT", unit=unit.unit)


def _elite(f: Realm, army: Army, node: str) -> None:
    """What is left after a retreat of one success joins an army next door, or disbands."""
    units = f.units_in(army.army)
    main = nearest_army(f, army.faction, f.near(node), army.army)
    if main is not None:
        join(f, main, units)
    for unit in units if main is None else ():
        leave(f, unit, "disbanded")
    if army.kind == "levy":
        end_levy(f, army)


def _stay(f: Realm, battle: Fought) -> None:
    """The fourth pass: an ad-hoc army that is not besieged goes home, its best after a victory perhaps to war (SW)."""
    won = battle.winner == DEFENDER
    for code in in_natural_order(battle.armies[DEFENDER]):
        army = f.armies[code]
        if won and (army.kind == "levy" or f.rules.staying_who == "all_defenders"):
            stay_or_go(f, army)
        if army.kind == "levy" and army.active and f.besieging(code) is None:
            end_levy(f, army)
