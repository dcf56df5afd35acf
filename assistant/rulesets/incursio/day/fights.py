"""One battle: a force and a place in; passes, outcome, who stands where and who knows what out (rulebook: Battles)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Battle
from assistant.rulesets.incursio.book.tables import ENGINE, Numbers
from assistant.rulesets.incursio.day.duels import ATT, DEF, Ground, Stage
from assistant.rulesets.incursio.orders.choosing import codes
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.loss import fall, purify, raze
from assistant.rulesets.incursio.realm.realm import BOTH, Realm
from assistant.rulesets.incursio.realm.sight import changed_hands, forget, known, move_forward, observe
from assistant.rulesets.incursio.realm.units import joined, split_units

LINE = {"open": "camp", "garrison": "garrison"}
"""The kind of sighting of each line."""


class Part(NamedTuple):
    """A part of a pass: the stage ``open`` or ``garrison``, or one copy of an engine. `kind`: whom it shoots at."""

    stage: str
    structure: str = ""
    copy: int = 0
    kind: str = ""

    def targets(self, line: Sequence[str]) -> list[int]:
        """The places of those in a line at whom an engine may shoot."""
        return [place for place, code in enumerate(line) if self.kind in (code, "all")]


@dataclass
class Fight:
    """A battle as it goes on. `fury`: it goes on to the end; `passes`: those that were fought."""

    ground: Ground
    att: list[Unit]
    fury: bool = False
    duels: list[dict[str, Any]] = field(default_factory=list)
    passes: int = 0
    ignored: bool = False
    """Whether power 8 has spared a victim of an engine."""
    shown: set[str] = field(default_factory=set)
    """Structures that have shown themselves."""

    @property
    def realm(self) -> Realm:
        """The board."""
        return self.ground.realm

    @property
    def outside(self) -> list[Unit]:
        """The outsiders who defend."""
        return self.realm.camp.outside(self.ground.place.node, self.ground.defender)

    @property
    def garrison(self) -> list[Unit]:
        """The garrison; demons have none."""
        return self.realm.camp.garrison(self.ground.place.node) if self.ground.defender == ESDEF else []

    def fight(self) -> str:
        """Pass after pass; the outcome."""
        rules = self.realm.rules
        while True:
            self.passes += 1
            self.ground.round = self.passes
            for part in parts_of(self.ground, self.passes):
                self.part(part)
            outcome = outcome_of(rules.retreat_subject, self.att, [*self.outside, *self.garrison], fury=self.fury)
            if not goes_on(rules, outcome, self.passes, fury=self.fury):
                return outcome

    def part(self, part: Part) -> None:
        """A stage, where both lines are there; or an engine."""
        if part.stage == "engine":
            self._engine(part)
        elif (defenders := self.outside if part.stage == "open" else self.garrison) and self.att:
            self.stage(part.stage, defenders)

    def stage(self, name: str, defenders: list[Unit]) -> None:
        """Duels of one stage; what each side has seen of the other's line."""
        stage = Stage(self.ground, name, self.att, defenders)
        stage.fight()
        self.duels += stage.duels
        self.shown |= stage.bonuses
        self.realm.camp.remove([*(self.att[i] for i in stage.dead[ATT]), *(defenders[i] for i in stage.dead[DEF])])
        self.att = stage.left(ATT)
        side, node, threw = self.ground.attacker, self.ground.place.node, stage.threw.get(DEF, set())
        move_forward(self.realm, side, node, LINE[name], threw, len(stage.dead[DEF]))
        for place, unit in enumerate(stage.left(DEF), 1):
            if defenders.index(unit) + 1 in threw:
                observe(self.realm, side, node, LINE[name], "battle", position=place, what=unit.code)

    def _engine(self, engine: Part) -> None:
        """An engine throws against one living attacker of its type, who throws back; no modifiers (TS 12 to 15)."""
        def throw(what: str, dice: str = "1d6") -> int:
            purpose = ENGINE(self.ground.battle, self.passes, engine.structure, engine.copy, what, dice=dice)
            return self.realm.roll(purpose, list(BOTH)).total

        among = [self.att[position] for position in engine.targets(codes(self.att))]
        if not among:
            return
        target = among[throw("target", f"1d{len(among)}") - 1 if len(among) > 1 else 0]
        shot, victim = throw("engine"), throw("victim")
        killed = engine_kills(shot, victim)
        if killed and spares(self.realm, ignored=self.ignored):
            self.ignored, killed = True, False
        self.duels.append({"stage": "engine", "structure": engine.structure, "copy": engine.copy, "att": target.code,
                           "target": self.att.index(target) + 1, "roll_engine": shot, "roll_victim": victim,
                           "killed": killed})
        self.shown.add(engine.structure)
        if killed:
            self.realm.camp.remove([target])
            self.att = [unit for unit in self.att if unit is not target]


def engine_kills(engine: int, victim: int) -> bool:
    """Whether an engine's die kills its victim: only if it is higher (TS 12 to 15)."""
    return engine > victim


def spares(realm: Realm, *, ignored: bool) -> bool:
    """Whether power 8 saves the victim of an engine; `ignored`: it has saved one in this battle."""
    return realm.power >= 8 and not ignored


def parts_of(ground: Ground, passes: int) -> list[Part]:
    """What a pass consists of: outsiders, engines one by one, garrison, each with the survivors of the one before."""
    realm, node = ground.realm, ground.place.node
    fire = passes == 1 or realm.rules.engine_first_pass_only == "no"
    if ground.attacker != VARANNAH or ground.place.kind != "settlement" or not fire:
        return [Part("open"), Part("garrison")]
    there = realm.standing(node)
    engines = [Part("engine", row.structure, copy, row.effect.removeprefix("engine_")) for row in realm.types
               if row.effect.startswith("engine_") for copy in range(1, there[row.structure] + 1)]
    return [Part("open"), *engines, Part("garrison")]


def goes_on(rules: Numbers, outcome: str, passes: int, *, fury: bool) -> bool:
    """Whether another pass follows (COM 17)."""
    on = outcome == "undecided" and (fury or rules.combat_rounds == "until_retreat")
    return on and passes < rules.max_passes


def outcome_of(retires: str, att: list[Unit] | list[str], defenders: list[Unit] | list[str], *, fury: bool) -> str:
    """What a pass came to (COM: fewer attackers retire)."""
    if not att:
        return "destroyed"
    if not defenders:
        return "taken"
    fewer = len(att) < len(defenders) and retires == "attackers" and not fury
    return "driven_off" if fewer else "undecided"


def begin(realm: Realm, battle: str, origin: str, target: str, force: list[Unit], *, fury: bool) -> Fight:
    """A battle is about to be fought: its row, and who has fought from now on."""
    side = force[0].faction
    ground = Ground(realm, battle, origin, realm.nodes[target], side)
    fight = Fight(ground, force, fury)
    row = realm.battles.get(battle) or realm.battles.add(Battle(battle=battle))
    row.turn = realm.game.turn
    row.node, row.origin, row.attacker = target, origin, side
    row.attackers = joined(codes(force))
    row.open_before, row.garrison_before = joined(codes(fight.outside)), joined(codes(fight.garrison))
    realm.camp.move(fight.outside)  # they keep the line in which they stand now, though all will have fought
    for unit in force:
        unit.fought = "attacked"
    for unit in realm.camp.at(target, ground.defender):
        unit.fought = unit.fought or "defended"
    return fight


def settle(fight: Fight, outcome: str, row: Battle, *, live: bool = False) -> None:
    """After the battle: who stands where, what becomes of the place, what is told (rulebook: After a battle)."""
    realm, ground = fight.realm, fight.ground
    node, side, other = ground.place.node, ground.attacker, ground.defender
    won = outcome in ("taken", "walkover")
    row.att_after = joined(codes(fight.att))
    row.open_after, row.garrison_after = joined(codes(fight.outside)), joined(codes(fight.garrison))
    row.defenders_lost = sum(len(split_units(before)) - len(split_units(after)) for before, after in (
        (row.open_before, row.open_after), (row.garrison_before, row.garrison_after)))
    row.outcome, row.passes, row.duels = outcome, fight.passes, fight.duels
    row.status = "played" if live else "auto"
    for unit in fight.att if outcome == "driven_off" else ():
        unit.driven = True
    if won:
        _taken(fight, row)
    else:
        realm.camp.move(fight.att)
    changed = won and ground.place.kind != "settlement"
    if live or fight.passes:
        forget(realm, known(realm, other, ground.origin, "camp"))
        _known_by_defenders(fight, node if won else ground.origin)
    if not won and other == ESDEF:
        for structure in sorted(fight.shown):
            observe(realm, side, node, "structure", "battle", what=structure)
    touched = [row, *realm.bands_changed(side), *realm.bands_changed(other), *([ground.place] if changed else [])]
    realm.tell("battle_ended", list(BOTH), "COM", touch=touched, battle=row.battle, outcome=outcome)


def _taken(fight: Fight, row: Battle) -> None:
    """All survivors move in; a settlement falls, a ruin is purified, a site is razed."""
    realm, place = fight.realm, fight.ground.place
    changed_hands(realm, place.node)
    realm.camp.move(fight.att, node=place.node, posture="open")
    if fight.ground.attacker == VARANNAH:
        if place.kind == "settlement":
            row.captives = fall(realm, place, row.battle)
            for unit in fight.att:
                unit.returns = None
        else:
            raze(realm, place.node)
    elif place.kind == "ruin":
        purify(realm, place)


def _known_by_defenders(fight: Fight, node: str) -> None:
    """The defenders have seen the whole attacking line; what was known of the camp there is superseded."""
    realm, other = fight.realm, fight.ground.defender
    forget(realm, known(realm, other, node, "camp"))
    for position, unit in enumerate(fight.att, 1):
        observe(realm, other, node, "camp", "battle", position=position, what=unit.code)
