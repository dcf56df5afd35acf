"""Battles, duel by duel or played live (rulebook: Battles, Duels, Played live)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, VOCABULARY, both
from assistant.rulesets.incursio.orders import pick_units, units_at
from assistant.rulesets.incursio.realm import (
    NOBODY,
    OTHER,
    Realm,
    Unit,
    are_among,
    codes_of,
    letters,
    split_units,
    units_or_nobody,
)
from assistant.rulesets.incursio.records import ASSUMED, ROLLS, Advantage, Battle, Node, NoYes, YesNo
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import check_form, take_form
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import REFEREE
from assistant.turn.orders.columns import Sentence
from assistant.turn.orders.phrases import DESTROYED, LEFT, PhraseIndex
from assistant.turn.questions import Ask, Waiting

# What the chapter declares.


class Numbers(Rules):
    """Duels, passes, and what structures and powers do."""

    combat_rounds: Literal["one_pass", "until_retreat"] = switch(
        both("A battle is {option}.", "Una battaglia è {option}."), both("one pass", "un passaggio"),
        both("fought until somebody is gone or driven off", "combattuta finché qualcuno è annientato o respinto"),
        usual=True)
    max_passes: int = number(50, both("passes", "passaggi"),
                             both("A battle has {n} {n?pass|passes} at most.",
                                  "Una battaglia ha al più {n} {n?passaggio|passaggi}."), ASSUMED, 1)
    retreat_subject: Literal["attackers", "none"] = switch(
        both("Fewer than the defenders, {option}.", "Se sono meno dei difensori, {option}."),
        both("the attackers retire", "gli attaccanti si ritirano"), both("nobody retires", "nessuno si ritira"),
        usual=True)
    surplus_mode: Literal["pool", "shared", "every_duel"] = switch(
        both("The dice of surplus units {option}.", "I dadi delle unità in sovrappiù {option}."),
        both("are a pool for their type", "si mettono in comune per il loro tipo"),
        both("back the unit they are dealt to", "sostengono l'unità a cui toccano"),
        both("are thrown in every duel of their type", "si tirano in ogni duello del loro tipo"), usual=True)
    surplus_defenders: NoYes = switch(both("Surplus defenders {option}.", "I difensori in sovrappiù {option}."),
                                      both("throw nothing", "non tirano niente"),
                                      both("throw as well", "tirano anche loro"))
    engine_first_pass_only: YesNo = switch(both("Engines fire {option}.", "Le macchine tirano {option}."),
                                           both("in the first pass", "nel primo passaggio"),
                                           both("in every pass", "in ogni passaggio"))
    tie_conflict: Literal["defender", "nobody"] = switch(
        both("Where manned walls meet power 6 a tie is won by {option}.",
             "Fra mura presidiate e potere 6 il pareggio va {option}."), both("the defender", "al difensore"),
        both("nobody", "nessuno"), source="TS")
    bonus_on_d4: Literal["add", "cap"] = switch(
        both("A bonus {option}.", "Un bonus {option}."), both("is added to the die", "si somma al dado"),
        both("never lifts a die above its faces", "non porta mai un dado oltre le sue facce"), source="TS")
    ruin_powers: YesNo = switch(both("Powers help demons that defend a ruin: {option}.",
                                     "I poteri aiutano i demoni che difendono una rovina: {option}."),
                                both("yes", "sì"), both("no", "no"), source="POT")
    adjacent_bonus_stack: Literal["per_kind", "stack", "max1"] = switch(
        both("Arcane studies and Molor keeps count {option}.", "Studi arcani e rocche Molor contano {option}."),
        both("once a kind", "una volta per tipo"), both("each", "ognuno"), both("once in all", "una volta in tutto"),
        source="TS")
    adjacent_bonus_reading: Literal["target", "origin"] = switch(
        both("Arcane studies and Molor keeps help attacks {option}.",
             "Studi arcani e rocche Molor aiutano gli attacchi {option}."),
        both("on ruins beside them", "alle rovine vicine"), both("from cells beside them", "dalle caselle vicine"),
        source="TS")


RESULT = "battle_result"
"""The question for the form of a battle that is played live."""


both.words({
    "power 2": "potere 2", "power 9": "potere 9", "watch": "veglia", "att": "attaccante", "def": "difensore",
})

CHAPTER = Chapter(both("Battles", "Battaglie"), (Citation("COM", "Combat", "Combattimento"),), Numbers, events=(
    EventType("battle_ended", both("{battle}: {outcome}.", "{battle}: {outcome}."), "battles", 1,
              variants=("outcome", {
                  "undecided": both("{battle}: the fight goes on.", "{battle}: lo scontro continua."),
                  "driven_off": both("{battle}: the attackers are driven off.",
                                     "{battle}: gli attaccanti sono respinti."),
                  "destroyed": both("{battle}: no attacker is left.", "{battle}: nessun attaccante si salva."),
                  "taken": both("{battle}: the attackers take the place.",
                                "{battle}: gli attaccanti prendono il luogo."),
                  "nobody": both("{battle}: nobody is left.", "{battle}: non resta nessuno."),
                  "walkover": both("{battle}: nobody resists.", "{battle}: nessuno resiste.")}),
              means={"outcome": "word"}, to=BOTH),
), findings=(
    Message("INC-090", "error",
            both("{units} survive but only {before} went in.", "Sopravvivono {units} ma erano {before}."),
            means={"units": "text", "before": "text"}),
    Message("INC-091", "error",
            both("Nobody survives on either side: a place is never empty.",
                 "Non resta nessuno: un luogo non è mai vuoto.")),
    Message("INC-092", "error",
            both("The garrison's order changed: {after} does not follow {before}.",
                 "L'ordine della guarnigione è cambiato: {after} non viene da {before}."),
            means={"after": "text", "before": "text"}),
    Message("INC-093", "error",
            both("This form is for battle {b}, which is {state}.", "Il modulo è della battaglia {b}, che è {state}."),
            means={"b": "text", "state": "word"}),
), questions=(
    QuestionType(RESULT,
                 both("Battle {about} {place:at}: type what is left of each line.",
                      "Battaglia {about} {place:dove}: scrivi che cosa resta di ogni schiera."),
                 means={"about": "text"}),
))

DUEL = ROLLS.purpose(both("Duels and engines", "Duelli e macchine d'assedio"),
                     "battle/{Battles*}/{n}/{open|garrison}/{att|def}/{n}", "")
AGAIN = ROLLS.purpose("", "battle/{Battles*}/{n}/{open|garrison}/{att|def}/{n}>{n}", "")
ENGINE = ROLLS.purpose("", "battle/{Battles*}/{n}/engine/{StructureTypes}.{n}/{target|engine|victim}", "")

# One stage of a battle: duels (COM).


ATT, DEF = SIDES = "att", "def"
ShownDie = tuple[int, int | None]
"""The die that an engaged unit shows, and the position of the unit that lent it; None for its own."""
DieOf = Callable[[str, int, int, int | None], int]
"""Throws the die of a unit: side, position, faces, and the engaged unit whose duel it is for, if it throws for each."""


@dataclass
class Ground:
    """The place and attacker of a battle. `origin`: the cell of the attackers."""

    realm: Realm
    origin: str
    place: Node
    attacker: str

    @property
    def defender(self) -> str:
        """The other side."""
        return OTHER[self.attacker]

    @property
    def outside(self) -> list[Unit]:
        """The outsiders who defend."""
        return self.realm.camp.outside(self.place.node, self.defender)

    @property
    def garrison(self) -> list[Unit]:
        """The garrison; demons have none."""
        return self.realm.camp.garrison(self.place.node) if self.defender == ESDEF else []

    @property
    def shields(self) -> bool:
        """Whether demons defend a ruin whose powers help them."""
        return (self.defender == VARANNAH and self.place.kind == "ruin"
                and Numbers.of(self.realm).ruin_powers == "yes")


class DiceGroup(NamedTuple):
    """Engaged units of one type and die, and the surplus that lends them dice; positions from 0.

    `again`: the surplus throws for other groups, too.
    """

    fighting: tuple[int, ...]
    helpers: tuple[int, ...] = ()
    again: bool = False


def best_of(own: Mapping[int, int], lent: Sequence[tuple[int, int]]) -> dict[int, ShownDie]:
    """The best dice of a group, one for each engaged unit: a unit keeps its own, the others are lent (COM).

    `own`: position -> die; `lent`: die and position of each helper.
    """
    dice = [(-die, False, position) for position, die in own.items()]
    dice += [(-die, True, position) for die, position in lent]
    best = sorted(dice)[:len(own)]
    kept = {position for _, helps, position in best if not helps}
    rest = iter([(-die, position + 1) for die, helps, position in best if helps])
    return {position: (die, None) if position in kept else next(rest) for position, die in sorted(own.items())}


class Stage:
    """A stage with duels. `name`: ``open`` or ``garrison``; the lines, by their codes, as they stand when it begins."""

    def __init__(self, ground: Ground, name: str, att: Sequence[str], defs: Sequence[str]) -> None:
        self.ground, self.name, self.lines = ground, name, {ATT: att, DEF: defs}
        self.engaged = min(len(att), len(defs))
        self.groups = {side: self._groups(side) for side in SIDES}
        """The groups of each side whose dice count together; each engaged unit is in one."""

    # --- dice -------------------------------------------------------------------------------------------
    def faces(self, side: str, position: int) -> int:
        """The faces of an engaged unit's die."""
        over = self.ground.realm.campaign.table(Advantage)
        att, defender = (self.lines[each][position] for each in SIDES)
        if f"{att}/{defender}" in over:
            return 4 if side == DEF else 6
        power_3 = self.ground.shields and self.ground.realm.power >= 3
        # their advantage helps defenders only in a garrison, or in a ruin with power 3 (COM)
        if f"{defender}/{att}" in over and (self.name == "garrison" or power_3):
            return 4 if side == ATT else 6
        return 6

    def _groups(self, side: str) -> list[DiceGroup]:
        line, other = self.lines[side], self.lines[DEF if side == ATT else ATT]
        rules = Numbers.of(self.ground.realm)
        front = range(self.engaged)
        # only attackers profit from being more (COM): of defenders the surplus throws nothing
        if len(line) <= len(other) or (side == DEF and rules.surplus_defenders == "no"):
            return [DiceGroup((position,)) for position in front]
        backed: dict[int, list[int]] = {}
        for code in dict.fromkeys(line):
            fighting = [position for position in front if line[position] == code]
            surplus = [position for position in range(self.engaged, len(line)) if line[position] == code]
            # without a unit of its type in front a surplus unit lends to nobody
            for j, position in enumerate(surplus if fighting else ()):
                for each in fighting if rules.surplus_mode == "every_duel" else [fighting[j % len(fighting)]]:
                    backed.setdefault(each, []).append(position)
        if rules.surplus_mode != "pool":
            again = rules.surplus_mode == "every_duel"
            return [DiceGroup((each,), tuple(backed.get(each, ())), again) for each in dict.fromkeys([*backed, *front])]
        classes: dict[tuple[str, int], list[int]] = {}
        for position in front:
            classes.setdefault((line[position], self.faces(side, position)), []).append(position)
        groups = []
        for fighting in classes.values():
            helpers = tuple(sorted(position for each in fighting for position in backed.get(each, ())))
            groups += [DiceGroup(tuple(fighting), helpers)] if helpers else [DiceGroup((each,)) for each in fighting]
        return groups

    def shown(self, side: str, die: DieOf) -> dict[int, ShownDie]:
        """The final die of each engaged unit of a side, and the position of its lender."""
        shown: dict[int, ShownDie] = {}
        # all engaged throw before those behind them
        own = {position: die(side, position, self.faces(side, position), None) for position in range(self.engaged)}
        for fighting, helpers, again in self.groups[side]:
            first = fighting[0]
            lent = [(die(side, position, self.faces(side, first), first if again else None), position)
                    for position in helpers]
            shown |= best_of({position: own[position] for position in fighting}, lent)
        return shown

    # --- modifiers and verdict ---------------------------------------------------------------------------
    def modifiers(self, side: str, position: int) -> dict[str, int]:
        """What is added to an engaged unit's die, by name."""
        return self._attackers() if side == ATT else self._defenders(self.lines[DEF][position])

    def _attackers(self) -> dict[str, int]:
        ground, realm = self.ground, self.ground.realm
        # power 2 works against soldiers who are not in garrison only
        if ground.attacker == VARANNAH:
            modifiers = {"power 2": 1} if realm.power >= 2 and self.name == "open" else {}
            return {**modifiers, **({"power 9": 1} if realm.power >= 9 else {})}
        if ground.place.kind != "ruin":
            return {}
        reading = Numbers.of(realm).adjacent_bonus_reading
        around = realm.neighbours(ground.place.node if reading == "target" else ground.origin, ESDEF)
        return neighbours_help(realm, [node for node in around if realm.is_home(node, ESDEF)])

    def _defenders(self, code: str) -> dict[str, int]:
        ground, realm = self.ground, self.ground.realm
        if ground.defender == VARANNAH:
            helped = realm.power >= 2 and (ground.place.kind != "ruin" or ground.shields)
            return {"power 2": 1} if helped else {}
        # outside the walls nobody has their bonuses (COM)
        if self.name == "open":
            return {}
        node = ground.place.node
        watched = len(realm.on_mission("watch", target=node, state="running"))
        return {**realm.effects(node, f"defence_{code}"), **realm.effects(node, "defence_all"),
                **({"watch": realm.mission_value("watch") * watched} if watched else {})}

    @cached_property
    def walls(self) -> set[str]:
        """The manned walls behind which a garrison wins ties."""
        in_garrison = self.name == "garrison"
        return set(self.ground.realm.effects(self.ground.place.node, "garrison_wins_ties")) if in_garrison else set()

    def winner(self, position: int, dice: Mapping[str, int]) -> str:
        """The side that wins a duel with these dice, by its total or as it wins ties; ``tie`` if none does."""
        att, defs = (duel_total(self.ground.realm, dice[side], self.faces(side, position),
                                self.modifiers(side, position)) for side in SIDES)
        if att != defs:
            return ATT if att > defs else DEF
        strong = self.ground.attacker == VARANNAH and self.ground.realm.power >= 6
        if self.walls:
            return "tie" if strong and Numbers.of(self.ground.realm).tie_conflict == "nobody" else DEF
        return ATT if strong else "tie"

    def fight(self, die: DieOf) -> list[dict[str, Any]]:
        """Fight all duels at once: who met whom with what, and who has won."""
        shown = {side: self.shown(side, die) for side in SIDES}
        duels = []
        for position in range(self.engaged):
            winner = self.winner(position, {side: shown[side][position][0] for side in SIDES})
            duel: dict[str, Any] = {"stage": self.name, "duel": position + 1, "winner": winner}
            for side in SIDES:
                number, lender = shown[side][position]
                duel |= {side: self.lines[side][position], f"d_{side}": self.faces(side, position),
                         f"roll_{side}": number, f"lent_{side}": lender,
                         f"mod_{side}": self.modifiers(side, position)}
            duels.append(duel)
        return duels


def duel_total(realm: Realm, die: int, faces: int, modifiers: Mapping[str, int]) -> int:
    """Die and bonus; a switch may cap them at the faces."""
    whole = die + sum(modifiers.values())
    return min(whole, faces) if Numbers.of(realm).bonus_on_d4 == "cap" else whole


def total_of(realm: Realm, duel: Mapping[str, Any], side: str) -> int:
    """What a side came to in a duel that was fought."""
    return duel_total(realm, duel[f"roll_{side}"], duel[f"d_{side}"], duel[f"mod_{side}"])


def neighbours_help(realm: Realm, towns: list[str]) -> dict[str, int]:
    """The bonus from arcane studies and Molor keeps of some settlements (TS 09, 16), by structure."""
    stack, bonuses = Numbers.of(realm).adjacent_bonus_stack, dict[str, int]()
    for town in towns:
        for structure, value in realm.effects(town, "attack_neighbours").items():
            bonuses[structure] = value + (bonuses.get(structure, 0) if stack == "stack" else 0)
    return dict(sorted(bonuses.items())[:1]) if stack == "max1" else bonuses


# One battle.


LINE = {"open": "camp", "garrison": "garrison"}
"""The kind of sighting of each line."""


class PassPart(NamedTuple):
    """A part of a pass: the stage ``open`` or ``garrison``, or one copy of an engine. `kind`: its targets."""

    stage: str
    structure: str = ""
    copy: int = 0
    kind: str = ""

    def targets(self, line: Sequence[str]) -> list[int]:
        """The positions in a line at which it shoots, if it is an engine."""
        return [place for place, code in enumerate(line) if self.kind in (code, "all")]


def parts_of(ground: Ground, passes: int) -> list[PassPart]:
    """The parts of a pass: outsiders, engines one by one, garrison, each with the survivors of the last part."""
    realm, node = ground.realm, ground.place.node
    fire = passes == 1 or Numbers.of(realm).engine_first_pass_only == "no"
    if ground.attacker != VARANNAH or ground.place.kind != "settlement" or not fire:
        return [PassPart("open"), PassPart("garrison")]
    there = realm.standing(node)
    engines = [PassPart("engine", row.structure, copy, row.effect.removeprefix("engine_")) for row in realm.types
               if row.effect.startswith("engine_") for copy in range(1, there[row.structure] + 1)]
    return [PassPart("open"), *engines, PassPart("garrison")]


def engine_kills(engine: int, victim: int) -> bool:
    """Whether an engine's die kills its victim: only if it is higher (TS 12 to 15)."""
    return engine > victim


def power_spares(realm: Realm, *, ignored: bool) -> bool:
    """Whether power 8 saves the victim of an engine. `ignored`: it has already saved one in this battle."""
    return realm.power >= 8 and not ignored


def outcome_of(retires: str, att: Sequence[object], defenders: Sequence[object], *, fury: bool) -> str:
    """The outcome of a pass (COM: fewer attackers retire)."""
    if not att:
        return "destroyed"
    if not defenders:
        return "taken"
    fewer = len(att) < len(defenders) and retires == "attackers" and not fury
    return "driven_off" if fewer else "undecided"


def another_pass_follows(rules: Numbers, outcome: str, passes: int, *, fury: bool) -> bool:
    """Whether another pass follows (COM 17)."""
    on = outcome == "undecided" and (fury or rules.combat_rounds == "until_retreat")
    return on and passes < rules.max_passes


@dataclass
class Fight(Ground):
    """A battle being fought. `fury`: to the end; `passes`: passes fought so far."""

    row: Battle
    att: list[Unit]
    fury: bool = False
    passes: int = 0
    duels: list[dict[str, Any]] = field(default_factory=list)
    ignored: bool = False
    """Whether power 8 has spared a victim of an engine."""
    shown: set[str] = field(default_factory=set)
    """Structures that took part, and so were seen."""

    def fight(self) -> str:
        """Fight pass after pass; return the outcome."""
        rules = Numbers.of(self.realm)
        while True:
            self.passes += 1
            for part in parts_of(self, self.passes):
                if part.stage == "engine":
                    self._engine(part)
                elif (line := self.outside if part.stage == "open" else self.garrison) and self.att:
                    self._stage(part.stage, line)
            outcome = outcome_of(rules.retreat_subject, self.att, [*self.outside, *self.garrison], fury=self.fury)
            if not another_pass_follows(rules, outcome, self.passes, fury=self.fury):
                return outcome

    def _stage(self, name: str, line: list[Unit]) -> None:
        """Fight the duels of one stage, and note what the attacker has seen of the other's line."""
        stage = Stage(self, name, codes_of(self.att), codes_of(line))
        duels = stage.fight(self._die_in(name))
        self.duels += [{**duel, "pass": self.passes} if self.passes > 1 else duel for duel in duels]
        # structures that helped have shown themselves to the attackers
        self.shown |= {bonus for duel in duels for bonus in duel["mod_def"] if bonus.isdecimal()}
        if any(total_of(self.realm, duel, ATT) == total_of(self.realm, duel, DEF) for duel in duels):
            self.shown |= stage.walls
        lost = [self.att[duel["duel"] - 1] for duel in duels if duel["winner"] == DEF]
        fallen = [line[duel["duel"] - 1] for duel in duels if duel["winner"] == ATT]
        self.realm.camp.remove([*lost, *fallen])
        self.att = [unit for unit in self.att if unit not in lost]
        node = self.place.node
        threw = {position for group in stage.groups[DEF] for position in (*group.fighting, *group.helpers)}
        self.realm.move_sightings_forward(self.attacker, node, LINE[name], {n + 1 for n in threw}, len(fallen))
        left = [(n, unit) for n, unit in enumerate(line) if unit not in fallen]
        for place, (n, unit) in enumerate(left, 1):
            if n in threw:
                self.realm.observe(self.attacker, node, LINE[name], "battle", position=place, what=unit.code)

    def _die_in(self, stage: str) -> DieOf:
        def die(side: str, position: int, faces: int, engaged: int | None) -> int:
            about = (self.row.battle, self.passes, stage, side, position + 1)
            dice = f"1d{faces}"
            return self.realm.die(DUEL(*about, dice=dice) if engaged is None else
                                  AGAIN(*about, engaged + 1, dice=dice), *BOTH)

        return die

    def _engine(self, engine: PassPart) -> None:
        """An engine throws against one living attacker of its type, who throws back; no modifiers (TS 12 to 15)."""
        about = (self.row.battle, self.passes, engine.structure, engine.copy)
        targets = engine.targets(codes_of(self.att))
        if not targets:
            return
        chosen = self.realm.die(ENGINE(*about, "target", dice=f"1d{len(targets)}"), *BOTH) if len(targets) > 1 else 1
        target = self.att[targets[chosen - 1]]
        shot, victim = (self.realm.die(ENGINE(*about, whose, dice="1d6"), *BOTH) for whose in ("engine", "victim"))
        killed = engine_kills(shot, victim)
        if killed and power_spares(self.realm, ignored=self.ignored):
            self.ignored, killed = True, False
        self.duels.append({"stage": "engine", "structure": engine.structure, "copy": engine.copy, "att": target.code,
                           "target": targets[chosen - 1] + 1, "roll_engine": shot, "roll_victim": victim,
                           "killed": killed})
        self.shown.add(engine.structure)
        if killed:
            self.realm.camp.remove([target])
            self.att = [unit for unit in self.att if unit is not target]


def begin_battle(realm: Realm, row: Battle, force: list[Unit], *, fury: bool) -> Fight:
    """Begin a battle: fill in its row, and mark its units as having fought."""
    fight = Fight(realm, row.origin, realm.nodes[row.node], row.attacker, row, force, fury)
    row.open_before, row.garrison_before = letters(fight.outside), letters(fight.garrison)
    realm.camp.move(fight.outside)  # they keep the line in which they stand now, though all will have fought
    for unit in force:
        unit.fought = "attacked"
    for unit in realm.camp.at(row.node, fight.defender):
        unit.fought = unit.fought or "defended"
    return fight


def settle_battle(fight: Fight, outcome: str, *, live: bool = False) -> None:
    """Settle a battle: places of units, the fate of the place, sightings, events (rulebook: After a battle)."""
    realm, row, node, other = fight.realm, fight.row, fight.place.node, fight.defender
    won = outcome in ("taken", "walkover")
    for unit in fight.att if outcome == "driven_off" else ():
        unit.driven = True
    if won:
        _take_place(fight)
    else:
        realm.camp.move(fight.att)
    # in a walkover there was nobody to see them; else the defenders have seen the whole attacking line
    if live or fight.passes:
        realm.supersede(realm.sightings_at(other, fight.origin, "camp"))
        realm.observe_line(other, node if won else fight.origin, "camp", fight.att)
    # of a place that fell no structure is left to know of
    if not won and other == ESDEF:
        for structure in sorted(fight.shown):
            realm.observe(fight.attacker, node, "structure", "battle", what=structure)
    row.att_after, row.open_after, row.garrison_after = map(letters, (fight.att, fight.outside, fight.garrison))
    row.defenders_lost = len(split_units(row.open_before + row.garrison_before)) - len(
        split_units(row.open_after + row.garrison_after))
    row.outcome, row.passes, row.duels = outcome, fight.passes, fight.duels
    row.status = "played" if live else "auto"
    realm.camp.write()
    realm.tell("battle_ended", battle=row.battle, outcome=outcome)


def _take_place(fight: Fight) -> None:
    """All survivors move in; a settlement falls, a ruin is purified, a site is razed."""
    realm, place = fight.realm, fight.place
    realm.supersede_place(place.node)
    realm.camp.move(fight.att, node=place.node, posture="open")
    if fight.attacker == VARANNAH:
        if place.kind == "settlement":
            fight.row.captives = realm.settlement_falls(place)
            # who takes a settlement stays: the ruin is theirs (POR)
            for unit in fight.att:
                unit.returns = None
        else:
            realm.raze(place.node)
    # a ruin that is taken becomes open ground, no settlement (FON)
    elif place.kind == "ruin":
        realm.purify(place)


# A battle that is played live: its form, the checks, the outcome (rulebook: Played live).


Lines = dict[str, list[str]]
"""The units before the battle, by the column of those left."""
AFTER_COLUMNS = ("att_after", "open_after", "garrison_after")


GONE = PhraseIndex((word, "") for word in DESTROYED)
"""Words for nobody left."""


def _units_at(sentence: Sentence, start: int) -> Iterator[tuple[int, str]]:
    """Units of either side, one after the other, or nobody, as a sentence has them."""
    word = sentence.word(start).casefold()
    if word in NOBODY[1:]:
        yield 1, "-"
    yield from ((count, "-") for count, _ in sentence.phrases(start, GONE))
    if word in ("a", "an", "un", "uno", "una", "solo", "single", "only"):  # an archer is one
        yield from ((1 + count, units) for count, units in _units_at(sentence, start + 1) if units != "-")
    for side in BOTH:
        for count, units in units_at(sentence, start, side):
            yield count, units
            more = start + count + (sentence.word(start + count) in ("e", "and"))
            yield from ((more - start + further, units + others) for further, others in _units_at(sentence, more)
                        if others != "-")


def _entry(name: str, side: str) -> Entry[Lines]:
    """The column of what is left of a line: units among those that went in; more, or others, are INC-090."""
    def went_in(filled: Filled[Lines]) -> str:
        return "".join(filled.battle[name])

    def units(filled: Filled[Lines], typed: str) -> list[str] | None:
        left = units_or_nobody(typed)
        return left if left is not None and are_among(left, filled.battle[name]) else None

    def facts(filled: Filled[Lines]) -> Mapping[str, Any]:
        return {"units": str(filled.raw_value(name))[:60], "before": went_in(filled) or "-"}

    return Entry(name, side, "INC-090", facts, before=went_in, reads=units, said=_units_at,
                 loose=LEFT if name == "att_after" else ())


def _nobody_left(filled: Filled[Lines]) -> Iterable[Fault]:
    """A place is never empty (INC-091)."""
    if all(filled[name] == [] for name in AFTER_COLUMNS):
        yield Fault("INC-091", "att_after")


def _same_order(filled: Filled[Lines]) -> Iterable[Fault]:
    """A garrison keeps its order (INC-092)."""
    left, before = filled["garrison_after"], filled.battle["garrison_after"]
    rest = iter(before)
    if left is not None and not all(unit in rest for unit in left):
        yield Fault("INC-092", "garrison_after", {"after": "".join(left), "before": "".join(before) or "-"})


def lines_of(row: Battle) -> Lines:
    """The units before a battle, from its row."""
    went_in = (row.attackers, row.open_before, row.garrison_before)
    return {name: split_units(units) for name, units in zip(AFTER_COLUMNS, went_in, strict=True)}


def _clubs(attacker: str) -> Clubs:
    return {ATT: [attacker], DEF: [OTHER[attacker]]} if attacker in OTHER else {}


FORM: BattleForm[Lines] = BattleForm(
    RESULT,
    tuple(map(_entry, AFTER_COLUMNS, (ATT, DEF, DEF))),
    line=AFTER_COLUMNS,
    decisive=AFTER_COLUMNS,
    checks=(*AFTER_COLUMNS, _nobody_left, _same_order),
    seen=lambda game, row: (lines_of(row), _clubs(row.attacker)),
    like=VOCABULARY["battle"],
)
"""What is left of each line."""


def check_forms(realm: Realm) -> None:
    """Check the forms of battles to be played, as far as they are filled in."""
    for row in realm.battles.where(lambda row: row.status == "open" and bool(row.attackers)):
        if FORM.is_reported(row):
            check_form(realm.game, Filled(FORM, lines_of(row), row))


def take_live_result(fight: Fight) -> str:
    """Wait for the form, and take it: the attacker has seen everything on the table; return the outcome."""
    realm, row, force, line = fight.realm, fight.row, fight.att, [*fight.outside, *fight.garrison]
    row.status = "open"
    realm.game.hand_out(row)
    ask = Ask(RESULT, REFEREE, row.battle, asked={"place": row.node, "units": row.attackers})
    taken = take_form(realm.game, FORM, ask, lines_of(row), row, _clubs(fight.attacker))
    if taken.state != "filled":
        raise Waiting([ask])
    fight.att = pick_units(taken.filled["att_after"], force)
    left = {"open": remaining_line(taken.filled["open_after"], fight.outside),
            "garrison": remaining_line(taken.filled["garrison_after"], fight.garrison)}
    defenders = [*left["open"], *left["garrison"]]
    realm.camp.remove([unit for unit in (*force, *line) if unit not in (*fight.att, *defenders)])
    for name, kind in LINE.items():
        realm.observe_line(fight.attacker, fight.place.node, kind, left[name])
    return outcome_of(Numbers.of(realm).retreat_subject, fight.att, defenders, fury=False)


def remaining_line(codes: list[str], line: list[Unit]) -> list[Unit]:
    """The units left of a line that keeps its order: of FAF the second F if AF are left, else the first ones."""
    rest, in_line = list(line), list[Unit]()
    for code in codes:
        while rest and rest[0].code != code:
            rest.pop(0)
        in_line += [rest.pop(0)] if rest else []
    return in_line if len(in_line) == len(codes) else pick_units(codes, line)
