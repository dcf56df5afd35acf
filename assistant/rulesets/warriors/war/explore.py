"""Phase 3a: who explores better, and what it wins (3 exploration)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.records import Battle, BattleArmy
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.book.tables import EXPLORE
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.game import REFEREE
from assistant.turn.throws.rulings import Score


def explore(land: Country) -> None:
    """Each open battle of the turn that nobody has explored yet."""
    for battle in land.battles.of_turn(land.game.turn, lambda row: row.status == "open" and row.band is None):
        _battle(land, battle)


def forces_of(land: Country, battle: str) -> list[BattleArmy]:
    """The Forces of a battle, in natural order."""
    return land.battle_armies.where(lambda one: one.battle == battle and one.side != "")


def _battle(land: Country, battle: Battle) -> None:
    """A side is as good as its best Force; the difference says what it wins."""
    rules, best = land.rules, {"A": 0, "D": 0}
    rolls: list[Score] = []
    rows = forces_of(land, battle.battle)
    for row in rows:
        row.exploration, dice = _force(land, battle, row, land.armies[row.army])
        rolls += dice
        best[row.side] = max(best[row.side], row.exploration)
    margin = abs(best["A"] - best["D"])
    battle.band = sum(margin >= step for step in (rules.band_1, rules.band_2, rules.band_3))
    battle.explorer = ("A" if best["A"] > best["D"] else "D") if battle.band else ""
    land.tell("exploration", REFEREE, "3 exploration", roll=rolls, touch=[battle, *rows], battle=battle.battle,
              A=best["A"], D=best["D"], band=battle.band, winner=battle.explorer)
    for side in ("A", "D"):
        clubs = land.circle(land.armies[row.army].faction for row in rows if row.side == side)
        better = "you" if battle.explorer == side else "enemy" if battle.explorer else "nobody"
        land.tell("exploration", clubs, "3 exploration", battle=battle.battle, total=best[side], band=battle.band,
                  winner=battle.explorer, better=better)


def _force(land: Country, battle: Battle, row: BattleArmy, army: Army) -> tuple[int, list[Score]]:
    """What a Force's exploration comes to: by its order, or with scouts and wizard alone."""
    rules, units = land.rules, [one for one in land.units_of(army.army) if one.figures]
    if row.start_reaction in ("unsteady", "routed"):
        return 0, []
    scouts = min(rules.scouts_max, rules.scout_points * sum(one.scouts for one in units))
    wizard = rules.wizard_points if any(one.wizard for one in units) else 0
    weather = land.weather(battle.node)
    mods = {**land.by_territory(battle.node, army.faction, rules.ex_friendly, rules.ex_enemy),
            weather.weather: weather.explore_mod, "night": rules.night_exploration if battle.night else 0}
    if row.start_order == "march" or row.start_reaction == "confused":
        base = scouts + wizard if rules.confused_scout == "and" else max(scouts, wizard)
        return (max(0, base + sum(mods.values())) if base else 0), []
    dice = land.score(EXPLORE(battle.battle, army.army, dice=rules.explore_die),
                      {"scouts": scouts, "wizard": wizard, **mods}, land.own(army.faction))
    factor = rules.ex_defend if row.start_order == "defend" else 1
    return max(0, dice.total) * factor, [dice]
