"""A battle that is not played: strengths in, the form filled in by dice out (rulebook: Melee)."""

from __future__ import annotations

from assistant.rulesets.bloodlust.battle.forms import ATTACKER, DEFENDER, DRAW, SIDES, Fought, destroyed_by, other
from assistant.rulesets.bloodlust.book.sheets import BattleLeader, BattleUnit
from assistant.rulesets.bloodlust.book.tables import CLASH, HITS, LEADER_HIT
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.rulesets.bloodlust.war.answering import clash_dice
from assistant.turn.throws.rulings import Contest


def fill_in(f: Realm, battle: Fought) -> None:
    """Winner, hits, routs, commanders down, and the retreat of a self-run nation."""
    row, ident = battle.row, battle.row.battle
    counts = {side: f.counted(CLASH, (ident, side), clash_dice(f, *battle.armies[side])) for side in SIDES}
    contest = Contest(counts)
    row.winner = contest.winner or DRAW
    margin = min(f.rules.auto_hit_cap, contest.margin)
    f.tell("clash", ALL, "ME", roll=contest, touch=[row], battle=ident, n=counts[ATTACKER].total,
           m=counts[DEFENDER].total)
    for side in SIDES:
        _hits(f, battle, side, margin)
        _commanders(f, battle, side)
    if row.winner != DRAW:
        loser = other(row.winner)
        if f.self_run(battle.head[loser]) and _gives_way(f, battle, loser):
            row.retreat = loser
            f.touch(row)


def _hits(f: Realm, battle: Fought, side: str, margin: int) -> None:
    beaten = battle.row.winner == other(side)
    change = margin if beaten else -margin if battle.row.winner == side else 0
    table = f.campaign.table(BattleUnit)
    for unit in battle.units[side]:
        row = battle.unit_row(unit)
        row = row if row.ident in table else table.add(row)
        row.hits = max(0, f.roll(HITS(unit.unit)).total + change)
        row.routed = beaten and row.hits > f.rules.auto_rout_rep * unit.rep
        f.touch(row)


def _commanders(f: Realm, battle: Fought, side: str) -> None:
    beaten = battle.row.winner == other(side)
    least = f.rules.auto_down_loser if beaten else f.rules.auto_down_winner
    table = f.campaign.table(BattleLeader)
    for leader in battle.cincs[side]:
        row = battle.leader_row(leader)
        row = row if row.ident in table else table.add(row)
        row.down, row.unit_fate = f.roll(LEADER_HIT(leader.leader)).at_least(least), "fought"
        f.touch(row)


def _gives_way(f: Realm, battle: Fought, side: str) -> bool:
    """Whether a beaten self-run nation orders the retreat (RT)."""
    units = battle.units[side]
    broken = sum(battle.unit_row(unit).routed or destroyed_by(f, unit, battle.hits(unit)) for unit in units)
    hope = battle.lead_wr(side) // 2 + sum(battle.retreat_mods[side].values())
    return broken * 100 >= f.rules.npc_retreat_pct * len(units) and hope >= f.rules.npc_retreat_hope
