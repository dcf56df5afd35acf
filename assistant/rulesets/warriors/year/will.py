"""Phase 5: the will to fight, and the end of the campaign (5)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.columns import Codes, Ref, Whole, column
from assistant.campaign.record import Record
from assistant.rulesets.warriors.book.records import Faction
from assistant.rulesets.warriors.book.tables import WILL
from assistant.rulesets.warriors.land.changes import forget_wounded, owe
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.game import ALL
from assistant.turn.throws.rulings import Score


def will(land: Country) -> None:
    """Who has nothing left is out; who has a reason is tested, all at once; then who is left at war."""
    for row in land.players():
        _without_forces(land, row)
    empty = [row for row in land.players() if _nothing_left(land, row)]
    tested = [(row, *_test(land, row)) for row in land.players() if row.will_due and row not in empty]
    for row in empty:
        _out(land, row, "nothing_left")
    for row, dice, failed in tested:
        reasons, row.will_due, row.omen = row.will_due, "", 0
        for one in dice[:-1] if failed else dice:
            land.tell("will_passed", land.own(row.faction), "5", roll=[one], touch=[row], faction=row.faction,
                      total=one, reasons=reasons)
        if failed:  # what it has thrown, and with what, stays its own
            land.tell("will_rolled", land.own(row.faction), "5", roll=dice[-1:], faction=row.faction)
            _out(land, row, "will_failed", total=dice[-1], reasons=reasons)
    if not land.at_war():
        ends(land)


def _without_forces(land: Country, row: Faction) -> None:
    """The first time that a faction has no Force on the map is a reason."""
    without = not any(one.faction == row.faction for one in land.active())
    if without and not row.gone:
        owe(land, row.faction, "no_forces")
    if without != row.gone:
        row.gone = without
        land.tell("without_forces" if without else "forces_again", land.own(row.faction), "5", touch=[row],
                  faction=row.faction)


def _nothing_left(land: Country, row: Faction) -> bool:
    left = any(one.faction == row.faction and one.status in ("active", "broken") for one in land.armies)
    return not left and not any(one.place != "none" and one.holder == row.faction for one in land.nodes)


def modifiers(land: Country, faction: str, *, turn: bool = False) -> dict[str, int]:
    """What changes the will of a faction, by name; also the score (rulebook: End and score)."""
    rules, row = land.rules, land.factions[faction]
    won, lost = _battles(land, faction) if rules.will_battles == "turn" and turn else (row.won, row.lost)
    count = {"taken": 0, "gone": 0, "capitals": 0, "capital": 0}
    for node in land.nodes.where(lambda one: one.place != "none"):
        fort = node.place == "stronghold" or rules.capital_is_stronghold == "yes"
        if node.founder == faction:
            foreign = bool(node.holder) and not land.friendly(node.holder, faction)
            count["gone"] += foreign and fort
            count["capital"] += foreign and node.place == "capital"
        elif node.holder == faction and not land.friendly(node.founder, faction):
            count["taken"] += fort
            count["capitals"] += node.place == "capital" and land.hostile(node.founder, faction)
    return {"battles won": won * rules.will_won, "battles lost": lost * rules.will_lost,
            "strongholds taken": count["taken"] * rules.will_taken, "strongholds lost": count["gone"] * rules.will_gone,
            "capitals taken": count["capitals"] * rules.will_capital_taken,
            "capital lost": count["capital"] * rules.will_capital_lost}


def _battles(land: Country, faction: str) -> tuple[int, int]:
    """Battles that a faction has won and lost this turn."""
    won = lost = 0
    for battle in land.battles.of_turn(land.game.turn, lambda one: one.outcome in ("attacker", "defender")):
        sides = {row.side for row in land.battle_armies if row.battle == battle.battle
                 and land.faction_of(row.army) == faction}
        won += ("A" if battle.outcome == "attacker" else "D") in sides
        lost += ("D" if battle.outcome == "attacker" else "A") in sides
    return won, lost


def _test(land: Country, row: Faction) -> tuple[list[Score], bool]:
    """The dice of a faction's will, and whether it fails: one, or by switch one for each reason until it fails."""
    times = len(row.will_due.split(",")) if land.rules.will_tests == "per_trigger" else 1
    mods = {**modifiers(land, row.faction, turn=True), "omen": row.omen}
    dice: list[Score] = []
    for again in range(1, times + 1):
        dice.append(land.score(WILL(row.faction, again=again), mods, land.own(row.faction)))
        if dice[-1].at_most(land.rules.will_fail_at - 1):
            return dice, True
    return dice, False


def _out(land: Country, row: Faction, event: str, **told: object) -> None:
    """A faction leaves the campaign: its Forces, places and boats are nobody's any more."""
    row.status, row.will_due, row.omen = "out", "", 0
    touched: list[Record] = [row]
    for army in land.armies:
        if army.faction == row.faction and army.status in ("active", "broken"):
            army.status, army.node, army.aboard, army.fieldworks = "destroyed", "", "", 0
            touched.append(army)
            for unit in land.units_of(army.army):
                unit.figures = 0
                touched += [unit, *forget_wounded(land, unit.unit)]
    for node in land.nodes:
        if node.place != "none" and node.holder == row.faction:
            node.holder, node.store = "", 0
            touched.append(node)
    for boat in land.boats:
        if boat.faction == row.faction:
            boat.faction = ""
            touched.append(boat)
    land.tell(event, ALL, "5", touch=touched, faction=row.faction, **told)


# --- the end --------------------------------------------------------------------------------------
@dataclass
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a faction is from the end: with whom it is at war still, its score where the reader may know it, and the
    turns that are left, this one included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    at_war: tuple[str, ...] = column(Codes("Factions"), "Still at war with", "Ancora in guerra con")
    score: int | None = column(Whole(blank=True), "Score now", "Punteggio adesso")
    turns: int = column(Whole(0), "Turns left", "Turni rimasti")


def aims(land: Country, reader: str) -> list[Aim]:
    """All factions in play, the reader's first; in the fog battles and lost places of others are not counted."""
    left = max(0, land.rules.max_turns - land.turn + 1)
    rows = [Aim(row.faction, tuple(other.faction for other in land.players()
                                if land.hostile(row.faction, other.faction)),
                score(land, row.faction) if row.faction == reader or land.rules.fog == "open" else None, left)
            for row in land.players()]
    return sorted(rows, key=lambda row: row.faction != reader)


def score(land: Country, faction: str) -> int:
    """What a faction has come to: the modifiers of its will."""
    return sum(modifiers(land, faction).values())


def strength_on_map(land: Country, faction: str) -> int:
    """Points of all its Forces on the map."""
    return sum(land.strength(one.army) for one in land.active() if one.faction == faction)


def ends(land: Country, *, by_score: bool = False) -> None:
    """The campaign is over: for who is left, or at the turn limit for the best score, then the most strength."""
    left = [row.faction for row in land.players()]
    winners = left
    if by_score and left:
        ranks = {one: (score(land, one), strength_on_map(land, one)) for one in left}
        winners = [one for one in left if ranks[one] == max(ranks.values())]
    land.tell("campaign_ends", ALL, "end", factions=" ".join(left), winners=" ".join(winners),
              how="score" if by_score else "peace")
