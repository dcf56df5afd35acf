"""The chances of battles that may come."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, battles, both
from assistant.rulesets.incursio.battles import ATT, DEF, SIDES, DiceGroup, Ground, Numbers, PassPart, Stage
from assistant.rulesets.incursio.movement import can_fight_with_fury, take_attacks
from assistant.rulesets.incursio.realm import OTHER, Line, Realm, codes_of, read_units
from assistant.rulesets.incursio.records import ANY_TYPE, Mission, Node, Road, Structure
from assistant.turn.chances import BattleEnd, DieThrower, LeftOut, NotUnderstood, Prospect
from assistant.turn.event_types import Said
from assistant.turn.orders.taking import rows_of_phase
from assistant.turn.ruleset import Ruleset

# The odds of one battle (rulebook: Chances).
#
# The rules of battle are those of `battles`; here their dice are counted, or thrown without a campaign's dice.


Codes = tuple[str, ...]
Chance = Fraction | float
DuelTable = dict[tuple[int, int], str]
"""Who wins a duel, by the dice of the attacker and the defender."""
DuelWinners = tuple[tuple[int, str], ...]
"""Pairs of a position and the winner there."""
ENGINE_DIE = 6


class BattleState(NamedTuple):
    """The units alive between two parts of a pass. `ignored`: power 8 has spared a victim."""

    att: Codes
    outside: Codes
    garrison: Codes
    ignored: bool = False


class DuelStage(Stage):
    """A stage of which the dice are counted. `known`: who wins with which dice, by stage and both types."""

    def __init__(self, ground: Ground, name: str, att: Codes, defs: Codes,
                 known: dict[tuple[str, str, str], DuelTable]) -> None:
        super().__init__(ground, name, att, defs)
        self.table: list[DuelTable] = []
        for place in range(self.engaged):
            types = (name, att[place], defs[place])
            # the same two types meet in many places and passes: it is worked out once
            if types not in known:
                faces, other = (range(1, self.faces(side, place) + 1) for side in SIDES)
                known[types] = {(a, b): self.winner(place, {ATT: a, DEF: b}) for a, b in product(faces, other)}
            self.table.append(known[types])

    def _faces_of(self, side: str, group: DiceGroup) -> int:
        return self.faces(side, group.fighting[0])

    @property
    def dice(self) -> int:
        """The number of dice thrown."""
        return sum(len(group.fighting) + len(group.helpers) for groups in self.groups.values() for group in groups)

    @property
    def lent(self) -> str:
        """The side whose groups count together; at most one has surplus."""
        return DEF if any(group.helpers for group in self.groups[DEF]) else ATT

    @property
    def ways(self) -> int:
        """The number of throws to look at; of helpers only the best dice count."""
        groups = [(group, self._faces_of(self.lent, group)) for group in self.groups[self.lent]]
        return sum(faces ** len(group.fighting) * comb(faces + _of_use(group) - 1, _of_use(group))
                   for group, faces in groups)

    def spread(self) -> dict[DuelWinners, Fraction]:
        """The winners of all duels with their chances; groups are independent, as only one side has surplus."""
        lent = self.lent
        winners: dict[DuelWinners, Fraction] = {(): Fraction(1)}
        for group in self.groups[lent]:
            winners = {before + won: chance * of_these for before, chance in winners.items()
                       for won, of_these in self._of_group(lent, group).items()}
        return winners

    def _of_group(self, side: str, group: DiceGroup) -> dict[DuelWinners, Fraction]:
        """The duels of one group: its dice together, then those of each opponent alone."""
        ways: dict[tuple[int | str, ...], int] = dict(shown_dice(group, self._faces_of(side, group)).items())
        total = sum(ways.values())
        for place, position in enumerate(group.fighting):
            others = range(1, self.faces(DEF if side == ATT else ATT, position) + 1)
            folded: Counter[tuple[int | str, ...]] = Counter()
            for shown, weight in ways.items():
                for other in others:
                    pair = (int(shown[place]), other) if side == ATT else (other, int(shown[place]))
                    folded[*shown[:place], self.table[position][pair], *shown[place + 1:]] += weight
            ways, total = folded, total * len(others)
        return {tuple((position, str(winner)) for position, winner in zip(group.fighting, won, strict=True)):
                Fraction(weight, total) for won, weight in ways.items()}

    def throw(self, die: DieThrower) -> DuelWinners:
        """Throw once; the winner of each duel."""
        shown = {side: self.shown(side, lambda _side, _position, faces, _engaged: die(faces)) for side in SIDES}
        return tuple((place, row[shown[ATT][place][0], shown[DEF][place][0]]) for place, row in enumerate(self.table))


def _of_use(group: DiceGroup) -> int:
    return min(len(group.helpers), len(group.fighting))


def shown_dice(group: DiceGroup, faces: int) -> Counter[tuple[int, ...]]:
    """The final dice of a group's engaged units -> the number of throws that lead to them.

    Of the helpers only the best dice count, and not who throws which.
    """
    lent = Counter[tuple[int, ...]]({(): 1})
    for _ in group.helpers:
        more = Counter[tuple[int, ...]]()
        for (dice, ways), die in product(lent.items(), range(1, faces + 1)):
            # only so many of the lent dice are ever used: what the others show makes no difference
            more[tuple(sorted((*dice, die), reverse=True)[:_of_use(group)])] += ways
        lent = more
    counts: Counter[tuple[int, ...]] = Counter()
    for own in product(range(1, faces + 1), repeat=len(group.fighting)):
        for dice, ways in lent.items():
            fighting = dict(zip(group.fighting, own, strict=True))
            best = battles.best_of(fighting, list(zip(dice, group.helpers, strict=False)))
            counts[tuple(best[position][0] for position in group.fighting)] += ways
    return counts


class TooManyWays(Exception):
    """More ways would have to be looked at than allowed."""


class BattleOdds:
    """The odds of a battle on some ground. `fury`: it is fought to the end."""

    def __init__(self, ground: Ground, att: Iterable[str], outside: Iterable[str], garrison: Iterable[str], *,
                 fury: bool = False) -> None:
        self.ground, self.fury = ground, fury
        self.start = BattleState(tuple(att), tuple(outside), tuple(garrison))
        self._duels: dict[tuple[str, Codes, Codes], DuelStage] = {}
        self._tables: dict[tuple[str, str, str], DuelTable] = {}
        self._known: dict[tuple[PassPart, BattleState, type], list[tuple[BattleState, Chance]]] = {}
        self._left: int | None = None
        """How many ways may still be looked at; None for all."""

    def _look(self, ways: int) -> None:
        """Count ways that are looked at. Raises an exception when there are too many."""
        if self._left is not None:
            self._left -= ways
            if self._left < 0:
                raise TooManyWays

    # --- one part of a pass ------------------------------------------------------------------------------
    def _stage(self, part: PassPart, state: BattleState) -> DuelStage | None:
        """The duels of a stage; None where a line is empty, or for an engine."""
        defenders = state.outside if part.stage == "open" else state.garrison
        if part.stage == "engine" or not (state.att and defenders):
            return None
        lines = (part.stage, state.att, defenders)
        if lines not in self._duels:
            self._duels[lines] = DuelStage(self.ground, *lines, self._tables)
        return self._duels[lines]

    def _after(self, part: PassPart, state: BattleState, won: DuelWinners) -> BattleState:
        """The state after a stage."""
        dead = {side: {place for place, winner in won if winner not in ("tie", side)} for side in SIDES}
        att = without_dead(state.att, dead[ATT])
        if part.stage == "open":
            return state._replace(att=att, outside=without_dead(state.outside, dead[DEF]))
        return state._replace(att=att, garrison=without_dead(state.garrison, dead[DEF]))

    def _shoot(self, state: BattleState, target: int) -> BattleState:
        """The state after an engine has hit."""
        if battles.power_spares(self.ground.realm, ignored=state.ignored):
            return state._replace(ignored=True)
        return state._replace(att=without_dead(state.att, {target}))

    def _states_after(self, part: PassPart, state: BattleState, number: type[Fraction] | type[float]
                      ) -> list[tuple[BattleState, Chance]]:
        """The possible states after a part with their chances, worked out once for the same lines."""
        known = (part, state, number)
        if known not in self._known:
            states = defaultdict[BattleState, Fraction](Fraction)
            for after, chance in self._ways(part, state):
                states[after] += chance
            self._known[known] = [(after, number(chance)) for after, chance in states.items()]
        return self._known[known]

    def _ways(self, part: PassPart, state: BattleState) -> Iterable[tuple[BattleState, Fraction]]:
        targets, duels = part.targets(state.att), self._stage(part, state)
        if targets:
            pairs = list(product(range(1, ENGINE_DIE + 1), repeat=2))
            hit = Fraction(sum(battles.engine_kills(*pair) for pair in pairs), len(pairs))
            yield state, 1 - hit
            for target in targets:
                yield self._shoot(state, target), hit / len(targets)
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
        """The dice of the first pass if nobody falls."""
        count = 0
        for part in battles.parts_of(self.ground, 1):
            targets, duels = part.targets(self.start.att), self._stage(part, self.start)
            count += duels.dice if duels is not None else 2 + (len(targets) > 1) if targets else 0
        return count

    def exact(self) -> Mapping[BattleEnd, Chance]:
        """Each end with its chance: fractions, and floats from the second pass on, since fractions grow too long."""
        ended: dict[BattleEnd, Chance] = {}
        now: dict[BattleState, Chance] = {self.start: Fraction(1)}
        passes = 0
        while now:
            passes += 1
            for part in battles.parts_of(self.ground, passes):
                then: dict[BattleState, Chance] = {}
                for state, chance in now.items():
                    parted = self._states_after(part, state, Fraction if passes == 1 else float)
                    self._look(len(parted))
                    for after, more in parted:
                        then[after] = then.get(after, 0) + chance * more
                now = then
            ends = {state: self._end(state, passes) for state in now}
            for state, (end, goes_on) in ends.items():
                if not goes_on:
                    ended[end] = ended.get(end, 0) + now[state]
            now = {state: float(now[state]) for state, (_, goes_on) in ends.items() if goes_on}
        return ended

    def within(self, most: int) -> Mapping[BattleEnd, Chance] | None:
        """The same; None if more ways than `most` would have to be looked at."""
        self._left = most
        try:
            return self.exact()
        except TooManyWays:
            return None
        finally:
            self._left = None

    def throw(self, die: DieThrower) -> BattleEnd:
        """Throw the battle once; its end."""
        state, passes = self.start, 0
        while True:
            passes += 1
            for part in battles.parts_of(self.ground, passes):
                state = self._throw(part, state, die)
            end, on = self._end(state, passes)
            if not on:
                return end

    def _throw(self, part: PassPart, state: BattleState, die: DieThrower) -> BattleState:
        if targets := part.targets(state.att):
            target = targets[die(len(targets)) - 1]
            return self._shoot(state, target) if battles.engine_kills(die(ENGINE_DIE), die(ENGINE_DIE)) else state
        duels = self._stage(part, state)
        return state if duels is None else self._after(part, state, duels.throw(die))

    def _end(self, state: BattleState, passes: int) -> tuple[BattleEnd, bool]:
        """The end after a pass, and whether the battle goes on."""
        rules, start = Numbers.of(self.ground.realm), self.start
        defenders = [*state.outside, *state.garrison]
        outcome = battles.outcome_of(rules.retreat_subject, list(state.att), defenders, fury=self.fury)
        lost = len(start.outside) + len(start.garrison) - len(defenders)
        return (BattleEnd(outcome, len(start.att) - len(state.att), lost),
                battles.another_pass_follows(rules, outcome, passes, fury=self.fury))


def without_dead(line: Codes, dead: set[int]) -> Codes:
    """A line without its dead."""
    return tuple(code for place, code in enumerate(line) if place not in dead)


# Battles ahead: the attacks ordered, and battles that somebody types (rulebook: Chances).


ENDS = ("destroyed", "taken", "driven_off", "undecided")
ASSAULTS = ("first_assault", "second_assault")
EXAMPLE = "TrAsDi > F / FAC 04 12x2 power 6"
BATTLE_EFFECTS = ("garrison_wins_ties", "attack_neighbours", "defence_", "engine_")
"""Prefixes of the effects of structures that count in a battle."""
NEIGHBOUR_EFFECT = "attack_neighbours"
"""The effect of structures that help from a settlement nearby."""


# --- the orders of the day -------------------------------------------------------------------------------------
def battles_ahead(ruleset: Ruleset, campaign: Campaign) -> list[Prospect | LeftOut]:
    """Each ATTACK of the assaults still to come, with the units as they stand now; for refused ones the reason."""
    prospects: list[Prospect | LeftOut] = []
    for side in _sides_to_assault(ruleset, campaign):
        work = campaign.copy()
        work.desk.phase = ASSAULTS[0]  # each side is asked as if it were its turn now
        realm: Realm = ruleset.board(ruleset.game(work))
        realm.day.first = side
        attacks = [request.row for request in rows_of_phase(realm)
                   if request.verb == "attack" and request.faction == side]
        take_attacks(realm)
        prospects += [_prospect_of_order(realm, request) for request in realm.taken]
        for row in attacks:
            said = [finding for finding in realm.game.findings if (finding.where.table, finding.where.row) == (
                row.sheet, row.order)]
            if row.status in ("refused", "replaced"):
                prospects.append(LeftOut(row.order, next((finding for finding in said if finding.stops), said[-1])))
    return prospects


def _sides_to_assault(ruleset: Ruleset, campaign: Campaign) -> tuple[str, ...]:
    """The sides whose assault is still to come today, in order."""
    ids, desk = list(ruleset.phase_ids(campaign)), campaign.desk
    if desk.phase not in ids:
        return ()
    realm: Realm = ruleset.board(ruleset.game(campaign.copy()))
    sides = (realm.side(0), realm.side(1)) if realm.side(0) else BOTH
    return tuple(side for side, phase in zip(sides, ASSAULTS, strict=True)
                 if ids.index(desk.phase) <= ids.index(phase))


ORDERED_ATTACK = both("Order {order}, {node:the} → {to_node:the}: {units}",
                      "Ordine {order}, {node:il} → {to_node:il}: {units}")


def _prospect_of_order(realm: Realm, request: Line) -> Prospect:
    """The prospect of an ATTACK line."""
    origin, target, side = request.node, request.to_node, request.faction
    ground = Ground(realm, origin, realm.nodes[target], side)
    lines = [codes_of(line) for line in (realm.plans[request.row.order], ground.outside, ground.garrison)]
    att, outside, garrison = map("".join, lines)
    # demons have no garrison
    defenders = outside or "-" if side == ESDEF else f"{outside or '-'} / {garrison or '-'}"
    title = Said(ORDERED_ATTACK, {"order": request.row.order, "node": origin, "to_node": target,
                                  "units": f"{att} > {defenders}"})
    where = {"order": request.row.order, "faction": side, "node": origin, "to_node": target}
    if not (outside or garrison):
        end = BattleEnd("walkover" if realm.is_home(target, OTHER[side]) else "nobody")
        return Prospect(title, (end.outcome,), 0, lambda: {end: 1}, lambda _: end, {**where, **_unit_fields(*lines)})
    fury = bool(request.fury) and can_fight_with_fury(realm, side)
    return _prospect(title, BattleOdds(ground, *lines, fury=fury), where)


def _prospect(title: Said, battle: BattleOdds, where: dict[str, Any]) -> Prospect:
    return Prospect(title, ENDS, battle.dice, battle.exact, battle.throw, {**where, **_unit_fields(*battle.start[:3])},
                    battle.within)


def _unit_fields(*lines: Iterable[str]) -> dict[str, str]:
    return dict(zip(("attackers", "open", "garrison"), map("".join, lines), strict=True))


# --- a battle that is typed -------------------------------------------------------------------------------------
class _Unfit(Exception):
    """What was typed is not understood, or cannot be. `most`: the highest number allowed, where it is exceeded."""

    def __init__(self, seen: str, most: int | None = None) -> None:
        super().__init__(seen)
        self.seen, self.most = seen, most


_MODIFIER = (
    r"(?i)(?:(?P<power>power|potere)\s*(?P<step>\d)|(?P<watch>watch|veglia)|(?P<fury>fury|furia)|(?P<bare>open|fuori)"
    r"|(?P<structure>\d{1,2})(?:[x*](?P<copies>[1-9]))?)(?=\s|$)\s*")


DESCRIBED_BATTLE = both("As described: {units}", "Come descritta: {units}")


def typed_battle(ruleset: Ruleset, campaign: Campaign, text: str) -> Prospect | NotUnderstood:
    """A battle as somebody writes it: attackers, ``>``, defenders (those outside, ``/``, the garrison), modifiers."""
    realm: Realm = ruleset.board(ruleset.game(campaign.copy()))
    try:
        side, battle = _typed_odds(realm, text)
    except _Unfit as unfit:
        return NotUnderstood(unfit.seen, EXAMPLE, unfit.most)
    return _prospect(Said(DESCRIBED_BATTLE, {"units": " ".join(text.split())}), battle,
                     {"described": text, "faction": side})


def _typed_odds(realm: Realm, text: str) -> tuple[str, BattleOdds]:
    left, arrow, right = text.partition(">")
    side = next((side for side in BOTH if read_units(left, side)), "")
    match = re.match(rf"[\s/-]*(?:(?:\d{{0,2}}(?:{ANY_TYPE}))+(?![A-Za-z])[\s/-]*)+", right, re.IGNORECASE)
    if not (side and arrow and match):
        raise _Unfit(text)
    structures, words = _modifiers(realm, right[match.end():])
    before, stroke, behind = match[0].partition("/")
    # only settlements have a garrison: whoever defends against Esdef stands in the open
    bare = bool(stroke) or "bare" in words or side == ESDEF
    typed = [part.strip(" -") for part in ((before, behind) if bare else ("", before))]
    outside, garrison = (read_units(line, OTHER[side]) for line in typed)
    if bool(typed[0]) != bool(outside) or bool(typed[1]) != bool(garrison):
        raise _Unfit(match[0].strip())
    if not (outside or garrison):
        raise _Unfit("-")
    if garrison and (side == ESDEF or "bare" in words):
        raise _Unfit("/")
    if "fury" in words and not can_fight_with_fury(realm, side):
        raise _Unfit("fury")
    for code in structures:
        if (realm.types[code].effect == NEIGHBOUR_EFFECT) != (side == ESDEF):
            raise _Unfit(code)
    ground = _imagined_ground(realm, side, structures, words)
    return side, BattleOdds(ground, read_units(left, side), outside, garrison, fury="fury" in words)


def _modifiers(realm: Realm, text: str) -> tuple[Counter[str], set[str]]:
    """Read what stands after the units: the copies of each structure, and words; a step of power comes into force."""
    structures, words, rest = Counter[str](), set[str](), text.strip()
    while rest:
        match = re.match(_MODIFIER, rest)
        if match is None:
            raise _Unfit(rest.split()[0])
        if match["structure"]:
            row = realm.types.get(f"{int(match['structure']):02}")
            if row is None or not row.effect.startswith(BATTLE_EFFECTS):
                raise _Unfit(match["structure"])
            structures[row.structure] += int(match["copies"] or 1)
            if structures[row.structure] > row.limit:
                raise _Unfit(match[0].strip(), row.limit)
        elif match["power"]:
            realm.factions[VARANNAH].power_step = int(match["step"])
        words |= {name for name in ("watch", "fury", "bare") if match[name]}
        rest = rest[match.end():]
    return structures, words


def _imagined_ground(realm: Realm, side: str, structures: Counter[str], words: set[str]) -> Ground:
    """Add an imagined place to the copy of the campaign, with a cell to attack from and a settlement beside it."""
    number = max((int(key) for key in realm.nodes.keys_in_file_order() if key.isdecimal()), default=0)
    place, origin, beside = (str(number + n) for n in (1, 2, 3))
    kind = "empty" if "bare" in words else "ruin" if side == ESDEF else "settlement"
    for node, what in ((place, kind), (origin, "empty"), (beside, "settlement")):
        realm.nodes.add(Node(node=node, kind=what, level=1 if what == "settlement" else 0))
    for a, b in ((origin, place), (origin, beside), (place, beside)):
        realm.campaign.table(Road).add(Road(a=a, b=b, kind="grey"))
    for structure, copies in structures.items():
        realm.structures.add(Structure(node=beside if side == ESDEF else place, structure=structure, copies=copies))
    if "watch" in words:
        realm.missions.add(Mission(day=realm.game.turn, player="?", mission="watch", target=place))
    return Ground(realm, origin, realm.nodes[place], side)
