"""Phase 3: exploration, the dossier of a battle, the form of its result, battles that are not played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from assistant.campaign.records import REFEREE, FormRow
from assistant.rulesets.warriors import ROLLS, VOCABULARY, book, both
from assistant.rulesets.warriors.land import NO_ORDER, Country, Standing, by_territory, question_type, weather_of
from assistant.rulesets.warriors.records import OUTCOMES, Army, Battle, BattleArmy, BattleUnit, Die, Node, Unit
from assistant.turn.battle_form import DICE, BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import ResultReader, check_form, further_rows, is_confirmation, is_result, take_form
from assistant.turn.chapters import Chapter, Citation, Modifier, Rules
from assistant.turn.event_types import REFEREE_COPY, DossierLine, Said, dossier_line, read_dossier
from assistant.turn.game import Game
from assistant.turn.orders.words import meaning_of_word
from assistant.turn.questions import Ask, Option, Waiting
from assistant.turn.rulings import Contest, Score


class ExplorationNumbers(Rules):
    """What Forces find out before a battle."""

    explore_die: str = book.dice_choice("The die of exploration is {option}.", "Il dado dell'esplorazione è {option}.")
    ex_friendly: int = book.to_exploration(2, "In friendly territory", "In territorio amico")
    ex_enemy: int = book.to_exploration(-1, "In enemy territory", "In territorio nemico")
    ex_defend: int = book.number(2, both("factor", "fattore"), "On defend exploration counts {n} {n?time|times}.",
                                 "In difesa l'esplorazione vale {n} {n?volta|volte}.", minimum=1,
                                 source="Ord 3 exploration")
    scout_points: int = book.number(1, "to total", "Each Unit of scouts: {signed} to exploration.",
                                    "Ogni Unità di esploratori: {signed} all'esplorazione.", "ASSUMED")
    scouts_max: int = book.number(3, "to total", "All scouts together: {signed} at most.",
                                  "Tutti gli esploratori insieme: al massimo {signed}.", "ASSUMED")
    wizard_points: int = book.number(2, "to total", "A wizard: {signed} to exploration.",
                                     "Un mago: {signed} all'esplorazione.", "ASSUMED")
    band_1: int = book.number(2, "difference", "From a difference of {n} on the better side picks its table side.",
                              "Da una differenza di {n} la parte migliore sceglie il lato del tavolo.", "ASSUMED", 1)
    band_2: int = book.number(4, "difference", "From {n} on the other side deploys half its Units first.",
                              "Da {n} l'altra parte schiera prima metà delle Unità.", "ASSUMED", 1)
    band_3: int = book.number(6, "difference", "From {n} on it picks the time of day, and lays an ambush.",
                              "Da {n} sceglie l'ora del giorno e tende un'imboscata.", "ASSUMED", 1)
    night_exploration: int = book.to_exploration(-2, "At night", "Di notte", "ASSUMED", source="6")
    confused_scout: Literal["or", "and"] = book.switch(
        "On forced march or confused {option} explore.", "In marce forzate o confusi esplorano {option}.",
        ("wizard or scouts", "mago o esploratori"), ("wizard and scouts", "mago ed esploratori"))


EXPLORATION_CHAPTER = Chapter(
    both("Exploration", "Esplorazione"), (Citation("exploration", "exploration", "esplorazione", "Exploration"),),
    ExplorationNumbers, rests_on="3 exploration", events=(
    book.event("exploration", "battles", 2, "{battle}: attackers {A}, defenders {D}; advantage {band}. {roll}",
               "{battle}: attaccanti {A}, difensori {D}; vantaggio {band}. {roll}",
               variants=("better", {
                   "you": ("{battle}: exploration {total} is the better: an advantage of {band} (3 is the most).",
                           "{battle}: esplorazione {total}, la migliore: un vantaggio di {band} (3 è il massimo)."),
                   "enemy": ("{battle}: exploration {total}; the enemy explored better: an advantage of {band} (3 is "
                             "the most).",
                             "{battle}: esplorazione {total}; il nemico ha esplorato meglio: un vantaggio di {band} (3 "
                             "è il massimo)."),
                   "nobody": ("{battle}: exploration {total}; neither side has an advantage.",
                              "{battle}: esplorazione {total}; nessuno è in vantaggio.")}), means={"battle": "text"},
               to=REFEREE),
))

EXPLORE = ROLLS.purpose(both("Exploration", "Esplorazione"), "explore/{Battles*}/{Armies*}", "")


# Phase 3a: exploration (3 exploration).


def explore(land: Country) -> None:
    """Explore each open battle of the turn that is not explored yet, and write its dossiers."""
    for battle in land.battles.of_turn(land.game.turn, lambda row: row.status == "open" and row.band is None):
        _battle(land, battle)
    for battle in land.battles.of_turn(land.game.turn, lambda row: row.status == "open" and not row.papers):
        battle.papers = dossiers(land, battle)


def forces_of(land: Country, battle: str) -> list[BattleArmy]:
    """The Forces of a battle, in natural order."""
    return land.battle_armies.where(lambda army: army.battle == battle and army.side != "")


def _battle(land: Country, battle: Battle) -> None:
    """A side counts its best Force; the difference decides the band that it wins."""
    rules, best = ExplorationNumbers.of(land), {"A": 0, "D": 0}
    rolls: list[Score] = []
    rows = forces_of(land, battle.battle)
    for row in rows:
        row.exploration, dice = _force(land, battle, row, land.armies[row.army])
        rolls += dice
        # a side explores as well as the best of its Forces
        best[row.side] = max(best[row.side], row.exploration)
    margin = abs(best["A"] - best["D"])
    battle.band = sum(margin >= step for step in (rules.band_1, rules.band_2, rules.band_3))
    battle.explorer = ("A" if best["A"] > best["D"] else "D") if battle.band else ""
    land.tell("exploration", roll=rolls, battle=battle.battle, A=best["A"], D=best["D"],
              band=battle.band, winner=battle.explorer)
    for side in ("A", "D"):
        clubs = land.circle(land.armies[row.army].faction for row in rows if row.side == side)
        better = "you" if battle.explorer == side else "enemy" if battle.explorer else "nobody"
        land.tell("exploration", clubs, battle=battle.battle, total=best[side], band=battle.band,
                  winner=battle.explorer, better=better)


@dataclass(frozen=True)
class Exploring(Standing):
    """A Force before its battle."""

    battle: Battle

    @property
    def units(self) -> list[Unit]:
        """Its Units with figures."""
        return [unit for unit in self.land.units_of(self.army.army) if unit.figures]

    @property
    def scouts(self) -> int:
        """What its scouts find out, up to a limit."""
        rules = ExplorationNumbers.of(self.land)
        return min(rules.scouts_max, rules.scout_points * sum(unit.scouts for unit in self.units))


EXPLORATION_TABLE: tuple[Modifier[Exploring], ...] = (
    Modifier(both.word("scouts", "esploratori"), lambda force: force.scouts),
    Modifier(both.word("wizard", "mago"), lambda force: any(unit.wizard for unit in force.units), "wizard_points"),
    *by_territory("ex_friendly", "ex_enemy"),
    Modifier(lambda force: weather_of(force.land, force.node).weather,
             lambda force: weather_of(force.land, force.node).explore_mod),
    Modifier(both.word("night", "notte"), lambda force: force.battle.night, "night_exploration"),
)
"""The modifiers of exploration; scouts and wizard, which come first, explore without a die, too."""


def _force(land: Country, battle: Battle, row: BattleArmy, army: Army) -> tuple[int, list[Score]]:
    """The exploration of a Force, and its dice: by its order, or with scouts and wizard alone."""
    rules = ExplorationNumbers.of(land)
    # who is unsteady does not explore at all (Rea)
    if row.start_reaction in ("unsteady", "routed"):
        return 0, []
    adds = land.modifiers(EXPLORATION_TABLE, Exploring(land, battle.node, army.faction, army, battle))
    # on forced march or confused a Force explores only with scouts or a wizard, and throws no die (Ord, Rea)
    if row.start_order == "march" or row.start_reaction == "confused":
        # the first two rows of the table; the others count only beside one of them
        scouts, wizard, *others = adds.values()
        base = scouts + wizard if rules.confused_scout == "and" else max(scouts, wizard)
        return (max(0, base + sum(others)) if base else 0), []
    dice = land.score(EXPLORE(battle.battle, army.army, dice=rules.explore_die), adds, land.own(army.faction))
    factor = rules.ex_defend if row.start_order == "defend" else 1
    return max(0, dice.total) * factor, [dice]


class WithdrawalNumbers(Rules):
    """Tests of generals and commanders for a withdrawal."""

    withdraw_hours: str = book.switch("Command tests for a withdrawal, by hour of battle: {option}.",
                                      "Test di Comando per una ritirata, secondo l'ora di battaglia: {option}.",
                                      options=("-3, -2, -1, 0",), pattern="[+-]?\\d(, ?[+-]?\\d){3}")
    command_tn: int = book.number(4, "total", "A Command test needs {n}.", "Il test di Comando riesce con {n}.",
                                  "ASSUMED")
    general_minus: int = book.threshold(-3, "The General's test has {signed}.", "Il test del Generale ha {signed}.",
                                        "ASSUMED")
    general_withdraw: int = book.threshold(-1, "For a withdrawal the General's test has {signed} besides.",
                                           "Per una ritirata il test del Generale ha anche {signed}.", "ASSUMED")
    withdraw_halt: Literal["yes", "referee"] = book.switch("A Unit that withdraws may halt before the enemy {option}.",
                                                           "Un'Unità in ritirata può fermarsi davanti al nemico "
                                                           "{option}.", ("as it likes", "come vuole"),
                                                           ("if the referee agrees", "se l'arbitro è d'accordo"))


WITHDRAWAL_CHAPTER = Chapter(
    both("Withdrawal", "Ritirata"), (Citation("withdrawal", "withdrawal", "ritirata", "Withdrawal"),),
    WithdrawalNumbers, rests_on="3 withdrawal", events=(
    book.event("aid", "battles", 4, "{battle}, General's test of {army} for a withdrawal: {roll}",
               "{battle}, test del Generale {army:di} per una ritirata: {roll}",
               variants=("test", {
                   "command": ("{battle}, Command test of {army} for a withdrawal: {roll}",
                               "{battle}, test di Comando {army:di} per una ritirata: {roll}")}),
               means={"battle": "text", "test": "text"}, to="army"),
))

AID = ROLLS.purpose(both("Generals and commanders at the table", "Generali e condottieri al tavolo"),
                    "aid/{general|command}/{Battles*}/{Armies*}/{n}")


# The dossier of a battle (rulebook: Dossier; 3 withdrawal).
#
# It is made once a battle has been explored, and kept on its row: for each side what it may know, for the referee all.


QUALITY_ORDER = ("elite", "veteran", "average", "unpredictable", "poor")
FLAGS = ("mounted", "mercenary", "scouts", "wizard")
both.words({"mounted": "a cavallo", "mercenary": "mercenaria"})
NEAREST = 10
CURRENT_WORDING = {
    "{army}: field equipment worth {points} points.": both(
        "{army}: field equipment worth {points} {points?point|points}.",
        "{army}: equipaggiamento da campo per {points} {points?punto|punti}."),
    "About {n} figures.": both("About {n} {n?figure|figures}.", "Circa {n} {n?miniatura|miniature}."),
    "{unit}: {figures} figures": both("{unit}: {figures} {figures?figure|figures}",
                                      "{unit}: {figures} {figures?miniatura|miniature}"),
    "{unit}: {figures} figures, {quality}": both("{unit}: {figures} {figures?figure|figures}, {quality}",
                                                 "{unit}: {figures} {figures?miniatura|miniature}, {quality}"),
    "{unit}: {figures} figures, {quality}; {flags}": both(
        "{unit}: {figures} {figures?figure|figures}, {quality}; {flags}",
        "{unit}: {figures} {figures?miniatura|miniature}, {quality}; {flags}"),
    "{unit}: {figures} figures, {quality}, {points} points each": both(
        "{unit}: {figures} {figures?figure|figures}, {quality}, {points} {points?point|points} each",
        "{unit}: {figures} {figures?miniatura|miniature}, {quality}, {points} {points?punto|punti} l'una"),
    "{unit}: {figures} figures, {quality}, {points} points each, {flags}": both(
        "{unit}: {figures} {figures?figure|figures}, {quality}, {points} {points?point|points} each, {flags}",
        "{unit}: {figures} {figures?miniatura|miniature}, {quality}, {points} {points?punto|punti} l'una, {flags}")}
"""Sentences as workbooks keep them -> as they are shown; old campaigns must replay to the same row."""


class Line(NamedTuple):
    """A line of a dossier. `says`: what fills its sentence in a case, or whether it stands there."""

    label: str
    text: str
    says: Callable[..., Mapping[str, Any] | bool] = lambda *case: True


def line(label: str, english: str, italian: str, *says: Callable[..., Mapping[str, Any] | bool]) -> Line:
    """Declare a line of a dossier."""
    return Line(label, book.both(english, italian), *says)


def lines_of(table: Iterable[Line], *case: Any) -> list[DossierLine]:
    """The lines of a table that stand in a case."""
    said = ((row, row.says(*case)) for row in table)
    return [dossier_line(row.text, row.label, **({} if data is True else data)) for row, data in said
            if data is not False]


class Side(NamedTuple):
    """A side before its battle."""

    land: Country
    battle: Battle
    side: str

    @property
    def node(self) -> Node:
        """The square of the battle."""
        return self.land.nodes[self.battle.node]

    @property
    def rows(self) -> list[BattleArmy]:
        """Its Forces, in natural order."""
        return [row for row in forces_of(self.land, self.battle.battle) if row.side == self.side]

    @property
    def enemy(self) -> Side:
        """The other side."""
        return self._replace(side="D" if self.side == "A" else "A")

    @property
    def won(self) -> int:
        """The band of exploration that it has won."""
        return (self.battle.band or 0) if self.battle.explorer == self.side else 0

    @property
    def forces(self) -> list[str]:
        """Its Forces; those that came first stand first."""
        return [row.army for row in sorted(self.rows, key=lambda row: row.arrival or 0)]


WHERE, THE_DAY, THE_SIDES = both("Where", "Dove"), both("The day", "La giornata"), both("The sides", "Le parti")
FORCES, UNITS, THE_ENEMY = both("Forces", "Forze"), both("Units", "Unità"), both("The enemy", "Il nemico")
EXPLORATION, WITHDRAWAL = both("Exploration", "Esplorazione"), both("Withdrawal", "Ritirata")

COMMON_LINES = (
    line(WHERE, "{node}: {terrain}", "{node}: {terrain}",
         lambda at: {"node": at.node.node, "terrain": ", ".join(at.node.terrains)}),
    line(WHERE, "A river with a bridge.", "Un fiume con un ponte.",
         lambda at: at.land.map.river(at.node.node) and at.land.bridge(at.node.node)),
    line(WHERE, "A river without a bridge.", "Un fiume senza ponte.",
         lambda at: at.land.map.river(at.node.node) and not at.land.bridge(at.node.node)),
    line(WHERE, "A marsh.", "Una palude.", lambda at: at.node.marsh),
    line(WHERE, "A {place_kind} held by {holder:the}.", "Luogo: {place_kind}, tenuto {holder:da}.", lambda at: (
        at.node.place != "none" and at.node.holder != "" and {"place_kind": at.node.place, "holder": at.node.holder})),
    line(WHERE, "A {place_kind} of nobody.", "Luogo: {place_kind}, di nessuno.", lambda at: (
        at.node.place != "none" and at.node.holder == "" and {"place_kind": at.node.place, "holder": ""})),
    line(THE_DAY, "{weather}; missiles: {missiles}.", "{weather}; tiro: {missiles}.", lambda at: {
        name: getattr(weather_of(at.land, at.node.node), name) for name in ("weather", "missiles")}),
    line(THE_DAY, "A battle by night.", "Battaglia notturna.", lambda at: at.battle.night),
    line(THE_DAY, "A battle by day: at most 8 game turns of two hours.",
         "Battaglia diurna: al massimo 8 turni di gioco di due ore.", lambda at: not at.battle.night),
    line(THE_SIDES, "Attacker {faction:the}: {army}", "{faction?Attacca|Attaccano} {faction:il}: {army}",
         lambda at: {"faction": at.battle.attacker, "army": at._replace(side="A").forces}),
    line(THE_SIDES, "Defender {faction:the}: {army}", "{faction?Difende|Difendono} {faction:il}: {army}",
         lambda at: {"faction": at.battle.defender, "army": at._replace(side="D").forces}),
)


def _led(row: BattleArmy, army: Army) -> dict[str, Any]:
    return {"army": row.army, "vc": row.start_vc, "order": row.start_order, "reaction": row.start_reaction,
            **army.commander_data, "commander": army.commander or "-"}


FORCE_LINES = (
    line(FORCES, "{army}: {commander}, V.C. {vc}; no order, reaction {reaction}",
         "{army}: {commander}, V.C. {vc}; nessun ordine, reazione {reaction}",
         lambda row, army: row.start_order == NO_ORDER and _led(row, army)),
    line(FORCES, "{army}: {commander}, V.C. {vc}; order {order}, reaction {reaction}",
         "{army}: {commander}, V.C. {vc}; ordine {order}, reazione {reaction}",
         lambda row, army: row.start_order != NO_ORDER and _led(row, army)),
    line(FORCES, "{army} came this turn.",
         "{army:il} {army?è arrivato|è arrivata|sono arrivati|sono arrivate} in questo turno.",
         lambda row, army: bool(row.arrival) and {"army": row.army}),
    line(FORCES, "{army} was there already.", "{army:il} {army?era|erano} già lì.",
         lambda row, army: not row.arrival and {"army": row.army}),
    line(FORCES, "{army}: all Units begin disorganised.", "{army}: tutte le Unità iniziano disorganizzate.",
         lambda row, army: row.start_reaction == "confused" and {"army": row.army}),
    line(FORCES, "{army}: all Units begin demoralised and disorganised.",
         "{army}: tutte le Unità iniziano demoralizzate e disorganizzate.",
         lambda row, army: row.start_reaction == "unsteady" and {"army": row.army}),
    Line(FORCES, "{army}: field equipment worth {points} points.",
         lambda row, army: row.fieldworks > 0 and {"army": row.army, "points": row.fieldworks}),
)
EXPLORATION_LINES = (
    line(EXPLORATION, "Your exploration comes to {total}.", "La tua esplorazione arriva a {total}.",
         lambda at: {"total": max((row.exploration or 0 for row in at.rows), default=0)}),
    line(EXPLORATION, "You pick your side of the table.", "Scegli il tuo lato del tavolo.", lambda at: at.won >= 1),
    line(EXPLORATION, "The enemy deploys half his Units first.", "Il nemico schiera prima metà delle Unità.",
         lambda at: at.won >= 2),
    line(EXPLORATION, "You pick the time of day, and lay one ambush.",
         "Scegli l'ora del giorno e tendi un'imboscata.", lambda at: at.won >= 3),
    line(EXPLORATION, "The enemy has explored better: advantage {band}.",
         "Il nemico ha esplorato meglio: vantaggio {band}.",
         lambda at: at.enemy.won > 0 and {"band": at.enemy.won}),
)


def _seen(row: BattleArmy) -> dict[str, Any]:
    return {"army": row.army, "order": row.start_order, "reaction": row.start_reaction, "points": row.fieldworks}


ENEMY_ORDERS = (
    line(THE_ENEMY, "{army}: no order, reaction {reaction}, field works {points}",
         "{army}: nessun ordine, reazione {reaction}, opere da campo {points}",
         lambda row: row.start_order == NO_ORDER and _seen(row)),
    line(THE_ENEMY, "{army}: order {order}, reaction {reaction}, field works {points}",
         "{army}: ordine {order}, reazione {reaction}, opere da campo {points}",
         lambda row: row.start_order != NO_ORDER and _seen(row)),
)


def dossiers(land: Country, battle: Battle) -> dict[str, list[DossierLine]]:
    """The dossiers of both sides and of the referee."""
    sides = {side: Side(land, battle, side) for side in "AD"}
    common, own = lines_of(COMMON_LINES, sides["A"]), {side: _own_lines(at) for side, at in sides.items()}
    papers = {side: [*common, *own[side], *_enemy_lines(at), *_withdrawal(land, at.rows)] for side, at in sides.items()}
    both_sides = forces_of(land, battle.battle)
    return {**papers, REFEREE_COPY: [*common, *own["A"], *own["D"], *_withdrawal(land, both_sides)]}


def _own_lines(at: Side) -> list[DossierLine]:
    lines = list[DossierLine]()
    for row in at.rows:
        lines += lines_of(FORCE_LINES, row, at.land.armies[row.army])
        for unit in _units_best_first(at.land, row.army):
            text, flags = "{unit}: {figures} figures, {quality}, {points} points each", _flags(unit)
            lines.append(dossier_line(text + ", {flags}" if flags else text, UNITS, unit=unit.unit,
                                      figures=unit.figures, quality=unit.quality, points=unit.points, **flags))
    return lines + lines_of(EXPLORATION_LINES, at)


def _units_best_first(land: Country, army: str) -> list[Unit]:
    """The Units of a Force with figures, the best first."""
    units = [unit for unit in land.units_of(army) if unit.figures]
    return sorted(units, key=lambda unit: QUALITY_ORDER.index(unit.quality) if unit.quality in QUALITY_ORDER else 9)


def _flags(unit: Unit) -> dict[str, str]:
    flags = " ".join(name for name in FLAGS if getattr(unit, name))
    return {"flags": flags} if flags else {}


def _enemy_lines(at: Side) -> list[DossierLine]:
    """By the band won: the number of figures, then Units, their quality, and the orders of their Forces."""
    land, lines = at.land, list[DossierLine]()
    if not at.won:
        figures = sum(land.figures(row.army) for row in at.enemy.rows)
        return [dossier_line("About {n} figures.", THE_ENEMY, n=(figures + NEAREST // 2) // NEAREST * NEAREST)]
    for row in at.enemy.rows:
        for unit in _units_best_first(land, row.army):
            more = {"quality": unit.quality, **_flags(unit)} if at.won > 1 else {}
            text = "{unit}: {figures} figures" + "".join(
                sign + f"{{{name}}}" for sign, name in zip((", ", "; "), more, strict=False))
            lines.append(dossier_line(text, THE_ENEMY, unit=unit.name or unit.unit,
                                      unit_it=unit.name_it or unit.name or unit.unit, figures=unit.figures, **more))
        if at.won > 2:
            lines += lines_of(ENEMY_ORDERS, row)
    return lines


# --- withdrawal -----------------------------------------------------------------------------------
def command_modifiers(land: Country) -> list[int]:
    """The modifiers of the Command test, by hour of battle; the last for all later ones."""
    return [int(hour) for hour in WithdrawalNumbers.of(land).withdraw_hours.split(",")]


WITHDRAWAL_LINES = (
    line(WITHDRAWAL, "A Unit told to withdraw goes at full speed to its side's line of deployment, and may halt before "
         "the enemy.",
         "Un'Unità con l'ordine di ritirata va alla massima velocità verso la propria linea di schieramento e può "
         "fermarsi davanti al nemico.", lambda land: WithdrawalNumbers.of(land).withdraw_halt == "yes"),
    line(WITHDRAWAL, "A Unit told to withdraw goes at full speed to its side's line of deployment, and may halt before "
         "the enemy if the referee agrees.",
         "Un'Unità con l'ordine di ritirata va alla massima velocità verso la propria linea di schieramento e può "
         "fermarsi davanti al nemico se l'arbitro è d'accordo.",
         lambda land: WithdrawalNumbers.of(land).withdraw_halt != "yes"),
    line(WITHDRAWAL, "It does not move to engage, nor slow down for bad ground, nor stop to reorganise; it leaves the "
         "table as soon as a figure crosses the base line (in the form: left by order); if it is engaged it is "
         "demoralised.",
         "Non muove per ingaggiare, non rallenta nel terreno difficile, non si ferma a riorganizzarsi; lascia il "
         "tavolo appena una miniatura passa la linea di base (nel modulo: uscite per ordine); se è ingaggiata è "
         "demoralizzata."),
    line(WITHDRAWAL, "Missile Units may shoot, but not darken the sky.",
         "Le Unità con armi da lancio possono tirare, ma non oscurare il cielo."),
    line(WITHDRAWAL, "General's test: as normal; 0: the order is misunderstood, and if it had been laid down it is in "
         "hand again.",
         "Test del Generale: come di regola; 0: l'ordine è frainteso e, se era stato ritirato, torna in mano."),
    line(WITHDRAWAL, "Command test: as normal, with {hours} in hours 1, 2, 3 and later.",
         "Test di Comando: come di regola, con {hours} nelle ore 1, 2, 3 e oltre.", lambda land: {
             "hours": ", ".join(f"{hour:+d}" if hour else "0" for hour in command_modifiers(land))}),
    line(WITHDRAWAL, "Who has not the rules of these tests at hand may take ours:",
         "Chi non ha sottomano le regole di questi test può usare le nostre:"),
    line(WITHDRAWAL, "General's test: 1d6, V.C., {first} and {second}; 0 or less: the order is misunderstood, and in "
         "hand again; 1 or 2: a game turn late; 3 or more: obeyed.",
         "Test del Generale: 1d6, V.C., {first} e {second}; 0 o meno: l'ordine è frainteso e torna in mano; 1 o 2: un "
         "turno di gioco dopo; 3 o più: eseguito.", lambda land: {
             "first": WithdrawalNumbers.of(land).general_minus, "second": WithdrawalNumbers.of(land).general_withdraw}),
)
OUR_COMMAND_TEST = both("Command test with V.C. {vc}, {needed} or more, in hours 1, 2, 3 and later: {chances}",
                        "Test di Comando con V.C. {vc}, {needed} o più, nelle ore 1, 2, 3 e oltre: {chances}")


def _withdrawal(land: Country, rows: list[BattleArmy]) -> list[DossierLine]:
    lines, needed = lines_of(WITHDRAWAL_LINES, land), WithdrawalNumbers.of(land).command_tn
    for vc in sorted({row.start_vc or 0 for row in rows}):
        faces = [max(0, min(6, 7 - (needed - vc - hour))) for hour in command_modifiers(land)]
        chances = ", ".join(f"{round(Fraction(100 * n, 6))}%" for n in faces)
        lines.append(dossier_line(OUR_COMMAND_TEST, WITHDRAWAL, vc=vc, needed=needed, chances=chances))
    return lines


def dossier(land: Country, battle: Battle, faction: str) -> list[Said]:
    """The sentences for a faction's side, or for the referee ("")."""
    side = REFEREE_COPY if not faction else next((
        row.side for row in forces_of(land, battle.battle) if land.faction_of(row.army) == faction), "")
    return [said._replace(data={**said.data, "flags": str(said.data["flags"]).split()}) if said.data.get("flags")
            else said for said in read_dossier(battle.papers.get(side), CURRENT_WORDING)]


class BattleNumbers(Rules):
    """How results come in."""

    auto_rounding: Literal["down", "half_up"] = book.switch(
        "What dice take of a Unit is rounded {option}.", "Ciò che i dadi tolgono a un'Unità si arrotonda {option}.",
        ("down", "per difetto"), ("up from one half", "per eccesso da una metà in su"))
    confirm_results: Literal["no", "yes"] = book.switch(
        "The referee {option} each result.", "L'arbitro {option} ogni risultato.",
        ("need not confirm", "non deve confermare"), ("confirms", "conferma"), setup=True)


CHAPTER = Chapter(
    both("3 Battle", "3 Battaglia"), (Citation("3", "phase 3", "fase 3", "3 Battle"),), BattleNumbers, events=(
    book.event("auto_result", "battles", 2, "{battle} at {node:the} is decided by dice. {roll}",
               "{battle} {node:dove} è decisa dai dadi. {roll}", means={"battle": "text"}, to=REFEREE),
    book.event("battle_result", "battles", 0, "{battle} at {node:the}: {outcome}.", "{battle} {node:dove}: {outcome}.",
               variants=("outcome", {
                   "attacker": ("{battle} at {node:the}: the attackers win.",
                                "{battle} {node:dove}: vincono gli attaccanti."),
                   "defender": ("{battle} at {node:the}: the defenders win.",
                                "{battle} {node:dove}: vincono i difensori."),
                   "stalemate": ("{battle} at {node:the} is drawn.", "{battle} {node:dove} finisce in stallo.")}),
               means={"battle": "text"},
               to=lambda land, data: land.audience_at(data["node"], *land.fighters(data["battle"]))),
), findings=(
    book.error("WAR-501", "'{outcome}' is not attacker, defender or stalemate.",
               "'{outcome}' non è attaccante, difensore o stallo."),
    book.error("WAR-502", "{unit}: {n} {n?figure lost|figures lost}, {before} {before?was there|were there}.",
               "{unit}: {n} {n?miniatura persa|miniature perse}, {before?era|erano} {before}."),
    book.error("WAR-503", "{unit} was not in {battle}.", "{unit} non era in {battle}."),
    book.warning("WAR-504", "The winner has nobody left on the table. Is the outcome right?",
                 "Al vincitore non resta nessuno sul tavolo: l'esito è giusto?"),
    book.warning("WAR-505", "The beaten side reports no losses at all. Is that right?",
                 "Lo sconfitto non segna alcuna perdita. È giusto?"),
    book.error("WAR-506", "Losses are whole numbers from 0.", "Le perdite sono numeri interi da 0."),
    book.error("WAR-507", "Stalemate, but one side has nobody left. Who won?",
               "Stallo, ma una parte non ha più nessuno. Chi ha vinto?"),
    book.warning("WAR-508", "More than 8 game turns in a day's battle.",
                 "Più di 8 turni di gioco in una battaglia diurna."),
), questions=(
    question_type("result",
                  "Who won {battle} at {node:the}, and with what losses? Type the result into the form; auto: the "
                  "umpire's dice.",
                  "Chi ha vinto {battle} {node:dove}, e con quali perdite? Scrivi il risultato nel modulo; auto: i "
                  "dadi dell'arbitro.", Option(reader=str.strip), means={"attacker": "piece", "battle": "text"}),
))

both.words({
    "quality": "qualità", "superiority": "superiorità", "exploration": "esplorazione", "field works": "opere da campo",
    "entered": "inserito", "result": "risultato",
})

AUTO = ROLLS.purpose(both("Battles that were not played", "Battaglie non giocate"), "auto/{Battles*}/{A|D}", "2d6")
AUTO_COMMANDER = ROLLS.purpose("", "auto/{Battles*}/commander/{Armies*}", "")


# Battles that are not played (rulebook: Auto-resolution).


SHARES = {"stalemate": (15, 5), "winner": (10, 5), "loser": (20, 15), "routed": (30, 40)}
"""Killed and routed, in per cent of the figures before."""
MOST, STEPS, ROUT_BY, LEAST, WITHDRAWN = 4, 4, 5, 2, 50


def resolve_by_dice(fight: ReportedBattle) -> None:
    """Fill in the form of a battle by the umpire's dice."""
    land, battle, known = fight.land, fight.battle, fight.land.circle(map(fight.land.faction_of, fight.forces))
    dice = Contest({side: land.score(AUTO(battle.battle, side), auto_modifiers(fight, side), known) for side in "AD"})
    winner = dice.winner if dice.by(LEAST) else ""
    battle.outcome = {"A": "attacker", "D": "defender", "": "stalemate"}[winner]
    for unit, lost in fight.units.items():
        beaten = bool(winner) and fight.side_of(unit) != winner
        word = ("routed" if dice.by(ROUT_BY) else "loser") if beaten else "winner" if winner else "stalemate"
        before = lost.before or 0
        killed, routed = (_share(land, before, share) for share in SHARES[word])
        lost.killed, lost.routed = killed, routed
        lost.withdrawn = _share(land, before - killed - routed, WITHDRAWN) if beaten else 0
    fallen = [row for row in fight.forces.values() if winner and row.side != winner]
    throws = {row.army: land.score(AUTO_COMMANDER(battle.battle, row.army, dice="1d6"), {}, known) for row in fallen}
    for row in fallen:
        row.commander_killed = throws[row.army].at_most(1)
    # the throws with all that counts are the referee's: they say what the other side's commander is worth
    land.tell("auto_result", roll=[*dice.scores.values(), *throws.values()], battle=battle.battle, node=battle.node,
              A=dice.scores["A"], D=dice.scores["D"], outcome=battle.outcome)
    bare = [score.roll for score in (*dice.scores.values(), *throws.values()) if score.roll is not None]
    land.tell("auto_result", known, roll=bare, battle=battle.battle, node=battle.node, outcome=battle.outcome)


def _share(land: Country, figures: int, share: int) -> int:
    return (figures * share + (50 if BattleNumbers.of(land).auto_rounding == "half_up" else 0)) // 100


def auto_modifiers(fight: ReportedBattle, side: str) -> dict[str, int]:
    """The modifiers of a side's dice, by name."""
    land, battle, own = fight.land, fight.battle, [row for row in fight.forces.values() if row.side == side]
    mine, other = (sum((row.before or 0) * land.units[unit].points for unit, row in fight.units.items()
                       if fight.side_of(unit) == which) for which in (side, "D" if side == "A" else "A"))
    superiority = min(MOST, STEPS * (mine - other) // other) if other and mine > other else MOST if mine > other else 0
    reactions = {row.start_reaction for row in own}
    node = land.nodes[battle.node]
    stronghold = side == "D" and node.place != "none" and land.friendly(node.holder, battle.defender)
    return {"V.C.": max((row.start_vc or 0 for row in own), default=0), "superiority": superiority,
            "exploration": (battle.band or 0) if battle.explorer == side else 0,
            "unsteady" if "unsteady" in reactions else "confused":
                -2 if "unsteady" in reactions else -1 if "confused" in reactions else 0,
            "stronghold": 2 if stronghold else 0, "field works": int(any(row.fieldworks for row in own))}


# Phase 3b: the result form and its checks (rulebook: 3 Battle).


LOSSES = ("killed", "routed", "withdrawn")
RESULTS = ("entered", "auto")
"""Answers to the question for a result, besides the result itself in a line."""
DAY_TURNS = 8
"""Game turns of two hours in a day's battle."""
WORDS = {**{code: code for code in OUTCOMES}, **{word: code for code, word in OUTCOMES.items()}, "draw": "stalemate",
         "pari": "stalemate"}


class ReportedBattle:
    """A battle with its form: Forces and Units with their rows."""

    def __init__(self, land: Country, battle: Battle) -> None:
        self.land, self.battle = land, battle
        self.forces = {row.army: row for row in forces_of(land, battle.battle)}
        self.units = {row.unit: row for row in land.battle_units.where(
            lambda unit: unit.battle == battle.battle and unit.before is not None)}

    @property
    def loser(self) -> str:
        """The beaten side, "" after a stalemate."""
        return {"attacker": "D", "defender": "A"}.get(self.battle.outcome, "")

    def standing(self, side: str = "") -> list[Army]:
        """The Forces, or those of one side, that are still on the map, in natural order."""
        return [army for code, row in self.forces.items()
                if side in ("", row.side) and (army := self.land.armies[code]).active]

    def side_of(self, unit: str) -> str:
        """The side of a Unit; "" if it was not there."""
        row = self.land.units.get(unit)
        force = self.forces.get(row.army) if row is not None else None
        return force.side if force is not None and unit in self.units else ""

    def side_of_row(self, row: FormRow) -> str:
        """The side whose half of the form holds a row."""
        return self.forces[row.army].side if isinstance(row, BattleArmy) and row.army in self.forces else self.side_of(
            str(getattr(row, "unit", "")))

    def fighters(self) -> Iterator[tuple[FormRow, object]]:
        """The rows of all who are seen to fight, Units with their figures."""
        yield from ((row, row.before) for row in self.units.values())
        yield from ((row, "") for row in self.forces.values())

    def clubs(self) -> dict[str, list[str]]:
        """The clubs of each side that may report, as far as their Forces are seen."""
        return {side: sorted(filter(None, {self.land.faction_of(force.army) for force in self.forces.values()
                                            if force.side == side})) for side in ("A", "D")}

    def figures_left(self, side: str) -> int:
        """Figures of a side that stayed on the table to the end."""
        there = sum(row.before or 0 for unit, row in self.units.items() if self.side_of(unit) == side)
        return there - self.figures_lost(side)

    def figures_lost(self, side: str) -> int:
        """Figures of a side that were killed, ran or left."""
        return sum(figures_lost(row) for unit, row in self.units.items() if self.side_of(unit) == side)


def whole_or_zero(value: object) -> int:
    """The number in a cell of losses; 0 if it is not a number."""
    return value if isinstance(value, int) else 0


def figures_lost(row: BattleUnit) -> int:
    """Figures of a row that were killed, ran or left."""
    return sum(whole_or_zero(getattr(row, name)) for name in LOSSES)


# --- the checks, in the book's order ----------------------------------------------------------------
def _outcome_faults(filled: Filled[ReportedBattle]) -> Iterator[Fault]:
    """WAR-501."""
    if filled["outcome"] is None:
        yield Fault("WAR-501", "outcome", {"outcome": filled.raw_value("outcome")})


def _row_faults(filled: Filled[ReportedBattle]) -> Iterator[Fault]:
    """WAR-502, 503, 506, row by row; also a Force that was not there."""
    fight = filled.battle
    for force in fight.land.battle_armies.where(lambda army: army.battle == fight.battle.battle):
        if force.army not in fight.forces:
            yield Fault("WAR-503", "army", {"unit": force.army, "battle": force.battle}, force.ident, BattleArmy.sheet)
    for key, row in filled.rows:
        assert isinstance(row, BattleUnit)
        known = fight.units.get(row.unit)
        if known is None:
            yield Fault("WAR-503", "unit", {"unit": row.unit, "battle": row.battle}, key)
            continue
        bad = next((name for name in LOSSES if not isinstance(getattr(row, name), int) or getattr(row, name) < 0), "")
        if bad:
            yield Fault("WAR-506", bad, {}, key)
        elif figures_lost(row) > (known.before or 0):
            yield Fault("WAR-502", "killed", {"unit": row.unit, "n": figures_lost(row), "before": known.before}, key)


def _sense_faults(filled: Filled[ReportedBattle]) -> Iterator[Fault]:
    """WAR-504, 505, 507, 508."""
    fight, outcome = filled.battle, filled["outcome"]
    if outcome == "stalemate" and 0 in (fight.figures_left("A"), fight.figures_left("D")):
        yield Fault("WAR-507", "outcome")
    elif outcome in ("attacker", "defender"):
        winner, loser = ("A", "D") if outcome == "attacker" else ("D", "A")
        if not fight.figures_left(winner):
            yield Fault("WAR-504", "outcome")
        read = all(isinstance(getattr(row, name), int) for _, row in filled.rows for name in LOSSES)
        if read and not fight.figures_lost(loser):
            yield Fault("WAR-505", "outcome")
    turns = filled.raw_value("day_turns")
    if isinstance(turns, int) and turns > DAY_TURNS and not fight.battle.night:
        yield Fault("WAR-508", "day_turns")


def _battle_and_clubs(game: Game, row: Battle) -> tuple[ReportedBattle, Clubs]:
    fight = ReportedBattle(Country(game), row)
    return fight, fight.clubs()


FORM: BattleForm[ReportedBattle] = BattleForm(
    "result",
    (Entry("outcome", words=WORDS), Entry("day_turns", blank=0), Entry("night"), Entry("note")),
    line=("outcome", "day_turns"),
    dice=("method", "auto"),
    decisive=("outcome",),
    rows=BattleUnit,
    besides=(BattleArmy,),
    checks=(_outcome_faults, _row_faults, _sense_faults),
    owner=ReportedBattle.side_of_row,
    fighters=ReportedBattle.fighters,
    confirmed=("entered",),
    seen=_battle_and_clubs,
    won="outcome",
    like=VOCABULARY["battle"],
)


def check_forms(land: Country) -> None:
    """Check forms that are filled in, before their phase."""
    if not land.game.dice.shut:
        return
    for row in land.battles.of_turn(land.game.turn, lambda battle: battle.status == "open" and battle.method != "auto"):
        if row.outcome:
            more = further_rows(land.game, FORM, row.battle)
            check_form(land.game, Filled(FORM, ReportedBattle(land, row), row, more))


# --- the phase ------------------------------------------------------------------------------------
def take_results(land: Country) -> None:
    """Read the form of every open battle; the phase waits until all are in, then they count."""
    open_ones = land.battles.of_turn(land.game.turn, lambda row: row.status == "open")
    waiting = [ask for row in open_ones if (ask := _result_question(land, row)) is not None]
    if waiting:
        raise Waiting(waiting)
    for row in open_ones:
        fight = ReportedBattle(land, row)
        if FORM.is_dice(row):
            resolve_by_dice(fight)
        else:
            row.outcome = WORDS[row.outcome.strip().casefold()]
        row.status = "fought"
        parts: list[BattleArmy | BattleUnit] = [*fight.forces.values(), *fight.units.values()]
        for part in parts:
            part.status = "counted"
        land.tell("battle_result", battle=row.battle, node=row.node, outcome=row.outcome)


def _result_question(land: Country, row: Battle) -> Ask | None:
    """The question for a result that is missing, wrong, or not confirmed; None if it counts."""
    ask = Ask("result", REFEREE, row.battle, RESULTS, "", {"battle": row.battle, "node": row.node})
    fight, answer = ReportedBattle(land, row), land.game.answer_to(ask)
    first = re.split(r"[\s,;]", answer)[0]
    if answer and not (is_confirmation(FORM, answer) or is_result(
            ResultReader.in_phase(land.game, FORM, fight, row, fight.clubs()), answer)):
        land.find("WAR-601", land.game.row_of(ask), "answer", answer=answer, options=", ".join(RESULTS))
        return ask
    if BattleNumbers.of(land).confirm_results == "yes" and meaning_of_word(first, DICE):
        row.method = "auto"  # instead of a result that he does not confirm
    taken = take_form(land.game, FORM, ask, fight, row, fight.clubs())
    if taken.state in ("missing", "wrong"):
        return ask
    confirmed = taken.state == "dice" or BattleNumbers.of(land).confirm_results == "no" or is_confirmation(FORM, answer)
    return None if confirmed else ask


def log_aids(land: Country) -> None:
    """Log tests of generals and commanders that a helper threw at the table (3 withdrawal)."""
    rules, game = WithdrawalNumbers.of(land), land.game
    for die in land.campaign.table(Die).open_rows(game.turn, lambda die: die.key.startswith("aid/") and (
            die.turn in ("", game.turn) and die.phase in ("", game.phase))):
        _, test, battle, army, n = [*die.key.split("/"), "", "", "", ""][:5]
        row = land.battle_armies.get(f"{battle}/{army}")
        if row is not None and row.side and n.isdecimal() and test in ("general", "command"):
            of_general = {"General's test": rules.general_minus, "withdrawal": rules.general_withdraw}
            own = land.own(land.faction_of(army))
            dice = land.score(AID(test, battle, army, int(n)), {
                "V.C.": row.start_vc or 0, **(of_general if test == "general" else {})}, own)
            land.tell("aid", roll=dice, battle=battle, army=army, test=test, total=dice)
