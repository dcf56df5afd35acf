"""After the battle: wounded and deserters, reactions, retreats, places that change hands: phase 4 (4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Literal

from assistant.campaign.records import ALL, REFEREE, Event
from assistant.campaign.tables import natural
from assistant.rulesets.warriors import NO_MORE, ROLLS, TO, WHY, book, both
from assistant.rulesets.warriors.battle import ReportedBattle, auto_modifiers, whole_or_zero
from assistant.rulesets.warriors.land import Country, Square, by_territory, question_type, take_reaction, who_see
from assistant.rulesets.warriors.records import Army, Battle, BattleArmy, BattleUnit, Node, Unit, Wounded
from assistant.turn.chapters import DICE, Chapter, Citation, Modifier, Rules
from assistant.turn.dice import Purpose, Throw
from assistant.turn.event_types import Said
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest, Score, Trial, nonzero_modifiers

# The fallen: dead or wounded (4 wounded).


class WoundNumbers(Rules):
    """Which of the fallen are only wounded."""

    wound_die: str = book.dice_choice("For each figure that fell {option} is thrown.",
                                      "Per ogni miniatura uccisa si tira {option}.")
    wound_ok: int = book.number(4, "total", "From {n} on it is only wounded.", "Da {n} è soltanto ferita.")
    wound_friendly: int = book.to_die(1, "In friendly territory", "In territorio amico")
    wound_enemy: int = book.to_die(-1, "In enemy territory", "In territorio nemico")
    wounded_turns: int = book.number(2, "turns", "The wounded are back after {n} {n?turn|turns}.",
                                     "I feriti tornano dopo {n} {n?turno|turni}.", "ASSUMED", source="7")
    natural_first: Literal["before", "after"] = book.switch(
        "A natural 1 or 6 {option}.", "Un 1 o un 6 naturale {option}.", ("decides by itself", "decide da solo"),
        ("is a die as any other", "è un tiro come gli altri"), source="4 wounded 4 deserters")


WOUNDED_CHAPTER = Chapter(
    both("Wounded", "Feriti"), (Citation("wounded", "wounded", "feriti", "Wounded"),), WoundNumbers,
    rests_on="4 wounded", events=(
    book.event("losses", "battles", 3,
               "{unit}: {dead} dead, {wounded} wounded, {deserted} deserted, {figures} left. {roll}",
               "{unit}: {dead} {dead?morto|morti}, {wounded} {wounded?ferito|feriti}, {deserted} "
               "{deserted?disertore|disertori}; {figures?ne resta|ne restano} {figures}. {roll}",
               variants=("dead wounded deserted", {
                   "0 0 0": (
                       "{unit} {unit?has|have} no losses: {figures} left. {roll}",
                       "{unit:il} non {unit?ha|hanno} perdite: {figures?ne resta|ne restano} {figures}. {roll}")}),
               to="army", lost="dead deserted"),
    book.event("commander_wounded", "battles", 1,
               "{commander}, commander of {army}, fell and survives: wounded until turn {until}. {roll}",
               "{commander}, condottiero {army:di}, è caduto ma sopravvive: ferito fino al turno {until}. {roll}",
               variants=("commander", {
                   "": ("The commander of {army:the} fell and survives: wounded until turn {until}. {roll}",
                        "Il condottiero {army:di} è caduto ma sopravvive: ferito fino al turno {until}. {roll}")}),
               means={"commander": "text"}, to="army", theme="leader", tries="commander"),
    book.event("commander_dead", "battles", 0,
               "{commander}, commander of {army}, fell and is dead: the throw to survive failed. {roll}",
               "{commander}, condottiero {army:di}, è caduto ed è morto: fallito il tiro per sopravvivere. {roll}",
               variants=("commander", {
                   "": ("The commander of {army:the} fell and is dead: the throw to survive failed. {roll}",
                        "Il condottiero {army:di} è caduto ed è morto: fallito il tiro per sopravvivere. {roll}")}),
               means={"commander": "text"}, to="army", theme="leader", tries="commander"),
    book.event("force_broken", "battles", 0, *NO_MORE, means=WHY, to=who_see("faction"), theme="losses"),
))

WOUNDED_CROSSING = ROLLS.purpose(both("The fallen: dead or wounded", "I caduti: morti o feriti"),
                                 "wounded/crossing/{Units*}/{n}/{n}", "")
WOUNDED_COMMANDER = ROLLS.purpose("", "wounded/{Battles*}/{Armies*}/commander", "")
WOUNDED = ROLLS.purpose("", "wounded/{Battles*}/{Units*}/{n}", "")


def saving_test(land: Country, throw: Throw, mods: dict[str, int], least: int, known: list[str] | str) -> Trial:
    """The test that saves a figure by its total; by switch a natural 1 never does, a natural 6 always."""
    # a natural 1 fails and a natural 6 passes, whatever is added (4 wounded, 4 deserters)
    return Trial(land.roll(throw, known), nonzero_modifiers(mods), least,
                 natural=(1, 6) if WoundNumbers.of(land).natural_first == "before" else None)


WOUNDED_TABLE: tuple[Modifier[Square], ...] = by_territory("wound_friendly", "wound_enemy")


def test_wounded(land: Country, faction: str, node: str, throws: list[Throw]) -> tuple[int, list[Trial]]:
    """How many of the fallen are only wounded, and their dice. `node`: "" if territory does not count."""
    mods, rules = land.modifiers(WOUNDED_TABLE, Square(land, node, faction)), WoundNumbers.of(land)
    dice = [saving_test(land, throw._replace(dice=rules.wound_die), mods, rules.wound_ok, land.own(faction))
            for throw in throws]
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

    desert_die: str = book.dice_choice("For each figure that ran {option} is thrown.",
                                       "Per ogni miniatura fuggita si tira {option}.")
    desert_ok: int = book.number(4, "total", "From {n} on it comes back.", "Da {n} ritorna.")
    q_average: int = book.to_die(1, "Average quality", "Qualità media")
    q_veteran: int = book.to_die(2, "Veterans", "Veterani")
    q_elite: int = book.to_die(3, "Elite", "Élite")
    poor_mod: int = book.to_die(0, "Poor quality", "Qualità scarsa", "ASSUMED")
    q_unpredictable: str = book.switch("Unpredictable quality: {option}, once for the Unit.",
                                       "Qualità imprevedibile: {option}, una volta per l'Unità.", options=("1d6 - 3",),
                                       pattern=rf"{DICE}( ?[+-] ?\d+)?")
    desert_routed: int = book.to_die(-1, "Who left in rout", "Chi è fuggito in rotta")


DESERTERS_CHAPTER = Chapter(
    both("Deserters", "Disertori"), (Citation("deserters", "deserters", "disertori", "Deserters"),), DesertionNumbers,
    rests_on="4 deserters", events=(
    book.event("deserted", "supply", 2, "{unit}: {count} deserted. {roll}", "{unit}: disertori {count}. {roll}",
               to="army", lost="count"),
    book.event("mercenaries_left", "battles", 2,
               "{unit} {unit?leaves|leave}: {count} {count?mercenary deserts|mercenaries desert}.",
               "{unit:il} {unit?se ne va|se ne vanno}: {count?diserta|disertano} {count} {count?mercenario|mercenari}.",
               to="army", lost="count"),
))

QUALITY_CROSSING = ROLLS.purpose(both("Unpredictable Units", "Unità imprevedibili"),
                                 "quality/crossing/{Units*}/{n}", "")
QUALITY_EVENT = ROLLS.purpose("", "quality/event/{Units*}", "")
QUALITY = ROLLS.purpose("", "quality/{Battles*}/{Units*}", "")
DESERTER_CROSSING = ROLLS.purpose(both("Deserters", "Disertori"), "deserter/crossing/{Units*}/{n}/{n}", "")
DESERTER_EVENT = ROLLS.purpose("", "deserter/event/{Units*}/{n}", "")
DESERTER = ROLLS.purpose("", "deserter/{Battles*}/{Units*}/{n}", "")


def quality_modifier(land: Country, unit: Unit, throw: Throw, known: list[str] | str) -> tuple[int, list[Score]]:
    """What a Unit's quality adds in tests for deserters; an unpredictable one throws a die."""
    rules = DesertionNumbers.of(land)
    if unit.quality != "unpredictable":
        return int(rules.values().get("poor_mod" if unit.quality == "poor" else f"q_{unit.quality}", 0)), []
    dice, sign, rest = rules.q_unpredictable.replace(" ", "").replace("-", " - ").replace("+", " + ").partition(" ")
    score = land.score(Throw(throw.key, dice), {"quality": int(rest.replace(" ", "")) if sign else 0}, known)
    return score.total, [score]


def test_deserters(land: Country, unit: Unit, routed: int, left: int, quality: Purpose, deserter: Purpose,
                   *about: object) -> tuple[int, list[Score]]:
    """How many of those that ran, in rout or by order, desert, and all dice. `about`: what the throws are named for."""
    rules, own = DesertionNumbers.of(land), land.own(land.faction_of(unit.army))
    if not routed + left:
        return 0, []
    worth, rolls = quality_modifier(land, unit, quality(*about), own)
    tests = [saving_test(land, deserter(*about, i, dice=rules.desert_die), {
        unit.quality: worth, "routed": rules.desert_routed if i <= routed else 0}, rules.desert_ok, own)
        for i in range(1, routed + left + 1)]
    return sum(not trial.passed for trial in tests), [*rolls, *tests]


def desert(land: Country, unit: Unit, tested: int, quality: Purpose, deserter: Purpose, *about: object,
           rule: str = "") -> None:
    """Figures of a Unit may desert without a battle, those of a routed Force as if they had run."""
    routed = land.armies[unit.army].reaction == "routed"
    gone, dice = test_deserters(land, unit, tested * routed, tested * (not routed), quality, deserter, *about)
    unit.figures -= gone
    land.tell("deserted", rule=rule, roll=dice, unit=unit.unit, army=unit.army, count=gone)


# --- the tests, Unit by Unit ----------------------------------------------------------------------
def fought(land: Country) -> list[ReportedBattle]:
    """The fought battles of the turn, in natural order."""
    return [ReportedBattle(land, row) for row in land.battles.of_turn(
        land.game.turn, lambda battle: battle.status == "fought")]


def test_figures(land: Country) -> None:
    """Test unit by unit: the killed may only be wounded, runaways may desert; then the fallen commanders."""
    for fight in fought(land):
        for unit in fight.units.values():
            _unit(land, fight, unit)
        for row in fight.forces.values():
            if row.commander_killed and land.armies[row.army].commander_state != "dead":
                _commander(land, fight.battle, land.armies[row.army])
    for fight in fought(land):
        for army in fight.standing():
            land.remove_if_empty(army, "4 wounded")


def _unit(land: Country, fight: ReportedBattle, row: BattleUnit) -> None:
    battle, unit, beaten = fight.battle, land.units[row.unit], fight.loser == fight.side_of(row.unit)
    killed, routed, withdrawn = whole_or_zero(row.killed), whole_or_zero(row.routed), whole_or_zero(row.withdrawn)
    # a beaten mercenary Unit is gone with its fallen and its wounded, and nothing is thrown (4 deserters)
    if beaten and unit.mercenary:
        land.forget_wounded(unit.unit)
        row.dead, row.deserted, unit.figures = killed, unit.figures - killed, 0
        land.tell("mercenaries_left", unit=unit.unit, army=unit.army, count=row.deserted)
        return
    hurt, rolls = test_wounded(land, land.faction_of(unit.army), battle.node,
                               [WOUNDED(battle.battle, unit.unit, i) for i in range(1, killed + 1)])
    # who left by order is tested only after a defeat (4 deserters)
    deserted, more = test_deserters(land, unit, routed, withdrawn * beaten, QUALITY, DESERTER, battle.battle, unit.unit)
    row.dead, row.wounded, row.deserted = killed - hurt, hurt, deserted
    unit.figures = max(0, unit.figures - killed - deserted)
    wound_figures(land, unit, hurt)
    land.tell("losses", rule="4 wounded" if killed else "4 deserters", roll=[*rolls, *more], unit=unit.unit,
              army=unit.army, battle=battle.battle, dead=row.dead, wounded=hurt, deserted=deserted,
              figures=unit.figures)


def _commander(land: Country, battle: Battle, army: Army) -> None:
    """Test a fallen commander as any figure: wounded, and back after some turns, or dead."""
    hurt, dice = test_wounded(land, army.faction, battle.node, [WOUNDED_COMMANDER(battle.battle, army.army)])
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


BY_DICE = both("On the dice A is {attacker:the} with {n}, D is {defender:the} with {m}; what strength added to either "
               "is not told. Your V.C. added {vc}. The stronghold added {c} to yours. The commander of {army:the} "
               "fell, by a 1. The enemy's figures killed or fled in rout: {l}.",
               "Nei dadi A è {attacker:il} con {n}, D è {defender:il} con {m}; quanto abbia aggiunto la forza non si "
               "dice. Il tuo V.C. ha aggiunto {vc}. Il caposaldo ha aggiunto {c} al tuo tiro. Con un 1 è caduto il "
               "condottiero {army:di}. Miniature del nemico uccise o fuggite in rotta: {l}.")


def _dice_of(fight: ReportedBattle, faction: str, roll: Mapping[str, Any]) -> Said:
    """What the umpire's dice of a battle showed, and what came on top of a faction's own, as far as that tells nothing
    of the other side.
    """
    land, row = fight.land, fight.battle
    values = {dice["key"].split("/", 2)[2]: dice["value"] for dice in roll["rolls"]}
    mine = {force.side for force in fight.forces.values() if land.faction_of(force.army) == faction}
    own = auto_modifiers(fight, "A" if "A" in mine else "D")
    theirs = [unit for unit in land.battle_units if unit.battle == row.battle and unit.unit not in fight.units]
    return Said(BY_DICE, {
        "attacker": row.attacker, "n": values.get("A", ""), "defender": row.defender, "m": values.get("D", ""),
        "vc": f"{own['V.C.']:+d}" if own["V.C."] else "", "c": own["stronghold"] or "",
        "army": [key.rpartition("/")[2] for key, shown in values.items() if "/" in key and shown == 1] or "",
        "l": sum(whole_or_zero(unit.killed) + whole_or_zero(unit.routed) for unit in theirs) or ""}, why=True)


def costs(land: Country, faction: str, events: Iterable[Event]) -> Iterator[Said]:
    """What a faction's battles among the events cost both sides at the gaming table, and each of its Forces in the end.
    """
    told = list(events)
    codes = dict.fromkeys(str(event.data["battle"]) for event in told if event.event == "battle_result")
    thrown = {str(event.data["battle"]): event.roll for event in told if event.event == "auto_result"}
    for row in filter(None, map(land.battles.get, codes)):
        fight = ReportedBattle(land, row)
        if row.method != "table" and faction in (row.attacker, row.defender) and row.battle in thrown:
            yield _dice_of(fight, faction, thrown[row.battle])
        if row.method == "table" and faction in (row.attacker, row.defender):
            own, clubs = fight.units.values(), {land.faction_of(army) for army in fight.forces}
            units = [unit for unit in land.battle_units if unit.battle == row.battle]
            # the strength of others is hidden
            mine, both_lost = (sum(int(unit.killed or 0) + int(unit.routed or 0) for unit in of) for of in (own, units))
            yield Said(AT_GAMING_TABLE, {
                "k": mine, "n": sum(unit.before or 0 for unit in own), "l": both_lost - mine if len(clubs) == 2 else "",
                "w": sum(int(unit.withdrawn or 0) for unit in own) or ""}, why=True)
        for force in fight.forces.values() if row.status == "closed" else ():
            if land.faction_of(force.army) == faction:
                yield from _lost(fight, force)


def _lost(fight: ReportedBattle, force: BattleArmy) -> Iterator[Said]:
    """What a Force has lost, when its wounded that still wait are back, and how those that ran fared; nothing without
    losses.
    """
    land, beaten = fight.land, force.side == fight.loser
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

    retreat_squares: int = book.number(1, "squares", "A beaten Force falls back by {n} {n?square|squares}.",
                                       "Una Forza battuta arretra di {n} {n?quadrato|quadrati}.", minimum=1)
    gap_squares: int = book.number(1, "squares", "After a stalemate {n} {n?square lies|squares lie} between the two.",
                                   "Dopo uno stallo fra i due {n?resta|restano} {n} {n?quadrato|quadrati}.")
    unsteady_loser: Literal["routed", "destroyed"] = book.switch(
        "An unsteady Force that is beaten is {option}.", "Una Forza instabile battuta è {option}.",
        ("routed", "in rotta"), ("destroyed", "distrutta"), source="4 reactions")
    lost_on_stronghold: Literal["yes", "no"] = book.switch("A beaten Force {option} its stronghold.",
                                                           "Una Forza battuta {option} il proprio caposaldo.",
                                                           ("leaves", "lascia"), ("keeps", "tiene"))
    no_retreat: Literal["destroyed", "stays"] = book.switch("A beaten Force that cannot step back {option}.",
                                                            "Una Forza battuta che non può arretrare {option}.",
                                                            ("is destroyed", "è distrutta"), ("stays", "resta"))
    stalemate_order: Literal["dice", "vc"] = book.switch(
        "After a stalemate {option} steps back first.", "Dopo uno stallo arretra per primo {option}.",
        ("who throws lower", "chi tira più basso"), ("the side of the lower V.C.", "la parte con il V.C. più basso"),
        usual=True)
    hold_needs_force: Literal["no", "yes"] = book.switch(
        "A place that was taken {option}.", "Un luogo conquistato {option}.",
        ("is held without a Force", "si tiene anche senza una Forza"),
        ("goes back where no Force is left in it", "torna indietro dove non resta una Forza"), usual=True)


CHAPTER = Chapter(both("4 After the battle", "4 Dopo la battaglia"), (
    Citation("4", "phase 4", "fase 4", "4 After the battle"),
    Citation("after", "after the battle", "dopo la battaglia",
             both("Movement after the battle", "Movimento dopo la battaglia")),
    Citation("reactions", "reactions", "reazioni", both("Reactions after the battle", "Reazioni dopo la battaglia"))
), AftermathNumbers, rests_on="4 movement after", events=(
    book.event("force_destroyed", "battles", 0, *NO_MORE, rule="4 reactions", means=WHY, to=who_see("faction"),
               theme="losses"),
    book.event("no_retreat", "battles", 0, *NO_MORE, means=WHY, to=who_see("faction"), theme="losses"),
    book.event("reaction", "battles", 1, "{army} {army?is|are} {reaction}.", "{army}: la Forza è {reaction}.",
               rule="4 reactions",
               variants=("reaction", {
                   "confused": ("{army}, beaten, {army?is|are} confused: until {army?it takes|they take} a new order, "
                                "all Units begin a battle disorganised.",
                                "{army}: la Forza, battuta, è confusa; finché non riceve un nuovo ordine, tutte le "
                                "Unità iniziano una battaglia disorganizzate."),
                   "unsteady": ("{army}, beaten while confused, {army?is|are} unsteady: until {army?it takes|they "
                                "take} a new order, all Units begin a battle demoralised and disorganised.",
                                "{army}: la Forza, battuta quando era confusa, è instabile; finché non riceve un nuovo "
                                "ordine, tutte le Unità iniziano una battaglia demoralizzate e disorganizzate."),
                   "routed": ("{army}, beaten while unsteady, {army?is|are} routed: until {army?it takes|they take} a "
                              "new order, {army?it collapses|they collapse} where an enemy comes.",
                              "{army}: la Forza, battuta quando era instabile, è in rotta; finché non riceve un nuovo "
                              "ordine, crolla dove arriva un nemico.")}), to="army"),
    book.event("retreated", "moves", 1, "{army} {army?falls|fall} back from {node:the} to {to:the}.",
               "{army:il} {army?ripiega|ripiegano} {node:da} {to:dove}.", means=TO, to="army"),
    book.event("stepped_back", "moves", 2, "{army} {army?steps|step} back from {node:the} to {to:the}.",
               "{army:il} {army?arretra|arretrano} {node:da} {to:dove}.", means=TO, to="army"),
    book.event("stepping_order", "moves", 5, "{battle}: the attackers step back first. {roll}",
               "{battle}: arretrano prima gli attaccanti. {roll}",
               variants=("first", {
                   "D": ("{battle}: the defenders step back first. {roll}",
                         "{battle}: arretrano prima i difensori. {roll}")}), means={"battle": "text", "first": "text"},
               to=lambda land, data: land.circle(land.fighters(data["battle"]))),
    book.event("stays", "moves", 2, "{army} {army?stays|stay} at {node:the}: {why}.",
               "{army:il} {army?resta|restano} {node:dove}: {why}.", means=WHY, to=who_see("army")),
    book.event("place_taken", "sieges", 0, "{node:the} falls to {to:the}.", "{node:il} cade in mano {to:a}.",
               variants=("to", {"": ("{node:the} is nobody's.", "{node:il} non è più di nessuno.")}),
               means={"was": "faction", "to": "faction"}, to=ALL, theme="place"),
    book.event("boats_taken", "sea", 1, "{boat} at {node:the} {boat?falls|fall} to {by:the}.",
               "{boat} {node:dove} {boat?cade|cadono} in mano {by:a}.", means={"boat": "piece"}, to=ALL),
    book.event("battle_closed", "battles", 8, "What came of {battle} at {node:the} is done.",
               "{battle} {node:dove}: conseguenze chiuse.", means={"battle": "text"}, to=REFEREE),
), questions=(
    question_type("retreat", "{battle} at {node:the} is lost. Where does {army} go?",
                  "{battle} {node:dove} è perduta. Dove va {army}?", means={"attacker": "piece", "battle": "text"}),
    question_type("step-back", "{battle} at {node:the} is drawn. Where does {army} go?",
                  "{battle} {node:dove} è finita in stallo. Dove va {army}?",
                  means={"attacker": "piece", "battle": "text"}),
))

both.words({
    "omen": "presagio", "commander": "condottiero", "beaten while unsteady": "battuta quando era instabile",
    "nowhere to go": "non sa dove andare", "both defend": "tutti in difesa", "no square": "nessun quadrato libero",
    "score": "punteggio", "first": "primo", "retreat": "ripiegamento", "step-back": "arretramento",
})

STALEMATE = ROLLS.purpose(both("Who steps back first", "Chi arretra per primo"), "stalemate/{Battles*}/{A|D}/{n}")


# --- tallies and reactions ------------------------------------------------------------------------
def tally(land: Country) -> None:
    """Count each battle once for each faction; the beaten owe a test of their will."""
    for fight in fought(land):
        battle = fight.battle.battle
        # a faction counts a battle once, however many of its Forces fought
        sides = {land.armies[code].faction: row.side for code, row in fight.forces.items()}
        for faction in sorted(sides):
            came = "drawn" if not fight.loser else "lost" if sides[faction] == fight.loser else "won"
            setattr(land.factions[faction], came, getattr(land.factions[faction], came) + 1)
            if came == "lost":
                land.owe_will_test(faction, f"battle_lost:{battle}")
            land.tell("tallied", faction=faction, battle=battle, came=came)


def beaten(land: Country) -> list[tuple[ReportedBattle, Army]]:
    """The Forces of beaten sides, each with its battle."""
    return [(fight, army) for fight in fought(land) if fight.loser for army in fight.standing(fight.loser)]


def reactions(land: Country) -> None:
    """Worsen the reaction of beaten Forces, from the one with which they began."""
    for fight, army in beaten(land):
        # the row of the unsteady is missing in the book: by default they are routed
        worse = {"none": "confused", "confused": "unsteady", "unsteady": AftermathNumbers.of(land).unsteady_loser,
                 "routed": "routed"}[fight.forces[army.army].start_reaction or "none"]
        if worse == "destroyed":
            land.owe_for_force(army)
            land.remove_force(army, "destroyed", "force_destroyed", "4 reactions", why="beaten while unsteady")
            continue
        take_reaction(land, army, worse)
        land.tell("reaction", army=army.army, reaction=worse)


# Phase 4: retreats, and stepping back after a stalemate (4 movement after).


Leaving = tuple[ReportedBattle, Army]
"""A battle, and a Force that must leave its square."""


def _leave(land: Country, kind: str, event: str, leaving: list[Leaving],
           places: Callable[[ReportedBattle, Army], list[str]]) -> Iterator[tuple[ReportedBattle, Army, str]]:
    """Ask all clubs at once where their Forces go, then move one after the other: each with its square, "" for none."""
    asks = [Ask(kind, army.faction, f"{fight.battle.battle}/{army.army}", tuple(options),
                land.default_place(army, options),
                {"army": army.army, "battle": fight.battle.battle, "node": army.node})
            for fight, army in leaving if (options := places(fight, army))]
    wishes = dict(zip([ask.about for ask in asks], land.game.choose_all(asks), strict=True))
    for fight, army in leaving:
        # an earlier Force may have filled a square that was offered
        options, wish = places(fight, army), wishes.get(f"{fight.battle.battle}/{army.army}", "")
        to = wish if wish in options else land.default_place(army, options)
        if to:
            step_into(land, army, to, event)
        yield fight, army, to


def step_into(land: Country, army: Army, to: str, event: str) -> None:
    """Move a Force into the next square, onto water with the first own boats that take it; its field works are lost."""
    boats, start = land.carriers(army)[:1] if land.map.water(to) else [], army.node
    army.node, army.aboard, army.fieldworks = to, "", 0
    for boat in boats:
        boat.node, army.aboard = to, boat.boat
    land.went(event, army, start, "4 movement after", to=to)


def retreats(land: Country) -> None:
    """The beaten retreat; by switch a Force with nowhere to go is destroyed, and one in its stronghold stays."""
    rules, leaving = AftermathNumbers.of(land), list[Leaving]()
    for fight, army in beaten(land):
        if rules.lost_on_stronghold == "no" and land.holds(army):
            _tell_staying(land, [army], "stronghold")
        else:
            leaving.append((fight, army))
    for _, army, to in _leave(land, "retreat", "retreated", leaving, lambda _, army: retreat_places(land, army)):
        if not to and rules.no_retreat == "destroyed":
            land.remove_force(army, "destroyed", "no_retreat", "4 movement after", why="nowhere to go")
        elif not to:
            _tell_staying(land, [army], "no square")


def retreat_places(land: Country, army: Army) -> list[str]:
    """Where a beaten Force may go: legal squares `retreat_squares` away, or as far as there are any."""
    start, places = army.node, land.legal_squares(army)
    for steps in range(2, AftermathNumbers.of(land).retreat_squares + 1):
        further = {node for here in places if not land.map.water(here) for node in land.map.board.neighbours(here)
                   if land.map.distance(start, node) == steps and land.map.land_step(here, node)
                   and land.is_free(army, node)}
        places = sorted(further, key=natural) or places
    return places


def _tell_staying(land: Country, armies: list[Army], why: str) -> None:
    for army in armies:
        land.tell("stays", army=army.army, node=army.node, why=why)


# --- stalemates -----------------------------------------------------------------------------------
def step_back(land: Country) -> None:
    """Both sides of each drawn battle step back, one after the other, so that a square lies between them."""
    pairs = [(fight, _sides(land, fight)) for fight in fought(land) if not fight.loser]
    gap, taken = AftermathNumbers.of(land).gap_squares, defaultdict[str, list[str]](list)

    def apart(fight: ReportedBattle, army: Army) -> list[str]:
        options, others = land.legal_squares(army), taken[fight.battle.battle] if turn else []
        far = [option for option in options if all(land.map.distance(option, node) > gap for node in others)]
        return far or options  # with no square so far away any legal one will do

    # the second side chooses when it is known where the first has gone
    for turn in (0, 1):
        leaving = [(fight, army) for fight, sides in pairs if turn < len(sides) for army in fight.standing(sides[turn])]
        for fight, army, to in _leave(land, "step-back", "stepped_back", leaving, apart):
            if not to:
                _tell_staying(land, [army], "no square")
            elif not turn:
                taken[fight.battle.battle].append(to)


def _sides(land: Country, fight: ReportedBattle) -> list[str]:
    """The sides that step back, in order; Forces that stay are told."""
    if all(row.start_order == "defend" for row in fight.forces.values()):
        _tell_staying(land, fight.standing(), "both defend")
        return []
    at_home = [side for side in "AD" if any(map(land.holds, fight.standing(side)))]
    for side in at_home:
        _tell_staying(land, fight.standing(side), "stronghold")
    going = [side for side in "AD" if side not in at_home and fight.standing(side)]
    return _stepping_order(land, fight) if len(going) == 2 else going


def _stepping_order(land: Country, fight: ReportedBattle) -> list[str]:
    """The order of stepping back: the lower die first, equals throw again; or by switch the lower best V.C."""
    if AftermathNumbers.of(land).stalemate_order == "vc":
        best = {side: max(row.start_vc or 0 for row in fight.forces.values() if row.side == side) for side in "AD"}
        return ["D", "A"] if best["D"] < best["A"] else ["A", "D"]
    known = land.circle(land.armies[code].faction for code in fight.forces)
    for again in count(1):
        dice = Contest({side: land.score(STALEMATE(fight.battle.battle, side, again), {}, known) for side in "AD"})
        if dice.winner:
            break
    first = "D" if dice.winner == "A" else "A"
    land.tell("stepping_order", roll=dice, battle=fight.battle.battle, first=first)
    return [first, dice.winner]


# Phase 4: places and boats that change hands, and the close of battles (4 movement after).


def take_places(land: Country) -> None:
    """A place in which only enemies of its holder stand falls to them, also without a fight."""
    for node in land.places():
        taker = _taker(land, node, land.garrison(node.node))
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
    figures = Counter[str]()
    for foe in foes:
        figures[foe.faction] += land.figures(foe.army)
    takers = sorted(+figures, key=lambda faction: (-figures[faction], natural(faction)))  # no commander without Units
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


def take_boats(land: Country) -> None:
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
    for fight in fought(land):
        fight.battle.status = "closed"
        land.tell("battle_closed", battle=fight.battle.battle, node=fight.battle.node)
