"""Phase 4: losses, who is broken, who steps back, what changes hands."""

from __future__ import annotations

from collections import Counter

from assistant.campaign.tables import natural
from assistant.rulesets.warriors.battle import ReportedBattle, whole_or_zero
from assistant.rulesets.warriors.land import (
    Country,
    codes_of_rows,
    default_place,
    forget_wounded,
    legal_squares,
    owe_will_test,
    remove_force,
    remove_if_empty,
    retreat_places,
    take_reaction,
    wound_figures,
)
from assistant.rulesets.warriors.movement import quality_modifier, test_deserters, test_wounded
from assistant.rulesets.warriors.numbers import DESERTER, QUALITY, STALEMATE, WOUNDED, WOUNDED_COMMANDER
from assistant.rulesets.warriors.records import Army, Battle, BattleUnit, Node
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest, Score

# Phase 4, first half: the fallen and the runaways, commanders, who is broken, who won, who reels (4).


LOSERS = {"attacker": "D", "defender": "A"}


class Aftermath(Country):
    """The board of phase 4, with the battles that were fought."""

    @property
    def fights(self) -> list[ReportedBattle]:
        """The fought battles of the turn, in natural order."""
        return [
            ReportedBattle(self, row)
            for row in self.battles.of_turn(self.game.turn, lambda battle: battle.status == "fought")
        ]

    def beaten(self, battle: Battle) -> str:
        """The beaten side, "" after a stalemate."""
        return LOSERS.get(battle.outcome, "")

    def forces(self, fight: ReportedBattle, side: str = "") -> list[Army]:
        """The Forces of a battle, or of one side, that are still on the map, in natural order."""
        return [army for code, row in fight.forces.items()
                if side in ("", row.side) and (army := self.armies[code]).active]


# --- figures --------------------------------------------------------------------------------------
def test_figures(land: Aftermath) -> None:
    """Test unit by unit: the killed may only be wounded, runaways may desert; then the fallen commanders."""
    for fight in land.fights:
        for unit in sorted(fight.units, key=land.units.keys().index):
            _unit(land, fight, fight.units[unit])
        for row in fight.forces.values():
            if row.commander_killed and land.armies[row.army].commander_state != "dead":
                _commander(land, fight.battle, land.armies[row.army])
    for fight in land.fights:
        for army in land.forces(fight):
            remove_if_empty(land, army, "4 wounded")


def _unit(land: Aftermath, fight: ReportedBattle, row: BattleUnit) -> None:
    battle, unit = fight.battle, land.units[row.unit]
    army, beaten = land.armies[unit.army], land.beaten(fight.battle) == fight.side_of(row.unit)
    own = land.own(army.faction)
    killed, routed, withdrawn = whole_or_zero(row.killed), whole_or_zero(row.routed), whole_or_zero(row.withdrawn)
    if beaten and unit.mercenary:
        forget_wounded(land, unit.unit)
        row.dead, row.deserted, unit.figures = killed, unit.figures - killed, 0
        land.tell("mercenaries_left", unit=unit.unit, army=army.army, count=row.deserted)
        return
    hurt, rolls = test_wounded(land, army.faction, battle.node, killed, lambda i: WOUNDED(
        battle.battle, unit.unit, i, dice=land.rules.wound_die), own)
    deserted, more = _runaways(land, battle, row, routed, withdrawn if beaten else 0)
    row.dead, row.wounded, row.deserted = killed - hurt, hurt, deserted
    unit.figures = max(0, unit.figures - killed - deserted)
    wound_figures(land, unit, hurt)
    land.tell("losses", rule="4 wounded" if killed else "4 deserters", roll=[*rolls, *more], unit=unit.unit,
              army=army.army, battle=battle.battle, dead=row.dead, wounded=hurt, deserted=deserted,
              figures=unit.figures)


def _runaways(land: Aftermath, battle: Battle, row: BattleUnit, routed: int, left: int) -> tuple[int, list[Score]]:
    """Test the figures that ran, and of a beaten side those that left by order; return the deserters and dice."""
    if not routed + left:
        return 0, []
    unit = land.units[row.unit]
    own = land.own(land.armies[unit.army].faction)
    mods, rolls = quality_modifier(land, unit, QUALITY(battle.battle, unit.unit), own)
    gone = 0
    for numbers, ran in ((range(1, routed + 1), True), (range(routed + 1, routed + left + 1), False)):
        n, dice = test_deserters(land, mods, numbers, lambda i: DESERTER(
            battle.battle, unit.unit, i, dice=land.rules.desert_die), own, routed=ran)
        gone, rolls = gone + n, [*rolls, *dice]
    return gone, rolls


def _commander(land: Aftermath, battle: Battle, army: Army) -> None:
    """Test a fallen commander as any figure: wounded, and back after some turns, or dead."""
    own = land.own(army.faction)
    hurt, dice = test_wounded(land, army.faction, battle.node, 1, lambda i: WOUNDED_COMMANDER(
        battle.battle, army.army, dice=land.rules.wound_die), own)
    army.commander_state = "wounded" if hurt else "dead"
    army.commander_back = land.turn + land.rules.wounded_turns if hurt else 0
    land.told("commander_wounded" if hurt else "commander_dead", army, "4 wounded", roll=dice, commander=army.commander,
              until=army.commander_back)


# --- tallies and reactions ------------------------------------------------------------------------
def tally(land: Aftermath) -> None:
    """Count each battle once for each faction; the beaten owe a test of their will."""
    for fight in land.fights:
        battle, beaten = fight.battle, land.beaten(fight.battle)
        sides = {land.armies[code].faction: row.side for code, row in fight.forces.items()}
        for faction in sorted(sides):
            row = land.factions[faction]
            if not beaten:
                row.drawn, came = row.drawn + 1, "drawn"
            elif sides[faction] == beaten:
                row.lost, came = row.lost + 1, "lost"
                owe_will_test(land, faction, f"battle_lost:{battle.battle}")
            else:
                row.won, came = row.won + 1, "won"
            land.tell("tallied", faction=faction, battle=battle.battle, came=came)


def reactions(land: Aftermath) -> None:
    """Worsen the reaction of beaten Forces, from the one with which they began."""
    for fight in land.fights:
        for army in land.forces(fight, land.beaten(fight.battle)) if land.beaten(fight.battle) else []:
            worse = {"none": "confused", "confused": "unsteady", "unsteady": land.rules.unsteady_loser,
                     "routed": "routed"}[fight.forces[army.army].start_reaction or "none"]
            if worse == "destroyed":
                if land.rules.will_trigger == "any_force":
                    owe_will_test(land, army.faction, f"force_lost:{army.army}")
                remove_force(land, army, "destroyed", "force_destroyed", "4 reactions", why="beaten while unsteady")
                continue
            take_reaction(army, worse, kept=land.rules.order_under_reaction == "kept")
            land.told("reaction", army, reaction=worse)


# Phase 4: retreats, and stepping back after a stalemate (4 movement after).


AskedMove = tuple[ReportedBattle, Army, list[str]]
"""A battle, a Force that must leave, and its options when it is asked."""


def step_into(land: Aftermath, army: Army, to: str, event: str) -> None:
    """Move a Force into the next square, onto water with the first own boats that take it; its field works are lost."""
    boats, start = land.carriers(army)[:1] if land.map.water(to) else [], army.node
    army.node, army.aboard, army.fieldworks = to, "", 0
    for boat in boats:
        boat.node, army.aboard = to, boat.boat
    land.went(event, army, start, "4 movement after", to=to)


def _answers(land: Aftermath, kind: str, moves: list[AskedMove]) -> dict[tuple[str, str], str]:
    """Ask all clubs at once where their Forces go; battle and Force -> square."""
    asks = {(fight.battle.battle, army.army): Ask(
        kind, army.faction, f"{fight.battle.battle}/{army.army}", tuple(options), default_place(land, army, options),
        {"army": army.army, "battle": fight.battle.battle, "node": army.node})
        for fight, army, options in moves if options}
    return dict(zip(asks, land.game.choose_all(list(asks.values())), strict=True))


def retreats(land: Aftermath) -> None:
    """The beaten retreat; by switch a Force with nowhere to go is destroyed."""
    losers = [(fight, army) for fight in land.fights if land.beaten(fight.battle)
              for army in land.forces(fight, land.beaten(fight.battle))]
    at_home = [army.army for _, army in losers if _keeps_its_place(land, army)]
    _tell_staying(land, at_home, "stronghold")
    moves = [(fight, army, retreat_places(land, army)) for fight, army in losers if army.army not in at_home]
    chosen = _answers(land, "retreat", moves)
    for fight, army, _ in moves:
        options = retreat_places(land, army)
        wish = chosen.get((fight.battle.battle, army.army), "")
        to = wish if wish in options else default_place(land, army, options)
        if to:
            step_into(land, army, to, "retreated")
        elif land.rules.no_retreat == "destroyed":
            remove_force(land, army, "destroyed", "no_retreat", "4 movement after", why="nowhere to go")
        else:
            _tell_staying(land, [army.army], "no square")


def _keeps_its_place(land: Aftermath, army: Army) -> bool:
    row = land.nodes[army.node]
    return (land.rules.lost_on_stronghold == "no" and row.place != "none" and land.friendly(row.holder, army.faction))


# --- stalemates -----------------------------------------------------------------------------------
def step_back(land: Aftermath) -> None:
    """Both sides of each drawn battle step back, one after the other, so that a square lies between them."""
    pairs = [(fight, _sides(land, fight)) for fight in land.fights if not land.beaten(fight.battle)]
    taken: dict[str, list[str]] = {}
    for turn in (0, 1):
        moves = [(fight, army, _squares_apart(land, army, taken.get(fight.battle.battle, [])))
                 for fight, sides in pairs if turn < len(sides) for army in land.forces(fight, sides[turn])]
        chosen = _answers(land, "step-back", moves)
        for fight, army, _ in moves:
            first = taken.get(fight.battle.battle, []) if turn else []
            to = _step(land, army, _squares_apart(land, army, first), chosen.get((fight.battle.battle, army.army), ""))
            if to and not turn:
                taken.setdefault(fight.battle.battle, []).append(to)


def _squares_apart(land: Aftermath, army: Army, taken: list[str]) -> list[str]:
    """Legal squares far enough from those the other side has just taken; all, if there are none."""
    options = legal_squares(land, army)
    far = [option
           for option in options if all(land.map.distance(option, other) > land.rules.gap_squares for other in taken)]
    return far or options


def _step(land: Aftermath, army: Army, options: list[str], wish: str) -> str:
    to = wish if wish in options else default_place(land, army, options)
    if not to:
        _tell_staying(land, [army.army], "no square")
        return ""
    step_into(land, army, to, "stepped_back")
    return to


def _sides(land: Aftermath, fight: ReportedBattle) -> list[str]:
    """The sides that step back, in order; Forces that stay are told."""
    node, rows = land.nodes[fight.battle.node], fight.forces.values()
    if all(row.start_order == "defend" for row in rows):
        _tell_staying(land, codes_of_rows(land.forces(fight)), "both defend")
        return []
    at_home = [side for side in ("A", "D") if node.place != "none" and any(
        land.friendly(node.holder, army.faction) for army in land.forces(fight, side))]
    for side in at_home:
        _tell_staying(land, codes_of_rows(land.forces(fight, side)), "stronghold")
    going = [side for side in ("A", "D") if side not in at_home and land.forces(fight, side)]
    return _stepping_order(land, fight) if len(going) == 2 else going


def _tell_staying(land: Aftermath, armies: list[str], why: str) -> None:
    for army in (land.armies[code] for code in armies):
        land.tell("stays", army=army.army, node=army.node, why=why)


def _stepping_order(land: Aftermath, fight: ReportedBattle) -> list[str]:
    """The order of stepping back: the lower die first, equals throw again; or by switch the lower best V.C."""
    if land.rules.stalemate_order == "vc":
        best = {side: max(row.start_vc or 0 for row in fight.forces.values() if row.side == side) for side in "AD"}
        return ["D", "A"] if best["D"] < best["A"] else ["A", "D"]
    known = land.circle(land.armies[code].faction for code in fight.forces)
    again = 1
    while True:
        dice = Contest({side: land.score(STALEMATE(fight.battle.battle, side, again), {}, known) for side in "AD"})
        if dice.winner:
            land.tell("stepping_order", roll=dice, battle=fight.battle.battle, first="D" if dice.winner == "A" else "A")
            return ["D", "A"] if dice.winner == "A" else ["A", "D"]
        again += 1


# Phase 4: places and boats that change hands, and the close of battles (4 movement after).


def take_places(land: Aftermath) -> None:
    """A place in which only enemies of its holder stand falls to them, also without a fight."""
    for node in land.nodes.where(lambda node: node.place != "none"):
        there = land.garrison(node.node)
        taker = _taker(land, node, there)
        if taker:
            place_falls(land, node, taker, "4 movement after")
        elif land.rules.hold_needs_force == "yes" and node.holder not in ("", node.founder) and not any(
                land.friendly(army.faction, node.holder) for army in land.at(node.node)):
            place_falls(land, node, node.founder if land.plays(node.founder) else "", "4 movement after")


def _taker(land: Country, node: Node, there: list[Army]) -> str:
    """The faction that takes a place, "" for none: its founder if among friends there, else who has most figures."""
    holder = node.holder if land.plays(node.holder) else ""
    if not there or any(land.friendly(army.faction, holder) for army in there):
        return ""
    foes = [army for army in there if not holder or land.hostile(army.faction, holder)]
    if any(land.hostile(a.faction, b.faction) for a in foes for b in foes):
        return ""
    count: Counter[str] = Counter()
    for foe in foes:
        count[foe.faction] += land.figures(foe.army)
    takers = sorted(+count, key=lambda faction: (-count[faction], natural(faction)))  # no commander without Units
    if land.plays(node.founder) and any(land.friendly(node.founder, taker) for taker in takers):
        return node.founder if node.founder != node.holder else ""
    return takers[0] if takers else ""


def place_falls(land: Country, node: Node, to: str, rule: str) -> None:
    """A place changes hands and loses its store; a founder who loses it owes a test of the will."""
    was, node.holder, node.store = node.holder, to, 0
    if was and was == node.founder and land.plays(was):
        owe_will_test(land, was, f"place_lost:{node.node}")
    land.tell("place_taken", rule=rule, node=node.node, was=was, to=to)


def take_boats(land: Aftermath) -> None:
    """Empty boats with only enemies in their square fall to them; then the battles are closed."""
    for boat in land.boats:
        there = land.garrison(boat.node)
        takers = [army for army in there if land.figures(army.army)]
        if any(army.aboard == boat.boat for army in land.active()) or not takers:
            continue
        if boat.faction and all(land.hostile(army.faction, boat.faction) for army in there):
            first = min(takers, key=lambda army: natural(army.army))
            boat.faction = first.faction
            land.tell("boats_taken", boat=boat.boat, node=boat.node, by=first.faction)
    for fight in land.fights:
        fight.battle.status = "closed"
        land.tell("battle_closed", battle=fight.battle.battle, node=fight.battle.node)
