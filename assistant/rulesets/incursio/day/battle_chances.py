"""What a battle may come to: two lines and a place in; each end with its chance, or one end by throwing, out.

Duels, dice that are lent, engines and the order of a battle are those of `duels` and `fights`; here they are only
counted, or thrown without a campaign's dice (rulebook: Chances).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple

from assistant.rulesets.incursio.day.duels import ATT, DEF, Ground, Group, Stage, best_of
from assistant.rulesets.incursio.day.fights import Part, engine_kills, goes_on, outcome_of, parts_of, spares
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.turn.throws.prospects import End, Throw

Codes = tuple[str, ...]
Chance = Fraction | float
Table = dict[tuple[int, int], str]
"""Who wins a duel, by the dice of the attacker and the defender."""
Won = tuple[tuple[int, str], ...]
"""Position and who wins there, of some duels."""
SIDES = (ATT, DEF)
ENGINE_DIE = 6


class State(NamedTuple):
    """Who is alive between two parts of a pass. `ignored`: power 8 has spared a victim."""

    att: Codes
    outside: Codes
    garrison: Codes
    ignored: bool = False


@dataclass(eq=False)
class Duels:
    """A stage with two lines: its groups, and who wins a duel with which dice. `known`: duels of types that were
    looked at before, by stage and both types.
    """

    stage: Stage
    known: dict[tuple[str, str, str], Table] = field(default_factory=dict)
    table: list[Table] = field(default_factory=list)
    groups: dict[str, list[tuple[Group, int]]] = field(default_factory=dict)
    """Of each side, each with the faces of its dice; its helpers throw the same."""

    def __post_init__(self) -> None:
        engaged = min(len(self.stage.att), len(self.stage.defs))
        for side in SIDES:
            self.groups[side] = [(group, self.stage.size(side, group.fighting[0]))
                                 for group in self.stage.groups(side, engaged)]
        for place in range(engaged):
            types = (self.stage.name, self.stage.att[place].code, self.stage.defs[place].code)
            if types not in self.known:
                att, others = (range(1, self.stage.size(side, place) + 1) for side in SIDES)
                self.known[types] = {pair: self.stage.winner(place, dict(zip(SIDES, pair, strict=True)))
                                     for pair in product(att, others)}
            self.table.append(self.known[types])

    @property
    def dice(self) -> int:
        """How many are thrown."""
        return sum(len(group.fighting) + len(group.helpers) for groups in self.groups.values() for group, _ in groups)

    @property
    def lent(self) -> str:
        """The side whose groups count together; at most one has surplus."""
        return DEF if any(group.helpers for group, _ in self.groups[DEF]) else ATT

    @property
    def ways(self) -> int:
        """How many throws of all groups there are to look at, of helpers only the best."""
        return sum(faces ** len(group.fighting) * comb(faces + _of_use(group) - 1, _of_use(group))
                   for group, faces in self.groups[self.lent])

    def spread(self) -> dict[Won, Fraction]:
        """Who wins each duel, with the chances of that: groups are independent, as only one side has surplus."""
        lent = self.lent
        found: dict[Won, Fraction] = {(): Fraction(1)}
        for group, faces in self.groups[lent]:
            found = {before + won: chance * of_these for before, chance in found.items()
                     for won, of_these in self._of_group(lent, group, faces).items()}
        return found

    def _of_group(self, side: str, group: Group, faces: int) -> dict[Won, Fraction]:
        """The duels of one group: its dice together, then those of each opponent alone."""
        ways: dict[tuple[int | str, ...], int] = dict(shown_by(group, faces).items())
        total = sum(ways.values())
        for place, position in enumerate(group.fighting):
            others = range(1, self.stage.size(DEF if side == ATT else ATT, position) + 1)
            folded: Counter[tuple[int | str, ...]] = Counter()
            for shown, weight in ways.items():
                for other in others:
                    pair = (int(shown[place]), other) if side == ATT else (other, int(shown[place]))
                    folded[*shown[:place], self.table[position][pair], *shown[place + 1:]] += weight
            ways, total = folded, total * len(others)
        return {tuple((position, str(winner)) for position, winner in zip(group.fighting, won, strict=True)):
                Fraction(weight, total) for won, weight in ways.items()}

    def throw(self, die: Throw) -> Won:
        """Who wins each duel, once."""
        shown: dict[str, dict[int, int]] = {ATT: {}, DEF: {}}
        for side in SIDES:
            for group, faces in self.groups[side]:
                own = {position: die(faces) for position in group.fighting}
                lent = [(die(faces), position) for position in group.helpers]
                shown[side] |= {place: number for place, (number, _) in best_of(own, lent).items()}
        return tuple((place, row[shown[ATT][place], shown[DEF][place]]) for place, row in enumerate(self.table))


def _of_use(group: Group) -> int:
    """How many helpers of a group can lend a die at most."""
    return min(len(group.helpers), len(group.fighting))


def shown_by(group: Group, faces: int) -> Counter[tuple[int, ...]]:
    """What the engaged of a group may show at last, with how many throws of all its dice come to that.

    Of the helpers only their best dice count, and not who throws which.
    """
    lent = Counter[tuple[int, ...]]({(): 1})
    for _ in group.helpers:
        more = Counter[tuple[int, ...]]()
        for (dice, ways), die in product(lent.items(), range(1, faces + 1)):
            more[tuple(sorted((*dice, die), reverse=True)[:_of_use(group)])] += ways
        lent = more
    found: Counter[tuple[int, ...]] = Counter()
    for own in product(range(1, faces + 1), repeat=len(group.fighting)):
        for dice, ways in lent.items():
            best = best_of(dict(zip(group.fighting, own, strict=True)), list(zip(dice, group.helpers, strict=False)))
            found[tuple(best[position][0] for position in group.fighting)] += ways
    return found


class TooMany(Exception):
    """There are more ways than may be looked at."""


class Reckoning:
    """A battle that may be fought on some ground. `fury`: to the end."""

    def __init__(self, ground: Ground, att: Iterable[str], outside: Iterable[str], garrison: Iterable[str], *,
                 fury: bool = False) -> None:
        self.ground, self.fury = ground, fury
        self.start = State(tuple(att), tuple(outside), tuple(garrison))
        self._duels: dict[tuple[str, Codes, Codes], Duels] = {}
        self._tables: dict[tuple[str, str, str], Table] = {}
        self._floats: dict[tuple[Part, State], list[tuple[State, float]]] = {}
        self._left: int | None = None
        """How many ways may still be looked at; None for all."""

    def _look(self, ways: int) -> None:
        """So many more are looked at. Raises `TooMany`."""
        if self._left is not None:
            self._left -= ways
            if self._left < 0:
                raise TooMany

    # --- one part of a pass ------------------------------------------------------------------------------
    def _stage(self, part: Part, state: State) -> Duels | None:
        """The duels of a stage; None where a line is empty, or for an engine."""
        defenders = state.outside if part.stage == "open" else state.garrison
        if part.stage == "engine" or not (state.att and defenders):
            return None
        known = self._duels.get((part.stage, state.att, defenders))
        if known is None:
            force, line = ([Unit(code, side, "") for code in codes] for codes, side in (
                (state.att, self.ground.attacker), (defenders, self.ground.defender)))
            known = self._duels[part.stage, state.att, defenders] = Duels(
                Stage(self.ground, part.stage, force, line), self._tables)
        return known

    def _after(self, part: Part, state: State, won: Won) -> State:
        """Who is alive after a stage."""
        dead = {side: {place for place, winner in won if winner not in ("tie", side)} for side in SIDES}
        att = left(state.att, dead[ATT])
        if part.stage == "open":
            return state._replace(att=att, outside=left(state.outside, dead[DEF]))
        return state._replace(att=att, garrison=left(state.garrison, dead[DEF]))

    def _shot(self, state: State, target: int) -> State:
        """An engine has hit."""
        if spares(self.ground.realm, ignored=state.ignored):
            return state._replace(ignored=True)
        return state._replace(att=left(state.att, {target}))

    def _parted(self, part: Part, state: State) -> list[tuple[State, Fraction]]:
        """What a part may come to."""
        found: dict[State, Fraction] = {}
        for after, chance in self._ways(part, state):
            found[after] = found.get(after, Fraction(0)) + chance
        return list(found.items())

    def _parted_again(self, part: Part, state: State) -> list[tuple[State, float]]:
        """The same in numbers of the machine, reckoned once for the same lines."""
        if (part, state) not in self._floats:
            self._floats[part, state] = [(after, float(chance)) for after, chance in self._parted(part, state)]
        return self._floats[part, state]

    def _ways(self, part: Part, state: State) -> Iterable[tuple[State, Fraction]]:
        targets = part.targets(state.att) if part.stage == "engine" else []
        duels = self._stage(part, state)
        if targets:
            pairs = list(product(range(1, ENGINE_DIE + 1), repeat=2))
            hit = Fraction(sum(engine_kills(*pair) for pair in pairs), len(pairs))
            yield state, 1 - hit
            for target in targets:
                yield self._shot(state, target), hit / len(targets)
        elif duels is not None:
            self._look(duels.ways)
            for won, chance in duels.spread().items():
                self._look(1)
                yield self._after(part, state, won), chance
        else:
            yield state, Fraction(1)

    # --- the whole ---------------------------------------------------------------------------------------
    @property
    def dice(self) -> int:
        """How many dice the first pass throws where nobody falls."""
        count = 0
        for part in parts_of(self.ground, 1):
            targets = part.targets(self.start.att) if part.stage == "engine" else []
            duels = self._stage(part, self.start)
            count += duels.dice if duels is not None else 2 + (len(targets) > 1) if targets else 0
        return count

    def exact(self) -> Mapping[End, Chance]:
        """Each end with its chance: fractions, from a second pass on numbers of the machine, as they grow too long."""
        ended: dict[End, Chance] = {}
        now: dict[State, Chance] = {self.start: Fraction(1)}
        passes = 0
        while now:
            passes += 1
            for part in parts_of(self.ground, passes):
                then: dict[State, Chance] = {}
                ways = self._parted if passes == 1 else self._parted_again
                for state, chance in now.items():
                    parted = ways(part, state)
                    self._look(len(parted))
                    for after, more in parted:
                        then[after] = then.get(after, 0) + chance * more
                now = then
            on: dict[State, Chance] = {}
            for state, chance in now.items():
                end, more_to_come = self._end(state, passes)
                if more_to_come:
                    on[state] = float(chance)
                else:
                    ended[end] = ended.get(end, 0) + chance
            now = on
        return ended

    def within(self, most: int) -> Mapping[End, Chance] | None:
        """The same; None where more than so many ways would have to be looked at."""
        self._left = most
        try:
            return self.exact()
        except TooMany:
            return None
        finally:
            self._left = None

    def throw(self, die: Throw) -> End:
        """One end."""
        state, passes = self.start, 0
        while True:
            passes += 1
            for part in parts_of(self.ground, passes):
                state = self._thrown(part, state, die)
            end, on = self._end(state, passes)
            if not on:
                return end

    def _thrown(self, part: Part, state: State, die: Throw) -> State:
        targets = part.targets(state.att) if part.stage == "engine" else []
        if targets:
            target = targets[die(len(targets)) - 1]
            return self._shot(state, target) if engine_kills(die(ENGINE_DIE), die(ENGINE_DIE)) else state
        duels = self._stage(part, state)
        return state if duels is None else self._after(part, state, duels.throw(die))

    def _end(self, state: State, passes: int) -> tuple[End, bool]:
        """What it came to after a pass, and whether it goes on."""
        rules, start = self.ground.realm.rules, self.start
        defenders = [*state.outside, *state.garrison]
        outcome = outcome_of(rules.retreat_subject, list(state.att), defenders, fury=self.fury)
        lost = len(start.outside) + len(start.garrison) - len(defenders)
        return (End(outcome, len(start.att) - len(state.att), lost),
                goes_on(rules, outcome, passes, fury=self.fury))


def left(line: Codes, dead: set[int]) -> Codes:
    """A line without its dead."""
    return tuple(code for place, code in enumerate(line) if place not in dead)
