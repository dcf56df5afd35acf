"""A battle that is not played: dice, V.C., strength, exploration, field works (rulebook: Auto-resolution)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.rulesets.warriors.book.records import Battle, BattleArmy, BattleUnit
from assistant.rulesets.warriors.book.tables import AUTO, AUTO_COMMANDER
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.game import REFEREE
from assistant.turn.throws.rulings import Contest

SHARES = {"stalemate": (15, 5), "winner": (10, 5), "loser": (20, 15), "routed": (30, 40)}
"""Killed and left in rout, in per cent of the figures before."""
MOST, STEPS, ROUT_BY, LEAST, WITHDRAWN = 4, 4, 5, 2, 50


def resolve_by_dice(land: Country, battle: Battle, forces: Mapping[str, BattleArmy],
                    units: Mapping[str, BattleUnit], side_of: Callable[[str], str]) -> None:
    """Fill in the form of a battle by the umpire's dice; the rows are changed."""
    strength = {side: sum((row.before or 0) * land.units[unit].points for unit, row in units.items()
                          if side_of(unit) == side) for side in ("A", "D")}
    known = land.circle(land.armies[one].faction for one in forces)
    dice = Contest({side: land.score(AUTO(battle.battle, side), modifiers(land, battle, forces, strength, side), known)
                    for side in ("A", "D")})
    winner = dice.winner if dice.by(LEAST) else ""
    battle.outcome = {"A": "attacker", "D": "defender", "": "stalemate"}[winner]
    for unit, lost in units.items():
        beaten = bool(winner) and side_of(unit) != winner
        word = ("routed" if dice.by(ROUT_BY) else "loser") if beaten else "winner" if winner else "stalemate"
        before = lost.before or 0
        killed, routed = (_share(land, before, share) for share in SHARES[word])
        lost.killed, lost.routed = killed, routed
        lost.withdrawn = _share(land, before - killed - routed, WITHDRAWN) if beaten else 0
    fallen = [row for row in forces.values() if winner and row.side != winner]
    throws = {row.army: land.score(AUTO_COMMANDER(battle.battle, row.army, dice="1d6"), {}, known) for row in fallen}
    for row in fallen:
        row.commander_killed = throws[row.army].at_most(1)
    # the throws with all that counts are the referee's: they say what the other side's commander is worth
    land.tell("auto_result", REFEREE, "3", roll=[*dice.scores.values(), *throws.values()],
              touch=[battle, *forces.values(), *units.values()], battle=battle.battle, node=battle.node,
              A=dice.scores["A"], D=dice.scores["D"], outcome=battle.outcome)
    bare = [score.roll for score in (*dice.scores.values(), *throws.values()) if score.roll is not None]
    land.tell("auto_result", known, "3", roll=bare, battle=battle.battle, node=battle.node, outcome=battle.outcome)


def _share(land: Country, figures: int, share: int) -> int:
    """So many per cent of some figures; with auto_rounding = half_up one half is a whole."""
    return (figures * share + (50 if land.rules.auto_rounding == "half_up" else 0)) // 100


def modifiers(land: Country, battle: Battle, forces: Mapping[str, BattleArmy], strength: Mapping[str, int],
              side: str) -> dict[str, int]:
    """What changes the dice of a side, by name."""
    own = [row for row in forces.values() if row.side == side]
    mine, other = strength[side], strength["D" if side == "A" else "A"]
    superiority = min(MOST, STEPS * (mine - other) // other) if other and mine > other else MOST if mine > other else 0
    reactions = {row.start_reaction for row in own}
    node = land.nodes[battle.node]
    stronghold = side == "D" and node.place != "none" and land.friendly(node.holder, battle.defender)
    return {"V.C.": max((row.start_vc or 0 for row in own), default=0), "superiority": superiority,
            "exploration": (battle.band or 0) if battle.explorer == side else 0,
            "unsteady" if "unsteady" in reactions else "confused":
                -2 if "unsteady" in reactions else -1 if "confused" in reactions else 0,
            "stronghold": 2 if stronghold else 0, "field works": int(any(row.fieldworks for row in own))}
