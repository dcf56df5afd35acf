"""Assaults and battles, duel by duel or played live (rulebook: Assaults, Battles, Duels, Played live)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from assistant.rulesets.incursio import VOCABULARY, both, orders
from assistant.rulesets.incursio.actions import DAY, check_line
from assistant.rulesets.incursio.orders import (
    canonical_key,
    check_not_emptied,
    check_outside,
    codes_of,
    free_units,
    mark_used,
    pick_units,
    soonest_returning,
    take_lines,
    troops,
    units_at,
    value_of,
)
from assistant.rulesets.incursio.realm import (
    LETTER,
    NOBODY,
    OTHER,
    UNITS,
    Realm,
    Unit,
    are_among,
    cell,
    keeps_order,
    split_units,
    units_or_nobody,
    units_text,
)
from assistant.rulesets.incursio.records import (
    ASSUMED,
    BOTH,
    ESDEF,
    ROLLS,
    VARANNAH,
    Advantage,
    Battle,
    Node,
    NoYes,
    YesNo,
)
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import check_form, take_form
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import EACH_TIME
from assistant.turn.game import Game
from assistant.turn.orders.columns import Sentence
from assistant.turn.orders.phrases import DESTROYED, LEFT, PhraseIndex
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask, Waiting

# One stage of a battle: duels (COM).


class Numbers(Rules):
    """Attacks of a day, duels, passes, and what structures and powers do."""

    attacks_per_day: int = number(3, both("attacks", "attacchi"),
                                  both("A faction makes {n} {n?attack|attacks} a day.",
                                       "Una fazione fa {n} {n?attacco|attacchi} al giorno."), minimum=1, source="T3",
                                  usual=True)
    fought_no_attack: Literal["none", "all"] = switch(
        both("Of those who fought, {option}.", "Di chi ha combattuto, {option}."),
        both("who was not driven off may attack again", "chi non è stato respinto può attaccare di nuovo"),
        both("nobody attacks any more but in a repeat", "nessuno attacca più se non in una ripetizione"), source="MOV")
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


EVENTS = (
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
    EventType("attack_found_nobody",
              both("The attack from {node:the} on {to_node:the} finds nobody.",
                   "L'attacco {node:da} {to_node:a} non trova nessuno."), "battles", 2,
              "T3", to=EACH_TIME),
    EventType("attack_not_made",
              both("The attack from {node:the} on {to_node:the} is not made: {reason}.",
                   "L'attacco {node:da} {to_node:a} non si fa: {reason}."), "battles", 2, "T3",
              variants=("reason",
                        {"nobody_left": both("The attack from {node:the} on {to_node:the} is not made: nobody is left "
                                             "for it.",
                                             "L'attacco {node:da} {to_node:a} non si fa: non resta nessuno per farlo."),
                         "cap_reached": both("The attack from {node:the} on {to_node:the} is not made: the attacks of "
                                             "the day are used up.",
                                             "L'attacco {node:da} {to_node:a} non si fa: gli attacchi del giorno sono "
                                             "finiti.")}),
              means={"reason": "word"}, to=EACH_TIME),
)

FINDINGS = (
    Message("INC-040", "error",
            both("{b:the} is neither {a:the} nor one line away.", "{b:il} non è {a:il} né a una linea."),
            means={"a": "place", "b": "place"}, certain=True),
    Message("INC-041", "warning",
            both("{units} are already in attack {order}: only those who are left and were not driven off join this "
                 "one.",
                 "{units} vanno già nell'attacco {order}: a questo partecipa solo chi resta e non è stato respinto."),
            means={"order": "text", "units": "text"}),
    Message("INC-042", "error",
            both("Three attacks a day: this is the fourth.", "Tre attacchi al giorno: questo è il quarto.")),
    Message("INC-043", "error", both("Attack {no} is there twice.", "L'attacco {no} c'è due volte.")),
    Message("INC-044", "warning",
            both("With the repeats the day has {sum} {sum?attack|attacks}: after the third none is made.",
                 "Con le ripetizioni gli attacchi salgono a {sum}: dopo il terzo non se ne fanno.")),
    Message("INC-045", "error", both("repeat must be 1, 2 or 3.", "ripeti deve essere 1, 2 o 3."), certain=True),
    Message("INC-046", "warning", both("Fury needs power 5: ignored.", "La furia chiede il potere 5: ignorata.")),
    Message("INC-047", "warning",
            both("The order is taken. You know of no enemies {node:at}: if nobody is there, the attack finds nobody "
                 "and still uses up one of your attacks of the day.",
                 "L'ordine è preso. Non sai di nemici {node:dove}: se non c'è nessuno, l'attacco va a vuoto e consuma "
                 "lo stesso uno dei tuoi attacchi di oggi.")),
    Message("INC-048", "error", both("{node:the} is yours.", "{node:il} {node?è tuo|è tua|sono tuoi|sono tue}.")),
    Message("INC-049", "error",
            both("The attackers are in garrison. LEAVE first.", "Gli attaccanti sono in guarnigione. Prima ESCI.")),
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
)

QUESTIONS = (
    QuestionType(RESULT,
                 both("Battle {about} {place:at}: type what is left of each line.",
                      "Battaglia {about} {place:dove}: scrivi che cosa resta di ogni schiera."),
                 means={"about": "text"}),
)

both.words({
    "nobody_left": "non resta nessuno", "cap_reached": "attacchi del giorno finiti", "power 2": "potere 2",
    "power 9": "potere 9", "watch": "veglia", "att": "attaccante", "def": "difensore",
})

CHAPTER = Chapter(both("Battles", "Battaglie"),
                  (Citation("COM", "Combat", "Combattimento"),
                   Citation("T3", "order of the turn, 3", "ordine del turno, 3", both("The day", "Il giorno"))),
                  Numbers, EVENTS, FINDINGS, QUESTIONS)

DUEL = ROLLS.purpose(both("Duels and engines", "Duelli e macchine d'assedio"),
                     "battle/{Battles*}/{n}/{open|garrison}/{att|def}/{n}", "")
AGAIN = ROLLS.purpose("", "battle/{Battles*}/{n}/{open|garrison}/{att|def}/{n}>{n}", "")
ENGINE = ROLLS.purpose("", "battle/{Battles*}/{n}/engine/{StructureTypes}.{n}/{target|engine|victim}", "")


ATT, DEF = "att", "def"
ShownDie = tuple[int, int | None]
"""The die that an engaged unit shows, and the position of the unit that lent it; None for its own."""


@dataclass
class Ground:
    """The place and attacker of a battle. `battle`: its code; `origin`: the cell of the attackers."""

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
    """Structures that gave a bonus, and so were seen."""

    def line(self, side: str) -> list[Unit]:
        """A side's line."""
        return self.att if side == ATT else self.defs

    # --- dice -------------------------------------------------------------------------------------------
    def advantage(self, unit: Unit, other: Unit) -> bool:
        """Whether a type is over another (COM)."""
        table = self.ground.realm.campaign.table(Advantage)
        return f"{unit.code}/{other.code}" in table

    def size(self, side: str, position: int) -> int:
        """The faces of an engaged unit's die."""
        att, defender = self.att[position], self.defs[position]
        if self.advantage(att, defender):
            return 4 if side == DEF else 6
        power_3 = self.ground.shields and self.ground.realm.power >= 3
        # their advantage helps defenders only in a garrison, or in a ruin with power 3 (COM)
        if self.advantage(defender, att) and (self.name == "garrison" or power_3):
            return 4 if side == ATT else 6
        return 6

    def throw(self, side: str, position: int, faces: int, engaged: int | None = None) -> int:
        """Throw a unit's die, known to both sides; positions from 0."""
        about = (self.ground.battle, self.ground.round, self.name, side, position + 1)
        dice = f"1d{faces}"
        throw = DUEL(*about, dice=dice) if engaged is None else AGAIN(*about, engaged + 1, dice=dice)
        self.threw.setdefault(side, set()).add(position + 1)
        return self.ground.realm.roll(throw, list(BOTH)).total

    def groups(self, side: str, engaged: int) -> list[DiceGroup]:
        """The groups of a side whose dice count together; each engaged unit is in one (COM: surplus)."""
        line, other = self.line(side), self.line(DEF if side == ATT else ATT)
        rules = Numbers.of(self.ground.realm)
        # only attackers profit from being more (COM): of defenders the surplus throws nothing
        if len(line) <= len(other) or (side == DEF and rules.surplus_defenders == "no"):
            return [DiceGroup((position,)) for position in range(engaged)]
        backed: dict[int, list[int]] = {}
        for code in dict.fromkeys(unit.code for unit in line):
            fighting = [position for position in range(engaged) if line[position].code == code]
            surplus = [position for position in range(engaged, len(line)) if line[position].code == code]
            # without a unit of its type in front a surplus unit lends to nobody
            for j, position in enumerate(surplus if fighting else ()):
                if rules.surplus_mode == "every_duel":
                    for front in fighting:
                        backed.setdefault(front, []).append(position)
                else:
                    backed.setdefault(fighting[j % len(fighting)], []).append(position)
        if rules.surplus_mode != "pool":
            again = rules.surplus_mode == "every_duel"
            each = dict.fromkeys([*backed, *range(engaged)])
            return [DiceGroup((front,), tuple(backed.get(front, ())), again) for front in each]
        classes: dict[tuple[str, int], list[int]] = {}
        for position in range(engaged):
            classes.setdefault((line[position].code, self.size(side, position)), []).append(position)
        groups = []
        for fighting in classes.values():
            helpers = tuple(sorted(position for front in fighting for position in backed.get(front, ())))
            groups += [DiceGroup(tuple(fighting), helpers)] if helpers else [DiceGroup((front,)) for front in fighting]
        return groups

    def final_dice(self, side: str, engaged: int) -> dict[int, ShownDie]:
        """The final die of each engaged unit of a side, and the position of its lender."""
        shown: dict[int, ShownDie] = {}
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
        # power 2 works against soldiers who are not in garrison only
        if unit.faction == VARANNAH:
            modifiers = {"power 2": 1} if realm.power >= 2 and self.name == "open" else {}
            return {**modifiers, **({"power 9": 1} if realm.power >= 9 else {})}
        if ground.place.kind != "ruin":
            return {}
        reading = Numbers.of(realm).adjacent_bonus_reading
        around = realm.game.map.neighbours(ground.place.node if reading == "target" else ground.origin, "grey")
        return neighbours_help(realm, [node for node in around if realm.is_home(node, ESDEF)])

    def _defenders(self, unit: Unit) -> dict[str, int]:
        ground, realm = self.ground, self.ground.realm
        if unit.faction == VARANNAH:
            helped = realm.power >= 2 and (ground.place.kind != "ruin" or ground.shields)
            return {"power 2": 1} if helped else {}
        # outside the walls nobody has their bonuses (COM)
        if self.name == "open":
            return {}
        node = ground.place.node
        watched = realm.missions.where(lambda row: row.mission == "watch" and row.target == node
                                       and row.state == "running")
        bonus = realm.mission_types["watch"].value if watched else 0
        return {**realm.effects(node, f"defence_{unit.code}"), **realm.effects(node, "defence_all"),
                **({"watch": (bonus or 0) * len(watched)} if watched else {})}

    def tie(self) -> str:
        """The winner of a tie: a garrison behind manned walls, or attacking demons of power 6."""
        ground = self.ground
        manned = self.name == "garrison" and bool(ground.realm.effects(ground.place.node, "garrison_wins_ties"))
        strong = ground.attacker == VARANNAH and ground.realm.power >= 6
        if manned:
            self.bonuses |= set(ground.realm.effects(ground.place.node, "garrison_wins_ties"))
            return "tie" if strong and Numbers.of(ground.realm).tie_conflict == "nobody" else DEF
        return ATT if strong else "tie"

    def winner(self, position: int, dice: Mapping[str, int]) -> str:
        """The side that wins a duel with these dice; ``tie`` if none does."""
        totals = {side: duel_total(self.ground.realm, dice[side], self.size(side, position),
                              self.modifiers(side, self.line(side)[position])) for side in (ATT, DEF)}
        return ATT if totals[ATT] > totals[DEF] else DEF if totals[DEF] > totals[ATT] else self.tie()

    def fight(self) -> None:
        """Fight all duels at once; the dead leave after the last."""
        engaged = min(len(self.att), len(self.defs))
        shown = {side: self.final_dice(side, engaged) for side in (ATT, DEF)}
        self.dead = {ATT: [], DEF: []}
        for position in range(engaged):
            faces = {side: self.size(side, position) for side in (ATT, DEF)}
            mods = {side: self.modifiers(side, self.line(side)[position]) for side in (ATT, DEF)}
            # structures that helped have shown themselves to the attackers
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

    def survivors(self, side: str) -> list[Unit]:
        """The survivors of a side."""
        return [unit for position, unit in enumerate(self.line(side)) if position not in self.dead.get(side, ())]


def duel_total(realm: Realm, die: int, faces: int, modifiers: Mapping[str, int]) -> int:
    """Die and bonus; a switch may cap them at the faces."""
    whole = die + sum(modifiers.values())
    return min(whole, faces) if Numbers.of(realm).bonus_on_d4 == "cap" else whole


def neighbours_help(realm: Realm, towns: list[str]) -> dict[str, int]:
    """The bonus from arcane studies and Molor keeps of some settlements (TS 09, 16), by structure."""
    bonuses: dict[str, int] = {}
    for town in towns:
        for structure, value in realm.effects(town, "attack_neighbours").items():
            stacked = bonuses.get(structure, 0) + value
            bonuses[structure] = stacked if Numbers.of(realm).adjacent_bonus_stack == "stack" else value
    if Numbers.of(realm).adjacent_bonus_stack == "max1" and bonuses:
        first = min(bonuses)
        return {first: bonuses[first]}
    return bonuses


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
        """The positions in a line at which an engine may shoot."""
        return [place for place, code in enumerate(line) if self.kind in (code, "all")]


@dataclass
class Fight:
    """A battle being fought. `fury`: to the end; `passes`: passes fought so far."""

    ground: Ground
    att: list[Unit]
    fury: bool = False
    duels: list[dict[str, Any]] = field(default_factory=list)
    passes: int = 0
    ignored: bool = False
    """Whether power 8 has spared a victim of an engine."""
    shown: set[str] = field(default_factory=set)
    """Structures that took part, and so were seen."""

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
        """Fight pass after pass; return the outcome."""
        rules = Numbers.of(self.realm)
        while True:
            self.passes += 1
            self.ground.round = self.passes
            for part in parts_of(self.ground, self.passes):
                self.part(part)
            outcome = outcome_of(rules.retreat_subject, self.att, [*self.outside, *self.garrison], fury=self.fury)
            if not another_pass_follows(rules, outcome, self.passes, fury=self.fury):
                return outcome

    def part(self, part: PassPart) -> None:
        """Fight a stage, if both lines have units, or fire an engine."""
        if part.stage == "engine":
            self._engine(part)
        elif (defenders := self.outside if part.stage == "open" else self.garrison) and self.att:
            self.stage(part.stage, defenders)

    def stage(self, name: str, defenders: list[Unit]) -> None:
        """Fight the duels of one stage, and note what the attacker has seen of the other's line."""
        stage = Stage(self.ground, name, self.att, defenders)
        stage.fight()
        self.duels += stage.duels
        self.shown |= stage.bonuses
        self.realm.camp.remove([*(self.att[i] for i in stage.dead[ATT]), *(defenders[i] for i in stage.dead[DEF])])
        self.att = stage.survivors(ATT)
        side, node, threw = self.ground.attacker, self.ground.place.node, stage.threw.get(DEF, set())
        self.realm.move_sightings_forward(side, node, LINE[name], threw, len(stage.dead[DEF]))
        for place, unit in enumerate(stage.survivors(DEF), 1):
            if defenders.index(unit) + 1 in threw:
                self.realm.observe(side, node, LINE[name], "battle", position=place, what=unit.code)

    def _engine(self, engine: PassPart) -> None:
        """An engine throws against one living attacker of its type, who throws back; no modifiers (TS 12 to 15)."""
        def throw(what: str, dice: str = "1d6") -> int:
            purpose = ENGINE(self.ground.battle, self.passes, engine.structure, engine.copy, what, dice=dice)
            return self.realm.roll(purpose, list(BOTH)).total

        among = [self.att[position] for position in engine.targets(codes_of(self.att))]
        if not among:
            return
        target = among[throw("target", f"1d{len(among)}") - 1 if len(among) > 1 else 0]
        shot, victim = throw("engine"), throw("victim")
        killed = engine_kills(shot, victim)
        if killed and power_spares(self.realm, ignored=self.ignored):
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


def power_spares(realm: Realm, *, ignored: bool) -> bool:
    """Whether power 8 saves the victim of an engine. `ignored`: it has already saved one in this battle."""
    return realm.power >= 8 and not ignored


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


def another_pass_follows(rules: Numbers, outcome: str, passes: int, *, fury: bool) -> bool:
    """Whether another pass follows (COM 17)."""
    on = outcome == "undecided" and (fury or rules.combat_rounds == "until_retreat")
    return on and passes < rules.max_passes


def outcome_of(retires: str, att: list[Unit] | list[str], defenders: list[Unit] | list[str], *, fury: bool) -> str:
    """The outcome of a pass (COM: fewer attackers retire)."""
    if not att:
        return "destroyed"
    if not defenders:
        return "taken"
    fewer = len(att) < len(defenders) and retires == "attackers" and not fury
    return "driven_off" if fewer else "undecided"


def _row_of(realm: Realm, battle: str, origin: str, target: str, force: list[Unit]) -> Battle:
    """The row of a battle, which people may have typed early, with where it is and who attacks."""
    row = realm.battles.get(battle) or realm.battles.add(Battle(battle=battle))
    row.turn, row.node, row.origin, row.attacker = realm.game.turn, target, origin, force[0].faction
    row.attackers = units_text(codes_of(force))
    return row


def begin_battle(realm: Realm, battle: str, origin: str, target: str, force: list[Unit], *, fury: bool) -> Fight:
    """Begin a battle: fill in its row, and mark its units as having fought."""
    side = force[0].faction
    ground = Ground(realm, battle, origin, realm.nodes[target], side)
    fight = Fight(ground, force, fury)
    row = _row_of(realm, battle, origin, target, force)
    row.open_before, row.garrison_before = units_text(codes_of(fight.outside)), units_text(codes_of(fight.garrison))
    realm.camp.move(fight.outside)  # they keep the line in which they stand now, though all will have fought
    for unit in force:
        unit.fought = "attacked"
    for unit in realm.camp.at(target, ground.defender):
        unit.fought = unit.fought or "defended"
    return fight


def settle_battle(fight: Fight, outcome: str, row: Battle, *, live: bool = False) -> None:
    """Settle a battle: places of units, the fate of the place, sightings, events (rulebook: After a battle)."""
    realm, ground = fight.realm, fight.ground
    node, side, other = ground.place.node, ground.attacker, ground.defender
    won = outcome in ("taken", "walkover")
    for unit in fight.att if outcome == "driven_off" else ():
        unit.driven = True
    if won:
        _take_place(fight, row)
    else:
        realm.camp.move(fight.att)
    # in a walkover there was nobody to see them
    if live or fight.passes:
        realm.supersede(realm.sightings_at(other, ground.origin, "camp"))
        _reveal_attackers(fight, node if won else ground.origin)
    # of a place that fell no structure is left to know of
    if not won and other == ESDEF:
        for structure in sorted(fight.shown):
            realm.observe(side, node, "structure", "battle", what=structure)
    row.att_after = units_text(codes_of(fight.att))
    row.open_after, row.garrison_after = units_text(codes_of(fight.outside)), units_text(codes_of(fight.garrison))
    row.defenders_lost = sum(len(split_units(before)) - len(split_units(after)) for before, after in (
        (row.open_before, row.open_after), (row.garrison_before, row.garrison_after)))
    row.outcome, row.passes, row.duels = outcome, fight.passes, fight.duels
    row.status = "played" if live else "auto"
    realm.camp.write()
    realm.tell("battle_ended", battle=row.battle, outcome=outcome)


def _take_place(fight: Fight, row: Battle) -> None:
    """All survivors move in; a settlement falls, a ruin is purified, a site is razed."""
    realm, place = fight.realm, fight.ground.place
    realm.supersede_place(place.node)
    realm.camp.move(fight.att, node=place.node, posture="open")
    if fight.ground.attacker == VARANNAH:
        if place.kind == "settlement":
            row.captives = realm.settlement_falls(place)
            # who takes a settlement stays: the ruin is theirs (POR)
            for unit in fight.att:
                unit.returns = None
        else:
            realm.raze(place.node)
    # a ruin that is taken becomes open ground, no settlement (FON)
    elif place.kind == "ruin":
        realm.purify(place)


def _reveal_attackers(fight: Fight, node: str) -> None:
    """The defenders have seen the whole attacking line; what was known of the camp there is superseded."""
    realm, other = fight.realm, fight.ground.defender
    realm.supersede(realm.sightings_at(other, node, "camp"))
    for position, unit in enumerate(fight.att, 1):
        realm.observe(other, node, "camp", "battle", position=position, what=unit.code)


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
    def units(filled: Filled[Lines], typed: str) -> list[str] | None:
        left = units_or_nobody(typed)
        return left if left is not None and are_among(left, filled.battle[name]) else None

    def facts(filled: Filled[Lines]) -> Mapping[str, Any]:
        return {"units": str(filled.raw_value(name))[:60], "before": "".join(filled.battle[name]) or "-"}

    return Entry(name, side, "INC-090", facts, before=partial(_went_in, name=name), reads=units,
                 said=_units_at, loose=LEFT if name == "att_after" else ())


def _went_in(filled: Filled[Lines], name: str) -> str:
    return "".join(filled.battle[name])


def _nobody_left(filled: Filled[Lines]) -> Iterable[Fault]:
    """A place is never empty (INC-091)."""
    if all(filled[name] == [] for name in AFTER_COLUMNS):
        yield Fault("INC-091", "att_after")


def _same_order(filled: Filled[Lines]) -> Iterable[Fault]:
    """A garrison keeps its order (INC-092)."""
    left = filled["garrison_after"]
    before = filled.battle["garrison_after"]
    if left is not None and not keeps_order(left, before):
        yield Fault("INC-092", "garrison_after", {"after": "".join(left), "before": "".join(before) or "-"})


def _of_row(game: Game, row: Battle) -> tuple[Lines, Clubs]:
    return lines_of(row), _clubs(row.attacker)


def _clubs(attacker: str) -> Clubs:
    return {"att": [attacker], "def": [OTHER[attacker]]} if attacker in OTHER else {}


FORM: BattleForm[Lines] = BattleForm(
    RESULT,
    tuple(map(_entry, AFTER_COLUMNS, ("att", "def", "def"))),
    line=AFTER_COLUMNS,
    decisive=AFTER_COLUMNS,
    checks=(*AFTER_COLUMNS, _nobody_left, _same_order),
    seen=_of_row,
    like=VOCABULARY["battle"],
)
"""What is left of each line."""


def lines_of(row: Battle) -> Lines:
    """The units before a battle, from its row."""
    went_in = (row.attackers, row.open_before, row.garrison_before)
    return {name: split_units(units) for name, units in zip(AFTER_COLUMNS, went_in, strict=True)}


def check_forms(realm: Realm) -> None:
    """Check the forms of battles to be played, as far as they are filled in."""
    for row in realm.battles.where(lambda row: row.status == "open" and bool(row.attackers)):
        if FORM.is_reported(row):
            check_form(realm.game, Filled(FORM, lines_of(row), row))


def take_live_result(fight: Fight, row: Battle) -> str:
    """Wait for the form, and take it; return the outcome."""
    realm = fight.realm
    row.status = "open"
    realm.game.hand_out(row)
    ask = Ask(RESULT, REFEREE, row.battle, asked={"place": row.node, "units": row.attackers})
    taken = take_form(realm.game, FORM, ask, lines_of(row), row, _clubs(fight.ground.attacker))
    if taken.state != "filled":
        raise Waiting([ask])
    filled = taken.filled
    force, outside, garrison = fight.att, fight.outside, fight.garrison
    fight.att = pick_units(filled["att_after"], force)
    left = {"open": remaining_line(filled["open_after"], outside),
            "garrison": remaining_line(filled["garrison_after"], garrison)}
    alive = {id(unit) for unit in (*fight.att, *left["open"], *left["garrison"])}
    realm.camp.remove([unit for unit in (*force, *outside, *garrison) if id(unit) not in alive])
    _observe_lines(fight, left)
    return outcome_of(Numbers.of(realm).retreat_subject, fight.att, [*left["open"], *left["garrison"]], fury=False)


def remaining_line(codes: list[str], line: list[Unit]) -> list[Unit]:
    """The units left of a line that keeps its order: of FAF the second F if AF are left, else the first ones."""
    rest, in_line = list(line), list[Unit]()
    for code in codes:
        while rest and rest[0].code != code:
            rest.pop(0)
        in_line += [rest.pop(0)] if rest else []
    return in_line if len(in_line) == len(codes) else pick_units(codes, line)


def _observe_lines(fight: Fight, left: dict[str, list[Unit]]) -> None:
    """The attacker has seen everything on the table."""
    side, node = fight.ground.attacker, fight.ground.place.node
    for name, kind in LINE.items():
        fight.realm.supersede(fight.realm.sightings_at(side, node, kind))
        for position, unit in enumerate(left[name], 1):
            fight.realm.observe(side, node, kind, "battle", position=position, what=unit.code)


# The assault of one side: ATTACK lines and the phase.


FURY_FROM = 5
"""The step of power that lets demons fight to the end."""


@order("attack", "attacca", when=DAY, node=orders.FROM, to_node=orders.TARGET, units=orders.TROOPS,
       attack_no=orders.ATTACK_NO, repeat=orders.REPEAT, fury=orders.FURIOUS, issuer=orders.ISSUER,
       player=orders.SOMEBODY, priority=orders.NUMBER,
       shown=("attack {node}>{to_node} {units}[ x{repeat}][ n{attack_no}]",
              "attacca {node}>{to_node} {units}[ x{repeat}][ n{attack_no}]"),
       help=both("Attack a cell one line away, or the cell where the units are; the first unit meets the first. n1: "
                 "the first of the day's attacks; x2: up to two battles in a row.",
                 "Attacca una casella a una linea, o quella dove sono le unità; la prima unità incontra la prima. n1: "
                 "il primo attacco del giorno; x2: fino a due scontri di fila."))
def attack(realm: Realm, request: Request) -> None:
    """In the order of the book's checks."""
    a, b, side = value_of(request, "node"), value_of(request, "to_node"), request.faction
    if a != b:
        check_line(realm, side, a, b, "INC-040")
    shared = bool(realm.camp.at(b, OTHER[side])) and bool(realm.camp.at(b, side))
    if realm.is_home(b, side) and not (a == b and shared):
        raise Refused("INC-048", "to_node", node=b)
    if value_of(request, "repeat") not in ("", 1, 2, 3):
        raise Refused("INC-045", "repeat")
    accepted = [act for act in realm.plans.get("attacks", ()) if act.faction == side]
    number = value_of(request, "attack_no")
    if number != "" and number in [value_of(act, "attack_no") for act in accepted]:
        raise Refused("INC-043", "attack_no", no=number)
    units, others = _force(realm, request)
    if a != b:
        check_not_emptied(realm, request, units)
    led = [act for act in accepted if _counting_text(realm, act) == _counting_text(realm, request)]
    if len(led) >= Numbers.of(realm).attacks_per_day:
        raise Refused("INC-042", "verb")
    mark_used(request, [unit for unit in units if not unit.used], gone=a != b)
    for unit in units:
        unit.gone = unit.gone or a != b
    realm.plans[request.row.order] = units
    realm.plans.setdefault("attacks", []).append(request)
    _warn(realm, request, others, shared, sum(map(_times, [*led, request])))


def _counting_text(realm: Realm, request: Request) -> str:
    return str(value_of(request, "player")) if realm.rules.attack_cap_scope == "player" else request.faction


def _times(request: Request) -> int:
    # a battle on the table is one attack, whatever the line repeats
    return 1 if request.row.live else int(value_of(request, "repeat") or 1)  # type: ignore[attr-defined]


def _force(realm: Realm, request: Request) -> tuple[list[Unit], dict[str, list[str]]]:
    """The units of a line, and those of them that earlier lines also name, by order."""
    outside = realm.camp.outside(value_of(request, "node"), request.faction)
    check_outside(realm, request, outside, "INC-049")
    if Numbers.of(realm).fought_no_attack == "all":
        return free_units(request, soonest_returning(outside), lambda unit: not unit.fought), {}
    line = soonest_returning(outside)
    # first those that no other line names, so that as few as possible go twice
    units = pick_units(troops(request),
                       [*(unit for unit in line if not unit.used), *(unit for unit in line if unit.used)])
    others: dict[str, list[str]] = {}
    for unit in units:
        if unit.used:
            others.setdefault(unit.used, []).append(unit.code)
    return units, others


def _warn(realm: Realm, request: Request, others: dict[str, list[str]], shared: bool, attacks: int) -> None:
    """INC-047, 046, 041, 044."""
    b, side = value_of(request, "to_node"), request.faction
    if not (shared or realm.is_home(b, OTHER[side]) or realm.sightings_at(side, b, *UNITS)):
        request.find(realm, "INC-047", "to_node", node=b)
    if value_of(request, "fury") and not can_fight_with_fury(realm, side):
        request.find(realm, "INC-046", "fury")
    for other, named in others.items():
        request.find(realm, "INC-041", "units", units=units_text(named), order=other)
    if attacks > Numbers.of(realm).attacks_per_day:
        request.find(realm, "INC-044", "repeat", sum=attacks)


def can_fight_with_fury(realm: Realm, side: str) -> bool:
    """Whether a side's units can fight to the end (COM 17)."""
    return side != "esdef" and realm.power >= FURY_FROM


def attack_key(request: Request) -> tuple[object, ...]:
    """Sort key: by number, lines without one last."""
    number = value_of(request, "attack_no")
    return (number == "", number or 0, canonical_key(request))


# --- the phase ------------------------------------------------------------------------------------------------
def take_attacks(realm: Realm) -> None:
    """Judge the lines; this fixes the units of each."""
    take_lines(realm, "attack", order=attack_key)


def assault(realm: Realm) -> None:
    """Carry out line after line, each as often as it says, within the attacks of a day (T3, T5)."""
    made, won = Counter({side: getattr(realm.day, f"attacks_{side}") for side in BOTH}), set[str]()
    for request in realm.taken:
        origin, target = value_of(request, "node"), value_of(request, "to_node")
        group, cap = _counting_text(realm, request), Numbers.of(realm).attacks_per_day
        force = [unit for unit in realm.plans[request.row.order]
                 if unit in realm.camp.units and unit.node == origin and not unit.driven]
        # the place is one's own by now: no attack of the day is used up
        if (target in won or realm.is_home(target, request.faction)) and not realm.camp.at(
                target, OTHER[request.faction]):
            request.came_to("void")
        elif not force or made[group] >= cap:
            request.came_to("not_made")
            realm.tell("attack_not_made", [request.faction], node=cell(origin), to_node=cell(target),
                       reason="nobody_left" if not force else "cap_reached")
        else:
            request.came_to("done")
            for _ in range(_times(request)):
                made[group] += 1
                _count(realm, request.faction)
                force, outcome = carry_out_attack(realm, request, force)
                won |= {target} if outcome in ("taken", "walkover") else set()
                if outcome != "undecided" or made[group] >= cap:
                    break
    for row in realm.battles.where(lambda row: row.turn == realm.game.turn and row.status == "open"):
        row.status = "void"  # it was to be played, and nobody fights it any more


def _count(realm: Realm, faction: str) -> None:
    """Count one more attack of the day."""
    day, name = realm.day, f"attacks_{faction}"
    setattr(day, name, getattr(day, name) + 1)


def carry_out_attack(realm: Realm, request: Request, force: list[Unit]) -> tuple[list[Unit], str]:
    """Carry out one attack of a line; return who is left of the force, and the outcome."""
    origin, target, side = value_of(request, "node"), value_of(request, "to_node"), request.faction
    battle, early = _code(realm, side, origin, target)
    # it costs an attack of the day, but nobody has fought
    if not realm.camp.at(target, OTHER[side]) and not realm.is_home(target, OTHER[side]):
        row = _row_of(realm, battle, origin, target, force)
        row.outcome, row.status = "nobody", "auto"
        realm.observe(side, target, "empty", "march")
        realm.tell("attack_found_nobody", [side], node=cell(origin), to_node=cell(target))
        return force, "nobody"
    fury = bool(value_of(request, "fury")) and can_fight_with_fury(realm, side)
    fight = begin_battle(realm, battle, origin, target, force, fury=fury)
    row = realm.battles[battle]
    live = bool(request.row.live)  # type: ignore[attr-defined]
    if early and not live:
        realm.find("INC-093", row, "att_after", b=battle, state="auto")
    met = bool(fight.outside or fight.garrison)
    outcome = "walkover" if not met else take_live_result(fight, row) if live else fight.fight()
    settle_battle(fight, outcome, row, live=live and met)
    return fight.att, outcome


def _code(realm: Realm, side: str, origin: str, target: str) -> tuple[str, bool]:
    """The code of the next battle, and whether its form is already filled in."""
    stem = f"{realm.game.turn}{LETTER[side]}-{origin}-{target}-"
    fought = realm.battles.where(lambda row: row.battle.startswith(stem) and bool(row.outcome))
    battle = f"{stem}{len(fought) + 1}"
    row = realm.battles.get(battle)
    return battle, row is not None and FORM.is_reported(row)
