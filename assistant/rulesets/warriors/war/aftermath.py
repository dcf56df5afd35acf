"""Phase 4, first half: the fallen and the runaways, commanders, who is broken, who won, who reels (4)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.records import Battle, BattleUnit
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.book.tables import DESERTER, QUALITY, WOUNDED, WOUNDED_COMMANDER
from assistant.rulesets.warriors.land.changes import empty, forget_wounded, owe, react, remove, wound
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.march.crossing import deserters_of, quality, wounded_of
from assistant.rulesets.warriors.war.forms import Fight, whole
from assistant.turn.throws.rulings import Score

LOSERS = {"attacker": "D", "defender": "A"}


class Aftermath(Country):
    """Phase 4: the battles that were fought, in natural order, each with its Forces and Units."""

    @property
    def fights(self) -> list[Fight]:
        """The battles of the turn that wait for what comes after."""
        return [Fight(self, row) for row in self.battles.of_turn(self.game.turn, lambda one: one.status == "fought")]

    def beaten(self, battle: Battle) -> str:
        """The beaten side, "" after a stalemate."""
        return LOSERS.get(battle.outcome, "")

    def forces(self, fight: Fight, side: str = "") -> list[Army]:
        """The Forces of a battle that are still on the map, in natural order; of one side."""
        return [army for code, row in fight.forces.items()
                if side in ("", row.side) and (army := self.armies[code]).active]


# --- figures --------------------------------------------------------------------------------------
def figures(land: Aftermath) -> None:
    """Unit by unit: the killed may be wounded only, the runaways may desert; then the commanders who fell."""
    for fight in land.fights:
        for unit in sorted(fight.units, key=land.units.keys().index):
            _unit(land, fight, fight.units[unit])
        for row in fight.forces.values():
            if row.commander_killed and land.armies[row.army].commander_state != "dead":
                _commander(land, fight.battle, land.armies[row.army])
    for fight in land.fights:
        for army in land.forces(fight):
            empty(land, army, "4 wounded")


def _unit(land: Aftermath, fight: Fight, row: BattleUnit) -> None:
    battle, unit = fight.battle, land.units[row.unit]
    army, beaten = land.armies[unit.army], land.beaten(fight.battle) == fight.side_of(row.unit)
    own = land.own(army.faction)
    killed, routed, withdrawn = whole(row.killed), whole(row.routed), whole(row.withdrawn)
    if beaten and unit.mercenary:
        gone = forget_wounded(land, unit.unit)
        row.dead, row.deserted, unit.figures = killed, unit.figures - killed, 0
        land.tell("mercenaries_left", own, "4 deserters", touch=[row, unit, *gone], unit=unit.unit, army=army.army,
                  count=row.deserted)
        return
    hurt, rolls = wounded_of(land, army.faction, battle.node, killed, lambda i: WOUNDED(
        battle.battle, unit.unit, i, dice=land.rules.wound_die), own)
    deserted, more = _runaways(land, battle, row, routed, withdrawn if beaten else 0)
    row.dead, row.wounded, row.deserted = killed - hurt, hurt, deserted
    unit.figures = max(0, unit.figures - killed - deserted)
    land.tell("losses", own, "4 wounded" if killed else "4 deserters", roll=[*rolls, *more],
              touch=[row, unit, *wound(land, unit, hurt)], unit=unit.unit, army=army.army, battle=battle.battle,
              dead=row.dead, wounded=hurt, deserted=deserted, figures=unit.figures)


def _runaways(land: Aftermath, battle: Battle, row: BattleUnit, routed: int, left: int) -> tuple[int, list[Score]]:
    """Who deserts of those who ran, and of a beaten side's who left by order."""
    if not routed + left:
        return 0, []
    unit = land.units[row.unit]
    own = land.own(land.armies[unit.army].faction)
    mods, rolls = quality(land, unit, QUALITY(battle.battle, unit.unit), own)
    gone = 0
    for numbers, ran in ((range(1, routed + 1), True), (range(routed + 1, routed + left + 1), False)):
        n, dice = deserters_of(land, mods, numbers, lambda i: DESERTER(
            battle.battle, unit.unit, i, dice=land.rules.desert_die), own, routed=ran)
        gone, rolls = gone + n, [*rolls, *dice]
    return gone, rolls


def _commander(land: Aftermath, battle: Battle, army: Army) -> None:
    """A commander who fell is tested as any figure: wounded, and back after some turns, or dead for good."""
    own = land.own(army.faction)
    hurt, dice = wounded_of(land, army.faction, battle.node, 1, lambda i: WOUNDED_COMMANDER(
        battle.battle, army.army, dice=land.rules.wound_die), own)
    army.commander_state = "wounded" if hurt else "dead"
    army.commander_back = land.turn + land.rules.wounded_turns if hurt else 0
    land.told("commander_wounded" if hurt else "commander_dead", army, "4 wounded", roll=dice, commander=army.commander,
              until=army.commander_back)


# --- who won, who reels ---------------------------------------------------------------------------
def tally(land: Aftermath) -> None:
    """Each faction counts a battle once; the beaten owe a test of their will."""
    for fight in land.fights:
        battle, beaten = fight.battle, land.beaten(fight.battle)
        sides = {land.armies[code].faction: row.side for code, row in fight.forces.items()}
        for faction in sorted(sides):
            row = land.factions[faction]
            if not beaten:
                row.drawn, came = row.drawn + 1, "drawn"
            elif sides[faction] == beaten:
                row.lost, came = row.lost + 1, "lost"
                owe(land, faction, f"battle_lost:{battle.battle}")
            else:
                row.won, came = row.won + 1, "won"
            land.tell("tallied", land.own(faction), "5", touch=[row], faction=faction, battle=battle.battle, came=came)


def reactions(land: Aftermath) -> None:
    """A beaten Force gets worse, by the reaction with which it began."""
    for fight in land.fights:
        for army in land.forces(fight, land.beaten(fight.battle)) if land.beaten(fight.battle) else []:
            worse = {"none": "confused", "confused": "unsteady", "unsteady": land.rules.unsteady_loser,
                     "routed": "routed"}[fight.forces[army.army].start_reaction or "none"]
            if worse == "destroyed":
                if land.rules.will_trigger == "any_force":
                    owe(land, army.faction, f"force_lost:{army.army}")
                remove(land, army, "destroyed", "force_destroyed", "4 reactions", why="beaten while unsteady")
                continue
            react(army, worse, kept=land.rules.order_under_reaction == "kept")
            land.told("reaction", army, reaction=worse)
