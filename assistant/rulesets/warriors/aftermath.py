"""After the battle, the will to fight, the end: phases 4 and 5 (4, 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from assistant.campaign.columns import Codes, Ref, Whole, column
from assistant.campaign.records import ALL, REFEREE, Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.warriors import NO_MORE, TO, WHY, both, event
from assistant.rulesets.warriors.battle import ReportedBattle, whole_or_zero
from assistant.rulesets.warriors.land import (
    Country,
    Square,
    by_territory,
    codes_of_rows,
    needing,
    question_type,
    take_reaction,
    who_see,
)
from assistant.rulesets.warriors.records import (
    ASSUMED,
    ROLLS,
    SQUARES,
    TOTAL,
    TURNS,
    Army,
    Battle,
    BattleArmy,
    BattleUnit,
    Faction,
    Node,
    Unit,
    Wounded,
    dice_choice,
    threshold,
    to_die,
    to_will,
)
from assistant.turn.chapters import DICE, Chapter, Citation, Modifier, Rules, number, switch
from assistant.turn.dice import Throw
from assistant.turn.event_types import Said
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest, Score, Trial, nonzero_modifiers

# The board: the battles that were fought (4).


LOSERS = {"attacker": "D", "defender": "A"}


class Aftermath(Country):
    """The board of phase 4, with the battles that were fought."""

    @property
    def fights(self) -> list[ReportedBattle]:
        """The fought battles of the turn, in natural order."""
        fought = self.battles.of_turn(self.game.turn, lambda battle: battle.status == "fought")
        return [ReportedBattle(self, row) for row in fought]

    @property
    def beaten(self) -> list[tuple[ReportedBattle, Army]]:
        """The Forces of beaten sides, each with its battle."""
        return [(fight, army) for fight in self.fights if self.loser(fight.battle)
                for army in self.forces(fight, self.loser(fight.battle))]

    def loser(self, battle: Battle) -> str:
        """The beaten side, "" after a stalemate."""
        return LOSERS.get(battle.outcome, "")

    def forces(self, fight: ReportedBattle, side: str = "") -> list[Army]:
        """The Forces of a battle, or of one side, that are still on the map, in natural order."""
        return [army for code, row in fight.forces.items()
                if side in ("", row.side) and (army := self.armies[code]).active]


# The fallen: dead or wounded (4 wounded).


class WoundNumbers(Rules):
    """Which of the fallen are only wounded."""

    wound_die: str = dice_choice(both("For each figure that fell {option} is thrown.",
                                      "Per ogni miniatura uccisa si tira {option}."))
    wound_ok: int = number(4, TOTAL, both("From {n} on it is only wounded.", "Da {n} è soltanto ferita."))
    wound_friendly: int = to_die(1, "In friendly territory", "In territorio amico")
    wound_enemy: int = to_die(-1, "In enemy territory", "In territorio nemico")
    wounded_turns: int = number(2, TURNS,
                                both("The wounded are back after {n} {n?turn|turns}.",
                                     "I feriti tornano dopo {n} {n?turno|turni}."), ASSUMED, source="7")
    natural_first: Literal["before", "after"] = switch(
        both("A natural 1 or 6 {option}.", "Un 1 o un 6 naturale {option}."),
        both("decides by itself", "decide da solo"), both("is a die as any other", "è un tiro come gli altri"),
        source="4 wounded 4 deserters")


WOUNDED_EVENTS = (
    event("losses", "battles", 3, "{unit}: {dead} dead, {wounded} wounded, {deserted} deserted, {figures} left. {roll}",
          "{unit}: {dead} {dead?morto|morti}, {wounded} {wounded?ferito|feriti}, {deserted} "
          "{deserted?disertore|disertori}; {figures?ne resta|ne restano} {figures}. {roll}",
          variants=("dead wounded deserted", {
              "0 0 0": both("{unit} {unit?has|have} no losses: {figures} left. {roll}",
                            "{unit:il} non {unit?ha|hanno} perdite: {figures?ne resta|ne restano} {figures}. "
                            "{roll}")}), to="army", lost="dead deserted"),
    event("commander_wounded", "battles", 1,
          "{commander}, commander of {army}, fell and survives: wounded until turn {until}. {roll}",
          "{commander}, condottiero {army:di}, è caduto ma sopravvive: ferito fino al turno {until}. {roll}",
          variants=("commander", {"": both(
              "The commander of {army:the} fell and survives: wounded until turn {until}. {roll}",
              "Il condottiero {army:di} è caduto ma sopravvive: ferito fino al turno {until}. {roll}")}),
          means={"commander": "text"}, to="army", theme="leader", tries="commander"),
    event("commander_dead", "battles", 0,
          "{commander}, commander of {army}, fell and is dead: the throw to survive failed. {roll}",
          "{commander}, condottiero {army:di}, è caduto ed è morto: fallito il tiro per sopravvivere. {roll}",
          variants=("commander", {"": both(
              "The commander of {army:the} fell and is dead: the throw to survive failed. {roll}",
              "Il condottiero {army:di} è caduto ed è morto: fallito il tiro per sopravvivere. {roll}")}),
          means={"commander": "text"}, to="army", theme="leader", tries="commander"),
    event("force_broken", "battles", 0, *NO_MORE, means=WHY, to=who_see("faction"), theme="losses"),
)

WOUNDED_CHAPTER = Chapter(both("Wounded", "Feriti"), (Citation("wounded", "wounded", "feriti", "Wounded"),),
                          WoundNumbers, WOUNDED_EVENTS, rests_on="4 wounded")

WOUNDED_CROSSING = ROLLS.purpose(both("The fallen: dead or wounded", "I caduti: morti o feriti"),
                                 "wounded/crossing/{Units*}/{n}/{n}", "")
WOUNDED_COMMANDER = ROLLS.purpose("", "wounded/{Battles*}/{Armies*}/commander", "")
WOUNDED = ROLLS.purpose("", "wounded/{Battles*}/{Units*}/{n}", "")


FigureThrow = Callable[[int], Throw]
"""The throw for the i-th figure."""


def saving_test(land: Country, throw: Throw, mods: dict[str, int], least: int, known: list[str] | str) -> Trial:
    """The test that saves a figure by its total; by switch a natural 1 never does, a natural 6 always."""
    # a natural 1 fails and a natural 6 passes, whatever is added (4 wounded, 4 deserters)
    return Trial(land.roll(throw, known), nonzero_modifiers(mods), least,
                 natural=(1, 6) if WoundNumbers.of(land).natural_first == "before" else None)


WOUNDED_TABLE: tuple[Modifier[Square], ...] = by_territory("wound_friendly", "wound_enemy")


def test_wounded(land: Country, faction: str, node: str, count: int, throw: FigureThrow,
               known: list[str] | str) -> tuple[int, list[Trial]]:
    """How many of the fallen are only wounded, and their dice. `node`: "" if territory does not count."""
    mods = land.modifiers(WOUNDED_TABLE, Square(land, node, faction))
    dice = [saving_test(land, throw(n), mods, WoundNumbers.of(land).wound_ok, known) for n in range(1, count + 1)]
    return sum(trial.passed for trial in dice), dice


def wound_figures(land: Country, unit: Unit, count: int) -> None:
    """Note wounded figures of a Unit, who come back after some turns."""
    if not count:
        return
    due = land.turn + WoundNumbers.of(land).wounded_turns
    row = land.wounded.get(Wounded(unit=unit.unit, due=due).ident)
    if row is None:
        row = land.wounded.add(Wounded(unit=unit.unit, due=due, count=0))
    row.count += count


# The runaways (4 deserters).


class DesertionNumbers(Rules):
    """Which of the runaways desert."""

    desert_die: str = dice_choice(both("For each figure that ran {option} is thrown.",
                                       "Per ogni miniatura fuggita si tira {option}."))
    desert_ok: int = number(4, TOTAL, both("From {n} on it comes back.", "Da {n} ritorna."))
    q_average: int = to_die(1, "Average quality", "Qualità media")
    q_veteran: int = to_die(2, "Veterans", "Veterani")
    q_elite: int = to_die(3, "Elite", "Élite")
    poor_mod: int = to_die(0, "Poor quality", "Qualità scarsa", ASSUMED)
    q_unpredictable: str = switch(both("Unpredictable quality: {option}, once for the Unit.",
                                       "Qualità imprevedibile: {option}, una volta per l'Unità."), options=("1d6 - 3",),
                                  pattern=rf"{DICE}( ?[+-] ?\d+)?")
    desert_routed: int = to_die(-1, "Who left in rout", "Chi è fuggito in rotta")


DESERTERS_EVENTS = (
    event("deserted", "supply", 2, "{unit}: {count} deserted. {roll}",
          "{unit}: disertori {count}. {roll}", to="army", lost="count"),
    event("mercenaries_left", "battles", 2,
          "{unit} {unit?leaves|leave}: {count} {count?mercenary deserts|mercenaries desert}.",
          "{unit:il} {unit?se ne va|se ne vanno}: {count?diserta|disertano} {count} {count?mercenario|mercenari}.",
          to="army", lost="count"),
)

DESERTERS_CHAPTER = Chapter(both("Deserters", "Disertori"),
                            (Citation("deserters", "deserters", "disertori", "Deserters"),), DesertionNumbers,
                            DESERTERS_EVENTS, rests_on="4 deserters")

QUALITY_CROSSING = ROLLS.purpose(both("Unpredictable Units", "Unità imprevedibili"),
                                 "quality/crossing/{Units*}/{n}", "")
QUALITY_EVENT = ROLLS.purpose("", "quality/event/{Units*}", "")
QUALITY = ROLLS.purpose("", "quality/{Battles*}/{Units*}", "")
DESERTER_CROSSING = ROLLS.purpose(both("Deserters", "Disertori"), "deserter/crossing/{Units*}/{n}/{n}", "")
DESERTER_EVENT = ROLLS.purpose("", "deserter/event/{Units*}/{n}", "")
DESERTER = ROLLS.purpose("", "deserter/{Battles*}/{Units*}/{n}", "")


def quality_modifier(land: Country, unit: Unit, throw: Throw,
                     known: list[str] | str) -> tuple[dict[str, int], list[Score]]:
    """The modifier of a Unit's quality in tests for deserters; an unpredictable one throws a die."""
    rules = DesertionNumbers.of(land)
    if unit.quality != "unpredictable":
        key = "poor_mod" if unit.quality == "poor" else f"q_{unit.quality}"
        return {unit.quality: int(rules.values().get(key, 0))}, []
    dice, sign, rest = rules.q_unpredictable.replace(" ", "").replace("-", " - ").replace("+", " + ").partition(" ")
    more = int(rest.replace(" ", "")) if sign else 0
    score = land.score(Throw(throw.key, dice), {"quality": more}, known)
    return {unit.quality: score.total}, [score]


def test_deserters(land: Country, mods: dict[str, int], numbers: range, throw: FigureThrow, known: list[str] | str, *,
                 routed: bool) -> tuple[int, list[Trial]]:
    """How many of some figures desert, and their dice."""
    rules = DesertionNumbers.of(land)
    whole = {**mods, "routed": rules.desert_routed if routed else 0}
    dice = [saving_test(land, throw(n), whole, rules.desert_ok, known) for n in numbers]
    return sum(not trial.passed for trial in dice), dice


# --- the tests, Unit by Unit ----------------------------------------------------------------------
def test_figures(land: Aftermath) -> None:
    """Test unit by unit: the killed may only be wounded, runaways may desert; then the fallen commanders."""
    for fight in land.fights:
        for unit in sorted(fight.units, key=land.units.keys().index):
            _unit(land, fight, fight.units[unit])
        for row in fight.forces.values():
            if row.commander_killed and land.armies[row.army].commander_state != "dead":
                _commander(land, fight.battle, land.armies[row.army])
    for fight in land.fights:
        for army in land.forces(fight):
            land.remove_if_empty(army, "4 wounded")


def _unit(land: Aftermath, fight: ReportedBattle, row: BattleUnit) -> None:
    battle, unit = fight.battle, land.units[row.unit]
    army, beaten = land.armies[unit.army], land.loser(fight.battle) == fight.side_of(row.unit)
    own = land.own(army.faction)
    killed, routed, withdrawn = whole_or_zero(row.killed), whole_or_zero(row.routed), whole_or_zero(row.withdrawn)
    # a beaten mercenary Unit is gone with its fallen and its wounded, and nothing is thrown (4 deserters)
    if beaten and unit.mercenary:
        land.forget_wounded(unit.unit)
        row.dead, row.deserted, unit.figures = killed, unit.figures - killed, 0
        land.tell("mercenaries_left", unit=unit.unit, army=army.army, count=row.deserted)
        return
    hurt, rolls = test_wounded(land, army.faction, battle.node, killed, lambda i: WOUNDED(
        battle.battle, unit.unit, i, dice=WoundNumbers.of(land).wound_die), own)
    # who left by order is tested only after a defeat (4 deserters)
    deserted, more = _runaways(land, battle, row, routed, withdrawn if beaten else 0)
    row.dead, row.wounded, row.deserted = killed - hurt, hurt, deserted
    unit.figures = max(0, unit.figures - killed - deserted)
    wound_figures(land, unit, hurt)
    land.tell("losses", rule="4 wounded" if killed else "4 deserters", roll=[*rolls, *more], unit=unit.unit,
              army=army.army, battle=battle.battle, dead=row.dead, wounded=hurt, deserted=deserted,
              figures=unit.figures)


def _runaways(land: Aftermath, battle: Battle, row: BattleUnit, routed: int, left: int) -> tuple[int, list[Score]]:
    """Test the figures that ran, and of a beaten side those that left by order; return the deserters and dice."""
    if not routed + left:
        return 0, []
    unit = land.units[row.unit]
    own = land.own(land.armies[unit.army].faction)
    mods, rolls = quality_modifier(land, unit, QUALITY(battle.battle, unit.unit), own)
    gone = 0
    for numbers, ran in ((range(1, routed + 1), True), (range(routed + 1, routed + left + 1), False)):
        n, dice = test_deserters(land, mods, numbers, lambda i: DESERTER(
            battle.battle, unit.unit, i, dice=DesertionNumbers.of(land).desert_die), own, routed=ran)
        gone, rolls = gone + n, [*rolls, *dice]
    return gone, rolls


def _commander(land: Aftermath, battle: Battle, army: Army) -> None:
    """Test a fallen commander as any figure: wounded, and back after some turns, or dead."""
    own = land.own(army.faction)
    hurt, dice = test_wounded(land, army.faction, battle.node, 1, lambda i: WOUNDED_COMMANDER(
        battle.battle, army.army, dice=WoundNumbers.of(land).wound_die), own)
    army.commander_state = "wounded" if hurt else "dead"
    army.commander_back = land.turn + WoundNumbers.of(land).wounded_turns if hurt else 0
    land.tell("commander_wounded" if hurt else "commander_dead", army=army.army, roll=dice,
              until=army.commander_back, **army.commander_data)


# What battles cost, as a report says it.


AT_GAMING_TABLE = both("It was fought out at the gaming table. Your figures: {n}; killed or fled in rout: {k}. The "
                       "enemy's killed or fled: {l}. Yours that left by order: {w}.",
                       "È stata combattuta al tavolo da gioco. Le tue miniature: {n}; uccise o fuggite in rotta: {k}. "
                       "Del nemico, uccise o fuggite: {l}. Delle tue, uscite per ordine: {w}.")
WOUNDED_AND_TESTED = both(
    "Wounded: {wounded}, back in turn {due}. Of {m} that fled in rout or left by order {gone} deserted: each needed "
    "{need} or more to come back, by its die with what its quality adds and rout takes off. Of {k} that fled in rout "
    "or left by order none deserted: each needed {need} or more to come back, by its die with what its quality adds "
    "and rout takes off.",
    "Feriti: {wounded}, {wounded?torna|tornano} nel turno {due}. Di {m} {m?fuggita|fuggite} in rotta o "
    "{m?uscita|uscite} per ordine {gone?ha|hanno} disertato {gone}: per tornare a ognuna serviva {need} o più, con il "
    "dado più la qualità e meno la rotta. Di {k} {k?fuggita|fuggite} in rotta o {k?uscita|uscite} per ordine nessuna "
    "ha disertato: per tornare a ognuna serviva {need} o più, con il dado più la qualità e meno la rotta.")
"""Of the last two sentences one stands: some of those that ran deserted, or none did."""
LOST_IN_BATTLE = both.joined(
    both("{army} {army?has|have} lost {n} {n?figure|figures} for good: {how}.",
         "{army}: {n?persa|perse} per sempre {n} {n?miniatura|miniature} ({how})."), WOUNDED_AND_TESTED)
ONLY_WOUNDED = both.joined(both("{army} {army?has|have} lost no figures for good.",
                                "{army}: nessuna miniatura persa per sempre."), WOUNDED_AND_TESTED)
DEAD_AND_DESERTED = both("{dead} dead, {deserted} deserted",
                         "{dead} {dead?morto|morti}, {deserted} {deserted?disertore|disertori}")
DEAD = both("{dead} dead", "{dead} {dead?morto|morti}")
DESERTED = both("{deserted} deserted", "{deserted} {deserted?disertore|disertori}")


def costs(land: Country, faction: str, events: Iterable[Event]) -> Iterator[Said]:
    """What a faction's battles among the events cost both sides at the gaming table, and each of its Forces in the end.
    """
    codes = dict.fromkeys(str(event.data["battle"]) for event in events if event.event == "battle_result")
    for row in filter(None, map(land.battles.get, codes)):
        fight = ReportedBattle(land, row)
        if row.method == "table" and faction in (row.attacker, row.defender):
            yield _at_table(fight)
        for force in fight.forces.values() if row.status == "closed" else ():
            if land.faction_of(force.army) == faction:
                yield from _lost(fight, force)


def _at_table(fight: ReportedBattle) -> Said:
    land, own = fight.land, fight.units.values()  # the strength of others is hidden
    units = land.battle_units.where(lambda unit: unit.battle == fight.battle.battle)
    clubs = {land.faction_of(army) for army in fight.forces}
    mine, all_lost = (sum(int(unit.killed or 0) + int(unit.routed or 0) for unit in of) for of in (own, units))
    return Said(AT_GAMING_TABLE, {
        "k": mine, "n": sum(unit.before or 0 for unit in own), "l": all_lost - mine if len(clubs) == 2 else "",
        "w": sum(int(unit.withdrawn or 0) for unit in own) or ""}, why=True)


def _lost(fight: ReportedBattle, force: BattleArmy) -> Iterator[Said]:
    """What a Force has lost, when its wounded that still wait are back, and how those that ran fared; nothing without
    losses.
    """
    land, beaten = fight.land, force.side == LOSERS.get(fight.battle.outcome)
    due = int(fight.battle.turn) + WoundNumbers.of(land).wounded_turns
    rows = [(fight.units[unit.unit], unit) for unit in land.units_of(force.army) if unit.unit in fight.units]
    tested = [row for row, unit in rows if not (beaten and unit.mercenary)]
    ran = sum(whole_or_zero(row.routed) + beaten * whole_or_zero(row.withdrawn) for row in tested)
    dead, deserted = sum(row.dead for row, _ in rows), sum(row.deserted for row, _ in rows)
    hurt = sum(row.wounded for row, unit in rows if Wounded(unit=unit.unit, due=due).ident in land.wounded)
    gone = sum(row.deserted for row in tested)
    how = DEAD_AND_DESERTED if dead and deserted else DEAD if dead else DESERTED
    if dead + deserted + hurt:
        yield Said(LOST_IN_BATTLE if dead + deserted else ONLY_WOUNDED, {
            "army": force.army, "n": dead + deserted, "how": Said(how, {"dead": dead, "deserted": deserted}),
            "wounded": hurt or "", "due": due, "m": ran if ran and gone else "", "gone": gone,
            "k": ran if ran and not gone else "", "need": DesertionNumbers.of(land).desert_ok}, why=True)


# Who reels, who retreats, who steps back, what changes hands (4 reactions, 4 movement after).


class AftermathNumbers(Rules):
    """Where the beaten go, and what changes hands."""

    retreat_squares: int = number(1, SQUARES,
                                  both("A beaten Force falls back by {n} {n?square|squares}.",
                                       "Una Forza battuta arretra di {n} {n?quadrato|quadrati}."), minimum=1)
    gap_squares: int = number(1, SQUARES,
                              both("After a stalemate {n} {n?square lies|squares lie} between the two.",
                                   "Dopo uno stallo fra i due {n?resta|restano} {n} {n?quadrato|quadrati}."))
    unsteady_loser: Literal["routed", "destroyed"] = switch(
        both("An unsteady Force that is beaten is {option}.", "Una Forza instabile battuta è {option}."),
        both("routed", "in rotta"), both("destroyed", "distrutta"), source="4 reactions")
    lost_on_stronghold: Literal["yes", "no"] = switch(both("A beaten Force {option} its stronghold.",
                                                           "Una Forza battuta {option} il proprio caposaldo."),
                                                      both("leaves", "lascia"), both("keeps", "tiene"))
    no_retreat: Literal["destroyed", "stays"] = switch(both("A beaten Force that cannot step back {option}.",
                                                            "Una Forza battuta che non può arretrare {option}."),
                                                       both("is destroyed", "è distrutta"), both("stays", "resta"))
    stalemate_order: Literal["dice", "vc"] = switch(
        both("After a stalemate {option} steps back first.", "Dopo uno stallo arretra per primo {option}."),
        both("who throws lower", "chi tira più basso"),
        both("the side of the lower V.C.", "la parte con il V.C. più basso"), usual=True)
    hold_needs_force: Literal["no", "yes"] = switch(
        both("A place that was taken {option}.", "Un luogo conquistato {option}."),
        both("is held without a Force", "si tiene anche senza una Forza"),
        both("goes back where no Force is left in it", "torna indietro dove non resta una Forza"), usual=True)


EVENTS = (
    event("force_destroyed", "battles", 0, *NO_MORE, rule="4 reactions", means=WHY, to=who_see("faction"),
              theme="losses"),
    event("no_retreat", "battles", 0, *NO_MORE, means=WHY, to=who_see("faction"), theme="losses"),
    event("reaction", "battles", 1, "{army} {army?is|are} {reaction}.",
          "{army}: la Forza è {reaction}.", rule="4 reactions",
          variants=("reaction", {
            "confused": both(
                "{army}, beaten, {army?is|are} confused: until {army?it takes|they take} a new order, all Units "
                "begin a battle disorganised.",
                "{army}: la Forza, battuta, è confusa; finché non riceve un nuovo ordine, tutte le Unità "
                "iniziano una battaglia disorganizzate."),
            "unsteady": both(
                "{army}, beaten while confused, {army?is|are} unsteady: until {army?it takes|they take} a new "
                "order, all Units begin a battle demoralised and disorganised.",
                "{army}: la Forza, battuta quando era confusa, è instabile; finché non riceve un nuovo ordine, "
                "tutte le Unità iniziano una battaglia demoralizzate e disorganizzate."),
            "routed": both(
                "{army}, beaten while unsteady, {army?is|are} routed: until {army?it takes|they take} a new "
                "order, {army?it collapses|they collapse} where an enemy comes.",
                "{army}: la Forza, battuta quando era instabile, è in rotta; finché non riceve un nuovo ordine, "
                "crolla dove arriva un nemico.")}), to="army"),
    event("retreated", "moves", 1, "{army} {army?falls|fall} back from {node:the} to {to:the}.",
          "{army:il} {army?ripiega|ripiegano} {node:da} {to:dove}.", means=TO, to="army"),
    event("stepped_back", "moves", 2, "{army} {army?steps|step} back from {node:the} to {to:the}.",
          "{army:il} {army?arretra|arretrano} {node:da} {to:dove}.", means=TO, to="army"),
    event("stepping_order", "moves", 5, "{battle}: the attackers step back first. {roll}",
          "{battle}: arretrano prima gli attaccanti. {roll}",
          variants=("first",
                    {"D": both("{battle}: the defenders step back first. {roll}",
                               "{battle}: arretrano prima i difensori. {roll}")}),
          means={"battle": "text", "first": "text"}, to=lambda land, data: land.circle(land.fighters(data["battle"]))),
    event("stays", "moves", 2, "{army} {army?stays|stay} at {node:the}: {why}.",
          "{army:il} {army?resta|restano} {node:dove}: {why}.", means=WHY, to=who_see("army")),
    event("place_taken", "sieges", 0, "{node:the} falls to {to:the}.",
          "{node:il} cade in mano {to:a}.",
          variants=("to", {"": both("{node:the} is nobody's.", "{node:il} non è più di nessuno.")}),
          means={"was": "faction", "to": "faction"}, to=ALL, theme="place"),
    event("boats_taken", "sea", 1, "{boat} at {node:the} {boat?falls|fall} to {by:the}.",
          "{boat} {node:dove} {boat?cade|cadono} in mano {by:a}.", means={"boat": "piece"}, to=ALL),
    event("battle_closed", "battles", 8, "What came of {battle} at {node:the} is done.",
          "{battle} {node:dove}: conseguenze chiuse.", means={"battle": "text"}, to=REFEREE),
)

QUESTIONS = (
    question_type("retreat", "{battle} at {node:the} is lost. Where does {army} go?",
                  "{battle} {node:dove} è perduta. Dove va {army}?", means={"attacker": "piece", "battle": "text"}),
    question_type("step-back", "{battle} at {node:the} is drawn. Where does {army} go?",
                  "{battle} {node:dove} è finita in stallo. Dove va {army}?",
                  means={"attacker": "piece", "battle": "text"}),
)

both.words({
    "omen": "presagio", "commander": "condottiero", "beaten while unsteady": "battuta quando era instabile",
    "nowhere to go": "non sa dove andare", "both defend": "tutti in difesa", "no square": "nessun quadrato libero",
    "score": "punteggio", "first": "primo", "retreat": "ripiegamento", "step-back": "arretramento",
})

CHAPTER = Chapter(both("4 After the battle", "4 Dopo la battaglia"),
                  (Citation("4", "phase 4", "fase 4", "4 After the battle"),
                   Citation("after", "after the battle", "dopo la battaglia",
                            both("Movement after the battle", "Movimento dopo la battaglia")),
                   Citation("reactions", "reactions", "reazioni",
                            both("Reactions after the battle", "Reazioni dopo la battaglia"))), AftermathNumbers,
                  EVENTS, questions=QUESTIONS, rests_on="4 movement after")

STALEMATE = ROLLS.purpose(both("Who steps back first", "Chi arretra per primo"), "stalemate/{Battles*}/{A|D}/{n}")


# --- tallies and reactions ------------------------------------------------------------------------
def tally(land: Aftermath) -> None:
    """Count each battle once for each faction; the beaten owe a test of their will."""
    for fight in land.fights:
        battle, beaten = fight.battle, land.loser(fight.battle)
        # a faction counts a battle once, however many of its Forces fought
        sides = {land.armies[code].faction: row.side for code, row in fight.forces.items()}
        for faction in sorted(sides):
            row = land.factions[faction]
            if not beaten:
                row.drawn, came = row.drawn + 1, "drawn"
            elif sides[faction] == beaten:
                row.lost, came = row.lost + 1, "lost"
                land.owe_will_test(faction, f"battle_lost:{battle.battle}")
            else:
                row.won, came = row.won + 1, "won"
            land.tell("tallied", faction=faction, battle=battle.battle, came=came)


def reactions(land: Aftermath) -> None:
    """Worsen the reaction of beaten Forces, from the one with which they began."""
    for fight, army in land.beaten:
        # the row of the unsteady is missing in the book: by default they are routed
        worse = {"none": "confused", "confused": "unsteady", "unsteady": AftermathNumbers.of(land).unsteady_loser,
                 "routed": "routed"}[fight.forces[army.army].start_reaction or "none"]
        if worse == "destroyed":
            if WillNumbers.of(land).will_trigger == "any_force":
                land.owe_will_test(army.faction, f"force_lost:{army.army}")
            land.remove_force(army, "destroyed", "force_destroyed", "4 reactions", why="beaten while unsteady")
            continue
        take_reaction(army, worse, kept=land.rules.order_under_reaction == "kept")
        land.tell("reaction", army=army.army, reaction=worse)


# Phase 4: retreats, and stepping back after a stalemate (4 movement after).


AskedMove = tuple[ReportedBattle, Army, list[str]]
"""A battle, a Force that must leave, and its options when it is asked."""


def step_into(land: Aftermath, army: Army, to: str, event: str) -> None:
    """Move a Force into the next square, onto water with the first own boats that take it; its field works are lost."""
    boats, start = land.carriers(army)[:1] if land.map.water(to) else [], army.node
    army.node, army.aboard, army.fieldworks = to, "", 0
    for boat in boats:
        boat.node, army.aboard = to, boat.boat
    land.went(event, army, start, "4 movement after", to=to)


def _answers(land: Aftermath, kind: str, moves: list[AskedMove]) -> dict[tuple[str, str], str]:
    """Ask all clubs at once where their Forces go; battle and Force -> square."""
    asks = {(fight.battle.battle, army.army): Ask(
        kind, army.faction, f"{fight.battle.battle}/{army.army}", tuple(options), land.default_place(army, options),
        {"army": army.army, "battle": fight.battle.battle, "node": army.node})
        for fight, army, options in moves if options}
    return dict(zip(asks, land.game.choose_all(list(asks.values())), strict=True))


def retreats(land: Aftermath) -> None:
    """The beaten retreat; by switch a Force with nowhere to go is destroyed."""
    losers = land.beaten
    at_home = [army.army for _, army in losers if _keeps_its_place(land, army)]
    _tell_staying(land, at_home, "stronghold")
    moves = [(fight, army, retreat_places(land, army)) for fight, army in losers if army.army not in at_home]
    chosen = _answers(land, "retreat", moves)
    for fight, army, _ in moves:
        # an earlier retreat may have filled a square that was offered
        options = retreat_places(land, army)
        wish = chosen.get((fight.battle.battle, army.army), "")
        to = wish if wish in options else land.default_place(army, options)
        if to:
            step_into(land, army, to, "retreated")
        elif AftermathNumbers.of(land).no_retreat == "destroyed":
            land.remove_force(army, "destroyed", "no_retreat", "4 movement after", why="nowhere to go")
        else:
            _tell_staying(land, [army.army], "no square")


def retreat_places(land: Country, army: Army) -> list[str]:
    """Where a beaten Force may go: legal squares `retreat_squares` away, or as far as there are any."""
    start, places = army.node, land.legal_squares(army)
    for steps in range(2, AftermathNumbers.of(land).retreat_squares + 1):
        further = {node for here in places if not land.map.water(here) for node in land.map.board.neighbours(here)
                   if land.map.distance(start, node) == steps and land.map.land_step(here, node)
                   and land.is_free(army, node)}
        places = sorted(further, key=natural) or places
    return places


def _keeps_its_place(land: Aftermath, army: Army) -> bool:
    row = land.nodes[army.node]
    stays = AftermathNumbers.of(land).lost_on_stronghold == "no"
    return stays and row.place != "none" and land.friendly(row.holder, army.faction)


# --- stalemates -----------------------------------------------------------------------------------
def step_back(land: Aftermath) -> None:
    """Both sides of each drawn battle step back, one after the other, so that a square lies between them."""
    pairs = [(fight, _sides(land, fight)) for fight in land.fights if not land.loser(fight.battle)]
    taken: dict[str, list[str]] = {}
    # the second side chooses when it is known where the first has gone
    for turn in (0, 1):
        moves = [(fight, army, _squares_apart(land, army, taken.get(fight.battle.battle, [])))
                 for fight, sides in pairs if turn < len(sides) for army in land.forces(fight, sides[turn])]
        chosen = _answers(land, "step-back", moves)
        for fight, army, _ in moves:
            first = taken.get(fight.battle.battle, []) if turn else []
            to = _step(land, army, _squares_apart(land, army, first), chosen.get((fight.battle.battle, army.army), ""))
            if to and not turn:
                taken.setdefault(fight.battle.battle, []).append(to)


def _squares_apart(land: Aftermath, army: Army, taken: list[str]) -> list[str]:
    """Legal squares far enough from those the other side has just taken; all, if there are none."""
    options, gap = land.legal_squares(army), AftermathNumbers.of(land).gap_squares
    far = [option for option in options if all(land.map.distance(option, other) > gap for other in taken)]
    # with no square so far away any legal one will do
    return far or options


def _step(land: Aftermath, army: Army, options: list[str], wish: str) -> str:
    to = wish if wish in options else land.default_place(army, options)
    if not to:
        _tell_staying(land, [army.army], "no square")
        return ""
    step_into(land, army, to, "stepped_back")
    return to


def _sides(land: Aftermath, fight: ReportedBattle) -> list[str]:
    """The sides that step back, in order; Forces that stay are told."""
    node, rows = land.nodes[fight.battle.node], fight.forces.values()
    if all(row.start_order == "defend" for row in rows):
        _tell_staying(land, codes_of_rows(land.forces(fight)), "both defend")
        return []
    at_home = [side for side in ("A", "D") if node.place != "none" and any(
        land.friendly(node.holder, army.faction) for army in land.forces(fight, side))]
    for side in at_home:
        _tell_staying(land, codes_of_rows(land.forces(fight, side)), "stronghold")
    going = [side for side in ("A", "D") if side not in at_home and land.forces(fight, side)]
    return _stepping_order(land, fight) if len(going) == 2 else going


def _tell_staying(land: Aftermath, armies: list[str], why: str) -> None:
    for army in (land.armies[code] for code in armies):
        land.tell("stays", army=army.army, node=army.node, why=why)


def _stepping_order(land: Aftermath, fight: ReportedBattle) -> list[str]:
    """The order of stepping back: the lower die first, equals throw again; or by switch the lower best V.C."""
    if AftermathNumbers.of(land).stalemate_order == "vc":
        best = {side: max(row.start_vc or 0 for row in fight.forces.values() if row.side == side) for side in "AD"}
        return ["D", "A"] if best["D"] < best["A"] else ["A", "D"]
    known = land.circle(land.armies[code].faction for code in fight.forces)
    again = 1
    while True:
        dice = Contest({side: land.score(STALEMATE(fight.battle.battle, side, again), {}, known) for side in "AD"})
        # the lower die steps back first
        if dice.winner:
            land.tell("stepping_order", roll=dice, battle=fight.battle.battle, first="D" if dice.winner == "A" else "A")
            return ["D", "A"] if dice.winner == "A" else ["A", "D"]
        again += 1


# Phase 4: places and boats that change hands, and the close of battles (4 movement after).


def take_places(land: Aftermath) -> None:
    """A place in which only enemies of its holder stand falls to them, also without a fight."""
    for node in land.nodes.where(lambda node: node.place != "none"):
        there = land.garrison(node.node)
        taker = _taker(land, node, there)
        if taker:
            place_falls(land, node, taker, "4 movement after")
        elif AftermathNumbers.of(land).hold_needs_force == "yes" and node.holder not in ("", node.founder) and not any(
                land.friendly(army.faction, node.holder) for army in land.at(node.node)):
            place_falls(land, node, node.founder if land.plays(node.founder) else "", "4 movement after")


def _taker(land: Country, node: Node, there: list[Army]) -> str:
    """The faction that takes a place, "" for none: its founder if among friends there, else who has most figures."""
    holder = node.holder if land.plays(node.holder) else ""
    if not there or any(land.friendly(army.faction, holder) for army in there):
        return ""
    foes = [army for army in there if not holder or land.hostile(army.faction, holder)]
    if any(land.hostile(a.faction, b.faction) for a in foes for b in foes):
        return ""
    count: Counter[str] = Counter()
    for foe in foes:
        count[foe.faction] += land.figures(foe.army)
    takers = sorted(+count, key=lambda faction: (-count[faction], natural(faction)))  # no commander without Units
    # what is taken by friends of whose it is by right is his again
    if land.plays(node.founder) and any(land.friendly(node.founder, taker) for taker in takers):
        return node.founder if node.founder != node.holder else ""
    return takers[0] if takers else ""


def place_falls(land: Country, node: Node, to: str, rule: str) -> None:
    """A place changes hands and loses its store; a founder who loses it owes a test of the will."""
    was, node.holder, node.store = node.holder, to, 0
    # to lose a place that was taken from others is no reason for a test (5)
    if was and was == node.founder and land.plays(was):
        land.owe_will_test(was, f"place_lost:{node.node}")
    land.tell("place_taken", rule=rule, node=node.node, was=was, to=to)


def take_boats(land: Aftermath) -> None:
    """Empty boats with only enemies in their square fall to them; then the battles are closed."""
    for boat in land.boats:
        there = land.garrison(boat.node)
        # a commander without Units takes nothing
        takers = [army for army in there if land.figures(army.army)]
        if any(army.aboard == boat.boat for army in land.active()) or not takers:
            continue
        if boat.faction and all(land.hostile(army.faction, boat.faction) for army in there):
            first = min(takers, key=lambda army: natural(army.army))
            boat.faction = first.faction
            land.tell("boats_taken", boat=boat.boat, node=boat.node, by=first.faction)
    for fight in land.fights:
        fight.battle.status = "closed"
        land.tell("battle_closed", battle=fight.battle.battle, node=fight.battle.node)


# Phase 5: the will to fight (5).


class WillNumbers(Rules):
    """What moves the will, and when it is tested."""

    will_won: int = to_will(1, "Each battle won", "Ogni battaglia vinta")
    will_lost: int = to_will(-1, "Each battle lost", "Ogni battaglia perduta")
    will_taken: int = to_will(1, "Each stronghold taken and held", "Ogni caposaldo preso e tenuto")
    will_gone: int = to_will(-1, "Each own stronghold in other hands", "Ogni proprio caposaldo in mano altrui")
    will_capital_taken: int = to_will(3, "Each enemy capital held", "Ogni capitale nemica tenuta")
    will_capital_lost: int = to_will(-3, "The own capital in other hands", "La propria capitale in mano altrui")
    will_fail_at: int = threshold(0, "Below {n} the campaign is over for a faction.",
                                  "Sotto {n} la campagna è finita per una fazione.")
    will_trigger: Literal["force_test", "any_force", "all_forces"] = switch(
        both("The will is tested for {option}.", "La volontà si prova per {option}."),
        both("a Force lost in its test", "una Forza perduta nel test"),
        both("any Force that is lost", "ogni Forza perduta"),
        both("nothing less than all Forces", "niente meno di tutte le Forze"), usual=True)
    will_tests: Literal["once", "per_trigger"] = switch(
        both("The will is tested {option}.", "La volontà si prova {option}."),
        both("once a turn", "una volta per turno"), both("for each reason", "per ogni motivo"))
    will_battles: Literal["campaign", "turn"] = switch(
        both("For the will count the battles of {option}.", "Per la volontà contano le battaglie {option}."),
        both("the campaign", "della campagna"), both("the turn", "del turno"))
    capital_is_stronghold: Literal["no", "yes"] = switch(both("A capital {option} as a stronghold besides.",
                                                              "Una capitale {option} anche come caposaldo."),
                                                         both("does not count", "non conta"), both("counts", "conta"))


WILL_EVENTS = (
    event("tallied", "battles", 5, "{faction:the} {faction?has|have} drawn {battle}.",
          "{faction:il} {faction?ha|hanno} pareggiato {battle}.",
          variants=("came",
                    {"won": both("{faction:the} {faction?has|have} won {battle}.",
                                 "{faction:il} {faction?ha|hanno} vinto {battle}."),
                     "lost": both("{faction:the} {faction?has|have} lost {battle}.",
                                  "{faction:il} {faction?ha|hanno} perduto {battle}.")}), means={"battle": "text"},
          to="faction"),
    event("without_forces", "news", 1, "{faction:the} {faction?has|have} no Force on the map.",
          "{faction:il} non {faction?ha|hanno} Forze sulla mappa.", to="faction"),
    event("forces_again", "news", 3, "{faction:the} {faction?has|have} Forces on the map again.",
          "{faction:il} {faction?ha|hanno} di nuovo Forze sulla mappa.", to="faction"),
    event("will_passed", "news", 1,
          "{faction:the} {faction?holds|hold}, {faction?its|their} will to fight does not break: {roll}",
          "{faction:il} {faction?regge|reggono}, la volontà di combattere non cede: {roll}", means={"reasons": "text"},
          to="faction"),
    event("will_rolled", "news", 1, "Test of the will of {faction:the}: {roll}",
          "Test della volontà {faction:di}: {roll}", to="faction"),
    event("will_failed", "news", 1,
          "{faction:the} {faction?gives|give} up the campaign: {faction?its|their} will to fight is broken.",
          "{faction:il} {faction?esce|escono} dalla campagna: non {faction?ha|hanno} più la volontà di combattere.",
          means={"reasons": "text"}, to=ALL),
    event("nothing_left", "news", 1,
          "{faction:the} {faction?has|have} nothing left and {faction?is|are} out of the campaign.",
          "{faction:il} non {faction?ha|hanno} più nulla ed {faction?esce|escono} dalla campagna.", to=ALL),
)

WILL_CHAPTER = Chapter(both("5 Will to fight", "5 Volontà di combattere"),
                       (Citation("5", "phase 5", "fase 5", "5 Will to fight"),), WillNumbers, WILL_EVENTS)

WILL = ROLLS.purpose(both("The will to fight", "La volontà di combattere"), "will/{Factions}", again="/{n}")


def will(land: Country) -> None:
    """Factions with nothing left are out; those with a reason are tested, all at once; without a war it ends."""
    for row in land.players():
        _without_forces(land, row)
    # who has neither Forces nor places is out without a test
    empty = [row for row in land.players() if _nothing_left(land, row)]
    tested = [(row, *_test(land, row)) for row in land.players() if row.will_due and row not in empty]
    for row in empty:
        _leave_campaign(land, row, "nothing_left")
    for row, dice, failed in tested:
        reasons, row.will_due, row.omen = row.will_due, "", 0
        for throw in dice[:-1] if failed else dice:
            land.tell("will_passed", roll=[throw], faction=row.faction, total=throw, reasons=reasons)
        if failed:  # what it has thrown, and with what, stays its own
            land.tell("will_rolled", roll=dice[-1:], faction=row.faction)
            _leave_campaign(land, row, "will_failed", total=dice[-1], reasons=reasons)
    if not land.at_war():
        tell_end(land)


def _without_forces(land: Country, row: Faction) -> None:
    """Losing its last Force on the map is a reason for a faction's test."""
    without = not any(army.faction == row.faction for army in land.active())
    # owed once for each time that a faction is left without Forces
    if without and not row.gone:
        land.owe_will_test(row.faction, "no_forces")
    if without != row.gone:
        row.gone = without
        land.tell("without_forces" if without else "forces_again", faction=row.faction)


def _nothing_left(land: Country, row: Faction) -> bool:
    left = any(army.faction == row.faction and army.status in ("active", "broken") for army in land.armies)
    return not left and not any(node.place != "none" and node.holder == row.faction for node in land.nodes)


WILL_TABLE: tuple[Modifier[dict[str, int]], ...] = tuple(
    Modifier(label, itemgetter(what), f"will_{what}") for label, what in (
        (both.word("battles won", "battaglie vinte"), "won"), (both.word("battles lost", "battaglie perdute"), "lost"),
        (both.word("strongholds taken", "capisaldi presi"), "taken"),
        (both.word("strongholds lost", "capisaldi perduti"), "gone"),
        (both.word("capitals taken", "capitali prese"), "capital_taken"),
        (both.word("capital lost", "capitale perduta"), "capital_lost")))
"""What moves the will, by how often it happened: each is worth the number will_ with that word."""


def will_modifiers(land: Country, faction: str, *, turn: bool = False) -> dict[str, int]:
    """The modifiers of a faction's will, by name; their sum is its score (rulebook: End and score)."""
    rules, row = WillNumbers.of(land), land.factions[faction]
    won, lost = _battles(land, faction) if rules.will_battles == "turn" and turn else (row.won, row.lost)
    count = {"won": won, "lost": lost, "taken": 0, "gone": 0, "capital_taken": 0, "capital_lost": 0}
    for node in land.nodes.where(lambda node: node.place != "none"):
        fort = node.place == "stronghold" or rules.capital_is_stronghold == "yes"
        if node.founder == faction:
            foreign = bool(node.holder) and not land.friendly(node.holder, faction)
            count["gone"] += foreign and fort
            count["capital_lost"] += foreign and node.place == "capital"
        elif node.holder == faction and not land.friendly(node.founder, faction):
            count["taken"] += fort
            count["capital_taken"] += node.place == "capital" and land.hostile(node.founder, faction)
    return land.modifiers(WILL_TABLE, count)


def _battles(land: Country, faction: str) -> tuple[int, int]:
    """Battles that a faction has won and lost this turn."""
    won = lost = 0
    for battle in land.battles.of_turn(land.game.turn, lambda battle: battle.outcome in ("attacker", "defender")):
        sides = {row.side for row in land.battle_armies if row.battle == battle.battle
                 and land.faction_of(row.army) == faction}
        won += ("A" if battle.outcome == "attacker" else "D") in sides
        lost += ("D" if battle.outcome == "attacker" else "A") in sides
    return won, lost


def _test(land: Country, row: Faction) -> tuple[list[Score], bool]:
    """Test a faction's will: the dice, and whether it failed. By switch one test for each reason."""
    times = len(row.will_due.split(",")) if WillNumbers.of(land).will_tests == "per_trigger" else 1
    mods = {**will_modifiers(land, row.faction, turn=True), "omen": row.omen}
    dice: list[Score] = []
    for again in range(1, times + 1):
        dice.append(needing(land.score(WILL(row.faction, again=again), mods, land.own(row.faction)),
                            WillNumbers.of(land).will_fail_at))
        if dice[-1].at_most(WillNumbers.of(land).will_fail_at - 1):
            return dice, True
    return dice, False


def _leave_campaign(land: Country, row: Faction, event: str, **told: object) -> None:
    """A faction leaves the campaign: its Forces are destroyed, its places and boats belong to nobody."""
    row.status, row.will_due, row.omen = "out", "", 0
    for army in land.armies:
        if army.faction == row.faction and army.status in ("active", "broken"):
            army.status, army.node, army.aboard, army.fieldworks = "destroyed", "", "", 0
            for unit in land.units_of(army.army):
                unit.figures = 0
                land.forget_wounded(unit.unit)
    for node in land.nodes:
        if node.place != "none" and node.holder == row.faction:
            node.holder, node.store = "", 0
    for boat in land.boats:
        if boat.faction == row.faction:
            boat.faction = ""
    land.tell(event, faction=row.faction, **told)


# The end of the campaign, and the score.


class EndNumbers(Rules):
    """When the campaign ends."""

    max_turns: int = number(
        52, TURNS, both("The campaign ends after {n} {n?turn|turns}.", "La campagna finisce dopo {n} {n?turno|turni}."),
        ASSUMED, 1, setup=True)


END_EVENTS = (
    event("campaign_ends", "news", 0, "Victory of {winners:the}.",
          "Vittoria: {winners}.", variants=("winners", {"": both("Nobody is left.", "Non resta nessuno.")}), to=ALL),
)

END_CHAPTER = Chapter(both("End and score", "Fine e punteggio"),
                      (Citation("end", "Arbitro's rule", "regola di Arbitro", "End and score"),), EndNumbers,
                      END_EVENTS)


@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a faction is from the end: with whom it is at war still, its score where the reader may know it, and the
    turns that are left, this one included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    at_war: tuple[str, ...] = column(Codes("Factions"), "Still at war with", "Ancora in guerra con")
    score: int | None = column(Whole(blank=True), "Score now", "Punteggio adesso")
    turns: int = column(Whole(0), "Turns left", "Turni rimasti")
    allies: tuple[str, ...] = column(Codes("Factions"), "Allies", "Alleati")


AT_WAR = both("You are at war with {at_war:the}", "Sei in guerra con {at_war:il}")
AT_WAR_WITH_ALLIES = both("You are at war with {at_war:the}, allied with {allies:the}",
                          "Sei in guerra con {at_war:il}, in alleanza con {allies:il}")
AT_PEACE = both("You are at war with nobody", "Non sei in guerra con nessuno")
SCORE_NOW = both("{what}. Your score is {score}; {turns} {turns?turn|turns} left, this one included.",
                 "{what}. Il tuo punteggio è {score}; {turns?resta|restano} {turns} {turns?turno|turni}, compreso "
                 "questo.")


def clock(aim: Aim) -> Said:
    """With whom a faction is at war, its score, and how long it has."""
    what = Said(AT_PEACE if not aim.at_war else AT_WAR_WITH_ALLIES if aim.allies else AT_WAR, {
        "at_war": list(aim.at_war), "allies": list(aim.allies)})
    return Said(SCORE_NOW, {"what": what, "score": aim.score or 0, "turns": aim.turns})


def aims(land: Country, reader: str) -> list[Aim]:
    """All factions in play, the reader's first; in the fog battles and lost places of others are not counted."""
    left = max(0, EndNumbers.of(land).max_turns - land.turn + 1)
    rows = [Aim(row.faction, tuple(other.faction for other in land.players()
                                if land.hostile(row.faction, other.faction)),
                score(land, row.faction) if row.faction == reader or land.rules.fog == "open" else None, left,
                tuple(other.faction for other in land.players() if other is not row
                      and land.friendly(other.faction, row.faction)))
            for row in land.players()]
    return sorted(rows, key=lambda row: row.faction != reader)


def score(land: Country, faction: str) -> int:
    """The score of a faction: the sum of its will's modifiers."""
    return sum(will_modifiers(land, faction).values())


def tell_end(land: Country, *, by_score: bool = False) -> None:
    """Tell the end: those left have won, or at the turn limit the best score, then the most strength."""
    left = [row.faction for row in land.players()]
    winners = left
    if by_score and left:
        # of equal scores the greater strength on the map wins, else they share
        ranks = {faction: (score(land, faction), sum(
            land.strength(army.army) for army in land.active() if army.faction == faction)) for faction in left}
        winners = [faction for faction in left if ranks[faction] == max(ranks.values())]
    land.tell("campaign_ends", factions=" ".join(left), winners=" ".join(winners), how="score" if by_score else "peace")


def close_turn(land: Country) -> None:
    """After the last turn the campaign ends by score."""
    if land.turn >= EndNumbers.of(land).max_turns:
        tell_end(land, by_score=True)
