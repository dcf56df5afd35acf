"""Activations that wait for answers, and those that cannot touch them: what is asked at one stop (chapter 6).

A unit whose activation waits holds up whoever could come near to where it may still go; all others march, so that
battles and questions far from each other are put together. The phase stops all the same and is run again from its
start with the answers, in the order of march: nothing that is done here stays.
"""

from __future__ import annotations

from assistant.rulesets.anarchy.book.sheets import Army
from assistant.rulesets.anarchy.march.ordered_moves import way_ahead
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.game import Ask, Waiting

BATTLES = frozenset({"battle", "join", "retreat", "prize", "loot", "name"})
"""Questions of a battle that has its number: for the units that put them it is the last one of today."""
MARGIN = 2
"""Hexes around a way on which others may be pushed about: they join from next door, and fall back to it."""


class Elsewhere:
    """What waits in a phase, and where nobody may march before the answers."""

    def __init__(self, f: Field) -> None:
        self.f = f
        self.questions: list[Ask] = []
        self.uncertain: set[str] = set()

    def hold(self, ident: str, stop: Waiting | None = None) -> None:
        """A unit waits, by its own questions or for others: its surroundings are not to be touched.

        Where it may still fight, nobody knows the number of the next battle, and none is opened (`gather`).
        """
        asked = stop.questions if stop is not None else []
        self.questions += asked
        self.uncertain |= self._near(ident, MARGIN)
        f, army = self.f, self.f.armies.get(ident)
        may_revolt = any(one.contract == "promised" for one in f.active())  # over their shares of the loot (11.6)
        last = bool(asked) and {one.kind for one in asked} <= BATTLES and not may_revolt
        # convoys, trains and unhired mercenaries never fight of themselves
        if not last and not (f.unhired(army) if army is not None else ident not in f.places):
            f.numbers_unsure = True

    def free(self, ident: str) -> bool:
        """Whether a unit does the same today whatever those that wait will do, or nothing at all."""
        f, army = self.f, self.f.armies.get(ident)
        return (not self.questions or not self._near(ident, 1) & self.uncertain
                or (army is not None and not f.unhired(army) and way_ahead(f, army) == []
                    and not any(ident in doings for doings in (f.acts, f.lifts, f.sallies))))

    def _near(self, ident: str, margin: int) -> set[str]:
        """All hexes as near as that to where a unit stands and may go."""
        f = self.f
        unit = f.armies.get(ident) or f.trains.get(ident) or f.convoys.get(ident)
        found = {f.places[ident].node if unit is None else unit.node}
        if isinstance(unit, Army) and f.unhired(unit):  # they seek the nearest group, whoever that will be
            nearest = min((f.apart(unit.node, one.node) for one in f.march_targets(unit)), default=0)
            margin += max(nearest, f.points_today(unit))
        elif unit is not None:
            way = way_ahead(f, unit)
            margin += f.points_today(unit) if way is None else 0
            found |= set(way or ())
        for _ in range(margin):
            found |= {there for node in found for there in f.hexes.neighbours(node)}
        return found
