"""One stage of a battle: two lines in; the duels pair by pair, who threw and who is dead out (rulebook: Duels)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.rulesets.incursio.book.records import Advantage
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Node
from assistant.rulesets.incursio.book.tables import AGAIN, DUEL
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.realm import BOTH, OTHER, Realm

ATT, DEF = "att", "def"
Shown = tuple[int, int | None]
"""What an engaged unit shows, and the position of who lent it the die, None for its own."""


@dataclass
class Ground:
    """Where a battle is, and by whom it is fought. `battle`: its code; `origin`: the cell of the attackers."""

    realm: Realm
    battle: str
    origin: str
    place: Node
    attacker: str
    round: int = 1

    @property
    def defender(self) -> str:
        """The other side."""
        return OTHER[self.attacker]

    @property
    def shields(self) -> bool:
        """Whether demons defend a ruin whose powers help them."""
        return (self.defender == VARANNAH and self.place.kind == "ruin"
                and self.realm.rules.ruin_powers == "yes")


@dataclass(frozen=True)
class Group:
    """Engaged units of one type and die, and the surplus that lends them dice; positions from 0. `again`: the surplus
    throws for other groups, too.
    """

    fighting: tuple[int, ...]
    helpers: tuple[int, ...] = ()
    again: bool = False


def best_of(own: Mapping[int, int], lent: Sequence[tuple[int, int]]) -> dict[int, Shown]:
    """Of a group the best dice, as many as are engaged: who has one of them keeps it, the others are lent (COM).

    `own`: position -> die; `lent`: die and position of each helper.
    """
    dice = [(-die, False, position) for position, die in own.items()]
    dice += [(-die, True, position) for die, position in lent]
    best = sorted(dice)[:len(own)]
    kept = {position for _, helps, position in best if not helps}
    rest = iter([(-die, position + 1) for die, helps, position in best if helps])
    return {position: (die, None) if position in kept else next(rest) for position, die in sorted(own.items())}


@dataclass
class Stage:
    """A stage with duels. `name`: ``open`` or ``garrison``; the lines as they stand when it begins."""

    ground: Ground
    name: str
    att: list[Unit]
    defs: list[Unit]
    duels: list[dict[str, Any]] = field(default_factory=list)
    threw: dict[str, set[int]] = field(default_factory=dict)
    dead: dict[str, list[int]] = field(default_factory=dict)
    bonuses: set[str] = field(default_factory=set)
    """Structures that showed themselves."""

    def line(self, side: str) -> list[Unit]:
        """A side's line."""
        return self.att if side == ATT else self.defs

    # --- dice -------------------------------------------------------------------------------------------
    def advantage(self, unit: Unit, other: Unit) -> bool:
        """Whether a type is over another (COM)."""
        table = self.ground.realm.campaign.table(Advantage)
        return f"{unit.code}/{other.code}" in table

    def size(self, side: str, position: int) -> int:
        """Faces of the die of an engaged unit."""
        att, defender = self.att[position], self.defs[position]
        if self.advantage(att, defender):
            return 4 if side == DEF else 6
        power_3 = self.ground.shields and self.ground.realm.power >= 3
        if self.advantage(defender, att) and (self.name == "garrison" or power_3):
            return 4 if side == ATT else 6
        return 6

    def throw(self, side: str, position: int, faces: int, engaged: int | None = None) -> int:
        """A die of a unit, known to both sides; positions from 0."""
        about = (self.ground.battle, self.ground.round, self.name, side, position + 1)
        dice = f"1d{faces}"
        throw = DUEL(*about, dice=dice) if engaged is None else AGAIN(*about, engaged + 1, dice=dice)
        self.threw.setdefault(side, set()).add(position + 1)
        return self.ground.realm.roll(throw, list(BOTH)).total

    def groups(self, side: str, engaged: int) -> list[Group]:
        """Whose dice of a side count together: each engaged unit is in one group (COM: surplus)."""
        line, other = self.line(side), self.line(DEF if side == ATT else ATT)
        rules = self.ground.realm.rules
        if len(line) <= len(other) or (side == DEF and rules.surplus_defenders == "no"):
            return [Group((position,)) for position in range(engaged)]
        backed: dict[int, list[int]] = {}
        for code in dict.fromkeys(unit.code for unit in line):
            fighting = [position for position in range(engaged) if line[position].code == code]
            surplus = [position for position in range(engaged, len(line)) if line[position].code == code]
            for j, position in enumerate(surplus if fighting else ()):
                if rules.surplus_mode == "every_duel":
                    for one in fighting:
                        backed.setdefault(one, []).append(position)
                else:
                    backed.setdefault(fighting[j % len(fighting)], []).append(position)
        if rules.surplus_mode != "pool":
            again = rules.surplus_mode == "every_duel"
            each = dict.fromkeys([*backed, *range(engaged)])
            return [Group((one,), tuple(backed.get(one, ())), again) for one in each]
        classes: dict[tuple[str, int], list[int]] = {}
        for position in range(engaged):
            classes.setdefault((line[position].code, self.size(side, position)), []).append(position)
        found = []
        for fighting in classes.values():
            helpers = tuple(sorted(position for one in fighting for position in backed.get(one, ())))
            found += [Group(tuple(fighting), helpers)] if helpers else [Group((one,)) for one in fighting]
        return found

    def thrown(self, side: str, engaged: int) -> dict[int, Shown]:
        """What each engaged unit of a side shows at last, and the position of who lent it."""
        shown: dict[int, Shown] = {}
        own = {position: self.throw(side, position, self.size(side, position)) for position in range(engaged)}
        for group in self.groups(side, engaged):
            first = group.fighting[0]
            lent = [(self.throw(side, position, self.size(side, first), first if group.again else None), position)
                    for position in group.helpers]
            shown |= best_of({position: own[position] for position in group.fighting}, lent)
        return shown

    # --- modifiers and verdict ---------------------------------------------------------------------------
    def modifiers(self, side: str, unit: Unit) -> dict[str, int]:
        """What is added to a unit's die, by name."""
        return self._attackers(unit) if side == ATT else self._defenders(unit)

    def _attackers(self, unit: Unit) -> dict[str, int]:
        ground, realm = self.ground, self.ground.realm
        if unit.faction == VARANNAH:
            found = {"power 2": 1} if realm.power >= 2 and self.name == "open" else {}
            return {**found, **({"power 9": 1} if realm.power >= 9 else {})}
        if ground.place.kind != "ruin":
            return {}
        reading = realm.rules.adjacent_bonus_reading
        around = realm.game.map.neighbours(ground.place.node if reading == "target" else ground.origin, "grey")
        return neighbours_help(realm, [node for node in around if realm.is_home(node, ESDEF)])

    def _defenders(self, unit: Unit) -> dict[str, int]:
        ground, realm = self.ground, self.ground.realm
        if unit.faction == VARANNAH:
            helped = realm.power >= 2 and (ground.place.kind != "ruin" or ground.shields)
            return {"power 2": 1} if helped else {}
        if self.name == "open":
            return {}
        node = ground.place.node
        watched = realm.missions.where(lambda row: row.mission == "watch" and row.target == node
                                       and row.state == "running")
        bonus = realm.mission_types["watch"].value if watched else 0
        return {**realm.effects(node, f"defence_{unit.code}"), **realm.effects(node, "defence_all"),
                **({"watch": (bonus or 0) * len(watched)} if watched else {})}

    def tie(self) -> str:
        """Who wins a tie: the garrison behind manned walls, demons of power 6 that attack."""
        ground = self.ground
        manned = self.name == "garrison" and bool(ground.realm.effects(ground.place.node, "garrison_wins_ties"))
        strong = ground.attacker == VARANNAH and ground.realm.power >= 6
        if manned:
            self.bonuses |= set(ground.realm.effects(ground.place.node, "garrison_wins_ties"))
            return "tie" if strong and ground.realm.rules.tie_conflict == "nobody" else DEF
        return ATT if strong else "tie"

    def winner(self, position: int, dice: Mapping[str, int]) -> str:
        """Who wins a duel with these dice, by side; ``tie`` where nobody does."""
        totals = {side: total(self.ground.realm, dice[side], self.size(side, position),
                              self.modifiers(side, self.line(side)[position])) for side in (ATT, DEF)}
        return ATT if totals[ATT] > totals[DEF] else DEF if totals[DEF] > totals[ATT] else self.tie()

    def fight(self) -> None:
        """All duels at once; the dead leave after the last."""
        engaged = min(len(self.att), len(self.defs))
        shown = {side: self.thrown(side, engaged) for side in (ATT, DEF)}
        self.dead = {ATT: [], DEF: []}
        for position in range(engaged):
            faces = {side: self.size(side, position) for side in (ATT, DEF)}
            mods = {side: self.modifiers(side, self.line(side)[position]) for side in (ATT, DEF)}
            self.bonuses |= {name for name in mods[DEF] if name.isdecimal()}
            winner = self.winner(position, {side: shown[side][position][0] for side in (ATT, DEF)})
            if winner != "tie":
                self.dead[DEF if winner == ATT else ATT].append(position)
            duel: dict[str, Any] = {"stage": self.name, "duel": position + 1, "winner": winner}
            for side in (ATT, DEF):
                die, lender = shown[side][position]
                duel |= {side: self.line(side)[position].code, f"d_{side}": faces[side], f"roll_{side}": die,
                         f"lent_{side}": lender, f"mod_{side}": mods[side]}
            self.duels.append({**duel, "pass": self.ground.round} if self.ground.round > 1 else duel)

    def left(self, side: str) -> list[Unit]:
        """Who is alive."""
        return [unit for position, unit in enumerate(self.line(side)) if position not in self.dead.get(side, ())]


def total(realm: Realm, die: int, faces: int, modifiers: Mapping[str, int]) -> int:
    """Die and bonus, which a switch keeps within the faces."""
    whole = die + sum(modifiers.values())
    return min(whole, faces) if realm.rules.bonus_on_d4 == "cap" else whole


def neighbours_help(realm: Realm, towns: list[str]) -> dict[str, int]:
    """The bonus of arcane studies and Molor keeps of some settlements (TS 09, 16), by structure."""
    found: dict[str, int] = {}
    for town in towns:
        for structure, value in realm.effects(town, "attack_neighbours").items():
            stacked = found.get(structure, 0) + value
            found[structure] = stacked if realm.rules.adjacent_bonus_stack == "stack" else value
    if realm.rules.adjacent_bonus_stack == "max1" and found:
        first = min(found)
        return {first: found[first]}
    return found
