"""Phase 4: the beaten leave the square, and after a stalemate both step back (4 movement after)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.book.tables import STALEMATE
from assistant.rulesets.warriors.land.changes import remove
from assistant.rulesets.warriors.land.country import listed
from assistant.rulesets.warriors.land.retreats import default_place, fall_back, legal
from assistant.rulesets.warriors.war.aftermath import Aftermath
from assistant.rulesets.warriors.war.forms import Fight
from assistant.turn.game import Ask
from assistant.turn.throws.rulings import Contest

Move = tuple[Fight, Army, list[str]]
"""A Force that is to go, and where it may go when it is asked."""


def go(land: Aftermath, army: Army, to: str, event: str) -> None:
    """A Force steps into the next square; onto water with the first own boats that take it. What it dug is lost."""
    boats, start = land.carriers(army)[:1] if land.map.water(to) else [], army.node
    army.node, army.aboard, army.fieldworks = to, "", 0
    for boat in boats:
        boat.node, army.aboard = to, boat.boat
    land.went(event, army, start, "4 movement after", touch=boats, to=to)


def _answers(land: Aftermath, kind: str, moves: list[Move]) -> dict[tuple[str, str], str]:
    """Where the clubs send their Forces, all asked at once: battle and Force -> square."""
    asks = {(fight.battle.battle, army.army): Ask(
        kind, army.faction, f"{fight.battle.battle}/{army.army}", tuple(options), default_place(land, army, options),
        {"army": army.army, "battle": fight.battle.battle, "node": army.node})
        for fight, army, options in moves if options}
    return dict(zip(asks, land.game.choose_all(list(asks.values())), strict=True))


def retreats(land: Aftermath) -> None:
    """The beaten move; one that has nowhere to go is destroyed."""
    losers = [(fight, army) for fight in land.fights if land.beaten(fight.battle)
              for army in land.forces(fight, land.beaten(fight.battle))]
    at_home = [army.army for _, army in losers if _keeps_its_place(land, army)]
    _stay(land, at_home, "stronghold")
    moves = [(fight, army, fall_back(land, army)) for fight, army in losers if army.army not in at_home]
    chosen = _answers(land, "retreat", moves)
    for fight, army, _ in moves:
        options = fall_back(land, army)
        wish = chosen.get((fight.battle.battle, army.army), "")
        to = wish if wish in options else default_place(land, army, options)
        if to:
            go(land, army, to, "retreated")
        elif land.rules.no_retreat == "destroyed":
            remove(land, army, "destroyed", "no_retreat", "4 movement after", why="nowhere to go")
        else:
            _stay(land, [army.army], "no square")


def _keeps_its_place(land: Aftermath, army: Army) -> bool:
    row = land.nodes[army.node]
    return (land.rules.lost_on_stronghold == "no" and row.place != "none" and land.friendly(row.holder, army.faction))


# --- stalemates -----------------------------------------------------------------------------------
def step_back(land: Aftermath) -> None:
    """First one side of each drawn battle, then the other, so that a square lies between them."""
    pairs = [(fight, _sides(land, fight)) for fight in land.fights if not land.beaten(fight.battle)]
    taken: dict[str, list[str]] = {}
    for turn in (0, 1):
        moves = [(fight, army, _apart(land, army, taken.get(fight.battle.battle, [])))
                 for fight, sides in pairs if turn < len(sides) for army in land.forces(fight, sides[turn])]
        chosen = _answers(land, "step-back", moves)
        for fight, army, _ in moves:
            first = taken.get(fight.battle.battle, []) if turn else []
            to = _step(land, army, _apart(land, army, first), chosen.get((fight.battle.battle, army.army), ""))
            if to and not turn:
                taken.setdefault(fight.battle.battle, []).append(to)


def _apart(land: Aftermath, army: Army, taken: list[str]) -> list[str]:
    """Legal squares far enough from those that the other side has just taken; if there are none, all."""
    options = legal(land, army)
    far = [one for one in options if all(land.map.distance(one, other) > land.rules.gap_squares for other in taken)]
    return far or options


def _step(land: Aftermath, army: Army, options: list[str], wish: str) -> str:
    to = wish if wish in options else default_place(land, army, options)
    if not to:
        _stay(land, [army.army], "no square")
        return ""
    go(land, army, to, "stepped_back")
    return to


def _sides(land: Aftermath, fight: Fight) -> list[str]:
    """The sides that step back, in their order; who stays is told."""
    node, rows = land.nodes[fight.battle.node], fight.forces.values()
    if all(row.start_order == "defend" for row in rows):
        _stay(land, listed(land.forces(fight)), "both defend")
        return []
    at_home = [side for side in ("A", "D") if node.place != "none" and any(
        land.friendly(node.holder, army.faction) for army in land.forces(fight, side))]
    for side in at_home:
        _stay(land, listed(land.forces(fight, side)), "stronghold")
    going = [side for side in ("A", "D") if side not in at_home and land.forces(fight, side)]
    return _first(land, fight) if len(going) == 2 else going


def _stay(land: Aftermath, armies: list[str], why: str) -> None:
    for army in (land.armies[one] for one in armies):
        land.tell("stays", land.seen_by(army.node, army.faction), "4 movement after", army=army.army, node=army.node,
                  why=why)


def _first(land: Aftermath, fight: Fight) -> list[str]:
    """Who steps back first: the lower die, equals throwing again; or the side whose best V.C. is lower."""
    if land.rules.stalemate_order == "vc":
        best = {side: max(row.start_vc or 0 for row in fight.forces.values() if row.side == side) for side in "AD"}
        return ["D", "A"] if best["D"] < best["A"] else ["A", "D"]
    known = land.circle(land.armies[one].faction for one in fight.forces)
    again = 1
    while True:
        dice = Contest({side: land.score(STALEMATE(fight.battle.battle, side, again), {}, known) for side in "AD"})
        if dice.winner:
            land.tell("stepping_order", known, "4 movement after", roll=dice, battle=fight.battle.battle,
                      first="D" if dice.winner == "A" else "A")
            return ["D", "A"] if dice.winner == "A" else ["A", "D"]
        again += 1
